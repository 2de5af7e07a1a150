//! A game that was opened, and its positions: each is named by the moves that lead to it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludex_draw::{Layout, words};
use ludex_game::geometry::ContainerKind;
use ludex_game::{
    Detail, Ends, Game, GameError, Move, MoveKind, Player, Rng, State, Trial, Turn, View,
};
use ludex_lud::patience::go_on_if_wanted;
use serde::Serialize;

use crate::course::{Course, Line};
use crate::seats::{Seated, Seats};
use crate::shelf::{Loaded, Menu, Spec};

/// No line of moves is longer: games end by themselves after ten thousand moves, and chance moves too.
const LONGEST_LINE: usize = 25_000;

/// No text of a move is longer.
const LONGEST_TEXT: usize = 10_000;

/// More moves than these that need numbers are not compared.
const MOST_TWINS: usize = 100;

/// So often chance decides one after another before whoever asks is told.
const MOST_DRAWN: usize = 100;

/// No more legal moves than these are sent.
const MOST_MOVES: usize = 20_000;

/// An opened game.
pub struct Table {
    /// The game.
    pub game: Arc<dyn Game>,
    about: About,
    layout: Option<Layout>,
    course: Mutex<Course>,
    seats: Arc<Seats>,
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
    /// A plain piece of every seat, as a picture.
    tokens: Vec<String>,
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

/// A position that was gone to.
struct Reached {
    plies: usize,
    /// What may be said instead of the moves that lead to it, as long as nobody goes another way.
    name: Option<u64>,
    state: State,
}

/// A position as the page shows it.
#[derive(Serialize)]
pub struct Position {
    ply: usize,
    /// The last moves that lead here, where chance just decided them.
    drawn: Vec<String>,
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
    /// Whether nobody could tell it from one before it.
    twin: bool,
}

impl LegalMove {
    /// Whether its text has a number, since others would have the same.
    fn is_numbered(&self) -> bool {
        let number = self.text.rsplit_once('#').map(|(_, number)| number);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    }
}

impl Table {
    /// A table for a game; agents sit where those of all tables do.
    pub fn new(id: String, spec: Spec, loaded: Loaded, seats: Arc<Seats>) -> Table {
        let game = loaded.game;
        let info = game.info();
        let layout = game.geometry().map(|geometry| {
            let mut start = View::new();
            game.view(&game.start(), None, Detail::Pieces, &mut start);
            Layout::new(geometry).with_start(&start)
        });
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
            tokens: (0..info.players).map(|n| ludex_draw::token(Player(n as u8))).collect(),
            hidden: info.hidden,
            board,
            options: loaded.menus,
            text: loaded.text,
            language: loaded.language,
        };
        let course = Mutex::new(Course::new(game.start()));
        Table { game, about, layout, course, seats }
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
        match self.reach(None, line)? {
            Some(reached) => Ok(reached.state),
            None => unreachable!("all moves were said"),
        }
    }

    /// The position after the one of this name and more moves; nothing where the name was forgotten. Without a name, the moves begin at
    /// the start.
    fn reach(
        &self,
        after: Option<u64>,
        more: &[Vec<String>],
    ) -> Result<Option<Reached>, GameError> {
        let mut course = self.course();
        let Some(known) = after.map_or(Some(0), |name| course.plies_to(name)) else {
            return Ok(None);
        };
        let end = known + more.len();
        if end > LONGEST_LINE {
            return Err(GameError::Options(format!("a line of more than {LONGEST_LINE} moves")));
        }
        // Texts that are no moves are compared with those that are, which takes as long as they are.
        if more.iter().flatten().any(|text| text.len() > LONGEST_TEXT) {
            return Err(GameError::Options(format!("a move of more than {LONGEST_TEXT} letters")));
        }
        course.turn_off(known, more);
        let (from, state) = course.before(end);
        let mut state = state.clone();
        for ply in from..end {
            go_on_if_wanted();
            let moves = match course.line.get(ply) {
                Some(joint) => self.parse(&state, joint)?,
                None => self.parse(&state, &more[ply - known])?,
            };
            self.game.apply(&mut state, &moves);
            if ply == course.line.len() {
                course.push(&more[ply - known]);
            }
            course.keep(ply + 1, end, &state);
        }
        course.forget_all_but(end);
        Ok(Some(Reached { plies: end, name: course.name_of(end), state }))
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All moves of a line of which those that lead to a position we gave a name are left out; nothing where that was forgotten.
    fn whole(&self, after: Option<u64>, more: &[Vec<String>]) -> Option<Line> {
        let course = self.course();
        let known = after.map_or(Some(0), |name| course.plies_to(name))?;
        Some(course.line[..known].iter().chain(more).cloned().collect())
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

    /// The position after another, which was given a name, and more moves, as somebody sees it who was told so many of the moves before;
    /// `None` sees everything. With a generator, chance decides what it is its turn to decide, and the position is the one after that.
    /// Nothing where the name was forgotten: whoever asks says all moves then.
    pub fn position(
        &self,
        after: Option<u64>,
        mut more: Line,
        viewer: Option<Player>,
        told: usize,
        rng: Option<&mut Rng>,
    ) -> Result<Option<Position>, GameError> {
        let drawn = match rng.map(|rng| self.draw(after, &mut more, rng)) {
            Some(drawn) => drawn?,
            None => Vec::new(),
        };
        let Some(Reached { plies, name, state }) = self.reach(after, &more)? else {
            return Ok(None);
        };
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
        let seen = match viewer_alone.filter(|_| game.seen_moves().is_some()) {
            Some(viewer) => match self.whole(after, &more) {
                Some(line) => Some(self.seen(&line, viewer)?.split_off(told.min(plies))),
                None => return Ok(None),
            },
            None => None,
        };
        Ok(Some(Position {
            ply: plies,
            drawn,
            over,
            chance: turn == Turn::Chance,
            players: players.iter().map(|player| player.index()).collect(),
            result: payoffs.as_deref().map(words::result).unwrap_or_default(),
            payoffs,
            pieces,
            show: game.show(&state, viewer),
            last: last.map(|ends| LastMove { from: ends.from, to: ends.to }),
            moves: self.moves(&state, &choosers.collect::<Vec<_>>()),
            seen,
            name,
            notes,
        }))
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
                    twin: false,
                });
            }
        }
        // Where several move at once, what one of them does shows nothing.
        if matches!(self.game.turn(state), Turn::Players(turn) if turn.len() == players.len() && turn.len() == 1)
        {
            self.find_twins(state, &moves, &mut all);
        }
        all
    }

    /// Marks moves that cannot be told from one with the same ends, such as those by either of two dice that show the same: what is
    /// seen after them is the same, and so are the moves to come. Those take long to find, and are looked for only where all else is
    /// the same.
    fn find_twins(&self, state: &State, moves: &[Move], all: &mut [LegalMove]) {
        let numbered: Vec<usize> = (0..all.len()).filter(|&at| all[at].is_numbered()).collect();
        if numbered.len() > MOST_TWINS {
            return;
        }
        let mut alike: HashMap<_, Vec<(usize, State)>> = HashMap::new();
        for at in numbered {
            go_on_if_wanted();
            let mut after = state.clone();
            self.game.apply(&mut after, &[moves[at]]);
            let (from, to) = (all[at].from, all[at].to);
            let sight = (from, to, self.pieces(&after, None), self.game.show(&after, None));
            alike.entry(sight).or_default().push((at, after));
        }
        for several in alike.into_values().filter(|several| several.len() > 1) {
            let mut known = HashSet::new();
            for (at, after) in several {
                go_on_if_wanted();
                all[at].twin = !known.insert(self.next_moves(&after));
            }
        }
    }

    /// The moves that everybody who is to move has.
    fn next_moves(&self, state: &State) -> Vec<(Player, Vec<String>)> {
        let Turn::Players(players) = self.game.turn(state) else { return Vec::new() };
        let of = |player| {
            let mut moves = Vec::new();
            self.game.moves(state, player, &mut moves);
            (player, self.game.move_texts(state, player, &moves))
        };
        players.into_iter().map(of).collect()
    }

    /// Where a move starts and ends; nowhere in games without a board.
    pub fn ends(&self, state: &State, player: Player, mv: Move) -> Ends {
        match self.game.geometry() {
            Some(_) => self.game.ends(state, Some(player), mv),
            None => Ends::nowhere(MoveKind::Other),
        }
    }

    /// Lets chance decide until it is somebody's turn, and tells what it decided.
    fn draw(
        &self,
        after: Option<u64>,
        more: &mut Line,
        rng: &mut Rng,
    ) -> Result<Vec<String>, GameError> {
        let mut drawn = Vec::new();
        while drawn.len() < MOST_DRAWN {
            let Some(Reached { state, .. }) = self.reach(after, more)? else { break };
            if self.game.turn(&state) != Turn::Chance {
                break;
            }
            let outcome = self.game.sample_chance(&state, rng);
            let text = self.game.move_text(&state, None, outcome);
            drawn.push(text.clone());
            more.push(vec![text]);
        }
        Ok(drawn)
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
        let mut seated = self.seats.take(self.id(), player, text)?;
        let known = seated.line.len();
        if known > line.len() || seated.line[..] != line[..known] {
            return None;
        }
        self.along(line, known, |_, before, joint| seated.agent.played(before, joint)).ok()?;
        seated.line.clone_from(line);
        Some(seated)
    }

    /// Seats an agent until it is asked again.
    pub fn seat(&self, player: Player, text: String, agent: Seated) {
        self.seats.put(self.id(), player, text, agent);
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
