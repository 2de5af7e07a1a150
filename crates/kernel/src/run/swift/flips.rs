//! Lines that are closed in: where a piece would close some, and what it turns.

use super::Views;
use crate::code::Ray;
use crate::run::eval::moved;
use ludex_game::bits::Bits;

/// As often as runs are doubled at most: they are then sixteen sites long.
pub(super) const MOST_ROUNDS: u32 = 4;

/// Sites from which a run of one view along a line ends at a member of another.
#[derive(Debug)]
pub(super) struct Flank<const W: usize> {
    /// For every direction the difference to the next site and the sites it may lead to.
    pub steps: Box<[(i32, Bits<W>)]>,
    pub target: u8,
    pub friend: u8,
    /// How often a run is doubled until it is as long as any.
    pub rounds: u32,
}

impl<const W: usize> Flank<W> {
    #[inline(always)]
    pub(super) fn sites(&self, views: &Views<W>) -> Bits<W> {
        let target = views[self.target as usize % views.len()];
        let friend = views[self.friend as usize % views.len()];
        match self.rounds {
            3 => self.doubled::<3>(target, friend),
            2 => self.doubled::<2>(target, friend),
            _ => self.doubled::<MOST_ROUNDS>(target, friend),
        }
    }

    /// The same by runs whose length doubles so often.
    #[inline(always)]
    fn doubled<const ROUNDS: u32>(&self, target: Bits<W>, friend: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        let mut at = 0;
        while at < self.steps.len() {
            let (by, ends) = self.steps[at];
            let mut open = target & ends;
            let mut run = moved(friend, by) & open;
            let mut round = 0;
            while round < ROUNDS {
                run |= moved(run, by << round) & open;
                if round + 1 < ROUNDS {
                    open &= moved(open, by << round);
                }
                round += 1;
            }
            out |= moved(run, by) & ends;
            at += 1;
        }
        out
    }
}

/// As many rays as a site has with rising numbers, and as many with falling ones.
const WAYS: usize = 4;

/// The rays of every site: those whose numbers rise, then those that fall; empty where there are fewer.
#[derive(Debug)]
pub(super) struct Caught<const W: usize> {
    rays: Box<[[Bits<W>; 2 * WAYS]]>,
}

impl<const W: usize> Caught<W> {
    /// Nothing where a site has more rays, or one that goes to and fro or comes back.
    pub(super) fn of(table: &[Vec<Ray>]) -> Option<Self> {
        let rays = table.iter().enumerate().map(|(site, rays)| of_site(site, rays));
        let rays = rays.collect::<Option<_>>()?;
        // One word is enough for the trick with the lowest and the highest member.
        (W == 1).then_some(Caught { rays })
    }

    /// What stands between a site and a friend.
    #[inline(always)]
    pub(super) fn sites(&self, at: usize, target: Bits<W>, friend: Bits<W>) -> Bits<W> {
        let rays = &self.rays[at];
        let (target, friend) = (target.0[0], friend.0[0]);
        let (mut out, mut way) = (0, 0);
        while way < WAYS {
            let mask = rays[way].0[0];
            let halt = mask & !target;
            let hit = halt & halt.wrapping_neg();
            let before = mask & hit.wrapping_sub(1);
            out |= before & u64::from(hit & friend != 0).wrapping_neg();
            way += 1;
        }
        while way < 2 * WAYS {
            let mask = rays[way].0[0];
            let halt = mask & !target;
            // With nothing to halt at, site 0 is looked at, which is then no friend.
            let shut = u64::MAX >> (halt | 1).leading_zeros();
            let hit = (shut ^ (shut >> 1)) & halt;
            out |= mask & !shut & u64::from(hit & friend != 0).wrapping_neg();
            way += 1;
        }
        Bits([out; W])
    }
}

fn of_site<const W: usize>(site: usize, rays: &[Ray]) -> Option<[Bits<W>; 2 * WAYS]> {
    let mut out = [Bits::EMPTY; 2 * WAYS];
    let mut count = [0; 2];
    for ray in rays.iter().filter(|ray| !ray.sites.is_empty()) {
        let sites = &ray.sites;
        let falls = (sites[0] as usize) < site;
        let straight = if falls { sites.is_sorted_by(|a, b| a > b) } else { sites.is_sorted() };
        let number = &mut count[usize::from(falls)];
        if !straight || ray.near > 0 || *number == WAYS || sites.contains(&(site as u16)) {
            return None;
        }
        let mask = sites.iter().fold(Bits::EMPTY, |all, &site| all | Bits::one(site as usize));
        out[usize::from(falls) * WAYS + *number] = mask;
        *number += 1;
    }
    Some(out)
}
