//! End rules made ready: the commonest by one test, and those that may wait until the next move is looked for.

use super::board::{Board, Outcome};
use super::{Kernel, bits};
use crate::code::visit::Term;
use crate::code::{Act, Code, Cond, Effect, End, Num, PhaseChange, Set, Verdict};
use ludex_game::bits::Bits;
use ludex_lud::state::State;

/// The end rules of a player, made ready.
#[derive(Debug)]
pub(super) struct Finish<const W: usize> {
    /// The only rule: whoever's move ends here decides the game.
    reach: Option<(Bits<W>, Outcome)>,
    /// The last rule is that the next player has no move: it may wait for the search for one.
    defers_end: bool,
}

/// Whether pieces ever have a state other than zero.
pub(super) fn has_states(code: &Code, start: &State) -> bool {
    let sets = |e: &Effect| matches!(e, Effect::SetState(..) | Effect::Flip(_) | Effect::Asked(_));
    let set =
        code.any_effect(&sets) || code.deeds.iter().any(|deed| matches!(deed.act, Act::Place(..)));
    let placed = |layer: &ludex_lud::layer::Layer| layer.flat().iter().any(|p| p.state != 0);
    set || start.layers.iter().any(placed)
}

impl<const W: usize> Finish<W> {
    pub(super) fn of(code: &Code, side: usize) -> Self {
        let rules = &code.sides[side].game_end;
        if code.sides.len() > 2 {
            return Finish { reach: None, defers_end: false };
        }
        let single = code.sides[side].ends.len() == 1 && code.sides[side].ends[0].is_empty();
        let no_phase_ends = code.sides[side].ends.iter().all(Vec::is_empty);
        let reach = match rules.as_slice() {
            [rule] if single => reach(code, rule),
            _ => None,
        };
        Finish { reach, defers_end: no_phase_ends && defers_end(code, rules) }
    }
}

/// Whether a move changes nobody's phase but the mover's.
pub(super) fn keeps_phases(code: &Code) -> bool {
    (1..).zip(&code.sides).all(|(mover, side)| {
        let own = |change: &PhaseChange| change.who == Some(Num::Const(mover));
        side.plans.len() <= 1 || side.phase_changes.iter().flatten().all(own)
    })
}

fn reach<const W: usize>(code: &Code, rule: &End) -> Option<(Bits<W>, Outcome)> {
    let End::If(Cond::Has(Set::Const(goal), Num::LastTo), subs, Some(verdict)) = rule else {
        return None;
    };
    let outcome = match verdict {
        Verdict::Win(Num::Const(player @ 1..=2)) => Outcome::Won(*player as u8),
        Verdict::Loss(Num::Const(player @ 1..=2)) => Outcome::Won(3 - *player as u8),
        Verdict::Draw => Outcome::Drawn,
        _ => return None,
    };
    subs.is_empty().then(|| (bits(&code.consts[*goal]), outcome))
}

/// The last rule asks whether the next player has a move, which the search for one finds out by itself.
/// That is the same question only if the turn changes nothing that plans look at, and if no other player
/// than the mover comes into another phase.
fn defers_end(code: &Code, rules: &[End]) -> bool {
    let last =
        matches!(rules.last(), Some(End::If(Cond::NoMovesNext, subs, Some(_))) if subs.is_empty());
    let mut changes = |term: Term<'_>| match term {
        Term::Num(n) => matches!(n, Num::Counter | Num::Turns | Num::TurnMoves | Num::Pending),
        Term::Cond(cond) => matches!(cond, Cond::Pending | Cond::NoMovesNext),
        _ => false,
    };
    last && keeps_phases(code) && !code.moves_mention(&mut changes)
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// The end by the only rule there is, where that is where a move ends.
    #[inline(always)]
    pub(super) fn reach_of(&self, player: usize) -> Option<&(Bits<W>, Outcome)> {
        self.finish[player].reach.as_ref()
    }

    /// Whether the last rule may wait until the next player looks for a move.
    #[inline(always)]
    pub(super) fn end_is_deferred(&self, player: usize) -> bool {
        self.finish[player].defers_end
    }

    /// The rule that waited, now that the player to move has none: as if asked after the last move.
    #[cold]
    pub(super) fn end_after_all(&self, b: &mut Board<W, S>) {
        let last = b.prev as usize - 1;
        let Some(End::If(_, _, Some(verdict))) = self.code.sides[last].game_end.last() else {
            return;
        };
        (b.mover, b.next, b.prev) = (b.prev, b.mover, b.mover);
        self.judge(b, &super::eval::Binds::default(), verdict);
    }
}
