//! The moves tried at a node, in runs of edges that grow.

use std::sync::atomic::Ordering;

use super::nodes::{NodeId, TAKEN};
use super::{BLOCK, Table};
use crate::search::edge::{Edge, EdgeCell};
use crate::search::purse::Purse;

/// Not a number.
const UNJUDGED: u32 = 0x7FC0_0000;

impl Table {
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
}
