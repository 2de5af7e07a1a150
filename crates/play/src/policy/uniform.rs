//! Every legal move with the same probability.

use ludex_game::playout::Sampling;

use super::PlayoutPolicy;

/// Plays uniformly and learns nothing.
#[derive(Debug, Default)]
pub struct Uniform(Sampling);

impl PlayoutPolicy for Uniform {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.0
    }
}
