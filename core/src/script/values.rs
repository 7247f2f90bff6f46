//! One word of a line, read as a value: numbers, times, names, settings.

use super::ast::PartitionName;
use super::error::Fault;
use super::lex::Token;
use super::{MAX_NAME, MAX_NUMBER, MAX_PARTITIONS, MAX_TOPIC_NAME};
use crate::settings::{Key, Owner, Release, Value, nearest};
use crate::words::{BrokerId, Micros, Phrase, Said};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// `name=value` as a setting of `owner`.
pub(super) fn setting(
    token: &Token,
    owner: Owner,
    release: Release,
    default_allowed: bool,
) -> Result<(Key, Option<Value>), Fault> {
    let Some((name, value)) = token.assignment() else {
        let reason = Phrase::NoNameAndValue.of(&[&shown(&token.text)]);
        return Err(Fault::new(token.column, reason, Phrase::NameAndValue));
    };
    let fault = |column, e: crate::settings::SettingError| Fault::new(column, e.reason, e.accepted);
    let key = Key::find(name, owner, release).map_err(|e| fault(token.column, e))?;
    if value == "default" {
        if default_allowed {
            return Ok((key, None));
        }
        let reason = Phrase::NothingToTakeBack;
        return Err(Fault::new(token.value_column(), reason, key.spec().accepted(release)));
    }
    let value = key.spec().parse(value, release).map_err(|e| fault(token.value_column(), e))?;
    Ok((key, Some(value)))
}

/// Refuses a setting that the line already has.
pub(super) fn once<T>(all: &[(Key, T)], key: Key, token: &Token) -> Result<(), Fault> {
    if all.iter().any(|(k, _)| *k == key) {
        let reason = Phrase::GivenTwice.of(&[&key.spec().name]);
        return Err(Fault::new(token.column, reason, Phrase::EachNameOnce));
    }
    Ok(())
}

/// What was given, cut short for a message.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("“{}…”", text.get(..end).unwrap_or_default()),
        None => format!("“{text}”"),
    }
}

/// `3s`, `250ms`, `1500us`, `2m`, `1.5s` or `0`.
pub(super) fn duration(text: &str, column: u32) -> Result<Micros, Fault> {
    const ACCEPTED: Phrase = Phrase::TimeForm;
    if text == "0" {
        return Ok(Micros::ZERO);
    }
    let wrong = |why: Phrase| Fault::new(column, why.of(&[&shown(text)]), ACCEPTED);
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits).unwrap_or((text, ""));
    let factor: u64 = match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        "" if !number.is_empty() => return Err(wrong(Phrase::NoUnit)),
        _ => return Err(wrong(Phrase::NoTime)),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let wrong_number = || wrong(Phrase::NoTime);
    if whole.len() > 15 || fraction.len() > 9 {
        return Err(wrong(Phrase::TooManyDigits));
    }
    let whole: u64 = whole.parse().map_err(|_| wrong_number())?;
    let scale = 10u64.pow(fraction.len() as u32);
    let fraction: u64 = fraction.parse().map_err(|_| wrong_number())?;
    if !(fraction * factor).is_multiple_of(scale) {
        return Err(wrong(Phrase::NoWholeMicroseconds));
    }
    match whole.saturating_mul(factor).saturating_add(fraction * factor / scale) {
        us if us <= Micros::LIMIT.0 => Ok(Micros(us)),
        _ => Err(wrong(Phrase::LaterThanLimit)),
    }
}

/// A whole number without sign or needless zeros, from `min` to `max`.
pub(super) fn number(text: &str, column: u32, min: u64, max: u64) -> Result<u64, Fault> {
    let plain = text == "0" || !text.starts_with(['0', '+']);
    match text.parse::<u64>() {
        Ok(n) if plain && (min..=max).contains(&n) => Ok(n),
        Ok(_) if plain => {
            let reason = Phrase::OutOfRange.of(&[&shown(text)]);
            Err(Fault::new(column, reason, Phrase::Between.of(&[&min, &max])))
        }
        _ => {
            let reason = Phrase::NoWholeNumber.of(&[&shown(text)]);
            Err(Fault::new(column, reason, Phrase::Between.of(&[&min, &max])))
        }
    }
}

pub(super) fn offset(text: &str, column: u32) -> Result<i64, Fault> {
    number(text, column, 0, MAX_NUMBER).map(|n| n as i64)
}

pub(super) fn broker_id(text: &str, column: u32) -> Result<BrokerId, Fault> {
    let id = number(text, column, 0, u64::from(BrokerId::MAX));
    let accepted = || Phrase::BrokerIdBetween.of(&[&0, &BrokerId::MAX]);
    id.map(|id| BrokerId(id as u16)).map_err(|fault| fault.accepting(accepted()))
}

/// `orders/0`.
pub(super) fn partition(text: &str, column: u32) -> Result<PartitionName, Fault> {
    const ACCEPTED: Phrase = Phrase::PartitionForm;
    let Some((topic, index)) = text.split_once('/') else {
        return Err(Fault::new(column, Phrase::NoPartition.of(&[&shown(text)]), ACCEPTED));
    };
    topic_name(topic, column)?;
    let at = column + topic.chars().count() as u32 + 1;
    let index = number(index, at, 0, u64::from(MAX_PARTITIONS) - 1)?;
    Ok(PartitionName { topic: topic.to_owned(), partition: index as u32 })
}

/// A name as Kafka allows it for topics.
pub(super) fn topic_name(text: &str, column: u32) -> Result<(), Fault> {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let fits = !text.is_empty() && text.len() <= MAX_TOPIC_NAME;
    if fits && text.chars().all(legal) && text != "." && text != ".." {
        return Ok(());
    }
    let reason = Phrase::NoTopicName.of(&[&shown(text)]);
    let accepted = Phrase::TopicNameForm.of(&[&MAX_TOPIC_NAME]);
    Err(Fault::new(column, reason, accepted))
}

pub(super) fn is_client_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.len() <= MAX_NAME
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !RESERVED.contains(&text)
}

/// Words that no client may be called.
pub(super) const RESERVED: [&str; 3] = ["controller", "zookeeper", "records"];

/// A list of words for a message; the one that was probably meant comes first, and stands alone
/// where the list is long.
pub(super) fn choices(given: &str, words: &[&str]) -> Said {
    match nearest(given, words.iter().copied()) {
        Some(near) if words.len() > 24 => Phrase::DidYouMean.of(&[&near]),
        Some(near) => Phrase::DidYouMeanOf.of(&[&near, &words.join(", ")]),
        None => Said::verbatim(words.join(", ")),
    }
}
