//! Lowering of moves: everything that takes a piece somewhere, and how moves are combined.

use super::{Args, Lower, Lowered};
use crate::ir::{Bool, Do, Int, Ints, Moves, MovesKind, Origin, Range, Region};
use crate::topo::SiteType;
use ludex_lang::lud::check::Argument;

/// Rules that take a `(then …)` of which nothing comes, in the reference as well.
const WITHOUT_THEN: &[&str] = &[
    "avoidStoredState",
    "directional",
    "max.Distance",
    "max.Moves",
    "note",
    "set.Counter",
    "set.Pot",
    "surround",
    "trigger",
];

/// The `(to …)` of a move.
#[derive(Default)]
pub(super) struct Target {
    pub kind: Option<SiteType>,
    pub region: Option<Region>,
    pub site: Option<Int>,
    pub level: Option<Int>,
    pub cond: Option<Bool>,
    pub effect: Option<Moves>,
    pub effect_if: Option<Bool>,
    pub rotations: Option<Ints>,
}

/// The parts of a `(from …)`, `(between …)` or `(to …)` that a move reads, besides the kind of
/// site. What it neither reads nor knows to be idle is refused.
pub(super) struct Uses {
    pub read: &'static [&'static str],
    /// Parts that the language allows and that change nothing about this move.
    pub idle: &'static [&'static str],
}

impl Uses {
    /// Only these parts.
    pub(super) const fn only(read: &'static [&'static str]) -> Self {
        Uses { read, idle: &[] }
    }
}

/// A call of which only some parts mean anything where it stands.
struct Parts<'a, 'p> {
    args: Args<'a>,
    uses: &'p Uses,
}

impl<'a> Parts<'a, '_> {
    fn part(&self, name: &str) -> Option<&'a Argument> {
        if self.uses.read.contains(&name) { self.args.get(name) } else { None }
    }
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
        if matches!(args.key(), "move.Claim" | "claim") {
            let claim = self.claim(&args)?;
            self.done(&args)?;
            return Ok(claim);
        }
        let kind = self.moves_call(&args)?;
        let mut then = match args.get("then") {
            Some(then) => Some(self.then(then)?),
            None => None,
        };
        if then.is_some() && WITHOUT_THEN.contains(&args.key()) {
            let message = format!("nothing can follow {}", args.spoken());
            let help = "put what shall follow beside it, in `(and …)`".to_string();
            self.warn(args.call.place, message, Some(help));
            then = None;
        }
        self.done(&args)?;
        Ok(Moves { kind, then })
    }

    pub(super) fn then(&mut self, argument: &Argument) -> Lowered<u32> {
        let args = self.call_of(argument)?;
        let moves = self.need(&args, "moves")?;
        let inside = std::mem::replace(&mut self.flags.inside_then, true);
        let moves = self.moves(moves)?;
        self.flags.inside_then = inside;
        let late = self.flag(&args, "applyAfterAllMoves");
        self.done(&args)?;
        // Rules that are alike have one number, so that moves can be compared by it.
        let alike = |(number, known): &(u32, &Moves)| {
            **known == moves && self.late.contains(number) == late
        };
        if let Some((number, _)) = (0..).zip(&self.consequences).find(alike) {
            return Ok(number);
        }
        let number = self.consequences.len() as u32;
        if late {
            self.late.push(number);
        }
        self.consequences.push(moves);
        Ok(number)
    }

    pub(super) fn needed_moves(&mut self, args: &Args<'_>, name: &str) -> Lowered<Moves> {
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
            "apply" => {
                let effect = self.opt_moves(args, "effect")?.unwrap_or_else(super::nothing);
                match self.opt_bool(args, "if")? {
                    Some(cond) => K::If(Box::new(cond), Box::new(effect), None),
                    None => K::All(vec![effect]),
                }
            }
            "satisfy" => self.satisfy(args)?,
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
            "do" => {
                let prior = self.needed_moves(args, "prior")?;
                let next = self.opt_moves(args, "next")?;
                let if_afterwards = self.opt_bool(args, "ifAfterwards")?;
                if next.is_none() && if_afterwards.is_none() {
                    let help = "add `next:` or `ifAfterwards:`, or leave `do` out".to_string();
                    let message = "this makes no moves: nothing follows or judges them".into();
                    self.warn(args.call.place, message, Some(help));
                    return Ok(K::None);
                }
                K::Do(Box::new(Do { prior, next, if_afterwards }))
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
                let name = self.track_name(args, "trackName")?;
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

    /// The `(from …)` of a moving piece; `default` where nothing is said. Besides the site and its
    /// kind, only the parts named here mean something to this move; others are left unread.
    pub(super) fn origin(&mut self, args: &Args<'_>, default: Int, uses: &Uses) -> Lowered<Origin> {
        let Some(argument) = args.get("from") else {
            return Ok(Origin { kind: None, site: default, region: None, level: None, cond: None });
        };
        let from = Parts { args: self.call_of(argument)?, uses };
        let origin = Origin {
            region: from.part("region").map(|region| self.region(region)).transpose()?,
            kind: self.kind(&from.args, "type"),
            site: self.int_or(&from.args, "loc", Int::From)?,
            level: from.part("level").map(|level| self.int(level)).transpose()?,
            cond: from.part("if").map(|cond| self.bool(cond)).transpose()?,
        };
        self.parts_done(&from)?;
        Ok(origin)
    }

    /// The `(to …)` of a move, with the parts that mean something to it.
    pub(super) fn target(&mut self, args: &Args<'_>, uses: &Uses) -> Lowered<Target> {
        let Some(argument) = args.get("to") else {
            return Ok(Target::default());
        };
        let to = Parts { args: self.call_of(argument)?, uses };
        let region = to.part("region").map(|region| self.region(region)).transpose()?;
        let site = to.part("loc").map(|site| self.int(site)).transpose()?;
        let mut target = Target {
            kind: self.kind(&to.args, "type"),
            site: match (&region, site) {
                (Some(_), _) => None,
                (None, site) => Some(site.unwrap_or(Int::To)),
            },
            region,
            level: to.part("level").map(|level| self.int(level)).transpose()?,
            rotations: to.part("rotations").map(|turns| self.ints(turns)).transpose()?,
            cond: to.part("if").map(|cond| self.bool(cond)).transpose()?,
            ..Target::default()
        };
        if let Some(apply) = to.part("effect") {
            let (effect, cond) = self.apply(apply)?;
            target.effect = effect;
            target.effect_if = cond;
        }
        self.parts_done(&to)?;
        Ok(target)
    }

    /// Every part given was read, or is idle, which is worth a warning.
    fn parts_done(&mut self, parts: &Parts<'_, '_>) -> Lowered<()> {
        for name in parts.uses.idle {
            if let Some(argument) = parts.args.get(name) {
                let message = format!("`{name}` means nothing in this {}", parts.args.spoken());
                self.warn(argument.place, message, None);
            }
        }
        self.done(&parts.args)
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

    /// The `(between …)` of a move, with the parts that mean something to it.
    pub(super) fn passed(&mut self, args: &Args<'_>, uses: &Uses) -> Lowered<Passed> {
        let Some(argument) = args.get("between") else {
            return Ok(Passed::default());
        };
        let between = Parts { args: self.call_of(argument)?, uses };
        let mut passed = Passed {
            before: between.part("before").map(|n| self.int(n)).transpose()?,
            range: between.part("range").map(|range| self.range(range)).transpose()?,
            after: between.part("after").map(|n| self.int(n)).transpose()?,
            cond: between.part("if").map(|cond| self.bool(cond)).transpose()?,
            trail: between.part("trail").map(|piece| self.int(piece)).transpose()?,
            effect: None,
        };
        if let Some(apply) = between.part("effect") {
            let (effect, cond) = self.apply(apply)?;
            if let Some(cond) = cond {
                let effect = effect.unwrap_or_else(super::nothing);
                let kind = MovesKind::If(Box::new(cond), Box::new(effect), None);
                passed.effect = Some(Moves { kind, then: None });
            } else {
                passed.effect = effect;
            }
        }
        self.parts_done(&between)?;
        Ok(passed)
    }
}
