//! Positions as the page is told of them.

use ludex_desk::{Desk, Shelf};
use serde_json::{Value, json};

fn desk() -> Desk {
    Desk::new(Shelf::new(None), 1)
}

fn ask(desk: &Desk, what: &str, asked: Value) -> Value {
    desk.ask(what, asked).unwrap_or_else(|refusal| panic!("{what}: {refusal}"))
}

#[test]
fn chance_decides_until_it_is_somebodys_turn() {
    let desk = desk();
    let table = ask(&desk, "open", json!({ "game": "backgammon" }))["id"].clone();
    let asked = json!({ "table": table, "line": [], "viewer": null });
    let looked = ask(&desk, "position", asked);
    assert_eq!((&looked["chance"], &looked["drawn"]), (&json!(true), &json!([])));
    let asked = json!({ "table": table, "line": [], "viewer": null, "draw": true });
    let thrown = ask(&desk, "position", asked);
    let dice = thrown["drawn"][0].as_str().expect("a throw").to_string();
    assert_eq!((&thrown["chance"], &thrown["ply"]), (&json!(false), &json!(1)));
    // The name of the position stands for the throw, and the next is thrown after the moves.
    let mut line = vec![json!([dice])];
    let mut shown = thrown;
    for _ in 0..30 {
        let mv = shown["moves"][0]["text"].clone();
        let asked = json!({ "table": table, "after": shown["name"], "line": [[mv]], "viewer": null, "draw": true });
        shown = ask(&desk, "position", asked);
        line.push(json!([mv]));
        line.extend(shown["drawn"].as_array().expect("a list").iter().map(|one| json!([one])));
        assert_eq!((&shown["chance"], &shown["ply"]), (&json!(false), &json!(line.len())));
    }
    let whole = ask(&desk, "position", json!({ "table": table, "line": line, "viewer": null }));
    assert_eq!((&whole["pieces"], &whole["moves"]), (&shown["pieces"], &shown["moves"]));
}

#[test]
fn moves_by_dice_that_show_the_same_are_one_to_whoever_plays() {
    let desk = desk();
    let table = ask(&desk, "open", json!({ "game": "backgammon" }))["id"].clone();
    let twins = |dice: &str| {
        let asked = json!({ "table": table, "line": [[dice]], "viewer": null });
        let moves = ask(&desk, "position", asked)["moves"].as_array().expect("moves").clone();
        let count = moves.iter().filter(|mv| mv["twin"] == true).count();
        (count, moves.len())
    };
    let (count, all) = twins("dice 6 6");
    assert_eq!((2 * count, all > 3), (all, true));
    assert_eq!(twins("dice 5 2").0, 0);
}

#[test]
fn names_are_forgotten_when_somebody_goes_another_way() {
    let desk = desk();
    let table = ask(&desk, "open", json!({ "game": "hex" }))["id"].clone();
    let at = |after: Value, line: Value| {
        ask(
            &desk,
            "position",
            json!({ "table": table, "after": after, "line": line, "viewer": null }),
        )
    };
    let first = at(Value::Null, json!([["A1"], ["B1"]]));
    let second = at(first["name"].clone(), json!([["C1"]]));
    assert_eq!(second["ply"], 3);
    // The same way again, and a longer one.
    assert_eq!(at(first["name"].clone(), json!([["C1"], ["D1"]]))["ply"], 4);
    assert_eq!(at(second["name"].clone(), json!([]))["ply"], 3);
    // Another way after two moves: what came after them is forgotten, they are not.
    assert_eq!(at(first["name"].clone(), json!([["E1"]]))["ply"], 3);
    assert_eq!(at(second["name"].clone(), json!([]))["forgotten"], true);
    assert_eq!(at(first["name"].clone(), json!([]))["ply"], 2);
    assert_eq!(at(json!(12_345), json!([]))["forgotten"], true);
    // A move that cannot be made is refused wherever it stands, and spoils nothing.
    let illegal =
        json!({ "table": table, "after": first["name"], "line": [["A1"]], "viewer": null });
    assert!(desk.ask("position", illegal).is_err());
    assert_eq!(at(first["name"].clone(), json!([["F1"]]))["ply"], 3);
}

/// How often something is drawn on the board of these rules.
fn drawn(rules: &str, classes: &[&str]) -> Vec<usize> {
    let opened = ask(&desk(), "open", json!({ "text": rules }));
    let svg = opened["board"]["svg"].as_str().expect("a board").to_string();
    classes.iter().map(|class| svg.matches(&format!("class=\"{class}\"")).count()).collect()
}

#[test]
fn puzzles_show_what_they_give() {
    let sums = "(game \"Sums\" (players 1) (equipment {(board (square 3) (values Cell (range 1 9))) \
        (hints {(hint {0 1 2} 6) (hint {3 6} 11) (hint 4 7)}) (regions HintRegions)}) \
        (rules (play (satisfy {(is Sum (hint)) (all Different)})) (end (if (is Solved) (result P1 Win)))))";
    // Three cells in a row have eight outer sides, two have six; one number needs no cage.
    assert_eq!(drawn(sums, &["clue", "cage"]), [3, 14]);
    let order = |sign: &str| {
        format!(
            "(game \"Order\" (players 1) (equipment {{(board (square 2) (values Vertex (range 1 4)) use:Vertex) \
            (hints {{(hint {{0 1}}) (hint {{3 2}})}} Vertex)}}) \
            (rules (play (satisfy {{(forAll Hint ({sign} (from) (to)))}})) (end (if (is Solved) (result P1 Win)))))"
        )
    };
    assert_eq!(drawn(&order("<"), &["order", "clue"]), [2, 0]);
    assert_eq!(drawn(&order(">"), &["order", "clue"]), [2, 0]);
    assert_eq!(drawn(&order("!="), &["order", "clue"])[0], 0);
}

#[test]
fn dominoes_show_both_halves() {
    let rules = "(game \"Dominoes\" (players 2) (equipment {(boardless Square) (hand Each size:21) (dominoes)}) \
        (rules (start (deal Dominoes 7)) (play (or (move (from (forEach (sites Hand Mover) if:(is Occupied (site)))) \
        (to (sites LineOfPlay))) (move Pass))) (end (if (all Passed) (result Mover Draw)))))";
    let desk = desk();
    let table = ask(&desk, "open", json!({ "text": rules }))["id"].clone();
    let start =
        ask(&desk, "position", json!({ "table": table, "line": [], "viewer": null, "draw": true }));
    let moves = start["moves"].as_array().expect("moves");
    let placed = moves.iter().find(|mv| !mv["to"].is_null()).expect("a domino to place");
    let asked = json!({ "table": table, "after": start["name"], "line": [[placed["text"]]], "viewer": null });
    let mut whole: Vec<Value> =
        start["drawn"].as_array().expect("draws").iter().map(|one| json!([one])).collect();
    whole.push(json!([placed["text"]]));
    let asked = if start["name"].is_null() {
        json!({ "table": table, "line": whole, "viewer": null })
    } else {
        asked
    };
    let shown = ask(&desk, "position", asked);
    let pieces = shown["pieces"].as_str().expect("pieces").to_string();
    let domino =
        pieces.split("<g class=\"piece").find(|piece| piece.contains("<line")).expect("a domino");
    let name = domino.split("<title>Domino").nth(1).expect("its name");
    let mut halves: Vec<char> = name.chars().take(2).collect();
    let texts = domino.split("</text>").filter_map(|part| part.rsplit('>').next());
    let mut said: Vec<char> =
        texts.filter_map(|text| text.chars().next()).filter(char::is_ascii_digit).collect();
    halves.sort_unstable();
    said.sort_unstable();
    assert_eq!(said, halves, "{domino}");
    // It is one domino, whatever it keeps in its numbers.
    assert!(!domino.contains('×'), "{domino}");
}
