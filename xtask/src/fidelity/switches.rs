//! Which check notices a switch: `cargo xtask fidelity --switches`.
//!
//! Each switch of each release is set to a value of another one, and recordings, Kafka's own cases,
//! scenarios and goldens of that release are held against it until one fails. The table goes to
//! docs/fidelity.md. A switch that nothing notices is one that nobody reads, or whose test is
//! missing.

use super::against::Against;
use super::{conformance, json_below, read, scenarios, trace};
use crate::error::Error;
use crate::repo;
use highwater_core::settings::rules::SWITCHES;
use highwater_core::settings::{Release, Rules};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;

/// Comes with the release alone.
const NOT_SET: &str = "coordination";
const BEGIN: &str = "<!-- switches: written by `cargo xtask fidelity --switches` -->";
const END: &str = "<!-- end of switches -->";

/// Where recordings and cases are.
const DATA: [&str; 2] = ["fidelity", "fidelity/own"];

/// A check that can be made with something set against the release.
enum Check {
    Trace(Value),
    Scenario(String),
    /// Its history counts, too.
    Golden(String),
}

/// The checks of one release that pass as it is.
struct Home {
    release: Release,
    checks: Vec<(String, Check)>,
    /// Kafka's own cases that pass, by era.
    cases: BTreeSet<String>,
}

/// Plays everything and writes the table.
pub fn write_table() -> Result<(), Error> {
    let homes = Release::ALL.into_iter().map(Home::of).collect::<Result<Vec<_>, _>>()?;
    let jobs = (0..SWITCHES.len()).filter(|s| SWITCHES[*s].name != NOT_SET);
    let jobs: Mutex<Vec<usize>> = Mutex::new(jobs.rev().collect());
    let rows: Mutex<BTreeMap<usize, Vec<Option<String>>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(switch) = { jobs.lock().expect("no panic").pop() } {
                    let row = homes.iter().map(|home| home.notices(switch)).collect();
                    rows.lock().expect("no panic").insert(switch, row);
                }
            });
        }
    });
    let rows = rows.into_inner().expect("no panic");
    let silent: Vec<&str> = rows
        .iter()
        .filter(|(_, row)| row.iter().all(Option::is_none))
        .map(|(switch, _)| SWITCHES[*switch].name)
        .collect();
    let table = table(&rows);
    println!("{table}");
    let page = repo::path("docs/fidelity.md");
    let text = repo::read(&page)?;
    let parts = text.split_once(BEGIN).and_then(|(a, b)| Some((a, b.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| Error::new("docs/fidelity.md has no such table"))?;
    repo::write(&page, format!("{before}{BEGIN}\n{table}{END}{after}"))?;
    if silent.is_empty() {
        Ok(())
    } else {
        Err(Error::new(format!("nothing notices {}", silent.join(", "))))
    }
}

fn table(rows: &BTreeMap<usize, Vec<Option<String>>>) -> String {
    let mut table = String::from("| switch |");
    Release::ALL.iter().for_each(|release| _ = write!(table, " {release} |"));
    table.push_str("\n|---|---|---|---|---|---|---|\n");
    for (switch, row) in rows {
        let _ = write!(table, "| `{}` |", SWITCHES[*switch].name);
        for cell in row {
            let _ = write!(table, " {} |", cell.as_deref().unwrap_or("–"));
        }
        table.push('\n');
    }
    table
}

impl Home {
    fn of(release: Release) -> Result<Home, Error> {
        let mut checks = Vec::new();
        let mut recordings = Vec::new();
        for folder in DATA {
            recordings.extend(json_below(&repo::path(folder).join("traces"))?);
        }
        for file in recordings {
            let recording = read(&file).map_err(Error::new)?;
            if recording["kafka"].as_str().is_some_and(|version| trace::is_of(version, release)) {
                checks.push((stem(&file), Check::Trace(recording)));
            }
        }
        let folders =
            ["www/scenarios", "fidelity/reports", "core/tests/golden", "core/tests/faults"];
        for (folder, is_golden) in folders.map(|f| (f, f.ends_with("golden"))) {
            let is_script = |p: &Path| p.is_dir() || p.extension().is_some_and(|e| e == "hw");
            for file in repo::files_below(&repo::path(folder), &is_script)? {
                let text = repo::read(&file)?;
                if scenarios::release_of(&text) == Some(release) {
                    let check = if is_golden { Check::Golden(text) } else { Check::Scenario(text) };
                    checks.push((stem(&file), check));
                }
            }
        }
        checks.retain(|(_, check)| check.passes(Against::default()));
        let cases = cases_that_pass(release, Against::default())?;
        Ok(Home { release, checks, cases })
    }

    /// The first check that fails when the switch has a value of another release.
    fn notices(&self, switch: usize) -> Option<String> {
        let own = |release| Rules::of(release, true).get(switch);
        let values: BTreeSet<usize> = Release::ALL.into_iter().filter_map(own).collect();
        let words = SWITCHES[switch].values.len();
        // Some values lie between the six releases.
        let values = if values.len() > 1 { values } else { (0..words).collect() };
        let others = values.into_iter().filter(|value| Some(*value) != own(self.release));
        let mut others = others.map(|value| Against(Some((switch, value))));
        others.find_map(|against| self.first_to_fail(against))
    }

    fn first_to_fail(&self, against: Against) -> Option<String> {
        let traces = self.checks.iter().filter(|(_, check)| matches!(check, Check::Trace(_)));
        let scripts = self.checks.iter().filter(|(_, check)| !matches!(check, Check::Trace(_)));
        let failing = |(_, check): &&(String, Check)| !check.passes(against);
        let named = |(name, _): &(String, Check)| name.clone();
        let case = || {
            let still = cases_that_pass(self.release, against).ok()?;
            self.cases.iter().find(|id| !still.contains(*id)).cloned()
        };
        traces.clone().find(failing).map(named).or_else(case).or_else(|| {
            let mut scripts = scripts;
            scripts.find(failing).map(named)
        })
    }
}

fn cases_that_pass(release: Release, against: Against) -> Result<BTreeSet<String>, Error> {
    let mut passing = BTreeSet::new();
    for folder in DATA {
        let folder = repo::path(folder).join("conformance");
        let all = conformance::all_of(&folder, release, against)?;
        passing.extend(all.filter(|(_, result)| result.is_ok()).map(|(id, _)| id));
    }
    Ok(passing)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

impl Check {
    fn passes(&self, against: Against) -> bool {
        match self {
            Check::Trace(recording) => trace::check(recording, against).is_ok(),
            Check::Scenario(text) => scenarios::holds(&against.written_into(text)),
            Check::Golden(text) => {
                let other = against.written_into(text);
                scenarios::holds(&other) && scenarios::history(&other) == scenarios::history(text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_has_a_row_and_a_check_that_notices_it() {
        let page = repo::read(&repo::path("docs/fidelity.md")).expect("the page");
        let (_, table) = page.split_once(BEGIN).expect("its table");
        let (table, _) = table.split_once(END).expect("the end of its table");
        let row =
            |name: &str| table.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        for switch in SWITCHES.iter().filter(|s| s.name != NOT_SET) {
            let row = row(switch.name).unwrap_or_else(|| panic!("no row of {}", switch.name));
            let cells = row.split('|').skip(2).map(str::trim).filter(|cell| !cell.is_empty());
            let mut noticing = cells.filter(|cell| *cell != "–");
            assert!(noticing.next().is_some(), "nothing notices {}", switch.name);
        }
        assert_eq!(
            table.lines().filter(|line| line.starts_with("| `")).count(),
            SWITCHES.len() - 1
        );
    }
}
