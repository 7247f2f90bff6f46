//! A line against a pattern: fixed text, with fields between.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names with values, as they stand in a line.
pub(super) type Fields = Vec<(&'static str, String)>;

/// The longest field, in characters.
const MOST: usize = 200;

/// A pattern's fields in a line, and how much of its fixed text stands there; `None` if it is not
/// the line.
pub(super) fn matched(pattern: &'static str, line: &str) -> Option<(Fields, usize)> {
    let mut fields: Fields = Vec::new();
    let mut rest = line;
    let mut score = 0;
    let mut open: Option<&'static str> = None;
    for (fixed, name) in pieces(pattern) {
        if !fixed.is_empty() {
            let at = rest.find(fixed)?;
            if let Some(field) = open.take() {
                fields.push((field, cut(field, &rest[..at])));
            }
            score += fixed.len();
            rest = &rest[at + fixed.len()..];
        }
        open = name.or(open);
    }
    if let Some(field) = open {
        fields.push((field, cut(field, end_of(rest))));
    }
    fields.retain(|(name, value)| !value.is_empty() && !matches!(*name, "rest" | "what"));
    Some((fields, score))
}

/// The fixed texts of a pattern, each with the field behind it.
pub(super) fn pieces(
    pattern: &'static str,
) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let mut rest = Some(pattern);
    core::iter::from_fn(move || {
        let text = rest?;
        let field = text.find('{').and_then(|at| {
            let name = text.get(at + 1..)?.split('}').next()?;
            let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
            is_name.then_some((at, name))
        });
        match field {
            Some((at, name)) => {
                rest = text.get(at + name.len() + 2..);
                Some((text.get(..at)?, Some(name)))
            }
            None => {
                rest = None;
                Some((text, None))
            }
        }
    })
}

/// What a message ends with: the logger behind it is no part of it.
fn end_of(text: &str) -> &str {
    let ends = [" (kafka.", " (org.apache.", " (state.change", "\",\"", "\", \"", "\"}"];
    let end = ends.iter().filter_map(|e| text.find(e)).min().unwrap_or(text.len());
    text[..end].trim().trim_end_matches('.')
}

/// A partition's name has neither blanks nor commas.
fn cut(field: &str, text: &str) -> String {
    let text = text.trim();
    let end = text.find([' ', ',']).filter(|_| field == "partition");
    text[..end.unwrap_or(text.len())].chars().take(MOST).collect()
}

/// What stands in the brackets before a message: whose log it is.
pub(super) fn context(line: &str, fields: &mut Fields) {
    const MARKS: [(&str, &str); 9] = [
        ("[Partition ", "partition"),
        ("broker=", "broker"),
        ("brokerId=", "broker"),
        ("replicaId=", "broker"),
        ("leaderId=", "leader"),
        ("clientId=", "client"),
        ("groupId=", "group"),
        ("[Broker id=", "broker"),
        ("[UnifiedLog partition=", "partition"),
    ];
    for (mark, name) in MARKS {
        let Some(at) = line.find(mark) else { continue };
        let rest = &line[at + mark.len()..];
        let end = rest.find([' ', ',', ']']).unwrap_or(rest.len());
        let value = rest[..end].to_string();
        if !value.is_empty() && !fields.iter().any(|(n, _)| *n == name) {
            fields.push((name, value));
        }
    }
    // `Partition [orders,3] on broker 2: …`
    if let Some((_, rest)) = line.split_once("Partition [")
        && let Some((name, rest)) = rest.split_once("] on broker ")
        && !fields.iter().any(|(n, _)| *n == "partition")
    {
        fields.push(("partition", name.replace(',', "-")));
        let broker = rest.split([':', ' ']).next().unwrap_or_default();
        fields.push(("broker", broker.to_string()));
    }
    // The oldest releases have topic and number apart.
    let of = |name: &str| fields.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone());
    if let (Some(topic), Some(number), None) = (of("topic"), of("number"), of("partition")) {
        fields.retain(|(n, _)| !matches!(*n, "topic" | "number"));
        fields.push(("partition", [topic.as_str(), "-", number.as_str()].concat()));
    }
}
