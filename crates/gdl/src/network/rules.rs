//! The contract and GDL's own questions, answered by the network.

use super::batch::{Batch, Request};
use super::flat::Flat;
use super::modes::Modes;
use super::position::{Position, ones};
use super::{Network, passes};
use crate::attributes::FactAttributes;
use crate::bounds::Cancel;
use crate::compile::called_off;
use crate::ground::Grounded;
use crate::machine::{Machine, normal_text};
use crate::program::Prepared;
use crate::seats::{Phase, Seats};
use crate::sites::{Evidence, Sites, relations, words};
use ludex_game::bits::{self, Job, Select};
use ludex_game::{
    Coding, Detail, Ends, Families, GameError, GameInfo, Geometry, Language, Move, MoveKind, Place,
    Player, PlayoutKind, Rng, Rules, SiteId, Turn, View, closest, mix,
};

/// So many random plies are looked at to find out whose pieces are.
const PROBED_PLIES: usize = 200;

/// A GDL game run by its propositional network.
#[derive(Debug)]
pub struct NetworkRules {
    info: GameInfo,
    seats: Seats,
    flat: Flat,
    batch: Option<Batch>,
    network: Network,
    facts: Vec<String>,
    moves: Vec<Vec<String>>,
    goals: Vec<Vec<(String, f32)>>,
    /// First move of each role in the numbering through all roles.
    offsets: Vec<u32>,
    keys: Vec<u64>,
    attributes: FactAttributes,
    sites: Option<Sites>,
    start: NetworkState,
}

/// A position and who is about to move in it.
#[derive(Debug)]
pub struct NetworkState {
    position: Position,
    phase: Phase,
    /// Who made the last move alone, which it was, and the facts before it; playouts keep none of it.
    last: Option<(Player, u32)>,
    before: Box<[u64]>,
}

impl Clone for NetworkState {
    fn clone(&self) -> Self {
        NetworkState {
            position: self.position.clone(),
            phase: self.phase.clone(),
            last: self.last,
            before: self.before.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.position.clone_from(&other.position);
        self.phase.clone_from(&other.phase);
        self.last = other.last;
        self.before.copy_from_slice(&other.before);
    }
}

impl NetworkRules {
    /// Builds and simplifies the network of grounded rules, unless the signal is raised before that is done.
    pub fn new(
        name: &str,
        prepared: &Prepared,
        grounded: &Grounded,
        cancel: &Cancel,
    ) -> Result<Self, GameError> {
        let wanted = || if cancel.is_raised() { Err(called_off()) } else { Ok(()) };
        let network = passes::simplify(super::build(prepared, grounded, cancel));
        wanted()?;
        let text = |id| grounded.store.terms.text(&prepared.names, id);
        let roles: Vec<String> = prepared.roles.iter().map(|&role| text(role)).collect();
        let seats = Seats::new(roles)?;
        let modes = Modes::new(&network);
        wanted()?;
        let flat = Flat::new(&modes);
        wanted()?;
        let mut offsets = vec![0];
        for moves in &network.moves {
            offsets.push(offsets[offsets.len() - 1] + moves.len() as u32);
        }
        let keys: Vec<u64> = (1..=network.bases.len() as u64).map(|n| mix(n << 20)).collect();
        let mut facts = vec![0u64; network.bases.len().div_ceil(64)];
        for (at, _) in network.bases.iter().enumerate().filter(|(_, base)| base.initially) {
            facts[at / 64] |= 1 << (at % 64);
        }
        let position = Position::first(&flat, facts.into(), &keys, seats.roles().len());
        let start = NetworkState {
            before: position.facts.clone(),
            position,
            phase: Phase::new(seats.roles().len()),
            last: None,
        };
        let goal = |goal: &super::Goal| {
            let text = text(goal.value);
            let value = text.parse::<f32>().map_or(0.0, |value| (value / 100.0).clamp(0.0, 1.0));
            (text, value)
        };
        // Every move counts the same here: all gates are evaluated at every step.
        let weights = vec![1.0; offsets[offsets.len() - 1] as usize];
        let turned = passes::reduce(passes::turn_wide_choices(&network, &weights));
        wanted()?;
        let player_goals = |player: u8| {
            let goals = turned.goals[seats.role_of(Player(player))].iter();
            goals.map(|own| (own.reached, goal(own).1)).collect()
        };
        let batch = Batch::new(&turned, (0..seats.players() as u8).map(player_goals).collect());
        let fact_texts: Vec<String> = network.bases.iter().map(|base| text(base.fact)).collect();
        let mut rules = NetworkRules {
            batch,
            info: describe(name, &seats, &network),
            attributes: FactAttributes::new(&fact_texts, &seats),
            sites: None,
            facts: fact_texts,
            moves: network
                .moves
                .iter()
                .map(|moves| moves.iter().map(|input| text(input.action)).collect())
                .collect(),
            goals: network.goals.iter().map(|goals| goals.iter().map(goal).collect()).collect(),
            seats,
            flat,
            network,
            offsets,
            keys,
            start,
        };
        let mut start = rules.start.clone();
        rules.begin(&mut start);
        rules.start = start;
        rules.sites = rules.board(&relations(prepared));
        Ok(rules)
    }

    /// The board, if the facts show one. Pieces whose words name nobody belong to whoever alone brings them to
    /// the board in a few random games.
    fn board(&self, relations: &[Vec<(String, String)>]) -> Option<Sites> {
        let facts: Vec<_> = self.facts.iter().map(|fact| words(fact)).collect();
        let initially: Vec<bool> = self.network.bases.iter().map(|base| base.initially).collect();
        let terms = |moves: &Vec<String>| moves.iter().map(|action| words(action)).collect();
        let moves: Vec<_> = self.moves.iter().map(terms).collect();
        let mut sites = Sites::infer(&Evidence {
            facts: &facts,
            initially: &initially,
            moves: &moves,
            relations,
            seats: &self.seats,
        })?;
        if sites.has_strangers() && self.seats.players() > 1 {
            let brought = self.brought(&sites);
            sites.give(&brought);
        }
        Some(sites)
    }

    /// How often each player brought each kind of piece to the board in random games.
    fn brought(&self, sites: &Sites) -> Vec<Vec<u32>> {
        let mut brought = vec![vec![0; self.seats.players()]; sites.geometry().kinds.len()];
        let (mut rng, mut state) = (Rng::seeded(1), self.start.clone());
        for _ in 0..PROBED_PLIES {
            let joint = match state.phase.turn() {
                Turn::Over => {
                    state.clone_from(&self.start);
                    continue;
                }
                Turn::Chance => vec![self.sample_chance(&state, &mut rng)],
                Turn::Players(players) => players
                    .into_iter()
                    .map(|player| {
                        let (role, rng) = (self.seats.role_of(player), &mut rng);
                        bits::dispatch(Draw { rules: self, state: &state, role, rng })
                    })
                    .collect(),
            };
            self.apply(&mut state, &joint);
            if let Some((player, _)) = state.last {
                for (_, kind) in sites.appeared(&state.before, &state.position.facts) {
                    brought[kind as usize][player.index()] += 1;
                }
            }
        }
        brought
    }

    /// The network behind the rules.
    pub fn network(&self) -> &Network {
        &self.network
    }

    #[inline]
    fn legal_words<'s>(&self, position: &'s Position, role: usize) -> &'s [u64] {
        position.legal(&self.flat, role)
    }

    #[inline]
    fn count(&self, position: &Position, role: usize) -> u32 {
        self.legal_words(position, role).iter().map(|word| word.count_ones()).sum()
    }

    /// The highest goal value of a role that is true, from 0 to 1.
    fn goal(&self, position: &Position, role: usize) -> f32 {
        let goals = position.mode(&self.flat).goals[role].iter().zip(&self.goals[role]);
        let reached = goals.filter(|(lit, _)| position.value(**lit));
        reached.map(|(_, (_, value))| *value).fold(0.0, f32::max)
    }

    fn only(&self, position: &Position, role: usize) -> u32 {
        let words = self.legal_words(position, role);
        ones(words).next().expect("a role on the move has a legal move") as u32
    }

    /// Works out whose turn it is.
    #[inline]
    fn begin(&self, state: &mut NetworkState) {
        let NetworkState { position, phase, .. } = state;
        let over = position.is_terminal(&self.flat);
        phase.begin(&self.seats, over, |role| self.count(position, role));
    }

    /// Makes the moves chosen in this phase, and those that were forced.
    #[inline]
    fn finish(&self, state: &mut NetworkState) {
        let NetworkState { position, phase, .. } = state;
        for role in 0..self.seats.roles().len() {
            if !phase.has_choice(role) {
                phase.chosen[role] = self.only(position, role);
            }
        }
        for (chosen, offset) in phase.chosen.iter_mut().zip(&self.offsets) {
            *chosen += offset;
        }
        position.advance(&self.flat, &self.keys, &phase.chosen);
        self.begin(state);
    }

    fn find_move(&self, position: &Position, role: usize, text: &str) -> Option<u32> {
        let words = self.legal_words(position, role);
        let exact = ones(words).find(|&at| self.moves[role][at] == text);
        let close = || ones(words).find(|&at| self.moves[role][at].eq_ignore_ascii_case(text));
        exact.or_else(close).map(|at| at as u32)
    }
}

fn describe(name: &str, seats: &Seats, network: &Network) -> GameInfo {
    let moves: usize = network.moves.iter().map(Vec::len).sum();
    let mut info = GameInfo::named(name, seats.players());
    info.language = Language::Gdl;
    info.channels = vec![format!("{} facts", network.bases.len())];
    info.playout = PlayoutKind::Network;
    info.machine = ludex_game::Machine::Network;
    info.playout_reason = format!(
        "the rules ground to a propositional network of {} gates, {} connections and {moves} moves",
        network.len(),
        network.connections()
    );
    info
}

impl Rules for NetworkRules {
    type State = NetworkState;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> NetworkState {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &NetworkState) -> Turn {
        state.phase.turn()
    }

    fn moves(&self, state: &NetworkState, player: Player, out: &mut Vec<Move>) {
        let role = self.seats.role_of(player);
        let words = self.legal_words(&state.position, role);
        out.extend(ones(words).map(|at| Move(at as u64)));
    }

    #[inline]
    fn apply(&self, state: &mut NetworkState, joint: &[Move]) {
        if state.phase.turn() != Turn::Chance {
            let mover = state.phase.turn().mover();
            state.last = mover.map(|player| (player, joint[0].0 as u32));
            state.before.copy_from_slice(&state.position.facts);
        }
        if state.phase.choose(&self.seats, joint) {
            self.finish(state);
        }
    }

    fn payoffs(&self, state: &NetworkState, out: &mut [f32]) {
        for (player, payoff) in out.iter_mut().enumerate() {
            *payoff = self.goal(&state.position, self.seats.role_of(Player(player as u8)));
        }
    }

    fn attributes(&self) -> &[String] {
        self.attributes.names()
    }

    fn attribute_values(&self, state: &NetworkState, player: Player, out: &mut [f32]) {
        let mut position = state.position.clone();
        position.evaluate_goals(&self.flat);
        let position = &position;
        let of_role = |role| [self.count(position, role) as f32, self.goal(position, role)];
        self.attributes.write(&self.seats, player, ones(&position.facts), of_role, out);
    }

    fn hash(&self, state: &NetworkState) -> u64 {
        state.phase.hash(state.position.hash)
    }

    fn move_text(&self, _: &NetworkState, player: Option<Player>, mv: Move) -> String {
        let role = player.map_or(self.seats.chance(), |player| self.seats.role_of(player));
        self.moves[role].get(mv.0 as usize).cloned().unwrap_or_default()
    }

    fn parse_move(
        &self,
        state: &NetworkState,
        player: Player,
        text: &str,
    ) -> Result<Move, GameError> {
        let role = self.seats.role_of(player);
        let text = normal_text(text);
        match self.find_move(&state.position, role, &text) {
            Some(at) => Ok(Move(at.into())),
            None => {
                let legal = self.legal_moves(state, role);
                let closest = closest(&text, legal.iter().map(String::as_str)).map(str::to_owned);
                Err(GameError::IllegalMove { text, closest })
            }
        }
    }

    fn show(&self, state: &NetworkState, _: Option<Player>) -> String {
        let mut facts = self.facts(state);
        facts.sort();
        facts.join("\n")
    }

    fn geometry(&self) -> Option<&Geometry> {
        self.sites.as_ref().map(Sites::geometry)
    }

    fn view(&self, state: &NetworkState, _: Option<Player>, _: Detail, out: &mut View) {
        if let Some(sites) = &self.sites {
            sites.write(ones(&state.position.facts), out);
        }
    }

    fn ends(&self, state: &NetworkState, player: Option<Player>, mv: Move) -> Ends {
        let Some(sites) = &self.sites else { return Ends::default() };
        let Some(player) = player else {
            let decided = sites.decided(self.seats.chance(), mv.0 as usize);
            return Ends { kind: MoveKind::Roll, ..decided };
        };
        let decided = sites.decided(self.seats.role_of(player), mv.0 as usize);
        if state.phase.turn().mover() != Some(player) || decided.kind == MoveKind::Pass {
            return decided;
        }
        let mut after = state.clone();
        self.apply(&mut after, &[mv]);
        self.last_move(&after).unwrap_or(decided)
    }

    fn last_move(&self, state: &NetworkState) -> Option<Ends> {
        let sites = self.sites.as_ref()?;
        let (player, mv) = state.last?;
        let decided = sites.decided(self.seats.role_of(player), mv as usize);
        // What chance has still to add is not known.
        if state.phase.is_half_chosen() {
            return Some(decided);
        }
        Some(sites.made(decided, player, &state.before, &state.position.facts))
    }

    fn sample_chance(&self, state: &NetworkState, rng: &mut Rng) -> Move {
        bits::dispatch(Draw { rules: self, state, role: self.seats.chance(), rng })
    }

    fn chance_outcomes(&self, state: &NetworkState, out: &mut Vec<(Move, f64)>) -> bool {
        let words = self.legal_words(&state.position, self.seats.chance());
        let count = f64::from(self.count(&state.position, self.seats.chance()));
        out.extend(ones(words).map(|at| (Move(at as u64), 1.0 / count)));
        true
    }

    fn parse_chance(&self, state: &NetworkState, text: &str) -> Option<Move> {
        let at = self.find_move(&state.position, self.seats.chance(), &normal_text(text));
        at.map(|at| Move(at.into()))
    }

    fn code_count(&self, player: Player, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => self.moves[self.seats.role_of(player)].len() as u32,
            Coding::Features => 0,
        }
    }

    fn code_end(&self, player: Player, code: u32) -> Option<SiteId> {
        let sites = self.sites.as_ref()?;
        sites.decided(self.seats.role_of(player), code as usize).to
    }

    #[inline]
    fn code(&self, _: &NetworkState, _: Player, mv: Move, _: Coding) -> u32 {
        mv.0 as u32
    }

    #[inline]
    fn families(&self, state: &NetworkState, player: Player, _: Coding, out: &mut Families) {
        let words = self.legal_words(&state.position, self.seats.role_of(player));
        (0..).zip(words).for_each(|(word, &bits)| out.push(64 * word, 0, bits));
    }

    #[inline]
    fn member(&self, _: &NetworkState, _: Player, families: &Families, place: Place) -> Move {
        Move(families.code(place).into())
    }

    fn playout_batch(
        &self,
        state: &NetworkState,
        rng: &mut Rng,
        count: u64,
        finished: &mut dyn FnMut(&[f32], u32),
    ) -> bool {
        // A lane starts from a position, not from the middle of a step.
        let Some(batch) = self.batch.as_ref().filter(|_| !state.phase.is_half_chosen()) else {
            return false;
        };
        let limit = self.info.max_plies;
        batch.run(Request { facts: &state.position.facts, count, limit, finished }, rng);
        true
    }

    fn playout_uniform(
        &self,
        state: &mut NetworkState,
        rng: &mut Rng,
        limit: u32,
        _: &mut Vec<Move>,
    ) -> u32 {
        bits::dispatch(Playout { rules: self, state, rng, limit })
    }
}

/// Draws a legal move of a role.
struct Draw<'p> {
    rules: &'p NetworkRules,
    state: &'p NetworkState,
    role: usize,
    rng: &'p mut Rng,
}

impl Job for Draw<'_> {
    type Output = Move;

    #[inline(always)]
    fn run<S: Select>(self) -> Move {
        let words = self.rules.legal_words(&self.state.position, self.role);
        Move(pick::<S>(words, self.rng).into())
    }
}

/// Counts the ones of a row of words and picks one.
#[inline(always)]
fn pick<S: Select>(words: &[u64], rng: &mut Rng) -> u32 {
    let count: u32 = words.iter().map(|&word| S::count(word)).sum();
    let mut n = if count > 1 { rng.below(count) } else { 0 };
    for (at, &word) in words.iter().enumerate() {
        let here = S::count(word);
        if n < here {
            return at as u32 * 64 + S::select(word, n);
        }
        n -= here;
    }
    unreachable!("a role on the move has a legal move")
}

/// A whole uniform playout.
struct Playout<'p> {
    rules: &'p NetworkRules,
    state: &'p mut NetworkState,
    rng: &'p mut Rng,
    limit: u32,
}

impl Job for Playout<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Select>(self) -> u32 {
        let Playout { rules, state, rng, limit } = self;
        let roles = rules.seats.roles().len();
        for ply in 0..limit {
            if state.phase.turn() == Turn::Over {
                return ply;
            }
            for role in 0..roles {
                let words = rules.legal_words(&state.position, role);
                state.phase.chosen[role] = rules.offsets[role] + pick::<S>(words, rng);
            }
            let NetworkState { position, phase, .. } = state;
            position.advance(&rules.flat, &rules.keys, &phase.chosen);
            let stuck = || {
                (0..roles)
                    .any(|role| rules.legal_words(position, role).iter().all(|&word| word == 0))
            };
            if position.is_terminal(&rules.flat) || stuck() {
                phase.end();
            }
        }
        rules.begin(state);
        limit
    }
}

impl Machine for NetworkRules {
    type Position = NetworkState;

    fn role_names(&self) -> &[String] {
        self.seats.roles()
    }

    fn first_position(&self) -> NetworkState {
        self.start.clone()
    }

    fn facts(&self, state: &NetworkState) -> Vec<String> {
        ones(&state.position.facts).map(|at| self.facts[at].clone()).collect()
    }

    fn legal_moves(&self, state: &NetworkState, role: usize) -> Vec<String> {
        let words = self.legal_words(&state.position, role);
        ones(words).map(|at| self.moves[role][at].clone()).collect()
    }

    fn advance(&self, state: &mut NetworkState, joint: &[&str]) -> bool {
        let find = |(role, text): (usize, &&str)| {
            let at = self.find_move(&state.position, role, &normal_text(text))?;
            Some(self.offsets[role] + at)
        };
        let chosen: Option<Vec<u32>> = joint.iter().enumerate().map(find).collect();
        let Some(chosen) = chosen.filter(|chosen| chosen.len() == self.seats.roles().len()) else {
            return false;
        };
        state.position.advance(&self.flat, &self.keys, &chosen);
        self.begin(state);
        true
    }

    fn is_terminal(&self, state: &NetworkState) -> bool {
        state.position.is_terminal(&self.flat)
    }

    fn goal_values(&self, state: &NetworkState, role: usize) -> Vec<String> {
        let mut position = state.position.clone();
        position.evaluate_goals(&self.flat);
        let goals = position.mode(&self.flat).goals[role].iter().zip(&self.goals[role]);
        let reached = goals.filter(|(lit, _)| position.value(**lit));
        reached.map(|(_, (text, _))| text.clone()).collect()
    }
}
