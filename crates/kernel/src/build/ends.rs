//! End rules and changes of phase.

use super::Builder;
use crate::Built;
use crate::code::{End, PhaseChange, Var, Verdict};
use ludex_lud::ir::{EndResult, EndRule, EndWho, NextPhase, Outcome};

impl Builder<'_> {
    pub(super) fn ends(&mut self, rules: &[EndRule]) -> Built<Vec<End>> {
        rules.iter().map(|rule| self.end(rule)).collect()
    }

    fn end(&mut self, rule: &EndRule) -> Built<End> {
        Ok(match rule {
            EndRule::If(cond, subs, result) => {
                let cond = self.cond(cond)?;
                let subs = self.ends(subs)?;
                let verdict = match result {
                    Some(result) => Some(self.verdict(result)?),
                    None => None,
                };
                End::If(cond, subs, verdict)
            }
            EndRule::ForEachPlayer { non_mover, cond, result } => {
                let mut cases = Vec::new();
                for player in 1..=self.game.players {
                    if *non_mover && player == self.mover {
                        continue;
                    }
                    let saved = self.bound;
                    self.bound = saved.with(Var::Player);
                    let outer = std::mem::replace(&mut self.ctx.v.player, player);
                    let case = (player, self.cond(cond)?, self.verdict(result)?);
                    self.ctx.v.player = outer;
                    self.bound = saved;
                    cases.push(case);
                }
                End::EachPlayer(cases)
            }
            EndRule::ForEachTrack(..) => return self.refuse("an end for each track"),
        })
    }

    fn verdict(&mut self, result: &EndResult) -> Built<Verdict> {
        Ok(match result {
            EndResult::Result(EndWho::Player(player), outcome) => {
                let player = self.num(player)?;
                let several = self.game.players > 2;
                match outcome {
                    Outcome::Win => Verdict::Win(player),
                    Outcome::Loss => Verdict::Loss(player),
                    Outcome::Draw if several => Verdict::DrawOf(player),
                    Outcome::Tie if several => return self.refuse("a tie among several players"),
                    Outcome::Draw | Outcome::Tie => Verdict::Draw,
                    Outcome::Abandon => return self.refuse("a game that is given up"),
                }
            }
            EndResult::Result(EndWho::All, Outcome::Draw) => Verdict::Draw,
            EndResult::Result(EndWho::All, Outcome::Tie) if self.game.players == 2 => Verdict::Draw,
            EndResult::Result(EndWho::Team(team), Outcome::Win) if self.game.players > 2 => {
                Verdict::TeamWin(self.num(team)?)
            }
            EndResult::Result(..) => return self.refuse("a result for several players"),
            EndResult::ByScore(scores, misere) => {
                let mut all = Vec::new();
                for (player, score) in scores {
                    all.push((self.num(player)?, self.num(score)?));
                }
                Verdict::Score(all, self.cond(misere)?)
            }
            EndResult::Payoffs(_) => return self.refuse("payoffs by number"),
        })
    }

    /// The player whom a result that is known before makes the winner; nobody: a draw.
    pub(crate) fn known_winner(&mut self, who: &EndWho, outcome: &Outcome) -> Built<Option<i32>> {
        let player = match who {
            EndWho::Player(player) => self.fixed_int(player),
            EndWho::All => None,
            EndWho::Team(_) => return self.refuse("teams"),
        };
        match (outcome, player) {
            (Outcome::Draw | Outcome::Tie, _) => Ok(None),
            (Outcome::Win, Some(player @ 1..=2)) => Ok(Some(player)),
            (Outcome::Loss, Some(player @ 1..=2)) => Ok(Some(3 - player)),
            _ => self.refuse("a result of its own kind"),
        }
    }

    pub(super) fn phase_changes(
        &mut self,
        next: &[NextPhase],
        phases: usize,
    ) -> Built<Vec<PhaseChange>> {
        let number = self.code.sides[self.mover as usize - 1].phase_changes.len();
        let mut out = Vec::new();
        for change in next {
            let who = match &change.who {
                Some(who) => Some(self.num(who)?),
                None => None,
            };
            let cond = self.cond(&change.cond)?;
            let to = change.to.unwrap_or((number + 1) % phases);
            out.push(PhaseChange { who, cond, to });
        }
        Ok(out)
    }
}
