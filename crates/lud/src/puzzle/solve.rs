//! Solving a puzzle: what every constraint rules out by itself (propagation), values tried that may be
//! ruled out by what follows from them (probing), and search. Where that takes long, arrangements (`arrange.rs`) are
//! looked for in another way before it goes on.
//!
//! The values that a site may still have are bits of a word. A solution is a value for each site that
//! some constraint speaks of; two are looked for, which tells whether the first is the only one.

use super::Puzzle;
use super::arrange::Arrangement;
use super::rules::{Cut, Domain, MOST_TRIED, Rule, bits, differing, rule, simplify};
use ludex_game::Rng;
use std::collections::VecDeque;

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

/// So many positions are searched before arrangements are looked for.
const PATIENCE: u64 = 2_000;

/// Arrangements are looked for so often.
const ROUNDS: u32 = 100;

impl Puzzle {
    /// Solves the puzzle with some values given. `stop` is asked now and then.
    pub fn solve(&self, given: &[(i32, i32)], stop: &mut dyn FnMut() -> bool) -> Verdict {
        if self.max - self.min >= Domain::BITS as i32 {
            return Verdict::Stopped(None);
        }
        let solver = Solver::new(self);
        let mut open = solver.start(given);
        let mut search =
            Search { solver: &solver, found: Vec::new(), stopped: false, left: u64::MAX, stop };
        if solver.settle(&mut open, 0..solver.rules.len()) {
            match Arrangement::of(&solver.rules, &open, self.min) {
                Some(arrangement) => search.run_or_arrange(open, &arrangement),
                None => search.run(open),
            }
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

    /// Propagates some rules and whatever follows, those about much of the board when nothing else is left; `false` if
    /// there is a contradiction.
    fn settle(&self, open: &mut [Domain], first: impl Iterator<Item = usize>) -> bool {
        let mut waiting = Waiting::new(&self.rules);
        first.for_each(|at| waiting.push(at));
        let mut changed = Vec::new();
        while let Some(at) = waiting.pop() {
            let mut cut = Cut { open, changed: &mut changed };
            if !self.rules[at].propagate(self.puzzle, &mut cut) {
                return false;
            }
            for site in changed.drain(..) {
                if open[site as usize] == 0 {
                    return false;
                }
                self.touching[site as usize].iter().for_each(|&rule| waiting.push(rule));
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

/// Rules that are still to be propagated, each once.
struct Waiting<'a> {
    rules: &'a [Rule],
    waits: Vec<bool>,
    narrow: VecDeque<usize>,
    /// Those that speak of much of the board.
    wide: VecDeque<usize>,
}

impl<'a> Waiting<'a> {
    fn new(rules: &'a [Rule]) -> Self {
        let waits = vec![false; rules.len()];
        Waiting { rules, waits, narrow: VecDeque::new(), wide: VecDeque::new() }
    }

    fn push(&mut self, at: usize) {
        if std::mem::replace(&mut self.waits[at], true) {
            return;
        }
        match &self.rules[at] {
            Rule::Other { sites, .. } if sites.len() > MOST_TRIED as usize => &mut self.wide,
            _ => &mut self.narrow,
        }
        .push_back(at);
    }

    fn pop(&mut self) -> Option<usize> {
        let at = self.narrow.pop_front().or_else(|| self.wide.pop_front())?;
        self.waits[at] = false;
        Some(at)
    }
}

struct Search<'a, 's> {
    solver: &'a Solver<'a>,
    found: Vec<Solution>,
    stopped: bool,
    /// So many positions are looked at.
    left: u64,
    stop: &'s mut dyn FnMut() -> bool,
}

impl Search<'_, '_> {
    /// Looks for solutions, with arrangements tried in between where that takes long.
    fn run_or_arrange(&mut self, open: Vec<Domain>, arrangement: &Arrangement) {
        self.left = PATIENCE;
        self.run(open.clone());
        if self.left > 0 {
            return;
        }
        let mut rng = Rng::seeded(0);
        for _ in 0..ROUNDS {
            if self.done() {
                return;
            }
            if let Some(found) = arrangement.look(&mut rng, self.stop) {
                self.add(found);
            }
            self.stopped |= (self.stop)();
        }
        self.left = u64::MAX;
        self.run(open);
    }

    /// Looks for solutions, until there are two.
    fn run(&mut self, mut open: Vec<Domain>) {
        self.stopped |= (self.stop)();
        if self.done() || self.left == 0 {
            return;
        }
        self.left -= 1;
        if !self.solver.probe(&mut open, self.stop) {
            return;
        }
        let Some(site) = self.solver.choose(&open) else {
            self.add(self.solver.solution(&open));
            return;
        };
        for value in bits(open[site as usize]) {
            let mut next = open.clone();
            if self.solver.set(&mut next, site, value) {
                self.run(next);
            }
            if self.done() || self.left == 0 {
                return;
            }
        }
    }

    fn add(&mut self, solution: Solution) {
        if !self.found.contains(&solution) {
            self.found.push(solution);
        }
    }

    fn done(&self) -> bool {
        self.stopped || self.found.len() > 1
    }
}
