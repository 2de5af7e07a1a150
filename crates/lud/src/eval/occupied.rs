//! Sites that pieces stand on.

use crate::ctx::Ctx;
use crate::game::{Container, ContainerKind};
use crate::ir::{ContainerRef, Occupied};
use crate::sites::SiteSet;
use crate::topo::SiteType;

impl Ctx<'_> {
    /// Whether the sites meant are those entered for pieces, and nothing else is asked of them.
    pub(super) fn has_lists(&self, wanted: &Occupied) -> bool {
        wanted.container.is_none() && wanted.what_index.is_none() && !self.g.stacking
    }

    pub(super) fn occupied(&mut self, wanted: &Occupied) -> SiteSet {
        let players = self.players_of(&wanted.by);
        if self.has_lists(wanted) {
            let kind = wanted.on.unwrap_or(self.g.topo.default);
            let meant = |what: &u16| wanted.what.as_ref().is_none_or(|list| list.contains(what));
            let mut out = SiteSet::new();
            for &player in &players {
                for &what in self.g.kinds_of(player).iter().filter(|what| meant(what)) {
                    let held = self.s.owned.of(what).iter().filter(|held| held.kind == kind);
                    held.for_each(|held| out.insert(held.site));
                }
            }
            return out;
        }
        let container = match &wanted.container {
            None => None,
            Some(ContainerRef::Fixed(index)) => Some(*index),
            Some(ContainerRef::Hand(name, player)) => {
                let player = self.int(player);
                let hand = |c: &Container| {
                    c.kind == ContainerKind::Hand && c.owner == player && c.name.contains(&**name)
                };
                match self.g.containers.iter().position(hand) {
                    Some(index) => Some(index),
                    None => return SiteSet::new(),
                }
            }
            Some(ContainerRef::Index(index)) => usize::try_from(self.int(index)).ok(),
        };
        let only = wanted.what_index.as_ref().map(|what| self.int(what));
        let range = container.and_then(|c| self.g.containers.get(c));
        let mut out = SiteSet::new();
        let kind = match container {
            Some(1..) => SiteType::Cell,
            _ => wanted.on.unwrap_or(self.g.topo.default),
        };
        let meant = |what: &u16| {
            only.is_none_or(|only| only == i32::from(*what))
                && wanted.what.as_ref().is_none_or(|list| list.contains(what))
        };
        let kinds = players.iter().flat_map(|&player| self.g.kinds_of(player)).copied();
        let mut seen = None;
        for held in kinds.filter(meant).flat_map(|what| self.s.owned.of(what)) {
            let site = held.site;
            // The pieces of a stack mostly follow one another, and all say the same of their site.
            if seen.replace((held.kind, site)) == Some((held.kind, site)) {
                continue;
            }
            let outside = range.is_some_and(|c| site < c.first || site >= c.first + c.count);
            // Of stacks, those whose top piece is theirs.
            let on_top = || players.contains(&self.who(kind, site));
            let fits = held.kind == kind && !outside;
            if fits && (!wanted.top || !self.g.stacking || on_top()) {
                out.insert(site);
            }
        }
        if container == Some(0) && self.g.large_pieces {
            for site in out.clone().iter() {
                self.large_piece(kind, site).into_iter().for_each(|cell| out.insert(cell));
            }
        }
        out
    }

    /// The sites of the piece at a site, all the cells of a large one.
    pub(super) fn large_piece(&self, kind: SiteType, site: i32) -> Vec<i32> {
        if site < 0 || site >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let piece = self.s.layer(kind).top(site);
        match i32::from(piece.what) {
            0 => Vec::new(),
            what if self.is_large(what) => self.covered(what, site, i32::from(piece.state)),
            _ => vec![site],
        }
    }

    /// Whether a piece of those meant is entered for a site, wherever that is.
    pub(super) fn holds_one(&mut self, wanted: &Occupied, site: i32) -> bool {
        let kind = wanted.on.unwrap_or(self.g.topo.default);
        let players = self.players_of(&wanted.by);
        let meant = |what: &u16| wanted.what.as_ref().is_none_or(|list| list.contains(what));
        let kinds = players.iter().flat_map(|&player| self.g.kinds_of(player)).copied();
        let mut pieces = kinds.filter(meant).flat_map(|what| self.s.owned.of(what));
        pieces.any(|held| held.site == site && held.kind == kind)
    }
}
