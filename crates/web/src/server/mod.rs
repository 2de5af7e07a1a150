//! An HTTP server that cannot be shut out.
//!
//! Whoever connects and says nothing costs a socket and is the first to go when there is no room; heads,
//! bodies and answers that are not taken have deadlines; nothing that arrives is kept without a bound.
//! What is served is an [`axum::Router`]; each request carries its [`Arrival`].

mod body;
mod connection;
mod crowd;
mod precedence;

pub use body::{Refusal, read_body};
pub use connection::Arrival;
pub(crate) use precedence::{
    answer_in_time, finish_soon, give_way, share_no_memory, take_precedence,
};

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tower_service::Service;

use connection::Watched;
use crowd::{Crowd, Guest};

/// What anybody may ask of the server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once. One more, and whoever has waited longest without asking anything has to go.
    pub connections: usize,
    /// How long the head of a request may take to arrive, idle time between requests included.
    pub head: Duration,
    /// How long the body of a request may take to arrive as a whole.
    pub body: Duration,
    /// Bytes of a body.
    pub body_bytes: usize,
    /// How long an answer may lie there without a byte of it being taken.
    pub stall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 512,
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            body_bytes: 16 << 20,
            stall: Duration::from_secs(10),
        }
    }
}

/// Most bytes of a head.
const HEAD_BYTES: usize = 64 << 10;

/// How long to wait where no connection can be accepted; most likely there are too many open files.
const BREATH: Duration = Duration::from_millis(20);

/// Threads that move bytes. What takes long runs on threads of its own.
const MOVERS: usize = 2;

/// Listens on an address. A port of 0 is any free one.
pub fn listen(address: IpAddr, port: u16) -> io::Result<std::net::TcpListener> {
    let listener = std::net::TcpListener::bind(SocketAddr::new(address, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Serves connections until the process ends.
pub fn serve(listener: std::net::TcpListener, router: Router, limits: Limits) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(MOVERS)
        .thread_name("server")
        .on_thread_start(answer_in_time)
        .enable_all()
        .build()?;
    // On the threads of the server: this one may have to wait behind others while a clock runs.
    let serving = runtime
        .spawn(async move { accept(TcpListener::from_std(listener)?, router, limits).await });
    runtime.block_on(serving).map_err(io::Error::other)?
}

async fn accept(listener: TcpListener, router: Router, limits: Limits) -> io::Result<()> {
    let crowd = Arc::new(Crowd::new(limits.connections));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let guest = Arc::new(Guest::default());
        let talk = converse(stream, router.clone(), limits, guest.clone());
        let (crowd_of_all, own) = (crowd.clone(), guest.clone());
        let task = tokio::spawn(async move {
            talk.await;
            crowd_of_all.leave(&own);
        });
        crowd.enter(guest, task.abort_handle());
    }
}

/// Answers the requests of one connection until it ends or is of no more use.
async fn converse(stream: TcpStream, router: Router, limits: Limits, guest: Arc<Guest>) {
    // Answers are small and waited for.
    let _ = stream.set_nodelay(true);
    let watched = Watched::new(stream, guest.clone(), limits.stall);
    let answer = |mut request: Request<Incoming>| {
        request.extensions_mut().insert(guest.begin());
        request.extensions_mut().insert(limits);
        let (mut router, guest) = (router.clone(), guest.clone());
        async move {
            let answer: Result<Response<Body>, Infallible> = router.call(request).await;
            guest.finish();
            answer
        }
    };
    // A connection that breaks is no concern of ours.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(HEAD_BYTES)
        .title_case_headers(true)
        .half_close(true)
        .serve_connection(TokioIo::new(watched), service_fn(answer))
        .await;
}
