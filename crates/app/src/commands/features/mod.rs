//! `ludex features`: patterns around moves.

mod conform;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

/// What `ludex features` can do.
#[derive(Args, Debug)]
pub struct FeaturesArgs {
    #[command(subcommand)]
    command: FeaturesCommand,
}

#[derive(Subcommand, Debug)]
enum FeaturesCommand {
    /// Compare walks, instances, active features and probabilities with recorded ones.
    Conform(ConformArgs),
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
    }
}
