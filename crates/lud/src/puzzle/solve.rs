//! Solving a puzzle: what every constraint rules out by itself (propagation), values tried that may be
//! ruled out by what follows from them (probing), and search.
//!
//! The values that a site may still have are bits of a word. A solution is a value for each site that
//! some constraint speaks of; two are looked for, which tells whether the first is the only one.

use super::{Formula, Operand, Puzzle};
use crate::ir::Cmp;

/// The values a site may still have, bit by bit from the smallest.
type Domain = u128;

/// Values by site.
pub type Solution = Vec<(i32, i32)>;

/// What solving came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing fulfils all constraints.
    Impossible,
    /// One solution, and no other.
    Unique(Solution),
    /// Two of several solutions.
    Several(Solution, Solution),
    /// It was stopped before the end, perhaps with a solution that may not be the only one.
    Stopped(Option<Solution>),
}

/// Of a formula that nothing better is known about, so many pairs of site and value are tried.
const MOST_TRIED: u32 = 64;

/// Choices of values for a sum of different values are listed up to this number.
const MOST_CHOICES: usize = 512;

impl Puzzle {
    /// Solves the puzzle with some values given. `stop` is asked now and then.
    pub fn solve(&self, given: &[(i32, i32)], stop: &mut dyn FnMut() -> bool) -> Verdict {
        if self.max - self.min >= Domain::BITS as i32 {
            return Verdict::Stopped(None);
        }
        let solver = Solver::new(self);
        let mut open = solver.start(given);
        let mut search = Search { solver: &solver, found: Vec::new(), stopped: false, stop };
        if solver.settle(&mut open, 0..solver.rules.len()) {
            search.run(open);
        }
        let Search { found, stopped, .. } = search;
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(a), Some(b)) => Verdict::Several(a, b),
            (first, _) if stopped => Verdict::Stopped(first),
            (Some(only), None) => Verdict::Unique(only),
            (None, _) => Verdict::Impossible,
        }
    }

    /// Whether the site may have a value at all, whatever the others have.
    fn bit(&self, value: i32) -> Domain {
        match (self.min..=self.max).contains(&value) {
            true => 1 << (value - self.min),
            false => 0,
        }
    }
}

/// A constraint in the form that is propagated.
enum Rule {
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

struct Solver<'a> {
    puzzle: &'a Puzzle,
    rules: Vec<Rule>,
    /// By site, the rules that speak of it.
    touching: Vec<Vec<usize>>,
    /// The sites that some rule speaks of.
    sites: Vec<i32>,
}

impl<'a> Solver<'a> {
    fn new(puzzle: &'a Puzzle) -> Self {
        let mut simple = Vec::new();
        for formula in &puzzle.formulas {
            simplify(puzzle, formula, &mut simple);
        }
        let differing: Vec<Vec<i32>> = simple.iter().filter_map(differing).collect();
        let rules: Vec<Rule> =
            simple.into_iter().map(|formula| rule(puzzle, formula, &differing)).collect();
        let mut touching = vec![Vec::new(); puzzle.touching.len()];
        for (at, rule) in rules.iter().enumerate() {
            for site in rule.sites() {
                if let Some(list) = touching.get_mut(site as usize)
                    && list.last() != Some(&at)
                {
                    list.push(at);
                }
            }
        }
        let sites = 0..touching.len() as i32;
        let sites = sites.filter(|&site| !puzzle.touching[site as usize].is_empty()).collect();
        Solver { puzzle, rules, touching, sites }
    }

    fn start(&self, given: &[(i32, i32)]) -> Vec<Domain> {
        let puzzle = self.puzzle;
        let all = (puzzle.min..=puzzle.max).fold(0, |all, value| all | puzzle.bit(value));
        let mut open = vec![all; puzzle.touching.len()];
        for &(site, value) in given {
            if let Some(domain) = open.get_mut(site as usize) {
                *domain &= puzzle.bit(value);
            }
        }
        open
    }

    /// Propagates some rules and whatever follows; `false` if there is a contradiction.
    fn settle(&self, open: &mut [Domain], first: impl Iterator<Item = usize>) -> bool {
        let mut waiting: std::collections::VecDeque<usize> = first.collect();
        let mut waits = vec![false; self.rules.len()];
        waiting.iter().for_each(|&at| waits[at] = true);
        let mut changed = Vec::new();
        while let Some(at) = waiting.pop_front() {
            waits[at] = false;
            let mut cut = Cut { open, changed: &mut changed };
            if !self.rules[at].propagate(self.puzzle, &mut cut) {
                return false;
            }
            for site in changed.drain(..) {
                if open[site as usize] == 0 {
                    return false;
                }
                for &rule in &self.touching[site as usize] {
                    if !std::mem::replace(&mut waits[rule], true) {
                        waiting.push_back(rule);
                    }
                }
            }
        }
        true
    }

    /// Sets a site and propagates.
    fn set(&self, open: &mut [Domain], site: i32, value: Domain) -> bool {
        open[site as usize] = value;
        self.settle(open, self.touching[site as usize].iter().copied())
    }

    /// Tries both values of every site that has two; `false` if neither will do.
    fn probe(&self, open: &mut [Domain], stop: &mut dyn FnMut() -> bool) -> bool {
        let mut last = None;
        loop {
            for &site in &self.sites {
                if last == Some(site) || stop() {
                    return true;
                }
                let domain = open[site as usize];
                if domain.count_ones() != 2 {
                    continue;
                }
                for value in bits(domain) {
                    let mut tried = open.to_vec();
                    if !self.set(&mut tried, site, value) {
                        if !self.set(open, site, domain & !value) {
                            return false;
                        }
                        last = Some(site);
                        break;
                    }
                }
            }
            if last.is_none() {
                return true;
            }
        }
    }

    /// The site to decide next: with the fewest values, then with the most rules.
    fn choose(&self, open: &[Domain]) -> Option<i32> {
        let undecided = self.sites.iter().copied().filter(|&s| open[s as usize].count_ones() > 1);
        undecided.min_by_key(|&site| {
            let rules = &self.touching[site as usize];
            (open[site as usize].count_ones(), std::cmp::Reverse(rules.len()))
        })
    }

    fn solution(&self, open: &[Domain]) -> Solution {
        let value = |site: i32| open[site as usize].trailing_zeros() as i32 + self.puzzle.min;
        self.sites.iter().map(|&site| (site, value(site))).collect()
    }
}

struct Search<'a, 's> {
    solver: &'a Solver<'a>,
    found: Vec<Solution>,
    stopped: bool,
    stop: &'s mut dyn FnMut() -> bool,
}

impl Search<'_, '_> {
    /// Looks for solutions, until there are two.
    fn run(&mut self, mut open: Vec<Domain>) {
        self.stopped |= (self.stop)();
        if self.stopped || self.found.len() > 1 || !self.solver.probe(&mut open, self.stop) {
            return;
        }
        let Some(site) = self.solver.choose(&open) else {
            self.found.push(self.solver.solution(&open));
            return;
        };
        for value in bits(open[site as usize]) {
            let mut next = open.clone();
            if self.solver.set(&mut next, site, value) {
                self.run(next);
            }
            if self.stopped || self.found.len() > 1 {
                return;
            }
        }
    }
}

/// What may still be, and where it was cut down.
struct Cut<'a> {
    open: &'a mut [Domain],
    changed: &'a mut Vec<i32>,
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
    fn sites(&self) -> Vec<i32> {
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

    fn propagate(&self, puzzle: &Puzzle, cut: &mut Cut<'_>) -> bool {
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
fn bits(word: Domain) -> impl Iterator<Item = Domain> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest & rest.wrapping_neg();
        rest ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// The sites of a rule that all differ.
fn differing(formula: &Formula) -> Option<Vec<i32>> {
    match formula {
        Formula::Different(sites, except) if except.is_empty() => Some(sites.clone()),
        _ => None,
    }
}

/// Writes a formula down again with what is known of values, as the formulas it says all of.
fn simplify(puzzle: &Puzzle, formula: &Formula, out: &mut Vec<Formula>) {
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

fn rule(puzzle: &Puzzle, formula: Formula, differing: &[Vec<i32>]) -> Rule {
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
