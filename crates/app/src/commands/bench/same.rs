//! `ludex bench --same`: whether optimised playouts are playouts of the same game.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use ludex_arena::same::{Choice, Sample, Sampler};
use ludex_game::playout::Style;
use ludex_game::{Game, Rng, mix};
use serde::Serialize;

use super::forms::{Forms, Games};
use crate::cli::BenchArgs;
use crate::output::{json_line, table};

/// Whether standard and optimised playouts are of the same game.
#[derive(Serialize)]
struct SameRow {
    game: String,
    policy: &'static str,
    /// Of the smaller sample.
    playouts: u64,
    outcomes_p: f64,
    lengths_p: f64,
    standard_plies: f64,
    optimised_plies: f64,
    same: bool,
}

/// All tests together call the same game different with this probability.
const FALSE_ALARM: f64 = 0.01;

/// Tests outcomes and lengths of both forms, uniform and by a fixed policy.
pub fn run(args: &BenchArgs, playouts: u64, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut games = Games::asked(args)?;
    let bound = FALSE_ALARM / (games.count().max(1) * 4) as f64;
    let header = [
        "game",
        "policy",
        "playouts",
        "outcomes p",
        "lengths p",
        "plies standard",
        "optimised",
        "",
    ];
    let mut results = table(&header, &[2, 3, 4, 5, 6]);
    let (mut different, mut number) = (0, 0);
    while let Some(forms) = games.next()? {
        for choice in [Choice::Uniform, Choice::Biased] {
            let row = compare(args, playouts, &forms, choice, number, bound)?;
            different += u32::from(!row.same);
            if args.json {
                json_line(out, &row)?;
                // The next game may take minutes.
                out.flush()?;
                continue;
            }
            results.add_row([
                row.game,
                row.policy.to_string(),
                row.playouts.to_string(),
                format!("{:.4}", row.outcomes_p),
                format!("{:.4}", row.lengths_p),
                format!("{:.2}", row.standard_plies),
                format!("{:.2}", row.optimised_plies),
                if row.same { String::new() } else { "different".to_string() },
            ]);
        }
        number += 1;
    }
    if !args.json {
        writeln!(out, "{results}")?;
        games.account(out)?;
    }
    anyhow::ensure!(different == 0, "{different} tests call the game a different one");
    Ok(())
}

fn compare(
    args: &BenchArgs,
    playouts: u64,
    forms: &Forms,
    choice: Choice,
    number: u64,
    bound: f64,
) -> anyhow::Result<SameRow> {
    let policy = if choice == Choice::Uniform { "uniform" } else { "biased" };
    let draw = |game: &dyn Game, style, form: &str, stream| {
        let kept = Kept::open(args.keep.as_deref(), &format!("{}-{policy}-{form}", forms.name))?;
        // What is added to a sample is drawn from other numbers than the sample was.
        let rng = Rng::stream(args.seed ^ mix(kept.sample.count()), 2 * number + stream);
        kept.grown_to(playouts, Sampler::new(game, style, choice, rng), args.within)
    };
    let standard = draw(&*forms.standard, Style::Standard, "standard", 0)?;
    let optimised = draw(&*forms.optimised, Style::Optimised, "optimised", 1)?;
    let like = standard.like(&optimised);
    Ok(SameRow {
        game: forms.name.clone(),
        policy,
        playouts: standard.count().min(optimised.count()),
        outcomes_p: like.outcomes,
        lengths_p: like.lengths,
        standard_plies: like.plies[0],
        optimised_plies: like.plies[1],
        same: like.outcomes >= bound && like.lengths >= bound,
    })
}

/// Between two times that a growing sample is written down.
const PAUSE: Duration = Duration::from_secs(20);

/// A sample, and the file it is kept in.
struct Kept {
    sample: Sample,
    file: Option<PathBuf>,
}

impl Kept {
    /// What was kept of a sample before.
    fn open(folder: Option<&Path>, name: &str) -> anyhow::Result<Self> {
        let Some(folder) = folder else {
            return Ok(Kept { sample: Sample::default(), file: None });
        };
        let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
        let file = folder.join(name.chars().map(plain).collect::<String>()).with_extension("txt");
        let sample = match std::fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Sample::default(),
            Err(error) => return Err(error).context(file.display().to_string()),
            Ok(text) => Sample::from_text(&text)
                .with_context(|| format!("{} is not a sample", file.display()))?,
        };
        Ok(Kept { sample, file: Some(file) })
    }

    /// Adds playouts until there are so many, or as many as the time allows.
    fn grown_to(
        self,
        playouts: u64,
        mut sampler: Sampler<'_>,
        within: Option<f64>,
    ) -> anyhow::Result<Sample> {
        let end = within.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
        let mut written = Instant::now();
        for _ in self.sample.count()..playouts {
            sampler.play();
            if end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            if self.file.is_some() && written.elapsed() > PAUSE {
                self.with(&sampler.sample)?;
                written = Instant::now();
            }
        }
        self.with(&sampler.sample)
    }

    /// The sample and what is added to it, written down.
    fn with(&self, more: &Sample) -> anyhow::Result<Sample> {
        let mut sample = self.sample.clone();
        sample.add(more);
        if let (Some(file), true) = (&self.file, more.count() > 0) {
            let folder = file.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            // Whoever is interrupted while writing leaves the old file as it was.
            let new = file.with_extension("new");
            std::fs::write(&new, sample.to_text()).with_context(|| new.display().to_string())?;
            std::fs::rename(&new, file).with_context(|| file.display().to_string())?;
        }
        Ok(sample)
    }
}
