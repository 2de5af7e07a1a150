//! What it costs to be watched: searches that tell what they find, as the page hears it, beside the same searches told to
//! nobody. By processor time, in turns; `LUDEX_QUIET=1` on a quiet machine holds them to the promise.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use ludex_desk::{Desk, Shelf, agent_without_files, think};
use ludex_game::{Player, Rng};
use ludex_play::search::{Budget, Stop};
use serde_json::json;

const ROUNDS: usize = 5;

#[test]
fn reports_cost_at_most_two_percent() {
    let quiet = std::env::var_os("LUDEX_QUIET").is_some();
    let (mut watched, mut alone) = (Duration::ZERO, Duration::ZERO);
    // About a second each, so that there are several reports and what a search begins with does not count.
    for (game, agent, simulations) in [
        ("breakthrough", "uct", 900_000),
        ("hex", "uct", 450_000),
        ("reversi", "uct + ppa(alpha=0.32)", 100_000),
        ("nine-mens-morris", "uct + mast", 16_000),
    ] {
        let simulations: u64 = if quiet { simulations } else { simulations / 20 };
        let (mut here, mut there) = (Duration::MAX, Duration::MAX);
        let reports = Arc::new(AtomicU64::new(0));
        for _ in 0..ROUNDS {
            // Every round has a desk of its own: an agent that sits at a table knows the position.
            let desk = Desk::new(Shelf::new(None), 1);
            let asked = json!({ "game": game, "options": [] });
            let table = desk.open(serde_json::from_value(asked).expect("a game")).expect("opened");
            let asked = json!({ "table": table.id(), "line": [], "player": 0, "agent": agent, "seed": 7,
                "budget": { "simulations": simulations } });
            let question = desk.question(asked, agent_without_files).expect("a question");
            let begun = ThreadTime::now();
            let counted = reports.clone();
            let tell = move |told| {
                counted.fetch_add(1, Ordering::Relaxed);
                drop(std::hint::black_box(json!(told).to_string()))
            };
            think(question, Stop::default(), tell).expect("found");
            here = here.min(begun.elapsed());
            let mut rng = Rng::seeded(7);
            let spec = agent_without_files(agent).expect("an agent");
            let mut plain = spec.build(&table.game, None, &mut rng).expect("built");
            let begun = ThreadTime::now();
            plain.choose(&table.game.start(), Player::FIRST, Budget::simulations(simulations));
            there = there.min(begun.elapsed());
        }
        let cost = 100.0 * (here.as_secs_f64() / there.as_secs_f64() - 1.0);
        let reports = reports.load(Ordering::Relaxed) / ROUNDS as u64;
        println!(
            "{game}, {agent}: watched {here:?} with {reports} reports, alone {there:?}, {cost:.1}%"
        );
        (watched, alone) = (watched + here, alone + there);
    }
    let cost = watched.as_secs_f64() / alone.as_secs_f64() - 1.0;
    println!("all: {:.2}%", 100.0 * cost);
    // Other tests share the processors' caches with this one.
    let most = if quiet { 0.02 } else { 0.15 };
    assert!(cost <= most, "{:.1}%", 100.0 * cost);
}
