//! Floor 1: the words that every other floor is written in.

mod brokers;
mod commit_mode;
mod error;
mod hash;
mod list;
mod map;
mod message_kind;
mod rng;
mod said;
mod shared_vec;
mod time;

pub use brokers::Brokers;
pub use commit_mode::CommitMode;
pub use error::{ErrorCode, Origin};
pub use hash::java_hash;
pub use list::BrokerList;
pub use map::{Entry, Map};
pub use message_kind::MessageKind;
pub use rng::Rng;
pub use said::{Phrase, Said};
pub use shared_vec::SharedVec;
pub use time::Micros;

use core::fmt;

/// Id of a broker, as in `broker.id` / `node.id` (0 … 9999).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BrokerId(pub u16);

impl BrokerId {
    /// Largest id that a scenario may use.
    pub const MAX: u16 = 9999;
}

impl fmt::Display for BrokerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A partition of a topic: index into the cluster's table of partitions, in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PartitionId(pub u32);

impl PartitionId {
    /// A partition that a command names and the cluster does not have.
    pub const UNKNOWN: PartitionId = PartitionId(u32::MAX);
}

/// A producer, consumer or operator: index into the scenario's clients, in order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClientId(pub u16);

/// 64-bit index of a record in one partition (R0.1). −1 is "unknown" where a field may be so.
pub type Offset = i64;

/// Per-partition counter of leaderships (R0.4). −1 is "none".
pub type LeaderEpoch = i32;

/// Version of a partition's stored state, +1 on every change (R0.4).
pub type PartitionEpoch = i32;

/// Version of a broker registration: offset of its record in the metadata log (R5.5). −1 is "none".
pub type BrokerEpoch = i64;

/// A process that takes part: brokers and the controller keep state, clients use them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A broker.
    Broker(BrokerId),
    /// The active controller (KRaft) or the ZooKeeper server.
    Controller,
    /// A producer, a consumer or the operator's tools.
    Client(ClientId),
}

/// Identity of one record that a client was asked to send, in the order of asking. A copy that a
/// retry made has the same identity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

impl RecordId {
    /// No client was asked to send it: what Kafka itself writes.
    pub const NONE: RecordId = RecordId(u32::MAX);
}

/// Identity of an event in the history of a run, counted from 0. [`EventId::NONE`] is no event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

impl EventId {
    /// No event: something that held from the start.
    pub const NONE: EventId = EventId(u32::MAX);
}

impl Default for EventId {
    fn default() -> Self {
        Self::NONE
    }
}
