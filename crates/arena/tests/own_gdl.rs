//! The project's own GDL descriptions say the same as the repository's: they replay its recorded
//! matches, and both count the same move sequences.

use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The recorded matches, unpacked; `None` where there are none.
fn records() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archive = shared.join("oracle/gdl/oracle.tar.xz");
    if !archive.exists() {
        return None;
    }
    let unpacked = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gdl-oracle-own");
    std::fs::create_dir_all(&unpacked).ok()?;
    let tar = Command::new("tar").arg("-xJf").arg(&archive).arg("-C").arg(&unpacked).status();
    tar.is_ok_and(|status| status.success()).then_some(unpacked)
}

#[test]
fn own_descriptions_replay_the_recorded_matches() {
    let Some(records) = records() else {
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
        assert_eq!(game.engine(), ludex_game::gdl::Engine::Network, "{key}");
    }
}
