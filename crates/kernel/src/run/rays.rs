//! Rays: slides along lines and tracks.

use super::Kernel;
use super::board::Board;
use crate::code::{Ray, TrackPath};
use ludex_game::bits::Bits;
use ludex_lud::ir::Sight;

/// The rays of every site, in one list: those with rising site numbers, then falling, then the others.
#[derive(Debug)]
pub(super) struct Rays<const W: usize> {
    /// For every site where its rising, falling and other rays begin, and where they end.
    starts: Vec<[u32; 4]>,
    masks: Vec<Bits<W>>,
    /// Sites too near to end on, where there are any.
    near: Vec<Bits<W>>,
    /// The sites of every ray, nearest first.
    sites: Vec<Box<[u16]>>,
    /// The first two sites of every ray that has them, side by side, and where those of each site begin.
    pairs: Vec<[u16; 2]>,
    pair_starts: Vec<u32>,
    /// For every site the sites whose rays it lies on.
    through: Vec<Bits<W>>,
    /// For every start and end on one of its rays what lies between, where threats look at it.
    between: Vec<Bits<W>>,
}

impl<const W: usize> Rays<W> {
    pub(super) fn of(table: &[Vec<Ray>]) -> Self {
        let mut rays = Rays {
            starts: Vec::new(),
            masks: Vec::new(),
            near: Vec::new(),
            sites: Vec::new(),
            pairs: Vec::new(),
            pair_starts: vec![0],
            through: vec![Bits::EMPTY; 64 * W],
            between: Vec::new(),
        };
        for (origin, of_site) in table.iter().enumerate() {
            for &site in of_site.iter().flat_map(|ray| &ray.sites) {
                rays.through[site as usize].insert(origin);
            }
        }
        let far = table.iter().flatten().all(|ray| ray.near == 0);
        for of_site in table {
            let mut starts = [rays.masks.len() as u32; 4];
            for order in 0..3 {
                for ray in of_site.iter().filter(|ray| order_of(&ray.sites) == order) {
                    rays.masks.push(set(&ray.sites));
                    rays.sites.push(ray.sites.clone().into());
                    if !far {
                        rays.near.push(set(&ray.sites[..ray.near.min(ray.sites.len())]));
                    }
                }
                starts[order + 1] = rays.masks.len() as u32;
            }
            rays.starts.push(starts);
            let own = &rays.sites[starts[0] as usize..];
            rays.pairs.extend(own.iter().filter_map(|sites| sites.first_chunk::<2>().copied()));
            rays.pair_starts.push(rays.pairs.len() as u32);
        }
        rays
    }

    /// The sites whose rays a site lies on.
    #[inline]
    pub(super) fn through(&self, site: usize) -> Bits<W> {
        self.through[site]
    }

    /// Makes ready to say what lies between two sites; not for rays that may not end near their start.
    pub(super) fn know_between(&mut self) -> bool {
        if !self.near.is_empty() {
            return false;
        }
        if self.between.is_empty() {
            let size = 64 * W;
            self.between = vec![Bits::EMPTY; size * size];
            for (origin, starts) in self.starts.iter().enumerate() {
                for sites in &self.sites[starts[0] as usize..starts[3] as usize] {
                    for (at, &site) in sites.iter().enumerate() {
                        self.between[origin * size + site as usize] = set(&sites[..at]);
                    }
                }
            }
        }
        true
    }

    /// What lies between two sites on one ray.
    #[inline(always)]
    pub(super) fn between(&self, origin: usize, site: usize) -> Bits<W> {
        self.between[origin * 64 * W + site]
    }

    /// The first two sites of each ray of a site that has them.
    #[inline(always)]
    pub(super) fn pairs(&self, site: i32) -> &[[u16; 2]] {
        let starts = self.pair_starts.get(site as u32 as usize..).unwrap_or_default();
        match starts {
            [start, end, ..] => &self.pairs[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The sites of the rays of a site, nearest first.
    #[inline]
    pub(super) fn from(&self, site: i32) -> Option<&[Box<[u16]>]> {
        let starts = self.starts.get(site as u32 as usize)?;
        self.sites.get(starts[0] as usize..starts[3] as usize)
    }

    /// What stands between a site and a catcher on its rays.
    #[inline]
    pub(super) fn caught(&self, origin: i32, target: Bits<W>, friend: Bits<W>) -> Bits<W> {
        let Some(starts) = self.starts.get(origin as u32 as usize) else {
            return Bits::EMPTY;
        };
        let [up, down, mixed, end] = starts.map(|at| at as usize);
        let mut out = Bits::EMPTY;
        let mut add = |(before, hit): (Bits<W>, Bits<W>)| {
            if !(hit & friend).is_empty() {
                out |= before;
            }
        };
        self.masks[up..down].iter().for_each(|&mask| add(until_lowest(mask, mask & !target)));
        self.masks[down..mixed].iter().for_each(|&mask| add(until_highest(mask, mask & !target)));
        for at in mixed..end {
            add(walk_until(&self.sites[at], self.masks[at] & !target));
        }
        out
    }

    /// What stands beside a site with a catcher right behind it.
    #[inline]
    pub(super) fn caught_single(&self, origin: i32, target: Bits<W>, friend: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for sites in self.from(origin).unwrap_or_default() {
            if let [beside, behind, ..] = **sites
                && target.contains(beside as usize)
                && friend.contains(behind as usize)
            {
                out.insert(beside as usize);
            }
        }
        out
    }

    /// Where slides from a site end: any site passed, or the first that stops them.
    #[inline(always)]
    pub(super) fn slid(&self, origin: i32, go: Bits<W>, stop: Bits<W>) -> Bits<W> {
        let [up, down, mixed, end] = self.starts[origin as usize].map(|at| at as usize);
        if !self.near.is_empty() || mixed < end {
            return self.slid_slowly(origin, go, stop);
        }
        let halt = stop | !go;
        let mut out = Bits::EMPTY;
        let mut at = up;
        while at < down {
            let mask = self.masks[at];
            out |= mask & to_lowest(mask & halt);
            at += 1;
        }
        while at < mixed {
            let mask = self.masks[at];
            out |= mask & to_highest(mask & halt);
            at += 1;
        }
        // What stops a slide is its end only where it may end there.
        out & (stop | !halt)
    }

    /// The same where rays turn, or some sites are too near.
    fn slid_slowly(&self, origin: i32, go: Bits<W>, stop: Bits<W>) -> Bits<W> {
        let [up, down, mixed, end] = self.starts[origin as usize].map(|at| at as usize);
        let mut out = Bits::EMPTY;
        for at in up..end {
            let near = self.near.get(at).copied().unwrap_or(Bits::EMPTY);
            let mask = self.masks[at];
            let halt = mask & (!go | (stop & !near));
            let (before, hit) = match at {
                at if at < down => until_lowest(mask, halt),
                at if at < mixed => until_highest(mask, halt),
                _ => walk_until(&self.sites[at], halt),
            };
            out |= (before | (hit & stop)) & !near;
        }
        out
    }
}

/// All sites up to the lowest of a set, that one with them; all there are without any.
#[inline(always)]
fn to_lowest<const W: usize>(halt: Bits<W>) -> Bits<W> {
    let mut out = Bits::EMPTY;
    let (mut borrow, mut at) = (true, 0);
    while at < W {
        // One less changes all bits up to the lowest.
        let (less, under) = halt.0[at].overflowing_sub(u64::from(borrow));
        out.0[at] = less ^ halt.0[at];
        borrow = under;
        at += 1;
    }
    out
}

/// All sites down to the highest of a set, that one with them; all there are without any.
#[inline(always)]
fn to_highest<const W: usize>(halt: Bits<W>) -> Bits<W> {
    let mut out = Bits::EMPTY;
    let (mut open, mut at) = (u64::MAX, W);
    while at > 0 {
        at -= 1;
        let word = halt.0[at];
        // With nothing in the word the shift is by nothing, and all of it is kept.
        let shift = (word | 1).leading_zeros() ^ 63;
        out.0[at] = open & u64::MAX << shift;
        open &= if word == 0 { u64::MAX } else { 0 };
    }
    out
}

/// As many sites of a path as are looked at together.
const STRETCH: usize = 8;

/// A path along a track, made ready.
#[derive(Debug)]
pub(super) struct Trail<const W: usize> {
    sites: Box<[(u16, bool)]>,
    /// The sites of every stretch.
    stretches: Box<[Bits<W>]>,
    /// Where something may be taken.
    armed: Bits<W>,
}

/// The sites that each path passes before it may take something, by the number of the path and the start; all
/// sites where there is no such path.
pub(super) fn leads<const W: usize>(table: &[Vec<TrackPath>]) -> Vec<Vec<Bits<W>>> {
    let count = table.iter().map(Vec::len).max().unwrap_or(0);
    let lead = |origin: usize, number: usize| match table[origin].get(number) {
        None => Bits::first(64 * W),
        Some(path) => {
            let before = path.iter().take_while(|(_, armed)| !armed);
            let others = before.filter(|(site, _)| *site as usize != origin);
            others.fold(Bits::EMPTY, |all, &(site, _)| all | Bits::one(site as usize))
        }
    };
    (0..count).map(|number| (0..table.len()).map(|at| lead(at, number)).collect()).collect()
}

/// The paths of every site, made ready.
pub(super) fn trails<const W: usize>(table: &[Vec<TrackPath>]) -> Vec<Vec<Trail<W>>> {
    let sites = |part: &[(u16, bool)]| {
        part.iter().fold(Bits::EMPTY, |all, &(site, _)| all | Bits::one(site as usize))
    };
    let trail = |path: &TrackPath| Trail {
        sites: path.as_slice().into(),
        stretches: path.chunks(STRETCH).map(sites).collect(),
        armed: path
            .iter()
            .filter(|(_, armed)| *armed)
            .fold(Bits::EMPTY, |all, &(site, _)| all | Bits::one(site as usize)),
    };
    table.iter().map(|paths| paths.iter().map(trail).collect()).collect()
}

fn set<const W: usize>(sites: &[u16]) -> Bits<W> {
    sites.iter().fold(Bits::EMPTY, |all, &site| all | Bits::one(site as usize))
}

/// Rising, falling or neither.
fn order_of(sites: &[u16]) -> usize {
    if sites.is_sorted() {
        0
    } else if sites.is_sorted_by(|a, b| a > b) {
        1
    } else {
        2
    }
}

fn walk_until<const W: usize>(sites: &[u16], halt: Bits<W>) -> (Bits<W>, Bits<W>) {
    let mut before = Bits::EMPTY;
    for &site in sites {
        if halt.contains(site as usize) {
            return (before, Bits::one(site as usize));
        }
        before.insert(site as usize);
    }
    (before, Bits::EMPTY)
}

/// The members of a mask below the lowest of a set, and that one.
#[inline(always)]
fn until_lowest<const W: usize>(mask: Bits<W>, halt: Bits<W>) -> (Bits<W>, Bits<W>) {
    let (mut before, mut hit) = (Bits::EMPTY, Bits::EMPTY);
    let mut open = u64::MAX;
    let mut at = 0;
    while at < W {
        // With no halt in this word, everything below "nothing" is everything.
        let word = halt.0[at] & open;
        let lowest = word & word.wrapping_neg();
        before.0[at] = mask.0[at] & lowest.wrapping_sub(1) & open;
        hit.0[at] = lowest;
        open &= if word == 0 { u64::MAX } else { 0 };
        at += 1;
    }
    (before, hit)
}

/// The members of a mask above the highest of a set, and that one.
#[inline(always)]
fn until_highest<const W: usize>(mask: Bits<W>, halt: Bits<W>) -> (Bits<W>, Bits<W>) {
    let (mut before, mut hit) = (Bits::EMPTY, Bits::EMPTY);
    let mut open = u64::MAX;
    let mut at = W;
    while at > 0 {
        at -= 1;
        let word = halt.0[at] & open;
        let shut = if word == 0 { 0 } else { u64::MAX >> word.leading_zeros() };
        before.0[at] = mask.0[at] & !shut & open;
        hit.0[at] = shut ^ (shut >> 1);
        open &= if word == 0 { u64::MAX } else { 0 };
    }
    (before, hit)
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// What is seen from a site along its rays.
    pub(super) fn seen(&self, b: &Board<W, S>, rays: usize, at: i32, sight: Sight) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for sites in self.rays[rays].from(at).unwrap_or_default() {
            let empty = |&&site: &&u16| b.what(i32::from(site)) == 0;
            let free = sites.iter().take_while(empty).count();
            let seen = match sight {
                Sight::Empty => &sites[..free],
                Sight::Farthest => &sites[free.saturating_sub(1)..free],
                Sight::Piece => &sites[free..sites.len().min(free + 1)],
            };
            seen.iter().for_each(|&site| out.insert(site as usize));
        }
        out
    }

    /// Where a run along a path of a track ends, if it takes something.
    pub(super) fn tracked(
        &self,
        paths: usize,
        number: usize,
        origin: i32,
        go: Bits<W>,
        stop: Bits<W>,
    ) -> Bits<W> {
        let Some(trail) = self.trails[paths][origin as usize].get(number) else {
            return Bits::EMPTY;
        };
        if (trail.armed & stop).is_empty() {
            return Bits::EMPTY;
        }
        let halt = stop | !(go | Bits::one(origin as usize));
        let mut at = 0;
        while at < trail.sites.len() {
            // Where nothing halts, the whole stretch is passed.
            if at.is_multiple_of(STRETCH) && (trail.stretches[at / STRETCH] & halt).is_empty() {
                at += STRETCH;
                continue;
            }
            let (site, armed) = trail.sites[at];
            if armed && stop.contains(site as usize) {
                return Bits::one(site as usize);
            }
            if !go.contains(site as usize) && i32::from(site) != origin {
                return Bits::EMPTY;
            }
            at += 1;
        }
        Bits::EMPTY
    }
}
