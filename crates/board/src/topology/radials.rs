//! Radials: the lines of sites that lead away from a site.

use super::lists::{Lists, ListsBuilder};
use super::steps::{Step, clockwise};
use crate::direction::Direction;
use crate::geometry::{Point, bend};
use crate::graph::in_order;

/// A straight (or circular) line of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radial {
    start: u32,
    length: u32,
    /// The direction it goes.
    pub direction: Direction,
    /// The radial that continues it on the other side of its first site.
    pub opposite: Option<u32>,
}

/// All radials of one kind of site.
#[derive(Clone, Debug, Default)]
pub struct Radials {
    sites: Vec<u32>,
    radials: Vec<Radial>,
    by_direction: Vec<Lists>,
    distinct: Vec<Lists>,
}

impl Radials {
    /// Numbers of the radials from `site` in `direction`, clockwise from north.
    pub fn from_site(&self, site: usize, direction: Direction) -> &[u32] {
        self.by_direction[direction as usize].of(site)
    }

    /// The same without radials that continue one listed already: each line through the site once.
    pub fn distinct(&self, site: usize, direction: Direction) -> &[u32] {
        self.distinct[direction as usize].of(site)
    }

    /// The radial with this number.
    pub fn get(&self, radial: u32) -> Radial {
        self.radials[radial as usize]
    }

    /// The sites of a radial, the one it starts from first.
    pub fn sites(&self, radial: u32) -> &[u32] {
        let radial = self.radials[radial as usize];
        &self.sites[radial.start as usize..(radial.start + radial.length) as usize]
    }

    /// The sites from `site` on in `direction` along its first radial, without `site` itself.
    pub fn line(&self, site: usize, direction: Direction) -> &[u32] {
        let first = self.from_site(site, direction).first();
        first.map_or(&[], |&radial| &self.sites(radial)[1..])
    }

    /// Number of radials.
    pub fn len(&self) -> usize {
        self.radials.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.radials.is_empty()
    }
}

/// A radial while it is being found.
#[derive(Clone, Debug)]
struct Line {
    sites: Vec<u32>,
    direction: Direction,
    opposite: Option<usize>,
}

/// Follows all radials. `steps` lists per site the steps to the same kind, `points` where the
/// sites are.
pub(super) fn radials(points: &[Point], steps: &[Vec<Step>]) -> Radials {
    let next: Vec<Lists> = Direction::ALL
        .into_iter()
        .map(|direction| {
            Lists::collect(steps.iter().map(|from| {
                let listed = from.iter().filter(move |s| s.listed.contains(direction));
                listed.map(|s| s.to as u32)
            }))
        })
        .collect();
    let mut table = Radials::default();
    let mut listed = vec![ListsBuilder::default(); Direction::COUNT];
    let mut distinct = listed.clone();
    let mut by_direction: Vec<Vec<usize>> = vec![Vec::new(); Direction::COUNT];
    for site in 0..points.len() {
        let lines = lines_from(points, &next, site);
        let offset = table.radials.len();
        by_direction.iter_mut().for_each(Vec::clear);
        for (n, line) in lines.iter().enumerate() {
            by_direction[line.direction as usize].push(n);
        }
        gather_rotational(&lines, &mut by_direction);
        let rank = |n: usize| clockwise(points[site], points[lines[n].sites[1] as usize]);
        let ranks: Vec<f64> = (0..lines.len()).map(rank).collect();
        for (d, numbers) in by_direction.iter_mut().enumerate() {
            let mut once = distinct_lines(&lines, numbers);
            for (list, builder) in [(&mut once, &mut distinct[d]), (numbers, &mut listed[d])] {
                list.sort_by(|&a, &b| in_order(ranks[a], ranks[b]));
                builder.push(list.iter().map(|n| (offset + n) as u32));
            }
        }
        for line in lines {
            table.radials.push(Radial {
                start: table.sites.len() as u32,
                length: line.sites.len() as u32,
                direction: line.direction,
                opposite: line.opposite.map(|n| (offset + n) as u32),
            });
            table.sites.extend(line.sites);
        }
    }
    table.by_direction = listed.into_iter().map(ListsBuilder::finish).collect();
    table.distinct = distinct.into_iter().map(ListsBuilder::finish).collect();
    table
}

fn lines_from(points: &[Point], next: &[Lists], site: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for direction in Direction::ALL {
        for &to in next[direction as usize].of(site) {
            let mut walk =
                Walk { points, next: &next[direction as usize], direction, found: Vec::new() };
            walk.follow(vec![site as u32], to);
            for sites in walk.found {
                add_line(points, &mut lines, sites, direction);
            }
        }
    }
    lines
}

struct Walk<'a> {
    points: &'a [Point],
    next: &'a Lists,
    direction: Direction,
    found: Vec<Vec<u32>>,
}

/// More lines than this from one step are a tangle, not a board.
const MAX_BRANCHES: usize = 64;

impl Walk<'_> {
    /// Goes on as straight as possible; where two ways are equally straight, both are followed.
    fn follow(&mut self, mut sites: Vec<u32>, current: u32) {
        let mut previous = sites[sites.len() - 1];
        let mut current = current;
        let mut ways = Vec::new();
        loop {
            sites.push(current);
            self.ways_on(previous, current, &mut ways);
            let [way] = ways.as_slice() else {
                self.branch(sites, &ways);
                return;
            };
            if sites.contains(way) {
                break;
            }
            previous = current;
            current = *way;
        }
        self.found.push(sites);
    }

    fn branch(&mut self, sites: Vec<u32>, ways: &[u32]) {
        if ways.is_empty() || self.found.len() >= MAX_BRANCHES {
            self.found.push(sites);
            return;
        }
        for way in ways {
            if sites.contains(way) {
                self.found.push(sites.clone());
            } else {
                self.follow(sites.clone(), *way);
            }
        }
    }

    fn ways_on(&self, previous: u32, current: u32, ways: &mut Vec<u32>) {
        use Direction as D;
        ways.clear();
        let candidates = self.next.of(current as usize);
        if matches!(self.direction, D::CW | D::CCW | D::In | D::Out) {
            ways.extend(candidates.first());
            return;
        }
        let at = |n: u32| self.points[n as usize];
        let mut least = 0.25f64.tan();
        for &to in candidates {
            let off = bend(at(previous), at(current), at(to));
            if off < least {
                least = off;
                ways.clear();
                ways.push(to);
                if off == 0.0 {
                    break;
                }
            } else if off == least {
                ways.push(to);
            }
        }
    }
}

fn add_line(points: &[Point], lines: &mut Vec<Line>, sites: Vec<u32>, direction: Direction) {
    let known = |line: &Line| line.direction == direction && line.sites == sites;
    if lines.iter().any(known) {
        return;
    }
    let number = lines.len();
    let mut opposite = None;
    for (n, line) in lines.iter_mut().enumerate() {
        if continues(points, &sites, direction, line) {
            opposite = opposite.or(Some(n));
            line.opposite = line.opposite.or(Some(number));
        }
    }
    lines.push(Line { sites, direction, opposite });
}

/// Whether a new line and a known one are two halves of one line.
fn continues(points: &[Point], sites: &[u32], direction: Direction, known: &Line) -> bool {
    use Direction as D;
    let turning = matches!(
        (direction, known.direction),
        (D::CW, D::CCW) | (D::CCW, D::CW) | (D::In, D::Out) | (D::Out, D::In)
    );
    let comparable =
        direction == known.direction || direction.is_specific() && known.direction.is_specific();
    turning || comparable && is_opposite(points, sites, &known.sites)
}

fn is_opposite(points: &[Point], a: &[u32], b: &[u32]) -> bool {
    let at = |n: u32| points[n as usize];
    bend(at(a[1]), at(a[0]), at(b[1])) < 0.1f64.tan()
}

/// The rotational lines are those in, out and around; of two where one is the start of the other
/// the longer stays.
fn gather_rotational(lines: &[Line], by_direction: &mut [Vec<usize>]) {
    use Direction as D;
    let mut all = std::mem::take(&mut by_direction[D::Rotational as usize]);
    for part in [D::In, D::Out, D::CW, D::CCW] {
        all.extend(&by_direction[part as usize]);
    }
    for n in (0..all.len()).rev() {
        let sites = &lines[all[n]].sites;
        let covered = all
            .iter()
            .enumerate()
            .any(|(m, &other)| m != n && lines[other].sites.starts_with(sites));
        if covered {
            all.remove(n);
        }
    }
    by_direction[D::Rotational as usize] = all;
}

/// The lines that are not the other half of one listed before.
fn distinct_lines(lines: &[Line], numbers: &[usize]) -> Vec<usize> {
    let mut distinct: Vec<usize> = Vec::new();
    for &n in numbers {
        let other_half = distinct.iter().any(|&known| {
            let opposite = lines[known].opposite;
            known != n && opposite.is_some_and(|o| lines[o].sites == lines[n].sites)
        });
        if !other_half {
            distinct.push(n);
        }
    }
    distinct
}
