//! Every law on inputs broken in random ways, the same everywhere; `LUDEX_FUZZ_SECONDS` searches for so long, `LUDEX_FUZZ_SEED`
//! is where it begins, and `LUDEX_FUZZ_LAW` names the only one to be tried. Walks have tests of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_game::{Rng, mix};
use ludex_laws::{LAWS, Law, mutants};

/// So many inputs of each where no time is asked for.
const INPUTS: u64 = 400;

/// What nobody may take longer for.
const PATIENCE: Duration = Duration::from_secs(10);

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Tries a law, and says on how many inputs.
fn holds(law: &Law) -> u64 {
    let corpus = (law.corpus)();
    corpus.iter().for_each(|text| (law.holds)(text.as_bytes()));
    let (from, seconds) = (asked("LUDEX_FUZZ_SEED").unwrap_or(0), asked("LUDEX_FUZZ_SECONDS"));
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut seed = from;
    while end.map_or(seed < from + INPUTS, |end| Instant::now() < end) {
        seed += 1;
        let input = mutants::mutant(&mut Rng::seeded(mix(seed)), &corpus, law.words);
        let began = ThreadTime::now();
        let tried = catch_unwind(AssertUnwindSafe(|| (law.holds)(&input)));
        let (name, shown) = (law.name, String::from_utf8_lossy(&input));
        assert!(tried.is_ok(), "{name} does not hold for seed {seed}:\n{shown}");
        assert!(began.elapsed() < PATIENCE, "{name} is slow for seed {seed}:\n{shown}");
    }
    seed - from
}

#[test]
fn laws_hold_for_inputs_that_nobody_wrote() {
    let only = std::env::var("LUDEX_FUZZ_LAW").ok();
    let walks = ["lud_walks", "lud_edits"];
    let wanted = LAWS.iter().filter(|law| match &only {
        Some(only) => only == law.name,
        None => !walks.contains(&law.name),
    });
    std::thread::scope(|scope| {
        let tried: Vec<_> = wanted.map(|law| (law.name, scope.spawn(|| holds(law)))).collect();
        for (name, tried) in tried {
            match tried.join() {
                Ok(inputs) => println!("{name}: {inputs} inputs"),
                Err(fault) => std::panic::resume_unwind(fault),
            }
        }
    });
}
