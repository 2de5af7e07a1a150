//! Search over every kind of turn: one player, several at once, chance, hidden states.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::nim;
use ludex_game::{Game, GameInfo, Move, Player, PlayerSet, Rng, Rules, State, Turn, erase, mix};
use ludex_play::policy::Uniform;
use ludex_play::search::{
    Budget, FinalMove, Keys, Report, Search, SearchConfig, Selection, Simultaneous, Stop, Watch,
};

fn search(game: &Arc<dyn Game>, config: SearchConfig, seed: u64) -> Search {
    Search::new(game.clone(), config, || Box::new(Uniform::default()), &mut Rng::seeded(seed))
}

fn think(game: &Arc<dyn Game>, config: SearchConfig, player: Player, simulations: u64) -> Report {
    search(game, config, 1).think(&game.start(), player, Budget::simulations(simulations))
}

/// One decision of each player at once, then the end: payoffs from a table.
struct Matrix {
    info: GameInfo,
    payoffs: [[[f32; 2]; 2]; 2],
}

impl Rules for Matrix {
    type State = Option<[u8; 2]>;

    fn info(&self) -> &GameInfo {
        &self.info
    }
    fn start(&self) -> Self::State {
        None
    }
    fn turn(&self, state: &Self::State) -> Turn {
        match state {
            None => Turn::Players(PlayerSet::all(2)),
            Some(_) => Turn::Over,
        }
    }
    fn moves(&self, _: &Self::State, _: Player, out: &mut Vec<Move>) {
        out.extend([Move(0), Move(1)]);
    }
    fn apply(&self, state: &mut Self::State, joint: &[Move]) {
        *state = Some([joint[0].0 as u8, joint[1].0 as u8]);
    }
    fn payoffs(&self, state: &Self::State, out: &mut [f32]) {
        let [row, column] = state.expect("the game is over");
        out.copy_from_slice(&self.payoffs[row as usize][column as usize]);
    }
    fn hash(&self, state: &Self::State) -> u64 {
        mix(state.map_or(0, |[row, column]| 1 + u64::from(row) * 2 + u64::from(column)))
    }
    fn move_text(&self, _: &Self::State, _: Option<Player>, mv: Move) -> String {
        ["cooperate", "defect"][mv.0 as usize].to_string()
    }
    fn show(&self, state: &Self::State, _: Option<Player>) -> String {
        format!("{state:?}")
    }
}

#[test]
fn players_who_move_at_once_find_their_dominant_moves() {
    let game = dilemma();
    for simultaneous in [Simultaneous::Decoupled, Simultaneous::Sequenced] {
        for keys in [Keys::Position, Keys::Path] {
            for player in [Player(0), Player(1)] {
                let config = SearchConfig { simultaneous, keys, ..SearchConfig::default() };
                let report = think(&game, config, player, 2000);
                assert_eq!(report.best, Move(1), "{simultaneous:?} {keys:?} {player}");
                assert_eq!(report.line_text(&*game, &game.start()), ["defect + defect"]);
            }
        }
    }
}

/// A player with one move and another with three, at once.
struct Uneven(GameInfo);

impl Rules for Uneven {
    type State = Option<u8>;

    fn info(&self) -> &GameInfo {
        &self.0
    }
    fn start(&self) -> Self::State {
        None
    }
    fn turn(&self, state: &Self::State) -> Turn {
        state.map_or(Turn::Players(PlayerSet::all(2)), |_| Turn::Over)
    }
    fn moves(&self, _: &Self::State, player: Player, out: &mut Vec<Move>) {
        let count = if player == Player(0) { 1 } else { 3 };
        out.extend((0..count).map(Move));
    }
    fn apply(&self, state: &mut Self::State, joint: &[Move]) {
        *state = Some(joint[1].0 as u8);
    }
    fn payoffs(&self, state: &Self::State, out: &mut [f32]) {
        let second = f32::from(state.unwrap_or(0)) / 2.0;
        out.copy_from_slice(&[1.0 - second, second]);
    }
    fn hash(&self, state: &Self::State) -> u64 {
        mix(state.map_or(0, |chosen| 1 + u64::from(chosen)))
    }
    fn move_text(&self, _: &Self::State, _: Option<Player>, mv: Move) -> String {
        mv.0.to_string()
    }
    fn show(&self, state: &Self::State, _: Option<Player>) -> String {
        format!("{state:?}")
    }
}

#[test]
fn pondering_for_another_leaves_ones_own_moves_alone() {
    let game = erase(Uneven(GameInfo::named("uneven", 2)));
    for simultaneous in [Simultaneous::Decoupled, Simultaneous::Sequenced] {
        for keys in [Keys::Position, Keys::Path] {
            let config = SearchConfig { simultaneous, keys, ..SearchConfig::default() };
            let mut search = search(&game, config, 1);
            search.ponder(&game.start(), Player(1), Budget::simulations(50));
            let report = search.think(&game.start(), Player(0), Budget::simulations(50));
            assert_eq!(report.best, Move(0), "{simultaneous:?} {keys:?}");
            assert_eq!(report.moves.len(), 1, "{simultaneous:?} {keys:?}");
        }
    }
}

/// Take 0.6 for sure, or let a coin decide between 0.1 and 0.9; or guess a coin that was thrown before
/// and that nobody saw.
struct Coin(GameInfo);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    Throwing,
    Choosing { heads: bool },
    Gambling,
    Done(f32),
}

impl Rules for Coin {
    type State = Stage;

    fn info(&self) -> &GameInfo {
        &self.0
    }
    fn start(&self) -> Stage {
        Stage::Throwing
    }
    fn turn(&self, state: &Stage) -> Turn {
        match state {
            Stage::Throwing | Stage::Gambling => Turn::Chance,
            Stage::Choosing { .. } => Turn::of(Player::FIRST),
            Stage::Done(_) => Turn::Over,
        }
    }
    fn moves(&self, _: &Stage, _: Player, out: &mut Vec<Move>) {
        out.extend((0..4).map(Move));
    }
    fn apply(&self, state: &mut Stage, joint: &[Move]) {
        *state = match (*state, joint[0].0) {
            (Stage::Throwing, side) => Stage::Choosing { heads: side == 1 },
            (Stage::Choosing { .. }, 0) => Stage::Done(0.6),
            (Stage::Choosing { .. }, 1) => Stage::Gambling,
            (Stage::Choosing { heads }, guess) => Stage::Done(f32::from(heads == (guess == 2))),
            (Stage::Gambling, side) => Stage::Done(if side == 1 { 0.9 } else { 0.1 }),
            (done, _) => done,
        };
    }
    fn payoffs(&self, state: &Stage, out: &mut [f32]) {
        if let Stage::Done(payoff) = state {
            out[0] = *payoff;
        }
    }
    fn hash(&self, state: &Stage) -> u64 {
        mix(match state {
            Stage::Throwing => 0,
            Stage::Choosing { heads } => 1 + u64::from(*heads),
            Stage::Gambling => 3,
            Stage::Done(payoff) => 4 + u64::from(payoff.to_bits()),
        })
    }
    fn move_text(&self, _: &Stage, _: Option<Player>, mv: Move) -> String {
        mv.0.to_string()
    }
    fn show(&self, state: &Stage, _: Option<Player>) -> String {
        format!("{state:?}")
    }
    fn sample_chance(&self, _: &Stage, rng: &mut Rng) -> Move {
        Move(rng.below(2).into())
    }
    fn determinize(&self, state: &Stage, _: Player, rng: &mut Rng) -> Stage {
        match state {
            Stage::Choosing { .. } => Stage::Choosing { heads: rng.below(2) == 1 },
            other => *other,
        }
    }
}

fn thrown(game: &Arc<dyn Game>) -> State {
    let mut state = game.start();
    game.apply(&mut state, &[Move(1)]);
    state
}

#[test]
fn chance_is_averaged_and_what_is_hidden_stays_hidden() {
    let info = GameInfo { hidden: true, ..GameInfo::named("coin", 1) };
    let game = erase(Coin(info));
    let selection = Selection::Ucb1 { c: 2.0 };
    let config = SearchConfig { selection, ..SearchConfig::default() };
    let budget = Budget::simulations(20_000);
    for keys in [Keys::Position, Keys::Path, Keys::OpenLoop] {
        let config = SearchConfig { keys, ..config };
        let report = search(&game, config, 3).think(&thrown(&game), Player::FIRST, budget);
        assert_eq!(report.best, Move(0), "{keys:?}");
        for mv in &report.moves[1..] {
            assert!((mv.mean - 0.5).abs() < 0.1, "{keys:?} {mv:?}");
        }
    }
    // Whoever sees the coin knows what to guess.
    let game = erase(Coin(GameInfo::named("seen coin", 1)));
    let report = search(&game, config, 3).think(&thrown(&game), Player::FIRST, budget);
    assert_eq!(report.best, Move(2));
}

#[test]
fn every_kind_of_table_solves_nim() {
    for keys in [Keys::Position, Keys::Path] {
        for final_move in [FinalMove::Visits, FinalMove::Mean] {
            for threads in [1, 2] {
                let config = SearchConfig { keys, final_move, threads, ..SearchConfig::default() };
                let report = think(&nim(2, 9), config, Player::FIRST, 4000);
                assert_eq!(report.best, Move(1), "{keys:?} {final_move:?} {threads}");
                assert_eq!(report.simulations, 4000);
            }
        }
    }
}

#[test]
fn three_players_look_after_themselves() {
    // Two matches left: taking both wins.
    let report = think(&nim(3, 2), SearchConfig::default(), Player::FIRST, 500);
    assert_eq!(report.best, Move(2));
    assert!(report.value() > 0.9);
}

#[test]
fn the_seed_decides_and_threads_share_a_tree() {
    let game = nim(2, 30);
    for threads in [1, 3] {
        let config = SearchConfig { threads, ..SearchConfig::default() };
        let report = |seed| {
            search(&game, config, seed).think(
                &game.start(),
                Player::FIRST,
                Budget::simulations(1000),
            )
        };
        // What several threads find depends on who is faster.
        if threads == 1 {
            assert_eq!(report(5), report(5));
        }
        let found = report(5);
        let visits: u64 = found.moves.iter().map(|mv| mv.visits).sum();
        // The first simulation of all makes the root and goes through no move.
        assert_eq!((visits, found.simulations), (999, 1000));
        assert!(found.moves.iter().all(|mv| (0.0..=1.0).contains(&mv.mean)));
    }
}

#[test]
fn a_reused_tree_remembers() {
    let game = nim(2, 20);
    for keys in [Keys::Position, Keys::Path] {
        let first_visits = |reuse| {
            let config = SearchConfig { keys, reuse, ..SearchConfig::default() };
            let mut search = search(&game, config, 1);
            let mut state = game.start();
            let report = search.think(&state, Player::FIRST, Budget::simulations(2000));
            for joint in &report.line[..2] {
                game.apply(&mut state, joint);
                search.played(joint);
            }
            let report = search.think(&state, Player::FIRST, Budget::simulations(10));
            report.moves.iter().map(|mv| mv.visits).sum::<u64>()
        };
        assert_eq!(first_visits(0), 9, "{keys:?}");
        assert!(first_visits(2) > 50, "{keys:?} {}", first_visits(2));
    }
}

#[test]
fn unasked_thinking_adds_to_the_tree_and_takes_nothing_from_it() {
    let game = nim(2, 20);
    let config = SearchConfig { reuse: 2, ..SearchConfig::default() };
    let visits = |slices: usize| {
        let mut search = search(&game, config, 1);
        let state = game.start();
        search.think(&state, Player::FIRST, Budget::simulations(1000));
        for _ in 0..slices {
            search.ponder(&state, Player::FIRST, Budget::simulations(100));
        }
        let report = search.think(&state, Player::FIRST, Budget::simulations(10));
        report.moves.iter().map(|mv| mv.visits).sum::<u64>()
    };
    assert_eq!(visits(0), 1009);
    assert_eq!(visits(10), 2009);
}

#[test]
fn what_was_found_unasked_serves_the_next_search() {
    let game = nim(2, 20);
    let mut search = search(&game, SearchConfig::default(), 1);
    let state = game.start();
    search.ponder(&state, Player::FIRST, Budget::simulations(500));
    let report = search.think(&state, Player::FIRST, Budget::simulations(10));
    assert_eq!(report.moves.iter().map(|mv| mv.visits).sum::<u64>(), 509);
}

#[test]
fn a_raised_signal_ends_a_search() {
    let game = nim(2, 100);
    let mut search = search(&game, SearchConfig::default(), 1);
    let stop = Stop::default();
    search.obey(stop.clone());
    let raised = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.raise();
    });
    let report = search.think(&game.start(), Player::FIRST, Budget::time(Duration::from_secs(600)));
    raised.join().unwrap();
    assert!(report.simulations > 0);
    // It stays raised; a search still answers.
    let report = search.think(&game.start(), Player::FIRST, Budget::simulations(1000));
    assert_eq!(report.simulations, 1);
}

#[test]
fn memory_stays_within_its_bound() {
    let game = nim(3, 200);
    let config = SearchConfig { keys: Keys::Path, ..SearchConfig::default() };
    let size = think(&game, config, Player::FIRST, 100_000).size;
    assert!(size.nodes > 90_000);
    assert!(size.bytes <= 100 * size.nodes + 16 * size.edges, "{size:?}");
    // A full table still answers.
    let config = SearchConfig { max_nodes: 100, ..config };
    let report = think(&game, config, Player::FIRST, 5000);
    assert!(report.size.nodes <= 100);
    assert_eq!(report.simulations, 5000);
}

#[test]
fn time_is_kept_and_no_budget_still_answers() {
    let game = nim(2, 100);
    let started = Instant::now();
    let budget = Budget::time(Duration::from_millis(50));
    let report =
        search(&game, SearchConfig::default(), 1).think(&game.start(), Player::FIRST, budget);
    assert!(report.simulations > 0);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    for budget in [Budget::default(), Budget::simulations(0), Budget::time(Duration::ZERO)] {
        let report =
            search(&game, SearchConfig::default(), 1).think(&game.start(), Player::FIRST, budget);
        let mut legal = Vec::new();
        game.moves(&game.start(), Player::FIRST, &mut legal);
        assert!(legal.contains(&report.best));
    }
}

#[test]
fn every_selection_strategy_finds_the_winning_move() {
    // Seven matches: taking three leaves four, from which nobody wins.
    let game = nim(2, 7);
    for text in
        ["uct", "ucb1-tuned", "rave(c=0.3)", "grave(c=0.3, ref=20)", "history", "uct(fpu=0.6)"]
    {
        for policy in ["uniform", "mast", "ppa"] {
            let spec = format!("{text} + {policy}");
            let agent: ludex_play::spec::AgentSpec = spec.parse().unwrap();
            let mut agent = agent.build(&game, None, &mut Rng::seeded(5)).unwrap();
            let choice = agent.choose(&game.start(), Player(0), Budget::simulations(3000));
            assert_eq!(choice.mv, Move(3), "{spec}: {:?}", choice.report.unwrap().moves);
        }
    }
}

fn dilemma() -> Arc<dyn Game> {
    let payoffs = [[[0.5, 0.5], [0.4, 0.7]], [[0.7, 0.4], [0.55, 0.55]]];
    erase(Matrix { info: GameInfo::named("dilemma", 2), payoffs })
}

/// Two players who both went through their moves in order would meet in the same pairs for ever.
#[test]
fn players_who_move_at_once_do_not_keep_in_step() {
    let payoffs = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]];
    let pennies = erase(Matrix { info: GameInfo::named("pennies", 2), payoffs });
    for seed in 0..20 {
        let budget = Budget::simulations(2000);
        let mut search = search(&pennies, SearchConfig::default(), seed);
        let report = search.think(&pennies.start(), Player::FIRST, budget);
        for mv in &report.moves {
            assert!((0.3..0.7).contains(&mv.mean), "seed {seed}: {:?}", report.moves);
        }
    }
}

#[test]
fn selection_strategies_take_simultaneous_moves_and_many_players() {
    for text in ["ucb1-tuned", "rave", "grave(ref=5)", "history"] {
        let agent: ludex_play::spec::AgentSpec = text.parse().unwrap();
        for game in [dilemma(), nim(3, 9)] {
            let mut agent = agent.build(&game, None, &mut Rng::seeded(5)).unwrap();
            let report = agent.choose(&game.start(), Player(0), Budget::simulations(300)).report;
            assert_eq!(
                report.unwrap().moves.iter().map(|mv| mv.visits).sum::<u64>(),
                299,
                "{text}"
            );
        }
    }
}

/// Whoever looks on sees the search grow, and sees it several times a second; what is found stays the same.
#[test]
fn a_search_can_be_watched() {
    let game = ludex_games::builtin("breakthrough", &Default::default()).expect("a game");
    let (seen, stop) = (Arc::new(std::sync::Mutex::new(Vec::new())), Stop::default());
    let (told, enough) = (seen.clone(), stop.clone());
    let watch = Watch::new(move |report| {
        let mut told = told.lock().expect("unbroken");
        told.push((Instant::now(), report.clone()));
        if told.len() == 3 {
            enough.raise();
        }
    });
    let mut watched = search(&game, SearchConfig::default(), 1);
    watched.watched(Some(watch));
    watched.obey(stop);
    let player = Player::FIRST;
    watched.think(&game.start(), player, Budget::time(Duration::from_secs(60)));
    let reports = seen.lock().expect("unbroken");
    assert_eq!(reports.len(), 3);
    for pair in reports.windows(2) {
        assert!(pair[0].1.simulations < pair[1].1.simulations);
        assert!(pair[1].0 - pair[0].0 >= Duration::from_millis(100));
    }
    assert!(reports.iter().all(|(_, report)| report.moves[0].mv == report.best));
    drop(reports);
    let budget = Budget::simulations(3000);
    let mut again = search(&game, SearchConfig::default(), 1);
    again.watched(Some(Watch::new(|_| ())));
    let alone = search(&game, SearchConfig::default(), 1).think(&game.start(), player, budget);
    let mut told = again.think(&game.start(), player, budget);
    // Whoever looks on is told how often every seat won as well, and nothing else is different.
    let values = std::mem::take(&mut told.values);
    assert!(values.len() == 2 && (values[0] + values[1] - 1.0).abs() < 1e-6, "{values:?}");
    assert_eq!(told, alone);
}
