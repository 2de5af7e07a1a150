//! Drawing one member of a set, for games whose moves are cells.

use ludex_game::bits::{Bits, Job, Select};
use ludex_game::{Move, Rng};

/// Draws one member of a set that has some, each with the same probability.
pub(crate) struct Draw<'a, const N: usize> {
    pub places: Bits<N>,
    pub rng: &'a mut Rng,
}

impl<const N: usize> Job for Draw<'_, N> {
    type Output = Move;

    #[inline(always)]
    fn run<S: Select>(self) -> Move {
        let drawn = self.rng.below(self.places.count::<S>());
        Move(self.places.select::<S>(drawn) as u64)
    }
}
