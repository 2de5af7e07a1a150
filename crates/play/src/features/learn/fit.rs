//! Weights that make a softmax over features come near to what a search thought.

use ludex_game::Rng;

/// Which features hold for which moves of which samples, in flat arrays.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// Where the moves of each sample end.
    samples: Vec<u32>,
    /// Where the features of each move end.
    moves: Vec<u32>,
    features: Vec<u16>,
    targets: Vec<f32>,
}

impl Cases {
    /// Adds a sample: for each move its share and the features that hold for it.
    pub fn push<A: IntoIterator<Item = u32>>(&mut self, moves: impl Iterator<Item = (f32, A)>) {
        for (target, active) in moves {
            self.targets.push(target);
            self.features.extend(active.into_iter().map(|feature| feature as u16));
            self.moves.push(self.features.len() as u32);
        }
        self.samples.push(self.moves.len() as u32);
    }

    /// The same samples with more features: those of `other` are numbered after the first `before` ones.
    pub fn joined(&self, other: &Cases, before: u16) -> Cases {
        let mut cases = Cases {
            samples: self.samples.clone(),
            targets: self.targets.clone(),
            moves: Vec::with_capacity(self.moves.len()),
            features: Vec::with_capacity(self.features.len() + other.features.len()),
        };
        for number in 0..self.moves.len() {
            cases.features.extend_from_slice(self.active(number));
            cases.features.extend(other.active(number).iter().map(|feature| feature + before));
            cases.moves.push(cases.features.len() as u32);
        }
        cases
    }

    /// The same samples without a feature; those after it move up.
    pub fn without(&self, gone: u16) -> Cases {
        let mut cases = Cases {
            samples: self.samples.clone(),
            targets: self.targets.clone(),
            moves: Vec::with_capacity(self.moves.len()),
            features: Vec::with_capacity(self.features.len()),
        };
        for number in 0..self.moves.len() {
            let kept = self.active(number).iter().filter(|&&feature| feature != gone);
            cases.features.extend(kept.map(|&feature| feature - u16::from(feature > gone)));
            cases.moves.push(cases.features.len() as u32);
        }
        cases
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The features of a move, counted over all samples.
    fn active(&self, number: usize) -> &[u16] {
        let start = if number == 0 { 0 } else { self.moves[number - 1] };
        &self.features[start as usize..self.moves[number] as usize]
    }

    fn moves_of(&self, sample: usize) -> std::ops::Range<usize> {
        let start = if sample == 0 { 0 } else { self.samples[sample - 1] };
        start as usize..self.samples[sample] as usize
    }

    /// The probabilities of a sample's moves.
    pub fn probabilities(&self, sample: usize, weights: &[f32], out: &mut Vec<f32>) {
        out.clear();
        let moves = self.moves_of(sample);
        let sum = |number| self.active(number).iter().map(|&f| weights[f as usize]).sum::<f32>();
        out.extend(moves.map(sum));
        let top = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        out.iter_mut().for_each(|weight| *weight = (*weight - top).exp());
        let total: f32 = out.iter().sum();
        out.iter_mut().for_each(|odds| *odds /= total);
    }

    /// The mean cross-entropy of some samples.
    pub fn loss(&self, weights: &[f32], samples: impl Iterator<Item = usize>) -> f64 {
        let (mut sum, mut count, mut odds) = (0.0, 0usize, Vec::new());
        for sample in samples {
            self.probabilities(sample, weights, &mut odds);
            for (p, number) in odds.iter().zip(self.moves_of(sample)) {
                sum -= f64::from(self.targets[number]) * f64::from(p.max(1e-12)).ln();
            }
            count += 1;
        }
        sum / count.max(1) as f64
    }

    /// For each move of a sample how much less it was thought of than it should have been.
    pub fn errors(&self, sample: usize, weights: &[f32], out: &mut Vec<f32>) {
        self.probabilities(sample, weights, out);
        for (p, number) in out.iter_mut().zip(self.moves_of(sample)) {
            *p = self.targets[number] - *p;
        }
    }
}

/// How strongly weights are drawn to nought.
const DECAY: f32 = 1e-4;
/// The first steps' size.
const STEP: f32 = 0.3;

/// Improves weights by so many passes over samples in random order (Adagrad on the cross-entropy).
pub fn fit(cases: &Cases, samples: &[usize], weights: &mut [f32], passes: usize, rng: &mut Rng) {
    let mut squares = vec![1e-3f32; weights.len()];
    let mut order = samples.to_vec();
    let (mut errors, mut gradient) = (Vec::new(), vec![0.0f32; weights.len()]);
    for _ in 0..passes {
        rng.shuffle(&mut order);
        for &sample in &order {
            cases.errors(sample, weights, &mut errors);
            for (&error, number) in errors.iter().zip(cases.moves_of(sample)) {
                for &feature in cases.active(number) {
                    gradient[feature as usize] += error;
                }
            }
            for ((weight, square), slope) in weights.iter_mut().zip(&mut squares).zip(&mut gradient)
            {
                let slope = std::mem::take(slope) - DECAY * *weight;
                *square += slope * slope;
                *weight += STEP * slope / square.sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_near_to_the_shares_they_are_learned_from() {
        // Two moves; the first has the feature and three quarters of the simulations.
        let mut cases = Cases::default();
        for _ in 0..200 {
            cases.push([(0.75, vec![0u32]), (0.25, vec![])].into_iter());
        }
        let samples: Vec<usize> = (0..200).collect();
        let mut weights = vec![0.0];
        fit(&cases, &samples, &mut weights, 20, &mut Rng::seeded(1));
        assert!((weights[0] - 3f32.ln()).abs() < 0.05, "{weights:?}");
        assert!(cases.loss(&weights, 0..200) < cases.loss(&[0.0], 0..200));
    }
}
