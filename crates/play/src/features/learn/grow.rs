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
    /// Whether a test compares a site with the anchor.
    compares: bool,
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
    /// Walks of up to two steps, and straight ones of up to four; tests of what stands there. `pieces` are the kinds
    /// that are told apart, and `regions` says whether distances to regions are: not where features are to hold
    /// for all players alike.
    pub fn new(ground: &'g Ground, pieces: u32, regions: bool) -> Self {
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
            if distances.is_some() && regions {
                tests.extend([(Test::Nearer(region), false), (Test::Nearer(region), true)]);
            }
        }
        tests.truncate(MAX_TESTS);
        let compares = tests.iter().any(|(test, _)| matches!(test, Test::Nearer(_)));
        Vocabulary { ground, walks, reached, tests, compares }
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

    /// Which tests hold on each site for a player, as bits; tests that depend on the anchor are left out.
    fn by_site(&self, sample: &Sample, me: u32) -> Vec<u32> {
        let players = self.ground.players;
        let bits = |site: u32| {
            let (owner, piece) = sample.at(site);
            self.bits(|test| match test {
                Test::Empty => Some(piece == 0),
                Test::Friend => Some(owner == me),
                Test::Enemy if players == 2 => Some(owner == 3 - me),
                Test::Enemy => Some(piece != 0 && owner != me),
                Test::Off => Some(false),
                Test::Item(wanted) => Some(piece == wanted),
                _ => None,
            })
        };
        (0..self.ground.len() as u32).map(bits).collect()
    }

    /// Which tests hold where there is no site.
    fn off_board(&self) -> u32 {
        self.bits(|test| match test {
            Test::Off => Some(true),
            Test::Nearer(_) => None,
            _ => Some(false),
        })
    }

    /// Of the tests that compare a site with the anchor, which hold.
    fn compared(&self, anchor: u32, site: u32) -> u32 {
        if !self.compares {
            return 0;
        }
        self.bits(|test| match test {
            Test::Nearer(region) => {
                let away = self.ground.distances.get(region as usize)?.as_ref()?;
                Some(away[anchor as usize] > away[site as usize])
            }
            _ => None,
        })
    }

    /// The tests that hold, given what holds before it is negated; nothing where neither does.
    fn bits(&self, holds: impl Fn(Test) -> Option<bool>) -> u32 {
        let holding = self
            .tests
            .iter()
            .enumerate()
            .filter(|(_, (test, negated))| holds(*test).is_some_and(|holds| holds != *negated));
        holding.fold(0, |bits, (number, _)| bits | 1 << number)
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

/// A sample with some of its moves and how much less each was thought of than it should have been.
pub struct Looked<'s> {
    /// The sample.
    pub sample: &'s Sample,
    /// The moves that are looked at, each with its error.
    pub errors: Vec<(usize, f32)>,
}

/// The most tests that a vocabulary has.
const MAX_TESTS: usize = 32;

/// What is added up over the moves for which something holds.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u32,
    error: f64,
}

/// The best children of a parent, by how well they explain the errors of the moves of some samples. `players` are
/// those whose samples these are, all from one on, or only one.
pub fn children(
    vocabulary: &Vocabulary<'_>,
    parent: &Pattern,
    samples: &[Looked<'_>],
    players: &[u32],
    keep: usize,
) -> Vec<Candidate> {
    let keyed = |&player: &u32| by_key(vocabulary.ground, parent, player);
    let Some(by_keys) = players.iter().map(keyed).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    // Rotating a pattern without a direction changes nothing: one first turn will do.
    let plain = is_plain(parent);
    let walks: Vec<u16> = (0..vocabulary.walks.len() as u16)
        .filter(|&walk| {
            let first = vocabulary.walks[walk as usize].first();
            !plain || first.is_none_or(|&turn| turn == 0.0)
        })
        .collect();
    let mut tallies = vec![[Tally::default(); MAX_TESTS]; vocabulary.walks.len()];
    let (mut all, mut squares, mut own) = (Tally::default(), 0.0, Tally::default());
    let mut seen = vec![0u32; vocabulary.walks.len()];
    let off = vocabulary.off_board();
    for looked in samples {
        let sample = looked.sample;
        let me = u32::from(sample.player.0) + 1;
        let Some(by_key) = by_keys.get(me as usize - 1).or(by_keys.last()) else { continue };
        let by_site = vocabulary.by_site(sample, me);
        for &(number, error) in &looked.errors {
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
                if !std::mem::replace(&mut active, true) {
                    seen.fill(0);
                }
                let Some(anchor) = instance.anchor else { continue };
                let pose = (anchor, instance.rotation.to_bits(), instance.reflection);
                let Some(sites) = vocabulary.reached.get(&pose) else { continue };
                for &walk in &walks {
                    let holding = match sites[walk as usize] {
                        Some(site) => by_site[site as usize] | vocabulary.compared(anchor, site),
                        None => off,
                    };
                    let mut fresh = holding & !seen[walk as usize];
                    seen[walk as usize] |= holding;
                    while fresh != 0 {
                        let tally = &mut tallies[walk as usize][fresh.trailing_zeros() as usize];
                        fresh &= fresh - 1;
                        tally.count += 1;
                        tally.error += f64::from(error);
                    }
                }
            }
            if active {
                own.count += 1;
                own.error += f64::from(error);
            }
        }
    }
    let mut found: Vec<Candidate> = Vec::new();
    if parent.elements.is_empty()
        && let Some(score) = score(all, squares, all, own)
    {
        found.push(Candidate { pattern: parent.clone(), score, count: own.count });
    }
    for &walk in &walks {
        let stays = vocabulary.walks[walk as usize].is_empty();
        for (number, &(test, negated)) in vocabulary.tests.iter().enumerate() {
            if stays && matches!(test, Test::Nearer(_) | Test::Off) {
                continue;
            }
            let tally = tallies[walk as usize][number];
            if let Some(score) = score(all, squares, own, tally) {
                let pattern = vocabulary.child(parent, Addition { walk, test, negated });
                found.push(Candidate { pattern, score, count: tally.count });
            }
        }
    }
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
