//! Reading a finished search off its tree.

use ludex_game::{Game, Move, Player, State, Turn};

use super::config::Simultaneous;
use super::extend_path;
use super::report::{MoveReport, Report};
use super::table::Edge;
use super::worker::Worker;

impl Worker {
    pub fn report(
        &mut self,
        game: &dyn Game,
        root: &State,
        root_path: u64,
        player: Player,
        simulations: u64,
    ) -> Report {
        let line = self.line(game, root, root_path);
        let mut report = Report { line, simulations, size: self.table.size(), ..Report::default() };
        self.moves.clear();
        game.moves(root, player, &mut self.moves);
        report.moves =
            self.moves.iter().map(|&mv| MoveReport { mv, visits: 0, mean: 0.0 }).collect();
        for edge in self.root_edges(game, root, root_path, player) {
            if let Some(found) = report.moves.iter_mut().find(|found| found.mv == edge.mv) {
                let visits = found.visits + u64::from(edge.visits);
                let total = found.mean * found.visits as f64
                    + f64::from(edge.mean) * f64::from(edge.visits);
                found.mean = if visits > 0 { total / visits as f64 } else { 0.0 };
                found.visits = visits;
            }
        }
        report
    }

    /// The edges of `player`'s decision at the root.
    fn root_edges(
        &mut self,
        game: &dyn Game,
        root: &State,
        root_path: u64,
        player: Player,
    ) -> Vec<Edge> {
        let Turn::Players(players) = game.turn(root) else { return Vec::new() };
        let here = self.key(game, root, root_path);
        let seat = players.into_iter().position(|other| other == player).unwrap_or(0);
        let mut edges = Vec::new();
        self.collect_seat(here, here, 0, seat, &mut edges);
        edges
    }

    /// Gathers the edges of one seat over all moves of the seats before it.
    fn collect_seat(&mut self, here: u64, key: u64, at: usize, seat: usize, out: &mut Vec<Edge>) {
        let Some(id) = self.table.find(key) else { return };
        let edges = self.table.edges(id).to_vec();
        if at == seat {
            out.extend(edges);
            return;
        }
        match self.config.simultaneous {
            Simultaneous::Decoupled => {
                let key = self.seat_key(here, key, seat, Move::default());
                self.collect_seat(here, key, seat, seat, out);
            }
            Simultaneous::Sequenced => {
                for edge in edges {
                    let key = self.seat_key(here, key, at + 1, edge.mv);
                    self.collect_seat(here, key, at + 1, seat, out);
                }
            }
        }
    }

    /// The joint moves most simulations followed.
    fn line(&mut self, game: &dyn Game, root: &State, root_path: u64) -> Vec<Vec<Move>> {
        const LONGEST: usize = 40;
        let mut line = Vec::new();
        let (mut state, mut route) = (root.clone(), root_path);
        while line.len() < LONGEST {
            let Turn::Players(players) = game.turn(&state) else { break };
            let here = self.key(game, &state, route);
            let mut joint: Vec<Move> = Vec::new();
            let mut key = here;
            for seat in 0..players.len() {
                if seat > 0 {
                    key = self.seat_key(here, key, seat, joint[seat - 1]);
                }
                let Some(id) = self.table.find(key) else { break };
                let edges = self.table.edges(id).iter().map(|edge| (edge.mv, edge.visits));
                joint.extend(edges.max_by_key(|&(_, visits)| visits).map(|(mv, _)| mv));
            }
            let legal = joint.len() == players.len()
                && players.into_iter().zip(&joint).all(|(player, mv)| {
                    self.moves.clear();
                    game.moves(&state, player, &mut self.moves);
                    self.moves.contains(mv)
                });
            if !legal {
                break;
            }
            route = joint.iter().fold(route, |route, &mv| extend_path(route, mv));
            game.apply(&mut state, &joint);
            line.push(joint);
        }
        line
    }
}
