//! The grammar of the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use ludex_arena::catalog::GameSpec;
use ludex_play::search::{Budget, Clock};

use crate::commands::features::FeaturesArgs;

/// Plays any game from its rules, learns while it plays, and measures all of it.
///
/// Without a command: an exhibition match on 8×8 Breakthrough.
#[derive(Parser, Debug)]
#[command(name = "ludex", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  ludex                                        watch an exhibition match
  ludex play breakthrough                      play against the machine
  ludex match nogo --agents uct random --games 20 --simulations 500
  ludex bench breakthrough nogo --seconds 2    playouts per second
  ludex perft knightthrough --depth 4          count move sequences";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the built-in games.
    Games(GamesArgs),
    /// Say what a game is and how it will be played out.
    Info(InfoArgs),
    /// Count move sequences, to compare two forms of a game.
    Perft(PerftArgs),
    /// Measure complete playouts from the start, or a search.
    Bench(BenchArgs),
    /// Play in the terminal.
    Play(PlayArgs),
    /// Let agents play a match over all seatings.
    Match(MatchArgs),
    /// Evolve an evaluation out of a game's attributes.
    Evolve(EvolveArgs),
    /// Learn an evaluation by self-play; goes on from the file if it is there.
    Train(TrainArgs),
    /// Replay recorded matches of GDL games and compare every step.
    Conform(ConformArgs),
    /// Replay recorded games of the ludeme library and compare every move, effect and result.
    Replay(ReplayArgs),
    /// Read and compile rules files; a folder prints a table.
    Check(CheckArgs),
    /// Solve a deduction puzzle, and say whether the solution is the only one.
    Solve(SolveArgs),
    /// Print the reference of all ludemes, or what is known about one.
    Ludemes(LudemesArgs),
    /// List every search, playout policy and setting of an agent's text.
    Agents(AgentsArgs),
    /// Show a position, or a game record move by move.
    Show(ShowArgs),
    /// Play as an engine of another program: lines for any game, GTP, UCI.
    Engine(EngineArgs),
    /// Play matches of the GGP network protocol.
    Ggp(GgpArgs),
    /// Run matches between players of the GGP network protocol.
    Referee(RefereeArgs),
    /// Open the web page: play any game in the browser and watch the search think.
    Serve(ServeArgs),
    /// Run an experiment file; go on where an earlier run stopped.
    Run(RunArgs),
    /// Print the tables and plots of a result store.
    Report(ReportArgs),
    /// Run one of the papers' tables and print the paper's figures beside ours.
    Reproduce(ReproduceArgs),
    /// Patterns around moves: check them.
    Features(FeaturesArgs),
}

/// One game and its options.
#[derive(Args, Debug, Clone)]
pub struct GameArgs {
    /// A built-in name (see `ludex games`) or a path to a .lud or .kif file; for `show` also a record.
    pub game: String,
    #[command(flatten)]
    pub options: GameOptions,
}

/// Options that build a game.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Game options")]
pub struct GameOptions {
    /// Columns and rows of a built-in board, such as 6x6.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Number of players, for games that leave it open.
    #[arg(long, value_name = "N")]
    pub players: Option<usize>,
    /// Board sides in 7 Wonders: A, B or mixed.
    #[arg(long, value_name = "SIDES")]
    pub sides: Option<String>,
    /// Select an option of a .lud file, such as "Board Size/9x9"; may be repeated.
    #[arg(long = "option", value_name = "CATEGORY/ITEM")]
    pub options: Vec<String>,
    /// Folder with the library of defines of .lud files.
    #[arg(long, value_name = "DIR", env = "LUDEX_DEFS")]
    pub defs: Option<PathBuf>,
    /// Engine for a .kif file: network or datalog.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
}

impl GameOptions {
    pub fn spec(&self, name: &str) -> GameSpec {
        GameSpec {
            name: name.to_string(),
            size: self.size.clone(),
            players: self.players,
            sides: self.sides.clone(),
            options: self.options.clone(),
            defs: self.defs.clone(),
            engine: self.engine.clone(),
            standard: false,
        }
    }
}

impl GameArgs {
    pub fn spec(&self) -> GameSpec {
        self.options.spec(&self.game)
    }
}

/// How long agents may think about a move.
#[derive(Args, Debug, Clone, Copy)]
#[command(next_help_heading = "Budget for each move")]
pub struct BudgetArgs {
    /// At most this many simulations. Without any budget `match` gives 1000 simulations, `play` and `engine` one second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// At most this long, such as 1s, 250ms or 0.5.
    #[arg(long, value_name = "T", value_parser = duration)]
    pub time: Option<Duration>,
    /// What --time is counted by: the clock on the wall, or the processor time of the thinking threads, which
    /// is the same on a busy machine.
    #[arg(long, value_enum, default_value = "wall", requires = "time")]
    pub clock: ClockArg,
}

/// What time is counted by.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockArg {
    Wall,
    Cpu,
}

impl From<ClockArg> for Clock {
    fn from(clock: ClockArg) -> Clock {
        match clock {
            ClockArg::Wall => Clock::Wall,
            ClockArg::Cpu => Clock::Cpu,
        }
    }
}

impl BudgetArgs {
    /// The budget asked for, or `default` where none was.
    pub fn budget(self, default: Budget) -> Budget {
        match (self.simulations, self.time) {
            (None, None) => default,
            (simulations, time) => Budget { simulations, time, clock: self.clock.into() },
        }
    }
}

#[derive(Args, Debug)]
pub struct GamesArgs {
    /// Only games with this word in their name, language, board, playout kind or what they are about.
    #[arg(value_name = "WORD")]
    pub filter: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct InfoArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
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
  ludex play breakthrough --size 6x6
  ludex play nogo --human P2 --agent \"uct(c=0.4)\" --time 2s
  ludex play domineering --human none --simulations 1000")]
pub struct PlayArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Who you play: P1, P2, …; may be repeated, or `none` to watch.
    #[arg(long, value_name = "PLAYER", default_value = "P1")]
    pub human: Vec<String>,
    /// Who plays the others.
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    pub agent: String,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// The seed of everything random.
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex match breakthrough --agents uct random --games 10 --simulations 200
  ludex match nogo --size 9x9 --agents \"uct(c=0.4)\" \"uct(c=1.0)\" --games 50 --time 100ms
  ludex match breakthrough --agents uct \"uct + ppa\" --time 50ms --clock cpu --threads 2
  ludex match go --option \"Board Size/9x9\" --agents uct \"gtp(gnugo --mode gtp --level 1)\" --time 1s")]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The agents, two or more; they take all seats in turn. gtp(COMMAND), uci(COMMAND) and lines(COMMAND) are other programs.
    #[arg(long, value_name = "SPEC", num_args = 1.., required = true)]
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
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    pub agent: String,
    /// The language spoken on standard input and output.
    #[arg(long, value_enum, default_value = "lines")]
    pub protocol: ProtocolArg,
    /// How GTP calls columns: without I, as Go does, or by all letters, as programs for Hex do.
    #[arg(long, value_enum, default_value = "no-i")]
    pub letters: LettersArg,
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
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex run experiments/strength.toml --threads 2
  ludex run experiments/strength.toml --store short.sqlite --games 20")]
pub struct RunArgs {
    /// The experiment file.
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,
    #[command(flatten)]
    pub how: ExperimentArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex reproduce memorizing/table1 --games 40
  ludex reproduce memorizing/table2 --games 10 --simulations 500 --threads 2")]
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

#[derive(Args, Debug)]
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
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex ggp
  ludex ggp --port 9148 --name second --ponder --agent \"uct(c=0.7, reuse=20) + mast\"

Ask it whether it is there:
  curl --data '( INFO )' http://127.0.0.1:9147/")]
pub struct GgpArgs {
    /// Port to listen on.
    #[arg(long, default_value_t = 9147)]
    pub port: u16,
    /// Address to listen on; others than this machine can call only if this says so.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: std::net::IpAddr,
    /// Name to give.
    #[arg(long, default_value = "ludex")]
    pub name: String,
    /// Who chooses the moves.
    #[arg(long, value_name = "SPEC", default_value = "uct(c=0.7, reuse=20, nodes=2000000)")]
    pub agent: String,
    /// Think in the other players' time too.
    #[arg(long)]
    pub ponder: bool,
    /// Part of every clock that is never used. More is kept where the connection or a busy machine was seen
    /// to need it.
    #[arg(long, value_name = "T", default_value = "200ms", value_parser = duration)]
    pub margin: Duration,
    /// Matches to play at once. One more, and the oldest is given up: its manager must be gone.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub matches: u16,
    /// Play rules that break a restriction of GDL as managers' provers do, with a warning.
    #[arg(long)]
    pub lenient: bool,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludex referee tictactoe.kif 127.0.0.1:9147 127.0.0.1:9148
  ludex referee rules/*.kif 127.0.0.1:9147 --own 1 --matches 20 --records matches/

A role without a player is played at random. A move that is illegal, late or missing is replaced by a
random legal one, and counted. With --json, each match is one line in the format of GGP-Base. The exit
status is 1 if an answer of a player was illegal, late or missing.")]
pub struct RefereeArgs {
    /// Games (.kif files, or names of built-in ones such as breakthrough.kif) and players (HOST:PORT), in
    /// any order.
    #[arg(required = true, value_name = "GAME.kif|HOST:PORT")]
    pub subjects: Vec<String>,
    /// Add so many players of our own.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub own: usize,
    /// Who chooses the moves of our own players.
    #[arg(long, value_name = "SPEC", default_value = "uct(c=0.7, reuse=20, nodes=2000000)")]
    pub agent: String,
    /// Matches of each game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub matches: usize,
    /// Matches at once, as far as there are players for them.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub parallel: usize,
    /// Seconds before the first move.
    #[arg(long, value_name = "S", default_value_t = 30)]
    pub start_clock: u64,
    /// Seconds for each move.
    #[arg(long, value_name = "S", default_value_t = 10)]
    pub play_clock: u64,
    /// How much later than its clock an answer may come.
    #[arg(long, value_name = "T", default_value = "1s", value_parser = duration_or_none)]
    pub grace: Duration,
    /// Give a match up after so many steps.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub steps: usize,
    /// Write each match into this folder: as JSON in the format of GGP-Base and as a record of ours.
    #[arg(long, value_name = "DIR")]
    pub records: Option<PathBuf>,
    /// Name of the tournament; all matches' names begin with it.
    #[arg(long, default_value = "ludex")]
    pub name: String,
    /// Play rules that break a restriction of GDL as managers' provers do, with a warning.
    #[arg(long)]
    pub lenient: bool,
    /// Seed of seatings, chance and random players.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex serve
  ludex serve --port 8000 --library LIBRARY     # a folder with lud/ and def/
  ludex serve --experiments results --quiet     # stores of `ludex run`; no browser is opened")]
pub struct ServeArgs {
    /// Port to listen on; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Address to listen on; others than this machine can call only if this says so.
    #[arg(long = "bind", value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub address: std::net::IpAddr,
    /// A library of ludeme games: a folder with lud/ and def/.
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
    /// A folder with stores of experiments to look at.
    #[arg(long, value_name = "DIR")]
    pub experiments: Option<PathBuf>,
    /// Do not open a browser.
    #[arg(long)]
    pub quiet: bool,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub struct ConformArgs {
    /// Folder with the rules, one KEY.kif for each game.
    #[arg(long, value_name = "DIR")]
    pub games: PathBuf,
    /// Use this engine only: network or datalog.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Records to replay.
    #[arg(required = true, value_name = "ORACLE.jsonl")]
    pub records: Vec<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".to_string()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0 and at most 86400".to_string()),
    }
}

fn duration_or_none(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { duration(text) }
}

pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err("expected a time such as 1s, 250ms or 0.5".to_string()),
    };
    match number.trim().parse::<f64>().map(|number| number * scale) {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a time above zero and at most a day".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for text in ["", "0s", "-1s", "1h", "abc", "nan", "inf"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
