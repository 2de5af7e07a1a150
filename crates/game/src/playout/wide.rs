//! Weighing families with vectors of sixteen numbers, for processors that have them.
//!
//! Everything is added in the order that [`super::weigh`] adds it, so that what is drawn does not depend on
//! the processor.

use std::arch::x86_64::*;

use super::blocks::{Page, rank};
use super::exp::exp;
use super::ngram::Draw;
use super::sequences::Known;
use super::weigh::{LANES, Lanes, MAX_WORDS, ROWS, SHARES, finish, one_of};
use crate::Rng;
use crate::families::{Place, Word};

/// The members of a row, the others zero.
#[inline]
#[target_feature(enable = "avx512f")]
fn row(numbers: &[f32; 64], bits: u64, row: usize) -> __m512 {
    let mask = (bits >> (LANES * row)) as u16;
    // SAFETY: a word has sixteen numbers from there on.
    unsafe { _mm512_maskz_loadu_ps(mask, numbers.as_ptr().add(LANES * row)) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum_of(numbers: &[f32; 64], bits: u64) -> __m512 {
    let first = _mm512_add_ps(row(numbers, bits, 0), row(numbers, bits, 1));
    let second = _mm512_add_ps(row(numbers, bits, 2), row(numbers, bits, 3));
    _mm512_add_ps(first, second)
}

#[inline(always)]
fn of(numbers: &[f32], from: usize) -> &[f32; 64] {
    numbers[from..].first_chunk().expect("tables hold whole words")
}

/// The lanes some places further on, zeros before them.
#[inline]
#[target_feature(enable = "avx512f")]
fn moved<const BACK: i32>(numbers: __m512) -> __m512 {
    let none = _mm512_setzero_si512();
    _mm512_castsi512_ps(_mm512_alignr_epi32::<BACK>(_mm512_castps_si512(numbers), none))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn running(sums: __m512) -> __m512 {
    let sums = _mm512_add_ps(sums, moved::<15>(sums));
    let sums = _mm512_add_ps(sums, moved::<14>(sums));
    let sums = _mm512_add_ps(sums, moved::<12>(sums));
    _mm512_add_ps(sums, moved::<8>(sums))
}

/// Draws a member by a number from zero to one; also gives the sum of all.
#[inline]
#[target_feature(enable = "avx512f,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn draw(odds: &[f32], words: &[Word], unit: f32) -> (Place, f32) {
    let mut by_word = [const { std::mem::MaybeUninit::<Lanes>::uninit() }; MAX_WORDS];
    let mut all = _mm512_setzero_ps();
    for (number, word) in words.iter().enumerate() {
        let sums = sum_of(of(odds, word.first as usize), word.bits);
        // SAFETY: there is room for sixteen numbers.
        unsafe { _mm512_storeu_ps(by_word[number].as_mut_ptr().cast(), sums) };
        all = _mm512_add_ps(all, sums);
    }
    // SAFETY: a word's sums have been written for every word.
    let by_word: &[Lanes] =
        unsafe { std::slice::from_raw_parts(by_word.as_ptr().cast(), words.len()) };
    let running = running(all);
    // One zero before the sums, so that the place before the first can be looked up.
    let mut sums = [0.0f32; LANES + 1];
    // SAFETY: there is room for sixteen numbers after the first.
    unsafe { _mm512_storeu_ps(sums.as_mut_ptr().add(1), running) };
    let total = sums[LANES];
    let passed = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(running, _mm512_set1_ps(unit * total));
    let lane = (passed & 0x7FFF).count_ones() as usize;
    (finish(odds, words, by_word, lane, unit * total - sums[lane]), total)
}

/// The sum of the odds of all members.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn total(odds: &[f32], words: &[Word]) -> f32 {
    let sums = words.iter().map(|word| sum_of(of(odds, word.first as usize), word.bits));
    let all = sums.fold(_mm512_setzero_ps(), |all, sums| _mm512_add_ps(all, sums));
    _mm512_reduce_add_ps(all)
}

/// A member with the highest score, one of them drawn evenly where several have it.
#[inline]
#[target_feature(enable = "avx512f,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn best(scores: &[f32], words: &[Word], rng: &mut Rng) -> Place {
    let lowest = _mm512_set1_ps(f32::NEG_INFINITY);
    let mut tops = [lowest; 2];
    for word in words {
        let scores = of(scores, word.first as usize);
        for row in 0..ROWS {
            let mask = (word.bits >> (LANES * row)) as u16;
            // SAFETY: a word has sixteen numbers from there on.
            let here =
                unsafe { _mm512_mask_loadu_ps(lowest, mask, scores.as_ptr().add(LANES * row)) };
            tops[row % 2] = _mm512_max_ps(here, tops[row % 2]);
        }
    }
    let top = _mm512_set1_ps(_mm512_reduce_max_ps(_mm512_max_ps(tops[0], tops[1])));
    one_of(words, rng, |number| {
        let scores = of(scores, words[number].first as usize);
        let mut found = 0;
        for row in 0..ROWS {
            // SAFETY: as above.
            let same = unsafe {
                let here = _mm512_loadu_ps(scores.as_ptr().add(LANES * row));
                _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(here, top)
            };
            found |= u64::from(same) << (LANES * row);
        }
        found & words[number].bits
    })
}

/// One row of numbers that are packed, the codes that have none zero.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn row_of_packed(packed: &[f32], members: u64, row: usize) -> __m512 {
    let from = rank(members, (LANES * row) as u32) as usize;
    let packed: &[f32; LANES] = packed[from..].first_chunk().expect("a margin after the last");
    // SAFETY: there are sixteen numbers.
    let numbers = unsafe { _mm512_loadu_ps(packed.as_ptr()) };
    _mm512_maskz_expand_ps((members >> (LANES * row)) as u16, numbers)
}

/// Writes packed numbers to the places of the members of a word, zero to the others.
#[target_feature(enable = "avx512f,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn unpack(packed: &[f32], members: u64, out: &mut Page) {
    for (place, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        // SAFETY: there is room for sixteen numbers.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), row_of_packed(packed, members, place)) };
    }
}

/// Writes the numbers of the members of a word one after another.
#[target_feature(enable = "avx512f,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn pack(page: &Page, members: u64, out: &mut [f32]) {
    let mut out = &mut out[..members.count_ones() as usize];
    for place in 0..ROWS {
        let mask = (members >> (LANES * place)) as u16;
        let count = mask.count_ones() as usize;
        let numbers = _mm512_maskz_compress_ps(mask, row(page, u64::MAX, place));
        let (here, rest) = out.split_at_mut(count);
        // SAFETY: only as many numbers are written as there is room for.
        unsafe {
            _mm512_mask_storeu_ps(here.as_mut_ptr(), ((1u32 << count) - 1) as u16, numbers);
        }
        out = rest;
    }
}

/// Writes what the codes of a word are drawn by; see [`super::weigh::blend`].
#[target_feature(enable = "avx512f,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn blend(
    singles: &Page,
    base: &Page,
    known: &[(u64, Known<'_>)],
    draw: Draw,
    out: &mut Page,
) {
    // SAFETY: there are sixteen numbers.
    let shares = unsafe { _mm512_loadu_ps(SHARES.as_ptr()) };
    let one = _mm512_set1_epi32(1);
    for place in 0..ROWS {
        let at = LANES * place;
        let mut sums = row(singles, u64::MAX, place);
        let (mut counts, mut changed) = (one, 0);
        for (counting, known) in known {
            let mask = (counting >> at) as u16;
            if mask == 0 {
                continue;
            }
            sums = _mm512_mask_add_ps(
                sums,
                mask,
                sums,
                row_of_packed(known.values, known.home, place),
            );
            counts = _mm512_mask_add_epi32(counts, mask, counts, one);
            changed |= mask;
        }
        let means = _mm512_mul_ps(sums, _mm512_permutexvar_ps(counts, shares));
        let mut numbers = [0.0; LANES];
        // SAFETY: there is room for sixteen numbers.
        unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), means) };
        if let Draw::Gibbs { k } = draw
            && changed != 0
        {
            // A plain loop: what is handed to a function that knows less of the processor stays a call.
            for number in &mut numbers {
                *number = exp(k * *number);
            }
        }
        // SAFETY: there are sixteen numbers, and room for as many.
        unsafe {
            let numbers = _mm512_loadu_ps(numbers.as_ptr());
            let shown = _mm512_mask_mov_ps(row(base, u64::MAX, place), changed, numbers);
            _mm512_storeu_ps(out.as_mut_ptr().add(at), shown);
        }
    }
}

/// Writes `e^value` of the members of a word, nothing for its other codes.
#[target_feature(enable = "avx512f,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn odds_of_page(values: &Page, bits: u64, out: &mut Page) {
    for place in 0..ROWS {
        let at = LANES * place;
        let mask = (bits >> at) as u16;
        let mut numbers = [0.0; LANES];
        if mask != 0 {
            for lane in 0..LANES {
                numbers[lane] = exp(values[at + lane]);
            }
        }
        // SAFETY: there are sixteen numbers, and room for as many.
        unsafe {
            let members = _mm512_maskz_loadu_ps(mask, numbers.as_ptr());
            _mm512_storeu_ps(out.as_mut_ptr().add(at), members);
        }
    }
}
