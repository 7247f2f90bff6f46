//! The words of one line, read from left to right.

use super::ast::{Link, PartitionName, Place};
use super::error::Fault;
use super::lex::{Lexed, Token};
use super::{MAX_NAME, MAX_NUMBER, MAX_PARTITIONS, MAX_TOPIC_NAME};
use crate::settings::rules::Coordination;
use crate::settings::{Ability, Key, Owner, Release, Rules, Scope, Value, nearest};
use crate::words::{BrokerId, Brokers, Map, Micros, Phrase, Said};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A name that a line uses, to be looked up when every line is known.
#[derive(Debug)]
pub(super) struct Use {
    pub column: u32,
    pub what: Used,
}

#[derive(Debug)]
pub(super) enum Used {
    Broker(BrokerId),
    Topic(String),
    Partition(PartitionName),
    Client(String),
    Producer(String),
    Consumer(String),
    /// A partition of a producer's topic.
    PartitionOf(String, u32),
    /// A consumer, and a partition that it must read.
    Reads(String, PartitionName),
}

pub(super) struct Cursor<'a> {
    pub release: Release,
    /// The release's rules, and those that the script sets against them.
    pub rules: Rules,
    /// The clients of the script, and which settings they have.
    pub clients: &'a Map<String, Owner>,
    pub uses: Vec<Use>,
    tokens: &'a [Token],
    next: usize,
    end: u32,
}

impl<'a> Cursor<'a> {
    pub fn new(
        lexed: &'a Lexed,
        release: Release,
        rules: Rules,
        clients: &'a Map<String, Owner>,
    ) -> Cursor<'a> {
        let (tokens, end) = (lexed.tokens.as_slice(), lexed.end);
        Cursor { release, rules, clients, uses: Vec::new(), tokens, next: 0, end }
    }

    pub fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.next)
    }

    /// The next word; `accepted` says what it should be.
    pub fn token(&mut self, accepted: impl Into<Said>) -> Result<&'a Token, Fault> {
        let token = self.peek();
        let token = token.ok_or_else(|| Fault::new(self.end, Phrase::LineEndsHere, accepted))?;
        self.next += 1;
        Ok(token)
    }

    /// The next word, which must not be in quotes.
    pub fn word(&mut self, accepted: impl Into<Said>) -> Result<&'a Token, Fault> {
        match self.peek() {
            Some(token) if token.quoted => {
                Err(Fault::new(token.column, Phrase::QuotesNotHere, accepted))
            }
            _ => self.token(accepted),
        }
    }

    /// The column behind the line's last character.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// The rest of the words.
    pub fn rest(&mut self) -> &'a [Token] {
        let rest = self.tokens.get(self.next..).unwrap_or_default();
        self.next = self.tokens.len();
        rest
    }

    /// Refuses what is left.
    pub fn finish(&self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(token) => {
                let reason = Phrase::TooMuch.of(&[&shown(&token.text)]);
                Err(Fault::new(token.column, reason, Phrase::EndOfLine))
            }
        }
    }

    pub fn used(&mut self, column: u32, what: Used) {
        self.uses.push(Use { column, what });
    }

    /// Where the next word stands, or the line's end.
    pub fn column(&self) -> u32 {
        self.peek().map_or(self.end, |token| token.column)
    }

    pub fn duration(&mut self, accepted: impl Into<Said>) -> Result<Micros, Fault> {
        let token = self.word(accepted)?;
        duration(&token.text, token.column)
    }

    pub fn broker(&mut self) -> Result<BrokerId, Fault> {
        let token = self.word(Phrase::BrokerIdWord)?;
        let id = broker_id(&token.text, token.column)?;
        self.used(token.column, Used::Broker(id));
        Ok(id)
    }

    /// `1,2,3`, without repeats: the replicas of one partition.
    pub fn replicas(&mut self, text: &str, column: u32) -> Result<Brokers, Fault> {
        const MOST: usize = Brokers::MAX_REPLICAS;
        let mut all = Brokers::EMPTY;
        let mut at = column;
        for part in text.split(',') {
            let id = broker_id(part, at)?;
            if all.contains(&id) {
                return Err(Fault::new(at, Phrase::BrokerTwice.of(&[&id]), Phrase::EachIdOnce));
            }
            if all.len() == MOST {
                let reason = Phrase::TooManyReplicas.of(&[&MOST]);
                return Err(Fault::new(at, reason, Phrase::BrokersUpTo.of(&[&MOST])));
            }
            all.insert(id);
            self.used(at, Used::Broker(id));
            at += part.chars().count() as u32 + 1;
        }
        Ok(all)
    }

    pub fn partition(&mut self) -> Result<PartitionName, Fault> {
        let token = self.word(Phrase::PartitionForm)?;
        let partition = partition(&token.text, token.column)?;
        self.used(token.column, Used::Partition(partition.clone()));
        Ok(partition)
    }

    pub fn place(&mut self) -> Result<Place, Fault> {
        let token = self.word(Phrase::PlaceForm)?;
        self.place_named(&token.text, token.column)
    }

    /// `controller` or `zookeeper`, whichever the release has.
    fn coordinator(&self, text: &str, column: u32) -> Result<Option<Place>, Fault> {
        let has_no = |what: Phrase| what.of(&[&self.release]);
        match (text, self.rules.coordination) {
            ("controller", Coordination::KRaft) => Ok(Some(Place::Controller)),
            ("zookeeper", Coordination::ZooKeeper) => Ok(Some(Place::ZooKeeper)),
            ("controller", _) => {
                let reason = has_no(Phrase::NoOwnController);
                Err(Fault::new(column, reason, Phrase::ZooKeeperOrController))
            }
            ("zookeeper", _) => {
                let reason = has_no(Phrase::NoZooKeeper);
                Err(Fault::new(column, reason, Said::verbatim("controller")))
            }
            _ => Ok(None),
        }
    }

    /// Refuses what the release does not have.
    pub fn needs(&self, ability: Ability, column: u32) -> Result<(), Fault> {
        if self.release.has(ability) {
            return Ok(());
        }
        let reason = ability.lacking().of(&[&self.release]);
        Err(Fault::new(column, reason, Phrase::ReleaseOrLater.of(&[&ability.since()])))
    }

    pub fn place_named(&mut self, text: &str, column: u32) -> Result<Place, Fault> {
        if let Some(place) = self.coordinator(text, column)? {
            return Ok(place);
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let id = broker_id(text, column)?;
            self.used(column, Used::Broker(id));
            return Ok(Place::Broker(id));
        }
        if !is_client_name(text) {
            let reason = Phrase::NoPlace.of(&[&shown(text)]);
            return Err(Fault::new(column, reason, Phrase::PlaceForm));
        }
        self.used(column, Used::Client(text.to_owned()));
        Ok(Place::Client(text.to_owned()))
    }

    /// `1>2` or `1-2`.
    pub fn link(&mut self) -> Result<Link, Fault> {
        let token = self.word(Phrase::LinkForm)?;
        self.link_named(&token.text, token.column)
    }

    pub fn link_named(&mut self, text: &str, column: u32) -> Result<Link, Fault> {
        let Some((first, last)) = text.split_once(['>', '-']) else {
            let reason = Phrase::NoLink.of(&[&shown(text)]);
            let accepted = Phrase::LinkEnds;
            return Err(Fault::new(column, reason, accepted));
        };
        let both = text.strip_prefix(first).is_some_and(|rest| rest.starts_with('-'));
        let second = column + first.chars().count() as u32 + 1;
        let from = self.place_named(first, column)?;
        let to = self.place_named(last, second)?;
        if from == to {
            return Err(Fault::new(second, Phrase::SameEnds, Phrase::DifferentEnds));
        }
        Ok(Link { from, to, both })
    }

    /// The name of a client that the line uses.
    pub fn client(&mut self, used: fn(String) -> Used, what: Phrase) -> Result<String, Fault> {
        let token = self.word(what)?;
        self.used(token.column, used(token.text.clone()));
        Ok(token.text.clone())
    }

    /// Where a `set` line's settings go: nothing, `broker 2`, `topic orders` or `client p1`.
    pub fn scope(&mut self) -> Result<Scope, Fault> {
        const ACCEPTED: Phrase = Phrase::SettingsPlaceForm;
        let first =
            self.peek().ok_or_else(|| Fault::new(self.end, Phrase::LineEndsHere, ACCEPTED))?;
        if first.assignment().is_some() {
            return Ok(Scope::Cluster);
        }
        self.next += 1;
        match first.text.as_str() {
            "broker" => Ok(Scope::Broker(self.broker()?)),
            "topic" => {
                let token = self.word(Phrase::TopicName)?;
                self.used(token.column, Used::Topic(token.text.clone()));
                Ok(Scope::Topic(token.text.clone()))
            }
            "client" => Ok(Scope::Client(self.client(Used::Client, Phrase::ClientName)?)),
            _ => {
                let reason = Phrase::NoSettingsPlace.of(&[&shown(&first.text)]);
                Err(Fault::new(first.column, reason, ACCEPTED))
            }
        }
    }

    /// Whose settings those of a scope are; none for a client that does not exist, which is
    /// reported elsewhere.
    pub fn owner(&self, scope: &Scope) -> Option<Owner> {
        match scope {
            Scope::Cluster | Scope::Broker(_) => Some(Owner::Broker),
            Scope::Topic(_) => Some(Owner::Topic),
            Scope::Client(name) => self.clients.get(name).copied(),
        }
    }

    /// All that is left, as settings; `name=default` is a value taken back.
    pub fn changes(&mut self, scope: &Scope) -> Result<Vec<(Key, Option<Value>)>, Fault> {
        let owner = self.owner(scope);
        let mut all = Vec::new();
        let first = self.token(Phrase::NameAndValue)?;
        for token in core::iter::once(first).chain(self.rest()) {
            let Some(owner) = owner else { continue };
            let change = setting(token, owner, self.release, true)?;
            once(&all, change.0, token)?;
            all.push(change);
        }
        Ok(all)
    }
}

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
