//! Players of 7 Wonders.

use std::sync::Arc;

use ludex_game::{Game, Move, PlayerSet, Rng, Turn};
use ludex_games::{Options, builtin};
use ludex_play::agent::Agent;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

/// The formula printed in the paper on evolving evaluations for this game.
const PUBLISHED: &str = "(6*Xdiffrsc + 8*Xmil + 5*Xtrade + 9.5*Xtradrsc + 5*Xvp - 4.875)*Xtradrsc \
     + 4*Xdiffrsc + 5*Xmil + 5*Xsciencep + 3*Xtrade + 17*Xtradrsc + Xvp - 11.5";

fn wonders() -> Arc<dyn Game> {
    builtin("7-wonders", &Options::default()).unwrap()
}

/// Wins of the first agent against two of the second.
fn wins(first: &str, second: &str, games: u64, budget: Budget) -> f64 {
    let game = wonders();
    let spec = |text: &str| text.parse::<AgentSpec>().unwrap_or_else(|error| panic!("{error}"));
    let (first, second) = (spec(first), spec(second));
    let mut total = 0.0;
    for number in 0..games {
        let rng = &mut Rng::stream(1, number);
        let seat = (number % 3) as usize;
        let mut agents: Vec<Box<dyn Agent>> = (0..3)
            .map(|at| if at == seat { &first } else { &second })
            .map(|spec| spec.build(&game, None, rng).unwrap())
            .collect();
        total += f64::from(play(&*game, &mut agents, budget, rng)[seat]);
    }
    total / games as f64
}

fn play(game: &dyn Game, agents: &mut [Box<dyn Agent>], budget: Budget, rng: &mut Rng) -> Vec<f32> {
    let mut state = game.start();
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    loop {
        let count = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                joint[0] = game.sample_chance(&state, rng);
                1
            }
            Turn::Players(players) => {
                for (slot, player) in joint.iter_mut().zip(players) {
                    *slot = agents[player.index()].choose(&state, player, budget).mv;
                    let mut legal = Vec::new();
                    game.moves(&state, player, &mut legal);
                    assert!(legal.contains(slot));
                }
                players.len()
            }
        };
        game.apply(&mut state, &joint[..count]);
    }
    let mut payoffs = vec![0.0; game.info().players];
    game.payoffs(&state, &mut payoffs);
    payoffs
}

#[test]
fn rules_of_thumb_beat_chance() {
    let rate = wins("rule-ai", "random", 200, Budget::default());
    assert!(rate > 0.95, "{rate}");
    let text =
        "rule-ai(lacking=fixed, flip=strict, late-stages=no, late-coins=no, otherwise=stage)";
    let rate = wins(text, "random", 60, Budget::default());
    assert!(rate > 0.8, "{rate}");
}

#[test]
fn the_published_formula_beats_rules_of_thumb() {
    let agent = format!("evolved(formula=\"{PUBLISHED}\")");
    let rate = wins(&agent, "rule-ai", 150, Budget::default());
    assert!(rate > 0.40, "{rate}");
}

#[test]
fn search_beats_rules_of_thumb() {
    let agent = "uct(c=0.5, open-loop, sequenced, part1=0.66, part3=1.33)";
    let rate = wins(agent, "rule-ai", 18, Budget::simulations(300));
    assert!(rate > 0.4, "{rate}");
}

#[test]
fn unknown_scripts_and_attributes_are_refused() {
    let game = wonders();
    let fault = |text: &str| {
        let spec: AgentSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
        spec.build(&game, None, &mut Rng::seeded(1)).err().unwrap().to_string()
    };
    assert!(fault("rule-ai(lacking=nothing)").contains("is not a reading of rule-ai"));
    assert!(fault("evolved(formula=\"Xmill\")").contains("did you mean `Xmil`?"));
    let refused = "evolved".parse::<AgentSpec>().unwrap_err().to_string();
    assert!(refused.contains("needs a file"), "{refused}");
    let text = "evolved(file=\"best/one.toml\", samples=5)";
    assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
    assert_eq!("evolved(best/one.toml, samples=5)".parse::<AgentSpec>().unwrap().to_string(), text);
}
