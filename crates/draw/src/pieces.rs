//! What changes in a picture: pieces, stacks, counts, dice, what is hidden.

use crate::board::class_of;
use crate::body;
use crate::glyphs::{Glyph, Glyphs, mark};
use crate::layout::{Layout, Place};
use crate::svg::{circle, number, polygon, text};
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
            out.push_str(&bar(geometry, layout, glyphs, site, top));
        } else {
            out.push_str(&pile(glyphs, place, stack));
        }
    }
    out
}

fn is_dice(geometry: &Geometry, site: SiteId) -> bool {
    let container = geometry.sites[site as usize].container as usize;
    geometry.containers[container].kind == ContainerKind::Dice
}

/// A piece on an edge is the edge, drawn thick.
fn bar(
    geometry: &Geometry,
    layout: &Layout,
    glyphs: &Glyphs,
    site: SiteId,
    piece: &Piece,
) -> String {
    let at = &geometry.sites[site as usize];
    let (frame, place) = (&layout.frames[at.container as usize], layout.places[site as usize]);
    let [a, b] = at.outline[..] else { return pile(glyphs, place, &[*piece]) };
    let [(ax, ay), (bx, by)] = [frame.at(a), frame.at(b)];
    let length = (bx - ax).hypot(by - ay).max(1e-3);
    let (along, aside) = (((bx - ax) / length, (by - ay) / length), BAR / 2.0);
    let corner = |(x, y): (f32, f32), on: f32, out: f32| {
        (x + along.0 * on - along.1 * out, y + along.1 * on + along.0 * out)
    };
    let ends = [(ax, ay), (bx, by)];
    let corners = [
        corner(ends[0], BAR, aside),
        corner(ends[1], -BAR, aside),
        corner(ends[1], -BAR, -aside),
        corner(ends[0], BAR, -aside),
    ];
    let class = class_of(piece.owner);
    let name = piece.kind.map(|kind| glyphs.name(kind)).unwrap_or_default();
    let title = crate::svg::escaped(&title(&name, piece));
    let marked = mark(Place { r: BAR, ..place }, class);
    let shape = polygon("", corners);
    format!("<g class=\"piece o{class}\"><title>{title}</title>{shape}{marked}</g>")
}

/// The pieces of one site, lowest first.
fn pile(glyphs: &Glyphs, place: Place, stack: &[Piece]) -> String {
    let shown = &stack[stack.len().saturating_sub(TALLEST)..];
    let rise = place.r * if shown.len() > 4 { 0.16 } else { 0.22 };
    let base = place.y + rise * (shown.len() - 1) as f32 / 2.0;
    let size = place.r * if shown.len() > 1 { 0.72 } else { 0.8 };
    let mut out = String::new();
    for (level, piece) in shown.iter().enumerate() {
        let at = Place { y: base - rise * level as f32, r: size, ..place };
        out.push_str(&piece_at(glyphs, at, piece));
    }
    let top = shown[shown.len() - 1];
    let count = if stack.len() > 1 { stack.len() as u32 } else { top.count };
    if count > 1 {
        out.push_str(&badge(place, count));
    }
    out
}

fn piece_at(glyphs: &Glyphs, at: Place, piece: &Piece) -> String {
    let class = class_of(piece.owner);
    let name = piece.kind.map(|kind| glyphs.name(kind)).unwrap_or_default();
    let glyph = match piece.kind {
        _ if piece.hidden.has(Hidden::KIND) => Glyph::Letters("?".to_string()),
        Some(kind) => glyphs.glyph(kind),
        None => Glyph::Letters("?".to_string()),
    };
    let value = (piece.value != 0).then_some(piece.value);
    let inside = match glyph {
        Glyph::Seed => seeds(at, piece.count),
        glyph => glyph.draw(at, class, value) + &state(at, &glyph, piece.state),
    };
    let turned = match piece.rotation {
        0 => String::new(),
        turns => {
            let (degrees, x, y) = (turns * 45, number(at.x), number(at.y));
            format!(" transform=\"rotate({degrees} {x} {y})\"")
        }
    };
    let title = crate::svg::escaped(&title(&name, piece));
    format!("<g class=\"piece o{class}\"{turned}><title>{title}</title>{inside}</g>")
}

/// The state of a plain piece, in its corner. Chessmen have states for what they may do still, which nobody sees on a board.
fn state(at: Place, glyph: &Glyph, state: i32) -> String {
    if state == 0 || !glyph.is_plain() {
        return String::new();
    }
    let (x, y, r) = (at.x + at.r * 0.62, at.y + at.r * 0.62, at.r * 0.36);
    circle("state", x, y, r) + &text("letter", x, y, r * 1.3, &state.to_string())
}

/// What a piece is, in words.
pub fn title(name: &str, piece: &Piece) -> String {
    let mut words = vec![if name.is_empty() { "hidden".to_string() } else { name.to_string() }];
    let facts =
        [("×", piece.count as i32, 1), ("value", piece.value, 0), ("state", piece.state, 0)];
    words.extend(
        facts.iter().filter(|(_, n, usual)| n != usual).map(|(what, n, _)| format!("{what} {n}")),
    );
    words.join(", ")
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
