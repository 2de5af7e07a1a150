//! Moments in time: of the system's clock, or of the host's where the program is WebAssembly and has no system.

/// A moment that later ones can be compared with.
#[cfg(not(target_arch = "wasm32"))]
pub type Moment = std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub use host::Moment;

#[cfg(target_arch = "wasm32")]
mod host {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "ludex")]
    unsafe extern "C" {
        /// Milliseconds since some moment in the past, by a clock that never goes back.
        safe fn now() -> f64;
    }

    /// A moment that later ones can be compared with.
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Moment(f64);

    impl Moment {
        /// This moment.
        pub fn now() -> Self {
            Moment(now())
        }

        /// How long ago it was.
        pub fn elapsed(&self) -> Duration {
            Duration::from_secs_f64((now() - self.0).max(0.0) / 1000.0)
        }

        /// How long it was after the host's clock began.
        pub(crate) fn since_the_start(&self) -> Duration {
            Duration::from_secs_f64(self.0.max(0.0) / 1000.0)
        }
    }

    impl Add<Duration> for Moment {
        type Output = Moment;

        fn add(self, time: Duration) -> Moment {
            Moment(self.0 + time.as_secs_f64() * 1000.0)
        }
    }
}
