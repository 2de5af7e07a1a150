//! Characters in rows, each with its ink.

use std::fmt;

use ludex_game::Player;

/// How a character is to stand out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// As it is.
    #[default]
    Plain,
    /// Labels, lines, empty sites.
    Faint,
    /// The last move.
    Marked,
    /// A player's.
    Of(Player),
}

/// A text with inks. Without colours it is what `Display` prints.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    rows: Vec<Vec<(char, Ink)>>,
}

impl Screen {
    /// Writes a text into a row from a column on, and says where it ends.
    pub(super) fn write(&mut self, row: usize, column: usize, text: &str, ink: Ink) -> usize {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let row = &mut self.rows[row];
        let end = column + text.chars().count();
        if row.len() < end {
            row.resize(end, (' ', Ink::Plain));
        }
        for (place, sign) in row[column..].iter_mut().zip(text.chars()) {
            *place = (sign, ink);
        }
        end
    }

    /// How many rows there are.
    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    /// Whether something is written there.
    pub(super) fn has(&self, row: usize, column: usize) -> bool {
        let place = self.rows.get(row).and_then(|row| row.get(column));
        place.is_some_and(|&(sign, _)| sign != ' ')
    }

    /// Where a row ends.
    pub(super) fn end(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |row| trimmed(row).len())
    }

    /// Puts another screen on this one with its corner in a row and column.
    pub(super) fn paste(&mut self, row: usize, column: usize, other: &Screen) {
        for (down, line) in other.rows.iter().enumerate() {
            for (right, &(sign, ink)) in line.iter().enumerate() {
                if sign != ' ' {
                    self.write(row + down, column + right, sign.encode_utf8(&mut [0; 4]), ink);
                }
            }
        }
    }

    /// Adds another screen below, after an empty row where both are boards.
    pub(super) fn below(&mut self, mut other: Screen) {
        let boards = self.rows.len() > 1 && other.rows.len() > 1;
        if boards && !other.rows.is_empty() {
            self.rows.push(Vec::new());
        }
        self.rows.append(&mut other.rows);
    }

    /// The text with the escape sequences of terminals.
    pub fn coloured(&self) -> String {
        let mut out = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { "\n" });
            let mut ink = Ink::Plain;
            for &(sign, next) in trimmed(row) {
                if next != ink {
                    out.push_str(next.escape());
                    ink = next;
                }
                out.push(sign);
            }
            out.push_str(if ink == Ink::Plain { "" } else { Ink::Plain.escape() });
        }
        out
    }
}

impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.rows.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { "\n" })?;
            trimmed(row).iter().try_for_each(|(sign, _)| write!(f, "{sign}"))?;
        }
        Ok(())
    }
}

fn trimmed(row: &[(char, Ink)]) -> &[(char, Ink)] {
    let end = row.iter().rposition(|&(sign, _)| sign != ' ').map_or(0, |last| last + 1);
    &row[..end]
}

impl Ink {
    fn escape(self) -> &'static str {
        const PLAYERS: [&str; 6] = [
            "\x1b[0;1;36m",
            "\x1b[0;1;33m",
            "\x1b[0;1;32m",
            "\x1b[0;1;35m",
            "\x1b[0;1;34m",
            "\x1b[0;1;31m",
        ];
        match self {
            Ink::Plain => "\x1b[0m",
            Ink::Faint => "\x1b[0;2m",
            Ink::Marked => "\x1b[0;1;31m",
            Ink::Of(player) => PLAYERS[player.index() % PLAYERS.len()],
        }
    }
}
