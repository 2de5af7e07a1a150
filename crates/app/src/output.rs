//! How things look: tables, numbers, boards.

use std::io::{self, IsTerminal, Write};

use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

/// A table with a header; columns named in `numbers` are aligned to the right.
pub fn table(header: &[&str], numbers: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !io::stdout().is_terminal() {
        table.set_width(160);
    }
    table.set_header(header.iter().map(|title| Cell::new(title).add_attribute(Attribute::Bold)));
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// One JSON object on a line of its own.
pub fn json_line(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// A large number with its digits in groups of three.
pub fn grouped(number: f64) -> String {
    if number.abs() < 100.0 {
        return format!("{number:.1}");
    }
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A text board with colours for the two usual symbols, if anybody can see colours.
pub fn coloured_board(board: &str) -> String {
    if !io::stdout().is_terminal() {
        return board.to_string();
    }
    board
        .chars()
        .map(|symbol| match symbol {
            'X' => "\x1b[1;36mX\x1b[0m".to_string(),
            'O' => "\x1b[1;33mO\x1b[0m".to_string(),
            '.' => "\x1b[2m·\x1b[0m".to_string(),
            other => other.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(1_234_567.4), "1,234,567");
        assert_eq!(grouped(999.6), "1,000");
        assert_eq!(grouped(12.34), "12.3");
    }
}
