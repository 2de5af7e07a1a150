//! The tables of a result store, and how those of earlier versions are read.

/// Says that a SQLite file is one of ours.
pub const APPLICATION: i32 = 0x4C55_4458;
/// Changes whenever tables do.
pub const SCHEMA: i32 = 4;

/// All tables of a new store.
pub const TABLES: &str = "
    CREATE TABLE cells (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        specs TEXT NOT NULL,
        budget TEXT NOT NULL,
        simulations INTEGER,
        rules TEXT,
        agents TEXT,
        clock TEXT,
        seed TEXT
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
        machine TEXT,
        forfeit TEXT,
        thoughts BLOB,
        PRIMARY KEY (cell, number)
    ) WITHOUT ROWID;
";

/// What each experiment means to play of a cell; several may share its matches.
pub const PLANS: &str = "
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

/// Version 1 kept one plan for a cell, in the cell itself.
const FROM_1: &str = "
    INSERT INTO plans SELECT id, experiment, names, planned, paper, paper_half_width FROM cells;
    ALTER TABLE cells DROP COLUMN experiment;
    ALTER TABLE cells DROP COLUMN names;
    ALTER TABLE cells DROP COLUMN planned;
    ALTER TABLE cells DROP COLUMN paper;
    ALTER TABLE cells DROP COLUMN paper_half_width;
";

/// Version 2 knew games by name and agents by their short text; what it kept stays as it is.
const FROM_2: &str = "
    ALTER TABLE cells ADD COLUMN rules TEXT;
    ALTER TABLE cells ADD COLUMN agents TEXT;
    ALTER TABLE cells ADD COLUMN clock TEXT;
    ALTER TABLE cells ADD COLUMN seed TEXT;
    ALTER TABLE matches ADD COLUMN machine TEXT;
    ALTER TABLE matches ADD COLUMN forfeit TEXT;
";

/// Version 3 kept no thoughts.
const FROM_3: &str = "ALTER TABLE matches ADD COLUMN thoughts BLOB;";

/// What was found by other means than matches, by key, so that it is not found again.
pub const FINDINGS: &str = "
    CREATE TABLE findings (key TEXT PRIMARY KEY, found TEXT NOT NULL) WITHOUT ROWID;
";

/// What brings the tables of an earlier version up to date without changing a result.
pub fn upgrade(version: i32) -> String {
    let since_3 = format!("{FROM_3} {FINDINGS} PRAGMA user_version = {SCHEMA};");
    match version {
        1 => format!("{PLANS} {FROM_1} {FROM_2} {since_3}"),
        2 => format!("{FROM_2} {since_3}"),
        3 => since_3,
        _ => String::new(),
    }
}

/// Views that show the tables of any version as those of the present one; they live in memory, so that looking
/// at a store of an earlier version changes nothing in it.
pub fn views(version: i32) -> String {
    let plans = match version {
        1 => {
            "SELECT id AS place, id AS cell, experiment, names, planned, paper, paper_half_width
             FROM main.cells"
        }
        _ => "SELECT rowid AS place, * FROM main.plans",
    };
    let (unknown, machine) = match version {
        1 | 2 => (
            ", NULL AS rules, NULL AS agents, NULL AS clock, NULL AS seed",
            ", NULL AS machine, NULL AS forfeit, NULL AS thoughts",
        ),
        3 => ("", ", NULL AS thoughts"),
        _ => ("", ""),
    };
    format!(
        "CREATE TEMP VIEW shown_plans AS {plans};
         CREATE TEMP VIEW shown_cells AS SELECT *{unknown} FROM main.cells;
         CREATE TEMP VIEW shown_matches AS SELECT *{machine} FROM main.matches;"
    )
}
