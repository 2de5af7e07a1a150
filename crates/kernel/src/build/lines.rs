//! Lines through a site.

use super::Builder;
use crate::Built;
use crate::code::{Cond, Line, Set, Var, Way, Ways, Window};
use ludex_lud::ir::{Int, Line as Wanted, Region, Through};
use ludex_lud::sites::SiteSet;

/// As many lines through a site as are tried one by one.
const MAX_WINDOWS: usize = 24;
/// As many lines as a whole board may have to be tried at once.
const MAX_LINES: usize = 100;

impl Builder<'_> {
    /// A line of pieces through one site.
    pub(super) fn line(&mut self, wanted: &Wanted) -> Built<Cond> {
        self.same_kind(wanted.kind)?;
        if self.game.stacking {
            return self.line_of_stacks(wanted);
        }
        let through = match &wanted.through {
            Through::One(site) => site,
            Through::Any(region) => return self.line_through_any(wanted, region),
        };
        let (length, exact, both) = self.line_form(wanted)?;
        let mut of = self.line_of(wanted)?;
        let fitting = self.sites_where(&wanted.cond, Var::To)?;
        if !self.is_everywhere(&fitting) {
            let Some(set) = of else {
                return self.refuse("lines of pieces like another with a condition");
            };
            of = Some(self.and(set, fitting));
        }
        let through = self.num(through)?;
        let ways = self.ways(wanted.dir, both);
        let windows = self.windows((ways, length, exact));
        Ok(Cond::Line(Line { through, of, length, exact, ways, windows }))
    }

    /// The same over stacks: over what lies on top, or over any of their pieces. Whether it may have gaps or be seen and
    /// run both ways is not asked for here, as the reference has it.
    fn line_of_stacks(&mut self, wanted: &Wanted) -> Built<Cond> {
        let Through::One(through) = &wanted.through else {
            return Ok(Cond::Const(false));
        };
        let plain = self.fixed_bool(&wanted.by_level) == Some(false)
            && self.fixed_bool(&wanted.cond) == Some(true);
        let form = (self.fixed_int(&wanted.length), self.fixed_bool(&wanted.exact));
        let top = self.fixed_bool(&wanted.top);
        let ((Some(length @ 2..), Some(exact)), Some(top), true) = (form, top, plain) else {
            return self.refuse("lines of stacks in a way of their own");
        };
        let of = match self.line_of(wanted)? {
            _ if !top => Some(self.line_at_any_level(wanted)?),
            of => of,
        };
        let through = self.num(through)?;
        let ways = self.ways(wanted.dir, true);
        let windows = self.windows((ways, length, exact));
        Ok(Cond::Line(Line { through, of, length, exact, ways, windows }))
    }

    /// The sites that hold a piece of which a line may be made.
    fn line_at_any_level(&mut self, wanted: &Wanted) -> Built<Set> {
        let kinds = match (&wanted.what, &wanted.who) {
            (Some(whats), _) => whats.iter().map(|what| self.fixed_int(what)).collect(),
            (None, Some(who)) => self.line_owner(who).map(|who| {
                let all = 1..self.game.components.len() as i32;
                all.filter(|&what| self.game.owner(what as u16) == who).collect::<Vec<i32>>()
            }),
            (None, None) => None,
        };
        let Some(kinds) = kinds else {
            return self.refuse("lines over stacks of pieces that are not known before");
        };
        let mut set = self.nowhere();
        for what in kinds {
            if let Some(what) = self.piece(what) {
                set = self.or(set, Set::Holding(what));
            }
        }
        Ok(set)
    }

    /// How long a line is, whether exactly so, and whether it may run both ways.
    fn line_form(&mut self, wanted: &Wanted) -> Built<(i32, bool, bool)> {
        if wanted.visible || wanted.kinds.is_some() {
            return self.refuse("lines that must be seen or mixed");
        }
        let length = self.fixed_int(&wanted.length);
        let exact = self.fixed_bool(&wanted.exact);
        let contiguous = self.fixed_bool(&wanted.contiguous);
        let both = self.fixed_bool(&wanted.opposites);
        match (length, exact, contiguous, both) {
            (Some(length), Some(exact), Some(true), Some(both)) => Ok((length, exact, both)),
            _ => self.refuse("lines that change their form"),
        }
    }

    /// All sites through which a line runs.
    pub(super) fn in_lines(&mut self, wanted: &Wanted) -> Built<Set> {
        self.same_kind(wanted.kind)?;
        if self.game.stacking {
            return self.refuse("lines of stacks in a way of their own");
        }
        let (length, exact, both) = self.line_form(wanted)?;
        if self.fixed_bool(&wanted.cond) != Some(true) {
            return self.refuse("lines with a condition");
        }
        let of = self.line_of(wanted)?.map(Box::new);
        let ways = self.ways(wanted.dir, both);
        match self.windows((ways, length, exact)) {
            Some(table) if !self.code.lines[table].is_empty() => Ok(Set::InLines(table, of)),
            _ => self.refuse("lines that are many"),
        }
    }

    /// A line through any site of a region.
    fn line_through_any(&mut self, wanted: &Wanted, region: &Region) -> Built<Cond> {
        if self.fixed_bool(&wanted.cond) != Some(true) {
            return self.refuse("lines through any of several sites with a condition");
        }
        let mut sites = self.region(region)?;
        if let Some(of) = self.line_of(wanted)? {
            sites = self.and(sites, of);
        }
        if let Ok(lines) = self.in_lines(wanted) {
            let both = self.and(sites, lines);
            return Ok(Cond::Not(Box::new(Cond::Vacant(both))));
        }
        let one = Wanted { through: Through::One(Int::Site), ..wanted.clone() };
        let saved = self.bound;
        self.bound = saved.with(Var::Site);
        let line = self.line(&one);
        self.bound = saved;
        let found = Set::Where(Box::new(sites), Box::new(line?), Var::Site);
        Ok(Cond::Not(Box::new(Cond::Vacant(found))))
    }

    /// Whose pieces make a line, if that is known. Rules for each player are written for one after the other.
    fn line_owner(&mut self, who: &Int) -> Option<i32> {
        match who {
            Int::Player if self.bound.has(Var::Player) => Some(self.ctx.v.player),
            who => self.fixed_int(who),
        }
    }

    /// The sites a line may be made of; nothing: those of the piece it runs through.
    fn line_of(&mut self, wanted: &Wanted) -> Built<Option<Set>> {
        if let Some(whats) = &wanted.what {
            let mut set = self.nowhere();
            for what in whats {
                let Some(what) = self.fixed_int(what) else {
                    return self.refuse("lines of pieces that are not known before");
                };
                let held = self.holding(true, what);
                set = self.or(set, held);
            }
            return Ok(Some(set));
        }
        match &wanted.who {
            None => Ok(None),
            Some(who) => match self.line_owner(who) {
                Some(who) => Ok(Some(self.owned_by(|owner| owner == who))),
                None => self.refuse("lines of a player who is not known before"),
            },
        }
    }

    /// The sets of sites that make a line through every site, where they are few.
    fn windows(&mut self, form: (usize, i32, bool)) -> Option<usize> {
        if let Some(&(_, known)) = self.windows_written.iter().find(|known| known.0 == form) {
            return known;
        }
        let table = self.windows_of(form).map(|table| {
            self.code.lines.push(common(&table));
            self.code.windows.push(table);
            self.code.windows.len() - 1
        });
        self.windows_written.push((form, table));
        table
    }

    fn windows_of(&self, (ways, length, exact): (usize, i32, bool)) -> Option<Vec<Vec<Window>>> {
        let length = usize::try_from(length).ok().filter(|length| (2..=6).contains(length))?;
        let mut table = Vec::new();
        for (site, ways) in self.code.ways[ways].of.iter().enumerate() {
            let mut windows: Vec<Window> = Vec::new();
            for way in ways {
                let none = Vec::new();
                let behind =
                    if way.behind.is_empty() { vec![&none] } else { way.behind.iter().collect() };
                for behind in behind {
                    add_windows(&mut windows, (site, &way.ahead, behind), length, exact);
                }
            }
            if windows.len() > MAX_WINDOWS {
                return None;
            }
            table.push(windows);
        }
        Some(table)
    }

    /// All lines through every site.
    pub(crate) fn ways_of(&self, dir: ludex_lud::topo::Dir, both: bool) -> Ways {
        let plane = self.game.topo.plane(self.game.topo.default);
        let walk = |sites: &[i32]| sites[1..].iter().map(|&s| s as u16).collect::<Vec<u16>>();
        let way = |site: i32, radial: &ludex_lud::topo::Radial| Way {
            ahead: walk(&radial.sites),
            behind: match both {
                true => radial
                    .opposites
                    .iter()
                    .map(|&o| walk(&plane.radials[site as usize][o as usize].sites))
                    .collect(),
                false => Vec::new(),
            },
        };
        let of = |site: i32| plane.lines(site, dir).map(|r| way(site, r)).collect();
        Ways { of: (0..plane.count as i32).map(of).collect() }
    }

    fn ways(&mut self, dir: ludex_lud::topo::Dir, both: bool) -> usize {
        let ways = self.ways_of(dir, both);
        let known = self.code.ways.iter().position(|w| *w == ways);
        known.unwrap_or_else(|| {
            self.code.ways.push(ways);
            self.code.ways.len() - 1
        })
    }
}

/// Adds the lines of a length that run through a site, so far behind it and the rest ahead.
fn add_windows(
    windows: &mut Vec<Window>,
    (site, ahead, behind): (usize, &[u16], &[u16]),
    length: usize,
    exact: bool,
) {
    for back in 0..length {
        let on = length - 1 - back;
        if back > behind.len() || on > ahead.len() {
            continue;
        }
        let sites = behind[..back].iter().chain(&ahead[..on]).map(|&site| i32::from(site));
        let line: SiteSet = sites.chain([site as i32]).collect();
        let beyond = [behind.get(back), ahead.get(on)].into_iter().flatten();
        let beside: SiteSet = match exact {
            true => beyond.map(|&site| i32::from(site)).collect(),
            false => SiteSet::new(),
        };
        if !windows.iter().any(|(l, b)| l.same(&line) && b.same(&beside)) {
            windows.push((line, beside));
        }
    }
}

/// All lines of a table, if each is there for every one of its sites and they are few; else none.
fn common(table: &[Vec<Window>]) -> Vec<Window> {
    let same = |a: &Window, b: &Window| a.0.same(&b.0) && a.1.same(&b.1);
    let mut all: Vec<Window> = Vec::new();
    for window in table.iter().flatten() {
        if !all.iter().any(|known| same(known, window)) {
            all.push(window.clone());
        }
    }
    let of_site = |window: &Window, site: i32| table[site as usize].iter().any(|w| same(w, window));
    let shared = all.iter().all(|window| window.0.iter().all(|site| of_site(window, site)));
    if shared && all.len() <= MAX_LINES { all } else { Vec::new() }
}
