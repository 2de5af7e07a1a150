//! A position of a game from ludemes with its legal moves, found once when it is reached.

use super::ctx::{Chance, Ctx};
use super::game::{Compiled, Mode};
use super::moves::Mv;
use super::sites::Numbers;
use super::state::State;
use ludex_game::{Ends, Move};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A position with its legal moves.
#[derive(Clone, Debug, Default)]
pub struct Position {
    pub(super) state: State,
    /// Legal moves and what they are known by; none while chance has to act.
    pub(super) legal: Arc<Vec<(Move, Mv)>>,
    pub(super) awaits: Awaits,
    /// The last move.
    pub(super) last: Option<Ends>,
    /// The faces that the dice show since they were thrown: the rules throw them as a part of every move
    /// that may follow, so the state does not have them yet.
    pub(super) faces: Numbers,
}

/// What has to happen by chance before anybody moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Awaits {
    /// Nothing.
    #[default]
    Nothing,
    /// Dice have to be thrown.
    Dice,
    /// The start draws at random.
    Start,
    /// This move draws at random.
    Move(Box<Mv>),
    /// Which moves are legal is drawn at random.
    Moves,
}

impl Awaits {
    /// Whether random numbers are awaited, all of which come from one seed.
    pub(super) fn seed(&self) -> bool {
        !matches!(self, Awaits::Nothing | Awaits::Dice)
    }
}

impl Position {
    /// The position behind it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether players choose their moves at once.
    pub(super) fn at_once(&self, game: &Compiled) -> bool {
        let (game, state) = game.playing(&self.state);
        game.mode == Mode::Simultaneous && state.over.is_none()
    }
}

/// How the dice have fallen.
pub(super) enum Thrown {
    /// Not yet.
    Nothing,
    /// They show these faces.
    Faces(Numbers),
    /// Everything random comes from a seed.
    Seeded,
}

/// The position that was reached, with its legal moves.
pub(super) fn reached(mut ctx: Ctx<'_>, thrown: Thrown) -> Position {
    if ctx.s.over.is_some() {
        return Position { state: ctx.s, ..Position::default() };
    }
    let unthrown = matches!(thrown, Thrown::Nothing);
    let shown = match &thrown {
        Thrown::Faces(faces) => faces.clone(),
        _ => Numbers::new(),
    };
    let seeded = matches!(thrown, Thrown::Seeded);
    let uncertain = ctx.g.random || ctx.g.chance && !matches!(thrown, Thrown::Faces(_));
    let before = uncertain.then(|| ctx.s.clone());
    match thrown {
        Thrown::Nothing => {}
        Thrown::Faces(faces) => ctx.chance.dice = faces,
        Thrown::Seeded => ctx.chance.live = ctx.g.chance,
    }
    let mut moves = ctx.legal_moves();
    let chance = &ctx.chance;
    if seeded && !chance.rolled && !chance.dice.is_empty() {
        // Dice thrown only in thought are not thrown.
        ctx.s = before.unwrap_or(ctx.s);
        ctx.chance = Chance { source: std::mem::take(&mut ctx.chance.source), ..Chance::default() };
        moves = ctx.legal_moves();
    } else if chance.unknown || chance.rolled && unthrown {
        // Where dice are not the only chance, one seed stands for all of it.
        let seeds = chance.unknown || ctx.g.random;
        let awaits = if seeds { Awaits::Moves } else { Awaits::Dice };
        let state = before.unwrap_or(ctx.s);
        return Position { state, awaits, ..Position::default() };
    }
    let legal = moves.into_iter().map(|mv| (known_by(&mv), mv)).collect();
    Position { state: ctx.s, legal: Arc::new(legal), faces: shown, ..Position::default() }
}

fn known_by(mv: &Mv) -> Move {
    let mut hasher = rustc_hash::FxHasher::default();
    mv.hash(&mut hasher);
    Move(ludex_game::mix(hasher.finish()))
}
