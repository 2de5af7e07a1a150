//! The files of the page, which are part of the program.

macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        const FILES: &[(&str, &str, &str)] =
            &[$(($name, $kind, include_str!(concat!("../../page/", $name)))),*];
    };
}

files! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "address.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "engine.js": "text/javascript; charset=utf-8",
    "experiments.js": "text/javascript; charset=utf-8",
    "games.js": "text/javascript; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "match.js": "text/javascript; charset=utf-8",
    "play.js": "text/javascript; charset=utf-8",
    "seats.js": "text/javascript; charset=utf-8",
    "thinking.js": "text/javascript; charset=utf-8",
}

/// A file by its name: its kind and its text.
pub fn file(name: &str) -> Option<(&'static str, &'static str)> {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, kind, text)| (*kind, *text))
}
