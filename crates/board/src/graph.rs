//! The planar graph of a board: vertices, edges and faces with their positions.
//!
//! Elements are known by their index, and the index is the site number players and files use; so
//! every operation here says what it does to the numbering. Incident edges are kept in order of
//! their angle at the time they were added: walks around faces depend on it.

use super::geometry::{self, Point, SAME_POINT};

/// The three kinds of element a piece can stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteType {
    /// A point of the graph.
    Vertex,
    /// A line between two points.
    Edge,
    /// A face.
    Cell,
}

impl SiteType {
    /// All three, in their fixed order.
    pub const ALL: [SiteType; 3] = [SiteType::Vertex, SiteType::Edge, SiteType::Cell];

    /// The kind named `Vertex`, `Edge` or `Cell`.
    pub fn from_name(name: &str) -> Option<SiteType> {
        Some(match name {
            "Vertex" => SiteType::Vertex,
            "Edge" => SiteType::Edge,
            "Cell" => SiteType::Cell,
            _ => return None,
        })
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

/// The vertex around which others turn, on circular boards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pivot {
    /// A vertex of the graph.
    At(usize),
    /// A vertex that was removed later: the number it had and where it stood.
    Gone(usize, Point),
}

/// A point of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    /// Where it stands.
    pub at: Point,
    /// Incident edges by angle.
    pub edges: Vec<usize>,
    /// Faces that touch it.
    pub faces: Vec<usize>,
    /// What it turns around.
    pub pivot: Option<Pivot>,
}

/// A line between two vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// First end.
    pub a: usize,
    /// Second end.
    pub b: usize,
    /// Its middle.
    pub at: Point,
    /// Face to the left when walking from `a` to `b`.
    pub left: Option<usize>,
    /// Face to the right.
    pub right: Option<usize>,
    /// Tangents at both ends when the line is curved.
    pub curve: Option<[Point; 2]>,
}

impl Edge {
    /// The end that is not `vertex`.
    pub fn other_end(&self, vertex: usize) -> usize {
        if self.a == vertex { self.b } else { self.a }
    }

    /// Whether it joins these two vertices, in either order.
    pub fn joins(&self, a: usize, b: usize) -> bool {
        self.a == a && self.b == b || self.a == b && self.b == a
    }

    /// The face on the other side of `face`.
    pub fn other_face(&self, face: usize) -> Option<usize> {
        if self.left == Some(face) {
            self.right
        } else if self.right == Some(face) {
            self.left
        } else {
            None
        }
    }
}

/// A face of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Its corners in clockwise order.
    pub vertices: Vec<usize>,
    /// The edge from each corner to the next.
    pub edges: Vec<usize>,
    /// Its middle.
    pub at: Point,
}

/// A planar graph with positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The points.
    pub vertices: Vec<Vertex>,
    /// The lines.
    pub edges: Vec<Edge>,
    /// The faces.
    pub faces: Vec<Face>,
}

impl Graph {
    /// A graph without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// A graph of the given points and joins, with its faces. Coordinates are kept to single
    /// precision, as descriptions give them.
    pub fn from_lists(points: &[Point], joins: &[(usize, usize)]) -> Self {
        let single = |v: f64| f64::from(v as f32);
        let rounded = points.iter().map(|p| Point::new(single(p.x), single(p.y), single(p.z)));
        let mut graph = Graph::new();
        for point in rounded {
            graph.add_vertex(point);
        }
        for &(a, b) in joins {
            graph.find_or_add_edge(a, b);
        }
        graph.assemble();
        graph
    }

    /// Builds the faces and sorts them around each vertex.
    pub(crate) fn assemble(&mut self) {
        self.sort_all_edges();
        self.make_faces(false);
        for v in 0..self.vertices.len() {
            self.sort_faces_at(v);
        }
    }

    /// Number of elements of a kind.
    pub fn count(&self, kind: SiteType) -> usize {
        match kind {
            SiteType::Vertex => self.vertices.len(),
            SiteType::Edge => self.edges.len(),
            SiteType::Cell => self.faces.len(),
        }
    }

    /// Where an element stands: a vertex, the middle of an edge, the middle of a face.
    pub fn at(&self, kind: SiteType, index: usize) -> Point {
        match kind {
            SiteType::Vertex => self.vertices[index].at,
            SiteType::Edge => self.edges[index].at,
            SiteType::Cell => self.faces[index].at,
        }
    }

    /// The first vertex at this place.
    pub fn find_vertex(&self, at: Point) -> Option<usize> {
        self.vertices.iter().position(|v| v.at.coincides(at, SAME_POINT))
    }

    /// Adds a vertex and gives its number.
    pub fn add_vertex(&mut self, at: Point) -> usize {
        self.vertices.push(Vertex { at, edges: Vec::new(), faces: Vec::new(), pivot: None });
        self.vertices.len() - 1
    }

    /// The vertex at this place, added if there is none.
    pub fn find_or_add_vertex(&mut self, at: Point) -> usize {
        self.find_vertex(at).unwrap_or_else(|| self.add_vertex(at))
    }

    /// The first edge between two vertices.
    pub fn find_edge(&self, a: usize, b: usize) -> Option<usize> {
        let incident = &self.vertices.get(a)?.edges;
        incident.iter().copied().filter(|&e| self.edges[e].joins(a, b)).min()
    }

    /// Adds an edge even if there is one between these vertices already.
    pub fn add_edge(&mut self, a: usize, b: usize) -> usize {
        self.add_curved_edge(a, b, None)
    }

    /// Adds an edge that may be curved.
    pub fn add_curved_edge(&mut self, a: usize, b: usize, curve: Option<[Point; 2]>) -> usize {
        let index = self.edges.len();
        let at = middle(self.vertices[a].at, self.vertices[b].at);
        self.edges.push(Edge { a, b, at, left: None, right: None, curve });
        self.vertices[a].edges.push(index);
        self.sort_edges_at(a);
        self.vertices[b].edges.push(index);
        self.sort_edges_at(b);
        index
    }

    /// The edge between two vertices, added if there is none.
    pub fn find_or_add_edge(&mut self, a: usize, b: usize) -> usize {
        self.find_edge(a, b).unwrap_or_else(|| self.add_edge(a, b))
    }

    /// Joins every two vertices at distance one, roughly.
    pub fn join_neighbours(&mut self) {
        for a in 0..self.vertices.len() {
            for b in 0..self.vertices.len() {
                let distance = self.vertices[a].at.distance_3d(self.vertices[b].at);
                if a != b && (distance - 1.0).abs() < 0.05 {
                    self.find_or_add_edge(a, b);
                }
            }
        }
    }

    /// Joins the given vertices with all that are closer than a typical edge is long.
    pub fn join_close(&mut self, from: &[usize]) {
        let threshold = 1.1 * self.average_edge_length();
        for &a in from {
            for b in 0..self.vertices.len() {
                if a != b && self.vertices[a].at.distance(self.vertices[b].at) < threshold {
                    self.find_or_add_edge(a, b);
                }
            }
        }
    }

    /// Mean length of the edges, zero without any.
    pub fn average_edge_length(&self) -> f64 {
        if self.edges.is_empty() {
            return 0.0;
        }
        let length = |e: &Edge| self.vertices[e.a].at.distance_3d(self.vertices[e.b].at);
        self.edges.iter().map(length).sum::<f64>() / self.edges.len() as f64
    }

    /// Smallest and largest corner of the box around the vertices.
    pub fn bounds(&self) -> (Point, Point) {
        geometry::bounds(self.vertices.iter().map(|v| v.at))
    }

    fn sort_all_edges(&mut self) {
        for vertex in &mut self.vertices {
            vertex.edges.clear();
        }
        for (index, edge) in self.edges.iter().enumerate() {
            self.vertices[edge.a].edges.push(index);
            self.vertices[edge.b].edges.push(index);
        }
        for v in 0..self.vertices.len() {
            self.sort_edges_at(v);
        }
    }

    fn sort_edges_at(&mut self, v: usize) {
        let at = self.vertices[v].at;
        let mut edges = std::mem::take(&mut self.vertices[v].edges);
        let angle = |&e: &usize| at.angle_to(self.vertices[self.edges[e].other_end(v)].at);
        edges.sort_by(|a, b| in_order(angle(a), angle(b)));
        self.vertices[v].edges = edges;
    }

    fn sort_faces_at(&mut self, v: usize) {
        let at = self.vertices[v].at;
        let mut faces = std::mem::take(&mut self.vertices[v].faces);
        faces.sort_by(|&a, &b| {
            let angle = |f: usize| at.angle_to(self.faces[f].at);
            in_order(angle(a), angle(b))
        });
        self.vertices[v].faces = faces;
    }

    /// Recomputes the middles of edges and faces after vertices moved.
    pub(crate) fn recentre(&mut self) {
        for edge in &mut self.edges {
            edge.at = middle(self.vertices[edge.a].at, self.vertices[edge.b].at);
        }
        for face in &mut self.faces {
            face.at = centroid(&self.vertices, &face.vertices);
        }
    }

    /// The place a vertex turns around.
    pub fn pivot_point(&self, vertex: usize) -> Option<(usize, Point)> {
        match self.vertices[vertex].pivot? {
            Pivot::At(p) => Some((p, self.vertices[p].at)),
            Pivot::Gone(p, at) => Some((p, at)),
        }
    }
}

/// Order of two measures; equal ones (and the two zeros) keep their places in a stable sort.
pub(crate) fn in_order(a: f64, b: f64) -> std::cmp::Ordering {
    if a == b { std::cmp::Ordering::Equal } else { a.total_cmp(&b) }
}

pub(crate) fn middle(a: Point, b: Point) -> Point {
    Point::new((a.x + b.x) * 0.5, (a.y + b.y) * 0.5, (a.z + b.z) * 0.5)
}

pub(crate) fn centroid(vertices: &[Vertex], corners: &[usize]) -> Point {
    let mut sum = Point::default();
    for &corner in corners {
        let at = vertices[corner].at;
        sum = Point::new(sum.x + at.x, sum.y + at.y, sum.z + at.z);
    }
    let n = corners.len().max(1) as f64;
    Point::new(sum.x / n, sum.y / n, sum.z / n)
}
