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

/// How much more each attempt may look at than the one before.
const STEP_UP: u64 = 4;

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
/// cheaper one. Both are given little at first and then more by turns: whoever plays by the rules
/// themselves waits for this, so a way that takes long may cost no more than the other one needs.
fn choose_stages(prepared: &Prepared) -> Result<(Stages, Workspace, Arc<Answers>), GameError> {
    let mut ways = Vec::new();
    if !prepared.has_open_relations() {
        ways.push(Way::new(prepared, Stages::exhaustive(prepared), TRIAL_WORK));
        ways[0].try_first_step(prepared, CHEAP);
    }
    if cheapest(&ways).is_none_or(|work| work > CHEAP) {
        ways.push(Way::new(prepared, Stages::demanded(prepared), WORK_LIMIT));
        let mut limit = CHEAP;
        while cheapest(&ways).is_none() && limit < WORK_LIMIT {
            limit *= STEP_UP;
            ways.iter_mut().for_each(|way| way.try_first_step(prepared, limit));
        }
        // Limits are for each stage: what took longer in one may yet take less in all.
        if let Some(least) = cheapest(&ways) {
            ways.iter_mut().for_each(|way| way.try_first_step(prepared, least));
        }
    }
    let found = ways.into_iter().filter_map(|way| way.first.map(|first| (first, way.rest)));
    match found.min_by_key(|((work, _), _)| *work) {
        Some(((_, answers), (stages, mut workspace))) => {
            workspace.work_limit = WORK_LIMIT;
            Ok((stages, workspace, answers))
        }
        None => Err(GameError::Options(
            "the first position needs more work than the bound allows".to_owned(),
        )),
    }
}

/// One way to evaluate rules, and what it said about the first position.
struct Way {
    rest: (Stages, Workspace),
    /// Never worth more work than this.
    most: u64,
    /// The rows that were looked at, and the answers.
    first: Option<(u64, Arc<Answers>)>,
}

/// The least work that a way took to the end.
fn cheapest(ways: &[Way]) -> Option<u64> {
    ways.iter().filter_map(|way| way.first.as_ref().map(|(work, _)| *work)).min()
}

impl Way {
    fn new(prepared: &Prepared, stages: Stages, most: u64) -> Way {
        let workspace = Workspace::new(prepared, &stages);
        Way { rest: (stages, workspace), most, first: None }
    }

    /// Evaluates the first position and one that follows it, unless that is done or takes too much.
    fn try_first_step(&mut self, prepared: &Prepared, limit: u64) {
        let workspace = &mut self.rest.1;
        if self.first.is_some() || limit > self.most {
            return;
        }
        workspace.work_limit = limit;
        let before = workspace.work_done();
        let Ok(answers) = workspace.first(prepared) else { return };
        let goes_on = !answers.terminal && answers.legal.iter().all(|legal| legal.len() > 0);
        let mut next = || workspace.advance(&answers, &vec![0; answers.legal.len()]);
        if !goes_on || next().is_ok() {
            self.first = Some((workspace.work_done() - before, answers));
        }
    }
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::kif;

    use super::*;
    use crate::bounds::Bounds;

    fn prepared(text: &str) -> Prepared {
        let checked = kif::read(SourceId(0), text).expect("right rules");
        Prepared::direct(&checked.description, &Bounds::hasty()).expect("within the bounds")
    }

    #[test]
    fn an_attempt_that_ran_out_leaves_nothing_behind() {
        // A tree, so that several facts wait at once.
        let edges: String = (1..=30).map(|n| format!("(edge {} {n}) ", (n - 1) / 2)).collect();
        let prepared = prepared(&format!(
            "(role a) {edges} (init (at 0)) (<= (reach ?y) (true (at ?x)) (edge ?x ?y))
            (<= (reach ?y) (reach ?x) (edge ?x ?y)) (<= (legal a (go ?x)) (reach ?x))
            (<= (next (at ?x)) (does a (go ?x))) (<= terminal (true (at 30))) (goal a 100)"
        ));
        let ways: [fn(&Prepared) -> Stages; 2] = [Stages::exhaustive, Stages::demanded];
        for stages in ways {
            for limit in 1..200 {
                let mut way = Way::new(&prepared, stages(&prepared), WORK_LIMIT);
                way.try_first_step(&prepared, limit);
                way.try_first_step(&prepared, WORK_LIMIT);
                let (_, answers) = way.first.expect("it is not much");
                assert_eq!(answers.legal[0].len(), 30, "after {limit} rows");
            }
        }
    }

    #[test]
    fn a_relation_that_nobody_asks_for_delays_nobody() {
        // Who has how many of any four places: half a million facts, of which two are asked for.
        let places: String = (0..24).map(|n| format!("(place {n}) (init (cell {n} b)) ")).collect();
        let text = format!(
            "(role x) (role o) (other x o) (other o x) {places} (init (control x))
            (<= (legal ?r (mark ?n)) (true (control ?r)) (true (cell ?n b)))
            (<= (legal ?r noop) (other ?r ?q) (true (control ?q)))
            (<= (next (cell ?n ?r)) (does ?r (mark ?n)))
            (<= (next (cell ?n ?c)) (true (cell ?n ?c)) (does ?r (mark ?m)) (distinct ?n ?m))
            (<= (next (control ?q)) (true (control ?r)) (other ?r ?q))
            (<= (lacks ?n ?r) (true (cell ?n ?c)) (role ?r) (distinct ?c ?r))
            (<= (count ?a ?b ?c ?d ?r none) (lacks ?a ?r) (lacks ?b ?r) (lacks ?c ?r) (lacks ?d ?r))
            (<= (count ?a ?b ?c ?d ?r all) (true (cell ?a ?r)) (true (cell ?b ?r))
                (true (cell ?c ?r)) (true (cell ?d ?r)))
            (<= terminal (count 0 1 2 3 x all)) (<= terminal (count 20 21 22 23 o all))
            (<= (goal ?r 100) (count 0 1 2 3 ?r all)) (<= (goal ?r 0) (count 0 1 2 3 ?r none))"
        );
        let prepared = prepared(&text);
        let took = |_| {
            let begun = Instant::now();
            let (_, workspace, answers) = choose_stages(&prepared).expect("it is not much");
            assert_eq!(answers.legal.iter().map(TermList::len).collect::<Vec<_>>(), [24, 1]);
            assert!(workspace.work_done() < 10 * CHEAP, "{}", workspace.work_done());
            begun.elapsed()
        };
        // The best of three, for the machine may be busy.
        let best = (0..3).map(took).min().expect("three");
        assert!(best < Duration::from_millis(250), "{best:?}");
    }
}
