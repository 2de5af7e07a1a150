//! Stacks: what lies at each level of a site, beside the sets of what lies on top.

use super::Kernel;
use super::board::Board;
use super::effects::{Change, Changes};
use super::eval::Binds;
use crate::code::{AtLevel, Num, Stacks};
use ludex_game::bits::Bits;
use ludex_lud::layer::Piece;

impl<const W: usize, const S: usize> Board<W, S> {
    /// The number of what lies at a level of a site.
    #[inline(always)]
    fn numbered(&self, stacks: Stacks, site: usize, level: usize) -> u8 {
        (0..stacks.bits).fold(0, |all, bit| {
            all | u8::from(self.set(stacks.set(level, bit)).contains(site)) << bit
        })
    }

    #[inline(always)]
    fn number(&mut self, stacks: Stacks, site: usize, level: usize, number: u8) {
        let changed = self.numbered(stacks, site, level) ^ number;
        for bit in (0..stacks.bits).filter(|bit| changed >> bit & 1 == 1) {
            self.toggle(stacks.set(level, bit), Bits::one(site));
        }
    }
}

// What changes stacks stays out of line: games without them make their moves in the same few places.
impl<const W: usize, const S: usize> Kernel<W, S> {
    fn kept(&self) -> Stacks {
        self.stacks.unwrap_or_default()
    }

    /// The piece at a level of a stack.
    #[inline]
    pub(super) fn at_level(&self, b: &Board<W, S>, site: i32, level: usize) -> u8 {
        match b.numbered(self.kept(), site as usize, level) {
            0 => 0,
            number => number + self.kept().before,
        }
    }

    /// Puts a piece on top of whatever a site holds.
    #[inline(never)]
    pub(super) fn push(&self, b: &mut Board<W, S>, site: i32, what: u8) {
        let (stacks, here) = (self.kept(), Bits::one(site as usize));
        let (held, below) = (b.held(site as usize), b.what(site));
        debug_assert!(held < i32::from(stacks.most), "more pieces than there are");
        match below {
            0 => b.toggle(0, here),
            _ => self.toggle_piece(b, below, here),
        }
        self.toggle_piece(b, what, here);
        b.set_what(site, what);
        b.hold(site, held + 1);
        b.number(stacks, site as usize, held as usize, what - stacks.before);
    }

    /// Takes the piece at a level away; those above it sink. Beyond the top it is the top that goes, as the
    /// rules have it.
    #[inline(never)]
    pub(super) fn pull(&self, b: &mut Board<W, S>, site: i32, level: usize) {
        let (stacks, here) = (self.kept(), Bits::one(site as usize));
        let held = b.held(site as usize) as usize;
        let Some(top) = held.checked_sub(1) else {
            return;
        };
        for level in level..top {
            let above = b.numbered(stacks, site as usize, level + 1);
            b.number(stacks, site as usize, level, above);
        }
        b.number(stacks, site as usize, top, 0);
        b.hold(site, top as i32);
        let was = b.what(site);
        let now = match top {
            0 => 0,
            height => self.at_level(b, site, height - 1),
        };
        if now != was {
            self.toggle_piece(b, was, here);
            match now {
                0 => b.toggle(0, here),
                now => self.toggle_piece(b, now, here),
            }
            b.set_what(site, now);
        }
    }

    /// Moves the piece at a level to the top of another site.
    #[inline(never)]
    pub(super) fn lift(&self, b: &mut Board<W, S>, from: i32, level: usize, to: i32) {
        if from != to && (level as i32) < b.held(from as usize) {
            let what = self.at_level(b, from, level);
            self.pull(b, from, level);
            self.push(b, to, what);
        }
    }

    /// The pieces of a stack, from the bottom.
    pub(super) fn stack<'a>(
        &'a self,
        b: &'a Board<W, S>,
        site: i32,
    ) -> impl Iterator<Item = Piece> + 'a {
        (0..b.held(site as usize) as usize).map(move |level| {
            let what = u16::from(self.at_level(b, site, level));
            let value = self.values.get(usize::from(what)).copied().unwrap_or(0);
            Piece { what, count: 1, value, ..Piece::default() }
        })
    }

    /// How many pieces of some kinds lie on sites at any level.
    pub(super) fn lying_on(&self, b: &Board<W, S>, kinds: u64, sites: Bits<W>) -> i32 {
        let fits = |what: u8| kinds >> (what & 63) & 1 == 1;
        let lying = (sites & !b.set(0) & self.everywhere).iter().map(|site| {
            let held = b.held(site);
            match held {
                1 => usize::from(fits(b.what(site as i32))),
                _ => {
                    let levels = 0..held as usize;
                    levels.filter(|&level| fits(self.at_level(b, site as i32, level))).count()
                }
            }
        });
        lying.sum::<usize>() as i32
    }

    /// The sites that hold a piece at any level.
    pub(super) fn holding(&self, b: &Board<W, S>, what: u8) -> Bits<W> {
        let stacks = self.kept();
        let (mut holding, number) = (Bits::EMPTY, what - stacks.before);
        for level in 0..usize::from(stacks.most) {
            let (mut same, mut some) = (self.everywhere, Bits::EMPTY);
            for bit in 0..stacks.bits {
                let raised = b.set(stacks.set(level, bit));
                same &= if number >> bit & 1 == 1 { raised } else { !raised };
                some |= raised;
            }
            if some.is_empty() {
                break;
            }
            holding |= same;
        }
        holding
    }

    /// The kinds of piece that a player owns, one bit each.
    pub(super) fn kinds_of(&self, player: u8) -> u64 {
        let owned = |what: &usize| *what > 0 && self.code.owners[*what] == player;
        (0..self.code.owners.len().min(64)).filter(owned).fold(0, |all, what| all | 1 << what)
    }

    /// Finds out what happens to the pieces of a stack, the top first.
    pub(super) fn find_levels(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        (site, all): (&Num, &[AtLevel]),
        out: &mut Changes,
    ) {
        let site = self.num(b, v, site);
        if !self.is_site(site) {
            return;
        }
        for level in (0..b.held(site as usize) as u8).rev() {
            match all.get(usize::from(self.at_level(b, site, level.into()))) {
                Some(AtLevel::Goes(to)) => {
                    let to = self.num(b, v, to);
                    if self.is_site(to) {
                        out.push(Change::Lift(site, level, to));
                    }
                }
                Some(AtLevel::Leaves) => out.push(Change::Pull(site, level)),
                Some(AtLevel::Stays) | None => {}
            }
        }
    }
}
