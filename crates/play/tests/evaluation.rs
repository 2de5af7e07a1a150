//! Evaluations are learned from games, and searches play better by them.

use std::sync::Arc;

use ludex_game::{Families, Game, Move, Player, Rng};
use ludex_games::{Options, builtin};
use ludex_play::agent::Agent;
use ludex_play::evaluation::learn::{Fit, Samples, play_and_learn};
use ludex_play::evaluation::{Evaluation, Features, Linear, Scratch, Weights, squash};
use ludex_play::minimax::{AlphaBetaAgent, AlphaBetaSettings};
use ludex_play::search::Budget;
use ludex_play::spec::{AgentSpec, EvalSpec, MinimaxSpec};

fn breakthrough() -> Arc<dyn Game> {
    let options = Options { size: Some("6x6".parse().unwrap()), ..Options::default() };
    builtin("breakthrough", &options).unwrap()
}

fn learned(game: &Arc<dyn Game>) -> (Arc<Features>, Vec<f32>, Samples) {
    let (features, mut rng) = (Arc::new(Features::new(&**game)), Rng::seeded(4));
    let mut samples = Samples::default();
    let never = &mut |_: &_, _| Move::default();
    for _ in 0..600 {
        play_and_learn(&**game, &features, never, (0, 1), &mut rng, &mut samples);
    }
    let mut weights = vec![0.0; features.len()];
    Fit::default().run(&samples, &mut weights, &mut rng);
    (features, weights, samples)
}

#[test]
fn random_games_teach_something() {
    let game = breakthrough();
    let (features, weights, mut samples) = learned(&game);
    let (nothing, something) = (samples.loss(&vec![0.0; weights.len()]), samples.loss(&weights));
    assert!(something < nothing - 0.004, "{something} against {nothing}");
    let count = samples.len();
    samples.keep_last(count / 2);
    assert_eq!(samples.len(), count / 2);
    assert!(samples.loss(&weights) < nothing - 0.002, "the last half is as good as the whole");
    // Both see the same game: what is good for one is bad for the other.
    let mut linear = Linear::new(features, weights.into());
    let start = game.start();
    let values = [0, 1].map(|player| linear.value(&*game, &start, Player(player)));
    assert_eq!(values[0], -values[1]);
}

#[test]
fn what_was_learned_beats_what_knows_nothing() {
    let game = breakthrough();
    let (features, weights, _) = learned(&game);
    let mut rng = Rng::seeded(5);
    let mut won = 0;
    for number in 0..20 {
        let mut agents: Vec<AlphaBetaAgent> = [weights.clone(), vec![0.0; weights.len()]]
            .into_iter()
            .map(|weights| {
                let weights: Arc<[f32]> = weights.into();
                let evaluation = || -> Box<dyn Evaluation> {
                    Box::new(Linear::new(features.clone(), weights.clone()))
                };
                AlphaBetaAgent::new(
                    game.clone(),
                    AlphaBetaSettings::default(),
                    evaluation,
                    &mut rng,
                )
            })
            .collect();
        let mut state = game.start();
        while let Some(player) = game.turn(&state).mover() {
            let side = (player.index() + number) % 2;
            let choice = agents[side].choose(&state, player, Budget::simulations(500));
            game.apply(&mut state, &[choice.mv]);
        }
        let mut payoffs = [0.0; 2];
        game.payoffs(&state, &mut payoffs);
        won += usize::from(payoffs[number % 2] == 1.0);
    }
    assert!(won >= 15, "{won} of 20");
}

#[test]
fn weights_fit_or_are_refused() {
    let game = breakthrough();
    let mut weights = Weights::plain(&*game);
    weights.groups.insert("lines-9".to_string(), vec![1.0]);
    let spec = MinimaxSpec {
        eval: Some(EvalSpec { weights: Some(Arc::new(weights)), ..EvalSpec::default() }),
        ..MinimaxSpec::default()
    };
    let refused = AgentSpec::Minimax(Box::new(spec)).build(&game, None, &mut Rng::seeded(1));
    let message = refused.err().expect("no such features").to_string();
    assert!(message.contains("has no features `lines-9`"), "{message}");
}

#[test]
fn one_seed_one_choice() {
    let game = breakthrough();
    let spec: AgentSpec = "alphabeta(depth=4)".parse().unwrap();
    let line = |seed| {
        let mut agent = spec.build(&game, None, &mut Rng::seeded(seed)).unwrap();
        agent.choose(&game.start(), Player::FIRST, Budget::simulations(20_000)).report.unwrap()
    };
    assert_eq!(line(3), line(3));
}

/// What is kept from position to position is what reading each of them whole comes to.
#[test]
fn what_is_kept_agrees_with_what_is_read() {
    for name in ["breakthrough", "domineering", "nogo", "knightthrough"] {
        let options = Options { size: Some("6x6".parse().unwrap()), ..Options::default() };
        let game: Arc<dyn Game> = builtin(name, &options).unwrap();
        let (features, mut rng) = (Arc::new(Features::new(&*game)), Rng::seeded(9));
        let small = |rng: &mut Rng| (rng.below(2001) as f32 - 1000.0) / 5000.0;
        let weights: Arc<[f32]> = (0..features.len()).map(|_| small(&mut rng)).collect();
        let mut kept = Linear::new(features.clone(), weights.clone());
        let mut families = Families::default();
        for _ in 0..6 {
            let mut state = game.start();
            while let Some(mover) = game.turn(&state).mover() {
                for player in [0, 1].map(Player) {
                    let mut sum = 0.0;
                    let side = features.read(
                        &*game,
                        &state,
                        player,
                        &mut Scratch::default(),
                        |at, value| {
                            sum += weights[at] * value;
                        },
                    );
                    let (whole, found) = (side * squash(sum), kept.value(&*game, &state, player));
                    assert!((whole - found).abs() < 1e-3, "{name}: {whole}, but {found}");
                }
                let drawn = game.random_move(&state, mover, &mut rng, &mut families);
                game.apply(&mut state, &[drawn]);
            }
        }
    }
}
