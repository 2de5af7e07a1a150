//! Distances counted in steps.

use super::{Mark, Relation, Sites};

impl Sites {
    /// Steps from `site` to every site through neighbours in the relation; `None` where there is
    /// no way.
    pub fn distances(&self, site: usize, relation: Relation) -> Vec<Option<u32>> {
        self.distances_from([site], relation)
    }

    /// Steps to every site from the nearest of `starts`.
    pub fn distances_from(
        &self,
        starts: impl IntoIterator<Item = usize>,
        relation: Relation,
    ) -> Vec<Option<u32>> {
        let mut distance = vec![None; self.len()];
        let mut frontier = Vec::new();
        for start in starts {
            if distance[start].replace(0).is_none() {
                frontier.push(start);
            }
        }
        let mut steps = 0;
        while !frontier.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for site in frontier {
                for &to in self.neighbours(site, relation) {
                    if distance[to as usize].is_none() {
                        distance[to as usize] = Some(steps);
                        next.push(to as usize);
                    }
                }
            }
            frontier = next;
        }
        distance
    }

    /// Steps through touching neighbours to the nearest site with a mark.
    pub fn distances_to(&self, mark: Mark) -> Vec<Option<u32>> {
        self.distances_from(self.marked(mark).iter(), Relation::Adjacent)
    }
}
