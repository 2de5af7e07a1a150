//! Moves that win at once are played before anything else.

use ludex_game::playout::Decisive;

use crate::spec::{Describe, Settings};

/// `decisive(anti)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecisiveSettings {
    /// Where nothing wins, moves that let the next player win at once are avoided.
    pub anti: bool,
}

impl Settings for DecisiveSettings {
    const NAME: &'static str = "decisive";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.flag("anti", &mut self.anti, "avoid moves that let the next player win at once");
    }
}

impl DecisiveSettings {
    /// What playouts look for.
    pub(super) fn level(self) -> Decisive {
        if self.anti { Decisive::WinsAndDefences } else { Decisive::Wins }
    }
}
