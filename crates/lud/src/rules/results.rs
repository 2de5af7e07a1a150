//! The end of a game: who won, who lost, and in which order.

use crate::ctx::Ctx;
use crate::ir::{Bool, EndResult, EndRule, EndWho, Float, Int, Outcome};

impl Ctx<'_> {
    pub(super) fn end_rules(&mut self, rules: &[EndRule]) {
        for rule in rules {
            if let Some(result) = self.end_rule(rule) {
                self.apply_result(&result);
            }
        }
        if self.s.over.is_none() && self.g.all_pass_ends && self.all_pass() {
            self.apply_result(&EndResult::Result(EndWho::All, Outcome::Draw));
        }
        self.s.losses_decided = 0;
    }

    pub(super) fn end_rule(&mut self, rule: &EndRule) -> Option<EndResult> {
        match rule {
            EndRule::If(cond, subs, result) => {
                if !self.bool(cond) {
                    return None;
                }
                for sub in subs {
                    if let Some(result) = self.end_rule(sub) {
                        return Some(result);
                    }
                }
                result.clone()
            }
            EndRule::ForEachPlayer { non_mover, cond, result } => {
                let saved = self.v.player;
                for player in 1..=self.g.players {
                    let skipped = *non_mover && player == self.s.mover;
                    if skipped || !self.s.is_active(player) {
                        continue;
                    }
                    self.v.player = player;
                    if self.bool(cond) {
                        self.apply_result(result);
                    }
                }
                self.v.player = saved;
                None
            }
            EndRule::ForEachTrack(cond, result) => {
                let saved = self.v.track;
                for track in 0..self.g.tracks.len() {
                    if self.s.active == 0 {
                        break;
                    }
                    self.v.track = track as i32;
                    if self.bool(cond) {
                        self.apply_result(result);
                    }
                }
                self.v.track = saved;
                None
            }
        }
    }

    pub(super) fn apply_result(&mut self, result: &EndResult) {
        match result {
            EndResult::ByScore(scores, misere) => self.by_score(scores, misere),
            EndResult::Payoffs(payoffs) => self.by_payoffs(payoffs),
            EndResult::Result(EndWho::All, outcome) => self.result_of_all(*outcome),
            EndResult::Result(EndWho::Team(team), outcome) => {
                let team = self.int(team);
                self.result_of_team(team, *outcome);
            }
            EndResult::Result(EndWho::Player(player), outcome) => {
                let player = self.int(player);
                if self.g.players == 0 {
                    return self.result_of_all(*outcome);
                }
                if !self.s.is_active(player) {
                    return;
                }
                match outcome {
                    Outcome::Win => self.win(player),
                    Outcome::Loss => self.lose(player),
                    other => self.result_of_all(*other),
                }
            }
        }
    }

    pub(super) fn result_of_all(&mut self, outcome: Outcome) {
        let players = self.g.players;
        if players == 0 {
            self.s.over = Some(0);
            return;
        }
        let rank = match outcome {
            Outcome::Win => 1.0,
            Outcome::Loss => f64::from(players),
            Outcome::Draw => self.draw_rank(),
            Outcome::Tie => {
                self.s.active = 0;
                self.s.over = Some(players + 1);
                return;
            }
            Outcome::Abandon => {
                self.s.active = 0;
                self.s.over = Some(-1);
                return;
            }
        };
        if players > 1 {
            for player in 1..self.s.ranking.len() {
                if self.s.ranking[player] == 0.0 {
                    self.s.ranking[player] = rank;
                    if outcome == Outcome::Win {
                        self.s.winners.push(player as i32);
                    }
                }
            }
        } else {
            self.s.ranking[1] = 0.0;
        }
        self.s.active = 0;
        self.s.over = Some(0);
        if outcome == Outcome::Draw {
            let first = self.s.ranking.iter().rposition(|&rank| rank == 1.0);
            self.s.over = Some(first.map_or(0, |player| player as i32));
        }
    }

    pub(super) fn best_ranked(&self) -> Option<i32> {
        let first = self.s.ranking.iter().skip(1).position(|&rank| rank == 1.0);
        first.map(|at| at as i32 + 1)
    }

    fn win(&mut self, player: i32) {
        self.s.active &= !(1 << player);
        let rank = self.s.winners.len() as f64 + 1.0;
        self.s.winners.push(player);
        self.s.ranking[player as usize] = rank;
        let only = self.s.only_active();
        if only != 0 {
            self.s.ranking[only as usize] = rank + 1.0;
            self.s.losers.push(only);
            self.s.over = self.best_ranked().or(self.s.over);
            self.s.active = 0;
        } else if self.s.active == 0 {
            self.s.over = self.best_ranked().or(Some(0));
        }
    }

    fn lose(&mut self, player: i32) {
        self.s.active &= !(1 << player);
        let players = self.g.players;
        if players == 1 {
            self.s.active = 0;
            self.s.over = Some(0);
            self.s.losses_decided += 1;
            return;
        }
        if self.s.next == player && self.s.active != 0 {
            let mut next = player;
            while !self.s.is_active(next) {
                next = next % players + 1;
            }
            self.s.next = next;
        }
        let lowest = f64::from(players) - self.s.losers.len() as f64;
        let together = lowest + 1.0 + 0.5 * (f64::from(self.s.losses_decided) - 1.0);
        let rank = together - 0.5;
        self.s.ranking[player as usize] = rank;
        self.s.losers.push(player);
        for other in &mut self.s.ranking {
            if *other == together {
                *other = rank;
            }
        }
        let only = self.s.only_active();
        if self.s.active == 0 {
            self.s.over = self.best_ranked().or(Some(0));
        } else if only != 0 {
            self.s.ranking[only as usize] = self.s.winners.len() as f64 + 1.0;
            let ranked = &self.s.ranking[1..];
            let least = ranked.iter().copied().fold(f64::INFINITY, f64::min);
            let winner = ranked.iter().position(|&rank| rank == least);
            let winner = winner.map_or(0, |at| at as i32 + 1);
            self.s.over = Some(winner);
            self.s.winners.push(winner);
            self.s.active = 0;
        }
        self.s.losses_decided += 1;
    }

    fn result_of_team(&mut self, team: i32, outcome: Outcome) {
        if outcome != Outcome::Win {
            return;
        }
        let members: Vec<i32> = (1..=self.g.players).filter(|&p| self.team_of(p) == team).collect();
        for &player in &members {
            self.s.active &= !(1 << player);
            self.s.winners.push(player);
        }
        let taken = |rank: f64| self.s.ranking.contains(&rank);
        let mut rank = 1.0;
        while taken(rank) {
            rank += 1.0;
        }
        for &player in &members {
            self.s.ranking[player as usize] = rank;
        }
        let rest: Vec<i32> = (1..=self.g.players).filter(|&p| self.s.is_active(p)).collect();
        let one_team = rest.windows(2).all(|w| self.team_of(w[0]) == self.team_of(w[1]));
        if !rest.is_empty() && one_team {
            // Those of the team who had lost before share its rank.
            let losing = self.team_of(rest[0]);
            for player in 1..=self.g.players {
                if self.team_of(player) == losing {
                    self.s.ranking[player as usize] = rank + members.len() as f64;
                }
            }
            // The losers stay in the game that is over: the turn still passes on.
            self.s.over = self.best_ranked().or(Some(0));
        } else if rest.is_empty() {
            self.s.over = self.best_ranked().or(Some(0));
        }
    }

    fn by_score(&mut self, scores: &[(Int, Int)], misere: &Bool) {
        let misere = self.bool(misere);
        for (player, score) in scores {
            let (player, score) = (self.int(player), self.int(score));
            if let Some(old) = self.s.scores.get_mut(player.max(0) as usize) {
                *old = score;
            }
        }
        self.s.active = 0;
        let players = self.g.players as usize;
        let worth = |player: usize| {
            let score = f64::from(self.s.scores[player]);
            if misere { -score } else { score }
        };
        let values: Vec<f64> = (1..=players).map(worth).collect();
        self.rank(&values);
    }

    /// Whoever is paid most is first; who is not paid has nothing.
    fn by_payoffs(&mut self, payoffs: &[(Int, Float)]) {
        let mut values = vec![0.0; self.g.players as usize];
        for (player, payoff) in payoffs {
            let (player, payoff) = (self.int(player), self.float(payoff));
            let at = usize::try_from(player - 1).ok();
            if let Some(value) = at.and_then(|at| values.get_mut(at)) {
                *value = f64::from(payoff);
            }
        }
        self.s.active = 0;
        self.rank(&values);
        if let [alone] = values.as_slice() {
            let won = *alone > 0.0;
            self.s.ranking[1] = f64::from(u8::from(won));
            if !won {
                self.s.winners.clear();
                self.s.over = Some(0);
            }
        }
    }

    /// Ends the game with the players in the order of these values, the highest first.
    fn rank(&mut self, values: &[f64]) {
        for (at, value) in values.iter().enumerate() {
            let better = values.iter().filter(|v| *v > value).count() as f64;
            let equal = values.iter().filter(|v| *v == value).count() as f64;
            self.s.ranking[at + 1] = ((better + 1.0) * 2.0 + equal - 1.0) / 2.0;
        }
        let winner = self.best_ranked().unwrap_or(0);
        if winner > 0 {
            self.s.winners.push(winner);
        }
        self.s.over = Some(winner);
    }
}
