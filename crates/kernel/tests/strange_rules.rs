//! Rules that nobody would write: pieces and sites that are not there, numbers without measure, regions
//! made of themselves. Each is answered with a message, or plays the same in all its forms.

use ludex_game::conformance::agree;
use ludex_game::{Player, Rng, erase};
use ludex_kernel::kernel;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Compiled, Ludemes, compile};

/// A small game with some of its parts replaced.
struct Rules {
    players: u8,
    items: &'static str,
    start: &'static str,
    play: &'static str,
    end: &'static str,
}

const PLACING: Rules = Rules {
    players: 2,
    items: r#"(piece "Disc" Each)"#,
    start: "",
    play: "(move Add (to (sites Empty)))",
    end: "(if (is Line 3) (result Mover Win))",
};

const STEPPING: Rules = Rules {
    players: 2,
    items: r#"(piece "Disc" Each (move Step (to if:(not (is Friend (who at:(to)))) (apply (remove (to))))))"#,
    start: r#"(start {(place "Disc1" (sites Bottom)) (place "Disc2" (sites Top))})"#,
    play: "(forEach Piece)",
    end: "(if (no Moves Next) (result Mover Win))",
};

fn compiled(rules: &Rules) -> Result<Compiled, String> {
    let Rules { players, items, start, play, end } = rules;
    let text = format!(
        r#"(game "Strange" (players {players}) (equipment {{(board (square 4)) {items}}})
            (rules {start} (play {play}) (end {end})))"#
    );
    let description = read(&text, SourceId(0), &Library::default(), &[]).expect("readable");
    compile(&description).map_err(|found| found.message.clone())
}

/// The general form and the kernel, where there is one, play the same game.
fn plays_alike(rules: &Rules) {
    plays_alike_for(30, rules);
}

fn plays_alike_for(plies: usize, rules: &Rules) {
    let general = Ludemes::new(compiled(rules).expect("compiles")).expect("playable");
    let kernel = kernel(&general);
    let general = erase(general);
    for seed in 0..4 {
        let other = kernel.as_deref().unwrap_or(&*general);
        if let Err(fault) = agree(&*general, other, &mut Rng::seeded(seed), plies) {
            panic!("{}: {fault}", rules.play);
        }
    }
}

fn refused(rules: &Rules, message: &str) {
    let found = compiled(rules).err().unwrap_or_else(|| panic!("{} compiles", rules.items));
    assert_eq!(found, message);
}

#[test]
fn pieces_that_are_not_there_are_not_placed() {
    for what in ["99", "-1", "-7", "255", "256", "300"] {
        let play = format!("(move Add (piece {what}) (to (sites Empty)))").leak();
        plays_alike(&Rules { play, ..PLACING });
        let items = format!(
            r#"(piece "Disc" Each (move Step (to if:(is Empty (to))) (then (promote (last To) (piece {what})))))"#
        );
        plays_alike(&Rules { items: items.leak(), ..STEPPING });
    }
    plays_alike(&Rules { players: 3, items: r#"(piece "Disc" P1)"#, ..PLACING });
    plays_alike(&Rules { players: 3, items: r#"(piece "Disc" P1) (piece "Disc" P2)"#, ..PLACING });
    plays_alike(&Rules { players: 3, items: r#"(tile "Domino" P1 {F F})"#, ..PLACING });
}

#[test]
fn sites_that_are_not_there_are_no_sites() {
    for play in [
        "(move Add (to (sites Empty)) (then (remove 67)))",
        "(move Add (to (sites Empty)) (then (remove -3)))",
        "(move Add (to (sites {0 1 2 99})))",
        "(move Add (to (sites {0 1 2 -4})))",
        "(move Add (to (sites Empty)) (then (set State at:1000 1)))",
    ] {
        plays_alike(&Rules { play, ..PLACING });
    }
    for play in [
        "(move Select (from (sites {3 99})) (then (remove (last From))))",
        "(do (forEach Piece) ifAfterwards:(not (is Threatened at:99)))",
    ] {
        plays_alike(&Rules { play, ..STEPPING });
    }
    plays_alike(&Rules { end: "(if (is Threatened at:99) (result Mover Win))", ..STEPPING });
}

#[test]
fn players_who_do_not_play_own_and_get_nothing() {
    for end in [
        "(if (no Pieces Shared) (result Mover Win))",
        "(if (no Pieces Neutral) (result Mover Win))",
        "(if (no Pieces P5) (result Mover Win))",
        "(if (is Line 3) (result P5 Win))",
        "(if (is Line 3) (result Neutral Win))",
        "(if (is Line 99) (result Mover Win))",
        "(if (is Line 1) (result Mover Win))",
    ] {
        plays_alike(&Rules { end, ..PLACING });
    }
}

#[test]
fn numbers_without_measure_end() {
    // A move that adds a thousand pieces is a long one to write down: a few of them tell enough.
    for play in [
        "(move Add (to (sites Empty)) count:1000)",
        "(move Add (to (sites Empty)) count:1000 stack:True)",
        "(move Add (to (sites Empty)) count:(+ 1000000000 (count Turns)))",
        "(move Add (to (sites Empty)) count:(+ 1000000000 (count Turns)) stack:True)",
        "(forEach Value min:1 max:1000000000 (if (= (value) 7) (move Add (to (sites Empty)))))",
        "(bet P1 (range 0 1000000000))",
        "(move Add (to (sites Empty)) (then (addScore Mover 2147483647)))",
    ] {
        plays_alike_for(
            3,
            &Rules { play, end: "(if (no Moves Next) (result Mover Win))", ..PLACING },
        );
    }
    for start in [
        r#"(start (place Stack "Disc1" 0 count:1000))"#,
        r#"(start (place "Disc1" 0 count:1000))"#,
        r#"(start (forEach Value min:0 max:1000000000 (place "Disc1" 0)))"#,
    ] {
        plays_alike_for(3, &Rules { start, ..PLACING });
    }
    let too_many =
        |most: i32| format!("1000000000 pieces are too many for a site: it holds {most}");
    for (start, most) in [
        (r#"(start (place Stack "Disc1" 0 count:1000000000))"#, 1_000),
        (r#"(start (place "Disc1" 0 count:1000000000))"#, 65_535),
    ] {
        refused(&Rules { start, ..PLACING }, &too_many(most));
    }
    for play in [
        "(move Add (to (sites Empty)) count:1000000000)",
        "(move Add (to (sites Empty)) count:1000000000 stack:True)",
    ] {
        refused(&Rules { play, ..PLACING }, &too_many(1_000));
    }
    let end = "(if (is In (last To) (expand (sites Bottom) steps:1000000000)) (result Mover Win))";
    plays_alike_for(3, &Rules { end, ..PLACING });
}

#[test]
fn what_has_no_meaning_is_refused() {
    let itself = "this region is made of itself";
    for items in [
        r#"(piece "Disc" Each) (regions P1 (sites P1))"#,
        r#"(piece "Disc" Each) (regions P1 (sites P2)) (regions P2 (sites P1))"#,
        r#"(piece "Disc" Each) (regions "A" (sites "A"))"#,
        r#"(piece "Disc" Each) (regions "A" (sites "B")) (regions "B" (sites "A"))"#,
    ] {
        refused(&Rules { items, ..PLACING }, itself);
    }
    let moves = "the moves of this piece are made of themselves";
    for items in [
        r#"(piece "Disc" Each (forEach Piece))"#,
        r#"(piece "Disc" Each (or (move Step (to if:(is Empty (to)))) (forEach Piece "Disc")))"#,
        r#"(piece "Disc" P1 (forEach Piece "Ring")) (piece "Ring" P2 (forEach Piece "Disc"))"#,
        r#"(piece "Disc" Each (move Step (to if:(is Empty (to))) (then (forEach Piece))))"#,
    ] {
        refused(&Rules { items, start: "", ..STEPPING }, moves);
    }
    for end in ["(if (is Line 0) (result Mover Win))", "(if (is Line -1) (result Mover Win))"] {
        refused(&Rules { end, ..PLACING }, "a line has at least one site");
    }
}

#[test]
fn regions_of_one_name_may_be_made_of_each_other() {
    // "RestWithoutArc" has "Arc" in its name, so it is among nobody's regions called that, and is made of those of the players.
    plays_alike(&Rules {
        items: r#"(piece "Disc" Each)
            (regions "Arc" P1 (sites {0 1})) (regions "Arc" P2 (sites {14 15}))
            (regions "RestWithoutArc" (difference (sites Board) (union {(sites P1 "Arc") (sites P2 "Arc")})))"#,
        play: r#"(move Add (to (intersection (sites Empty) (sites "RestWithoutArc"))))"#,
        ..PLACING
    });
    plays_alike(&Rules {
        items: r#"(piece "Disc" Each)
            (regions "Home" P1 (sites Bottom)) (regions "Home" P2 (difference (sites Board) (sites P1 "Home")))"#,
        play: r#"(move Add (to (intersection (sites Empty) (sites P2 "Home"))))"#,
        end: r#"(if (is In (last To) (sites P1 "Home")) (result Mover Win))"#,
        ..PLACING
    });
}

#[test]
fn a_define_may_be_a_comparison_alone() {
    let text = r#"(define "Less" <)
        (game "Less" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)})
            (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"#;
    let description = read(text, SourceId(0), &Library::default(), &[]).expect("readable");
    compile(&description).expect("compiles");
    let text = r#"(game "Less" (players 2) (equipment {(board <Dual:begin> (square 3) <Dual:end>) (piece "Disc" Each)})
            (rules (play (move Add (to (sites Empty)))) (end (if (<Than:sign> 4 (count Moves)) (result Mover Win)))))
        (option "Dual" <Dual> args:{<begin> <end>} {(item "Yes" <(dual > <)> "Turned about.")})
        (option "Than" <Than> args:{<sign>} {(item "Less" <<> "Fewer.") (item "Not more" <<=> "As many.")})"#;
    let description = read(text, SourceId(0), &Library::default(), &[]).expect("readable");
    compile(&description).expect("compiles");
}

/// A condition that nothing changes leaves nothing to do, and takes no time for it.
#[test]
fn loops_that_never_end_have_no_moves() {
    // What is legal cannot depend on how much is legal.
    plays_alike(&Rules {
        play: "(move Add (to (sites Empty) if:(<= (count LegalMoves) 5)) (then (moveAgain)))",
        ..PLACING
    });
    for play in ["(while (is Mover P1) (moveAgain))", "(while True (addScore Mover 1))"] {
        let rules = Rules { play, end: "(if (no Moves Next) (result Mover Loss))", ..PLACING };
        plays_alike(&rules);
        let game = erase(Ludemes::new(compiled(&rules).expect("compiles")).expect("playable"));
        let mut moves = Vec::new();
        game.moves(&game.start(), Player::FIRST, &mut moves);
        assert_eq!(moves.len(), 1, "{play}: nothing but a pass");
    }
}

/// Where moves change nothing a string of them has no end. All of those are as long as a string may be, and it is seen at
/// once: no position is counted from twice.
#[test]
fn strings_that_never_end_are_all_as_long() {
    let endless = "(move Step (to if:(is Empty (to))) (then (moveAgain)))";
    for (own, expected) in [
        (endless.to_string(), 10),
        // A score that grows without end makes every position a new one.
        (endless.replace("(moveAgain)", "(and (addScore Mover 1) (moveAgain))"), 10),
        // Of steps that end the turn and steps that go on, only the latter can be the longest.
        (format!("(or {endless} (move Slide Diagonal))"), 10),
    ] {
        let items = format!(r#"(piece "Disc" Each {own})"#).leak();
        let rules = Rules { items, play: "(max Moves (forEach Piece))", ..STEPPING };
        plays_alike_for(3, &rules);
        let game = erase(Ludemes::new(compiled(&rules).expect("compiles")).expect("playable"));
        let mut moves = Vec::new();
        game.moves(&game.start(), Player::FIRST, &mut moves);
        assert_eq!(moves.len(), expected, "{own}");
    }
}

/// Rules of which the reference makes nothing make nothing, and a warning says so.
#[test]
fn what_does_nothing_is_told() {
    for (play, told) in [
        (
            "(or (forEach Piece) (do (move Pass)))",
            "this makes no moves: nothing follows or judges them",
        ),
        (
            "(forEach Piece (then (trigger \"Out\" Mover (then (moveAgain)))))",
            "nothing can follow `(trigger …)`",
        ),
        (
            "(forEach Piece (then (addScore Mover (count Adjacent who:P1))))",
            "`who` means nothing in this `(count Adjacent …)`",
        ),
        (
            "(or (forEach Piece) (move Add (to (sites Row))))",
            "`(sites Row …)` without a number has no sites",
        ),
    ] {
        let warnings = compiled(&Rules { play, ..STEPPING }).expect("compiles").warnings;
        assert!(warnings.iter().any(|warning| warning.message == told), "{play}: {warnings:?}");
    }
}

/// Before the first move, the last one is what the start did last.
#[test]
fn the_start_ends_with_a_placement() {
    let rules = Rules {
        start: r#"(start {(place "Disc1" 9) (place "Disc2" 5)})"#,
        play: "(if (and (= 5 (last To)) (= 5 (last From))) (move Add (to (sites Empty))) (move Pass))",
        ..PLACING
    };
    plays_alike(&rules);
    let game = erase(Ludemes::new(compiled(&rules).expect("compiles")).expect("playable"));
    let mut moves = Vec::new();
    game.moves(&game.start(), Player::FIRST, &mut moves);
    assert_eq!(moves.len(), 14);
}
