//! One thread's copies of the nodes that all threads come to again and again: near the root every simulation of every
//! thread would write the same few words, and wait for each other's processor to hand them over. A thread counts there
//! on a copy of its own, and tells the tree now and then.

use ludex_game::Player;

use super::edge::{Edge, Outcome};
use super::table::{NodeId, Table};

/// From so many visits on a node is worth a copy.
const OFTEN: u32 = 256;
/// What was counted on a copy is told after so many visits.
const UNTOLD: u32 = 24;
/// Places for copies; of two nodes that belong to one place the later has it.
const PLACES: usize = 1024;

/// A node as a thread last saw it, and what the thread counted since.
#[derive(Default)]
pub(super) struct Copy {
    id: Option<NodeId>,
    pub player: Player,
    pub visits: u32,
    pub edges: Vec<Edge>,
    /// By edge: how many simulations, and the sum of their payoffs.
    found: Vec<(u32, f32)>,
    untold: u32,
}

impl Copy {
    /// Counts simulations through an edge.
    pub fn count(&mut self, index: usize, payoff: f32, count: u32) {
        self.edges[index].update(payoff, count);
        let (found, sum) = &mut self.found[index];
        *found += count;
        *sum += payoff * count as f32;
        self.visits += count;
        self.untold += count;
    }

    /// Tells the tree what was counted.
    fn tell(&mut self, table: &Table) {
        let (Some(id), 1..) = (self.id, self.untold) else { return };
        table.change_several(id, self.untold, |cells| {
            for (cell, (count, sum)) in cells.iter().zip(&mut self.found) {
                if *count > 0 {
                    let mut edge = cell.load();
                    edge.update(*sum / *count as f32, *count);
                    cell.store_found(edge);
                    (*count, *sum) = (0, 0.0);
                }
            }
        });
        self.untold = 0;
    }

    fn look(&mut self, table: &Table, id: NodeId) {
        (self.id, self.player, self.visits) = (Some(id), table.player(id), table.visits(id));
        self.edges.clear();
        self.edges.extend(table.edges(id));
        self.found.clear();
        self.found.resize(self.edges.len(), (0, 0.0));
    }
}

/// All copies of a thread; none where it is alone.
#[derive(Default)]
pub(super) struct Near(Vec<Copy>);

impl Near {
    /// Copies for one of several threads.
    pub fn new() -> Near {
        Near((0..PLACES).map(|_| Copy::default()).collect())
    }

    /// The copy of a node that every move of was tried at, if it is visited often.
    #[inline]
    pub fn visit(&mut self, table: &Table, id: NodeId) -> Option<&mut Copy> {
        if self.0.is_empty() {
            return None;
        }
        let copy = &mut self.0[id.number() % PLACES];
        if copy.id != Some(id) {
            if table.visits(id) < OFTEN {
                return None;
            }
            copy.tell(table);
            copy.look(table, id);
        } else if copy.untold >= UNTOLD {
            copy.tell(table);
            copy.look(table, id);
        }
        Some(copy)
    }

    /// The copy of a node, if there is one.
    #[inline]
    pub fn get(&mut self, id: NodeId) -> Option<&mut Copy> {
        if self.0.is_empty() {
            return None;
        }
        let copy = &mut self.0[id.number() % PLACES];
        (copy.id == Some(id)).then_some(copy)
    }

    /// Hears of a proof.
    pub fn prove(&mut self, id: NodeId, index: usize, outcome: Outcome, payoff: f32) {
        if let Some(copy) = self.get(id) {
            copy.edges[index].prove(outcome, payoff);
        }
    }

    /// Tells the tree everything and forgets all copies: nodes may be elsewhere afterwards.
    pub fn leave(&mut self, table: &Table) {
        for copy in &mut self.0 {
            if copy.id.is_some() {
                copy.tell(table);
                copy.id = None;
            }
        }
    }
}
