//! Variants of a game side by side.

use std::collections::BTreeSet;

use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::ludemes::Defines;
use ludex_lang::lud::options::Category;

use crate::{Evaluation, JudgeError};

/// Variants beyond so many are refused: nobody reads such a table, and the time would be gone.
const MOST: usize = 200;

/// The variants of a game that patterns such as `Board Size/*` name; several patterns make a grid.
pub fn variants(base: &GameSpec, patterns: &[String]) -> Result<Vec<GameSpec>, JudgeError> {
    let (base, categories) = offered(base)?.ok_or_else(|| {
        JudgeError::Asked(format!(
            "{} has no options to sweep over: they come from .lud descriptions",
            base.name
        ))
    })?;
    let mut all = vec![base.clone()];
    for pattern in patterns {
        let choices = matching(&base.name, &categories, pattern)?;
        let with = |spec: &GameSpec, choice: &String| {
            let mut spec = spec.clone();
            spec.options.push(choice.clone());
            spec
        };
        let grid = all.iter().flat_map(|spec| choices.iter().map(move |choice| with(spec, choice)));
        all = grid.collect();
        if all.len() > MOST {
            return Err(JudgeError::Asked(format!(
                "that makes more than {MOST} variants; sweep fewer options at once"
            )));
        }
    }
    Ok(all)
}

/// A game as it is described by ludemes, with the options there are; nothing where it has no such description.
fn offered(base: &GameSpec) -> Result<Option<(GameSpec, Vec<Category>)>, JudgeError> {
    let Some((base, text)) = described(base)? else { return Ok(None) };
    let defines = match &base.defs {
        Some(folder) => Defines::read(folder)?,
        None => Defines::none(),
    };
    let (categories, _) = defines
        .offers(&text)
        .map_err(|error| JudgeError::Rules(defines.explain(&error, &base.name, &text)))?;
    Ok(Some((base, categories)))
}

/// The variants that each option of a game makes by itself.
pub fn of_each_option(base: &GameSpec) -> Result<Vec<GameSpec>, JudgeError> {
    let Some((base, categories)) = offered(base)? else { return Ok(Vec::new()) };
    let items = categories.iter().flat_map(|category| {
        category.items.iter().map(|item| format!("{}/{}", category.heading, item.name))
    });
    let with = |choice: String| {
        let mut spec = base.clone();
        spec.options.push(choice);
        spec
    };
    Ok(items.map(with).collect())
}

/// The description of a game; of a game written in Rust, the description under the same name.
pub fn described(base: &GameSpec) -> Result<Option<(GameSpec, String)>, JudgeError> {
    if let Some(text) = catalog::ludeme_text(base, Places::here())? {
        return Ok(Some((base.clone(), text)));
    }
    let mut twin = base.clone();
    twin.name = format!("{}.lud", base.name);
    let text = ludex_games::ludemes::description(&base.name).filter(|_| base.size.is_none());
    Ok(text.map(|text| (twin, text.to_string())))
}

fn matching(game: &str, categories: &[Category], pattern: &str) -> Result<Vec<String>, JudgeError> {
    let (heading, items) = pattern.split_once('/').unwrap_or((pattern, "*"));
    let Some(category) = categories.iter().find(|c| c.heading.eq_ignore_ascii_case(heading)) else {
        let known: Vec<&str> = categories.iter().map(|category| &*category.heading).collect();
        let known = match known.is_empty() {
            true => "it has no options".to_string(),
            false => format!("there are {}", known.join(", ")),
        };
        return Err(JudgeError::Asked(format!("{game} has no option `{heading}`; {known}")));
    };
    let wanted: Vec<&str> = items.split(',').map(str::trim).collect();
    let is_wanted = |name: &str| wanted.iter().any(|w| *w == "*" || w.eq_ignore_ascii_case(name));
    let chosen = category.items.iter().filter(|item| is_wanted(&item.name));
    let chosen: Vec<String> =
        chosen.map(|item| format!("{}/{}", category.heading, item.name)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = category.items.iter().map(|item| &*item.name).collect();
        return Err(JudgeError::Asked(format!(
            "the sweep `{pattern}` is empty: `{}` has the items {}",
            category.heading,
            known.join(", ")
        )));
    }
    Ok(chosen)
}

/// One row of a table of variants: a number's name, and for each variant its text and whether it surely differs from
/// the first one's.
pub type Row = (String, Vec<(String, Differs)>);

/// Whether a number surely differs from the first variant's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differs {
    /// Their intervals have nothing in common.
    Surely,
    /// They may be the same.
    Perhaps,
}

/// All numbers of all variants.
pub fn table(evaluations: &[Evaluation]) -> Vec<Row> {
    let names: BTreeSet<&String> = evaluations.iter().flat_map(|one| one.metrics.keys()).collect();
    let first = evaluations.first();
    let row = |name: &String| {
        let base = first.and_then(|first| first.metrics.get(name));
        let cell = |one: &Evaluation| match one.metrics.get(name) {
            None => ("–".to_string(), Differs::Perhaps),
            Some(figure) => {
                let differs = base.is_some_and(|base| base.differs(figure));
                let mark = if differs { Differs::Surely } else { Differs::Perhaps };
                (crate::verdict::shown(name, figure), mark)
            }
        };
        (name.clone(), evaluations.iter().map(cell).collect())
    };
    names.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_variants() {
        let spec = GameSpec::named("breakthrough");
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|p| p.to_string()).collect();
            variants(&spec, &patterns)
        };
        assert_eq!(names(&["Board Size/*"]).unwrap().len(), 3);
        assert_eq!(names(&["board size/5x5,8x8"]).unwrap().len(), 2);
        assert_eq!(names(&["Board Size/*", "Board Size/5x5"]).unwrap().len(), 3);
        let fault = |patterns: &[&str]| names(patterns).unwrap_err().to_string();
        assert!(fault(&["Board Size/77"]).contains("the sweep `Board Size/77` is empty"));
        assert!(fault(&["Swap/*"]).contains("there are Board Size"));
        let none = variants(&GameSpec::named("gomoku"), &["Board Size/*".to_string()]);
        assert!(none.unwrap_err().to_string().contains("no options"));
    }
}
