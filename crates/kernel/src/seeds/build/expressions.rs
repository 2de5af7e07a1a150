//! Numbers, conditions and regions over holes.

use super::{Builder, bits, name_of};
use crate::Built;
use crate::seeds::code::{Along, Cond, FirstOn, HoleRow, HoleTable, Holes, Num, Set, Stretch};
use ludex_lud::eval::fixed::Fixed;
use ludex_lud::ir;
use ludex_lud::ir::{Bool, Channel, Int, Ints, Region, Who};

/// A number that is no hole, whatever the board.
const BEYOND: i32 = 1 << 20;

impl Builder<'_> {
    /// What never changes in this game.
    fn fixed(&self) -> Fixed<'_> {
        Fixed::new(&self.game.regions)
    }

    pub(super) fn var(&self, index: u16) -> usize {
        if index == u16::MAX { self.code.vars } else { index as usize }
    }

    pub(super) fn nums(&mut self, list: &[Int]) -> Built<Vec<Num>> {
        list.iter().map(|n| self.num(n)).collect()
    }

    pub(super) fn boxed(&mut self, n: &Int) -> Built<Box<Num>> {
        Ok(Box::new(self.num(n)?))
    }

    pub(super) fn num(&mut self, n: &Int) -> Built<Num> {
        Ok(match n {
            Int::Const(n) => Num::Const(*n),
            Int::From => Num::From,
            Int::To => Num::To,
            Int::Site => Num::Site,
            Int::Value => Num::Value,
            Int::Player => Num::Player,
            Int::Mover => Num::Mover,
            Int::Next => Num::Next,
            Int::Prev => Num::Prev,
            Int::LastFrom { after: false } => Num::LastFrom,
            Int::LastTo { after: false } => Num::LastTo,
            Int::LastFrom { after: true } => Num::LastFromAfter,
            Int::LastTo { after: true } => Num::LastToAfter,
            Int::TrackMove(track, from, steps) if self.fixed().int(steps) => {
                let rule = |player: i32, hole: i32| {
                    let track = ir::TrackOf::new(Int::Const(player), track.name.clone());
                    let from = from.as_ref().map(|_| Box::new(Int::Const(hole)));
                    Int::TrackMove(Box::new(track), from, steps.clone())
                };
                self.of_hole(&track.player, from.as_deref(), rule)?
            }
            Int::TrackMove(track, from, steps) => self.along(track, from.as_deref(), steps)?,
            Int::TrackFirst(track, from, cond) => self.first_on(track, from, cond)?,
            Int::Row(kind, at) => {
                let rule = |_, hole: i32| Int::Row(*kind, Box::new(Int::Const(hole)));
                self.of_hole(&Int::Const(0), Some(at), rule)?
            }
            Int::Column(kind, at) => {
                let rule = |_, hole: i32| Int::Column(*kind, Box::new(Int::Const(hole)));
                self.of_hole(&Int::Const(0), Some(at), rule)?
            }
            Int::At(Channel::State, kind, site, None) => {
                self.any_kind(*kind)?;
                Num::State(self.boxed(site)?)
            }
            Int::At(channel @ (Channel::What | Channel::Who), kind, site, None) => {
                let among = match (channel, kind) {
                    (Channel::What, None) => self.code.everywhere,
                    _ => self.of_kind(*kind),
                };
                let says = if *channel == Channel::What { 1 } else { self.game.owner(1) };
                let count = Num::Count(among, self.boxed(site)?);
                let some = Cond::Compare(ir::Cmp::Gt, count, Num::Const(0));
                Num::If(Box::new(some), Box::new(Num::Const(says)), Box::new(Num::Const(0)))
            }
            Int::CountPieces(count) if count.cond.is_none() => {
                let (among, meant) = self.pieces_meant(count)?;
                let within = match &count.within {
                    Some(region) => self.set(region)?,
                    None => Set::Const(self.code.everywhere),
                };
                let some = Num::CountIn(among, Box::new(within));
                Num::If(Box::new(meant), Box::new(some), Box::new(Num::Const(0)))
            }
            Int::SizeArray(list) => match &**list {
                Ints::Remembered(name) => Num::Recalled(self.list(name.as_deref())?),
                _ => return self.refuse("the size of a list"),
            },
            Int::Ahead(kind, at, steps, dirs)
                if self.fixed().int(steps) && matches!(**dirs, ir::Directions::Absolute(_)) =>
            {
                let rule = |_, hole: i32| {
                    Int::Ahead(*kind, Box::new(Int::Const(hole)), steps.clone(), dirs.clone())
                };
                self.of_hole(&Int::Const(0), Some(at), rule)?
            }
            Int::Counter => Num::Counter,
            Int::Turns => Num::Turns,
            Int::Moves => Num::Moves,
            Int::MovesThisTurn => Num::TurnMoves,
            Int::PendingValue => Num::Pending,
            Int::Var(index) => Num::Var(self.var(*index)),
            Int::Score(player) => Num::Score(self.boxed(player)?),
            Int::PlayerValue(player) => Num::Worth(self.boxed(player)?),
            Int::CountAt(kind, region) => {
                let among = self.of_kind(*kind);
                match &**region {
                    Region::One(site) => Num::Count(among, self.boxed(site)?),
                    region => Num::CountIn(among, Box::new(self.set(region)?)),
                }
            }
            Int::CountSites(region) => Num::Size(Box::new(self.set(region)?)),
            Int::MapEntry(name, key, _) => {
                if self.game.maps.iter().flat_map(|m| &m.pairs).any(|&(key, _)| key < 0) {
                    return self.refuse("maps from below zero");
                }
                let entry = |key: i32| {
                    let n =
                        Int::MapEntry(name.clone(), Box::new(Int::Const(key)), Default::default());
                    self.ctx.int(&n)
                };
                let table = (0..self.game.map_keys()).map(entry).collect();
                Num::Table(table, self.boxed(key)?)
            }
            Int::HandSite(player, index) if matches!(**index, Int::Const(_)) => {
                let site = |player: i32| {
                    let n = Int::HandSite(Box::new(Int::Const(player)), index.clone());
                    self.ctx.int(&n)
                };
                let table: Vec<i32> = (0..=3).map(site).collect();
                if table[1] < 0 || table[2] < 0 {
                    return self.refuse("players without hands");
                }
                Num::Table(table, self.boxed(player)?)
            }
            Int::Binary(op, a, b) => Num::Binary(*op, self.boxed(a)?, self.boxed(b)?),
            Int::If(cond, yes, no) => {
                Num::If(Box::new(self.cond(cond)?), self.boxed(yes)?, self.boxed(no)?)
            }
            Int::OfBool(cond) => Num::OfBool(Box::new(self.cond(cond)?)),
            Int::Coord(..) | Int::RegionSite(..) if self.fixed().int(n) => {
                Num::Const(self.ctx.int(n))
            }
            other => {
                let Some((op, all)) = other.gathered() else {
                    return self.refuse(format!("the number `{}`", name_of(other)));
                };
                let join = |a, b| Num::Binary(op, Box::new(a), Box::new(b));
                self.nums(all)?.into_iter().reduce(join).unwrap_or(Num::Const(0))
            }
        })
    }

    fn no_pieces(&mut self, count: &ir::CountPieces) -> Built<Cond> {
        if matches!(count.who, Who::One(_)) || count.what.is_some() {
            let none = Int::CountPieces(Box::new(count.clone()));
            return Ok(Cond::Compare(ir::Cmp::Eq, self.num(&none)?, Num::Const(0)));
        }
        // Where nobody is meant as well, holes that were emptied count if they are entered still.
        let (among, _) = self.pieces_meant(count)?;
        let mut sets = vec![Set::Const(among)];
        sets.extend(count.within.as_ref().map(|region| self.set(region)).transpose()?);
        self.code.enters = true;
        Ok(Cond::NoneEntered(Set::Intersection(sets)))
    }

    /// Which holes count for a question about pieces, and when seeds are meant by it.
    fn pieces_meant(&mut self, count: &ir::CountPieces) -> Built<(Holes, Cond)> {
        let owner = self.game.owner(1);
        if owner == 0 {
            return self.refuse("seeds of nobody that are counted as pieces");
        }
        let among = match count.kind {
            None => self.code.everywhere,
            Some(kind) if kind == self.game.topo.default => self.code.board,
            Some(_) => return self.refuse("sites of another kind"),
        };
        let named = count.what.as_ref().is_none_or(|list| list.contains(&1));
        let meant = match &count.who {
            Who::One(player) => Cond::Compare(ir::Cmp::Eq, self.num(player)?, Num::Const(owner)),
            Who::Role(role) => {
                let everybody = matches!(role, ir::Role::All);
                if !everybody {
                    return self.refuse("pieces of several players");
                }
                Cond::Const(true)
            }
        };
        Ok((among, if named { meant } else { Cond::Const(false) }))
    }

    /// The holes of a track from one to another, worked out by the general evaluator.
    fn stretch(
        &mut self,
        track: &ir::TrackOf,
        from: &Option<Box<Int>>,
        to: &Option<Box<Int>>,
    ) -> Built<Set> {
        let holes = |asked: &Option<Box<Int>>| match asked {
            Some(_) => (-1..64).map(Some).collect(),
            None => vec![None],
        };
        let (starts, ends): (Vec<Option<i32>>, Vec<Option<i32>>) = (holes(from), holes(to));
        let mut sets = Vec::new();
        for player in -1..=3 {
            for &start in &starts {
                for &end in &ends {
                    let track = ir::TrackOf::new(Int::Const(player), track.name.clone());
                    let hole = |hole: Option<i32>| hole.map(|hole| Box::new(Int::Const(hole)));
                    let region = Region::Track(Box::new(track), hole(start), hole(end));
                    sets.push(bits(&self.ctx.region(&region)));
                }
            }
        }
        let player = self.known_player(&track.player)?;
        let from = from.as_deref().map(|from| self.kept(from)).transpose()?;
        let to = to.as_deref().map(|to| self.kept(to)).transpose()?;
        Ok(Set::Stretch(Box::new(Stretch { player, from, to, sets })))
    }

    /// What the general evaluator says of every player and hole, as a table.
    fn of_hole(
        &mut self,
        player: &Int,
        hole: Option<&Int>,
        rule: impl Fn(i32, i32) -> Int,
    ) -> Built<Num> {
        let ctx = &mut self.ctx;
        let mut ask = |player: i32, hole: i32| ctx.int(&rule(player, hole));
        let table = HoleTable {
            rows: std::array::from_fn(|row| {
                let player = row as i32 - 1;
                HoleRow {
                    below: ask(player, -2),
                    at: std::array::from_fn(|at| ask(player, at as i32 - 1)),
                    beyond: ask(player, BEYOND),
                }
            }),
        };
        let player = Box::new(self.known_player(player)?);
        let hole = hole.map_or(Ok(Num::Const(-1)), |hole| self.num(hole))?;
        Ok(Num::OfHole(Box::new(table), player, Box::new(hole)))
    }

    /// A player who is one of two, shared, or nobody.
    fn known_player(&mut self, player: &Int) -> Built<Num> {
        match player {
            Int::Const(-1..=3) | Int::Mover | Int::Next | Int::Prev | Int::Player => {
                self.num(player)
            }
            _ => self.refuse("a track of a player worked out"),
        }
    }

    /// So many steps along a track, where their number depends on the position.
    fn along(&mut self, track: &ir::TrackOf, from: Option<&Int>, steps: &Int) -> Built<Num> {
        let meant = |row: usize| {
            let player = row as i32 - 1;
            let track = ir::TrackOf::new(Int::Const(player), track.name.clone());
            self.ctx.track_of(&track, player)
        };
        let tracks: [Option<usize>; 5] = std::array::from_fn(meant);
        let sites = |&track: &usize| &self.game.tracks[track].sites;
        if !tracks.iter().flatten().flat_map(sites).all(|site| (-1..64).contains(site)) {
            return self.refuse("tracks beyond the holes");
        }
        let player = self.known_player(&track.player)?;
        let from = from.map(|from| self.num(from)).transpose()?;
        let steps = self.num(steps)?;
        Ok(Num::Along(Box::new(Along { tracks, player, from, steps })))
    }

    fn first_on(
        &mut self,
        track: &ir::TrackOf,
        from: &Option<Box<Int>>,
        cond: &Option<Box<Bool>>,
    ) -> Built<Num> {
        let sites = |row: usize| {
            let found = self.ctx.track_listed(row as i32 - 1, track.name.as_deref());
            found.map(|track| track.sites.clone())
        };
        let tracks: [Option<Vec<i32>>; 5] = std::array::from_fn(sites);
        let holes = tracks.iter().flatten().flatten().all(|site| (-1..64).contains(site));
        if !holes {
            return self.refuse("tracks beyond the holes");
        }
        let player = self.known_player(&track.player)?;
        let from = from.as_deref().map(|from| self.num(from)).transpose()?;
        let cond = self.opt_cond(cond.as_deref())?;
        Ok(Num::FirstOn(Box::new(FirstOn { tracks, player, from, cond })))
    }

    pub(super) fn opt_cond(&mut self, cond: Option<&Bool>) -> Built<Option<Cond>> {
        cond.map(|cond| self.cond(cond)).transpose()
    }

    pub(super) fn conds(&mut self, all: &[Bool]) -> Built<Vec<Cond>> {
        all.iter().map(|cond| self.cond(cond)).collect()
    }

    pub(super) fn cond(&mut self, cond: &Bool) -> Built<Cond> {
        Ok(match cond {
            Bool::Const(value) => Cond::Const(*value),
            Bool::Not(a) => Cond::Not(Box::new(self.cond(a)?)),
            Bool::And(all) => match self.both_stuck(all)? {
                Some(both) => both,
                None => Cond::And(self.conds(all)?),
            },
            Bool::Or(all) => Cond::Or(self.conds(all)?),
            Bool::If(a, b, c) => {
                Cond::If(Box::new(self.cond(a)?), Box::new(self.cond(b)?), Box::new(self.cond(c)?))
            }
            Bool::Compare(cmp, a, b) => Cond::Compare(*cmp, self.num(a)?, self.num(b)?),
            Bool::In(sites, region) => Cond::In(self.nums(sites)?, self.set(region)?),
            Bool::SameRegion(a, b) => Cond::Same(self.set(a)?, self.set(b)?),
            Bool::Empty(kind, site) => {
                self.any_kind(Some(*kind))?;
                Cond::Empty(self.num(site)?)
            }
            Bool::Occupied(kind, site) => {
                self.any_kind(Some(*kind))?;
                Cond::Occupied(self.num(site)?)
            }
            Bool::Xor(a, b) => {
                let (a, b) = (self.cond(a)?, self.cond(b)?);
                let not = Box::new(Cond::Not(Box::new(b.clone())));
                Cond::If(Box::new(a), not, Box::new(b))
            }
            Bool::InInts(values, list) => match &**list {
                Ints::Remembered(name) => {
                    Cond::Recalled(self.nums(values)?, self.list(name.as_deref())?)
                }
                _ => return self.refuse("a list that is searched"),
            },
            Bool::AllPassed => Cond::AllPassed,
            Bool::NoPieces(count) if count.cond.is_none() => self.no_pieces(count)?,
            Bool::IsMover(n) => Cond::Compare(ir::Cmp::Eq, self.num(n)?, Num::Mover),
            Bool::IsNext(n) => Cond::Compare(ir::Cmp::Eq, self.num(n)?, Num::Next),
            Bool::IsPrev(n) => Cond::Compare(ir::Cmp::Eq, self.num(n)?, Num::Prev),
            Bool::Odd(n) => Cond::Odd(self.num(n)?),
            Bool::Pending => Cond::Pending,
            Bool::Cycle => Cond::Cycle,
            Bool::WasPass => Cond::WasPass,
            Bool::Proposed(text) => Cond::Proposed(*text),
            Bool::Decided(text) => Cond::Decided(*text),
            Bool::NoMoves(_) if self.checking => return self.refuse("moves asked for afterwards"),
            Bool::NoMoves(Who::One(Int::Next)) => {
                self.asked[0] = true;
                Cond::NextStuck
            }
            Bool::NoMoves(Who::One(player)) => {
                self.asked[1] = true;
                Cond::Stuck(self.num(player)?)
            }
            Bool::CanMove(moves) => Cond::Can(Box::new(self.asked(moves)?)),
            Bool::AllSites(region, cond) => {
                Cond::AllSites(self.set(region)?, Box::new(self.cond(cond)?))
            }
            other => return self.refuse(format!("the condition `{}`", name_of(other))),
        })
    }

    /// Neither the next player nor the mover has a move. Asking for the one notes the answer, which is that to the
    /// other question where they are the same player and it comes later.
    fn both_stuck(&mut self, all: &[Bool]) -> Built<Option<Cond>> {
        let stuck = |who: Int| {
            all.iter().position(|c| matches!(c, Bool::NoMoves(Who::One(player)) if *player == who))
        };
        let (Some(next), Some(mover)) = (stuck(Int::Next), stuck(Int::Mover)) else {
            return Ok(None);
        };
        if self.checking {
            return self.refuse("moves asked for afterwards");
        }
        self.both_asked += 1;
        let mut conds = Vec::new();
        for (at, cond) in all.iter().enumerate() {
            conds.push(match at {
                _ if at == next => Cond::NextStuck,
                _ if at == mover && next < mover => Cond::Or(vec![
                    Cond::Compare(ir::Cmp::Eq, Num::Mover, Num::Next),
                    Cond::Stuck(Num::Mover),
                ]),
                _ if at == mover => Cond::Stuck(Num::Mover),
                _ => self.cond(cond)?,
            });
        }
        Ok(Some(Cond::And(conds)))
    }

    /// The regions of a player by name.
    fn owned(&mut self, player: i32, name: Option<&str>) -> Built<Set> {
        let game = self.game;
        let meant = game.regions.iter().filter(|region| region.is_meant(player, name));
        let parts: Vec<&Region> = meant.flat_map(|region| &region.parts).collect();
        if parts.iter().all(|part| self.fixed().region(part)) {
            return Ok(Set::Const(bits(&self.ctx.equipment_region(player, name))));
        }
        let sets = parts.into_iter().map(|part| self.set(part));
        Ok(Set::Union(sets.collect::<Built<_>>()?))
    }

    pub(super) fn sets(&mut self, all: &[Region]) -> Built<Vec<Set>> {
        all.iter().map(|region| self.set(region)).collect()
    }

    pub(super) fn set(&mut self, region: &Region) -> Built<Set> {
        if self.fixed().region(region) {
            return Ok(Set::Const(bits(&self.ctx.region(region))));
        }
        Ok(match region {
            Region::One(site) => Set::One(self.num(site)?),
            Region::List(list) => Set::List(self.nums(list)?),
            Region::Owned(player, name, _) => {
                let sets = (0..=3).map(|player| self.owned(player, name.as_deref()));
                let sets: Vec<Set> = sets.collect::<Built<_>>()?;
                let fixed =
                    |set: &Set| if let Set::Const(holes) = set { Some(*holes) } else { None };
                match sets.iter().map(fixed).collect() {
                    Some(sets) => Set::ByNumber(sets, self.num(player)?),
                    None => Set::Choice(sets, self.num(player)?),
                }
            }
            Region::Indexed(sets, n) => {
                Set::ByNumber(sets.iter().map(bits).collect(), self.num(n)?)
            }
            Region::Track(track, None, None) => {
                let of = |player: i32| {
                    let track = ir::TrackOf::new(Int::Const(player), track.name.clone());
                    bits(&self.ctx.region(&Region::Track(Box::new(track), None, None)))
                };
                let sets = (0..=3).map(of).collect();
                Set::ByNumber(sets, self.num(&track.player)?)
            }
            Region::Track(track, from, to) => self.stretch(track, from, to)?,
            Region::Empty(kind) if *kind == self.game.topo.default => Set::Empty,
            Region::Pending => Set::Pending,
            Region::LastFrom => Set::One(Num::LastFrom),
            Region::Array(list) => match &**list {
                Ints::Remembered(name) => Set::Recalled(self.list(name.as_deref())?),
                Ints::List(list) => Set::List(self.nums(list)?),
                _ => return self.refuse("the sites of a list"),
            },
            Region::Hand(who) => {
                let Who::One(player) = &**who else {
                    return self.refuse("hands of several players");
                };
                let of = |player: i32| {
                    let hand = Region::Hand(Box::new(Who::One(Int::Const(player))));
                    bits(&self.ctx.region(&hand))
                };
                let sets = (0..=3).map(of).collect();
                Set::ByNumber(sets, self.num(player)?)
            }
            Region::Named(all) | Region::Union(all) => Set::Union(self.sets(all)?),
            Region::Intersection(all) if !all.is_empty() => Set::Intersection(self.sets(all)?),
            Region::Difference(a, b) => {
                Set::Difference(Box::new(self.set(a)?), Box::new(self.set(b)?))
            }
            Region::If(cond, yes, no) => {
                let cond = Box::new(self.cond(cond)?);
                let yes = Box::new(self.set(yes)?);
                let no = match no {
                    Some(no) => Some(Box::new(self.set(no)?)),
                    None => None,
                };
                Set::If(cond, yes, no)
            }
            Region::Filter(base, cond) => {
                Set::Filter(Box::new(self.set(base)?), Box::new(self.cond(cond)?))
            }
            other => return self.refuse(format!("the sites `{}`", name_of(other))),
        })
    }
}
