//! Games described in GDL that come with the program, as text.

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../games/gdl/", $name, ".kif")))),*]
    };
}

/// Name and description of every game, under the names the Base repository gives them.
pub const DESCRIPTIONS: &[(&str, &str)] = texts![
    "breakthrough",
    "connect4",
    "connect5",
    "knightThrough",
    "pentago",
    "reversi",
    "sheepAndWolf",
    "tictactoe_3d_2player",
];

/// The description of this name.
pub fn description(name: &str) -> Option<&'static str> {
    DESCRIPTIONS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
