//! Loops over the pieces of a player: each has moves of its own.

use super::Builder;
use super::families::Terms;
use super::fold::of_next;
use crate::Built;
use crate::code::Node;
use ludex_lud::game::ContainerKind;
use ludex_lud::ir::{ForEachPiece, Int, Moves, MovesKind};
use ludex_lud::sites::SiteSet;

impl Builder<'_> {
    pub(super) fn pieces(&mut self, each: &ForEachPiece, terms: &Terms) -> Built<Node> {
        if self.origin.is_some() {
            return self.refuse("pieces for each piece");
        }
        if let Some(kind) = each.on {
            self.same_kind(kind)?;
        }
        if each.everybody {
            return self.refuse("pieces of everybody");
        }
        let Some(place) = self.place_of(each) else {
            return self.refuse("pieces of another place");
        };
        self.pieces_in(vec![place], each, terms)
    }

    fn pieces_in(&mut self, places: Vec<usize>, each: &ForEachPiece, terms: &Terms) -> Built<Node> {
        let kept = std::mem::replace(&mut self.places, places);
        let node = self.pieces_there(each, terms);
        self.places = kept;
        node
    }

    /// The board or the hand whose pieces a loop runs through.
    fn place_of(&mut self, each: &ForEachPiece) -> Option<usize> {
        let place = usize::try_from(self.fixed_int(&each.container)?).ok()?;
        self.is_place(place).then_some(place)
    }

    /// Loops over pieces of several places that are otherwise alike are one.
    pub(super) fn pieces_everywhere(
        &mut self,
        parts: &[Moves],
        terms: &Terms,
    ) -> Built<Option<Node>> {
        let alike = |part: &Moves| match &part.kind {
            MovesKind::ForEachPiece(each) if part.then.is_none() => {
                Some(ForEachPiece { container: Int::Const(0), ..(**each).clone() })
            }
            _ => None,
        };
        let [MovesKind::ForEachPiece(first), _, ..] =
            &parts.iter().map(|p| &p.kind).collect::<Vec<_>>()[..]
        else {
            return Ok(None);
        };
        let form = alike(&parts[0]);
        if form.is_none() || parts.iter().any(|part| alike(part) != form) {
            return Ok(None);
        }
        let mut places = Vec::new();
        for part in parts {
            let MovesKind::ForEachPiece(each) = &part.kind else {
                return Ok(None);
            };
            match self.place_of(each) {
                Some(place) if !places.contains(&place) => places.push(place),
                _ => return Ok(None),
            }
        }
        if self.origin.is_some() || first.on.is_some() || first.everybody {
            return Ok(None);
        }
        self.pieces_in(places, first, terms).map(Some)
    }

    /// Whether a number is that of the board or of a hand.
    fn is_place(&self, place: usize) -> bool {
        let container = self.game.containers.get(place);
        place == 0 || container.is_some_and(|c| c.kind == ContainerKind::Hand)
    }

    /// The moves of a player's pieces in one place.
    fn pieces_there(&mut self, each: &ForEachPiece, terms: &Terms) -> Built<Node> {
        if self.fixed_int(&each.player).is_none()
            && let Some(all) = self.by_next(|b| b.fixed_int(&each.player))
        {
            let mut nodes = Vec::new();
            for player in all {
                nodes.push(self.pieces_of(player, each, terms)?);
            }
            let either = |test, yes, no| Node::If(Box::new(test), Box::new(yes), Box::new(no));
            return Ok(of_next(nodes, either).unwrap_or(Node::Nothing));
        }
        match self.fixed_int(&each.player) {
            Some(player) => self.pieces_of(player, each, terms),
            None => self.refuse("pieces of a player who is not known before"),
        }
    }

    /// The moves of a player's pieces, made in his place where he is not the mover.
    fn pieces_of(&mut self, player: i32, each: &ForEachPiece, terms: &Terms) -> Built<Node> {
        if !(1..=self.game.players).contains(&player) {
            return self.refuse("pieces that belong to nobody");
        }
        if player != self.mover && self.game.players > 2 {
            return self.refuse("moves of another player's pieces among several players");
        }
        let saved = (self.mover, self.choosing, self.prev);
        if player != self.mover {
            // As the rules have it, the mover then is both the one before and the one after.
            (self.choosing, self.prev) = (true, Some(self.mover));
            self.write_for(player);
        }
        let node = self.pieces_of_mover(each, terms);
        self.write_for(saved.0);
        (_, self.choosing, self.prev) = saved;
        node
    }

    /// Writes code for another player from now on.
    pub(super) fn write_for(&mut self, mover: i32) {
        self.mover = mover;
        (self.ctx.s.mover, self.ctx.s.next) = (mover, mover % self.game.players + 1);
    }

    fn pieces_of_mover(&mut self, each: &ForEachPiece, terms: &Terms) -> Built<Node> {
        let mut nodes = Vec::new();
        let top = self.fixed_bool(&each.top) == Some(true);
        let levels = self.code.stacks.filter(|_| !top).map_or(0, |stacks| stacks.most);
        for (what, component) in self.game.components.iter().enumerate().skip(1) {
            let bare = component.name.trim_end_matches(|c: char| c.is_ascii_digit());
            let named = |item: &str| item == bare || *item == *component.name;
            let meant = each.items.is_empty() || each.items.iter().any(|item| named(item));
            let moves = each.moves.as_ref().or(component.moves.as_ref());
            let (Some(moves), true) = (moves, meant && component.owner == self.mover) else {
                continue;
            };
            // Every piece that is there would have one of its own.
            if names_no_site(moves) {
                return self.refuse("passes and messages of pieces");
            }
            let what = what as u16;
            self.deed_floor = self.code.deeds.len();
            let slot = self.slot_of(what);
            let mut origin = self.nowhere();
            for place in self.places.clone() {
                let there = match place {
                    0 => self.fixed(SiteSet::first(self.code.board)),
                    hand => self.sites_of(Some(hand)),
                };
                origin = self.or(origin, there);
            }
            if levels > 0 {
                nodes.push(self.pieces_at_levels(levels, (what, origin), moves, terms)?);
                continue;
            }
            self.origin = Some(self.and(slot, origin));
            self.from_what = Some(what);
            let node = self.node(moves, terms);
            (self.origin, self.from_what) = (None, None);
            nodes.push(node?);
        }
        Ok(self.all_of(nodes))
    }
}

/// Whether some of these moves name no site, so that nothing ties them to a piece.
fn names_no_site(moves: &Moves) -> bool {
    use MovesKind as K;
    match &moves.kind {
        K::Pass { .. } | K::Message { .. } => true,
        K::All(all) | K::Seq(all) | K::Priority(all) => all.iter().any(names_no_site),
        K::If(_, yes, no) => names_no_site(yes) || no.as_ref().is_some_and(|no| names_no_site(no)),
        _ => false,
    }
}
