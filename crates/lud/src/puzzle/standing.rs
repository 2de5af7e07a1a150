//! What is known of the constraints while nothing is set: asked for every site and value of the board, it is
//! found once.

use super::joints::Joints;
use super::{Formula, Puzzle, Values, is_least};

/// The values that are set, and what they mean to the constraints.
pub(super) struct Standing<'p, V> {
    puzzle: &'p Puzzle,
    values: &'p V,
    /// By formula.
    known: Vec<Known>,
}

/// What is known of a constraint.
enum Known {
    /// Each value is tried.
    Nothing,
    /// The groups there are.
    Groups(Joints),
    /// The values of sites that must differ.
    Different(Taken),
}

/// The values of sites that must differ.
struct Taken {
    /// The smallest value.
    least: i32,
    /// By value from the smallest one, how many sites have it.
    count: Vec<u32>,
    /// By value from the smallest one, whether it may come several times.
    free: Vec<bool>,
    /// How many sites have a value that makes the constraint fail by itself: nought.
    noughts: u32,
    /// How many values come more than once.
    doubled: u32,
}

impl<'p, V: Values> Standing<'p, V> {
    pub(super) fn new(puzzle: &'p Puzzle, values: &'p V) -> Self {
        let known = puzzle.formulas.iter().map(|formula| Known::of(puzzle, formula, values));
        Standing { puzzle, values, known: known.collect() }
    }

    /// The values that a site may be set to and that contradict nothing, in order.
    pub(super) fn allowed(&self, site: i32, left: &mut Vec<i32>) {
        let puzzle = self.puzzle;
        left.clear();
        left.extend(puzzle.min..=puzzle.max);
        for &at in &puzzle.touching[site as usize] {
            let (formula, known) = (&puzzle.formulas[at as usize], &self.known[at as usize]);
            known.narrow(formula, self.values, site, left);
        }
    }
}

impl Puzzle {
    /// The values that a site may be set to and that contradict nothing, in order.
    pub fn allowed(&self, values: &impl Values, site: i32) -> Vec<i32> {
        let mut left: Vec<i32> = (self.min..=self.max).collect();
        for &at in &self.touching[site as usize] {
            let formula = &self.formulas[at as usize];
            Known::of(self, formula, values).narrow(formula, values, site, &mut left);
        }
        left
    }

    /// How many values all sites may be set to that contradict nothing.
    pub fn count_allowed(&self, values: &impl Values) -> usize {
        let (standing, mut left) = (Standing::new(self, values), Vec::new());
        let allowed = self.variables.iter().map(|&site| {
            standing.allowed(site, &mut left);
            left.len()
        });
        allowed.sum()
    }
}

impl Known {
    fn of(puzzle: &Puzzle, formula: &Formula, values: &impl Values) -> Known {
        match formula {
            Formula::Groups(cmp, near, _) if is_least(*cmp) => {
                Known::Groups(Joints::new(near, values))
            }
            Formula::Different(sites, except) => {
                Known::Different(Taken::new(puzzle, sites, except, values))
            }
            _ => Known::Nothing,
        }
    }
}

impl Known {
    /// Leaves those values of a site that do not contradict the constraint.
    fn narrow(&self, formula: &Formula, values: &impl Values, site: i32, left: &mut Vec<i32>) {
        match (self, formula) {
            (Known::Groups(joints), Formula::Groups(cmp, near, number)) => {
                left.retain(|value| cmp.holds(joints.after(near, site, *value), *number));
            }
            (Known::Different(taken), _) => {
                let now = values(site);
                match taken.fails_without(now) {
                    true => left.clear(),
                    false => left.retain(|&value| taken.admits(now, value)),
                }
            }
            _ => left.retain(|&value| {
                let after = |other| if other == site { Some(value) } else { values(other) };
                formula.truth(&after) != Some(false)
            }),
        }
    }
}

impl Taken {
    fn new(puzzle: &Puzzle, sites: &[i32], except: &[i32], values: &impl Values) -> Self {
        // Sites that are not set yet may have smaller values in records, down to nought.
        let all = puzzle.min.min(0)..=puzzle.max.max(0);
        let mut taken = Taken {
            least: *all.start(),
            count: vec![0; all.clone().count()],
            free: all.map(|value| except.contains(&value)).collect(),
            noughts: 0,
            doubled: 0,
        };
        for value in sites.iter().filter_map(|&site| values(site)) {
            let Some(at) = taken.place(value).filter(|&at| !taken.free[at]) else {
                continue;
            };
            taken.count[at] += 1;
            taken.noughts += u32::from(value == 0);
            taken.doubled += u32::from(taken.count[at] == 2);
        }
        taken
    }

    fn place(&self, value: i32) -> Option<usize> {
        let at = usize::try_from(value - self.least).ok();
        at.filter(|&at| at < self.count.len())
    }

    /// Whether the other sites contradict each other, whatever a site is set to that has this value now.
    fn fails_without(&self, now: Option<i32>) -> bool {
        let own = now.and_then(|now| self.place(now)).filter(|&at| !self.free[at]);
        let (nought, second) = match own {
            Some(at) => (u32::from(now == Some(0)), u32::from(self.count[at] == 2)),
            None => (0, 0),
        };
        self.noughts > nought || self.doubled > second
    }

    /// Whether a site that has a value now, if any, differs from the others with another one.
    fn admits(&self, now: Option<i32>, value: i32) -> bool {
        let Some(at) = self.place(value) else {
            return true;
        };
        self.free[at] || value != 0 && self.count[at] == u32::from(now == Some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Cmp;
    use crate::topo::SiteType;
    use ludex_game::Rng;

    #[test]
    fn what_is_allowed_is_what_contradicts_nothing() {
        let mut rng = Rng::seeded(16);
        let mut draw = |n: u32| rng.below(n) as i32;
        let mut counts = Vec::new();
        for round in 0..600 {
            let (sites, min) = (3 + draw(6), draw(2));
            let max = min + 1 + draw(4);
            let some = |draw: &mut dyn FnMut(u32) -> i32| -> Vec<i32> {
                (0..sites).filter(|_| draw(3) > 0).collect()
            };
            let mut formulas = vec![Formula::Different(some(&mut draw), Vec::new())];
            formulas.push(Formula::Different(some(&mut draw), vec![draw(3)]));
            formulas.push(Formula::Sum(some(&mut draw), draw(12)));
            let line = |site: i32| [site - 1, site + 1].into_iter();
            let near = |site| line(site).filter(|next| (0..sites).contains(next)).collect();
            formulas.push(Formula::Groups(Cmp::Lt, (0..sites).map(near).collect(), 3));
            formulas.truncate(1 + round % 4);
            let mut puzzle = Puzzle::new(SiteType::Cell, (min, max), formulas, sites as usize);
            puzzle.variables = (0..sites).collect();
            let set: Vec<Option<i32>> = (0..sites)
                .map(|_| (draw(3) > 0).then(|| min + draw((max - min + 1) as u32)))
                .collect();
            let values = |site: i32| set[site as usize];
            let standing = Standing::new(&puzzle, &values);
            let mut total = 0;
            for site in 0..sites {
                let fits = |value: &i32| {
                    let after = |at| if at == site { Some(*value) } else { values(at) };
                    let touching = &puzzle.touching[site as usize];
                    let mut formulas = touching.iter().map(|&at| &puzzle.formulas[at as usize]);
                    formulas.all(|formula| formula.truth(&after) != Some(false))
                };
                let expected: Vec<i32> = (min..=max).filter(fits).collect();
                let mut left = Vec::new();
                standing.allowed(site, &mut left);
                assert_eq!(left, expected, "{puzzle:?} {set:?} {site}");
                assert_eq!(puzzle.allowed(&values, site), expected);
                total += expected.len();
            }
            assert_eq!(puzzle.count_allowed(&values), total);
            counts.push(total);
        }
        assert!(counts.contains(&0) && counts.iter().any(|&n| n > 8));
    }
}
