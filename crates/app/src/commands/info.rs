//! `ludex info`: what a game is and how it is played out.

use std::io::Write;

use ludex_arena::catalog::{self, Places};
use ludex_game::{Coding, Game, Player, Rng, Turn};
use serde::Serialize;

use crate::cli::InfoArgs;
use crate::output::{board, json_line};

#[derive(Serialize)]
struct Info<'a> {
    game: &'a str,
    language: &'a str,
    players: usize,
    board: &'a str,
    channels: &'a [String],
    machine: &'a str,
    playout: &'a str,
    reason: &'a str,
    hidden: bool,
    first_moves: usize,
    codes: u32,
    feature_codes: u32,
    options: &'a [String],
    rules: String,
    /// Whether chance had a turn in sample games.
    chance: bool,
    /// Whether several moved at once in sample games.
    simultaneous: bool,
}

/// What kinds of turns sample games had.
#[derive(Default)]
struct Turns {
    chance: bool,
    simultaneous: bool,
}

/// A few games of random moves; what a game does late and seldom may not come up in them.
fn sample_turns(game: &dyn Game) -> Turns {
    let (mut turns, mut moves) = (Turns::default(), Vec::new());
    for seed in 0..3 {
        let (mut state, mut rng) = (game.start(), Rng::seeded(seed));
        for _ in 0..game.info().max_plies.min(200) {
            let joint = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    turns.chance = true;
                    vec![game.sample_chance(&state, &mut rng)]
                }
                Turn::Players(players) => {
                    turns.simultaneous |= players.len() > 1;
                    let mut choose = |player| {
                        moves.clear();
                        game.moves(&state, player, &mut moves);
                        moves[rng.below(moves.len() as u32) as usize]
                    };
                    players.into_iter().map(&mut choose).collect()
                }
            };
            game.apply(&mut state, &joint);
        }
    }
    turns
}

/// How plies are counted, for these kinds of turns.
fn ply_text(turns: &Turns) -> String {
    let several =
        if turns.simultaneous { "; the moves of all who move at once are one" } else { "" };
    let chance = if turns.chance { "; so is an outcome of chance" } else { "" };
    format!("a move is a ply, also a pass or one of several in a turn{several}{chance}")
}

pub fn run(args: &InfoArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let found = catalog::find(&args.game.spec(), Places::here())?;
    let game = &*found.game;
    let turns = sample_turns(game);
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
        language: info.language.name(),
        players: info.players,
        board: &info.board,
        channels: &info.channels,
        machine: info.machine.name(),
        playout: info.playout.name(),
        reason: &info.playout_reason,
        hidden: info.hidden,
        first_moves: moves.len(),
        codes: game.code_count(Player::FIRST, Coding::Plain),
        feature_codes: game.code_count(Player::FIRST, Coding::Features),
        options: &found.options,
        rules: found.rules.to_string(),
        chance: turns.chance,
        simultaneous: turns.simultaneous,
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
    line("chance", if row.chance { "yes" } else { "none in sample games" })?;
    line("a ply", &ply_text(&turns))?;
    for option in row.options {
        line("option", option)?;
    }
    line("rules", &format!("{}, the key that results are kept by", row.rules))?;
    line("first moves", &row.first_moves.to_string())?;
    line("move codes", &format!("{}, {} with features", row.codes, row.feature_codes))?;
    line("machine", row.machine)?;
    line("playout", &format!("{}: {}", row.playout, row.reason))?;
    writeln!(out, "\n{}", board(game, &start, None))?;
    Ok(())
}
