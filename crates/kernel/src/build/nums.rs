//! Numbers.

use super::fold::of_next;
use super::{Bound, Builder};
use crate::Built;
use crate::code::{Cond, NOWHERE, Noted, Num, Set, Var};
use ludex_lud::ir::{Channel, Cmp, Directions, Int, Ints, Op};
use ludex_lud::topo::SiteType;

impl Builder<'_> {
    /// The code of a number.
    pub(super) fn num(&mut self, n: &Int) -> Built<Num> {
        self.num_by_code(n).or_else(|refusal| self.ask_num(n).ok_or(refusal))
    }

    fn num_by_code(&mut self, n: &Int) -> Built<Num> {
        if let Some(value) = self.fixed_int(n) {
            return Ok(Num::Const(value));
        }
        if let Some(all) = self.by_next(|b| b.fixed_int(n)) {
            let all = all.into_iter().map(Num::Const).collect();
            return Ok(of_next(all, Num::either).unwrap_or(Num::Const(NOWHERE)));
        }
        if let Some(values) = self.by_throw(|b| b.fixed_int(n)) {
            return Ok(self.num_of_throw(values));
        }
        Ok(match n {
            Int::From => self.var(Var::From)?,
            Int::To => self.var(Var::To)?,
            Int::Between => self.var(Var::Between)?,
            Int::Site => self.var(Var::Site)?,
            Int::Player => self.var(Var::Player)?,
            Int::Next => Num::Next,
            Int::Prev => self.prev.map_or(Num::Prev, Num::Const),
            Int::Counter => Num::Counter,
            Int::Moves => Num::Moves,
            Int::Turns => Num::Turns,
            Int::MovesThisTurn => Num::TurnMoves,
            Int::LastFrom { after: false } => Num::LastFrom,
            Int::LastTo { after: false } => Num::LastTo,
            Int::PendingValue => Num::Pending,
            Int::PlayerValue(player) => {
                let player = self.num(player)?;
                let mut value = Num::Const(NOWHERE);
                for (is, note) in self.values_of(player)?.into_iter().rev() {
                    value = Num::either(is, Num::Note(note), value);
                }
                value
            }
            Int::Var(index) => Num::Note(self.note(Noted::Var(*index))?),
            Int::Score(player) => Num::Score(Box::new(self.num(player)?)),
            Int::At(channel, _, at, Some(level)) if self.game.stacking => {
                self.at_level(*channel, at, level)?
            }
            Int::At(channel, kind, at, _) => {
                if let Some(kind) = kind {
                    self.same_kind(*kind)?;
                }
                self.at(*channel, at)?
            }
            Int::CountPieces(count) if self.game.stacking => self.count_in_stacks(count)?,
            Int::CountPieces(count) => self.count_pieces(count)?,
            Int::StackSize(kind, region) | Int::CountAt(kind, region) if self.game.stacking => {
                let heights = matches!(n, Int::StackSize(..));
                self.heights(*kind, region, heights)?
            }
            Int::CountSites(region) => size_of(self.region(region)?),
            Int::Where(wanted) if self.game.stacking => self.where_in_stacks(wanted)?,
            Int::Where(wanted) => self.where_is(wanted)?,
            Int::TopLevel(kind, at) if self.game.stacking => self.top_level(*kind, at)?,
            Int::CountGroups(groups, min) => {
                let Some(min) = self.fixed_int(min) else {
                    return self.refuse("groups of a size that changes");
                };
                let (set, relation) = self.groups(groups)?;
                Num::Groups(Box::new(set), relation, min)
            }
            Int::BiggestGroup(groups) => {
                let (set, relation) = self.groups(groups)?;
                Num::LargestGroup(Box::new(set), relation)
            }
            Int::HandSite(player, index) => {
                let hand = Int::HandSite(player.clone(), Box::new(Int::Const(0)));
                let index = Box::new(self.num(index)?);
                let Some(first) = self.fixed_int(&hand) else {
                    let player = Box::new(self.num(player)?);
                    let first = Num::Entry(self.by_player(&hand_of), player);
                    return Ok(match *index {
                        Num::Const(0) => first,
                        _ => return self.refuse("the hand of a player who is not known before"),
                    });
                };
                match first {
                    ..0 => Num::Const(NOWHERE),
                    first => Num::Op(Op::Add, Box::new(Num::Const(first)), index),
                }
            }
            Int::CountAt(_, region) => {
                let set = self.region(region)?;
                let occupied = self.not(super::sets::EMPTY);
                let set = self.and(set, occupied);
                self.pieces_on(set)
            }
            Int::RegionSite(region, at) if self.fixed_int(at) == Some(0) => {
                Num::Lowest(Box::new(self.region(region)?))
            }
            Int::SizeArray(list) if let Ints::Remembered(name) = &**list => {
                self.counts_values = true;
                Num::Size(Box::new(Set::Slot(self.remembered(name.as_deref()))))
            }
            Int::Abs(n) => Num::Abs(Box::new(self.num(n)?)),
            Int::Binary(op, a, b) => Num::Op(*op, Box::new(self.num(a)?), Box::new(self.num(b)?)),
            Int::If(cond, a, b) => {
                let cond = Box::new(self.cond(cond)?);
                Num::If(cond, Box::new(self.num(a)?), Box::new(self.num(b)?))
            }
            Int::OfBool(cond) => {
                let cond = Box::new(self.cond(cond)?);
                Num::If(cond, Box::new(Num::Const(1)), Box::new(Num::Const(0)))
            }
            other => match (self.by_site(other)?, other.gathered()) {
                (Some(num), _) => num,
                (None, Some((op, all))) => {
                    let all = all.iter().map(|n| self.num(n)).collect::<Built<Vec<Num>>>()?;
                    let join = |a, b| Num::Op(op, Box::new(a), Box::new(b));
                    all.into_iter().reduce(join).unwrap_or(Num::Const(NOWHERE))
                }
                (None, None) => return self.refuse(format!("the number {}", name(other))),
            },
        })
    }

    /// The places of the values of players that a number may mean, each with when it does; the first that
    /// holds counts.
    pub(super) fn values_of(&mut self, player: Num) -> Built<Vec<(Cond, u8)>> {
        let players = self.game.players;
        match player {
            Num::Const(player) if (1..=players).contains(&player) => {
                Ok(vec![(Cond::Const(true), self.note(Noted::Player(player as u8))?)])
            }
            Num::If(..) | Num::Next | Num::Prev | Num::Var(Var::Player) if is_a_player(&player) => {
                let mut all = Vec::new();
                for n in 1..=players {
                    let is = match n == players {
                        true => Cond::Const(true),
                        false => Cond::Compare(Cmp::Eq, player.clone(), Num::Const(n)),
                    };
                    all.push((is, self.note(Noted::Player(n as u8))?));
                }
                Ok(all)
            }
            _ => self.refuse("the value of a player who is not known before"),
        }
    }

    fn var(&self, var: Var) -> Built<Num> {
        match (var, self.sites_known) {
            (Var::From, Some((from, _))) => return Ok(Num::Const(from)),
            (Var::To, Some((_, to))) => return Ok(Num::Const(to)),
            _ => {}
        }
        match self.bound.has(var) {
            true => Ok(Num::Var(var)),
            false => self.refuse(format!("`{var:?}` where nothing has that name")),
        }
    }

    /// A number that depends on one site alone, by a table.
    fn by_site(&mut self, n: &Int) -> Built<Option<Num>> {
        for var in [Var::From, Var::To, Var::Between, Var::Site] {
            if self.bound.has(var)
                && let Some(values) = self.fixed_numbers(n, var)
            {
                let table = self.numbers(values);
                return Ok(Some(Num::Entry(table, Box::new(Num::Var(var)))));
            }
        }
        if let Int::MapEntry(name, key, _) = n
            && let Int::At(Channel::Who, ..) = &**key
        {
            let entry = |player| {
                Int::MapEntry(name.clone(), Box::new(Int::Const(player)), Default::default())
            };
            let key = Box::new(self.num(key)?);
            return Ok(Some(Num::Entry(self.by_player(&entry), key)));
        }
        if let Int::MapEntry(name, key, _) = n
            && let Int::At(Channel::What, ..) = &**key
        {
            let table = self.by_piece(name);
            let key = self.num(key)?;
            return Ok(Some(Num::Entry(table, Box::new(key))));
        }
        if let Int::Ahead(kind, at, steps, dirs) = n
            && matches!(**dirs, Directions::Relative { .. })
        {
            return self.ahead_of_piece(*kind, at, steps, dirs).map(Some);
        }
        let (inner, rebuilt): (&Int, Box<dyn Fn(Int) -> Int>) = match n {
            Int::Row(kind, at) => {
                let kind = *kind;
                (at, Box::new(move |at| Int::Row(kind, Box::new(at))))
            }
            Int::Column(kind, at) => {
                let kind = *kind;
                (at, Box::new(move |at| Int::Column(kind, Box::new(at))))
            }
            Int::TrackMove(track, Some(at), steps) => {
                let (track, steps) = (track.clone(), steps.clone());
                let moved =
                    move |at| Int::TrackMove(track.clone(), Some(Box::new(at)), steps.clone());
                (at, Box::new(moved))
            }
            Int::Ahead(kind, at, steps, dirs) => {
                let (kind, steps, dirs) = (*kind, steps.clone(), dirs.clone());
                let ahead = move |at| Int::Ahead(kind, Box::new(at), steps.clone(), dirs.clone());
                (at, Box::new(ahead))
            }
            _ => return Ok(None),
        };
        let Some(values) = self.fixed_numbers(&rebuilt(Int::Site), Var::Site) else {
            return Ok(None);
        };
        let at = self.num(inner)?;
        let table = self.numbers(values);
        Ok(Some(Num::Entry(table, Box::new(at))))
    }

    /// The table of what a map has for every piece.
    fn by_piece(&mut self, name: &Option<Box<str>>) -> usize {
        let values = (0..self.game.components.len() as i32).map(|what| self.mapped(name, what));
        let values = values.collect();
        self.numbers(values)
    }

    /// The table of a number that depends on a player, nobody and everybody included.
    fn by_player(&mut self, of: &dyn Fn(i32) -> Int) -> usize {
        let players = 0..=self.game.players + 1;
        let values = players.map(|player| self.ctx.int(&of(player))).collect();
        self.numbers(values)
    }

    /// What a map has for a piece.
    pub(super) fn mapped(&mut self, name: &Option<Box<str>>, what: i32) -> i32 {
        self.ctx.int(&Int::MapEntry(name.clone(), Box::new(Int::Const(what)), Default::default()))
    }

    /// The site ahead of a piece, by the way it faces.
    fn ahead_of_piece(
        &mut self,
        kind: SiteType,
        at: &Int,
        steps: &Int,
        dirs: &Directions,
    ) -> Built<Num> {
        self.same_kind(kind)?;
        if !self.dirs_of_piece_are_fixed(dirs, Bound::default()) || self.fixed_int(steps).is_none()
        {
            return self.refuse("a site ahead in a direction that changes");
        }
        let (steps, dirs) = (Box::new(steps.clone()), Box::new(dirs.clone()));
        let mut tables = Vec::new();
        for what in 0..self.game.components.len() as u16 {
            let mut values = Vec::new();
            for site in 0..self.code.sites as i32 {
                let ahead =
                    Int::Ahead(kind, Box::new(Int::Const(site)), steps.clone(), dirs.clone());
                values.push(self.with_piece_at(what, site, |b| b.ctx.int(&ahead)));
            }
            tables.push(self.numbers(values));
        }
        let at = Box::new(self.num(at)?);
        Ok(match tables.windows(2).all(|w| w[0] == w[1]) {
            true => Num::Entry(tables[0], at),
            false => Num::EntryByPiece(tables, at),
        })
    }

    fn groups(&mut self, groups: &ludex_lud::ir::Groups) -> Built<(Set, usize)> {
        self.same_kind(groups.kind)?;
        if groups.visible || groups.within.is_some() {
            return self.refuse("groups of which only some are meant");
        }
        let set = match &groups.cond {
            Some(cond) => self.sites_where(cond, Var::To)?,
            None => self.not(super::sets::EMPTY),
        };
        let set = self.on_board(set);
        if !self.dirs_are_fixed(&groups.dirs, super::Bound::default()) {
            return self.refuse("groups in directions that change");
        }
        let dirs = self.directions(&groups.dirs, None)?;
        let plane = self.game.topo.plane(self.game.topo.default);
        let mut pairs = Vec::new();
        for (site, dirs) in dirs.iter().enumerate() {
            for &to in dirs.iter().flat_map(|&dir| plane.steps(site as i32, dir)) {
                pairs.push((site as i32, to));
            }
        }
        Ok((set, self.relation(&pairs)))
    }

    /// The number of a table of numbers.
    pub(super) fn numbers(&mut self, values: Vec<i32>) -> usize {
        let known = self.code.numbers.iter().position(|table| *table == values);
        known.unwrap_or_else(|| {
            self.code.numbers.push(values);
            self.code.numbers.len() - 1
        })
    }

    fn at(&mut self, channel: Channel, at: &Int) -> Built<Num> {
        let known = match at {
            Int::From => self.from_what,
            Int::LastTo { after: false } => self.last_what,
            _ => None,
        };
        // Which piece it is, is asked of the lowest of a stack; all else of the top.
        if channel == Channel::What && self.code.stacks.is_some() {
            return Ok(Num::Lowermost(Box::new(self.num(at)?)));
        }
        match (channel, known) {
            (Channel::What, Some(what)) => return Ok(Num::Const(i32::from(what))),
            (Channel::Who, Some(what)) => return Ok(Num::Const(self.game.owner(what))),
            _ => {}
        }
        if channel == Channel::Value {
            let values = self.kind_values()?;
            return match known {
                Some(what) => Ok(Num::Const(values[what as usize])),
                None => {
                    let table = self.numbers(values);
                    let what = Num::What(Box::new(self.num(at)?));
                    Ok(Num::Entry(table, Box::new(what)))
                }
            };
        }
        let at = Box::new(self.num(at)?);
        Ok(match channel {
            Channel::What => Num::What(at),
            Channel::Who => Num::Who(at),
            Channel::State => Num::State(at),
            Channel::Rotation | Channel::Value => {
                return self.refuse("the rotation of a piece");
            }
        })
    }

    fn count_pieces(&mut self, count: &ludex_lud::ir::CountPieces) -> Built<Num> {
        let set = self.counted(count)?;
        Ok(self.pieces_on(set))
    }

    /// How many pieces stand on a set: one on each site, but for hands.
    fn pieces_on(&self, set: Set) -> Num {
        match self.game.counts {
            false => Num::Size(Box::new(set)),
            true => Num::Pieces(Box::new(set)),
        }
    }

    fn where_is(&mut self, wanted: &ludex_lud::ir::Where) -> Built<Num> {
        use ludex_lud::ir::PieceRef;
        if wanted.state.is_some() {
            return self.refuse("a piece looked for by its state");
        }
        self.same_kind(wanted.kind)?;
        let known = match &wanted.piece {
            PieceRef::Index(n) | PieceRef::Named(_, n) => self.fixed_int(n).is_some(),
        };
        if !known {
            let all = self.by_next(|b| b.where_is(wanted).ok());
            return match all.and_then(|all| of_next(all, Num::either)) {
                Some(place) => Ok(place),
                None => self.refuse("a piece that is not known before"),
            };
        }
        let what = self.ctx.piece_ref(&wanted.piece);
        if what <= 0 {
            return Ok(Num::Const(NOWHERE));
        }
        let set = self.slot_of(what as u16);
        let set = self.on_board(set);
        Ok(Num::Lowest(Box::new(set)))
    }

    /// A comparison of numbers.
    pub(super) fn compare(&mut self, cmp: Cmp, a: &Int, b: &Int) -> Built<Cond> {
        Ok(match (cmp, self.num(a)?, self.num(b)?) {
            (Cmp::Eq, Num::Const(1), Num::Groups(set, relation, ..=1))
            | (Cmp::Eq, Num::Groups(set, relation, ..=1), Num::Const(1)) => {
                Cond::OneGroup(*set, relation)
            }
            (Cmp::Eq, n @ Num::If(..), Num::Const(value))
            | (Cmp::Eq, Num::Const(value), n @ Num::If(..)) => Cond::equals(n, value),
            (cmp, a, b) => Cond::Compare(cmp, a, b),
        })
    }
}

/// Whether a number is always that of a player.
fn is_a_player(n: &Num) -> bool {
    match n {
        Num::Next | Num::Prev | Num::Var(Var::Player) => true,
        Num::Const(n) => *n >= 1,
        Num::If(_, a, b) => is_a_player(a) && is_a_player(b),
        _ => false,
    }
}

/// The name of a node of the typed form, for people.
pub(super) fn name(node: &impl std::fmt::Debug) -> String {
    let text = format!("{node:?}");
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    format!("`{}`", &text[..end])
}

/// How many sites a set has; those of rows of a table are counted without working out the set.
fn size_of(set: Set) -> Num {
    match set {
        Set::And(row, other) => match (*row, *other) {
            (Set::Row(table, at), Set::Slot(slot)) | (Set::Slot(slot), Set::Row(table, at)) => {
                Num::InRow(table, Box::new(at), slot)
            }
            (Set::Row(table, at), Set::Not(inner)) => match *inner {
                Set::Slot(slot) => Num::OutOfRow(table, Box::new(at), slot),
                inner => {
                    let (row, other) = (Set::Row(table, at), Set::Not(Box::new(inner)));
                    Num::Size(Box::new(Set::And(Box::new(row), Box::new(other))))
                }
            },
            (row, other) => Num::Size(Box::new(Set::And(Box::new(row), Box::new(other)))),
        },
        set => Num::Size(Box::new(set)),
    }
}

/// The first place in the hand of a player.
fn hand_of(player: i32) -> Int {
    Int::HandSite(Box::new(Int::Const(player)), Box::new(Int::Const(0)))
}
