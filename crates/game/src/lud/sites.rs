//! Sets of sites of a board of any size.

/// A set of site numbers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteSet {
    words: Vec<u64>,
}

impl SiteSet {
    /// The empty set.
    pub fn new() -> Self {
        SiteSet { words: Vec::new() }
    }

    /// The sites `0..count`.
    pub fn first(count: usize) -> Self {
        let mut words = vec![u64::MAX; count / 64];
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
    pub fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = std::iter::successors((word != 0).then_some(word), |w| {
                let next = w & (w - 1);
                (next != 0).then_some(next)
            });
            rest.map(move |w| (index * 64) as i32 + w.trailing_zeros() as i32)
        })
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

    /// Empties the set, keeping its memory.
    pub fn clear(&mut self) {
        self.words.clear();
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
