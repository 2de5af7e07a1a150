//! `ludex games`: what is built in.

use std::io::Write;

use anyhow::bail;
use ludex_arena::catalog;
use serde::Serialize;

use crate::cli::GamesArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    language: &'a str,
    players: usize,
    board: &'a str,
    playout: &'a str,
    machine: &'a str,
    about: String,
}

impl Row<'_> {
    fn has(&self, word: &str) -> bool {
        let texts = [self.name, self.language, self.board, self.playout, &self.about];
        texts.iter().any(|text| text.to_lowercase().contains(&word.to_lowercase()))
    }
}

/// The longest description that a line has room for.
const ROOM: usize = 90;

pub fn run(args: &GamesArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut found = 0;
    for spec in catalog::builtins() {
        let game = catalog::load(&spec)?;
        let info = game.info();
        let row = Row {
            name: &spec.name,
            language: info.language.name(),
            players: info.players,
            board: &info.board,
            playout: info.playout.name(),
            machine: info.machine.name(),
            about: catalog::about(&spec),
        };
        if args.filter.as_ref().is_some_and(|word| !row.has(word)) {
            continue;
        }
        found += 1;
        match args.json {
            true => json_line(out, &row)?,
            false => line(&row, out)?,
        }
    }
    match (&args.filter, found) {
        (Some(word), 0) => bail!("no built-in game has `{word}` in its line"),
        _ => Ok(()),
    }
}

fn line(row: &Row, out: &mut dyn Write) -> anyhow::Result<()> {
    let Row { name, language, players, board, playout, about, .. } = row;
    let mut short: String = about.chars().take(ROOM).collect();
    if short.len() < about.len() {
        short.push('…');
    }
    let text =
        format!("{name:<22} {language:<5}{players} players  {board:<20} {playout:<15} {short}");
    writeln!(out, "{}", text.trim_end())?;
    Ok(())
}
