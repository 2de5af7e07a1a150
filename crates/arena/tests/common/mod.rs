//! What several tests need: archives that are not part of the project, unpacked.
//!
//! Each test that includes this uses some of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The recorded matches of the GDL oracle; `None` where there are none.
pub fn gdl_records() -> Option<PathBuf> {
    unpacked("oracle/gdl/oracle.tar.xz", "gdl-oracle")
}

/// The library of ludeme games; `None` where there is none.
pub fn ludeme_library() -> Option<PathBuf> {
    unpacked("oracle/ludii/library.tar.xz", "ludeme-library")
}

/// Ground truth about patterns and the boards they are on; `None` where there is none.
pub fn feature_data() -> Option<PathBuf> {
    unpacked("features/features.tar.xz", "feature-data").map(|folder| folder.join("features"))
}

/// An archive, unpacked once for all tests; `None` where it is not there. `LUDEX_SHARED` says where to look instead
/// of beside the workspace.
fn unpacked(archive: &str, name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archive = shared.join(archive);
    if !archive.exists() {
        eprintln!("skipped: no {}", archive.display());
        return None;
    }
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let unpacked = temporary.join(name);
    if unpacked.join("done").exists() {
        return Some(unpacked);
    }
    // Tests run side by side: each unpacks for itself and whoever is ready first leaves it to the others.
    let aside = tempfile::tempdir_in(temporary).ok()?;
    let tar = Command::new("tar").arg("-xJf").arg(&archive).arg("-C").arg(aside.path()).status();
    if !tar.is_ok_and(|status| status.success()) {
        return None;
    }
    std::fs::write(aside.path().join("done"), "").ok()?;
    let _ = std::fs::rename(aside.path(), &unpacked);
    unpacked.join("done").exists().then_some(unpacked)
}
