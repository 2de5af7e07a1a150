//! A weighted sum of features, kept from one position to the next: of a position that differs from the last one in a few
//! sites, only those are looked at. What is added and taken away again are whole numbers, so that a position has the same
//! value whatever was judged before it.

use std::sync::Arc;

use ludex_game::{Detail, Game, Geometry, Player, SetOf, State, Turn};

use super::features::{Features, Scratch, Sort};
use super::lines::Lines;
use super::measured::{Measured, Seen};
use super::spots::Spots;
use super::{Evaluation, squash};

/// Weights are counted in parts of this many.
const PARTS: f32 = 65_536.0;

/// A weighted sum of features.
pub struct Linear {
    features: Arc<Features>,
    weights: Arc<[f32]>,
    scratch: Scratch,
    kept: Option<Kept>,
}

impl Linear {
    /// Judges by these weights, one for each feature.
    pub fn new(features: Arc<Features>, weights: Arc<[f32]>) -> Self {
        let kept = Kept::new(&features, &weights);
        Linear { features, weights, scratch: Scratch::default(), kept }
    }
}

impl Evaluation for Linear {
    fn value(&mut self, game: &dyn Game, state: &State, player: Player) -> f32 {
        if let (Some(kept), Some(geometry)) = (&mut self.kept, game.geometry()) {
            return kept.value(&self.features, game, geometry, state, player, &mut self.scratch);
        }
        let (weights, mut sum) = (&self.weights, 0.0);
        let side = self.features.read(game, state, player, &mut self.scratch, |at, value| {
            sum += weights[at] * value;
        });
        side * squash(sum)
    }
}

/// What is kept of the last position.
struct Kept {
    /// What a piece is worth by home of its owner, kind and site.
    worth: Vec<i32>,
    /// Where which pieces were, by owner and kind.
    before: Vec<u64>,
    /// Whose place at the start each player had.
    homes: Vec<usize>,
    /// What the pieces of each player are worth together.
    sums: Vec<i64>,
    tempo: f32,
    score: f32,
    lines: Vec<KeptLines>,
    measured: Vec<(Measured, Vec<f32>)>,
    /// For each site nought where it is empty, one more than the number of a player, three for anybody else.
    who: Vec<u8>,
    /// The sites of the first player, of the second, and of nobody's pieces.
    places: Vec<[u64; 3]>,
    words: usize,
}

/// The stretches of one length, each with how many pieces of either player it has.
struct KeptLines {
    lines: Lines,
    through: Vec<Vec<u32>>,
    tallies: Vec<u8>,
    counts: [[i32; Lines::LONGEST + 1]; 2],
    /// What a stretch is worth to whoever is to move by how many he has in it, and by how many the other has.
    weights: [[f32; Lines::LONGEST + 1]; 2],
}

/// What a piece adds to a tally: a player's pieces count in their own half.
const ADDS: [u8; 4] = [0, 1, 16, 17];

impl KeptLines {
    fn new(lines: &Lines, sites: usize, weights: &[f32]) -> KeptLines {
        let length = lines.length;
        let mut through = vec![Vec::new(); sites];
        for (number, stretch) in lines.all().enumerate() {
            stretch.iter().for_each(|&site| through[site as usize].push(number as u32));
        }
        let mut of = [[0.0; Lines::LONGEST + 1]; 2];
        for (side, of) in of.iter_mut().enumerate() {
            let first = side * length;
            of[1..=length].copy_from_slice(&weights[first..first + length]);
        }
        let tallies = vec![0; lines.all().count()];
        let counts = [[0; Lines::LONGEST + 1]; 2];
        KeptLines { lines: lines.clone(), through, tallies, counts, weights: of }
    }

    fn reset(&mut self) {
        self.tallies.fill(0);
        self.counts = Default::default();
    }

    fn change(&mut self, site: usize, old: u8, new: u8) {
        for &stretch in &self.through[site] {
            let tally = &mut self.tallies[stretch as usize];
            count(&mut self.counts, *tally, -1);
            *tally = *tally - ADDS[usize::from(old)] + ADDS[usize::from(new)];
            count(&mut self.counts, *tally, 1);
        }
    }

    /// What all stretches are worth to a player who is to move.
    fn value(&self, viewer: usize) -> f32 {
        let side = |of: usize, weights: &[f32]| -> f32 {
            let counts = self.counts[of][1..=self.lines.length].iter();
            counts.zip(&weights[1..]).map(|(&count, weight)| count as f32 * weight).sum()
        };
        0.2 * (side(viewer, &self.weights[0]) + side(1 - viewer, &self.weights[1]))
    }
}

#[inline]
fn count(counts: &mut [[i32; Lines::LONGEST + 1]; 2], tally: u8, number: i32) {
    match (tally & 15, tally >> 4) {
        (0, 0) => {}
        (first, 0) => counts[0][usize::from(first)] += number,
        (0, second) => counts[1][usize::from(second)] += number,
        _ => {}
    }
}

impl Kept {
    /// What to keep for these weights; nothing where positions have to be read whole.
    fn new(features: &Features, weights: &[f32]) -> Option<Kept> {
        let Features { players, sites, kind_count, .. } = *features;
        if sites == 0 || features.detail != Detail::Sets || players > 3 {
            return None;
        }
        let kinds = features.kinds.len();
        let mut kept = Kept {
            worth: vec![0; players * kinds * sites],
            before: vec![0; players * kinds * sites.div_ceil(64)],
            homes: (0..players).collect(),
            sums: vec![0; players],
            tempo: 0.0,
            score: 0.0,
            lines: Vec::new(),
            measured: Vec::new(),
            who: vec![0; sites],
            places: vec![[0; 3]; sites.div_ceil(64)],
            words: sites.div_ceil(64),
        };
        for group in &features.groups {
            let weights = &weights[group.start..group.start + group.count];
            if weights.iter().all(|&weight| weight == 0.0) {
                continue;
            }
            match &group.sort {
                Sort::Tempo => kept.tempo = weights[0],
                Sort::Score => kept.score = weights[0],
                Sort::Material | Sort::Squares | Sort::Spots(_) => {
                    for home in 0..players {
                        let side = if features.mirror.is_some() { 0 } else { home };
                        for (kind, base) in features.kinds.iter().enumerate() {
                            for site in 0..sites {
                                let of_kind = side * kind_count + base;
                                let seen = features.seen_from(home, site);
                                let worth = match &group.sort {
                                    Sort::Squares => weights[of_kind * sites + seen],
                                    Sort::Spots(spots) => {
                                        let weights = &weights[of_kind * Spots::COUNT..];
                                        let numbers = spots.of(side, seen).iter();
                                        numbers.zip(weights).map(|(n, weight)| n * weight).sum()
                                    }
                                    _ => weights[of_kind],
                                };
                                let at = (home * kinds + kind) * sites + site;
                                kept.worth[at] += (worth * PARTS).round() as i32;
                            }
                        }
                    }
                }
                Sort::Lines(lines) if players == 2 => {
                    kept.lines.push(KeptLines::new(lines, sites, weights));
                }
                Sort::Measured(measured) if players == 2 => {
                    kept.measured.push((measured.clone(), weights.to_vec()));
                }
                _ => return None,
            }
        }
        Some(kept)
    }

    fn value(
        &mut self,
        features: &Features,
        game: &dyn Game,
        geometry: &Geometry,
        state: &State,
        player: Player,
        scratch: &mut Scratch,
    ) -> f32 {
        let turn = game.turn(state);
        let viewer = match turn.mover() {
            Some(mover) if features.players == 2 => mover,
            _ => player,
        };
        game.view(state, None, Detail::Sets, &mut scratch.view);
        self.follow(features, scratch);
        let moves = matches!(turn, Turn::Players(players) if players.contains(viewer));
        let mut sum = if moves { self.tempo } else { 0.0 };
        let own = self.sums[viewer.index()];
        let all: i64 = self.sums.iter().sum();
        let others = (features.players.max(2) - 1) as f32;
        sum += (own as f32 - (all - own) as f32 / others) / PARTS;
        if self.score != 0.0 {
            sum += self.score * 0.1 * features.lead(&scratch.view, viewer);
        }
        sum += self.lines.iter().map(|lines| lines.value(viewer.index())).sum::<f32>();
        if !self.measured.is_empty() {
            let players = [viewer, viewer.opponent()];
            let seen = Seen {
                game,
                state,
                geometry,
                view: &scratch.view,
                who: &self.who,
                sides: players.map(|player| 1 + player.index() as u8),
                players,
                homes: players.map(|player| self.homes[player.index()]),
                moves,
            };
            for (measured, weights) in &self.measured {
                measured.measure(&seen, &mut scratch.tools, |at, value| sum += weights[at] * value);
            }
        }
        let value = squash(sum);
        if viewer == player { value } else { -value }
    }

    /// Brings what is kept to the position of the view.
    fn follow(&mut self, features: &Features, scratch: &Scratch) {
        let (view, kinds) = (&scratch.view, features.kinds.len());
        for player in 0..features.players {
            let home = features.home(view, Player(player as u8));
            if self.homes[player] != home {
                self.homes[player] = home;
                self.forget();
            }
        }
        let places = !self.lines.is_empty() || !self.measured.is_empty();
        for (player, &home) in self.homes.iter().enumerate() {
            let owned = view.set(SetOf::Owned(Player(player as u8)));
            for kind in 0..kinds {
                let of_kind = view.set(SetOf::Kind(kind as u16));
                let start = (player * kinds + kind) * self.words;
                let worth = (home * kinds + kind) * features.sites;
                for word in 0..self.words.min(owned.len()).min(of_kind.len()) {
                    let now = owned[word] & of_kind[word];
                    let mut changed = now ^ std::mem::replace(&mut self.before[start + word], now);
                    while changed != 0 {
                        let bit = changed.trailing_zeros() as usize;
                        changed &= changed - 1;
                        let site = 64 * word + bit;
                        let worth = i64::from(self.worth[worth + site]);
                        let here = now >> bit & 1 == 1;
                        self.sums[player] += if here { worth } else { -worth };
                    }
                }
            }
        }
        if places {
            self.follow_places(features, scratch);
        }
    }

    /// Brings what depends on who is where, whatever his pieces are, to the position of the view.
    fn follow_places(&mut self, features: &Features, scratch: &Scratch) {
        let view = &scratch.view;
        let owned = |player| SetOf::Owned(Player(player));
        let sets = [owned(0), owned(1), SetOf::Neutral].map(|set| view.set(set));
        for word in 0..self.words {
            let now = sets.map(|set| set.get(word).copied().unwrap_or(0));
            let old = std::mem::replace(&mut self.places[word], now);
            let mut changed = (now[0] ^ old[0]) | (now[1] ^ old[1]) | (now[2] ^ old[2]);
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let whose = |sets: [u64; 3]| match sets.map(|set| set >> bit & 1) {
                    [1, ..] => 1,
                    [_, 1, _] => 2,
                    [.., 1] => 3,
                    _ => 0,
                };
                let (site, before, after) = (64 * word + bit, whose(old), whose(now));
                if site < features.sites && before != after {
                    self.who[site] = after;
                    self.lines.iter_mut().for_each(|lines| lines.change(site, before, after));
                }
            }
        }
    }

    fn forget(&mut self) {
        self.before.fill(0);
        self.sums.fill(0);
        self.who.fill(0);
        self.places.fill([0; 3]);
        self.lines.iter_mut().for_each(KeptLines::reset);
    }
}
