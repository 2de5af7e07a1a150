//! What the settings of a search change in the tree: which moves are tried, and by what they are valued.

use std::sync::Arc;

use ludex_game::{Game, GameInfo, Move, Player, PlayerSet, Rng, Rules, State, Turn, erase, mix};
use ludex_games::{Options, builtin};
use ludex_play::evaluation::Evaluation;
use ludex_play::policy::Uniform;
use ludex_play::search::{Budget, Report, Search, SearchConfig};
use ludex_play::spec::AgentSpec;

/// Two players choose in turn, then the game is a tie whatever they chose.
struct Ties {
    info: GameInfo,
    choices: Vec<u64>,
}

impl Rules for Ties {
    type State = Vec<u64>;

    fn info(&self) -> &GameInfo {
        &self.info
    }
    fn start(&self) -> Self::State {
        Vec::new()
    }
    fn turn(&self, state: &Self::State) -> Turn {
        match state.len() {
            made if made == self.choices.len() => Turn::Over,
            made => Turn::Players(PlayerSet::default().with(Player(made as u8 % 2))),
        }
    }
    fn moves(&self, state: &Self::State, _: Player, out: &mut Vec<Move>) {
        out.extend((0..self.choices[state.len()]).map(Move));
    }
    fn apply(&self, state: &mut Self::State, joint: &[Move]) {
        state.push(joint[0].0);
    }
    fn payoffs(&self, _: &Self::State, out: &mut [f32]) {
        out.fill(0.5);
    }
    fn hash(&self, state: &Self::State) -> u64 {
        state.iter().fold(1, |hash, &mv| mix(hash ^ mix(mv + 1)))
    }
    fn move_text(&self, _: &Self::State, _: Option<Player>, mv: Move) -> String {
        mv.0.to_string()
    }
    fn show(&self, state: &Self::State, _: Option<Player>) -> String {
        format!("{state:?}")
    }
}

fn ties<const N: usize>(choices: [u64; N]) -> Arc<dyn Game> {
    erase(Ties { info: GameInfo::named("ties", 2), choices: choices.to_vec() })
}

/// What the first player can expect, by the hash of a position.
struct Table {
    known: Vec<(u64, f32)>,
    others: f32,
}

impl Evaluation for Table {
    fn value(&mut self, game: &dyn Game, state: &State, player: Player) -> f32 {
        let hash = game.hash(state);
        let known = self.known.iter().find(|(key, _)| *key == hash);
        let known = known.map_or(self.others, |(_, value)| *value);
        if player == Player(0) { known } else { -known }
    }
}

/// Positions by the moves that lead there.
fn positions(game: &Arc<dyn Game>, values: &[(&[u64], f32)]) -> Vec<(u64, f32)> {
    let value = |(moves, value): &(&[u64], f32)| {
        let mut state = game.start();
        moves.iter().for_each(|&mv| game.apply(&mut state, &[Move(mv)]));
        (game.hash(&state), *value)
    };
    values.iter().map(value).collect()
}

fn think(search: &mut Search, game: &Arc<dyn Game>, simulations: u64) -> Report {
    search.think(&game.start(), Player(0), Budget::simulations(simulations))
}

fn search(game: &Arc<dyn Game>, config: SearchConfig) -> Search {
    Search::new(game.clone(), config, || Box::new(Uniform::default()), &mut Rng::seeded(1))
}

fn tried(report: &Report) -> usize {
    report.moves.iter().filter(|mv| mv.visits > 0).count()
}

#[test]
fn urgency_of_the_node_keeps_to_moves_that_do_as_well() {
    let game = ties([200, 5]);
    let usual = think(&mut search(&game, SearchConfig::default()), &game, 101);
    assert_eq!(tried(&usual), 100, "every move before any a second time");
    let found = |first_play| {
        let config =
            SearchConfig { first_play, first_play_of_node: true, ..SearchConfig::default() };
        tried(&think(&mut search(&game, config), &game, 101))
    };
    assert_eq!(found(0.2), 1, "others would have to be better than this one is");
    assert!((2..40).contains(&found(-0.3)), "{}", found(-0.3));
}

#[test]
fn widening_tries_moves_by_and_by() {
    let game = ties([200, 5]);
    for (widen, most) in [(1.0, 10), (2.0, 20)] {
        let config = SearchConfig { widen, ..SearchConfig::default() };
        let found = tried(&think(&mut search(&game, config), &game, 101));
        assert!((most - 1..=most + 1).contains(&found), "{found} at {widen}");
    }
}

#[test]
fn implicit_values_are_backed_up_by_minimax() {
    let game = ties([2, 2, 30, 30]);
    // Games at random say nothing: all are ties.
    let visits_of = |values: &[(&[u64], f32)], implicit: f32, mv: u64, simulations: u64| {
        let config = SearchConfig { implicit, ..SearchConfig::default() };
        let judge = Box::new(Table { known: positions(&game, values), others: 0.0 });
        let mut search = search(&game, config).with_evaluations([judge as Box<_>], false);
        let report = think(&mut search, &game, simulations);
        report.moves.iter().find(|found| found.mv == Move(mv)).unwrap().visits
    };
    for best in [0, 1] {
        let (good, bad) = ([best], [1 - best]);
        let values: [(&[u64], f32); 2] = [(&good, 0.9), (&bad, -0.1)];
        assert_eq!(visits_of(&values, 0.5, best, 4), 2, "by the position after the move");
    }
    // One of the answers is bad: whoever made the move before it hears of that.
    let below = |answers: [f32; 2]| {
        let mut values = vec![(vec![0], 0.9)];
        for (answer, value) in (0..).zip(answers) {
            values.push((vec![0, answer], value));
            values.extend((0..30).map(|next| (vec![0, answer, next], value)));
        }
        values
    };
    let visits = |answers| {
        let values = below(answers);
        let values: Vec<(&[u64], f32)> = values.iter().map(|(at, v)| (&at[..], *v)).collect();
        visits_of(&values, 0.5, 0, 40)
    };
    let (sound, spoilt) = (visits([0.9, 0.9]), visits([-0.9, 0.9]));
    assert!(sound > 24 && spoilt < 16, "{sound} and {spoilt} of 39");
}

#[test]
fn a_bias_by_an_evaluation_says_what_is_tried_first() {
    let game = ties([200, 5]);
    let known = positions(&game, &[(&[150], 0.8), (&[20], 0.6)]);
    for progressive in [0.0, 0.5] {
        let config = SearchConfig { progressive, ..SearchConfig::default() };
        let search = search(&game, config);
        let judge = Box::new(Table { known: known.clone(), others: -0.9 });
        let mut search = search.with_evaluations([judge as Box<_>], true);
        let report = think(&mut search, &game, 40);
        let visits = |mv| report.moves.iter().find(|m| m.mv == Move(mv)).unwrap().visits;
        assert!(visits(150) >= visits(20) && visits(20) > visits(21), "{progressive}");
    }
}

#[test]
fn such_agents_are_read_written_and_play() {
    let line = r#"uct(parent, widen=2, implicit=0.3, prior="eval", progressive=0.5)"#;
    let with_more = format!(r#"{line} + cut(plies=2) + eval(file="some.toml")"#);
    for text in [line, &with_more] {
        let spec: AgentSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), *text);
    }
    assert!("uct + eval(some.toml)".parse::<AgentSpec>().is_err(), "nobody would ask it");
    let options = Options { size: Some("5x5".parse().unwrap()), ..Options::default() };
    let game = builtin("breakthrough", &options).unwrap();
    for threads in [1, 3] {
        let mut spec: AgentSpec = line.parse().unwrap();
        spec.set_threads(threads);
        let mut agent = spec.build(&game, None, &mut Rng::seeded(7)).unwrap();
        let choice = agent.choose(&game.start(), Player(0), Budget::simulations(500));
        let report = choice.report.unwrap();
        assert_eq!(report.simulations, 500);
        assert!(report.moves.iter().all(|mv| (0.0..=1.0).contains(&mv.mean)));
    }
}
