//! Captures by position.

use super::Kernel;
use super::board::Board;
use super::effects::Changes;
use super::eval::Binds;
use crate::lud::kernel::code::{Custodial, Surround};

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn find_custodial(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        custodial: &Custodial,
        out: &mut Changes,
    ) {
        let from = self.num(b, v, &custodial.from);
        let Some(rays) = self.rays[custodial.rays].from(from) else {
            return;
        };
        let target = self.set(b, v, &custodial.target);
        let friend = self.set(b, v, &custodial.friend);
        let (min, max) = (custodial.min, custodial.max);
        if max < 1 || (max > 1 && min > max) || (max == 1 && min >= 2) {
            return;
        }
        for sites in rays {
            let fits = |&&site: &&u16| target.contains(site as usize);
            let caught = sites.iter().take_while(fits).count().min(max as usize);
            let short = max > 1 && min > caught as i32;
            let Some(&beyond) = sites.get(caught) else {
                continue;
            };
            if caught == 0 || short || !friend.contains(beyond as usize) {
                continue;
            }
            for &site in &sites[..caught] {
                self.find_at(b, v, i32::from(site), &custodial.effect, out);
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
