//! Records of played games in the text form of the reference: one line per move with every
//! primitive change it made, and the number of moves that were legal at each step.
//!
//! A record is read completely before anything is compared, so a damaged file is refused as such
//! and never mistaken for a wrong rule.

/// A recorded game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Path of the rules file, as the record gives it.
    pub game: String,
    /// Options chosen, each as `Category/Item`.
    pub options: Vec<String>,
    /// State of the random generator before the start.
    pub seed: Option<u64>,
    /// Moves that set the game up.
    pub start: Vec<RecordedMove>,
    /// Moves that were played.
    pub moves: Vec<RecordedMove>,
    /// How many moves were legal when each was played; duplicates count.
    pub legal: Vec<usize>,
    /// Number of the winner, 0 for nobody; missing in unfinished games.
    pub winner: Option<usize>,
    /// How the game ended, such as `NaturalEnd` or `TurnLimit`.
    pub ending: Option<String>,
    /// Rank of each player, the first player first.
    pub ranking: Vec<f64>,
    /// Version of the program that wrote it.
    pub version: Option<String>,
}

/// A move as recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedMove {
    /// Who moved; 0 for the setup.
    pub mover: usize,
    /// The fields besides the mover, such as `from` and `to`, in their order.
    pub fields: Vec<(String, String)>,
    /// What it changed, in order.
    pub actions: Vec<RecordedAction>,
}

impl RecordedMove {
    /// A field as a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        let field = self.fields.iter().find(|(n, _)| n == name);
        field.and_then(|(_, value)| value.parse().ok())
    }
}

/// One primitive change.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedAction {
    /// Its name, such as `Move`.
    pub name: String,
    /// Its fields sorted by name.
    pub fields: Vec<(String, String)>,
}

impl RecordedAction {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(n, _)| n == name);
        field.map(|(_, value)| value.as_str())
    }

    /// A field as a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.field(name)?.parse().ok()
    }

    /// Whether it is the decision of the player.
    pub fn is_decision(&self) -> bool {
        self.field("decision") == Some("true")
    }

    /// Reads `[Name:key=value,…]`.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let inner = text
            .strip_prefix('[')
            .and_then(|t| t.strip_suffix(']'))
            .ok_or_else(|| RecordError::Action(text.to_string()))?;
        let (name, rest) = inner.split_once(':').unwrap_or((inner, ""));
        let mut fields = pairs(rest);
        fields.sort();
        Ok(RecordedAction { name: name.to_string(), fields })
    }
}

impl std::fmt::Display for RecordedAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}:", self.name)?;
        for (n, (key, value)) in self.fields.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma}{key}={value}")?;
        }
        f.write_str("]")
    }
}

/// Why a text is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A line that says nothing a record says.
    #[error("line {number} of the record is unknown: {text}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// Its beginning.
        text: String,
    },
    /// A move whose brackets do not match.
    #[error("the move in line {number} of the record is damaged")]
    Move {
        /// Number of the line, from 1.
        number: usize,
    },
    /// An action that is none.
    #[error("`{0}` is no action")]
    Action(String),
    /// The numbers of moves and of counts of legal moves do not fit together.
    #[error("the record has {moves} moves but {counts} numbers of legal moves")]
    Counts {
        /// Moves in the file.
        moves: usize,
        /// Counts in the file.
        counts: usize,
    },
}

/// Reads a record.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut record = Record::default();
    let mut all = Vec::new();
    let mut placed = None;
    let mut in_options = false;
    for (n, line) in text.lines().enumerate() {
        let (number, line) = (n + 1, line.trim_end());
        match line {
            "" => {}
            "START GAME OPTIONS" => in_options = true,
            "END GAME OPTIONS" => in_options = false,
            option if in_options => record.options.push(option.to_string()),
            _ => {
                let unknown = || {
                    let text = line.chars().take(60).collect();
                    RecordError::Line { number, text }
                };
                let (key, value) = line.split_once('=').ok_or_else(unknown)?;
                match key.trim() {
                    "Move" => all.push(read_move(value, number)?),
                    "LEGAL MOVES LIST SIZE" => {
                        record.legal.push(value.trim().parse().map_err(|_| unknown())?);
                    }
                    "numInitialPlacementMoves" => {
                        placed = Some(value.trim().parse::<usize>().map_err(|_| unknown())?);
                    }
                    key => set(&mut record, key, value).ok_or_else(unknown)?,
                }
            }
        }
    }
    split_moves(&mut record, all, placed)?;
    Ok(record)
}

/// One `key=value` line that is neither a move nor a count.
fn set(record: &mut Record, key: &str, value: &str) -> Option<()> {
    match key {
        "game" => record.game = value.to_string(),
        "RNG internal state" => record.seed = seed(value),
        "winner" => record.winner = Some(value.parse().ok()?),
        "endtype" => record.ending = Some(value.to_string()),
        "rankings" => {
            let ranks = value.split(',').map(|r| r.trim().parse());
            record.ranking = ranks.skip(1).collect::<Result<_, _>>().ok()?;
        }
        "LUDII_VERSION" => record.version = Some(value.to_string()),
        "SANDBOX" => {}
        _ => return None,
    }
    Some(())
}

/// Eight signed bytes, the lowest first.
fn seed(value: &str) -> Option<u64> {
    let bytes = value.split(',').map(|b| b.trim().parse::<i8>().map(|b| b as u8));
    let bytes: Vec<u8> = bytes.collect::<Result<_, _>>().ok()?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// The setup comes first; old files do not say how long it is, but each played move has a count.
fn split_moves(
    record: &mut Record,
    mut all: Vec<RecordedMove>,
    placed: Option<usize>,
) -> Result<(), RecordError> {
    let counts = record.legal.len();
    let error = RecordError::Counts { moves: all.len(), counts };
    let setup = placed.or_else(|| all.len().checked_sub(counts)).ok_or(error.clone())?;
    if setup > all.len() {
        return Err(error);
    }
    record.moves = all.split_off(setup);
    record.start = all;
    Ok(())
}

/// `[Move:mover=1,from=2,…,actions=[…],[…]]`
fn read_move(text: &str, number: usize) -> Result<RecordedMove, RecordError> {
    let damaged = || RecordError::Move { number };
    let inner = text.strip_prefix("[Move:").and_then(|t| t.strip_suffix(']'));
    let inner = inner.ok_or_else(damaged)?;
    let (head, actions) = match inner.split_once("actions=") {
        Some((head, actions)) => (head.trim_end_matches(','), actions),
        None => (inner, ""),
    };
    let mut fields = pairs(head);
    let at = fields.iter().position(|(name, _)| name == "mover").ok_or_else(damaged)?;
    let mover = fields.remove(at).1.parse().map_err(|_| damaged())?;
    let parts = bracketed(actions).ok_or_else(damaged)?;
    let actions = parts.into_iter().map(RecordedAction::read).collect::<Result<_, _>>()?;
    Ok(RecordedMove { mover, fields, actions })
}

fn pairs(text: &str) -> Vec<(String, String)> {
    text.split(',')
        .filter_map(|part| part.split_once('='))
        .map(|(key, value)| (key.trim().to_string(), value.trim().to_string()))
        .collect()
}

/// The bracketed parts of a list, whole: `[a],[b[c]]` gives `[a]` and `[b[c]]`.
fn bracketed(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    parts.push(&text[start..=at]);
                }
            }
            _ => {}
        }
    }
    (depth == 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "game=../lud/Example.lud\r\n\
        START GAME OPTIONS\r\nBoard Size/5x5\r\nEND GAME OPTIONS\r\n\
        RNG internal state=1,0,0,0,0,0,0,-128\r\n\
        Move=[Move:mover=0,to=3,actions=[Add:type=Cell,to=3,what=1]]\r\n\
        Move=[Move:mover=1,from=3,to=4,actions=[Remove:type=Cell,to=4],\
        [Move:typeFrom=Cell,from=3,typeTo=Cell,to=4,decision=true]]\r\n\
        LEGAL MOVES LIST SIZE = 7\r\n\
        numInitialPlacementMoves=1\r\nwinner=1\r\nendtype=NaturalEnd\r\n\
        rankings=0.0,1.0,2.0\r\nSANDBOX=false\r\nLUDII_VERSION=1.3.14\r\n";

    #[test]
    fn a_record_is_read_whole() {
        let record = read(RECORD).unwrap();
        assert_eq!(record.options, ["Board Size/5x5"]);
        assert_eq!(record.seed, Some(1 | 0x80 << 56));
        assert_eq!((record.start.len(), record.moves.len()), (1, 1));
        assert_eq!(record.legal, [7]);
        assert_eq!(record.ranking, [1.0, 2.0]);
        let played = &record.moves[0];
        assert_eq!((played.mover, played.number("from")), (1, Some(3)));
        assert_eq!(played.actions[0].to_string(), "[Remove:to=4,type=Cell]");
        assert!(played.actions[1].is_decision());
    }

    #[test]
    fn damaged_records_are_refused() {
        let faults = [
            ("hello", "line 1 of the record is unknown: hello"),
            ("Move=[Move:mover=1,actions=[Pass", "the move in line 1 of the record is damaged"),
            ("winner=x", "line 1 of the record is unknown: winner=x"),
            ("LEGAL MOVES LIST SIZE = 3", "the record has 0 moves but 1 numbers of legal moves"),
        ];
        for (text, message) in faults {
            assert_eq!(read(text).unwrap_err().to_string(), message);
        }
    }
}
