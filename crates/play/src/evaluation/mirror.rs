//! How the board looks from the other side: a symmetry of the board that exchanges the two players.

use ludex_game::geometry::{ContainerKind, Geometry, Point, SiteId};
use ludex_game::{Player, SetOf, View};

/// For each site, the site that is to the second player what it is to the first; nothing where no symmetry
/// of the board exchanges what both have at the start.
pub(super) fn mirror(geometry: &Geometry, start: &View) -> Option<Vec<SiteId>> {
    TURNS.iter().find_map(|turn| {
        let map = image(geometry, turn)?;
        exchanges(geometry, start, &map).then_some(map)
    })
}

/// Turns and reflections about the middle of the board, the most usual first: half a turn, top to bottom,
/// nothing at all, left to right, both diagonals, quarter turns.
const TURNS: [[f32; 4]; 8] = [
    [-1.0, 0.0, 0.0, -1.0],
    [1.0, 0.0, 0.0, -1.0],
    [1.0, 0.0, 0.0, 1.0],
    [-1.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 1.0, 0.0],
    [0.0, -1.0, -1.0, 0.0],
    [0.0, -1.0, 1.0, 0.0],
    [0.0, 1.0, -1.0, 0.0],
];

/// Where a turn takes each site; nothing where a site has no image.
fn image(geometry: &Geometry, turn: &[f32; 4]) -> Option<Vec<SiteId>> {
    let mut map = vec![SiteId::MAX; geometry.len()];
    for (number, container) in geometry.containers.iter().enumerate() {
        let sites: Vec<SiteId> = geometry.sites_of(number as u16).collect();
        let partner = match (container.kind, container.owner) {
            (ContainerKind::Board, _) | (_, None) => number,
            (kind, Some(owner)) => geometry
                .containers
                .iter()
                .position(|other| other.kind == kind && other.owner == Some(owner.opponent()))?,
        };
        if container.kind != ContainerKind::Board {
            let images = geometry.sites_of(partner as u16);
            sites.iter().zip(images).for_each(|(&site, to)| map[site as usize] = to);
            continue;
        }
        let middle = middle(geometry, &sites);
        for &site in &sites {
            let from = geometry.sites[site as usize].at;
            let (x, y) = (from.x - middle.x, from.y - middle.y);
            let to = Point {
                x: middle.x + turn[0] * x + turn[1] * y,
                y: middle.y + turn[2] * x + turn[3] * y,
                z: from.z,
            };
            let element = geometry.sites[site as usize].element;
            let same = |other: &&SiteId| {
                let other = &geometry.sites[**other as usize];
                other.element == element && near(other.at, to)
            };
            map[site as usize] = *sites.iter().find(same)?;
        }
    }
    map.iter().all(|&to| to != SiteId::MAX).then_some(map)
}

fn middle(geometry: &Geometry, sites: &[SiteId]) -> Point {
    let places = || sites.iter().map(|&site| geometry.sites[site as usize].at);
    let half = |of: fn(Point) -> f32| {
        let low = places().map(of).fold(f32::INFINITY, f32::min);
        let high = places().map(of).fold(f32::NEG_INFINITY, f32::max);
        0.5 * (low + high)
    };
    Point { x: half(|at| at.x), y: half(|at| at.y), z: 0.0 }
}

fn near(a: Point, b: Point) -> bool {
    const SLACK: f32 = 0.01;
    (a.x - b.x).abs() < SLACK && (a.y - b.y).abs() < SLACK && (a.z - b.z).abs() < SLACK
}

/// Whether a map of sites, applied twice, is no change, and takes all that belongs to either player at the start to
/// what belongs to the other.
fn exchanges(geometry: &Geometry, start: &View, map: &[SiteId]) -> bool {
    let all = 0..geometry.len() as SiteId;
    let returns = all.clone().all(|site| map[map[site as usize] as usize] == site);
    let pieces = all.clone().all(|site| {
        let to = map[site as usize];
        let owned = |player, site| start.has(SetOf::Owned(player), site);
        let (first, second) = (Player(0), Player(1));
        owned(first, site) == owned(second, to)
            && owned(second, site) == owned(first, to)
            && start.has(SetOf::Empty, site) == start.has(SetOf::Empty, to)
            && kind_name(geometry, start, site) == kind_name(geometry, start, to)
    });
    returns && pieces && regions_agree(geometry, map)
}

fn kind_name<'g>(geometry: &'g Geometry, start: &View, site: SiteId) -> Option<&'g str> {
    let kind = (0..geometry.kinds.len()).find(|&kind| start.has(SetOf::Kind(kind as u16), site))?;
    Some(base_name(&geometry.kinds[kind].name))
}

/// The name of a kind without the number of its player.
pub(crate) fn base_name(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Whether the regions of one player are those of the other, seen from there.
fn regions_agree(geometry: &Geometry, map: &[SiteId]) -> bool {
    let of = |player: u8| {
        let owned =
            geometry.regions.iter().filter(move |region| region.owner == Some(Player(player)));
        let sites = owned.filter_map(|region| region.sites.as_ref()).flatten();
        let mut sites: Vec<SiteId> = sites.copied().collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    };
    let mut images: Vec<SiteId> = of(0).iter().map(|&site| map[site as usize]).collect();
    images.sort_unstable();
    images == of(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Piece;
    use ludex_game::geometry::{PieceKind, Region};

    fn start(board: &mut Geometry, first: &[SiteId], second: &[SiteId]) -> View {
        for (name, owner) in [("Man1", 0), ("Man2", 1)] {
            board.kinds.push(PieceKind { name: name.into(), owner: Some(Player(owner)) });
        }
        let mut view = View::new();
        view.reset(board, 2);
        for (kind, sites) in [first, second].into_iter().enumerate() {
            for &site in sites {
                view.put(site, Piece::plain(kind as u16, Some(Player(kind as u8)), site));
            }
        }
        view
    }

    #[test]
    fn both_sides_see_the_same_board() {
        let mut board = Geometry::rectangle(3, 2);
        let view = start(&mut board, &[0, 1], &[4, 5]);
        assert_eq!(mirror(&board, &view), Some(vec![5, 4, 3, 2, 1, 0]));
        let mut board = Geometry::rectangle(3, 2);
        let view = start(&mut board, &[0, 1], &[4]);
        assert_eq!(mirror(&board, &view), None, "two are not one");
    }

    #[test]
    fn regions_are_exchanged_too() {
        let mut board = Geometry::rectangle(3, 3);
        let view = start(&mut board, &[], &[]);
        for (owner, sites) in [(0, vec![0, 3, 6]), (1, vec![0, 1, 2])] {
            let (name, owner) = (String::new(), Some(Player(owner)));
            board.regions.push(Region { name, owner, sites: Some(sites) });
        }
        assert_eq!(mirror(&board, &view), Some(vec![0, 3, 6, 1, 4, 7, 2, 5, 8]));
    }
}
