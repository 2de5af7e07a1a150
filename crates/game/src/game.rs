//! A game as everything to its right sees it: one `dyn` type, whatever the language and the state.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::choices::{Choices, Marks, Space};
use crate::lanes::{Lanes, Plan, Typed};
use crate::playout::{self, Recording, Sampling, Scratch, Style};
use crate::{
    Coding, Detail, Ends, Families, GameError, GameInfo, Geometry, Move, Place, Player, Rng,
};
use crate::{Rules, Script, Turn, View};

/// A position of some game. Only the game it came from can read it.
pub struct State(Box<dyn ErasedState>);

trait ErasedState: Send + Sync {
    fn clone_box(&self) -> Box<dyn ErasedState>;
    fn copy_from(&mut self, other: &dyn ErasedState);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Clone + Send + Sync + 'static> ErasedState for S {
    fn clone_box(&self) -> Box<dyn ErasedState> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn ErasedState) {
        self.clone_from(typed(other));
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

#[inline]
fn typed<S: 'static>(state: &dyn ErasedState) -> &S {
    state.as_any().downcast_ref().expect("a state is given to the game it came from")
}

impl State {
    #[inline]
    fn get<S: 'static>(&self) -> &S {
        typed(&*self.0)
    }

    #[inline]
    fn get_mut<S: 'static>(&mut self) -> &mut S {
        let state = self.0.as_any_mut().downcast_mut();
        state.expect("a state is given to the game it came from")
    }

    /// Makes this state equal to another of the same game without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &State) {
        self.0.copy_from(&*other.0);
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State(self.0.clone_box())
    }

    fn clone_from(&mut self, other: &Self) {
        self.copy_from(other);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("State")
    }
}

/// The rules of a game with the type of its states hidden; [`erase`] makes one. A state is given only to the
/// game it came from.
pub trait Game: Send + Sync {
    /// What is known before play.
    fn info(&self) -> &GameInfo;

    /// The position before the first move.
    fn start(&self) -> State;

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

    /// What `viewer` learns of a move that `player` makes.
    fn seen_move_text(&self, state: &State, player: Player, mv: Move, viewer: Player) -> String;

    /// The legal move with this text.
    fn parse_move(&self, state: &State, player: Player, text: &str) -> Result<Move, GameError>;

    /// The position as text, as `viewer` sees it (`None` sees everything).
    fn show(&self, state: &State, viewer: Option<Player>) -> String;

    /// The board, where there is one; see [`Rules::geometry`].
    fn geometry(&self) -> Option<&Geometry>;

    /// Writes what stands where; see [`Rules::view`].
    fn view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View);

    /// Where a legal move starts and ends, and its kind; see [`Rules::ends`].
    fn ends(&self, state: &State, player: Option<Player>, mv: Move) -> Ends;

    /// The same of the move that led here; see [`Rules::last_move`].
    fn last_move(&self, state: &State) -> Option<Ends>;

    /// The board as planes of numbers show it; see [`Rules::plane_geometry`].
    fn plane_geometry(&self) -> Option<&Geometry>;

    /// Writes what stands where on that board; see [`Rules::plane_view`].
    fn plane_view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View);

    /// The last move on that board; see [`Rules::plane_last`].
    fn plane_last(&self, state: &State) -> Option<Ends>;

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

    /// Names of numbers that describe a position from a player's side.
    fn attributes(&self) -> &[String];

    /// Writes those numbers, one for each name.
    fn attribute_values(&self, state: &State, player: Player, out: &mut [f32]);

    /// What tells a move from others as far as attributes go; see [`Rules::attribute_key`].
    fn attribute_key(&self, state: &State, player: Player, mv: Move) -> u64;

    /// Whether this decision completes the turn just played; see [`Rules::mid_turn`].
    fn mid_turn(&self, state: &State) -> bool;

    /// Which part of the game this is, from zero: an age, an opening.
    fn part(&self, state: &State) -> usize;

    /// Understands the text of a scripted player that comes with the game.
    fn script(&self, text: &str) -> Result<Script, GameError>;

    /// What a scripted player does. It looks only at what `player` knows.
    fn scripted_move(&self, script: Script, state: &State, player: Player, rng: &mut Rng) -> Move;

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

    /// Many uniform playouts at once, where the game can; see [`Rules::playout_batch`].
    fn playout_batch(
        &self,
        state: &State,
        rng: &mut Rng,
        count: u64,
        finished: &mut dyn FnMut(&[f32], u32),
    ) -> bool;
}

/// Hides the type of a game's states.
pub fn erase<R: Rules>(rules: R) -> Arc<dyn Game> {
    Arc::new(Erased(rules))
}

struct Erased<R>(R);

impl<R> AsRef<R> for Erased<R> {
    #[inline(always)]
    fn as_ref(&self) -> &R {
        &self.0
    }
}

impl<R: Rules> Game for Erased<R> {
    fn info(&self) -> &GameInfo {
        self.0.info()
    }

    fn start(&self) -> State {
        State(Box::new(self.0.start()))
    }

    fn turn(&self, state: &State) -> Turn {
        self.0.turn(state.get())
    }

    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        self.0.moves(state.get(), player, out);
    }

    fn apply(&self, state: &mut State, joint: &[Move]) {
        self.0.apply(state.get_mut(), joint);
    }

    fn hash(&self, state: &State) -> u64 {
        self.0.hash(state.get())
    }

    fn move_text(&self, state: &State, player: Option<Player>, mv: Move) -> String {
        self.0.move_text(state.get(), player, mv)
    }

    fn seen_move_text(&self, state: &State, player: Player, mv: Move, viewer: Player) -> String {
        self.0.seen_move_text(state.get(), player, mv, viewer)
    }

    fn parse_move(&self, state: &State, player: Player, text: &str) -> Result<Move, GameError> {
        self.0.parse_move(state.get(), player, text)
    }

    fn show(&self, state: &State, viewer: Option<Player>) -> String {
        self.0.show(state.get(), viewer)
    }

    fn geometry(&self) -> Option<&Geometry> {
        self.0.geometry()
    }

    fn view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View) {
        self.0.view(state.get(), viewer, detail, out);
    }

    fn ends(&self, state: &State, player: Option<Player>, mv: Move) -> Ends {
        self.0.ends(state.get(), player, mv)
    }

    fn last_move(&self, state: &State) -> Option<Ends> {
        self.0.last_move(state.get())
    }

    fn plane_geometry(&self) -> Option<&Geometry> {
        self.0.plane_geometry()
    }

    fn plane_view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View) {
        self.0.plane_view(state.get(), viewer, detail, out);
    }

    fn plane_last(&self, state: &State) -> Option<Ends> {
        self.0.plane_last(state.get())
    }

    fn choices(
        &self,
        state: &State,
        player: Player,
        space: Space,
        marks: &mut Marks,
        out: &mut Choices,
    ) {
        out.fill(&self.0, state.get(), player, space, marks);
    }

    fn chosen(&self, state: &State, player: Player, choices: &Choices, place: Place) -> Move {
        choices.member(&self.0, state.get(), player, place)
    }

    fn lanes(self: Arc<Self>, count: usize, plan: Plan) -> Box<dyn Lanes> {
        Box::new(Typed::<R, Erased<R>>::new(self, count, plan))
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Move {
        self.0.sample_chance(state.get(), rng)
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Move, f64)>) -> bool {
        self.0.chance_outcomes(state.get(), out)
    }

    fn parse_chance(&self, state: &State, text: &str) -> Option<Move> {
        self.0.parse_chance(state.get(), text)
    }

    fn determinize(&self, state: &State, player: Player, rng: &mut Rng) -> State {
        State(Box::new(self.0.determinize(state.get(), player, rng)))
    }

    fn code_count(&self, player: Player, coding: Coding) -> u32 {
        self.0.code_count(player, coding)
    }

    fn code(&self, state: &State, player: Player, mv: Move, coding: Coding) -> u32 {
        self.0.code(state.get(), player, mv, coding)
    }

    fn code_ends(&self, player: Player, code: u32) -> Option<Ends> {
        self.0.code_ends(player, code)
    }

    fn families(&self, state: &State, player: Player, coding: Coding, out: &mut Families) {
        let state = state.get();
        out.clear();
        self.0.families(state, player, coding, out);
        if out.is_doubtful() {
            self.0.settle(state, player, out);
        }
    }

    fn member(&self, state: &State, player: Player, families: &Families, place: Place) -> Move {
        self.0.member(state.get(), player, families, place)
    }

    fn attributes(&self) -> &[String] {
        self.0.attributes()
    }

    fn attribute_values(&self, state: &State, player: Player, out: &mut [f32]) {
        self.0.attribute_values(state.get(), player, out);
    }

    fn attribute_key(&self, state: &State, player: Player, mv: Move) -> u64 {
        self.0.attribute_key(state.get(), player, mv)
    }

    fn mid_turn(&self, state: &State) -> bool {
        self.0.mid_turn(state.get())
    }

    fn part(&self, state: &State) -> usize {
        self.0.part(state.get())
    }

    fn script(&self, text: &str) -> Result<Script, GameError> {
        self.0.script(text)
    }

    fn scripted_move(&self, script: Script, state: &State, player: Player, rng: &mut Rng) -> Move {
        self.0.scripted_move(script, state.get(), player, rng)
    }

    fn random_move(
        &self,
        state: &State,
        player: Player,
        rng: &mut Rng,
        families: &mut Families,
    ) -> Move {
        playout::any_move(&self.0, state.get(), player, families, rng)
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let state = state.get();
        match self.0.turn(state) {
            Turn::Over => self.0.payoffs(state, out),
            _ if out.len() == 1 => out[0] = 0.0,
            _ => out.fill(1.0 / out.len() as f32),
        }
    }

    fn codes(
        &self,
        state: &State,
        player: Player,
        moves: &[Move],
        coding: Coding,
        out: &mut Vec<u32>,
    ) {
        let state = state.get();
        out.extend(moves.iter().map(|&mv| self.0.code(state, player, mv, coding)));
    }

    fn playout(
        &self,
        state: &mut State,
        sampling: &mut Sampling,
        style: Style,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> u32 {
        let (rules, state) = (&self.0, state.get_mut());
        let limit = rules.info().max_plies;
        match (&sampling, style, scratch.recording) {
            (Sampling::Uniform(_), Style::Optimised, Recording::Nothing) => {
                rules.playout_uniform(state, rng, limit, &mut scratch.buffer)
            }
            (Sampling::Uniform(_), Style::Standard, Recording::Nothing) => {
                rules.playout_listing(state, rng, limit, &mut scratch.buffer)
            }
            _ => playout::run(rules, state, sampling, style, scratch, rng, limit),
        }
    }

    fn playout_batch(
        &self,
        state: &State,
        rng: &mut Rng,
        count: u64,
        finished: &mut dyn FnMut(&[f32], u32),
    ) -> bool {
        self.0.playout_batch(state.get(), rng, count, finished)
    }
}
