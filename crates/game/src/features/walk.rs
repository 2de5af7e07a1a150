//! Walks from site to site.

use super::{Ground, Reading};

/// In how many ways the walks of one pattern are read from one anchor at most.
pub const MAX_READINGS: usize = 256;

/// Where a walk is: the site, and the one it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    site: u32,
    before: Option<u32>,
}

/// How a walk is turned and mirrored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub rotation: f32,
    /// One, or minus one for the mirror image.
    pub reflection: f32,
}

/// Walks with a common start, with the parts that several have in common walked once. Where a step can be
/// taken two ways, walks that begin with the same steps take the same way.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// The steps: the one before it, if any, and the turn. A step comes after the one before it.
    steps: Vec<(Option<usize>, f32)>,
}

/// The sites that walks lead to in one reading.
pub(super) struct Reached<'w> {
    walks: &'w Walks,
    anchor: u32,
    at: Vec<Option<At>>,
}

impl Walks {
    /// Adds a walk and returns its last step; none for the walk that stays.
    pub fn add(&mut self, turns: &[f32]) -> Option<usize> {
        let mut last = None;
        for &turn in turns {
            let known = self.steps.iter().position(|&step| step == (last, turn));
            last = Some(known.unwrap_or_else(|| {
                self.steps.push((last, turn));
                self.steps.len() - 1
            }));
        }
        last
    }

    /// All readings of the walks from an anchor; nothing if there are too many.
    pub(super) fn reach(
        &self,
        ground: &Ground,
        anchor: u32,
        pose: Pose,
        reading: Reading,
    ) -> Option<Vec<Reached<'_>>> {
        let mut all =
            vec![Reached { walks: self, anchor, at: Vec::with_capacity(self.steps.len()) }];
        for &(before, turn) in &self.steps {
            for number in 0..all.len() {
                let start = match before {
                    None => Some(At { site: anchor, before: None }),
                    Some(step) => all[number].at[step],
                };
                let (first, second) = match start {
                    None => (None, None),
                    Some(at) => step(ground, at, turn, pose, reading),
                };
                if let Some(second) = second {
                    let mut other = all[number].at.clone();
                    other.push(second);
                    all.push(Reached { walks: self, anchor, at: other });
                }
                all[number].at.push(first);
            }
            if all.len() > MAX_READINGS {
                return None;
            }
        }
        Some(all)
    }
}

impl Reached<'_> {
    /// The site after a step of [`Walks::add`]; nothing where the walk left the board.
    pub(super) fn site(&self, last: Option<usize>) -> Option<u32> {
        match last {
            None => Some(self.anchor),
            Some(step) => self.at[step].map(|at| at.site),
        }
    }

    /// The turns of the walk that ends with a step.
    pub(super) fn turns(&self, last: Option<usize>) -> impl Iterator<Item = f32> {
        let mut next = last;
        std::iter::from_fn(move || {
            let (before, turn) = self.walks.steps[next?];
            next = before;
            Some(turn)
        })
    }
}

/// Where one step leads, and where else it may lead.
fn step(
    ground: &Ground,
    at: At,
    turn: f32,
    pose: Pose,
    reading: Reading,
) -> (Option<At>, Option<Option<At>>) {
    let lead = |side: usize| {
        let sides = &ground.sides[at.site as usize];
        sides[side].map(|site| At { site, before: Some(at.site) })
    };
    match sides_of_step(ground, at, turn, pose, reading) {
        Some((first, second)) => (lead(first), second.map(lead)),
        None => (None, None),
    }
}

/// The side of a site that a step goes through, and the other one it may go through; nothing where nothing says.
fn sides_of_step(
    ground: &Ground,
    at: At,
    turn: f32,
    pose: Pose,
    reading: Reading,
) -> Option<(usize, Option<usize>)> {
    let sides = &ground.sides[at.site as usize];
    if sides.is_empty() {
        return None;
    }
    let count = sides.len() as f32;
    let entrance = at.before.map(|before| ground.side_to(at.site, before));
    let (first, second) = match (entrance, reading) {
        (None, Reading::Ludii) => {
            (nearest_below((turn + pose.rotation) * pose.reflection * count), None)
        }
        (None, Reading::Paper) => both((turn + pose.rotation) * pose.reflection * count),
        // A neighbour that does not know this site: nothing says which way the walk came.
        (Some(None), _) => return None,
        (Some(Some(back)), Reading::Ludii) => {
            let straight = (back + sides.len() / 2) as f32;
            (nearest_below(straight + turn * pose.reflection * count), None)
        }
        (Some(Some(back)), Reading::Paper) => {
            let (first, second) = turned(turn * pose.reflection, sides.len());
            (back as i64 + first, second.map(|side| back as i64 + side))
        }
    };
    let side = |side: i64| side.rem_euclid(sides.len() as i64) as usize;
    Some((side(first), second.map(side)))
}

/// Where a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// On a site.
    On(u32),
    /// Outside the board: the last site before, and the side of it.
    Beyond(u32, usize),
}

/// Where a walk ends in its first reading; nothing where nothing says which way it goes.
pub fn end_of_walk(
    ground: &Ground,
    turns: &[f32],
    anchor: u32,
    (rotation, reflection): (f32, f32),
    reading: Reading,
) -> Option<WalkEnd> {
    let pose = Pose { rotation, reflection };
    let mut at = At { site: anchor, before: None };
    for &turn in turns {
        let (side, _) = sides_of_step(ground, at, turn, pose, reading)?;
        match ground.sides[at.site as usize][side] {
            Some(site) => at = At { site, before: Some(at.site) },
            None => return Some(WalkEnd::Beyond(at.site, side)),
        }
    }
    Some(WalkEnd::On(at.site))
}

/// How near to the middle between two sides a turn counts as halfway.
const HALFWAY: f32 = 0.02;

fn is_halfway(sides: f32) -> bool {
    let part = sides - sides.trunc();
    (0.5 - part).abs() < HALFWAY || (0.5 + part).abs() < HALFWAY
}

/// The nearest whole number; of two that are as near the lower.
fn nearest_below(sides: f32) -> i64 {
    if is_halfway(sides) { sides.floor() as i64 } else { (sides + 0.5).floor() as i64 }
}

/// The nearest whole number, or the two between which it lies halfway.
fn both(sides: f32) -> (i64, Option<i64>) {
    match is_halfway(sides) {
        true => (sides.floor() as i64, Some(sides.floor() as i64 + 1)),
        false => ((sides + 0.5).floor() as i64, None),
    }
}

/// The sides, counted clockwise from the entrance, that a turn leads to in a cell with so many sides.
///
/// With an even number straight on is a side. With an odd number it lies between two, which are then one
/// part to the left and one to the right of it, as the paper draws them; half a turn leads back.
fn turned(turn: f32, count: usize) -> (i64, Option<i64>) {
    let half = count as i64 / 2;
    if count.is_multiple_of(2) {
        let (first, second) = both(turn * count as f32);
        return (half + first, second.map(|side| half + side));
    }
    // One full circle more or less changes nothing.
    let parts = (turn - turn.round()) * count as f32;
    if parts.abs() < HALFWAY {
        return (half, Some(half + 1));
    }
    let side = |number: i64| if parts > 0.0 { half + number } else { half + 1 - number };
    let size = parts.abs();
    // Between the last side and the way back.
    let last = half as f32;
    if size > last {
        return match size - last {
            over if (over - 0.25).abs() < HALFWAY => (side(half), Some(0)),
            over if over < 0.25 => (side(half), None),
            _ => (0, None),
        };
    }
    let (first, second) = both(size);
    (side(first.max(1)), second.filter(|_| first >= 1).map(side))
}

/// Where a walk leads from an anchor in one rotation (in parts of a circle) and reflection (1 or -1), in every
/// reading; nothing stands for leaving the board.
pub fn destinations(
    ground: &Ground,
    turns: &[f32],
    anchor: u32,
    rotation: f32,
    reflection: f32,
    reading: Reading,
) -> Vec<Option<u32>> {
    let mut walks = Walks::default();
    let last = walks.add(turns);
    let pose = Pose { rotation, reflection };
    let readings = walks.reach(ground, anchor, pose, reading).unwrap_or_default();
    let mut found: Vec<Option<u32>> = readings.iter().map(|reached| reached.site(last)).collect();
    found.sort_unstable();
    found.dedup();
    found
}
