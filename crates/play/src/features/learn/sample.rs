//! What features are learned from: positions with what a search thought of their moves.

use ludex_game::features::MoveEnds;
use ludex_game::{Detail, Ends, Game, Player, SetOf, State, View};

use crate::search::Report;

/// A position in which somebody searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Who was to move.
    pub player: Player,
    /// The owner of each site's piece, from one; nought for none.
    owners: Vec<u8>,
    /// The piece on each site, from one; nought for none.
    pieces: Vec<u16>,
    /// The move before.
    last: Option<Ends>,
    /// The legal moves.
    pub moves: Vec<Ends>,
    /// The share of the simulations that chose each of them; they add up to one.
    pub target: Vec<f32>,
}

impl Sample {
    /// What a search found, or nothing where there was nothing to decide.
    pub fn new(
        game: &dyn Game,
        state: &State,
        player: Player,
        report: &Report,
        view: &mut View,
    ) -> Option<Sample> {
        let total: u64 = report.moves.iter().map(|found| found.visits).sum();
        if report.moves.len() < 2 || total == 0 {
            return None;
        }
        game.view(state, None, Detail::Sets, view);
        let (mut owners, mut pieces) = (vec![0; view.len()], vec![0; view.len()]);
        for owner in 0..game.info().players as u8 {
            each(view.set(SetOf::Owned(Player(owner))), |site| owners[site] = owner + 1);
        }
        let kinds = game.geometry().map_or(0, |geometry| geometry.kinds.len()) as u16;
        for kind in 0..kinds {
            each(view.set(SetOf::Kind(kind)), |site| pieces[site] = kind + 1);
        }
        let ends = |mv| game.ends(state, Some(player), mv);
        Some(Sample {
            player,
            owners,
            pieces,
            last: game.last_move(state),
            moves: report.moves.iter().map(|found| ends(found.mv)).collect(),
            target: report.moves.iter().map(|found| found.visits as f32 / total as f32).collect(),
        })
    }

    /// The owner and the piece of a site.
    #[inline]
    pub fn at(&self, site: u32) -> (u32, u32) {
        let site = site as usize;
        match (self.owners.get(site), self.pieces.get(site)) {
            (Some(&owner), Some(&piece)) => (u32::from(owner), u32::from(piece)),
            _ => (0, 0),
        }
    }

    /// The ends of a move and of the move before.
    pub fn ends(&self, number: usize) -> MoveEnds<Option<u32>> {
        let (last, ends) = (self.last.unwrap_or_default(), self.moves[number]);
        MoveEnds { last_from: last.from, last_to: last.to, from: ends.from, to: ends.to }
    }
}

fn each(set: &[u64], mut found: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut left = bits;
        while left != 0 {
            found(64 * word + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
impl Sample {
    /// A position made up for a test: the owner of each site's stone, and the share of each empty site.
    pub(super) fn made_up(player: Player, stones: &[u8], share: impl Fn(usize) -> f32) -> Sample {
        let empty: Vec<usize> = (0..stones.len()).filter(|&site| stones[site] == 0).collect();
        let total: f32 = empty.iter().map(|&site| share(site)).sum();
        let place = |&site: &usize| Ends::at(site as u32, ludex_game::MoveKind::Place);
        Sample {
            player,
            owners: stones.to_vec(),
            pieces: stones.iter().map(|&owner| u16::from(owner)).collect(),
            last: None,
            moves: empty.iter().map(place).collect(),
            target: empty.iter().map(|&site| share(site) / total).collect(),
        }
    }
}
