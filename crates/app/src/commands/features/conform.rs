//! `ludex features conform`: our features against recorded ones.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use ludex_arena::features::conform::{Conformity, conform, games};
use ludex_arena::ludemes::Defines;
use serde::Serialize;

use super::ConformArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row<'r> {
    game: &'r str,
    ok: bool,
    checked: u64,
    wrong: u64,
    reason: &'r str,
}

pub(super) fn run(args: &ConformArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defines = Defines::read(&args.library.join("def"))?;
    let mut keys = games(&args.data)?;
    keys.retain(|key| args.only.is_empty() || args.only.contains(key));
    if keys.is_empty() {
        anyhow::bail!("no records (boards/*.json) there");
    }
    let (mut passed, mut failed, mut moves) = (0, 0, 0);
    compare(args, &defines, &keys, |found| {
        match found.ok() {
            true => passed += 1,
            false => failed += 1,
        }
        moves += found.moves;
        print(args, &found, out)
    })?;
    if !args.json {
        writeln!(out, "{moves} legal moves")?;
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(args: &ConformArgs, found: &Conformity, out: &mut dyn Write) -> anyhow::Result<()> {
    let Conformity { game, checked, wrong, reason, .. } = found;
    let ok = found.ok();
    match ok {
        _ if args.json => {
            json_line(out, &Row { game, ok, checked: *checked, wrong: *wrong, reason })?
        }
        true => writeln!(out, "ok      {game} ({checked} compared)")?,
        false => writeln!(out, "FAILED  {game}: {wrong} of {checked} differ: {reason}")?,
    }
    Ok(out.flush()?)
}

/// Compares games on all processors and gives each to `done` as soon as it is there.
fn compare(
    args: &ConformArgs,
    defines: &Defines,
    keys: &[String],
    done: impl FnMut(Conformity) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(keys.len());
    let (next, (send, receive)) = (AtomicUsize::new(0), mpsc::channel());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while let Some(key) = keys.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if send.send(conform(defines, &args.library, &args.data, key)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        receive.into_iter().try_for_each(done)
    })
}
