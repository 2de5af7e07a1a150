//! The nodes of a search: flat arrays, found by key. A node takes 32 bytes and a move tried 16,
//! before the room that lets both grow.
//!
//! Threads use a table at the same time. Whatever changes is atomic: many read, and whoever writes a node or its
//! edges has the node to himself for as long as that takes. What moves nodes or makes the arrays longer has the
//! whole table to itself (`&mut`). A thread that is alone pays for none of it: it takes no node for itself, and
//! reading and writing such words are the usual instructions.

mod edges;
mod nodes;

use std::num::NonZeroU8;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use ludex_game::PlayerSet;

use super::edge::{EdgeCell, Outcome};
use super::memory;
use super::purse::{self, Purse};
use nodes::Node;
pub use nodes::NodeId;

/// What memory a table takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableSize {
    /// Nodes stored.
    pub nodes: usize,
    /// Moves tried over all nodes.
    pub edges: usize,
    /// Bytes in use for both.
    pub bytes: usize,
}

/// How many places are looked at for forgotten nodes, for each simulation.
const PLACES_SWEPT: usize = 64;
/// How many nodes one simulation may add.
const AT_ONCE: usize = PlayerSet::CAPACITY;
/// Edges that a thread takes for itself at once, where several use the table.
const BLOCK: usize = 1 << 12;
/// Several threads stop for forgotten nodes once in so many nodes that one of them adds.
const BETWEEN_SWEEPS: usize = 256;

/// All nodes of a search, in open addressing by their keys: finding a node costs one look into memory.
#[derive(Debug, Default)]
pub struct Table {
    nodes: Vec<Node>,
    count: AtomicUsize,
    edges: Vec<EdgeCell>,
    /// What an evaluation, backed up by minimax, makes of each edge; not a number where it was never asked. Empty
    /// where the search does not want to know.
    judged: Vec<AtomicU32>,
    judges: bool,
    /// The first edge that belongs to no thread.
    unused: AtomicUsize,
    tried: AtomicUsize,
    age: u64,
    /// A node that more searches than this did not come to is forgotten, though it may still be there.
    keep: u16,
    /// How many places at the end of `nodes` may still hold forgotten nodes.
    unswept: usize,
    /// How many threads use it.
    threads: usize,
    /// When it was last emptied.
    emptied: u64,
    /// The payoffs of the outcomes that proofs name, and whether there are any.
    outcomes: Mutex<Vec<f32>>,
    proves: AtomicBool,
}

impl Table {
    /// An empty table for so many threads.
    pub fn new(threads: usize) -> Table {
        Table { threads, ..Table::default() }
    }

    /// Keeps what an evaluation makes of moves, too.
    pub fn keep_judged(&mut self) {
        self.judges = true;
    }

    #[inline]
    fn alone(&self) -> bool {
        self.threads <= 1
    }

    /// Starts a new search; forgets nodes that the last `keep` searches did not come to. They are not found
    /// any more from now on and removed bit by bit by [`Table::make_room`]: a search that begins with
    /// millions of old nodes begins at once.
    pub fn begin(&mut self, keep: u16) {
        self.age += 1;
        self.keep = keep;
        if keep == 0 {
            self.clear();
        }
        self.unswept = if *self.count.get_mut() > 0 { self.nodes.len() } else { 0 };
    }

    fn clear(&mut self) {
        self.nodes.fill_with(Node::default);
        *self.count.get_mut() = 0;
        *self.unused.get_mut() = 0;
        *self.tried.get_mut() = 0;
        self.emptied = self.age;
    }

    /// The age of a node that this search comes to.
    #[inline]
    fn now(&self) -> u16 {
        self.age as u16
    }

    #[inline]
    fn is_old(&self, age: u16) -> bool {
        self.now().wrapping_sub(age) > self.keep
    }

    /// Removes the forgotten nodes among so many places.
    fn sweep(&mut self, places: usize, purse: &mut Purse) {
        for _ in 0..places.min(self.unswept) {
            let at = self.nodes.len() - self.unswept;
            // Removing one moves another here.
            while self.nodes[at].is_there() {
                let age = *self.nodes[at].age.get_mut();
                if !self.is_old(age) {
                    break;
                }
                self.remove(at, purse);
            }
            self.unswept -= 1;
        }
    }

    /// Removes a node and closes the gap, so that no search for another stops at it.
    fn remove(&mut self, at: usize, purse: &mut Purse) {
        let node = &mut self.nodes[at];
        *self.tried.get_mut() -= *node.tried.get_mut() as usize;
        purse.free.give(*node.edges_from.get_mut(), *node.capacity.get_mut());
        let mask = self.nodes.len() - 1;
        let (mut gap, mut next) = (at, at);
        loop {
            next = (next + 1) & mask;
            let node = &mut self.nodes[next];
            if !node.is_there() {
                break;
            }
            let from_home = next.wrapping_sub(*node.key.get_mut() as usize) & mask;
            if from_home >= next.wrapping_sub(gap) & mask {
                self.nodes[gap] = std::mem::take(&mut self.nodes[next]);
                gap = next;
            }
        }
        self.nodes[gap] = Node::default();
        *self.count.get_mut() -= 1;
    }

    /// Whether a simulation can run without [`Table::make_room`] before it.
    #[inline]
    pub fn has_room(&self, purse: &Purse) -> bool {
        let told = self.count.load(Ordering::Relaxed);
        let swept = self.unswept == 0 || (!self.alone() && purse.added < BETWEEN_SWEEPS);
        let places = (told + self.slack()) * 4 <= self.nodes.len() * 3;
        let edges = self.unused.load(Ordering::Relaxed) + self.ahead();
        let known = purse.age >= self.emptied && purse.refused == 0;
        swept && places && edges <= self.edges.len() && known
    }

    /// How far ahead of its use there is room for edges.
    #[inline]
    fn ahead(&self) -> usize {
        if self.alone() { BLOCK / 4 } else { 4 * BLOCK * self.threads }
    }

    /// Nodes that may be added before the table hears of any.
    #[inline]
    fn slack(&self) -> usize {
        if self.alone() { AT_ONCE } else { 2 * AT_ONCE.max(purse::UNTOLD) * self.threads }
    }

    /// Makes room for the simulations to come. Moves all nodes if it must.
    pub fn make_room(&mut self, purse: &mut Purse) {
        if purse.age < self.emptied {
            *purse = Purse::default();
        }
        purse.age = self.age;
        self.hear(purse);
        purse.nobody_reads();
        if self.unswept > 0 {
            let simulations = if self.alone() { 1 } else { BETWEEN_SWEEPS };
            self.sweep(PLACES_SWEPT * simulations, purse);
        }
        purse.added = 0;
        if (*self.count.get_mut() + self.slack()) * 4 > self.nodes.len() * 3 {
            self.grow(purse);
        }
        let ahead = self.ahead() + std::mem::take(&mut purse.refused);
        let wanted = *self.unused.get_mut() + ahead;
        if wanted > self.edges.len() {
            let length = (wanted + self.ahead()).max(self.edges.len() * 3 / 2);
            let more = length - self.edges.len();
            memory::reserve(&mut self.edges, more);
            self.edges.resize_with(length, EdgeCell::default);
            if self.judges {
                self.judged.resize_with(length, AtomicU32::default);
            }
        }
    }

    #[cold]
    fn grow(&mut self, purse: &mut Purse) {
        self.sweep(self.unswept, purse);
        let needed = *self.count.get_mut() + self.slack();
        if needed * 2 <= self.nodes.len() {
            return;
        }
        let size = (self.nodes.len() * 2).max((needed * 2).next_power_of_two()).max(1024);
        let mut nodes = Vec::new();
        memory::reserve(&mut nodes, size);
        nodes.resize_with(size, Node::default);
        let old = std::mem::replace(&mut self.nodes, nodes);
        let mask = size - 1;
        for mut node in old {
            if node.is_there() {
                let mut at = *node.key.get_mut() as usize & mask;
                while self.nodes[at].is_there() {
                    at = (at + 1) & mask;
                }
                self.nodes[at] = node;
            }
        }
    }

    /// Takes in what a thread has added.
    #[inline]
    pub fn hear(&self, purse: &mut Purse) {
        let (nodes, edges) = (std::mem::take(&mut purse.nodes), std::mem::take(&mut purse.edges));
        self.count.fetch_add(nodes, Ordering::Relaxed);
        self.tried.fetch_add(edges as usize, Ordering::Relaxed);
    }

    /// Whether anything is proved.
    #[inline]
    pub fn proves(&self) -> bool {
        self.proves.load(Ordering::Relaxed)
    }

    /// The payoffs of all outcomes that proofs name, `players` each; `payoffs` are added if they are not there.
    /// Returns the number of the outcome with these payoffs.
    pub fn outcome(&self, payoffs: &[f32], known: &mut Vec<f32>) -> Option<Outcome> {
        let players = payoffs.len();
        let place = |known: &[f32]| known.chunks(players).position(|known| known == payoffs);
        let number = match place(known) {
            Some(at) => at,
            None => {
                let mut all = self.outcomes.lock().unwrap_or_else(|broken| broken.into_inner());
                let at = place(&all).unwrap_or(all.len() / players);
                if at >= usize::from(u8::MAX) {
                    return None;
                }
                if at == all.len() / players {
                    all.extend(payoffs);
                    self.proves.store(true, Ordering::Relaxed);
                }
                known.clone_from(&all);
                at
            }
        };
        NonZeroU8::new(number as u8 + 1).map(Outcome)
    }

    /// All outcomes, for a thread that met one it does not know.
    #[cold]
    pub fn copy_outcomes(&self, known: &mut Vec<f32>) {
        known.clone_from(&self.outcomes.lock().unwrap_or_else(|broken| broken.into_inner()));
    }

    /// How many nodes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// What the table takes.
    pub fn size(&self) -> TableSize {
        TableSize {
            nodes: self.len(),
            edges: self.tried.load(Ordering::Relaxed),
            bytes: size_of_val(self.nodes.as_slice()) + size_of_val(self.edges.as_slice()),
        }
    }
}

#[cfg(test)]
mod tests;
