//! Moves that are found after something else was done, such as a throw of dice.

use super::{Log, Mv, Part, Parts, Said};
use crate::action::{Change, NONE};
use crate::ctx::{Chance, Ctx};
use crate::game::ContainerKind;
use crate::ir::Moves;
use crate::sites::Numbers;
use crate::topo::SiteType;

impl Ctx<'_> {
    pub(super) fn do_next(&mut self, prior: &Moves, next: &Moves) -> Vec<Mv> {
        // What comes first may throw dice; the next moves are found after that throw.
        let first = self.moves(prior);
        let seen = self.seen();
        let only_dice = first.iter().all(is_throw);
        let (mut list, mut before, chance) = if only_dice {
            let (list, chance) = self.asked(|c| c.after_throw(&first, next));
            (list, first.into_iter().map(|m| m.parts).collect(), chance)
        } else {
            self.after_others(&first, next)
        };
        self.chance = Chance { ahead: self.chance.ahead, ..chance };
        if self.found_none(&list, seen) && self.g.has_dice() && self.takes(NONE) {
            let pass = Mv::of(Change::Pass { forced: true }, true).at(NONE, NONE);
            let mut pass = pass.by(self.s.mover);
            for log in &before {
                pass.parts.insert_many(0, log.iter().cloned());
            }
            return vec![pass];
        }
        self.keep_last(&mut list);
        if let ([m], [said]) = (&mut list[..], &mut before[..])
            && !m.twin
        {
            said.extend(std::mem::take(&mut m.parts));
            m.parts = std::mem::take(said);
            return list;
        }
        if self.quiet && list.len() > 1 && said_once(&before, &list) {
            if let Some(m) = list.first_mut() {
                m.parts.insert_many(0, before.into_iter().flatten());
            }
            return list;
        }
        let shared = before_all(&before, &list);
        for m in &mut list {
            match &shared {
                Some(said) if !m.twin => m.parts.insert(0, Part::Said(said.clone())),
                _ => put_before(&before, m.twin, &mut m.parts),
            }
        }
        list
    }

    /// The moves after changes of any kind, which are taken back.
    fn after_others(&mut self, first: &[Mv], next: &Moves) -> (Vec<Mv>, Vec<Parts>, Chance) {
        if first.iter().all(Mv::is_local) {
            let told = |m: &Mv| {
                let mut parts = Parts::new();
                m.each_change(&mut |action| parts.push(Part::Do(action.clone())));
                parts
            };
            let before = first.iter().map(told).collect();
            let (list, chance) = self.look_after(first, |c| (c.listed(next), c.chance.clone()));
            return (list, before, chance);
        }
        self.look(|c| {
            let before = first.iter().map(|m| c.effects_made(m)).collect();
            (c.listed(next), before, c.chance.clone())
        })
    }

    /// Makes a move that is not a turn; what it changed, with all that followed.
    fn effects_made(&mut self, m: &Mv) -> Parts {
        let mut log = Log::full();
        self.apply_effects(m, &mut log);
        log.into_actions().into_iter().map(Part::Do).collect()
    }

    /// The moves after a throw of dice, which is taken back.
    fn after_throw(&mut self, throws: &[Mv], next: &Moves) -> (Vec<Mv>, Chance) {
        let dice = self.shown_dice();
        for m in throws {
            m.each_change(&mut |action| self.apply_change(&action.kind));
        }
        self.chance.ahead += 1;
        let list = self.listed(next);
        self.show_dice(&dice);
        (list, std::mem::take(&mut self.chance))
    }

    /// What dice show and count, in a row.
    fn shown_dice(&self) -> Numbers {
        let g = self.g;
        let sites = g.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_)));
        let sites = sites.flat_map(|c| c.first..c.first + c.count);
        let faces = sites.map(|site| i32::from(self.piece(Some(SiteType::Cell), site).state));
        let values = self.s.dice.iter().flatten().chain(&self.s.dice_sum).copied();
        faces.chain(values).chain([i32::from(self.s.dice_equal)]).collect()
    }

    /// Makes dice show and count what they did.
    fn show_dice(&mut self, shown: &[i32]) {
        let mut shown = shown.iter().copied();
        let mut next = || shown.next().unwrap_or(0);
        for container in &self.g.containers {
            if !matches!(container.kind, ContainerKind::Dice(_)) {
                continue;
            }
            for site in container.first..container.first + container.count {
                let state = next() as i16;
                self.s.layers[SiteType::Cell as usize].update(site, |p| p.state = state);
            }
        }
        let values = self.s.dice.iter_mut().flatten().chain(&mut self.s.dice_sum);
        values.for_each(|value| *value = next());
        self.s.dice_equal = next() == 1;
    }
}

/// Whether a move only throws dice.
fn is_throw(m: &Mv) -> bool {
    let thrown = |part: &Part| match part {
        Part::Do(action) => matches!(action.kind, Change::Die { .. } | Change::DiceEqual { .. }),
        Part::Sub(_) | Part::Said(_) => false,
    };
    m.then.is_empty() && m.parts.iter().all(thrown)
}

/// Puts what was done before a move was found before what it does.
fn put_before(before: &[Parts], twin: bool, parts: &mut Parts) {
    let mut at = 0;
    for log in before {
        for _ in 0..=u8::from(twin) {
            parts.insert_many(at, log.iter().cloned());
        }
        at = log.len();
    }
}

/// So many changes are put before each move by themselves; more are shared by all of them.
const FEW: usize = 8;

/// What was done before several moves were found, where it is much.
fn before_all(before: &[Parts], list: &[Mv]) -> Option<Said> {
    if list.len() < 2 || before.iter().map(|log| log.len()).sum::<usize>() <= FEW {
        return None;
    }
    let mut parts = Parts::new();
    put_before(before, false, &mut parts);
    let mut actions = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Do(action) => actions.push(action),
            Part::Said(said) => actions.extend_from_slice(said.actions()),
            Part::Sub(_) => return None,
        }
    }
    Some(Said::new(actions))
}

/// Whether it is all the same if what comes before every move comes before the first only: variables are
/// set and not set again, and what is pending stays so.
fn said_once(before: &[Parts], list: &[Mv]) -> bool {
    let once =
        |change: &Change| matches!(change, Change::SetVar { .. } | Change::SetPending { .. });
    let sets = |part: &Part| match part {
        Part::Do(action) => once(&action.kind),
        Part::Sub(_) | Part::Said(_) => false,
    };
    let keeps = |m: &Mv| {
        let mut keeps = m.ends_here() && !m.twin;
        m.each_change(&mut |action| keeps &= !matches!(action.kind, Change::SetVar { .. }));
        keeps
    };
    before.iter().flatten().all(sets) && list.iter().all(keeps)
}
