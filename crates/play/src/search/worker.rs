//! One thread's simulations on one tree.

use std::sync::Arc;

use ludex_game::playout::{Record, Recording, Scratch, Style};
use ludex_game::{Families, Game, Move, Player, PlayerSet, Rng, State, Turn, mix};

use super::budget::Meter;
use super::config::{Keys, SearchConfig, Selection, Simultaneous};
use super::cut::Cut;
use super::edge::{Edge, EdgeCell, Outcome};
use super::extend_path;
use super::informed::Knowledge;
use super::near::Near;
use super::prior::Prior;
use super::purse::Purse;
use super::report::Report;
use super::select::{Pick, select};
use super::shared::{Hold, Shared};
use super::solver::Solver;
use super::table::{NodeId, Table};
use crate::evaluation::Evaluation;
use crate::policy::PlayoutPolicy;

pub(super) struct Worker {
    pub(super) config: SearchConfig,
    pub policy: Box<dyn PlayoutPolicy>,
    /// The tree.
    pub(super) shared: Arc<Shared>,
    /// What this thread has of it for itself.
    pub(super) purse: Purse,
    pub(super) near: Near,
    /// Decides in which order untried moves are tried.
    pub(super) order: u64,
    pub(super) rng: Rng,
    pub(super) scratch: Scratch,
    pub(super) state: State,
    /// The decisions of the simulation under way.
    pub(super) path: Vec<Step>,
    /// The edge of the last of them, as it was found.
    pub(super) chosen: Edge,
    /// One bit for each position on the path, by its key: most others are seen not to be there at once.
    met: u64,
    pub(super) moves: Vec<Move>,
    pub(super) codes: Vec<u32>,
    pub(super) available: Vec<Edge>,
    pub(super) payoffs: Vec<f32>,
    /// What every seat got in so many simulations, where somebody looks on.
    pub(super) sums: (Vec<f64>, u64),
    pub(super) knowledge: Knowledge,
    /// What moves are thought to be worth before they are tried.
    pub(super) prior: Option<Prior>,
    pub(super) solver: Solver,
    /// What judges positions, where priors or implicit minimax want it.
    pub(super) evaluation: Option<Box<dyn Evaluation>>,
    /// Where playouts end before the game does.
    pub(super) cut: Option<Cut>,
    /// Whether each simulation draws the hidden part of the state anew.
    hidden: bool,
    /// Whether a node's legal moves can differ from visit to visit.
    moves_vary: bool,
    /// Who thinks; his decision comes first where several players move at once.
    pub(super) thinker: Player,
}

/// A decision of the simulation under way.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub id: NodeId,
    pub index: usize,
    /// Whether the simulation is counted already, as lost: its move is new, and other threads shall try others.
    pub lost: bool,
    /// Whether chance decided something after it.
    pub chance: bool,
}

/// Where a simulation leaves the tree.
pub(super) enum Leaf {
    /// At a position whose node was just added: play out from there.
    Playout,
    /// At the end of the game.
    Over,
    /// Where the result is proved.
    Proved(Outcome),
}

impl Worker {
    pub fn new(
        game: &Arc<dyn Game>,
        config: SearchConfig,
        policy: Box<dyn PlayoutPolicy>,
        mut rng: Rng,
        shared: Arc<Shared>,
    ) -> Self {
        let info = game.info();
        Worker {
            config,
            policy,
            shared,
            purse: Purse::default(),
            near: if config.threads > 1 { Near::new() } else { Near::default() },
            order: rng.next(),
            rng,
            scratch: Scratch::default(),
            state: game.start(),
            path: Vec::new(),
            chosen: Edge::new(Move::default()),
            met: 0,
            moves: Vec::new(),
            codes: Vec::new(),
            available: Vec::new(),
            payoffs: vec![0.0; info.players],
            sums: Default::default(),
            knowledge: Knowledge::default(),
            prior: None,
            solver: Solver::new(&**game, &config),
            evaluation: None,
            cut: None,
            hidden: info.hidden,
            moves_vary: info.hidden || config.keys == Keys::OpenLoop,
            thinker: Player::FIRST,
        }
    }

    /// Starts a new search, which keeps the nodes of the last `keep`.
    pub fn begin(&mut self, keep: u16) {
        self.shared.have().begin(keep);
    }

    pub fn think(
        &mut self,
        game: &dyn Game,
        root: &State,
        root_path: u64,
        player: Player,
        mut meter: Meter,
        look: Option<&dyn Fn(Report)>,
    ) -> Report {
        if !matches!(game.turn(root), Turn::Players(players) if players.contains(player)) {
            return Report::default();
        }
        self.thinker = player;
        if let Some(prior) = &mut self.prior {
            prior.begin();
        }
        self.scratch.recording = self.policy.recording();
        if !self.config.selection.is_plain() {
            self.begin_informed(game);
        }
        self.solver.begin();
        let seats = look.map_or(0, |_| self.payoffs.len());
        self.sums = (vec![0.0; seats], 0);
        let shared = self.shared.clone();
        let mut tree = Hold::begin(&shared, self.config.threads);
        let _present = shared.presence();
        while !self.solver.solved() && !shared.is_broken() && meter.tick() {
            if tree.must_stop(&self.purse) {
                tree = tree.stop(&mut self.purse, &mut self.near);
            }
            if self.hidden {
                self.state = game.determinize(root, player, &mut self.rng);
            } else {
                self.state.copy_from(root);
            }
            let lanes = self.lanes().min(u32::try_from(meter.left()).unwrap_or(u32::MAX));
            meter.add(u64::from(self.simulate(game, &tree, root_path, lanes)) - 1);
            if let Some(look) = look {
                meter.look(|done| {
                    let mut report = self.report(game, &tree, root, root_path, player, done);
                    report.prefers = self.prefers(game, root, player);
                    look(report);
                });
            }
        }
        self.near.leave(&tree);
        tree.hear(&mut self.purse);
        let mut report = self.report(game, &tree, root, root_path, player, meter.done());
        if look.is_some() {
            report.prefers = self.prefers(game, root, player);
        }
        report
    }

    /// What the playout policy would play at the root, by drawing from it: whatever a policy draws by, this is what it
    /// prefers. Nothing where it learns nothing.
    fn prefers(&mut self, game: &dyn Game, root: &State, player: Player) -> Vec<(Move, f32)> {
        const DRAWS: u32 = 300;
        if self.policy.recording() == Recording::Nothing || self.hidden {
            return Vec::new();
        }
        self.moves.clear();
        game.moves(root, player, &mut self.moves);
        let mut counts: Vec<(Move, u32)> = self.moves.iter().map(|&mv| (mv, 0)).collect();
        let (mut families, record) = (Families::default(), Record::default());
        let coding = self.policy.sampling().coding();
        // A generator of its own: whoever looks on changes nothing.
        let mut rng = Rng::seeded(self.order);
        game.families(root, player, coding, &mut families);
        if families.is_empty() {
            return Vec::new();
        }
        for _ in 0..DRAWS {
            let place = self.policy.sampling().draw_once(&record, player, &mut families, &mut rng);
            let drawn = game.member(root, player, &families, place);
            // What proves illegal was not drawn.
            if let Some((_, count)) = counts.iter_mut().find(|(mv, _)| *mv == drawn) {
                *count += 1;
            }
        }
        counts.retain(|(_, count)| *count > 0);
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let all: u32 = counts.iter().map(|(_, count)| count).sum();
        counts.into_iter().map(|(mv, count)| (mv, count as f32 / all as f32)).collect()
    }

    /// Playouts from a new node. What learns from each simulation gets them one by one.
    fn lanes(&self) -> u32 {
        let learns = self.policy.recording() != Recording::Nothing || self.cut.is_some();
        if learns || !self.config.selection.is_plain() { 1 } else { self.config.leaf.max(1) }
    }

    /// Runs a simulation, or as many as there are lanes through the same node; returns how many.
    fn simulate(&mut self, game: &dyn Game, tree: &Table, root_path: u64, lanes: u32) -> u32 {
        self.path.clear();
        self.met = 0;
        self.solver.begin_path();
        self.scratch.record.clear();
        let leaf = self.descend(game, tree, root_path);
        let judged = self.judge_leaf(game, tree, &leaf);
        if lanes > 1 {
            let ran = self.play_out_lanes(game, tree, &leaf, lanes);
            self.count(game, tree, &leaf, ran);
            self.back_up_judged(tree, judged);
            return ran;
        }
        let short = self.cut.is_some() && matches!(leaf, Leaf::Playout);
        if short {
            self.play_short(game);
        } else if let Leaf::Playout = leaf {
            game.playout(
                &mut self.state,
                self.policy.sampling(),
                Style::Optimised,
                &mut self.scratch,
                &mut self.rng,
            );
        }
        if !short {
            self.read_payoffs(game, tree, &leaf);
        }
        if self.policy.recording() != Recording::Nothing {
            self.policy.learn(&self.scratch.record, &self.payoffs);
        }
        self.count(game, tree, &leaf, 1);
        self.back_up_judged(tree, judged);
        if !self.config.selection.is_plain() {
            self.learn_informed(tree);
        }
        1
    }

    /// Counts what so many simulations came to, and proves what follows from it.
    fn count(&mut self, game: &dyn Game, tree: &Table, leaf: &Leaf, ran: u32) {
        self.settle(game, tree, leaf);
        self.back_up(tree, ran);
        if !self.sums.0.is_empty() {
            self.watch(ran);
        }
    }

    /// Sums what every seat got, for whoever looks on: of several that may win, who did.
    fn watch(&mut self, ran: u32) {
        let (sums, counted) = &mut self.sums;
        *counted += u64::from(ran);
        let best = self.payoffs.iter().copied().fold(f32::MIN, f32::max);
        let winners = self.payoffs.iter().filter(|&&payoff| payoff == best).count() as f64;
        let several = self.payoffs.len() > 2;
        for (sum, &payoff) in sums.iter_mut().zip(&self.payoffs) {
            let got = match several {
                true if payoff == best => 1.0 / winners,
                true => 0.0,
                false => f64::from(payoff),
            };
            *sum += got * f64::from(ran);
        }
    }

    /// Counts the payoffs along the way. Whoever has a move proved to be better than what a simulation came to would
    /// play that move, and whoever decides before him hears of that.
    fn back_up(&mut self, tree: &Table, count: u32) {
        for at in (0..self.path.len()).rev() {
            let Step { id, index, lost, .. } = self.path[at];
            let copy = if lost { None } else { self.near.get(id) };
            let payoff = match copy {
                Some(copy) => {
                    let payoff = self.payoffs[copy.player.index()];
                    copy.count(index, payoff, count);
                    payoff
                }
                None => {
                    let payoff = self.payoffs[tree.player(id).index()];
                    tree.change(id, index, count, |edge| match lost {
                        true => {
                            edge.end_loss(payoff);
                            edge.update(payoff, count - 1);
                        }
                        false => edge.update(payoff, count),
                    });
                    payoff
                }
            };
            if let Some(better) = self.proved_better(tree, id, payoff) {
                let better = self.solver.payoffs(tree, better);
                self.payoffs.copy_from_slice(better);
            }
        }
    }

    /// Leaves the payoffs of the game that has ended, or of the result that is proved.
    fn read_payoffs(&mut self, game: &dyn Game, tree: &Table, leaf: &Leaf) {
        match leaf {
            Leaf::Proved(outcome) => {
                self.payoffs.copy_from_slice(self.solver.payoffs(tree, *outcome));
            }
            _ => game.payoffs(&self.state, &mut self.payoffs),
        }
    }

    /// Proves what follows from where a simulation left the tree.
    fn settle(&mut self, game: &dyn Game, tree: &Table, leaf: &Leaf) {
        match leaf {
            Leaf::Playout => {}
            Leaf::Over if !self.solver.is_on() => {}
            Leaf::Over => {
                if let Some(outcome) = self.solver.outcome(tree, &self.payoffs) {
                    self.prove(game, tree, outcome);
                }
            }
            Leaf::Proved(outcome) => self.prove(game, tree, *outcome),
        }
    }

    /// Leaves the mean payoffs of so many playouts, or of a single one where the game has no lanes. The end
    /// of the game counts as often as a position before it.
    fn play_out_lanes(&mut self, game: &dyn Game, tree: &Table, leaf: &Leaf, lanes: u32) -> u32 {
        if !matches!(leaf, Leaf::Playout) {
            self.read_payoffs(game, tree, leaf);
            return lanes;
        }
        self.payoffs.fill(0.0);
        let (sums, rng) = (&mut self.payoffs, &mut self.rng);
        let able = game.playout_batch(&self.state, rng, lanes.into(), &mut |payoffs, _| {
            sums.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff);
        });
        if able {
            self.payoffs.iter_mut().for_each(|sum| *sum /= lanes as f32);
            return lanes;
        }
        let (sampling, scratch) = (self.policy.sampling(), &mut self.scratch);
        game.playout(&mut self.state, sampling, Style::Optimised, scratch, &mut self.rng);
        game.payoffs(&self.state, &mut self.payoffs);
        1
    }

    /// Walks down the tree, plays the moves on `self.state`, and adds one node.
    fn descend(&mut self, game: &dyn Game, tree: &Table, root_path: u64) -> Leaf {
        let mut route = root_path;
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        for _ in 0..game.info().max_plies {
            let mut in_route = self.config.keys != Keys::Position;
            let count = match game.turn(&self.state) {
                Turn::Over => return Leaf::Over,
                Turn::Chance => {
                    self.solver.at_chance(&self.state, route, self.path.len());
                    joint[0] = game.sample_chance(&self.state, &mut self.rng);
                    in_route = self.config.keys == Keys::Path;
                    if let Some(step) = self.path.last_mut() {
                        step.chance = true;
                    }
                    1
                }
                Turn::Players(players) => {
                    let here = self.key(game, &self.state, players, route);
                    match self.decide(game, tree, players, here, &mut joint) {
                        Decided::All => players.len(),
                        Decided::Some => {
                            game.apply(&mut self.state, &joint[..players.len()]);
                            return Leaf::Playout;
                        }
                        Decided::None => return Leaf::Playout,
                        Decided::Proved(outcome) => return Leaf::Proved(outcome),
                    }
                }
            };
            if in_route {
                route = joint[..count].iter().fold(route, |route, &mv| extend_path(route, mv));
            }
            game.apply(&mut self.state, &joint[..count]);
        }
        Leaf::Playout
    }

    /// Chooses a move for every moving player, as far as the tree knows the position.
    fn decide(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        players: PlayerSet,
        here: u64,
        joint: &mut [Move],
    ) -> Decided {
        let mut key = here;
        let mut previous = Move::default();
        let order = seats_from(players, self.thinker);
        for (seat, (slot, player)) in order.clone().enumerate() {
            if seat > 0 {
                key = self.seat_key(here, key, seat, previous);
            }
            let found = tree.find(key).or_else(|| match seat {
                0 => self.add_decision(tree, players, here),
                _ => self.add_node(tree, key, player),
            });
            let chosen = match found {
                Some(id) => {
                    if let Some(outcome) = tree.proof(id) {
                        return Decided::Proved(outcome);
                    }
                    if seat == 0 {
                        // Whoever comes back to where he was would go round for ever: nothing is counted in between.
                        if self.comes_back(id, here) {
                            return Decided::None;
                        }
                        self.scratch.record.begin_ply();
                    }
                    self.choose(game, tree, id, player)
                }
                None if seat == 0 => return Decided::None,
                None => None,
            };
            let Some(mv) = chosen else {
                for (slot, player) in order.skip(seat) {
                    joint[slot] = self.choose_at_random(game, player);
                }
                return Decided::Some;
            };
            (previous, joint[slot]) = (mv, mv);
            if let Some(outcome) = self.chosen.proof() {
                return Decided::Proved(outcome);
            }
        }
        if players.len() > 1 {
            self.solver.at_simultaneous(self.path.len());
        }
        Decided::All
    }

    /// Whether a position is on the path already; if not, it is from now on.
    #[inline]
    fn comes_back(&mut self, id: NodeId, key: u64) -> bool {
        let bit = 1 << (key >> 58);
        let known = self.met & bit != 0 && self.path.iter().any(|step| step.id == id);
        self.met |= bit;
        known
    }

    /// What the decision in a position is found by.
    pub(super) fn key(
        &self,
        game: &dyn Game,
        state: &State,
        players: PlayerSet,
        route: u64,
    ) -> u64 {
        let key = match self.config.keys {
            Keys::Position => game.hash(state),
            Keys::Path => route,
            // The same moves may leave the turn to another, as chance has it.
            Keys::OpenLoop => players
                .into_iter()
                .fold(route, |key, player| mix(key.wrapping_add(u64::from(player.0) + 1))),
        };
        // Of several who move at once the thinker decides first, and pondering thinks for others with the same table.
        match seats_from(players, self.thinker).next() {
            Some((_, first)) if players.len() > 1 => mix(key ^ (u64::from(first.0) + 1)),
            _ => key,
        }
    }

    /// The key of the decision of the `seat`-th moving player.
    pub(super) fn seat_key(
        &self,
        here: u64,
        previous: u64,
        seat: usize,
        previous_move: Move,
    ) -> u64 {
        match self.config.simultaneous {
            Simultaneous::Decoupled => mix(here.wrapping_add(seat as u64)),
            Simultaneous::Sequenced => extend_path(previous, previous_move),
        }
    }

    /// Adds the nodes of a position nobody came to before, unless another thread has just done so: then this is where
    /// the first of them is.
    fn add_decision(&mut self, tree: &Table, players: PlayerSet, here: u64) -> Option<NodeId> {
        let mut there = None;
        for (seat, (_, player)) in seats_from(players, self.thinker).enumerate() {
            if seat == 0 {
                there = self.add_node(tree, here, player);
            } else if self.config.simultaneous == Simultaneous::Decoupled {
                self.add_node(tree, self.seat_key(here, here, seat, Move::default()), player);
            }
        }
        there
    }

    /// Adds a node, if there may be more; where another thread has just added it, this is the one.
    fn add_node(&mut self, tree: &Table, key: u64, player: Player) -> Option<NodeId> {
        // Room for all seats of a position or for none: a position is in the tree whole or not at all.
        if tree.len() + PlayerSet::CAPACITY > self.config.max_nodes {
            return None;
        }
        let (id, new) = tree.insert(key, player, &mut self.purse);
        (!new).then_some(id)
    }

    /// Chooses at a node by the selection strategy, or tries a move for the first time. Nothing where the tree has no
    /// room for that.
    fn choose(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
    ) -> Option<Move> {
        if self.prior.is_some() && !self.moves_vary {
            return self.choose_by_prior(game, tree, id, player);
        }
        let Selection::Ucb1 { c } = self.config.selection else {
            return self.choose_informed(game, tree, id, player);
        };
        if self.moves_vary {
            return self.choose_among_available(game, tree, id, player, c);
        }
        if tree.complete(id) {
            return Some(self.choose_tried(game, tree, id, player, c));
        }
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        let seen = tree.tried(id);
        // Fewer moves than were tried: where what was played before forbids moves, one position has several futures.
        if seen >= self.moves.len() {
            return self.choose_among_available(game, tree, id, player, c);
        }
        tree.set_legal(id, self.moves.len());
        let pick = match self.first_play(tree, id) {
            Some(f32::INFINITY) => Pick::Untried,
            untried => self.select(tree, id, seen, untried, c),
        };
        let mv = match pick {
            Pick::Tried(index) => self.go_on(tree, id, index),
            Pick::Untried => {
                let next = scattered(seen, self.moves.len(), self.order ^ tree.key(id));
                self.try_move(tree, id, self.moves[next], seen)?
            }
        };
        self.record(game, player, mv);
        Some(mv)
    }

    /// Chooses at a node where every move was tried.
    fn choose_tried(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
        c: f32,
    ) -> Move {
        let margin = self.config.tie_margin;
        let records = self.scratch.recording != Recording::Nothing;
        self.moves.clear();
        let copy = match self.config.implicit > 0.0 {
            true => None,
            false => self.near.visit(tree, id),
        };
        let mv = match copy {
            Some(copy) => {
                let pick = select(c, copy.visits, &copy.edges, None, margin, &mut self.rng);
                let index = pick.tried();
                self.chosen = copy.edges[index];
                self.path.push(Step { id, index, lost: false, chance: false });
                if records {
                    self.moves.extend(copy.edges.iter().map(|edge| edge.mv));
                }
                self.chosen.mv
            }
            None => {
                if records {
                    self.moves.extend(tree.edges(id).map(|edge| edge.mv));
                }
                let pick = self.select(tree, id, tree.tried(id), None, c);
                self.go_on(tree, id, pick.tried())
            }
        };
        if records {
            self.record(game, player, mv);
        }
        mv
    }

    fn select(
        &mut self,
        tree: &Table,
        id: NodeId,
        seen: usize,
        untried: Option<f32>,
        c: f32,
    ) -> Pick {
        let (visits, margin) = (tree.visits(id), self.config.tie_margin);
        if self.config.implicit > 0.0 {
            self.show(tree, id);
            return select(c, visits, &self.available, untried, margin, &mut self.rng);
        }
        select(c, visits, &tree.cells(id)[..seen], untried, margin, &mut self.rng)
    }

    /// What a move is worth that was never tried at a node; nothing where none is to be tried yet.
    pub(super) fn first_play(&self, tree: &Table, id: NodeId) -> Option<f32> {
        let SearchConfig { first_play, first_play_of_node, widen, .. } = self.config;
        let tried = tree.tried(id);
        if tried > 0 && widen > 0.0 && tried as f32 >= widen * (tree.visits(id) as f32).sqrt() {
            return None;
        }
        if !first_play_of_node {
            return Some(first_play);
        }
        let (mut sum, mut visits) = (0.0, 0.0);
        for edge in tree.edges(id) {
            sum += edge.mean * edge.visits() as f32;
            visits += edge.visits() as f32;
        }
        let less = if first_play.is_finite() { first_play } else { 0.0 };
        Some(if visits > 0.0 { sum / visits } else { 0.5 } - less)
    }

    /// Goes on by a move that was tried.
    #[inline]
    pub(super) fn go_on(&mut self, tree: &Table, id: NodeId, index: usize) -> Move {
        self.chosen = tree.edge(id, index);
        self.path.push(Step { id, index, lost: false, chance: false });
        self.chosen.mv
    }

    /// Tries a move at a node of which so many were tried when it was chosen. Nothing where there is no room for it.
    pub(super) fn try_move(
        &mut self,
        tree: &Table,
        id: NodeId,
        mv: Move,
        seen: usize,
    ) -> Option<Move> {
        let mut edge = Edge::new(mv);
        let lost = self.config.threads > 1;
        if lost {
            edge.begin_loss();
        }
        let (index, new) = tree.push_edge(id, edge, seen, &mut self.purse)?;
        self.go_on(tree, id, index);
        if let Some(step) = self.path.last_mut() {
            step.lost = lost && new;
        }
        Some(mv)
    }

    /// As [`Worker::choose`], where only some of the moves seen here before are legal this time.
    fn choose_among_available(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
        c: f32,
    ) -> Option<Move> {
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        let cells = tree.cells(id);
        let known = |mv: &Move| cells.iter().any(|cell| cell.mv() == *mv);
        let untried = self.moves.iter().filter(|mv| !known(mv));
        let fresh = untried.clone().count() as u32;
        let some = (fresh as usize) < self.moves.len();
        // Where none of those that were tried is legal, there is nothing to be picky about.
        let first_play = match self.first_play(tree, id) {
            _ if fresh == 0 => None,
            None if !some => Some(f32::INFINITY),
            value => value,
        };
        let pick = if first_play == Some(f32::INFINITY) {
            Pick::Untried
        } else {
            let available = |edge: &Edge| self.moves.contains(&edge.mv);
            self.available.clear();
            self.available.extend(cells.iter().map(EdgeCell::load).filter(available));
            let (visits, margin) = (tree.visits(id), self.config.tie_margin);
            select(c, visits, &self.available, first_play, margin, &mut self.rng)
        };
        let mv = match pick {
            Pick::Tried(chosen) => {
                let mv = self.available[chosen].mv;
                let index = cells.iter().position(|cell| cell.mv() == mv);
                self.go_on(tree, id, index.expect("available edges exist"))
            }
            Pick::Untried => {
                let drawn = self.rng.below(fresh) as usize;
                let mv = *untried.clone().nth(drawn).expect("below the count");
                self.try_move(tree, id, mv, cells.len())?
            }
        };
        self.record(game, player, mv);
        Some(mv)
    }

    fn choose_at_random(&mut self, game: &dyn Game, player: Player) -> Move {
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        let mv = self.moves[self.rng.below(self.moves.len() as u32) as usize];
        self.record(game, player, mv);
        mv
    }

    /// Records a choice among `self.moves`, as far as the policy wants it.
    pub(super) fn record(&mut self, game: &dyn Game, player: Player, mv: Move) {
        match self.scratch.recording {
            Recording::Nothing => {}
            Recording::Chosen => {
                let code = game.code(&self.state, player, mv, self.policy.coding());
                self.scratch.record.push_chosen(player, code);
            }
            recording @ (Recording::Legal | Recording::WinnersLegal) => {
                self.codes.clear();
                self.policy.codes(game, &self.state, player, &self.moves, &mut self.codes);
                let index = self.moves.iter().position(|&legal| legal == mv);
                let index = index.expect("a chosen move is legal");
                self.scratch.record.push(player, &self.codes, index, recording);
            }
        }
    }
}

/// The moving players with their places in a joint move, `first` and those after him before the others.
pub(super) fn seats_from(
    players: PlayerSet,
    first: Player,
) -> impl Iterator<Item = (usize, Player)> + Clone {
    let seats = (0..players.len()).zip(players);
    let before = seats.clone().filter(move |(_, player)| *player < first);
    seats.filter(move |(_, player)| *player >= first).chain(before)
}

/// How far the tree decided a joint move.
enum Decided {
    /// Every player chose.
    All,
    /// Some players chose and the others were new: the move is complete, the tree ends here.
    Some,
    /// The position is new.
    None,
    /// What comes of it is known.
    Proved(Outcome),
}

/// The `index`-th of the numbers below `count` in an order scattered by `salt`: a stride with no common
/// divisor visits every number once, and a prime above `count` has none.
fn scattered(index: usize, count: usize, salt: u64) -> usize {
    const STRIDES: [u64; 8] = [
        2_147_483_647,
        2_147_483_629,
        2_147_483_587,
        2_147_483_579,
        2_147_483_563,
        2_147_483_549,
        2_147_483_543,
        2_147_483_497,
    ];
    debug_assert!(index < count);
    let salt = mix(salt);
    let stride = STRIDES[(salt >> 61) as usize];
    (((salt & 0xFFFF_FFFF) + index as u64 * stride) % count as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_orders_visit_every_number_once() {
        for count in 1..60 {
            for salt in 0..20 {
                let mut seen: Vec<usize> =
                    (0..count).map(|index| scattered(index, count, salt)).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
