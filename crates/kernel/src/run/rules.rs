//! The contract: a kernel is a game like any other.

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::playout::Uniform;
use super::{Kernel, Position, Step};
use crate::code::{Act, Node};
use ludex_game::bits::dispatch;
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Move, Place, Player, PlayerSet, Rng, Rules,
    SiteId, Turn, View,
};
use ludex_lud::codes::{PASSES, SWAPS};

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Calls `each` with every move that sets allow; those that must be tried may be illegal.
    #[inline(always)]
    pub(super) fn each_candidate(&self, b: &Board<W, S>, mut each: impl FnMut(Step)) {
        self.each_of(b, &self.plan(b).node, &mut each);
        if self.may_swap(b) {
            each(Step::swap());
        }
    }

    /// Calls `each` with every move of a node that sets allow.
    pub(super) fn each_of(&self, b: &Board<W, S>, node: &Node, each: &mut impl FnMut(Step)) {
        self.any_of(b, node, |step| {
            each(step);
            false
        });
    }

    /// Whether a test holds of any move of a node that sets allow.
    pub(super) fn any_of(
        &self,
        b: &Board<W, S>,
        node: &Node,
        mut test: impl FnMut(Step) -> bool,
    ) -> bool {
        let v = Binds::default();
        self.active(b, &v, node).iter().any(|leaf| {
            let operands = self.operands(b, &v, leaf);
            self.bundles(b, leaf, &operands, |bundle| {
                let (family, origin) = (bundle.family, bundle.origin);
                let mut ends = bundle.ends.iter();
                ends.any(|to| test(self.step(b, leaf, &operands, family, origin, to as i32)))
            })
        })
    }

    /// Adds all legal moves.
    pub(super) fn list_legal(&self, b: &Board<W, S>, out: &mut Vec<Move>) {
        let before = out.len();
        let tried = self.plan(b).tried;
        self.each_candidate(b, |step| {
            if !tried || self.is_legal(b, step) {
                out.push(step.packed());
            }
        });
        if out.len() == before {
            out.push(Step::pass().packed());
        }
    }

    /// Whether a player whose moves must be tried has a legal one.
    pub(super) fn any_legal(&self, b: &Board<W, S>) -> bool {
        self.may_swap(b) || self.any_move(b, &Binds::default(), &self.plan(b).node)
    }

    fn code_of(&self, step: Step) -> u32 {
        match self.code.deeds[step.deed as usize].act {
            Act::Pass => self.codes.special(PASSES),
            Act::Swap => self.codes.special(SWAPS),
            Act::Propose(text) | Act::Vote(text) => self.codes.message(text.into()),
            _ => self.codes.at(step.from, step.to),
        }
    }

    pub(super) fn seat(&self, b: &Board<W, S>, player: u8) -> Player {
        Player(if b.swapped { 2 - player } else { player - 1 })
    }
}

impl<const W: usize, const S: usize> Rules for Kernel<W, S> {
    type State = Position<W, S>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Self::State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, position: &Self::State) -> Turn {
        if let Some(running) = &position.swift {
            return Turn::of(self.seat(&position.board, running.mover()));
        }
        match position.board.outcome {
            Outcome::Open if self.awaits_throw(&position.board) => Turn::Chance,
            Outcome::Open => {
                let mover = self.seat(&position.board, position.board.mover);
                Turn::Players(PlayerSet::one(mover))
            }
            _ => Turn::Over,
        }
    }

    fn moves(&self, position: &Self::State, _player: Player, out: &mut Vec<Move>) {
        self.list_legal(&position.board, out);
    }

    fn apply(&self, position: &mut Self::State, joint: &[Move]) {
        if self.awaits_throw(&position.board) {
            position.throw = Some(joint[0]);
            return self.throw(&mut position.board, joint[0]);
        }
        // A copy from the course of a playout is a position like any from now on.
        self.leave_swift(position);
        position.waiting = false;
        let step = Step::of(joint[0]);
        let making = self.making(&position.board, step);
        self.play(&mut position.board, step, false);
        position.last = Some(making.made(self, &position.board));
    }

    fn payoffs(&self, position: &Self::State, out: &mut [f32]) {
        let b = &position.board;
        for player in 1..=self.code.sides.len() as u8 {
            let payoff = match b.outcome {
                Outcome::Ranked => b.ranks.payoff(player),
                Outcome::Won(winner) => f32::from(u8::from(winner == player)),
                Outcome::Drawn | Outcome::Open => 0.5,
            };
            if let Some(slot) = out.get_mut(self.seat(b, player).index()) {
                *slot = payoff;
            }
        }
    }

    fn attributes(&self) -> &[String] {
        self.attributes.names()
    }

    fn attribute_values(&self, position: &Self::State, player: Player, out: &mut [f32]) {
        self.write_attributes(&position.board, player, out);
    }

    fn hash(&self, position: &Self::State) -> u64 {
        self.hash_of(&position.board)
    }

    fn move_text(&self, position: &Self::State, player: Option<Player>, mv: Move) -> String {
        match player {
            None => self.dice.text(&self.game, mv),
            Some(_) => self.texts_of(&position.board, &[mv]).swap_remove(0),
        }
    }

    fn move_texts(&self, position: &Self::State, _player: Player, moves: &[Move]) -> Vec<String> {
        self.texts_of(&position.board, moves)
    }

    fn sample_chance(&self, _position: &Self::State, rng: &mut Rng) -> Move {
        self.dice.sample(rng)
    }

    fn parse_chance(&self, _position: &Self::State, text: &str) -> Option<Move> {
        self.dice.parse(&self.game, text)
    }

    fn chance_outcomes(&self, _position: &Self::State, out: &mut Vec<(Move, f64)>) -> bool {
        self.dice.list(out)
    }

    fn show(&self, position: &Self::State, _viewer: Option<Player>) -> String {
        self.shown(&position.board)
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(self.game.places().geometry(&self.game))
    }

    fn view(&self, position: &Self::State, _: Option<Player>, detail: Detail, out: &mut View) {
        self.write_view(position, detail, out);
    }

    #[inline]
    fn owned<'s>(&self, position: &'s Self::State, player: Player) -> Option<&'s [u64]> {
        self.owned_words(position, player)
    }

    fn ends(&self, position: &Self::State, player: Option<Player>, mv: Move) -> Ends {
        self.ends_at(&position.board, player, mv)
    }

    fn last_move(&self, position: &Self::State) -> Option<Ends> {
        position.last
    }

    fn code_count(&self, _player: Player, coding: Coding) -> u32 {
        self.codes.count_of(coding)
    }

    fn code_end(&self, _player: Player, code: u32) -> Option<SiteId> {
        self.codes.site(code)
    }

    fn code(&self, _position: &Self::State, _player: Player, mv: Move, _coding: Coding) -> u32 {
        self.code_of(Step::of(mv))
    }

    fn code_ends(&self, _player: Player, code: u32) -> Option<Ends> {
        self.codes.ends(&self.game, code)
    }

    #[inline]
    fn families(&self, position: &Self::State, _player: Player, _: Coding, out: &mut Families) {
        match &position.swift {
            Some(running) => self.swift_families(running, out),
            None => self.write_families(&position.board, out),
        }
    }

    #[inline]
    fn member(&self, position: &Self::State, _: Player, families: &Families, at: Place) -> Move {
        match &position.swift {
            Some(running) => self.swift_member(running, families, at).packed(),
            None => self.member_step(&position.board, families, at).packed(),
        }
    }

    fn admits(&self, position: &Self::State, _player: Player, member: Move) -> bool {
        let step = Step::of(member);
        !self.tried[step.deed as usize] || self.is_legal(&position.board, step)
    }

    #[inline]
    fn wins(
        &self,
        position: &Self::State,
        _player: Player,
        families: &Families,
        out: &mut Families,
    ) -> bool {
        match &position.swift {
            Some(running) => self.swift_wins(running, families, out),
            None => self.hoped_for(&position.board, families, out),
        }
    }

    #[inline]
    fn begin_playout(&self, position: &mut Self::State) {
        position.waiting = false;
        self.enter_swift(position);
    }

    #[inline]
    fn play(&self, position: &mut Self::State, _: Player, families: &Families, at: Place) {
        if position.swift.is_some() {
            return self.play_swiftly(position, families, at);
        }
        let step = self.member_step(&position.board, families, at);
        self.play_waiting(position, step);
    }

    fn stuck(&self, position: &mut Self::State, _player: Player) -> Option<u32> {
        self.leave_swift(position);
        if position.waiting {
            self.end_after_all(&mut position.board);
            return None;
        }
        self.play_waiting(position, Step::pass());
        Some(self.codes.special(PASSES))
    }

    fn end_playout(&self, position: &mut Self::State) {
        self.leave_swift(position);
        let b = &mut position.board;
        if position.waiting && b.outcome == Outcome::Open && !self.any_legal(b) {
            self.end_after_all(b);
        }
        position.waiting = false;
    }

    fn playout_uniform(
        &self,
        position: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        tally: &mut Vec<Move>,
    ) -> u32 {
        dispatch(Uniform { kernel: self, position, rng, limit, tally })
    }

    fn playout_decisive(
        &self,
        position: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        tally: &mut Vec<Move>,
    ) -> Option<u32> {
        let swift = self.swift.as_ref()?;
        Some(self.play_to_decisions(swift, &mut position.board, rng, limit, tally))
    }
}
