//! Rules without code of their own, answered by the general evaluator.
//!
//! Every thread keeps one position of the evaluator, which follows those of the kernel that it is asked about:
//! only what differs is written.

use super::board::Board;
use super::eval::Binds;
use super::{Kernel, bits};
use crate::code::{Asked, Noted, Var};
use ludex_game::bits::Bits;
use ludex_lud::ctx::Ctx;
use ludex_lud::ir::{Bool, Int, Moves, Region};
use ludex_lud::layer::Piece;
use ludex_lud::moves::Log;
use ludex_lud::state::State;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a kernel knows to begin with.
#[derive(Debug)]
pub(super) struct Asking {
    /// Tells it from every other kernel.
    number: u64,
    pub(super) start: State,
}

impl Asking {
    pub(super) fn new(start: State) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        Asking { number: NUMBERS.fetch_add(1, Ordering::Relaxed), start }
    }
}

thread_local! {
    static FOLLOWER: RefCell<Follower> = RefCell::default();
}

/// A position of the evaluator, and what of the kernel's it has.
#[derive(Default)]
struct Follower {
    /// Whose it is; none: nobody's.
    kernel: u64,
    state: State,
    what: Vec<[u8; 64]>,
    states: Vec<[u8; 64]>,
    held: Vec<[u8; 64]>,
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// The answer to a number.
    #[inline(never)]
    pub(super) fn ask_num(&self, b: &Board<W, S>, v: &Binds, asked: &Asked<Int>) -> i32 {
        self.ask(b, v, asked, |ctx, n| ctx.int(n))
    }

    /// The answer to a condition.
    #[inline(never)]
    pub(super) fn ask_cond(&self, b: &Board<W, S>, v: &Binds, asked: &Asked<Bool>) -> bool {
        self.ask(b, v, asked, |ctx, cond| ctx.bool(cond))
    }

    /// The answer to a set of sites.
    #[inline(never)]
    pub(super) fn ask_set(&self, b: &Board<W, S>, v: &Binds, asked: &Asked<Region>) -> Bits<W> {
        let sites = self.ask(b, v, asked, |ctx, sites| ctx.region(sites));
        bits(&sites.below(self.code.sites))
    }

    /// The members of a set for which a condition holds.
    #[inline(never)]
    pub(super) fn ask_each(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        of: Bits<W>,
        asked: &Asked<Bool>,
        var: Var,
    ) -> Bits<W> {
        if of.is_empty() {
            return of;
        }
        self.ask(b, v, asked, |ctx, cond| {
            let mut out = Bits::EMPTY;
            for site in of.iter() {
                bind(ctx, var, site as i32);
                if ctx.bool(cond) {
                    out.insert(site);
                }
            }
            out
        })
    }

    /// All that follows a move, made by the evaluator and taken over.
    #[inline(never)]
    pub(super) fn ask_effect(&self, b: &mut Board<W, S>, asked: &Asked<Moves>) {
        FOLLOWER.with_borrow_mut(|follower| {
            self.follow_up(follower, b);
            self.tell_numbers(&mut follower.state, b);
            follower.kernel = 0;
            let mut ctx = Ctx::new(&self.game, std::mem::take(&mut follower.state));
            (ctx.s.mover, ctx.v.value, ctx.quiet) = (i32::from(asked.mover), asked.value, true);
            ctx.follow(&asked.rule, &mut Log::silent());
            follower.state = ctx.s;
            self.take_over(follower, b);
            follower.kernel = self.asking.number;
        });
    }

    /// Tells the numbers that effects may look at.
    fn tell_numbers(&self, s: &mut State, b: &Board<W, S>) {
        (s.counter, s.turns, s.turn_moves) = (b.counter, b.turns, i32::from(b.turn_moves));
        s.triggers = u32::from(b.triggers);
        for (score, &known) in s.scores.iter_mut().skip(1).zip(&b.scores) {
            *score = known;
        }
        for (&note, noted) in b.notes.iter().zip(&self.code.notes) {
            match *noted {
                Noted::Player(player) => set(&mut s.values, player as usize, note),
                Noted::Var(index) => set(&mut s.vars, index as usize, note),
            }
        }
        for (name, slot) in &self.code.remembered {
            let sites = b.set(*slot);
            match s.remembered.iter_mut().find(|(known, _)| known.as_deref() == name.as_deref()) {
                Some((_, values)) => {
                    values.clear();
                    values.extend(sites.iter().map(|site| site as i32));
                }
                None if sites.is_empty() => {}
                None => {
                    let values = sites.iter().map(|site| site as i32).collect();
                    s.remembered.push((name.as_deref().map(Into::into), values));
                }
            }
        }
    }

    /// Takes over what the evaluator changed.
    fn take_over(&self, follower: &mut Follower, b: &mut Board<W, S>) {
        let s = &follower.state;
        for site in 0..self.code.sites as i32 {
            let piece = s.layer(self.game.kind_at(None, site)).top(site);
            let (word, at) = (site as usize / 64 % W, site as usize % 64);
            let held = if piece.what == 0 { 0 } else { piece.count.min(255) as u8 };
            let (what, state) = (piece.what as u8, piece.state as u8);
            let same = b.what[word][at] == what
                && b.state[word][at] == state
                && (!self.piles || b.held[word][at] == held);
            if same {
                continue;
            }
            self.take(b, site);
            if what != 0 {
                self.put(b, site, what);
                if self.piles {
                    b.hold(site, i32::from(held));
                }
            }
            self.set_state(b, site, state);
            follower.what[word][at] = what;
            follower.states[word][at] = b.state[word][at];
            follower.held[word][at] = b.held[word][at];
        }
        for (score, &new) in b.scores.iter_mut().zip(s.scores.iter().skip(1)) {
            *score = new;
        }
        for (note, noted) in b.notes.iter_mut().zip(&self.code.notes) {
            let new = match *noted {
                Noted::Player(player) => s.values.get(player as usize),
                Noted::Var(index) => s.vars.get(index as usize),
            };
            *note = new.copied().unwrap_or(*note);
        }
        for (name, slot) in &self.code.remembered {
            b.sets[*slot as usize % S] = Bits::EMPTY;
            for &value in s.remembered(name.as_deref()) {
                self.note_site(b, *slot, value);
            }
        }
        (b.counter, b.triggers) = (s.counter, s.triggers as u8);
        if s.next != i32::from(b.next) {
            (b.next, b.again) = (s.next as u8, true);
        }
    }

    fn ask<R, T>(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        asked: &Asked<R>,
        answer: impl FnOnce(&mut Ctx<'_>, &R) -> T,
    ) -> T {
        FOLLOWER.with_borrow_mut(|follower| {
            self.follow_up(follower, b);
            // Whoever does not come back from the question leaves nothing behind.
            follower.kernel = 0;
            let mut ctx = Ctx::new(&self.game, std::mem::take(&mut follower.state));
            (ctx.s.mover, ctx.v.value) = (i32::from(asked.mover), asked.value);
            for var in [Var::From, Var::To, Var::Between, Var::Site, Var::Player] {
                bind(&mut ctx, var, v.get(var));
            }
            let answer = answer(&mut ctx, &asked.rule);
            follower.state = ctx.s;
            follower.kernel = self.asking.number;
            answer
        })
    }

    /// Brings the evaluator's position to that of the kernel.
    fn follow_up(&self, follower: &mut Follower, b: &Board<W, S>) {
        if follower.kernel != self.asking.number {
            let start = &self.start.board;
            follower.state.clone_from(&self.asking.start);
            follower.what = start.what.to_vec();
            follower.states = start.state.to_vec();
            follower.held = start.held.to_vec();
        }
        for word in 0..W {
            let same = follower.what[word] == b.what[word]
                && follower.states[word] == b.state[word]
                && (!self.piles || follower.held[word] == b.held[word]);
            if !same {
                self.write_word(follower, b, word);
            }
        }
        let s = &mut follower.state;
        (s.next, s.prev) = (i32::from(b.next), i32::from(b.prev));
        (s.last.from, s.last.to) = (i32::from(b.last_from), i32::from(b.last_to));
        s.moves = b.moves + s.initial_moves;
    }

    fn write_word(&self, follower: &mut Follower, b: &Board<W, S>, word: usize) {
        for at in 0..64 {
            let new = (b.what[word][at], b.state[word][at], b.held[word][at]);
            let old = (follower.what[word][at], follower.states[word][at], follower.held[word][at]);
            if new == old {
                continue;
            }
            let site = (64 * word + at) as i32;
            let kind = self.game.kind_at(None, site);
            let (what, before) = (i32::from(new.0), i32::from(old.0));
            if what != before {
                follower.state.owned.remove(before, kind, site);
                follower.state.owned.add(what, kind, site, 0);
            }
            let piece = match new.0 {
                // An empty site may have a state.
                0 => Piece { state: i16::from(new.1), ..Piece::default() },
                _ => Piece {
                    what: u16::from(new.0),
                    count: if self.piles { u16::from(new.2) } else { 1 },
                    state: i16::from(new.1),
                    rotation: 0,
                    value: self.values.get(usize::from(new.0)).copied().unwrap_or(0),
                },
            };
            follower.state.layers[kind as usize].update(site, |slot| *slot = piece);
            follower.what[word][at] = new.0;
            follower.states[word][at] = new.1;
            follower.held[word][at] = new.2;
        }
    }
}

fn set(list: &mut [i32], at: usize, value: i32) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value;
    }
}

fn bind(ctx: &mut Ctx<'_>, var: Var, value: i32) {
    match var {
        Var::From => ctx.v.from = value,
        Var::To => ctx.v.to = value,
        Var::Between => ctx.v.between = value,
        Var::Site => ctx.v.site = value,
        Var::Player => ctx.v.player = value,
    }
}
