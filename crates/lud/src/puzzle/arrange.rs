//! Arrangements: puzzles that ask for nothing but different values, each on one site, and for sums, such as magic
//! squares. Searching them site by site goes wrong early and notices late; here all values are on the board from the
//! start, and two are exchanged if that brings the sums nearer, or with a chance that falls with every exchange tried.

use super::rules::{Domain, Rule, bits};
use super::solve::Solution;
use ludex_game::Rng;

/// Exchanges tried before it starts anew.
const ROUND: u32 = 400_000;

/// How far an exchange may lead away from the sums at the end of a round, by a chance of one in three.
const COLD: f64 = 0.3;

/// What is to be arranged.
pub(super) struct Arrangement {
    /// The sites that are not given, and the sums that each is part of.
    sites: Vec<(i32, Vec<usize>)>,
    /// The values left for them.
    values: Vec<i32>,
    /// What each sum still needs of those values.
    needs: Vec<i32>,
    /// The sites that are given.
    given: Solution,
}

impl Arrangement {
    /// Of a puzzle whose rules say nothing else, with the values that sites may have by them. `min` is the smallest.
    pub(super) fn of(rules: &[Rule], open: &[Domain], min: i32) -> Option<Self> {
        let is_sum = |rule: &&Rule| matches!(rule, Rule::Sum { .. });
        let (sums, rest): (Vec<&Rule>, Vec<&Rule>) = rules.iter().partition(is_sum);
        let [Rule::Different { sites: all, full: true, .. }] = rest[..] else {
            return None;
        };
        let number = |value: Domain| value.trailing_zeros() as i32 + min;
        let is_given = |site: i32| open[site as usize].count_ones() == 1;
        let given: Solution = all
            .iter()
            .filter(|site| is_given(**site))
            .map(|&site| (site, number(open[site as usize])))
            .collect();
        let mut sites: Vec<(i32, Vec<usize>)> =
            all.iter().filter(|site| !is_given(**site)).map(|&site| (site, Vec::new())).collect();
        let mut needs = Vec::new();
        for (at, rule) in sums.iter().enumerate() {
            let Rule::Sum { sites: parts, total, .. } = rule else {
                continue;
            };
            if parts.iter().any(|site| !all.contains(site)) {
                return None;
            }
            for (site, part_of) in &mut sites {
                part_of.extend(parts.iter().filter(|part| *part == site).map(|_| at));
            }
            let have = given.iter().map(|(site, value)| {
                value * parts.iter().filter(|part| *part == site).count() as i32
            });
            needs.push(total - have.sum::<i32>());
        }
        let possible = all.iter().fold(0, |values, &site| values | open[site as usize]);
        let taken = |value: &i32| given.iter().any(|(_, other)| other == value);
        let values = bits(possible).map(number).filter(|value| !taken(value)).collect::<Vec<_>>();
        (values.len() == sites.len()).then_some(Arrangement { sites, values, needs, given })
    }

    /// Looks for an arrangement in one round.
    pub(super) fn look(&self, rng: &mut Rng, stop: &mut dyn FnMut() -> bool) -> Option<Solution> {
        let count = self.sites.len() as u32;
        if count < 2 {
            return None;
        }
        let mut values = self.values.clone();
        rng.shuffle(&mut values);
        let mut off: Vec<i32> = self.needs.iter().map(|need| -need).collect();
        for ((_, sums), value) in self.sites.iter().zip(&values) {
            sums.iter().for_each(|&sum| off[sum] += value);
        }
        let hot = f64::from(count);
        let cooling = (COLD / hot).powf(1.0 / f64::from(ROUND));
        let mut heat = hot;
        let mut wrong: i32 = off.iter().map(|by| by.abs()).sum();
        for tried in 0..ROUND {
            if wrong == 0 {
                return Some(self.solution(&values));
            }
            if tried % 1024 == 0 && stop() {
                return None;
            }
            heat *= cooling;
            let (a, b) = (rng.below(count) as usize, rng.below(count) as usize);
            let more = values[b] - values[a];
            self.exchange(&mut off, a, b, more);
            let after: i32 = off.iter().map(|by| by.abs()).sum();
            let worse = f64::from(after - wrong);
            if worse <= 0.0 || rng.unit() < (-worse / heat).exp() {
                values.swap(a, b);
                wrong = after;
            } else {
                self.exchange(&mut off, a, b, -more);
            }
        }
        None
    }

    /// One site has so much more, another so much less.
    fn exchange(&self, off: &mut [i32], a: usize, b: usize, more: i32) {
        self.sites[a].1.iter().for_each(|&sum| off[sum] += more);
        self.sites[b].1.iter().for_each(|&sum| off[sum] -= more);
    }

    fn solution(&self, values: &[i32]) -> Solution {
        let arranged = self.sites.iter().zip(values).map(|((site, _), value)| (*site, *value));
        let mut all: Solution = self.given.iter().copied().chain(arranged).collect();
        all.sort_unstable();
        all
    }
}
