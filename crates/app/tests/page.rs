//! What the page shows is what the command line says: legal moves, ends and results along random games, and the statistics
//! of a search.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ludex_game::Rng;
use serde_json::{Value, json};

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(arguments: &[&str]) -> (Ended, ChildStdin, BufReader<ChildStdout>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ludex runs");
    let (input, output) =
        (child.stdin.take().expect("input"), child.stdout.take().expect("output"));
    (Ended(child), input, BufReader::new(output))
}

/// The page of a server, asked over a socket.
struct Page {
    _server: Ended,
    host: String,
    cookie: String,
}

impl Page {
    fn open() -> Page {
        let (server, _, mut output) = start(&["serve", "--quiet"]);
        let mut link = String::new();
        while !link.contains("http://") {
            link.clear();
            assert!(output.read_line(&mut link).expect("a line") > 0, "the server ended");
        }
        let (host, token) = link.trim()["http://".len()..].split_once('/').expect("a link");
        let mut page = Page { _server: server, host: host.to_string(), cookie: String::new() };
        let first = page.send(&format!("GET /{token} HTTP/1.1\r\n"), "");
        let set = first.lines().find(|line| line.to_lowercase().starts_with("set-cookie"));
        let pair = set.and_then(|line| line.split([' ', ';']).nth(1)).expect("a cookie");
        page.cookie = format!("Cookie: {pair}\r\n");
        page
    }

    fn send(&self, first: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).expect("connected");
        let (host, cookie, length) = (&self.host, &self.cookie, body.len());
        let request = format!(
            "{first}Host: {host}\r\n{cookie}Connection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    fn ask(&self, what: &str, asked: &Value) -> Value {
        let answer = self.send(&format!("POST /api/{what} HTTP/1.1\r\n"), &asked.to_string());
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    fn think(&self, question: &Value) -> Value {
        let id = self.ask("think", question)["id"].as_str().expect("a number").to_string();
        let events = self.send(&format!("GET /api/events?id={id} HTTP/1.1\r\n"), "");
        let last = events.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
        serde_json::from_str(last.expect("a report")).expect("JSON")
    }
}

/// `ludex engine`, asked line by line.
struct Engine {
    _process: Ended,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn of(game: &str) -> Engine {
        let (process, input, output) = start(&["engine", game, "--agent", "uct", "--seed", "5"]);
        Engine { _process: process, input, output }
    }

    fn ask(&mut self, line: &str) -> Vec<String> {
        writeln!(self.input, "{line}").expect("sent");
        let mut answer = Vec::new();
        loop {
            let mut text = String::new();
            assert!(self.output.read_line(&mut text).expect("a line") > 0, "the engine ended");
            match text.trim_end_matches('\n') {
                "" => return answer,
                text => answer.push(text.to_string()),
            }
        }
    }
}

const GAMES: [&str; 8] = [
    "hex",
    "chess",
    "reversi",
    "kalah",
    "nine-mens-morris",
    "breakthrough",
    "connect4.kif",
    "backgammon",
];

#[test]
fn legal_moves_and_results_are_those_of_the_engine() {
    let page = Page::open();
    let mut rng = Rng::seeded(3);
    for game in GAMES {
        let mut engine = Engine::of(game);
        let table = page.ask("open", &json!({ "game": game, "options": [] }));
        let mut line: Vec<Vec<String>> = Vec::new();
        loop {
            let asked = json!({ "table": table["id"], "line": line, "viewer": null });
            let shown = page.ask("position", &asked);
            let turn: Value = serde_json::from_str(&engine.ask("turn")[0]).expect("JSON");
            assert_eq!(shown["over"], turn["terminal"], "{game} {line:?}");
            assert_eq!(shown["chance"], turn["chance"], "{game} {line:?}");
            if shown["over"] == true || line.len() > 150 {
                let payoffs =
                    if shown["over"] == true { shown["payoffs"].clone() } else { json!([]) };
                assert_eq!(payoffs, turn["payoffs"], "{game}");
                break;
            }
            let text = if shown["chance"] == true {
                let draw =
                    json!({ "table": table["id"], "line": line, "viewer": null, "draw": true });
                page.ask("position", &draw)["drawn"][0].as_str().expect("text").to_string()
            } else {
                let moves = shown["moves"].as_array().expect("moves");
                let mut ours: Vec<&str> =
                    moves.iter().map(|mv| mv["text"].as_str().expect("text")).collect();
                let theirs = engine.ask("moves");
                let drawn = ours[rng.below(ours.len() as u32) as usize].to_string();
                let mut said: Vec<&str> = theirs.iter().map(String::as_str).collect();
                ours.sort_unstable();
                said.sort_unstable();
                assert_eq!(ours, said, "{game} {line:?}");
                drawn
            };
            assert_eq!(engine.ask(&format!("play {text}")), Vec::<String>::new(), "{game} {text}");
            line.push(vec![text]);
        }
    }
}

#[test]
fn statistics_are_those_of_the_engine() {
    let page = Page::open();
    for game in ["hex", "breakthrough.lud", "reversi", "connect4.kif"] {
        let mut engine = Engine::of(game);
        let table = page.ask("open", &json!({ "game": game, "options": [] }));
        let question = json!({ "table": table["id"], "line": [], "player": 0, "agent": "uct",
            "budget": { "simulations": 400 }, "seed": 5 });
        let shown = page.think(&question);
        let answer = engine.ask("go simulations 400");
        let best = answer
            .last()
            .expect("an answer")
            .strip_prefix("bestmove ")
            .expect("a move")
            .to_string();
        let last = answer.iter().filter_map(|line| line.strip_prefix("info ")).next_back();
        let said: Value = serde_json::from_str(last.expect("evidence")).expect("JSON");
        assert_eq!(shown["best"], best.as_str(), "{game}");
        assert_eq!(shown["simulations"], said["simulations"], "{game}");
        let tried = |list: &Value, name: &str, mean: &str| -> Vec<(String, u64, i64)> {
            let moves = list["moves"].as_array().expect("moves").iter();
            let seen = moves.filter(|mv| mv["visits"].as_u64() > Some(0)).take(60).map(|mv| {
                let text = mv[name].as_str().expect("text").to_string();
                let mean = (mv[mean].as_f64().expect("a number") * 1e6).round() as i64;
                (text, mv["visits"].as_u64().expect("a number"), mean)
            });
            seen.collect()
        };
        let (ours, theirs) = (tried(&shown, "text", "value"), tried(&said, "move", "mean"));
        assert!(!ours.is_empty() && theirs.len() >= ours.len(), "{game}");
        assert_eq!(ours, theirs[..ours.len()], "{game}");
    }
}
