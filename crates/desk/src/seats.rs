//! Agents between their moves: they keep what they found, which is large.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ludex_game::Player;
use ludex_play::agent::Agent;

use crate::course::Line;

/// So many agents sit at all tables together; those that moved last stay.
const MOST: usize = 8;

/// An agent between two of its moves.
pub struct Seated {
    /// The agent.
    pub agent: Box<dyn Agent>,
    /// The moves it knows of.
    pub line: Line,
    /// What it is, in full: `auto` has become something.
    pub shown: String,
    /// Whether of all moves but the best it learns only that they are no better.
    pub bounds: bool,
}

/// At which table an agent sits, for whom, and the line that it is.
type Place = (String, usize, String);

/// All agents that sit somewhere, those that moved last at the end.
#[derive(Default)]
pub struct Seats(Mutex<VecDeque<(Place, Seated)>>);

impl Seats {
    fn all(&self) -> MutexGuard<'_, VecDeque<(Place, Seated)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The agent of a line at a place, which it leaves.
    pub fn take(&self, table: &str, player: Player, text: &str) -> Option<Seated> {
        let mut all = self.all();
        let here = |(place, _): &(Place, Seated)| {
            (place.0.as_str(), place.1, place.2.as_str()) == (table, player.index(), text)
        };
        let at = all.iter().position(here)?;
        all.remove(at).map(|(_, seated)| seated)
    }

    /// Seats an agent; whoever sat there goes, and where there are too many, who has not moved for longest.
    pub fn put(&self, table: &str, player: Player, text: String, seated: Seated) {
        let mut all = self.all();
        all.retain(|((other, who, _), _)| (other.as_str(), *who) != (table, player.index()));
        all.push_back(((table.to_string(), player.index(), text), seated));
        while all.len() > MOST {
            all.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use ludex_play::spec::AgentSpec;

    use super::*;

    #[test]
    fn those_who_moved_last_stay() {
        let game = ludex_arena::catalog::load(&ludex_arena::catalog::GameSpec::named("hex"));
        let game = game.expect("a game");
        let (seats, first) = (Seats::default(), Player(0));
        let agent = || {
            let spec: AgentSpec = "random".parse().expect("an agent");
            let agent = spec.build(&game, None, &mut ludex_game::Rng::seeded(1)).expect("built");
            Seated { agent, line: Line::new(), shown: String::new(), bounds: false }
        };
        for table in 0..MOST + 2 {
            seats.put(&format!("t{table}"), first, "random".to_string(), agent());
        }
        assert!(seats.take("t1", first, "random").is_none(), "gone to make room");
        assert!(
            seats.take("t2", first, "other").is_none()
                && seats.take("t2", Player(1), "random").is_none()
        );
        assert!(seats.take("t2", first, "random").is_some());
        assert!(seats.take("t2", first, "random").is_none(), "it left");
        // One for each seat.
        seats.put("t9", first, "other".to_string(), agent());
        assert!(
            seats.take("t9", first, "random").is_none()
                && seats.take("t9", first, "other").is_some()
        );
    }
}
