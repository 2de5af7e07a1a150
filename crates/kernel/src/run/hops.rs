//! Hops over hurdles along rays.

use super::Kernel;
use super::board::Board;
use super::eval::Binds;
use super::families::Operands;
use crate::code::{Hop, NOWHERE};
use ludex_game::bits::Bits;

/// The sets a hop looks at.
#[derive(Clone, Copy)]
struct Ground<const W: usize> {
    hurdle: Bits<W>,
    land: Bits<W>,
    stop: Option<Bits<W>>,
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Where hops from a site end.
    pub(super) fn hopped(
        &self,
        b: &Board<W, S>,
        hop: &Hop,
        origin: i32,
        operands: &Operands<W>,
        land: Bits<W>,
    ) -> Bits<W> {
        let mut out = Bits::EMPTY;
        if hop.is_plain() {
            // Whether a hop is possible is as good as random: no branch asks for it.
            let bit = |set: &Bits<W>, at: u16| set.0[at as usize / 64 % W] >> (at % 64) & 1;
            let hurdle = &operands[hop.hurdle as usize];
            for &[over, to] in self.rays[hop.rays].pairs(origin) {
                let ends = bit(hurdle, over) & bit(&land, to);
                out.0[to as usize / 64 % W] |= ends << (to % 64);
            }
            return out;
        }
        self.each_hop(b, hop, origin, operands, land, |to, _| out.insert(to as usize));
        out
    }

    /// The first site jumped on the way to an end.
    pub(super) fn hurdle_before(
        &self,
        b: &Board<W, S>,
        hop: &Hop,
        origin: i32,
        operands: &Operands<W>,
        land: Bits<W>,
        to: i32,
    ) -> i32 {
        let mut between = NOWHERE;
        self.each_hop(b, hop, origin, operands, land, |end, over| {
            if i32::from(end) == to {
                between = over;
            }
        });
        between
    }

    fn each_hop(
        &self,
        b: &Board<W, S>,
        hop: &Hop,
        origin: i32,
        operands: &Operands<W>,
        land: Bits<W>,
        mut found: impl FnMut(u16, i32),
    ) {
        if hop.is_plain() {
            // Over the next site onto the one after it.
            let hurdle = operands[hop.hurdle as usize];
            for &[over, to] in self.rays[hop.rays].pairs(origin) {
                if hurdle.contains(over as usize) && land.contains(to as usize) {
                    found(to, i32::from(over));
                }
            }
            return;
        }
        let length = self.num(b, &Binds::path(origin, NOWHERE, NOWHERE), &hop.length);
        let ground = Ground {
            hurdle: operands[hop.hurdle as usize],
            land,
            stop: hop.stop.map(|stop| operands[stop as usize]),
        };
        for sites in self.rays[hop.rays].from(origin).unwrap_or_default() {
            match length {
                0 => {
                    if let Some(&first) = sites.first()
                        && land.contains(first as usize)
                    {
                        found(first, NOWHERE);
                    }
                }
                1.. => along(sites, ground, hop, length as usize, &mut found),
                _ => {}
            }
        }
    }
}

/// Looks for a hurdle along a ray and for ends beyond it.
fn along<const W: usize>(
    sites: &[u16],
    ground: Ground<W>,
    hop: &Hop,
    length: usize,
    found: &mut impl FnMut(u16, i32),
) {
    let is = |set: Bits<W>, at: usize| set.contains(sites[at] as usize);
    // Up to the hurdle the way must be free, and not too long.
    let mut near = sites.iter().take(hop.before.saturating_add(1).max(0) as usize);
    let Some(start) = near.position(|&site| ground.hurdle.contains(site as usize)) else {
        return;
    };
    if (0..start).any(|at| !is(ground.land, at)) {
        return;
    }
    let end = start + length;
    if end > sites.len() || (start..end).any(|at| !is(ground.hurdle, at)) {
        return;
    }
    for (beyond, &to) in sites[end..].iter().enumerate() {
        let over = i32::from(sites[start]);
        if !ground.land.contains(to as usize) {
            if ground.stop.is_some_and(|stop| stop.contains(to as usize)) {
                found(to, over);
            }
            return;
        }
        if ground.stop.is_none() {
            found(to, over);
        }
        if beyond as i32 + 1 > hop.after {
            return;
        }
    }
}
