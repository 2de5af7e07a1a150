//! What a game is like, as far as games played at random show: who plays it, how wide and long it is, what its moves do,
//! and by what it ends. Nothing here knows any game; the same game always gives the same survey.

use std::collections::BTreeSet;

use ludex_game::geometry::SiteId;
use ludex_game::{
    Detail, Families, Game, Geometry, Move, MoveKind, Player, PlayerSet, Rng, SetOf, State, Turn,
    View,
};

use crate::evaluation::{Grouping, Lines, base_name};

/// By what a game mostly ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Goal {
    /// So many in a row.
    Line(usize),
    /// A piece comes to one of a few sites.
    Reach,
    /// A player's pieces come together in one group.
    Group,
    /// A player has no piece left of some kind.
    Extinct,
    /// Whoever has the higher score wins.
    Score,
    /// Anything else: a connection, a blockade, agreement.
    #[default]
    Other,
}

impl Goal {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Goal::Line(_) => "line",
            Goal::Reach => "reach",
            Goal::Group => "group",
            Goal::Extinct => "extinct",
            Goal::Score => "score",
            Goal::Other => "other",
        }
    }
}

/// What most moves are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Action {
    /// Pieces come to the board and stay.
    Place,
    /// Pieces go from site to site.
    Move,
    /// Pieces of nobody lie in heaps and are sown.
    Sow,
    /// Neither alone, or something else.
    #[default]
    Other,
}

impl Action {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Action::Place => "place",
            Action::Move => "move",
            Action::Sow => "sow",
            Action::Other => "other",
        }
    }
}

/// What a game is like.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// How many play.
    pub players: usize,
    /// Whether parts of positions are hidden.
    pub hidden: bool,
    /// Whether chance decides something.
    pub chance: bool,
    /// Whether several players move at once.
    pub together: bool,
    /// Whether there is a board to judge positions by.
    pub board: bool,
    /// How many moves a player has, in the mean.
    pub branching: f64,
    /// How many plies a game lasts, in the mean; too few where games had to be broken off.
    pub plies: f64,
    /// The share of games that came to an end.
    pub finished: f64,
    /// The share of those that somebody won alone.
    pub decisive: f64,
    /// The share of moves that capture.
    pub captures: f64,
    /// The share of moves after which somebody else's pieces are the mover's.
    pub turned: f64,
    /// What most moves are.
    pub action: Action,
    /// By what it mostly ends.
    pub goal: Goal,
    /// For each player, the sites that winning moves ended on, where the goal is to come to them.
    pub goals: Vec<Vec<SiteId>>,
    /// For each kind of piece, how many moves such a piece has, in the mean.
    pub mobility: Vec<f64>,
    /// How much higher the winner's score is in the end, in the mean.
    pub lead: f64,
}

/// Games that are looked at, and plies of all of them together.
const GAMES: u64 = 40;
const PLIES: usize = 4000;
/// Every so many plies all legal moves are looked at.
const BETWEEN: usize = 4;

impl Survey {
    /// Looks at a game.
    pub fn of(game: &dyn Game) -> Survey {
        Survey::while_wanted(game, &|| true).unwrap_or_default()
    }

    /// Looks at a game as long as that is wanted, which is asked at every ply: those of some games take a hundredth of a second.
    pub fn while_wanted(game: &dyn Game, wanted: &dyn Fn() -> bool) -> Option<Survey> {
        let info = game.info();
        let mut look = Look::new(game);
        for number in 0..GAMES {
            if look.plies >= PLIES {
                break;
            }
            look.game(Rng::stream(77, number), wanted)?;
        }
        let Look { plies, games, ended, won, moves, decisions, captures, placed, moved, .. } = look;
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        let known = captures + placed + moved;
        let action = match () {
            () if look.heaps() => Action::Sow,
            () if share(placed, known) > 0.9 && share(known, look.chosen) > 0.9 => Action::Place,
            () if share(moved + captures, look.chosen) > 0.6 => Action::Move,
            () => Action::Other,
        };
        let (goal, goals) = look.goal();
        Some(Survey {
            players: info.players,
            hidden: info.hidden,
            chance: look.chance,
            together: look.together,
            board: game.geometry().is_some_and(|geometry| !geometry.kinds.is_empty()),
            branching: share(moves, decisions),
            plies: share(plies, games),
            finished: share(ended, games),
            decisive: share(won, ended),
            captures: share(captures, look.chosen),
            turned: share(look.turned, decisions),
            action,
            goal,
            goals,
            mobility: look.mobility(),
            lead: look.lead / won.max(1) as f64,
        })
    }

    /// In a few words, for people.
    pub fn words(&self) -> String {
        let goal = match self.goal {
            Goal::Line(length) => format!("{length} in a row"),
            Goal::Reach => "pieces that come to a goal".to_string(),
            Goal::Group => "pieces that come together".to_string(),
            Goal::Extinct => "the loss of all pieces of a kind".to_string(),
            Goal::Score => "score".to_string(),
            Goal::Other => "something else than lines, goals, groups, losses or score".to_string(),
        };
        let mut words = format!(
            "{} players, {:.0} moves to choose from, {:.0} plies, {:.0}% captures, decided by {goal}",
            self.players,
            self.branching,
            self.plies,
            100.0 * self.captures
        );
        for (is, word) in [
            (self.chance, "chance"),
            (self.hidden, "hidden parts"),
            (self.together, "moves at the same time"),
        ] {
            if is {
                words.push_str(", ");
                words.push_str(word);
            }
        }
        words
    }
}

/// What is counted while games are looked at.
struct Look<'g> {
    game: &'g dyn Game,
    geometry: Option<&'g Geometry>,
    lines: Vec<Lines>,
    view: View,
    before: View,
    start: View,
    families: Families,
    legal: Vec<Move>,
    chance: bool,
    together: bool,
    plies: usize,
    games: usize,
    ended: usize,
    won: usize,
    moves: usize,
    decisions: usize,
    chosen: usize,
    captures: usize,
    placed: usize,
    moved: usize,
    /// Moves looked at that made others' pieces the mover's.
    turned: usize,
    /// Won games that ended with a new line, by length.
    lined: [usize; Lines::LONGEST + 1],
    /// Won games after which the losers had no piece left of some kind.
    extinct: usize,
    /// Won games whose winner had the highest score.
    scored: usize,
    lead: f64,
    /// Won games with whose last move the winner's pieces came together in one group.
    grouped: usize,
    groups: Grouping,
    /// Sites on which winning moves of each player ended.
    reached: Vec<Vec<SiteId>>,
    /// How many moves of each player ended on each site, whether they won or not.
    arrivals: Vec<Vec<usize>>,
    /// Moves and pieces seen of each kind.
    by_kind: Vec<(usize, usize)>,
}

impl<'g> Look<'g> {
    fn new(game: &'g dyn Game) -> Self {
        let geometry = game.geometry().filter(|geometry| !geometry.kinds.is_empty());
        let lengths = 3..=Lines::LONGEST;
        let lines = geometry.map(|geometry| lengths.map(|n| Lines::new(geometry, n)).collect());
        let mut start = View::new();
        if geometry.is_some() {
            game.view(&game.start(), None, Detail::Sets, &mut start);
        }
        Look {
            game,
            geometry,
            lines: lines.unwrap_or_default(),
            view: View::new(),
            before: View::new(),
            start,
            families: Families::default(),
            legal: Vec::new(),
            chance: false,
            together: false,
            plies: 0,
            games: 0,
            ended: 0,
            won: 0,
            moves: 0,
            decisions: 0,
            chosen: 0,
            captures: 0,
            placed: 0,
            moved: 0,
            turned: 0,
            lined: Default::default(),
            extinct: 0,
            scored: 0,
            lead: 0.0,
            grouped: 0,
            groups: Grouping::default(),
            reached: vec![Vec::new(); game.info().players],
            arrivals: vec![vec![0; geometry.map_or(0, Geometry::len)]; game.info().players],
            by_kind: vec![(0, 0); geometry.map_or(0, |geometry| geometry.kinds.len())],
        }
    }

    /// Plays a game, unless nobody wants to know any more.
    fn game(&mut self, mut rng: Rng, wanted: &dyn Fn() -> bool) -> Option<()> {
        const LONGEST: usize = 400;
        let game = self.game;
        let (mut state, mut last) = (game.start(), game.start());
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        let mut mover = None;
        self.games += 1;
        for _ in 0..LONGEST.min(game.info().max_plies as usize) {
            if !wanted() {
                return None;
            }
            let count = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    self.chance = true;
                    joint[0] = game.sample_chance(&state, &mut rng);
                    1
                }
                Turn::Players(players) => {
                    mover = players.first();
                    self.together |= players.len() > 1;
                    for (slot, player) in joint.iter_mut().zip(players) {
                        *slot = game.random_move(&state, player, &mut rng, &mut self.families);
                    }
                    if self.plies.is_multiple_of(BETWEEN) {
                        self.decision(&state, players);
                    }
                    players.len()
                }
            };
            last.copy_from(&state);
            game.apply(&mut state, &joint[..count]);
            if self.plies.is_multiple_of(BETWEEN) {
                self.turned += usize::from(self.turns_pieces(&last, &state));
            }
            self.plies += 1;
            if let (Some(mover), Some(ends)) = (mover, game.last_move(&state))
                && let Some(times) =
                    ends.to.and_then(|to| self.arrivals[mover.index()].get_mut(to as usize))
            {
                *times += 1;
            }
        }
        if game.turn(&state) == Turn::Over {
            self.end(&state, &last, mover);
        }
        Some(())
    }

    /// Looks at what a player may do, of those who are to move the first.
    fn decision(&mut self, state: &State, players: PlayerSet) {
        let Some(player) = players.first() else { return };
        self.legal.clear();
        self.game.moves(state, player, &mut self.legal);
        self.moves += self.legal.len();
        self.decisions += 1;
        let Some(geometry) = self.geometry else { return };
        self.game.view(state, None, Detail::Sets, &mut self.view);
        let kind_at = |view: &View, site: SiteId| {
            (0..geometry.kinds.len()).find(|&kind| view.has(SetOf::Kind(kind as u16), site))
        };
        for kind in 0..geometry.kinds.len() {
            let owned = self.view.set(SetOf::Owned(player));
            let of_kind = self.view.set(SetOf::Kind(kind as u16));
            let pieces = owned.iter().zip(of_kind).map(|(a, b)| (a & b).count_ones());
            self.by_kind[kind].1 += pieces.sum::<u32>() as usize;
        }
        for &mv in &self.legal {
            let ends = self.game.ends(state, Some(player), mv);
            self.chosen += 1;
            match ends.kind {
                MoveKind::Capture => self.captures += 1,
                MoveKind::Place => self.placed += 1,
                MoveKind::Move | MoveKind::Promote => self.moved += 1,
                _ => {}
            }
            if let Some(kind) = ends.from.and_then(|from| kind_at(&self.view, from)) {
                self.by_kind[kind].0 += 1;
            }
        }
    }

    /// Whether a move made pieces of another the mover's where they stand.
    fn turns_pieces(&mut self, before: &State, after: &State) -> bool {
        let (Some(_), Some(mover)) = (self.geometry, self.game.turn(before).mover()) else {
            return false;
        };
        self.game.view(before, None, Detail::Sets, &mut self.before);
        self.game.view(after, None, Detail::Sets, &mut self.view);
        let own = self.view.set(SetOf::Owned(mover));
        let others =
            (0..self.game.info().players as u8).map(Player).filter(|&other| other != mover);
        let to = self.game.last_move(after).and_then(|ends| ends.to);
        others.into_iter().any(|other| {
            let theirs = self.before.set(SetOf::Owned(other));
            let mut both = own.iter().zip(theirs).enumerate().map(|(word, (own, theirs))| {
                let arrived =
                    to.filter(|&to| to as usize / 64 == word).map_or(0, |to| 1 << (to % 64));
                own & theirs & !arrived
            });
            both.any(|sites| sites != 0)
        })
    }

    /// Looks at how a game ended.
    fn end(&mut self, state: &State, last: &State, mover: Option<Player>) {
        self.ended += 1;
        let mut payoffs = [0.0; PlayerSet::CAPACITY];
        let payoffs = &mut payoffs[..self.game.info().players];
        self.game.payoffs(state, payoffs);
        let Some(winner) = payoffs.iter().position(|&payoff| payoff >= 1.0) else { return };
        if payoffs.len() < 2 {
            return;
        }
        self.won += 1;
        let winner = Player(winner as u8);
        let Some(geometry) = self.geometry else { return };
        self.game.view(state, None, Detail::Sets, &mut self.view);
        self.game.view(last, None, Detail::Sets, &mut self.before);
        let has_line = |view: &View, lines: &Lines, player: Player| {
            lines.all().any(|line| line.iter().all(|&site| view.has(SetOf::Owned(player), site)))
        };
        for lines in &self.lines {
            let new = has_line(&self.view, lines, winner);
            let anybody = (0..payoffs.len() as u8)
                .any(|player| has_line(&self.before, lines, Player(player)));
            self.lined[lines.length] += usize::from(new && !anybody);
        }
        let together = |groups: &mut Grouping, view: &View| groups.is_one(geometry, view, winner);
        let apart = !together(&mut self.groups, &self.before);
        self.grouped += usize::from(apart && together(&mut self.groups, &self.view));
        let names: BTreeSet<&str> =
            geometry.kinds.iter().map(|kind| base_name(&kind.name)).collect();
        let has = |view: &View, player: Player, name: &str| {
            let kinds =
                (0..).zip(&geometry.kinds).filter(|(_, kind)| base_name(&kind.name) == name);
            kinds.into_iter().any(|(number, _)| {
                let owned = view.set(SetOf::Owned(player)).iter();
                owned.zip(view.set(SetOf::Kind(number))).any(|(a, b)| a & b != 0)
            })
        };
        let losers = (0..payoffs.len() as u8).map(Player).filter(|player| *player != winner);
        let gone = losers.into_iter().any(|loser| {
            names.iter().any(|name| has(&self.start, loser, name) && !has(&self.view, loser, name))
        });
        self.extinct += usize::from(gone);
        let score = |player: usize| self.view.scores.get(player).copied();
        if let Some(own) = score(winner.index()) {
            let others = (0..payoffs.len()).filter(|&player| player != winner.index());
            let best = others.filter_map(score).max().unwrap_or(0);
            self.scored += usize::from(own > best);
            self.lead += f64::from(own - best);
        }
        if mover == Some(winner)
            && let Some(to) = self.game.last_move(state).and_then(|ends| ends.to)
        {
            self.reached[winner.index()].push(to);
        }
    }

    fn goal(&self) -> (Goal, Vec<Vec<SiteId>>) {
        const MOST: f64 = 0.7;
        const ENOUGH: usize = 5;
        let won = self.won as f64;
        let mostly = |count: usize| count >= ENOUGH && count as f64 >= MOST * won;
        if let Some(length) = (3..=Lines::LONGEST).rev().find(|&n| mostly(self.lined[n])) {
            return (Goal::Line(length), Vec::new());
        }
        if mostly(self.scored) {
            return (Goal::Score, Vec::new());
        }
        let sites = self.geometry.map_or(0, Geometry::len);
        let distinct: Vec<Vec<SiteId>> = self
            .reached
            .iter()
            .map(|sites| sites.iter().copied().collect::<BTreeSet<_>>().into_iter().collect())
            .collect();
        let few = distinct.iter().all(|to| !to.is_empty() && 5 * to.len() <= sites);
        let moves = self.moved + self.captures > self.placed;
        let wins: usize = self.reached.iter().map(Vec::len).sum();
        if mostly(wins) && few && moves && self.wins_by_arriving(&distinct, wins) {
            return (Goal::Reach, distinct);
        }
        if mostly(self.grouped) {
            return (Goal::Group, Vec::new());
        }
        if mostly(self.extinct) {
            return (Goal::Extinct, Vec::new());
        }
        (Goal::Other, Vec::new())
    }

    /// Whether whoever comes to these sites wins, as far as games show: mostly at once, or so often that it is no accident
    /// where winning moves ended.
    fn wins_by_arriving(&self, sites: &[Vec<SiteId>], wins: usize) -> bool {
        const AT_ONCE: usize = 2;
        const NO_ACCIDENT: usize = 4;
        let came = |(player, sites): (usize, &Vec<SiteId>)| -> usize {
            sites.iter().map(|&site| self.arrivals[player][site as usize]).sum()
        };
        let arrivals: usize = sites.iter().enumerate().map(came).sum();
        let count: usize = sites.iter().map(Vec::len).sum();
        arrivals <= AT_ONCE * wins || wins >= NO_ACCIDENT * count
    }

    /// Whether pieces of nobody lie in heaps at the start.
    fn heaps(&mut self) -> bool {
        let Some(geometry) = self.geometry else { return false };
        self.game.view(&self.game.start(), None, Detail::Pieces, &mut self.view);
        let heap = |site: &SiteId| {
            let count: u32 = self.view.stack(*site).iter().map(|piece| piece.count).sum();
            count > 1 && self.view.has(SetOf::Neutral, *site)
        };
        2 * (0..geometry.len() as SiteId).filter(heap).count() > geometry.len() / 2
    }

    fn mobility(&self) -> Vec<f64> {
        self.by_kind.iter().map(|&(moves, pieces)| moves as f64 / pieces.max(1) as f64).collect()
    }
}
