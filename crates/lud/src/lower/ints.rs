//! Lowering of whole-number functions and lists of numbers.

use super::names::Naming;
use super::{Args, Lower, Lowered};
use crate::ir::{CardPart, Channel, Int, Ints, Op, PieceRef, Region, Relation, TrackOf, Where};
use crate::memo::Memo;
use crate::topo::Dir;
use ludex_lang::lud::check::{Argument, Value};

impl Lower<'_> {
    /// A number.
    pub fn int(&mut self, argument: &Argument) -> Lowered<Int> {
        match &argument.value {
            Value::Int(n) => Ok(Int::Const(*n)),
            Value::Call(_) => {
                let args = self.call_of(argument)?;
                let int = self.int_call(&args)?;
                self.done(&args)?;
                Ok(self.fold_hand(fold(int)))
            }
            _ => self.refuse(argument.place, "this number"),
        }
    }

    fn int_call(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let key = args.key();
        Ok(match key {
            "from" => match self.word(args, "at") {
                Some("StartOfTurn") => {
                    self.flags.asks_turn_from = true;
                    Int::TurnFrom
                }
                _ => Int::From,
            },
            "to" => Int::To,
            "between" => Int::Between,
            "site" => Int::Site,
            "level" => {
                self.flags.stacking = true;
                Int::Level
            }
            "value" => Int::Value,
            "pips" => Int::Pips,
            "player" => Int::Player,
            "track" => Int::Track,
            "edge" => match (args.get("vA"), args.get("vB")) {
                (Some(a), Some(b)) => Int::EdgeOf(Box::new(self.int(a)?), Box::new(self.int(b)?)),
                _ => Int::Edge,
            },
            "mover" => Int::Mover,
            "next" => Int::Next,
            "prev" => match self.word(args, "type") {
                Some("MoverLastTurn") => Int::PrevTurn,
                _ => Int::Prev,
            },
            "counter" => Int::Counter,
            "pot" => Int::Pot,
            "var" => match self.text(args, "key") {
                Some(name) => {
                    self.name_asked(args.call.place, Naming::Variable, name);
                    Int::Var(self.var(name))
                }
                None => Int::Var(u16::MAX),
            },
            "score" => Int::Score(Box::new(self.needed_player(args)?)),
            "matchScore" => Int::MatchScore(Box::new(self.needed_player(args)?)),
            "amount" => Int::Amount(Box::new(self.needed_player(args)?)),
            "value.Player" => Int::PlayerValue(Box::new(self.needed_player(args)?)),
            "value.Pending" => Int::PendingValue,
            "value.MoveLimit" => Int::Const(self.flags.max_moves),
            "value.TurnLimit" => Int::Const(self.flags.max_turns),
            "last.From" => Int::LastFrom { after: self.after(args)? },
            "last.To" => Int::LastTo { after: self.after(args)? },
            "last.LevelFrom" | "last.LevelTo" => {
                if self.after(args)? {
                    return self.unknown(args);
                }
                if key == "last.LevelTo" { Int::LastLevelTo } else { Int::LastLevelFrom }
            }
            "value.Random" => {
                self.flags.random = true;
                let range = self.need(args, "range")?;
                let range = self.range(range)?;
                Int::Random(Box::new(range.min), Box::new(range.max))
            }
            "where.Level" => {
                self.flags.stacking = true;
                let piece = self.piece_ref(args)?;
                Int::WhereLevel(Box::new(crate::ir::WhereLevel {
                    piece,
                    state: self.opt_int(args, "state")?,
                    kind: self.kind(args, "type"),
                    at: self.need_int(args, "at")?,
                    from_top: self.bool_or(args, "fromTop", true)?,
                }))
            }
            "what" => self.at(args, Channel::What)?,
            "who" => self.at(args, Channel::Who)?,
            "state" => self.at(args, Channel::State)?,
            "rotation" => self.at(args, Channel::Rotation)?,
            "value.Piece" => self.at(args, Channel::Value)?,
            "topLevel" => {
                self.flags.stacking = true;
                let kind = self.kind(args, "type");
                Int::TopLevel(kind, Box::new(self.need_int(args, "at")?))
            }
            "id" => self.id(args)?,
            "hint" => {
                let why = "hints are given in puzzles, and asked for in `(forAll Hint …)`";
                return self.refuse_for(args.call.place, "`(hint …)` outside puzzles", why);
            }
            "handSite" => {
                self.flags.counts = true;
                self.hand = Some(args.call.place);
                let player = self.needed_player(args)?;
                let index = self.int_or(args, "site", Int::Const(0))?;
                Int::HandSite(Box::new(player), Box::new(index))
            }
            "mapEntry" => {
                let name = self.text(args, "name");
                let name = name.map(|name| self.map_name(args.call.place, name));
                let key = self.player(args, &["key", "keyRole"])?;
                let key = Box::new(key.unwrap_or(Int::Const(-1)));
                Int::MapEntry(name, key, Memo::default())
            }
            "regionSite" => {
                let region = self.need(args, "region")?;
                let region = Box::new(self.region(region)?);
                Int::RegionSite(region, Box::new(self.need_int(args, "index")?))
            }
            "arrayValue" => {
                let array = self.need(args, "array")?;
                let array = Box::new(self.ints(array)?);
                Int::ArrayValue(array, Box::new(self.need_int(args, "index")?))
            }
            "centrePoint" => {
                let kind = self.kind_or_default(args, "type");
                let centre = self.topo.plane(kind).centre.first().copied();
                Int::Const(centre.unwrap_or(-1))
            }
            "column" | "row" | "layer" | "phase" => {
                let kind = self.kind_or_default(args, "type");
                let of = Box::new(self.need_int(args, "of")?);
                match key {
                    "column" => Int::Column(kind, of),
                    "row" => Int::Row(kind, of),
                    "layer" => Int::Layer(kind, of),
                    _ => Int::PhaseOf(kind, of),
                }
            }
            "coord" => {
                let kind = self.kind_or_default(args, "type");
                match self.text(args, "coordinate") {
                    Some(label) => Int::Const(self.labelled_or_off(args.call.place, kind, label)),
                    None => Int::Coord(
                        kind,
                        Box::new(self.need_int(args, "row")?),
                        Box::new(self.need_int(args, "column")?),
                    ),
                }
            }
            "cost" => {
                let kind = self.kind_or_default(args, "type");
                Int::Cost(kind, Box::new(self.at_or_in(args, &["in"])?))
            }
            "ahead" => {
                let kind = self.kind_or_default(args, "type");
                let site = Box::new(self.need_int(args, "site")?);
                let steps = Box::new(self.int_or(args, "steps", Int::Const(1))?);
                let dirs = match args.get("directions") {
                    Some(dirs) => self.directions(dirs)?,
                    None => crate::ir::Directions::Relative {
                        dirs: vec![crate::ir::RelativeDir::Turned("Forward")],
                        relation: Relation::Adjacent,
                        by_site: false,
                        known: Default::default(),
                    },
                };
                Int::Ahead(kind, site, steps, Box::new(dirs))
            }
            "face" => Int::Face(Box::new(self.need_int(args, "locn")?)),
            "where" => self.where_piece(args)?,
            "abs" => Int::Abs(Box::new(self.need_int(args, args.call.row.parameters[0].name)?)),
            "+" => self.fold_list(args, Op::Add, Int::Sum)?,
            "*" => self.fold_list(args, Op::Mul, Int::Product)?,
            "max" => self.fold_list(args, Op::Max, Int::MaxOf)?,
            "min" => self.fold_list(args, Op::Min, Int::MinOf)?,
            "-" => {
                let names: Vec<&str> = args.call.row.parameters.iter().map(|p| p.name).collect();
                let b = self.need_int(args, names[1])?;
                let a = self.int_or(args, names[0], Int::Const(0))?;
                Int::Binary(Op::Sub, Box::new(a), Box::new(b))
            }
            "/" => self.binary(args, Op::Div)?,
            "%" => self.binary(args, Op::Mod)?,
            "^" => self.binary(args, Op::Pow)?,
            "if" => {
                let cond = self.need(args, "cond")?;
                let cond = Box::new(self.bool(cond)?);
                let yes = Box::new(self.need_int(args, "valueA")?);
                Int::If(cond, yes, Box::new(self.need_int(args, "valueB")?))
            }
            "toInt" => match args.get("bool") {
                Some(cond) => Int::OfBool(Box::new(self.bool(cond)?)),
                None => {
                    let number = self.need(args, "float")?;
                    Int::OfFloat(Box::new(self.float(number)?))
                }
            },
            "card.TrumpSuit" => Int::TrumpSuit,
            "card.Suit" => self.card_part(args, CardPart::Suit)?,
            "card.Rank" => self.card_part(args, CardPart::Rank)?,
            "card.TrumpRank" => self.card_part(args, CardPart::TrumpRank)?,
            "card.TrumpValue" => self.card_part(args, CardPart::TrumpValue)?,
            "size.LargePiece" => {
                let kind = self.kind_or_default(args, "type");
                Int::LargePieceSize(kind, Box::new(self.at_or_in(args, &["in"])?))
            }
            "size.Array" => {
                let array = self.need(args, "array")?;
                Int::SizeArray(Box::new(self.ints(array)?))
            }
            "size.Group" => Int::GroupSize(Box::new(self.group_at(args)?)),
            "size.Stack" => {
                self.flags.stacking = true;
                let kind = self.kind(args, "type");
                Int::StackSize(kind, Box::new(self.at_or_in(args, &["in"])?))
            }
            "size.Territory" => {
                let kind = self.kind_or_default(args, "type");
                let who = self.needed_player(args)?;
                let dir = self.dir_or(args, "direction", Dir::ADJACENT);
                Int::Territory(kind, Box::new(who), dir)
            }
            "pathExtent" => {
                let colour = self.int_or(args, "colour", Int::Mover)?;
                let starts = match (self.opt_region(args, "regionStart")?, args.get("start")) {
                    (Some(region), _) => region,
                    (None, Some(start)) => Region::One(Box::new(self.int(start)?)),
                    (None, None) => Region::LastTo,
                };
                Int::PathExtent(Box::new(colour), Box::new(starts))
            }
            _ if key.starts_with("count") => self.count(args)?,
            _ if key.starts_with("trackSite") => self.track_site(args)?,
            _ => return self.unknown(args),
        })
    }

    /// Only the suit is that of the top card where no level is given.
    fn card_part(&mut self, args: &Args<'_>, part: CardPart) -> Lowered<Int> {
        self.flags.stacking = true;
        let at = Box::new(self.need_int(args, "at")?);
        let level = match (self.opt_int(args, "level")?, part) {
            (None, CardPart::Suit) => None,
            (level, _) => Some(Box::new(level.unwrap_or(Int::Const(0)))),
        };
        Ok(Int::Card(part, at, level))
    }

    /// The hand of a fixed player is a fixed site.
    fn fold_hand(&self, int: Int) -> Int {
        let Int::HandSite(player, index) = &int else {
            return int;
        };
        let (Int::Const(player), Int::Const(index)) = (&**player, &**index) else {
            return int;
        };
        let hand = self.containers.iter().skip(1).find(|c| c.owner == *player);
        Int::Const(hand.map_or(-1, |hand| hand.first + index))
    }

    fn after(&mut self, args: &Args<'_>) -> Lowered<bool> {
        match args.get("afterConsequence").map(|argument| &argument.value) {
            None => Ok(false),
            Some(Value::Bool(after)) => Ok(*after),
            Some(_) => self.refuse(args.call.place, "this `afterConsequence`"),
        }
    }

    fn needed_player(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let names = ["player", "role", "indexPlayer", "index", "pid", "who", "of"];
        match self.player(args, &names)? {
            Some(player) => Ok(player),
            None => self.wrong(args.call.place, "this needs a player"),
        }
    }

    fn at(&mut self, args: &Args<'_>, channel: Channel) -> Lowered<Int> {
        let kind = self.kind(args, "type");
        let at = Box::new(self.need_int(args, "at")?);
        let level = self.opt_int(args, "level")?.map(Box::new);
        Ok(Int::At(channel, kind, at, level))
    }

    /// A region given as `at:` or `in:`; the site moved to by default.
    pub(super) fn at_or_in(&mut self, args: &Args<'_>, regions: &[&str]) -> Lowered<Region> {
        for name in regions {
            if let Some(region) = self.opt_region(args, name)? {
                return Ok(region);
            }
        }
        let at = self.opt_int(args, "at")?;
        Ok(Region::One(Box::new(at.unwrap_or(Int::LastTo { after: false }))))
    }

    fn id(&mut self, args: &Args<'_>) -> Lowered<Int> {
        match (self.text(args, "name"), self.word(args, "who")) {
            (Some(name), None) => {
                if let Some(at) = self.containers.iter().position(|c| &*c.name == name) {
                    return Ok(Int::Const(at as i32));
                }
                Ok(Int::Const(self.piece_named(args.call.place, name)?.into()))
            }
            // The player alone, whatever the piece is called.
            (Some(_), Some("Player")) => Ok(self.role("Player")),
            (Some(name), Some(role)) => {
                let who = self.role(role);
                let name = self.piece_name(args.call.place, name);
                Ok(Int::PieceOf(name, Box::new(who)))
            }
            (None, Some(role)) => Ok(self.role(role)),
            (None, None) => self.unknown(args),
        }
    }

    fn piece_ref(&mut self, args: &Args<'_>) -> Lowered<PieceRef> {
        match self.text(args, "namePiece") {
            Some(name) => {
                let name = self.piece_name(args.call.place, name);
                Ok(PieceRef::Named(name, self.needed_player(args)?))
            }
            None => Ok(PieceRef::Index(self.need_int(args, "what")?)),
        }
    }

    fn where_piece(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let piece = self.piece_ref(args)?;
        Ok(Int::Where(Box::new(Where {
            piece,
            state: self.opt_int(args, "state")?,
            kind: self.kind_or_default(args, "type"),
        })))
    }

    fn binary(&mut self, args: &Args<'_>, op: Op) -> Lowered<Int> {
        let names: Vec<&str> = args.call.row.parameters.iter().map(|p| p.name).collect();
        let a = self.need_int(args, names[0])?;
        let b = self.need_int(args, names[1])?;
        if matches!(op, Op::Div | Op::Mod) && b == Int::Const(0) {
            self.warn(args.call.place, "nothing can be divided by nought".into(), None);
        }
        Ok(Int::Binary(op, Box::new(a), Box::new(b)))
    }

    fn fold_list(
        &mut self,
        args: &Args<'_>,
        op: Op,
        list: impl Fn(Box<Ints>) -> Int,
    ) -> Lowered<Int> {
        let first = &args.call.row.parameters[0];
        let is_pair = matches!(first.takes, ludex_lang::lud::table::Type::Kind("int", 0));
        if is_pair {
            return self.binary(args, op);
        }
        for parameter in &args.call.row.parameters {
            if let Some(argument) = args.get(parameter.name) {
                return Ok(list(Box::new(self.ints(argument)?)));
            }
        }
        self.unknown(args)
    }

    fn track_site(&mut self, args: &Args<'_>) -> Lowered<Int> {
        if self.tracks.is_empty() {
            self.warn(args.call.place, "the board has no tracks".into(), None);
        }
        let player = self.player(args, &["player", "role"])?;
        let name = match (args.key(), self.text(args, "name")) {
            ("trackSite.Move", Some(text)) => self.track_or_own(args.call.place, text)?,
            _ => self.track_name(args, "name")?,
        };
        Ok(match args.key() {
            "trackSite.EndSite" => Int::TrackEnd(player.map(Box::new), name),
            "trackSite.FirstSite" => {
                let track = TrackOf::new(player.unwrap_or(Int::Const(0)), name);
                let from = self.opt_int(args, "from")?.map(Box::new);
                let cond = self.opt_bool(args, "if")?.map(Box::new);
                Int::TrackFirst(Box::new(track), from, cond)
            }
            "trackSite.Move" => {
                let track = TrackOf::new(player.unwrap_or(Int::Mover), name);
                let from = Some(Box::new(self.int_or(args, "from", Int::From)?));
                Int::TrackMove(Box::new(track), from, Box::new(self.need_int(args, "steps")?))
            }
            _ => return self.unknown(args),
        })
    }

    /// A site or a region under one name.
    pub(super) fn site_or_region(&mut self, args: &Args<'_>, name: &str) -> Lowered<Region> {
        let argument = self.need(args, name)?;
        match &argument.value {
            Value::Call(call) if call.row.kinds.contains(&"region") => self.region(argument),
            _ => Ok(Region::One(Box::new(self.int(argument)?))),
        }
    }
}

/// Arithmetic of constants is done now.
fn fold(int: Int) -> Int {
    let Int::Binary(op, a, b) = &int else {
        return int;
    };
    let (Int::Const(a), Int::Const(b)) = (&**a, &**b) else {
        return int;
    };
    match op {
        Op::Add => Int::Const(a.wrapping_add(*b)),
        Op::Sub => Int::Const(a.wrapping_sub(*b)),
        Op::Mul => Int::Const(a.wrapping_mul(*b)),
        _ => int,
    }
}
