//! What a search found, for whoever has to play, explain or draw it.

use ludex_game::{Game, Move, State, Turn};

use super::config::FinalMove;
use super::table::TableSize;

/// What a search thinks of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// How many simulations began with it.
    pub visits: u64,
    /// Their mean payoff for the player who would make it; the payoff itself where it is proved.
    pub mean: f64,
    /// Whether what it leads to is proved, whatever the others do.
    pub proved: bool,
}

impl MoveReport {
    /// A move that nothing is known of.
    pub fn untried(mv: Move) -> Self {
        MoveReport { mv, visits: 0, mean: 0.0, proved: false }
    }

    /// Moves proved to win come before all others, and moves proved to lose after them.
    fn rank(&self) -> u8 {
        match self.proved {
            true if self.mean >= 1.0 => 0,
            true if self.mean <= 0.0 => 2,
            _ => 1,
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// The move to play.
    pub best: Move,
    /// The moves tried at the root, best first.
    pub moves: Vec<MoveReport>,
    /// How often every seat won, of all simulations, where somebody looks on; for one or two players their mean payoffs.
    pub values: Vec<f64>,
    /// The line of play most simulations followed: a joint move for each ply.
    pub line: Vec<Vec<Move>>,
    /// Whether the result of the position is proved; then the best move leads to it.
    pub solved: bool,
    /// How many plies deep all moves were looked at, by searches that go by depth.
    pub depth: u32,
    /// What the playout policy has come to prefer at the root, the likeliest first, each with the share of draws it
    /// got; only where somebody looks on and the policy learns.
    pub prefers: Vec<(Move, f32)>,
    /// How many simulations ran, or positions were looked at.
    pub simulations: u64,
    /// What the tree takes.
    pub size: TableSize,
}

impl Report {
    /// The mean payoff the search expects from the move it plays.
    pub fn value(&self) -> f64 {
        self.moves.first().map_or(0.0, |mv| mv.mean)
    }

    /// The line as text, for people.
    pub fn line_text(&self, game: &dyn Game, root: &State) -> Vec<String> {
        let mut state = root.clone();
        let mut texts = Vec::new();
        for joint in &self.line {
            let text = match game.turn(&state) {
                Turn::Players(players) => players
                    .into_iter()
                    .zip(joint)
                    .map(|(player, &mv)| game.move_text(&state, Some(player), mv))
                    .collect::<Vec<_>>()
                    .join(" + "),
                _ => break,
            };
            texts.push(text);
            game.apply(&mut state, joint);
        }
        texts
    }

    /// Puts the best move first and chooses it.
    pub(super) fn decide(&mut self, rule: FinalMove) {
        let solved = self.solved;
        self.moves.sort_by(|a, b| {
            let by_visits = b.visits.cmp(&a.visits);
            let by_mean = b.mean.total_cmp(&a.mean);
            match rule {
                _ if solved => b.proved.cmp(&a.proved).then(by_mean).then(by_visits),
                FinalMove::Visits => a.rank().cmp(&b.rank()).then(by_visits).then(by_mean),
                FinalMove::Mean => a.rank().cmp(&b.rank()).then(by_mean).then(by_visits),
            }
        });
        if let Some(first) = self.moves.first() {
            self.best = first.mv;
        }
    }
}
