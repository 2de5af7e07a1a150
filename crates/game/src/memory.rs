//! What is asked of the memory before it is needed. Nothing depends on it but speed.

/// How soon something will be needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Soon {
    /// Late enough to ask for what has yet to be found by way of other memory: ask for that first.
    Later,
    /// What was asked for before is there: ask for what it leads to.
    Next,
}

/// A processor fetches so many bytes at once.
const LINE: usize = 64;

/// Asks for something.
#[inline(always)]
pub fn expect<T>(what: &T) {
    expect_at(std::ptr::from_ref(what).cast());
}

/// Asks for all of something that is longer than a line.
#[inline(always)]
pub fn expect_all<T>(what: &T) {
    let start: *const i8 = std::ptr::from_ref(what).cast();
    (0..size_of::<T>()).step_by(LINE).for_each(|byte| expect_at(start.wrapping_add(byte)));
}

#[inline(always)]
fn expect_at(address: *const i8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: asking in advance reads nothing, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
