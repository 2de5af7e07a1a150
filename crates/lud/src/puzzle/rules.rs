//! Constraints in the form in which they are propagated: what each rules out by itself.

use super::apart::{Cover, open};
use super::groups::Grouping;
use super::{Formula, Operand, Puzzle};
use crate::ir::Cmp;

/// The values a site may still have, bit by bit from the smallest.
pub(super) type Domain = u128;

/// Of a formula that nothing better is known about, so many pairs of site and value are tried.
const MOST_TRIED: u32 = 64;

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
    /// A site has a value, or it and others differ.
    Unless {
        site: i32,
        value: Domain,
        sites: Vec<i32>,
        free: Domain,
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
        /// How many sites may have the value, bit by bit.
        totals: Domain,
        /// Of each group of one of these only one site can have it.
        covers: Vec<Cover>,
    },
    Groups(Grouping),
    Compare(Cmp, Operand, Operand),
    Other {
        formula: Formula,
        sites: Vec<i32>,
    },
}

/// The values that sites may still have, with everything that was cut down in its order, so that it can be taken back.
pub(super) struct Cut {
    pub(super) open: Vec<Domain>,
    /// Sites and the values they had before.
    pub(super) trail: Vec<(i32, Domain)>,
}

impl Cut {
    pub(super) fn of(&self, site: i32) -> Domain {
        self.open[site as usize]
    }

    fn is_set(&self, site: i32) -> bool {
        self.of(site).count_ones() == 1
    }

    pub(super) fn keep(&mut self, site: i32, values: Domain) {
        let had = self.of(site);
        if had & values != had {
            self.open[site as usize] = had & values;
            self.trail.push((site, had));
        }
    }

    /// Takes back whatever was cut down since the trail had this length.
    pub(super) fn back_to(&mut self, length: usize) {
        while self.trail.len() > length
            && let Some((site, had)) = self.trail.pop()
        {
            self.open[site as usize] = had;
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
            Rule::Unless { site, sites, .. } => {
                let others = sites.iter().filter(|other| *other != site);
                std::iter::once(site).chain(others).copied().collect()
            }
            Rule::Groups(grouping) => (0..grouping.sites() as i32).collect(),
            Rule::Compare(_, a, b) => {
                let site = |operand: &Operand| match operand {
                    Operand::Site(site) => Some(*site),
                    Operand::Number(_) => None,
                };
                [a, b].into_iter().filter_map(site).collect()
            }
        }
    }

    /// Whether it speaks of so many sites that it is dear to ask.
    pub(super) fn is_wide(&self) -> bool {
        match self {
            Rule::Groups(_) => true,
            Rule::Other { sites, .. } => sites.len() > MOST_TRIED as usize,
            _ => false,
        }
    }

    pub(super) fn propagate(&self, puzzle: &Puzzle, cut: &mut Cut) -> bool {
        match self {
            Rule::Different { sites, free, full } => differ(cut, sites, *free, *full),
            Rule::Sum { sites, total, choices } => {
                choices.as_ref().is_none_or(|choices| choose(cut, sites, choices))
                    && add_up(puzzle, cut, sites, *total)
            }
            Rule::Unless { site, value, sites, free } => unless(cut, *site, *value, sites, *free),
            Rule::Count { sites, value, totals, covers } => {
                count(cut, sites, *value, *totals) && fill(cut, sites, *value, *totals, covers)
            }
            Rule::Groups(grouping) => grouping.propagate(puzzle.bit(0), cut),
            Rule::Compare(cmp, a, b) => compare(puzzle, cut, *cmp, *a, *b),
            Rule::Other { formula, sites } => try_values(puzzle, cut, formula, sites),
        }
    }
}

fn differ(cut: &mut Cut, sites: &[i32], free: Domain, full: bool) -> bool {
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
    // Sites that cannot have one of the values that may come several times need as many others.
    let bound = || sites.iter().filter(|&&site| cut.of(site) & free == 0);
    let values = bound().fold(0, |all: Domain, &site| all | cut.of(site));
    if (values.count_ones() as usize) < bound().count() {
        return false;
    }
    if !full {
        return true;
    }
    let (mut once, mut twice): (Domain, Domain) = (0, 0);
    for &site in sites {
        let domain = cut.of(site);
        twice |= once & domain;
        once |= domain;
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
    true
}

/// A site has a value, or it and others differ.
fn unless(cut: &mut Cut, site: i32, value: Domain, sites: &[i32], free: Domain) -> bool {
    if cut.of(site) == value {
        return true;
    }
    if cut.of(site) & value == 0 {
        return differ(cut, sites, free, false);
    }
    let mut taken: Domain = 0;
    for &other in sites.iter().filter(|&&other| other != site && cut.is_set(other)) {
        let its = cut.of(other) & !free;
        if taken & its != 0 {
            cut.keep(site, value);
            return true;
        }
        taken |= its;
    }
    if sites.contains(&site) {
        cut.keep(site, !taken | value);
    }
    true
}

/// Of the values that different sites can have together, those that still fit.
fn choose(cut: &mut Cut, sites: &[i32], choices: &[Domain]) -> bool {
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

fn add_up(puzzle: &Puzzle, cut: &mut Cut, sites: &[i32], total: i32) -> bool {
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

fn count(cut: &mut Cut, sites: &[i32], value: Domain, totals: Domain) -> bool {
    let have = sites.iter().filter(|&&site| cut.of(site) == value).count();
    let may = sites.iter().filter(|&&site| cut.of(site) & value != 0).count();
    let any = |from: usize, to: usize| totals & up_to(to) & !below(from) != 0;
    if !any(have, may) {
        return false;
    }
    if have == may {
        return true;
    }
    let (with, without) = (any(have + 1, may), any(have, may - 1));
    if with && without {
        return true;
    }
    for &site in sites {
        if cut.of(site) != value && cut.of(site) & value != 0 {
            cut.keep(site, if with { value } else { !value });
        }
    }
    true
}

/// As many sites have a value as there may be groups that have one.
fn fill(cut: &mut Cut, sites: &[i32], value: Domain, totals: Domain, covers: &[Cover]) -> bool {
    let have = sites.iter().filter(|&&site| cut.of(site) == value).count();
    let least = totals & !below(have);
    for cover in covers {
        let groups = open(cover, cut, value).count();
        if least & up_to(groups) == 0 {
            return false;
        }
        // Where each group must have one, the only site that may be it is it.
        if least & below(groups) == 0 {
            let only: Vec<i32> = open(cover, cut, value).flatten().collect();
            only.into_iter().for_each(|site| cut.keep(site, value));
        }
    }
    true
}

/// The bits of all numbers below one.
fn below(number: usize) -> Domain {
    (1 as Domain).checked_shl(number as u32).map_or(Domain::MAX, |bit| bit - 1)
}

/// The bits of all numbers up to one.
fn up_to(number: usize) -> Domain {
    below(number + 1)
}

fn compare(puzzle: &Puzzle, cut: &mut Cut, cmp: Cmp, a: Operand, b: Operand) -> bool {
    let values = |cut: &Cut, operand: Operand| match operand {
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
fn try_values(puzzle: &Puzzle, cut: &mut Cut, formula: &Formula, sites: &[i32]) -> bool {
    let known = |open: &[Domain], site: i32| {
        let domain = *open.get(site as usize)?;
        (domain.count_ones() == 1).then(|| domain.trailing_zeros() as i32 + puzzle.min)
    };
    if let Some(holds) = formula.truth(&|site| known(&cut.open, site)) {
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
                |other: i32| if other == site { Some(number) } else { known(&cut.open, other) };
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
        Formula::Not(inner) => Formula::not(simple(puzzle, inner)),
        Formula::All(all) => Formula::all(all.iter().map(|part| simple(puzzle, part)).collect()),
        Formula::Any(all) => Formula::any(all.iter().map(|part| simple(puzzle, part)).collect()),
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
        Formula::Compare(cmp, a, b) => Rule::Compare(cmp, a, b),
        formula => counted(puzzle, &formula)
            .or_else(|| grouped(&formula))
            .or_else(|| guarded(puzzle, &formula))
            .unwrap_or_else(|| other(formula)),
    }
}

/// How many sites may have a value, where that is all that a formula says.
fn counted(puzzle: &Puzzle, formula: &Formula) -> Option<Rule> {
    let totals = |total: i32| (0..Domain::BITS as i32).contains(&total).then(|| 1 << total);
    match formula {
        Formula::Count(sites, value, total) if puzzle.bit(*value) != 0 => {
            let (sites, value) = (sites.clone(), puzzle.bit(*value));
            Some(Rule::Count { sites, value, totals: totals(*total)?, covers: Vec::new() })
        }
        Formula::Any(all) => {
            let mut joined = counted(puzzle, all.first()?)?;
            for part in &all[1..] {
                let (
                    Rule::Count { sites, value, totals, .. },
                    Rule::Count { sites: same, value: alike, totals: more, .. },
                ) = (&mut joined, counted(puzzle, part)?)
                else {
                    return None;
                };
                if *sites != same || *value != alike {
                    return None;
                }
                *totals |= more;
            }
            Some(joined)
        }
        _ => None,
    }
}

/// A number of groups that must not be exceeded.
fn grouped(formula: &Formula) -> Option<Rule> {
    let Formula::Groups(cmp, near, number) = formula else { return None };
    let most = match cmp {
        Cmp::Lt => number - 1,
        Cmp::Le => *number,
        _ => return None,
    };
    Some(Rule::Groups(Grouping::new(near, usize::try_from(most).ok()?)))
}

/// A site that has a value, or differs from others like these from each other.
fn guarded(puzzle: &Puzzle, formula: &Formula) -> Option<Rule> {
    let Formula::Any(parts) = formula else { return None };
    match &parts[..] {
        [
            Formula::Compare(Cmp::Eq, Operand::Site(site), Operand::Number(number)),
            Formula::Different(sites, except),
        ] if except.contains(&0) || puzzle.bit(0) == 0 => {
            let free = except.iter().fold(0, |free, &value| free | puzzle.bit(value));
            let (site, value) = (*site, puzzle.bit(*number));
            Some(Rule::Unless { site, value, sites: sites.clone(), free })
        }
        _ => None,
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
