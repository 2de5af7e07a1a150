//! Rules that nobody wrote: made from the table of ludemes, or descriptions of real games with some of their parts
//! replaced by others of the same type. The compiler answers them, and whatever it compiles plays, the same in the
//! general form and in the kernel. Each test goes through the same seeds everywhere; `LUDEX_FUZZ_SECONDS` searches for so long, and
//! `LUDEX_FUZZ_SEED` is where it begins. `LUDEX_LIBRARY` names a folder with `lud/` and `def/` whose games are edited instead of the built-in ones.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_game::{Rng, mix};
use ludex_judge::edit::Pool;
use ludex_laws::drawn;
use ludex_laws::walks::{edited, games, walk};

/// Rules may take the processor for so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// So many are walked through where no time is asked for.
const DRAWN: u64 = 1000;
const EDITED: u64 = 150;

/// Tells which rules do not end, and ends the test: after a multiple of what they may take, for the processor may be busy.
fn watch(now: Arc<AtomicU64>, text: impl Fn(u64) -> String + Send + 'static) {
    std::thread::spawn(move || {
        let (mut seen, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let seed = now.load(Ordering::Relaxed);
            if seed == u64::MAX {
                return;
            } else if seed != seen {
                (seen, since) = (seed, Instant::now());
            } else if since.elapsed() > 6 * PATIENCE {
                eprintln!("seed {seed} does not end:\n{}", text(seed));
                std::process::exit(1);
            }
        }
    });
}

/// Walks through so many drawn ones, or for as long as is asked, and says how many were refused, have no kernel, have one.
fn draw(usual: u64, text: impl Fn(u64) -> String + Clone + Send + 'static) -> [u64; 3] {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let mut seed: u64 = asked("LUDEX_FUZZ_SEED").unwrap_or(0);
    let last = seed + usual;
    let end =
        asked("LUDEX_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut counts = [0u64; 3];
    let now = Arc::new(AtomicU64::new(seed));
    watch(now.clone(), text.clone());
    while end.map_or(seed < last, |end| Instant::now() < end) {
        seed += 1;
        now.store(seed, Ordering::Relaxed);
        let text = text(seed);
        let began = ThreadTime::now();
        let came = catch_unwind(AssertUnwindSafe(|| walk(&text, seed)));
        assert!(began.elapsed() < PATIENCE, "seed {seed} is slow:\n{text}");
        match came {
            Ok(came) => counts[came as usize] += 1,
            Err(_) => panic!("seed {seed}:\n{text}"),
        }
    }
    now.store(u64::MAX, Ordering::Relaxed);
    let [refused, general, kernel] = counts;
    println!("{refused} refused, {general} in general form, {kernel} in both, up to seed {seed}");
    assert!(general + kernel > 0, "nothing compiles: {refused} refused");
    counts
}

#[test]
fn drawn_rules_are_answered_and_play_alike_in_all_forms() {
    draw(DRAWN, |seed| drawn::description(&mut Rng::seeded(mix(seed))));
}

#[test]
fn edited_rules_are_answered_and_play_alike_in_all_forms() {
    let (games, pool) = (Arc::new(games()), Arc::new(Pool::built_in()));
    let text = move |seed: u64| edited(&games, &pool, seed);
    let [_, _, kernel] = draw(EDITED, text);
    assert!(kernel > 0, "no edited game has a kernel");
}
