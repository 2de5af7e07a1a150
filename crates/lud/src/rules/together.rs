//! Moves that are not made one after the other: all players at once, or, where nobody plays, all at once.

use super::forced_pass;
use crate::ctx::Ctx;
use crate::game::Compiled;
use crate::moves::{Mv, Part};

impl Compiled {
    /// One move of what each player chose, in order of the players. What is to follow only when all
    /// have moved follows all of it.
    pub fn together(&self, chosen: &[Mv]) -> Mv {
        let mut all = Mv::empty().by(self.players + 1);
        for m in chosen {
            let late = |then: &u32| self.late.contains(then);
            all.then.extend(m.then.iter().copied().filter(late));
            let mut own = m.clone();
            own.then.retain(|then| !late(then));
            all.parts.push(Part::Sub(Box::new(own)));
        }
        all
    }
}

impl Ctx<'_> {
    /// The moves of all players, each by who makes it; a player without moves passes.
    pub(super) fn simultaneous_moves(&mut self) -> Vec<Mv> {
        let g = self.g;
        let mut out = Vec::new();
        for player in 1..=g.players {
            let phase = &g.phases[self.s.phases[player as usize] as usize];
            let mut list = self.moves(&phase.play);
            list.retain(|m| m.mover == player);
            if list.is_empty() && self.s.is_active(player) {
                list.push(forced_pass(player));
            }
            out.extend(list);
        }
        out
    }

    /// What follows a move of a game without players, which is over when nothing happens any more.
    pub(super) fn after_happening(&mut self) {
        let g = self.g;
        self.end_rules(&g.phases[0].end);
        if self.s.over.is_none() {
            self.end_rules(&g.end);
        }
        self.s.counter += 1;
        self.s.turns += 1;
        let late = self.s.moves - self.s.initial_moves >= g.max_moves;
        if self.s.over.is_none() && (late || self.asked(|c| c.what_happens()).is_empty()) {
            self.s.over = Some(0);
        }
        self.read_dice(false);
    }

    /// The one move of a game without players: everything that happens now.
    pub(super) fn what_happens(&mut self) -> Vec<Mv> {
        let g = self.g;
        let mut moves = self.moves(&g.phases[0].play).into_iter();
        let Some(mut all) = moves.next() else {
            return Vec::new();
        };
        for m in moves {
            all.parts.extend(m.parts);
        }
        vec![all]
    }
}
