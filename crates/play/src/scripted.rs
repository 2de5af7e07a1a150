//! Players that come with a game.

use std::sync::Arc;

use ludex_game::{Game, GameError, Player, Rng, Script, State};

use crate::agent::{Agent, Choice};
use crate::search::Budget;

/// Plays by a script of the game's own.
pub struct ScriptedAgent {
    game: Arc<dyn Game>,
    script: Script,
    rng: Rng,
}

impl ScriptedAgent {
    /// The scripted player with this text, if the game has one.
    pub fn new(game: Arc<dyn Game>, text: &str, rng: &mut Rng) -> Result<Self, GameError> {
        let script = game.script(text)?;
        Ok(ScriptedAgent { game, script, rng: rng.split() })
    }
}

impl Agent for ScriptedAgent {
    fn choose(&mut self, state: &State, player: Player, _: Budget) -> Choice {
        let scripts = self.game.scripts().expect("its script was understood");
        let mv = scripts.scripted_move(self.script, state, player, &mut self.rng);
        Choice { mv, report: None }
    }
}
