//! Larger patterns out of smaller ones: one more element wherever it explains what weights do not.

use std::collections::HashMap;

use ludex_game::features::{
    Element, Ground, Instance, MoveEnds, Pattern, Place, Reading, Test, destinations, instances,
};

use super::sample::Sample;

/// An element that may be added: a walk by its number, what is asked there, and whether it must not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Addition {
    walk: u16,
    test: Test,
    negated: bool,
}

/// The walks that elements may have, and where they lead from each site in each pose.
pub struct Vocabulary<'g> {
    ground: &'g Ground,
    walks: Vec<Vec<f32>>,
    /// By anchor and pose (rotation, reflection as bits): the site that each walk leads to.
    reached: HashMap<(u32, u32, i8), Vec<Option<u32>>>,
    tests: Vec<(Test, bool)>,
}

/// A pattern that may be added, with what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The pattern.
    pub pattern: Pattern,
    /// How well it explains the errors.
    pub score: f64,
    /// For how many moves it holds.
    pub count: u32,
}

impl<'g> Vocabulary<'g> {
    /// Walks of up to two steps, and straight ones of up to four; tests of what stands there.
    pub fn new(ground: &'g Ground, pieces: u32) -> Self {
        let walks = walks(ground);
        let mut reached = HashMap::new();
        for anchor in 0..ground.len() as u32 {
            let sides = ground.sides[anchor as usize].len();
            for reflection in [1i8, -1] {
                for side in 0..sides {
                    let rotation = side as f32 / sides as f32;
                    let lead = |turns: &Vec<f32>| {
                        let to = destinations(
                            ground,
                            turns,
                            anchor,
                            rotation,
                            f32::from(reflection),
                            Reading::Paper,
                        );
                        // A walk that may lead to two places says too little about either.
                        if to.len() == 1 { to[0] } else { None }
                    };
                    let sites = walks.iter().map(lead).collect();
                    reached.insert((anchor, rotation.to_bits(), reflection), sites);
                }
            }
        }
        let mut tests: Vec<(Test, bool)> = vec![
            (Test::Empty, false),
            (Test::Friend, false),
            (Test::Enemy, false),
            (Test::Off, false),
            (Test::Empty, true),
            (Test::Friend, true),
            (Test::Enemy, true),
        ];
        if pieces > ground.players {
            tests.extend((1..=pieces).map(|piece| (Test::Item(piece), false)));
        }
        for (region, distances) in (0..).zip(&ground.distances) {
            if distances.is_some() {
                tests.extend([(Test::Nearer(region), false), (Test::Nearer(region), true)]);
            }
        }
        Vocabulary { ground, walks, reached, tests }
    }

    /// What every pattern grows from: the ends of a move, alone and after a move near by. `starts` says
    /// whether moves of this game start somewhere.
    pub fn roots(&self, starts: bool) -> Vec<Pattern> {
        let walk = |turns: &[f32]| Some(Place::Walk(turns.to_vec()));
        let pattern = |ends| Pattern { ends, reflects: true, ..Pattern::default() };
        let to = MoveEnds { to: walk(&[]), ..MoveEnds::default() };
        let mut roots = vec![pattern(to.clone())];
        let straight: Vec<&Vec<f32>> = self
            .walks
            .iter()
            .filter(|turns| turns.first().is_none_or(|&turn| turn == 0.0))
            .collect();
        for turns in &straight {
            roots.push(pattern(MoveEnds { last_to: walk(turns), ..to.clone() }));
        }
        if starts {
            let from = MoveEnds { from: walk(&[]), ..MoveEnds::default() };
            roots.push(pattern(from.clone()));
            roots.push(pattern(MoveEnds { last_to: walk(&[]), ..from.clone() }));
            for turns in straight.iter().filter(|turns| !turns.is_empty()) {
                roots.push(pattern(MoveEnds { to: walk(turns), ..from.clone() }));
            }
            roots.push(pattern(MoveEnds { last_from: walk(&[]), ..to }));
        }
        roots
    }

    /// The parent with one more element.
    fn child(&self, parent: &Pattern, addition: Addition) -> Pattern {
        let place = Place::Walk(self.walks[addition.walk as usize].clone());
        let mut pattern = parent.clone();
        pattern.elements.push(Element { test: addition.test, negated: addition.negated, place });
        pattern
    }

    /// Whether an addition holds where an instance does.
    fn holds(&self, sample: &Sample, addition: Addition, anchor: u32, site: Option<u32>) -> bool {
        let (players, me) = (self.ground.players, u32::from(sample.player.0) + 1);
        let Some(site) = site else {
            return match addition.test {
                Test::Off => !addition.negated,
                Test::Nearer(_) => false,
                _ => addition.negated,
            };
        };
        let (owner, piece) = sample.at(site);
        let holds = match addition.test {
            Test::Empty => piece == 0,
            Test::Friend => owner == me,
            Test::Enemy if players == 2 => owner == 3 - me,
            Test::Enemy => piece != 0 && owner != me,
            Test::Off => false,
            Test::Item(wanted) => piece == wanted,
            Test::Nearer(region) => match self.ground.distances.get(region as usize) {
                Some(Some(away)) => away[anchor as usize] > away[site as usize],
                _ => false,
            },
            _ => false,
        };
        holds != addition.negated
    }
}

/// All walks of up to two steps and straight ones of up to four, with every first turn.
fn walks(ground: &Ground) -> Vec<Vec<f32>> {
    let sides = ground.connectivities().into_iter().max().unwrap_or(0);
    let turn = |side: usize| {
        let turn = side as f32 / sides as f32;
        if turn > 0.5 { turn - 1.0 } else { turn }
    };
    let mut walks = vec![Vec::new()];
    for first in 0..sides {
        walks.push(vec![turn(first)]);
        for second in (0..sides).filter(|&second| 2 * second != sides) {
            walks.push(vec![turn(first), turn(second)]);
        }
        for length in 3..=4 {
            let mut straight = vec![0.0; length];
            straight[0] = turn(first);
            walks.push(straight);
        }
    }
    walks
}

/// What is added up over the moves for which something holds.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u32,
    error: f64,
}

/// The best children of a parent, by how well they explain the errors of the moves of some samples.
pub fn children(
    vocabulary: &Vocabulary<'_>,
    parent: &Pattern,
    samples: &[(&Sample, &[f32])],
    player: u32,
    keep: usize,
) -> Vec<Candidate> {
    let Some(by_key) = by_key(vocabulary.ground, parent, player) else { return Vec::new() };
    // Rotating a pattern without a direction changes nothing: one first turn will do.
    let plain = is_plain(parent);
    let walks: Vec<u16> = (0..vocabulary.walks.len() as u16)
        .filter(|&walk| {
            let first = vocabulary.walks[walk as usize].first();
            !plain || first.is_none_or(|&turn| turn == 0.0)
        })
        .collect();
    let mut additions = Vec::new();
    for &walk in &walks {
        for &(test, negated) in &vocabulary.tests {
            let stays = vocabulary.walks[walk as usize].is_empty();
            if !(stays && matches!(test, Test::Nearer(_) | Test::Off)) {
                additions.push(Addition { walk, test, negated });
            }
        }
    }
    let mut tallies = vec![Tally::default(); additions.len()];
    let (mut all, mut squares, mut own) = (Tally::default(), 0.0, Tally::default());
    let mut seen = vec![u32::MAX; additions.len()];
    for (sample, errors) in samples {
        for (number, &error) in errors.iter().enumerate() {
            all.count += 1;
            all.error += f64::from(error);
            squares += f64::from(error) * f64::from(error);
            let ends = sample.ends(number);
            let key = ends.to.filter(|_| parent.ends.to.is_some()).or(ends.from);
            let found = key.and_then(|key| by_key.get(key as usize)).map_or(&[][..], Vec::as_slice);
            let mut active = false;
            for instance in found {
                if !instance.ends.fit(&ends) || !instance.matches(|site| sample.at(site)) {
                    continue;
                }
                active = true;
                let Some(anchor) = instance.anchor else { continue };
                let pose = (anchor, instance.rotation.to_bits(), instance.reflection);
                let Some(sites) = vocabulary.reached.get(&pose) else { continue };
                for (at, &addition) in additions.iter().enumerate() {
                    let site = sites[addition.walk as usize];
                    if seen[at] != all.count && vocabulary.holds(sample, addition, anchor, site) {
                        seen[at] = all.count;
                        tallies[at].count += 1;
                        tallies[at].error += f64::from(error);
                    }
                }
            }
            if active {
                own.count += 1;
                own.error += f64::from(error);
            }
        }
    }
    let mut found: Vec<Candidate> = additions
        .iter()
        .zip(&tallies)
        .filter_map(|(&addition, tally)| {
            let score = score(all, squares, own, *tally)?;
            let pattern = vocabulary.child(parent, addition);
            Some(Candidate { pattern, score, count: tally.count })
        })
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(keep);
    found
}

/// How well a feature explains errors that its parent does not: the correlation with them, less what the
/// parent has of it already.
fn score(all: Tally, squares: f64, parent: Tally, child: Tally) -> Option<f64> {
    let (n, active) = (f64::from(all.count), f64::from(child.count));
    let parent = f64::from(parent.count);
    if child.count < 30 || active >= n || active >= parent * 0.98 {
        return None;
    }
    let spread = (active * (n - active)).sqrt() * (n * squares - all.error * all.error).sqrt();
    let with_error = (n * child.error - active * all.error) / spread;
    let with_parent = match parent < n {
        true => {
            active * (n - parent)
                / ((active * (n - active)).sqrt() * (parent * (n - parent)).sqrt())
        }
        false => 0.0,
    };
    let z = with_error.clamp(-0.999_999, 0.999_999).atanh().abs();
    let lower = (z - 1.64 / (n - 3.0).sqrt()).max(0.0).tanh();
    Some(lower * (1.0 - with_parent * with_parent))
}

/// Whether a pattern looks the same in every rotation.
fn is_plain(pattern: &Pattern) -> bool {
    let stays = |place: &Place| matches!(place, Place::Walk(turns) if turns.is_empty());
    let mut plain = pattern.elements.iter().all(|element| stays(&element.place));
    pattern.ends.map(|place| plain &= place.as_ref().is_none_or(stays));
    plain
}

/// The instances of a pattern by the site where a move ends, or starts where the end does not matter.
fn by_key(ground: &Ground, pattern: &Pattern, player: u32) -> Option<Vec<Vec<Instance>>> {
    let mut by_key = vec![Vec::new(); ground.len()];
    let plain = is_plain(pattern);
    let anchors = 0..ground.len() as u32;
    instances(ground, pattern, player, Reading::Paper, anchors, |instance| {
        let key = instance.ends.to.or(instance.ends.from);
        if let Some(list) = key.and_then(|key| by_key.get_mut(key as usize)) {
            // All poses of a plain pattern are looked at, for what may be added to it has a direction.
            let known = !plain && list.contains(&instance);
            if !known {
                list.push(instance);
            }
        }
    })
    .ok()?;
    Some(by_key)
}
