//! The Java producer, room by room as its batches go: `accumulator`, `sender`, `answers`; `identity`
//! numbers them, `memory` is what they hold, `thread` says when the sender's thread looks around.

mod accumulator;
mod answers;
mod batch;
mod identity;
mod memory;
mod sender;
mod thread;

use self::batch::{PendingBatch, Queue};
use crate::client::ClientEffects;
use crate::client::bootstrap::Bootstrap;
use crate::client::connections::Connections;
use crate::settings::rules::RequestTimeout;
use crate::settings::{Rules, Values};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, Message};
use crate::words::{BrokerId, BrokerList, ErrorCode, EventId, Map, Micros, PartitionId, RecordId};
use alloc::collections::VecDeque;
use alloc::rc::Rc;
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
    pub key: Option<Rc<str>>,
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
    /// Records that the application sends one after the other: the first waits for metadata or for
    /// memory, and its caller with it (`max.block.ms`).
    blocked: VecDeque<(NewRecord, EventId)>,
    /// Whether a record was ever handed over: the client asks for no topic before.
    knows_topic: bool,
    /// Until when the first of them waits.
    blocked_until: Option<Micros>,
    /// How much of `buffer.memory` batches hold.
    memory_used: i64,
    queues: Map<PartitionId, Queue>,
    /// The queues that hold batches.
    waiting: Map<PartitionId, ()>,
    requests: Vec<InFlight>,
    connections: Connections,
    /// Id and epoch of an idempotent producer.
    identity: Option<(i64, i16)>,
    asked_identity: Option<u32>,
    identity_not_before: Micros,
    /// The partition of records without key (KIP-794), and what it got so far.
    sticky: (u32, u32),
    /// When the sender's thread wakes next, and when the application's does.
    sender_at: Micros,
    caller_at: Micros,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

#[derive(Clone, Debug)]
struct InFlight {
    correlation: u32,
    broker: BrokerId,
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
            blocked: VecDeque::new(),
            knows_topic: false,
            blocked_until: None,
            memory_used: 0,
            queues: Map::new(),
            waiting: Map::new(),
            requests: Vec::new(),
            connections: Connections::default(),
            identity: None,
            asked_identity: None,
            identity_not_before: Micros::ZERO,
            sticky: (0, 0),
            sender_at: Micros::NEVER,
            caller_at: Micros::NEVER,
            last_error: ErrorCode::None,
        }
    }

    pub(in crate::client) fn connections(&self) -> &Connections {
        &self.connections
    }

    pub(in crate::client) fn succeed_process(&mut self, former: &Connections) {
        self.connections = Connections::after(former);
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
        self.blocked.extend(records.into_iter().map(|record| (record, fx.cause())));
        self.call(fx);
    }

    /// Whether anything waits to be sent, answered or tried again.
    pub fn is_idle(&self) -> bool {
        self.blocked.is_empty() && self.requests.is_empty() && self.waiting.is_empty()
    }

    /// Whether a batch that waits or is under way can still be appended, where `accepts` says that
    /// a partition's leader would take a write.
    pub fn can_progress(&self, accepts: &dyn Fn(PartitionId) -> bool) -> bool {
        let waiting = self.waiting.keys().copied();
        // Where requests never time out, one whose answer is not on its way may never get one.
        let ends = self.rules.request_timeout != RequestTimeout::None;
        let requests = self.requests.iter().filter(|_| ends);
        let under_way = requests.flat_map(|r| r.batches.iter().map(|(p, _)| *p));
        let blocked =
            !self.blocked.is_empty() && !self.bootstrap.partitions(&self.topic).is_empty();
        blocked || waiting.chain(under_way).any(accepts)
    }

    /// A response came.
    pub fn receive(&mut self, from: BrokerId, message: Message, fx: &mut ClientEffects) {
        let correlation = message.correlation;
        if !self.connections.answered(correlation) {
            return;
        }
        match message.body {
            Body::MetadataResponse(metadata) => {
                let refresh = self.refresh_policy();
                self.bootstrap.take(correlation, *metadata, &self.topic, &refresh, fx);
            }
            Body::InitProducerIdResponse(id) if self.asked_identity == Some(correlation) => {
                self.asked_identity = None;
                self.identity = Some((id, 0));
                fx.event(EventKind::ProducerIdAssigned { producer_id: id, epoch: 0 });
            }
            Body::ProduceResponse(results) => self.answered(from, correlation, &results, fx),
            _ => {}
        }
        self.poll(fx);
    }

    fn queue(&mut self, partition: PartitionId) -> &mut Queue {
        self.queues.entry(partition).or_default()
    }
}
