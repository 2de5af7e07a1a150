//! Commands that learn, evolve and run experiments.

use std::path::PathBuf;

use clap::Args;
use ludex_arena::experiment::{Shard, Share};

use super::common::{GameArgs, duration, probability};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex evolve 7-wonders --threads 2 --out best.toml
  ludex match 7-wonders --agents \"evolved(best.toml)\" rule-ai rule-ai --games 300
  ludex evolve breakthrough --size 6x6 --generations 20 --games 60")]
pub struct EvolveArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Who plays all other seats; the game's own scripted player if it has one, otherwise the best of the
    /// first population.
    #[arg(long, value_name = "SPEC")]
    pub opponent: Option<String>,
    /// Simulations of an opponent who searches.
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: u64,
    /// Games that make up one fitness, shared among the configurations.
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Outcomes of the game's first chance turn to train on: boards, in 7 Wonders.
    #[arg(long, value_name = "N", default_value = "25", value_parser = clap::value_parser!(u64).range(1..))]
    pub configurations: u64,
    /// Games that validate the best one; none with 0.
    #[arg(long, value_name = "N", default_value = "5000")]
    pub validate: u64,
    /// Draws of hidden information and others' moves that judge a decision.
    #[arg(long, value_name = "N", default_value = "11", value_parser = clap::value_parser!(u16).range(1..))]
    pub samples: u16,
    /// How many formulas live at once.
    #[arg(long, value_name = "N", default_value = "25", value_parser = clap::value_parser!(u16).range(2..))]
    pub population: u16,
    /// Generations; each has as many births as the population.
    #[arg(long, value_name = "N", default_value = "100")]
    pub generations: u32,
    /// A whole new population at a time, of which the best so many live on, instead of one birth at a time.
    #[arg(long, value_name = "ELITE", num_args = 0..=1, default_missing_value = "1")]
    pub generational: Option<u16>,
    /// A child replaces the worst only if it is not worse.
    #[arg(long)]
    pub if_not_worse: bool,
    /// A child whose games went as its nearest neighbour's in all but this part competes with it for its place.
    #[arg(long, value_name = "P", default_value = "0.15", value_parser = probability)]
    pub crowding: f64,
    /// How many compete to be a parent.
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u16).range(1..))]
    pub tournament: u16,
    /// Probability of two parents.
    #[arg(long, value_name = "P", default_value = "0.6", value_parser = probability)]
    pub crossover: f64,
    /// Probability that a node changes for another of its kind.
    #[arg(long, value_name = "P", default_value = "0.15", value_parser = probability)]
    pub mutation: f64,
    /// What that probability is meant for: a child, of which one node changes, or each of its nodes.
    #[arg(long, value_name = "WHAT", default_value = "child")]
    pub mutation_per: MutationPer,
    /// Probability that a part is grown anew.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability)]
    pub subtree_mutation: f64,
    /// Fitness lost for each node of a formula.
    #[arg(long, value_name = "F", default_value = "0", value_parser = probability)]
    pub parsimony: f64,
    /// No formula grows deeper.
    #[arg(long, value_name = "N", default_value = "17", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub depth: u16,
    /// Functions beside + - *: divide, min-max, if.
    #[arg(long, value_name = "F", value_delimiter = ',')]
    pub functions: Vec<String>,
    /// Games played side by side.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Where the best formula is written.
    #[arg(long, value_name = "FILE", default_value = "evolved.toml")]
    pub out: PathBuf,
    /// Where the unfinished run is kept; it goes on from there. Beside the formula if not said.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Begin anew, whatever run is kept there.
    #[arg(long)]
    pub fresh: bool,
    /// Write a line for each generation to this file.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// What to learn, and for how long.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex train breakthrough --minutes 3 --threads 2
  ludex match breakthrough --agents \"alphabeta + eval(breakthrough.weights.toml)\" uct --games 40 --time 0.05")]
pub struct TrainArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How long; the round under way is finished.
    #[arg(long, value_name = "M", default_value = "2")]
    pub minutes: f64,
    /// Games of each round, and as many again that compare the new weights with those before.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Positions looked at for each move.
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u64).range(1..))]
    pub positions: u64,
    /// Games played side by side.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Where the weights are kept, after every round; `GAME.weights.toml` if not said.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// Which game, and whether to measure.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex auto breakthrough
  ludex auto chess --time 1s --save chess.weights.toml
  ludex auto gomoku --measure --minutes 1 --matches 20 --time 50ms --book auto.toml

What comes with the program is crates/arena/data/auto.toml, written by the last of these, game by game; the program is \
built with it.")]
pub struct AutoArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Learn weights and play the candidates against one another; what is found is put into the book.
    #[arg(long, requires = "book")]
    pub measure: bool,
    /// The book: a file by rules and by kinds of games; made if it is not there. Without it, the one that is built in.
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Matches of each pair of candidates.
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(2..))]
    pub matches: u64,
    /// How long is thought about a move, in processor time.
    #[arg(long, value_name = "T", default_value = "50ms", value_parser = duration)]
    pub time: std::time::Duration,
    /// Minutes of learning before the matches.
    #[arg(long, value_name = "M", default_value = "1")]
    pub minutes: f64,
    /// Games played side by side.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Write the weights that the choice judges by to this file, for `eval(FILE)`.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// How to run an experiment.
#[derive(Args, Debug)]
pub struct ExperimentArgs {
    /// Where results are kept; made if it is not there.
    #[arg(long, value_name = "F.sqlite")]
    pub store: Option<PathBuf>,
    /// Play this many games a cell instead of what the experiment says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Play only these of the experiment's games, separated by commas.
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Folder with GDL rules that do not come with the program, one KEY.kif for each game.
    #[arg(long, value_name = "DIR", env = "LUDEX_RULES")]
    pub rules: Option<PathBuf>,
    /// Give agents this many simulations a move instead of what the experiment says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// Matches played side by side.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Play only one of several parts, counted from one; `ludex merge` joins their stores.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

impl ExperimentArgs {
    /// Which matches are played.
    pub fn share(&self) -> Share<'static> {
        self.shard.map_or(Share::All, Share::Shard)
    }
}

/// What hands matches out to several machines.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cluster {
    /// Ray, which the Python package runs on.
    Ray,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex merge all.sqlite part-*.sqlite")]
pub struct MergeArgs {
    /// The store that keeps all of it; made if it is not there.
    #[arg(value_name = "F.sqlite")]
    pub store: PathBuf,
    /// Stores to add; they are left as they are.
    #[arg(value_name = "PART.sqlite", required = true)]
    pub parts: Vec<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex run experiments/strength.toml --threads 2
  ludex run experiments/strength.toml --store short.sqlite --games 20
  ludex run experiments/strength.toml --shard 3/16 --store part-3.sqlite
  ludex run experiments/strength.toml --on ray --address auto")]
pub struct RunArgs {
    /// The experiment file.
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,
    /// Hand the matches out to the machines of a cluster, by the Python package.
    #[arg(long, value_enum, conflicts_with = "shard")]
    pub on: Option<Cluster>,
    /// Where the cluster is; one is started on this machine if nothing is said.
    #[arg(long, value_name = "ADDRESS", requires = "on")]
    pub address: Option<String>,
    #[command(flatten)]
    pub how: ExperimentArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex reproduce memorizing/table1 --games 40
  ludex reproduce memorizing/table2 --games 10 --simulations 500 --threads 2
  ludex reproduce features/bridge              checks a figure and draws it; features/all does all five")]
pub struct ReproduceArgs {
    /// The table, such as memorizing/table1.
    #[arg(value_name = "PAPER/TABLE")]
    pub table: String,
    #[command(flatten)]
    pub how: ExperimentArgs,
}

/// What a probability of mutation is meant for.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutationPer {
    /// Every node by itself.
    Node,
    /// A child.
    Child,
}

/// How a report looks.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    Text,
    Markdown,
    Csv,
    Html,
    Json,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex report results.sqlite
  ludex report results.sqlite --output results.html")]
pub struct ReportArgs {
    /// The result store.
    #[arg(value_name = "F.sqlite")]
    pub store: PathBuf,
    /// Draw the course of this match of every cell: what the players expected, choice by choice. A page draws the
    /// most dramatic one where nothing is said.
    #[arg(long = "match", value_name = "NUMBER")]
    pub of_match: Option<u64>,
    /// How it looks; otherwise told by the name of the output.
    #[arg(long, value_enum)]
    pub format: Option<ReportFormat>,
    /// Write to this file, whose ending (.txt, .md, .csv, .html, .jsonl) says how it looks; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}
