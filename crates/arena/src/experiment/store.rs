//! The result store: one SQLite file, one row for each finished match, written at once.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::{Cell, budget_text};
use crate::{ArenaError, MatchRecord, SeatReport};

/// Says that a SQLite file is one of ours.
const APPLICATION: i32 = 0x4C55_4458;
/// Changes whenever tables do.
const SCHEMA: i32 = 2;

/// What each experiment means to play of a cell; several may share its matches.
const PLANS: &str = "
    CREATE TABLE plans (
        cell INTEGER NOT NULL REFERENCES cells (id),
        experiment TEXT NOT NULL,
        names TEXT NOT NULL,
        planned INTEGER NOT NULL,
        paper REAL,
        paper_half_width REAL,
        UNIQUE (cell, experiment)
    );
";

const TABLES: &str = "
    CREATE TABLE cells (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        specs TEXT NOT NULL,
        budget TEXT NOT NULL,
        simulations INTEGER
    );
    CREATE TABLE matches (
        cell INTEGER NOT NULL REFERENCES cells (id),
        number INTEGER NOT NULL,
        seed TEXT NOT NULL,
        seating TEXT NOT NULL,
        payoffs TEXT NOT NULL,
        points TEXT NOT NULL,
        moves TEXT NOT NULL,
        plies INTEGER NOT NULL,
        choices TEXT NOT NULL,
        simulations TEXT NOT NULL,
        thinking_seconds TEXT NOT NULL,
        finished_at INTEGER NOT NULL,
        version TEXT NOT NULL,
        PRIMARY KEY (cell, number)
    ) WITHOUT ROWID;
";

/// Version 1 kept one plan for a cell, in the cell itself.
const UPGRADE: &str = "
    INSERT INTO plans SELECT id, experiment, names, planned, paper, paper_half_width FROM cells;
    ALTER TABLE cells DROP COLUMN experiment;
    ALTER TABLE cells DROP COLUMN names;
    ALTER TABLE cells DROP COLUMN planned;
    ALTER TABLE cells DROP COLUMN paper;
    ALTER TABLE cells DROP COLUMN paper_half_width;
";

/// Results on disk.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A cell as an experiment planned it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCell {
    /// Its number in the store.
    pub id: i64,
    /// The title of the experiment.
    pub experiment: String,
    /// The game.
    pub game: String,
    /// The entrants' names.
    pub names: Vec<String>,
    /// The entrants' specs.
    pub specs: Vec<String>,
    /// The budget in words.
    pub budget: String,
    /// The budget in simulations, if it is one.
    pub simulations: Option<u64>,
    /// How many matches are planned.
    pub planned: u64,
    /// A paper's figure for the first entrant, and half the width of its interval, in percent.
    pub paper: Option<(f64, Option<f64>)>,
}

/// A finished match as tables need it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMatch {
    /// Its number in the cell.
    pub number: u64,
    /// Which entrant sat at each seat.
    pub seating: Vec<usize>,
    /// Each entrant's share of the point.
    pub points: Vec<f64>,
    /// Plies played.
    pub plies: u32,
    /// What each seat did.
    pub seats: Vec<SeatReport>,
}

impl Store {
    /// Opens a store to write to, or makes one. A file that is something else is refused and left alone.
    pub fn open(path: &Path) -> Result<Store, ArenaError> {
        let connection = Connection::open(path).map_err(|error| store_error(path, error))?;
        let store = Store { connection, path: path.to_path_buf() };
        store.connection.busy_timeout(Duration::from_secs(20)).map_err(|e| store.fault(e))?;
        if store.is_empty()? {
            store.create()?;
        }
        store.check()?;
        store.ready().map_err(|error| store.fault(error))?;
        Ok(store)
    }

    /// Opens a store to read from; it must be there.
    pub fn open_to_read(path: &Path) -> Result<Store, ArenaError> {
        // A log left by a killed run can only be read by whoever may write it.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(path, flags)
            .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
            .map_err(|error| store_error(path, error))?;
        let store = Store { connection, path: path.to_path_buf() };
        store.check()?;
        Ok(store)
    }

    fn fault(&self, error: rusqlite::Error) -> ArenaError {
        store_error(&self.path, error)
    }

    /// Whether the file was just made (or made and never filled).
    fn is_empty(&self) -> Result<bool, ArenaError> {
        let count = "SELECT count(*) FROM sqlite_schema";
        let tables: i64 =
            self.connection.query_row(count, [], |row| row.get(0)).map_err(|e| self.fault(e))?;
        Ok(tables == 0 && self.pragma("application_id")? == 0 && self.pragma("user_version")? == 0)
    }

    fn pragma(&self, name: &str) -> Result<i32, ArenaError> {
        let value = self.connection.pragma_query_value(None, name, |row| row.get(0));
        value.map_err(|error| self.fault(error))
    }

    /// All or nothing, so that whoever is killed here leaves a file that is empty as before.
    fn create(&self) -> Result<(), ArenaError> {
        let script = format!(
            "BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {SCHEMA}; {TABLES} {PLANS} COMMIT;"
        );
        self.connection.execute_batch(&script).map_err(|error| self.fault(error))
    }

    /// Brings a store of the version before up to date, all or nothing. Another program may be faster.
    fn upgrade(&self) -> Result<(), ArenaError> {
        let fault = |error| self.fault(error);
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        let script = match self.pragma("user_version")? {
            1 => format!("{PLANS} {UPGRADE} PRAGMA user_version = 2; COMMIT;"),
            _ => "COMMIT;".to_owned(),
        };
        self.connection.execute_batch(&script).map_err(fault)
    }

    fn check(&self) -> Result<(), ArenaError> {
        if self.pragma("application_id")? != APPLICATION {
            return Err(ArenaError::ForeignStore { path: self.path.clone() });
        }
        let mut found = self.pragma("user_version")?;
        if found == 1 {
            self.upgrade()?;
            found = self.pragma("user_version")?;
        }
        if found != SCHEMA {
            return Err(ArenaError::StoreVersion {
                path: self.path.clone(),
                found,
                expected: SCHEMA,
            });
        }
        Ok(())
    }

    /// Writes go to a log first, so that a killed run leaves a whole file behind.
    fn ready(&self) -> rusqlite::Result<()> {
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "foreign_keys", "ON")
    }

    /// The number of a cell in the store, which it is given now if it had none; its plan and names are
    /// brought up to date.
    pub(super) fn enter_cell(&self, experiment: &str, cell: &Cell) -> Result<i64, ArenaError> {
        let names: Vec<&str> = cell.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        let specs: Vec<String> = cell.entrants.iter().map(|e| e.spec.to_string()).collect();
        let sql = "INSERT INTO cells (key, game, specs, budget, simulations)
                VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (key) DO UPDATE SET key = key RETURNING id";
        let values = params![
            cell.key(),
            cell.game.to_string(),
            json(&specs),
            budget_text(cell.budget),
            cell.budget.simulations.map(|count| count as i64),
        ];
        let id = self.connection.query_row(sql, values, |row| row.get(0));
        let id: i64 = id.map_err(|error| self.fault(error))?;
        let sql = "INSERT INTO plans VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (cell, experiment) DO UPDATE SET names = ?3, planned = ?4, paper = ?5,
                paper_half_width = ?6";
        let values = params![
            id,
            experiment,
            json(&names),
            cell.matches as i64,
            cell.paper.map(|paper| paper.value),
            cell.paper.and_then(|paper| paper.half_width),
        ];
        self.connection.execute(sql, values).map_err(|error| self.fault(error))?;
        Ok(id)
    }

    /// Keeps a finished match. One that is there already stays as it is.
    pub(super) fn keep(
        &self,
        cell: i64,
        number: u64,
        contestants: usize,
        record: &MatchRecord,
    ) -> Result<(), ArenaError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let moves: Vec<String> = record
            .trial
            .moves
            .iter()
            .map(|(who, text)| match who {
                Some(player) => format!("{player} {text}"),
                None => format!("chance {text}"),
            })
            .collect();
        let of_seats = |value: fn(&SeatReport) -> f64| -> String {
            json(&record.seats.iter().map(value).collect::<Vec<f64>>())
        };
        let counts = |value: fn(&SeatReport) -> u64| -> String {
            json(&record.seats.iter().map(value).collect::<Vec<u64>>())
        };
        let sql = "INSERT OR IGNORE INTO matches VALUES
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        let values = params![
            cell,
            number as i64,
            record.trial.seed.to_string(),
            json(&record.seating),
            json(&record.payoffs),
            json(&record.points(contestants)),
            moves.join("\n"),
            record.plies,
            counts(|seat| seat.choices),
            counts(|seat| seat.simulations),
            of_seats(|seat| seat.thinking.as_secs_f64()),
            now as i64,
            env!("CARGO_PKG_VERSION"),
        ];
        let kept = self.connection.prepare_cached(sql).and_then(|mut sql| sql.execute(values));
        kept.map(|_| ()).map_err(|error| self.fault(error))
    }

    /// Forgets the matches of a cell from a number on, which were under way when a test had its answer.
    pub(super) fn forget_from(&self, cell: i64, number: u64) -> Result<(), ArenaError> {
        let sql = "DELETE FROM matches WHERE cell = ?1 AND number >= ?2";
        let forgotten = self.connection.execute(sql, params![cell, number as i64]);
        forgotten.map(|_| ()).map_err(|error| self.fault(error))
    }

    /// The cells of all experiments in the order they were entered.
    pub fn cells(&self) -> Result<Vec<StoredCell>, ArenaError> {
        let sql = "SELECT id, experiment, game, names, specs, budget, simulations, planned, paper,
            paper_half_width FROM plans JOIN cells ON cells.id = cell ORDER BY plans.rowid";
        let read = |row: &rusqlite::Row| {
            let paper: Option<f64> = row.get(8)?;
            let half_width: Option<f64> = row.get(9)?;
            Ok(StoredCell {
                id: row.get(0)?,
                experiment: row.get(1)?,
                game: row.get(2)?,
                names: list(row, 3)?,
                specs: list(row, 4)?,
                budget: row.get(5)?,
                simulations: row.get::<_, Option<i64>>(6)?.map(|count| count as u64),
                planned: row.get::<_, i64>(7)? as u64,
                paper: paper.map(|value| (value, half_width)),
            })
        };
        self.query(sql, params![], read)
    }

    /// The finished matches of a cell by number.
    pub fn matches(&self, cell: i64) -> Result<Vec<StoredMatch>, ArenaError> {
        let sql = "SELECT number, seating, points, plies, choices, simulations, thinking_seconds
            FROM matches WHERE cell = ?1 ORDER BY number";
        let read = |row: &rusqlite::Row| {
            let choices: Vec<u64> = list(row, 4)?;
            let simulations: Vec<u64> = list(row, 5)?;
            let seconds: Vec<f64> = list(row, 6)?;
            let seats = choices.iter().zip(simulations).zip(seconds);
            Ok(StoredMatch {
                number: row.get::<_, i64>(0)? as u64,
                seating: list(row, 1)?,
                points: list(row, 2)?,
                plies: row.get(3)?,
                seats: seats
                    .map(|((&choices, simulations), seconds)| SeatReport {
                        choices,
                        simulations,
                        thinking: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
                    })
                    .collect(),
            })
        };
        self.query(sql, params![cell], read)
    }

    /// Everything about every match but when and how fast it was played, as text: two runs of the same
    /// experiment give the same.
    pub fn fingerprint(&self) -> Result<Vec<String>, ArenaError> {
        let sql = "SELECT key, number, seed, seating, payoffs, moves FROM matches
            JOIN cells ON cells.id = cell ORDER BY key, number";
        let read = |row: &rusqlite::Row| {
            let number: i64 = row.get(1)?;
            let mut text = row.get::<_, String>(0)?;
            for column in [2, 3, 4, 5] {
                text = format!("{text} | {}", row.get::<_, String>(column)?.replace('\n', ", "));
            }
            Ok(format!("{number}: {text}"))
        };
        self.query(sql, params![], read)
    }

    /// Lets the file grow no further than a few pages, as on a disk that is nearly full.
    #[doc(hidden)]
    pub fn limit_size_for_tests(&self) {
        let pages = "SELECT page_count + 2 FROM pragma_page_count()";
        let limit: i64 = self.connection.query_row(pages, [], |row| row.get(0)).unwrap_or(1);
        let _ = self.connection.pragma_update(None, "max_page_count", limit);
    }

    /// The title of the experiment that was entered last.
    pub fn title(&self) -> Result<String, ArenaError> {
        let sql = "SELECT experiment FROM plans ORDER BY rowid DESC LIMIT 1";
        let title = self.connection.query_row(sql, [], |row| row.get(0)).optional();
        Ok(title.map_err(|error| self.fault(error))?.unwrap_or_default())
    }

    fn query<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, ArenaError> {
        let rows = || -> rusqlite::Result<Vec<T>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map(values, read)?.collect()
        };
        rows().map_err(|error| self.fault(error))
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("numbers and texts have a JSON form")
}

fn list<T: serde::de::DeserializeOwned>(row: &rusqlite::Row, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
    })
}

/// What a database error means for whoever asked for this file.
fn store_error(path: &Path, error: rusqlite::Error) -> ArenaError {
    let path = path.to_path_buf();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => ArenaError::ForeignStore { path },
        Some(ErrorCode::DiskFull) => ArenaError::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            ArenaError::UnwritableStore { path }
        }
        Some(ErrorCode::CannotOpen) if path.exists() => ArenaError::UnwritableStore { path },
        Some(ErrorCode::CannotOpen) => ArenaError::NoStore { path },
        _ => ArenaError::Store { path, source: error },
    }
}
