//! Lowering of moves: everything that takes a piece somewhere, and how moves are combined.

use super::{Args, Lower, Lowered};
use crate::lud::ir::{
    Add, Bool, Directions, Do, ForEachDie, ForEachDirection, ForEachPiece, FromTo, Hop, Int, Leap,
    Moves, MovesKind, Origin, Range, Region, Select, SelectTo, Shoot, Slide, Step, Values,
};
use crate::lud::topo::{Dir, SiteType};
use ludex_lang::lud::check::{Argument, Value};

/// Farther than any board.
const FAR: i32 = 1000;

/// The `(to …)` of a move.
#[derive(Default)]
pub(super) struct Target {
    pub kind: Option<SiteType>,
    pub region: Option<Region>,
    pub site: Option<Int>,
    pub level: Option<Int>,
    pub rotations: Option<crate::lud::ir::Ints>,
    pub cond: Option<Bool>,
    pub effect: Option<Moves>,
    pub effect_if: Option<Bool>,
    pub has_apply: bool,
}

/// The `(between …)` of a move.
#[derive(Default)]
pub(super) struct Passed {
    pub before: Option<Int>,
    pub range: Option<Range>,
    pub after: Option<Int>,
    pub cond: Option<Bool>,
    pub trail: Option<Int>,
    pub effect: Option<Moves>,
}

impl Lower<'_> {
    /// A generator of moves, or an effect.
    pub fn moves(&mut self, argument: &Argument) -> Lowered<Moves> {
        let args = self.call_of(argument)?;
        let kind = self.moves_call(&args)?;
        let then = match args.get("then") {
            Some(then) => Some(self.then(then)?),
            None => None,
        };
        self.done(&args)?;
        Ok(Moves { kind, then })
    }

    fn then(&mut self, argument: &Argument) -> Lowered<u32> {
        let args = self.call_of(argument)?;
        let moves = self.need(&args, "moves")?;
        let moves = self.moves(moves)?;
        if self.flag(&args, "applyAfterAllMoves") {
            return self.refuse(args.call.place, "the argument `applyAfterAllMoves` of `(then …)`");
        }
        self.done(&args)?;
        self.consequences.push(moves);
        Ok(self.consequences.len() as u32 - 1)
    }

    fn needed_moves(&mut self, args: &Args<'_>, name: &str) -> Lowered<Moves> {
        let argument = self.need(args, name)?;
        self.moves(argument)
    }

    fn moves_list(&mut self, args: &Args<'_>, pair: [&str; 2]) -> Lowered<Vec<Moves>> {
        if args.has("list") {
            let items = self.items(args, "list");
            return items.iter().map(|item| self.moves(item)).collect();
        }
        let a = self.needed_moves(args, pair[0])?;
        Ok(vec![a, self.needed_moves(args, pair[1])?])
    }

    fn moves_call(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        use MovesKind as K;
        let key = args.key();
        let decision = key.starts_with("move");
        Ok(match key {
            "and" | "or" => K::All(self.moves_list(args, ["movesA", "movesB"])?),
            "priority" => K::Priority(self.moves_list(args, ["list1", "list2"])?),
            "seq" => {
                let items = self.items(args, "moves");
                let list: Lowered<Vec<Moves>> = items.iter().map(|item| self.moves(item)).collect();
                K::Seq(list?)
            }
            "append" => K::Append(Box::new(self.needed_moves(args, "list")?)),
            "allCombinations" => K::Combine(
                Box::new(self.needed_moves(args, "listA")?),
                Box::new(self.needed_moves(args, "listB")?),
            ),
            "if" => {
                let cond = self.need(args, "cond")?;
                let cond = Box::new(self.bool(cond)?);
                let yes = Box::new(self.needed_moves(args, "list")?);
                K::If(cond, yes, self.opt_moves(args, "elseList")?.map(Box::new))
            }
            "apply" => {
                if args.has("if") {
                    return self.unknown(args);
                }
                K::All(vec![self.needed_moves(args, "effect")?])
            }
            "do" => {
                let prior = self.needed_moves(args, "prior")?;
                K::Do(Box::new(Do {
                    prior,
                    next: self.opt_moves(args, "next")?,
                    if_afterwards: self.opt_bool(args, "ifAfterwards")?,
                }))
            }
            "max.Moves" | "max.Captures" => {
                let value = Box::new(self.bool_or(args, "withValue", false)?);
                let inner = Box::new(self.needed_moves(args, "moves")?);
                if key == "max.Moves" {
                    K::MaxMoves(inner, value)
                } else {
                    K::MaxCaptures(inner, value)
                }
            }
            "max.Distance" | "firstMoveOnTrack" => {
                let name = self.text(args, "trackName").map(Into::into);
                let owner = self.word(args, "owner").map(|role| Box::new(self.role(role)));
                let inner = Box::new(self.needed_moves(args, "moves")?);
                if key == "max.Distance" {
                    K::MaxDistance(inner, name, owner)
                } else {
                    K::FirstOnTrack(inner, name, owner)
                }
            }
            "while" => {
                let cond = self.need(args, "condition")?;
                let cond = Box::new(self.bool(cond)?);
                K::While(cond, Box::new(self.needed_moves(args, "moves")?))
            }
            "avoidStoredState" => K::AvoidStored(Box::new(self.needed_moves(args, "moves")?)),
            "move.Step" | "step" => self.step(args, decision)?,
            "move.Slide" | "slide" => self.slide(args, decision)?,
            "move.Hop" | "hop" => self.hop(args, decision)?,
            "move.Leap" | "leap" => self.leap(args, decision)?,
            "move" | "fromTo" => self.carry(args, decision)?,
            "move.Shoot" | "shoot" => self.shoot(args, decision)?,
            "move.Add" | "add" => self.add(args, decision)?,
            "move.Claim" | "claim" => self.claim(args, decision)?,
            "move.Select" | "select" => self.select(args, decision)?,
            "move.Pass" | "pass" => {
                if self.players == 1 {
                    self.flags.not_all_pass = true;
                }
                K::Pass { decision }
            }
            _ if key.starts_with("forEach") => self.for_each(args)?,
            _ => self.effect_call(args, decision)?,
        })
    }

    /// The `(from …)` of a moving piece; `default` where nothing is said.
    pub(super) fn origin(&mut self, args: &Args<'_>, default: Int) -> Lowered<Origin> {
        let Some(argument) = args.get("from") else {
            return Ok(Origin { kind: None, site: default, region: None, level: None, cond: None });
        };
        let from = self.call_of(argument)?;
        let region = self.opt_region(&from, "region")?;
        let site = self.int_or(&from, "loc", Int::From)?;
        let level = self.opt_int(&from, "level")?;
        let origin = Origin {
            kind: self.kind(&from, "type"),
            site,
            region,
            level,
            cond: self.opt_bool(&from, "if")?,
        };
        self.done(&from)?;
        Ok(origin)
    }

    pub(super) fn target(&mut self, args: &Args<'_>) -> Lowered<Target> {
        let Some(argument) = args.get("to") else {
            return Ok(Target::default());
        };
        let to = self.call_of(argument)?;
        let region = self.opt_region(&to, "region")?;
        let site = self.opt_int(&to, "loc")?;
        let mut target = Target {
            kind: self.kind(&to, "type"),
            site: match (&region, site) {
                (Some(_), _) => None,
                (None, site) => Some(site.unwrap_or(Int::To)),
            },
            region,
            level: self.opt_int(&to, "level")?,
            cond: self.opt_bool(&to, "if")?,
            ..Target::default()
        };
        if let Some(rotations) = to.get("rotations") {
            target.rotations = Some(self.rotations(rotations)?);
        }
        if let Some(apply) = to.get("effect") {
            let (effect, cond) = self.apply(apply)?;
            target.effect = effect;
            target.effect_if = cond;
            target.has_apply = true;
        }
        self.done(&to)?;
        Ok(target)
    }

    fn rotations(&mut self, argument: &Argument) -> Lowered<crate::lud::ir::Ints> {
        self.refuse(argument.place, "`(rotations …)`")
    }

    fn apply(&mut self, argument: &Argument) -> Lowered<(Option<Moves>, Option<Bool>)> {
        let args = self.call_of(argument)?;
        if args.key() != "apply" {
            return self.unknown(&args);
        }
        let effect = self.opt_moves(&args, "effect")?;
        let cond = self.opt_bool(&args, "if")?;
        self.done(&args)?;
        Ok((effect, cond))
    }

    pub(super) fn passed(&mut self, args: &Args<'_>) -> Lowered<Passed> {
        let Some(argument) = args.get("between") else {
            return Ok(Passed::default());
        };
        let between = self.call_of(argument)?;
        let mut passed = Passed {
            before: self.opt_int(&between, "before")?,
            range: None,
            after: self.opt_int(&between, "after")?,
            cond: self.opt_bool(&between, "if")?,
            trail: self.opt_int(&between, "trail")?,
            effect: None,
        };
        if let Some(range) = between.get("range") {
            passed.range = Some(self.range(range)?);
        }
        if let Some(apply) = between.get("effect") {
            let (effect, cond) = self.apply(apply)?;
            if let Some(cond) = cond {
                let effect = effect.unwrap_or_else(super::nothing);
                let kind = MovesKind::If(Box::new(cond), Box::new(effect), None);
                passed.effect = Some(Moves { kind, then: None });
            } else {
                passed.effect = effect;
            }
        }
        self.done(&between)?;
        Ok(passed)
    }

    fn plain_origin(&mut self, args: &Args<'_>) -> Lowered<Origin> {
        let origin = self.origin(args, Int::From)?;
        if origin.region.is_some() {
            return self.refuse(args.call.place, "a region to move from in this move");
        }
        Ok(origin)
    }

    fn effect_of(target: &mut Target) -> Option<Moves> {
        let effect = target.effect.take();
        match target.effect_if.take() {
            None => effect,
            Some(cond) => Some(Moves {
                kind: MovesKind::If(
                    Box::new(cond),
                    Box::new(effect.unwrap_or_else(super::nothing)),
                    None,
                ),
                then: None,
            }),
        }
    }

    pub(super) fn step(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.plain_origin(args)?;
        let mut to = self.target(args)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack;
        self.unused_target(args, &to)?;
        Ok(MovesKind::Step(Box::new(Step {
            from,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            cond: to.cond.take().unwrap_or(Bool::Const(true)),
            effect: Self::effect_of(&mut to),
            stack,
            decision,
        })))
    }

    /// Parts of `(to …)` that a move along a path has no use for.
    fn unused_target(&self, args: &Args<'_>, to: &Target) -> Lowered<()> {
        if to.rotations.is_some() || to.level.is_some() {
            return self.refuse(args.call.place, "a level or rotation to move to in this move");
        }
        Ok(())
    }

    fn slide(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.plain_origin(args)?;
        let passed = self.passed(args)?;
        let to = self.target(args)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack;
        self.unused_target(args, &to)?;
        let track: Option<Box<str>> = self.text(args, "track").map(Into::into);
        let kind = self.topo.default;
        let empty = Bool::In(vec![Int::Between], Box::new(Region::Empty(kind)));
        if passed.before.is_some() || passed.after.is_some() {
            return self.refuse(args.call.place, "`before` or `after` of a slide");
        }
        Ok(MovesKind::Slide(Box::new(Slide {
            from,
            track,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            distance: passed.range.unwrap_or(Range { min: Int::Const(-1), max: Int::Const(FAR) }),
            go: passed.cond.unwrap_or(empty),
            stop: to.cond,
            to: to.effect_if,
            effect: to.effect,
            between: passed.effect,
            trail: passed.trail,
            stack,
            decision,
        })))
    }

    fn hop(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.plain_origin(args)?;
        let has_between = args.has("between");
        let passed = self.passed(args)?;
        let to = self.target(args)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack;
        self.unused_target(args, &to)?;
        if from.level.is_some() || passed.trail.is_some() {
            return self.refuse(args.call.place, "a level or trail of a hop");
        }
        let Some(go) = to.cond else {
            return self.refuse(args.call.place, "a hop without a condition where to");
        };
        let one = Range { min: Int::Const(1), max: Int::Const(1) };
        Ok(MovesKind::Hop(Box::new(Hop {
            from,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            go,
            hurdle: if has_between { passed.cond } else { Some(Bool::Const(true)) },
            before: passed.before.unwrap_or(Int::Const(0)),
            length: passed.range.unwrap_or(one),
            after: passed.after.unwrap_or(Int::Const(0)),
            effect: passed.effect,
            stop: to.effect_if,
            stop_effect: to.effect,
            stack,
            decision,
        })))
    }

    fn leap(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.plain_origin(args)?;
        let mut to = self.target(args)?;
        self.unused_target(args, &to)?;
        let Some(go) = to.cond.take() else {
            return self.refuse(args.call.place, "a leap without a condition where to");
        };
        Ok(MovesKind::Leap(Box::new(Leap {
            from,
            walks: self.walks(args, "walk"),
            forward: self.bool_or(args, "forward", false)?,
            rotations: self.bool_or(args, "rotations", true)?,
            go,
            effect: Self::effect_of(&mut to),
            decision,
        })))
    }

    fn carry(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From)?;
        let to = self.target(args)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack || from.level.is_some();
        let mover = self.word(args, "mover").map(|role| self.role(role));
        Ok(MovesKind::FromTo(Box::new(FromTo {
            from,
            to_kind: to.kind,
            to: to.site.unwrap_or(Int::To),
            to_region: to.region,
            to_level: to.level,
            rotations: to.rotations,
            cond: to.cond.unwrap_or(Bool::Const(true)),
            effect: to.effect,
            effect_if: to.effect_if,
            count: self.opt_int(args, "count")?,
            copy: self.bool_or(args, "copy", false)?,
            stack,
            mover,
            decision,
        })))
    }

    fn shoot(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let what = self.need(args, "what")?;
        let (mut pieces, state) = self.pieces(what)?;
        let origin = self.origin(args, Int::LastTo { after: false })?;
        let passed = self.passed(args)?;
        let to = self.target(args)?;
        let kind = origin.kind.unwrap_or(self.topo.default);
        if pieces.len() != 1 || state.is_some() || origin.region.is_some() {
            return self.refuse(args.call.place, "this way to shoot");
        }
        let cell = if args.has("to") { kind } else { SiteType::Cell };
        let empty = Bool::In(vec![Int::To], Box::new(Region::Empty(cell)));
        Ok(MovesKind::Shoot(Box::new(Shoot {
            what: pieces.remove(0),
            from: origin.site,
            kind,
            dir: self.dir_or(args, "dirn", Dir::ADJACENT),
            go: passed.cond.unwrap_or(Bool::Const(true)),
            to: to.cond.unwrap_or(empty),
            decision,
        })))
    }

    /// The pieces and the state of a `(piece …)`.
    pub(super) fn pieces(&mut self, argument: &Argument) -> Lowered<(Vec<Int>, Option<Int>)> {
        let args = self.call_of(argument)?;
        let mut pieces = Vec::new();
        if let Some(name) = self.text(&args, "nameComponent") {
            pieces.push(Int::Const(self.piece_named(args.call.place, name)?.into()));
        }
        if let Some(piece) = self.opt_int(&args, "component")? {
            pieces.push(piece);
        }
        for name in self.texts_of(&args, "nameComponents") {
            pieces.push(Int::Const(self.piece_named(args.call.place, &name)?.into()));
        }
        if let Some(list) = self.ints_of_names(&args, "components")? {
            pieces.extend(list);
        }
        let state = self.opt_int(&args, "state")?;
        self.done(&args)?;
        Ok((pieces, state))
    }

    pub(super) fn add(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let (what, state) = match args.get("what") {
            Some(what) => self.pieces(what)?,
            None => (vec![Int::Mover], None),
        };
        let to = self.target(args)?;
        let stack = self.flag(args, "stack");
        if stack {
            self.flags.stacking = true;
        }
        let count = self.int_or(args, "count", Int::Const(1))?;
        if to.level.is_some() {
            self.flags.stacking = true;
        }
        if !matches!(count, Int::Const(1)) {
            self.flags.counts = true;
        }
        Ok(MovesKind::Add(Box::new(Add {
            what,
            state,
            kind: to.kind.unwrap_or(self.topo.default),
            site: to.site,
            region: to.region,
            level: to.level,
            cond: to.cond,
            effect: to.effect,
            effect_if: to.effect_if,
            count,
            decision,
        })))
    }

    /// A claim is an addition; what follows one of a single site comes with it, which is refused.
    fn claim(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let MovesKind::Add(add) = self.add(args, decision)? else {
            return self.unknown(args);
        };
        if add.effect.is_some() || add.level.is_some() || (add.site.is_some() && args.has("then")) {
            return self.unknown(args);
        }
        Ok(MovesKind::Add(add))
    }

    fn select(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From)?;
        let to = if args.has("to") {
            let to = self.target(args)?;
            let region = match (to.region, to.site) {
                (Some(region), _) => region,
                (None, Some(site)) => Region::One(Box::new(site)),
                (None, None) => Region::One(Box::new(Int::To)),
            };
            if to.has_apply {
                return self.refuse(args.call.place, "an effect of a selection");
            }
            Some(SelectTo {
                kind: to.kind.unwrap_or(self.topo.default),
                region,
                level: to.level,
                cond: to.cond.unwrap_or(Bool::Const(true)),
            })
        } else {
            None
        };
        let region = match from.region {
            Some(region) => region,
            None => Region::One(Box::new(from.site)),
        };
        Ok(MovesKind::Select(Box::new(Select {
            kind: from.kind.unwrap_or(self.topo.default),
            from: region,
            level: from.level,
            cond: from.cond.unwrap_or(Bool::Const(true)),
            to,
            mover: self.word(args, "mover").map(|role| self.role(role)),
            decision,
        })))
    }

    fn for_each(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        use MovesKind as K;
        Ok(match args.key() {
            "forEach.Piece" => K::ForEachPiece(Box::new(self.for_each_piece(args)?)),
            "forEach.Site" => {
                let region = self.need(args, "region")?;
                let region = Box::new(self.region(region)?);
                let inner = Box::new(self.needed_moves(args, "generator")?);
                let otherwise = self.opt_moves(args, "noMoveYet")?.map(Box::new);
                K::ForEachSite(region, inner, otherwise)
            }
            "forEach.Player" => K::ForEachPlayer(None, Box::new(self.needed_moves(args, "moves")?)),
            "forEach" => {
                let players = self.need(args, "players")?;
                let players = Box::new(self.ints(players)?);
                K::ForEachPlayer(Some(players), Box::new(self.needed_moves(args, "moves")?))
            }
            "forEach.Value" => {
                let values = match args.get("values") {
                    Some(values) => Values::List(self.ints(values)?),
                    None => Values::Range(self.need_int(args, "min")?, self.need_int(args, "max")?),
                };
                let inner = Box::new(self.needed_moves(args, "generator")?);
                K::ForEachValue(Box::new(values), inner)
            }
            "forEach.Die" => K::ForEachDie(Box::new(ForEachDie {
                dice: self.int_or(args, "handDiceIndex", Int::Const(0))?,
                combined: self.bool_or(args, "combined", false)?,
                replay_double: self.bool_or(args, "replayDouble", false)?,
                cond: self.bool_or(args, "if", true)?,
                moves: self.needed_moves(args, "moves")?,
            })),
            "forEach.Direction" => self.for_each_direction(args)?,
            "forEach.Level" => {
                let kind = self.kind(args, "type");
                let site = Box::new(self.need_int(args, "site")?);
                let bottom = self.word(args, "stackDirection") == Some("FromBottom");
                let inner = Box::new(self.needed_moves(args, "moves")?);
                K::ForEachLevel(kind, site, bottom, inner)
            }
            "forEach.Group" => {
                let groups = Box::new(self.groups(args)?);
                K::ForEachGroup(groups, Box::new(self.needed_moves(args, "moves")?))
            }
            "forEach.Team" => K::ForEachTeam(Box::new(self.needed_moves(args, "moves")?)),
            _ => return self.unknown(args),
        })
    }

    fn for_each_piece(&mut self, args: &Args<'_>) -> Lowered<ForEachPiece> {
        let mut items = self.texts_of(args, "item");
        items.extend(self.texts_of(args, "items"));
        let container = match self.text(args, "containerName") {
            None => self.int_or(args, "container", Int::Const(0))?,
            Some(name) => match self.containers.iter().position(|c| &*c.name == name) {
                Some(at) => Int::Const(at as i32),
                None => return self.refuse(args.call.place, "this container"),
            },
        };
        let role = self.word(args, "role");
        let everybody = matches!(role, Some("All" | "Each"));
        let player = self.player(args, &["player", "role"])?;
        let top = self.bool_or(args, "top", false)?;
        self.flags.stacking |= args.has("top");
        Ok(ForEachPiece {
            on: self.kind(args, "on"),
            items,
            container,
            moves: self.opt_moves(args, "specificMoves")?,
            player: player.unwrap_or(Int::Mover),
            everybody,
            top,
        })
    }

    fn for_each_direction(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        let origin = self.origin(args, Int::From)?;
        if origin.region.is_some() || origin.level.is_some() || origin.cond.is_some() {
            return self.refuse(args.call.place, "this start of `(forEach Direction …)`");
        }
        let passed = self.passed(args)?;
        let dirs = match args.get("directions") {
            Some(dirs) => self.directions(dirs)?,
            None => Directions::Absolute(vec![Dir::ADJACENT]),
        };
        let (cond, moves) = match args.get("moves") {
            Some(moves) => (None, self.moves(moves)?),
            None => {
                let to = self.target(args)?;
                let Some(effect) = to.effect else {
                    return self.unknown(args);
                };
                if to.effect_if.is_some() {
                    return self.unknown(args);
                }
                (to.cond, effect)
            }
        };
        if passed.effect.is_some() || passed.trail.is_some() {
            return self.unknown(args);
        }
        let one = Range { min: Int::Const(1), max: Int::Const(1) };
        Ok(MovesKind::ForEachDirection(Box::new(ForEachDirection {
            kind: origin.kind,
            from: origin.site,
            dirs,
            distance: passed.range.unwrap_or(one),
            between: passed.cond,
            to: cond,
            moves,
        })))
    }

    /// A word of an argument's value, for roles in lists.
    pub(super) fn roles(&self, items: &[Argument]) -> Vec<&'static str> {
        let word = |item: &Argument| match item.value {
            Value::Word(word) => Some(word),
            _ => None,
        };
        items.iter().filter_map(word).collect()
    }
}
