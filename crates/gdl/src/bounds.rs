//! How much a compiler may do before it gives up: counted work, never time, so that the same
//! rules are compiled the same way on every machine. Only somebody who no longer wants the result
//! may end it earlier.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A signal from another thread that nobody wants the result any more. All copies are one signal.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends compilations that look at this signal within a moment, now and from now on.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The bounds of compilation.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Most rows that joins may look at.
    pub work: u64,
    /// Most ground terms and atoms.
    pub terms: usize,
    /// Most literals in ground rules.
    pub literals: usize,
    /// Ends the compilation when it is raised.
    pub cancel: Cancel,
}

impl Default for Bounds {
    fn default() -> Self {
        // Each costs a few seconds and a few hundred megabytes at most.
        let cancel = Cancel::default();
        Bounds { work: 150_000_000, terms: 6_000_000, literals: 40_000_000, cancel }
    }
}

impl Bounds {
    /// For rules that are to be evaluated directly and at once: little is worked out in advance, and what
    /// would be too much is looked up whenever it is asked for.
    pub fn hasty() -> Bounds {
        const HASTE: u64 = 50;
        let all = Bounds::default();
        Bounds { work: all.work / HASTE, terms: all.terms / HASTE as usize, ..all }
    }
}

/// A bound was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceeded {
    what: &'static str,
    stage: &'static str,
}

impl Exceeded {
    /// Which bound it was: work, or else memory.
    pub(super) fn of(work: bool, stage: &'static str) -> Exceeded {
        Exceeded { what: if work { "work" } else { "memory" }, stage }
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} needs more {} than the bound allows", self.stage, self.what)
    }
}
