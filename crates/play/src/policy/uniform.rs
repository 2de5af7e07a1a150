//! Every legal move with the same probability.

use ludex_game::Game;
use ludex_game::playout::Sampling;

use super::{PlayoutPolicy, PolicySettings};
use crate::spec::{Describe, Settings};

/// `uniform`: there is nothing to set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UniformSettings;

impl Settings for UniformSettings {
    const NAME: &'static str = "uniform";

    fn describe(&mut self, _: &mut dyn Describe) {}
}

impl PolicySettings for UniformSettings {
    fn build(&self, _: &dyn Game) -> Box<dyn PlayoutPolicy> {
        Box::new(Uniform::default())
    }
}

/// Plays uniformly and learns nothing.
#[derive(Debug, Default)]
pub struct Uniform(Sampling);

impl PlayoutPolicy for Uniform {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.0
    }
}
