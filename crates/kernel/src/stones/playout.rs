//! Uniform playouts: a place is drawn, the stone placed, and only what it brought about is looked at. Where places that
//! decide come first, they are watched meanwhile.

use super::plan::{FULL, NOWHERE, Verdict};
use super::position::{Position, Referee};
use super::rules::Stones;
use ludex_game::Rng;
use ludex_game::bits::{Bits, Job, Select};

/// A playout of uniformly random moves; with a watch, of moves that win at once where there are any.
pub(super) struct Uniform<'a, const W: usize, R: Referee<W>, const WATCHES: bool> {
    pub rules: &'a Stones<W, R>,
    pub position: &'a mut Position<W, R::Memory, R::Watch>,
    pub rng: &'a mut Rng,
    pub limit: u32,
}

impl<const W: usize, R: Referee<W>, const WATCHES: bool> Job for Uniform<'_, W, R, WATCHES> {
    type Output = u32;

    #[inline(always)]
    fn run<C: Select>(self) -> u32 {
        let Uniform { rules, position, rng, limit } = self;
        // Finding a place in several words costs more than keeping a list.
        let mut plies = if W == 1 {
            let left = position.open.count::<C>();
            let open = Set { open: position.open, left };
            place_all::<C, W, R, _, WATCHES>(rules, position, rng, limit, open)
        } else {
            let list = List::of(rules, position);
            place_all::<C, W, R, _, WATCHES>(rules, position, rng, limit, list)
        };
        // What remains are passes of players who find no place.
        while plies < limit && position.outcome == Verdict::Open {
            rules.play(position, rules.draw::<C>(position, rng));
            plies += 1;
        }
        plies
    }
}

/// Open places, from which one is drawn by its number.
trait Places<const W: usize> {
    fn left(&self) -> u32;

    /// Those of these places that are open; all but the stones were open at first, or may have been opened since.
    fn open(&self, places: Bits<W>, stones: Bits<W>) -> Bits<W>;

    /// Takes out a place; the one above it, if there is one, opens.
    fn take<C: Select>(&mut self, nth: u32, above: &[u16]) -> usize;
}

/// In one word.
struct Set<const W: usize> {
    open: Bits<W>,
    left: u32,
}

impl<const W: usize> Places<W> for Set<W> {
    #[inline(always)]
    fn left(&self) -> u32 {
        self.left
    }

    #[inline(always)]
    fn open(&self, places: Bits<W>, _: Bits<W>) -> Bits<W> {
        places & self.open
    }

    #[inline(always)]
    fn take<C: Select>(&mut self, nth: u32, above: &[u16]) -> usize {
        let site = self.open.select::<C>(nth);
        self.open ^= Bits::one(site);
        self.left -= 1;
        if !above.is_empty() && above[site] != NOWHERE {
            self.open |= Bits::one(above[site] as usize);
            self.left += 1;
        }
        site
    }
}

/// In any order.
struct List<const W: usize> {
    list: [[u16; 64]; W],
    left: usize,
    /// Those at the start.
    first: Bits<W>,
}

impl<const W: usize> List<W> {
    fn of<R: Referee<W>>(
        rules: &Stones<W, R>,
        position: &Position<W, R::Memory, R::Watch>,
    ) -> Self {
        let mut all = List { list: [[0; 64]; W], left: 0, first: position.open };
        let list = all.list.as_flattened_mut();
        if position.moves == 0 {
            all.left = rules.plan.open.len();
            list[..all.left].copy_from_slice(&rules.plan.open);
            return all;
        }
        for (word, mut set) in position.open.0.into_iter().enumerate() {
            while set != 0 {
                list[all.left % (64 * W)] = (word * 64) as u16 + set.trailing_zeros() as u16;
                all.left += 1;
                set &= set - 1;
            }
        }
        all
    }
}

impl<const W: usize> Places<W> for List<W> {
    #[inline(always)]
    fn left(&self) -> u32 {
        self.left as u32
    }

    #[inline(always)]
    fn open(&self, places: Bits<W>, stones: Bits<W>) -> Bits<W> {
        places & self.first & !stones
    }

    #[inline(always)]
    fn take<C: Select>(&mut self, nth: u32, above: &[u16]) -> usize {
        let list = self.list.as_flattened_mut();
        let site = list[nth as usize] as usize;
        let above = if above.is_empty() { NOWHERE } else { above[site] };
        if above == NOWHERE {
            self.left -= 1;
            list[nth as usize] = list[self.left];
        } else {
            list[nth as usize] = above;
        }
        site
    }
}

/// Places stones until the game is over, no place is left or `limit` moves are made. Of the position only what
/// the end needs is kept.
#[inline(always)]
fn place_all<C: Select, const W: usize, R: Referee<W>, P: Places<W>, const WATCHES: bool>(
    rules: &Stones<W, R>,
    position: &mut Position<W, R::Memory, R::Watch>,
    rng: &mut Rng,
    limit: u32,
    mut places: P,
) -> u32 {
    let Stones { plan, referee, .. } = rules;
    let mut plies = 0;
    let mut mover = position.mover as usize & 1;
    let mut swaps = u32::from(plan.swap && position.moves < 2);
    let mut watch = position.watch.take().filter(|_| WATCHES);
    while plies < limit && places.left() > 0 && position.outcome == Verdict::Open {
        let wanted = |facts| rules.wins_by(mover, facts);
        if let Some(watch) = &watch {
            let [first, second] = position.own;
            let deciding = referee.watched(watch, mover, wanted);
            if !places.open(deciding, first | second).is_empty() {
                position.outcome = Verdict::won_by(mover as i32 + 1);
                plies += 1;
                break;
            }
        }
        if swaps > 0 {
            // Only on the second move can seats be changed.
            let now = u32::from(position.moves) + plies == 1;
            swaps = u32::from(!now);
            if now && rng.below(places.left() + 1) == 0 {
                position.swapped = !position.swapped;
                plies += 1;
                continue;
            }
        }
        let nth = rng.below(places.left());
        let site = places.take::<C>(nth, &plan.above);
        let own = &mut position.own[mover];
        own.0[site / 64 % W] |= 1 << (site % 64);
        let mut facts = referee.place(&mut position.memory, own, mover, site);
        if let Some(watch) = &mut watch {
            referee.keep_watch(watch, &position.memory, own, mover, site, wanted);
        }
        facts |= if places.left() == 0 { FULL } else { 0 };
        position.outcome = plan.verdicts[mover][facts & 63];
        mover ^= 1;
        plies += 1;
    }
    position.open = Bits::EMPTY;
    position.mover = mover as u8;
    position.moves = position.moves.wrapping_add(plies as u16);
    if plies > 0 {
        position.passes = 0;
    }
    plies
}
