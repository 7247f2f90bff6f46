//! What a script declares before anything happens: rules, brokers, network, clients, settings.

use super::actions::tick;
use super::ast::{BrokersDecl, CommitMode, ConsumerDecl, ProducerDecl, Statement};
use super::counted_brokers;
use super::cursor::{Cursor, Used};
use super::error::Fault;
use super::lex::Token;
use super::values::{RESERVED, broker_id, choices, duration, is_client_name};
use super::values::{number, once, setting, shown, topic_name};
use super::{DEFAULT_LATENCY, MAX_BROKERS, MAX_KEYS, MAX_NAME, MAX_RECORDS};
use crate::settings::rules::{Coordination, SWITCHES};
use crate::settings::{Ability, Owner, Rules};
use crate::words::{BrokerId, BrokerList, Map, Micros, Phrase, Said};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// `name=word …`: rules that are set against the release.
pub(super) fn rules(cursor: &mut Cursor<'_>) -> Result<Vec<(usize, usize)>, Fault> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    let first = cursor.token(Phrase::RuleForm)?;
    for token in core::iter::once(first).chain(cursor.rest()) {
        let Some((name, word)) = token.assignment() else {
            let reason = Phrase::SetsNoRule.of(&[&shown(&token.text)]);
            return Err(Fault::new(token.column, reason, Phrase::RuleForm));
        };
        let names: Vec<&str> = SWITCHES.iter().map(|s| s.name).collect();
        // Who keeps the truth comes with the release: the rest of it goes by that.
        let switch = Rules::switch(name).filter(|_| name != "coordination").ok_or_else(|| {
            let reason = Phrase::NoRule.of(&[&shown(name)]);
            Fault::new(token.column, reason, choices(name, &names))
        })?;
        let words = SWITCHES[switch].values;
        let value = words.iter().position(|w| *w == word).ok_or_else(|| {
            let reason = Phrase::NoRuleValue.of(&[&shown(word), &name]);
            Fault::new(token.value_column(), reason, Said::verbatim(words.join(", ")))
        })?;
        if all.iter().any(|(known, _)| *known == switch) {
            return Err(Fault::new(token.column, Phrase::Again.of(&[&name]), Phrase::Once));
        }
        all.push((switch, value));
    }
    Ok(all)
}

/// With ZooKeeper, the broker that is the controller at the start.
pub(super) fn controller(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let column = cursor.peek().map_or(1, |t| t.column);
    if cursor.rules.coordination != Coordination::ZooKeeper {
        let reason = Phrase::NoControllerBroker.of(&[&cursor.release]);
        return Err(Fault::new(column, reason, Phrase::NoControllerLine));
    }
    Ok(Statement::Controller(cursor.broker()?))
}

pub(super) fn brokers(cursor: &mut Cursor<'_>) -> Result<BrokersDecl, Fault> {
    const ACCEPTED: Phrase = Phrase::BrokersForm;
    let token = cursor.word(ACCEPTED)?;
    let counted = !token.text.contains(',');
    let mut ids: Vec<BrokerId> = Vec::new();
    if counted {
        let count = number(&token.text, token.column, 1, MAX_BROKERS as u64)?;
        ids.extend(counted_brokers(count as u16).iter());
    } else {
        let mut at = token.column;
        // A comma behind a single id makes it a list: `brokers 5,`.
        let list = token.text.strip_suffix(',').filter(|list| !list.contains(','));
        for part in list.unwrap_or(&token.text).split(',') {
            let id = broker_id(part, at)?;
            if ids.contains(&id) {
                return Err(Fault::new(at, Phrase::BrokerTwice.of(&[&id]), Phrase::EachIdOnce));
            }
            ids.push(id);
            at += part.chars().count() as u32 + 1;
        }
        if ids.len() > MAX_BROKERS {
            let reason = Phrase::BrokerCount.of(&[&ids.len()]);
            return Err(Fault::new(token.column, reason, Phrase::BrokersUpTo.of(&[&MAX_BROKERS])));
        }
    }
    let mut racks = match cursor.peek() {
        Some(token) => racks(cursor, token, ids.len())?,
        None => Vec::new(),
    };
    if !racks.is_empty() {
        let by_id: Map<BrokerId, String> = ids.iter().copied().zip(racks).collect();
        racks = by_id.into_iter().map(|(_, rack)| rack).collect();
    }
    let ids = ids.into_iter().collect::<BrokerList>().sorted();
    Ok(BrokersDecl { ids, counted, racks })
}

fn racks(cursor: &mut Cursor<'_>, token: &Token, brokers: usize) -> Result<Vec<String>, Fault> {
    let accepted = Phrase::RacksForm.of(&[&brokers]);
    cursor.token(accepted.clone())?;
    let Some(("racks", list)) = token.assignment() else {
        let reason = Phrase::DoesNotBelongHere.of(&[&shown(&token.text)]);
        return Err(Fault::new(token.column, reason, accepted));
    };
    cursor.needs(Ability::Racks, token.column)?;
    let racks: Vec<String> = list.split(',').map(ToString::to_string).collect();
    let bad = |rack: &String| rack.len() > MAX_NAME || topic_name(rack, 1).is_err();
    if racks.len() != brokers || racks.iter().any(bad) {
        let reason = Phrase::NoRacksList.of(&[&shown(list), &brokers]);
        return Err(Fault::new(token.value_column(), reason, accepted));
    }
    Ok(racks)
}

pub(super) fn set(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let scope = cursor.scope()?;
    let owner = cursor.owner(&scope);
    let first = cursor.token(Phrase::NameAndValue)?;
    let mut all = Vec::new();
    for token in core::iter::once(first).chain(cursor.rest()) {
        let Some(owner) = owner else { continue };
        let (key, value) = setting(token, owner, cursor.release, false)?;
        once(&all, key, token)?;
        all.extend(value.map(|value| (key, value)));
    }
    Ok(Statement::Set(scope, all))
}

pub(super) fn network(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    const ACCEPTED: &str = "latency=1ms, jitter=0";
    let (mut latency, mut jitter) = (None, None);
    let first = cursor.token(Said::verbatim(ACCEPTED))?;
    for token in core::iter::once(first).chain(cursor.rest()) {
        let (place, value) = match token.assignment() {
            Some(("latency", value)) if latency.is_none() => (&mut latency, value),
            Some(("jitter", value)) if jitter.is_none() => (&mut jitter, value),
            _ => {
                let reason = Phrase::DoesNotBelongHere.of(&[&shown(&token.text)]);
                return Err(Fault::new(token.column, reason, Said::verbatim(ACCEPTED)));
            }
        };
        *place = Some(duration(value, token.value_column())?);
    }
    Ok(Statement::Network {
        latency: latency.unwrap_or(DEFAULT_LATENCY),
        jitter: jitter.unwrap_or(Micros::ZERO),
    })
}

/// The name of a new client.
fn new_client(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
    let accepted = Phrase::ClientNameForm.of(&[&MAX_NAME, &RESERVED.join(", ")]);
    let token = cursor.word(accepted.clone())?;
    if !is_client_name(&token.text) {
        let reason = Phrase::NoClientName.of(&[&shown(&token.text)]);
        return Err(Fault::new(token.column, reason, accepted));
    }
    Ok(token.text.clone())
}

/// The first of `name=value` that a client's line may give once.
fn twice(name: &str, token: &Token) -> Fault {
    Fault::new(token.column, Phrase::GivenTwice.of(&[&name]), Phrase::EachNameOnce)
}

pub(super) fn producer(cursor: &mut Cursor<'_>) -> Result<ProducerDecl, Fault> {
    let name = new_client(cursor)?;
    let end = cursor.end();
    let owner = cursor.clients.get(&name).copied().unwrap_or(Owner::Producer);
    let (mut topic, mut every, mut burst) = (None, None, None);
    let (mut from, mut until, mut keys) = (None, None, None);
    let mut config = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for token in cursor.rest() {
        let column = token.value_column();
        let own = token.assignment().unwrap_or_default();
        match own {
            ("topic", value) => topic = Some(topic_used(cursor, value, column)?),
            ("every", value) => every = Some(tick(value, column)?),
            ("burst", n) => burst = Some(number(n, column, 1, u64::from(MAX_RECORDS))? as u32),
            ("from", value) => from = Some(duration(value, column)?),
            ("until", value) => until = Some(duration(value, column)?),
            ("keys", n) => keys = Some(number(n, column, 0, u64::from(MAX_KEYS))? as u32),
            _ => {
                let (key, value) = setting(token, owner, cursor.release, false)?;
                once(&config, key, token)?;
                config.extend(value.map(|value| (key, value)));
                continue;
            }
        }
        if seen.contains(&own.0) {
            return Err(twice(own.0, token));
        }
        seen.push(own.0);
    }
    let topic =
        topic.ok_or_else(|| Fault::new(end, Phrase::NoTopic, Said::verbatim("topic=NAME")))?;
    let (burst, keys) = (burst.unwrap_or(1), keys.unwrap_or(0));
    Ok(ProducerDecl { name, topic, every, burst, from, until, keys, config })
}

fn topic_used(cursor: &mut Cursor<'_>, name: &str, column: u32) -> Result<String, Fault> {
    topic_name(name, column)?;
    cursor.used(column, Used::Topic(name.to_owned()));
    Ok(name.to_owned())
}

pub(super) fn consumer(cursor: &mut Cursor<'_>) -> Result<ConsumerDecl, Fault> {
    let name = new_client(cursor)?;
    let end = cursor.end();
    let (mut topic, mut group, mut commit, mut processing) = (None, None, None, None);
    let mut rack = None;
    let mut config = Vec::new();
    for token in cursor.rest() {
        let column = token.value_column();
        match token.assignment() {
            Some(("topic", value)) if topic.is_none() => {
                topic = Some(topic_used(cursor, value, column)?);
            }
            Some(("group", value)) if group.is_none() => {
                topic_name(value, column)?;
                group = Some(value.to_owned());
            }
            Some(("commit", value)) if commit.is_none() => {
                let mode = COMMIT_MODES.iter().find(|(name, _)| *name == value);
                let (_, mode) = mode.ok_or_else(|| {
                    let reason = Phrase::NoCommitTime.of(&[&shown(value)]);
                    Fault::new(column, reason, Phrase::CommitForm)
                })?;
                commit = Some(*mode);
            }
            Some(("processing", value)) if processing.is_none() => {
                processing = Some(duration(value, column)?);
            }
            Some((RACK, value)) if rack.is_none() => {
                if !cursor.rules.follower_fetching {
                    cursor.needs(Ability::ClientRack, token.column)?;
                }
                topic_name(value, column)?;
                rack = Some(value.to_owned());
            }
            Some((name @ ("topic" | "group" | "commit" | "processing" | RACK), _)) => {
                return Err(twice(name, token));
            }
            _ => {
                let (key, value) = setting(token, Owner::Consumer, cursor.release, false)?;
                once(&config, key, token)?;
                config.extend(value.map(|value| (key, value)));
            }
        }
    }
    let topic =
        topic.ok_or_else(|| Fault::new(end, Phrase::NoTopic, Said::verbatim("topic=NAME")))?;
    if group.is_none() && commit.is_some() {
        return Err(Fault::new(end, Phrase::OnlyGroupsCommit, Phrase::GroupOrNoCommit));
    }
    let (commit, processing) = (commit.unwrap_or_default(), processing.unwrap_or_default());
    Ok(ConsumerDecl { name, topic, group, commit, processing, rack, config })
}

/// A consumer's rack, under Kafka's name.
pub(super) const RACK: &str = "client.rack";

/// When a group's consumer commits (R7.4), as scripts say it.
pub(super) const COMMIT_MODES: [(&str, CommitMode); 4] = [
    ("auto", CommitMode::Auto),
    ("before", CommitMode::Before),
    ("after", CommitMode::After),
    ("async", CommitMode::Async),
];
