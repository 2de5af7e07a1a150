//! What a rule depends on: which parts of a position and which bound values decide what comes of it.

use crate::ctx::Ctx;
use crate::game::Compiled;
use crate::ir::visit::Part;
use crate::ir::{Bool, Directions, Int, Ints, Region};
use crate::topo::SiteType;
use ludex_game::mix;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What a rule depends on beside `(from)` and `(to)`, which whoever asks binds. Pieces, whose turn it is and where
/// the last move went always count.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Variables, scores, values of players and the counter.
    numbers: bool,
    /// Other bound values.
    bound: bool,
    /// Lists of remembered values by name.
    remembered: Vec<Option<Box<str>>>,
}

impl Needs {
    /// What a rule depends on; nothing where that cannot be told.
    pub(super) fn of(g: &Compiled, part: Part<'_>) -> Option<Needs> {
        let mut needs = Needs::default();
        // The keys of stacks are not at hand, and teams may change.
        (!g.stacking && !g.teams && needs.add(part)).then_some(needs)
    }

    /// Adds what a part and its parts need; no if that cannot be told.
    fn add(&mut self, part: Part<'_>) -> bool {
        let known = match part {
            Part::Int(n) => self.int(n),
            Part::Ints(list) => match list {
                Ints::Remembered(name) => {
                    if !self.remembered.contains(name) {
                        self.remembered.push(name.clone());
                    }
                    true
                }
                Ints::List(_)
                | Ints::Region(_)
                | Ints::Difference(..)
                | Ints::Intersection(_)
                | Ints::Union(_)
                | Ints::If(..) => true,
                _ => false,
            },
            Part::Bool(cond) => is_plain(cond),
            Part::Region(sites) => is_plain_region(sites),
            Part::Directions(ways) => matches!(ways, Directions::Absolute(_)),
            Part::Moves(_) => false,
        };
        let mut all = known;
        if all {
            part.parts(&mut |part| all = all && self.add(part));
        }
        all
    }

    fn int(&mut self, n: &Int) -> bool {
        match n {
            Int::Const(_)
            | Int::From
            | Int::To
            | Int::Mover
            | Int::Next
            | Int::Prev
            | Int::LastFrom { .. }
            | Int::LastTo { .. }
            | Int::At(..)
            | Int::CountAt(..)
            | Int::CountPieces(_)
            | Int::CountSites(_)
            | Int::CountNear(..)
            | Int::Steps(..)
            | Int::SizeArray(_)
            | Int::CountValue(..)
            | Int::ArrayValue(..)
            | Int::RegionSite(..)
            | Int::Column(..)
            | Int::Row(..)
            | Int::Layer(..)
            | Int::Coord(..)
            | Int::Binary(..)
            | Int::Sum(_)
            | Int::Product(_)
            | Int::MaxOf(_)
            | Int::MinOf(_)
            | Int::Abs(_)
            | Int::If(..)
            | Int::OfBool(_) => true,
            Int::Var(_) | Int::Counter | Int::Score(_) | Int::PlayerValue(_) => {
                self.numbers = true;
                true
            }
            Int::Site | Int::Between | Int::Level | Int::Value | Int::Player | Int::Pips => {
                self.bound = true;
                true
            }
            _ => false,
        }
    }
}

fn is_plain(cond: &Bool) -> bool {
    matches!(
        cond,
        Bool::Const(_)
            | Bool::Not(_)
            | Bool::And(_)
            | Bool::Or(_)
            | Bool::Xor(..)
            | Bool::If(..)
            | Bool::Compare(..)
            | Bool::SameRegion(..)
            | Bool::Empty(..)
            | Bool::Occupied(..)
            | Bool::In(..)
            | Bool::InInts(..)
            | Bool::Enemy(_)
            | Bool::Friend(_)
            | Bool::IsMover(_)
            | Bool::IsNext(_)
            | Bool::IsPrev(_)
            | Bool::Odd(_)
            | Bool::NoPieces(_)
            | Bool::AllSites(..)
    )
}

fn is_plain_region(sites: &Region) -> bool {
    matches!(
        sites,
        Region::Const(_)
            | Region::List(_)
            | Region::Array(_)
            | Region::Empty(_)
            | Region::Occupied(_)
            | Region::Indexed(..)
            | Region::State(..)
            | Region::Around(_)
            | Region::Distance(..)
            | Region::Union(_)
            | Region::Intersection(_)
            | Region::Difference(..)
            | Region::If(..)
            | Region::Filter(..)
            | Region::Group(_)
            | Region::LastFrom
            | Region::One(_)
    )
}

impl Ctx<'_> {
    /// A number that tells this position from others as far as a rule depends on it; never nought.
    pub(super) fn key_of(&self, needs: &Needs) -> u64 {
        let s = &self.s;
        let mut hasher = FxHasher::default();
        for held in s.owned.iter() {
            let kind = held.kind as u64;
            hasher.write_u64(u64::from(held.site as u32) << 24 | kind << 16 | u64::from(held.what));
        }
        (s.mover, s.next, s.prev, s.last.from, s.last.to).hash(&mut hasher);
        (s.last.from_after, s.last.to_after).hash(&mut hasher);
        if needs.numbers {
            (&s.vars, &s.scores, &s.values, s.counter, s.temp).hash(&mut hasher);
        }
        if needs.bound {
            let v = &self.v;
            (v.site, v.between, v.level, v.value, v.player, v.pips).hash(&mut hasher);
        }
        for name in &needs.remembered {
            s.remembered(name.as_deref()).hash(&mut hasher);
        }
        let layers = SiteType::ALL.iter().map(|&kind| s.layer(kind));
        let parts = layers.flat_map(|layer| [layer.key(), layer.empty.key()]);
        parts.fold(hasher.finish(), |key, part| mix(key ^ part)) | 1
    }
}
