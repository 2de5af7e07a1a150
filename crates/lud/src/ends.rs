//! Positions and moves of the general evaluator as the contract has them.

use super::action::Action;
use super::ctx::Ctx;
use super::game::{Compiled, ContainerKind, Mode};
use super::layer::Piece;
use super::moves::Mv;
use super::places::Numbering;
use super::playable::seat_in;
use super::position::Position;
use super::seen::{self, Stand, Tally};
use super::state::State;
use super::topo::SiteType;
use ludex_game::{Ends, Hidden, MoveKind, Player, View};

/// A position of the general evaluator as somebody sees it.
struct Seen<'a> {
    /// The match, or the game itself, which has the seats.
    whole: &'a State,
    game: &'a Compiled,
    state: &'a State,
    viewer: Option<i32>,
    /// What dice show that were thrown and not used yet.
    faces: &'a [i32],
}

impl Stand for Seen<'_> {
    fn pieces(&self, kind: SiteType, site: i32, each: &mut dyn FnMut(Piece)) {
        let layer = self.state.layer(kind);
        for level in 0..layer.height(site) {
            each(self.shown(site, layer.at(site, level)));
        }
    }

    fn seat(&self, player: i32) -> Player {
        seat_in(self.state, player)
    }

    fn score(&self, player: i32) -> i32 {
        self.whole.scores.get(player as usize).copied().unwrap_or(0)
    }

    fn hidden(&self, kind: SiteType, site: i32, level: i32) -> Hidden {
        let hidden = |who| seen::hidden_in(self.state, who, kind, site, level);
        self.viewer.map_or(Hidden::default(), hidden)
    }
}

impl Seen<'_> {
    /// A piece as it is, a die as it fell.
    fn shown(&self, site: i32, piece: Piece) -> Piece {
        if self.faces.is_empty() || self.game.components[piece.what as usize].faces.is_empty() {
            return piece;
        }
        let dice = self.game.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_)));
        let mut sites = dice.flat_map(|c| c.first..c.first + c.count);
        let face = sites.position(|at| at == site).and_then(|die| self.faces.get(die));
        Piece { state: face.map_or(piece.state, |&face| face as i16), ..piece }
    }
}

/// The place of the game at hand among those of a match, and the numbers of its sites.
fn numbering<'a>(game: &'a Compiled, state: &State) -> &'a Numbering {
    game.places().numbering(place_in_match(game, state))
}

fn place_in_match(game: &Compiled, state: &State) -> usize {
    let Some(instance) = &state.instance else { return 0 };
    let before = game.subgames[..instance.place].iter().map(|sub| games_in(&sub.game));
    before.sum::<usize>() + place_in_match(&game.subgames[instance.place].game, &instance.state)
}

fn games_in(game: &Compiled) -> usize {
    match game.is_match() {
        true => game.subgames.iter().map(|sub| games_in(&sub.game)).sum(),
        false => 1,
    }
}

/// Writes the view of a position; of a match, that of the game at hand on its board.
pub(super) fn write_view(
    game: &Compiled,
    position: &Position,
    viewer: Option<i32>,
    out: &mut View,
) {
    let whole = &position.state;
    let (playing, state) = game.playing(whole);
    let stand = Seen { whole, game: playing, state, viewer, faces: &position.faces };
    out.reset(game.places().geometry(game), game.players as usize);
    seen::write_into(playing, numbering(game, whole), &stand, out);
    seen::write_players(game, &stand, out);
}

/// A move as far as its player decides it: whether it takes something is found out by making it.
pub(super) fn decided(game: &Compiled, whole: &State, mv: &Mv) -> Ends {
    let (playing, state) = game.playing(whole);
    let decision = mv.main_decision().map(|action| &action.kind);
    let undecided = if mv.is_pass() { MoveKind::Pass } else { MoveKind::Other };
    let kind = decision.map_or(undecided, |change| {
        let held = state.layer(playing.kind_at(change.kinds()[1], mv.to)).top(mv.to);
        let other = held.what != 0 && playing.owner(held.what) != mv.mover;
        seen::decided_kind(playing, change, other)
    });
    let kinds = decision.map_or([None, None], |change| change.kinds());
    seen::ends(playing, numbering(game, whole), (mv.from, mv.to), kinds, kind)
}

/// What is on the board of the game at hand.
fn tally(game: &Compiled, whole: &State, mover: i32) -> Tally {
    let (playing, state) = game.playing(whole);
    let mut tally = Tally { all: 0, own: 0 };
    for kind in SiteType::ALL {
        let layer = state.layer(kind);
        for site in 0..(playing.topo.count(kind).min(layer.len()) as i32) {
            if kind == playing.topo.default && state.to_remove.contains(&site) {
                continue;
            }
            for level in 0..layer.height(site) {
                let piece = layer.at(site, level);
                let count = u32::from(piece.count.max(1));
                tally.all += count;
                tally.own += if playing.owner(piece.what) == mover { count } else { 0 };
            }
        }
    }
    tally
}

/// A move about to be made: how it was decided, and what is on the board before it.
pub(super) struct Making {
    decided: Ends,
    mover: i32,
    before: Tally,
}

impl Making {
    pub(super) fn of(game: &Compiled, state: &State, mv: &Mv) -> Making {
        let before = tally(game, state, mv.mover);
        Making { decided: decided(game, state, mv), mover: mv.mover, before }
    }

    /// The move, now that it is made.
    pub(super) fn made(&self, game: &Compiled, after: &State) -> Ends {
        let after = tally(game, after, self.mover);
        Ends { kind: seen::kind_after(self.decided.kind, self.before, after), ..self.decided }
    }
}

/// The ends of a legal move of a position.
pub(super) fn of_move(game: &Compiled, position: &Position, mv: &Mv) -> Ends {
    let decided = decided(game, &position.state, mv);
    let takes = matches!(decided.kind, MoveKind::Place | MoveKind::Move);
    if !takes || position.at_once(game) {
        return decided;
    }
    let making = Making::of(game, &position.state, mv);
    let mut ctx = Ctx::new(game, position.state.clone());
    // End rules take no piece, and may look at every move of a large game. Only where moves are drawn at random, or
    // lead to the next game, does what comes after the changes tell something.
    match game.is_match() || game.random || game.mode == Mode::Simulation {
        true => ctx.play_silently(mv),
        false => ctx.change_silently(mv),
    }
    match ctx.chance.unknown || ctx.chance.rolled {
        true => decided,
        false => making.made(game, &ctx.s),
    }
}

/// The last piece that the rules of the start put down, out of all that they did.
pub(super) fn placed_last(game: &Compiled, state: &State, log: &[Vec<Action>]) -> Option<Ends> {
    let change = &log.last()?.last()?.kind;
    let (playing, _) = game.playing(state);
    let kind = playing.kind_at(change.kinds()[1], change.to());
    let id = numbering(game, state).site(kind, change.to())?;
    Some(Ends::at(id, MoveKind::Place))
}
