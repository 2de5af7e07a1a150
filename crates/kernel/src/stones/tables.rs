//! Lines and neighbours of a board, as referees want them.

use super::build::{Asked, Work};
use super::chains::{ChainTable, MAX_NEAR, Wanted as Touching};
use super::lines::{LineTable, MAX_LENGTH, Wanted as Lined};
use super::plan::{MAX_FACTS, Verdict, Verdicts};
use crate::Built;
use ludex_lud::ir::{Connected, Directions, Int, Line, Loop, Through};
use ludex_lud::topo::{Dir, Radial};

/// Lines longer than this do not fit into a word.
const LONGEST: usize = 32 - MAX_LENGTH;

impl Work<'_> {
    /// The lines that rules ask for.
    pub(super) fn lines(&mut self) -> Built<LineTable> {
        let mut dir = None;
        let mut wanted: Vec<Lined> = Vec::new();
        for (at, asked) in self.asked.clone().iter().enumerate() {
            let Asked::Line(line) = asked else { continue };
            if dir.is_some_and(|dir| dir != line.dir) {
                return self.refuse("lines in different directions");
            }
            dir = Some(line.dir);
            for mover in 1..=2 {
                self.turn_to(mover);
                let spec = self.line(line, 1 << (at + 1))?;
                if !wanted.contains(&spec) {
                    wanted.push(spec);
                }
            }
            if wanted.iter().filter(|w| w.fact == 1 << (at + 1)).count() > 1 {
                return self.refuse("lines that differ by player");
            }
        }
        let Some(dir) = dir else {
            let through = vec![Vec::new(); self.places()];
            return Ok(LineTable { count: 0, through, wanted });
        };
        let shortest = wanted.iter().map(|w| w.length).min().unwrap_or(1);
        let flat = self.board_lines(dir)?;
        let all = match self.columns {
            Some((columns, height)) => upright_lines(&flat, columns, height),
            None => flat,
        };
        self.line_table(all.into_iter().filter(|l| l.len() >= shortest).collect(), wanted)
    }

    fn places(&self) -> usize {
        let board = self.builder.game.board_sites();
        self.columns.map_or(board, |(columns, height)| columns * height)
    }

    fn line(&mut self, line: &Line, fact: usize) -> Built<Lined> {
        self.builder.same_kind(line.kind)?;
        let b = &mut self.builder;
        let length = b.fixed_int(&line.length);
        let (exact, both) = (b.fixed_bool(&line.exact), b.fixed_bool(&line.opposites));
        let plain = b.fixed_bool(&line.contiguous) == Some(true)
            && b.fixed_bool(&line.cond) == Some(true)
            && both == Some(true)
            && !line.visible
            && line.kinds.is_none()
            && matches!(line.through, Through::One(Int::LastTo { after: false }));
        let levels = b.fixed_bool(&line.by_level);
        let upright = match self.columns {
            Some(_) => levels == Some(true) && exact == Some(false),
            None => true,
        };
        let own = self.is_of_mover(line);
        match (length, exact) {
            (Some(length @ 2..), Some(exact)) if plain && own && upright => {
                let length = length as usize;
                match length <= MAX_LENGTH {
                    true => Ok(Lined { length, exact, fact }),
                    false => self.refuse("very long lines"),
                }
            }
            _ => self.refuse("lines of a kind of their own"),
        }
    }

    /// Whether a line is made of the stones of whoever placed the last.
    fn is_of_mover(&mut self, line: &Line) -> bool {
        let mover = self.builder.mover;
        let piece = i32::from(self.pieces[mover as usize - 1]);
        match (&line.what, &line.who) {
            (None, None) => true,
            (Some(whats), _) => {
                whats.iter().all(|what| self.builder.fixed_int(what) == Some(piece))
                    && !whats.is_empty()
            }
            (None, Some(who)) => self.builder.fixed_int(who) == Some(mover),
        }
    }

    /// All lines of the board, each once.
    fn board_lines(&self, dir: Dir) -> Built<Vec<Vec<u16>>> {
        let plane = self.builder.game.topo.plane(self.builder.game.topo.default);
        let mut lines: Vec<(Vec<u16>, usize)> = Vec::new();
        for site in 0..plane.count as i32 {
            for radial in plane.lines(site, dir) {
                let opposite = |&at: &u16| &plane.radials[site as usize][at as usize];
                let back: Vec<&Radial> = radial.opposites.iter().map(opposite).collect();
                if back.len() > 1 {
                    return self.refuse("lines that part");
                }
                let behind = back.first().map_or(&[][..], |back| &back.sites[1..]);
                let line = behind.iter().rev().chain(&radial.sites);
                let mut line: Vec<u16> = line.map(|&site| site as u16).collect();
                if line.first() > line.last() {
                    line.reverse();
                }
                match lines.iter_mut().find(|(known, _)| *known == line) {
                    Some((_, seen)) => *seen += 1,
                    None => lines.push((line, 1)),
                }
            }
        }
        // A line must be the same one from wherever it is looked at.
        match lines.iter().all(|(line, seen)| line.len() == *seen) {
            true => Ok(lines.into_iter().map(|(line, _)| line).collect()),
            false => self.refuse("lines that depend on where they are seen from"),
        }
    }

    fn line_table(&self, lines: Vec<Vec<u16>>, wanted: Vec<Lined>) -> Built<LineTable> {
        let mut through = vec![Vec::new(); self.places()];
        for (number, line) in lines.iter().enumerate() {
            if line.len() > LONGEST {
                return self.refuse("a board too wide for its lines");
            }
            for (place, &site) in line.iter().enumerate() {
                if line[..place].contains(&site) {
                    return self.refuse("lines that meet themselves");
                }
                through[site as usize].push((number as u16, place as u8));
            }
        }
        // Two lines through a site that share more than it would be one line seen in two ways.
        let share = |a: &[u16], b: &[u16]| a.iter().filter(|site| b.contains(site)).count() > 1;
        let crossing = |lines_here: &Vec<(u16, u8)>| {
            lines_here.iter().enumerate().any(|(n, a)| {
                let (a, rest) = (&lines[a.0 as usize], &lines_here[n + 1..]);
                rest.iter().any(|b| share(a, &lines[b.0 as usize]))
            })
        };
        if through.iter().any(|here| here.len() > 4 || crossing(here)) {
            return self.refuse("lines that cross in ways of their own");
        }
        Ok(LineTable { count: lines.len(), through, wanted })
    }

    /// The chains that rules ask for.
    pub(super) fn chains(&mut self, ends: &Verdicts, bare: bool) -> Built<Option<ChainTable>> {
        let asked = self.asked.clone();
        if !asked.iter().any(|a| !matches!(a, Asked::Line(_))) {
            return Ok(None);
        }
        let mut table = ChainTable::default();
        let mut near: Option<Vec<Vec<u16>>> = None;
        for (at, asked) in asked.iter().enumerate() {
            let fact = 1 << (at + 1);
            let dirs = match asked {
                Asked::Line(_) => return self.refuse("both lines and chains"),
                Asked::Connected(wanted) => {
                    self.touching(wanted, fact, &mut table)?;
                    &wanted.dirs
                }
                Asked::Loop(wanted) => {
                    self.looping(wanted, fact, ends, bare)?;
                    table.ring = Some((fact, self.builder.game.outer.clone()));
                    &wanted.dirs
                }
            };
            let own = self.near(dirs)?;
            if near.as_ref().is_some_and(|near| *near != own) {
                return self.refuse("chains of different kinds");
            }
            near = Some(own);
        }
        self.arrange(&near.unwrap_or_default(), &mut table)?;
        Ok(Some(table))
    }

    /// The neighbours of every site.
    fn near(&mut self, dirs: &Directions) -> Built<Vec<Vec<u16>>> {
        let b = &mut self.builder;
        let Directions::Absolute(dirs) = dirs else {
            return self.refuse("directions that change");
        };
        let plane = b.game.topo.plane(b.game.topo.default);
        let near = |site: i32| {
            let steps = dirs.iter().flat_map(|&dir| plane.steps(site, dir));
            let mut near: Vec<u16> = steps.map(|&to| to as u16).collect();
            near.sort_unstable();
            near.dedup();
            near
        };
        Ok((0..plane.count as i32).map(near).collect())
    }

    fn touching(&mut self, wanted: &Connected, fact: usize, table: &mut ChainTable) -> Built<()> {
        self.builder.same_kind(wanted.kind)?;
        if !matches!(wanted.at, Int::LastTo { after: false }) {
            return self.refuse("chains from elsewhere");
        }
        let sites = self.builder.game.board_sites();
        for mover in 1..=2 {
            self.turn_to(mover);
            let Some(sets) = self.builder.fixed_regions(&wanted.regions) else {
                return self.refuse("regions that change");
            };
            let needed = match &wanted.number {
                Some(number) => self.builder.fixed_int(number),
                None => Some(sets.len() as i32),
            };
            let used: u32 =
                table.wanted[mover as usize - 1].iter().map(|w| w.mask).sum::<u16>().count_ones();
            let (Some(needed), true) = (needed, used as usize + sets.len() <= 16) else {
                return self.refuse("too many regions");
            };
            // Regions of a board of cells may be said in vertices, of which there are more.
            if sets.iter().any(|set| set.iter().any(|site| site as usize >= sites)) {
                return self.refuse("regions of sites of another kind");
            }
            let regions = &mut table.regions[mover as usize - 1];
            regions.resize(sites, 0);
            for (n, set) in sets.iter().enumerate() {
                for site in set.iter() {
                    regions[site as usize] |= 1 << (used as usize + n);
                }
            }
            let mask = ((1u32 << sets.len()) - 1) << used;
            let needed = needed.max(1) as u32;
            table.wanted[mover as usize - 1].push(Touching { mask: mask as u16, needed, fact });
        }
        Ok(())
    }

    fn looping(&mut self, wanted: &Loop, fact: usize, ends: &Verdicts, bare: bool) -> Built<()> {
        self.builder.same_kind(wanted.kind)?;
        let plain = wanted.surround.is_empty()
            && wanted.colour.is_none()
            && wanted.starts.is_none()
            && !wanted.path;
        let ended = (0..1 << MAX_FACTS).filter(|facts| facts & fact != 0);
        // A ring that ended nothing would be met again by stones that do not close it.
        let decisive =
            ended.into_iter().all(|facts| ends.iter().all(|e| e[facts] != Verdict::Open));
        match plain && decisive && bare {
            true => Ok(()),
            false => self.refuse("rings of a kind of their own"),
        }
    }

    /// Gives every neighbour a slot: on boards of hexagons by direction, so that neighbouring slots touch.
    fn arrange(&mut self, near: &[Vec<u16>], table: &mut ChainTable) -> Built<()> {
        let sites = near.len();
        for regions in &mut table.regions {
            regions.resize(sites, 0);
        }
        if let Some(slots) = self.hexagonal(near) {
            (table.near, table.slots) = (slots, 6);
            return Ok(());
        }
        let most = near.iter().map(Vec::len).max().unwrap_or(0);
        if table.ring.is_some() || most > MAX_NEAR {
            return self.refuse("chains on a board of its own kind");
        }
        table.slots = most;
        table.near =
            near.iter().map(|near| std::array::from_fn(|slot| near.get(slot).copied())).collect();
        Ok(())
    }

    /// Six directions a site, if that is how all neighbours lie.
    fn hexagonal(&self, near: &[Vec<u16>]) -> Option<Vec<[Option<u16>; MAX_NEAR]>> {
        let plane = self.builder.game.topo.plane(self.builder.game.topo.default);
        let angle = |from: usize, to: u16| {
            let ([x, y, _], [u, v, _]) = (plane.position[from], plane.position[to as usize]);
            (v - y).atan2(u - x).to_degrees()
        };
        let (first, to) = near.iter().enumerate().find_map(|(s, n)| Some((s, *n.first()?)))?;
        let base = angle(first, to);
        let mut out = Vec::new();
        for (site, near) in near.iter().enumerate() {
            let mut slots = [None; MAX_NEAR];
            for &to in near {
                let turns = (angle(site, to) - base).rem_euclid(360.0) / 60.0;
                if (turns - turns.round()).abs() > 0.1 {
                    return None;
                }
                let slot = &mut slots[turns.round() as usize % 6];
                if slot.replace(to).is_some() {
                    return None;
                }
            }
            out.push(slots);
        }
        // Neighbours in neighbouring slots must be neighbours, and inside the board none may be missing.
        let touches = |a: u16, b: u16| near[a as usize].contains(&b);
        let closed = |slots: &[Option<u16>; MAX_NEAR]| {
            (0..6).all(|n| match (slots[n], slots[(n + 1) % 6]) {
                (Some(a), Some(b)) => touches(a, b),
                _ => true,
            })
        };
        let outer = &self.builder.game.outer;
        let whole = |(site, slots): (usize, &[Option<u16>; MAX_NEAR])| {
            outer.contains(site as i32) || slots[..6].iter().all(Option::is_some)
        };
        (out.iter().all(closed) && out.iter().enumerate().all(whole)).then_some(out)
    }
}

/// Lines over the levels of columns: upright, level, rising and falling.
fn upright_lines(flat: &[Vec<u16>], columns: usize, height: usize) -> Vec<Vec<u16>> {
    let place = |column: u16, level: usize| (level * columns) as u16 + column;
    let mut out: Vec<Vec<u16>> = (0..columns as u16)
        .map(|column| (0..height).map(|level| place(column, level)).collect())
        .collect();
    for line in flat {
        for level in 0..height {
            out.push(line.iter().map(|&column| place(column, level)).collect());
        }
        let span = (line.len() + height) as i32;
        for start in -span..span {
            for slope in [1, -1] {
                let at = |(n, &column): (usize, &u16)| {
                    let level = start + slope * n as i32;
                    (0..height as i32).contains(&level).then(|| place(column, level as usize))
                };
                let diagonal: Vec<u16> = line.iter().enumerate().filter_map(at).collect();
                if diagonal.len() > 1 {
                    out.push(diagonal);
                }
            }
        }
    }
    out
}
