//! `ludex features`: patterns around moves.

mod conform;
mod learn;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::GameArgs;

/// What `ludex features` can do.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex features learn hex --minutes 5 --out hex.toml
  ludex match hex --agents \"uct + features(hex.toml)\" uct --time 50ms --clock cpu")]
pub struct FeaturesArgs {
    #[command(subcommand)]
    command: FeaturesCommand,
}

#[derive(Subcommand, Debug)]
enum FeaturesCommand {
    /// Compare walks, instances, active features and probabilities with recorded ones.
    Conform(ConformArgs),
    /// Learn features for a game by self-play.
    Learn(LearnArgs),
}

#[derive(Args, Debug)]
struct LearnArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The file to write; what it holds already is where learning begins.
    #[arg(long, value_name = "FILE.toml")]
    out: PathBuf,
    /// Games of self-play at most.
    #[arg(long, value_name = "N", default_value_t = 300)]
    games: u64,
    /// Minutes at most.
    #[arg(long, value_name = "M", default_value_t = 10.0, value_parser = minutes)]
    minutes: f64,
    /// Simulations of the teacher for each move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..))]
    simulations: u64,
    /// How often features are learned, each time from a better teacher.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=100))]
    rounds: u64,
    /// The most features of a player.
    #[arg(long, value_name = "N", default_value_t = 12)]
    max: usize,
    /// Play so many matches against a plain search in the end, for each way of using the features.
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// Time for each move of those matches, such as 50ms; otherwise they have the teacher's simulations.
    #[arg(long, value_name = "T", value_parser = crate::cli::duration)]
    time: Option<Duration>,
    /// What everything random comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games side by side.
    #[arg(long, value_name = "T", default_value = "2")]
    threads: NonZero<usize>,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 10_000.0 => Ok(minutes),
        _ => Err("expected a number of minutes above 0 and at most 10000".to_string()),
    }
}

#[derive(Args, Debug)]
struct ConformArgs {
    /// Folder of a library of ludeme games, with lud/ and def/.
    #[arg(long, value_name = "DIR")]
    library: PathBuf,
    /// Folder of the records: boards/, sets/, positions/, walks/, instances/.
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// Only these games, by the names of their files in boards/.
    #[arg(long, value_name = "KEY", num_args = 1..)]
    only: Vec<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &FeaturesArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match &args.command {
        FeaturesCommand::Conform(args) => conform::run(args, out),
        FeaturesCommand::Learn(args) => learn::run(args, out),
    }
}
