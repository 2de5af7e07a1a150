//! What the number of groups would be if one site were set to another value, for all sites by one walk over the board:
//! which sites hold groups together, and what falls apart without them.

use super::Values;

/// The groups of a position.
pub(super) struct Joints {
    /// How many there are.
    groups: i32,
    /// By site, what is known of it; nothing where the site is nought.
    joints: Vec<Option<Joint>>,
    /// By site, the part of the board in which it can be reached from others.
    parts: Vec<usize>,
    /// By part, how many of its sites are set and not nought.
    set: Vec<i32>,
}

/// What would be left of the part that a site belongs to if the site were nought.
#[derive(Clone, Copy, Default)]
struct Joint {
    /// Sites in its part that are set and not nought, with itself.
    own: i32,
    /// The pieces that hang on it alone and have such sites.
    pieces: i32,
    /// How many such sites those have together.
    apart: i32,
}

/// Before a site was reached, and where there is none.
const NONE: usize = usize::MAX;

/// A walk through all sites of a part, depth first.
struct Walk<'a> {
    near: &'a [Vec<i32>],
    /// By site, when it was reached.
    reached: Vec<usize>,
    /// By site, the earliest that it or what was reached through it is next to.
    earliest: Vec<usize>,
    /// By site, how many sites reached through it are set and not nought, with itself.
    below: Vec<i32>,
    count: usize,
}

impl Joints {
    /// Neighbours are so of each other.
    pub(super) fn new(near: &[Vec<i32>], values: &impl Values) -> Self {
        let sites = near.len();
        let state: Vec<Option<i32>> = (0..sites as i32).map(values).collect();
        let mut walk = Walk {
            near,
            reached: vec![NONE; sites],
            earliest: vec![NONE; sites],
            below: vec![0; sites],
            count: 0,
        };
        let own = |site: usize| i32::from(state[site].is_some_and(|value| value != 0));
        let mut joints: Vec<Option<Joint>> = (0..sites)
            .map(|site| {
                (state[site] != Some(0)).then(|| Joint { own: own(site), ..Joint::default() })
            })
            .collect();
        let (mut parts, mut set) = (vec![NONE; sites], Vec::new());
        for start in 0..sites {
            if joints[start].is_some() && walk.reached[start] == NONE {
                walk.part(start, set.len(), &mut joints, &mut parts);
                set.push(walk.below[start]);
            }
        }
        let groups = set.iter().filter(|&&set| set > 0).count() as i32;
        Joints { groups, joints, parts, set }
    }

    /// How many groups there would be if a site were set to a value.
    pub(super) fn after(&self, near: &[Vec<i32>], site: i32, value: i32) -> i32 {
        let at = site as usize;
        let full = |part: usize| self.set[part] > 0;
        match self.joints[at] {
            // What is nought already belongs to none.
            None if value == 0 => self.groups,
            None => {
                let mut joined: Vec<usize> =
                    near[at].iter().map(|&n| self.parts[n as usize]).collect();
                joined.retain(|&part| part != NONE && full(part));
                joined.sort_unstable();
                joined.dedup();
                self.groups + 1 - joined.len() as i32
            }
            Some(_) if value != 0 => self.groups + i32::from(!full(self.parts[at])),
            Some(joint) => {
                let all = self.set[self.parts[at]];
                let rest = all - joint.own - joint.apart;
                self.groups - i32::from(all > 0) + joint.pieces + i32::from(rest > 0)
            }
        }
    }
}

impl Walk<'_> {
    fn part(
        &mut self,
        start: usize,
        part: usize,
        joints: &mut [Option<Joint>],
        parts: &mut [usize],
    ) {
        // The sites on the way, each with the neighbour to look at next.
        let mut way = vec![(start, 0)];
        self.reach(start, part, joints, parts);
        while let Some((site, next)) = way.last_mut() {
            let site = *site;
            let Some(&other) = self.near[site].get(*next) else {
                way.pop();
                if let Some(&(before, _)) = way.last() {
                    self.leave(site, before, joints);
                }
                continue;
            };
            *next += 1;
            let other = other as usize;
            match self.reached[other] {
                _ if joints[other].is_none() => {}
                NONE => {
                    self.reach(other, part, joints, parts);
                    way.push((other, 0));
                }
                when => self.earliest[site] = self.earliest[site].min(when),
            }
        }
    }

    fn reach(&mut self, site: usize, part: usize, joints: &[Option<Joint>], parts: &mut [usize]) {
        self.reached[site] = self.count;
        self.earliest[site] = self.count;
        self.below[site] = joints[site].map_or(0, |joint| joint.own);
        parts[site] = part;
        self.count += 1;
    }

    /// Goes back from a site to the one before it, on which it hangs alone if nothing leads around that.
    fn leave(&mut self, site: usize, before: usize, joints: &mut [Option<Joint>]) {
        let (earliest, below) = (self.earliest[site], self.below[site]);
        self.earliest[before] = self.earliest[before].min(earliest);
        self.below[before] += below;
        if earliest >= self.reached[before]
            && let Some(joint) = &mut joints[before]
        {
            joint.pieces += i32::from(below > 0);
            joint.apart += below;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::count_groups;

    /// Numbers that repeat.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % n
        }
    }

    #[test]
    fn what_would_be_is_what_is_afterwards() {
        let mut random = Random(20_261_119);
        for _ in 0..400 {
            let sites = 1 + random.below(14) as usize;
            let mut near = vec![Vec::new(); sites];
            for _ in 0..random.below(2 * sites as u64 + 1) {
                let (a, b) = (random.below(sites as u64), random.below(sites as u64));
                if a != b && !near[a as usize].contains(&(b as i32)) {
                    near[a as usize].push(b as i32);
                    near[b as usize].push(a as i32);
                }
            }
            let mut state: Vec<Option<i32>> =
                (0..sites).map(|_| Some(random.below(4) as i32).filter(|&n| n < 3)).collect();
            let joints = Joints::new(&near, &|site| state[site as usize]);
            for site in 0..sites {
                for value in 0..3 {
                    let before = state[site].replace(value);
                    let found = count_groups(&near, &|site| state[site as usize]);
                    assert_eq!(
                        joints.after(&near, site as i32, value),
                        found,
                        "{near:?} {state:?}"
                    );
                    state[site] = before;
                }
            }
        }
    }
}
