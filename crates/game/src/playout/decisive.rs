//! Moves that win at once, and moves that stop the next player from doing so.

use super::Way;
use crate::families::{Families, Place};
use crate::{Move, Player, PlayerSet, Rules, Turn};

/// Which moves a playout looks for before it draws one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decisive {
    /// None.
    #[default]
    Off,
    /// Moves that win at once.
    Wins,
    /// Those; and where there are none, moves after which the next player cannot win at once.
    WinsAndDefences,
}

/// Memory for looking ahead: the position after a move, and after an answer to it.
pub(super) struct Probes<S> {
    child: S,
    grandchild: S,
    answers: Vec<Move>,
    /// The moves worth drawing from.
    pub worth: Families,
}

impl<S: Clone> Probes<S> {
    pub fn new(state: &S) -> Self {
        let (child, grandchild) = (state.clone(), state.clone());
        Probes { child, grandchild, answers: Vec::new(), worth: Families::default() }
    }
}

/// Writes a lone mover's legal moves worth drawing from to `probes.worth`; `false` where nothing decides and
/// all of them are.
#[inline(always)]
pub(super) fn find<R: Rules>(
    way: &Way<'_, R>,
    state: &R::State,
    player: Player,
    decisive: Decisive,
    families: &Families,
    probes: &mut Probes<R::State>,
) -> bool {
    let rules = way.rules;
    let Probes { child, grandchild, answers, worth } = probes;
    let after = |families: &Families, place: Place, child: &mut R::State| {
        child.clone_from(state);
        rules.apply(child, &[way.member(state, player, families, place)]);
    };
    // A machine knows the words it wrote itself.
    if way.around.is_some() || !rules.wins(state, player, families, worth) {
        worth.clone_from(families);
        worth.doubt();
    }
    if worth.is_doubtful() {
        worth.retain(|families, place| {
            after(families, place, child);
            wins(rules, child, player)
        });
        worth.trust();
    }
    if !worth.is_empty() {
        return true;
    }
    if decisive != Decisive::WinsAndDefences {
        return false;
    }
    worth.clone_from(families);
    worth.retain(|families, place| {
        after(families, place, child);
        let next = rules.turn(child).mover().filter(|&next| next != player);
        next.is_none_or(|next| {
            answers.clear();
            rules.moves(child, next, answers);
            !answers.iter().any(|&answer| {
                grandchild.clone_from(child);
                rules.apply(grandchild, &[answer]);
                wins(rules, grandchild, next)
            })
        })
    });
    !worth.is_empty()
}

/// Whether the game is over and this player alone did best.
fn wins<R: Rules>(rules: &R, state: &R::State, player: Player) -> bool {
    if rules.turn(state) != Turn::Over {
        return false;
    }
    let mut payoffs = [0.0; PlayerSet::CAPACITY];
    let payoffs = &mut payoffs[..rules.info().players];
    rules.payoffs(state, payoffs);
    let own = payoffs[player.index()];
    if payoffs.len() == 1 {
        return own >= 1.0;
    }
    payoffs.iter().enumerate().all(|(other, &payoff)| other == player.index() || payoff < own)
}
