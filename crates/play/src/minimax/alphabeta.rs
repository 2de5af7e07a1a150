//! One thread's alpha-beta: iterative deepening, principal variation search, a table of positions, captures
//! followed to quiet positions, forced replies looked through.

use std::sync::Arc;

use ludex_game::{Game, Move, Player, PlayerSet, Rng, State, Turn, mix};

use super::order::{Course, Order, Ranked};
use super::score::{self, PROVED, SURE, WIN};
use super::table::{Bound, Entry, Table};
use super::{AlphaBetaSettings, Many, move_report};
use crate::evaluation::{Evaluation, final_value};
use crate::search::{Budget, Meter, Report, Stop, Watch};

/// No score is beyond this.
const LIMIT: i32 = WIN + 1;
/// No line is longer than this.
const DEEPEST: usize = 200;
/// The larger, the less is spared of late moves.
const SPARING: f32 = 3.0;
/// How many outcomes of chance stand for all where they cannot be listed.
const DRAWS: usize = 12;

/// Memory for one ply.
struct Frame {
    state: State,
    moves: Vec<Ranked>,
    legal: Vec<Move>,
    outcomes: Vec<(Move, f64)>,
}

/// One thread's search.
pub(super) struct Searcher {
    pub(super) settings: AlphaBetaSettings,
    pub(super) evaluation: Box<dyn Evaluation>,
    table: Arc<Table>,
    order: Order,
    frames: Vec<Frame>,
    /// Makes equal judgements differ a little, differently in each match.
    salt: u64,
    rng: Rng,
    pub(super) me: Player,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    age: u8,
    stops: [Stop; 2],
}

impl Searcher {
    pub fn new(
        game: &dyn Game,
        settings: AlphaBetaSettings,
        evaluation: Box<dyn Evaluation>,
        table: Arc<Table>,
        salt: u64,
        rng: Rng,
    ) -> Self {
        Searcher {
            settings,
            evaluation,
            table,
            order: Order::new(Course::of(game)),
            frames: Vec::new(),
            salt,
            rng,
            me: Player::FIRST,
            nodes: 0,
            stopped: false,
            age: 0,
            stops: Default::default(),
        }
    }

    /// Looks deeper and deeper until the budget is spent or the result is proved. Threads with other numbers look
    /// at other depths, so that the table they share grows for all.
    #[allow(clippy::too_many_arguments)]
    pub fn think(
        &mut self,
        game: &dyn Game,
        root: &State,
        player: Player,
        budget: Budget,
        age: u8,
        thread: usize,
        stops: [Stop; 2],
        watch: Option<&Watch>,
    ) -> Report {
        (self.me, self.nodes, self.stopped, self.age) = (player, 0, false, age);
        self.stops = stops.clone();
        self.order.begin();
        let mut meter = budget.running().share(0, 1, &stops[0]);
        let mut legal = Vec::new();
        game.moves(root, player, &mut legal);
        self.shuffle(&mut legal);
        let mut report = Report {
            best: legal[0],
            moves: legal.iter().map(|&mv| move_report(mv, 0, 0)).collect(),
            ..Report::default()
        };
        if legal.len() == 1 {
            return report;
        }
        if self.settings.many == Many::MaxN && game.info().players > 2 {
            return self.think_maxn(game, root, report, &mut meter);
        }
        for depth in 1 + thread as u64 % 2..=self.settings.depth {
            if !self.deepen(game, root, depth as i32, &mut report, &mut meter) {
                break;
            }
            report.depth = depth as u32;
            report.solved = score::is_proved(self.score_of(&report));
            report.simulations = self.nodes;
            if let Some(watch) = watch {
                watch.tell(&report);
            }
            if report.solved {
                break;
            }
        }
        report.simulations = self.nodes;
        report.line = self.line(game, root, &report);
        report
    }

    fn score_of(&self, report: &Report) -> i32 {
        report.moves.first().map_or(0, |best| match (best.proved, best.mean > 0.5) {
            (true, true) => WIN,
            (true, false) => -WIN,
            _ => 0,
        })
    }

    fn shuffle(&mut self, moves: &mut [Move]) {
        for at in (1..moves.len()).rev() {
            moves.swap(at, self.rng.below(at as u32 + 1) as usize);
        }
    }

    /// Searches all moves of the root to a depth and sorts them; whether it came to the end. What was found
    /// before time ran out counts as soon as the best move so far was looked at.
    fn deepen(
        &mut self,
        game: &dyn Game,
        root: &State,
        depth: i32,
        report: &mut Report,
        meter: &mut Meter,
    ) -> bool {
        let Turn::Players(players) = game.turn(root) else { return false };
        let (mut alpha, mut found) = (-LIMIT, Vec::with_capacity(report.moves.len()));
        for (at, mv) in report.moves.clone().into_iter().enumerate() {
            let before = self.nodes;
            let mut probe = |searcher: &mut Self, low: i32, high: i32| {
                let mut joint = [Move::default(); PlayerSet::CAPACITY];
                searcher.root_move(
                    game,
                    root,
                    players,
                    mv.mv,
                    &mut joint,
                    depth,
                    (low, high),
                    meter,
                )
            };
            let mut value = match at {
                0 => probe(self, -LIMIT, LIMIT),
                _ => probe(self, alpha, alpha + 1),
            };
            if at > 0 && value > alpha && !self.stopped {
                value = probe(self, alpha, LIMIT);
            }
            if self.stopped {
                break;
            }
            // A move that failed low is worth at most the best; those after it keep their order.
            let better = value > alpha || at == 0;
            let shown = if better { value } else { value.min(alpha) };
            found.push((better, move_report(mv.mv, mv.visits + self.nodes - before, shown)));
            alpha = alpha.max(value);
            if alpha > PROVED {
                break;
            }
        }
        let through = !self.stopped;
        if !found.is_empty() {
            // The last move that was better than all before it is the best.
            let best = found.iter().rposition(|(better, _)| *better).unwrap_or(0);
            let (_, first) = found.remove(best);
            let mut moves = vec![first];
            moves.extend(found.into_iter().map(|(_, mv)| mv));
            let rest = report.moves.iter().filter(|old| moves.iter().all(|new| new.mv != old.mv));
            let rest: Vec<_> = rest.copied().collect();
            moves.extend(rest);
            report.best = moves[0].mv;
            report.moves = moves;
        }
        through
    }

    #[allow(clippy::too_many_arguments)]
    fn root_move(
        &mut self,
        game: &dyn Game,
        root: &State,
        players: PlayerSet,
        mv: Move,
        joint: &mut [Move; PlayerSet::CAPACITY],
        depth: i32,
        window: (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        self.reach(root, 0);
        self.frame(root, 0).state.copy_from(root);
        let own = players.into_iter().position(|player| player == self.me).unwrap_or(0);
        joint[own] = mv;
        self.answer_together(game, 0, players, 0, joint, depth - 1, window, meter)
    }

    /// Makes memory for a ply.
    fn reach(&mut self, like: &State, ply: usize) {
        while self.frames.len() <= ply + 1 {
            self.frames.push(Frame {
                state: like.clone(),
                moves: Vec::new(),
                legal: Vec::new(),
                outcomes: Vec::new(),
            });
        }
    }

    fn frame(&mut self, like: &State, ply: usize) -> &mut Frame {
        self.reach(like, ply);
        &mut self.frames[ply]
    }

    /// Plays a joint move of the position at a ply, and leaves what follows at the next.
    pub(super) fn apply(&mut self, game: &dyn Game, ply: usize, joint: &[Move], meter: &mut Meter) {
        if self.frames.len() <= ply + 1 {
            let like = self.frames[ply].state.clone();
            self.reach(&like, ply + 1);
        }
        let (before, after) = self.frames.split_at_mut(ply + 1);
        after[0].state.copy_from(&before[ply].state);
        game.apply(&mut after[0].state, joint);
        self.nodes += 1;
        self.stopped |= self.stops[1].is_raised() || meter.is_over(self.nodes);
    }

    /// The score of the position at a ply, as far as the window asks.
    fn search(
        &mut self,
        game: &dyn Game,
        ply: usize,
        depth: i32,
        window: (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        if self.stopped {
            return 0;
        }
        let state = &self.frames[ply].state;
        match game.turn(state) {
            Turn::Over => score::ended(final_value(game, state, self.me).unwrap_or(0.0), ply),
            _ if ply >= DEEPEST => self.judge(game, ply),
            Turn::Chance => self.chance(game, ply, depth, meter),
            Turn::Players(players) => match (players.len(), players.first()) {
                (1, Some(player)) if depth <= 0 => {
                    let left = self.settings.quiet as i32;
                    self.settle(game, ply, player, left, window, meter)
                }
                (1, Some(player)) => self.decide(game, ply, player, depth, window, meter),
                _ if depth <= 0 => self.judge(game, ply),
                _ => self.together(game, ply, players, depth, window, meter),
            },
        }
    }

    /// The judgement of the position at a ply, with a little noise that tells equal ones apart.
    fn judge(&mut self, game: &dyn Game, ply: usize) -> i32 {
        let state = &self.frames[ply].state;
        let noise = (mix(game.hash(state) ^ self.salt) >> 61) as i32 - 4;
        score::judged(self.evaluation.value(game, state, self.me)) + noise
    }

    fn decide(
        &mut self,
        game: &dyn Game,
        ply: usize,
        player: Player,
        depth: i32,
        window: (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        let key = game.hash(&self.frames[ply].state) ^ mix(u64::from(self.me.0) + 1);
        let known = self.table.get(key);
        if let Some(entry) = known
            && let Some(score) = usable(&entry, ply, depth, window)
        {
            return score;
        }
        let mut moves = self.list(game, ply, player);
        // One move is no decision: what follows is looked at as deeply as it would be without it.
        let depth = if moves.len() == 1 { depth + 1 } else { depth };
        let mut first = known.map(|entry| entry.mv);
        if first.is_none() && depth >= 4 {
            self.decide(game, ply, player, depth - 2, window, meter);
            first = self.table.get(key).map(|entry| entry.mv);
        }
        // What is known to be good is tried before anything is found out about the others.
        let known = first.and_then(|mv| moves.iter().position(|ranked| ranked.mv == mv));
        match known {
            Some(at) => moves.swap(0, at),
            None => self.sort(game, player, ply, &mut moves),
        }
        let side = if player == self.me { 1 } else { -1 };
        let (mut alpha, beta) = turned(window, side);
        let asked = alpha;
        let (mut best, mut best_move) = (-LIMIT, moves[0].mv);
        for at in 0..moves.len() {
            if at == 1 && known.is_some() {
                self.sort(game, player, ply, &mut moves[1..]);
            }
            let ranked = &moves[at];
            self.apply(game, ply, &[ranked.mv], meter);
            let value = if at == 0 {
                side * self.search(game, ply + 1, depth - 1, turned((alpha, beta), side), meter)
            } else {
                self.verify(game, ply, depth, at, ranked, side, (alpha, beta), meter)
            };
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_move) = (value, ranked.mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.order.refuted(player, ranked, ply, depth);
                break;
            }
        }
        self.frames[ply].moves = moves;
        if self.stopped {
            return 0;
        }
        let bound = match (best >= beta, best > asked) {
            (true, _) => Bound::Lower,
            (false, true) => Bound::Exact,
            (false, false) => Bound::Upper,
        };
        let bound = if side < 0 { reversed(bound) } else { bound };
        let score = score::from_root(side * best, ply);
        let entry = Entry { mv: best_move, score, depth: depth as i16, bound };
        self.table.put(key, self.age, entry);
        side * best
    }

    fn sort(&mut self, game: &dyn Game, player: Player, ply: usize, moves: &mut [Ranked]) {
        self.order.sort(game, &self.frames[ply].state, player, ply, moves);
    }

    /// Whether a later move is better than the best so far; looked at exactly only if it seems to be.
    #[allow(clippy::too_many_arguments)]
    fn verify(
        &mut self,
        game: &dyn Game,
        ply: usize,
        depth: i32,
        at: usize,
        ranked: &Ranked,
        side: i32,
        (alpha, beta): (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        let late = !self.settings.full && depth >= 3 && at >= 4 && Order::is_quiet(ranked);
        let less = if late { spared(depth, at) } else { 0 };
        let narrow = turned((alpha, alpha + 1), side);
        let mut value = side * self.search(game, ply + 1, depth - 1 - less, narrow, meter);
        if less > 0 && value > alpha && !self.stopped {
            self.frames_again(game, ply, ranked.mv);
            value = side * self.search(game, ply + 1, depth - 1, narrow, meter);
        }
        if value > alpha && value < beta && !self.stopped {
            self.frames_again(game, ply, ranked.mv);
            value =
                side * self.search(game, ply + 1, depth - 1, turned((alpha, beta), side), meter);
        }
        value
    }

    /// Puts the position after a move back where it was.
    fn frames_again(&mut self, game: &dyn Game, ply: usize, mv: Move) {
        let (before, after) = self.frames.split_at_mut(ply + 1);
        after[0].state.copy_from(&before[ply].state);
        game.apply(&mut after[0].state, &[mv]);
    }

    /// The legal moves of the position at a ply, in memory that is given back after.
    fn list(&mut self, game: &dyn Game, ply: usize, player: Player) -> Vec<Ranked> {
        let frame = &mut self.frames[ply];
        frame.legal.clear();
        game.moves(&frame.state, player, &mut frame.legal);
        let mut moves = std::mem::take(&mut frame.moves);
        moves.clear();
        moves.extend(frame.legal.iter().map(|&mv| Ranked { mv, rank: 0 }));
        moves
    }

    /// Follows captures until the position is quiet.
    fn settle(
        &mut self,
        game: &dyn Game,
        ply: usize,
        player: Player,
        left: i32,
        window: (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        let side = if player == self.me { 1 } else { -1 };
        let stand = side * self.judge(game, ply);
        let (mut alpha, beta) = turned(window, side);
        let course = self.order.course();
        if left <= 0 || !course.captures || (!course.forced && stand >= beta) {
            return side * stand;
        }
        let mut moves = self.list(game, ply, player);
        let all = moves.len();
        self.order.loud_only(game, &self.frames[ply].state, player, &mut moves);
        // Whoever has nothing but captures cannot stand still.
        let forced = moves.len() == all;
        let mut best = if forced { -LIMIT } else { stand };
        alpha = alpha.max(best);
        for ranked in &moves {
            if alpha >= beta || self.stopped {
                break;
            }
            self.apply(game, ply, &[ranked.mv], meter);
            let window = turned((alpha, beta), side);
            let value = side * self.quiet_after(game, ply + 1, left - 1, window, meter);
            best = best.max(value);
            alpha = alpha.max(value);
        }
        self.frames[ply].moves = moves;
        side * best
    }

    fn quiet_after(
        &mut self,
        game: &dyn Game,
        ply: usize,
        left: i32,
        window: (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        let turn = game.turn(&self.frames[ply].state);
        match turn.mover() {
            Some(player) if ply < DEEPEST => self.settle(game, ply, player, left, window, meter),
            _ => self.search(game, ply, 0, window, meter),
        }
    }

    /// The mean over the outcomes of chance.
    fn chance(&mut self, game: &dyn Game, ply: usize, depth: i32, meter: &mut Meter) -> i32 {
        if depth <= 0 {
            return self.judge(game, ply);
        }
        let mut outcomes = std::mem::take(&mut self.frames[ply].outcomes);
        outcomes.clear();
        let state = &self.frames[ply].state;
        if !game.chance_outcomes(state, &mut outcomes) {
            // The same draws whenever the position is come to, so that searches agree with one another.
            let mut rng = Rng::seeded(game.hash(state));
            let draw = |_| (game.sample_chance(state, &mut rng), 1.0 / DRAWS as f64);
            outcomes.extend((0..DRAWS).map(draw));
        }
        let (mut mean, mut least, mut most) = (0.0, LIMIT, -LIMIT);
        for &(outcome, probability) in &outcomes {
            self.apply(game, ply, &[outcome], meter);
            let value = self.search(game, ply + 1, depth - 1, (-LIMIT, LIMIT), meter);
            (least, most) = (least.min(value), most.max(value));
            mean += probability * f64::from(value.clamp(-SURE, SURE));
        }
        self.frames[ply].outcomes = outcomes;
        match (least, most) {
            (least, _) if least > PROVED => least,
            (_, most) if most < -PROVED => most,
            _ => (mean as i32).clamp(1 - SURE, SURE - 1),
        }
    }

    /// Several players move at once: the one who thinks chooses, and the others answer what he chose.
    fn together(
        &mut self,
        game: &dyn Game,
        ply: usize,
        players: PlayerSet,
        depth: i32,
        (alpha, beta): (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        let Some(own) = players.into_iter().position(|player| player == self.me) else {
            return self.answer_together(
                game,
                ply,
                players,
                0,
                &mut joint,
                depth - 1,
                (alpha, beta),
                meter,
            );
        };
        let mut legal = Vec::new();
        game.moves(&self.frames[ply].state, self.me, &mut legal);
        let (mut alpha, mut best) = (alpha, -LIMIT);
        for mv in legal {
            joint[own] = mv;
            let window = (alpha, beta);
            let value =
                self.answer_together(game, ply, players, 0, &mut joint, depth - 1, window, meter);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        best
    }

    /// The worst that the others can answer, from a seat on, to what is chosen already.
    #[allow(clippy::too_many_arguments)]
    fn answer_together(
        &mut self,
        game: &dyn Game,
        ply: usize,
        players: PlayerSet,
        seat: usize,
        joint: &mut [Move; PlayerSet::CAPACITY],
        depth: i32,
        (alpha, beta): (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        let Some(player) = players.into_iter().nth(seat) else {
            self.apply(game, ply, &joint[..players.len()], meter);
            return self.search(game, ply + 1, depth, (alpha, beta), meter);
        };
        if player == self.me {
            let window = (alpha, beta);
            return self.answer_together(game, ply, players, seat + 1, joint, depth, window, meter);
        }
        let mut legal = Vec::new();
        game.moves(&self.frames[ply].state, player, &mut legal);
        let (mut beta, mut worst) = (beta, LIMIT);
        for mv in legal {
            joint[seat] = mv;
            let window = (alpha, beta);
            let value =
                self.answer_together(game, ply, players, seat + 1, joint, depth, window, meter);
            worst = worst.min(value);
            beta = beta.min(value);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        worst
    }

    /// The line of play that the table has, as far as it goes.
    fn line(&mut self, game: &dyn Game, root: &State, report: &Report) -> Vec<Vec<Move>> {
        let mut state = root.clone();
        let mut line = Vec::new();
        let mut next = Some(report.best);
        while let (Some(mv), Some(player)) = (next, game.turn(&state).mover()) {
            let mut legal = Vec::new();
            game.moves(&state, player, &mut legal);
            if !legal.contains(&mv) || line.len() > report.depth as usize {
                break;
            }
            game.apply(&mut state, &[mv]);
            line.push(vec![mv]);
            let key = game.hash(&state) ^ mix(u64::from(self.me.0) + 1);
            next = self.table.get(key).map(|entry| entry.mv);
        }
        line
    }
}

/// A stored score, where it answers what the window asks: deep enough, or proved.
fn usable(entry: &Entry, ply: usize, depth: i32, (alpha, beta): (i32, i32)) -> Option<i32> {
    let score = score::to_root(entry.score, ply);
    if i32::from(entry.depth) < depth && !score::is_proved(score) {
        return None;
    }
    let answers = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    answers.then_some(score)
}

/// How many plies less deeply a late quiet move is looked at: what refutes it is a short line mostly, and the later it comes and
/// the more there is to look at, the more is spared. Shallow searches spare nothing: a quiet threat would go unseen.
fn spared(depth: i32, at: usize) -> i32 {
    ((depth as f32).ln() * (at as f32).ln() / SPARING) as i32
}

/// A window from the side of the player to move.
fn turned((alpha, beta): (i32, i32), side: i32) -> (i32, i32) {
    if side > 0 { (alpha, beta) } else { (-beta, -alpha) }
}

fn reversed(bound: Bound) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    }
}
