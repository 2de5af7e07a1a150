//! Features against recorded ones: boards of every kind, a sample of the games.
//! All of them: `ludex features conform --library LIBRARY DATA`.

use std::path::{Path, PathBuf};
use std::process::Command;

use ludex_arena::features::conform::{conform, games};
use ludex_arena::ludemes::Defines;

/// Squares, hexagons, triangles, points, stars, three players, captures, pieces of several kinds.
const SAMPLE: [&str; 12] = [
    "TicTacToe",
    "PongHauKi",
    "MuTorere",
    "Kaooa",
    "RoundMerels",
    "NineMensMorris",
    "ThreePlayerHex",
    "Yavalath",
    "Reversi",
    "Knightthrough",
    "TripleTangle",
    "Jungle",
];

/// The records and the library, unpacked; `None` where there are no archives.
fn unpacked() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archives =
        [shared.join("features/features.tar.xz"), shared.join("oracle/ludii/library.tar.xz")];
    if !archives.iter().all(|archive| archive.exists()) {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("features-sample");
    if folder.join("done").exists() {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).ok()?;
    for archive in archives {
        let mut tar = Command::new("tar");
        let done = tar.arg("-xJf").arg(&archive).arg("-C").arg(&folder).status();
        assert!(done.is_ok_and(|status| status.success()), "cannot unpack {}", archive.display());
    }
    std::fs::write(folder.join("done"), "").ok()?;
    Some(folder)
}

#[test]
fn the_sample_is_as_recorded() {
    let Some(folder) = unpacked() else {
        eprintln!("skipped: no recorded features at ../shared/features");
        return;
    };
    let defines = Defines::read(&folder.join("def")).expect("the defines of the library");
    let data = folder.join("features");
    let known = games(&data).expect("the records");
    for game in SAMPLE {
        assert!(known.iter().any(|key| key == game), "{game} is not recorded");
        let found = conform(&defines, &folder, &data, game);
        assert!(found.ok(), "{game}: {} of {}: {}", found.wrong, found.checked, found.reason);
        assert!(found.moves > 0);
    }
}
