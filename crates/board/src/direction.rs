//! Directions across a board.

/// An absolute direction: a relation between neighbours, a point of the compass, a sense of
/// rotation or a direction in space. The order is fixed: radials are listed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the points of the compass need no explanation")]
pub enum Direction {
    /// Every neighbour.
    All,
    /// Not along an axis.
    Angled,
    /// Neighbours that touch.
    Adjacent,
    /// Along an axis.
    Axial,
    /// Across a common side.
    Orthogonal,
    /// Across a common corner, straight on.
    Diagonal,
    /// Across a common corner, not straight on.
    OffDiagonal,
    /// On the same height.
    SameLayer,
    /// To a greater height.
    Upward,
    /// To a lesser height.
    Downward,
    /// Around the middle, towards it or away from it.
    Rotational,
    /// Below a piece, on its stack.
    Base,
    /// The sites a site rests on.
    Support,
    N,
    E,
    S,
    W,
    NE,
    SE,
    NW,
    SW,
    NNW,
    WNW,
    WSW,
    SSW,
    SSE,
    ESE,
    ENE,
    NNE,
    /// Clockwise around the middle.
    CW,
    /// Counter-clockwise around the middle.
    CCW,
    /// Towards the middle.
    In,
    /// Away from the middle.
    Out,
    /// Straight up.
    U,
    UN,
    UNE,
    UE,
    USE,
    US,
    USW,
    UW,
    UNW,
    /// Straight down.
    D,
    DN,
    DNE,
    DE,
    DSE,
    DS,
    DSW,
    DW,
    DNW,
}

/// A set of directions, one bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DirectionSet(u64);

impl DirectionSet {
    /// The empty set.
    pub const EMPTY: DirectionSet = DirectionSet(0);

    /// The set of the given directions.
    pub const fn of(directions: &[Direction]) -> Self {
        let mut bits = 0;
        let mut n = 0;
        while n < directions.len() {
            bits |= 1 << directions[n] as u8;
            n += 1;
        }
        DirectionSet(bits)
    }

    /// Adds a direction.
    pub fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction as u8;
    }

    /// Whether the direction is in the set.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction as u8) != 0
    }

    /// The directions in either set.
    pub const fn union(self, other: Self) -> Self {
        DirectionSet(self.0 | other.0)
    }

    /// The directions of the set in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.contains(direction))
    }
}

use Direction as Dir;

impl Direction {
    /// How many directions there are.
    pub const COUNT: usize = 51;

    /// All directions in their fixed order.
    pub const ALL: [Direction; Self::COUNT] = [
        Dir::All,
        Dir::Angled,
        Dir::Adjacent,
        Dir::Axial,
        Dir::Orthogonal,
        Dir::Diagonal,
        Dir::OffDiagonal,
        Dir::SameLayer,
        Dir::Upward,
        Dir::Downward,
        Dir::Rotational,
        Dir::Base,
        Dir::Support,
        Dir::N,
        Dir::E,
        Dir::S,
        Dir::W,
        Dir::NE,
        Dir::SE,
        Dir::NW,
        Dir::SW,
        Dir::NNW,
        Dir::WNW,
        Dir::WSW,
        Dir::SSW,
        Dir::SSE,
        Dir::ESE,
        Dir::ENE,
        Dir::NNE,
        Dir::CW,
        Dir::CCW,
        Dir::In,
        Dir::Out,
        Dir::U,
        Dir::UN,
        Dir::UNE,
        Dir::UE,
        Dir::USE,
        Dir::US,
        Dir::USW,
        Dir::UW,
        Dir::UNW,
        Dir::D,
        Dir::DN,
        Dir::DNE,
        Dir::DE,
        Dir::DSE,
        Dir::DS,
        Dir::DSW,
        Dir::DW,
        Dir::DNW,
    ];

    /// The sixteen points of the compass, clockwise from north.
    pub const COMPASS: [Direction; 16] = [
        Dir::N,
        Dir::NNE,
        Dir::NE,
        Dir::ENE,
        Dir::E,
        Dir::ESE,
        Dir::SE,
        Dir::SSE,
        Dir::S,
        Dir::SSW,
        Dir::SW,
        Dir::WSW,
        Dir::W,
        Dir::WNW,
        Dir::NW,
        Dir::NNW,
    ];

    /// The senses of rotation: outwards and on clockwise.
    pub const ROTATIONS: [Direction; 4] = [Dir::Out, Dir::CW, Dir::In, Dir::CCW];

    /// The directions in space, downwards first.
    pub const SPATIAL: [Direction; 18] = [
        Dir::D,
        Dir::DN,
        Dir::DNE,
        Dir::DE,
        Dir::DSE,
        Dir::DS,
        Dir::DSW,
        Dir::DW,
        Dir::DNW,
        Dir::U,
        Dir::UN,
        Dir::UNE,
        Dir::UE,
        Dir::USE,
        Dir::US,
        Dir::USW,
        Dir::UW,
        Dir::UNW,
    ];

    /// The direction with this name.
    pub fn from_name(name: &str) -> Option<Direction> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; Direction::COUNT] = [
            "All",
            "Angled",
            "Adjacent",
            "Axial",
            "Orthogonal",
            "Diagonal",
            "OffDiagonal",
            "SameLayer",
            "Upward",
            "Downward",
            "Rotational",
            "Base",
            "Support",
            "N",
            "E",
            "S",
            "W",
            "NE",
            "SE",
            "NW",
            "SW",
            "NNW",
            "WNW",
            "WSW",
            "SSW",
            "SSE",
            "ESE",
            "ENE",
            "NNE",
            "CW",
            "CCW",
            "In",
            "Out",
            "U",
            "UN",
            "UNE",
            "UE",
            "USE",
            "US",
            "USW",
            "UW",
            "UNW",
            "D",
            "DN",
            "DNE",
            "DE",
            "DSE",
            "DS",
            "DSW",
            "DW",
            "DNW",
        ];
        NAMES[self as usize]
    }

    /// Whether this is one way to go rather than a group of neighbours.
    pub fn is_specific(self) -> bool {
        self as u8 >= Dir::N as u8
    }

    /// Place in the circle of its kind (compass, rotation, space); `None` for groups.
    pub fn index(self) -> Option<usize> {
        let place = |ring: &[Direction]| ring.iter().position(|&d| d == self);
        place(&Self::COMPASS).or_else(|| place(&Self::ROTATIONS)).or_else(|| place(&Self::SPATIAL))
    }

    /// The direction of an angle in radians from east (counter-clockwise) and a change of height.
    /// With `fine` the compass has sixteen points, otherwise eight; in space it always has eight.
    pub fn of_angle(angle: f64, height: i32, fine: bool) -> Direction {
        use std::f64::consts::PI;
        let mut angle = angle;
        while angle < 0.0 {
            angle += 2.0 * PI;
        }
        let points = if fine { 16 } else { 8 };
        let sector = 2.0 * PI / f64::from(points);
        let half = sector / 2.0;
        // The nth point counter-clockwise from east.
        let nth = (0..points).find(|&k| angle < half + f64::from(k) * sector).unwrap_or(0) as usize;
        let sixteenth = if fine { nth } else { 2 * nth };
        if height == 0 {
            return Self::COMPASS[(20 - sixteenth) % 16];
        }
        // In space everything between two axes is the diagonal between them.
        let eighth =
            if sixteenth.is_multiple_of(4) { sixteenth / 2 } else { sixteenth / 4 * 2 + 1 };
        let offset = if height < 0 { 1 } else { 10 };
        Self::SPATIAL[offset + (10 - eighth) % 8]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for (n, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(direction as usize, n);
            assert_eq!(Direction::from_name(direction.name()), Some(direction));
            assert_eq!(direction.name(), format!("{direction:?}"));
        }
    }

    #[test]
    fn angles_name_the_points_of_the_compass() {
        let degrees = |d: f64| d.to_radians();
        assert_eq!(Direction::of_angle(degrees(0.0), 0, false), Dir::E);
        assert_eq!(Direction::of_angle(degrees(90.0), 0, false), Dir::N);
        assert_eq!(Direction::of_angle(degrees(60.0), 0, true), Dir::NNE);
        assert_eq!(Direction::of_angle(degrees(-90.0), 0, true), Dir::S);
        assert_eq!(Direction::of_angle(degrees(180.0), 0, true), Dir::W);
        assert_eq!(Direction::of_angle(degrees(45.0), 1, true), Dir::UNE);
        assert_eq!(Direction::of_angle(degrees(20.0), -1, true), Dir::DNE);
        assert_eq!(Direction::of_angle(degrees(180.0), -1, false), Dir::DW);
    }
}
