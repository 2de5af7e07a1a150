//! What the evaluator asks of a board, in flat tables.

use super::ir::{Relation, RelativeDir};
use super::sites::SiteSet;

/// The three kinds of element a piece can stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SiteType {
    /// A point.
    Vertex,
    /// A line between two points.
    Edge,
    /// A face.
    Cell,
}

impl SiteType {
    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "Vertex" => Some(SiteType::Vertex),
            "Edge" => Some(SiteType::Edge),
            "Cell" => Some(SiteType::Cell),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            SiteType::Vertex => "Vertex",
            SiteType::Edge => "Edge",
            SiteType::Cell => "Cell",
        }
    }
}

/// A direction, by its place in the fixed list of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dir(pub u8);

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
    /// Number of steps between sites by relation, filled where asked.
    pub distance: [Vec<Vec<u16>>; 5],
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
        list.iter()
            .filter_map(move |&index| all.and_then(|all| all.get(index as usize)))
    }

    /// Radials of a site in a direction, each line once: not also its opposite.
    pub fn lines(&self, site: i32, dir: Dir) -> Vec<&Radial> {
        let at = site as usize * Dir::COUNT + dir.0 as usize;
        let list: &[u16] = self.radials_in.get(at).map_or(&[], |list| list);
        let Some(all) = self.radials.get(site as usize) else {
            return Vec::new();
        };
        let mut kept: Vec<u16> = Vec::new();
        for &index in list {
            let known = kept.iter().any(|&k| all[k as usize].opposites.contains(&index));
            if !known {
                kept.push(index);
            }
        }
        kept.into_iter().map(|index| &all[index as usize]).collect()
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

/// A board as the evaluator sees it.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Tables by kind of site (vertex, edge, cell).
    pub planes: [Plane; 3],
    /// The kind played on unless said otherwise.
    pub default: SiteType,
    /// The two ends of every edge.
    pub edge_ends: Vec<[i32; 2]>,
    /// Sites of one kind incident to a site of another: `incident[of][to][site]`.
    pub incident: [[Vec<Box<[i32]>>; 3]; 3],
}

impl Topology {
    /// The tables of a kind of site.
    #[inline]
    pub fn plane(&self, kind: SiteType) -> &Plane {
        &self.planes[kind as usize]
    }
}

/// The directions that `relative` means for a piece facing `facing` among `supported` ones.
pub fn turned(relative: RelativeDir, facing: Dir, supported: &[Dir]) -> Vec<Dir> {
    let RelativeDir::Turned(name) = relative else {
        return Vec::new();
    };
    crate::lud::facing::turned(name, facing, supported)
}
