//! Site sets.

use super::fixed::Fixed;
use crate::ctx::{Ctx, Source};
use crate::game::EquipmentRegion;
use crate::ir::{
    EndRule, Int, Ints, KnownByPlayer, Levels, MovePart, Moves, Region, Role, TrackOf, Who,
};
use crate::memo::Memo;
use crate::sites::{Numbers, SiteSet, Sites};
use crate::topo::{Dir, SiteType};
use ludex_game::mix;
use smallvec::SmallVec;

/// So few sites are asked one by one whether they belong to a region as well.
const FEW: usize = 8;

/// Parts of a region.
type Parts<'r> = SmallVec<[&'r Region; 4]>;

impl<'g> Ctx<'g> {
    /// Whether a site belongs to a region.
    pub fn contains(&mut self, region: &Region, site: i32) -> bool {
        match region {
            Region::Const(set) => set.contains(site),
            Region::Empty(kind) => {
                site < self.plane(*kind).count as i32 && self.is_empty(*kind, site)
            }
            Region::List(list) => list.iter().any(|s| self.int(s) == site),
            Region::Array(ints) => site >= 0 && self.ints_contain(ints, site),
            Region::One(one) => self.int(one) == site,
            Region::Union(all) => all.iter().any(|r| self.contains(r, site)),
            Region::Intersection(all) => all.iter().all(|r| self.contains(r, site)),
            Region::Difference(a, b) => self.contains(a, site) && !self.contains(b, site),
            Region::Named(parts) => parts.iter().any(|part| self.contains(part, site)),
            Region::Indexed(sets, index) => {
                let index = self.int(index);
                usize::try_from(index)
                    .is_ok_and(|at| sets.get(at).is_some_and(|set| set.contains(site)))
            }
            Region::Owned(player, name, known) => {
                let player = self.int(player);
                match self.known_region(player, name.as_deref(), known) {
                    Some(set) => set.contains(site),
                    None => self.equipment_region(player, name.as_deref()).contains(site),
                }
            }
            Region::Occupied(wanted) if self.has_lists(wanted) => self.holds_one(wanted, site),
            Region::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.contains(yes, site),
                (false, Some(no)) => self.contains(no, site),
                (false, None) => false,
            },
            Region::Track(track, None, None) if self.v.track < 0 => {
                let player = self.int(&track.player);
                let track = self.track_meant(track, player);
                site >= 0 && track.is_some_and(|track| track.place(site) < track.sites.len())
            }
            Region::Direction(wanted) => self.lies_in_direction(wanted, site),
            _ => self.region(region).contains(site),
        }
    }

    /// The sites of a region in the order the rules see them.
    pub fn sites(&mut self, region: &Region) -> Numbers {
        match region {
            Region::One(site) => Numbers::from_slice(&[self.int(site)]),
            _ => self.region(region).iter().collect(),
        }
    }

    /// The same, to be run through.
    pub fn each_site(&mut self, region: &Region) -> Sites {
        match region {
            Region::One(site) => Sites::one(self.int(site)),
            _ => Sites::from(self.region(region)),
        }
    }

    /// Evaluates a site set.
    pub fn region(&mut self, region: &Region) -> SiteSet {
        match region {
            Region::Const(set) => set.clone(),
            Region::List(list) => list.iter().map(|site| self.int(site)).collect(),
            Region::Array(ints) => match &**ints {
                Ints::Remembered(name) => {
                    self.s.remembered(name.as_deref()).iter().copied().collect()
                }
                Ints::Region(region) => self.region(region),
                ints => self.ints(ints).into_iter().collect(),
            },
            Region::Current => self.v.region.clone(),
            Region::Empty(kind) => self.s.layer(*kind).empty.below(self.plane(*kind).count),
            Region::EmptyIn(kind, container) => {
                let number = self.int(container);
                match usize::try_from(number).ok().and_then(|at| self.g.containers.get(at)) {
                    Some(hand) if number > 0 => {
                        let empty = &self.s.layer(SiteType::Cell).empty;
                        let sites = hand.first..hand.first + hand.count;
                        sites.filter(|&site| empty.contains(site)).collect()
                    }
                    _ => self.region(&Region::Empty(*kind)),
                }
            }
            Region::Occupied(wanted) => self.occupied(wanted),
            Region::Hand(who) => self.hand_sites(who),
            Region::Owned(player, name, known) => {
                let player = self.int(player);
                match self.known_region(player, name.as_deref(), known) {
                    Some(set) => set.clone(),
                    None => self.equipment_region(player, name.as_deref()),
                }
            }
            Region::Named(parts) | Region::Union(parts) => {
                let mut out = SiteSet::new();
                for part in parts {
                    out.union_with(&self.region(part));
                }
                out
            }
            Region::Called(name) => {
                let g = self.g;
                let mut out = SiteSet::new();
                for region in g.regions.iter().filter(|region| region.name == *name) {
                    out.union_with(&self.sites_of_region(region));
                }
                out
            }
            Region::LargePiece(kind, at) => {
                let site = self.int(at);
                self.large_piece(*kind, site).into_iter().collect()
            }
            Region::Indexed(sets, index) => {
                let index = self.int(index);
                let at = usize::try_from(index).ok();
                at.and_then(|at| sets.get(at)).cloned().unwrap_or_default()
            }
            Region::State(kind, state) => {
                let state = self.int(state);
                let layer = self.s.layer(*kind);
                let count = self.g.board_sites() as i32;
                (0..count).filter(|&site| i32::from(layer.top(site).state) == state).collect()
            }
            Region::Incident(to, of, at, owner) => {
                let site = self.int(at);
                let owner = owner.as_ref().map(|owner| self.int(owner));
                let near = self.g.topo.incident(*of, *to, site);
                let all = self.g.players + 1;
                let fits = |&s: &i32| {
                    owner.is_none_or(|owner| {
                        let who = self.who(*to, s);
                        who == owner || (who != 0 && owner == all)
                    })
                };
                near.into_iter().filter(fits).collect()
            }
            Region::Around(around) => self.around(around),
            Region::Direction(wanted) => self.in_direction(wanted),
            Region::Distance(kind, relation, from, range) => {
                let from = self.int(from);
                let (min, max) = (self.int(&range.min), self.int(&range.max));
                let near = self.plane(*kind).distance(*relation);
                let row = usize::try_from(from).ok().and_then(|from| near.get(from));
                let fits = |(site, &d): (usize, &u16)| {
                    let d = i32::from(d);
                    (d != i32::from(u16::MAX) && min >= 0 && d >= min && d <= max)
                        .then_some(site as i32)
                };
                row.map_or(&[][..], |row| row).iter().enumerate().filter_map(fits).collect()
            }
            Region::Between(wanted) => self.between(wanted),
            Region::LineOfSight(sight, kind, at, dirs) => {
                let from = self.int(at);
                self.line_of_sight(*sight, *kind, from, dirs)
            }
            Region::Group(group) => self.group_sites(group),
            Region::OfMoves(part, moves) => {
                let list = self.moves(moves);
                let mut out = SiteSet::new();
                for m in &list {
                    match part {
                        MovePart::From => out.insert(m.from),
                        MovePart::To => out.insert(m.to),
                        MovePart::Between => m.between.iter().for_each(|&s| out.insert(s)),
                    }
                }
                out
            }
            Region::Winning(player, moves) => self.winning_sites(player, moves),
            Region::Walk(kind, from, walks, rotations) => {
                let from = self.int(from);
                let all = self.bool(rotations);
                self.walk_ends(*kind, from, walks, all).into_iter().collect()
            }
            Region::Loop(wanted, inside) => {
                let inside = self.bool(inside);
                self.loop_sites(wanted, inside)
            }
            Region::Pending => self.s.pending.iter().copied().collect(),
            Region::LastTo => {
                let count = self.g.board_sites() as i32;
                let ends = self.s.last.ends.iter().copied().filter(|&to| (0..count).contains(&to));
                ends.chain([self.s.last.to].into_iter().filter(|&to| to >= 0)).collect()
            }
            Region::LastFrom => [self.s.last.from].into_iter().collect(),
            Region::ToClear => self.s.to_remove.iter().copied().collect(),
            Region::Start(piece) => {
                // What is no piece starts nowhere, also where a list of pieces is older than the board.
                let at = usize::try_from(self.int(piece)).ok().filter(|&what| what > 0);
                at.and_then(|at| self.s.starting.get(at)).cloned().unwrap_or_default()
            }
            Region::Track(track, from, to) => {
                self.track_sites(track, from.as_deref(), to.as_deref())
            }
            Region::Pattern(pattern) => self.pattern_sites(pattern),
            Region::Side(kind, player) => {
                let player = self.int(player);
                let facing = self.g.player_facing.get(player.max(0) as usize);
                match facing {
                    Some(Some(dir)) => self.plane(*kind).set(&format!("Side {}", dir.0)),
                    _ => SiteSet::new(),
                }
            }
            Region::Hidden(data, kind, who) => {
                let who = self.int(who);
                let count = self.plane(*kind).count as i32;
                (0..count).filter(|&site| self.is_hidden(*data, *kind, site, 0, who)).collect()
            }
            Region::Support(kind, what) => {
                let what = self.int(what);
                self.supporting(*kind, what)
            }
            Region::Playable => self.playable(),
            Region::Crossing(at, who) => {
                let (edge, who) = (self.int(at), self.int(who));
                let everybody = who == self.g.players + 1;
                let counts = |&other: &i32| match everybody {
                    true => self.what(SiteType::Edge, other) != 0,
                    false => self.who(SiteType::Edge, other) == who,
                };
                let others = (0..self.plane(SiteType::Edge).count as i32).filter(|&e| e != edge);
                others.filter(counts).filter(|&e| self.edges_cross(edge, e)).collect()
            }
            Region::LastBetween => self.s.last.between.iter().copied().collect(),
            Region::Intersection(parts) => {
                let (asked, made): (Parts<'_>, Parts<'_>) =
                    parts.iter().partition(|part| self.is_asked(part));
                let mut all = made.into_iter().chain(asked);
                let mut out = all.next().map(|part| self.region(part)).unwrap_or_default();
                for part in all {
                    match self.is_asked(part) && out.len() <= FEW {
                        true => out = out.iter().filter(|&s| self.contains(part, s)).collect(),
                        false => out.intersect_with(&self.region(part)),
                    }
                }
                out
            }
            Region::Difference(a, b) => {
                let mut out = self.region(a);
                out.subtract(&self.region(b));
                out
            }
            Region::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.region(yes),
                (false, Some(no)) => self.region(no),
                (false, None) => SiteSet::new(),
            },
            Region::Expand(kind, base, steps, dir) => {
                let base = self.region(base);
                let steps = self.int(steps);
                self.expand(*kind, base, steps, *dir)
            }
            Region::Filter(base, cond) => {
                let sites = self.each_site(base);
                let saved = self.v.site;
                let mut out = SiteSet::new();
                for site in sites {
                    self.v.site = site;
                    if self.bool(cond) {
                        out.insert(site);
                    }
                }
                self.v.site = saved;
                out
            }
            Region::ForEachSite(of, region) => {
                let sites = self.each_site(of);
                let saved = self.v.site;
                let mut out = SiteSet::new();
                for site in sites {
                    self.v.site = site;
                    out.union_with(&self.region(region));
                }
                self.v.site = saved;
                out
            }
            Region::ForEachPlayer(players, region) => {
                let players = self.ints(players);
                let saved = self.v.player;
                let mut out = SiteSet::new();
                let meant = 0..=self.g.players + 1;
                for player in players.into_iter().filter(|player| meant.contains(player)) {
                    self.v.player = player;
                    out.union_with(&self.region(region));
                }
                self.v.player = saved;
                out
            }
            Region::Levels(levels) => self.levels(levels),
            Region::ForEachTeam(region) => {
                let saved = std::mem::take(&mut self.v.team);
                let mut out = SiteSet::new();
                for team in 1..=self.g.players {
                    let members = (1..=self.g.players).filter(|&p| self.team_of(p) == team);
                    self.v.team = members.collect();
                    if !self.v.team.is_empty() {
                        out.union_with(&self.region(region));
                    }
                }
                self.v.team = saved;
                out
            }
            Region::Random(region, count) => {
                let sites: Vec<i32> = self.region(region).iter().collect();
                let count = self.int(count).clamp(0, sites.len() as i32) as usize;
                let mut out = SiteSet::new();
                let mut tries = 0;
                while out.len() < count && tries < 100_000 {
                    tries += 1;
                    out.insert(sites[self.chance.below(sites.len() as i32) as usize]);
                }
                out
            }
            Region::DistanceBy(walk, range) => self.distance_by(walk, range),
            Region::One(site) => [self.int(site)].into_iter().collect(),
        }
    }

    /// Where moves of a player end that win the game for him if he makes them now.
    fn winning_sites(&mut self, player: &Int, moves: &Moves) -> SiteSet {
        let player = self.int(player);
        let mover = self.s.mover;
        self.look(|c| {
            if player != mover {
                c.imply_mover(player);
            }
            let mut out = SiteSet::new();
            for m in c.moves(moves) {
                let new = m.to >= 0 && !out.contains(m.to);
                let wins = |c: &mut Self| {
                    c.play_silently(&m);
                    c.s.winners.contains(&player)
                };
                if new && c.look(wins) {
                    out.insert(m.to);
                }
            }
            out
        })
    }

    fn hand_sites(&mut self, who: &Who) -> SiteSet {
        let shared = matches!(who, Who::Role(Role::All));
        let player = match who {
            Who::One(player) => self.int(player),
            Who::Role(_) => self.g.players + 1,
        };
        // Dice lie in a hand as well.
        let mut hands = self.g.containers.iter().skip(1);
        let hand = hands.find(|c| shared || c.owner == player);
        hand.map_or_else(SiteSet::new, |hand| (hand.first..hand.first + hand.count).collect())
    }

    /// The sites of a player's regions by name, where those never change. One player's may be made of another's of the
    /// same name, so each player's are found when they are asked for.
    fn known_region<'m>(
        &mut self,
        player: i32,
        name: Option<&str>,
        known: &'m KnownByPlayer,
    ) -> Option<&'m SiteSet> {
        let g = self.g;
        let table = known.get(|| vec![Memo::default(); g.players as usize + 2]);
        let sites = table.get(usize::try_from(player).ok()?)?.get(|| {
            let mut meant = g.regions.iter().filter(|region| region.is_meant(player, name));
            let fixed = meant.all(|region| region.parts.iter().all(|part| self.is_known(part)));
            fixed.then(|| self.equipment_region(player, name))
        });
        sites.as_ref()
    }

    /// Whether a region of the equipment is the same in every position and for every player who asks.
    fn is_known(&self, region: &Region) -> bool {
        match region {
            Region::Track(track, None, None) => {
                let meant = |player: i32| self.track_meant(track, player).map(std::ptr::from_ref);
                let ends = self.g.phases.iter().flat_map(|phase| &phase.end);
                let tracks_run = ends.chain(&self.g.end).any(runs_through_tracks);
                !tracks_run && (0..=self.g.players + 1).all(|player| meant(player) == meant(0))
            }
            Region::Named(parts) | Region::Union(parts) | Region::Intersection(parts) => {
                parts.iter().all(|part| self.is_known(part))
            }
            Region::Difference(a, b) => self.is_known(a) && self.is_known(b),
            other => Fixed::new(&self.g.regions).region(other),
        }
    }

    /// The sites of a player's regions by name.
    pub fn equipment_region(&mut self, player: i32, name: Option<&str>) -> SiteSet {
        let g = self.g;
        let mut out = SiteSet::new();
        for region in &g.regions {
            if region.is_meant(player, name) {
                out.union_with(&self.sites_of_region(region));
            }
        }
        out
    }

    /// The sites of a region of the equipment. What is drawn at random is drawn once, on the empty board,
    /// and always the same: it belongs to the rules.
    fn sites_of_region(&mut self, region: &EquipmentRegion) -> SiteSet {
        if !region.random {
            return self.all_parts(&region.parts);
        }
        let g = self.g;
        let seed = region.name.bytes().fold(1, |seed, byte| mix(seed ^ u64::from(byte)));
        let drawn = region.drawn.get(|| {
            let mut ctx = Ctx::new(g, g.empty_state());
            ctx.chance.source = Source::Generator(seed);
            ctx.all_parts(&region.parts)
        });
        drawn.clone()
    }

    fn all_parts(&mut self, parts: &[Region]) -> SiteSet {
        let mut out = SiteSet::new();
        for part in parts {
            out.union_with(&self.region(part));
        }
        out
    }

    /// Whether a region is long to gather and easy to ask for a site.
    fn is_asked(&self, region: &Region) -> bool {
        match region {
            Region::Array(ints) => matches!(**ints, Ints::Remembered(_)),
            Region::Occupied(wanted) => self.has_lists(wanted) && !self.g.random,
            _ => false,
        }
    }

    fn track_meant(&self, track: &TrackOf, player: i32) -> Option<&'g crate::game::Track> {
        let mine = |t: &crate::game::Track| t.owner == player || t.owner == 0;
        self.g.tracks.iter().find(|t| match &track.name {
            Some(name) => t.name == *name || (t.name.contains(&**name) && mine(t)),
            None => mine(t),
        })
    }

    fn track_sites(&mut self, track: &TrackOf, from: Option<&Int>, to: Option<&Int>) -> SiteSet {
        let tracks = &self.g.tracks;
        let chosen = if self.v.track >= 0 {
            tracks.get(self.v.track as usize)
        } else {
            let player = self.int(&track.player);
            self.track_meant(track, player)
        };
        let Some(chosen) = chosen else {
            return SiteSet::new();
        };
        let sites = &chosen.sites;
        if from.is_none() && to.is_none() {
            return chosen.set.get(|| sites.iter().copied().collect()).clone();
        }
        let from = from.map_or(-1, |from| self.int(from));
        let to = to.map_or(-1, |to| self.int(to));
        let start = match from {
            -1 => Some(0),
            from => sites.iter().position(|&s| s == from),
        };
        let Some(start) = start else {
            return SiteSet::new();
        };
        let mut out = SiteSet::new();
        for &site in sites[start..].iter().chain(&sites[..start]) {
            out.insert(site);
            if site == to {
                break;
            }
        }
        out
    }

    fn supporting(&self, kind: SiteType, what: i32) -> SiteSet {
        let plane = self.plane(kind);
        let diagonals = [41u8, 39, 35, 37].map(Dir);
        let fits = |&to: &i32| {
            let there = self.what(kind, to);
            if what == -1 { there != 0 } else { there == what }
        };
        (0..plane.count as i32)
            .filter(|&site| {
                diagonals.iter().any(|&dir| plane.steps(site, dir).first().is_some_and(fits))
            })
            .collect()
    }

    fn levels(&mut self, levels: &Levels) -> SiteSet {
        let site = self.int(&levels.at);
        let height = self.height(levels.kind, site);
        let start = self.int(&levels.start);
        let saved = self.v.level;
        let mut out = SiteSet::new();
        let range: Vec<i32> = if levels.from_bottom {
            (start.max(0)..height).collect()
        } else {
            let start = if start < 0 { height - 1 } else { start.min(height - 1) };
            (0..=start).rev().collect()
        };
        for level in range {
            self.v.level = level;
            if levels.cond.as_ref().is_none_or(|cond| self.bool(cond)) {
                out.insert(level);
            }
        }
        self.v.level = saved;
        out
    }
}

/// Whether an end rule binds one track after the other, which `(sites Track)` then means.
fn runs_through_tracks(rule: &EndRule) -> bool {
    match rule {
        EndRule::If(_, rules, _) => rules.iter().any(runs_through_tracks),
        EndRule::ForEachTrack(..) => true,
        EndRule::ForEachPlayer { .. } => false,
    }
}
