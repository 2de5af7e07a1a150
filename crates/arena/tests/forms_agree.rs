//! The eight games of the first paper count the same move sequences in all their forms: in Rust, in
//! ludemes, and in GDL where we have that.

use ludex_arena::catalog::{self, GameSpec};
use ludex_game::perft;

/// The game, its board, the options that give the description that board, the depth.
const FORMS: &[(&str, &str, &[&str], usize)] = &[
    ("atarigo", "5x5", &["Board Size/5x5"], 4),
    ("atarigo", "8x8", &["Board Size/8x8"], 2),
    ("breakthrough", "8x8", &[], 4),
    ("domineering", "6x6", &["Rows/6", "Columns/6"], 4),
    ("domineering", "8x8", &[], 3),
    ("knightthrough", "8x8", &[], 4),
    ("misere-breakthrough", "8x8", &[], 4),
    ("misere-domineering", "6x6", &["Rows/6", "Columns/6"], 4),
    ("misere-knightthrough", "6x6", &["Board Size/6x6"], 4),
    ("misere-knightthrough", "8x8", &[], 3),
    ("nogo", "5x5", &["Board Size/5x5"], 4),
    ("nogo", "8x8", &["Board Size/8x8"], 2),
];

fn counts(spec: &GameSpec, depth: usize) -> Vec<u64> {
    let game = catalog::load(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    perft(&*game, &game.start(), depth)
}

#[test]
fn rust_and_ludemes_agree() {
    for &(name, size, options, depth) in FORMS {
        let rust = GameSpec { size: Some(size.into()), ..GameSpec::named(name) };
        let ludemes = GameSpec {
            options: options.iter().map(|option| option.to_string()).collect(),
            ..GameSpec::named(format!("{name}.lud"))
        };
        assert_eq!(counts(&rust, depth), counts(&ludemes, depth), "{name} on {size}");
    }
}

#[test]
fn rust_and_gdl_agree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl");
    for (name, file) in [("breakthrough", "breakthrough"), ("knightthrough", "knightThrough")] {
        let gdl = GameSpec::named(format!("{folder}/{file}.kif"));
        assert_eq!(counts(&GameSpec::named(name), 4), counts(&gdl, 4), "{name}");
    }
}
