//! Tracks: the ways pieces go around a board.

use super::{BoardError, Direction, Relation, SiteType, Topology};

/// Marks the end of a track, beyond the last site.
pub const END: i32 = -2;

/// One place of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackStep {
    /// The site, or [`END`].
    pub site: i32,
    /// Place that comes before, if any.
    pub previous: Option<usize>,
    /// Place that comes after, if any.
    pub next: Option<usize>,
    /// How many times the site is repeated: a bend of the track outside the board.
    pub bump: usize,
}

/// A named way around the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// The player it belongs to, 0 for everybody.
    pub owner: usize,
    /// Whether the end leads to the beginning.
    pub looped: bool,
    /// Whether it can be followed forwards only.
    pub directed: bool,
    /// Its places in order.
    pub steps: Vec<TrackStep>,
}

impl Track {
    /// A track through the given sites; a site repeated at once is a bump.
    pub fn new(name: &str, sites: &[i32], owner: usize, looped: bool, directed: bool) -> Self {
        let mut places: Vec<(i32, usize)> = Vec::new();
        for &site in sites {
            match places.last_mut() {
                Some((last, bump)) if *last == site => *bump += 1,
                _ => places.push((site, 0)),
            }
        }
        let last = places.len().saturating_sub(1);
        let steps = places
            .iter()
            .enumerate()
            .map(|(n, &(site, bump))| {
                let wrap = |at: usize| looped.then_some(at);
                let previous = match n {
                    0 => wrap(last),
                    _ if directed && n != last => None,
                    _ => Some(n - 1),
                };
                let next = if n == last { wrap(0) } else { Some(n + 1) };
                TrackStep { site, previous, next, bump }
            })
            .collect();
        Track { name: name.to_string(), owner, looped, directed, steps }
    }

    /// A track described by a first site and then sites and directions: `0,E,N1,W` starts at 0,
    /// goes east as far as it can, one step north, and west as far as it can. `End` ends it
    /// outside the board.
    pub fn parse(
        board: &Topology,
        kind: SiteType,
        name: &str,
        text: &str,
        owner: usize,
        looped: bool,
        directed: bool,
    ) -> Result<Self, BoardError> {
        let sites = walk(board, kind, text)
            .map_err(|message| BoardError::Track { track: name.to_string(), message })?;
        Ok(Track::new(name, &sites, owner, looped, directed))
    }

    /// The sites in order.
    pub fn sites(&self) -> impl Iterator<Item = i32> {
        self.steps.iter().map(|s| s.site)
    }

    /// First place of a site on the track.
    pub fn place_of(&self, site: i32) -> Option<usize> {
        self.steps.iter().position(|s| s.site == site)
    }

    /// Whether the track comes back to a site it passed (and has no bumps).
    pub fn has_internal_loop(&self) -> bool {
        let bumps = self.steps.iter().any(|s| s.bump > 0);
        let again = |n: usize| self.place_of(self.steps[n].site) != Some(n);
        !bumps && (0..self.steps.len()).any(again)
    }
}

fn walk(board: &Topology, kind: SiteType, text: &str) -> Result<Vec<i32>, String> {
    let sites = board.sites(kind);
    let mut track: Vec<i32> = Vec::new();
    let mut here: Option<usize> = None;
    for (n, step) in text.trim_end_matches(',').split(',').enumerate() {
        let digits = step.bytes().all(|b| b.is_ascii_digit());
        if digits && !step.is_empty() {
            let site: i32 = step.parse().map_err(|_| format!("{step} is no site"))?;
            here = Some(site as usize).filter(|&s| s < sites.len());
            track.push(site);
        } else if n == 0 {
            return Err("must start with the number of a site".to_string());
        } else if step == "End" {
            track.push(END);
        } else {
            let (direction, length) = heading(step)?;
            let Some(start) = here else {
                return Err(format!("the step {step} does not start on the board"));
            };
            if !sites.supported(Relation::All).contains(&direction) {
                return Err(format!("this board has no direction {}", direction.name()));
            }
            let radials = sites.radials();
            for &radial in radials.from_site(start, direction) {
                for &to in radials.sites(radial).iter().skip(1).take(length) {
                    track.push(to as i32);
                    here = Some(to as usize);
                }
            }
        }
    }
    Ok(track)
}

/// `E` or `N1`: a direction and how far to go at most.
fn heading(step: &str) -> Result<(Direction, usize), String> {
    let digits = step.find(|c: char| c.is_ascii_digit()).unwrap_or(step.len());
    let direction = Direction::from_name(&step[..digits]).filter(|d| d.is_specific());
    let direction = direction.ok_or_else(|| format!("{step} is no direction"))?;
    let length = match &step[digits..] {
        "" => usize::MAX,
        number => number.parse().map_err(|_| format!("{step} is no direction"))?,
    };
    Ok((direction, length))
}

/// The looping tracks of a Surakarta board: for each loop one forwards and one backwards, with
/// bumps where a loop leaves the board at a corner.
pub fn surakarta_tracks(
    board: &Topology,
    triangular: bool,
    loops: Option<usize>,
    first_row: usize,
) -> Vec<Track> {
    let sites = board.sites(SiteType::Vertex);
    let (rows, columns) = (sites.rows().len(), sites.columns().len());
    let count = loops.unwrap_or_else(|| {
        if triangular {
            rows.saturating_sub(1) / 2
        } else {
            rows.min(columns).saturating_sub(2) / 2
        }
    });
    let mut tracks = Vec::new();
    for row in first_row..first_row + count.min(rows) {
        let lines =
            if triangular { triangle_lines(rows, row) } else { square_lines(rows, columns, row) };
        let valid = |&site: &i32| usize::try_from(site).is_ok_and(|s| s < sites.len());
        if !lines.iter().flatten().all(valid) {
            continue;
        }
        let forward = with_bumps(&lines);
        let reversed: Vec<Vec<i32>> =
            lines.iter().rev().map(|line| line.iter().rev().copied().collect()).collect();
        let backward = with_bumps(&reversed);
        tracks.push(Track::new(&format!("Track{row}F"), &forward, 0, true, true));
        tracks.push(Track::new(&format!("Track{row}B"), &backward, 0, true, true));
    }
    tracks
}

/// Joins lines; the end of each is repeated, for there the track swings around a corner.
fn with_bumps(lines: &[Vec<i32>]) -> Vec<i32> {
    let mut track = Vec::new();
    for line in lines {
        track.extend(line);
        track.extend(line.last());
    }
    track
}

fn square_lines(rows: usize, columns: usize, row: usize) -> Vec<Vec<i32>> {
    let (rows, columns, row) = (rows as i32, columns as i32, row as i32);
    let last = rows * columns - 1;
    vec![
        (0..columns).map(|c| row * columns + c).collect(),
        (0..rows).map(|r| columns - 1 - row + r * columns).collect(),
        (0..columns).map(|c| last - row * columns - c).collect(),
        (0..rows).map(|r| last + 1 - columns + row - r * columns).collect(),
    ]
}

fn triangle_lines(rows: usize, row: usize) -> Vec<Vec<i32>> {
    let (rows, row) = (rows as i32, row as i32);
    let length = rows - row;
    let start: i32 = (0..row).map(|r| rows - r).sum();
    let mut site = rows - 1 - row;
    let mut step = rows - 1;
    let mut rising = Vec::new();
    for _ in 0..length {
        rising.push(site);
        site += step;
        step -= 1;
    }
    step += 3;
    let mut falling = Vec::new();
    for _ in 0..length {
        falling.push(site);
        site -= step;
        step += 1;
    }
    vec![(0..length).map(|n| start + n).collect(), rising, falling]
}
