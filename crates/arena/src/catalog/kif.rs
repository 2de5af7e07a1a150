//! Games in GDL files.

use std::path::Path;

use ludex_games::gdl;
use ludex_gdl::Bounds;
use ludex_gdl::{Compiled, Engine, compile};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif::{self, Strictness, tree};

use super::content::{self, RulesKey};
use super::{CatalogError, FaultyRules, Found, GameSpec, Places};

/// A file where there is one, else our own description of the name, else a file among `rules`.
pub(super) fn load(spec: &GameSpec, places: Places) -> Result<Found, CatalogError> {
    let name = Path::new(&spec.name);
    let path = places.folder.join(name);
    let text = if path.exists() {
        read(&path)?
    } else if let Some(text) = spec.name.strip_suffix(".kif").and_then(gdl::description) {
        text.to_string()
    } else {
        match places.rules.map(|folder| folder.join(name)) {
            Some(found) if found.exists() => read(&found)?,
            _ => return Err(CatalogError::NoRules { name: spec.name.clone() }),
        }
    };
    from_text(text, spec)
}

/// The text of rules, under the name of the spec.
pub(super) fn from_text(text: String, spec: &GameSpec) -> Result<Found, CatalogError> {
    let engine: Option<Engine> = spec.engine.as_deref().map(str::parse).transpose()?;
    let content = tree::read(SourceId(0), &text).map(|trees| content::plain(&trees));
    let game = compile_text(Path::new(&spec.name), text, engine, Strictness::Strict)?.into_game();
    let rules = RulesKey::of(&format!("gdl {}", content.unwrap_or_default()));
    Ok(Found { game, rules, options: vec!["--engine: network, datalog".to_string()] })
}

/// Reads, checks and compiles a GDL file.
pub fn compile_kif(path: &Path, engine: Option<Engine>) -> Result<Compiled, CatalogError> {
    compile_kif_as(path, engine, Strictness::Strict)
}

/// The same, as strictly as asked.
pub fn compile_kif_as(
    path: &Path,
    engine: Option<Engine>,
    strictness: Strictness,
) -> Result<Compiled, CatalogError> {
    compile_text(path, read(path)?, engine, strictness)
}

fn read(path: &Path) -> Result<String, CatalogError> {
    let bytes = std::fs::read(path)
        .map_err(|source| CatalogError::File { path: path.display().to_string(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn compile_text(
    path: &Path,
    text: String,
    engine: Option<Engine>,
    strictness: Strictness,
) -> Result<Compiled, CatalogError> {
    let shown = path.display().to_string();
    let checked = match kif::read_as(SourceId(0), &text, strictness) {
        Ok(checked) => checked,
        Err(findings) => return Err(FaultyRules { path: shown, text, findings }.into()),
    };
    let name = path.file_stem().map_or(shown.clone(), |stem| stem.to_string_lossy().into_owned());
    Ok(compile(&name, &checked.description, engine, &Bounds::default())?)
}
