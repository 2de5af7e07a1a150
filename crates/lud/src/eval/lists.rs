//! Lists of numbers, and lists of players.

use crate::ctx::Ctx;
use crate::ir::{Int, Ints, PlayerSet, Region};
use crate::sites::Numbers;

impl Ctx<'_> {
    /// Evaluates a list of numbers.
    pub fn ints(&mut self, f: &Ints) -> Numbers {
        match f {
            Ints::List(list) => list.iter().map(|n| self.int(n)).collect(),
            Ints::Region(region) => self.sites(region),
            Ints::Difference(a, b) => {
                let mut out = self.ints(a);
                // Each number takes away one of its kind.
                for number in self.ints(b) {
                    if let Some(at) = out.iter().position(|&n| n == number) {
                        out.remove(at);
                    }
                }
                out
            }
            Ints::Intersection(all) => {
                let mut parts = all.iter();
                let Some(first) = parts.next() else {
                    return Numbers::new();
                };
                let mut out = self.ints(first);
                for part in parts {
                    let keep = self.ints(part);
                    out.retain(|n| keep.contains(n));
                }
                out
            }
            Ints::Union(all) => {
                let mut parts = all.iter();
                let mut out = parts.next().map(|first| self.ints(first)).unwrap_or_default();
                for part in parts {
                    for n in self.ints(part) {
                        if !out.contains(&n) {
                            out.push(n);
                        }
                    }
                }
                out
            }
            Ints::If(cond, yes, no) => match (self.bool(cond), no) {
                (true, _) => self.ints(yes),
                (false, Some(no)) => self.ints(no),
                (false, None) => Numbers::new(),
            },
            Ints::Players(set, of, cond) => self.player_list(*set, of.as_deref(), cond.as_deref()),
            Ints::Sizes(groups, who, min, everybody) => {
                self.group_sizes(groups, who, min, *everybody)
            }
            Ints::Remembered(name) => Numbers::from_slice(self.s.remembered(name.as_deref())),
            Ints::Results(from, to, f) => {
                let saved = (self.v.from, self.v.to);
                let mut out = Numbers::new();
                for start in self.sites(from).into_iter().filter(|&site| site >= 0) {
                    self.v.from = start;
                    for end in self.sites(to).into_iter().filter(|&site| site >= 0) {
                        self.v.to = end;
                        out.push(self.int(f));
                    }
                }
                (self.v.from, self.v.to) = saved;
                out
            }
            Ints::Team => self.v.team.clone(),
            Ints::Rotations(list) => Numbers::from_slice(list),
        }
    }

    /// Whether a number is in a list.
    pub(super) fn ints_contain(&mut self, f: &Ints, number: i32) -> bool {
        match f {
            Ints::Remembered(name) => self.s.remembered(name.as_deref()).contains(&number),
            Ints::Region(region) => match &**region {
                Region::One(site) => self.int(site) == number,
                region => number >= 0 && self.contains(region, number),
            },
            _ => self.ints(f).contains(&number),
        }
    }

    /// How many numbers a list has.
    pub(super) fn ints_len(&mut self, f: &Ints) -> usize {
        match f {
            Ints::Remembered(name) => self.s.remembered(name.as_deref()).len(),
            Ints::Region(region) if !matches!(**region, Region::One(_)) => {
                self.region(region).len()
            }
            _ => self.ints(f).len(),
        }
    }

    pub(super) fn player_list(
        &mut self,
        set: PlayerSet,
        of: Option<&Int>,
        cond: Option<&crate::ir::Bool>,
    ) -> Numbers {
        let n = self.g.players;
        let given = of.map(|of| self.int(of));
        if given.is_some_and(|of| of == 0 || of > n) {
            return Numbers::new();
        }
        let of = given.unwrap_or(self.s.mover);
        let teams = self.g.teams;
        let candidates: Numbers = match set {
            PlayerSet::All => (0..=n + 1).collect(),
            PlayerSet::NonMover => (0..=n).filter(|&p| p != self.s.mover).collect(),
            PlayerSet::Ally if !teams => return Numbers::new(),
            PlayerSet::Friend if !teams => return Numbers::from_slice(&[of]),
            PlayerSet::Team(t) if !teams => {
                return if t <= n { Numbers::from_slice(&[t]) } else { Numbers::new() };
            }
            PlayerSet::Enemy if !teams => (1..=n).filter(|&p| p != of).collect(),
            _ => (1..=n).filter(|&p| self.in_set(set, p, of)).collect(),
        };
        let Some(cond) = cond else {
            return candidates;
        };
        let saved = self.v.player;
        let mut out = Numbers::new();
        for player in candidates {
            self.v.player = player;
            if self.bool(cond) {
                out.push(player);
            }
        }
        self.v.player = saved;
        out
    }

    pub(super) fn in_set(&self, set: PlayerSet, player: i32, of: i32) -> bool {
        let same = self.team_of(player) == self.team_of(of);
        match set {
            PlayerSet::Ally => player != of && same,
            PlayerSet::Enemy => player != self.s.mover && !same,
            PlayerSet::Friend => same,
            PlayerSet::Team(t) => self.team_of(player) == t,
            PlayerSet::All | PlayerSet::NonMover => true,
        }
    }
}
