use super::catalog::{Key, Owner};
use super::parse::{SettingError, Value};
use super::release::Release;
use crate::words::{Phrase, Said};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The longest text that [`parse_paste`] reads: 256 KiB.
pub const MAX_PASTE_BYTES: usize = 256 * 1024;

/// A line of a pasted file that was not taken over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its first line, from 1.
    pub line: u32,
    /// The name on it; empty when it is about the whole text.
    pub name: String,
    /// Why it was left out.
    pub reason: Said,
    /// What would be accepted, where there is such a thing.
    pub accepted: Option<Said>,
}

/// Reads a Java `.properties` text (`server.properties`, `producer.properties` …) as `owner` has
/// it on `release`: what the model has, in the order of the text, and what was skipped, so that
/// nothing is dropped in silence. Of a name given twice the last value counts, as in Java.
pub fn parse_paste(
    text: &str,
    owner: Owner,
    release: Release,
) -> (Vec<(Key, Value)>, Vec<Skipped>) {
    if text.len() > MAX_PASTE_BYTES {
        let reason = Phrase::TextTooLong.of(&[&MAX_PASTE_BYTES]);
        return (
            Vec::new(),
            vec![Skipped { line: 1, name: String::new(), reason, accepted: None }],
        );
    }
    let mut taken: Vec<(Key, Value, u32)> = Vec::new();
    let mut skipped = Vec::new();
    for (line, logical) in logical_lines(text) {
        let (name, value) = split(&logical);
        match Key::assign(&name, value.trim_end(), owner, release) {
            Err(SettingError { reason, accepted }) => {
                skipped.push(Skipped { line, name, reason, accepted: Some(accepted) });
            }
            Ok((key, value)) => {
                if let Some(at) = taken.iter().position(|(k, ..)| *k == key) {
                    let (_, _, earlier) = taken.remove(at);
                    let reason = Phrase::GivenAgain.of(&[&line]);
                    skipped.push(Skipped { line: earlier, name, reason, accepted: None });
                }
                taken.push((key, value, line));
            }
        }
    }
    skipped.sort_by_key(|s| s.line);
    (taken.into_iter().map(|(key, value, _)| (key, value)).collect(), skipped)
}

/// The lines that say something, each with its number, continued lines joined.
fn logical_lines(text: &str) -> Vec<(u32, String)> {
    let mut all = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        let line = line.trim_start_matches([' ', '\t', '\x0c']);
        if open.is_none() && (line.is_empty() || line.starts_with(['#', '!'])) {
            continue;
        }
        let backslashes = line.chars().rev().take_while(|c| *c == '\\').count();
        let continued = backslashes % 2 == 1;
        let part = line.strip_suffix('\\').filter(|_| continued).unwrap_or(line);
        let logical = open.get_or_insert_with(|| (number, String::new()));
        logical.1.push_str(part);
        if !continued {
            all.extend(open.take());
        }
    }
    all.extend(open);
    all
}

/// Name and value of a logical line, without escapes.
fn split(line: &str) -> (String, String) {
    let mut escaped = false;
    let end = line.char_indices().find(|(_, c)| {
        let separates = !escaped && matches!(c, '=' | ':' | ' ' | '\t' | '\x0c');
        escaped = !escaped && *c == '\\';
        separates
    });
    let Some((name, rest)) = end.and_then(|(end, _)| line.split_at_checked(end)) else {
        return (unescaped(line), String::new());
    };
    let blank = [' ', '\t', '\x0c'];
    let rest = rest.trim_start_matches(blank);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest);
    (unescaped(name), unescaped(rest.trim_start_matches(blank)))
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('f') => out.push('\x0c'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
