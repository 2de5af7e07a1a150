//! Threads that work on the parts of one thing together, over and over, and wait for each other.
//!
//! A step of many games takes less time than waking a thread: who has nothing to do watches for a while before it sleeps.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// So often is looked before one sleeps: some tenths of a millisecond.
const LOOKS: u32 = 20_000;

/// What all are to do, each with the number of its part.
type Task<'a> = &'a (dyn Fn(usize) + Sync);

/// A number in a line of memory of its own, so that who watches it is not disturbed by changes of others.
#[repr(align(128))]
struct Apart<T>(T);

struct Shared {
    /// What to do, where anything is.
    task: Mutex<Option<Task<'static>>>,
    /// Goes up with every task.
    round: Apart<AtomicU64>,
    /// How many have yet to finish.
    busy: Apart<AtomicUsize>,
    closed: AtomicBool,
    /// How many sleep or are about to.
    asleep: AtomicUsize,
    bed: Mutex<()>,
    call: Condvar,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Some threads beside the one that asks them.
pub struct Crew {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// The process that has the threads: copies that `fork` makes have none.
    process: u32,
}

impl Crew {
    /// So many threads, whoever asks included.
    pub fn new(count: usize) -> std::io::Result<Crew> {
        let shared = Arc::new(Shared {
            task: Mutex::new(None),
            round: Apart(AtomicU64::new(0)),
            busy: Apart(AtomicUsize::new(0)),
            closed: AtomicBool::new(false),
            asleep: AtomicUsize::new(0),
            bed: Mutex::new(()),
            call: Condvar::new(),
            panic: Mutex::new(None),
        });
        let mut crew = Crew { shared, threads: Vec::new(), process: std::process::id() };
        for part in 1..count {
            let shared = crew.shared.clone();
            let named = std::thread::Builder::new().name("ludex".to_string());
            crew.threads.push(named.spawn(move || shared.serve(part))?);
        }
        Ok(crew)
    }

    /// Has every thread do its part, and does the first. Comes back when all have finished; what one of them panics with
    /// goes on here.
    pub fn run(&mut self, task: Task<'_>) {
        if self.process != std::process::id() {
            *self = Crew::new(self.threads.len() + 1).expect("threads of a process's own");
        }
        let shared = &*self.shared;
        // SAFETY: nobody has the task any more when this function is left: all have finished with it, and it is taken
        // away. Nothing between here and there unwinds, for panics of the task are caught.
        let lasting = unsafe { std::mem::transmute::<Task<'_>, Task<'static>>(task) };
        *lock(&shared.task) = Some(lasting);
        shared.busy.0.store(self.threads.len(), Ordering::Relaxed);
        // Either whoever is about to sleep sees the new round, or he is seen here.
        shared.round.0.fetch_add(1, Ordering::SeqCst);
        if shared.asleep.load(Ordering::SeqCst) > 0 {
            shared.wake();
        }
        let own = catch_unwind(AssertUnwindSafe(|| task(0)));
        wait_until(|| shared.busy.0.load(Ordering::Acquire) == 0);
        *lock(&shared.task) = None;
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        if let Some(panic) = lock(&shared.panic).take() {
            resume_unwind(panic);
        }
    }

    /// Has every thread look at its part first; where all find it well, every thread does its part.
    pub fn run_if(&mut self, is_well: &(dyn Fn(usize) -> bool + Sync), task: Task<'_>) {
        let looking = Apart(AtomicUsize::new(self.threads.len() + 1));
        let all_well = AtomicBool::new(true);
        self.run(&|part| {
            let found = catch_unwind(AssertUnwindSafe(|| is_well(part)));
            if !matches!(found, Ok(true)) {
                all_well.store(false, Ordering::Relaxed);
            }
            looking.0.fetch_sub(1, Ordering::AcqRel);
            if let Err(panic) = found {
                resume_unwind(panic);
            }
            wait_until(|| looking.0.load(Ordering::Acquire) == 0);
            if all_well.load(Ordering::Relaxed) {
                task(part);
            }
        });
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            return std::mem::forget(std::mem::take(&mut self.threads));
        }
        self.shared.closed.store(true, Ordering::SeqCst);
        self.shared.wake();
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Shared {
    /// Wakes whoever sleeps. Who is about to sleep holds the lock until he does, so that nobody misses it.
    fn wake(&self) {
        drop(lock(&self.bed));
        self.call.notify_all();
    }

    /// Does a part of every task until the crew is closed.
    fn serve(&self, part: usize) {
        let mut done = 0;
        loop {
            let called = || {
                self.round.0.load(Ordering::SeqCst) != done || self.closed.load(Ordering::SeqCst)
            };
            if !look_for(called) {
                let bed = lock(&self.bed);
                self.asleep.fetch_add(1, Ordering::SeqCst);
                let waited = self.call.wait_while(bed, |()| !called());
                self.asleep.fetch_sub(1, Ordering::SeqCst);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
            if self.closed.load(Ordering::Acquire) {
                return;
            }
            done = self.round.0.load(Ordering::Acquire);
            let task = *lock(&self.task);
            if let Some(task) = task
                && let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(part)))
            {
                *lock(&self.panic) = Some(panic);
            }
            self.busy.0.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Looks whether something holds, for a while.
fn look_for(holds: impl Fn() -> bool) -> bool {
    (0..LOOKS).any(|_| {
        std::hint::spin_loop();
        holds()
    })
}

/// Waits until something holds that others are working on.
fn wait_until(holds: impl Fn() -> bool) {
    while !look_for(&holds) {
        std::thread::yield_now();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
