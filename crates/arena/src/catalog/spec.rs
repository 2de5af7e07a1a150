//! Which game, with which options, in one line of text.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A game as the command line, experiment files and game records name it:
/// `breakthrough --size 6x6`, `rules/hex.lud --option "Board Size/9x9"`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GameSpec {
    /// A built-in name or a path to a rules file.
    pub name: String,
    /// Columns and rows of the board, for built-in board games.
    pub size: Option<String>,
    /// How many play, for games that leave it open.
    pub players: Option<usize>,
    /// Which sides of the boards are used, in 7 Wonders.
    pub sides: Option<String>,
    /// Selected options of a `.lud` file, `Category/Item`.
    pub options: Vec<String>,
    /// Where a `.lud` file's library of defines is.
    pub defs: Option<PathBuf>,
    /// Which engine runs a `.kif` file.
    pub engine: Option<String>,
    /// A `.lud` game is played by the general evaluator even where it has a kernel.
    pub standard: bool,
}

/// Why a text does not name a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing was named.
    #[error("no game is named")]
    Empty,
    /// A quotation mark is never closed.
    #[error("a quotation mark is not closed in `{0}`")]
    OpenQuote(String),
    /// An option that games do not have.
    #[error(
        "unknown game option `{0}`; there are --size, --players, --sides, --option, --defs and --engine"
    )]
    UnknownOption(String),
    /// An option without its value.
    #[error("{0} needs a value")]
    MissingValue(String),
    /// A number was expected.
    #[error("`{0}` is not a number of players")]
    NotANumber(String),
}

impl GameSpec {
    /// A game in its default form.
    pub fn named(name: impl Into<String>) -> Self {
        GameSpec { name: name.into(), ..GameSpec::default() }
    }

    fn set(&mut self, option: &str, value: String) -> Result<(), SpecError> {
        match option {
            "--size" => self.size = Some(value),
            "--players" => {
                self.players = Some(value.parse().map_err(|_| SpecError::NotANumber(value))?);
            }
            "--sides" => self.sides = Some(value),
            "--option" => self.options.push(value),
            "--defs" => self.defs = Some(value.into()),
            "--engine" => self.engine = Some(value),
            _ => return Err(SpecError::UnknownOption(option.to_string())),
        }
        Ok(())
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.name))?;
        let mut option = |name: &str, value: &str| write!(f, " {name} {}", quoted(value));
        if let Some(size) = &self.size {
            option("--size", size)?;
        }
        if let Some(players) = self.players {
            option("--players", &players.to_string())?;
        }
        if let Some(sides) = &self.sides {
            option("--sides", sides)?;
        }
        for item in &self.options {
            option("--option", item)?;
        }
        if let Some(defs) = &self.defs {
            option("--defs", &defs.to_string_lossy())?;
        }
        if let Some(engine) = &self.engine {
            option("--engine", engine)?;
        }
        Ok(())
    }
}

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut words = split_words(text)?.into_iter();
        let mut spec = GameSpec::named(words.next().ok_or(SpecError::Empty)?);
        while let Some(option) = words.next() {
            let value = words.next();
            if !option.starts_with("--") {
                return Err(SpecError::UnknownOption(option));
            }
            spec.set(&option, value.ok_or_else(|| SpecError::MissingValue(option.clone()))?)?;
        }
        Ok(spec)
    }
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '"');
    if plain { word.to_string() } else { format!("\"{}\"", word.replace('"', "\\\"")) }
}

/// Words separated by blanks; a quoted word may contain blanks, and `\"` inside it is a quotation mark.
fn split_words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut letters = text.chars().peekable();
    loop {
        while letters.next_if(|c| c.is_whitespace()).is_some() {}
        let Some(first) = letters.next() else { return Ok(words) };
        let mut word = String::new();
        if first == '"' {
            loop {
                match letters.next() {
                    None => return Err(SpecError::OpenQuote(text.to_string())),
                    Some('"') => break,
                    Some('\\') if letters.peek() == Some(&'"') => {
                        word.extend(letters.next());
                    }
                    Some(letter) => word.push(letter),
                }
            }
        } else {
            word.push(first);
            while let Some(letter) = letters.next_if(|c| !c.is_whitespace()) {
                word.push(letter);
            }
        }
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_survive_a_round_trip() {
        let spec = GameSpec {
            size: Some("6x6".into()),
            players: Some(3),
            options: vec!["Board Size/9x9".into(), "say \"hi\"".into()],
            defs: Some("my defs".into()),
            ..GameSpec::named("a b.lud")
        };
        assert_eq!(spec.to_string().parse(), Ok(spec));
        assert_eq!("nogo".parse(), Ok(GameSpec::named("nogo")));
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| text.parse::<GameSpec>().unwrap_err().to_string();
        assert_eq!(fault("  "), "no game is named");
        assert_eq!(fault("nogo --size"), "--size needs a value");
        assert!(fault("nogo --board 3").contains("--board"));
        assert!(fault("\"nogo").contains("not closed"));
        assert!(fault("7-wonders --players many").contains("many"));
    }
}
