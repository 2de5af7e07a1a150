//! The contract: a game of stones is a game like any other.

use super::plan::{FULL, NOWHERE, Plan, Verdict};
use super::playout::Uniform;
use super::position::{Position, Referee};
use ludex_game::bits::{Bits, Select, dispatch};
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Machine, Move, MoveKind, Place, Player,
    PlayerSet, PlayoutKind, Rng, Rules, SetOf, SiteId, Turn, View, mix,
};
use ludex_lud::codes::{Codes, PASSES, SWAPS};
use ludex_lud::game::Compiled;
use ludex_lud::layer::Piece;
use ludex_lud::playable::Ludemes;
use ludex_lud::seen::{self, Stand};
use ludex_lud::show;
use ludex_lud::topo::SiteType;
use std::sync::Arc;

/// A game of stones on boards of up to `64 W` places.
#[derive(Debug)]
pub struct Stones<const W: usize, R: Referee<W>> {
    pub(super) plan: Plan,
    pub(super) referee: R,
    codes: Codes,
    game: Arc<Compiled>,
    info: GameInfo,
    start: Position<W, R::Memory, R::Watch>,
    /// The board as rows and columns, where stones stand on one another in columns.
    upright: Option<Geometry>,
}

impl<const W: usize, R: Referee<W>> Stones<W, R> {
    /// The move that passes, and its code; places are their own.
    const PASS: u32 = 64 * W as u32;
    /// The move that changes seats.
    const SWAP: u32 = Self::PASS + 1;

    pub(super) fn new(plan: Plan, referee: R, general: &Ludemes) -> Self {
        let game = general.shared();
        let mut info = show::info(&game);
        info.machine = Machine::Stones;
        info.playout = match plan.above.is_empty() {
            true => PlayoutKind::AddToEmpty,
            false => PlayoutKind::CountAndPick,
        };
        info.playout_reason = plan.reason.clone();
        let set = |sites: &[u16]| {
            sites.iter().fold(Bits::EMPTY, |set: Bits<W>, &s| set | Bits::one(s as usize))
        };
        let mut start = Position {
            open: set(&plan.open),
            own: [Bits::EMPTY; 2],
            memory: referee.fresh(),
            watch: None,
            mover: 0,
            outcome: Verdict::Open,
            swapped: false,
            passes: 0,
            moves: 0,
            last: general.placed_last(),
        };
        for &(site, player) in &plan.placed {
            start.own[player] |= Bits::one(site as usize);
            referee.place(&mut start.memory, &start.own[player], player, site as usize);
        }
        let codes = Codes::of(&game);
        let upright = plan.columns.map(|columns| Geometry {
            kinds: game.places().geometry(&game).kinds.clone(),
            ..Geometry::rectangle(plan.sites / columns.max(1), columns)
        });
        Stones { plan, referee, codes, game, info, start, upright }
    }

    /// Whether these facts about a stone win the game for whoever placed it.
    #[inline(always)]
    pub(super) fn wins_by(&self, mover: usize, facts: usize) -> bool {
        self.plan.verdicts[mover & 1][facts & 63] == Verdict::won_by(mover as i32 + 1)
    }

    fn may_swap(&self, p: &Position<W, R::Memory, R::Watch>) -> bool {
        self.plan.swap && p.moves == 1
    }

    /// A legal move, all with the same probability.
    #[inline(always)]
    pub(super) fn draw<C: Select>(
        &self,
        p: &Position<W, R::Memory, R::Watch>,
        rng: &mut Rng,
    ) -> u32 {
        let swaps = u32::from(self.may_swap(p));
        let all = p.open.count::<C>() + swaps;
        if all == 0 {
            return Self::PASS;
        }
        match rng.below(all).checked_sub(swaps) {
            None => Self::SWAP,
            Some(nth) => p.open.select::<C>(nth) as u32,
        }
    }

    /// Plays a move by its code.
    #[inline(always)]
    pub(super) fn play(&self, p: &mut Position<W, R::Memory, R::Watch>, code: u32) {
        p.moves = p.moves.wrapping_add(1);
        if code >= Self::PASS {
            return self.pass_or_swap(p, code);
        }
        let (site, mover) = (code as usize, p.mover as usize & 1);
        let here = Bits::one(site);
        p.passes = 0;
        p.open ^= here;
        if let Some(&above) = self.plan.above.get(site)
            && above != NOWHERE
        {
            p.open |= Bits::one(above as usize);
        }
        p.own[mover] |= here;
        let mut facts = self.referee.place(&mut p.memory, &p.own[mover], mover, site);
        if let Some(watch) = &mut p.watch {
            let wanted = |facts| self.wins_by(mover, facts);
            self.referee.keep_watch(watch, &p.memory, &p.own[mover], mover, site, wanted);
        }
        facts |= if p.open.is_empty() { FULL } else { 0 };
        p.outcome = self.plan.verdicts[mover][facts & 63];
        if p.outcome == Verdict::Open {
            p.mover ^= 1;
        }
    }

    fn pass_or_swap(&self, p: &mut Position<W, R::Memory, R::Watch>, code: u32) {
        if code == Self::SWAP {
            p.swapped = !p.swapped;
            p.passes = 0;
            return;
        }
        p.passes += 1;
        let full = if p.open.is_empty() { FULL } else { 0 };
        p.outcome = self.plan.verdicts[p.mover as usize & 1][full];
        if p.outcome == Verdict::Open && p.passes >= 2 {
            p.outcome = Verdict::Drawn;
        }
        if p.outcome == Verdict::Open {
            p.mover ^= 1;
        }
    }

    fn each_code(&self, p: &Position<W, R::Memory, R::Watch>, mut each: impl FnMut(u32)) {
        p.open.iter().for_each(|site| each(site as u32));
        if self.may_swap(p) {
            each(Self::SWAP);
        } else if p.open.is_empty() {
            each(Self::PASS);
        }
    }

    fn seat(&self, p: &Position<W, R::Memory, R::Watch>, player: u8) -> Player {
        Player(player ^ u8::from(p.swapped))
    }

    /// The site of a place: of a level of a column, the column.
    #[inline]
    fn site(&self, place: usize) -> usize {
        self.plan.columns.map_or(place, |columns| place % columns)
    }

    fn site_text(&self, place: usize) -> String {
        show::site(&self.game, None, self.site(place) as i32)
    }

    /// What stands on a place.
    fn piece(&self, p: &Position<W, R::Memory, R::Watch>, place: usize) -> Option<Piece> {
        let player = (0..2).find(|&player| p.own[player].contains(place))?;
        Some(Piece { what: self.plan.pieces[player], count: 1, ..Piece::default() })
    }

    /// Writes both players' stones as sets of the sites of a board whose sites are the places.
    #[inline]
    fn copy_sets(&self, p: &Position<W, R::Memory, R::Watch>, board: &Geometry, out: &mut View) {
        out.reset(board, 2);
        for (player, own) in p.own.iter().enumerate() {
            let kind = SetOf::Kind(self.plan.pieces[player] - 1);
            for set in [SetOf::Owned(self.seat(p, player as u8)), kind] {
                out.set_mut(set).iter_mut().zip(own.0).for_each(|(word, own)| *word |= own);
            }
            let empty = out.set_mut(SetOf::Empty).iter_mut();
            empty.zip(own.0).for_each(|(word, own)| *word &= !own);
        }
        seen::write_players(&self.game, &On { rules: self, position: p }, out);
    }
}

/// A position beside its rules.
struct On<'a, const W: usize, R: Referee<W>> {
    rules: &'a Stones<W, R>,
    position: &'a Position<W, R::Memory, R::Watch>,
}

impl<const W: usize, R: Referee<W>> Stand for On<'_, W, R> {
    fn pieces(&self, kind: SiteType, site: i32, each: &mut dyn FnMut(Piece)) {
        let plan = &self.rules.plan;
        let (site, step) = (site as usize, plan.columns.unwrap_or(plan.sites.max(1)));
        if kind != self.rules.game.topo.default || site >= step {
            return;
        }
        let places = (site..plan.sites).step_by(step);
        places.filter_map(|place| self.rules.piece(self.position, place)).for_each(each);
    }

    fn seat(&self, player: i32) -> Player {
        self.rules.seat(self.position, player as u8 - 1)
    }

    fn score(&self, _player: i32) -> i32 {
        0
    }
}

/// Marks words of places, whose codes are their own.
const PLACES: u32 = u32::MAX;

impl<const W: usize, R: Referee<W>> Rules for Stones<W, R> {
    type State = Position<W, R::Memory, R::Watch>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Self::State {
        self.start
    }

    #[inline]
    fn turn(&self, p: &Self::State) -> Turn {
        match p.outcome {
            Verdict::Open => Turn::Players(PlayerSet::one(self.seat(p, p.mover))),
            _ => Turn::Over,
        }
    }

    fn moves(&self, p: &Self::State, _player: Player, out: &mut Vec<Move>) {
        self.each_code(p, |code| out.push(Move(u64::from(code))));
    }

    #[inline]
    fn apply(&self, p: &mut Self::State, joint: &[Move]) {
        let last = self.ends(p, None, joint[0]);
        self.play(p, joint[0].0 as u32);
        p.last = Some(last);
    }

    #[inline]
    fn payoffs(&self, p: &Self::State, out: &mut [f32]) {
        let first = match p.outcome {
            Verdict::First => 1.0,
            Verdict::Second => 0.0,
            Verdict::Drawn | Verdict::Open => 0.5,
        };
        for (player, payoff) in [(0, first), (1, 1.0 - first)] {
            if let Some(slot) = out.get_mut(self.seat(p, player).index()) {
                *slot = payoff;
            }
        }
    }

    fn hash(&self, p: &Self::State) -> u64 {
        let mut hash = 0u64;
        let mut add = |word: u64| hash = mix(hash.rotate_left(5) ^ word);
        p.own.iter().for_each(|set| set.0.iter().for_each(|&word| add(word)));
        let may_swap = u64::from(self.may_swap(p));
        add(u64::from(p.mover)
            | u64::from(p.passes) << 8
            | u64::from(p.swapped) << 16
            | may_swap << 17);
        hash
    }

    fn move_text(&self, p: &Self::State, _player: Option<Player>, mv: Move) -> String {
        match mv.0 as u32 {
            code if code == Self::PASS => "pass".to_string(),
            code if code == Self::SWAP => "swap".to_string(),
            code => {
                let site = self.site_text(code as usize);
                let what = i32::from(self.plan.pieces[p.mover as usize & 1]);
                show::placed(&self.game, what, site)
            }
        }
    }

    fn show(&self, p: &Self::State, _viewer: Option<Player>) -> String {
        let mut state = self.game.empty_state();
        let layer = &mut state.layers[self.game.topo.default as usize];
        for place in 0..self.plan.sites {
            let Some(piece) = self.piece(p, place) else { continue };
            match self.plan.columns {
                Some(columns) => layer.stacks[place % columns].push(piece),
                None => layer.update(place as i32, |slot| *slot = piece),
            }
        }
        show::board(&self.game, &state, None)
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(self.game.places().geometry(&self.game))
    }

    fn view(&self, p: &Self::State, _: Option<Player>, detail: Detail, out: &mut View) {
        let on = On { rules: self, position: p };
        if detail == Detail::Pieces || self.plan.columns.is_some() {
            return seen::write(&self.game, &on, out);
        }
        self.copy_sets(p, self.game.places().geometry(&self.game), out);
    }

    fn plane_geometry(&self) -> Option<&Geometry> {
        self.upright.as_ref().or_else(|| self.geometry())
    }

    #[inline]
    fn plane_view(&self, p: &Self::State, viewer: Option<Player>, detail: Detail, out: &mut View) {
        match &self.upright {
            Some(upright) => self.copy_sets(p, upright, out),
            None => self.view(p, viewer, detail, out),
        }
    }

    #[inline]
    fn owned<'s>(&self, p: &'s Self::State, player: Player) -> Option<&'s [u64]> {
        let own = p.own.get(player.index() ^ usize::from(p.swapped))?;
        Some(&own.0[..self.plan.sites.div_ceil(64)])
    }

    #[inline]
    fn plane_last(&self, p: &Self::State) -> Option<Ends> {
        match (self.plan.columns, p.last.and_then(|last| last.to)) {
            (Some(columns), Some(column)) => {
                let all = p.own[0] | p.own[1];
                let levels = (column as usize..self.plan.sites).step_by(columns);
                let top = levels.take_while(|&place| all.contains(place)).last();
                top.map(|place| Ends::at(place as SiteId, MoveKind::Place))
            }
            _ => p.last,
        }
    }

    #[inline]
    fn ends(&self, _p: &Self::State, _player: Option<Player>, mv: Move) -> Ends {
        match mv.0 as u32 {
            code if code == Self::PASS => Ends::nowhere(MoveKind::Pass),
            code if code == Self::SWAP => Ends::nowhere(MoveKind::Swap),
            code => Ends::at(self.site(code as usize) as SiteId, MoveKind::Place),
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
            place => self.site(place as usize) as u32,
        }
    }

    fn code_ends(&self, _player: Player, code: u32) -> Option<Ends> {
        self.codes.ends(&self.game, code)
    }

    /// Of the places of a column at most one is open, and its code is the column's.
    #[inline]
    fn families(&self, p: &Self::State, _player: Player, _coding: Coding, out: &mut Families) {
        match self.plan.columns {
            None => {
                let words = (0..).zip(p.open.0).take(self.plan.sites.div_ceil(64));
                words.for_each(|(word, bits)| out.push(64 * word, PLACES, bits));
            }
            Some(columns) => p.open.iter().for_each(|place| {
                out.push_one((place % columns) as u32, place as u32);
            }),
        }
        if self.may_swap(p) {
            out.push_one(self.codes.special(SWAPS), Self::SWAP);
        }
    }

    #[inline]
    fn member(&self, _: &Self::State, _: Player, families: &Families, place: Place) -> Move {
        let word = families.word(place);
        Move(u64::from(if word.tag == PLACES { word.first + place.bit } else { word.tag }))
    }

    #[inline]
    fn wins(
        &self,
        p: &Self::State,
        _player: Player,
        families: &Families,
        out: &mut Families,
    ) -> bool {
        let mover = p.mover as usize & 1;
        // The last stone also fills the board, and where every stone ends the game there is nothing to look for.
        let Some(watch) = p.watch.as_ref().filter(|_| p.open.len() > 1) else { return false };
        let places =
            self.referee.watched(watch, mover, |facts| self.wins_by(mover, facts)) & p.open;
        out.clear();
        if places.is_empty() {
            return true;
        }
        for word in families.words() {
            let wins = match word.tag {
                PLACES => word.bits & places.0[word.first as usize / 64],
                place if place < Self::PASS && places.contains(place as usize) => word.bits,
                _ => 0,
            };
            out.push(word.first, word.tag, wins);
        }
        true
    }

    fn watch(&self, p: &mut Self::State) {
        let calm = self.plan.verdicts.iter().all(|verdicts| verdicts[0] == Verdict::Open);
        p.watch = self.referee.watch().filter(|_| calm);
        let Some(watch) = &mut p.watch else { return };
        for mover in 0..2 {
            let wanted = |facts| self.wins_by(mover, facts);
            // Stone by stone, as if each came last.
            let mut own = Bits::EMPTY;
            for site in p.own[mover].iter() {
                own.insert(site);
                self.referee.keep_watch(watch, &p.memory, &own, mover, site, wanted);
            }
        }
    }

    fn end_playout(&self, p: &mut Self::State) {
        p.watch = None;
    }

    fn stuck(&self, p: &mut Self::State, _player: Player) -> Option<u32> {
        self.play(p, Self::PASS);
        Some(self.codes.special(PASSES))
    }

    fn playout_uniform(
        &self,
        position: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        _buffer: &mut Vec<Move>,
    ) -> u32 {
        dispatch(Uniform::<W, R, false> { rules: self, position, rng, limit })
    }

    fn playout_decisive(
        &self,
        position: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        _buffer: &mut Vec<Move>,
    ) -> Option<u32> {
        // In several words nobody keeps which places have opened above others.
        if W > 1 && !self.plan.above.is_empty() {
            return None;
        }
        self.watch(position);
        position.watch.as_ref()?;
        Some(dispatch(Uniform::<W, R, true> { rules: self, position, rng, limit }))
    }
}
