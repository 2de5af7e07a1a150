//! The shape of each kind of piece, by its name: a chess set, plain pieces, and letters for everything else.
//!
//! Who owns a piece shows in its colour and, for those who do not see the colours, in a mark that every player's pieces bear.

use std::collections::HashMap;

use crate::layout::Place;
use crate::svg::{circle, line, number, polygon, text};
use ludex_game::Geometry;
use ludex_game::geometry::PieceKind;

/// How a kind of piece is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Glyph {
    /// A disc.
    Disc,
    /// A disc on a disc.
    Double,
    /// A ring.
    Ring,
    /// A cross.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A star.
    Star,
    /// A seed, or many.
    Seed,
    /// A piece of chess.
    Chess(Chessman),
    /// A figure alone: pieces that are numbers.
    Figure(String),
    /// Anything else: a disc with letters.
    Letters(String),
}

/// A piece of chess, by its silhouette.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chessman {
    /// ♟
    Pawn,
    /// ♞
    Knight,
    /// ♝
    Bishop,
    /// ♜
    Rook,
    /// ♛
    Queen,
    /// ♚
    King,
}

/// The glyphs of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Glyphs {
    kinds: Vec<(String, Glyph)>,
}

impl Glyphs {
    /// The glyphs of all kinds of piece of a game; no two kinds of a player look alike.
    pub fn of(geometry: &Geometry) -> Glyphs {
        let names: Vec<String> = geometry.kinds.iter().map(stem).collect();
        let mut glyphs: Vec<Option<Glyph>> = names.iter().map(|name| known(name)).collect();
        let mut per_owner: HashMap<_, usize> = HashMap::new();
        for kind in &geometry.kinds {
            *per_owner.entry(kind.owner).or_default() += 1;
        }
        let letters = letters(&names);
        for index in 0..names.len() {
            let alone = per_owner[&geometry.kinds[index].owner] == 1;
            if glyphs[index].is_none() && alone {
                glyphs[index] = Some(Glyph::Disc);
            }
        }
        let twins = |index: usize, other: usize| {
            names[other] != names[index]
                && geometry.kinds[other].owner == geometry.kinds[index].owner
                && glyphs[other] == glyphs[index]
                && (other < index || is_numbered(&names[index]))
        };
        let same: Vec<bool> =
            (0..names.len()).map(|i| (0..names.len()).any(|other| twins(i, other))).collect();
        let letters_of = |index: usize| Glyph::Letters(letters[&names[index]].clone());
        let glyphs = glyphs.into_iter().enumerate().map(|(index, glyph)| match glyph {
            Some(glyph) if !same[index] => glyph,
            _ => letters_of(index),
        });
        let full = geometry.kinds.iter().map(|kind| kind.name.clone());
        Glyphs { kinds: full.zip(glyphs).collect() }
    }

    /// Whether any kind is drawn so.
    pub fn has(&self, glyph: &Glyph) -> bool {
        self.kinds.iter().any(|(_, other)| other == glyph)
    }

    /// Whether any kind is a figure alone.
    pub fn has_figures(&self) -> bool {
        self.kinds.iter().any(|(_, glyph)| matches!(glyph, Glyph::Figure(_)))
    }

    /// The name of a kind.
    pub fn name(&self, kind: u16) -> String {
        self.kinds.get(kind as usize).map_or(String::new(), |(name, _)| name.clone())
    }

    /// How a kind is drawn.
    pub fn glyph(&self, kind: u16) -> Glyph {
        self.kinds.get(kind as usize).map_or(Glyph::Disc, |(_, glyph)| glyph.clone())
    }
}

/// Whether a kind of piece is sown.
pub fn is_seed(kind: &PieceKind) -> bool {
    known(&stem(kind)) == Some(Glyph::Seed)
}

/// A name without the number of its player; other numbers belong to the name.
pub fn stem(kind: &PieceKind) -> String {
    let number = kind.owner.map_or(0, |owner| owner.index() + 1).to_string();
    match kind.name.strip_suffix(&number) {
        Some(stem) if !stem.is_empty() && (kind.owner.is_some() || !is_numbered(stem)) => {
            stem.to_string()
        }
        _ => kind.name.clone(),
    }
}

/// Whether a name ends with a number.
fn is_numbered(name: &str) -> bool {
    name.ends_with(|c: char| c.is_ascii_digit())
}

/// A name without its number.
pub fn word(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

fn known(name: &str) -> Option<Glyph> {
    if word(name).is_empty() {
        return Some(Glyph::Figure(name.to_string()));
    }
    let lower = word(name).to_ascii_lowercase();
    let chess = [
        ("pawn", Chessman::Pawn),
        ("knight", Chessman::Knight),
        ("horse", Chessman::Knight),
        ("bishop", Chessman::Bishop),
        ("rook", Chessman::Rook),
        ("queen", Chessman::Queen),
        ("king", Chessman::King),
    ];
    if let Some(&(_, man)) = chess.iter().find(|(word, _)| lower.starts_with(word)) {
        return Some(Glyph::Chess(man));
    }
    Some(match lower.as_str() {
        "disc" | "disk" | "ball" | "counter" | "stone" | "marker" | "man" | "go" | "piece" => {
            Glyph::Disc
        }
        "doublecounter" | "dblcounter" | "kingcounter" | "counterstar" => Glyph::Double,
        "ring" | "naught" | "nought" | "o" | "circle" => Glyph::Ring,
        "cross" | "x" => Glyph::Cross,
        "square" | "tile" => Glyph::Square,
        "triangle" | "pyramid" => Glyph::Triangle,
        "star" => Glyph::Star,
        "seed" => Glyph::Seed,
        _ => return None,
    })
}

/// One or two letters for each name, as few as tell them apart; of names that differ in a number, the number.
fn letters(names: &[String]) -> HashMap<String, String> {
    let mut given: HashMap<String, String> = HashMap::new();
    for name in names {
        if given.contains_key(name) {
            continue;
        }
        let chars: Vec<char> = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let first = chars.first().copied().unwrap_or('?').to_ascii_uppercase();
        let alike = |other: &String| other != name && word(other) == word(name);
        let counted = is_numbered(name) && names.iter().any(alike);
        let number = counted.then(|| name[word(name).len()..].to_string());
        let single = std::iter::once(first.to_string());
        // `TileCurved` is `TC` before it is `Ti`.
        let capitals = chars.iter().skip(1).filter(|c| c.is_uppercase());
        let initials = capitals.map(|&c| format!("{first}{c}"));
        let pairs = chars.iter().skip(1).map(|&c| format!("{first}{}", c.to_ascii_lowercase()));
        let mut all = number.into_iter().chain(single).chain(initials).chain(pairs);
        let free = all.find(|text| !given.values().any(|taken| taken == text));
        given.insert(name.clone(), free.unwrap_or_else(|| format!("{first}{}", given.len())));
    }
    given
}

impl Glyph {
    /// Whether a number can be written on it.
    pub fn is_plain(&self) -> bool {
        matches!(self, Glyph::Disc | Glyph::Square | Glyph::Double | Glyph::Triangle)
    }

    /// Draws a piece of the player with this class; a number on it stands in the middle, and whose it is at its rim.
    pub fn draw(&self, at: Place, class: usize, number: Option<i32>) -> String {
        let Some(number) = number.filter(|_| self.is_plain()) else { return self.shape(at, class) };
        let text_of = number.to_string();
        let Place { x, y, r } = at;
        let room = match self {
            Glyph::Triangle => Place { y: y + r * 0.26, r: r * 0.62, ..at },
            Glyph::Double => Place { y: y - r * 0.2, ..at },
            Glyph::Square => Place { r: r * 0.93, ..at },
            _ => at,
        };
        let size = room.r * if text_of.len() > 2 { 0.7 } else { 1.0 };
        self.shape(at, 0) + &rim(room, class) + &text("letter", x, room.y, size, &text_of)
    }

    fn shape(&self, at: Place, class: usize) -> String {
        let Place { x, y, r } = at;
        match self {
            Glyph::Disc => circle("", x, y, r) + &mark(at, class),
            Glyph::Double => {
                let low = Place { y: y + r * 0.16, ..at };
                circle("", low.x, low.y, r)
                    + &circle("", x, y - r * 0.2, r)
                    + &mark(Place { y: y - r * 0.2, ..at }, class)
            }
            Glyph::Ring => {
                let (inside, colour) = (mark(Place { r: r * 0.7, ..at }, class), colour(class));
                let (x, y, r) = (number(x), number(y), number(r * 0.74));
                // What is inside lies on the board, where the colour of marks on a piece would hardly be seen.
                format!("<g style=\"color:var(--p{colour})\">{inside}</g>")
                    + &format!(
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" style=\"fill:none;stroke:var(--p{colour});stroke-width:7\"/>\
                         <circle class=\"in\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\" style=\"stroke-width:1.2\"/>"
                    )
            }
            Glyph::Cross => {
                star_points(at, 4, 0.38, 45.0) + &mark(Place { r: r * 0.5, ..at }, class)
            }
            Glyph::Square => {
                let s = r * 0.8;
                polygon("", [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)])
                    + &mark(at, class)
            }
            Glyph::Triangle => {
                let inside = Place { y: y + r * 0.22, r: r * 0.62, ..at };
                polygon("", [(x, y - r), (x + r * 0.9, y + r * 0.7), (x - r * 0.9, y + r * 0.7)])
                    + &mark(inside, class)
            }
            Glyph::Star => {
                star_points(at, 5, 0.45, -90.0) + &mark(Place { r: r * 0.6, ..at }, class)
            }
            Glyph::Seed => circle("seed", x, y, r * 0.3),
            Glyph::Chess(man) => chess(at, man.silhouette()) + &plate(at, class),
            Glyph::Figure(figure) => text("figure", x, y, r * 1.5, figure),
            Glyph::Letters(letters) => {
                let size = r * if letters.chars().count() > 1 { 0.85 } else { 1.1 };
                circle("", x, y, r) + &rim(at, class) + &text("letter", x, y, size, letters)
            }
        }
    }
}

/// So many players have colours of their own; those after them share these, and their marks have a dashed ring.
const COLOURS: usize = 8;

/// The number of the colour that the pieces of this class have.
pub fn colour(class: usize) -> usize {
    if class == 0 { 0 } else { (class - 1) % COLOURS + 1 }
}

/// The mark of a player on a plain piece: none, a ring, a dot, a bar, a cross …
pub fn mark(at: Place, class: usize) -> String {
    let Place { x, y, r } = at;
    let s = r * 0.42;
    if class > COLOURS {
        return circle("in second", x, y, r * 0.78) + &mark(at, class - COLOURS);
    }
    match class {
        2 => circle("in", x, y, r * 0.55),
        3 => circle("in", x, y, r * 0.16),
        4 => line("in", (x - s, y), (x + s, y)),
        5 => line("in", (x - s, y), (x + s, y)) + &line("in", (x, y - s), (x, y + s)),
        6 => polygon("in", [(x, y - s), (x + s, y + s * 0.7), (x - s, y + s * 0.7)]),
        7 => polygon("in", [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)]),
        8 => {
            line("in", (x - s, y - s), (x + s, y + s)) + &line("in", (x - s, y + s), (x + s, y - s))
        }
        _ => String::new(),
    }
}

/// The mark of a player where the middle of a piece is taken.
fn rim(at: Place, class: usize) -> String {
    match class {
        _ if class > COLOURS => {
            circle("in second", at.x, at.y, at.r * 0.93) + &rim(at, class - COLOURS)
        }
        2 => circle("in", at.x, at.y, at.r * 0.84),
        _ => mark(Place { y: at.y + at.r * 0.7, r: at.r * 0.42, ..at }, class),
    }
}

/// The mark of a player beside a chessman. White and black ones are told apart by being outlines and silhouettes.
fn plate(at: Place, class: usize) -> String {
    if class < 3 {
        return String::new();
    }
    let corner = Place { x: at.x + at.r * 0.68, y: at.y + at.r * 0.68, r: at.r * 0.36 };
    circle("", corner.x, corner.y, corner.r) + &mark(corner, class)
}

fn star_points(at: Place, arms: usize, inner: f32, turn: f32) -> String {
    let corner = |n: usize| {
        let angle = (turn + 180.0 * n as f32 / arms as f32).to_radians();
        let away = at.r * if n.is_multiple_of(2) { 1.0 } else { inner };
        (at.x + away * angle.cos(), at.y + away * angle.sin())
    };
    polygon("", (0..2 * arms).map(corner))
}

impl Chessman {
    fn silhouette(self) -> &'static str {
        match self {
            Chessman::Pawn => PAWN,
            Chessman::Knight => KNIGHT,
            Chessman::Bishop => BISHOP,
            Chessman::Rook => ROOK,
            Chessman::Queen => QUEEN,
            Chessman::King => KING,
        }
    }
}

/// A silhouette in a box of 40 by 40.
fn chess(at: Place, shape: &str) -> String {
    let scale = number(at.r * 2.25 / 40.0);
    let (x, y) = (number(at.x - at.r * 1.125), number(at.y - at.r * 1.125));
    format!("<g transform=\"translate({x} {y}) scale({scale})\">{shape}</g>")
}

const PAWN: &str = "<path d=\"M20 6a5.4 5.4 0 0 1 3.6 9.4c2.6 1.1 4 3 4 5.2h-3.4c.3 4.4 2.2 7.6 5.6 10v4.4H10.2v-4.4c3.4-2.4 5.3-5.6 5.6-10h-3.4c0-2.2 1.4-4.1 4-5.2A5.4 5.4 0 0 1 20 6Z\"/>";
const ROOK: &str = "<path d=\"M9.5 6h5v3.4h3V6h5v3.4h3V6h5v8.2l-3.4 2.6v10l2.6 3.2v1.4h2.3V35H8v-3.6h2.3V30l2.6-3.2v-10l-3.4-2.6Z\"/><path class=\"in\" d=\"M12.9 16.8h14.2M12.9 26.8h14.2M10.3 31.4h19.4\"/>";
const KNIGHT: &str = "<path d=\"M16 5.2l2.6 3.1C26.4 8.800 31.400 14.600 31.400 24.200V31.400H33V35H10.600v-3.600h1.800c.2-5.200 4-7.400 6.800-11.200-2 1.600-4.400 1.500-5.800 2.600-1 .8-1.300 2.300-2.900 2.300-1.900 0-3.900-1.800-3.900-3.900 0-2.600 2.700-5.300 4.700-8.400C12.500 10.600 13.400 8 16 5.200Z\"/><path class=\"in\" d=\"M14.600 13.400l1.800-.8M12.400 31.400h19M24 12.600c3 3 4 7.600 4 12.400\"/>";
const BISHOP: &str = "<path d=\"M20 3.600a2.500 2.500 0 0 1 1.700 4.300c3.600 2.500 6.300 6 6.300 10 0 3-1.500 5.300-3.800 6.900l1.600 4.200h-2.500c1 1.500 3.200 2.400 7.700 2.400V35H9v-3.600c4.500 0 6.700-.9 7.700-2.400h-2.500l1.600-4.200C13.500 23.200 12 20.900 12 17.900c0-4 2.700-7.500 6.300-10A2.500 2.500 0 0 1 20 3.600Z\"/><path class=\"in\" d=\"M20 12v8M16.600 15.600h6.800M15.800 24.800h8.400M14.200 29h11.600\"/>";
const QUEEN: &str = "<path d=\"M6.800 10.200a2.200 2.200 0 1 1 2.900 2.100l4.300 7.900 2.300-10.300a2.300 2.300 0 1 1 2.500-.2L20 9.500l1.200.2a2.300 2.300 0 1 1 2.500.2L26 20.200l4.300-7.900a2.200 2.200 0 1 1 2.900-2.100l-3.700 16.600c-.9 1-.7 2 .4 3v1.600h1.600V35H8.500v-3.600h1.600v-1.600c1.100-1 1.300-2 .4-3Z\"/><path class=\"in\" d=\"M10.500 26.800c6.200-2 12.800-2 19 0M10.100 31.400h19.800\"/>";
const KING: &str = "<path d=\"M18.500 2.600h3v2.800h2.800v2.900h-2.800v3.300c1.200.6 2 1.600 2.400 3 5.600-3 10.500.3 10.500 5 0 3.600-2.600 6-4.300 7.800v4h1.600V35H8.300v-3.600h1.600v-4C8.200 25.600 5.600 23.200 5.600 19.600c0-4.700 4.900-8 10.500-5 .4-1.400 1.200-2.400 2.400-3V8.300h-2.800V5.400h2.800Z\"/><path class=\"in\" d=\"M20 24.500c-.4-4.300-1.700-7.400-3.900-9.900M20 24.500c.4-4.300 1.700-7.400 3.900-9.900M9.900 27.400c6.400-2.600 13.800-2.600 20.200 0M9.900 31.400h20.200\"/>";

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Player;

    #[test]
    fn kinds_are_told_apart() {
        let mut geometry = Geometry::rectangle(2, 2);
        for name in ["King1", "Knight1", "Kirin1", "Kylin1", "Disc1"] {
            geometry.kinds.push(PieceKind { name: name.into(), owner: Some(Player(0)) });
        }
        let glyphs = Glyphs::of(&geometry);
        let all: Vec<Glyph> = (0..5).map(|kind| glyphs.glyph(kind)).collect();
        for (index, glyph) in all.iter().enumerate() {
            assert!(!all[..index].contains(glyph), "{glyph:?} twice");
        }
        assert_eq!(all[4], Glyph::Disc);
    }

    /// Without its colours a piece still says whose it is.
    #[test]
    fn owners_differ_in_form() {
        let at = Place { x: 0.0, y: 0.0, r: 10.0 };
        let all = [
            Glyph::Disc,
            Glyph::Double,
            Glyph::Ring,
            Glyph::Cross,
            Glyph::Square,
            Glyph::Triangle,
            Glyph::Star,
            Glyph::Letters("K".to_string()),
            Glyph::Chess(Chessman::Knight),
        ];
        for glyph in all {
            // White and black chessmen are outlines and silhouettes.
            let first = if matches!(glyph, Glyph::Chess(_)) { 2 } else { 1 };
            let forms: Vec<String> = (first..=16)
                .map(|class| {
                    glyph.draw(at, class, None).replace(&format!("--p{}", colour(class)), "--p")
                })
                .collect();
            for (index, form) in forms.iter().enumerate() {
                assert!(!forms[..index].contains(form), "{glyph:?}: {form} twice");
            }
        }
    }

    #[test]
    fn numbers_of_players_are_no_part_of_a_name_and_others_are() {
        let mut geometry = Geometry::rectangle(2, 2);
        let kinds = [
            ("Disc1", Some(Player(0))),
            ("Disc2", Some(Player(1))),
            ("Peg3", None),
            ("Peg12", None),
            ("7", None),
            ("Cross0", None),
        ];
        for (name, owner) in kinds {
            geometry.kinds.push(PieceKind { name: name.into(), owner });
        }
        let glyphs = Glyphs::of(&geometry);
        let letters = |text: &str| Glyph::Letters(text.to_string());
        let all: Vec<Glyph> = (0..6).map(|kind| glyphs.glyph(kind)).collect();
        assert_eq!(
            all,
            [
                Glyph::Disc,
                Glyph::Disc,
                letters("3"),
                letters("12"),
                Glyph::Figure("7".to_string()),
                Glyph::Cross
            ]
        );
    }
}
