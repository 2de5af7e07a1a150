//! Features with weights.

use ludex_game::features::{
    Classes, Element, Ground, Judge, Layers, MoveEnds, Pattern, Place, Reading, Test, Weighed,
};
use ludex_game::{Game, GameError};
use ludex_lang::features::{self as text, Feature, Reflections, Rotations, Sense, Spatial};

/// The most features of one player: more would be slower than they can be worth, and slow to prepare.
const MAX_FEATURES: usize = 1_000;

/// The features of one player's moves, each with its weight.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Weighted {
    /// The features.
    pub features: Vec<Feature>,
    /// A weight for each.
    pub weights: Vec<f32>,
}

impl Weighted {
    /// The features without their text.
    pub fn weighed(&self) -> Vec<Weighed> {
        let weighed = |(feature, &weight): (&Feature, &f32)| match feature {
            Feature::Spatial(spatial) => Weighed::Pattern(pattern(spatial), weight),
            Feature::Pass => Weighed::Pass(weight),
            Feature::Swap => Weighed::Swap(weight),
            Feature::Intercept => Weighed::Any(weight),
        };
        self.features.iter().zip(&self.weights).map(weighed).collect()
    }

    /// The pieces that are asked for by their number.
    fn pieces(&self) -> impl Iterator<Item = u32> {
        let spatial = self.features.iter().filter_map(|feature| match feature {
            Feature::Spatial(spatial) => Some(spatial),
            _ => None,
        });
        let elements = spatial.flat_map(|spatial| &spatial.pattern.elements);
        elements.filter_map(|element| match element.test {
            text::Test::Item(piece)
            | text::Test::SeesOrthogonally(piece)
            | text::Test::SeesDiagonally(piece) => Some(piece),
            _ => None,
        })
    }

    /// The heaviest patterns, so many at most, with weights whose sums are sets of them.
    fn as_bits(&self, most: u32) -> Vec<Weighed> {
        let mut found: Vec<(f32, Pattern)> = self
            .weighed()
            .into_iter()
            .filter_map(|weighed| match weighed {
                Weighed::Pattern(pattern, weight) => Some((weight.abs(), pattern)),
                _ => None,
            })
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let bit = |(number, (_, pattern))| Weighed::Pattern(pattern, Classes::weight(number));
        (0..most).zip(found).map(bit).collect()
    }
}

/// What is known about the moves of all players.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FeatureSet {
    /// One for each player, or one for all.
    pub players: Vec<Weighted>,
    /// How the features are read.
    pub reading: Reading,
}

impl FeatureSet {
    /// The features for a player's moves; the last player's where there are more players than sets.
    pub fn of(&self, player: usize) -> Option<&Weighted> {
        self.players.get(player).or(self.players.last())
    }

    /// Somebody who weighs the moves of a game by these features.
    pub fn judge(&self, game: &dyn Game) -> Result<Judge, GameError> {
        self.judge_by(game, Weighted::weighed)
    }

    /// Codes of a game's moves that tell apart which of these features hold: the heaviest, where all are too many.
    pub fn classes(&self, game: &dyn Game) -> Result<Classes, GameError> {
        let most = Classes::most(game);
        let judge = self.judge_by(game, |own| own.as_bits(most))?;
        let count = |own: &Weighted| own.as_bits(most).len() as u32;
        let features = self.players.iter().map(count).max().unwrap_or(0);
        Ok(Classes::new(judge, features))
    }

    fn judge_by(
        &self,
        game: &dyn Game,
        weighed: impl Fn(&Weighted) -> Vec<Weighed>,
    ) -> Result<Judge, GameError> {
        let info = game.info();
        let refuse = |reason: String| GameError::Options(format!("{}: {reason}", info.name));
        let Some(geometry) = game.geometry() else {
            return Err(refuse("features need a board, and this game shows none".to_string()));
        };
        for own in &self.players {
            if own.features.len() > MAX_FEATURES {
                let count = own.features.len();
                let most = format!("a player goes by at most {MAX_FEATURES} features, not {count}");
                return Err(refuse(most));
            }
            let kinds = geometry.kinds.len() as u32;
            if let Some(piece) = own.pieces().find(|&piece| piece > kinds) {
                let reason =
                    format!("these features are for another game: there is no piece {piece}");
                return Err(refuse(reason));
            }
        }
        let ground = Ground::new(geometry, info.players);
        let weighed = |player| self.of(player).map(&weighed).unwrap_or_default();
        let players: Vec<Vec<Weighed>> = (0..info.players).map(weighed).collect();
        let layers = Layers::new(&ground, &players, self.reading);
        let layers = layers
            .map_err(|error| refuse(format!("these features are for another game: {error}")))?;
        Ok(Judge::new(layers, game))
    }
}

/// A feature's pattern without its text.
pub fn pattern(feature: &Spatial) -> Pattern {
    let end = |place: &Option<text::Place>| place.as_ref().map(self::place);
    Pattern {
        ends: MoveEnds {
            last_from: end(&feature.last_from),
            last_to: end(&feature.last_to),
            from: end(&feature.from),
            to: end(&feature.to),
        },
        elements: feature.pattern.elements.iter().map(element).collect(),
        rotations: match &feature.pattern.rotations {
            Rotations::All => None,
            Rotations::These(turns) => Some(turns.iter().map(|turn| turn.0).collect()),
        },
        reflects: feature.pattern.reflections == Reflections::Both,
    }
}

fn place(place: &text::Place) -> Place {
    match place {
        text::Place::Walk(walk) => Place::Walk(walk.iter().map(|turn| turn.0).collect()),
        text::Place::Site(site) => Place::Site(*site),
    }
}

fn element(element: &text::Element) -> Element {
    Element {
        test: test(element.test),
        negated: element.sense == Sense::MustNot,
        place: place(&element.place),
    }
}

fn test(test: text::Test) -> Test {
    match test {
        text::Test::Empty => Test::Empty,
        text::Test::Friend => Test::Friend,
        text::Test::Enemy => Test::Enemy,
        text::Test::Off => Test::Off,
        text::Test::Any => Test::Any,
        text::Test::Player(n) => Test::Player(n),
        text::Test::Item(n) => Test::Item(n),
        text::Test::Position(n) => Test::Position(n),
        text::Test::Connectivity(n) => Test::Connectivity(n),
        text::Test::Nearer(n) => Test::Nearer(n),
        text::Test::SeesOrthogonally(n) => Test::SeesOrthogonally(n),
        text::Test::SeesDiagonally(n) => Test::SeesDiagonally(n),
    }
}

/// What is asked, as text has it.
pub(super) fn test_text(test: Test) -> text::Test {
    match test {
        Test::Empty => text::Test::Empty,
        Test::Friend => text::Test::Friend,
        Test::Enemy => text::Test::Enemy,
        Test::Off => text::Test::Off,
        Test::Any => text::Test::Any,
        Test::Player(n) => text::Test::Player(n),
        Test::Item(n) => text::Test::Item(n),
        Test::Position(n) => text::Test::Position(n),
        Test::Connectivity(n) => text::Test::Connectivity(n),
        Test::Nearer(n) => text::Test::Nearer(n),
        Test::SeesOrthogonally(n) => text::Test::SeesOrthogonally(n),
        Test::SeesDiagonally(n) => text::Test::SeesDiagonally(n),
    }
}
