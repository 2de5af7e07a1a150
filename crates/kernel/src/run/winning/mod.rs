//! Moves that may win at once, told from end rules before any is played.
//!
//! Read off the rules once (`reading`): for each end by which a player wins, what a move must be for it to hold afterwards. Every move
//! that wins is one of those; whether one of those wins is found out by playing it.

mod reading;
mod taking;

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::leaves::Parts;
use super::swift::{Dash, Swift};
use super::{Kernel, Step};
use crate::code::{NOWHERE, Set, Var};
use ludex_game::bits::{Bits, Job, Select, dispatch};
use ludex_game::{Move, Rng};

pub(super) use taking::Taking;

/// As many kinds of winning moves as are told apart, and as many lines as are looked at.
const MOST_NEEDS: usize = 16;
const MOST_LINES: usize = 400;

/// What a move of a player must be to win at once: one of these; nothing where any move may.
pub(super) type Winning<const W: usize> = Option<Vec<Need<W>>>;

/// What must hold of a move: all of it.
#[derive(Clone, Debug)]
pub(super) struct Need<const W: usize> {
    /// It ends on one of these sites, or this set has members before it.
    ends: Bits<W>,
    unless: Option<Set>,
    /// It takes pieces.
    fewer: Option<Fewer>,
    /// It completes one of these lines.
    lines: Option<Lines<W>>,
    /// It leaves the next player without a move.
    stifles: bool,
}

/// No more than so many sites of a set are left.
#[derive(Clone, Debug)]
struct Fewer {
    of: Set,
    left: i32,
    player: Option<i32>,
    /// The set is that of a piece or an owner: only what is taken leaves it.
    plain: bool,
}

/// Lines of one of these sets.
#[derive(Clone, Debug)]
struct Lines<const W: usize> {
    all: Box<[Bits<W>]>,
    of: Box<[Set]>,
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Where the mover's moves end that may win at once; nothing where any may.
    #[inline]
    pub(super) fn hopes(&self, b: &Board<W, S>) -> Option<Bits<W>> {
        let side = b.mover as usize - 1;
        let needs = self.winning[side][b.phases[side] as usize].as_ref()?;
        let mut hopes = Bits::EMPTY;
        for need in needs {
            let holds = |set: &Set| !self.set(b, &Binds::default(), set).is_empty();
            let already = need.unless.as_ref().is_some_and(holds);
            let mut ends = if already { !Bits::EMPTY } else { need.ends };
            if need.stifles && self.next_surely_moves(b) {
                continue;
            }
            if let Some(fewer) = &need.fewer {
                ends &= self.taken_from(b, fewer);
            }
            if let (Some(lines), false) = (&need.lines, ends.is_empty()) {
                ends &= self.completing(b, lines);
            }
            hopes |= ends;
        }
        Some(hopes)
    }

    /// Where moves end after which no more than so many sites of a set may be left.
    fn taken_from(&self, b: &Board<W, S>, fewer: &Fewer) -> Bits<W> {
        let v = Binds::default();
        let v = fewer.player.map_or(v, |player| v.with(Var::Player, player));
        let members = self.set(b, &v, &fewer.of);
        let excess = members.len() as i32 - fewer.left;
        if excess <= 0 {
            return !Bits::EMPTY;
        }
        if self.taking.most.is_some_and(|most| excess > most) {
            return Bits::EMPTY;
        }
        match &self.taking.rays {
            Some(tables) if fewer.plain && (members & self.owned_by(b, b.mover)).is_empty() => {
                let near = |site| {
                    let through = tables.iter().map(|&table| self.rays[table].through(site));
                    through.fold(Bits::one(site), |all, sites| all | sites)
                };
                members.iter().map(near).fold(Bits::EMPTY, |all, sites| all | sites)
            }
            _ => !Bits::EMPTY,
        }
    }

    /// Whether the next player has a move whatever the mover does now: of those that look at no sites but where they start and end
    /// there are more than a move changes sites, and no two share one.
    fn next_surely_moves(&self, b: &Board<W, S>) -> bool {
        let Some(most) = self.taking.most else { return false };
        let (mut used, mut apart) = (Bits::<W>::EMPTY, 0);
        // Moves by a difference, with where a site lies that they pass.
        let mut put_apart = |ends: Bits<W>, by: i32, over: Option<i32>| {
            for to in ends.iter().map(|to| to as i32) {
                let site = |at: i32| Bits::one(at as usize);
                let passed = over.map_or(Bits::EMPTY, |over| site(to - by + over));
                let sites = site(to) | site(to - by) | passed;
                if (used & sites).is_empty() {
                    used |= sites;
                    apart += 1;
                }
                if apart > most {
                    return true;
                }
            }
            false
        };
        let next = b.mover as usize % 2;
        self.local[next][b.phases[next] as usize].iter().any(|&leaf| {
            let operands = self.operands(b, &Binds::default(), leaf);
            let Parts { shifts, jumps, glides, .. } = &self.leaves[leaf];
            shifts.iter().any(|shift| put_apart(shift.set(&operands), shift.offset, None))
                || jumps.iter().any(|jump| put_apart(jump.set(&operands), jump.by, Some(jump.over)))
                || glides
                    .iter()
                    .any(|glide| put_apart(glide.of_length(&operands, 1), glide.by, None))
        })
    }

    fn owned_by(&self, b: &Board<W, S>, player: u8) -> Bits<W> {
        let slot = self.code.owner_slots.get(player as usize).copied().flatten();
        slot.map_or(Bits::EMPTY, |slot| b.set(slot))
    }

    /// Sites that alone are missing in a line.
    fn completing(&self, b: &Board<W, S>, lines: &Lines<W>) -> Bits<W> {
        let missing = |of: Bits<W>| {
            let ends = |&line: &Bits<W>| {
                let left = line & !of;
                match left.len() {
                    // A move may end on a piece that stands there.
                    0 => line,
                    1 => left,
                    _ => Bits::EMPTY,
                }
            };
            lines.all.iter().map(ends).fold(Bits::EMPTY, |all, sites| all | sites)
        };
        let sets = lines.of.iter().map(|set| missing(self.set(b, &Binds::default(), set)));
        sets.fold(Bits::EMPTY, |all, sites| all | sites)
    }
}

/// Swift plies until a move may decide the game.
struct ToDecision<'a, const W: usize, const S: usize> {
    swift: &'a Swift<W>,
    board: &'a mut Board<W, S>,
    rng: &'a mut Rng,
    limit: u32,
}

impl<const W: usize, const S: usize> Job for ToDecision<'_, W, S> {
    type Output = Dash;

    #[inline(always)]
    fn run<C: Select>(self) -> Dash {
        self.swift.dash_to_decision::<C, S>(self.board, self.rng, self.limit)
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// A playout of uniformly random moves, but for those that win at once. Only where one may is anything looked at.
    pub(super) fn play_to_decisions(
        &self,
        swift: &Swift<W>,
        board: &mut Board<W, S>,
        rng: &mut Rng,
        limit: u32,
        list: &mut Vec<Move>,
    ) -> u32 {
        let (mut waiting, mut ply) = (false, 0);
        while ply < limit && board.outcome == Outcome::Open {
            let left = limit - ply;
            let dash = dispatch(ToDecision { swift, board: &mut *board, rng, limit: left });
            if dash.plies > 0 {
                // The end that the next search for a move finds.
                waiting = self.end_is_deferred(board.prev as usize - 1);
                ply += dash.plies;
                if dash.next.is_none() || ply == limit {
                    continue;
                }
            }
            let found = dash.next.or_else(|| self.winning_step(board));
            let step = match found.or_else(|| self.draw_listed(board, rng, list)) {
                Some(step) => step,
                None if waiting => {
                    self.end_after_all(board);
                    return ply;
                }
                None => Step::pass(),
            };
            self.play(board, step, false);
            waiting = false;
            ply += 1;
        }
        if waiting && board.outcome == Outcome::Open && !self.any_legal(board) {
            self.end_after_all(board);
        }
        ply
    }

    /// A move by which the mover wins at once, if there is one.
    pub(super) fn winning_step(&self, b: &Board<W, S>) -> Option<Step> {
        let hopes = self.hopes(b).unwrap_or(!Bits::EMPTY);
        if hopes.is_empty() {
            return None;
        }
        let mut found = None;
        self.any_of(b, &self.plan(b).node, |step| {
            let hoped = step.to == NOWHERE || hopes.contains(step.to as usize);
            let wins = hoped && self.is_won_by(b, step);
            found = wins.then_some(step);
            wins
        });
        found
    }

    /// Whether a move is legal and wins at once.
    fn is_won_by(&self, b: &Board<W, S>, step: Step) -> bool {
        if self.tried[step.deed as usize] && !self.is_legal(b, step) {
            return false;
        }
        let mut after = *b;
        self.play(&mut after, step, false);
        match after.outcome {
            Outcome::Won(winner) => self.seat(&after, winner) == self.seat(b, b.mover),
            _ => false,
        }
    }
}
