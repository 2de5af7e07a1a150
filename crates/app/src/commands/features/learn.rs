//! `ludex features learn`: features out of self-play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ludex_arena::features::learn::{Plan, Progress, Stage, Use, check, learn};
use ludex_arena::features::{Check, FeatureFile, Point};
use ludex_arena::report::plot::{Bar, curves};
use ludex_arena::stats::Tally;
use ludex_arena::{ArenaError, catalog};
use ludex_play::features::learn::{Limits, Sample};
use ludex_play::search::{Budget, Clock, Stop};

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
        matches: args.matches,
        seed: args.seed,
        threads: args.threads.into(),
        stop: Stop::default(),
    };
    let before = stage_of(&args.out, &plan)?;
    let mut told = Ok(());
    let file = learn(
        &plan,
        before,
        |progress| {
            if told.is_ok() {
                told = tell(&progress, out);
            }
        },
        |stage| keep(&args.out, stage),
    )?;
    told?;
    writeln!(out, "{} holds {}", args.out.display(), counts(&file))?;
    if args.check > 0 {
        choose(args, &plan, file, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays every way of using the features against a plain search, and notes the best one that pays.
fn choose(
    args: &LearnArgs,
    plan: &Plan,
    mut file: FeatureFile,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let set = Arc::new(file.set(&args.out)?);
    let budget = Budget { clock: Clock::Cpu, ..Budget::time(args.time) };
    let mut best: Option<(f64, Use)> = None;
    let mut checks = Vec::new();
    for how in Use::ALL {
        let tally = check(plan, &set, how, args.check, budget)?;
        let agent = how.agent(&args.out.display().to_string());
        writeln!(out, "{} against uct: {agent}", scored(&tally))?;
        out.flush()?;
        let interval = tally.interval();
        checks.push(Check {
            agent: how.agent("FILE"),
            milliseconds: 1e3 * args.time.as_secs_f64(),
            matches: args.check,
            score: [tally.mean().unwrap_or(0.5), interval.low, interval.high],
        });
        let low = interval.low;
        if low > 0.5 && best.is_none_or(|(most, _)| low > most) {
            best = Some((low, how));
        }
    }
    let agent = best.map(|(_, how)| how.agent("FILE"));
    match &agent {
        Some(agent) => writeln!(out, "best: {agent}")?,
        None => writeln!(out, "no way of using them was shown to be better than uct: use uct")?,
    }
    if let Some(learned) = &mut file.learned {
        learned.agent = Some(agent.unwrap_or_else(|| "uct".to_string()));
        learned.checks = checks;
    }
    write_whole(&args.out, &file.to_text())?;
    Ok(())
}

/// A score with its interval.
pub(super) fn scored(tally: &Tally) -> String {
    let interval = tally.interval();
    let [mean, low, high] =
        [tally.mean().unwrap_or(0.5), interval.low, interval.high].map(|part| 100.0 * part);
    format!("{mean:5.1}% ({low:.1} to {high:.1})")
}

/// What an earlier run left: its file, and beside it what it learned from.
fn stage_of(path: &Path, plan: &Plan) -> anyhow::Result<Option<Stage>> {
    if !path.exists() {
        return Ok(None);
    }
    let file = FeatureFile::load(path)?;
    // Whatever is broken in it is said before anything is played.
    file.set(path)?.judge(&*plan.game)?;
    let beside = samples_beside(path);
    let next = next_samples(path, file.learned.as_ref().map_or(0, |learned| learned.rounds));
    // Stopped between the features of a round and its positions: those are whole, but not yet in their place.
    if next.exists() {
        std::fs::rename(&next, &beside)
            .with_context(|| format!("cannot rename {}", next.display()))?;
    }
    let mut samples = Vec::new();
    if beside.exists() {
        let text = std::fs::read_to_string(&beside)
            .with_context(|| format!("cannot read {}", beside.display()))?;
        let read = |(number, line): (usize, &str)| {
            Sample::read(line).with_context(|| {
                format!("{}: line {} is no position", beside.display(), number + 1)
            })
        };
        samples = text.lines().enumerate().map(read).collect::<anyhow::Result<_>>()?;
    }
    Ok(Some(Stage { file, samples }))
}

fn samples_beside(path: &Path) -> PathBuf {
    path.with_extension("samples")
}

/// Positions of a round whose features are not written yet: of no use, and told apart by its number, unless they are.
fn next_samples(path: &Path, round: u64) -> PathBuf {
    path.with_extension(format!("samples.{round}"))
}

/// Writes what there is after a round: the samples aside, the curve, then the features, which make the round count.
fn keep(path: &Path, stage: &Stage) -> Result<(), ArenaError> {
    let mut lines = String::new();
    stage.samples.iter().for_each(|sample| sample.write(&mut lines));
    let learned = stage.file.learned.as_ref();
    let curve = learned.map_or(&[][..], |learned| &learned.curve);
    let write = |path: &Path, text: &str| {
        write_whole(path, text).map_err(|error| ArenaError::Rules(format!("{error:#}")))
    };
    let next = next_samples(path, learned.map_or(0, |learned| learned.rounds));
    write(&next, &lines)?;
    write(&path.with_extension("svg"), &plot(&stage.file.game, curve))?;
    write(path, &stage.file.to_text())?;
    std::fs::rename(&next, samples_beside(path)).map_err(|error| ArenaError::file(&next, error))
}

/// The learning curve: how much of what the search thinks is explained, and the score against a plain search.
fn plot(game: &str, curve: &[Point]) -> String {
    let exact = |value: f64| Bar { value, low: value, high: value };
    let explained = |point: &Point| {
        let share = 100.0 * (1.0 - point.after / point.before.max(1e-9));
        (point.round as f64, exact(share.clamp(0.0, 100.0)))
    };
    let scored = |point: &Point| {
        let [value, low, high] = point.score?.map(|part| 100.0 * part);
        Some((point.round as f64, Bar { value, low, high }))
    };
    let lines = [
        ("cross-entropy explained".to_string(), curve.iter().map(explained).collect()),
        ("score against uct".to_string(), curve.iter().filter_map(scored).collect::<Vec<_>>()),
    ];
    let drawn: Vec<(String, Vec<(f64, Bar)>)> =
        lines.into_iter().filter(|(_, points)| !points.is_empty()).collect();
    curves(&format!("Learning features of {game}, by round"), &drawn)
}

fn tell(progress: &Progress, out: &mut dyn Write) -> anyhow::Result<()> {
    match progress {
        Progress::Played { round, games, samples } => {
            writeln!(out, "round {round}: {games} games, {samples} positions")?;
        }
        Progress::Learned { player, features, curve } => {
            let (first, last) = (curve.first().copied(), curve.last().copied());
            let who = player.map_or("all players".to_string(), |n| format!("player {}", n + 1));
            writeln!(
                out,
                "  {who}: {features} features, cross-entropy {:.4} (none: {:.4})",
                last.unwrap_or_default(),
                first.unwrap_or_default()
            )?;
        }
        Progress::Checked { score } => writeln!(out, "  {} against uct", scored(score))?,
    }
    Ok(out.flush()?)
}

fn counts(file: &FeatureFile) -> String {
    let counts: Vec<String> =
        file.player.iter().map(|player| player.features.len().to_string()).collect();
    format!("{} features", counts.join(" + "))
}

/// Writes a file whole or not at all.
pub(super) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.with_context(|| format!("cannot write {}", path.display()))
}
