//! The dated record of a suite: one row a game, compared with the record before it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::suite::Row;
use crate::output::{grouped, table};

/// Writes the record and says what changed since the one before.
pub(super) fn keep(path: &Path, rows: &[Row], out: &mut dyn Write) -> anyhow::Result<()> {
    let before = predecessor(path)?;
    let mut text = String::from(
        "game,kind,standard_per_s,optimised_per_s,speedup,standard_plies,optimised_plies,machine\n",
    );
    for r in rows {
        text += &format!(
            "{},{},{:.1},{:.1},{:.3},{:.2},{:.2},{}\n",
            r.game.replace(',', ";"),
            r.kind,
            r.standard_per_s,
            r.optimised_per_s,
            r.speedup,
            r.standard_plies,
            r.optimised_plies,
            r.machine
        );
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    match before {
        Some(before) => compare(&before, rows, out),
        None => Ok(writeln!(out, "No older record lies beside {}.", path.display())?),
    }
}

/// The latest record of the folder whose name comes before this one's.
fn predecessor(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(None);
    };
    let mut older = Vec::new();
    for entry in entries {
        let other = entry?.path();
        if other.extension().is_some_and(|e| e == "csv") && other.file_name() < path.file_name() {
            older.push(other);
        }
    }
    Ok(older.into_iter().max())
}

fn compare(before: &Path, rows: &[Row], out: &mut dyn Write) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(before)?;
    let rate = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Some((fields.first()?.to_string(), fields.get(3)?.parse::<f64>().ok()?))
    };
    let old: BTreeMap<String, f64> = text.lines().skip(1).filter_map(rate).collect();
    let mut changes = table(&["game", "before/s", "now/s", "change"], &[1, 2, 3]);
    for row in rows {
        let Some(&was) = old.get(&row.game.replace(',', ";")) else { continue };
        let change = format!("{:+.1}%", (row.optimised_per_s / was - 1.0) * 100.0);
        changes.add_row([row.game.clone(), grouped(was), grouped(row.optimised_per_s), change]);
    }
    writeln!(out, "Since {}:\n{changes}", before.display())?;
    Ok(())
}
