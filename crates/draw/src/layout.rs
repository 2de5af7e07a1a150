//! Where everything is in the picture: boards side by side, hands above and below, dice beside them.

use crate::glyphs::Glyphs;
use ludex_game::View;
use ludex_game::geometry::{ContainerKind, Element, Geometry, Point, Site, SiteId};

/// The distance of neighbouring sites in the picture.
pub const UNIT: f32 = 48.0;

/// Room around the board, for labels.
const MARGIN: f32 = 30.0;

/// A site in the picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Place {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
    /// How far around its centre a site reaches before it meets others.
    pub r: f32,
}

/// The picture of a game, measured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// Width of the picture.
    pub width: f32,
    /// Height of the picture.
    pub height: f32,
    /// The sites, by number.
    pub places: Vec<Place>,
    /// How the plane of each container lies in the picture.
    pub(crate) frames: Vec<Frame>,
    /// How the kinds of pieces are drawn.
    pub(crate) glyphs: Glyphs,
    /// Where figures stand from the start, if that is known.
    given: Vec<bool>,
}

/// How the plane of a container lies in the picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Frame {
    /// Left edge in the picture.
    pub left: f32,
    /// Top edge in the picture.
    pub top: f32,
    /// Size in the picture.
    pub width: f32,
    /// Size in the picture.
    pub height: f32,
    low: Point,
    high: Point,
    scale: f32,
}

impl Frame {
    /// A point of the container's plane in the picture. Higher layers are shifted a little upwards.
    pub fn at(&self, point: Point) -> (f32, f32) {
        let lift = point.z * 0.35;
        let x = self.left + (point.x - self.low.x) * self.scale;
        (x, self.top + (self.high.y - point.y - lift) * self.scale)
    }
}

impl Layout {
    /// Measures the picture of a game.
    pub fn new(geometry: &Geometry) -> Layout {
        let containers = 0..geometry.containers.len() as u16;
        let frames = containers.map(|container| frame(geometry, container)).collect();
        let glyphs = Glyphs::of(geometry);
        let mut layout = Layout { frames, glyphs, ..Layout::default() };
        layout.arrange(geometry);
        let places = geometry.sites.iter().map(|site| {
            let (x, y) = layout.frames[site.container as usize].at(site.at);
            Place { x, y, r: 0.0 }
        });
        layout.places = places.collect();
        layout.measure(geometry);
        layout
    }

    /// The same for a game that starts so: figures that are given look other than those that somebody wrote.
    #[must_use]
    pub fn with_start(mut self, start: &View) -> Layout {
        if self.glyphs.has_figures() {
            self.given = (0..start.len()).map(|site| start.top(site as SiteId).is_some()).collect();
        }
        self
    }

    pub(crate) fn is_given(&self, site: SiteId) -> bool {
        self.given.get(site as usize).is_none_or(|&given| given)
    }

    /// Boards beside each other; hands of the first player and of everybody below, the others' above.
    fn arrange(&mut self, geometry: &Geometry) {
        let kinds: Vec<_> = geometry.containers.iter().map(|c| (c.kind, c.owner)).collect();
        let above = |index: usize| matches!(kinds[index], (ContainerKind::Hand, Some(owner)) if owner.index() % 2 == 1);
        let boards = |index: usize| kinds[index].0 == ContainerKind::Board;
        let below = |index: usize| !boards(index) && !above(index);
        let mut lines: Vec<Vec<usize>> = Vec::new();
        let mut y = MARGIN;
        // Several boards that are wider than tall lie below each other.
        let wide = self.frames.iter().enumerate().filter(|(index, _)| boards(*index));
        let wide = wide.map(|(_, frame)| frame.width - frame.height).sum::<f32>() > 0.0;
        for row in [&above as &dyn Fn(usize) -> bool, &boards, &below] {
            let (mut x, mut tallest) = (MARGIN, 0.0f32);
            lines.push(Vec::new());
            for index in (0..kinds.len()).filter(|&index| row(index)) {
                if wide && boards(index) && tallest > 0.0 {
                    (x, y, tallest) = (MARGIN, y + tallest + UNIT * 0.5, 0.0);
                    lines.push(Vec::new());
                }
                lines.last_mut().into_iter().for_each(|line| line.push(index));
                let frame = &mut self.frames[index];
                (frame.left, frame.top) = (x, y);
                x += frame.width + UNIT * 0.5;
                tallest = tallest.max(frame.height);
                self.width = self.width.max(frame.left + frame.width);
                self.height = self.height.max(y + frame.height);
            }
            // Below a board is what its columns are called.
            let gap = if (0..kinds.len()).any(|index| row(index) && boards(index)) {
                38.0
            } else {
                UNIT * 0.5
            };
            y += if tallest > 0.0 { tallest + gap } else { 0.0 };
        }
        self.width += MARGIN;
        self.height += MARGIN;
        // What stands in one line is in the middle together.
        for line in lines {
            let right = |&index: &usize| self.frames[index].left + self.frames[index].width;
            let Some(end) = line.last().map(right) else { continue };
            let spare = self.width - MARGIN - end;
            line.iter().for_each(|&index| self.frames[index].left += spare / 2.0);
        }
    }

    /// How much room each site has: half the way to the nearest other site of its kind.
    fn measure(&mut self, geometry: &Geometry) {
        let mut nearest = vec![f32::INFINITY; self.places.len()];
        for (index, site) in geometry.sites.iter().enumerate() {
            for other in neighbours(geometry, index) {
                let (a, b) = (self.places[index], self.places[other as usize]);
                let distance = (a.x - b.x).hypot(a.y - b.y);
                if distance > 1.0 {
                    nearest[index] = nearest[index].min(distance);
                }
            }
            let inner = self.inner(site, self.places[index]);
            nearest[index] = nearest[index].min(inner);
        }
        // Pieces on points are all of one size, however far apart some points are.
        let most = |site: &Site| if site.element == Element::Vertex { 1.1 } else { 2.0 };
        for ((place, nearest), site) in self.places.iter_mut().zip(nearest).zip(&geometry.sites) {
            let room = if nearest.is_finite() { nearest } else { UNIT };
            place.r = 0.5 * room.min(UNIT * most(site));
        }
    }

    /// Twice the distance from a cell's centre to its nearest side; edges are thin.
    fn inner(&self, site: &Site, at: Place) -> f32 {
        let frame = &self.frames[site.container as usize];
        match site.element {
            Element::Edge => UNIT * 0.6,
            Element::Vertex => f32::INFINITY,
            Element::Cell => {
                let corners: Vec<(f32, f32)> = site.outline.iter().map(|&p| frame.at(p)).collect();
                let sides = corners.iter().zip(corners.iter().cycle().skip(1));
                let to_side = sides.map(|(&a, &b)| distance_to_side((at.x, at.y), a, b));
                2.0 * to_side.fold(f32::INFINITY, f32::min)
            }
        }
    }
}

fn distance_to_side(p: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).max(1e-6);
    let along = (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length).clamp(0.0, 1.0);
    (p.0 - a.0 - along * dx).hypot(p.1 - a.1 - along * dy)
}

/// Sites near a site: its neighbours, or the next ones in number where it has none.
fn neighbours(geometry: &Geometry, index: usize) -> Vec<SiteId> {
    let site = &geometry.sites[index];
    let same = |&other: &SiteId| {
        let other = &geometry.sites[other as usize];
        other.container == site.container && other.element == site.element
    };
    let adjacent = geometry.adjacent(index as SiteId);
    if !adjacent.is_empty() {
        return adjacent.iter().copied().filter(same).collect();
    }
    let around = [index.checked_sub(1), index.checked_add(1)];
    let around = around.into_iter().flatten().filter(|&other| other < geometry.len());
    around.map(|other| other as SiteId).filter(same).collect()
}

/// The plane of a container, scaled so that neighbouring sites are one unit apart.
fn frame(geometry: &Geometry, container: u16) -> Frame {
    let sites: Vec<usize> = geometry.sites_of(container).map(|site| site as usize).collect();
    let mut frame = Frame { scale: UNIT / spacing(geometry, &sites), ..Frame::default() };
    let (mut low, mut high) = (Point::flat(f32::MAX, f32::MAX), Point::flat(f32::MIN, f32::MIN));
    for &site in &sites {
        let site = &geometry.sites[site];
        for point in site.outline.iter().chain([&site.at]) {
            let top = point.y + point.z * 0.35;
            (low.x, low.y) = (low.x.min(point.x), low.y.min(point.y));
            (high.x, high.y) = (high.x.max(point.x), high.y.max(top));
        }
    }
    if sites.is_empty() {
        (low, high) = (Point::default(), Point::default());
    }
    // Points need room around them, where cells bring their own.
    let cells = sites.iter().all(|&site| geometry.sites[site].outline.len() > 2);
    let room = if cells { 0.0 } else { 0.5 * UNIT / frame.scale };
    (frame.low, frame.high) =
        (Point::flat(low.x - room, low.y - room), Point::flat(high.x + room, high.y + room));
    frame.width = (frame.high.x - frame.low.x) * frame.scale;
    frame.height = (frame.high.y - frame.low.y) * frame.scale;
    frame
}

/// The usual distance of neighbouring sites: the lower quarter of all.
fn spacing(geometry: &Geometry, sites: &[usize]) -> f32 {
    let mut nearest: Vec<f32> = Vec::new();
    for &site in sites {
        let here = geometry.sites[site].at;
        let away = neighbours(geometry, site).into_iter().map(|other| {
            let there = geometry.sites[other as usize].at;
            (here.x - there.x).hypot(here.y - there.y)
        });
        nearest.extend(away.filter(|&d| d > 1e-6).reduce(f32::min));
    }
    nearest.sort_by(f32::total_cmp);
    nearest.get(nearest.len() / 4).copied().unwrap_or(1.0)
}
