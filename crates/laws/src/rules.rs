//! Rules as text: they are read or refused, compiled or refused, and what compiles plays.

use ludex_game::{Rng, Rules, Turn};
use ludex_games::{gdl, ludemes};
use ludex_gdl::{Bounds, Engine, compile as compile_kif};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif;
use ludex_lang::lud::{self, Library, reader};
use ludex_lud::{Ludemes, compile as compile_lud};

use crate::text;

/// Words that change the meaning of ludemes most.
pub const LUD: &[&str] = &[
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
    "2147483648",
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
    "(forEach Piece)",
    "(is Line 3)",
];

/// Words that change the meaning of GDL most.
pub const KIF: &[&str] = &[
    "(", ")", "?x", "?y", "not", "or", "distinct", "true", "does", "next", "init", "legal", "goal",
    "terminal", "role", "<=", "1", "b", ";", "\n", "(s ?x)", "é", "\u{0}", "random", "sees",
    "START", "PLAY", "NIL",
];

/// The descriptions that come with the program.
pub fn lud() -> Vec<String> {
    ludemes::DESCRIPTIONS.iter().map(|(_, text)| (*text).to_string()).collect()
}

/// The GDL rules that come with the program, and small ones that grow or contradict themselves.
pub fn kif() -> Vec<String> {
    let small = [
        "(role a) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (legal a go)
         (<= terminal (true (n (s (s 0))))) (goal a 100)",
        "(role a) (role b) (init p) (<= (q ?x ?y) (r ?x) (r ?y)) (r 1) (r 2) (<= (next p) (not (true p)))
         (legal a go) (legal b go) (<= terminal (q ?x ?x) (not (true p)) (does a go)) (goal a 1)
         (goal b 2)",
    ];
    let texts = gdl::DESCRIPTIONS.iter().map(|(_, text)| *text).chain(small);
    texts.map(str::to_string).collect()
}

/// The reader of ludemes answers with a tree or a message.
pub fn lud_reader(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match reader::read(text, SourceId(0)) {
        Ok(nodes) => nodes.iter().for_each(|node| assert!(!node.to_string().is_empty())),
        Err(found) => assert!(!found.to_text(|_| text, |_| "input").is_empty()),
    }
}

/// Ludemes are compiled or refused in words, and what is compiled plays.
pub fn lud_compiler(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let read = lud::read(text, SourceId(0), &Library::default(), &[]).map_err(Box::new);
    let compiled = match read.and_then(|description| compile_lud(&description)) {
        Ok(compiled) => compiled,
        Err(found) => return assert!(!found.to_text(|_| text, |_| "input").is_empty()),
    };
    let Ok(game) = Ludemes::new(compiled) else { return };
    let (mut state, mut rng) = (game.start(), Rng::seeded(bytes.len() as u64));
    for _ in 0..6 {
        let chosen = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, &mut rng),
            Turn::Players(players) => {
                let mut moves = Vec::new();
                game.moves(&state, players.first().expect("somebody moves"), &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            }
        };
        game.apply(&mut state, &[chosen]);
    }
}

/// The reader of GDL answers with rules or with reasons.
pub fn kif_reader(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Err(findings) = kif::read(SourceId(0), text) {
        assert!(!findings.is_empty(), "refused without a reason");
        for found in findings {
            assert!(!found.to_text(|_| text, |_| "input").is_empty());
        }
    }
}

/// Both engines of GDL answer within their bounds, and what they compile plays.
pub fn kif_compiler(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let bounds = Bounds { work: 300_000, terms: 30_000, literals: 200_000, ..Bounds::default() };
    let Ok(checked) = kif::read(SourceId(0), text) else { return };
    let mut rng = Rng::seeded(bytes.len() as u64);
    for engine in [Engine::Network, Engine::Datalog] {
        let Ok(game) = compile_kif("input", &checked.description, Some(engine), &bounds) else {
            continue;
        };
        // A few plies: broken games may well never end.
        let game = game.into_game();
        let mut state = game.start();
        let mut joint = Vec::new();
        for _ in 0..5 {
            let Turn::Players(players) = game.turn(&state) else { break };
            joint.clear();
            for player in players {
                let mut moves = Vec::new();
                game.moves(&state, player, &mut moves);
                joint.push(moves[rng.below(moves.len() as u32) as usize]);
            }
            game.apply(&mut state, &joint);
        }
    }
}
