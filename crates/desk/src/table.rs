//! A game that was opened, and its positions: each is named by the moves that lead to it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludex_draw::{Layout, words};
use ludex_game::geometry::ContainerKind;
use ludex_game::{
    Detail, Ends, Game, GameError, Move, MoveKind, Player, Rng, State, Trial, Turn, View,
};
use ludex_lud::patience::go_on_if_wanted;
use ludex_play::agent::Agent;
use serde::Serialize;

use crate::shelf::{Loaded, Menu, Spec};

/// No line of moves is longer: games end by themselves after ten thousand moves, and chance moves too.
const LONGEST_LINE: usize = 25_000;

/// So many positions before the last are kept, and of earlier ones every so-manieth: long games have many.
const KEPT: usize = 256;

/// No more legal moves than these are sent.
const MOST_MOVES: usize = 20_000;

/// The moves so far: for every ply a text for each player who moved, or one for chance.
pub type Line = Vec<Vec<String>>;

/// An opened game.
pub struct Table {
    /// The game.
    pub game: Arc<dyn Game>,
    about: About,
    layout: Option<Layout>,
    course: Mutex<Course>,
    /// Agents that sit at the table, with the moves they know of, by player and text.
    seated: Mutex<HashMap<(usize, String), Seated>>,
}

/// An agent between two of its moves.
pub struct Seated {
    /// The agent.
    pub agent: Box<dyn Agent>,
    /// The moves it knows of.
    pub line: Line,
    /// What it is, in full: `auto` has become something.
    pub shown: String,
}

/// What the page is told of a game once.
#[derive(Clone, Serialize)]
struct About {
    id: String,
    name: String,
    spec: Spec,
    about: String,
    players: usize,
    seats: Vec<String>,
    hidden: bool,
    board: Option<Board>,
    options: Vec<Menu>,
    text: Option<String>,
    language: crate::shelf::Language,
}

#[derive(Clone, Serialize)]
struct Board {
    svg: String,
    sites: Vec<SitePlace>,
}

#[derive(Clone, Serialize)]
struct SitePlace {
    x: f32,
    y: f32,
    r: f32,
    label: String,
    /// Whether it is beside the board: in a hand, say.
    hand: bool,
}

/// Positions along the line asked for last, by how many moves lead to them; the first is always there.
struct Course {
    line: Line,
    /// What the position after each move of the line is called.
    names: Vec<u64>,
    next_name: u64,
    states: BTreeMap<usize, State>,
    /// What each seat learned of the line's moves, as far as it was asked.
    seen: HashMap<Player, Line>,
}

impl Course {
    fn new(start: State) -> Course {
        let states = BTreeMap::from([(0, start)]);
        Course { line: Line::new(), names: Vec::new(), next_name: 1, states, seen: HashMap::new() }
    }

    /// Goes back to where the line was the same, and forgets what came after.
    fn back_to(&mut self, ply: usize) {
        self.line.truncate(ply);
        self.names.truncate(ply);
        self.states.split_off(&(ply + 1));
        self.seen.values_mut().for_each(|seen| seen.truncate(ply));
    }

    /// The last position that is kept on the way to one.
    fn before(&self, ply: usize) -> (usize, &State) {
        let (&ply, state) =
            self.states.range(..=ply).next_back().expect("the first is always there");
        (ply, state)
    }

    fn push(&mut self, joint: &[String]) {
        self.line.push(joint.to_vec());
        self.names.push(self.next_name);
        self.next_name += 1;
    }

    /// Whether a line begins as this one does.
    fn shares(&self, line: &[Vec<String>], plies: usize) -> bool {
        plies <= self.line.len() && self.line.get(..plies) == line.get(..plies)
    }

    /// Forgets positions that are neither near the end nor just before this one, but for some of them.
    fn forget_all_but(&mut self, here: usize) {
        let end = self.line.len();
        let near = |ply: usize, of: usize| ply <= of && ply + KEPT > of;
        self.states.retain(|&ply, _| ply.is_multiple_of(KEPT) || near(ply, end) || near(ply, here));
    }
}

/// A position as the page shows it.
#[derive(Serialize)]
pub struct Position {
    ply: usize,
    over: bool,
    chance: bool,
    players: Vec<usize>,
    payoffs: Option<Vec<f32>>,
    pieces: String,
    show: String,
    last: Option<LastMove>,
    moves: Vec<LegalMove>,
    /// The moves so far as whoever looks learned of them, without those he was told before; nothing where everybody sees moves
    /// whole.
    seen: Option<Line>,
    /// What may be said instead of the moves that lead here: long games have many, and would be sent whole with every move.
    name: Option<u64>,
    notes: Vec<String>,
    result: String,
}

#[derive(Serialize)]
struct LastMove {
    from: Option<u32>,
    to: Option<u32>,
}

#[derive(Serialize)]
struct LegalMove {
    player: usize,
    text: String,
    from: Option<u32>,
    to: Option<u32>,
    kind: &'static str,
}

impl Table {
    /// A table for a game.
    pub fn new(id: String, spec: Spec, loaded: Loaded) -> Table {
        let game = loaded.game;
        let info = game.info();
        let layout = game.geometry().map(Layout::new);
        let board = game.geometry().zip(layout.as_ref()).map(|(geometry, layout)| Board {
            svg: ludex_draw::board(geometry, layout),
            sites: geometry
                .sites
                .iter()
                .zip(&layout.places)
                .map(|(site, place)| SitePlace {
                    x: place.x,
                    y: place.y,
                    r: place.r,
                    label: site.label.clone(),
                    hand: geometry.containers[site.container as usize].kind != ContainerKind::Board,
                })
                .collect(),
        });
        let about = About {
            id,
            name: loaded.name,
            spec,
            about: loaded.about,
            players: info.players,
            seats: (0..info.players).map(|index| Player(index as u8).to_string()).collect(),
            hidden: info.hidden,
            board,
            options: loaded.menus,
            text: loaded.text,
            language: loaded.language,
        };
        let course = Mutex::new(Course::new(game.start()));
        Table { game, about, layout, course, seated: Mutex::default() }
    }

    /// What the page is told of the game once.
    pub fn about(&self) -> impl Serialize + use<> {
        self.about.clone()
    }

    /// How the game is named on the command line, where it can be.
    pub fn spec(&self) -> &Spec {
        &self.about.spec
    }

    /// The number by which the page asks for it.
    pub fn id(&self) -> &str {
        &self.about.id
    }

    /// What the game is called.
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// The state after a line of moves.
    pub fn state(&self, line: &[Vec<String>]) -> Result<State, GameError> {
        if line.len() > LONGEST_LINE {
            return Err(GameError::Options(format!("a line of more than {LONGEST_LINE} moves")));
        }
        let mut course = self.course();
        let shared = course.line.iter().zip(line).take_while(|(a, b)| a == b).count();
        if shared < line.len() {
            course.back_to(shared);
        }
        let (known, state) = course.before(line.len());
        let mut state = state.clone();
        for (ply, joint) in line.iter().enumerate().skip(known) {
            go_on_if_wanted();
            let moves = self.parse(&state, joint)?;
            self.game.apply(&mut state, &moves);
            let after = ply + 1;
            if ply == course.line.len() {
                course.push(joint);
            }
            if after.is_multiple_of(KEPT) || after + KEPT > line.len() {
                course.states.insert(after, state.clone());
            }
        }
        course.forget_all_but(line.len());
        Ok(state)
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All moves of a line of which those that lead to a position we gave a name are left out; nothing where that was forgotten.
    pub fn whole(&self, after: Option<u64>, line: Line) -> Option<Line> {
        let Some(name) = after else { return Some(line) };
        let course = self.course();
        let at = course.names.iter().rposition(|&known| known == name)?;
        Some(course.line[..=at].iter().cloned().chain(line).collect())
    }

    /// What the position after a line may be called as long as nobody goes another way.
    fn name_of(&self, line: &Line) -> Option<u64> {
        let course = self.course();
        line.len()
            .checked_sub(1)
            .filter(|_| course.shares(line, line.len()))
            .map(|at| course.names[at])
    }

    /// Goes through the positions of a line from one on, each with the moves made in it.
    fn along(
        &self,
        line: &[Vec<String>],
        from: usize,
        mut visit: impl FnMut(usize, &State, &[Move]),
    ) -> Result<(), GameError> {
        let mut state = self.state(&line[..from])?;
        for (ply, joint) in line.iter().enumerate().skip(from) {
            go_on_if_wanted();
            let moves = self.parse(&state, joint)?;
            visit(ply, &state, &moves);
            self.game.apply(&mut state, &moves);
        }
        Ok(())
    }

    /// The moves that texts name in a state.
    fn parse(&self, state: &State, joint: &[String]) -> Result<Vec<Move>, GameError> {
        let illegal = |text: &str| GameError::IllegalMove { text: text.to_string(), closest: None };
        match self.game.turn(state) {
            Turn::Over => Err(GameError::Over),
            Turn::Chance => {
                let text = joint.first().map_or("", String::as_str);
                let outcome = self.game.parse_chance(state, text).ok_or_else(|| illegal(text))?;
                Ok(vec![outcome])
            }
            Turn::Players(players) if players.len() == joint.len() => players
                .into_iter()
                .zip(joint)
                .map(|(player, text)| self.game.parse_move(state, player, text))
                .collect(),
            Turn::Players(_) => Err(illegal(&joint.join(" + "))),
        }
    }

    /// A position as somebody sees it, who was told so many of the moves before; `None` sees everything.
    pub fn position(
        &self,
        line: &Line,
        viewer: Option<Player>,
        told: usize,
    ) -> Result<Position, GameError> {
        let state = self.state(line)?;
        let game = &*self.game;
        let turn = game.turn(&state);
        let over = turn == Turn::Over;
        let players: Vec<Player> = match turn {
            Turn::Players(players) => players.into_iter().collect(),
            _ => Vec::new(),
        };
        let payoffs = over.then(|| {
            let mut payoffs = vec![0.0; game.info().players];
            game.payoffs(&state, &mut payoffs);
            payoffs
        });
        let (pieces, notes) = self.pieces(&state, viewer);
        let last = game.geometry().and_then(|_| ludex_draw::last_move(game, &state));
        // Where something is hidden, what others may do tells what they hold.
        let viewer_alone = viewer.filter(|_| game.info().hidden);
        let choosers = players.iter().copied().filter(|&one| viewer_alone.is_none_or(|v| v == one));
        Ok(Position {
            ply: line.len(),
            over,
            chance: turn == Turn::Chance,
            players: players.iter().map(|player| player.index()).collect(),
            result: payoffs.as_deref().map(words::result).unwrap_or_default(),
            payoffs,
            pieces,
            show: game.show(&state, viewer),
            last: last.map(|ends| LastMove { from: ends.from, to: ends.to }),
            moves: self.moves(&state, &choosers.collect::<Vec<_>>()),
            seen: match viewer_alone.filter(|_| game.seen_moves().is_some()) {
                Some(viewer) => Some(self.seen(line, viewer)?.split_off(told.min(line.len()))),
                None => None,
            },
            name: self.name_of(line),
            notes,
        })
    }

    /// What somebody learned of the moves so far.
    fn seen(&self, line: &Line, viewer: Player) -> Result<Line, GameError> {
        let mut seen = {
            let course = self.course();
            let known = course.seen.get(&viewer).filter(|seen| course.shares(line, seen.len()));
            known.cloned().unwrap_or_default()
        };
        self.along(line, seen.len().min(line.len()), |ply, before, moves| {
            seen.push(match self.game.turn(before) {
                Turn::Players(players) => {
                    let moves = players.into_iter().zip(moves);
                    let text = |(player, &mv)| self.game.seen_move_text(before, player, mv, viewer);
                    moves.map(text).collect()
                }
                _ => line[ply].clone(),
            });
        })?;
        let mut course = self.course();
        if course.shares(line, seen.len()) {
            course.seen.insert(viewer, seen.clone());
        }
        seen.truncate(line.len());
        Ok(seen)
    }

    fn pieces(&self, state: &State, viewer: Option<Player>) -> (String, Vec<String>) {
        let (Some(geometry), Some(layout)) = (self.game.geometry(), &self.layout) else {
            return Default::default();
        };
        let mut view = View::new();
        self.game.view(state, viewer, Detail::Pieces, &mut view);
        let scores = view.scores.iter().enumerate();
        let notes =
            scores.map(|(seat, score)| format!("{}: {score}", Player(seat as u8))).collect();
        (ludex_draw::pieces(geometry, layout, &view), notes)
    }

    fn moves(&self, state: &State, players: &[Player]) -> Vec<LegalMove> {
        let mut all = Vec::new();
        let mut moves = Vec::new();
        for &player in players {
            moves.clear();
            self.game.moves(state, player, &mut moves);
            moves.truncate(MOST_MOVES);
            let texts = self.game.move_texts(state, player, &moves);
            for (&mv, text) in moves.iter().zip(texts) {
                go_on_if_wanted();
                let ends = self.ends(state, player, mv);
                all.push(LegalMove {
                    player: player.index(),
                    text,
                    from: ends.from,
                    to: ends.to,
                    kind: kind(ends.kind),
                });
            }
        }
        all
    }

    /// Where a move starts and ends; nowhere in games without a board.
    pub fn ends(&self, state: &State, player: Player, mv: Move) -> Ends {
        match self.game.geometry() {
            Some(_) => self.game.ends(state, Some(player), mv),
            None => Ends::nowhere(MoveKind::Other),
        }
    }

    /// What chance gives after a line of moves.
    pub fn chance(&self, line: &Line, rng: &mut Rng) -> Result<String, GameError> {
        let state = self.state(line)?;
        match self.game.turn(&state) {
            Turn::Chance => {
                let outcome = self.game.sample_chance(&state, rng);
                Ok(self.game.move_text(&state, None, outcome))
            }
            Turn::Over => Err(GameError::Over),
            Turn::Players(players) => {
                Err(GameError::NotYourTurn(players.first().unwrap_or(Player::FIRST)))
            }
        }
    }

    /// The moves of a record ply by ply.
    pub fn line_of(&self, trial: &Trial) -> Result<Line, GameError> {
        let mut texts = trial.moves.iter().map(|(_, text)| text.clone()).peekable();
        let mut line = Line::new();
        while texts.peek().is_some() {
            let together = match self.game.turn(&self.state(&line)?) {
                Turn::Players(players) => players.len(),
                Turn::Chance => 1,
                Turn::Over => return Err(GameError::Over),
            };
            line.push(texts.by_ref().take(together).collect());
        }
        self.state(&line).map(|_| line)
    }

    /// The game so far as a record.
    pub fn record(&self, line: &Line) -> Result<Trial, GameError> {
        let named = self.about.spec.named(&format!("{}.lud", self.about.name));
        let mut trial = Trial::new(named.to_string(), 0);
        let end = self.state(line)?;
        self.along(line, 0, |ply, before, _| {
            let texts = line[ply].iter().cloned();
            match self.game.turn(before) {
                Turn::Players(players) => {
                    trial.moves.extend(players.into_iter().map(Some).zip(texts))
                }
                _ => trial.moves.extend(texts.map(|text| (None, text))),
            }
        })?;
        if self.game.turn(&end) == Turn::Over {
            let mut payoffs = vec![0.0; self.game.info().players];
            self.game.payoffs(&end, &mut payoffs);
            trial.result = Some(payoffs);
        }
        Ok(trial)
    }

    /// The agent that sits at a place, told of all moves of the line, if it was there and has seen no other moves.
    pub fn take_agent(&self, player: Player, text: &str, line: &Line) -> Option<Seated> {
        let mut seated = self.seated.lock().unwrap_or_else(PoisonError::into_inner);
        let Seated { mut agent, line: known, shown } =
            seated.remove(&(player.index(), text.to_string()))?;
        drop(seated);
        if known.len() > line.len() || known[..] != line[..known.len()] {
            return None;
        }
        self.along(line, known.len(), |_, before, joint| agent.played(before, joint)).ok()?;
        Some(Seated { agent, line: line.clone(), shown })
    }

    /// Seats an agent until it is asked again.
    pub fn seat(&self, player: Player, text: String, agent: Seated) {
        let mut seated = self.seated.lock().unwrap_or_else(PoisonError::into_inner);
        seated.retain(|(index, _), _| *index != player.index());
        seated.insert((player.index(), text), agent);
    }
}

fn kind(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Place => "place",
        MoveKind::Move => "move",
        MoveKind::Capture => "capture",
        MoveKind::Pass => "pass",
        MoveKind::Swap => "swap",
        MoveKind::Promote => "promote",
        MoveKind::Roll => "roll",
        MoveKind::Vote => "vote",
        MoveKind::Other => "other",
    }
}
