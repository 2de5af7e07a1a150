//! `ludex bench --same`: whether optimised playouts are playouts of the same game.

use std::io::Write;
use std::time::{Duration, Instant};

use ludex_arena::same::{Choice, Sample, Sampler};
use ludex_game::playout::Style;
use ludex_game::{Game, Rng};
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
            let row = compare(args, playouts, &forms, choice, number, bound);
            different += u32::from(!row.same);
            if args.json {
                json_line(out, &row)?;
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
) -> SameRow {
    let draw = |game: &dyn Game, style, stream| {
        let rng = Rng::stream(args.seed, 2 * number + stream);
        drawn_within(Sampler::new(game, style, choice, rng), playouts, args.within)
    };
    let standard = draw(&*forms.standard, Style::Standard, 0);
    let optimised = draw(&*forms.optimised, Style::Optimised, 1);
    let like = standard.like(&optimised);
    SameRow {
        game: forms.name.clone(),
        policy: if choice == Choice::Uniform { "uniform" } else { "biased" },
        playouts: standard.count().min(optimised.count()),
        outcomes_p: like.outcomes,
        lengths_p: like.lengths,
        standard_plies: like.plies[0],
        optimised_plies: like.plies[1],
        same: like.outcomes >= bound && like.lengths >= bound,
    }
}

/// So many playouts, or as many as the time allows.
fn drawn_within(mut sampler: Sampler<'_>, playouts: u64, within: Option<f64>) -> Sample {
    let end = within.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    for _ in 0..playouts {
        sampler.play();
        if end.is_some_and(|end| Instant::now() >= end) {
            break;
        }
    }
    sampler.sample
}
