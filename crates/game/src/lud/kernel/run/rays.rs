//! Rays: slides along lines and tracks.

use super::Kernel;
use crate::bits::Bits;
use crate::lud::kernel::code::Ray;

/// A ray as sets.
#[derive(Debug)]
pub(super) struct Beam<const W: usize> {
    /// All its sites.
    mask: Bits<W>,
    /// Those too near to end on.
    near: Bits<W>,
    order: Order,
    /// The sites, nearest first.
    pub sites: Box<[u16]>,
}

/// How site numbers go along a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Up,
    Down,
    Mixed,
}

/// The rays of every site as sets.
pub(super) fn beams<const W: usize>(table: &[Vec<Ray>]) -> Vec<Vec<Beam<W>>> {
    table.iter().map(|rays| rays.iter().map(beam).collect()).collect()
}

fn beam<const W: usize>(ray: &Ray) -> Beam<W> {
    let set =
        |sites: &[u16]| sites.iter().fold(Bits::EMPTY, |all, &site| all | Bits::one(site as usize));
    let order = match ray.sites.as_slice() {
        sites if sites.is_sorted() => Order::Up,
        sites if sites.is_sorted_by(|a, b| a > b) => Order::Down,
        _ => Order::Mixed,
    };
    let near = ray.near.min(ray.sites.len());
    Beam {
        mask: set(&ray.sites),
        near: set(&ray.sites[..near]),
        order,
        sites: ray.sites.clone().into(),
    }
}

impl<const W: usize> Beam<W> {
    /// The sites before the first of a set, and that one.
    #[inline(always)]
    fn until(&self, halt: Bits<W>) -> (Bits<W>, Bits<W>) {
        match self.order {
            Order::Up => until_lowest(self.mask, halt),
            Order::Down => until_highest(self.mask, halt),
            Order::Mixed => self.walk_until(halt),
        }
    }

    fn walk_until(&self, halt: Bits<W>) -> (Bits<W>, Bits<W>) {
        let mut before = Bits::EMPTY;
        for &site in &self.sites {
            if halt.contains(site as usize) {
                return (before, Bits::one(site as usize));
            }
            before.insert(site as usize);
        }
        (before, Bits::EMPTY)
    }
}

#[inline(always)]
fn until_lowest<const W: usize>(mask: Bits<W>, halt: Bits<W>) -> (Bits<W>, Bits<W>) {
    let (mut before, mut hit) = (Bits::EMPTY, Bits::EMPTY);
    let mut at = 0;
    while at < W {
        let word = halt.0[at];
        if word != 0 {
            let lowest = word & word.wrapping_neg();
            before.0[at] = mask.0[at] & (lowest - 1);
            hit.0[at] = lowest;
            return (before, hit);
        }
        before.0[at] = mask.0[at];
        at += 1;
    }
    (before, hit)
}

#[inline(always)]
fn until_highest<const W: usize>(mask: Bits<W>, halt: Bits<W>) -> (Bits<W>, Bits<W>) {
    let (mut before, mut hit) = (Bits::EMPTY, Bits::EMPTY);
    let mut at = W;
    while at > 0 {
        at -= 1;
        let word = halt.0[at];
        if word != 0 {
            let highest = 1 << (63 - word.leading_zeros());
            before.0[at] = mask.0[at] & !(highest | (highest - 1));
            hit.0[at] = highest;
            return (before, hit);
        }
        before.0[at] = mask.0[at];
    }
    (before, hit)
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Where slides from a site end: any site passed, or the first that stops them.
    #[inline(always)]
    pub(super) fn slid(&self, rays: usize, origin: i32, go: Bits<W>, stop: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for beam in &self.rays[rays][origin as usize] {
            let halt = beam.mask & (!go | (stop & !beam.near));
            let (before, hit) = beam.until(halt);
            out |= (before | (hit & stop)) & !beam.near;
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
        let Some(path) = self.code.paths[paths][origin as usize].get(number) else {
            return Bits::EMPTY;
        };
        for &(site, armed) in path {
            let at = site as usize;
            if armed && stop.contains(at) {
                return Bits::one(at);
            }
            if !go.contains(at) && i32::from(site) != origin {
                break;
            }
        }
        Bits::EMPTY
    }
}
