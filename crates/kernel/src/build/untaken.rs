//! Pieces that are never taken, because nobody may leave his own where it could be.

use super::Builder;
use crate::code::visit::Term;
use crate::code::{Act, Cond, Deed, Effect, End, Node, Num, Set};
use ludex_lud::ir::Cmp;

impl Builder<'_> {
    /// Whether a piece that rules would put where the kernel has no room is never taken: its owner may not
    /// make a move after which an enemy could take it, nobody has two such moves in a row, and nobody is
    /// ever without a move.
    pub(super) fn is_never_taken(&mut self, what: u16) -> bool {
        let owner = self.game.owner(what);
        self.game.players == 2
            && (1..=2).contains(&owner)
            && !self.code.swap
            && !self.code.any_effect(&|effect| matches!(effect, Effect::Asked(_)))
            && self.is_single(what)
            && self.is_safe_at_start(what)
            && self.code.sides.iter().all(|side| {
                let stuck = |end: &End| {
                    matches!(end, End::If(Cond::NoMovesNext, subs, Some(_)) if subs.is_empty())
                };
                side.game_end.iter().any(stuck)
            })
            && (1..=2).all(|mover| self.plans_keep_safe(mover, (mover == owner).then_some(what)))
            && self.is_seen_as_any(owner)
    }

    /// There is one of it, and no other ever becomes one.
    fn is_single(&self, what: u16) -> bool {
        let makes = |act: Act| matches!(act, Act::Add(into) if u16::from(into) == what);
        let kind = self.game.topo.default;
        let sites = 0..self.code.board as i32;
        sites.filter(|&site| self.ctx.what(kind, site) == i32::from(what)).count() == 1
            && !self.code.deeds.iter().any(|deed| makes(deed.act))
            && self.code.deeds.iter().all(|deed| match deed.act {
                Act::Promote(into) => u16::from(into) != what || self.promotes_itself(what),
                _ => true,
            })
            && !self.code.any_effect(&|effect| match effect {
                Effect::Convert(_, into) => into.iter().any(|&into| u16::from(into) == what),
                Effect::Promote(_, Num::Const(into)) => *into == i32::from(what),
                Effect::Promote(..) | Effect::Turn(_) => true,
                _ => false,
            })
    }

    /// No map makes another piece this one.
    fn promotes_itself(&self, what: u16) -> bool {
        let maps = self.game.maps.iter().flat_map(|map| &map.pairs);
        maps.into_iter().all(|&(key, into)| into != i32::from(what) || key == into)
    }

    fn is_safe_at_start(&mut self, what: u16) -> bool {
        let kind = self.game.topo.default;
        let mut start = self.ctx.clone();
        (start.s.mover, start.s.next) = (1, 2);
        let moves = start.legal_moves();
        moves.iter().all(|mv| mv.to < 0 || start.what(kind, mv.to) != i32::from(what))
    }

    /// Whether a player's moves leave his piece safe, but for those that follow a safe one in the same turn
    /// and move nothing.
    fn plans_keep_safe(&self, mover: i32, own: Option<u16>) -> bool {
        let plans = &self.code.sides[mover as usize - 1].plans;
        plans.iter().all(|plan| self.keeps_safe(&plan.node, mover, own, false))
    }

    fn keeps_safe(&self, node: &Node, mover: i32, own: Option<u16>, same_turn: bool) -> bool {
        match node {
            Node::Nothing => true,
            Node::All(all) | Node::First(all) | Node::Switch(_, all) => {
                all.iter().all(|node| self.keeps_safe(node, mover, own, same_turn))
            }
            Node::If(cond, yes, no) => {
                let again = **cond == Cond::Compare(Cmp::Eq, Num::Const(mover), Num::Prev);
                self.keeps_safe(yes, mover, own, same_turn || again)
                    && self.keeps_safe(no, mover, own, same_turn)
            }
            Node::Leaf(leaf) => {
                let leaf = &self.code.leaves[*leaf];
                leaf.families.iter().all(|family| {
                    let deed = &self.code.deeds[family.deed as usize];
                    let (from, to) =
                        (&leaf.operands[family.from as usize], &leaf.operands[family.to as usize]);
                    match (same_turn, deed.act) {
                        (true, Act::Pass) => true,
                        (true, Act::Promote(into)) => self.stays_whose(to, into, mover),
                        (false, Act::Move) => {
                            self.are_own(from, mover)
                                && own.is_none_or(|what| self.is_guarded(deed, what))
                        }
                        _ => false,
                    }
                })
            }
        }
    }

    /// Whether a promotion leaves a player's pieces his own; what moved before in the same turn is his.
    fn stays_whose(&self, at: &Set, into: u8, mover: i32) -> bool {
        let Set::And(_, kind) = at else {
            return false;
        };
        self.game.owner(u16::from(into)) == mover || !self.are_own(kind, mover)
    }

    /// Whether only a player's pieces stand on the sites of a set.
    fn are_own(&self, set: &Set, mover: i32) -> bool {
        match set {
            Set::Slot(slot) => {
                let pieces = self.code.slots.iter().zip(&self.code.owners).skip(1);
                let mut here = pieces.filter(|(slots, _)| slots.0 == *slot || slots.1 == *slot);
                *slot != 0 && here.all(|(_, owner)| i32::from(*owner) == mover)
            }
            Set::Const(n) => self.code.consts[*n].is_empty(),
            Set::And(a, b) => self.are_own(a, mover) || self.are_own(b, mover),
            Set::Or(a, b) | Set::If(_, a, b) => self.are_own(a, mover) && self.are_own(b, mover),
            Set::Where(inner, ..) => self.are_own(inner, mover),
            _ => false,
        }
    }

    /// Whether a move is legal only if a piece is safe afterwards.
    fn is_guarded(&self, deed: &Deed, what: u16) -> bool {
        deed.after.iter().any(|(cond, follow)| {
            *follow == deed.then.len()
                && match cond {
                    Cond::All(all) => all.iter().any(|cond| self.is_safety(cond, what)),
                    cond => self.is_safety(cond, what),
                }
        })
    }

    fn is_safety(&self, cond: &Cond, what: u16) -> bool {
        let Cond::Not(inner) = cond else {
            return false;
        };
        let Cond::Threatened(threat) = &**inner else {
            return false;
        };
        let slot = self.code.slots[what as usize].0;
        let stands = match &threat.at {
            Set::One(Num::Lowest(set)) => match &**set {
                Set::Slot(own) => *own == slot,
                Set::And(a, b) => {
                    matches!((&**a, &**b), (Set::Slot(own), Set::Const(_)) if *own == slot)
                }
                _ => false,
            },
            _ => false,
        };
        stands && threat.what == Num::Const(i32::from(what))
    }

    /// Whether enemies' moves see the pieces of a player only as his, whatever their kind, so that a
    /// promotion changes nothing for them.
    fn is_seen_as_any(&self, owner: i32) -> bool {
        let looks = |slot: u8| {
            let mut sets = self.threat_sets(owner).into_iter().flatten();
            sets.any(|sites| {
                Term::Set(sites)
                    .any(&mut |term| matches!(term, Term::Set(Set::Slot(at)) if *at == slot))
            })
        };
        let kinds = self.code.slots.iter().zip(&self.code.owners).skip(1);
        kinds
            .filter(|(slots, of)| i32::from(**of) == owner && slots.0 != slots.1)
            .all(|(slots, _)| !looks(slots.0))
    }

    fn threat_sets(&self, owner: i32) -> Vec<&Vec<Set>> {
        fn leaves(node: &Node, out: &mut Vec<usize>) {
            match node {
                Node::Nothing => {}
                Node::Leaf(leaf) => out.push(*leaf),
                Node::All(all) | Node::First(all) | Node::Switch(_, all) => {
                    all.iter().for_each(|n| leaves(n, out));
                }
                Node::If(_, yes, no) => {
                    leaves(yes, out);
                    leaves(no, out);
                }
            }
        }
        let mut all = Vec::new();
        for threats in &self.code.threats {
            threats[owner as usize - 1].iter().for_each(|node| leaves(node, &mut all));
        }
        all.into_iter().map(|leaf| &self.code.leaves[leaf].operands).collect()
    }
}
