//! Lowering of whole-number functions and lists of numbers.

use super::{Args, Lower, Lowered};
use crate::lud::ir::{
    Bool, Channel, CountPieces, GroupAt, Groups, Int, Ints, MovesKind, Op, PieceRef, PlayerSet,
    Region, Relation, Role, StepsBy, TrackOf, Where, Who,
};
use crate::lud::topo::{Dir, SiteType};
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
            "from" => {
                if args.has("at") {
                    return self.refuse(args.call.place, "the argument `at` of `(from …)`");
                }
                Int::From
            }
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
                Some(name) => Int::Var(self.var(name)),
                None => Int::Var(u16::MAX),
            },
            "score" => Int::Score(Box::new(self.needed_player(args)?)),
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
                Int::WhereLevel(Box::new(crate::lud::ir::WhereLevel {
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
            "handSite" => {
                self.flags.counts = true;
                let player = self.needed_player(args)?;
                let index = self.int_or(args, "site", Int::Const(0))?;
                Int::HandSite(Box::new(player), Box::new(index))
            }
            "mapEntry" => {
                let name = self.text(args, "name").map(Into::into);
                let key = self.player(args, &["key", "keyRole"])?;
                Int::MapEntry(name, Box::new(key.unwrap_or(Int::Const(-1))))
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
                    Some(label) => Int::Const(self.labelled(args.call.place, kind, label)?),
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
                    None => crate::lud::ir::Directions::Relative {
                        dirs: vec![crate::lud::ir::RelativeDir::Turned("Forward")],
                        relation: Relation::Adjacent,
                        by_site: false,
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
                None => return self.unknown(args),
            },
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
            _ if key.starts_with("count") => self.count(args)?,
            _ if key.starts_with("trackSite") => self.track_site(args)?,
            _ => return self.unknown(args),
        })
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
            (Some(name), Some(role)) => {
                let who = self.role(role);
                Ok(Int::PieceOf(name.into(), Box::new(who)))
            }
            (None, Some(role)) => Ok(self.role(role)),
            (None, None) => self.unknown(args),
        }
    }

    fn piece_ref(&mut self, args: &Args<'_>) -> Lowered<PieceRef> {
        match self.text(args, "namePiece") {
            Some(name) => {
                let name = name.into();
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

    pub(super) fn group_at(&mut self, args: &Args<'_>) -> Lowered<GroupAt> {
        Ok(GroupAt {
            kind: self.kind_or_default(args, "type"),
            at: self.at_or_in(args, &[])?,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            cond: self.opt_bool(args, "if")?,
        })
    }

    pub(super) fn groups(&mut self, args: &Args<'_>) -> Lowered<Groups> {
        Ok(Groups {
            kind: self.kind_or_default(args, "type"),
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            cond: self.opt_bool(args, "if")?,
        })
    }

    fn count(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let kind = self.kind_or_default(args, "type");
        let count = |n: usize| Int::Const(n as i32);
        Ok(match args.key() {
            "count" => {
                self.flags.counts = true;
                let kind = self.kind(args, "type");
                Int::CountAt(kind, Box::new(self.at_or_in(args, &["in"])?))
            }
            "count.Rows" => count(self.topo.plane(kind).rows.len()),
            "count.Columns" => count(self.topo.plane(kind).columns.len()),
            "count.Turns" => Int::Turns,
            "count.Moves" => Int::Moves,
            "count.MovesThisTurn" => Int::MovesThisTurn,
            "count.Active" => Int::Active,
            "count.Players" => Int::Const(self.players),
            "count.Phases" => count(self.phase_names.len().max(1)),
            "count.LegalMoves" => Int::LegalMoves,
            "count.Cells" => count(self.topo.count(crate::lud::topo::SiteType::Cell)),
            "count.Vertices" => count(self.topo.count(crate::lud::topo::SiteType::Vertex)),
            "count.Edges" => count(self.topo.count(crate::lud::topo::SiteType::Edge)),
            "count.Pieces" => Int::CountPieces(Box::new(self.count_pieces(args)?)),
            "count.Pips" => {
                let owner = self.player(args, &["role", "of"])?;
                let owner = owner.unwrap_or(Int::Const(self.players + 1));
                Int::CountPips(Box::new(owner))
            }
            "count.Stack" => {
                self.flags.stacking = true;
                let at = match self.opt_region(args, "to")? {
                    Some(region) => region,
                    None => Region::One(Box::new(self.need_int(args, "at")?)),
                };
                Int::CountStack(Box::new(crate::lud::ir::CountStack {
                    from_bottom: self.word(args, "stackDirection") != Some("FromTop"),
                    kind: self.kind(args, "type"),
                    at,
                    cond: self.bool_or(args, "if", true)?,
                    stop: self.bool_or(args, "stop", false)?,
                }))
            }
            "count.Sites" => {
                if let Some(name) = self.text(args, "name") {
                    return match self.containers.iter().find(|c| &*c.name == name) {
                        Some(container) => Ok(Int::Const(container.count)),
                        None => self.refuse(args.call.place, "this container"),
                    };
                }
                let region = self.need(args, "in")?;
                Int::CountSites(Box::new(self.region(region)?))
            }
            "count.Adjacent" => self.count_near(args, Relation::Adjacent)?,
            "count.Neighbours" => self.count_near(args, Relation::All)?,
            "count.Orthogonal" => self.count_near(args, Relation::Orthogonal)?,
            "count.Diagonal" => self.count_near(args, Relation::Diagonal)?,
            "count.Groups" => {
                let groups = Box::new(self.groups(args)?);
                let min = Box::new(self.int_or(args, "min", Int::Const(0))?);
                Int::CountGroups(groups, min)
            }
            "count.SizeBiggestGroup" => Int::BiggestGroup(Box::new(self.groups(args)?)),
            "count.Liberties" => Int::Liberties(Box::new(self.group_at(args)?)),
            "count.Steps" => self.count_steps(args)?,
            "count.Value" => {
                let of = Box::new(self.need_int(args, "of")?);
                let array = self.need(args, "in")?;
                Int::CountValue(of, Box::new(self.ints(array)?))
            }
            "count.StepsOnTrack" => {
                let player = self.player(args, &["role", "player"])?;
                let name = self.text(args, "name").map(Into::into);
                let track = TrackOf { player: player.unwrap_or(Int::Mover), name };
                let from = Box::new(self.need_int(args, "site1")?);
                let to = Box::new(self.need_int(args, "site2")?);
                Int::StepsOnTrack(Box::new(track), from, to)
            }
            _ => return self.unknown(args),
        })
    }

    fn count_near(&mut self, args: &Args<'_>, relation: Relation) -> Lowered<Int> {
        let kind = self.kind_or_default(args, "type");
        if kind == crate::lud::topo::SiteType::Edge {
            return self.unknown(args);
        }
        let at = Box::new(self.at_or_in(args, &["in"])?);
        Ok(Int::CountNear(relation, kind, at))
    }

    fn count_steps(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let kind = self.kind_or_default(args, "type");
        let relation = self.relation(self.word(args, "relation"));
        let from = Box::new(self.need_int(args, "site1")?);
        let to = match self.opt_region(args, "region2")? {
            Some(region) => region,
            None => Region::One(Box::new(self.need_int(args, "site2")?)),
        };
        let relation = relation.unwrap_or(Relation::Adjacent);
        if let Some(step) = args.get("stepMove") {
            let walk = self.steps_by(args, step, kind, *from)?;
            return Ok(Int::StepsBy(Box::new(walk), Box::new(to)));
        }
        Ok(Int::Steps(kind, relation, from, Box::new(to)))
    }

    /// A walk by the steps of a `(step …)`.
    pub(super) fn steps_by(
        &mut self,
        args: &Args<'_>,
        step: &Argument,
        kind: SiteType,
        from: Int,
    ) -> Lowered<StepsBy> {
        let rotation = self.opt_int(args, "newRotation")?;
        let moves = self.moves(step)?;
        match moves.kind {
            MovesKind::Step(step) if moves.then.is_none() => {
                Ok(StepsBy { kind, dirs: step.dirs, cond: step.cond, rotation, from })
            }
            _ => self.refuse(args.call.place, "this step to count"),
        }
    }

    pub(super) fn count_pieces(&mut self, args: &Args<'_>) -> Lowered<CountPieces> {
        if self.text(args, "name") == Some("Bag") {
            return self.unknown(args);
        }
        let who = self.who(args, &["role", "of"])?;
        let name = self.text(args, "name");
        Ok(CountPieces {
            kind: self.kind(args, "type"),
            who: who.unwrap_or(Who::Role(Role::All)),
            what: name.map(|name| self.pieces_containing(name)),
            within: self.opt_region(args, "in")?,
            cond: self.opt_bool(args, "if")?,
        })
    }

    fn track_site(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let player = self.player(args, &["player", "role"])?;
        let name: Option<Box<str>> = self.text(args, "name").map(Into::into);
        Ok(match args.key() {
            "trackSite.EndSite" => Int::TrackEnd(player.map(Box::new), name),
            "trackSite.FirstSite" => {
                let track = TrackOf { player: player.unwrap_or(Int::Const(0)), name };
                let from = self.opt_int(args, "from")?.map(Box::new);
                let cond = self.opt_bool(args, "if")?.map(Box::new);
                Int::TrackFirst(Box::new(track), from, cond)
            }
            "trackSite.Move" => {
                let track = TrackOf { player: player.unwrap_or(Int::Mover), name };
                let from = Some(Box::new(self.int_or(args, "from", Int::From)?));
                Int::TrackMove(Box::new(track), from, Box::new(self.need_int(args, "steps")?))
            }
            _ => return self.unknown(args),
        })
    }

    /// A list of numbers.
    pub fn ints(&mut self, argument: &Argument) -> Lowered<Ints> {
        if let Value::List(items) = &argument.value {
            return Ok(Ints::List(self.list_of_ints(items)?));
        }
        let args = self.call_of(argument)?;
        let ints = self.ints_call(&args)?;
        self.done(&args)?;
        Ok(ints)
    }

    fn ints_call(&mut self, args: &Args<'_>) -> Lowered<Ints> {
        let key = args.key();
        Ok(match key {
            "array" => match args.get("region") {
                Some(region) => Ints::Region(Box::new(self.region(region)?)),
                None => {
                    let items = self.items(args, "ints");
                    Ints::List(self.list_of_ints(items)?)
                }
            },
            "if" => {
                let cond = self.need(args, "cond")?;
                let cond = Box::new(self.bool(cond)?);
                let yes = self.need(args, "ok")?;
                let yes = Box::new(self.ints(yes)?);
                let no = args.get("notOk").map(|no| self.ints(no)).transpose()?;
                Ints::If(cond, yes, no.map(Box::new))
            }
            "union" => Ints::Union(self.arrays(args)?),
            "intersection" => {
                let mut arrays = self.arrays(args)?;
                // Of two arrays, the order and repetitions of the second are kept.
                if !args.has("arrays") {
                    arrays.reverse();
                }
                Ints::Intersection(arrays)
            }
            "difference" => {
                let names: Vec<&str> = args.call.row.parameters.iter().map(|p| p.name).collect();
                let a = self.need(args, names[0])?;
                let a = Box::new(self.ints(a)?);
                let b = match args.get(names[1]) {
                    Some(b) => self.ints(b)?,
                    None => Ints::List(vec![self.need_int(args, names[2])?]),
                };
                Ints::Difference(a, Box::new(b))
            }
            "values.Remembered" => Ints::Remembered(self.text(args, "name").map(Into::into)),
            "team" => Ints::Team,
            "sizes.Group" => {
                let who = self.who(args, &["role", "of"])?;
                let everybody = matches!(who, Some(Who::Role(Role::All)));
                let min = Box::new(self.int_or(args, "min", Int::Const(0))?);
                let groups = Box::new(self.groups(args)?);
                let who = who.unwrap_or(Who::Role(Role::All));
                let everybody = everybody || (groups.cond.is_none() && !args.has("role"));
                Ints::Sizes(groups, Box::new(who), min, everybody)
            }
            "results" => {
                let from = self.site_or_region(args, "from")?;
                let to = self.site_or_region(args, "to")?;
                let f = Box::new(self.need_int(args, "function")?);
                Ints::Results(Box::new(from), Box::new(to), f)
            }
            _ => match key.strip_prefix("players.") {
                Some(set) => self.player_set(args, set)?,
                None => return self.unknown(args),
            },
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

    fn player_set(&mut self, args: &Args<'_>, set: &str) -> Lowered<Ints> {
        let set = match set {
            "All" => PlayerSet::All,
            "NonMover" => PlayerSet::NonMover,
            "Enemy" => PlayerSet::Enemy,
            "Friend" => PlayerSet::Friend,
            "Ally" => PlayerSet::Ally,
            other => match other.strip_prefix("Team").and_then(|n| n.parse().ok()) {
                Some(team) => PlayerSet::Team(team),
                None => return self.unknown(args),
            },
        };
        let of = self.opt_int(args, "of")?.map(Box::new);
        let cond: Option<Bool> = self.opt_bool(args, "if")?;
        Ok(Ints::Players(set, of, cond.map(Box::new)))
    }

    fn arrays(&mut self, args: &Args<'_>) -> Lowered<Vec<Ints>> {
        if args.has("arrays") {
            let items = self.items(args, "arrays");
            return items.iter().map(|item| self.ints(item)).collect();
        }
        let a = self.need(args, "array1")?;
        let a = self.ints(a)?;
        let b = self.need(args, "array2")?;
        Ok(vec![a, self.ints(b)?])
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
