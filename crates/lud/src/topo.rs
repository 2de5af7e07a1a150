//! What the evaluator asks of a board, in flat tables.

use super::ir::{Relation, RelativeDir};
use super::sites::SiteSet;
use ludex_board::{Direction, Mark};
use std::sync::OnceLock;

pub use ludex_board::SiteType;

/// A direction, by its place in the fixed list of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dir(pub u8);

/// A few directions.
pub type Dirs = smallvec::SmallVec<[Dir; 16]>;

impl Dir {
    /// How many there are.
    pub const COUNT: usize = 51;
    /// Every neighbour.
    pub const ALL: Dir = Dir(0);
    /// Neighbours that touch.
    pub const ADJACENT: Dir = Dir(2);
    /// Across a side.
    pub const ORTHOGONAL: Dir = Dir(4);
    /// Across a corner.
    pub const DIAGONAL: Dir = Dir(5);
    /// Off-diagonal.
    pub const OFF_DIAGONAL: Dir = Dir(6);
    /// To a greater height.
    pub const UPWARD: Dir = Dir(8);
    /// To a lesser height.
    pub const DOWNWARD: Dir = Dir(9);
    /// The sites a site rests on.
    pub const SUPPORT: Dir = Dir(12);
    /// North.
    pub const N: Dir = Dir(13);

    /// The group of neighbours of a relation.
    pub fn of(relation: Relation) -> Dir {
        match relation {
            Relation::Orthogonal => Dir::ORTHOGONAL,
            Relation::Diagonal => Dir::DIAGONAL,
            Relation::OffDiagonal => Dir::OFF_DIAGONAL,
            Relation::Adjacent => Dir::ADJACENT,
            Relation::All => Dir::ALL,
        }
    }
}

/// A straight walk from a site: the site itself first.
#[derive(Clone, Debug)]
pub struct Radial {
    /// The sites in order.
    pub sites: Box<[i32]>,
    /// Radials of the same site that go the opposite way (indices into its list).
    pub opposites: Vec<u16>,
}

/// Where a walk goes on after a turn to one side.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// To the left.
    pub left: Dir,
    /// To the right.
    pub right: Dir,
}

/// The tables of one kind of site.
#[derive(Clone, Debug, Default)]
pub struct Plane {
    /// How many sites.
    pub count: usize,
    /// Neighbours by site and direction (`site * Dir::COUNT + dir`).
    pub steps: Vec<Box<[i32]>>,
    /// All radials of every site.
    pub radials: Vec<Vec<Radial>>,
    /// Which of them go in a direction (`site * Dir::COUNT + dir`).
    pub radials_in: Vec<Box<[u16]>>,
    /// Row of every site.
    pub row: Vec<i32>,
    /// Column of every site.
    pub column: Vec<i32>,
    /// Layer of every site.
    pub layer: Vec<i32>,
    /// Phase of every site.
    pub phase: Vec<i32>,
    /// Label of every site.
    pub label: Vec<Box<str>>,
    /// Sites by row.
    pub rows: Vec<SiteSet>,
    /// Sites by column.
    pub columns: Vec<SiteSet>,
    /// Sites by layer.
    pub layers: Vec<SiteSet>,
    /// Sites by phase.
    pub phases: Vec<SiteSet>,
    /// Named sets: `Top`, `Corners`, `Side N` …
    pub named: Vec<(Box<str>, SiteSet)>,
    /// Centre sites in order.
    pub centre: Vec<i32>,
    /// Directions that occur, by relation (indexed as [`Relation`]).
    pub supported: [Vec<Dir>; 5],
    /// The same for every site.
    pub supported_at: Vec<[Vec<Dir>; 5]>,
    /// Position of every site.
    pub position: Vec<[f64; 3]>,
    distances: [OnceLock<Vec<Vec<u16>>>; 5],
    /// The radials of a site in a direction, each line once (as `radials_in`).
    lines_in: OnceLock<Vec<Box<[u16]>>>,
    /// Turns of walks across sides, by direction.
    turns: OnceLock<Vec<Turns>>,
}

impl Plane {
    /// Neighbours of a site in a direction.
    #[inline]
    pub fn steps(&self, site: i32, dir: Dir) -> &[i32] {
        let at = site as usize * Dir::COUNT + dir.0 as usize;
        self.steps.get(at).map_or(&[], |steps| steps)
    }

    /// Radials of a site in a direction.
    #[inline]
    pub fn radials(&self, site: i32, dir: Dir) -> impl Iterator<Item = &Radial> {
        let at = site as usize * Dir::COUNT + dir.0 as usize;
        let list: &[u16] = self.radials_in.get(at).map_or(&[], |list| list);
        let all = self.radials.get(site as usize);
        list.iter().filter_map(move |&index| all.and_then(|all| all.get(index as usize)))
    }

    /// Where a walk across sides goes after a turn: on as before where there is no other way.
    #[inline]
    pub fn turns(&self, dir: Dir) -> Turns {
        let supported = self.supported(Relation::Orthogonal);
        let towards =
            |name, dir| crate::facing::turned(name, dir, supported).first().copied().unwrap_or(dir);
        let all = self.turns.get_or_init(|| {
            let dirs = (0..Dir::COUNT as u8).map(Dir);
            dirs.map(|dir| Turns { left: towards("FL", dir), right: towards("FR", dir) }).collect()
        });
        all[dir.0 as usize]
    }

    /// Radials of a site in a direction, each line once: not also its opposite.
    pub fn lines(&self, site: i32, dir: Dir) -> impl Iterator<Item = &Radial> {
        let table = self.lines_in.get_or_init(|| {
            let all = self.radials_in.iter().enumerate();
            all.map(|(at, list)| self.once_each(at / Dir::COUNT, list)).collect()
        });
        let at = site as usize * Dir::COUNT + dir.0 as usize;
        let list: &[u16] = table.get(at).map_or(&[], |list| list);
        let all = self.radials.get(site as usize);
        list.iter().filter_map(move |&index| all.and_then(|all| all.get(index as usize)))
    }

    fn once_each(&self, site: usize, list: &[u16]) -> Box<[u16]> {
        let Some(all) = self.radials.get(site) else {
            return Box::default();
        };
        let mut kept: Vec<u16> = Vec::new();
        for &index in list {
            if !kept.iter().any(|&k| all[k as usize].opposites.contains(&index)) {
                kept.push(index);
            }
        }
        kept.into()
    }

    /// A named set of sites.
    pub fn set(&self, name: &str) -> SiteSet {
        let found = self.named.iter().find(|(n, _)| &**n == name);
        found.map_or_else(SiteSet::new, |(_, set)| set.clone())
    }

    /// Directions that occur by relation.
    pub fn supported(&self, relation: Relation) -> &[Dir] {
        &self.supported[relation as usize]
    }
}

/// A board as the evaluator sees it: tables of a kind of site are made when first asked for.
#[derive(Debug)]
pub struct Topology {
    board: ludex_board::Topology,
    planes: [OnceLock<Plane>; 3],
    /// How many sites there are of each kind.
    counts: [usize; 3],
    /// The kind played on unless said otherwise.
    pub default: SiteType,
}

impl Topology {
    /// A board played on one kind of site.
    pub fn new(board: ludex_board::Topology, default: SiteType) -> Self {
        let counts = SiteType::ALL.map(|kind| board.sites(kind).len());
        Topology { board, planes: Default::default(), counts, default }
    }

    /// The tables of a kind of site.
    #[inline]
    pub fn plane(&self, kind: SiteType) -> &Plane {
        self.planes[kind as usize].get_or_init(|| Plane::of(self.board.sites(kind)))
    }

    /// Number of sites of a kind.
    #[inline]
    pub fn count(&self, kind: SiteType) -> usize {
        self.counts[kind as usize]
    }

    /// All about the sites of a kind.
    pub fn sites(&self, kind: SiteType) -> &ludex_board::Sites {
        self.board.sites(kind)
    }

    /// The corners of a cell in order, the two ends of an edge, nothing for a vertex.
    pub fn outline(&self, kind: SiteType, site: usize) -> Vec<ludex_board::Point> {
        let graph = self.board.graph();
        let corners = match kind {
            SiteType::Vertex => Vec::new(),
            SiteType::Edge => vec![graph.edges[site].a, graph.edges[site].b],
            SiteType::Cell => graph.faces[site].vertices.clone(),
        };
        corners.into_iter().map(|vertex| graph.vertices[vertex].at).collect()
    }

    /// All edges of the board.
    pub fn lines(&self) -> impl Iterator<Item = [ludex_board::Point; 2]> {
        let graph = self.board.graph();
        graph.edges.iter().map(|edge| [graph.vertices[edge.a].at, graph.vertices[edge.b].at])
    }

    /// How many sides a cell in the middle of the board has.
    pub fn sides(&self) -> usize {
        let faces = &self.board.graph().faces;
        let middle = self.plane(SiteType::Cell).centre.first().copied().unwrap_or(0);
        faces.get(middle as usize).map_or(0, |face| face.edges.len())
    }

    /// The two ends of an edge.
    pub fn edge_ends(&self, edge: i32) -> Option<[i32; 2]> {
        let edge = self.board.graph().edges.get(usize::try_from(edge).ok()?)?;
        Some([edge.a as i32, edge.b as i32])
    }

    /// How many edges meet at the two ends of an edge, itself counted at both.
    pub fn edges_at_ends(&self, edge: i32) -> usize {
        let ends = self.edge_ends(edge).into_iter().flatten();
        ends.map(|end| self.board.graph().vertices[end as usize].edges.len()).sum()
    }

    /// Whether two edges share an end; an edge meets itself.
    pub fn edges_meet(&self, a: i32, b: i32) -> bool {
        let ends = self.edge_ends(a).zip(self.edge_ends(b));
        ends.is_some_and(|(a, b)| a.iter().any(|end| b.contains(end)))
    }

    /// The edge between two vertices.
    pub fn edge_between(&self, a: i32, b: i32) -> Option<i32> {
        let (a, b) = (usize::try_from(a).ok()?, usize::try_from(b).ok()?);
        let at = self.board.graph().edges.iter().position(|e| e.joins(a, b))?;
        i32::try_from(at).ok()
    }

    /// Sites of one kind incident to a site of another.
    pub fn incident(&self, of: SiteType, to: SiteType, site: i32) -> Vec<i32> {
        let graph = self.board.graph();
        let Ok(site) = usize::try_from(site) else {
            return Vec::new();
        };
        if site >= graph.count(of) {
            return Vec::new();
        }
        let faces_of = |edge: usize| {
            let edge = &graph.edges[edge];
            edge.left.into_iter().chain(edge.right)
        };
        let edges: Vec<usize> = match of {
            SiteType::Vertex => graph.vertices[site].edges.clone(),
            SiteType::Edge => vec![site],
            SiteType::Cell => graph.faces[site].edges.clone(),
        };
        let out: Vec<usize> = match (of, to) {
            (SiteType::Vertex, SiteType::Cell) => graph.vertices[site].faces.clone(),
            (SiteType::Vertex, SiteType::Edge) | (SiteType::Cell, SiteType::Edge) => edges,
            // As the reference has it: the cells beside the edges, by their numbers.
            (SiteType::Vertex, SiteType::Vertex) => {
                let near = edges.iter().flat_map(|&e| faces_of(e));
                near.filter(|&face| face != site).collect()
            }
            (SiteType::Cell, SiteType::Vertex) => graph.faces[site].vertices.clone(),
            (SiteType::Cell, SiteType::Cell) => {
                let near = edges.iter().flat_map(|&e| faces_of(e));
                near.filter(|&face| face != site).collect()
            }
            (SiteType::Edge, SiteType::Vertex) => {
                vec![graph.edges[site].a, graph.edges[site].b]
            }
            (SiteType::Edge, SiteType::Cell) => faces_of(site).collect(),
            (SiteType::Edge, SiteType::Edge) => {
                let ends = [graph.edges[site].a, graph.edges[site].b];
                let near = ends.iter().flat_map(|&v| graph.vertices[v].edges.iter().copied());
                near.filter(|&edge| edge != site).collect()
            }
        };
        out.into_iter().map(|s| s as i32).collect()
    }
}

impl Plane {
    fn of(sites: &ludex_board::Sites) -> Self {
        let count = sites.len();
        let radials = sites.radials();
        let mut plane = Plane { count, ..Plane::default() };
        for site in 0..count {
            plane.add_site(sites, radials, site);
        }
        let set = |list: &[usize]| list.iter().map(|&s| s as i32).collect::<SiteSet>();
        plane.rows = sites.rows().iter().map(|row| set(row)).collect();
        plane.columns = sites.columns().iter().map(|column| set(column)).collect();
        plane.layers = sites.layers().iter().map(|layer| set(layer)).collect();
        let phases = plane.phase.iter().copied().max().map_or(0, |most| most + 1);
        plane.phases = (0..phases)
            .map(|phase| {
                let of = |s: &i32| plane.phase[*s as usize] == phase;
                (0..count as i32).filter(of).collect()
            })
            .collect();
        plane.named = named_sets(sites);
        plane.supported = RELATIONS.map(|relation| {
            let all = sites.supported(relation);
            all.iter().map(|&dir| Dir(dir as u8)).collect()
        });
        plane
    }

    fn add_site(
        &mut self,
        sites: &ludex_board::Sites,
        radials: &ludex_board::Radials,
        site: usize,
    ) {
        let mut numbers: Vec<u32> = Vec::new();
        for dir in Direction::ALL {
            let steps = sites.towards(site, dir).iter().map(|&to| to as i32);
            self.steps.push(steps.collect());
            let from: Box<[u16]> = radials
                .from_site(site, dir)
                .iter()
                .map(|&radial| {
                    let known = numbers.iter().position(|&n| n == radial);
                    known.unwrap_or_else(|| {
                        numbers.push(radial);
                        numbers.len() - 1
                    }) as u16
                })
                .collect();
            self.radials_in.push(from);
        }
        let own = |n: &u32| numbers.iter().position(|m| m == n).map(|at| at as u16);
        let list = numbers.iter().map(|&radial| Radial {
            sites: radials.sites(radial).iter().map(|&s| s as i32).collect(),
            opposites: radials.get(radial).opposite.iter().filter_map(own).collect(),
        });
        self.radials.push(list.collect());
        self.row.push(sites.row(site) as i32);
        self.column.push(sites.column(site) as i32);
        self.layer.push(sites.layer(site) as i32);
        self.phase.push(sites.phase(site) as i32);
        self.label.push(sites.label(site).into());
        let at = sites.at(site);
        self.position.push([at.x, at.y, at.z]);
        if sites.marks(site).has(Mark::Centre) {
            self.centre.push(site as i32);
        }
        self.supported_at.push(RELATIONS.map(|relation| {
            let all = sites.supported_at(site, relation);
            all.iter().map(|&dir| Dir(dir as u8)).collect()
        }));
    }

    /// Steps between all sites by relation.
    pub fn distance(&self, relation: Relation) -> &Vec<Vec<u16>> {
        self.distances[relation as usize].get_or_init(|| {
            let from = |start: i32| self.distances_from(start, Dir::of(relation));
            (0..self.count as i32).map(from).collect()
        })
    }

    fn distances_from(&self, start: i32, dir: Dir) -> Vec<u16> {
        let mut out = vec![u16::MAX; self.count];
        out[start as usize] = 0;
        let mut frontier = vec![start];
        let mut steps = 0;
        while !frontier.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for site in frontier {
                for &to in self.steps(site, dir) {
                    if out[to as usize] == u16::MAX {
                        out[to as usize] = steps;
                        next.push(to);
                    }
                }
            }
            frontier = next;
        }
        out
    }
}

const RELATIONS: [ludex_board::Relation; 5] = [
    ludex_board::Relation::Orthogonal,
    ludex_board::Relation::Diagonal,
    ludex_board::Relation::OffDiagonal,
    ludex_board::Relation::Adjacent,
    ludex_board::Relation::All,
];

fn named_sets(sites: &ludex_board::Sites) -> Vec<(Box<str>, SiteSet)> {
    let marks = [
        ("Inner", Mark::Inner),
        ("Outer", Mark::Outer),
        ("Perimeter", Mark::Perimeter),
        ("Centre", Mark::Centre),
        ("Major", Mark::Major),
        ("Minor", Mark::Minor),
        ("Corners", Mark::Corner),
        ("ConvexCorners", Mark::CornerConvex),
        ("ConcaveCorners", Mark::CornerConcave),
        ("Left", Mark::Left),
        ("Right", Mark::Right),
        ("Top", Mark::Top),
        ("Bottom", Mark::Bottom),
        ("Axial", Mark::Axial),
        ("Horizontal", Mark::Horizontal),
        ("Vertical", Mark::Vertical),
        ("Angled", Mark::Angled),
        ("Slash", Mark::Slash),
        ("Slosh", Mark::Slosh),
    ];
    let set = |set: ludex_board::SiteSet| set.iter().map(|s| s as i32).collect::<SiteSet>();
    let mut out: Vec<(Box<str>, SiteSet)> =
        marks.into_iter().map(|(name, mark)| (name.into(), set(sites.marked(mark)))).collect();
    for dir in Direction::COMPASS {
        if let Some(side) = sites.side(dir) {
            out.push((format!("Side {}", dir as u8).into(), set(side)));
        }
    }
    out
}

/// The directions that `relative` means for a piece facing `facing` among `supported` ones.
pub fn turned(relative: RelativeDir, facing: Dir, supported: &[Dir]) -> Dirs {
    let RelativeDir::Turned(name) = relative else {
        return Dirs::new();
    };
    crate::facing::turned(name, facing, supported)
}
