//! Comparing what is wanted with what is: only named fields, lists in order or as sets.

use super::{Bench, Outcome, fields};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Lists whose order has no meaning.
const SETS: [&str; 12] = [
    "isr",
    "elr",
    "lastKnownElr",
    "adding",
    "removing",
    "outOfSync",
    "maximalIsr",
    "proposedIsr",
    "active",
    "snapshots",
    "pending",
    "counts",
];

/// Fields that hold something of each partition.
const BY_PARTITION: [&str; 4] = ["assignment", "leaders", "isr", "replicaSets"];

/// Fields that name brokers, by id or by a name.
const BROKERS: [&str; 11] = [
    "leader",
    "replicas",
    "isr",
    "elr",
    "lastKnownElr",
    "adding",
    "removing",
    "outOfSync",
    "maximalIsr",
    "proposedIsr",
    "assignment",
];

/// The first named field that is not as wanted.
pub fn check(bench: &mut dyn Bench, outcome: &Outcome, wanted: &Value) -> Result<(), String> {
    let wanted = wanted.as_object().ok_or("what must hold is an object")?;
    for (name, value) in wanted {
        // Why something is refused is said in the data's own words.
        if name == "reason" {
            continue;
        }
        let (base, form) = form_of(name);
        let own = match outcome.get(base) {
            Some(own) => own.clone(),
            None => bench.look(base, value)?,
        };
        let same = match form {
            Form::Value => same(base, value, &own),
            Form::OneOf => {
                value.as_array().is_some_and(|all| all.iter().any(|v| same(base, v, &own)))
            }
            Form::Size => own.as_array().map(Vec::len).map(|n| json!(n)) == Some(value.clone()),
        };
        if !same {
            return Err(format!("{base} is {own}, wanted {name} {value}"));
        }
    }
    Ok(())
}

enum Form {
    Value,
    OneOf,
    Size,
}

fn form_of(name: &str) -> (&str, Form) {
    if let Some(base) = name.strip_suffix("OneOf") {
        (base, Form::OneOf)
    } else if let Some(base) = name.strip_suffix("Size") {
        (base, Form::Size)
    } else {
        (name, Form::Value)
    }
}

/// Whether `own` is what `wanted` says of the field `name`.
pub fn same(name: &str, wanted: &Value, own: &Value) -> bool {
    match (wanted, own) {
        // Names are compared as names only where the field holds brokers.
        (Value::String(text), _) if BROKERS.contains(&name) => {
            fields::broker(&json!(text)).is_ok_and(|b| fields::of_broker(b) == *own)
        }
        (Value::String(text), Value::String(own)) if name == "error" || name == "result" => {
            modern(text) == modern(own)
        }
        // Replies, ids of those that wait, times: all of them, and no more than the named fields.
        (Value::Object(wanted), Value::Object(own)) if name == "replies" => {
            wanted.len() == own.len()
                && wanted.iter().all(|(k, v)| own.get(k).is_some_and(|o| same_object(v, o)))
        }
        // Of each partition a set.
        (Value::Object(wanted), Value::Object(own)) if name == "replicaSets" || name == "isr" => {
            let is_set = |k: &String, v| own.get(k).is_some_and(|own| same("isr", v, own));
            wanted.iter().all(|(k, v)| is_set(k, v))
        }
        (Value::Array(wanted), Value::Array(own)) if name == "replicaSets" => {
            wanted.len() == own.len() && wanted.iter().zip(own).all(|(w, o)| same("isr", w, o))
        }
        (Value::Object(_), Value::Object(_)) => same_object(wanted, own),
        // What there is of each partition, asked for in order or of the only one.
        (_, Value::Object(own)) if BY_PARTITION.contains(&name) => {
            let mut own: Vec<(Option<i64>, &Value)> =
                own.iter().map(|(number, value)| (number.parse().ok(), value)).collect();
            own.sort_by_key(|(number, _)| *number);
            match (wanted, own.as_slice()) {
                (wanted, [(_, only)]) if same(name, wanted, only) => true,
                (Value::Array(wanted), own) => {
                    let pairs = wanted.iter().zip(own);
                    wanted.len() == own.len()
                        && pairs.into_iter().all(|(w, (_, o))| same(name, w, o))
                }
                _ => false,
            }
        }
        (Value::Array(wanted), Value::Array(own)) => same_list(name, wanted, own),
        _ => wanted == own,
    }
}

fn same_object(wanted: &Value, own: &Value) -> bool {
    let Some(wanted) = wanted.as_object() else { return wanted == own };
    wanted.iter().all(|(name, value)| {
        let (base, form) = form_of(name);
        let Some(own) = own.get(base) else { return false };
        match form {
            Form::Value => same(base, value, own),
            Form::OneOf => {
                value.as_array().is_some_and(|all| all.iter().any(|v| same(base, v, own)))
            }
            Form::Size => own.as_array().map(Vec::len).map(|n| json!(n)) == Some(value.clone()),
        }
    })
}

fn same_list(name: &str, wanted: &[Value], own: &[Value]) -> bool {
    if wanted.len() != own.len() {
        return false;
    }
    if SETS.contains(&name) {
        // Names of brokers become their ids first.
        let key = |v: &Value| match v {
            Value::String(_) if BROKERS.contains(&name) => fields::broker(v)
                .map_or_else(|_| v.to_string(), |b| fields::of_broker(b).to_string()),
            _ => v.to_string(),
        };
        let all = |list: &[Value]| list.iter().map(key).collect::<BTreeSet<_>>();
        return all(wanted) == all(own);
    }
    wanted.iter().zip(own).all(|(w, o)| same(name, w, o))
}

/// An error's later name.
pub fn modern(name: &str) -> &str {
    match name {
        "NOT_LEADER_FOR_PARTITION" => "NOT_LEADER_OR_FOLLOWER",
        "UNKNOWN" => "UNKNOWN_SERVER_ERROR",
        "MESSAGE_SIZE_TOO_LARGE" => "MESSAGE_TOO_LARGE",
        "INVALID_MESSAGE" => "CORRUPT_MESSAGE",
        "MESSAGE_SET_SIZE_TOO_LARGE" => "RECORD_LIST_TOO_LARGE",
        other => other,
    }
}
