//! Chains of stones and their liberties, kept from move to move.
//!
//! The stones of a chain form a ring and all name the same head, which counts the liberties of the chain ([`Touching`]),
//! one for each stone and empty site that touch: such counts are nought exactly where there is no liberty, and
//! change by one for each neighbour of a stone that comes or goes. What the head of an empty site, or of the
//! place beyond the board, counts means nothing, so that neighbours need not be told apart.

use super::plan::Plan;
use super::position::OPEN_WORDS;
use ludex_game::memory::expect;
use ludex_game::mix;
use rustc_hash::FxHashMap;

/// Nothing stands there.
pub const EMPTY: u8 = 2;
/// Not on the board.
const BEYOND: u8 = 3;

/// The board and what chains are known by; `C` is a power of two above the number of sites.
#[derive(Clone, Copy, Debug)]
pub struct Board<const C: usize> {
    /// Whose stone stands on a site.
    pub colour: [u8; C],
    stones_at: [Stone; C],
    /// What stands where.
    pub hash: u64,
    /// How many stones each player has.
    pub stones: [u16; 2],
}

/// A stone and, where it is the head of its chain, the chain. All of it lies side by side: whoever steps many games finds
/// none of them in the nearest memory.
#[derive(Clone, Copy, Debug)]
struct Stone {
    /// Liberties of the chain of a head.
    liberties: Touching,
    /// The keys of the stones of a chain together.
    keys: u64,
    /// The head of the chain.
    head: u16,
    /// The next stone of the chain.
    next: u16,
    /// Stones of the chain of a head.
    size: u16,
    /// Regions that the chain of a head touches.
    touch: u16,
}

/// Empty sites that stones touch, each as often as stones touch it: how many, the sum of their numbers and the sum of the
/// squares of those, side by side in one number, which one addition changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touching(u64);

impl Touching {
    /// Bits of the count, and of the count and the sum: fewer than 512 sites are touched by fewer than seven stones each.
    const COUNT: u32 = 12;
    const SUM: u32 = 34;

    /// A site that one stone touches.
    #[inline(always)]
    fn one(site: usize) -> Self {
        let site = site as u64;
        Touching((site * site) << Self::SUM | site << Self::COUNT | 1)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Touching(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Touching(self.0.wrapping_sub(other.0))
    }

    /// How many, each as often as it is touched.
    #[inline(always)]
    pub fn count(self) -> u64 {
        self.0 & ((1 << Self::COUNT) - 1)
    }

    /// The site, if it is only one that is touched: numbers are all the same where the mean of their squares is the square of their
    /// mean.
    #[inline(always)]
    fn only(self) -> Option<usize> {
        let (count, squares) = (self.count(), self.0 >> Self::SUM);
        let sum = self.0 >> Self::COUNT & ((1 << (Self::SUM - Self::COUNT)) - 1);
        (count > 0 && count * squares == sum * sum).then(|| (sum as u32 / count as u32) as usize)
    }
}

/// What never changes: `D` is the most neighbours a site has.
#[derive(Debug)]
pub struct Ground<const C: usize, const D: usize> {
    pub sites: usize,
    near: Vec<[u16; D]>,
    keys: Vec<[u64; 2]>,
    regions: [Vec<u16>; 2],
    /// The site of every key, for each player.
    places: [FxHashMap<u64, u16>; 2],
    /// Distances to neighbours, each with the sites that have one so far away; none where there are too many.
    ways: Vec<(i32, [u64; OPEN_WORDS])>,
}

/// Boards with more distances to neighbours than this are looked at site by site.
const MAX_WAYS: usize = 8;

/// What a stone on an empty site would meet.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Empty neighbours.
    pub free: Touching,
    /// A chain of the same player keeps a liberty.
    pub joins_free: bool,
    /// Which neighbours belong to chains of the other player that lose their last liberty.
    pub taken: u8,
}

impl<const C: usize, const D: usize> Ground<C, D> {
    pub fn new(plan: &Plan) -> Self {
        let beyond = (C - 1) as u16;
        let sites = plan.near.len();
        let near = |site: usize| {
            let near = plan.near.get(site);
            std::array::from_fn(|n| near.and_then(|near| near.get(n)).copied().unwrap_or(beyond))
        };
        let key = |n: u64| mix(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED_0F60);
        let regions = |player: usize| {
            let known = plan.joins.as_ref().map(|joins| joins.regions[player].clone());
            let mut regions = known.unwrap_or_default();
            regions.resize(C, 0);
            regions
        };
        let keys: Vec<[u64; 2]> = (0..C as u64).map(|n| [key(2 * n + 1), key(2 * n + 2)]).collect();
        let places = |player: usize| (0..).zip(&keys).map(|(n, keys)| (keys[player], n)).collect();
        Ground {
            sites,
            near: (0..C).map(near).collect(),
            places: [places(0), places(1)],
            keys,
            regions: [regions(0), regions(1)],
            ways: ways(&plan.near),
        }
    }

    /// The sites with a neighbour in a set; nothing where that is not known by distances.
    #[inline(always)]
    pub fn beside(&self, set: &[u64; OPEN_WORDS]) -> Option<[u64; OPEN_WORDS]> {
        if self.ways.is_empty() {
            return None;
        }
        // Nothing is before the first word and after the last one.
        let mut wide = [0; 3 * OPEN_WORDS];
        wide[OPEN_WORDS..2 * OPEN_WORDS].copy_from_slice(set);
        let mut found = [0; OPEN_WORDS];
        for (distance, from) in &self.ways {
            let first = OPEN_WORDS as i32 + (distance >> 6);
            let (words, bits) = (&wide[first as usize..][..OPEN_WORDS + 1], *distance as u32 % 64);
            for at in 0..OPEN_WORDS {
                // Two shifts, for a shift by nought must carry nothing.
                found[at] |= (words[at] >> bits | words[at + 1] << 1 << (63 - bits)) & from[at];
            }
        }
        Some(found)
    }

    /// A board without stones.
    pub fn bare(&self) -> Board<C> {
        let stone = |n: usize| Stone {
            liberties: Touching::default(),
            keys: 0,
            head: n as u16,
            next: n as u16,
            size: 0,
            touch: 0,
        };
        let colour = std::array::from_fn(|n| if n < self.sites { EMPTY } else { BEYOND });
        Board { colour, stones_at: std::array::from_fn(stone), hash: 0, stones: [0; 2] }
    }

    /// Looks around an empty site.
    #[inline(always)]
    pub fn look(&self, b: &Board<C>, player: u8, site: usize) -> Look {
        let near = &self.near[site & (C - 1)];
        let heads = near.map(|n| b.head(n));
        let mut look = Look { free: Touching::default(), joins_free: false, taken: 0 };
        for n in 0..D {
            let colour = b.colour[near[n] as usize & (C - 1)];
            // The chain keeps a liberty unless all it has is this site, once for each stone beside it.
            let here = heads.iter().filter(|&&head| head == heads[n]).count() as u64;
            let keeps = b.stones_at[heads[n]].liberties.count() != here;
            if colour == EMPTY {
                look.free = look.free.and(Touching::one(near[n] as usize));
            }
            look.joins_free |= colour == player && keeps;
            look.taken |= u8::from(colour == 1 - player && !keeps) << n;
        }
        look
    }

    /// Whether an empty site has an empty one beside it and no chain of the other player that a stone there might take.
    #[inline(always)]
    pub fn is_plain(&self, b: &Board<C>, player: u8, site: usize) -> bool {
        let (mut free, mut tight) = (false, false);
        for &n in &self.near[site & (C - 1)] {
            let colour = b.colour[n as usize & (C - 1)];
            free |= colour == EMPTY;
            // A liberty is counted once for each stone beside it.
            let few = b.stones_at[b.head(n)].liberties.count() <= D as u64;
            tight |= (colour == 1 - player) & few;
        }
        free && !tight
    }

    /// The site where a player's stone has this key.
    #[inline]
    pub fn place_of(&self, player: usize, key: u64) -> Option<usize> {
        self.places[player & 1].get(&key).map(|&site| usize::from(site))
    }

    /// The heads of the chains of an empty site's neighbours.
    #[inline(always)]
    pub fn heads_beside(&self, b: &Board<C>, site: usize) -> [u16; D] {
        self.near[site & (C - 1)].map(|n| b.head(n) as u16)
    }

    /// Calls `each` with the neighbours of a site.
    #[inline(always)]
    pub fn each_near(&self, site: usize, each: impl FnMut(usize)) {
        self.near[site & (C - 1)].iter().map(|&n| usize::from(n)).for_each(each);
    }

    /// Asks for the memory of a site and its neighbours.
    #[inline(always)]
    pub fn expect(&self, b: &Board<C>, site: usize) {
        for n in self.near[site & (C - 1)] {
            let n = n as usize & (C - 1);
            expect(&b.colour[n]);
            expect(&b.stones_at[n]);
        }
        expect(&b.stones_at[site & (C - 1)]);
    }

    /// Asks for the memory of the chains beside a site.
    #[inline(always)]
    pub fn expect_chains(&self, b: &Board<C>, site: usize) {
        self.near[site & (C - 1)].iter().for_each(|&n| expect(&b.stones_at[b.head(n)]));
    }

    /// What the position would be known by after a stone comes to an empty site.
    #[inline(always)]
    pub fn hash_after(&self, b: &Board<C>, player: u8, site: usize, taken: u8) -> u64 {
        let mut hash = b.hash ^ self.keys[site & (C - 1)][player as usize & 1];
        if taken != 0 {
            let near = &self.near[site & (C - 1)];
            for n in (0..D).filter(|n| taken >> n & 1 == 1) {
                let head = b.head(near[n]);
                let again = (0..n).any(|m| taken >> m & 1 == 1 && b.head(near[m]) == head);
                hash ^= if again { 0 } else { b.stones_at[head].keys };
            }
        }
        hash
    }

    /// Puts a stone on an empty site and takes the chains of the neighbours in `taken`; calls `lifted` for
    /// every stone that goes. Gives the regions that the stone's chain touches.
    #[inline(always)]
    pub fn place(
        &self,
        b: &mut Board<C>,
        player: u8,
        site: usize,
        free: Touching,
        taken: u8,
        mut lifted: impl FnMut(u16),
    ) -> u16 {
        let site = site & (C - 1);
        let (near, here) = (&self.near[site], Touching::one(site));
        for &n in near {
            let chain = &mut b.stones_at[b.head(n)];
            chain.liberties = chain.liberties.without(here);
        }
        let key = self.keys[site][player as usize & 1];
        b.colour[site] = player;
        b.hash ^= key;
        b.stones[player as usize & 1] += 1;
        let stone = &mut b.stones_at[site];
        (stone.liberties, stone.size, stone.keys) = (free, 1, key);
        stone.touch = self.regions[player as usize & 1][site];
        for &n in near {
            if b.colour[n as usize & (C - 1)] == player && b.head(n) != b.head(site as u16) {
                self.join(b, b.head(n), b.head(site as u16));
            }
        }
        if taken != 0 {
            for n in (0..D).filter(|n| taken >> n & 1 == 1) {
                if b.colour[near[n] as usize & (C - 1)] == 1 - player {
                    self.lift(b, 1 - player, b.head(near[n]), &mut lifted);
                }
            }
        }
        b.stones_at[b.head(site as u16)].touch
    }

    /// Makes one chain of two.
    #[inline(always)]
    fn join(&self, b: &mut Board<C>, one: usize, other: usize) {
        let larger = b.stones_at[one].size >= b.stones_at[other].size;
        let (keeps, goes) = if larger { (one, other) } else { (other, one) };
        let mut stone = goes;
        loop {
            b.stones_at[stone].head = keeps as u16;
            stone = b.stones_at[stone].next as usize & (C - 1);
            if stone == goes {
                break;
            }
        }
        let gone = b.stones_at[goes];
        let kept = &mut b.stones_at[keeps];
        let next = std::mem::replace(&mut kept.next, gone.next);
        kept.liberties = kept.liberties.and(gone.liberties);
        kept.size += gone.size;
        kept.keys ^= gone.keys;
        kept.touch |= gone.touch;
        b.stones_at[goes].next = next;
    }

    /// Takes a chain off the board.
    fn lift(&self, b: &mut Board<C>, player: u8, head: usize, lifted: &mut impl FnMut(u16)) {
        let head = head & (C - 1);
        b.hash ^= b.stones_at[head].keys;
        b.stones[player as usize & 1] -= b.stones_at[head].size;
        let mut stone = head;
        loop {
            let (next, here) = (b.stones_at[stone].next, Touching::one(stone));
            b.colour[stone] = EMPTY;
            (b.stones_at[stone].head, b.stones_at[stone].next) = (stone as u16, stone as u16);
            for &n in &self.near[stone] {
                let chain = &mut b.stones_at[b.head(n)];
                chain.liberties = chain.liberties.and(here);
            }
            lifted(stone as u16);
            stone = next as usize & (C - 1);
            if stone == head {
                break;
            }
        }
    }
}

impl<const C: usize> Board<C> {
    /// The head of the chain of a stone.
    #[inline(always)]
    pub fn head(&self, stone: u16) -> usize {
        self.stones_at[stone as usize & (C - 1)].head as usize & (C - 1)
    }

    /// The only liberty of the chain of a head; nothing where it has several.
    #[inline(always)]
    pub fn only_liberty(&self, head: usize) -> Option<usize> {
        self.stones_at[head & (C - 1)].liberties.only()
    }
}

/// Distances from sites to their neighbours, with the sites that have a neighbour so far away.
fn ways(near: &[Vec<u16>]) -> Vec<(i32, [u64; OPEN_WORDS])> {
    let mut ways: Vec<(i32, [u64; OPEN_WORDS])> = Vec::new();
    for (site, near) in near.iter().enumerate().take(64 * OPEN_WORDS) {
        for &to in near {
            let distance = i32::from(to) - site as i32;
            let at = ways.iter().position(|(known, _)| *known == distance).unwrap_or(ways.len());
            if at == ways.len() {
                ways.push((distance, [0; OPEN_WORDS]));
            }
            ways[at].1[site / 64] |= 1 << (site % 64);
        }
    }
    if ways.len() > MAX_WAYS { Vec::new() } else { ways }
}
