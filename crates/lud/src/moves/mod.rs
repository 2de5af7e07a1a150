//! Moves: what generators and effects produce, and how a move is applied.
//!
//! A move is a list of primitive changes and of what follows it. Effects are first all found, then
//! applied one after the other, as the reference does; a look ahead works on a copy.

mod apply;
mod capture;
mod cards;
mod changes;
mod control;
mod each;
mod effects;
mod large;
mod log;
mod next;
mod placing;
mod said;
mod settings;
mod single;
mod sliding;
mod sowing;
mod stepping;
mod strings;

pub use apply::flatten;
pub use capture::default_capture;
pub(crate) use cards::card_moved;
pub use each::combined_dice;
pub use log::Log;
pub(crate) use placing::MOST_AT_ONCE;
pub use said::Said;
pub(crate) use strings::Strings;

use super::action::{Action, Change, NONE};
use super::ctx::Ctx;
use super::ir::{Moves, MovesKind};
use smallvec::{SmallVec, smallvec};

/// The consequence that balls fall, which every move of a game with gravity has.
pub(crate) const FALL: u32 = u32::MAX;

/// A move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mv {
    /// Where it starts.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// What it passes.
    pub between: SmallVec<[i32; 4]>,
    /// Who makes it.
    pub mover: i32,
    /// What it does.
    pub parts: Parts,
    /// What follows (indices of consequences), in order.
    pub then: SmallVec<[u32; 4]>,
    /// Listed twice as one and the same: whatever is added to one is added to the other as well.
    pub twin: bool,
    /// Moves made at once after all that, because they are the only ones at their sites.
    pub forced: Option<Box<Vec<Mv>>>,
}

/// The parts of a move.
pub type Parts = SmallVec<[Part; 2]>;

/// A part of a move: a change, or another move with its own consequences.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A change.
    Do(Action),
    /// A move inside a move.
    Sub(Box<Mv>),
    /// Changes made before the move was found.
    Said(Said),
}

impl Mv {
    /// The move of one change.
    pub fn of(change: Change, decision: bool) -> Self {
        Mv {
            from: change.from(),
            to: change.to(),
            parts: smallvec![Part::Do(Action { kind: change, decision })],
            ..Mv::default()
        }
    }

    /// A move with no changes yet.
    pub fn empty() -> Self {
        Mv { from: 0, to: 0, ..Mv::default() }
    }

    /// Adds a change.
    pub fn push(&mut self, change: Change) {
        self.parts.push(Part::Do(Action::effect(change)));
    }

    /// Sets where it starts and ends.
    pub fn at(mut self, from: i32, to: i32) -> Self {
        (self.from, self.to) = (from, to);
        self
    }

    /// Sets who makes it.
    pub fn by(mut self, mover: i32) -> Self {
        self.mover = mover;
        self
    }

    /// Marks all changes as decided or not.
    pub fn set_decision(&mut self, decision: bool) {
        for part in &mut self.parts {
            match part {
                Part::Do(action) => action.decision = decision,
                Part::Sub(sub) => sub.set_decision(decision),
                Part::Said(said) => said.set_decision(decision),
            }
        }
    }

    /// Where its decision starts and ends.
    pub fn decided_sites(&self) -> (i32, i32) {
        for part in &self.parts {
            match part {
                Part::Do(action) if action.decision => {
                    return (action.kind.from(), action.kind.to());
                }
                Part::Sub(sub) if sub.has_decision() => return sub.decided_sites(),
                Part::Said(said) => {
                    if let Some(action) = said.decisions().next() {
                        return (action.kind.from(), action.kind.to());
                    }
                }
                _ => {}
            }
        }
        (NONE, NONE)
    }

    /// The first change that is a decision, without those that follow.
    pub(super) fn decision(&self) -> Option<&Action> {
        self.decision_among(|_| true)
    }

    /// The decision that says what kind of move it is. Passing and exchanging seats do so where nothing else is decided, as
    /// they do for its code.
    pub(super) fn main_decision(&self) -> Option<&Action> {
        let placeless =
            |change: &Change| matches!(change, Change::Pass { .. } | Change::Swap { .. });
        self.decision_among(|change| !placeless(change)).or_else(|| self.decision())
    }

    fn decision_among(&self, among: impl Fn(&Change) -> bool + Copy) -> Option<&Action> {
        let decides = |action: &&Action| action.decision && among(&action.kind);
        self.parts.iter().find_map(|part| match part {
            Part::Do(action) => Some(action).filter(decides),
            Part::Sub(sub) => sub.decision_among(among),
            Part::Said(said) => said.decisions().find(decides),
        })
    }

    /// Does something with each change in order, without those that follow.
    pub(super) fn each_change<'m>(&'m self, act: &mut impl FnMut(&'m Action)) {
        for part in &self.parts {
            match part {
                Part::Do(action) => act(action),
                Part::Sub(sub) => sub.each_change(act),
                Part::Said(said) => said.actions().iter().for_each(&mut *act),
            }
        }
    }

    /// Whether nothing follows it, nor any part of it.
    pub(super) fn ends_here(&self) -> bool {
        let ends = |part: &Part| match part {
            Part::Do(_) | Part::Said(_) => true,
            Part::Sub(sub) => sub.ends_here(),
        };
        self.then.is_empty() && self.forced.is_none() && self.parts.iter().all(ends)
    }

    /// Whether it changes pieces, variables, scores and pending values at most, and nothing follows.
    pub(super) fn is_local(&self) -> bool {
        let local = |part: &Part| match part {
            Part::Do(action) => action.kind.is_local(),
            Part::Sub(sub) => sub.is_local(),
            Part::Said(said) => said.is_local(),
        };
        self.then.is_empty() && self.forced.is_none() && self.parts.iter().all(local)
    }

    /// Whether some part is a decision.
    pub fn has_decision(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Do(action) => action.decision,
            Part::Sub(sub) => sub.has_decision(),
            Part::Said(said) => said.decisions().next().is_some(),
        })
    }

    /// Whether the decision is a pass.
    pub fn is_pass(&self) -> bool {
        self.decides(|change| matches!(change, Change::Pass { .. }))
    }

    /// Whether the decision is to swap seats.
    pub fn is_swap(&self) -> bool {
        self.decides(|change| matches!(change, Change::Swap { .. }))
    }

    /// The text that is proposed or voted for, by number.
    pub(super) fn message(&self) -> Option<u16> {
        let told = |action: &Action| match action.kind {
            Change::Propose { index, .. } | Change::Vote { index, .. } => Some(index),
            _ => None,
        };
        let of = |part: &Part| match part {
            Part::Do(action) => told(action),
            Part::Sub(sub) => sub.message(),
            Part::Said(said) => said.actions().iter().find_map(told),
        };
        self.parts.iter().find_map(of)
    }

    fn decides(&self, is: impl Fn(&Change) -> bool + Copy) -> bool {
        let mut found = false;
        for part in &self.parts {
            let (decision, fits) = match part {
                Part::Do(action) => (action.decision, is(&action.kind)),
                Part::Sub(sub) => (sub.has_decision(), sub.decides(is)),
                Part::Said(said) => {
                    let against = said.decisions().any(|action| !is(&action.kind));
                    (against, !against && said.actions().iter().any(|action| is(&action.kind)))
                }
            };
            if decision && !fits {
                return false;
            }
            found |= fits;
        }
        found
    }

    /// Effects before the move (as captures are), then the move itself.
    pub fn after(self, mut effects: Vec<Mv>) -> Mv {
        if effects.is_empty() {
            return self;
        }
        for effect in &mut effects {
            effect.set_decision(false);
        }
        let between = if effects.len() > 1 { effects[0].between.clone() } else { SmallVec::new() };
        let (from, to) = effects[0].decided_sites();
        let mut parts = Parts::new();
        effects.into_iter().chain([self]).for_each(|m| m.join(&mut parts));
        Mv { from, to, between, parts, ..Mv::default() }
    }

    /// Becomes a part of another move. What nothing follows is no more than its changes.
    fn join(self, parts: &mut Parts) {
        if self.then.is_empty() && self.forced.is_none() {
            parts.extend(self.parts);
        } else {
            parts.push(Part::Sub(Box::new(self)));
        }
    }
}

impl Ctx<'_> {
    /// All moves of a generator or effect.
    pub fn moves(&mut self, moves: &Moves) -> Vec<Mv> {
        self.with_all(|c| c.listed(moves))
    }

    /// The moves of a generator, as far as they are wanted.
    pub(super) fn listed(&mut self, moves: &Moves) -> Vec<Mv> {
        self.depth += 1;
        if self.depth > 60 {
            self.depth -= 1;
            return Vec::new();
        }
        let list = self.moves_of(moves);
        self.depth -= 1;
        list
    }

    fn moves_of(&mut self, moves: &Moves) -> Vec<Mv> {
        use MovesKind as K;
        self.count_step();
        if !self.wants_all() && !self.asks_first(&moves.kind) {
            let list = self.moves(moves);
            return self.thinned(list);
        }
        if self.aim().is_some() && heeds_whether_any(&moves.kind) {
            return self.without_skipping(|c| c.moves_of(moves));
        }
        let mut list = match &moves.kind {
            K::All(all) => self.each_of(all),
            K::Seq(all) => return self.seq(all),
            K::Append(inner) => self.append(inner),
            K::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.listed(yes),
                (false, Some(no)) => self.listed(no),
                (false, None) => Vec::new(),
            },
            K::Combine(a, b) => self.combine(a, b),
            K::Priority(all) => self.priority(all),
            K::Do(wanted) => self.do_moves(wanted),
            K::MaxMoves(inner, value) => return self.max_moves(inner, value),
            K::MaxCaptures(inner, value) => return self.max_captures(inner, value),
            // The longest way is looked for and then not asked for.
            K::MaxDistance(inner, ..) => return self.listed(inner),
            K::FirstOnTrack(inner, name, owner) => {
                return self.first_on_track(inner, name.as_deref(), owner.as_deref());
            }
            K::While(cond, inner) => self.while_moves(cond, inner),
            K::AvoidStored(inner) => self.avoid_stored(inner),
            K::ForEachPiece(each) => self.for_each_piece(each),
            K::ForEachSite(region, inner, otherwise) => {
                match self.for_each_site(region, inner, otherwise.as_deref()) {
                    Ok(list) => list,
                    Err(other) => return other,
                }
            }
            K::ForEachPlayer(players, inner) => {
                return self.for_each_player(players.as_deref(), inner);
            }
            K::ForEachValue(values, inner) => self.for_each_value(values, inner),
            K::ForEachDie(each) => self.for_each_die(each),
            K::ForEachDirection(each) => self.for_each_direction(each),
            K::ForEachGroup(groups, inner) => self.for_each_group(groups, inner),
            K::ForEachLevel(kind, site, bottom, inner) => {
                self.for_each_level(*kind, site, *bottom, inner)
            }
            K::ForEachTeam(inner) => self.for_each_team(inner),
            K::Satisfy => self.satisfying(),
            K::Add(add) => self.add(add),
            K::Step(step) => self.step(step),
            K::Slide(slide) => self.slide(slide),
            K::Hop(hop) => self.hop(hop),
            K::Leap(leap) => self.leap(leap),
            K::FromTo(carried) => self.carry(carried),
            K::Shoot(shoot) => self.shoot(shoot),
            K::Remove(remove) => self.remove(remove),
            K::Promote(promote) => self.promote(promote),
            K::Select(select) => self.select(select),
            K::Pass { decision } => {
                let mover = self.s.mover;
                let pass = Change::Pass { forced: false };
                match self.takes(NONE) {
                    true => vec![Mv::of(pass, *decision).at(NONE, NONE).by(mover)],
                    false => Vec::new(),
                }
            }
            K::Sow(sow) => self.sow(sow),
            K::Custodial(custodial) => self.custodial(custodial),
            K::Intervene(intervene) => self.intervene(intervene),
            K::Surround(surround) => return self.surround(surround),
            K::Enclose(enclose) => self.enclose(enclose),
            K::Directional(directional) => return self.directional(directional),
            K::Attract(kind, from, dir) => self.attract(*kind, from, *dir),
            K::Push(kind, from, dirs) => self.push_pieces(*kind, from, dirs),
            K::RandomOne(all) => return self.random_one(all),
            K::RandomSome(inner, count) => return self.random_some(inner, count),
            K::SetPending(..) | K::SetNextPlayer { .. } => return self.effect(&moves.kind),
            other => self.effect(other),
        };
        if let Some(then) = moves.then {
            self.keep_last(&mut list);
            let adds = matches!(moves.kind, K::Add(_));
            for m in &mut list {
                m.then.push(then);
                if m.twin && !adds {
                    m.then.push(then);
                }
            }
        }
        list
    }

    /// Whether a generator asks before it makes a move; of others all moves are made.
    fn asks_first(&self, kind: &MovesKind) -> bool {
        use MovesKind as K;
        match kind {
            K::All(_)
            | K::If(..)
            | K::Priority(_)
            | K::MaxDistance(..)
            | K::FirstOnTrack(..)
            | K::ForEachPiece(_)
            | K::ForEachSite(..)
            | K::ForEachPlayer(..)
            | K::ForEachValue(..)
            | K::ForEachDie(_)
            | K::ForEachDirection(_)
            | K::ForEachGroup(..)
            | K::ForEachLevel(..)
            | K::ForEachTeam(_)
            | K::Add(_)
            | K::Step(_)
            | K::Slide(_)
            | K::Hop(_)
            | K::Leap(_)
            | K::FromTo(_)
            | K::Remove(_)
            | K::Select(_)
            | K::Satisfy
            | K::Pass { .. } => true,
            K::Do(wanted) => wanted.if_afterwards.as_ref().is_none_or(|cond| self.is_certain(cond)),
            _ => false,
        }
    }

    fn each_of(&mut self, all: &[Moves]) -> Vec<Mv> {
        let mut out = Vec::new();
        for moves in all {
            extend(&mut out, self.listed(moves));
        }
        out
    }
}

/// Whether what a generator finds depends on whether a part of it finds something.
fn heeds_whether_any(kind: &MovesKind) -> bool {
    use MovesKind as K;
    match kind {
        K::Priority(_) | K::FirstOnTrack(..) | K::ForEachSite(_, _, Some(_)) => true,
        K::Do(wanted) => wanted.next.is_some(),
        _ => false,
    }
}

/// Adds moves to others.
pub(super) fn extend(out: &mut Vec<Mv>, list: Vec<Mv>) {
    if out.is_empty() {
        *out = list;
    } else {
        out.extend(list);
    }
}
