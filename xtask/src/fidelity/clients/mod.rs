//! Recordings of Kafka's own clients, replayed as scenarios (fidelity/clients/README.md).

pub mod compare;
pub mod entry;
pub mod model;

use super::{json_below, read};
use crate::error::Error;
use compare::Played;
use entry::Log;
use highwater_core::script::{self, Script};
use model::Opened;
use serde_json::{Value, json};
use std::path::Path;

/// A scenario as real clusters played it.
pub struct Recording {
    pub script: Script,
    /// Such as `4.4.0`.
    pub kafka: String,
    pub plays: Vec<(Log, Opened)>,
}

/// A recording's name, and in what the model differs from it.
pub type Outcome = (String, Result<(), String>);

/// Replays every recording below a folder.
pub fn all(folder: &Path) -> Result<Vec<Outcome>, Error> {
    let files = json_below(folder)?;
    let check = |file: &std::path::PathBuf| {
        let name = file.strip_prefix(folder).unwrap_or(file).with_extension("");
        let result = read(file).and_then(|value| Recording::from_json(&value)?.check());
        (name.to_string_lossy().into_owned(), result)
    };
    Ok(files.iter().map(check).collect())
}

impl Recording {
    /// Plays it on the model and compares.
    pub fn check(&self) -> Result<(), String> {
        let mut played = Vec::new();
        for (real, opened) in &self.plays {
            let model = model::play(&self.script, opened, real)?;
            played.push(Played { real, opened, model });
        }
        compare::compare(&played)
    }

    /// As it stands in a file: an entry a line, so that two plays can be read beside each other.
    pub fn to_text(&self) -> String {
        let lines: Vec<String> = script::print(&self.script).lines().map(str::to_owned).collect();
        let plays = self.plays.iter().map(|(log, opened)| {
            let clients = log.iter().map(|(client, entries)| {
                let entries: Vec<_> = entries.iter().map(|e| e.to_json().to_string()).collect();
                format!("{}: [\n{}\n]", json!(client), entries.join(",\n"))
            });
            let clients = clients.collect::<Vec<_>>().join(",\n");
            format!("{{\"opened\": {}, \"clients\": {{\n{clients}\n}}}}", json!(opened))
        });
        let plays = plays.collect::<Vec<_>>().join(",\n");
        let lines: Vec<_> = lines.iter().map(|line| json!(line).to_string()).collect();
        let (kafka, lines) = (json!(self.kafka), lines.join(",\n"));
        format!("{{\"kafka\": {kafka},\n\"scenario\": [\n{lines}\n],\n\"plays\": [\n{plays}\n]}}\n")
    }

    fn from_json(value: &Value) -> Result<Recording, String> {
        let lines = value["scenario"].as_array().ok_or("no scenario")?;
        let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
        let script = script::parse(&lines.join("\n")).map_err(|e| e[0].to_string())?;
        let kafka = value["kafka"].as_str().ok_or("no version")?.to_owned();
        let plays = value["plays"].as_array().ok_or("no plays")?;
        let play = |play: &Value| {
            let opened = serde_json::from_value(play["opened"].clone());
            let opened = opened.map_err(|e| format!("opened: {e}"))?;
            Ok::<_, String>((entry::from_json(&play["clients"])?, opened))
        };
        let plays = plays.iter().map(play).collect::<Result<_, _>>()?;
        Ok(Recording { script, kafka, plays })
    }
}
