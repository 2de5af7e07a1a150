//! Effects without a path: setting, remembering, scoring, rolling.

use super::Mv;
use super::single::is_single;
use crate::action::{Change, NONE};
use crate::ctx::{Ctx, Source};
use crate::game::{ContainerKind, Mode};
use crate::ir::{Int, MovesKind, NoteText, SetHidden, SetRotation, TakeControl, Who};
use crate::owned::Held;
use crate::sites::Numbers;
use crate::topo::SiteType;
use std::sync::Arc;

/// So many different stakes can be chosen from at most.
const MOST_BETS: usize = 1 << 10;

fn one(change: Change) -> Vec<Mv> {
    vec![Mv::of(change, false)]
}

impl Ctx<'_> {
    /// Players of a role without nobody and everybody.
    fn players_meant(&mut self, who: &Who) -> Numbers {
        match who {
            Who::One(player) => Numbers::from_slice(&[self.int(player)]),
            Who::Role(role) => self.real_players(*role),
        }
    }

    pub(super) fn effect(&mut self, kind: &MovesKind) -> Vec<Mv> {
        use MovesKind as K;
        match kind {
            single if is_single(single) => self.single(single).into_iter().flat_map(one).collect(),
            K::Flip(kind, site) => self.flip(*kind, site),
            K::Roll => self.roll(),
            K::AddScore(who, scores) => self.add_score(who, scores),
            K::SetScore(who, score) => {
                let score = self.int(score);
                let players = self.players_meant(who);
                let set = |player| Change::SetScore { player, score, add: false };
                players.into_iter().map(|p| Mv::of(set(p), false)).collect()
            }
            K::SetPlayerValue(who, value) => {
                let players = self.players_meant(who);
                let value = self.int(value);
                let valid = 0..=self.g.players;
                let set = |player| Change::SetPlayerValue { player, value };
                players
                    .into_iter()
                    .filter(|p| valid.contains(p))
                    .map(|p| Mv::of(set(p), false).at(NONE, NONE))
                    .collect()
            }
            K::SetPending(Some(region)) => {
                let sites = self.sites(region);
                let mut values = sites.into_iter().map(|value| Change::SetPending { value });
                let Some(first) = values.next() else {
                    return Vec::new();
                };
                let mut m = Mv::of(first, false);
                values.for_each(|change| m.push(change));
                vec![m]
            }
            K::SetNextPlayer { who, decision } => {
                let players = self.ints(who);
                let mover = self.s.mover;
                let valid = 1..=self.g.players;
                let set = |player| Mv::of(Change::SetNext { player }, *decision);
                players
                    .into_iter()
                    .filter(|p| valid.contains(p))
                    .map(|p| set(p).at(NONE, NONE).by(mover))
                    .collect()
            }
            K::SetRotation(set) => self.set_rotation(set),
            K::SetHidden(set) => self.set_hidden(set),
            K::SetTeam(team, players) => {
                let team = self.int(team);
                let mut m = Mv::empty();
                for player in players {
                    let player = self.int(player);
                    m.push(Change::Team { team, player });
                }
                vec![m]
            }
            K::Remember(name, value, unique) => {
                let value = self.int(value);
                let known = self.s.remembered(name.as_deref()).contains(&value);
                if self.bool(unique) && known {
                    return Vec::new();
                }
                let name = name.as_deref().map(Arc::from);
                one(Change::Remember { name, value })
            }
            K::Forget(name, Some(value)) => {
                let value = self.int(value);
                let name = name.as_deref().map(Arc::from);
                one(Change::Forget { name, value })
            }
            K::Forget(name, None) => self.forget_all(name.as_deref()),
            K::RememberState => one(Change::Store { hash: 0 }),
            K::SwapPieces(a, b, decision) => self.swap_pieces(a, b, *decision),
            K::SwapPlayers(a, b, _) => {
                let (a, b) = (self.int(a), self.int(b));
                vec![self.swap_players(a, b)]
            }
            K::TakeControl(take) => self.take_control(take),
            K::Trigger(event, player) => {
                let player = self.int(player);
                one(Change::Trigger { event: event.clone(), player })
            }
            K::Note(note) => {
                let text = self.note_text(&note.text);
                let text: Box<str> = match &note.from {
                    Some(from) => format!("P{} {text}", self.int(from)).into(),
                    None => text,
                };
                let to = match &note.to {
                    Some(who) => self.players_meant(who),
                    None => (1..=self.g.players).collect(),
                };
                let tell = |to| Change::Note { text: text.clone(), to };
                to.into_iter().map(|p| Mv::of(tell(p), false)).collect()
            }
            K::TakeDomino => self.take_domino(),
            K::Deal(deal) => self.dealt(deal),
            K::PlayCard { decision } => self.play_card(*decision),
            K::SetTrumpSuit { suits, decision } => {
                let suits = self.ints(suits);
                self.set_trump_suit(&suits, *decision)
            }
            K::Message { vote, texts, decision } => self.message(*vote, texts, *decision),
            K::Bet(player, range, decision) => {
                let player = self.int(player);
                let (min, max) = (self.int(&range.min), self.int(&range.max));
                let bet = |value| Mv::of(Change::Bet { player, value }, *decision);
                let mover = match self.g.mode {
                    Mode::Simultaneous => player,
                    _ => self.s.mover,
                };
                (min..=max).take(MOST_BETS).map(|v| bet(v).at(NONE, NONE).by(mover)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The mover gets any of the dominoes that are left, on the first free place of his hand.
    fn take_domino(&mut self) -> Vec<Mv> {
        let left = self.dominoes_left();
        let mover = self.s.mover;
        let hand = self.g.containers.iter().skip(1).find(|c| c.owner == mover);
        let free = hand.and_then(|hand| {
            let mut places = hand.first..hand.first + hand.count;
            places.find(|&site| self.what(SiteType::Cell, site) == 0)
        });
        let (Some(to), false) = (free, left.is_empty()) else {
            return Vec::new();
        };
        let what = left[self.chance.below(left.len() as i32) as usize];
        one(Change::Add {
            kind: SiteType::Cell,
            to,
            what,
            count: 1,
            state: 0,
            rotation: NONE,
            value: NONE,
            stack: false,
        })
    }

    /// The move that swaps two players' seats.
    pub fn swap_players(&mut self, a: i32, b: i32) -> Mv {
        let mover = self.s.mover;
        let mut m = Mv::of(Change::Swap { a, b }, true).at(NONE, NONE).by(mover);
        m.push(Change::SetNext { player: mover });
        m
    }

    fn note_text(&mut self, text: &NoteText) -> Box<str> {
        let text = match text {
            NoteText::Text(text) => return text.clone(),
            NoteText::Int(n) => self.int(n).to_string(),
            NoteText::Bool(cond) => self.bool(cond).to_string(),
            NoteText::Sites(region) => {
                let sites: Vec<String> =
                    self.sites(region).iter().map(|site| site.to_string()).collect();
                format!("{{{}}}", sites.join(", "))
            }
            NoteText::Range(range) => {
                format!("[{};{}]", self.int(&range.min), self.int(&range.max))
            }
        };
        text.into()
    }

    fn message(&mut self, vote: bool, texts: &[u16], decision: bool) -> Vec<Mv> {
        let mover = self.s.mover;
        let make = |&index: &u16| {
            let text = self.g.texts[index as usize].clone();
            let change =
                if vote { Change::Vote { text, index } } else { Change::Propose { text, index } };
            Mv::of(change, decision).at(NONE, NONE).by(mover)
        };
        texts.iter().map(make).collect()
    }

    fn flip(&mut self, kind: Option<SiteType>, site: &Int) -> Vec<Mv> {
        let site = self.int(site);
        if site < 0 {
            return Vec::new();
        }
        let kind = self.g.kind_at(kind, site);
        let height = self.height(Some(kind), site);
        if height > 1 {
            return self.flip_stack(kind, site, height);
        }
        let piece = self.piece(Some(kind), site);
        let Some((a, b)) = self.g.components[piece.what as usize].flips else {
            return Vec::new();
        };
        one(Change::SetState {
            kind,
            to: site,
            level: NONE,
            state: flipped(i32::from(piece.state), a, b),
        })
    }

    fn flip_stack(&mut self, kind: SiteType, to: i32, height: i32) -> Vec<Mv> {
        let mut m = Mv::empty();
        for level in 0..height {
            m.push(Change::Remove { kind, to, level, applied: true });
        }
        for level in (0..height).rev() {
            let piece = self.s.layer(kind).at(to, level);
            let flips = self.g.components[piece.what as usize].flips;
            let state = i32::from(piece.state);
            m.push(Change::Add {
                kind,
                to,
                what: i32::from(piece.what),
                count: 1,
                state: flips.map_or(state, |(a, b)| flipped(state, a, b)),
                rotation: i32::from(piece.rotation),
                value: piece.value,
                stack: true,
            });
        }
        vec![m]
    }

    fn roll(&mut self) -> Vec<Mv> {
        self.chance.rolled = true;
        if self.chance.live && self.chance.dice.is_empty() {
            self.throw_dice();
        }
        let mut m = Mv::empty();
        m.parts.reserve(self.s.dice.iter().map(Vec::len).sum::<usize>() + 1);
        let (mut first, mut equal) = (None, true);
        let mut thrown = 0;
        for container in &self.g.containers {
            if !matches!(container.kind, ContainerKind::Dice(_)) {
                continue;
            }
            for site in container.first..container.first + container.count {
                let current = i32::from(self.piece(Some(SiteType::Cell), site).state);
                let state = self.chance.dice.get(thrown).copied().unwrap_or(current);
                thrown += 1;
                equal &= *first.get_or_insert(state) == state;
                m.push(Change::Die { site, state });
            }
        }
        m.push(Change::DiceEqual { value: equal });
        vec![m]
    }

    /// Throws all dice at random.
    fn throw_dice(&mut self) {
        let g = self.g;
        for container in g.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_))) {
            for site in container.first..container.first + container.count {
                let what = self.what(SiteType::Cell, site);
                let faces = g.components[what as usize].faces.len().max(1) as u32;
                let face = match self.chance.source {
                    Source::Generator(_) => self.chance.below(faces as i32),
                    _ => self.pick.rng.below(faces) as i32,
                };
                self.chance.dice.push(face);
            }
        }
    }

    fn add_score(&mut self, who: &[Who], scores: &[Int]) -> Vec<Mv> {
        let mut out = Vec::new();
        for (who, score) in who.iter().zip(scores) {
            let score = self.int(score);
            for player in self.players_meant(who) {
                let change = Change::SetScore { player, score, add: true };
                out.push(Mv::of(change, false));
            }
        }
        out
    }

    fn set_rotation(&mut self, set: &SetRotation) -> Vec<Mv> {
        let site = self.int(&set.at);
        if site < 0 {
            return Vec::new();
        }
        let mut rotations: Vec<i32> = set.to.iter().map(|to| self.int(to)).collect();
        let current = i32::from(self.piece(Some(set.kind), site).rotation);
        let last = self.g.rotations - 1;
        if set.previous.as_ref().is_some_and(|cond| self.bool(cond)) {
            rotations.push(if current > 0 { current - 1 } else { last });
        }
        if set.next.as_ref().is_some_and(|cond| self.bool(cond)) {
            rotations.push(if current < last { current + 1 } else { 0 });
        }
        let mover = self.s.mover;
        let kind = self.g.kind_at(Some(set.kind), site);
        let turn = |rotation| Change::SetRotation { kind, to: site, rotation };
        rotations
            .into_iter()
            .map(|r| Mv::of(turn(r), set.decision).at(site, site).by(mover))
            .collect()
    }

    /// Hides or shows data of sites.
    pub fn set_hidden(&mut self, set: &SetHidden) -> Vec<Mv> {
        let sites = self.sites(&set.at);
        let level = self.int(&set.level);
        let value = self.bool(&set.value);
        let players = self.players_meant(&set.to);
        let mut m = Mv::empty();
        for data in &set.data {
            for &to in &sites {
                for &who in &players {
                    m.push(Change::Hide {
                        data: *data as u8,
                        kind: set.kind,
                        to,
                        level,
                        who,
                        value,
                    });
                }
            }
        }
        vec![m]
    }

    fn forget_all(&mut self, name: Option<&str>) -> Vec<Mv> {
        let mut m = Mv::empty();
        for (known, values) in &self.s.remembered {
            if name.is_none() || known.as_deref() == name {
                for &value in values {
                    m.parts.push(super::Part::Do(crate::action::Action::effect(Change::Forget {
                        name: known.clone(),
                        value,
                    })));
                }
            }
        }
        if m.parts.is_empty() { Vec::new() } else { vec![m] }
    }

    fn swap_pieces(&mut self, a: &Int, b: &Int, decision: bool) -> Vec<Mv> {
        let (from, to) = (self.int(a), self.int(b));
        if from < 0 || to < 0 {
            return Vec::new();
        }
        let kind = self.g.topo.default;
        let what = self.what(kind, to);
        let change = super::stepping::plain(kind, from, to);
        let mut m = Mv::of(change, decision).at(from, to).by(self.s.mover);
        m.push(Change::Add {
            kind,
            to: from,
            what,
            count: 1,
            state: NONE,
            rotation: NONE,
            value: NONE,
            stack: false,
        });
        vec![m]
    }

    fn take_control(&mut self, take: &TakeControl) -> Vec<Mv> {
        let new_owner = self.int(&take.by);
        let players = self.players_of(&take.of);
        let region = take.at.as_ref().map(|at| self.region(at));
        let mut out = Vec::new();
        for player in players {
            for Held { what, kind: on, site: to, .. } in self.owned(player) {
                if region.as_ref().is_some_and(|r| !r.contains(to)) {
                    continue;
                }
                let bare = |c: &crate::game::Component| {
                    c.name.trim_end_matches(|x: char| x.is_ascii_digit()).to_owned()
                };
                let name = bare(&self.g.components[what as usize]);
                let same = |c: &crate::game::Component| {
                    c.owner == new_owner && !c.name.is_empty() && bare(c) == name
                };
                let Some(new) = self.g.components.iter().position(same) else {
                    continue;
                };
                let kind = take.kind.unwrap_or(on);
                let piece = self.piece(Some(kind), to);
                let remove = Change::Remove { kind, to, level: NONE, applied: true };
                let mut m = Mv::of(remove, false).at(to, to);
                m.push(Change::Add {
                    kind,
                    to,
                    what: new as i32,
                    count: i32::from(piece.count),
                    state: i32::from(piece.state),
                    rotation: i32::from(piece.rotation),
                    value: piece.value,
                    stack: false,
                });
                out.push(m);
            }
        }
        out
    }
}

fn flipped(state: i32, a: i32, b: i32) -> i32 {
    if state == a {
        b
    } else if state == b {
        a
    } else {
        state
    }
}
