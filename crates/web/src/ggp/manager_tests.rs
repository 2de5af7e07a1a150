//! A small game manager that checks the protocol strictly.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex_gdl::Bounds;
use ludex_gdl::Machine;
use ludex_gdl::{Compiled, Engine, compile};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif;

use super::{GgpPlayer, Settings, serve};
use crate::server::listen;

/// Tic-tac-toe on a line of five: three neighbours win.
const LINE: &str = "(role x) (role o) (other x o) (other o x) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(place 1) (place 2) (place 3) (place 4) (place 5)
(<= (init (cell ?n b)) (place ?n)) (init (control x))
(<= (legal ?r (mark ?n)) (true (control ?r)) (true (cell ?n b)))
(<= (legal ?r noop) (other ?r ?q) (true (control ?q)))
(<= (next (cell ?n ?r)) (does ?r (mark ?n)))
(<= (hit ?n) (does ?r (mark ?n)))
(<= (next (cell ?n ?w)) (true (cell ?n ?w)) (not (hit ?n)))
(<= (next (control ?q)) (true (control ?r)) (other ?r ?q))
(<= (won ?r) (role ?r) (true (cell ?a ?r)) (succ ?a ?b) (true (cell ?b ?r)) (succ ?b ?c) (true (cell ?c ?r)))
(<= open (true (cell ?n b)))
(<= terminal (won ?r)) (<= terminal (not open))
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (other ?r ?q) (won ?q))
(<= (goal ?r 50) (role ?r) (not (won x)) (not (won o)))";

fn player(seed: u64) -> SocketAddr {
    player_with(seed, Some(50))
}

/// A player that is bound by simulations or else by the clock alone, and thinks all the time.
fn player_with(seed: u64, simulations: Option<u64>) -> SocketAddr {
    serving(Settings { simulations, seed, ..settings() })
}

fn settings() -> Settings {
    Settings {
        name: "tester".to_owned(),
        agent: "uct(reuse=20)".parse().expect("a known agent"),
        margin: Duration::from_millis(400),
        ponder: true,
        ..Settings::default()
    }
}

fn serving(settings: Settings) -> SocketAddr {
    let listener = listen(Ipv4Addr::LOCALHOST.into(), 0).expect("a free port");
    let address = listener.local_addr().expect("bound");
    let player = Arc::new(GgpPlayer::new(settings));
    std::thread::spawn(move || serve(listener, player));
    address
}

/// Sends raw bytes and reads the answer to its end.
fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the player listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    stream.write_all(request.as_bytes()).expect("the player reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the player answers and closes");
    answer
}

/// The same, by somebody who will say no more.
fn exchange_closing(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the player listens");
    stream.write_all(request.as_bytes()).expect("the player reads");
    stream.shutdown(Shutdown::Write).expect("still open");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the player answers and closes");
    answer
}

/// Sends a message as a game manager does and checks everything about the answer but its meaning.
fn send(address: SocketAddr, message: &str) -> String {
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: tester\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    let answer = exchange(address, &request);
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.0 200 OK\r\n"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    assert_eq!(length.and_then(|length| length.parse().ok()), Some(body.len()));
    assert!(head.contains("Content-Type: text/acl"));
    body.to_owned()
}

fn rules() -> Compiled {
    let checked = kif::read(SourceId(0), LINE).expect("the rules are right");
    let engine = Some(Engine::Network);
    compile("line", &checked.description, engine, &Bounds::default()).expect("they compile")
}

/// Runs one match between players and returns its goals.
fn run_match(id: &str, players: [SocketAddr; 2]) -> Vec<String> {
    let Compiled::Network(rules) = rules() else { unreachable!("asked for") };
    for (address, role) in players.into_iter().zip(rules.role_names()) {
        assert!(send(address, "( INFO )").contains("( status available )"));
        assert_eq!(send(address, &format!("( START {id} {role} ({LINE}) 2 2 )")), "ready");
        assert!(send(address, "( INFO )").contains("( status busy )"));
    }
    let mut position = rules.first_position();
    let mut last = "NIL".to_owned();
    while !rules.is_terminal(&position) {
        let mut joint = Vec::new();
        for (role, address) in players.into_iter().enumerate() {
            let asked = Instant::now();
            let reply = send(address, &format!("( PLAY {id} {last} )"));
            assert!(asked.elapsed() < Duration::from_secs(2), "the clock was overrun");
            assert!(rules.legal_moves(&position, role).contains(&reply), "illegal move {reply}");
            joint.push(reply);
        }
        let texts: Vec<&str> = joint.iter().map(String::as_str).collect();
        assert!(rules.advance(&mut position, &texts));
        last = format!("( {} )", joint.join(" "));
    }
    for address in players {
        assert_eq!(send(address, &format!("( STOP {id} {last} )")), "done");
        assert!(send(address, "( INFO )").contains("( status available )"));
    }
    (0..2).flat_map(|role| rules.goal_values(&position, role)).collect()
}

#[test]
fn matches_are_played_one_after_another() {
    let players = [player(1), player(2)];
    for number in 0..2 {
        let goals = run_match(&format!("match.{number}"), players);
        assert_eq!(goals.len(), 2, "{goals:?}");
    }
}

#[test]
fn malformed_messages_are_survived() {
    let address = player(3);
    for nonsense in
        ["", "((((", "( START m x (broken) one two )", "( PLAY nowhere NIL )", "\u{0}\u{1}"]
    {
        send(address, nonsense);
    }
    assert_eq!(send(address, "( START m x ((role x)) 2 2 )"), "busy", "faulty rules are refused");
    assert_eq!(send(address, &format!("( START m nobody ({LINE}) 2 2 )")), "busy", "no such role");
    assert_eq!(send(address, "( ABORT m )"), "busy");
    let deep = "(".repeat(100_000);
    send(address, &deep);
    send(address, &format!("( START m x ({LINE}) 18446744073709551615 18446744073709551615 )"));
    assert_eq!(send(address, "( PLAY m (((()))) )"), send(address, "( PLAY m ( a b c d ) )"));
    assert_eq!(send(address, "( STOP m NIL )"), "done");
    let cut = exchange_closing(address, "POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n( INFO");
    assert!(cut.contains(" 400 "), "{cut}");
    assert!(
        exchange(address, "POST / HTTP/1.0\r\nContent-Length: 999999999\r\n\r\n").contains(" 413 ")
    );
    assert!(exchange(address, "BREW / HTTP/1.0\r\n\r\n").contains(" 400 "));
    assert!(exchange(address, "OPTIONS / HTTP/1.0\r\n\r\n").contains(" 200 "));
    assert!(
        exchange(address, "GET /%28%20INFO%20%29 HTTP/1.0\r\n\r\n").contains("( name tester )")
    );
}

#[test]
fn a_new_match_replaces_one_whose_manager_is_gone() {
    let address = player(4);
    assert_eq!(send(address, &format!("( START lost x ({LINE}) 2 2 )")), "ready");
    assert_eq!(send(address, &format!("( START found o ({LINE}) 2 2 )")), "ready");
    assert_eq!(send(address, "( PLAY lost NIL )"), "busy");
    assert_eq!(send(address, "( PLAY found NIL )"), "noop");
    assert_eq!(send(address, "( ABORT found )"), "aborted");
}

#[test]
fn questions_are_answered_while_a_move_is_thought_about() {
    let address = player_with(5, None);
    assert_eq!(send(address, &format!("( START m x ({LINE}) 1 2 )")), "ready");
    let asked = Instant::now();
    let thinking = std::thread::spawn(move || send(address, "( PLAY m NIL )"));
    std::thread::sleep(Duration::from_millis(100));
    assert!(send(address, "( INFO )").contains("( status busy )"));
    assert!(!thinking.is_finished(), "the question waited for the move");
    assert!(thinking.join().expect("an answer").starts_with("(mark "));
    assert!(asked.elapsed() < Duration::from_secs(2), "the clock was overrun");
    // The other player's turn: our answer comes at once.
    assert_eq!(send(address, "( PLAY m ( (mark 3) noop ) )"), "noop");
    assert!(send(address, "( PLAY m ( noop (mark 1) ) )").starts_with("(mark "));
    assert_eq!(send(address, "( STOP m ( (mark 2) noop ) )"), "done");
}

#[test]
fn the_end_of_a_match_interrupts_the_search() {
    for end in ["( ABORT m )", "( STOP m NIL )"] {
        let address = player_with(9, None);
        let searching = std::thread::spawn(move || {
            // The clocks are long; only the end of the match can be the reason for an answer.
            send(address, &format!("( START m x ({LINE}) 600 600 )"))
        });
        while !send(address, "( INFO )").contains("( status busy )") {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        assert!(!searching.is_finished(), "it thinks as long as the clock allows");
        assert!(["aborted", "done"].contains(&send(address, end).as_str()));
        assert_eq!(searching.join().expect("an answer"), "ready");
        assert!(send(address, "( INFO )").contains("( status available )"));
    }
}

#[test]
fn the_end_of_a_match_interrupts_a_move() {
    let address = player_with(10, None);
    assert_eq!(send(address, &format!("( START m x ({LINE}) 1 600 )")), "ready");
    let moving = std::thread::spawn(move || send(address, "( PLAY m NIL )"));
    std::thread::sleep(Duration::from_millis(300));
    assert!(!moving.is_finished(), "it thinks as long as the clock allows");
    assert_eq!(send(address, "( ABORT m )"), "aborted");
    assert!(moving.join().expect("an answer").starts_with("(mark "));
}

#[test]
fn managers_that_disappear_leave_a_player_that_plays() {
    let address = player(6);
    for text in ["POST / HT", "POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n( INFO )"] {
        let mut stream = TcpStream::connect(address).expect("the player listens");
        stream.write_all(text.as_bytes()).expect("the player reads");
    }
    run_match("after", [address, player(7)]);
}

/// The rules with every word of their own replaced, as tournaments do.
fn scrambled() -> String {
    const OWN: [&str; 11] =
        ["x", "o", "b", "other", "succ", "place", "cell", "control", "mark", "hit", "won"];
    let word = |word: &str| match OWN.iter().position(|own| *own == word) {
        Some(at) => format!("zq{}k", at * 7 + 3),
        None => word.to_owned(),
    };
    let (mut out, mut current) = (String::new(), String::new());
    for letter in LINE.chars() {
        if letter.is_ascii_alphanumeric() || letter == '?' {
            current.push(letter);
            continue;
        }
        out.push_str(&word(&std::mem::take(&mut current)));
        out.push(letter);
    }
    out + &word(&current)
}

#[test]
fn scrambled_rules_are_played_like_any_others() {
    let (rules, address) = (scrambled(), player(8));
    assert!(!rules.contains("mark") && !rules.contains("cell"), "{rules}");
    assert_eq!(send(address, &format!("( PREVIEW ({rules}) 2 )")), "ready");
    assert_eq!(send(address, &format!("( START s zq3k ({rules}) 2 2 )")), "ready");
    let reply = send(address, "( PLAY s NIL )");
    assert!(reply.starts_with("(zq59k "), "{reply}");
    assert_eq!(send(address, &format!("( PLAY s ( {reply} noop ) )")), "noop");
    assert_eq!(send(address, "( ABORT s )"), "aborted");
    assert_eq!(send(address, "( PREVIEW ((role x)) 2 )"), "busy", "faulty rules are refused");
}

#[test]
fn idle_connections_shut_nobody_out() {
    let address = player(12);
    let _idle: Vec<TcpStream> =
        (0..700).map(|_| TcpStream::connect(address).expect("accepted")).collect();
    let asked = Instant::now();
    assert!(send(address, "( INFO )").contains("( status available )"));
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    assert_eq!(send(address, &format!("( START m x ({LINE}) 2 2 )")), "ready");
    assert!(send(address, "( PLAY m NIL )").starts_with("(mark "));
}

#[test]
fn a_manager_that_takes_no_answer_and_one_that_dribbles_keep_nobody_waiting() {
    let address = player(13);
    let mut slow = TcpStream::connect(address).expect("the player listens");
    slow.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(").expect("it reads");
    let mut deaf = TcpStream::connect(address).expect("the player listens");
    for _ in 0..200 {
        // Its answers pile up until nobody can write any more.
        let request = "GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: x\r\n\r\n";
        if deaf.write_all(request.repeat(20).as_bytes()).is_err() {
            break;
        }
    }
    let asked = Instant::now();
    run_match("beside", [address, player(14)]);
    assert!(asked.elapsed() < Duration::from_secs(30));
}

#[test]
fn rules_of_megabytes_are_read_against_the_clock() {
    let address = player_with(15, None);
    let filler: String = (0..300_000).map(|n| format!("(filler {n} {}) ", n / 2)).collect();
    assert!(filler.len() > 6_000_000);
    let asked = Instant::now();
    let answer = send(address, &format!("( START big x ({LINE} {filler}) 3 2 )"));
    assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
    assert_eq!(answer, "ready");
    let asked = Instant::now();
    let answer = send(address, "( PLAY big NIL )");
    assert!(answer.starts_with("(mark "), "{answer}");
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert_eq!(send(address, "( ABORT big )"), "aborted");
}

#[test]
fn several_matches_are_played_at_once_where_that_is_wanted() {
    let address = serving(Settings { matches: 2, simulations: Some(20), ..settings() });
    for id in ["one", "two"] {
        assert!(send(address, "( INFO )").contains("( status available )"));
        assert_eq!(send(address, &format!("( START {id} x ({LINE}) 2 2 )")), "ready");
    }
    assert!(send(address, "( INFO )").contains("( status busy )"));
    for id in ["one", "two"] {
        assert!(send(address, &format!("( PLAY {id} NIL )")).starts_with("(mark "));
    }
    assert_eq!(send(address, &format!("( START three x ({LINE}) 2 2 )")), "ready");
    assert_eq!(send(address, "( PLAY one NIL )"), "busy", "the oldest was given up");
    assert!(send(address, "( PLAY two NIL )").starts_with("(mark "));
}

#[test]
fn rules_that_break_a_restriction_are_refused_or_played_as_asked() {
    // The end depends on a move, and a rule says that two terms are the same.
    let rules = LINE.replace(
        "(<= terminal (not open))",
        "(<= terminal (does x (mark 3)) (not (distinct 1 1)))",
    );
    let strict = serving(Settings { simulations: Some(20), ..settings() });
    assert_eq!(send(strict, &format!("( START m x ({rules}) 2 2 )")), "busy");
    let strictness = kif::Strictness::Lenient;
    let lenient = serving(Settings { simulations: Some(20), strictness, ..settings() });
    assert_eq!(send(lenient, &format!("( START m x ({rules}) 2 2 )")), "ready");
    assert!(send(lenient, "( PLAY m NIL )").starts_with("(mark "));
    assert_eq!(send(lenient, "( ABORT m )"), "aborted");
    let same = LINE.replace(
        "(other ?r ?q) (true (control ?q))",
        "(role ?r) (true (control ?q)) (distinct ?r ?q) (not (distinct ?q ?q))",
    );
    assert_eq!(send(strict, &format!("( START m o ({same}) 2 2 )")), "ready");
    assert_eq!(send(strict, "( PLAY m NIL )"), "noop");
}
