//! The course of a game in numbers: what the searches of the players thought of each position they chose in.
//!
//! A [`Course`] has one step for each choice. Its values are the players' expected payoffs as shares of one: in games
//! for two in which one wins what the other loses, both are known from either's search; otherwise each player's last
//! own estimate counts until he chooses again, and what he gained or when he had won is read from his own estimates
//! alone: those of the others say nothing of it, and are older.

use crate::Thought;
use ludex_game::Player;

/// A leader is so far ahead of everybody else.
const LEAD: f64 = 0.1;
/// A move that gains its maker more than this is a killer.
const KILLER: f64 = 0.3;
/// Whoever expects more than this for the rest of the game has decided it.
const DECIDED: f64 = 0.8;

/// What was thought in the course of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Who chose at each step.
    pub movers: Vec<usize>,
    /// The values of all players at each step; they add up to one.
    pub values: Vec<Vec<f64>>,
    /// What whoever chose expected for himself at each step.
    own: Vec<f64>,
    kind: Payoffs,
    /// How evenly simulations were spread at each step where there was a choice.
    pub spreads: Vec<f64>,
    /// Who won, if one did and not all.
    pub winner: Option<usize>,
}

/// How two players' payoffs go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payoffs {
    /// Two players share one point.
    Shared,
    /// Anything else.
    Free,
}

impl Payoffs {
    /// What one game's payoffs say; all games of a rule set must say the same for them to be shared.
    pub fn of(payoffs: &[f32]) -> Payoffs {
        match payoffs {
            [a, b] if (a + b - 1.0).abs() < 0.01 => Payoffs::Shared,
            _ => Payoffs::Free,
        }
    }
}

impl Course {
    /// The course of a game: who chose, and what he thought. Steps at which nobody searched are left out.
    pub fn new(
        choices: impl IntoIterator<Item = (Player, Thought)>,
        payoffs: &[f32],
        kind: Payoffs,
    ) -> Course {
        let players = payoffs.len();
        let mut own = vec![1.0 / players.max(1) as f64; players];
        let mut course = Course {
            movers: Vec::new(),
            values: Vec::new(),
            own: Vec::new(),
            kind,
            spreads: Vec::new(),
            winner: None,
        };
        for (player, thought) in choices {
            course.spreads.extend(thought.spread.map(f64::from));
            let Some(value) = thought.value.map(f64::from) else { continue };
            let mover = player.index();
            if mover >= players {
                continue;
            }
            own[mover] = value;
            if kind == Payoffs::Shared {
                own[1 - mover] = 1.0 - value;
            }
            course.movers.push(mover);
            course.values.push(shares(&own));
            course.own.push(value);
        }
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut winners = (0..players).filter(|&seat| payoffs[seat] == best);
        course.winner = match (winners.next(), winners.next()) {
            (Some(winner), None) if players > 1 => Some(winner),
            _ => None,
        };
        course
    }

    /// How far the later winner was behind whoever led, on the mean; nothing where nobody won alone.
    pub fn drama(&self) -> Option<f64> {
        let winner = self.winner?;
        mean(
            self.values.iter().map(|values| (best_other(values, winner) - values[winner]).max(0.0)),
        )
    }

    /// How open the result was, on the mean: the entropy of the values as a share of the largest there could be.
    pub fn uncertainty(&self) -> Option<f64> {
        let players = self.values.first()?.len();
        if players < 2 {
            return None;
        }
        let entropy = |values: &Vec<f64>| -> f64 {
            let positive = values.iter().filter(|value| **value > 0.0);
            positive.map(|value| -value * value.ln()).sum::<f64>() / (players as f64).ln()
        };
        mean(self.values.iter().map(entropy))
    }

    /// The step from which on the winner always expected to win, as a share of all steps.
    pub fn decided_at(&self) -> Option<f64> {
        let winner = self.winner?;
        let steps = self.values.len();
        let expected = |step: &usize| match self.kind {
            Payoffs::Shared => Some(self.values[*step][winner]),
            Payoffs::Free => (self.movers[*step] == winner).then_some(self.own[*step]),
        };
        let open = |step: &usize| expected(step).is_some_and(|value| value <= DECIDED);
        let first = (0..steps).find(|step| expected(step).is_some())?;
        let last = (first..steps).rev().find(open);
        let since = last
            .map_or(Some(first), |last| (last + 1..steps).find(|step| expected(step).is_some()));
        Some(since.unwrap_or(steps) as f64 / steps as f64)
    }

    /// How often the lead went from one player to another.
    pub fn lead_changes(&self) -> Option<f64> {
        let leads = self.values.iter().filter_map(|values| leader(values));
        let mut before = None;
        let changes = leads.filter(|&lead| before.replace(lead).is_some_and(|old| old != lead));
        (!self.values.is_empty()).then(|| changes.count() as f64)
    }

    /// The steps whose move gained its maker much.
    pub fn killers(&self) -> Vec<usize> {
        let gains = |&step: &usize| {
            self.after(step).next().is_some_and(|next| next - self.before(step) > KILLER)
        };
        (0..self.values.len()).filter(gains).collect()
    }

    /// Whether the gain of a killer was still there in the two values after the one that shows it.
    pub fn is_permanent(&self, killer: usize) -> bool {
        self.after(killer).skip(1).take(2).all(|value| value > self.before(killer))
    }

    /// What whoever chose at a step expected then.
    fn before(&self, step: usize) -> f64 {
        match self.kind {
            Payoffs::Shared => self.values[step][self.movers[step]],
            Payoffs::Free => self.own[step],
        }
    }

    /// What he expected afterwards: at every step where one point is shared, otherwise at his own choices.
    fn after(&self, step: usize) -> impl Iterator<Item = f64> {
        let mover = self.movers[step];
        (step + 1..self.values.len()).filter_map(move |later| match self.kind {
            Payoffs::Shared => Some(self.values[later][mover]),
            Payoffs::Free => (self.movers[later] == mover).then(|| self.own[later]),
        })
    }

    /// How little one move stood out from the others, on the mean.
    pub fn clarity(&self) -> Option<f64> {
        mean(self.spreads.iter().copied())
    }
}

fn shares(values: &[f64]) -> Vec<f64> {
    let total: f64 = values.iter().sum();
    match total > 0.0 {
        true => values.iter().map(|value| value / total).collect(),
        false => vec![1.0 / values.len().max(1) as f64; values.len()],
    }
}

fn best_other(values: &[f64], player: usize) -> f64 {
    let others = values.iter().enumerate().filter(|(other, _)| *other != player);
    others.map(|(_, value)| *value).fold(0.0, f64::max)
}

fn leader(values: &[f64]) -> Option<usize> {
    (0..values.len()).find(|&player| values[player] > best_other(values, player) + LEAD)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(value: f32) -> Thought {
        Thought { value: Some(value), spread: Some(value) }
    }

    /// Two players in turn; each number is what the one to move expects.
    fn duel(values: &[f32], payoffs: [f32; 2]) -> Course {
        let turns = values.iter().zip([Player(0), Player(1)].into_iter().cycle());
        Course::new(
            turns.map(|(&value, player)| (player, thought(value))),
            &payoffs,
            Payoffs::Shared,
        )
    }

    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-6), "{found:?} {expected}");
    }

    #[test]
    fn values_of_a_duel_by_hand() {
        // P1 expects 0.5, 0.4, 0.2, 0.9, 0.9: P2's numbers are turned round.
        let course = duel(&[0.5, 0.6, 0.2, 0.1, 0.9], [1.0, 0.0]);
        let first: Vec<f64> =
            course.values.iter().map(|v| (v[0] * 1000.0).round() / 1000.0).collect();
        assert_eq!(first, [0.5, 0.4, 0.2, 0.9, 0.9]);
        // Behind by 0, 0.2, 0.6, 0, 0.
        near(course.drama(), 0.8 / 5.0);
        // P2 leads at the second step, P1 from the fourth on.
        near(course.lead_changes(), 1.0);
        // The third move (P1's) gained him 0.7 and the gain stayed; the second (P2's) gained 0.2.
        assert_eq!(course.killers(), [2]);
        assert!(course.is_permanent(2));
        // Decided from the fourth step of five on.
        near(course.decided_at(), 3.0 / 5.0);
        near(course.clarity(), (0.5 + 0.6 + 0.2 + 0.1 + 0.9) / 5.0);
        // Entropies in bits: 1, 0.970951, 0.721928, 0.468996, 0.468996.
        near(
            course.uncertainty(),
            (1.0 + 0.970_950_594 + 0.721_928_095 + 2.0 * 0.468_995_594) / 5.0,
        );
    }

    #[test]
    fn a_gain_that_is_lost_again_is_not_permanent() {
        let course = duel(&[0.3, 0.2, 0.25, 0.8], [0.0, 1.0]);
        assert_eq!(course.killers(), [0, 1], "each gained half a point in turn");
        assert!(!course.is_permanent(0), "P1 had 0.3, then 0.8, then 0.25");
        assert!(course.is_permanent(1), "P2 had 0.2, then 0.75, then 0.8");
    }

    #[test]
    fn a_draw_has_no_drama_and_is_never_decided() {
        let course = duel(&[0.9, 0.5], [0.5, 0.5]);
        assert_eq!((course.winner, course.drama(), course.decided_at()), (None, None, None));
        near(course.lead_changes(), 0.0);
    }

    #[test]
    fn three_players_keep_their_last_estimates() {
        let turns = [(0, 0.5), (1, 0.25), (2, 0.25), (0, 0.75)];
        let choices = turns.map(|(player, value)| (Player(player), thought(value)));
        let course = Course::new(choices, &[0.0, 1.0, 0.0], Payoffs::Free);
        assert_eq!(course.values[2], [0.5, 0.25, 0.25]);
        assert_eq!(course.values[3], [0.6, 0.2, 0.2]);
        // P2 won: behind by 1/14, 2/13, 1/4, 2/5 with thirds for whoever has not chosen yet.
        let first = 0.5 / (0.5 + 2.0 / 3.0) - (1.0 / 3.0) / (0.5 + 2.0 / 3.0);
        let second = (0.5 - 0.25) / (0.75 + 1.0 / 3.0);
        near(course.drama(), (first + second + 0.25 + 0.4) / 4.0);
        near(course.decided_at(), 1.0);
    }

    #[test]
    fn gains_of_three_are_read_from_their_own_values() {
        // P1 expects 0.3, 0.3 and 0.9; what P2 and P3 come to expect between is no gain of his.
        let turns =
            [(0, 0.3), (1, 0.9), (2, 0.1), (0, 0.3), (1, 0.2), (2, 0.05), (0, 0.9), (1, 0.05)];
        let choices = turns.map(|(player, value)| (Player(player), thought(value)));
        let course = Course::new(choices, &[1.0, 0.0, 0.0], Payoffs::Free);
        assert_eq!(course.killers(), [3], "from 0.3 to 0.9 at his next choice");
        assert!(course.is_permanent(3));
        // He said so at the seventh step of eight, not when the others lost hope.
        near(course.decided_at(), 6.0 / 8.0);
    }

    #[test]
    fn who_does_not_search_leaves_no_steps() {
        let course = Course::new([(Player(0), Thought::default())], &[1.0, 0.0], Payoffs::Shared);
        assert_eq!((course.drama(), course.uncertainty(), course.clarity()), (None, None, None));
    }
}
