//! The size of a rectangular board and the names of its cells.

use std::fmt;
use std::str::FromStr;

use crate::GamesError;

/// Columns and rows of a board: `8x8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The shortest side a board can have.
    pub const SHORTEST: usize = 3;
    /// The longest side a board can have.
    pub const LONGEST: usize = 16;

    /// A board of so many columns and rows.
    pub fn new(width: usize, height: usize) -> Result<Self, GamesError> {
        let fits = |side| (Self::SHORTEST..=Self::LONGEST).contains(&side);
        if fits(width) && fits(height) {
            Ok(Size { width: width as u8, height: height as u8 })
        } else {
            Err(GamesError::SizeOutOfRange(format!("{width}x{height}")))
        }
    }

    /// How many columns.
    #[inline]
    pub fn width(self) -> usize {
        self.width.into()
    }

    /// How many rows.
    #[inline]
    pub fn height(self) -> usize {
        self.height.into()
    }

    /// How many cells; a cell's index grows along the rows, the bottom one first.
    #[inline]
    pub fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// How many 64-bit words a set of cells takes.
    pub(crate) fn words(self) -> usize {
        self.cells().div_ceil(64)
    }

    /// The name of a cell: columns are letters, rows are numbers from the bottom.
    pub(crate) fn name(self, cell: usize) -> String {
        let column = (b'a' + (cell % self.width()) as u8) as char;
        format!("{column}{}", cell / self.width() + 1)
    }

    /// The board as text, the top row first, with one character for each cell.
    pub(crate) fn picture(self, symbol: impl Fn(usize) -> char) -> String {
        let mut text = String::new();
        for row in (0..self.height()).rev() {
            text += &format!("{:2}", row + 1);
            for column in 0..self.width() {
                text.push(' ');
                text.push(symbol(row * self.width() + column));
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..self.width() {
            text.push(' ');
            text.push((b'a' + column as u8) as char);
        }
        text
    }
}

impl Default for Size {
    fn default() -> Self {
        Size { width: 8, height: 8 }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = GamesError;

    fn from_str(text: &str) -> Result<Self, GamesError> {
        let unreadable = || GamesError::UnreadableSize(text.to_string());
        let (width, height) = text.trim().split_once(['x', 'X', '×']).ok_or_else(unreadable)?;
        let side = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            // A number too large for the type is a size out of range like any other.
            digits.then(|| text.parse().unwrap_or(usize::MAX)).ok_or_else(unreadable)
        };
        let (width, height) = (side(width)?, side(height)?);
        Size::new(width, height).map_err(|_| GamesError::SizeOutOfRange(text.trim().to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_columns_by_rows() {
        let size: Size = "5x4".parse().unwrap();
        assert_eq!((size.width(), size.height()), (5, 4));
        assert_eq!(size.to_string(), "5x4");
        assert_eq!(size.name(0), "a1");
        assert_eq!(size.name(9), "e2");
        let picture = size.picture(|cell| if cell == 5 { 'X' } else { '.' });
        assert_eq!(picture, " 4 . . . . .\n 3 . . . . .\n 2 X . . . .\n 1 . . . . .\n   a b c d e");
    }

    #[test]
    fn wrong_sizes_are_refused() {
        for text in ["2x8", "8x17", "0x0", "99999999999999999999x8"] {
            assert_eq!(text.parse::<Size>(), Err(GamesError::SizeOutOfRange(text.to_string())));
        }
        for text in ["", "8", "x", "8x", "8xx8", "-3x4", "8 x 8 x", "eight"] {
            assert_eq!(text.parse::<Size>(), Err(GamesError::UnreadableSize(text.to_string())));
        }
    }
}
