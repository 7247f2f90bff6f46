//! What brokers and the controller say to one another.

use crate::partition::alter_partition::Proposed;
use crate::wire::metadata::{MetadataRecord, PartitionState};
use crate::words::{
    BrokerEpoch, BrokerId, ErrorCode, EventId, LeaderEpoch, Offset, PartitionEpoch, PartitionId,
};
use alloc::rc::Rc;
use alloc::vec::Vec;
/// See [`Body::BrokerRegistration`](super::Body::BrokerRegistration).
#[derive(Clone, Copy, Debug)]
pub struct BrokerRegistrationRequest {
    /// Who registers.
    pub broker: BrokerId,
    /// The process: each start has another.
    pub incarnation: u32,
    /// The broker epoch in the clean-shutdown file, or −1 (R1.14).
    pub previous_broker_epoch: BrokerEpoch,
    /// The log directory's id (R5.39).
    pub directory: u32,
}

/// See [`Body::BrokerRegistrationResponse`](super::Body::BrokerRegistrationResponse).
#[derive(Clone, Copy, Debug)]
pub struct RegistrationAnswer {
    /// The result.
    pub error: ErrorCode,
    /// The new broker epoch.
    pub broker_epoch: BrokerEpoch,
}

/// See [`Body::BrokerHeartbeat`](super::Body::BrokerHeartbeat).
#[derive(Clone, Copy, Debug)]
pub struct BrokerHeartbeat {
    /// Who lives.
    pub broker: BrokerId,
    /// Under which registration.
    pub broker_epoch: BrokerEpoch,
    /// How far it has followed the metadata log.
    pub metadata_offset: Offset,
    /// It is not ready to serve.
    pub want_fence: bool,
    /// It wants to stop.
    pub want_shutdown: bool,
}

/// See [`Body::BrokerHeartbeatResponse`](super::Body::BrokerHeartbeatResponse).
#[derive(Clone, Copy, Debug)]
pub struct HeartbeatAnswer {
    /// The result.
    pub error: ErrorCode,
    /// It has followed the log up to its registration.
    pub caught_up: bool,
    /// It is fenced.
    pub fenced: bool,
    /// It may stop now.
    pub should_shutdown: bool,
}

/// See [`Body::AlterPartition`](super::Body::AlterPartition).
#[derive(Clone, Debug)]
pub struct AlterPartition {
    /// The leader that asks.
    pub broker: BrokerId,
    /// Its registration.
    pub broker_epoch: BrokerEpoch,
    /// What it wants.
    pub parts: Vec<AlterPartitionPart>,
}

/// One partition of it.
#[derive(Clone, Debug)]
pub struct AlterPartitionPart {
    /// The partition.
    pub partition: PartitionId,
    /// The leader's epoch.
    pub leader_epoch: LeaderEpoch,
    /// Version of the state that the leader knows.
    pub partition_epoch: PartitionEpoch,
    /// The new ISR, with the broker epoch of each member as its fetches gave it, or −1.
    pub isr: Vec<(BrokerId, BrokerEpoch)>,
    /// Whether the leader is still recovering from an unclean election (R4.8).
    pub recovering: bool,
    /// The event that proposed it.
    pub why: EventId,
}

impl AlterPartitionPart {
    /// What the leader asks for, without its story.
    pub fn proposed(&self) -> Proposed<'_> {
        Proposed {
            leader_epoch: self.leader_epoch,
            partition_epoch: self.partition_epoch,
            isr: &self.isr,
            recovering: self.recovering,
        }
    }
}

/// One partition's stored state, or why it was not changed.
pub type AlterResult = Result<Rc<PartitionState>, ErrorCode>;

/// See [`Body::AlterPartitionResponse`](super::Body::AlterPartitionResponse).
#[derive(Clone, Debug)]
pub struct AlterPartitionAnswer {
    /// Top-level result.
    pub error: ErrorCode,
    /// Result for each partition, with its stored state on success.
    pub parts: Vec<(PartitionId, AlterResult)>,
}

/// See [`Body::MetadataFetch`](super::Body::MetadataFetch).
#[derive(Clone, Copy, Debug)]
pub struct MetadataFetch {
    /// Who follows.
    pub broker: BrokerId,
    /// From here on.
    pub offset: Offset,
    /// Whether it wants everything; otherwise what every broker watches in ZooKeeper.
    pub all: bool,
}

/// See [`Body::MetadataFetchResponse`](super::Body::MetadataFetchResponse).
#[derive(Clone, Debug)]
pub struct MetadataAnswer {
    /// Offset of the first record.
    pub offset: Offset,
    /// Where the next fetch goes on.
    pub next: Offset,
    /// The records, in order, each with the event that made it.
    pub records: Rc<[(MetadataRecord, EventId)]>,
}

/// See [`Body::AssignReplicasToDirs`](super::Body::AssignReplicasToDirs).
#[derive(Clone, Copy, Debug)]
pub struct AssignReplicasToDirs {
    /// Whose replicas.
    pub broker: BrokerId,
    /// Its registration.
    pub broker_epoch: BrokerEpoch,
    /// Where all of them are.
    pub directory: u32,
}
