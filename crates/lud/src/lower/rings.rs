//! Regions of the equipment that are made of each other, and pieces that move as each other do: what
//! comes back to itself has no sites or moves that could be found.

use super::{Lower, Lowered};
use crate::ir::visit::Part;
use crate::ir::{Int, MovesKind, Region};

impl Lower<'_> {
    /// No region of the equipment refers to itself, directly or through others.
    pub(super) fn regions_end(&self) -> Lowered<()> {
        let uses: Vec<Vec<usize>> = (0..self.regions.len()).map(|at| self.used_by(at)).collect();
        match in_a_ring(&uses) {
            Some(at) => self.wrong(self.region_places[at], "this region is made of itself"),
            None => Ok(()),
        }
    }

    /// No piece moves as it moves itself: `(forEach Piece)` among the moves of a piece asks for those of others.
    pub(super) fn pieces_end(&self) -> Lowered<()> {
        let uses: Vec<Vec<usize>> =
            (0..self.components.len()).map(|at| self.moves_as(at)).collect();
        match in_a_ring(&uses) {
            Some(at) => {
                self.wrong(self.piece_places[at], "the moves of this piece are made of themselves")
            }
            None => Ok(()),
        }
    }

    /// The pieces whose own moves are among those of one piece, or among what follows them.
    fn moves_as(&self, at: usize) -> Vec<usize> {
        let mut used = Vec::new();
        let mut open: Vec<_> = self.components[at].moves.iter().collect();
        let mut followed = vec![false; self.consequences.len()];
        while let Some(moves) = open.pop() {
            Part::Moves(moves).any(&mut |part| {
                let Part::Moves(moves) = part else {
                    return false;
                };
                let mut with = None;
                match &moves.kind {
                    MovesKind::ForEachPiece(each) if each.moves.is_none() => {
                        let pieces = self.components.iter().enumerate();
                        used.extend(pieces.filter(|(_, c)| each.means(&c.name)).map(|(at, _)| at));
                    }
                    MovesKind::Add(add) => with = add.with,
                    _ => {}
                }
                for number in moves.then.into_iter().chain(with) {
                    if !std::mem::replace(&mut followed[number as usize], true) {
                        open.push(&self.consequences[number as usize]);
                    }
                }
                false
            });
        }
        used
    }

    /// The regions that one is made of, as far as they are found by name or owner.
    fn used_by(&self, at: usize) -> Vec<usize> {
        let mut used = Vec::new();
        let mut note = |is: &dyn Fn(&crate::game::EquipmentRegion) -> bool| {
            used.extend(self.regions.iter().enumerate().filter(|(_, r)| is(r)).map(|(at, _)| at));
        };
        for part in &self.regions[at].parts {
            Part::Region(part).any(&mut |part| {
                match part {
                    Part::Region(Region::Called(name)) => note(&|region| region.name == *name),
                    Part::Region(Region::Owned(player, name, _)) => match **player {
                        Int::Const(player) => {
                            note(&|region| region.is_meant(player, name.as_deref()))
                        }
                        // Whose they are shows in play: any player's may be meant.
                        _ => note(&|region| region.is_meant(region.owner, name.as_deref())),
                    },
                    _ => {}
                }
                false
            });
        }
        used
    }
}

/// Something that is reached from itself by what each uses.
fn in_a_ring(uses: &[Vec<usize>]) -> Option<usize> {
    (0..uses.len()).find(|&start| {
        let (mut seen, mut open) = (vec![false; uses.len()], uses[start].clone());
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(&uses[at]);
            }
        }
        seen[start]
    })
}
