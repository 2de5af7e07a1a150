//! Rules that nobody wrote: made from the table of ludemes, or descriptions of real games with some of their parts
//! replaced by others of the same type. The compiler answers them, and whatever it compiles plays, the same in the
//! general form and in the kernel. Each test runs for a second, or for `LUDEX_FUZZ_SECONDS`; `LUDEX_FUZZ_SEED` is where
//! it begins. `LUDEX_LIBRARY` names a folder with `lud/` and `def/` whose games are edited instead of the built-in ones.

mod drawn;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_arena::catalog::GameSpec;
use ludex_game::conformance::{Effort, agree, check_with};
use ludex_game::{Rng, erase, mix};
use ludex_judge::edit::{Keep, Pool, propose};
use ludex_judge::sheet::{Sheet, tidied};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::kernel::kernel;
use ludex_lud::{Ludemes, compile};

/// What came of a description.
enum Came {
    Refused,
    General,
    Kernel,
}

fn walk(text: &str, seed: u64) -> Came {
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
        panic!("{fault}");
    }
    // The laws within one form: what is counted is what is listed, whatever is drawn is legal.
    let effort = Effort { games: 1, plies: 12, draws: 0, playouts: 0 };
    if let Err(fault) = check_with(other, seed, effort) {
        panic!("{fault}");
    }
    if kernel.is_ok() { Came::Kernel } else { Came::General }
}

/// Rules may take the processor for so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// Tells which rules do not end, and ends the test: after a multiple of what they may take, for the processor may be busy.
fn watch(now: Arc<AtomicU64>, text: impl Fn(u64) -> String + Send + 'static) {
    std::thread::spawn(move || {
        let (mut seen, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let seed = now.load(Ordering::Relaxed);
            if seed == u64::MAX {
                return;
            } else if seed != seen {
                (seen, since) = (seed, Instant::now());
            } else if since.elapsed() > 6 * PATIENCE {
                eprintln!("seed {seed} does not end:\n{}", text(seed));
                std::process::exit(1);
            }
        }
    });
}

/// Walks through what is drawn for as long as is asked, and says how many were refused, have no kernel, have one.
fn draw(text: impl Fn(u64) -> String + Clone + Send + 'static) -> [u64; 3] {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seconds = asked("LUDEX_FUZZ_SECONDS").unwrap_or(1);
    let mut seed: u64 = asked("LUDEX_FUZZ_SEED").unwrap_or(0);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut counts = [0u64; 3];
    let now = Arc::new(AtomicU64::new(seed));
    watch(now.clone(), text.clone());
    while Instant::now() < end {
        seed += 1;
        now.store(seed, Ordering::Relaxed);
        let text = text(seed);
        let began = ThreadTime::now();
        let came = catch_unwind(AssertUnwindSafe(|| walk(&text, seed)));
        assert!(began.elapsed() < PATIENCE, "seed {seed} is slow:\n{text}");
        match came {
            Ok(came) => counts[came as usize] += 1,
            Err(_) => panic!("seed {seed}:\n{text}"),
        }
    }
    now.store(u64::MAX, Ordering::Relaxed);
    let [refused, general, kernel] = counts;
    println!("{refused} refused, {general} in general form, {kernel} in both, up to seed {seed}");
    assert!(general + kernel > 0, "nothing compiles: {refused} refused");
    counts
}

#[test]
fn drawn_rules_are_answered_and_play_alike_in_all_forms() {
    draw(|seed| drawn::description(&mut Rng::seeded(mix(seed))));
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

/// Real games as they may be edited: those that come with the program, or those of a library.
fn games() -> Vec<GameSpec> {
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

#[test]
fn edited_rules_are_answered_and_play_alike_in_all_forms() {
    let (games, pool) = (Arc::new(games()), Arc::new(Pool::built_in()));
    let text = move |seed: u64| {
        let mut rng = Rng::seeded(mix(seed));
        loop {
            let game = &games[rng.below(games.len() as u32) as usize];
            let Ok(Some(mut sheet)) = Sheet::of(game) else { continue };
            for _ in 0..1 + rng.below(4) {
                let edited = propose(&sheet, &pool, &Keep::default(), &mut rng);
                // What cannot be read any more is the matter of other tests.
                sheet = edited.and_then(Sheet::read).unwrap_or(sheet);
            }
            return sheet.text;
        }
    };
    let [_, _, kernel] = draw(text);
    assert!(kernel > 0, "no edited game has a kernel");
}
