//! Domineering: the first player lays dominoes upright, the second flat, until one cannot.

use ludex_game::bits::{Bits, Job, Select, dispatch};
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Move, MoveKind, Place, Player, PlayoutKind,
    Rng, Rules, SiteId, Turn, View,
};

use crate::grid::Grid;
use crate::hash::hash;
use crate::sites::{self, Last};
use crate::verdict::{Verdict, verdict};
use crate::{Size, attributes};

/// The two ways a domino can lie; each player has one.
const UPRIGHT: usize = 0;
const FLAT: usize = 1;

/// A domino touches six cells along its sides.
const SIDES: usize = 6;

/// The rules on a board of `N` words. A move is the lower or left cell of its domino.
pub(crate) struct Domineering<const N: usize> {
    info: GameInfo,
    verdict: Verdict,
    grid: Grid<N>,
    attributes: Vec<String>,
    geometry: Geometry,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<const N: usize> {
    empty: Bits<N>,
    mover: Player,
    over: bool,
    /// The cells of upright dominoes, and the last move; playouts keep neither.
    upright: Bits<N>,
    last: Last,
}

impl<const N: usize> Domineering<N> {
    pub fn new(name: &str, size: Size, verdict: Verdict) -> Self {
        Domineering {
            info: GameInfo {
                board: format!("{size} square"),
                channels: vec!["empty cells".into()],
                playout: PlayoutKind::CountAndPick,
                playout_reason: "the places for a domino are one shifted set".into(),
                max_plies: size.cells() as u32 / 2,
                ..GameInfo::named(name, 2)
            },
            verdict,
            grid: Grid::new(size),
            attributes: attributes::names(&["mobility", "safe places"]),
            geometry: sites::geometry(size, "Half"),
        }
    }

    /// The lower or left cells of all places for a domino that lies `WAY`.
    #[inline(always)]
    fn places<const WAY: usize>(&self, empty: Bits<N>) -> Bits<N> {
        match WAY {
            UPRIGHT => empty & empty.down(self.grid.row()),
            _ => empty & self.grid.not_right & empty.down(1),
        }
    }

    #[inline(always)]
    fn places_of(&self, empty: Bits<N>, player: Player) -> Bits<N> {
        match player.index() {
            UPRIGHT => self.places::<UPRIGHT>(empty),
            _ => self.places::<FLAT>(empty),
        }
    }

    /// The cells of the domino at a place.
    #[inline(always)]
    fn domino(&self, place: Bits<N>, way: usize) -> Bits<N> {
        place | place.up(if way == UPRIGHT { self.grid.row() } else { 1 })
    }

    /// For each of the cells beside a domino, the places where that cell is occupied or missing.
    #[inline(always)]
    fn crowded(&self, empty: Bits<N>, player: Player) -> [Bits<N>; SIDES] {
        let row = self.grid.row();
        let left = (empty & self.grid.not_right).up(1);
        let right = (empty & self.grid.not_left).down(1);
        let (below, above) = (empty.up(row), empty.down(row));
        let free = match player.index() {
            UPRIGHT => [below, left, right, left.down(row), right.down(row), above.down(row)],
            _ => [left, below, above, below.down(1), above.down(1), right.down(1)],
        };
        free.map(|set| !set)
    }

    /// Places that the opponent can no longer spoil.
    fn safe_places(&self, empty: Bits<N>, player: Player) -> Bits<N> {
        let theirs = self.places_of(empty, player.opponent());
        let open = self.domino(theirs, player.opponent().index());
        let own = self.places_of(empty, player);
        let step = if player.index() == UPRIGHT { self.grid.row() } else { 1 };
        own & !open & !open.down(step)
    }
}

#[inline(always)]
fn pattern<const N: usize>(crowded: &[Bits<N>; SIDES], place: usize) -> u32 {
    let bits = crowded.iter().enumerate();
    bits.fold(0, |code, (side, set)| code | u32::from(set.contains(place)) << side)
}

impl<const N: usize> Rules for Domineering<N> {
    type State = State<N>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> State<N> {
        let (empty, upright) = (self.grid.all, Bits::EMPTY);
        State { empty, mover: Player::FIRST, over: false, upright, last: Last::default() }
    }

    #[inline]
    fn turn(&self, state: &State<N>) -> Turn {
        if state.over { Turn::Over } else { Turn::of(state.mover) }
    }

    fn moves(&self, state: &State<N>, player: Player, out: &mut Vec<Move>) {
        out.extend(self.places_of(state.empty, player).iter().map(|place| Move(place as u64)));
    }

    #[inline]
    fn apply(&self, state: &mut State<N>, joint: &[Move]) {
        let place = Bits::one(joint[0].0 as usize);
        let domino = self.domino(place, state.mover.index());
        state.empty &= !domino;
        if state.mover == Player::FIRST {
            state.upright |= domino;
        }
        state.last = Last::placed(joint[0].0 as usize);
        state.mover = state.mover.opponent();
        state.over = self.places_of(state.empty, state.mover).is_empty();
    }

    #[inline]
    fn payoffs(&self, state: &State<N>, out: &mut [f32]) {
        verdict(self.verdict, state.mover, out);
    }

    #[inline]
    fn hash(&self, state: &State<N>) -> u64 {
        hash(state.mover, state.empty.0.into_iter())
    }

    fn move_text(&self, state: &State<N>, player: Option<Player>, mv: Move) -> String {
        let way = player.unwrap_or(state.mover).index();
        let cells = self.domino(Bits::one(mv.0 as usize), way).iter();
        cells.map(|cell| self.grid.size.name(cell)).collect::<Vec<_>>().join("/")
    }

    fn show(&self, state: &State<N>, _: Option<Player>) -> String {
        self.grid.size.picture(|cell| if state.empty.contains(cell) { '.' } else { '#' })
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(&self.geometry)
    }

    fn view(&self, state: &State<N>, _: Option<Player>, detail: Detail, out: &mut View) {
        let flat = self.grid.all & !state.empty & !state.upright;
        sites::view(&self.geometry, [state.upright, flat], detail, out);
    }

    fn ends(&self, _: &State<N>, _: Option<Player>, mv: Move) -> Ends {
        Ends::at(mv.0 as SiteId, MoveKind::Place)
    }

    fn last_move(&self, state: &State<N>) -> Option<Ends> {
        state.last.ends()
    }

    fn code_count(&self, _: Player, coding: Coding) -> u32 {
        let cells = self.grid.size.cells() as u32;
        if coding == Coding::Plain { cells } else { cells << SIDES }
    }

    #[inline]
    fn code(&self, state: &State<N>, player: Player, mv: Move, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => mv.0 as u32,
            Coding::Features => {
                let crowded = self.crowded(state.empty, player);
                (mv.0 as u32) << SIDES | pattern(&crowded, mv.0 as usize)
            }
        }
    }

    fn code_ends(&self, _: Player, code: u32) -> Option<Ends> {
        let on_board = (code as usize) < self.grid.size.cells();
        on_board.then(|| Ends::at(code, MoveKind::Other))
    }

    #[inline]
    fn families(&self, state: &State<N>, player: Player, coding: Coding, out: &mut Families) {
        let places = self.places_of(state.empty, player);
        if coding == Coding::Plain {
            return out.push_set(0, 0, places);
        }
        let crowded = self.crowded(state.empty, player);
        for place in places.iter() {
            out.push_one((place as u32) << SIDES | pattern(&crowded, place), place as u32);
        }
    }

    #[inline]
    fn member(&self, _: &State<N>, _: Player, families: &Families, place: Place) -> Move {
        Move(u64::from(if families.is_dense() {
            families.code(place)
        } else {
            families.word(place).tag
        }))
    }

    #[inline]
    fn play(&self, state: &mut State<N>, player: Player, families: &Families, place: Place) {
        let place = self.member(state, player, families, place);
        state.empty &= !self.domino(Bits::one(place.0 as usize), player.index());
        // Whether the other has a place is found out when it is looked for.
        state.mover = player.opponent();
    }

    #[inline]
    fn stuck(&self, state: &mut State<N>, _: Player) -> Option<u32> {
        state.over = true;
        None
    }

    #[inline]
    fn end_playout(&self, state: &mut State<N>) {
        state.over |= self.places_of(state.empty, state.mover).is_empty();
    }

    fn playout_uniform(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        limit: u32,
        _: &mut Vec<Move>,
    ) -> u32 {
        dispatch(Playout { rules: self, state, rng, limit })
    }

    fn attributes(&self) -> &[String] {
        &self.attributes
    }

    fn attribute_values(&self, state: &State<N>, player: Player, out: &mut [f32]) {
        attributes::write(state.mover, player, out, |who| {
            let places = self.places_of(state.empty, who).len();
            vec![places as f32, self.safe_places(state.empty, who).len() as f32]
        });
    }
}

struct Playout<'a, const N: usize> {
    rules: &'a Domineering<N>,
    state: &'a mut State<N>,
    rng: &'a mut Rng,
    limit: u32,
}

impl<const N: usize> Playout<'_, N> {
    /// Lays one random domino, or says that there is no place for it.
    #[inline(always)]
    fn ply<S: Select, const WAY: usize>(&self, empty: &mut Bits<N>, rng: &mut Rng) -> bool {
        let places = self.rules.places::<WAY>(*empty);
        let count = places.count::<S>();
        if count == 0 {
            return false;
        }
        *empty &= !self.rules.domino(places.nth::<S>(rng.below(count)), WAY);
        true
    }
}

impl<const N: usize> Job for Playout<'_, N> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Select>(self) -> u32 {
        let (mut empty, mut rng) = (self.state.empty, self.rng.clone());
        let (mut plies, mut mover) = (0, self.state.mover);
        let mut over = self.state.over;
        while !over && plies < self.limit {
            over = !match mover {
                Player::FIRST => self.ply::<S, UPRIGHT>(&mut empty, &mut rng),
                _ => self.ply::<S, FLAT>(&mut empty, &mut rng),
            };
            if !over {
                plies += 1;
                mover = mover.opponent();
            }
        }
        // At the limit nobody has looked yet whether there is a next ply.
        over |= self.rules.places_of(empty, mover).is_empty();
        *self.rng = rng;
        *self.state = State { empty, mover, over, ..*self.state };
        plies
    }
}
