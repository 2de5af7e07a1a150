//! Counting pieces.

use crate::ctx::Ctx;
use crate::ir::{CountPieces, CountStack, Region};
use crate::owned::Held;
use crate::sites::{Numbers, SiteSet};
use crate::topo::SiteType;

impl Ctx<'_> {
    /// Number of pieces on sites of one kind: hands count only where cells are asked for.
    pub(super) fn count_at(&mut self, kind: Option<SiteType>, region: &Region) -> i32 {
        if let Region::One(site) = region {
            let site = self.int(site);
            let layer = self.s.layer(kind.unwrap_or(self.g.topo.default));
            return match self.g.stacking {
                _ if site < 0 => 0,
                true => layer.height(site),
                false => i32::from(layer.top(site).count),
            };
        }
        let sites = self.each_site(region);
        let layer = self.s.layer(kind.unwrap_or(self.g.topo.default));
        let mut count = 0;
        for site in sites.filter(|&s| s >= 0) {
            count +=
                if self.g.stacking { layer.height(site) } else { i32::from(layer.top(site).count) };
        }
        count
    }

    /// Number of pieces that `(count Pieces …)` means.
    ///
    /// Every player's sites are looked at once, for the pieces of all the players meant: a stack
    /// of several of them counts for each.
    pub fn count_pieces(&mut self, count: &CountPieces) -> i32 {
        let players = self.players_of(&count.who);
        let within = count.within.as_ref().map(|region| self.region(region));
        let (site, level) = (self.v.site, self.v.level);
        let mut total = 0;
        for &player in &players {
            for at in self.sites_held(count, player, within.as_ref()) {
                total += self.count_pieces_at(count, &players, at);
            }
        }
        (self.v.site, self.v.level) = (site, level);
        total
    }

    /// The sites of a player's pieces in the order kept, each once, as far as they are looked at.
    fn sites_held(&self, count: &CountPieces, player: i32, within: Option<&SiteSet>) -> Numbers {
        let (mut looked, mut sites) = (SiteSet::new(), Numbers::new());
        for &what in self.g.kinds_of(player) {
            for &Held { kind: on, site: at, .. } in self.s.owned.of(what) {
                let other = count.kind.is_some_and(|kind| kind != on);
                if other || within.is_some_and(|set| !set.contains(at)) || looked.contains(at) {
                    continue;
                }
                looked.insert(at);
                sites.push(at);
            }
        }
        sites
    }

    /// Whether none of the pieces that `(no Pieces …)` means is anywhere. A site that is entered as
    /// somebody's and has become empty is nobody's: it counts where nobody is meant as well.
    pub fn no_pieces(&mut self, count: &CountPieces) -> bool {
        let players = self.players_of(&count.who);
        let within = count.within.as_ref().map(|region| self.region(region));
        let fits = |what: u16| {
            players.contains(&self.g.owner(what))
                && count.what.as_ref().is_none_or(|list| list.contains(&what))
        };
        let kinds = players.iter().flat_map(|&player| self.g.kinds_of(player));
        !kinds.flat_map(|&what| self.s.owned.of(what)).any(|held| {
            let (on, at) = (held.kind, held.site);
            let meant = count.kind.is_none_or(|kind| kind == on)
                && within.as_ref().is_none_or(|set| set.contains(at));
            let kind = count.kind.unwrap_or_else(|| self.g.kind_at(None, at));
            let layer = self.s.layer(kind);
            let beyond = count.kind.is_some() && at >= self.plane(kind).count as i32;
            meant
                && !beyond
                && match self.g.stacking {
                    true => (0..layer.height(at)).any(|level| fits(layer.at(at, level).what)),
                    false => fits(layer.top(at).what),
                }
        })
    }

    pub(super) fn count_pieces_at(&mut self, count: &CountPieces, players: &[i32], at: i32) -> i32 {
        let kind = match count.kind {
            Some(kind) if at >= self.plane(kind).count as i32 => return 0,
            Some(kind) => kind,
            None => self.g.kind_at(None, at),
        };
        let level = self.v.level;
        let mut total = 0;
        for lvl in 0..self.s.layer(kind).height(at) {
            let piece = self.s.layer(kind).at(at, lvl);
            let counts = players.contains(&self.g.owner(piece.what))
                && count.what.as_ref().is_none_or(|w| w.contains(&piece.what));
            if !counts {
                continue;
            }
            (self.v.site, self.v.level) = (at, if self.g.stacking { lvl } else { level });
            if count.cond.as_ref().is_none_or(|cond| self.bool(cond)) {
                total += if self.g.stacking { 1 } else { i32::from(piece.count) };
            }
        }
        total
    }

    pub(super) fn count_stack(&mut self, count: &CountStack) -> i32 {
        let (to, level) = (self.v.to, self.v.level);
        let mut total = 0;
        for site in self.each_site(&count.at) {
            if site < 0 {
                continue;
            }
            let height = self.height(count.kind, site);
            for n in 0..height {
                self.v.to = site;
                self.v.level = if count.from_bottom { n } else { height - 1 - n };
                if self.bool(&count.stop) {
                    break;
                }
                total += i32::from(self.bool(&count.cond));
            }
        }
        (self.v.to, self.v.level) = (to, level);
        total
    }
}
