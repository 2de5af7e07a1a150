//! How much a compiler may do before it gives up: counted work, never time, so that the same
//! rules are compiled the same way on every machine.

use std::fmt;

/// The bounds of compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most rows that joins may look at.
    pub work: u64,
    /// Most ground terms and atoms.
    pub terms: usize,
    /// Most literals in ground rules.
    pub literals: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        // Each costs a few seconds and a few hundred megabytes at most.
        Bounds { work: 150_000_000, terms: 6_000_000, literals: 40_000_000 }
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
