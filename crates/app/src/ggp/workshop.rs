//! Where rules become games: compiled once, on threads of their own, and kept for the next match.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ludex_game::Game;
use ludex_gdl::Bounds;
use ludex_gdl::{Engine, compile};

use super::limit::Limit;
use super::message::Rules;

/// Rules compiled at once. More than one only while those that nobody wants any more come to an end.
const MOST_AT_ONCE: usize = 3;

/// Games kept.
const KEPT: usize = 4;

/// A game with the names of its roles.
#[derive(Clone)]
pub struct Compiled {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Its roles in the order of the rules, `random` included.
    pub roles: Arc<[String]>,
}

/// Compiles by the given engine, or by the one that suits.
pub fn compiled(rules: &Rules, engine: Option<Engine>) -> Option<Compiled> {
    let game = compile("match", &rules.checked.description, engine, &Bounds::default()).ok()?;
    let roles = game.role_names().into();
    Some(Compiled { game: game.into_game(), roles })
}

/// A game in the making.
#[derive(Default)]
pub struct Order {
    /// Nothing yet; then what became of it.
    result: Mutex<Option<Option<Compiled>>>,
    finished: Condvar,
}

impl Order {
    fn result(&self) -> MutexGuard<'_, Option<Option<Compiled>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, result: Option<Compiled>) {
        self.result().get_or_insert(result);
        self.finished.notify_all();
    }

    /// Waits at most so long; nothing if it is not finished by then.
    pub fn wait(&self, most: Duration) -> Option<Option<Compiled>> {
        let waited = self.finished.wait_timeout_while(self.result(), most, |done| done.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }
}

/// Ends an order that nothing came of, be it by a panic.
struct Pledge(Arc<Order>);

impl Drop for Pledge {
    fn drop(&mut self) {
        self.0.finish(None);
    }
}

/// All orders, the newest last, by the text of their rules.
pub struct Workshop {
    orders: Mutex<Vec<(String, Arc<Order>)>>,
    places: Limit,
}

impl Workshop {
    /// A workshop without orders.
    pub fn new() -> Self {
        Workshop { orders: Mutex::default(), places: Limit::new(MOST_AT_ONCE) }
    }

    /// Orders a game, unless the same one is there already; nothing if too much is being made.
    pub fn order(&self, rules: &Arc<Rules>) -> Option<Arc<Order>> {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = orders.iter().find(|(text, _)| *text == rules.text) {
            return Some(known.clone());
        }
        let place = self.places.enter()?;
        let order = Arc::new(Order::default());
        let (pledge, rules_to_make) = (Pledge(order.clone()), rules.clone());
        let work = move || {
            let _place = place;
            pledge.0.finish(compiled(&rules_to_make, None));
        };
        std::thread::Builder::new().name("compiler".to_owned()).spawn(work).ok()?;
        if orders.len() == KEPT {
            orders.remove(0);
        }
        orders.push((rules.text.clone(), order.clone()));
        Some(order)
    }
}
