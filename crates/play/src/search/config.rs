//! What kind of search, as plain values.

/// How a move is chosen inside the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// Mean payoff plus `c · √(ln N / n)`.
    Ucb1 {
        /// How much to explore.
        c: f32,
    },
    /// As UCB1, but exploring less what varies less: `c · √(ln N / n · min(¼, variance + √(2 ln N / n)))`.
    Ucb1Tuned {
        /// How much to explore.
        c: f32,
    },
    /// The mean mixed with the mean over all simulations where the same player made the same move at any
    /// time after the node ("all moves as first"), plus what UCB1 explores. The share of the latter falls
    /// with the number of visits `p` as `a / (a + p + bias·a·p)`, where `a` is how often that happened.
    Grave {
        /// How much to explore.
        c: f32,
        /// How soon the move's own mean takes over.
        bias: f32,
        /// Those means come from the nearest node above with more visits than this; with zero it is
        /// the node itself, which is RAVE.
        reference: u32,
    },
    /// UCB1 plus the move's mean payoff anywhere in the search, weighed by `w / (losses + 1)`.
    History {
        /// How much to explore.
        c: f32,
        /// How much the history counts.
        w: f32,
    },
}

/// What makes two decisions the same node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keys {
    /// The position: different orders of the same moves share their statistics. Where parts of the
    /// position are hidden nobody knows it, and a search goes by [`Keys::OpenLoop`] instead.
    #[default]
    Position,
    /// The moves that led there from the root: a plain tree.
    Path,
    /// The players' moves alone: what chance gave in between is averaged over. Right where chance has
    /// too many outcomes for any to come twice, such as a deal.
    OpenLoop,
}

/// How players who move at once are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Simultaneous {
    /// Each player has statistics of his own moves alone.
    #[default]
    Decoupled,
    /// One level for each player, beginning with whoever thinks, as if the later ones had seen the
    /// earlier moves; the decisions are still applied together.
    Sequenced,
}

/// Which move is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FinalMove {
    /// The one most simulations chose.
    #[default]
    Visits,
    /// The one with the highest mean payoff.
    Mean,
}

/// All settings of a search but its playout policy and its budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchConfig {
    /// How moves are chosen inside the tree.
    pub selection: Selection,
    /// The value of a move that was never tried; infinite tries every move before any a second time.
    pub first_play: f32,
    /// Whether an untried move is worth what its node is worth on average, less `first_play` where that is a number.
    pub first_play_of_node: bool,
    /// Above zero, only so many moves of a node are tried, times the square root of its visits.
    pub widen: f32,
    /// How much of a move's value is what an evaluation makes of it, backed up by minimax.
    pub implicit: f32,
    /// Moves whose values differ from the best by at most this much count as equal and are drawn from.
    pub tie_margin: f32,
    /// What makes two decisions the same node.
    pub keys: Keys,
    /// How simultaneous moves are searched.
    pub simultaneous: Simultaneous,
    /// Which move is played.
    pub final_move: FinalMove,
    /// Whether results are proved where they can be, and what is proved is never searched again.
    pub solve: bool,
    /// How many searches without a visit a node survives; zero begins every search anew.
    pub reuse: u16,
    /// The budget of the first, second and third part of the game, as a factor (see `Rules::part`).
    pub parts: [f32; 3],
    /// Playouts from each new node, all at once where the game can; one with playouts that learn.
    pub leaf: u32,
    /// How many threads search one tree.
    pub threads: usize,
    /// No nodes are added beyond this many.
    pub max_nodes: usize,
    /// How much a prior counts, where there is one.
    pub prior_weight: f32,
    /// Above zero a prior is a bias that is added to UCB1 and fades as a move is tried.
    pub progressive: f32,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            selection: Selection::Ucb1 { c: 0.4 },
            first_play: f32::INFINITY,
            first_play_of_node: false,
            widen: 0.0,
            implicit: 0.0,
            tie_margin: 0.0,
            keys: Keys::Position,
            simultaneous: Simultaneous::Decoupled,
            final_move: FinalMove::Visits,
            solve: false,
            reuse: 0,
            parts: [1.0; 3],
            leaf: 1,
            threads: 1,
            max_nodes: 1 << 26,
            prior_weight: 1.25,
            progressive: 0.0,
        }
    }
}
