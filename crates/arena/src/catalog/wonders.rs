//! What 7 Wonders is built from, where a file says it.

use std::path::Path;

use ludex_games::seven_wonders::components::Components;
use ludex_games::seven_wonders::{Fault, read};
use ludex_lang::diagnostic::{Diagnostic, SourceId, Span};

use super::{CatalogError, FaultyRules};

/// Reads a components file of 7 Wonders; a fault shows its place.
pub fn read_components(path: &Path) -> Result<Components, CatalogError> {
    let shown = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|source| CatalogError::File { path: shown.clone(), source })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match read(&text) {
        Ok(components) => Ok(components),
        Err(found) => {
            Err(FaultyRules { path: shown, text, findings: vec![diagnostic(*found)] }.into())
        }
    }
}

/// The fault as every other text's faults are shown.
fn diagnostic(fault: Fault) -> Diagnostic {
    let span = Span::new(SourceId(0), fault.at);
    let found = Diagnostic::error(fault.message, span).label(fault.label);
    match fault.help {
        Some(help) => found.help(help),
        None => found,
    }
}
