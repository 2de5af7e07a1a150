//! Dominoes: where the next one may lie, and whether pips meet their like.
//!
//! A domino covers two by four cells, four for each half. The cells of a half are worth its pips, and
//! their count tells which domino lies there.

use crate::ctx::Ctx;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

/// The sides of a square in turn.
const AROUND: [Dir; 4] = [Dir(13), Dir(14), Dir(15), Dir(16)];
/// Its corners in turn: each between the side of the same number and the next.
const CORNERS: [Dir; 4] = [Dir(17), Dir(18), Dir(20), Dir(19)];

/// So far a line of play reaches from the end of a domino.
const REACH: usize = 4;

/// An end of a domino: the two cells there in the order of its walk, and the side that it looks to for a
/// domino in its first state.
struct End {
    cells: [usize; 2],
    side: usize,
    across: bool,
    left: bool,
}

/// The ends of every domino, and those of a double, which has two more.
const ENDS: [End; 4] = [
    End { cells: [0, 1], side: 3, across: false, left: true },
    End { cells: [7, 6], side: 1, across: false, left: false },
    End { cells: [2, 5], side: 0, across: true, left: true },
    End { cells: [3, 4], side: 2, across: true, left: true },
];

impl Ctx<'_> {
    /// The dominoes that are neither on the table nor in a hand.
    pub(crate) fn dominoes_left(&self) -> Vec<i32> {
        let all = 1..self.g.components.len() as i32;
        let out = |what: &i32| self.s.owned.of(*what as u16).is_empty();
        all.filter(|&what| self.g.components[what as usize].pips.is_some()).filter(out).collect()
    }

    /// The empty cells in line with the ends of dominoes.
    pub(super) fn line_of_play(&self) -> SiteSet {
        let plane = self.plane(SiteType::Cell);
        let mut out = SiteSet::new();
        for site in 0..plane.count as i32 {
            let piece = self.piece(Some(SiteType::Cell), site);
            let component = &self.g.components[piece.what as usize];
            let Some([a, b]) = component.pips else {
                continue;
            };
            let state = i32::from(piece.state);
            let cells = self.covered(i32::from(piece.what), site, state);
            if cells.len() < 8 {
                continue;
            }
            let ends = if a == b { &ENDS[..] } else { &ENDS[..2] };
            for end in ends {
                let turned = (end.side + state.max(0) as usize) % 4;
                self.line_from(end, end.cells.map(|n| cells[n]), turned, &mut out);
            }
        }
        out
    }

    fn line_from(&self, end: &End, [a, b]: [i32; 2], side: usize, out: &mut SiteSet) {
        let kind = SiteType::Cell;
        let plane = self.plane(kind);
        let ahead = |site: i32| plane.radials(site, AROUND[side]).next();
        let (Some(from_a), Some(from_b)) = (ahead(a), ahead(b)) else {
            return;
        };
        if from_a.sites.len() < 3 || from_b.sites.len() < 3 {
            return;
        }
        let pairs = from_a.sites.iter().zip(&from_b.sites).enumerate().skip(1).take(REACH);
        for (n, (&x, &y)) in pairs {
            if !self.is_empty(kind, x) || !self.is_empty(kind, y) {
                return;
            }
            out.insert(x);
            out.insert(y);
            if end.across || n >= 3 {
                continue;
            }
            let (left, right) = (CORNERS[(side + 3) % 4], CORNERS[side]);
            let (by_a, by_b) = if end.left { (left, right) } else { (right, left) };
            for (site, dir) in [(a, by_a), (b, by_b)] {
                let beside = plane.radials(site, dir).next().and_then(|r| r.sites.get(1));
                if let Some(&beside) = beside
                    && self.is_empty(kind, beside)
                {
                    out.insert(beside);
                }
            }
        }
    }

    /// Whether the domino on a site touches only its like, and after the first one exactly one other.
    pub(super) fn pips_match(&self, site: i32) -> bool {
        let kind = SiteType::Cell;
        let piece = self.piece(Some(kind), site);
        if self.g.components[piece.what as usize].pips.is_none() {
            return true;
        }
        let plane = self.plane(kind);
        let cells = self.covered(i32::from(piece.what), site, i32::from(piece.state));
        let cell = |site: i32| self.s.layer(kind).top(site);
        let mut touched: Vec<i32> = Vec::new();
        for &own in &cells {
            for &to in plane.steps(own, Dir::ORTHOGONAL) {
                if cells.contains(&to) || self.is_empty(kind, to) {
                    continue;
                }
                if cell(to).value != cell(own).value {
                    return false;
                }
                touched.push(to);
            }
        }
        if self.s.moves - self.s.initial_moves <= 1 {
            return true;
        }
        let mut matched = false;
        for &first in &touched {
            let mut line = vec![first];
            for radial in plane.radials(first, Dir::ORTHOGONAL) {
                line.extend(radial.sites[1..].iter().filter(|to| touched.contains(to)));
                match line[..] {
                    [a, b] => matched = cell(a).count == cell(b).count,
                    [_, _, _, ..] => return false,
                    _ => {}
                }
            }
        }
        matched
    }
}
