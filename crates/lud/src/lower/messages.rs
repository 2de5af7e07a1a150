//! Lowering of proposals and votes: what players say to each other is known by number.

use super::{Args, Lower, Lowered};
use crate::ir::MovesKind;
use ludex_lang::lud::tree::{Node, NodeKind};

impl Lower<'_> {
    pub(super) fn message(
        &mut self,
        args: &Args<'_>,
        vote: bool,
        decision: bool,
    ) -> Lowered<MovesKind> {
        let names =
            ["message", "messages", "proposition", "propositions", "vote", "votes"].into_iter();
        let said: Vec<Box<str>> = names.flat_map(|name| self.texts_of(args, name)).collect();
        let texts = said.iter().map(|text| self.message_number(text)).collect();
        Ok(MovesKind::Message { vote, texts, decision })
    }

    /// The number of a message.
    pub(super) fn message_number(&mut self, text: &str) -> u16 {
        let known = self.texts.iter().position(|known| &**known == text);
        let number = known.unwrap_or_else(|| {
            self.texts.push(text.into());
            self.texts.len() - 1
        });
        number as u16
    }

    /// Numbers all messages of a game: those of the end rules first, then the rest in the order of
    /// the text, what follows a move before the move itself.
    pub(super) fn number_messages(&mut self, game: &Node) {
        let rules = game.children().iter().find(|part| part.head() == Some("rules"));
        let parts = rules.map_or(&[][..], Node::children);
        let (ends, rest): (Vec<&Node>, Vec<&Node>) =
            parts.iter().partition(|part| part.head() == Some("end"));
        for part in ends.into_iter().chain(rest) {
            self.number_in(part);
        }
    }

    fn number_in(&mut self, node: &Node) {
        let parts = node.children();
        let is_then = |part: &&Node| part.head() == Some("then");
        for part in parts.iter().filter(is_then) {
            self.number_in(part);
        }
        if speaks(node) {
            for part in parts {
                for item in std::iter::once(part).chain(part.children()) {
                    if let NodeKind::Text(text) = &item.kind {
                        self.message_number(text);
                    }
                }
            }
        }
        for part in parts.iter().filter(|part| !is_then(part)) {
            self.number_in(part);
        }
    }
}

/// Whether a call makes or asks about proposals and votes.
fn speaks(node: &Node) -> bool {
    let second = node.children().get(1).and_then(Node::word);
    match node.head() {
        Some("propose" | "vote") => true,
        Some("move") => matches!(second, Some("Propose" | "Vote")),
        Some("is") => matches!(second, Some("Proposed" | "Decided")),
        _ => false,
    }
}
