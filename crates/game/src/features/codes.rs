//! Which keys the codes of moves have, so that moves are weighed without asking for their ends.

use super::Layers;
use crate::{Coding, Ends, Game, MoveKind, Player};

/// The keys of every code of a game, for each player.
#[derive(Clone, Debug, Default)]
pub struct CodeKeys {
    players: Vec<OfPlayer>,
}

#[derive(Clone, Debug, Default)]
struct OfPlayer {
    /// Three keys for each code; those that do not matter are the neutral one.
    keys: Vec<[u32; 3]>,
    ends: Vec<Option<Ends>>,
    /// Words of codes each of which is its own and only key.
    plain: Vec<bool>,
    /// The codes that tell where a move starts and ends.
    told: Vec<u64>,
}

/// The most codes of a player whose keys are kept.
const MAX_CODES: u32 = 1 << 20;

impl CodeKeys {
    /// The keys of a game's codes, as far as codes tell where a move starts and ends.
    pub fn new(layers: &Layers, game: &dyn Game) -> Self {
        let players = (0..game.info().players).map(|number| {
            let player = Player(number as u8);
            let count = game.code_count(player, Coding::Plain);
            let codes = 0..if count <= MAX_CODES { count } else { 0 };
            let ends: Vec<Option<Ends>> = codes.map(|code| game.code_ends(player, code)).collect();
            let keys: Vec<[u32; 3]> = ends
                .iter()
                .map(|&ends| layers.keys_of_ends(number, ends.unwrap_or_default()))
                .collect();
            let is_plain = |(word, keys): (usize, &[[u32; 3]])| {
                let codes = 64 * word as u32..;
                let known = ends[64 * word..].iter();
                let plain = |(&keys, code): (&[u32; 3], u32)| {
                    keys == [code, layers.neutral(), layers.neutral()]
                };
                // Codes without ends beside such that have some are no moves.
                64 * (word + 1) <= layers.keys()
                    && known.clone().take(keys.len()).any(Option::is_some)
                    && keys
                        .iter()
                        .zip(codes)
                        .zip(known)
                        .all(|(key, ends)| ends.is_none() || plain(key))
            };
            let plain = keys.chunks(64).enumerate().map(is_plain).collect();
            let mut told = vec![0; ends.len().div_ceil(64)];
            for (code, _) in ends.iter().enumerate().filter(|(_, ends)| ends.is_some()) {
                told[code / 64] |= 1 << (code % 64);
            }
            OfPlayer { keys, ends, plain, told }
        });
        CodeKeys { players: players.collect() }
    }

    /// Where a move with this code starts and ends, if codes tell.
    #[inline]
    pub fn ends(&self, player: Player, code: u32) -> Option<Ends> {
        *self.players.get(player.index())?.ends.get(code as usize)?
    }

    /// The keys of a code, if codes tell.
    #[inline]
    pub fn keys(&self, player: Player, code: u32) -> Option<[u32; 3]> {
        let own = self.players.get(player.index())?;
        own.ends.get(code as usize)?.as_ref()?;
        own.keys.get(code as usize).copied()
    }

    /// Whether all these codes of a word tell where a move starts and ends.
    #[inline]
    pub(crate) fn tell(&self, player: Player, word: u32, bits: u64) -> bool {
        let own = self.players.get(player.index());
        let told = own.and_then(|own| own.told.get(word as usize)).copied().unwrap_or(0);
        bits & !told == 0
    }

    /// Whether each code of a word is its own and only key.
    #[inline]
    pub(crate) fn is_plain(&self, player: Player, word: u32) -> bool {
        let own = self.players.get(player.index());
        own.is_some_and(|own| own.plain.get(word as usize).copied().unwrap_or(false))
    }
}

impl Layers {
    /// The key of whatever does not matter.
    #[inline]
    pub(crate) fn neutral(&self) -> u32 {
        self.keys() as u32
    }

    /// The keys of a move of a player (from nought); what no feature asks is neutral.
    pub(crate) fn keys_of_ends(&self, player: usize, ends: Ends) -> [u32; 3] {
        let neutral = self.neutral();
        match ends.kind {
            MoveKind::Pass => return [neutral + 1, neutral, neutral],
            MoveKind::Swap => return [neutral + 2, neutral, neutral],
            _ => {}
        }
        let [to, from, pair] = self.keys_of(ends.from, ends.to);
        let starts = self.players.get(player).is_some_and(|part| part.starts);
        let from = from.filter(|_| starts);
        [to, from, pair].map(|key| key.unwrap_or(neutral))
    }
}
