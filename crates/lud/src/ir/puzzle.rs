//! The constraints of a deduction puzzle, before they are written out for the sites of its board.

use super::{Cmp, Groups, Int, Region};
use crate::topo::{Dir, SiteType};

/// What is given of a puzzle besides its constraints.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The smallest and the largest value of a site.
    pub values: Option<(i32, i32)>,
    /// Numbers given at sites or regions.
    pub hints: Vec<Hint>,
    /// The regions that constraints speak of when they name none.
    pub regions: Vec<SheetRegion>,
    /// The values that are given, by site.
    pub given: Vec<(i32, i32)>,
}

/// A number given at a region.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The kind of its sites.
    pub kind: SiteType,
    /// Its sites in order.
    pub sites: Vec<i32>,
    /// The number.
    pub number: i32,
}

/// Regions that were given together.
#[derive(Clone, Debug)]
pub struct SheetRegion {
    /// Their name.
    pub name: Box<str>,
    /// The regions.
    pub parts: SheetParts,
}

/// Regions that were given together.
#[derive(Clone, Debug)]
pub enum SheetParts {
    /// Lists of sites, such as all rows.
    Lists(Vec<Vec<i32>>),
    /// The diagonals from corner to corner. The reference finds none: moves and the end ignore them as it does, and
    /// only the solver keeps to them.
    Diagonals(Vec<Vec<i32>>),
    /// For every site the sites in line with it, itself first.
    Stars(Vec<Vec<i32>>),
    /// The regions of the hints.
    Hints,
    /// Whatever these functions give.
    Regions(Vec<Region>),
}

/// A constraint.
#[derive(Clone, Debug)]
pub enum Clause {
    /// Always or never.
    Const(bool),
    /// Not.
    Not(Box<Clause>),
    /// All of them.
    And(Vec<Clause>),
    /// Any of them.
    Or(Vec<Clause>),
    /// One or the other.
    If(Box<Clause>, Box<Clause>, Box<Clause>),
    /// For all of something.
    Each(Over, Box<Clause>),
    /// `(all Different …)`.
    Different(Option<Region>, Vec<Int>),
    /// `(is Sum …)`: of a region, or of all regions whose name has a part.
    Sum(Option<Region>, Box<str>, Term),
    /// `(is Count …)`: so many sites of a region have a value.
    Count(Region, Int, Term),
    /// `(is Unique)`.
    Unique,
    /// `(is Line …)` anywhere.
    Line(Int, Dir),
    /// Comparison of numbers.
    Compare(Cmp, Term, Term),
    /// `(is In n (results …))`.
    Among(Term, Region, Region, Term),
    /// Comparison of the number of groups of sites that are not nought.
    Groups(Cmp, Box<Groups>, Int),
}

/// What a constraint holds for.
#[derive(Clone, Debug)]
pub enum Over {
    /// The sites of a region, as `(site)`.
    Sites(Region),
    /// All vertices, edges or cells, as `(from)`.
    Elements(SiteType),
    /// All hints, their first sites as `(from)` and `(to)`.
    Hints,
}

/// A number in a constraint.
#[derive(Clone, Debug)]
pub enum Term {
    /// One that is known.
    Number(Int),
    /// The value of a site.
    ValueAt(Int),
    /// The number of the hint at hand.
    Hint,
    /// The number given at a site.
    HintAt(SiteType, Int),
}
