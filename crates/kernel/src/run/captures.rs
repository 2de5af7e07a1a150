//! Captures by position.

use super::Kernel;
use super::board::Board;
use super::effects::{Change, Changes};
use super::eval::Binds;
use crate::code::{Custodial, Run, Surround, Together, Var};
use ludex_game::bits::Bits;

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn find_custodial(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        custodial: &Custodial,
        out: &mut Changes,
    ) {
        let removed = custodial.together == Some(Together::Removed);
        self.each_caught(b, v, custodial, |site| match removed {
            true if b.what(site) != 0 => out.push(Change::Remove(site)),
            true => {}
            false => self.find_at(b, v, site, &custodial.effect, out),
        });
    }

    /// Calls `each` with every site caught, in the order of the rays.
    pub(super) fn each_caught(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        custodial: &Custodial,
        mut each: impl FnMut(i32),
    ) {
        let from = self.num(b, v, &custodial.from);
        let Some(rays) = self.rays[custodial.rays].from(from) else {
            return;
        };
        let target = self.set(b, v, &custodial.target);
        let friend = self.set(b, v, &custodial.friend);
        for sites in rays {
            let caught = caught_on(sites, custodial, target, friend);
            sites[..caught].iter().for_each(|&site| each(i32::from(site)));
        }
    }

    /// Does the same to all that is caught.
    pub(super) fn catch(
        &self,
        b: &mut Board<W, S>,
        v: &Binds,
        custodial: &Custodial,
        together: &Together,
    ) {
        let from = self.num(b, v, &custodial.from);
        let target = self.set(b, v, &custodial.target);
        let friend = self.set(b, v, &custodial.friend);
        let rays = &self.rays[custodial.rays];
        let caught = match custodial.max {
            1 => rays.caught_single(from, target, friend),
            _ => rays.caught(from, target, friend),
        };
        match together {
            Together::Removed => caught.iter().for_each(|site| self.take(b, site as i32)),
            Together::Flipped => {
                for site in caught.iter().map(|site| site as i32) {
                    if let Some(state) = self.flipped(b, site) {
                        self.set_state(b, site, state);
                    }
                }
            }
            Together::Converted(of, into) => {
                let caught = caught & self.set(b, v, of);
                self.convert(b, caught, into);
            }
        }
    }

    /// The first site caught on the rays of a site, in the order the rules have them.
    pub(super) fn first_caught(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        custodial: &Custodial,
    ) -> Option<i32> {
        let from = self.num(b, v, &custodial.from);
        let rays = self.code.rays[custodial.rays].get(from as u32 as usize)?;
        let target = self.set(b, v, &custodial.target);
        let friend = self.set(b, v, &custodial.friend);
        let ray = rays.iter().find(|ray| caught_on(&ray.sites, custodial, target, friend) > 0)?;
        ray.sites.first().map(|&site| i32::from(site))
    }

    /// Finds out what happens in a row.
    pub(super) fn find_run(&self, b: &Board<W, S>, v: &Binds, run: &Run, out: &mut Changes) {
        let (from, way) = (self.num(b, v, &run.from), self.num(b, v, &run.way));
        let Some(&rays) = run.rays.get(way as u32 as usize) else {
            return;
        };
        let target = self.set(b, v, &run.target);
        for sites in self.rays[rays].from(from).unwrap_or_default() {
            for &site in sites.iter().take_while(|&&site| target.contains(site as usize)) {
                self.find(b, &v.with(Var::To, i32::from(site)), &run.effect, out);
            }
        }
    }

    pub(super) fn find_surround(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        surround: &Surround,
        out: &mut Changes,
    ) {
        let from = self.num(b, v, &surround.from);
        let table = &self.rays[surround.rays];
        let Some(rays) = table.from(from) else {
            return;
        };
        let target = self.set(b, v, &surround.target);
        let friend = self.set(b, v, &surround.friend);
        let with = surround.with.as_ref().map(|with| self.set(b, v, with));
        for sites in rays {
            let Some(&site) = sites.first() else {
                continue;
            };
            if !target.contains(site as usize) {
                continue;
            }
            let (mut open, mut with_found) = (0, false);
            for around in table.from(i32::from(site)).unwrap_or_default() {
                let Some(&next) = around.first() else {
                    continue;
                };
                if i32::from(next) != from && !friend.contains(next as usize) {
                    open += 1;
                }
                with_found |= with.is_none_or(|with| with.contains(next as usize));
                if open > surround.except {
                    break;
                }
            }
            if open <= surround.except && with_found {
                self.find_at(b, v, i32::from(site), &surround.effect, out);
            }
        }
    }
}

/// How many sites of a ray are caught, from its start.
fn caught_on<const W: usize>(
    sites: &[u16],
    custodial: &Custodial,
    target: Bits<W>,
    friend: Bits<W>,
) -> usize {
    let (min, max) = (custodial.min, custodial.max);
    if max < 1 || (max > 1 && min > max) || (max == 1 && min >= 2) {
        return 0;
    }
    let fits = |&&site: &&u16| target.contains(site as usize);
    let caught = sites.iter().take_while(fits).count().min(max as usize);
    let short = max > 1 && min > caught as i32;
    match sites.get(caught) {
        Some(&beyond) if !short && friend.contains(beyond as usize) => caught,
        _ => 0,
    }
}
