//! Engines: Ludex as one for other programs, and other programs as players of ours.
//!
//! Three protocols: `lines`, our own, for any game; GTP, for Go and what its clients play; UCI, for Chess and
//! its relatives. [`serve`] answers them; [`Engine`] speaks them to a program, whose every move is checked.

mod client;
mod gtp;
mod input;
mod lines;
mod notation;
mod process;
mod session;
mod spec;
mod uci;

pub use client::{Engine, Fault};
pub use notation::Letters;
pub use session::{Session, SessionError};
pub use spec::{EngineSpec, Guest, PlayerSpec};

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use ludex_game::Game;
use ludex_play::search::Budget;

/// A language in which programs play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// One command a line, an empty line after each answer; see `docs/engine.md`.
    Lines,
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The Universal Chess Interface.
    Uci,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 3] = [Protocol::Lines, Protocol::Gtp, Protocol::Uci];

    /// Its name in agents' texts and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Lines => "lines",
            Protocol::Gtp => "gtp",
            Protocol::Uci => "uci",
        }
    }
}

/// Finds the game on a board of another size, if there is one.
pub type Resize<'a> = &'a dyn Fn(usize) -> Option<Arc<dyn Game>>;

/// How an engine answers.
pub struct Service<'a> {
    /// The language.
    pub protocol: Protocol,
    /// How long it thinks where a command does not say.
    pub budget: Budget,
    /// Whether that was asked for: then a clock gives no more.
    pub asked: bool,
    /// How columns are called in GTP.
    pub letters: Letters,
    /// For `boardsize` of GTP.
    pub resize: Resize<'a>,
}

/// Answers commands until `quit` or the end of the input. `stop` and `quit` are heard while a search runs.
pub fn serve(
    session: Session,
    service: &Service,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    match service.protocol {
        Protocol::Lines => lines::serve(session, service, input, out),
        Protocol::Gtp => gtp::serve(session, service, input, out),
        Protocol::Uci => uci::serve(session, service, input, out),
    }
}
