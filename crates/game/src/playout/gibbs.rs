//! Drawing in proportion to weights.

use super::{CodeTable, Kernel, Record};
use crate::{Coding, Player, Rng};

/// Each move with a probability in proportion to its code's number.
#[derive(Debug, Default, Clone)]
pub struct Gibbs {
    /// The codes the numbers are for.
    pub coding: Coding,
    /// Positive numbers: for PPA `e^(k·w)`, kept up to date by whoever learns.
    pub odds: CodeTable,
}

impl Kernel for Gibbs {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    #[inline]
    fn pick(&mut self, _: &Record, player: Player, codes: &[u32], rng: &mut Rng) -> usize {
        let odds = self.odds.of(player);
        draw(codes.len(), |index| odds[codes[index] as usize], rng)
    }
}

/// How many odds are summed before the running total is kept: short enough to search through, long enough
/// that sums do not wait for one another.
const BLOCK: usize = 8;
/// The most blocks whose totals are kept; longer lists are searched from the last one kept.
const BLOCKS: usize = 32;

/// Draws an index below `count` in proportion to `odds(index)`.
#[inline]
pub fn draw(count: usize, odds: impl Fn(usize) -> f32, rng: &mut Rng) -> usize {
    let mut totals = [0.0f32; BLOCKS];
    let mut total = 0.0;
    let blocks = count.div_ceil(BLOCK);
    for block in 0..blocks {
        let from = block * BLOCK;
        let sum: f32 = if from + BLOCK <= count {
            let o = |offset| odds(from + offset);
            ((o(0) + o(1)) + (o(2) + o(3))) + ((o(4) + o(5)) + (o(6) + o(7)))
        } else {
            (from..count).map(&odds).sum()
        };
        total += sum;
        if let Some(kept) = totals.get_mut(block) {
            *kept = total;
        }
    }
    let mut left = unit(rng) * total;
    let kept = blocks.min(BLOCKS);
    let block = totals[..kept].iter().take_while(|&&sum| sum <= left).count().min(kept - 1);
    if block > 0 {
        left -= totals[block - 1];
    }
    for index in block * BLOCK..count {
        left -= odds(index);
        if left < 0.0 {
            return index;
        }
    }
    // Rounding can leave a trace at the very end.
    count - 1
}

/// A number in `[0, 1)` with all the digits a single-precision number has.
#[inline]
fn unit(rng: &mut Rng) -> f32 {
    (rng.next() >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
}
