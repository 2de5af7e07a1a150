//! Descriptions that are broken in random ways: the reader and the whole load path must answer, with a
//! game or with a message, soon and in little memory. Each test runs for a second, or for
//! `LUDEX_FUZZ_SECONDS`.

use std::time::{Duration, Instant};

use ludex_game::{Rng, Rules, Turn, mix};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{self, Library, reader, table::table};
use ludex_lud::{Ludemes, compile};

/// Our own descriptions, all kinds of games.
fn corpus() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/lud");
    let files = std::fs::read_dir(folder).expect("the folder of descriptions");
    let mut paths: Vec<_> = files.map(|file| file.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "lud"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("readable")).collect()
}

/// Pieces of text that change the meaning most.
const WORDS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "#1",
    "#2",
    "~",
    "..",
    "0..99999",
    "1",
    "0",
    "-1",
    "99999999",
    "2147483647",
    "3.5",
    "P1",
    "P9",
    "Each",
    "Mover",
    "Next",
    "True",
    "if:",
    "at:",
    "steps:",
    "count:",
    "(to)",
    "(from)",
    "(last To)",
    "(sites Empty)",
    "(moveAgain)",
    "(then (moveAgain))",
    "\"Stone\"",
    "(hex 5)",
    "(square 300)",
    "(roll)",
    "//",
    "é",
    "\u{0}",
    "*",
    "(do (move Pass))",
    "(count Moves)",
    "(define \"X\" \"X\")",
    "(while True (moveAgain))",
    "(mapEntry (to))",
    "(regionSite (sites) index:9)",
];

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize]
}

fn mutant(rng: &mut Rng, corpus: &[String]) -> String {
    let text = &corpus[rng.below(corpus.len() as u32) as usize];
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', '{', '}', '\n']).collect();
    let names: Vec<&str> = table().words().collect();
    for _ in 0..1 + rng.below(6) {
        if words.is_empty() {
            return String::new();
        }
        let at = rng.below(words.len() as u32) as usize;
        let other = rng.below(words.len() as u32) as usize;
        match rng.below(6) {
            0 => words.insert(at, pick(rng, WORDS)),
            1 => drop(words.remove(at)),
            2 => words.swap(at, other),
            3 => words[at] = words[other],
            4 => words[at] = pick(rng, &names),
            _ => {
                let from = at.min(other);
                let piece: Vec<&str> = words[from..at.max(other).min(from + 40)].to_vec();
                words.splice(at..at, piece);
            }
        }
    }
    words.concat()
}

/// Words, brackets and bytes in no order at all.
fn garbage(rng: &mut Rng) -> String {
    let names: Vec<&str> = table().words().collect();
    let mut out = String::from(if rng.below(2) == 0 { "(game " } else { "" });
    for _ in 0..rng.below(200) {
        match rng.below(4) {
            0 => out.push(char::from_u32(rng.below(0x3000)).unwrap_or('?')),
            1 => out.push_str(pick(rng, &names)),
            _ => out.push_str(pick(rng, WORDS)),
        }
        if rng.below(2) == 0 {
            out.push(' ');
        }
    }
    out
}

fn text(rng: &mut Rng, corpus: &[String]) -> String {
    if rng.below(5) == 0 { garbage(rng) } else { mutant(rng, corpus) }
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
        let text = text(&mut Rng::seeded(mix(seed)), &corpus);
        match reader::read(&text, SourceId(0)) {
            Ok(nodes) => nodes.iter().for_each(|node| assert!(!node.to_string().is_empty())),
            Err(found) => assert!(!found.to_text(|_| &text, |_| "mutant").is_empty()),
        }
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
        let text = text(&mut rng, &corpus);
        let started = Instant::now();
        load_and_play(&text, &mut rng);
        if started.elapsed() > slowest {
            slowest = started.elapsed();
            worst = text;
        }
    }
    assert!(slowest < Duration::from_secs(10), "{slowest:?} for one mutant:\n{worst}");
}

fn load_and_play(text: &str, rng: &mut Rng) {
    let read = lud::read(text, SourceId(0), &Library::default(), &[]).map_err(Box::new);
    let compiled = match read.and_then(|description| compile(&description)) {
        Ok(compiled) => compiled,
        Err(found) => {
            assert!(!found.to_text(|_| text, |_| "mutant").is_empty());
            return;
        }
    };
    let Ok(game) = Ludemes::new(compiled) else { return };
    let mut state = game.start();
    for _ in 0..6 {
        let chosen = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, rng),
            Turn::Players(players) => {
                let mut moves = Vec::new();
                game.moves(&state, players.first().expect("somebody moves"), &mut moves);
                pick(rng, &moves)
            }
        };
        game.apply(&mut state, &[chosen]);
    }
}
