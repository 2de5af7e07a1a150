//! Plies per second of uniform playouts from the start, one thread: `speed [GAME…] [--portable]`.

use std::time::Duration;

use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Coding, Rng, bits};
use ludex_games::{Options, builtin, names};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--portable") {
        bits::use_portable_only();
    }
    let reference = xoshiro_seconds_per_billion() / 0.97;
    println!("this machine takes {reference:.2} times as long as the reference machine");
    let chosen: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|text| !text.starts_with("--")).collect();
    for name in names().filter(|name| chosen.is_empty() || chosen.contains(name)) {
        let speed = |sampling, style| plies_per_second(name, sampling, style) * reference / 1e6;
        let count_and_pick = speed(Sampling::default(), Style::Optimised);
        let listing = speed(Sampling::Uniform(Coding::Plain), Style::Standard);
        let features = speed(Sampling::Uniform(Coding::Features), Style::Standard);
        println!(
            "{name:22} {count_and_pick:7.1} M plies/s, listing {listing:6.1}, features {features:6.1}"
        );
    }
}

fn plies_per_second(name: &str, mut sampling: Sampling, style: Style) -> f64 {
    let game = builtin(name, &Options::default()).expect("built-in");
    let (start, mut state) = (game.start(), game.start());
    let (mut rng, mut scratch) = (Rng::seeded(1), Scratch::default());
    let (begin, mut plies) = (cpu_time(), 0);
    while cpu_time() - begin < Duration::from_millis(400) {
        for _ in 0..200 {
            state.copy_from(&start);
            plies +=
                u64::from(game.playout(&mut state, &mut sampling, style, &mut scratch, &mut rng));
        }
    }
    plies as f64 / (cpu_time() - begin).as_secs_f64()
}

fn xoshiro_seconds_per_billion() -> f64 {
    let (mut rng, begin, mut sum) = (Rng::seeded(1), cpu_time(), 0u64);
    for _ in 0..200_000_000 {
        sum = sum.wrapping_add(rng.next());
    }
    std::hint::black_box(sum);
    (cpu_time() - begin).as_secs_f64() * 5.0
}

/// How long this thread has been running on a processor, where the system tells; else the time of day.
fn cpu_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds
        .map_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap_or_default(), Duration::from_nanos)
}
