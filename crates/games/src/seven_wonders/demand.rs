//! Can a cost be paid, and how: Hall's theorem over sets of resources.
//!
//! A cost needs units of some kinds; a producer gives one unit of one of a few kinds. By Hall's
//! theorem a group of producers covers a cost exactly when, for every set `T` of kinds, the units
//! needed of kinds in `T` are no more than the producers that touch `T`. Raw materials and
//! manufactured goods never mix, so there are 16 + 8 sets, and a city's producers are one vector of
//! 24 small numbers that adds up as cards are built. The same vectors answer the harder questions:
//!
//! * the least number of units that must be bought is the largest shortfall `need(T) - own(T)`;
//! * the least that must come from the left is the shortfall of own and right together;
//! * every number between that and its mirror image is possible (bases of a matroid are convex).
//!
//! So the whole set of ways to pay is an interval for raw materials and one for goods.

use super::components::RAW_KINDS;

/// Units needed, or producers available, for each set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Demand {
    /// For each set of the four raw materials.
    pub raw: [u8; 16],
    /// For each set of the three manufactured goods.
    pub goods: [u8; 8],
}

impl Demand {
    /// Units of each kind, all of them at once.
    pub fn of_units(units: &[u8; 7]) -> Demand {
        let sum = |set: usize, first: usize, count: usize| {
            let inside = (0..count).filter(|kind| set >> kind & 1 == 1);
            inside.map(|kind| units[first + kind]).sum()
        };
        Demand {
            raw: std::array::from_fn(|set| sum(set, 0, RAW_KINDS)),
            goods: std::array::from_fn(|set| sum(set, RAW_KINDS, 7 - RAW_KINDS)),
        }
    }

    /// One unit of any one of the given kinds (a bit each; raw materials and goods must not mix).
    pub fn of_choice(kinds: u8) -> Demand {
        let raw = usize::from(kinds & 0b1111);
        let goods = usize::from(kinds >> RAW_KINDS);
        Demand {
            raw: std::array::from_fn(|set| u8::from(set & raw != 0)),
            goods: std::array::from_fn(|set| u8::from(set & goods != 0)),
        }
    }

    /// Adds producers.
    #[inline]
    pub fn add(&mut self, other: &Demand) {
        self.raw = add(&self.raw, &other.raw);
        self.goods = add(&self.goods, &other.goods);
    }

    /// Units of kind `kind` alone.
    pub fn units(&self, kind: usize) -> u8 {
        if kind < RAW_KINDS { self.raw[1 << kind] } else { self.goods[1 << (kind - RAW_KINDS)] }
    }
}

/// Written as a loop so that it becomes one vector instruction.
#[inline(always)]
fn add<const N: usize>(a: &[u8; N], b: &[u8; N]) -> [u8; N] {
    let mut sum = *a;
    for i in 0..N {
        sum[i] = sum[i].wrapping_add(b[i]);
    }
    sum
}

/// The largest amount by which `need` exceeds `have` over all sets.
#[inline(always)]
fn shortfall<const N: usize>(need: &[u8; N], have: &[u8; N]) -> u8 {
    let mut most = [0u8; N];
    for i in 0..N {
        most[i] = need[i].saturating_sub(have[i]);
    }
    // A tree of maxima, so that the compiler keeps it in vector registers.
    let mut width = N / 2;
    while width > 0 {
        for i in 0..width {
            most[i] = most[i].max(most[i + width]);
        }
        width /= 2;
    }
    most[0]
}

/// Whether `have` covers `need` on every set.
#[inline(always)]
fn covers<const N: usize>(need: &[u8; N], have: &[u8; N]) -> bool {
    let mut over = 0;
    for i in 0..N {
        over |= need[i].saturating_sub(have[i]);
    }
    over == 0
}

/// Prices of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// Raw material from the left.
    pub raw_left: u8,
    /// Raw material from the right.
    pub raw_right: u8,
    /// Manufactured good from either side.
    pub goods: u8,
}

/// Whom a city can buy from, and what it has itself.
#[derive(Clone, Copy, Debug)]
pub struct Market<'a> {
    /// The buyer's own producers.
    pub own: &'a Demand,
    /// What the left neighbour sells.
    pub left: &'a Demand,
    /// What the right neighbour sells.
    pub right: &'a Demand,
    /// Prices for this buyer.
    pub prices: Prices,
}

/// Coins to each neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Split {
    /// To the left neighbour.
    pub left: u8,
    /// To the right neighbour.
    pub right: u8,
}

impl Split {
    /// Coins in all.
    pub fn total(self) -> u8 {
        self.left + self.right
    }
}

/// All the ways to buy what is missing of one family of resources: `bought` units, of which
/// `left_least..=left_most` come from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Purchase {
    bought: u8,
    left_least: u8,
    left_most: u8,
}

impl Market<'_> {
    /// Whether the three cities together produce enough.
    #[inline]
    fn suffices(&self, need: &Demand) -> bool {
        covers(&need.raw, &add(&add(&self.own.raw, &self.left.raw), &self.right.raw))
            && covers(&need.goods, &add(&add(&self.own.goods, &self.left.goods), &self.right.goods))
    }

    /// The least number of coins that pays for `need`, if it can be paid at all.
    #[inline]
    pub fn least_coins(&self, need: &Demand) -> Option<u8> {
        if covers(&need.raw, &self.own.raw) && covers(&need.goods, &self.own.goods) {
            return Some(0);
        }
        if !self.suffices(need) {
            return None;
        }
        let raw = shortfall(&need.raw, &self.own.raw);
        let goods = shortfall(&need.goods, &self.own.goods);
        let mut coins = goods * self.prices.goods;
        let prices = self.prices;
        if prices.raw_left == prices.raw_right {
            coins += raw * prices.raw_left;
        } else if raw != 0 {
            let way = self.raw_purchase(need, raw);
            let left =
                if prices.raw_left < prices.raw_right { way.left_most } else { way.left_least };
            coins += left * prices.raw_left + (raw - left) * prices.raw_right;
        }
        Some(coins)
    }

    /// The cheapest split; among equally cheap ones the one that pays most to the left or to the
    /// right, as `favour_left` says. The demand must be payable.
    pub fn cheapest(&self, need: &Demand, favour_left: bool) -> Split {
        let raw = self.raw_purchase(need, shortfall(&need.raw, &self.own.raw));
        let goods = self.goods_purchase(need, shortfall(&need.goods, &self.own.goods));
        let prices = self.prices;
        let raw_from_left = match prices.raw_left.cmp(&prices.raw_right) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => favour_left,
        };
        self.split(raw, raw.pick(raw_from_left), goods, goods.pick(favour_left))
    }

    /// Every distinct way to pay that is not worse than another for both neighbours at once, in
    /// order of coins to the left; appended to `out`.
    pub fn every_way(&self, need: &Demand, out: &mut Vec<Split>) {
        let first = out.len();
        if !self.suffices(need) {
            return;
        }
        let raw = self.raw_purchase(need, shortfall(&need.raw, &self.own.raw));
        let goods = self.goods_purchase(need, shortfall(&need.goods, &self.own.goods));
        for a in raw.left_least..=raw.left_most {
            for b in goods.left_least..=goods.left_most {
                out.push(self.split(raw, a, goods, b));
            }
        }
        // Sorted by coins to the left, a way is minimal when it pays the right less than all before.
        out[first..].sort_unstable();
        let mut least_right = u8::MAX;
        let mut kept = first;
        for i in first..out.len() {
            if out[i].right < least_right {
                least_right = out[i].right;
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    fn split(&self, raw: Purchase, raw_left: u8, goods: Purchase, goods_left: u8) -> Split {
        let prices = self.prices;
        Split {
            left: raw_left * prices.raw_left + goods_left * prices.goods,
            right: (raw.bought - raw_left) * prices.raw_right
                + (goods.bought - goods_left) * prices.goods,
        }
    }

    #[inline]
    fn raw_purchase(&self, need: &Demand, bought: u8) -> Purchase {
        purchase(&need.raw, &self.own.raw, &self.left.raw, &self.right.raw, bought)
    }

    #[inline]
    fn goods_purchase(&self, need: &Demand, bought: u8) -> Purchase {
        purchase(&need.goods, &self.own.goods, &self.left.goods, &self.right.goods, bought)
    }
}

#[inline(always)]
fn purchase<const N: usize>(
    need: &[u8; N],
    own: &[u8; N],
    left: &[u8; N],
    right: &[u8; N],
    bought: u8,
) -> Purchase {
    if bought == 0 {
        return Purchase::default();
    }
    Purchase {
        bought,
        left_least: shortfall(need, &add(own, right)),
        left_most: bought - shortfall(need, &add(own, left)),
    }
}

impl Purchase {
    fn pick(self, from_left: bool) -> u8 {
        if from_left { self.left_most } else { self.left_least }
    }
}
