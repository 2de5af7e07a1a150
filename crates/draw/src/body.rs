//! Pieces that cover several cells: one shape each.

use std::collections::BTreeMap;

use crate::board::class_of;
use crate::glyphs::{Glyph, Glyphs, colour, mark, word};
use crate::layout::{Layout, Place};
use crate::pieces::{titled, upright};
use crate::svg::{number, polygon, text};
use ludex_game::geometry::{Geometry, SiteId};
use ludex_game::{Hidden, Piece, View};

/// How much of a cell a piece takes that covers it.
const FILLED: f32 = 0.84;

/// The cells of each piece that covers several, by the one it stands on.
pub fn all(geometry: &Geometry, view: &View) -> BTreeMap<SiteId, Vec<SiteId>> {
    let mut bodies: BTreeMap<SiteId, Vec<SiteId>> = BTreeMap::new();
    let sites = 0..geometry.len().min(view.len()) as SiteId;
    let covered = |site: SiteId| view.stack(site).last().is_some_and(|top| top.root != site);
    if !sites.clone().any(covered) {
        return bodies;
    }
    for site in sites {
        if let Some(top) = view.stack(site).last() {
            bodies.entry(top.root).or_default().push(site);
        }
    }
    bodies.retain(|_, sites| sites.len() > 1);
    bodies
}

/// A piece over all of its cells.
pub fn draw(
    geometry: &Geometry,
    layout: &Layout,
    glyphs: &Glyphs,
    view: &View,
    body: &[SiteId],
) -> String {
    let pieces: Vec<Piece> =
        body.iter().filter_map(|&site| view.stack(site).last().copied()).collect();
    let places: Vec<Place> = body.iter().map(|&site| layout.places[site as usize]).collect();
    let class = class_of(pieces[0].owner);
    let colour = colour(class);
    let joins = joins(geometry, layout, body);
    let width = places.iter().map(|place| place.r).fold(f32::INFINITY, f32::min) * 2.0 * FILLED;
    // All of it with its outline, and then without, so that nothing is seen of where its cells meet.
    let mut shape = drawn(&joins, width + 1.8, "");
    shape.extend(body.iter().map(|&site| cell(geometry, layout, site)));
    shape.push_str(&drawn(&joins, width - 1.6, &format!("stroke:var(--p{colour})")));
    shape.extend(rings(&joins).into_iter().map(|ring| polygon("filled", ring)));
    let hidden = pieces[0].hidden.has(Hidden::KIND) || pieces[0].kind.is_none();
    let name = pieces[0].kind.map(|kind| glyphs.name(kind)).unwrap_or_default();
    let halves = (!hidden && word(&name) == "Domino").then(|| halves(&pieces, &places));
    let said = match pieces[0].kind.filter(|_| !hidden).map(|kind| glyphs.glyph(kind)) {
        None => letters(middle(&places), "?"),
        _ if halves.is_some() => {
            let said = halves.into_iter().flatten();
            said.map(|(at, pips)| letters(at, &pips.to_string())).collect()
        }
        Some(Glyph::Letters(kind)) => {
            let at = middle(&places);
            upright(at, &(text("letter", at.x, at.y, at.r, &kind) + &mark(corner(&places), class)))
        }
        Some(_) => upright(middle(&places), &mark(middle(&places), class)),
    };
    let title = titled(glyphs, &Piece { value: 0, state: 0, ..pieces[0] });
    format!("<g class=\"piece o{colour}\"><title>{title}</title>{shape}{said}</g>")
}

fn letters(at: Place, said: &str) -> String {
    upright(at, &text("letter", at.x, at.y, at.r, said))
}

/// Pairs of cells of a piece that touch.
fn joins(geometry: &Geometry, layout: &Layout, body: &[SiteId]) -> Vec<[Place; 2]> {
    let pairs = body.iter().flat_map(|&a| {
        let near = geometry.around(a).iter().filter(move |&&b| a < b && body.contains(&b));
        near.map(move |&b| [a, b].map(|site| layout.places[site as usize]))
    });
    pairs.collect()
}

/// Four cells that touch in a ring enclose a corner, which neither they nor their joins cover.
fn rings(joins: &[[Place; 2]]) -> Vec<[(f32, f32); 4]> {
    let met = |a: Place, b: Place| joins.contains(&[a, b]) || joins.contains(&[b, a]);
    let ends = move |&[a, b]: &[Place; 2], &[c, d]: &[Place; 2]| {
        // Opposite sides of the ring, one way round or the other.
        match (met(a, c) && met(b, d), met(a, d) && met(b, c)) {
            _ if a == c || a == d || b == c || b == d => None,
            (true, _) => Some([a, b, d, c]),
            (_, true) => Some([a, b, c, d]),
            _ => None,
        }
    };
    let pairs = joins.iter().enumerate();
    let pairs = pairs.flat_map(move |(n, one)| joins[..n].iter().map(move |other| (one, other)));
    let mut found: Vec<[Place; 4]> = Vec::new();
    for ring in pairs.filter_map(|(one, other)| ends(one, other)) {
        // Its other two sides are opposite each other as well.
        if !found.iter().any(|known| ring.iter().all(|place| known.contains(place))) {
            found.push(ring);
        }
    }
    found.into_iter().map(|ring| ring.map(|place| (place.x, place.y))).collect()
}

fn drawn(joins: &[[Place; 2]], width: f32, style: &str) -> String {
    let line = |[a, b]: &[Place; 2]| {
        let [x1, y1, x2, y2, width] = [a.x, a.y, b.x, b.y, width].map(number);
        format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" style=\"stroke-width:{width};{style}\"/>"
        )
    };
    joins.iter().map(line).collect()
}

fn cell(geometry: &Geometry, layout: &Layout, site: SiteId) -> String {
    let (at, place) = (&geometry.sites[site as usize], layout.places[site as usize]);
    let frame = &layout.frames[at.container as usize];
    let near =
        |(x, y): (f32, f32)| (place.x + FILLED * (x - place.x), place.y + FILLED * (y - place.y));
    polygon("", at.outline.iter().map(|&point| near(frame.at(point))))
}

/// The cell nearest to the middle of all.
fn middle(places: &[Place]) -> Place {
    let count = places.len() as f32;
    let sum = places.iter().fold((0.0, 0.0), |(x, y), place| (x + place.x, y + place.y));
    let (x, y) = (sum.0 / count, sum.1 / count);
    let away = |place: &Place| (place.x - x).hypot(place.y - y);
    places.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or_default()
}

/// Room for a small mark beside letters.
fn corner(places: &[Place]) -> Place {
    let Place { x, y, r } = middle(places);
    Place { x: x + r * 0.5, y: y + r * 0.5, r: r * 0.36 }
}

/// What the halves of a domino show, in the middle of each. Doubles show the same on both: they are parted across their length.
fn halves(pieces: &[Piece], places: &[Place]) -> [(Place, i32); 2] {
    let mut order: Vec<usize> = (0..places.len()).collect();
    let span = |of: fn(&Place) -> f32| {
        let all = || places.iter().map(of);
        all().fold(f32::MIN, f32::max) - all().fold(f32::MAX, f32::min)
    };
    let along = if span(|place| place.x) > span(|place| place.y) {
        |place: &Place| place.x
    } else {
        |place: &Place| place.y
    };
    order.sort_by(|&a, &b| along(&places[a]).total_cmp(&along(&places[b])));
    let half = |which: &[usize]| {
        let count = which.len() as f32;
        let sum = which.iter().fold((0.0, 0.0), |(x, y), &n| (x + places[n].x, y + places[n].y));
        let at = Place { x: sum.0 / count, y: sum.1 / count, r: places[which[0]].r * 1.6 };
        (at, pieces[which[0]].value)
    };
    let (low, high) = order.split_at(order.len() / 2);
    [half(low), half(high)]
}

#[cfg(test)]
mod tests {
    use ludex_game::geometry::PieceKind;

    use super::*;

    #[test]
    fn a_large_piece_is_one_shape_and_dominoes_show_their_halves() {
        let mut board = Geometry::rectangle(3, 3);
        let kind = |name: &str| PieceKind { name: name.to_string(), owner: None };
        board.kinds = vec![kind("L"), kind("Domino25")];
        let layout = Layout::new(&board);
        let mut view = View::new();
        view.reset(&board, 2);
        for site in [0, 1, 3] {
            view.put(site, Piece { root: 0, ..Piece::plain(0, None, 0) });
        }
        for (site, value) in [(4, 2), (5, 5)] {
            view.put(site, Piece { root: 4, value, ..Piece::plain(1, None, 4) });
        }
        let bodies = all(&board, &view);
        assert_eq!(bodies.len(), 2);
        let drawn = crate::pieces(&board, &layout, &view);
        assert_eq!(drawn.matches("<g class=\"piece").count(), 2);
        let said: Vec<&str> =
            drawn.split("</text>").filter_map(|part| part.rsplit('>').next()).collect();
        assert!(said.contains(&"2") && said.contains(&"5") && said.contains(&"L"), "{said:?}");
        assert!(!drawn.contains("badge"));
    }
}
