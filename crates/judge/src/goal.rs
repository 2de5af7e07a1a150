//! What a better game would be: wanted numbers, and how near an evaluation comes to them.

use std::collections::BTreeMap;

use crate::JudgeError;
use crate::figure::Figure;

/// Everything that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The wishes.
    pub terms: Vec<Term>,
}

/// One number and what it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The number's name.
    pub metric: String,
    /// What is wanted of it.
    pub wish: Wish,
}

/// What is wanted of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// Between two ends.
    Within(f64, f64),
    /// As large as it can be.
    Large,
}

/// Numbers a goal may name.
const KNOWN: [&str; 18] = [
    "balance",
    "first_seat",
    "draws",
    "unfinished",
    "length",
    "branching",
    "decision_factor",
    "decisions",
    "coverage",
    "repetition",
    "drama",
    "uncertainty",
    "lead_changes",
    "killer_moves",
    "decided_at",
    "clarity",
    "completion",
    "depth",
];

/// Those that are shares, from nought to one.
const SHARES: [&str; 13] = [
    "balance",
    "first_seat",
    "draws",
    "unfinished",
    "decisions",
    "coverage",
    "repetition",
    "drama",
    "uncertainty",
    "decided_at",
    "clarity",
    "completion",
    "depth",
];

/// The first seat of a balanced game for two is so near to one half.
pub const BALANCED: f64 = 0.03;
/// Draws that are put up with where a goal does not speak of them.
const DRAWS: f64 = 0.2;
/// Games that may be given up where a goal does not speak of them: whoever is given up was never beaten.
const UNFINISHED: f64 = 0.05;

impl Goal {
    /// Reads a text such as `balance, length 40..80, depth`.
    pub fn parse(text: &str) -> Result<Goal, JudgeError> {
        let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
        Goal::of(parts.map(term).collect::<Result<Vec<_>, _>>()?)
    }

    /// Reads a table of TOML with a line for each number: `balance = true`, `length = [40, 80]`.
    pub fn from_toml(text: &str) -> Result<Goal, JudgeError> {
        Goal::of(from_toml(text)?)
    }

    fn of(mut terms: Vec<Term>) -> Result<Goal, JudgeError> {
        if terms.is_empty() {
            return Err(JudgeError::Asked(
                "the goal is empty; say something like \"balance, length 40..80, depth\""
                    .to_string(),
            ));
        }
        for (at, term) in terms.iter().enumerate() {
            if terms[..at].iter().any(|other| other.metric == term.metric) {
                let known = if term.metric == "first_seat" { " (`balance` is one)" } else { "" };
                return Err(JudgeError::Asked(format!(
                    "the goal names `{}` twice{known}",
                    term.metric
                )));
            }
        }
        for (metric, most) in [("draws", DRAWS), ("unfinished", UNFINISHED)] {
            if terms.iter().all(|term| term.metric != metric) {
                terms.push(Term { metric: metric.to_string(), wish: Wish::Within(0.0, most) });
            }
        }
        Ok(Goal { terms })
    }

    /// The range wanted of a number, if one is.
    pub fn range(&self, metric: &str) -> Option<(f64, f64)> {
        self.terms.iter().find(|term| term.metric == metric).and_then(|term| match term.wish {
            Wish::Within(low, high) => Some((low, high)),
            Wish::Large => None,
        })
    }

    /// The goal for so many players: where they are more than two, balance is that no two seats are far apart.
    pub fn for_players(mut self, players: usize) -> Goal {
        for term in self.terms.iter_mut().filter(|term| players > 2 && term.is_balance()) {
            term.metric = "balance".to_string();
            term.wish = Wish::Within(1.0 - 2.0 * BALANCED, 1.0);
        }
        self
    }

    /// Whether a number is asked for.
    pub fn wants(&self, metric: &str) -> bool {
        self.terms.iter().any(|term| term.metric == metric)
    }

    /// Whether anything should be as large as it can be; otherwise whoever lies in all ranges is as good as anybody.
    pub fn is_endless(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.wish, Wish::Large))
    }

    /// How near a game comes, from nought to one: the harmonic mean of its terms, so that nothing makes up for what is
    /// missing entirely. Numbers that are not known count as half.
    pub fn quality(&self, metrics: &BTreeMap<String, Figure>) -> f64 {
        let inverse = |term: &Term| {
            let value = metrics.get(&term.metric).map_or(0.5, |figure| term.score(figure.value));
            1.0 / value.max(1e-3)
        };
        self.terms.len() as f64 / self.terms.iter().map(inverse).sum::<f64>()
    }

    /// How likely the true numbers are to lie within the ranges, as far as the intervals tell; an unknown number counts
    /// as half.
    pub fn chance(&self, metrics: &BTreeMap<String, Figure>) -> f64 {
        let of = |term: &Term| match (term.wish, metrics.get(&term.metric)) {
            (Wish::Large, _) => 1.0,
            (Wish::Within(..), None) => 0.5,
            (Wish::Within(low, high), Some(figure)) => {
                // Nothing lies beyond what a number can be: whoever has no draws surely has few enough.
                let low = if low <= 0.0 { f64::NEG_INFINITY } else { low };
                let share = SHARES.contains(&term.metric.as_str());
                let high = if share && high >= 1.0 { f64::INFINITY } else { high };
                within_range(figure, low, high)
            }
        };
        self.terms.iter().map(of).product()
    }

    /// What candidates are ordered by: how near they come, and among those that are equally near who is likelier to
    /// hold the goal when he is judged anew.
    pub fn promise(&self, metrics: &BTreeMap<String, Figure>) -> f64 {
        self.quality(metrics) + self.chance(metrics)
    }

    /// The first term that a game surely misses, in words: its whole interval lies outside.
    pub fn missed(&self, metrics: &BTreeMap<String, Figure>) -> Option<String> {
        self.terms.iter().find_map(|term| {
            let figure = metrics.get(&term.metric)?;
            let (Wish::Within(low, high), Some(from), Some(to)) =
                (term.wish, figure.low, figure.high)
            else {
                return None;
            };
            let surely = from > high || to < low;
            surely.then(|| {
                format!(
                    "{} is {:.3}, surely outside {low}..{high}",
                    term.metric.replace('_', " "),
                    figure.value
                )
            })
        })
    }

    /// Whether every range holds for the estimates.
    pub fn holds(&self, metrics: &BTreeMap<String, Figure>) -> bool {
        self.terms.iter().all(|term| match (term.wish, metrics.get(&term.metric)) {
            (Wish::Within(low, high), Some(figure)) => (low..=high).contains(&figure.value),
            (Wish::Within(..), None) => term.metric == "depth",
            (Wish::Large, _) => true,
        })
    }
}

impl Term {
    /// Whether it is what `balance` says of two players.
    fn is_balance(&self) -> bool {
        self.metric == "first_seat" && self.wish == Wish::Within(0.5 - BALANCED, 0.5 + BALANCED)
    }

    /// How well a value fulfils the wish: one inside the range, falling with the distance from it.
    pub fn score(&self, value: f64) -> f64 {
        match self.wish {
            Wish::Within(low, high) => {
                let off = (low - value).max(value - high).max(0.0);
                // The scale on which a number is far off: shares by themselves, counts by the range.
                let scale = if high <= 1.0 { 0.3 } else { (high - low).max(high / 2.0) };
                (1.0 - off / scale).clamp(0.0, 1.0)
            }
            Wish::Large if value > 1.0 => value / (1.0 + value),
            Wish::Large => value.clamp(0.0, 1.0),
        }
    }
}

/// How likely the true value of a number lies in a range, its interval being one of 95%.
fn within_range(figure: &Figure, low: f64, high: f64) -> f64 {
    let (Some(from), Some(to)) = (figure.low, figure.high) else { return 0.5 };
    let deviation = (to - from) / (2.0 * 1.96);
    if deviation <= 0.0 {
        return f64::from((low..=high).contains(&figure.value));
    }
    // The logistic curve that comes nearest to the normal one.
    let below = |end: f64| 1.0 / (1.0 + (-1.702 * (end - figure.value) / deviation).exp());
    below(high) - below(low)
}

fn unknown(metric: &str) -> JudgeError {
    let near = ludex_game::closest(metric, KNOWN);
    let near = near.map_or(".".to_string(), |near| format!("; did you mean `{near}`?"));
    JudgeError::Asked(format!(
        "a goal cannot speak of `{metric}`{near} There are {}",
        KNOWN.join(", ")
    ))
}

/// A bare balance is a first seat near one half; any other bare number should be large.
fn plain(metric: &str) -> Result<Term, JudgeError> {
    if !KNOWN.contains(&metric) {
        return Err(unknown(metric));
    }
    Ok(match metric {
        "balance" => within("first_seat", 0.5 - BALANCED, 0.5 + BALANCED)?,
        "draws" => within("draws", 0.0, DRAWS)?,
        "unfinished" => within("unfinished", 0.0, UNFINISHED)?,
        _ => Term { metric: metric.to_string(), wish: Wish::Large },
    })
}

fn within(metric: &str, low: f64, high: f64) -> Result<Term, JudgeError> {
    if !KNOWN.contains(&metric) {
        return Err(unknown(metric));
    }
    if SHARES.contains(&metric) && (low < 0.0 || high > 1.0) {
        let share = |end: f64| if end > 1.0 { end / 100.0 } else { end.max(0.0) };
        let meant = format!("{}..{}", share(low), share(high));
        return Err(JudgeError::Asked(format!(
            "`{metric} {low}..{high}`: a share is from 0 to 1: {meant}"
        )));
    }
    if !(low.is_finite() && high.is_finite() && low <= high) {
        let reason = format!("the goal `{metric} {low}..{high}` has no numbers between its ends");
        return Err(JudgeError::Asked(reason));
    }
    Ok(Term { metric: metric.to_string(), wish: Wish::Within(low, high) })
}

fn number(text: &str) -> Result<f64, JudgeError> {
    let (digits, scale) = match text.trim().strip_suffix('%') {
        Some(digits) => (digits, 0.01),
        None => (text.trim(), 1.0),
    };
    let value = digits.trim().parse::<f64>().map(|value| value * scale);
    value.map_err(|_| JudgeError::Asked(format!("`{text}` is not a number in the goal")))
}

fn term(text: &str) -> Result<Term, JudgeError> {
    let (metric, rest) = text.split_once([' ', '<', '>']).unwrap_or((text, ""));
    let metric = metric.trim().replace('-', "_");
    let sign = text[metric.len()..].trim_start().chars().next();
    let rest = rest.trim().trim_start_matches(['<', '>', '=']).trim();
    match (sign, rest.split_once("..")) {
        (None, _) => plain(&metric),
        (_, Some((low, high))) => within(&metric, number(low)?, number(high)?),
        (Some('<'), None) => within(&metric, 0.0, number(rest)?),
        (Some('>'), None) => {
            within(&metric, number(rest)?, if SHARES.contains(&&*metric) { 1.0 } else { 1e9 })
        }
        _ => {
            let (low, high) =
                if SHARES.contains(&&*metric) { ("0.1", "0.2") } else { ("40", "80") };
            Err(JudgeError::Asked(format!(
                "`{text}` is no goal; say `{metric}`, `{metric} {low}..{high}`, `{metric} < {high}` or \
                 `{metric} > {low}`"
            )))
        }
    }
}

fn from_toml(text: &str) -> Result<Vec<Term>, JudgeError> {
    let table: toml::Table =
        toml::from_str(text).map_err(|error| JudgeError::Asked(format!("the goal: {error}")))?;
    let table = match table.get("goal") {
        Some(toml::Value::Table(inner)) => inner.clone(),
        _ => table,
    };
    let read = |(metric, value): (&String, &toml::Value)| {
        let number =
            |value: &toml::Value| value.as_float().or(value.as_integer().map(|n| n as f64));
        match value {
            toml::Value::Boolean(true) => plain(metric),
            toml::Value::Array(ends) => {
                match &ends.iter().filter_map(number).collect::<Vec<_>>()[..] {
                    [low, high] => within(metric, *low, *high),
                    _ => Err(JudgeError::Asked(format!(
                        "the goal `{metric}` needs two numbers: [low, high]"
                    ))),
                }
            }
            _ => Err(JudgeError::Asked(format!("the goal `{metric}` is `true` or [low, high]"))),
        }
    };
    table.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Origin;

    #[test]
    fn goals_are_read() {
        let goal = Goal::parse("balance, length 40..80, depth").unwrap();
        assert_eq!(goal.range("first_seat"), Some((0.47, 0.53)));
        assert_eq!(goal.range("length"), Some((40.0, 80.0)));
        assert_eq!(goal.range("draws"), Some((0.0, 0.2)));
        assert!(goal.wants("depth"));
        assert_eq!(goal.range("unfinished"), Some((0.0, 0.05)));
        let toml =
            Goal::from_toml("[goal]\nbalance = true\nlength = [40, 80]\ndepth = true").unwrap();
        assert_eq!(toml.range("length"), goal.range("length"));
        assert_eq!(Goal::parse("draws < 5%").unwrap().range("draws"), Some((0.0, 0.05)));
        let three = goal.clone().for_players(3);
        assert_eq!((three.range("first_seat"), three.range("balance")), (None, Some((0.94, 1.0))));
        assert_eq!(goal.clone().for_players(2), goal);
        let signs = Goal::parse("length <= 80, draws <= 10%, drama >= 0.1").unwrap();
        assert_eq!(signs.range("length"), Some((0.0, 80.0)));
        assert_eq!(signs.range("draws"), Some((0.0, 0.1)));
        assert_eq!(signs.range("drama"), Some((0.1, 1.0)));
    }

    #[test]
    fn bad_goals_are_refused_in_words() {
        let fault = |text: &str| Goal::parse(text).unwrap_err().to_string();
        assert!(fault("").contains("the goal is empty"));
        assert!(fault("balanse").contains("did you mean `balance`"));
        assert!(fault("length 80..40").contains("no numbers between"));
        assert!(fault("length many").contains("is no goal"));
        assert!(fault("length x..y").contains("not a number"));
        assert!(fault("length = 3").contains("is no goal"));
        assert!(fault("first_seat 47..53").contains("a share is from 0 to 1: 0.47..0.53"));
        assert!(fault("draws < 5").contains("a share is from 0 to 1: 0..0.05"));
        assert!(fault("length 4..8, length 9..12").contains("names `length` twice"));
        assert!(fault("balance, first_seat 40%..60%").contains("`balance` is one"));
        let table = Goal::from_toml("length = 3").unwrap_err().to_string();
        assert!(table.contains("[low, high]"), "{table}");
    }

    #[test]
    fn quality_by_hand() {
        let goal = Goal {
            terms: vec![
                within("first_seat", 0.47, 0.53).unwrap(),
                within("length", 40.0, 80.0).unwrap(),
            ],
        };
        let origin = Origin { agent: "uct".into(), seed: 1 };
        let with = |seat: f64, length: f64| -> BTreeMap<String, Figure> {
            let figure =
                |value: f64| origin.figure(value, Some(value - 0.01), Some(value + 0.01), 9);
            [("first_seat".to_string(), figure(seat)), ("length".to_string(), figure(length))]
                .into()
        };
        assert_eq!(goal.quality(&with(0.5, 60.0)), 1.0);
        // Off by 0.15 on a scale of 0.3: half; the harmonic mean of 1/2 and 1 is 2/3.
        assert!((goal.quality(&with(0.68, 60.0)) - 2.0 / 3.0).abs() < 1e-9);
        assert!(goal.holds(&with(0.53, 40.0)) && !goal.holds(&with(0.54, 40.0)));
        assert!(goal.missed(&with(0.535, 60.0)).is_none(), "the interval still reaches the range");
        // The deviation is 0.0051: the middle of the range is six of them from both ends, an end is on one.
        assert!((goal.chance(&with(0.5, 60.0)) - 1.0).abs() < 1e-3);
        assert!((goal.chance(&with(0.53, 60.0)) - 0.5).abs() < 1e-3);
        assert!(goal.chance(&with(0.6, 60.0)) < 1e-6);
        let draws = Goal { terms: vec![within("draws", 0.0, 0.2).unwrap()] };
        let none =
            BTreeMap::from([("draws".to_string(), origin.figure(0.0, Some(0.0), Some(0.05), 80))]);
        assert!(draws.chance(&none) > 0.999, "there are no fewer draws than none");
        let unknown = BTreeMap::from([("length".to_string(), origin.figure(60.0, None, None, 9))]);
        assert_eq!(goal.chance(&unknown), 0.25);
        assert!(goal.promise(&with(0.5, 60.0)) > goal.promise(&with(0.525, 60.0)));
        assert!(goal.missed(&with(0.6, 60.0)).unwrap().contains("first seat"));
    }
}
