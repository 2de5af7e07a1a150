//! `ludex check --all-options`: every game that a description offers, compiled and played.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use cpu_time::ThreadTime;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::read_text;
use ludex_arena::ludemes::variants::{
    Extent, Played, Variant, VariantKind, play_randomly, variants,
};
use ludex_game::Rng;
use ludex_lang::diagnostic::Severity;
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
    games: u32,
    plies: u64,
}

/// What came of one file.
struct Summary {
    file: String,
    /// Variants by status, in the order of `STATUSES`.
    counts: Counts,
    /// What was not ok, in words.
    faults: Vec<String>,
}

/// What a variant may come to: `slow` is what had no fault in the time it was given. What the description rules
/// out itself is an `error`.
const STATUSES: [&str; 5] = ["ok", "slow", "unsupported", "error", "fault"];

/// Variants by status.
type Counts = [usize; STATUSES.len()];

/// A file, its text and the variants that are looked at.
type Offer<'a> = (&'a Path, String, Vec<Variant>);

pub fn run(
    args: &CheckArgs,
    defines: &Defines,
    files: &[PathBuf],
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let descriptions = files.iter().filter(|file| file.extension().is_some_and(|e| e == "lud"));
    let mut offers: Vec<Offer<'_>> = Vec::new();
    for file in descriptions {
        let text = read_text(file)?;
        let mut offered = match defines.offers(&text) {
            Ok((options, rulesets)) => variants(&options, &rulesets, args.seed),
            Err(_) => vec![Variant { kind: VariantKind::Default, choices: Vec::new() }],
        };
        offered.retain(|variant| !args.singles || variant.kind != VariantKind::Combination);
        offers.push((file, text, offered));
    }
    let offered = offers.iter().map(|(.., variants)| variants.len()).sum();
    if let Some(sample) = args.sample {
        draw(&mut offers, offered, sample, args.seed);
    }
    let mut all = Vec::new();
    for (file, text, variants) in offers.iter().filter(|(.., variants)| !variants.is_empty()) {
        let summary = examine(args, defines, file, text, variants, out)?;
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
    let mut sums = [0; STATUSES.len()];
    for summary in &all {
        (0..sums.len()).for_each(|at| sums[at] += summary.counts[at]);
    }
    if !args.json {
        let [ok, slow, unsupported, wrong, faults] = sums;
        writeln!(
            out,
            "{ok} compiled and played, {slow} without a fault until their time was up, \
             {unsupported} unsupported, {wrong} ruled out by the description, {faults} faults"
        )?;
    }
    if let Some(path) = &args.coverage {
        write_section(path, &section(args, &all, sums, offered))?;
    }
    let clean = sums[2] == 0 && sums[4] == 0;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Leaves so many variants, each with the same chance, in their order.
fn draw(offers: &mut [Offer<'_>], offered: usize, sample: usize, seed: u64) {
    let mut rng = Rng::seeded(seed);
    let (mut left, mut wanted) = (offered, sample.min(offered));
    for (.., variants) in offers {
        variants.retain(|_| {
            let kept = (rng.below(left as u32) as usize) < wanted;
            left -= 1;
            wanted -= usize::from(kept);
            kept
        });
    }
}

fn examine(
    args: &CheckArgs,
    defines: &Defines,
    file: &Path,
    text: &str,
    variants: &[Variant],
    out: &mut dyn Write,
) -> anyhow::Result<Summary> {
    let name = file.display().to_string();
    let counts = [0; STATUSES.len()];
    let mut summary = Summary { file: name.clone(), counts, faults: Vec::new() };
    for variant in variants {
        let (status, reason, Played { games, plies }) = judge(args, defines, text, variant);
        let at = STATUSES.iter().position(|known| *known == status).unwrap_or(4);
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
            let reason = reason.as_str();
            json_line(out, &Row { file, options, kind, status, reason, games, plies })?;
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
) -> (&'static str, String, Played) {
    let none = Played::default();
    let extent = Extent { games: args.games, plies: args.plies, seed: args.seed };
    let act = || match defines.compile(text, &variant.choices) {
        Err(fault) if fault.severity == Severity::Unsupported => {
            ("unsupported", fault.message.clone(), none)
        }
        Err(fault) => ("error", fault.message.clone(), none),
        Ok(game) => match ludex_kernel::fastest(game) {
            Err(error) => ("unsupported", error.to_string(), none),
            Ok(game) => {
                let begun = ThreadTime::now();
                let played = play_randomly(&*game, extent, &mut || begun.elapsed() >= args.time);
                match played.games < args.games {
                    true => ("slow", format!("{} games in time", played.games), played),
                    false => ("ok", String::new(), played),
                }
            }
        },
    };
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(judged) => judged,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            ("fault", said.unwrap_or("a panic").to_string(), none)
        }
    }
}

/// Where the table of options begins in the page of coverage.
pub const HEADING: &str = "## Options and rulesets\n";

/// The table of all games with options.
fn section(args: &CheckArgs, all: &[Summary], sums: Counts, offered: usize) -> String {
    let [ok, slow, unsupported, wrong, faults] = sums;
    let seconds = args.time.as_secs_f64();
    let (mut flags, mut what) = (String::new(), String::new());
    match args.singles {
        true => flags += " --singles",
        false => what += ", and combinations of options up to 200 (else 200 drawn)",
    }
    if let Some(sample) = args.sample {
        flags += &format!(" --sample {sample} --seed {}", args.seed);
        what += &format!(" ({} drawn of {offered})", sums.iter().sum::<usize>());
    }
    let mut text = format!(
        "{HEADING}\nWritten by `ludex check DIR/lud --defs DIR/def --all-options{flags} --games {} --plies {} \
         --time {seconds}s --coverage docs/coverage.md`:\nthe default, every option and every ruleset of each \
         description{what}, compiled and played at random: so many games\nof at most so many plies, and the rest left \
         out after so much CPU time. What a description rules out itself is named.\n\n\
         | choices | compiled and played | time up, no fault | unsupported | ruled out | faults |\n\
         |---|---|---|---|---|---|\n| {} | {ok} | {slow} | {unsupported} | {wrong} | {faults} |\n\n",
        args.games,
        args.plies,
        sums.iter().sum::<usize>(),
    );
    text += "| game | choices | played | not played |\n|---|---|---|---|\n";
    // Of a sample only what did not play says something of a game.
    let telling = |summary: &&Summary| match args.sample {
        Some(_) => !summary.faults.is_empty(),
        None => summary.counts.iter().sum::<usize>() > 1,
    };
    for summary in all.iter().filter(telling) {
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

/// Puts the table into a page, in place of the one it had; what comes before and after it stays.
fn write_section(path: &Path, section: &str) -> anyhow::Result<()> {
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let (before, after) = match page.split_once(HEADING) {
        Some((before, old)) => (before, old.find("\n## ").map_or("", |at| &old[at..])),
        None => (page.as_str(), ""),
    };
    let page = format!("{}\n\n{section}{after}", before.trim_end());
    std::fs::write(path, page.trim_start())
        .with_context(|| format!("cannot write {}", path.display()))
}
