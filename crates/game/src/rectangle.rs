//! The geometry of square cells in rows and columns, which most games have.

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
        let cells = Cells { rows: rows as i32, columns: columns as i32 };
        let mut geometry = Geometry::default();
        geometry.containers.push(Container {
            name: "Board".to_string(),
            kind: ContainerKind::Board,
            owner: None,
        });
        for (column, row) in cells.all() {
            cells.add(&mut geometry, column, row);
        }
        geometry.sides = cells.sides();
        let places = cells.all().map(|(column, row)| (row as u16, column as u16)).collect();
        geometry.grid = Some(Grid { rows, columns, places });
        geometry
    }
}

struct Cells {
    rows: i32,
    columns: i32,
}

impl Cells {
    fn all(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    fn id(&self, column: i32, row: i32) -> Option<SiteId> {
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        inside.then(|| (row * self.columns + column) as SiteId)
    }

    fn add(&self, geometry: &mut Geometry, column: i32, row: i32) {
        let step = |&(right, up): &(i32, i32)| self.id(column + right, row + up);
        let orthogonal = COMPASS.iter().step_by(2);
        geometry.around.push(orthogonal.map(|way| step(way).unwrap_or(OFF)));
        geometry.adjacent.push(COMPASS.iter().filter_map(step));
        for (first, rays) in geometry.rays.iter_mut().enumerate() {
            let ways = COMPASS.iter().skip(first).step_by(2);
            rays.push(
                ways.filter(|way| step(way).is_some()).map(|way| self.ray(column, row, *way)),
            );
        }
        let (left, low) = (column as f32, row as f32);
        let corner = |(right, up): (f32, f32)| Point::flat(left + right, low + up);
        geometry.sites.push(Site {
            label: format!("{}{}", letters(column as usize), row + 1),
            container: 0,
            element: Element::Cell,
            at: corner((0.5, 0.5)),
            outline: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(corner).to_vec(),
        });
    }

    fn ray(
        &self,
        column: i32,
        row: i32,
        (right, up): (i32, i32),
    ) -> impl Iterator<Item = SiteId> + '_ {
        (1..).map_while(move |n| self.id(column + n * right, row + n * up))
    }

    fn sides(&self) -> Vec<Region> {
        let side = |name: &str, on: &dyn Fn(i32, i32) -> bool| Region {
            name: name.to_string(),
            owner: None,
            sites: Some(
                self.all()
                    .filter(|&(column, row)| on(column, row))
                    .filter_map(|(column, row)| self.id(column, row))
                    .collect(),
            ),
        };
        vec![
            side("N", &|_, row| row == self.rows - 1),
            side("E", &|column, _| column == self.columns - 1),
            side("S", &|_, row| row == 0),
            side("W", &|column, _| column == 0),
        ]
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
}
