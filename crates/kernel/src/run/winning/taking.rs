//! How moves of a game take pieces, read off its deeds and effects.

use crate::code::{Act, Code, Custodial, Effect, Num, Ray, Set, Surround, Together, Var};

/// How moves of a game take pieces.
#[derive(Debug)]
pub(in crate::run) struct Taking {
    /// As many as one move takes, or as many sites as it changes, whichever is more; nothing where that is not known.
    pub(super) most: Option<i32>,
    /// What is taken stands where the move ends or on a ray of these tables from there; nothing where that is not known.
    pub(super) rays: Option<Vec<usize>>,
    /// Pieces come to no site but where a move ends.
    pub(super) only_ends: bool,
}

impl Taking {
    pub(in crate::run) fn of(code: &Code) -> Taking {
        let mut all = Taking { most: None, rays: Some(Vec::new()), only_ends: true };
        let mut most = Some(0);
        for deed in &code.deeds {
            let effects = deed.then.iter().map(|&then| &code.effects[then]);
            let mut taken = Some(0);
            for effect in deed.before.iter().chain(effects) {
                taken = sum(taken, all.effect(code, effect));
            }
            match deed.act {
                Act::Move | Act::Add(_) | Act::Copy | Act::Remove | Act::Select | Act::Pass => {}
                Act::Propose(_) | Act::Vote(_) | Act::Swap => {}
                _ => (all.only_ends, all.rays) = (false, None),
            }
            most = larger(most, taken);
        }
        // The move itself changes where it starts and where it ends.
        all.most = sum(most, Some(2));
        if code.doomed.is_some() {
            // What was taken in several moves leaves at once.
            (all.most, all.rays) = (None, None);
        }
        all
    }

    /// How many pieces an effect takes at most; notes from where.
    fn effect(&mut self, code: &Code, effect: &Effect) -> Option<i32> {
        match effect {
            Effect::All(all) | Effect::InTurn(all) => {
                // All are looked at, also after one of which it is not known.
                let taken: Vec<_> = all.iter().map(|effect| self.effect(code, effect)).collect();
                taken.into_iter().sum()
            }
            Effect::If(_, yes, no) => larger(self.effect(code, yes), self.effect(code, no)),
            Effect::Do(first, then) => sum(self.effect(code, first), self.effect(code, then)),
            Effect::Followed(effect, then) => {
                sum(self.effect(code, effect), self.effect(code, &code.effects[*then]))
            }
            Effect::Custodial(custodial) => self.custodial(code, custodial),
            Effect::Surround(surround) => self.surround(code, surround),
            Effect::Remove(Set::One(_)) => {
                self.rays = None;
                Some(1)
            }
            Effect::Nothing
            | Effect::Remember(..)
            | Effect::Forget(_)
            | Effect::Again
            | Effect::Next(_)
            | Effect::Store
            | Effect::UseDice(..)
            | Effect::Trigger(_)
            | Effect::SetNote(..)
            | Effect::SetCounter(_)
            | Effect::SetPending(_)
            | Effect::AddScore(..)
            | Effect::SetScore(..)
            | Effect::Propose(_)
            | Effect::Vote(_) => Some(0),
            Effect::Remove(_) => {
                self.rays = None;
                None
            }
            Effect::Add(..) | Effect::Promote(..) | Effect::Move(..) => {
                (self.only_ends, self.rays) = (false, None);
                Some(2)
            }
            _ => {
                (self.only_ends, self.rays) = (false, None);
                None
            }
        }
    }

    fn custodial(&mut self, code: &Code, custodial: &Custodial) -> Option<i32> {
        let removes = custodial.together == Some(Together::Removed)
            || matches!(custodial.effect, Effect::Remove(Set::One(_)));
        self.only_ends &= removes;
        let lengths = |rays: &Vec<Ray>| -> i32 {
            rays.iter().map(|ray| custodial.max.min(ray.sites.len() as i32)).sum()
        };
        self.along(&custodial.from, custodial.rays, removes);
        code.rays[custodial.rays].iter().map(lengths).max()
    }

    fn surround(&mut self, code: &Code, surround: &Surround) -> Option<i32> {
        let removes = matches!(surround.effect, Effect::Remove(Set::One(_)));
        self.only_ends &= removes;
        self.along(&surround.from, surround.rays, removes);
        code.rays[surround.rays].iter().map(|rays| rays.len() as i32).max()
    }

    /// Pieces are taken on the rays of a site.
    fn along(&mut self, from: &Num, rays: usize, removes: bool) {
        match from {
            Num::LastTo | Num::Var(Var::To) if removes => {
                if let Some(tables) = &mut self.rays {
                    tables.push(rays);
                }
            }
            _ => self.rays = None,
        }
    }
}

fn sum(one: Option<i32>, other: Option<i32>) -> Option<i32> {
    Some(one?.saturating_add(other?))
}

fn larger(one: Option<i32>, other: Option<i32>) -> Option<i32> {
    Some(one?.max(other?))
}
