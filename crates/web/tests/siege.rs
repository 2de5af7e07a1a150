//! The page stays playable whatever is sent to it: a thousand malformed requests, five hundred connections that say nothing,
//! and readers that never read.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::Page;
use ludex_game::Rng;
use ludex_web::page::Folders;
use serde_json::json;

/// Plays a move and thinks about the next, as the page does.
fn play(page: &Page) {
    let table = page.post("/api/open", &json!({ "game": "hex", "options": [] }));
    assert_eq!(table.status, 200, "{}", table.body);
    let table = table.json();
    let position =
        page.post("/api/position", &json!({ "table": table["id"], "line": [], "viewer": null }));
    assert_eq!(position.json()["moves"].as_array().expect("moves").len(), 121);
    let question = json!({ "table": table["id"], "line": [["F6"]], "player": 1, "agent": "uct",
        "budget": { "simulations": 200 } });
    let thought = page.post("/api/think", &question);
    assert_eq!(thought.status, 200, "{}", thought.body);
    let id = thought.json()["id"].as_str().expect("a number").to_string();
    let events = page.get(&format!("/api/events?id={id}"));
    assert!(events.body.contains("\"done\":true"), "{}", events.body);
}

/// A request that is wrong in some way.
fn malformed(page: &Page, rng: &mut Rng) -> Vec<u8> {
    let mut below = |n: u32| rng.below(n);
    let paths = [
        "open",
        "position",
        "check",
        "think",
        "stop",
        "events",
        "record/read",
        "record/write",
        "ludeme",
        "games",
        "experiments/store",
        "experiments/match",
        "nothing",
        "%00",
        "..%2f..%2fetc",
    ];
    let path = format!("/api/{}", paths[below(paths.len() as u32) as usize]);
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "{\"table\":1}",
        "{\"table\":\"t1\",\"line\":7}",
        "\u{0}\u{1}",
        "{\"game\":{\"a\":[]}}",
        "{\"text\":\"(game\"}",
        "{\"table\":\"t1\",\"line\":[[\"nonsense\"]],\"viewer\":-3}",
        "{\"text\":\"\\ud800\"}",
        "{\"table\":\"t1\",\"line\":[],\"player\":99999999999,\"agent\":\"uct\",\"budget\":{}}",
        "{\"table\":\"t1\",\"line\":[],\"player\":0,\"agent\":\"uct(c=nan)\",\"budget\":{\"seconds\":-1e999}}",
    ];
    let body = bodies[below(bodies.len() as u32) as usize];
    let json = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    match below(9) {
        0 => (0..below(200)).map(|_| below(256) as u8).collect(),
        1 => page.head("GET", &path, "").into_bytes(),
        2 => page.head("BREW", &path, "").into_bytes(),
        3 => (page.head("POST", &path, &json) + body).into_bytes(),
        // A body that is never whole, or longer than was said.
        4 => {
            (page.head("POST", &path, "Content-Type: application/json\r\nContent-Length: 5000\r\n")
                + body)
                .into_bytes()
        }
        5 => (page.head("POST", &path, "Content-Type: application/json\r\nContent-Length: 2\r\n")
            + body)
            .into_bytes(),
        6 => page
            .head("POST", &path, "Content-Length: -7\r\nTransfer-Encoding: chunked\r\n")
            .into_bytes(),
        7 => page.head("GET", &format!("/{}", "a".repeat(below(70_000) as usize)), "").into_bytes(),
        _ => {
            let mut bytes = (page.head("POST", &path, &json) + body).into_bytes();
            for _ in 0..3 {
                let at = below(bytes.len() as u32) as usize;
                bytes[at] = below(256) as u8;
            }
            bytes
        }
    }
}

#[test]
fn the_page_stays_playable_under_siege() {
    let page = Page::serve(Folders::default());
    play(&page);
    // Readers that never read: searches that tell much, into windows that close.
    let table = page.post("/api/open", &json!({ "game": "hex", "options": [] })).json();
    let mut deaf: Vec<TcpStream> = Vec::new();
    for _ in 0..2 {
        let question = json!({ "table": table["id"], "line": [], "player": 0, "agent": "uct",
            "budget": { "seconds": 30 } });
        let id = page.post("/api/think", &question).json()["id"].as_str().expect("id").to_string();
        let mut stream = page.connect();
        stream
            .write_all(page.head("GET", &format!("/api/events?id={id}"), "").as_bytes())
            .expect("sent");
        deaf.push(stream);
    }
    let idle: Vec<TcpStream> = (0..500).map(|_| page.connect()).collect();
    play(&page);
    let mut rng = Rng::seeded(20);
    for number in 0..1000 {
        let mut stream = page.connect();
        let _ = stream.write_all(&malformed(&page, &mut rng));
        // Some wait for an answer, the others go away.
        if number % 4 == 0 {
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            let status = String::from_utf8_lossy(&answer).split(' ').nth(1).map(str::to_string);
            assert_ne!(status.as_deref(), Some("500"), "{}", String::from_utf8_lossy(&answer));
        }
        if number % 250 == 0 {
            play(&page);
        }
    }
    let begun = Instant::now();
    play(&page);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    drop((idle, deaf));
}

/// A request whose body never comes whole would keep its place for ever, since it is being answered.
#[test]
fn bodies_that_never_come_whole_are_not_waited_for() {
    let page = Page::serve(Folders::default());
    let json = "Content-Type: application/json\r\n";
    for more in
        [format!("{json}Content-Length: 5000\r\n"), format!("{json}Transfer-Encoding: chunked\r\n")]
    {
        let begun = Instant::now();
        let answer = page.send(&(page.head("POST", "/api/open", &more) + "1"));
        assert_eq!(answer.status, 408, "{}", answer.body);
        assert!(!answer.error().is_empty());
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    }
}
