//! Agents as text: `uct(c=0.7) + ppa(alpha=0.32, payoff, memorize) + decisive`.
//!
//! An agent is `auto`, which is chosen for a game; or `random`; or a search with at most one playout policy and what goes before it, joined by
//! `+`; or a minimax search with what it judges by, `alphabeta + eval(file.toml)`, `ubfm`; or a scripted player of the
//! game, `rule-ai`; or an evolved evaluation, `evolved(file.toml)`. The same text serves the command line, experiment files and result stores. Reading what was
//! written gives the same agent; a fault in the text is underlined.

mod auto;
mod error;
mod evolved;
mod minimax;
mod search;
mod settings;
mod text;
mod visit;

use std::fmt;
use std::str::FromStr;

use ludex_game::{Game, GameError, closest};

pub use auto::AutoSettings;
pub use error::SpecError;
pub use evolved::EvolvedSpec;
pub(crate) use minimax::evaluations;
pub use minimax::{EvalSpec, MinimaxSearch, MinimaxSpec};
pub use settings::{Describe, Settings};
pub use visit::SettingHelp;

use crate::levels::LevelSettings;
use crate::minimax::{AlphaBetaSettings, BestFirstSettings};
use crate::policy::{
    DecisiveSettings, FeaturesSettings, LgrSettings, Modified, PlayoutPolicy, PolicyConfig,
    PpaSettings,
};
use crate::search::{CutSettings, SearchConfig};
use text::{Part, read_parts};

/// All that makes an agent, but for its game and its budget.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum AgentSpec {
    /// Plays any legal move.
    #[default]
    Random,
    /// Searches.
    Search(Box<SearchSpec>),
    /// Plays as a script of the game's own says; only the game understands the text.
    Scripted(String),
    /// Judges every move by an evolved formula.
    Evolved(EvolvedSpec),
    /// Looks ahead and judges where it stops.
    Minimax(Box<MinimaxSpec>),
    /// An agent on a level of strength.
    Level(Box<AgentSpec>, LevelSettings),
    /// Whatever is chosen for the game; built without a choice, it is UCT that proves results.
    Auto(AutoSettings),
}

impl AgentSpec {
    /// How many threads it thinks with.
    pub fn threads(&self) -> usize {
        match self {
            AgentSpec::Search(spec) => spec.search.threads,
            AgentSpec::Minimax(spec) => spec.search.threads(),
            AgentSpec::Auto(spec) => spec.threads as usize,
            AgentSpec::Level(agent, _) => agent.threads(),
            _ => 1,
        }
    }

    /// Lets it think with so many threads, where it can.
    pub fn set_threads(&mut self, threads: usize) {
        match self {
            AgentSpec::Search(spec) => spec.search.threads = threads.max(1),
            AgentSpec::Minimax(spec) => spec.search.set_threads(threads),
            AgentSpec::Auto(spec) => spec.threads = threads.max(1) as u64,
            AgentSpec::Level(agent, _) => agent.set_threads(threads),
            _ => {}
        }
    }

    /// What positions are judged by, where the agent judges any and says by what.
    pub fn eval_mut(&mut self) -> Option<&mut EvalSpec> {
        match self {
            AgentSpec::Search(spec) => spec.eval.as_mut(),
            AgentSpec::Minimax(spec) => spec.eval.as_mut(),
            AgentSpec::Level(agent, _) => agent.eval_mut(),
            _ => None,
        }
    }
}

/// Names of scripted players that games may have.
const SCRIPTS: &[&str] = &["rule-ai"];

/// A searching agent.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SearchSpec {
    /// The search.
    pub search: SearchConfig,
    /// What its playouts play by.
    pub policy: PlayoutSpec,
    /// A file of policies learned for opening positions, which the playout policy starts from.
    pub initial: Option<String>,
    /// What moves are thought to be worth before they are tried.
    pub prior: Option<FeaturesSettings>,
    /// Whether that is what the evaluation makes of the positions after them.
    pub prior_judged: bool,
    /// Where playouts end before the game does.
    pub cut: Option<CutSettings>,
    /// What positions are judged by; nothing: by weights that need no learning.
    pub eval: Option<EvalSpec>,
    /// What playouts that learn start from.
    pub start: Option<FeaturesSettings>,
}

/// A playout policy with what goes before it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PlayoutSpec {
    /// The policy itself.
    pub base: PolicyConfig,
    /// Stored replies before it.
    pub lgr: Option<LgrSettings>,
    /// Decisive moves before all.
    pub decisive: Option<DecisiveSettings>,
}

impl PlayoutSpec {
    /// Whether playouts are recorded by codes that tell geometric features apart.
    pub(crate) fn tells_patterns(&self) -> bool {
        matches!(&self.base, PolicyConfig::Ppa(PpaSettings { patterns: Some(_), .. }))
    }

    /// Whether the policy can play a game; to be asked before it is built.
    pub fn check(&self, game: &dyn Game) -> Result<(), GameError> {
        if self.tells_patterns() && self.lgr.is_some() {
            let reason =
                "stored replies are by plain codes: `lgr` does not go with `ppa(patterns=FILE)`";
            return Err(GameError::Options(reason.to_string()));
        }
        self.base.check(game)
    }

    /// A policy that has learned nothing yet.
    pub fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        let base = self.base.build(game);
        if self.lgr.is_none() && self.decisive.is_none() {
            return base;
        }
        Box::new(Modified::new(base, self.lgr, self.decisive, game))
    }

    /// Takes in one part of the text.
    fn add(&mut self, text: &str, part: &Part, chosen: &mut bool) -> Result<(), SpecError> {
        let fault = |message: String| SpecError {
            text: text.to_string(),
            span: part.name.span.clone(),
            message,
        };
        let name = part.name.text.as_str();
        let twice = || fault(format!("`{name}` is said twice"));
        match name {
            LgrSettings::NAME if self.lgr.is_some() => return Err(twice()),
            LgrSettings::NAME => self.lgr = Some(visit::read(text, part)?),
            DecisiveSettings::NAME if self.decisive.is_some() => return Err(twice()),
            DecisiveSettings::NAME => self.decisive = Some(visit::read(text, part)?),
            _ => {
                let mut policy = named_policy(name).ok_or_else(|| fault(unknown_policy(name)))?;
                if *chosen {
                    return Err(fault("an agent has one playout policy".to_string()));
                }
                *chosen = true;
                let part = match policy {
                    PolicyConfig::Features(_) => &part.with_file_first(),
                    _ => part,
                };
                visit::read_into(text, part, |reader| policy.describe(reader))?;
                if matches!(&policy, PolicyConfig::Features(settings) if settings.file.is_none()) {
                    return Err(fault("`features` needs a file: `features(hex.toml)`".to_string()));
                }
                self.base = policy;
            }
        }
        Ok(())
    }

    fn write(&self, out: &mut String, between: &str, form: Form) {
        let mut begun = !out.is_empty();
        let mut next = |out: &mut String| {
            if std::mem::replace(&mut begun, true) {
                out.push_str(between);
            }
        };
        let plain = self.lgr.is_none() && self.decisive.is_none() && out.is_empty();
        if self.base != PolicyConfig::default() || plain || form == Form::Full {
            next(out);
            let mut usual = named_policy(self.base.name()).unwrap_or_default();
            let mut ours = self.base.clone();
            form.write(out, self.base.name(), |d| ours.describe(d), |d| usual.describe(d));
        }
        if let Some(mut lgr) = self.lgr {
            next(out);
            let mut usual = LgrSettings::default();
            form.write(out, LgrSettings::NAME, |d| lgr.describe(d), |d| usual.describe(d));
        }
        if let Some(mut decisive) = self.decisive {
            next(out);
            let mut usual = DecisiveSettings::default();
            let name = DecisiveSettings::NAME;
            form.write(out, name, |d| decisive.describe(d), |d| usual.describe(d));
        }
    }
}

/// The usual settings of the policy with this name. The papers' names for variants of PPA are known too.
fn named_policy(name: &str) -> Option<PolicyConfig> {
    let features = PpaSettings { features: true, ..PpaSettings::default() };
    match name {
        "ppaf" => Some(PolicyConfig::Ppa(features)),
        "ppafm" => Some(PolicyConfig::Ppa(PpaSettings { memorize: true, ..features })),
        _ => PolicyConfig::all().into_iter().find(|policy| policy.name() == name),
    }
}

fn policy_names() -> Vec<&'static str> {
    let policies = PolicyConfig::all();
    let mut names: Vec<_> = policies.iter().map(PolicyConfig::name).collect();
    names.extend(["ppaf", "ppafm", LgrSettings::NAME, DecisiveSettings::NAME]);
    names
}

fn unknown_policy(name: &str) -> String {
    if search::usual(name).is_some() || name == "random" {
        return format!("`{name}` can only come first");
    }
    let names = policy_names();
    let meant = match closest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", visit::list(&names)),
    };
    format!("there is no playout policy `{name}`; {meant}")
}

impl FromStr for PlayoutSpec {
    type Err = SpecError;

    /// Reads a playout policy alone, such as `mast + decisive`.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (mut policy, mut chosen) = (PlayoutSpec::default(), false);
        for part in read_parts(text)? {
            policy.add(text, &part, &mut chosen)?;
        }
        Ok(policy)
    }
}

impl fmt::Display for PlayoutSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out, " + ", Form::Short);
        f.write_str(&out)
    }
}

/// How much of an agent is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// What is not as usual.
    Short,
    /// Every setting.
    Full,
}

impl Form {
    fn write(
        self,
        out: &mut String,
        name: &str,
        describe: impl FnMut(&mut dyn Describe),
        describe_usual: impl FnMut(&mut dyn Describe),
    ) {
        match self {
            Form::Short => visit::write(out, name, describe, describe_usual),
            Form::Full => visit::write(out, name, describe, |_| {}),
        }
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let parts = read_parts(text)?;
        match parts.split_last() {
            Some((last, before)) if last.name.text == LevelSettings::NAME && !before.is_empty() => {
                let level = visit::read(text, last)?;
                Ok(AgentSpec::Level(Box::new(read_agent(text, before)?), level))
            }
            _ => read_agent(text, &parts),
        }
    }
}

/// Reads an agent from the parts of its text.
fn read_agent(text: &str, parts: &[Part]) -> Result<AgentSpec, SpecError> {
    let (first, rest) = parts.split_first().expect("a text has at least one part");
    let fault = |part: &Part, message: String| SpecError {
        text: text.to_string(),
        span: part.name.span.clone(),
        message,
    };
    if let Some(spec) = without_search(text, first)? {
        return match rest.first() {
            Some(more) => {
                let name = &first.name.text;
                Err(fault(more, format!("nothing follows `{name}`")))
            }
            None => Ok(spec),
        };
    }
    if MinimaxSearch::named(&first.name.text).is_some() {
        let spec = MinimaxSpec::read(text, first, rest)?;
        return Ok(AgentSpec::Minimax(Box::new(spec)));
    }
    let Some(config) = search::usual(&first.name.text) else {
        return Err(fault(first, unknown_head(&first.name.text)));
    };
    let mut spec = SearchSpec { search: config, ..SearchSpec::default() };
    visit::read_into(text, first, |reader| spec.describe(reader))?;
    if spec.prior.as_ref().is_some_and(|prior| prior.file.is_none()) {
        return Err(fault(first, "a prior is `features(file)` or `eval`".to_string()));
    }
    if spec.start.as_ref().is_some_and(|start| start.file.is_none()) {
        return Err(fault(first, "playouts start from `features(file)`".to_string()));
    }
    let mut chosen = false;
    for part in rest {
        match part.name.text.as_str() {
            CutSettings::NAME if spec.cut.is_none() => {
                spec.cut = Some(visit::read(text, part)?);
            }
            EvalSpec::NAME if spec.eval.is_none() => {
                spec.eval = Some(EvalSpec::read_part(text, part)?);
            }
            name @ (CutSettings::NAME | EvalSpec::NAME) => {
                return Err(fault(part, format!("`{name}` is said twice")));
            }
            _ => spec.policy.add(text, part, &mut chosen)?,
        }
    }
    if let Some(part) = rest.iter().find(|part| part.name.text == EvalSpec::NAME)
        && !spec.judges()
    {
        let message = "nothing asks for `eval`: `uct + cut + eval(FILE)`, `uct(implicit=0.3) + eval(FILE)` and \
                       `uct(prior=eval) + eval(FILE)` do";
        return Err(fault(part, message.to_string()));
    }
    if let Some(part) = rest.iter().find(|part| part.name.text == CutSettings::NAME)
        && spec.policy != PlayoutSpec::default()
    {
        let message = "playouts that are cut are uniform: no policy goes with `cut`";
        return Err(fault(part, message.to_string()));
    }
    Ok(AgentSpec::Search(Box::new(spec)))
}

/// An agent that does not search, if the first part of a text names one.
fn without_search(text: &str, part: &Part) -> Result<Option<AgentSpec>, SpecError> {
    match part.name.text.as_str() {
        "random" => {
            visit::read_into(text, part, |_| {})?;
            Ok(Some(AgentSpec::Random))
        }
        AutoSettings::NAME => visit::read(text, part).map(AgentSpec::Auto).map(Some),
        EvolvedSpec::NAME => EvolvedSpec::read_part(text, part).map(AgentSpec::Evolved).map(Some),
        name if SCRIPTS.contains(&name) => Ok(Some(AgentSpec::Scripted(text.trim().to_string()))),
        _ => Ok(None),
    }
}

fn unknown_head(name: &str) -> String {
    let heads: Vec<&str> = search::SEARCHES
        .iter()
        .map(|(name, _)| *name)
        .chain([AlphaBetaSettings::NAME, BestFirstSettings::NAME, AutoSettings::NAME])
        .chain(["random", EvolvedSpec::NAME])
        .chain(SCRIPTS.iter().copied())
        .collect();
    if policy_names().contains(&name) {
        return format!("`{name}` needs a search before it: `uct + {name}`");
    }
    let meant = match closest(name, heads.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("an agent begins with {}", visit::list(&heads)),
    };
    format!("there is no search `{name}`; {meant}")
}

/// The text of a prior.
fn prior_text(settings: &FeaturesSettings) -> String {
    let (mut ours, mut usual) = (settings.clone(), FeaturesSettings::default());
    let mut out = String::new();
    let name = FeaturesSettings::NAME;
    visit::write(&mut out, name, |d| ours.describe(d), |d| usual.describe(d));
    out
}

/// A prior from its text; without a file where the text is none.
fn read_prior(text: &str) -> Option<FeaturesSettings> {
    match text.parse::<PlayoutSpec>().ok()?.base {
        PolicyConfig::Features(settings) => Some(settings),
        _ => None,
    }
}

impl SearchSpec {
    /// Whether the search judges positions.
    pub fn judges(&self) -> bool {
        self.cut.is_some() || self.judges_in_tree()
    }

    /// Whether it does so where it searches, not only where playouts are cut.
    pub(crate) fn judges_in_tree(&self) -> bool {
        self.prior_judged || self.search.implicit > 0.0
    }

    /// Whoever says what learning playouts start from; refused where the policy learns no weights of plain codes.
    pub(crate) fn start_judge(
        &self,
        start: &FeaturesSettings,
        game: &dyn Game,
    ) -> Result<ludex_game::features::Judge, GameError> {
        let policy = self.policy.base.build(game);
        if policy.weights().is_none() || policy.coding() != ludex_game::Coding::Plain {
            let reason = "`start` is for playouts that learn weights of moves: `uct(start=features(file)) + ppa`";
            return Err(GameError::Options(reason.to_string()));
        }
        start.features()?.judge(game)
    }

    fn describe(&mut self, describe: &mut dyn Describe) {
        search::describe(&mut self.search, describe);
        let help = "a file of policies learned for opening positions";
        describe.text("initial", &mut self.initial, help);
        let mut prior = match self.prior_judged {
            true => Some(EvalSpec::NAME.to_string()),
            false => self.prior.as_ref().map(prior_text),
        };
        describe.text(
            "prior",
            &mut prior,
            "what moves are worth before they are tried: `features(file)`, or `eval` by the positions after them",
        );
        self.prior_judged = prior.as_deref().is_some_and(|text| text.trim() == EvalSpec::NAME);
        self.prior =
            prior.filter(|_| !self.prior_judged).map(|text| read_prior(&text).unwrap_or_default());
        let mut start = self.start.as_ref().map(prior_text);
        let help = "what playouts that learn start from: `features(file)`";
        describe.text("start", &mut start, help);
        self.start = start.map(|text| read_prior(&text).unwrap_or_default());
        let help = "how much a prior counts";
        describe.number("puct", &mut self.search.prior_weight, 0.0..=1e3, help);
        let help = "above 0: a prior as a bias of UCB1 that fades, by this much";
        describe.number("progressive", &mut self.search.progressive, 0.0..=1e3, help);
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Form::Short))
    }
}

impl AgentSpec {
    /// The text with every setting in it, also those that are as usual, and formulas instead of the files they
    /// came from. Results are kept under it, so that they stay apart when what is usual changes.
    pub fn full(&self) -> String {
        self.text(Form::Full)
    }

    fn text(&self, form: Form) -> String {
        let spec = match self {
            AgentSpec::Random => return "random".to_string(),
            AgentSpec::Scripted(text) => return text.clone(),
            AgentSpec::Evolved(spec) if form == Form::Full => return spec.full(),
            AgentSpec::Evolved(spec) => return spec.to_string(),
            AgentSpec::Level(agent, level) => {
                let (mut level, mut out) = (*level, agent.text(form) + " + ");
                visit::write(&mut out, LevelSettings::NAME, |d| level.describe(d), |_| {});
                return out;
            }
            AgentSpec::Auto(settings) => {
                let (mut ours, mut usual) = (*settings, AutoSettings::default());
                let mut out = String::new();
                form.write(
                    &mut out,
                    AutoSettings::NAME,
                    |d| ours.describe(d),
                    |d| usual.describe(d),
                );
                return out;
            }
            AgentSpec::Minimax(spec) if form == Form::Full => return spec.full(),
            AgentSpec::Minimax(spec) => return spec.to_string(),
            AgentSpec::Search(spec) => spec,
        };
        let name = search::name(&spec.search);
        let search = search::usual(name).unwrap_or_default();
        let mut usual = SearchSpec { search, ..SearchSpec::default() };
        let mut ours = (**spec).clone();
        let mut out = String::new();
        form.write(&mut out, name, |d| ours.describe(d), |d| usual.describe(d));
        spec.policy.write(&mut out, " + ", form);
        if let Some(mut cut) = spec.cut {
            out.push_str(" + ");
            let mut usual = CutSettings::default();
            form.write(&mut out, CutSettings::NAME, |d| cut.describe(d), |d| usual.describe(d));
        }
        if spec.judges() {
            match (form, &spec.eval) {
                (Form::Full, eval) => minimax::write_full(eval.as_ref(), &mut out),
                (Form::Short, Some(eval)) => {
                    out.push_str(" + ");
                    eval.write(&mut out);
                }
                (Form::Short, None) => {}
            }
        }
        out
    }
}

/// One part of an agent's text as people read about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHelp {
    /// Its name.
    pub name: &'static str,
    /// Its settings.
    pub settings: Vec<SettingHelp>,
}

/// All searches and policies with their settings.
pub fn catalogue() -> Vec<PartHelp> {
    let searches = search::SEARCHES.iter().map(|&(name, _)| {
        let mut spec =
            SearchSpec { search: search::usual(name).unwrap_or_default(), ..SearchSpec::default() };
        PartHelp { name, settings: visit::help(|d| spec.describe(d)) }
    });
    let policies = PolicyConfig::all().into_iter().map(|mut policy| PartHelp {
        name: policy.name(),
        settings: visit::help(|d| policy.describe(d)),
    });
    let modifiers = [
        PartHelp {
            name: LgrSettings::NAME,
            settings: visit::help(|d| LgrSettings::default().describe(d)),
        },
        PartHelp {
            name: DecisiveSettings::NAME,
            settings: visit::help(|d| DecisiveSettings::default().describe(d)),
        },
    ];
    let minimax = PartHelp {
        name: AlphaBetaSettings::NAME,
        settings: visit::help(|d| AlphaBetaSettings::default().describe(d)),
    };
    let best_first = PartHelp {
        name: BestFirstSettings::NAME,
        settings: visit::help(|d| BestFirstSettings::default().describe(d)),
    };
    let auto = PartHelp {
        name: AutoSettings::NAME,
        settings: visit::help(|d| AutoSettings::default().describe(d)),
    };
    let level = PartHelp {
        name: LevelSettings::NAME,
        settings: visit::help(|d| LevelSettings::default().describe(d)),
    };
    let cut = PartHelp {
        name: CutSettings::NAME,
        settings: visit::help(|d| CutSettings::default().describe(d)),
    };
    let eval = PartHelp {
        name: EvalSpec::NAME,
        settings: visit::help(|d| EvalSpec::default().describe(d)),
    };
    [auto]
        .into_iter()
        .chain(searches)
        .chain([minimax, best_first, eval, cut, level])
        .chain(policies)
        .chain(modifiers)
        .collect()
}
