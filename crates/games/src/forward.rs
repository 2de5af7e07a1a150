//! Breakthrough and Knightthrough: races in which every piece only goes forward.
//!
//! The first player starts at the bottom and moves up, the second mirrors him. All moves of one kind
//! of step are one shifted set of target cells, so the moves of a position are three or four words
//! that are counted and picked from, never listed unless somebody asks for the list.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

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

/// One way a piece can step.
pub(crate) struct Step {
    right: i32,
    forward: i32,
    captures: bool,
}

/// How the pieces of a race step.
pub(crate) trait Walk: Send + Sync + 'static {
    const STEPS: &'static [Step];
    const SYMBOLS: [char; 2];
    const PIECE: &'static str;
}

/// Breakthrough: straight ahead where it is empty, diagonally to an empty or a hostile cell.
pub(crate) struct Pawns;

impl Walk for Pawns {
    const STEPS: &'static [Step] = &[
        Step { right: -1, forward: 1, captures: true },
        Step { right: 0, forward: 1, captures: false },
        Step { right: 1, forward: 1, captures: true },
    ];
    const SYMBOLS: [char; 2] = ['X', 'O'];
    const PIECE: &'static str = "Pawn";
}

/// Knightthrough: the four forward jumps of a knight.
pub(crate) struct Knights;

impl Walk for Knights {
    const STEPS: &'static [Step] = &[
        Step { right: -2, forward: 1, captures: true },
        Step { right: -1, forward: 2, captures: true },
        Step { right: 1, forward: 2, captures: true },
        Step { right: 2, forward: 1, captures: true },
    ];
    const SYMBOLS: [char; 2] = ['N', 'n'];
    const PIECE: &'static str = "Knight";
}

/// No walk has more kinds of steps.
const MOST_STEPS: usize = 4;

/// Does something for each of a few numbers, written out: what is compiled for size keeps its loops, and with them in memory what else
/// would be in registers.
macro_rules! each_of {
    ($index:ident in $($n:literal)*, $body:block) => {
        $({
            let $index: usize = $n;
            $body
        })*
    };
}

/// More moves than one move of the other can take away: a captured piece's, and those onto the cell where
/// the capturing piece now stands.
const MOST_TAKEN: u32 = 2 * MOST_STEPS as u32;

/// A race by `W` on a board of `N` words.
pub(crate) struct Forward<W, const N: usize> {
    info: GameInfo,
    verdict: Verdict,
    grid: Grid<N>,
    /// The cells a step can start from without leaving the board sideways.
    room: [Bits<N>; MOST_STEPS],
    /// How far the cell's index moves, for each player; the second player's goes down.
    distance: [[u32; MOST_STEPS]; 2],
    /// Where each player wants to get.
    goal: [Bits<N>; 2],
    attributes: Vec<String>,
    geometry: Geometry,
    walk: PhantomData<W>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<const N: usize> {
    pieces: [Bits<N>; 2],
    mover: Player,
    over: bool,
    /// The last move; playouts do not keep it.
    last: Last,
}

impl<W: Walk, const N: usize> Forward<W, N> {
    pub fn new(name: &str, size: Size, verdict: Verdict) -> Self {
        let grid = Grid::new(size);
        let row = size.width() as i32;
        let steps = |index: usize| &W::STEPS[index.min(W::STEPS.len() - 1)];
        let distance = |side: i32| {
            std::array::from_fn(|index| {
                (steps(index).forward * row + side * steps(index).right) as u32
            })
        };
        let goal = [grid.row_cells(size.height() - 1), grid.row_cells(0)];
        let mut geometry = sites::geometry(size, W::PIECE);
        geometry.regions = vec![sites::goal(Player(0), goal[0]), sites::goal(Player(1), goal[1])];
        Forward {
            info: GameInfo {
                board: format!("{size} square"),
                channels: vec!["pieces of P1".into(), "pieces of P2".into()],
                playout: PlayoutKind::CountAndPick,
                playout_reason: "the moves of each kind of step are one shifted set".into(),
                // Every move brings a piece at least one row forward.
                max_plies: 4 * size.cells() as u32,
                ..GameInfo::named(name, 2)
            },
            verdict,
            room: std::array::from_fn(|index| grid.columns_with_room(steps(index).right)),
            distance: [distance(1), distance(-1)],
            goal,
            geometry,
            grid,
            attributes: attributes::names(&["pieces", "mobility", "threats", "progress"]),
            walk: PhantomData,
        }
    }

    /// How many rows each player fills at the start: two, or one where four rows are not there.
    fn starting_rows(&self) -> usize {
        if self.grid.size.height() < 4 { 1 } else { 2 }
    }

    /// The cells that each kind of step can reach.
    #[inline(always)]
    fn targets<const SIDE: usize>(&self, own: Bits<N>, foe: Bits<N>) -> [Bits<N>; MOST_STEPS] {
        let free = self.grid.all & !own;
        let mut targets = [Bits::EMPTY; MOST_STEPS];
        each_of!(index in 0 1 2 3, {
            if index < W::STEPS.len() {
                let start = own & self.room[index];
                let reached = ahead::<SIDE, N>(start, self.distance[SIDE][index]);
                let captures = W::STEPS[index].captures;
                targets[index] = reached & if captures { free } else { free & !foe };
            }
        });
        targets
    }

    #[inline(always)]
    fn targets_of(&self, state: &State<N>, player: Player) -> [Bits<N>; MOST_STEPS] {
        let (own, foe) = (state.pieces[player.index()], state.pieces[player.opponent().index()]);
        match player.0 {
            0 => self.targets::<0>(own, foe),
            _ => self.targets::<1>(own, foe),
        }
    }

    /// Whether a player has no move, with or without pieces.
    #[inline(always)]
    fn is_stuck(&self, state: &State<N>, player: Player) -> bool {
        self.targets_of(state, player).iter().all(|set| set.is_empty())
    }

    /// Draws one of the moves. `None` without any.
    #[inline(always)]
    fn draw<S: Select>(
        &self,
        targets: &[Bits<N>; MOST_STEPS],
        side: usize,
        rng: &mut Rng,
    ) -> Option<Drawn<N>> {
        let mut count = [0; MOST_STEPS];
        each_of!(index in 0 1 2 3, { count[index] = targets[index].count::<S>() });
        let total = count[0] + count[1] + count[2] + count[3];
        if total == 0 {
            return None;
        }
        let drawn = rng.below(total);
        let (mut set, mut distance) = (targets[0], self.distance[side][0]);
        let (mut before, mut first) = (0, 0);
        // Which kind it is cannot be predicted, so nothing here may become a jump.
        each_of!(index in 1 2 3, {
            if index < W::STEPS.len() {
                before += count[index - 1];
                let past = drawn >= before;
                for (word, other) in set.0.iter_mut().zip(targets[index].0) {
                    *word = select_unpredictable(past, other, *word);
                }
                distance = select_unpredictable(past, self.distance[side][index], distance);
                first = select_unpredictable(past, before, first);
            }
        });
        Some(Drawn { distance, to: set.nth::<S>(drawn - first) })
    }

    /// Plays one random move; says whether the game goes on, was won by it, or had no move.
    #[inline(always)]
    fn random_ply<S: Select, const SIDE: usize, const DECIDES: bool>(
        &self,
        own: &mut Bits<N>,
        foe: &mut Bits<N>,
        rng: &mut Rng,
    ) -> Ply {
        let targets = self.targets::<SIDE>(*own, *foe);
        let decides = DECIDES && self.verdict == Verdict::Normal;
        let winning = if decides { self.winning::<SIDE>(&targets, *own, *foe) } else { None };
        let Some(Drawn { distance, to }) = winning.or_else(|| self.draw::<S>(&targets, SIDE, rng))
        else {
            return Ply::Stuck;
        };
        *own ^= to | behind::<SIDE, N>(to, distance);
        *foe &= !to;
        if (to & self.goal[SIDE]).is_empty() { Ply::GoesOn } else { Ply::Wins }
    }

    /// A move to the far side, or one that leaves the other without a move, if there is one.
    #[inline(always)]
    fn winning<const SIDE: usize>(
        &self,
        targets: &[Bits<N>; MOST_STEPS],
        own: Bits<N>,
        foe: Bits<N>,
    ) -> Option<Drawn<N>> {
        let mut found = None;
        each_of!(index in 0 1 2 3, {
            let reached = targets[index] & self.goal[SIDE];
            if !reached.is_empty() {
                let to = Bits::one(reached.lowest());
                found = Some(Drawn { distance: self.distance[SIDE][index], to });
            }
        });
        let moves: u32 = self.targets_of_other::<SIDE>(own, foe).iter().map(|set| set.len()).sum();
        if found.is_some() || moves > MOST_TAKEN {
            return found;
        }
        self.stifling::<SIDE>(targets, own, foe)
    }

    /// A move that leaves the other without one.
    #[cold]
    fn stifling<const SIDE: usize>(
        &self,
        targets: &[Bits<N>; MOST_STEPS],
        own: Bits<N>,
        foe: Bits<N>,
    ) -> Option<Drawn<N>> {
        let all = targets.iter().zip(self.distance[SIDE]);
        let mut all = all.flat_map(|(set, distance)| {
            set.iter().map(move |to| Drawn { distance, to: Bits::one(to) })
        });
        all.find(|&Drawn { distance, to }| {
            let own = own ^ (to | behind::<SIDE, N>(to, distance));
            self.targets_of_other::<SIDE>(own, foe & !to).iter().all(|set| set.is_empty())
        })
    }

    /// The cells that the other player's steps can reach.
    #[inline(always)]
    fn targets_of_other<const SIDE: usize>(
        &self,
        own: Bits<N>,
        foe: Bits<N>,
    ) -> [Bits<N>; MOST_STEPS] {
        match SIDE {
            0 => self.targets::<1>(foe, own),
            _ => self.targets::<0>(foe, own),
        }
    }

    #[inline]
    fn split(mv: Move) -> (usize, usize) {
        let steps = W::STEPS.len() as u64;
        ((mv.0 / steps) as usize, (mv.0 % steps) as usize)
    }

    /// One set of starting cells for each kind of step.
    #[inline]
    fn plain_code(mv: u64) -> u32 {
        let (from, step) = Self::split(Move(mv));
        (step * 64 * N + from) as u32
    }

    #[inline]
    fn target(&self, player: Player, from: usize, step: usize) -> usize {
        let distance = self.distance[player.index()][step] as usize;
        if player == Player::FIRST { from + distance } else { from - distance }
    }

    /// Calls `found(move, captures)` for every move.
    #[inline(always)]
    fn each_move(&self, state: &State<N>, player: Player, mut found: impl FnMut(u64, bool)) {
        let foe = state.pieces[player.opponent().index()];
        let targets = self.targets_of(state, player);
        for (step, kind) in W::STEPS.iter().enumerate() {
            let distance = self.distance[player.index()][step] as usize;
            let from = |to| if player == Player::FIRST { to - distance } else { to + distance };
            let code = |to| (from(to) * W::STEPS.len() + step) as u64;
            (targets[step] & !foe).iter().for_each(|to| found(code(to), false));
            if kind.captures {
                (targets[step] & foe).iter().for_each(|to| found(code(to), true));
            }
        }
    }

    /// Rows between a player's foremost piece and his own edge.
    fn progress(&self, pieces: Bits<N>, player: Player) -> usize {
        let height = self.grid.size.height();
        let rows = pieces.iter().map(|cell| cell / self.grid.size.width());
        let advanced = rows.map(|row| if player == Player::FIRST { row } else { height - 1 - row });
        advanced.max().unwrap_or(0)
    }
}

/// A move drawn at random.
struct Drawn<const N: usize> {
    distance: u32,
    to: Bits<N>,
}

enum Ply {
    GoesOn,
    Wins,
    Stuck,
}

#[inline(always)]
fn ahead<const SIDE: usize, const N: usize>(set: Bits<N>, distance: u32) -> Bits<N> {
    if SIDE == 0 { set.up(distance) } else { set.down(distance) }
}

#[inline(always)]
fn behind<const SIDE: usize, const N: usize>(set: Bits<N>, distance: u32) -> Bits<N> {
    if SIDE == 0 { set.down(distance) } else { set.up(distance) }
}

impl<W: Walk, const N: usize> Rules for Forward<W, N> {
    type State = State<N>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> State<N> {
        let rows = |rows: std::ops::Range<usize>| {
            rows.fold(Bits::EMPTY, |set, row| set | self.grid.row_cells(row))
        };
        let (height, filled) = (self.grid.size.height(), self.starting_rows());
        let pieces = [rows(0..filled), rows(height - filled..height)];
        let last = Last::placed(self.grid.size.cells() - 1);
        State { pieces, mover: Player::FIRST, over: false, last }
    }

    #[inline]
    fn turn(&self, state: &State<N>) -> Turn {
        if state.over { Turn::Over } else { Turn::of(state.mover) }
    }

    fn moves(&self, state: &State<N>, player: Player, out: &mut Vec<Move>) {
        self.each_move(state, player, |mv, _| out.push(Move(mv)));
    }

    #[inline]
    fn apply(&self, state: &mut State<N>, joint: &[Move]) {
        let (player, foe) = (state.mover, state.mover.opponent());
        let (from, step) = Self::split(joint[0]);
        let end = self.target(player, from, step);
        let to = Bits::one(end);
        state.last = Last::moved(from, end, !(state.pieces[foe.index()] & to).is_empty());
        state.pieces[player.index()] ^= to | Bits::one(from);
        state.pieces[foe.index()] &= !to;
        state.mover = foe;
        let through = !(to & self.goal[player.index()]).is_empty();
        state.over = through || self.is_stuck(state, foe);
    }

    #[inline]
    fn payoffs(&self, state: &State<N>, out: &mut [f32]) {
        verdict(self.verdict, state.mover, out);
    }

    #[inline]
    fn hash(&self, state: &State<N>) -> u64 {
        hash(state.mover, state.pieces.into_iter().flat_map(|set| set.0))
    }

    fn move_text(&self, state: &State<N>, player: Option<Player>, mv: Move) -> String {
        let (from, step) = Self::split(mv);
        let to = self.target(player.unwrap_or(state.mover), from, step);
        format!("{}-{}", self.grid.size.name(from), self.grid.size.name(to))
    }

    fn show(&self, state: &State<N>, _: Option<Player>) -> String {
        self.grid.size.picture(|cell| match state.pieces.map(|set| set.contains(cell)) {
            [true, _] => W::SYMBOLS[0],
            [_, true] => W::SYMBOLS[1],
            _ => '.',
        })
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(&self.geometry)
    }

    fn view(&self, state: &State<N>, _: Option<Player>, detail: Detail, out: &mut View) {
        sites::view(&self.geometry, state.pieces, detail, out);
    }

    #[inline]
    fn owned<'s>(&self, state: &'s State<N>, player: Player) -> Option<&'s [u64]> {
        state.pieces.get(player.index()).map(|set| &set.0[..])
    }

    fn ends(&self, state: &State<N>, player: Option<Player>, mv: Move) -> Ends {
        let player = player.unwrap_or(state.mover);
        let (from, step) = Self::split(mv);
        let to = self.target(player, from, step);
        let takes = state.pieces[player.opponent().index()].contains(to);
        Last::moved(from, to, takes).ends().unwrap_or_default()
    }

    fn last_move(&self, state: &State<N>) -> Option<Ends> {
        state.last.ends()
    }

    fn code_count(&self, _: Player, coding: Coding) -> u32 {
        let steps = W::STEPS.len();
        match coding {
            Coding::Plain => (64 * N * steps) as u32,
            Coding::Features => (2 * 64 * N * steps) as u32,
        }
    }

    #[inline]
    fn code(&self, state: &State<N>, player: Player, mv: Move, coding: Coding) -> u32 {
        if coding == Coding::Plain {
            return Self::plain_code(mv.0);
        }
        let (from, step) = Self::split(mv);
        let to = self.target(player, from, step);
        let captures = state.pieces[player.opponent().index()].contains(to);
        let kind = if captures { W::STEPS.len() + step } else { step };
        (kind * 64 * N + from) as u32
    }

    fn code_ends(&self, player: Player, code: u32) -> Option<Ends> {
        let (step, from) = (code as usize / (64 * N), code as usize % (64 * N));
        let distance = *self.distance[player.index()].get(step)? as usize;
        let to = match player {
            Player::FIRST => from + distance,
            _ => from.checked_sub(distance)?,
        };
        let cells = self.grid.size.cells();
        let on_board = from < cells && to < cells;
        on_board.then(|| Ends::between(from as SiteId, to as SiteId, MoveKind::Other))
    }

    #[inline]
    fn families(&self, state: &State<N>, player: Player, coding: Coding, out: &mut Families) {
        let foe = state.pieces[player.opponent().index()];
        let targets = self.targets_of(state, player);
        for (step, kind) in W::STEPS.iter().enumerate() {
            let distance = self.distance[player.index()][step];
            let starts = |ends: Bits<N>| match player.0 {
                0 => behind::<0, N>(ends, distance),
                _ => behind::<1, N>(ends, distance),
            };
            let first = |kind: usize| (64 * N * kind) as u32;
            match coding {
                Coding::Plain => out.push_set(first(step), step as u32, starts(targets[step])),
                Coding::Features => {
                    let quiet = starts(targets[step] & !foe);
                    out.push_set(first(step), step as u32, quiet);
                    if kind.captures {
                        let captures = starts(targets[step] & foe);
                        out.push_set(first(W::STEPS.len() + step), step as u32, captures);
                    }
                }
            }
        }
    }

    #[inline]
    fn member(&self, _: &State<N>, _: Player, families: &Families, place: Place) -> Move {
        let word = families.word(place);
        let from = (word.first + place.bit) % (64 * N) as u32;
        Move(u64::from(from) * W::STEPS.len() as u64 + u64::from(word.tag))
    }

    /// Only a move to the far side or one that leaves the other without a move ends the game. Where the
    /// other has more moves than one of ours can take from him, the far side is all there is to look at.
    fn wins(
        &self,
        state: &State<N>,
        player: Player,
        families: &Families,
        out: &mut Families,
    ) -> bool {
        let foe_moves: u32 =
            self.targets_of(state, player.opponent()).iter().map(|set| set.len()).sum();
        if foe_moves <= MOST_TAKEN {
            return false;
        }
        out.clear();
        for &word in families.words() {
            let distance = self.distance[player.index()][word.tag as usize];
            let near = match player.0 {
                0 => behind::<0, N>(self.goal[0], distance),
                _ => behind::<1, N>(self.goal[1], distance),
            };
            let goal = near.0[(word.first as usize / 64) % N];
            let wins = if self.verdict == Verdict::Normal { word.bits & goal } else { 0 };
            out.push(word.first, word.tag, wins);
        }
        true
    }

    #[inline]
    fn play(&self, state: &mut State<N>, player: Player, families: &Families, place: Place) {
        let word = families.word(place);
        let from = Bits::one(((word.first + place.bit) % (64 * N) as u32) as usize);
        let distance = self.distance[player.index()][word.tag as usize];
        let to = match player.0 {
            0 => ahead::<0, N>(from, distance),
            _ => ahead::<1, N>(from, distance),
        };
        state.pieces[player.index()] ^= to | from;
        state.pieces[player.opponent().index()] &= !to;
        state.mover = player.opponent();
        // Whether the other has a move is found out when it is looked for.
        state.over = !(to & self.goal[player.index()]).is_empty();
    }

    #[inline]
    fn stuck(&self, state: &mut State<N>, _: Player) -> Option<u32> {
        state.over = true;
        None
    }

    #[inline]
    fn end_playout(&self, state: &mut State<N>) {
        state.over |= self.is_stuck(state, state.mover);
    }

    fn playout_uniform(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        limit: u32,
        _: &mut Vec<Move>,
    ) -> u32 {
        if state.over {
            0
        } else {
            dispatch(Playout::<_, N, false> { rules: self, state, rng, limit })
        }
    }

    fn playout_decisive(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        limit: u32,
        _: &mut Vec<Move>,
    ) -> Option<u32> {
        let playout = Playout::<_, N, true> { rules: self, state, rng, limit };
        Some(if playout.state.over { 0 } else { dispatch(playout) })
    }

    fn attributes(&self) -> &[String] {
        &self.attributes
    }

    fn attribute_values(&self, state: &State<N>, player: Player, out: &mut [f32]) {
        attributes::write(state.mover, player, out, |who| {
            let (own, foe) = (state.pieces[who.index()], state.pieces[who.opponent().index()]);
            let targets = self.targets_of(state, who);
            let count = |of: Bits<N>| targets.iter().map(|&set| (set & of).len()).sum::<u32>();
            let progress = self.progress(own, who) as f32;
            vec![own.len() as f32, count(self.grid.all) as f32, count(foe) as f32, progress]
        });
    }
}

/// A playout of uniformly random moves; where it `DECIDES`, of moves that win at once where there are any.
struct Playout<'a, W, const N: usize, const DECIDES: bool> {
    rules: &'a Forward<W, N>,
    state: &'a mut State<N>,
    rng: &'a mut Rng,
    limit: u32,
}

impl<W: Walk, const N: usize, const DECIDES: bool> Job for Playout<'_, W, N, DECIDES> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Select>(self) -> u32 {
        let Playout { rules, state, rng, limit } = self;
        // A copy of the generator lives in registers.
        let mut local = rng.clone();
        let [mut first, mut second] = state.pieces;
        let (mut plies, mut mover) = (0, state.mover);
        let ended = loop {
            if plies >= limit {
                break None;
            }
            let ply = match mover {
                Player::FIRST => {
                    rules.random_ply::<S, 0, DECIDES>(&mut first, &mut second, &mut local)
                }
                _ => rules.random_ply::<S, 1, DECIDES>(&mut second, &mut first, &mut local),
            };
            match ply {
                Ply::GoesOn => {}
                Ply::Wins => break Some((plies + 1, mover.opponent())),
                Ply::Stuck => break Some((plies, mover)),
            }
            plies += 1;
            mover = mover.opponent();
        };
        *rng = local;
        state.pieces = [first, second];
        (plies, state.mover) = ended.unwrap_or((plies, mover));
        // At the limit nobody has looked yet whether there is a next ply.
        state.over = ended.is_some() || rules.is_stuck(state, mover);
        plies
    }
}
