//! Games in which positions may not come back: a kernel that remembers where it was.
//!
//! Moves are drawn as without the rule, and only the one drawn is looked at: if it leads to an earlier
//! position it is put aside and another drawn, so that every legal move is as likely as every other. What
//! must hold after a move is asked before that, of the same move only. A position is told apart by a hash that
//! follows the changes of each move.

use super::board::{Board, Outcome};
use super::families::{MAX_OPERANDS, Operands};
use super::{Kernel, Position, Step};
use crate::code::{Act, Node, Question};
use crate::history::History;
use ludex_game::bits::{Bits, Job, Select, dispatch};
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Machine, Move, Place, Player, PlayoutKind,
    Rng, Rules, SiteId, Turn, View, mix,
};
use ludex_lud::ir::Repetition;

/// So many moves that come back are drawn before all legal ones are listed.
const PATIENCE: u32 = 20;

/// A kernel and the rule that no position may come back.
#[derive(Debug)]
pub struct Unrepeated<const W: usize, const S: usize> {
    kernel: Kernel<W, S>,
    info: GameInfo,
    kind: Repetition,
    /// The number of the question whether the next player has a move, if the end rules ask it.
    next_stuck: Option<u8>,
}

/// A position and those before it.
#[derive(Debug)]
pub struct Remembering<const W: usize, const S: usize> {
    position: Position<W, S>,
    /// What stands where, in one number.
    standing: u64,
    /// Passes in a row.
    passes: u32,
    history: History,
}

/// What a move leads to.
struct Reached<const W: usize, const S: usize> {
    board: Board<W, S>,
    standing: u64,
}

impl<const W: usize, const S: usize> Clone for Remembering<W, S> {
    fn clone(&self) -> Self {
        Remembering {
            position: self.position.clone(),
            standing: self.standing,
            passes: self.passes,
            history: self.history.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.position.clone_from(&other.position);
        (self.standing, self.passes) = (other.standing, other.passes);
        self.history.clone_from(&other.history);
    }
}

impl<const W: usize, const S: usize> Unrepeated<W, S> {
    pub(crate) fn new(kernel: Kernel<W, S>, kind: Repetition) -> Self {
        let mut info = kernel.info.clone();
        info.playout = PlayoutKind::NoRepetition;
        info.machine = Machine::Families;
        info.playout_reason +=
            "; by hashes that follow each change is asked, for the move drawn only, ";
        info.playout_reason += match kind {
            Repetition::Positional => "whether a position was there before",
            Repetition::Situational => {
                "whether a situation, which is a position and whose turn it is, was there before"
            }
            Repetition::PositionalInTurn => "whether a position was there in this turn",
            Repetition::SituationalInTurn => "whether a situation was there in this turn",
        };
        let asked = kernel.code.questions.iter().position(|q| *q == Question::NextStuck);
        Unrepeated { next_stuck: asked.map(|number| number as u8), kernel, info, kind }
    }

    /// Situations rather than positions may not come back.
    fn is_situational(&self) -> bool {
        matches!(self.kind, Repetition::Situational | Repetition::SituationalInTurn)
    }

    /// What is compared with earlier positions: what stands where, and for situations all else that decides
    /// how play goes on.
    #[inline]
    fn hash_of(&self, b: &Board<W, S>, standing: u64, passes: u32) -> u64 {
        if !self.is_situational() {
            return standing;
        }
        let players = [b.mover, b.next, b.prev, b.stuck];
        let turn = players.iter().fold(u64::from(b.turn_moves), |all, &p| all << 8 | u64::from(p));
        // Situations of more than two players are not told apart here.
        let scores = b.scores.map(|score| u64::from(score as u32));
        let rest = mix(turn ^ u64::from(passes) << 48) ^ (scores[0] | scores[1] << 32);
        standing ^ mix(rest)
    }

    /// Plays a move and what follows it, without end rules and the change of turn.
    #[inline]
    fn after(
        &self,
        s: &Remembering<W, S>,
        b: &Board<W, S>,
        standing: u64,
        step: Step,
    ) -> Reached<W, S> {
        let kernel = &self.kernel;
        let deed = &kernel.code.deeds[step.deed as usize];
        let mut board = *b;
        kernel.clear_pending(&mut board);
        board.decided = None;
        kernel.act_alone(&mut board, step, deed);
        for &then in &deed.then {
            let asked = kernel.code.asked[then];
            if asked != 0 {
                let standing = kernel.standing_after(standing, b, &board);
                board.answers = self.answers(s, &board, standing, asked);
            }
            kernel.follow(&mut board, &kernel.code.effects[then]);
        }
        kernel.act_late(&mut board);
        let standing = kernel.standing_after(standing, b, &board);
        Reached { board, standing }
    }

    /// Answers questions in a position.
    fn answers(&self, s: &Remembering<W, S>, b: &Board<W, S>, standing: u64, asked: u8) -> u8 {
        let questions = (0u8..).zip(&self.kernel.code.questions);
        let mut answers = 0;
        for (number, question) in questions.filter(|(number, _)| asked >> number & 1 == 1) {
            let yes = match question {
                Question::Can(node) => match self.kernel.code.visited {
                    None => self.can(s, b, standing, node),
                    Some(slot) => self.can(s, &self.kernel.as_asked(b, slot), standing, node),
                },
                Question::NextStuck => !self.any_legal(s, &self.kernel.as_next(b), standing),
            };
            answers |= u8::from(yes) << number;
        }
        answers
    }

    /// Whether one of some moves is legal.
    fn can(&self, s: &Remembering<W, S>, b: &Board<W, S>, standing: u64, node: &Node) -> bool {
        self.kernel.any_of(b, node, |step| {
            self.kernel.is_legal(b, step) && self.admitted(s, b, standing, step).is_some()
        })
    }

    fn any_legal(&self, s: &Remembering<W, S>, b: &Board<W, S>, standing: u64) -> bool {
        self.kernel.may_swap(b) || self.can(s, b, standing, &self.kernel.plan(b).node)
    }

    /// What a move leads to, unless that was there before; passing and changing seats come back never.
    #[inline]
    fn admitted(
        &self,
        s: &Remembering<W, S>,
        b: &Board<W, S>,
        standing: u64,
        step: Step,
    ) -> Option<Reached<W, S>> {
        let reached = self.after(s, b, standing, step);
        let act = self.kernel.code.deeds[step.deed as usize].act;
        let spared = matches!(act, Act::Pass | Act::Swap);
        let hash = self.hash_of(&reached.board, reached.standing, s.passes);
        (spared || !s.history.has(hash)).then_some(reached)
    }

    fn comes_back(&self, s: &Remembering<W, S>, step: Step) -> bool {
        self.admitted(s, &s.position.board, s.standing, step).is_none()
    }

    /// Which players had no move in their last turn, now that the mover plays this.
    fn stuck_after(&self, s: &Remembering<W, S>, act: Act) -> u8 {
        let b = &s.position.board;
        if !self.kernel.code.asks_stuck && !self.is_situational() {
            return b.stuck;
        }
        let bit = 1 << b.mover;
        let stuck = act == Act::Pass && !self.any_legal(s, b, s.standing);
        if stuck { b.stuck | bit } else { b.stuck & !bit }
    }

    fn play(&self, s: &mut Remembering<W, S>, step: Step) {
        let reached = self.after(s, &s.position.board, s.standing, step);
        self.settle(s, step, reached);
    }

    /// Comes to where a move leads: end rules, whose turn it is, and the position is noted.
    fn settle(&self, s: &mut Remembering<W, S>, step: Step, mut reached: Reached<W, S>) {
        let act = self.kernel.code.deeds[step.deed as usize].act;
        let stuck = self.stuck_after(s, act);
        if stuck != s.position.board.stuck {
            // What effects ask may depend on it.
            s.position.board.stuck = stuck;
            reached = self.after(s, &s.position.board, s.standing, step);
        }
        let Reached { mut board, standing } = reached;
        if let Some(number) = self.next_stuck {
            board.answers = self.answers(s, &board, standing, 1 << number);
            if self.is_situational() {
                let none = board.answers >> number & 1;
                board.stuck = board.stuck & !(1 << board.next) | none << board.next;
            }
        }
        // What a player reaches within one turn is not noted for later turns.
        let changed = board.mover != board.prev;
        let in_turn =
            matches!(self.kind, Repetition::PositionalInTurn | Repetition::SituationalInTurn);
        if in_turn && changed {
            s.history.clear();
        }
        if in_turn || changed {
            s.history.note(self.hash_of(&board, standing, s.passes));
        }
        self.kernel.after_move(&mut board, act, false);
        s.passes = if act == Act::Pass { s.passes + 1 } else { 0 };
        (s.position.board, s.standing) = (board, standing);
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

    /// A legal move, all with the same probability, and where it leads where that is known.
    #[inline(always)]
    fn draw<C: Select>(
        &self,
        s: &Remembering<W, S>,
        rng: &mut Rng,
        operands: &mut Operands<W>,
        tally: &mut Vec<Move>,
    ) -> (Step, Option<Reached<W, S>>) {
        let b = &s.position.board;
        for _ in 0..PATIENCE {
            let Some(step) = self.kernel.draw::<C>(b, rng, operands, tally) else {
                return (Step::pass(), None);
            };
            let reached = self.admitted(s, b, s.standing, step);
            if reached.is_some() {
                return (step, reached);
            }
        }
        tally.clear();
        self.list_legal(s, tally);
        (Step::of(tally[rng.below(tally.len() as u32) as usize]), None)
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
            let drawn = self.rules.draw::<C>(self.state, self.rng, &mut operands, self.tally);
            match drawn {
                (step, Some(reached)) => self.rules.settle(self.state, step, reached),
                (step, None) => self.rules.play(self.state, step),
            }
        }
        self.limit
    }
}

impl<const W: usize, const S: usize> Rules for Unrepeated<W, S> {
    type State = Remembering<W, S>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Self::State {
        let position = self.kernel.start();
        let b = &position.board;
        let standing = self.kernel.standing(b);
        let mut history = History::default();
        // Of the start only the position is noted, as the general evaluator has it.
        match self.kind {
            Repetition::Positional if b.mover != b.prev => history.note(standing),
            Repetition::PositionalInTurn => history.note(standing),
            _ => {}
        }
        Remembering { position, standing, passes: 0, history }
    }

    #[inline]
    fn turn(&self, s: &Self::State) -> Turn {
        self.kernel.turn(&s.position)
    }

    fn moves(&self, s: &Self::State, _player: Player, out: &mut Vec<Move>) {
        self.list_legal(s, out);
    }

    fn apply(&self, s: &mut Self::State, joint: &[Move]) {
        let step = Step::of(joint[0]);
        let making = self.kernel.making(&s.position.board, step);
        self.play(s, step);
        s.position.last = Some(making.made(&self.kernel, &s.position.board));
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
        let hash = self.kernel.hash(&s.position);
        if self.is_situational() { hash ^ mix(u64::from(s.passes)) } else { hash }
    }

    fn move_text(&self, s: &Self::State, player: Option<Player>, mv: Move) -> String {
        self.kernel.move_text(&s.position, player, mv)
    }

    fn move_texts(&self, s: &Self::State, player: Player, moves: &[Move]) -> Vec<String> {
        self.kernel.move_texts(&s.position, player, moves)
    }

    fn show(&self, s: &Self::State, viewer: Option<Player>) -> String {
        self.kernel.show(&s.position, viewer)
    }

    fn geometry(&self) -> Option<&Geometry> {
        self.kernel.geometry()
    }

    fn view(&self, s: &Self::State, viewer: Option<Player>, detail: Detail, out: &mut View) {
        self.kernel.view(&s.position, viewer, detail, out);
    }

    fn ends(&self, s: &Self::State, _player: Option<Player>, mv: Move) -> Ends {
        let (b, step) = (&s.position.board, Step::of(mv));
        let reached = self.after(s, b, s.standing, step);
        self.kernel.making(b, step).made(&self.kernel, &reached.board)
    }

    fn last_move(&self, s: &Self::State) -> Option<Ends> {
        s.position.last
    }

    fn code_count(&self, player: Player, coding: Coding) -> u32 {
        self.kernel.code_count(player, coding)
    }

    fn code_end(&self, player: Player, code: u32) -> Option<SiteId> {
        self.kernel.code_end(player, code)
    }

    fn code(&self, s: &Self::State, player: Player, mv: Move, coding: Coding) -> u32 {
        self.kernel.code(&s.position, player, mv, coding)
    }

    fn code_ends(&self, player: Player, code: u32) -> Option<Ends> {
        self.kernel.code_ends(player, code)
    }

    fn keeps_past(&self) -> bool {
        true
    }

    fn families(&self, s: &Self::State, player: Player, coding: Coding, out: &mut Families) {
        self.kernel.families(&s.position, player, coding, out);
        out.doubt();
    }

    fn member(&self, s: &Self::State, player: Player, families: &Families, at: Place) -> Move {
        self.kernel.member(&s.position, player, families, at)
    }

    fn admits(&self, s: &Self::State, player: Player, member: Move) -> bool {
        self.kernel.admits(&s.position, player, member) && !self.comes_back(s, Step::of(member))
    }

    fn stuck(&self, s: &mut Self::State, player: Player) -> Option<u32> {
        let pass = Step::pass();
        let code = self.kernel.code(&s.position, player, pass.packed(), Coding::Plain);
        self.play(s, pass);
        Some(code)
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
