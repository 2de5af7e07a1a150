//! Reading a finished search off its tree.

use ludex_game::{Game, Move, Player, State, Turn};

use super::edge::Edge;
use super::extend_path;
use super::report::{MoveReport, Report};
use super::table::Table;
use super::worker::{Worker, seats_from};

impl Worker {
    pub fn report(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        root: &State,
        root_path: u64,
        player: Player,
        simulations: u64,
    ) -> Report {
        let line = self.line(game, tree, root, root_path);
        let (sums, counted) = &self.sums;
        let values = sums.iter().map(|sum| sum / (*counted).max(1) as f64).collect();
        let mut report =
            Report { line, values, simulations, size: tree.size(), ..Report::default() };
        self.moves.clear();
        game.moves(root, player, &mut self.moves);
        report.moves = self.moves.iter().map(|&mv| MoveReport::untried(mv)).collect();
        report.solved = self.solver.solved();
        for edge in self.root_edges(game, tree, root, root_path) {
            if let Some(found) = report.moves.iter_mut().find(|found| found.mv == edge.mv) {
                found.visits = u64::from(edge.visits());
                found.mean = f64::from(edge.mean);
                found.proved = edge.proof().is_some();
            }
        }
        report
    }

    /// The edges of the thinker's decision at the root: it comes before everybody else's.
    fn root_edges(&self, game: &dyn Game, tree: &Table, root: &State, root_path: u64) -> Vec<Edge> {
        let Turn::Players(players) = game.turn(root) else { return Vec::new() };
        let key = self.key(game, root, players, root_path);
        tree.find(key).map_or(Vec::new(), |id| tree.edges(id).collect())
    }

    /// The joint moves most simulations followed.
    fn line(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        root: &State,
        root_path: u64,
    ) -> Vec<Vec<Move>> {
        const LONGEST: usize = 40;
        let mut line = Vec::new();
        let (mut state, mut route) = (root.clone(), root_path);
        while line.len() < LONGEST {
            let Turn::Players(players) = game.turn(&state) else { break };
            let here = self.key(game, &state, players, route);
            let mut joint: Vec<Move> = vec![Move::default(); players.len()];
            let mut key = here;
            let (mut previous, mut found) = (Move::default(), 0);
            for (seat, (slot, _)) in seats_from(players, self.thinker).enumerate() {
                if seat > 0 {
                    key = self.seat_key(here, key, seat, previous);
                }
                let Some(id) = tree.find(key) else { break };
                let Some(edge) = tree.edges(id).max_by_key(|edge| edge.visits()) else { break };
                previous = edge.mv;
                joint[slot] = previous;
                found += 1;
            }
            let legal = found == players.len()
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
