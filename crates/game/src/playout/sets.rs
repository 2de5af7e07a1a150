//! Weighing codes that come as sets: whole words at a time, with nothing to guess and nothing listed.

#![allow(clippy::needless_range_loop)]

use crate::Rng;
#[cfg(target_arch = "x86_64")]
use crate::bits::has_wide_vectors;

#[cfg(target_arch = "x86_64")]
use super::wide;

/// The most words of codes that are weighed as sets.
pub const MAX_SETS: usize = 8;

/// One where a bit of the byte is set.
static BITS: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][bit] = 1.0;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[inline(always)]
fn bits(word: u64, byte: usize) -> &'static [f32; 8] {
    &BITS[(word >> (8 * byte)) as usize & 0xFF]
}

/// The numbers of one word's codes.
#[inline(always)]
fn of_word(numbers: &[f32], word: usize) -> &[[f32; 8]; 8] {
    let chunk = numbers[64 * word..64 * word + 64].as_chunks::<8>().0;
    chunk.try_into().expect("sixty-four numbers are eight times eight")
}

/// The sums of a word's columns after each byte, in two halves of four bytes that each begin at zero.
type Partials = [[f32; 8]; 8];

/// For each of the eight columns of a word (bits that are equal modulo eight), the sum of its members'
/// odds; what it was on the way goes to `partials`.
#[inline(always)]
fn columns(odds: &[[f32; 8]; 8], word: u64, partials: &mut Partials) -> [f32; 8] {
    #[cfg(target_arch = "x86_64")]
    if has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::column_sums(odds, word, partials) };
    }
    narrow_columns(odds, word, partials)
}

/// The same without vectors of eight. Kept apart from its callers: merged with them, the compiler reorders
/// the columns and loses the vector instructions that this is all about.
#[inline(never)]
fn narrow_columns(odds: &[[f32; 8]; 8], word: u64, partials: &mut Partials) -> [f32; 8] {
    for half in 0..2 {
        let mut sums = [0.0f32; 8];
        for byte in 4 * half..4 * half + 4 {
            let (odds, bits) = (&odds[byte], bits(word, byte));
            for column in 0..8 {
                sums[column] += odds[column] * bits[column];
            }
            partials[byte] = sums;
        }
    }
    let mut sums = partials[3];
    for column in 0..8 {
        sums[column] += partials[7][column];
    }
    sums
}

/// Running sums, added up in the order in which vectors of eight do it: those of each half, then the first
/// half's on top of the second's.
#[inline(always)]
fn running(o: &[f32; 8]) -> [f32; 8] {
    let mut sums = *o;
    for step in [1, 2] {
        let before = sums;
        for place in 0..8 {
            if place % 4 >= step {
                sums[place] += before[place - step];
            }
        }
    }
    for place in 4..8 {
        sums[place] += sums[3];
    }
    sums
}

/// Chooses a column by its running sums and a number from zero to one: which, what is left there, and the
/// sum of all.
#[inline(always)]
fn choose_column(sums: &[f32; 8], unit: f32) -> (usize, f32, f32) {
    let by_column = running(sums);
    let left = unit * by_column[7];
    let mut column = 0usize;
    for &sum in &by_column[..7] {
        column += usize::from(sum <= left);
    }
    (column, left - if column == 0 { 0.0 } else { by_column[column - 1] }, by_column[7])
}

/// The bit of a column where the sum of its members' odds passes `left`.
#[inline(always)]
fn member(partials: &Partials, column: usize, left: f32) -> usize {
    let first_half = partials[3][column];
    let second = left >= first_half;
    let left = left - if second { first_half } else { 0.0 };
    let from = if second { 4 } else { 0 };
    let mut byte = from;
    for partial in &partials[from..from + 3] {
        byte += usize::from(partial[column] <= left);
    }
    8 * byte + column
}

/// Draws a code of the sets in proportion to its odds; also gives the sum of all. The sets are not empty.
#[inline]
pub(super) fn draw(odds: &[f32], sets: &[u64], rng: &mut Rng) -> (u32, f32) {
    let unit = (rng.next() >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
    let (code, total) = match *sets {
        [word] => draw_from_word(of_word(odds, 0), word, unit),
        _ => draw_from_words(odds, sets, unit),
    };
    (if contains(sets, code) { code } else { nearest(sets, code) } as u32, total)
}

#[inline(always)]
fn draw_from_word(odds: &[[f32; 8]; 8], word: u64, unit: f32) -> (usize, f32) {
    let mut partials = [[0.0; 8]; 8];
    #[cfg(target_arch = "x86_64")]
    if has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        let (column, left, total) = unsafe { wide::column(odds, word, unit, &mut partials) };
        return (member(&partials, column, left), total);
    }
    narrow_draw(odds, word, unit, &mut partials)
}

fn narrow_draw(
    odds: &[[f32; 8]; 8],
    word: u64,
    unit: f32,
    partials: &mut Partials,
) -> (usize, f32) {
    let (column, left, total) = choose_column(&narrow_columns(odds, word, partials), unit);
    (member(partials, column, left), total)
}

#[inline]
fn draw_from_words(odds: &[f32], sets: &[u64], unit: f32) -> (usize, f32) {
    let mut partials = [[0.0; 8]; 8];
    let mut by_word = [[0.0f32; 8]; MAX_SETS];
    let mut all = [0.0f32; 8];
    for (number, &word) in sets.iter().enumerate() {
        by_word[number] = columns(of_word(odds, number), word, &mut partials);
        for column in 0..8 {
            all[column] += by_word[number][column];
        }
    }
    // First the column, then the word, then the byte.
    let (column, mut left, total) = choose_column(&all, unit);
    let mut word = 0;
    for sums in &by_word[..sets.len() - 1] {
        let past = left >= sums[column];
        left -= if past { sums[column] } else { 0.0 };
        // Once a word is not passed, none after it is looked at.
        if !past {
            break;
        }
        word += 1;
    }
    if word + 1 < sets.len() {
        columns(of_word(odds, word), sets[word], &mut partials);
    }
    (64 * word + member(&partials, column, left), total)
}

#[inline(always)]
fn contains(sets: &[u64], code: usize) -> bool {
    sets[code / 64] >> (code % 64) & 1 == 1
}

/// Rounding can lead to a place between members; then the next one is meant, or the first where there is
/// none.
#[cold]
fn nearest(sets: &[u64], code: usize) -> usize {
    let after = (code..64 * sets.len()).find(|&code| contains(sets, code));
    after.or_else(|| (0..code).find(|&code| contains(sets, code))).unwrap_or(0)
}

/// What is added to a score so that only members can be the best.
static PENALTIES: [[f32; 8]; 256] = {
    let mut table = [[f32::NEG_INFINITY; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][bit] = 0.0;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Raises the highest score of each column to that of its members.
#[inline(never)]
fn highest(scores: &[[f32; 8]; 8], word: u64, tops: &mut [f32; 8]) {
    let mut all = *tops;
    for byte in 0..8 {
        let penalties = &PENALTIES[(word >> (8 * byte)) as usize & 0xFF];
        let scores = &scores[byte];
        for column in 0..8 {
            let score = scores[column] + penalties[column];
            all[column] = if score > all[column] { score } else { all[column] };
        }
    }
    *tops = all;
}

/// Finds the members with the highest score, one set for each word.
#[inline(always)]
fn best_of_all(scores: &[[[f32; 8]; 8]], sets: &[u64], ties: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    if has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::best(scores, sets, ties) };
    }
    narrow_best(scores, sets, ties);
}

fn narrow_best(scores: &[[[f32; 8]; 8]], sets: &[u64], ties: &mut [u64]) {
    let mut tops = [f32::NEG_INFINITY; 8];
    for (scores, &word) in scores.iter().zip(sets) {
        highest(scores, word, &mut tops);
    }
    let top = tops.into_iter().fold(f32::NEG_INFINITY, f32::max);
    for ((scores, &word), ties) in scores.iter().zip(sets).zip(ties) {
        *ties = 0;
        // Mostly one column has it; looking at the others again would be in vain.
        for column in (0..8).filter(|&column| tops[column] == top) {
            for byte in 0..8 {
                *ties |= u64::from(scores[byte][column] == top) << (8 * byte + column);
            }
        }
        *ties &= word;
    }
}

/// The code with the highest score, one of them drawn evenly where several have it.
#[inline]
pub(super) fn best(scores: &[f32], sets: &[u64], rng: &mut Rng) -> u32 {
    let scores = scores.as_chunks::<8>().0.as_chunks::<8>().0;
    let ties = &mut [0u64; MAX_SETS][..sets.len()];
    best_of_all(scores, sets, ties);
    let count: u32 = ties.iter().map(|word| word.count_ones()).sum();
    let mut wanted = if count > 1 { rng.below(count) } else { 0 };
    for (number, &word) in ties.iter().enumerate() {
        if wanted < word.count_ones() {
            let mut word = word;
            for _ in 0..wanted {
                word &= word - 1;
            }
            return 64 * number as u32 + word.trailing_zeros();
        }
        wanted -= word.count_ones();
    }
    nearest(sets, 0) as u32
}

/// The sum of the odds of all codes in the sets.
pub fn total_of_sets(odds: &[f32], sets: &[u64]) -> f32 {
    let mut total = 0.0;
    for (number, &word) in sets.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            total += odds[64 * number + left.trailing_zeros() as usize];
            left &= left - 1;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(members: &[u32]) -> [u64; 2] {
        let mut sets = [0; 2];
        members.iter().for_each(|&code| sets[code as usize / 64] |= 1 << (code % 64));
        sets
    }

    #[test]
    fn members_are_drawn_in_proportion_and_nobody_else() {
        let odds: Vec<f32> = (0..128).map(|code| 1.0 + (code % 7) as f32).collect();
        let mut rng = Rng::seeded(4);
        for members in [&[5][..], &[0, 127], &[3, 11, 19, 64, 72], &[63, 64, 1, 2, 90, 91, 98]] {
            let sets = sets(members);
            let sum: f32 = members.iter().map(|&code| odds[code as usize]).sum();
            let mut counts = [0.0; 128];
            const ROUNDS: usize = 40_000;
            for _ in 0..ROUNDS {
                let (code, total) = draw(&odds, &sets, &mut rng);
                assert!((total - sum).abs() < 1e-4);
                counts[code as usize] += 1.0;
            }
            let mut chi = 0.0;
            for (code, &count) in counts.iter().enumerate() {
                if members.contains(&(code as u32)) {
                    let expected = f64::from(odds[code] / sum) * ROUNDS as f64;
                    chi += (count - expected) * (count - expected) / expected;
                } else {
                    assert_eq!(count, 0.0);
                }
            }
            assert!(chi < 24.0, "{chi} for {members:?}");
            assert!((total_of_sets(&odds, &sets) - sum).abs() < 1e-4);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn wide_vectors_find_the_same() {
        if !has_wide_vectors() {
            return;
        }
        let mut rng = Rng::seeded(8);
        for _ in 0..20_000 {
            let word = rng.next() & rng.next();
            let mut odds = [[0.0f32; 8]; 8];
            odds.as_flattened_mut().iter_mut().for_each(|o| *o = rng.below(7) as f32 * 0.37 + 0.01);
            let unit = rng.unit() as f32;
            let (mut a, mut b) = ([[0.0; 8]; 8], [[0.0; 8]; 8]);
            // SAFETY: asked above.
            let (column, left, total) = unsafe { wide::column(&odds, word, unit, &mut a) };
            let drawn = narrow_draw(&odds, word, unit, &mut b);
            assert_eq!((member(&a, column, left), total), drawn);
            assert_eq!(a, b);
            let both = [word, rng.next()];
            let (mut a, mut b) = ([0; 2], [0; 2]);
            narrow_best(&[odds, odds], &both, &mut a);
            // SAFETY: asked above.
            unsafe { wide::best(&[odds, odds], &both, &mut b) };
            assert_eq!(a, b);
        }
    }

    #[test]
    fn the_best_members_are_found_and_ties_are_even() {
        let mut scores = [0.9f32; 128];
        let members = [3, 11, 70, 100];
        (scores[3], scores[11], scores[70], scores[100]) = (0.1, 0.5, 0.5, -2.0);
        let mut rng = Rng::seeded(4);
        let mut counts = [0; 128];
        (0..10_000).for_each(|_| counts[best(&scores, &sets(&members), &mut rng) as usize] += 1);
        assert_eq!(counts[11] + counts[70], 10_000);
        assert!((4_700..5_300).contains(&counts[11]), "{}", counts[11]);
        scores[100] = 0.6;
        assert_eq!(best(&scores, &sets(&members), &mut rng), 100);
    }
}
