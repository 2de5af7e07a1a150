//! Rules made at random from the table of ludemes, each argument of its type: the compiler answers them,
//! and whatever it compiles plays, the same in the general form and in the kernel. Runs for a second, or
//! for `LUDEX_FUZZ_SECONDS`; `LUDEX_FUZZ_SEED` is where it begins.

mod drawn;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use ludex_game::{Rng, mix};

#[test]
fn drawn_rules_are_answered_and_play_alike_in_all_forms() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seconds = asked("LUDEX_FUZZ_SECONDS").unwrap_or(1);
    let mut seed: u64 = asked("LUDEX_FUZZ_SEED").unwrap_or(0);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut counts = [0u64; 3];
    while Instant::now() < end {
        seed += 1;
        let text = drawn::rules::description(&mut Rng::seeded(mix(seed)));
        let began = Instant::now();
        let came = catch_unwind(AssertUnwindSafe(|| {
            drawn::is_read(&text);
            drawn::plays_alike(&text, seed)
        }));
        assert!(began.elapsed() < Duration::from_secs(20), "seed {seed} is slow:\n{text}");
        match came {
            Ok(came) => counts[came as usize] += 1,
            Err(_) => panic!("seed {seed}:\n{text}"),
        }
    }
    let [refused, general, kernel] = counts;
    println!("{refused} refused, {general} in general form, {kernel} in both, up to seed {seed}");
    assert!(general > 0 && kernel > 0, "{refused} refused, {general} general, {kernel} in both");
}
