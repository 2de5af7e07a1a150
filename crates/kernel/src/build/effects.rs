//! Effects of moves.

use super::Builder;
use crate::Built;
use crate::code::visit::Term;
use crate::code::{Cond, Effect, Noted, Num, Set, Var};
use ludex_lud::ir::{Int, Ints, Moves, MovesKind, Region, Who};

impl Builder<'_> {
    /// The number of the effect that a consequence of the game is for the mover.
    pub(super) fn consequence(&mut self, number: u32) -> Built<usize> {
        self.after_dice(|b| b.consequence_written(number))
    }

    fn consequence_written(&mut self, number: u32) -> Built<usize> {
        let key = (self.actor, number, self.throw);
        if let Some(&(_, at)) = self.written.iter().find(|(known, _)| *known == key) {
            return Ok(at);
        }
        if self.writing.contains(&(self.actor, number)) {
            return self.refuse("a consequence that asks for moves it follows itself");
        }
        self.writing.push((self.actor, number));
        let saved = (self.bound, self.choosing, self.from_what, self.last_what, self.origin.take());
        (self.bound, self.choosing) = (super::Bound::default(), false);
        (self.from_what, self.last_what) = (None, None);
        let kept = (self.mover, self.jumps, self.threat, self.merged, self.prev);
        self.write_for(self.actor);
        (self.jumps, self.threat, self.merged, self.prev) = (false, false, false, None);
        let asked = std::mem::take(&mut self.asked);
        let game = self.game;
        let effect = self.following(&game.consequences[number as usize]);
        (self.bound, self.choosing, self.from_what, self.last_what, self.origin) = saved;
        self.write_for(kept.0);
        self.writing.pop();
        (_, self.jumps, self.threat, self.merged, self.prev) = kept;
        let asks = std::mem::replace(&mut self.asked, asked);
        self.code.effects.push(effect?);
        self.code.asked.push(asks);
        let at = self.code.effects.len() - 1;
        self.written.push((key, at));
        Ok(at)
    }

    /// The code of all that follows a move, or of a choice of it.
    fn following(&mut self, moves: &Moves) -> Built<Effect> {
        let refusal = match self.effect(moves) {
            Err(refusal) if self.asks => refusal,
            done => return done,
        };
        if let (MovesKind::If(cond, yes, no), None) = (&moves.kind, moves.then)
            && let Ok(cond) = self.cond(cond)
        {
            let yes = Box::new(self.following(yes)?);
            let no = match no {
                Some(no) => self.following(no)?,
                None => Effect::Nothing,
            };
            return Ok(Effect::If(cond, yes, Box::new(no)));
        }
        self.ask_effect(moves).ok_or(refusal)
    }

    /// The code of an effect.
    pub(super) fn effect(&mut self, moves: &Moves) -> Built<Effect> {
        let effect = self.effect_kind(&moves.kind)?;
        let Some(then) = moves.then else {
            return Ok(effect);
        };
        let single = match &effect {
            Effect::Remove(set) => matches!(set, Set::One(_)),
            Effect::Add(..) | Effect::Promote(..) | Effect::SetState(..) => true,
            _ => false,
        };
        if !single {
            return self.refuse("an effect of several changes that others follow");
        }
        let then = self.consequence(then)?;
        match self.code.asked[then] {
            0 => Ok(Effect::Followed(Box::new(effect), then)),
            _ => self.refuse("questions about earlier positions by what follows an effect"),
        }
    }

    fn take_control(&mut self, take: &ludex_lud::ir::TakeControl) -> Built<Effect> {
        if let Some(kind) = take.kind {
            self.same_kind(kind)?;
        }
        let Some(by) = self.fixed_int(&take.by) else {
            return self.refuse("control taken by a player who is not known before");
        };
        let mut set = self.owned(&take.of)?;
        if let Some(at) = &take.at {
            let at = self.region(at)?;
            set = self.and(at, set);
        }
        let bare = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let all = &self.game.components;
        let new = |component: &ludex_lud::game::Component| {
            let same = |c: &ludex_lud::game::Component| {
                c.owner == by && !c.name.is_empty() && bare(&c.name) == bare(&component.name)
            };
            all.iter().position(same).unwrap_or(0) as u8
        };
        Ok(Effect::Convert(set, all.iter().map(new).collect()))
    }

    fn carry_effect(&mut self, f: &ludex_lud::ir::FromTo) -> Built<Effect> {
        let plain = f.from.region.is_none()
            && f.to_region.is_none()
            && f.from.level.is_none()
            && f.from.cond.is_none()
            && f.to_level.is_none()
            && f.rotations.is_none()
            && f.effect.is_none()
            && f.count.is_none()
            && !f.stack
            && self.fixed_bool(&f.cond) == Some(true)
            && self.fixed_bool(&f.copy) == Some(false);
        // A hand takes in what comes to it; on the board pieces might pile up.
        self.crowded |= !matches!(f.to, Int::HandSite(..));
        match plain {
            true => Ok(Effect::Move(self.num(&f.from.site)?, self.num(&f.to)?)),
            false => self.refuse("pieces moved by an effect of its own kind"),
        }
    }

    /// Whether maps give every piece a place in a hand, but for pieces that are never taken, and every place
    /// one kind of piece.
    fn sorts_into_hands(&mut self, pieces: &Option<Box<str>>, places: &Option<Box<str>>) -> bool {
        let board = self.code.board as i32;
        let mut kinds: Vec<(i32, i32)> = Vec::new();
        let mut elsewhere = Vec::new();
        for what in 1..self.game.components.len() as i32 {
            let (piece, place) = (self.mapped(pieces, what), self.mapped(places, what));
            if piece < 1 && place < 0 {
                continue;
            }
            if place < board {
                elsewhere.push(what as u16);
                continue;
            }
            let other = kinds.iter().any(|&(at, kind)| at == place && kind != piece);
            if place >= self.code.sites as i32 || other {
                return false;
            }
            kinds.push((place, piece));
        }
        self.untaken.extend(elsewhere);
        self.untaken.sort_unstable();
        self.untaken.dedup();
        // Nothing else may be there from the start.
        kinds.iter().all(|&(place, piece)| {
            let kind = self.game.kind_at(None, place);
            let there = self.ctx.what(kind, place);
            there == 0 || there == piece
        })
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
                    _ if are_independent(&all) => Effect::InTurn(all),
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
                if remove.later && self.fixed_int(&remove.count) == Some(1) {
                    let (Some(slot), Region::One(site)) = (self.code.doomed, &remove.at) else {
                        return self.refuse("several pieces taken at the end of the turn");
                    };
                    return Ok(Effect::Remember(slot, self.num(site)?));
                }
                // Whoever takes several of a pile may leave some.
                let some =
                    self.asks && self.game.counts && self.fixed_int(&remove.count) != Some(1);
                if remove.later || remove.level.is_some() || remove.decision || some {
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
                    && add.with.is_none()
                    && add.cond.is_none()
                    && add.region.is_none()
                    && !add.decision
                    && self.fixed_int(&add.count) == Some(1);
                let (Some(site), [what], true) = (&add.site, add.what.as_slice(), plain) else {
                    return self.refuse("placing in a way of its own");
                };
                let to_hand = match (what, site) {
                    (_, Int::HandSite(..)) => true,
                    (Int::MapEntry(pieces, what, _), Int::MapEntry(places, place, _)) => {
                        same_key(what, place) && self.sorts_into_hands(pieces, places)
                    }
                    _ => false,
                };
                if !to_hand {
                    self.same_kind(add.kind)?;
                }
                self.crowded |= !to_hand;
                Effect::Add(self.num(what)?, self.num(site)?)
            }
            K::MoveAgain => Effect::Again,
            K::SetNextPlayer { who: Ints::List(list), decision: false } if list.len() == 1 => {
                Effect::Next(self.num(&list[0])?)
            }
            K::SwapPlayers(a, b, _) if self.game.players == 2 => {
                let mut both = [self.fixed_int(a), self.fixed_int(b)];
                both.sort_unstable();
                if both != [Some(1), Some(2)] {
                    return self.refuse("seats that are not known before");
                }
                Effect::Seats
            }
            K::RememberState => {
                self.code.stores = true;
                Effect::Store
            }
            K::Flip(kind, site) => {
                if let Some(kind) = kind {
                    self.same_kind(*kind)?;
                }
                Effect::Flip(self.num(site)?)
            }
            K::Message { vote, texts, decision: false } => match (texts.as_slice(), vote) {
                ([text], true) => Effect::Vote(self.message(*text)?),
                ([text], false) => Effect::Propose(self.message(*text)?),
                _ => return self.refuse("several messages at once"),
            },
            K::Do(wanted) => self.done_first(wanted)?,
            K::Directional(wanted) => self.directional(wanted)?,
            K::Intervene(wanted) => self.intervene(wanted)?,
            K::Trigger(_, player) => Effect::Trigger(self.num(player)?),
            K::SetVar(index, value) => {
                Effect::SetNote(self.note(Noted::Var(*index))?, self.num(value)?)
            }
            K::SetPlayerValue(Who::One(player), value) => {
                let player = self.num(player)?;
                let places = self.values_of(player)?;
                let value = self.num(value)?;
                let mut effect = Effect::Nothing;
                for (is, place) in places.into_iter().rev() {
                    let set = Effect::SetNote(place, value.clone());
                    effect = match is {
                        Cond::Const(true) => set,
                        is => Effect::If(is, Box::new(set), Box::new(effect)),
                    };
                }
                effect
            }
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
                Region::One(site) if self.code.pending.is_none() || names_site(site) => {
                    Effect::SetPending(self.num(site)?)
                }
                Region::One(_) => return self.refuse("pending values that are no sites"),
                several => {
                    let site = Effect::SetPending(Num::Var(Var::Site));
                    Effect::EachSite(self.region(several)?, Box::new(site))
                }
            },
            K::Promote(promote) => {
                use ludex_lud::ir::Into_;
                let what = match &promote.into {
                    Into_::Pieces(pieces) => match pieces.as_slice() {
                        [one] => self.num(one)?,
                        _ => return self.refuse("a promotion into one of several"),
                    },
                    Into_::Alike(..) => {
                        return self.refuse("a promotion into a piece like another");
                    }
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
            K::TakeControl(take) => self.take_control(take)?,
            K::Remember(name, value, unique) => {
                // Where rules ask only whether a value is there, once is as good as often.
                self.repeats_values |= self.fixed_bool(unique) != Some(true);
                let slot = self.remembered(name.as_deref());
                Effect::Remember(slot, self.num(value)?)
            }
            K::Forget(name, None) => {
                let slot = name.as_deref().map(|name| self.remembered(Some(name)));
                Effect::Forget(slot)
            }
            K::FromTo(carried) if !carried.decision => self.carry_effect(carried)?,
            K::ForEachSite(region, inner, None) => {
                let region = self.region(region)?;
                let saved = self.bound;
                self.bound = saved.with(Var::Site).with(Var::To);
                let inner = self.effect(inner);
                self.bound = saved;
                Effect::EachSite(region, Box::new(inner?))
            }
            K::ForEachLevel(kind, site, false, inner) => self.each_level(*kind, site, inner)?,
            K::Slide(slide) => self.slide_effect(slide)?,
            K::Custodial(custodial) => self.custodial(custodial)?,
            K::Surround(surround) => self.surround(surround)?,
            other => return self.refuse(format!("the effect {}", super::nums::name(other))),
        })
    }
}

/// Whether a number is meant as a site.
fn names_site(n: &Int) -> bool {
    matches!(
        n,
        Int::Const(_)
            | Int::From
            | Int::To
            | Int::Between
            | Int::Site
            | Int::LastFrom { .. }
            | Int::LastTo { .. }
            | Int::Ahead(..)
            | Int::RegionSite(..)
    )
}

/// Whether two numbers are the piece on the same site.
fn same_key(a: &Int, b: &Int) -> bool {
    matches!(a, Int::At(ludex_lud::ir::Channel::What, ..)) && a == b
}

/// A number that an effect changes.
#[derive(Clone, Copy)]
enum Kept {
    Score,
    Counter,
    Event,
    Note,
}

/// Whether several effects change only numbers that none of them looks at.
fn are_independent(all: &[Effect]) -> bool {
    let changes = |effect: &Effect| match effect {
        Effect::SetScore(..) => Some(Kept::Score),
        Effect::SetCounter(_) => Some(Kept::Counter),
        Effect::Trigger(_) => Some(Kept::Event),
        Effect::SetNote(..) => Some(Kept::Note),
        _ => None,
    };
    let unseen = |kept: Kept| !all.iter().any(|effect| looks_at(effect, kept));
    all.iter().all(|effect| changes(effect).is_some_and(unseen))
}

/// Whether an effect depends on a number.
fn looks_at(effect: &Effect, kept: Kept) -> bool {
    Term::Effect(effect).any(&mut |term| match kept {
        Kept::Score => matches!(term, Term::Num(Num::Score(_))),
        Kept::Counter => matches!(term, Term::Num(Num::Counter)),
        Kept::Event => matches!(term, Term::Cond(Cond::Triggered(_))),
        Kept::Note => matches!(term, Term::Num(Num::Note(_))),
    })
}
