//! `ludex check`: rules files read and compiled, with what is wrong or not supported.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ludex_arena::catalog::{CatalogError, compile_kif, read_components};
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::{Game, Rng, Turn};
use ludex_lang::diagnostic::Severity;
use ludex_lud::kernel;
use serde::Serialize;

use crate::cli::CheckArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    status: &'static str,
    reason: String,
    playout: &'static str,
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defines = match &args.defs {
        Some(folder) => Defines::read(folder)?,
        None => Defines::none(),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut table = false;
    for path in &args.files {
        match path.is_dir() {
            true => {
                table = true;
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
    for file in &files {
        let name = file.display().to_string();
        let Finding { game, status, reason, explained, warnings, playout } =
            examine(file, &defines, &args.options)?;
        let row = Row { file: name.clone(), game, status, reason, playout };
        if !table && !args.json {
            write!(out, "{warnings}")?;
        }
        let at = ["ok", "unsupported", "error"].iter().position(|s| *s == row.status);
        counts[at.unwrap_or(2)] += 1;
        match (args.json, table) {
            (true, _) => json_line(out, &row)?,
            (false, true) => writeln!(out, "{:<12} {}  {}", row.status, row.file, row.reason)?,
            (false, false) if row.status == "ok" => writeln!(out, "ok  {} ({name})", row.game)?,
            (false, false) => write!(out, "{explained}")?,
        }
    }
    if table && !args.json {
        let [ok, unsupported, wrong] = counts;
        writeln!(out, "{ok} compiled, {unsupported} unsupported, {wrong} failed")?;
    }
    let clean = counts[1] == 0 && counts[2] == 0;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was found in a file.
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
}

impl Finding {
    fn ok(game: String) -> Finding {
        Finding {
            game,
            status: "ok",
            reason: String::new(),
            explained: String::new(),
            warnings: String::new(),
            playout: "listing",
        }
    }
}

/// Reads and compiles a file: ludemes, GDL, or the components of 7 Wonders.
fn examine(file: &Path, defines: &Defines, options: &[String]) -> anyhow::Result<Finding> {
    let loaded = match file.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => read_components(file).map(|_| Finding::ok("7-wonders".to_string())),
        Some("kif") => compile_kif(file, None).map(|compiled| {
            let game = compiled.into_game();
            play_a_while(&*game);
            let info = game.info();
            Finding { playout: info.playout, ..Finding::ok(info.name.clone()) }
        }),
        _ => return examine_ludemes(file, defines, options),
    };
    Ok(match loaded {
        Ok(finding) => finding,
        Err(CatalogError::Faulty(faulty)) => Finding {
            playout: "",
            game: String::new(),
            status: "error",
            reason: faulty.findings.first().map_or(String::new(), |found| found.message.clone()),
            explained: format!("error: {faulty}"),
            warnings: String::new(),
        },
        Err(CatalogError::Game(error)) => Finding {
            playout: "",
            game: String::new(),
            status: "unsupported",
            reason: error.to_string(),
            explained: format!("unsupported: {error} ({})\n", file.display()),
            warnings: String::new(),
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

fn examine_ludemes(file: &Path, defines: &Defines, options: &[String]) -> anyhow::Result<Finding> {
    let text = read_text(file)?;
    Ok(match defines.compile(&text, options) {
        Ok(game) => {
            let name = game.name.to_string();
            let explain = |warning| defines.explain(warning, &file.display().to_string(), &text);
            let warnings = game.warnings.iter().map(explain).collect();
            let playout = kernel::fastest(game).map_or("", |game| game.info().playout);
            Finding { playout, warnings, ..Finding::ok(name) }
        }
        Err(error) => Finding {
            playout: "",
            game: String::new(),
            status: match error.severity {
                Severity::Unsupported => "unsupported",
                _ => "error",
            },
            reason: error.message.clone(),
            explained: defines.explain(&error, &file.display().to_string(), &text),
            warnings: String::new(),
        },
    })
}
