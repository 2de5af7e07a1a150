//! Groups of one position, found once. Rules ask for the group of every site, often within a condition on
//! every site, and would find the same groups over and over.

use crate::ctx::Ctx;
use crate::ir::{Bool, Channel, Directions, GroupAt, Int, Region};
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};
use ludex_game::mix;

/// The groups that were asked for last, by the rule that asks.
#[derive(Debug, Default)]
pub struct KnownGroups {
    rules: Vec<Known>,
}

/// What one rule was answered in one position.
#[derive(Debug)]
struct Known {
    /// The rule, by its address: rules do not move while a game is played.
    rule: usize,
    /// How much of the position decides the answer.
    reach: Reach,
    /// The position, as far as the rule can see it.
    key: u64,
    /// By start, the place of its group in `groups` and one more; nought where nobody has asked yet.
    at: Vec<u32>,
    groups: Vec<SiteSet>,
}

/// What the group of a site depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// More than can be told: groups are found each time.
    Unknown,
    /// The position and the site.
    Start,
    /// The position alone: all members have the same group.
    Members,
}

impl Reach {
    fn of(group: &GroupAt) -> Reach {
        let Directions::Absolute(dirs) = &group.dirs else { return Reach::Unknown };
        if group.visible || !group.cond.as_ref().is_none_or(settled) {
            return Reach::Unknown;
        }
        let both_ways =
            [Dir::ORTHOGONAL, Dir::DIAGONAL, Dir::OFF_DIAGONAL, Dir::ADJACENT, Dir::ALL];
        match dirs.iter().all(|dir| both_ways.contains(dir)) {
            true => Reach::Members,
            false => Reach::Start,
        }
    }
}

/// Whether a condition on `(to)` depends on nothing but the pieces, whose turn it is and the last move: what the
/// key of a position holds.
fn settled(cond: &Bool) -> bool {
    match cond {
        Bool::Const(_) => true,
        Bool::Not(a) => settled(a),
        Bool::And(all) | Bool::Or(all) => all.iter().all(settled),
        Bool::Xor(a, b) => settled(a) && settled(b),
        Bool::Compare(_, a, b) => settled_int(a) && settled_int(b),
        Bool::Empty(_, site) | Bool::Occupied(_, site) => settled_int(site),
        Bool::In(sites, region) => sites.iter().all(settled_int) && settled_region(region),
        Bool::IsMover(player) => settled_int(player),
        _ => false,
    }
}

fn settled_int(n: &Int) -> bool {
    match n {
        Int::Const(_) | Int::To | Int::Mover => true,
        Int::LastFrom { after: false } | Int::LastTo { after: false } => true,
        Int::At(Channel::What | Channel::Who, _, site, None) => settled_int(site),
        _ => false,
    }
}

fn settled_region(region: &Region) -> bool {
    match region {
        Region::Const(_) | Region::Empty(_) | Region::LastFrom => true,
        Region::One(site) => settled_int(site),
        Region::List(sites) => sites.iter().all(settled_int),
        Region::Union(parts) | Region::Intersection(parts) => parts.iter().all(settled_region),
        Region::Difference(a, b) => settled_region(a) && settled_region(b),
        Region::Group(group) => {
            let cond = group.cond.as_ref().is_none_or(settled);
            let dirs = matches!(group.dirs, Directions::Absolute(_));
            settled_region(&group.at) && cond && dirs && !group.visible
        }
        _ => false,
    }
}

/// A question whose answer is kept.
#[derive(Clone, Copy)]
pub struct Asked {
    rule: usize,
    start: usize,
}

impl Ctx<'_> {
    /// The group of a start if it is known, or where it may be kept; nothing where it must be found each time.
    pub(super) fn known_group(
        &mut self,
        group: &GroupAt,
        start: i32,
    ) -> Option<Result<&SiteSet, Asked>> {
        // The keys of stacks are not at hand.
        if self.g.stacking {
            return None;
        }
        let rules = &mut self.known_groups.rules;
        let address = std::ptr::from_ref(group) as usize;
        let rule = match rules.iter().position(|known| known.rule == address) {
            Some(rule) => rule,
            None => {
                let reach = Reach::of(group);
                rules.push(Known {
                    rule: address,
                    reach,
                    key: 0,
                    at: Vec::new(),
                    groups: Vec::new(),
                });
                rules.len() - 1
            }
        };
        if rules[rule].reach == Reach::Unknown {
            return None;
        }
        let key = self.group_key();
        let count = self.plane(group.kind).count;
        let known = &mut self.known_groups.rules[rule];
        if known.key != key || known.at.len() != count {
            known.key = key;
            known.groups.clear();
            known.at.clear();
            known.at.resize(count, 0);
        }
        let start = start as usize;
        Some(match known.at[start] {
            0 => Err(Asked { rule, start }),
            at => Ok(&known.groups[at as usize - 1]),
        })
    }

    /// Keeps the group of a start.
    pub(super) fn keep_group(&mut self, asked: Asked, group: &SiteSet) {
        let known = &mut self.known_groups.rules[asked.rule];
        known.groups.push(group.clone());
        let at = known.groups.len() as u32;
        known.at[asked.start] = at;
        if known.reach == Reach::Members {
            group.iter().for_each(|site| known.at[site as usize] = at);
        }
    }

    /// All that the group of a site may depend on.
    fn group_key(&self) -> u64 {
        let pieces = SiteType::ALL.iter().map(|&kind| self.s.layer(kind).key());
        let last = &self.s.last;
        let asked = [self.s.mover, last.from, last.to].map(|n| u64::from(n as u32));
        // Never nought, which is the key of no position.
        asked.into_iter().chain(pieces).fold(1, |key, part| mix(key ^ part)) | 1
    }
}
