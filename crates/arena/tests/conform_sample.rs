//! GDL engines against recorded matches: a sample that runs in seconds. All records:
//! `ludex conform --games DIR/games DIR/oracle/*.jsonl`.

mod common;

use ludex_arena::catalog::compile_kif;
use ludex_arena::conform::conform_compiled;
use ludex_gdl::Engine;

/// Small and large, one to many roles, simultaneous and in turn, recursive, nested, with chance.
const SAMPLE: &[&str] = &[
    "2pffa",
    "atariGoVariant_7x7",
    "beatMania",
    "blocker",
    "blocks",
    "breakthrough",
    "buttons",
    "chineseCheckers3",
    "chinook",
    "chomp",
    "connect4",
    "connect5",
    "connectFour",
    "cubicup_3player",
    "dotsAndBoxes",
    "eightPuzzle",
    "firefighter",
    "futoshiki4",
    "gt_prisoner",
    "hanoi",
    "knightThrough",
    "lightsOut",
    "linesOfAction",
    "maze",
    "nim3",
    "nineBoardTicTacToe",
    "pawnWhopping",
    "pentago",
    "quad_7x7",
    "queens08lg",
    "reversi",
    "rubiksCube",
    "sheepAndWolf",
    "sudokuGrade1",
    "ticTacToe",
    "tictactoe_3d_2player",
    "ttcc4",
    "ttcc4_2player",
    "tttcc4",
    "checkersTiny",
    "checkers",
    "racer",
    "snake_2009",
    "pancakes6",
    "othello-comp2007",
    "crossers3",
    "amazonsTorus_10x10",
];

fn check(engine: Engine) {
    let Some(records) = common::gdl_records() else {
        eprintln!("skipped: no recorded matches at ../shared/oracle");
        return;
    };
    let mut compared = 0;
    for key in SAMPLE {
        let Ok(record) = std::fs::read_to_string(records.join(format!("oracle/{key}.jsonl")))
        else {
            continue;
        };
        let game = compile_kif(&records.join(format!("games/{key}.kif")), Some(engine))
            .unwrap_or_else(|error| panic!("{key}: {error}"));
        if let Err(difference) = conform_compiled(&game, &record) {
            panic!("{key}: {difference}");
        }
        compared += 1;
    }
    assert!(compared >= 40, "only {compared} records were found");
}

#[test]
fn the_network_agrees_with_the_records() {
    check(Engine::Network);
}

#[test]
fn the_rules_agree_with_the_records() {
    check(Engine::Datalog);
}
