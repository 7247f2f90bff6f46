use super::error::Fault;
use crate::words::{Phrase, Said};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A word of a line, without its quotes and escapes.
#[derive(Debug)]
pub(super) struct Token {
    /// Where it begins, in characters from 1.
    pub column: u32,
    pub text: String,
    /// Whether all of it was in quotes.
    pub quoted: bool,
    /// Where in `text` the `=` is that parts a name from its value.
    equals: Option<usize>,
}

impl Token {
    /// `name` and `value` of `name=value`.
    pub fn assignment(&self) -> Option<(&str, &str)> {
        let (name, rest) = self.text.split_at_checked(self.equals?)?;
        Some((name, rest.strip_prefix('=')?))
    }

    /// Where the value of `name=value` begins.
    pub fn value_column(&self) -> u32 {
        match self.assignment() {
            Some((name, _)) => self.column + 1 + name.chars().count() as u32,
            None => self.column,
        }
    }
}

/// A line in words.
#[derive(Debug)]
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub comment: Option<String>,
    /// The column behind the last character.
    pub end: u32,
}

/// A line's tokens, or what is wrong with it and what of it could be taken apart.
pub(super) type LexedLine = Result<Lexed, (Fault, Lexed)>;

struct Lexer<'a> {
    chars: core::iter::Peekable<core::str::CharIndices<'a>>,
    column: u32,
}

/// Takes a line apart. `#` at the start of a word begins a comment, except that the first `#14` of
/// a line about a message is the ordinal.
pub(super) fn lex(line: &str) -> Result<Lexed, Fault> {
    if let Some(at) = line.chars().position(|c| c.is_control() && c != '\t') {
        let column = at as u32 + 1;
        return Err(Fault::new(column, Phrase::ControlCharacter, Phrase::PlainText));
    }
    let mut lexer = Lexer { chars: line.char_indices().peekable(), column: 1 };
    let mut tokens: Vec<Token> = Vec::new();
    let mut comment = None;
    while let Some((at, c)) = lexer.peek() {
        let behind = line.get(at..).and_then(|rest| rest.strip_prefix('#'));
        if c == ' ' || c == '\t' {
            lexer.bump();
        } else if let Some(rest) = behind.filter(|r| !(names_message(&tokens) && is_ordinal(r))) {
            comment = Some(rest.trim_end_matches([' ', '\t']).to_string());
            break;
        } else {
            tokens.push(lexer.token()?);
        }
    }
    let end = line.chars().count() as u32 + 1;
    Ok(Lexed { tokens, comment, end })
}

/// Whether these words begin a line about a message that lacks its ordinal.
fn names_message(tokens: &[Token]) -> bool {
    let first = tokens.first().map(|t| t.text.as_str());
    matches!(first, Some("drop" | "delay" | "duplicate"))
        && !tokens.iter().any(|t| t.text.starts_with('#'))
}

fn is_ordinal(behind: &str) -> bool {
    let word = behind.split([' ', '\t']).next().unwrap_or_default();
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

impl Lexer<'_> {
    fn peek(&mut self) -> Option<(usize, char)> {
        self.chars.peek().copied()
    }

    fn bump(&mut self) -> Option<char> {
        self.column += 1;
        self.chars.next().map(|(_, c)| c)
    }

    fn token(&mut self) -> Result<Token, Fault> {
        let column = self.column;
        let mut text = String::new();
        let mut equals = None;
        let quoted = self.peek().is_some_and(|(_, c)| c == '"');
        if quoted {
            self.string(&mut text)?;
            self.end_of_string()?;
            return Ok(Token { column, text, quoted, equals });
        }
        while let Some((_, c)) = self.peek() {
            match c {
                ' ' | '\t' => break,
                '"' if equals.is_some_and(|at| at + 1 == text.len()) => {
                    self.string(&mut text)?;
                    self.end_of_string()?;
                    break;
                }
                '"' => {
                    let reason = Phrase::QuoteInsideWord;
                    let accepted = Phrase::QuotedWord;
                    return Err(Fault::new(self.column, reason, accepted));
                }
                _ => {
                    if c == '=' && equals.is_none() {
                        equals = Some(text.len());
                    }
                    text.push(c);
                    self.bump();
                }
            }
        }
        Ok(Token { column, text, quoted, equals })
    }

    fn string(&mut self, text: &mut String) -> Result<(), Fault> {
        let start = self.column;
        self.bump();
        loop {
            let column = self.column;
            match self.bump() {
                Some('"') => return Ok(()),
                Some('\\') => match self.bump() {
                    Some(c @ ('"' | '\\')) => text.push(c),
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c) => {
                        let reason = Phrase::NoSuchEscape.of(&[&c]);
                        return Err(Fault::new(
                            column,
                            reason,
                            Said::verbatim("\\\" \\\\ \\n \\t"),
                        ));
                    }
                    None => return Err(unclosed(start)),
                },
                Some(c) => text.push(c),
                None => return Err(unclosed(start)),
            }
        }
    }

    fn end_of_string(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some((_, c)) if c != ' ' && c != '\t' => {
                let reason = Phrase::BehindClosingQuote.of(&[&c]);
                Err(Fault::new(self.column, reason, Phrase::Space))
            }
            _ => Ok(()),
        }
    }
}

fn unclosed(start: u32) -> Fault {
    Fault::new(start, Phrase::QuoteNotClosed, Phrase::QuotedOnOneLine)
}
