//! `ludex show`: a position, or a game record.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use ludex_arena::catalog;
use ludex_arena::engine::Session;
use ludex_draw::words;
use ludex_game::{Detail, Game, State, Trial, View};

use crate::agents;
use crate::cli::ShowArgs;
use crate::output::board;

pub fn run(args: &ShowArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    match args.game.game.ends_with(".trial") {
        true => record(args, out),
        false => position(args, out),
    }
}

/// The position after some moves from the start.
fn position(args: &ShowArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = catalog::load(&args.game.spec())?;
    let mut session = Session::new(game, agents::parse("random")?, 1)?;
    for text in &args.moves {
        session.play_text(None, text)?;
    }
    if args.svg {
        return picture(args, session.game(), session.state(), out);
    }
    writeln!(out, "{}", board(session.game(), session.state(), None))?;
    if let Some(payoffs) = session.payoffs() {
        writeln!(out, "{}", words::result(&payoffs))?;
    }
    Ok(())
}

/// A record, played through and checked: how it came about, its moves, a position of it.
fn record(args: &ShowArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = Path::new(&args.game.game);
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let trial = Trial::read(&text).with_context(|| format!("{}", path.display()))?;
    let game = catalog::load(&trial.game.parse()?)?;
    let states = trial.replay(&*game).with_context(|| format!("{}", path.display()))?;
    let plies = states.len() - 1;
    let ply = args.ply.unwrap_or(plies);
    let Some(state) = states.get(ply) else { bail!("the record has {plies} plies, not {ply}") };
    if args.svg {
        return picture(args, &*game, state, out);
    }
    writeln!(out, "{}, seed {}", trial.game, trial.seed)?;
    for note in &trial.notes {
        writeln!(out, "  {note}")?;
    }
    for (number, (who, text)) in trial.moves.iter().enumerate() {
        let who = who.map_or("chance".to_string(), |player| player.to_string());
        writeln!(out, "{:>4}. {who} {text}", number + 1)?;
    }
    writeln!(out, "\nAfter ply {ply} of {plies}:\n\n{}\n", board(&*game, state, None))?;
    if let Some(payoffs) = &trial.result {
        writeln!(out, "{}", words::result(payoffs))?;
    }
    Ok(())
}

fn picture(
    args: &ShowArgs,
    game: &dyn Game,
    state: &State,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(geometry) = game.geometry() else {
        bail!("{} has no board that could be drawn", game.info().name)
    };
    let mut view = View::new();
    game.view(state, None, Detail::Pieces, &mut view);
    let last = ludex_draw::last_move(game, state);
    let svg = ludex_draw::picture(geometry, &view, last);
    match &args.output {
        Some(path) if path.as_os_str() != "-" => {
            std::fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))
        }
        _ => Ok(out.write_all(svg.as_bytes())?),
    }
}
