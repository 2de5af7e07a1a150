//! The geometry of a game from ludemes, as the contract has it, and how its sites are numbered there.
//!
//! First come the board's sites of the kind that is played on, under their own numbers; then hands and dice;
//! then sites of other kinds, where rules speak of them. A match has the sites of all its games, one
//! after the other.

use super::ctx::Ctx;
use super::eval::fixed::Fixed;
use super::game::{Compiled, ContainerKind, EquipmentRegion};
use super::topo::SiteType;
use ludex_board::{Direction, Point, Relation, Sites};
use ludex_game::geometry::{
    self, Container, Element, Geometry, Grid, OFF, PieceKind, Region, Says, Site, Spot, Track,
};
use ludex_game::{Player, SiteId};
use std::sync::OnceLock;

/// The numbers of sites and pieces, and the geometry, which is made when it is first asked for.
#[derive(Debug, Default)]
pub struct Places {
    games: Vec<Numbering>,
    geometry: OnceLock<Geometry>,
}

/// How the sites and pieces of one game are numbered among all.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    /// The first site of each kind and how many there are (as [`SiteType`] counts kinds).
    kinds: [(u32, u32); 3],
    /// The first site beyond the board: its number in the rules, here, and how many there are.
    beyond: (i32, u32, u32),
    /// The first kind of piece.
    pub pieces: u16,
}

impl Numbering {
    /// The number of a site; nothing where there is no such site.
    #[inline]
    pub fn site(&self, kind: SiteType, site: i32) -> Option<SiteId> {
        let (first, here, count) = self.beyond;
        if site >= first && ((site - first) as u32) < count {
            return Some(here + (site - first) as u32);
        }
        let (start, count) = self.kinds[kind as usize];
        let site = u32::try_from(site).ok().filter(|&site| site < count)?;
        Some(start + site)
    }

    /// All sites, with their kinds and numbers in the rules.
    pub fn all(&self) -> impl Iterator<Item = (SiteType, i32, SiteId)> + '_ {
        let board = SiteType::ALL.into_iter().flat_map(|kind| {
            let (first, count) = self.kinds[kind as usize];
            (0..count).map(move |site| (kind, site as i32, first + site))
        });
        let (first, here, count) = self.beyond;
        board.chain((0..count).map(move |n| (SiteType::Cell, first + n as i32, here + n)))
    }

    /// Whether sites of the board and beyond have the numbers that the rules give them.
    pub fn is_plain(&self) -> bool {
        self.beyond.0 as u32 == self.beyond.1
    }
}

impl Places {
    /// The places of a game, or of all games of a match.
    pub fn of(game: &Compiled) -> Places {
        let mut places = Places::default();
        let (mut sites, mut pieces) = (0, 0);
        each_game(game, &mut |game| {
            places.games.push(Numbering::of(game, &mut sites, &mut pieces));
        });
        places
    }

    /// The numbers of a game by its place among those of the match.
    pub fn numbering(&self, game: usize) -> &Numbering {
        &self.games[game.min(self.games.len().saturating_sub(1))]
    }

    /// The geometry of the game.
    pub fn geometry(&self, game: &Compiled) -> &Geometry {
        self.geometry.get_or_init(|| {
            let mut drawing = Drawing::default();
            let mut numberings = self.games.iter();
            each_game(game, &mut |game| {
                numberings.next().into_iter().for_each(|numbers| drawing.add_game(game, numbers));
            });
            drawing.geometry.grid = if self.games.len() == 1 { grid(game) } else { None };
            drawing.geometry
        })
    }
}

/// Calls `each` with the game, or with every game of a match.
fn each_game(game: &Compiled, each: &mut dyn FnMut(&Compiled)) {
    match game.is_match() {
        true => game.subgames.iter().for_each(|sub| each_game(&sub.game, each)),
        false => each(game),
    }
}

impl Numbering {
    /// Numbers the sites and pieces of a game after those that are numbered already.
    fn of(game: &Compiled, sites: &mut u32, pieces: &mut u16) -> Numbering {
        let default = game.topo.default;
        let mut numbering = Numbering { pieces: *pieces, ..Numbering::default() };
        let mut add = |kind: SiteType, sites: &mut u32| {
            let count = game.topo.count(kind) as u32;
            numbering.kinds[kind as usize] = (*sites, count);
            *sites += count;
        };
        add(default, sites);
        let beyond = *sites;
        let count: u32 = game.containers.iter().skip(1).map(|c| c.count as u32).sum();
        *sites += count;
        for kind in SiteType::ALL.into_iter().filter(|&kind| kind != default) {
            if game.used[kind as usize] {
                add(kind, sites);
            }
        }
        let first = game.containers.get(1).map_or(beyond as i32, |container| container.first);
        numbering.beyond = (first, beyond, count);
        *pieces += game.components.len().saturating_sub(1) as u16;
        numbering
    }
}

/// The geometry while it is made.
#[derive(Default)]
struct Drawing {
    geometry: Geometry,
}

impl Drawing {
    fn add_game(&mut self, game: &Compiled, numbering: &Numbering) {
        let board = self.geometry.containers.len() as u16;
        for container in &game.containers {
            self.add_container(game, container);
        }
        let default = game.topo.default;
        self.add_sites(game, numbering, board, default);
        self.add_beyond(game, board);
        for kind in SiteType::ALL.into_iter().filter(|&kind| kind != default) {
            if numbering.kinds[kind as usize].1 > 0 {
                self.add_sites(game, numbering, board, kind);
            }
        }
        self.add_kinds(game);
        self.add_regions(game, numbering);
        self.add_clues(game, board);
        let kind = game.topo.default;
        self.geometry.tracks.extend(game.tracks.iter().map(|track| Track {
            owner: owner(game, track.owner),
            sites: track.sites.iter().filter_map(|&site| numbering.site(kind, site)).collect(),
        }));
    }

    fn add_container(&mut self, game: &Compiled, container: &super::game::Container) {
        let kind = match container.kind {
            ContainerKind::Board => geometry::ContainerKind::Board,
            ContainerKind::Hand | ContainerKind::Deck { .. } => geometry::ContainerKind::Hand,
            ContainerKind::Dice(_) => geometry::ContainerKind::Dice,
        };
        let owner = owner(game, container.owner);
        self.geometry.containers.push(Container { name: container.name.to_string(), kind, owner });
    }

    fn add_sites(&mut self, game: &Compiled, numbering: &Numbering, board: u16, kind: SiteType) {
        let sites = game.topo.sites(kind);
        let first = numbering.kinds[kind as usize].0;
        for site in 0..sites.len() {
            self.geometry.sites.push(Site {
                label: sites.label(site).to_string(),
                container: board,
                element: element(kind),
                at: point(sites.at(site)),
                outline: outline(game, kind, site),
            });
            let around = sites.around(site).into_iter();
            self.geometry.around.push(around.map(|near| near.map_or(OFF, |near| near + first)));
            let adjacent = sites.neighbours(site, Relation::Adjacent).iter();
            self.geometry.adjacent.push(adjacent.map(|near| near + first));
            for (rays, way) in self.geometry.rays.iter_mut().zip(RAYS) {
                rays.push(lines(sites, site, way).map(|ray| ray.iter().map(|to| to + first)));
            }
        }
        if kind == game.topo.default && kind != SiteType::Cell {
            let lines = game.topo.lines().map(|[a, b]| [point(a), point(b)]);
            self.geometry.lines.extend(lines);
        }
        if kind == game.topo.default {
            let compass = Direction::COMPASS.into_iter();
            let sides = compass.filter_map(|way| Some((way, sites.side(way)?)));
            self.geometry.sides.extend(sides.map(|(way, side)| Region {
                name: way.name().to_string(),
                owner: None,
                sites: Some(side.iter().map(|site| first + site as u32).collect()),
            }));
            self.geometry.sides.retain(|side| side.sites.as_ref().is_some_and(|s| !s.is_empty()));
        }
    }

    /// Sites of hands and dice stand in a row.
    fn add_beyond(&mut self, game: &Compiled, board: u16) {
        for (container, number) in game.containers.iter().zip(board..).skip(1) {
            for n in 0..container.count {
                let left = n as f32;
                let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
                let corner = |(x, y): (f32, f32)| geometry::Point::flat(left + x, y);
                self.geometry.sites.push(Site {
                    label: format!("{}:{n}", container.name),
                    container: number,
                    element: Element::Cell,
                    at: corner((0.5, 0.5)),
                    outline: corners.map(corner).to_vec(),
                });
                self.geometry.around.push([]);
                self.geometry.adjacent.push([]);
                self.geometry.rays.iter_mut().for_each(|rays| rays.push::<[SiteId; 0]>([]));
            }
        }
    }

    fn add_kinds(&mut self, game: &Compiled) {
        let pieces = game.components.iter().skip(1);
        self.geometry.kinds.extend(pieces.map(|component| PieceKind {
            name: component.name.to_string(),
            owner: owner(game, component.owner),
        }));
    }

    /// Clues may be about places where nothing is put.
    fn add_clues(&mut self, game: &Compiled, board: u16) {
        for clue in &game.clues {
            let spot = |&site: &i32| Spot {
                at: point(game.topo.sites(clue.kind).at(site as usize)),
                outline: outline(game, clue.kind, site as usize),
            };
            self.geometry.clues.push(geometry::Clue {
                container: board,
                places: clue.sites.iter().map(spot).collect(),
                says: clue.number.map_or(Says::Ascending, Says::Number),
            });
        }
    }

    fn add_regions(&mut self, game: &Compiled, numbering: &Numbering) {
        for region in &game.regions {
            self.geometry.regions.push(Region {
                name: region.name.to_string(),
                owner: owner(game, region.owner),
                sites: fixed_sites(game, region, numbering),
            });
        }
    }
}

/// The directions of the two kinds of rays, in their order.
const RAYS: [Direction; 2] = [Direction::Orthogonal, Direction::Diagonal];

fn lines(sites: &Sites, site: usize, way: Direction) -> impl Iterator<Item = &[u32]> {
    let radials = sites.radials();
    radials.from_site(site, way).iter().map(move |&radial| &radials.sites(radial)[1..])
}

/// The sites of a region, if they never change.
fn fixed_sites(
    game: &Compiled,
    region: &EquipmentRegion,
    numbering: &Numbering,
) -> Option<Vec<SiteId>> {
    let fixed = Fixed::new(&game.regions);
    if !region.parts.iter().all(|part| fixed.region(part)) {
        return None;
    }
    let mut ctx = Ctx::new(game, game.empty_state());
    let mut sites = Vec::new();
    for part in &region.parts {
        let set = ctx.region(part);
        sites.extend(set.iter().filter_map(|s| numbering.site(game.kind_at(None, s), s)));
    }
    sites.sort_unstable();
    sites.dedup();
    Some(sites)
}

/// Rows and columns, where each site of the board is alone in its place.
fn grid(game: &Compiled) -> Option<Grid> {
    let sites = game.topo.sites(game.topo.default);
    let place = |site: usize| {
        Some((u16::try_from(sites.row(site)).ok()?, u16::try_from(sites.column(site)).ok()?))
    };
    let places: Vec<(u16, u16)> = (0..sites.len()).map(place).collect::<Option<_>>()?;
    let distinct: rustc_hash::FxHashSet<&(u16, u16)> = places.iter().collect();
    if distinct.len() < places.len() || places.is_empty() {
        return None;
    }
    let most = |of: fn(&(u16, u16)) -> u16| places.iter().map(of).max().map_or(0, usize::from) + 1;
    Some(Grid { rows: most(|place| place.0), columns: most(|place| place.1), places })
}

/// Whose something is: players of the rules count from one, nobody is nought, everybody more than all.
fn owner(game: &Compiled, owner: i32) -> Option<Player> {
    (1..=game.players).contains(&owner).then(|| Player(owner as u8 - 1))
}

fn element(kind: SiteType) -> Element {
    match kind {
        SiteType::Cell => Element::Cell,
        SiteType::Vertex => Element::Vertex,
        SiteType::Edge => Element::Edge,
    }
}

fn outline(game: &Compiled, kind: SiteType, site: usize) -> Vec<geometry::Point> {
    game.topo.outline(kind, site).into_iter().map(point).collect()
}

fn point(at: Point) -> geometry::Point {
    geometry::Point { x: at.x as f32, y: at.y as f32, z: at.z as f32 }
}
