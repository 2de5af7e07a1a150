//! Games.

use std::sync::Arc;

use ludex_arena::catalog::{self, GameSpec, Language};
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::read_text;
use ludex_game::planes::{Perspective, beside};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::{GameError, guarded, plain};
use crate::observe;
use crate::patience;
use crate::playouts::{self, Playouts};
use crate::source::{Core, Pickled, Source, folder};
use crate::state::State;

/// The rules of a game. Games are immutable, may be shared by threads, and can be pickled.
#[pyclass(module = "ludex", frozen)]
pub struct Game {
    pub core: Arc<Core>,
}

/// Makes a game from a name, a file or the text of its rules.
#[pyfunction]
#[pyo3(signature = (name, text=None, language=None, *, size=None, players=None, sides=None, options=Vec::new(),
    defs=None, engine=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn load(
    py: Python<'_>,
    name: String,
    text: Option<String>,
    language: Option<&str>,
    size: Option<String>,
    players: Option<usize>,
    sides: Option<String>,
    options: Vec<String>,
    defs: Option<String>,
    engine: Option<String>,
) -> PyResult<Game> {
    let named = match text.is_none() && name.contains(" --") {
        true => name.parse().map_err(plain)?,
        false => GameSpec::named(name),
    };
    let spec = GameSpec {
        size: size.or(named.size),
        players: players.or(named.players),
        sides: sides.or(named.sides),
        options: [named.options, options].concat(),
        defs: folder(defs).or(named.defs),
        engine: engine.or(named.engine),
        ..GameSpec::named(named.name)
    };
    let language = match language {
        None | Some("lud") => Language::Lud,
        Some("gdl" | "kif") => Language::Gdl,
        Some(other) => return Err(plain(format!("there is no language `{other}`: lud or gdl"))),
    };
    let source = match text {
        Some(text) => Source { spec, text: Some((text, language)) },
        None => Source::named(spec)?,
    };
    guarded(|| Ok(Game { core: Core::new(py, source)? }))
}

/// The options of a description: headings with their items.
#[pyfunction]
#[pyo3(signature = (name, text=None, defs=None))]
pub fn offers(
    name: &str,
    text: Option<String>,
    defs: Option<String>,
) -> PyResult<Vec<(String, Vec<String>)>> {
    let own = || ludex_games::ludemes::description(name.strip_suffix(".lud").unwrap_or(name));
    let read = || read_text(std::path::Path::new(name)).ok();
    let Some(text) = text.or_else(read).or_else(|| own().map(str::to_string)) else {
        return Ok(Vec::new());
    };
    let defines = match folder(defs) {
        Some(folder) => Defines::read(&folder).map_err(plain)?,
        None => Defines::none(),
    };
    let Ok((categories, _)) = defines.offers(&text) else { return Ok(Vec::new()) };
    let items = |category: &ludex_lang::lud::options::Category| {
        category.items.iter().map(|item| item.name.to_string()).collect()
    };
    Ok(categories.iter().map(|one| (one.heading.to_string(), items(one))).collect())
}

/// The names of all built-in games.
#[pyfunction]
pub fn games() -> Vec<String> {
    catalog::builtins().map(|spec| spec.name).collect()
}

#[pymethods]
impl Game {
    /// How many play.
    fn num_players(&self) -> usize {
        self.core.players()
    }

    /// Actions are below this.
    fn num_distinct_actions(&self, py: Python<'_>) -> PyResult<u32> {
        self.core.ready(py)?;
        Ok(self.core.survey().space.len())
    }

    /// No game is longer than this many plies; one that gets there ends without a winner.
    fn max_game_length(&self) -> u32 {
        self.core.game.info().max_plies
    }

    /// The least that a player may get.
    fn min_utility(&self) -> f64 {
        if self.core.players() > 1 { -1.0 } else { 0.0 }
    }

    /// The most that a player may get.
    fn max_utility(&self) -> f64 {
        1.0
    }

    /// The position before the first move.
    fn new_initial_state(&self, py: Python<'_>) -> PyResult<State> {
        self.core.ready(py)?;
        guarded(|| Ok(State::start(&self.core)))
    }

    /// What the game is called.
    #[getter]
    fn name(&self) -> &str {
        &self.core.game.info().name
    }

    /// The language of its rules: `rust`, `lud` or `gdl`.
    #[getter]
    fn language(&self) -> &str {
        self.core.game.info().language.name()
    }

    /// The game as the command line names it.
    #[getter]
    fn spec(&self) -> String {
        self.core.source.spec.to_string()
    }

    /// What results are kept under: the content of the rules.
    #[getter]
    fn rules_key(&self) -> &str {
        &self.core.rules
    }

    /// What can be chosen about the game.
    #[getter]
    fn options(&self) -> Vec<String> {
        self.core.options.clone()
    }

    /// What is known of the game: board, state, machine, playouts and why.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.core.ready(py)?;
        let (info, facts) = (self.core.game.info(), PyDict::new(py));
        let survey = self.core.survey();
        facts.set_item("name", &info.name)?;
        facts.set_item("language", info.language.name())?;
        facts.set_item("players", info.players)?;
        facts.set_item("board", &info.board)?;
        facts.set_item("channels", &info.channels)?;
        facts.set_item("machine", info.machine.name())?;
        facts.set_item("playout", info.playout.name())?;
        facts.set_item("playout_reason", &info.playout_reason)?;
        facts.set_item("refusal", &info.refusal)?;
        facts.set_item("hidden", info.hidden)?;
        facts.set_item("chance", survey.chance)?;
        facts.set_item("simultaneous", survey.simultaneous)?;
        facts.set_item("max_plies", info.max_plies)?;
        facts.set_item("codes", survey.space.codes)?;
        facts.set_item("slots", survey.space.slots)?;
        Ok(facts)
    }

    /// The shape of an observation: planes, rows and columns, or planes and sites, or attributes.
    #[getter]
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.core.ready(py)?;
        PyTuple::new(py, observe::shape(&self.core, Perspective::Mover))
    }

    /// What the planes of an observation show, as whoever moves sees them.
    #[getter]
    fn observation_channels(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.core.ready(py)?;
        Ok(observe::channels(&self.core, Perspective::Mover))
    }

    /// What the planes of an observation show for either `perspective`, "mover" or "absolute".
    fn channels(&self, py: Python<'_>, perspective: &str) -> PyResult<Vec<String>> {
        self.core.ready(py)?;
        Ok(observe::channels(&self.core, observe::perspective(perspective)?))
    }

    /// The shape of `State.observation_tensor`, as pyspiel calls it.
    fn observation_tensor_shape(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.core.ready(py)?;
        Ok(observe::shape(&self.core, Perspective::Absolute))
    }

    /// How many numbers that are.
    fn observation_tensor_size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.observation_tensor_shape(py)?.iter().product())
    }

    /// Neighbours as pairs of sites, `(2, E)`; where several boards or none are, as many as there are.
    fn edge_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let mut ends = [Vec::new(), Vec::new()];
        if let Some(geometry) = self.core.game.plane_geometry() {
            for site in 0..geometry.len() as u32 {
                for &near in geometry.adjacent(site) {
                    ends[0].push(site as i32);
                    ends[1].push(near as i32);
                }
            }
        }
        let edges = ends[0].len();
        let [from, to] = ends;
        from.into_iter().chain(to).collect::<Vec<_>>().into_pyarray(py).reshape([2, edges])
    }

    /// The centres of the sites, `(N, 2)`.
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let sites = self.core.game.plane_geometry().map_or(&[][..], |geometry| &geometry.sites);
        let points: Vec<f32> = sites.iter().flat_map(|site| [site.at.x, site.at.y]).collect();
        points.into_pyarray(py).reshape([sites.len(), 2])
    }

    /// The names of the sites.
    fn site_labels(&self) -> Vec<String> {
        let sites = self.core.game.plane_geometry().map_or(&[][..], |geometry| &geometry.sites);
        sites.iter().map(|site| site.label.clone()).collect()
    }

    /// How many sites are beside the board: in hands, of dice.
    fn sites_beside(&self) -> usize {
        self.core.game.plane_geometry().map_or(0, |geometry| beside(geometry).count())
    }

    /// Complete games of random moves.
    #[pyo3(signature = (count, *, seed=0, threads=1))]
    fn playouts(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        threads: usize,
    ) -> PyResult<Playouts> {
        playouts::run(py, &self.core, count, seed, threads)
    }

    /// A position from what `State.serialize` gave.
    fn deserialize_state(&self, py: Python<'_>, text: String) -> PyResult<State> {
        self.core.ready(py)?;
        let core = self.core.clone();
        patience::wait(py, || {}, move || State::replayed(&core, &text))
    }

    fn __repr__(&self) -> String {
        let source = &self.core.source;
        match &source.text {
            Some(_) => format!("<ludex.Game {}>", self.core.game.info().name),
            None => format!("ludex.load_game({:?})", source.spec.to_string()),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &Bound<'_, Game>| self.core.rules == other.get().core.rules;
        other.cast::<Game>().is_ok_and(same)
    }

    fn __hash__(&self) -> u64 {
        let bytes = self.core.rules.bytes();
        bytes.fold(0, |hash, byte| ludex_game::mix(hash ^ u64::from(byte)))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Pickled<'py, (String, Bound<'py, PyDict>)>> {
        let (source, how) = (&self.core.source, PyDict::new(py));
        let spec = &source.spec;
        let again = py.import("ludex")?.getattr("_again")?;
        if let Some(text) = &self.core.whole {
            how.set_item("text", text)?;
            how.set_item("language", "lud")?;
            return Ok((again, (spec.name.clone(), how)));
        }
        if let Some((text, language)) = &source.text {
            how.set_item("text", text)?;
            how.set_item("language", if *language == Language::Lud { "lud" } else { "gdl" })?;
        }
        how.set_item("size", &spec.size)?;
        how.set_item("players", spec.players)?;
        how.set_item("sides", &spec.sides)?;
        how.set_item("options", &spec.options)?;
        let defs = spec.defs.as_ref().map(|defs| defs.to_string_lossy().into_owned());
        how.set_item("defs", defs)?;
        how.set_item("engine", &spec.engine)?;
        Ok((again, (spec.name.clone(), how)))
    }
}

impl Game {
    /// Refuses states of other games.
    pub fn same(&self, state: &State) -> PyResult<()> {
        same(&self.core, state)
    }
}

/// Refuses states of other games.
pub fn same(core: &Arc<Core>, state: &State) -> PyResult<()> {
    if Arc::ptr_eq(core, state.core()) {
        return Ok(());
    }
    let (ours, theirs) = (&core.game.info().name, &state.core().game.info().name);
    Err(GameError::new_err(format!(
        "this is a state of another game: {theirs}, not {ours} (states belong to the game object they came from)"
    )))
}
