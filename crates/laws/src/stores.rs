//! Stores of results whose values, or whose bytes, were spoiled.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use ludex_arena::experiment::{Experiment, RunOptions, Share, Store, run};
use ludex_arena::report;
use rusqlite::Connection;

const EXPERIMENT: &str = r#"
title = "Small"
games = ["nogo --size 4x4"]
matches = 2
simulations = 5
seed = 1

[agents]
PPA = "uct + ppa"
UCT = "uct"
"#;

/// What may stand in a column instead.
const VALUES: [&str; 16] = [
    "NULL",
    "''",
    "'x'",
    "'[]'",
    "'[[]]'",
    "'[0]'",
    "'[1,0]'",
    "'[0,0,0]'",
    "'[-1]'",
    "'[\"a\"]'",
    "'1 0'",
    "-1",
    "9223372036854775807",
    "1e308",
    "x'00ff'",
    "'null'",
];

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.sqlite");
    let store = Store::open(&path).expect("a new store");
    let experiment = Experiment::read("small.toml", EXPERIMENT).expect("an experiment");
    let options = RunOptions {
        threads: 1,
        folder: folder.path(),
        rules: None,
        stop: &AtomicBool::new(false),
        share: Share::All,
    };
    run(&experiment, &store, options, &mut |_| {}).expect("it runs");
    drop(store);
    // Whatever the store keeps beside its file goes into it.
    let connection = Connection::open(&path).expect("opens");
    connection.pragma_update(None, "journal_mode", "DELETE").expect("one file");
    drop(connection);
    std::fs::read(&path).expect("readable")
});

/// Every report of a small store is written or refused with a sentence; the input chooses what is spoiled in it.
pub fn stores(bytes: &[u8]) {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("spoiled.sqlite");
    let mut file = FILE.clone();
    if how % 4 == 0 {
        for change in rest.chunks_exact(4) {
            let at =
                usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
            let at = at % file.len();
            file[at] = change[3];
        }
    }
    std::fs::write(&path, file).expect("writable");
    if how % 4 != 0 {
        spoil(&path, rest);
    }
    let Ok(store) = Store::open_to_read(&path) else { return };
    let _ = (store.caution(), store.progress(), store.title());
    if let Ok(reports) = report::gather(&store) {
        let _ = (report::text(&reports), report::markdown(&reports), report::csv(&reports));
        if let Ok(courses) = report::courses(&store, &reports, None) {
            let _ = report::html("Spoiled", &reports, &courses);
        }
    }
}

/// Sets columns to values as the bytes choose.
fn spoil(path: &Path, bytes: &[u8]) {
    let connection = Connection::open(path).expect("opens");
    let mut columns: Vec<(String, String)> = Vec::new();
    for table in ["cells", "matches", "plans"] {
        let mut asked =
            connection.prepare(&format!("PRAGMA table_info({table})")).expect("a table");
        let names = asked.query_map([], |row| row.get::<_, String>(1)).expect("columns");
        columns.extend(names.map(|name| (table.to_string(), name.expect("a name"))));
    }
    for change in bytes.chunks_exact(2) {
        let (table, column) = &columns[usize::from(change[0]) % columns.len()];
        let value = VALUES[usize::from(change[1]) % VALUES.len()];
        let _ = connection.execute(&format!("UPDATE {table} SET {column} = {value}"), []);
    }
}
