//! Features as sets: what is asked of all places of a board at once.
//!
//! A *key* is what a feature says of a move: the site it ends on, the site it starts on, or the pair of
//! both. All keys of a board are numbered, and a feature is the set of keys it holds for. Its instances in
//! one rotation and reflection are a *layer*: an instance for each key, alike but for the sites. The
//! conditions of a layer are intersected for all keys together; each is a *gathered* set, the keys whose
//! site has what is asked for. Layers that ask for the same things lie side by side in a *block*, word by word and filled up
//! to whole vectors of them, so that one pass does for all; gathered sets of a block are shared by all blocks that can use them.

use super::plain::Anchoring;
use super::{Ask, Condition, FeatureError, Ground, Instance, Pattern, Reading, instances};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    pub blocks: Vec<Block>,
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
    /// The end of its blocks.
    pub blocks: u32,
}

/// So many layers are looked for at once.
pub(super) const LANES: usize = 4;

/// Layers that are looked for together: for each word of their feature that of all layers, and nothing in lanes left over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Words of all layers for one word of the feature; a multiple of [`LANES`].
    pub lanes: u32,
    /// Where their masks begin.
    pub mask: u32,
    /// The end of its slots.
    pub slots: u32,
}

/// The gathered sets of a block, or their complements.
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
            work: 0,
        };
        let mut parts = Vec::new();
        for (player, features) in (1..).zip(players) {
            parts.push(builder.part(features, player)?);
        }
        let by_site = builder.flips();
        let (mut flip_ends, mut flips) = (Vec::new(), Vec::with_capacity(builder.work));
        for of_site in by_site {
            flips.extend(of_site);
            flip_ends.push(flips.len() as u32);
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

/// The sets that one thing asked of a block gathers, while they may still grow.
struct Gather {
    /// Its first word among all gathered ones.
    start: u32,
    /// For each layer the sites of keys.
    sites: Vec<BTreeMap<u32, u32>>,
    /// For each layer the keys that somebody relies on, with or without a site.
    relied: Vec<BTreeMap<u32, ()>>,
}

/// What is gathered alike: the channel, the first word of keys, the words of a layer, and the number of layers.
type Shape = (u32, u32, u32, usize);

struct Builder<'a> {
    ground: &'a Ground,
    reading: Reading,
    pairs: Vec<Vec<(u32, u32)>>,
    next_pair: u32,
    channels: Vec<Ask>,
    gathers: HashMap<Shape, Vec<Gather>>,
    gathered: u32,
    work: usize,
}

/// A layer while it is put together: its keys, and for each thing that is asked the keys with their sites.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Layer {
    keys: Vec<u32>,
    columns: BTreeMap<Column, Vec<(u32, u32)>>,
}

/// What is asked, whether it must not be so, and how many of the same kind come before it.
type Column = (Ask, bool, usize);

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
        let (first, words) = (low / 64, high / 64 - low / 64 + 1);
        // Mirror images are often the same; what asks for the same things goes into one block.
        let layers: BTreeSet<Layer> = layers.into_values().map(layer_of).collect();
        let mut blocks: BTreeMap<Vec<Column>, Vec<Layer>> = BTreeMap::new();
        for layer in layers {
            let columns = layer.columns.keys().copied().collect();
            blocks.entry(columns).or_default().push(layer);
        }
        for (columns, layers) in blocks {
            self.add_block(part, &columns, &layers, (first, words))?;
        }
        part.features.push(Feature {
            weight: (f64::from(weight) * SCALE) as i64,
            first,
            words,
            kept: part.words as u32,
            blocks: part.blocks.len() as u32,
        });
        part.words += words as usize;
        Ok(())
    }

    fn add_block(
        &mut self,
        part: &mut Part,
        columns: &[Column],
        layers: &[Layer],
        (first, words): (u32, u32),
    ) -> Result<(), FeatureError> {
        let lanes = layers.len().next_multiple_of(LANES);
        let all = lanes * words as usize;
        let mask = part.masks.len();
        self.spend(all)?;
        part.masks.resize(mask + all, 0);
        for (number, layer) in layers.iter().enumerate() {
            for key in &layer.keys {
                let word = (key / 64 - first) as usize * lanes + number;
                part.masks[mask + word] |= 1 << (key % 64);
            }
        }
        for &column in columns {
            let (ask, negated, _) = column;
            let word = self.gather(ask, column, layers, (first, words))?;
            part.slots.push(Slot { word, negate: if negated { !0 } else { 0 } });
        }
        let slots = part.slots.len() as u32;
        part.blocks.push(Block { lanes: lanes as u32, mask: mask as u32, slots });
        Ok(())
    }

    /// Where the sets of keys are whose sites have what a column asks, for all layers of a block. Those of another block
    /// do as well if they are the same wherever this one looks; where nobody looks they may grow.
    fn gather(
        &mut self,
        ask: Ask,
        column: Column,
        layers: &[Layer],
        (first, words): (u32, u32),
    ) -> Result<u32, FeatureError> {
        let channel = self.channel(ask);
        let asked: Vec<BTreeMap<u32, u32>> = layers
            .iter()
            .map(|layer| layer.columns.get(&column).into_iter().flatten().copied().collect())
            .collect();
        let fits = |known: &Gather| {
            (0..layers.len()).all(|number| {
                layers[number].keys.iter().all(|key| {
                    let (has, wants) = (known.sites[number].get(key), asked[number].get(key));
                    has == wants || (has.is_none() && !known.relied[number].contains_key(key))
                })
            })
        };
        let shape = (channel, first, words, layers.len());
        let known = self.gathers.entry(shape).or_default();
        let at = known.iter().position(fits).unwrap_or_else(|| {
            known.push(Gather {
                start: self.gathered,
                sites: vec![BTreeMap::new(); layers.len()],
                relied: vec![BTreeMap::new(); layers.len()],
            });
            self.gathered += layers.len().next_multiple_of(LANES) as u32 * words;
            known.len() - 1
        });
        let gather = &mut known[at];
        let mut grown = 0;
        for (number, layer) in layers.iter().enumerate() {
            let before = gather.sites[number].len();
            gather.sites[number].extend(&asked[number]);
            grown += gather.sites[number].len() - before;
            gather.relied[number].extend(layer.keys.iter().map(|&key| (key, ())));
        }
        let start = gather.start;
        self.spend(grown)?;
        Ok(start)
    }

    /// What turns over in gathered sets when a site changes, by channel and site.
    fn flips(&self) -> Vec<Vec<Flip>> {
        let sites = self.ground.len();
        let mut flips = vec![Vec::new(); self.channels.len() * sites];
        for (&(channel, first, _, layers), gathers) in &self.gathers {
            let lanes = layers.next_multiple_of(LANES) as u32;
            for gather in gathers {
                for (number, of_layer) in gather.sites.iter().enumerate() {
                    let start = gather.start + number as u32;
                    for (&key, &site) in of_layer {
                        let word = start + (key / 64 - first) * lanes;
                        let flip = Flip { word, bits: 1 << (key % 64) };
                        flips[channel as usize * sites + site as usize].push(flip);
                    }
                }
            }
        }
        // In order of memory, and the same every time.
        flips
            .iter_mut()
            .for_each(|flips| flips.sort_unstable_by_key(|flip| (flip.word, flip.bits)));
        flips
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

/// A layer out of its instances: the sites of all keys for each thing that is asked, in the order in which an instance
/// asks it.
fn layer_of(instances: BTreeMap<u32, Vec<Condition>>) -> Layer {
    let mut layer = Layer::default();
    for (key, conditions) in instances {
        layer.keys.push(key);
        let mut before: Vec<(Ask, bool)> = Vec::new();
        for condition in conditions {
            let ask = condition.ask.channel();
            let number = before.iter().filter(|&&other| other == ask).count();
            before.push(ask);
            layer.columns.entry((ask.0, ask.1, number)).or_default().push((key, condition.site));
        }
    }
    layer
}
