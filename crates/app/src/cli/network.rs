//! Commands that serve others over the network.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{duration, duration_or_none};

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
    #[arg(long, value_name = "SPEC", default_value = "auto")]
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
  ludex referee breakthrough.kif 127.0.0.1:9147 127.0.0.1:9148
  ludex referee rules/*.kif 127.0.0.1:9147 --own 1 --matches 20 --records matches/

A role without a player is played at random. A move that is illegal, late or missing is replaced by a \
random legal one, and counted. With --json, each match is one line in the format of GGP-Base. The exit \
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
    #[arg(long, value_name = "SPEC", default_value = "auto")]
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
  ludex serve --experiments results --quiet     # stores of `ludex run`; no browser is opened
  ludex serve --agents trained                  # agents may name files there: alphabeta + eval(hex.toml)")]
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
    /// A folder with files that agents' lines may name, such as weights and features.
    #[arg(long, value_name = "DIR")]
    pub agents: Option<PathBuf>,
    /// Do not open a browser.
    #[arg(long)]
    pub quiet: bool,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  rustup target add wasm32-unknown-unknown      # once
  ludex web-build site
  python3 -m http.server --directory site 8000  # or any other server of static files

What is written needs no server of ours: the engine runs in the browser, on one thread, with the built-in games.")]
pub struct WebBuildArgs {
    /// The folder to write into; it is made where there is none.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The checkout of the sources; otherwise this folder or the one above it that has them.
    #[arg(long, value_name = "DIR")]
    pub sources: Option<PathBuf>,
}
