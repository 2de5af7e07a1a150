//! Rules that are broken in random ways: the reader and the compilers must answer, with a game or
//! with a message, and soon. Each test runs for a second, or for `LUDEX_FUZZ_SECONDS`.

mod drawn;

use std::time::{Duration, Instant};

use ludex_game::{Rng, mix};

const CORPUS: &[&str] = &[
    include_str!("../../../games/gdl/breakthrough.kif"),
    include_str!("../../../games/gdl/connect4.kif"),
    include_str!("../../../games/gdl/pentago.kif"),
    include_str!("../../../games/gdl/sheepAndWolf.kif"),
    "(role a) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (legal a go)
     (<= terminal (true (n (s (s 0))))) (goal a 100)",
    "(role a) (role b) (init p) (<= (q ?x ?y) (r ?x) (r ?y)) (r 1) (r 2) (<= (next p) (not (true p)))
     (legal a go) (legal b go) (<= terminal (q ?x ?x) (not (true p)) (does a go)) (goal a 1) (goal b 2)",
];

/// Words that change the meaning most.
const WORDS: &[&str] = &[
    "(", ")", "?x", "?y", "not", "or", "distinct", "true", "does", "next", "init", "legal", "goal",
    "terminal", "role", "<=", "1", "b", ";", "\n", "(s ?x)", "é", "\u{0}", "random", "sees",
];

fn mutant(rng: &mut Rng) -> String {
    let text = CORPUS[rng.below(CORPUS.len() as u32) as usize];
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', '\n']).collect();
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(words.len() as u32) as usize;
        let other = rng.below(words.len() as u32) as usize;
        match rng.below(5) {
            0 => words.insert(at, WORDS[rng.below(WORDS.len() as u32) as usize]),
            1 => drop(words.remove(at)),
            2 => words.swap(at, other),
            3 => words[at] = words[other],
            _ => {
                let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 40));
                let piece: Vec<&str> = words[from..to].to_vec();
                words.splice(at..at, piece);
            }
        }
        if words.is_empty() {
            return String::new();
        }
    }
    words.concat()
}

fn seconds() -> Duration {
    let asked = std::env::var("LUDEX_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(asked.unwrap_or(1))
}

#[test]
fn the_reader_answers_everything() {
    let end = Instant::now() + seconds();
    let mut seed = 0;
    while Instant::now() < end {
        seed += 1;
        drawn::is_read(&mutant(&mut Rng::seeded(mix(seed))));
    }
}

#[test]
fn grounding_answers_everything() {
    let end = Instant::now() + seconds();
    let (mut seed, mut slowest) = (0, Duration::ZERO);
    while Instant::now() < end {
        seed += 1;
        let mut rng = Rng::seeded(mix(seed ^ 0xF00D));
        let text = mutant(&mut rng);
        let started = Instant::now();
        drawn::is_answered(&text, &mut rng);
        slowest = slowest.max(started.elapsed());
    }
    assert!(slowest < Duration::from_secs(20), "one mutant took {slowest:?}");
}
