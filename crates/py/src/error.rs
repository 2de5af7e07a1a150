//! What goes wrong, as Python exceptions with a sentence.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use ludex_arena::ArenaError;
use ludex_arena::catalog::{CatalogError, FaultyRules, in_characters};
use ludex_lang::diagnostic::line_and_column;
use ludex_lud::patience::GivenUp;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::crew::Crew;
use crate::patience;

pyo3::create_exception!(
    ludex,
    GameError,
    PyValueError,
    "A game, an agent or an experiment cannot be had as asked."
);
pyo3::create_exception!(
    ludex,
    RulesError,
    GameError,
    "Rules are wrong, or need what is not built. `line` and `column` count from one, `span` is where the fault begins and \
     ends among the characters of the text, `help` says what was probably meant, `file` where it is; each is None where \
     that is not known."
);
pyo3::create_exception!(
    ludex,
    IllegalActionError,
    PyValueError,
    "An action that is not legal where it was chosen."
);
pyo3::create_exception!(
    ludex,
    InternalError,
    PyRuntimeError,
    "A mistake of this program; the rest of it goes on."
);

/// An error that is told by its own text.
pub fn plain(error: impl std::fmt::Display) -> PyErr {
    GameError::new_err(error.to_string())
}

/// Why a file cannot be read or written, with its name.
pub fn of_file(file: &Path, error: &std::io::Error) -> PyErr {
    let text = format!("{}: {error}", file.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}

/// What a panic said, as an exception; Ctrl-C where that was heard.
#[cold]
pub fn panicked(panic: Box<dyn std::any::Any + Send>) -> PyErr {
    if panic.is::<GivenUp>() {
        return patience::heard();
    }
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    InternalError::new_err(text.unwrap_or_else(|| "something failed without a word".to_string()))
}

/// Runs something and makes an exception of its panic.
#[inline]
pub fn guarded<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(panicked(panic)))
}

/// Fails on the last of so many threads, for tests of what becomes of that.
#[pyfunction]
pub fn fail(text: String, threads: usize) -> PyResult<()> {
    let mut crew = Crew::new(threads.clamp(1, 16)).map_err(plain)?;
    guarded(|| {
        crew.run(&|part| assert!(part + 1 < threads, "{text}"));
        Ok(())
    })
}

/// Why a game cannot be had.
pub fn of_catalog(py: Python<'_>, error: CatalogError) -> PyErr {
    match &error {
        CatalogError::Faulty(faulty) => rules_error(py, faulty.to_string(), &place_of(faulty)),
        CatalogError::Description(fault) => {
            let place = Place {
                file: Some(fault.file.clone()),
                at: fault.place,
                span: fault.span,
                help: fault.finding.help.clone(),
            };
            rules_error(py, fault.to_string(), &place)
        }
        CatalogError::NoRules { .. } | CatalogError::File { .. } => {
            PyFileNotFoundError::new_err(error.to_string())
        }
        CatalogError::Rules(inner) => of_arena_text(&error.to_string(), inner),
        _ => plain(error),
    }
}

fn of_arena_text(text: &str, error: &ArenaError) -> PyErr {
    match error {
        ArenaError::File { .. } => PyFileNotFoundError::new_err(text.to_string()),
        _ => GameError::new_err(text.to_string()),
    }
}

/// Where a fault is.
struct Place {
    file: Option<String>,
    at: Option<(usize, usize)>,
    /// In characters.
    span: Option<(usize, usize)>,
    help: Option<String>,
}

fn place_of(faulty: &FaultyRules) -> Place {
    let first = faulty.findings.first();
    let range = first.map(|found| found.primary.span.range());
    Place {
        file: Some(faulty.path.clone()),
        at: range.clone().map(|range| line_and_column(&faulty.text, range.start)),
        span: range.map(|range| in_characters(&faulty.text, range)),
        help: first.and_then(|found| found.help.clone()),
    }
}

fn rules_error(py: Python<'_>, text: String, place: &Place) -> PyErr {
    let error = RulesError::new_err(text);
    let value = error.value(py);
    let set = value
        .setattr("line", place.at.map(|(line, _)| line))
        .and_then(|()| value.setattr("column", place.at.map(|(_, column)| column)))
        .and_then(|()| value.setattr("span", place.span))
        .and_then(|()| value.setattr("help", &place.help))
        .and_then(|()| value.setattr("file", &place.file));
    set.err().unwrap_or(error)
}
