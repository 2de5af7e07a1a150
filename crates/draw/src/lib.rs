//! Geometry and a view of a position to a picture: one drawing of any board, written once.
//!
//! A picture has two parts. The board is drawn once for a game; the pieces are drawn anew for every position and may be
//! laid over the board by whoever shows both. Colours of players and surfaces are variables of CSS with a value of their
//! own, so that a page may change them and a file looks right alone.

mod board;
mod body;
mod clues;
mod glyphs;
mod labels;
mod layout;
mod pattern;
mod pieces;
mod style;
mod svg;
mod text;
pub mod words;

pub use layout::{Layout, Place};
pub use pattern::{Sign, Spot, pattern};
pub use style::STYLE;
pub use text::{Ink, Screen, Signs, text};

use ludex_game::{Ends, Game, Geometry, Player, State, View};

/// The move to mark in a picture of a position: the last one that somebody made. (What the rules of the start put
/// down last counts as a last move too where patterns ask for it, but nobody made it.)
pub fn last_move(game: &dyn Game, state: &State) -> Option<Ends> {
    let last = game.last_move(state);
    last.filter(|_| last != game.last_move(&game.start()))
}

/// The board of a game as an SVG document: cells, points and lines, labels, goals of players, hands.
pub fn board(geometry: &Geometry, layout: &Layout) -> String {
    document(layout, &board::board(geometry, layout))
}

/// What stands on the board, as elements for inside a picture of [`board`].
pub fn pieces(geometry: &Geometry, layout: &Layout, view: &View) -> String {
    pieces::pieces(geometry, layout, view)
}

/// A plain piece of a player as an SVG document: what his pieces have in common.
pub fn token(player: Player) -> String {
    let at = Place { x: 12.0, y: 12.0, r: 10.5 };
    let class = board::class_of(Some(player));
    let piece = glyphs::Glyph::Disc.draw(at, class, None);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\" class=\"ludex\"><style>{STYLE}</style>\
         <g class=\"piece o{}\">{piece}</g></svg>",
        glyphs::colour(class)
    )
}

/// A whole position as an SVG document; the ends of the last move are marked.
pub fn picture(geometry: &Geometry, view: &View, last: Option<Ends>) -> String {
    let layout = Layout::new(geometry);
    let mut inside = board::board(geometry, &layout);
    inside.push_str(&board::last_move(&layout, last));
    inside.push_str(&pieces::pieces(geometry, &layout, view));
    document(&layout, &inside)
}

fn document(layout: &Layout, inside: &str) -> String {
    let (width, height) = (layout.width.ceil(), layout.height.ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         class=\"ludex\"><style>{STYLE}</style>{inside}</svg>"
    )
}
