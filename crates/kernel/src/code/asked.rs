//! Rules that have no code of their own.

/// A rule that the general evaluator answers at the position of the kernel. It looks at nothing but what stands
/// where, who moves, where the last move started and ended, and the values that are bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<T> {
    /// The rule.
    pub rule: T,
    /// Whose code it is a part of.
    pub mover: u8,
    /// The value of the loop over values that it stands in.
    pub value: i32,
}
