//! The papers' tables as experiments that ship with the program.

use super::Experiment;
use crate::ArenaError;

macro_rules! tables {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../experiments/", $name, ".toml"))),)*]
    };
}

const TABLES: &[(&str, &str)] = tables! {
    "memorizing/table1" "memorizing/table2" "memorizing/table3" "memorizing/table4"
    "seven-wonders/table2" "seven-wonders/table3" "seven-wonders/table4" "seven-wonders/table5"
    "seven-wonders/fig1"
    "enhancing/table1" "enhancing/table2" "enhancing/table3" "enhancing/table4" "enhancing/figure1"
};

/// The names of all tables.
pub fn paper_tables() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// A table's experiment in the paper's own setting.
pub fn paper_table(name: &str) -> Result<Experiment, ArenaError> {
    let Some((name, text)) = TABLES.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = paper_tables().collect();
        return Err(ArenaError::NoSuchTable { name: name.into(), known: known.join(", ") });
    };
    Experiment::read(&format!("{name}.toml"), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_the_papers_setting() {
        for name in paper_tables().filter(|name| name.starts_with("memorizing/")) {
            let experiment = paper_table(name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(experiment.cells.len(), 8, "{name}");
            for cell in &experiment.cells {
                assert_eq!((cell.matches, cell.budget.simulations), (500, Some(10_000)));
                assert!(cell.paper.is_some(), "{name} {}", cell.game);
            }
        }
        let error = paper_table("memorizing/table9").unwrap_err().to_string();
        assert!(error.contains("memorizing/table1"), "{error}");
    }

    #[test]
    fn the_tables_on_enhanced_ppa_have_fourteen_games() {
        let sizes = [("table1", 5), ("table2", 2), ("table3", 7), ("table4", 5), ("figure1", 32)];
        for (table, columns) in sizes {
            let name = format!("enhancing/{table}");
            let experiment = paper_table(&name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(experiment.cells.len(), 14 * columns, "{name}");
            for cell in &experiment.cells {
                assert!(cell.matches >= 500, "{name}");
                assert_eq!(cell.paper.is_some(), table != "figure1", "{name} {}", cell.game);
            }
            let two = experiment.only(&["connect4".to_string(), "reversi.kif".to_string()]);
            assert_eq!(two.map(|two| two.cells.len()), Ok(2 * columns));
        }
        let experiment = paper_table("enhancing/table1").unwrap();
        assert_eq!(experiment.only(&["chess".to_string()]), Err(vec!["chess".to_string()]));
    }

    #[test]
    fn rules_that_are_nowhere_are_asked_for() {
        let spec = crate::catalog::GameSpec::named("chinook.kif");
        let error = crate::catalog::load(&spec).err().expect("it does not come with us");
        assert!(error.to_string().contains("--rules"), "{error}");
    }

    #[test]
    fn the_tables_of_7_wonders_have_5000_games_a_row() {
        for name in paper_tables().filter(|name| name.starts_with("seven-wonders/")) {
            let experiment = paper_table(name).unwrap_or_else(|error| panic!("{error}"));
            for cell in &experiment.cells {
                assert_eq!((cell.matches, cell.entrants.len()), (5000, 3), "{name}");
                let game = crate::catalog::load(&cell.game).unwrap();
                for entrant in &cell.entrants {
                    let rng = &mut ludex_game::Rng::seeded(1);
                    let crate::engine::PlayerSpec::Agent(spec) = &entrant.spec else { panic!() };
                    assert!(spec.build(&game, None, rng).is_ok(), "{spec}");
                    assert_eq!(entrant.spec.to_string().parse(), Ok(entrant.spec.clone()));
                }
            }
        }
    }
}
