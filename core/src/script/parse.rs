//! From a text to a script: lines, statements, and every error there is.

use super::actions::{action, message, topic};
use super::ast::{Line, Script, Statement, Text};
use super::check::{self, Parsed};
use super::cursor::{Cursor, Use};
use super::declarations::{brokers, consumer, controller, network, producer, rules, set};
use super::error::{Fault, ScriptError};
use super::fields::expectations;
use super::header::{find_clients, find_release, find_rules};
use super::lesson::{answer, goal};
use super::lex::{Lexed, LexedLine, lex};
use super::values::{choices, number, shown};
use super::{MAX_BYTES, MAX_ERRORS, MAX_LINE, MAX_LINES, MAX_LONG_LINE, MAX_NUMBER, VERSION};
use crate::settings::{Owner, Release, Rules};
use crate::words::{Map, Phrase, Said};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Reads a script. Every line is read even if an earlier one is wrong; the first
/// [`MAX_ERRORS`] errors are given in the order of the text.
pub fn parse(text: &str) -> Result<Script, Vec<ScriptError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let too_long =
        |line, reason: Phrase, accepted: Said| Err(vec![Fault::new(1, reason, accepted).on(line)]);
    if text.len() > MAX_BYTES {
        return too_long(1, Phrase::ScriptTooLong, Phrase::AtMostBytes.of(&[&MAX_BYTES]));
    }
    let mut texts: Vec<&str> = text.split('\n').collect();
    if texts.last() == Some(&"") {
        texts.pop();
    }
    if texts.len() > MAX_LINES {
        let line = MAX_LINES as u32 + 1;
        return too_long(line, Phrase::TooManyLines, Phrase::AtMostLines.of(&[&MAX_LINES]));
    }
    let lexed: Vec<_> = texts.iter().map(|t| measured(t.strip_suffix('\r').unwrap_or(t))).collect();
    let release = find_release(&lexed);
    let clients = find_clients(&lexed, release);
    let rules = find_rules(&lexed, release);
    let mut errors = Vec::new();
    let mut parsed = Vec::new();
    for (number, lexed) in (1u32..).zip(lexed) {
        let outcome = lexed.and_then(|l| line(&l, release, rules, &clients).map_err(|f| (f, l)));
        match outcome {
            Ok((line, uses)) => parsed.push(Parsed { line, uses, number, failed: None }),
            Err((fault, lexed)) => {
                errors.push(fault.on(number));
                let line = Line { statement: None, comment: None };
                parsed.push(Parsed { line, uses: Vec::new(), number, failed: Some(lexed) });
            }
        }
    }
    check::check(&parsed, release, &mut errors);
    if errors.is_empty() {
        return Ok(Script { lines: parsed.into_iter().map(|p| p.line).collect() });
    }
    errors.sort_by_key(|e| (e.line, e.column));
    errors.truncate(MAX_ERRORS);
    Err(errors)
}

/// Takes a line apart that is not too long.
fn measured(text: &str) -> LexedLine {
    let nothing = || Lexed { tokens: Vec::new(), comment: None, end: 1 };
    let mut words = text.split_ascii_whitespace();
    let long = match words.next() {
        Some("title" | "about" | "say" | "topic" | "ask" | "answer" | "goal") => true,
        Some("at") => words.nth(1) == Some("send"),
        _ => false,
    };
    let limit = if long { MAX_LONG_LINE } else { MAX_LINE };
    if text.len() > limit && text.chars().count() > limit {
        let column = limit as u32 + 1;
        let accepted = Phrase::AtMostCharacters.of(&[&limit]);
        return Err((Fault::new(column, Phrase::LineTooLong, accepted), nothing()));
    }
    lex(text).map_err(|fault| (fault, nothing()))
}

fn line(
    lexed: &Lexed,
    release: Release,
    rules: Rules,
    clients: &Map<String, Owner>,
) -> Result<(Line, Vec<Use>), Fault> {
    let comment = lexed.comment.clone();
    if lexed.tokens.is_empty() {
        return Ok((Line { statement: None, comment }, Vec::new()));
    }
    let mut cursor = Cursor::new(lexed, release, rules, clients);
    let statement = Some(statement(&mut cursor)?);
    cursor.finish()?;
    Ok((Line { statement, comment }, cursor.uses))
}

const STATEMENTS: [&str; 23] = [
    "highwater",
    "title",
    "about",
    "kafka",
    "seed",
    "rules",
    "controller",
    "brokers",
    "set",
    "network",
    "topic",
    "producer",
    "consumer",
    "at",
    "drop",
    "delay",
    "duplicate",
    "say",
    "ask",
    "answer",
    "goal",
    "expect",
    "until",
];

fn statement(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let verb = cursor.word(Phrase::StatementWord)?;
    match verb.text.as_str() {
        "highwater" => {
            let token = cursor.word(Phrase::FormatVersion)?;
            let max = u64::from(VERSION);
            Ok(Statement::Highwater(number(&token.text, token.column, 1, max)? as u32))
        }
        "title" => Ok(Statement::Title(text_before(cursor, "")?)),
        "about" => Ok(Statement::About(text_before(cursor, "")?)),
        "kafka" => {
            let token = cursor.word(Said::verbatim(Release::NAMES))?;
            let release = Release::parse(&token.text).ok_or_else(|| {
                let reason = Phrase::NoRelease.of(&[&shown(&token.text)]);
                Fault::new(token.column, reason, Said::verbatim(Release::NAMES))
            });
            Ok(Statement::Kafka(release?))
        }
        "seed" => {
            let token = cursor.word(Phrase::Number)?;
            Ok(Statement::Seed(number(&token.text, token.column, 0, MAX_NUMBER)?))
        }
        "rules" => Ok(Statement::Rules(rules(cursor)?)),
        "controller" => controller(cursor),
        "brokers" => Ok(Statement::Brokers(brokers(cursor)?)),
        "set" => set(cursor),
        "network" => network(cursor),
        "topic" => Ok(Statement::Topic(topic(cursor)?)),
        "producer" => Ok(Statement::Producer(producer(cursor)?)),
        "consumer" => Ok(Statement::Consumer(consumer(cursor)?)),
        "at" => {
            let at = cursor.duration(Phrase::TimeAndAction)?;
            Ok(Statement::At(at, action(cursor)?))
        }
        verb @ ("drop" | "delay" | "duplicate") => Ok(Statement::Message(message(cursor, verb)?)),
        verb @ ("say" | "ask") => {
            let at = cursor.duration(Phrase::TimeAndWords)?;
            let words = text_before(cursor, "")?;
            let said = if verb == "say" { Statement::Say } else { Statement::Ask };
            Ok(said(at, words))
        }
        "answer" => Ok(Statement::Answer(answer(cursor)?)),
        "goal" => goal(cursor),
        "expect" => {
            let at = cursor.duration(Phrase::TimeAndExpectation)?;
            Ok(Statement::Expect(at, expectations(cursor)?))
        }
        "until" => Ok(Statement::Until(cursor.duration(Phrase::Time)?)),
        other => {
            let reason = Phrase::NoStatement.of(&[&shown(other)]);
            Err(Fault::new(verb.column, reason, choices(other, &STATEMENTS)))
        }
    }
}

/// `en "…" zh "…"`, at least one of them, up to that word or the end of the line.
pub(super) fn text_before(cursor: &mut Cursor<'_>, word: &str) -> Result<Text, Fault> {
    const ACCEPTED: Phrase = Phrase::TextForm;
    let mut text = Text::default();
    let mut language = cursor.word(ACCEPTED)?;
    loop {
        let place = match language.text.as_str() {
            "en" => &mut text.en,
            "zh" => &mut text.zh,
            other => {
                let reason = Phrase::NoLanguage.of(&[&shown(other)]);
                return Err(Fault::new(language.column, reason, ACCEPTED));
            }
        };
        let words = cursor.token(Phrase::WordsInQuotes)?;
        if !words.quoted || place.is_some() {
            let reason = if words.quoted { Phrase::LanguageAgain } else { Phrase::NoQuotes };
            return Err(Fault::new(words.column, reason, ACCEPTED));
        }
        *place = Some(words.text.clone());
        if cursor.peek().is_none_or(|next| !next.quoted && next.text == word) {
            return Ok(text);
        }
        language = cursor.word(ACCEPTED)?;
    }
}
