//! Threads that do next to nothing but must do it on time.

/// Asks the system to run this thread before others that are ready. It must wait nearly all its life, so that
/// nobody is kept from anything. Where the system refuses, as it does for most users, margins have to be
/// wider, and they are measured.
pub(crate) fn take_precedence() {
    #[cfg(target_os = "linux")]
    set(PRECEDENCE);
}

/// Makes a thread that works as patient as the process is: threads inherit precedence from whoever starts
/// them.
pub(crate) fn give_way() {
    #[cfg(target_os = "linux")]
    // SAFETY: it takes no pointers; the process is our own.
    set(unsafe { libc::getpriority(libc::PRIO_PROCESS, std::process::id()) });
}

#[cfg(target_os = "linux")]
const PRECEDENCE: libc::c_int = -10;

#[cfg(target_os = "linux")]
fn set(niceness: libc::c_int) {
    // SAFETY: it takes no pointers; zero is the calling thread.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, niceness);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn whoever_works_is_as_patient_as_the_process() {
        // SAFETY: it takes no pointers; zero is the calling thread.
        let own = || unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        let before = own();
        let waiting = std::thread::spawn(move || {
            take_precedence();
            let waiting = own();
            let working = std::thread::spawn(move || {
                give_way();
                own()
            });
            (waiting, working.join().expect("no panic"))
        });
        let (waiting, working) = waiting.join().expect("no panic");
        assert!(waiting == PRECEDENCE || waiting == before, "refused or granted");
        assert_eq!(working, before);
    }
}
