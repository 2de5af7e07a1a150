//! Geometric features on a board: where a pattern can stand, and for which moves it holds.
//!
//! A [`Pattern`] is located by walks relative to an anchor and knows no board. On a [`Ground`] it has
//! instances, one for each anchor, rotation and reflection in which it fits; an [`Instance`] names sites and
//! what must stand on them. That is the definition, and the slow way of asking ([`Plain`]); [`Layers`] ask it of all
//! places at once, and [`Weights`] keep the answers from one position to the next.

mod classes;
mod codes;
mod ground;
mod instance;
mod judge;
mod layers;
mod plain;
mod walk;
mod weights;

pub use classes::Classes;
pub use codes::CodeKeys;
pub use ground::Ground;
pub use instance::{Ask, Condition, Instance, MoveEnds, instances};
pub use judge::Judge;
pub use layers::{Layers, Weighed};
pub use plain::{Anchoring, MAX_INSTANCES, Plain};
pub use walk::{WalkEnd, Walks, destinations, end_of_walk};
pub use weights::Weights;

use thiserror::Error;

/// How a text is turned into instances where the paper and Ludii differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Reading {
    /// As the paper says: a step that is halfway between two sides is taken both ways, and every rotation
    /// and reflection counts.
    #[default]
    Paper,
    /// As Ludii's files mean it: one way for every step; a pattern without elements in its first rotation
    /// only; a site excludes at most one owner and one piece; a feature is looked for only around the ends
    /// of the move, not from other anchors.
    Ludii,
}

/// What a feature asks of a move and of the sites around it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pattern {
    /// The ends of the move before this one, and of this one.
    pub ends: MoveEnds<Option<Place>>,
    /// The tests.
    pub elements: Vec<Element>,
    /// The rotations, in parts of a circle; none: one for each side of the anchor.
    pub rotations: Option<Vec<f32>>,
    /// Whether the mirror image counts as well.
    pub reflects: bool,
}

impl Pattern {
    /// Whether all its places are certain sites, and there are any.
    pub fn is_absolute(&self) -> bool {
        let mut places = Vec::new();
        self.ends.map(|place| places.extend(place));
        places.extend(self.elements.iter().map(|element| &element.place));
        !places.is_empty() && places.iter().all(|place| matches!(place, Place::Site(_)))
    }

    /// Whether it looks at the move before.
    pub fn is_reactive(&self) -> bool {
        self.ends.last_from.is_some() || self.ends.last_to.is_some()
    }
}

/// A site relative to an anchor, or a certain one.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Turns before steps, clockwise, in parts of a circle.
    Walk(Vec<f32>),
    /// This site.
    Site(u32),
}

/// A test at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// What is asked.
    pub test: Test,
    /// Whether it must not hold.
    pub negated: bool,
    /// Where.
    pub place: Place,
}

/// What is asked of a site, for the player whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// It is empty.
    Empty,
    /// A piece of his own stands there.
    Friend,
    /// A piece of somebody else stands there.
    Enemy,
    /// There is no site.
    Off,
    /// Nothing.
    Any,
    /// A piece of this player stands there, from 1.
    Player(u32),
    /// The piece with this index stands there.
    Item(u32),
    /// It is this site.
    Position(u32),
    /// It has so many sides.
    Connectivity(u32),
    /// It is nearer to this region than the anchor is.
    Nearer(u32),
    /// The first piece along an orthogonal line is this one.
    SeesOrthogonally(u32),
    /// The first piece along a diagonal line is this one.
    SeesDiagonally(u32),
}

/// Why a pattern has no instances on a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FeatureError {
    /// It is halfway between sides too often.
    #[error("a pattern can be read in more than {limit} ways from one site of this board")]
    Ambiguous {
        /// How many ways are tried.
        limit: usize,
    },
    /// It names a region the board has not, or one that moves.
    #[error("the game has no fixed region {region} that a pattern could be near to")]
    NoRegion {
        /// The region.
        region: u32,
    },
    /// It names a site the board has not.
    #[error("the board has no site {site}")]
    NoSite {
        /// The site.
        site: u32,
    },
    /// There are too many.
    #[error("the features have more than {limit} instances on this board")]
    TooMany {
        /// How many are made.
        limit: usize,
    },
}
