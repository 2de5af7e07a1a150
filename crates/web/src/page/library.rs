//! The user's library of games: a folder with `lud/` and `def/`.

use std::path::{Component, Path, PathBuf};

use ludex_arena::ArenaError;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_desk::Library;

/// Descriptions below a folder. Nothing outside it can be read, whatever a path says.
pub struct Folder {
    games: PathBuf,
    paths: Vec<String>,
    defines: Defines,
}

impl Folder {
    /// Looks through a folder that holds `lud/` and `def/`, or descriptions alone.
    pub fn new(folder: &Path) -> Result<Folder, ArenaError> {
        let (games, defines) = (folder.join("lud"), folder.join("def"));
        let games = if games.is_dir() { games } else { folder.to_path_buf() };
        let games = games.canonicalize().map_err(|error| ArenaError::file(&games, error))?;
        let defines = match defines.is_dir() {
            true => Defines::read(&defines)?,
            false => Defines::none(),
        };
        let mut files = Vec::new();
        files_below(&games, "lud", &mut files)?;
        let below = |file: &PathBuf| Some(file.strip_prefix(&games).ok()?.to_str()?.to_string());
        let paths = files.iter().filter_map(below).collect();
        Ok(Folder { games, paths, defines })
    }
}

impl Library for Folder {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn text(&self, path: &str) -> Option<String> {
        let file = within(&self.games, path)
            .filter(|file| file.extension().is_some_and(|e| e == "lud"))?;
        read_text(&file).ok()
    }

    fn defines(&self) -> &Defines {
        &self.defines
    }
}

/// A file below a folder, by its path there; nothing for whatever leads out of it, links included.
pub fn within(folder: &Path, path: &str) -> Option<PathBuf> {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let folder = folder.canonicalize().ok()?;
    let file = folder.join(path).canonicalize().ok()?;
    (plain && file.starts_with(&folder) && file.is_file()).then_some(file)
}
