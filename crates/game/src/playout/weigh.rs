//! Drawing from families by numbers: whole words at a time, with little to guess and nothing listed.
//!
//! The sixty-four numbers of a word are four rows of sixteen lanes ([`super::vectors`]). Sums are made lane by lane
//! over all rows, a lane is drawn, then a word in that lane, then a row.

use std::mem::MaybeUninit;

use super::blocks::{Page, rank};
use super::exp::exp;
use super::ngram::Draw;
use super::sequences::Known;
use super::vectors::{LANES, Lanes, ROWS, Vector, Work, row, work};
use crate::Rng;
use crate::bits::Select;
use crate::families::{Families, Place, Word};

/// The most words that are weighed whole.
pub const MAX_WORDS: usize = 64;
/// Up to this many words all are looked at: where a loop would stop, a processor cannot guess.
const FEW_WORDS: usize = 12;

/// The numbers of a word's codes.
#[inline(always)]
pub(super) fn page(numbers: &[f32], first: u32) -> &Page {
    numbers[first as usize..].first_chunk().expect("tables hold whole words")
}

/// Where the numbers of words are found.
pub(super) trait Pages: Copy {
    /// Those of a word, which has this number among all.
    fn page(&self, number: usize, word: &Word) -> &Page;
}

/// In a table, by code.
impl Pages for &[f32] {
    #[inline(always)]
    fn page(&self, _: usize, word: &Word) -> &Page {
        page(self, word.first)
    }
}

/// In a table; of some words elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Changed<'a> {
    pub table: &'a [f32],
    /// The words that are elsewhere, as bits of their numbers.
    pub changed: u64,
    pub elsewhere: &'a [Page],
}

impl Pages for Changed<'_> {
    #[inline(always)]
    fn page(&self, number: usize, word: &Word) -> &Page {
        match self.changed >> number & 1 {
            0 => page(self.table, word.first),
            _ => &self.elsewhere[number],
        }
    }
}

/// The sums of a word's members.
#[inline(always)]
fn sums_of<V: Vector>(numbers: &Page, bits: u64) -> V {
    let (none, masks) = (V::splat(0.0), V::masks(bits));
    let mut rows = [none; ROWS];
    for at in 0..ROWS {
        rows[at] = V::select(masks[at], V::load(row(numbers, at)), none);
    }
    rows[0].add(rows[1]).add(rows[2].add(rows[3]))
}

/// Draws a member in proportion to its odds; also gives the sum of all. There is at least one member, and there are
/// at most [`MAX_WORDS`] words.
#[inline(always)]
pub(super) fn draw<V: Vector>(odds: impl Pages, words: &[Word], rng: &mut Rng) -> (Place, f32) {
    let unit = (rng.next() >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
    let mut by_word = [const { MaybeUninit::<Lanes>::uninit() }; MAX_WORDS];
    let mut all = V::splat(0.0);
    for (number, (word, kept)) in words.iter().zip(&mut by_word).enumerate() {
        let sums = sums_of::<V>(odds.page(number, word), word.bits);
        // SAFETY: only numbers are written, and any bits are a number.
        sums.store(unsafe { &mut *kept.as_mut_ptr() });
        all = all.add(sums);
    }
    // SAFETY: the sums of every word have been written.
    let by_word: &[Lanes] =
        unsafe { std::slice::from_raw_parts(by_word.as_ptr().cast(), words.len().min(MAX_WORDS)) };
    let running = all.running();
    // One zero before the sums, so that the place before the first can be looked up.
    let mut sums = [0.0f32; LANES + 1];
    running.store(sums[1..].first_chunk_mut().expect("sixteen after the first"));
    let total = sums[LANES];
    let bound = unit * total;
    let passed = V::splat(bound).at_least(running) & 0x7FFF;
    let lane = V::Select::count(passed) as usize;
    (finish(odds, words, by_word, lane, bound - sums[lane]), total)
}

/// The word and row of a lane where the sum of the odds passes `left`.
#[inline(always)]
fn finish(odds: impl Pages, words: &[Word], by_word: &[Lanes], lane: usize, left: f32) -> Place {
    let (mut number, mut before, mut sum) = (0, 0.0, 0.0);
    for sums in &by_word[..by_word.len() - 1] {
        sum += sums[lane];
        let past = sum <= left;
        if by_word.len() > FEW_WORDS && !past {
            break;
        }
        number += usize::from(past);
        before = if past { sum } else { before };
    }
    let (word, left) = (words[number], left - before);
    let page = odds.page(number, &word);
    let here = |row: usize| {
        let at = (LANES * row + lane) % 64;
        // A mask instead of a question, which nobody could guess.
        f32::from_bits(page[at].to_bits() & 0u32.wrapping_sub((word.bits >> at & 1) as u32))
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

/// A member with the highest score, one of them drawn evenly where several have it; any member if `exploring`.
#[inline(always)]
pub(super) fn best<V: Vector>(
    scores: impl Pages,
    words: &[Word],
    exploring: bool,
    rng: &mut Rng,
) -> Place {
    let lowest = V::splat(f32::NEG_INFINITY);
    let mut tops = [lowest; 2];
    for (number, word) in words.iter().enumerate() {
        let (scores, masks) = (scores.page(number, word), V::masks(word.bits));
        for at in 0..ROWS {
            let here = V::select(masks[at], V::load(row(scores, at)), lowest);
            tops[at % 2] = tops[at % 2].max(here);
        }
    }
    // Exploring is being content with anything: one road for both, since nobody can guess which it is.
    let top = tops[0].max(tops[1]).top();
    let bound = V::splat(if exploring { f32::NEG_INFINITY } else { top });
    let mut found = [const { MaybeUninit::<u64>::uninit() }; MAX_WORDS];
    for (number, (word, found)) in words.iter().zip(&mut found).enumerate() {
        let scores = scores.page(number, word);
        let mut high = 0;
        for at in 0..ROWS {
            high |= V::load(row(scores, at)).at_least(bound) << (LANES * at);
        }
        found.write(high & word.bits);
    }
    // SAFETY: what was found has been written for every word.
    let found: &[u64] =
        unsafe { std::slice::from_raw_parts(found.as_ptr().cast(), words.len().min(MAX_WORDS)) };
    // Numbers that are no numbers have no best one; then nothing is preferred.
    one_of::<V::Select>(found.len(), |at| found[at], rng)
        .unwrap_or_else(|| nearest(words, Place::default()))
}

/// Draws evenly among the members of all words; nothing where there is none.
#[inline(always)]
fn one_of<S: Select>(count: usize, of: impl Fn(usize) -> u64, rng: &mut Rng) -> Option<Place> {
    let mut total = 0;
    for at in 0..count {
        total += S::count(of(at));
    }
    if total == 0 {
        return None;
    }
    let wanted = rng.below(total);
    let (mut number, mut before, mut sum) = (0, 0, 0);
    for at in 0..count - 1 {
        sum += S::count(of(at));
        let past = sum <= wanted;
        if count > FEW_WORDS && !past {
            break;
        }
        number += usize::from(past);
        before = if past { sum } else { before };
    }
    let bit = S::select(of(number), wanted - before) & 63;
    Some(Place { word: number as u32, bit })
}

/// Draws evenly among all moves, of which there is at least one.
#[inline(always)]
pub(super) fn any<S: Select>(families: &Families, rng: &mut Rng) -> Place {
    let words = families.words();
    if families.is_list() {
        let word = rng.below(words.len() as u32);
        return Place { word, bit: words[word as usize].bits.trailing_zeros() & 63 };
    }
    one_of::<S>(words.len(), |at| words[at].bits, rng).unwrap_or_default()
}

/// Writes what the codes of a word are drawn by: `base`, and where a context knows better the mean of the
/// single value and those of the contexts, made odds where moves are drawn by odds. Each context comes with
/// the members that count there.
#[inline(always)]
pub(super) fn blend<V: Vector>(
    singles: &Page,
    base: &Page,
    known: &[(u64, Known<'_>)],
    draw: Draw,
    out: &mut Page,
) {
    let one = V::splat(1.0);
    let changed = known.iter().fold(0, |all, (counting, _)| all | counting);
    let masks = V::masks(changed);
    for (at, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let base = V::load(row(base, at));
        let mut sums = V::load(row(singles, at));
        let mut counts = one;
        for (counting, known) in known {
            let mask = V::masks(*counting)[at];
            let here = row_of_packed::<V>(known.values, known.home, at);
            sums = V::select(mask, sums.add(here), sums);
            counts = V::select(mask, counts.add(one), counts);
        }
        let (mut numbers, mut shares) = ([0.0; LANES], [0.0; LANES]);
        sums.store(&mut numbers);
        counts.store(&mut shares);
        for (number, count) in numbers.iter_mut().zip(shares) {
            *number *= 1.0 / count;
        }
        if let Draw::Gibbs { k } = draw {
            numbers.iter_mut().for_each(|number| *number = exp(k * *number));
        }
        V::select(masks[at], V::load(&numbers), base).store(out);
    }
}

/// Brings the numbers of some members together, one after another, and tells how many they are. There is room for a
/// whole row after the last.
#[inline(always)]
pub(super) fn bring<V: Vector>(numbers: &[f32], members: u64, to: &mut [f32]) -> usize {
    let (mut count, mut left) = (0, members);
    for row in numbers.chunks(LANES) {
        if left == 0 {
            break;
        }
        let (row, members) = (row.first_chunk().expect("whole rows"), left as u16);
        let to = to[count..].first_chunk_mut().expect("room for a row after the last");
        V::load(row).compress(members).store(to);
        count += members.count_ones() as usize;
        left >>= LANES;
    }
    count
}

/// Adds numbers that are one after another to those of some members. What else lies in their rows keeps its bits: behind
/// the values of a block the next one begins with sets, and minus nought with nothing added would be another set.
#[inline(always)]
pub(super) fn add_to_members<V: Vector>(numbers: &mut [f32], members: u64, more: &[f32]) {
    let (mut count, mut left) = (0, members);
    for row in numbers.chunks_mut(LANES) {
        if left == 0 {
            break;
        }
        let (row, members) = (row.first_chunk_mut().expect("whole rows"), left as u16);
        let more = more[count..].first_chunk().expect("a row after the last");
        let old = V::load(row);
        let sum = old.add(V::expand(more, members));
        V::select(V::masks(members.into())[0], sum, old).store(row);
        count += members.count_ones() as usize;
        left >>= LANES;
    }
}

/// One row of numbers that are packed, zero for the codes that have none.
#[inline(always)]
fn row_of_packed<V: Vector>(packed: &[f32], members: u64, at: usize) -> V {
    let from = rank(members, (LANES * at) as u32) as usize;
    let packed = packed[from..].first_chunk().expect("a margin after the last");
    V::expand(packed, (members >> (LANES * at)) as u16)
}

/// Writes packed numbers to the places of the members of a word, zero to the others. There are at least
/// sixty-four numbers to read from.
#[inline(always)]
pub(super) fn unpack<V: Vector>(packed: &[f32], members: u64, out: &mut Page) {
    for (at, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        row_of_packed::<V>(packed, members, at).store(out);
    }
}

/// Writes the numbers of the members of a word one after another.
#[inline(always)]
pub(super) fn pack<V: Vector>(page: &Page, members: u64, out: &mut [f32]) {
    let mut packed = [0.0; 64 + LANES];
    let mut count = 0;
    for at in 0..ROWS {
        let mask = (members >> (LANES * at)) as u16;
        let to = packed[count..].first_chunk_mut().expect("room for a row after the last");
        V::load(row(page, at)).compress(mask).store(to);
        count += mask.count_ones() as usize;
    }
    out[..count].copy_from_slice(&packed[..count]);
}

/// The sum of the odds of all members, in the order of drawing.
pub fn total_of_words(odds: &[f32], words: &[Word]) -> f32 {
    struct Total<'a> {
        odds: &'a [f32],
        words: &'a [Word],
    }
    impl Work for Total<'_> {
        type Output = f32;

        #[inline(always)]
        fn run<V: Vector>(self) -> f32 {
            let mut all = V::splat(0.0);
            for word in self.words {
                all = all.add(sums_of::<V>(page(self.odds, word.first), word.bits));
            }
            let mut sums = [0.0; LANES];
            all.running().store(&mut sums);
            sums[LANES - 1]
        }
    }
    work(Total { odds, words })
}

/// Adds a number to the shares of all members.
pub fn add_to_words(shares: &mut [f32], words: &[Word], share: f32) {
    struct Add<'a> {
        shares: &'a mut [f32],
        words: &'a [Word],
        share: f32,
    }
    impl Work for Add<'_> {
        type Output = ();

        #[inline(always)]
        fn run<V: Vector>(self) {
            let (share, none) = (V::splat(self.share), V::splat(0.0));
            for word in self.words {
                let shares = self.shares[word.first as usize..].first_chunk_mut::<64>();
                let shares = shares.expect("tables hold whole words");
                let masks = V::masks(word.bits);
                for (mask, row) in masks.into_iter().zip(shares.as_chunks_mut::<LANES>().0) {
                    V::load(row).add(V::select(mask, share, none)).store(row);
                }
            }
        }
    }
    work(Add { shares, words, share });
}

/// Takes shares of their odds from the weights of a word, makes the odds `e^weight` again and the shares nothing.
pub fn lose_shares(weights: &mut Page, odds: &mut Page, shares: &mut Page) {
    struct Lose<'a>(&'a mut Page, &'a mut Page, &'a mut Page);
    impl Work for Lose<'_> {
        type Output = ();

        #[inline(always)]
        fn run<V: Vector>(self) {
            let Lose(weights, odds, shares) = self;
            for at in 0..64 {
                weights[at] -= shares[at] * odds[at];
                odds[at] = exp(weights[at]);
            }
            *shares = [0.0; 64];
        }
    }
    work(Lose(weights, odds, shares));
}

#[cfg(test)]
mod tests {
    use super::super::vectors::Single;
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
    fn what_is_no_member_keeps_its_bits() {
        struct Add<'a>(&'a mut [f32], &'a [f32]);
        impl Work for Add<'_> {
            type Output = ();

            #[inline(always)]
            fn run<V: Vector>(self) {
                add_to_members::<V>(self.0, 0b101, self.1);
            }
        }
        // Minus nought, and a number that is none and tells so.
        let others = [0x8000_0000, 0x7f80_0001].map(f32::from_bits);
        let (before, more) = ([1.0, others[0], 2.0, others[1]], [10.0, 20.0]);
        let mut row: Vec<f32> = before.into_iter().chain([0.0; LANES - 4]).collect();
        let more: Vec<f32> = more.into_iter().chain([0.0; LANES]).collect();
        let mut single = row.clone();
        work(Add(&mut row, &more));
        Add(&mut single, &more).run::<Single>();
        for row in [row, single] {
            assert_eq!([row[0], row[2]], [11.0, 22.0]);
            assert_eq!([row[1], row[3]].map(f32::to_bits), others.map(f32::to_bits));
        }
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
                let (place, total) = draw::<Single>(&odds[..], &words, &mut rng);
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
            let mut shares = odds.clone();
            add_to_words(&mut shares, &words, 0.25);
            for (code, (after, before)) in (0..).zip(shares.iter().zip(&odds)) {
                let gain = if members.contains(&code) { 0.25 } else { 0.0 };
                assert_eq!(*after, before + gain);
            }
        }
    }

    /// All that is done with words, for comparison.
    struct Everything<'a> {
        numbers: &'a [f32],
        words: &'a [Word],
        legal: u64,
        rng: Rng,
    }

    impl Work for Everything<'_> {
        type Output = (Vec<Place>, f32, Vec<Page>, Rng);

        #[inline(always)]
        fn run<V: Vector>(mut self) -> Self::Output {
            let Everything { numbers, words, legal, rng } = &mut self;
            let mut families = Families::default();
            words.iter().for_each(|word| families.push(word.first, word.tag, word.bits));
            let (drawn, total) = draw::<V>(*numbers, words, rng);
            let places = vec![
                drawn,
                best::<V>(*numbers, words, false, rng),
                best::<V>(*numbers, words, true, rng),
                any::<V::Select>(&families, rng),
            ];
            let pages: [&Page; 3] = std::array::from_fn(|at| page(numbers, 64 * at as u32));
            let home = words[0].bits;
            let known =
                [(home, pages[1]), (home.rotate_left(9), pages[2])].map(|(home, values)| {
                    let ripe = home & home.rotate_left(3);
                    (ripe & *legal, Known { home, ripe, values })
                });
            // Whole rows are read and written; what comes after the last member is anything.
            let mut brought = [9.0; 64 + LANES];
            let count = bring::<V>(numbers, *legal, &mut brought);
            brought[count..].fill(9.0);
            let mut made = [[9.0; 64]; 6];
            made[4].copy_from_slice(&brought[..64]);
            made[5].copy_from_slice(pages[1]);
            add_to_members::<V>(&mut made[5], *legal, &brought);
            blend::<V>(pages[0], pages[2], &known, Draw::Greedy { epsilon: 0.1 }, &mut made[0]);
            blend::<V>(pages[0], pages[2], &known, Draw::Gibbs { k: 1.5 }, &mut made[1]);
            pack::<V>(pages[0], *legal, &mut made[2]);
            let packed = made[2];
            unpack::<V>(&packed, *legal, &mut made[3]);
            (places, total, made.to_vec(), self.rng)
        }
    }

    #[test]
    fn vectors_find_the_same() {
        let mut rng = Rng::seeded(8);
        for _ in 0..10_000 {
            let word = |first, bits| Word { first, tag: 0, bits };
            let words = [word(64, rng.next() & rng.next()), word(0, rng.next()), word(128, 0)];
            let numbers: Vec<f32> = (0..192).map(|_| rng.below(7) as f32 * 0.37 + 0.01).collect();
            let legal = rng.next();
            let all = |rng: &Rng| Everything {
                numbers: &numbers,
                words: &words,
                legal,
                rng: rng.clone(),
            };
            let here = all(&rng).run::<Single>();
            assert_eq!(work(all(&rng)), here);
            let [_, _, packed, unpacked, brought, added] = &here.2[..] else { panic!("six") };
            assert_eq!(brought, packed);
            assert!(packed[legal.count_ones() as usize..].iter().all(|&number| number == 9.0));
            for code in 0..64 {
                let member = legal >> code & 1 == 1;
                assert_eq!(unpacked[code], if member { numbers[code] } else { 0.0 });
                assert_eq!(added[code], numbers[64 + code] + unpacked[code]);
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
            let place = best::<Single>(&scores[..], &members, false, &mut rng);
            counts[code(&members, place)] += 1;
        }
        assert_eq!(counts[11] + counts[70], 10_000);
        assert!((4_700..5_300).contains(&counts[11]), "{}", counts[11]);
        for _ in 0..10_000 {
            let place = best::<Single>(&scores[..], &members, true, &mut rng);
            counts[code(&members, place)] += 1;
        }
        assert!((2_300..2_700).contains(&counts[3]), "{}", counts[3]);
        scores[100] = 0.6;
        let place = best::<Single>(&scores[..], &members, false, &mut rng);
        assert_eq!(code(&members, place), 100);
    }
}
