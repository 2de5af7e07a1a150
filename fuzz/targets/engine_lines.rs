//! Any lines to an engine, in each of its three languages: each is answered, and none ends it but `quit`.

#![no_main]

use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use ludex_arena::catalog::{GameSpec, load};
use ludex_arena::engine::{Letters, Protocol, Service, Session, serve};
use ludex_game::Game;
use ludex_play::search::Budget;

static GAMES: LazyLock<[Arc<dyn Game>; 3]> = LazyLock::new(|| {
    ["backgammon", "go", "chess"].map(|name| load(&GameSpec::named(name)).expect("a game"))
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let which = usize::from(first) % 3;
    // Thinking for as long as asked is no fault.
    let text = String::from_utf8_lossy(rest);
    let asked = text.lines().filter(|line| !line.contains("go") && !line.contains("gen"));
    let text: String = asked.take(30).flat_map(|line| [line, "\n"]).collect();
    let agent = "random".parse().expect("an agent");
    let session = Session::new(GAMES[which].clone(), agent, 1).expect("a session");
    let service = Service {
        protocol: Protocol::ALL[which],
        budget: Budget::simulations(5),
        letters: Letters::All,
        resize: &|_| None,
    };
    serve(session, &service, Cursor::new(text.into_bytes()), &mut Vec::new()).expect("it writes");
});
