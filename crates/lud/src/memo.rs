//! What a rule looks up by name is found once and kept beside the rule.

use std::sync::OnceLock;

/// A value that is worked out when it is first asked for.
pub struct Memo<T>(OnceLock<T>);

impl<T> Memo<T> {
    /// The value.
    #[inline]
    pub fn get(&self, find: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(find)
    }
}

// The printed form of a rule does not depend on what has been asked for.
impl<T> std::fmt::Debug for Memo<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memo")
    }
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(OnceLock::new())
    }
}

// A copy of a rule may come to stand in another game: it finds its own.
impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

// What has been asked for makes no rule different from another.
impl<T> PartialEq for Memo<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
