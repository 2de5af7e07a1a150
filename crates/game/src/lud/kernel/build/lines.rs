//! Lines through a site.

use super::Builder;
use crate::lud::ir::{Line as Wanted, Through};
use crate::lud::kernel::Built;
use crate::lud::kernel::code::{Cond, Line, Set, Var, Way, Ways};

impl Builder<'_> {
    /// A line of pieces through one site.
    pub(super) fn line(&mut self, wanted: &Wanted) -> Built<Cond> {
        self.same_kind(wanted.kind)?;
        let Through::One(through) = &wanted.through else {
            return self.refuse("lines through any of several sites");
        };
        let length = self.fixed_int(&wanted.length);
        let exact = self.fixed_bool(&wanted.exact);
        let contiguous = self.fixed_bool(&wanted.contiguous);
        let both = self.fixed_bool(&wanted.opposites);
        let (Some(length), Some(exact), Some(true), Some(both)) = (length, exact, contiguous, both)
        else {
            return self.refuse("lines that change their form");
        };
        if wanted.visible || wanted.kinds.is_some() {
            return self.refuse("lines that must be seen or mixed");
        }
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
        Ok(Cond::Line(Line { through, of, length, exact, ways }))
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
            Some(who) => match self.fixed_int(who) {
                Some(who) => Ok(Some(self.owned_by(|owner| owner == who))),
                None => self.refuse("lines of a player who is not known before"),
            },
        }
    }

    fn ways(&mut self, dir: crate::lud::topo::Dir, both: bool) -> usize {
        let plane = self.game.topo.plane(self.game.topo.default);
        let walk = |sites: &[i32]| sites[1..].iter().map(|&s| s as u16).collect::<Vec<u16>>();
        let way = |site: i32, radial: &crate::lud::topo::Radial| Way {
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
        let of = |site: i32| plane.lines(site, dir).into_iter().map(|r| way(site, r)).collect();
        let ways = Ways { of: (0..plane.count as i32).map(of).collect() };
        let known = self.code.ways.iter().position(|w| *w == ways);
        known.unwrap_or_else(|| {
            self.code.ways.push(ways);
            self.code.ways.len() - 1
        })
    }
}
