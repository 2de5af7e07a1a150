//! What a puzzle gives besides pieces: numbers in places, sums of regions, orders.

use std::collections::HashMap;

use crate::layout::{Frame, Layout, UNIT};
use crate::svg::{line, polygon, text};
use ludex_game::geometry::{Clue, Element, Geometry, Point, Says, Site, Spot};

/// All of them.
pub fn clues(geometry: &Geometry, layout: &Layout) -> String {
    let Some(element) = geometry.sites.first().map(|site| site.element) else {
        return String::new();
    };
    let shut = outside(geometry);
    let crossed = shut.contains(&true);
    let drawn = |clue: &Clue| {
        let frame = &layout.frames[clue.container as usize];
        match (clue.says, &clue.places[..]) {
            (Says::Ascending, places) => places.windows(2).map(|two| order(frame, two)).collect(),
            (Says::Number(number), [alone]) => single(frame, element, alone, number),
            (Says::Number(number), places) if crossed => {
                sum(geometry, &shut, frame, places, number)
            }
            (Says::Number(number), places) => region(frame, places, number),
        }
    };
    geometry.clues.iter().map(drawn).collect()
}

/// Where a place is, as something to look it up by.
fn key(at: Point) -> (i32, i32) {
    ((at.x * 1000.0).round() as i32, (at.y * 1000.0).round() as i32)
}

/// Which cells belong to no sum, where rows and columns are summed up and cross as in crosswords; none elsewhere.
pub fn outside(geometry: &Geometry) -> Vec<bool> {
    let mut sums: HashMap<(i32, i32), u32> = HashMap::new();
    let regions = geometry.clues.iter().filter(|clue| matches!(clue.says, Says::Number(_)));
    for spot in regions.filter(|clue| clue.places.len() > 1).flat_map(|clue| &clue.places) {
        *sums.entry(key(spot.at)).or_default() += 1;
    }
    let crossed = sums.values().any(|&count| count > 1);
    let out = |site: &Site| crossed && site.container == 0 && !sums.contains_key(&key(site.at));
    geometry.sites.iter().map(out).collect()
}

/// A sum of a row or column that crosses others: in the closed cell before it, as crosswords of numbers have it.
fn sum(geometry: &Geometry, shut: &[bool], frame: &Frame, places: &[Spot], number: i32) -> String {
    let number = number.to_string();
    let at: Vec<(f32, f32)> = places.iter().map(|spot| frame.at(spot.at)).collect();
    let first = |of: fn(&(f32, f32)) -> f32| at.iter().map(of).fold(f32::INFINITY, f32::min);
    let (left, top) = (first(|at| at.0), first(|at| at.1));
    let across = at.iter().all(|&(_, y)| (y - top).abs() < 1.0);
    let (x, y) = if across { (left - UNIT, top) } else { (left, top - UNIT) };
    let before = (0..geometry.len()).filter(|&site| shut[site]).find(|&site| {
        let (sx, sy) = frame.at(geometry.sites[site].at);
        (sx - x).hypot(sy - y) < 1.0
    });
    let (half, aside) = (UNIT / 2.0, UNIT * 0.24);
    match before {
        // Two sums may share the cell.
        Some(_) => {
            let (dx, dy) = if across { (aside, -aside) } else { (-aside, aside) };
            line("slash", (x - half, y - half), (x + half, y + half))
                + &text("sum", x + dx, y + dy, 14.0, &number)
        }
        None => {
            let dx = if across { -UNIT * 0.28 } else { UNIT * 0.28 };
            text("clue", left + dx, top - UNIT * 0.29, 12.0, &number)
        }
    }
}

/// A number at one place: in the middle, or in a corner where something else will be written.
fn single(frame: &Frame, written: Element, spot: &Spot, number: i32) -> String {
    let (x, y) = frame.at(spot.at);
    let corners = spot.outline.len();
    let (aside, size) = match (written, corners) {
        (Element::Cell, 3..) | (Element::Vertex, 0) | (Element::Edge, 2) => (UNIT * 0.32, 13.0),
        _ => (0.0, 22.0),
    };
    text("clue", x - aside, y - aside, size, &number.to_string())
}

/// A number for several places: around all of them.
fn region(frame: &Frame, places: &[Spot], number: i32) -> String {
    let outlines: Vec<Vec<(f32, f32)>> = places.iter().map(|spot| outline(frame, spot)).collect();
    let same = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).hypot(a.1 - b.1) < 0.5;
    let mut out = String::new();
    for (n, (corners, spot)) in outlines.iter().zip(places).enumerate() {
        let middle = frame.at(spot.at);
        let inside = |(x, y): (f32, f32)| {
            (middle.0 + 0.88 * (x - middle.0), middle.1 + 0.88 * (y - middle.1))
        };
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let inner = outlines.iter().enumerate().any(|(other, corners)| {
                let mut sides = corners.iter().zip(corners.iter().cycle().skip(1));
                other != n
                    && sides
                        .any(|(c, d)| same(*a, *d) && same(*b, *c) || same(*a, *c) && same(*b, *d))
            });
            if !inner {
                out.push_str(&line("cage", inside(*a), inside(*b)));
            }
        }
    }
    let leftmost = |a: &&Spot, b: &&Spot| {
        let ((ax, ay), (bx, by)) = (frame.at(a.at), frame.at(b.at));
        (ay + ax * 0.01).total_cmp(&(by + bx * 0.01))
    };
    if let Some(first) = places.iter().min_by(leftmost) {
        let (x, y) = frame.at(first.at);
        let number = number.to_string();
        out.push_str(&text("clue", x - UNIT * 0.28, y - UNIT * 0.29, 12.0, &number));
    }
    out
}

fn outline(frame: &Frame, spot: &Spot) -> Vec<(f32, f32)> {
    spot.outline.iter().map(|&point| frame.at(point)).collect()
}

/// A sign between two places, open towards the larger.
fn order(frame: &Frame, two: &[Spot]) -> String {
    let [(ax, ay), (bx, by)] = [frame.at(two[0].at), frame.at(two[1].at)];
    let length = (bx - ax).hypot(by - ay).max(1e-3);
    let (dx, dy) = ((bx - ax) / length, (by - ay) / length);
    let (x, y) = ((ax + bx) / 2.0, (ay + by) / 2.0);
    let arm = |side: f32| (x + 6.0 * dx - side * 7.0 * dy, y + 6.0 * dy + side * 7.0 * dx);
    let tip = (x - 6.0 * dx, y - 6.0 * dy);
    polygon("order", [arm(1.0), tip, arm(-1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a puzzle gives at cells of a board of three rows.
    fn drawn(says: Says, sites: &[usize]) -> String {
        let mut board = Geometry::rectangle(3, 3);
        let spot = |&site: &usize| Spot {
            at: board.sites[site].at,
            outline: board.sites[site].outline.clone(),
        };
        let places = sites.iter().map(spot).collect();
        board.clues.push(Clue { container: 0, places, says });
        clues(&board, &Layout::new(&board))
    }

    #[test]
    fn numbers_stand_at_their_places_and_cages_around_them() {
        assert!(drawn(Says::Number(7), &[4]).contains(">7</text>"));
        // Two cells side by side have six sides that they do not share.
        let cage = drawn(Says::Number(12), &[0, 1]);
        assert!(cage.contains(">12</text>"));
        assert_eq!(cage.matches("cage").count(), 6);
    }

    #[test]
    fn signs_of_order_are_open_towards_the_larger() {
        let points = |sites: &[usize]| {
            let drawn = drawn(Says::Ascending, sites);
            let points = drawn.split("points=\"").nth(1).expect("a sign");
            let xs = points.split('"').next().expect("points").split(' ');
            let xs = xs.map(|pair| pair.split(',').next().expect("x").parse().expect("a number"));
            xs.collect::<Vec<f32>>()
        };
        let [arm, tip, other] = points(&[0, 1])[..] else { panic!("three corners") };
        assert!(tip < arm && arm == other, "the tip is at the smaller");
        let [arm, tip, _] = points(&[1, 0])[..] else { panic!("three corners") };
        assert!(tip > arm);
    }
}
