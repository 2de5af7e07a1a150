//! Weighing codes that come as sets: whole words at a time, with nothing to guess and nothing listed.

#![allow(clippy::needless_range_loop)]

use crate::Rng;

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

/// For each of the eight columns of a word (bits that are equal modulo eight), the sum of its members'
/// odds. Kept apart from its callers: merged with them, the compiler reorders the columns and loses the
/// vector instructions that this is all about.
#[inline(never)]
fn columns(odds: &[[f32; 8]; 8], word: u64, sums: &mut [f32; 8]) {
    let mut all = [0.0f32; 8];
    for byte in 0..8 {
        let (odds, bits) = (&odds[byte], bits(word, byte));
        for column in 0..8 {
            all[column] += odds[column] * bits[column];
        }
    }
    *sums = all;
}

#[inline(always)]
fn sum(o: &[f32; 8]) -> f32 {
    ((o[0] + o[1]) + (o[2] + o[3])) + ((o[4] + o[5]) + (o[6] + o[7]))
}

/// The place where the running sums of eight numbers pass `left`, and what is left there.
#[inline(always)]
fn find(o: &[f32; 8], left: f32) -> (usize, f32) {
    let (a, b, c) = (o[0] + o[1], o[2] + o[3], o[4] + o[5]);
    let ab = a + b;
    let abc = ab + c;
    let sums = [0.0, o[0], a, a + o[2], ab, ab + o[4], abc, abc + o[6]];
    let mut place = 0usize;
    for &sum in &sums[1..] {
        place += usize::from(sum <= left);
    }
    (place, left - sums[place])
}

/// Draws a code of the sets in proportion to its odds; also gives the sum of all. The sets are not empty.
#[inline]
pub(super) fn draw(odds: &[f32], sets: &[u64], rng: &mut Rng) -> (u32, f32) {
    let unit = (rng.next() >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
    if let [set] = *sets {
        let odds = of_word(odds, 0);
        let mut all = [0.0f32; 8];
        columns(odds, set, &mut all);
        let total = sum(&all);
        let (column, left) = find(&all, unit * total);
        let code = member(odds, set, column, left);
        return (if contains(sets, code) { code } else { nearest(sets, code) } as u32, total);
    }
    let mut by_word = [[0.0f32; 8]; MAX_SETS];
    let mut all = [0.0f32; 8];
    for (number, &word) in sets.iter().enumerate() {
        columns(of_word(odds, number), word, &mut by_word[number]);
        for column in 0..8 {
            all[column] += by_word[number][column];
        }
    }
    let total = sum(&all);
    let drawn = unit * total;
    // First the column, then the word, then the byte.
    let (column, mut left) = find(&all, drawn);
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
    let code = 64 * word + member(of_word(odds, word), sets[word], column, left);
    (if contains(sets, code) { code } else { nearest(sets, code) } as u32, total)
}

/// The bit of a column where the running sum of its members' odds passes `left`.
#[inline(always)]
fn member(odds: &[[f32; 8]; 8], word: u64, column: usize, left: f32) -> usize {
    let mut members = [0.0f32; 8];
    for byte in 0..8 {
        let inside = (word >> (8 * byte + column) & 1) as u32;
        // All ones where the bit is set, so that `and` keeps the number.
        members[byte] = f32::from_bits(odds[byte][column].to_bits() & inside.wrapping_neg());
    }
    8 * find(&members, left).0 + column
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

/// The members of one column of a word whose scores are exactly this.
#[inline(always)]
fn equal(scores: &[[f32; 8]; 8], word: u64, column: usize, wanted: f32) -> u64 {
    let mut found = 0;
    for byte in 0..8 {
        found |= u64::from(scores[byte][column] == wanted) << (8 * byte + column);
    }
    found & word
}

/// The code with the highest score, one of them drawn evenly where several have it.
#[inline]
pub(super) fn best(scores: &[f32], sets: &[u64], rng: &mut Rng) -> u32 {
    let mut tops = [f32::NEG_INFINITY; 8];
    for (number, &word) in sets.iter().enumerate() {
        highest(of_word(scores, number), word, &mut tops);
    }
    let top = tops.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let mut ties = [0u64; MAX_SETS];
    let mut count = 0;
    // Mostly one column has it; looking at the others again would be in vain.
    for column in (0..8).filter(|&column| tops[column] == top) {
        for (number, &word) in sets.iter().enumerate() {
            let found = equal(of_word(scores, number), word, column, top);
            ties[number] |= found;
            count += found.count_ones();
        }
    }
    let mut wanted = if count > 1 { rng.below(count) } else { 0 };
    for (number, &word) in ties[..sets.len()].iter().enumerate() {
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
