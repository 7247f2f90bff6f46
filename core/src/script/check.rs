//! What no single line shows: names, numbers and settings that have to go together.

use super::ast::{Action, ConsumerDecl, Line, PartitionName, Placement, Statement, TopicDecl};
use super::counted_brokers;
use super::cursor::{Use, Used, shown};
use super::error::{Fault, ScriptError};
use super::lesson;
use super::lex::Lexed;
use super::{DEFAULT_BROKERS, MAX_CLIENTS, MAX_ERRORS, MAX_PARTITIONS, MAX_TOPICS, Scope};
use crate::settings::rules::OffsetStorage;
use crate::settings::{Key, Layers, Release, Rules, SettingError, Value, Values, nearest};
use crate::words::{BrokerList, Map, Micros, Phrase, Said};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A line as it was read.
pub(super) struct Parsed {
    pub line: Line,
    pub uses: Vec<Use>,
    /// Its number, from 1.
    pub number: u32,
    /// Its words, where it could not be read.
    pub failed: Option<Lexed>,
}

impl Parsed {
    fn fault(
        &self,
        column: u32,
        reason: impl Into<Said>,
        accepted: impl Into<Said>,
    ) -> ScriptError {
        Fault::new(column, reason, accepted).on(self.number)
    }
}

/// A topic's beginning.
struct Born {
    at: Micros,
    /// By a `topic` line, so that it is there before anything happens.
    from_start: bool,
    line: u32,
    partitions: u32,
}

impl Born {
    /// Whether the topic has a partition of that number.
    fn has(&self, name: &str, partition: u32) -> Result<(), (Said, Said)> {
        if partition < self.partitions {
            return Ok(());
        }
        let reason = Phrase::NoSuchPartition.of(&[&name, &partition]);
        let last = self.partitions.saturating_sub(1);
        Err((reason, Phrase::Between.of(&[&format!("{name}/0"), &format!("{name}/{last}")])))
    }
}

/// A client.
struct ClientName {
    is_producer: bool,
    /// What it writes or reads.
    topic: String,
}

#[derive(Default)]
struct Names {
    topics: Map<String, Born>,
    clients: Map<String, ClientName>,
    /// `num.partitions` for every broker, and from when on: what a topic gets that does not say how
    /// many.
    num_partitions: Vec<((Micros, u32), u32)>,
    /// Groups, and their first members.
    groups: Map<String, String>,
    /// Whether a group has one member: where ZooKeeper keeps its offsets.
    single_members: bool,
    /// Names on lines that could not be read: not known, and not reported either.
    unreadable: Vec<String>,
    /// None: the line that gives them could not be read.
    brokers: Option<BrokerList>,
}

pub(super) fn check(parsed: &[Parsed], release: Release, errors: &mut Vec<ScriptError>) {
    once_each(parsed, errors);
    let num_partitions = num_partitions(parsed, release);
    let rules = Rules::of(release, false);
    let single_members = rules.offset_storage == OffsetStorage::ZooKeeper;
    let brokers = brokers(parsed);
    let mut names = Names { brokers, num_partitions, single_members, ..Names::default() };
    for p in parsed {
        match &p.failed {
            Some(lexed) => {
                let words = lexed.tokens.iter().take(4).map(|t| t.text.clone());
                names.unreadable.extend(words);
            }
            None => names.declare(p, errors),
        }
    }
    names.totals(parsed, errors);
    lesson::check(parsed, errors);
    for p in parsed {
        if errors.len() > 4 * MAX_ERRORS {
            return;
        }
        names.look_up(p, errors);
    }
    if errors.is_empty() {
        settings(parsed, release, errors);
    }
}

/// The first statement is the version; what describes the whole is said at most once.
fn once_each(parsed: &[Parsed], errors: &mut Vec<ScriptError>) {
    let mut seen: Map<&str, u32> = Map::new();
    let says_something = |p: &&Parsed| p.line.statement.is_some() || p.failed.is_some();
    match parsed.iter().find(says_something) {
        None => {
            let fault = Fault::new(1, Phrase::ScriptEmpty, Said::verbatim("highwater 1"));
            errors.push(fault.on(1));
        }
        Some(p) => {
            let word = p.failed.as_ref().and_then(|l| l.tokens.first()).map(|t| t.text.as_str());
            let version = matches!(p.line.statement, Some(Statement::Highwater(_)));
            if !version && word != Some("highwater") {
                let reason = Phrase::ScriptBeginsWithVersion;
                errors.push(p.fault(1, reason, Said::verbatim("highwater 1")));
            }
        }
    }
    for p in parsed {
        let name = match p.line.statement {
            Some(Statement::Highwater(_)) => "highwater",
            Some(Statement::Title(_)) => "title",
            Some(Statement::About(_)) => "about",
            Some(Statement::Kafka(_)) => "kafka",
            Some(Statement::Seed(_)) => "seed",
            Some(Statement::Rules(_)) => "rules",
            Some(Statement::Controller(_)) => "controller",
            Some(Statement::Brokers(_)) => "brokers",
            Some(Statement::Network { .. }) => "network",
            Some(Statement::Until(_)) => "until",
            _ => continue,
        };
        if let Some(first) = seen.get(name) {
            let reason = Phrase::AgainOnLine.of(&[&name, &first]);
            errors.push(p.fault(1, reason, Phrase::Once));
        } else {
            seen.insert(name, p.number);
        }
    }
}

fn brokers(parsed: &[Parsed]) -> Option<BrokerList> {
    for p in parsed {
        let first = p.failed.as_ref().and_then(|l| l.tokens.first());
        if first.is_some_and(|t| t.text == "brokers") {
            return None;
        }
        if let Some(Statement::Brokers(decl)) = &p.line.statement {
            return Some(decl.ids.clone());
        }
    }
    Some(counted_brokers(DEFAULT_BROKERS))
}

/// The values that `num.partitions` has for every broker, in order of time. Those of the beginning
/// hold for all topics of the beginning, whatever the order of their lines.
fn num_partitions(parsed: &[Parsed], release: Release) -> Vec<((Micros, u32), u32)> {
    let value = |v: Option<Value>| {
        let default = || Values::defaults(release).get(Key::NumPartitions);
        u32::try_from(v.map_or_else(default, |v| v.0)).unwrap_or(u32::MAX)
    };
    let mut all = Vec::from([((Micros::ZERO, 0), value(None))]);
    let mut note = |when: (Micros, u32), count: u32| {
        let place = all.partition_point(|(known, _)| *known <= when);
        all.insert(place, (when, count));
    };
    let of_key = |(key, _): &&(Key, _)| *key == Key::NumPartitions;
    for p in parsed {
        match &p.line.statement {
            Some(Statement::Set(Scope::Cluster, config)) => {
                let given = config.iter().find(|(key, _)| *key == Key::NumPartitions);
                if let Some((_, v)) = given {
                    note((Micros::ZERO, 0), value(Some(*v)));
                }
            }
            Some(Statement::At(at, Action::Set(Scope::Cluster, changes))) => {
                let given = changes.iter().find(of_key);
                if let Some((_, v)) = given {
                    note((*at, p.number), value(*v));
                }
            }
            _ => {}
        }
    }
    all
}

/// The topic that a statement brings, and when.
fn new_topic(statement: &Statement) -> Option<(Micros, &TopicDecl)> {
    match statement {
        Statement::Topic(decl) => Some((Micros::ZERO, decl)),
        Statement::At(at, Action::Create(decl)) => Some((*at, decl)),
        _ => None,
    }
}

impl Names {
    fn declare(&mut self, p: &Parsed, errors: &mut Vec<ScriptError>) {
        let Some(statement) = &p.line.statement else {
            return;
        };
        if let Some((at, decl)) = new_topic(statement) {
            let from_start = matches!(statement, Statement::Topic(_));
            let partitions = match &decl.placement {
                Placement::Automatic { partitions, .. } => {
                    let line = if from_start { 0 } else { p.number };
                    partitions.unwrap_or_else(|| self.default_partitions((at, line)))
                }
                Placement::Manual(lists) => lists.len() as u32,
            };
            let replicas = match &decl.placement {
                Placement::Automatic { replicas, .. } => replicas.unwrap_or(1),
                Placement::Manual(_) => 1,
            };
            if let Some(brokers) = &self.brokers
                && usize::from(replicas) > brokers.len()
            {
                let reason = Phrase::ReplicasOnTooFewBrokers.of(&[&replicas, &brokers.len()]);
                let accepted = Phrase::Between.of(&[&"replicas=1", &brokers.len()]);
                errors.push(p.fault(1, reason, accepted));
            }
            if let Some(before) = self.topics.get(&decl.name) {
                let reason = Phrase::TopicThereAlready.of(&[&decl.name, &before.line]);
                errors.push(p.fault(1, reason, Phrase::AnotherName));
                return;
            }
            let born = Born { at, from_start, line: p.number, partitions };
            self.topics.insert(decl.name.clone(), born);
        }
        let (name, is_producer, topic) = match statement {
            Statement::Producer(decl) => (&decl.name, true, &decl.topic),
            Statement::Consumer(decl) => (&decl.name, false, &decl.topic),
            _ => return,
        };
        if self.single_members
            && let Statement::Consumer(ConsumerDecl { group: Some(group), .. }) = statement
            && let Some(first) = self.groups.insert(group.clone(), name.clone())
        {
            let reason = Phrase::GroupHasItsMember.of(&[&group, &first]);
            errors.push(p.fault(1, reason, Phrase::AnotherGroup));
        }
        let client = ClientName { is_producer, topic: topic.clone() };
        if self.clients.insert(name.clone(), client).is_some() {
            errors.push(p.fault(1, Phrase::ClientThereAlready.of(&[&name]), Phrase::AnotherName));
        }
    }

    /// `num.partitions` as a topic finds it that is created then.
    fn default_partitions(&self, when: (Micros, u32)) -> u32 {
        let before = self.num_partitions.iter().rev().find(|(from, _)| *from <= when);
        before.map_or(1, |(_, count)| *count)
    }

    fn totals(&self, parsed: &[Parsed], errors: &mut Vec<ScriptError>) {
        let Some(last) = parsed.last() else { return };
        if self.topics.len() > MAX_TOPICS {
            let accepted = Phrase::AtMost.of(&[&MAX_TOPICS]);
            errors.push(last.fault(1, Phrase::TopicCount.of(&[&self.topics.len()]), accepted));
        }
        if self.clients.len() > MAX_CLIENTS {
            let accepted = Phrase::AtMost.of(&[&MAX_CLIENTS]);
            errors.push(last.fault(1, Phrase::ClientCount.of(&[&self.clients.len()]), accepted));
        }
        let partitions = self.topics.values().map(|t| u64::from(t.partitions));
        let partitions: u64 = partitions.sum();
        if partitions > u64::from(MAX_PARTITIONS) {
            let accepted = Phrase::AtMostInAllTopics.of(&[&MAX_PARTITIONS]);
            errors.push(last.fault(1, Phrase::PartitionCount.of(&[&partitions]), accepted));
        }
    }

    /// Looks up every name that a line uses.
    fn look_up(&self, p: &Parsed, errors: &mut Vec<ScriptError>) {
        let Some(statement) = &p.line.statement else {
            return;
        };
        // A client may wait for its topic, and a message fault names what comes when it comes.
        let when = match statement {
            Statement::Producer(_) | Statement::Consumer(_) | Statement::Message(_) => None,
            Statement::Expect(at, _) | Statement::Goal(at, ..) => Some((*at, u32::MAX)),
            other => Some((other.time().unwrap_or_default(), p.number)),
        };
        for used in &p.uses {
            let found = match &used.what {
                Used::Broker(id) => match &self.brokers {
                    Some(brokers) if !brokers.contains(id) => Err((
                        Phrase::NoSuchBroker.of(&[&id]),
                        Said::verbatim(format_args!("brokers {brokers}")),
                    )),
                    _ => Ok(()),
                },
                Used::Topic(name) => self.topic(name, when, None),
                Used::Partition(name) => self.topic(&name.topic, when, Some(name.partition)),
                Used::Client(name) => self.client(name, None),
                Used::Producer(name) => self.client(name, Some(true)),
                Used::Consumer(name) => self.client(name, Some(false)),
                Used::PartitionOf(client, partition) => self.partition_of(client, *partition),
                Used::Reads(consumer, name) => self.reads(consumer, name),
            };
            if let Err((reason, accepted)) = found {
                errors.push(p.fault(used.column, reason, accepted));
            }
        }
    }

    fn topic(
        &self,
        name: &str,
        when: Option<(Micros, u32)>,
        partition: Option<u32>,
    ) -> Result<(), (Said, Said)> {
        let Some(born) = self.topics.get(name) else {
            if self.unreadable.iter().any(|n| n == name) {
                return Ok(());
            }
            let reason = Phrase::NoSuchTopic.of(&[&shown(name)]);
            return Err((reason, one_of(name, self.topics.keys(), Phrase::TopicOrCreateLine)));
        };
        if !born.from_start && when.is_some_and(|when| when < (born.at, born.line)) {
            let reason = Phrase::TopicCreatedLater.of(&[&name, &born.line]);
            return Err((reason, Phrase::LineAfter.of(&[&born.at])));
        }
        partition.map_or(Ok(()), |partition| born.has(name, partition))
    }

    /// A producer is to write to that partition of its topic.
    fn partition_of(&self, client: &str, partition: u32) -> Result<(), (Said, Said)> {
        // What else is wrong with the two is told by their own names.
        let Some(client) = self.clients.get(client) else { return Ok(()) };
        let born = self.topics.get(&client.topic);
        born.map_or(Ok(()), |born| born.has(&client.topic, partition))
    }

    /// A consumer is to go to a partition: it must be one that it reads.
    fn reads(&self, consumer: &str, name: &PartitionName) -> Result<(), (Said, Said)> {
        match self.clients.get(consumer) {
            Some(client) if client.topic != name.topic => {
                let reason = Phrase::DoesNotReadTopic.of(&[&consumer, &name.topic]);
                Err((reason, Phrase::PartitionOf.of(&[&client.topic])))
            }
            _ => Ok(()),
        }
    }

    fn client(&self, name: &str, producer: Option<bool>) -> Result<(), (Said, Said)> {
        let what = match producer {
            Some(true) => "producer",
            Some(false) => "consumer",
            None => "client",
        };
        match self.clients.get(name) {
            Some(is) if producer.is_none_or(|wanted| wanted == is.is_producer) => Ok(()),
            None if self.unreadable.iter().any(|n| n == name) => Ok(()),
            _ => {
                let fits = |is: &ClientName| producer.is_none_or(|wanted| wanted == is.is_producer);
                let known = self.clients.iter().filter(|(_, is)| fits(is)).map(|(name, _)| name);
                let accepted = one_of(name, known, Phrase::ClientLine);
                Err((Phrase::NoSuch.of(&[&what, &shown(name)]), accepted))
            }
        }
    }
}

/// The nearest known name, or the first ones, or how to make one.
fn one_of<'a>(
    name: &str,
    known: impl Iterator<Item = &'a String> + Clone,
    otherwise: Phrase,
) -> Said {
    if let Some(near) = nearest(name, known.clone().map(String::as_str)) {
        return Phrase::DidYouMean.of(&[&near]);
    }
    let first: Vec<&str> = known.take(10).map(String::as_str).collect();
    if first.is_empty() { otherwise.into() } else { Said::verbatim(first.join(", ")) }
}

/// Applies what a line gives from the start.
pub(super) fn apply_declaration(
    layers: &mut Layers,
    statement: &Statement,
) -> Result<(), SettingError> {
    let (scope, config) = match statement {
        Statement::Set(scope, config) => (scope.clone(), config),
        Statement::Topic(decl) => (Scope::Topic(decl.name.clone()), &decl.config),
        Statement::Producer(decl) => (Scope::Client(decl.name.clone()), &decl.config),
        Statement::Consumer(decl) => (Scope::Client(decl.name.clone()), &decl.config),
        _ => return Ok(()),
    };
    let changes: Vec<(Key, Option<Value>)> = config.iter().map(|(k, v)| (*k, Some(*v))).collect();
    layers.set_all(&scope, &changes)
}

/// Plays all settings in the order in which they are given, since some exclude each other.
fn settings(parsed: &[Parsed], release: Release, errors: &mut Vec<ScriptError>) {
    let mut layers = Layers::new(release);
    let refused = |p: &Parsed, e: SettingError| p.fault(1, e.reason, e.accepted);
    let mut later: Vec<(Micros, &Parsed, &Action)> = Vec::new();
    for p in parsed {
        match &p.line.statement {
            Some(Statement::At(at, action)) => later.push((*at, p, action)),
            Some(statement) => {
                let outcome = apply_declaration(&mut layers, statement);
                errors.extend(outcome.err().map(|e| refused(p, e)));
            }
            None => {}
        }
    }
    later.sort_unstable_by_key(|(at, p, _)| (*at, p.number));
    for (_, p, action) in later {
        let outcome = match action {
            Action::Set(scope, changes) => layers.set_all(scope, changes),
            Action::Create(decl) => {
                let changes: Vec<_> = decl.config.iter().map(|(k, v)| (*k, Some(*v))).collect();
                layers.set_all(&Scope::Topic(decl.name.clone()), &changes)
            }
            _ => Ok(()),
        };
        errors.extend(outcome.err().map(|e| refused(p, e)));
    }
}
