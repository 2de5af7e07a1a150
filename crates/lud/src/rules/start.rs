//! The start of a game: an empty position and the rules that fill it.

use crate::action::{Action, Change, NONE};
use crate::ctx::Ctx;
use crate::game::{Compiled, ContainerKind};
use crate::ir::{Int, Place, PlaceAt, PlaceRandom, RandomStack, Repetition, Start};
use crate::layer::Layer;
use crate::moves::{Log, MOST_AT_ONCE};
use crate::sites::{Numbers, SiteSet};
use crate::state::{LastMove, State};
use crate::topo::SiteType;
use std::sync::Arc;

impl Compiled {
    /// An empty position, before the starting rules.
    pub fn empty_state(&self) -> State {
        let players = self.players as usize + 2;
        let total = self.container_of.len();
        let layer = |count: usize| Layer::empty(count, self.stacking, self.counts);
        let count = |kind: SiteType| match kind {
            SiteType::Cell if self.containers.len() == 1 && !self.used[kind as usize] => 0,
            SiteType::Cell => total.max(self.topo.count(kind)),
            kind if self.used[kind as usize] => self.topo.count(kind),
            _ => 0,
        };
        let dice: Vec<Vec<i32>> = self
            .containers
            .iter()
            .filter(|c| matches!(c.kind, ContainerKind::Dice(_)))
            .map(|c| vec![0; c.count as usize])
            .collect();
        State {
            layers: [SiteType::Vertex, SiteType::Edge, SiteType::Cell].map(|k| layer(count(k))),
            owned: crate::owned::Owned::new(!self.stacking && self.one_kind()),
            mover: self.players.min(1),
            next: self.players.min(2),
            prev: 0,
            counter: NONE,
            scores: vec![0; players],
            amounts: vec![0; players],
            values: vec![-1; players],
            vars: vec![-1; self.vars.len()],
            phases: self.first_phases(),
            turns: 1,
            teams: (0..players as i32).collect(),
            dice_sum: vec![0; dice.len()],
            dice,
            temp: NONE,
            trump: NONE,
            turn_from: NONE,
            active: (1..=self.players).fold(0, |set, p| set | 1 << p),
            ranking: vec![0.0; self.players as usize + 1],
            order: (0..players as u8).collect(),
            on_track: if self.inner_loops {
                vec![Vec::new(); self.tracks.len()]
            } else {
                Vec::new()
            },
            last: LastMove {
                from: NONE,
                to: NONE,
                from_after: NONE,
                to_after: NONE,
                ..Default::default()
            },
            ..State::default()
        }
    }

    /// Whether the rules speak of one kind of site only (hands and dice are cells).
    fn one_kind(&self) -> bool {
        let cells = self.containers.len() > 1 || self.used[SiteType::Cell as usize];
        let others = [SiteType::Vertex, SiteType::Edge].map(|kind| self.used[kind as usize]);
        matches!((cells, others), (true, [false, false]) | (false, [true, false]))
    }

    fn first_phases(&self) -> Vec<u16> {
        let of = |player: i32| {
            let mine = |p: &crate::ir::Phase| p.owner.is_none_or(|owner| owner == player);
            self.phases.iter().position(mine).unwrap_or(0) as u16
        };
        (0..=self.players + 1).map(of).collect()
    }
}

impl Ctx<'_> {
    /// Sets the game up; returns the moves of the start.
    pub fn start(&mut self) -> Vec<Vec<Action>> {
        if self.g.is_match() {
            return self.begin_game(0);
        }
        let mut log = Vec::new();
        self.place_dice(&mut log);
        self.shuffle_decks(&mut log);
        let g = self.g;
        for rule in &g.start {
            self.start_rule(rule, &mut log);
        }
        self.finish_start(log.len());
        log
    }

    /// What follows the starting rules.
    pub fn finish_start(&mut self, moves: usize) {
        self.s.moves = moves as i32;
        self.s.initial_moves = moves as i32;
        let mut starting = vec![SiteSet::new(); self.g.components.len()];
        let kind = self.g.topo.default;
        for site in 0..self.g.board_sites() as i32 {
            let what = self.what(kind, site);
            starting[what as usize].insert(site);
        }
        self.s.starting = Arc::new(starting);
        self.read_dice(true);
        match self.g.history {
            Some(Repetition::Positional) if self.s.mover != self.s.prev => {
                self.note_previous(self.position_hash());
            }
            Some(Repetition::PositionalInTurn) => {
                self.s.previous_in_turn.push(self.position_hash());
            }
            _ => {}
        }
    }

    pub(super) fn read_dice(&mut self, values: bool) {
        for container in &self.g.containers {
            let ContainerKind::Dice(set) = container.kind else {
                continue;
            };
            let mut sum = 0;
            for n in 0..container.count {
                let piece = self.piece(Some(SiteType::Cell), container.first + n);
                let faces = &self.g.components[piece.what as usize].faces;
                let face = faces.get(piece.state as usize).copied().unwrap_or(0);
                sum += face;
                if values {
                    self.s.dice[set][n as usize] = face;
                }
            }
            self.s.dice_sum[set] = sum;
        }
    }

    fn place_dice(&mut self, log: &mut Vec<Vec<Action>>) {
        let mut die = 1;
        for container in &self.g.containers {
            if !matches!(container.kind, ContainerKind::Dice(_)) {
                continue;
            }
            for site in container.first..container.first + container.count {
                self.begin(add(SiteType::Cell, site, die, 1), log);
                die += 1;
            }
        }
    }

    /// Puts the cards of each deck on its pile in any order.
    fn shuffle_decks(&mut self, log: &mut Vec<Vec<Action>>) {
        let g = self.g;
        for deck in g.containers.iter() {
            let ContainerKind::Deck { first, count } = deck.kind else {
                continue;
            };
            let mut cards: Vec<u16> = (first..first + count).collect();
            while !cards.is_empty() {
                let what = cards.remove(self.chance.below(cards.len() as i32) as usize);
                let card = Placed { what, state: NONE, rotation: NONE, value: NONE };
                self.begin(card.change(SiteType::Cell, deck.first, 1, true), log);
            }
        }
    }

    /// Deals cards from a level of the deck, one to each player in turn.
    fn deal_cards(&mut self, cards: i32, from_top: bool, log: &mut Vec<Vec<Action>>) {
        let (Some(deck), Some(hands)) = (self.g.deck(), self.g.hands()) else {
            return;
        };
        let held = |c: &Self| c.s.layer(SiteType::Cell).height(deck.first);
        for n in 0..cards.min(held(self)) {
            let level = if from_top { held(self) - 1 } else { 0 };
            let to = hands[n as usize % hands.len()];
            self.begin(crate::moves::card_moved(deck.first, level, to), log);
        }
    }

    fn begin(&mut self, change: Change, log: &mut Vec<Vec<Action>>) {
        self.apply_change(&change);
        self.note_begun(&change);
        log.push(vec![Action::effect(change)]);
    }

    /// What the start did last is the last move until somebody moves.
    fn note_begun(&mut self, change: &Change) {
        let (from, to) = (change.from(), change.to());
        self.s.last = LastMove {
            from,
            to,
            from_after: from,
            to_after: to,
            kinds: change.kinds(),
            ends: Numbers::from_slice(&[to]),
            ..LastMove::default()
        };
    }

    fn start_rule(&mut self, rule: &Start, log: &mut Vec<Vec<Action>>) {
        match rule {
            Start::Place(place) => self.place(place, log),
            Start::SetCount(kind, region, count) => {
                let what = self.g.components.len() as i32 - 1;
                for to in self.sites(region) {
                    let count = self.int(count);
                    let kind = self.g.kind_at(Some(*kind), to);
                    let change = Change::SetCount { kind, to, what, count };
                    self.begin(change, log);
                }
            }
            Start::SetScore(players, score) => {
                for player in players {
                    let (player, score) = (self.int(player), self.int(score));
                    let change = Change::SetScore { player, score, add: false };
                    self.begin(change, log);
                }
            }
            Start::SetAmount(players, value) => {
                for player in players {
                    let (player, value) = (self.int(player), self.int(value));
                    self.begin(Change::SetAmount { player, value }, log);
                }
            }
            Start::Assign(kind, given) => {
                for &(site, value) in given {
                    self.begin(Change::Assign { kind: *kind, site, value }, log);
                }
            }
            Start::SetCost(kind, region, cost) => {
                for to in self.sites(region) {
                    let cost = self.int(cost);
                    let kind = *kind;
                    self.begin(Change::SetCost { kind, to, cost }, log);
                }
            }
            Start::SetPhase(kind, region, phase) => {
                for to in self.sites(region) {
                    let phase = self.int(phase);
                    let kind = *kind;
                    self.begin(Change::SetPhase { kind, to, phase }, log);
                }
            }
            Start::Remember(name, values, unique) => {
                for value in self.ints(values) {
                    let known = self.s.remembered(name.as_deref()).contains(&value);
                    if !(self.bool(unique) && known) {
                        let name = name.as_deref().map(Arc::from);
                        self.begin(Change::Remember { name, value }, log);
                    }
                }
            }
            Start::SetTeam(team, players) => {
                for &player in players {
                    let team = *team;
                    self.begin(Change::Team { team, player }, log);
                }
            }
            Start::SetHidden(set) => {
                for m in self.set_hidden(set) {
                    let mut told = Log::full();
                    self.apply_effects(&m, &mut told);
                    for action in told.into_actions() {
                        self.note_begun(&action.kind);
                        log.push(vec![action]);
                    }
                }
            }
            Start::SetOwner(player, kind, region) => {
                let player = self.int(player);
                for to in self.sites(region) {
                    let change = Change::Add {
                        kind: *kind,
                        to,
                        what: player,
                        count: 1,
                        state: NONE,
                        rotation: NONE,
                        value: NONE,
                        stack: false,
                    };
                    self.begin(change, log);
                }
            }
            Start::ForEachValue(min, max, rule) => {
                let (min, max) = (self.int(min), self.int(max));
                let saved = self.v.value;
                for value in min..=max.min(min.saturating_add(MOST_AT_ONCE)) {
                    self.v.value = value;
                    self.start_rule(rule, log);
                }
                self.v.value = saved;
            }
            Start::ForEachSite(region, cond, rule) => {
                let saved = self.v.site;
                for site in self.sites(region) {
                    self.v.site = site;
                    if cond.as_ref().is_none_or(|cond| self.bool(cond)) {
                        self.start_rule(rule, log);
                    }
                }
                self.v.site = saved;
            }
            Start::ForEachPlayer(players, rule) => {
                let players = match players {
                    Some(players) => self.ints(players),
                    None => (1..=self.g.players).collect(),
                };
                let saved = self.v.player;
                for player in players {
                    self.v.player = player;
                    self.start_rule(rule, log);
                }
                self.v.player = saved;
            }
            Start::ForEachTeam(rule) => {
                let saved = std::mem::take(&mut self.v.team);
                for team in 1..=self.g.players {
                    let members = (1..=self.g.players).filter(|&p| self.team_of(p) == team);
                    self.v.team = members.collect();
                    if !self.v.team.is_empty() {
                        self.start_rule(rule, log);
                    }
                }
                self.v.team = saved;
            }
            Start::Deal(count) => self.deal(*count, log),
            Start::DealCards(count) => self.deal_cards(count * self.g.players, true, log),
            Start::SplitDeck => self.deal_cards(i32::MAX, false, log),
            Start::Random(random) => self.place_random(random, log),
            Start::RandomStack(random) => self.place_random_stack(random, log),
        }
    }

    /// Deals pieces to the hands, one to each player in turn.
    fn deal(&mut self, count: i32, log: &mut Vec<Vec<Action>>) {
        let Some(hands) = self.g.hands() else {
            return;
        };
        let mut left: Vec<i32> = (1..self.g.components.len() as i32).collect();
        // The reference deals so many to each of two, however many play.
        for n in 0..count * 2 {
            if left.is_empty() {
                return;
            }
            let what = left.remove(self.chance.below(left.len() as i32) as usize);
            let (round, player) = (n / self.g.players, n % self.g.players);
            self.begin(add(SiteType::Cell, hands[player as usize] + round, what, 1), log);
        }
    }

    fn place_random(&mut self, random: &PlaceRandom, log: &mut Vec<Vec<Action>>) {
        let mut pieces = random.what.clone();
        let mut sites = self.sites(&random.region);
        let rounds = if random.shuffled { pieces.len().saturating_sub(1) } else { pieces.len() };
        for round in 0..rounds {
            let what = if random.shuffled {
                pieces.remove(self.chance.below(pieces.len() as i32) as usize)
            } else {
                sites = self.sites(&random.region);
                pieces[round]
            };
            sites.retain(|&mut site| self.what(random.kind, site) == 0);
            let state = random.state.as_ref().map_or(NONE, |state| self.int(state));
            let value = random.value.as_ref().map_or(NONE, |value| self.int(value));
            let mut placed = 0;
            while placed < self.int(&random.count) && !sites.is_empty() {
                let to = sites.remove(self.chance.below(sites.len() as i32) as usize);
                let kind = self.g.kind_at(Some(random.kind), to);
                let piece = Placed { what, state, rotation: NONE, value };
                self.begin(piece.change(kind, to, 1, false), log);
                placed += 1;
            }
        }
    }

    fn place_random_stack(&mut self, random: &RandomStack, log: &mut Vec<Vec<Action>>) {
        let to = self.int(&random.at);
        let mut pieces = Vec::new();
        for (what, count) in &random.what {
            let count = count.as_ref().map_or(1, |count| self.int(count));
            pieces.extend((0..count).map(|_| *what));
        }
        let state = random.state.as_ref().map_or(NONE, |state| self.int(state));
        let value = random.value.as_ref().map_or(NONE, |value| self.int(value));
        while !pieces.is_empty() {
            let what = pieces.remove(self.chance.below(pieces.len() as i32) as usize);
            let kind = self.g.kind_at(Some(random.kind), to);
            let piece = Placed { what, state, rotation: NONE, value };
            self.begin(piece.change(kind, to, 1, true), log);
        }
    }

    fn place(&mut self, place: &Place, log: &mut Vec<Vec<Action>>) {
        let value = |c: &mut Self, n: &Option<Int>| n.as_ref().map_or(NONE, |n| c.int(n));
        let state = value(self, &place.state);
        let rotation = value(self, &place.rotation);
        let worth = value(self, &place.value);
        let sites = match &place.at {
            PlaceAt::Site(site) => Numbers::from_slice(&[self.int(site)]),
            PlaceAt::Sites(sites) => sites.iter().map(|site| self.int(site)).collect(),
            PlaceAt::Region(region) => self.sites(region),
            PlaceAt::Container(index) => {
                let container = &self.g.containers[*index];
                let mut free = container.first..container.first + container.count;
                let empty = |site: &i32| self.what(SiteType::Cell, *site) == 0;
                let first = free.find(empty);
                first.into_iter().collect()
            }
        };
        for (n, &to) in sites.iter().enumerate() {
            let count = match place.counts.as_slice() {
                [] => 1,
                [one] => self.int(one),
                many => many.get(n).map_or(1, |count| self.int(count)),
            };
            let kind = self.g.kind_at(place.kind, to);
            for &what in &place.what {
                let pieces = if place.stack { count.min(MOST_AT_ONCE) } else { 1 };
                let each = if place.stack { 1 } else { count };
                let piece = Placed { what, state, rotation, value: worth };
                for _ in 0..pieces {
                    self.begin(piece.change(kind, to, each, place.stack), log);
                }
            }
        }
    }
}

/// A piece as the start puts it somewhere.
struct Placed {
    what: u16,
    state: i32,
    rotation: i32,
    value: i32,
}

impl Placed {
    fn change(&self, kind: SiteType, to: i32, count: i32, stack: bool) -> Change {
        let &Placed { what, state, rotation, value } = self;
        let what = i32::from(what);
        Change::Add { kind, to, what, count, state, rotation, value, stack }
    }
}

fn add(kind: SiteType, to: i32, what: i32, count: i32) -> Change {
    Change::Add { kind, to, what, count, state: NONE, rotation: NONE, value: NONE, stack: false }
}
