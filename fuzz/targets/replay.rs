//! Any text: a record is read or refused, prints as it was read, and is replayed or refused move by move.

#![no_main]

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use ludex_arena::catalog::{GameSpec, load};
use ludex_game::{Game, Trial};

/// One game of each kind: Rust, ludemes with a kernel, without one, with dice, GDL of both kinds, hidden hands.
const GAMES: [&str; 8] = [
    "breakthrough --size 5x5",
    "7-wonders",
    "tic-tac-toe",
    "chess",
    "backgammon",
    "kalah",
    "connect4.kif",
    "hex",
];

static OPEN: LazyLock<HashMap<&str, Arc<dyn Game>>> = LazyLock::new(|| {
    let open = |name: &'static str| {
        let spec: GameSpec = name.parse().expect("a game's name");
        (name, load(&spec).expect("a game that comes with the program"))
    };
    GAMES.into_iter().map(open).collect()
});

fuzz_target!(|text: &str| {
    let Ok(trial) = Trial::read(text) else { return };
    let again = Trial::read(&trial.to_string()).expect("what was printed can be read");
    assert_eq!(again.to_string(), trial.to_string());
    let _ = trial.game.parse::<GameSpec>();
    let game = OPEN.get(trial.game.as_str()).or_else(|| OPEN.values().next()).expect("games");
    if let Ok(states) = trial.replay(&**game) {
        states.iter().for_each(|state| assert!(!game.show(state, None).is_empty()));
    }
});
