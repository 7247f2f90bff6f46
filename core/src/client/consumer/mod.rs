//! The Java consumer, and its group if it has one.

mod answers;
mod group;
mod requests;

pub use self::group::CommitMode;
use self::group::Group;
use crate::client::bootstrap::Bootstrap;
use crate::client::{ClientEffects, ClientTimer};
use crate::log::Batch;
use crate::settings::{Key, Rules, Values};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, LogEnd, Message};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, LeaderEpoch, Map, Micros, Node, Offset, PartitionId,
};
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
    next_correlation: u32,
    positions: Map<PartitionId, Position>,
    group: Option<Group>,
    /// How long it processes what a fetch brought, and what it works on until when.
    processing: Micros,
    /// See [`FetchRequest::rack`].
    rack: u16,
    work: Option<(Micros, PartitionId, Vec<Batch>)>,
    requests: Vec<InFlight>,
    /// How often in a row each broker's connection broke.
    failures: Map<BrokerId, u32>,
    poll_at: Micros,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    correlation: u32,
    broker: BrokerId,
    deadline: Micros,
    is_fetch: bool,
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
            work: None,
            rules,
            topic,
            values,
            bootstrap: Bootstrap::new(brokers),
            next_correlation: 0,
            positions: Map::new(),
            requests: Vec::new(),
            failures: Map::new(),
            poll_at: Micros::NEVER,
            last_error: ErrorCode::None,
        }
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
        self.group.as_ref()?.committed.get(&partition).copied()
    }

    /// The application goes to an offset.
    pub fn seek(&mut self, partition: PartitionId, offset: Offset, fx: &mut ClientEffects) {
        let position = self.positions.entry(partition).or_insert_with(Position::unknown);
        let from = position.offset.unwrap_or(-1);
        *position = Position { offset: Some(offset), ..Position::unknown() };
        fx.cause =
            fx.event(EventKind::PositionReset { partition, from, to: offset, policy: "seek" });
        self.poll(fx);
    }

    /// A response came.
    pub fn receive(&mut self, from: BrokerId, message: Message, fx: &mut ClientEffects) {
        let correlation = message.correlation;
        self.failures.remove(&from);
        self.requests.retain(|r| r.correlation != correlation || r.broker != from);
        match message.body {
            Body::MetadataResponse(metadata) => {
                if self.bootstrap.take(correlation, *metadata, &self.topic, fx) {
                    for partition in self.bootstrap.partitions(&self.topic) {
                        self.positions.entry(*partition).or_insert_with(Position::unknown);
                    }
                }
            }
            Body::FetchResponse(parts) => {
                let arrival = fx.cause;
                for part in parts {
                    fx.cause = arrival;
                    self.take_part(correlation, part, fx);
                }
                fx.cause = arrival;
            }
            Body::ListOffsetsResponse(listed) => self.take_listed(correlation, listed, fx),
            Body::OffsetsForLeaderEpochResponse(answer) => self.validated(correlation, answer, fx),
            body => self.hear_coordinator(correlation, body, fx),
        }
        self.poll(fx);
    }

    /// The connection to a broker is gone.
    pub fn disconnected(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        self.bootstrap.lost(broker, fx.now);
        self.drop_requests(broker, fx);
        let peer = Node::Broker(broker);
        let asks = |g: &Group| g.asked.is_some_and(|(_, to, _)| to == peer);
        if self.group.as_ref().is_some_and(|g| g.coordinator == Some(broker) || asks(g)) {
            self.lose_coordinator(fx);
        }
        self.poll(fx);
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

    /// Starts, and looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        if self.poll_at <= fx.now {
            self.poll_at = Micros::NEVER;
        }
        while let Some(late) = self.requests.iter().find(|r| r.deadline <= fx.now) {
            let broker = late.broker;
            self.bootstrap.lost(broker, fx.now);
            self.drop_requests(broker, fx);
        }
        let timeout = self.values.ms(Key::ConsumerRequestTimeoutMs);
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        // The Scala consumer asks only when something went wrong.
        let max_age = self.values.known_ms(Key::ConsumerMetadataMaxAgeMs).unwrap_or(Micros::NEVER);
        let correlation = &mut self.next_correlation;
        let mut next = self.bootstrap.poll(max_age, backoff, timeout, correlation, fx);
        next = next.min(self.finish_work(fx));
        next = next.min(self.keep_offsets(fx));
        if self.work.is_none() && self.group.as_ref().is_none_or(|g| g.is_read) {
            next = next.min(self.ask(fx));
        }
        let deadline = self.requests.iter().map(|r| r.deadline).min();
        next = next.min(deadline.unwrap_or(Micros::NEVER));
        if next < self.poll_at {
            self.poll_at = next;
            fx.timer(next.max(fx.now), ClientTimer::Poll);
        }
    }
}
