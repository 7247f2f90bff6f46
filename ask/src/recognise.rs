//! What is what in a paste: a description of topics, settings, lines of a log, and the rest.

use crate::describe::{is_log, labels_in};
use crate::log_lines::Table;
use crate::text::without_colours;
use alloc::string::String;
use alloc::vec::Vec;

/// What a line is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing in it, or nothing that is known.
    Other,
    /// `kafka-topics --describe`.
    Describe,
    /// A line of a log, or what hangs on it.
    Log,
    /// `kafka-metadata-quorum --describe --status`.
    Quorum,
}

/// What each line of a text is part of.
pub fn kinds(text: &str) -> Vec<Kind> {
    let lines: Vec<String> = text.lines().map(without_colours).collect();
    let table = Table::new();
    let described = |line: &str| labels_in(line) >= 2 && !is_other(&table, line);
    let first = lines.iter().position(|l| described(l));
    let last = lines.iter().rposition(|l| described(l));
    let mut kinds: Vec<Kind> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let between = first.is_some_and(|f| at >= f) && last.is_some_and(|l| at <= l);
        let follows = kinds.last() == Some(&Kind::Describe);
        let after_log = kinds.last() == Some(&Kind::Log);
        kinds.push(if crate::quorum::is_line(line) {
            Kind::Quorum
        } else if described(line) {
            Kind::Describe
        } else if is_logged(&table, line) || (after_log && hangs_on(line)) {
            Kind::Log
        } else if between || (follows && goes_on(line)) {
            Kind::Describe
        } else {
            Kind::Other
        });
    }
    kinds
}

/// The text with the lines of one kind alone, so that the others keep their numbers.
pub fn only(text: &str, kinds: &[Kind], wanted: &[Kind]) -> String {
    let mut out = String::with_capacity(text.len());
    for (line, kind) in text.lines().zip(kinds) {
        if wanted.contains(kind) {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// A message of a log can have the words of two columns; no message has that of a partition.
fn is_other(table: &Table, line: &str) -> bool {
    let is_partition = line.contains("artition:") || line.contains("PartitionCount");
    !is_partition && table.knows(line)
}

/// A line with a time or a level, or one that is known without.
fn is_logged(table: &Table, line: &str) -> bool {
    is_log(line.trim()) || table.knows(line)
}

/// A column of a description that a terminal wrapped.
fn goes_on(line: &str) -> bool {
    let text = line.trim();
    let is_list = text.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '));
    !text.is_empty() && (is_list || labels_in(line) > 0)
}

/// A trace of a stack, or its cause.
fn hangs_on(line: &str) -> bool {
    let text = line.trim_start();
    ["at ", "... ", "Caused by:", "Suppressed:"].iter().any(|start| text.starts_with(start))
}
