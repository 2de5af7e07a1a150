//! Lowering of decks and single cards.

use super::{Args, Lower, Lowered};
use crate::game::{Card, Component, ContainerKind};
use crate::ir::Int;
use ludex_lang::lud::table::table;

/// More cards than any deck has; stops descriptions that ask for millions.
const MOST_CARDS: i32 = 1000;

impl Lower<'_> {
    /// A deck: its pile, and a kind of piece for each card.
    pub(super) fn deck(&mut self, args: &Args<'_>) -> Lowered<()> {
        let role = self.word(args, "role").unwrap_or("Shared");
        let Int::Const(owner) = self.role(role) else {
            return self.refuse(args.call.place, "this owner of a deck");
        };
        let suits = self.number(args, "suits").unwrap_or(4);
        let most = table().values("CardType").len() as i32 - 1;
        let plain = self.number(args, "cardsBySuit").unwrap_or(most);
        let mut cards = Vec::new();
        for item in self.items(args, "cards") {
            let card = self.call_of(item)?;
            self.word(&card, "type");
            cards.push(self.worth(&card));
            if card.get("biased").is_some() {
                return self.refuse(item.place, "a biased card");
            }
            self.done(&card)?;
        }
        if cards.is_empty() {
            if !(1..=most).contains(&plain) {
                let said = format!("a suit has at least one and at most {most} cards");
                return self.wrong(args.call.place, said);
            }
            let of = |n| Card { suit: 0, rank: n, trump_rank: n, trump_value: n };
            cards.extend((1..=plain).map(of));
        }
        self.done(args)?;
        let count = suits.saturating_mul(cards.len() as i32);
        if !(1..=MOST_CARDS).contains(&count) {
            return self
                .wrong(args.call.place, "a deck has at least one suit and at most 1000 cards");
        }
        let first = self.components.len() as u16;
        let known = self.components.iter().filter(|piece| piece.card.is_some()).count();
        let all = (1..=suits).flat_map(|suit| cards.iter().map(move |card| Card { suit, ..*card }));
        for (n, card) in all.enumerate() {
            self.components.push(Component {
                name: format!("Card{}", known + n + 1).into(),
                owner,
                card: Some(card),
                ..Component::default()
            });
        }
        let kind = ContainerKind::Deck { first, count: count as u16 };
        self.container(format!("Deck{owner}"), 1, owner, kind);
        self.flags.stacking = true;
        self.flags.random = true;
        Ok(())
    }

    /// A card that is a piece by itself.
    pub(super) fn single_card(&mut self, args: &Args<'_>) -> Lowered<()> {
        let label = self.text(args, "label").unwrap_or("Card");
        let Int::Const(owner) = self.role(self.word(args, "role").unwrap_or("Shared")) else {
            return self.refuse(args.call.place, "this owner of a card");
        };
        self.word(args, "cardType");
        let card = Card { suit: self.number(args, "suit").unwrap_or(0), ..self.worth(args) };
        let shared = owner > self.players || self.players == 1 && owner != 0;
        let number = if shared { String::new() } else { owner.to_string() };
        self.components.push(Component {
            name: format!("{label}{number}").into(),
            owner,
            card: Some(card),
            ..Component::default()
        });
        self.flags.stacking = true;
        Ok(())
    }

    fn worth(&self, args: &Args<'_>) -> Card {
        // The value of a card that is not trump can be given, and nothing asks for it.
        self.number(args, "value");
        Card {
            suit: 0,
            rank: self.number(args, "rank").unwrap_or(-1),
            trump_rank: self.number(args, "trumpRank").unwrap_or(-1),
            trump_value: self.number(args, "trumpValue").unwrap_or(-1),
        }
    }
}
