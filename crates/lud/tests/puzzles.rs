//! Deduction puzzles: as games whose moves set values, and solved.

use ludex_game::{State, Turn, erase};
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::lud::{self, Library};
use ludex_lud::{Compiled, Ludemes, Verdict, compile};

/// A small puzzle: rows and columns hold each value once, and one site is less than its neighbour.
const SQUARE: &str = r#"
    (game "Square" (players 1)
        (equipment {
            (board (square 3) (values Cell (range 1 3)))
            (hints {(hint {0 1})} Cell)
            (regions {Columns Rows})
        })
        (rules
            (start (set {{4 1} {2 3}}))
            (play (satisfy {(forAll Hint (< (from) (to))) (all Different)}))
            (end (if (is Solved) (result P1 Win)))))"#;

fn compiled(text: &str) -> Result<Compiled, Box<Diagnostic>> {
    compile(&lud::read(text, SourceId(0), &Library::default(), &[]).map_err(Box::new)?)
}

fn read(text: &str) -> Compiled {
    compiled(text).unwrap_or_else(|fault| panic!("{}", fault.message))
}

#[test]
fn the_only_solution_is_found() {
    let Some(Verdict::Unique(solution)) = read(SQUARE).solve(&mut || false) else {
        panic!("one solution");
    };
    let values: Vec<i32> = solution.iter().map(|(_, value)| *value).collect();
    assert_eq!(values, [1, 2, 3, 3, 1, 2, 2, 3, 1]);
}

#[test]
fn without_what_is_given_there_are_several() {
    let text = SQUARE.replace("(start (set {{4 1} {2 3}}))", "");
    assert!(matches!(read(&text).solve(&mut || false), Some(Verdict::Several(..))));
    let text = SQUARE.replace("{4 1}", "{4 1} {1 1}");
    assert_eq!(read(&text).solve(&mut || false), Some(Verdict::Impossible));
}

/// Different values on all sites, and sums: found by exchanging values, which searching site by site does not do in
/// bearable time.
#[test]
fn large_magic_squares_are_arranged() {
    for size in [6, 8] {
        let most = size * size;
        let sum = size * (most + 1) / 2;
        let text = format!(
            r#"(game "Magic" (players 1)
                (equipment {{
                    (board (square {size}) (values Cell (range 1 {most})))
                    (regions {{Columns Rows Diagonals}})
                }})
                (rules
                    (start (set {{{{0 1}}}}))
                    (play (satisfy {{(all Different (sites Board)) (is Sum {sum})}}))
                    (end (if (is Solved) (result P1 Win)))))"#
        );
        let Some(Verdict::Several(first, second)) = read(&text).solve(&mut || false) else {
            panic!("several solutions of {size}");
        };
        assert_ne!(first, second);
        for solution in [first, second] {
            let values: Vec<i32> = solution.iter().map(|(_, value)| *value).collect();
            assert_eq!(values[0], 1, "what is given stays");
            let mut sorted = values.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (1..=most).collect::<Vec<i32>>());
            let add = |step: i32, from: i32| {
                (0..size).map(|n| values[(from + n * step) as usize]).sum::<i32>()
            };
            for line in 0..size {
                assert_eq!((add(1, line * size), add(size, line)), (sum, sum));
            }
            assert_eq!((add(size + 1, 0), add(size - 1, size - 1)), (sum, sum));
        }
    }
}

/// The reference knows no long diagonals: moves do not heed them, solutions do.
#[test]
fn diagonals_matter_to_solutions_alone() {
    let text = r#"(game "Magic" (players 1)
        (equipment {
            (board (square 3) (values Cell (range 1 9)))
            (regions {Columns Rows Diagonals})
        })
        (rules
            (start (set {{0 9} {4 8}}))
            (play (satisfy {(all Different (sites Board)) (is Sum 15)}))
            (end (if (is Solved) (result P1 Win)))))"#;
    let game = erase(Ludemes::new(read(text)).unwrap());
    let mut moves = Vec::new();
    game.moves(&game.start(), ludex_game::Player::FIRST, &mut moves);
    assert!(!moves.is_empty(), "more than the sum stands on a diagonal, and play goes on");
    assert_eq!(read(text).solve(&mut || false), Some(Verdict::Impossible));
}

#[test]
fn moves_contradict_nothing_and_the_last_one_wins() {
    let game = erase(Ludemes::new(read(SQUARE)).unwrap());
    let mut state = game.start();
    let texts = |state: &State| {
        let Turn::Players(players) = game.turn(state) else { return Vec::new() };
        let mut moves = Vec::new();
        game.moves(state, players.first().unwrap(), &mut moves);
        let text = |m: &ludex_game::Move| (game.move_text(state, players.first(), *m), *m);
        moves.iter().map(text).collect::<Vec<_>>()
    };
    // What is given stays, and nothing that is there already in a row or column may come again.
    let first = texts(&state);
    assert!(first.iter().all(|(text, _)| !text.starts_with("B2=")));
    assert!(first.iter().all(|(text, _)| text != "A2=1" && text != "C1=1"));
    for wanted in ["A1=1", "B1=2", "A2=3", "C2=2", "A3=2", "B3=3", "C3=1"] {
        let all = texts(&state);
        let (_, found) = all.iter().find(|(text, _)| text == wanted).expect(wanted);
        game.apply(&mut state, &[*found]);
    }
    assert_eq!(game.turn(&state), Turn::Over);
    let mut payoffs = [0.0];
    game.payoffs(&state, &mut payoffs);
    assert_eq!(payoffs, [1.0]);
}

#[test]
fn values_without_constraints_are_refused() {
    let text =
        SQUARE.replace("(satisfy {(forAll Hint (< (from) (to))) (all Different)})", "(move Pass)");
    let Err(fault) = compiled(&text) else { panic!("this is refused") };
    assert!(fault.message.contains("satisfy"), "{}", fault.message);
}
