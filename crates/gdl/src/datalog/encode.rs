//! Terms as plain numbers, independent of any table of terms.
//!
//! A term is written in prefix order; each name is a word that also holds its number of
//! arguments. Equal terms have equal words, so lists of them can be sorted and hashed.

use ludex_lang::kif::{Name, Names};

use crate::terms::{TermId, Terms};

/// Bits of a word that hold the number of arguments.
const ARITY_BITS: u32 = 6;
const ARITY_MASK: u32 = (1 << ARITY_BITS) - 1;

/// A list of terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TermList {
    words: Vec<u32>,
    ends: Vec<u32>,
}

impl TermList {
    /// The terms in sorted order without repetition.
    pub fn sorted(terms: &Terms, ids: impl Iterator<Item = TermId>) -> TermList {
        let mut items: Vec<Vec<u32>> = ids
            .map(|id| {
                let mut words = Vec::new();
                write(terms, id, &mut words);
                words
            })
            .collect();
        items.sort_unstable();
        items.dedup();
        let mut list = TermList::default();
        for words in items {
            list.words.extend(words);
            list.ends.push(list.words.len() as u32);
        }
        list
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The words of one term.
    pub fn words(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.words[start..self.ends[at] as usize]
    }

    /// All words; a fingerprint of the whole list.
    pub fn all_words(&self) -> &[u32] {
        &self.words
    }

    /// The text of one term.
    pub fn text(&self, names: &Names, at: usize) -> String {
        let mut out = String::new();
        write_text(names, &mut self.words(at).iter(), &mut out);
        out
    }
}

fn write(terms: &Terms, id: TermId, out: &mut Vec<u32>) {
    let row = terms.row(id);
    out.push(row[0] << ARITY_BITS | (row.len() as u32 - 1).min(ARITY_MASK));
    for &arg in &row[1..] {
        write(terms, arg, out);
    }
}

/// Enters a term into a table.
pub fn read(terms: &mut Terms, words: &[u32]) -> TermId {
    read_next(terms, &mut words.iter())
}

fn read_next(terms: &mut Terms, words: &mut std::slice::Iter<u32>) -> TermId {
    let Some(&word) = words.next() else { return terms.intern(&[0]) };
    let mut row = vec![word >> ARITY_BITS];
    for _ in 0..word & ARITY_MASK {
        row.push(read_next(terms, words));
    }
    terms.intern(&row)
}

fn write_text(names: &Names, words: &mut std::slice::Iter<u32>, out: &mut String) {
    let Some(&word) = words.next() else { return };
    let name = names.text(Name(word >> ARITY_BITS));
    let arity = word & ARITY_MASK;
    if arity == 0 {
        out.push_str(name);
        return;
    }
    out.push('(');
    out.push_str(name);
    for _ in 0..arity {
        out.push(' ');
        write_text(names, words, out);
    }
    out.push(')');
}
