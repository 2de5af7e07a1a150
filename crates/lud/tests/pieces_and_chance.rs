//! Pieces that cover several cells, balls that fall, and chance other than dice.

use ludex_game::conformance::{Effort, check_with};
use ludex_game::{Game, Rng, Turn, erase, perft};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Compiled, Ctx, Ludemes, Source, compile};
use std::sync::Arc;

fn compiled(text: &str) -> Compiled {
    let explain = |d: &ludex_lang::diagnostic::Diagnostic| d.to_text(|_| text, |_| "test");
    let description = read(text, SourceId(0), &Library::default(), &[]);
    let description = description.unwrap_or_else(|d| panic!("{}", explain(&d)));
    compile(&description).unwrap_or_else(|d| panic!("{}", explain(&d)))
}

fn load(text: &str) -> Arc<dyn Game> {
    erase(Ludemes::new(compiled(text)).expect("playable"))
}

const EFFORT: Effort = Effort { games: 3, plies: 60, draws: 600, playouts: 300 };

#[test]
fn dominoes_are_placed_as_in_domineering() {
    let tiles = load(
        r#"(game "Tiles" (players 2)
            (equipment {
                (board (rectangle 4 5))
                (tile "Lying" P1 {R F} numSides:4)
                (tile "Standing" P2 {F} numSides:4)
            })
            (rules
                (play (move Add (piece (mover) state:0) (to (sites Empty))))
                (end (if (no Moves Next) (result Mover Win)))
            ))"#,
    );
    check_with(&*tiles, 1, EFFORT).expect("a correct game");
    // Sixteen lying dominoes; then fifteen standing ones, less those that the first one is in the way of.
    let ways = |row: i32, column: i32| {
        let covers = |r: i32, c: i32| r == row && (c == column || c == column + 1);
        let free = |r: i32, c: i32| !covers(r, c) && !covers(r + 1, c);
        let all = (0..3).flat_map(|r| (0..5).map(move |c| (r, c)));
        all.filter(|&(r, c)| free(r, c)).count() as u64
    };
    let second: u64 = (0..4).flat_map(|r| (0..4).map(move |c| ways(r, c))).sum();
    assert_eq!(perft(&*tiles, &tiles.start(), 2), [16, second]);
}

#[test]
fn chance_at_the_start_and_in_moves_is_drawn_from_seeds() {
    let game = load(
        r#"(game "Luck" (players 2)
            (equipment { (board (square 4)) (piece "Stone" Each) (piece "Rock" Neutral) })
            (rules
                (start (place Random {"Rock0"} count:3))
                (play (move Add (to (sites Empty))
                    (then (if (= 0 (value Random (range 0 2))) (moveAgain)))))
                (end (if (is Line 3) (result Mover Win)))
            ))"#,
    );
    assert_eq!(game.turn(&game.start()), Turn::Chance);
    check_with(&*game, 2, EFFORT).expect("a correct game");
}

#[test]
fn throws_and_seeds_are_read_back() {
    let game = load(
        r#"(game "Throws" (players 2)
            (equipment { (board (square 3)) (piece "Stone" Each) (dice d:4 num:2) })
            (rules
                (play (do (roll) next:(move Add (to (sites Empty)))))
                (end (if (is Line 3) (result Mover Win)))
            ))"#,
    );
    let mut rng = Rng::seeded(3);
    let state = game.start();
    assert_eq!(game.turn(&state), Turn::Chance);
    for _ in 0..20 {
        let outcome = game.sample_chance(&state, &mut rng);
        let text = game.move_text(&state, None, outcome);
        let read = game.parse_chance(&state, &text).expect("its own text");
        assert_eq!(game.move_text(&state, None, read), text);
    }
}

/// Five kinds of card in three suits: four are dealt to each, and played onto the mover's cell.
#[test]
fn cards_are_shuffled_dealt_and_played() {
    let game = load(
        r#"(game "Cards" (players 2)
            (equipment { (board (rectangle 1 2)) (deck cardsBySuit:5 suits:3) (hand Each) })
            (rules
                (start (deal Cards 4))
                (play (move PlayCard
                    (then (if (= (card Suit at:(last To)) (card TrumpSuit))
                        (addScore Mover (card Rank at:(last To)))
                        (set TrumpSuit (card Suit at:(last To)))))))
                (end (if (and (is Empty (handSite P1)) (is Empty (handSite P2)))
                    (payoffs {
                        (payoff P1 (sqrt (toFloat (score P1))))
                        (payoff P2 (sqrt (toFloat (score P2))))
                    })))
            ))"#,
    );
    check_with(&*game, 3, EFFORT).expect("a correct game");
    let mut state = game.start();
    let mut rng = Rng::seeded(5);
    let mut plies = 0;
    while game.turn(&state) != Turn::Over {
        let Turn::Players(players) = game.turn(&state) else {
            let deal = game.sample_chance(&state, &mut rng);
            game.apply(&mut state, &[deal]);
            continue;
        };
        let mut moves = Vec::new();
        game.moves(&state, players.first().expect("a mover"), &mut moves);
        // Whoever moves holds four cards, then three, then two.
        assert_eq!(moves.len(), 4 - plies / 2);
        game.apply(&mut state, &moves[..1]);
        plies += 1;
    }
    assert_eq!(plies, 8);
}

/// A probability is what the description says: the second kind of move three times as often as the first.
#[test]
fn kinds_of_move_are_drawn_by_their_weights() {
    let game = load(
        r#"(game "Weights" (players 1)
            (equipment { (board (square 5)) (piece "Stone" Each) })
            (rules
                (play (random {1.0 (* 1.5 2.0)} { (move Pass) (move Add (to (sites Empty))) }))
                (end (if (>= (count Moves) 20) (payoffs { (payoff P1 (toFloat (count Pieces))) })))
            ))"#,
    );
    check_with(&*game, 4, EFFORT).expect("a correct game");
}

/// Two pieces of each player step forward, and what each step draws at random is drawn when the step is made.
fn steps_that_draw(end: &str) -> Compiled {
    compiled(&format!(
        r#"(game "Draws" (players {{(player N) (player S)}})
            (equipment {{
                (board (square 4))
                (piece "Pawn" Each (move Step Forward
                    (to if:(is Empty (to)) (apply (set Value at:(from) (value Random (range 1 4)))))))
            }})
            (rules
                (start {{(place "Pawn1" {{0 3}}) (place "Pawn2" {{12 15}})}})
                (play (forEach Piece))
                (end (if {end} (result Mover Win)))))"#
    ))
}

/// How many numbers are drawn for the first moves, and in the first turn as a whole.
fn drawn_in_the_first_turn(end: &str) -> [usize; 2] {
    let game = steps_that_draw(end);
    let mut ctx = Ctx::new(&game, game.empty_state());
    ctx.chance.source = Source::Generator(7);
    ctx.start();
    let moves = ctx.legal_moves();
    let before = ctx.chance.asked.len();
    ctx.play(&moves[0]);
    [before, ctx.chance.asked.len()]
}

/// Numbers are drawn in the order of the reference, which looks for a move piece by piece, and for the next piece
/// that has one before it judges the last move of a piece by what comes of it.
#[test]
fn whoever_asks_for_moves_draws_what_they_draw() {
    assert_eq!(drawn_in_the_first_turn("(= 0 (count Pieces Next))"), [2, 2]);
    assert_eq!(drawn_in_the_first_turn("(no Moves Next)"), [2, 3]);
    assert_eq!(drawn_in_the_first_turn("(not (can Move (forEach Piece Next)))"), [2, 3]);
    let judged = "(not (can Move (do (forEach Piece Next) ifAfterwards:(< 0 (count Pieces P1)))))";
    assert_eq!(drawn_in_the_first_turn(judged), [2, 4]);
}

/// The reference knows no exchange on points and edges; it is the one of cells.
#[test]
fn pieces_are_exchanged_on_points_as_on_cells() {
    let on = |board: &str| {
        let text = r#"(game "Exchange" (players 2)
            (equipment { (board BOARD) (piece "Disc" Each) })
            (rules
                (start { (place "Disc1" {0 4}) (place "Disc2" {7 8}) })
                (play (forEach Site (sites Occupied by:Mover) (swap Pieces (site) 7)))
                (end (if (>= (count Moves) 16) (result Mover Draw)))
            ))"#;
        load(&text.replace("BOARD", board))
    };
    let (cells, points) = (on("(square 3)"), on("(square 3) use:Vertex"));
    check_with(&*points, 1, EFFORT).expect("a correct game");
    let count = |game: &dyn Game| perft(game, &game.start(), 4);
    assert_eq!(count(&*cells)[0], 2);
    assert_eq!(count(&*cells), count(&*points));
}

#[test]
fn what_is_no_piece_started_nowhere() {
    let game = |what: &str| {
        let text = r#"(game "Starts" (players 2)
            (equipment { (board (square 3)) (piece "Disc" Each) })
            (rules
                (start (place "Disc1" {0 1}))
                (play (or (move Pass) (move Add (piece "Disc2") (to (sites Start (piece WHAT))))))
                (end (if (is Line 3) (result Mover Win)))
            ))"#;
        load(&text.replace("WHAT", what))
    };
    let moves = |game: &dyn Game| perft(game, &game.start(), 1)[0];
    let (disc, nothing) = (game("(what at:0)"), game("(what at:8)"));
    assert_eq!([moves(&*disc), moves(&*nothing)], [3, 1]);
}

/// The reference still lists the man that was promoted. Once the queen is gone, a move of his leaves a nothing behind
/// where it ends, and that site is empty no more.
#[test]
fn a_piece_that_is_gone_leaves_its_nothing_on_a_stack() {
    let game = load(
        r#"(game "Gone" (players 2)
            (equipment {
                (board (square 3))
                (piece "Man" P1 (move Step N (to if:(is Empty (to)))))
                (piece "Queen" P1 (move Step E (to if:(is Empty (to)))))
                (piece "Disc" P2)
            })
            (rules
                (start { (place Stack "Man1" 0 count:1) (place Stack "Disc2" 8 count:1) })
                (play
                    (if (is Mover P2)
                        (move Pass)
                        (if (= (what at:0) (id "Man" P1))
                            (move Promote 0 (piece "Queen") P1)
                            (forEach Piece)
                        )
                    )
                )
                (end (if (no Moves Next) (result Next Loss)))
            ))"#,
    );
    // Queen east or what stands there north; then queen east or the man's nothing north, or queen east; then one
    // each after the first two, since the nothing is in the way of another, and two after the third.
    assert_eq!(perft(&*game, &game.start(), 7)[..7], [1, 1, 2, 2, 3, 3, 4]);
}

/// Whatever else is among the equipment, and in whatever order: a piece steps as it is written there.
#[test]
fn pieces_beside_cards_and_dominoes_have_their_own_moves() {
    let man = r#"(piece "Man" Each (move Step (to if:(is Empty (to)))))"#;
    for others in [
        "",
        "(deck cardsBySuit:5 suits:3) (hand Each)",
        r#"(card "Joker" Shared Joker rank:14 value:0 trumpRank:14 trumpValue:20 suit:1) (hand Each)"#,
        r#"(domino "Stone" Shared value:1 value2:2)"#,
    ] {
        for equipment in [format!("{others} {man}"), format!("{man} {others}")] {
            let text = format!(
                r#"(game "Men" (players 2) (equipment {{ (board (square 5)) {equipment} }})
                    (rules (start (place "Man1" 12)) (play (forEach Piece))
                        (end (if (no Moves Next) (result Mover Win)))))"#
            );
            let game = compiled(&text);
            let mut ctx = Ctx::new(&game, game.empty_state());
            ctx.start();
            assert_eq!(ctx.legal_moves().len(), 8, "{equipment}");
        }
    }
}
