//! The contract a game's author fulfils.

use crate::families::{Families, Place};
use crate::memory::Soon;
use crate::offers::{Course, Scripts, SeenMoves};
use crate::{
    Detail, Ends, GameError, GameInfo, Geometry, Player, Rng, SiteId, Turn, View, closest,
};

/// A move: a small value whose meaning only its game knows; people see its text.
///
/// Equal moves of one player in one position are the same move. Outcomes of chance are moves too;
/// one that holds a seed stands for a whole shuffled deck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Move(pub u64);

/// Which code of a move a policy learns by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Coding {
    /// The move alone.
    #[default]
    Plain,
    /// The move with features of the position around it, such as "captures".
    Features,
}

/// The rules of a game.
///
/// A value of this type is immutable and shared between threads. Everything that changes is in
/// [`Rules::State`], which is cheap to copy; `clone_from` must reuse memory where a state owns any.
///
/// The first group of methods every game writes; the rest has defaults that are right for a
/// turn-taking game of perfect information and can be overridden for speed or for what the game adds.
pub trait Rules: Send + Sync + 'static {
    /// A position, with all that its future depends on.
    type State: Clone + Send + Sync + 'static;

    /// What is known before play.
    fn info(&self) -> &GameInfo;

    /// The position before the first move.
    fn start(&self) -> Self::State;

    /// Whose turn it is. A player who is to move has at least one legal move.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Adds the legal moves of a player whose turn it is, in an order that depends on the state alone.
    fn moves(&self, state: &Self::State, player: Player, out: &mut Vec<Move>);

    /// Plays one legal move for each moving player, in player order; for chance, its one outcome.
    fn apply(&self, state: &mut Self::State, joint: &[Move]);

    /// The payoffs of a finished game, one in `[0, 1]` for each player.
    fn payoffs(&self, state: &Self::State, out: &mut [f32]);

    /// A hash of all that the future depends on, whose turn it is included.
    fn hash(&self, state: &Self::State) -> u64;

    /// The stable text of a legal move (`player` is whoever moves; `None` for chance).
    fn move_text(&self, state: &Self::State, player: Option<Player>, mv: Move) -> String;

    /// The position as text, as `viewer` sees it (`None` sees everything).
    fn show(&self, state: &Self::State, viewer: Option<Player>) -> String;

    // ----- sites: what patterns, pages, pictures and planes of numbers are made from ---------------

    /// Where the game is played; nothing for games without a board. Whoever has one also has the rest of
    /// this group.
    fn geometry(&self) -> Option<&Geometry> {
        None
    }

    /// Writes what stands where, as `viewer` sees it (`None` sees everything).
    fn view(
        &self,
        _state: &Self::State,
        _viewer: Option<Player>,
        _detail: Detail,
        _out: &mut View,
    ) {
    }

    /// Where a legal move starts and ends (`player` is whoever moves; `None` for chance).
    fn ends(&self, _state: &Self::State, _player: Option<Player>, _mv: Move) -> Ends {
        Ends::default()
    }

    /// The last move that a player made, passes included; before the first one, the last piece that the
    /// rules of the start put down, if any. Nothing where neither is known.
    fn last_move(&self, _state: &Self::State) -> Option<Ends> {
        None
    }

    /// The board as planes of numbers show it, where that is not the geometry: columns of stones that stand
    /// upright are rows and columns. Written together with the next two.
    fn plane_geometry(&self) -> Option<&Geometry> {
        self.geometry()
    }

    /// Writes what stands where on that board.
    #[inline]
    fn plane_view(
        &self,
        state: &Self::State,
        viewer: Option<Player>,
        detail: Detail,
        out: &mut View,
    ) {
        self.view(state, viewer, detail, out);
    }

    /// The last move on that board.
    #[inline]
    fn plane_last(&self, state: &Self::State) -> Option<Ends> {
        self.last_move(state)
    }

    /// The sites of a player's pieces on that board as words (site `s` is bit `s % 64` of word `s / 64`), where the
    /// machine holds them so and a view would say the same; nothing where they would have to be worked out.
    #[inline]
    fn owned<'s>(&self, _state: &'s Self::State, _player: Player) -> Option<&'s [u64]> {
        None
    }

    // ----- chance and hidden information ---------------------------------------------------

    /// Draws the outcome of a chance turn.
    fn sample_chance(&self, _state: &Self::State, _rng: &mut Rng) -> Move {
        unreachable!("a game with chance turns says how chance is sampled")
    }

    /// Lists the outcomes of a chance turn with their probabilities, if they are few enough to list.
    fn chance_outcomes(&self, _state: &Self::State, _out: &mut Vec<(Move, f64)>) -> bool {
        false
    }

    /// Reads the outcome of a chance turn from its text.
    fn parse_chance(&self, _state: &Self::State, _text: &str) -> Option<Move> {
        None
    }

    /// A full state drawn from all that are consistent with what `player` knows.
    fn determinize(&self, state: &Self::State, _player: Player, _rng: &mut Rng) -> Self::State {
        state.clone()
    }

    // ----- text -----------------------------------------------------------------------------

    /// The texts of these legal moves of a player: for games whose texts depend on what else is legal, sooner than one by one.
    fn move_texts(&self, state: &Self::State, player: Player, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&mv| self.move_text(state, Some(player), mv)).collect()
    }

    /// The legal move with this text.
    fn parse_move(
        &self,
        state: &Self::State,
        player: Player,
        text: &str,
    ) -> Result<Move, GameError> {
        let mut moves = Vec::new();
        self.moves(state, player, &mut moves);
        let texts = self.move_texts(state, player, &moves);
        let wanted = text.trim();
        match texts.iter().position(|legal| legal.eq_ignore_ascii_case(wanted)) {
            Some(index) => Ok(moves[index]),
            None => Err(GameError::IllegalMove {
                text: wanted.to_string(),
                closest: closest(wanted, texts.iter().map(String::as_str)).map(str::to_string),
            }),
        }
    }

    // ----- codes for learned policies ---------------------------------------------------------

    /// Codes of `player` are below this. Zero: the game has no codes, and nothing can be learned; of
    /// [`Coding::Features`]: it has none of its own, and those of a game with a board are made from what stands where a
    /// move ends and around it ([`Rules::code_end`]).
    fn code_count(&self, _player: Player, _coding: Coding) -> u32 {
        0
    }

    /// The code of a legal move.
    fn code(&self, _state: &Self::State, _player: Player, _mv: Move, _coding: Coding) -> u32 {
        0
    }

    /// The site where a move with this plain code ends; nothing for moves that name none.
    #[inline]
    fn code_end(&self, _player: Player, _code: u32) -> Option<SiteId> {
        None
    }

    /// Where all moves with a plain code start and end, whatever the position; nothing where codes do not tell.
    /// The kind tells a pass, an exchange of seats and other moves without a place apart, and says nothing of moves
    /// that have one.
    fn code_ends(&self, _player: Player, _code: u32) -> Option<Ends> {
        None
    }

    // ----- moves as sets ----------------------------------------------------------------------

    /// Writes the moves of a player as families: sets of codes, from which whatever weighs moves draws
    /// without listing them. Where members may prove illegal the machine says so ([`Families::doubt`]) and
    /// [`Rules::admits`] is asked about the one that was drawn.
    ///
    /// A pass that a player must make because he has no other move is no member ([`Rules::stuck`]).
    /// Unless a game knows better, each listed move is a family of its own.
    #[inline]
    fn families(&self, state: &Self::State, player: Player, coding: Coding, out: &mut Families) {
        crate::playout::list_families(self, state, player, coding, out);
    }

    /// The move that a member of families is. Written together with [`Rules::families`].
    #[inline]
    fn member(
        &self,
        _state: &Self::State,
        _player: Player,
        families: &Families,
        place: Place,
    ) -> Move {
        families.moves[families.word(place).tag as usize]
    }

    /// Whether a member is legal; asked where families are doubtful.
    #[inline]
    fn admits(&self, _state: &Self::State, _player: Player, _member: Move) -> bool {
        true
    }

    /// Takes members that are not legal out of doubtful families.
    fn settle(&self, state: &Self::State, player: Player, families: &mut Families) {
        families.retain(|families, place| {
            self.admits(state, player, self.member(state, player, families, place))
        });
        families.trust();
    }

    /// Whether states remember the positions before them, so that to keep copies is dearer than to settle.
    #[inline]
    fn keeps_past(&self) -> bool {
        false
    }

    /// Writes those members of families that win the game at once to `out`, or all that may, which are then tried
    /// ([`Families::doubt`]); `false` where the game cannot tell without trying each.
    fn wins(
        &self,
        _state: &Self::State,
        _player: Player,
        _families: &Families,
        _out: &mut Families,
    ) -> bool {
        false
    }

    // ----- playouts ---------------------------------------------------------------------------

    /// Called before a playout by a sampler. Until [`Rules::end_playout`] a state is only asked for its turn,
    /// its families and their members, the sets of its view and what players own; and changed by [`Rules::play`], [`Rules::stuck`] and outcomes of
    /// chance: it may have another form meanwhile, and an end that depends on the next player's moves
    /// may wait until they are looked for. A copy of it can be changed by [`Rules::apply`], and is then a state like any.
    #[inline]
    fn begin_playout(&self, _state: &mut Self::State) {}

    /// Called instead where every position will be shown: [`Rules::owned`] and all legal members are asked for at every ply.
    #[inline]
    fn begin_steps(&self, state: &mut Self::State) {
        self.begin_playout(state);
    }

    /// Called after [`Rules::begin_playout`] where [`Rules::wins`] will be asked at every ply: the state may prepare for it.
    #[inline]
    fn watch(&self, _state: &mut Self::State) {}

    /// Called after a playout, for the state to be good for [`Rules::turn`] and [`Rules::payoffs`].
    #[inline]
    fn end_playout(&self, _state: &mut Self::State) {}

    /// Plays a member for the only mover, inside a playout.
    #[inline]
    fn play(&self, state: &mut Self::State, player: Player, families: &Families, place: Place) {
        let mv = self.member(state, player, families, place);
        self.apply(state, &[mv]);
    }

    /// Called before [`Rules::play`] where other states are played meanwhile: asks the memory for what that will need.
    #[inline]
    fn expect_play(&self, _state: &Self::State, _families: &Families, _place: Place, _soon: Soon) {}

    /// Goes on where none of the mover's members is legal: plays what he must and gives its code, or ends
    /// the game.
    fn stuck(&self, _state: &mut Self::State, _player: Player) -> Option<u32> {
        None
    }

    /// Plays uniformly random moves until the game is over or `limit` plies are played, and returns
    /// their number. The state is then good for [`Rules::turn`] and [`Rules::payoffs`] only.
    fn playout_uniform(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        buffer: &mut Vec<Move>,
    ) -> u32 {
        self.playout_listing(state, rng, limit, buffer)
    }

    /// The same where a move that wins at once is played before any other; nothing where the game has no form of its own
    /// for that: then each ply asks [`Rules::wins`].
    fn playout_decisive(
        &self,
        _state: &mut Self::State,
        _rng: &mut Rng,
        _limit: u32,
        _buffer: &mut Vec<Move>,
    ) -> Option<u32> {
        None
    }

    /// The same by listing every legal move of each position and choosing one: what optimised
    /// playouts are measured against.
    fn playout_listing(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        buffer: &mut Vec<Move>,
    ) -> u32 {
        crate::playout::play_listing(self, state, rng, limit, buffer)
    }

    /// Runs many uniform playouts at once in the lanes of machine words, where the game can.
    /// Calls `finished(payoffs, plies)` once for each of at least `count` playouts; `false` if it cannot.
    fn playout_batch(
        &self,
        _state: &Self::State,
        _rng: &mut Rng,
        _count: u64,
        _finished: &mut dyn FnMut(&[f32], u32),
    ) -> bool {
        false
    }

    // ----- evaluations --------------------------------------------------------------------------

    /// Names of numbers that describe a position from a player's side.
    fn attributes(&self) -> &[String] {
        &[]
    }

    /// Writes those numbers, one for each name.
    fn attribute_values(&self, _state: &Self::State, _player: Player, _out: &mut [f32]) {}

    // ----- what few games have beside rules -----------------------------------------------------

    /// Parts of the game and turns that are complete only after several decisions, where there are any.
    fn course(&self) -> Option<&dyn Course<Self::State>> {
        None
    }

    /// Moves that others do not see whole, where there are any.
    fn seen_moves(&self) -> Option<&dyn SeenMoves<Self::State>> {
        None
    }

    /// Players that come with the game, where there are any.
    fn scripts(&self) -> Option<&dyn Scripts<Self::State>> {
        None
    }
}
