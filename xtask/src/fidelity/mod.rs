//! Whether the model does what real clusters did: `cargo xtask fidelity`.
//!
//! Recordings of the releases that the engine runs are replayed; those of the others are counted
//! and named as not run, never as passed.

mod trace;

use crate::error::{Context, Error};
use crate::repo;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The result of one folder of recordings.
#[derive(Default)]
struct Tally {
    passed: usize,
    total: usize,
    /// Of a release that the engine does not run.
    not_run: usize,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut arguments =
        pico_args::Arguments::from_vec(arguments.iter().map(std::ffi::OsString::from).collect());
    let json = arguments.contains("--json");
    let data: Option<PathBuf> =
        arguments.opt_value_from_str("--data").context("cannot read the arguments")?;
    let rest = arguments.finish();
    if !rest.is_empty() {
        return Err(Error::new(format!(
            "unknown arguments: {rest:?}; accepted: --json, --data DIR"
        )));
    }
    let folder = data.unwrap_or_else(|| repo::path("fidelity"));
    let tallies = traces(&folder.join("traces"))?;
    if json {
        print_json(&tallies);
    } else {
        print_table(&tallies);
    }
    match tallies.values().map(|t| t.total - t.passed).sum::<usize>() {
        0 => Ok(()),
        failed => Err(Error::new(format!("{failed} recordings are not replayed as recorded"))),
    }
}

/// Replays every recording below a folder, by the name of its own folder.
fn traces(folder: &Path) -> Result<BTreeMap<String, Tally>, Error> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    if !folder.exists() {
        return Ok(tallies);
    }
    let is_json = |p: &Path| p.is_dir() || p.extension().is_some_and(|e| e == "json");
    for file in repo::files_below(folder, &is_json)? {
        let group = file.parent().and_then(Path::file_name).unwrap_or_default();
        let tally = tallies.entry(group.to_string_lossy().into_owned()).or_default();
        let result = read(&file).and_then(|trace| trace::check(&trace).map(|()| true));
        match result {
            Ok(true) => {
                tally.passed += 1;
                tally.total += 1;
            }
            Ok(false) => tally.not_run += 1,
            Err(difference) => {
                tally.total += 1;
                eprintln!("{}: {difference}", file.display());
            }
        }
    }
    Ok(tallies)
}

fn read(file: &Path) -> Result<Value, String> {
    let text = repo::read(file).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn print_table(tallies: &BTreeMap<String, Tally>) {
    println!("{:<16} {:>7} {:>7} {:>8}", "recordings", "passed", "total", "not run");
    for (group, tally) in tallies {
        println!("{group:<16} {:>7} {:>7} {:>8}", tally.passed, tally.total, tally.not_run);
    }
}

fn print_json(tallies: &BTreeMap<String, Tally>) {
    let sum = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    let traces = serde_json::json!({
        "passed": sum(|t| t.passed),
        "total": sum(|t| t.total),
        "not_run": sum(|t| t.not_run),
    });
    println!("{}", serde_json::json!({ "traces": traces }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test of the core: today's release does what real clusters of it did.
    #[test]
    fn recordings_of_4_4_are_replayed_as_recorded() {
        let tallies = traces(&repo::path("fidelity/traces/4.4.0")).expect("readable recordings");
        let tally = &tallies["4.4.0"];
        assert_eq!((tally.passed, tally.not_run), (tally.total, 0));
        assert_eq!(tally.total, 35);
    }
}
