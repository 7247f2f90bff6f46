//! The Java producer, room by room as its batches go: `accumulator`, `sender` over `connections`,
//! `answers`; `identity` numbers them, `memory` is what they hold.

mod accumulator;
mod answers;
mod batch;
mod connections;
mod identity;
mod memory;
mod sender;

use self::batch::{PendingBatch, Queue};
use self::connections::Connection;
use crate::client::bootstrap::Bootstrap;
use crate::client::{ClientEffects, ClientTimer};
use crate::settings::{Key, Rules, Values};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, Message};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, EventId, Map, Micros, Node, PartitionId, RecordId,
};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

/// How long a send waits for metadata in releases without `max.block.ms`
/// (`metadata.fetch.timeout.ms`).
const METADATA_FETCH_TIMEOUT: Micros = Micros::from_secs(60);

/// A record that the application hands over.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// Its identity.
    pub id: RecordId,
    /// Its key.
    pub key: Option<String>,
    /// Its size, in bytes.
    pub bytes: u32,
    /// The partition that the application chose.
    pub partition: Option<u32>,
}

/// The Java producer: batches, retries and keeps order as its settings allow (R6.5–R6.18).
#[derive(Clone, Debug)]
pub struct Producer {
    topic: String,
    values: Values,
    rules: Rules,
    bootstrap: Bootstrap,
    next_correlation: u32,
    /// Records that wait for the first metadata, or for memory (`max.block.ms`).
    blocked: VecDeque<(NewRecord, Micros, EventId)>,
    /// How much of `buffer.memory` batches hold.
    memory_used: i64,
    queues: Map<PartitionId, Queue>,
    /// The queues that hold batches.
    waiting: Map<PartitionId, ()>,
    requests: Vec<InFlight>,
    /// Connections to leaders: batches leave only on those that are open.
    connections: Map<BrokerId, Connection>,
    /// Id and epoch of an idempotent producer.
    identity: Option<(i64, i16)>,
    asked_identity: Option<(u32, Micros)>,
    /// The partition of records without key (KIP-794), and what it got so far.
    sticky: (u32, u32),
    poll_at: Micros,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

#[derive(Clone, Debug)]
struct InFlight {
    correlation: u32,
    broker: BrokerId,
    deadline: Micros,
    batches: Vec<(PartitionId, PendingBatch)>,
}

impl Producer {
    /// A producer for one topic, with its settings resolved.
    pub fn new(topic: String, values: Values, brokers: BrokerList, rules: Rules) -> Producer {
        Producer {
            topic,
            values,
            rules,
            bootstrap: Bootstrap::new(brokers),
            next_correlation: 0,
            blocked: VecDeque::new(),
            memory_used: 0,
            queues: Map::new(),
            waiting: Map::new(),
            requests: Vec::new(),
            connections: Map::new(),
            identity: None,
            asked_identity: None,
            sticky: (0, 0),
            poll_at: Micros::NEVER,
            last_error: ErrorCode::None,
        }
    }

    /// Its settings.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Changes its settings; what is under way goes on.
    pub fn set_values(&mut self, values: Values) {
        self.values = values;
    }

    /// Takes records over, in order.
    pub fn send(&mut self, records: Vec<NewRecord>, fx: &mut ClientEffects) {
        let patience = self.values.known_ms(Key::MaxBlockMs).unwrap_or(METADATA_FETCH_TIMEOUT);
        let deadline = fx.now + patience;
        self.blocked.extend(records.into_iter().map(|record| (record, deadline, fx.cause)));
        self.poll(fx);
    }

    /// Whether anything waits to be sent, answered or tried again.
    pub fn is_idle(&self) -> bool {
        self.blocked.is_empty() && self.requests.is_empty() && self.waiting.is_empty()
    }

    /// Whether a batch that waits or is under way can still be appended, where `accepts` says that
    /// a partition's leader would take a write.
    pub fn can_progress(&self, accepts: &dyn Fn(PartitionId) -> bool) -> bool {
        let waiting = self.waiting.keys().copied();
        let under_way = self.requests.iter().flat_map(|r| r.batches.iter().map(|(p, _)| *p));
        let blocked =
            !self.blocked.is_empty() && !self.bootstrap.partitions(&self.topic).is_empty();
        blocked || waiting.chain(under_way).any(accepts)
    }

    /// A response came.
    pub fn receive(&mut self, from: BrokerId, message: Message, fx: &mut ClientEffects) {
        let correlation = message.correlation;
        match message.body {
            Body::MetadataResponse(metadata) => {
                self.bootstrap.take(correlation, *metadata, &self.topic, fx);
            }
            Body::InitProducerIdResponse(id)
                if self.asked_identity.is_some_and(|(c, _)| c == correlation) =>
            {
                self.asked_identity = None;
                self.identity = Some((id, 0));
                fx.event(EventKind::ProducerIdAssigned { producer_id: id, epoch: 0 });
            }
            Body::ApiVersionsResponse(()) => {
                if let Some(connection) = self.connections.get_mut(&from)
                    && matches!(connection, Connection::Opening(n, ..) if *n == correlation)
                {
                    *connection = Connection::Open;
                }
            }
            Body::ProduceResponse(results) => self.answered(from, correlation, &results, fx),
            _ => {}
        }
        self.poll(fx);
    }

    fn queue(&mut self, partition: PartitionId) -> &mut Queue {
        self.queues.entry(partition).or_default()
    }

    /// Looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        if self.poll_at <= fx.now {
            self.poll_at = Micros::NEVER;
        }
        let mut next = self.time_out_requests(fx);
        next = next.min(self.expire(fx));
        next = next.min(self.accept(fx));
        next = next.min(self.drain(fx));
        next = next.min(self.refresh(fx));
        if next < self.poll_at {
            self.poll_at = next;
            fx.timer(next.max(fx.now), ClientTimer::Poll);
        }
    }

    fn refresh(&mut self, fx: &mut ClientEffects) -> Micros {
        let timeout = self.values.ms(Key::ProducerRequestTimeoutMs);
        let backoff = self.values.ms(Key::ProducerRetryBackoffMs);
        let max_age = self.values.ms(Key::ProducerMetadataMaxAgeMs);
        let correlation = &mut self.next_correlation;
        let mut next = self.bootstrap.poll(max_age, backoff, timeout, correlation, fx);
        let wanted = self.values.is(Key::EnableIdempotence) && self.identity.is_none();
        if wanted
            && self.asked_identity.is_none_or(|(_, deadline)| deadline <= fx.now)
            && let Some(broker) = self.bootstrap.any_broker()
        {
            *correlation += 1;
            self.asked_identity = Some((*correlation, fx.now + timeout));
            fx.send(Node::Broker(broker), *correlation, Body::InitProducerId(()), fx.cause);
        }
        if let Some((_, deadline)) = self.asked_identity {
            next = next.min(deadline);
        }
        next
    }
}
