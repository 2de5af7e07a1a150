//! The rectangular boards of these games as the contract has them.

use ludex_game::bits::Bits;
use ludex_game::geometry::{PieceKind, Region};
use ludex_game::{Detail, Ends, Geometry, MoveKind, Piece, Player, SetOf, SiteId, View};

use crate::Size;

/// The geometry of a board on which each player has one kind of piece.
pub(crate) fn geometry(size: Size, piece: &str) -> Geometry {
    let mut geometry = Geometry::rectangle(size.height(), size.width());
    geometry.kinds = [Player(0), Player(1)]
        .map(|owner| PieceKind { name: format!("{piece}{}", owner.0 + 1), owner: Some(owner) })
        .into();
    geometry
}

/// A region that a player wants to reach.
pub(crate) fn goal<const N: usize>(player: Player, cells: Bits<N>) -> Region {
    let sites = cells.iter().map(|cell| cell as SiteId).collect();
    Region { name: "Goal".to_string(), owner: Some(player), sites: Some(sites) }
}

/// Writes the pieces of both players.
pub(crate) fn view<const N: usize>(
    geometry: &Geometry,
    pieces: [Bits<N>; 2],
    detail: Detail,
    out: &mut View,
) {
    out.reset(geometry, 2);
    for (player, cells) in (0..).map(Player).zip(pieces) {
        if detail == Detail::Pieces {
            for cell in cells.iter().map(|cell| cell as SiteId) {
                out.put(cell, Piece::plain(u16::from(player.0), Some(player), cell));
            }
            continue;
        }
        for set in [SetOf::Owned(player), SetOf::Kind(u16::from(player.0))] {
            out.set_mut(set).iter_mut().zip(cells.0).for_each(|(word, cells)| *word = cells);
        }
        let empty = out.set_mut(SetOf::Empty).iter_mut();
        empty.zip(cells.0).for_each(|(word, cells)| *word &= !cells);
    }
}

/// The last move in one word, for states that are copied often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Last(u32);

impl Last {
    /// A piece went from a cell to another, and perhaps took what stood there.
    #[inline(always)]
    pub fn moved(from: usize, to: usize, takes: bool) -> Last {
        Last(1 << 24 | u32::from(takes) << 16 | (from as u32 & 255) << 8 | to as u32 & 255)
    }

    /// A piece came to a cell.
    #[inline(always)]
    pub fn placed(cell: usize) -> Last {
        Last::moved(cell, cell, false)
    }

    /// Its ends; nothing where there was no move.
    pub fn ends(self) -> Option<Ends> {
        let (from, to) = (self.0 >> 8 & 255, self.0 & 255);
        let kind = match self.0 >> 16 & 1 {
            1 => MoveKind::Capture,
            _ if from == to => MoveKind::Place,
            _ => MoveKind::Move,
        };
        (self.0 != 0).then(|| Ends::between(from, to, kind))
    }
}
