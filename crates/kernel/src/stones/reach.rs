//! Connection as sites that are reached: for every region but one the stones that are joined to it.
//!
//! A stone beside what is reached, or in the region, is reached with all stones joined to it; every stone is
//! reached once, so a whole game costs no more than one flood over the board.

use super::chains::ChainTable;
use super::position::Referee;
use ludex_game::bits::Bits;

/// As many regions as are told apart.
const MOST: usize = 3;

/// Judges whether one chain touches all regions of its player.
#[derive(Debug)]
pub struct Reach<const W: usize> {
    near: Vec<Bits<W>>,
    regions: [[Bits<W>; MOST]; 2],
    /// How many regions each player has besides the last.
    count: usize,
    /// The fact it makes, for each player.
    facts: [usize; 2],
}

impl<const W: usize> Reach<W> {
    /// If all that is asked for is a chain that touches all of a few regions.
    pub fn new(table: &ChainTable) -> Option<Self> {
        let mut facts = [0; 2];
        let mut regions = [[Bits::EMPTY; MOST]; 2];
        let count = table.wanted[0].first()?.needed as usize;
        for player in 0..2 {
            let [wanted] = table.wanted[player].as_slice() else { return None };
            let bits: Vec<u32> = (0..16).filter(|bit| wanted.mask >> bit & 1 == 1).collect();
            let all = bits.len() == count && wanted.needed as usize == count;
            if table.ring.is_some() || !all || !(1..=MOST).contains(&count) {
                return None;
            }
            facts[player] = wanted.fact;
            for (region, bit) in regions[player].iter_mut().zip(bits) {
                let sites = table.regions[player].iter().enumerate();
                let inside = sites.filter(|(_, set)| *set >> bit & 1 == 1);
                *region = inside.fold(Bits::EMPTY, |all, (site, _)| all | Bits::one(site));
            }
        }
        let near = |slots: &[Option<u16>; 8]| {
            slots.iter().flatten().fold(Bits::EMPTY, |all, &site| all | Bits::one(site as usize))
        };
        Some(Reach {
            near: table.near.iter().map(near).collect(),
            regions,
            count: count - 1,
            facts,
        })
    }
}

impl<const W: usize> Referee<W> for Reach<W> {
    /// For each player and every region but the last what is reached from it.
    type Memory = [[Bits<W>; MOST - 1]; 2];

    fn fresh(&self) -> Self::Memory {
        [[Bits::EMPTY; MOST - 1]; 2]
    }

    #[inline(always)]
    fn place(&self, memory: &mut Self::Memory, own: &Bits<W>, player: usize, site: usize) -> usize {
        let player = player & 1;
        let (own, near, regions) = (*own, self.near[site], &self.regions[player]);
        let mut grown = false;
        // A site of the last region that is reached from all others joins them.
        let mut joined = regions[self.count % MOST];
        for k in 0..MOST - 1 {
            if k == self.count {
                break;
            }
            let reached = &mut memory[player][k];
            if !(near & *reached).is_empty() || regions[k].contains(site) {
                reached.insert(site);
                *reached = self.flood(*reached, own, near);
                grown = true;
            }
            joined &= *reached;
        }
        if grown && !joined.is_empty() { self.facts[player] } else { 0 }
    }

    type Watch = Near<W>;

    fn watch(&self) -> Option<Near<W>> {
        Some(Near { reached: [[Bits::EMPTY; MOST]; 2], near: self.regions })
    }

    /// What is reached from the last region is not remembered, so all are gone over here.
    #[inline(always)]
    fn keep_watch(
        &self,
        watch: &mut Near<W>,
        _memory: &Self::Memory,
        own: &Bits<W>,
        player: usize,
        site: usize,
        _wanted: impl Fn(usize) -> bool,
    ) {
        let player = player & 1;
        for k in 0..MOST {
            if k > self.count {
                break;
            }
            let (reached, near) = (&mut watch.reached[player][k], &mut watch.near[player][k]);
            if near.contains(site) {
                reached.insert(site);
                *near |= self.near[site];
                let mut front = self.near[site] & *own & !*reached;
                *reached |= front;
                while let Some(site) = pop(&mut front) {
                    *near |= self.near[site];
                    let more = self.near[site] & *own & !*reached;
                    *reached |= more;
                    front |= more;
                }
            }
        }
    }

    /// A stone joins all chains beside it: it completes what is beside, or in, every region.
    #[inline(always)]
    fn watched(&self, watch: &Near<W>, player: usize, wanted: impl Fn(usize) -> bool) -> Bits<W> {
        let player = player & 1;
        match wanted(self.facts[player]) {
            true => {
                watch.near[player][..=self.count].iter().fold(!Bits::EMPTY, |all, &near| all & near)
            }
            false => Bits::EMPTY,
        }
    }
}

/// For each player and region the stones that are joined to it, and the sites in or beside either.
#[derive(Clone, Copy, Debug)]
pub struct Near<const W: usize> {
    reached: [[Bits<W>; MOST]; 2],
    near: [[Bits<W>; MOST]; 2],
}

impl<const W: usize> Reach<W> {
    /// All that is reached once the own stones of `front` are.
    #[inline(always)]
    fn flood(&self, mut reached: Bits<W>, own: Bits<W>, front: Bits<W>) -> Bits<W> {
        let mut front = front & own & !reached;
        reached |= front;
        while let Some(site) = pop(&mut front) {
            let more = self.near[site] & own & !reached;
            reached |= more;
            front |= more;
        }
        reached
    }
}

/// Takes the lowest member out, word by word so that sets stay in registers.
#[inline(always)]
fn pop<const W: usize>(set: &mut Bits<W>) -> Option<usize> {
    let mut at = 0;
    while at < W {
        let word = set.0[at];
        if word != 0 {
            set.0[at] = word & (word - 1);
            return Some(at * 64 + word.trailing_zeros() as usize);
        }
        at += 1;
    }
    None
}
