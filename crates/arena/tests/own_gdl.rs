//! The project's own GDL descriptions say the same as the repository's: they replay its recorded
//! matches, and both count the same move sequences.

mod common;

use std::path::{Path, PathBuf};

use ludex_arena::catalog::compile_kif;
use ludex_arena::conform::conform_compiled;
use ludex_game::perft;

/// Each description and a depth that takes moments.
const OWN: &[(&str, usize)] = &[
    ("breakthrough", 3),
    ("connect4", 4),
    ("connect5", 2),
    ("knightThrough", 3),
    ("pentago", 3),
    ("reversi", 5),
    ("sheepAndWolf", 5),
    ("tictactoe_3d_2player", 2),
];

fn own(key: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/gdl/{key}.kif"))
}

#[test]
fn own_descriptions_replay_the_recorded_matches() {
    let Some(records) = common::gdl_records() else {
        eprintln!("skipped: no recorded matches at ../shared/oracle");
        return;
    };
    for (key, depth) in OWN {
        let game = compile_kif(&own(key), None).unwrap_or_else(|error| panic!("{key}: {error}"));
        let record = std::fs::read_to_string(records.join(format!("oracle/{key}.jsonl"))).unwrap();
        if let Err(difference) = conform_compiled(&game, &record) {
            panic!("{key}: {difference}");
        }
        let theirs = compile_kif(&records.join(format!("games/{key}.kif")), None).unwrap();
        let [ours, theirs] = [game, theirs].map(|game| {
            let game = game.into_game();
            perft(&*game, &game.start(), *depth)
        });
        assert_eq!(ours, theirs, "{key}");
    }
}

#[test]
fn own_descriptions_compile_to_networks() {
    for (key, _) in OWN {
        let game = compile_kif(&own(key), None).unwrap_or_else(|error| panic!("{key}: {error}"));
        assert_eq!(game.engine(), ludex_gdl::Engine::Network, "{key}");
    }
}
