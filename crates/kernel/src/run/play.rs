//! Playing a move: what it does, the end rules, phases, whose turn comes next.

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::{Kernel, Step};
use crate::code::{Act, Deed, Plan};

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// What the mover may do.
    #[inline(always)]
    pub(super) fn plan(&self, b: &Board<W, S>) -> &Plan {
        let side = b.mover as usize - 1;
        &self.code.sides[side].plans[b.phases[side] as usize]
    }

    /// Whether the mover may take the other's seat, who made the first move; he may still be moving himself.
    #[inline(always)]
    pub(super) fn may_swap(&self, b: &Board<W, S>) -> bool {
        self.code.swap && b.moves == 1 && b.mover == 2
    }

    /// Plays a move of the player whose turn it is; where `defers_end`, an end that the next search for a
    /// move finds by itself may wait for it.
    #[inline(always)]
    pub(super) fn play(&self, b: &mut Board<W, S>, step: Step, defers_end: bool) {
        let deed = &self.code.deeds[step.deed as usize];
        if self.code.asks_stuck {
            let stuck = deed.act == Act::Pass && !self.any_legal(b);
            let bit = 1 << b.mover;
            b.stuck = if stuck { b.stuck | bit } else { b.stuck & !bit };
        }
        self.clear_pending(b);
        b.decided = None;
        self.act(b, step, deed, deed.then.len());
        self.after_move(b, deed.act, defers_end);
    }

    /// What a move changes, with so many of the effects that follow it.
    #[inline(always)]
    pub(super) fn act(&self, b: &mut Board<W, S>, step: Step, deed: &Deed, follow: usize) {
        self.act_alone(b, step, deed);
        for &then in &deed.then[..follow] {
            self.follow(b, &self.code.effects[then]);
        }
        self.act_late(b);
    }

    /// Nothing is pending any more.
    #[inline(always)]
    pub(super) fn clear_pending(&self, b: &mut Board<W, S>) {
        b.pending_count = 0;
        if let Some(pending) = self.code.pending {
            b.sets[pending as usize % S] = ludex_game::bits::Bits::EMPTY;
        }
    }

    /// What a move changes by itself.
    #[inline(always)]
    pub(super) fn act_alone(&self, b: &mut Board<W, S>, step: Step, deed: &Deed) {
        b.again = false;
        if deed.before.is_some() {
            self.prepare(b, step, deed);
        }
        match deed.act {
            Act::Move => self.shift(b, step.from, step.to),
            Act::Add(what) => self.add(b, step.to, what),
            Act::Place(what, state) => {
                self.put(b, step.to, what);
                self.set_state(b, step.to, state);
            }
            Act::Tile(what, state, table) => {
                self.put(b, step.to, what);
                self.set_state(b, step.to, state);
                let more = self.tables[table as usize][step.to as usize];
                b.toggle(0, more & !ludex_game::bits::Bits::one(step.to as usize));
            }
            Act::Copy => {
                self.put(b, step.to, b.what(step.from));
                if self.states {
                    self.set_state(b, step.to, b.state(step.from));
                }
            }
            Act::Exchange => self.exchange(b, step.from, step.to),
            Act::Lift(level) => self.lift(b, step.from, level.into(), step.to),
            Act::Remove => self.take(b, step.to),
            Act::Pull(level) => self.pull(b, step.to, level.into()),
            Act::Promote(what) => {
                self.take(b, step.to);
                self.put(b, step.to, what);
            }
            Act::Select | Act::Pass => {}
            Act::Propose(text) => b.proposed |= 1 << text,
            Act::Vote(text) => b.vote(text),
            Act::Swap => {
                b.swapped = !b.swapped;
                b.next = b.mover;
                b.again = true;
            }
        }
        b.moves += 1;
        b.note(b.mover, deed.act == Act::Pass);
        (b.last_from, b.last_to) = (step.from as i16, step.to as i16);
    }

    /// What a move changes after all that follows it.
    #[inline(always)]
    pub(super) fn act_late(&self, b: &mut Board<W, S>) {
        if let (Some(doomed), false) = (self.code.doomed, b.again) {
            self.clear_doomed(b, doomed);
        }
    }

    /// Takes away what waited for the end of the turn.
    fn clear_doomed(&self, b: &mut Board<W, S>, doomed: u8) {
        for site in b.set(doomed).iter() {
            self.take(b, site as i32);
        }
        b.sets[doomed as usize % S] = ludex_game::bits::Bits::EMPTY;
    }

    fn prepare(&self, b: &mut Board<W, S>, step: Step, deed: &Deed) {
        let v = Binds::path(step.from, step.to, step.between);
        if let Some(before) = &deed.before {
            self.do_all(b, &v, before);
        }
    }

    /// What comes after a move: end rules, phases, whose turn it is.
    #[inline(always)]
    pub(super) fn after_move(&self, b: &mut Board<W, S>, act: Act, defers_end: bool) {
        self.check_end(b, defers_end);
        if b.outcome == Outcome::Open && self.code.sides[0].plans.len() > 1 {
            self.change_phases(b);
        }
        b.counter += 1;
        b.thrown = false;
        if b.outcome != Outcome::Open {
            return;
        }
        if let Some(visited) = self.code.visited {
            if b.mover == b.next {
                self.note_site(b, visited, i32::from(b.last_from));
                self.note_site(b, visited, i32::from(b.last_to));
            } else {
                b.sets[visited as usize % S] = ludex_game::bits::Bits::EMPTY;
            }
        }
        b.prev = b.mover;
        b.mover = b.next;
        if b.prev == b.mover && act != Act::Swap {
            b.turn_moves += 1;
        } else {
            b.turn_moves = 0;
            b.turns += 1;
        }
        b.next = self.following(b, b.mover);
    }

    /// The player who comes after one.
    #[inline(always)]
    fn following(&self, b: &Board<W, S>, player: u8) -> u8 {
        match self.code.sides.len() {
            2 => 3 - player,
            _ => b.ranks.following(player),
        }
    }

    fn change_phases(&self, b: &mut Board<W, S>) {
        let side = &self.code.sides[b.mover as usize - 1];
        let v = Binds::default();
        let players = self.code.sides.len() as i32;
        let mut asked = None;
        for player in 1..=players {
            let phase = b.phases[player as usize - 1] as usize;
            let phase_changes = &side.phase_changes[phase];
            // What is not asked for a player of his own is the same for all of a phase.
            if phase_changes.iter().all(|change| change.who.is_none()) {
                if asked.is_none_or(|(known, _)| known != phase) {
                    let change = phase_changes.iter().find(|change| self.cond(b, &v, &change.cond));
                    asked = Some((phase, change.map(|change| change.to as u8)));
                }
                if let Some((_, Some(to))) = asked {
                    b.phases[player as usize - 1] = to;
                }
                continue;
            }
            for change in &side.phase_changes[phase] {
                let who = change.who.as_ref().map(|who| self.num(b, &v, who));
                if who.is_some_and(|who| who != player && who != players + 1) {
                    continue;
                }
                if self.cond(b, &v, &change.cond) {
                    b.phases[player as usize - 1] = change.to as u8;
                    break;
                }
            }
        }
    }

    /// Whether the player who is next would have no move.
    pub(super) fn next_is_stuck(&self, b: &Board<W, S>) -> bool {
        !self.any_legal(&self.as_next(b))
    }

    /// Whether a move that must be tried is legal.
    pub(super) fn is_legal(&self, b: &Board<W, S>, step: Step) -> bool {
        let deed = &self.code.deeds[step.deed as usize];
        if let Some(check) = &deed.check
            && !self.cond(b, &Binds::path(step.from, step.to, step.between), check)
        {
            return false;
        }
        if let Some(longest) = deed.longest
            && !self.is_longest(b, step, longest)
        {
            return false;
        }
        deed.after.iter().all(|(cond, follow)| {
            let mut look = *b;
            self.clear_pending(&mut look);
            self.act(&mut look, step, deed, *follow);
            if look.mover == look.next {
                look.next = look.prev;
            }
            // What the move itself stores is for later moves.
            look.stored = b.stored;
            self.cond(&look, &Binds::default(), cond)
        })
    }

    /// The position as the next player would see it.
    pub(super) fn as_next(&self, b: &Board<W, S>) -> Board<W, S> {
        let mut look = *b;
        if b.outcome == Outcome::Open {
            look.prev = b.mover;
            look.mover = b.next;
            look.next = self.following(b, b.next);
        }
        look
    }
}
