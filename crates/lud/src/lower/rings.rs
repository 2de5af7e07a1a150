//! Regions of the equipment that are made of each other: one that comes back to itself has no sites
//! that could be found.

use super::{Lower, Lowered};
use crate::ir::visit::Part;
use crate::ir::{Int, Region};

impl Lower<'_> {
    /// No region of the equipment refers to itself, directly or through others.
    pub(super) fn regions_end(&self) -> Lowered<()> {
        let uses: Vec<Vec<usize>> = (0..self.regions.len()).map(|at| self.used_by(at)).collect();
        for start in 0..uses.len() {
            let (mut seen, mut open) = (vec![false; uses.len()], uses[start].clone());
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    open.extend(&uses[at]);
                }
            }
            if seen[start] {
                let message = "this region is made of itself";
                return self.wrong(self.region_places[start], message);
            }
        }
        Ok(())
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
