//! Whether the model does what Kafka does: `cargo xtask fidelity`.
//!
//! Each area holds data or scenarios against the core and counts what passed, what is disputed in
//! docs/fidelity.md, what asks for something that is not modelled, and all.

mod against;
pub mod clients;
mod conformance;
mod describe;
mod invariants;
mod scenarios;
mod switches;
mod tally;
mod trace;

use crate::error::{Context, Error};
use crate::repo;
use against::Against;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tally::{Disputed, Tally, Unmet};

/// The areas, in the order of the table.
const AREAS: [&str; 7] =
    ["traces", "clients", "conformance", "invariants", "describe", "anomalies", "reports"];

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut arguments =
        pico_args::Arguments::from_vec(arguments.iter().map(std::ffi::OsString::from).collect());
    let is_json = arguments.contains("--json");
    let is_of_switches = arguments.contains("--switches");
    let data: Option<PathBuf> =
        arguments.opt_value_from_str("--data").context("cannot read the arguments")?;
    let rest = arguments.finish();
    if !rest.is_empty() {
        return Err(Error::new(format!(
            "unknown arguments: {rest:?}; accepted: --json, --data DIR, --switches"
        )));
    }
    if let Some(folder) = data.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Error::new(format!("--data {}: no such folder", folder.display())));
    }
    if is_of_switches {
        return switches::write_table();
    }
    let disputed = Disputed::of(&repo::read(&repo::path("docs/fidelity.md"))?);
    // What is data may come from elsewhere; what is a scenario is the repository's own.
    let is_own = data.is_none();
    let folder = data.unwrap_or_else(|| repo::path("fidelity"));
    let mut areas: BTreeMap<&str, Tally> = AREAS.map(|name| (name, Tally::default())).into();
    areas.insert("traces", traces(&folder.join("traces"), &disputed)?);
    let clients = clients::all(&folder.join("clients"))?;
    note_all(areas.entry("clients").or_default(), clients, &disputed);
    let cases = conformance::all(&folder.join("conformance"))?;
    note_all(areas.entry("conformance").or_default(), cases, &disputed);
    let invariants = invariants::all(&folder.join("conformance/invariants.json"))?;
    note_all(areas.entry("invariants").or_default(), invariants, &disputed);
    let texts = describe::all(&folder.join("describe"))?;
    note_all(areas.entry("describe").or_default(), texts, &disputed);
    if is_own {
        let all = [("anomalies", scenarios::anomalies()), ("reports", reports()?)];
        for (area, checks) in all {
            note_all(areas.entry(area).or_default(), checks, &disputed);
        }
    }
    print(&areas, is_json);
    match areas.values().map(Tally::failed).sum::<usize>() {
        0 => Ok(()),
        failed => Err(Error::new(format!("{failed} checks failed"))),
    }
}

/// Replays every recording below a folder. A recording is named by its folder and file.
fn traces(folder: &Path, disputed: &Disputed) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    for file in json_below(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
        let result = read(&file).and_then(|trace| trace::check(&trace, Against::default()));
        tally.note(&name.to_string_lossy(), result.map_err(Unmet::from), disputed);
    }
    Ok(tally)
}

/// A check by name, with its outcome.
type Check<E = String> = (String, Result<(), E>);
type Checks = Vec<Check>;

/// Checks that are made when they are asked for are told one by one.
fn note_all<E>(tally: &mut Tally, checks: impl IntoIterator<Item = Check<E>>, disputed: &Disputed)
where
    Unmet: From<E>,
{
    for (name, result) in checks {
        tally.note(&name, result.map_err(Unmet::from), disputed);
    }
}

fn reports() -> Result<Checks, Error> {
    let all = read(&repo::path("fidelity/cases-shared.json")).map_err(Error::new)?;
    Ok(scenarios::reports(&all))
}

/// The JSON files below a folder; none if it does not exist.
fn json_below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    repo::files_below(folder, &|p| p.is_dir() || p.extension().is_some_and(|e| e == "json"))
}

fn read(file: &Path) -> Result<Value, String> {
    let text = repo::read(file).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn print(areas: &BTreeMap<&str, Tally>, is_json: bool) {
    if is_json {
        let line = AREAS.map(|name| {
            let Tally { passed, disputed, not_modelled, total } = &areas[name];
            let counts = json!({
                "passed": passed,
                "disputed": disputed,
                "not_modelled": not_modelled,
                "total": total,
            });
            (name.to_string(), counts)
        });
        println!("{}", Value::Object(line.into_iter().collect()));
        return;
    }
    let heads = ("area", "passed", "disputed", "not modelled", "total");
    println!("{:<12} {:>7} {:>9} {:>13} {:>7}", heads.0, heads.1, heads.2, heads.3, heads.4);
    for name in AREAS {
        let Tally { passed, disputed, not_modelled, total } = &areas[name];
        println!("{name:<12} {passed:>7} {disputed:>9} {not_modelled:>13} {total:>7}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test of the core: it does what real clusters did.
    #[test]
    fn recordings_are_replayed_as_recorded() {
        let page = repo::read(&repo::path("docs/fidelity.md")).expect("the page");
        let disputed = Disputed::of(&page);
        let tally = traces(&repo::path("fidelity/traces"), &disputed).expect("recordings");
        assert_eq!(tally.failed(), 0);
        assert_eq!((tally.total, tally.disputed), (182, 1));
        let own = traces(&repo::path("fidelity/own/traces"), &disputed).expect("recordings");
        assert_eq!(own.failed(), 0);
        assert_eq!((own.total, own.disputed), (143, 0));
    }

    /// Clients ask what real ones asked, as often, and hear what these heard.
    #[test]
    fn recordings_of_clients_are_replayed_as_recorded() {
        let page = repo::read(&repo::path("docs/fidelity.md")).expect("the page");
        let mut tally = Tally::default();
        let all = clients::all(&repo::path("fidelity/clients")).expect("recordings");
        note_all(&mut tally, all, &Disputed::of(&page));
        assert_eq!(tally.failed(), 0);
        assert_eq!((tally.total, tally.disputed), (16, 4));
    }

    #[test]
    fn our_own_cases_from_kafkas_tests_pass() {
        let cases = conformance::all(&repo::path("fidelity/own/conformance")).expect("cases");
        let page = repo::read(&repo::path("docs/fidelity.md")).expect("the page");
        let mut tally = Tally::default();
        note_all(&mut tally, cases, &Disputed::of(&page));
        assert_eq!((tally.failed(), tally.total), (0, 397));
    }
}
