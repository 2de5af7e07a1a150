//! Who may talk to the page: whoever was given the link, from this page alone.
//!
//! The link that `ludex serve` prints holds a token; the first load exchanges it for a cookie that no script can read and no
//! other site makes the browser send. Requests must name this server as their host, so that a foreign name that
//! resolves to this machine reaches nothing, and come from its own pages.

use std::net::SocketAddr;

use axum::http::{HeaderMap, header};

/// The name of the cookie.
const COOKIE: &str = "ludex";

/// Why a request is turned away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turned {
    /// It names another host.
    Host,
    /// It comes from another site.
    Origin,
    /// It has no cookie of ours.
    Stranger,
}

/// What lets people in.
#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    session: String,
    hosts: Vec<String>,
}

impl Guard {
    /// A guard for a server at an address, with secrets of its own.
    pub fn new(address: SocketAddr) -> std::io::Result<Guard> {
        let port = address.port();
        let names = ["127.0.0.1".to_string(), "localhost".to_string(), "[::1]".to_string()];
        let own = match address {
            SocketAddr::V4(v4) => v4.ip().to_string(),
            SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
        };
        let hosts = names.into_iter().chain([own]).map(|name| format!("{name}:{port}")).collect();
        Ok(Guard { token: secret()?, session: secret()?, hosts })
    }

    /// The token for the first load.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether this is the token.
    pub fn opens(&self, given: &str) -> bool {
        same(given, &self.token)
    }

    /// The header that gives a browser its cookie.
    pub fn cookie(&self) -> String {
        format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", self.session)
    }

    /// Whether a request may be answered at all: for this host, and not sent by another site.
    pub fn is_ours(&self, headers: &HeaderMap) -> Result<(), Turned> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).ok_or(Turned::Host)?;
        if !self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host)) {
            return Err(Turned::Host);
        }
        match text(header::ORIGIN) {
            Some(origin) if origin != format!("http://{host}") => Err(Turned::Origin),
            _ => Ok(()),
        }
    }

    /// Whether a request comes from a browser that was let in.
    pub fn is_known(&self, headers: &HeaderMap) -> Result<(), Turned> {
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.any(|(name, value)| name == COOKIE && same(value, &self.session)) {
            true => Ok(()),
            false => Err(Turned::Stranger),
        }
    }
}

/// Compares without telling by its time how far two texts agree.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

/// 128 bits that nobody can guess, as text.
fn secret() -> std::io::Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).expect("a header");
        pairs.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }

    #[test]
    fn strangers_and_other_sites_are_turned_away() {
        let guard = Guard::new(([127, 0, 0, 1], 8000).into()).expect("random numbers");
        let host = (header::HOST, "localhost:8000");
        assert_eq!(guard.is_ours(&headers(&[])), Err(Turned::Host));
        assert_eq!(
            guard.is_ours(&headers(&[(header::HOST, "evil.example:8000")])),
            Err(Turned::Host)
        );
        assert_eq!(guard.is_ours(&headers(std::slice::from_ref(&host))), Ok(()));
        let origin = |text| guard.is_ours(&headers(&[host.clone(), (header::ORIGIN, text)]));
        assert_eq!(origin("http://localhost:8000"), Ok(()));
        assert_eq!(origin("http://evil.example"), Err(Turned::Origin));
        assert_eq!(
            guard.is_known(&headers(&[(header::COOKIE, "ludex=guess")])),
            Err(Turned::Stranger)
        );
        let cookie = guard.cookie();
        let cookie = cookie.split(';').next().expect("a cookie");
        assert_eq!(guard.is_known(&headers(&[(header::COOKIE, cookie)])), Ok(()));
        assert!(guard.opens(guard.token()) && !guard.opens("x"));
    }
}
