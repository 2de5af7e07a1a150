//! `ludex play`: a game in the terminal.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use ludex_arena::catalog;
use ludex_game::{Game, Move, Player, PlayerSet, Rng, State, Turn};
use ludex_play::agent::Agent;
use ludex_play::search::{Budget, Report};

use crate::agents;
use crate::cli::PlayArgs;
use crate::output::{coloured_board, table};

const HELP: &str = "Type a move, or: moves, hint, undo, help, quit.";

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = catalog::load(&args.game.spec())?;
    let humans = humans(&args.human, game.info().players)?;
    let mut table = Table {
        budget: args.budget.budget(Budget::time(Duration::from_secs(1))),
        agent: &args.agent,
        agents: Vec::new(),
        states: vec![game.start()],
        rng: Rng::seeded(args.seed),
        humans,
        game,
    };
    table.seat_agents()?;
    table.play(&mut std::io::stdin().lock(), out)
}

fn humans(names: &[String], players: usize) -> anyhow::Result<PlayerSet> {
    let mut humans = PlayerSet::default();
    // A game that nobody plays can be watched.
    if players == 0 {
        return Ok(humans);
    }
    for name in names.iter().flat_map(|names| names.split(',')) {
        let number = name.trim().trim_start_matches(['P', 'p']);
        match (name.trim(), number.parse::<usize>()) {
            ("none", _) => {}
            ("all", _) => humans = PlayerSet::all(players),
            (_, Ok(number)) if (1..=players).contains(&number) => {
                humans = humans.with(Player(number as u8 - 1));
            }
            _ => bail!("`{name}` is not a player of this game: P1 to P{players}, all or none"),
        }
    }
    Ok(humans)
}

/// A game under way with somebody at the keyboard.
struct Table<'a> {
    game: Arc<dyn Game>,
    humans: PlayerSet,
    agent: &'a str,
    agents: Vec<Box<dyn Agent>>,
    budget: Budget,
    /// Every position since the start, for `undo`.
    states: Vec<State>,
    rng: Rng,
}

/// What a person answered.
enum Answer {
    Play(Move),
    Undo,
    Quit,
}

impl Table<'_> {
    fn seat_agents(&mut self) -> anyhow::Result<()> {
        self.agents.clear();
        for _ in 0..self.game.info().players {
            self.agents.push(agents::build(self.agent, &self.game, &mut self.rng)?);
        }
        Ok(())
    }

    fn now(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}. {HELP}\n", self.game.info().name)?;
        loop {
            let joint = match self.game.turn(self.now()) {
                Turn::Over => return self.finish(out),
                Turn::Chance => {
                    let outcome =
                        self.game.sample_chance(&self.states[self.states.len() - 1], &mut self.rng);
                    vec![outcome]
                }
                Turn::Players(players) => {
                    let mut joint = Vec::new();
                    for player in players {
                        if !self.humans.contains(player) {
                            joint.push(self.ask_agent(player, out)?);
                            continue;
                        }
                        match self.ask_human(player, input, out)? {
                            Answer::Play(mv) => joint.push(mv),
                            Answer::Undo => {
                                self.undo(out)?;
                                joint.clear();
                                break;
                            }
                            Answer::Quit => {
                                writeln!(out, "Good-bye.")?;
                                return Ok(());
                            }
                        }
                    }
                    joint
                }
            };
            if !joint.is_empty() {
                self.apply(&joint, out)?;
            }
        }
    }

    fn apply(&mut self, joint: &[Move], out: &mut dyn Write) -> anyhow::Result<()> {
        let state = self.now().clone();
        let viewer = self.humans.first();
        match self.game.turn(&state) {
            Turn::Players(players) => {
                for (player, &mv) in players.into_iter().zip(joint) {
                    let text = match viewer {
                        Some(viewer) => self.game.seen_move_text(&state, player, mv, viewer),
                        None => self.game.move_text(&state, Some(player), mv),
                    };
                    writeln!(out, "{player} plays {text}")?;
                }
            }
            // What chance dealt may be hidden from whoever plays.
            _ if viewer.is_none() || !self.game.info().hidden => {
                writeln!(out, "Chance: {}", self.game.move_text(&state, None, joint[0]))?;
            }
            _ => {}
        }
        for agent in &mut self.agents {
            agent.played(&state, joint);
        }
        let mut next = state;
        self.game.apply(&mut next, joint);
        self.states.push(next);
        if self.humans.is_empty() {
            writeln!(out, "\n{}\n", coloured_board(&self.game.show(self.now(), None)))?;
        }
        out.flush()?;
        Ok(())
    }

    fn ask_agent(&mut self, player: Player, out: &mut dyn Write) -> anyhow::Result<Move> {
        out.flush()?;
        let state = &self.states[self.states.len() - 1];
        let choice = self.agents[player.index()].choose(state, player, self.budget);
        if let Some(report) = &choice.report {
            let percent = 100.0 * report.value();
            writeln!(
                out,
                "{player} thinks: {} simulations, expects {percent:.0}%",
                report.simulations
            )?;
        }
        Ok(choice.mv)
    }

    fn ask_human(
        &mut self,
        player: Player,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> anyhow::Result<Answer> {
        writeln!(out, "\n{}\n", coloured_board(&self.game.show(self.now(), Some(player))))?;
        let mut moves = Vec::new();
        self.game.moves(self.now(), player, &mut moves);
        self.list_moves(player, &moves, 40, out)?;
        loop {
            write!(out, "{player}> ")?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line).context("cannot read your move")? == 0 {
                writeln!(out)?;
                return Ok(Answer::Quit);
            }
            match line.trim() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Answer::Quit),
                "undo" => return Ok(Answer::Undo),
                "help" | "?" => writeln!(out, "{HELP}")?,
                "moves" => self.list_moves(player, &moves, usize::MAX, out)?,
                "hint" => self.hint(player, out)?,
                text => match self.game.parse_move(self.now(), player, text) {
                    Ok(mv) => return Ok(Answer::Play(mv)),
                    Err(fault) => {
                        let fault = fault.to_string();
                        let stop = if fault.ends_with('?') { "" } else { "." };
                        writeln!(out, "{fault}{stop} Type `moves` to see all {}.", moves.len())?
                    }
                },
            }
        }
    }

    fn list_moves(
        &self,
        player: Player,
        moves: &[Move],
        most: usize,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let texts: Vec<String> = moves
            .iter()
            .take(most)
            .map(|&mv| self.game.move_text(self.now(), Some(player), mv))
            .collect();
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1) + 2;
        for row in texts.chunks((78 / width).max(1)) {
            let row: String = row.iter().map(|text| format!("{text:<width$}")).collect();
            writeln!(out, "  {}", row.trim_end())?;
        }
        if moves.len() > most {
            writeln!(out, "  … and {} more; type `moves`", moves.len() - most)?;
        }
        Ok(())
    }

    fn hint(&mut self, player: Player, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut adviser = agents::build("uct", &self.game, &mut self.rng)?;
        let state = self.now();
        match adviser.choose(state, player, self.budget).report {
            Some(report) => write_report(&*self.game, state, player, &report, out),
            None => Ok(()),
        }
    }

    /// Goes back to the last position in which a person was to move.
    fn undo(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mine = |state: &State| match self.game.turn(state) {
            Turn::Players(players) => {
                players.into_iter().any(|player| self.humans.contains(player))
            }
            _ => false,
        };
        match self.states[..self.states.len() - 1].iter().rposition(mine) {
            Some(index) => {
                self.states.truncate(index + 1);
                self.seat_agents()?;
                writeln!(out, "Taken back.")?;
            }
            None => writeln!(out, "There is nothing to take back.")?,
        }
        Ok(())
    }

    fn finish(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\n{}\n", coloured_board(&self.game.show(self.now(), None)))?;
        let mut payoffs = vec![0.0; self.game.info().players];
        self.game.payoffs(self.now(), &mut payoffs);
        writeln!(out, "{}", ludex_draw::words::result(&payoffs))?;
        Ok(())
    }
}

/// The evidence of a search as a table.
fn write_report(
    game: &dyn Game,
    state: &State,
    player: Player,
    report: &Report,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut table = table(&["move", "simulations", "expects"], &[1, 2]);
    for mv in report.moves.iter().take(5) {
        table.add_row([
            game.move_text(state, Some(player), mv.mv),
            mv.visits.to_string(),
            format!("{:.1}%", 100.0 * mv.mean),
        ]);
    }
    writeln!(out, "{table}")?;
    writeln!(out, "Expected line: {}", report.line_text(game, state).join("  "))?;
    Ok(())
}
