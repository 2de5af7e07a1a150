//! Bodies of requests, within their limits.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, timeout_at};

use super::{Arrival, Limits};

/// Why a request was not answered, for whoever sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More bytes than allowed.
    TooLong,
    /// It took too long to arrive.
    TooSlow,
    /// It ended in the middle.
    CutShort,
    /// It asks for nothing that is served here.
    Unknown,
}

impl Refusal {
    /// What whoever sent it is told.
    pub fn told(self) -> (StatusCode, &'static str) {
        match self {
            Refusal::TooLong => (StatusCode::PAYLOAD_TOO_LARGE, "the message is too long"),
            Refusal::TooSlow => (StatusCode::REQUEST_TIMEOUT, "the message took too long"),
            Refusal::CutShort => (StatusCode::BAD_REQUEST, "the message is cut short"),
            Refusal::Unknown => (StatusCode::BAD_REQUEST, "expected a POST of one message"),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        self.told().into_response()
    }
}

/// The whole body of a request that came through [`super::serve`], as text; what is not text in it is
/// replaced.
pub async fn read_body(request: Request<Body>) -> Result<String, Refusal> {
    let limits = request.extensions().get::<Limits>().copied().unwrap_or_default();
    let began = request.extensions().get::<Arrival>().map(|arrival| arrival.at);
    let until = Instant::from_std(began.unwrap_or_else(std::time::Instant::now)) + limits.body;
    let announced = request.headers().get("content-length").and_then(|text| text.to_str().ok());
    let announced = announced.and_then(|text| text.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limits.body_bytes) {
        return Err(Refusal::TooLong);
    }
    match timeout_at(until, to_bytes(request.into_body(), limits.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Ok(Err(_)) if announced.is_none() => Err(Refusal::TooLong),
        Ok(Err(_)) => Err(Refusal::CutShort),
        Err(_) => Err(Refusal::TooSlow),
    }
}
