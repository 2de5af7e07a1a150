//! `ludex check`: rules files read and compiled, with what is wrong or not supported.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ludex_arena::catalog::{CatalogError, compile_kif, read_components};
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::advice::advise;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::{Game, Rng, Turn};
use ludex_lang::diagnostic::{Diagnostic, Severity};
use serde::Serialize;

use crate::cli::CheckArgs;
use crate::output::{json_line, table};

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    status: &'static str,
    reason: String,
    playout: &'static str,
    machine: &'static str,
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defines = match &args.defs {
        Some(folder) => Defines::read(folder)?,
        None => Defines::none(),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folder = false;
    for path in &args.files {
        match path.is_dir() {
            true => {
                folder = true;
                files_below(path, "lud", &mut files)?;
                files_below(path, "kif", &mut files)?;
            }
            false => files.push(path.clone()),
        }
    }
    if files.is_empty() {
        anyhow::bail!("no rules files (.lud or .kif) there");
    }
    if args.all_options {
        return super::variants::run(args, &defines, &files, out);
    }
    let mut counts = [0usize; 3];
    let mut refusals = Refusals::default();
    for file in &files {
        let name = file.display().to_string();
        let Finding { game, status, reason, explained, warnings, playout, machine, refusal } =
            examine(file, &defines, &args.options, !folder)?;
        refusals.note(machine, refusal, &game);
        let row = Row { file: name.clone(), game, status, reason, playout, machine };
        if !folder && !args.json {
            write!(out, "{warnings}")?;
        }
        let at = ["ok", "unsupported", "error"].iter().position(|s| *s == row.status);
        counts[at.unwrap_or(2)] += 1;
        match (args.json, folder) {
            _ if args.why && row.status == "ok" => {}
            (true, _) => json_line(out, &row)?,
            (false, true) => writeln!(out, "{:<12} {}  {}", row.status, row.file, row.reason)?,
            (false, false) if row.status == "ok" => writeln!(out, "ok  {} ({name})", row.game)?,
            (false, false) => write!(out, "{explained}")?,
        }
    }
    if args.why {
        refusals.print(args, out)?;
    }
    if folder && !args.json {
        let [ok, unsupported, wrong] = counts;
        writeln!(out, "{ok} compiled, {unsupported} unsupported, {wrong} failed")?;
    }
    let clean = counts[1] == 0 && counts[2] == 0;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Why games are not played by a faster machine, and which.
#[derive(Default)]
struct Refusals {
    machines: BTreeMap<&'static str, usize>,
    games: BTreeMap<String, Vec<String>>,
}

/// A reason, and the games it keeps out.
#[derive(Serialize)]
struct Refused<'a> {
    refusal: &'a str,
    count: usize,
    games: &'a [String],
}

/// So many games are named beside each reason.
const EXAMPLES: usize = 4;

impl Refusals {
    fn note(&mut self, machine: &'static str, refusal: String, game: &str) {
        if !machine.is_empty() {
            *self.machines.entry(machine).or_default() += 1;
        }
        if !refusal.is_empty() {
            self.games.entry(refusal).or_default().push(game.to_string());
        }
    }

    /// Reasons that keep most games out come first.
    fn print(&self, args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut all: Vec<(&String, &Vec<String>)> = self.games.iter().collect();
        all.sort_by_key(|(_, games)| std::cmp::Reverse(games.len()));
        if args.json {
            return all.into_iter().try_for_each(|(refusal, games)| {
                json_line(out, &Refused { refusal, count: games.len(), games })
            });
        }
        let mut reasons = table(&["games", "why no faster machine", "such as"], &[0]);
        for (refusal, games) in all {
            let examples = games[..games.len().min(EXAMPLES)].join(", ");
            reasons.add_row([games.len().to_string(), refusal.clone(), examples]);
        }
        writeln!(out, "{reasons}")?;
        let machines = self.machines.iter().map(|(name, games)| format!("{name} {games}"));
        writeln!(out, "Played by: {}", machines.collect::<Vec<_>>().join(", "))?;
        Ok(())
    }
}

/// What was found in a file.
#[derive(Clone, Default)]
struct Finding {
    game: String,
    status: &'static str,
    reason: String,
    /// The reason with its place in the text.
    explained: String,
    /// What is worth knowing about a description that can be played.
    warnings: String,
    /// How it is played out.
    playout: &'static str,
    /// By which machine.
    machine: &'static str,
    /// Why by no faster one.
    refusal: String,
}

impl Finding {
    fn ok(game: String) -> Finding {
        Finding { game, status: "ok", playout: "listing", ..Finding::default() }
    }
}

/// Reads and compiles a file: ludemes, GDL, or the components of 7 Wonders.
/// Of a single file a designer also hears what a few random games show.
fn examine(
    file: &Path,
    defines: &Defines,
    options: &[String],
    alone: bool,
) -> anyhow::Result<Finding> {
    let loaded = match file.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => read_components(file).map(|_| Finding::ok("7-wonders".to_string())),
        Some("kif") => compile_kif(file, None).map(|compiled| {
            let game = compiled.into_game();
            play_a_while(&*game);
            let info = game.info();
            let refusal = info.refusal.clone();
            let (playout, machine) = (info.playout.name(), info.machine.name());
            Finding { playout, machine, refusal, ..Finding::ok(info.name.clone()) }
        }),
        Some("lud") => return examine_ludemes(file, defines, options, alone),
        // Whoever names a file of another kind by mistake is told so, and not what is wrong with it as rules.
        _ if file.exists() => anyhow::bail!(
            "{} is a file of another kind; rules are in .lud and .kif files, components of 7 Wonders in .toml files",
            file.display()
        ),
        _ => return examine_ludemes(file, defines, options, alone),
    };
    Ok(match loaded {
        Ok(finding) => finding,
        Err(CatalogError::Faulty(faulty)) => Finding {
            status: "error",
            reason: faulty.findings.first().map_or(String::new(), |found| found.message.clone()),
            explained: format!("error: {faulty}"),
            ..Finding::default()
        },
        Err(CatalogError::Game(error)) => Finding {
            status: "unsupported",
            reason: error.to_string(),
            explained: format!("unsupported: {error} ({})\n", file.display()),
            ..Finding::default()
        },
        Err(error) => return Err(error.into()),
    })
}

/// Plies of the random playout that shows whether a GDL game plays.
const PLIES: u32 = 100;

/// Plays at random for a while: what cannot be played fails here.
fn play_a_while(game: &dyn Game) {
    let (mut state, mut rng) = (game.start(), Rng::seeded(1));
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..PLIES {
        joint.clear();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => joint.push(game.sample_chance(&state, &mut rng)),
            Turn::Players(players) => {
                for player in players {
                    moves.clear();
                    game.moves(&state, player, &mut moves);
                    joint.push(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
        }
        game.apply(&mut state, &joint);
    }
}

fn examine_ludemes(
    file: &Path,
    defines: &Defines,
    options: &[String],
    alone: bool,
) -> anyhow::Result<Finding> {
    let text = read_text(file)?;
    Ok(match defines.compile(&text, options) {
        Ok(game) => {
            let name = game.name.to_string();
            let explain =
                |warning: &Diagnostic| defines.explain(warning, &file.display().to_string(), &text);
            let warnings = game.warnings.iter().map(explain).collect();
            let finding = Finding { warnings, playout: "", ..Finding::ok(name) };
            ludex_kernel::fastest(game).map_or(finding.clone(), |game| {
                let info = game.info();
                let (playout, machine) = (info.playout.name(), info.machine.name());
                let mut warnings = finding.warnings.clone();
                if alone {
                    warnings.extend(advise(&text, &*game).iter().map(explain));
                }
                let refusal = info.refusal.clone();
                Finding { warnings, playout, machine, refusal, ..finding }
            })
        }
        Err(error) => Finding {
            status: match error.severity {
                Severity::Unsupported => "unsupported",
                _ => "error",
            },
            reason: error.message.clone(),
            explained: defines.explain(&error, &file.display().to_string(), &text),
            ..Finding::default()
        },
    })
}
