//! Moves that win at once, and moves that stop the next player from doing so.

use super::Scratch;
use crate::{Coding, Listing, Move, Player, PlayerSet, Rules, Turn};

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
}

impl<S: Clone> Probes<S> {
    pub fn new(state: &S) -> Self {
        Probes { child: state.clone(), grandchild: state.clone(), answers: Vec::new() }
    }
}

/// Lists a lone mover's legal moves in `scratch.listing` and the places of those worth drawing from in
/// `scratch.places`: all of them where nothing decides.
pub(super) fn list<R: Rules>(
    rules: &R,
    state: &R::State,
    player: Player,
    coding: Coding,
    decisive: Decisive,
    scratch: &mut Scratch,
    probes: &mut Probes<R::State>,
) {
    let Scratch { listing, places, .. } = scratch;
    rules.list(state, player, coding, listing);
    places.clear();
    places.extend((0..listing.moves.len()).filter(|&at| {
        probes.child.clone_from(state);
        rules.apply(&mut probes.child, &[listing.moves[at]]);
        wins(rules, &probes.child, player)
    }));
    if places.is_empty() && decisive == Decisive::WinsAndDefences {
        defences(rules, state, player, listing, places, probes);
    }
    if places.is_empty() {
        places.extend(0..listing.moves.len());
    }
}

fn defences<R: Rules>(
    rules: &R,
    state: &R::State,
    player: Player,
    listing: &Listing,
    places: &mut Vec<usize>,
    probes: &mut Probes<R::State>,
) {
    for (at, &mv) in listing.moves.iter().enumerate() {
        probes.child.clone_from(state);
        rules.apply(&mut probes.child, &[mv]);
        let Probes { child, grandchild, answers } = probes;
        let lost = rules.turn(child).mover().filter(|&next| next != player).is_some_and(|next| {
            answers.clear();
            rules.moves(child, next, answers);
            answers.iter().any(|&answer| {
                grandchild.clone_from(child);
                rules.apply(grandchild, &[answer]);
                wins(rules, grandchild, next)
            })
        });
        if !lost {
            places.push(at);
        }
    }
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
