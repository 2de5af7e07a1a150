//! Many games of one kind played side by side, a step of all of them at a time, into memory that the caller owns.
//!
//! The `dyn` boundary is crossed once for a step of all lanes: inside, everything is compiled for the type of state.

use std::sync::Arc;

use crate::choices::{Choices, DrawAll, Marks, Space};
use crate::memory::{Soon, expect};
use crate::planes::{Easel, Kept, Planes};
use crate::{Ends, Move, Place, Player, PlayerSet, Rng, Rules, Turn, View};

/// What happens in a lane whose game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Renewal {
    /// The next step begins a new game, whatever is chosen in it.
    #[default]
    NextStep,
    /// A new game begins in the same step; how the old one ended is shown apart.
    SameStep,
    /// Nothing, until the lane is begun anew.
    Never,
}

/// How payoffs are told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reward {
    /// From -1 to 1, nought for a tie of two.
    #[default]
    Balanced,
    /// As the game has them, from nought to one.
    Payoff,
}

impl Reward {
    /// A payoff as a reward in a game of so many players.
    #[inline]
    pub fn of(self, payoff: f32, players: usize) -> f32 {
        match self {
            Reward::Balanced if players > 1 => 2.0 * payoff - 1.0,
            _ => payoff,
        }
    }
}

/// How lanes are played and shown.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Numbers of moves.
    pub space: Space,
    /// The planes to write; none where there is no board, or nobody wants them.
    pub planes: Option<Arc<Planes>>,
    /// What happens after the end of a game.
    pub renewal: Renewal,
    /// How payoffs are told.
    pub reward: Reward,
    /// Whether each player has a choice, a mask and planes of his own in every step; otherwise whoever moves has.
    pub together: bool,
    /// Whether masks are written.
    pub masks: bool,
}

/// Where lanes write: for each array, the part of these lanes, lane after lane. Seats are all players where they move
/// together, and one otherwise.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Planes by lane and seat.
    pub observation: &'a mut [u8],
    /// Attributes of games without planes by lane and seat; empty where that is not wanted.
    pub attributes: &'a mut [f32],
    /// Planes of games that ended in this step, by lane and seat; empty where that is not wanted.
    pub ended: &'a mut [u8],
    /// Attributes of games that ended in this step, the same.
    pub ended_attributes: &'a mut [f32],
    /// Masks by lane and seat.
    pub mask: &'a mut [u8],
    /// By lane and player.
    pub reward: &'a mut [f32],
    /// Whether the game ended by its rules in this step.
    pub terminated: &'a mut [u8],
    /// Whether it reached the most plies that the game allows.
    pub truncated: &'a mut [u8],
    /// Who moves: a player, [`TOGETHER`] or [`NOBODY`].
    pub mover: &'a mut [i32],
}

/// Several players move at once.
pub const TOGETHER: i32 = -2;
/// The game is over.
pub const NOBODY: i32 = -4;

/// Why a step was refused. Choices are refused before anything is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// A number that is no legal move's.
    #[error("action {action} is not legal in environment {lane}")]
    Illegal {
        /// Which lane, from nought.
        lane: usize,
        /// The number.
        action: i64,
    },
    /// The game is over and begins by itself never.
    #[error("the game of environment {lane} is over: reset it")]
    Over {
        /// Which lane.
        lane: usize,
    },
    /// Several players move at once in a game that was thought to be played in turns.
    #[error("several players move at once in environment {lane}: make it with `simultaneous=True`")]
    Together {
        /// Which lane.
        lane: usize,
    },
}

/// Some lanes of a game.
pub trait Lanes: Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins a lane anew and shows it.
    fn begin(&mut self, lane: usize, rng: Rng, frame: &mut Frame<'_>) -> Result<(), Refused>;

    /// Finds out whether all these choices are legal and remembers them; nothing is played.
    fn choose(&mut self, actions: &[i32]) -> Result<(), Refused>;

    /// Plays a step of all lanes by the choices remembered.
    fn step(&mut self, frame: &mut Frame<'_>) -> Result<(), Refused>;

    /// Draws a legal choice for each lane and seat, `-1` where there is none to make. What is drawn depends on the
    /// key and on the number of the lane, which is `first` for the first of these, and on nothing else.
    fn draw(&self, key: u64, first: usize, out: &mut [i32]);

    /// Calls `each` with the numbers of the legal moves of a lane's seat.
    fn legal(&self, lane: usize, seat: usize, each: &mut dyn FnMut(u32));
}

struct Lane<S> {
    state: S,
    rng: Rng,
    plies: u32,
    /// Who moves; nobody where the game is over.
    movers: PlayerSet,
    /// The last move, and whether the only choice is what must be done for want of members; where lanes are running.
    last: Option<Ends>,
    forced: bool,
    /// What was shown of it last.
    kept: Kept,
}

/// The memory of lanes is asked for while so many others are yet to be played before them.
const LATER: usize = 6;
/// The same, what that leads to.
const NEXT: usize = 3;

/// Where codes go is kept for so many of them at most.
const MOST_ENDS: usize = 1 << 16;

/// Lanes of one type of game.
///
/// Where whose pieces stand where is all that is shown, lanes are *running*: states have the form that they have in playouts
/// and are played on by members of families, which is faster and the same game.
pub(crate) struct Typed<R: Rules, G: AsRef<R>> {
    game: Arc<G>,
    /// Where every code of every player goes, one player after the other, where lanes are running.
    running: Option<Vec<Option<Ends>>>,
    start: R::State,
    /// The last move before the first.
    begun: Option<Ends>,
    plan: Plan,
    players: usize,
    seats: usize,
    lanes: Vec<Lane<R::State>>,
    /// By lane and seat.
    choices: Vec<Choices>,
    /// What was chosen, by lane and seat.
    chosen: Vec<Place>,
    marks: Marks,
    view: View,
    hidden: bool,
    limit: u32,
}

impl<R: Rules, G: AsRef<R> + Send + Sync> Typed<R, G> {
    pub(crate) fn new(game: Arc<G>, count: usize, plan: Plan) -> Self {
        let rules: &R = (*game).as_ref();
        let (mut start, players) = (rules.start(), rules.info().players);
        let (hidden, begun) = (rules.info().hidden, rules.plane_last(&start));
        let running = Self::can_run(rules, &plan, &start).then(|| {
            rules.begin_steps(&mut start);
            let codes = 0..plan.space.codes;
            let ends = |player| codes.clone().map(move |code| rules.code_ends(player, code));
            (0..players as u8).flat_map(|player| ends(Player(player))).collect()
        });
        let seats = if plan.together { players } else { 1 };
        let lane = |lane| Lane {
            state: start.clone(),
            rng: Rng::stream(0, lane),
            plies: 0,
            movers: PlayerSet::default(),
            last: None,
            forced: false,
            kept: Kept::default(),
        };
        Typed {
            lanes: (0..count as u64).map(lane).collect(),
            choices: vec![Choices::default(); count * seats],
            chosen: vec![Place::default(); count * seats],
            limit: rules.info().max_plies,
            marks: Marks::default(),
            view: View::new(),
            game,
            running,
            start,
            begun,
            plan,
            players,
            seats,
            hidden,
        }
    }

    /// Whether lanes can be running.
    fn can_run(rules: &R, plan: &Plan, start: &R::State) -> bool {
        let (shown, own) = (rules.plane_geometry(), rules.geometry());
        let mut state = start.clone();
        rules.begin_steps(&mut state);
        let owned = |player| rules.owned(&state, Player(player)).is_some();
        plan.space.codes as usize * rules.info().players <= MOST_ENDS
            && plan.planes.as_ref().is_some_and(|planes| planes.is_plain())
            && !plan.together
            && !rules.info().hidden
            && shown.zip(own).is_some_and(|(shown, own)| std::ptr::eq(shown, own))
            && (0..rules.info().players as u8).all(owned)
    }

    /// The place of a player's choice among all.
    #[inline]
    fn seat(&self, lane: usize, player: Player) -> usize {
        if self.plan.together { lane * self.seats + player.index() } else { lane }
    }

    /// Lets chance decide until somebody has a choice.
    #[inline]
    fn settle(rules: &R, lane: &mut Lane<R::State>) -> Turn {
        loop {
            match rules.turn(&lane.state) {
                Turn::Chance => {
                    let outcome = rules.sample_chance(&lane.state, &mut lane.rng);
                    rules.apply(&mut lane.state, &[outcome]);
                    lane.plies += 1;
                }
                turn => return turn,
            }
        }
    }

    /// Begins the game of a lane anew.
    #[inline]
    fn renew(&mut self, at: usize) -> Turn {
        let lane = &mut self.lanes[at];
        lane.state.clone_from(&self.start);
        (lane.plies, lane.last) = (0, self.begun);
        self.arrive(at)
    }

    /// Lets chance decide, and finds the choices of a lane that is running: its game may end for want of them.
    #[inline]
    fn arrive(&mut self, at: usize) -> Turn {
        let rules: &R = (*self.game).as_ref();
        let lane = &mut self.lanes[at];
        let turn = Self::settle(rules, lane);
        if self.running.is_none() {
            return turn;
        }
        if let Turn::Players(players) = turn {
            let (choices, marks) = (&mut self.choices[at], &mut self.marks);
            let (player, space) = (players.first().unwrap_or_default(), self.plan.space);
            lane.forced = !choices.fill_members(rules, &lane.state, player, space, marks);
            if !lane.forced {
                return turn;
            }
            let mut after = lane.state.clone();
            if let Some(code) = rules.stuck(&mut after, player) {
                choices.fill_one(code, space, marks);
                return turn;
            }
            lane.state = after;
        }
        self.choices[at].clear();
        rules.end_playout(&mut lane.state);
        Turn::Over
    }

    /// Shows who moves in a lane and what he may do.
    #[inline]
    fn show_turn(&mut self, at: usize, turn: Turn, frame: &mut Frame<'_>) -> Result<(), Refused> {
        let rules: &R = (*self.game).as_ref();
        let (seats, space) = (self.seats, self.plan.space);
        let size = space.len() as usize;
        let lane = &mut self.lanes[at];
        lane.movers = match turn {
            Turn::Players(players) => players,
            _ => PlayerSet::default(),
        };
        frame.mover[at] = match lane.movers.first() {
            None => NOBODY,
            Some(_) if lane.movers.len() > 1 => TOGETHER,
            Some(player) => i32::from(player.0),
        };
        if !self.plan.together {
            let choices = &mut self.choices[at];
            match lane.movers.first() {
                Some(_) if lane.movers.len() > 1 => return Err(Refused::Together { lane: at }),
                Some(_) if self.running.is_some() => {}
                Some(player) => choices.fill(rules, &lane.state, player, space, &mut self.marks),
                None => choices.clear(),
            }
            if self.plan.masks {
                choices.write_mask(&mut frame.mask[at * size..][..size]);
            }
            return Ok(());
        }
        for seat in 0..seats {
            let place = at * seats + seat;
            let (choices, player) = (&mut self.choices[place], Player(seat as u8));
            let mask = self.plan.masks.then(|| &mut frame.mask[place * size..][..size]);
            let mask = mask.unwrap_or_default();
            match lane.movers.contains(player) {
                true => choices.fill(rules, &lane.state, player, space, &mut self.marks),
                false => choices.clear(),
            }
            choices.write_mask(mask);
        }
        Ok(())
    }

    /// Makes the masks of a lane noughts again.
    #[inline]
    fn wipe_masks(&self, at: usize, frame: &mut Frame<'_>) {
        let size = self.plan.space.len() as usize;
        if self.plan.masks {
            for place in at * self.seats..(at + 1) * self.seats {
                self.choices[place].wipe_mask(&mut frame.mask[place * size..][..size]);
            }
        }
    }

    /// Writes the planes of a lane, or the attributes of a game without planes.
    #[inline]
    fn show_planes(&mut self, at: usize, whose: i32, out: &mut [u8], attributes: &mut [f32]) {
        let Some(planes) = &self.plan.planes else {
            return self.show_attributes(at, whose, attributes);
        };
        let rules: &R = (*self.game).as_ref();
        let Lane { state, kept, last, .. } = &mut self.lanes[at];
        let last = if self.running.is_some() { *last } else { rules.plane_last(state) };
        if !self.plan.together {
            let (looks, size) = (Player(whose.max(0) as u8), planes.len());
            let out = &mut out[at * size..][..size];
            let easel = Easel { kept, view: &mut self.view };
            return planes.show(rules, state, last, looks, easel, out);
        }
        let (size, mut seen) = (planes.len(), None);
        for seat in 0..self.seats {
            let looks = Player(seat as u8);
            let viewer = self.hidden.then_some(looks);
            if seen != Some(viewer) {
                rules.plane_view(state, viewer, planes.detail(), &mut self.view);
                seen = Some(viewer);
            }
            let out = &mut out[(at * self.seats + seat) * size..][..size];
            planes.write(&self.view, last, looks, out);
        }
    }

    /// Writes the attributes of a lane, as whoever moves sees them or every player.
    fn show_attributes(&self, at: usize, whose: i32, out: &mut [f32]) {
        let rules: &R = (*self.game).as_ref();
        let width = out.len() / (self.lanes.len() * self.seats).max(1);
        if width == 0 {
            return;
        }
        let rows = out.chunks_exact_mut(width).skip(at * self.seats);
        for (seat, row) in rows.take(self.seats).enumerate() {
            let looks = if self.plan.together { seat } else { whose.max(0) as usize };
            rules.attribute_values(&self.lanes[at].state, Player(looks as u8), row);
        }
    }

    /// Plays a lane on by what was chosen and says how it stands.
    #[inline]
    fn play(&mut self, at: usize) -> Turn {
        let movers = self.lanes[at].movers;
        let rules: &R = (*self.game).as_ref();
        if self.running.is_some() {
            return self.run(at, movers.first().unwrap_or_default());
        }
        if !self.plan.together {
            let (lane, player) = (&mut self.lanes[at], movers.first().unwrap_or_default());
            let mv = self.choices[at].member(rules, &lane.state, player, self.chosen[at]);
            rules.apply(&mut lane.state, &[mv]);
            lane.plies += 1;
            return Self::settle(rules, lane);
        }
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        for (slot, player) in joint.iter_mut().zip(movers) {
            let seat = self.seat(at, player);
            let (choices, place) = (&self.choices[seat], self.chosen[seat]);
            *slot = choices.member(rules, &self.lanes[at].state, player, place);
        }
        let lane = &mut self.lanes[at];
        rules.apply(&mut lane.state, &joint[..movers.len()]);
        lane.plies += 1;
        Self::settle(rules, lane)
    }

    /// Asks for the memory of a lane that will be played on soon.
    #[inline(always)]
    fn expect(&self, at: usize, frame: &Frame<'_>, soon: Soon) {
        let Some(lane) = self.lanes.get(at).filter(|_| frame.mover[at] >= 0) else { return };
        let rules: &R = (*self.game).as_ref();
        if soon == Soon::Later {
            expect(&lane.rng);
            expect(&lane.kept);
        }
        rules.expect_play(&lane.state, self.choices[at].families(), self.chosen[at], soon);
    }

    /// Plays a lane on that is running.
    #[inline]
    fn run(&mut self, at: usize, player: Player) -> Turn {
        let rules: &R = (*self.game).as_ref();
        let (lane, choices, place) = (&mut self.lanes[at], &self.choices[at], self.chosen[at]);
        let families = choices.families();
        let codes = self.plan.space.codes as usize;
        let ends = self.running.as_deref().unwrap_or_default();
        let goes = |code: u32| {
            let known = ends.get(player.index() * codes + code as usize).copied();
            known.filter(|_| (code as usize) < codes).flatten()
        };
        lane.plies += 1;
        if lane.forced {
            lane.last = rules.stuck(&mut lane.state, player).and_then(goes);
            return self.arrive(at);
        }
        lane.last = goes(families.code(place));
        match lane.last {
            Some(_) => rules.play(&mut lane.state, player, families, place),
            None => {
                // Where the code does not tell where the move goes, the position does afterwards.
                let mv = rules.member(&lane.state, player, families, place);
                rules.apply(&mut lane.state, &[mv]);
                lane.last = rules.plane_last(&lane.state);
                rules.begin_steps(&mut lane.state);
            }
        }
        self.arrive(at)
    }

    fn pay(&self, at: usize, reward: &mut [f32]) {
        let rules: &R = (*self.game).as_ref();
        rules.payoffs(&self.lanes[at].state, reward);
        reward.iter_mut().for_each(|one| *one = self.plan.reward.of(*one, self.players));
    }

    /// One step of one lane.
    #[inline]
    fn step_lane(&mut self, at: usize, frame: &mut Frame<'_>) -> Result<(), Refused> {
        let reward = &mut frame.reward[at * self.players..][..self.players];
        reward.fill(0.0);
        (frame.terminated[at], frame.truncated[at]) = (0, 0);
        self.wipe_masks(at, frame);
        if self.lanes[at].movers.is_empty() {
            if self.plan.renewal == Renewal::Never {
                return Err(Refused::Over { lane: at });
            }
            let turn = self.renew(at);
            return self.show(at, turn, frame);
        }
        let before = frame.mover[at];
        let mut turn = self.play(at);
        if turn == Turn::Over {
            frame.terminated[at] = 1;
            self.pay(at, &mut frame.reward[at * self.players..][..self.players]);
        } else if self.lanes[at].plies >= self.limit {
            frame.truncated[at] = 1;
            turn = Turn::Over;
        }
        if turn != Turn::Over {
            return self.show(at, turn, frame);
        }
        // Who would move next is told no more; the planes are those of whoever did not move last.
        let looks = if self.players == 2 && before >= 0 { 1 - before } else { before };
        if self.plan.renewal == Renewal::SameStep {
            if !frame.ended.is_empty() || !frame.ended_attributes.is_empty() {
                self.show_planes(at, looks, frame.ended, frame.ended_attributes);
            }
            let turn = self.renew(at);
            return self.show(at, turn, frame);
        }
        self.show_turn(at, turn, frame)?;
        self.show_planes(at, looks, frame.observation, frame.attributes);
        Ok(())
    }

    #[inline]
    fn show(&mut self, at: usize, turn: Turn, frame: &mut Frame<'_>) -> Result<(), Refused> {
        self.show_turn(at, turn, frame)?;
        self.show_planes(at, frame.mover[at], frame.observation, frame.attributes);
        Ok(())
    }
}

impl<R: Rules, G: AsRef<R> + Send + Sync> Lanes for Typed<R, G> {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn begin(&mut self, lane: usize, rng: Rng, frame: &mut Frame<'_>) -> Result<(), Refused> {
        self.lanes[lane].rng = rng;
        frame.reward[lane * self.players..][..self.players].fill(0.0);
        (frame.terminated[lane], frame.truncated[lane]) = (0, 0);
        self.wipe_masks(lane, frame);
        let turn = self.renew(lane);
        self.show(lane, turn, frame)
    }

    fn choose(&mut self, actions: &[i32]) -> Result<(), Refused> {
        for at in 0..self.lanes.len() {
            let movers = self.lanes[at].movers;
            if movers.is_empty() && self.plan.renewal == Renewal::Never {
                return Err(Refused::Over { lane: at });
            }
            for player in movers {
                let seat = self.seat(at, player);
                let illegal = Refused::Illegal { lane: at, action: i64::from(actions[seat]) };
                let number = u32::try_from(actions[seat]).map_err(|_| illegal)?;
                self.chosen[seat] = self.choices[seat].find(number).ok_or(illegal)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, frame: &mut Frame<'_>) -> Result<(), Refused> {
        for at in 0..self.lanes.len() {
            if self.running.is_some() {
                self.expect(at + LATER, frame, Soon::Later);
                self.expect(at + NEXT, frame, Soon::Next);
            }
            self.step_lane(at, frame)?;
        }
        Ok(())
    }

    fn draw(&self, key: u64, first: usize, out: &mut [i32]) {
        let first = (first * self.seats) as u64;
        DrawAll { key, first, choices: &self.choices, out }.draw();
    }

    fn legal(&self, lane: usize, seat: usize, each: &mut dyn FnMut(u32)) {
        if let Some(choices) = self.choices.get(lane * self.seats + seat) {
            choices.each(each);
        }
    }
}
