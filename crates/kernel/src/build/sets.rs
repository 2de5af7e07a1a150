//! Conditions on one site become sets of sites, worked out once a turn.

use super::Builder;
use super::fold::of_next;
use crate::code::{Cond, Relation, Set, Var};
use crate::{Built, Refusal};
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Bool, Channel, Cmp, Int, Ints, Moves, MovesKind, Region, Through};
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::{Dir, SiteType};

/// The set of empty sites.
pub(super) const EMPTY: Set = Set::Slot(0);

impl Builder<'_> {
    pub(super) fn and(&mut self, a: Set, b: Set) -> Set {
        if self.is_everywhere(&a) || self.is_nowhere(&b) || a == b {
            return b;
        }
        if self.is_everywhere(&b) || self.is_nowhere(&a) {
            return a;
        }
        // What is asked site by site is asked as seldom as can be.
        match (a, b) {
            (Set::Where(inner, cond, var), other) | (other, Set::Where(inner, cond, var)) => {
                let inner = self.and(*inner, other);
                Set::Where(Box::new(inner), cond, var)
            }
            (a, b) => self.both(a, b),
        }
    }

    fn both(&mut self, a: Set, mut b: Set) -> Set {
        if let Some(kind) = self.only_kind(&a) {
            of_one_kind(&mut b, kind);
        }
        if let (Set::Const(m), Set::Const(n)) = (&a, &b) {
            let mut both = self.code.consts[*m].clone();
            both.intersect_with(&self.code.consts[*n]);
            return self.fixed(both);
        }
        Set::And(Box::new(a), Box::new(b))
    }

    pub(super) fn or(&mut self, a: Set, b: Set) -> Set {
        if self.is_everywhere(&a) || self.is_nowhere(&b) || a == b {
            return a;
        }
        if self.is_everywhere(&b) || self.is_nowhere(&a) {
            return b;
        }
        if let (Set::Const(m), Set::Const(n)) = (&a, &b) {
            let mut either = self.code.consts[*m].clone();
            either.union_with(&self.code.consts[*n]);
            return self.fixed(either);
        }
        Set::Or(Box::new(a), Box::new(b))
    }

    pub(super) fn not(&mut self, a: Set) -> Set {
        match a {
            Set::Const(n) => {
                let mut rest = SiteSet::first(self.code.sites);
                rest.subtract(&self.code.consts[n]);
                self.fixed(rest)
            }
            Set::Not(inner) => *inner,
            // What is asked of every site can be asked the other way round, and then of fewer.
            Set::Where(all, cond, var) if self.is_everywhere(&all) => {
                let cond = match *cond {
                    Cond::Not(inner) => *inner,
                    cond => Cond::Not(Box::new(cond)),
                };
                Set::Where(all, Box::new(cond), var)
            }
            other => Set::Not(Box::new(other)),
        }
    }

    fn when(&mut self, cond: Cond, set: Set) -> Set {
        match cond {
            Cond::Const(true) => set,
            Cond::Const(false) => self.nowhere(),
            cond => {
                let none = self.nowhere();
                Set::If(Box::new(cond), Box::new(set), Box::new(none))
            }
        }
    }

    /// The sites of a piece.
    pub(super) fn slot_of(&mut self, what: u16) -> Set {
        match self.code.slots.get(what as usize) {
            Some(&(own, _)) if what > 0 => Set::Slot(own),
            _ => self.nowhere(),
        }
    }

    /// The sites of all pieces of owners that fit.
    pub(super) fn owned_by(&mut self, fits: impl Fn(i32) -> bool) -> Set {
        let mut set = self.nowhere();
        let shared = self.game.players + 1;
        for owner in 0..=shared {
            if let (true, Some(slot)) = (fits(owner), self.code.owner_slots[owner as usize]) {
                set = self.or(set, Set::Slot(slot));
            }
        }
        set
    }

    /// The members that are on the board.
    pub(super) fn on_board(&mut self, set: Set) -> Set {
        let board = self.fixed(SiteSet::first(self.code.board));
        self.and(set, board)
    }

    /// The sites for which a condition holds, where no other variable takes part; by sets where that can be
    /// done, else site by site.
    pub(super) fn sites_where(&mut self, cond: &Bool, var: Var) -> Built<Set> {
        match self.set_where(cond, var) {
            Ok(set) => Ok(set),
            Err(refusal) if self.merged => Err(refusal),
            Err(refusal) => {
                if var != Var::From && self.asks_start(cond) {
                    return Err(refusal);
                }
                let saved = self.bound;
                self.bound = saved.with(var);
                let outer = self.each_site.replace(var);
                let cond = self.cond(cond);
                self.each_site = outer;
                self.bound = saved;
                let all = self.everywhere();
                Ok(Set::Where(Box::new(all), Box::new(cond?), var))
            }
        }
    }

    fn set_where(&mut self, cond: &Bool, var: Var) -> Built<Set> {
        if let Some(set) = self.fixed_sites(cond, var) {
            return Ok(self.fixed(set));
        }
        if !self.asks(cond, var) {
            let cond = self.cond(cond)?;
            let all = self.everywhere();
            return Ok(self.when(cond, all));
        }
        match cond {
            Bool::Not(inner) => {
                let set = self.sites_where(inner, var)?;
                Ok(self.not(set))
            }
            Bool::And(all) => {
                let mut set = self.everywhere();
                for part in all {
                    let part = self.sites_where(part, var)?;
                    set = self.and(set, part);
                }
                Ok(set)
            }
            Bool::Or(all) => {
                let mut set = self.nowhere();
                for part in all {
                    let part = self.sites_where(part, var)?;
                    set = self.or(set, part);
                }
                Ok(set)
            }
            Bool::If(test, yes, no) if !self.asks(&**test, var) => {
                let test = self.cond(test)?;
                let yes = self.sites_where(yes, var)?;
                let no = self.sites_where(no, var)?;
                Ok(Set::If(Box::new(test), Box::new(yes), Box::new(no)))
            }
            Bool::Empty(kind, site) => {
                self.same_kind(*kind)?;
                self.preimage(site, var, |_| Ok(EMPTY))
            }
            Bool::Occupied(kind, site) => {
                self.same_kind(*kind)?;
                self.preimage(site, var, |b| Ok(b.not(EMPTY)))
            }
            Bool::In(sites, region) => match sites.as_slice() {
                [site] if !self.asks(&**region, var) => {
                    self.preimage(site, var, |b| b.region(region))
                }
                _ => self.refuse("a region that depends on the site asked for"),
            },
            Bool::Flat(site) if self.is_var(site, var) => self.flat(),
            Bool::Visited(site) => {
                let slot = match self.code.visited {
                    Some(slot) => Set::Slot(slot),
                    None => self.nowhere(),
                };
                self.preimage(site, var, |_| Ok(slot))
            }
            Bool::InInts(values, ints) => match (values.as_slice(), &**ints) {
                ([site], Ints::Remembered(name)) => {
                    let slot = Set::Slot(self.remembered(name.as_deref()));
                    self.preimage(site, var, |_| Ok(slot))
                }
                _ => self.refuse("a list of numbers that changes"),
            },
            Bool::CanMove(moves) if self.game.meta.no_repeat.is_none() => self.flanked(moves, var),
            Bool::Line(line) => match &line.through {
                Through::One(site) if self.is_var(site, var) && !self.merged => self.in_lines(line),
                _ => self.refuse("lines through other sites"),
            },
            Bool::Enemy(player) => {
                let allies = self.allies(self.mover);
                self.whose(player, var, |owner, _| owner != 0 && !allies.has(owner))
            }
            Bool::Friend(player) => {
                let allies = self.allies(self.mover);
                self.whose(player, var, |owner, _| allies.has(owner))
            }
            Bool::IsMover(player) => self.whose(player, var, |owner, mover| owner == mover),
            Bool::IsNext(player) if self.knows_next() => {
                let next = self.ctx.s.next;
                self.whose(player, var, |owner, _| owner == next)
            }
            Bool::Related(relation, kind, site, region) => {
                self.same_kind(*kind)?;
                if self.asks(&**region, var) {
                    return self.refuse("neighbours of a region that depends on the site");
                }
                let near = ludex_lud::topo::Dir::of(*relation);
                let region = self.region(region)?;
                let relation = self.neighbours(near)?;
                let set = Set::Image(relation, Box::new(region));
                self.preimage(site, var, |_| Ok(set))
            }
            Bool::AllSites(region, inner) => match &**region {
                Region::Around(around) if !self.asks(&**inner, var) => {
                    // Beside none that does not fit.
                    let fitting = self.sites_where(inner, Var::Site)?;
                    let others = self.not(fitting);
                    let beside = self.beside(around, var, Some(others))?;
                    Ok(self.not(beside))
                }
                _ => self.refuse("a question for all sites of a region that depends on the site"),
            },
            Bool::Compare(cmp, a, b) => self.sites_compared(*cmp, a, b, var),
            other => self.refuse(format!("the condition {}", super::nums::name(other))),
        }
    }

    /// The sites that rest on no empty one.
    fn flat(&mut self) -> Built<Set> {
        self.same_kind(SiteType::Vertex)?;
        let plane = self.game.topo.plane(SiteType::Vertex);
        let raised = (0..plane.count as i32).filter(|&site| plane.layer[site as usize] != 0);
        let rests = |site: i32| plane.steps(site, Dir::DOWNWARD).iter().map(move |&on| (on, site));
        let pairs: Vec<(i32, i32)> = raised.flat_map(rests).collect();
        let hollow = Set::Image(self.relation(&pairs), Box::new(EMPTY));
        Ok(self.not(hollow))
    }

    /// Whether a part of the rules asks for a variable, or for one that means the same site.
    fn asks<'r>(&self, node: impl Into<Part<'r>>, var: Var) -> bool {
        let node = node.into();
        let other = match var {
            Var::To => Some(Var::Between),
            Var::Between => Some(Var::To),
            _ => None,
        };
        let other = other.filter(|_| self.merged);
        let start = var == Var::To && self.start_of.is_some();
        asks(node, var)
            || other.is_some_and(|other| asks(node, other))
            || (start && asks(node, Var::From))
    }

    fn is_var(&self, n: &Int, var: Var) -> bool {
        match n {
            Int::From => var == Var::From,
            Int::To => var == Var::To || (self.merged && var == Var::Between),
            Int::Between => var == Var::Between || (self.merged && var == Var::To),
            Int::Site => var == Var::Site,
            _ => false,
        }
    }

    /// The sites that a function of the site takes into a set.
    pub(super) fn preimage(
        &mut self,
        site: &Int,
        var: Var,
        set: impl FnOnce(&mut Self) -> Built<Set>,
    ) -> Built<Set> {
        if self.is_var(site, var) {
            return set(self);
        }
        let Some(to) = self.fixed_numbers(site, var) else {
            return self.refuse("a site that is found in a way of its own");
        };
        let set = set(self)?;
        // Going back: from where the function leads to where it starts.
        let pairs = to.iter().enumerate().filter(|(_, to)| **to >= 0);
        let back: Vec<(i32, i32)> = pairs.map(|(from, &to)| (to, from as i32)).collect();
        let relation = self.relation(&back);
        Ok(Set::Image(relation, Box::new(set)))
    }

    /// The sites whose piece has an owner that fits.
    fn whose(&mut self, player: &Int, var: Var, fits: impl Fn(i32, i32) -> bool) -> Built<Set> {
        let Int::At(channel @ (Channel::Who | Channel::State), kind, site, None) = player else {
            return self.refuse("a player found in a way of its own");
        };
        if let Some(kind) = kind {
            self.same_kind(*kind)?;
        }
        let mover = self.mover;
        if *channel == Channel::State {
            return self.preimage(site, var, |b| Ok(b.stated_as(|state| fits(state, mover))));
        }
        self.preimage(site, var, |b| {
            let mut set = b.owned_by(|owner| owner != 0 && fits(owner, mover));
            if fits(0, mover) {
                let empty = EMPTY;
                let neutral = b.owned_by(|owner| owner == 0);
                let nobody = b.or(empty, neutral);
                set = b.or(set, nobody);
            }
            Ok(set)
        })
    }

    /// The sites whose pieces have the number of a player that fits as their state.
    fn stated_as(&mut self, fits: impl Fn(i32) -> bool) -> Set {
        // Numbers of nobody are alike, whatever they are.
        let others = fits(i32::MAX);
        let mut set = self.nowhere();
        for state in (0..=self.game.players).filter(|&state| fits(state) != others) {
            let stated = self.stated(state);
            set = self.or(set, stated);
        }
        match others {
            true => self.not(set),
            false => set,
        }
    }

    /// The sites beside one that fits, and is among some where that is asked for.
    fn beside(
        &mut self,
        around: &ludex_lud::ir::Around,
        var: Var,
        among: Option<Set>,
    ) -> Built<Set> {
        let own = matches!(&around.at, Region::One(site) if self.is_var(site, var));
        let plain = !self.merged
            && self.start_of.is_none()
            && self.fixed_int(&around.distance) == Some(1)
            && self.fixed_bool(&around.include_self) == Some(false);
        if !own || !plain {
            return self.refuse("sites around others that depend on the site");
        }
        self.same_kind(around.kind)?;
        let mut fitting = match around.filter {
            Some(filter) => self.neighbours_fitting(filter),
            None => self.everywhere(),
        };
        if let Some(cond) = &around.cond {
            // The condition has a name of its own for the neighbour, whatever the site asked for is called.
            if var != Var::From && self.asks_start(cond) || mentions(cond, Var::Between) {
                return self.refuse("sites around others that depend on the way");
            }
            let near = self.sites_where(cond, Var::To)?;
            fitting = self.and(fitting, near);
        }
        if let Some(among) = among {
            fitting = self.and(fitting, among);
        }
        let pairs = self.radial_pairs(around.dir);
        let back: Vec<(i32, i32)> = pairs.iter().map(|&(from, to)| (to, from)).collect();
        let relation = self.relation(&back);
        Ok(Set::Image(relation, Box::new(fitting)))
    }

    /// The sites from which pieces between would be caught.
    fn flanked(&mut self, moves: &Moves, var: Var) -> Built<Set> {
        let MovesKind::Custodial(wanted) = &moves.kind else {
            return self.refuse("a question for moves at a site");
        };
        if !self.is_var(&wanted.from, var) || var == Var::Between {
            return self.refuse("a question for captures from elsewhere");
        }
        self.flanking(wanted)
    }

    fn sites_compared(&mut self, cmp: Cmp, a: &Int, b: &Int, var: Var) -> Built<Set> {
        if let (Cmp::Gt | Cmp::Ne | Cmp::Eq, Int::CountSites(region)) = (cmp, a)
            && let Region::Around(around) = &**region
            && self.fixed_int(b) == Some(0)
        {
            let beside = self.beside(around, var, None)?;
            return Ok(if cmp == Cmp::Eq { self.not(beside) } else { beside });
        }
        for (cmp, height, with) in [(cmp, a, b), (super::values::turned(cmp), b, a)] {
            if let (Int::StackSize(None, region), Some(with)) = (height, self.fixed_int(with))
                && let Region::One(site) = &**region
                && self.code.stacks.is_some()
            {
                return self.preimage(site, var, |b| Ok(b.of_height(cmp, with)));
            }
        }
        if let (Cmp::Eq, Int::CountSites(all), Int::CountSites(rest)) = (cmp, a, b)
            && let Region::Difference(base, taken) = &**rest
            && base == all
            && !self.asks(&**all, var)
            && let Some(rows) = self.fixed_rows(taken, var)
        {
            // As many without some: none of those is among them.
            let all = self.region(all)?;
            let back = rows
                .iter()
                .enumerate()
                .flat_map(|(site, row)| row.iter().map(move |member| (member, site as i32)));
            let back: Vec<(i32, i32)> = back.collect();
            let relation = self.relation(&back);
            return Ok(self.not(Set::Image(relation, Box::new(all))));
        }
        let (here, other) = match (self.asks(a, var), self.asks(b, var)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return self.refuse("a comparison of two things at a site"),
        };
        if let Int::At(Channel::Value, ..) = here {
            let cmp = if std::ptr::eq(here, a) { cmp } else { super::values::turned(cmp) };
            return self.valued(cmp, here, other, var);
        }
        let equal = match cmp {
            Cmp::Eq => true,
            Cmp::Ne => false,
            _ => return self.refuse("an ordering at a site"),
        };
        let set = match here {
            n if self.is_var(n, var) => Set::One(self.num(other)?),
            Int::At(Channel::State, kind, site, None) => {
                if let Some(kind) = kind {
                    self.same_kind(*kind)?;
                }
                let Some(wanted) = self.fixed_int(other) else {
                    return self.refuse("a state that is not known before");
                };
                self.preimage(site, var, |b| Ok(b.stated(wanted)))?
            }
            Int::At(channel @ (Channel::What | Channel::Who), kind, site, None) => {
                if let Some(kind) = kind {
                    self.same_kind(*kind)?;
                }
                let by_what = *channel == Channel::What;
                self.preimage(site, var, |b| b.holding_number(by_what, other))?
            }
            _ => return self.refuse("a number asked for at a site"),
        };
        Ok(if equal { set } else { self.not(set) })
    }

    /// The same for a number that may depend on who is next.
    fn holding_number(&mut self, by_what: bool, wanted: &Int) -> Built<Set> {
        if let Some(wanted) = self.fixed_int(wanted) {
            return Ok(self.asked_for(by_what, wanted));
        }
        let Some(all) = self.by_next(|b| b.fixed_int(wanted)) else {
            return self.refuse("a piece or owner that is not known before");
        };
        let all = all.into_iter().map(|wanted| self.asked_for(by_what, wanted)).collect();
        Ok(of_next(all, Set::either).unwrap_or(EMPTY))
    }

    /// The sites where a rule that asks what or whose a site is gets an answer: of stacks, what lies lowest, and
    /// whose the top is.
    fn asked_for(&mut self, by_what: bool, wanted: i32) -> Set {
        match u16::try_from(wanted) {
            Ok(what @ 1..) if by_what && self.code.stacks.is_some() => self.lying_at(what, 0),
            _ => self.holding(by_what, wanted),
        }
    }

    /// The sites of a piece or of an owner; nothing counts as piece zero of nobody.
    pub(super) fn holding(&mut self, by_what: bool, wanted: i32) -> Set {
        match (by_what, wanted) {
            (true, 0) => EMPTY,
            (true, what) => match u16::try_from(what) {
                Ok(what) => self.slot_of(what),
                Err(_) => self.nowhere(),
            },
            (false, 0) => {
                let neutral = self.owned_by(|owner| owner == 0);
                self.or(EMPTY, neutral)
            }
            (false, owner) => self.owned_by(|o| o == owner),
        }
    }

    /// The relation of pairs of sites.
    pub(super) fn relation(&mut self, pairs: &[(i32, i32)]) -> usize {
        let offsets = by_offset(pairs);
        let offsets = offsets
            .into_iter()
            .map(|(offset, pairs)| (offset, pairs.iter().map(|&(_, to)| to).collect::<SiteSet>()));
        let relation = Relation { offsets: offsets.collect() };
        let same = |known: &Relation| {
            known.offsets.len() == relation.offsets.len()
                && known
                    .offsets
                    .iter()
                    .zip(&relation.offsets)
                    .all(|(a, b)| a.0 == b.0 && a.1.same(&b.1))
        };
        let known = self.code.relations.iter().position(same);
        known.unwrap_or_else(|| {
            self.code.relations.push(relation);
            self.code.relations.len() - 1
        })
    }

    /// The relation of neighbours.
    pub(super) fn neighbours(&mut self, dir: ludex_lud::topo::Dir) -> Result<usize, Refusal> {
        let plane = self.game.topo.plane(self.game.topo.default);
        let sites = 0..plane.count as i32;
        let pairs = sites.flat_map(|s| plane.steps(s, dir).iter().map(move |&to| (s, to)));
        let pairs: Vec<(i32, i32)> = pairs.collect();
        Ok(self.relation(&pairs))
    }
}

/// Of lines of pieces that are alike only those of one kind matter, where no other stands.
fn of_one_kind(set: &mut Set, kind: u8) {
    match set {
        Set::Not(inner) => of_one_kind(inner, kind),
        Set::InLines(_, of @ None) => *of = Some(Box::new(Set::Slot(kind))),
        _ => {}
    }
}

/// Pairs of sites by the difference of their numbers.
pub(super) fn by_offset(pairs: &[(i32, i32)]) -> Vec<(i32, Vec<(i32, i32)>)> {
    let mut out: Vec<(i32, Vec<(i32, i32)>)> = Vec::new();
    for &(from, to) in pairs {
        match out.iter_mut().find(|(offset, _)| *offset == to - from) {
            Some((_, list)) => list.push((from, to)),
            None => out.push((to - from, vec![(from, to)])),
        }
    }
    out
}

/// Whether a condition asks for a variable. Loops bind variables of their own, so this may say yes where the
/// answer is no, never the other way.
pub(super) fn mentions(cond: &Bool, var: Var) -> bool {
    asks(Part::Bool(cond), var)
}

/// The same of a set of sites.
pub(super) fn region_mentions(region: &ludex_lud::ir::Region, var: Var) -> bool {
    asks(Part::Region(region), var)
}

fn asks(part: Part<'_>, var: Var) -> bool {
    part.any(&mut |part| is_var(part, var))
}

/// Whether a part of the rules is a variable.
pub(super) fn is_var(part: Part<'_>, var: Var) -> bool {
    let Part::Int(n) = part else {
        return false;
    };
    match var {
        Var::From => matches!(n, Int::From),
        Var::To => matches!(n, Int::To),
        Var::Between => matches!(n, Int::Between),
        Var::Site => matches!(n, Int::Site),
        Var::Player => matches!(n, Int::Player),
    }
}
