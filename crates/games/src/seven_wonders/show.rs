//! The table as text.

use super::SevenWonders;
use super::state::State;

impl SevenWonders {
    pub(super) fn show_table(&self, _state: &State, _viewer: Option<usize>) -> String {
        String::new()
    }
}
