//! Players as text: our agents, and programs that speak a protocol.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use ludex_game::{Game, Rng};
use ludex_play::agent::Agent;
use ludex_play::spec::{AgentSpec, SpecError};

use super::{Letters, Protocol};
use crate::ArenaError;
use crate::features::with_files;

/// Whoever may sit at a table: `uct + ppa`, `gtp(gnugo --mode gtp)`, `uci("stockfish", timeout=5)`.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// An agent of ours.
    Agent(AgentSpec),
    /// A program.
    Engine(EngineSpec),
    /// Somebody whom the calling program brings along.
    Guest(Guest),
}

/// A player that the calling program brings along; no text stands for him.
#[derive(Clone)]
pub struct Guest {
    /// What he is called.
    pub name: String,
    make: Arc<Make>,
}

/// Makes the player of one match.
type Make = dyn Fn(&Arc<dyn Game>, &mut Rng) -> Box<dyn Agent> + Send + Sync;

impl Guest {
    /// A player of this name; `make` is asked for one at the beginning of each match.
    pub fn new(
        name: impl Into<String>,
        make: impl Fn(&Arc<dyn Game>, &mut Rng) -> Box<dyn Agent> + Send + Sync + 'static,
    ) -> Self {
        Guest { name: name.into(), make: Arc::new(make) }
    }

    /// The player of one match.
    pub fn sit(&self, game: &Arc<dyn Game>, rng: &mut Rng) -> Box<dyn Agent> {
        (self.make)(game, rng)
    }
}

impl PartialEq for Guest {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({})", self.name)
    }
}

/// A program that plays.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// The language it speaks.
    pub protocol: Protocol,
    /// What starts it, as a shell reads it.
    pub command: String,
    /// After so many seconds beyond its budget without an answer it has lost.
    pub timeout: f64,
    /// What it is told before a game: options of UCI as `Name=value; Name=value`, commands of GTP as
    /// `command; command`.
    pub setup: String,
    /// How it calls columns in GTP.
    pub letters: Letters,
}

/// How long an engine may be silent beyond its budget if nothing is said.
const TIMEOUT: f64 = 30.0;

impl PlayerSpec {
    /// The text with every setting.
    pub fn full(&self) -> String {
        match self {
            PlayerSpec::Agent(spec) => spec.full(),
            PlayerSpec::Engine(spec) => spec.text(Form::Full),
            PlayerSpec::Guest(guest) => guest.name.clone(),
        }
    }

    /// The player with what the files that its text names hold, looked for in `folder`.
    pub fn with_files(self, folder: &Path) -> Result<PlayerSpec, ArenaError> {
        match self {
            PlayerSpec::Agent(spec) => with_files(spec, folder).map(PlayerSpec::Agent),
            other => Ok(other),
        }
    }

    /// How many threads it thinks with, as far as we know.
    pub fn threads(&self) -> usize {
        match self {
            PlayerSpec::Agent(spec) => spec.threads(),
            PlayerSpec::Engine(_) | PlayerSpec::Guest(_) => 1,
        }
    }
}

impl From<AgentSpec> for PlayerSpec {
    fn from(spec: AgentSpec) -> Self {
        PlayerSpec::Agent(spec)
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        match EngineSpec::read(text)? {
            Some(spec) => Ok(PlayerSpec::Engine(spec)),
            None => text.parse().map(PlayerSpec::Agent),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Agent(spec) => spec.fmt(f),
            PlayerSpec::Engine(spec) => spec.fmt(f),
            PlayerSpec::Guest(guest) => f.write_str(&guest.name),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Short,
    Full,
}

impl EngineSpec {
    /// An engine, if the text begins with the name of a protocol and a bracket.
    fn read(text: &str) -> Result<Option<EngineSpec>, SpecError> {
        let fault =
            |message: String| SpecError { text: text.to_string(), span: 0..text.len(), message };
        let begins = |protocol: &Protocol| {
            text.trim().strip_prefix(protocol.name())?.trim_start().strip_prefix('(')
        };
        let found = Protocol::ALL.iter().find_map(|protocol| Some((*protocol, begins(protocol)?)));
        let Some((protocol, rest)) = found else { return Ok(None) };
        let inner =
            rest.strip_suffix(')').ok_or_else(|| fault("the bracket is not closed".into()))?;
        let (command, settings) = match inner.trim().strip_prefix('"') {
            Some(quoted) => {
                unquoted(quoted).ok_or_else(|| fault("the quote is not closed".into()))?
            }
            None => (inner.trim().to_string(), ""),
        };
        if command.is_empty() {
            let name = protocol.name();
            return Err(fault(format!("`{name}` needs a command: `{name}(COMMAND)`")));
        }
        let (setup, letters) = (String::new(), Letters::default());
        let mut spec = EngineSpec { protocol, command, timeout: TIMEOUT, setup, letters };
        spec.read_settings(settings).map_err(fault)?;
        Ok(Some(spec))
    }

    fn read_settings(&mut self, mut rest: &str) -> Result<(), String> {
        loop {
            rest = rest.trim();
            if rest.is_empty() {
                return Ok(());
            }
            rest = rest.strip_prefix(',').ok_or("expected `,` before a setting")?;
            let (name, value) = rest.split_once('=').ok_or("a setting is `name=value`")?;
            let value = value.trim_start();
            let (value, after) = match value.strip_prefix('"') {
                Some(quoted) => unquoted(quoted).ok_or("the quote is not closed")?,
                None => {
                    let end = value.find(',').unwrap_or(value.len());
                    (value[..end].trim().to_string(), &value[end..])
                }
            };
            self.set(name.trim(), value)?;
            rest = after;
        }
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "timeout" => {
                let seconds =
                    value.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
                self.timeout = seconds.ok_or("`timeout` is a number of seconds")?;
            }
            "setup" => self.setup = value,
            "letters" => {
                self.letters = match value.as_str() {
                    "no-i" => Letters::WithoutI,
                    "all" => Letters::All,
                    _ => return Err("`letters` is one of `no-i` and `all`".to_string()),
                }
            }
            _ => return Err(format!("an engine has timeout, setup and letters, not `{name}`")),
        }
        Ok(())
    }

    fn text(&self, form: Form) -> String {
        let full = form == Form::Full;
        let mut settings = vec![quoted(&self.command)];
        if full || self.timeout != TIMEOUT {
            settings.push(format!("timeout={}", self.timeout));
        }
        if full || !self.setup.is_empty() {
            settings.push(format!("setup={}", quoted(&self.setup)));
        }
        if full || self.letters != Letters::default() {
            let name = if self.letters == Letters::All { "all" } else { "no-i" };
            settings.push(format!("letters={name}"));
        }
        format!("{}({})", self.protocol.name(), settings.join(", "))
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Form::Short))
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What stands before the closing quote, and what after it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (mut out, mut letters) = (String::new(), text.char_indices());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((out, &text[at + 1..])),
            '\\' => out.push(letters.next()?.1),
            letter => out.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> PlayerSpec {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn engines_are_read_and_written() {
        let PlayerSpec::Engine(spec) = read("gtp(gnugo --mode gtp --level 1)") else { panic!() };
        assert_eq!(
            (spec.protocol, spec.command.as_str()),
            (Protocol::Gtp, "gnugo --mode gtp --level 1")
        );
        assert_eq!(spec.to_string(), "gtp(\"gnugo --mode gtp --level 1\")");
        let text = "uci(\"say \\\"hi\\\" (twice)\", timeout=0.5, setup=\"Skill Level=3; Hash=16\")";
        assert_eq!(read(text).to_string(), text);
        assert_eq!(read(&read(text).full()), read(text));
        assert!(matches!(read("uct + ppa"), PlayerSpec::Agent(_)));
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| text.parse::<PlayerSpec>().unwrap_err().message;
        assert!(fault("gtp()").contains("needs a command"));
        assert!(fault("gtp(gnugo").contains("not closed"));
        assert!(fault("uci(\"x\", speed=3)").contains("speed"));
        assert!(fault("uci(\"x\", timeout=soon)").contains("seconds"));
        assert!(fault("utc").contains("uct"));
    }
}
