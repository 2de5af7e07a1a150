//! Numbers of some of the sixty-four codes of a word, packed: a value and a number of visits for each code that
//! has any, in the order of codes.

use super::vectors::Vector;
use super::weigh;
use crate::memory::expect;

/// The numbers of all codes of a word.
pub type Page = [f32; 64];

/// A line of memory, which a processor fetches whole. A block is some of them: which codes it has and which of
/// those count, then values, then visits; so a few codes are one line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([f32; LINE]);

const LINE: usize = 16;
/// Numbers before the values of a block: two sets of codes.
const HEAD: usize = 4;
/// The most lines of a block.
const MOST_LINES: usize = 9;
/// As many as the values of some dozen codes take.
const FEW_LINES: usize = 3;

/// Where a block begins, never zero.
pub(super) type BlockId = u32;

/// The codes of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The codes that have a value.
    pub home: u64,
    /// Those that count.
    pub ripe: u64,
}

/// Memory for blocks; those given back are used again.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// One line before the first block, and so many after the last that a whole word can be read there.
    lines: Vec<Line>,
    /// Unused blocks by the number of their lines.
    free: [Vec<BlockId>; MOST_LINES + 1],
}

impl Default for Blocks {
    fn default() -> Self {
        Blocks { lines: vec![Line::default(); 1 + MOST_LINES], free: Default::default() }
    }
}

/// The lines of a block with so many codes.
#[inline(always)]
fn lines(count: u32) -> usize {
    (count as usize + HEAD / 2).div_ceil(LINE / 2).max(1)
}

/// How many codes a block with so many of them has room for.
#[inline(always)]
fn room(count: u32) -> usize {
    (lines(count) * LINE - HEAD) / 2
}

/// How many members come before a code.
#[inline(always)]
pub(super) fn rank(members: u64, bit: u32) -> u32 {
    (members & ((1 << bit) - 1)).count_ones()
}

impl Blocks {
    /// Forgets all blocks and keeps the memory.
    pub fn clear(&mut self) {
        self.lines.truncate(1 + MOST_LINES);
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// How many lines there are, those of unused blocks included.
    pub fn size(&self) -> usize {
        self.lines.len()
    }

    /// The numbers of a block and what comes after them.
    #[inline(always)]
    fn numbers(&self, block: BlockId) -> &[f32] {
        let lines = &self.lines[block as usize..];
        // SAFETY: a line is sixteen numbers and nothing else.
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), LINE * lines.len()) }
    }

    #[inline(always)]
    fn numbers_mut(&mut self, block: BlockId) -> &mut [f32] {
        let lines = &mut self.lines[block as usize..];
        // SAFETY: a line is sixteen numbers and nothing else.
        unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), LINE * lines.len()) }
    }

    /// The codes of a block.
    #[inline(always)]
    pub fn head(&self, block: BlockId) -> Head {
        let line = &self.lines[block as usize].0;
        let set =
            |at: usize| u64::from(line[at].to_bits()) | u64::from(line[at + 1].to_bits()) << 32;
        Head { home: set(0), ripe: set(2) }
    }

    /// Says which codes of a block have a value and which count.
    #[inline(always)]
    pub fn set_head(&mut self, block: BlockId, head: Head) {
        let line = &mut self.lines[block as usize].0;
        let mut set = |at: usize, bits: u64| {
            line[at] = f32::from_bits(bits as u32);
            line[at + 1] = f32::from_bits((bits >> 32) as u32);
        };
        set(0, head.home);
        set(2, head.ripe);
    }

    /// Asks the memory for the beginning of a block before it is needed: most have some dozen codes.
    #[inline(always)]
    pub fn expect(&self, block: BlockId) {
        let block = &self.lines[block as usize..][..FEW_LINES];
        block.iter().for_each(expect);
    }

    /// The values of a block and what comes after them; at least sixty-four numbers.
    #[inline(always)]
    pub fn values(&self, block: BlockId) -> &[f32] {
        &self.numbers(block)[HEAD..]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn values_mut(&mut self, block: BlockId) -> &mut [f32] {
        &mut self.numbers_mut(block)[HEAD..]
    }

    /// The value and the visits of the code of a rank, in a block of so many.
    #[inline(always)]
    pub fn pair(&mut self, block: BlockId, count: u32, rank: u32) -> (&mut f32, &mut f32) {
        let (values, visits) = self.numbers_mut(block)[HEAD..].split_at_mut(room(count));
        (&mut values[rank as usize], &mut visits[rank as usize])
    }

    /// The values and the visits of a block of so many.
    #[inline(always)]
    pub fn halves(&self, block: BlockId, count: u32) -> (&[f32], &[f32]) {
        let (values, visits) = self.values(block).split_at(room(count));
        (&values[..count as usize], &visits[..count as usize])
    }

    /// The visits of a block of so many.
    pub fn visits(&mut self, block: BlockId, count: u32) -> &mut [f32] {
        &mut self.numbers_mut(block)[HEAD + room(count)..][..count as usize]
    }

    /// A block for these codes; its numbers are to be written.
    pub fn take(&mut self, head: Head) -> BlockId {
        let lines = lines(head.home.count_ones());
        let block = self.free[lines].pop().unwrap_or_else(|| {
            let block = self.lines.len() - MOST_LINES;
            self.lines.resize(self.lines.len() + lines, Line::default());
            block as BlockId
        });
        self.set_head(block, head);
        block
    }

    /// Adds codes to those of a block and gives the block where they then are; new ones have zeros.
    #[inline(always)]
    pub fn widen<V: Vector>(&mut self, block: BlockId, more: u64) -> BlockId {
        let Head { home, ripe } = self.head(block);
        let head = Head { home: home | more, ripe };
        let (old, new) = (home.count_ones(), head.home.count_ones());
        let (mut values, mut visits) = ([0.0; 64], [0.0; 64]);
        weigh::unpack::<V>(self.values(block), home, &mut values);
        weigh::unpack::<V>(&self.values(block)[room(old)..], home, &mut visits);
        let block = if lines(old) == lines(new) {
            self.set_head(block, head);
            block
        } else {
            self.free[lines(old)].push(block);
            self.take(head)
        };
        let numbers = &mut self.numbers_mut(block)[HEAD..];
        weigh::pack::<V>(&values, head.home, numbers);
        weigh::pack::<V>(&visits, head.home, &mut numbers[room(new)..]);
        block
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::Single;
    use super::*;
    use crate::Rng;

    #[test]
    fn blocks_keep_what_they_are_given_while_codes_are_added() {
        let mut rng = Rng::seeded(3);
        let mut blocks = Blocks::default();
        let mut all: Vec<(BlockId, Page)> = Vec::new();
        for number in 0..200 {
            let block = blocks.take(Head { home: 1, ripe: number });
            let (value, visits) = blocks.pair(block, 1, 0);
            (*value, *visits) = (7.0, 14.0);
            let mut page = [0.0; 64];
            page[0] = 7.0;
            all.push((block, page));
        }
        for _ in 0..20_000 {
            let (block, page) = &mut all[rng.below(200) as usize];
            let more = 1u64 << rng.below(64) | 1 << rng.below(64);
            *block = blocks.widen::<Single>(*block, more);
            let (home, bit) = (blocks.head(*block).home, more.trailing_zeros());
            assert_eq!(home & more, more);
            let (value, visits) = blocks.pair(*block, home.count_ones(), rank(home, bit));
            *value = rng.below(99) as f32;
            *visits = 2.0 * *value;
            page[bit as usize] = *value;
        }
        for (number, (block, page)) in (0..).zip(all) {
            let Head { home, ripe } = blocks.head(block);
            assert_eq!(ripe, number);
            let mut kept = [0.0; 64];
            weigh::unpack::<Single>(blocks.values(block), home, &mut kept);
            assert_eq!(kept, page);
            let visits = blocks.visits(block, home.count_ones()).to_vec();
            let bits = (0..64).filter(|bit| home >> bit & 1 == 1);
            assert!(bits.zip(visits).all(|(bit, visits)| visits == 2.0 * page[bit]));
        }
    }
}
