//! Recorded random play of deduction puzzles: beside values that are set, the reference lets a player
//! strike out single values of a site and allow them again, and counts both as moves. A site has a
//! value once a single one is left. Struck out values may contradict each other; then only what mends all of it may be set.

use super::replay::Mismatch;
use super::trial::{RecordedMove, Trial};
use ludex_lud::Puzzle;

/// By site, the values that are left, as bits. The reference counts from nought, whatever the smallest value is, and
/// numbers below the smallest stay until the site is set.
struct Notes<'p> {
    puzzle: &'p Puzzle,
    left: Vec<u128>,
}

impl Notes<'_> {
    fn value(&self, site: i32) -> Option<i32> {
        let left = *self.left.get(usize::try_from(site).ok()?)?;
        (left.count_ones() == 1).then(|| left.trailing_zeros() as i32)
    }

    /// The values that a site may be set to: nothing at all may be contradicted afterwards.
    fn allowed(&self, site: i32, sound: bool) -> Vec<i32> {
        let now = |site: i32| self.value(site);
        if sound {
            return self.puzzle.allowed(&now, site);
        }
        let holds = |value: &i32| {
            let after = |other: i32| if other == site { Some(*value) } else { now(other) };
            self.puzzle.is_sound(&after)
        };
        (self.puzzle.min..=self.puzzle.max).filter(holds).collect()
    }

    fn is_sound(&self) -> bool {
        self.puzzle.is_sound(&|site| self.value(site))
    }

    /// How many moves there are: values that contradict nothing, and values to strike out or allow.
    fn moves(&self) -> usize {
        let sound = self.is_sound();
        let mut count = match sound {
            true => self.puzzle.count_allowed(&|site| self.value(site)),
            false => self.puzzle.variables.iter().map(|&s| self.allowed(s, false).len()).sum(),
        };
        for &site in &self.puzzle.variables {
            let known = self.value(site);
            count += (self.puzzle.min..=self.puzzle.max).filter(|&v| known != Some(v)).count();
        }
        count
    }

    /// Makes a recorded move, if it may be made.
    fn play(&mut self, recorded: &RecordedMove, given: bool) -> Result<(), String> {
        for action in &recorded.actions {
            let (Some(site), Some(value)) = (action.number("var"), action.number("value")) else {
                return Err(format!("{} in a puzzle", action.name));
            };
            let bit = bit(value);
            let sets = action.name == "Set";
            let variable = self.puzzle.variables.contains(&site);
            let may = variable
                && match sets {
                    true => self.allowed(site, self.is_sound()).contains(&value),
                    false => self.value(site) != Some(value),
                };
            let Some(left) = self.left.get_mut(site.max(0) as usize) else {
                return Err(format!("there is no site {site}"));
            };
            if !given && !may {
                return Err(format!("{} of site {site}: {value} is no legal move", action.name));
            }
            *left = if sets { bit } else { *left ^ bit };
        }
        Ok(())
    }
}

fn bit(value: i32) -> u128 {
    u32::try_from(value).ok().and_then(|n| 1u128.checked_shl(n)).unwrap_or(0)
}

/// Plays a recorded game of a puzzle through its constraints.
pub(super) fn replay(
    puzzle: &Puzzle,
    start: &[RecordedMove],
    played: &[RecordedMove],
    trial: &Trial,
) -> Result<(), Mismatch> {
    let sites = puzzle.variables.iter().copied().max().unwrap_or(0);
    let named = |m: &RecordedMove| m.actions.iter().filter_map(|a| a.number("var")).max();
    let sites = start.iter().filter_map(named).fold(sites, i32::max).max(0) as usize + 1;
    let all = (0..=puzzle.max).fold(0, |all, value| all | bit(value));
    let mut notes = Notes { puzzle, left: vec![all; sites] };
    for m in start {
        notes.play(m, true).map_err(|reason| Mismatch { step: None, reason })?;
    }
    for (step, recorded) in played.iter().enumerate() {
        let wrong = |reason: String| Mismatch { step: Some(step), reason };
        if let Some(&size) = trial.sizes.get(step) {
            let ours = notes.moves();
            if ours != size {
                return Err(wrong(format!("{ours} legal moves, recorded {size}")));
            }
        }
        notes.play(recorded, false).map_err(wrong)?;
    }
    let solved = puzzle.is_solved_by(&|site| notes.value(site));
    match solved == trial.winner.is_some() {
        true => Ok(()),
        false => {
            let reason = format!("solved: {solved}, recorded {}", trial.winner.is_some());
            Err(Mismatch { step: Some(played.len()), reason })
        }
    }
}
