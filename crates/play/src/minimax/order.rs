//! Which moves are looked at first: those that were best before, captures, those that refuted elsewhere.

use ludex_game::{Game, Move, MoveKind, Player, State, mix};

/// A legal move, and how early it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub mv: Move,
    pub rank: i32,
}

const HISTORY: usize = 1 << 14;
const FIRST: i32 = i32::MAX;
const LOUD: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
const MOST: i32 = 1 << 24;

/// What is remembered of moves, wherever they were made.
pub struct Order {
    /// How much each move refuted, by a hash of move and player.
    history: Vec<i32>,
    /// For each ply the last two quiet moves that refuted.
    killers: Vec<[Move; 2]>,
    /// Whether the game has captures at all; where it has none nobody asks.
    captures: bool,
}

impl Order {
    pub fn new(captures: bool) -> Self {
        Order { history: vec![0; HISTORY], killers: Vec::new(), captures }
    }

    /// Whether the game has captures.
    pub fn captures(&self) -> bool {
        self.captures
    }

    /// Fades what was learned, before a new search.
    pub fn begin(&mut self) {
        self.history.iter_mut().for_each(|score| *score /= 4);
        self.killers.clear();
    }

    fn place(player: Player, mv: Move) -> usize {
        mix(mv.0 ^ u64::from(player.0) << 60) as usize & (HISTORY - 1)
    }

    /// Whether a move changes what stands on the board so much that judging before the answer is rash.
    pub fn is_loud(&self, game: &dyn Game, state: &State, player: Player, mv: Move) -> bool {
        let loud = |kind| matches!(kind, MoveKind::Capture | MoveKind::Promote);
        self.captures && loud(game.ends(state, Some(player), mv).kind)
    }

    /// Ranks moves, and sorts them by their ranks.
    pub fn sort(
        &self,
        game: &dyn Game,
        state: &State,
        player: Player,
        ply: usize,
        first: Option<Move>,
        moves: &mut [Ranked],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        for ranked in moves.iter_mut() {
            let history = self.history[Self::place(player, ranked.mv)];
            ranked.rank = if first == Some(ranked.mv) {
                FIRST
            } else if self.is_loud(game, state, player, ranked.mv) {
                LOUD + history
            } else if killers.contains(&ranked.mv) {
                KILLER + history
            } else {
                history
            };
        }
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    }

    /// Whether a move may be looked at less deeply than those before it.
    pub fn is_quiet(ranked: &Ranked) -> bool {
        ranked.rank < KILLER
    }

    /// Learns that a move refuted.
    pub fn refuted(&mut self, player: Player, ranked: &Ranked, ply: usize, depth: i32) {
        let score = &mut self.history[Self::place(player, ranked.mv)];
        *score = (*score + depth * depth).min(MOST);
        if ranked.rank >= LOUD && ranked.rank != FIRST {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [Move(u64::MAX); 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != ranked.mv {
            *killers = [ranked.mv, killers[0]];
        }
    }
}
