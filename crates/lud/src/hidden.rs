//! What a player cannot see: a position that might as well be the real one, drawn at random.
//!
//! The pieces that are hidden from a player are put on their sites anew, those of one owner among
//! themselves unless the owner is hidden as well, and dominoes with those that nobody has drawn yet.

use super::ctx::Ctx;
use super::game::Compiled;
use super::ir::HiddenData;
use super::layer::Piece;
use super::state::State;
use super::topo::SiteType;
use ludex_game::Rng;

/// A place in a stack, or the whole of a site without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    kind: SiteType,
    site: i32,
    level: i32,
}

/// Whether a player does not see what lies somewhere, nor perhaps whose it is.
pub(super) fn is_unseen(state: &State, kind: SiteType, site: i32, level: i32, who: i32) -> bool {
    let unseen = [HiddenData::All, HiddenData::What, HiddenData::Who];
    has(state, Spot { kind, site, level }, who, &unseen)
}

fn has(state: &State, spot: Spot, who: i32, data: &[HiddenData]) -> bool {
    let key = |data: HiddenData| (who as u8, spot.kind, spot.site, spot.level, data as u8);
    data.iter().any(|&data| state.hidden.contains(&key(data)))
}

/// A position that the player cannot tell from this one; of a match, that of the game at hand.
pub(super) fn redrawn_in(game: &Compiled, state: &State, who: i32, rng: &mut Rng) -> State {
    let Some(instance) = &state.instance else {
        return redrawn(game, state, who, rng);
    };
    let mut state = state.clone();
    let inner = redrawn_in(&game.subgames[instance.place].game, &instance.state, who, rng);
    if let Some(instance) = &mut state.instance {
        instance.state = inner;
    }
    state
}

fn redrawn(game: &Compiled, state: &State, who: i32, rng: &mut Rng) -> State {
    let mut ctx = Ctx::new(game, state.clone());
    // Pieces on tracks that cross themselves are counted by place, which is not kept up here.
    if game.inner_loops {
        return ctx.s;
    }
    let mut spots = unseen_spots(&ctx, who);
    while let Some(&first) = spots.first() {
        let class = |spot: &Spot| class_of(&ctx, *spot, who);
        let (same, rest) = spots.iter().partition(|spot| class(spot) == class(&first));
        spots = rest;
        shuffle(&mut ctx, &same, rng);
    }
    ctx.s
}

/// Where pieces lie that a player does not know. What covers several cells of the board is left alone.
fn unseen_spots(ctx: &Ctx<'_>, who: i32) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    for &(player, kind, site, level, data) in &ctx.s.hidden {
        let spot = Spot { kind, site, level };
        let hides = data == HiddenData::All as u8 || data == HiddenData::What as u8;
        if i32::from(player) != who || !hides || spots.contains(&spot) {
            continue;
        }
        let what = i32::from(piece_at(ctx, spot).what);
        if what != 0 && !(ctx.is_large(what) && ctx.g.container(site) == 0) {
            spots.push(spot);
        }
    }
    spots
}

fn piece_at(ctx: &Ctx<'_>, spot: Spot) -> Piece {
    ctx.s.layer(spot.kind).at(spot.site, spot.level)
}

/// What a player knows of a hidden piece: whose it is, unless that is hidden too.
fn class_of(ctx: &Ctx<'_>, spot: Spot, who: i32) -> Option<i32> {
    let owner_hidden = has(&ctx.s, spot, who, &[HiddenData::All, HiddenData::Who]);
    (!owner_hidden).then(|| ctx.g.owner(piece_at(ctx, spot).what))
}

/// Puts the pieces of some places on them in any order.
fn shuffle(ctx: &mut Ctx<'_>, spots: &[Spot], rng: &mut Rng) {
    let mut pieces: Vec<Piece> = spots.iter().map(|&spot| piece_at(ctx, spot)).collect();
    if pieces.iter().any(|piece| ctx.g.components[piece.what as usize].pips.is_some()) {
        let model = pieces[0];
        let left = ctx.dominoes_left().into_iter();
        pieces.extend(left.map(|what| Piece { what: what as u16, ..model }));
    }
    for (n, &spot) in spots.iter().enumerate() {
        let other = n + rng.below((pieces.len() - n) as u32) as usize;
        pieces.swap(n, other);
        put(ctx, spot, pieces[n]);
    }
}

fn put(ctx: &mut Ctx<'_>, spot: Spot, piece: Piece) {
    let Spot { kind, site, level } = spot;
    let old = piece_at(ctx, spot);
    ctx.s.owned.remove_only(i32::from(old.what), kind, site, level);
    let layer = &mut ctx.s.layers[kind as usize];
    match layer.stacks.get_mut(site as usize).and_then(|stack| stack.get_mut(level as usize)) {
        Some(place) => *place = piece,
        None => layer.update(site, |place| *place = piece),
    }
    ctx.s.owned.add(i32::from(piece.what), kind, site, level);
}
