//! The one table of settings (docs/protocol.md, section 9).

use super::Release;
use super::Release::{V0_8_2, V0_11, V2_8, V3_9, V4_1, V4_4};
use crate::words::Brokers;

/// Whose setting it is: the same name may mean different things to different processes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// A broker, or all of them: `server.properties`.
    Broker,
    /// A topic's own setting.
    Topic,
    /// The Java producer.
    Producer,
    /// The old Scala producer of 0.8.2 and 0.11.
    ScalaProducer,
    /// The consumer (on 0.8.2 the Scala one, which keeps its offsets in ZooKeeper).
    Consumer,
}

impl Owner {
    /// All of them.
    pub const ALL: [Owner; 5] =
        [Owner::Broker, Owner::Topic, Owner::Producer, Owner::ScalaProducer, Owner::Consumer];

    /// For messages: `broker`, `topic`, …
    pub const fn name(self) -> &'static str {
        match self {
            Owner::Broker => "broker",
            Owner::Topic => "topic",
            Owner::Producer => "producer",
            Owner::ScalaProducer => "Scala producer",
            Owner::Consumer => "consumer",
        }
    }
}

/// A set of [`Owner`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owners(u8);

impl Owners {
    const fn of(owners: &[Owner]) -> Owners {
        let mut bits = 0;
        let mut i = 0;
        while i < owners.len() {
            bits |= 1 << owners[i] as u8;
            i += 1;
        }
        Owners(bits)
    }

    /// Whether `owner` is in it.
    pub const fn contains(self, owner: Owner) -> bool {
        self.0 & (1 << owner as u8) != 0
    }

    /// Its members.
    pub fn iter(self) -> impl Iterator<Item = Owner> {
        Owner::ALL.into_iter().filter(move |o| self.contains(*o))
    }
}

/// What an integer counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A plain number.
    Count,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
    /// Bytes.
    Bytes,
    /// Per cent.
    Percent,
}

impl Unit {
    /// For messages: empty for a plain number.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Count => "",
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
            Unit::Minutes => "min",
            Unit::Hours => "h",
            Unit::Bytes => "bytes",
            Unit::Percent => "%",
        }
    }
}

/// Which values a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An integer from `min` to `max`, both included.
    Int {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
        /// What it counts.
        unit: Unit,
    },
    /// `true` (1) or `false` (0).
    Bool,
    /// One of these words; the value is its index.
    Choice(&'static [&'static str]),
}

/// A setting: one row of the table.
#[derive(Debug)]
pub struct Spec {
    /// The row's key.
    pub key: Key,
    /// Kafka's name for it, the newest where it was renamed.
    pub name: &'static str,
    /// Whose setting it is.
    pub owners: Owners,
    /// Which values it takes.
    pub kind: Kind,
    /// From that release on, the least and the greatest value instead of those of `kind`.
    pub narrowed: Option<(Release, i64, i64)>,
    /// What it was called up to and with that release.
    pub old_name: Option<(&'static str, Release)>,
    /// For a topic's setting: the broker's setting that it overrides, where that is named
    /// differently.
    pub synonym: Option<Key>,
    /// Its defaults, each from its release until the next; [`GONE`]: there is none any more.
    defaults: &'static [(Release, i64)],
    /// Whether Kafka lets it change while its owner runs.
    pub dynamic: bool,
    /// Whether it is taken and changes nothing here, since what it is about is not modelled.
    pub inert: bool,
}

impl Spec {
    /// Its default in `release`, if that has it.
    pub fn default(&self, release: Release) -> Option<i64> {
        let (_, value) = self.defaults.iter().rev().find(|(from, _)| *from <= release)?;
        (*value != GONE).then_some(*value)
    }

    /// What `release` calls it.
    pub fn name_in(&self, release: Release) -> &'static str {
        match self.old_name {
            Some((name, until)) if release <= until => name,
            _ => self.name,
        }
    }

    /// The least and the greatest value in `release`.
    pub fn range(&self, release: Release) -> (i64, i64) {
        match (self.narrowed, self.kind) {
            (Some((from, min, max)), _) if release >= from => (min, max),
            (_, Kind::Int { min, max, .. }) => (min, max),
            (_, Kind::Bool) => (0, 1),
            (_, Kind::Choice(words)) => (0, words.len() as i64 - 1),
        }
    }
}

impl Key {
    /// The setting's row.
    pub const fn spec(self) -> &'static Spec {
        &TABLE[self as usize]
    }

    /// What it does, in a line, with the rules that read it.
    pub const fn doc(self) -> &'static str {
        DOCS[self as usize]
    }

    /// Its place in the table (0 … [`Key::COUNT`] − 1).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The setting that `owner` has under `name`, whether today's or an old one.
    pub fn named(name: &str, owner: Owner) -> Option<Key> {
        let old = |spec: &Spec| spec.old_name.is_some_and(|(old, _)| old == name);
        let of_owner = || TABLE.iter().filter(|spec| spec.owners.contains(owner));
        of_owner().find(|s| s.name == name).or_else(|| of_owner().find(|s| old(s))).map(|s| s.key)
    }
}

const MAX_INT: i64 = i32::MAX as i64;
const MAX_LONG: i64 = i64::MAX;
const MIB: i64 = 1024 * 1024;
const HOUR_MS: i64 = 3_600_000;
/// In a row's defaults: from here on the setting is gone.
const GONE: i64 = i64::MIN;

const fn int(min: i64, max: i64, unit: Unit) -> Kind {
    Kind::Int { min, max, unit }
}

const fn count(min: i64) -> Kind {
    int(min, MAX_INT, Unit::Count)
}

const fn ms(min: i64) -> Kind {
    int(min, MAX_INT, Unit::Milliseconds)
}

const fn long_ms(min: i64) -> Kind {
    int(min, MAX_LONG, Unit::Milliseconds)
}

const fn bytes(min: i64) -> Kind {
    int(min, MAX_INT, Unit::Bytes)
}

macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

macro_rules! settings {
    ($(
        $key:ident $name:literal [$($owner:ident)+] $kind:expr,
        [$($from:ident: $default:expr),+] $change:ident
        $(, from $narrowed:expr)? $(, once $old:expr)? $(, over $synonym:ident)?;
        $doc:literal
    )*) => {
        /// A setting; its row is [`Key::spec`].
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum Key {
            $(#[doc = concat!("`", $name, "`: ", $doc)] $key,)*
        }

        impl Key {
            /// Every setting, in the table's order.
            pub const ALL: &[Key] = &[$(Key::$key,)*];
            /// How many there are.
            pub const COUNT: usize = Key::ALL.len();
        }

        static TABLE: [Spec; Key::COUNT] = [$(Spec {
            key: Key::$key,
            name: $name,
            owners: Owners::of(&[$(Owner::$owner),+]),
            kind: $kind,
            narrowed: optional!($($narrowed)?),
            old_name: optional!($($old)?),
            synonym: optional!($(Key::$synonym)?),
            defaults: &[$(($from, $default)),+],
            dynamic: matches!(stringify!($change).as_bytes(), b"dynamic"),
            inert: matches!(stringify!($change).as_bytes(), b"inert"),
        },)*];

        /// Apart from the table: the page has these words in a file that it loads when it needs them.
        static DOCS: [&str; Key::COUNT] = [$($doc,)*];
    };
}

// A row: key, Kafka's name, owners, kind, defaults ("from that release on"), `dynamic`, `fixed` or
// `inert`;
// then, where there are any, `from` a narrower range, `once` an old name, `over` a synonym.
settings! {
    // Broker: replication.
    ReplicaLagTimeMaxMs "replica.lag.time.max.ms" [Broker] long_ms(1),
        [V0_8_2: 10_000, V2_8: 30_000] fixed;
        "How long a follower may lag before it leaves the ISR (R2.14, R2.15, R2.18)."
    ReplicaLagMaxMessages "replica.lag.max.messages" [Broker] int(1, MAX_LONG, Unit::Count),
        [V0_8_2: 4000, V0_11: GONE] fixed;
        "How many messages a follower may lag before it leaves the ISR (R2.15)."
    ReplicaFetchWaitMaxMs "replica.fetch.wait.max.ms" [Broker] ms(0),
        [V0_8_2: 500] fixed;
        "How long a leader parks a follower's fetch that finds nothing new (R2.28, R3.1)."
    ReplicaFetchMinBytes "replica.fetch.min.bytes" [Broker] bytes(0),
        [V0_8_2: 1] fixed;
        "How much a follower's fetch waits for (R2.28, R3.1)."
    ReplicaFetchMaxBytes "replica.fetch.max.bytes" [Broker] bytes(0),
        [V0_8_2: MIB] fixed;
        "How much one partition may return to a follower's fetch (R3.1)."
    ReplicaFetchResponseMaxBytes "replica.fetch.response.max.bytes" [Broker] bytes(0),
        [V0_11: 10 * MIB] inert;
        "How much one answer may carry to a follower (R3.1)."
    ReplicaFetchBackoffMs "replica.fetch.backoff.ms" [Broker] ms(0),
        [V0_11: 1000] fixed;
        "How long a follower leaves a partition alone after an error (R3.5)."
    ReplicaSocketTimeoutMs "replica.socket.timeout.ms" [Broker] ms(1),
        [V0_8_2: 30_000] fixed;
        "How long a follower waits for the answer to a fetch before it drops the connection (R3.5)."
    NumReplicaFetchers "num.replica.fetchers" [Broker] int(1, 100, Unit::Count),
        [V0_8_2: 1] inert;
        "How many fetchers a broker has for each leader (R3.1)."
    ReplicaHighWatermarkCheckpointIntervalMs "replica.high.watermark.checkpoint.interval.ms"
        [Broker] long_ms(1), [V0_8_2: 5000] fixed;
        "How often the high watermarks are written to disk (R1.10)."
    ReplicaSelectorClass "replica.selector.class" [Broker]
        Kind::Choice(&["none", "RackAwareReplicaSelector"]), [V2_8: 0] fixed;
        "Whether consumers may read from a follower in their rack (R7.8)."
    MinInsyncReplicas "min.insync.replicas" [Broker Topic] count(1),
        [V0_8_2: 1] dynamic;
        "The smallest ISR that accepts acks=all (R2.7, R2.10, R2.19, R5.22)."
    UncleanLeaderElectionEnable "unclean.leader.election.enable" [Broker Topic] Kind::Bool,
        [V0_8_2: 1, V0_11: 0] dynamic;
        "Whether a replica that may lack committed records may lead (R5.11, R5.19, R5.21)."
    UncleanLeaderElectionIntervalMs "unclean.leader.election.interval.ms" [Broker] long_ms(1),
        [V3_9: 300_000] fixed;
        "How often leaderless partitions are retried with unclean election on (R5.21)."
    DefaultReplicationFactor "default.replication.factor" [Broker]
        int(1, Brokers::MAX_REPLICAS as i64, Unit::Count),
        [V0_8_2: 1] fixed;
        "Replicas of a topic that does not say how many (R5.35)."
    NumPartitions "num.partitions" [Broker] count(1),
        [V0_8_2: 1] fixed;
        "Partitions of a topic that does not say how many (R5.35)."
    AutoCreateTopicsEnable "auto.create.topics.enable" [Broker] Kind::Bool,
        [V0_8_2: 1] inert;
        "Whether asking for an unknown topic creates it (R5.35)."
    AutoLeaderRebalanceEnable "auto.leader.rebalance.enable" [Broker] Kind::Bool,
        [V0_8_2: 1] fixed;
        "Whether the controller gives leadership back to preferred leaders (R5.16, R5.31)."
    LeaderImbalanceCheckIntervalSeconds "leader.imbalance.check.interval.seconds" [Broker]
        int(1, MAX_INT, Unit::Seconds), [V0_8_2: 300] fixed;
        "How often it looks for partitions not led by their preferred leader (R5.16, R5.31)."
    LeaderImbalancePerBrokerPercentage "leader.imbalance.per.broker.percentage" [Broker]
        int(0, MAX_INT, Unit::Percent), [V0_8_2: 10, V3_9: GONE] fixed;
        "The share of such partitions above which it acts (R5.16)."
    ControlledShutdownEnable "controlled.shutdown.enable" [Broker] Kind::Bool,
        [V0_8_2: 1] fixed;
        "Whether a broker hands its leaderships over before it stops (R5.6, R5.13)."
    ControlledShutdownMaxRetries "controlled.shutdown.max.retries" [Broker] count(0),
        [V0_8_2: 3, V3_9: GONE] fixed;
        "How often it tries to (R5.13)."
    ControlledShutdownRetryBackoffMs "controlled.shutdown.retry.backoff.ms" [Broker] long_ms(0),
        [V0_8_2: 5000, V3_9: GONE] fixed;
        "How long it waits between two tries (R5.13)."
    CordonedLogDirs "cordoned.log.dirs" [Broker] Kind::Choice(&["", "*"]),
        [V4_4: 0] dynamic;
        "`*`: the broker gets no new replicas (R5.40)."

    // Broker: membership.
    ZookeeperSessionTimeoutMs "zookeeper.session.timeout.ms" [Broker] ms(1),
        [V0_8_2: 6000, V2_8: 18_000, V3_9: GONE] fixed;
        "After how long without ZooKeeper a broker counts as dead (R5.1)."
    BrokerHeartbeatIntervalMs "broker.heartbeat.interval.ms" [Broker] ms(1),
        [V3_9: 2000] fixed;
        "How often a broker tells the controller that it lives (R5.3)."
    BrokerSessionTimeoutMs "broker.session.timeout.ms" [Broker] ms(1),
        [V3_9: 9000] fixed;
        "After how long without a heartbeat a broker is fenced (R5.3)."
    InitialBrokerRegistrationTimeoutMs "initial.broker.registration.timeout.ms" [Broker] ms(1),
        [V3_9: 60_000] inert;
        "How long a starting broker tries to register before it gives up (R5.5)."
    ControllerQuorumElectionTimeoutMs "controller.quorum.election.timeout.ms" [Broker] ms(1),
        [V3_9: 1000] fixed;
        "How long an election among controllers may take (R5.4)."
    ControllerQuorumFetchTimeoutMs "controller.quorum.fetch.timeout.ms" [Broker] ms(1),
        [V3_9: 2000] inert;
        "After how long without the active controller another one is elected (R5.4)."
    ControllerQuorumRequestTimeoutMs "controller.quorum.request.timeout.ms" [Broker] ms(1),
        [V3_9: 2000] fixed;
        "How long a request to the controller waits for its answer (R5.4)."
    EligibleLeaderReplicasVersion "eligible.leader.replicas.version" [Broker]
        int(0, 1, Unit::Count), [V4_1: 1] dynamic;
        "The feature level of eligible leader replicas: 0 off, 1 on (R5.22, R5.24)."
    SocketConnectionSetupTimeoutMs "socket.connection.setup.timeout.ms"
        [Broker Producer Consumer] long_ms(1), [V2_8: 10_000] fixed;
        "How long a client waits for a connection to be made (R6.20)."
    SocketConnectionSetupTimeoutMaxMs "socket.connection.setup.timeout.max.ms"
        [Broker Producer Consumer] long_ms(1), [V2_8: 30_000] fixed;
        "The most that this wait grows to, doubled after each failure (R6.20)."

    // Broker: log.
    LogSegmentBytes "log.segment.bytes" [Broker] bytes(14),
        [V0_8_2: 1024 * MIB] dynamic, from (V4_1, MIB, MAX_INT);
        "The size at which a segment is closed (R1.3)."
    LogRollHours "log.roll.hours" [Broker] int(1, MAX_INT, Unit::Hours),
        [V0_8_2: 168] fixed;
        "The age at which a segment is closed; `log.roll.ms` wins over it (R1.3)."
    LogRollMs "log.roll.ms" [Broker] long_ms(1),
        [V0_8_2: 168 * HOUR_MS] dynamic;
        "The age at which a segment is closed; by default that of `log.roll.hours` (R1.3)."
    LogFlushIntervalMessages "log.flush.interval.messages" [Broker]
        int(1, MAX_LONG, Unit::Count), [V0_8_2: MAX_LONG] dynamic;
        "How many records may be unflushed (R1.7)."
    LogFlushIntervalMs "log.flush.interval.ms" [Broker] long_ms(0),
        [V0_8_2: MAX_LONG] dynamic;
        "How long a record may be unflushed; by default the scheduler's interval (R1.7)."
    LogFlushSchedulerIntervalMs "log.flush.scheduler.interval.ms" [Broker] long_ms(1),
        [V0_8_2: MAX_LONG] fixed;
        "How often the flusher looks (R1.7)."
    LogFlushOffsetCheckpointIntervalMs "log.flush.offset.checkpoint.interval.ms" [Broker] ms(1),
        [V0_8_2: 60_000] fixed;
        "How often the recovery points are written to disk (R1.9)."
    LogFlushStartOffsetCheckpointIntervalMs "log.flush.start.offset.checkpoint.interval.ms"
        [Broker] ms(1), [V0_11: 60_000] inert;
        "How often the log start offsets are written to disk (R1.9)."
    NumRecoveryThreadsPerDataDir "num.recovery.threads.per.data.dir" [Broker] count(1),
        [V0_8_2: 1, V4_1: 2] inert;
        "How many logs are recovered at the same time (R1.15)."
    MessageMaxBytes "message.max.bytes" [Broker] bytes(0),
        [V0_8_2: 1_000_012, V2_8: 1_048_588] dynamic;
        "The largest batch that is accepted (R6.8)."
    OffsetsTopicReplicationFactor "offsets.topic.replication.factor" [Broker]
        int(1, Brokers::MAX_REPLICAS as i64, Unit::Count), [V0_8_2: 3] fixed;
        "Replicas of the topic of committed offsets (R7.3)."
    OffsetsTopicNumPartitions "offsets.topic.num.partitions" [Broker] count(1),
        [V0_8_2: 50] fixed;
        "Partitions of the topic of committed offsets (R7.3)."
    OffsetsRetentionMinutes "offsets.retention.minutes" [Broker] int(1, MAX_INT, Unit::Minutes),
        [V0_8_2: 1440, V2_8: 10_080] inert;
        "How long the offsets of a group without members are kept (R7.3)."
    OffsetsCommitRequiredAcks "offsets.commit.required.acks" [Broker]
        int(-1, 32_767, Unit::Count), [V0_8_2: -1, V4_1: GONE] fixed;
        "The acks of a commit (R7.3)."
    OffsetsCommitTimeoutMs "offsets.commit.timeout.ms" [Broker] ms(1),
        [V0_8_2: 5000] fixed;
        "How long a commit waits for its acks (R7.3)."
    ProducerIdExpirationMs "producer.id.expiration.ms" [Broker] ms(1),
        [V3_9: 86_400_000] dynamic;
        "After how long an idle producer is forgotten (R6.17)."
    TransactionalIdExpirationMs "transactional.id.expiration.ms" [Broker] ms(1),
        [V0_11: 604_800_000] fixed;
        "The same on releases without `producer.id.expiration.ms` (R6.17)."

    // Topic: overrides whose names differ from the broker's.
    SegmentBytes "segment.bytes" [Topic] bytes(14),
        [V0_8_2: 1024 * MIB] dynamic, from (V4_1, MIB, MAX_INT), over LogSegmentBytes;
        "The size at which a segment of this topic is closed (R1.3)."
    SegmentMs "segment.ms" [Topic] long_ms(1),
        [V0_8_2: 168 * HOUR_MS] dynamic, over LogRollMs;
        "The age at which a segment of this topic is closed (R1.3)."
    FlushMessages "flush.messages" [Topic] int(1, MAX_LONG, Unit::Count),
        [V0_8_2: MAX_LONG] dynamic, over LogFlushIntervalMessages;
        "How many records of this topic may be unflushed (R1.7)."
    FlushMs "flush.ms" [Topic] long_ms(0),
        [V0_8_2: MAX_LONG] dynamic, over LogFlushIntervalMs;
        "How long a record of this topic may be unflushed (R1.7)."
    MaxMessageBytes "max.message.bytes" [Topic] bytes(0),
        [V0_8_2: 1_000_012, V2_8: 1_048_588] dynamic, over MessageMaxBytes;
        "The largest batch that this topic accepts (R6.8)."

    // The old Scala producer.
    ProducerType "producer.type" [ScalaProducer] Kind::Choice(&["sync", "async"]),
        [V0_8_2: 0, V2_8: GONE] fixed;
        "Whether a caller waits for the answer, or a queue sends behind its back (R6.1)."
    RequestRequiredAcks "request.required.acks" [ScalaProducer]
        int(-1, 1, Unit::Count), [V0_8_2: 0, V2_8: GONE] fixed;
        "How many replicas have to have a record before the answer (R2.9, R6.2)."
    ScalaRequestTimeoutMs "request.timeout.ms" [ScalaProducer] ms(1),
        [V0_8_2: 10_000, V2_8: GONE] fixed;
        "How long the broker waits for the acks (R2.11, R6.3)."
    MessageSendMaxRetries "message.send.max.retries" [ScalaProducer] count(0),
        [V0_8_2: 3, V2_8: GONE] fixed;
        "How often a failed send is tried again (R6.3)."
    ScalaRetryBackoffMs "retry.backoff.ms" [ScalaProducer] ms(0),
        [V0_8_2: 100, V2_8: GONE] fixed;
        "How long it sleeps before that (R6.3)."
    QueueBufferingMaxMs "queue.buffering.max.ms" [ScalaProducer] ms(0),
        [V0_8_2: 5000, V2_8: GONE] fixed;
        "How long the queue of `async` gathers (R6.1)."
    QueueBufferingMaxMessages "queue.buffering.max.messages" [ScalaProducer] count(1),
        [V0_8_2: 10_000, V2_8: GONE] fixed;
        "How many messages that queue holds (R6.1)."
    QueueEnqueueTimeoutMs "queue.enqueue.timeout.ms" [ScalaProducer] ms(-1),
        [V0_8_2: -1, V2_8: GONE] fixed;
        "How long a caller waits for a place in it: -1 for ever, 0 not at all (R6.1)."
    BatchNumMessages "batch.num.messages" [ScalaProducer] count(1),
        [V0_8_2: 200, V2_8: GONE] fixed;
        "How many messages that queue sends at once (R6.1)."
    TopicMetadataRefreshIntervalMs "topic.metadata.refresh.interval.ms" [ScalaProducer] ms(-1),
        [V0_8_2: 600_000, V2_8: GONE] fixed;
        "How often it asks again who leads (R6.4)."

    // The Java producer.
    Acks "acks" [Producer] int(-32_768, 32_767, Unit::Count),
        [V0_8_2: 1, V3_9: -1] fixed, from (V0_11, -1, 1);
        "How many replicas have to have a record before the answer; -1 is `all` (R2.7, R2.9)."
    EnableIdempotence "enable.idempotence" [Producer] Kind::Bool,
        [V0_11: 0, V3_9: 1] fixed;
        "Whether brokers recognize a batch that was sent twice (R6.14-R6.18)."
    Retries "retries" [Producer] count(0),
        [V0_8_2: 0, V2_8: MAX_INT] fixed;
        "How often a failed batch is sent again (R6.7)."
    DeliveryTimeoutMs "delivery.timeout.ms" [Producer] ms(0),
        [V2_8: 120_000] fixed;
        "How long a record may take from send to answer, retries included (R6.7)."
    ProducerRequestTimeoutMs "request.timeout.ms" [Producer] ms(0),
        [V0_8_2: 30_000] fixed, once ("timeout.ms", V0_8_2);
        "How long a request waits for its answer (R2.11, R6.6)."
    MaxInFlightRequestsPerConnection "max.in.flight.requests.per.connection" [Producer] count(1),
        [V0_8_2: 5] fixed;
        "How many requests may be unanswered per broker (R6.5, R6.12)."
    BatchSize "batch.size" [Producer] bytes(0),
        [V0_8_2: 16_384] fixed;
        "The size at which a batch is full (R6.5)."
    LingerMs "linger.ms" [Producer] long_ms(0),
        [V0_8_2: 0, V4_1: 5] fixed;
        "How long a batch waits for more records (R6.5)."
    BufferMemory "buffer.memory" [Producer] int(0, MAX_LONG, Unit::Bytes),
        [V0_8_2: 32 * MIB] fixed;
        "How much may wait to be sent (R6.5)."
    MaxRequestSize "max.request.size" [Producer] bytes(0),
        [V0_8_2: MIB] fixed;
        "The largest request (R6.8)."
    ProducerRetryBackoffMs "retry.backoff.ms" [Producer] long_ms(0),
        [V0_8_2: 100] fixed;
        "How long a failed batch waits before it is sent again (R6.7)."
    ProducerRetryBackoffMaxMs "retry.backoff.max.ms" [Producer] long_ms(0),
        [V3_9: 1000] fixed;
        "The most that this wait grows to (R6.7)."
    ProducerReconnectBackoffMs "reconnect.backoff.ms" [Producer] long_ms(0),
        [V0_8_2: 10, V0_11: 50] fixed;
        "How long it waits before it connects again (R6.6)."
    ProducerReconnectBackoffMaxMs "reconnect.backoff.max.ms" [Producer] long_ms(0),
        [V0_11: 1000] fixed;
        "The most that this wait grows to (R6.6)."
    ProducerMetadataMaxAgeMs "metadata.max.age.ms" [Producer] long_ms(0),
        [V0_8_2: 300_000] fixed;
        "How often it asks again who leads (R6.9)."
    MaxBlockMs "max.block.ms" [Producer] long_ms(0),
        [V0_11: 60_000] fixed;
        "How long a send waits for metadata or memory (R6.9)."

    // The consumer.
    AutoOffsetReset "auto.offset.reset" [Consumer]
        Kind::Choice(&["latest", "earliest", "none"]), [V0_8_2: 0] fixed;
        "Where it starts without a committed offset, or out of range (R7.5-R7.7)."
    EnableAutoCommit "enable.auto.commit" [Consumer] Kind::Bool,
        [V0_8_2: 1] fixed, once ("auto.commit.enable", V0_8_2);
        "Whether positions are committed by themselves (R7.4)."
    AutoCommitIntervalMs "auto.commit.interval.ms" [Consumer] ms(0),
        [V0_8_2: 60_000, V0_11: 5000] fixed;
        "How often (R7.4)."
    FetchMinBytes "fetch.min.bytes" [Consumer] bytes(0),
        [V0_8_2: 1] fixed;
        "How much a fetch waits for (R2.28)."
    FetchMaxWaitMs "fetch.max.wait.ms" [Consumer] ms(0),
        [V0_8_2: 100, V0_11: 500] fixed, once ("fetch.wait.max.ms", V0_8_2);
        "How long a leader parks a fetch that finds too little (R2.28)."
    MaxPartitionFetchBytes "max.partition.fetch.bytes" [Consumer] bytes(0),
        [V0_8_2: MIB] fixed, once ("fetch.message.max.bytes", V0_8_2);
        "How much one partition may return to a fetch (R2.28)."
    SessionTimeoutMs "session.timeout.ms" [Consumer] ms(1),
        [V0_8_2: 6000, V0_11: 10_000, V3_9: 45_000] fixed,
        once ("zookeeper.session.timeout.ms", V0_8_2);
        "After how long without a heartbeat its group goes on without it (R7.9)."
    HeartbeatIntervalMs "heartbeat.interval.ms" [Consumer] ms(1),
        [V0_11: 3000] fixed;
        "How often it tells its group that it lives (R7.9)."
    MaxPollRecords "max.poll.records" [Consumer] count(1),
        [V0_11: 500] inert;
        "How many records one poll returns (R7.2)."
    MaxPollIntervalMs "max.poll.interval.ms" [Consumer] ms(1),
        [V0_11: 300_000] inert;
        "How long it may be busy between two polls (R7.9)."
    IsolationLevel "isolation.level" [Consumer]
        Kind::Choice(&["read_uncommitted", "read_committed"]), [V0_11: 0] inert;
        "Whether it reads up to the high watermark or the last stable offset (R7.1)."
    ConsumerRequestTimeoutMs "request.timeout.ms" [Consumer] ms(0),
        [V0_8_2: 30_000, V0_11: 305_000, V2_8: 30_000] fixed, once ("socket.timeout.ms", V0_8_2);
        "How long a request waits for its answer."
    ConsumerRetryBackoffMs "retry.backoff.ms" [Consumer] long_ms(0),
        [V0_8_2: 200, V0_11: 100] fixed, once ("refresh.leader.backoff.ms", V0_8_2);
        "How long it waits after an error before it asks again."
    ConsumerRetryBackoffMaxMs "retry.backoff.max.ms" [Consumer] long_ms(0),
        [V3_9: 1000] fixed;
        "The most that this wait grows to (R6.7)."
    ConsumerReconnectBackoffMs "reconnect.backoff.ms" [Consumer] long_ms(0),
        [V0_11: 50] fixed;
        "How long it waits before it connects again (R6.6)."
    ConsumerReconnectBackoffMaxMs "reconnect.backoff.max.ms" [Consumer] long_ms(0),
        [V0_11: 1000] fixed;
        "The most that this wait grows to (R6.6)."
    DefaultApiTimeoutMs "default.api.timeout.ms" [Consumer] ms(0),
        [V2_8: 60_000] fixed;
        "How long commitSync goes on trying (R7.4)."
    ConsumerMetadataMaxAgeMs "metadata.max.age.ms" [Consumer] long_ms(0),
        [V0_11: 300_000] fixed;
        "How often it asks again who leads (R7.8)."
}
