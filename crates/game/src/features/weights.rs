//! The weights of all keys of a position, kept up to date from one position to the next.

use super::layers::{Block, LANES, Layers, SCALE, Slot};
use super::{Ask, MoveEnds};

/// Odds of single moves are kept where they cannot leave the range of numbers: beyond this sum of weights
/// they are worked out anew for each choice.
pub(super) const MAX_SPREAD: f32 = 60.0;

/// What is known about one position and the ones before it. It is a function of the last position alone;
/// earlier ones only save work.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The sets that are asked for, as they were last.
    channels: Vec<u64>,
    gathered: Vec<u64>,
    players: Vec<PlayerWeights>,
    scratch: Vec<u64>,
}

#[derive(Clone, Debug)]
struct PlayerWeights {
    /// The set of each feature as it was last.
    kept: Vec<u64>,
    /// Sums of weights by key; what replies add is in it only between `weigh` and the next.
    sums: Vec<i64>,
    odds: Vec<f32>,
    /// Keys whose sums changed.
    dirty: Vec<u64>,
    /// What replies added last: the key, and how much.
    replies: Vec<(u32, i64)>,
    /// Features that replied, by key, of the reply at hand.
    replied: Vec<(u32, u32)>,
}

impl Weights {
    /// Nothing is known yet: as if the board had nothing on it, not even emptiness.
    pub fn new(layers: &Layers) -> Self {
        let words = layers.sites.div_ceil(64);
        let players = layers.players.iter().map(|part| {
            // After the keys of places comes a neutral one, then passing and exchanging sides.
            let weights = [0.0, part.pass, part.swap];
            let (mut sums, mut odds) = (vec![0; layers.keys()], vec![1.0; layers.keys()]);
            sums.extend(weights.map(|weight| (f64::from(weight) * SCALE) as i64));
            odds.extend(weights.map(crate::playout::exp));
            PlayerWeights {
                kept: vec![0; part.words],
                sums,
                odds,
                dirty: vec![0; layers.key_words],
                replies: Vec::new(),
                replied: Vec::new(),
            }
        });
        Weights {
            channels: vec![0; words * layers.channels.len()],
            gathered: vec![0; layers.gathered],
            players: players.collect(),
            scratch: vec![0; layers.key_words],
        }
    }

    /// Takes in what stands on the board: `set` gives a word of the sites that fulfil what is asked.
    #[inline]
    pub fn see(&mut self, layers: &Layers, set: impl Fn(Ask, usize) -> u64) {
        let words = layers.sites.div_ceil(64);
        for (channel, &ask) in layers.channels.iter().enumerate() {
            for word in 0..words {
                let left = layers.sites - 64 * word;
                let mask = if left >= 64 { !0 } else { (1 << left) - 1 };
                let now = set(ask, word) & mask;
                let kept = &mut self.channels[channel * words + word];
                let mut changed = now ^ std::mem::replace(kept, now);
                while changed != 0 {
                    let site = 64 * word + changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    let at = channel * layers.sites + site;
                    let start = if at == 0 { 0 } else { layers.flip_ends[at - 1] };
                    for flip in &layers.flips[start as usize..layers.flip_ends[at] as usize] {
                        self.gathered[flip.word as usize] ^= flip.bits;
                    }
                }
            }
        }
    }

    /// Weighs the keys of a player (from nought) in the position last seen, after a move with these ends.
    #[inline(always)]
    pub fn weigh(
        &mut self,
        layers: &Layers,
        player: usize,
        last_from: Option<u32>,
        last_to: Option<u32>,
    ) {
        let Some(part) = layers.players.get(player) else { return };
        let ours = &mut self.players[player];
        ours.forget_replies();
        let (mut blocks, mut slots) = (&part.blocks[..], &part.slots[..]);
        let (mut block_number, mut slot_number) = (0, 0);
        for feature in &part.features {
            let found = &mut self.scratch[..feature.words as usize];
            found.fill(0);
            let own;
            (own, blocks) = blocks.split_at(feature.blocks as usize - block_number);
            block_number = feature.blocks as usize;
            for block in own {
                let asked;
                (asked, slots) = slots.split_at(block.slots as usize - slot_number);
                slot_number = block.slots as usize;
                block.look(asked, &part.masks, &self.gathered, found);
            }
            ours.take_in(feature, found);
        }
        self.reply(layers, player, last_from, last_to);
        self.players[player].refresh(part.spread <= MAX_SPREAD);
    }

    /// Adds what holds only because of the last move.
    fn reply(
        &mut self,
        layers: &Layers,
        player: usize,
        last_from: Option<u32>,
        last_to: Option<u32>,
    ) {
        let (part, words) = (&layers.players[player], layers.sites.div_ceil(64));
        let ours = &mut self.players[player];
        ours.replied.clear();
        for (list, site) in part.replies.iter().zip([last_to, last_from]) {
            let replies =
                site.and_then(|site| list.get(site as usize)).map_or(&[][..], Vec::as_slice);
            for reply in replies {
                if reply.last_from.is_some() && reply.last_from != last_from {
                    continue;
                }
                let (start, end) = reply.conditions;
                let holds = part.conditions[start as usize..end as usize].iter().all(|asked| {
                    let word =
                        self.channels[asked.channel as usize * words + asked.site as usize / 64];
                    (word >> (asked.site % 64) & 1 == 1) == asked.wanted
                });
                // A feature counts once for a move, however many of its instances hold.
                if holds && !ours.replied.contains(&(reply.feature, reply.key)) {
                    ours.replied.push((reply.feature, reply.key));
                    ours.replies.push((reply.key, reply.weight));
                    ours.sums[reply.key as usize] += reply.weight;
                    ours.dirty[reply.key as usize / 64] |= 1 << (reply.key % 64);
                }
            }
        }
    }

    /// The weight of a move of a player that was weighed.
    pub fn of_move(&self, layers: &Layers, player: usize, ends: MoveEnds<Option<u32>>) -> f64 {
        let sums = &self.players[player].sums;
        let keys = layers.keys_of(ends.from, ends.to).into_iter().flatten();
        keys.map(|key| sums[key as usize]).sum::<i64>() as f64 / SCALE
    }

    /// The sum of the weights of a move of a player, by its keys and times [`SCALE`], in the position last weighed.
    #[inline]
    pub(super) fn sum(&self, player: usize, keys: [u32; 3]) -> i64 {
        let ours = self.players.get(player);
        ours.map_or(0, |ours| keys.iter().map(|&key| ours.sums[key as usize]).sum())
    }

    /// Adds the weights of a player's moves, given by their keys, in the position last weighed.
    pub fn add_weights(
        &self,
        player: usize,
        moves: impl Iterator<Item = [u32; 3]>,
        out: &mut Vec<f32>,
    ) {
        let sum = |keys: [u32; 3]| self.sum(player, keys);
        out.extend(moves.map(|keys| (sum(keys) as f64 / SCALE) as f32));
    }

    /// The same as odds: `e` to the weight, up to a factor that all have in common.
    #[inline]
    pub fn add_odds(
        &self,
        layers: &Layers,
        player: usize,
        moves: impl Iterator<Item = [u32; 3]>,
        out: &mut Vec<f32>,
    ) {
        let Some(ours) = self.players.get(player) else {
            out.extend(moves.map(|_| 1.0));
            return;
        };
        if !self.keeps_odds(layers, player) {
            let start = out.len();
            self.add_weights(player, moves, out);
            let top = out[start..].iter().copied().fold(f32::NEG_INFINITY, f32::max);
            out[start..].iter_mut().for_each(|weight| *weight = crate::playout::exp(*weight - top));
            return;
        }
        let odds = &ours.odds[..];
        out.extend(
            moves.map(|[to, from, pair]| {
                odds[to as usize] * odds[from as usize] * odds[pair as usize]
            }),
        );
    }

    /// Whether the odds of keys are kept, so that [`Weights::odds`] has them.
    #[inline]
    pub fn keeps_odds(&self, layers: &Layers, player: usize) -> bool {
        layers.players.get(player).is_some_and(|part| part.spread <= MAX_SPREAD)
    }

    /// The odds of a player's keys in the position last weighed, where they are kept.
    #[inline]
    pub fn odds(&self, player: usize) -> &[f32] {
        self.players.get(player).map_or(&[], |ours| &ours.odds)
    }
}

impl Block {
    /// Adds the keys for which some layer holds.
    #[inline(always)]
    fn look(&self, asked: &[Slot], masks: &[u64], gathered: &[u64], found: &mut [u64]) {
        let lanes = self.lanes as usize;
        for (number, found) in found.iter_mut().enumerate() {
            let first = number * lanes;
            let masks = &masks[self.mask as usize + first..][..lanes];
            let mut all = [0; LANES];
            for (lane, mask) in masks.as_chunks::<LANES>().0.iter().enumerate() {
                let mut left = *mask;
                for slot in asked {
                    let from = slot.word as usize + first + LANES * lane;
                    let Some(here) = gathered[from..].first_chunk::<LANES>() else { break };
                    for (left, here) in left.iter_mut().zip(here) {
                        *left &= here ^ slot.negate;
                    }
                }
                for (all, left) in all.iter_mut().zip(left) {
                    *all |= left;
                }
            }
            *found |= (all[0] | all[1]) | (all[2] | all[3]);
        }
    }
}

impl PlayerWeights {
    #[inline]
    fn forget_replies(&mut self) {
        for (key, weight) in self.replies.drain(..) {
            self.sums[key as usize] -= weight;
            self.dirty[key as usize / 64] |= 1 << (key % 64);
        }
    }

    /// Adds or takes away a feature's weight where its set changed.
    #[inline(always)]
    fn take_in(&mut self, feature: &super::layers::Feature, found: &[u64]) {
        let kept = &mut self.kept[feature.kept as usize..][..found.len()];
        for (number, (kept, &now)) in kept.iter_mut().zip(found).enumerate() {
            let mut changed = now ^ std::mem::replace(kept, now);
            if changed == 0 {
                continue;
            }
            let word = feature.first as usize + number;
            self.dirty[word] |= changed;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let sign = if now >> bit & 1 == 1 { feature.weight } else { -feature.weight };
                self.sums[64 * word + bit as usize] += sign;
            }
        }
    }

    #[inline(always)]
    fn refresh(&mut self, keeps_odds: bool) {
        for (word, dirty) in self.dirty.iter_mut().enumerate() {
            let mut left = std::mem::take(dirty);
            while left != 0 && keeps_odds {
                let key = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                self.odds[key] = crate::playout::exp((self.sums[key] as f64 / SCALE) as f32);
            }
        }
    }
}
