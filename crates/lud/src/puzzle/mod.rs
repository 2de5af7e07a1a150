//! Deduction puzzles: sites take values, and constraints say which. A puzzle is a game for one player
//! whose moves set a site to a value that contradicts nothing set so far; a value may be changed.
//!
//! Constraints are written out for the sites of the board once (`ground.rs`) as formulas over values. The
//! game and the solver (`solve.rs`) judge by the same formulas.

mod apart;
mod arrange;
mod clues;
mod ground;
mod groups;
mod joints;
mod rules;
mod solve;
mod standing;

pub use clues::Clue;
pub(super) use clues::clues;
pub use solve::{MOST_VALUES, Solution, Verdict};

use super::action::Change;
use super::ctx::Ctx;
use super::game::Compiled;
use super::ir::{Cmp, Start};
use super::moves::Mv;
use super::show;
use super::topo::SiteType;
pub(super) use ground::ground;
use standing::Standing;

/// A puzzle, written out.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The kind of its sites.
    pub kind: SiteType,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// The sites that are to be set, in order.
    pub variables: Vec<i32>,
    /// What must hold, all of it.
    pub(crate) formulas: Vec<Formula>,
    /// What a solution must fulfil, where that is more.
    pub(crate) strict: Option<Vec<Formula>>,
    /// By site, the formulas that speak of it.
    touching: Vec<Vec<u32>>,
}

/// A statement about the values of sites.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    /// Known.
    Const(bool),
    /// Not.
    Not(Box<Formula>),
    /// All of them.
    All(Vec<Formula>),
    /// Any of them.
    Any(Vec<Formula>),
    /// No two sites have the same value, and none is nought; exceptions apart.
    Different(Vec<i32>, Vec<i32>),
    /// The values add up to a number.
    Sum(Vec<i32>, i32),
    /// So many sites have a value.
    Count(Vec<i32>, i32, i32),
    /// All have the same value.
    Alike(Vec<i32>),
    /// Two lists of sites are filled alike.
    Twins(Vec<i32>, Vec<i32>),
    /// Comparison.
    Compare(Cmp, Operand, Operand),
    /// Comparison of the number of groups that sites form which are not nought.
    Groups(Cmp, Neighbours, i32),
}

/// By site, its neighbours.
pub(crate) type Neighbours = Vec<Vec<i32>>;

/// A number in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// The value of a site.
    Site(i32),
    /// A number.
    Number(i32),
}

/// Values by site, as far as they are set.
pub trait Values: Fn(i32) -> Option<i32> {}

impl<T: Fn(i32) -> Option<i32>> Values for T {}

impl Formula {
    /// The opposite.
    fn not(formula: Formula) -> Formula {
        match formula {
            Formula::Const(known) => Formula::Const(!known),
            Formula::Not(inner) => *inner,
            Formula::Compare(Cmp::Eq, a, b) => Formula::Compare(Cmp::Ne, a, b),
            Formula::Compare(Cmp::Ne, a, b) => Formula::Compare(Cmp::Eq, a, b),
            other => Formula::Not(Box::new(other)),
        }
    }

    /// All of them, as plainly as it can be said.
    fn all(parts: Vec<Formula>) -> Formula {
        Formula::joined(parts, false)
    }

    /// Any of them, as plainly as it can be said.
    fn any(parts: Vec<Formula>) -> Formula {
        Formula::joined(parts, true)
    }

    /// Several of which one that is `decisive` decides.
    fn joined(mut parts: Vec<Formula>, decisive: bool) -> Formula {
        parts.retain(|part| *part != Formula::Const(!decisive));
        match parts.len() {
            _ if parts.contains(&Formula::Const(decisive)) => Formula::Const(decisive),
            0 => Formula::Const(!decisive),
            1 => parts.remove(0),
            _ if decisive => Formula::Any(parts),
            _ => Formula::All(parts),
        }
    }

    /// Whether it holds, or nothing where that depends on sites that are not set. A formula that says
    /// nothing may still be impossible to fulfil: the game asks no more than this, the solver does.
    pub(crate) fn truth(&self, values: &impl Values) -> Option<bool> {
        match self {
            Formula::Const(known) => Some(*known),
            Formula::Not(a) => a.truth(values).map(|holds| !holds),
            Formula::All(all) => joined(all.iter().map(|f| f.truth(values)), false),
            Formula::Any(all) => joined(all.iter().map(|f| f.truth(values)), true),
            Formula::Different(sites, except) => different(sites, except, values),
            Formula::Sum(sites, total) => {
                let (mut sum, mut open) = (0, false);
                for &site in sites {
                    match values(site) {
                        Some(value) => sum += value,
                        None => open = true,
                    }
                }
                reached(sum, *total, open)
            }
            Formula::Count(sites, wanted, total) => {
                let set = |site: &&i32| values(**site) == Some(*wanted);
                let count = sites.iter().filter(set).count() as i32;
                reached(count, *total, sites.iter().any(|&site| values(site).is_none()))
            }
            Formula::Alike(sites) => {
                let mut set = sites.iter().filter_map(|&site| values(site));
                let first = set.next()?;
                match set.any(|value| value != first) {
                    true => Some(false),
                    false if sites.iter().any(|&site| values(site).is_none()) => None,
                    false => Some(true),
                }
            }
            Formula::Twins(a, b) => {
                let pairs = a.iter().zip(b);
                let same = pairs.map(|(&a, &b)| Some(values(a)? == values(b)?));
                joined(same, false)
            }
            Formula::Compare(cmp, a, b) => Some(cmp.holds(a.value(values)?, b.value(values)?)),
            Formula::Groups(cmp, near, number) => groups(*cmp, near, *number, values),
        }
    }

    /// Does something with every site it speaks of; one may come several times.
    pub(crate) fn each_site(&self, act: &mut dyn FnMut(i32)) {
        match self {
            Formula::Const(_) => {}
            Formula::Not(a) => a.each_site(act),
            Formula::All(all) | Formula::Any(all) => all.iter().for_each(|f| f.each_site(act)),
            Formula::Different(sites, _)
            | Formula::Sum(sites, _)
            | Formula::Count(sites, _, _)
            | Formula::Alike(sites) => sites.iter().for_each(|&site| act(site)),
            Formula::Twins(a, b) => a.iter().chain(b).for_each(|&site| act(site)),
            Formula::Compare(_, a, b) => {
                for operand in [a, b] {
                    if let Operand::Site(site) = operand {
                        act(*site);
                    }
                }
            }
            Formula::Groups(_, near, _) => (0..near.len() as i32).for_each(act),
        }
    }
}

impl Operand {
    fn value(self, values: &impl Values) -> Option<i32> {
        match self {
            Operand::Site(site) => values(site),
            Operand::Number(number) => Some(number),
        }
    }
}

/// What several say together: one that is `decisive` decides.
fn joined(all: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut known = Some(!decisive);
    for truth in all {
        match truth {
            Some(holds) if holds == decisive => return Some(decisive),
            Some(_) => {}
            None => known = None,
        }
    }
    known
}

/// Whether something that only grows is a number: not if it is more, and not if it is less at the end.
fn reached(now: i32, total: i32, open: bool) -> Option<bool> {
    match open {
        _ if now > total => Some(false),
        true => None,
        false => Some(now == total),
    }
}

fn different(sites: &[i32], except: &[i32], values: &impl Values) -> Option<bool> {
    let mut seen: Vec<i32> = Vec::with_capacity(sites.len());
    let mut open = false;
    for &site in sites {
        match values(site) {
            None => open = true,
            Some(value) if except.contains(&value) => {}
            Some(value) if value == 0 || seen.contains(&value) => return Some(false),
            Some(value) => seen.push(value),
        }
    }
    if open { None } else { Some(true) }
}

/// Groups can only be fewer than those that are apart in all that may still be set.
fn groups(cmp: Cmp, near: &[Vec<i32>], number: i32, values: &impl Values) -> Option<bool> {
    let open = (0..near.len() as i32).any(|site| values(site).is_none());
    if open && !is_least(cmp) {
        return None;
    }
    match cmp.holds(count_groups(near, values), number) {
        true if open => None,
        holds => Some(holds),
    }
}

/// Whether a comparison that fails can fail no less when more sites are set.
fn is_least(cmp: Cmp) -> bool {
    matches!(cmp, Cmp::Lt | Cmp::Le)
}

/// The groups that are apart in all that may still be set.
fn count_groups(near: &[Vec<i32>], values: &impl Values) -> i32 {
    let mut seen = vec![false; near.len()];
    let mut count = 0;
    for start in 0..near.len() {
        if seen[start] || values(start as i32).is_none_or(|value| value == 0) {
            continue;
        }
        count += 1;
        let mut reached = vec![start];
        seen[start] = true;
        while let Some(site) = reached.pop() {
            for &next in &near[site] {
                let next = next as usize;
                if !seen[next] && values(next as i32) != Some(0) {
                    seen[next] = true;
                    reached.push(next);
                }
            }
        }
    }
    count
}

impl Puzzle {
    fn new(kind: SiteType, (min, max): (i32, i32), formulas: Vec<Formula>, sites: usize) -> Self {
        let mut touching = vec![Vec::new(); sites];
        for (at, formula) in formulas.iter().enumerate() {
            formula.each_site(&mut |site| {
                if let Some(list) = touching.get_mut(site as usize)
                    && list.last() != Some(&(at as u32))
                {
                    list.push(at as u32);
                }
            });
        }
        Puzzle { kind, min, max, variables: Vec::new(), formulas, strict: None, touching }
    }

    /// The piece that stands for a value.
    pub(crate) fn piece(&self, value: i32) -> i32 {
        value - self.min + 1
    }

    /// Whether nothing is contradicted by what is set.
    pub fn is_sound(&self, values: &impl Values) -> bool {
        self.formulas.iter().all(|formula| formula.truth(values) != Some(false))
    }

    /// Whether everything holds, sites that are not set being nought.
    pub fn is_solved_by(&self, values: &impl Values) -> bool {
        let values = |site: i32| Some(values(site).unwrap_or(0));
        self.formulas.iter().all(|formula| formula.truth(&values) == Some(true))
    }
}

impl Compiled {
    /// Solves a deduction puzzle; nothing if the game is none. `stop` is asked now and then.
    pub fn solve(&self, stop: &mut dyn FnMut() -> bool) -> Option<Verdict> {
        let given: Vec<(i32, i32)> = self.given().copied().collect();
        Some(self.puzzle.as_ref()?.solve(&given, stop))
    }

    /// How many sites of a puzzle may have any value, since no constraint speaks of them.
    pub fn free_sites(&self) -> usize {
        let touching = self.puzzle.iter().flat_map(|puzzle| (0..).zip(&puzzle.touching));
        let given = |site: i32| self.given().any(|(known, _)| *known == site);
        touching.filter(|(site, formulas)| formulas.is_empty() && !given(*site)).count()
    }

    /// The values of a puzzle that are given, by site.
    fn given(&self) -> impl Iterator<Item = &(i32, i32)> {
        self.start.iter().flat_map(|rule| match rule {
            Start::Assign(_, given) => given.as_slice(),
            _ => &[],
        })
    }

    /// A solution as it looks on the board.
    pub fn show_solution(&self, solution: &Solution) -> String {
        let mut ctx = Ctx::new(self, self.empty_state());
        let kind = self.topo.default;
        for &(site, value) in solution {
            ctx.apply_change(&Change::Assign { kind, site, value });
        }
        show::board(self, &ctx.s, None)
    }

    /// The name of a site of the board.
    pub fn site_name(&self, site: i32) -> String {
        show::site(self, None, site)
    }
}

impl Ctx<'_> {
    /// The value of a site of a puzzle, once it is set.
    fn set_value(&self, puzzle: &Puzzle, site: i32) -> Option<i32> {
        let piece = i32::from(self.s.layer(puzzle.kind).top(site).what);
        (piece > 0).then(|| piece - 1 + puzzle.min)
    }

    /// `(satisfy …)`: every site that is not given, set to another value that contradicts nothing.
    pub(crate) fn satisfying(&mut self) -> Vec<Mv> {
        let Some(puzzle) = &self.g.puzzle else {
            return Vec::new();
        };
        let (kind, mover) = (puzzle.kind, self.s.mover);
        let set: Vec<Option<i32>> =
            (0..puzzle.touching.len() as i32).map(|site| self.set_value(puzzle, site)).collect();
        let values = |site: i32| set.get(site as usize).copied().flatten();
        let standing = Standing::new(puzzle, &values);
        let (mut list, mut left) = (Vec::new(), Vec::new());
        for &site in &puzzle.variables {
            let now = values(site);
            standing.allowed(site, &mut left);
            for &value in left.iter().filter(|&&value| now != Some(value)) {
                if self.takes(site) {
                    let change = Change::Assign { kind, site, value };
                    list.push(Mv::of(change, true).by(mover));
                }
            }
        }
        list
    }

    /// `(is Solved)`: everything holds, sites that are not set being nought.
    pub(crate) fn is_solved(&self) -> bool {
        self.g
            .puzzle
            .as_ref()
            .is_some_and(|puzzle| puzzle.is_solved_by(&|site| self.set_value(puzzle, site)))
    }
}
