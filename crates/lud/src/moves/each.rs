//! Generators that run through pieces, sites, players, dice, directions and the like.

use super::{Mv, extend};
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::game::ContainerKind;
use crate::ir::{
    ForEachDie, ForEachDirection, ForEachPiece, Groups, Int, Ints, Moves, Region, Values,
};
use crate::owned::Held;
use crate::sites::Numbers;
use crate::topo::{Dir, SiteType};
use smallvec::SmallVec;

impl Ctx<'_> {
    /// The pieces that `(forEach Piece …)` runs through, and whose they are.
    pub(crate) fn pieces_meant(&mut self, each: &ForEachPiece) -> (i32, SmallVec<[Held; 24]>) {
        if self.s.over.is_some() {
            return (0, SmallVec::new());
        }
        let player = self.int(&each.player);
        let container = self.int(&each.container).max(0) as usize;
        let top = self.bool(&each.top);
        let kind = each.on.unwrap_or(self.g.topo.default);
        let Some(place) = self.g.containers.get(container) else {
            return (player, SmallVec::new());
        };
        let end = match container {
            0 => self.plane(kind).count as i32,
            _ => place.first + place.count,
        };
        let range = place.first..end;
        let meant = |held: &&Held| {
            range.contains(&held.site)
                && each.on.is_none_or(|wanted| wanted == held.kind)
                && (!top || self.height(Some(held.kind), held.site) == held.level + 1)
        };
        let kinds = each.meant.get(|| self.kinds_meant(each));
        let owner = if each.everybody { 0 } else { player };
        let kinds = kinds.get(owner as usize).map_or(&[][..], Vec::as_slice);
        let mut pieces = SmallVec::new();
        for &what in kinds {
            pieces.extend(self.s.owned.of(what).iter().filter(meant).copied());
        }
        (player, pieces)
    }

    /// The components meant, by owner, or under nobody where everybody's are.
    fn kinds_meant(&self, each: &ForEachPiece) -> Vec<Vec<u16>> {
        let g = self.g;
        let items = |owner: i32| {
            let own = g.kinds_of(owner).iter().copied();
            own.filter(|&what| each.means(&g.components[what as usize].name))
        };
        let owners = 0..=g.players + 1;
        if !each.everybody {
            return owners.map(|owner| items(owner).collect()).collect();
        }
        let mut all: Vec<u16> = owners.flat_map(items).collect();
        all.sort_unstable();
        vec![all]
    }

    pub(super) fn for_each_piece(&mut self, each: &ForEachPiece) -> Vec<Mv> {
        let (player, pieces) = self.pieces_meant(each);
        let mut out = Vec::new();
        for held in pieces {
            extend(&mut out, self.piece_moves(each, player, held));
        }
        let mover = self.s.mover;
        for m in &mut out {
            m.mover = mover;
        }
        out
    }

    pub(crate) fn piece_moves(&mut self, each: &ForEachPiece, player: i32, held: Held) -> Vec<Mv> {
        let g = self.g;
        let own = g.components[held.what as usize].moves.as_ref();
        let Some(moves) = each.moves.as_ref().or(own) else {
            return Vec::new();
        };
        self.as_piece(each, player, held, |c| c.listed(moves))
    }

    /// Does something with a piece bound, as its owner where that is not the mover.
    pub(super) fn as_piece<T>(
        &mut self,
        each: &ForEachPiece,
        player: i32,
        held: Held,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let saved = (self.v.from, self.v.level);
        (self.v.from, self.v.level) = (held.site, held.level);
        let mine = player == self.s.mover || player > self.g.players || player == 0;
        let done = if mine || each.everybody {
            act(self)
        } else {
            let turn = (self.s.prev, self.s.mover, self.s.next);
            (self.s.prev, self.s.mover, self.s.next) = (turn.1, player, turn.1);
            let done = act(self);
            (self.s.prev, self.s.mover, self.s.next) = turn;
            done
        };
        (self.v.from, self.v.level) = saved;
        done
    }

    /// The moves of every site, or those for the case that there are none (which nothing follows).
    pub(super) fn for_each_site(
        &mut self,
        region: &Region,
        inner: &Moves,
        otherwise: Option<&Moves>,
    ) -> Result<Vec<Mv>, Vec<Mv>> {
        let sites = self.region(region);
        let saved = (self.v.to, self.v.site);
        let seen = self.seen();
        let mut out = Vec::new();
        for site in sites.iter() {
            (self.v.to, self.v.site) = (site, site);
            extend(&mut out, self.listed(inner));
        }
        if self.found_none(&out, seen)
            && let Some(otherwise) = otherwise
        {
            let list = self.listed(otherwise);
            (self.v.to, self.v.site) = saved;
            return Err(list);
        }
        (self.v.to, self.v.site) = saved;
        Ok(out)
    }

    pub(super) fn for_each_player(&mut self, players: Option<&Ints>, inner: &Moves) -> Vec<Mv> {
        let players = match players {
            None => (1..=self.g.players).collect(),
            Some(players) => self.ints(players),
        };
        let saved = self.v.player;
        let mut out = Vec::new();
        for player in players {
            if (0..=self.g.players + 1).contains(&player) {
                self.v.player = player;
                extend(&mut out, self.listed(inner));
            }
        }
        self.v.player = saved;
        out
    }

    pub(super) fn for_each_value(&mut self, values: &Values, inner: &Moves) -> Vec<Mv> {
        let values: Numbers = match values {
            Values::List(list) => self.ints(list),
            Values::Range(min, max) => {
                let (min, max) = (self.int(min), self.int(max));
                (min..=max.min(min.saturating_add(10_000))).collect()
            }
        };
        let saved = self.v.value;
        let mut out = Vec::new();
        for value in values {
            self.v.value = value;
            extend(&mut out, self.listed(inner));
        }
        self.v.value = saved;
        out
    }

    pub(super) fn for_each_die(&mut self, each: &ForEachDie) -> Vec<Mv> {
        let set = self.int(&each.dice).max(0) as usize;
        let Some(values) = self.s.dice.get(set).cloned() else {
            return Vec::new();
        };
        let is_set = |c: &&crate::game::Container| c.kind == ContainerKind::Dice(set);
        let first = self.g.containers.iter().find(is_set).map_or(0, |c| c.first);
        let equal = values.iter().all(|&v| v == values[0]);
        let double = self.bool(&each.replay_double) && equal;
        let saved = self.v.pips;
        let mut out = Vec::new();
        for (die, &pips) in values.iter().enumerate() {
            let uses = [die];
            let mut list = self.die_moves(each, set, first, pips, &uses);
            if !list.is_empty() {
                self.after_die(&mut list, double, pips);
            }
            extend(&mut out, list);
        }
        if self.bool(&each.combined) {
            for uses in combined_dice(&values) {
                let pips = uses.iter().map(|&die| values[die]).sum();
                out.extend(self.die_moves(each, set, first, pips, &uses));
            }
        }
        self.v.pips = saved;
        out
    }

    fn die_moves(
        &mut self,
        each: &ForEachDie,
        set: usize,
        first: i32,
        pips: i32,
        uses: &[usize],
    ) -> Vec<Mv> {
        self.v.pips = pips;
        if !self.bool(&each.cond) {
            return Vec::new();
        }
        let mut list = self.listed(&each.moves);
        for m in &mut list {
            for _ in 0..=u8::from(m.twin) {
                for &die in uses {
                    m.push(Change::UseDie {
                        dice: set as i32,
                        die: die as i32,
                        site: first + die as i32,
                    });
                }
            }
        }
        list
    }

    /// A double is played twice: the first time is remembered, the second time the dice come back.
    fn after_die(&mut self, list: &mut [Mv], double: bool, pips: i32) {
        let temp = self.s.temp;
        let mut changes = Vec::new();
        if double {
            let value = if temp == NONE { pips } else { NONE };
            changes.push(Change::SetTemp { value });
        } else if temp != NONE {
            for container in &self.g.containers {
                let ContainerKind::Dice(_) = container.kind else {
                    continue;
                };
                let what = self.what(SiteType::Cell, container.first);
                let faces = self.g.components[what.max(0) as usize].faces.len() as i32;
                if temp - 1 < faces {
                    let sites = container.first..container.first + container.count;
                    changes.extend(sites.map(|site| Change::Die { site, state: temp - 1 }));
                }
            }
        }
        for m in list {
            for change in &changes {
                m.push(change.clone());
            }
        }
    }

    pub(super) fn for_each_direction(&mut self, each: &ForEachDirection) -> Vec<Mv> {
        let from = self.int(&each.from);
        let kind = each.kind.unwrap_or(self.g.topo.default);
        let plane = self.plane(kind);
        if from < 0 || from >= plane.count as i32 {
            return Vec::new();
        }
        let (min, max) = (self.int(&each.distance.min), self.int(&each.distance.max));
        let saved = (self.v.from, self.v.to, self.v.between);
        // Directions are seen from the piece at `(from)`, turned the way it just went.
        let piece = self.piece(each.kind, saved.0).what;
        if piece == 0 {
            return Vec::new();
        }
        let own = self.g.components[piece as usize].facing.unwrap_or(Dir::N);
        let facing = self.facing_of_step(kind, saved.0, saved.1).or(Some(own));
        let dirs = self.dirs_facing(&each.dirs, kind, from, facing);
        let mut out = Vec::new();
        for dir in dirs {
            for radial in plane.radials(from, dir) {
                for (n, &to) in radial.sites.iter().enumerate().skip(1) {
                    let n = n as i32;
                    if n > max {
                        break;
                    }
                    if let Some(between) = &each.between
                        && min > 1
                        && n < min
                    {
                        self.v.between = to;
                        if !self.bool(between) {
                            break;
                        }
                        self.v.between = saved.2;
                    }
                    self.v.to = to;
                    if each.to.as_ref().is_some_and(|cond| !self.bool(cond)) {
                        break;
                    }
                    if n >= min {
                        extend(&mut out, self.listed(&each.moves));
                    }
                }
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        out
    }

    /// The direction of a step from one site to another, the last that leads there.
    pub fn facing_of_step(&self, kind: SiteType, from: i32, to: i32) -> Option<Dir> {
        if to < 0 || from < 0 {
            return None;
        }
        let plane = self.plane(kind);
        let mut all = plane.supported(crate::ir::Relation::All).iter();
        all.rfind(|&&dir| plane.steps(from, dir).contains(&to)).copied()
    }

    pub(super) fn for_each_group(&mut self, groups: &Groups, inner: &Moves) -> Vec<Mv> {
        let all = self.owned_groups(groups);
        let saved = (self.v.from, self.v.to, std::mem::take(&mut self.v.region));
        let mut out = Vec::new();
        for (group, last) in all {
            (self.v.from, self.v.to) = (group[0], last);
            self.v.region = group.into_iter().collect();
            extend(&mut out, self.listed(inner));
        }
        (self.v.from, self.v.to, self.v.region) = saved;
        out
    }

    pub(super) fn for_each_level(
        &mut self,
        kind: Option<SiteType>,
        site: &Int,
        from_bottom: bool,
        inner: &Moves,
    ) -> Vec<Mv> {
        let site = self.int(site);
        let height = self.height(kind, site);
        let mut out = Vec::new();
        for n in 0..height {
            self.v.level = if from_bottom { n } else { height - 1 - n };
            extend(&mut out, self.listed(inner));
        }
        out
    }

    pub(super) fn for_each_team(&mut self, inner: &Moves) -> Vec<Mv> {
        let saved = std::mem::take(&mut self.v.team);
        let mut out = Vec::new();
        for team in 1..=self.g.players {
            let members = (1..=self.g.players).filter(|&p| self.team_of(p) == team);
            self.v.team = members.collect();
            if !self.v.team.is_empty() {
                extend(&mut out, self.listed(inner));
            }
        }
        self.v.team = saved;
        out
    }
}

/// Which dice are used together.
pub fn combined_dice(values: &[i32]) -> Vec<Vec<usize>> {
    let unused = |uses: &Vec<usize>| uses.iter().all(|&die| values[die] != 0);
    let all: Vec<Vec<usize>> = match values.len() {
        2 => vec![vec![0, 1]],
        3 => vec![vec![0, 1, 2], vec![0, 1], vec![0, 2], vec![1, 2]],
        _ => Vec::new(),
    };
    all.into_iter().filter(unused).collect()
}
