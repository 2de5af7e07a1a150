//! Where rules become games: each compiled once, on a thread of its own, for as long as somebody waits for
//! it, and kept for the next match.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludex_game::Game;
use ludex_gdl::{Bounds, Cancel, Engine, compile};

use super::message::Rules;
use crate::server::{finish_soon, give_way};

/// Finished games kept.
const KEPT: usize = 2;

/// A game with the names of its roles.
#[derive(Clone)]
pub struct Compiled {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Its roles in the order of the rules, `random` included.
    pub roles: Arc<[String]>,
}

/// Compiles by the given engine, or by the one that suits.
pub fn compiled(rules: &Rules, engine: Option<Engine>, bounds: &Bounds) -> Option<Compiled> {
    let game = compile("match", &rules.checked.description, engine, bounds).ok()?;
    let roles = game.role_names().into();
    Some(Compiled { game: game.into_game(), roles })
}

/// A game that evaluates the rules themselves and is ready at once: what never changes is worked out in
/// advance only as far as that is quickly done.
pub fn stand_in(rules: &Rules, cancel: &Cancel) -> Option<Compiled> {
    let all = Bounds { cancel: cancel.clone(), ..Bounds::default() };
    let quick = Bounds { cancel: cancel.clone(), ..Bounds::hasty() };
    let made = |bounds: &Bounds| compiled(rules, Some(Engine::Datalog), bounds);
    made(&quick).or_else(|| made(&all))
}

type Told = Box<dyn FnOnce(Option<Compiled>) + Send>;

enum Progress {
    /// On its way, for those who wait.
    Making { cancel: Cancel, waiting: Vec<(u64, Told)> },
    /// There, or impossible.
    Made(Option<Compiled>),
}

/// All games, the newest last, by the text of their rules.
#[derive(Default)]
struct Shelf {
    games: Vec<(Arc<str>, Progress)>,
    claims: u64,
}

/// A place that makes games. Copies are one workshop.
#[derive(Clone, Default)]
pub struct Workshop(Arc<Mutex<Shelf>>);

/// Somebody's interest in a game. When the last one is gone, the game is not made any further.
pub struct Claim {
    workshop: Workshop,
    text: Arc<str>,
    number: u64,
}

impl Workshop {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a game made, unless it is there already or on its way, and tells of it, perhaps at once.
    pub fn order(&self, rules: &Arc<Rules>, told: Told) -> Claim {
        let mut shelf = self.shelf();
        shelf.claims += 1;
        let number = shelf.claims;
        let claim = |text: &Arc<str>| Claim { workshop: self.clone(), text: text.clone(), number };
        match shelf.games.iter_mut().find(|(text, _)| **text == *rules.text) {
            Some((text, Progress::Making { waiting, .. })) => {
                waiting.push((number, told));
                claim(text)
            }
            Some((text, Progress::Made(game))) => {
                let (claim, game) = (claim(text), game.clone());
                drop(shelf);
                told(game);
                claim
            }
            None => {
                let (text, cancel): (Arc<str>, _) = (rules.text.as_str().into(), Cancel::default());
                let making =
                    Progress::Making { cancel: cancel.clone(), waiting: vec![(number, told)] };
                shelf.games.push((text.clone(), making));
                drop(shelf);
                self.make(text.clone(), rules.clone(), cancel);
                claim(&text)
            }
        }
    }

    fn make(&self, text: Arc<str>, rules: Arc<Rules>, cancel: Cancel) {
        let pledge = Pledge { workshop: self.clone(), text, cancel, game: None };
        // Where there is no thread left, the pledge says that nothing came of it.
        let work = move || {
            give_way();
            let mut pledge = pledge;
            let bounds = Bounds { cancel: pledge.cancel.clone(), ..Bounds::default() };
            pledge.game = compiled(&rules, None, &bounds);
        };
        let _ = std::thread::Builder::new().name("compiler".to_owned()).spawn(work);
    }

    fn finish(&self, text: &str, cancel: &Cancel, game: Option<Compiled>) {
        let mut shelf = self.shelf();
        if cancel.is_raised() {
            drop(shelf);
            drop(game);
            give_memory_back();
            return;
        }
        let Some((_, progress)) = shelf.games.iter_mut().find(|(known, _)| **known == *text) else {
            return;
        };
        let made = std::mem::replace(progress, Progress::Made(game.clone()));
        let finished =
            |(_, progress): &&(Arc<str>, Progress)| matches!(progress, Progress::Made(_));
        if shelf.games.iter().filter(finished).count() > KEPT {
            let oldest = shelf.games.iter().position(|one| finished(&one));
            oldest.map(|oldest| shelf.games.remove(oldest));
        }
        drop(shelf);
        if let Progress::Making { waiting, .. } = made {
            waiting.into_iter().for_each(|(_, told)| told(game.clone()));
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut shelf = self.workshop.shelf();
        let Some(at) = shelf.games.iter().position(|(text, _)| Arc::ptr_eq(text, &self.text))
        else {
            return;
        };
        if let Progress::Making { cancel, waiting } = &mut shelf.games[at].1 {
            waiting.retain(|(number, _)| *number != self.number);
            if waiting.is_empty() {
                cancel.raise();
                shelf.games.remove(at);
            }
        }
    }
}

/// Ends an order, be it by a panic.
struct Pledge {
    workshop: Workshop,
    text: Arc<str>,
    cancel: Cancel,
    game: Option<Compiled>,
}

impl Drop for Pledge {
    fn drop(&mut self) {
        let game = self.game.take();
        self.workshop.finish(&self.text, &self.cancel, game);
    }
}

/// Half-made networks are many small pieces, which the allocator would keep. For threads that are about to end: the
/// allocator is locked meanwhile, and whoever answers must not wait until this thread is given the processor again.
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        finish_soon();
        // SAFETY: it takes no pointers and may be called at any time from any thread.
        unsafe {
            libc::malloc_trim(0);
        }
    }
}
