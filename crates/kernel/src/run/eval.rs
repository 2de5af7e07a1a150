//! Numbers, conditions and sets.

use super::board::{Board, Outcome};
use super::{Kernel, PLAYERS};
use crate::build::NOTES;
use crate::code::{Cond, Flanking, NOWHERE, Num, Set, Var};
use ludex_game::bits::Bits;
use ludex_lud::ir::Op;

/// Values bound while code runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binds([i32; 5]);

impl Default for Binds {
    fn default() -> Self {
        Binds([NOWHERE; 5])
    }
}

impl Binds {
    pub(super) fn path(from: i32, to: i32, between: i32) -> Self {
        Binds::default().with(Var::From, from).with(Var::To, to).with(Var::Between, between)
    }

    pub(super) fn with(mut self, var: Var, value: i32) -> Self {
        self.0[var as usize] = value;
        self
    }

    pub(super) fn get(&self, var: Var) -> i32 {
        self.0[var as usize]
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Whether a number is a site of the game.
    #[inline(always)]
    pub(super) fn is_site(&self, site: i32) -> bool {
        (site as u32 as usize) < self.code.sites
    }

    /// Whether a number is a piece of the game.
    #[inline(always)]
    pub(super) fn is_piece(&self, what: i32) -> bool {
        what > 0 && (what as usize) < self.code.slots.len()
    }

    /// A number; what is found at once is.
    #[inline(always)]
    pub(super) fn num(&self, b: &Board<W, S>, v: &Binds, n: &Num) -> i32 {
        match n {
            Num::Const(n) => *n,
            Num::Var(var) => v.get(*var),
            Num::LastTo => i32::from(b.last_to),
            other => self.num_of(b, v, other),
        }
    }

    fn num_of(&self, b: &Board<W, S>, v: &Binds, n: &Num) -> i32 {
        match n {
            Num::Const(n) => *n,
            Num::Var(var) => v.get(*var),
            Num::Next => i32::from(b.next),
            Num::Throw => i32::from(b.throw),
            Num::Prev => i32::from(b.prev),
            Num::Counter => b.counter,
            Num::Moves => b.moves,
            Num::Turns => b.turns,
            Num::TurnMoves => i32::from(b.turn_moves),
            Num::LastFrom => i32::from(b.last_from),
            Num::LastTo => i32::from(b.last_to),
            Num::Pending => match b.pending_count {
                1 => i32::from(b.pending),
                _ => NOWHERE,
            },
            Num::Score(player) => match self.num(b, v, player) {
                player @ 1..=PLAYERS => b.scores[player as usize - 1],
                _ => 0,
            },
            Num::What(site) => i32::from(self.what_at(b, self.num(b, v, site))),
            Num::Lowermost(site) => {
                let site = self.num(b, v, site);
                if self.is_site(site) { i32::from(self.at_level(b, site, 0)) } else { 0 }
            }
            Num::Who(site) => {
                let what = self.what_at(b, self.num(b, v, site));
                i32::from(self.code.owners[what as usize])
            }
            Num::State(site) => {
                let site = self.num(b, v, site);
                if self.is_site(site) { i32::from(b.state(site)) } else { 0 }
            }
            Num::Note(note) => b.notes[*note as usize % NOTES],
            Num::Size(set) => self.set(b, v, set).len() as i32,
            Num::InRow(table, at, slot) => {
                (self.row(*table, self.num(b, v, at)) & b.set(*slot)).len() as i32
            }
            Num::OutOfRow(table, at, slot) => {
                (self.row(*table, self.num(b, v, at)) & !b.set(*slot)).len() as i32
            }
            Num::Lowest(set) => {
                let set = self.set(b, v, set);
                if set.is_empty() { NOWHERE } else { set.lowest() as i32 }
            }
            Num::Entry(table, at) => {
                let at = self.num(b, v, at);
                let table = &self.code.numbers[*table];
                table.get(at as u32 as usize).copied().unwrap_or(NOWHERE)
            }
            Num::Pair(table, side, row, at) => {
                let (row, at) = (self.num(b, v, row), self.num(b, v, at));
                match row < 0 || at < 0 {
                    true => NOWHERE,
                    false => self.code.numbers[*table][(row * side + at) as usize],
                }
            }
            Num::EntryByPiece(tables, at) => {
                let at = self.num(b, v, at);
                if !self.is_site(at) {
                    return NOWHERE;
                }
                let table = &self.code.numbers[tables[b.what(at) as usize]];
                table.get(at as usize).copied().unwrap_or(NOWHERE)
            }
            Num::Groups(set, relation, min) => self.groups(self.set(b, v, set), *relation, *min),
            Num::LargestGroup(set, relation) => self.largest_group(self.set(b, v, set), *relation),
            Num::Pieces(set) => self.pieces(b, self.set(b, v, set)),
            Num::Lying(kinds, set) => self.lying_on(b, *kinds, self.set(b, v, set)),
            Num::Abs(n) => self.num(b, v, n).wrapping_abs(),
            Num::Op(op, x, y) => arithmetic(*op, self.num(b, v, x), self.num(b, v, y)),
            Num::If(cond, x, y) => {
                let chosen = if self.cond(b, v, cond) { x } else { y };
                self.num(b, v, chosen)
            }
            Num::Asked(asked) => self.ask_num(b, v, asked),
        }
    }

    /// A row of a table of sets; empty outside.
    #[inline(always)]
    fn row(&self, table: usize, at: i32) -> Bits<W> {
        self.tables[table].get(at as u32 as usize).copied().unwrap_or(Bits::EMPTY)
    }

    /// The piece on a site; none where there is no site.
    #[inline(always)]
    pub(super) fn what_at(&self, b: &Board<W, S>, site: i32) -> u8 {
        if self.is_site(site) { b.what(site) } else { 0 }
    }

    pub(super) fn cond(&self, b: &Board<W, S>, v: &Binds, cond: &Cond) -> bool {
        match cond {
            Cond::Const(value) => *value,
            Cond::Not(inner) => !self.cond(b, v, inner),
            Cond::All(all) => all.iter().all(|c| self.cond(b, v, c)),
            Cond::Any(any) => any.iter().any(|c| self.cond(b, v, c)),
            Cond::If(test, yes, no) => {
                let chosen = if self.cond(b, v, test) { yes } else { no };
                self.cond(b, v, chosen)
            }
            Cond::Compare(cmp, x, y) => cmp.holds(self.num(b, v, x), self.num(b, v, y)),
            Cond::Has(set, site) => {
                let site = self.num(b, v, site);
                self.is_site(site) && self.set(b, v, set).contains(site as usize)
            }
            Cond::Vacant(set) => self.set(b, v, set).is_empty(),
            Cond::Same(x, y) => self.set(b, v, x) == self.set(b, v, y),
            Cond::OneGroup(set, relation) => {
                let set = self.set(b, v, set);
                !set.is_empty() && self.flood(set, *relation, Bits::one(set.lowest())) == set
            }
            Cond::Odd(n) => self.num(b, v, n) & 1 == 1,
            Cond::Pending => b.pending_count > 0,
            Cond::AllPassed => b.moves >= 2 && self.all_passed(b),
            Cond::WasPass => b.last_pass,
            Cond::NoMovesNext => self.next_is_stuck(b),
            Cond::NotStored => self.standing(b) != b.stored,
            Cond::Answered(question) => b.answers >> question & 1 == 1,
            Cond::Stuck(player) => is_noted(b.stuck, self.num(b, v, player)),
            Cond::Proposed(text) => b.proposed >> text & 1 == 1,
            Cond::Decided(text) => b.decided == Some(*text),
            Cond::Triggered(player) => {
                b.outcome == Outcome::Open && is_noted(b.triggers, self.num(b, v, player))
            }
            Cond::Can(node) => match self.code.visited {
                None => self.any_move(b, v, node),
                Some(slot) => self.any_move(&self.as_asked(b, slot), v, node),
            },
            Cond::Line(line) => self.is_line(b, v, line),
            Cond::Threatened(threat) => self.is_threatened(b, v, threat),
            Cond::Asked(asked) => self.ask_cond(b, v, asked),
        }
    }

    /// A set; what is found at once is.
    #[inline(always)]
    pub(super) fn set(&self, b: &Board<W, S>, v: &Binds, set: &Set) -> Bits<W> {
        match set {
            Set::Const(n) => self.consts[*n],
            Set::Slot(slot) => b.set(*slot),
            other => self.set_of(b, v, other),
        }
    }

    fn set_of(&self, b: &Board<W, S>, v: &Binds, set: &Set) -> Bits<W> {
        match set {
            Set::Const(n) => self.consts[*n],
            Set::Slot(slot) => b.set(*slot),
            Set::Not(inner) => self.everywhere & !self.set(b, v, inner),
            Set::And(x, y) => {
                let x = self.set(b, v, x);
                // What follows may be dear to ask.
                if x.is_empty() { x } else { x & self.set(b, v, y) }
            }
            Set::Or(x, y) => self.set(b, v, x) | self.set(b, v, y),
            Set::If(cond, x, y) => {
                let chosen = if self.cond(b, v, cond) { x } else { y };
                self.set(b, v, chosen)
            }
            Set::Holding(what) => self.holding(b, *what),
            Set::One(site) => {
                let site = self.num(b, v, site);
                if self.is_site(site) { Bits::one(site as usize) } else { Bits::EMPTY }
            }
            Set::Row(table, at) => {
                let at = self.num(b, v, at);
                self.row(*table, at)
            }
            Set::Image(relation, inner) => self.image(self.set(b, v, inner), *relation),
            Set::Sight(rays, at, sight) => {
                let at = self.num(b, v, at);
                self.seen(b, *rays, at, *sight)
            }
            Set::Slid(rays, at, go, stop) => {
                let at = self.num(b, v, at);
                if at < 0 || at as usize >= self.code.board {
                    return Bits::EMPTY;
                }
                let (go, stop) = (self.set(b, v, go), self.set(b, v, stop));
                self.rays[*rays].slid(at, go, stop)
            }
            Set::Flanking(flanking) => {
                let target = self.set(b, v, &flanking.target);
                let friend = self.set(b, v, &flanking.friend);
                self.flanks(flanking, target, friend)
            }
            Set::InLines(table, of) => match of {
                Some(set) => self.lined(*table, self.set(b, v, set)),
                None => {
                    let alike = self.code.slots.iter().skip(1);
                    let lines = alike.map(|&(own, _)| self.lined(*table, b.set(own)));
                    lines.fold(Bits::EMPTY, |all, lines| all | lines)
                }
            },
            Set::Asked(asked) => self.ask_set(b, v, asked),
            Set::Where(inner, cond, var) => {
                if let Cond::Asked(asked) = &**cond {
                    return self.ask_each(b, v, self.set(b, v, inner), asked, *var);
                }
                let mut out = Bits::EMPTY;
                for site in self.set(b, v, inner).iter() {
                    if self.cond(b, &v.with(*var, site as i32), cond) {
                        out.insert(site);
                    }
                }
                out
            }
        }
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Adds a site to a set of the position.
    pub(super) fn note_site(&self, b: &mut Board<W, S>, slot: u8, site: i32) {
        if self.is_site(site) {
            b.sets[slot as usize % S].insert(site as usize);
        }
    }

    /// A position in which moves are asked for: the sites of the last move count as visited.
    pub(super) fn as_asked(&self, b: &Board<W, S>, visited: u8) -> Board<W, S> {
        let mut look = *b;
        self.note_site(&mut look, visited, i32::from(b.last_from));
        self.note_site(&mut look, visited, i32::from(b.last_to));
        look
    }

    /// How many pieces stand on sites.
    fn pieces(&self, b: &Board<W, S>, set: Bits<W>) -> i32 {
        let more = (set & self.hands).iter().map(|site| b.held(site) - 1);
        set.len() as i32 + more.sum::<i32>()
    }

    /// All sites reached from members by a relation.
    #[inline(always)]
    pub(super) fn image(&self, set: Bits<W>, relation: usize) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for &(offset, ends) in &self.relations[relation] {
            out |= moved(set, offset) & ends;
        }
        out
    }

    /// The sites from which a run along a line ends at a catcher.
    fn flanks(&self, flanking: &Flanking, target: Bits<W>, friend: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        let unlimited = flanking.max >= flanking.longest && flanking.longest <= 16;
        for &step in &flanking.steps {
            out |= match self.relations[step].as_slice() {
                &[(by, ends)] if W == 1 && unlimited => {
                    moved(doubled(friend, target & ends, by, flanking.longest), by) & ends
                }
                _ => {
                    let mut run = self.image(friend, step) & target;
                    let mut edge = run;
                    let mut left = flanking.max;
                    while left > 1 && !edge.is_empty() {
                        edge = self.image(edge, step) & target & !run;
                        run |= edge;
                        left -= 1;
                    }
                    self.image(run, step)
                }
            };
        }
        out
    }

    /// The members connected with a start.
    fn flood(&self, set: Bits<W>, relation: usize, start: Bits<W>) -> Bits<W> {
        let (mut group, mut edge) = (start, start);
        while !edge.is_empty() {
            edge = self.image(edge, relation) & set & !group;
            group |= edge;
        }
        group
    }

    fn groups(&self, set: Bits<W>, relation: usize, min: i32) -> i32 {
        let (mut rest, mut count) = (set, 0);
        while !rest.is_empty() {
            let group = self.flood(set, relation, Bits::one(rest.lowest()));
            count += i32::from(group.len() as i32 >= min);
            rest &= !group;
        }
        count
    }

    fn largest_group(&self, set: Bits<W>, relation: usize) -> i32 {
        let (mut rest, mut most) = (set, 0);
        while !rest.is_empty() {
            let group = self.flood(set, relation, Bits::one(rest.lowest()));
            most = most.max(group.len() as i32);
            rest &= !group;
        }
        most
    }
}

/// The members of `open` that follow a start along a line without a gap, by lengths that double.
#[inline(always)]
fn doubled<const W: usize>(start: Bits<W>, open: Bits<W>, by: i32, longest: i32) -> Bits<W> {
    let (mut run, mut open) = (moved(start, by) & open, open);
    let mut length = 1;
    // A line of more sites than that would not fit into a word.
    while length < longest && by.abs() * length < 64 {
        run |= moved(run, by * length) & open;
        open &= moved(open, by * length);
        length *= 2;
    }
    run
}

/// Every member moved by a difference of site numbers; what leaves the board must be masked away.
#[inline(always)]
pub(super) fn moved<const W: usize>(set: Bits<W>, offset: i32) -> Bits<W> {
    if W == 1 {
        return Bits([set.0[0].rotate_left(offset as u32 & 63); W]);
    }
    // Word by word: shifts over two words at once are slow on many processors.
    let far = offset.unsigned_abs();
    let (words, rest) = (far as usize / 64, far % 64);
    let mut out = if offset >= 0 { set.up(rest) } else { set.down(rest) };
    for _ in 0..words {
        out = by_word(out, offset >= 0);
    }
    out
}

fn by_word<const W: usize>(set: Bits<W>, up: bool) -> Bits<W> {
    let mut out = Bits::EMPTY;
    for word in 0..W {
        let source = if up { word.checked_sub(1) } else { Some(word + 1).filter(|w| *w < W) };
        out.0[word] = source.map_or(0, |source| set.0[source]);
    }
    out
}

/// Whether a player's bit is set.
fn is_noted(bits: u8, player: i32) -> bool {
    matches!(player, 0..=7) && bits >> player & 1 == 1
}

fn arithmetic(op: Op, a: i32, b: i32) -> i32 {
    ludex_lud::eval::ints::binary(op, a, b)
}
