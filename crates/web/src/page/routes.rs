//! The requests of the page and their answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, stream};
use ludex_arena::catalog::GameSpec;
use ludex_game::{Player, Trial};
use ludex_lang::lud::reference::{self, Answer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::assets;
use super::guard::{Guard, Turned};
use super::house::{House, Refusal};
use super::rules::{Fault, Spec};
use super::table::Line;
use super::thought::{News, Wanted};
use crate::server::give_way;

/// No request is larger.
pub const MOST_BYTES: usize = 2 << 20;

/// Work that a request may wait for.
const PATIENCE: Duration = Duration::from_secs(20);

/// What suggests itself for a seat.
const SUGGESTED: [&str; 8] = [
    "auto",
    "uct",
    "uct + mast",
    "uct + ppa(alpha=0.32)",
    "uct + ppafm(alpha=0.32)",
    "uct + nst",
    "uct(threads=2)",
    "random",
];

/// What all requests share.
#[derive(Clone)]
pub struct Page {
    pub house: Arc<House>,
    pub guard: Arc<Guard>,
}

/// All requests of the page.
pub fn router(page: Page) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/games", get(games))
        .route("/open", post(open))
        .route("/position", post(position))
        .route("/chance", post(chance))
        .route("/check", post(check))
        .route("/ludeme", get(ludeme))
        .route("/think", post(think))
        .route("/stop", post(stop))
        .route("/events", get(events))
        .route("/record/read", post(read_record))
        .route("/record/write", post(write_record))
        .route("/experiments", get(experiments))
        .fallback(|| async { fault(StatusCode::NOT_FOUND, "there is nothing of that name") })
        .layer(middleware::from_fn_with_state(page.clone(), known));
    Router::new()
        .route("/", get(index))
        .route("/{file}", get(file))
        .nest("/api", api)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(page.clone(), ours))
        .with_state(page)
}

/// Turns away what is not for us, and says what a browser may do with our answers.
async fn ours(State(page): State<Page>, request: Request, next: Next) -> Response {
    if let Err(turned) = page.guard.is_ours(request.headers()) {
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

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match &self {
            Refusal::Closed | Refusal::NoThought => StatusCode::GONE,
            Refusal::Busy => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let findings = match &self {
            Refusal::Rules(Fault::Rules { findings, .. }) => Some(findings.clone()),
            _ => None,
        };
        (status, Json(json!({ "error": self.to_string(), "findings": findings }))).into_response()
    }
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
        Some((kind, text)) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        None => fault(StatusCode::NOT_FOUND, "there is nothing of that name"),
    }
}

/// The body of a request.
struct Asked<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        // Forms of other sites can send anything but this.
        if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            return Err(fault(StatusCode::UNSUPPORTED_MEDIA_TYPE, "requests are JSON"));
        }
        let bytes =
            Bytes::from_request(request, state).await.map_err(IntoResponse::into_response)?;
        let bad = |error| {
            fault(
                StatusCode::BAD_REQUEST,
                format!("this is not what the request is made of: {error}"),
            )
        };
        serde_json::from_slice(&bytes).map(Asked).map_err(bad)
    }
}

/// Does work that may take a while beside the server, and answers with what it gives.
async fn work<T, F>(work: F) -> Response
where
    T: Serialize + Send + 'static,
    F: FnOnce() -> Result<T, Refusal> + Send + 'static,
{
    // The threads of the server come before others; what takes long does not.
    let patient = || {
        give_way();
        work()
    };
    match tokio::time::timeout(PATIENCE, tokio::task::spawn_blocking(patient)).await {
        Ok(Ok(Ok(answer))) => Json(answer).into_response(),
        Ok(Ok(Err(refusal))) => refusal.into_response(),
        Ok(Err(_)) => {
            fault(StatusCode::INTERNAL_SERVER_ERROR, "this failed; it is a fault of the program")
        }
        Err(_) => fault(StatusCode::GATEWAY_TIMEOUT, "these rules take too long"),
    }
}

async fn about(State(page): State<Page>) -> Response {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "agent": SUGGESTED[0],
        "agents": SUGGESTED,
        "threads": threads,
        "library": page.house.shelf.has_library(),
        "experiments": page.house.experiments.is_some(),
    }))
    .into_response()
}

async fn games(State(page): State<Page>) -> Response {
    Json(page.house.shelf.entries()).into_response()
}

async fn open(State(page): State<Page>, Asked(spec): Asked<Spec>) -> Response {
    work(move || Ok(page.house.open(spec)?.about())).await
}

#[derive(Deserialize)]
struct PositionOf {
    table: String,
    line: Line,
    viewer: Option<usize>,
}

async fn position(State(page): State<Page>, Asked(asked): Asked<PositionOf>) -> Response {
    work(move || {
        let table = page.house.table(&asked.table)?;
        let players = table.game.info().players;
        let viewer = asked.viewer.filter(|&seat| seat < players).map(|seat| Player(seat as u8));
        Ok(table.position(&asked.line, viewer)?)
    })
    .await
}

async fn chance(State(page): State<Page>, Asked(asked): Asked<PositionOf>) -> Response {
    work(move || Ok(json!({ "outcome": page.house.chance(&asked.table, &asked.line)? }))).await
}

async fn check(State(page): State<Page>, Asked(spec): Asked<Spec>) -> Response {
    work(move || {
        let findings = page.house.shelf.findings(&spec)?;
        Ok(json!({ "ok": findings.is_empty(), "findings": findings }))
    })
    .await
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn ludeme(Query(named): Query<Named>) -> Response {
    let found = match reference::look_up(&named.name) {
        Answer::Found(text) => vec![json!({ "name": named.name, "text": text })],
        Answer::Near(_) => Vec::new(),
    };
    Json(found).into_response()
}

#[derive(Deserialize)]
struct ThinkAbout {
    table: String,
    line: Line,
    player: usize,
    agent: String,
    budget: Wanted,
}

async fn think(State(page): State<Page>, Asked(asked): Asked<ThinkAbout>) -> Response {
    work(move || {
        let ThinkAbout { table, line, player, agent, budget } = asked;
        Ok(json!({ "id": page.house.think(&table, line, player, &agent, budget)? }))
    })
    .await
}

#[derive(Deserialize)]
struct ThoughtId {
    id: String,
}

async fn stop(State(page): State<Page>, Asked(asked): Asked<ThoughtId>) -> Response {
    match page.house.thought(&asked.id) {
        Ok(thought) => {
            thought.stop.raise();
            Json(json!({})).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// What a search finds, as it finds it. A reader that falls behind misses what is outdated; nothing piles up.
async fn events(State(page): State<Page>, Query(asked): Query<ThoughtId>) -> Response {
    let thought = match page.house.thought(&asked.id) {
        Ok(thought) => thought,
        Err(refusal) => return refusal.into_response(),
    };
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

#[derive(Deserialize)]
struct Text {
    text: String,
}

/// A record of ours as a game and its moves.
async fn read_record(State(page): State<Page>, Asked(asked): Asked<Text>) -> Response {
    work(move || {
        let trial = Trial::read(&asked.text)?;
        let named: GameSpec =
            trial.game.parse().map_err(|error| Refusal::Agent(format!("{error}")))?;
        let spec = Spec { game: Some(named.name), options: named.options, ..Spec::default() };
        let line = page.house.open(spec.clone())?.line_of(&trial)?;
        Ok(json!({ "spec": spec, "line": line }))
    })
    .await
}

/// The game so far as a record of ours.
async fn write_record(State(page): State<Page>, Asked(asked): Asked<PositionOf>) -> Response {
    work(move || {
        let table = page.house.table(&asked.table)?;
        let trial = table.record(&asked.line)?;
        Ok(json!({ "text": trial.to_string() }))
    })
    .await
}

async fn experiments(State(page): State<Page>) -> Response {
    let Some(folder) = page.house.experiments.clone() else {
        return Json(json!([])).into_response();
    };
    work(move || {
        let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok());
        let names = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut stores: Vec<String> = names.filter(|name| name.ends_with(".sqlite")).collect();
        stores.sort();
        Ok(json!(stores.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>()))
    })
    .await
}
