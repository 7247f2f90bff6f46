//! Topics, clients, groups and brokers: what has a name, and whether what a line uses is there.

use super::super::ast::{Action, ConsumerDecl, PartitionName, Placement, Statement, TopicDecl};
use super::super::cursor::Used;
use super::super::error::ScriptError;
use super::super::values::shown;
use super::super::{MAX_CLIENTS, MAX_PARTITIONS, MAX_TOPICS};
use super::Parsed;
use crate::settings::nearest;
use crate::words::{BrokerList, Map, Micros, Phrase, Said};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
pub(super) struct Names {
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

/// The topic that a statement brings, and when.
fn new_topic(statement: &Statement) -> Option<(Micros, &TopicDecl)> {
    match statement {
        Statement::Topic(decl) => Some((Micros::ZERO, decl)),
        Statement::At(at, Action::Create(decl)) => Some((*at, decl)),
        _ => None,
    }
}

impl Names {
    /// No names yet. `brokers` is `None` where the line that gives them could not be read.
    pub fn new(
        brokers: Option<BrokerList>,
        num_partitions: Vec<((Micros, u32), u32)>,
        single_members: bool,
    ) -> Names {
        Names { brokers, num_partitions, single_members, ..Names::default() }
    }

    /// A line could not be read: what it may have named is not known, and not reported either.
    pub fn pass_over(&mut self, words: impl Iterator<Item = String>) {
        self.unreadable.extend(words);
    }

    /// Takes what a line names, and says where it is named already, or may not be.
    pub fn declare(&mut self, p: &Parsed, errors: &mut Vec<ScriptError>) {
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

    pub fn totals(&self, parsed: &[Parsed], errors: &mut Vec<ScriptError>) {
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
    pub fn look_up(&self, p: &Parsed, errors: &mut Vec<ScriptError>) {
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
