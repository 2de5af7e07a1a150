//! Weighing codes that come as sets with vectors of eight numbers, for processors that have them.
//!
//! Everything is added in the order that [`super::sets`] adds it, so that what is drawn does not depend on
//! the processor.

use std::arch::x86_64::*;

/// The numbers of one word's codes.
type Numbers = [[f32; 8]; 8];

/// All lanes' sign bits: which codes of a byte are members.
#[inline]
#[target_feature(enable = "avx2")]
fn members(word: u64, byte: usize) -> __m256i {
    let half = _mm256_set1_epi32((word >> (byte / 4 * 32)) as i32);
    let first = 31 - 8 * (byte % 4) as i32;
    let counts = _mm256_sub_epi32(_mm256_set1_epi32(first), lanes());
    _mm256_sllv_epi32(half, counts)
}

#[inline]
#[target_feature(enable = "avx2")]
fn lanes() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

/// The first numbers of each column of a word, added up byte by byte, in two halves of four bytes.
pub(super) type Partials = [[f32; 8]; 8];

/// For each column the sum of its members' odds; what it was after each byte of its half goes to `partials`.
#[inline]
#[target_feature(enable = "avx2")]
fn columns(odds: &Numbers, word: u64, partials: &mut Partials) -> __m256 {
    let mut sums = [_mm256_setzero_ps(); 2];
    for byte in 0..4 {
        // Two chains that do not wait for one another.
        for (half, sum) in sums.iter_mut().enumerate() {
            let byte = 4 * half + byte;
            // SAFETY: there are eight numbers to read.
            let inside = unsafe { _mm256_maskload_ps(odds[byte].as_ptr(), members(word, byte)) };
            *sum = _mm256_add_ps(*sum, inside);
            store(*sum, &mut partials[byte]);
        }
    }
    _mm256_add_ps(sums[0], sums[1])
}

/// For each column of a word the sum of its members' odds.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn column_sums(odds: &Numbers, word: u64, partials: &mut Partials) -> [f32; 8] {
    let mut sums = [0.0; 8];
    store(columns(odds, word, partials), &mut sums);
    sums
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(numbers: __m256, out: &mut [f32; 8]) {
    // SAFETY: there is room for eight numbers.
    unsafe { _mm256_storeu_ps(out.as_mut_ptr(), numbers) };
}

/// The numbers of each half some bytes further on, zeros before them.
#[inline]
#[target_feature(enable = "avx2")]
fn moved<const BYTES: i32>(numbers: __m256) -> __m256 {
    _mm256_castsi256_ps(_mm256_slli_si256::<BYTES>(_mm256_castps_si256(numbers)))
}

/// Running sums: those of each half, then the first half's on top of the second's.
#[inline]
#[target_feature(enable = "avx2")]
fn running(numbers: __m256) -> __m256 {
    let pairs = _mm256_add_ps(numbers, moved::<4>(numbers));
    let halves = _mm256_add_ps(pairs, moved::<8>(pairs));
    let last = _mm256_permute_ps::<0xFF>(halves);
    // The last of the first half for the second, zero for the first.
    let before = _mm256_permute2f128_ps::<0x08>(last, last);
    _mm256_add_ps(halves, before)
}

/// How many of the first seven running sums are at most `left`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn passed(running: __m256, left: f32) -> usize {
    let before = _mm256_cmp_ps::<_CMP_LE_OQ>(running, _mm256_set1_ps(left));
    (_mm256_movemask_ps(before) & 0x7F).count_ones() as usize
}

/// Chooses a column of a word by a number from zero to one, and gives what is left there and the sum of all.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn column(
    odds: &Numbers,
    word: u64,
    unit: f32,
    partials: &mut Partials,
) -> (usize, f32, f32) {
    let by_column = running(columns(odds, word, partials));
    // One zero before the sums, so that the place before the first can be looked up.
    let mut sums = [0.0f32; 9];
    // SAFETY: there is room for eight numbers after the first.
    unsafe { _mm256_storeu_ps(sums[1..].as_mut_ptr(), by_column) };
    let last = _mm256_extractf128_ps::<1>(by_column);
    let total = _mm_cvtss_f32(_mm_shuffle_ps::<0xFF>(last, last));
    let column = passed(by_column, unit * total);
    (column, unit * total - sums[column], total)
}

/// Finds the members with the highest score, one set for each word.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn best(scores: &[Numbers], sets: &[u64], ties: &mut [u64]) {
    let lowest = _mm256_set1_ps(f32::NEG_INFINITY);
    let mut tops = [lowest; 2];
    for (scores, &word) in scores.iter().zip(sets) {
        for (byte, scores) in scores.iter().enumerate() {
            // SAFETY: there are eight numbers to read.
            let scores = unsafe { _mm256_loadu_ps(scores.as_ptr()) };
            let inside = _mm256_castsi256_ps(members(word, byte));
            let scores = _mm256_blendv_ps(lowest, scores, inside);
            tops[byte % 2] = _mm256_max_ps(scores, tops[byte % 2]);
        }
    }
    let top = _mm256_max_ps(tops[0], tops[1]);
    let top = _mm256_max_ps(top, _mm256_permute2f128_ps::<1>(top, top));
    let top = _mm256_max_ps(top, _mm256_permute_ps::<0b01_00_11_10>(top));
    let top = _mm256_max_ps(top, _mm256_permute_ps::<0b10_11_00_01>(top));
    for ((scores, &word), ties) in scores.iter().zip(sets).zip(ties) {
        let mut found = 0;
        for (byte, scores) in scores.iter().enumerate() {
            // SAFETY: there are eight numbers to read.
            let scores = unsafe { _mm256_loadu_ps(scores.as_ptr()) };
            let same = _mm256_cmp_ps::<_CMP_EQ_OQ>(scores, top);
            found |= (_mm256_movemask_ps(same) as u64) << (8 * byte);
        }
        *ties = found & word;
    }
}
