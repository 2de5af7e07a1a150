//! Chains of stones and their liberties, kept from move to move.
//!
//! The stones of a chain form a ring and all name the same head, which knows how many liberties the chain has,
//! one for each stone and empty site that touch: such counts are nought exactly where there is no liberty, and
//! change by one for each neighbour of a stone that comes or goes. What the head of an empty site, or of the
//! place beyond the board, counts means nothing, so that neighbours need not be told apart.

use super::plan::Plan;
use super::position::OPEN_WORDS;
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
    /// The head of a stone's chain.
    head: [u16; C],
    /// The next stone of a chain.
    next: [u16; C],
    /// Liberties of the chain of a head.
    liberties: [u16; C],
    /// Stones of the chain of a head.
    size: [u16; C],
    /// The keys of the stones of a chain together.
    keys: [u64; C],
    /// Regions that a chain touches.
    touch: [u16; C],
    /// What stands where.
    pub hash: u64,
    /// How many stones each player has.
    pub stones: [u16; 2],
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
    pub free: u16,
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
    pub fn beside(&self, set: &[u64; OPEN_WORDS]) -> Option<[u64; OPEN_WORDS]> {
        if self.ways.is_empty() {
            return None;
        }
        let mut found = [0; OPEN_WORDS];
        for (distance, from) in &self.ways {
            let (words, bits) =
                (distance.unsigned_abs() as usize / 64, distance.unsigned_abs() % 64);
            for at in 0..OPEN_WORDS {
                let word = |step: usize| match distance.is_positive() {
                    true => set.get(at + words + step).copied().unwrap_or(0),
                    false => at.checked_sub(words + step).map_or(0, |at| set[at]),
                };
                let moved = match (distance.is_positive(), bits) {
                    (_, 0) => word(0),
                    (true, bits) => word(0) >> bits | word(1) << (64 - bits),
                    (false, bits) => word(0) << bits | word(1) >> (64 - bits),
                };
                found[at] |= moved & from[at];
            }
        }
        Some(found)
    }

    /// A board without stones.
    pub fn bare(&self) -> Board<C> {
        let own = std::array::from_fn(|n| n as u16);
        let colour = std::array::from_fn(|n| if n < self.sites { EMPTY } else { BEYOND });
        Board {
            colour,
            head: own,
            next: own,
            liberties: [0; C],
            size: [0; C],
            keys: [0; C],
            touch: [0; C],
            hash: 0,
            stones: [0; 2],
        }
    }

    /// Looks around an empty site.
    #[inline(always)]
    pub fn look(&self, b: &Board<C>, player: u8, site: usize) -> Look {
        let near = &self.near[site & (C - 1)];
        let heads = near.map(|n| b.head[n as usize & (C - 1)]);
        let mut look = Look { free: 0, joins_free: false, taken: 0 };
        for n in 0..D {
            let colour = b.colour[near[n] as usize & (C - 1)];
            // The chain keeps a liberty unless all it has is this site, once for each stone beside it.
            let here = heads.iter().filter(|&&head| head == heads[n]).count() as u16;
            let keeps = b.liberties[heads[n] as usize & (C - 1)] != here;
            look.free += u16::from(colour == EMPTY);
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
            let n = n as usize & (C - 1);
            let liberties = b.liberties[b.head[n] as usize & (C - 1)];
            free |= b.colour[n] == EMPTY;
            // A liberty is counted once for each stone beside it.
            tight |= (b.colour[n] == 1 - player) & (liberties <= D as u16);
        }
        free && !tight
    }

    /// The site where a player's stone has this key.
    #[inline]
    pub fn place_of(&self, player: usize, key: u64) -> Option<usize> {
        self.places[player & 1].get(&key).map(|&site| usize::from(site))
    }

    /// Calls `each` with the heads of the chains of a stone and its neighbours that may have one liberty only: it is counted
    /// once for each stone beside it.
    #[inline(always)]
    pub fn each_tight(&self, b: &Board<C>, site: usize, mut each: impl FnMut(usize)) {
        let near = &self.near[site & (C - 1)];
        for n in near.iter().map(|&n| usize::from(n)).chain([site]) {
            let head = b.head[n & (C - 1)] as usize & (C - 1);
            if b.colour[n & (C - 1)] < EMPTY && b.liberties[head] <= D as u16 {
                each(head);
            }
        }
    }

    /// The only liberty of a chain that has one only.
    #[inline(always)]
    pub fn only_liberty(&self, b: &Board<C>, head: usize) -> Option<usize> {
        let head = head & (C - 1);
        if b.head[head] as usize != head || b.liberties[head] > D as u16 {
            return None;
        }
        let mut stone = head;
        loop {
            for &n in &self.near[stone] {
                let n = n as usize & (C - 1);
                if b.colour[n] == EMPTY {
                    let beside = self.near[n].iter();
                    let of_chain = |&&m: &&u16| b.head[m as usize & (C - 1)] as usize == head;
                    let here = beside.filter(of_chain).count() as u16;
                    return (here == b.liberties[head]).then_some(n);
                }
            }
            stone = b.next[stone] as usize & (C - 1);
            if stone == head {
                return None;
            }
        }
    }

    /// What the position would be known by after a stone comes to an empty site.
    #[inline(always)]
    pub fn hash_after(&self, b: &Board<C>, player: u8, site: usize, taken: u8) -> u64 {
        let mut hash = b.hash ^ self.keys[site & (C - 1)][player as usize & 1];
        if taken != 0 {
            let near = &self.near[site & (C - 1)];
            for n in (0..D).filter(|n| taken >> n & 1 == 1) {
                let head = b.head[near[n] as usize & (C - 1)];
                let again = (0..n)
                    .any(|m| taken >> m & 1 == 1 && b.head[near[m] as usize & (C - 1)] == head);
                hash ^= if again { 0 } else { b.keys[head as usize & (C - 1)] };
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
        free: u16,
        taken: u8,
        mut lifted: impl FnMut(u16),
    ) -> u16 {
        let site = site & (C - 1);
        let near = &self.near[site];
        for &n in near {
            let head = b.head[n as usize & (C - 1)] as usize & (C - 1);
            b.liberties[head] = b.liberties[head].wrapping_sub(1);
        }
        let key = self.keys[site][player as usize & 1];
        b.colour[site] = player;
        b.hash ^= key;
        b.stones[player as usize & 1] += 1;
        (b.liberties[site], b.size[site], b.keys[site]) = (free, 1, key);
        b.touch[site] = self.regions[player as usize & 1][site];
        for &n in near {
            let n = n as usize & (C - 1);
            if b.colour[n] == player && b.head[n] != b.head[site] {
                self.join(b, b.head[n], b.head[site]);
            }
        }
        if taken != 0 {
            for n in (0..D).filter(|n| taken >> n & 1 == 1) {
                let n = near[n] as usize & (C - 1);
                if b.colour[n] == 1 - player {
                    self.lift(b, 1 - player, b.head[n], &mut lifted);
                }
            }
        }
        b.touch[b.head[site] as usize & (C - 1)]
    }

    /// Makes one chain of two.
    #[inline(always)]
    fn join(&self, b: &mut Board<C>, one: u16, other: u16) {
        let (one, other) = (one as usize & (C - 1), other as usize & (C - 1));
        let (keeps, goes) = if b.size[one] >= b.size[other] { (one, other) } else { (other, one) };
        let mut stone = goes;
        loop {
            b.head[stone] = keeps as u16;
            stone = b.next[stone] as usize & (C - 1);
            if stone == goes {
                break;
            }
        }
        b.next.swap(keeps, goes);
        b.liberties[keeps] = b.liberties[keeps].wrapping_add(b.liberties[goes]);
        b.size[keeps] += b.size[goes];
        b.keys[keeps] ^= b.keys[goes];
        b.touch[keeps] |= b.touch[goes];
    }

    /// Takes a chain off the board.
    fn lift(&self, b: &mut Board<C>, player: u8, head: u16, lifted: &mut impl FnMut(u16)) {
        let head = head as usize & (C - 1);
        b.hash ^= b.keys[head];
        b.stones[player as usize & 1] -= b.size[head];
        let mut stone = head;
        loop {
            let next = b.next[stone] as usize & (C - 1);
            b.colour[stone] = EMPTY;
            (b.head[stone], b.next[stone]) = (stone as u16, stone as u16);
            for &n in &self.near[stone] {
                let beside = b.head[n as usize & (C - 1)] as usize & (C - 1);
                b.liberties[beside] = b.liberties[beside].wrapping_add(1);
            }
            lifted(stone as u16);
            stone = next;
            if stone == head {
                break;
            }
        }
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
