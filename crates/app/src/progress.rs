//! How far a long command is: a bar where somebody looks on, elsewhere a line on standard error now and then.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

/// What shorter commands take need not be told.
const FIRST: Duration = Duration::from_secs(5);
/// Between two lines.
const PAUSE: Duration = Duration::from_secs(15);

/// A bar followed by what the template says; `{pos}`, `{len}`, `{msg}`, `{percent}` and `{eta}` are filled in.
pub fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::no_length();
    let looked_at = io::stderr().is_terminal();
    let template =
        if looked_at { format!("{{wide_bar}} {template}") } else { template.to_string() };
    if !looked_at {
        bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::<Lines>::default(), 2));
    }
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// So many games, with the time left.
pub fn of_games(games: u64) -> ProgressBar {
    let bar = bar("{pos}/{len} games, {eta} left");
    bar.set_length(games);
    bar
}

/// What is drawn becomes a line now and then, where it says something new.
#[derive(Debug)]
struct Lines(Mutex<Told>);

#[derive(Debug)]
struct Told {
    /// What was drawn since the last line was cleared.
    drawn: String,
    last: String,
    /// When the next line is due.
    due: Instant,
}

impl Default for Lines {
    fn default() -> Self {
        let (drawn, last) = (String::new(), String::new());
        Lines(Mutex::new(Told { drawn, last, due: Instant::now() + FIRST }))
    }
}

impl Lines {
    fn draw(&self, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).drawn.push_str(text);
    }

    /// What is to be said at a time, if anything.
    fn take(&self, now: Instant) -> Option<String> {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = std::mem::take(&mut told.drawn);
        let text = drawn.trim();
        if text.is_empty() || now < told.due || text == told.last {
            return None;
        }
        told.due = now + PAUSE;
        told.last = text.to_string();
        Some(told.last.clone())
    }
}

impl TermLike for Lines {
    fn width(&self) -> u16 {
        200
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.draw(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        match self.take(Instant::now()) {
            Some(line) => writeln!(io::stderr(), "{line}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_now_and_then() {
        let (lines, begun) = (Lines::default(), Instant::now());
        let told = |text: &str, seconds: u64| {
            lines.draw(text);
            lines.take(begun + Duration::from_secs(seconds))
        };
        assert_eq!(told("1/9 games   ", 1), None, "too early");
        assert_eq!(told("2/9 games   ", 6).as_deref(), Some("2/9 games"));
        assert_eq!(told("3/9 games   ", 12), None, "too soon after the last");
        assert_eq!(told("2/9 games   ", 30), None, "nothing new");
        assert_eq!(told("\r", 40), None);
        assert_eq!(told("4/9 games   ", 41).as_deref(), Some("4/9 games"));
    }
}
