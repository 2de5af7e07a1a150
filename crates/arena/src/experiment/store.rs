//! The result store: one SQLite file, one row for each finished match, written at once.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ludex_game::Player;
use ludex_play::search::Clock;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::schema::{APPLICATION, FINDINGS, PLANS, SCHEMA, TABLES, upgrade, views};
use super::{Cell, Identity, VERSION, budget_text, machine_text};
use crate::{ArenaError, MatchRecord, SeatReport, Thought, thought};

/// Results on disk.
pub struct Store {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

/// What a store of an earlier version did not keep, which its results cannot be told apart by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caution {
    path: PathBuf,
    matches: u64,
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} holds {} matches of an earlier version, which kept them by the names of games and files: \
             rules that were edited, or formulas and openings that were written anew, under the same name \
             cannot be told apart. They stay as they are, are shown as `rules unknown`, and are neither \
             continued nor overwritten",
            self.path.display(),
            self.matches
        )
    }
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
    /// The entrants' specs with every setting; where an earlier version kept the cell, as short as it did.
    pub agents: Vec<String>,
    /// The key of the rules, unless an earlier version kept the cell.
    pub rules: Option<String>,
    /// The seed, where it is known.
    pub seed: Option<String>,
    /// The budget in words.
    pub budget: String,
    /// What time was counted by: `wall` or `cpu`.
    pub clock: String,
    /// The budget in simulations, if it is one.
    pub simulations: Option<u64>,
    /// How many matches are planned.
    pub planned: u64,
    /// A paper's figure for the first entrant, and half the width of its interval, in percent.
    pub paper: Option<(f64, Option<f64>)>,
}

/// A finished match move by move.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// Its number in the cell.
    pub number: u64,
    /// The seed everything random came from.
    pub seed: u64,
    /// Which entrant sat at each seat.
    pub seating: Vec<usize>,
    /// The payoffs by seat.
    pub payoffs: Vec<f32>,
    /// Plies played.
    pub plies: u32,
    /// Who chose what: a player, or `None` for chance, and the move's text.
    pub moves: Vec<(Option<Player>, String)>,
    /// What was thought about each move of a player, in their order; none in stores of earlier versions.
    pub thoughts: Vec<Thought>,
    /// Which seat lost by other things than the rules, and why.
    pub forfeit: Option<String>,
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
    /// The version of the program that played it.
    pub version: String,
    /// The machine it was played on, where that is known.
    pub machine: Option<String>,
    /// Which seat lost by other things than the rules, and why.
    pub forfeit: Option<String>,
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
        store.upgrade()?;
        store.ready().map_err(|error| store.fault(error))?;
        store.show()?;
        Ok(store)
    }

    /// Opens a store to write to, which must be there.
    pub(super) fn open_existing(path: &Path) -> Result<Store, ArenaError> {
        drop(Store::open_to_read(path)?);
        Store::open(path)
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
        store.show()?;
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
             PRAGMA user_version = {SCHEMA}; {TABLES} {PLANS} {FINDINGS} COMMIT;"
        );
        self.connection.execute_batch(&script).map_err(|error| self.fault(error))
    }

    /// Gives the tables of an earlier version room for what is kept now, all or nothing; no result changes.
    /// Another program may be faster.
    fn upgrade(&self) -> Result<(), ArenaError> {
        if self.pragma("user_version")? == SCHEMA {
            return Ok(());
        }
        let fault = |error| self.fault(error);
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        let script = upgrade(self.pragma("user_version")?);
        self.connection.execute_batch(&format!("{script} COMMIT;")).map_err(fault)
    }

    fn show(&self) -> Result<(), ArenaError> {
        let views = views(self.pragma("user_version")?);
        self.connection.execute_batch(&views).map_err(|error| self.fault(error))
    }

    /// What results of an earlier version in this store cannot be told apart by, if it has any.
    pub fn caution(&self) -> Result<Option<Caution>, ArenaError> {
        let sql =
            "SELECT count(*) FROM shown_matches JOIN shown_cells ON id = cell WHERE rules IS NULL";
        let matches: i64 =
            self.connection.query_row(sql, [], |row| row.get(0)).map_err(|e| self.fault(e))?;
        let caution = Caution { path: self.path.clone(), matches: matches as u64 };
        Ok((matches > 0).then_some(caution))
    }

    fn check(&self) -> Result<(), ArenaError> {
        if self.pragma("application_id")? != APPLICATION {
            return Err(ArenaError::ForeignStore { path: self.path.clone() });
        }
        let found = self.pragma("user_version")?;
        if !(1..=SCHEMA).contains(&found) {
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
    pub(super) fn enter_cell(
        &self,
        experiment: &str,
        cell: &Cell,
        identity: &Identity,
    ) -> Result<i64, ArenaError> {
        let names: Vec<&str> = cell.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        let specs: Vec<String> = cell.entrants.iter().map(|e| e.spec.to_string()).collect();
        let sql = "INSERT INTO cells
                (key, game, specs, budget, simulations, rules, agents, clock, seed)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (key) DO UPDATE SET key = key RETURNING id";
        let values = params![
            cell.key(identity),
            cell.game.to_string(),
            json(&specs),
            budget_text(cell.budget),
            cell.budget.simulations.map(|count| count as i64),
            identity.rules.to_string(),
            json(&identity.agents),
            clock_text(cell.budget.clock),
            cell.seed.to_string(),
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
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
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
            VERSION,
            machine_text(),
            record.forfeit.as_ref().map(|lost| format!("P{} {}", lost.seat + 1, lost.reason)),
            thought::to_bytes(&record.thoughts),
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
        let sql = "SELECT id, plan.experiment, game, plan.names, specs, budget, simulations, plan.planned,
            plan.paper, plan.paper_half_width, rules, agents, clock, seed, key
            FROM shown_plans AS plan JOIN shown_cells ON id = cell ORDER BY place";
        let read = |row: &rusqlite::Row| {
            let paper: Option<f64> = row.get(8)?;
            let half_width: Option<f64> = row.get(9)?;
            let specs: Vec<String> = list(row, 4)?;
            let mut names: Vec<String> = list(row, 3)?;
            // Whoever has no name in a store that others wrote is called what he is.
            names.truncate(specs.len());
            names.extend_from_slice(&specs[names.len()..]);
            let key: String = row.get(14)?;
            let in_key = key.rsplit_once(" | seed ").map(|(_, seed)| seed.to_string());
            let known = row.get::<_, Option<String>>(11)?.is_some();
            Ok(StoredCell {
                id: row.get(0)?,
                experiment: row.get(1)?,
                game: row.get(2)?,
                names,
                agents: if known { list(row, 11)? } else { specs.clone() },
                specs,
                budget: row.get(5)?,
                simulations: row.get::<_, Option<i64>>(6)?.map(|count| count as u64),
                planned: row.get::<_, i64>(7)? as u64,
                paper: paper.map(|value| (value, half_width)),
                rules: row.get(10)?,
                clock: row.get::<_, Option<String>>(12)?.unwrap_or_else(|| "wall".to_string()),
                seed: row.get::<_, Option<String>>(13)?.or(in_key),
            })
        };
        self.query(sql, params![], read)
    }

    /// The finished matches of a cell by number.
    pub fn matches(&self, cell: i64) -> Result<Vec<StoredMatch>, ArenaError> {
        let sql = "SELECT number, seating, points, plies, choices, simulations, thinking_seconds,
            version, machine, forfeit FROM shown_matches WHERE cell = ?1 ORDER BY number";
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
                version: row.get(7)?,
                machine: row.get(8)?,
                forfeit: row.get(9)?,
            })
        };
        self.query(sql, params![cell], read)
    }

    /// How many matches are finished, and how many are planned, in all cells together.
    pub fn progress(&self) -> Result<(u64, u64), ArenaError> {
        let sql = "SELECT (SELECT count(*) FROM shown_matches), (SELECT coalesce(sum(planned), 0) FROM shown_plans)";
        let read = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        let (finished, planned) =
            self.connection.query_row(sql, [], read).map_err(|error| self.fault(error))?;
        Ok((finished as u64, planned as u64))
    }

    /// One finished match of a cell.
    pub fn game(&self, cell: i64, number: u64) -> Result<Option<StoredGame>, ArenaError> {
        let mut found = None;
        self.games(cell, |game| {
            let here = game.number == number;
            if here {
                found = Some(game);
            }
            !here
        })?;
        Ok(found)
    }

    /// Hands over the finished matches of a cell by number, one at a time, until `seen` says that it has enough.
    pub fn games(
        &self,
        cell: i64,
        mut seen: impl FnMut(StoredGame) -> bool,
    ) -> Result<(), ArenaError> {
        let sql = "SELECT number, seed, seating, payoffs, plies, moves, thoughts, forfeit
            FROM shown_matches WHERE cell = ?1 ORDER BY number";
        let read = |row: &rusqlite::Row| {
            let thoughts: Option<Vec<u8>> = row.get(6)?;
            let seed: String = row.get(1)?;
            let moves: String = row.get(5)?;
            Ok(StoredGame {
                number: row.get::<_, i64>(0)? as u64,
                seed: seed.parse().unwrap_or_default(),
                seating: list(row, 2)?,
                payoffs: list(row, 3)?,
                plies: row.get(4)?,
                moves: moves.lines().filter_map(chosen).collect(),
                thoughts: thought::from_bytes(&thoughts.unwrap_or_default()),
                forfeit: row.get(7)?,
            })
        };
        let mut each = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(sql)?;
            for game in statement.query_map(params![cell], read)? {
                if !seen(game?) {
                    break;
                }
            }
            Ok(())
        };
        each().map_err(|error| self.fault(error))
    }

    /// What was found under a key, if anything was.
    pub fn finding(&self, key: &str) -> Result<Option<String>, ArenaError> {
        if self.pragma("user_version")? < SCHEMA {
            return Ok(None);
        }
        let sql = "SELECT found FROM findings WHERE key = ?1";
        let found = self.connection.query_row(sql, [key], |row| row.get(0)).optional();
        found.map_err(|error| self.fault(error))
    }

    /// Keeps what was found under a key, in place of what was there.
    pub fn keep_finding(&self, key: &str, found: &str) -> Result<(), ArenaError> {
        let sql = "INSERT OR REPLACE INTO findings VALUES (?1, ?2)";
        let kept = self.connection.execute(sql, params![key, found]);
        kept.map(|_| ()).map_err(|error| self.fault(error))
    }

    /// Everything about every match but when and how fast it was played, as text: two runs of the same
    /// experiment give the same.
    pub fn fingerprint(&self) -> Result<Vec<String>, ArenaError> {
        let sql = "SELECT key, number, matches.seed, seating, payoffs, moves FROM matches
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
        let sql = "SELECT experiment FROM shown_plans ORDER BY place DESC LIMIT 1";
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

/// Who chose what, from a line of a kept match.
fn chosen(line: &str) -> Option<(Option<Player>, String)> {
    let (who, text) = line.split_once(' ').unwrap_or((line, ""));
    let who = match who {
        "chance" => None,
        player => Some(Player(player.strip_prefix('P')?.parse::<u8>().ok()?.checked_sub(1)?)),
    };
    Some((who, text.to_string()))
}

fn clock_text(clock: Clock) -> &'static str {
    match clock {
        Clock::Wall => "wall",
        Clock::Cpu => "cpu",
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
pub(super) fn store_error(path: &Path, error: rusqlite::Error) -> ArenaError {
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
