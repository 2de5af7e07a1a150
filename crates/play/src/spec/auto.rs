//! `auto`: whatever plays a game best, as far as is known. What that is depends on the game, so whoever seats
//! players chooses it before the first match.

use super::{Describe, Settings};

/// `auto(threads=2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoSettings {
    /// How many threads the chosen agent thinks with, where it can.
    pub threads: u64,
}

impl Default for AutoSettings {
    fn default() -> Self {
        AutoSettings { threads: 1 }
    }
}

impl Settings for AutoSettings {
    const NAME: &'static str = "auto";

    fn describe(&mut self, describe: &mut dyn Describe) {
        let help = "threads that what is chosen thinks with";
        describe.count("threads", &mut self.threads, 1..=1024, help);
    }
}
