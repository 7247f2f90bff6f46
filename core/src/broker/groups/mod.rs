//! Groups: a broker coordinates those whose partition of the offsets topic it leads (R7.2–R7.4).
//! `members` is about who belongs to them.

mod members;

pub(super) use self::members::Coordinated;
use crate::broker::node::BrokerEffects;
use crate::broker::running::Running;
use crate::log::{Batch, BatchKind, Committed, GroupOffsets};
use crate::partition::acks;
use crate::settings::Key;
use crate::wire::message::{
    Body, Coordinator, CreateTopic, FetchedOffsets, OFFSETS_TOPIC, OffsetCommit, ProduceRequest,
    ProducerBatch,
};
use crate::words::{ErrorCode, Map, Node, PartitionId, RecordId, java_hash};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::vec::Vec;

/// The size of a commit in a log, in bytes.
const COMMIT_BYTES: u32 = 100;

impl Running<'_> {
    /// A request to the coordinator of a group, or for who that is (R7.2–R7.4, R7.9).
    pub(super) fn handle_group_request(
        &mut self,
        from: Node,
        correlation: u32,
        body: Body,
        fx: &mut BrokerEffects,
    ) {
        match body {
            Body::FindCoordinator(group) => {
                let answer = self.handle_find_coordinator(&group, fx);
                fx.send(from, correlation, Body::FindCoordinatorResponse(answer), fx.cause());
            }
            Body::OffsetFetch(group) => {
                let answer = Box::new(self.handle_offset_fetch(&group));
                fx.send(from, correlation, Body::OffsetFetchResponse(answer), fx.cause());
            }
            Body::OffsetCommit(r) => self.handle_offset_commit(from, correlation, *r, fx),
            Body::JoinGroup(r) => self.handle_join_group(from, correlation, *r, fx),
            Body::SyncGroup(r) => self.handle_sync_group(from, correlation, *r, fx),
            Body::Heartbeat(r) => self.handle_group_heartbeat(from, correlation, &r, fx),
            Body::LeaveGroup(r) => self.handle_leave_group(from, correlation, &r, fx),
            _ => {}
        }
    }

    /// The partition of the offsets topic that keeps a group's offsets: by Java's hash of its name.
    fn offsets_partition(&self, group: &str) -> Option<PartitionId> {
        let image = &self.process.image;
        let topic = image.topics.iter().find(|t| t.name == OFFSETS_TOPIC)?;
        let count = topic.partitions.len().max(1);
        topic.partitions.get(java_hash(group) as usize % count).copied()
    }

    /// Who coordinates the group. Where the offsets topic does not exist it is created (R7.3).
    pub(super) fn handle_find_coordinator(
        &mut self,
        group: &str,
        fx: &mut BrokerEffects,
    ) -> Coordinator {
        let none = Coordinator { error: ErrorCode::CoordinatorNotAvailable, broker: None };
        let Some(partition) = self.offsets_partition(group) else {
            self.create_offsets_topic(fx);
            return none;
        };
        let image = &self.process.image;
        let leader = image.partition(partition).and_then(|s| s.leader);
        let up = leader.filter(|l| image.brokers.get(l).is_some_and(|b| !b.fenced));
        match up {
            Some(broker) => Coordinator { error: ErrorCode::None, broker: Some(broker) },
            None => none,
        }
    }

    fn create_offsets_topic(&mut self, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        let values = &process.values;
        // With fewer brokers than that the topic is not created [≥0.11]; the tools of 0.8 take
        // what there is.
        let factor = values.get(Key::OffsetsTopicReplicationFactor);
        let body = CreateTopic {
            name: OFFSETS_TOPIC.to_string(),
            partitions: Some(values.get(Key::OffsetsTopicNumPartitions).max(1) as u32),
            replication_factor: Some(factor.max(1) as u16),
            assignment: Vec::new(),
            config: Vec::new(),
        };
        let correlation = process.correlation();
        fx.send(Node::Controller, correlation, Body::CreateTopics(Box::new(body)), fx.cause());
    }

    /// A group commits offsets: an append like a producer's, with acks of the broker's choice
    /// (R7.3).
    pub(super) fn handle_offset_commit(
        &mut self,
        from: Node,
        correlation: u32,
        r: OffsetCommit,
        fx: &mut BrokerEffects,
    ) {
        let checked = self.coordinated(&r.as_member, fx).and_then(|partition| {
            let error = self.check_commit(&r.as_member, fx.now);
            if error == ErrorCode::None { Ok(partition) } else { Err(error) }
        });
        let partition = match checked {
            Ok(partition) => partition,
            Err(error) => {
                fx.send(from, correlation, Body::OffsetCommitResponse(error), fx.cause());
                return;
            }
        };
        let r = r.offsets;
        let values = &self.process.values;
        let timeout = values.ms(Key::OffsetsCommitTimeoutMs);
        let acks = match values.known_ms(Key::OffsetsCommitRequiredAcks) {
            Some(_) => values.get(Key::OffsetsCommitRequiredAcks) as i32,
            None => acks::ALL,
        };
        let batch = ProducerBatch {
            partition,
            // No client was asked to send it: it has no identity of its own.
            records: Rc::from([RecordId::NONE]),
            bytes: COMMIT_BYTES,
            producer: None,
            kind: BatchKind::Offsets(Rc::new(r)),
        };
        let batches = Vec::from_iter([batch]);
        self.handle_produce(from, correlation, ProduceRequest { acks, timeout, batches }, fx);
    }

    fn leads(&self, partition: PartitionId) -> bool {
        self.replicas.get(&partition).is_some_and(|r| r.leading().is_some())
    }

    /// A group's committed offsets: the newest of each partition below the HW.
    pub(super) fn handle_offset_fetch(&self, group: &str) -> FetchedOffsets {
        let partition = self.offsets_partition(group).filter(|p| self.leads(*p));
        let replica = partition.and_then(|p| self.replicas.get(&p));
        let Some(replica) = replica else {
            return FetchedOffsets { error: ErrorCode::NotCoordinator, offsets: Vec::new() };
        };
        let visible = replica.log.batches().filter(|b| b.end() <= replica.hw);
        let mut newest: Map<PartitionId, Committed> = Map::new();
        for commit in visible.filter_map(commit_in).filter(|c| c.group == group) {
            for (partition, committed) in &commit.offsets {
                newest.insert(*partition, *committed);
            }
        }
        FetchedOffsets { error: ErrorCode::None, offsets: newest.into_iter().collect() }
    }
}

fn commit_in(batch: &Batch) -> Option<&GroupOffsets> {
    match &batch.kind {
        BatchKind::Offsets(commit) => Some(commit),
        _ => None,
    }
}

/// What a group hears of an append's outcome.
pub(super) fn commit_error(error: ErrorCode) -> ErrorCode {
    match error {
        ErrorCode::NotEnoughReplicas
        | ErrorCode::NotEnoughReplicasAfterAppend
        | ErrorCode::UnknownTopicOrPartition
        | ErrorCode::RequestTimedOut => ErrorCode::CoordinatorNotAvailable,
        ErrorCode::NotLeaderOrFollower => ErrorCode::NotCoordinator,
        other => other,
    }
}
