//! What stands where: the pieces of all sites of one kind.

use super::sites::SiteSet;

/// What stands on a site, or at a level of a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Component index; 0: none.
    pub what: u16,
    /// How many.
    pub count: u16,
    /// Local state.
    pub state: i16,
    /// Rotation.
    pub rotation: i16,
    /// Value.
    pub value: i32,
}

impl std::hash::Hash for Piece {
    /// In one word rather than field by field.
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.word());
    }
}

impl Piece {
    /// All of it in a word. What differs most stands lowest: hashers that multiply carry differences
    /// upwards only, so that those in high bits would be lost.
    #[inline]
    fn word(self) -> u64 {
        let words = [self.rotation as u16, self.state as u16, self.count, self.what];
        let packed = words.iter().fold(0, |all, &word| all << 16 | u64::from(word));
        packed ^ (self.value as u32 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// What it adds to the key of the layer it stands in.
    #[inline]
    fn key(self, site: usize) -> u64 {
        ludex_game::mix(self.word() ^ (site as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }
}

/// All sites of one kind.
#[derive(Debug, Default)]
pub struct Layer {
    /// One piece per site (games without stacks).
    flat: Vec<Piece>,
    /// The keys of all these pieces together, beyond those of empty sites.
    key: u64,
    /// The pieces of every site, bottom first (games with stacks).
    pub stacks: Vec<Vec<Piece>>,
    /// Sites with nothing on them.
    pub empty: SiteSet,
    /// Sites may hold several of a piece: a site is empty when their number is none.
    pub counted: bool,
    /// State, rotation and value that a piece taken from inside a stack left behind above it, by
    /// site and level: the next piece put there without its own takes them over.
    pub left: Vec<Left>,
}

/// What a piece left behind above a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Left {
    site: i32,
    level: u32,
    state: i16,
    rotation: i16,
    value: i32,
}

impl Clone for Layer {
    fn clone(&self) -> Self {
        let mut new = Layer::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, other: &Self) {
        let Layer { flat, key, stacks, empty, counted, left } = other;
        self.flat.clone_from(flat);
        self.key = *key;
        self.stacks.clone_from(stacks);
        self.empty.clone_from(empty);
        self.counted = *counted;
        self.left.clone_from(left);
    }
}

impl Layer {
    /// So many sites without pieces, for stacks or not.
    pub fn empty(count: usize, stacks: bool, counted: bool) -> Self {
        Layer {
            flat: if stacks { Vec::new() } else { vec![Piece::default(); count] },
            key: 0,
            stacks: if stacks { vec![Vec::new(); count] } else { Vec::new() },
            empty: SiteSet::first(count),
            counted,
            left: Vec::new(),
        }
    }

    /// One piece per site (games without stacks).
    #[inline]
    pub fn flat(&self) -> &[Piece] {
        &self.flat
    }

    /// A number that tells positions of these pieces apart. Without stacks it is at hand.
    pub fn key(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        if self.stacks.is_empty() {
            return self.key;
        }
        let mut hasher = rustc_hash::FxHasher::default();
        self.stacks.hash(&mut hasher);
        self.left.hash(&mut hasher);
        hasher.finish()
    }

    /// Changes what stands on a site of a layer without stacks, whether or not that makes it empty.
    pub fn set(&mut self, site: i32, change: impl FnOnce(&mut Piece)) {
        if let Some(piece) = self.flat.get_mut(site as usize) {
            let before = piece.key(site as usize);
            change(piece);
            self.key = self.key.wrapping_add(piece.key(site as usize)).wrapping_sub(before);
        }
    }

    /// The top piece of a site, or nothing.
    #[inline]
    pub fn top(&self, site: i32) -> Piece {
        let site = site as usize;
        match self.flat.get(site) {
            Some(&piece) => piece,
            None => {
                self.stacks.get(site).and_then(|stack| stack.last()).copied().unwrap_or_default()
            }
        }
    }

    /// The piece at a level of a site.
    #[inline]
    pub fn at(&self, site: i32, level: i32) -> Piece {
        if let Some(&piece) = self.flat.get(site as usize) {
            return piece;
        }
        let stack = self.stacks.get(site as usize);
        stack.and_then(|stack| stack.get(usize::try_from(level).ok()?)).copied().unwrap_or_default()
    }

    /// How many levels a site has.
    #[inline]
    pub fn height(&self, site: i32) -> i32 {
        match self.flat.get(site as usize) {
            Some(piece) => i32::from(piece.what != 0),
            None => self.stacks.get(site as usize).map_or(0, |s| s.len() as i32),
        }
    }

    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.flat.len().max(self.stacks.len())
    }

    /// Whether there are no sites of this kind.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes the top piece of a site.
    pub fn update(&mut self, site: i32, change: impl FnOnce(&mut Piece)) {
        let at = site as usize;
        if at < self.flat.len() {
            self.set(site, change);
            let piece = self.flat[at];
            let none = if self.counted { piece.count == 0 } else { piece.what == 0 };
            if none {
                self.empty.insert(site);
            } else {
                self.empty.remove(site);
            }
        } else if let Some(piece) = self.stacks.get_mut(at).and_then(|stack| stack.last_mut()) {
            change(piece);
        }
    }

    /// Takes away the top piece of a stack, or all of a flat site.
    pub fn remove_top(&mut self, site: i32) -> Piece {
        let at = site as usize;
        if let Some(&old) = self.flat.get(at) {
            self.set(site, |piece| *piece = Piece::default());
            self.empty.insert(site);
            return old;
        }
        let Some(stack) = self.stacks.get_mut(at) else {
            return Piece::default();
        };
        let old = stack.pop().unwrap_or_default();
        if stack.is_empty() {
            self.empty.insert(site);
        }
        old
    }

    /// Takes away the piece at a level.
    pub fn remove_level(&mut self, site: i32, level: i32) -> Piece {
        let Some(stack) = self.stacks.get_mut(site as usize) else {
            return self.remove_top(site);
        };
        let level = level as usize;
        // Beyond the top nothing is found, yet the top is lost.
        if level >= stack.len() {
            stack.pop();
            if stack.is_empty() {
                self.empty.insert(site);
            }
            return Piece::default();
        }
        let top = stack[stack.len() - 1];
        let old = stack.remove(level);
        if stack.is_empty() {
            self.empty.insert(site);
        }
        if (top.state, top.rotation, top.value) != (0, 0, 0) {
            let (state, rotation, value) = (top.state, top.rotation, top.value);
            let level = stack.len() as u32;
            self.left.push(Left { site, level, state, rotation, value });
            self.left.sort_unstable_by_key(|left| (left.site, left.level));
        }
        old
    }

    /// Puts a piece on top of a stack.
    pub fn push(&mut self, site: i32, piece: Piece) {
        if let Some(stack) = self.stacks.get_mut(site as usize) {
            let level = stack.len() as u32;
            stack.push(piece);
            self.empty.remove(site);
            self.left.retain(|left| left.site != site || left.level != level);
        }
    }

    /// Puts a piece on top of a stack that has no state, rotation and value of its own.
    pub fn push_plain(&mut self, site: i32, what: u16) {
        let mut piece = Piece { what, count: 1, ..Piece::default() };
        let level = self.stacks.get(site as usize).map_or(0, Vec::len) as u32;
        if let Some(left) = self.left.iter().find(|l| l.site == site && l.level == level) {
            (piece.state, piece.rotation, piece.value) = (left.state, left.rotation, left.value);
        }
        self.push(site, piece);
    }

    /// Takes away a whole stack.
    pub fn remove_stack(&mut self, site: i32) -> Vec<Piece> {
        let Some(stack) = self.stacks.get_mut(site as usize) else {
            return Vec::new();
        };
        let pieces = std::mem::take(stack);
        self.empty.insert(site);
        self.left.retain(|left| left.site != site);
        pieces
    }

    /// Puts a piece into a stack at a level.
    pub fn insert(&mut self, site: i32, level: i32, piece: Piece) {
        if let Some(stack) = self.stacks.get_mut(site as usize) {
            let level = (level.max(0) as usize).min(stack.len());
            stack.insert(level, piece);
            self.empty.remove(site);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Rng;

    #[test]
    fn the_key_of_a_layer_is_that_of_what_stands_there() {
        let mut rng = Rng::seeded(1);
        let mut layer = Layer::empty(20, false, true);
        for _ in 0..500 {
            let site = rng.below(20) as i32;
            let piece = Piece {
                what: rng.below(3) as u16,
                count: rng.below(3) as u16,
                state: rng.below(2) as i16,
                rotation: rng.below(2) as i16,
                value: rng.below(2) as i32,
            };
            match rng.below(3) {
                0 => drop(layer.remove_top(site)),
                1 => layer.update(site, |slot| *slot = piece),
                _ => layer.set(site, |slot| slot.count = piece.count),
            }
            let mut other = Layer::empty(20, false, true);
            for (site, piece) in layer.flat().iter().enumerate() {
                other.update(site as i32, |slot| *slot = *piece);
            }
            assert_eq!(layer.key(), other.key());
        }
        let before = layer.key();
        layer.update(4, |slot| slot.value += 1);
        assert_ne!(layer.key(), before);
    }
}
