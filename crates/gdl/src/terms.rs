//! Ground terms and atoms, each stored once and known by a number.

use std::hash::Hasher;

use ludex_lang::kif::{Name, Names};
use rustc_hash::FxHasher;

/// A ground term (or ground atom: a relation applied to terms looks the same).
pub type TermId = u32;

const EMPTY: u32 = u32::MAX;

/// The table of ground terms. A term is a row: its name, then the numbers of its arguments.
#[derive(Clone, Debug)]
pub struct Terms {
    data: Vec<u32>,
    starts: Vec<u32>,
    slots: Vec<u32>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms { data: Vec::new(), starts: vec![0], slots: vec![EMPTY; 64] }
    }
}

impl Terms {
    /// The number of the term with this row, which is added if it is new.
    pub fn intern(&mut self, row: &[u32]) -> TermId {
        let slot = match self.find_slot(row) {
            Ok(id) => return id,
            Err(slot) => slot,
        };
        let id = self.len() as u32;
        self.slots[slot] = id;
        self.data.extend_from_slice(row);
        self.starts.push(self.data.len() as u32);
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        id
    }

    /// The number of a term, if it is known.
    pub fn find(&self, row: &[u32]) -> Option<TermId> {
        self.find_slot(row).ok()
    }

    /// The number of a constant.
    pub fn constant(&mut self, name: Name) -> TermId {
        self.intern(&[name.0])
    }

    /// Name and arguments of a term.
    #[inline]
    pub fn row(&self, id: TermId) -> &[u32] {
        let at = id as usize;
        &self.data[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, id: TermId) -> &[u32] {
        &self.row(id)[1..]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Forgets all terms but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        if count >= self.len() {
            return;
        }
        self.starts.truncate(count + 1);
        self.data.truncate(self.starts[count] as usize);
        self.rehash();
    }

    /// The text of a term, as the GGP protocol and the oracle write it.
    pub fn text(&self, names: &Names, id: TermId) -> String {
        let mut out = String::new();
        self.write(names, id, &mut out);
        out
    }

    fn write(&self, names: &Names, id: TermId, out: &mut String) {
        let row = self.row(id);
        let name = names.text(Name(row[0]));
        if row.len() == 1 {
            out.push_str(name);
            return;
        }
        out.push('(');
        out.push_str(name);
        for &arg in &row[1..] {
            out.push(' ');
            self.write(names, arg, out);
        }
        out.push(')');
    }

    fn find_slot(&self, row: &[u32]) -> Result<TermId, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(row) as usize & mask;
        loop {
            match self.slots[slot] {
                EMPTY => return Err(slot),
                id if self.row(id) == row => return Ok(id),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.slots.resize(self.slots.len() * 2, EMPTY);
        self.rehash();
    }

    fn rehash(&mut self) {
        self.slots.fill(EMPTY);
        let mask = self.slots.len() - 1;
        for id in 0..self.len() as u32 {
            let mut slot = hash(self.row(id)) as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = id;
        }
    }
}

fn hash(row: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in row {
        hasher.write_u32(word);
    }
    let hash = hasher.finish();
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_one_term() {
        let mut terms = Terms::default();
        let ids: Vec<u32> = (0..1000).map(|n| terms.intern(&[7, n])).collect();
        assert_eq!(terms.len(), 1000);
        assert!((0..1000).all(|n| terms.find(&[7, n]) == Some(ids[n as usize])));
        terms.truncate(10);
        assert_eq!((terms.find(&[7, 9]), terms.find(&[7, 10])), (Some(9), None));
    }
}
