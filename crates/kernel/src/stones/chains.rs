//! Chains of stones that touch: a forest that only grows, and what each tree touches.

use super::position::Referee;
use super::ring::Ring;
use ludex_game::bits::Bits;
use ludex_lud::sites::SiteSet;

/// Directions around a site.
pub const MAX_NEAR: usize = 8;

/// Regions a chain must touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which regions count.
    pub mask: u16,
    /// How many of them.
    pub needed: u32,
    /// The fact it makes.
    pub fact: usize,
}

/// What is known of a board and of the chains rules ask for.
#[derive(Clone, Debug, Default)]
pub struct ChainTable {
    /// The neighbours of every site, each in its slot; nothing in slots over the edge of the board.
    pub near: Vec<[Option<u16>; MAX_NEAR]>,
    /// How many slots are in use.
    pub slots: usize,
    /// For each player and site, the regions it lies in.
    pub regions: [Vec<u16>; 2],
    /// For each player what is asked for.
    pub wanted: [Vec<Wanted>; 2],
    /// Rings are asked for: the fact and the border.
    pub ring: Option<(usize, SiteSet)>,
}

/// Judges by chains.
#[derive(Debug)]
pub struct Chains<const W: usize> {
    /// Neighbours; in place of those that are missing, a place beyond the board.
    near: Vec<[u16; MAX_NEAR]>,
    /// The bit of a site in what its neighbours know of their surroundings.
    back: Vec<[u8; MAX_NEAR]>,
    slots: usize,
    /// The kind of surroundings of a site.
    class: Vec<u8>,
    /// By kind and set of neighbouring stones: some of them, one of each group that is joined already.
    heads: Vec<[u8; 256]>,
    regions: [Vec<u16>; 2],
    wanted: [Vec<Wanted>; 2],
    ring: Option<Ring<W>>,
}

/// Who leads whose chain.
#[derive(Clone, Copy, Debug)]
pub struct Forest<const W: usize> {
    parent: [[u16; 64]; W],
    /// What the chain of a root touches.
    touch: [[u16; 64]; W],
    /// For each player and site, which neighbours are his stones.
    around: [[[u8; 64]; W]; 2],
}

impl<const W: usize> Chains<W> {
    /// Needs one place more than the board has.
    pub fn new(table: ChainTable) -> Self {
        let count = table.near.len();
        let beyond = (64 * W - 1) as u16;
        let near: Vec<[u16; MAX_NEAR]> =
            table.near.iter().map(|near| near.map(|n| n.unwrap_or(beyond))).collect();
        let back = (0..count).map(|site| {
            near[site].map(|n| {
                let others = table.near.get(n as usize);
                let at = others.and_then(|o| o.iter().position(|&b| b == Some(site as u16)));
                at.map_or(0, |at| 1 << at)
            })
        });
        let back = back.collect();
        let mut joins: Vec<[u8; MAX_NEAR]> = Vec::new();
        let class = (0..count).map(|site| {
            let own = joined_neighbours(&table, site);
            joins.iter().position(|j| *j == own).unwrap_or_else(|| {
                joins.push(own);
                joins.len() - 1
            }) as u8
        });
        let class = class.collect();
        Chains {
            back,
            slots: table.slots,
            class,
            heads: joins.iter().map(heads).collect(),
            ring: table.ring.as_ref().map(|(fact, outer)| Ring::new(*fact, outer, &table)),
            near,
            regions: table.regions,
            wanted: table.wanted,
        }
    }
}

/// For every slot of a site, the slots whose sites are neighbours of its site.
fn joined_neighbours(table: &ChainTable, site: usize) -> [u8; MAX_NEAR] {
    let near = &table.near[site];
    near.map(|n| {
        let Some(n) = n else { return 0 };
        let joined =
            |slot: &usize| near[*slot].is_some_and(|m| table.near[n as usize].contains(&Some(m)));
        (0..MAX_NEAR).filter(joined).map(|slot| 1 << slot).sum()
    })
}

/// For every set of slots one slot of each connected part.
fn heads(joins: &[u8; MAX_NEAR]) -> [u8; 256] {
    std::array::from_fn(|set| {
        let (mut left, mut heads) = (set as u8, 0);
        while left != 0 {
            let head = left & left.wrapping_neg();
            heads |= head;
            let mut part = head;
            loop {
                let more = (0..MAX_NEAR)
                    .filter(|slot| part >> slot & 1 == 1)
                    .fold(part, |more, slot| more | joins[slot] & left);
                if more == part {
                    break;
                }
                part = more;
            }
            left &= !part;
        }
        heads
    })
}

impl<const W: usize> Forest<W> {
    #[inline(always)]
    fn parent(&mut self, site: usize) -> &mut u16 {
        &mut self.parent[site / 64 % W][site % 64]
    }

    #[inline(always)]
    fn touch(&mut self, site: usize) -> &mut u16 {
        &mut self.touch[site / 64 % W][site % 64]
    }

    /// The root of a site's chain; paths become shorter on the way.
    #[inline(always)]
    fn root(&mut self, site: usize) -> usize {
        let mut site = site;
        loop {
            let parent = *self.parent(site) as usize;
            if parent == site {
                return site;
            }
            let above = *self.parent(parent);
            *self.parent(site) = above;
            site = above as usize;
        }
    }
}

impl<const W: usize> Referee<W> for Chains<W> {
    type Memory = Forest<W>;
    type Watch = ();

    fn fresh(&self) -> Forest<W> {
        let mut parent = [[0; 64]; W];
        parent.as_flattened_mut().iter_mut().enumerate().for_each(|(n, p)| *p = n as u16);
        Forest { parent, touch: [[0; 64]; W], around: [[[0; 64]; W]; 2] }
    }

    #[inline(always)]
    fn place(&self, f: &mut Forest<W>, own: &Bits<W>, player: usize, site: usize) -> usize {
        let player = player & 1;
        let mask = f.around[player][site / 64 % W][site % 64];
        let near = &self.near[site];
        let mut surrounded = false;
        for (slot, &n) in near.iter().enumerate().take(self.slots) {
            let n = n as usize;
            let around = &mut f.around[player][n / 64 % W][n % 64];
            *around |= self.back[site][slot];
            surrounded |= *around == 63 && mask >> slot & 1 == 1;
        }
        let mut heads = self.heads[self.class[site] as usize][mask as usize];
        let mut touch = self.regions[player][site];
        let (mut root, mut meets) = (site, false);
        while heads != 0 {
            let other = f.root(near[heads.trailing_zeros() as usize & 7] as usize);
            heads &= heads - 1;
            touch |= *f.touch(other);
            meets |= other == root;
            *f.parent(root) = other as u16;
            root = other;
        }
        *f.touch(root) = touch;
        let mut facts = 0;
        for wanted in &self.wanted[player] {
            let touched = (touch & wanted.mask).count_ones();
            facts |= if touched >= wanted.needed { wanted.fact } else { 0 };
        }
        if let Some(ring) = &self.ring
            && (meets || surrounded)
            && ring.closes(own, site)
        {
            facts |= ring.fact;
        }
        facts
    }
}
