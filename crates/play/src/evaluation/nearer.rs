//! Whose ground it is: the empty sites that each side comes to before the other, by steps or by slides.

use ludex_game::geometry::{Geometry, Relation, SiteId};

/// How pieces are taken to go to empty sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stride {
    /// To a neighbour.
    Step,
    /// Along a straight line as far as it is empty.
    Slide,
}

/// Nobody comes there.
const NEVER: u16 = u16::MAX;

/// Memory for looking.
#[derive(Default)]
pub(super) struct Field {
    away: [Vec<u16>; 2],
    front: Vec<SiteId>,
    next: Vec<SiteId>,
}

impl Field {
    /// How many empty sites each of two sides comes to first; `who` says whose piece is where, nought for nobody's.
    pub fn nearer(
        &mut self,
        geometry: &Geometry,
        stride: Stride,
        who: &[u8],
        sides: [u8; 2],
    ) -> [f32; 2] {
        for (number, side) in sides.into_iter().enumerate() {
            self.fill(geometry, stride, who, side, number);
        }
        let [own, others] = &self.away;
        let mut counts = [0.0; 2];
        for ((&own, &other), _) in own.iter().zip(others).zip(who).filter(|(_, who)| **who == 0) {
            counts[0] += f32::from(u8::from(own < other));
            counts[1] += f32::from(u8::from(other < own));
        }
        counts
    }

    /// How many strides each site is from the nearest piece of a side.
    fn fill(&mut self, geometry: &Geometry, stride: Stride, who: &[u8], side: u8, number: usize) {
        let Field { away, front, next } = self;
        let away = &mut away[number];
        away.clear();
        away.resize(who.len(), NEVER);
        front.clear();
        for (site, _) in who.iter().enumerate().filter(|(_, who)| **who == side) {
            away[site] = 0;
            front.push(site as SiteId);
        }
        for strides in 1..NEVER {
            if front.is_empty() {
                return;
            }
            next.clear();
            let mut reach = |site: SiteId| {
                let at = site as usize;
                let open = who[at] == 0;
                if open && away[at] == NEVER {
                    away[at] = strides;
                    next.push(site);
                }
                open
            };
            for &site in front.iter() {
                match stride {
                    Stride::Step => {
                        for &to in geometry.adjacent(site) {
                            reach(to);
                        }
                    }
                    Stride::Slide => {
                        let ways = [Relation::Orthogonal, Relation::Diagonal];
                        for ray in ways.iter().flat_map(|&way| geometry.rays(site, way)) {
                            let _blocked = ray.iter().find(|&&to| !reach(to));
                        }
                    }
                }
            }
            std::mem::swap(front, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_belong_to_whoever_comes_there_first() {
        // 2 . . . . 1 . 1 in a row of one: the wall of the first side's piece keeps the second out.
        let board = Geometry::rectangle(1, 8);
        let who = [2, 0, 0, 0, 0, 1, 0, 1];
        let mut field = Field::default();
        assert_eq!(field.nearer(&board, Stride::Step, &who, [1, 2]), [3.0, 2.0]);
        assert_eq!(field.nearer(&board, Stride::Slide, &who, [1, 2]), [1.0, 0.0]);
        assert_eq!(field.nearer(&board, Stride::Slide, &[0; 8], [1, 2]), [0.0, 0.0]);
    }
}
