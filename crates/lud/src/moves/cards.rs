//! Dealing and playing cards, and moves that are drawn at random.

use super::Mv;
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Deal, Dealt, Float, Int, Moves};
use crate::topo::SiteType;

impl Ctx<'_> {
    pub(super) fn dealt(&mut self, deal: &Deal) -> Vec<Mv> {
        let count = self.int(&deal.count).max(0);
        let first = deal.first.as_ref().map(|first| self.int(first));
        let Some(hands) = self.g.hands() else {
            return Vec::new();
        };
        match deal.what {
            Dealt::Cards => self.cards_dealt(count, first.unwrap_or(1), &hands),
            Dealt::Dominoes => self.dominoes_dealt(count, &hands),
        }
    }

    fn cards_dealt(&mut self, count: i32, first: i32, hands: &[i32]) -> Vec<Mv> {
        let Some(deck) = self.g.deck() else {
            return Vec::new();
        };
        let held = self.s.layer(SiteType::Cell).height(deck.first);
        let players = hands.len() as i32;
        let wanted = count.saturating_mul(players).min(held);
        let card = |n: i32| {
            let to = hands[(first - 1 + n).rem_euclid(players) as usize];
            Mv::of(card_moved(deck.first, held - 1 - n, to), false)
        };
        (0..wanted).map(card).collect()
    }

    /// So many to each of two players, as the reference does; each lies as often as was asked for.
    fn dominoes_dealt(&mut self, count: i32, hands: &[i32]) -> Vec<Mv> {
        let mut left: Vec<i32> = (1..self.g.components.len() as i32).collect();
        let mut out = Vec::new();
        let players = hands.len() as i32;
        for n in 0..count.saturating_mul(2) {
            if left.is_empty() {
                break;
            }
            let what = left.remove(self.chance.below(left.len() as i32) as usize);
            let to = hands[(n % players) as usize] + n / players;
            if to >= self.g.container_of.len() as i32 {
                break;
            }
            let (kind, none) = (SiteType::Cell, NONE);
            let change = Change::Add {
                kind,
                to,
                what,
                count,
                state: none,
                rotation: none,
                value: none,
                stack: false,
            };
            out.push(Mv::of(change, false));
        }
        out
    }

    /// Every card that the mover holds, onto the cell of the board that is the mover's.
    pub(super) fn play_card(&mut self, decision: bool) -> Vec<Mv> {
        let g = self.g;
        let mover = self.s.mover;
        let mut out = Vec::new();
        for hand in g.containers.iter().skip(1).filter(|c| c.owner == mover) {
            for from in hand.first..hand.first + hand.count {
                for level in 0..self.s.layer(SiteType::Cell).height(from) {
                    let change = card_moved(from, level, mover - 1);
                    out.push(Mv::of(change, decision).at(from, mover - 1).by(mover));
                }
            }
        }
        out
    }

    pub(super) fn set_trump_suit(&mut self, suits: &[i32], decision: bool) -> Vec<Mv> {
        let mover = self.s.mover;
        let set = |&suit: &i32| Mv::of(Change::SetTrumpSuit { suit }, decision);
        suits.iter().map(|suit| set(suit).at(NONE, NONE).by(mover)).collect()
    }

    /// The moves of one of several generators, drawn by their weights.
    pub(super) fn random_one(&mut self, all: &[(Float, Moves)]) -> Vec<Mv> {
        if all.is_empty() {
            return Vec::new();
        }
        let weights: Vec<f64> = all.iter().map(|(w, _)| f64::from(self.float(w))).collect();
        let at = self.chance.weighted(&weights);
        match all.get(at) {
            Some((_, moves)) => self.moves(moves),
            None => Vec::new(),
        }
    }

    /// So many of the moves; the reference may draw one of them again.
    pub(super) fn random_some(&mut self, moves: &Moves, count: &Int) -> Vec<Mv> {
        let all = self.moves(moves);
        let count = self.int(count).clamp(0, all.len() as i32);
        (0..count).map(|_| all[self.chance.below(all.len() as i32) as usize].clone()).collect()
    }
}

/// A card goes from a level of a pile onto another.
pub(crate) fn card_moved(from: i32, level_from: i32, to: i32) -> Change {
    Change::Move {
        kind_from: SiteType::Cell,
        from,
        level_from,
        kind_to: SiteType::Cell,
        to,
        level_to: NONE,
        state: NONE,
        rotation: NONE,
        value: NONE,
        stack: false,
    }
}
