//! Seeded, splittable random numbers: the same seed gives the same match on any machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A named, reproducible generator (xoshiro256++).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator for a seed.
    pub fn seeded(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator for one of many independent streams of a seed: match 17 of an experiment, thread 3 of a search.
    pub fn stream(seed: u64, stream: u64) -> Self {
        Rng::seeded(mix(seed ^ mix(stream.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// A new generator drawn from this one; both go on independently.
    pub fn split(&mut self) -> Self {
        Rng::seeded(self.next())
    }

    /// 64 random bits.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, by a multiplication: its bias, `bound / 2⁶⁴`, is below what any experiment can see.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        let bits = self.next();
        // WebAssembly has no product of 128 bits.
        if cfg!(target_arch = "wasm32") { by_halves(bits, bound) } else { by_whole(bits, bound) }
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// The upper half of a product, from the product itself.
#[inline]
fn by_whole(bits: u64, bound: u32) -> u32 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u32
}

/// The same from products of 64 bits.
#[inline]
fn by_halves(bits: u64, bound: u32) -> u32 {
    let (high, low, bound) = (bits >> 32, bits & 0xFFFF_FFFF, u64::from(bound));
    ((high * bound + ((low * bound) >> 32)) >> 32) as u32
}

/// Scrambles 64 bits so that every input bit moves every output bit (the finaliser of SplitMix64).
#[inline]
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_and_repeat() {
        let draw = |stream| Rng::stream(7, stream).next();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let mut parent = Rng::seeded(7);
        assert_ne!(parent.split().next(), parent.split().next());
    }

    #[test]
    fn halves_make_the_whole() {
        let mut rng = Rng::seeded(5);
        for _ in 0..10_000 {
            let (bits, bound) = (rng.next(), rng.next() as u32);
            for bound in [bound, bound >> 20, 1, 7, u32::MAX] {
                assert_eq!(by_halves(bits, bound), by_whole(bits, bound), "{bits} {bound}");
            }
            assert_eq!(by_halves(u64::MAX, bound), by_whole(u64::MAX, bound));
        }
    }

    #[test]
    fn bounded_numbers_are_uniform() {
        let mut rng = Rng::seeded(3);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|&c| (c as f64 - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 22.5, "six degrees of freedom, p = 0.001: {chi} {counts:?}");
    }
}
