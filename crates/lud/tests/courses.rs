//! Games that do not go turn by turn on one board: matches, moves at once, games without players,
//! tables without an edge.

use ludex_game::conformance::{Effort, check_with};
use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Game, Player, Rng, Turn, erase};
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::lud::{Description, Library, read};
use ludex_lud::{Compiled, Ludemes, Missing, Subgames, compile_with};
use std::sync::Arc;

const LINE: &str = r#"(game "Line" (players 2)
    (equipment { (board (square 3)) (piece "Stone" Each) })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Line 3) (result Mover Win)))))"#;

const DICE: &str = r#"(game "Dice" (players 2)
    (equipment { (board (square 2)) (piece "Stone" Each) (dice d:4 num:1) })
    (rules
        (play (do (roll) next:(move Add (to (sites Empty)) (then (addScore Mover (count Pips))))))
        (end (if (is Full) (byScore)))))"#;

/// Games that a match may name.
struct Known;

impl Subgames for Known {
    fn find(&self, name: &str, options: &[String]) -> Result<Description, Missing> {
        let text = match name {
            "Line" => LINE,
            "Dice" => DICE,
            "Loop" => {
                r#"(match "Loop" (games (subgame "Loop")) (end (if (= 1 2) (result P1 Win))))"#
            }
            _ => return Err(Missing::Unknown(vec!["Line".into(), "Dice".into()])),
        };
        let read = read(text, SourceId(0), &Library::default(), options);
        read.map_err(|fault| Missing::Faulty(Box::new(fault)))
    }
}

fn compiled(text: &str) -> Result<Compiled, Box<Diagnostic>> {
    let description = read(text, SourceId(0), &Library::default(), &[]).map_err(Box::new)?;
    compile_with(&description, &Known)
}

fn load(text: &str) -> Arc<dyn Game> {
    let explain = |d: &Diagnostic| d.to_text(|_| text, |_| "test");
    let compiled = compiled(text).unwrap_or_else(|d| panic!("{}", explain(&d)));
    erase(Ludemes::new(compiled).expect("playable"))
}

fn refused(text: &str) -> String {
    let fault = compiled(text).map(|game| game.name).expect_err("a fault");
    fault.to_text(|_| text, |_| "test")
}

const EFFORT: Effort = Effort { games: 3, plies: 80, draws: 400, playouts: 100 };

/// Plays at random to the end; the payoffs.
fn played(game: &dyn Game, seed: u64) -> Vec<f32> {
    let mut state = game.start();
    let (mut scratch, mut rng) = (Scratch::default(), Rng::seeded(seed));
    game.playout(&mut state, &mut Sampling::default(), Style::Standard, &mut scratch, &mut rng);
    assert_eq!(game.turn(&state), Turn::Over);
    let mut payoffs = vec![0.0; game.info().players];
    game.payoffs(&state, &mut payoffs);
    payoffs
}

#[test]
fn a_match_plays_its_games_until_somebody_has_enough() {
    let game = load(
        r#"(match "Best of some" (players 2)
            (games { (subgame "Line" next:1) (subgame "Dice" next:0 result:(score Mover)) })
            (end {
                (if (>= (matchScore P1) 4) (result P1 Win))
                (if (>= (matchScore P2) 4) (result P2 Win))
            }))"#,
    );
    check_with(&*game, 1, EFFORT).expect("a correct game");
    let wins = (0..20).map(|seed| played(&*game, seed));
    let mut sums = [0.0; 2];
    for payoffs in wins {
        sums[0] += payoffs[0];
        sums[1] += payoffs[1];
    }
    assert_eq!(sums[0] + sums[1], 20.0);
    assert!(sums[0] > 0.0 && sums[1] > 0.0);
}

#[test]
fn faults_of_matches_are_named() {
    let unknown =
        refused(r#"(match "M" (games (subgame "Lime")) (end (if (= 1 1) (result P1 Win))))"#);
    assert!(unknown.contains("there is no game \"Lime\""), "{unknown}");
    assert!(unknown.contains("did you mean \"Line\"?"), "{unknown}");
    let three = refused(
        r#"(match "M" (players 3) (games (subgame "Line")) (end (if (= 1 1) (result P1 Win))))"#,
    );
    assert!(three.contains("this match has 3 players, but \"Line\" has 2"), "{three}");
    let far = refused(
        r#"(match "M" (games (subgame "Line" next:3)) (end (if (= 1 1) (result P1 Win))))"#,
    );
    assert!(far.contains("the games of this match are numbered 0 to 0"), "{far}");
    let itself =
        refused(r#"(match "M" (games (subgame "Loop")) (end (if (= 1 1) (result P1 Win))))"#);
    assert!(itself.contains("deep within matches"), "{itself}");
}

#[test]
fn players_who_move_at_once_have_one_move_each() {
    let game = load(
        r#"(game "Odds" (players 2) (mode Simultaneous)
            (equipment { (board (rectangle 1 4)) })
            (rules
                (play (or {
                    (move Select (from 0) P1 (then (set Var "A" 0)))
                    (move Select (from 1) P1 (then (set Var "A" 1)))
                    (move Select (from 2) P2 (then (set Var "B" 0)))
                    (move Select (from 3) P2 (then (set Var "B" 1)))
                } (then
                    (if (= (var "A") (var "B")) (addScore P1 1) (addScore P2 1))
                    applyAfterAllMoves:True)))
                (end (if (>= (counter) 4) (byScore)))))"#,
    );
    assert!(matches!(game.turn(&game.start()), Turn::Players(players) if players.len() == 2));
    check_with(&*game, 3, EFFORT).expect("a correct game");
}

#[test]
fn a_game_without_players_goes_on_by_itself() {
    let game = load(
        r#"(game "Fading" (players 0)
            (equipment { (board (square 3)) (piece "Disc" Shared) })
            (rules
                (start (place "Disc" (sites Board)))
                (play (forEach Site (sites Occupied by:All)
                    (if (= (to) (count Moves)) (remove (to)))))
                (end (if (= (count Moves) 20) (result Mover Draw)))))"#,
    );
    assert_eq!(game.turn(&game.start()), Turn::Chance);
    assert_eq!(played(&*game, 1), Vec::<f32>::new());
}

#[test]
fn a_table_without_an_edge_grows_around_the_pieces() {
    let game = load(
        r#"(game "Heap" (players 2)
            (equipment { (boardless Hexagonal 5) (tile "Hex" Each numSides:6) })
            (rules
                (play (move Add (to (sites Playable))))
                (end (if (is Line 4) (result Mover Win)))))"#,
    );
    let mut state = game.start();
    let mut moves = Vec::new();
    let mover = |players: ludex_game::PlayerSet| players.first().expect("a player");
    for expected in [1, 6, 8] {
        let Turn::Players(players) = game.turn(&state) else { panic!("somebody moves") };
        moves.clear();
        game.moves(&state, mover(players), &mut moves);
        assert_eq!(moves.len(), expected);
        game.apply(&mut state, &moves[..1]);
    }
    check_with(&*game, 4, EFFORT).expect("a correct game");
}

#[test]
fn dice_and_other_chance_come_from_one_seed() {
    let game = load(
        r#"(game "Both" (players 2)
            (equipment { (board (square 3)) (piece "Stone" Each) (dice d:6 num:2) })
            (rules
                (play (do (roll) next:(move Add (to (sites Random (sites Empty) num:2)))))
                (end (if (is Full) (byScore)))))"#,
    );
    check_with(&*game, 5, EFFORT).expect("a correct game");
    played(&*game, 2);
}

#[test]
fn dice_thrown_as_a_consequence_fall_anew() {
    let game = load(
        r#"(game "Later" (players 2)
            (equipment { (board (square 4)) (piece "Stone" Each) (dice d:6 num:1) })
            (rules
                (play (move Add (to (sites Empty)) (then (and (roll) (addScore Mover (count Pips))))))
                (end (if (is Full) (byScore)))))"#,
    );
    check_with(&*game, 6, EFFORT).expect("a correct game");
    let results: Vec<Vec<f32>> = (0..12).map(|seed| played(&*game, seed)).collect();
    assert!(results.iter().any(|payoffs| *payoffs != results[0]));
}

#[test]
fn what_a_player_does_not_see_is_drawn_anew() {
    let game = load(
        r#"(game "Veils" (players 2)
            (equipment {
                (board (square 4))
                (piece "Lion" Each (move Step Orthogonal (to if:(not (is Friend (who at:(to))))
                    (apply (remove (to))))))
                (piece "Mouse" Each (move Step Orthogonal (to if:(is Empty (to)))))
            })
            (rules
                (start {
                    (place "Lion1" (sites {0})) (place "Mouse1" (sites {1 2 3}))
                    (place "Lion2" (sites {15})) (place "Mouse2" (sites {12 13 14}))
                    (set Hidden What (sites Bottom) to:P2)
                    (set Hidden What (sites Top) to:P1)
                })
                (play (forEach Piece))
                (end (if (no Pieces Next "Lion") (result Mover Win)))))"#,
    );
    assert!(game.info().hidden);
    check_with(&*game, 7, EFFORT).expect("a correct game");
    let (start, mut rng) = (game.start(), Rng::seeded(1));
    let all = |state: &ludex_game::State| game.show(state, None);
    let drawn = |rng: &mut Rng| game.determinize(&start, ludex_game::Player(0), rng);
    let seen: std::collections::HashSet<String> = (0..60).map(|_| all(&drawn(&mut rng))).collect();
    // The lion may be behind any of the four veils.
    assert_eq!(seen.len(), 4);
    assert!(game.show(&start, Some(ludex_game::Player(0))).contains('?'));
}

/// Somebody passes and then steps, in one move: a step to all who ask, as its code says.
#[test]
fn a_pass_before_a_step_is_a_step() {
    let game = load(
        r#"(game "Both" (players 2)
            (equipment {
                (board (square 4))
                (piece "Disc" Each (do (move Pass) next:(move Step (to if:(is Empty (to))))))
            })
            (rules
                (start {(place "Disc1" (sites Bottom)) (place "Disc2" (sites Top))})
                (play (forEach Piece))
                (end (if (no Moves Next) (result Mover Win)))))"#,
    );
    let effort = Effort { games: 2, plies: 20, draws: 0, playouts: 0 };
    check_with(&*game, 1, effort).expect("a correct game");
    let (state, mut moves) = (game.start(), Vec::new());
    game.moves(&state, Player(0), &mut moves);
    let ends = game.ends(&state, Some(Player(0)), moves[0]);
    assert!(ends.from.is_some() && ends.to.is_some(), "{ends:?}");
}
