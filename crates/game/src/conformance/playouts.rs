//! Playouts of every kind end, repeat, and are the same game.

use std::collections::BTreeMap;

use super::draws::chi_squared_bound;
use super::{Fault, Walk};
use crate::playout::{Recording, Sampling, Scratch, Style};
use crate::{Coding, Rng, Turn};

/// A way to play uniformly at random; all must have the same results.
const KINDS: [(Style, Recording); 5] = [
    (Style::Standard, Recording::Nothing),
    (Style::Optimised, Recording::Nothing),
    (Style::Optimised, Recording::Chosen),
    (Style::Optimised, Recording::WinnersLegal),
    (Style::Standard, Recording::Legal),
];

/// How a playout ended: the payoffs in hundredths, and the number of plies.
type Outcome = (Vec<i32>, u32);

pub(super) fn check(walk: &mut Walk, playouts: u32) -> Result<(), Fault> {
    if walk.game.turn(&walk.state) == Turn::Over {
        return Ok(());
    }
    let mut samples = Vec::new();
    for kind in KINDS {
        if kind.1 != Recording::Nothing && !has_codes(walk) {
            continue;
        }
        let seed = walk.rng.next();
        let first = play(walk, kind, &mut Rng::seeded(seed))?;
        let again = play(walk, kind, &mut Rng::seeded(seed))?;
        walk.hold(first == again, "the same seed gives the same playout", || format!("{kind:?}"))?;
        let mut rng = walk.rng.split();
        let sample: Result<Vec<Outcome>, Fault> =
            (0..playouts).map(|_| play(walk, kind, &mut rng)).collect();
        samples.push((format!("{kind:?}"), sample?));
    }
    samples.extend(batch(walk, playouts).map(|sample| ("batch".to_string(), sample)));
    let (_, reference) = &samples[0];
    samples[1..].iter().try_for_each(|(kind, sample)| same_game(walk, kind, reference, sample))
}

fn has_codes(walk: &Walk) -> bool {
    let players = (0..walk.game.info().players as u8).map(crate::Player);
    players.into_iter().all(|player| walk.game.code_count(player, Coding::Plain) > 0)
}

fn play(
    walk: &Walk,
    (style, recording): (Style, Recording),
    rng: &mut Rng,
) -> Result<Outcome, Fault> {
    let game = walk.game;
    let mut state = walk.state.clone();
    let mut scratch = Scratch::default();
    scratch.recording = recording;
    let plies = game.playout(&mut state, &mut Sampling::default(), style, &mut scratch, rng);
    let law = "a playout ends the game or reaches its limit";
    let limit = game.info().max_plies;
    let ended = plies == limit || (plies < limit && game.turn(&state) == Turn::Over);
    walk.hold(ended, law, || format!("{plies} plies, {:?}", game.turn(&state)))?;
    for step in scratch.record.steps() {
        let law = "a playout records codes of its moves";
        let count = game.code_count(step.player, Coding::Plain);
        let among = recording != Recording::Legal || scratch.record.was_legal(step, step.chosen);
        walk.hold(step.chosen < count && among, law, || format!("{step:?}"))?;
    }
    let mut payoffs = vec![f32::NAN; game.info().players];
    game.payoffs(&state, &mut payoffs);
    let within = payoffs.iter().all(|payoff| (0.0..=1.0).contains(payoff));
    walk.hold(within, "payoffs lie in [0, 1]", || format!("{payoffs:?} after a playout"))?;
    Ok((in_hundredths(&payoffs), plies))
}

fn in_hundredths(payoffs: &[f32]) -> Vec<i32> {
    payoffs.iter().map(|payoff| (payoff * 100.0).round() as i32).collect()
}

/// Playouts in lanes, where the game has them.
fn batch(walk: &mut Walk, playouts: u32) -> Option<Vec<Outcome>> {
    let mut sample = Vec::new();
    let mut rng = walk.rng.split();
    let mut finished = |payoffs: &[f32], plies| sample.push((in_hundredths(payoffs), plies));
    let ran = walk.game.playout_batch(&walk.state, &mut rng, playouts.into(), &mut finished);
    ran.then_some(sample)
}

/// Whether two samples of outcomes can come from one distribution, by a chi-squared test over who got
/// what and how long it took.
fn same_game(walk: &Walk, kind: &str, ours: &[Outcome], theirs: &[Outcome]) -> Result<(), Fault> {
    if ours.is_empty() || theirs.is_empty() {
        return Ok(());
    }
    let mut lengths: Vec<u32> = ours.iter().map(|outcome| outcome.1).collect();
    lengths.sort_unstable();
    let quartiles = [1, 2, 3].map(|quarter| lengths[lengths.len() * quarter / 4]);
    let class = |(payoffs, plies): &Outcome| {
        (payoffs.clone(), quartiles.iter().filter(|&bound| plies > bound).count())
    };
    let mut counts = BTreeMap::<_, [f64; 2]>::new();
    for (side, sample) in [ours, theirs].into_iter().enumerate() {
        for outcome in sample {
            counts.entry(class(outcome)).or_default()[side] += 1.0;
        }
    }
    let (common, rare): (Vec<[f64; 2]>, Vec<[f64; 2]>) =
        counts.into_values().partition(|[a, b]| a + b >= 20.0);
    let rest = rare.iter().fold([0.0; 2], |[a, b], [more_a, more_b]| [a + more_a, b + more_b]);
    let classes: Vec<[f64; 2]> =
        common.into_iter().chain([rest]).filter(|[a, b]| a + b >= 10.0).collect();
    if classes.len() < 2 {
        return Ok(());
    }
    let ratio = (theirs.len() as f64 / ours.len() as f64).sqrt();
    let chi: f64 = classes.iter().map(|[a, b]| (a * ratio - b / ratio).powi(2) / (a + b)).sum();
    let bound = chi_squared_bound(classes.len() - 1);
    walk.hold(chi <= bound, "all uniform playouts have the same results", || {
        format!("{kind}: chi-squared is {chi:.1}, above {bound:.1}; {classes:?}")
    })
}
