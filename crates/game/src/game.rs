//! A game as everything to its right sees it: one `dyn` type, whatever the language and the state.

#[cfg(feature = "lanes")]
use std::sync::Arc;

use crate::choices::{Choices, Marks, Space};
#[cfg(feature = "lanes")]
use crate::lanes::{Lanes, Plan};
use crate::offers::{Course, Script, Scripts, SeenMoves, no_script};
#[cfg(feature = "lanes")]
use crate::planes::{Kept, Planes};
use crate::playout::{Played, Sampling, Scratch, Style};
use crate::{
    Coding, Detail, Ends, Families, GameError, GameInfo, Geometry, Move, Place, Player, Rng, State,
    Turn, View,
};

/// The rules of a game with the type of its states hidden; [`erase`](crate::erase) makes one.
///
/// A state is for the game it came from. Handed to another, whatever can say so gives [`GameError::Foreign`]
/// ([`Game::check`] does nothing else), the game is over there with a tie and without moves, and nothing is changed.
pub trait Game: Send + Sync {
    /// What is known before play.
    fn info(&self) -> &GameInfo;

    /// The position before the first move.
    fn start(&self) -> State;

    /// Whether a state came from this game.
    fn check(&self, state: &State) -> Result<(), GameError>;

    /// Whose turn it is. A player who is to move has at least one legal move.
    fn turn(&self, state: &State) -> Turn;

    /// Adds the legal moves of a player whose turn it is, in an order that depends on the state alone.
    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>);

    /// Plays one legal move for each moving player, in player order; for chance, its one outcome.
    fn apply(&self, state: &mut State, joint: &[Move]);

    /// A hash of all that the future depends on, whose turn it is included.
    fn hash(&self, state: &State) -> u64;

    /// The stable text of a legal move (`player` is whoever moves; `None` for chance).
    fn move_text(&self, state: &State, player: Option<Player>, mv: Move) -> String;

    /// The texts of these legal moves; see [`Rules::move_texts`](crate::Rules::move_texts).
    fn move_texts(&self, state: &State, player: Player, moves: &[Move]) -> Vec<String>;

    /// The legal move with this text.
    fn parse_move(&self, state: &State, player: Player, text: &str) -> Result<Move, GameError>;

    /// The position as text, as `viewer` sees it (`None` sees everything).
    fn show(&self, state: &State, viewer: Option<Player>) -> String;

    /// The board, where there is one; see [`Rules::geometry`](crate::Rules::geometry).
    fn geometry(&self) -> Option<&Geometry>;

    /// Writes what stands where; see [`Rules::view`](crate::Rules::view).
    fn view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View);

    /// Where a legal move starts and ends, and its kind; see [`Rules::ends`](crate::Rules::ends).
    fn ends(&self, state: &State, player: Option<Player>, mv: Move) -> Ends;

    /// The same of the move that led here; see [`Rules::last_move`](crate::Rules::last_move).
    fn last_move(&self, state: &State) -> Option<Ends>;

    /// The board as planes of numbers show it; see [`Rules::plane_geometry`](crate::Rules::plane_geometry).
    fn plane_geometry(&self) -> Option<&Geometry>;

    /// Writes what stands where on that board; see [`Rules::plane_view`](crate::Rules::plane_view).
    fn plane_view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View);

    /// The last move on that board; see [`Rules::plane_last`](crate::Rules::plane_last).
    fn plane_last(&self, state: &State) -> Option<Ends>;

    /// Writes planes of a position as a player sees it, plane after plane.
    #[cfg(feature = "lanes")]
    fn write_planes(
        &self,
        state: &State,
        planes: &Planes,
        looks: Player,
        kept: &mut Kept,
        view: &mut View,
        out: &mut [u8],
    );

    /// The legal moves of a player whose turn it is, by numbers that do not depend on the position.
    fn choices(
        &self,
        state: &State,
        player: Player,
        space: Space,
        marks: &mut Marks,
        out: &mut Choices,
    );

    /// The move at a place of such choices.
    fn chosen(&self, state: &State, player: Player, choices: &Choices, place: Place) -> Move;

    /// Many games of this kind side by side.
    #[cfg(feature = "lanes")]
    fn lanes(self: Arc<Self>, count: usize, plan: Plan) -> Box<dyn Lanes>;

    /// Draws the outcome of a chance turn.
    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Move;

    /// Lists the outcomes of a chance turn with their probabilities; `false` where they are too many.
    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Move, f64)>) -> bool;

    /// Reads the outcome of a chance turn from its text.
    fn parse_chance(&self, state: &State, text: &str) -> Option<Move>;

    /// A full state drawn from all that are consistent with what `player` knows.
    fn determinize(&self, state: &State, player: Player, rng: &mut Rng) -> State;

    /// Codes of `player` are below this; zero where the game has none.
    fn code_count(&self, player: Player, coding: Coding) -> u32;

    /// The code of a legal move.
    fn code(&self, state: &State, player: Player, mv: Move, coding: Coding) -> u32;

    /// See [`Rules::code_ends`].
    fn code_ends(&self, player: Player, code: u32) -> Option<Ends>;

    /// Writes the legal moves of a player as sets of codes; where those alone are left that he must make
    /// for want of others, nothing.
    fn families(&self, state: &State, player: Player, coding: Coding, out: &mut Families);
    /// The move that a member of these families is.
    fn member(&self, state: &State, player: Player, families: &Families, place: Place) -> Move;

    /// Adds the legal moves of a lone mover that win the game at once. Where the machine knows as a set which may, no other is tried.
    fn winning_moves(&self, state: &State, player: Player, out: &mut Vec<Move>);

    /// Names of numbers that describe a position from a player's side.
    fn attributes(&self) -> &[String];

    /// Writes those numbers, one for each name.
    fn attribute_values(&self, state: &State, player: Player, out: &mut [f32]);

    /// Parts of the game and turns of several decisions; see [`Rules::course`](crate::Rules::course).
    fn course(&self) -> Option<&dyn Course<State>>;

    /// Moves that others do not see whole; see [`Rules::seen_moves`](crate::Rules::seen_moves).
    fn seen_moves(&self) -> Option<&dyn SeenMoves<State>>;

    /// Players that come with the game; see [`Rules::scripts`](crate::Rules::scripts).
    fn scripts(&self) -> Option<&dyn Scripts<State>>;

    /// A legal move, each with the same probability; `families` is scratch memory.
    fn random_move(
        &self,
        state: &State,
        player: Player,
        rng: &mut Rng,
        families: &mut Families,
    ) -> Move;

    /// Writes each player's payoff; a game that is not over counts as a tie.
    fn payoffs(&self, state: &State, out: &mut [f32]);

    /// Adds the codes of the given moves.
    fn codes(
        &self,
        state: &State,
        player: Player,
        moves: &[Move],
        coding: Coding,
        out: &mut Vec<u32>,
    );

    /// Plays on to the end by the given policy and returns the number of plies. The state is then
    /// good for [`Game::turn`] and [`Game::payoffs`] only.
    fn playout(
        &self,
        state: &mut State,
        sampling: &mut Sampling,
        style: Style,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> u32;

    /// Plays uniformly random games from a state to their ends, one after the other, and tells how each ended, until `tell`
    /// wants no more.
    fn playouts(&self, start: &State, rng: &mut Rng, tell: &mut dyn FnMut(Played<'_>) -> bool);

    /// Many uniform playouts at once, where the game can; see [`Rules::playout_batch`](crate::Rules::playout_batch).
    fn playout_batch(
        &self,
        state: &State,
        rng: &mut Rng,
        count: u64,
        finished: &mut dyn FnMut(&[f32], u32),
    ) -> bool;
}

impl dyn Game + '_ {
    /// What `viewer` learns of a move that `player` makes: the whole of it, unless something stays hidden.
    pub fn seen_move_text(
        &self,
        state: &State,
        player: Player,
        mv: Move,
        viewer: Player,
    ) -> String {
        match self.seen_moves() {
            Some(seen) => seen.seen_move_text(state, player, mv, viewer),
            None => self.move_text(state, Some(player), mv),
        }
    }

    /// The scripted player with this text, if the game brings it.
    pub fn script(&self, text: &str) -> Result<Script, GameError> {
        match self.scripts() {
            Some(scripts) => scripts.script(text),
            None => Err(no_script(&self.info().name, text)),
        }
    }
}
