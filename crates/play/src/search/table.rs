//! The nodes of a search: flat arrays, found by key. A node takes 32 bytes and a move tried 16,
//! before the room that lets both grow.
//!
//! Threads use a table at the same time. Whatever changes is atomic: many read, and whoever writes a node or its
//! edges has the node to himself for as long as that takes. What moves nodes or makes the arrays longer has the
//! whole table to itself (`&mut`). A thread that is alone pays for none of it: it takes no node for itself, and
//! reading and writing such words are the usual instructions.

use std::num::NonZeroU8;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering,
};

use ludex_game::{Player, PlayerSet};

use super::edge::{Edge, EdgeCell, Outcome};
use super::memory;
use super::purse::{self, Purse};

/// One player's decision in one position.
#[derive(Debug)]
struct Node {
    key: AtomicU64,
    /// How many simulations came here.
    visits: AtomicU32,
    /// How many moves are legal here; known from the second visit on.
    legal: AtomicU32,
    edges_from: AtomicU32,
    tried: AtomicU32,
    /// How many edges there is room for. The highest bit says that a thread has the node to itself.
    capacity: AtomicU32,
    /// The last search that came here.
    age: AtomicU16,
    /// Whose decision it is; or nobody's, or somebody is about to say.
    player: AtomicU8,
    /// The result it is proved to lead to; zero where none is.
    proof: AtomicU8,
}

/// Not a number.
const UNJUDGED: u32 = 0x7FC0_0000;
const TAKEN: u32 = 1 << 31;
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

    fn is_there(&mut self) -> bool {
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
    fn take(&self, node: &Node) -> u32 {
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
    fn give(&self, node: &Node, capacity: u32) {
        if !self.alone() {
            node.capacity.store(capacity, Ordering::Release);
        }
    }

    #[inline]
    fn node(&self, id: NodeId) -> &Node {
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

    /// The moves tried at a node, in the order they were first tried.
    #[inline]
    pub fn cells(&self, id: NodeId) -> &[EdgeCell] {
        let node = self.node(id);
        // How many before where: edges are put elsewhere before there are more of them.
        let tried = node.tried.load(Ordering::Acquire) as usize;
        &self.edges[node.edges_from.load(Ordering::Acquire) as usize..][..tried]
    }

    /// The same as they are at this moment.
    #[inline]
    pub fn edges(&self, id: NodeId) -> impl ExactSizeIterator<Item = Edge> + Clone {
        self.cells(id).iter().map(EdgeCell::load)
    }

    /// One of them.
    #[inline]
    pub fn edge(&self, id: NodeId, index: usize) -> Edge {
        self.cells(id)[index].load()
    }

    /// What an evaluation, backed up by minimax, makes of the edges of a node for whoever decides there; not a number
    /// where it was not asked yet.
    pub fn judged(&self, id: NodeId) -> impl Iterator<Item = f32> + Clone {
        let node = self.node(id);
        let tried = node.tried.load(Ordering::Acquire) as usize;
        let from = node.edges_from.load(Ordering::Acquire) as usize;
        let all = self.judged.get(from..from + tried).unwrap_or_default();
        all.iter().map(|judged| f32::from_bits(judged.load(Ordering::Relaxed)))
    }

    /// Puts down what is made of one of them.
    pub fn judge(&self, id: NodeId, index: usize, value: f32) {
        let from = self.node(id).edges_from.load(Ordering::Acquire) as usize;
        if let Some(judged) = self.judged.get(from + index) {
            judged.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// Changes one of them, and counts so many more visits of its node.
    #[inline]
    pub fn change(&self, id: NodeId, index: usize, visits: u32, change: impl FnOnce(&mut Edge)) {
        self.change_several(id, visits, |cells| {
            let mut edge = cells[index].load();
            change(&mut edge);
            cells[index].store_found(edge);
        });
    }

    /// Changes edges of a node, while nobody else does.
    #[inline]
    pub fn change_several(&self, id: NodeId, visits: u32, change: impl FnOnce(&[EdgeCell])) {
        let node = self.node(id);
        let capacity = self.take(node);
        change(self.cells(id));
        node.visits.store(node.visits.load(Ordering::Relaxed) + visits, Ordering::Relaxed);
        self.give(node, capacity);
    }

    /// Adds a move at a node of which the thread saw so many, unless somebody else has just added it or there is no
    /// room left; returns its index, and whether it is new.
    pub fn push_edge(
        &self,
        id: NodeId,
        edge: Edge,
        seen: usize,
        purse: &mut Purse,
    ) -> Option<(usize, bool)> {
        let node = self.node(id);
        let mut capacity = self.take(node);
        let tried = node.tried.load(Ordering::Relaxed);
        let known = match tried as usize == seen {
            true => None,
            false => self.cells(id).iter().position(|cell| cell.mv() == edge.mv),
        };
        if let Some(known) = known {
            self.give(node, capacity);
            return Some((known, false));
        }
        if tried == capacity {
            let Some(larger) = self.grow_edges(id, capacity, purse) else {
                self.give(node, capacity);
                return None;
            };
            capacity = larger;
            node.capacity
                .store(if self.alone() { larger } else { larger | TAKEN }, Ordering::Relaxed);
        }
        let from = node.edges_from.load(Ordering::Relaxed);
        self.edges[(from + tried) as usize].store(edge);
        if self.judges {
            self.judged[(from + tried) as usize].store(UNJUDGED, Ordering::Relaxed);
        }
        node.tried.store(tried + 1, Ordering::Release);
        purse.edges += 1;
        self.give(node, capacity);
        Some((tried as usize, true))
    }

    /// Moves a node's edges into a run of twice the length, or of exactly what the node can need; returns its
    /// length. None where there is no such run.
    fn grow_edges(&self, id: NodeId, capacity: u32, purse: &mut Purse) -> Option<u32> {
        let node = self.node(id);
        let (tried, legal) =
            (node.tried.load(Ordering::Relaxed), node.legal.load(Ordering::Relaxed));
        let doubled = (capacity * 2).max(1);
        let larger = if legal > tried { doubled.min(legal) } else { doubled };
        let from = match purse.free.take(larger) {
            Some(from) => from,
            None => self.fresh(larger as usize, purse)?,
        };
        let old = node.edges_from.load(Ordering::Relaxed);
        for (cell, edge) in self.edges[from as usize..].iter().zip(self.edges(id)) {
            cell.store(edge);
        }
        if self.judges {
            for at in 0..tried as usize {
                let known = self.judged[old as usize + at].load(Ordering::Relaxed);
                self.judged[from as usize + at].store(known, Ordering::Relaxed);
            }
        }
        node.edges_from.store(from, Ordering::Release);
        match self.alone() {
            true => purse.free.give(old, capacity),
            false if capacity > 0 => purse.read.push((old, capacity)),
            false => {}
        }
        Some(larger)
    }

    /// Edges that nobody ever used since the table was empty.
    fn fresh(&self, length: usize, purse: &mut Purse) -> Option<u32> {
        if purse.to - purse.from < length {
            let block = if self.alone() { length } else { length.max(BLOCK) };
            let from = self.unused.fetch_add(block, Ordering::Relaxed);
            if from + block > self.edges.len() {
                self.unused.fetch_sub(block, Ordering::Relaxed);
                purse.refused = block;
                return None;
            }
            (purse.from, purse.to) = (from, from + block);
        }
        let from = purse.from;
        purse.from += length;
        Some(from as u32)
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
mod tests {
    use super::*;
    use ludex_game::{Move, mix};

    const FIRST: Player = Player(0);

    fn edge(number: u64) -> Edge {
        Edge::new(Move(number))
    }

    /// The node with a key, added where it is not there.
    fn node(table: &mut Table, key: u64, purse: &mut Purse) -> NodeId {
        if !table.has_room(purse) {
            table.make_room(purse);
        }
        table.find(key).unwrap_or_else(|| table.insert(key, FIRST, purse).0)
    }

    fn push(table: &Table, id: NodeId, number: u64, legal: usize, purse: &mut Purse) {
        table.set_legal(id, legal);
        table.push_edge(id, edge(number), table.tried(id), purse).expect("there is room");
    }

    fn moves(table: &Table, id: NodeId) -> Vec<u64> {
        table.edges(id).map(|edge| edge.mv.0).collect()
    }

    #[test]
    fn nodes_and_edges_are_found_again() {
        assert_eq!(size_of::<Node>(), 32);
        let (mut table, mut purse) = (Table::new(1), Purse::default());
        table.begin(0);
        for number in 0..5000u64 {
            let id = node(&mut table, mix(number), &mut purse);
            for e in 0..number % 40 {
                push(&table, id, e, 40, &mut purse);
            }
        }
        for number in 0..5000u64 {
            let id = table.find(mix(number)).unwrap();
            assert_eq!(moves(&table, id), (0..number % 40).collect::<Vec<_>>());
        }
        assert!(table.find(mix(5000)).is_none());
        assert_eq!(table.size().nodes, 5000);
    }

    #[test]
    fn old_nodes_are_forgotten() {
        let (mut table, mut purse) = (Table::new(1), Purse::default());
        for search in 0..4 {
            table.begin(2);
            let id = node(&mut table, search, &mut purse);
            push(&table, id, search, 3, &mut purse);
        }
        table.begin(2);
        assert_eq!((0..4).filter(|&key| table.find(key).is_some()).collect::<Vec<_>>(), [2, 3]);
        let id = table.find(3).unwrap();
        assert_eq!(table.edge(id, 0).mv, Move(3));
        // A position that was forgotten begins anew.
        let id = node(&mut table, 0, &mut purse);
        assert_eq!((table.tried(id), table.visits(id)), (0, 1));
    }

    /// Walks two tables through the same searches, one of which is cleaned at once, and compares them.
    #[test]
    fn cleaning_bit_by_bit_changes_nothing() {
        let [mut slow, mut quick] = [(); 2].map(|()| (Table::new(1), Purse::default()));
        for search in 0..40u64 {
            slow.0.begin(3);
            quick.0.begin(3);
            quick.0.make_room(&mut quick.1);
            quick.0.sweep(usize::MAX, &mut quick.1);
            for step in 0..500 {
                let key = mix(mix(search * 1000 + step) % (400 * (search / 4 + 1)));
                let found = [&mut slow, &mut quick].map(|(table, purse)| {
                    let there = table.find(key).is_some();
                    let id = node(table, key, purse);
                    if there {
                        push(table, id, step, 37, purse);
                    }
                    moves(table, id)
                });
                assert_eq!(found[0], found[1], "search {search}, step {step}");
            }
            slow.0.sweep(usize::MAX, &mut slow.1);
            let sizes = [&slow.0, &quick.0].map(|table| (table.size().nodes, table.size().edges));
            assert_eq!(sizes[0], sizes[1]);
        }
    }

    #[test]
    fn a_search_over_a_full_table_begins_at_once() {
        let (mut table, mut purse) = (Table::new(1), Purse::default());
        let fill = |table: &mut Table, purse: &mut Purse| {
            for number in 0..1u64 << 18 {
                let id = node(table, mix(number), purse);
                push(table, id, number, 3, purse);
            }
        };
        table.begin(1);
        fill(&mut table, &mut purse);
        let places = table.nodes.len();
        table.begin(1);
        table.begin(1);
        for number in 0..(places / PLACES_SWEPT) as u64 {
            assert!(table.find(mix(number)).is_none());
            table.make_room(&mut purse);
        }
        let size = table.size();
        assert_eq!((size.nodes, size.edges, table.nodes.len()), (0, 0, places));
        let edges = table.edges.len();
        fill(&mut table, &mut purse);
        assert_eq!((table.nodes.len(), table.edges.len()), (places, edges), "memory is used again");
    }

    #[test]
    fn several_threads_lose_nothing() {
        const THREADS: usize = 4;
        const ROUNDS: u64 = 30_000;
        const KEYS: u64 = 5_000;
        let shared = super::super::shared::Shared::new(THREADS);
        shared.have().begin(0);
        let work = |seed: u64| {
            let (mut purse, mut near) = (Purse::default(), Default::default());
            let mut tree = super::super::shared::Hold::begin(&shared, THREADS);
            for round in 0..ROUNDS {
                while tree.must_stop(&purse) {
                    tree = tree.stop(&mut purse, &mut near);
                }
                let drawn = mix(seed << 32 | round);
                let key = mix(drawn % KEYS);
                let id = tree.find(key).unwrap_or_else(|| tree.insert(key, FIRST, &mut purse).0);
                tree.set_legal(id, 7);
                let index = match tree.cells(id).iter().position(|c| c.mv().0 == drawn % 7) {
                    Some(index) => index,
                    None => {
                        let seen = tree.tried(id);
                        let pushed = tree.push_edge(id, edge(drawn % 7), seen, &mut purse);
                        pushed.expect("there is room").0
                    }
                };
                tree.change(id, index, 1, |edge| edge.update(1.0, 1));
            }
            tree.hear(&mut purse);
        };
        let work = &work;
        std::thread::scope(|scope| {
            (0..THREADS as u64).for_each(|seed| drop(scope.spawn(move || work(seed))));
        });
        let tree = shared.enter();
        let (mut visits, mut edges) = (0, 0);
        for number in 0..KEYS {
            let Some(id) = tree.find(mix(number)) else { continue };
            visits += u64::from(tree.visits(id)) - 1;
            let mut tried = moves(&tree, id);
            edges += tried.len();
            assert!(tree.edges(id).all(|edge| edge.visits() > 0 && edge.mean == 1.0));
            tried.sort_unstable();
            tried.dedup();
            assert_eq!(tried.len(), tree.tried(id), "no move is there twice");
        }
        assert_eq!(visits, THREADS as u64 * ROUNDS);
        assert_eq!((tree.size().nodes as u64, tree.size().edges), (KEYS, edges));
    }
}
