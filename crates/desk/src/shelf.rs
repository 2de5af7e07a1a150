//! Which games the page can open: those that come with the program, those of the user's library folder, and rules given as text.

use std::sync::{Arc, PoisonError, RwLock};

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::ludemes::Defines;
use ludex_game::{Detail, Game, View};
use ludex_games::{gdl, ludemes};
use ludex_gdl::Bounds;
use ludex_lang::diagnostic::{Diagnostic, Severity, SourceId};
use ludex_lang::kif;
use ludex_lang::lud::{self, Description};
use ludex_lud::Compiled;
use serde::{Deserialize, Serialize};

use crate::entries::{self, Entry, metadata_about, names, opening_comment, title};

/// Names of games of the library begin so.
pub const LIBRARY: &str = "library/";

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

impl Spec {
    /// A game as the command line names it. What games written in Rust call settings are options here, too.
    pub fn of(named: &GameSpec) -> Spec {
        let players = named.players.map(|players| players.to_string());
        let settings = [(SIZE, &named.size), (PLAYERS, &players), (SIDES, &named.sides)];
        let settings = settings
            .into_iter()
            .filter_map(|(category, item)| item.as_ref().map(|item| format!("{category}/{item}")));
        let options = settings.chain(named.options.iter().cloned()).collect();
        Spec { game: Some(named.name.clone()), options, ..Spec::default() }
    }

    /// The other way round; `name` is what a game is called whose rules are given as text.
    pub fn named(&self, name: &str) -> GameSpec {
        let mut named = GameSpec::named(self.game.as_deref().unwrap_or(name));
        for option in &self.options {
            match option.split_once('/') {
                Some((SIZE, size)) if is_rust(&named.name) => named.size = Some(size.to_string()),
                Some((PLAYERS, players)) if is_rust(&named.name) => {
                    named.players = players.parse().ok();
                }
                Some((SIDES, sides)) if is_rust(&named.name) => {
                    named.sides = Some(sides.to_string());
                }
                _ => named.options.push(option.clone()),
            }
        }
        named
    }
}

/// Options of games written in Rust.
const SIZE: &str = "Size";
const PLAYERS: &str = "Players";
const SIDES: &str = "Sides";

fn is_rust(name: &str) -> bool {
    ludex_games::names().any(|known| known == name)
}

/// What can be chosen about a game written in Rust.
fn rust_menus(named: &GameSpec, game: &dyn Game) -> Vec<Menu> {
    let menu = |category: &str, items: Vec<String>, chosen: String| {
        let items =
            if items.contains(&chosen) { items } else { [vec![chosen.clone()], items].concat() };
        Menu { category: category.to_string(), items, chosen }
    };
    let texts = |items: &[&str]| items.iter().map(|item| item.to_string()).collect();
    if named.name == "7-wonders" {
        let players = (3..=7).map(|players| players.to_string()).collect();
        let sides = named.sides.clone().unwrap_or_else(|| "A".to_string());
        return vec![
            menu(PLAYERS, players, game.info().players.to_string()),
            menu(SIDES, texts(&["A", "B", "mixed"]), sides),
        ];
    }
    let grid = game.geometry().and_then(|geometry| geometry.grid.as_ref());
    let chosen =
        named.size.clone().or_else(|| grid.map(|grid| format!("{}x{}", grid.columns, grid.rows)));
    let sizes = ["4x4", "5x5", "6x6", "7x7", "8x8", "9x9", "10x10", "12x12", "16x16"];
    chosen.map(|chosen| menu(SIZE, texts(&sizes), chosen)).into_iter().collect()
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
    /// The game.
    pub game: Arc<dyn Game>,
    /// What people call it.
    pub name: String,
    /// What the description says of itself.
    pub about: String,
    /// The rules, where they are text.
    pub text: Option<String>,
    /// Their language.
    pub language: Language,
    /// What can be chosen about it.
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
    Rules {
        /// All of it, as the command line shows it.
        text: String,
        /// One by one.
        findings: Vec<Finding>,
    },
    /// There is no such game, or it cannot be had as asked.
    #[error("{0}")]
    Game(String),
}

/// Rules that somebody has beside those of the program: a folder, say.
pub trait Library: Send + Sync {
    /// The files with rules, as paths below the library.
    fn paths(&self) -> &[String];

    /// The text of one of them; nothing for whatever is not among them.
    fn text(&self, path: &str) -> Option<String>;

    /// The defines they share.
    fn defines(&self) -> &Defines;
}

/// Where games come from.
pub struct Shelf {
    library: Option<Box<dyn Library>>,
    none: Defines,
    entries: RwLock<Arc<Vec<Entry>>>,
}

impl Shelf {
    /// The built-in games, and those of a library.
    pub fn new(library: Option<Box<dyn Library>>) -> Shelf {
        let mut entries = entries::built_in();
        let paths = library.iter().flat_map(|library| library.paths());
        entries.extend(paths.map(|path| entries::by_path(path)));
        Shelf { library, none: Defines::none(), entries: RwLock::new(Arc::new(entries)) }
    }

    /// Whether there is a library.
    pub fn has_library(&self) -> bool {
        self.library.is_some()
    }

    /// All games.
    pub fn entries(&self) -> Arc<Vec<Entry>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads what the library's descriptions say of themselves, for the list. That takes a while; the list can be used before.
    pub fn read_library(&self) {
        let Some(library) = &self.library else { return };
        let told = |entry: &Entry| match entry.name.strip_prefix(LIBRARY) {
            Some(path) => match library.text(path) {
                Some(text) => entries::described(entry, &text, library.defines()),
                None => entry.clone(),
            },
            None => entry.clone(),
        };
        let all: Vec<Entry> = self.entries().iter().map(told).collect();
        *self.entries.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(all);
    }

    fn defines(&self) -> &Defines {
        self.library.as_ref().map_or(&self.none, |library| library.defines())
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
        if !names().iter().any(|known| known == name) && own_text(name).is_none() {
            return Err(Fault::Game(format!("there is no game `{name}`")));
        }
        // As on the command line, a name is the game written in Rust where there is one, and with `.lud` the description.
        if let Some((text, language)) = own_text(name).filter(|_| !is_rust(name)) {
            let mut loaded = self.load_text(text, language, &spec.options)?;
            // A description in GDL does not say what it is called.
            if language == Language::Kif {
                loaded.name = title(name.trim_end_matches(".kif"));
            }
            return Ok(loaded);
        }
        let named = spec.named(name);
        // What else a game may be built from is in files.
        if named.options.iter().any(|option| option.to_ascii_lowercase().starts_with("components/"))
        {
            return Err(Fault::Game("components from files are for the command line".to_string()));
        }
        let game = catalog::load(&named).map_err(|error| Fault::Game(error.to_string()))?;
        Ok(Loaded {
            name: title(&game.info().name),
            about: catalog::rules_in_words(&named),
            text: None,
            language: Language::Lud,
            menus: rust_menus(&named, &*game),
            game,
        })
    }

    /// The compiled rules of a game from ludemes; nothing where it comes from something else.
    pub fn compiled(&self, spec: &Spec) -> Result<Option<Compiled>, Fault> {
        let text = match (&spec.text, &spec.game) {
            (Some(_), _) if spec.language == Some(Language::Kif) => return Ok(None),
            (Some(text), _) => text.clone(),
            (None, Some(name)) => match (name.strip_prefix(LIBRARY), own_text(name)) {
                (Some(path), _) => self.library_text(path)?,
                (None, Some((text, Language::Lud))) if !is_rust(name) => text.to_string(),
                _ => return Ok(None),
            },
            (None, None) => return Ok(None),
        };
        let compiled = self.defines().compile(&text, &spec.options);
        compiled.map(Some).map_err(|found| faulty(&text, &[*found]))
    }

    /// The position that a game begins with, as a picture; nothing where there is no board.
    pub fn picture(&self, spec: &Spec) -> Result<Option<String>, Fault> {
        let game = self.load(spec)?.game;
        let Some(geometry) = game.geometry() else { return Ok(None) };
        let mut view = View::new();
        game.view(&game.start(), None, Detail::Pieces, &mut view);
        Ok(Some(ludex_draw::picture(geometry, &view, None)))
    }

    /// Whether a game of this name is on the shelf.
    pub fn has(&self, spec: &Spec) -> bool {
        let Some(name) = &spec.game else { return false };
        own_text(name).is_some()
            || self.entries().iter().any(|entry| entry.name == *name)
            || is_rust(name)
    }

    /// The name of the game that a record of Ludii's calls by the path of its description.
    pub fn find(&self, path: &str) -> Option<String> {
        let below = path.split_once("/lud/").map_or(path, |(_, below)| below);
        let stem = below.rsplit('/').next().unwrap_or(below).trim_end_matches(".lud");
        let named = |entry: &&Entry| entry.name == format!("{LIBRARY}{below}");
        let titled = |entry: &&Entry| entry.title == stem && !entry.name.ends_with(".kif");
        let entries = self.entries();
        let entry = entries.iter().find(named).or_else(|| {
            // A library's own game comes before ours of the same name.
            entries.iter().rev().find(titled)
        })?;
        // Where a game is written in Rust too, the description is meant.
        let described = format!("{}.lud", entry.name);
        let own = ludemes::description(&entry.name).is_some() && !entry.name.ends_with(".lud");
        Some(if own { described } else { entry.name.clone() })
    }

    fn library_text(&self, path: &str) -> Result<String, Fault> {
        let found = self.library.as_ref().and_then(|library| library.text(path));
        found.ok_or_else(|| Fault::Game(format!("the library has no file {path}")))
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
            self.defines().compile(text, options).map_err(|found| faulty(text, &[*found]))?;
        let game =
            ludex_kernel::fastest(compiled).map_err(|error| Fault::Game(error.to_string()))?;
        Ok((game, menus(text, options, self.defines())))
    }
}

impl Shelf {
    /// What is wrong with rules; nothing where they compile.
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
pub fn own_text(name: &str) -> Option<(&'static str, Language)> {
    if let Some(stem) = name.strip_suffix(".kif") {
        return gdl::description(stem).map(|text| (text, Language::Kif));
    }
    let stem = name.strip_suffix(".lud").unwrap_or(name);
    ludemes::description(stem).map(|text| (text, Language::Lud))
}

/// What can be chosen about a description: its options, and named choices of several of them.
fn menus(text: &str, options: &[String], defines: &Defines) -> Vec<Menu> {
    let read = |options| defines.describe(text, options);
    let Ok(description) = read(options).or_else(|_| read(&[])) else { return Vec::new() };
    let Ok(chosen) = lud::options::choose(&description.options, &description.rulesets, options)
    else {
        return Vec::new();
    };
    let pairs = description.options.iter().zip(chosen);
    let single = pairs.map(|(category, chosen)| Menu {
        category: category.heading.to_string(),
        items: category.items.iter().map(|item| item.name.to_string()).collect(),
        chosen: category.items.get(chosen).map_or(String::new(), |item| item.name.to_string()),
    });
    rulesets(&description, options).into_iter().chain(single).collect()
}

/// The rulesets of a description as a menu. Who has chosen none has the first item, which says nothing.
fn rulesets(description: &Description, options: &[String]) -> Option<Menu> {
    let (category, _) = description.rulesets.first()?.name.split_once('/')?;
    let item = |name: &str| Some(name.strip_prefix(category)?.strip_prefix('/')?.to_string());
    let known = description.rulesets.iter().filter_map(|ruleset| item(&ruleset.name));
    let items: Vec<String> = std::iter::once(String::new()).chain(known).collect();
    let mut given = options.iter().rev().filter_map(|option| item(option));
    let chosen = given.find(|name| items.contains(name)).unwrap_or_default();
    Some(Menu { category: category.to_string(), items, chosen })
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
