//! `ludex features`: patterns around moves.

mod conform;
mod explain;
mod figures;
mod learn;
mod transfer;

pub use figures::figures;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::{GameArgs, GameOptions};

/// What `ludex features` can do.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex features learn hex --minutes 5 --out hex.toml
  ludex features explain hex.toml --html hex.html
  ludex features transfer hex.toml y --out y.toml --minutes 1
  ludex match hex --agents \"uct + features(hex.toml)\" uct --time 50ms --clock cpu")]
pub struct FeaturesArgs {
    #[command(subcommand)]
    command: FeaturesCommand,
}

#[derive(Subcommand, Debug)]
enum FeaturesCommand {
    /// Compare walks, instances, active features and probabilities with recorded ones.
    Conform(ConformArgs),
    /// Learn features for a game by self-play; goes on from the file if it is there.
    Learn(LearnArgs),
    /// Say what features mean: pictures, sentences, how often they hold, what they are worth.
    Explain(ExplainArgs),
    /// Carry features over to another board or game.
    Transfer(TransferArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex features explain hex.toml
  ludex features explain hex.toml --html hex.html --ablate 40 --simulations 500
  ludex features explain hex.toml --rules 40 --simulations 200
  ludex features explain Hex.P1.fs --game hex")]
struct ExplainArgs {
    /// The features: .toml, .fs with weights beside it, or .def.
    file: PathBuf,
    /// The game they are explained on, if not the one they were made for.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    options: GameOptions,
    /// Write a page with pictures.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Games played by the features alone, to see how often they hold.
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,
    /// Play so many matches of the whole set against the set without each feature.
    #[arg(long, value_name = "N", default_value_t = 0)]
    ablate: u64,
    /// Find out which rules each feature serves: alter them one by one, and play each so many games for new weights.
    #[arg(long, value_name = "N", default_value_t = 0)]
    rules: u64,
    /// Simulations for each move of those matches and games.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(2..))]
    simulations: u64,
    /// What everything random comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Matches side by side.
    #[arg(long, value_name = "T", default_value = "2")]
    threads: NonZero<usize>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex features transfer hex-7x7.toml hex --out hex.toml --minutes 0 --check 40
  ludex features transfer learned/ y --suggest")]
struct TransferArgs {
    /// The features, or folders of them: of several the one whose game's rules are most alike.
    #[arg(value_name = "FROM.toml", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// The game they are for.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    options: GameOptions,
    /// The file to write.
    #[arg(long, value_name = "FILE.toml", required_unless_present = "suggest")]
    out: Option<PathBuf>,
    /// Only list how alike the rules are.
    #[arg(long)]
    suggest: bool,
    /// Minutes of self-play for new weights; 0 keeps the old ones.
    #[arg(long, value_name = "M", default_value_t = 1.0, value_parser = minutes_or_none)]
    minutes: f64,
    /// Play so many matches against a plain search, before and after.
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// Simulations for each move.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(2..))]
    simulations: u64,
    /// What everything random comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games side by side.
    #[arg(long, value_name = "T", default_value = "2")]
    threads: NonZero<usize>,
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
    #[arg(long, value_name = "N", default_value_t = 16)]
    max: usize,
    /// Matches against a plain search after every round, for the learning curve.
    #[arg(long, value_name = "N", default_value_t = 0)]
    matches: u64,
    /// Play so many matches against a plain search in the end, for each way of using the features.
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// Processor time for each move of those matches: features must pay for what they cost.
    #[arg(long, value_name = "T", default_value = "50ms", value_parser = crate::cli::duration)]
    time: Duration,
    /// What everything random comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games side by side.
    #[arg(long, value_name = "T", default_value = "2")]
    threads: NonZero<usize>,
}

fn minutes_or_none(text: &str) -> Result<f64, String> {
    if text == "0" { Ok(0.0) } else { minutes(text) }
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
        FeaturesCommand::Explain(args) => explain::run(args, out),
        FeaturesCommand::Transfer(args) => transfer::run(args, out),
    }
}
