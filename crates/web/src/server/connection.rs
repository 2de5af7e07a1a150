//! A connection that notices when a request begins to arrive and when nobody takes the answer.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use super::crowd::Guest;

/// When and over what a request came; every request has one among its extensions.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// When its first byte was there: the clock of whoever asks runs since then at the latest.
    pub at: Instant,
    /// How long a byte takes to the other side and back, as far as the system has measured it.
    pub round_trip: Duration,
}

pub(super) struct Watched {
    stream: TcpStream,
    guest: Arc<Guest>,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Watched {
    pub fn new(stream: TcpStream, guest: Arc<Guest>, patience: Duration) -> Self {
        Watched { stream, guest, patience, stalled: None }
    }

    /// Turns waiting for the other side into an error once it has taken too long.
    fn bounded<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        if into.filled().len() > before {
            self.guest.heard(|| round_trip(&self.stream));
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bounded(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// What the system has measured of the way to the other side and back.
#[cfg(target_os = "linux")]
fn round_trip(stream: &TcpStream) -> Duration {
    use std::os::fd::AsRawFd;
    // SAFETY: all zeros are a `tcp_info`, which has plain numbers only.
    let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    // SAFETY: the socket is open as long as `stream` is, and the system writes at most `length` bytes.
    let failed = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            (&raw mut info).cast(),
            &raw mut length,
        )
    };
    Duration::from_micros(if failed == 0 { info.tcpi_rtt.into() } else { 0 })
}

#[cfg(not(target_os = "linux"))]
fn round_trip(_: &TcpStream) -> Duration {
    Duration::ZERO
}
