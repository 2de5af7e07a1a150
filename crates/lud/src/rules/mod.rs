//! The course of a game: start, legal moves, playing a move, phases, the end.

mod matches;
mod results;
mod start;
mod together;

use super::action::{Action, Change, NONE};
use super::ctx::Ctx;
use super::game::Mode;
use super::ir::Repetition;
use super::moves::{Log, Mv};
use super::topo::SiteType;

impl Ctx<'_> {
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
        if self.g.is_match() {
            return self.match_moves();
        }
        match self.g.mode {
            Mode::Alternating => {}
            Mode::Simultaneous => return self.simultaneous_moves(),
            Mode::Simulation => return self.what_happens(),
        }
        let g = self.g;
        let mover = self.s.mover;
        let phase = &g.phases[self.s.phases[mover as usize] as usize];
        let mut list = self.moves(&phase.play);
        list.extend(self.swap_offer());
        list.retain(|m| self.allows(m));
        if g.meta.gravity {
            list.iter_mut().for_each(|m| m.then.push(super::moves::FALL));
        }
        if g.meta.automove {
            list.iter_mut().for_each(|m| self.force_after(m));
        }
        if list.is_empty() {
            list.push(forced_pass(mover));
        }
        list
    }

    /// Adds to a move all that is forced after it: again and again the moves that are the only ones
    /// to end on their sites.
    fn force_after(&mut self, m: &mut Mv) {
        let g = self.g;
        let phase = &g.phases[self.s.phases[self.s.mover as usize] as usize];
        for _ in 0..g.board_sites() {
            let found = self.look(|c| {
                c.s.decided = None;
                c.apply_silently(m);
                c.moves(&phase.play)
            });
            let only = |m: &&Mv| found.iter().filter(|other| other.to == m.to).count() == 1;
            let forced: Vec<Mv> = found.iter().filter(only).cloned().collect();
            if forced.is_empty() {
                return;
            }
            m.forced.get_or_insert_default().extend(forced);
        }
    }

    /// Whether the rules about rules allow a move.
    pub(super) fn allows(&mut self, m: &Mv) -> bool {
        let meta = &self.g.meta;
        let stays = meta.pin && self.is_pinned(m) || meta.no_stack_on && self.stacks_on_own(m);
        let judged = meta.no_repeat.is_some() || meta.no_suicide;
        !stays && (!judged || self.passes_meta(m))
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

    pub(crate) fn passes_meta(&mut self, m: &Mv) -> bool {
        if let Some(kind) = self.g.meta.no_repeat
            && !m.is_pass()
        {
            let seen = self.look(|c| {
                c.apply_silently(m);
                c.is_repeat(kind)
            });
            if seen {
                return false;
            }
        }
        if self.g.meta.no_suicide {
            let mover = self.s.mover;
            return self.look(|c| {
                c.play_silently(m);
                c.s.is_active(mover) || !c.s.losers.contains(&mover)
            });
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
        let can = self.may_swap() || {
            // What moves draw at random meanwhile is drawn for good.
            let (can, drawn) = self.asked(|c| {
                let can = c.any_move(&phase.play, None);
                (can, g.random.then(|| c.chance.clone()))
            });
            if let Some(drawn) = drawn {
                self.chance = drawn;
            }
            can
        };
        let bit = 1u32 << mover;
        self.s.stalemated = if can { self.s.stalemated & !bit } else { self.s.stalemated | bit };
    }

    /// Plays a move: its effects, the end rules, phases, whose turn comes next. Returns all changes.
    pub fn play(&mut self, m: &Mv) -> Vec<Action> {
        let mut log = Log::full();
        self.play_logged(m, &mut log);
        log.into_actions()
    }

    /// The same for whoever does not ask what changed.
    pub(super) fn play_silently(&mut self, m: &Mv) {
        let quiet = std::mem::replace(&mut self.quiet, true);
        self.play_logged(m, &mut self.unasked_log());
        self.quiet = quiet;
    }

    /// Makes the changes of a move and leaves it at that: nobody asks for ends, or who comes next.
    pub(super) fn change_silently(&mut self, m: &Mv) {
        let quiet = std::mem::replace(&mut self.quiet, true);
        self.apply_turn(m, &mut self.unasked_log());
        self.quiet = quiet;
    }

    /// All changes that a move makes, before the end rules are asked.
    pub fn changes_by(&mut self, m: &Mv) -> Vec<Action> {
        if m.decision().is_some_and(|decision| decision.kind == Change::NextInstance) {
            return m.decision().into_iter().cloned().collect();
        }
        if self.g.is_match() {
            return self.in_game(|game| game.changes_by(m)).unwrap_or_default();
        }
        let mut log = Log::full();
        self.apply_turn(m, &mut log);
        log.into_actions()
    }

    fn play_logged(&mut self, m: &Mv, log: &mut Log) {
        if self.g.is_match() {
            return self.play_in_match(m, log);
        }
        let mover = self.s.mover;
        self.apply_turn(m, log);
        self.after_move(m, mover);
    }

    fn apply_turn(&mut self, m: &Mv, log: &mut Log) {
        if m.is_pass() {
            self.compute_stalemated();
        } else {
            self.s.stalemated &= !(1 << self.s.mover);
        }
        self.s.pending.clear();
        self.s.decided = None;
        if !self.g.counts_legal {
            return self.apply_logged(m, log);
        }
        let outer = self.legal_before.take();
        self.legal_before = Some(self.legal_count());
        self.apply_logged(m, log);
        self.legal_before = outer;
    }

    fn after_move(&mut self, m: &Mv, mover: i32) {
        if self.g.mode == Mode::Simulation {
            return self.after_happening();
        }
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
        match self.g.history {
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
        self.s.previous.push(hash);
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
}

/// The pass of a player who has no move.
pub fn forced_pass(player: i32) -> Mv {
    Mv::of(Change::Pass { forced: true }, true).at(NONE, NONE).by(player)
}
