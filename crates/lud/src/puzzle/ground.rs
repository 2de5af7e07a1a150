//! Constraints written out for the sites of a board.

use super::{Formula, Operand, Puzzle};
use crate::ctx::Ctx;
use crate::game::Compiled;
use crate::ir::{Clause, Cmp, Int, Over, Region, Sheet, SheetParts, Term};
use crate::topo::Dir;

/// A puzzle from its constraints; `range` are the values that sites may have.
pub(crate) fn ground(
    game: &Compiled,
    sheet: &Sheet,
    clauses: &[Clause],
    range: (i32, i32),
) -> Puzzle {
    let kind = game.topo.default;
    let sites = game.board_sites();
    let ctx = Ctx::new(game, game.empty_state());
    let mut writer = Writer { ctx, sheet, hint: None, diagonals: false };
    let mut puzzle = Puzzle::new(kind, range, writer.formulas(clauses), sites);
    if sheet.regions.iter().any(|region| matches!(region.parts, SheetParts::Diagonals(_))) {
        writer.diagonals = true;
        puzzle.strict = Some(writer.formulas(clauses));
    }
    // Whatever is said for all is said of every site.
    let all = clauses.iter().any(|clause| matches!(clause, Clause::Each(..)));
    let given = |site: &i32| sheet.given.iter().any(|(known, _)| known == site);
    let asked = |site: &i32| all || !puzzle.touching[*site as usize].is_empty();
    let variables = (0..sites as i32).filter(|site| asked(site) && !given(site));
    puzzle.variables = variables.collect();
    puzzle
}

/// Adds a formula as the formulas that it says all of.
fn flat(formula: Formula, out: &mut Vec<Formula>) {
    match formula {
        Formula::All(all) => all.into_iter().for_each(|part| flat(part, out)),
        Formula::Not(inner) => match *inner {
            Formula::Any(all) => {
                all.into_iter().for_each(|part| flat(Formula::Not(Box::new(part)), out));
            }
            inner => out.push(Formula::Not(Box::new(inner))),
        },
        Formula::Const(true) => {}
        other => out.push(other),
    }
}

struct Writer<'a> {
    ctx: Ctx<'a>,
    sheet: &'a Sheet,
    /// The number of the hint at hand.
    hint: Option<i32>,
    /// Constraints hold on diagonals as well.
    diagonals: bool,
}

impl Writer<'_> {
    fn formulas(&mut self, clauses: &[Clause]) -> Vec<Formula> {
        let mut formulas = Vec::new();
        for clause in clauses {
            flat(self.formula(clause), &mut formulas);
        }
        formulas
    }

    fn formula(&mut self, clause: &Clause) -> Formula {
        match clause {
            Clause::Const(known) => Formula::Const(*known),
            Clause::Not(a) => Formula::not(self.formula(a)),
            Clause::And(list) => Formula::all(list.iter().map(|a| self.formula(a)).collect()),
            Clause::Or(list) => Formula::any(list.iter().map(|a| self.formula(a)).collect()),
            Clause::If(cond, yes, no) => {
                let (cond, yes, no) = (self.formula(cond), self.formula(yes), self.formula(no));
                let yes = Formula::any(vec![Formula::not(cond.clone()), yes]);
                Formula::all(vec![yes, Formula::any(vec![cond, no])])
            }
            Clause::Each(over, inner) => self.each(over, inner),
            Clause::Different(Some(region), except) => {
                Formula::Different(self.sites(region), self.numbers(except))
            }
            Clause::Different(None, except) => self.different_everywhere(except),
            Clause::Sum(Some(region), _, total) => {
                let sites = self.sites(region);
                self.number(total).map_or(Formula::Const(false), |n| Formula::Sum(sites, n))
            }
            Clause::Sum(None, name, total) => self.sums(name, total),
            Clause::Count(region, value, total) => {
                let (sites, value) = (self.sites(region), self.ctx.int(value));
                match self.number(total) {
                    Some(total) => Formula::Count(sites, value, total),
                    None => Formula::Const(false),
                }
            }
            Clause::Unique => self.unique(),
            Clause::Line(length, dir) => self.lines(length, *dir),
            Clause::Compare(cmp, a, b) => compared(*cmp, self.operand(a), self.operand(b)),
            Clause::Among(value, from, to, of) => self.among(value, from, to, of),
            Clause::Groups(cmp, groups, number) => {
                let plane = self.ctx.g.topo.plane(groups.kind);
                let near = |site: usize| plane.steps(site as i32, Dir::ADJACENT).to_vec();
                let near = (0..plane.count).map(near).collect();
                Formula::Groups(*cmp, near, self.ctx.int(number))
            }
        }
    }

    fn each(&mut self, over: &Over, inner: &Clause) -> Formula {
        let saved = (self.ctx.v.site, self.ctx.v.from, self.ctx.v.to, self.hint);
        let region = self.ctx.v.region.clone();
        let mut parts = Vec::new();
        match over {
            Over::Sites(region) => {
                for site in self.sites(region) {
                    self.ctx.v.site = site;
                    parts.push(self.formula(inner));
                }
            }
            Over::Elements(kind) => {
                for from in 0..self.ctx.g.topo.count(*kind) as i32 {
                    self.ctx.v.from = from;
                    parts.push(self.formula(inner));
                }
            }
            Over::Hints => {
                let sheet = self.sheet;
                let here = |hint: &&crate::ir::Hint| hint.kind == self.ctx.g.topo.default;
                for hint in sheet.hints.iter().filter(here) {
                    self.ctx.v.from = hint.sites.first().copied().unwrap_or(-1);
                    self.ctx.v.to = hint.sites.get(1).copied().unwrap_or(-1);
                    self.hint = Some(hint.number);
                    self.ctx.v.region = hint.sites.iter().copied().collect();
                    parts.push(self.formula(inner));
                }
            }
        }
        (self.ctx.v.site, self.ctx.v.from, self.ctx.v.to, self.hint) = saved;
        self.ctx.v.region = region;
        Formula::all(parts)
    }

    fn sites(&mut self, region: &Region) -> Vec<i32> {
        let count = self.ctx.g.board_sites() as i32;
        let sites = self.ctx.sites(region).into_iter();
        sites.filter(|site| (0..count).contains(site)).collect()
    }

    fn numbers(&mut self, list: &[Int]) -> Vec<i32> {
        list.iter().map(|number| self.ctx.int(number)).collect()
    }

    /// The lists of sites of some regions.
    fn lists(&mut self, parts: &SheetParts) -> Vec<Vec<i32>> {
        match parts {
            SheetParts::Diagonals(_) if !self.diagonals => Vec::new(),
            SheetParts::Lists(lists) | SheetParts::Diagonals(lists) | SheetParts::Stars(lists) => {
                lists.clone()
            }
            SheetParts::Hints => self.sheet.hints.iter().map(|hint| hint.sites.clone()).collect(),
            SheetParts::Regions(list) => list.iter().map(|region| self.sites(region)).collect(),
        }
    }

    fn different_everywhere(&mut self, except: &[Int]) -> Formula {
        let except = self.numbers(except);
        let mut parts = Vec::new();
        for region in &self.sheet.regions {
            let lists = self.lists(&region.parts);
            let stars = matches!(region.parts, SheetParts::Stars(_));
            for sites in lists {
                // The sites in line with one matter only if it is not nought.
                let nought = sites.first().map(|&site| equals(Operand::Site(site), 0));
                let differ = Formula::Different(sites, except.clone());
                parts.push(match nought {
                    Some(nought) if stars => Formula::any(vec![nought, differ]),
                    _ => differ,
                });
            }
        }
        Formula::all(parts)
    }

    fn sums(&mut self, name: &str, total: &Term) -> Formula {
        let mut parts = Vec::new();
        for region in &self.sheet.regions {
            if !region.name.contains(name) {
                continue;
            }
            for (at, sites) in self.lists(&region.parts).into_iter().enumerate() {
                let saved = self.hint;
                if matches!(total, Term::Hint) {
                    self.hint = self.sheet.hints.get(at).map(|hint| hint.number);
                }
                if let Some(total) = self.number(total) {
                    parts.push(Formula::Sum(sites, total));
                }
                self.hint = saved;
            }
        }
        Formula::all(parts)
    }

    fn unique(&mut self) -> Formula {
        let mut parts = Vec::new();
        for region in &self.sheet.regions {
            // Rows are compared with rows, columns with columns: those of one length.
            let lists = self.lists(&region.parts);
            for (at, a) in lists.iter().enumerate() {
                let later = lists[at + 1..].iter().filter(|b| b.len() == a.len());
                parts.extend(later.map(|b| Formula::not(Formula::Twins(a.clone(), b.clone()))));
            }
        }
        Formula::all(parts)
    }

    /// A line of sites with the same value anywhere.
    fn lines(&mut self, length: &Int, dir: Dir) -> Formula {
        let length = self.ctx.int(length).max(1) as usize;
        let plane = self.ctx.g.topo.plane(self.ctx.g.topo.default);
        let mut windows: Vec<Vec<i32>> = Vec::new();
        for site in 0..plane.count as i32 {
            for radial in plane.radials(site, dir) {
                if let Some(window) = radial.sites.get(..length) {
                    let mut window = window.to_vec();
                    window.sort_unstable();
                    windows.push(window);
                }
            }
        }
        windows.sort();
        windows.dedup();
        Formula::any(windows.into_iter().map(Formula::Alike).collect())
    }

    fn among(&mut self, value: &Term, from: &Region, to: &Region, of: &Term) -> Formula {
        let value = self.operand(value);
        let saved = (self.ctx.v.from, self.ctx.v.to);
        let mut parts = Vec::new();
        for start in self.sites(from) {
            self.ctx.v.from = start;
            for end in self.sites(to) {
                self.ctx.v.to = end;
                parts.push(compared(Cmp::Eq, value, self.operand(of)));
            }
        }
        (self.ctx.v.from, self.ctx.v.to) = saved;
        Formula::any(parts)
    }

    fn operand(&mut self, term: &Term) -> Operand {
        match term {
            Term::ValueAt(site) => Operand::Site(self.ctx.int(site)),
            _ => Operand::Number(self.number(term).unwrap_or(-1)),
        }
    }

    /// A number that does not depend on values.
    fn number(&mut self, term: &Term) -> Option<i32> {
        match term {
            Term::Number(number) => Some(self.ctx.int(number)),
            Term::ValueAt(_) => None,
            Term::Hint => self.hint,
            Term::HintAt(kind, site) => {
                let site = self.ctx.int(site);
                let mut here = self.sheet.hints.iter();
                let found = here.find(|h| h.kind == *kind && h.sites.first() == Some(&site));
                Some(found.map_or(-1, |hint| hint.number))
            }
        }
    }
}

fn equals(a: Operand, number: i32) -> Formula {
    compared(Cmp::Eq, a, Operand::Number(number))
}

fn compared(cmp: Cmp, a: Operand, b: Operand) -> Formula {
    match (a, b) {
        (Operand::Number(a), Operand::Number(b)) => Formula::Const(cmp.holds(a, b)),
        (a, b) => Formula::Compare(cmp, a, b),
    }
}
