//! What one thread has of a table for itself, so that it need not ask the others for every node.

use std::collections::BTreeMap;

/// How many nodes a thread adds before it tells the table of them, where several use it.
pub(super) const UNTOLD: usize = 64;

/// One thread's share of a table.
#[derive(Debug, Default)]
pub struct Purse {
    /// The search this belongs to; a table that was emptied since takes nothing of it.
    pub(super) age: u64,
    /// Nodes and edges that were added and not told yet.
    pub(super) nodes: usize,
    pub(super) edges: isize,
    /// How many nodes were added since the table was last had whole.
    pub(super) added: usize,
    /// A run of edges that there was no room for.
    pub(super) refused: usize,
    /// Edges that belong to nobody else: the first, and the one after the last.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Runs of edges that no node uses.
    pub(super) free: FreeRuns,
    /// Runs that somebody may still be reading.
    pub(super) read: Vec<(u32, u32)>,
}

impl Purse {
    /// Whether there is enough to tell.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.nodes >= UNTOLD
    }

    /// Nobody reads the table at the moment: what was read may be used again.
    pub(super) fn nobody_reads(&mut self) {
        for (from, length) in self.read.drain(..) {
            self.free.give(from, length);
        }
    }
}

/// Runs of edges that no node uses, by their length.
#[derive(Debug, Default)]
pub struct FreeRuns {
    /// By the logarithm of the length, where that is a power of two.
    doubled: [Vec<u32>; 32],
    /// Of lengths that fit the number of legal moves exactly.
    exact: BTreeMap<u32, Vec<u32>>,
}

impl FreeRuns {
    /// A run of exactly this length.
    pub fn take(&mut self, length: u32) -> Option<u32> {
        match length.is_power_of_two() {
            true => self.doubled[length.ilog2() as usize].pop(),
            false => self.exact.get_mut(&length)?.pop(),
        }
    }

    /// Takes back a run.
    pub fn give(&mut self, from: u32, length: u32) {
        match length {
            0 => {}
            _ if length.is_power_of_two() => self.doubled[length.ilog2() as usize].push(from),
            _ => self.exact.entry(length).or_default().push(from),
        }
    }
}
