//! Matches: games played one after the other, with scores over all of them.
//!
//! A match is a game without a board whose position holds the position of the game at hand. What is
//! asked of the match is asked of that game; the match itself only counts scores and goes on.

use crate::action::{Action, Change};
use crate::ctx::Ctx;
use crate::ir::{EndResult, EndWho, Outcome};
use crate::moves::{Log, Mv};
use crate::state::Instance;

impl<'g> Ctx<'g> {
    /// Does something in the game of the match that is being played.
    pub(crate) fn in_game<T>(&mut self, act: impl FnOnce(&mut Ctx<'g>) -> T) -> Option<T> {
        let g = self.g;
        let mut instance = self.s.instance.take()?;
        let mut inner =
            Ctx::new(&g.subgames[instance.place].game, std::mem::take(&mut instance.state));
        self.hand_over(&mut inner);
        let done = act(&mut inner);
        self.hand_over(&mut inner);
        instance.state = inner.s;
        self.s.mover = instance.state.mover;
        self.s.instance = Some(instance);
        Some(done)
    }

    /// Chance and whatever is wanted of moves are the same inside and outside.
    fn hand_over(&mut self, inner: &mut Ctx<'g>) {
        std::mem::swap(&mut self.chance, &mut inner.chance);
        std::mem::swap(&mut self.pick, &mut inner.pick);
        std::mem::swap(&mut self.quiet, &mut inner.quiet);
    }

    /// Begins a game of the match; returns the moves of its start.
    pub(super) fn begin_game(&mut self, place: usize) -> Vec<Vec<Action>> {
        let game = &self.g.subgames[place].game;
        let mut state = game.empty_state();
        state.match_scores.clone_from(&self.s.scores);
        state.trials = self.s.trials;
        self.s.match_scores.clone_from(&self.s.scores);
        self.s.instance = Some(Box::new(Instance { place, state }));
        self.in_game(Ctx::start).unwrap_or_default()
    }

    /// The moves of the game at hand, or the one that goes on to the next.
    pub(super) fn match_moves(&mut self) -> Vec<Mv> {
        let moves = self.in_game(|game| match game.s.over {
            None => game.legal_moves(),
            Some(_) => {
                vec![Mv::of(Change::NextInstance, true).by(game.s.mover)]
            }
        });
        moves.unwrap_or_default()
    }

    pub(super) fn play_in_match(&mut self, m: &Mv, log: &mut Log) {
        self.s.moves += 1;
        match m.decision().map(|decision| &decision.kind) {
            Some(Change::NextInstance) => {
                m.each_change(&mut |action| log.push(action));
                self.next_game();
            }
            _ => {
                self.in_game(|game| game.play_logged(m, log));
            }
        }
    }

    /// Counts the game that is over and goes on to the next, unless the match is over.
    fn next_game(&mut self) {
        let Some(place) = self.s.instance.as_ref().map(|instance| instance.place) else {
            return;
        };
        for player in 1..=self.g.players {
            self.s.scores[player as usize] += self.scored(place, player);
        }
        self.s.trials += 1;
        self.s.match_scores.clone_from(&self.s.scores);
        self.match_end();
        if self.s.over.is_some() {
            return;
        }
        let count = self.g.subgames.len();
        let next = match &self.g.subgames[place].next {
            Some(next) => self.int(next).rem_euclid(count as i32) as usize,
            None => (place + 1) % count,
        };
        self.begin_game(next);
    }

    /// What a player scores for the game that is over.
    fn scored(&mut self, place: usize, player: i32) -> i32 {
        let (g, players) = (self.g, self.g.players);
        let scored = self.in_game(|game| {
            let won = game.s.winners.contains(&player);
            match &g.subgames[place].result {
                Some(result) if won => return game.int(result),
                _ if players > 2 => return i32::from(won),
                _ => {}
            }
            let rank = game.s.ranking.get(player as usize).copied().unwrap_or(0.0);
            if players == 2 { 2 - rank as i32 } else { i32::from(rank == 1.0) }
        });
        scored.unwrap_or(0)
    }

    fn match_end(&mut self) {
        let g = self.g;
        for rule in &g.end {
            let Some(result) = self.end_rule(rule) else {
                continue;
            };
            match &result {
                EndResult::Result(EndWho::Player(player), outcome) => {
                    let player = self.int(player);
                    if !self.s.is_active(player) {
                        continue;
                    }
                    match outcome {
                        Outcome::Win => self.win_match(player),
                        Outcome::Loss => {}
                        other => self.result_of_all(*other),
                    }
                }
                _ => self.apply_result(&result),
            }
        }
    }

    /// A player wins the match, and with him whoever wins by another rule; the others lose.
    fn win_match(&mut self, player: i32) {
        let g = self.g;
        let ranks = 1..=g.players;
        let free = |rank: &i32| !self.s.ranking.contains(&f64::from(*rank));
        let rank = ranks.clone().find(free).map_or(1.0, f64::from);
        self.win_at(player, rank);
        for rule in &g.end {
            if let Some(EndResult::Result(EndWho::Player(who), Outcome::Win)) = self.end_rule(rule)
            {
                let who = self.int(&who);
                if self.s.is_active(who) {
                    self.win_at(who, rank);
                }
            }
        }
        let rest: Vec<i32> = ranks.filter(|&p| self.s.is_active(p)).collect();
        for &loser in &rest {
            self.s.ranking[loser as usize] = rank + rest.len() as f64;
        }
        self.s.active = 0;
        self.s.over = self.best_ranked().or(Some(0));
    }

    fn win_at(&mut self, player: i32, rank: f64) {
        self.s.active &= !(1 << player);
        self.s.winners.push(player);
        self.s.ranking[player as usize] = rank;
    }
}
