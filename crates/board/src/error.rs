//! Why a board cannot be made.

/// Where a part of a description was written. Whoever reads the text says what the numbers mean: a source
/// and a range of its bytes, as a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Which text.
    pub source: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Why a graph cannot be made from its description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The dimensions leave no site.
    #[error("these dimensions make a board without sites")]
    NoSites,
    /// More vertices than any game needs.
    #[error("a board of this size ({0} vertices) is too large")]
    TooLarge(usize),
    /// More edges than any game needs.
    #[error("a board with so many lines ({0}) is too large")]
    TooManyEdges(usize),
    /// A place beyond all use.
    #[error("this board reaches too far from the origin")]
    TooFar,
    /// A polygon of fewer than three sides.
    #[error("a ring needs at least three sides, not {0}")]
    TooFewSides(usize),
    /// A target is played on its rings.
    #[error("a target board is played on cells")]
    CellsOnly,
    /// Mancala boards have two to six rows.
    #[error("a mancala board has 2 to 6 rows, not {0}")]
    MancalaRows(i32),
    /// A name where a board was expected that is none.
    #[error("`{name}` makes no board")]
    UnknownGraph {
        /// What was written.
        name: String,
        /// Where.
        at: Place,
    },
    /// Something is missing, superfluous or of the wrong kind.
    #[error("{message}")]
    Argument {
        /// What is wrong.
        message: String,
        /// Where.
        at: Place,
    },
    /// A fault inside a larger description.
    #[error("{error}")]
    Inside {
        /// The fault itself.
        error: Box<BoardError>,
        /// The part that has it.
        at: Place,
    },
    /// A track that leaves the board or uses an unknown direction.
    #[error("track `{track}`: {message}")]
    Track {
        /// Name of the track.
        track: String,
        /// What is wrong.
        message: String,
    },
}

impl BoardError {
    /// Where the fault is, when it is known.
    pub fn place(&self) -> Option<Place> {
        match self {
            BoardError::UnknownGraph { at, .. }
            | BoardError::Argument { at, .. }
            | BoardError::Inside { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// The same fault with a place, unless it has one.
    pub fn at(self, at: Place) -> BoardError {
        if self.place().is_some() {
            return self;
        }
        BoardError::Inside { error: Box::new(self), at }
    }
}
