//! Constraints in the form in which they are propagated: what each rules out by itself.

use super::{Formula, Operand, Puzzle};
use crate::ir::Cmp;

/// The values a site may still have, bit by bit from the smallest.
pub(super) type Domain = u128;

/// Of a formula that nothing better is known about, so many pairs of site and value are tried.
pub(super) const MOST_TRIED: u32 = 64;

/// Choices of values for a sum of different values are listed up to this number.
const MOST_CHOICES: usize = 512;

/// A constraint in the form that is propagated.
pub(super) enum Rule {
    Different {
        sites: Vec<i32>,
        /// Values that may come several times.
        free: Domain,
        /// There are as many sites as values, so that each value has its place.
        full: bool,
    },
    Sum {
        sites: Vec<i32>,
        total: i32,
        /// The values that different sites can have together, where they are few.
        choices: Option<Vec<Domain>>,
    },
    Count {
        sites: Vec<i32>,
        value: Domain,
        total: usize,
    },
    Compare(Cmp, Operand, Operand),
    Other {
        formula: Formula,
        sites: Vec<i32>,
    },
}

/// What may still be, and where it was cut down.
pub(super) struct Cut<'a> {
    pub(super) open: &'a mut [Domain],
    pub(super) changed: &'a mut Vec<i32>,
}

impl Cut<'_> {
    fn of(&self, site: i32) -> Domain {
        self.open[site as usize]
    }

    fn is_set(&self, site: i32) -> bool {
        self.of(site).count_ones() == 1
    }

    fn keep(&mut self, site: i32, values: Domain) {
        let kept = self.of(site) & values;
        if kept != self.of(site) {
            self.open[site as usize] = kept;
            self.changed.push(site);
        }
    }
}

impl Rule {
    pub(super) fn sites(&self) -> Vec<i32> {
        match self {
            Rule::Different { sites, .. }
            | Rule::Sum { sites, .. }
            | Rule::Count { sites, .. }
            | Rule::Other { sites, .. } => sites.clone(),
            Rule::Compare(_, a, b) => {
                let site = |operand: &Operand| match operand {
                    Operand::Site(site) => Some(*site),
                    Operand::Number(_) => None,
                };
                [a, b].into_iter().filter_map(site).collect()
            }
        }
    }

    pub(super) fn propagate(&self, puzzle: &Puzzle, cut: &mut Cut<'_>) -> bool {
        match self {
            Rule::Different { sites, free, full } => differ(cut, sites, *free, *full),
            Rule::Sum { sites, total, choices } => {
                choices.as_ref().is_none_or(|choices| choose(cut, sites, choices))
                    && add_up(puzzle, cut, sites, *total)
            }
            Rule::Count { sites, value, total } => count(cut, sites, *value, *total),
            Rule::Compare(cmp, a, b) => compare(puzzle, cut, *cmp, *a, *b),
            Rule::Other { formula, sites } => try_values(puzzle, cut, formula, sites),
        }
    }
}

fn differ(cut: &mut Cut<'_>, sites: &[i32], free: Domain, full: bool) -> bool {
    let mut taken: Domain = 0;
    for &site in sites {
        let value = cut.of(site) & !free;
        if cut.is_set(site) && value != 0 {
            if taken & value != 0 {
                return false;
            }
            taken |= value;
        }
    }
    for &site in sites {
        if !cut.is_set(site) {
            cut.keep(site, !taken);
        }
    }
    if !full {
        return true;
    }
    let (mut once, mut twice, mut all): (Domain, Domain, Domain) = (0, 0, 0);
    for &site in sites {
        let domain = cut.of(site);
        twice |= once & domain;
        once |= domain;
        all |= domain;
    }
    let alone = once & !twice;
    for &site in sites {
        let mine = cut.of(site) & alone;
        if mine.count_ones() > 1 {
            return false;
        }
        if mine != 0 {
            cut.keep(site, mine);
        }
    }
    all.count_ones() as usize >= sites.len()
}

/// Of the values that different sites can have together, those that still fit.
fn choose(cut: &mut Cut<'_>, sites: &[i32], choices: &[Domain]) -> bool {
    let (mut fixed, mut any): (Domain, Domain) = (0, 0);
    for &site in sites {
        any |= cut.of(site);
        if cut.is_set(site) {
            fixed |= cut.of(site);
        }
    }
    let fits = |choice: &&Domain| {
        **choice & !any == 0
            && fixed & !**choice == 0
            && sites.iter().all(|&site| cut.of(site) & **choice != 0)
    };
    let allowed = choices.iter().filter(fits).fold(0, |all, choice| all | choice);
    sites.iter().for_each(|&site| cut.keep(site, allowed));
    allowed != 0
}

fn add_up(puzzle: &Puzzle, cut: &mut Cut<'_>, sites: &[i32], total: i32) -> bool {
    let low = |domain: Domain| domain.trailing_zeros() as i32 + puzzle.min;
    let high = |domain: Domain| 127 - domain.leading_zeros() as i32 + puzzle.min;
    let (mut least, mut most) = (0, 0);
    for &site in sites {
        let domain = cut.of(site);
        if domain == 0 {
            return false;
        }
        least += low(domain);
        most += high(domain);
    }
    if least > total || most < total {
        return false;
    }
    for &site in sites {
        let domain = cut.of(site);
        // What is left for this site when the others have as much, or as little, as they can.
        let from = total - (most - high(domain));
        let to = total - (least - low(domain));
        cut.keep(site, between(puzzle, from, to));
        if cut.of(site) == 0 {
            return false;
        }
    }
    true
}

/// The values from one to another.
fn between(puzzle: &Puzzle, from: i32, to: i32) -> Domain {
    (from.max(puzzle.min)..=to.min(puzzle.max)).fold(0, |all, value| all | puzzle.bit(value))
}

fn count(cut: &mut Cut<'_>, sites: &[i32], value: Domain, total: usize) -> bool {
    let have = sites.iter().filter(|&&site| cut.of(site) == value).count();
    let may = sites.iter().filter(|&&site| cut.of(site) & value != 0).count();
    if have > total || may < total {
        return false;
    }
    for &site in sites {
        if cut.of(site) == value || cut.of(site) & value == 0 {
            continue;
        }
        if have == total {
            cut.keep(site, !value);
        } else if may == total {
            cut.keep(site, value);
        }
    }
    true
}

fn compare(puzzle: &Puzzle, cut: &mut Cut<'_>, cmp: Cmp, a: Operand, b: Operand) -> bool {
    let values = |cut: &Cut<'_>, operand: Operand| match operand {
        Operand::Site(site) => bits(cut.of(site))
            .map(|value| value.trailing_zeros() as i32 + puzzle.min)
            .collect::<Vec<i32>>(),
        Operand::Number(number) => vec![number],
    };
    let (left, right) = (values(cut, a), values(cut, b));
    let kept = |mine: &[i32], fits: &dyn Fn(i32) -> bool| {
        mine.iter().filter(|&&value| fits(value)).fold(0, |all, &value| all | puzzle.bit(value))
    };
    if let Operand::Site(site) = a {
        cut.keep(site, kept(&left, &|value| right.iter().any(|&other| cmp.holds(value, other))));
    }
    if let Operand::Site(site) = b {
        cut.keep(site, kept(&right, &|value| left.iter().any(|&other| cmp.holds(other, value))));
    }
    left.iter().any(|&x| right.iter().any(|&y| cmp.holds(x, y)))
}

/// Rules out the values with which a formula cannot hold.
fn try_values(puzzle: &Puzzle, cut: &mut Cut<'_>, formula: &Formula, sites: &[i32]) -> bool {
    let known = |open: &[Domain], site: i32| {
        let domain = *open.get(site as usize)?;
        (domain.count_ones() == 1).then(|| domain.trailing_zeros() as i32 + puzzle.min)
    };
    if let Some(holds) = formula.truth(&|site| known(cut.open, site)) {
        return holds;
    }
    let open: Vec<i32> = sites.iter().copied().filter(|&site| !cut.is_set(site)).collect();
    let pairs: u32 = open.iter().map(|&site| cut.of(site).count_ones()).sum();
    if pairs > MOST_TRIED {
        return true;
    }
    for site in open {
        for value in bits(cut.of(site)) {
            let number = value.trailing_zeros() as i32 + puzzle.min;
            let with =
                |other: i32| if other == site { Some(number) } else { known(cut.open, other) };
            if formula.truth(&with) == Some(false) {
                cut.keep(site, !value);
            }
        }
        if cut.of(site) == 0 {
            return false;
        }
    }
    true
}

/// Every bit of a word.
pub(super) fn bits(word: Domain) -> impl Iterator<Item = Domain> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest & rest.wrapping_neg();
        rest ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// The sites of a rule that all differ.
pub(super) fn differing(formula: &Formula) -> Option<Vec<i32>> {
    match formula {
        Formula::Different(sites, except) if except.is_empty() => Some(sites.clone()),
        _ => None,
    }
}

/// Writes a formula down again with what is known of values, as the formulas it says all of.
pub(super) fn simplify(puzzle: &Puzzle, formula: &Formula, out: &mut Vec<Formula>) {
    match simple(puzzle, formula) {
        Formula::Const(true) => {}
        Formula::All(all) => all.iter().for_each(|part| simplify(puzzle, part, out)),
        Formula::Not(inner) => match *inner {
            Formula::Any(all) => {
                for part in all {
                    simplify(puzzle, &Formula::Not(Box::new(part)), out);
                }
            }
            inner => out.push(Formula::Not(Box::new(inner))),
        },
        other => out.push(other),
    }
}

/// A formula without comparisons with numbers that are no values.
fn simple(puzzle: &Puzzle, formula: &Formula) -> Formula {
    match formula {
        Formula::Compare(Cmp::Eq, Operand::Site(_), Operand::Number(number))
            if puzzle.bit(*number) == 0 =>
        {
            Formula::Const(false)
        }
        Formula::Not(inner) => match simple(puzzle, inner) {
            Formula::Const(known) => Formula::Const(!known),
            Formula::Compare(Cmp::Eq, a, b) => Formula::Compare(Cmp::Ne, a, b),
            inner => Formula::Not(Box::new(inner)),
        },
        Formula::All(all) => Formula::All(all.iter().map(|part| simple(puzzle, part)).collect()),
        Formula::Any(all) => {
            let mut parts: Vec<Formula> = all.iter().map(|part| simple(puzzle, part)).collect();
            parts.retain(|part| *part != Formula::Const(false));
            match parts.len() {
                _ if parts.contains(&Formula::Const(true)) => Formula::Const(true),
                0 => Formula::Const(false),
                1 => parts.remove(0),
                _ => Formula::Any(parts),
            }
        }
        other => other.clone(),
    }
}

pub(super) fn rule(puzzle: &Puzzle, formula: Formula, differing: &[Vec<i32>]) -> Rule {
    match formula {
        Formula::Different(sites, except) => {
            let free = except.iter().fold(0, |free, &value| free | puzzle.bit(value));
            let nought = if except.contains(&0) { 0 } else { puzzle.bit(0) };
            let values = (puzzle.max - puzzle.min + 1) as usize - nought.count_ones() as usize;
            let full = free == 0 && sites.len() == values;
            match nought {
                0 => Rule::Different { sites, free, full },
                // Nought is no value here, which the rule of values apart does not know.
                _ => other(Formula::Different(sites, except)),
            }
        }
        Formula::Sum(sites, total) => {
            let apart = |all: &Vec<i32>| sites.iter().all(|site| all.contains(site));
            let choices = match differing.iter().any(apart) {
                true => choices(puzzle, sites.len(), total),
                false => None,
            };
            Rule::Sum { sites, total, choices }
        }
        Formula::Count(sites, value, total) if puzzle.bit(value) != 0 && total >= 0 => {
            Rule::Count { sites, value: puzzle.bit(value), total: total as usize }
        }
        Formula::Compare(cmp, a, b) => Rule::Compare(cmp, a, b),
        formula => other(formula),
    }
}

fn other(formula: Formula) -> Rule {
    let mut sites = Vec::new();
    formula.each_site(&mut |site| sites.push(site));
    sites.sort_unstable();
    sites.dedup();
    Rule::Other { formula, sites }
}

/// All sets of so many different values that add up to a number, unless they are many.
fn choices(puzzle: &Puzzle, count: usize, total: i32) -> Option<Vec<Domain>> {
    let mut out = Vec::new();
    let mut partial = vec![(puzzle.min, 0usize, 0i32, 0 as Domain)];
    let mut looked = 0;
    while let Some((from, have, sum, values)) = partial.pop() {
        looked += 1;
        if looked > 20_000 {
            return None;
        }
        if have == count {
            if sum == total {
                out.push(values);
            }
            continue;
        }
        for value in from..=puzzle.max {
            let next = sum + value;
            if next <= total || puzzle.min < 0 {
                partial.push((value + 1, have + 1, next, values | puzzle.bit(value)));
            }
        }
    }
    (out.len() <= MOST_CHOICES).then_some(out)
}

impl Puzzle {
    /// The bit of a value, if sites may have it at all.
    pub(super) fn bit(&self, value: i32) -> Domain {
        match (self.min..=self.max).contains(&value) {
            true => 1 << (value - self.min),
            false => 0,
        }
    }
}
