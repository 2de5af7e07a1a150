//! What never changes in a picture: cells, points, lines, the goals of players, trays for hands.

use std::collections::HashMap;

use crate::clues::{clues, outside};
use crate::glyphs::{self, colour};
use crate::labels::labels;
use crate::layout::{Frame, Layout, Place};
use crate::svg::{circle, line, number, polygon};
use ludex_game::geometry::{ContainerKind, Element, Geometry, Site, SiteId};
use ludex_game::{Ends, Player};

/// All of it.
pub fn board(geometry: &Geometry, layout: &Layout) -> String {
    let mut out = String::new();
    for (index, container) in geometry.containers.iter().enumerate() {
        match container.kind {
            ContainerKind::Hand => out.push_str(&rectangle("hand", &layout.frames[index], 4.0)),
            ContainerKind::Board if !has_cells(geometry, index) => {
                out.push_str(&rectangle("ground", &layout.frames[index], 0.0));
            }
            _ => {}
        }
    }
    let (roads, shut) = (roads(geometry), outside(geometry));
    let points = has_points(geometry);
    let plain = points || is_plain(geometry, layout);
    for (index, site) in geometry.sites.iter().enumerate() {
        if site.element == Element::Cell && on_board(geometry, site) {
            let class = match roads.as_ref().map(|roads| &roads[index]) {
                _ if shut[index] => "cell shut".to_string(),
                Some(Road::None) => "cell off".to_string(),
                Some(Road::Of(owner)) => format!("cell own c{}", colour(class_of(Some(*owner)))),
                Some(Road::All) => "cell".to_string(),
                None if !plain && is_dark(geometry, index) => "cell dark".to_string(),
                None => "cell".to_string(),
            };
            out.push_str(&polygon(&class, outline(layout, site)));
            out.extend(points.then(|| point(geometry, layout, index)));
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
            Element::Vertex => match crossing(geometry, index) {
                Crossing::None => out.push_str(&circle("point", place.x, place.y, 3.2)),
                Crossing::Star => out.push_str(&circle("point", place.x, place.y, 4.5)),
                Crossing::Plain => {}
            },
            Element::Cell => {}
        }
    }
    out.push_str(&goals(geometry, layout, sown));
    out.push_str(&clues(geometry, layout));
    out.push_str(&labels(geometry, layout));
    out
}

/// What a point is where many lines cross as on a board for Go.
enum Crossing {
    /// The board is none of that kind.
    None,
    /// One of many.
    Plain,
    /// One of those that help to find one's way.
    Star,
}

/// From so many lines on each side crossings are seen without points on them.
const MANY_LINES: usize = 9;

fn crossing(geometry: &Geometry, site: usize) -> Crossing {
    let full = geometry.grid.as_ref().filter(|grid| grid.is_full());
    let many = full.filter(|grid| grid.rows.min(grid.columns) >= MANY_LINES);
    let Some(&(row, column)) = many.and_then(|grid| grid.places.get(site)) else {
        return Crossing::None;
    };
    let star = |at: u16, lines: usize| {
        let (at, edge) = (usize::from(at), if lines < 13 { 2 } else { 3 });
        let middle = lines % 2 == 1 && at == lines / 2;
        (middle || at == edge || at + edge + 1 == lines, middle)
    };
    let many = many.map_or((0, 0), |grid| (grid.rows, grid.columns));
    let ((a, first), (b, second)) = (star(row, many.0), star(column, many.1));
    // Small boards have one in the middle and four around it.
    match a && b && (first == second || many.0.min(many.1) >= 13) {
        true => Crossing::Star,
        false => Crossing::Plain,
    }
}

/// The ends of a move, marked.
pub fn last_move(layout: &Layout, last: Option<Ends>) -> String {
    let sites = last.into_iter().flat_map(|ends| [ends.from, ends.to]).flatten();
    let places = sites.filter_map(|site| layout.places.get(site as usize));
    places.map(|place| circle("last", place.x, place.y, place.r * 0.95)).collect()
}

pub fn on_board(geometry: &Geometry, site: &Site) -> bool {
    let container = geometry.containers.get(site.container as usize);
    container.is_some_and(|container| container.kind == ContainerKind::Board)
}

fn outline(layout: &Layout, site: &Site) -> Vec<(f32, f32)> {
    let frame = &layout.frames[site.container as usize];
    site.outline.iter().map(|&point| frame.at(point)).collect()
}

/// What a container lies on, so much wider than itself.
fn rectangle(class: &str, frame: &Frame, wider: f32) -> String {
    let [x, y] = [frame.left - wider, frame.top - wider].map(number);
    let [width, height] = [frame.width, frame.height].map(|size| number(size + 2.0 * wider));
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
}

/// Whether a container has cells, which are its ground.
fn has_cells(geometry: &Geometry, container: usize) -> bool {
    geometry
        .sites
        .iter()
        .any(|site| usize::from(site.container) == container && site.element == Element::Cell)
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

/// Whether a chequer would be in the way of what is written or drawn: figures in cells, lines between them.
fn is_plain(geometry: &Geometry, layout: &Layout) -> bool {
    let edges = geometry.sites.iter().any(|site| site.element == Element::Edge);
    edges || layout.glyphs.has_figures()
}

/// Whether dice drive pieces along two rows and back, as over the points of Backgammon.
fn has_points(geometry: &Geometry) -> bool {
    let grid = geometry.grid.as_ref().filter(|grid| grid.is_full() && grid.rows == 2);
    let cells = grid.map_or(0, |grid| grid.places.len());
    let around =
        geometry.tracks.iter().any(|track| track.owner.is_some() && track.sites.len() >= cells);
    let dice = geometry.containers.iter().any(|one| one.kind == ContainerKind::Dice);
    cells >= 12 && around && dice
}

/// A point: as wide as its cell at the edge of the board, and ending near the middle; every second is dark.
fn point(geometry: &Geometry, layout: &Layout, site: usize) -> String {
    let Place { x, y, r } = layout.places[site];
    let upper = geometry.grid.as_ref().is_some_and(|grid| grid.places[site].0 == 1);
    let (edge, tip) = if upper { (y - r, y + 0.8 * r) } else { (y + r, y - 0.8 * r) };
    let class = if is_dark(geometry, site) { "tongue dark" } else { "tongue" };
    polygon(class, [(x - r, edge), (x, tip), (x + r, edge)])
}

/// Square cells in rows and columns are chequered.
fn is_dark(geometry: &Geometry, site: usize) -> bool {
    let grid = geometry.grid.as_ref().filter(|grid| grid.is_full());
    let square = geometry.sites[site].outline.len() == 4;
    let place = grid.and_then(|grid| grid.places.get(site));
    square && place.is_some_and(|&(row, column)| (row + column) % 2 == 0)
}

/// The regions of players: the outer sides of their cells, rings around their points.
fn goals(geometry: &Geometry, layout: &Layout, sown: bool) -> String {
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
            out.push_str(&match sown {
                true => rim(layout, owner, site),
                false => goal(geometry, layout, &outer, owner, site),
            });
        }
    }
    out
}

/// Whose hole it is, seen beside the seeds in it.
fn rim(layout: &Layout, owner: Player, site: SiteId) -> String {
    let Some(place) = layout.places.get(site as usize) else { return String::new() };
    let class = format!("goal g{}", colour(class_of(Some(owner))));
    circle(&class, place.x, place.y, place.r * 0.9 - 2.5)
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
    let colour = colour(class_of(Some(owner)));
    let (place, class) = (layout.places[site as usize], format!("goal g{colour}"));
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
    owner.map_or(0, |player| (player.index() + 1).min(16))
}
