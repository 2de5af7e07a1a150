//! Effects: all changes are found out, then made.

use super::code::{Carry, Effect, EffectKind, Skip, Sow, Track};
use super::eval::{Binds, bit, holes};
use super::position::Position;
use super::rules::Seeds;
use smallvec::SmallVec;

/// Something that changes, or what follows the changes before it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// One seed goes from hole to hole.
    Seed(u8, u8),
    /// The same where holes have states: with the one that the end then has (-1: that of the start).
    Stated(u8, u8, i16),
    /// Several go.
    Seeds(u8, u8, i32),
    /// A hole is emptied.
    Clear(u8),
    Next(i32),
    Var(usize, i32),
    Counter(i32),
    Pending(i32),
    Score(i32, i32, bool),
    Worth(i32, i32),
    /// A value is remembered in a list.
    Remember(u8, i32),
    Forget(u8, i32),
    /// A hole gets a state.
    State(u8, u8),
    /// A consequence.
    Then(usize),
    /// A sowing of no seeds is a move all the same.
    Nothing,
}

/// Changes in order.
pub(super) type Items = SmallVec<[Item; 64]>;

/// What follows each move that an effect finds, the innermost first.
#[derive(Clone, Copy)]
struct Thens<'a> {
    own: Option<usize>,
    outer: Option<&'a Thens<'a>>,
    /// Nothing follows, whatever the rules say.
    off: bool,
}

impl Thens<'_> {
    fn put(&self, out: &mut Items) {
        if self.off {
            return;
        }
        out.extend(self.own.map(Item::Then));
        if let Some(outer) = self.outer {
            outer.put(out);
        }
    }
}

impl Seeds {
    /// Makes a consequence.
    pub(super) fn follow(&self, p: &mut Position, then: usize) {
        let Some(effect) = &self.code.effects[then] else {
            return;
        };
        let mut items = Items::new();
        let none = Thens { own: None, outer: None, off: false };
        self.find(p, &mut Binds::NONE.clone(), effect, &none, &mut items);
        self.make(p, &items);
    }

    /// Makes changes and what follows them, in order.
    fn make(&self, p: &mut Position, items: &[Item]) {
        for &item in items {
            match item {
                Item::Then(then) => self.follow(p, then),
                item => change(p, item),
            }
        }
    }

    fn find(
        &self,
        p: &Position,
        v: &mut Binds,
        effect: &Effect,
        outer: &Thens<'_>,
        out: &mut Items,
    ) {
        let thens = &Thens { own: effect.then, outer: Some(outer), off: outer.off };
        match &effect.kind {
            EffectKind::All(all) => {
                all.iter().for_each(|effect| self.find(p, v, effect, thens, out));
            }
            EffectKind::If(cond, yes, no) => match (self.cond(p, v, cond), no) {
                (true, _) => self.find(p, v, yes, thens, out),
                (false, Some(no)) => self.find(p, v, no, thens, out),
                (false, None) => {}
            },
            EffectKind::EachSite(set, effect) => {
                let saved = (v.to, v.site);
                for site in holes(self.set(p, v, set)) {
                    (v.to, v.site) = (site, site);
                    self.find(p, v, effect, thens, out);
                }
                (v.to, v.site) = saved;
            }
            EffectKind::EachPlayer(effect) => {
                let saved = v.player;
                for player in 1..=2 {
                    v.player = player;
                    self.find(p, v, effect, thens, out);
                }
                v.player = saved;
            }
            EffectKind::EachValue(min, max, effect) => {
                let saved = v.value;
                let (min, max) = (self.num(p, v, min), self.num(p, v, max));
                for value in min..=max.min(min.saturating_add(10_000)) {
                    v.value = value;
                    self.find(p, v, effect, thens, out);
                }
                v.value = saved;
            }
            EffectKind::Remember(list, value, unique) => {
                let value = self.num(p, v, value);
                if !(p.recalls(*list, value) && self.cond(p, v, unique)) {
                    one(Item::Remember(*list as u8, value), thens, out);
                }
            }
            EffectKind::Forget(list, Some(value)) => {
                one(Item::Forget(*list as u8, self.num(p, v, value)), thens, out);
            }
            EffectKind::State(site, state) => {
                let (site, state) = (self.num(p, v, site), self.num(p, v, state));
                if let (Ok(state), true) =
                    (u8::try_from(state), bit(site) & self.code.everywhere != 0)
                {
                    one(Item::State(site as u8, state), thens, out);
                }
            }
            EffectKind::Forget(list, None) => forget_all(p, *list, thens, out),
            EffectKind::Sow(sow) => self.sow(p, v, sow, thens, out),
            EffectKind::Do(prior, next) => self.find_after(p, v, (prior, next), thens, out),
            EffectKind::Carry(carry) => self.carry(p, v, carry, thens, out),
            EffectKind::Remove(set) => {
                for site in holes(self.set(p, v, set)).filter(|&site| p.count(site) > 0) {
                    one(Item::Clear(site as u8), thens, out);
                }
            }
            EffectKind::Again => one(Item::Next(p.mover), thens, out),
            EffectKind::Next(player) => {
                let player = self.num(p, v, player);
                if (1..=2).contains(&player) {
                    one(Item::Next(player), thens, out);
                }
            }
            EffectKind::Var(at, n) => one(Item::Var(*at, self.num(p, v, n)), thens, out),
            EffectKind::Counter(n) => one(Item::Counter(self.num(p, v, n)), thens, out),
            EffectKind::Pending(None) => one(Item::Pending(1), thens, out),
            EffectKind::Pending(Some(set)) => {
                out.extend(holes(self.set(p, v, set)).map(Item::Pending));
                thens.put(out);
            }
            EffectKind::Score(scores, add) => {
                for (player, score) in scores {
                    let (score, player) = (self.num(p, v, score), self.num(p, v, player));
                    one(Item::Score(player, score, *add), thens, out);
                }
            }
            EffectKind::Worth(player, value) => {
                let (player, value) = (self.num(p, v, player), self.num(p, v, value));
                if (0..=2).contains(&player) {
                    one(Item::Worth(player, value), thens, out);
                }
            }
        }
    }

    /// What is found after something else was done; that is done only where something is found.
    fn find_after(
        &self,
        p: &Position,
        v: &mut Binds,
        (prior, next): (&Effect, &Effect),
        thens: &Thens<'_>,
        out: &mut Items,
    ) {
        let nothing = Thens { own: None, outer: None, off: true };
        let begun = out.len();
        self.find(p, v, prior, &nothing, out);
        let mut after = *p;
        out[begun..].iter().for_each(|&item| change(&mut after, item));
        let found = out.len();
        self.find(&after, v, next, thens, out);
        if out.len() == found {
            out.truncate(begun);
        }
    }

    fn carry(
        &self,
        p: &Position,
        v: &mut Binds,
        carry: &Carry,
        thens: &Thens<'_>,
        out: &mut Items,
    ) {
        let saved = *v;
        for from in holes(self.set(p, v, &carry.from)).filter(|&site| p.count(site) > 0) {
            v.from = from;
            if carry.from_cond.as_ref().is_some_and(|cond| !self.cond(p, v, cond)) {
                continue;
            }
            let tos = self.set(p, v, &carry.to);
            let count = carry.count.as_ref().map(|count| self.num(p, v, count));
            for to in holes(tos) {
                (v.from, v.to) = (from, to);
                if !self.cond(p, v, &carry.cond) {
                    continue;
                }
                one(self.carried(from, to, count), thens, out);
            }
        }
        *v = saved;
    }

    fn sow(&self, p: &Position, v: &mut Binds, sow: &Sow, thens: &Thens<'_>, out: &mut Items) {
        let start = self.num(p, v, &sow.start);
        let count = self.num(p, v, &sow.count);
        let owner = self.num(p, v, &sow.owner);
        let Some(Some(track)) = sow.tracks.get(owner as usize) else {
            return;
        };
        let saved = *v;
        let begun = out.len();
        let mut at = if bit(start) == 0 { 64 } else { track.places[start as usize] as usize };
        let mut sown = 0;
        v.from = start;
        if self.cond(p, v, &sow.origin) {
            self.sow_here(p, v, sow, out);
            for _ in 0..self.num(p, v, &sow.per_hole).max(0) {
                if sown < count {
                    out.push(self.seed(start, start, -1));
                }
                sown += 1;
            }
            v.to = start;
        }
        v.from = saved.from;
        if sown < count && !self.sow_along(p, v, sow, track, (start, count), &mut at, sown, out) {
            out.truncate(begun);
            *v = saved;
            return;
        }
        if let Some(effect) = &sow.effect {
            let mut after = *p;
            out[begun..].iter().for_each(|&item| change(&mut after, item));
            self.capture(&after, v, sow, effect, (track, start, at), out);
        }
        if out.len() == begun {
            out.push(Item::Nothing);
        }
        *v = saved;
        thens.put(out);
    }

    /// One seed that goes from hole to hole, the end getting a state (-1: that of the start).
    fn seed(&self, from: i32, to: i32, state: i16) -> Item {
        match self.code.stated {
            true => Item::Stated(from as u8, to as u8, state),
            false => Item::Seed(from as u8, to as u8),
        }
    }

    /// Seeds that are carried, one where no number is given.
    pub(super) fn carried(&self, from: i32, to: i32, count: Option<i32>) -> Item {
        match count {
            Some(count) => Item::Seeds(from as u8, to as u8, count),
            None => self.seed(from, to, -1),
        }
    }

    fn sow_here(&self, p: &Position, v: &mut Binds, sow: &Sow, out: &mut Items) {
        if let Some(effect) = &sow.sow_effect {
            self.find(p, v, effect, &Thens { own: None, outer: None, off: true }, out);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the sowing's running totals")]
    fn sow_along(
        &self,
        p: &Position,
        v: &mut Binds,
        sow: &Sow,
        track: &Track,
        (start, count): (i32, i32),
        at: &mut usize,
        mut sown: i32,
        out: &mut Items,
    ) -> bool {
        let length = track.sites.len();
        let after = |at: usize| if at + 1 == length { 0 } else { at + 1 };
        let left_out = match &sow.skip {
            Some(Skip::One(one)) => Some(self.num(p, v, one)),
            _ => None,
        };
        let (mut skipped, mut index) = (0, 0);
        while index < count {
            v.value = count - index;
            if *at >= length {
                return false;
            }
            let mut to = track.next(*at);
            v.to = to;
            let skips = match &sow.skip {
                Some(Skip::Where(cond)) => self.cond(p, v, cond),
                _ => left_out == Some(to),
            };
            if skips && skipped < 10_000 {
                skipped += 1;
                *at = after(*at);
                continue;
            }
            skipped = 0;
            if !sow.include_self && to == start {
                *at = after(*at);
                to = track.next(*at);
            }
            let per_hole = self.num(p, v, &sow.per_hole);
            self.sow_here(p, v, sow, out);
            let state = if self.code.stated { state_taken(p, start, to) } else { -1 };
            for _ in 0..per_hole.max(0) {
                if sown < count {
                    out.push(self.seed(start, to, state));
                }
                sown += 1;
            }
            *at = after(*at);
            index += 1;
            if sown >= count {
                break;
            }
        }
        true
    }

    /// What a sowing just made captures, going back or on along the track.
    fn capture(
        &self,
        p: &Position,
        v: &mut Binds,
        sow: &Sow,
        effect: &Effect,
        (track, start, mut at): (&Track, i32, usize),
        out: &mut Items,
    ) {
        let length = track.sites.len();
        let mut captures = 0;
        while sow.cond.as_ref().is_none_or(|cond| self.cond(p, v, cond)) {
            v.from = start;
            self.find(p, v, effect, &Thens { own: None, outer: None, off: true }, out);
            if sow.back.is_none() && sow.forward.is_none() {
                break;
            }
            if let Some(back) = &sow.back {
                if !self.cond(p, v, back) {
                    break;
                }
                at = (at + length - 1) % length;
                v.to = track.sites[at];
                if !self.cond(p, v, back) || v.to == start {
                    break;
                }
            }
            if let Some(forward) = &sow.forward {
                if !self.cond(p, v, forward) || track.next(at) == -1 {
                    break;
                }
                v.to = track.next(at);
                at = (at + 1) % length;
                if !self.cond(p, v, forward) {
                    break;
                }
            }
            captures += 1;
            if captures >= length {
                break;
            }
        }
    }
}

/// A move of one change.
fn one(item: Item, thens: &Thens<'_>, out: &mut Items) {
    out.push(item);
    thens.put(out);
}

/// Forgets all values of a list, which is one move, or none where there is nothing to forget.
fn forget_all(p: &Position, list: usize, thens: &Thens<'_>, out: &mut Items) {
    let begun = out.len();
    for (at, &count) in p.remembered[list].iter().enumerate() {
        let forget = Item::Forget(list as u8, at as i32 - 1);
        out.extend(std::iter::repeat_n(forget, usize::from(count)));
    }
    if out.len() > begun {
        thens.put(out);
    }
}

/// The state that a seed takes on in the hole it is sown into: that of the hole, where it is another.
fn state_taken(p: &Position, start: i32, to: i32) -> i16 {
    let (here, there) = (p.state(start), p.state(to));
    if here == there || start == to { -1 } else { there as i16 }
}

/// One seed goes, if there is one. Whether it does.
fn go(p: &mut Position, from: u8, to: u8) -> bool {
    let source = &mut p.seeds[from as usize & 63];
    let goes = *source > 0;
    if goes {
        *source -= 1;
        if *source == 0 {
            p.entries.leave(from);
        }
        let target = &mut p.seeds[to as usize & 63];
        *target += 1;
        if *target == 1 {
            p.entries.enter(to);
        }
    }
    goes
}

/// Makes one change.
pub(super) fn change(p: &mut Position, item: Item) {
    match item {
        Item::Seed(from, to) => {
            p.trail = [i32::from(from), i32::from(to)];
            go(p, from, to);
        }
        Item::Stated(from, to, state) => {
            p.trail = [i32::from(from), i32::from(to)];
            let old = p.states[from as usize & 63];
            if go(p, from, to) {
                if p.seeds[from as usize & 63] == 0 {
                    p.states[from as usize & 63] = 0;
                }
                p.states[to as usize & 63] = u8::try_from(state).unwrap_or(old);
            }
        }
        Item::Seeds(from, to, count) => {
            p.trail = [i32::from(from), i32::from(to)];
            let source = &mut p.seeds[from as usize & 63];
            let had = *source > 0;
            *source = (i32::from(*source) - count).max(0) as u16;
            if *source == 0 {
                p.states[from as usize & 63] = 0;
            }
            let target = &mut p.seeds[to as usize & 63];
            // Out of an emptied hole seeds come only into another empty one, as the reference has it.
            if had || *target == 0 {
                *target += count.max(0) as u16;
            }
            if had {
                if p.seeds[from as usize & 63] == 0 {
                    p.entries.leave(from);
                }
                // Also where seeds lay before.
                p.entries.enter(to);
            }
        }
        Item::Clear(site) => {
            p.trail = [i32::from(site); 2];
            p.entries.leave(site);
            p.seeds[site as usize & 63] = 0;
            p.states[site as usize & 63] = 0;
        }
        Item::State(site, state) => {
            p.trail = [i32::from(site); 2];
            p.states[site as usize & 63] = state;
        }
        Item::Remember(list, value) => {
            p.recall(list.into(), value, true);
        }
        Item::Forget(list, value) => {
            p.recall(list.into(), value, false);
        }
        Item::Next(player) => p.next = player,
        Item::Var(at, value) => p.vars[at] = value,
        Item::Counter(value) => p.counter = value,
        Item::Pending(value) => p.pending |= bit(value),
        Item::Score(player, score, add) => {
            if let Some(old) = p.scores.get_mut(player as usize) {
                *old = if add { *old + score } else { score };
            }
        }
        Item::Worth(player, value) => {
            if let Some(old) = p.worths.get_mut(player as usize) {
                *old = value;
            }
        }
        Item::Then(_) | Item::Nothing => {}
    }
}
