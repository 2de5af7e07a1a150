//! What happens in games, counted ply by ply: the same for random games, searched ones and recorded ones.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use ludex_arena::stats::Tally;
use ludex_game::geometry::{ContainerKind, SiteId};
use ludex_game::{Detail, Game, Move, MoveKind, Player, SetOf, State, Turn, View};
use rustc_hash::{FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};

use crate::figure::Moments;

/// How much of a game is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Turns, numbers of legal moves and the result.
    Counts,
    /// Also the board and repetitions, which cost more.
    Board,
}

/// The plies of which the branching is kept one by one.
const PLIES_KEPT: usize = 400;

/// Everything counted over some games. Two of these added up are what one would have counted over both.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Counted {
    /// How many games.
    pub games: u64,
    /// Each seat's share of the point.
    pub seats: Vec<Tally>,
    /// Sums of products of two seats' shares, for the interval of their difference.
    products: Vec<Vec<f64>>,
    /// Games in which somebody won and somebody did not.
    pub won: Tally,
    /// Games that ended with all alike.
    pub draws: Tally,
    /// Games that were still going on at the limit.
    pub unfinished: Tally,
    /// Games by how they ended: who won, and by what kind of move.
    pub ends: BTreeMap<String, u64>,
    /// Plies of a game, chance included.
    pub plies: Moments,
    /// Games by their plies.
    pub lengths: BTreeMap<u32, u64>,
    /// Mean number of legal moves of whoever had to choose, game by game.
    pub branching: Moments,
    /// The same where there was more than one.
    pub choice: Moments,
    /// Share of turns with more than one legal move, game by game.
    pub decisions: Tally,
    /// Legal moves by ply.
    pub by_ply: Vec<Moments>,
    /// Share of the board's sites that ever held a piece, game by game.
    pub coverage: Tally,
    /// Share of positions that had been there before in the game, game by game.
    pub repetition: Tally,
    /// How often a move ended on a site.
    pub visited: Vec<u64>,
    /// How often a move that ended there captured.
    pub captured: Vec<u64>,
    /// Positions in which a site held something.
    pub occupied: Vec<u64>,
    /// Positions in which a kind of piece stood on the board or beside it.
    pub kinds: Vec<u64>,
    /// Plies after which a kind of piece stood elsewhere than before, or was more or fewer.
    pub stirred: Vec<u64>,
    /// Positions looked at with the board.
    pub positions: u64,
    /// Turns at which somebody chose.
    pub turns: u64,
    /// First moves, by their text.
    pub first_moves: BTreeMap<String, u64>,
}

/// First moves beyond so many different ones are not told apart, so that memory stays bounded.
const FIRST_MOVES_KEPT: usize = 2_000;

impl Counted {
    /// Takes in what was counted elsewhere.
    pub fn join(&mut self, other: &Counted) {
        self.games += other.games;
        join_all(&mut self.seats, &other.seats, Tally::join);
        join_all(&mut self.products, &other.products, |ours, theirs| {
            join_all(ours, theirs, |a, b| *a += b);
        });
        for (ours, theirs) in [
            (&mut self.won, &other.won),
            (&mut self.draws, &other.draws),
            (&mut self.unfinished, &other.unfinished),
            (&mut self.decisions, &other.decisions),
            (&mut self.coverage, &other.coverage),
            (&mut self.repetition, &other.repetition),
        ] {
            ours.join(theirs);
        }
        self.plies.join(&other.plies);
        self.branching.join(&other.branching);
        self.choice.join(&other.choice);
        join_all(&mut self.by_ply, &other.by_ply, Moments::join);
        for (ours, theirs) in [
            (&mut self.visited, &other.visited),
            (&mut self.captured, &other.captured),
            (&mut self.occupied, &other.occupied),
            (&mut self.kinds, &other.kinds),
            (&mut self.stirred, &other.stirred),
        ] {
            join_all(ours, theirs, |a, b| *a += b);
        }
        other.ends.iter().for_each(|(end, n)| *self.ends.entry(end.clone()).or_default() += n);
        other.lengths.iter().for_each(|(&end, n)| *self.lengths.entry(end).or_default() += n);
        other.first_moves.iter().for_each(|(text, &n)| self.first_move(text, n));
        self.positions += other.positions;
        self.turns += other.turns;
    }

    fn first_move(&mut self, text: &str, times: u64) {
        if let Some(known) = self.first_moves.get_mut(text) {
            *known += times;
        } else if self.first_moves.len() < FIRST_MOVES_KEPT {
            self.first_moves.insert(text.to_string(), times);
        }
    }

    /// How many games were looked at with the board.
    pub fn looked(&self) -> u64 {
        self.repetition.matches
    }

    /// One less the largest difference between two seats' mean shares, with half the width of its interval.
    pub fn balance(&self) -> Option<(f64, f64)> {
        let means: Vec<f64> = self.seats.iter().map(Tally::mean).collect::<Option<_>>()?;
        if means.len() < 2 || self.games < 2 {
            return None;
        }
        let by_mean = |a: &usize, b: &usize| means[*a].total_cmp(&means[*b]);
        let best = (0..means.len()).max_by(by_mean)?;
        let worst = (0..means.len()).min_by(by_mean)?;
        let gap = means[best] - means[worst];
        let n = self.games as f64;
        let square = |a: usize, b: usize| self.products[a][b] / n;
        let squares = square(best, best) + square(worst, worst) - 2.0 * square(best, worst);
        let variance = (squares - gap * gap).max(1.0 / n);
        Some((1.0 - gap, 1.96 * (variance / n).sqrt()))
    }

    /// The length that a share of games does not exceed.
    pub fn length_at(&self, share: f64) -> Option<u32> {
        let wanted = share * self.games as f64;
        let mut so_far = 0.0;
        self.lengths
            .iter()
            .find(|(_, games)| {
                so_far += **games as f64;
                so_far >= wanted
            })
            .map(|(&plies, _)| plies)
    }
}

fn join_all<T: Clone + Default>(ours: &mut Vec<T>, theirs: &[T], mut join: impl FnMut(&mut T, &T)) {
    if ours.len() < theirs.len() {
        ours.resize_with(theirs.len(), T::default);
    }
    ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| join(ours, theirs));
}

/// Looks at games as they are played. Its memory is used again for every game.
pub struct Observer<'g> {
    game: &'g dyn Game,
    attention: Attention,
    /// Whether a site belongs to the board proper.
    board: Vec<bool>,
    counted: Counted,
    view: View,
    moves: Vec<Move>,
    seen: FxHashSet<u64>,
    covered: Vec<bool>,
    /// The sets of all kinds in the position before.
    before: Vec<u64>,
    repeated: u64,
    looked: u64,
    plies: u32,
    turns: u64,
    decisions: u64,
    legal: u64,
    legal_of_decisions: u64,
    last: Option<MoveKind>,
    /// Who chose last at this ply.
    chooser: Option<Player>,
    /// Whether anybody has chosen in this game.
    opened: bool,
}

impl<'g> Observer<'g> {
    /// Ready for the first game.
    pub fn new(game: &'g dyn Game) -> Self {
        let geometry = game.geometry();
        let board: Vec<bool> = geometry.map_or(Vec::new(), |geometry| {
            let own = geometry.sites.first().map(|site| site.element);
            let on_board = |site: &ludex_game::geometry::Site| {
                let container = geometry.containers.get(site.container as usize);
                container.is_some_and(|container| container.kind == ContainerKind::Board)
                    && Some(site.element) == own
            };
            geometry.sites.iter().map(on_board).collect()
        });
        Observer {
            game,
            attention: Attention::Counts,
            covered: vec![false; board.len()],
            before: Vec::new(),
            board,
            counted: Counted::default(),
            view: View::new(),
            moves: Vec::new(),
            seen: FxHashSet::default(),
            repeated: 0,
            looked: 0,
            plies: 0,
            turns: 0,
            decisions: 0,
            legal: 0,
            legal_of_decisions: 0,
            last: None,
            chooser: None,
            opened: false,
        }
    }

    /// A game begins.
    pub fn begin(&mut self, attention: Attention) {
        self.attention = attention;
        self.seen.clear();
        self.covered.fill(false);
        self.before.clear();
        (self.repeated, self.looked, self.plies) = (0, 0, 0);
        (self.turns, self.decisions, self.legal, self.legal_of_decisions) = (0, 0, 0, 0);
        (self.last, self.chooser, self.opened) = (None, None, false);
    }

    /// The legal moves of a player whose turn it is, counted.
    pub fn legal(&mut self, state: &State, player: Player) -> &[Move] {
        self.moves.clear();
        self.game.moves(state, player, &mut self.moves);
        self.chooser = Some(player);
        self.counted_legal(self.moves.len() as u64);
        &self.moves
    }

    fn counted_legal(&mut self, legal: u64) {
        self.turns += 1;
        self.legal += legal;
        if legal > 1 {
            self.decisions += 1;
            self.legal_of_decisions += legal;
        }
        let ply = self.plies as usize;
        if ply < PLIES_KEPT {
            if self.counted.by_ply.len() <= ply {
                self.counted.by_ply.resize_with(ply + 1, Moments::default);
            }
            self.counted.by_ply[ply].add(legal as f64);
        }
    }

    /// A joint move is about to be played.
    pub fn ply(&mut self, state: &State, joint: &[Move]) {
        if let (Some(player), Some(&mv)) = (self.chooser.take(), joint.last()) {
            self.last = Some(self.game.ends(state, Some(player), mv).kind);
        }
        if self.attention == Attention::Board {
            self.look(state);
            if let Turn::Players(players) = self.game.turn(state) {
                // Dice may be thrown before anybody chooses.
                let first = !std::mem::replace(&mut self.opened, true);
                for (player, &mv) in players.into_iter().zip(joint) {
                    let ends = self.game.ends(state, Some(player), mv);
                    self.visit(ends.to, ends.kind);
                    if first {
                        let text = self.game.move_text(state, Some(player), mv);
                        self.counted.first_move(&text, 1);
                    }
                }
            }
        }
        self.plies += 1;
    }

    fn visit(&mut self, to: Option<SiteId>, kind: MoveKind) {
        let Some(to) = to.map(|to| to as usize) else { return };
        let counts = &mut self.counted;
        for list in [&mut counts.visited, &mut counts.captured] {
            if list.len() <= to {
                list.resize(to + 1, 0);
            }
        }
        counts.visited[to] += 1;
        counts.captured[to] += u64::from(kind == MoveKind::Capture);
    }

    fn look(&mut self, state: &State) {
        self.looked += 1;
        self.counted.positions += 1;
        if self.game.geometry().is_some() {
            self.game.view(state, None, Detail::Pieces, &mut self.view);
        }
        let standing = self.standing(state);
        if !self.seen.insert(standing) {
            self.repeated += 1;
        }
        let Some(geometry) = self.game.geometry() else { return };
        let counts = &mut self.counted;
        counts.occupied.resize(geometry.len(), 0);
        counts.kinds.resize(geometry.kinds.len(), 0);
        let empty = self.view.set(SetOf::Empty);
        for site in 0..geometry.len() {
            let full = empty.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 0);
            counts.occupied[site] += u64::from(full);
            self.covered[site] |= full;
        }
        counts.stirred.resize(geometry.kinds.len(), 0);
        let words = geometry.words();
        let known = self.before.len() == words * geometry.kinds.len();
        self.before.resize(words * geometry.kinds.len(), 0);
        for (kind, before) in self.before.chunks_mut(words.max(1)).enumerate() {
            let now = self.view.set(SetOf::Kind(kind as u16));
            counts.kinds[kind] += u64::from(now.iter().any(|&word| word != 0));
            counts.stirred[kind] += u64::from(known && now != before);
            if now.len() == before.len() {
                before.copy_from_slice(now);
            }
        }
    }

    /// What a position is known by: what stands where and whose turn it is, as players see it. Counters of moves make
    /// no position another, though the game's own hash has them where rules ask. Games without a board are known
    /// by that hash.
    fn standing(&self, state: &State) -> u64 {
        let Some(geometry) = self.game.geometry() else { return self.game.hash(state) };
        let mut hasher = FxHasher::default();
        // A hasher of nothing takes nought for nothing: the first player must not look like nobody.
        if let Turn::Players(players) = self.game.turn(state) {
            players.into_iter().for_each(|player| (player.0 + 1).hash(&mut hasher));
        }
        for site in 0..geometry.len() {
            self.view.stack(site as SiteId).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The game ended in this position, or reached the limit of plies there.
    pub fn end(&mut self, state: &State) {
        let mut payoffs = vec![0.0; self.game.info().players];
        self.game.payoffs(state, &mut payoffs);
        let over = matches!(self.game.turn(state), Turn::Over);
        if self.attention == Attention::Board {
            self.look(state);
        }
        self.end_with(&payoffs, if over { Finish::Ended } else { Finish::Limit });
    }

    /// The game ended with these payoffs.
    pub fn end_with(&mut self, payoffs: &[f32], finish: Finish) {
        let counts = &mut self.counted;
        counts.games += 1;
        counts.plies.add(f64::from(self.plies));
        *counts.lengths.entry(self.plies).or_default() += 1;
        let turns = self.turns.max(1) as f64;
        if self.turns > 0 {
            counts.branching.add(self.legal as f64 / turns);
            counts.decisions.add(self.decisions as f64 / turns);
        }
        if self.decisions > 0 {
            counts.choice.add(self.legal_of_decisions as f64 / self.decisions as f64);
        }
        counts.turns += self.turns;
        counts.seat(payoffs);
        let shared = payoffs.windows(2).all(|pair| pair[0] == pair[1]);
        let tied = payoffs.len() > 1 && shared && finish == Finish::Ended;
        let limit = finish == Finish::Limit;
        counts.unfinished.add(f64::from(u8::from(limit)));
        counts.draws.add(f64::from(u8::from(tied)));
        counts.won.add(f64::from(u8::from(!tied && !limit)));
        let end = ending(payoffs, tied, limit, self.last);
        *counts.ends.entry(end).or_default() += 1;
        if self.attention == Attention::Board {
            let sites = self.board.iter().filter(|on| **on).count();
            let covered = self.board.iter().zip(&self.covered).filter(|(on, full)| **on && **full);
            if sites > 0 {
                counts.coverage.add(covered.count() as f64 / sites as f64);
            }
            counts.repetition.add(self.repeated as f64 / self.looked.max(1) as f64);
        }
    }

    /// Hands over what was counted and begins anew.
    pub fn take(&mut self) -> Counted {
        std::mem::take(&mut self.counted)
    }
}

/// Whether a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By its rules.
    Ended,
    /// It was still going on at the limit of plies.
    Limit,
}

impl Counted {
    fn seat(&mut self, payoffs: &[f32]) {
        let seating: Vec<usize> = (0..payoffs.len()).collect();
        let shares = ludex_arena::points(payoffs.len(), &seating, payoffs);
        self.seats.resize_with(shares.len(), Tally::default);
        self.products.resize_with(shares.len(), || vec![0.0; shares.len()]);
        for (a, &share) in shares.iter().enumerate() {
            self.seats[a].add(share);
            for (b, &other) in shares.iter().enumerate() {
                self.products[a][b] += share * other;
            }
        }
    }
}

/// How a game ended, in words.
fn ending(payoffs: &[f32], tied: bool, limit: bool, last: Option<MoveKind>) -> String {
    let by = match last {
        Some(MoveKind::Place) => " by placing",
        Some(MoveKind::Move) => " by moving",
        Some(MoveKind::Capture) => " by capturing",
        Some(MoveKind::Pass) => " after a pass",
        Some(MoveKind::Promote) => " by promoting",
        Some(MoveKind::Vote) => " by a vote",
        Some(MoveKind::Swap | MoveKind::Roll | MoveKind::Other) | None => "",
    };
    let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let winners: Vec<String> = (0..payoffs.len())
        .filter(|&seat| payoffs[seat] == best)
        .map(|seat| Player(seat as u8).to_string())
        .collect();
    match (limit, tied) {
        (true, _) => "unfinished".to_string(),
        (_, true) => format!("draw{by}"),
        _ if payoffs.len() == 1 => format!("{:.0} of 100 points", payoffs[0] * 100.0),
        _ => format!("{} wins{by}", winners.join(" and ")),
    }
}
