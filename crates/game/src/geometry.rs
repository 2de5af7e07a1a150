//! Where a game is played: sites with places and neighbours, containers, regions, kinds of piece.
//!
//! Everything here is fixed before play. What stands where is a [`View`](crate::View) of a position.

use crate::Player;

/// The number of a site, from nought; all sites of a game are numbered in one row, whatever container they
/// are in, those of the board's own kind first.
pub type SiteId = u32;

/// A neighbour that would lie off the board; see [`Geometry::around`].
pub const OFF: SiteId = SiteId::MAX;

/// A place in the plane of its container; `z` is the height on boards with several layers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Upwards.
    pub y: f32,
    /// Towards the reader.
    pub z: f32,
}

impl Point {
    /// A point on the ground.
    pub const fn flat(x: f32, y: f32) -> Self {
        Point { x, y, z: 0.0 }
    }
}

/// What a site is in the graph of its board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Element {
    /// A face: what people call a square.
    #[default]
    Cell,
    /// A point where lines meet.
    Vertex,
    /// A line between two points.
    Edge,
}

/// A place where pieces may stand.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Site {
    /// What it is called, `A1`; unique among the sites of its container and element wherever rules name them so.
    pub label: String,
    /// Its container, by number.
    pub container: u16,
    /// What it is in the board's graph.
    pub element: Element,
    /// Its centre. No two sites of a container and element have the same.
    pub at: Point,
    /// What to draw: the corners of a cell in order, the two ends of an edge, nothing for a vertex, whose
    /// centre is all of it.
    pub outline: Vec<Point>,
}

/// What a container is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContainerKind {
    /// A board. A match has one for each of its games.
    Board,
    /// Pieces that wait beside the board.
    Hand,
    /// Dice.
    Dice,
}

/// A board, a hand, dice. Each has a plane of its own in which its sites have places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ContainerKind,
    /// Whose it is, if it is one player's.
    pub owner: Option<Player>,
}

/// Sites that go by one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its name; of a side, its direction: `N`, `NE`.
    pub name: String,
    /// Whose it is: the goal of a player, his home. A player is meant who plays from the start; where seats are
    /// swapped, [`View::seats`](crate::View::seats) says who that is now.
    pub owner: Option<Player>,
    /// Its sites in ascending order; nothing where they depend on the position.
    pub sites: Option<Vec<SiteId>>,
}

/// A way over the board that pieces follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Track {
    /// Whose it is, if it is one player's.
    pub owner: Option<Player>,
    /// Its sites in order; what lies beyond its end is left out.
    pub sites: Vec<SiteId>,
}

/// What a puzzle gives at places of its board, for whoever solves it.
#[derive(Clone, PartialEq, Debug)]
pub struct Clue {
    /// The board.
    pub container: u16,
    /// The places it is about, in order.
    pub places: Vec<Spot>,
    /// What it says of them.
    pub says: Says,
}

/// A place of a board's graph, whether or not anything can stand there.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    /// Its centre.
    pub at: Point,
    /// What to draw, as of a [`Site`].
    pub outline: Vec<Point>,
}

/// What a [`Clue`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    /// A number, whose meaning the rules tell.
    Number(i32),
    /// What is written at each place is more than what is written at the place before.
    Ascending,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceKind {
    /// What it is called, `Pawn1`.
    pub name: String,
    /// Whose it is from the start; nothing for pieces of nobody and of everybody.
    pub owner: Option<Player>,
}

/// The board in rows and columns, for planes of `rows × columns` numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// How many rows, from the bottom.
    pub rows: usize,
    /// How many columns, from the left.
    pub columns: usize,
    /// Row and column of the sites of the board, by number; no two have the same.
    pub places: Vec<(u16, u16)>,
}

impl Grid {
    /// Whether every row has a site in every column.
    pub fn is_full(&self) -> bool {
        self.places.len() == self.rows * self.columns
    }
}

/// In which sense neighbours and lines are meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Across a side, or along a line of the board.
    Orthogonal,
    /// Across a corner.
    Diagonal,
}

/// The fixed part of what a player sees: sites, neighbours, regions, kinds of piece.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Geometry {
    /// Boards, hands, dice; the first is the board.
    pub containers: Vec<Container>,
    /// The sites, by number.
    pub sites: Vec<Site>,
    /// Regions that rules name, in the order in which the rules name them.
    pub regions: Vec<Region>,
    /// The sides of the board, clockwise from north.
    pub sides: Vec<Region>,
    /// Ways over the board that rules name.
    pub tracks: Vec<Track>,
    /// What a puzzle gives besides pieces.
    pub clues: Vec<Clue>,
    /// Kinds of piece, by number.
    pub kinds: Vec<PieceKind>,
    /// Lines that the board shows between points, where pieces stand on points.
    pub lines: Vec<[Point; 2]>,
    /// Rows and columns, where each site of the board is alone in its place.
    pub grid: Option<Grid>,
    /// See [`Geometry::around`].
    pub around: Lists,
    /// See [`Geometry::adjacent`].
    pub adjacent: Lists,
    /// See [`Geometry::rays`].
    pub rays: [Rays; 2],
}

impl Geometry {
    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there are no sites.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The words of 64 sites that a set of sites has.
    pub fn words(&self) -> usize {
        self.len().div_ceil(64)
    }

    /// The orthogonal neighbours of a site clockwise from north, [`OFF`] where the board has a gap: a site
    /// at the edge of a square board has four entries like any other. Turning by an angle is moving on in
    /// this list.
    #[inline]
    pub fn around(&self, site: SiteId) -> &[SiteId] {
        self.around.of(site)
    }

    /// The sites that touch a site in any way, clockwise from north: those around it, and on square cells
    /// the diagonal ones. Distances are counted in such steps.
    #[inline]
    pub fn adjacent(&self, site: SiteId) -> &[SiteId] {
        self.adjacent.of(site)
    }

    /// The straight lines from a site to the edge of the board, the site itself left out; clockwise from north.
    pub fn rays(&self, site: SiteId, relation: Relation) -> impl Iterator<Item = &[SiteId]> {
        let rays = &self.rays[relation as usize];
        rays.of_site.of(site).iter().map(|&ray| rays.sites.of(ray))
    }

    /// The sites of a container in order.
    pub fn sites_of(&self, container: u16) -> impl Iterator<Item = SiteId> {
        let all = (0..).zip(&self.sites);
        all.filter(move |(_, site)| site.container == container).map(|(id, _)| id)
    }

    /// The lengths that lists of neighbours have, ascending.
    pub fn connectivities(&self) -> Vec<usize> {
        let board = (0..self.len() as SiteId).filter(|&site| {
            self.containers[self.sites[site as usize].container as usize].kind
                == ContainerKind::Board
        });
        let mut lengths: Vec<usize> = board.map(|site| self.around(site).len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }
}

/// Lines from each site: which ones, and the sites of each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rays {
    /// Numbers of lines by site.
    pub of_site: Lists,
    /// Sites by line.
    pub sites: Lists,
}

impl Rays {
    /// Adds the rays of the next site.
    pub fn push<I: IntoIterator<Item = SiteId>>(&mut self, rays: impl IntoIterator<Item = I>) {
        let first = self.sites.len() as u32;
        rays.into_iter().for_each(|ray| self.sites.push(ray));
        self.of_site.push(first..self.sites.len() as u32);
    }
}

/// A short list of numbers for each of many items, in two flat arrays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// The list of an item; empty where there is no such item.
    #[inline]
    pub fn of(&self, item: u32) -> &[u32] {
        let item = item as usize;
        let start = item.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        match (start, self.ends.get(item)) {
            (Some(start), Some(&end)) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Adds the list of the next item.
    pub fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
