//! Scores at the end: stones, what was taken, territory.

use super::board::EMPTY;
use super::plan::{Ending, Quantity};
use super::position::Position;
use super::rules::Liberties;

impl<const C: usize, const D: usize> Liberties<C, D> {
    /// Who wins by scores.
    pub(super) fn by_scores(&self, p: &mut Position<C>) -> Ending {
        let Some(scoring) = &self.plan.scoring else { return Ending::Drawn };
        let territory = match self.plan.borders.is_empty() {
            true => [0; 2],
            false => self.territory(p),
        };
        for (player, terms) in &scoring.scores {
            let worth = |quantity: &Quantity| match *quantity {
                Quantity::Unit => 1,
                Quantity::Score(player) => p.scores[player & 1],
                Quantity::Stones(player) => i32::from(p.board.stones[player & 1]),
                Quantity::Territory(player) => territory[player & 1],
            };
            p.scores[player & 1] = terms.iter().map(|(many, of)| many * worth(of)).sum();
        }
        let [first, second] = p.scores;
        match (first == second, (first > second) != scoring.misere) {
            (true, _) => Ending::Drawn,
            (false, true) => Ending::First,
            (false, false) => Ending::Second,
        }
    }

    /// How many empty sites lie in parts of the board that only one player's stones border.
    fn territory(&self, p: &Position<C>) -> [i32; 2] {
        let colour = &p.board.colour;
        let mut seen = [false; C];
        let mut part = [0u16; C];
        let mut total = [0; 2];
        for start in 0..self.ground.sites {
            if colour[start] != EMPTY || seen[start] {
                continue;
            }
            seen[start] = true;
            part[0] = start as u16;
            let (mut done, mut found) = (0, 1);
            let mut bordered = [false; 2];
            while done < found {
                for &near in &self.plan.borders[part[done] as usize] {
                    let near = near as usize;
                    if colour[near] != EMPTY {
                        bordered[colour[near] as usize & 1] = true;
                    } else if !seen[near] {
                        seen[near] = true;
                        part[found] = near as u16;
                        found += 1;
                    }
                }
                done += 1;
            }
            for player in 0..2 {
                total[player] += if bordered[1 - player] { 0 } else { found as i32 };
            }
        }
        total
    }
}
