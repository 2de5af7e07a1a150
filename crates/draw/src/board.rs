//! What never changes in a picture: cells, points, lines, labels, the goals of players, trays for hands.

use std::collections::HashMap;

use crate::glyphs;
use crate::layout::{Frame, Layout, UNIT};
use crate::svg::{circle, line, number, polygon, text};
use ludex_game::geometry::{ContainerKind, Element, Geometry, Site, SiteId};
use ludex_game::{Ends, Player};

/// All of it.
pub fn board(geometry: &Geometry, layout: &Layout) -> String {
    let mut out = String::new();
    for (index, container) in geometry.containers.iter().enumerate() {
        if container.kind == ContainerKind::Hand {
            out.push_str(&tray(&layout.frames[index]));
        }
    }
    let roads = roads(geometry);
    for (index, site) in geometry.sites.iter().enumerate() {
        if site.element == Element::Cell && on_board(geometry, site) {
            let class = match roads.as_ref().map(|roads| &roads[index]) {
                Some(Road::None) => "cell off".to_string(),
                Some(Road::Of(owner)) => format!("cell own c{}", class_of(Some(*owner))),
                Some(Road::All) => "cell".to_string(),
                None if is_dark(geometry, index) => "cell dark".to_string(),
                None => "cell".to_string(),
            };
            out.push_str(&polygon(&class, outline(layout, site)));
        }
    }
    // Where seeds are sown, points are holes and lines between them say nothing.
    let sown = geometry.kinds.iter().any(glyphs::is_seed);
    for &[a, b] in geometry.lines.iter().filter(|_| !sown) {
        out.push_str(&line("way", layout.frames[0].at(a), layout.frames[0].at(b)));
    }
    for (index, site) in geometry.sites.iter().enumerate() {
        let place = layout.places[index];
        match site.element {
            _ if !on_board(geometry, site) => {}
            Element::Edge => {
                if let [a, b] = outline(layout, site)[..] {
                    out.push_str(&line("edge", a, b));
                }
            }
            Element::Vertex if geometry.lines.is_empty() || sown => {
                out.push_str(&circle("hole", place.x, place.y, place.r * 0.9));
            }
            Element::Vertex => out.push_str(&circle("point", place.x, place.y, 3.2)),
            Element::Cell => {}
        }
    }
    out.push_str(&goals(geometry, layout));
    out.push_str(&labels(geometry, layout));
    out
}

/// The ends of a move, marked.
pub fn last_move(layout: &Layout, last: Option<Ends>) -> String {
    let sites = last.into_iter().flat_map(|ends| [ends.from, ends.to]).flatten();
    let places = sites.filter_map(|site| layout.places.get(site as usize));
    places.map(|place| circle("last", place.x, place.y, place.r * 0.95)).collect()
}

fn on_board(geometry: &Geometry, site: &Site) -> bool {
    let container = geometry.containers.get(site.container as usize);
    container.is_some_and(|container| container.kind == ContainerKind::Board)
}

fn outline(layout: &Layout, site: &Site) -> Vec<(f32, f32)> {
    let frame = &layout.frames[site.container as usize];
    site.outline.iter().map(|&point| frame.at(point)).collect()
}

/// A tray for the pieces of a hand.
fn tray(frame: &Frame) -> String {
    let [x, y] = [frame.left - 4.0, frame.top - 4.0].map(number);
    let [width, height] = [frame.width + 8.0, frame.height + 8.0].map(number);
    format!("<rect class=\"hand\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
}

/// Who comes past a site.
#[derive(Clone, Copy, PartialEq)]
enum Road {
    None,
    Of(Player),
    All,
}

/// Whose ways lead over each site, where pieces run along ways that leave out much of the board.
fn roads(geometry: &Geometry) -> Option<Vec<Road>> {
    let mut roads = vec![Road::None; geometry.len()];
    for track in &geometry.tracks {
        for &site in &track.sites {
            let road = &mut roads[site as usize];
            *road = match (*road, track.owner) {
                (Road::None, Some(owner)) => Road::Of(owner),
                (Road::Of(other), Some(owner)) if other == owner => Road::Of(owner),
                _ => Road::All,
            };
        }
    }
    let board = (0..geometry.len()).filter(|&site| on_board(geometry, &geometry.sites[site]));
    let (mut all, mut off) = (0, 0);
    for site in board {
        all += 1;
        off += usize::from(roads[site] == Road::None);
    }
    (off < all && 3 * off > all).then_some(roads)
}

/// Square cells in rows and columns are chequered.
fn is_dark(geometry: &Geometry, site: usize) -> bool {
    let grid = geometry.grid.as_ref().filter(|grid| grid.is_full());
    let square = geometry.sites[site].outline.len() == 4;
    let place = grid.and_then(|grid| grid.places.get(site));
    square && place.is_some_and(|&(row, column)| (row + column) % 2 == 0)
}

/// The regions of players: the outer sides of their cells, rings around their points.
fn goals(geometry: &Geometry, layout: &Layout) -> String {
    let owned = geometry.regions.iter().filter_map(|region| {
        let sites = region.sites.as_deref()?;
        Some((region.owner?, sites))
    });
    let outer = outer_sides(geometry, layout);
    let mut out = String::new();
    for (owner, sites) in owned {
        // A row of homes that touches the edge with its ends only is no border.
        let touching =
            sites.iter().filter(|&&site| touches(geometry, layout, &outer, site)).count();
        if 2 * touching < sites.len() {
            continue;
        }
        for &site in sites {
            out.push_str(&goal(geometry, layout, &outer, owner, site));
        }
    }
    out
}

type Side = [(i32, i32); 2];

fn side(a: (f32, f32), b: (f32, f32)) -> Side {
    let round = |(x, y): (f32, f32)| ((x * 4.0).round() as i32, (y * 4.0).round() as i32);
    let mut ends = [round(a), round(b)];
    ends.sort_unstable();
    ends
}

fn sides(corners: &[(f32, f32)]) -> impl Iterator<Item = ((f32, f32), (f32, f32))> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// How many cells have a side.
fn outer_sides(geometry: &Geometry, layout: &Layout) -> HashMap<Side, u32> {
    let mut count = HashMap::new();
    for cell in geometry.sites.iter().filter(|site| site.element == Element::Cell) {
        for (a, b) in sides(&outline(layout, cell)) {
            *count.entry(side(a, b)).or_default() += 1;
        }
    }
    count
}

/// Whether a cell has an outer side; points always count.
fn touches(geometry: &Geometry, layout: &Layout, count: &HashMap<Side, u32>, site: SiteId) -> bool {
    let Some(at) = geometry.sites.get(site as usize) else { return false };
    let outer = |(a, b)| count.get(&side(a, b)) == Some(&1);
    at.element != Element::Cell || sides(&outline(layout, at)).any(outer)
}

fn goal(
    geometry: &Geometry,
    layout: &Layout,
    count: &HashMap<Side, u32>,
    owner: Player,
    site: SiteId,
) -> String {
    let Some(at) = geometry.sites.get(site as usize) else { return String::new() };
    let (place, class) = (layout.places[site as usize], format!("goal g{}", class_of(Some(owner))));
    if at.element != Element::Cell {
        return circle(&class, place.x, place.y, 6.0);
    }
    let mut out = String::new();
    for (a, b) in sides(&outline(layout, at)) {
        if count.get(&side(a, b)) == Some(&1) {
            out.push_str(&line(&class, a, b));
        }
    }
    out
}

/// The number that the classes of a player have; nought is nobody.
pub fn class_of(owner: Option<Player>) -> usize {
    owner.map_or(0, |player| (player.index() + 1).min(8))
}

/// Rows and columns beside full grids; elsewhere each site has its own label.
fn labels(geometry: &Geometry, layout: &Layout) -> String {
    if let Some(grid) = geometry.grid.as_ref().filter(|grid| grid.is_full() && grid.rows > 1) {
        let at: HashMap<(u16, u16), usize> =
            grid.places.iter().enumerate().map(|(index, &place)| (place, index)).collect();
        // Beside the end of a row or column, in the direction in which it ends.
        let beside = |index: usize, next: (u16, u16), usual: (f32, f32)| {
            let place = layout.places[index];
            let (dx, dy) = match at.get(&next) {
                Some(&next) => (place.x - layout.places[next].x, place.y - layout.places[next].y),
                None => usual,
            };
            let (length, gap) = (dx.hypot(dy).max(1e-3), UNIT * 0.5 + 13.0);
            (place.x + dx / length * gap, place.y + dy / length * gap)
        };
        let mut out = String::new();
        for (index, &(row, column)) in grid.places.iter().enumerate() {
            let label = &geometry.sites[index].label;
            let split = label.find(|c: char| c.is_ascii_digit()).unwrap_or(label.len());
            let (of_column, of_row) =
                label.split_once(',').unwrap_or_else(|| label.split_at(split));
            if row == 0 {
                let (x, y) = beside(index, (1, column), (0.0, 1.0));
                out.push_str(&text("label", x, y, 13.0, of_column));
            }
            if column == 0 {
                let (x, y) = beside(index, (row, 1), (-1.0, 0.0));
                out.push_str(&text("label", x, y, 13.0, of_row));
            }
        }
        return out;
    }
    let mut out = String::new();
    // Sites of the kind that is played on come first; others would repeat their names.
    let element = geometry.sites.first().map(|site| site.element);
    for (index, site) in geometry.sites.iter().enumerate() {
        let place = layout.places[index];
        if !on_board(geometry, site)
            || Some(site.element) != element
            || site.element == Element::Edge
        {
            continue;
        }
        let (x, y) = match site.element {
            Element::Cell => (place.x, place.y + place.r * 0.72),
            _ => (place.x + 9.0, place.y + 11.0),
        };
        out.push_str(&text("label", x, y, (place.r * 0.42).clamp(6.0, 10.0), &site.label));
    }
    out
}
