//! A board as features see it.

use crate::geometry::{Geometry, OFF, Relation, Site, SiteId};
use std::collections::VecDeque;

/// The graph that walks go through, with what else a pattern may ask of a board. It never changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    /// For each site its sides in clockwise order: the neighbour there, or nothing where the board ends.
    pub sides: Vec<Vec<Option<u32>>>,
    /// For each region its distance from each site; none for regions that move.
    pub distances: Vec<Option<Vec<u32>>>,
    /// For each site the sites along each orthogonal line from it, without itself.
    pub orthogonals: Vec<Vec<Vec<u32>>>,
    /// The same along diagonal lines.
    pub diagonals: Vec<Vec<Vec<u32>>>,
    /// How many play.
    pub players: u32,
}

impl Ground {
    /// The board of a game: those sites of its first container that are what the first site is.
    pub fn new(geometry: &Geometry, players: usize) -> Self {
        let first = geometry.sites.first();
        let is_board = |site: &&Site| {
            first.is_some_and(|f| (f.container, f.element) == (site.container, site.element))
        };
        let count = geometry.sites.iter().take_while(is_board).count() as SiteId;
        let sides = |site| geometry.around(site).iter().map(|&next| (next != OFF).then_some(next));
        let lines = |relation| {
            let of = |site| geometry.rays(site, relation).map(<[SiteId]>::to_vec).collect();
            (0..count).map(of).collect()
        };
        let regions = geometry.regions.iter();
        Ground {
            sides: (0..count).map(|site| sides(site).collect()).collect(),
            distances: regions
                .map(|region| region.sites.as_ref().map(|to| distances(geometry, to, count)))
                .collect(),
            orthogonals: lines(Relation::Orthogonal),
            diagonals: lines(Relation::Diagonal),
            players: players as u32,
        }
    }

    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.sides.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// The different numbers of sides that sites have.
    pub fn connectivities(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.sides.iter().map(Vec::len).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The side of `site` that leads to `other`; the first if there are several.
    pub(super) fn side_to(&self, site: u32, other: u32) -> Option<usize> {
        self.sides[site as usize].iter().position(|&side| side == Some(other))
    }
}

/// Steps over sites that touch to the nearest site of a region; nought where none can be reached.
fn distances(geometry: &Geometry, region: &[SiteId], count: SiteId) -> Vec<u32> {
    let mut found = vec![None; count as usize];
    let mut queue: VecDeque<SiteId> = region.iter().copied().filter(|&site| site < count).collect();
    queue.iter().for_each(|&site| found[site as usize] = Some(0));
    while let Some(site) = queue.pop_front() {
        let next = found[site as usize].map(|steps| steps + 1);
        for &other in geometry.adjacent(site).iter().filter(|&&other| other < count) {
            if found[other as usize].is_none() {
                found[other as usize] = next;
                queue.push_back(other);
            }
        }
    }
    found.into_iter().map(Option::unwrap_or_default).collect()
}
