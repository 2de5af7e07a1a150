//! Threads that do next to nothing but must do it on time.

/// For threads that send answers: asks the system to run this thread as soon as it is ready, whatever else runs. It must
/// wait nearly all its life, so that nobody is kept from anything. Where the system refuses, as it does for most users,
/// margins have to be wider, and they are measured.
pub(crate) fn answer_in_time() {
    in_real_time(ANSWERING);
}

/// For threads that are about to end and hold what others need: before everything but those that send answers.
pub(crate) fn finish_soon() {
    in_real_time(FINISHING);
}

/// Priorities among threads in real time.
const ANSWERING: i32 = 2;
const FINISHING: i32 = 1;

fn in_real_time(priority: i32) {
    #[cfg(target_os = "linux")]
    if !schedule(libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, priority) {
        take_precedence();
    }
    #[cfg(not(target_os = "linux"))]
    let _ = priority;
}

/// Lets every thread have memory of its own, as far as the allocator does that: a thread that is kept waiting while it holds what
/// all share would keep those waiting that must answer in time.
pub(crate) fn share_no_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes no pointers and may be called at any time.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, MOST_THREADS);
    }
}

/// So many threads have memory of their own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_THREADS: libc::c_int = 512;

/// For threads that prepare answers: before those that think, after those that send. Works for milliseconds at a time.
pub(crate) fn take_precedence() {
    #[cfg(target_os = "linux")]
    set_niceness(PRECEDENCE);
}

/// Makes a thread that works as patient as the process is: threads inherit precedence from whoever starts
/// them.
pub(crate) fn give_way() {
    #[cfg(target_os = "linux")]
    {
        schedule(libc::SCHED_OTHER, 0);
        // SAFETY: it takes no pointers; the process is our own.
        set_niceness(unsafe { libc::getpriority(libc::PRIO_PROCESS, std::process::id()) });
    }
}

#[cfg(target_os = "linux")]
const PRECEDENCE: libc::c_int = -10;

#[cfg(target_os = "linux")]
fn set_niceness(niceness: libc::c_int) {
    // SAFETY: it takes no pointers; zero is the calling thread.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, niceness);
    }
}

/// Whether the system was willing to schedule the calling thread so.
#[cfg(target_os = "linux")]
fn schedule(policy: libc::c_int, priority: libc::c_int) -> bool {
    // SAFETY: all zeros are a `sched_param`, which has plain numbers only.
    let mut wanted: libc::sched_param = unsafe { std::mem::zeroed() };
    wanted.sched_priority = priority;
    // SAFETY: zero is the calling thread, and the system only reads what it is pointed to.
    unsafe { libc::sched_setscheduler(0, policy, &raw const wanted) == 0 }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn whoever_works_is_as_patient_as_the_process() {
        // SAFETY: they take no pointers; zero is the calling thread.
        let own =
            || unsafe { (libc::sched_getscheduler(0), libc::getpriority(libc::PRIO_PROCESS, 0)) };
        let before = own();
        let answering = std::thread::spawn(move || {
            answer_in_time();
            let answering = own().0 & !libc::SCHED_RESET_ON_FORK;
            let preparing = std::thread::spawn(move || {
                take_precedence();
                let preparing = own();
                let working = std::thread::spawn(move || {
                    give_way();
                    own()
                });
                (preparing, working.join().expect("no panic"))
            });
            (answering, preparing.join().expect("no panic"))
        });
        let (answering, (preparing, working)) = answering.join().expect("no panic");
        assert!([libc::SCHED_RR, before.0].contains(&answering), "granted or refused");
        assert_eq!(preparing.0, before.0);
        assert!([PRECEDENCE, before.1].contains(&preparing.1), "granted or refused");
        assert_eq!(working, before);
    }
}
