//! Conditions.

use crate::ctx::Ctx;
use crate::ir::{Bool, HiddenData, Int, Region, Relation, Repetition, Role, Threatened, Who};
use crate::sites::Numbers;
use crate::topo::{Dir, SiteType};

impl Ctx<'_> {
    /// Evaluates a condition.
    pub fn bool(&mut self, f: &Bool) -> bool {
        self.count_step();
        // The commonest without the long way.
        match f {
            Bool::Const(value) => *value,
            Bool::Not(a) => !self.bool(a),
            Bool::And(all) => all.iter().all(|a| self.bool(a)),
            Bool::Or(all) => all.iter().any(|a| self.bool(a)),
            Bool::Empty(kind, site) => {
                let site = self.int(site);
                self.is_empty(*kind, site)
            }
            Bool::Compare(cmp, a, b) => {
                let (a, b) = self.compared(a, b);
                cmp.holds(a, b)
            }
            _ => self.other_bool(f),
        }
    }

    /// Two numbers to be compared. Liberties are counted as far as the comparison needs.
    #[inline]
    fn compared(&mut self, a: &Int, b: &Int) -> (i32, i32) {
        let decides = |number: i32| (i64::from(number) + 1).max(0) as usize;
        match (a, b) {
            (Int::Liberties(group), b) => {
                let b = self.int(b);
                (self.liberties(group, decides(b)), b)
            }
            (a, Int::Liberties(group)) => {
                let a = self.int(a);
                (a, self.liberties(group, decides(a)))
            }
            _ => (self.int(a), self.int(b)),
        }
    }

    fn other_bool(&mut self, f: &Bool) -> bool {
        match f {
            Bool::Const(_)
            | Bool::Not(_)
            | Bool::And(_)
            | Bool::Or(_)
            | Bool::Empty(..)
            | Bool::Compare(..) => self.bool(f),
            Bool::Xor(a, b) => self.bool(a) != self.bool(b),
            Bool::If(cond, yes, no) => {
                let chosen = if self.bool(cond) { yes } else { no };
                self.bool(chosen)
            }
            Bool::SameRegion(a, b) => {
                let (a, b) = (self.region(a), self.region(b));
                a.same(&b)
            }
            Bool::Occupied(kind, site) => {
                let site = self.int(site);
                site >= 0 && self.what(*kind, site) != 0
            }
            Bool::In(sites, region) => sites.iter().all(|site| {
                let site = self.int(site);
                site >= 0 && self.contains(region, site)
            }),
            Bool::InInts(values, ints) => {
                if let [value] = values.as_slice() {
                    let value = self.int(value);
                    return self.ints_contain(ints, value);
                }
                let list = self.ints(ints);
                values.iter().all(|value| list.contains(&self.int(value)))
            }
            Bool::Enemy(player) => {
                let player = self.int(player);
                self.is_enemy(player)
            }
            Bool::Friend(player) => {
                let player = self.int(player);
                if self.g.teams {
                    (1..=self.g.players).contains(&player)
                        && self.team_of(player) == self.team_of(self.s.mover)
                } else {
                    player == self.s.mover || self.s.mover == self.g.players + 1
                }
            }
            Bool::IsMover(player) => self.int(player) == self.s.mover,
            Bool::IsNext(player) => self.int(player) == self.s.next,
            Bool::IsPrev(player) => self.int(player) == self.s.prev,
            Bool::IsActive(player) => {
                let player = self.int(player);
                player > 0 && self.s.is_active(player)
            }
            Bool::Pending => !self.s.pending.is_empty(),
            Bool::Full => {
                let kind = self.g.topo.default;
                let count = self.g.board_sites() as i32;
                !self.s.layer(kind).empty.iter().any(|site| site < count)
            }
            Bool::Cycle => self.is_cycle(),
            Bool::Repeat(kind) => self.is_repeat(*kind),
            Bool::Visited(site) => {
                let site = self.int(site);
                self.s.visited.contains(site)
            }
            Bool::Odd(n) => self.int(n) & 1 == 1,
            Bool::Flat(site) => {
                let site = self.int(site);
                let plane = self.plane(SiteType::Vertex);
                let ground = plane.layer.get(site.max(0) as usize) == Some(&0);
                let below = plane.steps(site.max(0), Dir::DOWNWARD);
                let rests = |&to: &i32| self.what(SiteType::Vertex, to) != 0;
                ground || below.iter().all(rests)
            }
            Bool::Freedom(kind, region, except) => {
                let except = except.as_ref().map_or(-1, |site| self.int(site));
                let sites = self.region(region);
                self.has_freedom(*kind, &sites, except)
            }
            Bool::AnyDie(value) => {
                let value = self.int(value);
                self.s.dice.first().is_some_and(|dice| dice.contains(&value))
            }
            Bool::Line(line) => self.is_line(line),
            Bool::Connected(connected) => self.is_connected(connected),
            Bool::Blocked(connected) => self.is_blocked(connected),
            Bool::Loop(wanted) => self.is_loop(wanted),
            Bool::Related(relation, kind, site, region) => {
                self.is_related(*relation, *kind, site, region)
            }
            Bool::Threatened(threat) => self.is_threatened(threat),
            Bool::Within(what, _, region) => {
                let what = self.int(what);
                let region = self.region(region);
                let held = self.s.owned.of(u16::try_from(what).unwrap_or(0));
                held.iter().any(|h| region.contains(h.site))
            }
            Bool::LastType(from, kind) => {
                let at = usize::from(!*from);
                self.s.last.kinds[at] == Some(*kind)
            }
            Bool::Triggered(_, player) => {
                let player = self.int(player);
                self.s.is_active(player) && self.s.triggers >> player & 1 == 1
            }
            Bool::Decided(text) => self.s.decided == Some(*text),
            Bool::Proposed(text) => self.s.proposed.contains(text),
            Bool::Angle(angle) => self.has_angle(angle),
            Bool::Crossing(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.edges_cross(a, b)
            }
            Bool::Pattern(pattern) => self.is_pattern(pattern),
            Bool::Path(path) => self.is_path(path),
            Bool::SidesMatch(at) => {
                let site = self.int(at);
                self.sides_match(site)
            }
            Bool::PipsMatch(at) => {
                let site = self.int(at);
                self.pips_match(site)
            }
            Bool::PyramidCorners(kind, tips) => {
                let tips = self.sites(tips);
                self.is_pyramid(*kind, &tips)
            }
            Bool::Target(config, sites) => {
                let kind = self.g.topo.default;
                sites.iter().zip(config).all(|(&site, &what)| self.what(kind, site) == what)
            }
            Bool::Hidden(data, kind, at, level, who) => {
                let (site, who) = (self.int(at), self.int(who));
                let level = level.as_ref().map_or(0, |level| self.int(level));
                self.is_hidden(*data, *kind, site, level, who)
            }
            Bool::NotZero(number) => self.float(number) != 0.0,
            Bool::NoMoves(who) => self.no_moves(who),
            Bool::CanMove(moves) => self.can_move(moves),
            Bool::NoPieces(count) => self.no_pieces(count),
            Bool::AllSites(region, cond) => {
                let mut sites = self.each_site(region);
                let saved = self.v.site;
                let all = sites.all(|site| {
                    self.v.site = site;
                    self.bool(cond)
                });
                self.v.site = saved;
                all
            }
            Bool::AllDifferent(region, cond) => self.all_different(region, cond),
            Bool::AllValues(ints, cond) => {
                let values = self.ints(ints);
                let saved = self.v.value;
                let all = values.into_iter().all(|value| {
                    self.v.value = value;
                    self.bool(cond)
                });
                self.v.value = saved;
                all
            }
            Bool::AllGroups(groups, cond) => {
                let all = self.owned_groups(groups);
                let saved = std::mem::take(&mut self.v.region);
                let holds = all.into_iter().all(|(group, _)| {
                    self.v.region = group.into_iter().collect();
                    self.bool(cond)
                });
                self.v.region = saved;
                holds
            }
            Bool::DiceUsed => self.s.dice.iter().flatten().all(|&value| value == 0),
            Bool::DiceEqual => self.s.dice_equal,
            Bool::AllPassed => {
                self.s.moves - self.s.initial_moves >= self.g.players && self.all_pass()
            }
            Bool::WasPass => self.s.last.pass,
            Bool::Solved => self.is_solved(),
            Bool::Shape(shape, who) => self.has_shape(shape, who),
        }
    }

    /// Every player passed in turn: going back from the last move, each turn is one pass (a turn
    /// before it may have a second move, which is then the one that counts).
    pub fn all_pass(&self) -> bool {
        if self.g.players == 1 {
            return self.s.last.pass;
        }
        // Beyond the first move there are the moves of the start, which nobody made.
        let placed = self.s.initial_moves.max(0) as usize;
        let earlier = std::iter::repeat_n(0, placed);
        let mut moves = self.s.recent.iter().rev().copied().chain(earlier);
        let mut turn = self.s.mover as u8;
        let (mut passed, mut length) = (false, 0);
        for _ in 0..self.g.players {
            loop {
                let Some(last) = moves.next() else {
                    return passed;
                };
                if length > 1 {
                    return false;
                }
                let pass = last & 1 == 1;
                if last >> 1 != turn {
                    if !passed {
                        return false;
                    }
                    (turn, length, passed) = (last >> 1, 0, pass);
                    break;
                }
                length += 1;
                passed = pass;
            }
        }
        true
    }

    /// Whether nothing stands on a site.
    pub fn is_empty(&self, kind: SiteType, site: i32) -> bool {
        if site < 0 {
            return false;
        }
        let real = self.g.kind_at(Some(kind), site);
        if site >= self.s.layer(real).len() as i32 {
            return false;
        }
        self.s.layer(real).empty.contains(site)
    }

    /// Whether a player is an enemy of the mover.
    pub fn is_enemy(&self, player: i32) -> bool {
        if player == 0 {
            return false;
        }
        if self.g.teams {
            let friend = (1..=self.g.players).contains(&player)
                && self.team_of(player) == self.team_of(self.s.mover);
            return !friend;
        }
        player != self.s.mover
    }

    fn is_cycle(&self) -> bool {
        let size = (self.g.players * self.g.players) as usize;
        let previous = self.s.previous.list();
        if previous.len() < 3 * size {
            return false;
        }
        let last = &previous[previous.len() - size..];
        let round =
            |n: usize| &previous[previous.len() - n * size..previous.len() - (n - 1) * size];
        round(2) == last && round(3) == last
    }

    pub(crate) fn is_repeat(&self, kind: Repetition) -> bool {
        match kind {
            Repetition::Positional => self.s.previous.contains(self.position_hash()),
            Repetition::Situational => self.s.previous.contains(self.situation_hash()),
            Repetition::PositionalInTurn => self.s.previous_in_turn.contains(&self.position_hash()),
            Repetition::SituationalInTurn => {
                self.s.previous_in_turn.contains(&self.situation_hash())
            }
        }
    }

    fn is_related(
        &mut self,
        relation: Relation,
        kind: SiteType,
        site: &Int,
        region: &Region,
    ) -> bool {
        let others = self.sites(region);
        let site = self.int(site);
        if site < 0 {
            return false;
        }
        if kind == SiteType::Edge {
            return !relation.is_crossing()
                && others.iter().any(|&other| self.g.topo.edges_meet(site, other));
        }
        let near = self.plane(kind).steps(site, Dir::of(relation));
        others.iter().any(|other| near.contains(other))
    }

    fn all_different(&mut self, region: &Region, cond: &Bool) -> bool {
        let sites = self.sites(region);
        let kind = self.g.topo.default;
        let saved = self.v.site;
        let mut seen = Vec::new();
        let mut all = true;
        for site in sites {
            self.v.site = site;
            let what = self.what(kind, site);
            if !self.bool(cond) || seen.contains(&what) {
                all = false;
                break;
            }
            seen.push(what);
        }
        self.v.site = saved;
        all
    }

    fn no_moves(&mut self, who: &Who) -> bool {
        let next = matches!(who, Who::One(Int::Next));
        if next {
            if self.in_no_moves {
                return false;
            }
            let saved = (self.s.prev, self.s.mover, self.s.next);
            if self.s.over.is_none() && self.s.active != 0 {
                self.imply_mover(self.s.next);
                self.s.prev = saved.1;
            }
            self.in_no_moves = true;
            self.compute_stalemated();
            self.in_no_moves = false;
            (self.s.prev, self.s.mover, self.s.next) = saved;
        }
        let player = match who {
            Who::One(player) => self.int(player),
            Who::Role(Role::All) => self.g.players + 1,
            Who::Role(_) => -1,
        };
        (0..32).contains(&player) && self.s.stalemated >> player & 1 == 1
    }

    /// Makes a player the mover, and the players before and after follow.
    pub fn imply_mover(&mut self, player: i32) {
        let n = self.g.players;
        self.s.mover = player;
        let mut next = player % n + 1;
        for _ in 0..n {
            if self.s.is_active(next) {
                break;
            }
            next = next % n + 1;
        }
        self.s.next = next;
        let mut prev = if player > 1 { player - 1 } else { n };
        for _ in 0..n {
            if self.s.is_active(prev) {
                break;
            }
            prev = if prev > 1 { prev - 1 } else { n };
        }
        self.s.prev = prev;
    }

    fn is_threatened(&mut self, threat: &Threatened) -> bool {
        if self.in_threat {
            return false;
        }
        let what = threat.what.as_ref().map(|what| self.int(what));
        if what.is_some_and(|what| what < 1) || (what.is_some() && self.recursive) {
            return false;
        }
        let sites = match &threat.at {
            Some(region) => self.sites(region),
            None => Numbers::from_slice(&[self.s.last.to]),
        };
        for site in sites {
            let piece = match what {
                Some(what) => what,
                None => self.what(threat.kind, site),
            };
            if site < 0 || piece <= 0 {
                continue;
            }
            if what.is_none() && !(1..=self.g.players).contains(&self.s.next) {
                return false;
            }
            if self.site_threatened(threat, site, piece, what.is_some()) {
                return true;
            }
        }
        false
    }

    fn site_threatened(
        &mut self,
        threat: &Threatened,
        site: i32,
        piece: i32,
        hypothetical: bool,
    ) -> bool {
        let owner = self.g.owner(piece as u16);
        // The piece is put there only on boards of cells.
        let placed = hypothetical && self.g.topo.default != SiteType::Vertex;
        if !placed {
            return self.asked(|c| c.any_threat(threat, site, owner, hypothetical));
        }
        let kind = self.g.kind_at(None, site) as usize;
        let before = self.s.layers[kind].top(site);
        self.s.layers[kind].update(site, |p| p.what = piece as u16);
        let found = self.asked(|c| c.any_threat(threat, site, owner, hypothetical));
        self.s.layers[kind].update(site, |p| *p = before);
        found
    }

    fn any_threat(
        &mut self,
        threat: &Threatened,
        site: i32,
        owner: i32,
        hypothetical: bool,
    ) -> bool {
        self.s.prev = owner;
        self.in_threat = true;
        let g = self.g;
        for enemy in 1..=g.players {
            if !self.enemies(enemy, owner) {
                continue;
            }
            self.s.mover = enemy;
            if hypothetical {
                self.recursive = true;
            } else {
                self.s.next = owner;
            }
            let phase = self.s.phases[enemy as usize] as usize;
            let moves = threat.by.as_ref().unwrap_or(&g.phases[phase].play);
            if self.any_move(moves, Some(site)) {
                return true;
            }
        }
        false
    }

    fn enemies(&self, a: i32, b: i32) -> bool {
        if self.g.teams { self.team_of(a) != self.team_of(b) } else { a != b }
    }

    fn can_move(&mut self, moves: &crate::ir::Moves) -> bool {
        if !self.g.visited {
            return self.any_move(moves, None);
        }
        let visits = [self.s.last.from, self.s.last.to];
        visits.iter().for_each(|&site| self.s.visited.insert(site));
        let can = self.any_move(moves, None);
        visits.iter().for_each(|&site| self.s.visited.remove(site));
        can
    }

    /// Whether data of a site is hidden from a player.
    pub fn is_hidden(
        &self,
        data: HiddenData,
        kind: SiteType,
        site: i32,
        level: i32,
        who: i32,
    ) -> bool {
        let key = (who as u8, kind, site, level, data as u8);
        self.s.hidden.contains(&key)
    }

    pub(super) fn edges_cross(&self, a: i32, b: i32) -> bool {
        let ends = |edge: i32| self.g.topo.edge_ends(edge);
        let (Some(a), Some(b)) = (ends(a), ends(b)) else {
            return false;
        };
        if a.iter().any(|end| b.contains(end)) {
            return false;
        }
        let at = |v: i32| self.plane(SiteType::Vertex).position[v as usize];
        let side = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| {
            (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        };
        let [p, q, r, s] = [at(a[0]), at(a[1]), at(b[0]), at(b[1])];
        side(p, q, r) * side(p, q, s) < 0.0 && side(r, s, p) * side(r, s, q) < 0.0
    }
}
