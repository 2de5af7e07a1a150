//! A compiled game as everything to the right sees it: the contract of [`Rules`].
//!
//! A position carries its legal moves, found once when it is reached, so that listing, playing and
//! asking whose turn it is cost nothing more. A move is known by a hash of all it does; moves that
//! do the same are the same move, listed as often as the rules list them.

use super::attributes::{Attributes, mobility, standing};
use super::codes::Codes;
use super::ctx::{Chance, Ctx, Source};
use super::dice::Dice;
use super::ends::Making;
use super::game::{Compiled, Mode};
use super::moves::Mv;
use super::position::{Awaits, Position, Thrown, reached};
use super::state::State;
use super::{draw, ends, hidden, show};
use ludex_game::{
    Coding, Detail, Ends, Families, GameError, GameInfo, Geometry, Move, MoveKind, Player,
    PlayerSet, PlayoutKind, Rng, Rules, SiteId, Turn, View,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What goes on by itself where nobody plays.
const HAPPENS: &str = "next";

/// How the text of a seed starts.
const SEED: &str = "numbers from ";

/// Hidden parts are drawn so often at most until they fit what a player knows.
const MOST_DRAWS: usize = 32;

/// A game from ludemes, ready to be played.
#[derive(Debug)]
pub struct Ludemes {
    game: Arc<Compiled>,
    info: GameInfo,
    start: Position,
    dice: Dice,
    /// How random moves are drawn.
    plan: draw::Plan,
    attributes: Attributes,
    codes: Codes,
}

impl Ludemes {
    /// Makes a compiled game playable, or says what about it cannot be played yet.
    pub fn new(game: Compiled) -> Result<Self, GameError> {
        check_dice(&game)?;
        let dice = Dice::of(&game).unwrap_or_default();
        let mut ctx = Ctx::new(&game, game.empty_state());
        let log = ctx.start();
        let start = match ctx.chance.unknown {
            false => {
                let last = ends::placed_last(&game, &ctx.s, &log);
                Position { last, ..reached(Ctx::new(&game, ctx.s), Thrown::Nothing) }
            }
            true => {
                Position { state: game.empty_state(), awaits: Awaits::Start, ..Position::default() }
            }
        };
        let info = show::info(&game);
        let plan = draw::Plan::new(&game);
        let attributes = Attributes::new(&game, &start.state);
        let codes = Codes::of(&game);
        Ok(Ludemes { game: Arc::new(game), info, start, dice, plan, attributes, codes })
    }

    /// The compiled rules.
    pub fn compiled(&self) -> &Compiled {
        &self.game
    }

    /// The legal moves of a position as the rules make them, with what they are known by.
    pub fn legal<'a>(&self, position: &'a Position) -> &'a [(Move, Mv)] {
        &position.legal
    }

    /// The same, shared.
    pub fn shared(&self) -> Arc<Compiled> {
        self.game.clone()
    }

    /// The position before the first move.
    pub fn start_state(&self) -> State {
        self.start.state.clone()
    }

    /// The last piece that the rules of the start put down.
    pub fn placed_last(&self) -> Option<Ends> {
        self.start.last
    }

    /// The dice.
    pub fn dice(&self) -> &Dice {
        &self.dice
    }

    /// The same game, saying why it has no faster form.
    pub fn without_kernel(mut self, refusal: &str) -> Self {
        let drawn = !self.game.chance && self.game.puzzle.is_none() && !self.plays_listed();
        if drawn && self.plan.settle(&self.game, &self.start.state) {
            self.info.playout = PlayoutKind::Listing;
            self.info.playout_reason =
                "drawing a move takes no fewer steps than listing all".into();
        }
        let reason = &mut self.info.playout_reason;
        *reason = format!("{reason}; no kernel, for the rules have {refusal}");
        self.info.refusal = refusal.to_string();
        self
    }

    /// The dice of the game at hand: in a match, of the game that is being played.
    fn dice_at(&self, position: &Position) -> Cow<'_, Dice> {
        match position.state.instance {
            None => Cow::Borrowed(&self.dice),
            Some(_) => {
                let (game, _) = self.game.playing(&position.state);
                Cow::Owned(Dice::of(game).unwrap_or_default())
            }
        }
    }

    /// A move drawn in some way, after a throw of the dice where the rules ask for one.
    fn after_throw(&self, ctx: &mut Ctx<'_>, draw: impl Fn(&mut Ctx<'_>) -> Mv) -> (Mv, bool) {
        if !self.game.chance {
            return (draw(ctx), false);
        }
        ctx.chance = Chance { live: true, ..Chance::default() };
        let mut mv = draw(ctx);
        let thrown = std::mem::take(&mut ctx.chance);
        // Dice thrown only in thought are not thrown.
        if !thrown.rolled && !thrown.dice.is_empty() {
            mv = draw(ctx);
        }
        ctx.chance = Chance::default();
        (mv, thrown.rolled)
    }

    /// Plays on by moves drawn in some way; the position is then good for its result only.
    fn play_on(
        &self,
        position: &mut Position,
        rng: &mut Rng,
        limit: u32,
        draw: impl Fn(&mut Ctx<'_>) -> Mv,
    ) -> u32 {
        let mut ctx = Ctx::new(&self.game, std::mem::take(&mut position.state));
        std::mem::swap(rng, &mut ctx.pick.rng);
        let mut plies = 0;
        // After a throw the moves are known, and the dice lie.
        if limit > 0
            && self.game.chance
            && position.awaits == Awaits::Nothing
            && !position.legal.is_empty()
        {
            let nth = ctx.pick.rng.below(position.legal.len() as u32) as usize;
            ctx.play_silently(&position.legal[nth].1);
            plies = 1;
        }
        while plies < limit && ctx.s.over.is_none() {
            let (mv, thrown) = self.after_throw(&mut ctx, &draw);
            // A throw is a ply of its own.
            plies += u32::from(thrown);
            if plies < limit {
                ctx.play_silently(&mv);
                plies += 1;
            }
        }
        std::mem::swap(rng, &mut ctx.pick.rng);
        *position = Position { state: ctx.s, ..Position::default() };
        plies
    }

    /// The move that is about to be made, for the last move of the position it leads to.
    fn making(&self, position: &Position, chosen: Option<&Mv>) -> Option<Making> {
        let mv = match &position.awaits {
            Awaits::Move(mv) => Some(&**mv),
            _ => chosen,
        };
        // What several do at once is nobody's last move.
        mv.filter(|mv| mv.mover <= self.game.players)
            .map(|mv| Making::of(&self.game, &position.state, mv))
    }

    fn find<'a>(&self, position: &'a Position, mv: Move) -> Option<&'a Mv> {
        position.legal.iter().find(|(known, _)| *known == mv).map(|(_, mv)| mv)
    }

    /// The texts of legal moves; different ones that read the same are told apart by their place among them.
    fn texts_of(&self, position: &Position, moves: &[Move]) -> Vec<String> {
        let game = self.game.playing(&position.state).0;
        let mut texts: FxHashMap<Move, (String, usize)> = FxHashMap::default();
        let mut many: FxHashMap<String, usize> = FxHashMap::default();
        for (known, mv) in position.legal.iter() {
            texts.entry(*known).or_insert_with(|| {
                let text = show::move_text(game, mv);
                let place = many.entry(text.clone()).or_default();
                *place += 1;
                (text, *place)
            });
        }
        let text_of = |mv: &Move| match texts.get(mv) {
            Some((text, place)) if many[text] > 1 => format!("{text}#{place}"),
            Some((text, _)) => text.clone(),
            None => String::new(),
        };
        moves.iter().map(text_of).collect()
    }

    /// The legal moves of a player, and what they are known by.
    fn moves_of<'a>(
        &'a self,
        position: &'a Position,
        player: Player,
    ) -> impl Iterator<Item = &'a (Move, Mv)> {
        let at_once = position.at_once(&self.game);
        let own = move |mv: &Mv| !at_once || self.seat(position, mv.mover) == player;
        position.legal.iter().filter(move |(_, mv)| own(mv))
    }

    /// Plays a legal move, unless it draws at random: then that is still to come.
    fn play_chosen(&self, ctx: &mut Ctx<'_>, mv: &Mv) -> Option<Awaits> {
        let before = (self.game.random || self.game.rolls_later).then(|| ctx.s.clone());
        ctx.play_silently(mv);
        if !ctx.chance.unknown && !ctx.chance.rolled {
            return None;
        }
        ctx.s = before?;
        Some(Awaits::Move(Box::new(mv.clone())))
    }

    /// The move that was chosen: what all who move at once chose makes one.
    pub fn chosen(&self, position: &Position, joint: &[Move]) -> Option<Mv> {
        if !position.at_once(&self.game) {
            return self.find(position, *joint.first()?).cloned();
        }
        let deciding = self.deciding(position);
        let mut joint = joint.iter();
        let mut all = Vec::new();
        for player in 1..=self.game.players {
            let own = position.legal.iter().filter(|(_, mv)| mv.mover == player);
            let choice = match deciding.contains(self.seat(position, player)) {
                true => joint.next(),
                false => None,
            };
            let mut own = own.filter(|(known, _)| choice.is_none_or(|choice| known == choice));
            all.extend(own.next().map(|(_, mv)| mv.clone()));
        }
        Some(self.game.playing(&position.state).0.together(&all))
    }

    /// Who has something to decide among those who move at once; somebody always has.
    fn deciding(&self, position: &Position) -> PlayerSet {
        let choices = |player: i32| position.legal.iter().filter(move |(_, mv)| mv.mover == player);
        let several = (1..=self.game.players).filter(|&player| choices(player).count() > 1);
        let several: PlayerSet = several.map(|player| self.seat(position, player)).collect();
        if !several.is_empty() {
            return several;
        }
        let any = (1..=self.game.players).find(|&player| choices(player).count() > 0);
        any.map(|player| self.seat(position, player)).into_iter().collect()
    }

    /// The seat that plays the pieces of a player: seats may have been swapped.
    fn seat(&self, position: &Position, player: i32) -> Player {
        seat_in(self.game.playing(&position.state).1, player)
    }

    /// The player whose pieces a seat plays.
    fn played_by(&self, position: &Position, seat: Player) -> Option<i32> {
        (1..=self.game.players).find(|&player| self.seat(position, player) == seat)
    }

    /// The only thing that can happen where nobody plays.
    fn happens(&self, position: &Position) -> Option<Move> {
        let (only, _) = position.legal.first()?;
        (self.game.players == 0 && position.awaits == Awaits::Nothing).then_some(*only)
    }

    /// Whether playouts list the moves of every position: drawing without the list knows players in
    /// turn and dice thrown before a move only.
    fn plays_listed(&self) -> bool {
        let game = &self.game;
        game.random || game.rolls_later || game.is_match() || game.mode != Mode::Alternating
    }
}

pub(super) fn seat_in(state: &State, player: i32) -> Player {
    let seat = state.order.get(player as usize).copied().unwrap_or(player as u8);
    Player(seat.saturating_sub(1))
}

/// Throws are numbers: there may not be too many of them.
fn check_dice(game: &Compiled) -> Result<(), GameError> {
    if Dice::of(game).is_none() {
        return Err(unplayable(game, "so many dice"));
    }
    game.subgames.iter().try_for_each(|sub| check_dice(&sub.game))
}

fn unplayable(game: &Compiled, what: &str) -> GameError {
    GameError::Options(format!("{} has {what}, which cannot be played yet", game.name))
}

impl Rules for Ludemes {
    type State = Position;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn turn(&self, position: &Position) -> Turn {
        if position.state.over.is_some() {
            Turn::Over
        } else if position.awaits != Awaits::Nothing || self.game.players == 0 {
            Turn::Chance
        } else if position.at_once(&self.game) {
            Turn::Players(self.deciding(position))
        } else {
            let mover = self.seat(position, position.state.mover);
            Turn::Players(PlayerSet::one(mover))
        }
    }

    fn moves(&self, position: &Position, player: Player, out: &mut Vec<Move>) {
        out.extend(self.moves_of(position, player).map(|(known, _)| *known));
    }

    fn apply(&self, position: &mut Position, joint: &[Move]) {
        let mut thrown = match position.awaits {
            Awaits::Dice => Thrown::Faces(self.dice_at(position).faces(joint[0])),
            _ => Thrown::Nothing,
        };
        let chosen = match position.awaits {
            Awaits::Nothing => self.chosen(position, joint),
            _ => None,
        };
        let making = self.making(position, chosen.as_ref());
        let mut last = match (position.at_once(&self.game), joint) {
            (false, _) => position.last,
            (true, [only]) => {
                self.find(position, *only).map(|mv| ends::of_move(&self.game, position, mv))
            }
            (true, _) => None,
        };
        let mut ctx = Ctx::new(&self.game, std::mem::take(&mut position.state));
        if position.awaits.seed() {
            ctx.chance.source = Source::Generator(joint[0].0);
            ctx.chance.live = self.game.chance;
            thrown = Thrown::Seeded;
        }
        match std::mem::take(&mut position.awaits) {
            Awaits::Start => {
                let log = ctx.start();
                last = ends::placed_last(&self.game, &ctx.s, &log);
            }
            Awaits::Move(mv) => ctx.play_silently(&mv),
            Awaits::Moves | Awaits::Dice => {}
            Awaits::Nothing => {
                let awaits = chosen.and_then(|mv| self.play_chosen(&mut ctx, &mv));
                if let Some(awaits) = awaits {
                    *position = Position { state: ctx.s, awaits, last, ..Position::default() };
                    return;
                }
            }
        }
        last = making.map(|making| making.made(&self.game, &ctx.s)).or(last);
        let mut next = Ctx::new(&self.game, ctx.s);
        next.chance.source = ctx.chance.source;
        *position = Position { last, ..reached(next, thrown) };
    }

    fn payoffs(&self, position: &Position, out: &mut [f32]) {
        let ranking = &position.state.ranking;
        let last = self.game.players as f64;
        for player in 1..=self.game.players {
            let seat = seat_in(&position.state, player).index();
            let rank = ranking.get(player as usize).copied().unwrap_or(0.0);
            let payoff = match self.game.players {
                1 => f64::from(u8::from(position.state.over == Some(1))),
                _ if rank == 0.0 => 0.5,
                _ => (last - rank) / (last - 1.0),
            };
            if let Some(slot) = out.get_mut(seat) {
                *slot = payoff as f32;
            }
        }
    }

    fn hash(&self, position: &Position) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        (&position.awaits, &position.faces).hash(&mut hasher);
        // Which moves are legal may have been drawn at random, and nothing else tells.
        if self.game.random {
            position.legal.iter().for_each(|(known, _)| known.hash(&mut hasher));
        }
        hash_state(&self.game, &position.state, &mut hasher);
        ludex_game::mix(hasher.finish())
    }

    fn move_text(&self, position: &Position, player: Option<Player>, mv: Move) -> String {
        if player.is_none() && position.awaits.seed() {
            return format!("{SEED}{}", mv.0);
        }
        if player.is_none() && position.awaits == Awaits::Dice {
            let game = self.game.playing(&position.state).0;
            return self.dice_at(position).text(game, mv);
        }
        if player.is_none() {
            return HAPPENS.to_string();
        }
        self.texts_of(position, &[mv]).swap_remove(0)
    }

    fn move_texts(&self, position: &Position, _player: Player, moves: &[Move]) -> Vec<String> {
        self.texts_of(position, moves)
    }

    fn show(&self, position: &Position, viewer: Option<Player>) -> String {
        let viewer = viewer.and_then(|player| self.played_by(position, player));
        show::position(&self.game, &position.state, viewer)
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(self.game.places().geometry(&self.game))
    }

    fn view(&self, position: &Position, viewer: Option<Player>, _: Detail, out: &mut View) {
        let viewer = viewer.and_then(|player| self.played_by(position, player));
        ends::write_view(&self.game, position, viewer, out);
    }

    fn ends(&self, position: &Position, player: Option<Player>, mv: Move) -> Ends {
        match self.find(position, mv) {
            Some(mv) if player.is_some() => ends::of_move(&self.game, position, mv),
            Some(_) => Ends::default(),
            None => Ends::nowhere(MoveKind::Roll),
        }
    }

    fn last_move(&self, position: &Position) -> Option<Ends> {
        position.last
    }

    /// Drawn again where the player would have other moves: he knows his own.
    fn determinize(&self, position: &Position, player: Player, rng: &mut Rng) -> Position {
        let Some(who) = self.played_by(position, player).filter(|_| self.game.hides) else {
            return position.clone();
        };
        let known = |position: &Position| {
            position.legal.iter().map(|(known, _)| *known).collect::<FxHashSet<Move>>()
        };
        let (turn, moves) = (self.turn(position), known(position));
        let decides = matches!(turn, Turn::Players(players) if players.contains(player));
        for _ in 0..MOST_DRAWS {
            let state = hidden::redrawn_in(&self.game, &position.state, who, rng);
            if turn == Turn::Over || turn == Turn::Chance || self.game.chance || self.game.random {
                return Position { state, ..position.clone() };
            }
            let drawn = reached(Ctx::new(&self.game, state), Thrown::Nothing);
            let drawn = Position { last: position.last, ..drawn };
            if self.turn(&drawn) == turn && (!decides || known(&drawn) == moves) {
                return drawn;
            }
        }
        position.clone()
    }

    fn sample_chance(&self, position: &Position, rng: &mut Rng) -> Move {
        if position.awaits.seed() {
            return Move(rng.next());
        }
        if let Some(happens) = self.happens(position) {
            return happens;
        }
        self.dice_at(position).sample(rng)
    }

    fn parse_chance(&self, position: &Position, text: &str) -> Option<Move> {
        if position.awaits.seed() {
            return text.strip_prefix(SEED)?.parse().ok().map(Move);
        }
        if let Some(happens) = self.happens(position) {
            return (text == HAPPENS).then_some(happens);
        }
        self.dice_at(position).parse(self.game.playing(&position.state).0, text)
    }

    fn chance_outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) -> bool {
        if let Some(happens) = self.happens(position) {
            out.push((happens, 1.0));
            return true;
        }
        !position.awaits.seed() && self.dice_at(position).list(out)
    }

    fn playout_uniform(
        &self,
        position: &mut Position,
        rng: &mut Rng,
        limit: u32,
        buffer: &mut Vec<Move>,
    ) -> u32 {
        match self.plays_listed() {
            true => self.playout_listing(position, rng, limit, buffer),
            false => self.play_on(position, rng, limit, |ctx| ctx.draw(&self.plan)),
        }
    }

    fn playout_listing(
        &self,
        position: &mut Position,
        rng: &mut Rng,
        limit: u32,
        buffer: &mut Vec<Move>,
    ) -> u32 {
        if self.plays_listed() {
            return ludex_game::playout::play_listing(self, position, rng, limit, buffer);
        }
        self.play_on(position, rng, limit, |ctx| ctx.draw_listed())
    }

    fn code_count(&self, _player: Player, coding: Coding) -> u32 {
        self.codes.count_of(coding)
    }

    fn code_end(&self, _player: Player, code: u32) -> Option<SiteId> {
        self.codes.site(code)
    }

    fn code(&self, position: &Position, _player: Player, mv: Move, _coding: Coding) -> u32 {
        self.find(position, mv).map_or(0, |mv| self.codes.of_move(mv))
    }

    fn code_ends(&self, _player: Player, code: u32) -> Option<Ends> {
        self.codes.ends(&self.game, code)
    }

    fn families(&self, position: &Position, player: Player, _: Coding, out: &mut Families) {
        for (at, (known, mv)) in (0..).zip(self.moves_of(position, player)) {
            out.moves.push(*known);
            out.push_one(self.codes.of_move(mv), at);
        }
    }

    fn attributes(&self) -> &[String] {
        self.attributes.names()
    }

    fn attribute_values(&self, position: &Position, player: Player, out: &mut [f32]) {
        let state = &position.state;
        let own = self.played_by(position, player);
        let listed = self.game.chance || self.plays_listed();
        let of_player = |player: i32| {
            let score = state.scores.get(player as usize).copied().unwrap_or(0);
            let mobility = match player {
                _ if listed || !state.is_active(player) => 0,
                mover if mover == state.mover => {
                    position.legal.iter().filter(|(_, mv)| !mv.is_pass()).count()
                }
                other => mobility(&self.game, state, other),
            };
            (score, mobility)
        };
        let (pieces, now) =
            (standing(&self.game, state), (state.mover, state.moves - state.initial_moves));
        self.attributes.write(&self.game, pieces, of_player, now, own.unwrap_or(0), out);
    }
}

impl Ctx<'_> {
    /// What tells this position from those that go on in another way; nothing where earlier positions decide.
    pub(super) fn future_hash(&self) -> Option<u64> {
        let remembers = self.g.history.is_some() || self.g.cycles || self.g.is_match();
        (!remembers).then(|| {
            let mut hasher = rustc_hash::FxHasher::default();
            hash_state(self.g, &self.s, &mut hasher);
            ludex_game::mix(hasher.finish())
        })
    }
}

/// Everything about a position that decides how play goes on.
fn hash_state(game: &Compiled, s: &State, hasher: &mut impl Hasher) {
    s.position_hash().hash(hasher);
    (s.mover, s.next, s.prev, s.active, s.stalemated, s.passes).hash(hasher);
    (&s.pending, &s.amounts, &s.scores, s.trump, s.turn_from).hash(hasher);
    (&s.phases, s.temp, &s.dice, s.dice_equal).hash(hasher);
    (&s.vars, &s.values, &s.remembered, &s.to_remove, s.triggers).hash(hasher);
    (&s.proposed, &s.votes, s.decided, &s.teams, s.pot).hash(hasher);
    (s.trials, &s.match_scores, s.over).hash(hasher);
    s.visited.iter().for_each(|site| site.hash(hasher));
    let recall = game.recall();
    if recall.counter {
        s.counter.hash(hasher);
    }
    if recall.age {
        (s.moves, s.turns).hash(hasher);
    }
    if recall.turn_moves {
        s.turn_moves.hash(hasher);
    }
    if recall.last.matters(s.mover, s.prev) {
        (s.last.from, s.last.to, s.last.pass).hash(hasher);
    }
    if let Some(instance) = &s.instance {
        instance.place.hash(hasher);
        hash_state(&game.subgames[instance.place].game, &instance.state, hasher);
    }
}
