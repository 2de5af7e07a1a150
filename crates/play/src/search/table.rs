//! The nodes of a search: flat arrays, found by key. A node takes 32 bytes and a move tried 16,
//! before the room that lets both grow.

use ludex_game::{Move, Player};

use super::memory;

/// One move of a node and what the simulations through it were worth to the player who chose it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    /// How many simulations chose it here.
    pub visits: u32,
    /// Their mean payoff for the player to move.
    pub mean: f32,
}

impl Edge {
    /// Counts one more simulation.
    #[inline]
    pub fn update(&mut self, payoff: f32) {
        self.visits += 1;
        self.mean += (payoff - self.mean) / self.visits as f32;
    }

    /// Counts several simulations with this mean payoff.
    #[inline]
    pub fn update_many(&mut self, mean: f32, count: u32) {
        self.visits += count;
        self.mean += (mean - self.mean) * count as f32 / self.visits as f32;
    }
}

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
};
const NOBODY: Player = Player(u8::MAX);

/// All nodes of a search, in open addressing by their keys: finding a node costs one look into memory.
#[derive(Debug, Default)]
pub struct Table {
    nodes: Vec<Node>,
    count: usize,
    edges: Vec<Edge>,
    /// Outgrown runs of edges, by the logarithm of their length.
    free: [Vec<u32>; 32],
    tried: usize,
    age: u16,
}

impl Table {
    /// Starts a new search; forgets nodes that the last `keep` searches did not come to.
    pub fn begin(&mut self, keep: u16) {
        self.age = self.age.wrapping_add(1);
        if keep == 0 {
            self.clear();
        } else if self.count > 0 {
            self.forget_older_than(keep);
        }
    }

    fn clear(&mut self) {
        self.nodes.fill(VACANT);
        self.count = 0;
        self.edges.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.tried = 0;
    }

    fn forget_older_than(&mut self, keep: u16) {
        let mut young = Table { age: self.age, ..Table::default() };
        for node in self.nodes.iter().filter(|node| node.player != NOBODY) {
            if self.age.wrapping_sub(node.age) > keep {
                continue;
            }
            young.make_room(1);
            let id = young.insert(node.key, node.player);
            for edge in self.edges_of(node) {
                young.push_edge(id, *edge, node.legal);
            }
            let copy = young.node_mut(id);
            (copy.visits, copy.legal, copy.age) = (node.visits, node.legal, node.age);
        }
        *self = young;
    }

    /// Makes sure that `more` nodes can be inserted without moving any. Moves all if it must.
    #[inline]
    pub fn make_room(&mut self, more: usize) {
        if (self.count + more) * 4 > self.nodes.len() * 3 {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
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
        let at = self.vacancy(key);
        self.nodes[at] = Node { key, player, age: self.age, ..VACANT };
        self.count += 1;
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
        let from = match self.free[capacity.ilog2() as usize].pop() {
            Some(from) if capacity.is_power_of_two() => from,
            other => {
                self.free[capacity.ilog2() as usize].extend(other);
                let from = self.edges.len() as u32;
                memory::reserve(&mut self.edges, capacity as usize);
                let unused = Edge { mv: Move::default(), visits: 0, mean: 0.0 };
                self.edges.resize(from as usize + capacity as usize, unused);
                from
            }
        };
        let old = node.edges_from as usize..(node.edges_from + node.tried) as usize;
        self.edges.copy_within(old, from as usize);
        if node.capacity.is_power_of_two() {
            self.free[node.capacity.ilog2() as usize].push(node.edges_from);
        }
        let node = self.node_mut(id);
        (node.edges_from, node.capacity) = (from, capacity);
    }

    /// How many nodes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// What the table takes.
    pub fn size(&self) -> TableSize {
        let free: usize = self.free.iter().map(|runs| runs.len() * size_of::<u32>()).sum();
        TableSize {
            nodes: self.count,
            edges: self.tried,
            bytes: size_of_val(self.nodes.as_slice()) + size_of_val(self.edges.as_slice()) + free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::mix;

    fn edge(number: u64) -> Edge {
        Edge { mv: Move(number), visits: number as u32, mean: 0.5 }
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
}
