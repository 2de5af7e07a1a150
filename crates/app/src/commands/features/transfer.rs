//! `ludex features transfer`: features of one game for another.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use ludex_arena::catalog;
use ludex_arena::features::learn::{Plan, Use, check, refit};
use ludex_arena::features::transfer::{carry, likeness};
use ludex_arena::features::{FeatureFile, Learned, ReadingName};
use ludex_game::features::Reading;
use ludex_play::features::FeatureSet;
use ludex_play::features::learn::Limits;
use ludex_play::search::{Budget, Stop};

use super::TransferArgs;
use super::learn::{scored, write_whole};

pub(super) fn run(args: &TransferArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let spec = args.options.spec(&args.game);
    let game = catalog::load(&spec)?;
    let mut sources = Vec::new();
    for path in &args.from {
        if path.is_dir() {
            let mut files: Vec<_> =
                std::fs::read_dir(path)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
            files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
            files.sort();
            sources.extend(files);
        } else {
            sources.push(path.clone());
        }
    }
    if sources.is_empty() {
        bail!("there are no features to carry over");
    }
    let mut ranked = Vec::new();
    for path in sources {
        let file = FeatureFile::load(&path)?;
        let alike = likeness(&file, &spec)?;
        ranked.push((alike, path, file));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    if ranked.len() > 1 || args.suggest {
        writeln!(out, "likeness of rules, from 0 to 1:")?;
        for (alike, path, file) in &ranked {
            writeln!(out, "  {alike:.2}  {} ({})", path.display(), file.game)?;
        }
        if args.suggest {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let Some(target) = &args.out else {
        bail!("where are they to be written? Say --out FILE.toml")
    };
    let (_, path, file) = &ranked[0];
    let source = catalog::load(&catalog::GameSpec {
        options: file.options.clone(),
        ..args.options.spec(&file.game)
    });
    let carried = carry(&file.set(path)?, source.as_deref().ok(), &*game);
    for left in &carried.left {
        writeln!(out, "left behind: {left}")?;
    }
    let count: usize = carried.set.players.iter().map(|own| own.features.len()).sum();
    if count == 0 {
        bail!("no feature of {} has a place in {}", path.display(), spec.name);
    }
    carried.set.judge(&*game)?;
    writeln!(out, "{count} features of {} carried over to {}", file.game, spec.name)?;
    let plan = Plan {
        game: game.clone(),
        name: spec.name.clone(),
        options: spec.options.clone(),
        games: 1_000,
        simulations: args.simulations,
        rounds: 1,
        limits: Limits::default(),
        time: Duration::from_secs_f64(60.0 * args.minutes),
        matches: 0,
        seed: args.seed,
        threads: args.threads.into(),
        stop: Stop::default(),
    };
    let tell = |what: &str, set: &FeatureSet, out: &mut dyn Write| -> anyhow::Result<()> {
        if args.check > 0 {
            let budget = Budget::simulations(args.simulations);
            let tally = check(&plan, &Arc::new(set.clone()), Use::Prior, args.check, budget)?;
            writeln!(out, "{} against uct {what}", scored(&tally))?;
            out.flush()?;
        }
        Ok(())
    };
    tell("as they are", &carried.set, out)?;
    let mut set = carried.set;
    if args.minutes > 0.0 {
        set = refit(&plan, &set)?;
        tell("with new weights", &set, out)?;
    }
    let reading = match set.reading {
        Reading::Paper => ReadingName::Paper,
        Reading::Ludii => ReadingName::Ludii,
    };
    let learned = Learned {
        teacher: if args.minutes > 0.0 { "uct, with these features as prior" } else { "none" }
            .into(),
        simulations: args.simulations,
        seed: args.seed,
        minutes: args.minutes,
        source: Some(path.display().to_string()),
        ..Learned::default()
    };
    let carried = FeatureFile {
        game: spec.name.clone(),
        options: spec.options.clone(),
        reading,
        learned: Some(learned),
        player: FeatureFile::entries(&set),
    };
    write_whole(target, &carried.to_text())?;
    writeln!(out, "{} holds them", target.display())?;
    Ok(ExitCode::SUCCESS)
}
