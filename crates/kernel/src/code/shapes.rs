//! Families of moves: where they start, how they go, where they end.

use super::{Num, Set};
use ludex_lud::sites::SiteSet;

/// Families that are generated together from the same sets.
#[derive(Clone, Debug, Default)]
pub struct Leaf {
    /// Sets worked out once before the families.
    pub operands: Vec<Set>,
    /// The families.
    pub families: Vec<Family>,
}

/// Moves of one kind: which sites they start from and which they lead to.
#[derive(Clone, Debug)]
pub struct Family {
    /// How they go.
    pub shape: Shape,
    /// Where they start (an operand).
    pub from: u8,
    /// Where they end (an operand).
    pub to: u8,
    /// What they do.
    pub deed: u16,
}

impl Family {
    /// The sets its moves may end in (operands): a hop may end where it cannot land.
    pub fn ends(&self) -> impl Iterator<Item = u8> {
        let taking = match &self.shape {
            Shape::Hop(hop) => hop.stop,
            _ => None,
        };
        [Some(self.to), taking].into_iter().flatten()
    }
}

/// How the moves of a family go.
#[derive(Clone, Debug)]
pub enum Shape {
    /// On the spot: the sites of `to`.
    Spot,
    /// By a constant difference of site numbers, to these sites only.
    Shift(i32, SiteSet),
    /// From each site to those of its row in a table of sets.
    Table(usize),
    /// From each site of `from` to the one a table of numbers has for it: moves are counted by their starts.
    Function(usize),
    /// From each site along its rays: through sites of one operand, and onto one of another, where it ends.
    Slide {
        /// A table of rays.
        rays: usize,
        /// What it may pass (an operand).
        go: u8,
        /// What stops it and where it then ends (an operand).
        stop: u8,
        /// The piece stays and something else comes to the end.
        shot: bool,
    },
    /// Again and again by a constant difference, to these sites only: through sites of one operand, and onto
    /// one of another, where it ends.
    Glide {
        /// Difference to the next site.
        by: i32,
        /// The sites it may come to.
        ends: SiteSet,
        /// How often at most.
        limit: u16,
        /// What it may pass (an operand).
        go: u8,
        /// What stops it and where it then ends (an operand).
        stop: u8,
    },
    /// By a constant difference over a site at another.
    Jump {
        /// Difference to the end.
        by: i32,
        /// Difference to the site jumped.
        over: i32,
        /// Where it may end.
        ends: SiteSet,
        /// What may be jumped (an operand).
        hurdle: u8,
    },
    /// Over hurdles along rays, in the general way.
    Hop(Box<Hop>),
    /// Along a path of a track: onto the first site that stops it once it is armed.
    Track {
        /// A table of paths.
        paths: usize,
        /// Which path of every site.
        number: usize,
        /// What it may pass (an operand).
        go: u8,
        /// What it may end on (an operand).
        stop: u8,
    },
    /// From each site to those of a set that depends on it.
    Each(Box<Set>),
    /// No site at all: one move.
    Pass,
}

impl Shape {
    /// The operands it has besides start and end.
    pub fn operands(&mut self) -> Vec<&mut u8> {
        match self {
            Shape::Slide { go, stop, .. }
            | Shape::Track { go, stop, .. }
            | Shape::Glide { go, stop, .. } => vec![go, stop],
            Shape::Jump { hurdle, .. } => vec![hurdle],
            Shape::Hop(hop) => {
                let mut all = vec![&mut hop.hurdle];
                all.extend(hop.stop.as_mut());
                all
            }
            Shape::Spot
            | Shape::Shift(..)
            | Shape::Table(_)
            | Shape::Function(_)
            | Shape::Each(_)
            | Shape::Pass => Vec::new(),
        }
    }
}

/// A hop in the general way.
#[derive(Clone, Debug)]
pub struct Hop {
    /// A table of rays.
    pub rays: usize,
    /// What may be jumped (an operand).
    pub hurdle: u8,
    /// How long the hurdle is; may depend on the start.
    pub length: Num,
    /// How far before the hurdle.
    pub before: i32,
    /// How far after it.
    pub after: i32,
    /// Ends only where it may not land but may take (an operand).
    pub stop: Option<u8>,
}

impl Hop {
    /// Over the next site onto the one after it.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        let near = self.before == 0 && self.after == 0;
        near && self.stop.is_none() && matches!(self.length, Num::Const(1))
    }
}

/// A straight walk from a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Ray {
    /// The sites, nearest first.
    pub sites: Vec<u16>,
    /// How many of them are too near to end on.
    pub near: usize,
}

/// A walk along a track: sites, each with whether a capture is possible there.
pub type TrackPath = Vec<(u16, bool)>;
