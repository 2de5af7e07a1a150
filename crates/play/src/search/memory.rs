//! Memory for arrays that grow to gigabytes and are read at random.

/// Makes room for `more` items, and asks for large pages where the array is large: most of the cost of a
/// random look into such an array is finding out where its page is.
pub fn reserve<T>(array: &mut Vec<T>, more: usize) {
    if array.capacity() - array.len() >= more {
        return;
    }
    array.reserve(more);
    #[cfg(target_os = "linux")]
    advise_large_pages(array);
}

#[cfg(target_os = "linux")]
fn advise_large_pages<T>(array: &mut Vec<T>) {
    const PAGE: usize = 4096;
    const LARGE: usize = 8 << 20;
    let bytes = array.capacity() * size_of::<T>();
    if bytes < LARGE {
        return;
    }
    let start = array.as_mut_ptr() as usize;
    let first_page = start.next_multiple_of(PAGE);
    let length = (start + bytes).saturating_sub(first_page) / PAGE * PAGE;
    // SAFETY: the range lies inside the array's own allocation, and the advice changes no content.
    // It is only advice: where it is not taken, nothing is lost.
    unsafe {
        libc::madvise(first_page as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
    }
}
