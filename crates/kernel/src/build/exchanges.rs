//! Pieces that change places.

use super::Builder;
use super::families::{LeafParts, Terms};
use super::generators::Path;
use crate::Built;
use crate::code::{Act, Node, Set};
use ludex_lud::ir::{Bool, Channel, Int, Origin, Region};
use ludex_lud::topo::SiteType;

impl Builder<'_> {
    /// A piece goes where another stands, which comes where it was.
    pub(super) fn exchange(&mut self, from: &Int, to: &Int, terms: &Terms) -> Built<Node> {
        self.same_kind(SiteType::Cell)?;
        let enemy = self.stands_enemy(to);
        if !enemy {
            return self.refuse("pieces that change places with what may be nothing");
        }
        let origin = match (from, self.origin.clone()) {
            (Int::From, Some(origin)) => origin,
            (from, None) => Set::One(self.num(from)?),
            _ => return self.refuse("other pieces that change places for each piece"),
        };
        let start =
            Origin { kind: None, site: from.clone(), region: None, level: None, cond: None };
        let always = Bool::Const(true);
        let path = Path { from: &start, cond: &always, effect: None, act: Act::Exchange };
        let mut leaf_parts = LeafParts::default();
        self.carry_along(
            &mut leaf_parts,
            &path,
            origin,
            &Region::One(Box::new(to.clone())),
            terms,
        )?;
        Ok(self.leaf(leaf_parts))
    }

    /// Whether an enemy's piece is known to stand on a site, by a condition that holds here.
    fn stands_enemy(&self, site: &Int) -> bool {
        self.assumed.iter().any(|cond| match cond {
            Bool::Enemy(who) => match &**who {
                Int::At(Channel::Who, _, at, None) => **at == *site,
                _ => false,
            },
            _ => false,
        })
    }

    /// Notes what holds in a part of the rules; gives how much was known before.
    pub(super) fn assume(&mut self, cond: &Bool) -> usize {
        let before = self.assumed.len();
        match cond {
            Bool::And(all) => self.assumed.extend(all.iter().cloned()),
            one => self.assumed.push(one.clone()),
        }
        before
    }
}
