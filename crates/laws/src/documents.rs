//! Texts that people and programs write about games: records, agents, experiments.

use std::sync::{Arc, LazyLock};

use ludex_arena::catalog::{GameSpec, load};
use ludex_arena::engine::PlayerSpec;
use ludex_arena::experiment::Experiment;
use ludex_game::{Game, Rng, Trial, Turn};
use ludex_play::spec::AgentSpec;

use crate::text;

/// Words that change the meaning of records most.
pub const RECORDS: &[&str] = &[
    "game",
    "seed",
    "P1",
    "P2",
    "P9",
    "chance",
    "end",
    "#",
    "\n",
    "-1",
    "99999999999999999999",
    "é",
];

/// Words that change the meaning of agents' lines most.
pub const AGENTS: &[&str] = &[
    "uct",
    "ppa",
    "mast",
    "nst",
    "(",
    ")",
    "+",
    ",",
    "=",
    "alpha",
    "1e99",
    "-1",
    "NaN",
    "inf",
    "eval",
    "features",
    "\"",
    "gtp(",
    "level",
    "cut",
    "alphabeta",
    "ubfm",
    "decisive",
    "prior",
    "memorize",
];

/// Words that change the meaning of experiment files most.
pub const EXPERIMENTS: &[&str] = &[
    "[agents]",
    "[[pairings]]",
    "matches",
    "seconds",
    "simulations",
    "=",
    "-1",
    "1e308",
    "\"\"",
    "[]",
    "[",
    "]",
    "games",
    "seed",
    "clock",
    "\"cpu\"",
    "title",
    "nan",
    "9223372036854775808",
    "\n",
];

/// One game of each kind: Rust, hidden hands, ludemes with a machine and without one, dice, GDL.
const GAMES: [&str; 7] = [
    "breakthrough --size 5x5",
    "7-wonders",
    "tic-tac-toe",
    "chess",
    "backgammon",
    "kalah",
    "connect4.kif",
];

static OPEN: LazyLock<Vec<(&str, Arc<dyn Game>)>> = LazyLock::new(|| {
    let open = |name: &'static str| {
        let spec: GameSpec = name.parse().expect("a game's name");
        (name, load(&spec).expect("a game that comes with the program"))
    };
    GAMES.into_iter().map(open).collect()
});

/// A record of some random moves of every game.
pub fn some_records() -> Vec<String> {
    let record = |(name, game): &(&str, Arc<dyn Game>)| {
        let (mut state, mut rng) = (game.start(), Rng::seeded(3));
        let mut trial = Trial::new(*name, 3);
        for _ in 0..12 {
            let mut joint = Vec::new();
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => joint.push(game.sample_chance(&state, &mut rng)),
                Turn::Players(players) => {
                    for player in players {
                        let mut moves = Vec::new();
                        game.moves(&state, player, &mut moves);
                        joint.push(moves[rng.below(moves.len() as u32) as usize]);
                    }
                }
            }
            trial.push(&**game, &state, &joint);
            game.apply(&mut state, &joint);
        }
        trial.to_string()
    };
    OPEN.iter().map(record).collect()
}

/// A record is read or refused, prints as it was read, and is replayed or refused move by move.
pub fn records(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Ok(trial) = Trial::read(text) else { return };
    let again = Trial::read(&trial.to_string()).expect("what was printed can be read");
    assert_eq!(again.to_string(), trial.to_string());
    let _ = trial.game.parse::<GameSpec>();
    let known = OPEN.iter().find(|(name, _)| *name == trial.game);
    let (_, game) = known.unwrap_or(&OPEN[bytes.len() % OPEN.len()]);
    if let Ok(states) = trial.replay(&**game) {
        states.iter().for_each(|state| assert!(!game.show(state, None).is_empty()));
    }
}

/// Lines of agents.
pub fn some_agents() -> Vec<String> {
    [
        "uct(c=0.7, fpu=1, ties=0.01, final=mean, reuse=2) + nst(epsilon=0.3)",
        "uct(solve, implicit=0.3) + ppa(alpha=0.32, payoff, memorize) + decisive",
        "alphabeta + eval(weights.toml)",
        "uct(threads=2, widen) + cut(plies=4) + eval(\"a b.toml\") + level(n=3)",
        "grave + lgr + mast",
        "gtp(gnugo --mode gtp)",
        "breakthrough --size 5x5",
        "uct(prior=features(hex.toml), progressive=1) + features(hex.toml)",
    ]
    .map(str::to_string)
    .to_vec()
}

/// An agent's line is read or refused, and what is read prints as something that reads as the same.
pub fn agents(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match text.parse::<AgentSpec>() {
        Ok(spec) => {
            let printed = spec.to_string();
            let again: AgentSpec = printed
                .parse()
                .unwrap_or_else(|fault| panic!("`{text}` printed as `{printed}`: {fault}"));
            assert_eq!(again.full(), spec.full(), "`{text}` printed as `{printed}`");
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    let _ = text.parse::<PlayerSpec>();
    let _ = text.parse::<GameSpec>();
}

/// Files of experiments.
pub fn some_experiments() -> Vec<String> {
    let small = "title = \"Small\"\ngames = [\"nogo --size 4x4\", \"hex\"]\nmatches = 2\nsimulations = 5\nseed = 1\n\n\
                 [agents]\nPPA = \"uct + ppa\"\nUCT = \"uct\"\n\n[[pairings]]\nagents = [\"PPA\", \"UCT\"]\n";
    let timed = small.replace("simulations = 5", "seconds = 0.02\nclock = \"cpu\"");
    vec![small.to_string(), timed]
}

/// An experiment is read or refused with a place in the file.
pub fn experiments(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Err(fault) = Experiment::read("input.toml", text) {
        assert!(fault.to_string().contains("input.toml"), "{fault}");
    }
}
