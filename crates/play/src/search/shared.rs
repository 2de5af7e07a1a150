//! One tree for all threads of a search. A thread has it while it goes down and while it counts what a simulation came to, and
//! gives it to the others while it plays a game out, which takes most of the time. Simulations under way count as lost, so that
//! others look elsewhere meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ludex_game::{Game, Player, State};

use super::report::Report;
use super::table::Table;
use super::worker::Worker;

/// What the threads of a search share.
#[derive(Default)]
pub(super) struct Shared {
    taken: AtomicBool,
    /// Whether a thread ended that may have had the tree.
    broken: AtomicBool,
    tree: Mutex<Tree>,
}

#[derive(Default)]
struct Tree {
    table: Table,
    /// The payoffs of the outcomes that proofs in the table name.
    outcomes: Vec<f32>,
}

/// Lets the others know if this thread panics.
pub(super) struct Presence<'s>(&'s Shared);

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Release);
        }
    }
}

impl Shared {
    pub fn presence(&self) -> Presence<'_> {
        Presence(self)
    }

    /// Waits for the tree. It is missed for less than a microsecond mostly: whoever waits longer lets others run.
    fn take(&self) -> MutexGuard<'_, Tree> {
        const PATIENCE: u32 = 200;
        let mut waited = 0;
        while self.taken.swap(true, Ordering::Acquire) {
            while self.taken.load(Ordering::Relaxed) {
                assert!(!self.broken.load(Ordering::Acquire), "a thread of the search has ended");
                waited += 1;
                if waited < PATIENCE {
                    std::hint::spin_loop();
                } else {
                    std::thread::yield_now();
                }
            }
        }
        self.lock()
    }

    /// Nobody ever waits for this lock: who asks for it has the tree.
    fn lock(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self) {
        self.taken.store(false, Ordering::Release);
    }
}

impl Worker {
    /// Takes the tree from the other threads, if there are any.
    pub(super) fn hold(&mut self) {
        if let Some(shared) = &self.shared {
            let mut tree = shared.take();
            std::mem::swap(&mut self.table, &mut tree.table);
            std::mem::swap(self.solver.outcomes_mut(), &mut tree.outcomes);
        }
    }

    /// Gives it to them.
    pub(super) fn give(&mut self) {
        if let Some(shared) = &self.shared {
            let mut tree = shared.lock();
            std::mem::swap(&mut self.table, &mut tree.table);
            std::mem::swap(self.solver.outcomes_mut(), &mut tree.outcomes);
            drop(tree);
            shared.give();
        }
    }

    /// What all threads found together, when they are done.
    pub(super) fn report_whole(
        &mut self,
        game: &dyn Game,
        root: &State,
        root_path: u64,
        player: Player,
        simulations: u64,
    ) -> Report {
        if simulations == 0 {
            return Report::default();
        }
        self.hold();
        let report = self.report(game, root, root_path, player, simulations);
        self.give();
        report
    }

    /// Gives the tree to the others while this simulation is played out.
    pub(super) fn lend(&mut self) {
        self.keys.clear();
        for &(id, index) in &self.path {
            self.keys.push(self.table.node(id).key());
            self.table.edge_mut(id, index).begin_loss();
            self.table.node_mut(id).visits += 1;
        }
        self.moved = self.table.moved();
        self.give();
    }

    /// Takes it back; the nodes of the path may be elsewhere now.
    pub(super) fn take_back(&mut self) {
        self.hold();
        if self.table.moved() != self.moved {
            for ((id, _), &key) in self.path.iter_mut().zip(&self.keys) {
                if let Some(now) = self.table.find(key) {
                    *id = now;
                }
            }
        }
    }
}
