//! Where things are in the repository, and how its files are read and written.

use crate::error::{Context, Error};
use std::fs;
use std::path::{Path, PathBuf};

/// The repository's own folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// A place in the repository.
pub fn path(relative: &str) -> PathBuf {
    root().join(relative)
}

/// Where cargo builds; also what `serve` serves is built there.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| path("target"), |dir| root().join(dir))
}

/// The text of a file.
pub fn read(file: &Path) -> Result<String, Error> {
    fs::read_to_string(file).context(format_args!("cannot read {}", file.display()))
}

/// Writes a file, and the folders above it.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let folder = file.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).context(format_args!("cannot make {}", folder.display()))?;
    fs::write(file, content).context(format_args!("cannot write {}", file.display()))
}

/// All files below a folder whose path `keep` wants, in order; folders that it does not want are
/// not entered.
pub fn files_below(folder: &Path, keep: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).context(format_args!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry.context(format_args!("cannot list {}", folder.display()))?.path();
        if !keep(&path) {
            continue;
        }
        if path.is_dir() {
            found.extend(files_below(&path, keep)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
