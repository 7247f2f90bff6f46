//! What differs between releases, as named switches (docs/protocol.md, section 0.3).
//!
//! Protocol code asks for a switch and never for a release, so that one rule can be set against its
//! release (`rules truncation=kip-279` in a scenario), and so that a test can take one away. The
//! table below is the only place that says which release goes by which rule.

use super::Release;

/// The value of a switch: one of a few words.
pub trait SwitchValue: Copy + PartialEq + Sized + 'static {
    /// The words, in the order of their indexes.
    const NAMES: &'static [&'static str];

    /// Its place in [`SwitchValue::NAMES`].
    fn index(self) -> usize;

    /// The value at that place.
    fn at(index: usize) -> Option<Self>;
}

impl SwitchValue for bool {
    const NAMES: &'static [&'static str] = &["off", "on"];

    fn index(self) -> usize {
        usize::from(self)
    }

    fn at(index: usize) -> Option<bool> {
        [false, true].get(index).copied()
    }
}

/// A switch: one row of the table.
#[derive(Debug)]
pub struct SwitchSpec {
    /// Its name in scenarios.
    pub name: &'static str,
    /// The words that it takes.
    pub values: &'static [&'static str],
    /// The rule that it is about, such as `R2.15`.
    pub rule: &'static str,
}

macro_rules! switches {
    (
        enums { $($(#[$enum_doc:meta])* $enum:ident {
            $($(#[$value_doc:meta])* $value:ident $word:literal,)+
        })+ }
        table { $(
            $(#[$doc:meta])* $field:ident $name:literal $rule:literal: $type:ty =
                [$v0:expr, $v1:expr, $v2:expr, $v3:expr, $v4:expr, $v5:expr];
        )+ }
    ) => {
        $(
            $(#[$enum_doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
            pub enum $enum { $($(#[$value_doc])* $value,)+ }

            impl SwitchValue for $enum {
                const NAMES: &'static [&'static str] = &[$($word,)+];

                fn index(self) -> usize {
                    self as usize
                }

                fn at(index: usize) -> Option<$enum> {
                    [$($enum::$value,)+].get(index).copied()
                }
            }
        )+

        /// The rules that a run goes by, a switch each.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Rules { $($(#[$doc])* pub $field: $type,)+ }

        /// Every switch, in the order of the table.
        pub const SWITCHES: &[SwitchSpec] = &[$(
            SwitchSpec { name: $name, values: <$type as SwitchValue>::NAMES, rule: $rule },
        )+];

        impl Rules {
            /// The rules of `release`; `elr` is the feature's level there (R5.24).
            pub fn of(release: Release, elr: bool) -> Rules {
                let column = release.index();
                let rules = Rules {
                    $($field: [$v0, $v1, $v2, $v3, $v4, $v5][column],)+
                };
                Rules { elr: rules.elr && elr, ..rules }
            }

            /// Sets the `switch`-th switch to its `value`-th word. False: there is no such.
            pub fn set(&mut self, switch: usize, value: usize) -> bool {
                let fields: &mut [&mut dyn FnMut(usize) -> bool] = &mut [$(
                    &mut |v| {
                        let value = <$type as SwitchValue>::at(v);
                        value.map(|v| self.$field = v).is_some()
                    },
                )+];
                fields.get_mut(switch).is_some_and(|set| set(value))
            }

            /// The index of the `switch`-th switch's word.
            pub fn get(&self, switch: usize) -> Option<usize> {
                [$(SwitchValue::index(self.$field),)+].get(switch).copied()
            }
        }
    };
}

switches! {
    enums {
        /// See [`Rules::coordination`].
        Coordination {
            /// One broker is the controller; ZooKeeper keeps the state and the sessions.
            ZooKeeper "zookeeper",
            /// A controller of its own keeps a log of metadata records.
            KRaft "kraft",
        }
        /// See [`Rules::session_look`].
        SessionLook {
            /// A timer armed for the earliest expiry; the next look follows at once.
            AtExpiry "at-expiry",
            /// Every eighth of the session; after a fencing the next look follows after 10 ms.
            Periodic "periodic",
        }
        /// See [`Rules::registration`].
        Registration {
            /// ISR and leader stay as they are.
            KeepsIsr "keeps-isr",
            /// Like fencing; after an unclean stop it leaves ISR and ELR, if those are kept.
            LeavesIsr "leaves-isr",
        }
        /// See [`Rules::duplicate_registration`].
        DuplicateRegistration {
            /// Only a broker that is not fenced.
            Unfenced "unfenced",
            /// Every broker that was heard of within the session, also after a clean stop.
            HeardOf "heard-of",
        }
        /// See [`Rules::controller_failover`].
        ControllerFailover {
            /// It elects for partitions whose leader is dead, and writes nothing where nobody can.
            Elects "elects",
            /// It first takes dead brokers out of the ISRs, then elects.
            ShrinksFirst "shrinks-first",
        }
        /// See [`Rules::controller_tasks`].
        ControllerTasks {
            /// An interval after there is something to do.
            Armed "armed",
            /// Strictly periodic from the controller's activation.
            Periodic "periodic",
        }
        /// See [`Rules::unclean_switch`].
        UncleanSwitch {
            /// Nothing happens before an election is held for another reason.
            Waits "waits",
            /// Leaderless partitions get a leader at once.
            AtOnce "at-once",
            /// The controller's periodic task finds leaderless partitions.
            Periodic "periodic",
        }
        /// See [`Rules::last_isr_member`].
        LastIsrMember {
            /// It stays in the ISR unless unclean election is enabled.
            KeptIfClean "kept-if-clean",
            /// It stays in the ISR, unless it moves to the ELR.
            Kept "kept",
        }
        /// See [`Rules::last_known_leader`].
        LastKnownLeader {
            /// Whether it is up or not (4.0).
            Any "any",
            /// If it may lead.
            Acceptable "acceptable",
            /// It is not kept: instead the last known ELR lists everyone who left the ELR by an
            /// unclean stop (KIP-966's text).
            Unused "unused",
        }
        /// See [`Rules::stale_state`].
        StaleState {
            /// `STALE_LEADER_EPOCH`.
            LeaderEpoch "leader-epoch",
            /// `STALE_CONTROLLER_EPOCH`.
            ControllerEpoch "controller-epoch",
        }
        /// See [`Rules::shutdown_handover`].
        ShutdownHandover {
            /// The first other member in the order of the ISR's list.
            IsrOrder "isr-order",
            /// The first other member in the order of assignment.
            ReplicaOrder "replica-order",
        }
        /// See [`Rules::shutdown_steps`].
        ShutdownSteps {
            /// Partition by partition: its leadership moves, or its replica stops and leaves the ISR.
            ByPartition "by-partition",
            /// First all leaderships move, then all followers stop, then they leave the ISRs.
            ByKind "by-kind",
        }
        /// See [`Rules::offline_partitions`].
        OfflinePartitions {
            /// Those that a broker led which has just died.
            OfTheDead "of-the-dead",
            /// Every partition whose leader is not online, or that has none.
            AllLeaderless "all-leaderless",
        }
        /// See [`Rules::dropped_order`].
        DroppedOrder {
            /// In the order of the list.
            List "list",
            /// In the order of Scala 2.13's immutable hash map of broker ids.
            Hashed "hash-map",
        }
        /// See [`Rules::stop_replica`].
        StopReplicaCheck {
            /// It is always obeyed.
            Obeyed "obeyed",
            /// Only if its leader epoch is newer than the replica's (KIP-570).
            NewerEpoch "newer-epoch",
        }
        /// See [`Rules::resumed_moves`].
        ResumedMoves {
            /// They are submitted again: one with a dead target is forgotten where it stands.
            Submitted "submitted",
            /// They begin again, under a new leader epoch unless they are complete.
            Restarted "restarted",
        }
        /// See [`Rules::stopped_leader`].
        StoppedLeader {
            /// Waiting requests end when their time is over.
            LeavesWaiting "leaves-waiting",
            /// They are answered at once.
            Answers "answers",
        }
        /// See [`Rules::diverging_hw`].
        DivergingHw {
            /// It is taken over, up to the log's end, before the log is cut (until 3.2.4,
            /// 3.3.3 and 3.4.1).
            Taken "taken",
            /// It is left alone.
            Left "left",
        }
        /// See [`Rules::placement`].
        Placement {
            /// Round robin over the sorted brokers; added partitions start at an id.
            RoundRobin "round-robin",
            /// Round robin over brokers in the order of alternating racks.
            RackAware "rack-aware",
            /// The striped placer.
            Striped "striped",
        }
        /// See [`Rules::reassignment_start`].
        ReassignmentStart {
            /// A dead target replica makes the request void.
            Dropped "dropped",
            /// It is waited for.
            Waits "waits",
            /// A dead replica that is to be added is an error; others are waited for.
            RefusesDead "refuses-dead",
        }
        /// See [`Rules::reassignment`].
        ReassignmentCompletion {
            /// Every target replica is in the ISR.
            WholeTarget "whole-target",
            /// Every added replica is in the ISR; all of the target only where the partition
            /// shrinks.
            Added "added",
        }
        /// See [`Rules::directory_report`].
        DirectoryReport {
            /// Directories have no ids.
            None "none",
            /// The request to unfence leaves first.
            AfterUnfence "after-unfence",
            /// The report leaves first.
            BeforeUnfence "before-unfence",
        }
        /// See [`Rules::skipped_follower`].
        SkippedFollower {
            /// The broker has no replica: the HW file loses its entry (before 0.8.2).
            NoReplica "no-replica",
            /// The broker has the replica, and keeps its HW.
            Replica "replica",
        }
        /// See [`Rules::isr_lag`].
        IsrLag {
            /// Time since the last fetch, or too many messages behind.
            FetchOrMessages "fetch-or-messages",
            /// Time since the follower was last caught up.
            CaughtUp "caught-up",
            /// The same, and its log does not end where the leader's does.
            BehindAndCaughtUp "behind-and-caught-up",
        }
        /// See [`Rules::follower_clock`].
        FollowerClock {
            /// When it last fetched, whatever came of it; an error makes its log end unknown.
            Fetch "fetch",
            /// When it last had everything; a fetch that failed changes nothing.
            CaughtUp "caught-up",
        }
        /// See [`Rules::isr_check`].
        IsrCheck {
            /// Every `replica.lag.time.max.ms`.
            EveryLagTime "every-lag-time",
            /// Every half of it.
            EveryHalf "every-half",
        }
        /// See [`Rules::fetch_clock`].
        FetchClock {
            /// Every follower's.
            Everyone "everyone",
            /// Those of the ISR; the others' stand at zero.
            IsrMembers "isr-members",
        }
        /// See [`Rules::isr_store`].
        IsrStore {
            /// The leader writes it to ZooKeeper, if the version is the one that it knows.
            ZooKeeper "zookeeper",
            /// A request to the controller that ZooKeeper keeps in office.
            AlterIsr "alter-isr",
            /// A request to the controller of KRaft.
            AlterPartition "alter-partition",
        }
        /// See [`Rules::fetcher_shutdown`].
        FetcherShutdown {
            /// Until its fetch is answered or timed out.
            Awaits "awaits",
            /// The connection is closed.
            Closes "closes",
        }
        /// See [`Rules::isr_join`].
        IsrJoin {
            /// The follower's log reaches the HW.
            HighWatermark "high-watermark",
            /// And the beginning of the leader's epoch.
            EpochStart "epoch-start",
            /// And its broker is up, and the one that fetched.
            Eligible "eligible",
        }
        /// See [`Rules::hw_set`].
        HwSet {
            /// The ISR.
            Isr "isr",
            /// The maximal ISR and all that are caught up.
            CaughtUp "caught-up",
            /// The maximal ISR and all that are caught up and could join.
            Eligible "eligible",
        }
        /// See [`Rules::min_isr`].
        MinIsr {
            /// A topic's own value; a broker's does not count.
            TopicOnly "topic-only",
            /// As it is set.
            Raw "raw",
            /// No more than there are replicas.
            Capped "capped",
        }
        /// See [`Rules::acks`].
        Acks {
            /// Any number: n replicas of the ISR have the record.
            AnyNumber "any-number",
            /// −1, 0 and 1; others are an error.
            Three "three",
        }
        /// See [`Rules::deposed_leader`].
        DeposedLeader {
            /// Waiting requests end at the next test, or time out.
            LeavesWaiting "leaves-waiting",
            /// They are answered at once.
            Answers "answers",
        }
        /// See [`Rules::above_hw`].
        AboveHw {
            /// An unknown server error.
            Error "error",
            /// Nothing, without error.
            Empty "empty",
        }
        /// See [`Rules::epoch_entries`].
        EpochEntries {
            /// Logs know no epochs.
            None "none",
            /// With the first append of the epoch.
            FirstAppend "first-append",
            /// When the leader starts.
            LeaderStart "leader-start",
        }
        /// See [`Rules::message_format`].
        MessageFormat {
            /// Message sets: each message is checked alone, and carries no epoch.
            MessageSet "message-set",
            /// Record batches, stamped with the leader epoch (KIP-98).
            RecordBatch "record-batch",
        }
        /// See [`Rules::epoch_before_first`].
        EpochBeforeFirst {
            /// Undefined (until 2.0.0).
            Undefined "undefined",
            /// Where the first known epoch begins.
            FirstStart "first-start",
        }
        /// See [`Rules::epoch_assignment`].
        EpochAssignment {
            /// One that does not grow in both fields is ignored.
            Ignores "ignores",
            /// Entries that it contradicts go.
            Replaces "replaces",
        }
        /// See [`Rules::truncation`].
        Truncation {
            /// To the follower's own HW.
            HighWatermark "high-watermark",
            /// To the leader's end of the follower's newest epoch (0.11–1.x).
            Kip101 "kip-101",
            /// The same, until both agree on the epoch (2.0–2.7).
            Kip279 "kip-279",
            /// To where a fetch is said to diverge.
            Fetch "fetch",
        }
        /// See [`Rules::follower_restart`].
        FollowerRestart {
            /// Another leader.
            NewLeader "new-leader",
            /// Another leader epoch.
            NewEpoch "new-epoch",
        }
        /// See [`Rules::follower_ahead`].
        FollowerAhead {
            /// The broker halts if unclean election is disabled.
            Halts "halts",
            /// The log is cut to the leader's end.
            Truncates "truncates",
        }
        /// See [`Rules::out_of_range_restart`].
        OutOfRangeRestart {
            /// The log is wiped and copied anew.
            Wipes "wipes",
            /// Only if the leader's begins behind its end.
            Continues "continues",
        }
        /// See [`Rules::late_epoch_batches`].
        LateEpochBatches {
            /// Appended like any other.
            Appended "appended",
            /// Dropped, with all that follows in the response.
            Dropped "dropped",
        }
        /// See [`Rules::clean_mark`].
        CleanMarkRemoval {
            /// After the logs are loaded.
            AfterLoad "after-load",
            /// Before: a crash while loading is an unclean stop.
            BeforeLoad "before-load",
        }
        /// See [`Rules::oversize_batch`].
        OversizeBatch {
            /// It failed for good.
            Fails "fails",
            /// In pieces of `batch.size`, again and again until its time is over (KIP-126).
            ToBatchSize "to-batch-size",
            /// In pieces of `batch.size`, then in halves (KAFKA-8350).
            Halves "halves",
        }
        /// See [`Rules::remembered_batches`].
        RememberedBatches {
            /// None: the format has no producer ids.
            None "none",
            /// The last one; a repeat is an error that the client takes for success.
            Last "last",
            /// The last five.
            Five "five",
        }
        /// See [`Rules::unknown_producer`].
        UnknownProducer {
            /// `OUT_OF_ORDER_SEQUENCE_NUMBER` unless the sequence begins at 0.
            OutOfOrder "out-of-order",
            /// `UNKNOWN_PRODUCER_ID` unless the sequence begins at 0 (1.0–2.4).
            UnknownId "unknown-id",
            /// Any sequence is accepted.
            Accepted "accepted",
        }
        /// See [`Rules::below_start`].
        BelowStart {
            /// Forgotten (up to 2.3).
            Forgets "forgets",
            /// Kept until they expire.
            Keeps "keeps",
        }
        /// See [`Rules::retry_backoff`].
        RetryBackoff {
            /// The same each time.
            Fixed "fixed",
            /// Doubled each time, up to `retry.backoff.max.ms`.
            Exponential "exponential",
        }
        /// See [`Rules::not_a_replica`].
        NotAReplica {
            /// `UNKNOWN_TOPIC_OR_PARTITION`.
            Unknown "unknown",
            /// `NOT_LEADER_OR_FOLLOWER`, where its metadata knows the partition.
            NotLeader "not-leader",
        }
        /// See [`Rules::request_timeout`].
        RequestTimeout {
            /// The client waits for as long as the connection lasts.
            None "none",
            /// The connection is dropped: `NETWORK_EXCEPTION` for all that was under way on it.
            Disconnects "disconnects",
            /// The same, told as `REQUEST_TIMED_OUT`.
            TimesOut "times-out",
        }
        /// See [`Rules::batch_expiry`].
        BatchExpiry {
            /// It waits for as long as it takes.
            None "none",
            /// `request.timeout.ms` after it was last worked on, unless it is under way.
            RequestTimeout "request-timeout",
            /// `delivery.timeout.ms` after it was begun, under way or not.
            DeliveryTimeout "delivery-timeout",
        }
        /// See [`Rules::offset_storage`].
        OffsetStorage {
            /// ZooKeeper.
            ZooKeeper "zookeeper",
            /// The offsets topic.
            Topic "topic",
        }
    }
    table {
        /// Who keeps the truth about partitions and brokers (section 5).
        coordination "coordination" "R5.1": Coordination =
            [Coordination::ZooKeeper, Coordination::ZooKeeper, Coordination::ZooKeeper,
             Coordination::KRaft, Coordination::KRaft, Coordination::KRaft];
        /// When the controller notices that a session ran out (R5.3).
        session_look "session-look" "R5.3": SessionLook =
            [SessionLook::AtExpiry, SessionLook::AtExpiry, SessionLook::AtExpiry,
             SessionLook::AtExpiry, SessionLook::Periodic, SessionLook::Periodic];
        /// What a new incarnation's registration does to the ISR (R5.29).
        registration "registration" "R5.29": Registration =
            [Registration::KeepsIsr, Registration::KeepsIsr, Registration::KeepsIsr,
             Registration::KeepsIsr, Registration::LeavesIsr, Registration::LeavesIsr];
        /// Whose earlier session keeps a new process from registering (R5.5).
        duplicate_registration "duplicate-registration" "R5.5": DuplicateRegistration =
            [DuplicateRegistration::Unfenced, DuplicateRegistration::Unfenced,
             DuplicateRegistration::Unfenced, DuplicateRegistration::Unfenced,
             DuplicateRegistration::HeardOf, DuplicateRegistration::HeardOf];
        /// What a new controller does about brokers that died before it (R5.2).
        controller_failover "controller-failover" "R5.2": ControllerFailover =
            [ControllerFailover::Elects, ControllerFailover::Elects,
             ControllerFailover::ShrinksFirst, ControllerFailover::ShrinksFirst,
             ControllerFailover::ShrinksFirst, ControllerFailover::ShrinksFirst];
        /// When leaderless partitions and imbalances are looked after (R5.21, R5.31).
        controller_tasks "controller-tasks" "R5.31": ControllerTasks =
            [ControllerTasks::Periodic, ControllerTasks::Periodic, ControllerTasks::Periodic,
             ControllerTasks::Armed, ControllerTasks::Periodic, ControllerTasks::Periodic];
        /// What enabling unclean election does for a leaderless partition (R5.11, R5.21).
        unclean_switch "unclean-switch" "R5.21": UncleanSwitch =
            [UncleanSwitch::Waits, UncleanSwitch::Waits, UncleanSwitch::AtOnce,
             UncleanSwitch::Periodic, UncleanSwitch::Periodic, UncleanSwitch::Periodic];
        /// Whether eligible leader replicas are kept (R5.22, R5.24).
        elr "elr" "R5.22": bool = [false, false, false, false, true, true];
        /// Whether the last ISR member stays in the ISR when it dies (R5.12, R5.28).
        last_isr_member "last-isr-member" "R5.12": LastIsrMember =
            [LastIsrMember::KeptIfClean, LastIsrMember::KeptIfClean, LastIsrMember::Kept,
             LastIsrMember::Kept, LastIsrMember::Kept, LastIsrMember::Kept];
        /// Whether the last known leader must be up to be elected (R5.26).
        last_known_leader "last-known-leader" "R5.26": LastKnownLeader =
            [LastKnownLeader::Acceptable, LastKnownLeader::Acceptable, LastKnownLeader::Acceptable,
             LastKnownLeader::Acceptable, LastKnownLeader::Acceptable, LastKnownLeader::Acceptable];
        /// Whether a leader that was elected uncleanly recovers before its ISR may grow (R4.8).
        leader_recovery "leader-recovery" "R4.8": bool = [false, false, false, true, true, true];
        /// Whether the leader epoch grows when the controller takes a follower out of the ISR
        /// (R4.1).
        shrink_bumps_epoch "shrink-bumps-epoch" "R4.1": bool =
            [true, true, true, false, false, false];
        /// What a broker answers to a state whose leader epoch is not newer than its own (R3.7).
        stale_state "stale-state" "R3.7": StaleState =
            [StaleState::LeaderEpoch, StaleState::ControllerEpoch, StaleState::ControllerEpoch,
             StaleState::ControllerEpoch, StaleState::ControllerEpoch, StaleState::ControllerEpoch];
        /// To whom a leader that stops cleanly hands over (R5.13).
        shutdown_handover "shutdown-handover" "R5.13": ShutdownHandover =
            [ShutdownHandover::IsrOrder, ShutdownHandover::ReplicaOrder,
             ShutdownHandover::ReplicaOrder, ShutdownHandover::ReplicaOrder,
             ShutdownHandover::ReplicaOrder, ShutdownHandover::ReplicaOrder];
        /// In which steps a controller carries out a controlled shutdown (R5.13).
        shutdown_steps "shutdown-steps" "R5.13": ShutdownSteps =
            [ShutdownSteps::ByPartition, ShutdownSteps::ByPartition, ShutdownSteps::ByKind,
             ShutdownSteps::ByKind, ShutdownSteps::ByKind, ShutdownSteps::ByKind];
        /// Which partitions count as offline when a broker dies, so that a leader is elected (R5.11).
        offline_partitions "offline-partitions" "R5.11": OfflinePartitions =
            [OfflinePartitions::OfTheDead, OfflinePartitions::OfTheDead,
             OfflinePartitions::AllLeaderless, OfflinePartitions::AllLeaderless,
             OfflinePartitions::AllLeaderless, OfflinePartitions::AllLeaderless];
        /// In which order replicas leave the ISR that leave it together (R5.12, R5.36).
        dropped_order "dropped-order" "R5.12": DroppedOrder =
            [DroppedOrder::List, DroppedOrder::List, DroppedOrder::Hashed,
             DroppedOrder::Hashed, DroppedOrder::Hashed, DroppedOrder::Hashed];
        /// When a broker obeys StopReplica (R5.36).
        stop_replica "stop-replica" "R5.36": StopReplicaCheck =
            [StopReplicaCheck::Obeyed, StopReplicaCheck::Obeyed, StopReplicaCheck::NewerEpoch,
             StopReplicaCheck::NewerEpoch, StopReplicaCheck::NewerEpoch,
             StopReplicaCheck::NewerEpoch];
        /// What a new controller does with moves that are under way (R5.36).
        resumed_moves "resumed-moves" "R5.36": ResumedMoves =
            [ResumedMoves::Submitted, ResumedMoves::Restarted, ResumedMoves::Restarted,
             ResumedMoves::Restarted, ResumedMoves::Restarted, ResumedMoves::Restarted];
        /// What becomes of requests that wait at a leader whose replica is deleted (R5.36,
        /// KAFKA-9198).
        stopped_leader "stopped-leader" "R5.36": StoppedLeader =
            [StoppedLeader::LeavesWaiting, StoppedLeader::LeavesWaiting, StoppedLeader::Answers,
             StoppedLeader::Answers, StoppedLeader::Answers, StoppedLeader::Answers];
        /// What a follower does with the HW of an answer that says where its log diverges (R3.14).
        diverging_hw "diverging-hw" "R3.14": DivergingHw =
            [DivergingHw::Left, DivergingHw::Left, DivergingHw::Taken,
             DivergingHw::Left, DivergingHw::Left, DivergingHw::Left];
        /// Where new replicas are placed (R5.32–R5.34).
        placement "placement" "R5.32": Placement =
            [Placement::RoundRobin, Placement::RackAware, Placement::RackAware,
             Placement::Striped, Placement::Striped, Placement::Striped];
        /// What a dead target replica means to a reassignment (R5.36, R5.37).
        reassignment_start "reassignment-start" "R5.36": ReassignmentStart =
            [ReassignmentStart::Dropped, ReassignmentStart::Waits, ReassignmentStart::RefusesDead,
             ReassignmentStart::Waits, ReassignmentStart::Waits, ReassignmentStart::Waits];
        /// When a reassignment is complete (R5.37).
        reassignment "reassignment" "R5.37": ReassignmentCompletion =
            [ReassignmentCompletion::WholeTarget, ReassignmentCompletion::WholeTarget,
             ReassignmentCompletion::WholeTarget, ReassignmentCompletion::WholeTarget,
             ReassignmentCompletion::WholeTarget, ReassignmentCompletion::Added];
        /// Whether a new disk is reported before or after the request to unfence (R5.39).
        directory_report "directory-report" "R5.39": DirectoryReport =
            [DirectoryReport::None, DirectoryReport::None, DirectoryReport::None,
             DirectoryReport::AfterUnfence, DirectoryReport::AfterUnfence,
             DirectoryReport::BeforeUnfence];
        /// What a broker has of a partition whose leader was down when it started (R3.8).
        skipped_follower "skipped-follower" "R3.8": SkippedFollower =
            [SkippedFollower::Replica, SkippedFollower::Replica, SkippedFollower::Replica,
             SkippedFollower::Replica, SkippedFollower::Replica, SkippedFollower::Replica];
        /// Who is out of sync (R2.15).
        isr_lag "isr-lag" "R2.15": IsrLag =
            [IsrLag::FetchOrMessages, IsrLag::CaughtUp, IsrLag::BehindAndCaughtUp,
             IsrLag::BehindAndCaughtUp, IsrLag::BehindAndCaughtUp, IsrLag::BehindAndCaughtUp];
        /// Which clock a leader keeps of each follower (R2.1, R2.4, R2.5).
        follower_clock "follower-clock" "R2.1": FollowerClock =
            [FollowerClock::Fetch, FollowerClock::CaughtUp, FollowerClock::CaughtUp,
             FollowerClock::CaughtUp, FollowerClock::CaughtUp, FollowerClock::CaughtUp];
        /// How often a leader looks for replicas that are (R2.14).
        isr_check "isr-check" "R2.14": IsrCheck =
            [IsrCheck::EveryLagTime, IsrCheck::EveryHalf, IsrCheck::EveryHalf,
             IsrCheck::EveryHalf, IsrCheck::EveryHalf, IsrCheck::EveryHalf];
        /// Whose last fetch counts as just made where the same leader begins another epoch (R2.5).
        fetch_clock "fetch-clock" "R2.5": FetchClock =
            [FetchClock::Everyone, FetchClock::Everyone, FetchClock::Everyone,
             FetchClock::IsrMembers, FetchClock::IsrMembers, FetchClock::IsrMembers];
        /// How a leader's ISR change is stored (R2.22–R2.24).
        isr_store "isr-store" "R2.22": IsrStore =
            [IsrStore::ZooKeeper, IsrStore::ZooKeeper, IsrStore::AlterIsr,
             IsrStore::AlterPartition, IsrStore::AlterPartition, IsrStore::AlterPartition];
        /// Whether the answer to a leader's ISR change is a look at the HW (R2.20).
        isr_answer_moves_hw "isr-answer-moves-hw" "R2.20": bool =
            [true, true, false, true, true, true];
        /// How long a broker that has nothing to fetch from a leader any more waits before it answers
        /// the controller (R3.9).
        fetcher_shutdown "fetcher-shutdown" "R3.9": FetcherShutdown =
            [FetcherShutdown::Awaits, FetcherShutdown::Awaits, FetcherShutdown::Closes,
             FetcherShutdown::Closes, FetcherShutdown::Closes, FetcherShutdown::Closes];
        /// Whether the controller is told of an ISR that a leader wrote (R2.22, KAFKA-1367). From 2.8
        /// on it writes ISRs itself.
        isr_notification "isr-notification" "R2.22": bool =
            [false, true, false, false, false, false];
        /// Who may join the ISR (R2.17).
        isr_join "isr-join" "R2.17": IsrJoin =
            [IsrJoin::HighWatermark, IsrJoin::HighWatermark, IsrJoin::EpochStart,
             IsrJoin::Eligible, IsrJoin::Eligible, IsrJoin::Eligible];
        /// Which replicas hold the HW (R2.18).
        hw_set "hw-set" "R2.18": HwSet =
            [HwSet::Isr, HwSet::CaughtUp, HwSet::CaughtUp,
             HwSet::Eligible, HwSet::Eligible, HwSet::Eligible];
        /// Whether the HW stands still below min ISR (R2.19).
        hw_gate "hw-gate" "R2.19": bool = [false, false, false, true, true, true];
        /// Which `min.insync.replicas` a leader goes by (R2.7).
        min_isr "min-isr" "R2.7": MinIsr =
            [MinIsr::TopicOnly, MinIsr::Raw, MinIsr::Raw,
             MinIsr::Capped, MinIsr::Capped, MinIsr::Capped];
        /// Which numbers of acks a broker takes (R2.9).
        acks "acks" "R2.9": Acks =
            [Acks::AnyNumber, Acks::Three, Acks::Three, Acks::Three, Acks::Three, Acks::Three];
        /// What a leader that is deposed does with requests that wait (R2.13).
        deposed_leader "deposed-leader" "R2.13": DeposedLeader =
            [DeposedLeader::LeavesWaiting, DeposedLeader::Answers, DeposedLeader::Answers,
             DeposedLeader::Answers, DeposedLeader::Answers, DeposedLeader::Answers];
        /// Whether a consumer hears at once which replica it had better read from (R2.28,
        /// KAFKA-13767).
        preferred_at_once "preferred-at-once" "R2.28": bool =
            [false, false, false, true, true, true];
        /// What a consumer gets that asks between HW and LEO (R2.30).
        above_hw "above-hw" "R2.30": AboveHw =
            [AboveHw::Error, AboveHw::Empty, AboveHw::Empty,
             AboveHw::Empty, AboveHw::Empty, AboveHw::Empty];
        /// Whether a fetch is fenced by its leader epoch (R2.31).
        fetch_fencing "fetch-fencing" "R2.31": bool = [false, false, true, true, true, true];
        /// Whether a consumer is told to read from a follower in its rack (R7.8).
        follower_fetching "follower-fetching" "R7.8": bool =
            [false, false, true, true, true, true];
        /// When a log's epoch history gets its entry (R1.5, R4.3).
        epoch_entries "epoch-entries" "R4.3": EpochEntries =
            [EpochEntries::None, EpochEntries::FirstAppend, EpochEntries::LeaderStart,
             EpochEntries::LeaderStart, EpochEntries::LeaderStart, EpochEntries::LeaderStart];
        /// What a log's batches are (R1.2).
        message_format "message-format" "R1.2": MessageFormat =
            [MessageFormat::MessageSet, MessageFormat::RecordBatch, MessageFormat::RecordBatch,
             MessageFormat::RecordBatch, MessageFormat::RecordBatch, MessageFormat::RecordBatch];
        /// Where an epoch ends that is older than all that a log knows (R3.11).
        epoch_before_first "epoch-before-first" "R3.11": EpochBeforeFirst =
            [EpochBeforeFirst::Undefined, EpochBeforeFirst::Undefined,
             EpochBeforeFirst::FirstStart, EpochBeforeFirst::FirstStart,
             EpochBeforeFirst::FirstStart, EpochBeforeFirst::FirstStart];
        /// What an entry does that contradicts those before it (R1.5).
        epoch_assignment "epoch-assignment" "R1.5": EpochAssignment =
            [EpochAssignment::Ignores, EpochAssignment::Ignores, EpochAssignment::Replaces,
             EpochAssignment::Replaces, EpochAssignment::Replaces, EpochAssignment::Replaces];
        /// Where a new follower truncates (R3.10–R3.14).
        truncation "truncation" "R3.10": Truncation =
            [Truncation::HighWatermark, Truncation::Kip101, Truncation::Fetch,
             Truncation::Fetch, Truncation::Fetch, Truncation::Fetch];
        /// What makes a follower truncate and fetch anew (R3.9).
        follower_restart "follower-restart" "R3.9": FollowerRestart =
            [FollowerRestart::NewLeader, FollowerRestart::NewLeader, FollowerRestart::NewEpoch,
             FollowerRestart::NewEpoch, FollowerRestart::NewEpoch, FollowerRestart::NewEpoch];
        /// What a follower does whose log is longer than its leader's (R3.16).
        follower_ahead "follower-ahead" "R3.16": FollowerAhead =
            [FollowerAhead::Halts, FollowerAhead::Halts, FollowerAhead::Truncates,
             FollowerAhead::Truncates, FollowerAhead::Truncates, FollowerAhead::Truncates];
        /// What a follower does that is out of range and not ahead (R3.16).
        out_of_range_restart "out-of-range-restart" "R3.16": OutOfRangeRestart =
            [OutOfRangeRestart::Wipes, OutOfRangeRestart::Continues, OutOfRangeRestart::Continues,
             OutOfRangeRestart::Continues, OutOfRangeRestart::Continues,
             OutOfRangeRestart::Continues];
        /// Whether a fetched batch of a later epoch than the follower's is dropped (R3.3).
        late_epoch_batches "late-epoch-batches" "R3.3": LateEpochBatches =
            [LateEpochBatches::Appended, LateEpochBatches::Appended, LateEpochBatches::Appended,
             LateEpochBatches::Appended, LateEpochBatches::Dropped, LateEpochBatches::Dropped];
        /// When the clean-shutdown file goes (R1.13).
        clean_mark "clean-mark" "R1.13": CleanMarkRemoval =
            [CleanMarkRemoval::AfterLoad, CleanMarkRemoval::AfterLoad,
             CleanMarkRemoval::BeforeLoad, CleanMarkRemoval::BeforeLoad,
             CleanMarkRemoval::BeforeLoad, CleanMarkRemoval::BeforeLoad];
        /// How many of an idempotent producer's batches are remembered (R6.16).
        remembered_batches "remembered-batches" "R6.16": RememberedBatches =
            [RememberedBatches::None, RememberedBatches::Last, RememberedBatches::Five,
             RememberedBatches::Five, RememberedBatches::Five, RememberedBatches::Five];
        /// What happens to a batch of a producer of which nothing is known (R6.16).
        unknown_producer "unknown-producer" "R6.16": UnknownProducer =
            [UnknownProducer::OutOfOrder, UnknownProducer::OutOfOrder, UnknownProducer::Accepted,
             UnknownProducer::Accepted, UnknownProducer::Accepted, UnknownProducer::Accepted];
        /// Whether a snapshot is written when the state of producers was read anew, after a truncation
        /// or while loading (R6.17).
        rebuild_snapshot "rebuild-snapshot" "R6.17": bool =
            [false, false, true, true, true, true];
        /// What becomes of producers whose records all lie below the log's new start (R6.17).
        below_start "below-start" "R6.17": BelowStart =
            [BelowStart::Forgets, BelowStart::Forgets, BelowStart::Keeps,
             BelowStart::Keeps, BelowStart::Keeps, BelowStart::Keeps];
        /// Whether a marker without records before it ends a transaction (R6.17).
        empty_transaction "empty-transaction" "R6.17": bool =
            [false, true, false, false, false, false];
        /// What becomes of a batch of several records that is too large for the topic (R6.8).
        oversize_batch "oversize-batch" "R6.8": OversizeBatch =
            [OversizeBatch::Fails, OversizeBatch::ToBatchSize, OversizeBatch::ToBatchSize,
             OversizeBatch::ToBatchSize, OversizeBatch::ToBatchSize, OversizeBatch::Halves];
        /// How long the Java producer waits before it tries again (R6.7).
        retry_backoff "retry-backoff" "R6.7": RetryBackoff =
            [RetryBackoff::Fixed, RetryBackoff::Fixed, RetryBackoff::Fixed,
             RetryBackoff::Exponential, RetryBackoff::Exponential, RetryBackoff::Exponential];
        /// Whether a refusal names the new leader (R6.9, KIP-951).
        leader_hint "leader-hint" "R6.9": bool = [false, false, false, true, true, true];
        /// Whether an idempotent producer bumps its own epoch at a gap, or asks for another id (R6.18,
        /// KIP-360).
        producer_bumps_epoch "producer-bumps-epoch" "R6.18": bool =
            [false, false, true, true, true, true];
        /// Whether a consumer checks its position against the leader's epochs (R7.7, KIP-320).
        truncation_detection "truncation-detection" "R7.7": bool =
            [false, false, true, true, true, true];
        /// Whether the end offset is withheld while a new leader's HW is below its epoch (R4.5,
        /// KIP-207).
        offset_not_available "offset-not-available" "R4.5": bool =
            [false, false, true, true, true, true];
        /// What a broker answers about a partition of which it has no replica (R2.3).
        not_a_replica "not-a-replica" "R2.3": NotAReplica =
            [NotAReplica::Unknown, NotAReplica::Unknown, NotAReplica::NotLeader,
             NotAReplica::NotLeader, NotAReplica::NotLeader, NotAReplica::NotLeader];
        /// What comes of a producer's requests when one of them has no answer in time (R6.6).
        request_timeout "request-timeout" "R6.6": RequestTimeout =
            [RequestTimeout::None, RequestTimeout::Disconnects, RequestTimeout::Disconnects,
             RequestTimeout::TimesOut, RequestTimeout::TimesOut, RequestTimeout::TimesOut];
        /// When a producer's batch has waited for too long (R6.7, KIP-91).
        batch_expiry "batch-expiry" "R6.7": BatchExpiry =
            [BatchExpiry::None, BatchExpiry::RequestTimeout, BatchExpiry::DeliveryTimeout,
             BatchExpiry::DeliveryTimeout, BatchExpiry::DeliveryTimeout,
             BatchExpiry::DeliveryTimeout];
        /// Whether a client asks for metadata again while its topic is missing or leaderless (R6.9).
        metadata_errors "metadata-errors" "R6.9": bool =
            [false, false, true, true, true, true];
        /// Whether a client that can reach no broker it knows begins anew with those of
        /// `bootstrap.servers` (R6.9, KIP-899, KIP-1102).
        rebootstrap "rebootstrap" "R6.9": bool = [false, false, false, false, true, true];
        /// Where groups keep their offsets (R7.3).
        offset_storage "offset-storage" "R7.3": OffsetStorage =
            [OffsetStorage::ZooKeeper, OffsetStorage::Topic, OffsetStorage::Topic,
             OffsetStorage::Topic, OffsetStorage::Topic, OffsetStorage::Topic];
    }
}

/// Switches that were once part of another: a script that names only the other one still means
/// both. For each word of the other one the index of the word that goes with it.
const SPLIT_OFF: &[(&str, &str, &[usize])] = &[
    ("message-format", "epoch-entries", &[0, 1, 1]),
    ("epoch-before-first", "epoch-assignment", &[0, 1]),
    ("follower-clock", "isr-lag", &[0, 1, 1]),
];

impl Rules {
    /// These rules, with some switches set otherwise: by place in [`SWITCHES`] and index of the word.
    pub fn with(mut self, switches: &[(usize, usize)]) -> Rules {
        for (switch, value) in switches {
            let word = |name: &str, from: &str| {
                SWITCHES[*switch].name == from
                    && !switches.iter().any(|(s, _)| SWITCHES[*s].name == name)
            };
            for (name, _, words) in SPLIT_OFF.iter().filter(|(name, from, _)| word(name, from)) {
                let place = Rules::switch(name).expect("a switch of the table");
                self.set(place, words[*value]);
            }
            self.set(*switch, *value);
        }
        self
    }

    /// The place of the switch called `name` in [`SWITCHES`].
    pub fn switch(name: &str) -> Option<usize> {
        SWITCHES.iter().position(|s| s.name == name)
    }
}
