//! What a client did and heard, one line after the other, on a real cluster or in the model.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One thing that a client did or heard. The words are those of fidelity/clients/README.md.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Milliseconds from the start of the scenario.
    pub at: i64,
    /// Such as `produce`, `acked`, `read`.
    pub word: String,
    /// The broker, the record's number, or the partition.
    pub of: String,
    /// What came of it; empty: nothing yet.
    pub outcome: String,
}

/// The entries of every client.
pub type Log = BTreeMap<String, Vec<Entry>>;

impl Entry {
    pub fn new(at: i64, word: &str, of: impl ToString, outcome: impl ToString) -> Entry {
        Entry { at, word: word.to_owned(), of: of.to_string(), outcome: outcome.to_string() }
    }

    /// As it stands in a recording.
    pub fn to_json(&self) -> Value {
        json!([self.at, self.word, self.of, self.outcome])
    }

    fn from_json(value: &Value) -> Option<Entry> {
        let [at, word, of, outcome] = value.as_array()?.as_slice() else { return None };
        Some(Entry::new(at.as_i64()?, word.as_str()?, of.as_str()?, outcome.as_str()?))
    }
}

/// Reads a log out of a recording.
pub fn from_json(value: &Value) -> Result<Log, String> {
    let clients = value.as_object().ok_or("a play is an object")?;
    let mut log = Log::new();
    for (client, entries) in clients {
        let entries = entries.as_array().ok_or_else(|| format!("{client}: not a list"))?;
        let read =
            |entry| Entry::from_json(entry).ok_or_else(|| format!("{client}: cannot read {entry}"));
        log.insert(client.clone(), entries.iter().map(read).collect::<Result<_, _>>()?);
    }
    Ok(log)
}
