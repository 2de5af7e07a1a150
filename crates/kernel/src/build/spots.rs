//! Moves on each site of a region, among them placings that turn what they enclose.

use super::Builder;
use super::families::{LeafParts, Terms, only_empty};
use super::sets::{EMPTY, mentions};
use crate::Built;
use crate::code::{Act, Node, Set, Shape, Var};
use ludex_lud::ir::{Add, Bool, Int, Moves, MovesKind, Region, Remove};

impl Builder<'_> {
    /// The moves of a loop over the sites of a region.
    pub(super) fn on_each_site(
        &mut self,
        region: &Region,
        inner: &Moves,
        terms: &Terms,
    ) -> Built<Node> {
        if self.origin.is_some() {
            return self.refuse("sites for each piece");
        }
        // Moves that read the same are told apart in the order of the dice, which those of sites do not keep.
        if self.pips {
            return self.refuse("sites for each die");
        }
        let sites = self.region(region)?;
        self.on_sites(sites, inner, terms)
    }

    fn on_sites(&mut self, sites: Set, moves: &Moves, outer: &Terms) -> Built<Node> {
        let terms = self.followed(moves, outer)?;
        match &moves.kind {
            MovesKind::None => Ok(Node::Nothing),
            MovesKind::All(parts) => {
                let mut nodes = Vec::new();
                for part in parts {
                    nodes.push(self.on_sites(sites.clone(), part, &terms)?);
                }
                Ok(self.all_of(nodes))
            }
            MovesKind::If(cond, yes, no) => {
                let fitting = self.sites_of_loop(cond)?;
                let narrowed = self.and(sites.clone(), fitting.clone());
                let mut nodes = vec![self.on_sites(narrowed, yes, &terms)?];
                if let Some(no) = no {
                    let others = self.not(fitting);
                    let rest = self.and(sites, others);
                    nodes.push(self.on_sites(rest, no, &terms)?);
                }
                Ok(self.all_of(nodes))
            }
            MovesKind::Append(inner) => self.reversal(sites, inner, &terms),
            MovesKind::Add(add) => self.add_on(sites, add, &terms),
            MovesKind::Remove(remove) => self.remove_on(sites, remove, &terms),
            MovesKind::FromTo(f) if matches!(f.from.site, Int::Site) => {
                self.carry_from(sites, f, &terms)
            }
            other => self.refuse(format!("moves by {} for each site", super::nums::name(other))),
        }
    }

    fn sites_of_loop(&mut self, cond: &Bool) -> Built<Set> {
        match mentions(cond, Var::To) {
            true => self.refuse("a loop over sites that calls them by another name"),
            false => self.sites_where(cond, Var::Site),
        }
    }

    fn add_on(&mut self, mut sites: Set, add: &Add, terms: &Terms) -> Built<Node> {
        let plain = add.decision
            && add.state.is_none()
            && add.level.is_none()
            && add.effect.is_none()
            && add.with.is_none()
            && add.region.is_none()
            && self.fixed_int(&add.count) == Some(1);
        let (Some(Int::Site), [what], true) = (&add.site, add.what.as_slice(), plain) else {
            return self.refuse("placing in a way of its own");
        };
        self.same_kind(add.kind)?;
        if let Some(cond) = &add.cond {
            let fitting = self.sites_of_loop(cond)?;
            sites = self.and(sites, fitting);
        }
        let Some(what) = self.fixed_int(what).and_then(|what| self.piece(what)) else {
            return self.refuse("placing a piece that is not known before");
        };
        let deed = self.deed(Act::Add(what), None, None, terms)?;
        self.spots(sites, deed)
    }

    fn remove_on(&mut self, sites: Set, remove: &Remove, terms: &Terms) -> Built<Node> {
        let here = matches!(&remove.at, Region::One(site) if matches!(**site, Int::Site));
        let plain = remove.decision && !remove.later && remove.level.is_none() && here;
        if !plain || self.fixed_int(&remove.count) != Some(1) {
            return self.refuse("taking in a way of its own");
        }
        let occupied = self.not(EMPTY);
        let sites = self.and(sites, occupied);
        let deed = self.deed(Act::Remove, None, None, terms)?;
        self.spots(sites, deed)
    }

    fn spots(&mut self, sites: Set, deed: u16) -> Built<Node> {
        let mut leaf_parts = LeafParts::default();
        leaf_parts.add(Shape::Spot, sites.clone(), sites, deed)?;
        Ok(self.leaf(leaf_parts))
    }

    /// One move of everything that a placing encloses: each enclosed piece is turned, and with each of them
    /// the piece is placed again, which changes nothing more.
    fn reversal(&mut self, sites: Set, inner: &Moves, terms: &Terms) -> Built<Node> {
        let MovesKind::Custodial(wanted) = &inner.kind else {
            return self.refuse("one move made of several");
        };
        let MovesKind::Combine(placed, turned) = &wanted.effect.kind else {
            return self.refuse("one move made of captures of their own kind");
        };
        let (MovesKind::Add(add), MovesKind::Flip(_, at)) = (&placed.kind, &turned.kind) else {
            return self.refuse("one move made of captures of their own kind");
        };
        let followed = [inner, &wanted.effect, placed, turned].iter().any(|m| m.then.is_some());
        let plain = add.region.is_none()
            && add.level.is_none()
            && add.cond.is_none()
            && add.effect.is_none()
            && add.with.is_none()
            && !followed
            && !self.game.counts
            && only_empty(&sites)
            && matches!((&add.site, &wanted.from), (Some(Int::Site), Int::Site))
            && matches!(**at, Int::Between)
            && self.fixed_int(&add.count) == Some(1);
        let ([what], Some(state), true) = (add.what.as_slice(), &add.state, plain) else {
            return self.refuse("one move made of captures of their own kind");
        };
        let byte = |n: Option<i32>| n.and_then(|n| u8::try_from(n).ok());
        let (Some(what @ 1..), Some(state)) =
            (byte(self.fixed_int(what)), byte(self.fixed_int(state)))
        else {
            return self.refuse("placing a piece that is not known before");
        };
        let mut capture = wanted.clone();
        (capture.from, capture.effect) = (Int::To, (**turned).clone());
        let open = self.flanking(&capture)?;
        let sites = self.and(sites, open);
        let effect = Moves { kind: MovesKind::Custodial(capture), then: None };
        let deed = self.deed(Act::Place(what, state), Some(&effect), None, terms)?;
        self.spots(sites, deed)
    }
}
