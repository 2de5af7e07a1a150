//! Data goes one way: no crate may depend on one to its right.

use std::process::Command;

/// What each crate may use of ours, straight from the architecture.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ludex-lang", &[]),
    ("ludex-game", &["ludex-lang"]),
    ("ludex-games", &["ludex-game"]),
    ("ludex-play", &["ludex-game"]),
    ("ludex-arena", &["ludex-lang", "ludex-game", "ludex-games", "ludex-play"]),
    ("ludex", &["ludex-lang", "ludex-game", "ludex-games", "ludex-play", "ludex-arena"]),
];

#[test]
fn no_arrow_points_the_wrong_way() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
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
            if wanted.starts_with("ludex") && !for_tests {
                assert!(allowed.contains(&wanted), "{name} must not use {wanted}");
            }
        }
    }
}
