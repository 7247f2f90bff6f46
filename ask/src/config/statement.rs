//! `name = value` in all the notations that settings come in, with the names around it.

use crate::text::Line;
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// More settings than these are not read: nobody has so many.
const MOST: usize = 4_000;

/// One setting as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Statement {
    pub line: u32,
    /// The keys and openers around it, the outermost first.
    pub path: Vec<String>,
    pub name: String,
    pub value: String,
    /// It is a variable of an environment.
    pub is_environment: bool,
    /// It stands in brackets of a program.
    pub in_code: bool,
}

/// An opened bracket, or a key of YAML: what it is called, and how far it stands in.
struct Open {
    name: String,
    indent: usize,
    is_bracket: bool,
}

/// All statements of some lines.
pub(super) fn statements(lines: &[Line]) -> Vec<Statement> {
    let mut reader = Reader::default();
    let mut continued: Option<(u32, String)> = None;
    for line in lines {
        if reader.found.len() >= MOST {
            break;
        }
        let text = match continued.take() {
            Some((number, before)) => (number, before + line.text.trim_start()),
            None => (line.number, line.text.clone()),
        };
        match text.1.strip_suffix('\\') {
            Some(before) if !before.ends_with('\\') => {
                continued = Some((text.0, before.to_owned()));
            }
            _ => reader.line(text.0, &text.1),
        }
    }
    reader.found
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    found: Vec<Statement>,
    /// A variable whose value stands in the next line, as Kubernetes has it.
    variable: Option<String>,
    /// The line before: what a bracket belongs to that stands alone.
    before: String,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) {
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', '!']) || text.starts_with("//") {
            return;
        }
        let indent = line.len() - line.trim_start().len();
        while self.open.last().is_some_and(|o| !o.is_bracket && o.indent >= indent) {
            self.open.pop();
        }
        if super::command::is_one(text) {
            self.found.extend(super::command::statements(number, text));
        } else if is_code(text) || self.open.iter().any(|o| o.is_bracket) {
            self.code(number, text, indent);
        } else {
            self.plain(number, text, indent);
        }
        self.before = text.to_owned();
    }

    /// A line of properties, YAML or an environment: one setting at most.
    fn plain(&mut self, number: u32, text: &str, indent: usize) {
        let text = text.strip_prefix("- ").unwrap_or(text).trim_start();
        let text = text.strip_prefix("export ").or(text.strip_prefix("-e ")).unwrap_or(text);
        let text = text.strip_prefix("ENV ").unwrap_or(text);
        if let Some(key) = text.strip_suffix(':').filter(|key| is_name(bare(key))) {
            let name = bare(key).to_owned();
            self.open.push(Open { name, indent, is_bracket: false });
            return;
        }
        let text = if text.starts_with('"') { bare_all(text) } else { text };
        self.setting(number, text);
    }

    fn setting(&mut self, number: u32, text: &str) {
        let text = text.trim();
        let Some(at) = text.find(['=', ':']).or_else(|| text.find(char::is_whitespace)) else {
            return;
        };
        let name = bare(text[..at].trim_end_matches(['=', ':', ' ', '\t']));
        let value = text[at..].trim_start_matches([':', ' ', '\t']);
        let value = value.strip_prefix("=>").or(value.strip_prefix('=')).unwrap_or(value);
        let name = name.trim_start_matches("let ").trim_start_matches("var ");
        let has_sign = text[at..].trim_start().starts_with(['=', ':']);
        if !is_name(name) || (!has_sign && !name.contains('.')) {
            return;
        }
        let value = match value.find(" sensitive=") {
            Some(end) => plain_value(&value[..end]),
            None => plain_value(value),
        };
        if name == "name" && value.starts_with("KAFKA_") {
            self.variable = Some(value);
            return;
        }
        let variable = self.variable.take().filter(|_| name == "value");
        let name = variable.as_deref().unwrap_or(name);
        let is_environment = name.starts_with("KAFKA_");
        let in_code = self.open.iter().any(|o| o.is_bracket);
        let path = self.open.iter().map(|o| o.name.clone()).collect();
        self.found.push(Statement {
            line: number,
            path,
            name: name.to_owned(),
            value,
            is_environment,
            in_code,
        });
    }

    /// A line of a program: settings parted by commas, brackets that open and close.
    fn code(&mut self, number: u32, text: &str, indent: usize) {
        let mut quote: Option<char> = None;
        let (mut piece, mut inner) = (String::new(), 0usize);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match (quote, c) {
                (Some(q), _) if c == q => {
                    quote = None;
                    piece.push(c);
                }
                (Some(_), _) => piece.push(c),
                (None, '"' | '\'' | '`') => {
                    quote = Some(c);
                    piece.push(c);
                }
                (None, '/') if chars.peek() == Some(&'/') && !piece.ends_with(':') => break,
                (None, '#') if piece.is_empty() || piece.ends_with(' ') => break,
                // A list is a value.
                (None, '[') if inner > 0 || piece.trim_end().ends_with([':', '=']) => {
                    inner += 1;
                    piece.push(c);
                }
                (None, ']') if inner > 0 => {
                    inner -= 1;
                    piece.push(c);
                }
                (None, '{' | '(' | '[') => {
                    if let Some((name, value)) = put(&piece, &mut chars) {
                        self.setting(number, &alloc::format!("{name}={value}"));
                    } else {
                        let alone = piece.trim().is_empty() && text.trim() == "{";
                        let name = if alone { self.before.as_str() } else { piece.trim() };
                        let name = name.to_owned();
                        self.open.push(Open { name, indent, is_bracket: true });
                    }
                    piece.clear();
                }
                (None, '}' | ')' | ']') => {
                    self.piece(number, &piece);
                    piece.clear();
                    if let Some(at) = self.open.iter().rposition(|o| o.is_bracket) {
                        self.open.truncate(at);
                    }
                }
                (None, ',' | ';') if inner == 0 => {
                    self.piece(number, &piece);
                    piece.clear();
                }
                _ => piece.push(c),
            }
        }
        self.piece(number, &piece);
    }

    fn piece(&mut self, number: u32, piece: &str) {
        let piece = piece.trim();
        let sign = piece.find(['=', ':']);
        if sign.is_some_and(|at| !piece[at..].starts_with("==")) {
            self.setting(number, &piece.replace(":=", "="));
        }
    }
}

/// `put("acks", "all")`, `put(ProducerConfig.ACKS_CONFIG, "all")`: what is set there. The brackets
/// are read to their end.
fn put(
    before: &str,
    chars: &mut core::iter::Peekable<core::str::Chars<'_>>,
) -> Option<(String, String)> {
    const CALLS: [&str; 7] = ["put", "setProperty", "Set", "SetKey", "set", "withProperty", "Add"];
    let before = before.trim();
    if !CALLS.iter().any(|call| before.ends_with(&alloc::format!(".{call}"))) {
        return None;
    }
    let mut inside = String::new();
    let mut depth = 1;
    for c in chars.by_ref() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        inside.push(c);
    }
    let (name, value) = inside.split_once(',')?;
    let name = bare(name.trim());
    let name = match name.rsplit('.').next() {
        Some(constant)
            if constant.ends_with("_CONFIG")
                || constant == "MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION" =>
        {
            constant.trim_end_matches("_CONFIG").to_ascii_lowercase().replace('_', ".")
        }
        _ => name.to_owned(),
    };
    Some((name, plain_value(value)))
}

/// A line that only a program has.
fn is_code(text: &str) -> bool {
    // A property may have brackets in its value.
    let name = text.split('=').next().unwrap_or_default();
    let is_property = text.contains('=') && name.contains('.') && is_name(name);
    if (is_property && !text.ends_with(',')) || text.contains("jaas") {
        return false;
    }
    let has = |sign: &str| text.contains(sign);
    let ends = text.ends_with(['{', '(', '[', '}', ')', ';']);
    let goes_on = text.ends_with("},") || text.ends_with("),");
    let opens = has("({") || has("{'") || has("{\"");
    let is_call = has("(") && has(")") && !text.starts_with("KAFKA_");
    let is_dictionary = has("{") && has("}") && !has("${");
    let is_quoted = text.starts_with(['"', '\'']) && text.ends_with(',');
    ends || goes_on || opens || is_call || is_dictionary || is_quoted
}

/// Without quotation marks.
fn bare(text: &str) -> &str {
    text.trim().trim_matches(['"', '\'', '`'])
}

/// `"a: b"` is one scalar of YAML.
fn bare_all(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    inner.filter(|t| !t.contains('"')).unwrap_or(text)
}

/// A value without quotation marks, trailing signs and the comment behind it.
fn plain_value(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';']).trim();
    let quoted = ['"', '\'', '`'].into_iter().find(|q| text.starts_with(*q));
    if let Some(quote) = quoted {
        let inner = &text[1..];
        return inner.split(quote).next().unwrap_or_default().to_string();
    }
    let cut = text.find(" #").or_else(|| text.find(" //")).unwrap_or(text.len());
    text[..cut].trim().to_string()
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 120
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
