//! Games in GDL files.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use ludex_game::Game;
use ludex_games::gdl;
use ludex_gdl::Bounds;
use ludex_gdl::{Compiled, Engine, compile};
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::kif;

use super::{CatalogError, GameSpec};

/// A rules file with what is wrong in it.
#[derive(Debug)]
pub struct FaultyRules {
    /// The file.
    pub path: String,
    /// Its text.
    pub text: String,
    /// What was found, the worst first.
    pub findings: Vec<Diagnostic>,
}

impl fmt::Display for FaultyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, found) in self.findings.iter().enumerate() {
            let text = found.to_text(|_| &self.text, |_| &self.path);
            // The word `error` is already there when an error of ours is shown.
            let text = if at == 0 { text.trim_start_matches("error: ") } else { &text };
            write!(f, "{text}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FaultyRules {}

/// A file where there is one, else our own description of the name, else a file among `rules`.
pub(super) fn load(spec: &GameSpec, rules: Option<&Path>) -> Result<Arc<dyn Game>, CatalogError> {
    let engine = spec.engine.as_deref().map(str::parse).transpose()?;
    let path = Path::new(&spec.name);
    if path.exists() {
        return Ok(compile_kif(path, engine)?.into_game());
    }
    if let Some(text) = spec.name.strip_suffix(".kif").and_then(gdl::description) {
        return Ok(compile_text(path, text.to_string(), engine)?.into_game());
    }
    match rules.map(|folder| folder.join(path)) {
        Some(found) if found.exists() => Ok(compile_kif(&found, engine)?.into_game()),
        _ => Err(CatalogError::NoRules { name: spec.name.clone() }),
    }
}

/// Reads, checks and compiles a GDL file.
pub fn compile_kif(path: &Path, engine: Option<Engine>) -> Result<Compiled, CatalogError> {
    let shown = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|source| CatalogError::File { path: shown.clone(), source })?;
    compile_text(path, String::from_utf8_lossy(&bytes).into_owned(), engine)
}

fn compile_text(
    path: &Path,
    text: String,
    engine: Option<Engine>,
) -> Result<Compiled, CatalogError> {
    let shown = path.display().to_string();
    let checked = match kif::read(SourceId(0), &text) {
        Ok(checked) => checked,
        Err(findings) => return Err(FaultyRules { path: shown, text, findings }.into()),
    };
    let name = path.file_stem().map_or(shown.clone(), |stem| stem.to_string_lossy().into_owned());
    Ok(compile(&name, &checked.description, engine, &Bounds::default())?)
}
