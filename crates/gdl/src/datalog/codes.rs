//! Codes of moves that cannot be listed beforehand.

use std::hash::Hasher;
use std::sync::{PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHasher};

use ludex_game::mix;

/// How many codes there are.
pub const CODES: u32 = 1 << 20;

/// How many of them are given away; the rest keeps searches for a free one short.
const MOST_GIVEN: usize = CODES as usize / 2;

/// Gives every move a code of its own when it is first seen: the one its terms hash to, or the next that is
/// free. So codes are nearly always the same from run to run and never shared in one. Only a game with more
/// than half a million different moves has moves that share.
#[derive(Debug, Default)]
pub struct Codes {
    given: RwLock<FxHashMap<u32, Box<[u32]>>>,
}

/// What is known of a move.
enum Place {
    Given(u32),
    Free(u32),
}

impl Codes {
    /// The code of a move, by the words of its term.
    pub fn code(&self, words: &[u32]) -> u32 {
        let first = (hash_words(words) % u64::from(CODES)) as u32;
        let read = self.given.read().unwrap_or_else(PoisonError::into_inner);
        let known = find(&read, first, words);
        let full = read.len() >= MOST_GIVEN;
        drop(read);
        match known {
            Place::Given(code) => code,
            Place::Free(_) if full => first,
            Place::Free(_) => {
                let mut write = self.given.write().unwrap_or_else(PoisonError::into_inner);
                // Somebody else may have been faster.
                match find(&write, first, words) {
                    Place::Given(code) => code,
                    Place::Free(code) => {
                        write.insert(code, words.into());
                        code
                    }
                }
            }
        }
    }
}

fn find(given: &FxHashMap<u32, Box<[u32]>>, first: u32, words: &[u32]) -> Place {
    let mut code = first;
    loop {
        match given.get(&code) {
            None => return Place::Free(code),
            Some(owner) if **owner == *words => return Place::Given(code),
            Some(_) => code = (code + 1) % CODES,
        }
    }
}

/// A number that hardly any other words have.
pub fn hash_words(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u32(word));
    mix(hasher.finish())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_moves_share_a_code() {
        let codes = Codes::default();
        // By hash alone some of so many would meet.
        let all: HashSet<u32> = (0..5000).map(|word| codes.code(&[word])).collect();
        assert_eq!(all.len(), 5000);
        assert!((0..5000).all(|word| codes.code(&[word]) < CODES));
        let hashed: HashSet<u64> =
            (0..5000).map(|word| hash_words(&[word]) % u64::from(CODES)).collect();
        assert!(hashed.len() < 5000);
    }

    #[test]
    fn a_move_keeps_its_code() {
        let codes = Codes::default();
        let first: Vec<u32> = (0..3000).map(|word| codes.code(&[word, 1])).collect();
        let again: Vec<u32> = (0..3000).map(|word| codes.code(&[word, 1])).collect();
        assert_eq!(first, again);
    }
}
