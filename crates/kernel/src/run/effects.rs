//! Effects: first all are found out, then all are done, as the rules want it.

use super::board::Board;
use super::eval::Binds;
use super::{Kernel, PLAYERS};
use crate::build::NOTES;
use crate::code::{Effect, Var};

/// One change of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Change {
    #[default]
    Nothing,
    Remove(i32),
    Add(i32, u8),
    Promote(i32, u8),
    Move(i32, i32),
    Lift(i32, u8, i32),
    Pull(i32, u8),
    Note(u8, i32),
    Forget(u8),
    Then(usize),
    Next(u8),
    Seats,
    State(i32, u8),
    Dice(u16),
    Trigger(i32),
    Propose(u8),
    Vote(u8),
    Keep(u8, i32),
    Counter(i32),
    Pending(i32),
    AddScore(i32, i32),
    SetScore(i32, i32),
    Store,
}

/// How many changes are kept without asking for memory.
const INLINE: usize = 12;

/// Changes to be made.
#[derive(Default)]
pub(super) struct Changes {
    first: [Change; INLINE],
    len: usize,
    more: Vec<Change>,
}

impl Changes {
    #[inline]
    pub(super) fn push(&mut self, change: Change) {
        match self.first.get_mut(self.len) {
            Some(slot) => {
                *slot = change;
                self.len += 1;
            }
            None => self.more.push(change),
        }
    }

    fn count(&self) -> usize {
        self.len + self.more.len()
    }

    fn iter(&self) -> impl Iterator<Item = Change> + '_ {
        self.first[..self.len].iter().chain(&self.more).copied()
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Finds out what an effect changes.
    pub(super) fn find(&self, b: &Board<W, S>, v: &Binds, effect: &Effect, out: &mut Changes) {
        match effect {
            Effect::Nothing => {}
            Effect::All(all) | Effect::InTurn(all) => {
                all.iter().for_each(|e| self.find(b, v, e, out))
            }
            Effect::If(cond, yes, no) => {
                let chosen = if self.cond(b, v, cond) { yes } else { no };
                self.find(b, v, chosen, out);
            }
            Effect::Remove(set) => {
                for site in (self.set(b, v, set) & !b.set(0)).iter() {
                    out.push(Change::Remove(site as i32));
                }
            }
            Effect::Add(what, site) => {
                let (what, site) = (self.num(b, v, what), self.num(b, v, site));
                if self.is_site(site) && self.is_piece(what) {
                    out.push(Change::Add(site, what as u8));
                }
            }
            Effect::Promote(site, what) => {
                let (site, what) = (self.num(b, v, site), self.num(b, v, what));
                if self.is_site(site) && self.is_piece(what) {
                    out.push(Change::Promote(site, what as u8));
                }
            }
            Effect::Move(from, to) => {
                let (from, to) = (self.num(b, v, from), self.num(b, v, to));
                if self.is_site(from) && self.is_site(to) {
                    out.push(Change::Move(from, to));
                }
            }
            Effect::Convert(set, into) => {
                for site in self.set(b, v, set).iter() {
                    let what = into[b.what(site as i32) as usize];
                    if what > 0 {
                        out.push(Change::Promote(site as i32, what));
                    }
                }
            }
            Effect::Remember(slot, site) => {
                let site = self.num(b, v, site);
                // Only what stands somewhere can be taken later.
                if self.code.doomed != Some(*slot) || self.what_at(b, site) != 0 {
                    out.push(Change::Note(*slot, site));
                }
            }
            Effect::Forget(slot) => self.forgotten(b, *slot, out),
            Effect::Followed(first, then) => {
                let before = out.count();
                self.find(b, v, first, out);
                if out.count() > before {
                    out.push(Change::Then(*then));
                }
            }
            Effect::Again => out.push(Change::Next(b.mover)),
            Effect::Store => out.push(Change::Store),
            Effect::SetState(site, state) => {
                let (site, state) = (self.num(b, v, site), self.num(b, v, state));
                if self.is_site(site) && state >= 0 {
                    out.push(Change::State(site, state as u8));
                }
            }
            Effect::Flip(site) => {
                let site = self.num(b, v, site);
                if self.is_site(site)
                    && let Some(state) = self.flipped(b, site)
                {
                    out.push(Change::State(site, state));
                }
            }
            Effect::Next(player) => {
                let player = self.num(b, v, player);
                if (1..=self.code.sides.len() as i32).contains(&player) {
                    out.push(Change::Next(player as u8));
                }
            }
            Effect::Seats => {
                out.push(Change::Seats);
                out.push(Change::Next(b.mover));
            }
            Effect::Propose(text) => out.push(Change::Propose(*text)),
            Effect::Vote(text) => out.push(Change::Vote(*text)),
            Effect::Do(first, second) => self.find_after(b, v, first, second, out),
            Effect::Turn(turn) => self.find_turn(b, turn, out),
            Effect::EachLevel(site, all) => self.find_levels(b, v, (site, all), out),
            Effect::Run(run) => self.find_run(b, v, run, out),
            Effect::UseDice(_, left) => out.push(Change::Dice(*left)),
            Effect::Trigger(player) => out.push(Change::Trigger(self.num(b, v, player))),
            Effect::SetNote(note, n) => out.push(Change::Keep(*note, self.num(b, v, n))),
            Effect::SetCounter(n) => out.push(Change::Counter(self.num(b, v, n))),
            Effect::SetPending(n) => out.push(Change::Pending(self.num(b, v, n))),
            Effect::AddScore(player, score) => {
                let (player, score) = (self.num(b, v, player), self.num(b, v, score));
                out.push(Change::AddScore(player, score));
            }
            Effect::SetScore(player, score) => {
                let (player, score) = (self.num(b, v, player), self.num(b, v, score));
                out.push(Change::SetScore(player, score));
            }
            Effect::EachSite(set, inner) => {
                for site in self.set(b, v, set).iter() {
                    let v = v.with(Var::Site, site as i32).with(Var::To, site as i32);
                    self.find(b, &v, inner, out);
                }
            }
            Effect::Custodial(custodial) => self.find_custodial(b, v, custodial, out),
            Effect::Surround(surround) => self.find_surround(b, v, surround, out),
            // It stands for all that follows a move, or a choice of it, and never within another.
            Effect::Asked(_) => debug_assert!(false, "an effect asked for within others"),
        }
    }

    /// What is remembered is forgotten; rare, and out of the way of what is not.
    #[inline(never)]
    fn forgotten(&self, b: &Board<W, S>, slot: Option<u8>, out: &mut Changes) {
        for &(_, known) in &self.code.remembered {
            if slot.is_none_or(|slot| slot == known) && !b.set(known).is_empty() {
                out.push(Change::Forget(known));
            }
        }
    }

    /// Finds out what follows from numbers that are set first.
    fn find_after(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        first: &Effect,
        second: &Effect,
        out: &mut Changes,
    ) {
        let (mut numbers, mut next) = (Changes::default(), Changes::default());
        self.find(b, v, first, &mut numbers);
        let mut look = *b;
        self.make(&mut look, &numbers);
        self.find(&look, v, second, &mut next);
        if next.count() > 0 {
            numbers.iter().chain(next.iter()).for_each(|change| out.push(change));
        }
    }

    /// Finds out what goes from sites to others.
    fn find_turn(&self, b: &Board<W, S>, turn: &[(u8, u16, u16)], out: &mut Changes) {
        let what = |&(_, from, _): &(u8, u16, u16)| b.what(i32::from(from));
        if turn.iter().all(|part| what(part) == 0) {
            return;
        }
        turn.iter().for_each(|part| out.push(Change::Keep(part.0, i32::from(what(part)))));
        let standing = || turn.iter().filter(|part| what(part) != 0);
        standing().for_each(|part| out.push(Change::Remove(i32::from(part.1))));
        standing().for_each(|part| out.push(Change::Add(i32::from(part.2), what(part))));
    }

    /// The same, done at once.
    fn turn(&self, b: &mut Board<W, S>, turn: &[(u8, u16, u16)]) {
        let mut whats = [0; NOTES];
        for (what, part) in whats.iter_mut().zip(turn) {
            *what = b.what(i32::from(part.1));
        }
        if whats == [0; NOTES] {
            return;
        }
        for (&what, &(note, from, _)) in whats.iter().zip(turn) {
            b.notes[note as usize % NOTES] = i32::from(what);
            self.take(b, i32::from(from));
        }
        for (&what, &(.., to)) in whats.iter().zip(turn).filter(|(what, _)| **what != 0) {
            self.put(b, i32::from(to), what);
        }
    }

    /// Finds out what an effect changes at a site that is passed or caught.
    pub(super) fn find_at(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        site: i32,
        effect: &Effect,
        out: &mut Changes,
    ) {
        self.find(b, &v.with(Var::Between, site), effect, out);
    }

    /// Makes changes.
    pub(super) fn make(&self, b: &mut Board<W, S>, changes: &Changes) {
        for change in changes.iter() {
            self.change(b, change);
        }
    }

    fn change(&self, b: &mut Board<W, S>, change: Change) {
        match change {
            Change::Nothing => {}
            Change::Remove(site) => self.take(b, site),
            Change::Add(site, what) => self.add(b, site, what),
            Change::Promote(site, what) => {
                self.take(b, site);
                self.put(b, site, what);
            }
            Change::Move(from, to) => self.shift(b, from, to),
            Change::Lift(from, level, to) => self.lift(b, from, level.into(), to),
            Change::Pull(site, level) => self.pull(b, site, level.into()),
            Change::Note(slot, site) => self.note_site(b, slot, site),
            Change::Forget(slot) => b.sets[slot as usize % S] = Default::default(),
            Change::Then(effect) => self.follow(b, &self.code.effects[effect]),
            Change::Next(player) => {
                b.next = player;
                b.again = true;
            }
            Change::Seats => b.swapped = !b.swapped,
            Change::State(site, state) => self.set_state(b, site, state),
            Change::Dice(left) => b.throw = left,
            Change::Trigger(player) => b.triggers |= 1u8.checked_shl(player as u32).unwrap_or(0),
            Change::Propose(text) => b.proposed |= 1 << text,
            Change::Vote(text) => b.vote(text),
            Change::Keep(note, n) => b.notes[note as usize % b.notes.len()] = n,
            Change::Counter(n) => b.counter = n,
            Change::Store => b.stored = self.standing(b),
            Change::Pending(value) => {
                let value = if value < 0 { 1 } else { value };
                if b.pending_count == 0 || i32::from(b.pending) != value {
                    b.pending_count = b.pending_count.saturating_add(1);
                    b.pending = value as i16;
                }
                if let Some(pending) = self.code.pending {
                    self.note_site(b, pending, value);
                }
            }
            Change::AddScore(player @ 1..=PLAYERS, score) => {
                let all = &mut b.scores[player as usize - 1];
                *all = all.wrapping_add(score);
            }
            Change::SetScore(player @ 1..=PLAYERS, score) => b.scores[player as usize - 1] = score,
            Change::AddScore(..) | Change::SetScore(..) => {}
        }
    }

    /// The other state of the piece on a site, if it has two.
    #[inline(always)]
    pub(super) fn flipped(&self, b: &Board<W, S>, site: i32) -> Option<u8> {
        let (one, other) = (*self.code.flips.get(b.what(site) as usize)?)?;
        Some(match b.state(site) {
            state if state == one => other,
            state if state == other => one,
            state => state,
        })
    }

    /// Puts a piece on a site; an occupied one stays as it is.
    #[inline(always)]
    pub(super) fn add(&self, b: &mut Board<W, S>, site: i32, what: u8) {
        if self.piles && self.stacks.is_some() {
            return self.push(b, site, what);
        }
        let empty = b.what(site) == 0;
        if empty {
            self.put(b, site, what);
        }
        if self.piles && !empty {
            b.hold(site, b.held(site as usize) + 1);
        }
    }

    /// Finds out and makes what an effect changes.
    pub(super) fn follow(&self, b: &mut Board<W, S>, effect: &Effect) {
        let v = Binds::default();
        // What is one change can be made at once.
        match effect {
            Effect::Nothing => {}
            Effect::Again => {
                b.next = b.mover;
                b.again = true;
            }
            Effect::SetCounter(n) => b.counter = self.num(b, &v, n),
            Effect::If(cond, yes, no) => {
                let chosen = if self.cond(b, &v, cond) { yes } else { no };
                self.follow(b, chosen);
            }
            Effect::Add(what, site) => {
                let (what, site) = (self.num(b, &v, what), self.num(b, &v, site));
                if self.is_site(site) && self.is_piece(what) {
                    self.add(b, site, what as u8);
                }
            }
            Effect::UseDice(_, left) => b.throw = *left,
            Effect::InTurn(all) => all.iter().for_each(|effect| self.follow(b, effect)),
            Effect::Turn(turn) => self.turn(b, turn),
            Effect::Asked(asked) => self.ask_effect(b, asked),
            Effect::SetScore(player, score) => {
                let (player, score) = (self.num(b, &v, player), self.num(b, &v, score));
                self.change(b, Change::SetScore(player, score));
            }
            effect => self.do_all(b, &v, effect),
        }
    }

    /// Finds out and makes all that an effect changes.
    pub(super) fn do_all(&self, b: &mut Board<W, S>, v: &Binds, effect: &Effect) {
        if let Effect::Custodial(custodial) = effect
            && let Some(together) = &custodial.together
        {
            return self.catch(b, v, custodial, together);
        }
        let mut changes = Changes::default();
        self.find(b, v, effect, &mut changes);
        self.make(b, &changes);
    }
}
