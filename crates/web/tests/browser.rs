//! The page in a real browser: starts the server and has `tests/browser` click through it. Needs Chromium, Node and
//! `npm install` in that folder; where one of them is missing the test says so and passes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;

use ludex_arena::experiment::{Experiment, RunOptions, Share, Store, run};

/// Looks for a program on the path.
fn program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|path| path.is_file())
}

/// A store with a part of its matches, for the page to show.
fn experiments() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
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
    let store = Store::open(&folder.path().join("small.sqlite")).expect("a store");
    // Four of six matches, as if it had been broken off.
    let stop = AtomicBool::new(false);
    let share = Share::Jobs(&[(0, 0), (0, 1), (1, 0), (1, 1)]);
    let options = RunOptions { threads: 1, folder: folder.path(), rules: None, stop: &stop, share };
    run(&experiment, &store, options, &mut |_| {}).expect("matches");
    folder
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

#[test]
fn people_can_use_the_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let Some(chromium) = program(&["chromium", "chromium-browser", "google-chrome"]) else {
        return eprintln!("skipped: no Chromium on the path");
    };
    let Some(node) = program(&["node"]) else { return eprintln!("skipped: no Node on the path") };
    if !folder.join("node_modules/playwright-core").is_dir() {
        return eprintln!("skipped: `npm install` was not run in {}", folder.display());
    }
    let store = experiments();
    let status = Command::new(node)
        .args(["--test", "page.test.mjs", "games.test.mjs"])
        .current_dir(&folder)
        .env("LUDEX_LINK", start(store.path()))
        .env("LUDEX_STORE", "small.sqlite")
        .env("LUDEX_CHROMIUM", chromium)
        .status()
        .expect("node runs");
    assert!(status.success(), "a browser test failed");
}
