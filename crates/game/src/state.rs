//! A position with its type hidden, and the game it belongs to.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which game a position came from: a number that no other game of this process has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameId(u64);

impl GameId {
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        GameId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A position of some game. Only the game it came from can read it.
pub struct State {
    game: GameId,
    position: Box<dyn Position>,
}

trait Position: Send + Sync {
    fn clone_box(&self) -> Box<dyn Position>;
    /// `false` where the other is of another type.
    fn copy_from(&mut self, other: &dyn Position) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Clone + Send + Sync + 'static> Position for S {
    fn clone_box(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        let other = other.as_any().downcast_ref::<S>();
        if let Some(other) = other {
            self.clone_from(other);
        }
        other.is_some()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl State {
    pub(crate) fn new<S: Clone + Send + Sync + 'static>(game: GameId, position: S) -> Self {
        State { game, position: Box::new(position) }
    }

    /// The position, if it came from this game.
    #[inline]
    pub(crate) fn of<S: 'static>(&self, game: GameId) -> Option<&S> {
        match self.game == game {
            true => self.position.as_any().downcast_ref(),
            false => None,
        }
    }

    #[inline]
    pub(crate) fn of_mut<S: 'static>(&mut self, game: GameId) -> Option<&mut S> {
        match self.game == game {
            true => self.position.as_any_mut().downcast_mut(),
            false => None,
        }
    }

    /// Makes this state equal to another, without allocating where it is of the same game.
    #[inline]
    pub fn copy_from(&mut self, other: &State) {
        match self.position.copy_from(&*other.position) {
            true => self.game = other.game,
            false => *self = other.clone(),
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State { game: self.game, position: self.position.clone_box() }
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
