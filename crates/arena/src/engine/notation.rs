//! Moves as other programs write them: vertices of GTP, coordinates of UCI.

use ludex_game::{Game, Move, Player, State};

/// How GTP calls columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Letters {
    /// A to H, then J: as the protocol says, for Go and its clients.
    #[default]
    WithoutI,
    /// A to Z: as programs for Hex do.
    All,
}

/// A column and a row, both from nought, if the text is the label of a site such as `C4`.
fn site(text: &str) -> Option<(u8, u32)> {
    let mut letters = text.chars();
    let column = letters.next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
    let row: u32 = letters.as_str().parse().ok()?;
    Some((column as u8 - b'A', row.checked_sub(1)?))
}

/// Columns and rows of the board that the moves of a position name; zero without any.
pub fn board_size(texts: &[(String, Move)]) -> (usize, usize) {
    let sites = texts.iter().flat_map(|(text, _)| text.split(['-', '#'])).filter_map(site);
    sites.fold((0, 0), |(columns, rows), (column, row)| {
        (columns.max(column as usize + 1), rows.max(row as usize + 1))
    })
}

/// A move's text as GTP writes it; what is no vertex stays as it is.
pub fn vertex(text: &str, letters: Letters) -> String {
    match site(text) {
        Some((column, row)) => {
            let skipped = u8::from(letters == Letters::WithoutI && column >= 8);
            format!("{}{}", (b'A' + column + skipped) as char, row + 1)
        }
        None => text.to_string(),
    }
}

/// The move that a vertex means.
pub fn from_vertex(said: &str, moves: &[(String, Move)], letters: Letters) -> Option<Move> {
    let same = |text: &str| vertex(text, letters).eq_ignore_ascii_case(said);
    moves.iter().find(|(text, _)| same(text)).map(|(_, mv)| *mv)
}

/// The moves of a player as UCI writes them: `e2e4`, `e7e8q`, `P@d3`, `0000` for a pass.
pub fn coordinates(game: &dyn Game, state: &State, player: Player) -> Vec<(String, Move)> {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let text = |&mv: &Move| (plain_coordinates(&game.move_text(state, Some(player), mv)), mv);
    let plain: Vec<(String, Move)> = moves.iter().map(text).collect();
    let named = |(text, mv): &(String, Move)| {
        let alike = plain.iter().filter(|(other, _)| other == text).map(|(_, mv)| *mv);
        let alike: Vec<Move> = alike.collect();
        let letter = (alike.len() > 1).then(|| promotion(game, state, *mv, &alike)).flatten();
        (text.chars().chain(letter).collect(), *mv)
    };
    plain.iter().map(named).collect()
}

/// Without what tells moves between the same two sites apart.
fn plain_coordinates(text: &str) -> String {
    let base = text.split('#').next().unwrap_or(text);
    if base.eq_ignore_ascii_case("pass") {
        return "0000".to_string();
    }
    let sites: Vec<&str> = base.split('-').collect();
    match (&sites[..], sites.iter().all(|word| site(word).is_some())) {
        ([to], true) => format!("P@{}", to.to_ascii_lowercase()),
        ([from, to], true) => format!("{from}{to}").to_ascii_lowercase(),
        _ => base.replace(' ', ""),
    }
}

/// The letter of the piece that a move makes which others between the same sites do not: what differs on the
/// boards after them.
fn promotion(game: &dyn Game, state: &State, mv: Move, alike: &[Move]) -> Option<char> {
    let board = |mv: Move| {
        let mut after = state.clone();
        game.apply(&mut after, &[mv]);
        game.show(&after, None).split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    let (ours, others): (_, Vec<_>) = (board(mv), alike.iter().map(|&mv| board(mv)).collect());
    let differs = |at: &usize| others.iter().any(|other| other.get(*at) != ours.get(*at));
    let letter = ours[(0..ours.len()).find(differs)?].chars().next()?.to_ascii_lowercase();
    // Nobody becomes a king: two pieces share the letter on boards drawn as text.
    Some(if letter == 'k' { 'n' } else { letter })
}

/// The move that coordinates mean; a placement may be said without its piece.
pub fn from_coordinates(said: &str, moves: &[(String, Move)]) -> Option<Move> {
    let same = |text: &str| {
        text.eq_ignore_ascii_case(said)
            || text.strip_prefix("P@").is_some_and(|to| to.eq_ignore_ascii_case(said))
    };
    moves.iter().find(|(text, _)| same(text)).map(|(_, mv)| *mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_skip_a_letter() {
        assert_eq!(vertex("H3", Letters::WithoutI), "H3");
        assert_eq!(vertex("I3", Letters::WithoutI), "J3");
        assert_eq!(vertex("S19", Letters::WithoutI), "T19");
        assert_eq!(vertex("I3", Letters::All), "I3");
        assert_eq!(vertex("pass", Letters::WithoutI), "pass");
        let moves = [("I3".to_string(), Move(7)), ("pass".to_string(), Move(8))];
        assert_eq!(from_vertex("j3", &moves, Letters::WithoutI), Some(Move(7)));
        assert_eq!(from_vertex("i3", &moves, Letters::WithoutI), None);
        assert_eq!(from_vertex("PASS", &moves, Letters::WithoutI), Some(Move(8)));
        assert_eq!(board_size(&moves), (9, 3));
    }

    #[test]
    fn moves_between_sites_have_coordinates() {
        assert_eq!(plain_coordinates("E2-E4"), "e2e4");
        assert_eq!(plain_coordinates("A7-B8#3"), "a7b8");
        assert_eq!(plain_coordinates("D3"), "P@d3");
        assert_eq!(plain_coordinates("pass"), "0000");
        let moves = [("P@d3".to_string(), Move(1))];
        assert_eq!(from_coordinates("D3", &moves), Some(Move(1)));
    }
}
