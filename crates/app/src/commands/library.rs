//! Games drawn from a library, and the table of figures that a library makes.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ludex_arena::catalog::GameSpec;
use ludex_arena::experiment::Store;
use ludex_arena::ludemes::library::files_below;
use ludex_game::Rng;
use ludex_judge::evaluate::DeadRules;
use ludex_judge::yardstick::{self, Kind};
use ludex_judge::{JudgeError, Tier, evaluate};

use super::evaluate::{plan, stop_on_ctrl_c};
use crate::cli::EvaluateArgs;

/// The descriptions of a library in an order drawn by a seed, without those in folders that are left out.
pub fn drawn(library: &Path, left_out: &[String], seed: u64) -> anyhow::Result<Vec<PathBuf>> {
    let root = library.join("lud");
    let mut games = Vec::new();
    files_below(&root, "lud", &mut games)?;
    let stays = |game: &PathBuf| {
        let inside = game.strip_prefix(&root).unwrap_or(game);
        !left_out.iter().any(|folder| inside.starts_with(folder))
    };
    games.retain(stays);
    if games.is_empty() {
        bail!("{} has no descriptions in lud/", library.display());
    }
    Rng::seeded(seed).shuffle(&mut games);
    Ok(games)
}

/// A description of a library as a game.
pub fn spec(library: &Path, file: &Path) -> GameSpec {
    let mut spec = GameSpec::named(file.display().to_string());
    spec.defs = Some(library.join("def"));
    spec
}

/// Figures of a library's games, a line for each, written as they come.
pub fn measure(
    args: &EvaluateArgs,
    library: &Path,
    file: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut games = drawn(library, &args.leave_out, args.how.seed)?;
    games.truncate(args.sample.map_or(usize::MAX, |count| count as usize));
    let stop = stop_on_ctrl_c()?;
    // Games that were measured before, refused ones included, are listed in a file beside the table.
    let done_file = file.with_extension("done");
    let done = std::fs::read_to_string(&done_file).unwrap_or_default();
    let mut table = match std::fs::read_to_string(file) {
        Ok(text) if !done.is_empty() => text,
        _ => yardstick::header(args.how.seed),
    };
    let mut done: Vec<String> = done.lines().map(str::to_string).collect();
    let (mut measured, mut refused) = (0, 0);
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    for game in &games {
        let name = game.display().to_string();
        if done.contains(&name) {
            continue;
        }
        let spec = spec(library, game);
        let mut plan = plan(spec.clone(), Tier::Random, &args.how)?;
        plan.dead_rules = DeadRules::Ignored;
        let store = Store::open(Path::new(":memory:"))?;
        let loaded = ludex_arena::catalog::load(&spec);
        match loaded
            .map_err(JudgeError::from)
            .and_then(|game| Ok((Kind::of(&*game), evaluate(&plan, &store, &stop, &mut |_| {})?)))
        {
            Ok((kind, found)) => {
                table += &yardstick::line(&kind, &found);
                table.push('\n');
                measured += 1;
            }
            Err(JudgeError::Stopped) => bail!(JudgeError::Stopped),
            Err(_) => refused += 1,
        }
        done.push(name);
        write(file, &table)?;
        write(&done_file, &done.join("\n"))?;
    }
    std::fs::remove_file(&done_file).ok();
    writeln!(out, "{measured} games measured, {refused} without figures; {}", file.display())?;
    Ok(())
}
