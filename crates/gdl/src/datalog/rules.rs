//! The contract and GDL's own questions, answered by evaluating rules.

use std::sync::{Arc, Mutex};

use super::codes::{CODES, Codes, hash_words};
use super::encode::TermList;
use super::stages::Stages;
use super::workspace::{Answers, WORK_LIMIT, Workspace};
use crate::machine::{Machine, normal_text};
use crate::program::Prepared;
use crate::saturate::OutOfBounds;
use crate::seats::{Phase, Seats};
use ludex_game::{
    Coding, GameError, GameInfo, Language, Move, Player, PlayoutKind, Rng, Rules, Turn, closest,
};

/// Rows looked at for the first positions that count as cheap.
const CHEAP: u64 = 20_000;

/// Rows to look at before giving up working everything out.
const TRIAL_WORK: u64 = 4_000_000;

/// A GDL game run by its rules.
#[derive(Debug)]
pub struct DatalogRules {
    info: GameInfo,
    seats: Seats,
    prepared: Prepared,
    stages: Stages,
    idle: Mutex<Vec<Workspace>>,
    codes: Codes,
    start: DatalogState,
}

/// A position with all that the rules say about it.
#[derive(Clone, Debug)]
pub struct DatalogState {
    answers: Arc<Answers>,
    phase: Phase,
}

impl DatalogRules {
    /// Compiles the rules; `reason` says why they are not run as a network.
    pub fn new(name: &str, prepared: Prepared, reason: &str) -> Result<Self, GameError> {
        let text = |id| prepared.store.terms.text(&prepared.names, id);
        let seats = Seats::new(prepared.roles.iter().map(|&role| text(role)).collect())?;
        let (stages, workspace, answers) = choose_stages(&prepared)?;
        let mut info = GameInfo::named(name, seats.players());
        info.language = Language::Gdl;
        info.channels = vec!["a list of facts".to_owned()];
        info.playout = PlayoutKind::Datalog;
        info.playout_reason = reason.to_owned();
        info.machine = ludex_game::Machine::Datalog;
        info.refusal = reason.to_owned();
        let start = DatalogState { answers, phase: Phase::new(seats.roles().len()) };
        let mut rules = DatalogRules {
            info,
            seats,
            prepared,
            stages,
            idle: Mutex::new(vec![workspace]),
            codes: Codes::default(),
            start,
        };
        let mut start = rules.start.clone();
        rules.begin(&mut start);
        rules.start = start;
        Ok(rules)
    }

    /// Does something with a workspace that nobody else is using.
    fn with_workspace<T>(&self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let taken = idle().pop();
        let mut workspace = taken.unwrap_or_else(|| Workspace::new(&self.prepared, &self.stages));
        let result = work(&mut workspace);
        idle().push(workspace);
        result
    }

    fn begin(&self, state: &mut DatalogState) {
        let DatalogState { answers, phase } = state;
        phase.begin(&self.seats, answers.terminal, |role| answers.legal[role].len() as u32);
    }

    /// Makes one move for each role. A position that is too much work ends the game: it is then
    /// worth nothing to anyone.
    fn make(&self, state: &mut DatalogState, joint: &[u32]) {
        match self.with_workspace(|workspace| workspace.advance(&state.answers, joint)) {
            Ok(answers) => {
                state.answers = answers;
                self.begin(state);
            }
            Err(OutOfBounds) => {
                state.answers = Arc::new(Answers { terminal: true, ..Answers::default() });
                state.phase.end();
            }
        }
    }

    fn find_move(&self, state: &DatalogState, role: usize, text: &str) -> Option<u32> {
        let legal = &state.answers.legal[role];
        let texts: Vec<String> = self.texts(legal);
        let exact = texts.iter().position(|legal| legal == text);
        let close = || texts.iter().position(|legal| legal.eq_ignore_ascii_case(text));
        exact.or_else(close).map(|at| at as u32)
    }

    fn texts(&self, list: &TermList) -> Vec<String> {
        (0..list.len()).map(|at| list.text(&self.stages.names, at)).collect()
    }
}

/// Evaluates the first positions both ways, everything or only what is asked for, and takes the
/// cheaper one.
fn choose_stages(prepared: &Prepared) -> Result<(Stages, Workspace, Arc<Answers>), GameError> {
    let all = Stages::exhaustive(prepared);
    let mut best = None;
    if !prepared.has_open_relations() {
        let mut workspace = Workspace::new(prepared, &all);
        if let Ok(answers) = try_first_step(prepared, &mut workspace, TRIAL_WORK) {
            best = Some((workspace.work_done(), all, workspace, answers));
        }
    }
    if best.as_ref().is_none_or(|(work, ..)| *work > CHEAP) {
        let limit = best.as_ref().map_or(WORK_LIMIT, |(work, ..)| *work);
        let asked = Stages::demanded(prepared);
        let mut workspace = Workspace::new(prepared, &asked);
        if let Ok(answers) = try_first_step(prepared, &mut workspace, limit) {
            best = Some((workspace.work_done(), asked, workspace, answers));
        }
    }
    match best {
        Some((_, stages, mut workspace, answers)) => {
            workspace.work_limit = WORK_LIMIT;
            Ok((stages, workspace, answers))
        }
        None => Err(GameError::Options(
            "the first position needs more work than the bound allows".to_owned(),
        )),
    }
}

/// Evaluates the first position and one that follows it.
fn try_first_step(
    prepared: &Prepared,
    workspace: &mut Workspace,
    work_limit: u64,
) -> Result<Arc<Answers>, OutOfBounds> {
    workspace.work_limit = work_limit;
    let answers = workspace.first(prepared)?;
    if !answers.terminal && answers.legal.iter().all(|legal| legal.len() > 0) {
        workspace.advance(&answers, &vec![0; answers.legal.len()])?;
    }
    Ok(answers)
}

impl Rules for DatalogRules {
    type State = DatalogState;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> DatalogState {
        self.start.clone()
    }

    fn turn(&self, state: &DatalogState) -> Turn {
        state.phase.turn()
    }

    fn moves(&self, state: &DatalogState, player: Player, out: &mut Vec<Move>) {
        let legal = &state.answers.legal[self.seats.role_of(player)];
        out.extend((0..legal.len() as u64).map(Move));
    }

    fn apply(&self, state: &mut DatalogState, joint: &[Move]) {
        if !state.phase.choose(&self.seats, joint) {
            return;
        }
        let mut chosen = state.phase.chosen.clone();
        for (role, chosen) in chosen.iter_mut().enumerate() {
            if !state.phase.has_choice(role) {
                *chosen = 0;
            }
        }
        self.make(state, &chosen);
    }

    fn payoffs(&self, state: &DatalogState, out: &mut [f32]) {
        for (player, payoff) in out.iter_mut().enumerate() {
            let role = self.seats.role_of(Player(player as u8));
            let goals = self.goal_values(state, role).into_iter();
            let values = goals.filter_map(|text| text.parse::<f32>().ok());
            *payoff = values.map(|value| (value / 100.0).clamp(0.0, 1.0)).fold(0.0, f32::max);
        }
    }

    fn hash(&self, state: &DatalogState) -> u64 {
        state.phase.hash(hash_words(state.answers.facts.all_words()))
    }

    fn move_text(&self, state: &DatalogState, player: Option<Player>, mv: Move) -> String {
        let role = player.map_or(self.seats.chance(), |player| self.seats.role_of(player));
        let legal = &state.answers.legal[role];
        match (mv.0 as usize) < legal.len() {
            true => legal.text(&self.stages.names, mv.0 as usize),
            false => String::new(),
        }
    }

    fn parse_move(
        &self,
        state: &DatalogState,
        player: Player,
        text: &str,
    ) -> Result<Move, GameError> {
        let role = self.seats.role_of(player);
        let text = normal_text(text);
        match self.find_move(state, role, &text) {
            Some(at) => Ok(Move(at.into())),
            None => {
                let legal = self.legal_moves(state, role);
                let closest = closest(&text, legal.iter().map(String::as_str)).map(str::to_owned);
                Err(GameError::IllegalMove { text, closest })
            }
        }
    }

    fn show(&self, state: &DatalogState, _: Option<Player>) -> String {
        let mut facts = self.facts(state);
        facts.sort();
        facts.join("\n")
    }

    fn sample_chance(&self, state: &DatalogState, rng: &mut Rng) -> Move {
        let count = state.answers.legal[self.seats.chance()].len() as u32;
        Move(rng.below(count).into())
    }

    fn chance_outcomes(&self, state: &DatalogState, out: &mut Vec<(Move, f64)>) -> bool {
        let count = state.answers.legal[self.seats.chance()].len();
        out.extend((0..count as u64).map(|at| (Move(at), 1.0 / count as f64)));
        true
    }

    fn parse_chance(&self, state: &DatalogState, text: &str) -> Option<Move> {
        let at = self.find_move(state, self.seats.chance(), &normal_text(text));
        at.map(|at| Move(at.into()))
    }

    fn code_count(&self, _: Player, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => CODES,
            Coding::Features => 0,
        }
    }

    fn code(&self, state: &DatalogState, player: Player, mv: Move, _: Coding) -> u32 {
        let legal = &state.answers.legal[self.seats.role_of(player)];
        self.codes.code(legal.words(mv.0 as usize))
    }

    /// As in the network engine, a step of the game is one ply, choices of chance included.
    fn playout_uniform(
        &self,
        state: &mut DatalogState,
        rng: &mut Rng,
        limit: u32,
        _: &mut Vec<Move>,
    ) -> u32 {
        let mut chosen = state.phase.chosen.clone();
        for ply in 0..limit {
            if state.phase.turn() == Turn::Over {
                return ply;
            }
            for (chosen, legal) in chosen.iter_mut().zip(&state.answers.legal) {
                *chosen = rng.below(legal.len() as u32);
            }
            self.make(state, &chosen);
        }
        limit
    }
}

impl Machine for DatalogRules {
    type Position = DatalogState;

    fn role_names(&self) -> &[String] {
        self.seats.roles()
    }

    fn first_position(&self) -> DatalogState {
        self.start.clone()
    }

    fn facts(&self, state: &DatalogState) -> Vec<String> {
        self.texts(&state.answers.facts)
    }

    fn legal_moves(&self, state: &DatalogState, role: usize) -> Vec<String> {
        self.texts(&state.answers.legal[role])
    }

    fn advance(&self, state: &mut DatalogState, joint: &[&str]) -> bool {
        let find = |(role, text): (usize, &&str)| self.find_move(state, role, &normal_text(text));
        let chosen: Option<Vec<u32>> = joint.iter().enumerate().map(find).collect();
        match chosen.filter(|chosen| chosen.len() == self.seats.roles().len()) {
            Some(chosen) => self.make(state, &chosen),
            None => return false,
        }
        true
    }

    fn is_terminal(&self, state: &DatalogState) -> bool {
        state.answers.terminal
    }

    fn goal_values(&self, state: &DatalogState, role: usize) -> Vec<String> {
        if state.answers.terminal {
            return state.answers.goals.get(role).map_or(Vec::new(), |goals| self.texts(goals));
        }
        let goals = self.with_workspace(|workspace| workspace.goals_of(&state.answers));
        goals.map_or(Vec::new(), |goals| self.texts(&goals[role]))
    }
}
