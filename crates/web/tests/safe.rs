//! Who is let in, and what may be asked of the page: each promise of docs/page.md, tried.

mod common;

use common::Page;
use ludex_web::page::Folders;
use serde_json::{Value, json};

fn open(page: &Page, game: &str) -> Value {
    let answer = page.post("/api/open", &json!({ "game": game, "options": [] }));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

fn think(page: &Page, agent: &str) -> common::Answer {
    let table = open(page, "tic-tac-toe");
    let question = json!({ "table": table["id"], "line": [], "player": 0, "agent": agent,
        "budget": { "simulations": 10 } });
    page.post("/api/think", &question)
}

#[test]
fn the_token_is_exchanged_for_a_cookie_once_and_never_seen_again() {
    let page = Page::serve(Folders::default());
    let stranger = Page { cookie: String::new(), token: page.token.clone(), address: page.address };
    assert_eq!(stranger.get("/").status, 401);
    assert_eq!(stranger.get("/api/games").status, 401);
    assert_eq!(stranger.get("/?token=guess").status, 401);
    let first = stranger.get(&format!("/?token={}", page.token));
    assert_eq!(first.status, 303);
    let head = first.head.to_ascii_lowercase();
    assert!(head.contains("location: /\r\n"), "the token leaves the address: {head}");
    assert!(head.contains("httponly") && head.contains("samesite=strict"), "{head}");
    let index = page.get("/");
    assert_eq!(index.status, 200);
    assert!(!index.body.contains(&page.token));
    assert!(
        index.head.to_ascii_lowercase().contains("default-src 'self'"),
        "nothing from elsewhere"
    );
    assert!(index.head.to_ascii_lowercase().contains("referrer-policy: no-referrer"));
}

#[test]
fn other_hosts_and_other_sites_are_turned_away() {
    let page = Page::serve(Folders::default());
    let (cookie, body) = (&page.cookie, "{\"game\":\"hex\"}");
    let ask = |host: &str, origin: &str, kind: &str| {
        let request = format!(
            "POST /api/open HTTP/1.1\r\nHost: {host}\r\n{origin}Cookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        page.send(&request).status
    };
    let own = page.address.to_string();
    let json = "application/json";
    assert_eq!(ask(&own, "", json), 200);
    assert_eq!(ask(&own, &format!("Origin: http://{own}\r\n"), json), 200);
    // A name of somebody else's that leads to this machine.
    assert_eq!(ask("evil.example", "", json), 421);
    assert_eq!(ask(&own, "Origin: http://evil.example\r\n", json), 403);
    assert_eq!(ask(&own, "Origin: null\r\n", json), 403);
    // What a form of another site could send.
    assert_eq!(ask(&own, "", "text/plain"), 415);
}

#[test]
fn agents_start_no_programs_and_read_files_of_one_folder_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (inside, outside) = (folder.path().join("agents"), folder.path().join("secret.toml"));
    std::fs::create_dir(&inside).expect("made");
    std::fs::write(&outside, "secret").expect("written");
    std::fs::write(inside.join("own.toml"), "not weights").expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, inside.join("link.toml")).expect("linked");
    let without = Page::serve(Folders::default());
    let with = Page::serve(Folders { agents: Some(inside), ..Folders::default() });
    for page in [&without, &with] {
        for line in ["gtp(touch /tmp/x)", "uci(sh)", "lines(\"sh -c ls\")"] {
            let answer = think(page, line);
            assert_eq!(answer.status, 422, "{line}");
            assert!(answer.error().contains("starts no programs"), "{}", answer.error());
        }
        assert_eq!(think(page, "uct").status, 200);
    }
    let refused = think(&without, "alphabeta + eval(own.toml)");
    assert!(refused.error().contains("--agents"), "{}", refused.error());
    let absolute = outside.display().to_string();
    for file in ["../secret.toml", "link.toml", "missing.toml", &absolute] {
        for line in [
            format!("alphabeta + eval({file})"),
            format!("evolved({file})"),
            format!("uct + features({file})"),
            format!("uct + ppa(patterns={file})"),
            format!("uct(start=features({file})) + ppa"),
            format!("uct(prior=features({file}))"),
            format!("uct + cut + eval({file})"),
            // One file that may be read lets no other in.
            format!("uct(start=features({file})) + ppa(patterns=own.toml)"),
        ] {
            let answer = think(&with, &line);
            assert_eq!(answer.status, 422, "{line}");
            assert!(
                !answer.body.contains("secret\\n") && answer.error().contains("no file"),
                "{line}: {}",
                answer.error()
            );
        }
    }
    // A file of the folder is read, and found not to be weights.
    let read = think(&with, "alphabeta + eval(own.toml)");
    assert!(read.status == 422 && !read.error().contains("no file"), "{}", read.error());
}

#[test]
fn files_outside_the_folders_cannot_be_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = folder.path().join("library");
    std::fs::create_dir_all(library.join("lud/board")).expect("made");
    let rules = "(game \"Own\" (players 2) (equipment {(board (square 3)) (piece \"Disc\" Each)}) \
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))";
    std::fs::write(library.join("lud/board/Own.lud"), rules).expect("written");
    std::fs::write(folder.path().join("secret.lud"), rules).expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.lud"), library.join("lud/link.lud"))
        .expect("linked");
    std::fs::create_dir(folder.path().join("stores")).expect("made");
    let page = Page::serve(Folders {
        library: Some(library),
        experiments: Some(folder.path().join("stores")),
        ..Folders::default()
    });
    assert_eq!(open(&page, "library/board/Own.lud")["name"], "Own");
    let absolute = folder.path().join("secret.lud").display().to_string();
    for name in [
        "library/../secret.lud",
        "library/board/../../../secret.lud",
        "library/link.lud",
        "../secret.lud",
        "/etc/passwd",
        "library//etc/passwd",
        &absolute,
        &format!("library/{absolute}"),
    ] {
        let answer = page.post("/api/open", &json!({ "game": name, "options": [] }));
        assert_eq!(answer.status, 422, "{name}: {}", answer.body);
    }
    for name in ["../secret.lud", "%2e%2e%2fsecret.lud", "/etc/passwd", "nothing.sqlite"] {
        assert_eq!(page.get(&format!("/api/experiments/store?name={name}")).status, 422, "{name}");
    }
    for path in ["/..%2f..%2fetc%2fpasswd", "/Cargo.toml", "/assets.rs"] {
        assert_eq!(page.get(path).status, 404, "{path}");
    }
    let components = json!({ "game": "7-wonders", "options": [format!("Components/{absolute}")] });
    assert_eq!(page.post("/api/open", &components).status, 422);
}

#[test]
fn bodies_searches_and_games_are_bounded() {
    let page = Page::serve(Folders::default());
    let large = json!({ "text": " ".repeat(3 << 20) });
    assert_eq!(page.post("/api/check", &large).status, 413);
    // More games than are kept open: the first is closed, and opened again when it is asked for.
    let text = |n: usize| {
        format!(
            "(game \"G{n}\" (players 2) (equipment {{(board (square 3)) (piece \"Disc\" Each)}}) \
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"
        )
    };
    let first = page.post("/api/open", &json!({ "text": text(0), "options": [] })).json();
    for n in 1..=48 {
        assert_eq!(page.post("/api/open", &json!({ "text": text(n), "options": [] })).status, 200);
    }
    let asked = json!({ "table": first["id"], "line": [], "viewer": null });
    assert_eq!(page.post("/api/position", &asked).status, 410);
    // Four searches run at once, and end when they are told to.
    let table = open(&page, "hex");
    let question = json!({ "table": table["id"], "line": [], "player": 0, "agent": "uct",
        "budget": { "seconds": 60 } });
    let ids: Vec<Value> =
        (0..4).map(|_| page.post("/api/think", &question).json()["id"].clone()).collect();
    let fifth = page.post("/api/think", &question);
    assert!(
        fifth.status == 422 && fifth.error().contains("searches are running"),
        "{}",
        fifth.body
    );
    for id in &ids {
        assert_eq!(page.post("/api/stop", &json!({ "id": id })).status, 200);
    }
    for id in ids {
        let events = page.get(&format!("/api/events?id={}", id.as_str().expect("a number")));
        assert!(events.body.contains("\"done\":true"));
    }
    assert_eq!(page.post("/api/think", &question).status, 200);
    // A line of moves longer than any game.
    let long = json!({ "table": table["id"], "line": vec![vec!["A1"]; 30_000], "viewer": null });
    let long = page.post("/api/position", &long);
    assert!(long.status == 422 && long.error().contains("more than"), "{}", long.body);
    let wide = json!({ "table": table["id"], "line": [["A".repeat(1_000_000)]], "viewer": null });
    let begun = std::time::Instant::now();
    let wide = page.post("/api/position", &wide);
    assert!(wide.status == 422 && wide.error().contains("more than"), "{}", wide.body);
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    // Tables and trees are no larger than promised, whatever is asked for: these would be a hundred gigabytes.
    for agent in
        ["alphabeta(table=30)", "alphabeta(table=30) + level(n=9)", "ubfm(edges=2000000000)"]
    {
        let thought = think(&page, agent);
        assert_eq!(thought.status, 200, "{agent}: {}", thought.body);
        let id = thought.json()["id"].as_str().expect("a number").to_string();
        let events = page.get(&format!("/api/events?id={id}"));
        assert!(events.body.contains("\"done\":true"), "{agent}: {}", events.body);
    }
    let many = json!({ "table": table["id"], "line": [], "player": 0, "agent": "uct(threads=512)",
        "budget": { "seconds": 1 } });
    assert_eq!(page.post("/api/think", &many).status, 422);
}

#[test]
fn rules_that_explode_are_refused_with_a_sentence() {
    let page = Page::serve(Folders::default());
    let board = |board: &str| {
        format!(
            "(game \"X\" (players 2) (equipment {{(board {board}) (piece \"Disc\" Each)}}) \
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"
        )
    };
    let deep = "(game ".repeat(100_000);
    let define = "(define \"A\" (\"A\" \"A\"))(game \"X\" (\"A\"))";
    let doubling: String =
        (0..60).map(|n| format!("(define \"D{}\" {{\"D{n}\" \"D{n}\"}})", n + 1)).collect();
    let doubling = format!("(define \"D0\" 1){doubling}(game \"X\" (players 2) \"D60\")");
    // Sixteen to the eighth facts, true at once, legal at once or true after the first move.
    let some = "?a ?b ?c ?d ?e ?f ?g ?h";
    let each: String = some.split(' ').map(|name| format!("(n {name}) ")).collect();
    let numbers: String = (1..=16).map(|n| format!("(n {n}) ")).collect();
    let kif = |head: &str| {
        format!(
            "(role a) {numbers} (init (at 0)) (<= ({head}) {each}) (<= (legal a x) (true ?any)) \
            (<= (next ?any) (true ?any)) (goal a 0) (<= terminal (true (c 1 1 1 1 1 1 1 1)))"
        )
    };
    let kif_cases =
        [format!("init (c {some})"), format!("legal a (c {some})"), format!("next (c {some})")];
    let cases = kif_cases.iter().map(|head| ("kif", kif(head))).chain([
        ("lud", board("(square 100000)")),
        ("lud", board("(hex 5000)")),
        ("lud", board("(rectangle 2000000000 2000000000)")),
        ("lud", deep),
        ("lud", define.to_string()),
        ("lud", doubling),
    ]);
    for (language, text) in cases {
        let begun = std::time::Instant::now();
        let answer =
            page.post("/api/open", &json!({ "text": text, "language": language, "options": [] }));
        let shown: String = text.chars().take(120).collect();
        assert!([422, 504].contains(&answer.status), "{shown}: {} {}", answer.status, answer.body);
        assert!(!answer.error().is_empty(), "{shown}");
        eprintln!(
            "{shown}: {:?}, {}",
            begun.elapsed(),
            answer.error().lines().next().unwrap_or_default()
        );
    }
    open(&page, "hex");
}

#[test]
fn rules_that_never_come_to_an_end_are_given_up_and_leave_the_page_playable() {
    let page = Page::serve(Folders::default());
    let values = |inner: String| format!("(forEach Value min:1 max:10000 {inner})");
    let add = "(if (= (value) -7) (move Add (to (sites Empty))))".to_string();
    let endless = |name: usize| {
        format!(
            "(game \"X{name}\" (players 2) (equipment {{(board (square 3)) (piece \"Disc\" Each)}}) \
            (rules (play {}) (end (if (is Line 3) (result Mover Win)))))",
            values(values(values(add.clone())))
        )
    };
    // More of them than are worked on at once; each takes twenty seconds, and no longer.
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        for name in 0..9 {
            let (page, text) = (&page, endless(name));
            scope.spawn(move || {
                let answer = page.post("/api/open", &json!({ "text": text, "options": [] }));
                assert!([503, 504].contains(&answer.status), "{} {}", answer.status, answer.body);
                assert!(!answer.error().is_empty());
            });
        }
    });
    while page.post("/api/open", &json!({ "game": "hex", "options": [] })).status != 200 {
        assert!(begun.elapsed().as_secs() < 120, "the page does not come back");
    }
    // By now nothing of it is worked on any more: all places are free at once.
    std::thread::sleep(std::time::Duration::from_secs(25));
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| open(&page, "tic-tac-toe"));
        }
    });
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}
