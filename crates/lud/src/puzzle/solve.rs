//! Solving a puzzle: what every constraint rules out by itself (propagation), values tried that may be
//! ruled out by what follows from them (probing), and search. Where that takes long, arrangements (`arrange.rs`) are
//! looked for in another way before it goes on.
//!
//! The values that a site may still have are bits of a word. A solution is a value for each site that
//! some constraint speaks of; two are looked for, which tells whether the first is the only one.

use super::Puzzle;
use super::apart::{Cover, covers};
use super::arrange::Arrangement;
use super::rules::{Cut, Domain, Rule, bits, differing, rule, simplify};
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
    /// Sites may have so many values, which is more than the solver can tell apart.
    TooManyValues(u32),
}

/// So many values of a site can be told apart.
pub const MOST_VALUES: u32 = Domain::BITS;

/// So many positions are searched before arrangements are looked for.
const PATIENCE: u64 = 2_000;

/// Arrangements are looked for so often.
const ROUNDS: u32 = 100;

impl Puzzle {
    /// Solves the puzzle with some values given. `stop` is asked now and then.
    pub fn solve(&self, given: &[(i32, i32)], stop: &mut dyn FnMut() -> bool) -> Verdict {
        let values = self.max.abs_diff(self.min).saturating_add(1);
        if values > MOST_VALUES {
            return Verdict::TooManyValues(values);
        }
        let solver = Solver::new(self);
        let mut search = Search {
            solver: &solver,
            cut: solver.start(given),
            waiting: Waiting::new(&solver.rules),
            after: vec![0; self.touching.len()],
            found: Vec::new(),
            stopped: false,
            left: u64::MAX,
            stop,
        };
        if search.settle_all() {
            match Arrangement::of(&solver.rules, &search.cut.open, self.min) {
                Some(arrangement) => search.run_or_arrange(&arrangement),
                None => search.run(0),
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

/// The site that decides most, if any was tried.
type Choice = Option<i32>;

struct Solver<'a> {
    puzzle: &'a Puzzle,
    rules: Vec<Rule>,
    /// By site, the rules that speak of it.
    touching: Vec<Vec<usize>>,
    /// The sites that some rule speaks of.
    sites: Vec<i32>,
    /// By site, values from which little follows: they are tried last.
    last: Vec<Domain>,
}

impl<'a> Solver<'a> {
    fn new(puzzle: &'a Puzzle) -> Self {
        let mut simple = Vec::new();
        for formula in puzzle.strict.as_ref().unwrap_or(&puzzle.formulas) {
            simplify(puzzle, formula, &mut simple);
        }
        let differing: Vec<Vec<i32>> = simple.iter().filter_map(differing).collect();
        let mut rules: Vec<Rule> =
            simple.into_iter().map(|formula| rule(puzzle, formula, &differing)).collect();
        let board = puzzle.touching.len();
        let found: Vec<Vec<Cover>> = rules
            .iter()
            .map(|rule| match rule {
                Rule::Count { sites, value, .. } => covers(&rules, sites, *value, board),
                _ => Vec::new(),
            })
            .collect();
        for (rule, found) in rules.iter_mut().zip(found) {
            if let Rule::Count { covers, .. } = rule {
                *covers = found;
            }
        }
        let mut last: Vec<Domain> = vec![0; board];
        for rule in &rules {
            if let Rule::Unless { site, value, .. } = rule {
                last[*site as usize] |= value;
            }
        }
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
        Solver { puzzle, rules, touching, sites, last }
    }

    fn start(&self, given: &[(i32, i32)]) -> Cut {
        let puzzle = self.puzzle;
        let all = (puzzle.min..=puzzle.max).fold(0, |all, value| all | puzzle.bit(value));
        let mut open = vec![all; puzzle.touching.len()];
        for &(site, value) in given {
            if let Some(domain) = open.get_mut(site as usize) {
                *domain &= puzzle.bit(value);
            }
        }
        Cut { open, trail: Vec::new() }
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
    /// Those that speak of much of the board, which come when nothing else is left.
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
        match self.rules[at].is_wide() {
            true => self.wide.push_back(at),
            false => self.narrow.push_back(at),
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let at = self.narrow.pop_front().or_else(|| self.wide.pop_front())?;
        self.waits[at] = false;
        Some(at)
    }

    fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}

struct Search<'a, 's> {
    solver: &'a Solver<'a>,
    cut: Cut,
    waiting: Waiting<'a>,
    /// By site, what is left after a value was tried; nought otherwise.
    after: Vec<Domain>,
    found: Vec<Solution>,
    stopped: bool,
    /// So many positions are looked at.
    left: u64,
    stop: &'s mut dyn FnMut() -> bool,
}

impl Search<'_, '_> {
    /// Propagates all rules and whatever follows; `false` if there is a contradiction.
    fn settle_all(&mut self) -> bool {
        (0..self.solver.rules.len()).for_each(|at| self.waiting.push(at));
        self.settle_since(self.cut.trail.len())
    }

    /// Propagates whatever follows from what was cut down since the trail had this length; `false` if there is a
    /// contradiction.
    fn settle_since(&mut self, mut looked_at: usize) -> bool {
        let mut sound = self.wake(&mut looked_at);
        while sound && let Some(at) = self.waiting.pop() {
            let rule = &self.solver.rules[at];
            sound = rule.propagate(self.solver.puzzle, &mut self.cut) && self.wake(&mut looked_at);
        }
        self.waiting.clear();
        sound
    }

    /// Has all rules wait that speak of what was cut down; `false` if a site has no value left.
    fn wake(&mut self, looked_at: &mut usize) -> bool {
        while let Some(&(site, _)) = self.cut.trail.get(*looked_at) {
            if self.cut.of(site) == 0 {
                return false;
            }
            *looked_at += 1;
            let touching = &self.solver.touching[site as usize];
            touching.iter().for_each(|&rule| self.waiting.push(rule));
        }
        true
    }

    /// Leaves a site some of its values, and propagates.
    fn set(&mut self, site: i32, values: Domain) -> bool {
        let before = self.cut.trail.len();
        self.cut.keep(site, values);
        self.settle_since(before)
    }

    /// Tries both values of sites that have two, of those that rules connect with what was cut down since the trail had
    /// this length, until nothing new comes of it; `false` if there is a contradiction. Says which site decides most,
    /// whichever value it has.
    fn probe(&mut self, mut since: usize) -> Option<Choice> {
        let mut best = None;
        loop {
            let near = self.near(since);
            since = self.cut.trail.len();
            let mut most = 0;
            for site in near {
                if (self.stop)() {
                    return Some(best);
                }
                if self.cut.of(site).count_ones() == 2 {
                    let decides = self.try_both(site)?;
                    if decides > most {
                        (most, best) = (decides, Some(site));
                    }
                }
            }
            if self.cut.trail.len() == since {
                return Some(best);
            }
        }
    }

    /// The sites that rules about few sites connect with what was cut down since the trail had this length; all of them
    /// at the beginning.
    fn near(&mut self, since: usize) -> Vec<i32> {
        let solver = self.solver;
        if since == 0 {
            return solver.sites.clone();
        }
        let mut near = Vec::new();
        for &(site, _) in &self.cut.trail[since..] {
            for &rule in &solver.touching[site as usize] {
                if !solver.rules[rule].is_wide() {
                    near.extend(solver.rules[rule].sites());
                }
            }
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Tries both values of a site: one that cannot be is ruled out, and what follows from either is kept. Says how
    /// many sites are decided at least, or nothing if there is a contradiction.
    fn try_both(&mut self, site: i32) -> Option<usize> {
        let (before, domain) = (self.cut.trail.len(), self.cut.of(site));
        let one = domain & domain.wrapping_neg();
        let Some(first) = self.consequences(site, one) else {
            return self.set(site, !one).then_some(0);
        };
        let Some(second) = self.consequences(site, domain & !one) else {
            return self.set(site, one).then_some(0);
        };
        first.iter().for_each(|&(at, values)| self.after[at as usize] = values);
        for &(at, values) in &second {
            if self.after[at as usize] != 0 {
                self.cut.keep(at, self.after[at as usize] | values);
            }
        }
        first.iter().for_each(|&(at, _)| self.after[at as usize] = 0);
        self.settle_since(before).then(|| first.len().min(second.len()))
    }

    /// What follows if a site has a value, or nothing if it cannot. Nothing is changed.
    fn consequences(&mut self, site: i32, value: Domain) -> Option<Vec<(i32, Domain)>> {
        let before = self.cut.trail.len();
        let possible = self.set(site, value);
        let now = |&(site, _): &(i32, Domain)| (site, self.cut.of(site));
        let found = possible.then(|| self.cut.trail[before..].iter().map(now).collect());
        self.cut.back_to(before);
        found
    }

    /// The site to decide next: with the fewest values, then with the most rules.
    fn choose(&self) -> Option<i32> {
        let values = |site: i32| self.cut.of(site).count_ones();
        let undecided = self.solver.sites.iter().copied().filter(|&site| values(site) > 1);
        undecided.min_by_key(|&site| {
            let rules = &self.solver.touching[site as usize];
            (values(site), std::cmp::Reverse(rules.len()))
        })
    }

    /// Looks for solutions, with arrangements tried in between where that takes long.
    fn run_or_arrange(&mut self, arrangement: &Arrangement) {
        self.left = PATIENCE;
        self.run(0);
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
        self.run(0);
    }

    /// Looks for solutions, until there are two; `since` is how long the trail was before what was decided last. Nothing
    /// is cut down afterwards that was not before.
    fn run(&mut self, since: usize) {
        self.stopped |= (self.stop)();
        if self.done() || self.left == 0 {
            return;
        }
        self.left -= 1;
        let before = self.cut.trail.len();
        if let Some(best) = self.probe(since) {
            let undecided = |site: &i32| self.cut.of(*site).count_ones() == 2;
            match best.filter(undecided).or_else(|| self.choose()) {
                None => self.add(self.solver.solution(&self.cut.open)),
                Some(site) => self.decide(site),
            }
        }
        self.cut.back_to(before);
    }

    /// Looks for solutions with each value of a site.
    fn decide(&mut self, site: i32) {
        let before = self.cut.trail.len();
        let (values, last) = (self.cut.of(site), self.solver.last[site as usize]);
        for value in bits(values & !last).chain(bits(values & last)) {
            if self.set(site, value) {
                self.run(before);
            }
            self.cut.back_to(before);
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
