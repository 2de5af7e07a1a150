//! Threats: whether an enemy could move onto a site.

use super::Kernel;
use super::attacks::Attack;
use super::board::Board;
use super::eval::Binds;
use super::families::Operands;
use crate::code::{Node, Shape, Threat};
use ludex_game::bits::Bits;
use ludex_lud::topo::SiteType;

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn is_threatened(&self, b: &Board<W, S>, v: &Binds, threat: &Threat) -> bool {
        let what = self.num(b, v, &threat.what);
        if what < 1 {
            return false;
        }
        let what = what as u8;
        let owner = self.code.owners[what as usize];
        let enemies: &[u8] = match owner {
            1 => &[2],
            2 => &[1],
            _ => &[1, 2],
        };
        self.set(b, v, &threat.at).iter().any(|site| {
            // The piece is put there only on boards of cells.
            let put = b.what(site as i32) != what && self.game.topo.default != SiteType::Vertex;
            enemies.iter().any(|&enemy| {
                let phase = b.phases[enemy as usize - 1] as usize;
                // The moves that threaten the first player's pieces are the second player's.
                let (number, side) = (threat.by, 2 - enemy as usize);
                match &self.attacks[number][side][phase] {
                    Attack::Tests { tests, taking, deep: false } if !put => {
                        let empty = b.what(site as i32) == 0;
                        let tests = &tests[..if empty { tests.len() } else { *taking }];
                        self.hits(b, tests, enemy, site)
                    }
                    attack => {
                        let mut look = *b;
                        (look.mover, look.prev) = (enemy, owner);
                        if put {
                            self.take(&mut look, site as i32);
                            self.put(&mut look, site as i32, what);
                        }
                        match attack {
                            Attack::Tests { tests, .. } => self.hits(&look, tests, enemy, site),
                            Attack::Node => {
                                let moves = &self.code.threats[number][side][phase];
                                self.reaches(&look, moves, site)
                            }
                        }
                    }
                }
            })
        })
    }

    /// Whether a family that is not one set has a move that ends on a site: only starts that could reach
    /// it at all are looked at.
    fn other_reaches(
        &self,
        b: &Board<W, S>,
        leaf: usize,
        at: u16,
        operands: &Operands<W>,
        site: usize,
    ) -> bool {
        let family = &self.code.leaves[leaf].families[at as usize];
        let (from, to) = (operands[family.from as usize], operands[family.to as usize]);
        let starts = match &family.shape {
            Shape::Pass => return false,
            Shape::Spot => return to.contains(site),
            Shape::Slide { rays, .. } => from & self.rays[*rays].through(site),
            Shape::Hop(hop) => from & self.rays[hop.rays].through(site),
            _ => from,
        };
        let outside = !to.contains(site) && !matches!(family.shape, Shape::Hop(_));
        !outside
            && starts.iter().any(|origin| {
                let ends = self.ends_from(b, &family.shape, origin as i32, operands, to);
                ends.contains(site)
            })
    }

    /// Whether some move of a node ends on a site.
    fn reaches(&self, b: &Board<W, S>, node: &Node, site: usize) -> bool {
        let v = Binds::default();
        let end = Bits::one(site);
        self.active(b, &v, node).iter().any(|leaf| {
            let operands = self.operands(b, &v, leaf);
            let parts = &self.leaves[leaf];
            parts.shifts.iter().any(|family| !(family.set(&operands) & end).is_empty())
                || parts.jumps.iter().any(|family| !(family.set(&operands) & end).is_empty())
                || parts.others.iter().any(|&at| self.other_reaches(b, leaf, at, &operands, site))
        })
    }
}
