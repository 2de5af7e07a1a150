//! What several tests need: the recorded matches of the GDL oracle.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The recorded matches, unpacked; `None` where there are none. `LUDEX_SHARED` says where to look instead
/// of beside the workspace.
pub fn gdl_records() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archive = shared.join("oracle/gdl/oracle.tar.xz");
    if !archive.exists() {
        return None;
    }
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let unpacked = temporary.join("gdl-oracle");
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
