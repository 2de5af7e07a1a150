//! The files of the page, which are part of the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// What a browser takes it for.
    pub kind: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        const FILES: &[File] =
            &[$(File { name: $name, kind: $kind, text: include_str!(concat!("../../page/", $name)) }),*];
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
    "worker.js": "text/javascript; charset=utf-8",
}

/// A file by its name.
pub fn file(name: &str) -> Option<File> {
    FILES.iter().find(|file| file.name == name).copied()
}

/// What a server of ours would say in the head of its answers: nothing comes from elsewhere, rules of strangers run no scripts.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; \
    script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'\">";

/// The files of a page that has no server: the same, with an engine of their own beside them.
pub fn static_files() -> impl Iterator<Item = (&'static str, String)> {
    let told = |file: &File| {
        let text = file.text.replace(
            "<meta name=\"engine\" content=\"server\">",
            &format!("<meta name=\"engine\" content=\"worker\">\n{POLICY}"),
        );
        (file.name, text)
    };
    FILES.iter().map(told)
}
