//! What changes in a picture: pieces, stacks, counts, dice, what is hidden.

use crate::board::class_of;
use crate::body;
use crate::glyphs::{Glyph, Glyphs, colour, mark};
use crate::layout::{Layout, Place, UNIT};
use crate::svg::{circle, escaped, line, number, polygon, text};
use ludex_game::geometry::{ContainerKind, Element, Geometry, SiteId};
use ludex_game::{Hidden, Piece, View};

/// At most so many pieces of a stack are drawn; the badge says how many there are.
const TALLEST: usize = 6;

/// How thick a piece on an edge is.
const BAR: f32 = 9.0;

/// At most so many seeds are drawn one by one.
const MOST_SEEDS: u32 = 12;

/// Everything that stands somewhere.
pub fn pieces(geometry: &Geometry, layout: &Layout, view: &View) -> String {
    let glyphs = &layout.glyphs;
    let bodies = body::all(geometry, view);
    let mut out = String::new();
    for site in 0..geometry.len().min(view.len()) as SiteId {
        let stack = view.stack(site);
        let Some(top) = stack.last() else { continue };
        let place = layout.places[site as usize];
        if is_dice(geometry, site) {
            out.push_str(&die(place, top));
        } else if let Some(body) = bodies.get(&top.root) {
            if body[0] == site {
                out.push_str(&body::draw(geometry, layout, glyphs, view, body));
            }
        } else if geometry.sites[site as usize].element == Element::Edge {
            out.push_str(&bars(geometry, layout, site, stack));
        } else {
            let crossed = is_figure(glyphs, top) && !geometry.lines.is_empty();
            // Lines through a figure would be part of it.
            out.extend(crossed.then(|| circle("plate", place.x, place.y, place.r * 0.66)));
            out.push_str(&pile(glyphs, place, stack, layout.is_given(site)));
        }
    }
    out
}

fn is_figure(glyphs: &Glyphs, piece: &Piece) -> bool {
    piece.kind.is_some_and(|kind| matches!(glyphs.glyph(kind), Glyph::Figure(_)))
}

/// What stays upright, and where it is, when somebody turns the board.
pub fn upright(at: Place, inside: &str) -> String {
    let [x, y] = [at.x, at.y].map(number);
    format!("<g class=\"upright\" style=\"transform-origin:{x}px {y}px\">{inside}</g>")
}

fn is_dice(geometry: &Geometry, site: SiteId) -> bool {
    let container = geometry.sites[site as usize].container as usize;
    geometry.containers[container].kind == ContainerKind::Dice
}

/// A piece on an edge is the edge, drawn thick; of several the last is there, and those below it lie beside.
fn bars(geometry: &Geometry, layout: &Layout, site: SiteId, stack: &[Piece]) -> String {
    let at = &geometry.sites[site as usize];
    let (frame, place) = (&layout.frames[at.container as usize], layout.places[site as usize]);
    let [a, b] = at.outline[..] else {
        return pile(&layout.glyphs, place, stack, layout.is_given(site));
    };
    let ends = [frame.at(a), frame.at(b)];
    let shown = &stack[stack.len().saturating_sub(TALLEST)..];
    let mut out: String = shown
        .iter()
        .enumerate()
        .map(|(level, piece)| {
            let aside = BAR * (shown.len() - 1 - level) as f32;
            bar(&layout.glyphs, place, ends, aside, piece)
        })
        .collect();
    // Numbers are as large as those on other pieces, though edges are thin.
    out.push_str(&upright(place, &counted(Place { r: UNIT * 0.4, ..place }, stack)));
    out
}

/// A piece on an edge, so far beside it.
fn bar(
    glyphs: &Glyphs,
    place: Place,
    [(ax, ay), (bx, by)]: [(f32, f32); 2],
    aside: f32,
    piece: &Piece,
) -> String {
    let length = (bx - ax).hypot(by - ay).max(1e-3);
    let (dx, dy) = ((bx - ax) / length, (by - ay) / length);
    // Beside is below or to the right.
    let side = if (dx, -dy) < (0.0, 0.0) { -1.0 } else { 1.0 };
    let moved = |(x, y): (f32, f32), on: f32, out: f32| {
        let out = side * (out + aside);
        (x + dx * on - dy * out, y + dy * on + dx * out)
    };
    let class = class_of(piece.owner);
    let colour = colour(class);
    let title = titled(glyphs, piece);
    let half = BAR / 2.0;
    let shape = |half: f32| {
        let ends = [
            (ax, ay, BAR, half),
            (bx, by, -BAR, half),
            (bx, by, -BAR, -half),
            (ax, ay, BAR, -half),
        ];
        polygon("", ends.map(|(x, y, on, out)| moved((x, y), on, out)))
    };
    let (x, y) = moved((place.x, place.y), 0.0, 0.0);
    match piece.kind.filter(|_| !is_unseen(piece)).map(|kind| glyphs.glyph(kind)) {
        // Puzzles say of edges whether they are drawn, by a number.
        Some(Glyph::Figure(figure)) if figure == "0" => {
            let s = BAR * 0.45;
            let cross = line("", (x - s, y - s), (x + s, y + s))
                + &line("", (x - s, y + s), (x + s, y - s));
            format!("<g class=\"piece crossed\"><title>{title}</title>{cross}</g>")
        }
        Some(Glyph::Figure(_)) => {
            format!("<g class=\"piece inked\"><title>{title}</title>{}</g>", shape(half * 0.7))
        }
        _ => {
            let at = Place { x, y, r: BAR };
            let said =
                upright(at, &(mark(at, class) + &state(Place { r: UNIT * 0.4, ..at }, piece)));
            format!("<g class=\"piece o{colour}\"><title>{title}</title>{}{said}</g>", shape(half))
        }
    }
}

/// How many pieces there are, where it is more than one.
fn counted(place: Place, stack: &[Piece]) -> String {
    let count = if stack.len() > 1 { stack.len() as u32 } else { stack[0].count };
    if count > 1 { badge(place, count) } else { String::new() }
}

/// Whether nobody who looks may know what it is; what it is worth or how it stands would tell him.
fn is_unseen(piece: &Piece) -> bool {
    piece.kind.is_none() || piece.hidden.has(Hidden::KIND)
}

/// The pieces of one site, lowest first.
fn pile(glyphs: &Glyphs, place: Place, stack: &[Piece], given: bool) -> String {
    let shown = &stack[stack.len().saturating_sub(TALLEST)..];
    let rise = place.r * if shown.len() > 4 { 0.16 } else { 0.22 };
    let base = place.y + rise * (shown.len() - 1) as f32 / 2.0;
    let size = place.r * if shown.len() > 1 { 0.72 } else { 0.8 };
    let mut out = String::new();
    for (level, piece) in shown.iter().enumerate() {
        let at = Place { y: base - rise * level as f32, r: size, ..place };
        out.push_str(&piece_at(glyphs, at, piece, given));
    }
    out.push_str(&counted(place, stack));
    upright(place, &out)
}

fn piece_at(glyphs: &Glyphs, at: Place, piece: &Piece, given: bool) -> String {
    let class = class_of(piece.owner);
    let colour = colour(class);
    let glyph = piece.kind.filter(|_| !is_unseen(piece)).map(|kind| glyphs.glyph(kind));
    let value = (piece.value != 0).then_some(piece.value);
    let inside = match glyph {
        None => Glyph::Letters("?".to_string()).draw(at, class, None),
        Some(Glyph::Seed) => seeds(at, piece.count),
        Some(glyph) if glyph.is_plain() => glyph.draw(at, class, value) + &state(at, piece),
        // Chessmen have states for what they may do still, which nobody sees on a board.
        Some(glyph @ (Glyph::Chess(_) | Glyph::Figure(_))) => glyph.draw(at, class, None),
        Some(glyph) => {
            let valued = value.map_or(String::new(), |value| corner(at, -1.0, value));
            glyph.draw(at, class, None) + &valued + &state(at, piece)
        }
    };
    let turned = match piece.rotation {
        0 => String::new(),
        turns => {
            let (degrees, x, y) = (turns * 45, number(at.x), number(at.y));
            format!(" transform=\"rotate({degrees} {x} {y})\"")
        }
    };
    let title = titled(glyphs, piece);
    let own = if given { "" } else { " own-figure" };
    format!("<g class=\"piece o{colour}{own}\"{turned}><title>{title}</title>{inside}</g>")
}

/// The state of a piece, in its corner.
fn state(at: Place, piece: &Piece) -> String {
    match piece.state {
        0 => String::new(),
        _ if is_unseen(piece) => String::new(),
        state => corner(at, 1.0, state),
    }
}

/// A number in a corner of a piece: below on its right, or above on its left.
fn corner(at: Place, side: f32, shown: i32) -> String {
    let (x, y, r) = (at.x + side * at.r * 0.62, at.y + side * at.r * 0.62, at.r * 0.36);
    let shown = shown.to_string();
    let size = r * if shown.len() > 2 { 0.9 } else { 1.3 };
    circle("state", x, y, r) + &text("letter", x, y, size, &shown)
}

/// What a piece is, in words, as it may stand between tags.
pub fn titled(glyphs: &Glyphs, piece: &Piece) -> String {
    let Some(kind) = piece.kind.filter(|_| !is_unseen(piece)) else { return "hidden".to_string() };
    let mut words = vec![glyphs.name(kind)];
    let facts =
        [("×", piece.count as i32, 1), ("value", piece.value, 0), ("state", piece.state, 0)];
    words.extend(
        facts.iter().filter(|(_, n, usual)| n != usual).map(|(what, n, _)| format!("{what} {n}")),
    );
    escaped(&words.join(", "))
}

/// Seeds in a hole: one by one while they are few.
fn seeds(at: Place, count: u32) -> String {
    let shown = count.min(MOST_SEEDS);
    let golden = 2.399_963_f32;
    (0..shown)
        .map(|n| {
            let away = at.r * 0.72 * ((n as f32 + 0.3) / (shown as f32).max(2.0)).sqrt();
            let angle = golden * n as f32;
            circle("seed", at.x + away * angle.cos(), at.y + away * angle.sin(), at.r * 0.17)
        })
        .collect()
}

fn badge(place: Place, count: u32) -> String {
    let (x, y) = (place.x + place.r * 0.62, place.y - place.r * 0.62);
    let text_of = count.to_string();
    let size = place.r * if text_of.len() > 2 { 0.36 } else { 0.46 };
    circle("badge", x, y, place.r * 0.36) + &text("tally", x, y, size, &text_of)
}

/// A die that shows a number; many pips are a figure.
fn die(place: Place, piece: &Piece) -> String {
    let r = place.r * 0.72;
    let [x, y, side, round] = [place.x - r, place.y - r, 2.0 * r, r * 0.3].map(number);
    let mut out = format!(
        "<rect class=\"die\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{round}\"/>"
    );
    match pips(piece.value) {
        Some(pips) => out.extend(pips.iter().map(|&(column, row)| {
            circle("pip", place.x + r * 0.55 * column, place.y + r * 0.55 * row, r * 0.16)
        })),
        None => out.push_str(&text("label", place.x, place.y, r, &piece.value.to_string())),
    }
    out
}

fn pips(shown: i32) -> Option<&'static [(f32, f32)]> {
    Some(match shown {
        0 => &[],
        1 => &[(0.0, 0.0)],
        2 => &[(-1.0, -1.0), (1.0, 1.0)],
        3 => &[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)],
        4 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
        5 => &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        6 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        _ => return None,
    })
}
