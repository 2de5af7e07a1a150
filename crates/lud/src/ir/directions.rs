//! Directions, walks and ranges.

use super::{Bool, Int};
use crate::memo::Memo;
use crate::topo::{Dir, Dirs, SiteType};

/// Neighbourhood relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Across an edge.
    Orthogonal,
    /// Across a corner.
    Diagonal,
    /// Off-diagonal.
    OffDiagonal,
    /// Touching in any way.
    Adjacent,
    /// Adjacent or off-diagonal.
    All,
}

impl Relation {
    /// Whether sites related so touch at most in a corner: no edges do.
    pub fn is_crossing(self) -> bool {
        matches!(self, Relation::Diagonal | Relation::OffDiagonal)
    }
}

/// One element of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A step forward.
    Forward,
    /// A turn to the left.
    Left,
    /// A turn to the right.
    Right,
}

/// A range of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub min: Int,
    /// The greatest.
    pub max: Int,
}

/// Directions, absolute or seen from a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Directions {
    /// Absolute.
    Absolute(Vec<Dir>),
    /// Seen from the piece at the site.
    Relative {
        /// Which.
        dirs: Vec<RelativeDir>,
        /// Among the directions of this relation.
        relation: Relation,
        /// Among the directions of the site itself.
        by_site: bool,
        /// What they are for every way a piece may face, by kind of site.
        known: [Memo<Vec<Dirs>>; 3],
    },
    /// The direction from one site to another.
    FromTo(SiteType, Box<Int>, Box<Int>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Directions>, Box<Directions>),
    /// Union.
    Union(Box<Directions>, Box<Directions>),
    /// First without second.
    Difference(Box<Directions>, Box<Directions>),
    /// `(directions Random …)`: so many of them, drawn each time.
    Random(Box<Directions>, Box<Int>),
}

/// Directions seen from a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelativeDir {
    /// Exactly ahead, or the like, by name.
    Turned(&'static str),
    /// As the last move went.
    Same,
    /// Against the last move.
    Opposite,
}
