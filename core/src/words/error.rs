//! The one table of results (docs/protocol.md, section 10).

/// Who made an error: a broker's answer, or the client itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A response carried the code.
    Broker,
    /// No response did: the client gave up or lost its connection.
    Client,
}

macro_rules! errors {
    ($($(#[doc = $doc:literal])* $variant:ident = $code:literal, $constant:literal, $exception:literal,
        $origin:ident, $retriable:literal;)*) => {
        /// An outcome under Kafka's own name for it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub enum ErrorCode {
            /// Success.
            #[default]
            None,
            $($(#[doc = $doc])* $variant,)* }

        impl ErrorCode {
            /// Every outcome, in the table's order.
            pub const ALL: &[ErrorCode] = &[ErrorCode::None, $(ErrorCode::$variant,)*];

            /// The protocol's number for it; −1 also for what clients make themselves.
            pub const fn code(self) -> i16 {
                match self { ErrorCode::None => 0, $(ErrorCode::$variant => $code,)* }
            }

            /// The constant's name, such as `NOT_ENOUGH_REPLICAS`.
            pub const fn constant(self) -> &'static str {
                match self { ErrorCode::None => "NONE", $(ErrorCode::$variant => $constant,)* }
            }

            /// The Java client's exception, such as `NotEnoughReplicasException`.
            pub const fn exception(self) -> &'static str {
                match self { ErrorCode::None => "", $(ErrorCode::$variant => $exception,)* }
            }

            /// Who made it.
            pub const fn origin(self) -> Origin {
                match self { ErrorCode::None => Origin::Broker, $(ErrorCode::$variant => Origin::$origin,)* }
            }

            /// Whether a producer sends the batch again (R6.8).
            pub const fn retriable(self) -> bool {
                match self { ErrorCode::None => false, $(ErrorCode::$variant => $retriable,)* }
            }
        }
    };
}

errors! {
    /// E1.
    Unknown = -1, "UNKNOWN_SERVER_ERROR", "UnknownServerException", Broker, false;
    /// E2: a fetch above the log end or below its start.
    OffsetOutOfRange = 1, "OFFSET_OUT_OF_RANGE", "OffsetOutOfRangeException", Broker, false;
    /// E3.
    CorruptMessage = 2, "CORRUPT_MESSAGE", "CorruptRecordException", Broker, true;
    /// E4: the broker does not host it (yet).
    UnknownTopicOrPartition = 3, "UNKNOWN_TOPIC_OR_PARTITION", "UnknownTopicOrPartitionException", Broker, true;
    /// E5: metadata names no leader.
    LeaderNotAvailable = 5, "LEADER_NOT_AVAILABLE", "LeaderNotAvailableException", Broker, true;
    /// E6: asked of a broker that does not lead it (R2.6, R2.13).
    NotLeaderOrFollower = 6, "NOT_LEADER_OR_FOLLOWER", "NotLeaderOrFollowerException", Broker, true;
    /// E7: the wait for acks ended; the outcome is unknown (R2.11).
    RequestTimedOut = 7, "REQUEST_TIMED_OUT", "TimeoutException", Broker, true;
    /// E8.
    ReplicaNotAvailable = 9, "REPLICA_NOT_AVAILABLE", "ReplicaNotAvailableException", Broker, true;
    /// E9.
    MessageTooLarge = 10, "MESSAGE_TOO_LARGE", "RecordTooLargeException", Broker, false;
    /// E10.
    StaleControllerEpoch = 11, "STALE_CONTROLLER_EPOCH", "ControllerMovedException", Broker, false;
    /// E10: in 0.8 a state whose leader epoch is not newer than the broker's own (R3.7).
    StaleLeaderEpoch = 13, "STALE_LEADER_EPOCH", "StaleLeaderEpochException", Broker, false;
    /// E11: the connection was lost before an answer came.
    NetworkException = 13, "NETWORK_EXCEPTION", "NetworkException", Client, true;
    /// The group's coordinator is not up.
    CoordinatorNotAvailable = 15, "COORDINATOR_NOT_AVAILABLE", "CoordinatorNotAvailableException", Broker, true;
    /// Asked of a broker that is not the group's coordinator.
    NotCoordinator = 16, "NOT_COORDINATOR", "NotCoordinatorException", Broker, true;
    /// E9: a batch larger than a segment (R1.3).
    RecordListTooLarge = 18, "RECORD_LIST_TOO_LARGE", "RecordBatchTooLargeException", Broker, false;
    /// E12: refused before the append (R2.7).
    NotEnoughReplicas = 19, "NOT_ENOUGH_REPLICAS", "NotEnoughReplicasException", Broker, true;
    /// E13: appended, and the ISR is too small at the check (R2.10).
    NotEnoughReplicasAfterAppend = 20, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "NotEnoughReplicasAfterAppendException", Broker, true;
    /// E14.
    InvalidRequiredAcks = 21, "INVALID_REQUIRED_ACKS", "InvalidRequiredAcksException", Broker, false;
    /// E15.
    TopicAlreadyExists = 36, "TOPIC_ALREADY_EXISTS", "TopicExistsException", Broker, false;
    /// E15.
    InvalidPartitions = 37, "INVALID_PARTITIONS", "InvalidPartitionsException", Broker, false;
    /// E15.
    InvalidReplicationFactor = 38, "INVALID_REPLICATION_FACTOR", "InvalidReplicationFactorException", Broker, false;
    /// E15.
    InvalidReplicaAssignment = 39, "INVALID_REPLICA_ASSIGNMENT", "InvalidReplicaAssignmentException", Broker, false;
    /// A setting's value is refused.
    InvalidConfig = 40, "INVALID_CONFIG", "InvalidConfigurationException", Broker, false;
    /// E16.
    NotController = 41, "NOT_CONTROLLER", "NotControllerException", Broker, true;
    /// A malformed request.
    InvalidRequest = 42, "INVALID_REQUEST", "InvalidRequestException", Broker, false;
    /// E17: a gap in a producer's sequence (R6.16).
    OutOfOrderSequenceNumber = 45, "OUT_OF_ORDER_SEQUENCE_NUMBER", "OutOfOrderSequenceException", Broker, true;
    /// E17.
    DuplicateSequenceNumber = 46, "DUPLICATE_SEQUENCE_NUMBER", "DuplicateSequenceException", Broker, false;
    /// A producer writes outside a transaction that it has open.
    InvalidTxnState = 48, "INVALID_TXN_STATE", "InvalidTxnStateException", Broker, false;
    /// A transaction coordinator that another has replaced.
    TransactionCoordinatorFenced = 52, "TRANSACTION_COORDINATOR_FENCED", "TransactionCoordinatorFencedException", Broker, false;
    /// E17.
    InvalidProducerEpoch = 47, "INVALID_PRODUCER_EPOCH", "InvalidProducerEpochException", Broker, false;
    /// E18.
    KafkaStorageError = 56, "KAFKA_STORAGE_ERROR", "KafkaStorageException", Broker, true;
    /// E17.
    UnknownProducerId = 59, "UNKNOWN_PRODUCER_ID", "UnknownProducerIdException", Broker, true;
    /// E19: the request's leader epoch is older than the broker's.
    FencedLeaderEpoch = 74, "FENCED_LEADER_EPOCH", "FencedLeaderEpochException", Broker, true;
    /// E19: the request's leader epoch is newer than the broker's.
    UnknownLeaderEpoch = 75, "UNKNOWN_LEADER_EPOCH", "UnknownLeaderEpochException", Broker, true;
    /// E20.
    StaleBrokerEpoch = 77, "STALE_BROKER_EPOCH", "StaleBrokerEpochException", Broker, false;
    /// E21.
    OffsetNotAvailable = 78, "OFFSET_NOT_AVAILABLE", "OffsetNotAvailableException", Broker, true;
    /// E22.
    PreferredLeaderNotAvailable = 80, "PREFERRED_LEADER_NOT_AVAILABLE", "PreferredLeaderNotAvailableException", Broker, true;
    /// E22.
    EligibleLeadersNotAvailable = 83, "ELIGIBLE_LEADERS_NOT_AVAILABLE", "EligibleLeadersNotAvailableException", Broker, true;
    /// E22.
    ElectionNotNeeded = 84, "ELECTION_NOT_NEEDED", "ElectionNotNeededException", Broker, true;
    /// E23.
    NoReassignmentInProgress = 85, "NO_REASSIGNMENT_IN_PROGRESS", "NoReassignmentInProgressException", Broker, false;
    /// The answer before 4.1 where later releases say `INELIGIBLE_REPLICA` (R2.24).
    OperationNotAttempted = 55, "OPERATION_NOT_ATTEMPTED", "OperationNotAttemptedException", Broker, true;
    /// E24.
    InvalidUpdateVersion = 95, "INVALID_UPDATE_VERSION", "InvalidUpdateVersionException", Broker, true;
    /// E25.
    DuplicateBrokerRegistration = 101, "DUPLICATE_BROKER_REGISTRATION", "DuplicateBrokerRegistrationException", Broker, true;
    /// The controller does not know that broker.
    BrokerIdNotRegistered = 102, "BROKER_ID_NOT_REGISTERED", "BrokerIdNotRegisteredException", Broker, false;
    /// E26.
    IneligibleReplica = 107, "INELIGIBLE_REPLICA", "IneligibleReplicaException", Broker, false;
    /// E26.
    NewLeaderElected = 108, "NEW_LEADER_ELECTED", "NewLeaderElectedException", Broker, false;
    /// The admin tool refuses by itself: some brokers have a rack and some have not (R5.33), or, in
    /// 0.8, whatever else is wrong (R5.35).
    AdminOperation = -1, "ADMIN_OPERATION", "AdminOperationException", Client, false;
    /// The client gave up: `delivery.timeout.ms` or `max.block.ms` (R6.7, R6.9).
    Timeout = -1, "TIMEOUT", "TimeoutException", Client, false;
    /// A record is larger than `max.request.size` or `buffer.memory` (R6.8).
    RecordTooLarge = -1, "RECORD_TOO_LARGE", "RecordTooLargeException", Client, false;
    /// The consumer's position is beyond what the new leader has (R7.7).
    LogTruncation = -1, "LOG_TRUNCATION", "LogTruncationException", Client, false;
    /// No committed offset, and `auto.offset.reset=none` (R7.5).
    NoOffsetForPartition = -1, "NO_OFFSET_FOR_PARTITION", "NoOffsetForPartitionException", Client, false;
    /// The Scala producer's queue is full (R6.1).
    QueueFull = -1, "QUEUE_FULL", "QueueFullException", Client, false;
    /// The Scala producer gave up (R6.3).
    FailedToSendMessage = -1, "FAILED_TO_SEND_MESSAGE", "FailedToSendMessageException", Client, false;
    /// A member belongs to an earlier generation of its group (R7.11).
    IllegalGeneration = 22, "ILLEGAL_GENERATION", "IllegalGenerationException", Broker, false;
    /// The group has no such member, or none any more (R7.9).
    UnknownMemberId = 25, "UNKNOWN_MEMBER_ID", "UnknownMemberIdException", Broker, false;
    /// The group's members are joining anew (R7.11).
    RebalanceInProgress = 27, "REBALANCE_IN_PROGRESS", "RebalanceInProgressException", Broker, false;
}
