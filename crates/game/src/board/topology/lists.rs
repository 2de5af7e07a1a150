//! Many short lists in two flat arrays.

/// A list of numbers for each of many items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Flattens lists.
    pub fn collect<I>(lists: impl IntoIterator<Item = I>) -> Self
    where
        I: IntoIterator<Item = u32>,
    {
        let mut flat = Lists { starts: vec![0], items: Vec::new() };
        for list in lists {
            flat.items.extend(list);
            flat.starts.push(flat.items.len() as u32);
        }
        flat
    }

    /// The list of an item; empty when there is no such item.
    #[inline]
    pub fn of(&self, item: usize) -> &[u32] {
        match (self.starts.get(item), self.starts.get(item + 1)) {
            (Some(&start), Some(&end)) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
