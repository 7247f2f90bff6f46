//! What happens at a moment, and faults of single messages.

use super::ast::{
    Action, MessageFault, MessageFaultKind, MessageName, Placement, PowerLoss, TopicDecl,
};
use super::cursor::{Cursor, Used};
use super::error::Fault;
use super::lex::Token;
use super::values::{choices, duration, number, offset, once, setting, shown, topic_name};
use super::{MAX_PARTITIONS, MAX_RECORDS, MIN_EVERY};
use crate::settings::{Ability, Owner};
use crate::words::{Brokers, Micros};
use crate::words::{MessageKind, Phrase, Said};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The first words of actions.
pub(super) const ACTIONS: [&str; 19] = [
    "crash",
    "power-off",
    "lose",
    "stop",
    "start",
    "pause",
    "resume",
    "wipe",
    "disk",
    "slow",
    "cut",
    "heal",
    "create",
    "set",
    "elect",
    "reassign",
    "send",
    "every",
    "seek",
];

/// Reads what follows `at TIME`.
pub(super) fn action(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let verb = cursor.word(Said::verbatim(ACTIONS.join(", ")))?;
    match verb.text.as_str() {
        "crash" => Ok(Action::Crash(cursor.place()?)),
        "stop" => Ok(Action::Stop(cursor.place()?)),
        "start" => Ok(Action::Start(cursor.place()?)),
        "pause" => Ok(Action::Pause(cursor.place()?)),
        "resume" => Ok(Action::Resume(cursor.place()?)),
        "wipe" => Ok(Action::Wipe(cursor.broker()?)),
        "power-off" => power_off(cursor),
        "lose" => lose(cursor),
        "disk" => disk(cursor),
        "slow" => slow(cursor),
        "cut" => Ok(Action::Cut(cursor.link()?)),
        "heal" => heal(cursor),
        "create" => Ok(Action::Create(topic(cursor)?)),
        "set" => {
            let scope = cursor.scope()?;
            let changes = cursor.changes(&scope)?;
            Ok(Action::Set(scope, changes))
        }
        "elect" => elect(cursor),
        "reassign" => reassign(cursor),
        "send" => send(cursor),
        "every" => every(cursor),
        "seek" => {
            let consumer = cursor.client(Used::Consumer, Phrase::ConsumerName)?;
            let at = cursor.column();
            let partition = cursor.partition()?;
            cursor.used(at, Used::Reads(consumer.clone(), partition.clone()));
            let token = cursor.word(Phrase::Offset)?;
            Ok(Action::Seek { consumer, partition, offset: offset(&token.text, token.column)? })
        }
        other => {
            let reason = Phrase::NoAction.of(&[&shown(other)]);
            Err(Fault::new(verb.column, reason, choices(other, &ACTIONS)))
        }
    }
}

/// Reads `name=` of an option that stands alone.
fn option<'a>(token: &'a Token, name: &str, accepted: &str) -> Result<&'a str, Fault> {
    match token.assignment() {
        Some((n, value)) if n == name => Ok(value),
        _ => Err(Fault::new(
            token.column,
            Phrase::Unknown.of(&[&shown(&token.text)]),
            Said::verbatim(accepted),
        )),
    }
}

fn power_off(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    const ACCEPTED: &str = "lose=all, lose=seeded";
    let broker = cursor.broker()?;
    let lose = match cursor.peek() {
        None => PowerLoss::All,
        Some(token) => {
            cursor.token(Said::verbatim(ACCEPTED))?;
            match option(token, "lose", ACCEPTED)? {
                "all" => PowerLoss::All,
                "seeded" => PowerLoss::Seeded,
                other => {
                    let reason = Phrase::Unknown.of(&[&shown(other)]);
                    return Err(Fault::new(
                        token.value_column(),
                        reason,
                        Said::verbatim("all, seeded"),
                    ));
                }
            }
        }
    };
    Ok(Action::PowerOff { broker, lose })
}

fn lose(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let broker = cursor.broker()?;
    let partition = cursor.partition()?;
    const ACCEPTED: &str = "from=OFFSET";
    let token = cursor.token(Said::verbatim(ACCEPTED))?;
    let from = offset(option(token, "from", ACCEPTED)?, token.value_column())?;
    Ok(Action::Lose { broker, partition, from })
}

fn disk(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let broker = cursor.broker()?;
    let partition = match cursor.peek() {
        Some(token) if token.text.contains('/') => Some(cursor.partition()?),
        _ => None,
    };
    let delay = cursor.duration(Phrase::SlowDiskForm)?;
    Ok(Action::Disk { broker, partition, delay })
}

fn slow(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let link = cursor.link()?;
    let token = cursor.word(Phrase::TimeOrDefault)?;
    let latency = match token.text.as_str() {
        "default" => None,
        text => Some(duration(text, token.column)?),
    };
    Ok(Action::Slow { link, latency })
}

fn heal(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let token = cursor.word(Phrase::LinkOrAllForm)?;
    match token.text.as_str() {
        "all" => Ok(Action::Heal(None)),
        text => Ok(Action::Heal(Some(cursor.link_named(text, token.column)?))),
    }
}

/// The kinds of election, as one writes them.
const ELECTIONS: &str = "preferred, unclean";

fn elect(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let token = cursor.word(Said::verbatim(ELECTIONS))?;
    let unclean = match token.text.as_str() {
        "preferred" => false,
        "unclean" => {
            cursor.needs(Ability::UncleanElection, token.column)?;
            true
        }
        other => {
            let reason = Phrase::NoElection.of(&[&shown(other)]);
            return Err(Fault::new(token.column, reason, Said::verbatim(ELECTIONS)));
        }
    };
    Ok(Action::Elect { unclean, partition: cursor.partition()? })
}

fn reassign(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let partition = cursor.partition()?;
    let token = cursor.word(Phrase::ReassignForm)?;
    let target = match token.text.as_str() {
        "cancel" => {
            cursor.needs(Ability::CancelledReassignment, token.column)?;
            None
        }
        text => Some(cursor.replicas(text, token.column)?),
    };
    Ok(Action::Reassign { partition, target })
}

fn send(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    const ACCEPTED: Phrase = Phrase::SendForm;
    let producer = cursor.client(Used::Producer, Phrase::ProducerName)?;
    let mut values: Vec<String> = Vec::new();
    let mut key = None;
    let mut index = None;
    let first = cursor.token(ACCEPTED)?;
    for token in core::iter::once(first).chain(cursor.rest()) {
        match token.assignment() {
            None => values.push(token.text.clone()),
            Some(("key", text)) if key.is_none() => key = Some(text.to_owned()),
            Some(("partition", n)) if index.is_none() => {
                let max = u64::from(MAX_PARTITIONS) - 1;
                let n = number(n, token.value_column(), 0, max)? as u32;
                cursor.used(token.value_column(), Used::PartitionOf(producer.clone(), n));
                index = Some(n);
            }
            Some((name, _)) => {
                let reason = Phrase::DoesNotBelongHere.of(&[&shown(name)]);
                return Err(Fault::new(token.column, reason, ACCEPTED));
            }
        }
    }
    if values.is_empty() || values.len() > MAX_RECORDS as usize {
        let reason = Phrase::ValueCount.of(&[&values.len()]);
        return Err(Fault::new(first.column, reason, Phrase::ValuesUpTo.of(&[&MAX_RECORDS])));
    }
    Ok(Action::Send { producer, values, key, partition: index })
}

fn every(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let producer = cursor.client(Used::Producer, Phrase::ProducerName)?;
    let token = cursor.word(Phrase::TimeOrOff)?;
    let every = match token.text.as_str() {
        "off" => None,
        text => Some(tick(text, token.column)?),
    };
    Ok(Action::Every { producer, every })
}

/// How often a producer sends.
pub(super) fn tick(text: &str, column: u32) -> Result<Micros, Fault> {
    let every = duration(text, column)?;
    if every < MIN_EVERY {
        let reason = Phrase::TooOften.of(&[&shown(text)]);
        return Err(Fault::new(column, reason, Phrase::OrLonger.of(&[&MIN_EVERY])));
    }
    Ok(every)
}

/// Reads what follows `topic` or `create`.
pub(super) fn topic(cursor: &mut Cursor<'_>) -> Result<TopicDecl, Fault> {
    let token = cursor.word(Phrase::TopicName)?;
    topic_name(&token.text, token.column)?;
    let name = token.text.clone();
    let (mut partitions, mut replicas, mut manual) = (None, None, None);
    let mut config = Vec::new();
    for token in cursor.rest() {
        let column = token.value_column();
        match token.assignment() {
            Some(("partitions", n)) if partitions.is_none() => {
                partitions = Some(number(n, column, 1, u64::from(MAX_PARTITIONS))? as u32);
            }
            Some(("replicas", n)) if replicas.is_none() => {
                replicas = Some(number(n, column, 1, Brokers::MAX_REPLICAS as u64)? as u16);
            }
            Some(("assignment", text)) if manual.is_none() => {
                manual = Some((token.column, assignment(cursor, text, column)?));
            }
            Some((name @ ("partitions" | "replicas" | "assignment"), _)) => {
                let reason = Phrase::GivenTwice.of(&[&name]);
                return Err(Fault::new(token.column, reason, Phrase::EachNameOnce));
            }
            _ => {
                let (key, value) = setting(token, Owner::Topic, cursor.release, false)?;
                once(&config, key, token)?;
                config.extend(value.map(|value| (key, value)));
            }
        }
    }
    let placement = match manual {
        None => Placement::Automatic { partitions, replicas },
        Some((column, _)) if partitions.is_some() || replicas.is_some() => {
            let accepted = Phrase::AssignmentForm;
            return Err(Fault::new(column, Phrase::AssignmentSaysNumbers, accepted));
        }
        Some((_, lists)) => Placement::Manual(lists),
    };
    Ok(TopicDecl { name, placement, config })
}

/// `1,2,3;2,3,1`: the replicas of each partition.
fn assignment(cursor: &mut Cursor<'_>, text: &str, column: u32) -> Result<Vec<Brokers>, Fault> {
    let mut all: Vec<Brokers> = Vec::new();
    let mut at = column;
    for part in text.split(';') {
        let list = cursor.replicas(part, at)?;
        if all.first().is_some_and(|first| first.len() != list.len()) {
            let reason = Phrase::ReplicaNumbersDiffer;
            return Err(Fault::new(at, reason, Phrase::SameReplicaNumber));
        }
        all.push(list);
        at += part.chars().count() as u32 + 1;
    }
    Ok(all)
}

/// Reads what follows `drop`, `delay` or `duplicate`.
pub(super) fn message(cursor: &mut Cursor<'_>, verb: &str) -> Result<MessageFault, Fault> {
    let message = message_name(cursor)?;
    let kind = match verb {
        "drop" => MessageFaultKind::Drop,
        "duplicate" => MessageFaultKind::Duplicate,
        _ => {
            let by = cursor.word(Phrase::ByTime)?;
            if by.text != "by" {
                let reason = Phrase::NotBy.of(&[&shown(&by.text)]);
                return Err(Fault::new(by.column, reason, Phrase::ByTime));
            }
            MessageFaultKind::Delay(cursor.duration(Phrase::Time)?)
        }
    };
    Ok(MessageFault { kind, message })
}

fn message_name(cursor: &mut Cursor<'_>) -> Result<MessageName, Fault> {
    let token = cursor.word(Phrase::MessageForm)?;
    let kind = token.text.as_str();
    if !MessageKind::NAMES.contains(&kind) {
        let reason = Phrase::NoMessage.of(&[&shown(kind)]);
        return Err(Fault::new(token.column, reason, choices(kind, MessageKind::NAMES)));
    }
    let column = cursor.peek().map(|t| t.column);
    let link = cursor.link()?;
    if link.both {
        let reason = Phrase::MessageOneWay;
        return Err(Fault::new(column.unwrap_or(1), reason, Phrase::LinkOneWayForm));
    }
    let name = match cursor.peek() {
        Some(token) if !token.text.starts_with('#') => Some(cursor.partition()?),
        _ => None,
    };
    let token = cursor.word(Phrase::WhichOne)?;
    let digits = token.text.strip_prefix('#').unwrap_or(&token.text);
    let ordinal = number(digits, token.column, 1, u64::from(u32::MAX))? as u32;
    Ok(MessageName {
        kind: kind.to_owned(),
        from: link.from,
        to: link.to,
        partition: name,
        ordinal,
    })
}
