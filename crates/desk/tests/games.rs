//! The list of games and what can be chosen about each, with a library.

use ludex_arena::ludemes::Defines;
use ludex_desk::{Desk, Library, Shelf};
use serde_json::{Value, json};

/// A library of one game, whose rules use a define of the library's.
struct Small {
    paths: Vec<String>,
    defines: Defines,
}

const RULES: &str = "(game \"Small\" (players 3) (equipment {(board (hex <Size:size>)) (piece \"Disc\" Each)}) \
    (rules (play (move Add (to (sites Empty)))) (end (\"InARow\" <Row:row>)))) \
    (option \"Board Size\" <Size> args:{<size>} {(item \"3\" <3> \"\")** (item \"5\" <5> \"\")*}) \
    (option \"Row\" <Row> args:{<row>} {(item \"Three\" <3> \"\")** (item \"Four\" <4> \"\")}) \
    (rulesets {(ruleset \"Ruleset/Long (Observed)\" {\"Board Size/5\" \"Row/Four\"})}) \
    (metadata (info {(description \"||A game for tests.\")}))";

impl Library for Small {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn text(&self, path: &str) -> Option<String> {
        (path == self.paths[0]).then(|| RULES.to_string())
    }

    fn defines(&self) -> &Defines {
        &self.defines
    }
}

fn desk() -> Desk {
    let folder = tempfile::tempdir().expect("a folder");
    let define = "(define \"InARow\" (if (is Line #1) (result Mover Win)))";
    std::fs::write(folder.path().join("InARow.def"), define).expect("written");
    let defines = Defines::read(folder.path()).expect("defines");
    let paths = vec!["board/space/Small.lud".to_string()];
    Desk::new(Shelf::new(Some(Box::new(Small { paths, defines }))), 1)
}

fn open(desk: &Desk, options: &[&str]) -> Value {
    let asked = json!({ "game": "library/board/space/Small.lud", "options": options });
    desk.ask("open", asked).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn options_and_rulesets_of_a_library_are_menus() {
    let desk = desk();
    let chosen = |options: &[&str]| {
        let opened = open(&desk, options);
        let menus = opened["options"].as_array().expect("menus").clone();
        let sites = opened["board"]["sites"].as_array().expect("sites").len();
        let named: Vec<(String, String)> = menus
            .iter()
            .map(|menu| {
                ["category", "chosen"].map(|part| menu[part].as_str().expect("text").to_string())
            })
            .map(|[category, chosen]| (category, chosen))
            .collect();
        (named, sites)
    };
    let menus = |ruleset: &str, size: &str, row: &str| {
        [("Ruleset", ruleset), ("Board Size", size), ("Row", row)]
            .map(|(category, chosen)| (category.to_string(), chosen.to_string()))
            .to_vec()
    };
    assert_eq!(chosen(&[]), (menus("", "3", "Three"), 19));
    assert_eq!(chosen(&["Board Size/5"]), (menus("", "5", "Three"), 61));
    let long = "Ruleset/Long (Observed)";
    assert_eq!(chosen(&[long]), (menus("Long (Observed)", "5", "Four"), 61));
    assert_eq!(chosen(&[long, "Board Size/3"]), (menus("Long (Observed)", "3", "Four"), 19));
}

#[test]
fn games_of_a_library_can_be_looked_for_by_what_they_are() {
    let desk = desk();
    let entry = |desk: &Desk| {
        let all = desk.ask("games", Value::Null).expect("games");
        let all = all.as_array().expect("a list").clone();
        all.into_iter().find(|entry| entry["name"] == "library/board/space/Small.lud").expect("it")
    };
    assert_eq!(entry(&desk)["title"], "Small");
    desk.shelf.read_library();
    let read = entry(&desk);
    assert_eq!((&read["players"], &read["board"]), (&json!(3), &json!("hex 3")));
    assert_eq!(
        (&read["about"], &read["kind"]),
        (&json!("A game for tests."), &json!("board · space"))
    );
}
