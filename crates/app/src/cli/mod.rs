//! The grammar of the command line.

mod common;
mod experiments;
mod games;
mod judge;
mod network;
mod rules;

use clap::{Parser, Subcommand};

pub use common::*;
pub use experiments::*;
pub use games::*;
pub use judge::*;
pub use network::*;
pub use rules::*;

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
    /// Say what `auto` plays a game by and why; with --measure, find out by short matches.
    Auto(AutoArgs),
    /// Learn an evaluation by self-play; goes on from the file if it is there.
    Train(TrainArgs),
    /// Judge a rule set: is the game fair, alive, deep?
    Evaluate(EvaluateArgs),
    /// Search for better rules: options first, then typed edits.
    Improve(ImproveArgs),
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
    /// Write the page as static files with the engine as WebAssembly, from a checkout of the sources.
    WebBuild(WebBuildArgs),
    /// Run an experiment file; go on where an earlier run stopped.
    Run(RunArgs),
    /// Join the stores of an experiment's parts.
    Merge(MergeArgs),
    /// Print the tables and plots of a result store.
    Report(ReportArgs),
    /// Run one of the papers' tables and print the paper's figures beside ours.
    Reproduce(ReproduceArgs),
    /// Patterns around moves: learn, explain, carry over and check them.
    Features(FeaturesArgs),
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_grammar_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        use clap::CommandFactory;
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{}", command.get_name());
        }
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
