//! Where a person's lines come from: a terminal with arrow keys and history, or a pipe.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use rustyline::error::ReadlineError;

/// Reads what a person types.
pub enum Console {
    Terminal(Box<rustyline::DefaultEditor>),
    Pipe,
}

impl Console {
    /// The terminal where there is one at both ends, else whatever is piped in.
    pub fn open() -> Console {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match terminal.then(rustyline::DefaultEditor::new) {
            Some(Ok(editor)) => Console::Terminal(Box::new(editor)),
            _ => Console::Pipe,
        }
    }

    /// The next line without its end; nothing when there are no more. Bytes that are no text become signs that
    /// no move has.
    pub fn line(&mut self, prompt: &str, out: &mut dyn Write) -> anyhow::Result<Option<String>> {
        match self {
            Console::Terminal(editor) => {
                out.flush()?;
                match editor.readline(prompt) {
                    Ok(line) => {
                        editor.add_history_entry(&line).context("cannot keep your line")?;
                        Ok(Some(line))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(ReadlineError::Io(fault)) if fault.kind() == io::ErrorKind::InvalidData => {
                        Ok(Some("\u{fffd}".to_string()))
                    }
                    Err(fault) => Err(fault).context("cannot read your move"),
                }
            }
            Console::Pipe => {
                write!(out, "{prompt}")?;
                out.flush()?;
                let mut bytes = Vec::new();
                let read = io::stdin().lock().read_until(b'\n', &mut bytes);
                if read.context("cannot read your move")? == 0 {
                    writeln!(out)?;
                    return Ok(None);
                }
                Ok(Some(String::from_utf8_lossy(&bytes).trim().to_string()))
            }
        }
    }
}
