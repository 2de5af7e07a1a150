//! Commands that judge rule sets and look for better ones.

use std::path::PathBuf;

use clap::Args;

use super::common::GameOptions;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex evaluate breakthrough --tier 0
  ludex evaluate hex --html hex.html
  ludex evaluate breakthrough --sweep \"Board Size/*\" --tier 1
  ludex evaluate mine.lud theirs.lud --json
  ludex evaluate --library LIB --sample 50 --built-in --again 2 --seconds 12

Tier 0 plays random games (seconds), tier 1 games between searches (a minute), tier 2 a ladder of \
budgets (ten minutes). The same command goes on where an earlier one was stopped.")]
pub struct EvaluateArgs {
    /// Built-in names (see `ludex games`) or paths to .lud or .kif files; several are shown side by side.
    #[arg(required_unless_present = "library", value_name = "GAME")]
    pub games: Vec<String>,
    #[command(flatten)]
    pub options: GameOptions,
    /// How much is played: 0 random games, 1 games between searches, 2 also the ladder of budgets.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub tier: u8,
    /// Variants side by side: all items of an option with `Board Size/*`, some with `Board Size/5x5,8x8`; may be
    /// repeated for a grid.
    #[arg(long, value_name = "CATEGORY/ITEMS")]
    pub sweep: Vec<String>,
    /// Games of a library folder with `lud/` and `def/`: with --write a table of figures of random games, with --again
    /// how alike two seeds rank them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["games", "sweep", "html"])]
    pub library: Option<PathBuf>,
    /// Where the table goes; one of random games that is there is gone on with. With --again it has the numbers of all
    /// games in order.
    #[arg(long, value_name = "FILE", requires = "library")]
    pub write: Option<PathBuf>,
    /// So many games of the library, drawn by the seed; otherwise all.
    #[arg(long, value_name = "N", requires = "library", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,
    /// Leave out the descriptions in this folder of the library's `lud/`, such as those made for tests; may be repeated.
    #[arg(long, value_name = "FOLDER", requires = "library")]
    pub leave_out: Vec<String>,
    /// Draw every other game of the sample from the built-in ones.
    #[arg(long, requires_all = ["library", "again"])]
    pub built_in: bool,
    /// Judge every game by this seed as well, and say how alike the two rank the games.
    #[arg(long, value_name = "SEED", conflicts_with = "html")]
    pub again: Option<u64>,
    #[command(flatten)]
    pub how: JudgeArgs,
    /// Write a page with plots and example games to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// How games are judged.
#[derive(Args, Debug, Clone)]
pub struct JudgeArgs {
    /// Who plays from tier 1 on.
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    pub agent: String,
    /// His simulations a move; otherwise 1000, or fewer where the game is slow.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// Games between searches at most.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(2..))]
    pub matches: u64,
    /// Random games at most.
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u64).range(1..))]
    pub random_games: u64,
    /// About how many seconds the tier may take, and those before it at most; otherwise 1, 45 and 540.
    #[arg(long, value_name = "S", value_parser = super::common::seconds)]
    pub seconds: Option<f64>,
    /// Games played side by side; otherwise as many as there are processors.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// The store that keeps every game; otherwise `evaluation.sqlite`.
    #[arg(long, value_name = "F.sqlite")]
    pub store: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex improve gomoku --goal \"balance, length 20..60\" --out better
  ludex improve old.lud --goal goal.toml --keep board --keep \"piece \\\"Man\\\"\"

A goal names numbers of `ludex evaluate`: `balance` (the first seat within 47–53%), a range such as \
`length 40..80` or `draws < 10%`, or a number to make large, such as `drama` or `depth`. The same \
command goes on where an earlier one was stopped.")]
pub struct ImproveArgs {
    #[command(flatten)]
    pub game: super::common::GameArgs,
    /// What a better game would be, or a TOML file that says so.
    #[arg(long, value_name = "GOAL", default_value = "balance, depth")]
    pub goal: String,
    /// A part that is never edited, by the name of its ludeme (`board`) or by its text; may be repeated.
    #[arg(long, value_name = "PART")]
    pub keep: Vec<String>,
    /// Minutes of processor time for each thread.
    #[arg(long, value_name = "M", default_value = "14")]
    pub minutes: f64,
    /// The folder for results and candidates; otherwise `NAME-improved`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Who plays.
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    pub agent: String,
    /// His simulations a move while candidates race; the last judgement has four times as many.
    #[arg(long, value_name = "N", default_value = "250", value_parser = clap::value_parser!(u64).range(4..))]
    pub simulations: u64,
    /// Games played side by side; otherwise as many as there are processors.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}
