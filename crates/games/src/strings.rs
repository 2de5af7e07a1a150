//! Strings of stones and their liberties, updated stone by stone.
//!
//! Nothing is ever taken off the board here (the games that use this end with the first capture or
//! forbid it), so strings only grow and a union-find holds them. Besides, two sets for each side are kept true
//! that turn legality into a few operations on whole boards.

use ludex_game::bits::Bits;

/// The stones on a board of `N` words; `C` is `64 * N`, the cells those words can hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strings<const N: usize, const C: usize> {
    pub stones: [Bits<N>; 2],
    /// Cells that are the only liberty of a string of that side: a stone of the other side captures.
    pub last: [Bits<N>; 2],
    /// Cells beside a string of that side that has another liberty: a stone of that side lives.
    /// Only the empty cells among them mean anything.
    pub safe: [Bits<N>; 2],
    /// The next stone on the way to the one that stands for the whole string.
    parent: [u8; C],
    /// The liberties of a string, at the stone that stands for it.
    liberties: [Bits<N>; C],
}

impl<const N: usize, const C: usize> Strings<N, C> {
    pub const NONE: Self = Strings {
        stones: [Bits::EMPTY; 2],
        last: [Bits::EMPTY; 2],
        safe: [Bits::EMPTY; 2],
        parent: [0; C],
        liberties: [Bits::EMPTY; C],
    };

    /// Puts a stone on an empty cell and says whether that takes a hostile string's last liberty.
    #[inline(always)]
    pub fn place<const SIDE: usize>(&mut self, cell: usize, beside: &[Bits<N>; C]) -> bool {
        let around = beside[cell % C];
        let (allies, foes) = (around & self.stones[SIDE], around & self.stones[1 - SIDE]);
        self.stones[SIDE].insert(cell);
        self.join::<SIDE>(cell, allies, around & !allies & !foes, beside);
        let mut captured = false;
        for foe in foes.iter() {
            let string = self.string_of(foe);
            self.liberties[string] &= !Bits::one(cell);
            captured |= self.liberties[string].is_empty();
            self.settle(1 - SIDE, string, beside);
        }
        captured
    }

    /// Makes one string of a new stone and those it touches.
    #[inline(always)]
    fn join<const SIDE: usize>(
        &mut self,
        cell: usize,
        allies: Bits<N>,
        free: Bits<N>,
        beside: &[Bits<N>; C],
    ) {
        let mut string = cell % C;
        let mut liberties = free;
        if !allies.is_empty() {
            string = self.string_of(allies.lowest());
            for ally in allies.iter() {
                let other = self.string_of(ally);
                liberties |= self.liberties[other];
                self.parent[other] = string as u8;
            }
        }
        self.parent[cell % C] = string as u8;
        let stone = Bits::one(cell);
        self.liberties[string] = liberties & !stone;
        // Every string whose last liberty this was is now part of this one.
        self.last[SIDE] &= !stone;
        self.settle(SIDE, string, beside);
    }

    /// Brings the two sets up to date with a string's liberties.
    #[inline(always)]
    fn settle(&mut self, side: usize, string: usize, beside: &[Bits<N>; C]) {
        let liberties = self.liberties[string];
        if !liberties.is_single() {
            self.safe[side] |= liberties;
            return;
        }
        self.last[side] |= liberties;
        let around = beside[liberties.lowest() % C] & self.stones[side];
        let lives = around.iter().any(|ally| {
            let string = self.string_of(ally);
            !self.liberties[string].is_single()
        });
        if lives {
            self.safe[side] |= liberties;
        } else {
            self.safe[side] &= !liberties;
        }
    }

    /// The stone that stands for the string a stone belongs to; halves the way there.
    #[inline(always)]
    fn string_of(&mut self, stone: usize) -> usize {
        let mut stone = stone % C;
        loop {
            let parent = self.parent[stone] as usize % C;
            if parent == stone {
                return stone;
            }
            let grandparent = self.parent[parent];
            self.parent[stone] = grandparent;
            stone = grandparent as usize % C;
        }
    }
}
