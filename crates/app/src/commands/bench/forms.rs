//! The games of a suite: named ones, those of a folder, or all that come with the program.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use indicatif::ProgressBar;
use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::ludemes::library::files_below;
use ludex_game::{Game, PlayoutKind};

use crate::cli::BenchArgs;
use crate::progress;

/// Both forms of a game.
pub struct Forms {
    pub name: String,
    pub standard: Arc<dyn Game>,
    pub optimised: Arc<dyn Game>,
}

/// Games that are loaded one after another, with a bar that shows how far they are.
pub struct Games {
    left: std::vec::IntoIter<Entry>,
    bar: ProgressBar,
    count: usize,
    /// Files that could not be loaded, and games that are listed anyway.
    passed_over: [usize; 2],
}

/// A game and what it is called in tables.
struct Entry {
    name: String,
    spec: GameSpec,
    /// Nobody named it: it takes part only where it has an optimised playout.
    unnamed: bool,
}

impl Games {
    /// The games and folders asked for, or all built-in games from ludemes.
    pub fn asked(args: &BenchArgs) -> anyhow::Result<Self> {
        let mut entries = Vec::new();
        if args.games.is_empty() {
            let all = catalog::builtins();
            entries.extend(all.map(|spec| Entry { name: spec.to_string(), spec, unnamed: true }));
        }
        for name in &args.games {
            match Path::new(name).is_dir() {
                true => folder(args, Path::new(name), &mut entries)?,
                false => {
                    let spec = args.options.spec(name);
                    entries.push(Entry { name: spec.to_string(), spec, unnamed: false });
                }
            }
        }
        let mut passed_over = [0; 2];
        let bar = progress::of_games(entries.len() as u64);
        entries.retain(|entry| {
            bar.inc(1);
            let Some(reason) = entry.unnamed.then(|| reason_to_pass_over(&entry.spec)).flatten()
            else {
                return true;
            };
            passed_over[reason] += 1;
            false
        });
        bar.finish_and_clear();
        let count = entries.len();
        Ok(Games {
            left: entries.into_iter(),
            bar: progress::of_games(count as u64),
            count,
            passed_over,
        })
    }

    /// How many take part.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Loads the next.
    pub fn next(&mut self) -> anyhow::Result<Option<Forms>> {
        self.bar.set_position((self.count - self.left.len()) as u64);
        let Some(Entry { name, spec, .. }) = self.left.next() else {
            self.bar.finish_and_clear();
            return Ok(None);
        };
        let optimised = catalog::load(&spec)?;
        let standard = catalog::load(&GameSpec { standard: true, ..spec })?;
        Ok(Some(Forms { name, standard, optimised }))
    }

    /// Says which games took no part.
    pub fn account(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let [failed, listed] = self.passed_over;
        if failed + listed > 0 {
            writeln!(
                out,
                "Passed over: {listed} games without an optimised playout, {failed} that do not load."
            )?;
        }
        Ok(())
    }
}

fn folder(args: &BenchArgs, folder: &Path, entries: &mut Vec<Entry>) -> anyhow::Result<()> {
    let mut files = Vec::new();
    files_below(folder, "lud", &mut files)?;
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
        let path = file.to_str().context("a file's name is not text")?;
        let spec = args.options.spec(path);
        entries.push(Entry { name: name.display().to_string(), spec, unnamed: true });
    }
    Ok(())
}

/// 0: it does not load; 1: it has no optimised playout.
fn reason_to_pass_over(spec: &GameSpec) -> Option<usize> {
    // Descriptions alone have two forms.
    if let Ok(None) = catalog::ludeme_text(spec, Places::here()) {
        return Some(1);
    }
    match catalog::load(spec) {
        Err(_) => Some(0),
        Ok(game) => (game.info().playout == PlayoutKind::Listing).then_some(1),
    }
}
