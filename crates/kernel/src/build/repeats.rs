//! Questions whose answer depends on which positions may not come back.
//!
//! The machine of families knows nothing of the past, so such a question has a number, and whoever keeps the
//! past answers it beforehand. That is possible where the position it is asked in is known: before the effects
//! of a move, and before the end rules.

use super::{Bound, Builder};
use crate::Built;
use crate::code::visit::Term;
use crate::code::{Cond, Effect, End, Node, Question};
use ludex_lud::ir::Repetition;

/// As many questions as a position has room for answers.
const QUESTIONS: usize = 8;

impl Builder<'_> {
    /// Whether one of some moves can be made.
    pub(super) fn can(&mut self, node: Node) -> Built<Cond> {
        if self.game.meta.no_repeat.is_none() {
            return Ok(Cond::Can(node));
        }
        let first = self.writing.len() == 1 && self.bound == Bound::default() && !self.asking;
        match first && self.mover == self.actor {
            true => self.question(Question::Can(node)),
            false => self.refuse("questions about moves where positions may not come back"),
        }
    }

    /// Whether the player who is next would have no move.
    pub(super) fn next_stuck(&mut self) -> Built<Cond> {
        match (self.game.meta.no_repeat, self.ending) {
            (None, _) => Ok(Cond::NoMovesNext),
            (Some(_), true) => self.question(Question::NextStuck),
            (Some(_), false) => {
                self.refuse("a choice by the moves of others where positions may not come back")
            }
        }
    }

    fn question(&mut self, question: Question) -> Built<Cond> {
        let known = self.code.questions.iter().position(|known| *known == question);
        let number = known.unwrap_or_else(|| {
            self.code.questions.push(question);
            self.code.questions.len() - 1
        });
        if number >= QUESTIONS {
            return self.refuse("many questions about earlier positions");
        }
        self.asked |= 1 << number;
        Ok(Cond::Answered(number as u8))
    }

    /// Whether all that makes up a situation is kept, where situations may not come back: of pending values
    /// only the last is, and whoever asks for the moves of the next player leaves a note of the answer.
    pub(super) fn fits_situations(&self) -> Built<()> {
        use Repetition::{Situational, SituationalInTurn};
        if !matches!(self.game.meta.no_repeat, Some(Situational | SituationalInTurn)) {
            return Ok(());
        }
        if self.code.any_effect(&|effect| matches!(effect, Effect::SetPending(_))) {
            return self.refuse("pending values where situations may not come back");
        }
        let number = self.code.questions.iter().position(|q| *q == Question::NextStuck);
        let asks = |end: &End| match (end, number) {
            (End::If(cond, subs, Some(_)), Some(number)) if subs.is_empty() => {
                *cond == Cond::Answered(number as u8)
            }
            _ => false,
        };
        let always = self.code.sides.iter().all(|side| side.game_end.iter().any(asks));
        let others = self.code.sides.iter().flat_map(|side| &side.game_end).filter(|e| !asks(e));
        let answered = |term: Term<'_>| matches!(term, Term::Cond(Cond::Answered(_)));
        let elsewhere = |end: &End| Term::End(end).any(&mut { answered });
        let phases = self.code.sides.iter().flat_map(|side| side.ends.iter().flatten());
        match number.is_some() && (!always || others.chain(phases).any(elsewhere)) {
            true => self.refuse("ends that ask for moves where situations may not come back"),
            false => Ok(()),
        }
    }
}
