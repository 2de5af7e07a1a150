//! Broken and suspicious descriptions and the message each of them gets. `tests/broken` holds them; beside each
//! lies the message as golden text (`UPDATE_EXPECT=1` writes it anew; read it before it lands).
//! First lines `// choose: …` select options.

use expect_test::expect_file;
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::lud::{Library, read};
use ludex_lud::{Compiled, Ludemes, compile};
use std::path::{Path, PathBuf};

fn broken() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let files = std::fs::read_dir(folder).expect("the folder of broken descriptions");
    let paths = files.map(|file| file.expect("an entry").path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "lud")).collect();
    found.sort();
    found
}

/// What a designer reads who tries to play the description.
fn message(name: &str, text: &str) -> String {
    let choices = text.lines().map_while(|line| line.strip_prefix("// choose: "));
    let choices: Vec<String> = choices.map(str::to_owned).collect();
    let explain = |d: &Diagnostic| d.to_text(|_| text, |_| name);
    let compiled = read(text, SourceId(0), &Library::default(), &choices)
        .map_err(Box::new)
        .and_then(|description| compile(&description));
    let warnings = |game: &Compiled| game.warnings.iter().map(explain).collect::<String>();
    match compiled.map(|game| (warnings(&game), Ludemes::new(game))) {
        Err(diagnostic) => explain(&diagnostic),
        Ok((_, Err(error))) => format!("error: {error}\n"),
        Ok((warnings, Ok(_))) if !warnings.is_empty() => warnings,
        Ok((_, Ok(_))) => "no fault found\n".to_owned(),
    }
}

#[test]
fn every_fault_gets_its_message() {
    let files = broken();
    assert!(files.len() >= 25, "only {} broken descriptions", files.len());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let found = message(&name, &text);
        assert!(found != "no fault found\n", "{name} is not broken");
        expect_file![path.with_extension("txt")].assert_eq(&found);
    }
}
