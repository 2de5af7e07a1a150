//! Learning features from what a search thought of moves.

mod fit;
mod grow;
mod sample;

pub use fit::{Cases, fit};
pub use grow::{Candidate, Looked, Vocabulary, children};
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

/// Whose moves are learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// One player's, from nought.
    One(usize),
    /// Everybody's, for features that hold for all alike.
    All,
}

/// Learns features for a player's moves, or for everybody's, from samples of theirs; patterns of an earlier set come first.
pub fn learn(
    vocabulary: &Vocabulary<'_>,
    ground: &Ground,
    samples: &[Sample],
    who: Who,
    before: &[Pattern],
    limits: Limits,
    rng: &mut Rng,
) -> Outcome {
    let ours = |sample: &&Sample| who == Who::All || who == Who::One(sample.player.index());
    let samples: Vec<&Sample> = samples.iter().filter(ours).collect();
    let (aside, ours): (Vec<usize>, Vec<usize>) =
        (0..samples.len()).partition(|sample| sample % PUT_ASIDE == 0);
    if ours.is_empty() {
        return Outcome::default();
    }
    let players: Vec<u32> = match who {
        Who::One(player) => vec![player as u32 + 1],
        Who::All => (1..=ground.players).collect(),
    };
    let starts = samples.iter().any(|sample| sample.moves.iter().any(|ends| ends.from.is_some()));
    let roots = vocabulary.roots(starts);
    let mut set = Growing::new(ground, &samples, before);
    let mut outcome = Outcome::default();
    outcome.curve.push(Growing::new(ground, &samples, &[]).loss(&aside));
    if !before.is_empty() {
        fit(&set.cases, &ours, &mut set.weights, 6, rng);
        outcome.curve.push(set.loss(&aside));
    }
    let mut best = set.loss(&aside);
    let mut stale = 0;
    while set.patterns.len() < limits.features && stale < 3 {
        let worst = worst_samples(&set, &samples, &ours, limits.samples, rng);
        let parents = roots.iter().chain(&set.patterns);
        let mut found: Vec<Candidate> = parents
            .flat_map(|parent| children(vocabulary, parent, &worst, &players, 3))
            .filter(|candidate| !set.patterns.contains(&candidate.pattern))
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
        set.add(ground, &samples, chosen);
        fit(&set.cases, &ours, &mut set.weights, 3, rng);
        let loss = set.loss(&aside);
        outcome.curve.push(loss);
        stale = if best - loss < limits.gain { stale + 1 } else { 0 };
        best = best.min(loss);
    }
    prune(&mut set, (&ours, &aside), limits, rng);
    outcome.curve.push(set.loss(&aside));
    let features = set.patterns.iter().map(|pattern| Feature::Spatial(spatial(pattern)));
    outcome.set = Weighted { features: features.collect(), weights: set.weights };
    outcome
}

/// Weights for patterns as they are, from samples of other games than they were learned from.
pub fn refit(
    ground: &Ground,
    samples: &[Sample],
    who: Who,
    set: &Weighted,
    rng: &mut Rng,
) -> Outcome {
    let ours = |sample: &&Sample| who == Who::All || who == Who::One(sample.player.index());
    let samples: Vec<&Sample> = samples.iter().filter(ours).collect();
    let (aside, ours): (Vec<usize>, Vec<usize>) =
        (0..samples.len()).partition(|sample| sample % PUT_ASIDE == 0);
    let mut outcome = Outcome { set: set.clone(), curve: Vec::new() };
    // What is no pattern keeps its weight.
    let places: Vec<usize> = (0..set.features.len())
        .filter(|&at| matches!(set.features[at], Feature::Spatial(_)))
        .collect();
    let patterns: Vec<Pattern> = places
        .iter()
        .filter_map(|&at| match &set.features[at] {
            Feature::Spatial(spatial) => Some(super::pattern(spatial)),
            _ => None,
        })
        .collect();
    let mut growing = Growing::new(ground, &samples, &patterns);
    for (weight, &at) in growing.weights.iter_mut().zip(&places) {
        *weight = set.weights[at];
    }
    outcome.curve.push(growing.loss(&aside));
    fit(&growing.cases, &ours, &mut growing.weights, 12, rng);
    outcome.curve.push(growing.loss(&aside));
    for (&weight, &at) in growing.weights.iter().zip(&places) {
        outcome.set.weights[at] = weight;
    }
    outcome
}

/// A set while it grows.
struct Growing {
    patterns: Vec<Pattern>,
    weights: Vec<f32>,
    cases: Cases,
}

impl Growing {
    fn new(ground: &Ground, samples: &[&Sample], patterns: &[Pattern]) -> Self {
        Growing {
            patterns: patterns.to_vec(),
            weights: vec![0.0; patterns.len()],
            cases: cases_of(ground, patterns, samples),
        }
    }

    fn loss(&self, samples: &[usize]) -> f64 {
        self.cases.loss(&self.weights, samples.iter().copied())
    }

    fn add(&mut self, ground: &Ground, samples: &[&Sample], patterns: Vec<Pattern>) {
        let more = cases_of(ground, &patterns, samples);
        self.cases = self.cases.joined(&more, self.patterns.len() as u16);
        self.patterns.extend(patterns);
        self.weights.resize(self.patterns.len(), 0.0);
    }
}

/// Takes out features that samples put aside do not miss, then fits what is left once more.
fn prune(set: &mut Growing, (ours, aside): (&[usize], &[usize]), limits: Limits, rng: &mut Rng) {
    fit(&set.cases, ours, &mut set.weights, 6, rng);
    for number in (0..set.patterns.len()).rev() {
        let with = set.loss(aside);
        let weight = std::mem::take(&mut set.weights[number]);
        if set.loss(aside) - with < limits.gain / 4.0 {
            set.patterns.remove(number);
            set.weights.remove(number);
            set.cases = set.cases.without(number as u16);
        } else {
            set.weights[number] = weight;
        }
    }
    fit(&set.cases, ours, &mut set.weights, 10, rng);
}

/// Which patterns hold for which moves.
pub fn cases_of(ground: &Ground, patterns: &[Pattern], samples: &[&Sample]) -> Cases {
    let mut cases = Cases::default();
    let players = 1..=ground.players;
    let of_player =
        |player| Plain::new(ground, patterns, player, Reading::Paper).unwrap_or_default();
    let plain: Vec<Plain> = players.map(of_player).collect();
    for sample in samples {
        let at = |site: u32| sample.at(site);
        let Some(plain) = plain.get(sample.player.index()) else { continue };
        cases.push(sample.target.iter().enumerate().map(|(number, &target)| {
            let active = plain.active(sample.ends(number), Anchoring::Anywhere, at);
            (target, active.collect::<Vec<u32>>())
        }));
    }
    cases
}

/// Of a sample so many moves are looked at: half of them those with the largest errors, the others any.
const LOOKED_MOVES: usize = 40;

/// Samples with the errors of their moves, those with large errors preferred.
fn worst_samples<'s>(
    set: &Growing,
    samples: &[&'s Sample],
    among: &[usize],
    count: usize,
    rng: &mut Rng,
) -> Vec<Looked<'s>> {
    let mut drawn = among.to_vec();
    rng.shuffle(&mut drawn);
    drawn.truncate(2 * count);
    let mut all: Vec<(usize, Vec<f32>)> = drawn
        .into_iter()
        .map(|sample| {
            let mut errors = Vec::new();
            set.cases.errors(sample, &set.weights, &mut errors);
            (sample, errors)
        })
        .collect();
    let size = |errors: &[f32]| errors.iter().map(|error| error.abs()).sum::<f32>();
    all.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
    all.truncate(count);
    let look = |(sample, errors): (usize, Vec<f32>)| {
        let mut moves: Vec<(usize, f32)> = errors.into_iter().enumerate().collect();
        if moves.len() > LOOKED_MOVES {
            moves.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
            rng.shuffle(&mut moves[LOOKED_MOVES / 2..]);
            moves.truncate(LOOKED_MOVES);
        }
        Looked { sample: samples[sample], errors: moves }
    };
    all.into_iter().map(look).collect()
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
        let vocabulary = Vocabulary::new(&ground, 2, true);
        let limits = Limits { features: 6, ..Limits::default() };
        let who = Who::One(0);
        let found = learn(&vocabulary, &ground, &samples, who, &[], limits, &mut rng);
        let texts: Vec<String> =
            found.set.features.iter().map(|f| f.write(Notation::Ludii)).collect();
        let wanted = texts.iter().position(|text| text == "rel:to=<{}>:pat=<els=[f{0}]>");
        let weight =
            wanted.map(|at| found.set.weights[at]).unwrap_or_else(|| panic!("{}", texts.join(" ")));
        assert!((weight - 2.0).abs() < 0.3, "{weight} in {texts:?} {:?}", found.set.weights);
        assert!(found.curve.last() < found.curve.first());
    }
}
