//! The course of a game: start, legal moves, playing a move, phases, the end.

use super::action::{Action, Change, NONE};
use super::ctx::Ctx;
use super::game::{Compiled, ContainerKind, Mode};
use super::ir::{
    EndResult, EndRule, EndWho, Outcome, Place, PlaceAt, PlaceRandom, RandomStack, Repetition,
    Start,
};
use super::moves::Mv;
use super::sites::SiteSet;
use super::state::{Layer, Piece, State};
use super::topo::SiteType;
use std::sync::Arc;

impl Compiled {
    /// An empty position, before the starting rules.
    pub fn empty_state(&self) -> State {
        let players = self.players as usize + 2;
        let total = self.container_of.len();
        let layer = |count: usize| Layer {
            flat: if self.stacking { Vec::new() } else { vec![Piece::default(); count] },
            stacks: if self.stacking { vec![Vec::new(); count] } else { Vec::new() },
            empty: SiteSet::first(count),
            counted: self.counts,
            left: Vec::new(),
        };
        let count = |kind: SiteType| match kind {
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
            owned: super::owned::Owned::new(!self.stacking && self.one_kind()),
            mover: 1,
            next: if self.players > 1 { 2 } else { 1 },
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
            active: (1..=self.players).fold(0, |set, p| set | 1 << p),
            ranking: vec![0.0; self.players as usize + 1],
            order: (0..players as u8).collect(),
            on_track: if self.inner_loops {
                vec![Vec::new(); self.tracks.len()]
            } else {
                Vec::new()
            },
            last: super::state::LastMove {
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
            let mine = |p: &super::ir::Phase| p.owner.is_none_or(|owner| owner == player);
            self.phases.iter().position(mine).unwrap_or(0) as u16
        };
        (0..=self.players + 1).map(of).collect()
    }
}

impl Ctx<'_> {
    /// Sets the game up; returns the moves of the start.
    pub fn start(&mut self) -> Vec<Vec<Action>> {
        let mut log = Vec::new();
        self.place_dice(&mut log);
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
        match self.g.meta.no_repeat {
            Some(Repetition::Positional) if self.s.mover != self.s.prev => {
                self.note_previous(self.position_hash());
            }
            Some(Repetition::PositionalInTurn) => {
                self.s.previous_in_turn.push(self.position_hash());
            }
            _ => {}
        }
    }

    fn read_dice(&mut self, values: bool) {
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

    fn begin(&mut self, change: Change, log: &mut Vec<Vec<Action>>) {
        self.apply_change(&change);
        log.push(vec![Action::effect(change)]);
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
                    let mut actions = Vec::new();
                    self.apply_effects(&m, &mut actions);
                    log.extend(actions.into_iter().map(|a| vec![a]));
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
                for value in min..=max {
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
            Start::Random(random) => self.place_random(random, log),
            Start::RandomStack(random) => self.place_random_stack(random, log),
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
            sites.retain(|&site| self.what(random.kind, site) == 0);
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
        let value =
            |c: &mut Self, n: &Option<super::ir::Int>| n.as_ref().map_or(NONE, |n| c.int(n));
        let state = value(self, &place.state);
        let rotation = value(self, &place.rotation);
        let worth = value(self, &place.value);
        let sites = match &place.at {
            PlaceAt::Site(site) => vec![self.int(site)],
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
                let pieces = if place.stack { count } else { 1 };
                let each = if place.stack { 1 } else { count };
                let piece = Placed { what, state, rotation, value: worth };
                for _ in 0..pieces {
                    self.begin(piece.change(kind, to, each, place.stack), log);
                }
            }
        }
    }

    /// Whether the mover may take over what was played before, by the swap rule.
    fn may_swap(&self) -> bool {
        self.g.meta.swap && self.s.moves - self.s.initial_moves == self.g.players - 1
    }

    /// The move that takes it over, where the mover may.
    pub(super) fn swap_offer(&mut self) -> Option<Mv> {
        let mover = self.s.mover;
        let last = i32::from(self.s.other_mover(mover));
        (self.may_swap() && last != 0).then(|| self.swap_players(mover, last))
    }

    /// All legal moves of the position, a forced pass included.
    pub fn legal_moves(&mut self) -> Vec<Mv> {
        if self.s.over.is_some() {
            return Vec::new();
        }
        if self.g.mode == Mode::Simultaneous {
            return self.simultaneous_moves();
        }
        let g = self.g;
        let mover = self.s.mover;
        let phase = &g.phases[self.s.phases[mover as usize] as usize];
        let mut list = self.moves(&phase.play);
        list.extend(self.swap_offer());
        if g.meta.pin {
            list.retain(|m| !self.is_pinned(m));
        }
        if g.meta.no_stack_on {
            list.retain(|m| !self.stacks_on_own(m));
        }
        if g.meta.gravity {
            list.iter_mut().for_each(|m| m.then.push(super::moves::FALL));
        }
        if g.meta.no_repeat.is_some() || g.meta.no_suicide {
            list.retain(|m| self.passes_meta(m));
        }
        if list.is_empty() {
            list.push(forced_pass(mover));
        }
        list
    }

    /// Whether a move takes away a piece that carries more than one other.
    fn is_pinned(&self, m: &Mv) -> bool {
        let mut changes = Vec::new();
        super::moves::flatten(m, &mut changes);
        changes.iter().any(|action| {
            let site = match action.kind {
                Change::Remove { to, .. } => to,
                Change::Move { from, .. } => from,
                _ => return false,
            };
            let plane = self.plane(SiteType::Vertex);
            if self.g.container(site) != 0 || self.what(SiteType::Vertex, site) == 0 {
                return false;
            }
            let above = plane.steps(site, super::topo::Dir::UPWARD).iter();
            above.filter(|&&to| self.what(SiteType::Vertex, to) != 0).count() > 1
        })
    }

    /// Whether a move puts a piece on a site that rests on where it came from.
    fn stacks_on_own(&self, m: &Mv) -> bool {
        let mut changes = Vec::new();
        super::moves::flatten(m, &mut changes);
        changes.iter().any(|action| {
            let Change::Move { from, to, .. } = action.kind else {
                return false;
            };
            if self.g.container(to) != 0 || self.what(SiteType::Vertex, from) == 0 {
                return false;
            }
            let plane = self.plane(SiteType::Vertex);
            let up = plane.lines(from, super::topo::Dir::UPWARD);
            up.into_iter().any(|radial| {
                let opposite = |n: &u16| &plane.radials[from as usize][*n as usize].sites;
                let back = radial.opposites.iter().map(opposite);
                back.chain([&radial.sites]).any(|sites| sites[1..].contains(&to))
            })
        })
    }

    fn simultaneous_moves(&mut self) -> Vec<Mv> {
        let g = self.g;
        let mut out = Vec::new();
        for player in 1..=g.players {
            let phase = &g.phases[self.s.phases[player as usize] as usize];
            let mut list = self.moves(&phase.play);
            list.retain(|m| m.mover == player);
            if list.is_empty() && self.s.is_active(player) {
                list.push(forced_pass(player));
            }
            out.extend(list);
        }
        out
    }

    pub(in crate::lud) fn passes_meta(&mut self, m: &Mv) -> bool {
        if let Some(kind) = self.g.meta.no_repeat
            && !m.is_pass()
        {
            let mut look = self.clone();
            look.apply_move(m);
            let seen = match kind {
                Repetition::Positional => look.s.previous.contains(&look.position_hash()),
                Repetition::Situational => look.s.previous.contains(&look.situation_hash()),
                Repetition::PositionalInTurn => {
                    look.s.previous_in_turn.contains(&look.position_hash())
                }
                Repetition::SituationalInTurn => {
                    look.s.previous_in_turn.contains(&look.situation_hash())
                }
            };
            if seen {
                return false;
            }
        }
        if self.g.meta.no_suicide {
            let mover = self.s.mover;
            let mut look = self.clone();
            look.play(m);
            return look.s.is_active(mover) || !look.s.losers.contains(&mover);
        }
        true
    }

    /// Finds out whether the mover has any move.
    pub fn compute_stalemated(&mut self) {
        if self.s.active == 0 {
            return;
        }
        let g = self.g;
        let mover = self.s.mover;
        let phase = &g.phases[self.s.phases[mover as usize] as usize];
        let can = self.may_swap() || self.clone().any_move(&phase.play, None);
        let bit = 1u32 << mover;
        self.s.stalemated = if can { self.s.stalemated & !bit } else { self.s.stalemated | bit };
    }

    /// Plays a move: its effects, the end rules, phases, whose turn comes next. Returns all changes.
    pub fn play(&mut self, m: &Mv) -> Vec<Action> {
        let mover = self.s.mover;
        if m.is_pass() {
            self.compute_stalemated();
        } else {
            self.s.stalemated &= !(1 << mover);
        }
        self.s.pending.clear();
        self.s.decided = None;
        let log = self.apply_move(m);
        self.after_move(m, mover);
        log
    }

    fn after_move(&mut self, m: &Mv, mover: i32) {
        self.check_end();
        if self.s.active == 0 {
            self.s.prev = mover;
        } else {
            self.update_phases();
        }
        self.s.counter += 1;
        self.note_position();
        if self.s.active != 0 {
            self.next_turn(m, mover);
        }
        self.read_dice(false);
    }

    fn check_end(&mut self) {
        let g = self.g;
        if self.s.active != 0 {
            let phase = &g.phases[self.s.phases[self.s.mover as usize] as usize];
            if !phase.end.is_empty() {
                self.end_rules(&phase.end);
            }
        }
        if self.s.over.is_none() && !g.end.is_empty() {
            self.end_rules(&g.end);
        }
        let played = self.s.moves - self.s.initial_moves;
        let late = self.s.turns >= g.max_turns * g.players || played >= g.max_moves;
        if self.s.active != 0 && late {
            self.draw_at_limit();
        }
    }

    fn draw_at_limit(&mut self) {
        let mut winner = 0;
        if self.g.players > 1 {
            let rank = self.draw_rank();
            for player in 1..self.s.ranking.len() {
                if self.s.ranking[player] == 0.0 {
                    self.s.ranking[player] = rank;
                } else if self.s.ranking[player] == 1.0 {
                    winner = player as i32;
                }
            }
        }
        self.s.active = 0;
        self.s.over = Some(winner);
    }

    fn draw_rank(&self) -> f64 {
        (f64::from(self.s.active.count_ones()) + 1.0) / 2.0 + self.s.winners.len() as f64
    }

    fn update_phases(&mut self) {
        let g = self.g;
        for player in 1..=g.players {
            let phase = self.s.phases[player as usize] as usize;
            for next in &g.phases[phase].next {
                let who = next.who.as_ref().map(|who| self.int(who));
                if who.is_some_and(|who| who != player && who != g.players + 1) {
                    continue;
                }
                if self.bool(&next.cond) {
                    let to = next.to.unwrap_or((phase + 1) % g.phases.len());
                    self.s.phases[player as usize] = to as u16;
                    break;
                }
            }
        }
    }

    fn note_position(&mut self) {
        let changed = self.s.mover != self.s.prev;
        match self.g.meta.no_repeat {
            Some(Repetition::Positional) if changed => {
                self.note_previous(self.position_hash());
            }
            _ if self.g.cycles => self.note_previous(self.position_hash()),
            Some(Repetition::Situational) if changed => {
                self.note_previous(self.situation_hash());
            }
            Some(Repetition::PositionalInTurn) => self.note_in_turn(self.position_hash()),
            Some(Repetition::SituationalInTurn) => self.note_in_turn(self.situation_hash()),
            _ => {}
        }
    }

    fn note_previous(&mut self, hash: u64) {
        Arc::make_mut(&mut self.s.previous).push(hash);
    }

    fn note_in_turn(&mut self, hash: u64) {
        if self.s.mover != self.s.prev {
            self.s.previous_in_turn.clear();
        }
        self.s.previous_in_turn.push(hash);
    }

    fn next_turn(&mut self, m: &Mv, mover: i32) {
        if self.g.visited {
            if self.s.mover == self.s.next {
                self.s.visited.insert(m.from);
                self.s.visited.insert(m.to);
            } else {
                self.s.visited.clear();
            }
        }
        self.s.prev = mover;
        self.s.mover = self.s.next;
        if self.s.prev == self.s.mover && !m.is_swap() {
            self.s.turn_moves += 1;
        } else {
            self.s.turn_moves = 0;
            self.s.turns += 1;
        }
        let players = self.g.players;
        let mut next = self.s.mover % players + 1;
        for _ in 0..players {
            if self.s.is_active(next) {
                break;
            }
            next = next % players + 1;
        }
        self.s.next = next;
        self.s.passes = if m.is_pass() { self.s.passes + 1 } else { 0 };
    }

    fn end_rules(&mut self, rules: &[EndRule]) {
        for rule in rules {
            if let Some(result) = self.end_rule(rule) {
                self.apply_result(&result);
            }
        }
        if self.s.over.is_none() && self.g.all_pass_ends && self.all_pass() {
            self.apply_result(&EndResult::Result(EndWho::All, Outcome::Draw));
        }
        self.s.losses_decided = 0;
    }

    fn end_rule(&mut self, rule: &EndRule) -> Option<EndResult> {
        match rule {
            EndRule::If(cond, subs, result) => {
                if !self.bool(cond) {
                    return None;
                }
                for sub in subs {
                    if let Some(result) = self.end_rule(sub) {
                        return Some(result);
                    }
                }
                result.clone()
            }
            EndRule::ForEachPlayer { non_mover, cond, result } => {
                let saved = self.v.player;
                for player in 1..=self.g.players {
                    let skipped = *non_mover && player == self.s.mover;
                    if skipped || !self.s.is_active(player) {
                        continue;
                    }
                    self.v.player = player;
                    if self.bool(cond) {
                        self.apply_result(result);
                    }
                }
                self.v.player = saved;
                None
            }
            EndRule::ForEachTrack(cond, result) => {
                let saved = self.v.track;
                for track in 0..self.g.tracks.len() {
                    if self.s.active == 0 {
                        break;
                    }
                    self.v.track = track as i32;
                    if self.bool(cond) {
                        self.apply_result(result);
                    }
                }
                self.v.track = saved;
                None
            }
        }
    }

    fn apply_result(&mut self, result: &EndResult) {
        match result {
            EndResult::ByScore(scores, misere) => self.by_score(scores, misere),
            EndResult::Payoffs(_) => {}
            EndResult::Result(EndWho::All, outcome) => self.result_of_all(*outcome),
            EndResult::Result(EndWho::Team(team), outcome) => {
                let team = self.int(team);
                self.result_of_team(team, *outcome);
            }
            EndResult::Result(EndWho::Player(player), outcome) => {
                let player = self.int(player);
                if !self.s.is_active(player) {
                    return;
                }
                match outcome {
                    Outcome::Win => self.win(player),
                    Outcome::Loss => self.lose(player),
                    other => self.result_of_all(*other),
                }
            }
        }
    }

    fn result_of_all(&mut self, outcome: Outcome) {
        let players = self.g.players;
        let rank = match outcome {
            Outcome::Win => 1.0,
            Outcome::Loss => f64::from(players),
            Outcome::Draw => self.draw_rank(),
            Outcome::Tie => {
                self.s.active = 0;
                self.s.over = Some(players + 1);
                return;
            }
            Outcome::Abandon => {
                self.s.active = 0;
                self.s.over = Some(-1);
                return;
            }
        };
        if players > 1 {
            for player in 1..self.s.ranking.len() {
                if self.s.ranking[player] == 0.0 {
                    self.s.ranking[player] = rank;
                    if outcome == Outcome::Win {
                        self.s.winners.push(player as i32);
                    }
                }
            }
        } else {
            self.s.ranking[1] = 0.0;
        }
        self.s.active = 0;
        self.s.over = Some(0);
        if outcome == Outcome::Draw {
            let first = self.s.ranking.iter().rposition(|&rank| rank == 1.0);
            self.s.over = Some(first.map_or(0, |player| player as i32));
        }
    }

    fn best_ranked(&self) -> Option<i32> {
        let first = self.s.ranking.iter().skip(1).position(|&rank| rank == 1.0);
        first.map(|at| at as i32 + 1)
    }

    fn win(&mut self, player: i32) {
        self.s.active &= !(1 << player);
        let rank = self.s.winners.len() as f64 + 1.0;
        self.s.winners.push(player);
        self.s.ranking[player as usize] = rank;
        let only = self.s.only_active();
        if only != 0 {
            self.s.ranking[only as usize] = rank + 1.0;
            self.s.losers.push(only);
            self.s.over = self.best_ranked().or(self.s.over);
            self.s.active = 0;
        } else if self.s.active == 0 {
            self.s.over = self.best_ranked().or(Some(0));
        }
    }

    fn lose(&mut self, player: i32) {
        self.s.active &= !(1 << player);
        let players = self.g.players;
        if players == 1 {
            self.s.active = 0;
            self.s.over = Some(0);
            self.s.losses_decided += 1;
            return;
        }
        if self.s.next == player && self.s.active != 0 {
            let mut next = player;
            while !self.s.is_active(next) {
                next = next % players + 1;
            }
            self.s.next = next;
        }
        let lowest = f64::from(players) - self.s.losers.len() as f64;
        let together = lowest + 1.0 + 0.5 * (f64::from(self.s.losses_decided) - 1.0);
        let rank = together - 0.5;
        self.s.ranking[player as usize] = rank;
        self.s.losers.push(player);
        for other in &mut self.s.ranking {
            if *other == together {
                *other = rank;
            }
        }
        let only = self.s.only_active();
        if self.s.active == 0 {
            self.s.over = self.best_ranked().or(Some(0));
        } else if only != 0 {
            self.s.ranking[only as usize] = self.s.winners.len() as f64 + 1.0;
            let ranked = &self.s.ranking[1..];
            let least = ranked.iter().copied().fold(f64::INFINITY, f64::min);
            let winner = ranked.iter().position(|&rank| rank == least);
            let winner = winner.map_or(0, |at| at as i32 + 1);
            self.s.over = Some(winner);
            self.s.winners.push(winner);
            self.s.active = 0;
        }
        self.s.losses_decided += 1;
    }

    fn result_of_team(&mut self, team: i32, outcome: Outcome) {
        if outcome != Outcome::Win {
            return;
        }
        let members: Vec<i32> = (1..=self.g.players).filter(|&p| self.team_of(p) == team).collect();
        for &player in &members {
            self.s.active &= !(1 << player);
            self.s.winners.push(player);
        }
        let taken = |rank: f64| self.s.ranking.contains(&rank);
        let mut rank = 1.0;
        while taken(rank) {
            rank += 1.0;
        }
        for &player in &members {
            self.s.ranking[player as usize] = rank;
        }
        let rest: Vec<i32> = (1..=self.g.players).filter(|&p| self.s.is_active(p)).collect();
        let one_team = rest.windows(2).all(|w| self.team_of(w[0]) == self.team_of(w[1]));
        if !rest.is_empty() && one_team {
            // Those of the team who had lost before share its rank.
            let losing = self.team_of(rest[0]);
            for player in 1..=self.g.players {
                if self.team_of(player) == losing {
                    self.s.ranking[player as usize] = rank + members.len() as f64;
                }
            }
            self.s.over = self.best_ranked().or(Some(0));
            self.s.active = 0;
        } else if rest.is_empty() {
            self.s.over = self.best_ranked().or(Some(0));
        }
    }

    fn by_score(&mut self, scores: &[(super::ir::Int, super::ir::Int)], misere: &super::ir::Bool) {
        let misere = self.bool(misere);
        for (player, score) in scores {
            let (player, score) = (self.int(player), self.int(score));
            if let Some(old) = self.s.scores.get_mut(player.max(0) as usize) {
                *old = score;
            }
        }
        self.s.active = 0;
        let players = self.g.players as usize;
        let worth = |player: usize| {
            let score = i64::from(self.s.scores[player]);
            if misere { -score } else { score }
        };
        let values: Vec<i64> = (1..=players).map(worth).collect();
        for (at, value) in values.iter().enumerate() {
            let better = values.iter().filter(|v| *v > value).count() as f64;
            let equal = values.iter().filter(|v| *v == value).count() as f64;
            self.s.ranking[at + 1] = ((better + 1.0) * 2.0 + equal - 1.0) / 2.0;
        }
        let winner = self.best_ranked().unwrap_or(0);
        if winner > 0 {
            self.s.winners.push(winner);
        }
        self.s.over = Some(winner);
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

/// The pass of a player who has no move.
pub fn forced_pass(player: i32) -> Mv {
    Mv::of(Change::Pass { forced: true }, true).at(NONE, NONE).by(player)
}
