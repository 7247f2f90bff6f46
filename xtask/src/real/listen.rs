//! What the driver wrote, as entries: the applications' own lines, and the clients' log.

use crate::fidelity::clients::entry::{Entry, Log};
use highwater_core::words::ErrorCode;
use std::collections::BTreeMap;

/// A coordinator's connection has a node of its own in the log: `2147483647 - id`, or `+id`.
const COORDINATOR_BASE: i64 = i32::MAX as i64;

/// Turns lines into entries by client.
pub fn entries(lines: &[(i64, String)]) -> Log {
    let mut listener = Listener::default();
    for (at, line) in lines {
        listener.hear(*at, line);
    }
    listener.log.retain(|client, _| client != "warm" && client != "operator" && client != "-");
    listener.log
}

#[derive(Default)]
struct Listener {
    log: Log,
    /// Where the entry of each request stands, by client and correlation id.
    requests: BTreeMap<(String, String), usize>,
}

impl Listener {
    fn hear(&mut self, at: i64, line: &str) {
        let words: Vec<&str> = line.split('\t').collect();
        match words.as_slice() {
            ["log", _, text] => self.hear_log(at, text),
            ["acked", client, number, _, offset] => {
                self.note(client, Entry::new(at, "acked", number, offset));
            }
            ["failed", client, number, exception, ..] => {
                self.note(client, Entry::new(at, "failed", number, exception));
            }
            ["read", client, partition, offset, ..] => {
                self.note(client, Entry::new(at, "read", partition, offset));
            }
            ["error", client, exception, ..] => {
                let entry = Entry::new(at, "error", "", exception);
                let last = self.log.get(*client).and_then(|all| {
                    all.iter().rev().find(|e| matches!(e.word.as_str(), "error" | "read"))
                });
                // The application asks again and hears the same again.
                if last.is_none_or(|e| e.word != entry.word || e.outcome != entry.outcome) {
                    self.note(client, entry);
                }
            }
            [word @ ("committed" | "closed"), client, ..] => {
                self.note(client, Entry::new(at, word, "", "ok"));
            }
            [word @ ("uncommitted" | "ended"), client, exception, ..] => {
                self.note(client, Entry::new(at, word, "", exception));
            }
            _ => {}
        }
    }

    fn note(&mut self, client: &str, entry: Entry) -> usize {
        let entries = self.log.entry(client.to_owned()).or_default();
        entries.push(entry);
        entries.len() - 1
    }

    fn hear_log(&mut self, at: i64, text: &str) {
        let Some(client) = between(text, "clientId=", &[']', ',']) else { return };
        let Some((_, said)) = text.split_once("] ") else { return };
        if let Some(rest) = said.strip_prefix("Sending ")
            && let Some((api, rest)) = rest.split_once(" request with header ")
            && let Some(number) = between(rest, "correlationId=", &[',', ')'])
            && let Some(broker) = between(rest, " to node ", &[':'])
        {
            if counts(api) {
                let place = self.note(client, Entry::new(at, &word_of(api), node(broker), ""));
                self.requests.insert((client.to_owned(), number.to_owned()), place);
            }
        } else if let Some(rest) = said.strip_prefix("Received ")
            && let Some((_, rest)) = rest.split_once(" response from node ")
            && let Some(number) = between(rest, "correlationId=", &[',', ')'])
        {
            let body = rest.split_once("): ").map_or("", |(_, body)| body);
            self.answered(client, number, &errors(body));
        } else if let Some(broker) = between(said, "Disconnecting from node ", &[' ']) {
            let word = if said.contains("request timeout") { "timed-out" } else { "not-made" };
            self.note(client, Entry::new(at, word, node(broker), ""));
        } else if let Some(broker) = between(said, "Initiating connection to node ", &[')'])
            && let Some(id) = between(broker, "(id: ", &[' '])
        {
            self.note(client, Entry::new(at, "connect", node(id), ""));
        } else if let Some(rest) = said.strip_prefix("Node ")
            && let Some((broker, _)) = rest.split_once(" disconnected")
        {
            self.note(client, Entry::new(at, "lost", node(broker), ""));
        }
    }

    fn answered(&mut self, client: &str, number: &str, outcome: &str) {
        let place = self.requests.remove(&(client.to_owned(), number.to_owned()));
        let entries = self.log.get_mut(client);
        if let Some(entry) = place.zip(entries).and_then(|(at, entries)| entries.get_mut(at)) {
            entry.outcome = outcome.to_owned();
        }
    }
}

/// What stands behind `from` up to one of `ends`.
fn between<'a>(text: &'a str, from: &str, ends: &[char]) -> Option<&'a str> {
    let rest = &text[text.find(from)? + from.len()..];
    Some(&rest[..rest.find(ends).unwrap_or(rest.len())])
}

/// Making a connection, and metrics, are no work of the client's own.
fn counts(api: &str) -> bool {
    !matches!(api, "API_VERSIONS" | "GET_TELEMETRY_SUBSCRIPTIONS" | "PUSH_TELEMETRY")
}

/// The request under the model's name for it.
fn word_of(api: &str) -> String {
    match api {
        "OFFSET_FOR_LEADER_EPOCH" => "offsets-for-leader-epoch".into(),
        _ => api.to_lowercase().replace('_', "-"),
    }
}

/// A broker's id; `?` for one of `bootstrap.servers`, whose id is not known yet.
fn node(text: &str) -> String {
    match text.trim_start_matches('+').parse::<i64>() {
        Ok(id) if id < 0 => "?".into(),
        Ok(id) if id > COORDINATOR_BASE / 2 => (COORDINATOR_BASE - id).to_string(),
        Ok(id) => id.to_string(),
        Err(_) => text.to_owned(),
    }
}

/// The errors in a response's text, or `ok`.
fn errors(body: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for part in body.split("rrorCode=").skip(1) {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(part.len());
        let Ok(code) = part[..end].parse::<i16>() else { continue };
        if code != 0 {
            names.push(constant(code));
        }
    }
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "ok".into() } else { names.join(" ") }
}

fn constant(code: i16) -> &'static str {
    let own = ErrorCode::ALL.iter().filter(|e| e.code() == code);
    match code {
        79 => "MEMBER_ID_REQUIRED",
        14 => "COORDINATOR_LOAD_IN_PROGRESS",
        _ => own.map(|e| e.constant()).next().unwrap_or("AN_ERROR_OF_NO_NAME_HERE"),
    }
}
