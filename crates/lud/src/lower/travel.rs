//! Lowering of moves that take one piece somewhere.

use super::moves::{Target, Uses};
use super::{Args, Lower, Lowered};
use crate::ir::{
    Add, Bool, FromTo, Hop, Int, Leap, Moves, MovesKind, Range, Region, Select, SelectTo, Shoot,
    Slide, Step,
};
use crate::moves::MOST_AT_ONCE;
use crate::topo::{Dir, SiteType};
use ludex_lang::lud::check::Argument;

/// Where a move along a path ends is up to the path: it only has a condition and an effect.
const PATH_TO: Uses =
    Uses { read: &["if", "effect"], idle: &["region", "loc", "level", "rotations"] };

/// A leap takes the piece on top.
const LEAP_FROM: Uses = Uses { read: &["if"], idle: &["level"] };

/// A hop takes the piece at hand, as a whole or the one on top.
const HOP_FROM: Uses = Uses { read: &["if"], idle: &["region", "level"] };

/// A slide goes on as long as it may.
const SLIDE_OVER: Uses =
    Uses { read: &["range", "if", "trail", "effect"], idle: &["before", "after"] };

/// What is selected is not changed.
const SELECT_TO: Uses =
    Uses { read: &["region", "loc", "level", "if"], idle: &["rotations", "effect"] };

/// A hop leaves no trail.
const HOP_OVER: Uses =
    Uses { read: &["before", "range", "after", "if", "effect"], idle: &["trail"] };

/// Where a piece is carried, and how it is turned there.
const CARRY_TO: Uses = Uses::only(&["region", "loc", "level", "rotations", "if", "effect"]);

/// A claim only says where.
const CLAIM_TO: Uses =
    Uses { read: &["region", "loc", "if"], idle: &["level", "rotations", "effect"] };

/// Farther than any board.
const FAR: i32 = 1000;

impl Lower<'_> {
    pub(super) fn effect_of(target: &mut Target) -> Option<Moves> {
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
        let from = self.origin(args, Int::From, &Uses::only(&["level", "if"]))?;
        let mut to = self.target(args, &PATH_TO)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack;
        Ok(MovesKind::Step(Box::new(Step {
            from,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            cond: to.cond.take().unwrap_or(Bool::Const(true)),
            effect: Self::effect_of(&mut to),
            stack,
            decision,
        })))
    }

    pub(super) fn slide(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From, &Uses::only(&["level", "if"]))?;
        let passed = self.passed(args, &SLIDE_OVER)?;
        let to = self.target(args, &PATH_TO)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack;
        let track = self.track_name(args, "track")?;
        let kind = self.topo.default;
        let empty = Bool::In(vec![Int::Between], Box::new(Region::Empty(kind)));
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

    pub(super) fn hop(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From, &HOP_FROM)?;
        let has_between = args.has("between");
        let passed = self.passed(args, &HOP_OVER)?;
        let to = self.target(args, &PATH_TO)?;
        let stack = self.flag(args, "stack");
        self.flags.stacking |= stack;
        let Some(go) = to.cond else {
            let why = "say where it may end, as in `(to if:(is Empty (to)))`";
            return self.refuse_for(args.call.place, "a hop without a condition where to", why);
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

    pub(super) fn leap(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From, &LEAP_FROM)?;
        let mut to = self.target(args, &PATH_TO)?;
        let Some(go) = to.cond.take() else {
            let why = "say where it may end, as in `(to if:(is Empty (to)))`";
            return self.refuse_for(args.call.place, "a leap without a condition where to", why);
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

    pub(super) fn carry(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From, &Uses::only(&["region", "level", "if"]))?;
        let to = self.target(args, &CARRY_TO)?;
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

    pub(super) fn shoot(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let what = self.need(args, "what")?;
        let (mut pieces, state) = self.pieces(what)?;
        let origin = self.origin(args, Int::LastTo { after: false }, &Uses::only(&[]))?;
        let passed = self.passed(args, &Uses::only(&["if"]))?;
        let to = self.target(args, &Uses::only(&["if"]))?;
        let kind = origin.kind.unwrap_or(self.topo.default);
        if pieces.len() != 1 || state.is_some() {
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

    /// The pieces of a `(piece …)` where their state means nothing.
    pub(super) fn stateless(&mut self, argument: &Argument) -> Lowered<Vec<Int>> {
        match self.pieces(argument)? {
            (pieces, None) => Ok(pieces),
            (_, Some(_)) => self.refuse(argument.place, "the argument `state` of this `(piece …)`"),
        }
    }

    pub(super) fn add(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        self.added(args, decision, &Uses::only(&["region", "loc", "level", "if", "effect"]))
    }

    fn added(&mut self, args: &Args<'_>, decision: bool, uses: &Uses) -> Lowered<MovesKind> {
        let (what, state) = match args.get("what") {
            Some(what) => self.pieces(what)?,
            None => {
                self.mover_puts(args.call.place);
                (vec![Int::Mover], None)
            }
        };
        let to = self.target(args, uses)?;
        let stack = self.flag(args, "stack");
        if stack {
            self.flags.stacking = true;
        }
        let count = self.int_or(args, "count", Int::Const(1))?;
        if to.level.is_some() {
            self.flags.stacking = true;
        }
        self.count_fits(args.call.place, &count, MOST_AT_ONCE)?;
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
            with: None,
            decision,
        })))
    }

    /// A claim is an addition; what follows one of a single site is a part of it.
    pub(super) fn claim(&mut self, args: &Args<'_>) -> Lowered<Moves> {
        let decision = args.key().starts_with("move");
        let MovesKind::Add(mut add) = self.added(args, decision, &CLAIM_TO)? else {
            return self.unknown(args);
        };
        let then = args.get("then").map(|then| self.then(then)).transpose()?;
        let whole = add.site.is_some();
        add.with = then.filter(|_| whole);
        Ok(Moves { kind: MovesKind::Add(add), then: then.filter(|_| !whole) })
    }

    pub(super) fn select(&mut self, args: &Args<'_>, decision: bool) -> Lowered<MovesKind> {
        let from = self.origin(args, Int::From, &Uses::only(&["region", "level", "if"]))?;
        let to = if args.has("to") {
            let to = self.target(args, &SELECT_TO)?;
            let region = match (to.region, to.site) {
                (Some(region), _) => region,
                (None, Some(site)) => Region::One(Box::new(site)),
                (None, None) => Region::One(Box::new(Int::To)),
            };
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
}
