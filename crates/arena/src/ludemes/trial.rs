//! Recorded games of the reference: reading their text.

/// A recorded game.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The path of its description.
    pub game: String,
    /// Selected options.
    pub options: Vec<String>,
    /// All moves, those of the start first.
    pub moves: Vec<RecordedMove>,
    /// Number of legal moves in each position that was played.
    pub sizes: Vec<usize>,
    /// How many of the moves belong to the start.
    pub initial: usize,
    /// State of the reference's random numbers before the start.
    pub seed: Option<u64>,
    /// Who won: 0 for nobody.
    pub winner: Option<i32>,
    /// Rank by player; the first entry means nothing.
    pub rankings: Vec<f64>,
}

/// One move as recorded.
#[derive(Clone, Debug, Default)]
pub struct RecordedMove {
    /// Who moved.
    pub mover: i32,
    /// Where from; -1 if nowhere.
    pub from: i32,
    /// Where to; -1 if nowhere.
    pub to: i32,
    /// All changes in order.
    pub actions: Vec<RecordedAction>,
}

/// One change as recorded: its name and its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedAction {
    /// What changes.
    pub name: String,
    /// Fields in order.
    pub fields: Vec<(String, String)>,
}

impl RecordedAction {
    /// Reads `[Name:key=value,…]`.
    pub fn parse(text: &str) -> Self {
        let inner = text.trim_start_matches('[').trim_end_matches(']');
        let (name, rest) = inner.split_once(':').unwrap_or((inner, ""));
        let fields = rest
            .split(',')
            .filter_map(|field| field.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        RecordedAction { name: name.to_owned(), fields }
    }

    /// A field by name.
    pub fn field(&self, key: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    }

    /// A field as a number.
    pub fn number(&self, key: &str) -> Option<i32> {
        self.field(key)?.parse().ok()
    }

    /// Whether two changes are the same as far as the reference compares them.
    pub fn agrees(&self, other: &RecordedAction) -> bool {
        if self.name != other.name {
            return false;
        }
        let ignored = match self.name.as_str() {
            "Remove" if self.field("applied") == Some("false") => &["type"],
            name => ignored_fields(name),
        };
        let kept = |a: &RecordedAction, b: &RecordedAction| {
            a.fields
                .iter()
                .filter(|(key, _)| !ignored.contains(&key.as_str()))
                .all(|(key, value)| b.field(key) == Some(value))
        };
        kept(self, other) && kept(other, self)
    }
}

/// Fields the reference leaves out when it compares changes.
fn ignored_fields(name: &str) -> &'static [&'static str] {
    match name {
        "Add" => &["level"],
        "SetCount" => &["what"],
        "Select" => &["levelFrom", "levelTo"],
        "SetScore" => &["add"],
        "Set" | "SetState" | "SetValue" | "AddPlayerToTeam" => &["decision"],
        "StoreStateInContext" => &["value"],
        name if name.starts_with("SetHidden") => &["level"],
        _ => &[],
    }
}

impl Trial {
    /// Reads the text of a recorded game.
    pub fn parse(text: &str) -> Self {
        let mut trial = Trial::default();
        let mut initial = None;
        let mut in_options = false;
        for line in text.lines().map(|line| line.trim_end_matches('\r')) {
            if line == "START GAME OPTIONS" {
                in_options = true;
            } else if line == "END GAME OPTIONS" {
                in_options = false;
            } else if in_options {
                trial.options.push(line.to_owned());
            } else if let Some(rest) = line.strip_prefix("game=") {
                trial.game = rest.to_owned();
            } else if let Some(rest) = line.strip_prefix("RNG internal state=") {
                trial.seed = parse_seed(rest);
            } else if let Some(rest) = line.strip_prefix("Move=") {
                trial.moves.push(parse_move(rest));
            } else if let Some(rest) = line.strip_prefix("LEGAL MOVES LIST SIZE = ") {
                trial.sizes.extend(rest.parse::<usize>());
            } else if let Some(rest) = line.strip_prefix("numInitialPlacementMoves=") {
                initial = rest.parse().ok();
            } else if let Some(rest) = line.strip_prefix("winner=") {
                trial.winner = rest.parse().ok();
            } else if let Some(rest) = line.strip_prefix("rankings=") {
                trial.rankings = rest.split(',').filter_map(|r| r.parse().ok()).collect();
            }
        }
        // A position without moves is the end of a record, not a position that was played.
        while trial.sizes.last() == Some(&0) {
            trial.sizes.pop();
        }
        let without = trial.moves.len().saturating_sub(trial.sizes.len());
        trial.initial = initial.unwrap_or(without);
        trial
    }
}

/// Eight signed bytes, the lowest first.
fn parse_seed(text: &str) -> Option<u64> {
    let bytes: Vec<u8> =
        text.split(',').filter_map(|b| b.trim().parse::<i8>().ok()).map(|b| b as u8).collect();
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

fn parse_move(text: &str) -> RecordedMove {
    let (head, rest) = text.split_once("actions=").unwrap_or((text, ""));
    let number = |key: &str| {
        let start = head.find(&format!("{key}="))? + key.len() + 1;
        let end = head[start..].find(',').map_or(head.len(), |n| start + n);
        head[start..end].parse::<i32>().ok()
    };
    RecordedMove {
        mover: number("mover").unwrap_or(0),
        from: number(",from").unwrap_or(-1),
        to: number(",to").unwrap_or(-1),
        actions: split_actions(rest).map(RecordedAction::parse).collect(),
    }
}

/// The bracketed actions of a move; the bracket of the move itself may follow the last.
fn split_actions(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find('[')?;
        let mut depth = 0;
        for (at, c) in rest[start..].char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let action = &rest[start..=start + at];
                rest = &rest[start + at + 1..];
                return Some(action);
            }
        }
        None
    })
}
