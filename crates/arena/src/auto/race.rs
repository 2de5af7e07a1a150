//! Which agent plays a game best, by short matches: whoever beats the best so far takes his place.

use std::sync::Arc;

use ludex_game::Game;
use ludex_play::evaluation::Weights;
use ludex_play::search::{Budget, Stop};
use ludex_play::survey::Survey;

use super::{USUAL, fitted};
use crate::stats::Tally;
use crate::{ArenaError, Contestant, Series};

/// How matches are played.
#[derive(Clone, Debug)]
pub struct Race {
    /// Matches of each pair.
    pub matches: u64,
    /// How long is thought about a move.
    pub budget: Budget,
    /// What all seeds come from.
    pub seed: u64,
    /// Matches played side by side.
    pub threads: usize,
}

/// How somebody did against the best before him.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Who.
    pub agent: String,
    /// Whether he judges by what was learned of this game.
    pub learned: bool,
    /// Against whom.
    pub against: String,
    /// His points.
    pub tally: Tally,
    /// Whether he is the best now.
    pub best: bool,
}

/// What may be best at a game, the first unless another proves better.
pub fn candidates(survey: &Survey) -> Vec<&'static str> {
    let mut all = vec![USUAL];
    if survey.hidden || survey.together {
        return vec![super::OPEN];
    }
    if survey.board && survey.players >= 2 {
        all.extend(["alphabeta", "ubfm", "uct(solve) + cut(plies=4)"]);
    }
    all
}

/// What share of the points makes somebody the new best: more than chance gives away.
const BETTER: f64 = 0.58;

/// Plays all candidates in turn against the best so far, by weights that need no learning and by those that were learned, if
/// there are any. Returns the best one's text, whether he judges by what was learned, and what he scored against the first.
pub fn measure(
    game: &Arc<dyn Game>,
    survey: &Survey,
    learned: Option<&Weights>,
    race: &Race,
    mut told: impl FnMut(&Standing),
) -> Result<(String, bool, String), ArenaError> {
    let mut best = (USUAL, false);
    let mut found = String::from("nothing beats it");
    for text in candidates(survey).into_iter().skip(1) {
        let judges =
            fitted(&**game, survey, text, None).is_some_and(|spec| spec.full().contains("eval("));
        for with in [None, learned.filter(|_| judges)]
            .into_iter()
            .take(1 + usize::from(judges && learned.is_some()))
        {
            if with.is_none() && judges && learned.is_some() && best.1 {
                continue;
            }
            let agent = |(text, learned_is): (&str, bool)| {
                let weights = learned.filter(|_| learned_is).cloned();
                fitted(&**game, survey, text, weights)
            };
            let (Some(new), Some(old)) = (agent((text, with.is_some())), agent(best)) else {
                continue;
            };
            let contestants = [new, old].map(|spec| Contestant::new(spec, race.budget)).to_vec();
            let series = Series {
                game: game.clone(),
                contestants,
                matches: race.matches,
                seed: race.seed,
                threads: race.threads,
                stop: Stop::default(),
            };
            let tally = series.play(|_, _| true)?[0];
            let better = tally.mean().is_some_and(|mean| mean >= BETTER);
            told(&Standing {
                agent: text.to_string(),
                learned: with.is_some(),
                against: best.0.to_string(),
                tally,
                best: better,
            });
            if better {
                found = format!("{} of {} against {}", tally.points, tally.matches, best.0);
                best = (text, with.is_some());
            }
        }
    }
    Ok((best.0.to_string(), best.1, found))
}
