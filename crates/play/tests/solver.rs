//! Search against the truth: in late positions that a small exact solver can work out, the move that
//! search plays must win whenever a winning move exists.

use std::collections::HashMap;
use std::sync::Arc;

use ludex_game::{Families, Game, Move, Player, Rng, State, Turn};
use ludex_games::{Options, builtin};
use ludex_play::policy::{PolicyConfig, UniformSettings};
use ludex_play::search::{Budget, Keys, Report, Search, SearchConfig};
use ludex_play::spec::AgentSpec;

const GAMES: [&str; 8] = [
    "atarigo",
    "breakthrough",
    "misere-breakthrough",
    "domineering",
    "misere-domineering",
    "knightthrough",
    "misere-knightthrough",
    "nogo",
];

/// Simulations until one number is enough: in the misere games random play leads search astray for long.
const BUDGETS: [u64; 4] = [5_000, 20_000, 80_000, 320_000];

/// Works out who wins, as long as that takes few enough positions.
struct Solver<'a> {
    game: &'a dyn Game,
    /// Whether whoever is to move wins.
    known: HashMap<u64, bool>,
    positions_left: u32,
}

impl Solver<'_> {
    /// Whether whoever is to move, or would be, wins; `None` when it takes too long.
    fn mover_wins(&mut self, state: &State, mover: Player) -> Option<bool> {
        if self.game.turn(state) == Turn::Over {
            let mut payoffs = [0.0; 2];
            self.game.payoffs(state, &mut payoffs);
            return Some(payoffs[mover.index()] == 1.0);
        }
        let hash = self.game.hash(state);
        if let Some(&wins) = self.known.get(&hash) {
            return Some(wins);
        }
        self.positions_left = self.positions_left.checked_sub(1)?;
        let mut wins = false;
        for mv in moves(self.game, state, mover) {
            if self.is_winning(state, mover, mv)? {
                wins = true;
                break;
            }
        }
        self.known.insert(hash, wins);
        Some(wins)
    }

    fn is_winning(&mut self, state: &State, mover: Player, mv: Move) -> Option<bool> {
        let mut child = state.clone();
        self.game.apply(&mut child, &[mv]);
        self.mover_wins(&child, mover.opponent()).map(|wins| !wins)
    }
}

fn moves(game: &dyn Game, state: &State, mover: Player) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, mover, &mut moves);
    moves
}

/// A position with winning and losing moves, and its winning moves.
struct Puzzle {
    state: State,
    mover: Player,
    winning: Vec<Move>,
}

/// The earliest such position of a random game that the solver can work out.
fn puzzle(game: &dyn Game, rng: &mut Rng) -> Option<Puzzle> {
    let mut states = vec![game.start()];
    while let Some(mover) = game.turn(&states[states.len() - 1]).mover() {
        let mut state = states[states.len() - 1].clone();
        let choice = game.random_move(&state, mover, rng, &mut Families::default());
        game.apply(&mut state, &[choice]);
        states.push(state);
    }
    let mut found = None;
    let mut solver = Solver { game, known: HashMap::new(), positions_left: 0 };
    for state in states.into_iter().rev() {
        let Some(mover) = game.turn(&state).mover() else { continue };
        solver.positions_left = 500;
        let all = moves(game, &state, mover);
        let judged: Option<Vec<bool>> =
            all.iter().map(|&mv| solver.is_winning(&state, mover, mv)).collect();
        let Some(judged) = judged else { break };
        let winning: Vec<Move> =
            all.iter().zip(&judged).filter(|(_, wins)| **wins).map(|(&mv, _)| mv).collect();
        if !winning.is_empty() && winning.len() < all.len() {
            found = Some(Puzzle { state, mover, winning });
        }
    }
    found
}

fn solved_by_search(name: &str, size: &str, config: SearchConfig, puzzles: usize) {
    let options = Options { size: Some(size.parse().unwrap()), ..Options::default() };
    let game: Arc<dyn Game> = builtin(name, &options).unwrap();
    let mut rng = Rng::seeded(7);
    let (mut solved, mut at_once) = (0, 0);
    while solved < puzzles {
        let Some(puzzle) = puzzle(&*game, &mut rng) else { continue };
        let reports = BUDGETS.iter().map(|&simulations| {
            let policy = || PolicyConfig::Uniform(UniformSettings).build(&*game);
            let mut search = Search::new(game.clone(), config, policy, &mut rng);
            search.think(&puzzle.state, puzzle.mover, Budget::simulations(simulations))
        });
        let tried: Vec<Report> =
            reports.take_while(|report| !puzzle.winning.contains(&report.best)).collect();
        let text = |mv: &Move| game.move_text(&puzzle.state, Some(puzzle.mover), *mv);
        assert!(
            tried.len() < BUDGETS.len(),
            "{name} {size}: {} to move plays {:?}, but wins by {:?} only\n{}",
            puzzle.mover,
            tried.iter().map(|report| text(&report.best)).collect::<Vec<_>>(),
            puzzle.winning.iter().map(text).collect::<Vec<_>>(),
            game.show(&puzzle.state, None),
        );
        at_once += usize::from(tried.is_empty());
        solved += 1;
    }
    // Traps that mislead random play are rare: most puzzles need no more than the first budget.
    assert!(at_once * 10 >= solved * 7, "{name} {size}: only {at_once} of {solved} at once");
}

#[test]
fn uct_finds_winning_moves() {
    for name in GAMES {
        // A misere race on the full board is open to its last plies: nothing small to solve there.
        let misere_race = name.starts_with("misere") && name.ends_with("through");
        let large = if misere_race { "5x6" } else { "8x8" };
        for size in ["4x5", "5x5", large] {
            solved_by_search(name, size, SearchConfig::default(), 15);
        }
    }
}

#[test]
fn tree_search_finds_winning_moves() {
    let config = SearchConfig { keys: Keys::Path, ..SearchConfig::default() };
    for name in GAMES {
        solved_by_search(name, "5x5", config, 8);
    }
}

/// An agent finds the winning moves of late positions; what it says is proved is so. Returns how many it proved.
fn proved_by(agent: &str, name: &str, size: &str, puzzles: usize) -> usize {
    let options = Options { size: Some(size.parse().unwrap()), ..Options::default() };
    let game: Arc<dyn Game> = builtin(name, &options).unwrap();
    let spec: AgentSpec = agent.parse().unwrap();
    let mut rng = Rng::seeded(8);
    let (mut done, mut proved) = (0, 0);
    while done < puzzles {
        let Some(puzzle) = puzzle(&*game, &mut rng) else { continue };
        done += 1;
        let mut player = spec.build(&game, None, &mut rng).unwrap();
        let choice = player.choose(&puzzle.state, puzzle.mover, Budget::simulations(200_000));
        let report = choice.report.unwrap();
        let shown = || format!("{agent} on {name}\n{}", game.show(&puzzle.state, None));
        for found in report.moves.iter().filter(|found| found.proved) {
            let wins = puzzle.winning.contains(&found.mv);
            assert_eq!(found.mean, f64::from(u8::from(wins)), "{}", shown());
        }
        if report.solved {
            assert!(puzzle.winning.contains(&report.best), "{}", shown());
            assert!(report.moves[0].proved && report.value() == 1.0, "{}", shown());
            proved += 1;
        }
    }
    proved
}

#[test]
fn wins_are_proved() {
    for name in GAMES {
        for agent in
            ["uct(solve)", "uct(solve, tree)", "uct(solve, fpu=0.7) + mast", "alphabeta", "ubfm"]
        {
            let proved = proved_by(agent, name, "5x5", 8);
            assert!(proved >= 7, "{agent} proved {proved} of 8 positions of {name}");
        }
    }
}

#[test]
fn threads_share_what_they_prove() {
    for name in ["breakthrough", "domineering"] {
        for agent in ["alphabeta(threads=3)", "uct(solve, threads=3)"] {
            assert_eq!(proved_by(agent, name, "5x5", 5), 5, "{agent}");
        }
    }
}
