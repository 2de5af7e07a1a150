//! What trees, masks and pages do: list all moves of a position and play each.

use std::io::Write;

use cpu_time::ThreadTime;
use ludex_arena::catalog;
use ludex_game::{Game, Move, PlayerSet, Rng, Turn};
use serde::Serialize;

use super::{REFERENCE_SECONDS, reference_seconds};
use crate::cli::BenchArgs;
use crate::output::{grouped, json_line, table};

#[derive(Serialize)]
struct Row {
    game: String,
    machine: &'static str,
    positions_per_s: f64,
    mean_moves: f64,
    positions: u64,
    cpu_seconds: f64,
    scale: f64,
}

pub fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let header = ["game", "machine", "positions/s", "mean moves", "scaled positions/s"];
    let mut table = table(&header, &[2, 3, 4]);
    for name in &args.games {
        let mut spec = args.options.spec(name);
        spec.standard = args.standard;
        let game = catalog::load(&spec)?;
        let row = Row { game: spec.to_string(), scale, ..measure(args, &*game) };
        if args.json {
            json_line(out, &row)?;
            continue;
        }
        table.add_row([
            row.game,
            row.machine.to_string(),
            grouped(row.positions_per_s),
            format!("{:.1}", row.mean_moves),
            grouped(row.positions_per_s * scale),
        ]);
    }
    if !args.json {
        writeln!(
            out,
            "{table}\nPositions made by playing each legal move of every position of random games, per CPU second of one thread."
        )?;
    }
    Ok(())
}

fn measure(args: &BenchArgs, game: &dyn Game) -> Row {
    let (start, mut state, mut child) = (game.start(), game.start(), game.start());
    let mut rng = Rng::seeded(args.seed);
    let (mut moves, mut joint) = (Vec::new(), [Move::default(); PlayerSet::CAPACITY]);
    let (mut positions, mut choices) = (0u64, 0u64);
    let started = ThreadTime::now();
    while positions == 0 || started.elapsed().as_secs_f64() < args.seconds {
        state.copy_from(&start);
        for _ in 0..game.info().max_plies {
            let count = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    joint[0] = game.sample_chance(&state, &mut rng);
                    1
                }
                Turn::Players(players) => {
                    for (slot, player) in joint.iter_mut().zip(players) {
                        moves.clear();
                        game.moves(&state, player, &mut moves);
                        choices += 1;
                        *slot = moves[rng.below(moves.len() as u32) as usize];
                        // Where several move at once, each move is listed but only the one drawn is played.
                        let played = if players.len() == 1 { &moves[..] } else { &[] };
                        for &mv in played {
                            child.copy_from(&state);
                            game.apply(&mut child, &[mv]);
                        }
                        positions += moves.len() as u64;
                    }
                    players.len()
                }
            };
            game.apply(&mut state, &joint[..count]);
        }
    }
    let cpu_seconds = started.elapsed().as_secs_f64();
    Row {
        game: String::new(),
        machine: game.info().machine.name(),
        positions_per_s: positions as f64 / cpu_seconds,
        mean_moves: positions as f64 / choices.max(1) as f64,
        positions,
        cpu_seconds,
        scale: 1.0,
    }
}
