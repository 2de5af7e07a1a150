//! Stores of parts of an experiment become one: a union by what was played.

use std::path::Path;

use rusqlite::{OptionalExtension, params};

use super::Store;
use super::store::store_error;
use crate::ArenaError;

/// What a merge added to a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Matches that were not there before.
    pub added: u64,
    /// Matches that were there already, with the same result.
    pub known: u64,
}

/// Cells, plans and findings of the other store that this one does not have.
const CELLS: &str = "
    INSERT OR IGNORE INTO main.cells (key, game, specs, budget, simulations, rules, agents, clock, seed)
        SELECT key, game, specs, budget, simulations, rules, agents, clock, seed FROM part.cells ORDER BY id;
    INSERT OR IGNORE INTO main.plans
        SELECT own.id, experiment, names, planned, paper, paper_half_width FROM part.plans
            JOIN part.cells AS theirs ON theirs.id = cell JOIN main.cells AS own ON own.key = theirs.key
            ORDER BY part.plans.rowid;
    INSERT OR IGNORE INTO main.findings SELECT key, found FROM part.findings;";

/// A match that both stores have and that did not go the same way.
const CONFLICT: &str = "
    SELECT own.key, a.number, a.version, b.version FROM part.matches AS b
        JOIN part.cells AS theirs ON theirs.id = b.cell JOIN main.cells AS own ON own.key = theirs.key
        JOIN main.matches AS a ON a.cell = own.id AND a.number = b.number
        WHERE a.seed <> b.seed OR a.seating <> b.seating OR a.payoffs <> b.payoffs OR a.moves <> b.moves
        ORDER BY own.id, a.number LIMIT 1";

const MATCHES: &str = "
    INSERT OR IGNORE INTO main.matches
        SELECT own.id, number, b.seed, seating, payoffs, points, moves, plies, choices, b.simulations,
            thinking_seconds, finished_at, version, machine, forfeit, thoughts FROM part.matches AS b
            JOIN part.cells AS theirs ON theirs.id = b.cell JOIN main.cells AS own ON own.key = theirs.key
            ORDER BY own.id, number";

impl Store {
    /// Adds what another store keeps, all or nothing. A match that both have must have gone the same way.
    pub fn absorb(&self, part: &Path) -> Result<Merged, ArenaError> {
        // Opened as a store of its own first: what is none, or of another version, is refused or brought up to date.
        drop(Store::open_existing(part)?);
        if self.path.canonicalize().ok() == part.canonicalize().ok() {
            return Err(ArenaError::Itself { path: part.to_path_buf() });
        }
        let fault = |error| store_error(part, error);
        let shown = part.to_string_lossy();
        self.connection.execute("ATTACH DATABASE ?1 AS part", params![shown]).map_err(fault)?;
        let merged = self.absorb_attached(part);
        if merged.is_err() {
            // Nothing to undo where nothing was begun.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        self.connection.execute_batch("DETACH DATABASE part").map_err(fault)?;
        merged
    }

    fn absorb_attached(&self, part: &Path) -> Result<Merged, ArenaError> {
        let fault = |error| store_error(part, error);
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        self.connection.execute_batch(CELLS).map_err(fault)?;
        let conflict = self
            .connection
            .query_row(CONFLICT, [], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get(2)?, row.get(3)?))
            })
            .optional()
            .map_err(fault)?;
        if let Some((key, number, ours, theirs)) = conflict {
            let part = part.to_path_buf();
            return Err(ArenaError::Conflict { key, number, ours, theirs, part });
        }
        let added = self.connection.execute(MATCHES, []).map_err(fault)? as u64;
        let all: i64 = self
            .connection
            .query_row("SELECT count(*) FROM part.matches", [], |row| row.get(0))
            .map_err(fault)?;
        self.connection.execute_batch("COMMIT").map_err(fault)?;
        Ok(Merged { added, known: all as u64 - added })
    }
}
