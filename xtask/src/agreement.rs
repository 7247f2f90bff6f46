//! One history everywhere: each script in the repository is played natively and by the engine that
//! is shipped, in Node, Chromium and Firefox; all must come to the same fingerprint. Where one does
//! not, both histories are read, and the first event that differs is shown.
//!
//! wasm has addresses of 32 bits: whatever depends on their width shows here. `www/test/agree.mjs`
//! plays the other half.

use crate::ensure::Browser;
use crate::error::{Context, Error};
use crate::{repo, shell};
use highwater_core::script;
use highwater_core::sim::Timeline;
use highwater_core::wire::{Event, Param};
use highwater_core::words::Node;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the scripts are that are played: goldens, faults, bundled scenarios, reports.
const FOLDERS: [&str; 4] =
    ["core/tests/golden", "core/tests/faults", "www/scenarios", "fidelity/reports"];

/// What stands for the fingerprint of a script that is refused: that must be so everywhere, too.
const REFUSED: &str = "refused";

/// Step `agreement` of `cargo xtask test`.
pub fn check() -> Result<(), Error> {
    let scripts = scripts()?;
    let native: Map<String, Value> = scripts
        .iter()
        .map(|(name, text)| {
            let fingerprint =
                played(text).map_or_else(|| REFUSED.to_owned(), |t| t.world().fingerprint());
            (name.clone(), json!({ "script": text, "fingerprint": fingerprint }))
        })
        .collect();
    let list = repo::target().join("agreement.json");
    repo::write(&list, Value::Object(native).to_string())?;
    let mut command = shell::command("node", &["www/test/agree.mjs", "dist"]);
    command.arg(&list);
    for browser in [Browser::Chromium, Browser::Firefox] {
        command.envs(browser.find().map(|file| (browser.variable(), file)));
    }
    let said = shell::catch(command)?;
    let differing = serde_json::from_str(said.lines().last().unwrap_or_default()).context(&said)?;
    let complaint = complaint(&scripts, &differing)?;
    if complaint.is_empty() { Ok(()) } else { Err(Error::new(complaint)) }
}

/// All scripts by name.
fn scripts() -> Result<BTreeMap<String, String>, Error> {
    let mut all = BTreeMap::new();
    for folder in FOLDERS {
        let is_script = |path: &std::path::Path| path.extension().is_some_and(|e| e == "hw");
        let files =
            repo::files_below(&repo::path(folder), &|path| path.is_dir() || is_script(path))?;
        for file in files {
            let name = file.strip_prefix(repo::root()).unwrap_or(&file).display().to_string();
            all.insert(name, repo::read(&file)?);
        }
    }
    Ok(all)
}

/// A script played to its end; `None` if it is refused.
fn played(text: &str) -> Option<Timeline> {
    let mut timeline = Timeline::new(script::parse(text).ok()?).ok()?;
    timeline.run_until(timeline.end());
    Some(timeline)
}

/// For each place and script that differ, the first event that does. `differing` has, by place and
/// name, the lines of the history there.
fn complaint(scripts: &BTreeMap<String, String>, differing: &Value) -> Result<String, Error> {
    let mut out = String::new();
    let places = differing.as_object().ok_or_else(|| Error::new("no places were compared"))?;
    for (place, histories) in places {
        for (name, lines) in histories.as_object().into_iter().flatten() {
            let native = scripts.get(name).and_then(|text| played(text));
            let native = native.map_or_else(|| vec![REFUSED.to_owned()], |t| history(&t));
            let there: Vec<&str> =
                lines.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let (ours, theirs) = first_difference(&native, &there);
            writeln!(
                out,
                "{name}: {place} has another history\n  native: {ours}\n  there:  {theirs}"
            )
            .expect("room for it");
        }
    }
    Ok(out)
}

fn first_difference<'a>(ours: &'a [String], theirs: &[&'a str]) -> (&'a str, &'a str) {
    let same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let ours = ours.get(same).map_or("(nothing more)", String::as_str);
    (ours, theirs.get(same).copied().unwrap_or("(nothing more)"))
}

/// A line for each event, periodic ones too, as `agree.mjs` writes it.
fn history(timeline: &Timeline) -> Vec<String> {
    timeline.tape().events().iter().map(|event| line(timeline, event)).collect()
}

fn line(timeline: &Timeline, event: &Event) -> String {
    let world = timeline.world();
    let node = world.node_name(event.node);
    let mut line = format!("{} {node} {}", event.at.0, event.kind.code());
    event.kind.visit(&mut |name, param| {
        let value = match param {
            Param::Partition(partition) => world.partition_name(partition),
            Param::Broker(broker) => broker.to_string(),
            Param::Brokers(list) => list.to_string(),
            Param::Client(client) => world.node_name(Node::Client(client)),
            Param::Node(node) => world.node_name(node),
            Param::Record(record) => timeline.tape().record(record).value.to_string(),
            Param::Number(-1) if name == "acks" => "all".to_owned(),
            Param::Number(number) => number.to_string(),
            Param::Time(time) => time.to_string(),
            Param::Error(error) => error.constant().to_owned(),
            Param::Word(word) | Param::Text(word) => word.to_owned(),
        };
        write!(line, " {name}={value}").expect("room for it");
    });
    line
}

#[cfg(test)]
mod tests {
    use super::{complaint, history, played};
    use serde_json::{Map, Value, json};
    use std::collections::BTreeMap;

    const SCRIPT: &str = "highwater 1\nbrokers 3\ntopic orders partitions=1 replicas=3\n\
        producer p1 topic=orders every=200ms\nat 1s crash 2\nuntil 2s\n";

    /// What is said when a browser's history is `there`.
    fn said(there: &[String]) -> String {
        let scripts = BTreeMap::from([("a.hw".to_owned(), SCRIPT.to_owned())]);
        let histories = Map::from_iter([("a.hw".to_owned(), json!(there))]);
        let differing = Value::Object(Map::from_iter([("firefox".to_owned(), json!(histories))]));
        complaint(&scripts, &differing).expect("histories that can be read")
    }

    #[test]
    fn the_first_event_that_differs_is_named_with_its_place() {
        let mut lines = history(&played(SCRIPT).expect("a good script"));
        let crash = lines.iter().position(|l| l.starts_with("1000000 2 ")).expect("the crash");
        let native = lines[crash].clone();
        lines[crash] = "1000000 3 something.else".to_owned();
        let said = said(&lines);
        assert!(said.contains("a.hw: firefox"), "{said}");
        assert!(said.contains(&format!("native: {native}")), "{said}");
        assert!(said.contains("there:  1000000 3 something.else"), "{said}");
    }

    #[test]
    fn a_history_that_ends_early_is_named_too() {
        let lines = history(&played(SCRIPT).expect("a good script"));
        assert!(said(&lines[..lines.len() - 1]).contains("there:  (nothing more)"));
    }
}
