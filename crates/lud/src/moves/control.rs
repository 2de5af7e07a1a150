//! Generators made of other generators: choice, order, repetition, look ahead.

use super::{Log, Mv, Part};
use crate::action::{Action, Change};
use crate::ctx::Ctx;
use crate::ir::{Bool, Do, ForEachPiece, Int, Moves};
use crate::owned::Held;
use smallvec::SmallVec;

/// When the moves of the next part are made that has any, such as a piece. Nobody sees it but where moves draw
/// numbers at random: then they must be drawn in the order of the reference.
#[derive(Clone, Copy)]
enum Ahead {
    /// When all moves of a part were judged.
    Never,
    /// Before the last move of a part is judged.
    BeforeTheLast,
}

/// A part of a generator whose moves are made together.
enum Piecewise<'m> {
    /// A generator, or what it is made of.
    Of(&'m Moves),
    /// A piece that is meant, of a player.
    Piece(&'m ForEachPiece, i32, Held),
}

/// A condition that holds for so many rounds holds for ever.
const MOST_ROUNDS: usize = 10_000;

impl Ctx<'_> {
    pub(super) fn seq(&mut self, all: &[Moves]) -> Vec<Mv> {
        self.look(|c| {
            let mut out = Vec::new();
            for moves in all {
                for m in c.moves(moves) {
                    let log = c.apply_move(&m);
                    out.push(applied(m, log));
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
            ..Mv::default()
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

    /// Conditions that hold by definition inside the search for threats or for moves.
    pub(crate) fn is_certain(&self, cond: &Bool) -> bool {
        match cond {
            Bool::Not(inner) => match &**inner {
                Bool::Threatened(_) => self.in_threat,
                Bool::NoMoves(who) => {
                    self.in_no_moves && matches!(who, crate::ir::Who::One(Int::Next))
                }
                _ => false,
            },
            Bool::And(all) => all.iter().all(|c| self.is_certain(c)),
            _ => false,
        }
    }

    /// Whether a generator has a move at all, or one that ends on a site.
    pub fn any_move(&mut self, moves: &Moves, to: Option<i32>) -> bool {
        use crate::ir::MovesKind as K;
        let meta = &self.g.meta;
        let judged = to.is_none() && (meta.no_repeat.is_some() || meta.no_suicide || self.g.random);
        match &moves.kind {
            // Rules about rules judge moves with all that follows them; and a move that draws at random does so
            // when it is made.
            kind if judged && !matches!(kind, K::If(..)) => {
                self.any_such(moves, to, &mut |c, m| c.passes_meta(m))
            }
            K::All(all) => all.iter().any(|m| self.any_move(m, to)),
            K::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.any_move(yes, to),
                (false, Some(no)) => self.any_move(no, to),
                (false, None) => false,
            },
            K::Do(wanted) if wanted.next.is_none() => match &wanted.if_afterwards {
                Some(cond) if !self.is_certain(cond) => {
                    self.any_such(&wanted.prior, to, &mut |c, m| c.holds_after(m, cond))
                }
                _ => self.any_move(&wanted.prior, to),
            },
            K::ForEachPiece(each) => self.any_piece_move(each, to),
            // Of some moves one is the best.
            K::MaxMoves(inner, value) | K::MaxCaptures(inner, value)
                if to.is_none() && matches!(**value, Bool::Const(false)) =>
            {
                self.any_move(inner, None)
            }
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
            let never = to.is_some_and(|to| each.moves.is_none() && !self.may_reach(held, to));
            !never && self.as_piece(each, player, held, |c| c.any_move(moves, to))
        })
    }

    /// Whether a generator has a move for which something holds, or one of those that end on a site.
    /// The moves are made part by part, until one will do.
    fn any_such(
        &mut self,
        moves: &Moves,
        to: Option<i32>,
        holds: &mut dyn FnMut(&mut Self, &Mv) -> bool,
    ) -> bool {
        use crate::ir::MovesKind as K;
        let ends = |m: &Mv| to.is_none_or(|to| m.to == to);
        match &moves.kind {
            K::All(all) if moves.then.is_none() => all.iter().any(|m| self.any_such(m, to, holds)),
            K::Do(wanted) if moves.then.is_none() && wanted.next.is_none() => {
                let cond = wanted.if_afterwards.as_ref().filter(|cond| !self.is_certain(cond));
                let mut holds = |c: &mut Self, m: &Mv| {
                    ends(m) && cond.is_none_or(|cond| c.holds_after(m, cond)) && holds(c, m)
                };
                match self.g.random {
                    true => self.any_by_parts(&wanted.prior, Ahead::BeforeTheLast, &mut holds),
                    false => self.any_such(&wanted.prior, to, &mut holds),
                }
            }
            K::ForEachPiece(_) if moves.then.is_none() => {
                self.any_by_parts(moves, Ahead::Never, &mut |c, m| ends(m) && holds(c, m))
            }
            _ if to.is_some() && !self.finds(moves, to) => false,
            kind if to.is_none() && !self.g.random && self.asks_first(kind) => {
                // Nearly always the first will do: the others are made only where it does not.
                match self.nth_of(0, |c| c.listed(moves)) {
                    (None, _) => false,
                    (Some(first), _) if holds(self, &first) => true,
                    (Some(_), 1) => false,
                    _ => self.moves(moves).iter().skip(1).any(|m| holds(self, m)),
                }
            }
            _ => {
                let list = self.moves(moves);
                list.iter().any(|m| ends(m) && holds(self, m))
            }
        }
    }

    /// Whether a generator has a move for which something holds. Its parts are asked one after the other.
    fn any_by_parts(
        &mut self,
        moves: &Moves,
        ahead: Ahead,
        holds: &mut dyn FnMut(&mut Self, &Mv) -> bool,
    ) -> bool {
        let mut left = vec![Piecewise::Of(moves)];
        let mut list = self.next_part(&mut left);
        while let Some(last) = list.pop() {
            if list.into_iter().any(|m| holds(self, &m)) {
                return true;
            }
            let early = match ahead {
                Ahead::BeforeTheLast => Some(self.next_part(&mut left)),
                Ahead::Never => None,
            };
            if holds(self, &last) {
                return true;
            }
            list = early.unwrap_or_else(|| self.next_part(&mut left));
        }
        false
    }

    /// The moves of the next part that has any; what is left stands in reverse.
    fn next_part<'m>(&mut self, left: &mut Vec<Piecewise<'m>>) -> Vec<Mv> {
        use crate::ir::MovesKind as K;
        while let Some(part) = left.pop() {
            let list = match part {
                Piecewise::Piece(each, player, held) => {
                    let mover = self.s.mover;
                    let own = self.with_all(|c| c.piece_moves(each, player, held));
                    own.into_iter().map(|m| m.by(mover)).collect()
                }
                Piecewise::Of(moves) if moves.then.is_some() => self.moves(moves),
                Piecewise::Of(moves) => match &moves.kind {
                    K::All(all) => {
                        left.extend(all.iter().rev().map(Piecewise::Of));
                        continue;
                    }
                    K::If(cond, yes, no) => {
                        let chosen = if self.bool(cond) { Some(yes) } else { no.as_ref() };
                        left.extend(chosen.map(|chosen| Piecewise::Of(chosen)));
                        continue;
                    }
                    K::ForEachPiece(each) => {
                        let (player, pieces) = self.pieces_meant(each);
                        let held = pieces.into_iter().rev();
                        left.extend(held.map(|held| Piecewise::Piece(each, player, held)));
                        continue;
                    }
                    _ => self.moves(moves),
                },
            };
            if !list.is_empty() {
                return list;
            }
        }
        Vec::new()
    }

    pub(crate) fn holds_after(&mut self, m: &Mv, cond: &Bool) -> bool {
        self.look(|c| {
            c.apply_silently(m);
            if c.s.mover == c.s.next {
                c.s.next = c.s.prev;
            }
            c.bool(cond)
        })
    }

    /// The value of what a move takes, by the levels it is taken from or by the tops of stacks.
    pub(super) fn captured_value(&self, log: &[Action], by_level: bool) -> i32 {
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

    /// What is done while a condition holds. Where it would never end there is nothing to do: the reference gives up.
    pub(super) fn while_moves(&mut self, cond: &Bool, inner: &Moves) -> Vec<Mv> {
        self.look(|c| {
            let mut out = Vec::new();
            for _ in 0..MOST_ROUNDS {
                if !c.bool(cond) {
                    return out;
                }
                let round = c.moves(inner);
                if round.is_empty() || out.len() > MOST_ROUNDS {
                    break;
                }
                for m in round {
                    c.apply_effects(&m, &mut Log::silent());
                    out.push(m);
                }
            }
            Vec::new()
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
}

/// A move whose consequences have been worked out already.
pub(super) fn applied(m: Mv, log: Vec<Action>) -> Mv {
    Mv { parts: log.into_iter().map(Part::Do).collect(), then: SmallVec::new(), ..m }
}
