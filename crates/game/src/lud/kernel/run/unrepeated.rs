//! Games in which positions may not come back: a kernel that remembers where it was.
//!
//! Moves are drawn as without the rule, and only the one drawn is looked at: if it leads to an earlier
//! position it is put aside and another drawn, so that every legal move is as likely as every other.

use super::board::{Board, Outcome};
use super::families::{MAX_OPERANDS, Operands};
use super::{Kernel, Position, Step};
use crate::bits::{Bits, Job, Select, dispatch};
use crate::lud::kernel::code::Act;
use crate::lud::kernel::history::History;
use crate::{Coding, GameInfo, Listing, Move, Player, Rng, Rules, Turn, mix};

/// So many moves that come back are drawn before all legal ones are listed.
const PATIENCE: u32 = 20;

/// A kernel and the rule that no position may come back.
#[derive(Debug)]
pub struct Unrepeated<const W: usize, const S: usize> {
    kernel: Kernel<W, S>,
    info: GameInfo,
}

/// A position and those before it.
#[derive(Debug)]
pub struct Remembering<const W: usize, const S: usize> {
    position: Position<W, S>,
    history: History,
}

impl<const W: usize, const S: usize> Clone for Remembering<W, S> {
    fn clone(&self) -> Self {
        Remembering { position: self.position.clone(), history: self.history.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.position.clone_from(&other.position);
        self.history.clone_from(&other.history);
    }
}

impl<const W: usize, const S: usize> Unrepeated<W, S> {
    pub(in crate::lud::kernel) fn new(kernel: Kernel<W, S>) -> Self {
        let mut info = kernel.info.clone();
        info.playout = "no-repetition";
        info.playout_reason +=
            "; by hashes is asked, for the move drawn only, whether a position was there before";
        Unrepeated { kernel, info }
    }

    /// What stands where, in one number.
    fn standing(&self, b: &Board<W, S>) -> u64 {
        let mut hash = u64::from(b.swapped);
        let mut add = |bytes: &[u8]| {
            for chunk in bytes.chunks_exact(8) {
                let mut word = [0; 8];
                word.copy_from_slice(chunk);
                hash = mix(hash.rotate_left(5) ^ u64::from_le_bytes(word));
            }
        };
        b.what.iter().for_each(|what| add(what));
        if self.kernel.states {
            b.state.iter().for_each(|state| add(state));
        }
        if self.kernel.piles {
            b.held.iter().for_each(|held| add(held));
        }
        hash
    }

    /// Whether a move leads to an earlier position; passing and changing seats never do.
    fn comes_back(&self, s: &Remembering<W, S>, step: Step) -> bool {
        let deed = &self.kernel.code.deeds[step.deed as usize];
        if matches!(deed.act, Act::Pass | Act::Swap) {
            return false;
        }
        let mut look = s.position.board;
        look.pending_count = 0;
        self.kernel.act(&mut look, step, deed, deed.then.len());
        s.history.has(self.standing(&look))
    }

    fn play(&self, s: &mut Remembering<W, S>, step: Step) {
        let b = &mut s.position.board;
        // What a player reaches within one turn is not noted.
        let noted = b.mover != b.prev;
        self.kernel.play(b, step, false);
        if noted {
            s.history.note(self.standing(&s.position.board));
        }
    }

    /// Adds all legal moves; the pass where there is none.
    fn list_legal(&self, s: &Remembering<W, S>, out: &mut Vec<Move>) {
        let before = out.len();
        let b = &s.position.board;
        let tried = self.kernel.plan(b).tried;
        self.kernel.each_candidate(b, |step| {
            if (!tried || self.kernel.is_legal(b, step)) && !self.comes_back(s, step) {
                out.push(step.packed());
            }
        });
        if out.len() == before {
            out.push(Step::pass().packed());
        }
    }

    /// A legal move, all with the same probability.
    #[inline(always)]
    fn draw<C: Select>(
        &self,
        s: &Remembering<W, S>,
        rng: &mut Rng,
        operands: &mut Operands<W>,
        tally: &mut Vec<Move>,
    ) -> Step {
        for _ in 0..PATIENCE {
            match self.kernel.draw::<C>(&s.position.board, rng, operands, tally) {
                None => return Step::pass(),
                Some(step) if !self.comes_back(s, step) => return step,
                Some(_) => {}
            }
        }
        tally.clear();
        self.list_legal(s, tally);
        Step::of(tally[rng.below(tally.len() as u32) as usize])
    }
}

/// A playout of uniformly random moves.
struct Uniform<'a, const W: usize, const S: usize> {
    rules: &'a Unrepeated<W, S>,
    state: &'a mut Remembering<W, S>,
    rng: &'a mut Rng,
    limit: u32,
    tally: &'a mut Vec<Move>,
}

impl<const W: usize, const S: usize> Job for Uniform<'_, W, S> {
    type Output = u32;

    #[inline(always)]
    fn run<C: Select>(self) -> u32 {
        let mut operands: Operands<W> = [Bits::EMPTY; MAX_OPERANDS];
        for ply in 0..self.limit {
            if self.state.position.board.outcome != Outcome::Open {
                return ply;
            }
            let step = self.rules.draw::<C>(self.state, self.rng, &mut operands, self.tally);
            self.rules.play(self.state, step);
        }
        self.limit
    }
}

/// One uniformly random move.
struct One<'a, const W: usize, const S: usize> {
    rules: &'a Unrepeated<W, S>,
    state: &'a Remembering<W, S>,
    rng: &'a mut Rng,
    tally: &'a mut Vec<Move>,
}

impl<const W: usize, const S: usize> Job for One<'_, W, S> {
    type Output = Step;

    #[inline(always)]
    fn run<C: Select>(self) -> Step {
        let mut operands: Operands<W> = [Bits::EMPTY; MAX_OPERANDS];
        self.rules.draw::<C>(self.state, self.rng, &mut operands, self.tally)
    }
}

impl<const W: usize, const S: usize> Rules for Unrepeated<W, S> {
    type State = Remembering<W, S>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Self::State {
        let position = self.kernel.start();
        let mut history = History::default();
        if position.board.mover != position.board.prev {
            history.note(self.standing(&position.board));
        }
        Remembering { position, history }
    }

    #[inline]
    fn turn(&self, s: &Self::State) -> Turn {
        self.kernel.turn(&s.position)
    }

    fn moves(&self, s: &Self::State, _player: Player, out: &mut Vec<Move>) {
        self.list_legal(s, out);
    }

    fn apply(&self, s: &mut Self::State, joint: &[Move]) {
        self.play(s, Step::of(joint[0]));
    }

    fn payoffs(&self, s: &Self::State, out: &mut [f32]) {
        self.kernel.payoffs(&s.position, out);
    }

    fn attributes(&self) -> &[String] {
        self.kernel.attributes()
    }

    fn attribute_values(&self, s: &Self::State, player: Player, out: &mut [f32]) {
        self.kernel.attribute_values(&s.position, player, out);
    }

    fn hash(&self, s: &Self::State) -> u64 {
        self.kernel.hash(&s.position)
    }

    fn move_text(&self, s: &Self::State, player: Option<Player>, mv: Move) -> String {
        self.kernel.move_text(&s.position, player, mv)
    }

    fn show(&self, s: &Self::State, viewer: Option<Player>) -> String {
        self.kernel.show(&s.position, viewer)
    }

    fn code_count(&self, player: Player, coding: Coding) -> u32 {
        self.kernel.code_count(player, coding)
    }

    fn code(&self, s: &Self::State, player: Player, mv: Move, coding: Coding) -> u32 {
        self.kernel.code(&s.position, player, mv, coding)
    }

    fn candidates(&self, s: &Self::State, player: Player, coding: Coding, out: &mut Listing) {
        self.kernel.candidates(&s.position, player, coding, out);
        // All may prove to come back: the pass is a candidate as well.
        let pass = Step::pass().packed();
        if !out.moves.contains(&pass) {
            out.moves.push(pass);
            out.codes.push(self.kernel.code(&s.position, player, pass, coding));
        }
    }

    fn admits(&self, s: &Self::State, player: Player, candidate: Move) -> bool {
        let step = Step::of(candidate);
        if step == Step::pass() {
            let mut legal = Vec::new();
            self.list_legal(s, &mut legal);
            return legal == [candidate];
        }
        self.kernel.admits(&s.position, player, candidate) && !self.comes_back(s, step)
    }

    fn random_move(
        &self,
        state: &Self::State,
        _player: Player,
        rng: &mut Rng,
        tally: &mut Vec<Move>,
    ) -> Move {
        dispatch(One { rules: self, state, rng, tally }).packed()
    }

    fn playout_uniform(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        tally: &mut Vec<Move>,
    ) -> u32 {
        dispatch(Uniform { rules: self, state, rng, limit, tally })
    }
}
