//! An experiment that is killed at any moment loses nothing that was finished and repeats nothing.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludex_arena::experiment::Store;

const FILE: &str = r#"
title = "To be killed"
games = ["breakthrough --size 6x6", "nogo --size 5x5"]
matches = 24
simulations = 60
seed = 5

[agents]
PPA = "uct + ppa"
UCT = "uct"
"#;
const PLANNED: usize = 48;

fn start(file: &Path, store: &Path, threads: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args([
            "run".as_ref(),
            file,
            "--store".as_ref(),
            store,
            "--threads".as_ref(),
            Path::new(threads),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

fn finished(store: &Path) -> Vec<String> {
    Store::open_to_read(store).and_then(|store| store.fingerprint()).unwrap_or_default()
}

#[test]
fn killed_three_times_it_ends_with_exactly_the_planned_matches() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.toml");
    std::fs::write(&file, FILE).unwrap();
    let (whole, killed) = (folder.path().join("whole.sqlite"), folder.path().join("killed.sqlite"));

    let begun = Instant::now();
    assert!(start(&file, &whole, "1").wait().unwrap().success());
    let alone = begun.elapsed();
    let expected = finished(&whole);
    assert_eq!(expected.len(), PLANNED);

    let mut kept = Vec::new();
    let mut random = u64::from(std::process::id()) ^ 0x9E37_79B9_7F4A_7C15;
    for _ in 0..3 {
        let mut child = start(&file, &killed, "2");
        random = ludex_game::mix(random.wrapping_add(1));
        // At a random moment of the first third, so that something is left for the next time.
        sleep(alone.mul_f64(0.33 * (random % 1000) as f64 / 1000.0) + Duration::from_millis(5));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = finished(&killed);
        assert!(kept.iter().all(|line| now.contains(line)), "a finished match was lost");
        assert!(now.iter().all(|line| expected.contains(line)), "a match came out differently");
        kept = now;
    }
    assert!(start(&file, &killed, "2").wait().unwrap().success());
    assert_eq!(finished(&killed), expected);
}
