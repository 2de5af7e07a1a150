//! Inputs that are broken in random ways: words doubled, taken out, moved and put in, and now and then a byte.

use ludex_game::Rng;

/// Choices, by a generator or by the bytes of an input.
pub trait Choices {
    /// A number below a bound, which is not zero.
    fn below(&mut self, bound: u32) -> u32;
}

impl Choices for Rng {
    fn below(&mut self, bound: u32) -> u32 {
        Rng::below(self, bound)
    }
}

/// Choices by the bytes of an input; the first of everything where they are used up.
pub struct Bytes<'a>(pub &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        let wanted = if bound <= 256 { 1 } else { 4 };
        let (now, rest) = self.0.split_at(self.0.len().min(wanted));
        self.0 = rest;
        now.iter().fold(0, |number: u32, &byte| number << 8 | u32::from(byte)) % bound
    }
}

/// One of several.
pub fn pick<'a, T>(choices: &mut dyn Choices, all: &'a [T]) -> &'a T {
    &all[choices.below(all.len() as u32) as usize]
}

/// One of some texts, broken; `words` may be put in.
pub fn mutant(choices: &mut dyn Choices, corpus: &[String], words: &[&str]) -> Vec<u8> {
    let text = pick(choices, corpus);
    let ends = [' ', '(', ')', '{', '}', '\n', ',', '"', ':'];
    let mut pieces: Vec<&str> = text.split_inclusive(ends).collect();
    for _ in 0..1 + choices.below(6) {
        if pieces.is_empty() {
            break;
        }
        let (at, other) = (place(choices, &pieces), place(choices, &pieces));
        match choices.below(5) {
            0 if !words.is_empty() => {
                let word: &str = pick::<&str>(choices, words);
                pieces.insert(at, word);
            }
            0 | 1 => drop(pieces.remove(at)),
            2 => pieces.swap(at, other),
            3 => pieces[at] = pieces[other],
            _ => {
                let from = at.min(other);
                let some: Vec<&str> = pieces[from..at.max(other).min(from + 40)].to_vec();
                pieces.splice(at..at, some);
            }
        }
    }
    let mut bytes = pieces.concat().into_bytes();
    if choices.below(4) == 0 && !bytes.is_empty() {
        let at = choices.below(bytes.len() as u32) as usize;
        bytes[at] = choices.below(256) as u8;
    }
    bytes
}

fn place(choices: &mut dyn Choices, pieces: &[&str]) -> usize {
    choices.below(pieces.len() as u32) as usize
}
