//! Rows, columns, layers and the labels made of them.

use crate::geometry::{Point, bounds, distance_to_line};
use crate::graph::{Graph, SiteType, in_order};
use std::collections::HashSet;
use std::f64::consts::PI;

/// Row, column and layer of every element of one kind, and its label.
#[derive(Clone, Debug, Default)]
pub(super) struct Coordinates {
    pub row: Vec<usize>,
    pub column: Vec<usize>,
    pub layer: Vec<usize>,
    pub label: Vec<String>,
    /// Sites of each row.
    pub rows: Vec<Vec<usize>>,
    /// Sites of each column.
    pub columns: Vec<Vec<usize>>,
    /// Sites of each layer.
    pub layers: Vec<Vec<usize>>,
}

/// Coordinates of all three kinds. `with_height` says that the game speaks of layers: rows and
/// columns are then those of the ground, wherever a site is.
pub(super) fn coordinates(graph: &Graph, with_height: bool) -> [Coordinates; 3] {
    let mut angles = (0.0, 0.5);
    SiteType::ALL.map(|kind| {
        let points: Vec<Point> = (0..graph.count(kind)).map(|n| graph.at(kind, n)).collect();
        of_kind(&points, kind, &mut angles, with_height)
    })
}

fn of_kind(
    points: &[Point],
    kind: SiteType,
    angles: &mut (f64, f64),
    with_height: bool,
) -> Coordinates {
    if points.is_empty() {
        return Coordinates::default();
    }
    let (low, high) = bounds(points.iter().copied());
    let spread = (high.x - low.x + (high.y - low.y)) / 2.0;
    let unit = spread / (points.len() as f64).sqrt();
    let cluster = Clustering { points, low, high, margin: 0.6 * unit };
    if kind != SiteType::Edge {
        *angles = cluster.best_angles();
    }
    let mut row = cluster.along(&cluster.rows(angles.0)).0;
    let mut column = cluster.along(&cluster.columns(angles.1)).0;
    let heights: Vec<f64> = points.iter().map(|p| p.z).collect();
    let layer = cluster.along(&heights).0;
    let mut label = labels(&row, &column, &layer);
    let distinct: HashSet<&String> = label.iter().collect();
    let ambiguous = distinct.len() < label.len();
    let grounded = ambiguous || with_height;
    let (rows, columns) = if grounded {
        let rows = ground_lines(points, |p| p.y, &mut row);
        (rows, ground_lines(points, |p| p.x, &mut column))
    } else {
        (members(&row), members(&column))
    };
    if ambiguous {
        label = short_labels(&row, &column);
    }
    Coordinates { rows, columns, layers: members(&layer), row, column, layer, label }
}

struct Clustering<'a> {
    points: &'a [Point],
    low: Point,
    high: Point,
    margin: f64,
}

impl Clustering<'_> {
    /// The angles at which rows and columns gather the sites best.
    fn best_angles(&self) -> (f64, f64) {
        let best = |from: f64, turns: &[i32], measure: &dyn Fn(f64) -> Vec<f64>| {
            let mut best = (0.0, 1000.0);
            for &degrees in turns {
                let theta = from + f64::from(degrees) / 180.0 * PI;
                let error = self.along(&measure(theta)).1;
                if error < best.1 {
                    best = (theta, error);
                }
            }
            best.0
        };
        let row = best(0.0, &[0, 15, 30, 45, 60], &|theta| self.rows(theta));
        let column = best(row, &[90, 105, 120], &|theta| self.columns(theta));
        (row, column)
    }

    /// Distances from a line below the board.
    fn rows(&self, theta: f64) -> Vec<f64> {
        let (width, height) = (self.high.x - self.low.x, self.high.y - self.low.y);
        self.distances(Point::flat(self.low.x + width / 2.0, self.low.y - height), theta)
    }

    /// Distances from a line left of the board.
    fn columns(&self, theta: f64) -> Vec<f64> {
        let (width, height) = (self.high.x - self.low.x, self.high.y - self.low.y);
        self.distances(Point::flat(self.low.x - width, self.low.y + height / 2.0), theta)
    }

    fn distances(&self, a: Point, theta: f64) -> Vec<f64> {
        let width = self.high.x - self.low.x;
        let b = Point::flat(a.x + width * theta.cos(), a.y + width * theta.sin());
        let flat = |p: &Point| Point::flat(p.x, p.y);
        self.points.iter().map(|p| distance_to_line(flat(p), a, b)).collect()
    }

    /// Gathers equal measures into numbered groups; also says how well that worked.
    fn along(&self, measures: &[f64]) -> (Vec<usize>, f64) {
        let mut order: Vec<usize> = (0..measures.len()).collect();
        order.sort_by(|&a, &b| in_order(measures[a], measures[b]));
        let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
        for n in order {
            let value = measures[n];
            match groups.last_mut() {
                Some((total, members))
                    if (value - *total / members.len() as f64).abs() <= self.margin =>
                {
                    *total += value;
                    members.push(n);
                }
                _ => groups.push((value, vec![n])),
            }
        }
        let mut group = vec![0; measures.len()];
        let mut error = 0.0;
        for (id, (total, members)) in groups.iter().enumerate() {
            members.iter().for_each(|&n| group[n] = id);
            let size = members.len() as f64;
            let furthest = members.last().map_or(0.0, |&n| total / size - measures[n]);
            error += furthest * furthest / size;
        }
        (group, error + 0.01 * groups.len() as f64)
    }
}

/// Numbers the lines of the ground and gives their sites; sites above it belong to the line they
/// are over, and to none (they keep their number) when they are between lines.
fn ground_lines(
    points: &[Point],
    measure: impl Fn(&Point) -> f64,
    line: &mut [usize],
) -> Vec<Vec<usize>> {
    let mut lines: Vec<f64> = Vec::new();
    for p in points.iter().filter(|p| p.z == 0.0) {
        if !lines.iter().any(|l| (measure(p) - l).abs() < 0.001) {
            lines.push(measure(p));
        }
    }
    lines.sort_by(|a, b| in_order(*a, *b));
    let mut members = vec![Vec::new(); lines.len()];
    for (n, p) in points.iter().enumerate() {
        for (id, l) in lines.iter().enumerate() {
            if (measure(p) - l).abs() < 0.001 {
                line[n] = id;
                members[id].push(n);
            }
        }
    }
    members
}

fn members(line: &[usize]) -> Vec<Vec<usize>> {
    let count = line.iter().max().map_or(0, |most| most + 1);
    let mut lines = vec![Vec::new(); count];
    for (n, &id) in line.iter().enumerate() {
        lines[id].push(n);
    }
    lines
}

fn letter(n: usize) -> char {
    char::from(b'A' + (n % 26) as u8)
}

/// Column letters, row number and, where there are several, the layer.
fn labels(row: &[usize], column: &[usize], layer: &[usize]) -> Vec<String> {
    let layered = layer.windows(2).any(|pair| pair[0] != pair[1]);
    (0..row.len())
        .map(|n| {
            let mut column = column[n];
            let mut text = letter(column).to_string();
            while column >= 26 {
                column /= 26;
                text.insert(0, letter((column + 25) % 26));
            }
            text += &(row[n] + 1).to_string();
            if layered {
                text += &format!("/{}", layer[n]);
            }
            text
        })
        .collect()
}

fn short_labels(row: &[usize], column: &[usize]) -> Vec<String> {
    row.iter()
        .zip(column)
        .map(|(row, &column)| {
            let first = (column >= 26).then(|| letter(column / 26 - 1));
            let text: String = first.into_iter().chain([letter(column)]).collect();
            format!("{text}{}", row + 1)
        })
        .collect()
}
