//! Generators made of other generators: choice, order, repetition, look ahead.

use super::{Log, Mv, Part, Parts, extend};
use crate::lud::action::{Action, Change, NONE};
use crate::lud::ctx::{Chance, Ctx};
use crate::lud::game::ContainerKind;
use crate::lud::ir::{
    Bool, Do, ForEachDie, ForEachDirection, ForEachPiece, Groups, Int, Ints, Moves, Region, Values,
};
use crate::lud::owned::Held;
use crate::lud::sites::Numbers;
use crate::lud::topo::{Dir, SiteType};
use smallvec::SmallVec;

impl Ctx<'_> {
    pub(super) fn seq(&mut self, all: &[Moves]) -> Vec<Mv> {
        self.look(|c| {
            let mut out = Vec::new();
            for moves in all {
                for m in c.moves(moves) {
                    let log = c.apply_move(&m);
                    out.push(applied(&m, log));
                }
            }
            out
        })
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
            then: SmallVec::new(),
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
                    parts: [m1, m2].map(|m| Part::Sub(Box::new(m.clone()))).into_iter().collect(),
                    ..Mv::default()
                });
            }
        }
        out
    }

    pub(super) fn priority(&mut self, all: &[Moves]) -> Vec<Mv> {
        for moves in all {
            let seen = self.seen();
            let list = self.listed(moves);
            if !self.found_none(&list, seen) {
                return list;
            }
        }
        Vec::new()
    }

    pub(super) fn do_moves(&mut self, wanted: &Do) -> Vec<Mv> {
        let mut list = match &wanted.next {
            None => self.listed(&wanted.prior),
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
        let seen = self.seen();
        let only_dice = first.iter().all(is_throw);
        let (mut list, before, chance) = if only_dice {
            self.asked(|c| c.after_throw(&first, next))
        } else {
            self.look(|c| {
                let before = first.iter().map(|m| c.effects_made(m)).collect();
                (c.listed(next), before, c.chance.clone())
            })
        };
        self.chance = chance;
        if self.found_none(&list, seen) && self.g.has_dice() && self.takes(NONE) {
            let pass = Mv::of(Change::Pass { forced: true }, true).at(NONE, NONE);
            let mut pass = pass.by(self.s.mover);
            for log in &before {
                pass.parts.insert_many(0, log.iter().cloned());
            }
            return vec![pass];
        }
        self.keep_last(&mut list);
        let mut at = 0;
        for log in &before {
            for m in &mut list {
                for _ in 0..=u8::from(m.twin) {
                    m.parts.insert_many(at, log.iter().cloned());
                }
            }
            at = log.len();
        }
        list
    }

    /// Makes a move that is not a turn; what it changed, with all that followed.
    fn effects_made(&mut self, m: &Mv) -> Parts {
        let mut log = Log::full();
        self.apply_effects(m, &mut log);
        log.into_actions().into_iter().map(Part::Do).collect()
    }

    /// The moves after a throw of dice, which is taken back.
    fn after_throw(&mut self, throws: &[Mv], next: &Moves) -> (Vec<Mv>, Vec<Parts>, Chance) {
        let dice = self.shown_dice();
        for m in throws {
            m.each_change(&mut |action| self.apply_change(&action.kind));
        }
        let before = throws.iter().map(|m| m.parts.clone()).collect();
        let list = self.listed(next);
        self.show_dice(&dice);
        (list, before, self.chance.clone())
    }

    /// What dice show and count, in a row.
    fn shown_dice(&self) -> Numbers {
        let g = self.g;
        let sites = g.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_)));
        let sites = sites.flat_map(|c| c.first..c.first + c.count);
        let faces = sites.map(|site| i32::from(self.piece(Some(SiteType::Cell), site).state));
        let values = self.s.dice.iter().flatten().chain(&self.s.dice_sum).copied();
        faces.chain(values).chain([i32::from(self.s.dice_equal)]).collect()
    }

    /// Makes dice show and count what they did.
    fn show_dice(&mut self, shown: &[i32]) {
        let mut shown = shown.iter().copied();
        let mut next = || shown.next().unwrap_or(0);
        for container in &self.g.containers {
            if !matches!(container.kind, ContainerKind::Dice(_)) {
                continue;
            }
            for site in container.first..container.first + container.count {
                let state = next() as i16;
                self.s.layers[SiteType::Cell as usize].update(site, |p| p.state = state);
            }
        }
        let values = self.s.dice.iter_mut().flatten().chain(&mut self.s.dice_sum);
        values.for_each(|value| *value = next());
        self.s.dice_equal = next() == 1;
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
            _ => self.finds(moves, to),
        }
    }

    fn any_piece_move(&mut self, each: &ForEachPiece, to: Option<i32>) -> bool {
        let (player, pieces) = self.pieces_meant(each);
        let g = self.g;
        pieces.into_iter().any(|held| {
            let own = g.components[held.what as usize].moves.as_ref();
            let Some(moves) = each.moves.as_ref().or(own) else {
                return false;
            };
            self.as_piece(each, player, held, |c| c.any_move(moves, to))
        })
    }

    pub(in crate::lud) fn holds_after(&mut self, m: &Mv, cond: &Bool) -> bool {
        self.look(|c| {
            c.apply_silently(m);
            if c.s.mover == c.s.next {
                c.s.next = c.s.prev;
            }
            c.bool(cond)
        })
    }

    pub(super) fn max_moves(&mut self, inner: &Moves, value: &Bool) -> Vec<Mv> {
        let list = self.moves(inner);
        let by_value = self.bool(value);
        let mut counted = Vec::with_capacity(list.len());
        for m in list {
            let (count, log) = self.look(|c| {
                // What is taken is worth what it was before.
                let before = by_value.then(|| c.clone());
                let log = c.play(&m);
                let worth = before.map_or(1, |before| before.captured_value(&log, true));
                (c.replay_count(worth, by_value, 0), log)
            });
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
            let length = self.look(|c| {
                let before = by_value.then(|| c.clone());
                let log = c.play(&m);
                let worth = before.map_or(1, |before| before.captured_value(&log, false));
                c.replay_count(count + worth, by_value, depth + 1)
            });
            most = most.max(length);
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
            let log = self.look(|c| c.apply_move(&m));
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
            let seen = self.seen();
            out = self.listed(inner);
            if !self.found_none(&out, seen) {
                break;
            }
        }
        self.v.site = saved;
        out
    }

    pub(super) fn while_moves(&mut self, cond: &Bool, inner: &Moves) -> Vec<Mv> {
        self.look(|c| {
            let mut out = Vec::new();
            for _ in 0..10_000 {
                if !c.bool(cond) {
                    break;
                }
                for m in c.moves(inner) {
                    c.apply_effects(&m, &mut Log::silent());
                    out.push(m);
                }
            }
            out
        })
    }

    pub(super) fn avoid_stored(&mut self, inner: &Moves) -> Vec<Mv> {
        let mut list = self.moves(inner);
        let stored = self.s.stored;
        list.retain(|m| {
            self.look(|c| {
                c.apply_silently(m);
                c.position_hash() != stored
            })
        });
        list
    }

    /// The pieces that `(forEach Piece …)` runs through, and whose they are.
    pub(in crate::lud) fn pieces_meant(
        &mut self,
        each: &ForEachPiece,
    ) -> (i32, SmallVec<[Held; 24]>) {
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
        let known = 0..=self.g.players + 1;
        let meant = |held: &&Held| {
            let owner = self.g.owner(held.what);
            (if each.everybody { known.contains(&owner) } else { owner == player })
                && range.contains(&held.site)
                && each.on.is_none_or(|wanted| wanted == held.kind)
                && self.is_item(&each.items, held.what)
                && (!top || self.height(Some(held.kind), held.site) == held.level + 1)
        };
        let pieces = self.s.owned.iter().filter(meant).copied().collect();
        (player, pieces)
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

    fn is_item(&self, items: &[Box<str>], what: u16) -> bool {
        if items.is_empty() {
            return true;
        }
        let name = &self.g.components[what as usize].name;
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        items.iter().any(|item| &**item == bare)
    }

    pub(in crate::lud) fn piece_moves(
        &mut self,
        each: &ForEachPiece,
        player: i32,
        held: Held,
    ) -> Vec<Mv> {
        let g = self.g;
        let own = g.components[held.what as usize].moves.as_ref();
        let Some(moves) = each.moves.as_ref().or(own) else {
            return Vec::new();
        };
        self.as_piece(each, player, held, |c| c.listed(moves))
    }

    /// Does something with a piece bound, as its owner where that is not the mover.
    fn as_piece<T>(
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

    fn facing_of_step(&self, kind: SiteType, from: i32, to: i32) -> Option<Dir> {
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

/// A move whose consequences have been worked out already.
fn applied(m: &Mv, log: Vec<Action>) -> Mv {
    Mv { parts: log.into_iter().map(Part::Do).collect(), then: SmallVec::new(), ..m.clone() }
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

/// Whether a move only throws dice.
fn is_throw(m: &Mv) -> bool {
    let thrown = |part: &Part| match part {
        Part::Do(action) => matches!(action.kind, Change::Die { .. } | Change::DiceEqual { .. }),
        Part::Sub(_) => false,
    };
    m.then.is_empty() && m.parts.iter().all(thrown)
}
