//! The contract of a game, fulfilled.

use ludex_game::{
    Coding, Course, Families, GameError, GameInfo, Move, Place, Player, PlayerSet, Rng, Rules,
    Script, Scripts, SeenMoves, Turn, mix,
};

use super::action::{Action, Way};
use super::components::MAX_PLAYERS;
use super::rule_ai::RuleAi;
use super::state::{Phase, State};
use super::text::payment;
use super::{Payments, SevenWonders, Sides};

/// Stands for a building that a city cannot pay.
const BEYOND_MEANS: Move = Move(u64::MAX);

impl SevenWonders {
    /// A legal move, each with the same probability.
    #[inline]
    pub fn random_move(
        &self,
        state: &State,
        player: Player,
        rng: &mut Rng,
        buffer: &mut Vec<Move>,
    ) -> Move {
        if self.payments == Payments::All {
            buffer.clear();
            self.moves_with_payments(state, player.index(), buffer);
            return buffer[rng.below(buffer.len() as u32) as usize];
        }
        if state.phase != Phase::Pick {
            return self.random_couple(state, player.index(), rng);
        }
        let options = self.options(state, player.index());
        let couples = options.as_slice();
        let couple = couples[rng.below(couples.len() as u32) as usize];
        self.cheapest(state, player.index(), &options, couple)
    }
}

impl Rules for SevenWonders {
    type State = State;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> State {
        State { players: self.players as u8, ..State::default() }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Boards | Phase::Deal => Turn::Chance,
            Phase::Play => Turn::Players(PlayerSet::all(self.players)),
            Phase::Seventh | Phase::Pick => Turn::of(Player(state.actor)),
            Phase::Over => Turn::Over,
        }
    }

    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        if self.payments == Payments::All {
            return self.moves_with_payments(state, player.index(), out);
        }
        let options = self.options(state, player.index());
        let moves = options.as_slice().iter();
        out.extend(moves.map(|&couple| self.cheapest(state, player.index(), &options, couple)));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        match state.phase {
            Phase::Boards => self.seat_boards(state, joint[0]),
            Phase::Deal => self.deal(state, joint[0]),
            Phase::Play => self.resolve(state, joint),
            Phase::Seventh => self.play_seventh(state, joint[0]),
            Phase::Pick => self.pick(state, joint[0]),
            Phase::Over => {}
        }
    }

    /// The city with most points wins; then the one with most coins; what remains tied is shared.
    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let mut standing = [(i16::MIN, 0u16); MAX_PLAYERS];
        for (seat, standing) in standing[..self.players].iter_mut().enumerate() {
            *standing = (self.sheet(state, seat).total(), state.cities[seat].coins);
        }
        let best = standing.iter().max().copied().unwrap_or_default();
        let winners = standing[..self.players].iter().filter(|&&s| s == best).count();
        for (out, standing) in out.iter_mut().zip(standing) {
            *out = if standing == best { 1.0 / winners as f32 } else { 0.0 };
        }
    }

    fn hash(&self, state: &State) -> u64 {
        let mut hash = mix(u64::from(state.age) << 24
            | u64::from(state.turn) << 16
            | (state.phase as u64) << 8
            | u64::from(state.hand_size));
        let mut add = |bits: u64| hash = mix(hash.rotate_left(7) ^ bits);
        add(u64::from(state.absent_guilds));
        for city in &state.cities[..self.players] {
            add(city.built as u64);
            add((city.built >> 64) as u64);
            add(u64::from(city.coins)
                | u64::from(city.stages()) << 16
                | u64::from(city.victory_points) << 24
                | u64::from(city.defeats()) << 32
                | u64::from(city.board << 1 | city.side) << 40
                | u64::from(city.free_build_used) << 48);
        }
        for packet in state.packets.iter().flat_map(|age| &age[..self.players]) {
            let cards = packet.cards.iter().fold(0, |word, &card| word << 8 | u64::from(card));
            add(cards);
            add(u64::from_le_bytes([packet.hidden, packet.tucked, packet.taken, 0, 0, 0, 0, 0]));
        }
        hash
    }

    fn move_text(&self, state: &State, player: Option<Player>, mv: Move) -> String {
        match player {
            Some(_) => self.action_text(Action::of(mv)),
            None => self.chance_text(state, mv),
        }
    }

    fn show(&self, state: &State, viewer: Option<Player>) -> String {
        self.show_table(state, viewer.map(Player::index))
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Move {
        if state.phase != Phase::Boards {
            return Move(rng.next());
        }
        let mut boards = [0u8; 16];
        let boards = &mut boards[..self.components.boards.len()];
        for (index, board) in boards.iter_mut().enumerate() {
            *board = index as u8;
        }
        rng.shuffle(boards);
        let mut code = 0;
        for (seat, &board) in boards[..self.players].iter().enumerate() {
            let side = match self.sides {
                Sides::A => 0,
                Sides::B => 1,
                Sides::Mixed => u64::from(rng.below(2)),
            };
            code |= (u64::from(board) << 1 | side) << (5 * seat);
        }
        Move(code)
    }

    fn parse_chance(&self, state: &State, text: &str) -> Option<Move> {
        self.chance_of(state, text)
    }

    fn determinize(&self, state: &State, player: Player, rng: &mut Rng) -> State {
        self.imagine(state, player.index(), rng)
    }

    fn parse_move(&self, state: &State, player: Player, text: &str) -> Result<Move, GameError> {
        self.action_of(state, player.index(), text)
    }

    fn code_count(&self, _player: Player, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => (Way::ALL.len() * self.components.cards.len()) as u32,
            Coding::Features => 0,
        }
    }

    #[inline]
    fn code(&self, _: &State, _: Player, mv: Move, _: Coding) -> u32 {
        let action = Action::of(mv);
        action.way as u32 * self.components.cards.len() as u32 + u32::from(action.card)
    }

    /// All that could be done with the cards of a hand: what it costs is asked for what is drawn only.
    fn families(&self, state: &State, player: Player, coding: Coding, out: &mut Families) {
        if self.payments == Payments::All || state.phase == Phase::Pick {
            return ludex_game::playout::list_families(self, state, player, coding, out);
        }
        out.doubt();
        for (way, card) in self.couples(state, player.index()) {
            let mv = Action::free(way, card).to_move();
            out.push_one(self.code(state, player, mv, coding), mv.0 as u32);
        }
    }

    fn member(&self, state: &State, player: Player, families: &Families, place: Place) -> Move {
        let tag = families.word(place).tag;
        if self.payments == Payments::All || state.phase == Phase::Pick {
            return families.moves[tag as usize];
        }
        let Action { way, card, .. } = Action::of(Move(tag.into()));
        self.priced(state, player.index(), (way, card)).unwrap_or(BEYOND_MEANS)
    }

    fn admits(&self, _: &State, _: Player, member: Move) -> bool {
        member != BEYOND_MEANS
    }

    fn playout_uniform(
        &self,
        state: &mut State,
        rng: &mut Rng,
        limit: u32,
        buffer: &mut Vec<Move>,
    ) -> u32 {
        ludex_game::playout::play_by(self, state, rng, limit, |state, player, rng| {
            self.random_move(state, player, rng, buffer)
        })
    }

    fn attributes(&self) -> &[String] {
        &self.attribute_names
    }

    fn attribute_values(&self, state: &State, player: Player, out: &mut [f32]) {
        self.write_attributes(state, player.index(), out);
    }

    fn course(&self) -> Option<&dyn Course<State>> {
        Some(self)
    }

    fn seen_moves(&self) -> Option<&dyn SeenMoves<State>> {
        Some(self)
    }

    fn scripts(&self) -> Option<&dyn Scripts<State>> {
        Some(self)
    }
}

impl SeenMoves<State> for SevenWonders {
    /// Cards that go away face down are not shown to the others.
    fn seen_move_text(&self, _: &State, player: Player, mv: Move, viewer: Player) -> String {
        let action = Action::of(mv);
        match action.way {
            Way::Stage if player != viewer => format!("a stage{}", payment(action.pays)),
            Way::Discard if player != viewer => "discard a card".to_string(),
            _ => self.action_text(action),
        }
    }
}

impl Course<State> for SevenWonders {
    /// Which card goes away face down makes no difference to a city, unless it may be met again.
    fn attribute_key(&self, state: &State, player: Player, mv: Move) -> u64 {
        let action = Action::of(mv);
        let face_down = matches!(action.way, Way::Stage | Way::Discard);
        if face_down && !self.meets_again(state, player.index()) {
            return Action { card: 0, ..action }.to_move().0;
        }
        mv.0
    }

    fn mid_turn(&self, state: &State) -> bool {
        matches!(state.phase, Phase::Seventh | Phase::Pick)
    }

    fn part(&self, state: &State) -> usize {
        usize::from(state.age)
    }
}

impl Scripts<State> for SevenWonders {
    fn yardstick(&self) -> &str {
        "rule-ai"
    }

    fn script(&self, text: &str) -> Result<Script, GameError> {
        RuleAi::parse(text).map(|ai| Script(ai.to_bits()))
    }

    fn scripted_move(&self, script: Script, state: &State, player: Player, rng: &mut Rng) -> Move {
        self.rule_move(RuleAi::from_bits(script.0), state, player.index(), rng)
    }
}
