//! Moves strung together: `(max Moves …)` lets those moves through that can be followed by most others of the same turn.
//!
//! How many can follow is a matter of the position alone. It is counted once for each, and a string that comes back to
//! a position of its own never ends.

use super::Mv;
use super::control::applied;
use crate::ctx::Ctx;
use crate::game::Mode;
use crate::ir::{Bool, Moves, MovesKind};
use rustc_hash::FxHashMap;

/// So many steps may be taken to count; what was found by then counts. Games that people play need a small part of it,
/// but rules can be written that have no end of positions.
const MOST_COUNTED: u64 = 1_000_000;

/// Strings as long as this are as good as endless, and none is longer.
const MOST_STRUNG: i32 = 100;

/// What is known while strings are counted.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// How many steps counting may take; nothing while nobody counts.
    until: Option<u64>,
    /// By position, the most that moves from there add; nothing where every string comes to a position without moves.
    known: FxHashMap<u64, Option<i32>>,
    /// The positions of the string at hand.
    path: Vec<u64>,
}

/// How many moves can be strung together, as far as a rule about the most of them tells.
enum Longest {
    /// It does not.
    Unknown,
    /// There are no moves.
    NoMoves,
    /// So many.
    Most(i32),
}

impl Ctx<'_> {
    pub(super) fn max_moves(&mut self, inner: &Moves, value: &Bool) -> Vec<Mv> {
        let list = self.moves(inner);
        let by_value = self.bool(value);
        let mut counted = Vec::with_capacity(list.len());
        let outermost = self.strings.until.is_none();
        if outermost {
            self.strings.until = Some(self.work + MOST_COUNTED);
            self.strings.known.clear();
        }
        for m in list {
            let (count, log) = self.look(|c| {
                // What is taken is worth what it was before.
                let before = by_value.then(|| c.clone());
                let log = c.play(&m);
                let worth = before.map_or(1, |before| before.captured_value(&log, true));
                (c.strung(worth, by_value), log)
            });
            counted.push((count, applied(m, log)));
        }
        if outermost {
            self.strings.until = None;
        }
        let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0).max(0);
        let best = counted.into_iter().filter(|(count, _)| *count == most);
        best.map(|(_, m)| m).collect()
    }

    /// What a string is worth that was worth so much before the moves from here.
    fn strung(&mut self, count: i32, by_value: bool) -> i32 {
        if self.turn_is_over() {
            return count;
        }
        // Nothing that goes on is worth less than nothing.
        let worth = self.more(by_value).map_or(0, |more| count.saturating_add(more)).max(0);
        if by_value { worth } else { worth.min(MOST_STRUNG) }
    }

    fn turn_is_over(&self) -> bool {
        self.s.prev != self.s.mover || self.s.over.is_some()
    }

    /// The most that moves of this turn add from here, nought if the turn is over; nothing where every string of them
    /// comes to a position without moves.
    fn more(&mut self, by_value: bool) -> Option<i32> {
        if self.turn_is_over() {
            return Some(0);
        }
        if self.strings.until.is_some_and(|until| self.work > until) {
            return Some(0);
        }
        // Without captures there is nothing to gain by going on for ever.
        let endless = Some(if by_value { 0 } else { MOST_STRUNG });
        if self.strings.path.len() >= MOST_STRUNG as usize {
            return endless;
        }
        let position = (!self.g.random).then(|| self.future_hash()).flatten();
        let position = position.map(|position| position ^ u64::from(by_value));
        if let Some(position) = position {
            if let Some(&known) = self.strings.known.get(&position) {
                return known;
            }
            // A string that comes back here could go round for ever.
            if self.strings.path.contains(&position) {
                return endless;
            }
        }
        self.strings.path.push(position.unwrap_or(0));
        let most = self.most_added(by_value);
        self.strings.path.pop();
        if let Some(position) = position {
            self.strings.known.insert(position, most);
        }
        most
    }

    fn most_added(&mut self, by_value: bool) -> Option<i32> {
        if !by_value && let Longest::Most(most) = self.longest_here() {
            return Some(most);
        }
        let mut most: Option<i32> = None;
        for m in self.legal_moves() {
            let more = self.look(|c| {
                let before = by_value.then(|| c.clone());
                let log = c.play(&m);
                let worth = before.map_or(1, |before| before.captured_value(&log, false));
                Some(c.more(by_value)?.saturating_add(worth))
            });
            most = most.max(more);
            if !by_value && most >= Some(MOST_STRUNG) {
                break;
            }
        }
        most
    }

    /// The same where the rules of the turn let those moves through that can be followed by most others: whoever
    /// lists them has counted, and to count again after each would double the work with every move.
    fn longest_here(&mut self) -> Longest {
        let g = self.g;
        if g.random || g.is_match() || g.mode != Mode::Alternating || g.meta.judges_moves() {
            return Longest::Unknown;
        }
        let phase = &g.phases[self.s.phases[self.s.mover as usize] as usize];
        self.with_all(|c| c.longest_of(&phase.play))
    }

    fn longest_of(&mut self, moves: &Moves) -> Longest {
        use MovesKind as K;
        if moves.then.is_some() {
            return Longest::Unknown;
        }
        match &moves.kind {
            K::MaxMoves(inner, value) if matches!(**value, Bool::Const(false)) => {
                let mut longest = Longest::NoMoves;
                for m in self.moves(inner) {
                    let count = self.look(|c| {
                        c.play_silently(&m);
                        c.strung(1, false)
                    });
                    longest = match longest {
                        Longest::Most(most) => Longest::Most(most.max(count)),
                        _ => Longest::Most(count.max(0)),
                    };
                    if count >= MOST_STRUNG {
                        break;
                    }
                }
                longest
            }
            K::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.longest_of(yes),
                (false, Some(no)) => self.longest_of(no),
                (false, None) => Longest::NoMoves,
            },
            K::Priority(all) => {
                let found = all.iter().map(|part| self.longest_of(part));
                let mut decided = found.skip_while(|part| matches!(part, Longest::NoMoves));
                decided.next().unwrap_or(Longest::NoMoves)
            }
            _ => Longest::Unknown,
        }
    }
}
