//! A pattern around a move, in the symbols of the paper that proposed them: discs for pieces, dots for empty sites, a green
//! plus where a move is encouraged and a red minus where it is not.

use crate::layout::{Layout, UNIT};
use crate::svg::{circle, line, number, polygon, text};
use ludex_game::geometry::{Element, Geometry, SiteId};

/// Where a sign stands: on a site, or outside the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// On a site.
    On(SiteId),
    /// One step beyond a site, across one of its sides.
    Beyond(SiteId, usize),
}

/// What is drawn there.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// A piece of the mover's: a white disc.
    Friend,
    /// A piece of somebody else's: a black disc.
    Enemy,
    /// Nothing may stand there: a dot.
    Empty,
    /// A sign that must not be true.
    Not(Box<Sign>),
    /// Outside the board.
    Off,
    /// Anything that words say shortly: a kind of piece, a region.
    Word(String),
    /// The move ends here and is encouraged.
    Plus,
    /// The move ends here and is discouraged.
    Minus,
    /// The move starts here.
    Start,
    /// The move before ended here.
    LastEnd,
    /// The move before started here.
    LastStart,
}

/// Signs of a pattern on the part of a board around them, as an SVG document.
pub fn pattern(geometry: &Geometry, signs: &[(Spot, Sign)]) -> String {
    let layout = Layout::new(geometry);
    let places: Vec<(f32, f32)> =
        signs.iter().map(|(spot, _)| place(geometry, &layout, *spot)).collect();
    let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    for &(x, y) in &places {
        (low.0, low.1) = (low.0.min(x), low.1.min(y));
        (high.0, high.1) = (high.0.max(x), high.1.max(y));
    }
    if places.is_empty() {
        (low, high) = ((0.0, 0.0), (layout.width, layout.height));
    }
    let room = 1.15 * UNIT;
    let (left, top) = (low.0 - room, low.1 - room);
    let (width, height) = (high.0 - low.0 + 2.0 * room, high.1 - low.1 + 2.0 * room);
    let mut out = String::new();
    let seen = |x: f32, y: f32| {
        let (dx, dy) = (x - left, y - top);
        dx > -UNIT && dy > -UNIT && dx < width + UNIT && dy < height + UNIT
    };
    for (index, site) in geometry.sites.iter().enumerate() {
        let at = layout.places[index];
        let frame = &layout.frames[site.container as usize];
        if site.container != 0 || !seen(at.x, at.y) {
            continue;
        }
        match site.element {
            Element::Cell => {
                out.push_str(&polygon("ground", site.outline.iter().map(|&p| frame.at(p))))
            }
            Element::Vertex => out.push_str(&circle("point", at.x, at.y, 3.0)),
            Element::Edge => {}
        }
    }
    for &[a, b] in &geometry.lines {
        let (a, b) = (layout.frames[0].at(a), layout.frames[0].at(b));
        if seen(a.0, a.1) || seen(b.0, b.1) {
            out.push_str(&line("faint", a, b));
        }
    }
    out.push_str(&links(geometry, signs, &places));
    // Discs first, so that what is said of the same site is seen on them.
    let mut order: Vec<usize> = (0..signs.len()).collect();
    order.sort_by_key(|&at| !matches!(signs[at].1, Sign::Friend | Sign::Enemy));
    for at in order {
        let size = match signs[at].0 {
            Spot::On(site) => layout.places[site as usize].r,
            Spot::Beyond(..) => UNIT * 0.5,
        };
        out.push_str(&drawn(&signs[at].1, places[at], size * 0.72));
    }
    let view = [left, top, width, height].map(number).join(" ");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view}\" width=\"{}\" height=\"{}\" class=\"ludex\">\
         <style>{}{STYLE}</style>{out}</svg>",
        number(width),
        number(height),
        crate::STYLE
    )
}

const STYLE: &str = "\
.ludex .ground{fill:var(--paper);stroke:var(--line);stroke-opacity:.35}\
.ludex .faint{stroke:var(--line);stroke-opacity:.35}\
.ludex .link{stroke:#333;stroke-width:2}\
.ludex .own{fill:#fff;stroke:#222;stroke-width:2}.ludex .other{fill:#222;stroke:#000;stroke-width:2}\
.ludex .dot{fill:#fff;stroke:#222;stroke-width:1.5}\
.ludex .plus{stroke:#178a2b;stroke-width:6;stroke-linecap:round}\
.ludex .minus{stroke:#c0211b;stroke-width:6;stroke-linecap:round}\
.ludex .no{stroke:#c0211b;stroke-width:2.5;fill:none}\
.ludex .off{stroke:#555;stroke-width:4;stroke-linecap:round}\
.ludex .before{fill:none;stroke:#d58a00;stroke-width:3;stroke-dasharray:4 3}\
.ludex .before.end{fill:#d58a00;stroke:none}\
.ludex .begin{fill:none;stroke:#178a2b;stroke-width:3}\
.ludex .said{text-anchor:middle;dominant-baseline:central;font-weight:600;fill:#1d4f91}";

/// Where a spot is in the picture.
fn place(geometry: &Geometry, layout: &Layout, spot: Spot) -> (f32, f32) {
    match spot {
        Spot::On(site) => {
            let at = layout.places.get(site as usize).copied().unwrap_or_default();
            (at.x, at.y)
        }
        Spot::Beyond(site, side) => {
            let at = layout.places.get(site as usize).copied().unwrap_or_default();
            let around = geometry.around(site);
            let count = around.len().max(1) as f32;
            // Sides follow one another clockwise at equal angles; one that leads somewhere says where north is.
            let known = around.iter().position(|&near| near != ludex_game::geometry::OFF);
            let angle = known.map_or(0.0, |known| {
                let near = layout.places[around[known] as usize];
                let there = (near.x - at.x).atan2(at.y - near.y);
                there + (side as f32 - known as f32) * std::f32::consts::TAU / count
            });
            let away = 1.7 * at.r.max(UNIT * 0.3);
            (at.x + away * angle.sin(), at.y - away * angle.cos())
        }
    }
}

/// Lines between signs whose sites touch.
fn links(geometry: &Geometry, signs: &[(Spot, Sign)], places: &[(f32, f32)]) -> String {
    let mut out = String::new();
    for (a, (one, _)) in signs.iter().enumerate() {
        for (b, (other, _)) in signs.iter().enumerate().take(a) {
            let touch = match (*one, *other) {
                (Spot::On(one), Spot::On(other)) => {
                    one != other && geometry.around(one).contains(&other)
                }
                (Spot::On(one), Spot::Beyond(other, _))
                | (Spot::Beyond(other, _), Spot::On(one)) => one == other,
                (Spot::Beyond(..), Spot::Beyond(..)) => false,
            };
            if touch {
                out.push_str(&line("link", places[a], places[b]));
            }
        }
    }
    out
}

fn drawn(sign: &Sign, (x, y): (f32, f32), r: f32) -> String {
    let across = |class: &str| line(class, (x - 0.6 * r, y), (x + 0.6 * r, y));
    match sign {
        Sign::Friend => circle("own", x, y, r),
        Sign::Enemy => circle("other", x, y, r),
        Sign::Empty => circle("dot", x, y, 0.3 * r),
        Sign::Off => across("off"),
        Sign::Word(word) => text("said", x, y, (0.7 * r).clamp(8.0, 13.0), word),
        Sign::Plus => across("plus") + &line("plus", (x, y - 0.6 * r), (x, y + 0.6 * r)),
        Sign::Minus => across("minus"),
        Sign::Start => circle("begin", x, y, 1.15 * r),
        Sign::LastEnd => circle("before end", x, y, 0.28 * r),
        Sign::LastStart => circle("before", x, y, 1.1 * r),
        Sign::Not(inner) => {
            let slash = line("no", (x - 0.8 * r, y + 0.8 * r), (x + 0.8 * r, y - 0.8 * r));
            drawn(inner, (x, y), 0.8 * r) + &slash
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_on_their_sites_and_beyond_the_edge() {
        let board = Geometry::rectangle(5, 5);
        let signs = [
            (Spot::On(12), Sign::Plus),
            (Spot::On(13), Sign::Friend),
            (Spot::On(2), Sign::Not(Box::new(Sign::Empty))),
            (Spot::Beyond(2, 2), Sign::Off),
        ];
        let picture = pattern(&board, &signs);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
        for class in ["plus", "own", "dot", "no", "off", "link"] {
            assert!(picture.contains(&format!("class=\"{class}\"")), "{class}");
        }
        // South of the lowest row is below it.
        let layout = Layout::new(&board);
        let (_, y) = place(&board, &layout, Spot::Beyond(2, 2));
        assert!(y > layout.places[2].y);
    }
}
