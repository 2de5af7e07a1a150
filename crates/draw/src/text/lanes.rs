//! Which row and column of the screen each site has.

use std::collections::{BTreeMap, HashMap, HashSet};

use ludex_game::geometry::{Element, Geometry, Point, SiteId};

use super::screen::{Ink, Screen};

/// Boards of points with at most so many rows have room for the lines between them.
const FEW_ROWS: usize = 7;

/// The sites of a board by layer, the lowest first.
pub(super) fn layers(geometry: &Geometry, container: u16) -> Vec<Vec<SiteId>> {
    let mut layers: BTreeMap<i64, Vec<SiteId>> = BTreeMap::new();
    for site in geometry.sites_of(container) {
        let height = geometry.sites[site as usize].at.z;
        layers.entry((height * 100.0).round() as i64).or_default().push(site);
    }
    layers.into_values().collect()
}

/// Whether a board shows the lines between its points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    Drawn,
    None,
}

/// Rows and columns of the sites of one layer.
pub(super) struct Plan {
    places: HashMap<SiteId, (usize, usize)>,
}

impl Plan {
    /// A plan in which texts of this width do not touch, and with room for lines if there are to be any.
    pub fn new(geometry: &Geometry, sites: &[SiteId], widest: usize, lines: Lines) -> Plan {
        let at = |site: SiteId| geometry.sites[site as usize].at;
        let across: Vec<f32> = sites.iter().map(|&site| at(site).x).collect();
        let up: Vec<f32> = sites.iter().map(|&site| -at(site).y).collect();
        let unit = nearest(&across, &up);
        let (columns, rows) = (lanes(&across, unit), lanes(&up, unit));
        let drawn = lines == Lines::Drawn && has_room(geometry, sites, &rows);
        let tall = if drawn { 2 } else { 1 };
        // As wide as it takes that no two texts of a row touch, brackets and a space between them included.
        let closest = closest(&rows, &columns).max(1);
        let pitch = widest + if closest > 1 { 3 } else { 2 };
        let wide = pitch.max(2 * tall).div_ceil(closest).max(1);
        let places = rows.iter().zip(&columns).map(|(row, column)| (row * tall, 1 + column * wide));
        Plan { places: sites.iter().copied().zip(places).collect() }
    }

    /// The row and column of a site.
    pub fn at(&self, site: SiteId) -> (usize, usize) {
        self.places.get(&site).copied().unwrap_or_default()
    }

    /// The lines of the board between its points, and the points as lines meet there: corners, sides, crossings.
    pub fn lines(&self, geometry: &Geometry, screen: &mut Screen) {
        let key =
            |point: Point| [point.x, point.y, point.z].map(|part| (part * 1e3).round() as i64);
        let ends: HashMap<[i64; 3], (usize, usize)> = self
            .places
            .iter()
            .map(|(&site, &place)| (key(geometry.sites[site as usize].at), place))
            .collect();
        let mut joints: HashMap<(usize, usize), u8> = HashMap::new();
        for line in &geometry.lines {
            if let [Some(&a), Some(&b)] = line.map(|point| ends.get(&key(point))) {
                let (a, b) = (a.min(b), a.max(b));
                stroke(screen, a, b);
                let (leaves, arrives) = match (a.0 == b.0, a.1 == b.1) {
                    (true, _) => (RIGHT, LEFT),
                    (_, true) => (DOWN, UP),
                    _ => (SLANTED, SLANTED),
                };
                *joints.entry(a).or_default() |= leaves;
                *joints.entry(b).or_default() |= arrives;
            }
        }
        for ((row, column), ways) in joints {
            screen.write(row, column, joint(ways).encode_utf8(&mut [0; 4]), Ink::Faint);
        }
    }

    /// The board with the names of its sites at its edges: rows and columns where all names follow them, else
    /// the names of the first and the last site of each row.
    pub fn labelled(&self, geometry: &Geometry, board: Screen) -> Screen {
        let name = |site: SiteId| geometry.sites[site as usize].label.as_str();
        let mut screen = Screen::default();
        if let Some((rows, columns)) = self.ranks_and_files(&name) {
            let left = rows.values().map(|rank| rank.len()).max().unwrap_or(0) + 1;
            screen.paste(0, left, &board);
            for (&row, rank) in &rows {
                screen.write(row, left - 1 - rank.len(), rank, Ink::Faint);
            }
            let under = board.height();
            for (&column, file) in &columns {
                screen.write(under, left + column, file, Ink::Faint);
            }
            return screen;
        }
        let mut rows: BTreeMap<usize, Vec<(usize, SiteId)>> = BTreeMap::new();
        for (&site, &(row, column)) in &self.places {
            rows.entry(row).or_default().push((column, site));
        }
        rows.values_mut().for_each(|row| row.sort_unstable());
        let left = rows.values().map(|row| name(row[0].1).chars().count()).max().unwrap_or(0) + 1;
        screen.paste(0, left, &board);
        for (&row, sites) in &rows {
            let (first, last) = (sites[0], sites[sites.len() - 1]);
            let label = name(first.1);
            let start = (left + first.0).saturating_sub(2 + label.chars().count());
            screen.write(row, start, label, Ink::Faint);
            if sites.len() > 1 {
                let end = screen.end(row).max(left + last.0 + 2);
                screen.write(row, end + 1, name(last.1), Ink::Faint);
            }
        }
        screen
    }

    /// The number of each row and the letters of each column, where the sites' names are made of them.
    #[expect(clippy::type_complexity, reason = "two maps of one kind")]
    fn ranks_and_files<'a>(
        &self,
        name: &impl Fn(SiteId) -> &'a str,
    ) -> Option<(BTreeMap<usize, &'a str>, BTreeMap<usize, &'a str>)> {
        let (mut rows, mut columns) = (BTreeMap::new(), BTreeMap::new());
        for (&site, &(row, column)) in &self.places {
            let (file, rank) = parts(name(site))?;
            if file.is_empty() || *rows.entry(row).or_insert(rank) != rank {
                return None;
            }
            if *columns.entry(column).or_insert(file) != file {
                return None;
            }
        }
        Some((rows, columns))
    }
}

/// The column and the row in the name of a site: `A1`, `1,2`.
fn parts(label: &str) -> Option<(&str, &str)> {
    match label.split_once(',') {
        Some(parts) => Some(parts),
        None => label.find(|sign: char| sign.is_ascii_digit()).map(|digits| label.split_at(digits)),
    }
}

/// Whether lines fit between the points: few rows, and something else than plain rows and columns.
fn has_room(geometry: &Geometry, sites: &[SiteId], rows: &[usize]) -> bool {
    let points = sites.iter().all(|&site| geometry.sites[site as usize].element == Element::Vertex);
    let count = rows.iter().collect::<HashSet<_>>().len();
    let joined = geometry.lines.iter().any(|[a, b]| (a.y - b.y).abs() > 1e-3);
    points && joined && count <= FEW_ROWS
}

/// The least distance of two sites.
fn nearest(xs: &[f32], ys: &[f32]) -> f32 {
    let mut least = f32::INFINITY;
    for a in 0..xs.len() {
        for b in 0..a {
            least = least.min((xs[a] - xs[b]).hypot(ys[a] - ys[b]));
        }
    }
    if least.is_finite() && least > 1e-4 { least } else { 1.0 }
}

/// The lane of each value: by number where values lie on evenly spaced lanes, else by distance.
fn lanes(values: &[f32], unit: f32) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.dedup_by(|b, a| *b - *a < 0.08 * unit);
    let gaps: Vec<f32> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let step = gaps.iter().copied().fold(f32::INFINITY, f32::min);
    let even = gaps.iter().all(|gap| {
        let steps = gap / step;
        (steps - steps.round()).abs() < 0.12 && steps < 4.5
    });
    let step = if even && step > 0.2 * unit { step } else { 0.5 * unit };
    let low = sorted.first().copied().unwrap_or(0.0);
    values.iter().map(|value| ((value - low) / step).round().max(0.0) as usize).collect()
}

/// The least distance in columns of two sites in one row.
fn closest(rows: &[usize], columns: &[usize]) -> usize {
    let mut by_row: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (&row, &column) in rows.iter().zip(columns) {
        by_row.entry(row).or_default().push(column);
    }
    let mut least = usize::MAX;
    for columns in by_row.values_mut() {
        columns.sort_unstable();
        let gaps = columns.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0);
        least = gaps.fold(least, usize::min);
    }
    if least == usize::MAX { 1 } else { least }
}

/// Ways that lines go from a point.
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;
const SLANTED: u8 = 16;

/// How lines meet at a point; where some are slanted there is no sign for it but the crossing.
fn joint(ways: u8) -> char {
    const ALL: u8 = LEFT | RIGHT | UP | DOWN;
    const SIGNS: [(u8, char); 10] = [
        (RIGHT | DOWN, '┌'),
        (LEFT | DOWN, '┐'),
        (RIGHT | UP, '└'),
        (LEFT | UP, '┘'),
        (ALL & !LEFT, '├'),
        (ALL & !RIGHT, '┤'),
        (ALL & !UP, '┬'),
        (ALL & !DOWN, '┴'),
        (LEFT | RIGHT, '─'),
        (UP | DOWN, '│'),
    ];
    SIGNS.iter().find(|(those, _)| *those == ways).map_or('┼', |&(_, sign)| sign)
}

/// A line from one place to another further down or to the right.
fn stroke(screen: &mut Screen, a: (usize, usize), b: (usize, usize)) {
    if a.0 == b.0 {
        for column in a.1 + 1..b.1 {
            screen.write(a.0, column, "─", Ink::Faint);
        }
        return;
    }
    let sign = match a.1.cmp(&b.1) {
        std::cmp::Ordering::Equal => "│",
        std::cmp::Ordering::Less => "╲",
        std::cmp::Ordering::Greater => "╱",
    };
    for row in a.0 + 1..b.0 {
        let along = (row - a.0) as f32 / (b.0 - a.0) as f32;
        let column = a.1 as f32 + (b.1 as f32 - a.1 as f32) * along;
        screen.write(row, column.round() as usize, sign, Ink::Faint);
    }
}
