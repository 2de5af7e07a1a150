//! A population and what becomes of it.

use ludex_game::Rng;

use super::config::{Config, MutationRate, Replacement, Scheme};
use super::formula::Formula;
use super::random::Material;
use super::vary::{crossover, node_mutation, point_mutation, subtree_mutation};

/// A formula and how well it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// The formula.
    pub formula: Formula,
    /// Its fitness as it was told.
    pub fitness: f64,
    /// Which birth it was; the first population are the first births.
    pub born: u64,
}

/// An evolution under way. Ask for formulas ([`Evolution::ask`]), tell their fitness
/// ([`Evolution::tell`]), until nothing is asked any more.
///
/// What is asked depends on the seed, the number of births and the population alone, so a run that is
/// restored from these goes on as if it had never stopped.
#[derive(Clone, Debug)]
pub struct Evolution {
    config: Config,
    seed: u64,
    material: Material,
    population: Vec<Individual>,
    best: Option<Individual>,
    births: u64,
}

impl Evolution {
    /// A new run over `attributes` attributes.
    pub fn new(config: Config, attributes: usize, seed: u64) -> Evolution {
        Self::restored(config, attributes, seed, Vec::new(), None, 0)
    }

    /// A run that was stopped, from what [`Evolution::population`], [`Evolution::best`] and
    /// [`Evolution::births`] said.
    pub fn restored(
        mut config: Config,
        attributes: usize,
        seed: u64,
        population: Vec<Individual>,
        best: Option<Individual>,
        births: u64,
    ) -> Evolution {
        config.population = config.population.max(2);
        config.tournament = config.tournament.max(1);
        let material = Material::new(&config, attributes);
        Evolution { config, seed, material, population, best, births }
    }

    /// The parameters.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Who lives.
    pub fn population(&self) -> &[Individual] {
        &self.population
    }

    /// The fittest that ever lived, the earliest among equals.
    pub fn best(&self) -> Option<&Individual> {
        self.best.as_ref()
    }

    /// How many were born so far, the first population included.
    pub fn births(&self) -> u64 {
        self.births
    }

    /// How many will have been born in the end.
    pub fn last_birth(&self) -> u64 {
        (self.config.population * (1 + self.config.generations)) as u64
    }

    /// The mean fitness of who lives.
    pub fn mean(&self) -> f64 {
        let total: f64 = self.population.iter().map(|individual| individual.fitness).sum();
        total / self.population.len().max(1) as f64
    }

    /// The mean size of who lives.
    pub fn mean_size(&self) -> f64 {
        let total: usize = self.population.iter().map(|one| one.formula.size()).sum();
        total as f64 / self.population.len().max(1) as f64
    }

    /// The formulas whose fitness is wanted next; none when the run is over.
    pub fn ask(&self) -> Vec<Formula> {
        if self.births >= self.last_birth() {
            return Vec::new();
        }
        if self.population.is_empty() {
            return self.material.ramped(&self.config, &mut Rng::stream(self.seed, 0));
        }
        let count = match self.config.scheme {
            Scheme::SteadyState => 1,
            Scheme::Generational { .. } => self.config.population as u64,
        };
        let born = self.births..(self.births + count).min(self.last_birth());
        born.map(|birth| self.child(&mut Rng::stream(self.seed, birth + 1))).collect()
    }

    /// Takes in the formulas that were asked for, with their fitness.
    pub fn tell(&mut self, formulas: Vec<Formula>, fitness: &[f64]) {
        let mut children: Vec<Individual> = Vec::new();
        for (formula, &fitness) in formulas.into_iter().zip(fitness) {
            let child = Individual { formula, fitness, born: self.births };
            self.births += 1;
            if self.best.as_ref().is_none_or(|best| child.fitness > best.fitness) {
                self.best = Some(child.clone());
            }
            children.push(child);
        }
        if self.population.is_empty() {
            self.population = children;
            return;
        }
        match self.config.scheme {
            Scheme::SteadyState => children.into_iter().for_each(|child| self.replace_worst(child)),
            Scheme::Generational { elite } => self.replace_all(children, elite),
        }
    }

    /// Fitness less what size costs.
    fn worth(&self, individual: &Individual) -> f64 {
        individual.fitness - self.config.parsimony * individual.formula.size() as f64
    }

    fn replace_worst(&mut self, child: Individual) {
        let by_worth = |a: &usize, b: &usize| {
            self.worth(&self.population[*a]).total_cmp(&self.worth(&self.population[*b]))
        };
        let Some(worst) = (0..self.population.len()).min_by(by_worth) else { return };
        let not_worse = self.worth(&child) >= self.worth(&self.population[worst]);
        if self.config.replacement == Replacement::Always || not_worse {
            self.population[worst] = child;
        }
    }

    fn replace_all(&mut self, children: Vec<Individual>, elite: usize) {
        let mut old = std::mem::take(&mut self.population);
        old.sort_by(|a, b| self.worth(b).total_cmp(&self.worth(a)));
        old.truncate(elite);
        old.extend(children);
        old.truncate(self.config.population);
        self.population = old;
    }

    fn parent(&self, rng: &mut Rng) -> &Individual {
        let draw =
            |rng: &mut Rng| &self.population[rng.below(self.population.len() as u32) as usize];
        let mut best = draw(rng);
        for _ in 1..self.config.tournament {
            let other = draw(rng);
            if self.worth(other) > self.worth(best) {
                best = other;
            }
        }
        best
    }

    fn child(&self, rng: &mut Rng) -> Formula {
        // Twins of the living are drawn again: judging a formula twice would be a waste. Some
        // populations allow nothing else, so patience is limited.
        for _ in 0..100 {
            let child = self.varied(rng);
            let twin = self.population.iter().any(|one| one.formula == child);
            if !twin && child.depth() <= self.config.deepest {
                return child;
            }
        }
        point_mutation(&self.parent(rng).formula, &self.material, rng)
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
