//! Which part of an experiment is played here: matches are numbered, and any machine may play any of them.

use std::str::FromStr;

/// One of several parts of an experiment, which together are all of it: `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

/// Why a text does not name a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a part such as 3/16: the third of sixteen, counted from one")]
pub struct NoShard(String);

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            let (number, of) = (number.trim().parse().ok()?, of.trim().parse().ok()?);
            (1 <= number && number <= of).then_some(Shard { number, of })
        };
        read().ok_or_else(|| NoShard(text.to_string()))
    }
}

/// Which matches of an experiment are played.
#[derive(Clone, Copy, Debug, Default)]
pub enum Share<'a> {
    /// All of them.
    #[default]
    All,
    /// One part of several.
    Shard(Shard),
    /// These only, each by the place of its cell in the experiment and its number there.
    Jobs(&'a [(usize, u64)]),
}

impl Share<'_> {
    /// Whether a match of one of so many cells is played.
    pub(super) fn has(&self, cell: usize, number: u64, cells: usize) -> bool {
        match self {
            Share::All => true,
            // Every part has matches of every cell, and of long and short ones alike.
            Share::Shard(shard) => {
                (number * cells as u64 + cell as u64) % shard.of == shard.number - 1
            }
            Share::Jobs(jobs) => jobs.contains(&(cell, number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_together_are_all_and_none_is_twice() {
        for (cells, of) in [(1, 4), (3, 4), (4, 4), (5, 2)] {
            for cell in 0..cells {
                for number in 0..20 {
                    let shares = (1..=of).filter(|part| {
                        let shard = format!("{part}/{of}").parse().unwrap();
                        Share::Shard(shard).has(cell, number, cells)
                    });
                    assert_eq!(shares.count(), 1);
                }
            }
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["0/4", "5/4", "4", "a/b", "1/0", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
