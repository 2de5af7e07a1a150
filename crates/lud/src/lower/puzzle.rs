//! Lowering of deduction puzzles: what is given, and the constraints.

use super::{Args, Lower, Lowered};
use crate::game::Component;
use crate::ir::visit::Part;
use crate::ir::{
    Clause, Cmp, Hint, Int, MovesKind, Over, Region, SheetParts, SheetRegion, Start, Term,
};
use crate::topo::{Dir, SiteType};
use ludex_lang::lud::check::{Argument, Place, Value};
use ludex_lang::lud::closest;

/// The largest number of values of a site.
const MOST_VALUES: i32 = 1000;

impl Lower<'_> {
    /// `(values type range)` of a board: which values its sites may have.
    pub(super) fn sheet_values(&mut self, argument: &Argument) -> Lowered<()> {
        let args = self.call_of(argument)?;
        let kind = self.kind_or_default(&args, "type");
        let range = self.need(&args, "range")?;
        let range = self.range(range)?;
        self.done(&args)?;
        if kind != self.topo.default {
            return Ok(());
        }
        match (range.min, range.max) {
            (Int::Const(min), Int::Const(max)) if min <= max && max - min < MOST_VALUES => {
                self.sheet.values = Some((min, max));
                Ok(())
            }
            (Int::Const(min), Int::Const(max)) if min <= max => {
                let message = format!("a site has at most {MOST_VALUES} values");
                self.wrong(argument.place, message)
            }
            _ => self.wrong(argument.place, "a puzzle needs a range of values, as in (range 1 9)"),
        }
    }

    /// The pieces of a puzzle are its values.
    pub(super) fn value_pieces(&mut self, min: i32, max: i32) {
        self.components.truncate(1);
        self.components.extend(
            (min..=max)
                .map(|value| Component { name: value.to_string().into(), ..Component::default() }),
        );
    }

    /// `(hints …)`.
    pub(super) fn sheet_hints(&mut self, args: &Args<'_>) -> Lowered<()> {
        let kind = self.kind(args, "type").unwrap_or(SiteType::Cell);
        args.get("label");
        for item in self.items(args, "records") {
            let hint = self.call_of(item)?;
            let mut sites = self.numbers(&hint, "region");
            sites.extend(self.number(&hint, "site"));
            let number = self.number(&hint, "hint").unwrap_or(0);
            self.done(&hint)?;
            let count = self.topo.count(kind) as i32;
            if let Some(site) = sites.iter().find(|site| !(0..count).contains(*site)) {
                return self.wrong(item.place, format!("this board has no site {site}"));
            }
            self.sheet.hints.push(Hint { kind, sites, number });
        }
        self.done(args)
    }

    /// Regions that are given by a word, such as `Rows`.
    pub(super) fn sheet_regions(&mut self, args: &Args<'_>, name: &str) -> Lowered<()> {
        let mut words = self.words(args, "staticRegions");
        words.extend(self.word(args, "staticRegion"));
        args.get("hintRegionLabel");
        for word in words {
            let parts = match word {
                "HintRegions" => SheetParts::Hints,
                "AllDirections" => SheetParts::Stars(self.stars()),
                "SubGrids" => {
                    let grids = self.sub_grids();
                    let inside: usize = grids.iter().map(Vec::len).sum();
                    if inside != self.topo.count(SiteType::Cell) {
                        let message = "this board does not fall into square sub-grids".to_owned();
                        let help = format!("only {inside} of its sites are in one");
                        self.warn(args.call.place, message, Some(help));
                    }
                    SheetParts::Lists(grids)
                }
                "Diagonals" => SheetParts::Diagonals(self.long_diagonals()),
                "Touching" => SheetParts::Lists(self.touching()),
                word => {
                    let sets = self.static_regions(args, word)?;
                    SheetParts::Lists(sets.iter().map(|set| set.iter().collect()).collect())
                }
            };
            self.sheet.regions.push(SheetRegion { name: name.into(), parts });
            self.sheet_place.get_or_insert(args.call.place);
        }
        Ok(())
    }

    /// For every site those in line with it.
    fn stars(&self) -> Vec<Vec<i32>> {
        let plane = self.topo.plane(self.topo.default);
        let star = |site: i32| {
            let mut sites = vec![site];
            for radial in plane.radials(site, Dir::ALL) {
                for &other in &radial.sites[1..] {
                    if !sites.contains(&other) {
                        sites.push(other);
                    }
                }
            }
            sites
        };
        (0..plane.count as i32).map(star).collect()
    }

    /// The squares that a square board falls into, as many as each has sites.
    fn sub_grids(&self) -> Vec<Vec<i32>> {
        let plane = self.topo.plane(SiteType::Cell);
        let size = (plane.count as f64).sqrt().sqrt() as i32;
        let mut grids = vec![Vec::new(); (size * size) as usize];
        for site in 0..plane.count {
            let (row, column) = (plane.row[site] / size.max(1), plane.column[site] / size.max(1));
            // What lies beyond is in none.
            if row < size && column < size {
                grids[(row * size + column) as usize].push(site as i32);
            }
        }
        grids
    }

    /// The diagonals from corner to corner.
    fn long_diagonals(&self) -> Vec<Vec<i32>> {
        let plane = self.topo.plane(self.topo.default);
        let mut lines: Vec<Vec<i32>> = Vec::new();
        for corner in plane.set("Corners").iter() {
            for radial in plane.radials(corner, Dir::DIAGONAL) {
                let mut line = radial.sites.to_vec();
                line.sort_unstable();
                if line.len() == plane.rows.len() && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines
    }

    /// Every pair of neighbours.
    fn touching(&self) -> Vec<Vec<i32>> {
        let plane = self.topo.plane(self.topo.default);
        let sites = 0..plane.count as i32;
        let pairs = sites.flat_map(|site| {
            let near = plane.steps(site, Dir::ADJACENT).iter();
            near.map(move |&other| vec![site, other]).collect::<Vec<_>>()
        });
        pairs.filter(|pair| pair[0] < pair[1]).collect()
    }

    /// `(set {{site value} …})` before play.
    pub(super) fn sheet_given(&mut self, args: &Args<'_>) -> Lowered<Start> {
        let kind = self.kind_or_default(args, "type");
        let Some((min, max)) = self.sheet.values else {
            return self.refuse(args.call.place, "setting sites of a board without values");
        };
        let count = self.topo.count(kind) as i32;
        let mut given = Vec::new();
        for item in self.items(args, "values") {
            let numbers: Vec<i32> = match &item.value {
                Value::List(pair) => pair.iter().filter_map(plain).collect(),
                _ => Vec::new(),
            };
            match numbers[..] {
                [site, value] if (0..count).contains(&site) && (min..=max).contains(&value) => {
                    given.push((site, value));
                }
                _ => {
                    let message = format!(
                        "expected a site of this board and a value from {min} to {max}, as in {{0 {min}}}"
                    );
                    return self.wrong(item.place, message);
                }
            }
        }
        self.sheet.given.extend(&given);
        Ok(Start::Assign(kind, given))
    }

    /// `(satisfy …)`.
    pub(super) fn satisfy(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        if self.sheet.values.is_none() {
            let message = "a puzzle needs values on its board, as in (values Cell (range 1 9))";
            return self.wrong(args.call.place, message);
        }
        if self.flags.stacking || self.players != 1 {
            let why = "a puzzle has one player, and one value at each site";
            return self.refuse_for(args.call.place, "a puzzle of this kind", why);
        }
        let mut list: Vec<&Argument> = self.items(args, "constraints").iter().collect();
        list.extend(args.get("constraint"));
        for constraint in list {
            let clause = self.clause(constraint)?;
            self.clauses.push(clause);
        }
        Ok(MovesKind::Satisfy)
    }

    fn clause(&mut self, argument: &Argument) -> Lowered<Clause> {
        if let Value::Bool(known) = &argument.value {
            return Ok(Clause::Const(*known));
        }
        let args = self.call_of(argument)?;
        let clause = self.clause_call(&args)?;
        self.done(&args)?;
        Ok(clause)
    }

    fn needed_clause(&mut self, args: &Args<'_>, name: &str) -> Lowered<Clause> {
        let argument = self.need(args, name)?;
        self.clause(argument)
    }

    fn clause_call(&mut self, args: &Args<'_>) -> Lowered<Clause> {
        Ok(match args.key() {
            "and" => Clause::And(self.clauses_of(args)?),
            "or" => Clause::Or(self.clauses_of(args)?),
            "not" => Clause::Not(Box::new(self.needed_clause(args, "a")?)),
            "if" => {
                let cond = Box::new(self.needed_clause(args, "cond")?);
                let yes = Box::new(self.needed_clause(args, "ok")?);
                let no = match args.has("notOk") {
                    true => self.needed_clause(args, "notOk")?,
                    false => Clause::Const(false),
                };
                Clause::If(cond, yes, Box::new(no))
            }
            "=" => self.comparison(args, Cmp::Eq)?,
            "!=" => self.comparison(args, Cmp::Ne)?,
            "<" => self.comparison(args, Cmp::Lt)?,
            "<=" => self.comparison(args, Cmp::Le)?,
            ">" => self.comparison(args, Cmp::Gt)?,
            ">=" => self.comparison(args, Cmp::Ge)?,
            "forAll" => {
                let over = match self.word(args, "type") {
                    Some("Hint") => Over::Hints,
                    Some("Vertex") => Over::Elements(SiteType::Vertex),
                    Some("Edge") => Over::Elements(SiteType::Edge),
                    _ => Over::Elements(SiteType::Cell),
                };
                let outer = self.flags.of_hint;
                self.flags.of_hint |= matches!(over, Over::Hints);
                let inner = self.needed_clause(args, "constraint");
                self.flags.of_hint = outer;
                Clause::Each(over, Box::new(inner?))
            }
            "all.Sites" => {
                let region = self.need(args, "region")?;
                let region = self.region(region)?;
                Clause::Each(Over::Sites(region), Box::new(self.needed_clause(args, "if")?))
            }
            "all.Different" if !args.has("if") => {
                self.sheet_kind(args, "elementType")?;
                let region = self.settled_region(args)?;
                if region.is_none() {
                    self.some_regions(args.call.place, "differ", "");
                }
                let mut except: Vec<Int> = self.opt_int(args, "except")?.into_iter().collect();
                except.extend(self.ints_of_names(args, "excepts")?.unwrap_or_default());
                Clause::Different(region, except)
            }
            "is.Sum" => {
                self.sheet_kind(args, "type")?;
                let region = self.settled_region(args)?;
                let name = self.text(args, "nameRegion").unwrap_or("");
                if region.is_none() {
                    self.some_regions(args.call.place, "add up", name);
                }
                Clause::Sum(region, name.into(), self.needed_term(args, "result")?)
            }
            "is.Count" => {
                self.sheet_kind(args, "type")?;
                let Some(region) = self.settled_region(args)? else {
                    return self.wrong(args.call.place, "this needs a region");
                };
                let value = self.int_or(args, "of", Int::Const(1))?;
                Clause::Count(region, value, self.needed_term(args, "result")?)
            }
            "is.Unique" => {
                self.sheet_kind(args, "elementType")?;
                self.some_regions(args.call.place, "be told apart", "");
                Clause::Unique
            }
            "is.Line" => {
                self.sheet_kind(args, "type")?;
                let length = self.need_int(args, "length")?;
                Clause::Line(length, self.dir_or(args, "dirn", Dir::ADJACENT))
            }
            "is.In" => self.among(args)?,
            _ => return self.unknown(args),
        })
    }

    /// Values are on sites of one kind.
    fn sheet_kind(&mut self, args: &Args<'_>, name: &str) -> Lowered<()> {
        match self.kind(args, name) {
            Some(kind) if kind != self.topo.default => {
                self.wrong(args.call.place, "the values of this puzzle are on other sites")
            }
            _ => Ok(()),
        }
    }

    fn clauses_of(&mut self, args: &Args<'_>) -> Lowered<Vec<Clause>> {
        if args.has("list") {
            let items = self.items(args, "list");
            return items.iter().map(|item| self.clause(item)).collect();
        }
        Ok(vec![self.needed_clause(args, "a")?, self.needed_clause(args, "b")?])
    }

    /// Greater and smaller compare the values of two sites; equality compares numbers.
    fn comparison(&mut self, args: &Args<'_>, cmp: Cmp) -> Lowered<Clause> {
        let left = self.need(args, "valueA")?;
        if let Some(groups) = called(left, "count.Groups") {
            let inner = Args::new(groups);
            let groups = Box::new(self.groups(&inner)?);
            self.done(&inner)?;
            if groups.cond.is_some() {
                return self.refuse(left.place, "groups of this kind in a puzzle");
            }
            return Ok(Clause::Groups(cmp, groups, self.need_int(args, "valueB")?));
        }
        let (a, b) = (self.term(left)?, self.needed_term(args, "valueB")?);
        let site = |term: Term| match term {
            Term::Number(site) => Term::ValueAt(site),
            other => other,
        };
        let both = matches!((&a, &b), (Term::Number(_), Term::Number(_)));
        Ok(match cmp {
            Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge if both => Clause::Compare(cmp, site(a), site(b)),
            _ => Clause::Compare(cmp, a, b),
        })
    }

    /// `(is In n (results …))`.
    fn among(&mut self, args: &Args<'_>) -> Lowered<Clause> {
        let value = self.needed_term(args, "site")?;
        let array = self.need(args, "array")?;
        let Some(results) = called(array, "results") else {
            return self.refuse(array.place, "this list in a puzzle");
        };
        let inner = Args::new(results);
        let from = self.site_or_region(&inner, "from")?;
        let to = self.site_or_region(&inner, "to")?;
        let of = self.needed_term(&inner, "function")?;
        self.done(&inner)?;
        Ok(Clause::Among(value, from, to, of))
    }

    fn needed_term(&mut self, args: &Args<'_>, name: &str) -> Lowered<Term> {
        let argument = self.need(args, name)?;
        self.term(argument)
    }

    fn term(&mut self, argument: &Argument) -> Lowered<Term> {
        if let Some(call) = called(argument, "what") {
            let args = Args::new(call);
            self.sheet_kind(&args, "type")?;
            let site = self.need_int(&args, "at")?;
            self.done(&args)?;
            return Ok(Term::ValueAt(site));
        }
        if let Some(call) = called(argument, "hint") {
            let args = Args::new(call);
            let kind = self.kind_or_default(&args, "type");
            let at = self.opt_int(&args, "at")?;
            self.done(&args)?;
            return Ok(at.map_or(Term::Hint, |at| Term::HintAt(kind, at)));
        }
        let number = self.int(argument)?;
        self.settled(argument, Part::Int(&number))?;
        Ok(Term::Number(number))
    }

    fn settled_region(&mut self, args: &Args<'_>) -> Lowered<Option<Region>> {
        let Some(argument) = args.get("region") else {
            return Ok(None);
        };
        let region = self.region(argument)?;
        self.settled(argument, Part::Region(&region))?;
        Ok(Some(region))
    }

    /// Constraints are written out before play: what they speak of may not depend on what comes later.
    fn settled(&self, argument: &Argument, part: Part<'_>) -> Lowered<()> {
        match (part.any(&mut |part| part.is_of_play()), &argument.value) {
            (true, Value::Call(call)) => self
                .refuse(argument.place, &format!("{} in a constraint", Args::new(call).spoken())),
            _ => Ok(()),
        }
    }

    /// Constraints that name no region speak of those of the equipment whose name has a part.
    fn some_regions(&mut self, place: Place, what: &str, name: &str) {
        let names = || self.sheet.regions.iter().map(|region| &*region.name);
        if names().any(|known| known.contains(name)) {
            return;
        }
        match name {
            "" => self.warn(place, format!("there are no regions whose values could {what}"), None),
            name => {
                let near = closest(name, names()).map(str::to_owned);
                self.suspicious(place, "region", name, near.as_deref());
            }
        }
    }
}

/// The call of a ludeme, if an argument is one.
fn called<'a>(argument: &'a Argument, key: &str) -> Option<&'a ludex_lang::lud::check::Call> {
    match &argument.value {
        Value::Call(call) if call.row.key == key => Some(call),
        _ => None,
    }
}

fn plain(argument: &Argument) -> Option<i32> {
    match argument.value {
        Value::Int(number) => Some(number),
        _ => None,
    }
}
