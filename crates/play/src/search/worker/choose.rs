//! The choice at a node: by the selection strategy among moves that were tried, or a move that never was.

use ludex_game::playout::Recording;
use ludex_game::{Game, Move, Player, mix};

use super::{Step, Worker};
use crate::search::config::{SearchConfig, Selection};
use crate::search::edge::{Edge, EdgeCell};
use crate::search::select::{Pick, select};
use crate::search::table::{NodeId, Table};

impl Worker {
    /// Chooses at a node by the selection strategy, or tries a move for the first time. Nothing where the tree has no
    /// room for that.
    pub(super) fn choose(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
    ) -> Option<Move> {
        if self.prior.is_some() && !self.moves_vary {
            return self.choose_by_prior(game, tree, id, player);
        }
        let Selection::Ucb1 { c } = self.config.selection else {
            return self.choose_informed(game, tree, id, player);
        };
        if self.moves_vary {
            return self.choose_among_available(game, tree, id, player, c);
        }
        if tree.complete(id) {
            return Some(self.choose_tried(game, tree, id, player, c));
        }
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        let seen = tree.tried(id);
        // Fewer moves than were tried: where what was played before forbids moves, one position has several futures.
        if seen >= self.moves.len() {
            return self.choose_among_available(game, tree, id, player, c);
        }
        tree.set_legal(id, self.moves.len());
        let pick = match self.first_play(tree, id) {
            Some(f32::INFINITY) => Pick::Untried,
            untried => self.select(tree, id, seen, untried, c),
        };
        let mv = match pick {
            Pick::Tried(index) => self.go_on(tree, id, index),
            Pick::Untried => {
                let next = scattered(seen, self.moves.len(), self.order ^ tree.key(id));
                self.try_move(tree, id, self.moves[next], seen)?
            }
        };
        self.record(game, player, mv);
        Some(mv)
    }

    /// Chooses at a node where every move was tried.
    fn choose_tried(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
        c: f32,
    ) -> Move {
        let margin = self.margin;
        let records = self.scratch.recording != Recording::Nothing;
        self.moves.clear();
        let copy = match self.config.implicit > 0.0 {
            true => None,
            false => self.near.visit(tree, id),
        };
        let mv = match copy {
            Some(copy) => {
                let pick = select(c, copy.visits, &copy.edges, None, margin, &mut self.rng);
                let index = pick.tried();
                self.chosen = copy.edges[index];
                self.path.push(Step { id, index, lost: false, chance: false });
                if records {
                    self.moves.extend(copy.edges.iter().map(|edge| edge.mv));
                }
                self.chosen.mv
            }
            None => {
                if records {
                    self.moves.extend(tree.edges(id).map(|edge| edge.mv));
                }
                let pick = self.select(tree, id, tree.tried(id), None, c);
                self.go_on(tree, id, pick.tried())
            }
        };
        if records {
            self.record(game, player, mv);
        }
        mv
    }

    fn select(
        &mut self,
        tree: &Table,
        id: NodeId,
        seen: usize,
        untried: Option<f32>,
        c: f32,
    ) -> Pick {
        let (visits, margin) = (tree.visits(id), self.margin);
        if self.config.implicit > 0.0 {
            self.show(tree, id);
            return select(c, visits, &self.available, untried, margin, &mut self.rng);
        }
        select(c, visits, &tree.cells(id)[..seen], untried, margin, &mut self.rng)
    }

    /// What a move is worth that was never tried at a node; nothing where none is to be tried yet.
    pub(in crate::search) fn first_play(&self, tree: &Table, id: NodeId) -> Option<f32> {
        let SearchConfig { first_play, first_play_of_node, widen, .. } = self.config;
        let tried = tree.tried(id);
        if tried > 0 && widen > 0.0 && tried as f32 >= widen * (tree.visits(id) as f32).sqrt() {
            return None;
        }
        if !first_play_of_node {
            return Some(first_play);
        }
        let (mut sum, mut visits) = (0.0, 0.0);
        for edge in tree.edges(id) {
            sum += edge.mean * edge.visits() as f32;
            visits += edge.visits() as f32;
        }
        let less = if first_play.is_finite() { first_play } else { 0.0 };
        Some(if visits > 0.0 { sum / visits } else { 0.5 } - less)
    }

    /// Goes on by a move that was tried.
    #[inline]
    pub(in crate::search) fn go_on(&mut self, tree: &Table, id: NodeId, index: usize) -> Move {
        self.chosen = tree.edge(id, index);
        self.path.push(Step { id, index, lost: false, chance: false });
        self.chosen.mv
    }

    /// Tries a move at a node of which so many were tried when it was chosen. Nothing where there is no room for it.
    pub(in crate::search) fn try_move(
        &mut self,
        tree: &Table,
        id: NodeId,
        mv: Move,
        seen: usize,
    ) -> Option<Move> {
        let mut edge = Edge::new(mv);
        let lost = self.config.threads > 1;
        if lost {
            edge.begin_loss();
        }
        let (index, new) = tree.push_edge(id, edge, seen, &mut self.purse)?;
        self.go_on(tree, id, index);
        if let Some(step) = self.path.last_mut() {
            step.lost = lost && new;
        }
        Some(mv)
    }

    /// As [`Worker::choose`], where only some of the moves seen here before are legal this time.
    fn choose_among_available(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
        c: f32,
    ) -> Option<Move> {
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        let cells = tree.cells(id);
        let known = |mv: &Move| cells.iter().any(|cell| cell.mv() == *mv);
        let untried = self.moves.iter().filter(|mv| !known(mv));
        let fresh = untried.clone().count() as u32;
        let some = (fresh as usize) < self.moves.len();
        // Where none of those that were tried is legal, there is nothing to be picky about.
        let first_play = match self.first_play(tree, id) {
            _ if fresh == 0 => None,
            None if !some => Some(f32::INFINITY),
            value => value,
        };
        let pick = if first_play == Some(f32::INFINITY) {
            Pick::Untried
        } else {
            let available = |edge: &Edge| self.moves.contains(&edge.mv);
            self.available.clear();
            self.available.extend(cells.iter().map(EdgeCell::load).filter(available));
            let (visits, margin) = (tree.visits(id), self.margin);
            select(c, visits, &self.available, first_play, margin, &mut self.rng)
        };
        let mv = match pick {
            Pick::Tried(chosen) => {
                let mv = self.available[chosen].mv;
                let index = cells.iter().position(|cell| cell.mv() == mv);
                self.go_on(tree, id, index.expect("available edges exist"))
            }
            Pick::Untried => {
                let drawn = self.rng.below(fresh) as usize;
                let mv = *untried.clone().nth(drawn).expect("below the count");
                self.try_move(tree, id, mv, cells.len())?
            }
        };
        self.record(game, player, mv);
        Some(mv)
    }

    pub(super) fn choose_at_random(&mut self, game: &dyn Game, player: Player) -> Move {
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        let mv = self.moves[self.rng.below(self.moves.len() as u32) as usize];
        self.record(game, player, mv);
        mv
    }

    /// Records a choice among `self.moves`, as far as the policy wants it.
    pub(in crate::search) fn record(&mut self, game: &dyn Game, player: Player, mv: Move) {
        match self.scratch.recording {
            Recording::Nothing => {}
            Recording::Chosen => {
                let code = game.code(&self.state, player, mv, self.policy.coding());
                self.scratch.record.push_chosen(player, code);
            }
            recording @ (Recording::Legal | Recording::WinnersLegal) => {
                self.codes.clear();
                self.policy.codes(game, &self.state, player, &self.moves, &mut self.codes);
                let index = self.moves.iter().position(|&legal| legal == mv);
                let index = index.expect("a chosen move is legal");
                self.scratch.record.push(player, &self.codes, index, recording);
            }
        }
    }
}

/// The `index`-th of the numbers below `count` in an order scattered by `salt`: a stride with no common
/// divisor visits every number once, and a prime above `count` has none.
fn scattered(index: usize, count: usize, salt: u64) -> usize {
    const STRIDES: [u64; 8] = [
        2_147_483_647,
        2_147_483_629,
        2_147_483_587,
        2_147_483_579,
        2_147_483_563,
        2_147_483_549,
        2_147_483_543,
        2_147_483_497,
    ];
    debug_assert!(index < count);
    let salt = mix(salt);
    let stride = STRIDES[(salt >> 61) as usize];
    (((salt & 0xFFFF_FFFF) + index as u64 * stride) % count as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_orders_visit_every_number_once() {
        for count in 1..60 {
            for salt in 0..20 {
                let mut seen: Vec<usize> =
                    (0..count).map(|index| scattered(index, count, salt)).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
