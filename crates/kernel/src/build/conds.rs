//! Conditions.

use super::Builder;
use crate::Built;
use crate::code::{Cond, Num, Set, Var};
use ludex_lud::ir::{Bool, Cmp, Int, Ints, Who};

impl Builder<'_> {
    /// The code of a condition.
    pub(super) fn cond(&mut self, cond: &Bool) -> Built<Cond> {
        self.cond_by_code(cond).or_else(|refusal| self.ask_cond(cond).ok_or(refusal))
    }

    fn cond_by_code(&mut self, cond: &Bool) -> Built<Cond> {
        if let Some(value) = self.fixed_bool(cond) {
            return Ok(Cond::Const(value));
        }
        // What depends on the site asked for alone is a set.
        if let Some(var) = self.each_site
            && let Some(set) = self.fixed_sites(cond, var)
        {
            let set = self.fixed(set);
            return Ok(Cond::Has(set, Num::Var(var)));
        }
        if let Some(values) = self.by_throw(|b| b.fixed_bool(cond)) {
            return Ok(self.cond_of_throw(values));
        }
        Ok(match cond {
            Bool::Not(inner) => match self.cond(inner)? {
                Cond::Not(inner) => *inner,
                Cond::Const(value) => Cond::Const(!value),
                inner => Cond::Not(Box::new(inner)),
            },
            Bool::And(all) => {
                let mut all = self.conds(all)?;
                all.retain(|cond| *cond != Cond::Const(true));
                match all.contains(&Cond::Const(false)) {
                    true => Cond::Const(false),
                    false if all.is_empty() => Cond::Const(true),
                    false => one_or_all(all),
                }
            }
            Bool::Or(all) => {
                let mut all = self.conds(all)?;
                all.retain(|cond| *cond != Cond::Const(false));
                match all.contains(&Cond::Const(true)) {
                    true => Cond::Const(true),
                    false if all.is_empty() => Cond::Const(false),
                    false if all.len() == 1 => all.remove(0),
                    false => Cond::Any(all),
                }
            }
            Bool::Xor(a, b) => {
                let (a, b) = (self.cond(a)?, self.cond(b)?);
                let not = Cond::Not(Box::new(b.clone()));
                Cond::If(Box::new(a), Box::new(not), Box::new(b))
            }
            Bool::If(test, yes, no) => {
                let test = Box::new(self.cond(test)?);
                Cond::If(test, Box::new(self.cond(yes)?), Box::new(self.cond(no)?))
            }
            Bool::Compare(cmp, a, b) => self.compare(*cmp, a, b)?,
            Bool::SameRegion(a, b) => Cond::Same(self.region(a)?, self.region(b)?),
            Bool::Empty(kind, site) => {
                self.same_kind(*kind)?;
                Cond::Has(super::sets::EMPTY, self.num(site)?)
            }
            Bool::Occupied(kind, site) => {
                self.same_kind(*kind)?;
                let occupied = self.not(super::sets::EMPTY);
                Cond::Has(occupied, self.num(site)?)
            }
            Bool::In(sites, region) => {
                let region = self.region(region)?;
                let mut all = Vec::new();
                for site in sites {
                    all.push(Cond::Has(region.clone(), self.num(site)?));
                }
                one_or_all(all)
            }
            Bool::Enemy(player) => {
                let (player, allies) = (self.num(player)?, self.allies(self.mover));
                Cond::All(vec![
                    Cond::Compare(Cmp::Ne, player.clone(), Num::Const(0)),
                    allies.without(&player),
                ])
            }
            Bool::Friend(player) => {
                let (player, allies) = (self.num(player)?, self.allies(self.mover));
                allies.with(&player)
            }
            Bool::IsMover(player) => {
                let player = self.num(player)?;
                Cond::Compare(Cmp::Eq, player, Num::Const(self.mover))
            }
            Bool::IsNext(player) => Cond::Compare(Cmp::Eq, self.num(player)?, Num::Next),
            Bool::IsPrev(player) => {
                let (player, prev) = (self.num(player)?, self.num(&Int::Prev)?);
                match (&player, &prev) {
                    (Num::Const(a), Num::Const(b)) => Cond::Const(a == b),
                    _ => Cond::Compare(Cmp::Eq, player, prev),
                }
            }
            Bool::Threatened(_) if self.threat => Cond::Const(false),
            Bool::Threatened(threat) => self.threatened(threat)?,
            Bool::Pending => Cond::Pending,
            Bool::Full => {
                let free = self.on_board(super::sets::EMPTY);
                Cond::Vacant(free)
            }
            Bool::Visited(site) => match self.code.visited {
                Some(slot) => Cond::Has(Set::Slot(slot), self.num(site)?),
                None => Cond::Const(false),
            },
            Bool::InInts(values, ints) => {
                let Ints::Remembered(name) = &**ints else {
                    return self.refuse("a list of numbers that changes");
                };
                let slot = self.remembered(name.as_deref());
                let mut all = Vec::new();
                for value in values {
                    all.push(Cond::Has(Set::Slot(slot), self.num(value)?));
                }
                one_or_all(all)
            }
            Bool::Odd(n) => Cond::Odd(self.num(n)?),
            Bool::Line(line) => self.line(line)?,
            Bool::NoMoves(Who::One(Int::Next)) => {
                self.asks_next = true;
                self.next_stuck()?
            }
            Bool::NoMoves(Who::One(player)) => {
                self.code.asks_stuck = true;
                Cond::Stuck(self.num(player)?)
            }
            Bool::Proposed(text) => Cond::Proposed(self.message(*text)?),
            Bool::Decided(text) => Cond::Decided(self.message(*text)?),
            Bool::Triggered(_, player) => Cond::Triggered(self.num(player)?),
            Bool::CanMove(moves) => self.can_move(moves)?,
            Bool::NoPieces(count) if self.game.stacking => self.none_in_stacks(count)?,
            Bool::NoPieces(count) => Cond::Vacant(self.counted(count)?),
            Bool::AllSites(region, cond) => self.all_sites(region, cond)?,
            Bool::AllPassed => Cond::AllPassed,
            Bool::WasPass => Cond::WasPass,
            Bool::Within(what, kind, region) => {
                if let Some(kind) = kind {
                    self.same_kind(*kind)?;
                }
                let Some(what) = self.fixed_int(what) else {
                    return self.refuse("a piece that is not known before");
                };
                let region = self.region(region)?;
                let piece = match u16::try_from(what) {
                    Ok(what) => self.slot_of(what),
                    Err(_) => self.nowhere(),
                };
                let both = self.and(piece, region);
                Cond::Not(Box::new(Cond::Vacant(both)))
            }
            Bool::Related(relation, kind, site, region) => {
                self.same_kind(*kind)?;
                let near = self.neighbours(ludex_lud::topo::Dir::of(*relation))?;
                let region = self.region(region)?;
                Cond::Has(Set::Image(near, Box::new(region)), self.num(site)?)
            }
            other => return self.refuse(format!("the condition {}", super::nums::name(other))),
        })
    }

    fn conds(&mut self, all: &[Bool]) -> Built<Vec<Cond>> {
        all.iter().map(|cond| self.cond(cond)).collect()
    }

    fn can_move(&mut self, moves: &ludex_lud::ir::Moves) -> Built<Cond> {
        if self.code.visited.is_some() && self.choosing {
            return self.refuse("a question for moves while sites are visited");
        }
        let asking = std::mem::replace(&mut self.asking, true);
        // Asked of one start after the other, the moves are those of that start.
        let origin = self.origin.clone();
        if origin.is_some() && self.each_site == Some(Var::From) {
            self.origin = Some(Set::One(Num::Var(Var::From)));
        }
        let node = self.node(moves, &super::families::Terms::default());
        (self.asking, self.origin) = (asking, origin);
        self.can(node?)
    }
}

fn one_or_all(mut all: Vec<Cond>) -> Cond {
    match all.len() {
        1 => all.remove(0),
        _ => Cond::All(all),
    }
}
