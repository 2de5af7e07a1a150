//! Just enough HTTP for the protocol: one message for each connection.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limit::Limit;
use super::player::GgpPlayer;

/// Bodies larger than this are refused.
const MOST_BYTES: u64 = 8 << 20;

/// Header lines in total.
const MOST_HEADER_BYTES: u64 = 64 << 10;

/// How long a message may take to arrive as a whole, and its answer to be taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connections served at once; more are turned away.
const MOST_CONNECTIONS: usize = 64;

/// Serves connections for ever, each on a thread of its own so that a question never waits for a move.
pub fn serve(listener: &TcpListener, player: &Arc<GgpPlayer>) {
    let connections = Limit::new(MOST_CONNECTIONS);
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Most likely too many open files, which takes a moment to pass.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let Some(place) = connections.enter() else {
            let _ = respond(&stream, "503 Service Unavailable", "busy");
            continue;
        };
        let player = player.clone();
        // Where there is no thread left, the connection closes without an answer; a manager that
        // goes away is no concern of ours.
        let _ = std::thread::Builder::new().name("connection".to_owned()).spawn(move || {
            let _place = place;
            let _ = answer(&stream, &player);
        });
    }
}

/// A stream that must have said everything by a deadline.
struct Patient<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl Read for Patient<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(into)
    }
}

/// What a request asks for, or the status and reason of its refusal.
type Asked = Result<Option<String>, (&'static str, &'static str)>;

fn answer(stream: &TcpStream, player: &GgpPlayer) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(Patient { stream, until: Instant::now() + PATIENCE });
    match read_request(&mut reader)? {
        Ok(Some(message)) => respond(stream, "200 OK", &player.answer(&message)),
        Ok(None) => respond(stream, "200 OK", ""),
        Err((status, reason)) => {
            respond(stream, status, reason)?;
            // Closing before all is read would take the answer back.
            stream.shutdown(Shutdown::Write)?;
            io::copy(&mut reader.take(MOST_BYTES), &mut io::sink()).map(drop)
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> io::Result<Asked> {
    let mut header = reader.by_ref().take(MOST_HEADER_BYTES);
    let mut request = String::new();
    header.read_line(&mut request)?;
    let Some(length) = body_length(&mut header)? else {
        return Ok(Err(("400 Bad Request", "the header has no end")));
    };
    let mut words = request.split_whitespace();
    Ok(match (words.next(), words.next()) {
        (Some("POST"), _) => read_body(reader, length)?,
        (Some("GET"), Some(path)) => Ok(Some(decoded(path.trim_start_matches('/')))),
        (Some("OPTIONS"), _) => Ok(None),
        _ => Err(("400 Bad Request", "expected a POST of one message")),
    })
}

fn read_body(reader: &mut impl BufRead, length: Option<u64>) -> io::Result<Asked> {
    const TOO_LONG: (&str, &str) = ("413 Content Too Large", "the message is too long");
    if length.is_some_and(|length| length > MOST_BYTES) {
        return Ok(Err(TOO_LONG));
    }
    let mut body = Vec::new();
    reader.by_ref().take(length.unwrap_or(MOST_BYTES + 1)).read_to_end(&mut body)?;
    let got = body.len() as u64;
    Ok(match length {
        Some(length) if got < length => Err(("400 Bad Request", "the message is cut short")),
        None if got > MOST_BYTES => Err(TOO_LONG),
        _ => Ok(Some(String::from_utf8_lossy(&body).into_owned())),
    })
}

/// Reads the header lines to the blank one, if there is one, for the length they give, if they do.
fn body_length(header: &mut impl BufRead) -> io::Result<Option<Option<u64>>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if header.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line.trim().is_empty() {
            return Ok(Some(length));
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
