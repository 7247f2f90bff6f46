macro_rules! kinds {
    ($($request:ident = $name:literal, $response:ident = $response_name:literal;)*) => {
        /// The kind of a message between two nodes: a request, or the response to one.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "named and described as in `wire::Body`")]
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
    };
}

kinds! {
    Produce = "produce", ProduceResponse = "produce-response";
    Fetch = "fetch", FetchResponse = "fetch-response";
    ListOffsets = "list-offsets", ListOffsetsResponse = "list-offsets-response";
    OffsetsForLeaderEpoch = "offsets-for-leader-epoch", OffsetsForLeaderEpochResponse = "offsets-for-leader-epoch-response";
    ApiVersions = "api-versions", ApiVersionsResponse = "api-versions-response";
    Metadata = "metadata", MetadataResponse = "metadata-response";
    InitProducerId = "init-producer-id", InitProducerIdResponse = "init-producer-id-response";
    FindCoordinator = "find-coordinator", FindCoordinatorResponse = "find-coordinator-response";
    OffsetCommit = "offset-commit", OffsetCommitResponse = "offset-commit-response";
    OffsetFetch = "offset-fetch", OffsetFetchResponse = "offset-fetch-response";
    BrokerRegistration = "broker-registration", BrokerRegistrationResponse = "broker-registration-response";
    BrokerHeartbeat = "broker-heartbeat", BrokerHeartbeatResponse = "broker-heartbeat-response";
    AlterPartition = "alter-partition", AlterPartitionResponse = "alter-partition-response";
    MetadataFetch = "metadata-fetch", MetadataFetchResponse = "metadata-fetch-response";
    AssignReplicasToDirs = "assign-replicas-to-dirs", AssignReplicasToDirsResponse = "assign-replicas-to-dirs-response";
    ControllerElection = "controller-election", ControllerElectionResponse = "controller-election-response";
    SetData = "set-data", SetDataResponse = "set-data-response";
    IsrChangeNotification = "isr-change-notification", IsrChangeNotificationResponse = "isr-change-notification-response";
    LeaderAndIsr = "leader-and-isr", LeaderAndIsrResponse = "leader-and-isr-response";
    UpdateMetadata = "update-metadata", UpdateMetadataResponse = "update-metadata-response";
    StopReplica = "stop-replica", StopReplicaResponse = "stop-replica-response";
    ControlledShutdown = "controlled-shutdown", ControlledShutdownResponse = "controlled-shutdown-response";
    CreateTopics = "create-topics", CreateTopicsResponse = "create-topics-response";
    AlterConfigs = "alter-configs", AlterConfigsResponse = "alter-configs-response";
    ElectLeaders = "elect-leaders", ElectLeadersResponse = "elect-leaders-response";
    AlterPartitionReassignments = "alter-partition-reassignments", AlterPartitionReassignmentsResponse = "alter-partition-reassignments-response";
    JoinGroup = "join-group", JoinGroupResponse = "join-group-response";
    SyncGroup = "sync-group", SyncGroupResponse = "sync-group-response";
    Heartbeat = "heartbeat", HeartbeatResponse = "heartbeat-response";
    LeaveGroup = "leave-group", LeaveGroupResponse = "leave-group-response";
}
