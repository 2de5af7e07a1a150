//! Moves that threaten pieces, by the site they end on: the question is asked backwards, from that site.

use super::board::Board;
use super::eval::Binds;
use super::families::MAX_OPERANDS;
use super::leaves::Operand;
use super::{Kernel, Step};
use crate::code::visit::Term;
use crate::code::{Cond, Family, NOWHERE, Node, Num, Set, Shape};
use ludex_game::bits::Bits;

/// The moves of a player that may threaten something.
#[derive(Debug)]
pub(super) enum Attack<const W: usize> {
    /// As tests, each of which looks only where its moves may come from.
    Tests {
        /// Those that may end on an occupied site, then the others.
        tests: Vec<Test<W>>,
        /// How many may.
        taking: usize,
        /// The rules ask for more than the position, and must see the enemy as the mover.
        deep: bool,
    },
    /// As a node, where only moves of its first part that has one count.
    Node,
}

/// Moves of one family.
#[derive(Debug)]
pub(super) struct Test<const W: usize> {
    /// For every end where they may start.
    origins: Vec<Bits<W>>,
    from: Operand,
    to: Operand,
    way: Way,
    /// What must hold for there to be such moves at all.
    guards: Vec<(Cond, bool)>,
    deed: u16,
    /// The moves must be tried.
    tried: bool,
}

impl<const W: usize> Test<W> {
    /// What is asked to find such moves.
    fn terms(&self) -> impl Iterator<Item = Term<'_>> {
        let on_the_way = match &self.way {
            Way::Leap | Way::Family(..) => [None, None],
            Way::Slide { go, stop, .. } => [Some(go), Some(stop)],
            Way::Jump { hurdle, .. } => [Some(hurdle), None],
        };
        let operands = [&self.from, &self.to].into_iter().chain(on_the_way.into_iter().flatten());
        let sets = operands.filter_map(|operand| match operand {
            Operand::Other(set) => Some(Term::Set(set)),
            Operand::Slot(_) | Operand::Except(_) => None,
        });
        self.guards.iter().map(|(guard, _)| Term::Cond(guard)).chain(sets)
    }
}

/// How moves get from start to end.
#[derive(Debug)]
enum Way {
    /// At once.
    Leap,
    /// Through sites that do not stop them.
    Slide { rays: usize, go: Operand, stop: Operand },
    /// Over a site at a difference from the start.
    Jump { over: i32, hurdle: Operand },
    /// In a way that only the family knows: its leaf and number there.
    Family(usize, usize),
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// All threats made ready.
    pub(super) fn attacks_of(&mut self) -> Vec<[Vec<Attack<W>>; 2]> {
        let threats = self.code.threats.clone();
        let all = |nodes: &[Node], kernel: &mut Self| {
            nodes.iter().map(|node| kernel.attack(node)).collect()
        };
        threats.iter().map(|[first, second]| [all(first, self), all(second, self)]).collect()
    }

    fn attack(&mut self, node: &Node) -> Attack<W> {
        let mut tests = Vec::new();
        if !self.add_tests(node, &mut Vec::new(), &mut tests) {
            return Attack::Node;
        }
        let mut asks_moves = |term: Term<'_>| match term {
            Term::Cond(cond) => matches!(
                cond,
                Cond::Can(_) | Cond::AllPassed | Cond::NoMovesNext | Cond::Threatened(_)
            ),
            _ => false,
        };
        let deep = tests.iter().flat_map(Test::terms).any(|term| term.any(&mut asks_moves));
        let (mut tests, others): (Vec<_>, Vec<_>) =
            tests.into_iter().partition(|test| !only_empty(&test.to));
        let taking = tests.len();
        tests.extend(others);
        Attack::Tests { tests, taking, deep }
    }

    fn add_tests(
        &mut self,
        node: &Node,
        guards: &mut Vec<(Cond, bool)>,
        out: &mut Vec<Test<W>>,
    ) -> bool {
        match node {
            Node::Nothing => true,
            Node::First(_) | Node::Switch(..) => false,
            Node::All(all) => all.iter().all(|node| self.add_tests(node, guards, out)),
            Node::If(cond, yes, no) => [(yes, true), (no, false)].into_iter().all(|(node, is)| {
                guards.push((Cond::clone(cond), is));
                let done = self.add_tests(node, guards, out);
                guards.pop();
                done
            }),
            Node::Leaf(leaf) => {
                for number in 0..self.code.leaves[*leaf].families.len() {
                    if let Some(test) = self.test(*leaf, number, guards) {
                        join(out, test);
                    }
                }
                true
            }
        }
    }

    fn test(&mut self, leaf: usize, number: usize, guards: &[(Cond, bool)]) -> Option<Test<W>> {
        let operands = self.code.leaves[leaf].operands.clone();
        let family = self.code.leaves[leaf].families[number].clone();
        let mut origins = self.origins_of(&family)?;
        let from = &operands[family.from as usize];
        let to = family.ends().map(|end| operands[end as usize].clone());
        let to = to.reduce(|a, b| Set::Or(Box::new(a), Box::new(b)))?;
        let (starts, ends) = (self.limit(from), self.limit(&to));
        for (site, of_site) in origins.iter_mut().enumerate() {
            *of_site &= if ends.contains(site) { starts } else { Bits::EMPTY };
        }
        let way = match &family.shape {
            Shape::Shift(..) | Shape::Table(_) => Way::Leap,
            Shape::Slide { rays, go, stop, shot: false } if self.rays[*rays].know_between() => {
                let [go, stop] = [go, stop].map(|&at| Operand::of(&operands[at as usize]));
                Way::Slide { rays: *rays, go, stop }
            }
            Shape::Jump { over, hurdle, .. } => {
                Way::Jump { over: *over, hurdle: Operand::of(&operands[*hurdle as usize]) }
            }
            _ => Way::Family(leaf, number),
        };
        Some(Test {
            origins,
            // What never changes is in the origins.
            from: Operand::of(changing(from)),
            to: Operand::of(&to),
            way,
            guards: guards.to_vec(),
            deed: family.deed,
            tried: self.tried[family.deed as usize],
        })
    }

    /// For every end where moves of a family may start.
    fn origins_of(&self, family: &Family) -> Option<Vec<Bits<W>>> {
        let sites = 0..self.code.sites;
        let of = |origins: &dyn Fn(usize) -> Bits<W>| sites.clone().map(origins).collect();
        Some(match &family.shape {
            Shape::Pass => return None,
            Shape::Shift(offset, ends) => of(&|site| {
                let origin = site as i32 - offset;
                match ends.contains(site as i32) && self.is_site(origin) {
                    true => Bits::one(origin as usize),
                    false => Bits::EMPTY,
                }
            }),
            Shape::Table(table) => of(&|site| {
                let rows = self.tables[*table].iter().enumerate();
                let from = rows.filter(|(_, row)| row.contains(site));
                from.fold(Bits::EMPTY, |all, (origin, _)| all | Bits::one(origin))
            }),
            Shape::Jump { by, ends, .. } => of(&|site| {
                let origin = site as i32 - by;
                match ends.contains(site as i32) && self.is_site(origin) {
                    true => Bits::one(origin as usize),
                    false => Bits::EMPTY,
                }
            }),
            Shape::Slide { rays, .. } => of(&|site| self.rays[*rays].through(site)),
            Shape::Hop(hop) => of(&|site| self.rays[hop.rays].through(site)),
            _ => of(&|_| self.everywhere),
        })
    }

    /// The most a set can ever be.
    fn limit(&self, set: &Set) -> Bits<W> {
        match set {
            Set::Const(n) => self.consts[*n],
            Set::One(Num::Const(site)) if self.is_site(*site) => Bits::one(*site as usize),
            Set::And(a, b) => self.limit(a) & self.limit(b),
            Set::Or(a, b) | Set::If(_, a, b) => self.limit(a) | self.limit(b),
            Set::Where(inner, ..) => self.limit(inner),
            _ => self.everywhere,
        }
    }

    /// Whether one of these moves of a player ends on a site.
    #[inline]
    pub(super) fn hits(&self, b: &Board<W, S>, tests: &[Test<W>], enemy: u8, site: usize) -> bool {
        let v = Binds::default();
        tests.iter().any(|test| {
            let starts = test.origins[site];
            !starts.is_empty() && {
                let starts = starts & self.operand(b, &v, &test.from);
                !starts.is_empty() && self.gets_there(b, test, starts, enemy, site)
            }
        })
    }

    fn gets_there(
        &self,
        b: &Board<W, S>,
        test: &Test<W>,
        from: Bits<W>,
        enemy: u8,
        site: usize,
    ) -> bool {
        let v = Binds::default();
        let guarded = test.guards.iter().all(|(cond, is)| self.cond(b, &v, cond) == *is);
        if !guarded {
            return false;
        }
        let step = |origin: usize| Step {
            deed: test.deed,
            from: origin as i32,
            to: site as i32,
            between: NOWHERE,
        };
        match &test.way {
            Way::Family(leaf, number) => {
                self.family_gets_there(b, test, (*leaf, *number), from, enemy, site)
            }
            _ if !self.operand(b, &v, &test.to).contains(site) => false,
            Way::Leap => {
                !test.tried || from.iter().any(|origin| self.is_allowed(b, step(origin), enemy))
            }
            Way::Jump { over, hurdle } => {
                let hurdle = self.operand(b, &v, hurdle);
                from.iter().any(|origin| {
                    let between = origin as i32 + over;
                    let step = Step { between, ..step(origin) };
                    self.is_site(between)
                        && hurdle.contains(between as usize)
                        && (!test.tried || self.is_allowed(b, step, enemy))
                })
            }
            Way::Slide { rays, go, stop } => {
                let (go, stop) = (self.operand(b, &v, go), self.operand(b, &v, stop));
                let (open, halt) = (go | stop, stop | !go);
                open.contains(site)
                    && from.iter().any(|origin| {
                        (self.rays[*rays].between(origin, site) & halt).is_empty()
                            && (!test.tried || self.is_allowed(b, step(origin), enemy))
                    })
            }
        }
    }

    /// Whether a move that must be tried counts as a threat of a player.
    #[cold]
    fn is_allowed(&self, b: &Board<W, S>, step: Step, enemy: u8) -> bool {
        let mut look = *b;
        (look.mover, look.prev) = (enemy, 3 - enemy);
        self.is_legal(&look, step)
    }

    fn family_gets_there(
        &self,
        b: &Board<W, S>,
        test: &Test<W>,
        (leaf, number): (usize, usize),
        from: Bits<W>,
        enemy: u8,
        site: usize,
    ) -> bool {
        let mut operands = [Bits::EMPTY; MAX_OPERANDS];
        self.fill(b, &Binds::default(), leaf, &mut operands);
        let family = self.numbered(leaf, number);
        let comes = |origin: i32| {
            self.ends_of(b, leaf, &operands, family, origin).contains(site)
                && (!test.tried || {
                    let step = self.step(b, leaf, &operands, family, origin, site as i32);
                    self.is_allowed(b, step, enemy)
                })
        };
        match self.code.leaves[leaf].families[number].shape {
            Shape::Spot => comes(NOWHERE),
            _ => from.iter().any(|origin| comes(origin as i32)),
        }
    }
}

/// Adds a test; leaps that differ in nothing but their ways become one.
fn join<const W: usize>(tests: &mut Vec<Test<W>>, test: Test<W>) {
    let same = |other: &&mut Test<W>| {
        let leaps = matches!((&other.way, &test.way), (Way::Leap, Way::Leap));
        leaps
            && !other.tried
            && !test.tried
            && other.guards == test.guards
            && other.from == test.from
            && other.to == test.to
    };
    match tests.iter_mut().find(same) {
        Some(other) => {
            for (all, more) in other.origins.iter_mut().zip(&test.origins) {
                *all |= *more;
            }
        }
        None => tests.push(test),
    }
}

/// The part of a set that changes, where the rest is a fixed set.
fn changing(set: &Set) -> &Set {
    match set {
        Set::And(a, b) => match (&**a, &**b) {
            (Set::Const(_), other) | (other, Set::Const(_)) => changing(other),
            _ => set,
        },
        _ => set,
    }
}

/// Whether a set has empty sites only.
fn only_empty(operand: &Operand) -> bool {
    match operand {
        Operand::Slot(slot) => *slot == 0,
        Operand::Except(_) => false,
        Operand::Other(set) => crate::build::only_empty(set),
    }
}
