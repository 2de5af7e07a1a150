//! Rules with the type of their states hidden.

use std::sync::{Arc, OnceLock};

use crate::choices::{Choices, Marks, Space};
#[cfg(feature = "lanes")]
use crate::lanes::{Lanes, Plan, Typed};
use crate::offers::{Course, Script, Scripts, SeenMoves, no_script};
#[cfg(feature = "lanes")]
use crate::planes::{Easel, Kept, Planes};
use crate::playout::{self, Played, Recording, Sampling, Scratch, Style};
use crate::state::GameId;
use crate::surroundings::Surroundings;
use crate::{
    Coding, Detail, Ends, Families, Game, GameError, GameInfo, Geometry, Move, Place, Player, Rng,
    Rules, State, Turn, View,
};

/// Hides the type of a game's states.
pub fn erase<R: Rules>(rules: R) -> Arc<dyn Game> {
    Arc::new(Erased { rules, id: GameId::fresh(), surroundings: OnceLock::new() })
}

struct Erased<R> {
    rules: R,
    id: GameId,
    /// How move features are made, where the rules have none and there is a board.
    surroundings: OnceLock<Option<Surroundings>>,
}

impl<R> AsRef<R> for Erased<R> {
    #[inline(always)]
    fn as_ref(&self) -> &R {
        &self.rules
    }
}

impl<R: Rules> Erased<R> {
    /// A state as the rules know it; nothing where it came from another game.
    #[inline]
    fn own<'s>(&self, state: &'s State) -> Option<&'s R::State> {
        state.of(self.id)
    }

    /// How move features are made, if these codes ask for them and the rules have none.
    #[inline]
    fn surroundings(&self, coding: Coding) -> Option<&Surroundings> {
        match coding {
            Coding::Plain => None,
            Coding::Features => self.surroundings.get_or_init(|| self.surround()).as_ref(),
        }
    }

    #[cold]
    fn surround(&self) -> Option<Surroundings> {
        let players = || (0..self.rules.info().players as u8).map(Player);
        let most = |coding| players().map(|player| self.rules.code_count(player, coding)).max();
        let (plain, own) = (most(Coding::Plain)?, most(Coding::Features)?);
        let geometry = self.rules.geometry().filter(|_| plain > 0 && own == 0)?;
        Some(Surroundings::new(geometry, plain))
    }

    #[cold]
    fn foreign(&self) -> GameError {
        GameError::Foreign { game: self.rules.info().name.clone() }
    }

    /// What is said instead of a text about a state of another game.
    #[cold]
    fn foreign_text(&self) -> String {
        self.foreign().to_string()
    }
}

fn tie(out: &mut [f32]) {
    match out {
        [alone] => *alone = 0.0,
        _ => out.fill(1.0 / out.len() as f32),
    }
}

impl<R: Rules> Game for Erased<R> {
    fn info(&self) -> &GameInfo {
        self.rules.info()
    }

    fn start(&self) -> State {
        State::new(self.id, self.rules.start())
    }

    fn check(&self, state: &State) -> Result<(), GameError> {
        self.own(state).map(|_| ()).ok_or_else(|| self.foreign())
    }

    fn turn(&self, state: &State) -> Turn {
        self.own(state).map_or(Turn::Over, |state| self.rules.turn(state))
    }

    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        if let Some(state) = self.own(state) {
            self.rules.moves(state, player, out);
        }
    }

    fn apply(&self, state: &mut State, joint: &[Move]) {
        if let Some(state) = state.of_mut(self.id) {
            self.rules.apply(state, joint);
        }
    }

    fn hash(&self, state: &State) -> u64 {
        self.own(state).map_or(0, |state| self.rules.hash(state))
    }

    fn move_text(&self, state: &State, player: Option<Player>, mv: Move) -> String {
        match self.own(state) {
            Some(state) => self.rules.move_text(state, player, mv),
            None => self.foreign_text(),
        }
    }

    fn move_texts(&self, state: &State, player: Player, moves: &[Move]) -> Vec<String> {
        match self.own(state) {
            Some(state) => self.rules.move_texts(state, player, moves),
            None => moves.iter().map(|_| self.foreign_text()).collect(),
        }
    }

    fn parse_move(&self, state: &State, player: Player, text: &str) -> Result<Move, GameError> {
        let state = self.own(state).ok_or_else(|| self.foreign())?;
        self.rules.parse_move(state, player, text)
    }

    fn show(&self, state: &State, viewer: Option<Player>) -> String {
        match self.own(state) {
            Some(state) => self.rules.show(state, viewer),
            None => self.foreign_text(),
        }
    }

    fn geometry(&self) -> Option<&Geometry> {
        self.rules.geometry()
    }

    fn view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View) {
        match (self.own(state), self.rules.geometry()) {
            (Some(state), _) => self.rules.view(state, viewer, detail, out),
            (None, Some(geometry)) => out.reset(geometry, self.rules.info().players),
            (None, None) => {}
        }
    }

    fn ends(&self, state: &State, player: Option<Player>, mv: Move) -> Ends {
        self.own(state).map_or_else(Ends::default, |state| self.rules.ends(state, player, mv))
    }

    fn last_move(&self, state: &State) -> Option<Ends> {
        self.rules.last_move(self.own(state)?)
    }

    fn plane_geometry(&self) -> Option<&Geometry> {
        self.rules.plane_geometry()
    }

    fn plane_view(&self, state: &State, viewer: Option<Player>, detail: Detail, out: &mut View) {
        match (self.own(state), self.rules.plane_geometry()) {
            (Some(state), _) => self.rules.plane_view(state, viewer, detail, out),
            (None, Some(geometry)) => out.reset(geometry, self.rules.info().players),
            (None, None) => {}
        }
    }

    fn plane_last(&self, state: &State) -> Option<Ends> {
        self.rules.plane_last(self.own(state)?)
    }

    #[cfg(feature = "lanes")]
    fn write_planes(
        &self,
        state: &State,
        planes: &Planes,
        looks: Player,
        kept: &mut Kept,
        view: &mut View,
        out: &mut [u8],
    ) {
        match self.own(state) {
            Some(state) => {
                let last = self.rules.plane_last(state);
                let easel = Easel { kept, view };
                planes.show(&self.rules, state, last, looks, easel, out);
            }
            None => out.fill(0),
        }
    }

    fn choices(
        &self,
        state: &State,
        player: Player,
        space: Space,
        marks: &mut Marks,
        out: &mut Choices,
    ) {
        match self.own(state) {
            Some(state) => out.fill(&self.rules, state, player, space, marks),
            None => out.clear(),
        }
    }

    fn chosen(&self, state: &State, player: Player, choices: &Choices, place: Place) -> Move {
        let Some(state) = self.own(state) else { return Move::default() };
        choices.member(&self.rules, state, player, place)
    }

    #[cfg(feature = "lanes")]
    fn lanes(self: Arc<Self>, count: usize, plan: Plan) -> Box<dyn Lanes> {
        Box::new(Typed::<R, Erased<R>>::new(self, count, plan))
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Move {
        let Some(state) = self.own(state) else { return Move::default() };
        self.rules.sample_chance(state, rng)
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Move, f64)>) -> bool {
        self.own(state).is_some_and(|state| self.rules.chance_outcomes(state, out))
    }

    fn parse_chance(&self, state: &State, text: &str) -> Option<Move> {
        self.rules.parse_chance(self.own(state)?, text)
    }

    fn determinize(&self, state: &State, player: Player, rng: &mut Rng) -> State {
        match self.own(state) {
            Some(own) => State::new(self.id, self.rules.determinize(own, player, rng)),
            None => state.clone(),
        }
    }

    fn code_count(&self, player: Player, coding: Coding) -> u32 {
        match self.surroundings(coding) {
            Some(around) => around.count(self.rules.code_count(player, Coding::Plain)),
            None => self.rules.code_count(player, coding),
        }
    }

    fn code_ends(&self, player: Player, code: u32) -> Option<Ends> {
        self.rules.code_ends(player, code)
    }

    fn code(&self, state: &State, player: Player, mv: Move, coding: Coding) -> u32 {
        let (Some(state), mut code) = (self.own(state), 0) else { return 0 };
        match self.surroundings(coding) {
            Some(around) => around.codes(&self.rules, state, player, &[mv], |found| code = found),
            None => code = self.rules.code(state, player, mv, coding),
        }
        code
    }

    fn families(&self, state: &State, player: Player, coding: Coding, out: &mut Families) {
        out.clear();
        let Some(state) = self.own(state) else { return };
        if let Some(around) = self.surroundings(coding) {
            return around.families(&self.rules, state, player, out);
        }
        out.origin = None;
        self.rules.families(state, player, coding, out);
        if out.is_doubtful() {
            self.rules.settle(state, player, out);
        }
    }

    fn member(&self, state: &State, player: Player, families: &Families, place: Place) -> Move {
        let Some(state) = self.own(state) else { return Move::default() };
        match families.origin {
            Some(_) => Surroundings::member(&self.rules, state, player, families, place),
            None => self.rules.member(state, player, families, place),
        }
    }

    fn winning_moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        if let Some(state) = self.own(state) {
            playout::winning_moves(&self.rules, state, player, out);
        }
    }

    fn attributes(&self) -> &[String] {
        self.rules.attributes()
    }

    fn attribute_values(&self, state: &State, player: Player, out: &mut [f32]) {
        match self.own(state) {
            Some(state) => self.rules.attribute_values(state, player, out),
            None => out.fill(0.0),
        }
    }

    fn course(&self) -> Option<&dyn Course<State>> {
        self.rules.course().map(|_| self as &dyn Course<State>)
    }

    fn seen_moves(&self) -> Option<&dyn SeenMoves<State>> {
        self.rules.seen_moves().map(|_| self as &dyn SeenMoves<State>)
    }

    fn scripts(&self) -> Option<&dyn Scripts<State>> {
        self.rules.scripts().map(|_| self as &dyn Scripts<State>)
    }

    fn random_move(
        &self,
        state: &State,
        player: Player,
        rng: &mut Rng,
        families: &mut Families,
    ) -> Move {
        let Some(state) = self.own(state) else { return Move::default() };
        playout::any_move(&self.rules, state, player, families, rng)
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        match self.own(state) {
            Some(state) if self.rules.turn(state) == Turn::Over => self.rules.payoffs(state, out),
            _ => tie(out),
        }
    }

    fn codes(
        &self,
        state: &State,
        player: Player,
        moves: &[Move],
        coding: Coding,
        out: &mut Vec<u32>,
    ) {
        let Some(state) = self.own(state) else { return out.resize(out.len() + moves.len(), 0) };
        match self.surroundings(coding) {
            Some(around) => around.codes(&self.rules, state, player, moves, |code| out.push(code)),
            None => out.extend(moves.iter().map(|&mv| self.rules.code(state, player, mv, coding))),
        }
    }

    fn playout(
        &self,
        state: &mut State,
        sampling: &mut Sampling,
        style: Style,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> u32 {
        let rules = &self.rules;
        let Some(state) = state.of_mut(self.id) else { return 0 };
        let limit = rules.info().max_plies;
        match (&sampling, style, scratch.recording) {
            (Sampling::Uniform(_), Style::Optimised, Recording::Nothing) => {
                rules.playout_uniform(state, rng, limit, &mut scratch.buffer)
            }
            (Sampling::Uniform(_), Style::Standard, Recording::Nothing) => {
                rules.playout_listing(state, rng, limit, &mut scratch.buffer)
            }
            _ => {
                let around = self.surroundings(sampling.coding());
                playout::run(rules, around, state, sampling, style, scratch, rng, limit)
            }
        }
    }

    fn playouts(&self, start: &State, rng: &mut Rng, tell: &mut dyn FnMut(Played<'_>) -> bool) {
        let (rules, Some(start)) = (&self.rules, self.own(start)) else { return };
        let (mut state, mut buffer) = (start.clone(), Vec::new());
        let mut payoffs = vec![0.0; rules.info().players];
        let limit = rules.info().max_plies;
        loop {
            let plies = rules.playout_uniform(&mut state, rng, limit, &mut buffer);
            let over = rules.turn(&state) == Turn::Over;
            match over {
                true => rules.payoffs(&state, &mut payoffs),
                false => tie(&mut payoffs),
            }
            if !tell(Played { payoffs: &payoffs, plies, over }) {
                return;
            }
            state.clone_from(start);
        }
    }

    fn playout_batch(
        &self,
        state: &State,
        rng: &mut Rng,
        count: u64,
        finished: &mut dyn FnMut(&[f32], u32),
    ) -> bool {
        let Some(state) = self.own(state) else { return false };
        self.rules.playout_batch(state, rng, count, finished)
    }
}

// What the rules offer is handed on; these are only reached where they do.

impl<R: Rules> Course<State> for Erased<R> {
    fn part(&self, state: &State) -> usize {
        let course = self.rules.course().zip(self.own(state));
        course.map_or(0, |(course, state)| course.part(state))
    }

    fn mid_turn(&self, state: &State) -> bool {
        let course = self.rules.course().zip(self.own(state));
        course.is_some_and(|(course, state)| course.mid_turn(state))
    }

    fn attribute_key(&self, state: &State, player: Player, mv: Move) -> u64 {
        let course = self.rules.course().zip(self.own(state));
        course.map_or(mv.0, |(course, state)| course.attribute_key(state, player, mv))
    }
}

impl<R: Rules> SeenMoves<State> for Erased<R> {
    fn seen_move_text(&self, state: &State, player: Player, mv: Move, viewer: Player) -> String {
        match self.rules.seen_moves().zip(self.own(state)) {
            Some((seen, state)) => seen.seen_move_text(state, player, mv, viewer),
            None => self.move_text(state, Some(player), mv),
        }
    }
}

impl<R: Rules> Scripts<State> for Erased<R> {
    fn yardstick(&self) -> &str {
        self.rules.scripts().map_or("", |scripts| scripts.yardstick())
    }

    fn script(&self, text: &str) -> Result<Script, GameError> {
        match self.rules.scripts() {
            Some(scripts) => scripts.script(text),
            None => Err(no_script(&self.rules.info().name, text)),
        }
    }

    fn scripted_move(&self, script: Script, state: &State, player: Player, rng: &mut Rng) -> Move {
        match self.rules.scripts().zip(self.own(state)) {
            Some((scripts, state)) => scripts.scripted_move(script, state, player, rng),
            None => Move::default(),
        }
    }
}
