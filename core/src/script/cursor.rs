//! The words of one line, read from left to right.

use super::ast::{Link, PartitionName, Place};
use super::error::Fault;
use super::lex::{Lexed, Token};
use super::values::{broker_id, duration, is_client_name, once, partition, setting, shown};
use crate::settings::rules::Coordination;
use crate::settings::{Ability, Key, Owner, Release, Rules, Scope, Value};
use crate::words::{BrokerId, Brokers, Map, Micros, Phrase, Said};
use alloc::borrow::ToOwned;
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
