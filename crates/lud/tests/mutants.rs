//! Descriptions that are broken in random ways: the reader and the whole load path must answer, with a
//! game or with a message, soon and in little memory. Each test runs for a second, or for
//! `LUDEX_FUZZ_SECONDS`.

mod drawn;

use std::path::Path;
use std::time::{Duration, Instant};

use ludex_game::{Rng, mix};

/// Our own descriptions, all kinds of games.
fn corpus() -> Vec<String> {
    drawn::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/lud"))
}

fn seconds() -> Duration {
    let asked = std::env::var("LUDEX_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(asked.unwrap_or(1))
}

#[test]
fn the_reader_answers_everything() {
    let corpus = corpus();
    let end = Instant::now() + seconds();
    let mut seed = 0;
    while Instant::now() < end {
        seed += 1;
        drawn::is_read(&drawn::mutants::text(&mut Rng::seeded(mix(seed)), &corpus));
    }
}

#[test]
fn loading_answers_everything() {
    let corpus = corpus();
    let end = Instant::now() + seconds();
    let (mut seed, mut slowest, mut worst) = (0, Duration::ZERO, String::new());
    while Instant::now() < end {
        seed += 1;
        let mut rng = Rng::seeded(mix(seed ^ 0xF00D));
        let text = drawn::mutants::text(&mut rng, &corpus);
        let started = Instant::now();
        drawn::is_answered(&text, &mut rng);
        if started.elapsed() > slowest {
            slowest = started.elapsed();
            worst = text;
        }
    }
    assert!(slowest < Duration::from_secs(10), "{slowest:?} for one mutant:\n{worst}");
}
