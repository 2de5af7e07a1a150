//! The numbers of an evaluation by name.

use std::collections::BTreeMap;

use ludex_arena::stats::Tally;

use crate::evaluate::Evidence;
use crate::figure::{Figure, Origin};
use crate::ladder;
use crate::observe::Counted;
use crate::spread::Spread;

/// Fewer games than this do not make a number that can be relied on.
const FEW: u64 = 100;

/// All numbers. Plain names are of the highest tier's main sample; `random_` stands before those of random games
/// where there are others.
pub fn all(evidence: &Evidence, random: &Origin, main: &Origin) -> BTreeMap<String, Figure> {
    let mut out = Table::default();
    match &evidence.searched {
        None => {
            out.results("", &evidence.random, random);
            out.turns("", &evidence.random, random);
        }
        Some(searched) => {
            out.results("random_", &evidence.random, random);
            out.turns("random_", &evidence.random, random);
            out.results("", &searched.results, main);
            out.turns("", &searched.counted, main);
            for (name, tally) in [
                ("drama", &searched.drama),
                ("uncertainty", &searched.uncertainty),
                ("decided_at", &searched.decided_at),
                ("permanence", &searched.permanence),
                ("clarity", &searched.clarity),
            ] {
                out.add(name, main.share(tally));
            }
            out.add("lead_changes", main.mean(&searched.lead_changes));
            out.add("killer_moves", main.mean(&searched.killers));
            out.by_budget(evidence, main);
        }
    }
    if let Some(first) = &evidence.first_moves {
        let origin =
            Origin { agent: format!("{} (at the start, ×4)", main.agent), ..main.clone() };
        out.add("first_move_spread", origin.mean(&first.spread));
        out.add("good_first_moves", origin.mean(&first.good));
    }
    out.dead(evidence, random);
    out.ladder(evidence, main);
    out.width(evidence);
    out.0
}

#[derive(Default)]
struct Table(BTreeMap<String, Figure>);

impl Table {
    fn add(&mut self, name: &str, figure: Option<Figure>) {
        if let Some(mut figure) = figure {
            if figure.games < FEW {
                figure.warn(format!("from {} only", figure.games));
            }
            self.0.insert(name.to_string(), figure);
        }
    }

    /// Intervals that take in too many games of the library.
    fn width(&mut self, evidence: &Evidence) {
        let spread = Spread::shipped();
        for (name, figure) in &mut self.0 {
            // Where nobody searched, plain names are those of random games.
            let random = format!("random_{name}");
            let known = if evidence.searched.is_some() { name } else { &random };
            if let Some(wide) = spread.warning(known, figure) {
                figure.warn(wide);
            }
        }
    }

    /// Who won how often, and how long it took.
    fn results(&mut self, prefix: &str, counted: &Counted, origin: &Origin) {
        let name = |name: &str| format!("{prefix}{name}");
        if counted.seats.len() > 1 {
            for (seat, tally) in counted.seats.iter().enumerate() {
                self.add(&name(&format!("seat_{}", seat + 1)), origin.share(tally));
            }
            let first = counted.seats.first().and_then(|tally| origin.share(tally));
            self.add(&name("first_seat"), first);
            self.add(&name("completion"), origin.share(&counted.won));
            self.add(&name("draws"), origin.share(&counted.draws));
            let balance = counted.balance().map(|(value, half)| {
                let (low, high) = ((value - half).max(0.0), (value + half).min(1.0));
                origin.figure(value, Some(low), Some(high), counted.games)
            });
            self.add(&name("balance"), balance);
        } else if let Some(tally) = counted.seats.first() {
            self.add(&name("score"), origin.share(tally));
        }
        self.add(&name("unfinished"), origin.share(&counted.unfinished));
    }

    /// What turns, boards and lengths were like.
    fn turns(&mut self, prefix: &str, counted: &Counted, origin: &Origin) {
        let name = |name: &str| format!("{prefix}{name}");
        self.add(&name("length"), origin.mean(&counted.plies));
        self.add(&name("branching"), origin.mean(&counted.branching));
        self.add(&name("decision_factor"), origin.mean(&counted.choice));
        self.add(&name("decisions"), origin.share(&counted.decisions));
        self.add(&name("coverage"), origin.share(&counted.coverage));
        self.add(&name("repetition"), origin.share(&counted.repetition));
        if let (Some(plies), Some(branching)) = (counted.plies.mean(), counted.branching.mean()) {
            let (p, b) = (counted.plies.half_width(), counted.branching.half_width());
            let size = |plies: f64, branching: f64| plies.max(0.0) * branching.max(1.0).log10();
            let ends = p
                .zip(b)
                .map(|(p, b)| (size(plies - p, branching - b), size(plies + p, branching + b)));
            let (low, high) = (ends.map(|ends| ends.0), ends.map(|ends| ends.1));
            let tree = origin.figure(size(plies, branching), low, high, counted.games);
            self.add(&name("game_tree"), Some(tree));
        }
        self.add(&name("opening_variety"), variety(counted, origin));
    }

    fn by_budget(&mut self, evidence: &Evidence, main: &Origin) {
        let Some((_, last)) = main.agent.split_once(" at ") else { return };
        let agent = main.agent.trim_end_matches(last).to_string();
        for (budget, results) in &evidence.by_budget {
            let origin = Origin { agent: format!("{agent}{budget} simulations"), ..main.clone() };
            let first = results.seats.first().filter(|_| results.seats.len() > 1);
            self.add(
                &format!("first_seat_at_{budget}"),
                first.and_then(|tally| origin.share(tally)),
            );
        }
    }

    /// What was never used in the games that were looked at: so much may be dead, or only rare.
    fn dead(&mut self, evidence: &Evidence, origin: &Origin) {
        let at_most = |count: usize, most: usize, games: u64| {
            origin.figure(count as f64, Some(0.0), Some(most as f64), games)
        };
        let looked = evidence.random.looked();
        let (pieces, sites) = (evidence.dead_pieces.len(), evidence.dead_sites.len());
        self.add("dead_pieces", Some(at_most(pieces, pieces, looked)));
        self.add("dead_sites", Some(at_most(sites, sites, looked)));
        if let Some(rules) = &evidence.rules {
            let dead = rules.dead.len();
            let mut figure = at_most(dead, dead + rules.untried as usize, rules.games);
            if rules.untried > 0 {
                let all = rules.tried + rules.untried;
                figure.warning = Some(format!("{} of {all} rules were tried", rules.tried));
            }
            self.add("dead_rules", Some(figure));
        }
    }

    fn ladder(&mut self, evidence: &Evidence, main: &Origin) {
        if evidence.rungs.is_empty() {
            return;
        }
        let agent = main.agent.split(" at ").next().unwrap_or_default().to_string();
        let origin = Origin { agent, ..main.clone() };
        let (sure, possible) = ladder::depth(&evidence.rungs);
        let games = evidence.rungs.iter().map(|rung| rung.score.matches).sum();
        let (low, high) = (Some(sure as f64), Some(possible as f64));
        self.add("skill_depth", Some(origin.figure(sure as f64, low, high, games)));
        if let Some(luck) = &evidence.luck {
            let score = turned(&luck.score);
            let weak = Origin {
                agent: format!(
                    "{} at {} against {} simulations",
                    origin.agent, luck.weak, luck.strong
                ),
                ..origin
            };
            self.add(
                "luck",
                score.map(|(value, low, high)| {
                    weak.figure(value, Some(low), Some(high), luck.score.matches)
                }),
            );
        }
    }
}

/// The other side's points.
fn turned(score: &Tally) -> Option<(f64, f64, f64)> {
    let interval = score.interval();
    Some((1.0 - score.mean()?, 1.0 - interval.high, 1.0 - interval.low))
}

/// How many first moves there are in effect: as many as would give the same entropy if all were played alike.
fn variety(counted: &Counted, origin: &Origin) -> Option<Figure> {
    let total: u64 = counted.first_moves.values().sum();
    if total == 0 {
        return None;
    }
    let n = total as f64;
    let (mut mean, mut square) = (0.0, 0.0);
    for &times in counted.first_moves.values() {
        let share = times as f64 / n;
        mean -= share * share.ln();
        square += share * share.ln() * share.ln();
    }
    // The entropy's own variance, by the delta method.
    let half = 1.96 * ((square - mean * mean).max(0.0) / n).sqrt();
    let (low, high) = ((mean - half).max(0.0).exp(), (mean + half).exp());
    Some(origin.figure(mean.exp(), Some(low), Some(high), total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variety_of_openings_by_hand() {
        let origin = Origin { agent: "random".to_string(), seed: 1 };
        let mut counted = Counted::default();
        assert_eq!(variety(&counted, &origin), None);
        counted.first_moves =
            [("a", 25), ("b", 25), ("c", 50)].map(|(m, n)| (m.to_string(), n)).into();
        let found = variety(&counted, &origin).unwrap();
        // Entropy 1.5 bits, so as many as two to the power of 1.5.
        assert!((found.value - 8f64.sqrt()).abs() < 1e-12, "{found:?}");
        // The surprise of a game is two bits or one, as often: half a bit off its mean, and 196 hundredths of a
        // twentieth of a bit over a hundred games.
        let half = 1.96 * 0.05 * 2f64.ln();
        assert!((found.low.unwrap() - (8f64.sqrt().ln() - half).exp()).abs() < 1e-9, "{found:?}");
        assert_eq!(found.games, 100);
    }
}
