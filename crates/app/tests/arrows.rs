//! Data goes one way: no crate may depend on one to its right.

use std::process::Command;

/// What each crate may use of ours, straight from the architecture.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ludex-lang", &[]),
    ("ludex-game", &[]),
    ("ludex-board", &[]),
    ("ludex-gdl", &["lang", "game"]),
    ("ludex-lud", &["lang", "board", "game"]),
    ("ludex-kernel", &["game", "lud"]),
    ("ludex-draw", &["game"]),
    ("ludex-games", &["game", "board"]),
    ("ludex-play", &["lang", "game"]),
    ("ludex-arena", &["lang", "game", "board", "gdl", "lud", "kernel", "games", "draw", "play"]),
    ("ludex-judge", &["lang", "game", "kernel", "games", "draw", "play", "arena"]),
    ("ludex-desk", &["lang", "game", "gdl", "lud", "kernel", "games", "draw", "play", "arena"]),
    (
        "ludex-web",
        &["lang", "game", "board", "gdl", "lud", "games", "draw", "play", "arena", "desk"],
    ),
    (
        "ludex-laws",
        &["lang", "game", "gdl", "lud", "kernel", "games", "play", "arena", "judge", "desk", "web"],
    ),
    (
        "ludex",
        &[
            "lang", "game", "board", "gdl", "lud", "kernel", "games", "draw", "play", "arena",
            "judge", "web",
        ],
    ),
    (
        "ludex-py",
        &["lang", "game", "board", "gdl", "lud", "games", "draw", "play", "arena", "judge"],
    ),
];

#[test]
fn no_arrow_points_the_wrong_way() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() >= ALLOWED.len());
    for package in packages {
        let name = package["name"].as_str().expect("name");
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            panic!("{name} has no place in the architecture");
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let wanted = dependency["name"].as_str().expect("name");
            // Tests may look anywhere to the left or right.
            let for_tests = dependency["kind"].as_str() == Some("dev");
            let ours = wanted.strip_prefix("ludex-").or((wanted == "ludex").then_some("app"));
            if let Some(room) = ours.filter(|_| !for_tests) {
                assert!(allowed.contains(&room), "{name} must not use {wanted}");
            }
        }
    }
}

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .args(["--manifest-path", "../../Cargo.toml"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// Whoever runs or tests the rest needs no Python: what is built for it is no default member, and has no tests of Cargo's.
#[test]
fn nothing_else_needs_python() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let python = packages.iter().find(|package| package["name"] == "ludex-py").expect("py");
    let usual = metadata["workspace_default_members"].as_array().expect("default members");
    assert!(!usual.contains(&python["id"]));
    for target in python["targets"].as_array().expect("targets") {
        assert_eq!((&target["test"], &target["doctest"]), (&false.into(), &false.into()));
    }
}
