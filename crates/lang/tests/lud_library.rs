//! Every description of the reference library reads, expands and checks.

use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{self, Library, check};
use std::path::{Path, PathBuf};

fn files(dir: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
    out.sort();
}

#[test]
fn the_library_reads_and_checks() {
    let Ok(root) = std::env::var("LUDEX_LIBRARY") else {
        eprintln!("skipped: set LUDEX_LIBRARY to a folder with lud/ and def/");
        return;
    };
    let root = Path::new(&root);
    let (mut luds, mut defs) = (Vec::new(), Vec::new());
    files(&root.join("lud"), "lud", &mut luds);
    let shared = std::env::var("LUDEX_SHARED").map_or_else(
        |_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    if let Ok(table) = std::fs::read_to_string(shared.join("oracle/ludii/all_games.csv")) {
        let kept = |path: &PathBuf| {
            let name = path.strip_prefix(root.join("lud")).map(|p| p.display().to_string());
            name.is_ok_and(|name| {
                table.contains(&format!("\n{name},")) || table.contains(&format!("\n\"{name}\","))
            })
        };
        luds.retain(kept);
    }
    files(&root.join("def"), "def", &mut defs);
    let texts: Vec<String> = defs.iter().map(|p| read(p)).collect();
    let library = Library::read(texts.iter().map(String::as_str), SourceId(1)).expect("defines");
    let mut failed = 0;
    for path in &luds {
        let text = read(path);
        let result = lud::read(&text, SourceId(0), &library, &[]).and_then(|description| {
            let kind = match description.game.head() {
                Some("match") => "Match",
                _ => "Game",
            };
            check::check(&description.game, kind, &description.expansions)
        });
        if let Err(error) = result {
            failed += 1;
            let text_of = |source: SourceId| match source.0 {
                0 => text.as_str(),
                n => texts[n as usize - 1].as_str(),
            };
            let name = path.display().to_string();
            println!("{}", error.to_text(text_of, |_| &name));
        }
    }
    println!("{} of {} failed", failed, luds.len());
    assert_eq!(failed, 0);
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned()
}
