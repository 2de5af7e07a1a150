//! Lines that may still be filled: every stretch of so many sites in a row.

use ludex_game::geometry::{Geometry, Relation, SiteId};

/// All stretches of one length.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub length: usize,
    /// Their sites, one stretch after another.
    sites: Vec<SiteId>,
}

impl Lines {
    /// The stretches of a board that have this length.
    pub fn new(geometry: &Geometry, length: usize) -> Lines {
        let mut sites = Vec::new();
        // On boards of hexagons lines across corners are not what people call lines.
        let square = geometry.connectivities().iter().all(|&neighbours| neighbours <= 4);
        let relations: &[Relation] = match square {
            true => &[Relation::Orthogonal, Relation::Diagonal],
            false => &[Relation::Orthogonal],
        };
        for site in 0..geometry.len() as SiteId {
            for ray in relations.iter().flat_map(|&relation| geometry.rays(site, relation)) {
                // Each stretch is met from both ends.
                if let Some(rest) = ray.get(..length - 1).filter(|rest| rest[length - 2] > site) {
                    sites.push(site);
                    sites.extend(rest);
                }
            }
        }
        Lines { length, sites }
    }

    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The sites of each stretch.
    pub fn all(&self) -> impl Iterator<Item = &[SiteId]> {
        self.sites.chunks_exact(self.length)
    }

    /// For both sides, how many stretches have so many of its pieces and none of anybody else's.
    /// `who` has one for the first side, two for the second, nought for nobody, more for others.
    pub fn count(&self, who: &[u8], counts: &mut [[f32; Lines::LONGEST + 1]; 2]) {
        for stretch in self.all() {
            // Two counters in one number: nobody has more than fifteen in a stretch.
            let tally = stretch.iter().fold(0u32, |tally, &site| {
                tally + [0, 1, 16, 17][usize::from(who[site as usize] & 3)]
            });
            let (first, second) = ((tally & 15) as usize, (tally >> 4) as usize);
            if second == 0 {
                counts[0][first] += 1.0;
            } else if first == 0 {
                counts[1][second] += 1.0;
            }
        }
    }

    /// The longest stretch that is looked at.
    pub const LONGEST: usize = 6;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_counted_once_for_whoever_has_them_alone() {
        let board = Geometry::rectangle(3, 3);
        let lines = Lines::new(&board, 3);
        assert_eq!(lines.sites.len(), 8 * 3);
        // Two of the first side at the bottom, one of the second in the middle.
        let who = [1, 1, 0, 0, 2, 0, 0, 0, 0];
        let mut counts = [[0.0; Lines::LONGEST + 1]; 2];
        lines.count(&who, &mut counts);
        // The bottom row has two; the left column has one. Other lines through them meet the middle.
        assert_eq!(counts[0][1..4], [1.0, 1.0, 0.0]);
        // Of the four lines through the middle, the other side has a piece on two.
        assert_eq!(counts[1][1..4], [2.0, 0.0, 0.0]);
        assert!(Lines::new(&board, 4).is_empty());
    }
}
