//! Monte-Carlo tree search: a position and a budget to a choice with its evidence.
//!
//! One simulation walks down the tree by the selection strategy, adds one node, plays the game out by
//! the playout policy, and counts the payoffs along the way. The tree is a table of decisions found by
//! key: with [`Keys::Position`] it is the transposition table of UCT, with [`Keys::Path`] a plain tree.

mod budget;
mod clock;
mod config;
mod cut;
mod edge;
mod implicit;
mod informed;
mod memory;
mod near;
mod prior;
mod purse;
mod report;
mod root;
mod select;
mod shared;
mod solver;
mod start;
mod table;
mod worker;

use std::sync::Arc;

use ludex_game::features::Judge;
use ludex_game::{Game, Move, Player, Rng, State, mix};

use budget::Allowance;
pub(crate) use budget::Meter;
pub use budget::{Budget, Stop, Watch};
pub use clock::Clock;
pub use config::{FinalMove, Keys, SearchConfig, Selection, Simultaneous};
pub use cut::CutSettings;
pub use report::{MoveReport, Report};
pub use table::TableSize;

use crate::evaluation::Evaluation;
use crate::policy::PlayoutPolicy;
use cut::Cut;
use prior::{Opinion, Prior};
use shared::Shared;
use start::Start;
use worker::Worker;

/// A search that lives as long as its player: trees and policies may carry over from move to move.
pub struct Search {
    game: Arc<dyn Game>,
    config: SearchConfig,
    workers: Vec<Worker>,
    /// Stands for all moves played before the root, where nodes are found by path.
    root_path: u64,
    /// Whether a search ran before, so that policies carry over to the next.
    thought: bool,
    /// Whether the trees hold what was found unasked since the last search.
    pondered: bool,
    stop: Stop,
    watch: Option<Watch>,
    /// What learning playouts start from.
    start: Option<Start>,
}

impl Search {
    /// A search for one player of a match. `policy` makes one playout policy for each thread.
    pub fn new(
        game: Arc<dyn Game>,
        mut config: SearchConfig,
        mut policy: impl FnMut() -> Box<dyn PlayoutPolicy>,
        rng: &mut Rng,
    ) -> Self {
        if game.info().hidden && config.keys == Keys::Position {
            config.keys = Keys::OpenLoop;
        }
        let threads = config.threads.max(1);
        let shared = Arc::new(Shared::new(threads));
        if config.implicit > 0.0 {
            shared.have().keep_judged();
        }
        let mut workers: Vec<Worker> = (0..threads)
            .map(|_| Worker::new(&game, config, policy(), rng.split(), shared.clone()))
            .collect();
        // Of one tree, untried moves come in one order.
        let order = workers[0].order;
        workers.iter_mut().for_each(|worker| worker.order = order);
        let stop = Stop::default();
        Search {
            game,
            config,
            workers,
            root_path: 0,
            thought: false,
            pondered: false,
            stop,
            watch: None,
            start: None,
        }
    }

    /// Lets somebody judge moves before they are tried: selection goes by what he thinks of them, less and
    /// less as they are tried.
    pub fn with_prior(mut self, judge: Option<&Judge>) -> Self {
        for worker in &mut self.workers {
            worker.prior =
                judge.map(|judge| Prior::new(Opinion::Features(Box::new(judge.clone()))));
        }
        self
    }

    /// Lets an evaluation judge positions, one for each thread: for implicit minimax, and where `moves` is set also as
    /// what is thought of moves before they are tried.
    pub fn with_evaluations(
        mut self,
        evaluations: impl IntoIterator<Item = Box<dyn Evaluation>>,
        moves: bool,
    ) -> Self {
        for (worker, evaluation) in self.workers.iter_mut().zip(evaluations) {
            worker.evaluation = Some(evaluation);
            if moves {
                let (bias, after) = (self.config.progressive > 0.0, self.game.start());
                worker.prior = Some(Prior::new(Opinion::Evaluation { bias, after }));
            }
        }
        self
    }

    /// Ends playouts early and judges where they stop, each thread by an evaluation of its own.
    pub fn with_cut(
        mut self,
        settings: CutSettings,
        evaluations: impl IntoIterator<Item = Box<dyn Evaluation>>,
    ) -> Self {
        for (worker, evaluation) in self.workers.iter_mut().zip(evaluations) {
            worker.cut = Some(Cut::new(settings, evaluation));
        }
        self
    }

    /// Lets playouts that learn start from what somebody thinks of moves in the position at the root.
    pub fn with_start(mut self, judge: Option<&Judge>) -> Self {
        self.start = judge.map(|judge| Start::new(judge.clone(), &*self.game));
        self
    }

    /// Ends early when the signal is raised.
    pub fn obey(&mut self, stop: Stop) {
        self.stop = stop;
    }

    /// Tells somebody who looks on, several times a second, what was found so far.
    pub fn watched(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }

    /// Tells the search what was played, so that trees found by path carry over.
    pub fn played(&mut self, joint: &[Move]) {
        for mv in joint {
            self.root_path = extend_path(self.root_path, *mv);
        }
    }

    /// Thinks about `player`'s move in a position where he is to move.
    pub fn think(&mut self, root: &State, player: Player, budget: Budget) -> Report {
        let allowance = budget.running();
        if std::mem::replace(&mut self.thought, true) {
            self.policies_mut().for_each(|policy| policy.between_turns());
        }
        if let Some(start) = &mut self.start {
            let policies = self.workers.iter_mut().map(|worker| &mut worker.policy);
            start.give(&*self.game, root, policies);
        }
        // What was found unasked is about to be needed, whatever else is forgotten.
        let keep = self.config.reuse.max(u16::from(std::mem::take(&mut self.pondered)));
        // Threads share one tree: the first begins for all.
        self.workers[0].begin(keep);
        let mut report = self.simulate(root, player, allowance);
        report.decide(self.config.final_move);
        report
    }

    /// Thinks about a position unasked. Nothing is forgotten and no policy is told of a new turn, so this may
    /// be done as often as there is time; the next search begins with what was found.
    pub fn ponder(&mut self, root: &State, player: Player, budget: Budget) {
        self.pondered = true;
        self.simulate(root, player, budget.running());
    }

    fn simulate(&mut self, root: &State, player: Player, allowance: Allowance) -> Report {
        let (game, root_path, count) = (&*self.game, self.root_path, self.workers.len());
        let (stop, rule) = (&self.stop, self.config.final_move);
        let watch = &self.watch;
        let run = |(index, worker): (usize, &mut Worker)| {
            let meter = allowance.share(index, count, stop);
            match watch {
                Some(watch) if index == 0 => {
                    let look = |mut report: Report| {
                        report.decide(rule);
                        watch.tell(&report);
                    };
                    worker.think(game, root, root_path, player, meter, Some(&look))
                }
                _ => worker.think(game, root, root_path, player, meter, None),
            }
        };
        match &mut self.workers[..] {
            [only] => run((0, only)),
            many => {
                let reports: Vec<Report> = std::thread::scope(|scope| {
                    let run = &run;
                    let threads: Vec<_> = many
                        .iter_mut()
                        .enumerate()
                        .map(|worker| scope.spawn(move || run(worker)))
                        .collect();
                    let reports = threads.into_iter().map(|thread| match thread.join() {
                        Ok(report) => report,
                        Err(panic) => std::panic::resume_unwind(panic),
                    });
                    reports.collect()
                });
                let simulations = reports.iter().map(|report| report.simulations).sum();
                let solved = reports.iter().any(|report| report.solved);
                let shared = many[0].shared.clone();
                let tree = shared.enter();
                let mut report = many[0].report(game, &tree, root, root_path, player, simulations);
                report.solved = solved;
                report.prefers =
                    reports.into_iter().next().map_or(Vec::new(), |first| first.prefers);
                report
            }
        }
    }

    /// The playout policies, one for each thread.
    pub fn policies_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn PlayoutPolicy>> {
        self.workers.iter_mut().map(|worker| &mut worker.policy)
    }
}

fn extend_path(path: u64, mv: Move) -> u64 {
    mix(path ^ mix(mv.0.wrapping_add(0x9E37_79B9_7F4A_7C15)))
}
