//! Proofs ask the rules, never their printed form: a rename would change a printed proof without a word. Every
//! place of the compiler that prints a part of the rules or of the code must be one that writes a message.

use std::path::{Path, PathBuf};

/// Functions that may print: the names of rules in refusals.
const MAY_PRINT: [&str; 2] = ["name", "name_of"];

/// Folders of the compiler, below `src`.
const COMPILER: [&str; 6] = ["build", "code", "run", "seeds", "stones", "liberties"];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, out),
            false => out.push(path),
        }
    }
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("fn ")?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0).then(|| &rest[..end])
}

/// Lines that print something in full, with the function they stand in.
fn printing(text: &str) -> Vec<(usize, String)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let (mut inside, mut found) = (String::new(), Vec::new());
    for (number, line) in code.lines().enumerate() {
        if let Some(name) = function(line) {
            inside = name.to_string();
        }
        let message = line.contains("refuse(") || line.contains("Refusal::new(");
        if !message && (line.contains(":?}") || line.contains(":#?}")) {
            found.push((number + 1, inside.clone()));
        }
    }
    found
}

#[test]
fn no_proof_prints_a_rule() {
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    COMPILER.iter().for_each(|folder| sources(&kernel.join(folder), &mut files));
    assert!(files.len() > 40, "the compiler is elsewhere");
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for (line, inside) in printing(&text) {
            if !MAY_PRINT.contains(&&*inside) {
                wrong.push(format!("{}:{line} in {inside}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "rules are printed to decide something:\n{}", wrong.join("\n"));
}

#[test]
fn printing_is_found() {
    let text =
        "fn decides(rule: &Rule) -> bool {\n    format!(\"{rule:?}\").contains(\"Score(\")\n}\n";
    assert_eq!(printing(text), [(2, "decides".to_string())]);
}
