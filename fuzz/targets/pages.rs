//! Requests to the page, known and unknown: path, headers and body from the input. Every one has an answer, and
//! what is malformed is not the server's fault.

#![no_main]

use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use libfuzzer_sys::fuzz_target;
use ludex_web::page::{Folders, Guard, House, Page, router};
use tokio::runtime::{Builder, Runtime};
use tower_service::Service;

const HOST: &str = "127.0.0.1:1234";

static PAGE: LazyLock<(Router, String, Runtime)> = LazyLock::new(|| {
    let guard = Guard::new(HOST.parse().expect("an address")).expect("random numbers");
    let cookie = guard.cookie().split(';').next().unwrap_or_default().to_string();
    let house = House::new(Folders::default(), 1).expect("a house");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    (router(Page::new(house, guard)), cookie, runtime)
});

fuzz_target!(|text: &str| {
    let (router, cookie, runtime) = &*PAGE;
    let mut lines = text.splitn(3, '\n');
    let (method, path) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let body = lines.next().unwrap_or_default().to_string();
    // A stream of a search's reports ends when its reader goes.
    if path.contains("/think") || path.contains("/events") {
        return;
    }
    let method = if method == "G" { Method::GET } else { Method::POST };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", HOST)
        .header("cookie", cookie)
        .header("content-type", "application/json")
        .body(Body::from(body));
    let Ok(request) = request else { return };
    let answer = runtime.block_on(router.clone().call(request)).expect("an answer");
    assert!(answer.status().as_u16() != 500, "{}", answer.status());
});
