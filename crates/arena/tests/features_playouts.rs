//! Playouts by features draw every move with the probability that the definition gives it, in whatever form a machine plays.

use ludex_arena::catalog::{self, GameSpec};
use ludex_game::features::{Ground, MoveEnds, Pattern, Plain, Reading};
use ludex_game::playout::{Patterns, Recording, Sampling, Scratch, Style};
use ludex_game::{Coding, Detail, Game, Move, Player, Rng, SetOf, Turn, View};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::features::Feature;
use ludex_play::features::{FeatureSet, Weighted, pattern};

const FEATURES: [(&str, f32); 8] = [
    ("rel:to=<{}>:pat=<els=[f{0}]>", 1.2),
    ("rel:to=<{}>:pat=<els=[e{}]>", 1.0),
    ("rel:to=<{}>:pat=<els=[-{0}, !f{0,0}]>", -0.4),
    ("rel:last_to=<{0}>:to=<{}>:pat=<els=[!f{1/2}]>", 0.8),
    ("rel:last_from=<{}>:to=<{}>:pat=<els=[]>", 0.9),
    ("rel:from=<{}>:pat=<els=[e{0}]>", 0.7),
    ("rel:from=<{}>:to=<{0}>:pat=<els=[-{0,0}]>", -0.5),
    ("PassMove", -1.0),
];

fn set() -> FeatureSet {
    let read = |text: &str| Feature::read(text, SourceId(0)).expect("a feature");
    let features = FEATURES.iter().map(|(text, _)| read(text)).collect();
    let weights = FEATURES.iter().map(|(_, weight)| *weight).collect();
    FeatureSet { players: vec![Weighted { features, weights }], reading: Reading::Paper }
}

/// Weighs moves by the definition alone.
struct Definition {
    plain: Vec<Plain>,
}

impl Definition {
    fn new(game: &dyn Game, set: &FeatureSet) -> Self {
        let geometry = game.geometry().expect("a board");
        let ground = Ground::new(geometry, game.info().players);
        let patterns: Vec<Pattern> = set.players[0]
            .features
            .iter()
            .map(|feature| match feature {
                Feature::Spatial(spatial) => pattern(spatial),
                _ => Pattern::default(),
            })
            .collect();
        let players = 1..=game.info().players as u32;
        let plain = |player| Plain::new(&ground, &patterns, player, set.reading).expect("fits");
        Definition { plain: players.map(plain).collect() }
    }

    fn probabilities(
        &self,
        game: &dyn Game,
        state: &ludex_game::State,
        player: Player,
        moves: &[Move],
    ) -> Vec<f64> {
        let mut view = View::new();
        game.view(state, None, Detail::Sets, &mut view);
        let kinds = game.geometry().map_or(0, |geometry| geometry.kinds.len()) as u16;
        let at = |site: u32| {
            let players = 0..game.info().players as u8;
            let owner = players.clone().find(|&p| view.has(SetOf::Owned(Player(p)), site));
            let kind = (0..kinds).find(|&kind| view.has(SetOf::Kind(kind), site));
            (owner.map_or(0, |p| u32::from(p) + 1), kind.map_or(0, |kind| u32::from(kind) + 1))
        };
        let last = game.last_move(state).unwrap_or_default();
        let weight = |&mv: &Move| {
            let ends = game.ends(state, Some(player), mv);
            if ends.kind == ludex_game::MoveKind::Pass {
                return -1.0;
            }
            let ends =
                MoveEnds { last_from: last.from, last_to: last.to, from: ends.from, to: ends.to };
            let active = self.plain[player.index()].active(ends, Default::default(), at);
            let spatial = active.filter(|&n| (n as usize) < FEATURES.len() - 1);
            spatial.map(|n| f64::from(FEATURES[n as usize].1)).sum::<f64>()
        };
        let odds: Vec<f64> = moves.iter().map(weight).map(f64::exp).collect();
        let total: f64 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / total).collect()
    }
}

/// How far the surprise of what was drawn is from what it should be, in standard deviations.
fn deviation(game: &dyn Game, style: Style, playouts: u64) -> f64 {
    let set = set();
    let definition = Definition::new(game, &set);
    let judge = set.judge(game).expect("a board");
    let mut sampling = Sampling::Patterns(Box::new(Patterns::new(judge, 0.0, u32::MAX)));
    let mut scratch = Scratch::default();
    scratch.recording = Recording::Chosen;
    let mut rng = Rng::seeded(11);
    let (mut sum, mut variance, mut moves) = (0.0, 0.0, Vec::new());
    for _ in 0..playouts {
        let mut state = game.start();
        scratch.record.clear();
        game.playout(&mut state, &mut sampling, style, &mut scratch, &mut rng);
        let mut state = game.start();
        for step in scratch.record.steps().iter().take(60) {
            let Turn::Players(players) = game.turn(&state) else { break };
            assert_eq!(players.first(), Some(step.player));
            moves.clear();
            game.moves(&state, step.player, &mut moves);
            let odds = definition.probabilities(game, &state, step.player, &moves);
            let code = |mv: Move| game.code(&state, step.player, mv, Coding::Plain);
            let same: Vec<usize> =
                (0..moves.len()).filter(|&at| code(moves[at]) == step.chosen).collect();
            // Moves that share a code cannot be told apart afterwards.
            let &[chosen] = &same[..] else { break };
            let mean: f64 = odds.iter().map(|p| p * p.ln()).sum();
            let square: f64 = odds.iter().map(|p| p * p.ln() * p.ln()).sum();
            sum += odds[chosen].ln() - mean;
            variance += square - mean * mean;
            game.apply(&mut state, &[moves[chosen]]);
        }
    }
    assert!(variance > 1.0, "nothing was drawn");
    sum / variance.sqrt()
}

#[test]
fn moves_are_drawn_as_the_definition_says() {
    let games = [
        "breakthrough",
        "breakthrough.lud",
        "hex",
        "reversi",
        "gomoku",
        "english-draughts",
        "lines-of-action",
        "nogo",
        "tablut",
        "nine-mens-morris",
    ];
    for name in games {
        let game = catalog::load(&GameSpec::named(name)).expect("a game of our own");
        for style in [Style::Optimised, Style::Standard] {
            let away = deviation(&*game, style, 12);
            assert!(away.abs() < 4.5, "{name}, {style:?}: {away:.1} standard deviations");
        }
    }
}
