//! Compiles and replays a whole library: `lud_sweep LIBRARY [FILTER]`.
//!
//! Prints one line per game: path, status, reason.

use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_arena::ludemes::{Defines, Trial, replay};
use std::path::Path;

fn main() {
    let mut args = std::env::args().skip(1);
    let root = args.next().expect("a library");
    let filter = args.next().unwrap_or_default();
    let root = Path::new(&root);
    // `@FILE` names a file with one game per line.
    let listed = filter.strip_prefix('@').map(|file| read_text(Path::new(file)).expect("a list"));
    let defines = Defines::read(&root.join("def")).expect("defines");
    let mut trials = Vec::new();
    files_below(&root.join("trials"), "txt", &mut trials).expect("trials");
    let mut games: Vec<std::path::PathBuf> =
        trials.iter().filter_map(|t| t.parent().map(Path::to_owned)).collect();
    games.dedup();
    let (mut ok, mut refused, mut failed) = (0, 0, 0);
    for dir in games {
        let name = dir.strip_prefix(root.join("trials")).unwrap().display().to_string();
        let wanted = match &listed {
            Some(list) => list.lines().any(|line| line == name),
            None => name.contains(&filter),
        };
        if !wanted {
            continue;
        }
        let path = root.join("lud").join(format!("{name}.lud"));
        let Ok(text) = read_text(&path) else {
            println!("{name}\tmissing");
            continue;
        };
        let begun = std::time::Instant::now();
        let compiled = std::panic::catch_unwind(|| defines.compile(&text, &[]));
        let game = match compiled {
            Ok(Ok(game)) => game,
            Ok(Err(error)) => {
                refused += 1;
                println!("{name}\trefused\t{}: {}", error.severity.word(), error.message);
                continue;
            }
            Err(_) => {
                failed += 1;
                println!("{name}\tfailed\tpanic at load");
                continue;
            }
        };
        let load = begun.elapsed().as_millis();
        let mut reasons = Vec::new();
        for n in 0..2 {
            let Ok(text) = read_text(&dir.join(format!("RandomTrial_{n}.txt"))) else {
                continue;
            };
            let trial = Trial::parse(&text);
            let result = std::panic::catch_unwind(|| replay(&game, &trial));
            match result {
                Ok(Ok(())) => {}
                Ok(Err(m)) => reasons.push(format!("t{n} {:?}: {}", m.step, m.reason)),
                Err(_) => reasons.push(format!("t{n} panic")),
            }
        }
        let time = begun.elapsed().as_millis();
        if reasons.is_empty() {
            ok += 1;
            println!("{name}\tok\t{load} {time}");
        } else {
            failed += 1;
            println!("{name}\tfailed\t{load} {time}\t{}", reasons.join(" | "));
        }
    }
    println!("{ok} ok, {refused} refused, {failed} failed");
}
