//! Lines as a terminal, a chat or a container shows them: without colours and quotation marks.

use alloc::string::String;
use alloc::vec::Vec;

/// A line with its number, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub number: u32,
    pub text: String,
}

/// The lines of a text: without colours, and without the marks before a quotation.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let plain = text.lines().map(|line| without_colours(line.trim_end_matches('\r')));
    let line = |(number, text): (u32, String)| Line { number, text: unquoted(text) };
    (1u32..).zip(plain).map(line).collect()
}

/// Without what makes a terminal change colour: ESC, `[`, and all to the first letter.
pub(crate) fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' && chars.peek() == Some(&'[') {
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else if c != '\u{feff}' {
            plain.push(c);
        }
    }
    plain
}

/// A quotation of mail, chat or Markdown has `> ` before each line.
fn unquoted(line: String) -> String {
    let mut rest = line.as_str();
    while let Some(inner) =
        rest.strip_prefix("> ").or(rest.strip_prefix(">").filter(|r| r.is_empty()))
    {
        rest = inner;
    }
    if rest.len() == line.len() { line } else { String::from(rest) }
}
