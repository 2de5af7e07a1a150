//! Sets of sites of any size. For regions and analyses; positions have sets of a fixed size.

/// A set of sites of any board, one bit per site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SiteSet {
    words: Vec<u64>,
}

impl SiteSet {
    /// The empty set for a board of `sites` sites (it grows when needed).
    pub fn new(sites: usize) -> Self {
        SiteSet { words: vec![0; sites.div_ceil(64)] }
    }

    /// All sites below `sites`.
    pub fn full(sites: usize) -> Self {
        (0..sites).collect()
    }

    /// Adds a site.
    pub fn insert(&mut self, site: usize) {
        let word = site / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (site % 64);
    }

    /// Takes a site out.
    pub fn remove(&mut self, site: usize) {
        if let Some(word) = self.words.get_mut(site / 64) {
            *word &= !(1 << (site % 64));
        }
    }

    /// Whether the site is in the set.
    pub fn contains(&self, site: usize) -> bool {
        let word = self.words.get(site / 64);
        word.is_some_and(|word| word >> (site % 64) & 1 != 0)
    }

    /// Number of sites.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no site.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The sites in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(n, &word)| BitIter(word).map(move |bit| n * 64 + bit))
    }

    /// The bits, 64 sites to a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds all sites of the other set.
    pub fn union_with(&mut self, other: &SiteSet) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a |= b;
        }
    }

    /// Keeps only the sites that are also in the other set.
    pub fn intersect_with(&mut self, other: &SiteSet) {
        for (n, a) in self.words.iter_mut().enumerate() {
            *a &= other.words.get(n).copied().unwrap_or(0);
        }
    }

    /// Takes out all sites of the other set.
    pub fn subtract(&mut self, other: &SiteSet) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= !b;
        }
    }
}

impl FromIterator<usize> for SiteSet {
    fn from_iter<I: IntoIterator<Item = usize>>(sites: I) -> Self {
        let mut set = SiteSet::default();
        for site in sites {
            set.insert(site);
        }
        set
    }
}

struct BitIter(u64);

impl Iterator for BitIter {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let mut a: SiteSet = [3, 64, 130].into_iter().collect();
        let b: SiteSet = [64, 5].into_iter().collect();
        a.union_with(&b);
        assert_eq!(a.iter().collect::<Vec<_>>(), [3, 5, 64, 130]);
        a.intersect_with(&b);
        assert_eq!(a.iter().collect::<Vec<_>>(), [5, 64]);
        a.subtract(&b);
        assert!(a.is_empty());
        assert!(!a.contains(9999));
    }
}
