//! Whether two seeds say the same: how alike the numbers of two evaluations of the same games rank those games.

use std::collections::{BTreeMap, BTreeSet};

use crate::Figure;

/// The numbers of one game under two seeds.
pub type Pair = [BTreeMap<String, Figure>; 2];

/// How alike one number ranks games under two seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The number's name.
    pub name: String,
    /// Games that have it under both seeds without a warning.
    pub sound: usize,
    /// Spearman's rank correlation over those; nothing where they are too few, or all alike.
    pub of_sound: Option<f64>,
    /// Games that have it under both seeds.
    pub games: usize,
    /// The correlation over all of them.
    pub of_all: Option<f64>,
}

/// A rank correlation of fewer games than this says nothing.
pub const FEWEST: usize = 5;

/// What two seeds make of every number that any game has.
pub fn agreements(pairs: &[Pair]) -> Vec<Agreement> {
    let names: BTreeSet<&String> = pairs.iter().flatten().flat_map(BTreeMap::keys).collect();
    let of = |name: &String| {
        let both = pairs.iter().filter_map(|[one, two]| Some((one.get(name)?, two.get(name)?)));
        let both: Vec<(&Figure, &Figure)> = both.collect();
        let sound =
            |(one, two): &&(&Figure, &Figure)| one.warning.is_none() && two.warning.is_none();
        let values = |(one, two): &(&Figure, &Figure)| (one.value, two.value);
        let relied: Vec<(f64, f64)> = both.iter().filter(sound).map(values).collect();
        let all: Vec<(f64, f64)> = both.iter().map(values).collect();
        Agreement {
            name: name.clone(),
            sound: relied.len(),
            of_sound: spearman(&relied),
            games: all.len(),
            of_all: spearman(&all),
        }
    };
    names.into_iter().map(of).collect()
}

/// Numbers without a warning in each game, the game with the fewest first: how many there are under both seeds.
pub fn sound_numbers(pairs: &[Pair]) -> Vec<usize> {
    let sound = |[one, two]: &Pair| {
        let relied = |(name, figure): &(&String, &Figure)| {
            let other = two.get(*name).is_some_and(|other| other.warning.is_none());
            figure.warning.is_none() && other
        };
        one.iter().filter(relied).count()
    };
    let mut counts: Vec<usize> = pairs.iter().map(sound).collect();
    counts.sort_unstable();
    counts
}

/// Spearman's rank correlation: Pearson's of the ranks, those that are equal having the mean of their places.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < FEWEST {
        return None;
    }
    let (ones, twos): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (ones, twos) = (ranks(&ones), ranks(&twos));
    // The mean rank, ties or not.
    let middle = (pairs.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum()
    };
    let spread = (product(&ones, &ones) * product(&twos, &twos)).sqrt();
    (spread > 0.0).then(|| product(&ones, &twos) / spread)
}

/// Equal within the precision that tables show: sums of the same numbers in another order differ in the last digits.
const SAME: f64 = 1e-9;

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let close = |at: &usize| values[order[*at]] - values[order[first]] <= SAME;
        let last = (first..order.len()).take_while(close).last().unwrap_or(first);
        for &at in &order[first..=last] {
            ranks[at] = (first + last) as f64 / 2.0;
        }
        first = last + 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Origin;

    #[test]
    fn ranks_and_their_correlation_by_hand() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
        let pairs = |twos: [f64; 5]| -> Vec<(f64, f64)> {
            [1.0, 2.0, 3.0, 4.0, 5.0].into_iter().zip(twos).collect()
        };
        assert_eq!(spearman(&pairs([10.0, 20.0, 30.0, 40.0, 500.0])), Some(1.0));
        assert_eq!(spearman(&pairs([5.0, 4.0, 3.0, 2.0, 1.0])), Some(-1.0));
        // Two neighbours changed places: 1 − 6 · 2 / (5 · 24).
        assert!((spearman(&pairs([2.0, 1.0, 3.0, 4.0, 5.0])).unwrap() - 0.9).abs() < 1e-12);
        assert_eq!(spearman(&pairs([1.0; 5])), None, "all alike are in no order");
        assert_eq!(spearman(&[(1.0, 1.0); 4]), None, "too few");
    }

    #[test]
    fn what_carries_a_warning_is_counted_apart() {
        let origin = Origin { agent: "uct".to_string(), seed: 1 };
        let game = |one: f64, two: f64, warning: Option<&str>| -> Pair {
            let numbers = |value: f64| {
                let mut figure = origin.figure(value, None, None, 9);
                figure.warning = warning.map(str::to_string);
                BTreeMap::from([("length".to_string(), figure)])
            };
            [numbers(one), numbers(two)]
        };
        let mut pairs: Vec<Pair> = (0..6).map(|n| game(f64::from(n), f64::from(n), None)).collect();
        pairs.push(game(9.0, -9.0, Some("too wide")));
        pairs.push([BTreeMap::new(), BTreeMap::new()]);
        let [length] = &agreements(&pairs)[..] else { panic!("one number") };
        assert_eq!((length.sound, length.games), (6, 7));
        assert_eq!(length.of_sound, Some(1.0));
        // The last game is last by one seed and first by the other, all others are one place off: 7 of 28.
        assert!((length.of_all.unwrap() - 0.25).abs() < 1e-12, "{length:?}");
        assert_eq!(sound_numbers(&pairs), [0, 0, 1, 1, 1, 1, 1, 1]);
    }
}
