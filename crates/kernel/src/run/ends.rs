//! End rules.

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::{Kernel, PLAYERS};
use crate::code::{End, Var, Verdict};

/// As many moves as are looked back at for passes.
const RECENT: i32 = 15;

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Asks the end rules after a move; where `defers_end`, all but the last, which is asked when the next
    /// player looks for a move.
    #[inline(always)]
    pub(super) fn check_end(&self, b: &mut Board<W, S>, defers_end: bool) {
        let player = b.mover as usize - 1;
        let late = b.turns >= self.code.max_turns || b.moves >= self.code.max_moves;
        if let Some((goal, outcome)) = self.reach_of(player) {
            if b.last_to < 0 {
                self.end_by_passes(b);
            } else if goal.contains(b.last_to as usize) {
                b.outcome = *outcome;
            }
        } else {
            // After a pass all rules are asked, for everybody passing may end the game as well.
            let defers_end = defers_end && self.end_is_deferred(player) && !late && !b.last_pass;
            self.ask_rules(b, player, defers_end);
        }
        if late && b.outcome == Outcome::Open {
            self.draw_game(b);
        }
    }

    /// Nobody of those who still play wins.
    fn draw_game(&self, b: &mut Board<W, S>) {
        b.outcome = match self.code.sides.len() {
            ..=2 => Outcome::Drawn,
            _ => {
                b.ranks.draw();
                Outcome::Ranked
            }
        };
    }

    /// The same among more than two: whoever wins or loses is out, and the others play on.
    #[cold]
    fn rank(&self, b: &mut Board<W, S>, v: &Binds, verdict: &Verdict) {
        match verdict {
            Verdict::Win(player) => {
                let player = self.num(b, v, player);
                if b.ranks.plays(player) {
                    b.ranks.win(player);
                }
            }
            Verdict::TeamWin(team) => {
                let (team, teams) = (self.num(b, v, team), &self.code.teams);
                if b.ranks.win_together(teams, team) {
                    b.outcome = Outcome::Ranked;
                }
            }
            Verdict::Loss(player) => {
                let player = self.num(b, v, player);
                if b.ranks.plays(player) {
                    b.next = b.ranks.lose(player, b.next);
                }
            }
            Verdict::DrawOf(player) => {
                if b.ranks.plays(self.num(b, v, player)) {
                    b.ranks.draw();
                }
            }
            Verdict::Draw => b.ranks.draw(),
            Verdict::Score(scores, misere) => {
                let misere = self.cond(b, v, misere);
                for (player, score) in scores {
                    let (player, score) = (self.num(b, v, player), self.num(b, v, score));
                    if let 1..=PLAYERS = player {
                        b.scores[player as usize - 1] = score;
                    }
                }
                b.ranks.by_score(&b.scores, misere);
            }
        }
        if b.ranks.all_out() {
            b.outcome = Outcome::Ranked;
        }
    }

    fn ask_rules(&self, b: &mut Board<W, S>, player: usize, defers_end: bool) {
        let side = &self.code.sides[player];
        let phase_end = &side.ends[b.phases[player] as usize];
        if !phase_end.is_empty() {
            self.end_rules(b, phase_end);
        }
        let rules = &side.game_end[..side.game_end.len() - usize::from(defers_end)];
        // Everybody passing counts even where the only rule is deferred.
        if b.outcome == Outcome::Open && !side.game_end.is_empty() {
            self.end_rules(b, rules);
        }
    }

    fn end_rules(&self, b: &mut Board<W, S>, rules: &[End]) {
        for rule in rules {
            self.end_rule(b, rule);
        }
        self.end_by_passes(b);
    }

    fn end_by_passes(&self, b: &mut Board<W, S>) {
        if b.outcome == Outcome::Open && self.code.passes_end && self.all_passed(b) {
            self.draw_game(b);
        }
        b.ranks.end_of_rules();
    }

    /// Whether everybody passed in turn, as the general evaluator has it.
    pub(super) fn all_passed(&self, b: &Board<W, S>) -> bool {
        if !b.last_pass && b.moves > 2 {
            return false;
        }
        let known = b.moves.min(RECENT) as usize;
        let made = (0..known).map(|n| {
            let entry = b.recent >> (4 * n) & 15;
            (entry >> 1, entry & 1 == 1)
        });
        // Beyond the first move there are the moves of the start, which nobody made.
        let mut moves = made.chain(std::iter::repeat_n((0, false), self.code.placed));
        let mut turn = u64::from(b.mover);
        let (mut passed, mut length) = (false, 0);
        for _ in 0..self.code.sides.len() {
            loop {
                let Some((mover, pass)) = moves.next() else {
                    return passed;
                };
                if length > 1 {
                    return false;
                }
                if mover != turn {
                    if !passed {
                        return false;
                    }
                    (turn, length, passed) = (mover, 0, pass);
                    break;
                }
                length += 1;
                passed = pass;
            }
        }
        true
    }

    #[inline(always)]
    fn end_rule(&self, b: &mut Board<W, S>, rule: &End) {
        let v = Binds::default();
        match rule {
            End::If(cond, subs, verdict) => {
                if self.cond(b, &v, cond) {
                    self.holding_end(b, subs, verdict.as_ref());
                }
            }
            End::EachPlayer(cases) => {
                for (player, cond, verdict) in cases {
                    let v = v.with(Var::Player, *player);
                    let plays = b.outcome == Outcome::Open && b.ranks.plays(*player);
                    if plays && self.cond(b, &v, cond) {
                        self.judge(b, &v, verdict);
                    }
                }
            }
        }
    }

    fn holding_end(&self, b: &mut Board<W, S>, subs: &[End], verdict: Option<&Verdict>) {
        if let Some(verdict) = self.verdict_of(b, subs).or(verdict) {
            self.judge(b, &Binds::default(), verdict);
        }
    }

    /// The verdict of the first rule that gives one; rules for each player judge by themselves.
    fn verdict_of<'a>(&'a self, b: &mut Board<W, S>, rules: &'a [End]) -> Option<&'a Verdict> {
        rules.iter().find_map(|rule| match rule {
            End::If(cond, subs, verdict) => {
                if !self.cond(b, &Binds::default(), cond) {
                    return None;
                }
                self.verdict_of(b, subs).or(verdict.as_ref())
            }
            End::EachPlayer(_) => {
                self.end_rule(b, rule);
                None
            }
        })
    }

    pub(super) fn judge(&self, b: &mut Board<W, S>, v: &Binds, verdict: &Verdict) {
        if self.code.sides.len() > 2 {
            return self.rank(b, v, verdict);
        }
        let decided = b.outcome != Outcome::Open;
        match verdict {
            Verdict::Win(player) => {
                if let (player @ 1..=2, false) = (self.num(b, v, player), decided) {
                    b.outcome = Outcome::Won(player as u8);
                }
            }
            Verdict::Loss(player) => {
                if let (player @ 1..=2, false) = (self.num(b, v, player), decided) {
                    b.outcome = Outcome::Won(3 - player as u8);
                }
            }
            // Written for more than two players only.
            Verdict::TeamWin(_) => {}
            Verdict::Draw | Verdict::DrawOf(_) => {
                if !decided {
                    b.outcome = Outcome::Drawn;
                }
            }
            // Scores decide even what was decided before.
            Verdict::Score(scores, misere) => {
                let misere = self.cond(b, v, misere);
                for (player, score) in scores {
                    let (player, score) = (self.num(b, v, player), self.num(b, v, score));
                    if let 1..=2 = player {
                        b.scores[player as usize - 1] = score;
                    }
                }
                let [first, second, ..] = b.scores;
                b.outcome = match (first == second, (first > second) != misere) {
                    (true, _) => Outcome::Drawn,
                    (false, true) => Outcome::Won(1),
                    (false, false) => Outcome::Won(2),
                };
            }
        }
    }
}
