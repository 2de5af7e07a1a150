//! What reaches a server or an engine: questions of the page, messages of the GGP protocol, commands.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use ludex_arena::catalog::{GameSpec, load};
use ludex_arena::engine::{Letters, Protocol, Service, Session, serve};
use ludex_desk::{Desk, Shelf};
use ludex_game::Game;
use ludex_lang::kif::Strictness;
use ludex_play::search::Budget;
use ludex_web::ggp::message::{glance, read_moves, read_rules};
use serde_json::Value;

use crate::text;

/// Words that change the meaning of the page's questions most.
pub const QUESTIONS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "null",
    "-1",
    "1e99",
    "\"\"",
    "\"table\"",
    "\"line\"",
    "\"after\"",
    "\"viewer\"",
    "9007199254740993",
    "\"A1\"",
    "true",
    ":",
    ",",
    "\"name\"",
    "\"text\"",
    "\"options\"",
];

/// Words that change the meaning of commands most.
pub const LINES: &[&str] = &[
    "play",
    "moves",
    "undo",
    "new",
    "turn",
    "show",
    "stop",
    "quit",
    "P1",
    "position",
    "startpos",
    "fen",
    "boardsize",
    "komi",
    "clear_board",
    "genmove",
    "B",
    "W",
    "pass",
    "A1",
    "-1",
    "\n",
    "é",
];

/// Questions of the page: what is asked on the first line, the rest below.
pub fn some_questions() -> Vec<String> {
    [
        "open\n{\"name\": \"tic-tac-toe\"}",
        "open\n{\"name\": \"hex\", \"options\": [\"Board Size/3x3\"]}",
        "position\n{\"table\": \"1\", \"line\": [], \"viewer\": 0}",
        "position\n{\"table\": \"2\", \"after\": 0, \"line\": [\"A1\"], \"told\": 3}",
        "chance\n{\"table\": \"1\", \"line\": []}",
        "check\n{\"name\": \"mine\", \"text\": \"(game \\\"X\\\" (players 2))\", \"language\": \"lud\"}",
        "ludeme\n{\"name\": \"slide\"}",
        "picture\n{\"name\": \"chess\"}",
        "about\n{}",
    ]
    .map(str::to_string)
    .to_vec()
}

/// Every question of the page has an answer or a refusal with a sentence.
pub fn questions(bytes: &[u8]) {
    static DESK: LazyLock<Desk> = LazyLock::new(|| {
        let desk = Desk::new(Shelf::new(None), 1);
        for name in ["tic-tac-toe", "backgammon"] {
            let _ = desk.ask("open", serde_json::json!({ "name": name }));
        }
        desk
    });
    let Some((what, asked)) = text(bytes).and_then(|text| text.split_once('\n')) else { return };
    let Ok(asked) = serde_json::from_str::<Value>(asked) else { return };
    match DESK.ask(what, asked) {
        Ok(answer) => assert!(!answer.is_null()),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
}

/// Messages of the GGP protocol.
pub fn some_messages() -> Vec<String> {
    let rules = crate::rules::kif().swap_remove(0);
    vec![
        format!("(START match1 xplayer ({rules}) 30 5)"),
        "(PLAY match1 ((mark 1 1) noop))".to_string(),
        "(STOP match1 NIL)".to_string(),
        "(INFO)".to_string(),
    ]
}

/// A message is understood or not, its rules read or refused.
pub fn ggp_messages(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let _ = (glance(text), read_moves(text));
    for strictness in [Strictness::Strict, Strictness::Lenient] {
        if let Err(faults) = read_rules(text, strictness) {
            assert!(!faults.is_empty(), "refused without a reason");
        }
    }
}

/// Commands to engines, in each of their languages.
pub fn some_lines() -> Vec<String> {
    [
        "0\nnew\nturn\nplay 3-1\nplay roll\nmoves\nmoves P2\nshow\nundo\nquit",
        "1\nprotocol_version\nboardsize 9\nclear_board\nkomi 6.5\nplay B D4\nplay W pass\nshowboard\nundo",
        "2\nuci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\nsetoption name Threads value 1",
    ]
    .map(str::to_string)
    .to_vec()
}

/// Whatever is said to an engine is answered, and only `quit` ends it.
pub fn engine_lines(bytes: &[u8]) {
    static GAMES: LazyLock<[Arc<dyn Game>; 3]> = LazyLock::new(|| {
        ["backgammon", "go", "chess"].map(|name| load(&GameSpec::named(name)).expect("a game"))
    });
    let Some((&first, rest)) = bytes.split_first() else { return };
    let which = usize::from(first) % 3;
    let text = String::from_utf8_lossy(rest);
    // Thinking for as long as asked is no fault.
    let asked = text.lines().filter(|line| !line.contains("go") && !line.contains("gen"));
    let text: String = asked.take(30).flat_map(|line| [line, "\n"]).collect();
    let agent = "random".parse().expect("an agent");
    let session = Session::new(GAMES[which].clone(), agent, 1).expect("a session");
    let service = Service {
        protocol: Protocol::ALL[which],
        budget: Budget::simulations(5),
        asked: true,
        letters: Letters::All,
        resize: &|_| None,
    };
    serve(session, &service, Cursor::new(text.into_bytes()), &mut Vec::new()).expect("it writes");
}
