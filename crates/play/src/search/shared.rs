//! The tree of a search, which all its threads use at the same time. Whoever has to move nodes asks the others to leave it for a
//! moment; they do so between two simulations.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::near::Near;
use super::purse::Purse;
use super::table::Table;

/// What the threads of a search share.
pub(super) struct Shared {
    table: RwLock<Table>,
    /// How many threads want the tree for themselves.
    wanted: AtomicUsize,
    /// Whether a thread ended before its time: the others need not go on.
    broken: AtomicBool,
}

/// Lets the others know if this thread panics.
pub(super) struct Presence<'s>(&'s Shared);

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}

impl Shared {
    pub fn new(threads: usize) -> Shared {
        let (table, wanted) = (RwLock::new(Table::new(threads)), AtomicUsize::new(0));
        Shared { table, wanted, broken: AtomicBool::new(false) }
    }

    /// Takes part until this is dropped.
    pub fn presence(&self) -> Presence<'_> {
        Presence(self)
    }

    #[inline]
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Uses the tree as others do.
    pub fn enter(&self) -> RwLockReadGuard<'_, Table> {
        // Nothing is left half done by a thread that ends: what it held alone is whole between its calls.
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody waits for the others to leave.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    /// Has the tree alone, as soon as all others have left.
    pub fn have(&self) -> RwLockWriteGuard<'_, Table> {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        let table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        self.wanted.fetch_sub(1, Ordering::Relaxed);
        table
    }
}

/// The tree in the hands of a thread.
pub(super) enum Hold<'s> {
    /// Nobody else searches.
    Alone(RwLockWriteGuard<'s, Table>),
    /// Others use it at the same time.
    Among(&'s Shared, RwLockReadGuard<'s, Table>),
}

impl Deref for Hold<'_> {
    type Target = Table;

    #[inline]
    fn deref(&self) -> &Table {
        match self {
            Hold::Alone(table) => table,
            Hold::Among(_, table) => table,
        }
    }
}

impl<'s> Hold<'s> {
    /// Begins to use a tree.
    pub fn begin(shared: &'s Shared, threads: usize) -> Hold<'s> {
        match threads {
            0 | 1 => Hold::Alone(shared.have()),
            _ => Hold::Among(shared, shared.enter()),
        }
    }

    /// Whether a thread cannot go on before [`Hold::stop`].
    #[inline]
    pub fn must_stop(&self, purse: &Purse) -> bool {
        let wanted = match self {
            Hold::Alone(_) => false,
            Hold::Among(shared, _) => shared.is_wanted(),
        };
        wanted || !self.has_room(purse)
    }

    /// Lets others have the tree for themselves, and has it so where room must be made.
    pub fn stop(self, purse: &mut Purse, near: &mut Near) -> Hold<'s> {
        match self {
            Hold::Alone(mut table) => {
                table.make_room(purse);
                Hold::Alone(table)
            }
            Hold::Among(shared, table) => {
                near.leave(&table);
                table.hear(purse);
                let lacks = !table.has_room(purse);
                drop(table);
                if lacks {
                    shared.have().make_room(purse);
                }
                Hold::Among(shared, shared.enter())
            }
        }
    }
}
