//! The `ludex` command.

mod agents;
mod cli;
mod commands;
mod output;
mod progress;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = io::BufWriter::new(io::stdout());
    let result = run(cli, &mut out).and_then(|code| Ok(out.flush().map(|()| code)?));
    match result {
        Ok(code) => code,
        // Whoever read our output has seen enough, as in `ludex games | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => commands::exhibition::run(out)?,
        Some(Command::Games(args)) => commands::games::run(&args, out)?,
        Some(Command::Info(args)) => commands::info::run(&args, out)?,
        Some(Command::Perft(args)) => commands::perft::run(&args, out)?,
        Some(Command::Bench(args)) => commands::bench::run(&args, out)?,
        Some(Command::Play(args)) => commands::play::run(&args, out)?,
        Some(Command::Match(args)) => return commands::matches::run(&args, out),
        Some(Command::Evolve(args)) => commands::evolve::run(&args, out)?,
        Some(Command::Auto(args)) => commands::auto::run(&args, out)?,
        Some(Command::Train(args)) => commands::train::run(&args, out)?,
        Some(Command::Evaluate(args)) => commands::evaluate::run(&args, out)?,
        Some(Command::Improve(args)) => commands::improve::run(&args, out)?,
        Some(Command::Conform(args)) => return commands::conform::run(&args, out),
        Some(Command::Replay(args)) => return commands::replay::run(&args, out),
        Some(Command::Check(args)) => return commands::check::run(&args, out),
        Some(Command::Solve(args)) => return commands::solve::run(&args, out),
        Some(Command::Ludemes(args)) => return commands::ludemes::run(&args, out),
        Some(Command::Agents(args)) => commands::agents::run(&args, out)?,
        Some(Command::Show(args)) => commands::show::run(&args, out)?,
        Some(Command::Engine(args)) => commands::engine::run(&args)?,
        Some(Command::Ggp(args)) => commands::ggp::run(&args, out)?,
        Some(Command::Referee(args)) => return commands::referee::run(&args, out),
        Some(Command::Serve(args)) => commands::serve::run(&args, out)?,
        Some(Command::WebBuild(args)) => commands::web_build::run(&args, out)?,
        Some(Command::Run(args)) => commands::experiments::run(&args, out)?,
        Some(Command::Merge(args)) => commands::experiments::merge(&args, out)?,
        Some(Command::Report(args)) => commands::experiments::show(&args, out)?,
        Some(Command::Reproduce(args)) => commands::experiments::reproduce(&args, out)?,
        Some(Command::Features(args)) => return commands::features::run(&args, out),
    }
    Ok(ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    io_error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
