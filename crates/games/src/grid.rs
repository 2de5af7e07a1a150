//! A rectangular board as bit sets: its edges, and moving a whole set of cells at once.

use ludex_game::bits::Bits;

use crate::Size;

/// A board whose cells fit `N` words, row by row from the bottom without gaps.
#[derive(Clone, Debug)]
pub(crate) struct Grid<const N: usize> {
    pub size: Size,
    /// Every cell.
    pub all: Bits<N>,
    /// The cells that have a neighbour to the left.
    pub not_left: Bits<N>,
    /// The cells that have a neighbour to the right.
    pub not_right: Bits<N>,
}

impl<const N: usize> Grid<N> {
    pub fn new(size: Size) -> Self {
        Grid {
            size,
            all: Bits::first(size.cells()),
            not_left: columns(size, |column| column > 0),
            not_right: columns(size, |column| column + 1 < size.width()),
        }
    }

    /// How far apart two cells of a column are.
    #[inline(always)]
    pub fn row(&self) -> u32 {
        self.size.width() as u32
    }

    /// The set of the cells of one row, counted from the bottom.
    pub fn row_cells(&self, row: usize) -> Bits<N> {
        let width = self.size.width();
        (row * width..(row + 1) * width).fold(Bits::EMPTY, |set, cell| set | Bits::one(cell))
    }

    /// The cells from which `right` more columns stay on the board.
    pub fn columns_with_room(&self, right: i32) -> Bits<N> {
        let width = self.size.width() as i32;
        columns(self.size, |column| (0..width).contains(&(column as i32 + right)))
    }

    /// The cells beside a member of the set, members or not.
    #[inline(always)]
    pub fn beside(&self, set: Bits<N>) -> Bits<N> {
        let across = (set & self.not_right).up(1) | (set & self.not_left).down(1);
        (across | set.up(self.row()) | set.down(self.row())) & self.all
    }
}

fn columns<const N: usize>(size: Size, keep: impl Fn(usize) -> bool) -> Bits<N> {
    let kept = (0..size.cells()).filter(|cell| keep(cell % size.width()));
    kept.fold(Bits::EMPTY, |set, cell| set | Bits::one(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stop_at_the_edges() {
        let grid = Grid::<2>::new(Size::new(10, 7).unwrap());
        let beside = |cell| grid.beside(Bits::one(cell)).iter().collect::<Vec<_>>();
        assert_eq!(beside(0), [1, 10]);
        assert_eq!(beside(19), [9, 18, 29]);
        assert_eq!(beside(35), [25, 34, 36, 45]);
        assert_eq!(beside(69), [59, 68]);
        assert_eq!(grid.row_cells(6).iter().collect::<Vec<_>>(), (60..70).collect::<Vec<_>>());
    }
}
