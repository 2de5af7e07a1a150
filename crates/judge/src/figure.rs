//! Numbers that say how sure they are.

use ludex_arena::stats::Tally;
use serde::{Deserialize, Serialize};

/// The 97.5% point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A number with its 95% interval and where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval; nothing where it cannot be known.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many games, or other things, it was estimated from.
    pub games: u64,
    /// Who played them.
    pub agent: String,
    /// The seed of everything random.
    pub seed: u64,
    /// Where it lies among library games of the same kind, in percent, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percentile: Option<f64>,
    /// Why not to rely on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Who played and by which seed; every figure of a sample has the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The agent with its budget.
    pub agent: String,
    /// The seed.
    pub seed: u64,
}

impl Origin {
    /// A figure from here with a given interval.
    pub fn figure(&self, value: f64, low: Option<f64>, high: Option<f64>, games: u64) -> Figure {
        let finite = |end: Option<f64>| end.filter(|end| end.is_finite());
        Figure {
            value,
            low: finite(low),
            high: finite(high),
            games,
            agent: self.agent.clone(),
            seed: self.seed,
            percentile: None,
            warning: None,
        }
    }

    /// A share of games, or a mean of numbers between nought and one; nothing where there were none.
    pub fn share(&self, tally: &Tally) -> Option<Figure> {
        let (value, interval) = (tally.mean()?, tally.interval());
        Some(self.figure(value, Some(interval.low), Some(interval.high), tally.matches))
    }

    /// A mean of any numbers.
    pub fn mean(&self, moments: &Moments) -> Option<Figure> {
        let (value, half) = (moments.mean()?, moments.half_width());
        let low = half.map(|half| (value - half).max(moments.least.min(0.0)));
        Some(self.figure(value, low, half.map(|half| value + half), moments.count))
    }
}

impl Figure {
    /// Says why not to rely on it, beside what is said already.
    pub fn warn(&mut self, why: String) {
        self.warning = Some(match self.warning.take() {
            Some(other) => format!("{why}; {other}"),
            None => why,
        });
    }

    /// Whether the intervals of two figures have nothing in common.
    pub fn differs(&self, other: &Figure) -> bool {
        match (self.low, self.high, other.low, other.high) {
            (Some(low), Some(high), Some(theirs_low), Some(theirs_high)) => {
                high < theirs_low || theirs_high < low
            }
            _ => false,
        }
    }
}

/// Count, sum and squares of some numbers: all that a mean and its interval need.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// How many.
    pub count: u64,
    sum: f64,
    squares: f64,
    /// The least of them.
    pub least: f64,
    /// The largest of them.
    pub most: f64,
}

impl Default for Moments {
    fn default() -> Self {
        // Finite, because infinity has no form in the store.
        Moments { count: 0, sum: 0.0, squares: 0.0, least: f64::MAX, most: f64::MIN }
    }
}

impl Moments {
    /// Takes in a number.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    /// Takes in the numbers of another.
    pub fn join(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    /// The mean, if there is anything.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The standard deviation of one number, as estimated from these.
    pub fn deviation(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 1)
            .then(|| ((self.squares - self.sum * self.sum / n) / (n - 1.0)).max(0.0).sqrt())
    }

    /// Half the width of the 95% interval of the mean, by Student's distribution.
    pub fn half_width(&self) -> Option<f64> {
        Some(student(self.count - 1) * self.deviation()? / (self.count as f64).sqrt())
    }
}

/// The 97.5% point of Student's distribution: exact for few degrees of freedom, where the expansion around the
/// normal distribution (Abramowitz and Stegun 26.7.5) is not.
fn student(degrees: u64) -> f64 {
    const FEW: [f64; 9] =
        [12.706_2, 4.302_65, 3.182_45, 2.776_45, 2.570_58, 2.446_91, 2.364_62, 2.306, 2.262_16];
    if let Some(&exact) = FEW.get((degrees.max(1) - 1) as usize) {
        return exact;
    }
    let (v, z3, z5) = (degrees as f64, Z.powi(3), Z.powi(5));
    let z7 = Z.powi(7);
    Z + (z3 + Z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * v.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_by_hand() {
        let mut moments = Moments::default();
        [2.0, 4.0, 6.0].iter().for_each(|&value| moments.add(value));
        assert_eq!(moments.mean(), Some(4.0));
        assert_eq!(moments.deviation(), Some(2.0));
        // 4.30265 deviations of the mean for two degrees of freedom.
        let half = moments.half_width().unwrap();
        assert!((half - 4.302_65 * 2.0 / 3f64.sqrt()).abs() < 1e-9, "{half}");
        assert_eq!((moments.least, moments.most), (2.0, 6.0));
    }

    #[test]
    fn students_points_are_those_of_the_tables() {
        for (degrees, point) in [(1, 12.706), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)] {
            assert!((student(degrees) - point).abs() < 2e-3, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn one_number_has_no_interval() {
        let mut one = Moments::default();
        one.add(3.0);
        let figure = Origin { agent: "random".into(), seed: 1 }.mean(&one).unwrap();
        assert_eq!((figure.value, figure.low, figure.high), (3.0, None, None));
    }
}
