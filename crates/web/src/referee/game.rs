//! One match.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ludex_game::Rng;
use ludex_gdl::{Compiled, Machine};

use super::call::{Failure, ask};
use super::rules::Ruled;
use crate::server::answer_in_time;

/// The clocks of a match.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// Seconds before the first move.
    pub start: u64,
    /// Seconds for each move.
    pub play: u64,
    /// How much later than its clock a move may come.
    pub grace: Duration,
    /// A match is given up after so many steps.
    pub steps: usize,
}

/// Who plays a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A player at an address, by the place of its name among the contestants.
    Player(usize, String),
    /// We do, at random.
    Random,
}

/// What was wrong with an answer; a random legal move is played instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not legal.
    Illegal(String),
    /// It came too late.
    Late,
    /// It never came.
    Connection,
}

impl fmt::Display for Fault {
    /// As match records of GGP-Base write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal(text) => write!(f, "IL {text}"),
            Fault::Late => f.write_str("TO"),
            Fault::Connection => f.write_str("CE"),
        }
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        match failure {
            Failure::Late => Fault::Late,
            Failure::Connection => Fault::Connection,
        }
    }
}

/// Everything about a match that was run.
#[derive(Clone, Debug)]
pub struct MatchReport {
    /// Its name.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// What builds the game.
    pub spec: String,
    /// Who played each role.
    pub seats: Vec<Seat>,
    /// The roles.
    pub roles: Vec<String>,
    /// Milliseconds since 1970 at the beginning and after each step.
    pub times: Vec<u64>,
    /// The facts of each position.
    pub states: Vec<Vec<String>>,
    /// Everybody's moves at each step.
    pub moves: Vec<Vec<String>>,
    /// How many legal moves everybody had at each step.
    pub choices: Vec<Vec<usize>>,
    /// What was wrong with answers, by step and role; the first row is about the start.
    pub faults: Vec<Vec<Option<Fault>>>,
    /// The goals of all roles, if the game ended.
    pub goals: Option<Vec<u32>>,
    /// How long the slowest answer to a question for a move took.
    pub slowest: Duration,
    /// What chance and random players were drawn from.
    pub seed: u64,
}

impl MatchReport {
    /// How many of a role's answers had such a fault.
    pub fn count(&self, role: usize, fault: impl Fn(&Fault) -> bool) -> usize {
        self.faults.iter().filter(|row| row[role].as_ref().is_some_and(&fault)).count()
    }
}

/// Runs a match; `stepped` is told after each step how many there were.
pub fn run(
    ruled: &Ruled,
    id: String,
    seats: Vec<Seat>,
    clocks: Clocks,
    seed: u64,
    stepped: &dyn Fn(usize),
) -> MatchReport {
    let report = MatchReport {
        id,
        game: ruled.name.clone(),
        spec: ruled.spec.clone(),
        roles: ruled.roles().to_vec(),
        times: Vec::new(),
        states: Vec::new(),
        moves: Vec::new(),
        choices: Vec::new(),
        faults: Vec::new(),
        goals: None,
        slowest: Duration::ZERO,
        seats,
        seed,
    };
    let manager = Manager { ruled, clocks, report, rng: Rng::seeded(seed) };
    match &ruled.machine {
        Compiled::Network(machine) => manager.run(&**machine, stepped),
        Compiled::Datalog(machine) => manager.run(&**machine, stepped),
    }
}

struct Manager<'r> {
    ruled: &'r Ruled,
    clocks: Clocks,
    report: MatchReport,
    rng: Rng,
}

impl Manager<'_> {
    fn run<M: Machine>(mut self, machine: &M, stepped: &dyn Fn(usize)) -> MatchReport {
        let mut position = machine.first_position();
        self.note(machine.facts(&position));
        self.start();
        let mut last = "NIL".to_owned();
        while !machine.is_terminal(&position) && self.report.moves.len() < self.clocks.steps {
            let legal: Vec<Vec<String>> = (0..self.report.roles.len())
                .map(|role| machine.legal_moves(&position, role))
                .collect();
            // Rules that leave a role without a move leave the match without an end.
            if legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint = self.step(&last, &legal);
            let texts: Vec<&str> = joint.iter().map(String::as_str).collect();
            if !machine.advance(&mut position, &texts) {
                break;
            }
            last = format!("( {} )", joint.join(" "));
            self.report.choices.push(legal.iter().map(Vec::len).collect());
            self.report.moves.push(joint);
            self.note(machine.facts(&position));
            stepped(self.report.moves.len());
        }
        let id = &self.report.id;
        if machine.is_terminal(&position) {
            self.tell_all(&format!("( STOP {id} {last} )"), self.clocks.play);
            let goal = |role| {
                let values = machine.goal_values(&position, role);
                values.first().and_then(|value| value.parse().ok()).unwrap_or(0)
            };
            self.report.goals = Some((0..self.report.roles.len()).map(goal).collect());
        } else {
            self.tell_all(&format!("( ABORT {id} )"), 1);
        }
        self.report
    }

    fn note(&mut self, facts: Vec<String>) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.report.times.push(now.as_millis() as u64);
        self.report.states.push(facts);
    }

    /// Asks all players at once; nothing where a role has none.
    fn ask_all(
        &self,
        message: impl Fn(usize) -> String,
        patience: Duration,
    ) -> Vec<Option<Result<(String, Duration), Failure>>> {
        std::thread::scope(|scope| {
            let calls: Vec<_> = self
                .report
                .seats
                .iter()
                .enumerate()
                .map(|(role, seat)| match seat {
                    Seat::Random => None,
                    Seat::Player(_, address) => {
                        let message = message(role);
                        Some(scope.spawn(move || {
                            // An answer must not seem late because we were.
                            answer_in_time();
                            ask(address, &message, patience)
                        }))
                    }
                })
                .collect();
            let answer = |call: std::thread::ScopedJoinHandle<_>| {
                call.join().unwrap_or(Err(Failure::Connection))
            };
            calls.into_iter().map(|call| call.map(answer)).collect()
        })
    }

    fn tell_all(&self, message: &str, seconds: u64) {
        self.ask_all(|_| message.to_owned(), Duration::from_secs(seconds.max(1)));
    }

    /// A start that fails is noted; the match goes on.
    fn start(&mut self) {
        let Clocks { start, play, grace, .. } = self.clocks;
        let (id, roles, text) = (&self.report.id, &self.report.roles, &self.ruled.text);
        let message =
            |role: usize| format!("( START {id} {} ({text}) {start} {play} )", roles[role]);
        let answers = self.ask_all(message, Duration::from_secs(start) + grace);
        let fault = |answer: Option<Result<(String, Duration), Failure>>| match answer {
            Some(Err(failure)) => Some(failure.into()),
            Some(Ok((text, _))) if text != "ready" => Some(Fault::Illegal(text)),
            _ => None,
        };
        self.report.faults.push(answers.into_iter().map(fault).collect());
    }

    /// Asks everybody for a move. One that is illegal, late or missing is drawn from the legal ones.
    fn step(&mut self, last: &str, legal: &[Vec<String>]) -> Vec<String> {
        let message = format!("( PLAY {} {last} )", self.report.id);
        let patience = Duration::from_secs(self.clocks.play) + self.clocks.grace;
        let answers = self.ask_all(|_| message.clone(), patience);
        let (mut joint, mut faults) = (Vec::new(), Vec::new());
        for (legal, answer) in legal.iter().zip(answers) {
            let drawn = legal[self.rng.below(legal.len() as u32) as usize].clone();
            let (text, fault) = match answer {
                None => (drawn, None),
                Some(Err(failure)) => (drawn, Some(failure.into())),
                Some(Ok((text, took))) => {
                    self.report.slowest = self.report.slowest.max(took);
                    match find(legal, &text) {
                        Some(found) => (found, None),
                        None => (drawn, Some(Fault::Illegal(text))),
                    }
                }
            };
            joint.push(text);
            faults.push(fault);
        }
        self.report.faults.push(faults);
        joint
    }
}

/// The legal move that a player's text means.
fn find(legal: &[String], text: &str) -> Option<String> {
    let text = normal_text(text);
    legal.iter().find(|one| **one == text).cloned()
}

/// A term with one blank between items and none inside brackets.
fn normal_text(text: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let joined = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace("( ", "(").replace(" )", ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_however_they_are_written() {
        let legal = ["(mark 1 (at 2 3))".to_owned(), "noop".to_owned()];
        for text in ["( mark 1 ( at 2 3 ) )", "(mark 1(at 2 3))", "(MARK 1 2)", " noop\n"] {
            assert_eq!(find(&legal, text).is_some(), !text.contains("MARK"), "{text}");
        }
    }
}
