//! Whole-number functions.

use crate::ctx::Ctx;
use crate::ir::{CardPart, Channel, Int, Op, PieceRef, Region, Where, WhereLevel};
use crate::topo::SiteType;

/// Legal moves that depend on how many legal moves there are, which depend on it again, are counted so deep; beyond
/// that there are none, for such rules never end.
const MOST_COUNTING: u32 = 2;

impl Ctx<'_> {
    /// How many legal moves there are; to what follows a move, how many there were.
    pub(crate) fn legal_count(&mut self) -> i32 {
        if let Some(known) = self.legal_before {
            return known;
        }
        if self.counting >= MOST_COUNTING {
            return 0;
        }
        self.counting += 1;
        let count = self.look(|c| c.with_all(Self::legal_moves).len() as i32);
        self.counting -= 1;
        count
    }
}

impl Ctx<'_> {
    /// Evaluates a number.
    #[inline]
    pub fn int(&mut self, f: &Int) -> i32 {
        // The commonest without the long way.
        match f {
            Int::Const(n) => *n,
            Int::From => self.v.from,
            Int::To => self.v.to,
            Int::Between => self.v.between,
            Int::Site => self.v.site,
            Int::Mover => self.s.mover,
            _ => self.other_int(f),
        }
    }

    fn other_int(&mut self, f: &Int) -> i32 {
        match f {
            Int::Const(_) | Int::From | Int::To | Int::Between | Int::Site | Int::Mover => {
                self.int(f)
            }
            Int::Level => self.v.level,
            Int::Value => self.v.value,
            Int::Pips => self.v.pips,
            Int::Player => self.v.player,
            Int::Track => self.v.track,
            Int::Edge => self.v.edge,
            Int::EdgeOf(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.g.topo.edge_between(a, b).unwrap_or(-1)
            }
            Int::Next => self.s.next,
            Int::Prev => self.s.prev,
            Int::PrevTurn => match self.s.other_mover(self.s.mover) {
                // What was placed before play nobody moved.
                0 if self.s.initial_moves == 0 => -1,
                other => i32::from(other),
            },
            Int::TeamMover => self.team_of(self.s.mover),
            Int::Counter => self.s.counter,
            Int::Var(u16::MAX) => self.s.temp,
            Int::Var(index) => self.s.vars.get(*index as usize).copied().unwrap_or(-1),
            Int::Pot => self.s.pot,
            Int::Score(p) => self.of_player(p, |c| &c.s.scores),
            Int::MatchScore(_) if self.s.match_scores.is_empty() => -1,
            Int::MatchScore(p) => self.of_player(p, |c| &c.s.match_scores),
            Int::Trials => self.s.trials,
            Int::DominoesLeft => self.dominoes_left().len() as i32,
            Int::BiggestLine(kind, dir, cond) => self.biggest_line(*kind, *dir, cond),
            Int::PathExtent(colour, starts) => {
                let (colour, starts) = (self.int(colour), self.sites(starts));
                self.path_extent(colour, &starts)
            }
            Int::Amount(p) => {
                let player = self.int(p);
                match (1..=self.g.players).contains(&player) {
                    true => self.s.amounts.get(player as usize).copied().unwrap_or(0),
                    false => -1,
                }
            }
            Int::PlayerValue(p) => self.of_player(p, |c| &c.s.values),
            Int::PendingValue => match self.s.pending.as_slice() {
                [one] => *one,
                _ => 0,
            },
            Int::LastFrom { after: false } => self.s.last.from,
            Int::LastFrom { after: true } => self.s.last.from_after,
            Int::LastTo { after: false } => self.s.last.to,
            Int::LastTo { after: true } => self.s.last.to_after,
            Int::LastLevelFrom => self.s.last.level_from,
            Int::LastLevelTo => self.s.last.level_to,
            Int::At(channel, kind, at, level) => {
                let site = self.int(at);
                let level = level.as_ref().map(|level| self.int(level));
                self.channel(*channel, *kind, site, level)
            }
            Int::CountAt(kind, region) => self.count_at(*kind, region),
            Int::StackSize(kind, region) => {
                let sites = self.each_site(region);
                sites.map(|s| self.height(*kind, s)).sum()
            }
            Int::TopLevel(kind, at) => {
                let site = self.int(at);
                if site < 0 {
                    return 0;
                }
                (self.height(*kind, site) - 1).max(0)
            }
            Int::CountPieces(count) => self.count_pieces(count),
            Int::CountPips(owner) => {
                let owner = self.int(owner);
                let set = self.g.dice_owners.iter().position(|&o| o == owner);
                set.map_or(0, |set| self.s.dice_sum[set])
            }
            Int::Turns => self.s.turns,
            Int::Moves => self.s.moves - self.s.initial_moves,
            Int::MovesThisTurn => self.s.turn_moves,
            Int::Active => self.s.active.count_ones() as i32,
            Int::LegalMoves => self.legal_count(),
            Int::CountSites(region) => self.region(region).len() as i32,
            Int::CountNear(relation, kind, region) => {
                let site = self.each_site(region).next().unwrap_or(-1);
                if site < 0 || site >= self.plane(*kind).count as i32 {
                    return -1;
                }
                let dir = crate::topo::Dir::of(*relation);
                match kind {
                    SiteType::Edge if relation.is_crossing() => 0,
                    SiteType::Edge => self.g.topo.edges_at_ends(site) as i32,
                    kind => self.plane(*kind).steps(site, dir).len() as i32,
                }
            }
            Int::CountGroups(groups, min) => {
                let min = self.int(min);
                let all = self.all_groups(groups);
                all.iter().filter(|g| g.len() as i32 >= min).count() as i32
            }
            Int::BiggestGroup(groups) => {
                let all = self.all_groups(groups);
                all.iter().map(|g| g.len() as i32).max().unwrap_or(0)
            }
            Int::GroupSize(group) => self.group_sites(group).len() as i32,
            Int::PlatformBelow(at, who, whats) => self.platform_below(at, who.as_deref(), whats),
            Int::Liberties(group) => self.liberties(group, usize::MAX),
            Int::Steps(kind, relation, from, to) => self.distance(*kind, *relation, from, to),
            Int::CountValue(value, ints) => {
                let value = self.int(value);
                self.ints(ints).iter().filter(|&&v| v == value).count() as i32
            }
            Int::CountStack(count) => self.count_stack(count),
            Int::StepsOnTrack(track, from, to) => self.steps_on_track(track, from, to),
            Int::SizeArray(ints) => self.ints_len(ints) as i32,
            Int::Territory(kind, who, dir) => {
                let who = self.int(who);
                self.territory(*kind, who, *dir)
            }
            Int::ArrayValue(ints, index) => {
                let index = self.int(index);
                let values = self.ints(ints);
                usize::try_from(index).ok().and_then(|i| values.get(i).copied()).unwrap_or(-1)
            }
            Int::RegionSite(region, index) => {
                let mut sites = self.each_site(region);
                let index = self.int(index);
                usize::try_from(index).ok().and_then(|i| sites.nth(i)).unwrap_or(-1)
            }
            Int::Ahead(kind, site, steps, dirs) => self.ahead(*kind, site, steps, dirs),
            Int::Column(kind, at) => self.coordinate(at, |c| &c.plane(*kind).column),
            Int::Row(kind, at) => self.coordinate(at, |c| &c.plane(*kind).row),
            Int::Layer(kind, at) => self.coordinate(at, |c| &c.plane(*kind).layer),
            Int::PhaseOf(kind, at) => {
                let site = self.int(at);
                let set = self.s.site_phases[*kind as usize].get(site.max(0) as usize);
                match set {
                    Some(&phase) if phase >= 0 => phase,
                    _ => self.coordinate(&Int::Const(site), |c| &c.plane(*kind).phase),
                }
            }
            Int::Coord(kind, row, column) => {
                let (row, column) = (self.int(row), self.int(column));
                let plane = self.plane(*kind);
                let here = |s: &usize| plane.row[*s] == row && plane.column[*s] == column;
                (0..plane.row.len()).find(here).map_or(-1, |s| s as i32)
            }
            Int::HandSite(player, index) => {
                let (player, index) = (self.int(player), self.int(index));
                self.hand_of(player).map_or(-1, |first| first + index)
            }
            Int::PieceOf(name, player) => {
                let player = self.int(player);
                let is = |c: &crate::game::Component| {
                    c.owner == player && !c.name.is_empty() && c.name.contains(&**name)
                };
                let found = self.g.components.iter().position(is);
                found.map_or(-1, |at| at as i32)
            }
            Int::MapEntry(name, key, table) => {
                let key = self.int(key);
                let table = table.get(|| {
                    let keys = 0..self.g.map_keys();
                    keys.map(|key| self.map_entry(name.as_deref(), key)).collect()
                });
                match table.get(key as usize) {
                    Some(&value) => value,
                    None => self.map_entry(name.as_deref(), key),
                }
            }
            Int::Where(wanted) => self.where_site(wanted),
            Int::WhereLevel(wanted) => self.where_level(wanted),
            Int::TrackMove(track, from, steps) => self.track_move(track, from.as_deref(), steps),
            Int::TrackEnd(player, name) => self.track_end(player.as_deref(), name.as_deref()),
            Int::TrackFirst(track, from, cond) => {
                self.track_first(track, from.as_deref(), cond.as_deref())
            }
            Int::Face(site) => {
                let site = self.int(site);
                let piece = self.piece(Some(SiteType::Cell), site);
                let faces = &self.g.components[piece.what as usize].faces;
                faces.get(piece.state as usize).copied().unwrap_or(-1)
            }
            Int::Cost(kind, region) => {
                let sites = self.sites(region);
                let costs = &self.s.costs[*kind as usize];
                let cost = |s: i32| costs.get(s.max(0) as usize).copied().unwrap_or(0);
                sites.into_iter().map(cost).sum()
            }
            Int::Binary(op, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                binary(*op, a, b)
            }
            Int::Sum(ints) => self.ints(ints).iter().fold(0i32, |a, b| a.wrapping_add(*b)),
            // The product of nothing is nothing.
            Int::Product(ints) => {
                let numbers = self.ints(ints);
                let product = numbers.iter().copied().reduce(i32::wrapping_mul);
                product.unwrap_or(0)
            }
            Int::MaxOf(ints) => self.ints(ints).into_iter().max().unwrap_or(-1),
            Int::MinOf(ints) => self.ints(ints).into_iter().min().unwrap_or(-1),
            Int::Abs(n) => self.int(n).wrapping_abs(),
            Int::If(cond, yes, no) => {
                let chosen = if self.bool(cond) { yes } else { no };
                self.int(chosen)
            }
            Int::OfBool(cond) => i32::from(self.bool(cond)),
            Int::OfFloat(number) => self.float(number) as i32,
            Int::TurnFrom => {
                let same = i32::from(self.s.movers[0]) == self.s.mover;
                if same { self.s.turn_from } else { -1 }
            }
            Int::TrumpSuit => self.s.trump,
            Int::Card(part, at, level) => self.card(*part, at, level.as_deref()),
            Int::LargePieceSize(kind, sites) => self.large_piece_size(*kind, sites),
            Int::Random(min, max) => {
                let (min, max) = (self.int(min), self.int(max));
                if min > max {
                    return -1;
                }
                self.chance.below(max.saturating_sub(min).saturating_add(1)) + min
            }
            Int::StepsBy(walk, to) => self.steps_by(walk, to),
        }
    }

    fn card(&mut self, part: CardPart, at: &Int, level: Option<&Int>) -> i32 {
        let site = self.int(at);
        let cells = self.s.layer(SiteType::Cell);
        if site < 0 || site >= cells.len() as i32 {
            return -1;
        }
        let what = match level {
            Some(level) => {
                let level = self.int(level);
                self.s.layer(SiteType::Cell).at(site, level).what
            }
            None => cells.top(site).what,
        };
        let Some(card) = self.g.components[what as usize].card else {
            return -1;
        };
        match part {
            CardPart::Suit => card.suit,
            CardPart::Rank => card.rank,
            CardPart::TrumpRank => card.trump_rank,
            CardPart::TrumpValue => card.trump_value,
        }
    }

    /// How many sites the pieces of a region cover, as they would in the middle of the board.
    fn large_piece_size(&mut self, kind: SiteType, sites: &Region) -> i32 {
        let middle = self.plane(kind).set("Centre").iter().next().unwrap_or(0);
        let mut size = 0;
        for site in self.sites(sites) {
            size += match self.what(kind, site) {
                0 => 0,
                what if self.is_large(what) => self.covered(what, middle, 0).len() as i32,
                _ => 1,
            };
        }
        size
    }

    /// The team of a player; players without a team are their own.
    pub fn team_of(&self, player: i32) -> i32 {
        self.s.teams.get(player as usize).copied().unwrap_or(0)
    }

    fn of_player(&mut self, player: &Int, values: impl Fn(&Self) -> &Vec<i32>) -> i32 {
        let player = self.int(player);
        let at = usize::try_from(player).ok();
        at.and_then(|at| values(self).get(at).copied()).unwrap_or(0)
    }

    fn coordinate(&mut self, at: &Int, of: impl Fn(&Self) -> &Vec<i32>) -> i32 {
        let site = self.int(at);
        let at = usize::try_from(site).ok();
        at.and_then(|at| of(self).get(at).copied()).unwrap_or(-1)
    }

    /// A channel of a site at a level (the top one by default).
    pub fn channel(
        &self,
        channel: Channel,
        kind: Option<SiteType>,
        site: i32,
        level: Option<i32>,
    ) -> i32 {
        if site < 0 {
            return 0;
        }
        // Whose piece it is (without a level) is asked of the board alone unless cells are meant.
        let kind = match (channel, level) {
            (Channel::Who, None) => kind.unwrap_or(self.g.topo.default),
            _ => self.g.kind_at(kind, site),
        };
        let layer = self.s.layer(kind);
        // Which piece it is, is asked of the bottom of a stack unless a level is given.
        let level = match channel {
            Channel::What => level.or(Some(0)),
            Channel::State | Channel::Rotation if self.g.container(site) != 0 => None,
            _ => level,
        };
        let piece = match level {
            Some(level) if level >= 0 && self.g.stacking => layer.at(site, level),
            _ => layer.top(site),
        };
        match channel {
            Channel::What => i32::from(piece.what),
            Channel::Who => self.g.owner(piece.what),
            Channel::State => i32::from(piece.state),
            Channel::Rotation => i32::from(piece.rotation),
            Channel::Value => piece.value,
        }
    }

    fn distance(
        &mut self,
        kind: SiteType,
        relation: crate::ir::Relation,
        from: &Int,
        to: &Region,
    ) -> i32 {
        let from = self.int(from);
        let to = self.sites(to);
        if from < 0 || to.iter().all(|&t| t < 0) {
            return 0;
        }
        let near = self.plane(kind).distance(relation);
        let of = |t: i32| {
            let row = near.get(from as usize)?;
            row.get(usize::try_from(t).ok()?).copied()
        };
        let least = to.into_iter().filter_map(of).min();
        match least {
            Some(u16::MAX) | None => -1,
            Some(steps) => i32::from(steps),
        }
    }

    /// First site of a player's hand.
    pub fn hand_of(&self, player: i32) -> Option<i32> {
        let mut hands = self.g.containers.iter().skip(1);
        let hand = hands.find(|c| c.owner == player);
        hand.map(|hand| hand.first)
    }

    fn map_entry(&self, name: Option<&str>, key: i32) -> i32 {
        for map in &self.g.maps {
            if name.is_none_or(|name| &*map.name == name)
                && let Some((_, value)) = map.pairs.iter().find(|(k, _)| *k == key)
                && *value != -1
            {
                return *value;
            }
        }
        key
    }

    /// The piece that is meant.
    pub fn piece_ref(&mut self, piece: &PieceRef) -> i32 {
        match piece {
            PieceRef::Index(n) => self.int(n),
            PieceRef::Named(name, player) => {
                let player = self.int(player);
                let named = |c: &crate::game::Component| {
                    c.owner == player && !c.name.is_empty() && c.name.contains(&**name)
                };
                let found = self.g.components.iter().position(named);
                found.map_or(-1, |at| at as i32)
            }
        }
    }

    /// The state that a piece must have; none below nought is any.
    fn state_wanted(&mut self, state: Option<&Int>) -> Option<i32> {
        let state = state.map(|state| self.int(state));
        state.filter(|&state| state >= 0)
    }

    fn where_site(&mut self, wanted: &Where) -> i32 {
        let what = self.piece_ref(&wanted.piece);
        let state = self.state_wanted(wanted.state.as_ref());
        if what <= 0 {
            return -1;
        }
        let layer = self.s.layer(wanted.kind);
        let fits = |site: i32, level: i32| {
            let piece = layer.at(site, level);
            i32::from(piece.what) == what && state.is_none_or(|s| s == i32::from(piece.state))
        };
        let holds = |site: i32| (0..layer.height(site)).any(|level| fits(site, level));
        let count = self.g.board_sites() as i32;
        let found = match wanted.piece {
            PieceRef::Index(_) => (0..count).find(|&site| holds(site)),
            PieceRef::Named(..) => {
                let held = self.s.owned.of(u16::try_from(what).unwrap_or(0)).iter();
                held.map(|held| held.site).find(|&site| site < count && holds(site))
            }
        };
        found.unwrap_or(-1)
    }

    fn where_level(&mut self, wanted: &WhereLevel) -> i32 {
        let site = self.int(&wanted.at);
        let what = self.piece_ref(&wanted.piece);
        let state = self.state_wanted(wanted.state.as_ref());
        let from_top = self.bool(&wanted.from_top);
        if site < 0 || site >= self.g.board_sites() as i32 || what <= 0 {
            return -1;
        }
        let layer = self.s.layer(wanted.kind.unwrap_or(self.g.topo.default));
        let fits = |&level: &i32| {
            let piece = layer.at(site, level);
            i32::from(piece.what) == what && state.is_none_or(|s| s == i32::from(piece.state))
        };
        let mut levels = 0..layer.height(site);
        let found = if from_top { levels.rev().find(fits) } else { levels.find(fits) };
        found.unwrap_or(-1)
    }

    fn ahead(
        &mut self,
        kind: SiteType,
        site: &Int,
        steps: &Int,
        dirs: &crate::ir::Directions,
    ) -> i32 {
        use crate::ir::{Directions, RelativeDir};
        let site = self.int(site);
        let steps = self.int(steps);
        if site < 0 || site >= self.plane(kind).count as i32 {
            return -1;
        }
        let first = match dirs {
            Directions::Relative { dirs, .. } => dirs.first().copied(),
            _ => None,
        };
        let found = match first {
            Some(RelativeDir::Same | RelativeDir::Opposite) => {
                let from = if self.v.from == -1 { self.s.last.from } else { self.v.from };
                let to = if self.v.to == -1 { self.s.last.to } else { self.v.to };
                if first == Some(RelativeDir::Same) {
                    self.dirs_between(kind, from, to, true)
                } else {
                    self.dirs_between(kind, to, from, true)
                }
            }
            _ => self.dirs(dirs, kind, site),
        };
        let Some(&dir) = found.first() else {
            return site;
        };
        let plane = self.plane(kind);
        let reach = |r: &crate::topo::Radial| r.sites.get(steps.max(0) as usize).copied();
        let ahead = plane.radials(site, dir).filter(|_| steps >= 1).find_map(reach);
        ahead.unwrap_or(site)
    }
}

/// Arithmetic of two numbers.
pub fn binary(op: Op, a: i32, b: i32) -> i32 {
    match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div => a.checked_div(b).unwrap_or(-1),
        Op::Mod => a.checked_rem(b).unwrap_or(-1),
        // As a fraction cut off, and as far as numbers go.
        Op::Pow => f64::from(a).powf(f64::from(b)) as i32,
        Op::Max => a.max(b),
        Op::Min => a.min(b),
    }
}
