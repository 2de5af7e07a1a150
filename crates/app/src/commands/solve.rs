//! `ludex solve`: a deduction puzzle, its solution, and whether it is the only one.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::read_text;
use ludex_lud::{Compiled, MOST_VALUES, Solution, Verdict};
use serde::Serialize;

use crate::cli::SolveArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    /// `unique`, `several`, `none` or `unknown`.
    solutions: &'static str,
    /// Values by the names of sites.
    solution: Option<BTreeMap<String, i32>>,
    /// How many sites may have any value, since no constraint speaks of them.
    free: usize,
    seconds: f64,
}

pub fn run(args: &SolveArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defines = match &args.defs {
        Some(folder) => Defines::read(folder)?,
        None => Defines::none(),
    };
    let name = args.file.display().to_string();
    let text = read_text(&args.file)?;
    let game = match defines.compile(&text, &args.options) {
        Ok(game) => game,
        Err(fault) => {
            write!(out, "{}", defines.explain(&fault, &name, &text))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    let begun = Instant::now();
    let Some(verdict) = game.solve(&mut || begun.elapsed() >= args.time) else {
        anyhow::bail!("{name} is no deduction puzzle: it has no `(satisfy …)`");
    };
    let seconds = begun.elapsed().as_secs_f64();
    let (solutions, solution) = match &verdict {
        Verdict::Impossible => ("none", None),
        Verdict::Unique(solution) => ("unique", Some(solution)),
        Verdict::Several(solution, _) => ("several", Some(solution)),
        Verdict::Stopped(solution) => ("unknown", solution.as_ref()),
        Verdict::TooManyValues(_) => ("unknown", None),
    };
    if args.json {
        let values = |solution: &Solution| {
            solution.iter().map(|&(site, value)| (game.site_name(site), value)).collect()
        };
        let solution = solution.map(values);
        let (game, free) = (game.name.to_string(), game.free_sites());
        let row = Row { file: name, game, solutions, solution, free, seconds };
        json_line(out, &row)?;
    } else {
        tell(out, &game, &verdict, seconds)?;
    }
    Ok(if solution.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell(
    out: &mut dyn Write,
    game: &Compiled,
    verdict: &Verdict,
    seconds: f64,
) -> anyhow::Result<()> {
    let name = &game.name;
    match verdict {
        Verdict::Impossible => writeln!(out, "{name} has no solution ({seconds:.2} s)")?,
        Verdict::Unique(solution) => {
            writeln!(out, "{}", game.show_solution(solution))?;
            match game.free_sites() {
                0 => writeln!(out, "{name}: this is the only solution ({seconds:.2} s)")?,
                free => writeln!(
                    out,
                    "{name}: the only solution for the sites that constraints speak of; {free} more may have any value ({seconds:.2} s)"
                )?,
            }
        }
        Verdict::Several(one, other) => {
            writeln!(out, "{}", game.show_solution(one))?;
            let differ = one.iter().zip(other).filter(|(a, b)| a != b).count();
            writeln!(
                out,
                "{name}: not the only solution; another differs on {differ} sites ({seconds:.2} s)"
            )?;
        }
        Verdict::Stopped(Some(solution)) => {
            writeln!(out, "{}", game.show_solution(solution))?;
            writeln!(out, "{name}: whether it is the only solution was not found in time")?;
        }
        Verdict::Stopped(None) => writeln!(out, "{name}: no solution was found in time")?,
        Verdict::TooManyValues(values) => writeln!(
            out,
            "{name}: sites may have {values} values, and a solution can be looked for with at most {MOST_VALUES}"
        )?,
    }
    Ok(())
}
