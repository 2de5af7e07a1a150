//! What follows a move, without moves being made of it: effects that are one change at most.

use super::Log;
use crate::action::{Action, Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Moves, MovesKind, SetSite};
use smallvec::SmallVec;

/// Changes that are found before any of them is made.
type Changes = SmallVec<[Change; 4]>;

/// Whether an effect is one change, or none.
pub(super) fn is_single(kind: &MovesKind) -> bool {
    use MovesKind as K;
    matches!(
        kind,
        K::MoveAgain
            | K::SetCounter(_)
            | K::SetPot(_)
            | K::SetVar(..)
            | K::SetPending(None)
            | K::SetState(_)
            | K::SetCount(_)
            | K::SetValue(_)
    )
}

/// Whether all that a rule does is such effects, which nothing follows.
fn is_plain(moves: &Moves) -> bool {
    let plain = match &moves.kind {
        MovesKind::If(_, yes, no) => is_plain(yes) && no.as_deref().is_none_or(is_plain),
        MovesKind::All(all) => all.iter().all(is_plain),
        kind => is_single(kind),
    };
    plain && moves.then.is_none()
}

impl Ctx<'_> {
    /// Does what a rule says that follows a move.
    pub fn follow(&mut self, rule: &Moves, log: &mut Log) {
        if is_plain(rule) {
            let mut changes = Changes::new();
            self.with_all(|c| c.find_changes(rule, &mut changes));
            for change in changes {
                self.apply_change(&change);
                log.push(&Action::effect(change));
            }
            return;
        }
        if let (MovesKind::If(cond, yes, no), None) = (&rule.kind, rule.then) {
            let holds = self.with_all(|c| c.bool(cond));
            let chosen = if holds { Some(yes) } else { no.as_ref() };
            if let Some(chosen) = chosen {
                self.follow(chosen, log);
            }
            return;
        }
        for effect in self.moves(rule) {
            self.apply_effects(&effect, log);
        }
    }

    fn find_changes(&mut self, rule: &Moves, out: &mut Changes) {
        match &rule.kind {
            MovesKind::If(cond, yes, no) => {
                let chosen = if self.bool(cond) { Some(yes) } else { no.as_ref() };
                if let Some(chosen) = chosen {
                    self.find_changes(chosen, out);
                }
            }
            MovesKind::All(all) => all.iter().for_each(|part| self.find_changes(part, out)),
            kind => out.extend(self.single(kind)),
        }
    }

    /// The change of such an effect, if it makes one.
    pub(super) fn single(&mut self, kind: &MovesKind) -> Option<Change> {
        use MovesKind as K;
        Some(match kind {
            K::MoveAgain => Change::SetNext { player: self.s.mover },
            K::SetCounter(value) => Change::SetCounter { value: self.int(value) },
            K::SetPot(value) => Change::SetPot { value: self.int(value) },
            K::SetVar(u16::MAX, value) => Change::SetTemp { value: self.int(value) },
            K::SetVar(index, value) => Change::SetVar { index: *index, value: self.int(value) },
            K::SetPending(None) => Change::SetPending { value: NONE },
            K::SetState(set) => return self.set_state(set),
            K::SetCount(set) => {
                let (to, count) = (self.int(&set.at), self.int(&set.value));
                if to < 0 {
                    return None;
                }
                let kind = self.g.kind_at(set.kind, to);
                let what = self.what(kind, to);
                Change::SetCount { kind, to, what, count }
            }
            K::SetValue(set) => {
                let level = set.level.as_ref().map_or(NONE, |level| self.int(level));
                let value = self.int(&set.value);
                let to = self.int(&set.at);
                if value < 0 {
                    return None;
                }
                // Also where a hand is meant, the kind of the board's sites is recorded.
                let kind = set.kind.unwrap_or(self.g.topo.default);
                Change::SetValue { kind, to, level, value }
            }
            _ => return None,
        })
    }

    fn set_state(&mut self, set: &SetSite) -> Option<Change> {
        let state = self.int(&set.value);
        let level = set.level.as_ref().map_or(NONE, |level| self.int(level));
        if state < 0 || level < NONE {
            return None;
        }
        let to = self.int(&set.at);
        if to < 0 {
            return None;
        }
        let kind = self.g.kind_at(set.kind, to);
        let known = to < self.s.layer(kind).len() as i32;
        known.then_some(Change::SetState { kind, to, level, state })
    }
}
