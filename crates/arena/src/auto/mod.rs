//! `auto`: an agent for any game. A survey says what the game is like; a book of measured results says which agent
//! plays such games best, by the content of rules or by the kind of game; what is nowhere in it is played by UCT.
//!
//! The choice depends on game, budget and book alone, so that it is the same wherever it is made, and what is
//! chosen is an agent like any other: results are kept under its full text.

mod book;
#[cfg(feature = "matches")]
mod lesson;
#[cfg(feature = "matches")]
mod race;

#[cfg(feature = "matches")]
use std::path::Path;
use std::sync::Arc;

use ludex_game::Game;
use ludex_play::evaluation::Weights;
use ludex_play::search::Budget;
use ludex_play::spec::{AgentSpec, EvalSpec};
use ludex_play::survey::Survey;

pub use book::{Book, GameEntry, KindEntry, Range};
#[cfg(feature = "matches")]
pub use race::{Race, Standing, candidates, measure};

#[cfg(feature = "matches")]
use crate::ArenaError;
use crate::catalog::RulesKey;
#[cfg(feature = "matches")]
use crate::engine::PlayerSpec;

/// What was chosen, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The agent.
    pub spec: AgentSpec,
    /// A sentence about it.
    pub why: String,
}

/// What plays where nothing better is known.
const USUAL: &str = "uct(solve)";
/// What plays where nobody has looked at the game: simulations may be few, so the tree is kept from move to move, within bounds.
const AT_ONCE: &str = "uct(c=0.7, solve, reuse=20, nodes=2000000)";
/// What plays where nothing can be proved.
const OPEN: &str = "uct";

/// Chooses an agent for a game whose rules have this key, if they have one.
pub fn choose(
    game: &Arc<dyn Game>,
    rules: Option<&RulesKey>,
    budget: Budget,
    book: &Book,
) -> Chosen {
    choose_surveyed(game, &Survey::of(&**game), rules, budget, book)
}

fn usual(text: &str, why: &str) -> Chosen {
    Chosen { spec: text.parse().unwrap_or_default(), why: why.to_string() }
}

/// The same where the survey is known.
pub fn choose_surveyed(
    game: &Arc<dyn Game>,
    survey: &Survey,
    rules: Option<&RulesKey>,
    budget: Budget,
    book: &Book,
) -> Chosen {
    if survey.hidden {
        return usual(
            OPEN,
            "parts of the game are hidden, and only playouts draw what is not seen",
        );
    }
    if survey.together {
        return usual(OPEN, "several players move at once, and only playouts take that as it is");
    }
    if budget.time.is_none() {
        let why = "the budget counts simulations, and those that play a game to its end say most";
        return usual(USUAL, why);
    }
    let entry = rules.and_then(|rules| book.game(rules));
    if let Some(entry) = entry
        && let Some(spec) = fitted(&**game, survey, &entry.agent, entry.weights())
    {
        return Chosen { spec, why: format!("measured on these rules: {}", entry.found) };
    }
    for kind in book.kinds(survey) {
        // Where nothing but a lesson shows what positions are worth, there is no judging without one.
        let weights = match kind.learned {
            true => learned(game, rules),
            false => Some(Weights::start(&**game, survey)),
        };
        if let Some(weights) = weights
            && let Some(spec) = fitted(&**game, survey, &kind.agent, Some(weights))
        {
            return Chosen { spec, why: format!("{}: {}", survey.words(), kind.why) };
        }
    }
    usual(USUAL, "nothing better is known of such games")
}

/// The agent of a text for a game, judging by these weights or by those that need no learning; none where it cannot play it.
fn fitted(
    game: &dyn Game,
    survey: &Survey,
    text: &str,
    weights: Option<Weights>,
) -> Option<AgentSpec> {
    let mut spec: AgentSpec = text.parse().ok()?;
    if let Some(eval) = judged_by(&mut spec) {
        let weights = weights.unwrap_or_else(|| Weights::start(game, survey));
        weights.fit(game).ok()?;
        *eval = Some(EvalSpec { weights: Some(Arc::new(weights)), ..EvalSpec::default() });
    }
    Some(spec)
}

/// What a short lesson shows of a game; nothing where there is nothing to keep it by, or nobody to learn.
fn learned(game: &Arc<dyn Game>, rules: Option<&RulesKey>) -> Option<Weights> {
    #[cfg(feature = "matches")]
    return lesson::lesson(game, rules?);
    #[cfg(not(feature = "matches"))]
    {
        let _ = (game, rules);
        None
    }
}

/// Where an agent keeps what it judges positions by, if it judges any and does not say by what.
fn judged_by(spec: &mut AgentSpec) -> Option<&mut Option<EvalSpec>> {
    match spec {
        AgentSpec::Minimax(spec) if spec.eval.is_none() => Some(&mut spec.eval),
        AgentSpec::Search(spec) if spec.judges() && spec.eval.is_none() => Some(&mut spec.eval),
        _ => None,
    }
}

/// A player as he sits down to a game: `auto` becomes what is chosen for it, everybody else stays who he is. The
/// sentence says what was chosen and why.
#[cfg(feature = "matches")]
pub fn resolve(
    player: PlayerSpec,
    game: &Arc<dyn Game>,
    rules: Option<&RulesKey>,
    budget: Budget,
) -> (PlayerSpec, Option<String>) {
    match player {
        PlayerSpec::Agent(spec) => {
            let (spec, why) = resolve_agent(spec, game, rules, budget);
            (PlayerSpec::Agent(spec), why)
        }
        other => (other, None),
    }
}

/// The same for one of our agents.
pub fn resolve_agent(
    spec: AgentSpec,
    game: &Arc<dyn Game>,
    rules: Option<&RulesKey>,
    budget: Budget,
) -> (AgentSpec, Option<String>) {
    let unseen = at_once(spec.clone());
    resolve_while(spec, game, rules, budget, &|| true).unwrap_or((unseen, None))
}

/// The same as long as somebody waits for it: there are games of which it takes a minute to get an idea.
pub fn resolve_while(
    spec: AgentSpec,
    game: &Arc<dyn Game>,
    rules: Option<&RulesKey>,
    budget: Budget,
    wanted: &dyn Fn() -> bool,
) -> Option<(AgentSpec, Option<String>)> {
    let auto = match spec {
        AgentSpec::Auto(auto) => auto,
        AgentSpec::Level(agent, level) => {
            let (agent, why) = resolve_while(*agent, game, rules, budget, wanted)?;
            return Some((AgentSpec::Level(Box::new(agent), level), why));
        }
        spec => return Some((spec, None)),
    };
    let survey = Survey::while_wanted(&**game, wanted)?;
    let mut chosen = choose_surveyed(game, &survey, rules, budget, Book::usual());
    if auto.threads > 1 {
        chosen.spec.set_threads(auto.threads as usize);
    }
    let why = format!("auto plays `{}`: {}", chosen.spec, chosen.why);
    Some((chosen.spec, Some(why)))
}

/// A player where there is no time to look at a game before its clock runs: `auto` is the same for all games.
pub fn at_once(spec: AgentSpec) -> AgentSpec {
    match spec {
        AgentSpec::Auto(auto) => {
            let mut chosen = usual(AT_ONCE, "").spec;
            if auto.threads > 1 {
                chosen.set_threads(auto.threads as usize);
            }
            chosen
        }
        AgentSpec::Level(agent, level) => AgentSpec::Level(Box::new(at_once(*agent)), level),
        spec => spec,
    }
}

/// Writes the weights that a choice judges by to a file that `eval(FILE)` reads.
#[cfg(feature = "matches")]
pub fn save_weights(chosen: &mut AgentSpec, game: &str, path: &Path) -> Result<bool, ArenaError> {
    let weights = chosen.eval_mut().and_then(|eval| eval.weights.clone());
    let Some(weights) = weights else { return Ok(false) };
    crate::train::WeightsFile::new(game, Vec::new(), &weights).save(path)?;
    Ok(true)
}
