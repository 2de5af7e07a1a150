//! Angles between sites.

use crate::ctx::Ctx;
use crate::ir::{Angle, Bool, Wide};
use crate::topo::SiteType;

impl Ctx<'_> {
    /// Whether two sites for which the conditions hold lie at an angle. As in the reference it is not measured at the
    /// site that is named, which only stands aside, but between straight down and the way from the site with the lower
    /// number to the other: the other lies lower, as high, or higher.
    pub(super) fn has_angle(&mut self, angle: &Angle) -> bool {
        let at = self.int(&angle.at);
        if !(0..self.plane(angle.kind).count as i32).contains(&at) {
            return false;
        }
        let first = self.sites_with(angle.kind, &angle.first);
        let second = self.sites_with(angle.kind, &angle.second);
        let plane = self.plane(angle.kind);
        let fits = |a: i32, b: i32| {
            let [a, b] = [a, b].map(|site| plane.position[site as usize]);
            let degrees = (b[0] - a[0]).atan2(a[1] - b[1]).to_degrees().abs();
            match angle.wide {
                Wide::Acute => degrees < 90.0,
                Wide::Right => degrees == 90.0,
                Wide::Obtuse => degrees > 90.0,
                Wide::Reflex => degrees > 180.0,
            }
        };
        let aside = |site: &&i32| **site != at;
        first.iter().filter(aside).any(|&a| {
            let others = second.iter().filter(aside).filter(|&&b| b > a);
            others.into_iter().any(|&b| fits(a, b))
        })
    }

    /// The sites of a kind for which a condition holds, in order.
    fn sites_with(&mut self, kind: SiteType, cond: &Bool) -> Vec<i32> {
        let saved = self.v.site;
        let mut out = Vec::new();
        for site in 0..self.plane(kind).count as i32 {
            self.v.site = site;
            if self.bool(cond) {
                out.push(site);
            }
        }
        self.v.site = saved;
        out
    }
}
