//! How far the numbers of library games lie apart: a number whose interval does not tell a game from many of them carries
//! a warning.
//!
//! Numbers that random games have are measured by the table of percentiles; others by a table of their own, with a line
//! for each number that has the values of a sample of games in order. `ludex evaluate --library DIR --again SEED
//! --write FILE` makes it.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::Figure;
use crate::yardstick::{COLUMNS, Yardstick};

/// A number that does not tell a game from more than this share of the others is too rough to rank it by.
pub const WIDEST: f64 = 0.2;
/// Values of fewer games are no measure.
const FEWEST: usize = 20;

/// The values of many games by number, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread(BTreeMap<String, Vec<f64>>);

impl Spread {
    /// What ships with the program.
    pub fn shipped() -> &'static Spread {
        static TABLE: LazyLock<Spread> = LazyLock::new(|| {
            let mut table = Spread::read(include_str!("spread.tsv"));
            for column in COLUMNS {
                let mut values = Yardstick::shipped().values(column);
                values.sort_by(f64::total_cmp);
                for name in [column.to_string(), format!("random_{column}")] {
                    table.0.entry(name).or_insert_with(|| values.clone());
                }
            }
            table
        });
        &TABLE
    }

    /// Reads a table; what is not of its form is left out.
    pub fn read(text: &str) -> Spread {
        let line = |line: &str| {
            let (name, values) = line.split_once('\t').filter(|_| !line.starts_with('#'))?;
            let mut values: Vec<f64> =
                values.split('\t').filter_map(|value| value.parse().ok()).collect();
            values.sort_by(f64::total_cmp);
            Some((name.to_string(), values))
        };
        Spread(text.lines().filter_map(line).collect())
    }

    /// The table of some games' numbers.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a BTreeMap<String, Figure>>) -> Spread {
        let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (name, figure) in games.into_iter().flatten() {
            all.entry(name.clone()).or_default().push(figure.value);
        }
        all.values_mut().for_each(|values| values.sort_by(f64::total_cmp));
        all.retain(|_, values| values.len() >= FEWEST);
        Spread(all)
    }

    /// The table as text.
    pub fn text(&self, seed: u64) -> String {
        let mut text = format!(
            "# Numbers of games drawn by seed {seed} from a library and from those that come with the program, each in \
             order; made by\n# `ludex evaluate --library DIR --again SEED --write FILE`.\n"
        );
        for (name, values) in &self.0 {
            text += name;
            for value in values {
                let _ = write!(text, "\t{value:.5}");
            }
            text.push('\n');
        }
        text
    }

    /// The share of games whose number cannot be told from a figure, other than those that have exactly its value: with
    /// them a game shares its rank. The others were measured no better, so that it takes the interval of a difference:
    /// wider by the root of two.
    pub fn taken_in(&self, name: &str, figure: &Figure) -> Option<f64> {
        let known = |name: &str| self.0.get(name).filter(|values| values.len() >= FEWEST);
        let values = known(name).or_else(|| known(&plain(name)))?;
        let from = |end: f64| figure.value + SQRT_2 * (end - figure.value);
        let (low, high) = (from(figure.low?), from(figure.high?));
        let same = |value: f64| (value - figure.value).abs() < 5e-6;
        let inside = values.iter().filter(|value| (low..=high).contains(*value) && !same(**value));
        Some(inside.count() as f64 / values.len() as f64)
    }

    /// What to say of a number whose interval is too wide to rank its game.
    pub fn warning(&self, name: &str, figure: &Figure) -> Option<String> {
        let share = self.taken_in(name, figure).filter(|share| *share > WIDEST)?;
        Some(format!("it does not tell the game from {:.0}% of library games", 100.0 * share))
    }
}

/// What a number of one seat or one budget is measured by where few games have it: the first seat's share.
fn plain(name: &str) -> String {
    let (random, seat) = match name.strip_prefix("random_") {
        Some(rest) => ("random_", rest),
        None => ("", name),
    };
    let share = seat.starts_with("seat_") || seat.starts_with("first_seat_at_");
    if share { format!("{random}first_seat") } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Origin;

    #[test]
    fn wide_intervals_by_hand() {
        let origin = Origin { agent: "uct".to_string(), seed: 1 };
        let value = |value: f64, half: f64| {
            origin.figure(value, Some(value - half), Some(value + half), 400)
        };
        let game =
            |number: u32| BTreeMap::from([("length".to_string(), value(f64::from(number), 0.0))]);
        let games: Vec<_> = (0..40).map(game).collect();
        let spread = Spread::of(&games);
        assert_eq!(Spread::read(&spread.text(1)), spread);
        // 2.9 becomes 4.1: 16 to 24 are nine games, one of which has the same value.
        assert_eq!(spread.taken_in("length", &value(20.0, 2.9)), Some(0.2));
        assert_eq!(spread.warning("length", &value(20.0, 2.9)), None);
        // 3.3 becomes 4.7: 16 to 25.
        let wide = spread.warning("length", &value(20.5, 3.3)).unwrap();
        assert_eq!(wide, "it does not tell the game from 25% of library games");
        assert_eq!(spread.warning("drama", &value(20.0, 9.0)), None, "nothing is known of it");
        assert_eq!(Spread::of(&games[..19]), Spread::default(), "too few to be a measure");
    }

    #[test]
    fn what_ships_measures_what_random_games_have() {
        for name in ["length", "branching", "first_seat", "random_length", "random_draws"] {
            let values = Spread::shipped().0.get(name).map_or(0, Vec::len);
            assert!(values >= FEWEST, "{name}: {values}");
        }
        let origin = Origin { agent: "uct".to_string(), seed: 1 };
        let seat = |half: f64| origin.figure(0.5, Some(0.5 - half), Some(0.5 + half), 400);
        assert_eq!(Spread::shipped().warning("first_seat", &seat(0.0)), None);
        for name in ["random_seat_2", "first_seat_at_77", "seat_1"] {
            assert!(Spread::shipped().warning(name, &seat(0.4)).is_some(), "{name}");
        }
        assert!(Spread::shipped().warning("first_seat", &seat(0.4)).is_some());
    }
}
