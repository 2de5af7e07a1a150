//! A START that is aborted gives its memory back and leaves the player ready, within a second. Alone in its process, so that
//! what is measured is the player's.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex_web::ggp::{GgpPlayer, Settings, serve};
use ludex_web::server::listen;

/// When a START is aborted, and what an allocator may keep for itself afterwards, in megabytes.
const GROWN: usize = 160;
const KEPT: usize = 48;

/// Rules whose positions are small and of which there are more than any bound allows: the last seven digits.
fn exploding() -> String {
    let digits: String = (0..30).map(|n| format!("(n {n}) ")).collect();
    format!(
        "(role x) (role o) {digits} (init (last 0 0 0 0 0 0 0)) (legal o noop)
(<= (legal x (mark ?n)) (n ?n))
(<= (next (last ?a ?b ?c ?d ?e ?f ?g)) (does x (mark ?a)) (true (last ?b ?c ?d ?e ?f ?g ?h)))
(<= terminal (true (last 1 2 3 4 5 6 7))) (goal x 0) (goal o 0)"
    )
}

fn send(address: SocketAddr, message: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the player listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let length = message.len();
    write!(stream, "POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}")
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the player answers and closes");
    answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned())
}

/// Memory of this process, in megabytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS")).expect("a size");
    line.split_whitespace().nth(1).and_then(|size| size.parse::<usize>().ok()).expect("kB") / 1024
}

#[test]
fn aborted_starts_give_their_memory_back_and_leave_room_for_others() {
    let listener = listen(Ipv4Addr::LOCALHOST.into(), 0).expect("a free port");
    let address = listener.local_addr().expect("bound");
    let player = Arc::new(GgpPlayer::new(Settings::default()));
    std::thread::spawn(move || serve(listener, player));
    send(address, "( INFO )");
    let before = memory();
    for round in 0..3 {
        let starting = std::thread::spawn(move || {
            send(address, &format!("( START e{round} x ({}) 600 10 )", exploding()))
        });
        let begun = Instant::now();
        while memory() < before + GROWN && begun.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let during = memory();
        assert!(during >= before + GROWN, "the rules do not explode: {during} MB");
        assert!(!starting.is_finished(), "it thinks as long as the clock allows");
        let aborted = Instant::now();
        assert_eq!(send(address, &format!("( ABORT e{round} )")), "aborted");
        starting.join().expect("an answer");
        assert!(send(address, "( INFO )").contains("available"));
        while memory() > before + KEPT && aborted.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(10));
        }
        println!(
            "{before} MB before, {during} MB during, {} MB {:?} after",
            memory(),
            aborted.elapsed()
        );
        assert!(aborted.elapsed() < Duration::from_secs(1), "{} MB are still held", memory());
    }
    let small = "(role x) (init (at 1)) (legal x go) (legal x stay) (<= (next (at 2)) (does x go))
(<= terminal (true (at 2))) (goal x 100)";
    assert_eq!(send(address, &format!("( START after x ({small}) 1 1 )")), "ready");
    assert!(["go", "stay"].contains(&send(address, "( PLAY after NIL )").as_str()));
}
