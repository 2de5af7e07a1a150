//! The way of a simulation down the tree, by decisions that are found by key.

use ludex_game::{Game, Move, Player, PlayerSet, State, Turn, mix};

use super::{Leaf, Worker};
use crate::search::config::{Keys, Simultaneous};
use crate::search::edge::Outcome;
use crate::search::extend_path;
use crate::search::table::{NodeId, Table};

/// Who moves at the same time as others draws from all moves that are so near the best. By the best alone two players would go
/// through their moves in step with each other: one of them might win every simulation of a game in which nobody is ahead.
const TOLERANCE: f32 = 0.05;

impl Worker {
    /// Walks down the tree, plays the moves on `self.state`, and adds one node.
    pub(super) fn descend(&mut self, game: &dyn Game, tree: &Table, root_path: u64) -> Leaf {
        let mut route = root_path;
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        for _ in 0..game.info().max_plies {
            let mut in_route = self.config.keys != Keys::Position;
            let count = match game.turn(&self.state) {
                Turn::Over => return Leaf::Over,
                Turn::Chance => {
                    self.solver.at_chance(&self.state, route, self.path.len());
                    joint[0] = game.sample_chance(&self.state, &mut self.rng);
                    in_route = self.config.keys == Keys::Path;
                    if let Some(step) = self.path.last_mut() {
                        step.chance = true;
                    }
                    1
                }
                Turn::Players(players) => {
                    let here = self.key(game, &self.state, players, route);
                    match self.decide(game, tree, players, here, &mut joint) {
                        Decided::All => players.len(),
                        Decided::Some => {
                            game.apply(&mut self.state, &joint[..players.len()]);
                            return Leaf::Playout;
                        }
                        Decided::None => return Leaf::Playout,
                        Decided::Proved(outcome) => return Leaf::Proved(outcome),
                    }
                }
            };
            if in_route {
                route = joint[..count].iter().fold(route, |route, &mv| extend_path(route, mv));
            }
            game.apply(&mut self.state, &joint[..count]);
        }
        Leaf::Playout
    }

    /// Chooses a move for every moving player, as far as the tree knows the position.
    fn decide(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        players: PlayerSet,
        here: u64,
        joint: &mut [Move],
    ) -> Decided {
        let mut key = here;
        let mut previous = Move::default();
        let order = seats_from(players, self.thinker);
        self.margin = self.config.tie_margin;
        if players.len() > 1 {
            self.margin = self.margin.max(TOLERANCE);
        }
        for (seat, (slot, player)) in order.clone().enumerate() {
            if seat > 0 {
                key = self.seat_key(here, key, seat, previous);
            }
            let found = tree.find(key).or_else(|| match seat {
                0 => self.add_decision(tree, players, here),
                _ => self.add_node(tree, key, player),
            });
            let chosen = match found {
                Some(id) => {
                    if let Some(outcome) = tree.proof(id) {
                        return Decided::Proved(outcome);
                    }
                    if seat == 0 {
                        // Whoever comes back to where he was would go round for ever: nothing is counted in between.
                        if self.comes_back(id, here) {
                            return Decided::None;
                        }
                        self.scratch.record.begin_ply();
                    }
                    self.choose(game, tree, id, player)
                }
                None if seat == 0 => return Decided::None,
                None => None,
            };
            let Some(mv) = chosen else {
                for (slot, player) in order.skip(seat) {
                    joint[slot] = self.choose_at_random(game, player);
                }
                return Decided::Some;
            };
            (previous, joint[slot]) = (mv, mv);
            if let Some(outcome) = self.chosen.proof() {
                return Decided::Proved(outcome);
            }
        }
        if players.len() > 1 {
            self.solver.at_simultaneous(self.path.len());
        }
        Decided::All
    }

    /// Whether a position is on the path already; if not, it is from now on.
    #[inline]
    fn comes_back(&mut self, id: NodeId, key: u64) -> bool {
        let bit = 1 << (key >> 58);
        let known = self.met & bit != 0 && self.path.iter().any(|step| step.id == id);
        self.met |= bit;
        known
    }

    /// What the decision in a position is found by.
    pub(in crate::search) fn key(
        &self,
        game: &dyn Game,
        state: &State,
        players: PlayerSet,
        route: u64,
    ) -> u64 {
        let key = match self.config.keys {
            Keys::Position => game.hash(state),
            Keys::Path => route,
            // The same moves may leave the turn to another, as chance has it.
            Keys::OpenLoop => players
                .into_iter()
                .fold(route, |key, player| mix(key.wrapping_add(u64::from(player.0) + 1))),
        };
        // Of several who move at once the thinker decides first, and pondering thinks for others with the same table.
        match seats_from(players, self.thinker).next() {
            Some((_, first)) if players.len() > 1 => mix(key ^ (u64::from(first.0) + 1)),
            _ => key,
        }
    }

    /// The key of the decision of the `seat`-th moving player.
    pub(in crate::search) fn seat_key(
        &self,
        here: u64,
        previous: u64,
        seat: usize,
        previous_move: Move,
    ) -> u64 {
        match self.config.simultaneous {
            Simultaneous::Decoupled => mix(here.wrapping_add(seat as u64)),
            Simultaneous::Sequenced => extend_path(previous, previous_move),
        }
    }

    /// Adds the nodes of a position nobody came to before, unless another thread has just done so: then this is where
    /// the first of them is.
    fn add_decision(&mut self, tree: &Table, players: PlayerSet, here: u64) -> Option<NodeId> {
        let mut there = None;
        for (seat, (_, player)) in seats_from(players, self.thinker).enumerate() {
            if seat == 0 {
                there = self.add_node(tree, here, player);
            } else if self.config.simultaneous == Simultaneous::Decoupled {
                self.add_node(tree, self.seat_key(here, here, seat, Move::default()), player);
            }
        }
        there
    }

    /// Adds a node, if there may be more; where another thread has just added it, this is the one.
    fn add_node(&mut self, tree: &Table, key: u64, player: Player) -> Option<NodeId> {
        // Room for all seats of a position or for none: a position is in the tree whole or not at all.
        if tree.len() + PlayerSet::CAPACITY > self.config.max_nodes {
            return None;
        }
        let (id, new) = tree.insert(key, player, &mut self.purse);
        (!new).then_some(id)
    }
}

/// The moving players with their places in a joint move, `first` and those after him before the others.
pub(in crate::search) fn seats_from(
    players: PlayerSet,
    first: Player,
) -> impl Iterator<Item = (usize, Player)> + Clone {
    let seats = (0..players.len()).zip(players);
    let before = seats.clone().filter(move |(_, player)| *player < first);
    seats.filter(move |(_, player)| *player >= first).chain(before)
}

/// How far the tree decided a joint move.
enum Decided {
    /// Every player chose.
    All,
    /// Some players chose and the others were new: the move is complete, the tree ends here.
    Some,
    /// The position is new.
    None,
    /// What comes of it is known.
    Proved(Outcome),
}
