//! What stands beside a piece of which each player has only one: a king must not be lost, and is the safer the fewer of the
//! others' pieces and the more of his own are near.

use ludex_game::geometry::{Geometry, SiteId};
use ludex_game::{Player, SetOf, View};

/// Kinds of piece of which each of two players has one at the start.
#[derive(Clone, Debug)]
pub(super) struct Lone {
    /// By player, the kinds that are his.
    kinds: [Vec<u16>; 2],
}

impl Lone {
    /// How many numbers there are of each side.
    pub const COUNT: usize = 3;

    /// The kinds of a game; nothing where a player has none.
    pub fn new(geometry: &Geometry, start: &View) -> Option<Lone> {
        let kinds = [0, 1].map(|player| {
            let lone = |kind: &u16| sites(start, Player(player), *kind).count() == 1;
            (0..geometry.kinds.len() as u16).filter(lone).collect::<Vec<_>>()
        });
        kinds.iter().all(|kinds| !kinds.is_empty()).then_some(Lone { kinds })
    }

    /// How many empty sites, pieces of his own and pieces of others are beside such pieces of a player.
    pub fn numbers(
        &self,
        geometry: &Geometry,
        view: &View,
        player: Player,
        home: usize,
        who: &[u8],
        side: u8,
    ) -> [f32; Lone::COUNT] {
        let mut counts = [0.0; Lone::COUNT];
        for site in self.kinds[home].iter().flat_map(|&kind| sites(view, player, kind)) {
            for &next in geometry.adjacent(site) {
                let beside = match who[next as usize] {
                    0 => 0,
                    owner if owner == side => 1,
                    _ => 2,
                };
                counts[beside] += 0.2;
            }
        }
        counts
    }
}

/// Where a player's pieces of a kind stand.
fn sites(view: &View, player: Player, kind: u16) -> impl Iterator<Item = SiteId> {
    let (owned, of_kind) = (view.set(SetOf::Owned(player)), view.set(SetOf::Kind(kind)));
    let words = (0..).zip(owned.iter().zip(of_kind).map(|(owned, of_kind)| owned & of_kind));
    words.flat_map(|(word, mut left): (SiteId, u64)| {
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(64 * word + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Piece;
    use ludex_game::geometry::PieceKind;

    #[test]
    fn neighbours_of_kings_are_counted() {
        let mut board = Geometry::rectangle(3, 3);
        for name in ["King1", "Man1", "King2", "Man2"] {
            board.kinds.push(PieceKind { name: name.into(), owner: None });
        }
        let mut view = View::new();
        view.reset(&board, 2);
        let pieces = [(0, 0, 0), (1, 0, 1), (3, 1, 3), (8, 1, 2), (2, 0, 1), (5, 1, 3)];
        for (site, player, kind) in pieces {
            view.put(site, Piece::plain(kind, Some(Player(player)), site));
        }
        let lone = Lone::new(&board, &view).expect("a king each");
        // The men are two each, and do not count.
        assert_eq!(lone.kinds, [vec![0], vec![2]]);
        let who = [1, 1, 1, 2, 0, 2, 0, 0, 2];
        let near = |player: u8| {
            let numbers =
                lone.numbers(&board, &view, Player(player), player.into(), &who, player + 1);
            numbers.map(|number| (5.0 * number).round())
        };
        assert_eq!((near(0), near(1)), ([1.0, 1.0, 1.0], [2.0, 1.0, 0.0]));
        view.reset(&board, 2);
        assert!(Lone::new(&board, &view).is_none());
    }
}
