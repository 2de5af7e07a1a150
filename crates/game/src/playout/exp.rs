//! The exponential function, fast enough to call for every legal move.

/// Beyond this, up or down, [`exp`] stays where it is: sums of many stay finite and above zero.
pub const EXP_BOUND: f32 = 80.0;

/// `e^x` to within a few units in the last place, for `x` held within ±[`EXP_BOUND`].
///
/// Straight-line arithmetic without calls or branches, so that loops over it become vector code.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    // Adding and subtracting this rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-EXP_BOUND, EXP_BOUND);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    // Taylor's series, nested; |r| is at most ln 2 / 2.
    let p = 1.0 / 5040.0;
    let p = p * r + 1.0 / 720.0;
    let p = p * r + 1.0 / 120.0;
    let p = p * r + 1.0 / 24.0;
    let p = p * r + 1.0 / 6.0;
    let p = p * r + 0.5;
    let p = p * r + 1.0;
    let p = p * r + 1.0;
    // The last digits of `rounded` are those of n, a whole number within ±116: they become the exponent.
    p * f32::from_bits((rounded.to_bits() << 23).wrapping_add(1.0f32.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        for step in -80_000..=80_000 {
            let x = step as f32 * 1e-3;
            let (ours, exact) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((ours / exact - 1.0).abs() < 4e-7, "e^{x}: {ours} and {exact}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(500.0), exp(EXP_BOUND));
        assert_eq!(exp(-500.0), exp(-EXP_BOUND));
    }
}
