//! Features as sets: what is asked of all places of a board at once.
//!
//! A *key* is what a feature says of a move: the site it ends on, the site it starts on, or the pair of
//! both. All keys of a board are numbered, and a feature is the set of keys it holds for. Its instances in
//! one rotation and reflection are a *layer*: an instance for each key, alike but for the sites. The
//! conditions of a layer are intersected for all keys together; each is a *gathered* set, the keys whose
//! site has what is asked for. Gathered sets are shared by all layers that ask the same.

use super::plain::Anchoring;
use super::{Ask, Condition, FeatureError, Ground, Instance, Pattern, Reading, instances};
use std::collections::{BTreeMap, HashMap};

/// A feature with its weight.
#[derive(Clone, Debug, PartialEq)]
pub enum Weighed {
    /// A pattern around a move.
    Pattern(Pattern, f32),
    /// Passing.
    Pass(f32),
    /// Exchanging sides.
    Swap(f32),
    /// Any move: changes nothing about the choice between them.
    Any(f32),
}

/// The most bits that one change of a site may turn over in all, and the most conditions of replies.
const MAX_FLIPS: usize = 8_000_000;

/// What weights are multiplied by, so that sums of them are whole numbers and adding and taking away leaves
/// nothing behind.
pub(super) const SCALE: f64 = (1u64 << 32) as f64;

/// The features of all players on a board, ready to be asked of positions.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    pub(super) sites: usize,
    /// Words of keys: those of ends, of starts, of pairs.
    pub(super) key_words: usize,
    /// The sets of sites that are asked for.
    pub(super) channels: Vec<Ask>,
    /// Words of all gathered sets.
    pub(super) gathered: usize,
    /// Where the flips of each channel and site end.
    pub(super) flip_ends: Vec<u32>,
    pub(super) flips: Vec<Flip>,
    /// Pairs by start: the end, and the key.
    pub(super) pairs: Vec<Vec<(u32, u32)>>,
    pub(super) players: Vec<Part>,
}

/// Bits of a gathered word that turn over when a site changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flip {
    pub word: u32,
    pub bits: u64,
}

/// What one player's moves are weighed by.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub features: Vec<Feature>,
    pub layers: Vec<Layer>,
    pub slots: Vec<Slot>,
    pub masks: Vec<u64>,
    /// Words of all features' sets.
    pub words: usize,
    /// Replies by the site where the last move ended, then by the one where it started.
    pub replies: [Vec<Vec<Reply>>; 2],
    pub conditions: Vec<Asked>,
    pub pass: f32,
    pub swap: f32,
    /// Whether a feature looks at starts of moves alone.
    pub starts: bool,
    /// The sum of all weights by size: how far two moves may be apart.
    pub spread: f32,
}

/// A feature that holds for a set of keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub weight: i64,
    /// Its first word of keys, and how many.
    pub first: u32,
    pub words: u32,
    /// Where its set is kept.
    pub kept: u32,
    /// The end of its layers.
    pub layers: u32,
}

/// Instances that are looked for together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub first: u32,
    pub words: u32,
    pub mask: u32,
    /// The end of its slots.
    pub slots: u32,
}

/// A gathered set, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    pub word: u32,
    /// Nought, or all ones where it must not hold.
    pub negate: u64,
}

/// A feature that holds for a key after a certain move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    /// Where that move must have started too, if that matters.
    pub last_from: Option<u32>,
    pub feature: u32,
    pub weight: i64,
    pub key: u32,
    /// Its conditions.
    pub conditions: (u32, u32),
}

/// A condition on a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub channel: u32,
    pub site: u32,
    /// What the bit must be.
    pub wanted: bool,
}

impl Ask {
    /// The set that is asked for, and whether a site must not be in it.
    fn channel(self) -> (Ask, bool) {
        match self {
            Ask::Occupied => (Ask::Empty, true),
            Ask::NotOwner(owner) => (Ask::Owner(owner), true),
            Ask::NotPiece(piece) => (Ask::Piece(piece), true),
            positive => (positive, false),
        }
    }
}

impl Layers {
    /// Puts the features of each player (from the first) on a board.
    pub fn new(
        ground: &Ground,
        players: &[Vec<Weighed>],
        reading: Reading,
    ) -> Result<Self, FeatureError> {
        let sites = ground.len();
        let mut builder = Builder {
            ground,
            reading,
            pairs: vec![Vec::new(); sites],
            next_pair: 2 * sites.next_multiple_of(64) as u32,
            channels: Vec::new(),
            gathers: HashMap::new(),
            gathered: 0,
            flips: BTreeMap::new(),
            work: 0,
        };
        let mut parts = Vec::new();
        for (player, features) in (1..).zip(players) {
            parts.push(builder.part(features, player)?);
        }
        let (mut flip_ends, mut flips) = (Vec::new(), Vec::with_capacity(builder.work));
        for channel in 0..builder.channels.len() as u32 {
            for site in 0..sites as u32 {
                flips.extend(builder.flips.remove(&(channel, site)).unwrap_or_default());
                flip_ends.push(flips.len() as u32);
            }
        }
        Ok(Layers {
            sites,
            key_words: builder.next_pair.div_ceil(64) as usize,
            channels: builder.channels,
            gathered: builder.gathered as usize,
            flip_ends,
            flips,
            pairs: builder.pairs,
            players: parts,
        })
    }

    /// How far the weights of two moves of a player (from nought) may be apart.
    pub fn spread(&self, player: usize) -> f32 {
        self.players.get(player).map_or(0.0, |part| part.spread)
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        64 * self.key_words
    }

    /// The keys of a move: those that matter of its end, its start, and both.
    #[inline]
    pub fn keys_of(&self, from: Option<u32>, to: Option<u32>) -> [Option<u32>; 3] {
        let on_board = |site: &u32| (*site as usize) < self.sites;
        let (from, to) = (from.filter(on_board), to.filter(on_board));
        let starts = self.sites.next_multiple_of(64) as u32;
        let pair = match (from, to) {
            (Some(from), Some(to)) => {
                let known = self.pairs[from as usize].iter();
                known.clone().find(|(end, _)| *end == to).map(|&(_, key)| key)
            }
            _ => None,
        };
        [to, from.map(|from| starts + from), pair]
    }
}

/// The channel of a gathered set, its first word, and its keys with their sites.
type Gather = (u32, u32, Vec<(u32, u32)>);

struct Builder<'a> {
    ground: &'a Ground,
    reading: Reading,
    pairs: Vec<Vec<(u32, u32)>>,
    next_pair: u32,
    channels: Vec<Ask>,
    /// Where each gathered set is.
    gathers: HashMap<Gather, u32>,
    gathered: u32,
    flips: BTreeMap<(u32, u32), Vec<Flip>>,
    work: usize,
}

/// What instances of one layer have in common: their pose, which of several there, and what they ask.
type Likeness = (i8, u32, u32, Vec<Ask>);

impl Builder<'_> {
    fn part(&mut self, features: &[Weighed], player: u32) -> Result<Part, FeatureError> {
        let replies = [(); 2].map(|()| vec![Vec::new(); self.ground.len()]);
        let mut part = Part { replies, ..Part::default() };
        for (number, feature) in (0..).zip(features) {
            let (pattern, weight) = match feature {
                Weighed::Pattern(pattern, weight) => (pattern, *weight),
                Weighed::Pass(weight) => {
                    part.pass += weight;
                    continue;
                }
                Weighed::Swap(weight) => {
                    part.swap += weight;
                    continue;
                }
                Weighed::Any(_) => continue,
            };
            part.spread += weight.abs();
            part.starts |= pattern.ends.from.is_some() && pattern.ends.to.is_none();
            let found = self.find(pattern, player)?;
            match pattern.is_reactive() {
                true => self.add_replies(&mut part, number, weight, &found)?,
                false => self.add_feature(&mut part, weight, found)?,
            }
        }
        part.spread += part.pass.abs() + part.swap.abs();
        Ok(part)
    }

    /// The instances of a pattern with their keys.
    fn find(
        &mut self,
        pattern: &Pattern,
        player: u32,
    ) -> Result<Vec<(u32, Instance)>, FeatureError> {
        let mut found = Vec::new();
        let anchors = 0..self.ground.len() as u32;
        let ends_only = self.reading.anchoring() == Anchoring::Ends;
        instances(self.ground, pattern, player, self.reading, anchors, |instance| {
            let at_end = [instance.ends.from, instance.ends.to].contains(&instance.anchor);
            if !ends_only || instance.anchor.is_none() || at_end {
                found.push(instance);
            }
        })?;
        let keyed = found.into_iter().filter_map(|instance| Some((self.key(&instance)?, instance)));
        Ok(keyed.collect())
    }

    fn key(&mut self, instance: &Instance) -> Option<u32> {
        let starts = self.ground.len().next_multiple_of(64) as u32;
        match (instance.ends.from, instance.ends.to) {
            (None, to) => to,
            (Some(from), None) => Some(starts + from),
            (Some(from), Some(to)) => {
                let known = &mut self.pairs[from as usize];
                let key = known.iter().find(|(end, _)| *end == to).map(|&(_, key)| key);
                Some(key.unwrap_or_else(|| {
                    known.push((to, self.next_pair));
                    self.next_pair += 1;
                    self.next_pair - 1
                }))
            }
        }
    }

    fn channel(&mut self, ask: Ask) -> u32 {
        let known = self.channels.iter().position(|channel| *channel == ask);
        known.unwrap_or_else(|| {
            self.channels.push(ask);
            self.channels.len() - 1
        }) as u32
    }

    fn spend(&mut self, work: usize) -> Result<(), FeatureError> {
        self.work += work;
        match self.work > MAX_FLIPS {
            true => Err(FeatureError::TooMany { limit: MAX_FLIPS }),
            false => Ok(()),
        }
    }

    fn add_feature(
        &mut self,
        part: &mut Part,
        weight: f32,
        found: Vec<(u32, Instance)>,
    ) -> Result<(), FeatureError> {
        let mut layers: BTreeMap<Likeness, BTreeMap<u32, Vec<Condition>>> = BTreeMap::new();
        for (key, instance) in found {
            let asks = instance.conditions.iter().map(|condition| condition.ask.channel());
            let mut asked: Vec<Ask> =
                asks.filter(|(_, negated)| !negated).map(|(ask, _)| ask).collect();
            asked.sort_unstable();
            let (reflection, rotation) = (instance.reflection, instance.rotation.to_bits());
            // Several instances of a pose may have the same key; each goes to a layer of its own.
            let mut like = (reflection, rotation, 0, asked);
            while layers.get(&like).is_some_and(|layer| layer.contains_key(&key)) {
                like.2 += 1;
            }
            layers.entry(like).or_default().insert(key, instance.conditions);
        }
        let keys = layers.values().flat_map(BTreeMap::keys);
        let (Some(low), Some(high)) = (keys.clone().min(), keys.max()) else { return Ok(()) };
        let (first, last) = (low / 64, high / 64);
        for layer in layers.into_values() {
            self.add_layer(part, layer)?;
        }
        part.features.push(Feature {
            weight: (f64::from(weight) * SCALE) as i64,
            first,
            words: last - first + 1,
            kept: part.words as u32,
            layers: part.layers.len() as u32,
        });
        part.words += (last - first + 1) as usize;
        Ok(())
    }

    fn add_layer(
        &mut self,
        part: &mut Part,
        layer: BTreeMap<u32, Vec<Condition>>,
    ) -> Result<(), FeatureError> {
        let (Some((low, _)), Some((high, _))) = (layer.first_key_value(), layer.last_key_value())
        else {
            return Ok(());
        };
        let (first, words) = (low / 64, high / 64 - low / 64 + 1);
        let mask = part.masks.len();
        part.masks.resize(mask + words as usize, 0);
        // The sites of all keys for each thing that is asked, in the order in which an instance asks it.
        let mut columns: BTreeMap<(Ask, bool, usize), Vec<(u32, u32)>> = BTreeMap::new();
        for (&key, conditions) in &layer {
            part.masks[mask + (key / 64 - first) as usize] |= 1 << (key % 64);
            let mut before: Vec<(Ask, bool)> = Vec::new();
            for condition in conditions {
                let ask = condition.ask.channel();
                let number = before.iter().filter(|&&other| other == ask).count();
                before.push(ask);
                columns.entry((ask.0, ask.1, number)).or_default().push((key, condition.site));
            }
        }
        let mut slots = Vec::with_capacity(columns.len());
        for ((ask, negated, _), column) in columns {
            let word = self.gather(ask, first, words, column)?;
            slots.push(Slot { word, negate: if negated { !0 } else { 0 } });
        }
        part.slots.append(&mut slots);
        let slots = part.slots.len() as u32;
        part.layers.push(Layer { first, words, mask: mask as u32, slots });
        Ok(())
    }

    /// The gathered set of keys whose sites have what is asked.
    fn gather(
        &mut self,
        ask: Ask,
        first: u32,
        words: u32,
        column: Vec<(u32, u32)>,
    ) -> Result<u32, FeatureError> {
        let channel = self.channel(ask);
        let wanted = (channel, first, column);
        if let Some(&known) = self.gathers.get(&wanted) {
            return Ok(known);
        }
        self.spend(wanted.2.len())?;
        let start = self.gathered;
        self.gathered += words;
        for &(key, site) in &wanted.2 {
            let flip = Flip { word: start + key / 64 - first, bits: 1 << (key % 64) };
            self.flips.entry((channel, site)).or_default().push(flip);
        }
        self.gathers.insert(wanted, start);
        Ok(start)
    }

    fn add_replies(
        &mut self,
        part: &mut Part,
        feature: u32,
        weight: f32,
        found: &[(u32, Instance)],
    ) -> Result<(), FeatureError> {
        for (key, instance) in found {
            let ends = instance.ends;
            let (list, site, last_from) = match (ends.last_to, ends.last_from) {
                (Some(to), from) => (0, to, from),
                (None, Some(from)) => (1, from, None),
                (None, None) => continue,
            };
            self.spend(1 + instance.conditions.len())?;
            let start = part.conditions.len() as u32;
            for condition in &instance.conditions {
                let (ask, negated) = condition.ask.channel();
                let channel = self.channel(ask);
                part.conditions.push(Asked { channel, site: condition.site, wanted: !negated });
            }
            part.replies[list][site as usize].push(Reply {
                last_from,
                feature,
                weight: (f64::from(weight) * SCALE) as i64,
                key: *key,
                conditions: (start, part.conditions.len() as u32),
            });
        }
        Ok(())
    }
}
