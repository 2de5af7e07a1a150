//! Commands that play games and show what there is to play.

use std::path::PathBuf;

use clap::Args;
use ludex_play::timing::TimeLeft;

use super::common::{BudgetArgs, GameArgs, game_clock};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex games                      one line a game
  ludex games hexagonal            those with the word in their line
  ludex games --json")]
pub struct GamesArgs {
    /// Only games with this word in their name, language, board, playout kind or what they are about.
    #[arg(value_name = "WORD")]
    pub filter: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex info hex
  ludex info go --option \"Board Size/9x9\"
  ludex info path/to/rules.kif --json")]
pub struct InfoArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex play breakthrough --size 6x6
  ludex play nogo --human P2 --agent \"uct(c=0.4)\" --time 2s
  ludex play hex --level 4
  ludex play domineering --human none --simulations 1000")]
pub struct PlayArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Who you play: P1, P2, …; may be repeated, or `none` to watch.
    #[arg(long, value_name = "PLAYER", default_value = "P1")]
    pub human: Vec<String>,
    /// Who plays the others.
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    pub agent: String,
    /// How strong it plays, from 1 to 10.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: u8,
    /// The time of each player for the whole game, and what every move adds to it: 5m, 90s+2s. Whoever exceeds it
    /// has lost.
    #[arg(long, value_name = "TIME[+TIME]", value_parser = game_clock)]
    pub game_time: Option<TimeLeft>,
    /// Let the machine think while you do; what it plays then depends on how long you take.
    #[arg(long)]
    pub ponder: bool,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex match breakthrough --time 50ms --clock cpu
  ludex match breakthrough --agents uct random --games 10 --simulations 200
  ludex match nogo --size 9x9 --agents \"uct(c=0.4)\" \"uct(c=1.0)\" --games 50 --time 100ms
  ludex match breakthrough --agents uct \"uct + ppa\" --time 50ms --clock cpu --threads 2
  ludex match go --option \"Board Size/9x9\" --agents uct \"gtp(gnugo --mode gtp --level 1)\" --time 1s")]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The agents, two or more; they take all seats in turn. gtp(COMMAND), uci(COMMAND) and lines(COMMAND) are other programs.
    #[arg(long, value_name = "SPEC", num_args = 1.., default_values = ["auto", "uct"])]
    pub agents: Vec<String>,
    /// How many games to play.
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Matches played side by side.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Write the record of every game to this folder.
    #[arg(long, value_name = "DIR")]
    pub records: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex agents                     everything an agent line may say
  ludex agents mast                what is known about one word")]
pub struct AgentsArgs {
    /// Only this search or policy.
    pub name: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex match breakthrough --agents uct random --games 2 --records games
  ludex show games/000001.trial
  ludex show games/000001.trial --ply 10
  ludex show breakthrough --moves a2-a3 b7-b6
  ludex show chess --svg -o chess.svg")]
pub struct ShowArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Moves from the start, in their texts; outcomes of chance too.
    #[arg(long, value_name = "TEXT", num_args = 1.., conflicts_with = "ply")]
    pub moves: Vec<String>,
    /// Of a record, the position after so many plies instead of the last.
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// A picture (SVG) instead of text.
    #[arg(long)]
    pub svg: bool,
    /// Where to write the picture; standard output where nothing or `-` is said.
    #[arg(long, short, value_name = "FILE", requires = "svg")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex engine hex --agent \"uct + mast\"
  ludex engine go --option \"Board Size/9x9\" --protocol gtp --time 1s
  ludex engine chess --protocol uci
  printf 'moves\\ngo simulations 1000\\n' | ludex engine breakthrough

docs/engine.md describes the protocols.")]
pub struct EngineArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Who thinks.
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    pub agent: String,
    /// The language spoken on standard input and output.
    #[arg(long, value_enum, default_value = "lines")]
    pub protocol: ProtocolArg,
    /// How GTP calls columns: without I, as Go does, or by all letters, as programs for Hex do.
    #[arg(long, value_enum, default_value = "no-i")]
    pub letters: LettersArg,
    /// Think in the other players' time too; answers then depend on how long they take.
    #[arg(long)]
    pub ponder: bool,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

/// A language in which programs play.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolArg {
    Lines,
    Gtp,
    Uci,
}

/// How columns are called.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LettersArg {
    NoI,
    All,
}
