//! Pyramids of balls: what a ball rests on, what hides it, and what falls when one is taken away.

use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Int, Who};
use crate::moves::Mv;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

/// Sites whose places differ by less lie above each other.
const SAME_PLACE: f64 = 1e-9;

/// The four sides of a site on its own layer.
const SIDES: [Dir; 4] = [Dir(13), Dir(15), Dir(16), Dir(14)];

/// The corners below and above a site: north-west, north-east, south-west, south-east.
const BELOW: [Dir; 4] = [Dir(50), Dir(44), Dir(48), Dir(46)];
const ABOVE: [Dir; 4] = [Dir(41), Dir(35), Dir(39), Dir(37)];

impl Ctx<'_> {
    /// Whether a ball lies straight above a site, on any layer.
    pub(super) fn is_covered(&self, kind: SiteType, site: i32) -> bool {
        let plane = self.plane(kind);
        let Some([x, y, _]) = plane.position.get(site as usize) else {
            return false;
        };
        let above = |other: i32| {
            let [a, b, _] = plane.position[other as usize];
            (a - x).abs() < SAME_PLACE && (b - y).abs() < SAME_PLACE
        };
        (site + 1..plane.count as i32).any(|other| self.what(kind, other) != 0 && above(other))
    }

    /// How many sites rest on both of two sites, and on how many of them a ball lies.
    fn above_both(&self, kind: SiteType, a: i32, b: i32) -> (usize, usize) {
        let plane = self.plane(kind);
        let others = plane.steps(b, Dir::UPWARD);
        let both = plane.steps(a, Dir::UPWARD).iter().filter(|site| others.contains(site));
        let held = both.clone().filter(|&&site| self.what(kind, site) != 0).count();
        (both.count(), held)
    }

    /// Whether a group can be seen to go on from one site to another: nothing covers the second, and
    /// at most one ball lies over the place where they touch.
    pub(super) fn seen_together(&self, kind: SiteType, from: i32, to: i32) -> bool {
        !self.is_covered(kind, to) && self.above_both(kind, from, to).1 < 2
    }

    /// Whether all places over where two sites touch are taken.
    pub(super) fn hidden_between(&self, kind: SiteType, from: i32, to: i32) -> bool {
        let (sites, held) = self.above_both(kind, from, to);
        held != 0 && held == sites
    }

    /// How many of the balls that a site rests on belong to a player, or are of these kinds.
    pub(super) fn platform_below(&mut self, at: &Int, who: Option<&Who>, whats: &[Int]) -> i32 {
        let site = self.int(at);
        let whats: Vec<i32> = whats.iter().map(|what| self.int(what)).collect();
        let players = who.map(|who| self.players_of(who));
        let plane = self.plane(SiteType::Vertex);
        if site < 0 || site >= plane.count as i32 {
            return -1;
        }
        if plane.layer[site as usize] == 0 {
            return 0;
        }
        let counts = |&&to: &&i32| match &players {
            Some(players) => players.contains(&self.who(SiteType::Vertex, to)),
            None => whats.contains(&self.what(SiteType::Vertex, to)),
        };
        plane.steps(site, Dir::DOWNWARD).iter().filter(counts).count() as i32
    }

    /// Whether one of these sites has an empty neighbour on the ground other than this one.
    pub(super) fn has_freedom(&self, kind: SiteType, sites: &SiteSet, except: i32) -> bool {
        let plane = self.plane(kind);
        let free = |&to: &i32| {
            to != except && self.what(kind, to) == 0 && plane.layer.get(to as usize) == Some(&0)
        };
        sites.iter().any(|site| SIDES.iter().any(|&dir| plane.steps(site, dir).iter().any(free)))
    }

    /// Whether the four corners of a pyramid over or under one of these sites hold the same piece as it.
    pub(super) fn is_pyramid(&self, kind: SiteType, tips: &[i32]) -> bool {
        let count = self.plane(SiteType::Vertex).count as i32;
        for &tip in tips {
            if tip < 0 || tip >= count {
                return false;
            }
            if [BELOW, ABOVE].iter().any(|corners| self.has_corners(kind, tip, corners)) {
                return true;
            }
        }
        false
    }

    fn has_corners(&self, kind: SiteType, tip: i32, dirs: &[Dir; 4]) -> bool {
        let plane = self.plane(kind);
        let what = self.what(kind, tip);
        let mut corners = [tip; 4];
        // Each round goes one layer further, and no board has more layers than sites.
        for _ in 0..plane.count {
            for (corner, &dir) in corners.iter_mut().zip(dirs) {
                let [only] = plane.steps(*corner, dir) else {
                    return false;
                };
                *corner = *only;
            }
            if corners.iter().all(|&corner| self.what(kind, corner) == what) {
                return true;
            }
        }
        false
    }

    /// The next ball that falls: the first that has an empty site below it, and that site.
    pub(crate) fn next_to_fall(&self) -> Option<Mv> {
        let plane = self.plane(SiteType::Vertex);
        let held = |&site: &i32| self.what(SiteType::Vertex, site) != 0;
        let below = |site: i32| {
            let mut below = plane.steps(site, Dir::DOWNWARD).iter();
            below.find(|&&to| self.what(SiteType::Vertex, to) == 0).map(|&to| (site, to))
        };
        let (from, to) = (0..plane.count as i32).filter(held).find_map(below)?;
        let kind = SiteType::Vertex;
        let change = Change::Move {
            kind_from: kind,
            from,
            level_from: 0,
            kind_to: kind,
            to,
            level_to: 0,
            state: NONE,
            rotation: NONE,
            value: NONE,
            stack: false,
        };
        Some(Mv::of(change, false))
    }
}
