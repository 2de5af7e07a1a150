//! Which games the page can open: those that come with the program, those of the user's library folder, and rules given as text.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::Game;
use ludex_games::{gdl, ludemes};
use ludex_gdl::Bounds;
use ludex_lang::diagnostic::{Diagnostic, Severity, SourceId};
use ludex_lang::kif;
use ludex_lang::lud::{self, Library};
use ludex_lud::kernel;
use serde::{Deserialize, Serialize};

/// Names of games of the library begin so.
const LIBRARY: &str = "library/";

/// What somebody wants to open: a game by its name, or rules as text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Spec {
    /// A built-in name, or `library/` and a path below the library's `lud` folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Rules as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The language of the text; ludemes where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Options, `Category/Item`.
    #[serde(default)]
    pub options: Vec<String>,
}

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Ludemes.
    #[default]
    Lud,
    /// GDL.
    Kif,
}

/// An option of a game as a menu.
#[derive(Clone, Debug, Serialize)]
pub struct Menu {
    category: String,
    items: Vec<String>,
    chosen: String,
}

/// A game that was opened.
pub struct Loaded {
    pub game: Arc<dyn Game>,
    pub name: String,
    /// What the description says of itself.
    pub about: String,
    /// The rules, where they are text.
    pub text: Option<String>,
    pub language: Language,
    pub menus: Vec<Menu>,
}

/// One finding about a text, with its place for an editor: offsets are in UTF-16 units, as browsers count.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    line: usize,
    severity: &'static str,
    message: String,
    help: Option<String>,
    start: usize,
    end: usize,
}

/// Why rules cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The text is wrong, or needs what is not built.
    #[error("{}", text)]
    Rules { text: String, findings: Vec<Finding> },
    /// There is no such game, or it cannot be had as asked.
    #[error("{0}")]
    Game(String),
}

/// A line of the list of games.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    name: String,
    title: String,
    about: String,
    players: usize,
    board: String,
    kind: String,
}

/// Where games come from.
pub struct Shelf {
    library: Option<PathBuf>,
    defines: Defines,
    entries: Vec<Entry>,
}

impl Shelf {
    /// The built-in games, and those of a folder that holds `lud/` and `def/`.
    pub fn new(library: Option<&Path>) -> Result<Shelf, Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::Game(error.to_string());
        let defines = match library.map(|folder| folder.join("def")).filter(|def| def.is_dir()) {
            Some(folder) => Defines::read(&folder).map_err(|e| fault(&e))?,
            None => Defines::none(),
        };
        let library = match library {
            Some(folder) => {
                let below = folder.join("lud");
                let games = if below.is_dir() { below } else { folder.to_path_buf() };
                Some(
                    games
                        .canonicalize()
                        .map_err(|e| fault(&format!("{}: {e}", games.display())))?,
                )
            }
            None => None,
        };
        let mut shelf = Shelf { library, defines, entries: Vec::new() };
        shelf.entries = shelf.list()?;
        Ok(shelf)
    }

    /// Whether there is a library folder.
    pub fn has_library(&self) -> bool {
        self.library.is_some()
    }

    /// All games.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn list(&self) -> Result<Vec<Entry>, Fault> {
        let mut entries = Vec::new();
        for spec in catalog::builtins() {
            let Ok(game) = catalog::load(&spec) else { continue };
            let info = game.info();
            let text = own_text(&spec.name).map(|(text, _)| text).unwrap_or_default();
            entries.push(Entry {
                title: if info.name.is_empty() { spec.name.clone() } else { title(&info.name) },
                about: opening_comment(text),
                players: info.players,
                board: info.board.clone(),
                kind: String::new(),
                name: spec.name,
            });
        }
        entries.sort_by(|a, b| a.title.cmp(&b.title).then(a.name.cmp(&b.name)));
        entries.dedup_by(|a, b| a.title == b.title);
        let Some(library) = &self.library else { return Ok(entries) };
        let mut files = Vec::new();
        files_below(library, "lud", &mut files).map_err(|e| Fault::Game(e.to_string()))?;
        for file in files {
            let Ok(path) = file.strip_prefix(library) else { continue };
            let folder = path.parent().map_or(String::new(), |folder| folder.display().to_string());
            entries.push(Entry {
                name: format!("{LIBRARY}{}", path.display()),
                title: path
                    .file_stem()
                    .map_or(String::new(), |stem| stem.to_string_lossy().into_owned()),
                about: String::new(),
                players: 0,
                board: String::new(),
                kind: folder.replace('/', " · "),
            });
        }
        Ok(entries)
    }

    /// Opens a game.
    pub fn load(&self, spec: &Spec) -> Result<Loaded, Fault> {
        match (&spec.text, &spec.game) {
            (Some(text), _) => {
                self.load_text(text, spec.language.unwrap_or_default(), &spec.options)
            }
            (None, Some(name)) => self.load_named(name, spec),
            (None, None) => Err(Fault::Game("no game is named".to_string())),
        }
    }

    fn load_named(&self, name: &str, spec: &Spec) -> Result<Loaded, Fault> {
        if let Some(path) = name.strip_prefix(LIBRARY) {
            let text = self.library_text(path)?;
            let mut loaded = self.load_text(&text, Language::Lud, &spec.options)?;
            if loaded.about.is_empty() {
                loaded.about = metadata_about(&text);
            }
            return Ok(loaded);
        }
        // Paths of the machine are for the command line; the page opens what was put on the shelf.
        let known = catalog::builtins().any(|known| known.name == name);
        if !known && own_text(name).is_none() {
            return Err(Fault::Game(format!("there is no game `{name}`")));
        }
        if let Some((text, language)) = own_text(name) {
            return self.load_text(text, language, &spec.options);
        }
        let game = GameSpec { options: spec.options.clone(), ..GameSpec::named(name) };
        let game = catalog::load(&game).map_err(|error| Fault::Game(error.to_string()))?;
        let name = title(&game.info().name);
        Ok(Loaded {
            game,
            name,
            about: String::new(),
            text: None,
            language: Language::Lud,
            menus: Vec::new(),
        })
    }

    fn library_text(&self, path: &str) -> Result<String, Fault> {
        let missing = || Fault::Game(format!("the library has no file {path}"));
        let library = self.library.as_ref().ok_or_else(missing)?;
        let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let file = library
            .join(path)
            .canonicalize()
            .ok()
            .filter(|file| plain && file.starts_with(library));
        let file = file
            .filter(|file| file.extension().is_some_and(|end| end == "lud"))
            .ok_or_else(missing)?;
        read_text(&file).map_err(|error| Fault::Game(error.to_string()))
    }

    fn load_text(
        &self,
        text: &str,
        language: Language,
        options: &[String],
    ) -> Result<Loaded, Fault> {
        let (game, menus) = match language {
            Language::Lud => self.compile_lud(text, options)?,
            Language::Kif => (compile_kif(text)?, Vec::new()),
        };
        let name = match language {
            Language::Lud => game.info().name.clone(),
            Language::Kif => title(&game.info().name),
        };
        let about = opening_comment(text);
        Ok(Loaded { game, name, about, text: Some(text.to_string()), language, menus })
    }

    fn compile_lud(
        &self,
        text: &str,
        options: &[String],
    ) -> Result<(Arc<dyn Game>, Vec<Menu>), Fault> {
        let compiled =
            self.defines.compile(text, options).map_err(|found| faulty(text, &[*found]))?;
        let game = kernel::fastest(compiled).map_err(|error| Fault::Game(error.to_string()))?;
        Ok((game, menus(text, options)))
    }
}

/// What is wrong with rules; nothing where they compile.
impl Shelf {
    pub fn findings(&self, spec: &Spec) -> Result<Vec<Finding>, Fault> {
        match self.load(spec) {
            Ok(_) => Ok(Vec::new()),
            Err(Fault::Rules { findings, .. }) => Ok(findings),
            Err(other) => Err(other),
        }
    }
}

fn compile_kif(text: &str) -> Result<Arc<dyn Game>, Fault> {
    let checked = kif::read(SourceId(0), text).map_err(|findings| faulty(text, &findings))?;
    let compiled = ludex_gdl::compile("game", &checked.description, None, &Bounds::default());
    Ok(compiled.map_err(|error| Fault::Game(error.to_string()))?.into_game())
}

/// A description of our own.
fn own_text(name: &str) -> Option<(&'static str, Language)> {
    if let Some(stem) = name.strip_suffix(".kif") {
        return gdl::description(stem).map(|text| (text, Language::Kif));
    }
    let stem = name.strip_suffix(".lud").unwrap_or(name);
    ludemes::description(stem).map(|text| (text, Language::Lud))
}

fn title(name: &str) -> String {
    let mut words = name.replace('-', " ");
    if let Some(first) = words.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// The comment that a description opens with.
fn opening_comment(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| line.starts_with("//") || line.starts_with(';'));
    lines.map(|line| line.trim_start_matches(['/', ';']).trim()).collect::<Vec<_>>().join(" ")
}

/// What the metadata of a library's description says of the game.
fn metadata_about(text: &str) -> String {
    let Ok(nodes) = lud::reader::read(text, SourceId(0)) else { return String::new() };
    fn find(node: &lud::tree::Node) -> Option<String> {
        if node.head() == Some("description") {
            return node.children().iter().find_map(|child| child.text().map(str::to_string));
        }
        node.children().iter().find_map(find)
    }
    nodes.iter().filter(|node| node.head() == Some("metadata")).find_map(find).unwrap_or_default()
}

fn menus(text: &str, options: &[String]) -> Vec<Menu> {
    let Ok(description) = lud::read(text, SourceId(0), &Library::default(), options)
        .or_else(|_| lud::read(text, SourceId(0), &Library::default(), &[]))
    else {
        return Vec::new();
    };
    let Ok(chosen) = lud::options::choose(&description.options, &description.rulesets, options)
    else {
        return Vec::new();
    };
    let pairs = description.options.iter().zip(chosen);
    pairs
        .map(|(category, chosen)| Menu {
            category: category.heading.to_string(),
            items: category.items.iter().map(|item| item.name.to_string()).collect(),
            chosen: category.items.get(chosen).map_or(String::new(), |item| item.name.to_string()),
        })
        .collect()
}

fn faulty(text: &str, findings: &[Diagnostic]) -> Fault {
    let shown: Vec<String> =
        findings.iter().map(|found| found.to_text(|_| text, |_| "rules")).collect();
    Fault::Rules {
        text: shown.join("\n"),
        findings: findings.iter().map(|found| finding(text, found)).collect(),
    }
}

fn finding(text: &str, found: &Diagnostic) -> Finding {
    let range = found.primary.span.range();
    let here = found.primary.span.source == SourceId(0);
    let clamp = |at: usize| {
        (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    };
    let (start, end) = if here { (clamp(range.start), clamp(range.end)) } else { (0, 0) };
    let units = |to: usize| text[..to].encode_utf16().count();
    Finding {
        line: text[..start].matches('\n').count() + 1,
        severity: match found.severity {
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        },
        message: found.message.clone(),
        help: found.help.clone(),
        start: units(start),
        end: units(end),
    }
}
