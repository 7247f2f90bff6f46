//! Settings in commands: `kafka-topics --create`, `kafka-configs --alter`, and the lines that old
//! releases of `kafka-configs --describe` print.

use super::statement::Statement;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// Whether a line is one of those.
pub(super) fn is_one(text: &str) -> bool {
    let asks = text.contains(" --config ") || text.contains("--replication-factor");
    let tool = text.contains("kafka-topics") || text.contains("kafka-configs");
    (tool && (asks || text.contains("--add-config"))) || text.starts_with("Configs for ")
}

/// Its settings, under `topic` or `broker`.
pub(super) fn statements(number: u32, text: &str) -> Vec<Statement> {
    if let Some((whose, settings)) = text.split_once(" are ") {
        let of_topic = whose.contains(" topic");
        return listed(number, settings, if of_topic { "topic" } else { "broker" });
    }
    let mut found = Vec::new();
    let mut words = text.split_whitespace();
    let of_topic = text.contains("kafka-topics") || !text.contains(" brokers");
    let whose = if of_topic { "topic" } else { "broker" };
    while let Some(word) = words.next() {
        match word {
            "--replication-factor" => {
                let value = words.next().unwrap_or_default();
                found.push(statement(number, "replication-factor", value, whose));
            }
            "--config" | "--add-config" => {
                found.extend(listed(number, words.next().unwrap_or_default(), whose));
            }
            _ => {}
        }
    }
    found
}

/// `a=1,b=2`, where a list in brackets is one value.
fn listed(number: u32, text: &str, whose: &str) -> Vec<Statement> {
    let pairs = text.trim_matches(['\'', '"']).split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| statement(number, name.trim(), value.trim(), whose)).collect()
}

fn statement(line: u32, name: &str, value: &str, whose: &str) -> Statement {
    let path: Vec<String> = Vec::from([whose.to_owned()]);
    let (name, value) = (name.to_owned(), value.trim_matches(['\'', '"']).to_owned());
    Statement { line, path, name, value, is_environment: false, in_code: false }
}
