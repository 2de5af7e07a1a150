//! The contract: a game of liberties is a game like any other.

use super::board::{EMPTY, Ground, HowMany};
use super::plan::{Ending, Plan};
use super::position::{OPEN_WORDS, Position};
use super::shown::Shown;
use crate::history::History;
use ludex_game::memory::{Soon, expect, expect_all};
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Machine, Move, MoveKind, Place, Player,
    PlayerSet, PlayoutKind, Rng, Rules, SetOf, SiteId, Turn, View, mix,
};
use ludex_lud::codes::{Codes, PASSES, SWAPS};
use ludex_lud::game::Compiled;
use ludex_lud::ir::Repetition;
use ludex_lud::layer::Piece;
use ludex_lud::playable::Ludemes;
use ludex_lud::seen::{self, Stand};
use ludex_lud::show;
use ludex_lud::topo::SiteType;
use std::sync::Arc;

/// A game of liberties on boards of fewer than `C` sites with up to `D` neighbours each.
#[derive(Debug)]
pub struct Liberties<const C: usize, const D: usize> {
    pub(super) plan: Plan,
    pub(super) ground: Ground<C, D>,
    codes: Codes,
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
        info.machine = Machine::Liberties;
        info.playout = match (plan.no_repeat.is_some(), plan.is_filtered()) {
            (true, _) => PlayoutKind::NoRepetition,
            (false, true) => PlayoutKind::Filter,
            (false, false) => PlayoutKind::AddToEmpty,
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
            open: [0; OPEN_WORDS],
            keeps_open: false,
            waiting: None,
            most: 0,
            shown: Shown::default(),
        };
        let codes = Codes::of(&game);
        Liberties { plan, ground, codes, game, info, start }
    }

    /// Plays a move by its code.
    pub(super) fn play(&self, p: &mut Position<C>, code: u32) {
        if code == Self::SWAP {
            return self.swap(p);
        }
        let facts = match code == Self::PASS {
            true => self.pass(p),
            false => {
                let look = self.ground.look::<HowMany>(&p.board, p.mover, code as usize);
                self.place::<HowMany>(p, code as usize, &look, |_| {})
            }
        };
        self.settle(p, facts, false);
    }

    /// Calls `each` with the code of every legal move.
    fn each_code(&self, p: &Position<C>, mut each: impl FnMut(u32)) {
        let mut any = false;
        for site in (0..self.ground.sites).filter(|&site| p.board.colour[site] == EMPTY) {
            if self.is_legal(p, site) {
                any = true;
                each(site as u32);
            }
        }
        if self.may_swap(p) {
            each(Self::SWAP);
            any = true;
        }
        if self.plan.may_pass || !any {
            each(Self::PASS);
        }
    }

    /// What stands on a site.
    fn piece(&self, p: &Position<C>, site: usize) -> Option<Piece> {
        let &what = self.plan.pieces.get(p.board.colour[site] as usize)?;
        Some(Piece { what, count: 1, ..Piece::default() })
    }

    /// The empty sites as words.
    pub(super) fn empty_words(&self, p: &Position<C>) -> [u64; OPEN_WORDS] {
        self.colour_words(p)[EMPTY as usize]
    }

    /// The sites of each colour as words, eight sites at a time: colours are numbers of two bits, and a product moves the
    /// lowest bits of eight bytes next to each other.
    pub(super) fn colour_words(&self, p: &Position<C>) -> [[u64; OPEN_WORDS]; 3] {
        const LOWEST: u64 = 0x0101_0101_0101_0101;
        let gather = |bits: u64| (bits & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let mut words = [[0; OPEN_WORDS]; 3];
        let (eights, _) = p.board.colour.as_chunks::<8>();
        let sites = self.ground.sites;
        for (at, eight) in eights.iter().enumerate().take(sites.div_ceil(8)) {
            let colours = u64::from_le_bytes(*eight);
            let (low, high) = (gather(colours), gather(colours >> 1));
            let (word, shift) = (at / 8 % OPEN_WORDS, at % 8 * 8);
            words[0][word] |= (!low & !high & 0xFF) << shift;
            words[1][word] |= (low & !high) << shift;
            words[2][word] |= (high & !low) << shift;
        }
        words
    }

    /// Sites that are legal without a closer look; nothing where there are no such reasons.
    fn surely_legal(&self, p: &Position<C>) -> Option<[u64; OPEN_WORDS]> {
        let stones = p.board.stones[0] + p.board.stones[1];
        if self.plan.no_repeat.is_some() && stones < p.most {
            return None;
        }
        let colours = self.colour_words(p);
        let free = self.ground.beside(&colours[EMPTY as usize])?;
        let foes = self.ground.beside(&colours[1 - (p.mover as usize & 1)])?;
        let empty = colours[EMPTY as usize];
        Some(std::array::from_fn(|at| empty[at] & free[at] & !foes[at]))
    }

    /// The same, as a playout keeps them.
    #[inline]
    fn open_words(&self, p: &Position<C>) -> impl Iterator<Item = u64> {
        let words = if p.keeps_open { p.open } else { self.empty_words(p) };
        words.into_iter().take(self.ground.sites.div_ceil(64))
    }

    /// Places a stone and keeps the words of empty sites true.
    #[inline(always)]
    fn place_openly(&self, p: &mut Position<C>, site: usize) -> usize {
        let look = self.ground.look::<HowMany>(&p.board, p.mover, site);
        let mut open = p.open;
        open[site / 64 % OPEN_WORDS] &= !(1 << (site % 64));
        let facts = self.place::<HowMany>(p, site, &look, |lifted| {
            open[lifted as usize / 64 % OPEN_WORDS] |= 1 << (lifted % 64);
        });
        p.open = open;
        facts
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
        self.each_code(p, |code| out.push(Move(u64::from(code))));
    }

    #[inline]
    fn apply(&self, p: &mut Self::State, joint: &[Move]) {
        // A copy from the course of a playout is a position like any from now on.
        (p.keeps_open, p.waiting) = (false, None);
        p.shown.stop();
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

    fn view(&self, p: &Self::State, _: Option<Player>, detail: Detail, out: &mut View) {
        let on = On { rules: self, position: p };
        if detail == Detail::Pieces {
            return seen::write(&self.game, &on, out);
        }
        out.reset(self.game.places().geometry(&self.game), 2);
        let [first, second, _] = self.colour_words(p);
        for (player, own) in (0..).zip([first, second]) {
            let kind = SetOf::Kind(self.plan.pieces[player as usize] - 1);
            for set in [SetOf::Owned(self.seat(p, player)), kind] {
                out.set_mut(set).iter_mut().zip(own).for_each(|(word, own)| *word |= own);
            }
            let empty = out.set_mut(SetOf::Empty).iter_mut();
            empty.zip(own).for_each(|(word, own)| *word &= !own);
        }
        seen::write_players(&self.game, &on, out);
    }

    fn ends(&self, p: &Self::State, _player: Option<Player>, mv: Move) -> Ends {
        match mv.0 as u32 {
            code if code == Self::PASS => Ends::nowhere(MoveKind::Pass),
            code if code == Self::SWAP => Ends::nowhere(MoveKind::Swap),
            site => {
                let taken = self.ground.look::<HowMany>(&p.board, p.mover, site as usize).taken;
                let takes = self.plan.takes && taken != 0;
                Ends::at(site, if takes { MoveKind::Capture } else { MoveKind::Place })
            }
        }
    }

    fn last_move(&self, p: &Self::State) -> Option<Ends> {
        p.last
    }

    fn code_count(&self, _player: Player, coding: Coding) -> u32 {
        self.codes.count_of(coding)
    }

    fn code_end(&self, _player: Player, code: u32) -> Option<SiteId> {
        self.codes.site(code)
    }

    #[inline]
    fn code(&self, _p: &Self::State, _player: Player, mv: Move, _coding: Coding) -> u32 {
        match mv.0 as u32 {
            mv if mv == Self::PASS => self.codes.special(PASSES),
            mv if mv == Self::SWAP => self.codes.special(SWAPS),
            site => site,
        }
    }

    fn code_ends(&self, _player: Player, code: u32) -> Option<Ends> {
        self.codes.ends(&self.game, code)
    }

    fn keeps_past(&self) -> bool {
        self.plan.no_repeat.is_some()
    }

    fn families(&self, p: &Self::State, _player: Player, _coding: Coding, out: &mut Families) {
        match self.legal_words(p) {
            Some(legal) => {
                let words = legal.into_iter().take(self.ground.sites.div_ceil(64));
                (0..).zip(words).for_each(|(word, sites)| out.push(64 * word, 0, sites));
            }
            None => {
                out.doubt();
                let words = (0..).zip(self.open_words(p));
                words.for_each(|(word, sites)| out.push(64 * word, 0, sites));
            }
        }
        let swaps = u64::from(self.may_swap(p)) << SWAPS;
        let specials = u64::from(self.plan.may_pass) << PASSES | swaps;
        if specials != 0 {
            out.push(self.codes.special(0), 1, specials);
        }
    }

    #[inline]
    fn member(&self, _: &Self::State, _: Player, families: &Families, place: Place) -> Move {
        let word = families.word(place);
        Move(u64::from(match (word.tag, place.bit) {
            (0, bit) => word.first + bit,
            (_, SWAPS) => Self::SWAP,
            _ => Self::PASS,
        }))
    }

    #[inline]
    fn admits(&self, p: &Self::State, _player: Player, member: Move) -> bool {
        let code = member.0 as u32;
        code >= Self::PASS || self.is_legal(p, code as usize)
    }

    /// Most sites are legal for plain reasons: an empty neighbour, and no enemy beside them whom the stone might take. Where
    /// there were never so many stones on the board, such a position cannot have been there before. The others are
    /// looked at one by one.
    fn settle(&self, p: &Self::State, player: Player, families: &mut Families) {
        let sure = self.surely_legal(p).unwrap_or_default();
        families.retain(|families, place| {
            let word = families.word(place);
            let known = sure.get(word.first as usize / 64).filter(|_| word.tag == 0);
            known.is_some_and(|sites| sites >> place.bit & 1 == 1)
                || self.admits(p, player, self.member(p, player, families, place))
        });
        families.trust();
    }

    #[inline]
    fn begin_playout(&self, p: &mut Self::State) {
        (p.open, p.keeps_open, p.waiting) = (self.empty_words(p), true, None);
    }

    fn begin_steps(&self, p: &mut Self::State) {
        self.begin_playout(p);
        self.begin_showing(p);
    }

    #[inline]
    fn owned<'s>(&self, p: &'s Self::State, player: Player) -> Option<&'s [u64]> {
        let own = p.shown.own(player.index() ^ usize::from(p.swapped))?;
        own.get(..self.ground.sites.div_ceil(64))
    }

    #[inline]
    fn play(&self, p: &mut Self::State, player: Player, families: &Families, place: Place) {
        let code = self.member(p, player, families, place).0 as u32;
        if code == Self::SWAP {
            self.swap(p);
            return p.shown.note(&p.board, &p.history);
        }
        let facts = match code == Self::PASS {
            true => self.pass(p),
            false if p.shown.is_kept() => self.place_shown(p, code as usize),
            false => self.place_openly(p, code as usize),
        };
        p.shown.note(&p.board, &p.history);
        p.waiting = self.settle(p, facts, true).then_some(facts as u16);
    }

    #[inline]
    fn expect_play(&self, p: &Self::State, families: &Families, place: Place, soon: Soon) {
        let site = families.code(place) as usize;
        match soon {
            Soon::Later => {
                self.ground.expect(&p.board, site);
                expect_all(&p.shown);
                expect(&p.open);
                expect(&p.history);
            }
            Soon::Next => {
                self.ground.expect_chains(&p.board, site);
                let hash = self.ground.hash_after(&p.board, p.mover, site, 0);
                p.history.expect_note(self.known_by(p, hash, (p.passes, p.moves)));
                p.shown.expect_note(&p.board, p.mover);
            }
        }
    }

    fn stuck(&self, p: &mut Self::State, _player: Player) -> Option<u32> {
        if self.ends_stuck(p, p.waiting.map(usize::from)) {
            return None;
        }
        let facts = self.pass(p);
        p.shown.note(&p.board, &p.history);
        p.waiting = self.settle(p, facts, true).then_some(facts as u16);
        Some(self.codes.special(PASSES))
    }

    fn end_playout(&self, p: &mut Self::State) {
        if p.ending == Ending::Open && p.waiting.is_some() && !self.any_site(p) {
            self.ends_stuck(p, p.waiting.map(usize::from));
        }
        (p.keeps_open, p.waiting) = (false, None);
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
