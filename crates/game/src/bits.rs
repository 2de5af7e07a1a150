//! Sets of board sites in a few machine words, and choosing the n-th member of one.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
#[cfg(target_arch = "x86_64")]
use std::sync::atomic::AtomicU8;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether games are compiled for every size of sets that makes some of them faster. Not for a browser: whoever opens the
/// page waits for all of them, and there the next larger size serves.
pub const EVERY_SIZE: bool = !cfg!(target_arch = "wasm32");

/// A set of at most `64 * N` sites.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for Bits<N> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> Bits<N> {
    /// The empty set.
    pub const EMPTY: Self = Bits([0; N]);

    /// The set of one site.
    #[inline(always)]
    pub fn one(site: usize) -> Self {
        let (mut set, mut at) = (Self::EMPTY, 0);
        // Word by word: a word written into memory and read back as part of a set would have to wait.
        while at < N {
            set.0[at] = if at == site / 64 % N { 1 << (site % 64) } else { 0 };
            at += 1;
        }
        set
    }

    /// The sites `0..count`.
    pub fn first(count: usize) -> Self {
        (0..count).fold(Self::EMPTY, |set, site| set | Self::one(site))
    }

    /// Adds a site.
    #[inline(always)]
    pub fn insert(&mut self, site: usize) {
        if N <= 2 {
            *self |= Self::one(site);
        } else {
            self.0[site / 64 % N] |= 1 << (site % 64);
        }
    }

    /// Whether the site is a member.
    #[inline(always)]
    pub fn contains(self, site: usize) -> bool {
        self.0[site / 64 % N] >> (site % 64) & 1 == 1
    }

    /// How many members there are.
    #[inline(always)]
    pub fn len(self) -> u32 {
        let (mut sum, mut at) = (0, 0);
        while at < N {
            sum += self.0[at].count_ones();
            at += 1;
        }
        sum
    }

    /// Whether there are no members.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        let (mut any, mut at) = (0, 0);
        while at < N {
            any |= self.0[at];
            at += 1;
        }
        any == 0
    }

    /// Whether there is exactly one member.
    #[inline(always)]
    pub fn is_single(self) -> bool {
        if N == 1 {
            let word = self.0[0];
            return word != 0 && word & (word - 1) == 0;
        }
        self.len() == 1
    }

    /// The lowest member of a set that has one.
    #[inline(always)]
    pub fn lowest(self) -> usize {
        let mut index = 0;
        while index < N {
            if self.0[index] != 0 {
                return index * 64 + self.0[index].trailing_zeros() as usize;
            }
            index += 1;
        }
        debug_assert!(false, "an empty set has no lowest member");
        0
    }

    /// Every site moved up by `by` (less than 64).
    #[inline(always)]
    pub fn up(self, by: u32) -> Self {
        let mut set = self;
        let mut index = 0;
        while index < N {
            let below = if index > 0 { self.0[index - 1] } else { 0 };
            // Two shifts, for a shift by zero must carry nothing.
            set.0[index] = self.0[index] << by | below >> 1 >> (63 - by);
            index += 1;
        }
        set
    }

    /// Every site moved down by `by` (less than 64).
    #[inline(always)]
    pub fn down(self, by: u32) -> Self {
        let mut set = self;
        let mut index = 0;
        while index < N {
            let above = if index + 1 < N { self.0[index + 1] } else { 0 };
            set.0[index] = self.0[index] >> by | above << 1 << (63 - by);
            index += 1;
        }
        set
    }

    /// The members in order.
    #[inline]
    pub fn iter(self) -> Sites<N> {
        Sites(self)
    }

    /// Adds `value(site)` for every member, in order.
    #[inline(always)]
    pub fn list_into<T>(self, out: &mut Vec<T>, mut value: impl FnMut(usize) -> T) {
        let count = self.len() as usize;
        out.reserve(count);
        let room = &mut out.spare_capacity_mut()[..count];
        let mut written = 0;
        // Counting first keeps the vector's length out of the loop, where every step would wait for it.
        for (slot, site) in room.iter_mut().zip(self.iter()) {
            slot.write(value(site));
            written += 1;
        }
        // SAFETY: that many elements after the old ones have just been written.
        unsafe { out.set_len(out.len() + written) };
    }

    /// The `n`-th member, counted from zero; the set has more than `n`.
    #[inline(always)]
    pub fn select<S: Select>(self, mut n: u32) -> usize {
        let mut index = 0;
        while index < N - 1 {
            let count = S::count(self.0[index]);
            if n < count {
                return index * 64 + S::select(self.0[index], n) as usize;
            }
            n -= count;
            index += 1;
        }
        (N - 1) * 64 + S::select(self.0[N - 1], n) as usize
    }

    /// The set of the `n`-th member alone, without branches; the set has more than `n`.
    #[inline(always)]
    pub fn nth<S: Select>(self, mut n: u32) -> Self {
        if N == 1 {
            return Bits([S::nth(self.0[0], n); N]);
        }
        let mut set = Self::EMPTY;
        for (word, &members) in set.0.iter_mut().zip(&self.0) {
            let count = S::count(members);
            let here = n < count;
            // Elsewhere the first one of 1 is asked for and thrown away.
            let bit = S::nth(if here { members } else { 1 }, if here { n } else { 0 });
            *word = if here { bit } else { 0 };
            // Once past its word, n is far above any count.
            n = n.wrapping_sub(count);
        }
        set
    }

    /// How many members there are, by the instructions of `S`.
    #[inline(always)]
    pub fn count<S: Select>(self) -> u32 {
        let (mut sum, mut at) = (0, 0);
        while at < N {
            sum += S::count(self.0[at]);
            at += 1;
        }
        sum
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt)*) => {$(
        impl<const N: usize> $trait for Bits<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                self $op other;
                self
            }
        }
        impl<const N: usize> $assign_trait for Bits<N> {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                // Counting loops: iterators are not always inlined where special instructions are used.
                let mut at = 0;
                while at < N {
                    self.0[at] $op other.0[at];
                    at += 1;
                }
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &=
    BitOr bitor BitOrAssign bitor_assign |=
    BitXor bitxor BitXorAssign bitxor_assign ^=
}

impl<const N: usize> Not for Bits<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let mut set = self;
        let mut at = 0;
        while at < N {
            set.0[at] = !self.0[at];
            at += 1;
        }
        set
    }
}

/// The members of a set in order.
pub struct Sites<const N: usize>(Bits<N>);

impl<const N: usize> Iterator for Sites<N> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let mut index = 0;
        while index < N {
            let word = self.0.0[index];
            if word != 0 {
                self.0.0[index] = word & (word - 1);
                return Some(index * 64 + word.trailing_zeros() as usize);
            }
            index += 1;
        }
        None
    }
}

/// Counting and selecting bits: one implementation for each kind of processor. A playout is compiled
/// for each and [`dispatch`] chooses once per playout.
pub trait Select {
    /// The number of ones.
    fn count(word: u64) -> u32;
    /// The position of the `n`-th one, counted from zero.
    fn select(word: u64, n: u32) -> u32;
    /// The `n`-th one alone.
    #[inline(always)]
    fn nth(word: u64, n: u32) -> u64 {
        1 << Self::select(word, n)
    }
    /// The bits at the places of `members`, brought together: bit `n` is that of the `n`-th member.
    #[inline(always)]
    fn extract(word: u64, members: u64) -> u64 {
        let (mut out, mut left) = (0, word & members);
        while left != 0 {
            let bit = left & left.wrapping_neg();
            out |= 1 << (members & (bit - 1)).count_ones();
            left ^= bit;
        }
        out
    }
}

/// Works on every processor.
pub struct Portable;

impl Select for Portable {
    #[inline(always)]
    fn count(word: u64) -> u32 {
        word.count_ones()
    }

    #[inline(always)]
    fn select(word: u64, n: u32) -> u32 {
        select_by_bytes(word, n, |tops| (tops >> 7).wrapping_mul(ONES) >> 56)
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Sums ones byte by byte in parallel, finds the byte by comparing all prefix sums at once, then looks the bit up.
/// `count_tops` counts the top bits of bytes.
#[inline(always)]
fn select_by_bytes(word: u64, n: u32, count_tops: impl Fn(u64) -> u64) -> u32 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let prefix = bytes.wrapping_mul(ONES);
    // A byte's top bit stays set where its prefix sum is at most n: those bytes lie before ours.
    let before = (((u64::from(n) * ONES) | TOPS) - prefix) & TOPS;
    let shift = count_tops(before) << 3;
    // With eight bytes before, n was not below the number of ones.
    let rest = n.wrapping_sub(((prefix << 8) >> (shift & 63)) as u32);
    let byte = word >> (shift & 63) & 0xFF;
    shift as u32 + u32::from(SELECT_IN_BYTE[rest as usize & 7][byte as usize])
}

/// Uses `popcnt`, which nearly every processor and every host of WebAssembly has.
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
pub struct Popcnt;

#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
impl Select for Popcnt {
    #[inline(always)]
    fn count(word: u64) -> u32 {
        word.count_ones()
    }

    #[inline(always)]
    fn select(word: u64, n: u32) -> u32 {
        select_by_bytes(word, n, |tops| u64::from(tops.count_ones()))
    }
}

/// `SELECT_IN_BYTE[n][byte]`: the position of the n-th one of a byte.
static SELECT_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Uses `pdep` and `popcnt`. Only reached where the processor has them.
#[cfg(target_arch = "x86_64")]
pub struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Select for Bmi2 {
    #[inline(always)]
    fn count(word: u64) -> u32 {
        word.count_ones()
    }

    #[inline(always)]
    fn select(word: u64, n: u32) -> u32 {
        // SAFETY: `dispatch` picks this type only after finding BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(1 << n, word) }.trailing_zeros()
    }

    #[inline(always)]
    fn nth(word: u64, n: u32) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(1 << n, word) }
    }

    #[inline(always)]
    fn extract(word: u64, members: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u64(word, members) }
    }
}

/// Work that is compiled once for each kind of processor. `run` must be `#[inline(always)]`.
pub trait Job {
    /// What the work gives.
    type Output;
    /// Does the work by the instructions of `S`.
    fn run<S: Select>(self) -> Self::Output;
}

/// Does the work with the fastest instructions the processor has; ask once for each playout.
#[inline]
pub fn dispatch<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if has_bmi2() {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { run_with_bmi2(job) };
        }
        if std::is_x86_feature_detected!("popcnt") {
            // SAFETY: as above.
            return unsafe { run_with_popcnt(job) };
        }
    }
    #[cfg(target_arch = "wasm32")]
    return job.run::<Popcnt>();
    #[cfg(not(target_arch = "wasm32"))]
    job.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn run_with_bmi2<J: Job>(job: J) -> J::Output {
    job.run::<Bmi2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn run_with_popcnt<J: Job>(job: J) -> J::Output {
    job.run::<Popcnt>()
}

static PORTABLE_ONLY: AtomicBool = AtomicBool::new(false);

/// Makes [`dispatch`] pass over BMI2 from now on, to measure what it is worth.
pub fn use_portable_only() {
    PORTABLE_ONLY.store(true, Relaxed);
    #[cfg(target_arch = "x86_64")]
    FOUND.store(ASKED, Relaxed);
}

/// Whether special instructions are to be passed over.
pub fn portable_only() -> bool {
    PORTABLE_ONLY.load(Relaxed)
}

/// What the processor was found to have; asked once.
#[cfg(target_arch = "x86_64")]
static FOUND: AtomicU8 = AtomicU8::new(0);
#[cfg(target_arch = "x86_64")]
const ASKED: u8 = 1;
#[cfg(target_arch = "x86_64")]
const BMI2: u8 = 2;
#[cfg(target_arch = "x86_64")]
const EIGHT: u8 = 4;
#[cfg(target_arch = "x86_64")]
const SIXTEEN: u8 = 8;

/// Vectors of numbers that may be used, with everything that BMI2 stands for.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vectors {
    None,
    /// Of eight numbers.
    Eight,
    /// Those, and of sixteen.
    Sixteen,
}

/// The widest vectors that may be used.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn vectors() -> Vectors {
    match found() {
        found if found & SIXTEEN != 0 => Vectors::Sixteen,
        found if found & EIGHT != 0 => Vectors::Eight,
        _ => Vectors::None,
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_bmi2() -> bool {
    found() & BMI2 != 0
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn found() -> u8 {
    match FOUND.load(Relaxed) {
        0 => ask(),
        found => found,
    }
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn ask() -> u8 {
    let bmi2 = std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    let eight = bmi2 && std::is_x86_feature_detected!("avx2");
    // Processors that cannot count bits in vectors are slowed down by wide ones.
    let sixteen = eight
        && std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vpopcntdq");
    let parts = [(bmi2, BMI2), (eight, EIGHT), (sixteen, SIXTEEN)];
    let parts = parts.into_iter().filter(|(has, _)| *has && !portable_only());
    let found = parts.fold(ASKED, |found, (_, part)| found | part);
    FOUND.store(found, Relaxed);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn naive_select(word: u64, n: u32) -> u32 {
        (0..64).filter(|bit| word >> bit & 1 == 1).nth(n as usize).unwrap()
    }

    #[test]
    fn select_finds_the_nth_one() {
        let mut rng = Rng::seeded(1);
        for round in 0..3000 {
            let mut word = rng.next();
            for _ in 0..round % 4 {
                word &= rng.next();
            }
            for n in 0..word.count_ones() {
                assert_eq!(Portable::select(word, n), naive_select(word, n), "{word:#x} {n}");
                #[cfg(target_arch = "x86_64")]
                assert_eq!(Popcnt::select(word, n), naive_select(word, n));
                #[cfg(target_arch = "x86_64")]
                if has_bmi2() {
                    assert_eq!(Bmi2::select(word, n), naive_select(word, n));
                }
            }
        }
    }

    #[test]
    fn shifts_cross_words() {
        let set = Bits::<3>::one(62) | Bits::one(70) | Bits::one(130);
        assert_eq!(set.up(5).iter().collect::<Vec<_>>(), [67, 75, 135]);
        assert_eq!(set.down(9).iter().collect::<Vec<_>>(), [53, 61, 121]);
        assert_eq!(set.up(0), set);
        assert_eq!(set.select::<Portable>(1), 70);
        assert_eq!(set.select::<Portable>(2), 130);
        for (n, site) in [62, 70, 130].into_iter().enumerate() {
            assert_eq!(set.nth::<Portable>(n as u32), Bits::one(site));
        }
    }
}
