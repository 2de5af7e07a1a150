//! What is special about an element: on the border, in a corner, on the northern side …

use super::perimeter::places;
use crate::geometry::{Point, distance_to_line, turns_right};
use crate::graph::{Graph, SiteType};
use std::f64::consts::PI;

/// A property of a vertex, an edge or a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Mark {
    /// Not on the border.
    Inner,
    /// On the border.
    Outer,
    /// On the outline.
    Perimeter,
    /// As close to the middle as any.
    Centre,
    /// A cell with the greatest number of sides.
    Major,
    /// A cell with fewer sides.
    Minor,
    /// The point others turn around.
    Pivot,
    /// A corner.
    Corner,
    /// A corner that points outwards.
    CornerConvex,
    /// A corner that points inwards.
    CornerConcave,
    /// Furthest left.
    Left,
    /// Furthest right.
    Right,
    /// Furthest up.
    Top,
    /// Furthest down.
    Bottom,
    /// An edge along an axis.
    Axial,
    /// A level edge.
    Horizontal,
    /// An upright edge.
    Vertical,
    /// An edge that is neither level nor upright.
    Angled,
    /// An edge rising to the right.
    Slash,
    /// An edge falling to the right.
    Slosh,
    /// On the northern side.
    SideN,
    /// On the eastern side.
    SideE,
    /// On the southern side.
    SideS,
    /// On the western side.
    SideW,
    /// On the north-eastern side.
    SideNE,
    /// On the south-eastern side.
    SideSE,
    /// On the south-western side.
    SideSW,
    /// On the north-western side.
    SideNW,
}

/// The marks of one element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks(u32);

impl Marks {
    /// Whether the element has this property.
    pub fn has(self, mark: Mark) -> bool {
        self.0 & (1 << mark as u8) != 0
    }

    fn set(&mut self, mark: Mark) {
        self.0 |= 1 << mark as u8;
    }

    /// Only the sides of the board.
    fn sides(self) -> u32 {
        self.0 & (0xff << Mark::SideN as u8)
    }
}

/// Marks of all elements of a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkTable {
    pub vertices: Vec<Marks>,
    pub edges: Vec<Marks>,
    pub cells: Vec<Marks>,
}

impl MarkTable {
    pub(super) fn of(graph: &Graph, outlines: &[Vec<usize>]) -> Self {
        let mut table = MarkTable {
            vertices: vec![Marks::default(); graph.vertices.len()],
            edges: vec![Marks::default(); graph.edges.len()],
            cells: vec![Marks::default(); graph.faces.len()],
        };
        table.mark_pivots(graph);
        table.mark_perimeter(graph, outlines);
        table.mark_inner_and_outer(graph);
        for kind in SiteType::ALL {
            table.mark_extremes(graph, kind);
        }
        table.mark_sizes(graph);
        table.mark_corners(graph, outlines);
        table.mark_sides(graph, outlines);
        table.mark_slopes(graph);
        for kind in SiteType::ALL {
            table.mark_centre(graph, kind);
        }
        table
    }

    pub(super) fn kind(&self, kind: SiteType) -> &[Marks] {
        match kind {
            SiteType::Vertex => &self.vertices,
            SiteType::Edge => &self.edges,
            SiteType::Cell => &self.cells,
        }
    }

    fn kind_mut(&mut self, kind: SiteType) -> &mut Vec<Marks> {
        match kind {
            SiteType::Vertex => &mut self.vertices,
            SiteType::Edge => &mut self.edges,
            SiteType::Cell => &mut self.cells,
        }
    }

    fn mark_pivots(&mut self, graph: &Graph) {
        for v in 0..graph.vertices.len() {
            if let Some(super::super::graph::Pivot::At(p)) = graph.vertices[v].pivot {
                self.vertices[p].set(Mark::Pivot);
            }
        }
    }

    fn mark_perimeter(&mut self, graph: &Graph, outlines: &[Vec<usize>]) {
        for outline in outlines {
            for (n, &a) in outline.iter().enumerate() {
                let b = outline[(n + 1) % outline.len()];
                self.vertices[a].set(Mark::Perimeter);
                self.vertices[b].set(Mark::Perimeter);
                let incident = &graph.vertices[a].edges;
                let Some(&e) = incident.iter().find(|&&e| graph.edges[e].joins(a, b)) else {
                    continue;
                };
                self.edges[e].set(Mark::Perimeter);
                if let Some(face) = graph.edges[e].left.or(graph.edges[e].right) {
                    self.cells[face].set(Mark::Perimeter);
                }
            }
        }
    }

    fn mark_inner_and_outer(&mut self, graph: &Graph) {
        for (f, face) in graph.faces.iter().enumerate() {
            let on_border = |&v: &usize| self.vertices[v].has(Mark::Perimeter);
            if face.vertices.iter().any(on_border) {
                self.cells[f].set(Mark::Perimeter);
            }
        }
        for (e, edge) in graph.edges.iter().enumerate() {
            let on_border = |v: usize| self.vertices[v].has(Mark::Perimeter);
            let open = edge.left.is_none() || edge.right.is_none();
            if on_border(edge.a) && on_border(edge.b) && open {
                self.edges[e].set(Mark::Perimeter);
            }
        }
        for kind in SiteType::ALL {
            for marks in self.kind_mut(kind) {
                let place = if marks.has(Mark::Perimeter) { Mark::Outer } else { Mark::Inner };
                marks.set(place);
            }
        }
    }

    fn mark_extremes(&mut self, graph: &Graph, kind: SiteType) {
        let near = 0.01;
        let count = graph.count(kind);
        let (low, high) = crate::geometry::bounds((0..count).map(|n| graph.at(kind, n)));
        for (n, marks) in self.kind_mut(kind).iter_mut().enumerate() {
            let at = graph.at(kind, n);
            let extremes = [
                (at.x - low.x, Mark::Left),
                (at.y - low.y, Mark::Bottom),
                (high.x - at.x, Mark::Right),
                (high.y - at.y, Mark::Top),
            ];
            for (distance, mark) in extremes {
                if distance < near {
                    marks.set(mark);
                }
            }
        }
    }

    fn mark_sizes(&mut self, graph: &Graph) {
        let most = graph.faces.iter().map(|f| f.vertices.len()).max();
        for (face, marks) in graph.faces.iter().zip(&mut self.cells) {
            let major = Some(face.vertices.len()) == most;
            marks.set(if major { Mark::Major } else { Mark::Minor });
        }
    }

    fn mark_corners(&mut self, graph: &Graph, outlines: &[Vec<usize>]) {
        for outline in outlines {
            for (n, mark) in corners_of_outline(&places(graph, outline)) {
                self.vertices[outline[n]].set(Mark::Corner);
                self.vertices[outline[n]].set(mark);
            }
        }
        for v in 0..graph.vertices.len() {
            if self.vertices[v].has(Mark::Corner) {
                self.spread_corner(graph, v);
            }
        }
    }

    /// Marks the edges and cells that form the corner at a vertex.
    fn spread_corner(&mut self, graph: &Graph, v: usize) {
        let concave = self.vertices[v].has(Mark::CornerConcave);
        let sort = if concave { Mark::CornerConcave } else { Mark::CornerConvex };
        let mut shared = false;
        for &e in &graph.vertices[v].edges {
            let edge = &graph.edges[e];
            if !self.vertices[edge.other_end(v)].has(Mark::Corner) {
                continue;
            }
            shared = true;
            mark_both(&mut self.edges[e], sort);
            if let Some(face) = edge.left.or(edge.right) {
                mark_both(&mut self.cells[face], sort);
            }
        }
        if shared {
            return;
        }
        for &e in &graph.vertices[v].edges {
            if !self.edges[e].has(Mark::Perimeter) {
                continue;
            }
            mark_both(&mut self.edges[e], sort);
            if concave {
                for &f in &graph.vertices[v].faces {
                    if self.border_corners(graph, f) == 1 {
                        mark_both(&mut self.cells[f], sort);
                    }
                }
            } else if let Some(face) = graph.edges[e].left.or(graph.edges[e].right) {
                mark_both(&mut self.cells[face], sort);
            }
        }
    }

    fn border_corners(&self, graph: &Graph, face: usize) -> usize {
        let corners = &graph.faces[face].vertices;
        corners.iter().filter(|&&v| self.vertices[v].has(Mark::Perimeter)).count()
    }

    fn mark_sides(&mut self, graph: &Graph, outlines: &[Vec<usize>]) {
        let middle = mean(graph.vertices.iter().map(|v| v.at));
        for outline in outlines {
            self.mark_sides_of(graph, outline, middle);
        }
        for (v, vertex) in graph.vertices.iter().enumerate() {
            let sides = self.vertices[v].sides();
            for &e in &vertex.edges {
                self.edges[e].0 |= sides;
            }
            for &f in &vertex.faces {
                self.cells[f].0 |= sides;
            }
        }
    }

    /// Each stretch of the outline from corner to corner is a side, named by where its middle is
    /// seen from the middle of the board.
    fn mark_sides_of(&mut self, graph: &Graph, outline: &[usize], middle: Point) {
        let n = outline.len();
        for from in 0..n {
            if !self.vertices[outline[from]].has(Mark::Corner) {
                continue;
            }
            let run = (1..=n)
                .find(|&k| self.vertices[outline[(from + k) % n]].has(Mark::Corner))
                .unwrap_or(n);
            let stretch: Vec<usize> = (0..=run).map(|k| outline[(from + k) % n]).collect();
            let centre = mean(stretch.iter().map(|&v| graph.vertices[v].at));
            let side = match sixteenth(middle.angle_to(centre)) {
                0 => Mark::SideE,
                1..=3 => Mark::SideNE,
                4 => Mark::SideN,
                5..=7 => Mark::SideNW,
                8 => Mark::SideW,
                9..=11 => Mark::SideSW,
                12 => Mark::SideS,
                _ => Mark::SideSE,
            };
            stretch.iter().for_each(|&v| self.vertices[v].set(side));
        }
    }

    fn mark_slopes(&mut self, graph: &Graph) {
        for (edge, marks) in graph.edges.iter().zip(&mut self.edges) {
            let angle = graph.vertices[edge.a].at.angle_to(graph.vertices[edge.b].at);
            let both = match sixteenth(angle) {
                0 | 8 => [Mark::Axial, Mark::Horizontal],
                4 | 12 => [Mark::Axial, Mark::Vertical],
                1..=3 | 9..=11 => [Mark::Angled, Mark::Slash],
                _ => [Mark::Angled, Mark::Slosh],
            };
            both.into_iter().for_each(|mark| marks.set(mark));
        }
    }

    /// The elements with the least squared distance from all corners (and, on small boards, from
    /// the whole border).
    fn mark_centre(&mut self, graph: &Graph, kind: SiteType) {
        let count = graph.count(kind);
        let marked = |mark: Mark| -> Vec<Point> {
            let marks = self.kind(kind);
            (0..count).filter(|&n| marks[n].has(mark)).map(|n| graph.at(kind, n)).collect()
        };
        let mut border = if count < 100 { marked(Mark::Perimeter) } else { Vec::new() };
        border.extend(marked(Mark::Corner));
        let spread: Vec<f64> = (0..count)
            .map(|n| {
                let at = graph.at(kind, n);
                border.iter().map(|b| at.distance_squared(*b)).sum()
            })
            .collect();
        let least = spread.iter().copied().fold(1_000_000.0, f64::min);
        for (marks, spread) in self.kind_mut(kind).iter_mut().zip(spread) {
            if (spread - least).abs() < 0.0001 {
                marks.set(Mark::Centre);
            }
        }
    }
}

fn mark_both(marks: &mut Marks, sort: Mark) {
    marks.set(Mark::Corner);
    marks.set(sort);
}

fn mean(points: impl Iterator<Item = Point>) -> Point {
    let (mut x, mut y, mut n) = (0.0, 0.0, 0);
    for p in points {
        x += p.x;
        y += p.y;
        n += 1;
    }
    let n = f64::from(n.max(1));
    Point::flat(x / n, y / n)
}

/// Which sixteenth of the circle an angle is in, the first one centred on east.
fn sixteenth(angle: f64) -> usize {
    let arc = 2.0 * PI / 16.0;
    let mut angle = angle;
    while angle < 0.0 {
        angle += 2.0 * PI;
    }
    ((angle + arc / 2.0) / arc) as usize % 16
}

/// Corners of an outline with their sort. How far a vertex sticks out is measured against its
/// neighbours up to three places away, smoothed once; local extremes beyond a threshold are
/// corners, and so are neighbours that stick out almost as far.
fn corners_of_outline(points: &[Point]) -> Vec<(usize, Mark)> {
    let n = points.len();
    if n < 6 {
        return (0..n).map(|i| (i, Mark::CornerConvex)).collect();
    }
    let raw: Vec<f64> = (0..n).map(|i| prominence(points, i)).collect();
    let scores: Vec<f64> =
        (0..n).map(|i| (4.0 * raw[i] + raw[(i + 1) % n] + raw[(i + n - 1) % n]) / 6.0).collect();
    let slack = 0.001;
    let around = |i: usize| (scores[(i + n - 1) % n], scores[(i + 1) % n]);
    let mut convex: Vec<bool> = (0..n)
        .map(|i| {
            let (before, after) = around(i);
            !(scores[i] < 0.320 || scores[i] < before - slack || scores[i] < after - slack)
        })
        .collect();
    for i in 0..n {
        if convex[i] {
            let (before, after) = around(i);
            convex[(i + n - 1) % n] |= before >= 0.95 * scores[i];
            convex[(i + 1) % n] |= after >= 0.95 * scores[i];
        }
    }
    let concave = (0..n).filter(|&i| {
        let (before, after) = around(i);
        !(scores[i] > -0.25 || scores[i] > before + slack || scores[i] > after + slack)
    });
    (0..n)
        .filter(|&i| convex[i])
        .map(|i| (i, Mark::CornerConvex))
        .chain(concave.map(|i| (i, Mark::CornerConcave)))
        .collect()
}

fn prominence(points: &[Point], i: usize) -> f64 {
    let n = points.len();
    (1..4)
        .map(|k| {
            let (a, b) = (points[(i + n - k) % n], points[(i + k) % n]);
            let distance = distance_to_line(points[i], a, b) / k as f64;
            if turns_right(a, points[i], b) { -distance } else { distance }
        })
        .sum()
}
