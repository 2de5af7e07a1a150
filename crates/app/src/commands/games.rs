//! `ludex games`: what is built in.

use std::io::Write;

use ludex_arena::catalog;
use serde::Serialize;

use crate::cli::GamesArgs;
use crate::output::{json_line, table};

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    language: &'a str,
    players: usize,
    board: &'a str,
    playout: &'a str,
}

pub fn run(args: &GamesArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut table = table(&["game", "language", "players", "board", "playout"], &[2]);
    for spec in catalog::builtins() {
        let game = catalog::load(&spec)?;
        let info = game.info();
        let row = Row {
            name: &spec.name,
            language: info.language,
            players: info.players,
            board: &info.board,
            playout: info.playout,
        };
        if args.json {
            json_line(out, &row)?;
        } else {
            let players = row.players.to_string();
            table.add_row([row.name, row.language, &players, row.board, row.playout]);
        }
    }
    if !args.json {
        writeln!(out, "{table}")?;
    }
    Ok(())
}
