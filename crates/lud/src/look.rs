//! Looking ahead: doing something to the position and taking it back.

use super::ctx::{Binds, Chance, Ctx};
use super::moves::{Log, Mv};
use super::state::{History, State};

/// So many steps is a position worth that is copied.
const COPIED: u64 = 25;

/// All that looking ahead may change.
struct Kept {
    state: State,
    binds: Binds,
    chance: Chance,
    flags: (bool, bool, bool, u32),
}

/// Positions kept for use again, so that looking ahead needs no new memory.
#[derive(Debug, Default)]
pub struct Spare(Vec<State>);

impl Ctx<'_> {
    /// Does something and takes all of it back.
    pub fn look<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.keep();
        let seen = act(self);
        self.take_back(kept);
        seen
    }

    /// Makes changes and asks something, which leaves the rest as it is; takes all of it back.
    pub(super) fn look_after<T>(&mut self, moves: &[Mv], ask: impl FnOnce(&mut Self) -> T) -> T {
        if !moves.iter().all(Mv::is_local) {
            return self.look(|c| {
                moves.iter().for_each(|m| c.apply_effects(m, &mut Log::silent()));
                ask(c)
            });
        }
        let mut before = self.spare.0.pop().unwrap_or_default();
        before.copy_pieces(&self.s);
        let answer = self.asked(|c| {
            moves.iter().for_each(|m| c.apply_effects(m, &mut Log::silent()));
            ask(c)
        });
        self.s.swap_pieces(&mut before);
        self.spare.0.push(before);
        answer
    }

    /// Asks something that leaves the pieces as they are, and takes back what asking changed.
    pub fn asked<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let binds = self.v.clone();
        let chance = self.chance.clone();
        let turn = (self.s.prev, self.s.mover, self.s.next, self.s.stalemated);
        let visited = self.g.visited.then(|| self.s.visited.clone());
        let flags = (self.in_threat, self.in_no_moves, self.recursive, self.depth);
        let answer = ask(self);
        self.v = binds;
        self.return_chance(chance);
        (self.s.prev, self.s.mover, self.s.next, self.s.stalemated) = turn;
        if let Some(visited) = visited {
            self.s.visited = visited;
        }
        (self.in_threat, self.in_no_moves, self.recursive, self.depth) = flags;
        answer
    }

    /// Chance as it was, but for dice thrown in thought: those are the dice that will be thrown.
    fn return_chance(&mut self, mut before: Chance) {
        if self.chance.live {
            before.dice = std::mem::take(&mut self.chance.dice);
        }
        self.chance = before;
    }

    fn keep(&mut self) -> Kept {
        self.work += COPIED;
        let mut state = self.spare.0.pop().unwrap_or_default();
        state.clone_from(&self.s);
        Kept {
            state,
            binds: self.v.clone(),
            chance: self.chance.clone(),
            flags: (self.in_threat, self.in_no_moves, self.recursive, self.depth),
        }
    }

    fn take_back(&mut self, mut kept: Kept) {
        std::mem::swap(&mut self.s, &mut kept.state);
        // Whoever keeps the past makes the next position copy it.
        kept.state.previous = History::default();
        self.spare.0.push(kept.state);
        self.v = kept.binds;
        self.return_chance(kept.chance);
        (self.in_threat, self.in_no_moves, self.recursive, self.depth) = kept.flags;
    }
}
