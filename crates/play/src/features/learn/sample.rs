//! What features are learned from: positions with what a search thought of their moves.

use ludex_game::features::MoveEnds;
use ludex_game::{Detail, Ends, Game, Move, Player, SetOf, State, View};

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
    /// How much the search preferred each of them; the shares add up to one.
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
        // A search does not report what it never tried.
        let mut moves = Vec::new();
        game.moves(state, player, &mut moves);
        if moves.len() < 2 || total == 0 {
            return None;
        }
        let visits = |mv: &Move| {
            let found = report.moves.iter().find(|found| found.mv == *mv);
            found.map_or(0, |found| found.visits)
        };
        let visits: Vec<u64> = moves.iter().map(visits).collect();
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
            moves: moves.iter().map(|&mv| ends(mv)).collect(),
            target: shares(&visits),
        })
    }

    /// The sample as one line of text.
    pub fn write(&self, out: &mut String) {
        let site =
            |site: Option<u32>| site.map_or_else(|| "-".to_string(), |site| site.to_string());
        let last = self.last.map_or_else(
            || "none".to_string(),
            |last| format!("{},{}", site(last.from), site(last.to)),
        );
        let stones = |(&owner, &piece): (&u8, &u16)| format!("{owner}.{piece}");
        let stones: Vec<String> = self.owners.iter().zip(&self.pieces).map(stones).collect();
        let moves: Vec<String> = self
            .moves
            .iter()
            .zip(&self.target)
            .map(|(ends, share)| format!("{},{},{share}", site(ends.from), site(ends.to)))
            .collect();
        *out += &format!("{} {last} {} {}\n", self.player.0, stones.join(" "), moves.join(";"));
    }

    /// The sample that a line holds.
    pub fn read(line: &str) -> Option<Sample> {
        let site = |text: &str| match text {
            "-" => Some(None),
            number => number.parse().ok().map(Some),
        };
        let mut words = line.split(' ');
        let player = Player(words.next()?.parse().ok()?);
        let last = match words.next()? {
            "none" => None,
            ends => {
                let (from, to) = ends.split_once(',')?;
                Some(Ends { from: site(from)?, to: site(to)?, ..Ends::default() })
            }
        };
        let (mut owners, mut pieces) = (Vec::new(), Vec::new());
        let mut rest: Vec<&str> = words.collect();
        let moves_text = rest.pop()?;
        for stone in rest {
            let (owner, piece) = stone.split_once('.')?;
            owners.push(owner.parse().ok()?);
            pieces.push(piece.parse().ok()?);
        }
        let (mut moves, mut target) = (Vec::new(), Vec::new());
        for text in moves_text.split(';') {
            let mut parts = text.split(',');
            let (from, to) = (site(parts.next()?)?, site(parts.next()?)?);
            let share = parts.next()?.parse::<f32>().ok().filter(|share| share.is_finite())?;
            moves.push(Ends { from, to, ..Ends::default() });
            target.push(share);
        }
        Some(Sample { player, owners, pieces, last, moves, target })
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

/// The share of each move: visits by a power that brings out what the search preferred.
fn shares(visits: &[u64]) -> Vec<f32> {
    const POWER: f32 = 1.5;
    let powers: Vec<f32> = visits.iter().map(|&visits| (visits as f32).powf(POWER)).collect();
    let total: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / total).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut sample = Sample::made_up(Player(1), &[0, 1, 0, 2], |site| site as f32 + 1.0);
        sample.last = Some(Ends { from: None, to: Some(3), ..Ends::default() });
        sample.moves.iter_mut().for_each(|ends| ends.kind = ludex_game::MoveKind::Other);
        let mut line = String::new();
        sample.write(&mut line);
        assert_eq!(Sample::read(line.trim_end()), Some(sample));
        for broken in
            ["", "0", "0 none", "0 none 1.1 0,1", "x none 1.1 -,1,0.5", "0 none 1.1 -,1,nan"]
        {
            assert_eq!(Sample::read(broken), None, "{broken}");
        }
    }
}
