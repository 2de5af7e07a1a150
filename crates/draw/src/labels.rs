//! What the sites are called: rows and columns beside the board where it has any, else each site by itself.

use std::collections::BTreeMap;

use crate::board::on_board;
use crate::glyphs::is_seed;
use crate::layout::{Layout, UNIT};
use crate::svg::text;
use ludex_game::geometry::{Element, Geometry};

/// From so many sites on, names on all of them would be more than anybody reads.
const MOST_NAMES: usize = 60;

/// All labels.
pub fn labels(geometry: &Geometry, layout: &Layout) -> String {
    // Sites of the kind that is played on come first; others would repeat their names.
    let element = geometry.sites.first().map(|site| site.element);
    let named = |&site: &usize| {
        let at = &geometry.sites[site];
        at.container == 0
            && on_board(geometry, at)
            && Some(at.element) == element
            && at.element != Element::Edge
    };
    // Where edges are played on as well, a name beside the board would say of which sites it is as little as before.
    let edges = geometry.sites.iter().any(|site| site.element == Element::Edge);
    if edges {
        return String::new();
    }
    let sites: Vec<usize> = (0..geometry.len()).filter(named).collect();
    match lines(geometry, layout, &sites) {
        Some(placed) => {
            // Large pictures are looked at from further away.
            let size = (13.0 * layout.width.max(layout.height) / 520.0).clamp(13.0, 20.0);
            let placed = apart(placed, size);
            placed.iter().map(|(x, y, name)| text("label", *x, *y, size, name)).collect()
        }
        None => single(geometry, layout, &sites),
    }
}

/// The two parts of a name: of its column and of its row.
fn parts(label: &str) -> Option<(&str, &str)> {
    let split = || Some(label.split_at(label.find(|c: char| c.is_ascii_digit())?));
    let (column, row) = label.split_once(',').or_else(split)?;
    (!column.is_empty() && !row.is_empty()).then_some((column, row))
}

type Placed<'a> = Vec<(f32, f32, &'a str)>;

/// The names of columns below them and of rows beside them; nothing where sites have no such names or there is no room.
fn lines<'a>(geometry: &'a Geometry, layout: &Layout, sites: &[usize]) -> Option<Placed<'a>> {
    let mut columns: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &site in sites {
        let (column, row) = parts(&geometry.sites[site].label)?;
        columns.entry(column).or_default().push(site);
        rows.entry(row).or_default().push(site);
    }
    if rows.len() < 2 {
        return None;
    }
    let place = |site: usize| layout.places[site];
    let straight = |lines: &BTreeMap<&str, Vec<usize>>, across: fn(&crate::Place) -> f32| {
        lines.values().all(|line| {
            line.iter().all(|&site| (across(&place(site)) - across(&place(line[0]))).abs() < 2.0)
        })
    };
    let (frame, gap) = (&layout.frames[0], 13.0);
    if straight(&columns, |place| place.x) && straight(&rows, |place| place.y) {
        let (left, bottom) = (frame.left - gap, frame.top + frame.height + gap);
        let below = columns.iter().map(|(name, line)| (place(line[0]).x, bottom, *name));
        let beside = rows.iter().map(|(name, line)| (left, place(line[0]).y, *name));
        return Some(below.chain(beside).collect());
    }
    let mut placed: Placed<'_> = Vec::new();
    for (lines, usual) in [(&mut columns, (0.0, 1.0)), (&mut rows, (-1.0, 0.0))] {
        lines
            .values_mut()
            .for_each(|line| line.sort_by_key(|&site| order(&geometry.sites[site].label)));
        // Beside the end of a line, in the direction in which it ends; a line of a single site ends as the others do.
        let ends = |line: &Vec<usize>| {
            let (first, second) = (place(*line.first()?), place(*line.get(1)?));
            let (dx, dy) = (first.x - second.x, first.y - second.y);
            let length = dx.hypot(dy).max(1e-3);
            Some((dx / length, dy / length))
        };
        let others = lines.values().find_map(ends).unwrap_or(usual);
        for (name, line) in lines.iter() {
            let (first, (dx, dy), gap) =
                (place(line[0]), ends(line).unwrap_or(others), UNIT * 0.5 + 13.0);
            placed.push((first.x + dx * gap, first.y + dy * gap, *name));
        }
    }
    // A name that lies on a way between points is in the middle of the board, and not beside it.
    let shown = !geometry.kinds.iter().any(is_seed);
    let lines = || geometry.lines.iter().filter(|_| shown);
    let ways = || lines().map(|&[a, b]| (frame.at(a), frame.at(b)));
    let free = |(x, y, _): &(f32, f32, &str)| {
        ways().all(|(a, b)| distance((*x, *y), a, b) > 9.0)
            && sites
                .iter()
                .all(|&site| (place(site).x - x).hypot(place(site).y - y) > place(site).r + 4.0)
            && (0.0..layout.width).contains(x)
            && (0.0..layout.height).contains(y)
    };
    Some(placed).filter(|placed| placed.iter().all(free))
}

/// How far a point is from what lies between two others.
fn distance((x, y): (f32, f32), (ax, ay): (f32, f32), (bx, by): (f32, f32)) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-3);
    let share = share.clamp(0.0, 1.0);
    (x - ax - share * dx).hypot(y - ay - share * dy)
}

/// Where a site stands along its lines.
fn order(label: &str) -> (usize, &str, usize, &str) {
    let (column, row) = parts(label).unwrap_or(("", label));
    (column.len(), column, row.len(), row)
}

/// Without the labels that would lie on others.
fn apart(placed: Placed<'_>, size: f32) -> Placed<'_> {
    let width = |name: &str| name.chars().count() as f32 * size * 0.62;
    let mut kept: Placed<'_> = Vec::new();
    for (x, y, name) in placed {
        let on = |&(ax, ay, other): &(f32, f32, &str)| {
            (x - ax).abs() < (width(name) + width(other)) / 2.0 && (y - ay).abs() < size * 0.9
        };
        if !kept.iter().any(on) {
            kept.push((x, y, name));
        }
    }
    kept
}

/// Each site's own name, where there are few.
fn single(geometry: &Geometry, layout: &Layout, sites: &[usize]) -> String {
    if sites.len() > MOST_NAMES {
        return String::new();
    }
    let sown = geometry.kinds.iter().any(is_seed);
    let middle = layout.frames[0].top + layout.frames[0].height / 2.0;
    let mut out = String::new();
    for &site in sites {
        let (place, at) = (layout.places[site], &geometry.sites[site]);
        let outwards = if place.y < middle { -1.0 } else { 1.0 };
        let (dx, dy, size) = match at.element {
            // Nobody reads what is below seeds.
            Element::Vertex if sown => (0.0, outwards * (place.r * 0.9 + 8.0), 0.42),
            // In the corner of a square, where no piece reaches.
            Element::Cell if at.outline.len() == 4 => (-place.r * 0.76, place.r * 0.84, 0.3),
            Element::Cell => (0.0, place.r * 0.72, 0.42),
            _ => (9.0, 11.0, 0.42),
        };
        let size = (place.r * size).clamp(6.0, 10.0);
        out.push_str(&text("label", place.x + dx, place.y + dy, size, &at.label));
    }
    out
}

#[cfg(test)]
mod tests {
    use ludex_game::geometry::{Point, Site};

    use super::*;

    fn said(geometry: &Geometry) -> Vec<String> {
        let drawn = labels(geometry, &Layout::new(geometry));
        let texts = drawn.split("</text>").filter_map(|part| part.rsplit('>').next());
        texts.filter(|text| !text.is_empty()).map(str::to_string).collect()
    }

    #[test]
    fn rows_and_columns_are_named_once_even_where_sites_are_missing() {
        assert_eq!(said(&Geometry::rectangle(2, 3)), ["A", "B", "C", "1", "2"]);
        let ring = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
        assert_eq!(said(&Geometry::cells(&ring)), ["A", "B", "C", "1", "2", "3"]);
        // A single row has a name for each site.
        assert_eq!(said(&Geometry::rectangle(1, 2)), ["A1", "B1"]);
    }

    #[test]
    fn names_of_slanting_rows_stand_beside_the_board_or_not_at_all() {
        // Three by three points that stand on a corner, one of them missing: a row ends inside.
        let places = (0..9).map(|site| (site / 3, site % 3)).filter(|&place| place != (0, 1));
        let mut geometry = Geometry::cells(&[(0, 0)]);
        geometry.sites = places
            .map(|(i, j)| Site {
                label: format!("{}{}", char::from(b'A' + i as u8), j + 1),
                container: 0,
                element: Element::Vertex,
                at: Point::flat((i - j) as f32, (i + j) as f32),
                outline: Vec::new(),
            })
            .collect();
        assert_eq!(said(&geometry), ["A", "B", "C", "1", "2", "3"]);
        geometry.lines = vec![[Point::flat(0.25, 0.25), Point::flat(-1.75, 2.25)]];
        assert_eq!(said(&geometry), ["A1", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]);
    }

    #[test]
    fn no_label_lies_on_another() {
        let placed = vec![(0.0, 0.0, "A"), (6.0, 4.0, "B"), (6.0, 20.0, "1"), (40.0, 0.0, "10")];
        let kept: Vec<&str> = apart(placed, 13.0).iter().map(|label| label.2).collect();
        assert_eq!(kept, ["A", "1", "10"]);
    }
}
