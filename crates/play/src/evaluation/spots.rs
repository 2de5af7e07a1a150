//! Where pieces stand, by two numbers a site instead of one for each: how near the middle of the board it is, and how far from
//! its owner's side towards the other's. A few games are enough to learn what those are worth.

use ludex_game::geometry::{ContainerKind, Geometry, SiteId};
use ludex_game::{Player, SetOf, View};

/// The two numbers of every site, from nought to one, for each player's place at the start.
#[derive(Clone, Debug)]
pub(super) struct Spots {
    numbers: Vec<Vec<[f32; Spots::COUNT]>>,
}

impl Spots {
    /// How many numbers a site has.
    pub const COUNT: usize = 2;

    pub fn new(geometry: &Geometry, start: &View, players: usize) -> Spots {
        let on_board = |site: &SiteId| {
            let container = usize::from(geometry.sites[*site as usize].container);
            geometry.containers[container].kind == ContainerKind::Board
        };
        let board: Vec<SiteId> = (0..geometry.len() as SiteId).filter(on_board).collect();
        let at = |site: SiteId| {
            let at = geometry.sites[site as usize].at;
            [at.x, at.y]
        };
        let middle = mean(board.iter().map(|&site| at(site))).unwrap_or_default();
        let away = |site: SiteId| (at(site)[0] - middle[0]).hypot(at(site)[1] - middle[1]);
        let farthest = board.iter().map(|&site| away(site)).fold(0.0, f32::max).max(1e-6);
        let home = |player: usize| {
            let owned = |site: &&SiteId| start.has(SetOf::Owned(Player(player as u8)), **site);
            mean(board.iter().filter(owned).map(|&site| at(site)))
        };
        let numbers = (0..players).map(|player| {
            let others = (0..players).filter(|&other| other != player).filter_map(home);
            let forward = match (home(player), mean(others)) {
                (Some(own), Some(others)) => [others[0] - own[0], others[1] - own[1]],
                _ => [0.0; 2],
            };
            let ahead = |site: SiteId| at(site)[0] * forward[0] + at(site)[1] * forward[1];
            let (low, high) = board
                .iter()
                .map(|&site| ahead(site))
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), ahead| {
                    (low.min(ahead), high.max(ahead))
                });
            let mut of_sites = vec![[0.0; Spots::COUNT]; geometry.len()];
            for &site in &board {
                let ahead = if high > low { (ahead(site) - low) / (high - low) } else { 0.0 };
                of_sites[site as usize] = [1.0 - away(site) / farthest, ahead];
            }
            of_sites
        });
        Spots { numbers: numbers.collect() }
    }

    /// The numbers of a site for a player with this place at the start.
    #[inline]
    pub fn of(&self, home: usize, site: usize) -> &[f32; Spots::COUNT] {
        &self.numbers[home][site]
    }
}

fn mean(points: impl Iterator<Item = [f32; 2]>) -> Option<[f32; 2]> {
    let (mut sum, mut count) = ([0.0; 2], 0.0);
    for point in points {
        sum = [sum[0] + point[0], sum[1] + point[1]];
        count += 1.0;
    }
    (count > 0.0).then(|| [sum[0] / count, sum[1] / count])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Piece;
    use ludex_game::geometry::PieceKind;

    #[test]
    fn pieces_go_from_their_side_to_the_other() {
        let mut board = Geometry::rectangle(3, 5);
        board.kinds.push(PieceKind { name: "Man".into(), owner: None });
        let mut start = View::new();
        start.reset(&board, 2);
        for site in 0..3 {
            start.put(site, Piece::plain(0, Some(Player(0)), site));
            start.put(site + 12, Piece::plain(0, Some(Player(1)), site + 12));
        }
        let spots = Spots::new(&board, &start, 2);
        assert_eq!([0, 7, 14].map(|site| spots.of(0, site)[1]), [0.0, 0.5, 1.0]);
        assert_eq!([0, 7, 14].map(|site| spots.of(1, site)[1]), [1.0, 0.5, 0.0]);
        assert_eq!(spots.of(0, 7)[0], 1.0);
        assert!(spots.of(0, 0)[0] < 1e-6 && spots.of(0, 6)[0] > 0.3);
    }
}
