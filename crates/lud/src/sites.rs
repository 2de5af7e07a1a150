//! Sets of sites of a board of any size, and short lists of numbers.

use smallvec::SmallVec;

/// A short list of numbers: sites, players, values.
pub type Numbers = SmallVec<[i32; 12]>;

/// A set of site numbers, one bit each. Sets of most boards fit in without memory of their own.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SiteSet {
    words: SmallVec<[u64; 6]>,
}

impl Clone for SiteSet {
    #[inline]
    fn clone(&self) -> Self {
        SiteSet { words: SmallVec::from_slice(&self.words) }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }
}

impl SiteSet {
    /// The empty set.
    pub fn new() -> Self {
        SiteSet { words: SmallVec::new() }
    }

    /// The sites `0..count`.
    pub fn first(count: usize) -> Self {
        let mut words = SmallVec::from_elem(u64::MAX, count / 64);
        if !count.is_multiple_of(64) {
            words.push((1 << (count % 64)) - 1);
        }
        SiteSet { words }
    }

    /// Whether the site is a member; negative numbers never are.
    #[inline]
    pub fn contains(&self, site: i32) -> bool {
        let Ok(site) = usize::try_from(site) else {
            return false;
        };
        self.words.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
    }

    /// Adds a site; negative numbers are ignored.
    #[inline]
    pub fn insert(&mut self, site: i32) {
        let Ok(site) = usize::try_from(site) else {
            return;
        };
        if site / 64 >= self.words.len() {
            self.words.resize(site / 64 + 1, 0);
        }
        self.words[site / 64] |= 1 << (site % 64);
    }

    /// Takes a site out.
    #[inline]
    pub fn remove(&mut self, site: i32) {
        if let Ok(site) = usize::try_from(site)
            && let Some(word) = self.words.get_mut(site / 64)
        {
            *word &= !(1 << (site % 64));
        }
    }

    /// The member that has `nth` members below it.
    pub fn nth(&self, mut nth: u32) -> Option<i32> {
        for (n, &word) in self.words.iter().enumerate() {
            let here = word.count_ones();
            if nth < here {
                let mut rest = word;
                for _ in 0..nth {
                    rest &= rest - 1;
                }
                return Some((n * 64) as i32 + rest.trailing_zeros() as i32);
            }
            nth -= here;
        }
        None
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The members in order.
    #[inline]
    pub fn iter(&self) -> Members<'_> {
        Members { rest: &self.words, base: -64, word: 0 }
    }

    /// The members below a bound.
    pub fn below(&self, bound: usize) -> SiteSet {
        let whole = (bound / 64).min(self.words.len());
        let mut words = SmallVec::from_slice(&self.words[..whole]);
        if let Some(&last) = self.words.get(bound / 64) {
            words.push(last & ((1 << (bound % 64)) - 1));
        }
        SiteSet { words }
    }

    /// Adds all members of another set.
    pub fn union_with(&mut self, other: &SiteSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Keeps only the members of another set.
    pub fn intersect_with(&mut self, other: &SiteSet) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(index).copied().unwrap_or(0);
        }
    }

    /// Takes all members of another set out.
    pub fn subtract(&mut self, other: &SiteSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Whether both sets share a member.
    pub fn intersects(&self, other: &SiteSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Same members, whatever the capacity.
    pub fn same(&self, other: &SiteSet) -> bool {
        let longest = self.words.len().max(other.words.len());
        let word = |set: &SiteSet, index: usize| set.words.get(index).copied().unwrap_or(0);
        (0..longest).all(|index| word(self, index) == word(other, index))
    }

    /// A number that tells sets apart: nought for the empty one, whatever the capacity.
    pub fn key(&self) -> u64 {
        let words = (1u64..).zip(&self.words).filter(|(_, word)| **word != 0);
        words.fold(0, |key, (n, word)| ludex_game::mix(key ^ word ^ n << 56))
    }

    /// Empties the set, keeping its memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

/// The members of a set, in order.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    rest: &'a [u64],
    base: i32,
    word: u64,
}

impl Iterator for Members<'_> {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        while self.word == 0 {
            let (&word, rest) = self.rest.split_first()?;
            (self.word, self.rest) = (word, rest);
            self.base += 64;
        }
        let member = self.base + self.word.trailing_zeros() as i32;
        self.word &= self.word - 1;
        Some(member)
    }
}

/// Sites that rules run through one after the other: a set in order, or one site, which need not be on the board.
#[derive(Clone, Debug)]
pub struct Sites {
    one: Option<i32>,
    set: SiteSet,
    /// The word of the set that is being run through, and what is left of it.
    at: usize,
    word: u64,
}

impl Sites {
    /// One site, or none where the number is no site.
    pub fn one(site: i32) -> Self {
        Sites { one: Some(site), set: SiteSet::new(), at: 0, word: 0 }
    }
}

impl From<SiteSet> for Sites {
    fn from(set: SiteSet) -> Self {
        let word = set.words.first().copied().unwrap_or(0);
        Sites { one: None, set, at: 0, word }
    }
}

impl Iterator for Sites {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        if let Some(site) = self.one.take() {
            return Some(site);
        }
        while self.word == 0 {
            self.at += 1;
            self.word = *self.set.words.get(self.at)?;
        }
        let site = (self.at * 64) as i32 + self.word.trailing_zeros() as i32;
        self.word &= self.word - 1;
        Some(site)
    }
}

impl FromIterator<i32> for SiteSet {
    fn from_iter<T: IntoIterator<Item = i32>>(sites: T) -> Self {
        let mut set = SiteSet::new();
        for site in sites {
            set.insert(site);
        }
        set
    }
}
