//! What moves bring about: captures, sowing, and settings of sites.

use super::{Bool, Directions, HiddenData, Int, Moves, Range, Region, Who};
use crate::topo::{Dir, SiteType};

/// `(sow …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sow {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub start: Int,
    /// How many; what lies there by default.
    pub count: Option<Int>,
    /// How many per hole.
    pub per_hole: Int,
    /// Along which track.
    pub track: Option<Box<str>>,
    /// Whose track.
    pub owner: Option<Int>,
    /// When the effect applies.
    pub cond: Option<Bool>,
    /// At every hole.
    pub sow_effect: Option<Moves>,
    /// At the last hole.
    pub effect: Option<Moves>,
    /// The start is sown as well.
    pub include_self: bool,
    /// A seed first goes to the start.
    pub origin: Bool,
    /// Holes to leave out.
    pub skip: Option<Bool>,
    /// The effect goes back along the track while the condition holds.
    pub backtracking: Option<Bool>,
    /// The effect goes on along the track while the condition holds.
    pub forward: Option<Bool>,
}

/// `(custodial …)` and `(intervene …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Custodial {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which way.
    pub dir: Dir,
    /// How many are caught.
    pub length: Range,
    /// What is caught.
    pub target: Bool,
    /// What catches.
    pub friend: Bool,
    /// What happens to them.
    pub effect: Moves,
}

/// `(surround …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Surround {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which neighbours surround.
    pub relation: Dir,
    /// What is caught.
    pub target: Bool,
    /// What catches.
    pub friend: Bool,
    /// How many may be missing.
    pub except: Int,
    /// A piece that must take part.
    pub with: Option<Int>,
    /// What happens to the caught.
    pub effect: Moves,
}

/// `(enclose …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Enclose {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Connection.
    pub dirs: Directions,
    /// What is caught.
    pub target: Bool,
    /// How many liberties may be left.
    pub exceptions: Int,
    /// What happens to the caught.
    pub effect: Moves,
}

/// `(directional …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Directional {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which way.
    pub dirs: Directions,
    /// What is caught.
    pub target: Bool,
    /// What happens to them.
    pub effect: Moves,
}

/// Setting one number of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct SetSite {
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Int,
    /// At this level.
    pub level: Option<Int>,
    /// To this.
    pub value: Int,
}

/// `(set Rotation …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetRotation {
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Int,
    /// To any of these.
    pub to: Vec<Int>,
    /// One back.
    pub previous: Option<Bool>,
    /// One on.
    pub next: Option<Bool>,
    /// A player's decision.
    pub decision: bool,
}

/// `(set Hidden …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetHidden {
    /// What is hidden.
    pub data: Vec<HiddenData>,
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Region,
    /// At this level.
    pub level: Int,
    /// Hidden or shown.
    pub value: Bool,
    /// To whom.
    pub to: Who,
}

/// `(take Control …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeControl {
    /// Of whose pieces.
    pub of: Who,
    /// Who takes.
    pub by: Int,
    /// Where.
    pub at: Option<Region>,
    /// Kind of site.
    pub kind: Option<SiteType>,
}

/// `(note …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The message, where it is fixed.
    pub text: NoteText,
    /// From whom.
    pub from: Option<Int>,
    /// To whom.
    pub to: Option<Who>,
}

/// What a note says.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteText {
    /// A text.
    Text(Box<str>),
    /// A number.
    Int(Int),
    /// Whether something holds.
    Bool(Bool),
    /// Sites.
    Sites(Region),
    /// The bounds of a range.
    Range(Range),
}
