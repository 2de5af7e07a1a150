//! A program that is spoken to line by line, and that may hang, end or babble at any moment.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use ludex_play::search::Stop;

use super::Fault;

/// Longer lines are no answers.
const LONGEST: u64 = 1 << 16;
/// How often somebody who waits looks whether to go on waiting.
const SLICE: Duration = Duration::from_millis(50);
/// How long a program may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running program. It is ended, with all that it started, when this is dropped.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub fn start(command: &str) -> Result<Process, Fault> {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn().map_err(Fault::Start)?;
        let (sender, lines) = sync_channel(256);
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || forward(BufReader::new(output), &sender));
        }
        Ok(Process { input: child.stdin.take(), child, lines })
    }

    /// Writes one line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        let written = match &mut self.input {
            Some(input) => writeln!(input, "{line}").and_then(|()| input.flush()),
            None => return Err(self.ended()),
        };
        written.map_err(|_| self.ended())
    }

    /// The next line.
    pub fn line(&mut self, until: Instant, stop: &Stop) -> Result<String, Fault> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Silent);
            }
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if stop.is_raised() => return Err(Fault::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How it ended, for a sentence; it may have closed its output without ending.
    fn ended(&mut self) -> Fault {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Fault::Ended(status.to_string()),
                Ok(None) if begun.elapsed() < FAREWELL => {
                    std::thread::sleep(Duration::from_millis(5))
                }
                _ => return Fault::Ended("it closed its output".to_string()),
            }
        }
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            // SAFETY: a call of the system without memory of ours; the group is that of our child, which was
            // not waited for and so cannot have become somebody else's.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < FAREWELL && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // What it started may live on when it is gone itself.
        self.kill();
        let _ = self.child.wait();
    }
}

/// Hands lines on until nobody wants them; a line without end is handed on in pieces, each too long to be an
/// answer.
fn forward(mut output: BufReader<ChildStdout>, lines: &SyncSender<String>) {
    loop {
        let mut bytes = Vec::new();
        match output.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(1..) => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string();
        if lines.send(text).is_err() {
            return;
        }
    }
}
