//! The examples of the reference: every one compiles where it belongs, and uses the ludeme it is the example of.

use ludex_lang::diagnostic::{Diagnostic, Severity, SourceId};
use ludex_lang::lud::check::check;
use ludex_lang::lud::examples::{Example, arguments, each_call, examples, id};
use ludex_lang::lud::reference::form;
use ludex_lang::lud::table::{Row, Type, table};
use ludex_lang::lud::{Description, Library, read};
use ludex_lud::{Missing, Subgames, compile_with};
use std::collections::HashSet;

#[test]
fn the_game_that_the_page_begins_with_compiles() {
    let page = ludex_lang::lud::reference::page();
    let text =
        page.split("```").nth(1).and_then(|block| block.strip_prefix("lud")).expect("a game");
    let description = read(text, SourceId(0), &Library::default(), &[]).expect("readable");
    assert!(compile_with(&description, &Lines).expect("compiles").warnings.is_empty());
}

/// A game with a place for the example, marked `%`.
struct World {
    players: &'static str,
    board: &'static str,
    items: &'static str,
    start: &'static str,
}

const PLAIN: World = World {
    players: "2",
    board: r#"(board (square 5) {(track "Ring" "0,E,N,W,S" loop:True) (track "Lane" "0,E" P1 directed:True)})"#,
    items: r#"(hand Each size:3)
        (piece "Disc" Each (move Step (to if:(is Empty (to)))))
        (piece "King" Each)
        (piece "Stone" Neutral (flips 1 2))
        (regions "Home" P1 (sites Bottom))
        (regions "Home" P2 (sites Top))
        (map "Exits" {(pair 0 24) (pair 4 20)})"#,
    start: r#"(place "Disc1" (sites Bottom)) (place "Disc2" (sites Top))"#,
};

const BARE: World =
    World { players: "2", board: "(board (square 5))", items: r#"(piece "Disc" Each)"#, start: "" };

fn world(name: &str) -> World {
    match name {
        "plain" => PLAIN,
        "dice" => World {
            items: r#"(dice d:6 num:2) (piece "Disc" Each)"#,
            board: PLAIN.board,
            start: r#"(place "Disc1" 0)"#,
            ..BARE
        },
        "cards" => World { items: "(hand Each) (deck)", ..BARE },
        "four" => {
            World { players: "4", start: "(set Team 1 {P1 P3}) (set Team 2 {P2 P4})", ..BARE }
        }
        "stack" => World { start: r#"(place Stack items:{"Disc1" "Disc2"} 12)"#, ..BARE },
        "sixteen" => World { players: "16", ..BARE },
        "edges" => World {
            board: "(board (square 4 diagonals:Implied) use:Edge)",
            items: r#"(piece "Line" Each)"#,
            ..BARE
        },
        "pyramid" => World {
            board: "(board (square 4 pyramidal:True) use:Vertex)",
            items: r#"(piece "Ball" Each)"#,
            ..BARE
        },
        "tiles" => World { items: r#"(tile "Bend" Each {F R F} numSides:4)"#, ..BARE },
        "dominoes" => World {
            board: "(boardless Square)",
            items: "(dominoes) (hand Each size:20)",
            start: "(deal Dominoes 7)",
            ..BARE
        },
        "boardless" => World { board: "(boardless Square)", ..BARE },
        other => panic!("there is no place called {other}"),
    }
}

/// The parts of the rules around an example.
struct Parts<'a> {
    meta: &'a str,
    start: &'a str,
    play: &'a str,
    end: &'a str,
}

fn game(world: &World, board: &str, items: &str, parts: &Parts<'_>) -> String {
    let start = format!("{} {}", world.start, parts.start);
    let start = match start.trim() {
        "" => String::new(),
        rules => format!("(start {{{rules}}})"),
    };
    format!(
        r#"(game "Example" (players {}) (equipment {{ {board} {} {items} }})
            (rules {} {start} (play {}) (end {})))"#,
        world.players, world.items, parts.meta, parts.play, parts.end
    )
}

fn puzzle(place: &str, text: &str) -> String {
    let values = if place == "values" { text } else { "(values Cell (range 1 3))" };
    let hints = if place == "item" { text } else { "(hints {(hint {0 1} 3)} Cell)" };
    let start = if place == "start" { text } else { "(set {{4 1}})" };
    let board = match place {
        "board" => text.to_string(),
        _ => format!("(board (square 3) {values})"),
    };
    let rule = match place {
        "bool" => format!("(satisfy {{{text} (all Different)}})"),
        "region" => format!("(satisfy (all Different {text}))"),
        "play" => text.to_string(),
        _ => "(satisfy (all Different))".to_string(),
    };
    let end = if place == "end" { text } else { "(is Solved)" };
    format!(
        r#"(game "Example" (players 1)
            (equipment {{ {board} {hints} (regions {{Columns Rows}}) }})
            (rules (start {start}) (play {rule}) (end (if {end} (result P1 Win)))))"#
    )
}

const LINE: &str = r#"(game "Line" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"#;

/// A whole game with the part of it that an example is.
fn whole(text: &str) -> String {
    let pick = |word: &str, usual: &str| match text.starts_with(&format!("({word} ")) {
        true => text.to_string(),
        false => usual.to_string(),
    };
    let equipment = r#"(equipment {(board (square 3)) (piece "Disc" Each)})"#;
    let moving = r#"(phase "Moving" (play (forEach Piece)))"#;
    let placing =
        |next: &str| format!(r#"(phase "Placing" (play (move Add (to (sites Empty)))) {next})"#);
    let usual_end = "(end (if (is Line 3) (result Mover Win)))";
    let rules = match text.split(' ').next() {
        Some("(phase") => format!("(rules phases:{{{text} {moving}}} {usual_end})"),
        Some("(nextPhase") => format!("(rules phases:{{{} {moving}}} {usual_end})", placing(text)),
        _ => format!(
            "(rules {} {} {} {})",
            pick("meta", ""),
            pick("start", ""),
            pick("play", "(play (move Add (to (sites Empty))))"),
            pick("end", usual_end)
        ),
    };
    let rules = pick("rules", &rules);
    let game = format!(
        r#"(game "Example" {} {} {} {rules})"#,
        pick("players", "(players 2)"),
        pick("mode", ""),
        pick("equipment", equipment)
    );
    pick("game", &game)
}

fn match_of(text: &str) -> String {
    let usual = "(end (if (= (count Trials) 3) (byScore)))";
    match text.split(' ').next() {
        Some("(match") => text.to_string(),
        Some("(games") => format!(r#"(match "M" (players 2) {text} {usual})"#),
        Some("(subgame") => format!(r#"(match "M" (players 2) (games {{{text} {text}}}) {usual})"#),
        _ => format!(r#"(match "M" (players 2) (games {{(subgame "Line")}}) {text})"#),
    }
}

/// The game in which an example stands.
fn around(place: &str, text: &str) -> String {
    let (at, place) = place.split_once('/').unwrap_or(("plain", place));
    match (at, place) {
        ("puzzle", place) => return puzzle(place, text),
        (_, "whole") => return whole(text),
        (_, "match") => return match_of(text),
        _ => {}
    }
    let here = world(at);
    let usual = Parts {
        meta: "",
        start: "",
        play: "(move Pass)",
        end: "(if (no Moves Next) (result Mover Win))",
    };
    let asks = |cond: String| {
        let end = format!("(if {cond} (result Mover Win))");
        game(&here, here.board, "", &Parts { end: &end, ..usual })
    };
    match place {
        "bool" => asks(text.to_string()),
        "int" => asks(format!("(= 1 {text})")),
        "region" => asks(format!("(= 0 (count Sites in:{text}))")),
        "ints" => asks(format!("(= 0 (size Array {text}))")),
        "float" => asks(format!("(= 0 (toInt {text}))")),
        "end" => game(&here, here.board, "", &Parts { end: text, ..usual }),
        "start" => game(&here, here.board, "", &Parts { start: text, ..usual }),
        "metarule" => {
            game(&here, here.board, "", &Parts { meta: &format!("(meta {text})"), ..usual })
        }
        "moves" => {
            let play = format!("(or (move Pass) {text})");
            game(&here, here.board, "", &Parts { play: &play, ..usual })
        }
        "effect" => {
            let play = format!("(move Pass (then {text}))");
            game(&here, here.board, "", &Parts { play: &play, ..usual })
        }
        "dir" => {
            let play = format!("(forEach Piece (move Step {text} (to if:(is Empty (to)))))");
            game(&here, here.board, "", &Parts { play: &play, ..usual })
        }
        "item" => game(&here, here.board, text, &usual),
        "board" => game(&BARE, text, "", &usual),
        "graph" => game(&BARE, &format!("(board {text})"), "", &usual),
        "dim" => game(&BARE, &format!("(board (square {text}))"), "", &usual),
        other => panic!("nothing can stand at {other}"),
    }
}

/// Finds the one game that matches are made of.
struct Lines;

impl Subgames for Lines {
    fn find(&self, _: &str, _: &[String]) -> Result<Description, Missing> {
        read(LINE, SourceId(1), &Library::default(), &[]).map_err(|d| Missing::Faulty(Box::new(d)))
    }
}

/// The arguments that examples give to the ludeme they are of, each by its form and its number.
type Given = HashSet<(*const Row, usize)>;

/// Why an example does not do, if it does not; the arguments it shows are put to `given`.
fn fault(example: &Example, given: &mut Given) -> Option<String> {
    let text = around(example.place, example.text);
    let told = |d: &Diagnostic| d.to_text(|_| &text, |_| "example");
    let description = match read(&text, SourceId(0), &Library::default(), &[]) {
        Ok(description) => description,
        Err(d) => return Some(told(&d)),
    };
    let kind = if description.game.head() == Some("match") { "Match" } else { "Game" };
    let mut stands = false;
    match check(&description.game, kind, &description.expansions) {
        Ok(call) => each_call(&call, &mut |call| {
            if id(call.row) == example.id {
                stands = true;
                let shown = call.arguments.iter().enumerate().filter(|(_, a)| a.is_some());
                given.extend(shown.map(|(at, _)| (std::ptr::from_ref(call.row), at)));
            }
        }),
        Err(d) => return Some(told(&d)),
    }
    match compile_with(&description, &Lines) {
        Err(d) if example.refused && d.severity == Severity::Unsupported => None,
        Ok(_) if example.refused => Some("it is not refused any more".to_string()),
        Err(d) => Some(told(&d)),
        Ok(_) if !stands => Some("it is an example of something else".to_string()),
        Ok(_) => None,
    }
}

#[test]
fn every_example_compiles_and_is_one() {
    let faults: Vec<String> = examples()
        .iter()
        .chain(arguments())
        .filter_map(|example| {
            Some(format!("{:?} {}", example.id, fault(example, &mut Given::new())?))
        })
        .collect();
    assert!(faults.is_empty(), "{} examples do not do:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_argument_stands_in_an_example() {
    let mut given = Given::new();
    for example in examples().iter().chain(arguments()) {
        fault(example, &mut given);
    }
    let mut missing = Vec::new();
    for row in table().rows() {
        for (at, parameter) in row.parameters.iter().enumerate() {
            let named = matches!(parameter.takes, Type::Kind(..));
            if named && !given.contains(&(std::ptr::from_ref(row), at)) {
                missing.push(format!("{} of {} as {}", parameter.name, form(row), row.kinds[0]));
            }
        }
    }
    assert!(missing.is_empty(), "{} stand in no example:\n{}", missing.len(), missing.join("\n"));
}
