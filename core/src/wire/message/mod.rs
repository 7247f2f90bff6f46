//! Requests and responses under Kafka's names.

mod clients;
mod controller;
mod operator;
mod zookeeper;

pub use clients::*;
pub use controller::*;
pub use operator::*;
pub use zookeeper::*;

pub use crate::words::MessageKind;
use crate::words::{BrokerId, ErrorCode, EventId, Node, PartitionId};
use alloc::boxed::Box;
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

/// How many bits of a client's correlation id count its requests; those above are the number of its
/// connection.
const CORRELATION_BITS: u32 = 20;

/// The correlation id of a client's request over its `number`-th connection (R6.20).
pub const fn correlation_on(number: u32, request: u32) -> u32 {
    (number << CORRELATION_BITS) | (request & ((1 << CORRELATION_BITS) - 1))
}

/// Which of a client's connections a request went over, or the answer to it.
pub const fn connection_of(correlation: u32) -> u32 {
    correlation >> CORRELATION_BITS
}

macro_rules! bodies {
    ($($(#[doc = $doc:literal])* $request:ident($request_body:ty),
        $response:ident($response_body:ty);)*) => {
        /// A message's content: a request, or the response to one.
        #[derive(Clone, Debug)]
        pub enum Body {
            $($(#[doc = $doc])* $request($request_body),
            #[doc = concat!("The answer to `", stringify!($request), "`.")]
            $response($response_body),)*
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
    Produce(Box<ProduceRequest>), ProduceResponse(Vec<Produced>);
    /// A follower or a consumer reads (R2.27–R2.31).
    Fetch(Box<FetchRequest>), FetchResponse(Vec<Fetched>);
    /// Where a log begins or ends.
    ListOffsets(ListOffsets), ListOffsetsResponse(ListedOffset);
    /// Where an epoch ends (R7.7).
    OffsetsForLeaderEpoch(EpochQuery), OffsetsForLeaderEpochResponse(EpochAnswer);
    /// The first request of a client's connection.
    ApiVersions(()), ApiVersionsResponse(());
    /// Who leads (R6.9).
    Metadata(()), MetadataResponse(Box<ClientMetadata>);
    /// A producer id (R6.15).
    InitProducerId(()), InitProducerIdResponse(i64);
    /// Who coordinates a group (R7.3).
    FindCoordinator(String), FindCoordinatorResponse(Coordinator);
    /// A group's offsets (R7.2).
    OffsetCommit(Box<OffsetCommit>), OffsetCommitResponse(ErrorCode);
    /// A group's offsets, asked for (R7.5).
    OffsetFetch(String), OffsetFetchResponse(Box<FetchedOffsets>);
    /// A process becomes known to the controller (R5.5).
    BrokerRegistration(BrokerRegistrationRequest), BrokerRegistrationResponse(RegistrationAnswer);
    /// A broker lives (R5.3, R5.6).
    BrokerHeartbeat(BrokerHeartbeat), BrokerHeartbeatResponse(HeartbeatAnswer);
    /// A leader wants another ISR (R2.24).
    AlterPartition(Box<AlterPartition>), AlterPartitionResponse(Box<AlterPartitionAnswer>);
    /// A broker follows the metadata log.
    MetadataFetch(MetadataFetch), MetadataFetchResponse(MetadataAnswer);
    /// A broker reports where its replicas are (R5.39).
    AssignReplicasToDirs(AssignReplicasToDirs), AssignReplicasToDirsResponse(ErrorCode);
    /// A broker wants to be the controller: the first to create the node is (R5.2).
    ControllerElection(ControllerElection), ControllerElectionResponse(ErrorCode);
    /// ZooKeeper: partitions' states are written, each if its version is the expected one (R2.22).
    SetData(Box<SetData>), SetDataResponse(Box<SetDataAnswer>);
    /// ZooKeeper: partitions whose ISR a leader wrote, held for the controller (R2.22).
    IsrChangeNotification(Vec<PartitionId>), IsrChangeNotificationResponse(());
    /// The controller tells a broker which replicas lead and follow (R3.7).
    LeaderAndIsr(Box<LeaderAndIsr>), LeaderAndIsrResponse(ErrorCode);
    /// The controller tells a broker what clients may know (R6.9).
    UpdateMetadata(Box<UpdateMetadata>), UpdateMetadataResponse(ErrorCode);
    /// The controller stops a broker's replicas (R5.13, R5.36).
    StopReplica(Box<StopReplica>), StopReplicaResponse(ErrorCode);
    /// A broker asks the controller to move its leaderships (R5.13); the answer says how many are
    /// left.
    ControlledShutdown(BrokerId), ControlledShutdownResponse(u32);
    /// The operator creates a topic (R5.17, R5.35).
    CreateTopics(Box<CreateTopic>), CreateTopicsResponse(CommandAnswer);
    /// The operator changes settings.
    AlterConfigs(Box<AlterConfigs>), AlterConfigsResponse(CommandAnswer);
    /// The operator wants an election (R5.38).
    ElectLeaders(ElectLeaders), ElectLeadersResponse(CommandAnswer);
    /// The operator moves a partition, or gives the move up (R5.37).
    AlterPartitionReassignments(Box<Reassign>), AlterPartitionReassignmentsResponse(CommandAnswer);
    /// A consumer joins its group; the answer comes when all members have (R7.11).
    JoinGroup(Box<JoinGroup>), JoinGroupResponse(Box<Joined>);
    /// A member wants its partitions (R7.11).
    SyncGroup(Box<SyncGroup>), SyncGroupResponse(Box<Synced>);
    /// A member lives (R7.9).
    Heartbeat(Box<GroupMember>), HeartbeatResponse(ErrorCode);
    /// A member closes (R7.9).
    LeaveGroup(Box<GroupMember>), LeaveGroupResponse(ErrorCode);
}

impl Body {
    /// Shows `see` the partitions that it concerns, in order. Called for every message that is
    /// sent, so no list of them is made.
    pub fn each_partition(&self, see: &mut dyn FnMut(PartitionId)) {
        match self {
            Body::Produce(r) => r.batches.iter().map(|b| b.partition).for_each(see),
            Body::ProduceResponse(r) => r.iter().map(|p| p.partition).for_each(see),
            Body::Fetch(r) => r.parts.iter().map(|p| p.partition).for_each(see),
            Body::FetchResponse(r) => r.iter().map(|p| p.partition).for_each(see),
            Body::ListOffsets(r) => see(r.partition),
            Body::ListOffsetsResponse(r) => see(r.partition),
            Body::OffsetsForLeaderEpoch(r) => see(r.partition),
            Body::OffsetsForLeaderEpochResponse(r) => see(r.partition),
            Body::OffsetCommit(r) => r.offsets.offsets.iter().map(|(p, _)| *p).for_each(see),
            Body::AlterPartition(r) => r.parts.iter().map(|p| p.partition).for_each(see),
            Body::AlterPartitionResponse(r) => r.parts.iter().map(|(p, _)| *p).for_each(see),
            Body::SetData(r) => r.writes.iter().map(|w| w.partition).for_each(see),
            Body::LeaderAndIsr(r) => r.parts.iter().map(|(p, _)| *p).for_each(see),
            Body::StopReplica(r) => r.partitions.iter().map(|(p, _)| *p).for_each(see),
            Body::IsrChangeNotification(partitions) => partitions.iter().copied().for_each(see),
            Body::ElectLeaders(r) => see(r.partition),
            Body::AlterPartitionReassignments(r) => see(r.partition),
            _ => {}
        }
    }

    /// The first partition that it concerns, after which scripts name it.
    pub fn first_partition(&self) -> Option<PartitionId> {
        let mut first = None;
        self.each_partition(&mut |partition| {
            first.get_or_insert(partition);
        });
        first
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
            | Body::Heartbeat(_)
            | Body::HeartbeatResponse(_)
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
