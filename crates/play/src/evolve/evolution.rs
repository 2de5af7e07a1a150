//! A population and what becomes of it.

use std::collections::BTreeSet;

use ludex_game::Rng;

use super::config::{Config, MutationRate, Replacement, Scheme};
use super::formula::Formula;
use super::polynomial::essence;
use super::random::{Material, PATIENCE};
use super::vary::{crossover, node_mutation, point_mutation, subtree_mutation};

/// What was found out about a formula.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Judged {
    /// How well it does.
    pub fitness: f64,
    /// What it achieved in each of its matches; empty where that is not known.
    pub achieved: Vec<bool>,
}

impl From<f64> for Judged {
    fn from(fitness: f64) -> Judged {
        Judged { fitness, achieved: Vec::new() }
    }
}

/// A formula and how well it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// The formula.
    pub formula: Formula,
    /// What was told about it.
    pub judged: Judged,
    /// Which birth it was; the first population are the first births.
    pub born: u64,
}

impl Individual {
    /// Its fitness as it was told.
    pub fn fitness(&self) -> f64 {
        self.judged.fitness
    }

    /// In which part of the matches two did not achieve the same; all of them where that is not known.
    fn distance(&self, other: &Individual) -> f64 {
        let (mine, others) = (&self.judged.achieved, &other.judged.achieved);
        if mine.is_empty() || mine.len() != others.len() {
            return 1.0;
        }
        let differ = mine.iter().zip(others).filter(|(one, other)| one != other).count();
        differ as f64 / mine.len() as f64
    }
}

/// All that has happened in a run so far.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Past {
    /// Who lives.
    pub population: Vec<Individual>,
    /// The fittest that ever lived, the earliest among equals.
    pub best: Option<Individual>,
    /// How many were born, the first population included.
    pub births: u64,
    /// What all who were ever born come down to, each a number; nobody is born twice.
    pub known: BTreeSet<u64>,
}

/// An evolution under way. Ask for formulas ([`Evolution::ask`]), tell what they are worth
/// ([`Evolution::tell`]), until nothing is asked any more.
///
/// What is asked depends on the seed and the past alone, so a run that is restored from these goes on as if
/// it had never stopped.
#[derive(Clone, Debug)]
pub struct Evolution {
    config: Config,
    seed: u64,
    material: Material,
    past: Past,
}

impl Evolution {
    /// A new run over `attributes` attributes.
    pub fn new(config: Config, attributes: usize, seed: u64) -> Evolution {
        Self::restored(config, attributes, seed, Past::default())
    }

    /// A run that was stopped, from what [`Evolution::past`] said.
    pub fn restored(mut config: Config, attributes: usize, seed: u64, past: Past) -> Evolution {
        config.population = config.population.max(2);
        config.tournament = config.tournament.max(1);
        let material = Material::new(&config, attributes);
        Evolution { config, seed, material, past }
    }

    /// The parameters.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// All that has happened so far.
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// Who lives.
    pub fn population(&self) -> &[Individual] {
        &self.past.population
    }

    /// The fittest that ever lived, the earliest among equals.
    pub fn best(&self) -> Option<&Individual> {
        self.past.best.as_ref()
    }

    /// How many were born so far, the first population included.
    pub fn births(&self) -> u64 {
        self.past.births
    }

    /// How many will have been born in the end.
    pub fn last_birth(&self) -> u64 {
        (self.config.population * (1 + self.config.generations)) as u64
    }

    /// The mean fitness of who lives.
    pub fn mean(&self) -> f64 {
        let total: f64 = self.population().iter().map(Individual::fitness).sum();
        total / self.population().len().max(1) as f64
    }

    /// The mean size of who lives.
    pub fn mean_size(&self) -> f64 {
        let total: usize = self.population().iter().map(|one| one.formula.size()).sum();
        total as f64 / self.population().len().max(1) as f64
    }

    /// The formulas whose fitness is wanted next; none when the run is over.
    pub fn ask(&self) -> Vec<Formula> {
        if self.births() >= self.last_birth() {
            return Vec::new();
        }
        if self.population().is_empty() {
            return self.material.ramped(&self.config, &mut Rng::stream(self.seed, 0));
        }
        let count = match self.config.scheme {
            Scheme::SteadyState => 1,
            Scheme::Generational { .. } => self.config.population as u64,
        };
        let born = self.births()..(self.births() + count).min(self.last_birth());
        born.map(|birth| self.child(&mut Rng::stream(self.seed, birth + 1))).collect()
    }

    /// Takes in the formulas that were asked for, with what was found out about them.
    pub fn tell(&mut self, formulas: Vec<Formula>, judged: Vec<Judged>) {
        let mut children: Vec<Individual> = Vec::new();
        for (formula, judged) in formulas.into_iter().zip(judged) {
            self.past.known.insert(essence(&formula));
            let child = Individual { formula, judged, born: self.births() };
            self.past.births += 1;
            if self.best().is_none_or(|best| child.fitness() > best.fitness()) {
                self.past.best = Some(child.clone());
            }
            children.push(child);
        }
        if self.population().is_empty() {
            self.past.population = children;
            return;
        }
        match self.config.scheme {
            Scheme::SteadyState => children.into_iter().for_each(|child| self.settle(child)),
            Scheme::Generational { elite } => self.replace_all(children, elite),
        }
    }

    /// Fitness less what size costs.
    fn worth(&self, individual: &Individual) -> f64 {
        individual.fitness() - self.config.parsimony * individual.formula.size() as f64
    }

    /// Whether one is worth more than another, or as much at a smaller size.
    fn is_better(&self, one: &Individual, other: &Individual) -> bool {
        let (mine, others) = (self.worth(one), self.worth(other));
        mine > others || mine == others && one.formula.size() < other.formula.size()
    }

    /// Gives a child the place of one too much like it if it is better than that, otherwise of the worst.
    fn settle(&mut self, child: Individual) {
        let (nearest, distance) = self.nearest(&child);
        let alike = distance == 0.0 || distance < self.config.crowding;
        let place = if alike { nearest } else { self.worst() };
        let holder = &self.population()[place];
        let settles = match (alike, self.config.replacement) {
            (true, _) => self.is_better(&child, holder),
            (false, Replacement::IfNotWorse) => !self.is_better(holder, &child),
            (false, Replacement::Always) => true,
        };
        if settles {
            self.past.population[place] = child;
        }
    }

    /// The one whose matches went most like a child's, and how far it is.
    fn nearest(&self, child: &Individual) -> (usize, f64) {
        let distances = self.population().iter().map(|one| one.distance(child)).enumerate();
        distances.min_by(|(_, one), (_, other)| one.total_cmp(other)).unwrap_or((0, 1.0))
    }

    fn worst(&self) -> usize {
        let everyone = 0..self.population().len();
        let worse = |one: usize, other: usize| {
            let better = self.is_better(&self.population()[one], &self.population()[other]);
            if better { other } else { one }
        };
        everyone.reduce(worse).unwrap_or(0)
    }

    fn replace_all(&mut self, children: Vec<Individual>, elite: usize) {
        let mut old = std::mem::take(&mut self.past.population);
        old.sort_by(|a, b| self.worth(b).total_cmp(&self.worth(a)));
        old.truncate(elite);
        old.extend(children);
        old.truncate(self.config.population);
        self.past.population = old;
    }

    fn parent(&self, rng: &mut Rng) -> &Individual {
        let everyone = self.population();
        let draw = |rng: &mut Rng| &everyone[rng.below(everyone.len() as u32) as usize];
        let mut best = draw(rng);
        for _ in 1..self.config.tournament {
            let other = draw(rng);
            if self.is_better(other, best) {
                best = other;
            }
        }
        best
    }

    /// A child like one born before would only be judged again: it is changed at one more point until it
    /// is new. Where its form has no room for anything new, parts of it are grown anew.
    fn child(&self, rng: &mut Rng) -> Formula {
        let is_new = |child: &Formula| !self.past.known.contains(&essence(child));
        let mut child = self.shallow(rng);
        for _ in 0..PATIENCE {
            if is_new(&child) {
                return child;
            }
            child = point_mutation(&child, &self.material, rng);
        }
        for _ in 0..PATIENCE {
            if is_new(&child) {
                break;
            }
            let grown = subtree_mutation(&child, &self.material, rng);
            if grown.depth() <= self.config.deepest {
                child = grown;
            }
        }
        child
    }

    /// A child that is not too deep.
    fn shallow(&self, rng: &mut Rng) -> Formula {
        for _ in 0..PATIENCE {
            let child = self.varied(rng);
            if child.depth() <= self.config.deepest {
                return child;
            }
        }
        self.parent(rng).formula.clone()
    }

    fn varied(&self, rng: &mut Rng) -> Formula {
        let config = &self.config;
        let mut child = self.parent(rng).formula.clone();
        if rng.unit() < config.crossover {
            child = crossover(&child, &self.parent(rng).formula, rng);
        }
        match config.mutation_rate {
            MutationRate::PerNode => {
                child = node_mutation(&child, config.point_mutation, &self.material, rng);
            }
            MutationRate::PerChild if rng.unit() < config.point_mutation => {
                child = point_mutation(&child, &self.material, rng);
            }
            MutationRate::PerChild => {}
        }
        if rng.unit() < config.subtree_mutation {
            child = subtree_mutation(&child, &self.material, rng);
        }
        child
    }
}
