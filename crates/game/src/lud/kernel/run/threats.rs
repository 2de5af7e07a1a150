//! Threats: whether an enemy could move onto a site.

use super::Kernel;
use super::board::Board;
use super::eval::Binds;
use crate::bits::Bits;
use crate::lud::kernel::code::{Node, Threat};
use crate::lud::topo::SiteType;

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
            let mut look = *b;
            if put {
                self.take(&mut look, site as i32);
                self.put(&mut look, site as i32, what);
            }
            enemies.iter().any(|&enemy| {
                look.mover = enemy;
                look.prev = owner;
                let phase = look.phases[enemy as usize - 1] as usize;
                // The moves that threaten the first player's pieces are the second player's.
                let moves = &threat.by[2 - enemy as usize][phase];
                self.reaches(&look, moves, site)
            })
        })
    }

    /// Whether some move of a node ends on a site.
    fn reaches(&self, b: &Board<W, S>, node: &Node, site: usize) -> bool {
        let v = Binds::default();
        let end = Bits::one(site);
        self.active(b, &v, node).iter().any(|leaf| {
            let operands = self.operands(b, &v, leaf);
            self.bundles(b, leaf, &operands, |bundle| {
                !(bundle.ends & end).is_empty() && !self.is_pass(leaf, bundle.family)
            })
        })
    }
}
