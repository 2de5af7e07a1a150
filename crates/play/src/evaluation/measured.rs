//! Numbers that are measured anew in every position, from who is where.

use ludex_game::geometry::{Geometry, SiteId};
use ludex_game::{Coding, Families, Game, Player, State, View};

use super::guard::Lone;
use super::joining::{Ends, Ways};
use super::nearer::{Field, Stride};
use super::shape::{Places, Shape};

/// One sort of such numbers; all but mobility have as many for the viewer as for the other.
#[derive(Clone, Debug)]
pub(super) enum Measured {
    /// How many moves there are, for whoever is to move.
    Mobility,
    /// How pieces stand together.
    Shape(Places),
    /// Whose ground empty sites are.
    Nearer(Stride),
    /// What is missing to join one's sides.
    Joining(Ends),
    /// What stands beside a piece that there is only once.
    Guard(Lone),
}

/// A position, as one of two players sees it.
pub(super) struct Seen<'a> {
    pub game: &'a dyn Game,
    pub state: &'a State,
    pub geometry: &'a Geometry,
    pub view: &'a View,
    /// Whose piece is where: nought for nobody's, and a number for each side.
    pub who: &'a [u8],
    /// The numbers of the viewer and of the other.
    pub sides: [u8; 2],
    pub players: [Player; 2],
    /// Whose places at the start they have.
    pub homes: [usize; 2],
    /// Whether it is the viewer's turn.
    pub moves: bool,
}

/// Memory for measuring.
#[derive(Default)]
pub(super) struct Tools {
    marks: Vec<SiteId>,
    own: Vec<SiteId>,
    field: Field,
    ways: Ways,
    families: Families,
}

impl Measured {
    /// How many numbers there are.
    pub fn count(&self) -> usize {
        match self {
            Measured::Mobility => 1,
            Measured::Shape(_) => 2 * Shape::COUNT,
            Measured::Nearer(_) => 2,
            Measured::Joining(_) => 2 * Ends::COUNT,
            Measured::Guard(_) => 2 * Lone::COUNT,
        }
    }

    /// Calls `each(place, value)` for every number.
    pub fn measure(&self, seen: &Seen, tools: &mut Tools, mut each: impl FnMut(usize, f32)) {
        let Seen { geometry, who, .. } = *seen;
        let mut tell = |first: usize, numbers: &[f32]| {
            numbers.iter().enumerate().for_each(|(at, &number)| each(first + at, number));
        };
        match self {
            Measured::Mobility => {
                if let (true, families) = (seen.moves, &mut tools.families) {
                    families.clear();
                    seen.game.families(seen.state, seen.players[0], Coding::Plain, families);
                    // What may prove illegal is counted: to find out costs more than it tells.
                    tell(0, &[0.25 * (1.0 + families.count() as f32).ln()]);
                }
            }
            Measured::Nearer(stride) => {
                let counts = tools.field.nearer(geometry, *stride, who, seen.sides);
                tell(0, &counts.map(|count| 0.1 * count));
            }
            Measured::Shape(places) => {
                for (at, side) in seen.sides.into_iter().enumerate() {
                    let Tools { marks, own, .. } = &mut *tools;
                    own.clear();
                    let of_side = who.iter().enumerate().filter(|(_, who)| **who == side);
                    own.extend(of_side.map(|(site, _)| site as SiteId));
                    let shape = Shape::measure(geometry, places, who, own, marks);
                    tell(at * Shape::COUNT, &shape.numbers());
                }
            }
            Measured::Joining(ends) => {
                for (at, (side, home)) in seen.sides.into_iter().zip(seen.homes).enumerate() {
                    let numbers = ends.numbers(geometry, who, side, home, &mut tools.ways);
                    tell(at * Ends::COUNT, &numbers);
                }
            }
            Measured::Guard(lone) => {
                for at in 0..2 {
                    let (player, home, side) = (seen.players[at], seen.homes[at], seen.sides[at]);
                    let numbers = lone.numbers(geometry, seen.view, player, home, who, side);
                    tell(at * Lone::COUNT, &numbers);
                }
            }
        }
    }
}
