//! Effects of moves.

use super::Builder;
use crate::lud::ir::{Int, Moves, MovesKind, Region, Who};
use crate::lud::kernel::Built;
use crate::lud::kernel::code::{Effect, Num, Var};

impl Builder<'_> {
    /// The number of the effect that a consequence of the game is for the mover.
    pub(super) fn consequence(&mut self, number: u32) -> Built<usize> {
        let known = |&&(mover, n, _): &&(i32, u32, usize)| mover == self.actor && n == number;
        if let Some(&(_, _, at)) = self.written.iter().find(known) {
            return Ok(at);
        }
        let saved = (self.bound, self.choosing, self.from_what, self.last_what, self.origin.take());
        (self.bound, self.choosing) = (super::Bound::default(), false);
        (self.from_what, self.last_what) = (None, None);
        let kept = (self.mover, self.jumps, self.threat, self.merged, self.prev);
        self.be(self.actor);
        (self.jumps, self.threat, self.merged, self.prev) = (false, false, false, None);
        let game = self.game;
        let effect = self.effect(&game.consequences[number as usize]);
        (self.bound, self.choosing, self.from_what, self.last_what, self.origin) = saved;
        self.be(kept.0);
        (_, self.jumps, self.threat, self.merged, self.prev) = kept;
        self.code.effects.push(effect?);
        let at = self.code.effects.len() - 1;
        self.written.push((self.actor, number, at));
        Ok(at)
    }

    /// The code of an effect.
    pub(super) fn effect(&mut self, moves: &Moves) -> Built<Effect> {
        let effect = self.effect_kind(&moves.kind)?;
        match moves.then {
            None => Ok(effect),
            Some(_) => self.refuse("an effect that others follow"),
        }
    }

    fn effect_kind(&mut self, kind: &MovesKind) -> Built<Effect> {
        use MovesKind as K;
        Ok(match kind {
            K::None => Effect::Nothing,
            K::All(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    match self.effect(part)? {
                        Effect::Nothing => {}
                        part => all.push(part),
                    }
                }
                match all.len() {
                    0 => Effect::Nothing,
                    1 => all.remove(0),
                    _ => Effect::All(all),
                }
            }
            K::If(cond, yes, no) => {
                let cond = self.cond(cond)?;
                let yes = Box::new(self.effect(yes)?);
                let no = match no {
                    Some(no) => self.effect(no)?,
                    None => Effect::Nothing,
                };
                Effect::If(cond, yes, Box::new(no))
            }
            K::Remove(remove) => {
                if remove.later || remove.level.is_some() || remove.decision {
                    return self.refuse("taking in a way of its own");
                }
                if let Some(kind) = remove.kind {
                    self.same_kind(kind)?;
                }
                Effect::Remove(self.region(&remove.at)?)
            }
            K::Add(add) => {
                let plain = add.state.is_none()
                    && add.level.is_none()
                    && add.effect.is_none()
                    && add.cond.is_none()
                    && add.region.is_none()
                    && !add.decision
                    && self.fixed_int(&add.count) == Some(1);
                let (Some(site), [what], true) = (&add.site, add.what.as_slice(), plain) else {
                    return self.refuse("placing in a way of its own");
                };
                self.same_kind(add.kind)?;
                Effect::Add(self.num(what)?, self.num(site)?)
            }
            K::MoveAgain => Effect::Again,
            K::SetCounter(value) => Effect::SetCounter(self.num(value)?),
            K::AddScore(who, scores) => {
                let mut all = Vec::new();
                for (who, score) in who.iter().zip(scores) {
                    let Who::One(player) = who else {
                        return self.refuse("scores of several players");
                    };
                    all.push(Effect::AddScore(self.num(player)?, self.num(score)?));
                }
                Effect::All(all)
            }
            K::SetScore(Who::One(player), score) => {
                Effect::SetScore(self.num(player)?, self.num(score)?)
            }
            K::SetState(set) if set.level.is_none() => {
                if let Some(kind) = set.kind {
                    self.same_kind(kind)?;
                }
                Effect::SetState(self.num(&set.at)?, self.num(&set.value)?)
            }
            K::SetPending(None) => Effect::SetPending(Num::Const(1)),
            K::SetPending(Some(region)) => match &**region {
                Region::One(site) => Effect::SetPending(self.num(site)?),
                _ => return self.refuse("several pending sites"),
            },
            K::Promote(promote) if !promote.decision => {
                use crate::lud::ir::Into_;
                let what = match &promote.into {
                    Into_::Pieces(pieces) => match pieces.as_slice() {
                        [one] => self.num(one)?,
                        _ => return self.refuse("a promotion into one of several"),
                    },
                    Into_::Named(names, owner) => match names.as_slice() {
                        [one] => {
                            let owner = Box::new(owner.clone());
                            self.num(&Int::PieceOf(one.clone(), owner))?
                        }
                        _ => return self.refuse("a promotion into one of several"),
                    },
                };
                Effect::Promote(self.num(&promote.at)?, what)
            }
            K::ForEachSite(region, inner, None) => {
                let region = self.region(region)?;
                let saved = self.bound;
                self.bound = saved.with(Var::Site).with(Var::To);
                let inner = self.effect(inner);
                self.bound = saved;
                Effect::EachSite(region, Box::new(inner?))
            }
            K::Custodial(custodial) => self.custodial(custodial)?,
            K::Surround(surround) => self.surround(surround)?,
            other => return self.refuse(format!("the effect {}", super::nums::name(other))),
        })
    }
}
