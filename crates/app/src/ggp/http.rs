//! Just enough HTTP for the protocol: one message for each connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::player::GgpPlayer;

/// Bodies larger than this are refused.
const MOST_BYTES: u64 = 8 << 20;

/// Header lines in total.
const MOST_HEADER_BYTES: u64 = 64 << 10;

/// How long a silent connection is kept.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connections served at once; more are turned away.
const MOST_CONNECTIONS: usize = 64;

/// Serves connections until the listener fails, each on a thread of its own so that a question never
/// waits for a move.
pub fn serve(listener: &TcpListener, player: &Arc<GgpPlayer>) -> io::Result<()> {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        if open.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            let _ = respond(&stream, "503 Service Unavailable", "busy");
            continue;
        }
        let (player, open) = (player.clone(), open.clone());
        std::thread::spawn(move || {
            // A manager that goes away is no concern of ours.
            let _ = answer(&stream, &player);
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

fn answer(stream: &TcpStream, player: &GgpPlayer) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut header = (&mut reader).take(MOST_HEADER_BYTES);
    let mut request = String::new();
    header.read_line(&mut request)?;
    let length = body_length(&mut header)?;
    let mut words = request.split_whitespace();
    match (words.next(), words.next()) {
        (Some("POST"), _) => match length {
            Some(length) if length > MOST_BYTES => {
                respond(stream, "413 Content Too Large", "the message is too long")
            }
            length => {
                let mut body = Vec::new();
                reader.take(length.unwrap_or(MOST_BYTES)).read_to_end(&mut body)?;
                respond(stream, "200 OK", &player.answer(&String::from_utf8_lossy(&body)))
            }
        },
        (Some("GET"), Some(path)) => {
            let message = decoded(path.trim_start_matches('/'));
            respond(stream, "200 OK", &player.answer(&message))
        }
        (Some("OPTIONS"), _) => respond(stream, "200 OK", ""),
        _ => respond(stream, "400 Bad Request", "expected a POST of one message"),
    }
}

/// Reads the header lines to the blank one.
fn body_length(header: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if header.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(length);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            // A length that is no number is one that nobody may send.
            length = Some(value.trim().parse().unwrap_or(u64::MAX));
        }
    }
}

fn respond(mut stream: &TcpStream, status: &str, body: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}

/// Undoes the escapes of an address.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |range: std::ops::Range<usize>| {
            path.get(range).and_then(|digits| u8::from_str_radix(digits, 16).ok())
        };
        match (bytes[at], hex(at + 1..at + 3)) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                at += 1;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
