//! Lowering of effects: captures, sowing, setting and remembering.

use super::moves::Uses;
use super::names::Naming;
use super::{Args, Lower, Lowered};
use crate::ir::{
    Bool, Custodial, Deal, Dealt, Directional, Directions, Enclose, Int, Into_, Ints, MovesKind,
    Note, NoteText, Promote, Range, Region, Remove, SetHidden, SetRotation, SetSite, Sow, Surround,
    TakeControl, Who,
};
use crate::moves::default_capture;
use crate::topo::Dir;

/// An effect on what lies around starts at one site.
const ONE_SITE: Uses = Uses { read: &[], idle: &["level", "if"] };

/// What is flanked: how long, what, and what happens to it.
const FLANKED: Uses =
    Uses { read: &["range", "if", "effect"], idle: &["before", "after", "trail"] };

/// What is enclosed may be anywhere.
const ENCLOSED: Uses =
    Uses { read: &["if", "effect"], idle: &["before", "range", "after", "trail"] };

/// How many pieces a capture by intervention goes over.
const HOW_MANY: Uses =
    Uses { read: &["range"], idle: &["before", "after", "if", "trail", "effect"] };

/// The far side is found, not said: only what must stand there.
const FRIEND: Uses =
    Uses { read: &["if"], idle: &["region", "loc", "level", "rotations", "effect"] };

/// The same where what stands there is taken.
const TAKEN: Uses =
    Uses { read: &["if", "effect"], idle: &["region", "loc", "level", "rotations"] };

/// Turning a piece asks nothing but where.
const TURNED: Uses = Uses { read: &["loc"], idle: &["level", "rotations", "if", "effect"] };

impl Lower<'_> {
    pub(super) fn effect_call(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        use MovesKind as K;
        Ok(match args.key() {
            "remove" | "move.Remove" => self.remove(args, decision)?,
            "promote" | "move.Promote" => self.promote(args, decision)?,
            "custodial" => K::Custodial(Box::new(self.custodial(args)?)),
            "intervene" => K::Intervene(Box::new(self.intervene(args)?)),
            "surround" => K::Surround(Box::new(self.surround(args)?)),
            "enclose" => K::Enclose(Box::new(self.enclose(args)?)),
            "directional" => K::Directional(Box::new(self.directional(args)?)),
            "attract" => {
                let origin = self.origin(args, Int::LastTo { after: false }, &ONE_SITE)?;
                let kind = origin.kind.unwrap_or(self.topo.default);
                let dir = self.dir_or(args, "dirn", Dir::ADJACENT);
                K::Attract(kind, Box::new(origin.site), dir)
            }
            "push" => {
                let origin = self.origin(args, Int::LastTo { after: false }, &ONE_SITE)?;
                let kind = origin.kind.unwrap_or(self.topo.default);
                let dirs = self.need(args, "directions")?;
                K::Push(kind, Box::new(origin.site), Box::new(self.directions(dirs)?))
            }
            "flip" => {
                let kind = self.kind(args, "type");
                K::Flip(kind, Box::new(self.int_or(args, "loc", Int::To)?))
            }
            "moveAgain" => K::MoveAgain,
            "roll" => {
                self.dice_needed(args)?;
                self.flags.rolls_later |= self.flags.inside_then;
                self.flags.chance = true;
                K::Roll
            }
            "sow" => K::Sow(Box::new(self.sow(args)?)),
            "addScore" => self.add_score(args)?,
            "remember.Value" => {
                let name: Option<Box<str>> = self.text(args, "name").map(Into::into);
                if let Some(name) = &name {
                    self.name_given(Naming::Remembered, name);
                }
                let value = Box::new(self.need_int(args, "value")?);
                K::Remember(name, value, Box::new(self.bool_or(args, "unique", false)?))
            }
            "remember.State" => K::RememberState,
            "forget.Value" => {
                let name = self.text(args, "name").map(Into::into);
                args.get("valueType");
                K::Forget(name, self.opt_int(args, "value")?.map(Box::new))
            }
            "swap.Players" | "move.Swap.Players" => {
                let a = self.player(args, &["player1", "role1"])?;
                let b = self.player(args, &["player2", "role2"])?;
                match (a, b) {
                    (Some(a), Some(b)) => K::SwapPlayers(Box::new(a), Box::new(b), decision),
                    _ => return self.unknown(args),
                }
            }
            "swap.Pieces" | "move.Swap.Pieces" => {
                let a = self.int_or(args, "locA", Int::LastFrom { after: false })?;
                let b = self.int_or(args, "locB", Int::LastTo { after: false })?;
                K::SwapPieces(Box::new(a), Box::new(b), decision)
            }
            "take.Domino" => {
                self.flags.random = true;
                K::TakeDomino
            }
            "deal" => self.deal(args)?,
            "playCard" | "move.PlayCard" => {
                self.cards(args)?;
                K::PlayCard { decision }
            }
            "random" => self.random(args)?,
            "take.Control" => self.take_control(args)?,
            "trigger" => {
                let event: Box<str> = self.text(args, "event").unwrap_or("").into();
                self.name_given(Naming::Event, &event);
                let Some(player) = self.player(args, &["indexPlayer", "role"])? else {
                    return self.unknown(args);
                };
                K::Trigger(event, Box::new(player))
            }
            "note" => self.note(args)?,
            "bet" | "move.Bet" => {
                let who = self.player(args, &["who", "role"])?.unwrap_or(Int::Mover);
                let range = self.need(args, "range")?;
                // A stake is a choice wherever it stands.
                K::Bet(Box::new(who), Box::new(self.range(range)?), true)
            }
            "propose" | "move.Propose" => self.message(args, false, decision)?,
            "vote" | "move.Vote" => self.message(args, true, decision)?,
            key if key.starts_with("set.") || key.starts_with("move.Set.") => {
                self.set(args, decision)?
            }
            _ => return self.unknown(args),
        })
    }

    /// Rules about dice need some.
    pub(super) fn dice_needed(&self, args: &Args<'_>) -> Lowered<()> {
        match self.components.iter().any(|piece| !piece.faces.is_empty()) {
            true => Ok(()),
            false => self.wrong(args.call.place, "this game has no dice"),
        }
    }

    /// Rules about cards need some.
    pub(super) fn cards(&mut self, args: &Args<'_>) -> Lowered<()> {
        self.flags.stacking = true;
        match self.components.iter().any(|piece| piece.card.is_some()) {
            true => Ok(()),
            false => self.wrong(args.call.place, "this game has no cards"),
        }
    }

    fn deal(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        let what = match self.word(args, "type") {
            Some("Cards") => {
                self.cards(args)?;
                Dealt::Cards
            }
            _ => {
                self.flags.random = true;
                Dealt::Dominoes
            }
        };
        let count = self.int_or(args, "count", Int::Const(1))?;
        let first = self.opt_int(args, "beginWith")?;
        Ok(MovesKind::Deal(Box::new(Deal { what, count, first })))
    }

    fn random(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        self.flags.random = true;
        if let Some(count) = self.opt_int(args, "num")? {
            let moves = self.needed_moves(args, "moves")?;
            return Ok(MovesKind::RandomSome(Box::new(moves), Box::new(count)));
        }
        let (weights, moves) = (self.items(args, "probas"), self.items(args, "moves"));
        self.weights_fit(args.call, weights, moves.len());
        let pairs = weights.iter().zip(moves);
        let all: Lowered<Vec<_>> =
            pairs.map(|(w, m)| Ok((self.float(w)?, self.moves(m)?))).collect();
        Ok(MovesKind::RandomOne(all?))
    }

    fn remove(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let at = match self.opt_region(args, "region")? {
            Some(region) => region,
            None => Region::One(Box::new(self.need_int(args, "location")?)),
        };
        let later = match self.word(args, "at") {
            Some("EndOfTurn") => {
                self.flags.sequence_capture = true;
                true
            }
            // Whatever is not kept for the end of the turn happens at once.
            Some(_) | None => false,
        };
        Ok(MovesKind::Remove(Box::new(Remove {
            kind: self.kind(args, "type"),
            at,
            level: self.opt_int(args, "level")?,
            later,
            count: self.int_or(args, "count", Int::Const(1))?,
            decision,
        })))
    }

    fn promote(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let what = self.need(args, "what")?;
        let inner = self.call_of(what)?;
        let owner = self.player(args, &["who", "role"])?;
        let mut names = self.texts_of(&inner, "nameComponents");
        if let Some(name) = self.text(&inner, "nameComponent") {
            names.push(name.into());
        }
        let into = match owner {
            Some(owner) if !names.is_empty() => {
                self.promotions_known(inner.call.place, &names);
                self.done(&inner)?;
                Into_::Named(names, owner)
            }
            Some(owner) if inner.has("component") => {
                let piece = self.need_int(&inner, "component")?;
                self.done(&inner)?;
                Into_::Alike(piece, owner)
            }
            _ => Into_::Pieces(self.stateless(what)?),
        };
        Ok(MovesKind::Promote(Box::new(Promote {
            kind: self.kind_or_default(args, "type"),
            at: self.int_or(args, "location", Int::To)?,
            into,
            decision,
        })))
    }

    fn custodial(&mut self, args: &Args<'_>) -> Lowered<Custodial> {
        let origin = self.origin(args, Int::LastTo { after: false }, &ONE_SITE)?;
        let passed = self.passed(args, &FLANKED)?;
        let to = self.target(args, &FRIEND)?;
        Ok(Custodial {
            kind: origin.kind.unwrap_or(self.topo.default),
            from: origin.site,
            dir: self.dir_or(args, "dirnChoice", Dir::ADJACENT),
            length: passed.range.unwrap_or(Range { min: Int::Const(0), max: Int::Const(1000) }),
            target: passed.cond.unwrap_or(Bool::Enemy(Box::new(Int::Between))),
            friend: to.cond.unwrap_or(Bool::Friend(Box::new(Int::To))),
            effect: passed.effect.unwrap_or_else(|| default_capture(Int::Between)),
        })
    }

    fn intervene(&mut self, args: &Args<'_>) -> Lowered<Custodial> {
        let origin = self.origin(args, Int::LastTo { after: false }, &ONE_SITE)?;
        let passed = self.passed(args, &HOW_MANY)?;
        let mut to = self.target(args, &TAKEN)?;
        let effect = Self::effect_of(&mut to);
        Ok(Custodial {
            kind: origin.kind.unwrap_or(self.topo.default),
            from: origin.site,
            dir: self.dir_or(args, "dirnChoice", Dir::ADJACENT),
            length: passed.range.unwrap_or(Range { min: Int::Const(1), max: Int::Const(1) }),
            target: to.cond.unwrap_or(Bool::Enemy(Box::new(Int::To))),
            friend: Bool::Const(true),
            effect: effect.unwrap_or_else(|| default_capture(Int::To)),
        })
    }

    fn surround(&mut self, args: &Args<'_>) -> Lowered<Surround> {
        let origin = self.origin(args, Int::From, &ONE_SITE)?;
        let passed = self.passed(args, &ENCLOSED)?;
        let to = self.target(args, &FRIEND)?;
        let relation = self.relation(self.word(args, "relation"));
        let with = match args.get("with") {
            Some(with) => match <[Int; 1]>::try_from(self.stateless(with)?) {
                Ok([piece]) => Some(piece),
                Err(_) => return self.refuse(with.place, "several pieces that surround"),
            },
            None => None,
        };
        Ok(Surround {
            kind: origin.kind.unwrap_or(self.topo.default),
            from: origin.site,
            relation: relation.map_or(Dir::ADJACENT, Dir::of),
            target: passed.cond.unwrap_or(Bool::Enemy(Box::new(Int::Between))),
            friend: to.cond.unwrap_or(Bool::Friend(Box::new(Int::To))),
            except: self.int_or(args, "except", Int::Const(0))?,
            with,
            effect: passed.effect.unwrap_or_else(|| default_capture(Int::Between)),
        })
    }

    fn enclose(&mut self, args: &Args<'_>) -> Lowered<Enclose> {
        let origin = self.origin(args, Int::LastTo { after: false }, &ONE_SITE)?;
        let passed = self.passed(args, &ENCLOSED)?;
        Ok(Enclose {
            kind: self.kind_or_default(args, "type"),
            from: origin.site,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            target: passed.cond.unwrap_or(Bool::Enemy(Box::new(Int::Between))),
            exceptions: self.int_or(args, "numException", Int::Const(0))?,
            effect: passed.effect.unwrap_or_else(|| default_capture(Int::Between)),
        })
    }

    fn directional(&mut self, args: &Args<'_>) -> Lowered<Directional> {
        let origin = self.origin(args, Int::LastTo { after: false }, &ONE_SITE)?;
        let mut to = self.target(args, &TAKEN)?;
        let effect = Self::effect_of(&mut to);
        let kind = origin.kind.unwrap_or(self.topo.default);
        let dirs = match args.get("directions") {
            Some(dirs) => self.directions(dirs)?,
            None => Directions::FromTo(
                kind,
                Box::new(Int::LastFrom { after: false }),
                Box::new(Int::LastTo { after: false }),
            ),
        };
        Ok(Directional {
            kind,
            from: origin.site,
            dirs,
            target: to.cond.unwrap_or(Bool::Enemy(Box::new(Int::To))),
            effect: effect.unwrap_or_else(|| default_capture(Int::From)),
        })
    }

    fn sow(&mut self, args: &Args<'_>) -> Lowered<Sow> {
        self.flags.counts = true;
        let start = self.int_or(args, "start", Int::LastTo { after: false })?;
        Ok(Sow {
            kind: self.kind_or_default(args, "type"),
            start,
            count: self.opt_int(args, "count")?,
            per_hole: self.int_or(args, "numPerHole", Int::Const(1))?,
            track: self.track_name(args, "trackName")?,
            owner: self.opt_int(args, "owner")?,
            cond: self.opt_bool(args, "if")?,
            sow_effect: self.opt_moves(args, "sowEffect")?,
            effect: self.opt_moves(args, "apply")?,
            include_self: self.flag_or(args, "includeSelf", true),
            origin: self.bool_or(args, "origin", false)?,
            skip: self.opt_bool(args, "skipIf")?,
            backtracking: self.opt_bool(args, "backtracking")?,
            forward: self.opt_bool(args, "forward")?,
        })
    }

    fn add_score(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        self.flags.scores = true;
        if args.has("scores") {
            let scores = self.ints_of_names(args, "scores")?.unwrap_or_default();
            let mut who = Vec::new();
            if let Some(players) = self.ints_of_names(args, "players")? {
                who.extend(players.into_iter().map(Who::One));
            }
            let roles = self.words(args, "roles").into_iter();
            who.extend(roles.map(|role| self.who_of_role(role)));
            return Ok(MovesKind::AddScore(who, scores));
        }
        let Some(who) = self.who(args, &["player", "role"])? else {
            return self.unknown(args);
        };
        Ok(MovesKind::AddScore(vec![who], vec![self.need_int(args, "score")?]))
    }

    fn take_control(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        let of = self.who(args, &["of"])?;
        let by = self.player(args, &["by"])?;
        let (Some(of), Some(by)) = (of, by) else {
            return self.unknown(args);
        };
        let at = match self.opt_region(args, "to")? {
            Some(region) => Some(region),
            None => self.opt_int(args, "at")?.map(|at| Region::One(Box::new(at))),
        };
        Ok(MovesKind::TakeControl(Box::new(TakeControl {
            of,
            by,
            at,
            kind: self.kind(args, "type"),
        })))
    }

    fn note(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        let text = if let Some(text) = self.text(args, "message") {
            NoteText::Text(text.into())
        } else if let Some(n) = self.opt_int(args, "messageInt")? {
            NoteText::Int(n)
        } else if let Some(cond) = self.opt_bool(args, "messageBoolean")? {
            NoteText::Bool(cond)
        } else if let Some(region) = self.opt_region(args, "messageRegion")? {
            NoteText::Sites(region)
        } else if let Some(range) = args.get("messageRange") {
            NoteText::Range(self.range(range)?)
        } else {
            let why = "notes are texts, numbers, conditions, sites and ranges";
            return self.refuse_for(args.call.place, "a note of this kind", why);
        };
        let from = self.player(args, &["player"])?;
        let to = self.who(args, &["to"])?;
        Ok(MovesKind::Note(Box::new(Note { text, from, to })))
    }

    fn set(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        use MovesKind as K;
        let key = args.key();
        let what = key.rsplit('.').next().unwrap_or("");
        Ok(match what {
            "Score" => {
                self.flags.scores = true;
                match self.who(args, &["player", "role"])? {
                    Some(who) => K::SetScore(who, Box::new(self.need_int(args, "value")?)),
                    None => return self.unknown(args),
                }
            }
            "Value" if args.has("player") || args.has("role") => {
                match self.player(args, &["player", "role"])? {
                    Some(player) => {
                        let value = Box::new(self.need_int(args, "value")?);
                        K::SetPlayerValue(Who::One(player), value)
                    }
                    None => return self.unknown(args),
                }
            }
            "Value" => K::SetValue(self.set_site(args)?),
            "State" => K::SetState(self.set_site(args)?),
            "Count" => {
                self.flags.counts = true;
                K::SetCount(SetSite {
                    kind: self.kind(args, "type"),
                    at: self.need_int(args, "at")?,
                    level: None,
                    value: self.need_int(args, "value")?,
                })
            }
            "Counter" => K::SetCounter(Box::new(self.int_or(args, "newValue", Int::Const(-1))?)),
            "Pot" => K::SetPot(Box::new(self.int_or(args, "newValue", Int::Const(-1))?)),
            "Var" => {
                let value = Box::new(self.int_or(args, "newValue", Int::Const(-1))?);
                match self.text(args, "name") {
                    Some(name) => {
                        self.name_given(Naming::Variable, name);
                        K::SetVar(self.var(name), value)
                    }
                    None => K::SetVar(u16::MAX, value),
                }
            }
            "Pending" => {
                let region = match self.opt_region(args, "region")? {
                    Some(region) => Some(region),
                    None => self.opt_int(args, "value")?.map(|v| Region::One(Box::new(v))),
                };
                K::SetPending(region.map(Box::new))
            }
            "NextPlayer" => {
                let who = match self.player(args, &["who"])? {
                    Some(player) => Ints::List(vec![player]),
                    None => {
                        let list = self.need(args, "nextPlayers")?;
                        self.ints(list)?
                    }
                };
                K::SetNextPlayer { who, decision }
            }
            "TrumpSuit" => {
                self.cards(args)?;
                let suits = match args.get("suits") {
                    Some(list) => self.ints(list)?,
                    None => Ints::List(vec![self.need_int(args, "suit")?]),
                };
                K::SetTrumpSuit { suits, decision }
            }
            "Rotation" => {
                let to = self.target(args, &TURNED)?;
                let mut list = self.ints_of_names(args, "directions")?.unwrap_or_default();
                list.extend(self.opt_int(args, "direction")?);
                let turn = |given: Option<Bool>| Some(given.unwrap_or(Bool::Const(true)));
                let previous = turn(self.opt_bool(args, "previous")?);
                let next = turn(self.opt_bool(args, "next")?);
                K::SetRotation(Box::new(SetRotation {
                    kind: to.kind.unwrap_or(self.topo.default),
                    at: to.site.unwrap_or(Int::From),
                    to: list,
                    previous,
                    next,
                    decision,
                }))
            }
            "Hidden" => K::SetHidden(Box::new(self.set_hidden(args)?)),
            "Team" => {
                self.flags.teams = true;
                let team = Box::new(self.need_int(args, "team")?);
                let roles = self.words(args, "roles");
                let players = roles.into_iter().map(|role| self.role(role)).collect();
                K::SetTeam(team, players)
            }
            _ => return self.unknown(args),
        })
    }

    fn set_site(&mut self, args: &Args<'_>) -> Lowered<SetSite> {
        Ok(SetSite {
            kind: self.kind(args, "type"),
            at: self.need_int(args, "at")?,
            level: self.opt_int(args, "level")?,
            value: self.need_int(args, "value")?,
        })
    }

    pub(super) fn set_hidden(&mut self, args: &Args<'_>) -> Lowered<SetHidden> {
        self.flags.hides = true;
        let mut data = Vec::new();
        if let Some(word) = self.word(args, "dataType") {
            data.push(self.hidden_data(Some(word)));
        }
        for word in self.words(args, "dataTypes") {
            data.push(self.hidden_data(Some(word)));
        }
        if data.is_empty() {
            data.push(self.hidden_data(None));
        }
        let at = match self.opt_region(args, "region")? {
            Some(region) => region,
            None => Region::One(Box::new(self.need_int(args, "at")?)),
        };
        let Some(to) = self.who(args, &["to"])? else {
            return self.unknown(args);
        };
        Ok(SetHidden {
            data,
            kind: self.kind_or_default(args, "type"),
            at,
            level: self.int_or(args, "level", Int::Const(0))?,
            value: self.bool_or(args, "value", true)?,
            to,
        })
    }
}
