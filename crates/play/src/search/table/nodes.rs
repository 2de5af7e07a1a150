//! Single nodes: found, added, begun anew, and had by one thread at a time.

use std::num::NonZeroU8;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use ludex_game::Player;

use super::Table;
use crate::search::edge::Outcome;
use crate::search::purse::Purse;

/// One player's decision in one position.
#[derive(Debug)]
pub(super) struct Node {
    pub key: AtomicU64,
    /// How many simulations came here.
    pub visits: AtomicU32,
    /// How many moves are legal here; known from the second visit on.
    pub legal: AtomicU32,
    pub edges_from: AtomicU32,
    pub tried: AtomicU32,
    /// How many edges there is room for. The highest bit says that a thread has the node to itself.
    pub capacity: AtomicU32,
    /// The last search that came here.
    pub age: AtomicU16,
    /// Whose decision it is; or nobody's, or somebody is about to say.
    pub player: AtomicU8,
    /// The result it is proved to lead to; zero where none is.
    pub proof: AtomicU8,
}

pub(super) const TAKEN: u32 = 1 << 31;
const NOBODY: u8 = u8::MAX;
const SOON: u8 = NOBODY - 1;

impl Default for Node {
    fn default() -> Self {
        Node {
            key: AtomicU64::new(0),
            visits: AtomicU32::new(0),
            legal: AtomicU32::new(0),
            edges_from: AtomicU32::new(0),
            tried: AtomicU32::new(0),
            capacity: AtomicU32::new(0),
            age: AtomicU16::new(0),
            player: AtomicU8::new(NOBODY),
            proof: AtomicU8::new(0),
        }
    }
}

impl Node {
    /// Whose decision it is; waits for whoever is about to say.
    #[inline]
    fn player(&self) -> u8 {
        let mut waited = Patience::default();
        loop {
            match self.player.load(Ordering::Acquire) {
                SOON => waited.wait(),
                player => return player,
            }
        }
    }

    pub(super) fn is_there(&mut self) -> bool {
        *self.player.get_mut() != NOBODY
    }
}

/// Waits for what takes some nanoseconds, unless the thread that does it lost the processor meanwhile.
#[derive(Default)]
struct Patience(u32);

impl Patience {
    #[cold]
    fn wait(&mut self) {
        const SPINS: u32 = 200;
        self.0 += 1;
        if self.0 < SPINS {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// Where a node is in its table; good until nodes are moved, which needs the whole table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// A number of its own.
    #[inline]
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

impl Table {
    /// The node with this key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeId> {
        let mask = self.nodes.len().wrapping_sub(1);
        let mut at = key as usize & mask;
        loop {
            let node = self.nodes.get(at)?;
            if node.player() == NOBODY {
                return None;
            }
            if node.key.load(Ordering::Relaxed) == key {
                let age = node.age.load(Ordering::Acquire);
                if age != self.now() {
                    if self.is_old(age) {
                        return None;
                    }
                    node.age.store(self.now(), Ordering::Release);
                }
                return Some(NodeId(at as u32));
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a node whose key was not there; there must be room for it. Says too whether nobody else added it
    /// meanwhile.
    pub fn insert(&self, key: u64, player: Player, purse: &mut Purse) -> (NodeId, bool) {
        let mask = self.nodes.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let (node, id) = (&self.nodes[at], NodeId(at as u32));
            if self.claim(node) {
                node.key.store(key, Ordering::Relaxed);
                node.visits.store(1, Ordering::Relaxed);
                node.age.store(self.now(), Ordering::Relaxed);
                node.player.store(player.0, Ordering::Release);
                purse.nodes += 1;
                purse.added += 1;
                if self.alone() || purse.is_full() {
                    self.hear(purse);
                }
                return (id, true);
            }
            if node.player() != NOBODY && node.key.load(Ordering::Relaxed) == key {
                return (id, self.renew(id, player, purse));
            }
            at = (at + 1) & mask;
        }
    }

    /// Takes a place where nobody is.
    fn claim(&self, node: &Node) -> bool {
        if self.alone() {
            return node.player.load(Ordering::Relaxed) == NOBODY;
        }
        let (free, taken) = (Ordering::AcqRel, Ordering::Acquire);
        node.player.compare_exchange(NOBODY, SOON, free, taken).is_ok()
    }

    /// Begins anew with a node that was forgotten and is still there, unless somebody else has just done so.
    fn renew(&self, id: NodeId, player: Player, purse: &mut Purse) -> bool {
        let node = &self.nodes[id.number()];
        let capacity = self.take(node);
        let forgotten = self.is_old(node.age.load(Ordering::Relaxed));
        if forgotten {
            purse.edges -= node.tried.load(Ordering::Relaxed) as isize;
            node.tried.store(0, Ordering::Relaxed);
            node.visits.store(1, Ordering::Relaxed);
            node.legal.store(0, Ordering::Relaxed);
            node.proof.store(0, Ordering::Relaxed);
            node.player.store(player.0, Ordering::Relaxed);
            node.age.store(self.now(), Ordering::Release);
        }
        node.capacity.store(capacity, Ordering::Release);
        forgotten
    }

    /// Has a node to itself until its capacity, which this tells, is written again.
    #[inline]
    pub(super) fn take(&self, node: &Node) -> u32 {
        if self.alone() {
            return node.capacity.load(Ordering::Relaxed);
        }
        let mut waited = Patience::default();
        loop {
            let capacity = node.capacity.fetch_or(TAKEN, Ordering::Acquire);
            if capacity & TAKEN == 0 {
                return capacity;
            }
            waited.wait();
        }
    }

    #[inline]
    pub(super) fn give(&self, node: &Node, capacity: u32) {
        if !self.alone() {
            node.capacity.store(capacity, Ordering::Release);
        }
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.number()]
    }

    /// What a node is found by.
    #[inline]
    pub fn key(&self, id: NodeId) -> u64 {
        self.node(id).key.load(Ordering::Relaxed)
    }

    /// Whose decision it is.
    #[inline]
    pub fn player(&self, id: NodeId) -> Player {
        Player(self.node(id).player.load(Ordering::Relaxed))
    }

    /// How many simulations came to a node.
    #[inline]
    pub fn visits(&self, id: NodeId) -> u32 {
        self.node(id).visits.load(Ordering::Relaxed)
    }

    /// How many moves are legal at a node, as far as that is known.
    #[inline]
    pub fn set_legal(&self, id: NodeId, legal: usize) {
        self.node(id).legal.store(legal as u32, Ordering::Relaxed);
    }

    /// How many moves of a node were tried.
    #[inline]
    pub fn tried(&self, id: NodeId) -> usize {
        self.node(id).tried.load(Ordering::Acquire) as usize
    }

    /// Whether every legal move of a node was tried at least once.
    #[inline]
    pub fn complete(&self, id: NodeId) -> bool {
        let legal = self.node(id).legal.load(Ordering::Relaxed) as usize;
        legal > 0 && self.tried(id) == legal
    }

    /// The result a node is proved to lead to.
    #[inline]
    pub fn proof(&self, id: NodeId) -> Option<Outcome> {
        NonZeroU8::new(self.node(id).proof.load(Ordering::Relaxed)).map(Outcome)
    }

    /// Settles what a node leads to.
    pub fn prove_node(&self, id: NodeId, outcome: Outcome) {
        self.node(id).proof.store(outcome.0.get(), Ordering::Relaxed);
    }
}
