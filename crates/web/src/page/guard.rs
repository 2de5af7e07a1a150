//! Who may talk to the page: whoever was given the link, from this page alone.
//!
//! The link that `ludex serve` prints holds a token; the first load exchanges it for a cookie that no script can read and no
//! other site makes the browser send. Requests must name this server as their host, so that a foreign name that
//! resolves to this machine reaches nothing, and come from its own pages.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, Uri, header};

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
    /// The name of the cookie. Cookies belong to a host whatever the port; servers beside each other must not take each other's.
    name: String,
    hosts: Vec<String>,
    /// The port, where every address of the machine is listened at: none of them is a name that somebody else could give away.
    anywhere: Option<u16>,
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
        // Browsers leave out the port that is usual.
        let with_port = |name| if port == 80 { name } else { format!("{name}:{port}") };
        let hosts = names.into_iter().chain([own]).map(with_port).collect();
        let anywhere = address.ip().is_unspecified().then_some(port);
        let name = format!("ludex-{port}");
        Ok(Guard { token: secret()?, session: secret()?, name, hosts, anywhere })
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
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.name, self.session)
    }

    /// Whether a request may be answered at all: for this host, and not sent by another site.
    pub fn is_ours(&self, address: &Uri, headers: &HeaderMap) -> Result<(), Turned> {
        // Of a header that comes twice somebody between might heed the other one.
        let all = |name| -> Vec<_> {
            headers.get_all(name).iter().map(|value| value.to_str().ok()).collect()
        };
        let [Some(host)] = all(header::HOST)[..] else { return Err(Turned::Host) };
        let is_address = |port| match host.parse::<SocketAddr>() {
            Ok(at) => at.port() == port,
            Err(_) => port == 80 && host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok(),
        };
        let named = self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        if !named && !self.anywhere.is_some_and(is_address) {
            return Err(Turned::Host);
        }
        // An address may name a host of its own, which would be the one that is meant.
        if address.authority().is_some_and(|named| !named.as_str().eq_ignore_ascii_case(host)) {
            return Err(Turned::Host);
        }
        match all(header::ORIGIN)[..] {
            [] => Ok(()),
            [Some(origin)] if origin == format!("http://{host}") => Ok(()),
            _ => Err(Turned::Origin),
        }
    }

    /// Whether a request comes from a browser that was let in.
    pub fn is_known(&self, headers: &HeaderMap) -> Result<(), Turned> {
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.any(|(name, value)| name == self.name && same(value, &self.session)) {
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
        let here = Uri::from_static("/api/open");
        let host = (header::HOST, "localhost:8000");
        assert_eq!(guard.is_ours(&here, &headers(&[])), Err(Turned::Host));
        assert_eq!(
            guard.is_ours(&here, &headers(&[(header::HOST, "evil.example:8000")])),
            Err(Turned::Host)
        );
        assert_eq!(guard.is_ours(&here, &headers(std::slice::from_ref(&host))), Ok(()));
        let origin = |text| guard.is_ours(&here, &headers(&[host.clone(), (header::ORIGIN, text)]));
        assert_eq!(origin("http://localhost:8000"), Ok(()));
        assert_eq!(origin("http://evil.example"), Err(Turned::Origin));
        let own = (header::ORIGIN, "http://localhost:8000");
        let evil = [(header::HOST, "evil.example:8000"), (header::ORIGIN, "http://evil.example")];
        for (second, turned) in evil.into_iter().zip([Turned::Host, Turned::Origin]) {
            let mut twice = headers(&[host.clone(), own.clone()]);
            twice.append(second.0, HeaderValue::from_static(second.1));
            assert_eq!(guard.is_ours(&here, &twice), Err(turned));
        }
        let mut unreadable = headers(std::slice::from_ref(&host));
        unreadable.insert(header::ORIGIN, HeaderValue::from_bytes(b"http://\xe4").expect("bytes"));
        assert_eq!(guard.is_ours(&here, &unreadable), Err(Turned::Origin));
        let alone = headers(std::slice::from_ref(&host));
        let whole = |text| guard.is_ours(&Uri::from_static(text), &alone);
        assert_eq!(whole("http://localhost:8000/api/open"), Ok(()));
        assert_eq!(whole("http://evil.example/api/open"), Err(Turned::Host));
        assert_eq!(
            guard.is_known(&headers(&[(header::COOKIE, "ludex-8000=guess")])),
            Err(Turned::Stranger)
        );
        let cookie = guard.cookie();
        let cookie = cookie.split(';').next().expect("a cookie");
        assert_eq!(guard.is_known(&headers(&[(header::COOKIE, cookie)])), Ok(()));
        assert!(guard.opens(guard.token()) && !guard.opens("x"));
    }

    #[test]
    fn every_address_of_the_machine_is_its_name_where_all_are_listened_at() {
        let here = Uri::from_static("/");
        let ours = |address: ([u8; 4], u16), host: &str| {
            let guard = Guard::new(address.into()).expect("random numbers");
            guard.is_ours(&here, &headers(&[(header::HOST, host)]))
        };
        let all = ([0, 0, 0, 0], 8000);
        for host in ["192.168.7.5:8000", "[fe80::1]:8000", "localhost:8000"] {
            assert_eq!(ours(all, host), Ok(()), "{host}");
        }
        for host in
            ["192.168.7.5:8001", "192.168.7.5", "evil.example:8000", "1.2.3.4.evil.example:8000"]
        {
            assert_eq!(ours(all, host), Err(Turned::Host), "{host}");
        }
        assert_eq!(ours(([127, 0, 0, 1], 8000), "192.168.7.5:8000"), Err(Turned::Host));
        // The usual port is left out.
        assert_eq!(ours(([127, 0, 0, 1], 80), "127.0.0.1"), Ok(()));
        assert_eq!(ours(([0, 0, 0, 0], 80), "192.168.7.5"), Ok(()));
        assert_eq!(ours(([127, 0, 0, 1], 80), "evil.example"), Err(Turned::Host));
    }

    #[test]
    fn servers_beside_each_other_have_cookies_of_their_own() {
        let name = |port| {
            let guard = Guard::new(([127, 0, 0, 1], port).into()).expect("random numbers");
            guard.cookie().split('=').next().map(str::to_string)
        };
        assert_ne!(name(8000), name(8001));
    }
}
