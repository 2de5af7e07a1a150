//! `ludex features learn`: features out of self-play.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ludex_arena::catalog;
use ludex_arena::features::learn::{Plan, Progress, Use, check, learn};
use ludex_arena::features::load_features;
use ludex_play::features::learn::Limits;
use ludex_play::search::{Budget, Stop};

use super::LearnArgs;

pub(super) fn run(args: &LearnArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let spec = args.game.spec();
    let plan = Plan {
        game: catalog::load(&spec)?,
        name: spec.name.clone(),
        options: spec.options.clone(),
        games: args.games,
        simulations: args.simulations,
        rounds: args.rounds,
        limits: Limits { features: args.max, ..Limits::default() },
        time: Duration::from_secs_f64(60.0 * args.minutes),
        seed: args.seed,
        threads: args.threads.into(),
        stop: Stop::default(),
    };
    // What an earlier run learned is where this one begins.
    let before = match args.out.exists() {
        true => Some(load_features(&args.out)?),
        false => None,
    };
    let mut told = Ok(());
    let file = learn(&plan, before, |progress| {
        if told.is_ok() {
            told = tell(&progress, out);
        }
    })?;
    told?;
    write_whole(&args.out, &file.to_text())?;
    writeln!(out, "{} holds {}", args.out.display(), counts(&file))?;
    if args.check > 0 {
        let set = Arc::new(file.set(&args.out)?);
        let budget = match args.time {
            Some(time) => Budget::time(time),
            None => Budget::simulations(args.simulations),
        };
        let name = args.out.display().to_string();
        for how in Use::ALL {
            let tally = check(&plan, &set, how, args.check, budget)?;
            let interval = tally.interval();
            writeln!(
                out,
                "{:5.1}% ({:.1} to {:.1}) against uct: {}",
                100.0 * tally.mean().unwrap_or(0.5),
                100.0 * interval.low,
                100.0 * interval.high,
                how.agent(&name)
            )?;
            out.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(progress: &Progress, out: &mut dyn Write) -> anyhow::Result<()> {
    match progress {
        Progress::Played { round, games, samples } => {
            writeln!(out, "round {round}: {games} games, {samples} positions")?;
        }
        Progress::Learned { player, features, curve } => {
            let (first, last) = (curve.first().copied(), curve.last().copied());
            writeln!(
                out,
                "  player {}: {features} features, cross-entropy {:.4} (none: {:.4})",
                player + 1,
                last.unwrap_or_default(),
                first.unwrap_or_default()
            )?;
        }
    }
    Ok(out.flush()?)
}

fn counts(file: &ludex_arena::features::FeatureFile) -> String {
    let counts: Vec<String> =
        file.player.iter().map(|player| player.features.len().to_string()).collect();
    format!("{} features", counts.join(" + "))
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let beside = path.with_extension("toml.part");
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.with_context(|| format!("cannot write {}", path.display()))
}
