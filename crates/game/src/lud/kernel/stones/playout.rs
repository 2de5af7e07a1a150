//! Uniform playouts: a place is drawn, the stone placed, and only what it brought about is looked at.

use super::plan::{FULL, NOWHERE, Verdict};
use super::position::{Position, Referee};
use super::rules::Stones;
use crate::Rng;
use crate::bits::{Job, Select};

/// A playout of uniformly random moves.
pub(super) struct Uniform<'a, const W: usize, R: Referee<W>> {
    pub rules: &'a Stones<W, R>,
    pub position: &'a mut Position<W, R::Memory>,
    pub rng: &'a mut Rng,
    pub limit: u32,
}

impl<const W: usize, R: Referee<W>> Job for Uniform<'_, W, R> {
    type Output = u32;

    #[inline(always)]
    fn run<C: Select>(self) -> u32 {
        let Uniform { rules, position, rng, limit } = self;
        let mut plies = 0;
        // Only before the second move can seats be changed.
        while plies < limit
            && rules.plan.swap
            && position.moves < 2
            && position.outcome == Verdict::Open
        {
            rules.play(position, rules.draw::<C>(position, rng));
            plies += 1;
        }
        plies += if W == 1 {
            by_sets::<C, W, R>(rules, position, rng, limit - plies)
        } else {
            by_list(rules, position, rng, limit - plies)
        };
        // What remains are passes of players who find no place.
        while plies < limit && position.outcome == Verdict::Open {
            rules.play(position, rules.draw::<C>(position, rng));
            plies += 1;
        }
        plies
    }
}

/// Places stones until the game is over, no place is left or `limit` stones are placed.
#[inline(always)]
fn by_sets<C: Select, const W: usize, R: Referee<W>>(
    rules: &Stones<W, R>,
    position: &mut Position<W, R::Memory>,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let drops = !rules.plan.above.is_empty();
    let mut left = position.open.count::<C>();
    let mut plies = 0;
    let mut mover = position.mover as usize & 1;
    while plies < limit && left > 0 && position.outcome == Verdict::Open {
        let site = position.open.select::<C>(rng.below(left));
        let here = crate::bits::Bits::one(site);
        position.open ^= here;
        left -= 1;
        if drops {
            let above = rules.plan.above[site];
            if above != NOWHERE {
                position.open |= crate::bits::Bits::one(above as usize);
                left += 1;
            }
        }
        position.own[mover] |= here;
        let mut facts =
            rules.referee.place(&mut position.memory, &position.own[mover], mover, site);
        facts |= if left == 0 { FULL } else { 0 };
        position.outcome = rules.plan.verdicts[mover][facts & 63];
        mover ^= 1;
        plies += 1;
    }
    finish(position, mover, plies)
}

/// The same where a list of open places is cheaper than finding one in several words.
#[inline(always)]
fn by_list<const W: usize, R: Referee<W>>(
    rules: &Stones<W, R>,
    position: &mut Position<W, R::Memory>,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let drops = !rules.plan.above.is_empty();
    let mut list = [[0u16; 64]; W];
    let mut left = 0;
    for site in position.open.iter() {
        list.as_flattened_mut()[left] = site as u16;
        left += 1;
    }
    let list = list.as_flattened_mut();
    let mut plies = 0;
    let mut mover = position.mover as usize & 1;
    while plies < limit && left > 0 && position.outcome == Verdict::Open {
        let at = rng.below(left as u32) as usize;
        let site = list[at] as usize;
        let above = if drops { rules.plan.above[site] } else { NOWHERE };
        if above == NOWHERE {
            left -= 1;
            list[at] = list[left];
        } else {
            list[at] = above;
        }
        position.own[mover].0[site / 64 % W] |= 1 << (site % 64);
        let mut facts =
            rules.referee.place(&mut position.memory, &position.own[mover], mover, site);
        facts |= if left == 0 { FULL } else { 0 };
        position.outcome = rules.plan.verdicts[mover][facts & 63];
        mover ^= 1;
        plies += 1;
    }
    position.open = crate::bits::Bits::EMPTY;
    list[..left].iter().for_each(|&site| position.open |= crate::bits::Bits::one(site as usize));
    finish(position, mover, plies)
}

#[inline(always)]
fn finish<const W: usize, M>(position: &mut Position<W, M>, mover: usize, plies: u32) -> u32 {
    position.mover = mover as u8;
    position.moves = position.moves.wrapping_add(plies as u16);
    if plies > 0 {
        position.passes = 0;
    }
    plies
}
