//! How sure a result is: intervals, rating differences, and tests that stop as soon as they know.

use serde::{Deserialize, Serialize};

/// The 97.5% point of the normal distribution, for 95% intervals.
const Z: f64 = 1.959_963_984_540_054;

/// The points one side made over some matches, each between zero and one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// How many matches.
    pub matches: u64,
    /// The sum of the points.
    pub points: f64,
    /// Matches that gave the whole point.
    pub wins: u64,
    /// Matches that gave something between nothing and the whole point.
    pub draws: u64,
    /// Matches that gave nothing.
    pub losses: u64,
    /// The sum of the squares of the points.
    squares: f64,
}

/// How an interval was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Wilson's score interval: every match was won or lost.
    Wilson,
    /// The normal approximation of a mean, after as many more wins and losses as make Wilson's interval
    /// symmetric: some matches were tied. (Without them two draws would be known to the last digit.)
    Adjusted,
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Method::Wilson => "Wilson",
            Method::Adjusted => "adjusted",
        })
    }
}

/// A 95% interval for the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How it was computed.
    pub method: Method,
}

impl Interval {
    /// Half its width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a value lies inside.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Whether two intervals have a value in common.
    pub fn overlaps(&self, low: f64, high: f64) -> bool {
        self.low <= high && low <= self.high
    }
}

/// Wilson's 95% interval of a mean of so many payoffs from 0 to 1; everything that is possible where there are none.
pub fn wilson(mean: f64, count: u64) -> Interval {
    let mean = mean.clamp(0.0, 1.0);
    let (middle, half) = match count {
        0 => (0.5, 0.5),
        _ => wilson_parts(mean, count as f64),
    };
    Interval {
        low: (middle - half).max(0.0),
        high: (middle + half).min(1.0),
        method: Method::Wilson,
    }
}

/// Middle and half width of Wilson's score interval.
fn wilson_parts(mean: f64, n: f64) -> (f64, f64) {
    let scale = 1.0 + Z * Z / n;
    let spread = (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((mean + Z * Z / (2.0 * n)) / scale, Z * spread / scale)
}

impl Tally {
    /// Takes in the points of one match.
    pub fn add(&mut self, points: f64) {
        self.matches += 1;
        self.points += points;
        self.squares += points * points;
        let kind = match points {
            0.0 => &mut self.losses,
            1.0 => &mut self.wins,
            _ => &mut self.draws,
        };
        *kind += 1;
    }

    /// Takes in the matches of another tally.
    pub fn join(&mut self, other: &Tally) {
        self.matches += other.matches;
        self.points += other.points;
        self.squares += other.squares;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// The mean; nothing where nothing was played.
    pub fn mean(&self) -> Option<f64> {
        (self.matches > 0).then(|| self.points / self.matches as f64)
    }

    /// The variance of one match's points, as estimated from these.
    pub fn variance(&self) -> f64 {
        if self.matches < 2 {
            return 0.25;
        }
        let n = self.matches as f64;
        ((self.squares - self.points * self.points / n) / (n - 1.0)).max(0.0)
    }

    /// The 95% interval of the mean: Wilson's where every match had a winner, an adjusted one for averages,
    /// everything that is possible where nothing was played.
    pub fn interval(&self) -> Interval {
        let method = if self.draws > 0 { Method::Adjusted } else { Method::Wilson };
        let Some(mean) = self.mean() else { return Interval { low: 0.0, high: 1.0, method } };
        let (middle, half) = match method {
            Method::Wilson => wilson_parts(mean, self.matches as f64),
            Method::Adjusted => self.adjusted(),
        };
        // The ends of a clean sheet are exact; rounding must not make thousands of rating points of them.
        let low = if self.wins + self.draws == 0 { 0.0 } else { (middle - half).clamp(0.0, mean) };
        let high =
            if self.losses + self.draws == 0 { 1.0 } else { (middle + half).clamp(mean, 1.0) };
        Interval { low, high, method }
    }

    /// Middle and half width of the normal interval with `Z² / 2` wins and as many losses more.
    fn adjusted(&self) -> (f64, f64) {
        let more = Z * Z / 2.0;
        let n = self.matches as f64 + 2.0 * more;
        let (points, squares) = (self.points + more, self.squares + more);
        let variance = ((squares - points * points / n) / (n - 1.0)).max(0.0);
        (points / n, Z * (variance / n).sqrt())
    }

    /// The rating difference this mean stands for, with its 95% interval; infinite for clean sheets.
    pub fn elo(&self) -> Option<(f64, f64, f64)> {
        let interval = self.interval();
        Some((elo(self.mean()?), elo(interval.low), elo(interval.high)))
    }
}

/// The rating difference at which a player's mean result is `mean`.
pub fn elo(mean: f64) -> f64 {
    400.0 * (mean / (1.0 - mean)).log10()
}

/// The mean result expected at a rating difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test of "the difference is `elo1`" against "it is `elo0`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
    /// How often the alternative may be accepted wrongly.
    pub alpha: f64,
    /// How often the null hypothesis may be accepted wrongly.
    pub beta: f64,
}

/// What a sequential test knows so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing yet.
    GoOn,
    /// The null hypothesis.
    AcceptNull,
    /// The alternative.
    AcceptAlternative,
}

impl Sprt {
    /// The logarithm of the likelihood ratio, by the normal approximation of the points' mean (the
    /// generalised test, which ties and uneven points do not disturb).
    pub fn log_ratio(&self, tally: &Tally) -> f64 {
        let variance = tally.variance();
        let Some(mean) = tally.mean() else { return 0.0 };
        if tally.matches < 2 || variance <= 0.0 {
            return self.log_ratio_of_clean_sheet(tally);
        }
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        tally.matches as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Where all matches gave the same points there is no variance to estimate; each is then one toss.
    fn log_ratio_of_clean_sheet(&self, tally: &Tally) -> f64 {
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        let lost = tally.matches as f64 - tally.points;
        tally.points * (high / low).ln() + lost * ((1.0 - high) / (1.0 - low)).ln()
    }

    /// The ratios at which the test ends: below the first for the null hypothesis, above the second for
    /// the alternative.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What is known after these matches.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (ratio, (low, high)) = (self.log_ratio(tally), self.bounds());
        if ratio >= high {
            Verdict::AcceptAlternative
        } else if ratio <= low {
            Verdict::AcceptNull
        } else {
            Verdict::GoOn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(won: u64, tied: u64, lost: u64) -> Tally {
        let mut tally = Tally::default();
        (0..won).for_each(|_| tally.add(1.0));
        (0..tied).for_each(|_| tally.add(0.5));
        (0..lost).for_each(|_| tally.add(0.0));
        tally
    }

    #[test]
    fn wilson_by_the_book() {
        // 81 of 263: the interval of Newcombe's comparison of methods (1998), table I.
        let interval = tally(81, 0, 182).interval();
        assert_eq!(interval.method, Method::Wilson);
        assert!((interval.low - 0.2553).abs() < 1e-4 && (interval.high - 0.3662).abs() < 1e-4);
        let none = tally(0, 0, 20).interval();
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 1e-4);
    }

    #[test]
    fn averages_use_the_adjusted_interval() {
        let tally = tally(40, 20, 40);
        let interval = tally.interval();
        assert_eq!(interval.method, Method::Adjusted);
        // By hand: 103.84 matches with a quarter of variance each but for the draws.
        let half = 1.96 * (0.25f64 * 83.8415 / 102.8415 / 103.8415).sqrt();
        assert!((interval.half_width() - half).abs() < 1e-4, "{interval:?}");
        assert!(interval.contains(0.5));
    }

    #[test]
    fn small_samples_are_not_overrated() {
        let lost = tally(0, 0, 6);
        let (elo, low, high) = lost.elo().unwrap();
        assert_eq!((elo, low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!((high + 77.0).abs() < 1.0, "{high}");
        let won = tally(6, 0, 0).elo().unwrap();
        assert_eq!((won.0, won.2), (f64::INFINITY, f64::INFINITY));
        for draws in [1, 2, 6] {
            let interval = tally(0, draws, 0).interval();
            assert!(interval.high - interval.low > 0.3, "{draws} draws: {interval:?}");
            assert!(interval.contains(0.5));
        }
        let none = tally(0, 0, 0);
        assert_eq!((none.mean(), none.elo()), (None, None));
        assert_eq!((none.interval().low, none.interval().high), (0.0, 1.0));
    }

    /// Whoever wins a third, draws a third and loses a third has a half; intervals of few matches must say
    /// so about as often as they claim.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut rng = ludex_game::Rng::seeded(11);
        for matches in [2, 5, 10, 40] {
            let holds = |_: &u32| {
                let mut tally = Tally::default();
                (0..matches).for_each(|_| tally.add(f64::from(rng.below(3)) / 2.0));
                tally.interval().contains(0.5)
            };
            let held = (0..2000).filter(holds).count();
            assert!(held >= 1860, "{held} of 2000 with {matches} matches");
        }
    }

    #[test]
    fn ratings_and_results_are_inverse() {
        assert!((elo(expected(37.0)) - 37.0).abs() < 1e-9);
        assert!((elo(0.64) - 99.95).abs() < 0.01);
    }

    #[test]
    fn the_sequential_test_ends_on_the_right_side() {
        let test = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(test.verdict(&tally(1, 0, 0)), Verdict::GoOn);
        assert_eq!(test.verdict(&tally(220, 20, 160)), Verdict::AcceptAlternative);
        assert_eq!(test.verdict(&tally(200, 20, 220)), Verdict::AcceptNull);
        assert_eq!(test.verdict(&tally(30, 0, 0)), Verdict::AcceptAlternative);
        assert_eq!(test.verdict(&tally(0, 0, 30)), Verdict::AcceptNull);
    }

    #[test]
    fn the_sequential_test_is_wrong_as_seldom_as_it_says() {
        let test = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
        let mut rng = ludex_game::Rng::seeded(9);
        for (truth, expected_verdict) in
            [(0.0, Verdict::AcceptNull), (100.0, Verdict::AcceptAlternative)]
        {
            let mut wrong = 0;
            for _ in 0..400 {
                let mut tally = Tally::default();
                let verdict = loop {
                    tally.add(f64::from(u8::from(rng.unit() < expected(truth))));
                    match test.verdict(&tally) {
                        Verdict::GoOn => {}
                        verdict => break verdict,
                    }
                };
                wrong += u32::from(verdict != expected_verdict);
            }
            assert!(wrong < 40, "{wrong} of 400 at {truth}");
        }
    }
}
