//! Adding, moving anywhere, removing, promoting and selecting.

use super::{Mv, Part};
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Add, FromTo, Into_, Promote, Remove, Select};
use crate::sites::{Numbers, SiteSet, Sites};
use crate::topo::SiteType;

/// A rule puts no more pieces on a site at once than this.
pub(crate) const MOST_AT_ONCE: i32 = 1_000;

impl Ctx<'_> {
    pub(super) fn add(&mut self, add: &Add) -> Vec<Mv> {
        let saved = (self.v.from, self.v.to);
        let count = self.added_at_once(add);
        if count < 1 {
            return Vec::new();
        }
        let mut out = Vec::new();
        for what in &add.what {
            let what = self.int(what);
            if !self.g.has_piece(what) {
                continue;
            }
            if self.g.large_pieces && self.is_large(what) {
                out.extend(self.add_large(add, what));
                continue;
            }
            if let Some(site) = &add.site {
                let site = self.int(site);
                self.v.to = site;
                if add.cond.as_ref().is_none_or(|cond| self.bool(cond)) {
                    if self.is_there(Some(add.kind), site) && self.takes(site) {
                        out.push(self.add_at(add, what, site, count, saved));
                    }
                    (self.v.from, self.v.to) = saved;
                    return out;
                }
            }
            let Some(region) = &add.region else {
                (self.v.from, self.v.to) = saved;
                return out;
            };
            for site in self.region(region).iter() {
                if !self.is_there(Some(add.kind), site) {
                    continue;
                }
                self.v.to = site;
                if add.cond.as_ref().is_none_or(|cond| self.bool(cond)) {
                    let with_effect = add.effect.is_some()
                        && add.effect_if.as_ref().is_none_or(|cond| self.bool(cond));
                    // The reference lists such moves twice.
                    let first = self.takes(site);
                    let second = with_effect && self.takes(site);
                    if !first && !second {
                        continue;
                    }
                    let mut m = self.add_at(add, what, site, count, saved);
                    m.twin = with_effect;
                    if first && second {
                        out.push(m.clone());
                    }
                    out.push(m);
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    /// How many pieces are added on a site, within bounds.
    pub(crate) fn added_at_once(&mut self, add: &Add) -> i32 {
        self.int(&add.count).min(MOST_AT_ONCE)
    }

    /// Whether the game has this site. Rules may name others; nothing is put there or taken from there.
    fn is_there(&self, kind: Option<SiteType>, site: i32) -> bool {
        site >= 0 && site < self.s.layer(self.g.kind_at(kind, site)).len() as i32
    }

    /// The same for a site that must be of this kind: hands have cells only.
    fn is_of_kind(&self, kind: SiteType, site: i32) -> bool {
        let there = self.is_there(Some(kind), site);
        there && (kind == SiteType::Cell || (site as usize) < self.plane(kind).count)
    }

    pub(crate) fn add_at(
        &mut self,
        add: &Add,
        what: i32,
        site: i32,
        count: i32,
        saved: (i32, i32),
    ) -> Mv {
        let state = add.state.as_ref().map_or(NONE, |state| self.int(state));
        let change = self.added(add, what, site, state);
        let mut m = Mv::of(change, add.decision);
        for _ in 1..count {
            let change = self.added(add, what, site, state);
            m.push(change);
        }
        if let Some(effect) = &add.effect
            && add.effect_if.as_ref().is_none_or(|cond| self.bool(cond))
        {
            (self.v.from, self.v.to) = (site, site);
            let effects = self.moves(effect);
            m = m.after(effects);
            self.v.from = saved.0;
        }
        if let Some(with) = add.with {
            let g = self.g;
            let binds = (self.v.from, self.v.to);
            (self.v.from, self.v.to) = (site, site);
            for effect in self.moves(&g.consequences[with as usize]) {
                effect.each_change(&mut |action| m.parts.push(Part::Do(action.clone())));
            }
            (self.v.from, self.v.to) = binds;
        }
        m.at(site, site).by(self.s.mover)
    }

    fn added(&mut self, add: &Add, what: i32, to: i32, state: i32) -> Change {
        let kind = self.g.kind_at(Some(add.kind), to);
        match &add.level {
            Some(level) => Change::Insert { kind, to, level: self.int(level), what, state },
            None => Change::Add {
                kind,
                to,
                what,
                count: 1,
                state,
                rotation: NONE,
                value: NONE,
                stack: false,
            },
        }
    }

    pub(super) fn carry(&mut self, f: &FromTo) -> Vec<Mv> {
        let mut out = Vec::new();
        let saved;
        match &f.from.region {
            None => {
                let from = self.int(&f.from.site);
                saved = (self.v.from, self.v.to);
                self.carry_from(f, from, true, saved.0, &mut out);
            }
            Some(region) => {
                let mut froms = self.each_site(region);
                saved = (self.v.from, self.v.to);
                let Some(first) = froms.next() else {
                    return Vec::new();
                };
                // Several starts see what was bound for those before them.
                let second = froms.next();
                let alone = second.is_none();
                for from in [first].into_iter().chain(second).chain(froms) {
                    self.carry_from(f, from, alone, saved.0, &mut out);
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        let mover = match &f.mover {
            Some(mover) => self.int(mover),
            None => self.s.mover,
        };
        for m in &mut out {
            m.mover = mover;
        }
        out
    }

    /// The moves from one site.
    fn carry_from(
        &mut self,
        f: &FromTo,
        from: i32,
        alone: bool,
        saved_from: i32,
        out: &mut Vec<Mv>,
    ) {
        let what = if from < 0 { 0 } else { self.piece(f.from.kind, from).what };
        if what == 0 {
            return;
        }
        self.v.from = from;
        let copy = self.bool(&f.copy);
        if f.from.cond.as_ref().is_some_and(|cond| !self.bool(cond)) {
            return;
        }
        let large = self.g.large_pieces && self.is_large(i32::from(what));
        let Some(region) = &f.to_region else {
            let to = self.int(&f.to);
            let count = f.count.as_ref().map(|count| self.int(count));
            self.v.from = saved_from;
            if large {
                self.carry_large(f, from, Sites::one(to), out);
            } else if self.is_there(f.to_kind, to) {
                self.carry_to(f, from, to, copy, count, saved_from, out);
            }
            return;
        };
        let aim = self.aim().filter(|_| alone && f.effect_if.is_none());
        let tos = match aim {
            Some(aim) if self.contains(region, aim) => Sites::one(aim),
            Some(_) => Sites::from(SiteSet::new()),
            None => self.each_site(region),
        };
        let count = f.count.as_ref().map(|count| self.int(count));
        self.v.from = saved_from;
        if large {
            return self.carry_large(f, from, tos, out);
        }
        for to in tos {
            if !self.is_there(f.to_kind, to) {
                continue;
            }
            self.carry_to(f, from, to, copy, count, saved_from, out);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one pair of sites, told in full")]
    fn carry_to(
        &mut self,
        f: &FromTo,
        from: i32,
        to: i32,
        copy: bool,
        count: Option<i32>,
        saved_from: i32,
        out: &mut Vec<Mv>,
    ) {
        let kind_from = self.g.kind_at(f.from.kind, from);
        let kind_to = self.g.kind_at(f.to_kind, to);
        let before = (self.v.from, self.v.to);
        (self.v.from, self.v.to) = (from, to);
        if !self.bool(&f.cond) {
            return;
        }
        if f.rotations.is_none() && !self.takes(to) {
            // What is bound stays as if the move had been made.
            self.v.from = saved_from;
            if f.effect_if.as_ref().is_none_or(|cond| self.bool(cond)) {
                self.v.from = from;
            }
            return;
        }
        // Levels and numbers are seen as before this end was looked at.
        (self.v.from, self.v.to) = before;
        let change = self.carried(f, (kind_from, from), (kind_to, to), copy, count);
        (self.v.from, self.v.to) = (saved_from, to);
        let m = Mv::of(change, f.decision).at(from, to);
        if let Some(rotations) = &f.rotations {
            for rotation in self.ints(rotations) {
                if !self.takes(to) {
                    continue;
                }
                let mut turned = m.clone();
                turned.push(Change::SetRotation { kind: kind_to, to, rotation });
                out.push(turned);
            }
            return;
        }
        if f.effect_if.as_ref().is_none_or(|cond| self.bool(cond)) {
            (self.v.from, self.v.to) = (from, to);
            let effects = self.effects_of(f.effect.as_ref());
            out.push(m.after(effects).at(from, to));
        } else {
            out.push(m);
        }
    }

    fn carried(
        &mut self,
        f: &FromTo,
        (kind_from, from): (SiteType, i32),
        (kind_to, to): (SiteType, i32),
        copy: bool,
        count: Option<i32>,
    ) -> Change {
        let level_to = f.to_level.as_ref().map_or(NONE, |level| self.int(level));
        let level_from = f.from.level.as_ref().map_or(NONE, |level| self.int(level));
        let whole = Change::Move {
            kind_from,
            from,
            level_from: if f.stack { 0 } else { level_from },
            kind_to,
            to,
            level_to,
            state: NONE,
            rotation: NONE,
            value: NONE,
            stack: f.stack,
        };
        if f.to_level.is_some() {
            return whole;
        }
        match (&f.from.level, count) {
            (None, None) if copy => Change::Copy {
                kind_from,
                from,
                level_from: self.height(Some(kind_from), from) - 1,
                kind_to,
                to,
            },
            (None, None) => whole,
            (Some(_), _) => Change::Move {
                kind_from,
                from,
                level_from,
                kind_to,
                to,
                level_to: NONE,
                state: NONE,
                rotation: NONE,
                value: NONE,
                stack: false,
            },
            (None, Some(count)) if !self.g.stacking && !f.stack => {
                Change::MoveN { kind_from, from, kind_to, to, count }
            }
            (None, Some(levels)) => Change::StackMove { kind_from, from, kind_to, to, levels },
        }
    }

    pub(super) fn remove(&mut self, remove: &Remove) -> Vec<Mv> {
        let sites = self.each_site(&remove.at);
        let count = self.int(&remove.count);
        let mut out = Vec::new();
        for site in sites {
            if site < 0 {
                continue;
            }
            let kind = self.g.kind_at(remove.kind, site);
            if self.what(kind, site) <= 0 || !self.takes(site) {
                continue;
            }
            let height = self.height(Some(kind), site);
            let level = match &remove.level {
                Some(level) => self.int(level),
                None => height - 1,
            };
            let top = !self.g.stacking || height == level.max(0) + 1;
            let change = Change::Remove {
                kind,
                to: site,
                level: if top || remove.later { NONE } else { level.max(0) },
                applied: !remove.later,
            };
            let mut m = Mv::of(change.clone(), remove.decision).by(self.s.mover);
            for _ in 1..count {
                m.push(change.clone());
            }
            out.push(m);
        }
        out
    }

    pub(super) fn promote(&mut self, promote: &Promote) -> Vec<Mv> {
        let site = self.int(&promote.at);
        if site < 0 {
            return Vec::new();
        }
        let whats: Numbers = match &promote.into {
            Into_::Pieces(pieces) => pieces.iter().map(|piece| self.int(piece)).collect(),
            Into_::Alike(piece, owner) => {
                let (piece, owner) = (self.int(piece), self.int(owner));
                let known = usize::try_from(piece).ok().filter(|&piece| piece > 0);
                let component = known.and_then(|piece| self.g.components.get(piece));
                component.map(|c| self.piece_named(&c.name, owner)).into_iter().collect()
            }
            Into_::Named(names, owner) => {
                let owner = self.int(owner);
                names.iter().map(|name| self.piece_named(name, owner)).collect()
            }
        };
        let mover = self.s.mover;
        let kind = self.g.kind_at(Some(promote.kind), site);
        let make = |what: i32| {
            let change = Change::Promote { kind, to: site, what };
            Mv::of(change, promote.decision).at(site, site).by(mover)
        };
        let placed = |what: &i32| *what >= 1 && self.g.has_piece(*what);
        whats.into_iter().filter(placed).map(make).collect()
    }

    fn piece_named(&self, name: &str, owner: i32) -> i32 {
        let named = |c: &crate::game::Component| {
            c.owner == owner && !c.name.is_empty() && c.name.contains(name)
        };
        let found = self.g.components.iter().position(named);
        found.map_or(0, |at| at as i32)
    }

    pub(super) fn select(&mut self, select: &Select) -> Vec<Mv> {
        let sites = self.each_site(&select.from);
        let saved = (self.v.from, self.v.to);
        let mut out = Vec::new();
        for site in sites {
            if self.answered() {
                break;
            }
            let kind_from = select.kind;
            if !self.is_of_kind(kind_from, site) {
                continue;
            }
            let level_from = match &select.level {
                _ if !self.g.stacking => NONE,
                Some(level) => self.int(level),
                None => self.height(Some(kind_from), site) - 1,
            };
            (self.v.from, self.v.to) = (site, site);
            if !self.bool(&select.cond) {
                continue;
            }
            let Some(target) = &select.to else {
                if !self.takes(site) {
                    continue;
                }
                let change = Change::Select {
                    kind_from,
                    from: site,
                    kind_to: None,
                    to: NONE,
                    level_from,
                    level_to: level_from,
                };
                out.push(Mv::of(change, select.decision).at(site, site));
                continue;
            };
            for to in self.each_site(&target.region) {
                if self.answered() {
                    break;
                }
                let kind_to = target.kind;
                if !self.is_of_kind(kind_to, to) {
                    continue;
                }
                let level_to = match &target.level {
                    Some(level) => self.int(level),
                    None if self.g.stacking => self.height(Some(kind_to), to) - 1,
                    None => NONE,
                };
                self.v.to = to;
                if self.bool(&target.cond) && self.takes(to) {
                    let change = Change::Select {
                        kind_from,
                        from: site,
                        kind_to: Some(kind_to),
                        to,
                        level_from,
                        level_to,
                    };
                    out.push(Mv::of(change, select.decision).at(site, to));
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        let mover = match &select.mover {
            Some(mover) => self.int(mover),
            None => self.s.mover,
        };
        for m in &mut out {
            m.mover = mover;
        }
        out
    }
}
