//! Features by their definition: every instance is a list of sites that is looked at. Slow and plain, for
//! learning, explaining, and checking whatever is faster.

use super::{FeatureError, Ground, Instance, MoveEnds, Pattern, Reading, instances};

/// The most instances that are kept.
pub const MAX_INSTANCES: usize = 4_000_000;

/// From which sites a pattern is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Anchoring {
    /// From all.
    #[default]
    Anywhere,
    /// From those ends of the move that the pattern mentions, as Ludii does; a pattern that reaches both
    /// ends by walks is then never found.
    Ends,
}

impl Reading {
    /// From where patterns are looked for in this reading.
    pub fn anchoring(self) -> Anchoring {
        match self {
            Reading::Paper => Anchoring::Anywhere,
            Reading::Ludii => Anchoring::Ends,
        }
    }
}

/// The instances of a set of features for one player.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    features: Vec<Feature>,
}

#[derive(Clone, Debug, Default)]
struct Feature {
    /// Whether the pattern mentions where the move starts, and where it ends.
    mentions: (bool, bool),
    /// Instances by the site a move must end on, or start on where the end does not matter; last those that
    /// fit any move.
    by_site: Vec<Vec<Instance>>,
}

impl Plain {
    /// All instances of the patterns, for moves of a player (from 1).
    pub fn new(
        ground: &Ground,
        patterns: &[Pattern],
        player: u32,
        reading: Reading,
    ) -> Result<Self, FeatureError> {
        let mut plain = Plain::default();
        let mut count = 0;
        for pattern in patterns {
            let sites = ground.len();
            let mentions = (pattern.ends.from.is_some(), pattern.ends.to.is_some());
            let mut by_site = vec![Vec::new(); sites + 1];
            instances(ground, pattern, player, reading, 0..sites as u32, |instance| {
                count += 1;
                let key = instance.ends.to.or(instance.ends.from);
                if count <= MAX_INSTANCES {
                    by_site[key.map_or(sites, |site| site as usize)].push(instance);
                }
            })?;
            if count > MAX_INSTANCES {
                return Err(FeatureError::TooMany { limit: MAX_INSTANCES });
            }
            plain.features.push(Feature { mentions, by_site });
        }
        Ok(plain)
    }

    /// The features that hold for a move; `at` gives the owner and the piece of a site.
    pub fn active(
        &self,
        ends: MoveEnds<Option<u32>>,
        anchoring: Anchoring,
        at: impl Fn(u32) -> (u32, u32),
    ) -> impl Iterator<Item = u32> {
        let holds = move |feature: &Feature| {
            feature.candidates(ends).any(|instance| {
                let anchored = match anchoring {
                    Anchoring::Anywhere => true,
                    Anchoring::Ends => feature.is_anchored(instance, ends),
                };
                anchored && instance.ends.fit(&ends) && instance.matches(&at)
            })
        };
        (0..).zip(&self.features).filter(move |(_, feature)| holds(feature)).map(|(n, _)| n)
    }
}

impl Feature {
    fn candidates(&self, ends: MoveEnds<Option<u32>>) -> impl Iterator<Item = &Instance> {
        let any = self.by_site.len() - 1;
        let key = match self.mentions {
            (_, true) => ends.to,
            (true, false) => ends.from,
            (false, false) => Some(any as u32),
        };
        let site = key.map(|site| site as usize).filter(|&site| site <= any);
        site.into_iter().flat_map(|site| &self.by_site[site])
    }

    fn is_anchored(&self, instance: &Instance, ends: MoveEnds<Option<u32>>) -> bool {
        let at = |mentioned: bool, end: Option<u32>| mentioned && end == instance.anchor;
        instance.anchor.is_none() || at(self.mentions.0, ends.from) || at(self.mentions.1, ends.to)
    }
}
