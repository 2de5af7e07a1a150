//! Learning features from what a search thought of moves.

mod fit;
mod grow;
mod sample;

pub use fit::{Cases, fit};
pub use grow::{Candidate, Vocabulary, children};
pub use sample::Sample;

use ludex_game::Rng;
use ludex_game::features::{Anchoring, Ground, Pattern, Plain, Reading};
use ludex_lang::features::{self as text, Feature, Spatial};

use super::Weighted;

/// How much is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most features of a player.
    pub features: usize,
    /// The most samples that are looked at when patterns grow.
    pub samples: usize,
    /// How much better than before the cross-entropy on samples put aside must become, or growing stops.
    pub gain: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { features: 16, samples: 150, gain: 0.000_5 }
    }
}

/// What came of learning for one player.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The features and weights.
    pub set: Weighted,
    /// The cross-entropy on samples put aside: with no feature, then after each step of growing.
    pub curve: Vec<f64>,
}

/// Every so many samples one is put aside to judge by.
const PUT_ASIDE: usize = 8;

/// Learns features for one player's moves (from nought) from samples of his.
pub fn learn(
    vocabulary: &Vocabulary<'_>,
    ground: &Ground,
    samples: &[Sample],
    player: usize,
    limits: Limits,
    rng: &mut Rng,
) -> Outcome {
    let samples: Vec<&Sample> = samples.iter().filter(|s| s.player.index() == player).collect();
    let (aside, ours): (Vec<usize>, Vec<usize>) =
        (0..samples.len()).partition(|sample| sample % PUT_ASIDE == 0);
    if ours.is_empty() {
        return Outcome::default();
    }
    let number = player as u32 + 1;
    let starts = samples.iter().any(|sample| sample.moves.iter().any(|ends| ends.from.is_some()));
    let roots = vocabulary.roots(starts);
    let (mut patterns, mut weights): (Vec<Pattern>, Vec<f32>) = (Vec::new(), Vec::new());
    let mut cases = cases_of(ground, &patterns, number, &samples);
    let mut outcome = Outcome::default();
    let mut best = cases.loss(&weights, aside.iter().copied());
    outcome.curve.push(best);
    let mut stale = 0;
    while patterns.len() < limits.features && stale < 3 {
        let worst = worst_samples(&cases, &weights, &ours, limits.samples, rng);
        let looked: Vec<(&Sample, &[f32])> =
            worst.iter().map(|(sample, errors)| (samples[*sample], errors.as_slice())).collect();
        let parents = roots.iter().chain(&patterns);
        let mut found: Vec<Candidate> = parents
            .flat_map(|parent| children(vocabulary, parent, &looked, number, 3))
            .filter(|candidate| !patterns.contains(&candidate.pattern))
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        // The best reply and the best of the others: replies are cheap to ask.
        let reply = found.iter().position(|candidate| candidate.pattern.is_reactive());
        let other = found.iter().position(|candidate| !candidate.pattern.is_reactive());
        let chosen: Vec<Pattern> =
            [reply, other].into_iter().flatten().map(|at| found[at].pattern.clone()).collect();
        if chosen.is_empty() {
            break;
        }
        let (mut next, mut next_weights) = (patterns.clone(), weights.clone());
        next.extend(chosen);
        next_weights.resize(next.len(), 0.0);
        let next_cases = cases_of(ground, &next, number, &samples);
        fit(&next_cases, &ours, &mut next_weights, 3, rng);
        let loss = next_cases.loss(&next_weights, aside.iter().copied());
        outcome.curve.push(loss);
        stale = if best - loss < limits.gain { stale + 1 } else { 0 };
        best = best.min(loss);
        (patterns, weights, cases) = (next, next_weights, next_cases);
    }
    prune(ground, &samples, (&ours, &aside), number, (&mut patterns, &mut weights), limits, rng);
    outcome.curve.push({
        let cases = cases_of(ground, &patterns, number, &samples);
        cases.loss(&weights, aside.iter().copied())
    });
    let features = patterns.iter().map(|pattern| Feature::Spatial(spatial(pattern)));
    outcome.set = Weighted { features: features.collect(), weights };
    outcome
}

/// Takes out features that samples put aside do not miss, then fits what is left once more.
fn prune(
    ground: &Ground,
    samples: &[&Sample],
    (ours, aside): (&[usize], &[usize]),
    player: u32,
    (patterns, weights): (&mut Vec<Pattern>, &mut Vec<f32>),
    limits: Limits,
    rng: &mut Rng,
) {
    let cases = cases_of(ground, patterns, player, samples);
    fit(&cases, ours, weights, 6, rng);
    for number in (0..patterns.len()).rev() {
        let cases = cases_of(ground, patterns, player, samples);
        let with = cases.loss(weights, aside.iter().copied());
        let mut without = weights.clone();
        without[number] = 0.0;
        if cases.loss(&without, aside.iter().copied()) - with < limits.gain / 4.0 {
            patterns.remove(number);
            weights.remove(number);
        }
    }
    let cases = cases_of(ground, patterns, player, samples);
    fit(&cases, ours, weights, 10, rng);
}

/// Which patterns hold for which moves.
pub fn cases_of(ground: &Ground, patterns: &[Pattern], player: u32, samples: &[&Sample]) -> Cases {
    let mut cases = Cases::default();
    let plain = Plain::new(ground, patterns, player, Reading::Paper).unwrap_or_default();
    for sample in samples {
        let at = |site: u32| sample.at(site);
        cases.push(sample.target.iter().enumerate().map(|(number, &target)| {
            let active = plain.active(sample.ends(number), Anchoring::Anywhere, at);
            (target, active.collect::<Vec<u32>>())
        }));
    }
    cases
}

/// Samples with the errors of their moves, those with large errors preferred.
fn worst_samples(
    cases: &Cases,
    weights: &[f32],
    among: &[usize],
    count: usize,
    rng: &mut Rng,
) -> Vec<(usize, Vec<f32>)> {
    let mut drawn = among.to_vec();
    rng.shuffle(&mut drawn);
    drawn.truncate(3 * count);
    let mut all: Vec<(usize, Vec<f32>)> = drawn
        .into_iter()
        .map(|sample| {
            let mut errors = Vec::new();
            cases.errors(sample, weights, &mut errors);
            (sample, errors)
        })
        .collect();
    let size = |errors: &[f32]| errors.iter().map(|error| error.abs()).sum::<f32>();
    all.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
    all.truncate(count);
    all
}

/// A pattern as text has it.
fn spatial(pattern: &Pattern) -> Spatial {
    let place = |place: &ludex_game::features::Place| match place {
        ludex_game::features::Place::Walk(turns) => {
            text::Place::Walk(turns.iter().map(|&turn| text::Turn(turn)).collect())
        }
        ludex_game::features::Place::Site(site) => text::Place::Site(*site),
    };
    let element = |element: &ludex_game::features::Element| text::Element {
        test: super::set::test_text(element.test),
        sense: if element.negated { text::Sense::MustNot } else { text::Sense::Must },
        place: place(&element.place),
        span: Default::default(),
    };
    let end = |at: &Option<ludex_game::features::Place>| at.as_ref().map(place);
    Spatial {
        last_from: end(&pattern.ends.last_from),
        last_to: end(&pattern.ends.last_to),
        from: end(&pattern.ends.from),
        to: end(&pattern.ends.to),
        pattern: text::Pattern {
            elements: pattern.elements.iter().map(element).collect(),
            rotations: match &pattern.rotations {
                None => text::Rotations::All,
                Some(turns) => {
                    text::Rotations::These(turns.iter().map(|&turn| text::Turn(turn)).collect())
                }
            },
            reflections: match pattern.reflects {
                true => text::Reflections::Both,
                false => text::Reflections::Plain,
            },
        },
        comment: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::{Geometry, Player};
    use ludex_lang::features::Notation;

    #[test]
    fn what_made_the_shares_is_found_with_its_weight() {
        // Whoever moves prefers sites beside a stone of his own by a factor of e squared.
        let ground = Ground::new(&Geometry::rectangle(5, 5), 2);
        let mut rng = Rng::seeded(5);
        let mut samples = Vec::new();
        for _ in 0..300 {
            let stones: Vec<u8> = (0..25).map(|_| [0, 0, 0, 1, 2][rng.below(5) as usize]).collect();
            let beside = |site: usize| {
                let mut sides = ground.sides[site].iter().flatten();
                sides.any(|&side| stones[side as usize] == 1)
            };
            let share = |site| if beside(site) { 2f32.exp() } else { 1.0 };
            samples.push(Sample::made_up(Player(0), &stones, share));
        }
        let vocabulary = Vocabulary::new(&ground, 2);
        let limits = Limits { features: 6, ..Limits::default() };
        let found = learn(&vocabulary, &ground, &samples, 0, limits, &mut rng);
        let texts: Vec<String> =
            found.set.features.iter().map(|f| f.write(Notation::Ludii)).collect();
        let wanted = texts.iter().position(|text| text == "rel:to=<{}>:pat=<els=[f{0}]>");
        let weight =
            wanted.map(|at| found.set.weights[at]).unwrap_or_else(|| panic!("{}", texts.join(" ")));
        assert!((weight - 2.0).abs() < 0.3, "{weight} in {texts:?} {:?}", found.set.weights);
        assert!(found.curve.last() < found.curve.first());
    }
}
