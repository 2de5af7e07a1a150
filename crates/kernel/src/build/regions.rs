//! Regions become set expressions.

use super::Builder;
use super::fold::of_next;
use super::sets::{EMPTY, mentions, region_mentions};
use crate::Built;
use crate::code::{Cond, Num, Set, Var};
use ludex_lud::game::{Compiled, ContainerKind};
use ludex_lud::ir::{
    Around, Bool, ContainerRef, CountPieces, Int, Neighbour, Occupied, Region, Role, Sight, Who,
};
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::SiteType;

impl Builder<'_> {
    /// The code of a region.
    pub(super) fn region(&mut self, region: &Region) -> Built<Set> {
        self.region_by_code(region).or_else(|refusal| self.ask_region(region).ok_or(refusal))
    }

    fn region_by_code(&mut self, region: &Region) -> Built<Set> {
        if let Some(set) = self.fixed_region(region) {
            return Ok(self.fixed(set));
        }
        if let Some(all) = self.by_next(|b| b.fixed_region(region)) {
            let all = all.into_iter().map(|set| self.fixed(set)).collect();
            if let Some(set) = of_next(all, Set::either) {
                return Ok(set);
            }
        }
        match region {
            Region::Empty(kind) => {
                self.same_kind(*kind)?;
                Ok(self.on_board(EMPTY))
            }
            Region::Occupied(wanted) => self.occupied(wanted),
            Region::One(site) => Ok(Set::One(self.num(site)?)),
            Region::State(kind, state) => {
                self.same_kind(*kind)?;
                let Some(state) = self.fixed_int(state) else {
                    return self.refuse("a state that is not known before");
                };
                let stated = self.stated(state);
                Ok(self.on_board(stated))
            }
            Region::LastTo => self.refuse("where all changes of the last move ended"),
            Region::LastFrom => Ok(Set::One(Num::LastFrom)),
            Region::List(list) => {
                let mut set = self.nowhere();
                for site in list {
                    let site = Set::One(self.num(site)?);
                    set = self.or(set, site);
                }
                Ok(set)
            }
            Region::Named(parts) | Region::Union(parts) => {
                let mut set = self.nowhere();
                for part in parts {
                    let part = self.region(part)?;
                    set = self.or(set, part);
                }
                Ok(set)
            }
            Region::Intersection(parts) => {
                let mut set = self.everywhere();
                for part in parts {
                    let part = self.region(part)?;
                    set = self.and(set, part);
                }
                Ok(set)
            }
            Region::Difference(a, b) => {
                let a = self.region(a)?;
                let b = self.region(b)?;
                let rest = self.not(b);
                Ok(self.and(a, rest))
            }
            Region::If(cond, yes, no) => {
                let cond = self.cond(cond)?;
                let yes = self.region(yes)?;
                let no = match no {
                    Some(no) => self.region(no)?,
                    None => self.nowhere(),
                };
                Ok(Set::If(Box::new(cond), Box::new(yes), Box::new(no)))
            }
            Region::Filter(base, cond) => {
                let base = self.region(base)?;
                let fitting = self.sites_where(cond, Var::Site)?;
                Ok(self.and(base, fitting))
            }
            Region::Around(around) => self.around(around),
            Region::Direction(wanted) if self.is_view(wanted) => self.view(wanted),
            Region::Pending => match self.code.pending {
                Some(slot) => Ok(Set::Slot(slot)),
                None => self.refuse("pending sites"),
            },
            Region::ToClear => match self.code.doomed {
                Some(slot) => Ok(Set::Slot(slot)),
                None => Ok(self.nowhere()),
            },
            Region::Array(ints) => match &**ints {
                ludex_lud::ir::Ints::Remembered(name) => {
                    Ok(Set::Slot(self.remembered(name.as_deref())))
                }
                _ => self.refuse("a list of numbers that changes"),
            },
            Region::LineOfSight(sight, kind, at, dirs) => {
                self.same_kind(*kind)?;
                if !self.dirs_are_fixed(dirs, super::Bound::default()) {
                    return self.refuse("sight in directions that change");
                }
                let dirs = self.directions(dirs, None)?;
                let rays = self.rays(&dirs, 1, i32::MAX)?;
                Ok(Set::Sight(rays, self.num(at)?, *sight))
            }
            other => match self.row(other)? {
                Some(set) => Ok(set),
                None if matches!(other, Region::Direction(_)) => self.stretch(other),
                None => self.refuse(format!("the region {}", super::nums::name(other))),
            },
        }
    }

    /// Whether sites in a direction are what is seen: up to the first piece and that piece.
    fn is_view(&mut self, wanted: &ludex_lud::ir::SitesDirection) -> bool {
        let stops = matches!(
            &wanted.stop,
            Bool::Occupied(kind, site)
                if *kind == self.game.topo.default && matches!(**site, Int::To)
        );
        let known = matches!(&wanted.from, Region::One(site) if matches!(**site, Int::From))
            || self.dirs_are_fixed(&wanted.dirs, super::Bound::default());
        stops
            && known
            && matches!(wanted.from, Region::One(_))
            && self.fixed_bool(&wanted.stop_included) == Some(true)
            && self.fixed_bool(&wanted.included) == Some(false)
            && self.fixed_int(&wanted.distance).is_some_and(|far| far >= self.code.board as i32)
    }

    fn view(&mut self, wanted: &ludex_lud::ir::SitesDirection) -> Built<Set> {
        let Region::One(site) = &wanted.from else {
            return self.refuse("sight from several places");
        };
        self.same_kind(wanted.kind)?;
        let dirs = self.directions(&wanted.dirs, self.from_what)?;
        let rays = self.rays(&dirs, 1, i32::MAX)?;
        let at = self.num(site)?;
        let free = Set::Sight(rays, at.clone(), Sight::Empty);
        let first = Set::Sight(rays, at, Sight::Piece);
        Ok(Set::Or(Box::new(free), Box::new(first)))
    }

    /// The sites along lines from a site, up to one that stops.
    fn stretch(&mut self, region: &Region) -> Built<Set> {
        let Region::Direction(wanted) = region else {
            return self.refuse("a region of its own");
        };
        let (Region::One(site), Some(far), Some(false), Some(with_stop)) = (
            &wanted.from,
            self.fixed_int(&wanted.distance),
            self.fixed_bool(&wanted.included),
            self.fixed_bool(&wanted.stop_included),
        ) else {
            return self.refuse("sites in directions that change");
        };
        self.same_kind(wanted.kind)?;
        if !self.dirs_are_fixed(&wanted.dirs, super::Bound::default())
            || mentions(&wanted.stop, Var::From)
        {
            return self.refuse("sites in directions that change");
        }
        let dirs = self.directions(&wanted.dirs, None)?;
        let rays = self.rays(&dirs, 1, far)?;
        let stop = self.sites_where(&wanted.stop, Var::To)?;
        let open = self.not(stop.clone());
        let end = if with_stop { stop } else { self.nowhere() };
        Ok(Set::Slid(rays, self.num(site)?, Box::new(open), Box::new(end)))
    }

    /// A region that depends on one site alone, by a table.
    fn row(&mut self, region: &Region) -> Built<Option<Set>> {
        for var in [Var::From, Var::To, Var::Between, Var::Site] {
            if self.bound.has(var)
                && region_mentions(region, var)
                && let Some(rows) = self.fixed_rows(region, var)
            {
                let table = self.table(rows);
                return Ok(Some(Set::Row(table, Num::Var(var))));
            }
        }
        let (site, rebuilt): (&Int, Region) = match region {
            Region::Indexed(sets, index) => {
                (index, Region::Indexed(sets.clone(), Box::new(Int::Site)))
            }
            Region::Distance(kind, relation, from, range) => {
                (from, Region::Distance(*kind, *relation, Box::new(Int::Site), range.clone()))
            }
            Region::Direction(wanted) => match &wanted.from {
                Region::One(site) => {
                    let mut wanted = wanted.clone();
                    let from =
                        std::mem::replace(&mut wanted.from, Region::One(Box::new(Int::Site)));
                    debug_assert!(matches!(from, Region::One(_)));
                    (&**site, Region::Direction(wanted))
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(rows) = self.fixed_rows(&rebuilt, Var::Site) else {
            return Ok(None);
        };
        let site = self.num(site)?;
        let table = self.table(rows);
        Ok(Some(Set::Row(table, site)))
    }

    /// The number of a table of sets.
    pub(super) fn table(&mut self, rows: Vec<ludex_lud::sites::SiteSet>) -> usize {
        let same = |table: &Vec<ludex_lud::sites::SiteSet>| {
            table.len() == rows.len() && table.iter().zip(&rows).all(|(a, b)| a.same(b))
        };
        let known = self.code.tables.iter().position(same);
        known.unwrap_or_else(|| {
            self.code.tables.push(rows);
            self.code.tables.len() - 1
        })
    }

    fn around(&mut self, around: &Around) -> Built<Set> {
        self.same_kind(around.kind)?;
        let near = self.fixed_int(&around.distance) == Some(1);
        let keeps = self.fixed_bool(&around.include_self);
        let (Some(keeps), true) = (keeps, near) else {
            return self.refuse("sites around others at a distance");
        };
        let centre = self.region(&around.at)?;
        let relation = self.first_of_radials(around.dir);
        let mut set = Set::Image(relation, Box::new(centre.clone()));
        if let Some(cond) = &around.cond {
            let fitting = self.sites_where(cond, Var::To)?;
            set = self.and(set, fitting);
        }
        if let Some(filter) = around.filter {
            let fitting = self.neighbours_fitting(filter);
            set = self.and(set, fitting);
        }
        Ok(match keeps {
            true => self.or(set, centre),
            false => {
                let others = self.not(centre);
                self.and(set, others)
            }
        })
    }

    /// The relation of a site to the next ones along its radials.
    fn first_of_radials(&mut self, dir: ludex_lud::topo::Dir) -> usize {
        let pairs = self.radial_pairs(dir);
        self.relation(&pairs)
    }

    /// Every site with the next ones along its radials.
    pub(super) fn radial_pairs(&self, dir: ludex_lud::topo::Dir) -> Vec<(i32, i32)> {
        let plane = self.game.topo.plane(self.game.topo.default);
        let mut pairs = Vec::new();
        for site in 0..plane.count as i32 {
            for radial in plane.radials(site, dir) {
                if let Some(&to) = radial.sites.get(1)
                    && !pairs.contains(&(site, to))
                {
                    pairs.push((site, to));
                }
            }
        }
        pairs
    }

    pub(super) fn neighbours_fitting(&mut self, filter: Neighbour) -> Set {
        let (mover, allies) = (self.mover, self.allies(self.mover));
        let players = 1..=self.game.players;
        let shared = self.game.players + 1;
        let hostile = |owner| players.contains(&owner) && !allies.has(owner);
        match filter {
            Neighbour::Empty => EMPTY,
            Neighbour::NotEmpty => self.not(EMPTY),
            Neighbour::Own => self.owned_by(|owner| owner == mover),
            Neighbour::NotOwn => {
                let own = self.owned_by(|owner| owner == mover);
                self.not(own)
            }
            Neighbour::Enemy => self.owned_by(hostile),
            // As the reference has it.
            Neighbour::NotEnemy if self.game.teams => {
                self.owned_by(|owner| hostile(owner) || owner == shared)
            }
            Neighbour::NotEnemy => {
                let enemy = self.owned_by(hostile);
                self.not(enemy)
            }
        }
    }

    fn occupied(&mut self, wanted: &Occupied) -> Built<Set> {
        if self.game.stacking && !wanted.top {
            return self.refuse("pieces anywhere in stacks");
        }
        let within = match &wanted.container {
            Some(place) if self.game.containers.len() > 1 => Some(self.place(place)?),
            _ => None,
        };
        if let Some(kind) = wanted.on {
            self.same_kind(kind)?;
        }
        let owner = match &wanted.by {
            Who::One(player) => self.fixed_int(player),
            Who::Role(_) => None,
        };
        let mut set = match (&wanted.what, owner) {
            // Kinds of the player's own stand only where his pieces do.
            (Some(whats), Some(owner)) => {
                let own = whats.iter().copied().filter(|&what| self.game.owner(what) == owner);
                self.of_kinds(&own.collect::<Vec<_>>())
            }
            (Some(whats), None) => {
                let (owned, kinds) = (self.owned(&wanted.by)?, self.of_kinds(whats));
                self.and(owned, kinds)
            }
            (None, _) => self.owned(&wanted.by)?,
        };
        if let Some(within) = within {
            set = self.and(set, within);
        }
        // Hands have cells: where the board has others, they are not meant unless they are named.
        let hands = self.game.containers.len() > 1;
        if hands && wanted.container.is_none() && self.game.topo.default != SiteType::Cell {
            set = self.on_board(set);
        }
        if let Some(what) = &wanted.what_index {
            let Some(what) = self.fixed_int(what) else {
                return self.refuse("pieces that are not known before");
            };
            let kinds = self.of_kinds(&u16::try_from(what).into_iter().collect::<Vec<_>>());
            set = self.and(set, kinds);
        }
        Ok(set)
    }

    /// The sites of a container.
    fn place(&mut self, place: &ContainerRef) -> Built<Set> {
        let index = match place {
            ContainerRef::Fixed(index) => Some(*index),
            ContainerRef::Index(index) => match self.fixed_int(index) {
                Some(index) => usize::try_from(index).ok(),
                None => return self.refuse("a container that is not known before"),
            },
            ContainerRef::Hand(name, player) => {
                let hand = |player: i32, game: &Compiled| {
                    game.containers.iter().position(|c| {
                        c.kind == ContainerKind::Hand
                            && c.owner == player
                            && c.name.contains(&**name)
                    })
                };
                if self.fixed_int(player).is_none()
                    && let Some(all) = self.by_next(|b| b.fixed_int(player))
                {
                    let hands: Vec<_> = all.into_iter().map(|p| hand(p, self.game)).collect();
                    let hands = hands.into_iter().map(|place| self.sites_of(place)).collect();
                    if let Some(set) = of_next(hands, Set::either) {
                        return Ok(set);
                    }
                }
                match self.fixed_int(player) {
                    Some(player) => hand(player, self.game),
                    None => return self.refuse("the hand of a player who is not known before"),
                }
            }
        };
        Ok(self.sites_of(index))
    }

    pub(super) fn sites_of(&mut self, container: Option<usize>) -> Set {
        let found = container.and_then(|index| self.game.containers.get(index));
        let sites = found.map_or(SiteSet::new(), |c| (c.first..c.first + c.count).collect());
        self.fixed(sites)
    }

    fn of_kinds(&mut self, whats: &[u16]) -> Set {
        let mut set = self.nowhere();
        for &what in whats {
            let slot = self.slot_of(what);
            set = self.or(set, slot);
        }
        set
    }

    /// The sites of the pieces of some players.
    pub(super) fn owned(&mut self, who: &Who) -> Built<Set> {
        Ok(match who {
            Who::One(player) => match self.fixed_int(player) {
                Some(player) => self.owned_by(|owner| owner == player),
                None => {
                    let player = self.num(player)?;
                    let mut set = self.nowhere();
                    for n in (1..=self.game.players).rev() {
                        let is = Cond::equals(player.clone(), n);
                        set = Set::either(is, self.owned_by(|owner| owner == n), set);
                    }
                    set
                }
            },
            Who::Role(Role::All) => self.owned_by(|_| true),
            Who::Role(role) => {
                let players = self.players_as(*role);
                self.owned_by(|owner| players.has(owner))
            }
        })
    }

    /// The sites whose pieces are counted.
    pub(super) fn counted(&mut self, count: &CountPieces) -> Built<Set> {
        if let Some(kind) = count.kind {
            self.same_kind(kind)?;
        }
        let mut set = self.owned(&count.who)?;
        if let Some(whats) = &count.what {
            let kinds = self.of_kinds(whats);
            set = self.and(set, kinds);
        }
        if let Some(within) = &count.within {
            let within = self.region(within)?;
            set = self.and(set, within);
        }
        if let Some(cond) = &count.cond {
            let fitting = self.sites_where(cond, Var::Site)?;
            set = self.and(set, fitting);
        }
        Ok(set)
    }

    /// All sites of a region satisfy a condition.
    pub(super) fn all_sites(&mut self, region: &Region, cond: &Bool) -> Built<Cond> {
        let region = self.region(region)?;
        let fitting = self.sites_where(cond, Var::Site)?;
        let others = self.not(fitting);
        Ok(Cond::Vacant(self.and(region, others)))
    }
}
