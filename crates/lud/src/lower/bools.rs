//! Lowering of conditions.

use super::names::Naming;
use super::{Args, Lower, Lowered};
use crate::ir::{
    Angle, Bool, Cmp, Connected, GraphShape, HiddenData, Int, Ints, Line, Loop, Occupied, Path,
    Pattern, Region, Regions, Relation, Repetition, Threatened, Through, Who, Wide,
};
use crate::memo::Memo;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};
use ludex_lang::lud::check::{Argument, Value};

impl Lower<'_> {
    /// A condition.
    pub fn bool(&mut self, argument: &Argument) -> Lowered<Bool> {
        match &argument.value {
            Value::Bool(value) => Ok(Bool::Const(*value)),
            Value::Call(_) => {
                let args = self.call_of(argument)?;
                let cond = self.bool_call(&args)?;
                self.done(&args)?;
                Ok(cond)
            }
            _ => self.refuse(argument.place, "this condition"),
        }
    }

    fn bool_call(&mut self, args: &Args<'_>) -> Lowered<Bool> {
        let key = args.key();
        Ok(match key {
            "and" => Bool::And(self.bools(args)?),
            "or" => Bool::Or(self.bools(args)?),
            "not" => {
                let a = self.need(args, "a")?;
                Bool::Not(Box::new(self.bool(a)?))
            }
            "xor" => {
                let mut both = self.bools(args)?.into_iter();
                match (both.next(), both.next()) {
                    (Some(a), Some(b)) => Bool::Xor(Box::new(a), Box::new(b)),
                    _ => return self.unknown(args),
                }
            }
            "if" => {
                let cond = self.need(args, "cond")?;
                let cond = Box::new(self.bool(cond)?);
                let yes = self.need(args, "ok")?;
                let yes = Box::new(self.bool(yes)?);
                let no = self.bool_or(args, "notOk", false)?;
                Bool::If(cond, yes, Box::new(no))
            }
            "=" => self.compare(args, Cmp::Eq)?,
            "!=" => self.compare(args, Cmp::Ne)?,
            "<" => self.compare(args, Cmp::Lt)?,
            "<=" => self.compare(args, Cmp::Le)?,
            ">" => self.compare(args, Cmp::Gt)?,
            ">=" => self.compare(args, Cmp::Ge)?,
            "toBool" => match self.opt_int(args, "int")? {
                Some(n) => Bool::Compare(Cmp::Ne, Box::new(n), Box::new(Int::Const(0))),
                None => {
                    let number = self.need(args, "float")?;
                    Bool::NotZero(Box::new(self.float(number)?))
                }
            },
            "can.Move" => {
                let moves = self.need(args, "moves")?;
                Bool::CanMove(Box::new(self.moves(moves)?))
            }
            "no.Moves" => {
                let word = self.word(args, "player").unwrap_or("Mover");
                Bool::NoMoves(Who::One(self.role(word)))
            }
            "no.Pieces" => Bool::NoPieces(Box::new(self.count_pieces(args)?)),
            "was.Pass" => Bool::WasPass,
            "all.DiceUsed" => Bool::DiceUsed,
            "all.DiceEqual" => Bool::DiceEqual,
            "all.Passed" => {
                self.flags.not_all_pass = true;
                Bool::AllPassed
            }
            "all.Sites" | "all.Different" => {
                let region = self.need(args, "region")?;
                let region = Box::new(self.region(region)?);
                let Some(cond) = self.opt_bool(args, "if")? else {
                    return self.unknown(args);
                };
                if key == "all.Sites" {
                    Bool::AllSites(region, Box::new(cond))
                } else {
                    Bool::AllDifferent(region, Box::new(cond))
                }
            }
            "all.Values" => {
                let array = self.need(args, "array")?;
                let array = Box::new(self.ints(array)?);
                let cond = self.need(args, "if")?;
                Bool::AllValues(array, Box::new(self.bool(cond)?))
            }
            "all.Groups" => {
                let cond = self.need(args, "if")?;
                let cond = Box::new(self.bool(cond)?);
                let groups = crate::ir::Groups {
                    kind: self.kind_or_default(args, "type"),
                    dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
                    cond: self.opt_bool(args, "of")?,
                    within: None,
                    visible: false,
                };
                Bool::AllGroups(Box::new(groups), cond)
            }
            _ => match key.strip_prefix("is.") {
                Some(what) => self.is(args, what)?,
                None => return self.unknown(args),
            },
        })
    }

    fn bools(&mut self, args: &Args<'_>) -> Lowered<Vec<Bool>> {
        if args.has("list") {
            let items = self.items(args, "list");
            return items.iter().map(|item| self.bool(item)).collect();
        }
        let a = self.need(args, "a")?;
        let a = self.bool(a)?;
        let b = self.need(args, "b")?;
        Ok(vec![a, self.bool(b)?])
    }

    fn compare(&mut self, args: &Args<'_>, cmp: Cmp) -> Lowered<Bool> {
        if let (Some(a), Some(b)) = (args.get("regionA"), args.get("regionB")) {
            let same = Bool::SameRegion(Box::new(self.region(a)?), Box::new(self.region(b)?));
            return Ok(match cmp {
                Cmp::Eq => same,
                _ => Bool::Not(Box::new(same)),
            });
        }
        let a = self.need_int(args, "valueA")?;
        let b = self.player(args, &["valueB", "roleB"])?;
        let Some(b) = b else {
            return self.unknown(args);
        };
        Ok(Bool::Compare(cmp, Box::new(a), Box::new(b)))
    }

    fn is_player(&mut self, args: &Args<'_>) -> Lowered<Box<Int>> {
        match self.player(args, &["index", "role"])? {
            Some(player) => Ok(Box::new(player)),
            None => self.unknown(args),
        }
    }

    fn is(&mut self, args: &Args<'_>, what: &str) -> Lowered<Bool> {
        Ok(match what {
            "Empty" | "Occupied" => {
                let kind = self.kind_or_default(args, "type");
                let at = Box::new(self.need_int(args, "at")?);
                match what {
                    "Empty" => Bool::Empty(kind, at),
                    _ => Bool::Occupied(kind, at),
                }
            }
            "In" => self.is_in(args)?,
            "Enemy" | "Friend" => {
                let player = self.is_player(args)?;
                self.site_for_player(args, &player);
                if what == "Enemy" { Bool::Enemy(player) } else { Bool::Friend(player) }
            }
            "Mover" => Bool::IsMover(self.is_player(args)?),
            "Next" => Bool::IsNext(self.is_player(args)?),
            "Prev" => Bool::IsPrev(self.is_player(args)?),
            "Active" => Bool::IsActive(self.is_player(args)?),
            "Pending" => Bool::Pending,
            "Full" => Bool::Full,
            "Solved" => {
                self.solved.get_or_insert(args.call.place);
                Bool::Solved
            }
            "Cycle" => {
                self.flags.cycles = true;
                Bool::Cycle
            }
            "Repeat" => {
                let kind = self.repetition(self.word(args, "repetitionType"));
                if self.flags.repeats.is_some_and(|other| other != kind) {
                    let why = "a game compares its positions in one way";
                    return self.refuse_for(args.call.place, "repetitions of several kinds", why);
                }
                self.flags.repeats = Some(kind);
                Bool::Repeat(kind)
            }
            "Tree" | "SpanningTree" | "CaterpillarTree" | "TreeCentre" | "RegularGraph" => {
                let Some(who) = self.player(args, &["who", "role"])? else {
                    return self.unknown(args);
                };
                let shape = match what {
                    "Tree" => GraphShape::Tree,
                    "SpanningTree" => GraphShape::SpanningTree,
                    "CaterpillarTree" => GraphShape::CaterpillarTree,
                    "TreeCentre" => GraphShape::TreeCentre,
                    _ => GraphShape::Regular {
                        degree: self.int_or(args, "k", Int::Const(0))?,
                        odd: self.bool_or(args, "odd", false)?,
                        even: self.bool_or(args, "even", false)?,
                    },
                };
                Bool::Shape(Box::new(shape), Box::new(who))
            }
            "Proposed" | "Decided" => {
                let number = self.message_number(self.text(args, "string").unwrap_or(""));
                match what {
                    "Proposed" => Bool::Proposed(number),
                    _ => Bool::Decided(number),
                }
            }
            "Visited" => {
                self.flags.visited = true;
                Bool::Visited(Box::new(self.int_or(args, "value", Int::To)?))
            }
            "Odd" => Bool::Odd(Box::new(self.need_int(args, "value")?)),
            "Even" => {
                let n = self.need_int(args, "value")?;
                Bool::Not(Box::new(Bool::Odd(Box::new(n))))
            }
            "Freedom" => {
                let region = self.need(args, "in")?;
                let region = Box::new(self.region(region)?);
                let kind = self.kind_or_default(args, "type");
                Bool::Freedom(kind, region, self.opt_int(args, "toPlace")?.map(Box::new))
            }
            "Flat" => Bool::Flat(Box::new(self.int_or(args, "value", Int::To)?)),
            "Target" => self.target_reached(args)?,
            "Hidden" => {
                let data = self.hidden_data(self.word(args, "dataType"));
                let kind = self.kind_or_default(args, "type");
                let at = Box::new(self.need_int(args, "at")?);
                let level = self.opt_int(args, "level")?.map(Box::new);
                match self.who(args, &["to"])? {
                    Some(Who::One(player)) => Bool::Hidden(data, kind, at, level, Box::new(player)),
                    _ => return self.unknown(args),
                }
            }
            "Blocked" => Bool::Blocked(Box::new(self.connected(args)?)),
            "AnyDie" => Bool::AnyDie(Box::new(self.need_int(args, "value")?)),
            "Line" => Bool::Line(Box::new(self.line(args)?)),
            "Connected" => Bool::Connected(Box::new(self.connected(args)?)),
            "Loop" => Bool::Loop(Box::new(self.looped(args)?)),
            "Acute" => self.angle(args, Wide::Acute)?,
            "Right" => self.angle(args, Wide::Right)?,
            "Obtuse" => self.angle(args, Wide::Obtuse)?,
            "Reflex" => self.angle(args, Wide::Reflex)?,
            "Related" => {
                let relation = self.relation(self.word(args, "relationType"));
                let kind = self.kind_or_default(args, "type");
                let a = Box::new(self.need_int(args, "siteA")?);
                let b = match self.opt_region(args, "region")? {
                    Some(region) => region,
                    None => Region::One(Box::new(self.need_int(args, "siteB")?)),
                };
                Bool::Related(relation.unwrap_or(Relation::Adjacent), kind, a, Box::new(b))
            }
            "Threatened" => {
                let at = match self.opt_region(args, "in")? {
                    Some(region) => Some(region),
                    None => self.opt_int(args, "at")?.map(|at| Region::One(Box::new(at))),
                };
                let what = self.opt_int(args, "what")?;
                let at = match (at, &what) {
                    (Some(at), _) => Some(at),
                    (None, Some(what)) => {
                        Some(Region::One(Box::new(Int::Where(Box::new(crate::ir::Where {
                            piece: crate::ir::PieceRef::Index(what.clone()),
                            state: None,
                            kind: self.topo.default,
                        })))))
                    }
                    (None, None) => Some(Region::Occupied(Box::new(Occupied {
                        by: Who::Role(crate::ir::Role::All),
                        container: None,
                        what: None,
                        what_index: None,
                        top: false,
                        on: None,
                    }))),
                };
                Bool::Threatened(Box::new(Threatened {
                    what,
                    kind: self.kind_or_default(args, "type"),
                    at,
                    by: self.opt_moves(args, "specificMoves")?,
                }))
            }
            "Within" => {
                let what = Box::new(self.need_int(args, "what")?);
                let kind = self.kind(args, "type");
                Bool::Within(what, kind, Box::new(self.at_or_in(args, &["in"])?))
            }
            "LastFrom" | "LastTo" => {
                Bool::LastType(what == "LastFrom", self.kind_or_default(args, "type"))
            }
            "Triggered" => {
                let event: Box<str> = self.text(args, "event").unwrap_or("").into();
                self.name_asked(args.call.place, Naming::Event, &event);
                Bool::Triggered(event, self.is_player(args)?)
            }
            "Crossing" => Bool::Crossing(
                Box::new(self.need_int(args, "edge1")?),
                Box::new(self.need_int(args, "edge2")?),
            ),
            "Pattern" => Bool::Pattern(Box::new(self.pattern(args)?)),
            "Path" => {
                let length = self.need(args, "length")?;
                Bool::Path(Box::new(Path {
                    kind: self.kind_or_default(args, "type"),
                    from: self.int_or(args, "from", Int::LastTo { after: false })?,
                    who: self.player(args, &["who", "role"])?.unwrap_or(Int::Mover),
                    length: self.range(length)?,
                    closed: self.bool_or(args, "closed", false)?,
                }))
            }
            "PyramidCorners" => {
                let kind = self.kind_or_default(args, "type");
                let tips = match self.opt_region(args, "froms")? {
                    Some(tips) => tips,
                    None => {
                        let from = self.int_or(args, "from", Int::LastTo { after: false })?;
                        Region::One(Box::new(from))
                    }
                };
                Bool::PyramidCorners(kind, Box::new(tips))
            }
            "PipsMatch" => {
                let site = self.int_or(args, "value", Int::LastTo { after: false })?;
                Bool::PipsMatch(Box::new(site))
            }
            "SidesMatch" => {
                let site = self.int_or(args, "value", Int::LastTo { after: false })?;
                Bool::SidesMatch(Box::new(site))
            }
            _ => return self.unknown(args),
        })
    }

    fn target_reached(&mut self, args: &Args<'_>) -> Lowered<Bool> {
        let number = self.opt_int(args, "containerId")?;
        let board = number.is_none_or(|number| number == Int::Const(0));
        if !board || self.text(args, "containerName").is_some_and(|name| name != "Board") {
            let what = "`(is Target …)` of another container than the board";
            return self.refuse_for(args.call.place, what, "pieces in hands are counted");
        }
        let constants = |list: Vec<Int>| -> Option<Vec<i32>> {
            let number = |int: Int| match int {
                Int::Const(n) => Some(n),
                _ => None,
            };
            list.into_iter().map(number).collect()
        };
        let wanted = self.ints_of_names(args, "configuration")?.and_then(constants);
        let sites = match self.ints_of_names(args, "specificSites")? {
            Some(sites) => constants(sites),
            None => match self.opt_int(args, "specificSite")? {
                Some(site) => constants(vec![site]),
                None => {
                    let count = self.topo.count(self.topo.default) as i32;
                    let cells = self.topo.count(SiteType::Cell);
                    let whole = wanted.as_ref().is_some_and(|w| w.len() == cells);
                    Some(if whole { (0..count).collect() } else { Vec::new() })
                }
            },
        };
        match (wanted, sites) {
            (Some(wanted), Some(sites)) if wanted.len() == sites.len() => {
                Ok(Bool::Target(wanted, sites))
            }
            (Some(_), Some(_)) => Ok(Bool::Const(false)),
            _ => self.unknown(args),
        }
    }

    pub(super) fn hidden_data(&self, word: Option<&str>) -> HiddenData {
        match word {
            None => HiddenData::All,
            Some("What") => HiddenData::What,
            Some("Who") => HiddenData::Who,
            Some("State") => HiddenData::State,
            Some("Count") => HiddenData::Count,
            Some("Rotation") => HiddenData::Rotation,
            Some(_) => HiddenData::Value,
        }
    }

    fn is_in(&mut self, args: &Args<'_>) -> Lowered<Bool> {
        let sites = match self.ints_of_names(args, "sites")? {
            Some(list) => list,
            None => vec![self.int_or(args, "site", Int::To)?],
        };
        if let Some(region) = self.opt_region(args, "region")? {
            return Ok(Bool::In(sites, Box::new(region)));
        }
        let array = self.need(args, "array")?;
        let array: Ints = self.ints(array)?;
        Ok(Bool::InInts(sites, Box::new(array)))
    }

    fn line(&mut self, args: &Args<'_>) -> Lowered<Line> {
        let through = match self.opt_region(args, "throughAny")? {
            Some(region) => Through::Any(region),
            None => Through::One(self.int_or(args, "through", Int::LastTo { after: false })?),
        };
        let what = match self.opt_int(args, "what")? {
            Some(what) => Some(vec![what]),
            None => self.ints_of_names(args, "whats")?,
        };
        let who = self.word(args, "who").map(|role| self.role(role));
        let by_level = self.bool_or(args, "byLevel", false)?;
        // Lines of stacks go through one site and have no gaps.
        let flat = ["throughAny", "contiguous", "throughHowMuch", "isVisible", "useOpposites"];
        if flat.iter().any(|name| args.has(name)) {
            self.flags.flat_line = Some(args.call.place);
        }
        let visible = self.visible(args)?;
        if visible && (args.has("throughAny") || args.has("contiguous")) {
            return self.refuse(args.call.place, "a visible line through any of several sites");
        }
        let length = self.need_int(args, "length")?;
        if matches!(length, Int::Const(..=0)) {
            return self.wrong(args.call.place, "a line has at least one site");
        }
        let (kind, dir) =
            (self.kind_or_default(args, "type"), self.dir_or(args, "dirn", Dir::ADJACENT));
        if let Int::Const(length) = length {
            self.line_asked(args.call.place, kind, dir, length);
        }
        Ok(Line {
            kind,
            length,
            dir,
            through,
            who,
            what,
            exact: self.bool_or(args, "exact", false)?,
            contiguous: self.bool_or(args, "contiguous", true)?,
            cond: self.bool_or(args, "if", true)?,
            by_level,
            top: self.bool_or(args, "top", false)?,
            opposites: self.bool_or(args, "useOpposites", true)?,
            kinds: self.opt_int(args, "throughHowMuch")?,
            visible,
        })
    }

    fn connected(&mut self, args: &Args<'_>) -> Lowered<Connected> {
        let regions = if args.has("regions") {
            let items = self.items(args, "regions");
            let list: Lowered<Vec<Region>> = items.iter().map(|item| self.region(item)).collect();
            Regions::List(list?)
        } else if let Some(role) = self.word(args, "role") {
            Regions::Owned(self.role(role))
        } else {
            let word = self.word(args, "regionType").unwrap_or("");
            Regions::Static(self.static_regions(args, word)?)
        };
        Ok(Connected {
            number: self.opt_int(args, "number")?,
            kind: self.kind_or_default(args, "type"),
            at: self.int_or(args, "at", Int::LastTo { after: false })?,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            regions,
        })
    }

    pub(super) fn static_regions(&self, args: &Args<'_>, word: &str) -> Lowered<Vec<SiteSet>> {
        let plane = self.topo.plane(self.topo.default);
        Ok(match word {
            "Rows" => plane.rows.clone(),
            "Columns" => plane.columns.clone(),
            "Layers" => plane.layers.clone(),
            "Corners" => plane.set("Corners").iter().map(|s| [s].into_iter().collect()).collect(),
            "Sides" => self.sides(false),
            "SidesNoCorners" => self.sides(true),
            "AllSites" => vec![SiteSet::first(plane.count)],
            _ => {
                let what = format!("the region type `{word}`");
                return self.refuse(args.call.place, &what);
            }
        })
    }

    fn sides(&self, without_corners: bool) -> Vec<SiteSet> {
        let plane = self.topo.plane(self.topo.default);
        let corners = plane.set("Corners");
        let sides = plane.named.iter().filter(|(name, _)| name.starts_with("Side "));
        let mut out: Vec<SiteSet> = sides.map(|(_, set)| set.clone()).collect();
        if without_corners {
            for side in &mut out {
                side.subtract(&corners);
            }
        }
        out.retain(|side| !side.is_empty());
        out
    }

    fn angle(&mut self, args: &Args<'_>, wide: Wide) -> Lowered<Bool> {
        let first = self.need(args, "conditionSite")?;
        let second = self.need(args, "conditionSite2")?;
        Ok(Bool::Angle(Box::new(Angle {
            wide,
            kind: self.kind_or_default(args, "type"),
            at: self.need_int(args, "at")?,
            first: self.bool(first)?,
            second: self.bool(second)?,
        })))
    }

    pub(super) fn looped(&mut self, args: &Args<'_>) -> Lowered<Loop> {
        let mut surround = Vec::new();
        if let Some(role) = self.word(args, "surround") {
            surround.push(self.who_of_role(role));
        }
        for role in self.words(args, "surroundList") {
            surround.push(self.who_of_role(role));
        }
        let path = self.flag(args, "path");
        let starts = match self.opt_region(args, "regionStart")? {
            Some(region) if path => Some(region),
            // Loops of pieces start where the last move ended, if no one site is said.
            Some(_) => None,
            None => self.opt_int(args, "start")?.map(|s| Region::One(Box::new(s))),
        };
        Ok(Loop {
            kind: self.kind_or_default(args, "type"),
            surround,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            colour: self.opt_int(args, "colour")?,
            starts,
            path,
        })
    }

    pub(super) fn pattern(&mut self, args: &Args<'_>) -> Lowered<Pattern> {
        let what = match self.opt_int(args, "what")? {
            Some(what) => Some(vec![what]),
            None => self.ints_of_names(args, "whats")?,
        };
        if what.as_ref().is_some_and(Vec::is_empty) {
            return self.wrong(args.call.place, "this pattern is of no pieces");
        }
        let walk = self.items(args, "walk");
        Ok(Pattern {
            walk: self.walk(walk),
            kind: self.kind_or_default(args, "type"),
            from: self.int_or(args, "from", Int::LastTo { after: false })?,
            what,
            paths: Memo::default(),
        })
    }

    /// What may not be repeated, by name.
    pub(super) fn repetition(&self, word: Option<&str>) -> Repetition {
        match word {
            Some("Situational") => Repetition::Situational,
            Some("PositionalInTurn") => Repetition::PositionalInTurn,
            Some("SituationalInTurn") => Repetition::SituationalInTurn,
            _ => Repetition::Positional,
        }
    }
}
