//! `ludex play`: a game in the terminal.

mod console;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::features::explain::speakers;
use ludex_arena::features::features_in;
use ludex_game::{Game, Move, MoveKind, Player, PlayerSet, Rng, State, Trial, Turn};
use ludex_play::pondering::Seat;
use ludex_play::search::{Budget, Report};
use ludex_play::spec::AgentSpec;
use ludex_play::timing::{TimeLeft, expected_moves};

use self::console::Console;
use crate::agents;
use crate::cli::PlayArgs;
use crate::output::{board, table};

const HELP: &str =
    "Type a move, or: moves, hint, why, undo, save FILE, load FILE, resign, help, quit.";

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let spec = args.game.spec();
    let found = catalog::find(&spec, Places::here())?;
    let budget = args.budget.budget(Budget::time(Duration::from_secs(1)));
    let text = match args.level {
        10 => args.agent.clone(),
        level => format!("{} + level(n={level})", args.agent),
    };
    let (agent, why) = agents::for_game(&text, &found, budget)?;
    let game = found.game;
    let humans = humans(&args.human, game.info().players)?;
    let mut table = Table {
        budget,
        asked: args.budget.time.is_some(),
        agent,
        why,
        seats: Vec::new(),
        clocks: args.game_time.map(|clock| vec![clock; game.info().players]),
        ponders: args.ponder,
        past: vec![Past { state: game.start(), moves: 0 }],
        record: Trial::new(spec.to_string(), args.seed),
        thought: None,
        rng: Rng::seeded(args.seed),
        humans,
        game,
    };
    table.seat_agents()?;
    table.open(&spec, out)?;
    table.play(&mut Console::open(), out)
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
struct Table {
    game: Arc<dyn Game>,
    humans: PlayerSet,
    agent: AgentSpec,
    /// Why it was chosen, where nobody named one.
    why: Option<String>,
    seats: Vec<Seat>,
    budget: Budget,
    /// Whether that was asked for: then a clock gives no more.
    asked: bool,
    /// What the players' clocks show, where the game is timed.
    clocks: Option<Vec<TimeLeft>>,
    /// Whether the machine thinks while a person does.
    ponders: bool,
    /// Every position since the start, for `undo`.
    past: Vec<Past>,
    /// Every move since the start, for `save`.
    record: Trial,
    /// What the machine thought of its last move, for `why`.
    thought: Option<Thought>,
    rng: Rng,
}

/// A position, and how many moves of the record led to it.
struct Past {
    state: State,
    moves: usize,
}

/// A search of the machine: where, for whom, and what it found.
struct Thought {
    state: State,
    player: Player,
    report: Report,
}

/// What a person answered.
enum Answer {
    Play(Move),
    Undo,
    Load(String),
    Resign,
    Quit,
}

impl Table {
    fn seat_agents(&mut self) -> anyhow::Result<()> {
        self.seats.clear();
        for _ in 0..self.game.info().players {
            self.seats.push(Seat::new(self.agent.build(&self.game, None, &mut self.rng)?));
        }
        Ok(())
    }

    fn board(&self, viewer: Option<Player>) -> String {
        board(&*self.game, self.now(), viewer)
    }

    fn now(&self) -> &State {
        &self.past[self.past.len() - 1].state
    }

    /// What is played, by which rules, and who is who.
    fn open(&self, spec: &GameSpec, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}", self.game.info().name)?;
        let rules = catalog::rules_in_words(spec);
        if !rules.is_empty() {
            writeln!(out, "\n{}", textwrap::fill(&rules, 78))?;
        }
        let names = |set: PlayerSet| {
            set.into_iter().map(|player| player.to_string()).collect::<Vec<_>>().join(" and ")
        };
        let all = PlayerSet::all(self.game.info().players);
        let machine: Vec<String> = all
            .into_iter()
            .filter(|&player| !self.humans.contains(player))
            .map(|player| player.to_string())
            .collect();
        let machine = machine.join(" and ");
        match (self.humans.is_empty(), machine.is_empty()) {
            (true, _) => writeln!(out, "\n`{}` plays all seats.", self.agent)?,
            (_, true) => writeln!(out, "\nYou play {}.", names(self.humans))?,
            _ => writeln!(
                out,
                "\nYou play {}; `{}` plays {machine}.",
                names(self.humans),
                self.agent
            )?,
        }
        if let Some(why) = self.why.as_ref().filter(|_| !machine.is_empty()) {
            writeln!(out, "{}", textwrap::fill(why, 78))?;
        }
        writeln!(out, "{HELP}\n")?;
        Ok(())
    }

    fn play(&mut self, input: &mut Console, out: &mut dyn Write) -> anyhow::Result<()> {
        loop {
            let joint = match self.game.turn(self.now()) {
                Turn::Over => return self.finish(out),
                Turn::Chance => {
                    let state = &self.past[self.past.len() - 1].state;
                    vec![self.game.sample_chance(state, &mut self.rng)]
                }
                Turn::Players(players) => {
                    let mut joint = Vec::new();
                    for player in players {
                        let begun = Instant::now();
                        if !self.humans.contains(player) {
                            joint.push(self.ask_agent(player, out)?);
                            if !self.count_time(player, begun.elapsed()) {
                                return self.time_is_up(player, out);
                            }
                            continue;
                        }
                        self.ponder(players);
                        let answer = self.ask_human(player, input, out)?;
                        if matches!(answer, Answer::Play(_))
                            && !self.count_time(player, begun.elapsed())
                        {
                            return self.time_is_up(player, out);
                        }
                        match answer {
                            Answer::Play(mv) => joint.push(mv),
                            Answer::Undo => {
                                self.undo(out)?;
                                joint.clear();
                                break;
                            }
                            Answer::Load(file) => {
                                self.load(&file, out)?;
                                joint.clear();
                                break;
                            }
                            Answer::Resign => return self.resign(player, out),
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
                    if self.game.ends(&state, Some(player), mv).kind == MoveKind::Swap {
                        writeln!(
                            out,
                            "That swaps the sides: each of the two now owns what the other had, goals included."
                        )?;
                    }
                }
            }
            // What chance dealt may be hidden from whoever plays.
            _ if viewer.is_none() || !self.game.info().hidden => {
                writeln!(out, "Chance: {}", self.game.move_text(&state, None, joint[0]))?;
            }
            _ => {}
        }
        for seat in &mut self.seats {
            seat.played(&state, joint);
        }
        self.record.push(&*self.game, &state, joint);
        let mut next = state;
        self.game.apply(&mut next, joint);
        self.past.push(Past { state: next, moves: self.record.moves.len() });
        if self.humans.is_empty() {
            writeln!(out, "\n{}\n", self.board(None))?;
        }
        out.flush()?;
        Ok(())
    }

    /// What a player may think about the move at hand.
    fn budget_of(&self, player: Player) -> Budget {
        let Some(clocks) = &self.clocks else { return self.budget };
        let share = clocks[player.index()].share(expected_moves(&*self.game, self.now(), player));
        let time = match self.asked {
            true => self.budget.time.map_or(share, |time| time.min(share)),
            false => share,
        };
        Budget { time: Some(time), ..self.budget }
    }

    /// Takes what a move took off a player's clock; whether there was so much.
    fn count_time(&mut self, player: Player, used: Duration) -> bool {
        let Some(clocks) = &mut self.clocks else { return true };
        let clock = &mut clocks[player.index()];
        match clock.after(used) {
            Some(after) => *clock = after,
            None => return false,
        }
        true
    }

    /// Lets the machine think while others are to move, where that was asked for.
    fn ponder(&mut self, movers: PlayerSet) {
        if !self.ponders {
            return;
        }
        let state = &self.past[self.past.len() - 1].state;
        for (player, seat) in (0..).map(Player).zip(&mut self.seats) {
            if !self.humans.contains(player) && !movers.contains(player) {
                seat.ponder(&self.game, state);
            }
        }
    }

    fn time_is_up(&mut self, player: Player, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "The time of {player} is up.")?;
        self.lost(player, out)
    }

    fn ask_agent(&mut self, player: Player, out: &mut dyn Write) -> anyhow::Result<Move> {
        out.flush()?;
        let budget = self.budget_of(player);
        let state = &self.past[self.past.len() - 1].state;
        let choice = self.seats[player.index()].agent().choose(state, player, budget);
        if let Some(report) = &choice.report {
            let percent = 100.0 * report.value();
            writeln!(
                out,
                "{player} thinks: {} simulations, expects {percent:.0}%",
                report.simulations
            )?;
        }
        let state = state.clone();
        self.thought = choice.report.map(|report| Thought { state, player, report });
        Ok(choice.mv)
    }

    fn ask_human(
        &mut self,
        player: Player,
        input: &mut Console,
        out: &mut dyn Write,
    ) -> anyhow::Result<Answer> {
        writeln!(out, "\n{}\n", self.board(Some(player)))?;
        if let Some(clocks) = &self.clocks {
            let shown = |(number, clock): (usize, &TimeLeft)| {
                format!("{} {:.0} s", Player(number as u8), clock.left.as_secs_f64())
            };
            let all: Vec<String> = clocks.iter().enumerate().map(shown).collect();
            writeln!(out, "Left: {}", all.join(", "))?;
        }
        let mut moves = Vec::new();
        self.game.moves(self.now(), player, &mut moves);
        self.list_moves(player, &moves, 40, out)?;
        loop {
            let Some(line) = input.line(&format!("{player}> "), out)? else {
                return Ok(Answer::Quit);
            };
            match line.trim().split_once(' ').unwrap_or((line.trim(), "")) {
                ("", _) => {}
                ("quit" | "exit" | "q", "") => return Ok(Answer::Quit),
                ("undo", "") => return Ok(Answer::Undo),
                ("resign", "") => return Ok(Answer::Resign),
                ("load", file) if !file.is_empty() => {
                    return Ok(Answer::Load(file.trim().to_string()));
                }
                ("save", file) if !file.is_empty() => self.save(file.trim(), out)?,
                ("save" | "load", "") => writeln!(out, "Say which file: save game.trial")?,
                ("help" | "?", "") => writeln!(out, "{HELP}")?,
                ("moves", "") => self.list_moves(player, &moves, usize::MAX, out)?,
                ("hint", "") => self.hint(player, out)?,
                ("why", "") => self.why(out)?,
                _ => match self.game.parse_move(self.now(), player, line.trim()) {
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
        let mut adviser = self.agent.build(&self.game, None, &mut self.rng)?;
        let state = self.now();
        match adviser.choose(state, player, self.budget).report {
            Some(report) => {
                write_report(&*self.game, state, player, &report, out)?;
                self.speakers(state, player, report.best, out)
            }
            None => Ok(()),
        }
    }

    /// The features that spoke for a move or against it, where the machine plays by any.
    fn speakers(
        &self,
        state: &State,
        player: Player,
        mv: Move,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let Some(set) = features_in(&self.agent).next() else { return Ok(()) };
        let text = self.game.move_text(state, Some(player), mv);
        for (sentence, weight) in speakers(&*self.game, state, player, mv, set)? {
            writeln!(out, "{text} ({weight:+.2}): {sentence}")?;
        }
        Ok(())
    }

    /// Why the machine did what it did last.
    fn why(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(Thought { state, player, report }) = &self.thought else {
            writeln!(out, "The machine has not thought about a move yet.")?;
            return Ok(());
        };
        if let [best, others @ ..] = &report.moves[..] {
            let text = self.game.move_text(state, Some(*player), best.mv);
            let value = 100.0 * best.mean;
            write!(
                out,
                "{player} tried {text} in {} of {} simulations",
                best.visits, report.simulations
            )?;
            write!(out, " and expects {value:.0}% of it")?;
            if let Some(next) = others.first() {
                let text = self.game.move_text(state, Some(*player), next.mv);
                write!(
                    out,
                    "; the next best, {text}, had {} and {:.0}%",
                    next.visits,
                    100.0 * next.mean
                )?;
            }
            writeln!(out, ".")?;
        }
        write_report(&*self.game, state, *player, report, out)?;
        self.speakers(state, *player, report.best, out)
    }

    /// Writes the game so far as a record that `load` and `ludex show` read.
    fn save(&self, file: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        match std::fs::write(file, self.record.to_string()) {
            Ok(()) => writeln!(out, "Saved {} moves to {file}.", self.record.moves.len())?,
            Err(fault) => writeln!(out, "Cannot write {file}: {fault}.")?,
        }
        Ok(())
    }

    /// Goes on from a record of this game; whatever is wrong with it is said, and nothing changes.
    fn load(&mut self, file: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.read(Path::new(file)) {
            Ok((record, past)) => {
                (self.record, self.past, self.thought) = (record, past, None);
                self.seat_agents()?;
                writeln!(out, "Loaded {} moves from {file}.", self.record.moves.len())?;
            }
            Err(fault) => writeln!(out, "{fault:#}.")?,
        }
        Ok(())
    }

    fn read(&self, file: &Path) -> anyhow::Result<(Trial, Vec<Past>)> {
        let text = std::fs::read_to_string(file);
        let text = text.with_context(|| format!("Cannot read {}", file.display()))?;
        let mut record = Trial::read(&text)?;
        if record.game != self.record.game {
            bail!("{} is a record of {}, not of {}", file.display(), record.game, self.record.game);
        }
        record.result = None;
        let mut past = Vec::new();
        let mut moves = 0;
        for state in record.replay(&*self.game)? {
            let made = match self.game.turn(&state) {
                Turn::Over => 0,
                Turn::Chance => 1,
                Turn::Players(players) => players.len(),
            };
            past.push(Past { state, moves });
            moves += made;
        }
        Ok((record, past))
    }

    fn resign(&self, player: Player, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{player} resigns.")?;
        self.lost(player, out)
    }

    /// Who has won where somebody lost by other things than the rules.
    fn lost(&self, player: Player, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.game.info().players == 2 {
            writeln!(out, "{} wins.", Player(1 - player.0))?;
        }
        Ok(())
    }

    /// Goes back to the last position in which a person was to move.
    fn undo(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mine = |state: &State| match self.game.turn(state) {
            Turn::Players(players) => {
                players.into_iter().any(|player| self.humans.contains(player))
            }
            _ => false,
        };
        let before = &self.past[..self.past.len() - 1];
        match before.iter().rposition(|past| mine(&past.state)) {
            Some(index) => {
                self.past.truncate(index + 1);
                self.record.moves.truncate(self.past[index].moves);
                self.thought = None;
                self.seat_agents()?;
                writeln!(out, "Taken back.")?;
            }
            None => writeln!(out, "There is nothing to take back.")?,
        }
        Ok(())
    }

    fn finish(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\n{}\n", self.board(None))?;
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
