//! Generators made of other generators: choice, order, repetition, look ahead.

use super::{Mv, Part};
use crate::lud::action::{Action, Change, NONE};
use crate::lud::ctx::Ctx;
use crate::lud::game::ContainerKind;
use crate::lud::ir::{
    Bool, Do, ForEachDie, ForEachDirection, ForEachPiece, Groups, Int, Ints, Moves, Region, Values,
};
use crate::lud::topo::{Dir, SiteType};

impl Ctx<'_> {
    pub(super) fn seq(&mut self, all: &[Moves]) -> Vec<Mv> {
        let mut look = self.clone();
        let mut out = Vec::new();
        for moves in all {
            for m in look.moves(moves) {
                let log = look.apply_move(&m);
                out.push(applied(&m, log));
            }
        }
        out
    }

    pub(super) fn append(&mut self, inner: &Moves) -> Vec<Mv> {
        let mut list = self.moves(inner);
        if list.is_empty() {
            return list;
        }
        for (n, m) in list.iter_mut().enumerate() {
            m.set_decision(n == 0);
        }
        let (from, to) = list[0].decided_sites();
        let between = list[0].between.clone();
        vec![Mv {
            from,
            to,
            between,
            mover: self.s.mover,
            parts: list.into_iter().map(|m| Part::Sub(Box::new(m))).collect(),
            then: Vec::new(),
            twin: false,
        }]
    }

    pub(super) fn combine(&mut self, a: &Moves, b: &Moves) -> Vec<Mv> {
        let (first, second) = (self.moves(a), self.moves(b));
        let mut out = Vec::with_capacity(first.len() * second.len());
        for m1 in &first {
            for m2 in &second {
                let (from, to) = m1.decided_sites();
                out.push(Mv {
                    from,
                    to,
                    parts: vec![Part::Sub(Box::new(m1.clone())), Part::Sub(Box::new(m2.clone()))],
                    ..Mv::default()
                });
            }
        }
        out
    }

    pub(super) fn priority(&mut self, all: &[Moves]) -> Vec<Mv> {
        for moves in all {
            let list = self.moves(moves);
            if !list.is_empty() {
                return list;
            }
        }
        Vec::new()
    }

    pub(super) fn do_moves(&mut self, wanted: &Do) -> Vec<Mv> {
        let mut list = match &wanted.next {
            None => self.moves(&wanted.prior),
            Some(next) => self.do_next(&wanted.prior, next),
        };
        if let Some(cond) = &wanted.if_afterwards
            && !self.is_certain(cond)
        {
            list.retain(|m| self.holds_after(m, cond));
        }
        list
    }

    fn do_next(&mut self, prior: &Moves, next: &Moves) -> Vec<Mv> {
        // What comes first may throw dice; the next moves are found after that throw.
        let first = self.moves(prior);
        let mut look = self.clone();
        let mut before: Vec<Vec<Action>> = Vec::new();
        for m in first {
            let mut log = Vec::new();
            look.apply_effects(&m, &mut log);
            before.push(log);
        }
        let mut list = look.moves(next);
        self.chance = look.chance;
        let mut at = 0;
        for log in &before {
            for m in &mut list {
                for _ in 0..=u8::from(m.twin) {
                    let parts = log.iter().cloned().map(Part::Do);
                    m.parts.splice(at..at, parts);
                }
            }
            at = log.len();
        }
        let dice = self.g.containers.iter().any(|c| matches!(c.kind, ContainerKind::Dice(_)));
        if list.is_empty() && dice {
            let mut pass =
                Mv::of(Change::Pass { forced: true }, true).at(NONE, NONE).by(self.s.mover);
            for log in &before {
                pass.parts.splice(0..0, log.iter().cloned().map(Part::Do));
            }
            list.push(pass);
        }
        list
    }

    /// Conditions that hold by definition inside the search for threats or for moves.
    pub(in crate::lud) fn is_certain(&self, cond: &Bool) -> bool {
        match cond {
            Bool::Not(inner) => match &**inner {
                Bool::Threatened(_) => self.in_threat,
                Bool::NoMoves(who) => {
                    self.in_no_moves && matches!(who, crate::lud::ir::Who::One(Int::Next))
                }
                _ => false,
            },
            Bool::And(all) => all.iter().all(|c| self.is_certain(c)),
            _ => false,
        }
    }

    /// Whether a generator has a move at all, or one that ends on a site.
    pub fn any_move(&mut self, moves: &Moves, to: Option<i32>) -> bool {
        use crate::lud::ir::MovesKind as K;
        let meta = &self.g.meta;
        let judged = to.is_none() && (meta.no_repeat.is_some() || meta.no_suicide);
        match &moves.kind {
            // Rules about rules judge moves with all that follows them.
            kind if judged && !matches!(kind, K::If(..)) => {
                let list = self.moves(moves);
                list.iter().any(|m| self.passes_meta(m))
            }
            K::All(all) => all.iter().any(|m| self.any_move(m, to)),
            K::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.any_move(yes, to),
                (false, Some(no)) => self.any_move(no, to),
                (false, None) => false,
            },
            K::Do(wanted) if wanted.next.is_none() => match &wanted.if_afterwards {
                Some(cond) if !self.is_certain(cond) => {
                    let list = self.moves(&wanted.prior);
                    let reaches = |m: &&Mv| to.is_none_or(|to| m.to == to);
                    list.iter().filter(reaches).any(|m| self.holds_after(m, cond))
                }
                _ => self.any_move(&wanted.prior, to),
            },
            K::ForEachPiece(each) => self.any_piece_move(each, to),
            _ => {
                let list = self.moves(moves);
                list.iter().any(|m| to.is_none_or(|to| m.to == to))
            }
        }
    }

    fn any_piece_move(&mut self, each: &ForEachPiece, to: Option<i32>) -> bool {
        let (player, pieces) = self.pieces_meant(each);
        let g = self.g;
        pieces.into_iter().any(|(what, _, site, level)| {
            let own = g.components[what as usize].moves.as_ref();
            let Some(moves) = each.moves.as_ref().or(own) else {
                return false;
            };
            self.as_piece(each, player, site, level, |c| c.any_move(moves, to))
        })
    }

    pub(in crate::lud) fn holds_after(&mut self, m: &Mv, cond: &Bool) -> bool {
        let mut look = self.clone();
        look.apply_move(m);
        if look.s.mover == look.s.next {
            look.s.next = look.s.prev;
        }
        look.bool(cond)
    }

    pub(super) fn max_moves(&mut self, inner: &Moves, value: &Bool) -> Vec<Mv> {
        let list = self.moves(inner);
        let by_value = self.bool(value);
        let mut counted = Vec::with_capacity(list.len());
        for m in list {
            let mut look = self.clone();
            let log = look.play(&m);
            let worth = if by_value { self.captured_value(&log, true) } else { 1 };
            let count = look.replay_count(worth, by_value, 0);
            counted.push((count, applied(&m, log)));
        }
        let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0).max(0);
        let best = counted.into_iter().filter(|(count, _)| *count == most);
        best.map(|(_, m)| m).collect()
    }

    /// How many moves the mover can string together from here.
    fn replay_count(&mut self, count: i32, by_value: bool, depth: u32) -> i32 {
        if self.s.prev != self.s.mover || self.s.over.is_some() || depth > 100 {
            return count;
        }
        let mut most = 0;
        for m in self.legal_moves() {
            let mut look = self.clone();
            let log = look.play(&m);
            let worth = if by_value { self.captured_value(&log, false) } else { 1 };
            most = most.max(look.replay_count(count + worth, by_value, depth + 1));
        }
        most
    }

    /// The value of what a move takes, by the levels it is taken from or by the tops of stacks.
    fn captured_value(&self, log: &[Action], by_level: bool) -> i32 {
        let value = |a: &Action| match a.kind {
            Change::Remove { kind, to, level, .. } if by_level => {
                self.s.layer(self.g.kind_at(Some(kind), to)).at(to, level.max(0)).value
            }
            Change::Remove { kind, to, .. } => self.piece(Some(kind), to).value,
            _ => 0,
        };
        log.iter().map(value).sum()
    }

    pub(super) fn max_captures(&mut self, inner: &Moves, value: &Bool) -> Vec<Mv> {
        let list = self.moves(inner);
        let by_value = self.bool(value);
        let mut counted = Vec::with_capacity(list.len());
        for m in list {
            let log = self.clone().apply_move(&m);
            let removes = log.iter().filter(|a| matches!(a.kind, Change::Remove { .. }));
            let count =
                if by_value { self.captured_value(&log, false) } else { removes.count() as i32 };
            counted.push((count, m));
        }
        let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0).max(0);
        let best = counted.into_iter().filter(|(count, _)| *count == most);
        best.map(|(_, m)| m).collect()
    }

    pub(super) fn first_on_track(
        &mut self,
        inner: &Moves,
        name: Option<&str>,
        owner: Option<&Int>,
    ) -> Vec<Mv> {
        let owner = owner.map(|owner| self.int(owner));
        let g = self.g;
        let track = g.tracks.iter().find(|t| match (name, owner) {
            (None, _) => true,
            (Some(name), None | Some(-1)) => &*t.name == name,
            (Some(name), Some(owner)) => t.owner == owner && t.name.contains(name),
        });
        let Some(track) = track else {
            return Vec::new();
        };
        let saved = self.v.site;
        let mut out = Vec::new();
        for &site in track.sites.iter().filter(|&&site| site >= 0) {
            self.v.site = site;
            out = self.moves(inner);
            if !out.is_empty() {
                break;
            }
        }
        self.v.site = saved;
        out
    }

    pub(super) fn while_moves(&mut self, cond: &Bool, inner: &Moves) -> Vec<Mv> {
        let mut look = self.clone();
        let mut out = Vec::new();
        for _ in 0..10_000 {
            if !look.bool(cond) {
                break;
            }
            for m in look.moves(inner) {
                look.apply_effects(&m, &mut Vec::new());
                out.push(m);
            }
        }
        out
    }

    pub(super) fn avoid_stored(&mut self, inner: &Moves) -> Vec<Mv> {
        let mut list = self.moves(inner);
        let stored = self.s.stored;
        list.retain(|m| {
            let mut look = self.clone();
            look.apply_move(m);
            look.position_hash() != stored
        });
        list
    }

    /// The pieces that `(forEach Piece …)` runs through, and whose they are.
    pub(in crate::lud) fn pieces_meant(
        &mut self,
        each: &ForEachPiece,
    ) -> (i32, Vec<(u16, SiteType, i32, i32)>) {
        if self.s.over.is_some() {
            return (0, Vec::new());
        }
        let player = self.int(&each.player);
        let container = self.int(&each.container).max(0) as usize;
        let top = self.bool(&each.top);
        let kind = each.on.unwrap_or(self.g.topo.default);
        let Some(place) = self.g.containers.get(container) else {
            return (player, Vec::new());
        };
        let end = match container {
            0 => self.plane(kind).count as i32,
            _ => place.first + place.count,
        };
        let range = place.first..end;
        let players: Vec<i32> =
            if each.everybody { (0..=self.g.players + 1).collect() } else { vec![player] };
        let mut pieces: Vec<_> = players.iter().flat_map(|&p| self.owned(p)).collect();
        pieces.sort_by_key(|&(what, ..)| what);
        pieces.retain(|&(what, on, site, level)| {
            range.contains(&site)
                && each.on.is_none_or(|wanted| wanted == on)
                && self.is_item(&each.items, what)
                && (!top || self.height(Some(on), site) == level + 1)
        });
        (player, pieces)
    }

    pub(super) fn for_each_piece(&mut self, each: &ForEachPiece) -> Vec<Mv> {
        let (player, pieces) = self.pieces_meant(each);
        let mut out = Vec::new();
        for (what, _, site, level) in pieces {
            let mut list = self.piece_moves(each, player, what, site, level);
            let mover = self.s.mover;
            for m in &mut list {
                m.mover = mover;
            }
            out.extend(list);
        }
        out
    }

    fn is_item(&self, items: &[Box<str>], what: u16) -> bool {
        let name = &self.g.components[what as usize].name;
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        items.is_empty() || items.iter().any(|item| &**item == bare)
    }

    pub(in crate::lud) fn piece_moves(
        &mut self,
        each: &ForEachPiece,
        player: i32,
        what: u16,
        site: i32,
        level: i32,
    ) -> Vec<Mv> {
        let g = self.g;
        let own = g.components[what as usize].moves.as_ref();
        let Some(moves) = each.moves.as_ref().or(own) else {
            return Vec::new();
        };
        self.as_piece(each, player, site, level, |c| c.moves(moves))
    }

    /// Does something with a piece bound, as its owner where that is not the mover.
    fn as_piece<T>(
        &mut self,
        each: &ForEachPiece,
        player: i32,
        site: i32,
        level: i32,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let saved = (self.v.from, self.v.level);
        (self.v.from, self.v.level) = (site, level);
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
        let mut out = Vec::new();
        for site in sites.iter() {
            (self.v.to, self.v.site) = (site, site);
            out.extend(self.moves(inner));
        }
        if out.is_empty()
            && let Some(otherwise) = otherwise
        {
            let list = self.moves(otherwise);
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
                out.extend(self.moves(inner));
            }
        }
        self.v.player = saved;
        out
    }

    pub(super) fn for_each_value(&mut self, values: &Values, inner: &Moves) -> Vec<Mv> {
        let values: Vec<i32> = match values {
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
            out.extend(self.moves(inner));
        }
        self.v.value = saved;
        out
    }

    pub(super) fn for_each_die(&mut self, each: &ForEachDie) -> Vec<Mv> {
        let set = self.int(&each.dice).max(0) as usize;
        let Some(values) = self.s.dice.get(set).cloned() else {
            return Vec::new();
        };
        let is_set = |c: &&crate::lud::game::Container| c.kind == ContainerKind::Dice(set);
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
            out.extend(list);
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
        let mut list = self.moves(&each.moves);
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
                        out.extend(self.moves(&each.moves));
                    }
                }
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        out
    }

    /// The direction of a step from one site to another, the last that leads there.
    pub(in crate::lud) fn facing_of_step(&self, kind: SiteType, from: i32, to: i32) -> Option<Dir> {
        if to < 0 || from < 0 {
            return None;
        }
        let plane = self.plane(kind);
        let mut all = plane.supported(crate::lud::ir::Relation::All).iter();
        all.rfind(|&&dir| plane.steps(from, dir).contains(&to)).copied()
    }

    pub(super) fn for_each_group(&mut self, groups: &Groups, inner: &Moves) -> Vec<Mv> {
        let all = self.owned_groups(groups);
        let saved = (self.v.from, self.v.to, std::mem::take(&mut self.v.region));
        let mut out = Vec::new();
        for (group, last) in all {
            (self.v.from, self.v.to) = (group[0], last);
            self.v.region = group.into_iter().collect();
            out.extend(self.moves(inner));
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
            out.extend(self.moves(inner));
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
                out.extend(self.moves(inner));
            }
        }
        self.v.team = saved;
        out
    }
}

/// A move whose consequences have been worked out already.
fn applied(m: &Mv, log: Vec<Action>) -> Mv {
    Mv { parts: log.into_iter().map(Part::Do).collect(), then: Vec::new(), ..m.clone() }
}

/// Which dice are used together.
fn combined_dice(values: &[i32]) -> Vec<Vec<usize>> {
    let unused = |uses: &Vec<usize>| uses.iter().all(|&die| values[die] != 0);
    let all: Vec<Vec<usize>> = match values.len() {
        2 => vec![vec![0, 1]],
        3 => vec![vec![0, 1, 2], vec![0, 1], vec![0, 2], vec![1, 2]],
        _ => Vec::new(),
    };
    all.into_iter().filter(unused).collect()
}
