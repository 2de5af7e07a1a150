//! Experiment files.
//!
//! ```toml
//! title = "PPA against plain playouts"
//! games = ["breakthrough", "nogo --size 7x7"]
//! matches = 200            # for each game, pairing and budget
//! simulations = [100, 1000]
//! seed = 1
//!
//! [agents]
//! PPA = "uct + ppa(alpha=0.32)"
//! UCT = "uct"
//!
//! [[pairings]]             # without any: every two agents
//! agents = ["PPA", "UCT"]
//! paper = { breakthrough = 59.2, "nogo --size 7x7" = [65.0, 4.2] }
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use ludex_lang::diagnostic::{Diagnostic, SourceId, Span};
use ludex_play::search::{Budget, Clock};
use serde::Deserialize;
use toml::Spanned;

use super::{Cell, Entrant, PaperFigure};
use crate::ArenaError;
use crate::catalog::GameSpec;
use crate::engine::PlayerSpec;
use crate::stats::Sprt;

/// What is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// What tables are headed with.
    pub title: String,
    /// Its figures, in the order of tables.
    pub cells: Vec<Cell>,
    /// How long policies for opening positions learn, where agents want some that no file has yet.
    pub opening_simulations: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    title: String,
    games: Spanned<Vec<Spanned<String>>>,
    matches: Spanned<u64>,
    simulations: Option<Spanned<OneOrMany>>,
    seconds: Option<Spanned<f64>>,
    clock: Option<Spanned<ClockFile>>,
    #[serde(default = "one")]
    seed: u64,
    agents: BTreeMap<String, Spanned<String>>,
    pairings: Option<Vec<Pairing>>,
    sprt: Option<SprtFile>,
    openings: Option<Openings>,
}

fn one() -> u64 {
    1
}

/// What `seconds` are counted by.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ClockFile {
    Wall,
    Cpu,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(u64),
    Many(Vec<u64>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairing {
    agents: Vec<Spanned<String>>,
    #[serde(default)]
    paper: BTreeMap<Spanned<String>, Figure>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(untagged)]
enum Figure {
    Value(f64),
    WithHalfWidth([f64; 2]),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtFile {
    elo0: f64,
    elo1: f64,
    #[serde(default = "twentieth")]
    alpha: f64,
    #[serde(default = "twentieth")]
    beta: f64,
}

fn twentieth() -> f64 {
    0.05
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Openings {
    simulations: u64,
}

/// A fault in an experiment file before it is shown.
struct Fault(Range<usize>, String);

impl Experiment {
    /// Reads the text of an experiment file; `name` is what messages call it.
    pub fn read(name: &str, text: &str) -> Result<Experiment, ArenaError> {
        let shown = |span: Range<usize>, message: String| {
            let diagnostic = Diagnostic::error(message, Span::new(SourceId(0), span));
            let shown = diagnostic.to_text(|_| text, |_| name);
            let shown = shown.trim_start_matches("error: ").trim_end();
            // What is wrong with an empty file is in no place of it.
            ArenaError::Experiment(match shown.contains(name) {
                true => shown.to_string(),
                false => format!("{name}: {shown}"),
            })
        };
        let file: File = toml::from_str(text).map_err(|error| {
            // The empty span at the beginning would be no place at all.
            let span = error.span().filter(|span| *span != (0..0));
            shown(span.unwrap_or(0..text.len().min(1)), error.message().trim_end().to_string())
        })?;
        file.check().map_err(|Fault(span, message)| shown(span, message))
    }

    /// The same experiment with other numbers of matches or simulations, where given. Learning from
    /// opening positions grows or shrinks with the simulations.
    pub fn resized(mut self, matches: Option<u64>, simulations: Option<u64>) -> Self {
        let planned = self.cells.iter().filter_map(|cell| cell.budget.simulations).max();
        if let (Some(wanted), Some(planned)) = (simulations, planned) {
            let scaled = |learned: u64| (learned * wanted / planned.max(1)).max(1);
            self.opening_simulations = self.opening_simulations.map(scaled);
        }
        for cell in &mut self.cells {
            cell.matches = matches.unwrap_or(cell.matches);
            if let Some(count) = simulations {
                cell.budget = Budget::simulations(count);
            }
        }
        self
    }
}

impl Experiment {
    /// The same experiment on these games alone, named as the file names them, with or without `.kif`.
    /// Names of games it does not have are handed back.
    pub fn only(mut self, games: &[String]) -> Result<Self, Vec<String>> {
        let named = |cell: &Cell, name: &String| {
            let own = cell.game.to_string();
            own == *name || own.strip_suffix(".kif") == Some(name)
        };
        let absent = |name: &&String| !self.cells.iter().any(|cell| named(cell, name));
        let absent: Vec<String> = games.iter().filter(absent).cloned().collect();
        if !absent.is_empty() {
            return Err(absent);
        }
        self.cells.retain(|cell| games.iter().any(|name| named(cell, name)));
        Ok(self)
    }
}

impl File {
    fn check(self) -> Result<Experiment, Fault> {
        if *self.matches.get_ref() == 0 {
            return Err(Fault(self.matches.span(), "at least one match is played".into()));
        }
        let budgets = self.budgets()?;
        let games = self.games()?;
        let agents = self.agents()?;
        let sprt = self.sprt()?;
        let pairings = self.pairings(&agents, &games)?;
        let mut cells = Vec::new();
        for (entrants, paper) in &pairings {
            for budget in &budgets {
                for (text, game) in &games {
                    cells.push(Cell {
                        game: game.clone(),
                        entrants: entrants.clone(),
                        budget: *budget,
                        plies: None,
                        matches: *self.matches.get_ref(),
                        seed: self.seed,
                        sprt,
                        paper: paper.get(text.as_str()).copied(),
                    });
                }
            }
        }
        let opening_simulations = self.openings.map(|openings| openings.simulations.max(1));
        Ok(Experiment { title: self.title, cells, opening_simulations })
    }

    fn clock(&self) -> Result<Clock, Fault> {
        match &self.clock {
            Some(clock) if self.seconds.is_none() => {
                Err(Fault(clock.span(), "`clock` says what `seconds` are counted by".into()))
            }
            Some(clock) if matches!(clock.get_ref(), ClockFile::Cpu) => Ok(Clock::Cpu),
            _ => Ok(Clock::Wall),
        }
    }

    fn budgets(&self) -> Result<Vec<Budget>, Fault> {
        let clock = self.clock()?;
        let budgets: Vec<Budget> = match (&self.simulations, &self.seconds) {
            (Some(both), Some(_)) => {
                let message = "give `simulations` or `seconds`, not both";
                return Err(Fault(both.span(), message.into()));
            }
            (Some(given), None) => {
                let counts = match given.get_ref() {
                    OneOrMany::One(count) => vec![*count],
                    OneOrMany::Many(counts) => counts.clone(),
                };
                if counts.is_empty() || counts.contains(&0) {
                    let message = "agents need at least one simulation";
                    return Err(Fault(given.span(), message.into()));
                }
                counts.into_iter().map(Budget::simulations).collect()
            }
            (None, Some(seconds)) => {
                let value = *seconds.get_ref();
                if !(value > 0.0 && value <= 86_400.0) {
                    let message = "a move takes more than nothing and at most a day";
                    return Err(Fault(seconds.span(), message.into()));
                }
                vec![Budget { clock, ..Budget::time(Duration::from_secs_f64(value)) }]
            }
            (None, None) => {
                let message = "say how long agents may think: `simulations = 1000`";
                return Err(Fault(self.matches.span(), message.into()));
            }
        };
        Ok(budgets)
    }

    fn games(&self) -> Result<Vec<(String, GameSpec)>, Fault> {
        if self.games.get_ref().is_empty() {
            return Err(Fault(self.games.span(), "at least one game is played".into()));
        }
        let read = |text: &Spanned<String>| {
            let game = text.get_ref().parse();
            let game = game.map_err(|error| Fault(text.span(), format!("{error}")))?;
            Ok((text.get_ref().clone(), game))
        };
        self.games.get_ref().iter().map(read).collect()
    }

    fn agents(&self) -> Result<BTreeMap<&str, PlayerSpec>, Fault> {
        let read = |(name, text): (&'_ String, &Spanned<String>)| {
            let spec = text.get_ref().parse::<PlayerSpec>().map_err(|error| {
                // The text begins after the quotation mark, unless it has escapes or three of them.
                let begin = text.span().start + 1;
                let plain = text.span().len() == text.get_ref().len() + 2;
                let span = match plain {
                    true => begin + error.span.start..begin + error.span.end,
                    false => text.span(),
                };
                Fault(span, error.message)
            })?;
            Ok((name.clone(), spec))
        };
        let agents = self.agents.iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
        let name = |name: &str| self.agents.get_key_value(name).map_or("", |(key, _)| key.as_str());
        Ok(agents.into_iter().map(|(key, spec)| (name(&key), spec)).collect())
    }

    fn sprt(&self) -> Result<Option<Sprt>, Fault> {
        let Some(file) = &self.sprt else { return Ok(None) };
        let SprtFile { elo0, elo1, alpha, beta } = *file;
        let errors = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(elo0 < elo1 && errors(alpha) && errors(beta)) {
            let message = "`sprt` needs elo0 < elo1, and alpha and beta between 0 and 0.5";
            return Err(Fault(self.matches.span(), message.into()));
        }
        Ok(Some(Sprt { elo0, elo1, alpha, beta }))
    }

    #[allow(clippy::type_complexity)]
    fn pairings(
        &self,
        agents: &BTreeMap<&str, PlayerSpec>,
        games: &[(String, GameSpec)],
    ) -> Result<Vec<(Vec<Entrant>, BTreeMap<&str, PaperFigure>)>, Fault> {
        let entrant = |name: &str, spec: &PlayerSpec| Entrant {
            name: name.into(),
            spec: spec.clone(),
            budget: None,
        };
        let Some(pairings) = &self.pairings else {
            let all: Vec<Entrant> = agents.iter().map(|(name, spec)| entrant(name, spec)).collect();
            if all.len() < 2 {
                return Err(Fault(self.matches.span(), "two agents make a match".into()));
            }
            let pairs = (0..all.len()).flat_map(|a| (a + 1..all.len()).map(move |b| [a, b]));
            return Ok(pairs
                .map(|pair| (pair.map(|index| all[index].clone()).to_vec(), BTreeMap::new()))
                .collect());
        };
        let mut found = Vec::new();
        for pairing in pairings {
            let mut entrants = Vec::new();
            for name in &pairing.agents {
                let spec = agents.get(name.get_ref().as_str()).ok_or_else(|| {
                    let known = agents.keys().copied();
                    let near = ludex_game::closest(name.get_ref(), known)
                        .map_or(String::new(), |near| format!(", did you mean `{near}`?"));
                    Fault(name.span(), format!("no agent is called `{}`{near}", name.get_ref()))
                })?;
                entrants.push(entrant(name.get_ref(), spec));
            }
            if entrants.is_empty() {
                return Err(Fault(self.matches.span(), "a pairing needs agents".into()));
            }
            let mut paper = BTreeMap::new();
            for (game, figure) in &pairing.paper {
                if !games.iter().any(|(name, _)| name == game.get_ref()) {
                    let message = format!("`{}` is not among the games", game.get_ref());
                    return Err(Fault(game.span(), message));
                }
                let figure = match *figure {
                    Figure::Value(value) => PaperFigure { value, half_width: None },
                    Figure::WithHalfWidth([value, half]) => {
                        PaperFigure { value, half_width: Some(half) }
                    }
                };
                paper.insert(game.get_ref().as_str(), figure);
            }
            found.push((entrants, paper));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const GOOD: &str = r#"
title = "Example"
games = ["breakthrough --size 5x5", "nogo"]
matches = 10
simulations = [10, 20]

[agents]
A = "uct + ppa"
B = "uct"
C = "random"

[[pairings]]
agents = ["A", "B"]
paper = { nogo = [60.0, 2.5] }
"#;

    #[test]
    fn a_file_becomes_cells() {
        let experiment = Experiment::read("x.toml", GOOD).unwrap();
        assert_eq!(experiment.cells.len(), 4);
        let cell = &experiment.cells[1];
        assert_eq!((cell.game.name.as_str(), cell.seed), ("nogo", 1));
        assert_eq!(cell.paper, Some(PaperFigure { value: 60.0, half_width: Some(2.5) }));
        assert_eq!(experiment.cells[0].paper, None);
        let all = GOOD.split("[[pairings]]").next().unwrap();
        assert_eq!(Experiment::read("x.toml", all).unwrap().cells.len(), 12);
        let resized = experiment.resized(Some(3), Some(7));
        assert!(resized.cells.iter().all(|cell| cell.matches == 3));
        assert_eq!(resized.cells[0].budget, Budget::simulations(7));
        let learning = format!("{GOOD}\n[openings]\nsimulations = 200\n");
        let learning = Experiment::read("x.toml", &learning).unwrap();
        assert_eq!(learning.clone().resized(Some(3), None).opening_simulations, Some(200));
        assert_eq!(learning.resized(None, Some(2)).opening_simulations, Some(20));
    }

    #[test]
    fn time_may_be_the_processors() {
        let cell = |from: &str, to: &str| Experiment::read("x.toml", &GOOD.replace(from, to));
        let timed = "seconds = 0.5\nclock = \"cpu\"";
        let experiment = cell("simulations = [10, 20]", timed).unwrap();
        assert_eq!(experiment.cells[0].budget.clock, Clock::Cpu);
        assert_eq!(super::super::budget_text(experiment.cells[0].budget), "0.5 s of CPU time");
        let fault = cell("matches = 10", "matches = 10\nclock = \"cpu\"").unwrap_err();
        assert!(fault.to_string().contains("`seconds`"), "{fault}");
        assert!(cell("simulations = [10, 20]", "seconds = 1\nclock = \"sun\"").is_err());
    }

    #[track_caller]
    fn assert_fault(from: &str, to: &str, expected: Expect) {
        let broken = GOOD.replace(from, to);
        assert_ne!(broken, GOOD);
        let error = Experiment::read("x.toml", &broken).unwrap_err();
        expected.assert_eq(&error.to_string());
    }

    #[test]
    fn faults_are_shown_where_they_are() {
        assert_fault(
            "uct + ppa",
            "uct + pap",
            expect![[r#"
            there is no playout policy `pap`; did you mean `ppa`?
             --> x.toml:8:12
            8 | A = "uct + pap"
              |            ^^^"#]],
        );
        assert_fault(
            "[\"A\", \"B\"]",
            "[\"A\", \"D\"]",
            expect![[r#"
            no agent is called `D`
              --> x.toml:13:16
            13 | agents = ["A", "D"]
               |                ^^^"#]],
        );
        assert_fault(
            "matches = 10",
            "matches = \"many\"",
            expect![[r#"
            invalid type: string "many", expected u64
             --> x.toml:4:11
            4 | matches = "many"
              |           ^^^^^^"#]],
        );
        assert_fault(
            "matches = 10",
            "matchs = 10",
            expect![[r#"
            unknown field `matchs`, expected one of `title`, `games`, `matches`, `simulations`, `seconds`, `clock`, `seed`, `agents`, `pairings`, `sprt`, `openings`
             --> x.toml:4:1
            4 | matchs = 10
              | ^^^^^^"#]],
        );
        assert_fault(
            "{ nogo =",
            "{ go =",
            expect![[r#"
            `go` is not among the games
              --> x.toml:14:11
            14 | paper = { go = [60.0, 2.5] }
               |           ^^"#]],
        );
        assert_fault(
            "simulations = [10, 20]",
            "",
            expect![[r#"
            say how long agents may think: `simulations = 1000`
             --> x.toml:4:11
            4 | matches = 10
              |           ^^"#]],
        );
        assert_fault(
            "[agents]",
            "[agents",
            expect![[r#"
            unclosed table, expected `]`
             --> x.toml:7:8
            7 | [agents
              |        ^"#]],
        );
    }
}
