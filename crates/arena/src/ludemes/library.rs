//! A library of ludeme games on disk: `lud/` holds descriptions, `def/` the defines they share.

use crate::ArenaError;
use ludex_games::ludemes;
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::lud::check::check;
use ludex_lang::lud::examples::{Id, each_ludeme};
use ludex_lang::lud::options::{Category, Ruleset};
use ludex_lang::lud::{self, Description, Library};
use ludex_lud::{Compiled, Missing, Subgames, compile_with};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The defines of a library, read once, with their texts for messages.
pub struct Defines {
    library: Library,
    texts: Vec<(String, String)>,
    /// Where the descriptions are that a match may name.
    games: Option<PathBuf>,
}

impl Defines {
    /// No defines at all.
    pub fn none() -> Self {
        Defines { library: Library::default(), texts: Vec::new(), games: None }
    }

    /// Reads every `.def` file below a folder.
    pub fn read(dir: &Path) -> Result<Self, ArenaError> {
        let mut files = Vec::new();
        files_below(dir, "def", &mut files)?;
        let mut texts = Vec::with_capacity(files.len());
        for file in files {
            texts.push((file.display().to_string(), read_text(&file)?));
        }
        let all = texts.iter().map(|(_, text)| text.as_str());
        let library = Library::read(all, SourceId(1)).map_err(|error| {
            let text_of = |source: SourceId| match source.0 {
                0 => "",
                n => texts.get(n as usize - 1).map_or("", |(_, text)| text),
            };
            ArenaError::Rules(error.to_text(text_of, |_| "define"))
        })?;
        // A library has its descriptions beside its defines.
        let games = dir.parent().map(|library| library.join("lud")).filter(|games| games.is_dir());
        Ok(Defines { library, texts, games })
    }

    /// The defines themselves.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Reads and compiles a description.
    pub fn compile(&self, text: &str, choices: &[String]) -> Result<Compiled, Box<Diagnostic>> {
        let description = lud::read(text, SourceId(0), &self.library, choices).map_err(Box::new)?;
        compile_with(&description, self)
    }

    /// Reads a description without compiling it: options chosen, defines expanded.
    pub fn describe(&self, text: &str, choices: &[String]) -> Result<Description, Box<Diagnostic>> {
        lud::read(text, SourceId(0), &self.library, choices).map_err(Box::new)
    }

    /// The same, with the description as it was compiled: options chosen, defines expanded, comments gone, and
    /// the descriptions of a match's games after it; and with the options it offers.
    pub fn compile_with_content(
        &self,
        text: &str,
        choices: &[String],
    ) -> Result<(Compiled, String, Vec<Category>), Box<Diagnostic>> {
        let description = lud::read(text, SourceId(0), &self.library, choices).map_err(Box::new)?;
        let found = Noted { defines: self, content: RefCell::new(description.game.to_string()) };
        let compiled = compile_with(&description, &found)?;
        let content = found.content.into_inner();
        Ok((compiled, content, description.options))
    }

    /// The ludemes that a description uses by its default options, each once.
    pub fn ludemes(&self, text: &str) -> Result<BTreeSet<Id>, Box<Diagnostic>> {
        let description = lud::read(text, SourceId(0), &self.library, &[]).map_err(Box::new)?;
        let is_match = description.game.head() == Some("match");
        let kind = if is_match { "Match" } else { "Game" };
        let call = check(&description.game, kind, &description.expansions).map_err(Box::new)?;
        let mut out = BTreeSet::new();
        each_ludeme(&call, &mut |id| {
            out.insert(id);
        });
        Ok(out)
    }

    /// The options and rulesets that a description offers.
    pub fn offers(&self, text: &str) -> Result<(Vec<Category>, Vec<Ruleset>), Box<Diagnostic>> {
        let description = lud::read(text, SourceId(0), &self.library, &[]).map_err(Box::new)?;
        Ok((description.options, description.rulesets))
    }

    /// A finding as text, with the lines it points at.
    pub fn explain(&self, diagnostic: &Diagnostic, name: &str, text: &str) -> String {
        let text_of = |id: SourceId| self.source(id).map_or(text, |(_, text)| text);
        let name_of = |id: SourceId| self.source(id).map_or(name, |(name, _)| name);
        diagnostic.to_text(text_of, name_of)
    }

    /// Name and text of a file of defines; nothing for the description itself.
    pub(crate) fn source(&self, id: SourceId) -> Option<(&str, &str)> {
        let (name, text) = self.texts.get((id.0 as usize).checked_sub(1)?)?;
        Some((name, text))
    }
}

/// Notes the description of every game that is asked for.
struct Noted<'a> {
    defines: &'a Defines,
    content: RefCell<String>,
}

impl Subgames for Noted<'_> {
    fn find(&self, name: &str, options: &[String]) -> Result<Description, Missing> {
        let description = self.defines.find(name, options)?;
        *self.content.borrow_mut() += &description.game.to_string();
        Ok(description)
    }
}

impl Subgames for Defines {
    /// Of the library's own games first, then of those that come with the program.
    fn find(&self, name: &str, options: &[String]) -> Result<Description, Missing> {
        let text = match self.library_game(name) {
            Some(file) => read_text(&file).ok(),
            None => None,
        };
        let built_in = || ludemes::description(&name.to_lowercase().replace(' ', "-"));
        let Some(text) = text.or_else(|| built_in().map(str::to_string)) else {
            let known = ludemes::DESCRIPTIONS.iter().map(|(name, _)| name.to_string());
            return Err(Missing::Unknown(known.collect()));
        };
        let read = lud::read(&text, SourceId(0), &self.library, options);
        read.map_err(|fault| Missing::Faulty(Box::new(fault)))
    }
}

impl Defines {
    /// The file of a game of the library, by its name.
    fn library_game(&self, name: &str) -> Option<PathBuf> {
        let mut files = Vec::new();
        files_below(self.games.as_deref()?, "lud", &mut files).ok()?;
        files.into_iter().find(|file| file.file_stem().is_some_and(|stem| stem == name))
    }
}

/// Files with an extension below a folder, in order.
pub fn files_below(dir: &Path, extension: &str, out: &mut Vec<PathBuf>) -> Result<(), ArenaError> {
    let entries = std::fs::read_dir(dir).map_err(|error| ArenaError::file(dir, error))?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| ArenaError::file(dir, error))?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, extension, out)?;
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
    Ok(())
}

/// The text of a file; bytes that are no text are replaced.
pub fn read_text(path: &Path) -> Result<String, ArenaError> {
    let bytes = std::fs::read(path).map_err(|error| ArenaError::file(path, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
