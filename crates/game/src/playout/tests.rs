//! Every sampler follows its distribution over the legal moves, also where illegal ones are drawn and refused.

use super::list::Listed;
use super::*;
use crate::{Coding, Game, GameInfo, State, erase};

/// Two players each take one of eight numbers, one after the other; odd ones are not allowed, which only
/// [`Rules::admits`] knows when candidates are listed. Taking 6 wins for the first player, 4 for the second.
struct Bag {
    info: GameInfo,
}

#[derive(Clone, Default)]
struct Taken(Vec<u64>);

impl Rules for Bag {
    type State = Taken;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Taken {
        Taken::default()
    }

    fn turn(&self, state: &Taken) -> Turn {
        match state.0[..] {
            [] => Turn::of(Player(0)),
            [first] if first != 6 => Turn::of(Player(1)),
            _ => Turn::Over,
        }
    }

    fn moves(&self, _: &Taken, _: Player, out: &mut Vec<Move>) {
        out.extend([0, 2, 4, 6].map(Move));
    }

    fn apply(&self, state: &mut Taken, joint: &[Move]) {
        state.0.push(joint[0].0);
    }

    fn payoffs(&self, state: &Taken, out: &mut [f32]) {
        out.copy_from_slice(match state.0[..] {
            [6] => &[1.0, 0.0],
            [_, 4] => &[0.0, 1.0],
            _ => &[0.5, 0.5],
        });
    }

    fn hash(&self, state: &Taken) -> u64 {
        state.0.iter().fold(1, |hash, taken| hash * 8 + taken)
    }

    fn move_text(&self, _: &Taken, _: Option<Player>, mv: Move) -> String {
        mv.0.to_string()
    }

    fn show(&self, state: &Taken, _: Option<Player>) -> String {
        format!("{:?}", state.0)
    }

    fn code_count(&self, _: Player, _: Coding) -> u32 {
        8
    }

    fn code(&self, _: &Taken, _: Player, mv: Move, _: Coding) -> u32 {
        mv.0 as u32
    }

    fn families(&self, _: &Taken, _: Player, _: Coding, out: &mut Families) {
        out.push(0, 0, 0xFF);
        out.doubt();
    }

    fn member(&self, _: &Taken, _: Player, _: &Families, place: Place) -> Move {
        Move(u64::from(place.bit))
    }

    fn admits(&self, _: &Taken, _: Player, candidate: Move) -> bool {
        candidate.0.is_multiple_of(2)
    }
}

fn bag() -> std::sync::Arc<dyn Game> {
    erase(Bag { info: GameInfo::named("bag", 2) })
}

/// How often each number is taken first, over many playouts.
fn first_moves(sampling: &mut Sampling, style: Style, recording: Recording) -> [f64; 8] {
    let game = bag();
    let mut counts = [0.0; 8];
    let mut scratch = Scratch { recording, ..Scratch::default() };
    let mut rng = Rng::seeded(11);
    for _ in 0..ROUNDS {
        let taken = play(&*game, sampling, style, &mut scratch, &mut rng);
        counts[taken[0] as usize] += 1.0;
    }
    counts
}

const ROUNDS: usize = 40_000;

/// Plays one game and returns what was taken.
fn play(
    game: &dyn Game,
    sampling: &mut Sampling,
    style: Style,
    scratch: &mut Scratch,
    rng: &mut Rng,
) -> Vec<u32> {
    scratch.record.clear();
    let mut state: State = game.start();
    game.playout(&mut state, sampling, style, scratch, rng);
    scratch.record.steps().iter().map(|step| step.chosen).collect()
}

/// Compares counts with probabilities by Pearson's test at p = 0.001.
fn assert_follows(counts: &[f64; 8], expected: [f64; 8]) {
    let total: f64 = counts.iter().sum();
    let mut chi = 0.0;
    let mut cells = 0;
    for (&count, probability) in counts.iter().zip(expected) {
        if probability == 0.0 {
            assert_eq!(count, 0.0, "{counts:?}");
        } else {
            chi += (count - probability * total).powi(2) / (probability * total);
            cells += 1;
        }
    }
    let bound = [10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32][cells - 2];
    assert!(chi < bound, "χ² = {chi} > {bound}: {counts:?} and {expected:?}");
}

fn every_way(mut sampling: impl FnMut() -> Sampling, expected: [f64; 8]) {
    for (style, recording) in [
        (Style::Optimised, Recording::Chosen),
        (Style::Standard, Recording::Chosen),
        (Style::Optimised, Recording::Legal),
    ] {
        assert_follows(&first_moves(&mut sampling(), style, recording), expected);
    }
}

fn table(values: [f32; 8]) -> CodeTable {
    let mut table = CodeTable::new(&[8, 8], 0.0);
    table.of_mut(Player(0)).copy_from_slice(&values);
    table
}

const QUARTERS: [f64; 8] = [0.25, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25, 0.0];

#[test]
fn uniform_is_uniform() {
    every_way(Sampling::default, QUARTERS);
}

#[test]
fn gibbs_draws_in_proportion() {
    let mut odds = table([1.0, 9.0, 2.0, 9.0, 3.0, 9.0, 4.0, 9.0]);
    odds.of_mut(Player(1)).fill(1.0);
    let sampling = || Sampling::Gibbs(Gibbs::new(Coding::Plain, odds.clone()));
    every_way(sampling, [0.1, 0.0, 0.2, 0.0, 0.3, 0.0, 0.4, 0.0]);
}

#[test]
fn lists_of_every_length_are_drawn_in_proportion() {
    let mut rng = Rng::seeded(2);
    for count in [1, 2, 7, 8, 9, 15, 16, 17, 100, 255, 256, 257, 1000] {
        let odds: Vec<f32> = (0..count).map(|index| (index % 5 + 1) as f32).collect();
        let sum: f32 = odds.iter().sum();
        let (mut counts, mut expected) = ([0.0; 8], [0.0; 8]);
        for (index, &odds) in odds.iter().enumerate() {
            expected[index % 8] += f64::from(odds / sum);
        }
        for _ in 0..ROUNDS {
            let (index, total) = draw(&odds[..], &mut rng);
            assert_eq!(total, sum);
            counts[index % 8] += 1.0;
        }
        if count > 1 {
            assert_follows(&counts, expected);
        }
    }
}

/// Numbers of moves that were listed one by one.
fn listed(numbers: &[f32]) -> Listed {
    let (mut families, mut listed) = (Families::default(), Listed::default());
    (0..numbers.len() as u32).for_each(|code| families.push_one(code, code));
    listed.gather::<Single>(numbers, &mut families);
    assert_eq!(listed.numbers(), numbers);
    listed
}

/// The last of these lengths is more than words are weighed of.
const LENGTHS: [usize; 9] = [1, 3, 4, 5, 63, 64, 65, 300, 64 * MAX_WORDS + 1];

#[test]
fn the_best_of_every_length_is_found_and_ties_are_even() {
    let mut rng = Rng::seeded(3);
    for count in LENGTHS {
        let values: Vec<f32> = (0..count).map(|index| ((index * 7) % count) as f32).collect();
        let top = listed(&values).best::<Single>(&mut rng);
        assert!(values.iter().all(|&value| value <= values[top]));
        // Everything ties but the first.
        let values: Vec<f32> = (0..count).map(|index| index.min(1) as f32).collect();
        let (ties, mut counts) = (listed(&values), [0.0; 8]);
        for _ in 0..ROUNDS {
            counts[ties.best::<Single>(&mut rng) % 8] += 1.0;
        }
        let mut expected = [0.0; 8];
        (1..count).for_each(|index| expected[index % 8] += 1.0 / (count - 1) as f64);
        if count > 2 {
            assert_follows(&counts, expected);
        }
    }
}

#[test]
fn listed_moves_are_drawn_in_proportion() {
    let mut rng = Rng::seeded(5);
    for count in LENGTHS {
        let odds: Vec<f32> = (0..count).map(|index| 1.0 + (index % 3) as f32).collect();
        let (listed, sum) = (listed(&odds), odds.iter().sum::<f32>());
        let (mut counts, mut expected) = ([0.0; 8], [0.0; 8]);
        for _ in 0..ROUNDS {
            let (index, total) = listed.draw::<Single>(&mut rng);
            assert!((total - sum).abs() < 1e-3 * sum);
            counts[index % 8] += 1.0;
        }
        (0..count).for_each(|index| expected[index % 8] += f64::from(odds[index] / sum));
        if count > 1 {
            assert_follows(&counts, expected);
        }
    }
}

#[test]
fn greedy_plays_the_best_legal_move_and_ties_evenly() {
    let scores = table([0.3, 0.9, 0.7, 0.9, 0.7, 0.9, 0.1, 0.9]);
    let sampling = || Sampling::Greedy(Greedy::new(Coding::Plain, 0.4, scores.clone()));
    // Exploring gives each of the four a tenth; the rest is shared by the two best.
    every_way(sampling, [0.1, 0.0, 0.4, 0.0, 0.4, 0.0, 0.1, 0.0]);
}

/// A sampler whose two-move sequences after `first` prefer 2, seen `visits` times.
fn ngram(draw: Draw, visits: usize) -> Sampling {
    let mut singles = table([0.0; 8]);
    singles.of_mut(Player(1)).copy_from_slice(&[0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 1.0, 2.0]);
    let mut sampler = Ngram::new(Coding::Plain, draw, 3, 7.0, singles);
    let mut record = Record::default();
    record.begin_ply();
    record.push_chosen(Player(0), 4);
    let contexts = Contexts::of(record.steps(), 1, Player(1), 2, 3);
    for _ in 0..visits {
        sampler.grams.reserve_means(1);
        sampler.grams.average(contexts.hashes()[0], 2, 3.0);
    }
    Sampling::Ngram(Box::new(sampler))
}

/// How often each number is taken second after 4 was taken first.
fn replies_to_four(sampling: &mut Sampling) -> [f64; 8] {
    let game = bag();
    let mut scratch = Scratch { recording: Recording::Chosen, ..Scratch::default() };
    let mut rng = Rng::seeded(12);
    let mut counts = [0.0; 8];
    for _ in 0..ROUNDS {
        if let [4, second] = play(&*game, sampling, Style::Optimised, &mut scratch, &mut rng)[..] {
            counts[second as usize] += 1.0;
        }
    }
    counts
}

#[test]
fn sequences_count_once_they_were_visited_often_enough() {
    let e = std::f64::consts::E;
    let gibbs = Draw::Gibbs { k: 2.0 };
    // Too few visits: values 0, 0, 0, 1, doubled by k.
    let total = 3.0 + e.powi(2);
    let rest = e.powi(2) / total;
    let counts = replies_to_four(&mut ngram(gibbs, 6));
    assert_follows(&counts, [1.0 / total, 0.0, 1.0 / total, 0.0, 1.0 / total, 0.0, rest, 0.0]);
    // Enough: the value of 2 is the mean of 0 and 3.
    let total = 2.0 + e.powi(2) + e.powi(3);
    let (two, six) = (e.powi(3) / total, e.powi(2) / total);
    let counts = replies_to_four(&mut ngram(gibbs, 7));
    assert_follows(&counts, [1.0 / total, 0.0, two, 0.0, 1.0 / total, 0.0, six, 0.0]);

    let greedy = Draw::Greedy { epsilon: 0.2 };
    let counts = replies_to_four(&mut ngram(greedy, 6));
    assert_follows(&counts, [0.05, 0.0, 0.05, 0.0, 0.05, 0.0, 0.85, 0.0]);
    let counts = replies_to_four(&mut ngram(greedy, 7));
    assert_follows(&counts, [0.05, 0.0, 0.85, 0.0, 0.05, 0.0, 0.05, 0.0]);
}

#[test]
fn a_stored_reply_is_played_where_it_is_legal() {
    let game = bag();
    let step = |player: u8, code: u32| {
        let mut record = Record::default();
        record.begin_ply();
        record.push_chosen(Player(player), code);
        record.steps()[0]
    };
    for (reply, expected) in [(2, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), (3, QUARTERS)] {
        let mut replies = Replies::for_game(&*game, Coding::Plain);
        replies.store(&step(0, 4), &step(1, reply));
        let sampler = Composed::new(Sampling::default(), Some(replies.clone()), Decisive::Off);
        let counts = replies_to_four(&mut Sampling::Composed(Box::new(sampler)));
        if reply == 2 {
            assert_eq!(counts[2], counts.iter().sum::<f64>());
        } else {
            assert_follows(&counts, expected);
        }
        replies.forget(&step(0, 4), &step(1, 0));
        assert_eq!(replies.get(Player(1), &step(0, 4)), Some(reply), "another reply did badly");
        replies.forget(&step(0, 4), &step(1, reply));
        assert_eq!(replies.get(Player(1), &step(0, 4)), None);
    }
}

#[test]
fn decisive_moves_come_first_and_defences_second() {
    let compose =
        |base, decisive| Sampling::Composed(Box::new(Composed::new(base, None, decisive)));
    // The first player takes 6 and wins.
    let counts = first_moves(
        &mut compose(Sampling::default(), Decisive::Wins),
        Style::Optimised,
        Recording::Legal,
    );
    assert_eq!(counts[6], ROUNDS as f64);
    // From after 2, the second player takes 4.
    let game = bag();
    let mut scratch = Scratch { recording: Recording::Legal, ..Scratch::default() };
    let mut state = game.start();
    game.apply(&mut state, &[Move(2)]);
    let sampling = &mut compose(Sampling::default(), Decisive::WinsAndDefences);
    game.playout(&mut state, sampling, Style::Optimised, &mut scratch, &mut Rng::seeded(1));
    let step = scratch.record.steps()[0];
    assert_eq!(step.chosen, 4);
    let legal: Vec<u32> = (0..8).filter(|&code| scratch.record.was_legal(&step, code)).collect();
    assert_eq!(legal, [0, 2, 4, 6], "all legal moves are recorded");
}
