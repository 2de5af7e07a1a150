//! The contract: a game of liberties is a game like any other.

use super::board::{EMPTY, Ground};
use super::plan::{Ending, Plan};
use super::position::Position;
use crate::game::Compiled;
use crate::ir::Repetition;
use crate::kernel::history::History;
use crate::layer::Piece;
use crate::playable::Ludemes;
use crate::seen::{self, Stand};
use crate::show;
use crate::topo::SiteType;
use ludex_game::{
    Coding, Detail, Ends, GameInfo, Geometry, Listing, Move, MoveKind, Player, PlayerSet, Rng,
    Rules, Turn, View, mix,
};
use std::sync::Arc;

/// A game of liberties on boards of fewer than `C` sites with up to `D` neighbours each.
#[derive(Debug)]
pub struct Liberties<const C: usize, const D: usize> {
    pub(super) plan: Plan,
    pub(super) ground: Ground<C, D>,
    game: Arc<Compiled>,
    info: GameInfo,
    start: Position<C>,
}

impl<const C: usize, const D: usize> Liberties<C, D> {
    /// The move that passes, and its code; sites are their own.
    pub(super) const PASS: u32 = C as u32;
    /// The move that changes seats.
    pub(super) const SWAP: u32 = Self::PASS + 1;

    pub(super) fn new(plan: Plan, general: &Ludemes) -> Self {
        let game = general.shared();
        let mut info = show::info(&game);
        info.machine = "liberties";
        info.playout = match (plan.no_repeat.is_some(), plan.is_filtered()) {
            (true, _) => "no-repetition",
            (false, true) => "filter",
            (false, false) => "add-to-empty",
        };
        info.playout_reason = plan.reason.clone();
        let ground = Ground::new(&plan);
        let mut history = History::default();
        // Of the start only the position is noted, as the general evaluator has it.
        if plan.no_repeat == Some(Repetition::Positional) {
            history.note(0);
        }
        let start = Position {
            board: ground.bare(),
            history,
            scores: [0; 2],
            mover: 0,
            passes: 0,
            swapped: false,
            moves: 0,
            ending: Ending::Open,
            last: general.placed_last(),
        };
        Liberties { plan, ground, game, info, start }
    }

    /// Plays a move by its code.
    pub(super) fn play(&self, p: &mut Position<C>, code: u32) {
        if code == Self::SWAP {
            return self.swap(p);
        }
        let facts = match code == Self::PASS {
            true => self.pass(p),
            false => {
                let look = self.ground.look(&p.board, p.mover, code as usize);
                self.place(p, code as usize, &look, |_| {})
            }
        };
        self.settle(p, facts, false);
    }

    /// Calls `each` with the code of every move that may be legal; all of them are where `only_legal`.
    fn each_code(&self, p: &Position<C>, only_legal: bool, mut each: impl FnMut(u32)) {
        let mut any = false;
        for site in (0..self.ground.sites).filter(|&site| p.board.colour[site] == EMPTY) {
            if !only_legal || self.is_legal(p, site) {
                any = true;
                each(site as u32);
            }
        }
        if self.may_swap(p) {
            each(Self::SWAP);
            any = true;
        }
        // All candidates may prove illegal: then the pass is legal.
        if self.plan.may_pass || !any || !only_legal {
            each(Self::PASS);
        }
    }

    /// What stands on a site.
    fn piece(&self, p: &Position<C>, site: usize) -> Option<Piece> {
        let &what = self.plan.pieces.get(p.board.colour[site] as usize)?;
        Some(Piece { what, count: 1, ..Piece::default() })
    }

    fn seat(&self, p: &Position<C>, player: u8) -> Player {
        Player(player ^ u8::from(p.swapped))
    }
}

/// A position beside its rules.
struct On<'a, const C: usize, const D: usize> {
    rules: &'a Liberties<C, D>,
    position: &'a Position<C>,
}

impl<const C: usize, const D: usize> Stand for On<'_, C, D> {
    fn pieces(&self, kind: SiteType, site: i32, each: &mut dyn FnMut(Piece)) {
        if kind == self.rules.game.topo.default && (site as usize) < self.rules.ground.sites {
            self.rules.piece(self.position, site as usize).into_iter().for_each(each);
        }
    }

    fn seat(&self, player: i32) -> Player {
        self.rules.seat(self.position, player as u8 - 1)
    }

    fn score(&self, player: i32) -> i32 {
        self.position.scores[player as usize - 1]
    }
}

impl<const C: usize, const D: usize> Rules for Liberties<C, D> {
    type State = Position<C>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Self::State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, p: &Self::State) -> Turn {
        match p.ending {
            Ending::Open => Turn::Players(PlayerSet::one(self.seat(p, p.mover))),
            _ => Turn::Over,
        }
    }

    fn moves(&self, p: &Self::State, _player: Player, out: &mut Vec<Move>) {
        self.each_code(p, true, |code| out.push(Move(u64::from(code))));
    }

    #[inline]
    fn apply(&self, p: &mut Self::State, joint: &[Move]) {
        let last = self.ends(p, None, joint[0]);
        self.play(p, joint[0].0 as u32);
        p.last = Some(last);
    }

    fn payoffs(&self, p: &Self::State, out: &mut [f32]) {
        let first = match p.ending {
            Ending::First => 1.0,
            Ending::Second => 0.0,
            _ => 0.5,
        };
        for (player, payoff) in [(0, first), (1, 1.0 - first)] {
            if let Some(slot) = out.get_mut(self.seat(p, player).index()) {
                *slot = payoff;
            }
        }
    }

    fn hash(&self, p: &Self::State) -> u64 {
        let turn = u64::from(p.mover)
            | u64::from(p.passes) << 8
            | u64::from(p.swapped) << 16
            | u64::from(self.may_swap(p)) << 17;
        let scores = (p.scores[0] as u32 as u64) << 32 | p.scores[1] as u32 as u64;
        mix(mix(p.board.hash ^ mix(turn + 1)) ^ scores)
    }

    fn move_text(&self, p: &Self::State, _player: Option<Player>, mv: Move) -> String {
        match mv.0 as u32 {
            code if code == Self::PASS => "pass".to_string(),
            code if code == Self::SWAP => "swap".to_string(),
            code => {
                let site = show::site(&self.game, None, code as i32);
                let what = i32::from(self.plan.pieces[p.mover as usize & 1]);
                show::placed(&self.game, what, site)
            }
        }
    }

    fn show(&self, p: &Self::State, _viewer: Option<Player>) -> String {
        let mut state = self.game.empty_state();
        let layer = &mut state.layers[self.game.topo.default as usize];
        for site in 0..self.ground.sites {
            let Some(piece) = self.piece(p, site) else { continue };
            layer.update(site as i32, |slot| *slot = piece);
        }
        show::board(&self.game, &state, None)
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(self.game.places().geometry(&self.game))
    }

    fn view(&self, p: &Self::State, _: Option<Player>, _: Detail, out: &mut View) {
        seen::write(&self.game, &On { rules: self, position: p }, out);
    }

    fn ends(&self, p: &Self::State, _player: Option<Player>, mv: Move) -> Ends {
        match mv.0 as u32 {
            code if code == Self::PASS => Ends::nowhere(MoveKind::Pass),
            code if code == Self::SWAP => Ends::nowhere(MoveKind::Swap),
            site => {
                let taken = self.ground.look(&p.board, p.mover, site as usize).taken;
                let takes = self.plan.takes && taken != 0;
                Ends::at(site, if takes { MoveKind::Capture } else { MoveKind::Place })
            }
        }
    }

    fn last_move(&self, p: &Self::State) -> Option<Ends> {
        p.last
    }

    fn code_count(&self, _player: Player, _coding: Coding) -> u32 {
        Self::SWAP + 1
    }

    #[inline]
    fn code(&self, _p: &Self::State, _player: Player, mv: Move, _coding: Coding) -> u32 {
        mv.0 as u32
    }

    fn list(&self, p: &Self::State, _player: Player, _coding: Coding, out: &mut Listing) {
        self.each_code(p, true, |code| {
            out.moves.push(Move(u64::from(code)));
            out.codes.push(code);
        });
    }

    fn candidates(&self, p: &Self::State, _player: Player, _coding: Coding, out: &mut Listing) {
        self.each_code(p, false, |code| {
            out.moves.push(Move(u64::from(code)));
            out.codes.push(code);
        });
    }

    fn admits(&self, p: &Self::State, _player: Player, candidate: Move) -> bool {
        match candidate.0 as u32 {
            code if code == Self::SWAP => true,
            code if code == Self::PASS => {
                self.plan.may_pass || !(self.may_swap(p) || self.any_site(p))
            }
            site => self.is_legal(p, site as usize),
        }
    }

    fn random_move(
        &self,
        p: &Self::State,
        _player: Player,
        rng: &mut Rng,
        _buffer: &mut Vec<Move>,
    ) -> Move {
        Move(u64::from(self.draw(p, rng)))
    }

    fn playout_uniform(
        &self,
        p: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        _buffer: &mut Vec<Move>,
    ) -> u32 {
        self.play_out(p, rng, limit)
    }
}
