//! How things look: tables, numbers, boards.

use std::io::{self, IsTerminal, Write};

use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Table, presets};
use ludex_draw::Signs;
use ludex_game::{Detail, Game, Player, State, View};
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
    // Whoever is killed has told what was finished.
    out.flush()?;
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

/// The board of a position as a viewer sees it, in colours if anybody can see them; games without a board say in
/// words where things are.
pub fn board(game: &dyn Game, state: &State, viewer: Option<Player>) -> String {
    let Some(geometry) = game.geometry() else { return game.show(state, viewer) };
    let mut view = View::new();
    game.view(state, viewer, Detail::Pieces, &mut view);
    let last = ludex_draw::last_move(game, state);
    let screen = ludex_draw::text(geometry, &view, last, signs());
    if io::stdout().is_terminal() { screen.coloured() } else { screen.to_string() }
}

/// What the terminal can show, by the words of the locale that win.
fn signs() -> Signs {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") { Signs::Unicode } else { Signs::Ascii }
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
