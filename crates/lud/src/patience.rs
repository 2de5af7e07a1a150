//! Work that may be given up.
//!
//! Rules can be written whose moves take longer to find than anybody waits, and a thread cannot be ended from outside.
//! Whoever starts such work says for how long it is wanted; the evaluator asks now and then, and unwinds to him where it is not.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

thread_local! {
    static WANTED: RefCell<Option<Rc<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}

/// Work was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

/// Does work as long as it is wanted. On this thread only: threads that it starts are not asked.
pub fn while_wanted<T>(
    wanted: impl Fn() -> bool + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, GivenUp> {
    let before = WANTED.replace(Some(Rc::new(wanted)));
    let done = catch_unwind(AssertUnwindSafe(work));
    WANTED.set(before);
    done.map_err(|thrown| match thrown.downcast::<GivenUp>() {
        Ok(_) => GivenUp,
        Err(other) => resume_unwind(other),
    })
}

/// All work of this thread from now on is wanted as long as this says so. It unwinds with [`GivenUp`] where it is not.
pub fn from_now_on(wanted: impl Fn() -> bool + 'static) {
    WANTED.set(Some(Rc::new(wanted)));
}

/// Gives the work of this thread up if nobody wants it any more.
pub fn go_on_if_wanted() {
    let wanted = WANTED.with_borrow(Clone::clone);
    if wanted.is_some_and(|wanted| !wanted()) {
        resume_unwind(Box::new(GivenUp));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn work_ends_when_nobody_wants_it() {
        let asked = Rc::new(Cell::new(0));
        let counted = asked.clone();
        let wanted = move || {
            counted.set(counted.get() + 1);
            counted.get() < 5
        };
        let endless = || {
            loop {
                go_on_if_wanted();
            }
        };
        assert_eq!(while_wanted::<()>(wanted, endless), Err(GivenUp));
        assert_eq!(asked.get(), 5);
        assert_eq!(while_wanted(|| true, || 7), Ok(7));
        // Nobody is asked where nobody said anything.
        go_on_if_wanted();
    }

    #[test]
    fn a_thread_may_be_asked_for_good() {
        std::thread::spawn(|| {
            from_now_on(|| false);
            assert!(catch_unwind(go_on_if_wanted).is_err_and(|thrown| thrown.is::<GivenUp>()));
            assert_eq!(while_wanted(|| true, go_on_if_wanted), Ok(()));
            assert!(catch_unwind(go_on_if_wanted).is_err());
        })
        .join()
        .expect("nothing else is thrown");
    }
}
