//! Applying moves and primitive changes to a position.

use super::{FALL, Log, Mv, Part};
use crate::action::{Action, Change, NONE};
use crate::ctx::Ctx;
use crate::sites::Numbers;
use crate::state::LastMove;
use crate::topo::SiteType;

impl Ctx<'_> {
    /// Applies a move that is not itself a player's turn; returns all changes made.
    pub fn apply_effects(&mut self, m: &Mv, log: &mut Log) {
        self.apply_parts(m, log);
        self.apply_consequences(m, log);
    }

    /// Applies a player's move: its changes, its consequences, and captures kept for the end of
    /// the turn. Returns all changes in order.
    pub fn apply_move(&mut self, m: &Mv) -> Vec<Action> {
        let mut log = Log::full();
        self.apply_logged(m, &mut log);
        log.into_actions()
    }

    /// The same for whoever does not ask what changed.
    pub(crate) fn apply_silently(&mut self, m: &Mv) {
        let quiet = std::mem::replace(&mut self.quiet, true);
        self.apply_logged(m, &mut self.unasked_log());
        self.quiet = quiet;
    }

    /// A log for whoever does not ask what changed: captures kept for the end of the turn do, and
    /// so do rules about where changes ended.
    pub(crate) fn unasked_log(&self) -> Log {
        match self.g.sequence_capture || self.g.asks_ends {
            true => Log::full(),
            false => Log::silent(),
        }
    }

    /// The same, telling an empty log.
    pub(crate) fn apply_logged(&mut self, m: &Mv, log: &mut Log) {
        self.apply_parts(m, log);
        self.note_last(m);
        self.apply_consequences(m, log);
        if self.g.sequence_capture && !replays(log) {
            self.apply_captures(log);
        }
        (self.s.last.from_after, self.s.last.to_after) = log.ends();
        if self.g.asks_ends {
            self.s.last.ends = log.actions().iter().map(|action| action.kind.to()).collect();
        }
    }

    fn apply_parts(&mut self, m: &Mv, log: &mut Log) {
        for part in &m.parts {
            match part {
                Part::Do(action) => {
                    self.apply_change(&action.kind);
                    log.push(action);
                }
                Part::Sub(sub) => self.apply_effects(sub, log),
                Part::Said(said) => {
                    for action in said.actions() {
                        self.apply_change(&action.kind);
                        log.push(action);
                    }
                }
            }
        }
    }

    fn apply_consequences(&mut self, m: &Mv, log: &mut Log) {
        let g = self.g;
        for &then in &m.then {
            if then == FALL {
                while let Some(fall) = self.next_to_fall() {
                    self.apply_effects(&fall, log);
                }
                continue;
            }
            self.follow(&g.consequences[then as usize], log);
        }
        for forced in m.forced.iter().flat_map(|forced| forced.iter()) {
            self.apply_effects(forced, log);
        }
    }

    fn note_last(&mut self, m: &Mv) {
        self.s.moves += 1;
        let mover = m.mover as u8;
        if self.s.movers[0] != mover {
            if self.g.asks_turn_from {
                self.s.turn_from = m.from;
            }
            self.s.movers = [mover, self.s.movers[0]];
        }
        let kept = 3 * self.g.players as usize;
        if self.s.recent.len() > kept {
            self.s.recent.remove(0);
        }
        self.s.recent.push(mover << 1 | u8::from(m.is_pass()));
        let decision = m.decision();
        let (level_from, level_to) = self.decided_levels(decision);
        let mut ends = Numbers::new();
        let (mut from_after, mut to_after) = (NONE, NONE);
        m.each_change(&mut |action| {
            let (from, to) = (action.kind.from(), action.kind.to());
            ends.push(to);
            from_after = if from == NONE { from_after } else { from };
            to_after = if to == NONE { to_after } else { to };
        });
        self.s.last = LastMove {
            from: m.from,
            to: m.to,
            level_from,
            level_to,
            from_after,
            to_after,
            kinds: decision.map_or([None, None], |a| a.kind.kinds()),
            between: Numbers::from_slice(&m.between),
            ends,
            pass: m.is_pass(),
            mover: m.mover as u8,
        };
    }

    /// The levels that the decision of a move just made took from and put on.
    fn decided_levels(&self, decision: Option<&Action>) -> (i32, i32) {
        match decision.map(|a| &a.kind) {
            Some(
                &Change::Move { level_from, level_to, .. }
                | &Change::Select { level_from, level_to, .. },
            ) => (level_from.max(0), level_to.max(0)),
            Some(&Change::StackMove { kind_from, from, kind_to, to, levels }) => {
                let reached = self.height(Some(kind_to), to) - levels;
                (self.height(Some(kind_from), from), reached)
            }
            Some(&Change::Add { kind, to, .. }) if self.g.stacking => {
                let level = (self.height(Some(kind), to) - 1).max(0);
                (level, level)
            }
            Some(&Change::Insert { level, .. } | &Change::Remove { level, .. }) => {
                (level.max(0), level.max(0))
            }
            _ => (0, 0),
        }
    }

    fn apply_captures(&mut self, log: &mut Log) {
        let kind = self.g.topo.default;
        let sites = std::mem::take(&mut self.s.to_remove);
        if self.g.stacking {
            for site in 0..self.g.board_sites() as i32 {
                let wanted = sites.iter().filter(|&&s| s == site).count() as i32;
                let count = wanted.min(self.height(Some(kind), site));
                for level in (0..count).rev() {
                    self.capture_now(kind, site, level, log);
                }
            }
            return;
        }
        for site in sites {
            let change = Change::Remove { kind, to: site, level: NONE, applied: true };
            if !log.actions().iter().any(|a| a.kind == change && !a.decision) {
                self.capture_now(kind, site, NONE, log);
            }
        }
    }

    fn capture_now(&mut self, kind: SiteType, to: i32, level: i32, log: &mut Log) {
        let change = Change::Remove { kind, to, level, applied: true };
        self.apply_change(&change);
        log.push_first(Action::effect(change));
    }
}

fn replays(log: &Log) -> bool {
    log.actions().iter().any(|a| matches!(a.kind, Change::SetNext { .. }))
}

/// All changes of a move without its consequences.
pub fn flatten(m: &Mv, out: &mut Vec<Action>) {
    for part in &m.parts {
        match part {
            Part::Do(action) => out.push(action.clone()),
            Part::Sub(sub) => flatten(sub, out),
            Part::Said(said) => out.extend_from_slice(said.actions()),
        }
    }
}
