//! What a move must be to win, read off end rules.

use super::{Fewer, Lines, MOST_LINES, MOST_NEEDS, Need, Winning};
use crate::code::{Cond, Effect, End, Line, NOWHERE, Node, Num, Plan, Set, Side, Var, Verdict};
use crate::run::Kernel;
use crate::run::finish::keeps_phases;
use ludex_game::bits::Bits;
use ludex_lud::ir::Cmp;
use rustc_hash::FxHashSet;

impl<const W: usize> Need<W> {
    fn any() -> Self {
        Need { ends: !Bits::EMPTY, unless: None, fewer: None, lines: None, stifles: false }
    }

    /// Both; of two kinds of taking, or of lines, one is enough to look at.
    fn and(&self, other: &Need<W>) -> Need<W> {
        // One of two that may hold without the move is left out.
        let ends = match (&self.unless, &other.unless) {
            (None, None) => self.ends & other.ends,
            (None, Some(_)) => self.ends,
            (Some(_), None) => other.ends,
            (Some(_), Some(_)) => !Bits::EMPTY,
        };
        Need {
            ends,
            unless: None,
            fewer: self.fewer.clone().or_else(|| other.fewer.clone()),
            lines: self.lines.clone().or_else(|| other.lines.clone()),
            stifles: self.stifles || other.stifles,
        }
    }
}

fn both<const W: usize>(one: Winning<W>, other: Winning<W>) -> Winning<W> {
    match (one, other) {
        (Some(one), Some(other)) if one.len() * other.len() <= MOST_NEEDS => {
            Some(one.iter().flat_map(|x| other.iter().map(|y| x.and(y))).collect())
        }
        (Some(one), Some(other)) => Some(if one.len() < other.len() { one } else { other }),
        (one, other) => one.or(other),
    }
}

fn either<const W: usize>(one: Winning<W>, other: Winning<W>) -> Winning<W> {
    let mut all = one?;
    all.extend(other?);
    (all.len() <= MOST_NEEDS).then_some(all)
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// For each player and phase what his moves must be to win.
    pub(in crate::run) fn winning_moves(&self) -> Vec<Vec<Winning<W>>> {
        let sides = || (1..).zip(&self.code.sides);
        if self.code.sides.len() > 2 || self.code.stacks.is_some() || self.code.piles {
            return sides().map(|(_, side)| vec![None; side.plans.len()]).collect();
        }
        let of_phase = |mover, ends: &Vec<End>, all: &[End]| {
            let mut rules = ends.iter().chain(all);
            rules.try_fold(Vec::new(), |all, rule| either(Some(all), self.rule(mover, rule)))
        };
        let of_side = |(mover, side): (i32, &Side)| {
            side.ends.iter().map(|ends| of_phase(mover, ends, &side.game_end)).collect()
        };
        sides().map(of_side).collect()
    }

    /// For each player and phase the leaves whose moves by fixed differences look at no sites but their own, and are legal whenever
    /// turns come to him; none where turns do not alternate, or moves change the phase of others.
    pub(in crate::run) fn local_leaves(&self) -> Vec<Vec<Vec<usize>>> {
        let strays = |effect: &Effect| {
            matches!(
                effect,
                Effect::Again
                    | Effect::Next(_)
                    | Effect::Seats
                    | Effect::Turn(_)
                    | Effect::Asked(_)
            )
        };
        let steady =
            !self.code.any_effect(&strays) && !self.code.asks() && keeps_phases(&self.code);
        let of_phase = |plan: &Plan| {
            let mut leaves = Vec::new();
            if steady {
                self.add_local(&plan.node, &mut leaves);
            }
            leaves
        };
        self.code.sides.iter().map(|side| side.plans.iter().map(of_phase).collect()).collect()
    }

    fn add_local(&self, node: &Node, out: &mut Vec<usize>) {
        match node {
            Node::Leaf(leaf) => {
                let local = self.code.leaves[*leaf].operands.iter().all(|set| self.is_local(set));
                if local && !self.leaves[*leaf].tried {
                    out.push(*leaf);
                }
            }
            Node::All(all) | Node::First(all) => {
                all.iter().for_each(|node| self.add_local(node, out));
            }
            Node::Nothing | Node::If(..) | Node::Switch(..) => {}
        }
    }

    /// Whether what a set says of a site depends on that site alone.
    fn is_local(&self, set: &Set) -> bool {
        match set {
            Set::Const(_) | Set::Slot(0) => true,
            Set::Slot(_) => self.is_of_pieces(set),
            Set::Not(inner) => self.is_local(inner),
            Set::And(x, y) | Set::Or(x, y) => self.is_local(x) && self.is_local(y),
            _ => false,
        }
    }

    /// What a move must be for the player to win by an end rule.
    fn rule(&self, mover: i32, rule: &End) -> Winning<W> {
        match rule {
            End::If(cond, subs, verdict) => {
                let own = verdict.iter().any(|verdict| may_win(verdict, mover, None));
                let own = if own { Some(vec![Need::any()]) } else { Some(Vec::new()) };
                let within = subs.iter().fold(own, |all, sub| either(all, self.rule(mover, sub)));
                match &within {
                    Some(needs) if needs.is_empty() => within,
                    _ => both(self.needs(cond, None), within),
                }
            }
            End::EachPlayer(cases) => {
                let wins = |case: &&(i32, Cond, Verdict)| may_win(&case.2, mover, Some(case.0));
                let needs =
                    cases.iter().filter(wins).map(|(who, cond, _)| self.needs(cond, Some(*who)));
                needs.fold(Some(Vec::new()), either)
            }
        }
    }

    /// What a move must be for a condition to hold after it.
    fn needs(&self, cond: &Cond, player: Option<i32>) -> Winning<W> {
        match cond {
            Cond::Const(false) => Some(Vec::new()),
            Cond::All(all) => {
                all.iter().fold(None, |needs, cond| both(needs, self.needs(cond, player)))
            }
            Cond::Any(all) => {
                let needs = all.iter().map(|cond| self.needs(cond, player));
                needs.fold(Some(Vec::new()), either)
            }
            Cond::If(_, yes, no) => either(self.needs(yes, player), self.needs(no, player)),
            Cond::Has(Set::Const(goal), Num::LastTo) => {
                Some(vec![Need { ends: self.consts[*goal], ..Need::any() }])
            }
            Cond::Vacant(set) => self.fewer(set, 0, player),
            Cond::Compare(Cmp::Eq, Num::Lowest(set), Num::Const(NOWHERE)) => {
                self.fewer(set, 0, player)
            }
            Cond::Not(inner) => match &**inner {
                Cond::Vacant(set) => self.comes(set),
                _ => None,
            },
            Cond::Compare(cmp, Num::Size(set) | Num::Pieces(set), Num::Const(n)) => match cmp {
                Cmp::Eq | Cmp::Le => self.fewer(set, *n, player),
                Cmp::Lt => self.fewer(set, n - 1, player),
                _ => None,
            },
            Cond::Line(line) => self.completes(line),
            Cond::NoMovesNext => Some(vec![Need { stifles: true, ..Need::any() }]),
            _ => None,
        }
    }

    /// A piece comes to a fixed region.
    fn comes(&self, set: &Set) -> Winning<W> {
        let Set::And(x, y) = set else { return None };
        let region = match (&**x, &**y) {
            (pieces, Set::Const(region)) | (Set::Const(region), pieces) => {
                self.is_of_pieces(pieces).then_some(self.consts[*region])?
            }
            _ => return None,
        };
        let need = Need { ends: region, unless: Some(set.clone()), ..Need::any() };
        self.taking.only_ends.then(|| vec![need])
    }

    fn fewer(&self, of: &Set, left: i32, player: Option<i32>) -> Winning<W> {
        if let Set::If(_, x, y) = of {
            return either(self.fewer(x, left, player), self.fewer(y, left, player));
        }
        let plain = self.is_of_pieces(of);
        let fixed = |set: &Set| matches!(set, Set::Const(_));
        let known = plain
            || matches!(of, Set::And(x, y) if self.is_of_pieces(x) && fixed(y) || fixed(x) && self.is_of_pieces(y));
        let fewer = Fewer { of: of.clone(), left, player, plain };
        known.then(|| vec![Need { fewer: Some(fewer), ..Need::any() }])
    }

    /// Whether a set is that of a piece or of all of an owner.
    fn is_of_pieces(&self, set: &Set) -> bool {
        let Set::Slot(slot) = set else { return false };
        let kinds = self.code.slots.iter().skip(1).map(|&(own, _)| own);
        let owners = self.code.owner_slots.iter().flatten().copied();
        *slot != 0 && kinds.chain(owners).any(|known| known == *slot)
    }

    fn completes(&self, line: &Line) -> Winning<W> {
        let windows = &self.windows[line.windows?];
        let of = line.of.as_ref();
        if line.through != Num::LastTo
            || !self.taking.only_ends
            || of.is_some_and(|set| !self.is_of_pieces(set))
        {
            return None;
        }
        let all: FxHashSet<[u64; W]> = windows.iter().flatten().map(|(sites, _)| sites.0).collect();
        let mut all: Vec<Bits<W>> = all.into_iter().map(Bits).collect();
        all.sort_unstable_by_key(|line| line.0);
        if all.len() > MOST_LINES {
            return None;
        }
        // Of no certain set: of pieces that are alike.
        let mut kinds: Vec<u8> = self.code.slots.iter().skip(1).map(|&(own, _)| own).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let of: Box<[Set]> = match of {
            Some(set) => Box::new([set.clone()]),
            None => kinds.into_iter().map(Set::Slot).collect(),
        };
        let lines = Lines { all: all.into(), of };
        Some(vec![Need { lines: Some(lines), ..Need::any() }])
    }
}

/// Whether a verdict may make the mover win; a rule for each player speaks of one.
fn may_win(verdict: &Verdict, mover: i32, player: Option<i32>) -> bool {
    let known = |who: &Num| match who {
        Num::Const(who) => Some(*who),
        Num::Var(Var::Player) => player,
        _ => None,
    };
    match verdict {
        Verdict::Win(who) => known(who).is_none_or(|who| who == mover),
        Verdict::Loss(who) => known(who).is_none_or(|who| who != mover),
        Verdict::TeamWin(_) | Verdict::Score(..) => true,
        Verdict::Draw | Verdict::DrawOf(_) => false,
    }
}
