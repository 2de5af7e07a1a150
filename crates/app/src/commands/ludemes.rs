//! `ludex ludemes`: the reference of the ludeme language.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_lang::lud::examples::Id;
use ludex_lang::lud::reference::{self, Answer};

use crate::cli::LudemesArgs;

pub fn run(args: &LudemesArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(library) = &args.count {
        return count(library, out);
    }
    let Some(name) = &args.name else {
        let all = if args.markdown { reference::page() } else { reference::text() };
        write!(out, "{all}")?;
        return Ok(ExitCode::SUCCESS);
    };
    match reference::look_up(name) {
        Answer::Found(text) => {
            write!(out, "{text}")?;
            if let Some(library) = &args.library {
                list(name, library, out)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Answer::Near(names) if names.is_empty() => {
            anyhow::bail!("there is no ludeme or word `{name}`; `ludex ludemes` lists all")
        }
        Answer::Near(names) => {
            anyhow::bail!("there is no ludeme or word `{name}`; did you mean {}?", names.join(", "))
        }
    }
}

/// So many games are named where a ludeme stands.
const NAMED: usize = 5;

/// The games of a library in which each ludeme stands, by name; descriptions that cannot be read are left out.
fn standing(library: &Path) -> anyhow::Result<BTreeMap<Id, Vec<String>>> {
    let defines = Defines::read(&library.join("def"))?;
    let mut files = Vec::new();
    files_below(&library.join("lud"), "lud", &mut files)?;
    let mut all: BTreeMap<Id, Vec<String>> = BTreeMap::new();
    for file in &files {
        // Tests of the language are no games.
        let inner = file.strip_prefix(library.join("lud")).unwrap_or(file);
        if inner.starts_with("test") {
            continue;
        }
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        for id in defines.ludemes(&read_text(file)?).unwrap_or_default() {
            all.entry(id).or_default().extend(name.clone());
        }
    }
    for games in all.values_mut() {
        games.sort();
        games.dedup();
    }
    Ok(all)
}

/// Writes the table of uses that the reference is printed with.
fn count(library: &Path, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    for ((kind, key), games) in standing(library)? {
        let some = &games[..games.len().min(NAMED)];
        writeln!(out, "{kind}\t{key}\t{}\t{}", games.len(), some.join(" | "))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists every game of a library in which a ludeme of this name stands.
fn list(name: &str, library: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let asked = reference::ids(name);
    for ((kind, key), games) in standing(library)? {
        if asked.contains(&(kind, key)) {
            writeln!(out, "\n({}) as {kind}, {} games:", key.replace('.', " "), games.len())?;
            games.iter().try_for_each(|game| writeln!(out, "    {game}"))?;
        }
    }
    Ok(())
}
