//! Which way of drawing moves pays in a game, and how many moves a piece can have at most.

use super::is_plain;
use crate::ctx::Ctx;
use crate::game::{Compiled, Component};
use crate::ir::{Directions, Int, Moves, MovesKind, Origin, Relation, RelativeDir};
use crate::owned::Held;
use crate::state::State;
use crate::topo::{Dir, Plane, Radial};

/// What is known of a game before moves are drawn.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(super) most: Most,
    /// For every phase, whether some of its moves are drawn without looking at the others.
    pub(super) gathers: Vec<bool>,
    /// All moves are listed after all.
    pub(super) lists: bool,
}

/// How many moves a piece can have at most.
#[derive(Debug)]
pub(super) struct Most {
    /// Sites of the board.
    sites: usize,
    /// By component and site; nothing where it is not known.
    of: Vec<Option<u16>>,
}

/// So many numbers are worked out at most when a game is loaded.
const MOST_BOUNDS: usize = 40_000;

impl Most {
    /// Of no piece.
    fn none() -> Self {
        Most { sites: 0, of: Vec::new() }
    }

    fn new(game: &Compiled) -> Self {
        let sites = game.board_sites();
        if game.components.len() * sites > MOST_BOUNDS {
            return Most::none();
        }
        let at = |c: &Component, site: usize| match &c.moves {
            Some(moves) => {
                bound(game, moves, site as i32).and_then(|most| u16::try_from(most).ok())
            }
            None => Some(0),
        };
        let of_all = |c| (0..sites).map(move |site| at(c, site));
        Most { sites, of: game.components.iter().flat_map(of_all).collect() }
    }

    /// That of a piece somewhere.
    pub(super) fn of(&self, held: Held) -> Option<u16> {
        let site = usize::try_from(held.site).ok().filter(|&site| site < self.sites)?;
        *self.of.get(held.what as usize * self.sites + site)?
    }

    /// Whether it is known of some pieces that move.
    fn is_known(&self) -> bool {
        self.of.iter().any(|most| most.is_some_and(|most| most > 0))
    }
}

/// Plies that are looked at to find out whether drawing pays, and the steps that this may take.
const PROBED: u32 = 160;
const PATIENCE_OF_PROBE: u64 = 400_000;

impl Plan {
    pub(crate) fn new(game: &Compiled) -> Self {
        let most = Most::new(game);
        let bounded = most.is_known();
        let gathers = game.phases.iter().map(|phase| gathers(game, &phase.play, bounded)).collect();
        Plan { most, gathers, lists: false }
    }

    /// Draws moves in the way that takes the fewest steps, as far as one game shows: most moves drawn
    /// without looking at the others may turn out illegal. Whether all moves are listed.
    pub(crate) fn settle(&mut self, game: &Compiled, start: &State) -> bool {
        let mut ctx = Ctx::new(game, start.clone());
        let plainly =
            Plan { most: Most::none(), gathers: vec![false; self.gathers.len()], lists: false };
        let (mut drawing, mut looking, mut listing) = (0, 0, 0);
        for ply in 0..PROBED {
            if ctx.s.over.is_some() || ctx.work > PATIENCE_OF_PROBE {
                break;
            }
            // Neighbouring plies are much alike.
            if ply % 4 == 3 {
                drawing += ctx.steps_of(|c| drop(c.draw(self)));
                looking += ctx.steps_of(|c| drop(c.draw(&plainly)));
                listing += ctx.steps_of(|c| drop(c.legal_moves()));
            }
            let mv = ctx.draw(self);
            ctx.play_silently(&mv);
        }
        if looking < drawing {
            *self = plainly;
        }
        self.lists = drawing > 0 && drawing.min(looking) * 21 > listing * 20;
        self.lists
    }
}

/// Whether some moves of a generator are drawn without looking at the others, or judged when drawn.
fn gathers(game: &Compiled, moves: &Moves, bounded: bool) -> bool {
    match &moves.kind {
        MovesKind::All(parts) | MovesKind::Priority(parts) => {
            parts.iter().any(|part| gathers(game, part, bounded))
        }
        MovesKind::If(_, yes, no) => {
            gathers(game, yes, bounded) || no.as_ref().is_some_and(|no| gathers(game, no, bounded))
        }
        MovesKind::Do(wanted) if wanted.next.is_none() => {
            wanted.if_afterwards.is_some() || gathers(game, &wanted.prior, bounded)
        }
        MovesKind::Add(add) => is_plain(game, add),
        MovesKind::ForEachPiece(each) => each.moves.is_none() && bounded,
        _ => false,
    }
}

/// How many moves a piece on a site can have at most, where that is known.
fn bound(game: &Compiled, moves: &Moves, site: i32) -> Option<usize> {
    let of_piece = |from: &Origin| {
        let own = matches!(from.site, Int::From) && from.region.is_none();
        let kind = from.kind.unwrap_or(game.topo.default);
        (own && kind == game.topo.default).then(|| game.topo.plane(kind))
    };
    match &moves.kind {
        MovesKind::All(parts) => parts.iter().map(|part| bound(game, part, site)).sum(),
        MovesKind::If(_, yes, no) => {
            let no = no.as_ref().map_or(Some(0), |no| bound(game, no, site))?;
            Some(bound(game, yes, site)?.max(no))
        }
        MovesKind::Step(step) => {
            let plane = of_piece(&step.from)?;
            directions_bound(plane, &step.dirs, &|dir| plane.steps(site, dir).len())
        }
        MovesKind::Leap(leap) => {
            let plane = of_piece(&leap.from)?;
            Some(leap.walks.len() * plane.supported(Relation::Orthogonal).len())
        }
        MovesKind::Slide(slide) if slide.track.is_none() => {
            let plane = of_piece(&slide.from)?;
            let far = match slide.distance.max {
                Int::Const(max) => max.max(0) as usize,
                _ => usize::MAX,
            };
            let length = |line: &Radial| (line.sites.len() - 1).min(far);
            directions_bound(plane, &slide.dirs, &|dir| plane.radials(site, dir).map(length).sum())
        }
        MovesKind::Hop(hop) => {
            let plane = of_piece(&hop.from)?;
            let is = |n: &Int, value: i32| matches!(n, Int::Const(n) if *n == value);
            let plain = is(&hop.length.min, 1) && is(&hop.length.max, 1) && is(&hop.after, 0);
            let lines = |dir: Dir| plane.radials(site, dir).count();
            plain.then(|| directions_bound(plane, &hop.dirs, &lines)).flatten()
        }
        _ => None,
    }
}

/// How many ways there are in some directions, if there are so many in each.
fn directions_bound(
    plane: &Plane,
    dirs: &Directions,
    ways: &dyn Fn(Dir) -> usize,
) -> Option<usize> {
    match dirs {
        Directions::Absolute(dirs) => Some(dirs.iter().map(|&dir| ways(dir)).sum()),
        Directions::Relative { dirs, relation, by_site: false, .. } => {
            // Whichever way the piece faces, it goes in so many of the directions there are.
            let single = |d: &RelativeDir| match d {
                RelativeDir::Turned(name) => !name.ends_with('s'),
                RelativeDir::Same | RelativeDir::Opposite => false,
            };
            let compass = (Dir::N.0..Dir::N.0 + 16).map(Dir);
            let most = compass.chain(plane.supported(*relation).iter().copied()).map(ways).max()?;
            dirs.iter().all(single).then_some(dirs.len() * most)
        }
        Directions::Relative { .. } => None,
        Directions::If(_, a, b) => {
            Some(directions_bound(plane, a, ways)?.max(directions_bound(plane, b, ways)?))
        }
        Directions::Union(a, b) => {
            Some(directions_bound(plane, a, ways)? + directions_bound(plane, b, ways)?)
        }
        Directions::Difference(a, _) => directions_bound(plane, a, ways),
        Directions::FromTo(..) | Directions::Random(..) => None,
    }
}
