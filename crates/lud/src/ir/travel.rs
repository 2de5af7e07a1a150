//! Moves that place, take or carry pieces.

use super::{Bool, Directions, Int, Ints, Moves, Range, Region, Turn};
use crate::topo::{Dir, SiteType};

/// `(add …)` and `(claim …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Add {
    /// Which pieces.
    pub what: Vec<Int>,
    /// Their state.
    pub state: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
    /// Where: one site …
    pub site: Option<Int>,
    /// … or several.
    pub region: Option<Region>,
    /// At this level of a stack.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Option<Bool>,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// Only then.
    pub effect_if: Option<Bool>,
    /// How many.
    pub count: Int,
    /// A consequence that is a part of the move itself.
    pub with: Option<u32>,
    /// A player's decision.
    pub decision: bool,
}

/// The `(from …)` of a moving piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Kind of site, as written.
    pub kind: Option<SiteType>,
    /// One site …
    pub site: Int,
    /// … or several.
    pub region: Option<Region>,
    /// From this level.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Option<Bool>,
}

/// `(step …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// From where.
    pub from: Origin,
    /// Which way.
    pub dirs: Directions,
    /// Where to.
    pub cond: Bool,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// Whole stacks.
    pub stack: bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(slide …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// From where.
    pub from: Origin,
    /// Along this track.
    pub track: Option<Box<str>>,
    /// Which way.
    pub dirs: Directions,
    /// How far.
    pub distance: Range,
    /// What it may pass.
    pub go: Bool,
    /// What stops it, and where it then ends.
    pub stop: Option<Bool>,
    /// Where it may end.
    pub to: Option<Bool>,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// What happens to sites passed.
    pub between: Option<Moves>,
    /// What it leaves behind.
    pub trail: Option<Int>,
    /// Whole stacks.
    pub stack: bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(hop …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// From where.
    pub from: Origin,
    /// Which way.
    pub dirs: Directions,
    /// Where to.
    pub go: Bool,
    /// What it may jump.
    pub hurdle: Option<Bool>,
    /// How far before the hurdle.
    pub before: Int,
    /// Length of the hurdle.
    pub length: Range,
    /// How far after the hurdle.
    pub after: Int,
    /// What happens to the hurdle.
    pub effect: Option<Moves>,
    /// Where it may end by capturing.
    pub stop: Option<Bool>,
    /// What happens there.
    pub stop_effect: Option<Moves>,
    /// Whole stacks.
    pub stack: bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(leap …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Leap {
    /// From where.
    pub from: Origin,
    /// Along which walks.
    pub walks: Vec<Vec<Turn>>,
    /// Only ahead.
    pub forward: Bool,
    /// In all rotations.
    pub rotations: Bool,
    /// Where to.
    pub go: Bool,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// A player's decision.
    pub decision: bool,
}

/// `(fromTo …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct FromTo {
    /// From where.
    pub from: Origin,
    /// Kind of the site to move to, as written.
    pub to_kind: Option<SiteType>,
    /// Where to: one site …
    pub to: Int,
    /// … or several.
    pub to_region: Option<Region>,
    /// To this level.
    pub to_level: Option<Int>,
    /// With each of these rotations.
    pub rotations: Option<Ints>,
    /// Only if.
    pub cond: Bool,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// Only then.
    pub effect_if: Option<Bool>,
    /// How many pieces.
    pub count: Option<Int>,
    /// Copy rather than move.
    pub copy: Bool,
    /// Whole stacks.
    pub stack: bool,
    /// Whose move it is.
    pub mover: Option<Int>,
    /// A player's decision.
    pub decision: bool,
}

/// `(shoot …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Shoot {
    /// What it leaves.
    pub what: Int,
    /// From where.
    pub from: Int,
    /// Kind of site.
    pub kind: SiteType,
    /// Which way.
    pub dir: Dir,
    /// What it may pass.
    pub go: Bool,
    /// Where it may end.
    pub to: Bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(remove …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Remove {
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Region,
    /// At this level.
    pub level: Option<Int>,
    /// At the end of the turn.
    pub later: bool,
    /// How many.
    pub count: Int,
    /// A player's decision.
    pub decision: bool,
}

/// `(promote …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Promote {
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Int,
    /// Into what.
    pub into: Into_,
    /// A player's decision.
    pub decision: bool,
}

/// Pieces to promote into.
#[derive(Clone, Debug, PartialEq)]
pub enum Into_ {
    /// A piece named like this one, of this owner.
    Alike(Int, Int),
    /// These.
    Pieces(Vec<Int>),
    /// Pieces whose name contains one of these, of this player.
    Named(Vec<Box<str>>, Int),
}

/// `(select …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    /// Kind of the first site.
    pub kind: SiteType,
    /// From where.
    pub from: Region,
    /// At this level.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Bool,
    /// The second site.
    pub to: Option<SelectTo>,
    /// Whose move it is.
    pub mover: Option<Int>,
    /// A player's decision.
    pub decision: bool,
}

/// The second site of `(select …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectTo {
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub region: Region,
    /// At this level.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Bool,
}
