//! The map of docs/ARCHITECTURE.md holds: a module of the core imports only from floors below its
//! own, and the kernel from nothing but words and settings.

use std::fs;
use std::path::{Path, PathBuf};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
const MAP: &str = include_str!("../../docs/ARCHITECTURE.md");

/// Every module with its floor, as the table of the map has them.
fn floors() -> Vec<(String, u32)> {
    let rows = MAP.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.parse::<u32>().ok()?, cells.next()?))
    });
    let named = rows.flat_map(|(floor, modules)| {
        modules.split(", ").map(move |m| (m.trim_matches('`').to_owned(), floor))
    });
    named.collect()
}

fn files_below(place: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(place).expect("a folder that can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The modules that a file names by their full path.
fn named_in(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
        rest.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).next().unwrap_or_default()
    })
}

#[test]
fn a_floor_imports_only_from_the_floors_below_it() {
    let floors = floors();
    let floor = |module: &str| floors.iter().find(|(m, _)| m == module).map(|(_, f)| *f);
    let mut seen = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(SOURCE).expect("the core's source") {
        let path = entry.expect("an entry").path();
        let module = path.file_stem().and_then(|m| m.to_str()).expect("a name").to_owned();
        if module == "lib" {
            continue;
        }
        let own = floor(&module).unwrap_or_else(|| panic!("{module} is not on the map"));
        let mut files = Vec::new();
        files_below(&path, &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file");
            for other in named_in(&text).filter(|other| *other != module) {
                seen += 1;
                if floor(other).is_some_and(|other| other >= own) {
                    wrong.push(format!("{} imports {other}", file.display()));
                }
            }
        }
    }
    assert!(seen > 400, "only {seen} imports were seen");
    assert_eq!(wrong, Vec::<String>::new());
}
