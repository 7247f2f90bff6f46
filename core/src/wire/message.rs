//! Requests and responses under Kafka's names.

use super::metadata::{BrokerState, MetadataRecord, PartitionState, Topic};
use crate::log::{Batch, BatchKind, EpochEnd, GroupOffsets, ProducerStamp};
use crate::settings::{Key, Scope, Value};
use crate::words::{
    BrokerEpoch, BrokerId, BrokerList, ErrorCode, EventId, LeaderEpoch, Map, Micros, Node, Offset,
    PartitionEpoch, PartitionId, RecordId,
};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// A message between two nodes.
#[derive(Clone, Debug)]
pub struct Message {
    /// Matches a response to its request, per sender of the request.
    pub correlation: u32,
    /// What it says.
    pub body: Body,
    /// The event that made its sender send it.
    pub why: EventId,
}

macro_rules! bodies {
    ($($(#[doc = $doc:literal])* $request:ident($request_body:ty) = $name:literal,
        $response:ident($response_body:ty) = $response_name:literal;)*) => {
        /// A message's content: a request, or the response to one.
        #[derive(Clone, Debug)]
        pub enum Body {
            $($(#[doc = $doc])* $request($request_body),
            #[doc = concat!("The answer to `", $name, "`.")] $response($response_body),)*
        }

        /// The kind of a message.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "named as in `Body`")]
        pub enum MessageKind { $($request, $response,)* }

        impl MessageKind {
            /// The names of all kinds in scripts.
            pub const NAMES: &[&str] = &[$($name, $response_name,)*];

            /// Its name in scripts.
            pub const fn name(self) -> &'static str {
                match self {
                    $(MessageKind::$request => $name, MessageKind::$response => $response_name,)*
                }
            }

            /// Whether it answers a request.
            pub const fn is_response(self) -> bool {
                match self { $(MessageKind::$request => false, MessageKind::$response => true,)* }
            }
        }

        impl Body {
            /// Its kind.
            pub const fn kind(&self) -> MessageKind {
                match self {
                    $(Body::$request(_) => MessageKind::$request,
                    Body::$response(_) => MessageKind::$response,)*
                }
            }
        }
    };
}

bodies! {
    /// A client hands over records (R2.6–R2.12).
    Produce(Box<ProduceRequest>) = "produce", ProduceResponse(Vec<Produced>) = "produce-response";
    /// A follower or a consumer reads (R2.27–R2.31).
    Fetch(Box<FetchRequest>) = "fetch", FetchResponse(Vec<Fetched>) = "fetch-response";
    /// Where a log begins or ends.
    ListOffsets(ListOffsets) = "list-offsets", ListOffsetsResponse(ListedOffset) = "list-offsets-response";
    /// Where an epoch ends (R7.7).
    OffsetsForLeaderEpoch(EpochQuery) = "offsets-for-leader-epoch", OffsetsForLeaderEpochResponse(EpochAnswer) = "offsets-for-leader-epoch-response";
    /// The first request of a client's connection.
    ApiVersions(()) = "api-versions", ApiVersionsResponse(()) = "api-versions-response";
    /// Who leads (R6.9).
    Metadata(()) = "metadata", MetadataResponse(Box<ClientMetadata>) = "metadata-response";
    /// A producer id (R6.15).
    InitProducerId(()) = "init-producer-id", InitProducerIdResponse(i64) = "init-producer-id-response";
    /// Who coordinates a group (R7.3).
    FindCoordinator(String) = "find-coordinator", FindCoordinatorResponse(Coordinator) = "find-coordinator-response";
    /// A group's offsets (R7.2).
    OffsetCommit(Box<GroupOffsets>) = "offset-commit", OffsetCommitResponse(ErrorCode) = "offset-commit-response";
    /// A group's offsets, asked for (R7.5).
    OffsetFetch(String) = "offset-fetch", OffsetFetchResponse(Box<FetchedOffsets>) = "offset-fetch-response";
    /// A process becomes known to the controller (R5.5).
    BrokerRegistration(BrokerRegistrationRequest) = "broker-registration", BrokerRegistrationResponse(RegistrationAnswer) = "broker-registration-response";
    /// A broker lives (R5.3, R5.6).
    BrokerHeartbeat(BrokerHeartbeat) = "broker-heartbeat", BrokerHeartbeatResponse(HeartbeatAnswer) = "broker-heartbeat-response";
    /// A leader wants another ISR (R2.24).
    AlterPartition(Box<AlterPartition>) = "alter-partition", AlterPartitionResponse(Box<AlterPartitionAnswer>) = "alter-partition-response";
    /// A broker follows the metadata log.
    MetadataFetch(MetadataFetch) = "metadata-fetch", MetadataFetchResponse(MetadataAnswer) = "metadata-fetch-response";
    /// A broker reports where its replicas are (R5.39).
    AssignReplicasToDirs(AssignReplicasToDirs) = "assign-replicas-to-dirs", AssignReplicasToDirsResponse(ErrorCode) = "assign-replicas-to-dirs-response";
    /// A broker wants to be the controller: the first to create the node is (R5.2).
    ControllerElection(ControllerElection) = "controller-election", ControllerElectionResponse(ErrorCode) = "controller-election-response";
    /// ZooKeeper: partitions' states are written, each if its version is the expected one (R2.22).
    SetData(Box<SetData>) = "set-data", SetDataResponse(Box<SetDataAnswer>) = "set-data-response";
    /// ZooKeeper: partitions whose ISR a leader wrote, held for the controller (R2.22).
    IsrChangeNotification(Vec<PartitionId>) = "isr-change-notification", IsrChangeNotificationResponse(()) = "isr-change-notification-response";
    /// The controller tells a broker which replicas lead and follow (R3.7).
    LeaderAndIsr(Box<LeaderAndIsr>) = "leader-and-isr", LeaderAndIsrResponse(ErrorCode) = "leader-and-isr-response";
    /// The controller tells a broker what clients may know (R6.9).
    UpdateMetadata(Box<UpdateMetadata>) = "update-metadata", UpdateMetadataResponse(ErrorCode) = "update-metadata-response";
    /// The controller stops a broker's replicas (R5.13, R5.36).
    StopReplica(Box<StopReplica>) = "stop-replica", StopReplicaResponse(ErrorCode) = "stop-replica-response";
    /// A broker asks the controller to move its leaderships (R5.13); the answer says how many are
    /// left.
    ControlledShutdown(BrokerId) = "controlled-shutdown", ControlledShutdownResponse(u32) = "controlled-shutdown-response";
    /// The operator creates a topic (R5.17, R5.35).
    CreateTopics(Box<CreateTopic>) = "create-topics", CreateTopicsResponse(CommandAnswer) = "create-topics-response";
    /// The operator changes settings.
    AlterConfigs(Box<AlterConfigs>) = "alter-configs", AlterConfigsResponse(CommandAnswer) = "alter-configs-response";
    /// The operator wants an election (R5.38).
    ElectLeaders(ElectLeaders) = "elect-leaders", ElectLeadersResponse(CommandAnswer) = "elect-leaders-response";
    /// The operator moves a partition, or gives the move up (R5.37).
    AlterPartitionReassignments(Box<Reassign>) = "alter-partition-reassignments", AlterPartitionReassignmentsResponse(CommandAnswer) = "alter-partition-reassignments-response";
}

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

/// See [`Body::Produce`].
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

/// See [`Body::Fetch`].
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

/// See [`Body::ListOffsets`].
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

/// See [`Body::ListOffsetsResponse`].
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

/// See [`Body::OffsetsForLeaderEpoch`].
#[derive(Clone, Copy, Debug)]
pub struct EpochQuery {
    /// The partition.
    pub partition: PartitionId,
    /// Leader epoch that the asker knows.
    pub leader_epoch: LeaderEpoch,
    /// The epoch asked about.
    pub epoch: LeaderEpoch,
}

/// See [`Body::OffsetsForLeaderEpochResponse`].
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

/// See [`Body::FindCoordinatorResponse`].
#[derive(Clone, Copy, Debug)]
pub struct Coordinator {
    /// The result.
    pub error: ErrorCode,
    /// The broker.
    pub broker: Option<BrokerId>,
}

/// See [`Body::OffsetFetchResponse`].
#[derive(Clone, Debug)]
pub struct FetchedOffsets {
    /// The result.
    pub error: ErrorCode,
    /// Committed offset of each partition that has one.
    pub offsets: Vec<(PartitionId, Offset)>,
}

/// See [`Body::BrokerRegistration`].
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

/// See [`Body::BrokerRegistrationResponse`].
#[derive(Clone, Copy, Debug)]
pub struct RegistrationAnswer {
    /// The result.
    pub error: ErrorCode,
    /// The new broker epoch.
    pub broker_epoch: BrokerEpoch,
}

/// See [`Body::BrokerHeartbeat`].
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

/// See [`Body::BrokerHeartbeatResponse`].
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

/// See [`Body::AlterPartition`].
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

/// One partition's stored state, or why it was not changed.
pub type AlterResult = Result<Rc<PartitionState>, ErrorCode>;

/// See [`Body::AlterPartitionResponse`].
#[derive(Clone, Debug)]
pub struct AlterPartitionAnswer {
    /// Top-level result.
    pub error: ErrorCode,
    /// Result for each partition, with its stored state on success.
    pub parts: Vec<(PartitionId, AlterResult)>,
}

/// See [`Body::MetadataFetch`].
#[derive(Clone, Copy, Debug)]
pub struct MetadataFetch {
    /// Who follows.
    pub broker: BrokerId,
    /// From here on.
    pub offset: Offset,
    /// Whether it wants everything; otherwise what every broker watches in ZooKeeper.
    pub all: bool,
}

/// See [`Body::MetadataFetchResponse`].
#[derive(Clone, Debug)]
pub struct MetadataAnswer {
    /// Offset of the first record.
    pub offset: Offset,
    /// Where the next fetch goes on.
    pub next: Offset,
    /// The records, in order, each with the event that made it.
    pub records: Rc<[(MetadataRecord, EventId)]>,
}

/// See [`Body::ControllerElection`].
#[derive(Clone, Copy, Debug)]
pub struct ControllerElection {
    /// Who wants to be it.
    pub broker: BrokerId,
    /// Its session.
    pub broker_epoch: BrokerEpoch,
}

/// See [`Body::SetData`].
#[derive(Clone, Debug)]
pub struct SetData {
    /// Who writes.
    pub broker: BrokerId,
    /// Its session.
    pub broker_epoch: BrokerEpoch,
    /// What.
    pub writes: Vec<StateWrite>,
}

/// A partition's state as it is to be, if nobody has written it meanwhile.
#[derive(Clone, Debug)]
pub struct StateWrite {
    /// The partition.
    pub partition: PartitionId,
    /// The version that the writer knows (zkVersion, R0.4).
    pub expected: PartitionEpoch,
    /// The leader.
    pub leader: Option<BrokerId>,
    /// Its epoch.
    pub leader_epoch: LeaderEpoch,
    /// The ISR, in the order of its list.
    pub isr: BrokerList,
    /// Replicas, and those that are added and removed, if they change with it.
    pub placed: Option<Placed>,
    /// The event that made it so.
    pub why: EventId,
}

/// Where a partition's replicas are, and where they go.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    /// All of them.
    pub replicas: BrokerList,
    /// Those that are added.
    pub adding: BrokerList,
    /// Those that are removed.
    pub removing: BrokerList,
}

/// See [`Body::SetDataResponse`].
#[derive(Clone, Debug)]
pub struct SetDataAnswer {
    /// What is wrong with the session.
    pub error: ErrorCode,
    /// For each write whether it was made, and the state that is stored now.
    pub results: Vec<(PartitionId, bool, Rc<PartitionState>)>,
}

/// See [`Body::LeaderAndIsr`].
#[derive(Clone, Debug)]
pub struct LeaderAndIsr {
    /// Who says so.
    pub controller: BrokerId,
    /// Its epoch: brokers refuse lower ones (R3.7).
    pub controller_epoch: i32,
    /// All topics.
    pub topics: Vec<Rc<Topic>>,
    /// Partitions and their states.
    pub parts: Vec<(PartitionId, Rc<PartitionState>)>,
    /// Brokers that are alive (R3.8).
    pub live: BrokerList,
}

/// See [`Body::UpdateMetadata`].
#[derive(Clone, Debug)]
pub struct UpdateMetadata {
    /// Who says so.
    pub controller: BrokerId,
    /// Its epoch.
    pub controller_epoch: i32,
    /// All topics.
    pub topics: Vec<Rc<Topic>>,
    /// Brokers, those that are gone being fenced.
    pub brokers: Map<BrokerId, BrokerState>,
    /// Partitions and their states.
    pub parts: Vec<(PartitionId, Rc<PartitionState>)>,
}

/// See [`Body::StopReplica`].
#[derive(Clone, Debug)]
pub struct StopReplica {
    /// The controller's epoch.
    pub controller_epoch: i32,
    /// Whether their logs are deleted (R5.36).
    pub delete: bool,
    /// Which replicas.
    pub partitions: Vec<PartitionId>,
}

/// See [`Body::AssignReplicasToDirs`].
#[derive(Clone, Copy, Debug)]
pub struct AssignReplicasToDirs {
    /// Whose replicas.
    pub broker: BrokerId,
    /// Its registration.
    pub broker_epoch: BrokerEpoch,
    /// Where all of them are.
    pub directory: u32,
}

/// See [`Body::CreateTopics`].
#[derive(Clone, Debug)]
pub struct CreateTopic {
    /// Its name.
    pub name: String,
    /// How many partitions; none: by `num.partitions`.
    pub partitions: Option<u32>,
    /// How many replicas; none: by `default.replication.factor`.
    pub replication_factor: Option<u16>,
    /// Replicas of each partition, placed by hand; empty: by the placer.
    pub assignment: Vec<BrokerList>,
    /// Its own settings.
    pub config: Vec<(Key, Value)>,
}

/// See [`Body::AlterConfigs`].
#[derive(Clone, Debug)]
pub struct AlterConfigs {
    /// Where.
    pub scope: Scope,
    /// What; none takes a value back.
    pub changes: Vec<(Key, Option<Value>)>,
}

/// See [`Body::ElectLeaders`].
#[derive(Clone, Copy, Debug)]
pub struct ElectLeaders {
    /// Unclean, or else preferred.
    pub unclean: bool,
    /// The partition.
    pub partition: PartitionId,
}

/// See [`Body::AlterPartitionReassignments`].
#[derive(Clone, Debug)]
pub struct Reassign {
    /// The partition.
    pub partition: PartitionId,
    /// The target; none gives up what is under way.
    pub target: Option<BrokerList>,
}

/// The answer to an operator's command.
#[derive(Clone, Debug)]
pub struct CommandAnswer {
    /// The result.
    pub error: ErrorCode,
}

impl Body {
    /// The partitions that it concerns.
    pub fn partitions(&self) -> Vec<PartitionId> {
        match self {
            Body::Produce(r) => r.batches.iter().map(|b| b.partition).collect(),
            Body::ProduceResponse(r) => r.iter().map(|p| p.partition).collect(),
            Body::Fetch(r) => r.parts.iter().map(|p| p.partition).collect(),
            Body::FetchResponse(r) => r.iter().map(|p| p.partition).collect(),
            Body::ListOffsets(r) => alloc::vec![r.partition],
            Body::ListOffsetsResponse(r) => alloc::vec![r.partition],
            Body::OffsetsForLeaderEpoch(r) => alloc::vec![r.partition],
            Body::OffsetsForLeaderEpochResponse(r) => alloc::vec![r.partition],
            Body::OffsetCommit(r) => r.offsets.iter().map(|(p, _)| *p).collect(),
            Body::AlterPartition(r) => r.parts.iter().map(|p| p.partition).collect(),
            Body::AlterPartitionResponse(r) => r.parts.iter().map(|(p, _)| *p).collect(),
            Body::SetData(r) => r.writes.iter().map(|w| w.partition).collect(),
            Body::LeaderAndIsr(r) => r.parts.iter().map(|(p, _)| *p).collect(),
            Body::StopReplica(r) => r.partitions.to_vec(),
            Body::IsrChangeNotification(partitions) => partitions.clone(),
            Body::ElectLeaders(r) => alloc::vec![r.partition],
            Body::AlterPartitionReassignments(r) => alloc::vec![r.partition],
            _ => Vec::new(),
        }
    }

    /// Whether it carries more than routine: records, an error, a change of state.
    pub fn is_significant(&self) -> bool {
        match self {
            Body::FetchResponse(parts) => parts.iter().any(|p| {
                !p.batches.is_empty() || p.diverging.is_some() || p.error != ErrorCode::None
            }),
            Body::MetadataFetchResponse(answer) => !answer.records.is_empty(),
            Body::BrokerHeartbeat(beat) => beat.want_fence || beat.want_shutdown,
            Body::Fetch(_)
            | Body::BrokerHeartbeatResponse(_)
            | Body::MetadataFetch(_)
            | Body::ApiVersions(())
            | Body::ApiVersionsResponse(())
            | Body::Metadata(_)
            | Body::MetadataResponse(_)
            | Body::LeaderAndIsrResponse(_)
            | Body::UpdateMetadataResponse(_)
            | Body::StopReplicaResponse(_)
            | Body::IsrChangeNotification(_)
            | Body::IsrChangeNotificationResponse(())
            | Body::ControllerElectionResponse(_) => false,
            _ => true,
        }
    }
}

/// Where a message goes.
#[derive(Clone, Debug)]
pub struct Send {
    /// The receiver.
    pub to: Node,
    /// The message.
    pub message: Message,
}
