//! Changes of everything but pieces, and the places of pieces on tracks.

use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::topo::SiteType;

impl Ctx<'_> {
    pub(super) fn apply_other(&mut self, change: &Change) {
        let s = &mut self.s;
        let slot = |player: i32| usize::try_from(player).unwrap_or(usize::MAX);
        match change {
            Change::Die { site, state } => self.set_die(*site, *state),
            Change::DiceEqual { value } => {
                s.dice_equal = *value;
                for (sum, set) in s.dice_sum.iter_mut().zip(&s.dice) {
                    *sum = set.iter().sum();
                }
            }
            Change::UseDie { dice, die, .. } => {
                let set = s.dice.get_mut(slot(*dice));
                if let Some(value) = set.and_then(|set| set.get_mut(slot(*die))) {
                    *value = 0;
                }
            }
            Change::SetTemp { value } => s.temp = *value,
            Change::SetTrumpSuit { suit } => s.trump = *suit,
            Change::SetNext { player } => s.next = *player,
            Change::SetScore { player, score, add } => {
                if let Some(old) = s.scores.get_mut(slot(*player)) {
                    *old = if *add { old.wrapping_add(*score) } else { *score };
                }
            }
            Change::SetVar { index, value } => {
                if let Some(var) = s.vars.get_mut(*index as usize) {
                    *var = *value;
                }
            }
            Change::SetPending { value } => {
                let value = if *value == NONE { 1 } else { *value };
                if !s.pending.contains(&value) {
                    s.pending.push(value);
                }
            }
            Change::SetCounter { value } => s.counter = *value,
            Change::SetPot { value } => s.pot = *value,
            Change::SetAmount { player, value } | Change::Bet { player, value } => {
                if let Some(amount) = s.amounts.get_mut(slot(*player)) {
                    *amount = *value;
                }
            }
            Change::SetPlayerValue { player, value } => {
                if let Some(old) = s.values.get_mut(slot(*player)) {
                    *old = *value;
                }
            }
            Change::Remember { name, value } => {
                match s.remembered.iter_mut().find(|(n, _)| n == name) {
                    Some((_, values)) => values.push(*value),
                    None => s.remembered.push((name.clone(), vec![*value])),
                }
            }
            Change::Forget { name, value } => {
                if let Some((_, values)) = s.remembered.iter_mut().find(|(n, _)| n == name)
                    && let Some(at) = values.iter().position(|v| v == value)
                {
                    values.remove(at);
                }
            }
            Change::Swap { a, b } => {
                // Nobody's place is not a seat.
                let seats = 1..s.order.len();
                let (a, b) = (slot(*a), slot(*b));
                if seats.contains(&a) && seats.contains(&b) {
                    s.order.swap(a, b);
                }
            }
            Change::Team { team, player } => {
                if let Some(old) = s.teams.get_mut(slot(*player)) {
                    *old = *team;
                }
            }
            Change::Hide { data, kind, to, level, who, value } => {
                let key = (*who as u8, *kind, *to, (*level).max(0), *data);
                s.hidden.retain(|known| *known != key);
                if *value {
                    s.hidden.push(key);
                    s.hidden.sort_unstable_by_key(|&(w, k, t, l, d)| (w, k as u8, t, l, d));
                }
            }
            Change::Trigger { player, .. } => s.triggers |= 1 << (*player).clamp(0, 31),
            Change::Propose { index, .. } => s.proposed.push(*index),
            Change::Vote { index, .. } => {
                s.votes.push(*index);
                if s.votes.len() == self.g.players as usize {
                    s.count_votes();
                }
            }
            Change::SetCost { kind, to, cost } => {
                set_at(&mut s.costs[*kind as usize], *to, *cost, 0);
            }
            Change::SetPhase { kind, to, phase } => {
                set_at(&mut s.site_phases[*kind as usize], *to, *phase, -1);
            }
            Change::Store { .. } => s.stored = 0,
            _ => {}
        }
        if matches!(change, Change::Store { .. }) {
            self.s.stored = self.position_hash();
        }
    }

    fn set_die(&mut self, site: i32, state: i32) {
        if state < 0 {
            return;
        }
        self.s.layers[SiteType::Cell as usize].update(site, |p| p.state = state as i16);
        let container = self.g.container(site);
        if let crate::game::ContainerKind::Dice(set) = self.g.containers[container].kind {
            let what = self.what(SiteType::Cell, site);
            let die = site - self.g.containers[container].first;
            let faces = &self.g.components[what.max(0) as usize].faces;
            if let Some(&face) = faces.get(state as usize) {
                self.s.dice[set][die as usize] = face;
            }
        }
    }

    /// A piece appears on tracks that visit sites twice.
    pub(super) fn enter_tracks(&mut self, what: u16, to: i32, count: i32) {
        for (track, places) in self.g.tracks.iter().zip(&mut self.s.on_track) {
            if let Some(place) = track.sites.iter().position(|&s| s == to) {
                shift(places, what, place, count);
            }
        }
    }

    /// A piece vanishes: the reference counts it off every place of its site, below zero as well.
    pub(super) fn leave_tracks(&mut self, what: u16, to: i32) {
        if what == 0 {
            return;
        }
        for (track, places) in self.g.tracks.iter().zip(&mut self.s.on_track) {
            for (place, _) in track.sites.iter().enumerate().filter(|(_, s)| **s == to) {
                shift(places, what, place, -1);
            }
        }
    }

    pub(super) fn follow_tracks(&mut self, what: u16, from: i32, to: i32, count: i32) {
        if self.s.on_track.is_empty() || what == 0 {
            return;
        }
        for (track, places) in self.g.tracks.iter().zip(&mut self.s.on_track) {
            let first = Some(track.place(to)).filter(|&place| place < track.sites.len());
            let mut starts = track.sites.iter().enumerate().filter(|(_, s)| **s == from);
            if starts.clone().next().is_none() {
                if let Some(place) = first {
                    shift(places, what, place, 1);
                }
                continue;
            }
            let here = |place: usize| {
                places.iter().any(|p| (p.0, p.1 as usize) == (what, place) && p.2 > 0)
            };
            let Some((at, _)) = starts.find(|(place, _)| here(*place)) else {
                continue;
            };
            shift(places, what, at, -count);
            let later = track.sites.iter().skip(at + 1).position(|&s| s == to);
            if let Some(place) = later.map(|n| n + at + 1).or(first) {
                shift(places, what, place, count);
            }
        }
    }
}

/// Changes the count of a piece at a place of a track; places where none is left are not listed.
fn shift(places: &mut Vec<(u16, u16, i32)>, what: u16, place: usize, by: i32) {
    let place = place as u16;
    match places.iter().position(|p| p.0 == what && p.1 == place) {
        Some(at) if places[at].2 + by == 0 => {
            places.swap_remove(at);
        }
        Some(at) => places[at].2 += by,
        None => places.push((what, place, by)),
    }
}

/// Sets an entry of a table that grows as needed.
fn set_at(table: &mut Vec<i32>, at: i32, value: i32, fill: i32) {
    let Ok(at) = usize::try_from(at) else {
        return;
    };
    if at >= table.len() {
        table.resize(at + 1, fill);
    }
    table[at] = value;
}
