//! `ludex` alone: half a minute of play to look at.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::stats::Tally;
use ludex_arena::{points, seatings};
use ludex_game::{Rng, Turn};
use ludex_play::search::Budget;

use crate::agents;
use crate::output::board;

const LENGTH: Duration = Duration::from_secs(28);
const SIMULATIONS: u64 = 4000;
const PLAYERS: [&str; 2] = ["uct + ppafm(alpha=0.32)", "uct"];

const NEXT: &str = "What to try next:
  ludex play breakthrough          play it yourself
  ludex games                      what else there is
  ludex match nogo --agents \"uct + mast\" uct --games 20 --simulations 500
  ludex --help                     everything else";

pub fn run(out: &mut dyn Write) -> anyhow::Result<()> {
    let game = catalog::load(&GameSpec::named("breakthrough"))?;
    writeln!(out, "Exhibition: 8×8 Breakthrough, {SIMULATIONS} simulations a move.")?;
    writeln!(
        out,
        "  A  {:<34} learns its playouts\n  B  {:<34} plays them at random\n",
        PLAYERS[0], PLAYERS[1]
    )?;
    out.flush()?;
    let bar = ProgressBar::new(LENGTH.as_millis() as u64);
    let template = "{msg}\n\n{wide_bar:.cyan} {percent}%";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut rng = Rng::seeded(1);
    for seating in seatings(2, 2).into_iter().cycle() {
        // The last game is played to its end, so a late one is not begun.
        if started.elapsed() + LENGTH / 12 > LENGTH && tally.matches > 0 {
            break;
        }
        let mut players = Vec::new();
        for &who in &seating {
            players.push(agents::parse(PLAYERS[who])?.build(&game, None, &mut rng)?);
        }
        let mut state = game.start();
        while let Turn::Players(set) = game.turn(&state) {
            let mover = set.first().unwrap_or_default();
            let budget = Budget::simulations(SIMULATIONS);
            let joint = [players[mover.index()].choose(&state, mover, budget).mv];
            let text = game.move_text(&state, Some(mover), joint[0]);
            players.iter_mut().for_each(|player| player.played(&state, &joint));
            game.apply(&mut state, &joint);
            let who = ["A", "B"][seating[mover.index()]];
            let board = board(&*game, &state, None);
            bar.set_message(format!(
                "Game {}: {who} plays {text}    A {} : {} B\n\n{board}",
                tally.matches + 1,
                tally.points,
                tally.matches as f64 - tally.points,
            ));
            bar.set_position(started.elapsed().as_millis() as u64);
        }
        let mut payoffs = [0.0; 2];
        game.payoffs(&state, &mut payoffs);
        tally.add(points(2, &seating, &payoffs)[0]);
    }
    bar.finish_and_clear();
    let interval = tally.interval();
    writeln!(
        out,
        "After {} games A scores {:.0}%, 95% interval {:.0}–{:.0}% ({}).\n\n{NEXT}",
        tally.matches,
        100.0 * tally.mean().unwrap_or_default(),
        100.0 * interval.low,
        100.0 * interval.high,
        interval.method,
    )?;
    Ok(())
}
