//! PPA whose codes tell geometric features apart: codes in the tree and in playouts are the same, and are what the
//! definition of features says.

use std::sync::Arc;

use ludex_game::features::{Ground, MoveEnds, Pattern, Plain, Reading};
use ludex_game::playout::{Recording, Scratch, Style};
use ludex_game::{Coding, Detail, Game, Move, Player, Rng, SetOf, State, Turn, View};
use ludex_games::{Options, builtin};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::features::Feature;
use ludex_play::features::{FeatureSet, Weighted, pattern};
use ludex_play::policy::{FeaturesSettings, PolicySettings, PpaSettings};
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

/// Captures, guarded ends, what is beside the start, and a reply: the heaviest first, as codes have them.
const FEATURES: [&str; 4] = [
    "rel:to=<{}>:pat=<els=[e{}]>",
    "rel:to=<{}>:pat=<els=[f{0}]>",
    "rel:from=<{}>:pat=<els=[!f{0}, -{0,0}]>",
    "rel:last_to=<{0}>:to=<{}>:pat=<els=[e{0}]>",
];

fn set() -> FeatureSet {
    let read = |text: &&str| Feature::read(text, SourceId(0)).expect("a feature");
    let features: Vec<Feature> = FEATURES.iter().map(read).collect();
    let weights = vec![4.0, -3.0, 2.0, 1.0];
    FeatureSet { players: vec![Weighted { features, weights }], reading: Reading::Paper }
}

fn breakthrough(size: &str) -> Arc<dyn Game> {
    let options = Options { size: Some(size.parse().unwrap()), ..Options::default() };
    builtin("breakthrough", &options).unwrap()
}

fn settings() -> PpaSettings {
    let (file, set) = (Some("set.toml".to_string()), Some(Arc::new(set())));
    let patterns = Some(FeaturesSettings { file, set, ..FeaturesSettings::default() });
    PpaSettings { patterns, ..PpaSettings::default() }
}

/// The features that hold for a move, as bits, by their definition.
fn mask(game: &dyn Game, plain: &Plain, state: &State, player: Player, mv: Move) -> u32 {
    let mut view = View::new();
    game.view(state, None, Detail::Sets, &mut view);
    let at = |site: u32| {
        let owner = (0..2).find(|&owner| view.has(SetOf::Owned(Player(owner)), site));
        owner.map_or((0, 0), |owner| (u32::from(owner) + 1, u32::from(owner) + 1))
    };
    let (last, ends) =
        (game.last_move(state).unwrap_or_default(), game.ends(state, Some(player), mv));
    let ends = MoveEnds { last_from: last.from, last_to: last.to, from: ends.from, to: ends.to };
    plain.active(ends, Reading::Paper.anchoring(), at).fold(0, |bits, number| bits | 1 << number)
}

#[test]
fn codes_are_plain_codes_and_the_features_that_hold() {
    let game = breakthrough("6x6");
    let ground = Ground::new(game.geometry().expect("a board"), 2);
    let patterns: Vec<Pattern> = set().players[0]
        .features
        .iter()
        .filter_map(|feature| match feature {
            Feature::Spatial(spatial) => Some(pattern(spatial)),
            _ => None,
        })
        .collect();
    let plain = [1, 2].map(|player| {
        Plain::new(&ground, &patterns, player, Reading::Paper).expect("patterns fit the board")
    });
    let mut policy = settings().build(&*game);
    let (mut rng, mut scratch) = (Rng::seeded(3), Scratch::default());
    scratch.recording = Recording::Legal;
    let (mut moves, mut codes, mut legal, mut held) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for style in [Style::Optimised, Style::Standard] {
        for _ in 0..20 {
            scratch.record.clear();
            let mut end = game.start();
            game.playout(&mut end, policy.sampling(), style, &mut scratch, &mut rng);
            // The playout once more, move by move.
            let mut state = game.start();
            for step in scratch.record.steps() {
                moves.clear();
                codes.clear();
                legal.clear();
                game.moves(&state, step.player, &mut moves);
                policy.codes(&*game, &state, step.player, &moves, &mut codes);
                for (&mv, &code) in moves.iter().zip(&codes) {
                    let own = game.code(&state, step.player, mv, Coding::Plain);
                    let holds = mask(&*game, &plain[step.player.index()], &state, step.player, mv);
                    assert_eq!(code, own << FEATURES.len() | holds);
                    held += holds.count_ones();
                }
                scratch.record.list_legal(step, &mut legal);
                legal.sort_unstable();
                let mut listed = codes.clone();
                listed.sort_unstable();
                assert_eq!(legal, listed);
                let chosen = codes.iter().position(|&code| code == step.chosen);
                game.apply(&mut state, &[moves[chosen.expect("the chosen move is legal")]]);
            }
            assert_eq!(game.turn(&state), Turn::Over);
        }
    }
    assert!(held > 1_000, "{held}");
}

#[test]
fn whoever_plays_by_them_is_read_built_and_searches() {
    let game = breakthrough("5x5");
    let text = "uct + ppa(patterns=set.toml)";
    let mut spec: AgentSpec = text.parse().expect("an agent");
    assert_eq!(spec.to_string().parse::<AgentSpec>().as_ref(), Ok(&spec));
    // Nothing was read from the file yet.
    assert!(spec.build(&game, None, &mut Rng::seeded(1)).is_err());
    let AgentSpec::Search(search) = &mut spec else { panic!("a search") };
    search.policy.base = ludex_play::policy::PolicyConfig::Ppa(settings());
    let mut agent = spec.build(&game, None, &mut Rng::seeded(1)).expect("an agent");
    let choice = agent.choose(&game.start(), Player::FIRST, Budget::simulations(300));
    assert_eq!(choice.report.map(|report| report.simulations), Some(300));
    for refused in ["uct + ppa(patterns=set.toml) + lgr", "grave + ppa(patterns=set.toml)"] {
        let mut spec: AgentSpec = refused.parse().expect("an agent");
        let AgentSpec::Search(search) = &mut spec else { panic!("a search") };
        search.policy.base = ludex_play::policy::PolicyConfig::Ppa(settings());
        let fault = spec.build(&game, None, &mut Rng::seeded(1)).err().expect("refused");
        assert!(fault.to_string().contains("plain codes"), "{fault}");
    }
}
