//! `ludex referee`: a game manager.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use ludex_arena::stats::Tally;
use ludex_web::ggp::{GgpPlayer, Settings, serve};
use ludex_web::referee::{
    Clocks, Contestant, Event, Fault, MatchReport, Ruled, Seat, Tournament, ggp_json, trial,
};
use ludex_web::server::listen;

use super::ggp::strictness;
use crate::agents;
use crate::cli::RefereeArgs;
use crate::output::{json_line, table};

/// Runs the matches; status 1 if a player's answer was at fault.
pub fn run(args: &RefereeArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (addresses, games): (Vec<&String>, Vec<&String>) =
        args.subjects.iter().partition(|subject| is_address(subject));
    let games = games.into_iter().map(|game| load(game, args)).collect::<anyhow::Result<_>>()?;
    let mut players: Vec<Contestant> =
        addresses.into_iter().map(|address| Contestant::at(address)).collect();
    for number in 1..=args.own {
        players.push(own_player(number, args)?);
    }
    let clocks = Clocks {
        start: args.start_clock,
        play: args.play_clock,
        grace: args.grace,
        steps: args.steps,
    };
    let tournament = Tournament {
        games,
        players,
        matches: args.matches,
        parallel: args.parallel,
        clocks,
        seed: args.seed,
        name: args.name.clone(),
    };
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let faults = conduct(&tournament, args, out)?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn is_address(subject: &str) -> bool {
    let port = subject.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    matches!(port, Some(Ok(_))) && !Path::new(subject).exists()
}

fn load(spec: &str, args: &RefereeArgs) -> anyhow::Result<Ruled> {
    let built_in = spec.strip_suffix(".kif").and_then(ludex_games::gdl::description);
    let text = match (Path::new(spec).exists(), built_in) {
        (false, Some(text)) => text.to_owned(),
        _ => {
            let bytes = fs::read(spec).with_context(|| format!("cannot read {spec}"))?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    let ruled = Ruled::new(spec, &text, strictness(args.lenient))?;
    ruled.warnings.iter().filter(|_| args.lenient).for_each(|warning| eprint!("{warning}"));
    Ok(ruled)
}

/// Starts a player of ours in this process.
fn own_player(number: usize, args: &RefereeArgs) -> anyhow::Result<Contestant> {
    let settings = Settings {
        name: format!("own-{number}"),
        agent: agents::parse(&args.agent)?,
        strictness: strictness(args.lenient),
        seed: args.seed.wrapping_add(number as u64),
        ..Settings::default()
    };
    let name = settings.name.clone();
    let listener = listen(IpAddr::V4(Ipv4Addr::LOCALHOST), 0).context("no port is free")?;
    let address = listener.local_addr()?.to_string();
    let player = Arc::new(GgpPlayer::new(settings));
    std::thread::Builder::new()
        .name("own player".to_owned())
        .spawn(move || serve(listener, player))?;
    Ok(Contestant { name, address })
}

/// What a player did so far.
#[derive(Clone, Copy, Default)]
struct Score {
    goals: Tally,
    given_up: usize,
    illegal: usize,
    late: usize,
    missing: usize,
}

impl Score {
    fn take(&mut self, report: &MatchReport, role: usize) {
        match &report.goals {
            Some(goals) => self.goals.add(f64::from(goals[role].min(100)) / 100.0),
            None => self.given_up += 1,
        }
        self.illegal += report.count(role, |fault| matches!(fault, Fault::Illegal(_)));
        self.late += report.count(role, |fault| *fault == Fault::Late);
        self.missing += report.count(role, |fault| *fault == Fault::Connection);
    }

    fn faults(&self) -> usize {
        self.illegal + self.late + self.missing
    }

    fn cells(&self) -> [String; 7] {
        let interval = self.goals.interval();
        let none = || "–".to_owned();
        let mean = self.goals.mean();
        [
            self.goals.matches.to_string(),
            mean.map_or_else(none, |mean| format!("{mean:.3}")),
            mean.map_or_else(none, |_| format!("{:.3}–{:.3}", interval.low, interval.high)),
            self.given_up.to_string(),
            self.illegal.to_string(),
            self.late.to_string(),
            self.missing.to_string(),
        ]
    }
}

/// All that is known while a tournament runs.
struct Standings {
    began: Instant,
    players: Vec<Score>,
    games: BTreeMap<(String, usize), Score>,
    running: BTreeMap<String, usize>,
    done: usize,
    steps: usize,
    slowest: Duration,
    lines: Vec<anyhow::Result<String>>,
}

fn conduct(
    tournament: &Tournament,
    args: &RefereeArgs,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let names: Vec<String> = tournament.players.iter().map(|player| player.name.clone()).collect();
    let all = tournament.games.len() * tournament.matches;
    let standings = Mutex::new(Standings {
        began: Instant::now(),
        players: vec![Score::default(); names.len()],
        games: BTreeMap::new(),
        running: BTreeMap::new(),
        done: 0,
        steps: 0,
        slowest: Duration::ZERO,
        lines: Vec::new(),
    });
    let live = ProgressBar::no_length().with_style(ProgressStyle::with_template("{msg}")?);
    tournament.run(&|event| {
        let mut standings = standings.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Stepped { id, step } => {
                standings.running.insert(id.to_owned(), step);
            }
            Event::Ended(report) => {
                standings.take(report);
                let written = write_down(report, tournament.clocks, &names, args);
                standings.lines.push(written);
            }
        }
        live.set_message(standings.text(&names, all));
    })?;
    live.finish_and_clear();
    let mut standings = standings.into_inner().unwrap_or_else(PoisonError::into_inner);
    for line in std::mem::take(&mut standings.lines) {
        let line = line?;
        if args.json {
            writeln!(out, "{line}")?;
        }
    }
    standings.print(&names, tournament.games.len() > 1, args, out)?;
    Ok(standings.players.iter().map(Score::faults).sum())
}

/// Writes a match into its files; returns its line of JSON.
fn write_down(
    report: &MatchReport,
    clocks: Clocks,
    names: &[String],
    args: &RefereeArgs,
) -> anyhow::Result<String> {
    let line = ggp_json(report, clocks, names).to_string();
    if let Some(folder) = &args.records {
        let path = folder.join(&report.id);
        let named = |ending: &str| path.with_added_extension(ending);
        fs::write(named("json"), &line)
            .and_then(|()| fs::write(named("trial"), trial(report).to_string()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(line)
}

impl Standings {
    fn take(&mut self, report: &MatchReport) {
        self.running.remove(&report.id);
        self.done += 1;
        self.steps += report.moves.len();
        self.slowest = self.slowest.max(report.slowest);
        for (role, seat) in report.seats.iter().enumerate() {
            if let Seat::Player(number, _) = seat {
                self.players[*number].take(report, role);
                let game = (report.game.clone(), *number);
                self.games.entry(game).or_default().take(report, role);
            }
        }
    }

    /// The table as it stands, with the matches under way.
    fn text(&self, names: &[String], all: usize) -> String {
        let mut table = table(&HEADER, &NUMBERS);
        for (name, score) in names.iter().zip(&self.players) {
            table.add_row(std::iter::once(name.clone()).chain(score.cells()));
        }
        let running: Vec<String> =
            self.running.iter().map(|(id, step)| format!("{id}: step {step}")).collect();
        let seconds = self.began.elapsed().as_secs();
        format!("{table}\n{} of {all} matches, {seconds} s; {}", self.done, running.join(", "))
    }

    fn print(
        &self,
        names: &[String],
        by_game: bool,
        args: &RefereeArgs,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if args.json {
            return self.print_json(names, out);
        }
        if by_game {
            let header: Vec<&str> = std::iter::once("game").chain(HEADER).collect();
            let mut shown = table(&header, &NUMBERS.map(|column| column + 1));
            for ((game, player), score) in &self.games {
                let first = [game.clone(), names[*player].clone()];
                shown.add_row(first.into_iter().chain(score.cells()));
            }
            writeln!(out, "{shown}")?;
        }
        let mut shown = table(&HEADER, &NUMBERS);
        for (name, score) in names.iter().zip(&self.players) {
            shown.add_row(std::iter::once(name.clone()).chain(score.cells()));
        }
        writeln!(out, "{shown}")?;
        writeln!(
            out,
            "{} matches, {} steps, {} s; slowest answer {:.3} s",
            self.done,
            self.steps,
            self.began.elapsed().as_secs(),
            self.slowest.as_secs_f64()
        )?;
        Ok(())
    }

    fn print_json(&self, names: &[String], out: &mut dyn Write) -> anyhow::Result<()> {
        for (name, score) in names.iter().zip(&self.players) {
            let interval = score.goals.interval();
            json_line(
                out,
                &serde_json::json!({
                    "player": name,
                    "matches": score.goals.matches,
                    "score": score.goals.mean(),
                    "ci95": [interval.low, interval.high],
                    "given_up": score.given_up,
                    "illegal": score.illegal,
                    "late": score.late,
                    "missing": score.missing,
                }),
            )?;
        }
        Ok(())
    }
}

const HEADER: [&str; 8] =
    ["player", "matches", "score", "95%", "given up", "illegal", "late", "missing"];
const NUMBERS: [usize; 7] = [1, 2, 3, 4, 5, 6, 7];
