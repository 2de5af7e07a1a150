//! Stacks: where their levels are kept, what rules ask of them, and what there is no code for.

use super::Builder;
use super::families::Terms;
use super::sets::EMPTY;
use crate::code::{Act, AtLevel, Code, Cond, Deed, Effect, NOWHERE, Node, Num, Set, Stacks};
use crate::{Built, Refusal};
use ludex_lud::game::Compiled;
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{
    Bool, Channel, Cmp, CountPieces, Int, Moves, MovesKind, Op, PieceRef, Region, Remove, Role,
    Where, Who,
};
use ludex_lud::state::State;
use ludex_lud::topo::SiteType;

/// Moves are written for each of so many levels at most.
const MOST_LEVELS: u8 = 32;

/// The same where they are written for every kind of throw as well: more than these are slower than the general
/// evaluator.
const MOST_LEVELS_THROWN: u8 = 16;

/// What no kernel has where sites hold stacks.
pub(super) fn unfit(game: &Compiled) -> Built<()> {
    if !game.stacking {
        return Ok(());
    }
    let mentions = |is: fn(Part<'_>) -> bool| game.mentions(&mut { is });
    let threats = mentions(|part| matches!(part, Part::Bool(Bool::Threatened(_))));
    let groups =
        mentions(|part| matches!(part, Part::Int(Int::CountGroups(..) | Int::BiggestGroup(_))));
    let within = mentions(|part| matches!(part, Part::Bool(Bool::Within(..))));
    let reasons = [
        (threats, "threats to stacks"),
        (groups, "groups of stacks"),
        (within, "pieces looked for in stacks"),
        (game.meta.no_repeat.is_some(), "stacks that may not come back"),
        (game.sequence_capture, "pieces of stacks that go at the end of the turn"),
        (game.large_pieces, "stacks of tiles"),
    ];
    match reasons.iter().find(|(is, _)| *is) {
        Some((_, reason)) => Err(Refusal::new(*reason)),
        None => Ok(()),
    }
}

/// Gives the levels of stacks their sets.
pub(super) fn assign_levels(game: &Compiled, start: &State, code: &mut Code) -> Built<()> {
    if !game.stacking {
        return Ok(());
    }
    let kind_of = |site: usize| start.layer(game.kind_at(None, site as i32));
    let on = |site: usize| kind_of(site).stacks.get(site).into_iter().flatten();
    let pieces = || (0..code.sites).flat_map(on);
    if pieces().any(|piece| (piece.state, piece.rotation, piece.value) != (0, 0, 0)) {
        return Err(Refusal::new("stacks of pieces with states or values"));
    }
    let lies = |component: &ludex_lud::game::Component| component.faces.is_empty();
    let components = &game.components;
    let first = components.iter().skip(1).position(lies).unwrap_or(0);
    let kinds = components.len() - 1 - first;
    let stacks = Stacks {
        first: code.slot_count as u8,
        bits: (usize::BITS - kinds.leading_zeros()) as u8,
        most: pieces().count().min(usize::from(u8::MAX)) as u8,
        before: first as u8,
    };
    let sets = code.slot_count + stacks.count();
    if !components.iter().skip(1 + first).all(lies) || sets > usize::from(u8::MAX) {
        return Err(Refusal::new("many pieces that may be stacked"));
    }
    code.slot_count = sets;
    code.stacks = Some(stacks);
    Ok(())
}

/// Whether pieces of stacks do no more than move and leave: others might be more than there are levels for.
pub(super) fn only_moved(code: &Code) -> Built<()> {
    if code.stacks.is_none() {
        return Ok(());
    }
    let act = |deed: &Deed| {
        use Act::{Add, Copy, Exchange, Place, Promote, Tile};
        matches!(deed.act, Add(_) | Copy | Exchange | Place(..) | Promote(_) | Tile(..))
    };
    let effect = |effect: &Effect| {
        use Effect::{Add, Asked, Convert, Flip, Promote, SetState, Store, Turn};
        matches!(
            effect,
            Add(..)
                | Asked(_)
                | Convert(..)
                | Flip(_)
                | Promote(..)
                | SetState(..)
                | Store
                | Turn(_)
        )
    };
    match code.deeds.iter().any(act) || code.any_effect(&effect) {
        true => Err(Refusal::new("stacks whose pieces become more or others")),
        false => Ok(()),
    }
}

impl Builder<'_> {
    /// The sites where a piece lies at a level.
    pub(super) fn lying_at(&mut self, what: u16, level: u8) -> Set {
        let stacks = self.code.stacks.unwrap_or_default();
        let number = what.saturating_sub(u16::from(stacks.before));
        let mut set = self.everywhere();
        for bit in 0..stacks.bits {
            let raised = Set::Slot(stacks.set(level.into(), bit));
            let fits = if number >> bit & 1 == 1 { raised } else { self.not(raised) };
            set = self.and(set, fits);
        }
        set
    }

    /// The moves of a player's pieces of a kind at every level: each is a piece of its own, whatever lies on it.
    pub(super) fn pieces_at_levels(
        &mut self,
        levels: u8,
        (what, place): (u16, Set),
        moves: &Moves,
        terms: &Terms,
    ) -> Built<Node> {
        let most = if self.throws.is_empty() { MOST_LEVELS } else { MOST_LEVELS_THROWN };
        if levels > most {
            return self.refuse("moves of pieces at very many levels");
        }
        // High stacks are rare: what is above a level that is a power of two is looked at together.
        let (mut nodes, mut first) = (Vec::new(), 0);
        while first < levels {
            let end = (2 * first).clamp(1, levels);
            let (mut some, mut there) = (Vec::new(), self.nowhere());
            for level in first..end {
                let lying = self.lying_at(what, level);
                let origin = self.and(lying, place.clone());
                (self.origin, self.level) = (Some(origin.clone()), Some(level));
                let node = self.node(moves, terms);
                (self.origin, self.level) = (None, None);
                some.push(node?);
                there = self.or(there, origin);
            }
            let node = self.all_of(some);
            nodes.push(match first {
                0 => node,
                _ => {
                    let any = Box::new(Cond::Not(Box::new(Cond::Vacant(there))));
                    Node::If(any, Box::new(node), Box::new(Node::Nothing))
                }
            });
            first = end;
        }
        Ok(self.all_of(nodes))
    }

    /// The level that a rule names, if it names one.
    pub(super) fn level_meant(&self, level: Option<&Int>) -> Built<Option<u8>> {
        match (level, self.level) {
            (None, _) => Ok(None),
            (Some(Int::Level), Some(level)) => Ok(Some(level)),
            // Where only tops move, that is what moves anyway.
            (Some(Int::Level), None) if self.origin.is_some() => Ok(None),
            _ => self.refuse("a start on a level"),
        }
    }

    /// What lies at a level of a stack that is run through.
    pub(super) fn at_level(&self, channel: Channel, at: &Int, level: &Int) -> Built<Num> {
        let Some((site, what)) = &self.lying else {
            return self.refuse("what lies at a level");
        };
        match (channel, *site == *at && *level == Int::Level) {
            (Channel::What, true) => Ok(Num::Const(i32::from(*what))),
            (Channel::Who, true) => Ok(Num::Const(self.game.owner(*what))),
            _ => self.refuse("what lies at a level"),
        }
    }

    /// How many pieces lie on sites. Those in hands count where sizes of stacks are asked for, or cells.
    pub(super) fn heights(
        &mut self,
        kind: Option<SiteType>,
        region: &Region,
        of_stacks: bool,
    ) -> Built<Num> {
        let default = self.game.topo.default;
        let set = self.region(region)?;
        let occupied = self.not(EMPTY);
        let mut set = self.and(set, occupied);
        match kind {
            None if of_stacks => {}
            None | Some(SiteType::Cell) if default == SiteType::Cell => {}
            Some(SiteType::Cell) => {
                let board = self.on_board(set.clone());
                let others = self.not(board);
                set = self.and(set, others);
            }
            Some(kind) if kind != default => return self.refuse("stacks on another kind of site"),
            None | Some(_) => set = self.on_board(set),
        }
        Ok(Num::Pieces(Box::new(set)))
    }

    /// The sites whose stacks are so high.
    pub(super) fn of_height(&mut self, cmp: Cmp, with: i32) -> Set {
        let stacks = self.code.stacks.unwrap_or_default();
        let mut fitting = self.nowhere();
        let mut higher = self.everywhere();
        // Those of each height are those at least as high without the higher ones.
        for height in 0..=i32::from(stacks.most) {
            let least = higher;
            higher = self.nowhere();
            if height < i32::from(stacks.most) {
                for bit in 0..stacks.bits {
                    higher = self.or(higher, Set::Slot(stacks.set(height as usize, bit)));
                }
            }
            let rest = cmp.holds(height, with);
            let all_above = (height..=i32::from(stacks.most)).all(|above| cmp.holds(above, with));
            if all_above {
                return self.or(fitting, least);
            }
            if rest {
                let lower = self.not(higher.clone());
                let these = self.and(least, lower);
                fitting = self.or(fitting, these);
            }
        }
        fitting
    }

    /// The level on top of a site.
    pub(super) fn top_level(&mut self, kind: Option<SiteType>, at: &Int) -> Built<Num> {
        let height = self.heights(kind, &Region::One(Box::new(at.clone())), true)?;
        let several = Cond::Compare(Cmp::Gt, height.clone(), Num::Const(1));
        let top = Num::Op(Op::Sub, Box::new(height), Box::new(Num::Const(1)));
        Ok(Num::either(several, top, Num::Const(0)))
    }

    /// Where a piece is, on top of others or below them. Of several the rules know which came first.
    pub(super) fn where_in_stacks(&mut self, wanted: &Where) -> Built<Num> {
        self.same_kind(wanted.kind)?;
        let known = match &wanted.piece {
            PieceRef::Index(n) | PieceRef::Named(_, n) => self.fixed_int(n).is_some(),
        };
        if !known || wanted.state.is_some() {
            return self.refuse("a piece that is not known before");
        }
        let what = self.ctx.piece_ref(&wanted.piece);
        let Some(what @ 1..) = self.piece(what) else {
            return Ok(Num::Const(NOWHERE));
        };
        let layers = &self.ctx.s.layers;
        let pieces = layers.iter().flat_map(|layer| layer.stacks.iter().flatten());
        if pieces.filter(|piece| piece.what == u16::from(what)).count() > 1 {
            return self.refuse("one of several pieces looked for in stacks");
        }
        let set = self.on_board(Set::Holding(what));
        Ok(Num::Lowest(Box::new(set)))
    }

    /// The kinds of piece that are counted, one bit each: those of one owner.
    fn kinds_counted(&mut self, count: &CountPieces, who: &Who) -> Built<u64> {
        let players = 1..=self.game.players;
        let owner = match who {
            Who::One(player) => self.fixed_int(player),
            Who::Role(Role::All) => None,
            Who::Role(role) => self.players_as(*role).only(),
        };
        let Some(owner) = owner.filter(|owner| players.contains(owner)) else {
            return self.refuse("pieces of several players counted in stacks");
        };
        let meant = |what: &u16| {
            self.game.owner(*what) == owner
                && count.what.as_ref().is_none_or(|whats| whats.contains(what))
        };
        let kinds = (1..self.game.components.len().min(64) as u16).filter(meant);
        Ok(kinds.fold(0, |all, what| all | 1 << what))
    }

    /// Where pieces are counted.
    fn counted_within(&mut self, count: &CountPieces) -> Built<Set> {
        if count.cond.is_some() {
            return self.refuse("pieces of stacks counted by a condition");
        }
        let mut within = match &count.within {
            Some(region) => self.region(region)?,
            None => self.everywhere(),
        };
        if let Some(kind) = count.kind {
            self.same_kind(kind)?;
            within = self.on_board(within);
        }
        Ok(within)
    }

    /// The owners that a number may mean, each with what a rule is for him.
    fn by_owner(
        &mut self,
        count: &CountPieces,
        of: &mut dyn FnMut(&mut Self, u64) -> Built<Num>,
    ) -> Built<Num> {
        if let Who::One(player) = &count.who
            && self.fixed_int(player).is_none()
        {
            let player = self.num(player)?;
            let mut number = Num::Const(0);
            for owner in (1..=self.game.players).rev() {
                let kinds = self.kinds_counted(count, &Who::One(Int::Const(owner)))?;
                let yes = of(self, kinds)?;
                number = Num::either(Cond::equals(player.clone(), owner), yes, number);
            }
            return Ok(number);
        }
        let kinds = self.kinds_counted(count, &count.who.clone())?;
        of(self, kinds)
    }

    /// How many pieces there are at all levels.
    pub(super) fn count_in_stacks(&mut self, count: &CountPieces) -> Built<Num> {
        let within = self.counted_within(count)?;
        self.by_owner(count, &mut |_, kinds| Ok(Num::Lying(kinds, Box::new(within.clone()))))
    }

    /// Whether there are none at any level.
    pub(super) fn none_in_stacks(&mut self, count: &CountPieces) -> Built<Cond> {
        let within = self.counted_within(count)?;
        let number = self.by_owner(count, &mut |b, kinds| {
            // Mostly one of them lies on top.
            let mut tops = b.nowhere();
            for what in (1..64).filter(|what| kinds >> what & 1 == 1) {
                let slot = b.slot_of(what);
                tops = b.or(tops, slot);
            }
            let tops = Cond::Vacant(b.and(tops, within.clone()));
            let all = Num::Lying(kinds, Box::new(within.clone()));
            Ok(Num::either(tops, all, Num::Const(1)))
        })?;
        Ok(Cond::Compare(Cmp::Eq, number, Num::Const(0)))
    }

    /// What happens to each piece of a stack, from the top.
    pub(super) fn each_level(
        &mut self,
        kind: Option<SiteType>,
        site: &Int,
        inner: &Moves,
    ) -> Built<Effect> {
        if let Some(kind) = kind {
            self.same_kind(kind)?;
        }
        let at = self.num(site)?;
        let mut all = vec![AtLevel::Stays];
        for what in 1..self.game.components.len() as u16 {
            let outer = self.lying.replace((site.clone(), what));
            let one = self.done_at_level(site, inner);
            self.lying = outer;
            all.push(one?);
        }
        Ok(Effect::EachLevel(at, all))
    }

    fn done_at_level(&mut self, site: &Int, inner: &Moves) -> Built<AtLevel> {
        if inner.then.is_some() {
            return self.refuse("what follows for each piece of a stack");
        }
        let here = |level: &Option<Int>| *level == Some(Int::Level);
        match &inner.kind {
            MovesKind::None => Ok(AtLevel::Stays),
            MovesKind::If(cond, yes, no) => match (decided(&self.cond(cond)?), no) {
                (Some(true), _) => self.done_at_level(site, yes),
                (Some(false), Some(no)) => self.done_at_level(site, no),
                (Some(false), None) => Ok(AtLevel::Stays),
                (None, _) => self.refuse("a condition for each piece of a stack"),
            },
            MovesKind::FromTo(f) => {
                let plain = !f.decision
                    && f.from.site == *site
                    && here(&f.from.level)
                    && f.from.region.is_none()
                    && f.from.cond.is_none()
                    && f.to_region.is_none()
                    && f.to_level.is_none()
                    && f.rotations.is_none()
                    && f.effect.is_none()
                    && f.count.is_none()
                    && !f.stack
                    && self.fixed_bool(&f.cond) == Some(true)
                    && self.fixed_bool(&f.copy) == Some(false);
                match plain {
                    true => Ok(AtLevel::Goes(self.num(&f.to)?)),
                    false => self.refuse("pieces of a stack moved in a way of their own"),
                }
            }
            MovesKind::Remove(remove) => {
                let Remove { later, decision, level, at, count, .. } = &**remove;
                let same = matches!(at, Region::One(at) if **at == *site);
                let plain = !later && !decision && here(level) && same;
                match plain && self.fixed_int(count) == Some(1) {
                    true => Ok(AtLevel::Leaves),
                    false => self.refuse("pieces of a stack taken in a way of their own"),
                }
            }
            other => self.refuse(format!("{} for each piece of a stack", super::nums::name(other))),
        }
    }
}

/// Whether a condition holds, where it is made of fixed numbers.
fn decided(cond: &Cond) -> Option<bool> {
    match cond {
        Cond::Const(value) => Some(*value),
        Cond::Not(inner) => decided(inner).map(|holds| !holds),
        Cond::All(all) => all.iter().try_fold(true, |holds, cond| Some(holds & decided(cond)?)),
        Cond::Any(all) => all.iter().try_fold(false, |holds, cond| Some(holds | decided(cond)?)),
        Cond::Compare(cmp, Num::Const(a), Num::Const(b)) => Some(cmp.holds(*a, *b)),
        _ => None,
    }
}
