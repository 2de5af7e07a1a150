//! What sequences gain and lose by one simulation: the legal moves of every choice are compared in every context, and
//! all values change afterwards, so that every comparison sees the old ones.

use super::blocks::rank;
use super::exp::exp;
use super::record::{Record, Step};
use super::sequences::{Sequences, WordId};
use super::vectors::{LANES, Vector, Work, work};
use crate::families::Word;

/// Choices to learn from, each in one context. Only choices whose legal moves were recorded as words can be compared.
#[derive(Debug, Default)]
pub struct Comparison {
    /// What came before, and the number of the step.
    choices: Vec<(u64, u32)>,
    /// For the words of each choice their place among sequences; nothing where there is no room for them.
    places: Vec<Option<WordId>>,
    /// For the legal moves of each choice, one after another: values, then odds, then gains.
    numbers: Vec<f32>,
}

/// The words of a step that have members.
fn words<'a>(record: &'a Record, step: &Step) -> impl Iterator<Item = Word> + 'a {
    let words = record.words(step).unwrap_or_default();
    words.iter().copied().filter(|word| word.bits != 0)
}

impl Comparison {
    /// Notes a choice, and asks the memory for what is known of it.
    #[inline]
    pub fn note(&mut self, context: u64, step: usize, record: &Record, grams: &Sequences) {
        if let Some(word) = words(record, &record.steps()[step]).next() {
            grams.expect_word(context, word.first / 64);
            self.choices.push((context, step as u32));
        }
    }

    /// Changes the values of what was noted, by equation 6 of the paper: all legal moves lose in proportion to
    /// `e^value`, together as much as the chosen one gains, which is `rate`.
    pub fn learn(&mut self, record: &Record, rate: f32, grams: &mut Sequences) {
        let step = |number: u32| &record.steps()[number as usize];
        let counts = self.choices.iter().map(|&(_, at)| words(record, step(at)).count());
        grams.reserve(counts.sum());
        let mut members = 0;
        for &(context, at) in &self.choices {
            for word in words(record, step(at)) {
                self.places.push(grams.open(context, word.first));
                members += word.bits.count_ones() as usize;
            }
        }
        // Whole rows are read and written, also by the last word.
        self.numbers.resize(self.numbers.len().max(members + 64 + LANES), 0.0);
        work(Learning { comparison: self, record, rate, grams });
        self.choices.clear();
        self.places.clear();
    }
}

struct Learning<'a> {
    comparison: &'a mut Comparison,
    record: &'a Record,
    rate: f32,
    grams: &'a mut Sequences,
}

impl Work for Learning<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Learning { comparison, record, rate, grams } = self;
        let Comparison { choices, places, numbers } = comparison;
        let (mut rest, mut from) = (&places[..], 0);
        for &(_, at) in &*choices {
            let step = &record.steps()[at as usize];
            let (mut to, mut chosen) = (from, None);
            for word in words(record, step) {
                let Some((place, after)) = rest.split_first() else { break };
                rest = after;
                let count = word.bits.count_ones() as usize;
                match place {
                    Some(id) => grams.bring::<V>(*id, word.bits, &mut numbers[to..]),
                    // What there is no room for is compared, too, but forgotten.
                    None => numbers[to..to + count].fill(0.0),
                }
                let bit = step.chosen & 63;
                if word.first == step.chosen - bit && word.bits >> bit & 1 == 1 {
                    // Where several moves have the chosen code, it still gains once.
                    chosen.get_or_insert(to + rank(word.bits, bit) as usize);
                }
                to += count;
            }
            gains::<V>(&mut numbers[from..], to - from, rate);
            if let Some(chosen) = chosen {
                numbers[chosen] += rate;
            }
            from = to;
        }
        let (mut rest, mut from) = (&places[..], 0);
        for &(_, at) in &*choices {
            for word in words(record, &record.steps()[at as usize]) {
                let Some((place, after)) = rest.split_first() else { break };
                rest = after;
                if let Some(id) = place {
                    grams.add_all::<V>(*id, word.bits, &numbers[from..]);
                }
                from += word.bits.count_ones() as usize;
            }
        }
    }
}

/// Makes so many values what their owners lose.
#[inline(always)]
fn gains<V: Vector>(numbers: &mut [f32], count: usize, rate: f32) {
    let rows = &mut numbers.as_chunks_mut::<LANES>().0[..count.div_ceil(LANES)];
    let (none, mut sums) = (V::splat(0.0), V::splat(0.0));
    for (number, row) in rows.iter_mut().enumerate() {
        row.iter_mut().for_each(|value| *value = exp(*value));
        let members = u64::MAX >> (64 - (count - LANES * number).min(LANES));
        sums = sums.add(V::select(V::masks(members)[0], V::load(row), none));
    }
    let mut running = [0.0; LANES];
    sums.running().store(&mut running);
    let share = -rate / running[LANES - 1];
    for row in rows {
        row.iter_mut().for_each(|odds| *odds *= share);
    }
}
