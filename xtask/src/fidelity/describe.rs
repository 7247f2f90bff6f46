//! Pasted `kafka-topics --describe` outputs (fidelity/describe/README.md), read by `highwater-ask`.

use super::{json_below, read};
use crate::error::Error;
use crate::repo;
use highwater_ask::describe::{self, Described, DescribedPartition};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Every text of a folder with its outcome.
pub fn all(folder: &Path) -> Result<super::Checks, Error> {
    let mut outcomes = Vec::new();
    for file in json_below(folder)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".expected.json") else { continue };
        let text = repo::read(&folder.join(format!("{name}.txt"))).map_err(|e| e.to_string());
        let result = text.and_then(|text| check(&describe::read(&text), &read(&file)?));
        outcomes.push((name.to_string(), result));
    }
    Ok(outcomes)
}

/// The first difference between what was read and what was to be read.
fn check(described: &Described, expected: &Value) -> Result<(), String> {
    let object = expected.as_object().ok_or("what is expected is an object")?;
    if let Some(unknown) = object.keys().find(|k| *k != "partitions" && *k != "configs") {
        return Err(format!("unknown field {unknown}"));
    }
    let wanted = expected["partitions"].as_array().ok_or("no partitions")?;
    for (i, wanted) in wanted.iter().enumerate() {
        let own = described.partitions.get(i);
        let own = own.ok_or_else(|| format!("{wanted} is missing{}", named(described)))?;
        same(own, wanted).map_err(|e| format!("line {}: {e}", own.line))?;
    }
    if let Some(extra) = described.partitions.get(wanted.len()) {
        return Err(format!("line {}: one partition too many", extra.line));
    }
    let mut configs: Map<String, Value> = Map::new();
    for setting in &described.settings {
        let topic = configs.entry(setting.topic.clone()).or_insert_with(|| json!({}));
        topic[setting.name] = json!(setting.value);
    }
    let configs = Value::Object(configs);
    if configs != expected["configs"] {
        return Err(format!("configs are {configs}, wanted {}", expected["configs"]));
    }
    Ok(())
}

fn named(described: &Described) -> String {
    let first = described.unread.first();
    first.map_or_else(String::new, |u| format!("; line {} was not read: {}", u.line, u.text))
}

fn same(own: &DescribedPartition, wanted: &Value) -> Result<(), String> {
    let lists = [
        ("isr", &own.isr),
        ("elr", &own.elr),
        ("lastKnownElr", &own.last_known_elr),
        ("adding", &own.adding),
        ("removing", &own.removing),
        ("offline", &own.offline),
        ("observers", &own.observers),
    ];
    let mut seen = Map::new();
    seen.insert("topic".into(), json!(own.topic));
    seen.insert("partition".into(), json!(own.partition));
    seen.insert("leader".into(), own.leader.map_or(json!(-1), |l| json!(l)));
    seen.insert("replicas".into(), json!(own.replicas));
    for (name, list) in lists {
        if let Some(list) = list {
            seen.insert(name.into(), json!(list));
        }
    }
    let object = wanted.as_object().ok_or("a partition is an object")?;
    let names: BTreeSet<&String> = seen.keys().chain(object.keys()).collect();
    for name in names {
        let (own, wanted) = (seen.get(name), object.get(name));
        let ordered = name == "replicas";
        let set = |v: Option<&Value>| -> Option<BTreeSet<i64>> {
            Some(v?.as_array()?.iter().filter_map(Value::as_i64).collect())
        };
        let equal = own == wanted || (!ordered && set(own).is_some() && set(own) == set(wanted));
        if !equal {
            return Err(format!("{name} is {own:?}, wanted {wanted:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn pasted_outputs_are_read_whole() {
        let folder = crate::repo::path("fidelity/describe");
        let texts = super::all(&folder).expect("readable data");
        assert_eq!(texts.len(), 7);
        for (name, result) in texts {
            assert_eq!(result, Ok(()), "{name}");
            let text = crate::repo::read(&folder.join(format!("{name}.txt"))).expect("a text");
            assert_eq!(super::describe::read(&text).unread, [], "{name}");
        }
    }
}
