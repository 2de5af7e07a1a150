//! What few games have beside rules, as traits that a game may offer ([`crate::Rules::course`] and its
//! neighbours). `S` is what positions are: an author's own type, or [`crate::State`] to the right of the contract.

use crate::{GameError, Move, Player, Rng};

/// Parts of a game, and turns that are complete only after several decisions.
pub trait Course<S> {
    /// Which part of the game this is, from zero: an age, an opening. Budgets may differ by part.
    fn part(&self, state: &S) -> usize;

    /// Whether this decision completes the turn just played, so that the position is not worth judging
    /// before it is made.
    fn mid_turn(&self, state: &S) -> bool;

    /// What tells a move from others as far as attributes go: moves of a player with the same key lead to
    /// positions with the same attributes for him, whatever the others do.
    fn attribute_key(&self, state: &S, player: Player, mv: Move) -> u64;
}

/// Moves that others do not see whole.
pub trait SeenMoves<S> {
    /// What `viewer` learns of a move that `player` makes.
    fn seen_move_text(&self, state: &S, player: Player, mv: Move, viewer: Player) -> String;
}

/// A scripted player that comes with a game, as [`Scripts::script`] understood its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Script(pub u64);

/// Players that come with a game.
pub trait Scripts<S> {
    /// The text of the one to measure others against.
    fn yardstick(&self) -> &str;

    /// Understands the text of a scripted player.
    fn script(&self, text: &str) -> Result<Script, GameError>;

    /// What a scripted player does. It looks only at what `player` knows.
    fn scripted_move(&self, script: Script, state: &S, player: Player, rng: &mut Rng) -> Move;
}

/// What is said of a scripted player that a game does not have.
pub(crate) fn no_script(game: &str, text: &str) -> GameError {
    GameError::Options(format!("{game} has no scripted player `{text}`"))
}
