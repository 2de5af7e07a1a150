//! Messages of the protocol as HTTP.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    CONTENT_TYPE,
};
use axum::http::{Method, Request};
use axum::response::{IntoResponse, Response};

use super::player::GgpPlayer;
use crate::server::{self, Arrival, Limits, Refusal, read_body};

/// Answers game managers until the process ends.
pub fn serve(listener: TcpListener, player: Arc<GgpPlayer>) -> io::Result<()> {
    server::share_no_memory();
    server::serve(listener, router(player), Limits::default())
}

/// What answers a manager's requests, whatever their path.
pub fn router(player: Arc<GgpPlayer>) -> Router {
    Router::new().fallback(answer).with_state(player)
}

async fn answer(State(player): State<Arc<GgpPlayer>>, request: Request<Body>) -> Response {
    let now = || Arrival { at: std::time::Instant::now(), round_trip: std::time::Duration::ZERO };
    let arrival = request.extensions().get::<Arrival>().copied().unwrap_or_else(now);
    let message = match *request.method() {
        Method::POST => read_body(request).await,
        // Browsers send messages as addresses.
        Method::GET => Ok(decoded(request.uri().path().trim_start_matches('/'))),
        Method::OPTIONS => return spoken(String::new()),
        _ => Err(Refusal::Unknown),
    };
    match message {
        Ok(message) => spoken(player.answer(message, arrival).await),
        Err(refusal) => refusal.into_response(),
    }
}

/// The headers that GGP's own players send.
fn spoken(text: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/acl"),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
    ];
    (headers, text).into_response()
}

/// Undoes the escapes of an address.
fn decoded(path: &str) -> String {
    let blanks = path.replace('+', " ");
    percent_encoding::percent_decode_str(&blanks).decode_utf8_lossy().into_owned()
}
