//! `ludex info`: what a game is and how it is played out.

use std::io::Write;

use ludex_arena::catalog;
use ludex_game::{Coding, Player, Turn};
use serde::Serialize;

use crate::cli::InfoArgs;
use crate::output::{coloured_board, json_line};

#[derive(Serialize)]
struct Info<'a> {
    game: &'a str,
    language: &'a str,
    players: usize,
    board: &'a str,
    channels: &'a [String],
    playout: &'a str,
    reason: &'a str,
    hidden: bool,
    first_moves: usize,
    codes: u32,
    feature_codes: u32,
}

pub fn run(args: &InfoArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = catalog::load(&args.game.spec())?;
    let info = game.info();
    let start = game.start();
    let mut moves = Vec::new();
    if let Turn::Players(players) = game.turn(&start)
        && let Some(first) = players.first()
    {
        game.moves(&start, first, &mut moves);
    }
    let row = Info {
        game: &info.name,
        language: info.language,
        players: info.players,
        board: &info.board,
        channels: &info.channels,
        playout: info.playout,
        reason: &info.playout_reason,
        hidden: info.hidden,
        first_moves: moves.len(),
        codes: game.code_count(Player::FIRST, Coding::Plain),
        feature_codes: game.code_count(Player::FIRST, Coding::Features),
    };
    if args.json {
        return json_line(out, &row);
    }
    writeln!(out, "{}\n", row.game)?;
    let mut line = |name: &str, value: &str| match value {
        "" => Ok(()),
        _ => writeln!(out, "  {name:<12} {value}"),
    };
    line("language", row.language)?;
    line("players", &row.players.to_string())?;
    line("board", row.board)?;
    line("state", &row.channels.join(", "))?;
    line("information", if row.hidden { "some of it hidden" } else { "perfect" })?;
    line("first moves", &row.first_moves.to_string())?;
    line("move codes", &format!("{}, {} with features", row.codes, row.feature_codes))?;
    line("playout", &format!("{}: {}", row.playout, row.reason))?;
    writeln!(out, "\n{}", coloured_board(&game.show(&start, None)))?;
    Ok(())
}
