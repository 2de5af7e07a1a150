//! Numbers, conditions and sets of holes.

use super::code::{Along, Cond, FirstOn, Holes, Num, Set};
use super::position::Position;
use super::rules::Seeds;
use ludex_lud::eval::ints::binary;

/// Values that rules bind while they run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binds {
    pub from: i32,
    pub to: i32,
    pub site: i32,
    pub value: i32,
    pub player: i32,
}

impl Binds {
    pub(super) const NONE: Binds = Binds { from: -1, to: -1, site: -1, value: -1, player: -1 };
}

/// The holes of a set in order.
pub(super) fn holes(mut set: Holes) -> impl Iterator<Item = i32> {
    std::iter::from_fn(move || {
        let hole = (set != 0).then(|| set.trailing_zeros() as i32);
        set &= set.wrapping_sub(1);
        hole
    })
}

/// The set of one hole.
#[inline(always)]
pub(super) fn bit(site: i32) -> Holes {
    if (0..64).contains(&site) { 1 << site } else { 0 }
}

impl Seeds {
    #[inline(always)]
    pub(super) fn num(&self, p: &Position, v: &Binds, n: &Num) -> i32 {
        match n {
            Num::Const(n) => *n,
            Num::To => v.to,
            n => self.number(p, v, n),
        }
    }

    fn number(&self, p: &Position, v: &Binds, n: &Num) -> i32 {
        match n {
            Num::Const(n) => *n,
            Num::From => v.from,
            Num::To => v.to,
            Num::Site => v.site,
            Num::Value => v.value,
            Num::Player => v.player,
            Num::Mover => p.mover,
            Num::Next => p.next,
            Num::Prev => p.prev,
            Num::LastFrom => p.last_from,
            Num::LastTo => p.last_to,
            Num::Counter => p.counter,
            Num::Turns => p.turns,
            Num::Moves => p.moves,
            Num::TurnMoves => p.turn_moves,
            Num::Pending if p.pending.count_ones() == 1 => p.pending.trailing_zeros() as i32,
            Num::Pending => 0,
            Num::Var(at) => p.vars[*at],
            Num::Score(of) => of_player(&p.scores, self.num(p, v, of)),
            Num::Worth(of) => of_player(&p.worths, self.num(p, v, of)),
            Num::Count(among, site) => {
                let site = self.num(p, v, site);
                if bit(site) & among != 0 { p.count(site) } else { 0 }
            }
            Num::CountIn(among, set) => {
                holes(self.set(p, v, set) & among).map(|site| p.count(site)).sum()
            }
            Num::Size(set) => self.set(p, v, set).count_ones() as i32,
            Num::LastToAfter => p.last_after[1],
            Num::LastFromAfter => p.last_after[0],
            Num::OfHole(table, player, hole) => {
                table.get(self.num(p, v, player), self.num(p, v, hole))
            }
            Num::FirstOn(first) => self.first_on(p, v, first),
            Num::Along(along) => self.along(p, v, along),
            Num::State(site) => p.state(self.num(p, v, site)),
            Num::Recalled(list) => p.remembered[*list].iter().map(|&n| i32::from(n)).sum(),
            Num::Table(table, key) => {
                let key = self.num(p, v, key);
                table.get(key as usize).copied().unwrap_or(key)
            }
            Num::Binary(op, a, b) => binary(*op, self.num(p, v, a), self.num(p, v, b)),
            Num::If(cond, yes, no) => {
                let chosen = if self.cond(p, v, cond) { yes } else { no };
                self.num(p, v, chosen)
            }
            Num::OfBool(cond) => i32::from(self.cond(p, v, cond)),
        }
    }

    fn along(&self, p: &Position, v: &Binds, along: &Along) -> i32 {
        let player = self.num(p, v, &along.player);
        let Some(track) = along.tracks[(player + 1).clamp(0, 4) as usize] else {
            return -1;
        };
        let track = &self.game.tracks[track];
        let at = match &along.from {
            Some(from) => track.place(self.num(p, v, from)) as i32,
            None => -1,
        };
        track.site_at(at + self.num(p, v, &along.steps).max(0))
    }

    fn first_on(&self, p: &Position, v: &Binds, first: &FirstOn) -> i32 {
        let player = self.num(p, v, &first.player);
        let Some(sites) = &first.tracks[(player + 1).clamp(0, 4) as usize] else {
            return -1;
        };
        let start = match first.from.as_ref().map_or(-1, |from| self.num(p, v, from)) {
            -1 => Some(0),
            from => sites.iter().position(|&site| site == from),
        };
        let Some(start) = start else {
            return -1;
        };
        let holds = |to: i32| {
            let cond = first.cond.as_ref();
            cond.is_none_or(|cond| self.cond(p, &Binds { to, ..*v }, cond))
        };
        let mut walk = sites[start..].iter().chain(&sites[..start]);
        walk.find(|&&site| holds(site)).copied().unwrap_or(-1)
    }

    pub(super) fn cond(&self, p: &Position, v: &Binds, cond: &Cond) -> bool {
        match cond {
            Cond::Const(value) => *value,
            Cond::Not(a) => !self.cond(p, v, a),
            Cond::And(all) => all.iter().all(|a| self.cond(p, v, a)),
            Cond::Or(all) => all.iter().any(|a| self.cond(p, v, a)),
            Cond::If(cond, yes, no) => {
                let chosen = if self.cond(p, v, cond) { yes } else { no };
                self.cond(p, v, chosen)
            }
            Cond::Compare(cmp, a, b) => cmp.holds(self.num(p, v, a), self.num(p, v, b)),
            Cond::In(sites, set) => sites.iter().all(|site| {
                let site = self.num(p, v, site);
                bit(site) & self.set(p, v, set) != 0
            }),
            Cond::Same(a, b) => self.set(p, v, a) == self.set(p, v, b),
            Cond::Empty(site) => {
                let site = self.num(p, v, site);
                bit(site) & self.code.everywhere != 0 && p.count(site) == 0
            }
            Cond::Occupied(site) => {
                let site = self.num(p, v, site);
                bit(site) & self.code.everywhere != 0 && p.count(site) != 0
            }
            Cond::Odd(n) => self.num(p, v, n) & 1 == 1,
            Cond::Pending => p.pending != 0,
            Cond::Cycle => p.is_cycle(),
            Cond::WasPass => p.last_pass,
            Cond::Proposed(text) => p.proposed >> text & 1 == 1,
            Cond::Decided(text) => p.decided == Some(*text),
            Cond::NextStuck => self.next_is_stuck(p),
            Cond::Stuck(player) => {
                let player = self.num(p, v, player);
                (0..8).contains(&player) && p.stuck >> player & 1 == 1
            }
            Cond::AllSites(set, cond) => {
                holes(self.set(p, v, set)).all(|site| self.cond(p, &Binds { site, ..*v }, cond))
            }
            Cond::AllPassed => p.moves >= 2 && self.all_passed(p),
            Cond::Can(node) => self.can(p, node),
            Cond::NoneEntered(set) => !p.entries.any_of(self.set(p, v, set)),
            Cond::Recalled(values, list) => {
                values.iter().all(|value| p.recalls(*list, self.num(p, v, value)))
            }
        }
    }

    pub(super) fn set(&self, p: &Position, v: &Binds, set: &Set) -> Holes {
        match set {
            Set::Const(set) => *set,
            Set::One(site) => bit(self.num(p, v, site)),
            Set::List(sites) => sites.iter().fold(0, |all, n| all | bit(self.num(p, v, n))),
            Set::ByNumber(sets, n) => {
                let n = self.num(p, v, n);
                sets.get(n as usize).copied().unwrap_or(0)
            }
            Set::Empty => {
                holes(self.code.board).filter(|&s| p.count(s) == 0).fold(0, |a, s| a | bit(s))
            }
            Set::Pending => p.pending,
            Set::Union(all) => all.iter().fold(0, |whole, part| whole | self.set(p, v, part)),
            Set::Intersection(all) => all.iter().fold(u64::MAX, |whole, part| match whole {
                0 => 0,
                whole => whole & self.set(p, v, part),
            }),
            Set::Difference(a, b) => self.set(p, v, a) & !self.set(p, v, b),
            Set::If(cond, yes, no) => match (self.cond(p, v, cond), no) {
                (true, _) => self.set(p, v, yes),
                (false, Some(no)) => self.set(p, v, no),
                (false, None) => 0,
            },
            Set::Starts(base, cond) => holes(self.set(p, v, base))
                .filter(|&site| self.cond(p, &Binds { from: site, to: site, ..*v }, cond))
                .fold(0, |all, site| all | bit(site)),
            Set::Holding(among, cmp, with) => {
                let with = self.num(p, v, with);
                // Holes beyond have no seeds.
                let all = if cmp.holds(0, with) { u64::MAX } else { *among };
                let count = |site: i32| if bit(site) & among != 0 { p.count(site) } else { 0 };
                holes(all)
                    .filter(|&site| cmp.holds(count(site), with))
                    .fold(0, |all, site| all | bit(site))
            }
            Set::Recalled(list) => p.recalled[*list],
            Set::Choice(sets, n) => {
                let chosen = sets.get(self.num(p, v, n) as usize);
                chosen.map_or(0, |set| self.set(p, v, set))
            }
            Set::Stretch(stretch) => {
                let hole = |n: &Option<Num>| n.as_ref().map(|n| self.num(p, v, n));
                let player = self.num(p, v, &stretch.player);
                stretch.get(player, hole(&stretch.from), hole(&stretch.to))
            }
            Set::Filter(base, cond) => holes(self.set(p, v, base))
                .filter(|&site| self.cond(p, &Binds { site, ..*v }, cond))
                .fold(0, |all, site| all | bit(site)),
        }
    }
}

fn of_player(values: &[i32; 4], player: i32) -> i32 {
    values.get(player as usize).copied().unwrap_or(0)
}
