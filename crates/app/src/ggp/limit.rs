//! So many at once and no more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of places.
pub struct Limit {
    taken: Arc<AtomicUsize>,
    most: usize,
}

/// A place that is free again when this is dropped, be it by a panic.
pub struct Place(Arc<AtomicUsize>);

impl Limit {
    /// So many places, all free.
    pub fn new(most: usize) -> Self {
        Limit { taken: Arc::default(), most }
    }

    /// Takes a place, if one is free.
    pub fn enter(&self) -> Option<Place> {
        self.taken.fetch_add(1, Ordering::Relaxed);
        let place = Place(self.taken.clone());
        (self.taken.load(Ordering::Relaxed) <= self.most).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_back() {
        let limit = Limit::new(1);
        let place = limit.enter();
        assert!(place.is_some() && limit.enter().is_none());
        drop(place);
        assert!(limit.enter().is_some());
    }
}
