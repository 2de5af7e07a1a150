//! Chains of stones and their liberties, kept from move to move.
//!
//! The stones of a chain form a ring and all name the same head, by which the chain and its liberties ([`Touching`]) are
//! found, one for each stone and empty site that touch: such counts are nought exactly where there is no liberty, and
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
    /// The head of the chain of a stone; these lie close together, for all neighbours are asked for theirs.
    heads: [u16; C],
    /// The next stone of the chain.
    next: [u16; C],
    /// The chains, each at its head. All about one lies side by side: whoever steps many games finds none of it in the
    /// nearest memory.
    chains: [Chain; C],
    /// What stands where.
    pub hash: u64,
    /// How many stones each player has.
    pub stones: [u16; 2],
}

/// Stones of one player that hang together.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    liberties: Touching,
    /// The keys of its stones together.
    keys: u64,
    /// How many stones it has.
    size: u16,
    /// The regions that it touches.
    touch: u16,
}

/// Empty sites that stones touch, each as often as stones touch it: how many, and where [`Which`] are kept the sum of their
/// numbers and the sum of the squares of those, side by side in one number, which one addition changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touching(u64);

/// What is kept of the sites that are touched.
pub trait Kept {
    /// A site that one stone touches.
    fn one(site: usize) -> Touching;
}

/// How many there are: all that playouts ask for.
pub enum HowMany {}

/// Also which one it is where there is no other.
pub enum Which {}

impl Kept for HowMany {
    #[inline(always)]
    fn one(_: usize) -> Touching {
        Touching(1)
    }
}

impl Kept for Which {
    #[inline(always)]
    fn one(site: usize) -> Touching {
        let site = site as u64;
        Touching((site * site) << Touching::SUM | site << Touching::COUNT | 1)
    }
}

impl Touching {
    /// Bits of the count, and of the count and the sum: fewer than 512 sites are touched by fewer than seven stones each.
    const COUNT: u32 = 16;
    const SUM: u32 = 36;

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
    pub fn count(self) -> u16 {
        self.0 as u16
    }

    /// The site, if it is only one that is touched: numbers are all the same where the mean of their squares is the square of their
    /// mean. Known where [`Which`] are kept.
    #[inline(always)]
    fn only(self) -> Option<usize> {
        let (count, squares) = (u64::from(self.count()), self.0 >> Self::SUM);
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
    /// For each player, which numbers are the lowest bits of a key.
    parts: [Vec<u64>; 2],
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
        let parts = |player: usize| {
            let mut parts = vec![0; 1 << 10];
            keys.iter().map(|keys| keys[player] as u16).for_each(|part| {
                parts[usize::from(part >> 6)] |= 1 << (part & 63);
            });
            parts
        };
        Ground {
            sites,
            near: (0..C).map(near).collect(),
            places: [places(0), places(1)],
            parts: [parts(0), parts(1)],
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
        let colour = std::array::from_fn(|n| if n < self.sites { EMPTY } else { BEYOND });
        let own = std::array::from_fn(|n| n as u16);
        let chains = [Chain::default(); C];
        Board { colour, heads: own, next: own, chains, hash: 0, stones: [0; 2] }
    }

    /// Finds the liberties of all chains anew, and which they are.
    pub fn find_liberties(&self, b: &mut Board<C>) {
        b.chains.iter_mut().for_each(|chain| chain.liberties = Touching::default());
        for site in 0..self.sites {
            let near = if b.colour[site] == EMPTY { &self.near[site][..] } else { &[] };
            for &n in near {
                let chain = b.chain(n);
                chain.liberties = chain.liberties.and(Which::one(site));
            }
        }
    }

    /// Looks around an empty site.
    #[inline(always)]
    pub fn look<K: Kept>(&self, b: &Board<C>, player: u8, site: usize) -> Look {
        let near = &self.near[site & (C - 1)];
        let heads = near.map(|n| b.head(n));
        let mut look = Look { free: Touching::default(), joins_free: false, taken: 0 };
        for n in 0..D {
            let colour = b.colour[near[n] as usize & (C - 1)];
            // The chain keeps a liberty unless all it has is this site, once for each stone beside it.
            let here = heads.iter().filter(|&&head| head == heads[n]).count() as u16;
            let keeps = b.chains[heads[n]].liberties.count() != here;
            if colour == EMPTY {
                look.free = look.free.and(K::one(near[n] as usize));
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
            let few = b.chains[b.head(n)].liberties.count() <= D as u16;
            tight |= (colour == 1 - player) & few;
        }
        free && !tight
    }

    /// The site where a player's stone has this key.
    #[inline]
    pub fn place_of(&self, player: usize, key: u64) -> Option<usize> {
        self.places[player & 1].get(&key).map(|&site| usize::from(site))
    }

    /// Whether these may be the lowest bits of the key of a player's stone; few are.
    #[inline(always)]
    pub fn may_be_key(&self, player: usize, part: u16) -> bool {
        self.parts[player & 1]
            .get(usize::from(part >> 6))
            .is_some_and(|word| word >> (part & 63) & 1 == 1)
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
            expect(&b.heads[n]);
        }
        expect(&b.chains[site & (C - 1)]);
    }

    /// Asks for the memory of the chains beside a site.
    #[inline(always)]
    pub fn expect_chains(&self, b: &Board<C>, site: usize) {
        self.near[site & (C - 1)].iter().for_each(|&n| expect(&b.chains[b.head(n)]));
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
                hash ^= if again { 0 } else { b.chains[head].keys };
            }
        }
        hash
    }

    /// Puts a stone on an empty site and takes the chains of the neighbours in `taken`; calls `lifted` for
    /// every stone that goes. Gives the regions that the stone's chain touches.
    #[inline(always)]
    pub fn place<K: Kept>(
        &self,
        b: &mut Board<C>,
        player: u8,
        site: usize,
        free: Touching,
        taken: u8,
        mut lifted: impl FnMut(u16),
    ) -> u16 {
        let site = site & (C - 1);
        let (near, here) = (&self.near[site], K::one(site));
        for &n in near {
            let chain = b.chain(n);
            chain.liberties = chain.liberties.without(here);
        }
        let key = self.keys[site][player as usize & 1];
        b.colour[site] = player;
        b.hash ^= key;
        b.stones[player as usize & 1] += 1;
        let touch = self.regions[player as usize & 1][site];
        b.chains[site] = Chain { liberties: free, keys: key, size: 1, touch };
        for &n in near {
            if b.colour[n as usize & (C - 1)] == player && b.head(n) != b.head(site as u16) {
                self.join(b, b.head(n), b.head(site as u16));
            }
        }
        if taken != 0 {
            for n in (0..D).filter(|n| taken >> n & 1 == 1) {
                if b.colour[near[n] as usize & (C - 1)] == 1 - player {
                    self.lift::<K>(b, 1 - player, b.head(near[n]), &mut lifted);
                }
            }
        }
        b.chain(site as u16).touch
    }

    /// Makes one chain of two.
    #[inline(always)]
    fn join(&self, b: &mut Board<C>, one: usize, other: usize) {
        let larger = b.chains[one].size >= b.chains[other].size;
        let (keeps, goes) = if larger { (one, other) } else { (other, one) };
        let mut stone = goes;
        loop {
            b.heads[stone] = keeps as u16;
            stone = b.next[stone] as usize & (C - 1);
            if stone == goes {
                break;
            }
        }
        b.next.swap(keeps, goes);
        let gone = b.chains[goes];
        let kept = &mut b.chains[keeps];
        kept.liberties = kept.liberties.and(gone.liberties);
        kept.size += gone.size;
        kept.keys ^= gone.keys;
        kept.touch |= gone.touch;
    }

    /// Takes a chain off the board.
    fn lift<K: Kept>(
        &self,
        b: &mut Board<C>,
        player: u8,
        head: usize,
        lifted: &mut impl FnMut(u16),
    ) {
        let head = head & (C - 1);
        b.hash ^= b.chains[head].keys;
        b.stones[player as usize & 1] -= b.chains[head].size;
        let mut stone = head;
        loop {
            let (next, here) = (b.next[stone], K::one(stone));
            b.colour[stone] = EMPTY;
            (b.heads[stone], b.next[stone]) = (stone as u16, stone as u16);
            for &n in &self.near[stone] {
                let chain = b.chain(n);
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
        self.heads[stone as usize & (C - 1)] as usize & (C - 1)
    }

    /// The chain of a stone.
    #[inline(always)]
    fn chain(&mut self, stone: u16) -> &mut Chain {
        &mut self.chains[self.head(stone)]
    }

    /// How many stones the chain of a head has, and their keys together.
    #[inline(always)]
    pub fn stones_of(&self, head: u16) -> (u16, u64) {
        let chain = &self.chains[head as usize & (C - 1)];
        (chain.size, chain.keys)
    }

    /// How many empty sites the chain of a head touches, each as often as its stones do.
    #[inline(always)]
    pub fn liberties_of(&self, head: u16) -> u16 {
        self.chains[head as usize & (C - 1)].liberties.count()
    }

    /// The only liberty of the chain of a head; nothing where it has several.
    #[inline(always)]
    pub fn only_liberty(&self, head: usize) -> Option<usize> {
        self.chains[head & (C - 1)].liberties.only()
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
