//! What an `expect` line may look at.

use super::MAX_NUMBER;
use super::ast::{Expectation, PartitionName, Relation, Subject};
use super::cursor::{Cursor, Used};
use super::error::Fault;
use super::lex::Token;
use super::values::{broker_id, choices, is_client_name, number, partition, shown};
use crate::settings::nearest;
use crate::words::{ErrorCode, Phrase, Said};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

/// How the value of a field of an expectation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldForm {
    /// A broker's id, or `none`.
    Broker,
    /// Brokers' ids with commas, or `none`; compared as a set.
    Brokers,
    /// A whole number from −1; the only form that `>=` and `<=` go with.
    Number,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `epoch:start` with commas, or `none`: a leader-epoch cache.
    Epochs,
    /// The constant of an error, such as `NOT_ENOUGH_REPLICAS`, or `none`.
    Error,
    /// Text, in quotes where it has spaces.
    Text,
}

use FieldForm::{Broker, Brokers, Epochs, Error, Number, Text, Word};

const YES_NO: FieldForm = Word(&["yes", "no"]);

const PARTITION: &[(&str, FieldForm)] = &[
    ("leader", Broker),
    ("isr", Brokers),
    ("elr", Brokers),
    ("last-known-elr", Brokers),
    ("replicas", Brokers),
    ("adding", Brokers),
    ("removing", Brokers),
    ("hw", Number),
    ("leo", Number),
    ("leader-epoch", Number),
    ("partition-epoch", Number),
    ("min-isr-met", YES_NO),
];
const REPLICA: &[(&str, FieldForm)] = &[
    ("leo", Number),
    ("hw", Number),
    ("role", Word(&["leader", "follower", "none"])),
    ("epochs", Epochs),
    ("log", Text),
    ("flushed", Number),
    ("recovery-point", Number),
];
const BROKER: &[(&str, FieldForm)] = &[
    ("state", Word(&["running", "paused", "starting", "stopped", "crashed", "powered-off"])),
    ("fenced", YES_NO),
];
const CLIENT: &[(&str, FieldForm)] = &[
    ("error", Error),
    ("acked", Number),
    ("refused", Number),
    ("failed", Number),
    ("pending", Number),
    ("sent", Number),
    ("position", Number),
    ("read", Number),
    ("values", Text),
    ("duplicates", Number),
    ("skipped", Number),
];
const RECORDS: &[(&str, FieldForm)] = &[
    ("sent", Number),
    ("acked", Number),
    ("committed", Number),
    ("visible", Number),
    ("lost", Number),
    ("acked-lost", Number),
    ("duplicated", Number),
    ("reordered", Number),
    ("refused", Number),
    ("timed-out", Number),
];

/// The fields of a subject, each with the form of its value.
pub fn fields_of(subject: &Subject) -> &'static [(&'static str, FieldForm)] {
    match subject {
        Subject::Partition(_) => PARTITION,
        Subject::Replica(..) => REPLICA,
        Subject::Broker(_) => BROKER,
        Subject::Client(_) => CLIENT,
        Subject::Records => RECORDS,
    }
}

const SUBJECTS: Phrase = Phrase::SubjectForm;

/// Reads what follows `expect TIME`: a subject holds for the bare fields behind it, and
/// `subject.field` names its own.
pub(super) fn expectations(cursor: &mut Cursor<'_>) -> Result<Vec<Expectation>, Fault> {
    let mut all = Vec::new();
    let mut current: Option<Subject> = None;
    let mut idle: Option<u32> = None;
    let first = cursor.word(SUBJECTS)?;
    for token in core::iter::once(first).chain(cursor.rest()) {
        let Some((left, value)) = token.assignment() else {
            if let Some(column) = idle {
                return Err(nothing_expected(column));
            }
            current = Some(subject(cursor, &token.text, token.column)?);
            idle = Some(token.column);
            continue;
        };
        let (left, relation) = relation(left);
        let (subject, field) = match left.rsplit_once('.') {
            Some((named, field)) => (subject(cursor, named, token.column)?, field),
            None => match &current {
                Some(subject) => {
                    idle = None;
                    (subject.clone(), left)
                }
                None => {
                    let reason = Phrase::FieldOfWhat.of(&[&shown(left)]);
                    return Err(Fault::new(token.column, reason, SUBJECTS));
                }
            },
        };
        all.push(expectation(token, subject, field, relation, value)?);
    }
    match idle {
        Some(column) => Err(nothing_expected(column)),
        None => Ok(all),
    }
}

fn nothing_expected(column: u32) -> Fault {
    Fault::new(column, Phrase::NothingExpected, Phrase::FieldValue)
}

fn relation(left: &str) -> (&str, Relation) {
    let signs = [('!', Relation::IsNot), ('>', Relation::AtLeast), ('<', Relation::AtMost)];
    let found = signs.iter().find_map(|(sign, r)| Some((left.strip_suffix(*sign)?, *r)));
    found.unwrap_or((left, Relation::Is))
}

fn subject(cursor: &mut Cursor<'_>, text: &str, column: u32) -> Result<Subject, Fault> {
    if text == "records" {
        return Ok(Subject::Records);
    }
    if let Some((name, broker)) = text.split_once('@') {
        let name = partition_used(cursor, name, column)?;
        let at = column + (text.chars().count() - broker.chars().count()) as u32;
        let id = broker_id(broker, at)?;
        cursor.used(at, Used::Broker(id));
        return Ok(Subject::Replica(name, id));
    }
    if text.contains('/') {
        return Ok(Subject::Partition(partition_used(cursor, text, column)?));
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let id = broker_id(text, column)?;
        cursor.used(column, Used::Broker(id));
        return Ok(Subject::Broker(id));
    }
    if is_client_name(text) {
        cursor.used(column, Used::Client(text.to_owned()));
        return Ok(Subject::Client(text.to_owned()));
    }
    let reason = Phrase::NothingToLookAt.of(&[&shown(text)]);
    Err(Fault::new(column, reason, SUBJECTS))
}

fn partition_used(
    cursor: &mut Cursor<'_>,
    text: &str,
    column: u32,
) -> Result<PartitionName, Fault> {
    let name = partition(text, column)?;
    cursor.used(column, Used::Partition(name.clone()));
    Ok(name)
}

fn expectation(
    token: &Token,
    subject: Subject,
    field: &str,
    relation: Relation,
    value: &str,
) -> Result<Expectation, Fault> {
    let fields = fields_of(&subject);
    let Some((name, form)) = fields.iter().find(|(name, _)| *name == field) else {
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        let reason = Phrase::NoField.of(&[&shown(field)]);
        return Err(Fault::new(token.column, reason, choices(field, &names)));
    };
    let orders = matches!(relation, Relation::AtLeast | Relation::AtMost);
    if orders && *form != Number {
        let reason = Phrase::NoOrder.of(&[&field]);
        return Err(Fault::new(token.column, reason, Phrase::Equality));
    }
    check_value(*form, value, token.value_column())?;
    Ok(Expectation { subject, field: (*name).to_owned(), relation, value: value.to_owned() })
}

fn check_value(form: FieldForm, value: &str, column: u32) -> Result<(), Fault> {
    let wrong = |accepted: Said| {
        Err(Fault::new(column, Phrase::NoFieldValue.of(&[&shown(value)]), accepted))
    };
    let none = value == "none";
    match form {
        Text => Ok(()),
        Broker | Brokers | Epochs | Error if none => Ok(()),
        Broker => broker_id(value, column).map(|_| ()),
        Brokers => {
            let mut at = column;
            for part in value.split(',') {
                broker_id(part, at)?;
                at += part.chars().count() as u32 + 1;
            }
            Ok(())
        }
        Number if value == "-1" => Ok(()),
        Number => number(value, column, 0, MAX_NUMBER).map(|_| ()),
        Word(words) if words.contains(&value) => Ok(()),
        Word(words) => wrong(Said::verbatim(words.join(", "))),
        Epochs => {
            let entry = |part: &str| {
                let (epoch, start) = part.split_once(':')?;
                number(epoch, column, 0, i32::MAX as u64).ok()?;
                number(start, column, 0, MAX_NUMBER).ok()
            };
            match value.split(',').all(|part| entry(part).is_some()) {
                true => Ok(()),
                false => wrong(Phrase::EpochsForm.into()),
            }
        }
        Error => {
            let names: Vec<&str> = ErrorCode::ALL[1..].iter().map(|e| e.constant()).collect();
            match names.contains(&value) {
                true => Ok(()),
                false => wrong(match nearest(value, names.iter().copied()) {
                    Some(near) => Phrase::DidYouMean.of(&[&near]),
                    None => Phrase::ErrorForm.into(),
                }),
            }
        }
    }
}
