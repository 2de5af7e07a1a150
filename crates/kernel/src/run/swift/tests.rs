//! Swift plies against all rules: the same seed gives the same game.

use super::super::Kernel;
use crate::build::build;
use ludex_game::{Rng, Rules};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};

/// A kernel of one word.
fn kernel(name: &str, change: (&str, &str)) -> Kernel<1, 8> {
    let path = format!("{}/../../games/lud/{name}.lud", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("readable").replace(change.0, change.1);
    let description = read(&text, SourceId(0), &Library::default(), &[]).expect("reads");
    let general = Ludemes::new(compile(&description).expect("compiles")).expect("plays");
    assert!(general.compiled().board_sites() <= 64);
    Kernel::new(build(&general).expect("has a kernel"), &general)
}

fn plays_the_same(name: &str, change: (&str, &str)) {
    let mut kernel = kernel(name, change);
    let is_swift = kernel.swift.take().is_some();
    assert!(is_swift, "{name} is a game of two colours");
    for seed in 0..200 {
        for limit in [3, 1000] {
            let mut ends = [0, 1].map(|_| kernel.start());
            let mut rngs = [0, 1].map(|_| Rng::seeded(seed));
            let mut tally = Vec::new();
            let slow = kernel.playout_uniform(&mut ends[0], &mut rngs[0], limit, &mut tally);
            kernel.swift = super::Swift::of(&kernel);
            let fast = kernel.playout_uniform(&mut ends[1], &mut rngs[1], limit, &mut tally);
            kernel.swift = None;
            assert_eq!((slow, ends[0].board), (fast, ends[1].board), "{name}, seed {seed}");
            assert_eq!(rngs[0].below(1 << 30), rngs[1].below(1 << 30), "{name}, seed {seed}");
        }
    }
}

#[test]
fn steps_are_played_the_same() {
    plays_the_same("breakthrough", ("", ""));
    plays_the_same("breakthrough", ("square <Size:cells>", "rectangle 5 4"));
    plays_the_same("misere-breakthrough", ("", ""));
    plays_the_same("knightthrough", ("", ""));
    plays_the_same("clobber", ("rectangle <Size:rows> <Size:columns>", "rectangle 5 6"));
}

#[test]
fn pieces_of_two_sites_are_played_the_same() {
    plays_the_same("domineering", ("", ""));
    plays_the_same("domineering", ("rectangle <Rows:cells> <Columns:cells>", "rectangle 5 7"));
}

#[test]
fn turned_pieces_are_played_the_same() {
    plays_the_same("reversi", ("", ""));
}
