//! Which moves are looked at first: those that were best before, captures, those that refuted elsewhere.

use std::collections::HashMap;

use ludex_game::geometry::SiteId;
use ludex_game::{Detail, Game, Move, MoveKind, Player, Rng, SetOf, State, Turn, View, mix};

/// A legal move, and how early it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub mv: Move,
    pub rank: i32,
}

const HISTORY: usize = 1 << 14;
const LOUD: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
const MOST: i32 = 1 << 24;

/// What is remembered of moves, wherever they were made.
pub struct Order {
    /// How much each move refuted, by a hash of move and player.
    history: Vec<i32>,
    /// For each ply the last two quiet moves that refuted.
    killers: Vec<[Move; 2]>,
    course: Course,
    targets: Targets,
}

/// What a few games at random show of a game's captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Whether there are any at all; where there are none nobody asks.
    pub captures: bool,
    /// Whether whoever can capture must.
    pub forced: bool,
    /// Whether a capture is known by an opponent's piece on the site where a move ends, and a move, by whoever makes
    /// it, ends on the same site wherever it is made.
    by_target: bool,
}

impl Course {
    /// Looks at a few games.
    pub fn of(game: &dyn Game) -> Course {
        const GAMES: u64 = 4;
        const PLIES: usize = 80;
        if game.geometry().is_none() {
            return Course::default();
        }
        let (mut legal, mut view, mut targets) = (Vec::new(), View::new(), HashMap::new());
        let (mut some, mut all, mut by_target) = (0, 0, game.info().players == 2);
        for number in 0..GAMES {
            let (mut rng, mut state) = (Rng::seeded(number), game.start());
            for _ in 0..PLIES {
                let mv = match game.turn(&state) {
                    Turn::Chance => game.sample_chance(&state, &mut rng),
                    turn => {
                        let Some(player) = turn.mover() else { break };
                        legal.clear();
                        game.moves(&state, player, &mut legal);
                        game.view(&state, None, Detail::Sets, &mut view);
                        let mut captures = 0;
                        for &mv in &legal {
                            let ends = game.ends(&state, Some(player), mv);
                            let captured = ends.kind == MoveKind::Capture;
                            captures += usize::from(captured);
                            let taken = |to| view.has(SetOf::Owned(player.opponent()), to);
                            by_target = by_target
                                && (!captured || ends.to.is_some_and(taken))
                                && *targets.entry((player, mv)).or_insert(ends.to) == ends.to;
                        }
                        some += usize::from(captures > 0);
                        all += usize::from(captures == legal.len());
                        legal[rng.below(legal.len() as u32) as usize]
                    }
                };
                game.apply(&mut state, &[mv]);
            }
        }
        Course { captures: some > 0, forced: 2 * all > some, by_target }
    }
}

/// Where moves end, as far as it was asked: a place for each of many moves, which others may take.
struct Targets {
    slots: Vec<(Move, SiteId)>,
    view: View,
}

impl Targets {
    const COUNT: usize = 1 << 12;
    const NOWHERE: SiteId = SiteId::MAX;

    fn new() -> Self {
        Targets { slots: vec![(Move(u64::MAX), Self::NOWHERE); Self::COUNT], view: View::new() }
    }

    /// Whether a move ends on an opponent's piece.
    fn takes(&mut self, game: &dyn Game, state: &State, player: Player, mv: Move) -> bool {
        let slot = &mut self.slots[Order::place(player, mv) & (Self::COUNT - 1)];
        let named = Move(mv.0 ^ u64::from(player.0) << 63);
        if slot.0 != named {
            let to = game.ends(state, Some(player), mv).to;
            *slot = (named, to.unwrap_or(Self::NOWHERE));
        }
        slot.1 != Self::NOWHERE && self.view.has(SetOf::Owned(player.opponent()), slot.1)
    }
}

impl Order {
    pub fn new(course: Course) -> Self {
        Order { history: vec![0; HISTORY], killers: Vec::new(), course, targets: Targets::new() }
    }

    /// What is known of the game's captures.
    pub fn course(&self) -> Course {
        self.course
    }

    /// Fades what was learned, before a new search.
    pub fn begin(&mut self) {
        self.history.iter_mut().for_each(|score| *score /= 4);
        self.killers.clear();
    }

    fn place(player: Player, mv: Move) -> usize {
        mix(mv.0 ^ u64::from(player.0) << 60) as usize & (HISTORY - 1)
    }

    /// Looks at a position whose moves [`Order::is_loud`] is asked about.
    fn look(&mut self, game: &dyn Game, state: &State) {
        if self.course.captures && self.course.by_target {
            game.view(state, None, Detail::Sets, &mut self.targets.view);
        }
    }

    /// Whether a move changes what stands on the board so much that judging before the answer is rash.
    fn is_loud(&mut self, game: &dyn Game, state: &State, player: Player, mv: Move) -> bool {
        match self.course {
            Course { captures: false, .. } => false,
            Course { by_target: true, .. } => self.targets.takes(game, state, player, mv),
            _ => {
                let kind = game.ends(state, Some(player), mv).kind;
                matches!(kind, MoveKind::Capture | MoveKind::Promote)
            }
        }
    }

    /// Ranks moves, and sorts them by their ranks.
    pub fn sort(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        ply: usize,
        moves: &mut [Ranked],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        self.look(game, state);
        for ranked in moves.iter_mut() {
            let history = self.history[Self::place(player, ranked.mv)];
            ranked.rank = if self.is_loud(game, state, player, ranked.mv) {
                LOUD + history
            } else if killers.contains(&ranked.mv) {
                KILLER + history
            } else {
                history
            };
        }
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    }

    /// Leaves loud moves only, those that refuted most first.
    pub fn loud_only(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        moves: &mut Vec<Ranked>,
    ) {
        self.look(game, state);
        moves.retain(|ranked| self.is_loud(game, state, player, ranked.mv));
        for ranked in moves.iter_mut() {
            ranked.rank = LOUD + self.history[Self::place(player, ranked.mv)];
        }
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    }

    /// Whether a move may be looked at less deeply than those before it.
    pub fn is_quiet(ranked: &Ranked) -> bool {
        ranked.rank < KILLER
    }

    /// Learns that a move refuted.
    pub fn refuted(&mut self, player: Player, ranked: &Ranked, ply: usize, depth: i32) {
        let score = &mut self.history[Self::place(player, ranked.mv)];
        *score = (*score + depth * depth).min(MOST);
        if ranked.rank >= LOUD {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [Move(u64::MAX); 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != ranked.mv {
            *killers = [ranked.mv, killers[0]];
        }
    }
}
