//! Atarigo and Nogo: Go without captures, because the first one wins or because it is forbidden.

use std::marker::PhantomData;

use ludex_game::bits::{Bits, Job, Select, dispatch};
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Move, MoveKind, Place, Player, PlayoutKind,
    Rng, Rules, SiteId, Turn, View,
};

use crate::grid::Grid;
use crate::hash::hash;
use crate::sites::{self, Last};
use crate::strings::Strings;
use crate::verdict::{Verdict, verdict};
use crate::{Size, attributes};

/// What a stone may do that takes a hostile string's last liberty.
pub(crate) trait Capture: Send + Sync + 'static {
    const WINS: bool;
}

/// Atarigo: win.
pub(crate) struct Wins;

impl Capture for Wins {
    const WINS: bool = true;
}

/// Nogo: it may not be played.
pub(crate) struct Forbidden;

impl Capture for Forbidden {
    const WINS: bool = false;
}

/// The four neighbours' colours, two bits each.
const PATTERN_BITS: u32 = 8;
const OFF_BOARD: u8 = 3;

/// The rules on a board of `N` words of `C` cells together. A move is its cell.
pub(crate) struct Stones<L, const N: usize, const C: usize> {
    info: GameInfo,
    grid: Grid<N>,
    /// The neighbours of each cell, as a set and one by one.
    beside: Box<[Bits<N>; C]>,
    links: Vec<Vec<Link>>,
    start: State<N, C>,
    attributes: Vec<String>,
    geometry: Geometry,
    capture: PhantomData<L>,
}

/// A neighbour, and where in its pattern it keeps this cell's colour.
struct Link {
    cell: u8,
    shift: u8,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<const N: usize, const C: usize> {
    board: Strings<N, C>,
    /// What surrounds each cell: `0` empty, `1` and `2` a player's stone, `3` the edge.
    pattern: [u8; C],
    mover: Player,
    over: bool,
    /// The last move; playouts do not keep it.
    last: Last,
}

impl<L: Capture, const N: usize, const C: usize> Stones<L, N, C> {
    /// Tells the cells beside a new stone of it.
    #[inline(always)]
    fn note_patterns(&self, state: &mut State<N, C>, mover: Player, cell: usize) {
        for link in &self.links[cell] {
            state.pattern[link.cell as usize % C] |= (1 + mover.0) << link.shift;
        }
    }

    pub fn new(name: &str, size: Size) -> Self {
        let grid = Grid::new(size);
        let mut beside = Box::new([Bits::EMPTY; C]);
        let mut pattern = [0; C];
        let mut links = Vec::new();
        for cell in 0..size.cells() {
            beside[cell] = grid.beside(Bits::one(cell));
            pattern[cell] = edges(size, cell);
            links.push(beside[cell].iter().map(|other| link(size, cell, other)).collect());
        }
        let board = Strings::NONE;
        Stones {
            info: GameInfo {
                board: format!("{size} square"),
                channels: vec![
                    "stones of P1".into(),
                    "stones of P2".into(),
                    "strings and liberties".into(),
                    "neighbours' colours".into(),
                ],
                playout: PlayoutKind::CountAndPick,
                playout_reason: "last and safe liberties, kept from move to move, give the legal \
                                 cells as one set"
                    .into(),
                max_plies: size.cells() as u32,
                ..GameInfo::named(name, 2)
            },
            grid,
            beside,
            links,
            start: State {
                board,
                pattern,
                mover: Player::FIRST,
                over: false,
                last: Last::default(),
            },
            geometry: sites::geometry(size, "Stone"),
            attributes: attributes::names(&["mobility", "atari", "territory"]),
            capture: PhantomData,
        }
    }

    /// The cells where a side may put a stone.
    #[inline(always)]
    fn legal(&self, board: &Strings<N, C>, side: usize) -> Bits<N> {
        let empty = self.grid.all & !(board.stones[0] | board.stones[1]);
        let lives = self.grid.beside(empty) | board.safe[side];
        let captures = board.last[1 - side];
        empty & if L::WINS { lives | captures } else { lives & !captures }
    }

    /// The stones of a player whose strings have a liberty.
    fn alive(&self, stones: [Bits<N>; 2], player: Player) -> Bits<N> {
        let own = stones[player.index()];
        let mut alive = own & self.grid.beside(self.grid.all & !(stones[0] | stones[1]));
        loop {
            let more = alive | own & self.grid.beside(alive);
            if more == alive {
                return alive;
            }
            alive = more;
        }
    }

    /// Puts the mover's stone down; says whether it captures.
    #[inline(always)]
    fn place(&self, board: &mut Strings<N, C>, mover: Player, cell: usize) -> bool {
        match mover {
            Player::FIRST => board.place::<0>(cell, &self.beside),
            _ => board.place::<1>(cell, &self.beside),
        }
    }
}

/// The pattern of a cell on an empty board.
fn edges(size: Size, cell: usize) -> u8 {
    let (column, row) = (cell % size.width(), cell / size.width());
    let off = [
        (column == 0, 0),
        (column + 1 == size.width(), 2),
        (row == 0, 4),
        (row + 1 == size.height(), 6),
    ];
    off.iter().filter(|(off, _)| *off).fold(0, |pattern, (_, shift)| pattern | OFF_BOARD << shift)
}

/// How `other` sees its neighbour `cell`.
fn link(size: Size, cell: usize, other: usize) -> Link {
    let shift = match other as isize - cell as isize {
        1 => 0,
        -1 => 2,
        up if up == size.width() as isize => 4,
        _ => 6,
    };
    Link { cell: other as u8, shift }
}

impl<L: Capture, const N: usize, const C: usize> Rules for Stones<L, N, C> {
    type State = State<N, C>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> State<N, C> {
        self.start
    }

    #[inline]
    fn turn(&self, state: &State<N, C>) -> Turn {
        if state.over { Turn::Over } else { Turn::of(state.mover) }
    }

    fn moves(&self, state: &State<N, C>, player: Player, out: &mut Vec<Move>) {
        let legal = self.legal(&state.board, player.index());
        out.extend(legal.iter().map(|cell| Move(cell as u64)));
    }

    #[inline]
    fn apply(&self, state: &mut State<N, C>, joint: &[Move]) {
        let (cell, mover) = (joint[0].0 as usize, state.mover);
        let captured = self.place(&mut state.board, mover, cell);
        self.note_patterns(state, mover, cell);
        state.last = Last::moved(cell, cell, captured);
        state.mover = mover.opponent();
        state.over = captured || self.legal(&state.board, state.mover.index()).is_empty();
    }

    #[inline]
    fn payoffs(&self, state: &State<N, C>, out: &mut [f32]) {
        verdict(Verdict::Normal, state.mover, out);
    }

    #[inline]
    fn hash(&self, state: &State<N, C>) -> u64 {
        hash(state.mover, state.board.stones.into_iter().flat_map(|set| set.0))
    }

    fn move_text(&self, _: &State<N, C>, _: Option<Player>, mv: Move) -> String {
        self.grid.size.name(mv.0 as usize)
    }

    fn show(&self, state: &State<N, C>, _: Option<Player>) -> String {
        self.grid.size.picture(|cell| match state.board.stones.map(|set| set.contains(cell)) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        })
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(&self.geometry)
    }

    fn view(&self, state: &State<N, C>, _: Option<Player>, detail: Detail, out: &mut View) {
        let mut stones = state.board.stones;
        // A capture ends the game, so the rules need not take the stones off the board.
        if L::WINS && state.over {
            stones[state.mover.index()] = self.alive(stones, state.mover);
        }
        sites::view(&self.geometry, stones, detail, out);
    }

    fn ends(&self, state: &State<N, C>, player: Option<Player>, mv: Move) -> Ends {
        let foe = player.unwrap_or(state.mover).opponent();
        let takes = state.board.last[foe.index()].contains(mv.0 as usize);
        let kind = if takes { MoveKind::Capture } else { MoveKind::Place };
        Ends::at(mv.0 as SiteId, kind)
    }

    fn last_move(&self, state: &State<N, C>) -> Option<Ends> {
        state.last.ends()
    }

    fn code_count(&self, _: Player, coding: Coding) -> u32 {
        let cells = self.grid.size.cells() as u32;
        if coding == Coding::Plain { cells } else { cells << PATTERN_BITS }
    }

    #[inline]
    fn code(&self, state: &State<N, C>, _: Player, mv: Move, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => mv.0 as u32,
            Coding::Features => {
                (mv.0 as u32) << PATTERN_BITS | u32::from(state.pattern[mv.0 as usize % C])
            }
        }
    }

    fn code_ends(&self, _: Player, code: u32) -> Option<Ends> {
        let on_board = (code as usize) < self.grid.size.cells();
        on_board.then(|| Ends::at(code, MoveKind::Other))
    }

    #[inline]
    fn families(&self, state: &State<N, C>, player: Player, coding: Coding, out: &mut Families) {
        let legal = self.legal(&state.board, player.index());
        match coding {
            Coding::Plain => out.push_set(0, 0, legal),
            Coding::Features => legal.iter().for_each(|cell| {
                let pattern = u32::from(state.pattern[cell % C]);
                out.push_one((cell as u32) << PATTERN_BITS | pattern, cell as u32);
            }),
        }
    }

    #[inline]
    fn member(&self, _: &State<N, C>, _: Player, families: &Families, place: Place) -> Move {
        Move(u64::from(if families.is_dense() {
            families.code(place)
        } else {
            families.word(place).tag
        }))
    }

    #[inline]
    fn play(&self, state: &mut State<N, C>, player: Player, families: &Families, place: Place) {
        let cell = self.member(state, player, families, place).0 as usize;
        let captured = self.place(&mut state.board, player, cell);
        self.note_patterns(state, player, cell);
        // Whether the other has a move is found out when it is looked for.
        (state.mover, state.over) = (player.opponent(), captured);
    }

    #[inline]
    fn stuck(&self, state: &mut State<N, C>, _: Player) -> Option<u32> {
        state.over = true;
        None
    }

    #[inline]
    fn end_playout(&self, state: &mut State<N, C>) {
        state.over |= self.legal(&state.board, state.mover.index()).is_empty();
    }

    fn playout_uniform(
        &self,
        state: &mut State<N, C>,
        rng: &mut Rng,
        limit: u32,
        _: &mut Vec<Move>,
    ) -> u32 {
        dispatch(Playout { rules: self, state, rng, limit })
    }

    fn attributes(&self) -> &[String] {
        &self.attributes
    }

    fn attribute_values(&self, state: &State<N, C>, player: Player, out: &mut [f32]) {
        let legal = [0, 1].map(|side| self.legal(&state.board, side));
        attributes::write(state.mover, player, out, |who| {
            let (own, foe) = (legal[who.index()], legal[who.opponent().index()]);
            let atari = state.board.last[who.index()];
            vec![own.len() as f32, atari.len() as f32, (own & !foe).len() as f32]
        });
    }
}

struct Playout<'a, L, const N: usize, const C: usize> {
    rules: &'a Stones<L, N, C>,
    state: &'a mut State<N, C>,
    rng: &'a mut Rng,
    limit: u32,
}

impl<L: Capture, const N: usize, const C: usize> Job for Playout<'_, L, N, C> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Select>(self) -> u32 {
        let Playout { rules, state, rng, limit } = self;
        let mut plies = 0;
        while !state.over && plies < limit {
            let legal = rules.legal(&state.board, state.mover.index());
            let count = legal.count::<S>();
            if count == 0 {
                break;
            }
            let cell = legal.select::<S>(rng.below(count));
            // The patterns are left behind: after a playout nobody asks for codes.
            state.over = rules.place(&mut state.board, state.mover, cell);
            state.mover = state.mover.opponent();
            plies += 1;
        }
        // At the limit nobody has looked yet whether there is a next ply.
        state.over |= rules.legal(&state.board, state.mover.index()).is_empty();
        plies
    }
}
