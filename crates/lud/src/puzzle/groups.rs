//! A number of groups that must not be exceeded: which sites can no longer belong to one, and which must, because
//! what is there already hangs together through nothing else.

use super::rules::{Cut, Domain};

/// Sites that are not nought form at most so many groups.
pub(super) struct Grouping {
    /// The neighbours of all sites, one site's after another's.
    near: Vec<u32>,
    /// Where the neighbours of each site begin, and the end.
    begins: Vec<u32>,
    most: usize,
}

/// A walk through all sites that may hang together, depth first.
struct Walk<'a> {
    grouping: &'a Grouping,
    cut: &'a Cut,
    nought: Domain,
    /// By site, when it was reached, counted from one.
    reached: Vec<u32>,
    /// By site, the earliest that it or what was reached through it is next to.
    earliest: Vec<u32>,
    count: u32,
    /// The sites on the way, with the neighbour to look at next and whether a site that is not nought was reached
    /// through it.
    way: Vec<(u32, u32, bool)>,
    /// Sites that may be nought and join sites that are not.
    joints: Vec<i32>,
}

impl Grouping {
    pub(super) fn new(near: &[Vec<i32>], most: usize) -> Self {
        let mut begins = vec![0];
        let mut all = Vec::new();
        for sites in near {
            all.extend(sites.iter().map(|&site| site as u32));
            begins.push(all.len() as u32);
        }
        Grouping { near: all, begins, most }
    }

    pub(super) fn sites(&self) -> usize {
        self.begins.len() - 1
    }

    /// `nought` is the bit of the value that belongs to no group, if sites can have it.
    pub(super) fn propagate(&self, nought: Domain, cut: &mut Cut) -> bool {
        let mut walk = Walk {
            grouping: self,
            cut,
            nought,
            reached: vec![0; self.sites()],
            earliest: vec![0; self.sites()],
            count: 0,
            way: Vec::new(),
            joints: Vec::new(),
        };
        let mut groups = 0;
        for site in 0..self.sites() {
            if walk.reached[site] == 0 && walk.is_filled(site) {
                groups += 1;
                if groups > self.most {
                    return false;
                }
                walk.from(site);
            }
        }
        // While fewer groups are there than may be, any site may begin another.
        if groups == self.most {
            let Walk { reached, joints, .. } = walk;
            joints.iter().for_each(|&site| cut.keep(site, !nought));
            for (site, _) in reached.iter().enumerate().filter(|(_, at)| **at == 0) {
                cut.keep(site as i32, nought);
            }
        }
        true
    }
}

impl Walk<'_> {
    fn is_filled(&self, site: usize) -> bool {
        self.cut.of(site as i32) & self.nought == 0
    }

    fn reach(&mut self, site: u32) {
        self.count += 1;
        self.reached[site as usize] = self.count;
        self.earliest[site as usize] = self.count;
        self.way.push((site, self.grouping.begins[site as usize], self.is_filled(site as usize)));
    }

    /// Walks from a site that is not nought.
    fn from(&mut self, start: usize) {
        self.reach(start as u32);
        while let Some((site, next, filled)) = self.way.last_mut() {
            let at = *site as usize;
            if *next < self.grouping.begins[at + 1] {
                let other = self.grouping.near[*next as usize];
                *next += 1;
                match self.reached[other as usize] {
                    0 if self.cut.of(other as i32) == self.nought => {}
                    0 => self.reach(other),
                    when => self.earliest[at] = self.earliest[at].min(when),
                }
                continue;
            }
            let (site, filled) = (*site as i32, *filled);
            self.way.pop();
            let Some((before, _, through)) = self.way.last_mut() else { continue };
            let before = *before as usize;
            *through |= filled;
            self.earliest[before] = self.earliest[before].min(self.earliest[site as usize]);
            let parts = filled && self.earliest[site as usize] >= self.reached[before];
            if parts && !self.is_filled(before) {
                self.joints.push(before as i32);
            }
        }
    }
}
