//! What clients and followers ask of a leader, and groups of their coordinator.

use crate::log::{Batch, BatchKind, Committed, GroupOffsets, ProducerStamp};
use crate::partition::epochs::EpochEnd;
use crate::wire::metadata::Topic;
use crate::words::{
    BrokerEpoch, BrokerId, BrokerList, ClientId, ErrorCode, EventId, LeaderEpoch, Micros, Offset,
    PartitionId, RecordId,
};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
/// A batch before it has an offset.
#[derive(Clone, Debug)]
pub struct ProducerBatch {
    /// Its partition.
    pub partition: PartitionId,
    /// Its records.
    pub records: Rc<[RecordId]>,
    /// Their size.
    pub bytes: u32,
    /// The stamp of an idempotent producer.
    pub producer: Option<ProducerStamp>,
    /// What it is beside a client's records.
    pub kind: BatchKind,
}

/// See [`Body::Produce`](super::Body::Produce).
#[derive(Clone, Debug)]
pub struct ProduceRequest {
    /// −1, 0, 1; any other number in 0.8.
    pub acks: i32,
    /// How long acks may take (R2.11).
    pub timeout: Micros,
    /// At most one batch for each partition.
    pub batches: Vec<ProducerBatch>,
}

/// The result for one partition.
#[derive(Clone, Copy, Debug)]
pub struct Produced {
    /// The partition.
    pub partition: PartitionId,
    /// The result.
    pub error: ErrorCode,
    /// Offset of the batch's first record, or −1.
    pub first: Offset,
    /// Who leads instead, as far as the broker knows (KIP-951).
    pub leader: Option<(BrokerId, LeaderEpoch)>,
}

/// See [`Body::Fetch`](super::Body::Fetch).
#[derive(Clone, Debug)]
pub struct FetchRequest {
    /// The follower that asks; none: a consumer.
    pub replica: Option<(BrokerId, BrokerEpoch)>,
    /// How long to wait for data (R2.28).
    pub max_wait: Micros,
    /// How much data to wait for.
    pub min_bytes: i64,
    /// How much one partition may return.
    pub max_bytes: i64,
    /// A consumer's rack (`client.rack`), as a number that stands for its name; 0: none (R7.8).
    pub rack: u16,
    /// What is read.
    pub parts: Vec<FetchPart>,
}

/// One partition of a fetch.
#[derive(Clone, Copy, Debug)]
pub struct FetchPart {
    /// The partition.
    pub partition: PartitionId,
    /// From here on.
    pub offset: Offset,
    /// Leader epoch that the reader knows, or −1.
    pub leader_epoch: LeaderEpoch,
    /// Epoch of the last record that it has, or −1 (R3.14).
    pub last_fetched_epoch: LeaderEpoch,
}

/// The answer for one partition.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The partition.
    pub partition: PartitionId,
    /// The offset that was asked for (R3.2).
    pub offset: Offset,
    /// The result.
    pub error: ErrorCode,
    /// The answering replica's HW, before this fetch counted (R2.29).
    pub hw: Offset,
    /// The event that set that HW.
    pub hw_why: EventId,
    /// The answering replica's first offset.
    pub log_start: Offset,
    /// Where the follower's log leaves the leader's (R3.14).
    pub diverging: Option<EpochEnd>,
    /// The records.
    pub batches: Vec<Batch>,
    /// The replica that a consumer had better read from (R7.8).
    pub preferred: Option<BrokerId>,
}

/// Which end of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogEnd {
    /// The first offset.
    Earliest,
    /// The end: LEO for replicas, HW for consumers.
    Latest,
}

/// See [`Body::ListOffsets`](super::Body::ListOffsets).
#[derive(Clone, Copy, Debug)]
pub struct ListOffsets {
    /// The partition.
    pub partition: PartitionId,
    /// Which end.
    pub end: LogEnd,
    /// Whether a replica asks.
    pub from_replica: bool,
    /// Leader epoch that the asker knows, or −1.
    pub leader_epoch: LeaderEpoch,
}

/// See [`Body::ListOffsetsResponse`](super::Body::ListOffsetsResponse).
#[derive(Clone, Copy, Debug)]
pub struct ListedOffset {
    /// The partition.
    pub partition: PartitionId,
    /// Which end.
    pub end: LogEnd,
    /// The result.
    pub error: ErrorCode,
    /// The offset.
    pub offset: Offset,
}

/// See [`Body::OffsetsForLeaderEpoch`](super::Body::OffsetsForLeaderEpoch).
#[derive(Clone, Copy, Debug)]
pub struct EpochQuery {
    /// The partition.
    pub partition: PartitionId,
    /// Leader epoch that the asker knows.
    pub leader_epoch: LeaderEpoch,
    /// The epoch asked about.
    pub epoch: LeaderEpoch,
}

/// See [`Body::OffsetsForLeaderEpochResponse`](super::Body::OffsetsForLeaderEpochResponse).
#[derive(Clone, Copy, Debug)]
pub struct EpochAnswer {
    /// The partition.
    pub partition: PartitionId,
    /// The result.
    pub error: ErrorCode,
    /// Where it ends; none: undefined (R3.11).
    pub end: Option<EpochEnd>,
}

/// What a broker tells clients of all partitions.
#[derive(Clone, Debug)]
pub struct ClientMetadata {
    /// Leader and its epoch of each partition, by id; none: no leader, or unknown.
    pub leaders: Vec<Option<(BrokerId, LeaderEpoch)>>,
    /// Topics by index.
    pub topics: Vec<Rc<Topic>>,
    /// Brokers that are up.
    pub brokers: BrokerList,
}

/// The topic that keeps groups' offsets (R7.3).
pub const OFFSETS_TOPIC: &str = "__consumer_offsets";

/// See [`Body::FindCoordinatorResponse`](super::Body::FindCoordinatorResponse).
#[derive(Clone, Copy, Debug)]
pub struct Coordinator {
    /// The result.
    pub error: ErrorCode,
    /// The broker.
    pub broker: Option<BrokerId>,
}

/// See [`Body::OffsetFetchResponse`](super::Body::OffsetFetchResponse).
#[derive(Clone, Debug)]
pub struct FetchedOffsets {
    /// The result.
    pub error: ErrorCode,
    /// What is committed of each partition that has something.
    pub offsets: Vec<(PartitionId, Committed)>,
}

/// A member of a group, as its coordinator names it; members are ordered by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemberId(pub ClientId, pub Micros);

/// How a member presents itself to its coordinator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupMember {
    /// Its group.
    pub group: String,
    /// Its id; none before it has joined.
    pub member: Option<MemberId>,
    /// The generation that it belongs to, or −1.
    pub generation: i32,
    /// After how long without a sign of it the group goes on without it (`session.timeout.ms`).
    pub session: Micros,
}

/// See [`Body::JoinGroup`](super::Body::JoinGroup).
#[derive(Clone, Debug)]
pub struct JoinGroup {
    /// Who joins.
    pub as_member: GroupMember,
    /// The topic that it reads.
    pub topic: String,
    /// How long the others wait for it to join again (`max.poll.interval.ms`).
    pub rebalance: Micros,
}

/// See [`Body::JoinGroupResponse`](super::Body::JoinGroupResponse).
#[derive(Clone, Debug)]
pub struct Joined {
    /// The result.
    pub error: ErrorCode,
    /// The member's id.
    pub member: MemberId,
    /// The generation that it belongs to from now on.
    pub generation: i32,
    /// For the leader of the group: all members and the topic that each reads.
    pub members: Vec<(MemberId, String)>,
}

/// See [`Body::SyncGroup`](super::Body::SyncGroup).
#[derive(Clone, Debug)]
pub struct SyncGroup {
    /// Who wants to know its partitions.
    pub as_member: GroupMember,
    /// From the leader of the group: the partitions of each member.
    pub assignment: Vec<(MemberId, Vec<PartitionId>)>,
}

/// See [`Body::SyncGroupResponse`](super::Body::SyncGroupResponse).
#[derive(Clone, Debug)]
pub struct Synced {
    /// The result.
    pub error: ErrorCode,
    /// The member's partitions.
    pub partitions: Vec<PartitionId>,
}

/// See [`Body::OffsetCommit`](super::Body::OffsetCommit).
#[derive(Clone, Debug)]
pub struct OffsetCommit {
    /// Who commits.
    pub as_member: GroupMember,
    /// What it commits.
    pub offsets: GroupOffsets,
}
