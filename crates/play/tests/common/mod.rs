//! A small game to test with.

use std::sync::Arc;

use ludex_game::{Coding, Game, GameInfo, Move, Player, Rules, Turn, erase};

/// Players in turn take one to three matches; whoever takes the last one wins, all others lose.
pub struct Nim {
    info: GameInfo,
    matches: u64,
}

/// A Nim game that starts with this many matches.
pub fn nim(players: usize, matches: u64) -> Arc<dyn Game> {
    erase(Nim { info: GameInfo::named("nim", players), matches })
}

#[derive(Clone, Copy)]
pub struct Heap {
    left: u64,
    mover: u8,
}

impl Rules for Nim {
    type State = Heap;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Heap {
        Heap { left: self.matches, mover: 0 }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        if heap.left == 0 { Turn::Over } else { Turn::of(Player(heap.mover)) }
    }

    fn moves(&self, heap: &Heap, _: Player, out: &mut Vec<Move>) {
        out.extend((1..=heap.left.min(3)).map(Move));
    }

    fn apply(&self, heap: &mut Heap, joint: &[Move]) {
        heap.left -= joint[0].0;
        heap.mover = (heap.mover + 1) % self.info.players as u8;
    }

    fn payoffs(&self, heap: &Heap, out: &mut [f32]) {
        out.fill(0.0);
        let last = (heap.mover as usize + self.info.players - 1) % self.info.players;
        out[last] = 1.0;
    }

    fn hash(&self, heap: &Heap) -> u64 {
        ludex_game::mix(heap.left * 64 + u64::from(heap.mover) + 1)
    }

    fn move_text(&self, _: &Heap, _: Option<Player>, mv: Move) -> String {
        mv.0.to_string()
    }

    fn show(&self, heap: &Heap, _: Option<Player>) -> String {
        heap.left.to_string()
    }

    fn code_count(&self, _: Player, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => 4,
            Coding::Features => 4 * (self.matches as u32 + 1),
        }
    }

    /// The number taken; with features, also from how many.
    fn code(&self, heap: &Heap, _: Player, mv: Move, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => mv.0 as u32,
            Coding::Features => (heap.left * 4 + mv.0) as u32,
        }
    }
}
