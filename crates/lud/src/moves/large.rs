//! Large pieces: tiles that cover several cells. The piece stands on one of them, its root; its
//! state says which of its walks it covers and which way the walk starts. The cells it covers are
//! not empty, though nothing else is known of them.

use super::Mv;
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Add, FromTo, Relation};
use crate::seen::HALF;
use crate::sites::Sites;
use crate::topo::SiteType;

/// States that a walk has: one for each side of a square, whatever the board.
const TURNS: i32 = 4;

impl Ctx<'_> {
    /// Whether a component covers several cells.
    pub fn is_large(&self, what: i32) -> bool {
        let component = usize::try_from(what).ok().and_then(|at| self.g.components.get(at));
        component.is_some_and(|component| component.is_large())
    }

    /// The cells that a large piece covers, its root first; none where it does not fit.
    pub fn covered(&self, what: i32, root: i32, state: i32) -> Vec<i32> {
        let plane = self.plane(SiteType::Cell);
        let starts = plane.supported(Relation::Orthogonal);
        if root < 0 || root >= plane.count as i32 || starts.is_empty() {
            return Vec::new();
        }
        let state = state.max(0) as usize;
        let walks = &self.g.components[what as usize].walks;
        let Some(walk) = walks.get(state / starts.len()) else {
            return vec![root];
        };
        let path = self.walk_from(SiteType::Cell, root, starts[state % starts.len()], walk);
        let mut cells: Vec<i32> = Vec::with_capacity(path.len());
        for cell in path {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }

    fn states_of(&self, what: i32) -> i32 {
        self.g.components[what as usize].walks.len() as i32 * TURNS
    }

    /// Additions of a large piece in every state, or in the one that is asked for. Conditions and
    /// effects of the rule mean nothing here.
    pub(super) fn add_large(&mut self, add: &Add, what: i32) -> Vec<Mv> {
        let wanted = add.state.as_ref().map(|state| self.int(state));
        let sites = match (&add.site, &add.region) {
            (Some(site), _) => Sites::one(self.int(site)),
            (None, Some(region)) => self.each_site(region),
            (None, None) => return Vec::new(),
        };
        let mut out = Vec::new();
        for to in sites {
            let kind = self.g.kind_at(Some(add.kind), to);
            for state in (0..self.states_of(what)).filter(|&s| wanted.is_none_or(|w| w == s)) {
                let cells = self.covered(what, to, state);
                if cells.is_empty() || cells.iter().any(|&cell| !self.is_empty(kind, cell)) {
                    continue;
                }
                if !self.takes(to) {
                    continue;
                }
                let (rotation, value) = (NONE, NONE);
                let change =
                    Change::Add { kind, to, what, count: 1, state, rotation, value, stack: false };
                out.push(Mv::of(change, add.decision).at(to, to).by(self.s.mover));
            }
        }
        out
    }

    /// Moves of a large piece to some of these sites, or turned on the spot.
    pub(super) fn carry_large(&mut self, f: &FromTo, from: i32, tos: Sites, out: &mut Vec<Mv>) {
        let kind = self.g.kind_at(f.from.kind, from);
        let piece = self.piece(f.from.kind, from);
        let what = i32::from(piece.what);
        let before = i32::from(piece.state);
        let mut sites: Vec<i32> = tos.collect();
        sites.extend(self.covered(what, from, before).into_iter().skip(1));
        let kind_to = f.to_kind.unwrap_or(SiteType::Cell);
        // A domino lies in the line of play, the first one anywhere.
        let line = match self.g.components[what as usize].pips {
            Some(_) if self.g.boardless && self.s.moves > self.s.initial_moves => {
                Some(self.playable())
            }
            _ => None,
        };
        let domino = self.g.components[what as usize].pips.is_some();
        for &to in &sites {
            for state in 0..self.states_of(what) {
                let cells = self.covered(what, to, state);
                let free = |cell: &i32| match &line {
                    Some(line) => line.contains(*cell),
                    None => domino || sites.contains(cell) || *cell == from,
                };
                let stays = from == to && state == before;
                if cells.is_empty() || stays || !cells.iter().all(free) {
                    continue;
                }
                if !self.takes(to) {
                    continue;
                }
                let change = Change::Move {
                    kind_from: kind,
                    from,
                    level_from: NONE,
                    kind_to,
                    to,
                    level_to: NONE,
                    state,
                    rotation: NONE,
                    value: NONE,
                    stack: false,
                };
                let effects = self.effects_of(f.effect.as_ref());
                out.push(Mv::of(change, f.decision).after(effects).at(from, to));
            }
        }
    }

    /// A large piece now covers these cells. Those of a domino in a line of play tell which one it is
    /// and what its halves are worth.
    pub(super) fn cover(&mut self, what: i32, cells: &[i32]) {
        let halves = self.g.components[what as usize].pips.filter(|_| self.g.line_of_play);
        let layer = &mut self.s.layers[SiteType::Cell as usize];
        for (n, &cell) in cells.iter().enumerate() {
            layer.empty.remove(cell);
            layer.set(cell, |piece| {
                piece.count = if halves.is_some() { what as u16 } else { 1 };
                if let Some([first, second]) = halves {
                    piece.value = if n < HALF { first } else { second };
                }
            });
        }
    }

    /// A large piece no longer covers these cells.
    pub(super) fn uncover(&mut self, cells: &[i32]) {
        let layer = &mut self.s.layers[SiteType::Cell as usize];
        for &cell in cells {
            layer.empty.insert(cell);
            layer.set(cell, |piece| piece.count = 0);
        }
    }
}
