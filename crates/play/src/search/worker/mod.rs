//! One thread's simulations on one tree.

mod choose;
mod descend;

use std::sync::Arc;

use ludex_game::playout::{Record, Recording, Scratch, Style};
use ludex_game::{Families, Game, Move, Player, Rng, State, Turn};

use super::budget::Meter;
use super::config::{Keys, SearchConfig};
use super::cut::Cut;
use super::edge::{Edge, Outcome};
use super::informed::Knowledge;
use super::near::Near;
use super::prior::Prior;
use super::purse::Purse;
use super::report::Report;
use super::shared::{Hold, Shared};
use super::solver::Solver;
use super::table::{NodeId, Table};
use crate::evaluation::Evaluation;
use crate::policy::PlayoutPolicy;

pub(super) use descend::seats_from;

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
    /// At the decision under way, moves whose values are this near the best are drawn from.
    pub(super) margin: f32,
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
            margin: config.tie_margin,
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
}
