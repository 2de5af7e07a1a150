//! A position of stones, and who judges it.

use super::plan::Verdict;
use ludex_game::Ends;
use ludex_game::bits::Bits;

/// Remembers what a kind of end needs and says what a placement brought about.
pub trait Referee<const W: usize>: Send + Sync + 'static {
    /// What is remembered.
    type Memory: Copy + Send + Sync + std::fmt::Debug + 'static;

    /// The memory of an empty board.
    fn fresh(&self) -> Self::Memory;

    /// Takes a stone of a player (zero, one) in and gives the facts about it. `own` are the player's
    /// stones, the new one included.
    fn place(&self, memory: &mut Self::Memory, own: &Bits<W>, player: usize, site: usize) -> usize;

    /// What is kept beside that while playouts look for places that decide.
    type Watch: Copy + Send + Sync + std::fmt::Debug + 'static;

    /// The watch over a board without stones; nothing where each place would have to be tried.
    fn watch(&self) -> Option<Self::Watch> {
        None
    }

    /// Takes a stone in that was placed just now: [`Referee::place`] goes before. `wanted` tells facts that decide for its
    /// player; it does not hold where nothing is brought about.
    fn keep_watch(
        &self,
        _watch: &mut Self::Watch,
        _memory: &Self::Memory,
        _own: &Bits<W>,
        _player: usize,
        _site: usize,
        _wanted: impl Fn(usize) -> bool,
    ) {
    }

    /// Places where a stone of a player would bring about facts that decide, whether they are open or not.
    fn watched(
        &self,
        _watch: &Self::Watch,
        _player: usize,
        _wanted: impl Fn(usize) -> bool,
    ) -> Bits<W> {
        Bits::EMPTY
    }
}

/// Where stones stand and whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct Position<const W: usize, M, V> {
    /// Places where a stone may be placed.
    pub open: Bits<W>,
    /// Each player's stones.
    pub own: [Bits<W>; 2],
    pub memory: M,
    /// Kept in playouts that look for places that decide.
    pub watch: Option<V>,
    /// Zero or one.
    pub mover: u8,
    pub outcome: Verdict,
    /// Players have changed seats.
    pub swapped: bool,
    /// Passes in a row.
    pub passes: u8,
    /// Moves played.
    pub moves: u16,
    /// The last move; playouts that end the game do not keep it.
    pub last: Option<Ends>,
}
