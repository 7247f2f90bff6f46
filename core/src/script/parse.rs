use super::actions::{action, message, tick, topic};
use super::ast::{
    BrokersDecl, CommitMode, ConsumerDecl, Line, ProducerDecl, Script, Statement, Text,
};
use super::check::{self, Parsed};
use super::counted_brokers;
use super::cursor::{Cursor, RESERVED, Used, broker_id, choices, duration, is_client_name};
use super::cursor::{number, once, setting, shown, topic_name};
use super::error::{Fault, ScriptError};
use super::fields::expectations;
use super::lex::{Lexed, Token, lex};
use super::{DEFAULT_LATENCY, MAX_BROKERS, MAX_BYTES, MAX_ERRORS, MAX_KEYS, MAX_LINE};
use super::{MAX_LINES, MAX_LONG_LINE, MAX_NAME, MAX_NUMBER, MAX_RECORDS, VERSION};
use crate::settings::rules::{Coordination, SWITCHES};
use crate::settings::{Ability, Key, Owner, Release, Rules};
use crate::words::{BrokerId, BrokerList, Map, Micros, ordered};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Reads a script. Every line is read even if an earlier one is wrong; the first
/// [`MAX_ERRORS`] errors are given in the order of the text.
pub fn parse(text: &str) -> Result<Script, Vec<ScriptError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let too_long = |line, reason, accepted| {
        Err(vec![Fault::new(1, reason, accepted as fmt::Arguments<'_>).on(line)])
    };
    if text.len() > MAX_BYTES {
        return too_long(1, "the script is too long", format_args!("at most {MAX_BYTES} bytes"));
    }
    let mut texts: Vec<&str> = text.split('\n').collect();
    if texts.last() == Some(&"") {
        texts.pop();
    }
    if texts.len() > MAX_LINES {
        let line = MAX_LINES as u32 + 1;
        return too_long(line, "too many lines", format_args!("at most {MAX_LINES} lines"));
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
    let mut errors = ordered(errors, |e| (u64::from(e.line), e.column));
    errors.truncate(MAX_ERRORS);
    Err(errors)
}

type LexedLine = Result<Lexed, (Fault, Lexed)>;

/// Takes a line apart that is not too long.
fn measured(text: &str) -> LexedLine {
    let nothing = || Lexed { tokens: Vec::new(), comment: None, end: 1 };
    let mut words = text.split_ascii_whitespace();
    let long = match words.next() {
        Some("title" | "about" | "say" | "topic") => true,
        Some("at") => words.nth(1) == Some("send"),
        _ => false,
    };
    let limit = if long { MAX_LONG_LINE } else { MAX_LINE };
    if text.len() > limit && text.chars().count() > limit {
        let column = limit as u32 + 1;
        let accepted = format_args!("at most {limit} characters");
        return Err((Fault::new(column, "the line is too long", accepted), nothing()));
    }
    lex(text).map_err(|fault| (fault, nothing()))
}

/// The release that the script names; a wrong one is reported when its line is read.
fn find_release(lines: &[LexedLine]) -> Release {
    let tokens = lines.iter().flatten().map(|l| l.tokens.as_slice());
    let named = tokens.filter_map(|t| match t {
        [kafka, name, ..] if kafka.text == "kafka" => Release::parse(&name.text),
        _ => None,
    });
    named.take(1).last().unwrap_or_default()
}

/// The rules that the script goes by; a wrong one is reported when its line is read.
fn find_rules(lines: &[LexedLine], release: Release) -> Rules {
    let own = Rules::of(release, true);
    let is_rules = |l: &&Lexed| l.tokens.first().is_some_and(|t| t.text == "rules");
    let Some(lexed) = lines.iter().flatten().find(is_rules) else { return own };
    let none = Map::new();
    let mut cursor = Cursor::new(lexed, release, own, &none);
    let set = cursor.token("rules").and_then(|_| rules(&mut cursor));
    own.with(&set.unwrap_or_default())
}

/// The clients that the script declares, and whose settings each has. A producer with a setting
/// that only the Scala producer knows is one.
fn find_clients(lines: &[LexedLine], release: Release) -> Map<String, Owner> {
    let mut clients = Map::new();
    for tokens in lines.iter().flatten().map(|l| l.tokens.as_slice()) {
        let [kind, name, settings @ ..] = tokens else {
            continue;
        };
        match kind.text.as_str() {
            "producer" => clients.insert(name.text.clone(), producer_owner(settings, release)),
            "consumer" => clients.insert(name.text.clone(), Owner::Consumer),
            _ => None,
        };
    }
    clients
}

fn producer_owner(settings: &[Token], release: Release) -> Owner {
    let scala = |token: &Token| {
        let Some((name, _)) = token.assignment() else {
            return false;
        };
        let key = Key::named(name, Owner::ScalaProducer);
        Key::named(name, Owner::Producer).is_none()
            && key.is_some_and(|k| k.spec().default(release).is_some())
    };
    if settings.iter().any(scala) { Owner::ScalaProducer } else { Owner::Producer }
}

fn line(
    lexed: &Lexed,
    release: Release,
    rules: Rules,
    clients: &Map<String, Owner>,
) -> Result<(Line, Vec<super::cursor::Use>), Fault> {
    let comment = lexed.comment.clone();
    if lexed.tokens.is_empty() {
        return Ok((Line { statement: None, comment }, Vec::new()));
    }
    let mut cursor = Cursor::new(lexed, release, rules, clients);
    let statement = Some(statement(&mut cursor)?);
    cursor.finish()?;
    Ok((Line { statement, comment }, cursor.uses))
}

const STATEMENTS: [&str; 20] = [
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
    "expect",
    "until",
];

fn statement(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let verb = cursor.word("a statement")?;
    match verb.text.as_str() {
        "highwater" => {
            let token = cursor.word("the format's version, 1")?;
            let max = u64::from(VERSION);
            Ok(Statement::Highwater(number(&token.text, token.column, 1, max)? as u32))
        }
        "title" => Ok(Statement::Title(text(cursor)?)),
        "about" => Ok(Statement::About(text(cursor)?)),
        "kafka" => {
            let token = cursor.word(Release::NAMES)?;
            let release = Release::parse(&token.text).ok_or_else(|| {
                let reason =
                    format_args!("{} is no release that the model has", shown(&token.text));
                Fault::new(token.column, reason, Release::NAMES)
            });
            Ok(Statement::Kafka(release?))
        }
        "seed" => {
            let token = cursor.word("a number")?;
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
            let at = cursor.duration("a time and an action")?;
            Ok(Statement::At(at, action(cursor)?))
        }
        verb @ ("drop" | "delay" | "duplicate") => Ok(Statement::Message(message(cursor, verb)?)),
        "say" => Ok(Statement::Say(cursor.duration("a time and words")?, text(cursor)?)),
        "expect" => {
            let at = cursor.duration("a time and what is expected")?;
            Ok(Statement::Expect(at, expectations(cursor)?))
        }
        "until" => Ok(Statement::Until(cursor.duration("a time")?)),
        other => {
            let reason = format_args!("{} is no statement", shown(other));
            Err(Fault::new(verb.column, reason, choices(other, &STATEMENTS)))
        }
    }
}

/// `en "…" zh "…"`, at least one of them.
fn text(cursor: &mut Cursor<'_>) -> Result<Text, Fault> {
    const ACCEPTED: &str = "en \"…\", zh \"…\" or both";
    let mut text = Text::default();
    let mut language = cursor.word(ACCEPTED)?;
    loop {
        let place = match language.text.as_str() {
            "en" => &mut text.en,
            "zh" => &mut text.zh,
            other => {
                let reason = format_args!("{} is no language of the page", shown(other));
                return Err(Fault::new(language.column, reason, ACCEPTED));
            }
        };
        let words = cursor.token("words in quotes")?;
        if !words.quoted || place.is_some() {
            let reason = if words.quoted { "that language again" } else { "no quotes" };
            return Err(Fault::new(words.column, reason, ACCEPTED));
        }
        *place = Some(words.text.clone());
        if cursor.peek().is_none() {
            return Ok(text);
        }
        language = cursor.word(ACCEPTED)?;
    }
}

/// `name=word …`: rules that are set against the release.
fn rules(cursor: &mut Cursor<'_>) -> Result<Vec<(usize, usize)>, Fault> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    let first = cursor.token("a rule such as truncation=kip-279")?;
    for token in core::iter::once(first).chain(cursor.rest()) {
        let Some((name, word)) = token.assignment() else {
            let reason = format!("{} sets no rule", shown(&token.text));
            return Err(Fault::new(token.column, reason, "a rule such as truncation=kip-279"));
        };
        let names: Vec<&str> = SWITCHES.iter().map(|s| s.name).collect();
        // Who keeps the truth comes with the release: the rest of it goes by that.
        let switch = Rules::switch(name).filter(|_| name != "coordination").ok_or_else(|| {
            let reason = format!("{} is no rule", shown(name));
            Fault::new(token.column, reason, choices(name, &names))
        })?;
        let words = SWITCHES[switch].values;
        let value = words.iter().position(|w| *w == word).ok_or_else(|| {
            let reason = format!("{} is no value of the rule {name}", shown(word));
            Fault::new(token.value_column(), reason, words.join(", "))
        })?;
        if all.iter().any(|(known, _)| *known == switch) {
            return Err(Fault::new(token.column, format!("{name} again"), "it once"));
        }
        all.push((switch, value));
    }
    Ok(all)
}

/// With ZooKeeper, the broker that is the controller at the start.
fn controller(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let column = cursor.peek().map_or(1, |t| t.column);
    if cursor.rules.coordination != Coordination::ZooKeeper {
        let reason = format!("in {} no broker is the controller", cursor.release);
        return Err(Fault::new(column, reason, "no such line, or kafka 0.8.2, 0.11 or 2.8"));
    }
    Ok(Statement::Controller(cursor.broker()?))
}

fn brokers(cursor: &mut Cursor<'_>) -> Result<BrokersDecl, Fault> {
    const ACCEPTED: &str = "how many (brokers 3), or their ids (brokers 1,2,5)";
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
                return Err(Fault::new(
                    at,
                    format_args!("broker {id} is there twice"),
                    "each id once",
                ));
            }
            ids.push(id);
            at += part.chars().count() as u32 + 1;
        }
        if ids.len() > MAX_BROKERS {
            let reason = format_args!("{} brokers", ids.len());
            return Err(Fault::new(
                token.column,
                reason,
                format_args!("1 … {MAX_BROKERS} brokers"),
            ));
        }
    }
    let mut racks = match cursor.peek() {
        Some(token) => racks(cursor, token, ids.len())?,
        None => Vec::new(),
    };
    if !racks.is_empty() {
        let pairs: Vec<(BrokerId, String)> = ids.iter().copied().zip(racks).collect();
        let pairs = ordered(pairs, |(id, _)| (u64::from(id.0), 0));
        racks = pairs.into_iter().map(|(_, rack)| rack).collect();
    }
    let ids = ids.into_iter().collect::<BrokerList>().sorted();
    Ok(BrokersDecl { ids, counted, racks })
}

fn racks(cursor: &mut Cursor<'_>, token: &Token, brokers: usize) -> Result<Vec<String>, Fault> {
    let accepted = format!("racks=a,b,… with {brokers} names of letters, digits, . _ -");
    cursor.token(&accepted)?;
    let Some(("racks", list)) = token.assignment() else {
        let reason = format_args!("{} does not belong here", shown(&token.text));
        return Err(Fault::new(token.column, reason, accepted));
    };
    cursor.needs(Ability::Racks, token.column)?;
    let racks: Vec<String> = list.split(',').map(ToString::to_string).collect();
    let bad = |rack: &String| rack.len() > MAX_NAME || topic_name(rack, 1).is_err();
    if racks.len() != brokers || racks.iter().any(bad) {
        let reason = format_args!("{} is no list of {brokers} racks", shown(list));
        return Err(Fault::new(token.value_column(), reason, accepted));
    }
    Ok(racks)
}

fn set(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let scope = cursor.scope()?;
    let owner = cursor.owner(&scope);
    let first = cursor.token("name=value")?;
    let mut all = Vec::new();
    for token in core::iter::once(first).chain(cursor.rest()) {
        let Some(owner) = owner else { continue };
        let (key, value) = setting(token, owner, cursor.release, false)?;
        once(&all, key, token)?;
        all.extend(value.map(|value| (key, value)));
    }
    Ok(Statement::Set(scope, all))
}

fn network(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    const ACCEPTED: &str = "latency=1ms, jitter=0";
    let (mut latency, mut jitter) = (None, None);
    let first = cursor.token(ACCEPTED)?;
    for token in core::iter::once(first).chain(cursor.rest()) {
        let (place, value) = match token.assignment() {
            Some(("latency", value)) if latency.is_none() => (&mut latency, value),
            Some(("jitter", value)) if jitter.is_none() => (&mut jitter, value),
            _ => {
                let reason = format_args!("{} does not belong here", shown(&token.text));
                return Err(Fault::new(token.column, reason, ACCEPTED));
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
    let accepted = format!(
        "a letter, then letters, digits, _, at most {MAX_NAME}; not {}",
        RESERVED.join(", ")
    );
    let token = cursor.word(&accepted)?;
    if !is_client_name(&token.text) {
        let reason = format_args!("{} is no name for a client", shown(&token.text));
        return Err(Fault::new(token.column, reason, accepted));
    }
    Ok(token.text.clone())
}

/// The first of `name=value` that a client's line may give once.
fn twice(name: &str, token: &Token) -> Fault {
    Fault::new(token.column, format_args!("{name} is given twice"), "each name once")
}

fn producer(cursor: &mut Cursor<'_>) -> Result<ProducerDecl, Fault> {
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
    let topic = topic.ok_or_else(|| Fault::new(end, "no topic", "topic=NAME"))?;
    let (burst, keys) = (burst.unwrap_or(1), keys.unwrap_or(0));
    Ok(ProducerDecl { name, topic, every, burst, from, until, keys, config })
}

fn topic_used(cursor: &mut Cursor<'_>, name: &str, column: u32) -> Result<String, Fault> {
    topic_name(name, column)?;
    cursor.used(column, Used::Topic(name.to_owned()));
    Ok(name.to_owned())
}

fn consumer(cursor: &mut Cursor<'_>) -> Result<ConsumerDecl, Fault> {
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
                    let reason = format!("{} is no time to commit", shown(value));
                    Fault::new(column, reason, "auto, before or after")
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
    let topic = topic.ok_or_else(|| Fault::new(end, "no topic", "topic=NAME"))?;
    if group.is_none() && commit.is_some() {
        return Err(Fault::new(end, "only a group commits", "group=NAME, or no commit="));
    }
    let (commit, processing) = (commit.unwrap_or_default(), processing.unwrap_or_default());
    Ok(ConsumerDecl { name, topic, group, commit, processing, rack, config })
}

/// A consumer's rack, under Kafka's name.
pub(super) const RACK: &str = "client.rack";

/// When a group's consumer commits (R7.4), as scripts say it.
pub(super) const COMMIT_MODES: [(&str, CommitMode); 3] =
    [("auto", CommitMode::Auto), ("before", CommitMode::Before), ("after", CommitMode::After)];
