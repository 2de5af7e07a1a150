//! Numbers in the lanes of words: bit *i* of word *w* belongs to lane 64·w + i.
//!
//! A number is a row of *planes*, lowest bit first. Adding, multiplying and comparing all lanes at
//! once are then the circuits that hardware uses, a few word operations for each plane.

use ludex_game::Rng;

/// One bit for each of 64·W lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes<const W: usize>(pub [u64; W]);

impl<const W: usize> Lanes<W> {
    /// No lane.
    pub const NONE: Self = Lanes([0; W]);
    /// Every lane.
    pub const ALL: Self = Lanes([!0; W]);

    /// The lanes for which `bit` answers.
    #[inline(always)]
    pub fn map(self, other: Self, bit: impl Fn(u64, u64) -> u64) -> Self {
        let mut out = self;
        for w in 0..W {
            out.0[w] = bit(self.0[w], other.0[w]);
        }
        out
    }

    /// Lanes in both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        self.map(other, |a, b| a & b)
    }

    /// Lanes in either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        self.map(other, |a, b| a | b)
    }

    /// Lanes in one of the two.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        self.map(other, |a, b| a ^ b)
    }

    /// Lanes in this but not in the other.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self.map(other, |a, b| a & !b)
    }

    /// Turned around where `mask` is all ones.
    #[inline(always)]
    pub fn flip(mut self, mask: u64) -> Self {
        self.0.iter_mut().for_each(|word| *word ^= mask);
        self
    }

    /// How many lanes.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is no lane.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether the lane is there.
    pub fn has(self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Adds a lane.
    pub fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }
}

/// Random bits for all lanes: W generators (xoshiro256++) side by side.
pub struct LaneRng<const W: usize>([[u64; W]; 4]);

impl<const W: usize> LaneRng<W> {
    /// Generators seeded from one.
    pub fn new(rng: &mut Rng) -> Self {
        LaneRng(std::array::from_fn(|_| std::array::from_fn(|_| rng.next())))
    }

    /// One random bit for each lane.
    #[inline(always)]
    pub fn next(&mut self) -> Lanes<W> {
        let [s0, s1, s2, s3] = &mut self.0;
        let mut out = [0; W];
        for w in 0..W {
            out[w] = s0[w].wrapping_add(s3[w]).rotate_left(23).wrapping_add(s0[w]);
            let t = s1[w] << 17;
            s2[w] ^= s0[w];
            s3[w] ^= s1[w];
            s1[w] ^= s2[w];
            s0[w] ^= s3[w];
            s2[w] ^= t;
            s3[w] = s3[w].rotate_left(45);
        }
        Lanes(out)
    }
}

/// Adds one to the number in the lanes of `carry`.
#[inline(always)]
pub fn increment<const W: usize>(planes: &mut [Lanes<W>], mut carry: Lanes<W>) {
    for plane in planes {
        let over = plane.and(carry);
        *plane = plane.xor(carry);
        carry = over;
    }
}

/// Subtracts one from the number in the lanes of `borrow` and returns the lanes where it was zero;
/// there it becomes the largest number.
#[inline(always)]
pub fn decrement<const W: usize>(planes: &mut [Lanes<W>], mut borrow: Lanes<W>) -> Lanes<W> {
    for plane in planes {
        let under = borrow.without(*plane);
        *plane = plane.xor(borrow);
        borrow = under;
    }
    borrow
}

/// Random bits behind each random number; the bias is below `bound / 2³²`.
const RANDOM_BITS: usize = 32;

/// Turns the number in each lane into a random smaller one, each with the same probability: the
/// upper part of its product with a random fraction. `sum` is scratch, as long as `bound`.
#[inline(always)]
pub fn random_below<const W: usize>(
    bound: &[Lanes<W>],
    sum: &mut [Lanes<W>],
    rng: &mut LaneRng<W>,
) {
    sum.fill(Lanes::NONE);
    for _ in 0..RANDOM_BITS {
        // sum = (sum + bit · bound) / 2: schoolbook multiplication, lowest bit first.
        let bit = rng.next();
        let mut carry = Lanes::NONE;
        for at in 0..bound.len() {
            let (one, other) = (sum[at], bound[at].and(bit));
            let half = one.xor(other);
            let total = half.xor(carry);
            carry = one.and(other).or(half.and(carry));
            if at > 0 {
                sum[at - 1] = total;
            }
        }
        sum[bound.len() - 1] = carry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(planes: &[Lanes<1>], lane: usize) -> u32 {
        planes.iter().rev().fold(0, |n, plane| n * 2 + u32::from(plane.has(lane)))
    }

    #[test]
    fn counting_up_and_down() {
        let mut planes = [Lanes::<1>::NONE; 4];
        for n in 0..10 {
            increment(&mut planes, Lanes([if n < 5 { !0 } else { 1 }]));
        }
        assert_eq!((number(&planes, 0), number(&planes, 1)), (10, 5));
        let mut zero = Lanes::NONE;
        for _ in 0..6 {
            zero = decrement(&mut planes, Lanes::ALL);
        }
        assert_eq!(number(&planes, 0), 4);
        assert!(zero.has(1) && !zero.has(0));
    }

    #[test]
    fn random_numbers_are_uniform_below_each_bound() {
        let mut rng = LaneRng::<1>::new(&mut Rng::seeded(5));
        // Lane i has the bound 1 + i mod 11.
        let bound_of = |lane: usize| 1 + lane as u32 % 11;
        let bounds: Vec<Lanes<1>> = (0..4)
            .map(|bit| {
                Lanes([(0..64)
                    .fold(0, |word, lane| word | u64::from(bound_of(lane) >> bit & 1) << lane)])
            })
            .collect();
        let mut counts = vec![[0u32; 11]; 12];
        let mut planes = [Lanes::NONE; 4];
        for _ in 0..4000 {
            random_below(&bounds, &mut planes, &mut rng);
            for lane in 0..64 {
                counts[bound_of(lane) as usize][number(&planes, lane) as usize] += 1;
            }
        }
        for bound in 2..=11usize {
            let total: u32 = counts[bound].iter().sum();
            let expected = f64::from(total) / bound as f64;
            assert!(counts[bound][bound..].iter().all(|&count| count == 0));
            let chi: f64 = counts[bound][..bound]
                .iter()
                .map(|&count| (f64::from(count) - expected).powi(2) / expected)
                .sum();
            // Well beyond the 99.9% quantile for ten degrees of freedom.
            assert!(chi < 35.0, "{bound}: {chi}");
        }
    }
}
