//! The nodes of a search: flat arrays, found by key. A node takes 32 bytes and a move tried 16,
//! before the room that lets both grow.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use ludex_game::{Move, Player};

use super::memory;

/// One move of a node and what the simulations through it were worth to the player who chose it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    /// How many simulations chose it here. With the highest bit set, the result is proved: then eight bits
    /// say which it is and the others count visits as far as they go.
    count: u32,
    /// Their mean payoff for the player to move; where the result is proved, the payoff itself.
    pub mean: f32,
}

const PROVED: u32 = 1 << 31;
const COUNTED: u32 = (1 << 23) - 1;
/// Added to the value of proved moves; their order among themselves stays.
const BELOW_ALL: f32 = -1e5;

impl Edge {
    /// A move that was never tried.
    #[inline]
    pub fn new(mv: Move) -> Self {
        Edge { mv, count: 0, mean: 0.0 }
    }

    /// How many simulations chose it here.
    #[inline]
    pub fn visits(&self) -> u32 {
        if self.count & PROVED == 0 { self.count } else { self.count & COUNTED }
    }

    /// Mean payoff and what exploration adds to it, `√(explore / visits)`; far below all others where the
    /// result is proved, so that nothing proved is searched while anything else is left.
    #[inline]
    pub fn upper_bound(&self, explore: f32) -> f32 {
        self.mean + (explore / self.count as f32).sqrt() + self.below_all()
    }

    /// What is added to the value of a move whose result is proved.
    #[inline]
    pub fn below_all(&self) -> f32 {
        if self.count & PROVED == 0 { 0.0 } else { BELOW_ALL }
    }

    /// The result it is proved to lead to.
    #[inline]
    pub fn proof(&self) -> Option<Outcome> {
        let proved = self.count & PROVED != 0;
        proved.then(|| Outcome(NonZeroU8::MIN.saturating_add((self.count >> 23) as u8)))
    }

    /// Settles what it leads to, and what that is worth to whoever chooses it.
    pub fn prove(&mut self, outcome: Outcome, payoff: f32) {
        let number = u32::from(outcome.0.get() - 1) << 23;
        self.count = PROVED | number | self.visits().min(COUNTED);
        self.mean = payoff;
    }

    /// Counts a simulation that is under way as lost.
    #[inline]
    pub fn begin_loss(&mut self) {
        self.update(0.0, 1);
    }

    /// Puts what such a simulation came to in the place of the loss.
    #[inline]
    pub fn end_loss(&mut self, payoff: f32) {
        if self.count & PROVED == 0 {
            self.mean += payoff / self.count as f32;
        }
    }

    /// Counts simulations with this mean payoff.
    #[inline]
    pub fn update(&mut self, mean: f32, count: u32) {
        if self.count & PROVED != 0 {
            self.count += count.min(COUNTED - (self.count & COUNTED));
            return;
        }
        self.count += count;
        self.mean += (mean - self.mean) * count as f32 / self.count as f32;
    }
}

/// A result of the game, as a place in a list that the search keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome(pub NonZeroU8);

/// One player's decision in one position.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    key: u64,
    /// How many simulations came here.
    pub visits: u32,
    /// How many moves are legal here; known from the second visit on.
    pub legal: u32,
    edges_from: u32,
    tried: u32,
    capacity: u32,
    /// The last search that came here.
    age: u16,
    /// Whose decision it is.
    pub player: Player,
    /// The result it is proved to lead to.
    pub proof: Option<Outcome>,
}

impl Node {
    /// Whether every legal move was tried at least once.
    #[inline]
    pub fn complete(&self) -> bool {
        self.tried == self.legal && self.legal > 0
    }

    /// What the node is found by.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// How many moves were tried.
    #[inline]
    pub fn tried(&self) -> usize {
        self.tried as usize
    }
}

/// Where a node is in its table; good until the next [`Table::make_room`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

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

/// A place without a node.
const VACANT: Node = Node {
    key: 0,
    visits: 0,
    legal: 0,
    edges_from: 0,
    tried: 0,
    capacity: 0,
    age: 0,
    player: NOBODY,
    proof: None,
};
const NOBODY: Player = Player(u8::MAX);

/// How many places [`Table::make_room`] looks at for forgotten nodes.
const PLACES_SWEPT: usize = 64;

/// All nodes of a search, in open addressing by their keys: finding a node costs one look into memory.
#[derive(Debug, Default)]
pub struct Table {
    nodes: Vec<Node>,
    count: usize,
    edges: Vec<Edge>,
    free: Box<FreeRuns>,
    tried: usize,
    age: u16,
    /// A node that more searches than this did not come to is forgotten, though it may still be there.
    keep: u16,
    /// How many places at the end of `nodes` may still hold forgotten nodes.
    unswept: usize,
    /// How often nodes were moved.
    moved: u64,
}

impl Table {
    /// Starts a new search; forgets nodes that the last `keep` searches did not come to. They are not found
    /// any more from now on and removed bit by bit by [`Table::make_room`]: a search that begins with
    /// millions of old nodes begins at once.
    pub fn begin(&mut self, keep: u16) {
        self.age = self.age.wrapping_add(1);
        self.keep = keep;
        if keep == 0 {
            self.clear();
        }
        self.unswept = if self.count > 0 { self.nodes.len() } else { 0 };
    }

    fn clear(&mut self) {
        self.nodes.fill(VACANT);
        self.count = 0;
        self.edges.clear();
        *self.free = FreeRuns::default();
        self.tried = 0;
    }

    #[inline]
    fn is_forgotten(&self, node: &Node) -> bool {
        self.age.wrapping_sub(node.age) > self.keep
    }

    /// Removes the forgotten nodes among so many places.
    fn sweep(&mut self, places: usize) {
        for _ in 0..places.min(self.unswept) {
            let at = self.nodes.len() - self.unswept;
            // Removing one moves another here.
            while self.nodes[at].player != NOBODY && self.is_forgotten(&self.nodes[at]) {
                self.remove(at);
            }
            self.unswept -= 1;
        }
    }

    /// Removes a node and closes the gap, so that no search for another stops at it.
    fn remove(&mut self, at: usize) {
        self.release_edges(at);
        self.moved += 1;
        let mask = self.nodes.len() - 1;
        let (mut gap, mut next) = (at, at);
        loop {
            next = (next + 1) & mask;
            let node = self.nodes[next];
            if node.player == NOBODY {
                break;
            }
            let from_home = next.wrapping_sub(node.key as usize) & mask;
            if from_home >= next.wrapping_sub(gap) & mask {
                self.nodes[gap] = node;
                gap = next;
            }
        }
        self.nodes[gap] = VACANT;
        self.count -= 1;
    }

    fn release_edges(&mut self, at: usize) {
        let node = self.nodes[at];
        self.tried -= node.tried as usize;
        self.free.give(node.edges_from, node.capacity);
    }

    /// Makes sure that `more` nodes can be inserted without moving any. Moves all if it must.
    #[inline]
    pub fn make_room(&mut self, more: usize) {
        if self.unswept > 0 {
            self.sweep(PLACES_SWEPT);
        }
        if (self.count + more) * 4 > self.nodes.len() * 3 {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        self.sweep(self.unswept);
        if (self.count + more) * 2 <= self.nodes.len() {
            return;
        }
        self.moved += 1;
        let size = (self.nodes.len() * 2).max((more * 2).next_power_of_two()).max(1024);
        let mut nodes = Vec::new();
        memory::reserve(&mut nodes, size);
        nodes.resize(size, VACANT);
        let old = std::mem::replace(&mut self.nodes, nodes);
        for node in old.into_iter().filter(|node| node.player != NOBODY) {
            let at = self.vacancy(node.key);
            self.nodes[at] = node;
        }
    }

    /// The node with this key.
    #[inline]
    pub fn find(&mut self, key: u64) -> Option<NodeId> {
        let mask = self.nodes.len().wrapping_sub(1);
        let mut at = key as usize & mask;
        loop {
            let node = self.nodes.get_mut(at)?;
            if node.player == NOBODY {
                return None;
            }
            if node.key == key {
                if self.age.wrapping_sub(node.age) > self.keep {
                    return None;
                }
                node.age = self.age;
                return Some(NodeId(at as u32));
            }
            at = (at + 1) & mask;
        }
    }

    fn vacancy(&self, key: u64) -> usize {
        let mask = self.nodes.len() - 1;
        let mut at = key as usize & mask;
        while self.nodes[at].player != NOBODY {
            at = (at + 1) & mask;
        }
        at
    }

    /// Adds a node whose key is not there yet; there must be room for it.
    pub fn insert(&mut self, key: u64, player: Player) -> NodeId {
        let mask = self.nodes.len() - 1;
        let mut at = key as usize & mask;
        let takes =
            |node: &Node| node.player == NOBODY || (node.key == key && self.is_forgotten(node));
        while !takes(&self.nodes[at]) {
            at = (at + 1) & mask;
        }
        match self.nodes[at].player {
            NOBODY => self.count += 1,
            // The same position, forgotten but still there.
            _ => self.release_edges(at),
        }
        self.nodes[at] = Node { key, player, age: self.age, ..VACANT };
        NodeId(at as u32)
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// A node, to change it.
    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The moves tried at a node, in the order they were first tried.
    #[inline]
    pub fn edges(&self, id: NodeId) -> &[Edge] {
        self.edges_of(self.node(id))
    }

    #[inline]
    fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.edges_from as usize..][..node.tried as usize]
    }

    /// One of those, to change it.
    #[inline]
    pub fn edge_mut(&mut self, id: NodeId, index: usize) -> &mut Edge {
        let from = self.node(id).edges_from as usize;
        &mut self.edges[from + index]
    }

    /// Adds a move at a node that has `legal` of them, and returns its index.
    pub fn push_edge(&mut self, id: NodeId, edge: Edge, legal: u32) -> usize {
        let node = self.nodes[id.0 as usize];
        if node.tried == node.capacity {
            self.grow_edges(id, legal);
        }
        let node = &mut self.nodes[id.0 as usize];
        let index = node.tried;
        node.tried += 1;
        self.edges[(node.edges_from + index) as usize] = edge;
        self.tried += 1;
        index as usize
    }

    /// Moves a node's edges into a run of twice the length, or of exactly what the node can need.
    fn grow_edges(&mut self, id: NodeId, legal: u32) {
        let node = self.nodes[id.0 as usize];
        let doubled = (node.capacity * 2).max(1);
        let capacity = if legal > node.tried { doubled.min(legal) } else { doubled };
        let from = self.free.take(capacity).unwrap_or_else(|| {
            let from = self.edges.len() as u32;
            memory::reserve(&mut self.edges, capacity as usize);
            let unused = Edge::new(Move::default());
            self.edges.resize(from as usize + capacity as usize, unused);
            from
        });
        let old = node.edges_from as usize..(node.edges_from + node.tried) as usize;
        self.edges.copy_within(old, from as usize);
        self.free.give(node.edges_from, node.capacity);
        let node = self.node_mut(id);
        (node.edges_from, node.capacity) = (from, capacity);
    }

    /// A number that changes whenever a node may be elsewhere than before.
    #[inline]
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// How many nodes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// What the table takes.
    pub fn size(&self) -> TableSize {
        TableSize {
            nodes: self.count,
            edges: self.tried,
            bytes: size_of_val(self.nodes.as_slice())
                + size_of_val(self.edges.as_slice())
                + self.free.bytes(),
        }
    }
}

/// Runs of edges that no node uses, by their length.
#[derive(Debug, Default)]
struct FreeRuns {
    /// By the logarithm of the length, where that is a power of two.
    doubled: [Vec<u32>; 32],
    /// Of lengths that fit the number of legal moves exactly.
    exact: BTreeMap<u32, Vec<u32>>,
}

impl FreeRuns {
    fn take(&mut self, length: u32) -> Option<u32> {
        match length.is_power_of_two() {
            true => self.doubled[length.ilog2() as usize].pop(),
            false => self.exact.get_mut(&length)?.pop(),
        }
    }

    fn give(&mut self, from: u32, length: u32) {
        match length {
            0 => {}
            _ if length.is_power_of_two() => self.doubled[length.ilog2() as usize].push(from),
            _ => self.exact.entry(length).or_default().push(from),
        }
    }

    fn bytes(&self) -> usize {
        let runs: usize = self.doubled.iter().chain(self.exact.values()).map(Vec::len).sum();
        runs * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::mix;

    fn edge(number: u64) -> Edge {
        Edge { mv: Move(number), count: number as u32, mean: 0.5 }
    }

    #[test]
    fn nodes_and_edges_are_found_again() {
        let mut table = Table::default();
        table.begin(0);
        for number in 0..5000u64 {
            table.make_room(1);
            let id = table.insert(mix(number), Player(0));
            for e in 0..number % 40 {
                table.push_edge(id, edge(e), 40);
            }
        }
        for number in 0..5000u64 {
            let id = table.find(mix(number)).unwrap();
            let moves: Vec<u64> = table.edges(id).iter().map(|edge| edge.mv.0).collect();
            assert_eq!(moves, (0..number % 40).collect::<Vec<_>>());
        }
        assert!(table.find(mix(5000)).is_none());
    }

    #[test]
    fn proofs_leave_counts_alone() {
        let mut edge = Edge::new(Move(7));
        edge.update(0.25, 1);
        edge.update(1.0, 3);
        assert_eq!((edge.visits(), edge.mean, edge.proof()), (4, 0.8125, None));
        for number in [1, 2, 255] {
            let outcome = Outcome(NonZeroU8::new(number).unwrap());
            edge.prove(outcome, 0.5);
            edge.update(0.0, 1);
            assert_eq!((edge.proof(), edge.mean), (Some(outcome), 0.5));
        }
        assert_eq!(edge.visits(), 7);
        edge.update(0.0, u32::MAX);
        assert_eq!(edge.visits(), COUNTED);
        assert_eq!(size_of::<(Node, Edge)>(), 48);
    }

    #[test]
    fn a_loss_under_way_becomes_what_it_came_to() {
        let [mut plain, mut shared] = [Edge::new(Move(1)), Edge::new(Move(1))];
        for payoff in [1.0, 0.25, 0.5] {
            plain.update(payoff, 1);
        }
        // Three simulations overlap and end in another order.
        (0..3).for_each(|_| shared.begin_loss());
        assert_eq!((shared.visits(), shared.mean), (3, 0.0));
        [0.5, 1.0, 0.25].into_iter().for_each(|payoff| shared.end_loss(payoff));
        assert_eq!(shared.visits(), plain.visits());
        assert!((shared.mean - plain.mean).abs() < 1e-6, "{} {}", shared.mean, plain.mean);
    }

    #[test]
    fn old_nodes_are_forgotten() {
        let mut table = Table::default();
        for search in 0..4 {
            table.begin(2);
            table.make_room(1);
            let id = table.insert(search, Player(1));
            table.push_edge(id, edge(search), 3);
        }
        table.begin(2);
        assert_eq!((0..4).filter(|&key| table.find(key).is_some()).collect::<Vec<_>>(), [2, 3]);
        let id = table.find(3).unwrap();
        assert_eq!(table.edges(id)[0].mv, Move(3));
    }

    /// Walks two tables through the same searches, one of which is cleaned at once, and compares them.
    #[test]
    fn cleaning_bit_by_bit_changes_nothing() {
        let [mut slow, mut quick] = [Table::default(), Table::default()];
        for search in 0..40u64 {
            slow.begin(3);
            quick.begin(3);
            quick.sweep(usize::MAX);
            for step in 0..500 {
                let key = mix(mix(search * 1000 + step) % (400 * (search / 4 + 1)));
                slow.make_room(1);
                quick.make_room(1);
                let found = [&mut slow, &mut quick].map(|table| match table.find(key) {
                    Some(id) => {
                        table.push_edge(id, edge(step), 37);
                        table.edges(id).iter().map(|edge| edge.mv.0).collect()
                    }
                    None => {
                        table.insert(key, Player(0));
                        Vec::new()
                    }
                });
                assert_eq!(found[0], found[1], "search {search}, step {step}");
            }
            slow.sweep(usize::MAX);
            assert_eq!((slow.count, slow.tried), (quick.count, quick.tried));
        }
    }

    #[test]
    fn a_search_over_a_full_table_begins_at_once() {
        let mut table = Table::default();
        table.begin(1);
        for number in 0..1u64 << 18 {
            table.make_room(1);
            let id = table.insert(mix(number), Player(0));
            table.push_edge(id, edge(number), 3);
        }
        let places = table.nodes.len();
        table.begin(1);
        table.begin(1);
        for number in 0..(places / PLACES_SWEPT) as u64 {
            assert!(table.find(mix(number)).is_none());
            table.make_room(1);
        }
        assert_eq!((table.len(), table.tried, table.nodes.len()), (0, 0, places));
        let edges = table.edges.len();
        for number in 0..1u64 << 18 {
            table.make_room(1);
            let id = table.insert(mix(number), Player(0));
            table.push_edge(id, edge(number), 3);
        }
        assert_eq!((table.nodes.len(), table.edges.len()), (places, edges), "memory is used again");
    }
}
