//! Lowering of lists of numbers and of players.

use super::names::Naming;
use super::{Args, Lower, Lowered};
use crate::ir::{Bool, Int, Ints, PlayerSet, Relation, Who};
use ludex_lang::lud::check::{Argument, Value};
use ludex_lang::lud::table::table;

impl Lower<'_> {
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

    /// How a piece is turned, by the directions it then looks in.
    fn rotations(&self, args: &Args<'_>) -> Vec<Int> {
        let mut words = self.words(args, "directionsOfRotation");
        words.extend(self.word(args, "directionOfRotation"));
        let kind = self.topo.default;
        let plane = self.topo.plane(kind);
        let sides = self.topo.sides().max(1);
        let ratio = (plane.supported(Relation::All).len() / sides).max(1);
        let (compass, names) =
            (table().values("CompassDirection"), table().values("AbsoluteDirection"));
        let mut out: Vec<i32> = Vec::new();
        for word in words {
            let group = match word {
                "All" | "Adjacent" | "Orthogonal" | "Diagonal" | "OffDiagonal" => {
                    let relation = self.relation(Some(word)).unwrap_or(Relation::Adjacent);
                    let dirs = plane.supported(relation).iter();
                    dirs.filter_map(|dir| names.get(dir.0 as usize).copied()).collect()
                }
                word => vec![word],
            };
            for at in group.iter().filter_map(|dir| compass.iter().position(|name| name == dir)) {
                let turn = (at / ratio) as i32;
                if !out.contains(&turn) {
                    out.push(turn);
                }
            }
        }
        out.into_iter().map(Int::Const).collect()
    }

    pub(super) fn ints_call(&mut self, args: &Args<'_>) -> Lowered<Ints> {
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
            "rotations" => Ints::List(self.rotations(args)),
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
            "values.Remembered" => {
                let name = self.text(args, "name");
                if let Some(name) = name {
                    self.name_asked(args.call.place, Naming::Remembered, name);
                }
                Ints::Remembered(name.map(Into::into))
            }
            "team" => Ints::Team,
            "sizes.Group" => {
                let who = self.who(args, &["role", "of"])?;
                let everybody =
                    who.is_none() || matches!(self.word(args, "role"), Some("All" | "Shared"));
                let min = Box::new(self.int_or(args, "min", Int::Const(0))?);
                let mut groups = Box::new(self.groups(args)?);
                groups.visible = self.visible(args)?;
                // Without a player, a condition is asked of pieces that are everybody's.
                let everybody = everybody && (groups.cond.is_none() || args.has("role"));
                let who = who.unwrap_or(Who::One(Int::Const(self.players + 1)));
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

    pub(super) fn player_set(&mut self, args: &Args<'_>, set: &str) -> Lowered<Ints> {
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

    pub(super) fn arrays(&mut self, args: &Args<'_>) -> Lowered<Vec<Ints>> {
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
