//! Rings of stones around sites, on boards of hexagons.
//!
//! A new stone can close a ring only where it joins two parts of one chain that do not touch beside it, or
//! where it completes the six stones around a stone of its own. Then the sites beside it are looked at: one
//! that cannot reach the border without crossing a stone of the chain's player is inside a ring.

use super::chains::ChainTable;
use ludex_game::bits::Bits;
use ludex_lud::sites::SiteSet;

#[derive(Debug)]
pub struct Ring<const W: usize> {
    pub fact: usize,
    border: Bits<W>,
    near: Vec<Bits<W>>,
}

impl<const W: usize> Ring<W> {
    pub fn new(fact: usize, border: &SiteSet, table: &ChainTable) -> Self {
        let one = |site: usize| Bits::<W>::one(site);
        let border = border.iter().fold(Bits::EMPTY, |set, site| set | one(site as usize));
        let near = |near: &[Option<u16>; 8]| {
            near.iter().flatten().fold(Bits::EMPTY, |set, &n| set | one(n as usize))
        };
        Ring { fact, border, near: table.near.iter().map(near).collect() }
    }

    /// Whether a stone at `site` closes a ring of `own` stones.
    #[cold]
    pub fn closes(&self, own: &Bits<W>, site: usize) -> bool {
        (self.near[site] & !self.border).iter().any(|start| self.is_inside(own, start))
    }

    fn is_inside(&self, own: &Bits<W>, start: usize) -> bool {
        let mut seen = Bits::one(start);
        let mut edge = seen;
        while !edge.is_empty() {
            let reached = edge.iter().fold(Bits::EMPTY, |all, site| all | self.near[site]);
            edge = reached & !*own & !seen;
            if !(edge & self.border).is_empty() {
                return false;
            }
            seen |= edge;
        }
        true
    }
}
