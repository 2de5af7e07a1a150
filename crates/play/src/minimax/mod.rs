//! Minimax searches over an evaluation: iterative deepening alpha-beta, and unbounded best-first minimax.
//!
//! Scores are those of the player who thinks. In games of more than two he takes all others to be against him
//! (`paranoid`), or everybody to look after himself (`maxn`). Chance counts by its mean over the outcomes. Where
//! several players move at once, the others are taken to know his move.

mod alphabeta;
mod bestfirst;
mod maxn;
mod order;
pub mod score;
mod table;

use std::sync::Arc;
use std::time::Duration;

use ludex_game::{Game, Player, Rng, State, Turn};

use crate::agent::{Agent, Choice};
use crate::evaluation::Evaluation;
use crate::search::{Budget, MoveReport, Report, Stop, Watch};
use crate::spec::{Describe, Settings};
use alphabeta::Searcher;
pub use bestfirst::BestFirstAgent;
use table::Table;

/// `alphabeta(quiet=6, depth=4, many=maxn, threads=2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBetaSettings {
    /// No deeper than this.
    pub depth: u64,
    /// How many plies captures are followed beyond the depth.
    pub quiet: u64,
    /// How players of games with more than two are taken to play.
    pub many: Many,
    /// Late moves are not looked at less deeply.
    pub full: bool,
    /// The number of entries of the table, as a power of two.
    pub table: u64,
    /// How many threads search one table.
    pub threads: u64,
}

/// How the players of games with more than two are taken to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Many {
    /// All against the one who thinks.
    #[default]
    Paranoid,
    /// Each for himself.
    MaxN,
}

impl Default for AlphaBetaSettings {
    fn default() -> Self {
        AlphaBetaSettings {
            depth: 100,
            quiet: 6,
            many: Many::Paranoid,
            full: false,
            table: 19,
            threads: 1,
        }
    }
}

impl Settings for AlphaBetaSettings {
    const NAME: &'static str = "alphabeta";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.count("depth", &mut self.depth, 1..=100, "the deepest search, in plies");
        describe.count("quiet", &mut self.quiet, 0..=50, "plies that captures are followed beyond");
        let mut many = usize::from(self.many == Many::MaxN);
        let help = "how more than two are taken to play";
        describe.choice("many", &mut many, &["paranoid", "maxn"], help);
        self.many = if many == 0 { Many::Paranoid } else { Many::MaxN };
        describe.flag("full", &mut self.full, "search late moves as deeply as early ones");
        describe.count("table", &mut self.table, 8..=30, "entries of the table, a power of two");
        describe.count("threads", &mut self.threads, 1..=256, "threads over one table");
    }
}

/// `ubfm(edges=1000000)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestFirstSettings {
    /// Moves in the tree at most.
    pub edges: u64,
}

impl Default for BestFirstSettings {
    fn default() -> Self {
        BestFirstSettings { edges: 1 << 25 }
    }
}

impl Settings for BestFirstSettings {
    const NAME: &'static str = "ubfm";

    fn describe(&mut self, describe: &mut dyn Describe) {
        let help = "moves in the tree at most";
        describe.count("edges", &mut self.edges, 1..=u64::from(u32::MAX / 2), help);
    }
}

/// Plays what alpha-beta finds.
pub struct AlphaBetaAgent {
    game: Arc<dyn Game>,
    searchers: Vec<Searcher>,
    age: u8,
    stop: Stop,
    watch: Option<Watch>,
}

impl AlphaBetaAgent {
    /// A player of a game; `evaluation` makes one evaluation for each thread.
    pub fn new(
        game: Arc<dyn Game>,
        settings: AlphaBetaSettings,
        mut evaluation: impl FnMut() -> Box<dyn Evaluation>,
        rng: &mut Rng,
    ) -> Self {
        let table = Arc::new(Table::new(settings.table));
        let salt = rng.next();
        let searchers = (0..settings.threads.max(1))
            .map(|_| {
                Searcher::new(&*game, settings, evaluation(), table.clone(), salt, rng.split())
            })
            .collect();
        AlphaBetaAgent { game, searchers, age: 0, stop: Stop::default(), watch: None }
    }

    /// Thinks about a player's move.
    pub fn think(&mut self, root: &State, player: Player, budget: Budget) -> Report {
        if !matches!(self.game.turn(root), Turn::Players(players) if players.contains(player)) {
            return Report::default();
        }
        self.age = self.age.wrapping_add(1);
        let (game, age, outer) = (&*self.game, self.age, self.stop.clone());
        let (done, watch) = (Stop::default(), &self.watch);
        let run = |(index, searcher): (usize, &mut Searcher)| {
            let stops = [outer.clone(), done.clone()];
            let watch = watch.as_ref().filter(|_| index == 0);
            let found = searcher.think(game, root, player, budget, age, index, stops, watch);
            // Whoever is through first has found as much as anybody.
            done.raise();
            found
        };
        match &mut self.searchers[..] {
            [only] => run((0, only)),
            many => std::thread::scope(|scope| {
                let run = &run;
                let threads: Vec<_> = many
                    .iter_mut()
                    .enumerate()
                    .map(|searcher| scope.spawn(move || run(searcher)))
                    .collect();
                let reports = threads.into_iter().map(|thread| match thread.join() {
                    Ok(report) => report,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
                best_of(reports)
            }),
        }
    }
}

/// The report of whoever looked deepest, with the positions of all.
fn best_of(reports: impl Iterator<Item = Report>) -> Report {
    let mut total = 0;
    let deepest = reports.inspect(|report| total += report.simulations).reduce(|best, report| {
        let better = (report.solved, report.depth) > (best.solved, best.depth);
        if better { report } else { best }
    });
    let mut report = deepest.unwrap_or_default();
    report.simulations = total;
    report
}

impl Agent for AlphaBetaAgent {
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice {
        let report = self.think(state, player, budget);
        Choice { mv: report.best, report: Some(report) }
    }

    /// Guesses what the other one of two will play, and thinks about the answer: what is found stays in the table.
    fn ponder(&mut self, state: &State, player: Player, budget: Budget) {
        const GUESSING: Duration = Duration::from_millis(200);
        if self.game.info().players != 2 {
            return;
        }
        let guess = self.think(state, player, Budget::time(GUESSING)).best;
        let mut next = state.clone();
        self.game.apply(&mut next, &[guess]);
        // A table does not grow: it may be filled for as long as there is time.
        let budget = Budget { simulations: Some(u64::MAX), ..budget };
        self.think(&next, Player(1 - player.0), budget);
    }

    fn obey(&mut self, stop: Stop) {
        self.stop = stop;
    }

    fn watched(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }
}

/// A move with its score, as a report has it.
fn move_report(mv: ludex_game::Move, visits: u64, score: i32) -> MoveReport {
    MoveReport { mv, visits, mean: score::payoff(score), proved: score::is_proved(score) }
}
