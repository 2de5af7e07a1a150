//! Where a game came from: enough to have it again elsewhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ludex_arena::catalog::{self, Found, GameSpec, Language, Places};
use ludex_arena::ludemes::Defines;
use ludex_game::lanes::Reward;
use ludex_game::planes::{Perspective, Planes};
use ludex_game::{Game, Survey};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

use crate::error::of_catalog;
use crate::patience;

/// What a game was made from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name, options and folders.
    pub spec: GameSpec,
    /// The rules, where they are text.
    pub text: Option<(String, Language)>,
}

impl Source {
    /// A built-in name, or a file, whose text is kept so that other machines can have the game.
    pub fn named(spec: GameSpec) -> std::io::Result<Source> {
        let path = Path::new(&spec.name);
        let language = match path.extension().and_then(|end| end.to_str()) {
            Some("lud") => Language::Lud,
            Some("kif") => Language::Gdl,
            _ => return Ok(Source { spec, text: None }),
        };
        match path.exists() {
            true => {
                let bytes = std::fs::read(path)?;
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Ok(Source { spec, text: Some((text, language)) })
            }
            false => Ok(Source { spec, text: None }),
        }
    }

    /// The game, and its rules where they are text that needs a folder of defines.
    fn find(&self, py: Python<'_>) -> PyResult<(Found, Option<String>)> {
        let (source, places) = (self.clone(), Places::here());
        let work = move || {
            let found = match &source.text {
                Some((text, language)) => {
                    catalog::find_in_text(text, *language, &source.spec, places)
                }
                None => catalog::find(&source.spec, places),
            };
            Ok(found.map(|found| (found, source.whole())))
        };
        patience::wait(py, || {}, work)?.map_err(|error| of_catalog(py, error))
    }

    /// Rules that need a folder of defines without it: options chosen, defines in their places. The games of a match
    /// are in the folder themselves.
    fn whole(&self) -> Option<String> {
        let (folder, (text, _)) = self.spec.defs.as_ref().zip(self.text.as_ref())?;
        let description = Defines::read(folder).ok()?.describe(text, &self.spec.options).ok()?;
        (description.game.head() == Some("game")).then(|| description.game.to_string())
    }
}

/// A game with what is found out about it once.
pub struct Core {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Where it came from.
    pub source: Source,
    /// The content of its rules.
    pub rules: String,
    /// The rules with the defines that they need, where those are in a folder of their own.
    pub whole: Option<String>,
    /// What can be chosen about it.
    pub options: Vec<String>,
    survey: OnceLock<Survey>,
    planes: [OnceLock<Option<Arc<Planes>>>; 2],
    integers: OnceLock<Vec<Py<PyInt>>>,
}

/// So many actions are kept as numbers of Python's.
const INTEGERS: u32 = 4096;

impl Core {
    /// Makes a game.
    pub fn new(py: Python<'_>, source: Source) -> PyResult<Arc<Core>> {
        let (found, whole) = source.find(py)?;
        Ok(Arc::new(Core {
            game: found.game,
            source,
            rules: found.rules.to_string(),
            whole,
            options: found.options,
            survey: OnceLock::new(),
            planes: [OnceLock::new(), OnceLock::new()],
            integers: OnceLock::new(),
        }))
    }

    /// Looks at a few games where nobody has yet. That takes long where games are slow.
    pub fn ready(self: &Arc<Self>, py: Python<'_>) -> PyResult<()> {
        // Whoever plays it next does so on this thread; to ask in every call would cost as much as a move of a small game.
        patience::listen();
        if self.survey.get().is_some() {
            return Ok(());
        }
        let core = self.clone();
        let work = move || {
            core.survey();
            Ok(())
        };
        patience::wait(py, || {}, work)
    }

    /// What a few games show of it.
    pub fn survey(&self) -> &Survey {
        self.survey.get_or_init(|| Survey::of(&*self.game))
    }

    /// Its planes, if it has a board.
    pub fn planes(&self, perspective: Perspective) -> Option<&Arc<Planes>> {
        let planes = &self.planes[perspective as usize];
        let make = || Planes::of(&*self.game, self.survey(), perspective).map(Arc::new);
        planes.get_or_init(make).as_ref()
    }

    /// Actions as Python has them, the first so many.
    pub fn integers(&self, py: Python<'_>) -> &[Py<PyInt>] {
        self.integers.get_or_init(|| {
            let actions = 0..self.survey().space.len().min(INTEGERS);
            actions.map(|action| PyInt::new(py, action).unbind()).collect()
        })
    }

    /// Actions as a list.
    pub fn list<'py>(&self, py: Python<'py>, numbers: &[u32]) -> PyResult<Bound<'py, PyList>> {
        // Numbers that Python already has are had faster than new ones.
        let known = self.integers(py);
        let integers = numbers.iter().map(|&number| match known.get(number as usize) {
            Some(integer) => integer.bind(py).clone(),
            None => PyInt::new(py, number),
        });
        PyList::new(py, integers)
    }

    /// How many play.
    pub fn players(&self) -> usize {
        self.game.info().players
    }

    /// Payoffs as returns; nought for everybody where the game was abandoned.
    pub fn returns(&self, payoffs: &mut [f32], players: usize, ended: Ended) {
        for payoff in payoffs {
            *payoff = match ended {
                Ended::ByRules => Reward::Balanced.of(*payoff, players),
                Ended::NotYet => 0.0,
            };
        }
    }
}

/// Whether a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By its rules.
    ByRules,
    /// It goes on, or was abandoned.
    NotYet,
}

/// How something is pickled: a function of the package, and what it is called with.
pub type Pickled<'py, A> = (Bound<'py, PyAny>, A);

/// A folder of defines.
pub fn folder(defs: Option<String>) -> Option<PathBuf> {
    defs.map(PathBuf::from)
}
