//! Searches for the page: what is asked, and what is found, as the page shows it.

use std::sync::Arc;
use std::time::Duration;

use ludex_arena::{auto, stats};
use ludex_game::{Move, Player, Rng, State, Turn};
use ludex_play::moment::Moment;
use ludex_play::search::{Budget, MoveReport, Report, Stop, Watch};
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::bounds::{bounded, stops_at_the_best};
use crate::course::Line;
use crate::seats::Seated;
use crate::table::Table;

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
    /// How long the search may take.
    pub fn time(self) -> Duration {
        let asked = self
            .seconds
            .filter(|s| s.is_finite() && *s > 0.0)
            .map(|s| s.min(LONGEST.as_secs_f64()));
        match (asked, self.simulations) {
            (Some(seconds), _) => Duration::from_secs_f64(seconds),
            (None, Some(_)) => LONGEST,
            (None, None) => Duration::from_secs(1),
        }
    }

    fn budget(self) -> Budget {
        let simulations = self.simulations.map(|count| count.clamp(1, MOST_SIMULATIONS));
        Budget { simulations, ..Budget::time(self.time()) }
    }
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
    /// How many plies deep all moves were looked at, by searches that look ahead; such have no simulations.
    depth: u32,
    agent: String,
    why: String,
    /// What the playout policy has come to prefer: the likeliest moves first, each with its share.
    prefers: Vec<Preferred>,
    /// Whether this is what was found in the end.
    pub done: bool,
    best: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Preferred {
    text: String,
    from: Option<u32>,
    to: Option<u32>,
    share: f32,
}

#[derive(Clone, Debug, Serialize)]
struct MoveTold {
    text: String,
    from: Option<u32>,
    to: Option<u32>,
    visits: u64,
    value: f64,
    /// Whether it is worth at most so much: whoever looks ahead stops looking at what is no better than the best.
    bound: bool,
    /// The bounds of its interval, where simulations have one.
    low: Option<f64>,
    high: Option<f64>,
    proven: Option<String>,
}

/// A question to an agent.
pub struct Question {
    /// The game.
    pub table: Arc<Table>,
    /// The moves so far.
    pub line: Line,
    /// Who is to move.
    pub player: Player,
    /// The agent's text.
    pub text: String,
    /// What the text was read as.
    pub spec: AgentSpec,
    /// How much thinking is asked for.
    pub wanted: Wanted,
    /// What everything random comes from.
    pub seed: u64,
}

/// Thinks, tells what is found several times a second, and gives what was found in the end.
pub fn think(
    question: Question,
    stop: Stop,
    tell: impl Fn(Told) + Send + Sync + 'static,
) -> Result<Told, String> {
    let Question { table, line, player, text, spec, wanted, seed } = question;
    let state = table.state(&line).map_err(|fault| fault.to_string())?;
    if !matches!(table.game.turn(&state), Turn::Players(players) if players.contains(player)) {
        return Err(format!("it is not {player}'s turn"));
    }
    let mut looked = true;
    let mut seated = match table.take_agent(player, &text, &line) {
        Some(seated) => seated,
        None => {
            let waits = || !stop.is_raised();
            let unseen = auto::at_once(spec.clone());
            let found = auto::resolve_while(spec, &table.game, None, wanted.budget(), &waits);
            looked = found.is_some();
            let (spec, why) = found.unwrap_or((unseen, None));
            let (spec, shown) = (bounded(spec), why.unwrap_or_else(|| text.clone()));
            let built = spec.build(&table.game, None, &mut Rng::seeded(seed));
            let agent = built.map_err(|fault| fault.to_string())?;
            Seated { agent, line, shown, bounds: stops_at_the_best(&spec) }
        }
    };
    let scene = Arc::new(Scene {
        table: table.clone(),
        state: state.clone(),
        player,
        shown: seated.shown.clone(),
        bounds: seated.bounds,
        begun: Moment::now(),
    });
    let watched = scene.clone();
    seated.agent.obey(stop);
    seated.agent.watched(Some(Watch::new(move |report| tell(watched.told(report)))));
    let choice = seated.agent.choose(&state, player, wanted.budget());
    seated.agent.watched(None);
    // Whoever had to move before he had looked at the game looks at it the next time.
    if looked {
        table.seat(player, text, seated);
    }
    let mut told = scene.told(&choice.report.unwrap_or_default());
    told.done = true;
    told.best = Some(scene.text_of(choice.mv));
    Ok(told)
}

/// What a search is about.
struct Scene {
    table: Arc<Table>,
    state: State,
    player: Player,
    shown: String,
    bounds: bool,
    begun: Moment,
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
        let best = report.moves.first().map(|first| first.mv);
        let moves = report.moves.iter().filter(|mv| mv.visits > 0).take(MOST_MOVES).map(|mv| {
            let ends = self.table.ends(&self.state, self.player, mv.mv);
            let (low, high) = interval(mv, report.depth).unzip();
            MoveTold {
                text: self.text_of(mv.mv),
                from: ends.from,
                to: ends.to,
                visits: mv.visits,
                value: mv.mean,
                bound: self.bounds && !mv.proved && Some(mv.mv) != best,
                low,
                high,
                proven: proven(mv),
            }
        });
        let mut told = Told {
            simulations: report.simulations,
            per_second: report.simulations as f64 / seconds,
            seconds,
            values: self.values(report),
            moves: moves.collect(),
            line: report.line_text(game, &self.state),
            nodes: report.size.nodes as u64,
            depth: report.depth,
            agent: self.shown.clone(),
            why: String::new(),
            prefers: self.prefers(report),
            done: false,
            best: report.moves.first().map(|mv| self.text_of(mv.mv)),
        };
        told.why = self.why(&told);
        told
    }

    fn prefers(&self, report: &Report) -> Vec<Preferred> {
        let told = |&(mv, share): &(Move, f32)| {
            let ends = self.table.ends(&self.state, self.player, mv);
            Preferred { text: self.text_of(mv), from: ends.from, to: ends.to, share }
        };
        report.prefers.iter().take(MOST_MOVES).map(told).collect()
    }

    /// What every seat may expect.
    fn values(&self, report: &Report) -> Vec<f64> {
        let players = self.table.game.info().players;
        if report.moves.is_empty() {
            return vec![1.0 / players.max(1) as f64; players];
        }
        expected(players, self.player.index(), report.value(), &report.values)
    }

    /// Why the move was chosen, in a sentence with its evidence.
    fn why(&self, told: &Told) -> String {
        let (Some(best), Some(first)) = (&told.best, told.moves.first()) else {
            return String::new();
        };
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        if told.depth > 0 {
            let (moves, plies) = (told.moves.len(), told.depth);
            let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
            return format!(
                "{best}: the best of {moves} moves when looking {plies} ahead, {} positions in all; worth {}.",
                grouped(told.simulations),
                percent(first.value)
            );
        }
        let share = first.visits as f64 / told.simulations.max(1) as f64;
        let evidence = format!(
            "{best}: {} of {} simulations tried it and scored {} on average",
            percent(share),
            grouped(told.simulations),
            percent(first.value)
        );
        match told.moves.get(1) {
            Some(second) if second.visits > 0 => {
                format!(
                    "{evidence}; the next, {}, scored {} in {}.",
                    second.text,
                    percent(second.value),
                    grouped(second.visits)
                )
            }
            _ => format!("{evidence}."),
        }
    }
}

/// A number with its thousands apart.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// The chances of every seat, where one of them plays the best move and expects so much. Of more than two, how often each won in the
/// simulations; what they get is worth less where second places count. Two play for shares of one point, unless both may win.
fn expected(players: usize, own: usize, best: f64, means: &[f64]) -> Vec<f64> {
    let rest = (1.0 - best) / players.saturating_sub(1).max(1) as f64;
    let shared = (means.iter().sum::<f64>() - 1.0).abs() < 1e-3;
    let of = |seat: usize| match means.get(seat) {
        Some(&won) if players > 2 => won,
        Some(&mean) if seat != own && !shared => mean,
        _ if seat == own => best,
        _ => rest,
    };
    (0..players).map(of).collect()
}

/// What a move is worth with a probability of 95%, or what it was proved to be. Looking ahead draws nothing at random: what it
/// finds has no interval.
fn interval(mv: &MoveReport, depth: u32) -> Option<(f64, f64)> {
    if mv.proved {
        return Some((mv.mean, mv.mean));
    }
    let interval = stats::wilson(mv.mean, mv.visits);
    (depth == 0).then_some((interval.low, interval.high))
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
    use serde_json::json;

    use super::*;
    use crate::{Desk, Shelf, agent_without_files};

    #[test]
    fn whoever_looks_ahead_says_so() {
        let desk = Desk::new(Shelf::new(None), 1);
        let opened = json!({ "game": "breakthrough", "options": ["Size/5x5"] });
        let table = desk.open(serde_json::from_value(opened).expect("a game")).expect("opened");
        let told = |agent: &str| {
            let asked = json!({ "table": table.id(), "line": [], "player": 0, "agent": agent, "seed": 7,
                "budget": { "simulations": 3000 } });
            let question = desk.question(asked, agent_without_files).expect("a question");
            think(question, Stop::default(), |_| {}).expect("found")
        };
        let ahead = told("alphabeta");
        assert!(ahead.depth > 0 && ahead.why.contains("ahead"), "{}", ahead.why);
        assert_eq!(ahead.best.as_deref(), ahead.moves.first().map(|mv| mv.text.as_str()));
        assert!(ahead.moves.iter().all(|mv| mv.proven.is_some() || mv.low.is_none()));
        // What the others are worth is known only as far as that they are no better.
        assert!(
            !ahead.moves[0].bound
                && ahead.moves[1..].iter().all(|mv| mv.bound || mv.proven.is_some())
        );
        let drawn = told("uct");
        assert!(drawn.depth == 0 && drawn.why.contains("simulations tried it"), "{}", drawn.why);
        assert!(drawn.why.contains("of 3,000 simulations"), "{}", drawn.why);
        assert!(
            drawn
                .moves
                .iter()
                .all(|mv| !mv.bound && mv.low <= Some(mv.value) && Some(mv.value) <= mv.high)
        );
    }

    #[test]
    fn a_search_may_be_stopped_before_it_begins() {
        let desk = Desk::new(Shelf::new(None), 1);
        let opened = json!({ "game": "breakthrough", "options": [] });
        let table = desk.open(serde_json::from_value(opened).expect("a game")).expect("opened");
        let told = |stop: Stop| {
            let asked = json!({ "table": table.id(), "line": [], "player": 0, "agent": "auto", "seed": 7,
                "budget": { "seconds": 0.05 } });
            let question = desk.question(asked, agent_without_files).expect("a question");
            think(question, stop, |_| {}).expect("found")
        };
        let stopped = Stop::default();
        stopped.raise();
        // It has a move, should one be wanted, but does not look at the game for it.
        let early = told(stopped);
        assert!(early.best.is_some() && early.agent == "auto", "{early:?}");
        // Nobody who knows nothing stays.
        assert!(told(Stop::default()).agent.starts_with("auto plays"));
    }

    #[test]
    fn chances_are_those_of_the_simulations() {
        let near = |a: Vec<f64>, b: &[f64]| {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
        };
        // Nothing but the mover's share is known: the others share the rest.
        near(expected(3, 1, 0.4, &[]), &[0.3, 0.4, 0.3]);
        // Who won; that the mover also got something for second places is not said.
        near(expected(3, 0, 0.6, &[0.2, 0.5, 0.3]), &[0.2, 0.5, 0.3]);
        // One point is shared; the best move is better for the mover than all moves are on average.
        near(expected(2, 0, 0.4, &[0.3, 0.7]), &[0.4, 0.6]);
        // Both may win, or lose.
        near(expected(2, 0, 0.9, &[0.8, 0.7]), &[0.9, 0.7]);
        near(expected(1, 0, 0.25, &[0.2]), &[0.25]);
    }

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
