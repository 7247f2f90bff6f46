//! What happened, as codes with parameters. The words are in `www/strings`, in two languages.

use crate::settings::Rules;
use crate::settings::rules::{Coordination, IsrStore};
use crate::words::{
    BrokerId, BrokerList, ClientId, ErrorCode, EventId, Micros, Node, PartitionId, RecordId,
};
use alloc::string::String;

/// How much an event matters to the eye.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// Periodic traffic and housekeeping; folded away.
    Periodic,
    /// A step of replication as it should be.
    Routine,
    /// A change of state.
    Notable,
    /// What someone should see: a fault, an election, a refusal, a loss.
    Striking,
}

/// An event of the history.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// When it happened.
    pub at: Micros,
    /// Where.
    pub node: Node,
    /// What, with its parameters.
    pub kind: EventKind,
    /// The events that caused it, nearest first; [`EventId::NONE`] where there is none.
    pub causes: [EventId; 2],
}

/// A parameter of an event, in the terms of the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Param<'a> {
    /// A partition.
    Partition(PartitionId),
    /// A broker.
    Broker(BrokerId),
    /// Brokers.
    Brokers(&'a BrokerList),
    /// A client.
    Client(ClientId),
    /// Any process.
    Node(Node),
    /// A record.
    Record(RecordId),
    /// An offset, an epoch or a count.
    Number(i64),
    /// A span of time.
    Time(Micros),
    /// A result.
    Error(ErrorCode),
    /// A fixed word; the page has its translation.
    Word(&'static str),
    /// Text of the user's own.
    Text(&'a str),
}

macro_rules! param {
    ($($kind:ty, |$value:ident| $make:expr;)*) => {
        $(impl<'a> From<&'a $kind> for Param<'a> {
            fn from($value: &'a $kind) -> Param<'a> { $make }
        })*
    };
}

param! {
    PartitionId, |v| Param::Partition(*v);
    BrokerId, |v| Param::Broker(*v);
    BrokerList, |v| Param::Brokers(v);
    ClientId, |v| Param::Client(*v);
    Node, |v| Param::Node(*v);
    RecordId, |v| Param::Record(*v);
    i64, |v| Param::Number(*v);
    i32, |v| Param::Number(i64::from(*v));
    u32, |v| Param::Number(i64::from(*v));
    Micros, |v| Param::Time(*v);
    ErrorCode, |v| Param::Error(*v);
    &'static str, |v| Param::Word(v);
    String, |v| Param::Text(v);
}

macro_rules! events {
    ($($(#[doc = $doc:literal])* $variant:ident { $($field:ident: $kind:ty),* $(,)? }
        = $code:literal, $rule:literal, $weight:ident;)*) => {
        /// Everything that can happen. Each variant has a code for its sentence and the rule that
        /// makes it so.
        #[derive(Clone, PartialEq, Debug)]
        #[allow(missing_docs, reason = "each field's name is the parameter's name in its sentence")]
        pub enum EventKind { $($(#[doc = $doc])* $variant { $($field: $kind),* },)* }

        impl EventKind {
            /// Code, rule and parameter names of every event there is.
            pub const ALL: &[(&'static str, &'static str, &'static [&'static str])] =
                &[$(($code, $rule, &[$(stringify!($field)),*]),)*];

            /// The key of its sentence.
            pub const fn code(&self) -> &'static str {
                match self { $(EventKind::$variant { .. } => $code,)* }
            }

            /// Its place in [`EventKind::ALL`], for hashing.
            pub fn index(&self) -> u64 {
                enum Place { $($variant,)* }
                match self { $(EventKind::$variant { .. } => Place::$variant as u64,)* }
            }

            /// The rule of docs/protocol.md that makes it so where KRaft keeps the truth; see
            /// [`EventKind::rule_under`].
            const fn rule(&self) -> &'static str {
                match self { $(EventKind::$variant { .. } => $rule,)* }
            }

            /// How much it matters to the eye.
            pub const fn weight(&self) -> Weight {
                match self { $(EventKind::$variant { .. } => Weight::$weight,)* }
            }

            /// The partition that it is about, if it is about one.
            pub fn of_partition(&self) -> Option<PartitionId> {
                let mut found = None;
                self.visit(&mut |_, param| {
                    if let Param::Partition(partition) = param {
                        found = Some(partition);
                    }
                });
                found
            }

            /// Its parameters, in order.
            pub fn visit<'a>(&'a self, see: &mut dyn FnMut(&'static str, Param<'a>)) {
                match self {
                    $(EventKind::$variant { $($field),* } => {
                        let _ = &see;
                        $(see(stringify!($field), Param::from($field));)*
                    })*
                }
            }
        }
    };
}

impl EventKind {
    /// The rule of docs/protocol.md that makes it so, where these `rules` apply.
    pub fn rule_under(&self, rules: &Rules) -> &'static str {
        if rules.coordination == Coordination::KRaft {
            return self.rule();
        }
        match self {
            EventKind::Registered { .. }
            | EventKind::RegistrationRefused { .. }
            | EventKind::SessionExpired { .. }
            | EventKind::Fenced { .. }
            | EventKind::Paused {}
            | EventKind::Running {} => "R5.1",
            EventKind::TopicCreated { .. } => "R5.9",
            EventKind::LeaderElected { .. } => "R5.11",
            EventKind::LeaderNone { .. } => "R5.12",
            EventKind::ControlledShutdown { .. } => "R5.13",
            EventKind::Starting {} => "R5.14",
            EventKind::ReassignmentStarted { .. }
            | EventKind::ReassignmentCompleted { .. }
            | EventKind::ReassignmentCancelled { .. } => "R5.36",
            EventKind::IsrShrunk { .. }
            | EventKind::IsrExpanded { .. }
            | EventKind::IsrCommitted { .. }
            | EventKind::IsrRejected { .. } => match rules.isr_store {
                IsrStore::ZooKeeper => "R2.22",
                IsrStore::AlterIsr | IsrStore::AlterPartition => "R2.23",
            },
            EventKind::CommandAnswered { command: "elect", .. } => "R5.15",
            EventKind::CommandAnswered { command: "reassign", .. } => "R5.36",
            _ => self.rule(),
        }
    }

    /// Whose silence it tells of, if it does.
    pub fn silent(&self) -> Option<Node> {
        match self {
            EventKind::SessionExpired { broker, .. }
            | EventKind::RequestTimedOut { broker }
            | EventKind::ConnectionLost { broker }
            | EventKind::ConnectionNotMade { broker }
            | EventKind::FetcherDisconnected { leader: broker } => Some(Node::Broker(*broker)),
            EventKind::ShrinkProposed { out, .. } => out.first().copied().map(Node::Broker),
            _ => None,
        }
    }
}

events! {
    // Processes, as the script moves them.
    /// kill -9.
    Crashed {} = "process.crashed", "R1.20", Striking;
    /// A follower has more than its leader and may not lose it: the process ends.
    Halted { partition: PartitionId } = "process.halted", "R3.16", Striking;
    /// The machine went dark; so many records were not flushed and are gone.
    PoweredOff { lost: u32 } = "process.poweredOff", "R1.21", Striking;
    /// A clean stop was asked for.
    Stopping {} = "process.stopping", "R1.12", Striking;
    /// The clean stop is done.
    Stopped {} = "process.stopped", "R1.12", Notable;
    /// The process was started.
    Starting {} = "process.starting", "R5.5", Striking;
    /// A log was read again after an unclean stop, from the recovery point to its end.
    LogRecovered { partition: PartitionId, recovery_point: i64, end: i64 } = "log.recovered", "R1.15", Notable;
    /// The broker serves clients.
    Running {} = "process.running", "R5.6", Notable;
    /// A long GC pause began.
    Paused {} = "process.paused", "R5.3", Striking;
    /// The pause ended.
    Resumed {} = "process.resumed", "R5.3", Striking;
    /// The disk was replaced by an empty one.
    Wiped {} = "disk.wiped", "R5.39", Striking;
    /// A stopped broker's log lost its end.
    LogCut { partition: PartitionId, from: i64, count: u32 } = "log.cut", "R1.21", Striking;

    // Network and disk faults.
    /// A link was cut.
    LinkCut { from: Node, to: Node } = "link.cut", "R4.9", Striking;
    /// A link works again.
    LinkHealed { from: Node, to: Node } = "link.healed", "R4.9", Striking;
    /// A link's one-way time changed.
    LinkSlowed { from: Node, to: Node, latency: Micros } = "link.slowed", "R2.15", Striking;
    /// A broker's disk writes take longer from now on.
    DiskSlowed { broker: BrokerId, delay: Micros } = "disk.slowed", "R2.15", Striking;
    /// The script dropped a message.
    MessageDropped { message: String } = "message.dropped", "R2.1", Striking;
    /// The script delayed a message.
    MessageDelayed { message: String, by: Micros } = "message.delayed", "R2.1", Striking;
    /// The script duplicated a message.
    MessageDuplicated { message: String } = "message.duplicated", "R6.11", Striking;
    /// The script wanted something of a process that cannot be done in its state.
    ActionVoid { action: &'static str, state: &'static str } = "action.void", "R1.20", Striking;
    /// A message met a cut link or a machine that is off.
    MessageLost { message: &'static str, to: Node } = "message.lost", "R4.9", Routine;

    // The controller.
    /// A controller became active; every broker's clock starts again.
    ControllerActivated {} = "controller.activated", "R5.4", Striking;
    /// The broker that was the controller is gone.
    ControllerGone { broker: BrokerId } = "controller.gone", "R5.2", Striking;
    /// A broker became the controller.
    ControllerElected { broker: BrokerId, epoch: i32 } = "controller.elected", "R5.2", Striking;
    /// A process of a broker registered.
    Registered { broker: BrokerId, broker_epoch: i64, shutdown: &'static str } = "broker.registered", "R5.5", Notable;
    /// A registration was refused: the former process may still live.
    RegistrationRefused { broker: BrokerId, error: ErrorCode } = "broker.registrationRefused", "R5.5", Notable;
    /// A broker's session ran out.
    SessionExpired { broker: BrokerId, silent: Micros } = "broker.sessionExpired", "R5.3", Striking;
    /// A broker may neither lead nor be in an ISR.
    Fenced { broker: BrokerId } = "broker.fenced", "R5.28", Striking;
    /// A broker may lead and join again.
    Unfenced { broker: BrokerId } = "broker.unfenced", "R5.6", Notable;
    /// A broker asked to stop; its leaderships move.
    ControlledShutdown { broker: BrokerId } = "broker.controlledShutdown", "R5.6", Notable;
    /// A topic was created.
    TopicCreated { topic: String, partitions: u32 } = "topic.created", "R5.17", Notable;
    /// A partition was created.
    PartitionCreated { partition: PartitionId, replicas: BrokerList, leader: BrokerId } = "partition.created", "R5.17", Notable;
    /// A leader was chosen out of the ISR.
    LeaderElected { partition: PartitionId, leader: BrokerId, epoch: i32, isr: BrokerList } = "leader.elected", "R5.19", Striking;
    /// A leader was chosen out of the ELR.
    LeaderFromElr { partition: PartitionId, leader: BrokerId, epoch: i32, elr: BrokerList } = "leader.fromElr", "R5.21", Striking;
    /// The last known leader was chosen.
    LeaderLastKnown { partition: PartitionId, leader: BrokerId, epoch: i32 } = "leader.lastKnown", "R5.26", Striking;
    /// A leader was chosen that may lack committed records.
    LeaderUnclean { partition: PartitionId, leader: BrokerId, epoch: i32 } = "leader.unclean", "R4.8", Striking;
    /// The same leader goes on under a new epoch.
    LeaderEpochRaised { partition: PartitionId, leader: BrokerId, epoch: i32 } = "leader.epochRaised", "R4.1", Notable;
    /// No replica may lead.
    LeaderNone { partition: PartitionId, epoch: i32, isr: BrokerList, elr: BrokerList } = "leader.none", "R5.28", Striking;
    /// The stored ISR shrank.
    IsrShrunk { partition: PartitionId, was: BrokerList, isr: BrokerList } = "isr.shrunk", "R2.24", Striking;
    /// The stored ISR grew.
    IsrExpanded { partition: PartitionId, was: BrokerList, isr: BrokerList } = "isr.expanded", "R2.24", Notable;
    /// The stored ELR changed.
    ElrChanged { partition: PartitionId, was: BrokerList, elr: BrokerList } = "elr.changed", "R5.22", Notable;
    /// An ISR change was refused.
    AlterPartitionRefused { partition: PartitionId, from: BrokerId, error: ErrorCode } = "alterPartition.refused", "R2.24", Notable;
    /// A reassignment began.
    ReassignmentStarted { partition: PartitionId, adding: BrokerList, removing: BrokerList } = "reassignment.started", "R5.37", Notable;
    /// A reassignment is done.
    ReassignmentCompleted { partition: PartitionId, replicas: BrokerList } = "reassignment.completed", "R5.37", Notable;
    /// A reassignment was given up.
    ReassignmentCancelled { partition: PartitionId, replicas: BrokerList } = "reassignment.cancelled", "R5.37", Notable;
    /// A setting changed.
    SettingChanged { name: &'static str, value: String, scope: String } = "setting.changed", "R5.22", Striking;
    /// The answer to an operator's command.
    CommandAnswered { command: &'static str, error: ErrorCode } = "command.answered", "R5.38", Notable;

    // A broker's replicas.
    /// A replica began to lead.
    BecameLeader { partition: PartitionId, epoch: i32, start: i64 } = "replica.leads", "R4.3", Notable;
    /// A replica began to follow.
    BecameFollower { partition: PartitionId, epoch: i32, leader: BrokerId } = "replica.follows", "R3.9", Notable;
    /// A replica's leader is gone and there is no other yet.
    BecameLeaderless { partition: PartitionId, epoch: i32 } = "replica.leaderless", "R3.8", Notable;
    /// A broker had a partition's state already, or a newer one.
    StateRefused { partition: PartitionId, epoch: i32, error: ErrorCode } = "state.refused", "R3.7", Routine;
    /// A broker does not listen to a former controller.
    ControllerRefused { epoch: i32, error: ErrorCode } = "controller.refused", "R3.7", Notable;
    /// A replica's directory was deleted.
    ReplicaDeleted { partition: PartitionId } = "replica.deleted", "R5.37", Notable;
    /// A leader appended what a client sent.
    Appended { partition: PartitionId, first: i64, last: i64, epoch: i32 } = "log.appended", "R1.1", Routine;
    /// A follower appended what it fetched.
    Replicated { partition: PartitionId, first: i64, last: i64, leader: BrokerId } = "log.replicated", "R3.3", Routine;
    /// A log was truncated.
    Truncated { partition: PartitionId, from: i64, to: i64, count: u32 } = "log.truncated", "R3.14", Striking;
    /// A log was emptied and starts at another offset.
    TruncatedFully { partition: PartitionId, start: i64, count: u32 } = "log.truncatedFully", "R1.27", Striking;
    /// A new segment was begun.
    Rolled { partition: PartitionId, base: i64 } = "log.rolled", "R1.3", Routine;
    /// Everything below is on disk.
    Flushed { partition: PartitionId, to: i64 } = "log.flushed", "R1.7", Routine;
    /// The HW file was written.
    HwCheckpointed { partitions: u32 } = "hw.checkpointed", "R1.10", Periodic;
    /// The recovery-point file was written.
    RecoveryPointCheckpointed { partitions: u32 } = "recoveryPoint.checkpointed", "R1.9", Periodic;
    /// The leader's HW moved up: every replica that counts has the records below it.
    HwAdvanced { partition: PartitionId, from: i64, to: i64 } = "hw.advanced", "R2.18", Routine;
    /// The leader's HW stands still: the ISR is below min ISR.
    HwHeld { partition: PartitionId, hw: i64, isr: BrokerList, min_isr: u32 } = "hw.held", "R2.19", Striking;
    /// A follower took over the leader's HW.
    HwFollowed { partition: PartitionId, from: i64, to: i64 } = "hw.followed", "R3.3", Routine;
    /// The leader learnt how far a follower is.
    FollowerProgressed { partition: PartitionId, follower: BrokerId, from: i64, to: i64 } = "follower.progressed", "R2.2", Routine;
    /// A follower is told where its log leaves the leader's.
    Diverged { partition: PartitionId, follower: BrokerId, epoch: i32, end: i64 } = "fetch.diverged", "R3.14", Notable;
    /// A follower asks for what the leader does not have.
    FetchOutOfRange { partition: PartitionId, follower: BrokerId, offset: i64 } = "fetch.outOfRange", "R3.16", Notable;
    /// A follower's fetch was answered with an error.
    FetchFailed { partition: PartitionId, leader: BrokerId, error: ErrorCode } = "fetch.failed", "R3.5", Routine;
    /// A follower lost its leader's connection.
    FetcherDisconnected { leader: BrokerId } = "fetcher.disconnected", "R3.5", Routine;
    /// Replicas have been behind for too long; the leader asks to take them out.
    ShrinkProposed { partition: PartitionId, out: BrokerList, lag: Micros } = "isr.shrinkProposed", "R2.15", Striking;
    /// A replica has caught up; the leader asks to take it in.
    ExpandProposed { partition: PartitionId, replica: BrokerId, hw: i64 } = "isr.expandProposed", "R2.17", Notable;
    /// The leader took over the stored ISR.
    IsrCommitted { partition: PartitionId, isr: BrokerList } = "isr.committed", "R2.25", Routine;
    /// The leader's proposal came to nothing.
    IsrRejected { partition: PartitionId, error: ErrorCode } = "isr.rejected", "R2.25", Notable;
    /// A produce request was refused, nothing was appended.
    ProduceRefused { partition: PartitionId, error: ErrorCode, isr: BrokerList, min_isr: u32 } = "produce.refused", "R2.7", Striking;
    /// A produce request waits until the HW has passed its records.
    ProduceWaits { partition: PartitionId, required: i64 } = "produce.waits", "R2.10", Routine;
    /// A produce request was answered well.
    ProduceAnswered { partition: PartitionId, first: i64, acks: i32 } = "produce.answered", "R2.9", Routine;
    /// A produce request was answered with an error although its records were appended.
    ProduceFailed { partition: PartitionId, error: ErrorCode } = "produce.failed", "R2.10", Striking;
    /// A produce request waited too long; its records stay in the log.
    ProduceTimedOut { partition: PartitionId, required: i64 } = "produce.timedOut", "R2.11", Striking;
    /// A batch was recognized: it is in the log already.
    ProduceDuplicate { partition: PartitionId, first: i64 } = "produce.duplicate", "R6.16", Notable;
    /// acks=0 and the append failed: the connection is closed.
    ConnectionClosed { client: ClientId } = "connection.closed", "R2.9", Notable;

    // Producers.
    /// A record was handed to a producer.
    RecordQueued { record: RecordId, partition: PartitionId } = "record.queued", "R6.5", Periodic;
    /// A batch left the producer.
    BatchSent { partition: PartitionId, records: u32, attempt: u32 } = "batch.sent", "R6.5", Routine;
    /// A batch was acknowledged.
    BatchAcked { partition: PartitionId, records: u32, first: i64 } = "batch.acked", "R2.9", Routine;
    /// acks=0: a batch counts as written once it has left.
    BatchAssumed { partition: PartitionId, records: u32 } = "batch.assumed", "R6.10", Routine;
    /// A batch failed and will be sent again.
    BatchRetried { partition: PartitionId, records: u32, error: ErrorCode, attempt: u32 } = "batch.retried", "R6.7", Striking;
    /// A batch was too large for the topic, and goes again in pieces.
    BatchSplit { partition: PartitionId, records: u32, pieces: u32 } = "batch.split", "R6.8", Striking;
    /// A batch failed for good.
    BatchFailed { partition: PartitionId, records: u32, error: ErrorCode } = "batch.failed", "R6.7", Striking;
    /// A request had no answer in time.
    RequestTimedOut { broker: BrokerId } = "request.timedOut", "R6.6", Striking;
    /// A connection was lost.
    ConnectionLost { broker: BrokerId } = "connection.lost", "R6.6", Notable;
    /// A client learnt who leads.
    MetadataLearnt { partition: PartitionId, leader: BrokerId } = "metadata.learnt", "R6.9", Routine;
    /// A client learnt that nobody leads.
    MetadataLeaderless { partition: PartitionId } = "metadata.leaderless", "R6.9", Notable;
    /// A producer got its id.
    ProducerIdAssigned { producer_id: i64, epoch: i32 } = "producer.idAssigned", "R6.15", Routine;

    // Consumers.
    /// A consumer read records.
    RecordsRead { partition: PartitionId, first: i64, last: i64 } = "records.read", "R7.1", Routine;
    /// A consumer's position was set by `auto.offset.reset` or a seek.
    PositionReset { partition: PartitionId, from: i64, to: i64, policy: &'static str } = "position.reset", "R7.5", Notable;
    /// A consumer found that its position is beyond what the new leader has.
    TruncationDetected { partition: PartitionId, position: i64, end: i64 } = "consumer.truncation", "R7.7", Striking;
    /// A consumer's error.
    ConsumerFailed { partition: PartitionId, error: ErrorCode } = "consumer.failed", "R7.5", Striking;
    /// A consumer has processed what it read.
    RecordsProcessed { partition: PartitionId, records: u32 } = "records.processed", "R7.4", Routine;
    /// A consumer reads from a follower in its rack.
    ReadsFromFollower { partition: PartitionId, replica: BrokerId } = "consumer.follower", "R7.8", Notable;
    /// A group's coordinator is not there, or could not write.
    GroupFailed { group: String, error: ErrorCode } = "group.failed", "R7.3", Notable;
    /// A consumer committed its position.
    OffsetCommitted { partition: PartitionId, offset: i64 } = "offset.committed", "R7.2", Routine;

    // The audit.
    /// A record that was acknowledged is in no log that counts any more.
    AckedRecordLost { record: RecordId, partition: PartitionId, offset: i64 } = "audit.ackedLost", "R0.5", Striking;
    /// A record that was never acknowledged is gone.
    RecordLost { record: RecordId, partition: PartitionId, offset: i64 } = "audit.lost", "R0.5", Striking;
    /// A record that had been lost is the leader's again.
    RecordFound { record: RecordId, partition: PartitionId, offset: i64 } = "audit.found", "R0.5", Notable;
    /// A record is in the leader's log twice.
    RecordDuplicated { record: RecordId, partition: PartitionId, offset: i64 } = "audit.duplicated", "R6.11", Striking;
    /// A record stands behind one that was sent after it.
    RecordReordered { record: RecordId, partition: PartitionId, offset: i64 } = "audit.reordered", "R6.12", Striking;
    /// A property that should always hold does not.
    PropertyBroken { property: &'static str, partition: PartitionId } = "audit.broken", "R0.5", Striking;

    // Later ones: fingerprints go by the place in this table.
    /// A record never entered a batch: its call of `send` failed.
    SendFailed { topic: String, records: u32, error: ErrorCode } = "send.failed", "R6.9", Striking;
    /// A connection was not made in time.
    ConnectionNotMade { broker: BrokerId } = "connection.notMade", "R6.20", Notable;
    /// A consumer joined its group, or left it: who owns which partitions was decided anew.
    GroupAssigned { group: String, generation: i32, partitions: u32 } = "group.assigned", "R7.10", Notable;
    /// A member of a group was not heard of for its session.
    MemberExpired { group: String, client: ClientId } = "group.memberExpired", "R7.10", Striking;
}
