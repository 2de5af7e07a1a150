//! Drawing from families by numbers: whole words at a time, with little to guess and nothing listed.
//!
//! The sixty-four numbers of a word are four rows of sixteen lanes. Sums are made lane by lane over all
//! rows, a lane is drawn, then a word in that lane, then a row. [`super::wide`] does the same with vectors of
//! sixteen and adds in the same order, so that what is drawn does not depend on the processor.

use super::blocks::{Page, rank};
use super::exp::exp;
use super::ngram::Draw;
use super::sequences::Known;
use crate::families::{Place, Word};
use crate::{Rng, bits};

#[cfg(target_arch = "x86_64")]
use super::wide;

/// Numbers side by side.
pub(super) const LANES: usize = 16;
/// Rows of a word.
pub(super) const ROWS: usize = 4;
/// The most words that are weighed whole.
pub const MAX_WORDS: usize = 64;

/// The sums of one word, or of all, lane by lane.
pub(super) type Lanes = [f32; LANES];

/// Draws a member in proportion to its odds; also gives the sum of all. There is at least one member.
#[inline]
pub(super) fn draw(odds: &[f32], words: &[Word], rng: &mut Rng) -> (Place, f32) {
    let unit = (rng.next() >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::draw(odds, words, unit) };
    }
    narrow_draw(odds, words, unit)
}

fn narrow_draw(odds: &[f32], words: &[Word], unit: f32) -> (Place, f32) {
    let mut by_word = [[0.0; LANES]; MAX_WORDS];
    let mut all = [0.0; LANES];
    for (number, word) in words.iter().enumerate() {
        let sums = lanes_of(&odds[word.first as usize..][..64], word.bits);
        by_word[number] = sums;
        (0..LANES).for_each(|lane| all[lane] += sums[lane]);
    }
    let running = running(all);
    let total = running[LANES - 1];
    let bound = unit * total;
    let passed = running[..LANES - 1].iter().filter(|&&sum| sum <= bound).count();
    let left = bound - if passed == 0 { 0.0 } else { running[passed - 1] };
    (finish(odds, words, &by_word, passed, left), total)
}

/// The sums of a word's members.
#[inline(always)]
fn lanes_of(odds: &[f32], bits: u64) -> Lanes {
    let mut rows = [[0.0; LANES]; ROWS];
    for (row, numbers) in rows.iter_mut().enumerate() {
        for (lane, number) in numbers.iter_mut().enumerate() {
            let at = LANES * row + lane;
            *number = if bits >> at & 1 == 1 { odds[at] } else { 0.0 };
        }
    }
    std::array::from_fn(|lane| (rows[0][lane] + rows[1][lane]) + (rows[2][lane] + rows[3][lane]))
}

/// Running sums over lanes, in the order in which vectors add them.
fn running(mut sums: Lanes) -> Lanes {
    for step in [1, 2, 4, 8] {
        let before = sums;
        (step..LANES).for_each(|lane| sums[lane] += before[lane - step]);
    }
    sums
}

/// The word and row of a lane where the sum of the odds passes `left`.
#[inline(always)]
pub(super) fn finish(
    odds: &[f32],
    words: &[Word],
    by_word: &[Lanes],
    lane: usize,
    mut left: f32,
) -> Place {
    let mut number = 0;
    while number + 1 < words.len() && left >= by_word[number][lane] {
        left -= by_word[number][lane];
        number += 1;
    }
    let (word, from) = (words[number], words[number].first as usize);
    let here = |row: usize| {
        let at = LANES * row + lane;
        if word.bits >> at & 1 == 1 { odds[from + at] } else { 0.0 }
    };
    let (first, second, third) = (here(0), here(1), here(2));
    let pair = first + second;
    let row =
        usize::from(first <= left) + usize::from(pair <= left) + usize::from(pair + third <= left);
    let bit = (LANES * row + lane) as u32;
    let place = Place { word: number as u32, bit };
    if word.bits >> bit & 1 == 1 { place } else { nearest(words, place) }
}

/// Rounding can lead to a place between members; then the next one is meant, or the first where there is
/// none.
#[cold]
fn nearest(words: &[Word], place: Place) -> Place {
    let from = place.word as usize;
    let rest = words[from].bits & (u64::MAX << place.bit);
    if rest != 0 {
        return Place { bit: rest.trailing_zeros(), ..place };
    }
    let after = (from + 1..words.len()).find(|&word| words[word].bits != 0);
    let word = after.or_else(|| (0..=from).find(|&word| words[word].bits != 0)).unwrap_or(0);
    Place { word: word as u32, bit: words[word].bits.trailing_zeros() & 63 }
}

/// A member with the highest score, one of them drawn evenly where several have it.
#[inline]
pub(super) fn best(scores: &[f32], words: &[Word], rng: &mut Rng) -> Place {
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::best(scores, words, rng) };
    }
    narrow_best(scores, words, rng)
}

fn narrow_best(scores: &[f32], words: &[Word], rng: &mut Rng) -> Place {
    let mut top = f32::NEG_INFINITY;
    for word in words {
        let scores = &scores[word.first as usize..][..64];
        each_bit(word.bits, |bit| top = if scores[bit] > top { scores[bit] } else { top });
    }
    one_of(words, rng, |number| {
        let scores = &scores[words[number].first as usize..][..64];
        let mut ties = 0;
        each_bit(words[number].bits, |bit| ties |= u64::from(scores[bit] == top) << bit);
        ties
    })
}

#[inline(always)]
fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Draws evenly among the ties of all words. Mostly there is one in all, and every word is asked once.
#[inline(always)]
pub(super) fn one_of(words: &[Word], rng: &mut Rng, ties: impl Fn(usize) -> u64) -> Place {
    let (mut count, mut first) = (0, Place::default());
    for number in 0..words.len() {
        let found = ties(number);
        if found != 0 && count == 0 {
            first = Place { word: number as u32, bit: found.trailing_zeros() };
        }
        count += found.count_ones();
    }
    if count == 1 {
        return first;
    }
    if count == 0 {
        // Numbers that are no numbers have no best one; then nothing is preferred.
        return nearest(words, first);
    }
    let mut wanted = rng.below(count);
    for number in 0..words.len() {
        let mut found = ties(number);
        let here = found.count_ones();
        if wanted < here {
            (0..wanted).for_each(|_| found &= found - 1);
            return Place { word: number as u32, bit: found.trailing_zeros() };
        }
        wanted -= here;
    }
    first
}

/// Draws evenly among the members of all words.
#[inline]
pub(super) fn any(words: &[Word], rng: &mut Rng) -> Place {
    struct Any<'a> {
        words: &'a [Word],
        rng: &'a mut Rng,
    }
    impl bits::Job for Any<'_> {
        type Output = Place;

        #[inline(always)]
        fn run<S: bits::Select>(self) -> Place {
            let (mut total, mut at) = (0, 0);
            while at < self.words.len() {
                total += S::count(self.words[at].bits);
                at += 1;
            }
            let (mut wanted, mut number) = (self.rng.below(total.max(1)), 0);
            while number + 1 < self.words.len() && wanted >= S::count(self.words[number].bits) {
                wanted -= S::count(self.words[number].bits);
                number += 1;
            }
            let bit = S::select(self.words[number].bits, wanted) & 63;
            Place { word: number as u32, bit }
        }
    }
    bits::dispatch(Any { words, rng })
}

/// Writes what the codes of a word are drawn by: `base`, and where a context knows better the mean of the
/// single value and those of the contexts, made odds where moves are drawn by odds. Each context comes with
/// the members that count there.
#[inline]
pub(super) fn blend(
    singles: &Page,
    base: &Page,
    known: &[(u64, Known<'_>)],
    draw: Draw,
    out: &mut Page,
) {
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::blend(singles, base, known, draw, out) };
    }
    narrow_blend(singles, base, known, draw, out);
}

/// One over a number of values of which the mean is wanted.
pub(super) const SHARES: [f32; LANES] = {
    let mut shares = [0.0; LANES];
    let mut count = 1;
    while count < LANES {
        shares[count] = 1.0 / count as f32;
        count += 1;
    }
    shares
};

fn narrow_blend(
    singles: &Page,
    base: &Page,
    known: &[(u64, Known<'_>)],
    draw: Draw,
    out: &mut Page,
) {
    *out = *base;
    let changed = known.iter().fold(0, |all, (counting, _)| all | counting);
    each_bit(changed, |bit| {
        let (mut sum, mut count) = (singles[bit], 1);
        for (_, known) in known.iter().filter(|(counting, _)| counting >> bit & 1 == 1) {
            sum += known.values[rank(known.home, bit as u32) as usize];
            count += 1;
        }
        out[bit] = draw.shown(sum * SHARES[count]);
    });
}

/// Writes packed numbers to the places of the members of a word, zero to the others. There are at least
/// sixty-four numbers to read from.
#[inline(always)]
pub(super) fn unpack(packed: &[f32], members: u64, out: &mut Page) {
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::unpack(packed, members, out) };
    }
    *out = [0.0; 64];
    let mut from = packed.iter();
    each_bit(members, |bit| out[bit] = from.next().copied().unwrap_or(0.0));
}

/// Writes the numbers of the members of a word one after another.
#[inline(always)]
pub(super) fn pack(page: &Page, members: u64, out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::pack(page, members, out) };
    }
    let mut to = out.iter_mut();
    each_bit(members, |bit| to.next().into_iter().for_each(|to| *to = page[bit]));
}

/// Writes `e^value` of the members of a word, nothing for its other codes.
#[inline]
pub(super) fn odds_of_page(values: &Page, bits: u64, out: &mut Page) {
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::odds_of_page(values, bits, out) };
    }
    *out = [0.0; 64];
    each_bit(bits, |bit| out[bit] = exp(values[bit]));
}

/// The sum of the odds of all members, in the order of drawing.
pub fn total_of_words(odds: &[f32], words: &[Word]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if bits::has_wide_vectors() && words.iter().all(|word| word.first as usize + 64 <= odds.len()) {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::total(odds, words) };
    }
    let mut all = [0.0; LANES];
    for word in words {
        each_bit(word.bits, |bit| all[bit % LANES] += odds[word.first as usize + bit]);
    }
    all.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(members: &[u32]) -> [Word; 2] {
        let mut words = [0, 64].map(|first| Word { first, tag: 0, bits: 0 });
        members.iter().for_each(|&code| words[code as usize / 64].bits |= 1 << (code % 64));
        words
    }

    fn code(words: &[Word], place: Place) -> usize {
        (words[place.word as usize].first + place.bit) as usize
    }

    #[test]
    fn members_are_drawn_in_proportion_and_nobody_else() {
        let odds: Vec<f32> = (0..128).map(|code| 1.0 + (code % 7) as f32).collect();
        let mut rng = Rng::seeded(4);
        for members in [&[5][..], &[0, 127], &[3, 11, 19, 64, 72], &[63, 64, 1, 2, 90, 91, 98]] {
            let words = words(members);
            let sum: f32 = members.iter().map(|&code| odds[code as usize]).sum();
            let mut counts = [0.0; 128];
            const ROUNDS: usize = 40_000;
            for _ in 0..ROUNDS {
                let (place, total) = draw(&odds, &words, &mut rng);
                assert!((total - sum).abs() < 1e-4);
                counts[code(&words, place)] += 1.0;
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
            assert!((total_of_words(&odds, &words) - sum).abs() < 1e-4);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn wide_vectors_find_the_same() {
        if !bits::has_wide_vectors() {
            return;
        }
        let mut rng = Rng::seeded(8);
        for _ in 0..20_000 {
            let word = |first, bits| Word { first, tag: 0, bits };
            let words = [word(64, rng.next() & rng.next()), word(0, rng.next()), word(128, 0)];
            let odds: Vec<f32> = (0..192).map(|_| rng.below(7) as f32 * 0.37 + 0.01).collect();
            let unit = rng.unit() as f32;
            let narrow = narrow_draw(&odds, &words, unit);
            // SAFETY: asked above.
            assert_eq!(unsafe { wide::draw(&odds, &words, unit) }, narrow);
            let (mut a, mut b) = (rng.clone(), rng.clone());
            let best = narrow_best(&odds, &words, &mut a);
            // SAFETY: asked above.
            assert_eq!(unsafe { wide::best(&odds, &words, &mut b) }, best);
            assert_eq!(a, b);
            let pages: [Page; 3] = std::array::from_fn(|page| {
                std::array::from_fn(|code| odds[64 * page + code] - 1.0)
            });
            let [singles, first, second] = &pages;
            let legal = words[1].bits;
            let known = [(words[0].bits, first), (words[0].bits.rotate_left(9), second)].map(
                |(home, values)| {
                    let ripe = home & home.rotate_left(3);
                    (ripe & legal, Known { home, ripe, values })
                },
            );
            for draw in [Draw::Greedy { epsilon: 0.1 }, Draw::Gibbs { k: 1.5 }] {
                let (mut here, mut there) = ([0.0; 64], [0.0; 64]);
                narrow_blend(singles, second, &known, draw, &mut here);
                // SAFETY: asked above.
                unsafe { wide::blend(singles, second, &known, draw, &mut there) };
                assert_eq!(here, there);
            }
            let (mut packed, mut unpacked) = ([9.0; 64], [9.0; 64]);
            // SAFETY: asked above.
            unsafe { wide::pack(singles, legal, &mut packed) };
            let count = legal.count_ones() as usize;
            assert!(packed[count..].iter().all(|&number| number == 9.0));
            // SAFETY: asked above.
            unsafe { wide::unpack(&packed, legal, &mut unpacked) };
            for (code, &number) in unpacked.iter().enumerate() {
                let member = legal >> code & 1 == 1;
                assert_eq!(number, if member { singles[code] } else { 0.0 });
            }
            let mut members = [0.0; 64];
            // SAFETY: asked above.
            unsafe { wide::odds_of_page(singles, words[1].bits, &mut members) };
            for (code, &odds) in members.iter().enumerate() {
                let member = words[1].bits >> code & 1 == 1;
                assert_eq!(odds, if member { exp(singles[code]) } else { 0.0 });
            }
        }
    }

    #[test]
    fn the_best_members_are_found_and_ties_are_even() {
        let mut scores = [0.9f32; 128];
        let members = words(&[3, 11, 70, 100]);
        (scores[3], scores[11], scores[70], scores[100]) = (0.1, 0.5, 0.5, -2.0);
        let mut rng = Rng::seeded(4);
        let mut counts = [0; 128];
        for _ in 0..10_000 {
            let place = best(&scores, &members, &mut rng);
            counts[code(&members, place)] += 1;
        }
        assert_eq!(counts[11] + counts[70], 10_000);
        assert!((4_700..5_300).contains(&counts[11]), "{}", counts[11]);
        scores[100] = 0.6;
        let place = best(&scores, &members, &mut rng);
        assert_eq!(code(&members, place), 100);
    }
}
