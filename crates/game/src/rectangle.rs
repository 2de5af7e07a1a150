//! The geometry of square cells in rows and columns, which most games have.

use std::collections::HashMap;

use crate::geometry::{
    Container, ContainerKind, Element, Geometry, Grid, OFF, Point, Region, Site, SiteId,
};

/// The eight ways to a neighbouring cell, clockwise from north: columns to the right, rows upwards.
const COMPASS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Geometry {
    /// A board of square cells, numbered row by row from the bottom left, with labels `A1`, `B1` and so on.
    /// Pieces and regions are for the caller to add.
    pub fn rectangle(rows: usize, columns: usize) -> Geometry {
        let row = |row: i32| (0..columns as i32).map(move |column| (column, row));
        Geometry::cells(&(0..rows as i32).flat_map(row).collect::<Vec<_>>())
    }

    /// A board of the square cells in these columns and rows, numbered in this order. No two are in the same
    /// place; of several, the first counts.
    pub fn cells(places: &[(i32, i32)]) -> Geometry {
        let cells = Cells::new(places);
        let mut geometry = Geometry::default();
        geometry.containers.push(Container {
            name: "Board".to_string(),
            kind: ContainerKind::Board,
            owner: None,
        });
        for &place in &cells.places {
            cells.add(&mut geometry, place);
        }
        geometry.sides = cells.sides();
        geometry.grid = cells.grid();
        geometry
    }
}

struct Cells {
    places: Vec<(i32, i32)>,
    numbers: HashMap<(i32, i32), SiteId>,
}

impl Cells {
    fn new(all: &[(i32, i32)]) -> Self {
        let (mut places, mut numbers) = (Vec::new(), HashMap::new());
        for &place in all {
            numbers.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() as SiteId - 1
            });
        }
        Cells { places, numbers }
    }

    fn least(&self, part: fn(&(i32, i32)) -> i32) -> i32 {
        self.places.iter().map(part).min().unwrap_or(0)
    }

    fn most(&self, part: fn(&(i32, i32)) -> i32) -> i32 {
        self.places.iter().map(part).max().unwrap_or(0)
    }

    fn at(&self, (column, row): (i32, i32), (right, up): (i32, i32), steps: i32) -> Option<SiteId> {
        self.numbers.get(&(column + steps * right, row + steps * up)).copied()
    }

    fn add(&self, geometry: &mut Geometry, place: (i32, i32)) {
        let step = |&way: &(i32, i32)| self.at(place, way, 1);
        let orthogonal = COMPASS.iter().step_by(2);
        geometry.around.push(orthogonal.map(|way| step(way).unwrap_or(OFF)));
        geometry.adjacent.push(COMPASS.iter().filter_map(step));
        for (first, rays) in geometry.rays.iter_mut().enumerate() {
            let ways = COMPASS.iter().skip(first).step_by(2).filter(|way| step(way).is_some());
            rays.push(ways.map(|&way| (1..).map_while(move |n| self.at(place, way, n))));
        }
        let column = (place.0 - self.least(|place| place.0)) as usize;
        let row = place.1 - self.least(|place| place.1) + 1;
        let corner = |(x, y): (f32, f32)| Point::flat(place.0 as f32 + x, place.1 as f32 + y);
        geometry.sites.push(Site {
            label: format!("{}{row}", letters(column)),
            container: 0,
            element: Element::Cell,
            at: corner((0.5, 0.5)),
            outline: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(corner).to_vec(),
        });
    }

    fn sides(&self) -> Vec<Region> {
        let side = |name: &str, part: fn(&(i32, i32)) -> i32, extreme: i32| {
            let all = (0..).zip(&self.places);
            let sites = all.filter(|(_, place)| part(place) == extreme).map(|(id, _)| id);
            Region { name: name.to_string(), owner: None, sites: Some(sites.collect()) }
        };
        vec![
            side("N", |place| place.1, self.most(|place| place.1)),
            side("E", |place| place.0, self.most(|place| place.0)),
            side("S", |place| place.1, self.least(|place| place.1)),
            side("W", |place| place.0, self.least(|place| place.0)),
        ]
    }

    fn grid(&self) -> Option<Grid> {
        let (left, low) = (self.least(|place| place.0), self.least(|place| place.1));
        let place = |&(column, row): &(i32, i32)| {
            Some((u16::try_from(row - low).ok()?, u16::try_from(column - left).ok()?))
        };
        let places: Vec<(u16, u16)> = self.places.iter().map(place).collect::<Option<_>>()?;
        let rows = (self.most(|place| place.1) - low + 1) as usize;
        let columns = (self.most(|place| place.0) - left + 1) as usize;
        (!places.is_empty()).then_some(Grid { rows, columns, places })
    }
}

/// The letters of a column: `A` to `Z`, then `AA`.
fn letters(column: usize) -> String {
    let letter = |n: usize| char::from(b'A' + (n % 26) as u8);
    match column.checked_sub(26) {
        None => letter(column).to_string(),
        Some(rest) => format!("{}{}", letters(rest / 26), letter(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Relation;

    #[test]
    fn a_rectangle_knows_its_neighbours_and_lines() {
        let board = Geometry::rectangle(3, 4);
        assert_eq!(board.len(), 12);
        assert_eq!(board.sites[5].label, "B2");
        assert_eq!(board.around(0), [4, 1, OFF, OFF]);
        assert_eq!(board.around(6), [10, 7, 2, 5]);
        assert_eq!(board.adjacent(0), [4, 5, 1]);
        let rays: Vec<&[SiteId]> = board.rays(0, Relation::Orthogonal).collect();
        assert_eq!(rays, [&[4, 8][..], &[1, 2, 3]]);
        let rays: Vec<&[SiteId]> = board.rays(1, Relation::Diagonal).collect();
        assert_eq!(rays, [&[6, 11][..], &[4]]);
        assert_eq!(board.sides[0].sites.as_deref(), Some(&[8, 9, 10, 11][..]));
        assert_eq!(board.connectivities(), [4]);
        assert_eq!(letters(27), "AB");
    }

    #[test]
    fn cells_may_have_holes_between_them() {
        let ring = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
        let board = Geometry::cells(&ring);
        assert_eq!(board.around(1), [OFF, 2, OFF, 0]);
        assert_eq!(board.grid.as_ref().map(|grid| (grid.rows, grid.columns)), Some((3, 3)));
        assert!(board.grid.is_some_and(|grid| !grid.is_full()));
    }
}
