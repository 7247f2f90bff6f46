//! What stands between the lines of the tool, and within them: commands, logs, dividers, colours.

use super::columns::{columns, label_at, part};
use alloc::string::String;
use alloc::vec::Vec;

/// A line without its colours; one whose tabs and line ends were written as in JSON is several.
pub(super) fn shown(line: &str) -> Vec<String> {
    let (mut plain, mut lines) = (String::new(), alloc::vec![String::new()]);
    let mut chars = line.trim_end_matches('\r').chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '\u{1b}' && next == Some('[') {
            // A terminal changes colour: ESC, `[`, and all to the first letter.
            chars.by_ref().find(char::is_ascii_alphabetic);
            continue;
        }
        plain.push(c);
        let last = lines.last_mut();
        match (c, next, last) {
            ('\\', Some('n'), _) => lines.push(String::new()),
            ('\\', Some('t'), Some(last)) => last.push('\t'),
            (_, _, Some(last)) => last.push(c),
            _ => {}
        }
        if let ('\\', Some(escaped @ ('n' | 't'))) = (c, next) {
            plain.push(escaped);
            chars.next();
        }
    }
    let is_escaped = lines.iter().any(|l| !columns(l).1.is_empty());
    if is_escaped { lines } else { alloc::vec![plain] }
}

/// A prompt, with or without a command, or a command alone.
pub(super) fn is_command(text: &str) -> bool {
    const TOOLS: [&str; 8] =
        ["kafka-topics", "docker ", "kubectl ", "sudo ", "ssh ", "./bin/", "bin/", "export "];
    if label_at(text).is_some() {
        return false;
    }
    let mut places = text.char_indices();
    if places.any(|(at, _)| part(text, at..text.len()).starts_with(TOOLS[0]))
        || TOOLS.iter().any(|tool| text.starts_with(tool))
    {
        return true;
    }
    let Some(end) = text.find(['$', '#', '%', '>']) else { return false };
    let (place, behind) = (part(text, 0..end), part(text, end + 1..text.len()));
    if label_at(behind.trim_start()).is_some() {
        return false;
    }
    let is_place = place.is_empty()
        || place.contains(['@', '\\', '~'])
        || place.starts_with(['[', '(', '/'])
        || ["PS", "bash", "sh", "root", "kafka", "ubuntu"].iter().any(|p| place.starts_with(p));
    let few_words = place.split_whitespace().count() <= if place.contains('@') { 6 } else { 3 };
    let parted = behind.is_empty()
        || behind.starts_with(char::is_whitespace)
        || (part(text, end..text.len()).starts_with('>') && place.contains('\\'));
    is_place && few_words && parted
}

/// A line of a log, or of a tool that says something besides.
pub(crate) fn is_log(text: &str) -> bool {
    const LEVELS: [&str; 8] =
        ["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "SEVERE"];
    const BEGINNINGS: [&str; 25] = [
        "OpenJDK",
        "Java HotSpot",
        "SLF4J",
        "log4j",
        "Picked up ",
        "Exception in thread",
        "Caused by:",
        "at ",
        "Error while executing",
        "Warning:",
        "WARNING",
        "Note:",
        "NOTE:",
        "Created topic",
        "Completed ",
        "Defaulted container",
        "Unable to use a TTY",
        "command terminated",
        "Reflections took",
        "Last login",
        "Using ",
        "org.apache.kafka.",
        "java.",
        "(org.apache.",
        "... ",
    ];
    if label_at(text).is_some() {
        return false;
    }
    let bare = text.trim_start_matches('[').as_bytes();
    let digits = |n: usize| bare.len() > n && bare[..n].iter().all(u8::is_ascii_digit);
    let dated = digits(4) && matches!(bare[4], b'-' | b'/' | b'.');
    let timed = digits(2) && bare[2] == b':';
    let mut words = text.split_whitespace().take(6);
    dated
        || timed
        || words.any(|w| LEVELS.contains(&w.trim_matches(|c: char| !c.is_ascii_alphabetic())))
        || BEGINNINGS.iter().any(|b| text.starts_with(b))
}

/// A heading of a script, a fence, or something left out.
pub(super) fn is_divider(text: &str) -> bool {
    text.starts_with("==>")
        || text.starts_with("```")
        || text.starts_with("~~~")
        || text.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '.' | '…' | '[' | ']'))
}
