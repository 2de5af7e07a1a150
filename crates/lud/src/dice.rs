//! Throws of dice, by number: every combination of faces is one, each as likely as any other.

use super::game::{Compiled, ContainerKind};
use super::show;
use super::sites::Numbers;
use ludex_game::{Move, Rng};

/// Throws are read back among so many at most.
const MOST_THROWS: u64 = 1 << 20;

/// More throws than these are not listed.
const MOST_LISTED: u64 = 1296;

impl Compiled {
    /// The faces of every throw of the dice; none where throws are too many to list.
    pub fn throws(&self) -> Vec<Numbers> {
        let dice = Dice::of(self).filter(|dice| !dice.is_empty() && dice.throws() <= MOST_LISTED);
        dice.map_or(Vec::new(), |dice| (0..dice.throws()).map(|n| dice.faces(Move(n))).collect())
    }
}

/// The dice of a game.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    /// Number of faces of every die, in order of their sites.
    faces: Vec<u64>,
}

impl Dice {
    /// The dice of a game; nothing where there are more than can be counted.
    pub fn of(game: &Compiled) -> Option<Self> {
        let sites = |c: &super::game::Container| match c.kind {
            ContainerKind::Dice(_) => c.count,
            _ => 0,
        };
        let count: i32 = game.containers.iter().map(sites).sum();
        let dice = game.components.iter().filter(|c| !c.faces.is_empty());
        let faces: Vec<u64> = dice.take(count as usize).map(|c| c.faces.len() as u64).collect();
        let countable = faces.iter().try_fold(1u64, |all, &faces| all.checked_mul(faces));
        countable.map(|_| Dice { faces })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// How many throws there are.
    pub fn throws(&self) -> u64 {
        self.faces.iter().product()
    }

    /// The faces of a throw.
    pub fn faces(&self, throw: Move) -> Numbers {
        let mut rest = throw.0;
        self.faces
            .iter()
            .map(|&faces| {
                let face = (rest % faces) as i32;
                rest /= faces;
                face
            })
            .collect()
    }

    /// The throw that shows these faces.
    pub fn showing(&self, faces: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator) -> u64 {
        self.faces.iter().zip(faces).rev().fold(0, |all, (&of, face)| all * of + face % of)
    }

    /// A random throw.
    pub fn sample(&self, rng: &mut Rng) -> Move {
        let mut outcome = 0;
        for &faces in self.faces.iter().rev() {
            outcome = outcome * faces + u64::from(rng.below(faces as u32));
        }
        Move(outcome)
    }

    /// A throw as text.
    pub fn text(&self, game: &Compiled, throw: Move) -> String {
        format!("dice {}", show::dice(game, &self.faces(throw)).join(" "))
    }

    /// The throw with a text.
    pub fn parse(&self, game: &Compiled, text: &str) -> Option<Move> {
        let mut throws = (0..self.throws().min(MOST_THROWS)).map(Move);
        throws.find(|&throw| self.text(game, throw) == text)
    }

    /// Adds all throws with their probabilities, unless they are too many.
    pub fn list(&self, out: &mut Vec<(Move, f64)>) -> bool {
        let count = self.throws();
        if count > MOST_LISTED {
            return false;
        }
        out.extend((0..count).map(|throw| (Move(throw), 1.0 / count as f64)));
        true
    }
}
