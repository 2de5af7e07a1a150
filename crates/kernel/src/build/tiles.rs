//! Tiles: pieces that cover several cells and stay where they are placed.

use super::Builder;
use super::families::{LeafParts, Terms};
use super::sets::EMPTY;
use crate::code::visit::Term;
use crate::code::{Act, Code, Cond, Effect, Node, Num, Set, Shape};
use crate::{Built, Refusal};
use ludex_lud::ir::Add;
use ludex_lud::sites::SiteSet;

/// States that a walk of a tile has.
const TURNS: i32 = 4;

/// Whether a term looks at pieces, of which no more than the first cell is known.
fn looks_at_pieces(term: Term<'_>) -> bool {
    match term {
        Term::Num(n) => matches!(
            n,
            Num::What(_) | Num::Who(_) | Num::State(_) | Num::Pieces(_) | Num::EntryByPiece(..)
        ),
        Term::Cond(cond) => matches!(cond, Cond::Line(_) | Cond::Threatened(_)),
        Term::Set(sites) => match sites {
            Set::Slot(slot) => *slot != 0,
            sites => matches!(sites, Set::InLines(..)),
        },
        Term::Effect(effect) => matches!(effect, Effect::SetState(..)),
        Term::Node(_) | Term::End(_) => false,
    }
}

impl Builder<'_> {
    /// Placings of tiles.
    pub(super) fn add_tiles(&mut self, add: &Add, terms: &Terms) -> Built<Node> {
        if self.origin.is_some() || self.fixed_int(&add.count) != Some(1) {
            return self.refuse("tiles placed in a way of their own");
        }
        let mut nodes = Vec::new();
        for what in &add.what {
            let Some(what) = self.fixed_int(what) else {
                return self.refuse("placing a piece that is not known before");
            };
            let Ok(what) = u8::try_from(what) else {
                continue;
            };
            if !self.ctx.is_large(what.into()) {
                return self.refuse("tiles beside smaller pieces");
            }
            nodes.push(self.tiles(add, what, terms)?);
        }
        Ok(self.all_of(nodes))
    }

    /// Placings of a tile in every state, or in the one that is asked for. Conditions and effects of the
    /// rule mean nothing here, as the rules have it.
    pub(super) fn tiles(&mut self, add: &Add, what: u8, terms: &Terms) -> Built<Node> {
        let (Some(region), true, None) = (&add.region, add.decision, &add.site) else {
            return self.refuse("tiles placed in a way of their own");
        };
        let wanted = match &add.state {
            None => None,
            Some(state) => match self.fixed_int(state) {
                Some(state) => Some(state),
                None => return self.refuse("tiles in a state that is not known before"),
            },
        };
        self.same_kind(add.kind)?;
        let sites = self.region(region)?;
        let tile = self.game.components.get(what as usize);
        let states = tile.map_or(0, |tile| tile.walks.len() as i32 * TURNS);
        let mut leaf_parts = LeafParts::default();
        for state in (0..states).filter(|&state| wanted.is_none_or(|wanted| wanted == state)) {
            let cells: Vec<Vec<i32>> = (0..self.code.board as i32)
                .map(|site| self.ctx.covered(what.into(), site, state))
                .collect();
            let fitting = self.fitting(&cells);
            let to = self.and(sites.clone(), fitting);
            if self.is_nowhere(&to) {
                continue;
            }
            let rows = cells.iter().map(|cells| cells.iter().copied().collect()).collect();
            let table = self.table(rows);
            let Ok(table) = u16::try_from(table) else {
                return self.refuse("too many tiles");
            };
            let deed = self.deed(Act::Tile(what, state as u8, table), None, None, terms)?;
            leaf_parts.add(Shape::Spot, to.clone(), to, deed)?;
        }
        Ok(self.leaf(leaf_parts))
    }

    /// The sites from which all cells that are to be covered are empty.
    fn fitting(&mut self, cells: &[Vec<i32>]) -> Set {
        let all: SiteSet =
            (0..).zip(cells).filter(|(_, c)| !c.is_empty()).map(|(s, _)| s).collect();
        let mut fitting = self.fixed(all);
        let most = cells.iter().map(Vec::len).max().unwrap_or(0);
        for nth in 0..most {
            let sites = || (0i32..).zip(cells);
            let back: Vec<(i32, i32)> =
                sites().filter_map(|(site, cells)| Some((*cells.get(nth)?, site))).collect();
            let fewer: SiteSet =
                sites().filter(|(_, cells)| cells.len() <= nth).map(|(site, _)| site).collect();
            let same = back.iter().all(|(cell, site)| cell == site);
            let free = match same {
                true => EMPTY,
                false => Set::Image(self.relation(&back), Box::new(EMPTY)),
            };
            let fewer = self.fixed(fewer);
            let free = self.or(free, fewer);
            fitting = self.and(fitting, free);
        }
        fitting
    }
}

/// Whether tiles are all there is: nothing moves or leaves, and rules look at empty sites only.
pub(super) fn only_tiles(code: &Code) -> Built<()> {
    let plain = |act: Act| matches!(act, Act::Tile(..) | Act::Pass | Act::Swap);
    let other = code.deeds.iter().any(|deed| !plain(deed.act) || deed.before.is_some());
    let looks = code.mentions(&mut looks_at_pieces);
    let changes = code.any_effect(&|effect| {
        use crate::code::Effect as E;
        !matches!(effect, E::Nothing | E::All(_) | E::InTurn(_) | E::If(..) | E::Again)
    });
    match other || looks || changes {
        true => Err(Refusal::new("tiles that move, leave or are looked at")),
        false => Ok(()),
    }
}
