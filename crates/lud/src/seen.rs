//! What stands where and what moves do, as the contract has it: written once for the general evaluator
//! and all kernels, over the little that each of them answers.

use super::action::Change;
use super::ctx::Ctx;
use super::game::{Compiled, ContainerKind};
use super::ir::HiddenData;
use super::layer::Piece;
use super::places::Numbering;
use super::state::State;
use super::topo::SiteType;
use ludex_game::{Ends, Hidden, MoveKind, Player, SiteId, View};

/// What a machine answers about one of its positions.
pub trait Stand {
    /// Calls `each` with the pieces of a site from the bottom to the top; `site` and `kind` are those of the
    /// rules.
    fn pieces(&self, kind: SiteType, site: i32, each: &mut dyn FnMut(Piece));

    /// The seat that plays for a player, who counts from one.
    fn seat(&self, player: i32) -> Player;

    /// A player's score.
    fn score(&self, player: i32) -> i32;

    /// What a viewer may not know of a piece at a level of a site.
    fn hidden(&self, _kind: SiteType, _site: i32, _level: i32) -> Hidden {
        Hidden::default()
    }
}

/// Writes the view of a position of a game that is not a match.
pub fn write(game: &Compiled, stand: &impl Stand, out: &mut View) {
    let places = game.places();
    out.reset(places.geometry(game), game.players as usize);
    write_into(game, places.numbering(0), stand, out);
    write_players(game, stand, out);
}

/// Writes who plays for whom, and the scores.
pub fn write_players(game: &Compiled, stand: &impl Stand, out: &mut View) {
    out.seats.clear();
    out.seats.extend((1..=game.players).map(|player| stand.seat(player)));
    if game.scores {
        out.scores.extend((1..=game.players).map(|player| stand.score(player)));
    }
}

/// Writes what stands on the sites of a game into a view that has them all empty.
pub(crate) fn write_into(
    game: &Compiled,
    numbering: &Numbering,
    stand: &impl Stand,
    out: &mut View,
) {
    let mut large = Vec::new();
    for (kind, site, id) in numbering.all() {
        let mut level = 0;
        stand.pieces(kind, site, &mut |piece| {
            let hidden = stand.hidden(kind, site, level);
            let seen = seen(game, numbering, stand, piece, id);
            level += 1;
            if game.large_pieces && game.container(site) == 0 && is_large(game, piece) {
                large.push((piece, site, seen, hidden));
            } else {
                out.put(id, seen.veiled(hidden));
            }
        });
        // Whether anything is there at all may be hidden too.
        if level == 0 && stand.hidden(kind, site, 0).has(Hidden::ALL) {
            let nothing = ludex_game::Piece { root: id, ..ludex_game::Piece::default() };
            out.put(id, nothing.veiled(Hidden::ALL));
        }
    }
    for (piece, site, seen, hidden) in large {
        let halves = game.components[piece.what as usize].pips;
        for (n, cell) in covered(game, piece, site).into_iter().enumerate() {
            let Some(id) = numbering.site(SiteType::Cell, cell) else { continue };
            // On the board dominoes keep in their numbers which one they are.
            let half = halves.map(|[first, second]| if n < HALF { first } else { second });
            let here = ludex_game::Piece { count: 1, value: half.unwrap_or(seen.value), ..seen };
            out.put(id, here.veiled(hidden));
        }
    }
}

/// So many cells has half a domino.
pub(crate) const HALF: usize = 4;

fn seen(
    game: &Compiled,
    numbering: &Numbering,
    stand: &impl Stand,
    piece: Piece,
    root: SiteId,
) -> ludex_game::Piece {
    let owner = game.owner(piece.what);
    // The state of a die is the number of a face; its value is what that face shows.
    let faces = game.components.get(piece.what as usize).map_or(&[][..], |die| &die.faces);
    let face = usize::try_from(piece.state).ok().and_then(|face| faces.get(face));
    ludex_game::Piece {
        kind: piece.what.checked_sub(1).map(|kind| numbering.pieces + kind),
        owner: (1..=game.players).contains(&owner).then(|| stand.seat(owner)),
        count: u32::from(piece.count.max(1)),
        state: i32::from(piece.state),
        rotation: i32::from(piece.rotation),
        value: face.copied().unwrap_or(piece.value),
        root,
        hidden: Hidden::default(),
    }
}

fn is_large(game: &Compiled, piece: Piece) -> bool {
    game.components.get(piece.what as usize).is_some_and(|component| component.is_large())
}

/// The cells that a large piece covers, the one it stands on first.
fn covered(game: &Compiled, piece: Piece, site: i32) -> Vec<i32> {
    let ctx = Ctx::new(game, State::default());
    let cells = ctx.covered(i32::from(piece.what), site, i32::from(piece.state));
    let others = cells.into_iter().filter(|&cell| cell != site);
    std::iter::once(site).chain(others).collect()
}

/// What of a piece is hidden from a player of the rules.
pub(crate) fn hidden_in(state: &State, who: i32, kind: SiteType, site: i32, level: i32) -> Hidden {
    let here = state.hidden.iter().filter(|(player, of, at, on, _)| {
        i32::from(*player) == who && (*of, *at, *on) == (kind, site, level)
    });
    here.fold(Hidden::default(), |all, (.., data)| all.and(hidden_by(*data)))
}

fn hidden_by(data: u8) -> Hidden {
    const DATA: [(HiddenData, Hidden); 7] = [
        (HiddenData::All, Hidden::ALL),
        (HiddenData::What, Hidden::KIND),
        (HiddenData::Who, Hidden::OWNER),
        (HiddenData::State, Hidden::STATE),
        (HiddenData::Count, Hidden::COUNT),
        (HiddenData::Rotation, Hidden::ROTATION),
        (HiddenData::Value, Hidden::VALUE),
    ];
    let found = DATA.iter().find(|(known, _)| *known as u8 == data);
    found.map_or(Hidden::default(), |(_, hidden)| *hidden)
}

/// Pieces on the board before or after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub all: u32,
    /// Those of whoever moves.
    pub own: u32,
}

/// The kind of a move, given the kind of what was decided and what was on the board before and after it.
///
/// A placement or a move takes something if pieces that are not the mover's are fewer afterwards, and
/// not for having changed hands.
pub fn kind_after(decided: MoveKind, before: Tally, after: Tally) -> MoveKind {
    let placed = match decided {
        MoveKind::Place => 1,
        MoveKind::Move => 0,
        other => return other,
    };
    let fewer = after.all - after.own < before.all - before.own;
    match fewer && after.all < before.all + placed {
        true => MoveKind::Capture,
        false => decided,
    }
}

/// The kind of what a player decides; pieces that come from a hand are placed.
pub(crate) fn decided_kind(game: &Compiled, change: &Change, removes_other: bool) -> MoveKind {
    match change {
        Change::Move { from, kind_from, .. }
        | Change::MoveN { from, kind_from, .. }
        | Change::StackMove { from, kind_from, .. } => moved_from(game, *kind_from, *from),
        Change::Copy { .. } => MoveKind::Move,
        Change::Add { .. } | Change::Insert { .. } => MoveKind::Place,
        Change::Remove { .. } if removes_other => MoveKind::Capture,
        Change::Select { from, to, .. } if *to >= 0 && from != to => MoveKind::Move,
        Change::Promote { .. } => MoveKind::Promote,
        Change::Pass { .. } => MoveKind::Pass,
        Change::Swap { .. } => MoveKind::Swap,
        Change::Propose { .. } | Change::Vote { .. } => MoveKind::Vote,
        _ => MoveKind::Other,
    }
}

/// Whether a piece that starts on a site moves, or is placed from a hand.
pub fn moved_from(game: &Compiled, kind: SiteType, from: i32) -> MoveKind {
    let hand =
        kind == SiteType::Cell && game.containers[game.container(from)].kind == ContainerKind::Hand;
    if hand { MoveKind::Place } else { MoveKind::Move }
}

/// The ends of a move by its sites in the rules.
pub fn ends(
    game: &Compiled,
    numbering: &Numbering,
    (from, to): (i32, i32),
    kinds: [Option<SiteType>; 2],
    kind: MoveKind,
) -> Ends {
    if matches!(kind, MoveKind::Pass | MoveKind::Swap | MoveKind::Vote | MoveKind::Roll) {
        return Ends::nowhere(kind);
    }
    let id = |kind: Option<SiteType>, site: i32| {
        (site >= 0).then(|| numbering.site(game.kind_at(kind, site), site))?
    };
    let (start, end) = (id(kinds[0], from), id(kinds[1], to));
    Ends { from: start.filter(|_| start != end), to: end, kind }
}
