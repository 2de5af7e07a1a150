//! What positions of a game are worth where nothing but games shows it, learned in a moment before it is first played. How much is played is
//! counted in positions, never in time: everybody learns the same.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ludex_game::{Game, Machine};
use ludex_play::evaluation::Weights;

use crate::catalog::RulesKey;
use crate::train::{Plan, Reach, Training};

/// Lessons of this process, by rules: whoever plays several matches learns once.
static LESSONS: Mutex<Option<HashMap<RulesKey, Option<Weights>>>> = Mutex::new(None);

/// The weights that a short lesson gives; nothing where they are no better than those before it.
pub(super) fn lesson(game: &Arc<dyn Game>, rules: &RulesKey) -> Option<Weights> {
    let known =
        |lessons: &mut Option<HashMap<_, _>>| lessons.get_or_insert_default().get(rules).cloned();
    if let Some(weights) = known(&mut LESSONS.lock().unwrap_or_else(PoisonError::into_inner)) {
        return weights;
    }
    let weights = learn(game);
    let mut lessons = LESSONS.lock().unwrap_or_else(PoisonError::into_inner);
    lessons.get_or_insert_default().insert(rules.clone(), weights.clone());
    weights
}

fn learn(game: &Arc<dyn Game>) -> Option<Weights> {
    // Where positions take long to come by, there are fewer of them.
    let (games, positions, all) = match game.info().machine {
        Machine::General | Machine::Datalog => (10, 24, 10_000),
        _ => (32, 60, 250_000),
    };
    let plan = Plan { games, positions, reach: Reach::Few, ..Plan::default() };
    Training::new(game.clone(), plan, None).ok()?.lesson(all)
}
