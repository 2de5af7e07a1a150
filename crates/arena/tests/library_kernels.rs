//! The kernels of a whole library of ludeme games are the same games as their general forms. The library is
//! looked for beside the workspace, or where `LUDEX_SHARED` says; without it the test says so and passes.
//! `LUDEX_KERNELS` chooses games by part of their path, `LUDEX_EVERY` how many are left out between two.

mod common;

use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::conformance::{agree, check_wins};
use ludex_game::{Rng, erase};
use ludex_kernel::kernel;
use ludex_lud::Ludemes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn library() -> Option<PathBuf> {
    let shared = std::env::var_os("LUDEX_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let places = [shared.join("oracle/ludii"), shared.join("../oracle/ludii")];
    places.into_iter().find(|place| place.join("lud").is_dir()).or_else(common::ludeme_library)
}

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn library_games_agree() {
    let Some(library) = library() else {
        eprintln!("skipped: no library of ludeme games is here (set LUDEX_SHARED)");
        return;
    };
    let defines = Defines::read(&library.join("def")).expect("defines");
    let mut files = Vec::new();
    files_below(&library.join("lud"), "lud", &mut files).expect("descriptions");
    let part = std::env::var("LUDEX_KERNELS").unwrap_or_default();
    files.retain(|file| file.to_string_lossy().contains(&part));
    let every = number("LUDEX_EVERY", 12);
    let (mut faults, mut reasons) = (Vec::new(), BTreeMap::<String, usize>::new());
    let mut kernels = 0;
    let began = Instant::now();
    for file in files.iter().step_by(every) {
        let text = read_text(file).expect("readable");
        let Ok(compiled) = defines.compile(&text, &[]) else {
            continue;
        };
        let Ok(general) = Ludemes::new(compiled) else {
            continue;
        };
        let kernel = match kernel(&general) {
            Ok(kernel) => kernel,
            Err(reason) => {
                *reasons.entry(reason.to_string()).or_default() += 1;
                continue;
            }
        };
        kernels += 1;
        let general = erase(general);
        let started = Instant::now();
        for seed in 0..3 {
            if started.elapsed() > Duration::from_millis(400) {
                break;
            }
            if let Err(fault) = agree(&*general, &*kernel, &mut Rng::seeded(seed), 60) {
                faults.push(format!("{}: {fault}", file.display()));
                break;
            }
        }
        if let Err(fault) = check_wins(&*kernel, 1, 200) {
            faults.push(format!("{}: {fault}", file.display()));
        }
    }
    let mut most: Vec<(usize, String)> = reasons.into_iter().map(|(r, n)| (n, r)).collect();
    most.sort_by(|a, b| b.cmp(a));
    eprintln!("{kernels} kernels in {:.0} s", began.elapsed().as_secs_f64());
    for (count, reason) in most.iter().take(number("LUDEX_REASONS", 40)) {
        eprintln!("{count:5}  {reason}");
    }
    assert!(faults.is_empty(), "{} of {kernels} differ:\n{}", faults.len(), faults.join("\n\n"));
}
