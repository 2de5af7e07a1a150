//! What is missing to join one's sides: for players who own regions that lie apart, the fewest pieces that would connect them.

use std::collections::VecDeque;

use ludex_game::Player;
use ludex_game::geometry::{Geometry, OFF, SiteId};

/// The two farthest apart of each player's regions, by his place at the start.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    of: [[Vec<SiteId>; 2]; 2],
}

/// Nobody can come there.
const NEVER: u16 = u16::MAX;

/// Memory for looking.
#[derive(Default)]
pub(super) struct Ways {
    away: [Vec<u16>; 2],
    queue: VecDeque<(SiteId, u16)>,
}

impl Ends {
    /// How many numbers there are of each side.
    pub const COUNT: usize = 3;

    /// What two players are to join; nothing where one of them has nothing to join.
    pub fn new(geometry: &Geometry) -> Option<Ends> {
        let ends = [0, 1].map(|player| apart(geometry, Player(player)));
        let [Some(first), Some(second)] = ends else { return None };
        Some(Ends { of: [first, second] })
    }

    /// Of a side: how many pieces it lacks at least, whether it is cut off for good, and on how many empty sites those
    /// pieces could stand.
    pub fn numbers(
        &self,
        geometry: &Geometry,
        who: &[u8],
        side: u8,
        home: usize,
        ways: &mut Ways,
    ) -> [f32; Ends::COUNT] {
        let Ways { away, queue } = ways;
        for (away, from) in away.iter_mut().zip(&self.of[home]) {
            fill(geometry, who, side, from, away, queue);
        }
        let [there, back] = &*away;
        let fewest = self.of[home][1].iter().map(|&site| there[site as usize]).min();
        let Some(fewest) = fewest.filter(|&fewest| fewest != NEVER) else { return [0.0, 1.0, 0.0] };
        // Whoever stands on a site has been counted from both ends.
        let all = u32::from(fewest) + 1;
        let on_the_way = |there: u16, back: u16| {
            there != NEVER && back != NEVER && u32::from(there) + u32::from(back) == all
        };
        let empty = there.iter().zip(back).zip(who).filter(|(_, who)| **who == 0);
        let choices = empty.filter(|((there, back), _)| on_the_way(**there, **back)).count();
        [0.2 * f32::from(fewest), 0.0, 0.05 * choices as f32]
    }
}

/// How many pieces a side lacks to come from some sites to each, the site itself included.
fn fill(
    geometry: &Geometry,
    who: &[u8],
    side: u8,
    from: &[SiteId],
    away: &mut Vec<u16>,
    queue: &mut VecDeque<(SiteId, u16)>,
) {
    away.clear();
    away.resize(who.len(), NEVER);
    queue.clear();
    let cost = |site: SiteId| match who[site as usize] {
        0 => Some(1),
        owner if owner == side => Some(0),
        _ => None,
    };
    let enter =
        |queue: &mut VecDeque<(SiteId, u16)>, away: &mut [u16], site: SiteId, before: u16| {
            let Some(cost) = cost(site) else { return };
            let here = before + cost;
            if here < away[site as usize] {
                away[site as usize] = here;
                match cost {
                    0 => queue.push_front((site, here)),
                    _ => queue.push_back((site, here)),
                }
            }
        };
    for &site in from {
        enter(queue, away, site, 0);
    }
    while let Some((site, here)) = queue.pop_front() {
        if away[site as usize] == here {
            for &next in geometry.around(site).iter().filter(|&&next| next != OFF) {
                enter(queue, away, next, here);
            }
        }
    }
}

/// The first two parts of a player's regions that do not touch.
fn apart(geometry: &Geometry, player: Player) -> Option<[Vec<SiteId>; 2]> {
    let owned = geometry.regions.iter().filter(|region| region.owner == Some(player));
    let mut left: Vec<SiteId> =
        owned.filter_map(|region| region.sites.as_deref()).flatten().copied().collect();
    left.sort_unstable();
    left.dedup();
    let mut parts = Vec::new();
    while let Some(first) = left.pop() {
        let mut part = vec![first];
        let mut at = 0;
        while at < part.len() {
            let beside = geometry.around(part[at]);
            left.retain(|site| {
                let touches = beside.contains(site);
                if touches {
                    part.push(*site);
                }
                !touches
            });
            at += 1;
        }
        parts.push(part);
    }
    let mut parts = parts.into_iter();
    Some([parts.next()?, parts.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::geometry::Region;

    /// Three rows and columns: the first player joins bottom and top, the second left and right.
    fn board() -> Geometry {
        let mut board = Geometry::rectangle(3, 3);
        for (player, sites) in [(0, vec![0, 1, 2, 6, 7, 8]), (1, vec![0, 3, 6, 2, 5, 8])] {
            let (owner, sites) = (Some(Player(player)), Some(sites));
            board.regions.push(Region { name: "Goal".into(), owner, sites });
        }
        board
    }

    #[test]
    fn what_is_missing_is_counted() {
        let board = board();
        let ends = Ends::new(&board).expect("both have something to join");
        let mut ways = Ways::default();
        let mut numbers = |who: &[u8; 9], side: u8| {
            ends.numbers(&board, who, side, usize::from(side) - 1, &mut ways)
                .map(|n| (n * 20.0).round())
        };
        // Nothing yet: three pieces, on any of nine sites.
        assert_eq!(numbers(&[0; 9], 1), [12.0, 0.0, 9.0]);
        // One of ours in the middle: one more on either side of it, in the same column.
        let who = [0, 0, 0, 0, 1, 0, 0, 0, 0];
        assert_eq!(numbers(&who, 1), [8.0, 0.0, 2.0]);
        // The other has to go around.
        assert_eq!(numbers(&who, 2), [12.0, 0.0, 6.0]);
        // A whole column: joined, and the other never will be.
        let who = [0, 1, 0, 0, 1, 0, 0, 1, 0];
        assert_eq!((numbers(&who, 1), numbers(&who, 2)), ([0.0; 3], [0.0, 20.0, 0.0]));
    }

    #[test]
    fn regions_that_touch_are_one() {
        let mut board = board();
        board.regions[1].sites = Some(vec![0, 3, 6]);
        assert!(Ends::new(&board).is_none());
        board.regions.clear();
        assert!(Ends::new(&board).is_none());
    }
}
