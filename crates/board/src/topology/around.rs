//! The neighbours of a site clockwise, with the gaps where the board ends.
//!
//! Whoever turns at a site by a part of the circle moves on in this list, so a site at the edge needs as many
//! entries as one in the middle. Where the board ends is known from the neighbours: a line that comes
//! from one of them and stops here would go on into a gap.

use super::Sites;
use super::steps::clockwise;
use crate::direction::Direction;
use crate::geometry::Point;
use crate::graph::in_order;
use std::f64::consts::PI;

/// Angles this close are the same.
const SAME: f64 = 0.001;

/// Gaps found by angle are moved east by so little, so that one in the north comes first.
const EAST: f64 = 0.00001;

/// A neighbour or a gap, and where it is.
#[derive(Clone, Copy)]
struct Entry {
    site: Option<u32>,
    at: Point,
}

impl Sites {
    /// The orthogonal neighbours of a site clockwise from north; nothing where the board has a gap.
    pub fn around(&self, site: usize) -> Vec<Option<u32>> {
        let here = self.at(site);
        let near = self.towards(site, Direction::Orthogonal);
        let real = near.iter().map(|&to| Entry { site: Some(to), at: self.at(to as usize) });
        let mut entries: Vec<Entry> = real.collect();
        match third_of_a_circle(here, &entries) {
            Some(gap) => entries.push(gap),
            None => {
                let gaps: Vec<Entry> = near.iter().flat_map(|&to| self.gaps(site, to)).collect();
                if !gaps.is_empty() {
                    entries.extend(gaps);
                    sort(here, &mut entries);
                    even_out(here, &mut entries);
                }
            }
        }
        sort(here, &mut entries);
        entries.iter().map(|entry| entry.site).collect()
    }

    /// A gap straight on for every line from a neighbour that ends at the site.
    fn gaps(&self, site: usize, neighbour: u32) -> impl Iterator<Item = Entry> {
        let (here, there) = (self.at(site), self.at(neighbour as usize));
        let radials = self.radials();
        let all = radials.from_site(neighbour as usize, Direction::All).iter();
        let ending = all.filter(
            move |&&radial| matches!(radials.sites(radial), [_, end] if *end as usize == site),
        );
        let beyond = Point { x: 2.0 * here.x - there.x, y: 2.0 * here.y - there.y, z: here.z };
        ending.map(move |_| Entry { site: None, at: beyond })
    }
}

fn sort(here: Point, entries: &mut [Entry]) {
    entries.sort_by(|a, b| in_order(clockwise(here, a.at), clockwise(here, b.at)));
}

/// The third neighbour of a site that has two at a third of a circle from each other: a third of a circle
/// clockwise from the one that comes first counter-clockwise from east. The reference does it so even where
/// the other neighbour is there already; the gap then stands beside it.
fn third_of_a_circle(here: Point, entries: &[Entry]) -> Option<Entry> {
    let [a, b] = entries else { return None };
    let third = 2.0 * PI / 3.0;
    let turn = (angle(here, b.at) - angle(here, a.at)).rem_euclid(2.0 * PI);
    if (turn - third).abs() >= SAME && (2.0 * PI - turn - third).abs() >= SAME {
        return None;
    }
    let from_east = |entry: &Entry| here.angle_to(entry.at).rem_euclid(2.0 * PI);
    let first = if from_east(a) <= from_east(b) { a } else { b };
    Some(gap(here, angle(here, first.at) + third))
}

/// The angle clockwise from north.
fn angle(here: Point, at: Point) -> f64 {
    PI / 2.0 - here.angle_to(at)
}

/// A gap at an angle clockwise from north.
fn gap(here: Point, angle: f64) -> Entry {
    let at = Point { x: here.x + angle.sin() + EAST, y: here.y + angle.cos(), z: here.z };
    Entry { site: None, at }
}

/// Where neighbours that follow each other are all at the same angle, gaps are too: what is missing of
/// them is added, and where that cannot be there are none. The entries are sorted.
fn even_out(here: Point, entries: &mut Vec<Entry>) {
    let angles: Vec<f64> = entries.iter().map(|entry| clockwise(here, entry.at)).collect();
    let count = entries.len();
    let turn = |n: usize| (angles[(n + 1) % count] - angles[n]).rem_euclid(2.0 * PI);
    let is_real = |n: &usize| entries[*n].site.is_some() && entries[(n + 1) % count].site.is_some();
    let (real, open): (Vec<usize>, Vec<usize>) = (0..count).partition(is_real);
    let Some(usual) = real.first().map(|&n| turn(n)) else { return };
    let is = |n: &usize, angle: f64| (turn(*n) - angle).abs() < SAME;
    if !real.iter().all(|n| is(n, usual)) || open.iter().all(|n| is(n, usual)) {
        return;
    }
    if open.iter().any(|n| !is(n, usual) && !is(n, 2.0 * usual)) {
        entries.retain(|entry| entry.site.is_some());
        return;
    }
    let wide = open.iter().filter(|n| is(n, 2.0 * usual));
    let more: Vec<Entry> = wide.map(|&n| gap(here, angle(here, entries[n].at) + usual)).collect();
    entries.extend(more);
}
