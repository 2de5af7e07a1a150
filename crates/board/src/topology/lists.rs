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
        let mut builder = ListsBuilder::default();
        for list in lists {
            builder.push(list);
        }
        builder.finish()
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

/// Lists being written one after the other.
#[derive(Clone, Debug)]
pub(super) struct ListsBuilder(Lists);

impl Default for ListsBuilder {
    fn default() -> Self {
        ListsBuilder(Lists { starts: vec![0], items: Vec::new() })
    }
}

impl ListsBuilder {
    /// Adds the list of the next item.
    pub fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.0.items.extend(list);
        self.0.starts.push(self.0.items.len() as u32);
    }

    pub fn finish(self) -> Lists {
        self.0
    }
}
