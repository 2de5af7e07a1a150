//! Features with weights.

use ludex_game::features::{
    Element, Ground, Judge, Layers, MoveEnds, Pattern, Place, Reading, Test, Weighed,
};
use ludex_game::{Game, GameError};
use ludex_lang::features::{self as text, Feature, Reflections, Rotations, Sense, Spatial};

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
        let info = game.info();
        let refuse = |reason: String| GameError::Options(format!("{}: {reason}", info.name));
        let Some(geometry) = game.geometry() else {
            return Err(refuse("features need a board, and this game shows none".to_string()));
        };
        let ground = Ground::new(geometry, info.players);
        let weighed = |player| self.of(player).map(Weighted::weighed).unwrap_or_default();
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
