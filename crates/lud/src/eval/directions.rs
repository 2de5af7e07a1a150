//! Directions at a site.

use crate::ctx::Ctx;
use crate::ir::{Directions, RelativeDir};
use crate::topo::{Dir, Dirs, SiteType, turned};

impl Ctx<'_> {
    /// The absolute directions meant at a site.
    pub fn dirs(&mut self, dirs: &Directions, kind: SiteType, site: i32) -> Dirs {
        self.dirs_facing(dirs, kind, site, None)
    }

    /// The same for a piece that faces a given way.
    pub fn dirs_facing(
        &mut self,
        dirs: &Directions,
        kind: SiteType,
        site: i32,
        facing: Option<Dir>,
    ) -> Dirs {
        self.dirs_turned(dirs, kind, site, facing, None)
    }

    /// The same for a piece that is turned so far as well.
    pub fn dirs_turned(
        &mut self,
        dirs: &Directions,
        kind: SiteType,
        site: i32,
        facing: Option<Dir>,
        rotation: Option<i32>,
    ) -> Dirs {
        match dirs {
            Directions::Absolute(dirs) => Dirs::from_slice(dirs),
            Directions::Relative { dirs, relation, by_site, known } => {
                let plane = self.plane(kind);
                let supported: &[Dir] = match (by_site, plane.supported_at.get(site as usize)) {
                    (true, Some(at)) => &at[*relation as usize],
                    _ => plane.supported(*relation),
                };
                let facing = self.facing_at(kind, site, facing, rotation, supported);
                let fixed = |dir: &RelativeDir| matches!(dir, RelativeDir::Turned(_));
                if !by_site && dirs.iter().all(fixed) {
                    let known = known[kind as usize].get(|| all_facings(dirs, supported));
                    return Dirs::from_slice(&known[facing.0 as usize]);
                }
                let mut out = Dirs::new();
                for dir in dirs {
                    out.extend(self.relative(*dir, kind, facing, supported));
                }
                out
            }
            Directions::FromTo(kind, from, to) => {
                let (from, to) = (self.int(from), self.int(to));
                self.dirs_between(*kind, from, to, false)
            }
            Directions::If(cond, yes, no) => {
                let chosen = if self.bool(cond) { yes } else { no };
                self.dirs_turned(chosen, kind, site, facing, rotation)
            }
            Directions::Union(a, b) => {
                let mut out = self.dirs_turned(a, kind, site, facing, rotation);
                out = self.single_dirs(kind, site, out);
                let more = self.dirs_turned(b, kind, site, facing, rotation);
                for dir in self.single_dirs(kind, site, more) {
                    if !out.contains(&dir) {
                        out.push(dir);
                    }
                }
                out
            }
            Directions::Random(of, count) => {
                let count = self.int(count).max(0) as usize;
                let of = self.dirs_turned(of, kind, site, facing, rotation);
                let mut all = Dirs::new();
                for &dir in of.iter().rev() {
                    let single = self.single_dirs(kind, site, Dirs::from_slice(&[dir]));
                    let group = single.as_slice() != [dir];
                    all.extend(single.into_iter().filter(|one| !group || !of.contains(one)));
                }
                self.some_of(&all, count)
            }
            Directions::Difference(a, b) => {
                let without = self.dirs_turned(b, kind, site, facing, rotation);
                let without = self.single_dirs(kind, site, without);
                let out = self.dirs_turned(a, kind, site, facing, rotation);
                let mut out = self.single_dirs(kind, site, out);
                out.retain(|dir| !without.contains(dir));
                out
            }
        }
    }

    /// So many different directions, drawn one by one.
    fn some_of(&mut self, all: &Dirs, count: usize) -> Dirs {
        let mut out = Dirs::new();
        let mut tries = 0;
        while out.len() < count.min(all.len()) && tries < 100_000 {
            tries += 1;
            let dir = all[self.chance.below(all.len() as i32) as usize];
            if !out.contains(&dir) {
                out.push(dir);
            }
        }
        out
    }

    /// Groups of neighbours as the directions a site has in them.
    fn single_dirs(&self, kind: SiteType, site: i32, dirs: Dirs) -> Dirs {
        let groups = [Dir::ORTHOGONAL, Dir::DIAGONAL, Dir::OFF_DIAGONAL, Dir::ADJACENT, Dir::ALL];
        let at = self.plane(kind).supported_at.get(site.max(0) as usize);
        let mut out = Dirs::new();
        for dir in dirs {
            match (groups.iter().position(|&group| group == dir), at) {
                (Some(relation), Some(at)) => {
                    for &single in &at[relation] {
                        if !out.contains(&single) {
                            out.push(single);
                        }
                    }
                }
                _ => out.push(dir),
            }
        }
        out
    }

    fn facing_at(
        &self,
        kind: SiteType,
        site: i32,
        given: Option<Dir>,
        rotation: Option<i32>,
        supported: &[Dir],
    ) -> Dir {
        let piece = self.piece(Some(kind), site);
        let own = self.g.components[piece.what as usize].facing;
        let mut facing = given.or(own).unwrap_or(Dir::N);
        for _ in 0..rotation.unwrap_or(i32::from(piece.rotation)).max(0) {
            match turned(RelativeDir::Turned("FR"), facing, supported).first() {
                Some(&next) => facing = next,
                None => break,
            }
        }
        facing
    }

    fn relative(&self, dir: RelativeDir, kind: SiteType, facing: Dir, supported: &[Dir]) -> Dirs {
        let (from, to) = (self.s.last.from, self.s.last.to);
        match dir {
            RelativeDir::Turned(_) => turned(dir, facing, supported),
            RelativeDir::Same => self.first_dir(kind, from, to, supported),
            RelativeDir::Opposite => self.first_dir(kind, to, from, supported),
        }
    }

    fn first_dir(&self, kind: SiteType, from: i32, to: i32, supported: &[Dir]) -> Dirs {
        if from < 0 || to < 0 {
            return Dirs::new();
        }
        let plane = self.plane(kind);
        let reaches = |dir: &&Dir| plane.radials(from, **dir).any(|r| r.sites[1..].contains(&to));
        supported.iter().find(reaches).copied().into_iter().collect()
    }

    /// Directions in which one site sees another: all, or only the last found.
    pub fn dirs_between(&self, kind: SiteType, from: i32, to: i32, last: bool) -> Dirs {
        let plane = self.plane(kind);
        let count = plane.count as i32;
        if !(0..count).contains(&from) || !(0..count).contains(&to) {
            return Dirs::new();
        }
        let reaches = |dir: &&Dir| plane.radials(from, **dir).any(|r| r.sites[1..].contains(&to));
        let all = plane.supported(crate::ir::Relation::All);
        let mut found: Dirs = all.iter().filter(reaches).copied().collect();
        if last && found.len() > 1 {
            found.drain(..found.len() - 1);
        }
        found
    }
}

/// What directions seen from a piece are, for every way it may face.
fn all_facings(dirs: &[RelativeDir], supported: &[Dir]) -> Vec<Dirs> {
    let seen = |facing: Dir| dirs.iter().flat_map(|&dir| turned(dir, facing, supported)).collect();
    (0..Dir::COUNT as u8).map(|facing| seen(Dir(facing))).collect()
}
