//! One message to one player.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long a connection may take, as in GGP-Base.
const CONNECTING: Duration = Duration::from_secs(5);

/// Answers longer than this are cut off: no move is.
const MOST_BYTES: u64 = 1 << 20;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It did not come in time.
    Late,
    /// The connection failed.
    Connection,
}

/// Sends a message and waits so long for the answer, counted from when it was sent. Returns the answer and
/// how long it took.
pub fn ask(
    address: &str,
    message: &str,
    patience: Duration,
) -> Result<(String, Duration), Failure> {
    let mut stream = connect(address).map_err(|_| Failure::Connection)?;
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {address}\r\nSender: GAMESERVER\r\n\
         Receiver: {address}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    // Whoever does not take the question will not answer it either.
    let sent = stream
        .set_write_timeout(Some(patience.max(CONNECTING)))
        .and_then(|()| stream.write_all(request.as_bytes()));
    sent.map_err(|_| Failure::Connection)?;
    let asked = Instant::now();
    let answer = read_answer(&mut stream, asked + patience);
    match (answer, asked.elapsed()) {
        (Ok(answer), took) if took <= patience => Ok((answer, took)),
        (Ok(_), _) => Err(Failure::Late),
        (Err(error), _) if is_late(&error) => Err(Failure::Late),
        (Err(_), _) => Err(Failure::Connection),
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECTING) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The body of an answer: as many bytes as its head says, or else all there are.
fn read_answer(stream: &mut TcpStream, until: Instant) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        if let Some(body) = complete_body(&bytes) {
            return Ok(body);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut chunk)? {
            0 => break,
            count => bytes.extend_from_slice(&chunk[..count]),
        }
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
    }
    match split(&bytes) {
        Some((_, body)) => Ok(text(body)),
        None => Err(ErrorKind::UnexpectedEof.into()),
    }
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).trim().to_owned()
}

fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((&bytes[..at], &bytes[at + 4..]))
}

fn complete_body(bytes: &[u8]) -> Option<String> {
    let (head, body) = split(bytes)?;
    let head = String::from_utf8_lossy(head);
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let found = name.trim().eq_ignore_ascii_case("content-length");
        found.then(|| value.trim().parse::<usize>().ok()).flatten()
    })?;
    body.get(..length).map(text)
}
