//! Searches that run for the page: each on a thread of its own, watched by whoever reads its events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludex_arena::{auto, stats};
use ludex_game::{Move, Player, Rng, State, Turn};
use ludex_play::search::{Budget, MoveReport, Report, Stop, Watch};
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::table::{Line, Table};
use crate::server::give_way;

/// No search takes longer, whatever was asked.
const LONGEST: Duration = Duration::from_secs(600);

/// No search has more simulations, whatever was asked.
const MOST_SIMULATIONS: u64 = 1_000_000_000;

/// How much thinking is asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Wanted {
    seconds: Option<f64>,
    simulations: Option<u64>,
}

impl Wanted {
    fn budget(self) -> Budget {
        let asked = self
            .seconds
            .filter(|s| s.is_finite() && *s > 0.0)
            .map(|s| s.min(LONGEST.as_secs_f64()));
        let time = match (asked, self.simulations) {
            (Some(seconds), _) => Duration::from_secs_f64(seconds),
            (None, Some(_)) => LONGEST,
            (None, None) => Duration::from_secs(1),
        };
        let simulations = self.simulations.map(|count| count.clamp(1, MOST_SIMULATIONS));
        Budget { simulations, ..Budget::time(time) }
    }
}

/// A search under way, or finished and not yet read.
pub struct Thought {
    pub stop: Stop,
    pub news: watch::Receiver<News>,
    /// Whether somebody reads its events.
    pub read: AtomicBool,
    pub begun: Instant,
}

/// What is known of a search.
#[derive(Clone, Debug, Default)]
pub enum News {
    /// Nothing yet.
    #[default]
    Begun,
    /// What was found so far, or in the end.
    Found(Arc<Told>),
    /// It came to nothing.
    Failed(String),
}

/// A search as the page shows it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    simulations: u64,
    per_second: f64,
    seconds: f64,
    /// Expected payoff of each seat.
    values: Vec<f64>,
    moves: Vec<MoveTold>,
    line: Vec<String>,
    nodes: u64,
    agent: String,
    why: String,
    prefers: Vec<()>,
    pub done: bool,
    best: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct MoveTold {
    text: String,
    from: Option<u32>,
    to: Option<u32>,
    visits: u64,
    value: f64,
    low: f64,
    high: f64,
    proven: Option<String>,
}

/// A question to an agent.
pub struct Question {
    pub table: Arc<Table>,
    pub line: Line,
    pub player: Player,
    /// The agent's text, and what it was read as.
    pub text: String,
    pub spec: AgentSpec,
    pub wanted: Wanted,
    pub seed: u64,
}

impl Thought {
    /// Starts a search.
    pub fn begin(question: Question) -> Thought {
        let (send, news) = watch::channel(News::Begun);
        let stop = Stop::default();
        let obeyed = stop.clone();
        std::thread::spawn(move || {
            give_way();
            let tell = send.clone();
            let thinking = std::panic::AssertUnwindSafe(|| think(question, obeyed, &send));
            let outcome = std::panic::catch_unwind(thinking);
            let fault = match outcome {
                Ok(Ok(())) => return,
                Ok(Err(fault)) => fault,
                Err(_) => "the search failed; this is a fault of the program".to_string(),
            };
            tell.send_replace(News::Failed(fault));
        });
        Thought { stop, news, read: AtomicBool::new(false), begun: Instant::now() }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        match &*self.news.borrow() {
            News::Begun => false,
            News::Found(told) => told.done,
            News::Failed(_) => true,
        }
    }

    /// Notes that somebody reads the events.
    pub fn reading(&self) {
        self.read.store(true, Ordering::Relaxed);
    }
}

fn think(question: Question, stop: Stop, send: &watch::Sender<News>) -> Result<(), String> {
    let Question { table, line, player, text, spec, wanted, seed } = question;
    let state = table.state(&line).map_err(|fault| fault.to_string())?;
    if !matches!(table.game.turn(&state), Turn::Players(players) if players.contains(player)) {
        return Err(format!("it is not {player}'s turn"));
    }
    let mut agent = match table.take_agent(player, &text, &line) {
        Some(agent) => agent,
        None => {
            let (spec, _) = auto::resolve_agent(spec, &*table.game, None, wanted.budget());
            let built = spec.build(&table.game, None, &mut Rng::seeded(seed));
            built.map_err(|fault| fault.to_string())?
        }
    };
    let scene = Arc::new(Scene {
        table: table.clone(),
        state: state.clone(),
        player,
        text: text.clone(),
        begun: Instant::now(),
    });
    let (watched, tell) = (scene.clone(), send.clone());
    agent.obey(stop);
    agent.watched(Some(Watch::new(move |report| {
        tell.send_replace(News::Found(Arc::new(watched.told(report))));
    })));
    let choice = agent.choose(&state, player, wanted.budget());
    agent.watched(None);
    table.seat(player, text, agent, line);
    let mut told = scene.told(&choice.report.unwrap_or_default());
    told.done = true;
    told.best = Some(scene.text_of(choice.mv));
    told.why = scene.why(&told);
    send.send_replace(News::Found(Arc::new(told)));
    Ok(())
}

/// What a search is about.
struct Scene {
    table: Arc<Table>,
    state: State,
    player: Player,
    text: String,
    begun: Instant,
}

/// So many moves of a report are sent.
const MOST_MOVES: usize = 60;

impl Scene {
    fn text_of(&self, mv: Move) -> String {
        self.table.game.move_text(&self.state, Some(self.player), mv)
    }

    fn told(&self, report: &Report) -> Told {
        let game = &*self.table.game;
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-6);
        let moves = report.moves.iter().filter(|mv| mv.visits > 0).take(MOST_MOVES).map(|mv| {
            let ends = self.table.ends(&self.state, self.player, mv.mv);
            let (low, high) = interval(mv);
            MoveTold {
                text: self.text_of(mv.mv),
                from: ends.from,
                to: ends.to,
                visits: mv.visits,
                value: mv.mean,
                low,
                high,
                proven: proven(mv),
            }
        });
        Told {
            simulations: report.simulations,
            per_second: report.simulations as f64 / seconds,
            seconds,
            values: self.values(report),
            moves: moves.collect(),
            line: report.line_text(game, &self.state),
            nodes: report.size.nodes as u64,
            agent: self.text.clone(),
            why: String::new(),
            prefers: Vec::new(),
            done: false,
            best: report.moves.first().map(|mv| self.text_of(mv.mv)),
        }
    }

    /// What every seat may expect: the search knows it of the one who thinks; the others share the rest.
    fn values(&self, report: &Report) -> Vec<f64> {
        let players = self.table.game.info().players;
        if report.moves.is_empty() {
            return vec![1.0 / players.max(1) as f64; players];
        }
        let own = report.value();
        let rest = (1.0 - own) / players.saturating_sub(1).max(1) as f64;
        (0..players).map(|seat| if seat == self.player.index() { own } else { rest }).collect()
    }

    /// Why the move was chosen, in a sentence with its evidence.
    fn why(&self, told: &Told) -> String {
        let (Some(best), Some(first)) = (&told.best, told.moves.first()) else {
            return String::new();
        };
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        let share = first.visits as f64 / told.simulations.max(1) as f64;
        let evidence = format!(
            "{best}: {} of {} simulations tried it and scored {} on average",
            percent(share),
            told.simulations,
            percent(first.value)
        );
        match told.moves.get(1) {
            Some(second) if second.visits > 0 => {
                format!(
                    "{evidence}; the next, {}, scored {} in {}.",
                    second.text,
                    percent(second.value),
                    second.visits
                )
            }
            _ => format!("{evidence}."),
        }
    }
}

/// What a move is worth with a probability of 95%, or what it was proved to be.
fn interval(mv: &MoveReport) -> (f64, f64) {
    if mv.proved {
        return (mv.mean, mv.mean);
    }
    let interval = stats::wilson(mv.mean, mv.visits);
    (interval.low, interval.high)
}

/// What is proved of a move; nothing where nothing is.
fn proven(mv: &MoveReport) -> Option<String> {
    mv.proved.then(|| match mv.mean {
        mean if mean >= 1.0 => "proved win".to_string(),
        mean if mean <= 0.0 => "proved loss".to_string(),
        mean => format!("proved {:.0}%", 100.0 * mean),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_have_words() {
        let told =
            |mean, proved| proven(&MoveReport { mean, proved, ..MoveReport::untried(Move(0)) });
        assert_eq!(told(1.0, false), None);
        assert_eq!(told(1.0, true).as_deref(), Some("proved win"));
        assert_eq!(told(0.0, true).as_deref(), Some("proved loss"));
        assert_eq!(told(0.5, true).as_deref(), Some("proved 50%"));
    }
}
