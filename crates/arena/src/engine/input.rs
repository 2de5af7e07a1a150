//! Commands as they come in, read on a thread of their own so that a search can be interrupted.

use std::io::{BufRead, Read};
use std::sync::mpsc::{Receiver, channel};

use ludex_play::search::Stop;

/// What a command has to do with searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Begins a search that ends by itself.
    Search,
    /// Begins a search that ends when it is told to.
    Endless,
    /// Ends the search under way.
    Halt,
    /// What the search under way took to be played was played: from now on its clock runs.
    Hit,
    /// Nothing.
    Other,
}

/// A command. The signal is that of its search: whoever reads ahead raises it.
pub struct Line {
    pub text: String,
    pub stop: Stop,
    /// Raised when the search's clock begins to run, where it does so only later.
    pub hit: Stop,
}

/// Longer commands are cut; no position of any game needs as much.
const LONGEST: u64 = 1 << 20;

/// Reads commands. A halting one ends the last search that was asked for before it, though that may not even
/// have begun; so does the end of the input where nothing else would.
pub fn listen(input: impl BufRead + Send + 'static, kind: fn(&str) -> Kind) -> Receiver<Line> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let (mut input, mut last, mut hit) =
            (input, (Stop::default(), Kind::Other), Stop::default());
        while let Some(text) = read_line(&mut input) {
            match kind(&text) {
                Kind::Halt => last.0.raise(),
                Kind::Hit => hit.raise(),
                Kind::Other => {}
                search => (last, hit) = ((Stop::default(), search), Stop::default()),
            }
            if sender.send(Line { text, stop: last.0.clone(), hit: hit.clone() }).is_err() {
                return;
            }
        }
        if last.1 == Kind::Endless {
            last.0.raise();
        }
    });
    receiver
}

/// The next line without its end; bytes that are no text are replaced.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string())
}
