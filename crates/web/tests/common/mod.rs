//! A served page and somebody who asks it over plain sockets.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use ludex_web::page::{Folders, Settings, run};
use serde_json::Value;

/// A page that runs until the test ends.
pub struct Page {
    pub address: SocketAddr,
    pub token: String,
    pub cookie: String,
}

/// An answer of the server.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_string()
    }
}

impl Page {
    /// Serves these folders and enters by the link.
    pub fn serve(folders: Folders) -> Page {
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let settings = Settings { address: ([127, 0, 0, 1], 0).into(), folders, seed: 1 };
            run(settings, |link| drop(send.send(link.to_string()))).expect("the server runs");
        });
        let link = receive.recv().expect("a link");
        let (address, token) = link
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/?token="))
            .expect("a link with a token");
        let address = address.parse().expect("an address");
        let mut page = Page { address, token: token.to_string(), cookie: String::new() };
        let first = page.send(&page.head("GET", &format!("/?token={token}"), ""));
        let set = first.head.lines().find_map(|line| {
            line.to_ascii_lowercase()
                .starts_with("set-cookie:")
                .then(|| line[11..].trim().to_string())
        });
        page.cookie = set.expect("a cookie").split(';').next().expect("a pair").to_string();
        page
    }

    pub fn head(&self, method: &str, path: &str, more: &str) -> String {
        let (host, cookie) = (self.address, &self.cookie);
        let cookie =
            if cookie.is_empty() { String::new() } else { format!("Cookie: {cookie}\r\n") };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{cookie}Connection: close\r\n{more}\r\n"
        )
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// Sends bytes as they are and reads the answer to its end.
    pub fn send(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        // Whoever is turned away early may not take all that was written.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_string(), body: body.to_string() }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(&self.head("GET", path, ""))
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string())
    }

    pub fn post_text(&self, path: &str, body: &str) -> Answer {
        let more = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        self.send(&(self.head("POST", path, &more) + body))
    }
}
