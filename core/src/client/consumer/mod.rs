//! The Java consumer, and its group if it has one.

mod answers;
mod group;
mod membership;
mod requests;
mod work;

use self::group::{Group, Standing};
use self::work::{Waiting, Work};
use crate::client::backoff::Backoff;
use crate::client::bootstrap::{Bootstrap, Refresh};
use crate::client::connections::{Connections, Ended, Policy};
use crate::client::{ClientEffects, ClientTimer};
use crate::settings::rules::OffsetStorage;
use crate::settings::{Key, Rules, Values};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, LogEnd, Message};
use crate::words::{
    BrokerId, BrokerList, CommitMode, ErrorCode, LeaderEpoch, Map, Micros, Offset, PartitionId,
};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

/// `auto.offset.reset`, as the catalogue numbers its choices.
const RESET: [(&str, Option<LogEnd>); 3] =
    [("latest", Some(LogEnd::Latest)), ("earliest", Some(LogEnd::Earliest)), ("none", None)];

/// Where a consumer stands in one partition (R7.2, R7.7).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Position {
    /// Next offset to fetch; none before it is known.
    pub offset: Option<Offset>,
    /// Leader epoch of the record before it, or −1.
    pub epoch: LeaderEpoch,
    /// Newest leader epoch under which the position was found to be good.
    validated: LeaderEpoch,
    /// The follower that it reads from, and until when (R7.8).
    preferred: Option<(BrokerId, Micros)>,
    state: State,
    not_before: Micros,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It may be fetched, or must be validated or reset first.
    Free,
    /// A request for it is under way.
    Asked(u32),
    /// The application was told an error; it goes on after a seek.
    Failed,
}

impl Position {
    fn unknown() -> Position {
        Position {
            offset: None,
            epoch: -1,
            validated: -1,
            preferred: None,
            state: State::Free,
            not_before: Micros::ZERO,
        }
    }
}

/// A consumer's group, and how it works on what it reads (R7.4).
#[derive(Clone, Debug, Default)]
pub struct Membership {
    /// Its group, if it commits offsets.
    pub group: Option<String>,
    /// When it commits.
    pub commit: CommitMode,
    /// How long it processes what a fetch brought.
    pub processing: Micros,
    /// Its rack, as a number that stands for the name; 0: none (R7.8).
    pub rack: u16,
}

/// The Java consumer of one topic (R7.1–R7.7).
#[derive(Clone, Debug)]
pub struct Consumer {
    rules: Rules,
    topic: String,
    values: Values,
    bootstrap: Bootstrap,
    connections: Connections,
    /// Fetches under way: one to each broker.
    fetches: Vec<(u32, BrokerId)>,
    positions: Map<PartitionId, Position>,
    group: Option<Group>,
    /// How long it processes what a fetch brought, and what it works on until when.
    processing: Micros,
    /// See [`FetchRequest::rack`].
    rack: u16,
    fetched: VecDeque<Waiting>,
    work: Option<Work>,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

impl Consumer {
    /// A consumer of one topic, with its settings resolved.
    pub fn new(
        topic: String,
        values: Values,
        rules: Rules,
        brokers: BrokerList,
        membership: Membership,
    ) -> Consumer {
        let Membership { group, commit, processing, rack } = membership;
        Consumer {
            group: group.map(|name| Group::new(name, commit, rules.offset_storage)),
            processing,
            rack,
            fetched: VecDeque::new(),
            work: None,
            rules,
            topic,
            values,
            bootstrap: Bootstrap::new(brokers),
            connections: Connections::default(),
            fetches: Vec::new(),
            positions: Map::new(),
            last_error: ErrorCode::None,
        }
    }

    /// It is another process of the same client.
    pub fn succeed(&mut self, former: &Consumer) {
        self.connections = Connections::after(&former.connections);
    }

    /// Its settings.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Changes its settings.
    pub fn set_values(&mut self, values: Values) {
        self.values = values;
    }

    /// Where it stands.
    pub fn positions(&self) -> &Map<PartitionId, Position> {
        &self.positions
    }

    /// What its group committed last, as far as it knows (R7.3).
    pub fn committed(&self, partition: PartitionId) -> Option<Offset> {
        self.group.as_ref()?.committed.get(&partition).map(|(offset, _)| *offset)
    }

    /// The application goes to an offset.
    pub fn seek(&mut self, partition: PartitionId, offset: Offset, fx: &mut ClientEffects) {
        let position = self.positions.entry(partition).or_insert_with(Position::unknown);
        let from = position.offset.unwrap_or(-1);
        *position = Position { offset: Some(offset), ..Position::unknown() };
        fx.chain(EventKind::PositionReset { partition, from, to: offset, policy: "seek" });
        self.poll(fx);
    }

    /// A response came.
    pub fn receive(&mut self, message: Message, fx: &mut ClientEffects) {
        let correlation = message.correlation;
        if !self.connections.answered(correlation) {
            return;
        }
        self.fetches.retain(|(c, _)| *c != correlation);
        match message.body {
            Body::MetadataResponse(metadata) => {
                let refresh = self.refresh_policy();
                let taken = self.bootstrap.take(correlation, *metadata, &self.topic, &refresh, fx);
                if taken && !self.has_assignment() {
                    for partition in self.bootstrap.partitions(&self.topic) {
                        self.positions.entry(*partition).or_insert_with(Position::unknown);
                    }
                }
            }
            Body::FetchResponse(parts) => {
                for part in parts {
                    fx.caused_by(fx.cause(), |fx| self.take_part(correlation, part, fx));
                }
            }
            Body::ListOffsetsResponse(listed) => self.take_listed(correlation, listed, fx),
            Body::OffsetsForLeaderEpochResponse(answer) => self.validated(correlation, answer, fx),
            body => self.hear_coordinator(correlation, body, fx),
        }
        self.poll(fx);
    }

    /// What its connections go by.
    fn policy(&self) -> Policy {
        let values = &self.values;
        let request = values.ms(Key::ConsumerRequestTimeoutMs);
        let first = values.known_ms(Key::ConsumerReconnectBackoffMs);
        let max = values.known_ms(Key::ConsumerReconnectBackoffMaxMs);
        // The Scala consumer has one back-off for everything, and one time-out.
        let scala = Backoff::fixed(values.ms(Key::ConsumerRetryBackoffMs));
        let reconnect = first.map_or(scala, |first| Backoff { first, max: max.unwrap_or(first) });
        let setup = match values.known_ms(Key::SocketConnectionSetupTimeoutMs) {
            Some(first) => {
                let max = values.known_ms(Key::SocketConnectionSetupTimeoutMaxMs);
                Some(Backoff { first, max: max.unwrap_or(first) })
            }
            None if first.is_none() => Some(Backoff::fixed(request)),
            None => None,
        };
        Policy { request, reconnect, setup }
    }

    /// When it asks for metadata.
    fn refresh_policy(&self) -> Refresh {
        let first = self.values.ms(Key::ConsumerRetryBackoffMs);
        let max = self.values.known_ms(Key::ConsumerRetryBackoffMaxMs);
        Refresh {
            // The Scala consumer asks only when something went wrong.
            max_age: self.values.known_ms(Key::ConsumerMetadataMaxAgeMs).unwrap_or(Micros::NEVER),
            backoff: Backoff { first, max: max.unwrap_or(first) },
            slows_down: max.is_some(),
            asks_on_errors: true,
            rebootstraps: self.rules.rebootstrap,
        }
    }

    /// A broker's machine has accepted a connection.
    pub fn accepted(&mut self, broker: BrokerId, connection: u32, fx: &mut ClientEffects) {
        self.connections.accepted(broker, connection, fx.now);
        self.poll(fx);
    }

    /// A connection to a broker is gone, or all of them.
    pub fn disconnected(
        &mut self,
        broker: BrokerId,
        connection: Option<u32>,
        fx: &mut ClientEffects,
    ) {
        let policy = self.policy();
        while let Some(ended) = self.connections.broke(broker, connection, &policy, fx.now) {
            self.ended(&ended, fx);
        }
        self.poll(fx);
    }

    /// What was under way on a connection ended with it.
    fn ended(&mut self, ended: &Ended, fx: &mut ClientEffects) {
        let broker = ended.broker;
        self.bootstrap.lost(ended, &self.refresh_policy(), fx.now);
        if ended.timed_out && ended.was_opening {
            fx.event(EventKind::ConnectionNotMade { broker });
        } else if ended.timed_out && ended.had_any() {
            fx.event(EventKind::RequestTimedOut { broker });
        } else if ended.had_any() {
            fx.event(EventKind::ConnectionLost { broker });
        }
        self.drop_requests(ended, fx);
        self.drop_errand(ended, fx);
    }

    /// ZooKeeper is gone, which keeps the group's offsets in old releases.
    pub fn coordinator_disconnected(&mut self, fx: &mut ClientEffects) {
        self.lose_coordinator(fx);
        self.poll(fx);
    }

    /// ZooKeeper answered.
    pub fn hear_zookeeper(&mut self, message: Message, fx: &mut ClientEffects) {
        self.hear_coordinator(message.correlation, message.body, fx);
        self.poll(fx);
    }

    /// Starts, and looks at everything that waits for a time. The application polls all the time, so
    /// that nothing is noticed late.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        let policy = self.policy();
        while let Some(ended) = self.connections.overdue(&policy, fx) {
            self.ended(&ended, fx);
        }
        let refresh = self.refresh_policy();
        let mut next = self.bootstrap.poll(&refresh, &policy, &mut self.connections, fx);
        next = next.min(self.finish_work(fx));
        loop {
            // What the application takes may be committed at once, and a commit that is over lets it
            // take more.
            let group = self.keep_group(&policy, fx);
            if !self.take_waiting(fx) {
                next = next.min(group);
                break;
            }
        }
        next = next.min(self.finish_work(fx));
        if self.may_read() {
            next = next.min(self.ask(&policy, fx));
        }
        next = next.min(self.connections.deadline());
        fx.wake_by(next, ClientTimer::Poll);
    }

    /// Whether its group says which partitions it reads: not in ZooKeeper's time, whose groups have
    /// one member here.
    fn has_assignment(&self) -> bool {
        self.group.as_ref().is_some_and(|g| g.storage == OffsetStorage::Topic)
    }

    /// Whether it may fetch: the application polls, and its group has let it in.
    fn may_read(&self) -> bool {
        let ready = |g: &Group| g.is_read && g.standing == Standing::In;
        self.polls() && self.group.as_ref().is_none_or(ready)
    }
}
