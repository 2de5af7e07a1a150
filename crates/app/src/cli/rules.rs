//! Commands about rules: check, measure, replay and look them up.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{GameArgs, GameOptions, duration, seconds};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex perft breakthrough --depth 4
  ludex perft breakthrough.lud --depth 4     the same numbers from the description")]
pub struct PerftArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The longest sequences to count.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=30))]
    pub depth: u8,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex bench breakthrough nogo
  ludex bench domineering --size 10x10 --standard
  ludex bench breakthrough.lud --policy 'ppa(alpha=0.32)'
  ludex bench hex --policy 'uniform + decisive'
  ludex bench chess --children
  ludex bench breakthrough --agent uct --simulations 10000
  ludex bench --suite --record record/2026-11-16.csv
  ludex bench --field path/to/library/lud --defs path/to/library/def
  ludex bench --same 20000 --within 60 hex go chess
  ludex bench --same 20000 --within 600 --keep samples
  ludex bench --library path/to/library --sample 80 --seed 7 --ludii speeds.tsv")]
pub struct BenchArgs {
    /// Built-in names or paths to .lud or .kif files; suites also take folders of .lud files, and by default all built-in ludeme games.
    #[arg(required_unless_present_any = ["suite", "same", "field", "library"], value_name = "GAME")]
    pub games: Vec<String>,
    /// Compare optimised with standard playouts, game by game and by kind of playout.
    #[arg(long, conflicts_with_all = ["agent", "standard", "same"])]
    pub suite: bool,
    /// Put the games with recorded figures of other systems beside them, from folders of .lud files or from the built-in games.
    #[arg(long, conflicts_with_all = ["agent", "standard", "same", "suite"])]
    pub field: bool,
    /// Draw games at random from a library (a folder with lud/ and def/) and print how their playouts' speeds are distributed.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["agent", "standard", "same", "suite", "field", "games"])]
    pub library: Option<PathBuf>,
    /// So many games of the library; all of them if left out.
    #[arg(long, value_name = "N", requires = "library", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Ludii's figures: lines of a path below lud/ without its ending, a tab, and plies per CPU second. Only games that have one are drawn.
    #[arg(long, value_name = "FILE", requires = "library")]
    pub ludii: Option<PathBuf>,
    /// Write the suite's figures to this file and compare them with the latest older record beside it.
    #[arg(long, value_name = "FILE", requires = "suite")]
    pub record: Option<std::path::PathBuf>,
    /// Test by so many playouts of either form whether optimised and standard playouts are of the same game.
    #[arg(long, value_name = "N", conflicts_with_all = ["agent", "standard"], value_parser = clap::value_parser!(u64).range(100..))]
    pub same: Option<u64>,
    /// Of slow games draw no more than this many seconds for each sample; the table shows how many playouts it had.
    #[arg(long, value_name = "S", requires = "same", value_parser = seconds)]
    pub within: Option<f64>,
    /// Keep the samples in this folder and add to those that are there: a long test can be interrupted and goes on from where it was.
    #[arg(long, value_name = "DIR", requires = "same")]
    pub keep: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub options: GameOptions,
    /// Measure each for about this long.
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub seconds: f64,
    /// The playout policy, such as uniform or ppa(alpha=0.32).
    #[arg(long, value_name = "P", default_value = "uniform")]
    pub policy: String,
    /// List every legal move instead of using optimised playouts; ludemes run on the general evaluator.
    #[arg(long)]
    pub standard: bool,
    /// Use no special processor instructions.
    #[arg(long)]
    pub portable: bool,
    /// Measure listing all moves and playing each, which is what trees and masks do, instead of playouts.
    #[arg(long, conflicts_with_all = ["agent", "suite", "same", "field", "library"])]
    pub children: bool,
    /// Measure searches by this agent instead of playouts.
    #[arg(long, value_name = "SPEC", requires = "simulations")]
    pub agent: Option<String>,
    /// Simulations of one search.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// Playing threads.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex replay trials/Hex.txt --library path/to/library
  ludex replay trials --library path/to/library")]
pub struct ReplayArgs {
    /// Folder with lud/ and def/; the game is found by the record's `game=` line.
    #[arg(long, value_name = "DIR")]
    pub library: PathBuf,
    /// Records to replay; a folder stands for all records below it.
    #[arg(required = true, value_name = "TRIAL")]
    pub trials: Vec<PathBuf>,
    /// Write a table of all games to this file: exact, unsupported or different.
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex check my-game.lud
  ludex check my-game.lud --all-options
  ludex check path/to/library/lud --defs path/to/library/def --all-options --sample 500 --seed 7
  ludex check path/to/library/lud --defs path/to/library/def --why")]
pub struct CheckArgs {
    /// Rules files (.lud) or folders of them.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,
    /// Folder with the library of defines of .lud files.
    #[arg(long, value_name = "DIR", env = "LUDEX_DEFS")]
    pub defs: Option<PathBuf>,
    /// Select an option of a .lud file, such as "Board Size/9x9"; may be repeated.
    #[arg(long = "option", value_name = "CATEGORY/ITEM")]
    pub options: Vec<String>,
    /// Compile every option and ruleset of .lud files, and all combinations of options up to 200 (else
    /// 200 drawn by the seed), and play random games of each.
    #[arg(long, conflicts_with = "options")]
    pub all_options: bool,
    /// With --all-options: leave combinations of options out.
    #[arg(long, requires = "all_options")]
    pub singles: bool,
    /// With --all-options: how many random games of each.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub games: u32,
    /// With --all-options: plies after which a random game is cut off.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub plies: u32,
    /// With --all-options: CPU time that the games of one choice may take together; what is left of them is not played.
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = duration)]
    pub time: Duration,
    /// With --all-options: so many choices drawn at random from those of all files.
    #[arg(long, value_name = "N", requires = "all_options")]
    pub sample: Option<usize>,
    /// With --all-options: the seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// With --all-options: write the table of all games into this file, after its replayed records.
    #[arg(long, value_name = "FILE", requires = "all_options")]
    pub coverage: Option<PathBuf>,
    /// Say why games are not played by a faster machine, with the number of games each reason keeps out.
    #[arg(long)]
    pub why: bool,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex solve Sudoku.lud
  ludex solve Kakuro.lud --option \"Challenge/Hard\" --time 10s")]
pub struct SolveArgs {
    /// A deduction puzzle (.lud).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Folder with the library of defines of .lud files.
    #[arg(long, value_name = "DIR", env = "LUDEX_DEFS")]
    pub defs: Option<PathBuf>,
    /// Select an option of a .lud file, such as "Challenge/Hard"; may be repeated.
    #[arg(long = "option", value_name = "CATEGORY/ITEM")]
    pub options: Vec<String>,
    /// How long to look for solutions.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub time: Duration,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex ludemes slide          all forms of a ludeme
  ludex ludemes \"count Pieces\"
  ludex ludemes RelationType   the words of a type")]
pub struct LudemesArgs {
    /// A ludeme, one of its forms, a type or one of its words; everything if left out.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print the whole reference as Markdown.
    #[arg(long, conflicts_with = "name")]
    pub markdown: bool,
    /// List every game of this library (a folder with lud/ and def/) in which the ludeme stands.
    #[arg(long, value_name = "DIR", requires = "name")]
    pub library: Option<PathBuf>,
    /// Count for every ludeme the games of this library in which it stands, as the reference is printed with.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "markdown", "library"])]
    pub count: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex conform records/*.jsonl
  ludex conform records/chess.jsonl --engine datalog")]
pub struct ConformArgs {
    /// Folder with the rules, one KEY.kif for each game.
    #[arg(long, value_name = "DIR")]
    pub games: PathBuf,
    /// Use this engine only: network or datalog.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Play rules that break a restriction of GDL as managers' provers do.
    #[arg(long)]
    pub lenient: bool,
    /// Records to replay.
    #[arg(required = true, value_name = "ORACLE.jsonl")]
    pub records: Vec<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}
