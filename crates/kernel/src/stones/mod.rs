//! Games in which stones are placed and stay: a machine of its own, faster than the general kernel.
//!
//! A position is where stones stand and what a referee remembers: lines as bits in words, or chains as a
//! forest with what each touches. Only the stone just placed can end the game, so a referee looks only
//! around it. `build` proves that rules are of this kind or says why not; `plan` is what it finds out.

mod build;
mod chains;
mod lines;
mod plan;
mod playout;
mod position;
mod reach;
mod ring;
mod rules;
mod tables;

use super::{Built, Refusal};
use build::Found;
use chains::{ChainTable, Chains};
use lines::Lines;
use ludex_game::bits::EVERY_SIZE;
use ludex_game::{Game, erase};
use ludex_lud::playable::Ludemes;
use plan::Plan;
use reach::Reach;
use rules::Stones;
use std::sync::Arc;

pub(super) use plan::Formula;

/// The game as a game of stones, if it is one.
pub(super) fn stones(general: &Ludemes) -> Built<Arc<dyn Game>> {
    let Found { plan, lines, chains } = build::build(general)?;
    let sites = plan.sites;
    if let Some(chains) = chains {
        return match sites {
            0..=63 => Ok(chained::<1>(plan, chains, general)),
            64..=127 => Ok(chained::<2>(plan, chains, general)),
            128..=255 if EVERY_SIZE => Ok(chained::<4>(plan, chains, general)),
            128..=383 => Ok(chained::<6>(plan, chains, general)),
            _ => Err(too_large(sites)),
        };
    }
    let count = lines.count;
    Ok(match (sites, count) {
        (..=64, ..=8) if EVERY_SIZE => {
            erase(Stones::<1, _>::new(plan, Lines::<8>::new(lines), general))
        }
        (..=64, ..=32) => erase(Stones::<1, _>::new(plan, Lines::<32>::new(lines), general)),
        (..=128, ..=64) => erase(Stones::<2, _>::new(plan, Lines::<64>::new(lines), general)),
        (..=256, ..=128) if EVERY_SIZE => {
            erase(Stones::<4, _>::new(plan, Lines::<128>::new(lines), general))
        }
        (..=384, ..=256) => erase(Stones::<6, _>::new(plan, Lines::<256>::new(lines), general)),
        _ => return Err(too_large(sites)),
    })
}

/// A game that chains decide: by what is reached where connection is all that matters.
fn chained<const W: usize>(plan: Plan, table: ChainTable, general: &Ludemes) -> Arc<dyn Game> {
    if let Some(reach) = Reach::<W>::new(&table) {
        return erase(Stones::new(plan, reach, general));
    }
    erase(Stones::new(plan, Chains::<W>::new(table), general))
}

fn too_large(sites: usize) -> Refusal {
    Refusal::new(format!("{sites} sites are too many for stones"))
}
