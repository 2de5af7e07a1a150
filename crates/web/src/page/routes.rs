//! The requests of the page and their answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, stream};
use ludex_desk::Refusal;
use ludex_lud::patience::{GivenUp, while_wanted};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::assets;
use super::experiments;
use super::guard::{Guard, Turned};
use super::house::House;
use super::thought::News;
use crate::server::{give_way, read_body};

/// No request is larger.
pub const MOST_BYTES: usize = 2 << 20;

/// Work that a request may wait for.
const PATIENCE: Duration = Duration::from_secs(20);

/// So much of it is done at once; whoever comes then waits as long, and is told so.
const AT_ONCE: usize = 8;

/// What all requests share.
#[derive(Clone)]
pub struct Page {
    /// Everything it talks to.
    pub house: Arc<House>,
    /// Who may talk to it.
    pub guard: Arc<Guard>,
    places: Arc<Semaphore>,
}

impl Page {
    /// A page for this house behind this guard.
    pub fn new(house: House, guard: Guard) -> Page {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        Page { house: Arc::new(house), guard: Arc::new(guard), places }
    }
}

/// All requests of the page.
pub fn router(page: Page) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/games", get(games))
        .route("/think", post(think))
        .route("/stop", post(stop))
        .route("/events", get(events))
        .route("/experiments", get(experiments::stores))
        .route("/experiments/store", get(experiments::store))
        .route("/experiments/matches", get(experiments::matches))
        .route("/experiments/match", get(experiments::one))
        .route("/{what}", post(asked))
        .route("/record/{what}", post(record))
        .fallback(|| async { fault(StatusCode::NOT_FOUND, "there is nothing of that name") })
        .layer(middleware::from_fn_with_state(page.clone(), known));
    Router::new()
        .route("/", get(index))
        .route("/{file}", get(file))
        .nest("/api", api)
        .layer(middleware::from_fn_with_state(page.clone(), ours))
        .with_state(page)
}

/// Turns away what is not for us, and says what a browser may do with our answers.
async fn ours(State(page): State<Page>, request: Request, next: Next) -> Response {
    if let Err(turned) = page.guard.is_ours(request.uri(), request.headers()) {
        return turned_away(turned);
    }
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    let set = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in set {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Turns away browsers that were not let in.
async fn known(State(page): State<Page>, request: Request, next: Next) -> Response {
    match page.guard.is_known(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(turned) => turned_away(turned),
    }
}

fn turned_away(turned: Turned) -> Response {
    let (status, text) = match turned {
        Turned::Host => (StatusCode::MISDIRECTED_REQUEST, "this server goes by another name"),
        Turned::Origin => (StatusCode::FORBIDDEN, "another site may not talk to this server"),
        Turned::Stranger => (StatusCode::UNAUTHORIZED, "open the link that `ludex serve` printed"),
    };
    fault(status, text)
}

fn fault(status: StatusCode, text: impl Into<String>) -> Response {
    (status, Json(json!({ "error": text.into() }))).into_response()
}

fn refused(refusal: &Refusal) -> Response {
    let status = match refusal {
        Refusal::Closed => StatusCode::GONE,
        Refusal::Malformed(_) => StatusCode::BAD_REQUEST,
        Refusal::Nothing => StatusCode::NOT_FOUND,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    (status, Json(refusal.answer())).into_response()
}

#[derive(Deserialize)]
struct FirstLoad {
    token: Option<String>,
}

/// The page; with the token of the first link, the cookie and the page without it.
async fn index(
    State(page): State<Page>,
    Query(first): Query<FirstLoad>,
    headers: HeaderMap,
) -> Response {
    if let Some(token) = first.token {
        if !page.guard.opens(&token) {
            return turned_away(Turned::Stranger);
        }
        let answer = (
            StatusCode::SEE_OTHER,
            [(header::LOCATION, "/".to_string()), (header::SET_COOKIE, page.guard.cookie())],
        );
        return answer.into_response();
    }
    match page.guard.is_known(&headers) {
        Ok(()) => served("index.html"),
        Err(_) => (StatusCode::UNAUTHORIZED, "Open the link that `ludex serve` printed.\n")
            .into_response(),
    }
}

async fn file(Path(name): Path<String>) -> Response {
    served(&name)
}

fn served(name: &str) -> Response {
    match assets::file(name) {
        Some(file) => ([(header::CONTENT_TYPE, file.kind)], file.text).into_response(),
        None => fault(StatusCode::NOT_FOUND, "there is nothing of that name"),
    }
}

/// The body of a request.
struct Asked(Value);

impl<S: Send + Sync> FromRequest<S> for Asked {
    type Rejection = Response;

    async fn from_request(request: Request, _: &S) -> Result<Self, Response> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        // Forms of other sites can send anything but this.
        if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            return Err(fault(StatusCode::UNSUPPORTED_MEDIA_TYPE, "requests are JSON"));
        }
        // Within its time: whoever sends a byte now and then would keep a connection for as long as he likes.
        let text = read_body(request).await.map_err(|refusal| {
            let (status, reason) = refusal.told();
            fault(status, reason)
        })?;
        let bad = |error: serde_json::Error| refused(&Refusal::Malformed(error.to_string()));
        serde_json::from_str(&text).map(Asked).map_err(bad)
    }
}

/// Does work that may take a while beside the server, and answers with what it gives.
pub async fn work<T, F>(page: &Page, work: F) -> Response
where
    T: Serialize + Send + 'static,
    F: FnOnce() -> Result<T, Refusal> + Send + 'static,
{
    let place = tokio::time::timeout(PATIENCE, page.places.clone().acquire_owned()).await;
    let Ok(Ok(place)) = place else {
        return fault(StatusCode::SERVICE_UNAVAILABLE, "too much is asked at once; try again");
    };
    // The threads of the server come before others; what takes long does not. Its place is free when it is done or given
    // up, whether or not anybody still waits for it.
    let patient = move || {
        give_way();
        let begun = Instant::now();
        let done = while_wanted(move || begun.elapsed() < PATIENCE, work);
        drop(place);
        done
    };
    match tokio::time::timeout(PATIENCE, tokio::task::spawn_blocking(patient)).await {
        Ok(Ok(Ok(Ok(answer)))) => Json(answer).into_response(),
        Ok(Ok(Ok(Err(refusal)))) => refused(&refusal),
        Ok(Err(_)) => {
            fault(StatusCode::INTERNAL_SERVER_ERROR, "this failed; it is a fault of the program")
        }
        Ok(Ok(Err(GivenUp))) | Err(_) => {
            fault(StatusCode::GATEWAY_TIMEOUT, "these rules take too long")
        }
    }
}

/// What the desk answers by itself.
async fn desk(page: Page, what: String, asked: Value) -> Response {
    let house = page.house.clone();
    work(&page, move || house.desk.ask(&what, asked)).await
}

async fn about(State(page): State<Page>) -> Response {
    let experiments = page.house.experiments.is_some();
    let house = page.house.clone();
    work(&page, move || {
        let mut about = house.desk.ask("about", Value::Null)?;
        about["experiments"] = json!(experiments);
        Ok(about)
    })
    .await
}

async fn games(State(page): State<Page>) -> Response {
    desk(page, "games".to_string(), Value::Null).await
}

async fn asked(
    State(page): State<Page>,
    Path(what): Path<String>,
    Asked(asked): Asked,
) -> Response {
    desk(page, what, asked).await
}

async fn record(
    State(page): State<Page>,
    Path(what): Path<String>,
    Asked(asked): Asked,
) -> Response {
    desk(page, format!("record/{what}"), asked).await
}

async fn think(State(page): State<Page>, Asked(asked): Asked) -> Response {
    let house = page.house.clone();
    work(&page, move || Ok(json!({ "id": house.think(asked)? }))).await
}

#[derive(Deserialize)]
struct ThoughtId {
    id: String,
}

fn no_search() -> Response {
    fault(StatusCode::GONE, "there is no such search")
}

async fn stop(State(page): State<Page>, Asked(asked): Asked) -> Response {
    let Ok(asked) = serde_json::from_value::<ThoughtId>(asked) else { return no_search() };
    let Some(thought) = page.house.thought(&asked.id) else { return no_search() };
    thought.stop.raise();
    Json(json!({})).into_response()
}

/// What a search finds, as it finds it. A reader that falls behind misses what is outdated; nothing piles up.
async fn events(State(page): State<Page>, Query(asked): Query<ThoughtId>) -> Response {
    let Some(thought) = page.house.thought(&asked.id) else { return no_search() };
    thought.reading();
    Sse::new(told(thought.news.clone())).keep_alive(KeepAlive::default()).into_response()
}

fn told(news: tokio::sync::watch::Receiver<News>) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(Some((news, true)), |reader| async move {
        let (mut news, first) = reader?;
        let waits = !first || matches!(&*news.borrow(), News::Begun);
        if waits && news.changed().await.is_err() {
            return None;
        }
        let now = news.borrow_and_update().clone();
        let (event, over) = match now {
            News::Begun => (Event::default().comment("begun"), false),
            News::Found(told) => {
                let over = told.done;
                (Event::default().event("report").json_data(&*told).unwrap_or_default(), over)
            }
            News::Failed(text) => (
                Event::default()
                    .event("fault")
                    .json_data(json!({ "error": text }))
                    .unwrap_or_default(),
                true,
            ),
        };
        Some((Ok(event), (!over).then_some((news, false))))
    })
}
