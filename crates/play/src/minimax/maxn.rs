//! Games of more than two in which each player is taken to look after himself.

use ludex_game::{Game, Move, Player, PlayerSet, State, Turn};

use super::alphabeta::Searcher;
use super::{move_report, score};
use crate::evaluation::final_value;
use crate::search::{Meter, Report};

/// What each player can expect, between -1 and 1.
type Values = [f32; PlayerSet::CAPACITY];

impl Searcher {
    /// Looks deeper and deeper; every move of the root is judged by what its player gets.
    pub(super) fn think_maxn(
        &mut self,
        game: &dyn Game,
        root: &State,
        mut report: Report,
        meter: &mut Meter,
    ) -> Report {
        for depth in 1..=self.settings.depth as usize {
            let mut found = report.moves.clone();
            for entry in &mut found {
                let values = self.after(game, root, self.me, entry.mv, depth - 1, meter);
                *entry = move_report(entry.mv, self.nodes, score::judged(values[self.me.index()]));
            }
            if self.stopped {
                break;
            }
            found.sort_by(|a, b| b.mean.total_cmp(&a.mean));
            (report.moves, report.depth) = (found, depth as u32);
            report.best = report.moves[0].mv;
        }
        report.simulations = self.nodes;
        report
    }

    /// What follows a move of one player; others who move at the same time make their first moves.
    fn after(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        mv: Move,
        depth: usize,
        meter: &mut Meter,
    ) -> Values {
        let mut child = state.clone();
        match game.turn(state) {
            Turn::Players(players) => {
                let mut legal = Vec::new();
                let joint: Vec<Move> = players
                    .into_iter()
                    .map(|other| {
                        legal.clear();
                        game.moves(state, other, &mut legal);
                        if other == player { mv } else { legal[0] }
                    })
                    .collect();
                game.apply(&mut child, &joint);
            }
            _ => game.apply(&mut child, &[mv]),
        }
        self.nodes += 1;
        self.stopped |= meter.is_over(self.nodes);
        self.values(game, &child, depth, meter)
    }

    fn values(
        &mut self,
        game: &dyn Game,
        state: &State,
        depth: usize,
        meter: &mut Meter,
    ) -> Values {
        let mut values = [0.0; PlayerSet::CAPACITY];
        let players = (0..game.info().players as u8).map(Player);
        match game.turn(state) {
            Turn::Over => {
                players.for_each(|player| {
                    values[player.index()] = final_value(game, state, player).unwrap_or(0.0);
                });
                values
            }
            _ if depth == 0 || self.stopped => {
                for player in players {
                    values[player.index()] = self.evaluation.value(game, state, player);
                }
                values
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                if !game.chance_outcomes(state, &mut outcomes) {
                    return self.values(game, state, 0, meter);
                }
                for (outcome, probability) in outcomes {
                    let of = self.after(game, state, Player::FIRST, outcome, depth - 1, meter);
                    let sums = values.iter_mut().zip(of);
                    sums.for_each(|(sum, value)| *sum += probability as f32 * value);
                }
                values
            }
            Turn::Players(players) => {
                let player = players.first().unwrap_or(Player::FIRST);
                let mut legal = Vec::new();
                game.moves(state, player, &mut legal);
                values[player.index()] = f32::NEG_INFINITY;
                for mv in legal {
                    let of = self.after(game, state, player, mv, depth - 1, meter);
                    if of[player.index()] > values[player.index()] {
                        values = of;
                    }
                }
                values
            }
        }
    }
}
