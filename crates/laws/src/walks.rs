//! Rules that nobody wrote: made from the table of ludemes, or descriptions of real games with some of their parts
//! replaced by others of the same type. The compiler answers them, and whatever it compiles plays, the same in the
//! general form and in the machine.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use ludex_arena::catalog::GameSpec;
use ludex_game::conformance::{EACH_ONCE, Effort, agree, check_with};
use ludex_game::{Rng, erase, mix};
use ludex_judge::edit::{Keep, Pool, propose};
use ludex_judge::sheet::{Sheet, tidied};
use ludex_kernel::kernel;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};

use crate::drawn;
use crate::mutants::Bytes;

/// What came of a description.
pub enum Came {
    /// Nothing: it was refused.
    Refused,
    /// A game that the general evaluator plays.
    General,
    /// A game with a machine.
    Kernel,
}

/// Goes through a game in all its forms side by side.
pub fn walk(text: &str, seed: u64) -> Came {
    let read = read(text, SourceId(0), &Library::default(), &[]).map_err(Box::new);
    let compiled = match read.and_then(|description| compile(&description)) {
        Ok(compiled) => compiled,
        Err(found) => {
            assert!(!found.to_text(|_| text, |_| "drawn").is_empty());
            return Came::Refused;
        }
    };
    let once = tidied(text);
    assert_eq!(once, tidied(&once), "written out twice it is the same");
    let Ok(general) = Ludemes::new(compiled) else { return Came::Refused };
    let kernel = kernel(&general);
    let general = erase(general);
    let other = kernel.as_deref().unwrap_or(&*general);
    if let Err(fault) = agree(&*general, other, &mut Rng::seeded(seed), 24) {
        panic!("{fault}\n{text}");
    }
    // The laws within one form: what is counted is what is listed, whatever is drawn is legal.
    let effort = Effort { games: 1, plies: 12, draws: 0, playouts: 0 };
    // A description may offer the same move in two ways, and then it counts twice in every form, as in the reference.
    if let Err(fault) = check_with(other, seed, effort)
        && fault.law != EACH_ONCE
    {
        panic!("{fault}\n{text}");
    }
    if kernel.is_ok() { Came::Kernel } else { Came::General }
}

/// The descriptions below a folder.
fn descriptions(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            descriptions(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "lud") {
            out.push(path);
        }
    }
}

/// Real games as they may be edited: those that come with the program, or those of the library that `LUDEX_LIBRARY` names.
pub fn games() -> Vec<GameSpec> {
    let Some(library) = std::env::var_os("LUDEX_LIBRARY").map(PathBuf::from) else {
        let names = ludex_games::ludemes::DESCRIPTIONS.iter();
        return names.map(|(name, _)| GameSpec::named(format!("{name}.lud"))).collect();
    };
    let mut files = Vec::new();
    descriptions(&library.join("lud"), &mut files);
    files.sort();
    let spec = |file: PathBuf| {
        let mut spec = GameSpec::named(file.display().to_string());
        spec.defs = Some(library.join("def"));
        spec
    };
    files.into_iter().map(spec).collect()
}

/// A description with some of its parts replaced, as a seed has it.
pub fn edited(games: &[GameSpec], pool: &Pool, seed: u64) -> String {
    let mut rng = Rng::seeded(mix(seed));
    loop {
        let game = &games[rng.below(games.len() as u32) as usize];
        let Ok(Some(mut sheet)) = Sheet::of(game) else { continue };
        for _ in 0..1 + rng.below(4) {
            let edited = propose(&sheet, pool, &Keep::default(), &mut rng);
            // What cannot be read any more is the matter of other laws.
            sheet = edited.and_then(Sheet::read).unwrap_or(sheet);
        }
        return sheet.text;
    }
}

/// Anything will do: the bytes choose.
pub fn seeds() -> Vec<String> {
    (0..40).map(|length| "Ludex plays what it is given. ".repeat(4)[length..].to_string()).collect()
}

/// Rules drawn from the table of ludemes, as the bytes choose, play the same in all forms.
pub fn drawn_walks(bytes: &[u8]) {
    walk(&drawn::description(&mut Bytes(bytes)), bytes.len() as u64);
}

/// Real games with parts replaced, as the bytes choose, play the same in all forms.
pub fn edited_walks(bytes: &[u8]) {
    static GAMES: LazyLock<(Vec<GameSpec>, Pool)> = LazyLock::new(|| (games(), Pool::built_in()));
    let (games, pool) = &*GAMES;
    let seed = bytes.iter().fold(0, |seed, &byte| mix(seed ^ u64::from(byte)));
    walk(&edited(games, pool, seed), seed);
}
