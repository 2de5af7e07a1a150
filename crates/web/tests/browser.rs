//! The page in a real browser: starts the server and has `tests/browser` click through it. Needs Chromium, Node and
//! `npm install` in that folder; where one of them is missing the test says so and passes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

use ludex_arena::experiment::{Experiment, RunOptions, Share, Store, run};

/// Looks for a program on the path.
fn program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|path| path.is_file())
}

/// Plays matches of a small experiment into the folder's store.
fn play(folder: &Path, jobs: &[(usize, u64)]) {
    let text = r#"
title = "A small experiment"
games = ["tic-tac-toe", "hex --option \"Board Size/7x7\""]
matches = 3
simulations = 50
seed = 1
[agents]
search = "uct"
luck = "random"
[[pairings]]
agents = ["search", "luck"]
"#;
    let experiment = Experiment::read("small.toml", text).expect("an experiment");
    let store = Store::open(&folder.join("small.sqlite")).expect("a store");
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { threads: 1, folder, rules: None, stop: &stop, share: Share::Jobs(jobs) };
    run(&experiment, &store, options, &mut |_| {}).expect("matches");
}

/// A store with four of its six matches; the others are played when the file that this names is written.
fn experiments() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    play(folder.path(), &[(0, 0), (0, 1), (1, 0), (1, 1)]);
    let (place, go_on) = (folder.path().to_path_buf(), folder.path().join("go-on"));
    let wanted = go_on.clone();
    std::thread::spawn(move || {
        while !wanted.exists() {
            std::thread::sleep(Duration::from_millis(100));
        }
        play(&place, &[(0, 2), (1, 2)]);
    });
    (folder, go_on)
}

fn start(experiments: &Path) -> String {
    let (send, receive) = mpsc::channel();
    let experiments = experiments.to_path_buf();
    std::thread::spawn(move || {
        let settings = ludex_web::page::Settings {
            address: ([127, 0, 0, 1], 0).into(),
            folders: ludex_web::page::Folders {
                library: std::env::var_os("LUDEX_LIBRARY").map(PathBuf::from),
                experiments: Some(experiments),
                agents: None,
            },
            seed: 1,
        };
        let told = ludex_web::page::run(settings, |link| drop(send.send(link.to_string())));
        told.expect("the server runs");
    });
    receive.recv().expect("a link")
}

/// Says so even where what tests print is kept back.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "the page was not tried in a browser: {why}");
}

#[test]
fn people_can_use_the_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let Some(chromium) = program(&["chromium", "chromium-browser", "google-chrome"]) else {
        return skipped("no Chromium on the path");
    };
    let Some(node) = program(&["node"]) else { return skipped("no Node on the path") };
    if !folder.join("node_modules/playwright-core").is_dir() {
        return skipped(&format!("`npm install` was not run in {}", folder.display()));
    }
    let (store, go_on) = experiments();
    let status = Command::new(node)
        .args(["--test", "page.test.mjs", "table.test.mjs", "games.test.mjs"])
        .current_dir(&folder)
        .env("LUDEX_LINK", start(store.path()))
        .env("LUDEX_GO_ON", go_on)
        .env("LUDEX_CHROMIUM", chromium)
        .status()
        .expect("node runs");
    assert!(status.success(), "a browser test failed");
}
