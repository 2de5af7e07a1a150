//! Laws of geometry, of views of positions, and of where moves start and end.

use std::collections::HashSet;

use super::{Fault, Walk};
use crate::geometry::{Geometry, OFF, Region, SiteId};
use crate::{Coding, Detail, Ends, Game, Move, MoveKind, Player, SetOf, State, Turn, View};

/// The geometry is one: sites in their own places, neighbours of each other, regions on the board.
pub(super) fn geometry(walk: &Walk) -> Result<(), Fault> {
    let Some(geometry) = walk.game.geometry() else { return Ok(()) };
    let players = walk.game.info().players;
    if let Some((law, detail)) = flaw(geometry, players) {
        return Err(walk.fault(law, detail));
    }
    Ok(())
}

/// A law of geometry: how it is broken, if it is.
type Law = fn(&Geometry, usize) -> Option<String>;

/// What is wrong with a geometry: the law it breaks, and how.
pub fn flaw(geometry: &Geometry, players: usize) -> Option<(&'static str, String)> {
    let laws: [(&'static str, Law); 6] = [
        ("every site is in a container", stray),
        ("sites have places of their own", crowded),
        ("neighbours are neighbours of each other", one_sided),
        ("lines lead from site to site", broken_line),
        ("regions and rows are on the board", off_board),
        ("owners are players", unowned),
    ];
    laws.into_iter().find_map(|(law, flaw)| Some((law, flaw(geometry, players)?)))
}

fn stray(geometry: &Geometry, _: usize) -> Option<String> {
    let known = |container: u16| (container as usize) < geometry.containers.len();
    let site = geometry.sites.iter().find(|site| !known(site.container))?;
    Some(format!("{} is in container {}", site.label, site.container))
}

fn crowded(geometry: &Geometry, _: usize) -> Option<String> {
    let mut places = HashSet::new();
    let mut taken = geometry.sites.iter().filter(|site| {
        let at = [site.at.x, site.at.y, site.at.z].map(|part| (part * 1e4).round() as i64);
        !places.insert((site.container, site.element, at))
    });
    taken.next().map(|site| format!("{} at {:?}", site.label, site.at))
}

fn one_sided(geometry: &Geometry, _: usize) -> Option<String> {
    for site in 0..geometry.len() as SiteId {
        for &near in geometry.around(site).iter().filter(|&&near| near != OFF) {
            if !geometry.around(near).contains(&site) {
                return Some(format!("{site} has {near} around it, not the other way"));
            }
        }
        for &near in geometry.adjacent(site) {
            if !geometry.adjacent(near).contains(&site) {
                return Some(format!("{site} touches {near}, not the other way"));
            }
        }
        let near = geometry.around(site).iter().filter(|&&near| near != OFF);
        if let Some(apart) = near.copied().find(|near| !geometry.adjacent(site).contains(near)) {
            return Some(format!("{site} has {apart} around it, but does not touch it"));
        }
    }
    None
}

fn broken_line(geometry: &Geometry, _: usize) -> Option<String> {
    use crate::geometry::Relation::{Diagonal, Orthogonal};
    let inside = |&site: &SiteId| (site as usize) < geometry.len();
    for site in 0..geometry.len() as SiteId {
        for relation in [Orthogonal, Diagonal] {
            let mut rays = geometry.rays(site, relation);
            if let Some(ray) = rays.find(|ray| ray.is_empty() || !ray.iter().all(inside)) {
                return Some(format!("{site}: {ray:?}"));
            }
        }
    }
    None
}

fn off_board(geometry: &Geometry, _: usize) -> Option<String> {
    let astray = |region: &&Region| {
        let sites = region.sites.as_deref().unwrap_or(&[]);
        let ordered = sites.windows(2).all(|pair| pair[0] < pair[1]);
        !ordered || sites.iter().any(|&site| site as usize >= geometry.len())
    };
    let mut regions = geometry.regions.iter().chain(&geometry.sides);
    if let Some(region) = regions.find(astray) {
        return Some(format!("{region:?}"));
    }
    let grid = geometry.grid.as_ref()?;
    let places: HashSet<&(u16, u16)> = grid.places.iter().collect();
    let inside = |&&(row, column): &&(u16, u16)| {
        usize::from(row) < grid.rows && usize::from(column) < grid.columns
    };
    let whole = places.len() == grid.places.len() && grid.places.len() <= geometry.len();
    let fits = whole && grid.places.iter().all(|place| inside(&place));
    (!fits).then(|| format!("{} rows, {} columns: {:?}", grid.rows, grid.columns, grid.places))
}

fn unowned(geometry: &Geometry, players: usize) -> Option<String> {
    let kinds = geometry.kinds.iter().map(|kind| (&kind.name, kind.owner));
    let containers = geometry.containers.iter().map(|container| (&container.name, container.owner));
    let regions = geometry.regions.iter().map(|region| (&region.name, region.owner));
    let mut all = kinds.chain(containers).chain(regions);
    let unknown = |owner: Option<Player>| owner.is_some_and(|player| player.index() >= players);
    all.find(|(_, owner)| unknown(*owner)).map(|(name, owner)| format!("{name}: {owner:?}"))
}

/// Views partition the sites, whoever looks and however much is asked for.
pub(super) fn views(walk: &Walk) -> Result<(), Fault> {
    let Some(geometry) = walk.game.geometry() else { return Ok(()) };
    let (mut view, mut again) = (View::new(), View::new());
    for viewer in viewers(walk.game) {
        walk.game.view(&walk.state, viewer, Detail::Pieces, &mut view);
        if let Some(detail) = faulty_view(&view, geometry, walk.game.info().players) {
            return Err(walk.fault("a view partitions the sites", format!("{viewer:?}: {detail}")));
        }
        walk.game.view(&walk.state, viewer, Detail::Sets, &mut again);
        let different = sets(&view, geometry).find(|&set| view.set(set) != again.set(set));
        walk.hold(different.is_none(), "sets are the same with and without pieces", || {
            format!("{viewer:?}: {different:?}")
        })?;
    }
    Ok(())
}

fn viewers(game: &dyn Game) -> impl Iterator<Item = Option<Player>> {
    let players = if game.info().hidden { game.info().players as u8 } else { 0 };
    (0..players).map(|player| Some(Player(player))).chain([None])
}

fn owners(players: usize) -> impl Iterator<Item = SetOf> {
    let players = (0..players as u8).map(|player| SetOf::Owned(Player(player)));
    [SetOf::Empty, SetOf::Neutral, SetOf::UnknownOwner].into_iter().chain(players)
}

fn kinds(geometry: &Geometry) -> impl Iterator<Item = SetOf> + use<> {
    let kinds = (0..geometry.kinds.len() as u16).map(SetOf::Kind);
    [SetOf::Empty, SetOf::UnknownKind].into_iter().chain(kinds)
}

fn sets(view: &View, geometry: &Geometry) -> impl Iterator<Item = SetOf> + use<> {
    owners(view.seats.len()).chain(kinds(geometry))
}

fn faulty_view(view: &View, geometry: &Geometry, players: usize) -> Option<String> {
    if view.len() != geometry.len() || view.seats.len() != players {
        return Some(format!("{} sites, {} seats", view.len(), view.seats.len()));
    }
    if !(view.scores.is_empty() || view.scores.len() == players) {
        return Some(format!("scores are {:?}", view.scores));
    }
    for site in 0..view.len() as SiteId {
        let holding = |all: &mut dyn Iterator<Item = SetOf>| -> Vec<SetOf> {
            all.filter(|&set| view.has(set, site)).collect()
        };
        let owned = holding(&mut owners(players));
        let of_kind = holding(&mut kinds(geometry));
        let bare = view.has(SetOf::Empty, site);
        if owned.len() != 1 || of_kind.len() != 1 || bare != view.stack(site).is_empty() {
            return Some(format!("site {site} is in {owned:?} and {of_kind:?}"));
        }
    }
    None
}

/// Moves start and end on the board.
pub(super) fn ends(walk: &Walk, player: Option<Player>, moves: &[Move]) -> Result<(), Fault> {
    let Some(geometry) = walk.game.geometry() else { return Ok(()) };
    for &mv in moves {
        let ends = walk.game.ends(&walk.state, player, mv);
        walk.hold(on_board(geometry, ends), "moves start and end on the board", || {
            format!("{} is {ends:?}", walk.game.move_text(&walk.state, player, mv))
        })?;
        let Some(player) = player else { continue };
        if walk.game.code_count(player, Coding::Plain) == 0 {
            continue;
        }
        let code = walk.game.code(&walk.state, player, mv, Coding::Plain);
        let told = walk.game.code_ends(player, code);
        walk.hold(
            told.is_none_or(|told| alike(told, ends)),
            "codes tell the ends of moves",
            || {
                let text = walk.game.move_text(&walk.state, Some(player), mv);
                format!("{text} is {ends:?}, its code {code} says {told:?}")
            },
        )?;
    }
    Ok(())
}

/// Whether what a code tells of a move is true of it.
fn alike(told: Ends, ends: Ends) -> bool {
    let special = |kind: MoveKind| matches!(kind, MoveKind::Pass | MoveKind::Swap);
    let kinds = told.kind == ends.kind || !(special(told.kind) || special(ends.kind));
    kinds && (told.from, told.to) == (ends.from, ends.to)
}

fn on_board(geometry: &Geometry, ends: Ends) -> bool {
    let inside = |site: SiteId| (site as usize) < geometry.len();
    let sites = [ends.from, ends.to].into_iter().flatten();
    let placeless = matches!(ends.kind, MoveKind::Pass | MoveKind::Swap);
    sites.clone().all(inside)
        && (ends.from.is_none() || ends.from != ends.to)
        && !(placeless && sites.count() > 0)
}

/// After a move of one player, the last move is that move.
pub(super) fn last(walk: &Walk, before: &State, mv: Move) -> Result<(), Fault> {
    let mover = walk.game.turn(before).mover();
    let Some(player) = mover.filter(|_| walk.game.geometry().is_some()) else { return Ok(()) };
    // What a move does may be left to chance: then it is not made yet.
    if walk.game.turn(&walk.state) == Turn::Chance {
        return Ok(());
    }
    let made = Some(walk.game.ends(before, Some(player), mv));
    let last = walk.game.last_move(&walk.state);
    walk.hold(made == last, "the last move is the one that was made", || {
        format!("{made:?}, remembered as {last:?}")
    })
}

/// What two forms of a game show differently, if anything.
pub(super) fn difference(
    (a, at): (&dyn Game, &State),
    (b, other): (&dyn Game, &State),
) -> Option<String> {
    let geometry = a.geometry()?;
    let views = |viewer| {
        let mut views = [View::new(), View::new()];
        a.view(at, viewer, Detail::Pieces, &mut views[0]);
        b.view(other, viewer, Detail::Pieces, &mut views[1]);
        views
    };
    for viewer in viewers(a) {
        let [first, second] = views(viewer);
        if first != second {
            return Some(told(&first, &second, geometry));
        }
    }
    let (last, other) = (a.last_move(at), b.last_move(other));
    (last != other).then(|| format!("the last move is {last:?} and {other:?}"))
}

/// Where two views differ.
fn told(a: &View, b: &View, geometry: &Geometry) -> String {
    let site = (0..a.len() as SiteId).find(|&site| a.stack(site) != b.stack(site));
    match site {
        Some(site) => format!("site {site} holds {:?} and {:?}", a.stack(site), b.stack(site)),
        None => {
            let set = sets(a, geometry).find(|&set| a.set(set) != b.set(set));
            let seats = (&a.seats, &b.seats);
            format!("{set:?}, seats {seats:?}, scores {:?} and {:?}", a.scores, b.scores)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Lists, PieceKind};

    #[test]
    fn each_flaw_of_a_geometry_is_found() {
        let sound = Geometry::rectangle(3, 3);
        assert_eq!(flaw(&sound, 2), None);
        let broken = |change: &dyn Fn(&mut Geometry)| {
            let mut geometry = sound.clone();
            change(&mut geometry);
            flaw(&geometry, 2).map(|(law, _)| law)
        };
        let law = broken(&|g| g.sites[4].container = 1);
        assert_eq!(law, Some("every site is in a container"));
        let law = broken(&|g| g.sites[4].at = g.sites[5].at);
        assert_eq!(law, Some("sites have places of their own"));
        let law = broken(&|g| {
            let mut around = Lists::default();
            (0..9).for_each(|site| around.push(if site == 0 { vec![1] } else { Vec::new() }));
            g.around = around;
        });
        assert_eq!(law, Some("neighbours are neighbours of each other"));
        let law = broken(&|g| g.rays[0].sites = Lists::default());
        assert_eq!(law, Some("lines lead from site to site"));
        let law = broken(&|g| g.sides[0].sites = Some(vec![9]));
        assert_eq!(law, Some("regions and rows are on the board"));
        let owner = Some(Player(2));
        let law = broken(&|g| g.kinds.push(PieceKind { name: "Third".into(), owner }));
        assert_eq!(law, Some("owners are players"));
    }
}
