//! What play needs to know about a board: neighbours, directions, lines, rows and columns, sides,
//! corners, phases.

mod around;
mod coordinates;
mod distance;
mod lists;
mod marks;
mod perimeter;
mod phases;
mod radials;
mod steps;

pub use lists::Lists;
pub use marks::{Mark, Marks};
pub use perimeter::perimeters;
pub use radials::{Radial, Radials};

use super::direction::{Direction, DirectionSet};
use super::geometry::Point;
use super::graph::{Graph, SiteType};
use super::sites::SiteSet;
use coordinates::Coordinates;
use std::sync::OnceLock;
use steps::Step;

/// How two sites are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Across a common side.
    Orthogonal,
    /// Across a common corner, straight on.
    Diagonal,
    /// Across a common corner, not straight on.
    OffDiagonal,
    /// Touching.
    Adjacent,
    /// Any of these.
    All,
}

impl Relation {
    /// The relation with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "Orthogonal" => Relation::Orthogonal,
            "Diagonal" => Relation::Diagonal,
            "OffDiagonal" => Relation::OffDiagonal,
            "Adjacent" => Relation::Adjacent,
            "All" => Relation::All,
            _ => return None,
        })
    }

    /// The direction that stands for the relation.
    pub fn direction(self) -> Direction {
        match self {
            Relation::Orthogonal => Direction::Orthogonal,
            Relation::Diagonal => Direction::Diagonal,
            Relation::OffDiagonal => Direction::OffDiagonal,
            Relation::Adjacent => Direction::Adjacent,
            Relation::All => Direction::All,
        }
    }
}

/// A board ready for play.
#[derive(Debug)]
pub struct Topology {
    graph: Graph,
    outlines: Vec<Vec<usize>>,
    marks: marks::MarkTable,
    coordinates: [Coordinates; 3],
    kinds: [OnceLock<Sites>; 3],
}

impl Topology {
    /// Measures a graph.
    pub fn new(graph: Graph) -> Self {
        Self::build(graph, false)
    }

    /// Measures a graph for a game that speaks of layers: rows and columns are those of the ground.
    pub fn with_layers(graph: Graph) -> Self {
        Self::build(graph, true)
    }

    fn build(graph: Graph, with_height: bool) -> Self {
        let outlines = perimeters(&graph);
        let marks = marks::MarkTable::of(&graph, &outlines);
        Topology {
            coordinates: coordinates::coordinates(&graph, with_height),
            graph,
            outlines,
            marks,
            kinds: Default::default(),
        }
    }

    /// The graph itself.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The outer outlines of the board as vertices.
    pub fn outlines(&self) -> &[Vec<usize>] {
        &self.outlines
    }

    /// Everything about one kind of site, measured when first asked for: most games use only one.
    pub fn sites(&self, kind: SiteType) -> &Sites {
        self.kinds[kind as usize].get_or_init(|| {
            let coordinates = self.coordinates[kind as usize].clone();
            Sites::new(&self.graph, kind, self.marks.kind(kind).to_vec(), coordinates)
        })
    }
}

/// The sites of one kind.
#[derive(Debug)]
pub struct Sites {
    points: Vec<Point>,
    marks: Vec<Marks>,
    coordinates: Coordinates,
    phase: Vec<u8>,
    steps: Vec<Vec<Step>>,
    to: Vec<Lists>,
    supported: Vec<Vec<Direction>>,
    supported_at: Vec<Vec<Vec<Direction>>>,
    radials: OnceLock<Radials>,
}

/// The relations whose directions are tabulated.
const RELATIONS: [Relation; 5] = [
    Relation::Orthogonal,
    Relation::Diagonal,
    Relation::OffDiagonal,
    Relation::Adjacent,
    Relation::All,
];

impl Sites {
    fn new(graph: &Graph, kind: SiteType, marks: Vec<Marks>, coordinates: Coordinates) -> Self {
        let points: Vec<Point> = (0..graph.count(kind)).map(|n| graph.at(kind, n)).collect();
        let mut steps = steps::steps_of_kind(graph, kind);
        for from in &mut steps {
            from.retain(|step| step.kind == kind);
        }
        let to = Direction::ALL
            .into_iter()
            .map(|direction| {
                Lists::collect(steps.iter().map(|from| {
                    let listed = from.iter().filter(move |s| s.listed.contains(direction));
                    listed.map(|s| s.to as u32)
                }))
            })
            .collect();
        let supported_at: Vec<Vec<Vec<Direction>>> = RELATIONS
            .iter()
            .map(|r| steps.iter().map(|from| facings(from, r.direction())).collect())
            .collect();
        let supported = supported_at.iter().map(|sites| overall(sites)).collect();
        Sites {
            phase: phases::phases(graph, kind),
            points,
            marks,
            coordinates,
            steps,
            to,
            supported,
            supported_at,
            radials: OnceLock::new(),
        }
    }

    /// Number of sites.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Where a site is.
    pub fn at(&self, site: usize) -> Point {
        self.points[site]
    }

    /// Neighbours in a relation, clockwise from north.
    pub fn neighbours(&self, site: usize, relation: Relation) -> &[u32] {
        self.towards(site, relation.direction())
    }

    /// Neighbours in a direction, clockwise from north.
    #[inline]
    pub fn towards(&self, site: usize, direction: Direction) -> &[u32] {
        self.to[direction as usize].of(site)
    }

    /// Neighbours of every site in one direction.
    pub fn table(&self, direction: Direction) -> &Lists {
        &self.to[direction as usize]
    }

    /// All that is said about the step between two neighbouring sites.
    pub fn step_directions(&self, from: usize, to: usize) -> DirectionSet {
        let step = self.steps[from].iter().find(|s| s.to == to);
        step.map_or(DirectionSet::EMPTY, |s| s.directions)
    }

    /// The lines of sites, found when first asked for.
    pub fn radials(&self) -> &Radials {
        self.radials.get_or_init(|| radials::radials(&self.points, &self.steps))
    }

    /// Specific directions in which some site has a neighbour in the relation, in compass order.
    pub fn supported(&self, relation: Relation) -> &[Direction] {
        &self.supported[place(relation)]
    }

    /// Specific directions in which this site has a neighbour in the relation.
    pub fn supported_at(&self, site: usize, relation: Relation) -> &[Direction] {
        &self.supported_at[place(relation)][site]
    }

    /// The marks of a site.
    pub fn marks(&self, site: usize) -> Marks {
        self.marks[site]
    }

    /// The sites with a mark.
    pub fn marked(&self, mark: Mark) -> SiteSet {
        let mut set = SiteSet::new(self.len());
        for site in (0..self.len()).filter(|&s| self.marks[s].has(mark)) {
            set.insert(site);
        }
        set
    }

    /// The sites on a side of the board; `None` when the direction names no side.
    pub fn side(&self, direction: Direction) -> Option<SiteSet> {
        let mark = match direction {
            Direction::N => Mark::SideN,
            Direction::E => Mark::SideE,
            Direction::S => Mark::SideS,
            Direction::W => Mark::SideW,
            Direction::NE => Mark::SideNE,
            Direction::SE => Mark::SideSE,
            Direction::SW => Mark::SideSW,
            Direction::NW => Mark::SideNW,
            _ => return None,
        };
        Some(self.marked(mark))
    }

    /// Phase of a site: neighbours have different ones.
    pub fn phase(&self, site: usize) -> usize {
        usize::from(self.phase[site])
    }

    /// Row of a site, from the bottom.
    pub fn row(&self, site: usize) -> usize {
        self.coordinates.row[site]
    }

    /// Column of a site, from the left.
    pub fn column(&self, site: usize) -> usize {
        self.coordinates.column[site]
    }

    /// Layer of a site, from the ground.
    pub fn layer(&self, site: usize) -> usize {
        self.coordinates.layer[site]
    }

    /// Label of a site, like `A1`.
    pub fn label(&self, site: usize) -> &str {
        &self.coordinates.label[site]
    }

    /// The first site with this label.
    pub fn labelled(&self, label: &str) -> Option<usize> {
        self.coordinates.label.iter().position(|l| l == label)
    }

    /// The sites of every row, from the bottom.
    pub fn rows(&self) -> &[Vec<usize>] {
        &self.coordinates.rows
    }

    /// The sites of every column, from the left.
    pub fn columns(&self) -> &[Vec<usize>] {
        &self.coordinates.columns
    }

    /// The sites of every layer, from the ground.
    pub fn layers(&self) -> &[Vec<usize>] {
        &self.coordinates.layers
    }
}

fn place(relation: Relation) -> usize {
    RELATIONS.iter().position(|&r| r == relation).unwrap_or(0)
}

/// Specific directions of the listed steps, in the order in which they are met.
fn facings(steps: &[Step], listed: Direction) -> Vec<Direction> {
    let mut found = Vec::new();
    for step in steps.iter().filter(|s| s.listed.contains(listed)) {
        for direction in step.directions.iter().filter(|d| d.is_specific()) {
            if !found.contains(&direction) {
                found.push(direction);
            }
        }
    }
    found
}

/// The directions of all sites together, by their place in the circle of their kind.
fn overall(sites: &[Vec<Direction>]) -> Vec<Direction> {
    let mut found: Vec<Direction> = Vec::new();
    for &direction in sites.iter().flatten() {
        if !found.contains(&direction) {
            found.push(direction);
        }
    }
    found.sort_by_key(|d| d.index());
    found
}
