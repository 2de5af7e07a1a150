//! Hexagons made of quadrilaterals, as three-handed chess is played on.

use super::{check_dim, check_size};
use crate::BoardError;
use crate::geometry::Point;
use crate::graph::Graph;
use std::f64::consts::PI;

/// A hexagon of six equal sections with `layers` rows each; with `thirds`, of three sections that
/// leave a triangle in the middle.
pub fn quadhex(layers: i32, thirds: bool) -> Result<Graph, BoardError> {
    let n = check_dim(layers)?;
    check_size(12 * (n + 1) * (n + 1))?;
    let mut graph = Graph::new();
    if thirds {
        three_sections(&mut graph, n as usize);
    } else {
        six_sections(&mut graph, n as usize);
    }
    graph.make_faces(true);
    graph.reorder();
    Ok(graph)
}

fn six_sections(graph: &mut Graph, layers: usize) {
    let n = layers as f64;
    let high = n * 3f64.sqrt() / 2.0;
    let (a, b, c) = (Point::flat(0.0, 0.0), Point::flat(0.0, high), Point::flat(n / 2.0, high));
    let e = Point::flat(n, 0.0);
    let d = Point::flat((c.x + e.x) / 2.0, (c.y + e.y) / 2.0);
    for turn in 0..6 {
        let theta = f64::from(turn) * PI / 3.0;
        for row in 0..layers {
            let (r0, r1) = (row as f64 / n, (row + 1) as f64 / n);
            let (ad0, ad1) = (a.lerp(r0, d).rotated(theta), a.lerp(r1, d).rotated(theta));
            let (bc0, bc1) = (b.lerp(r0, c).rotated(theta), b.lerp(r1, c).rotated(theta));
            for column in 0..layers {
                let (c0, c1) = (column as f64 / n, (column + 1) as f64 / n);
                let va = graph.find_or_add_vertex(ad0.lerp(c0, bc0));
                let vb = graph.find_or_add_vertex(ad0.lerp(c1, bc0));
                let vc = graph.find_or_add_vertex(ad1.lerp(c1, bc1));
                graph.find_or_add_edge(va, vb);
                graph.find_or_add_edge(vb, vc);
                if row == layers - 1 {
                    let vd = graph.find_or_add_vertex(ad1.lerp(c0, bc1));
                    graph.find_or_add_edge(vc, vd);
                }
            }
        }
    }
}

fn three_sections(graph: &mut Graph, layers: usize) {
    let section = one_third(layers);
    let count = section.vertices.len();
    let theta = 2.0 * PI / 3.0;
    let mut places: Vec<Point> = section.vertices.iter().map(|v| v.at).collect();
    for turn in 0..3 {
        for &place in &places {
            graph.add_vertex(place);
        }
        for edge in &section.edges {
            graph.add_edge(edge.a + turn * count, edge.b + turn * count);
        }
        places.iter_mut().for_each(|p| *p = p.rotated(theta));
    }
    // The inner corners of the sections form a triangle, their flanks are joined once.
    let corner = |turn: usize, n: usize| turn * count + n;
    let inner = layers * (2 * layers + 3);
    let (first, second) = (4 * layers, 4 * layers + 2);
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        join(graph, corner(a, inner), corner(b, inner));
    }
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        join(graph, corner(a, second), corner(b, first));
    }
}

fn join(graph: &mut Graph, a: usize, b: usize) {
    if a < graph.vertices.len() && b < graph.vertices.len() {
        graph.find_or_add_edge(a, b);
    }
}

fn one_third(layers: usize) -> Graph {
    let n = layers as f64;
    let deep = n * 3f64.sqrt() / 2.0;
    let (o, a, c, e) = (
        Point::flat(0.0, 0.0),
        Point::flat(-n / 2.0, -deep),
        Point::flat(-n, 0.0),
        Point::flat(0.0, -deep),
    );
    let ratio = n / (n + 0.5);
    let (f, g) = (e.lerp(ratio, o), a.lerp(ratio / 2.0, c));
    let mut section = Graph::new();
    for row in 0..layers {
        let (r0, r1) = (row as f64 / n, (row + 1) as f64 / n);
        let (ae0, ae1, gf0, gf1) = (a.lerp(r0, e), a.lerp(r1, e), g.lerp(r0, f), g.lerp(r1, f));
        for column in 0..layers {
            let (c0, c1) = (column as f64 / n, (column + 1) as f64 / n);
            let left = [ae0.lerp(c0, gf0), ae0.lerp(c1, gf0), ae1.lerp(c0, gf1), ae1.lerp(c1, gf1)];
            let right = left.map(|p| Point::flat(-p.x, p.y));
            for quad in [left, right] {
                let [va, vb, vc, vd] = quad.map(|p| section.find_or_add_vertex(p));
                for (from, to) in [(va, vb), (vc, vd), (va, vc), (vb, vd)] {
                    section.find_or_add_edge(from, to);
                }
            }
        }
    }
    section
}
