//! Games described in ludemes that come with the program, as text.

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../games/lud/", $name, ".lud")))),*]
    };
}

/// Name and description of every game, in alphabetical order.
pub const DESCRIPTIONS: &[(&str, &str)] = texts![
    "alquerque",
    "amazons",
    "atarigo",
    "ataxx",
    "backgammon",
    "brandub",
    "breakthrough",
    "chess",
    "clobber",
    "connect-four",
    "dodgem",
    "domineering",
    "english-draughts",
    "fanorona",
    "fox-and-geese",
    "go",
    "gomoku",
    "halma",
    "hasami-shogi",
    "havannah",
    "hex",
    "international-draughts",
    "kalah",
    "knightthrough",
    "konane",
    "lines-of-action",
    "ludo",
    "misere-breakthrough",
    "misere-domineering",
    "misere-knightthrough",
    "mu-torere",
    "nine-mens-morris",
    "nogo",
    "notakto",
    "oware",
    "pong-hau-ki",
    "race-of-stones",
    "reversi",
    "royal-game-of-ur",
    "shogi",
    "squava",
    "surakarta",
    "tablut",
    "three-mens-morris",
    "tic-tac-toe",
    "toe-tac-tic",
    "wolf-and-sheep",
    "xiangqi",
    "y",
    "yavalath",
];

/// The description of a game.
pub fn description(name: &str) -> Option<&'static str> {
    let found = DESCRIPTIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/lud");
        let files = std::fs::read_dir(folder).expect("the folder of descriptions");
        let mut names: Vec<String> = files
            .filter_map(|file| file.ok()?.file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".lud").map(str::to_string))
            .collect();
        names.sort();
        let listed: Vec<&str> = DESCRIPTIONS.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, names);
    }
}
