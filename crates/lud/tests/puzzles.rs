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

/// Boards that are no squares of squares have sub-grids at the corner only.
#[test]
fn sub_grids_that_do_not_fill_the_board_leave_the_rest_free() {
    let text = SQUARE
        .replace("(square 3) (values Cell (range 1 3))", "(square 6) (values Cell (range 1 6))")
        .replace("{Columns Rows}", "{Columns Rows SubGrids}");
    let Some(Verdict::Several(first, _)) = read(&text).solve(&mut || false) else {
        panic!("several solutions");
    };
    let value = |row: usize, column: usize| first[row * 6 + column].1;
    for (row, column) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
        let mut grid: Vec<i32> = (0..4).map(|n| value(row + n / 2, column + n % 2)).collect();
        grid.sort_unstable();
        grid.dedup();
        assert_eq!(grid.len(), 4, "the values of a sub-grid differ");
    }
}

/// Queens that attack nobody: sites that exclude each other, as many as there are rows.
#[test]
fn queens_are_placed_on_large_boards() {
    for size in [3, 10, 12] {
        let text = format!(
            r#"(game "Queens" (players 1)
                (equipment {{
                    (board (square {size}) (values Cell (range 0 1)))
                    (regions {{AllDirections}})
                }})
                (rules
                    (play (satisfy {{(is Count (sites Board) of:1 {size}) (all Different except:0)}}))
                    (end (if (is Solved) (result P1 Win)))))"#
        );
        let mut asked = 0;
        let verdict = read(&text).solve(&mut || {
            asked += 1;
            asked > 20_000
        });
        match verdict {
            Some(Verdict::Impossible) if size == 3 => {}
            Some(Verdict::Several(first, second)) if size > 3 => {
                for solution in [first, second] {
                    let queens: Vec<(i32, i32)> = solution
                        .iter()
                        .filter(|(_, value)| *value == 1)
                        .map(|(site, _)| (site / size, site % size))
                        .collect();
                    assert_eq!(queens.len() as i32, size);
                    for (at, a) in queens.iter().enumerate() {
                        for b in &queens[at + 1..] {
                            let (rows, columns) = (a.0 - b.0, a.1 - b.1);
                            assert!(rows != 0 && columns != 0 && rows.abs() != columns.abs());
                        }
                    }
                }
            }
            other => panic!("{size}: {other:?} after {asked}"),
        }
    }
}

/// More sites that differ than there are values for them.
#[test]
fn too_few_values_are_seen_at_once() {
    let text = r#"(game "Holes" (players 1)
        (equipment {
            (board (rectangle 1 12) (values Cell (range 1 11)))
            (regions AllSites)
        })
        (rules
            (play (satisfy (all Different)))
            (end (if (is Solved) (result P1 Win)))))"#;
    let mut asked = 0;
    let verdict = read(text).solve(&mut || {
        asked += 1;
        asked > 100
    });
    assert_eq!(verdict, Some(Verdict::Impossible));
    let many = text.replace("(range 1 11)", "(range 1 200)");
    assert_eq!(read(&many).solve(&mut || false), Some(Verdict::TooManyValues(200)));
}

/// Sites that exclude each other are told by constraints that speak of both.
#[test]
fn counts_keep_to_the_sites_they_speak_of() {
    let solved = |constraints: &str| {
        let text = SQUARE.replace("(all Different)", constraints);
        read(&text).solve(&mut || false).expect("a puzzle")
    };
    let none = "(all Different) (is Count (intersection (sites Top) (sites Bottom)) of:1 0)";
    assert!(matches!(solved(none), Verdict::Unique(_)));
    let some = none.replace("of:1 0", "of:1 1");
    assert_eq!(solved(&some), Verdict::Impossible);
    // Others must differ where the first is 1: it may be 1 beside one of them.
    let text = r#"(game "Three" (players 1)
        (equipment {(board (rectangle 1 3) (values Cell (range 0 1)))})
        (rules
            (start (set {{0 1} {2 0}}))
            (play (satisfy {
                (or (= (what Cell at:0) 0) (all Different (sites {1 2}) except:0))
                (is Count (sites Board) of:1 2)
            }))
            (end (if (is Solved) (result P1 Win)))))"#;
    assert!(matches!(read(text).solve(&mut || false), Some(Verdict::Unique(_))));
}

/// Sites that no constraint speaks of.
#[test]
fn free_sites_are_counted() {
    let text = SQUARE.replace("{Columns Rows}", "\"First\" {0 1 2}");
    let text = text.replace("(forAll Hint (< (from) (to)))", "");
    assert_eq!(read(&text).free_sites(), 5, "of six, one is given");
    assert_eq!(read(SQUARE).free_sites(), 0);
}
