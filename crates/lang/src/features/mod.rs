//! Geometric features: patterns of pieces around a move, located by walks through a board's graph.
//!
//! A feature says nothing of any one board. It names a move by its ends (and, where it is a reply, by the
//! ends of the move before it) and tests a few sites, all of them reached by walks from one anchor. Two
//! notations are read and printed: the text form that Ludii's files use ([`Notation::Ludii`]) and the
//! symbols of the paper that proposed the idea ([`Notation::Paper`]). What a walk reaches, and what a test
//! means on a board, is not known here.

mod cursor;
mod file;
mod ludii;
mod metadata;
mod paper;
mod print;

use crate::diagnostic::{Diagnostic, SourceId, Span};

pub use file::{
    Entry, MAX_FEATURES, MAX_FILE, Weights, read_set, read_weights, write_set, write_weights,
};
pub use metadata::{MetadataSet, read_metadata};

/// The longest walk that is read. Those of trained sets have fewer than twenty steps.
pub const MAX_STEPS: usize = 200;

/// The most elements of one pattern that are read. Those of trained sets have fewer than thirty.
pub const MAX_ELEMENTS: usize = 500;

/// The way a feature is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Notation {
    /// `rel:to=<{}>:pat=<els=[-{}, f{0}]>`: `-` is an empty site.
    #[default]
    Ludii,
    /// `.{} o{0} -> to {}`: `-` is off the board.
    Paper,
}

/// One feature.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// A pattern around a move.
    Spatial(Spatial),
    /// Holds for a pass.
    Pass,
    /// Holds for the exchange of sides that a pie rule allows.
    Swap,
    /// Holds for every move.
    Intercept,
}

/// A pattern around a move.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Spatial {
    /// Where the move before this one started.
    pub last_from: Option<Place>,
    /// Where the move before this one ended.
    pub last_to: Option<Place>,
    /// Where the move starts.
    pub from: Option<Place>,
    /// Where the move ends.
    pub to: Option<Place>,
    /// What must stand around it.
    pub pattern: Pattern,
    /// What somebody wrote about it; means nothing.
    pub comment: Option<String>,
}

/// What must be present or absent, in every allowed rotation and reflection.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pattern {
    /// The tests; all must hold.
    pub elements: Vec<Element>,
    /// The allowed rotations.
    pub rotations: Rotations,
    /// The allowed reflections.
    pub reflections: Reflections,
}

/// The rotations in which a pattern is looked for.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Rotations {
    /// One for each side of the anchor.
    #[default]
    All,
    /// These, in turns, on every anchor.
    These(Vec<Turn>),
}

/// Whether the mirror image of a pattern counts as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reflections {
    /// The pattern and its mirror image.
    #[default]
    Both,
    /// The pattern as it is written.
    Plain,
}

/// One test at one place.
#[derive(Clone, Debug)]
pub struct Element {
    /// What is tested.
    pub test: Test,
    /// Whether it must hold or must not.
    pub sense: Sense,
    /// Where.
    pub place: Place,
    /// Where it is written.
    pub span: Span,
}

/// Elements that say the same are equal, wherever they are written.
impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        (self.test, self.sense) == (other.test, other.sense) && self.place == other.place
    }
}

/// Whether a test must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Sense {
    /// It must hold.
    #[default]
    Must,
    /// It must not hold, written `!`.
    MustNot,
}

/// What an element asks of a site, for the player whose move is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Nothing stands there.
    Empty,
    /// A piece of his own.
    Friend,
    /// A piece of somebody else.
    Enemy,
    /// There is no such site.
    Off,
    /// Nothing is asked.
    Any,
    /// A piece of this player, from 1.
    Player(u32),
    /// The piece with this index.
    Item(u32),
    /// It is this site.
    Position(u32),
    /// It has so many sides.
    Connectivity(u32),
    /// It is nearer to this region than the anchor is.
    Nearer(u32),
    /// Along an orthogonal line the first piece in sight is this one.
    SeesOrthogonally(u32),
    /// Along a diagonal line the first piece in sight is this one.
    SeesDiagonally(u32),
}

/// A site, relative to the anchor or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Where a walk from the anchor ends.
    Walk(Walk),
    /// A site of the board by its number: for features of one board only.
    Site(u32),
}

/// Steps from site to site, each with the turn before it. The empty walk stays where it is.
pub type Walk = Vec<Turn>;

/// A turn before a step, clockwise, as a part of the full circle. Single precision, as in the reference:
/// whether a turn falls halfway between two sides depends on it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Turn(pub f32);

impl Turn {
    /// So many parts of a circle that is divided into `sides`.
    pub fn of(parts: i32, sides: u32) -> Self {
        // A negative zero would be written as one.
        Turn(parts as f32 / sides as f32 + 0.0)
    }
}

impl Feature {
    /// Reads one feature; which notation it is in shows in the text.
    pub fn read(text: &str, source: SourceId) -> Result<Feature, Diagnostic> {
        read_at(text, 0..text.len(), source).map(|(feature, _)| feature)
    }

    /// The feature as text.
    pub fn write(&self, notation: Notation) -> String {
        print::feature(self, notation)
    }
}

impl Spatial {
    /// Whether it looks at the move before.
    pub fn is_reactive(&self) -> bool {
        self.last_from.is_some() || self.last_to.is_some()
    }

    /// The places of the move's ends and of the ends of the move before, as far as they are given, in the
    /// order in which they are printed.
    pub fn ends(&self) -> [Option<&Place>; 4] {
        [&self.last_from, &self.last_to, &self.from, &self.to].map(Option::as_ref)
    }
}

/// Reads the feature in a part of a text, such as a line of a file.
fn read_at(
    text: &str,
    range: std::ops::Range<usize>,
    source: SourceId,
) -> Result<(Feature, Notation), Diagnostic> {
    let mut cursor = cursor::Cursor::new(text, range, source);
    cursor.skip_blank();
    let aspatial = [
        ("PassMove", Feature::Pass),
        ("SwapMove", Feature::Swap),
        ("Intercept", Feature::Intercept),
    ];
    for (word, feature) in aspatial {
        if cursor.take(word) {
            cursor.finish()?;
            return Ok((feature, Notation::Ludii));
        }
    }
    if cursor.take("rel:") {
        return ludii::read(&mut cursor, ludii::Frame::Relative).map(|f| (f, Notation::Ludii));
    }
    if cursor.take("abs:") {
        return ludii::read(&mut cursor, ludii::Frame::Absolute).map(|f| (f, Notation::Ludii));
    }
    if cursor.rest().contains("->") {
        return paper::read(&mut cursor).map(|f| (f, Notation::Paper));
    }
    let span = cursor.span_of_rest();
    Err(Diagnostic::error("this is not a feature", span)
        .help("a feature begins with `rel:` or `abs:`, is `PassMove`, `SwapMove` or `Intercept`, or is a pattern with `-> to {…}` in the paper's symbols"))
}
