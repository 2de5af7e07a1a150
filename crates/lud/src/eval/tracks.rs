//! Sites along tracks.

use crate::ctx::Ctx;
use crate::ir::{Int, TrackOf};

impl<'g> Ctx<'g> {
    pub(super) fn steps_on_track(&mut self, track: &TrackOf, from: &Int, to: &Int) -> i32 {
        let player = self.int(&track.player);
        let Some(index) = self.track_of(track, player) else {
            return -1;
        };
        let (from, to) = (self.int(from), self.int(to));
        let sites = &self.g.tracks[index].sites;
        let start = self.place_on_track(index, from, player);
        let looped_inside = !self.g.tracks[index].looped && self.g.inner_loops;
        let back = if looped_inside { 0 } else { start.min(sites.len()) };
        let mut walk = (start..sites.len()).chain(0..back);
        let found = walk.position(|at| sites[at] == to);
        found.map_or(-1, |n| n as i32)
    }

    /// The track that the rules name, or the one that a player owns.
    pub fn track_of(&self, track: &TrackOf, player: i32) -> Option<usize> {
        let find = |player: i32| {
            let named = track.name.as_deref().and_then(|name| self.track_named(name, player));
            named.or_else(|| self.track_owned(player))
        };
        let found = track.found.get(|| (0..=self.g.players + 1).map(find).collect());
        found.get(player as usize).copied().unwrap_or_else(|| find(player))
    }

    /// Place of a site on a track (its length if it is not there); where the track visits a site
    /// twice, the place where the piece really is.
    pub fn place_on_track(&self, track: usize, site: i32, player: i32) -> usize {
        let t = &self.g.tracks[track];
        let first = t.place(site);
        if t.looped || !self.g.inner_loops || site < 0 {
            return first;
        }
        let kind = self.g.kind_at(None, site);
        let layer = self.s.layer(kind);
        let own = (0..layer.height(site))
            .map(|level| layer.at(site, level).what)
            .find(|&what| self.g.owner(what) == player);
        let what = own.unwrap_or(layer.top(site).what);
        if what == 0 {
            return first;
        }
        let places = self.s.on_track.get(track).map_or(&[][..], Vec::as_slice);
        let here = places.iter().filter(|(w, place, count)| {
            *w == what && *count > 0 && t.sites[*place as usize] == site
        });
        here.map(|(_, place, _)| *place as usize).min().unwrap_or(t.sites.len())
    }

    pub(super) fn track_move(&mut self, track: &TrackOf, from: Option<&Int>, steps: &Int) -> i32 {
        let player = self.int(&track.player);
        let Some(index) = self.track_of(track, player) else {
            return -1;
        };
        let at = match from {
            None => -1,
            Some(from) => {
                let site = self.int(from);
                if site < 0 && !self.g.tracks[index].looped && self.g.inner_loops {
                    return -1;
                }
                self.place_on_track(index, site, player) as i32
            }
        };
        let steps = self.int(steps).max(0);
        self.g.tracks[index].site_at(at + steps)
    }

    pub(super) fn track_end(&mut self, player: Option<&Int>, name: Option<&str>) -> i32 {
        let player = player.map_or(0, |player| self.int(player));
        let track = self.track_listed(player, name);
        track.and_then(|t| t.sites.last().copied()).unwrap_or(-1)
    }

    /// The first track that fits a player and a name, or the first of all.
    pub fn track_listed(&self, player: i32, name: Option<&str>) -> Option<&'g crate::game::Track> {
        let tracks = &self.g.tracks;
        let fits = |t: &&crate::game::Track| match name {
            Some(name) if player == 0 => t.name.contains(name),
            Some(name) => t.name.contains(name) && t.owner == player,
            None => t.owner == player || t.owner == 0,
        };
        tracks.iter().find(fits).or_else(|| tracks.first())
    }

    pub(super) fn track_first(
        &mut self,
        track: &TrackOf,
        from: Option<&Int>,
        cond: Option<&crate::ir::Bool>,
    ) -> i32 {
        let player = self.int(&track.player);
        let Some(chosen) = self.track_listed(player, track.name.as_deref()) else {
            return -1;
        };
        let sites = &chosen.sites;
        let from = from.map_or(-1, |from| self.int(from));
        let start = match from {
            -1 => Some(0),
            from => sites.iter().position(|&s| s == from),
        };
        let Some(start) = start else {
            return -1;
        };
        let to = self.v.to;
        let mut found = -1;
        for &site in sites[start..].iter().chain(&sites[..start]) {
            self.v.to = site;
            if cond.is_none_or(|cond| self.bool(cond)) {
                found = site;
                break;
            }
        }
        self.v.to = to;
        found
    }
}
