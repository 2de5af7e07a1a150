//! `ludex check --all-options`: every game that a description offers, compiled and played.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::read_text;
use ludex_arena::ludemes::variants::{Variant, VariantKind, play_randomly, variants};
use ludex_lang::diagnostic::Severity;
use ludex_lud::kernel;
use serde::Serialize;

use crate::cli::CheckArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    options: &'a [String],
    kind: &'static str,
    status: &'static str,
    reason: &'a str,
    plies: u64,
}

/// What came of one file.
struct Summary {
    file: String,
    /// Variants by status, in the order of `STATUSES`.
    counts: [usize; 4],
    /// What was not ok, in words.
    faults: Vec<String>,
}

/// What a variant may come to. What the description rules out itself is an `error`.
const STATUSES: [&str; 4] = ["ok", "unsupported", "error", "fault"];

pub fn run(
    args: &CheckArgs,
    defines: &Defines,
    files: &[PathBuf],
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let mut all = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "lud")) {
        let summary = examine(args, defines, file, out)?;
        if !args.json {
            let [ok, ..] = summary.counts;
            let count: usize = summary.counts.iter().sum();
            writeln!(out, "{ok:>4} of {count:<4} {}", summary.file)?;
            for fault in &summary.faults {
                writeln!(out, "             {fault}")?;
            }
            out.flush()?;
        }
        all.push(summary);
    }
    let mut sums = [0; 4];
    for summary in &all {
        (0..4).for_each(|at| sums[at] += summary.counts[at]);
    }
    if !args.json {
        let [ok, unsupported, wrong, faults] = sums;
        writeln!(
            out,
            "{ok} compiled and played, {unsupported} unsupported, {wrong} ruled out by the \
             description, {faults} faults"
        )?;
    }
    if let Some(path) = &args.coverage {
        write_section(path, &section(args, &all, sums))?;
    }
    let clean = sums[1] == 0 && sums[3] == 0;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn examine(
    args: &CheckArgs,
    defines: &Defines,
    file: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<Summary> {
    let text = read_text(file)?;
    let name = file.display().to_string();
    let mut summary = Summary { file: name.clone(), counts: [0; 4], faults: Vec::new() };
    let mut all = match defines.offers(&text) {
        Ok((options, rulesets)) => variants(&options, &rulesets, args.seed),
        Err(_) => vec![Variant { kind: VariantKind::Default, choices: Vec::new() }],
    };
    all.retain(|variant| !args.singles || variant.kind != VariantKind::Combination);
    for variant in &all {
        let (status, reason, plies) = judge(args, defines, &text, variant);
        let at = STATUSES.iter().position(|known| *known == status).unwrap_or(2);
        summary.counts[at] += 1;
        if at > 0 {
            let choices = variant.choices.join(" + ");
            summary.faults.push(format!("{status} {choices}: {reason}"));
        }
        if args.json {
            let kind = match variant.kind {
                VariantKind::Default => "default",
                VariantKind::Single => "option",
                VariantKind::Ruleset => "ruleset",
                VariantKind::Combination => "combination",
            };
            let (file, options) = (name.as_str(), variant.choices.as_slice());
            json_line(out, &Row { file, options, kind, status, reason: &reason, plies })?;
        }
    }
    Ok(summary)
}

/// Compiles a variant and plays it at random. A panic is our mistake, and is told as one.
fn judge(
    args: &CheckArgs,
    defines: &Defines,
    text: &str,
    variant: &Variant,
) -> (&'static str, String, u64) {
    let act = || match defines.compile(text, &variant.choices) {
        Err(fault) if fault.severity == Severity::Unsupported => {
            ("unsupported", fault.message.clone(), 0)
        }
        Err(fault) => ("error", fault.message.clone(), 0),
        Ok(game) => match kernel::fastest(game) {
            Err(error) => ("unsupported", error.to_string(), 0),
            Ok(game) => {
                ("ok", String::new(), play_randomly(&*game, args.games, args.plies, args.seed))
            }
        },
    };
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(judged) => judged,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            ("fault", said.unwrap_or("a panic").to_string(), 0)
        }
    }
}

/// Where the table of options begins in the page of coverage.
pub const HEADING: &str = "## Options and rulesets\n";

/// The table of all games with options.
fn section(args: &CheckArgs, all: &[Summary], sums: [usize; 4]) -> String {
    let [ok, unsupported, wrong, faults] = sums;
    let combined = match args.singles {
        true => " --singles",
        false => "",
    };
    let mut text = format!(
        "{HEADING}\nWritten by `ludex check DIR/lud --defs DIR/def --all-options{combined} --coverage \
         docs/coverage.md`: the default, every option and\nevery ruleset of each description{}, compiled \
         and played {} times at random (up to {} plies a game). What the\ndescription rules out itself is \
         named below.\n\n| choices | compiled and played | unsupported | ruled out | faults |\n\
         |---|---|---|---|---|\n| {} | {ok} | {unsupported} | {wrong} | {faults} |\n\n",
        match args.singles {
            true => "",
            false => ", and combinations of options up to 200 (else 200 drawn)",
        },
        args.games,
        args.plies,
        ok + unsupported + wrong + faults,
    );
    text += "| game | choices | played | not played |\n|---|---|---|---|\n";
    for summary in all.iter().filter(|summary| summary.counts.iter().sum::<usize>() > 1) {
        let name = summary.file.split_once("/lud/").map_or(summary.file.as_str(), |(_, rest)| rest);
        let count: usize = summary.counts.iter().sum();
        let shown: Vec<&str> = summary.faults.iter().take(3).map(String::as_str).collect();
        let more = summary.faults.len().saturating_sub(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text += &format!(
            "| {} | {count} | {} | {}{more} |\n",
            name.trim_end_matches(".lud"),
            summary.counts[0],
            shown.join("; ").replace('|', "\\|"),
        );
    }
    text
}

/// Puts the table into a page, in place of the one it had.
fn write_section(path: &Path, section: &str) -> anyhow::Result<()> {
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let before = page.split_once(HEADING).map_or(page.as_str(), |(before, _)| before);
    let page = format!("{}\n\n{section}", before.trim_end());
    std::fs::write(path, page.trim_start())
        .with_context(|| format!("cannot write {}", path.display()))
}
