use super::properties::{PROPERTIES, PropertyKind, PropertyState, index_of};
use super::record::{Answer, Counts, Elections, LedgerRecord, ProducerCounts, RecordFlags};
use super::replica_copy::ReplicaCopy;
use crate::partition::acks;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::words::{
    BrokerId, ClientId, ErrorCode, EventId, LeaderEpoch, Map, Node, Offset, PartitionId, RecordId,
    SharedVec,
};
use alloc::vec::Vec;

/// The ledger and the properties. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    pub(super) records: SharedVec<LedgerRecord>,
    pub(super) copies: Map<(PartitionId, BrokerId), ReplicaCopy>,
    /// Records that were appended, by partition.
    pub(super) appended: Map<PartitionId, SharedVec<RecordId>>,
    /// Who led under which epoch.
    pub(super) leaders: Map<(PartitionId, LeaderEpoch), BrokerId>,
    pub(super) counts: Counts,
    producers: Map<ClientId, ProducerCounts>,
    properties: [PropertyState; PROPERTIES.len()],
    /// Partitions of the offsets topic: what Kafka writes there is nobody's record.
    pub(super) internal: Vec<PartitionId>,
    /// Events of its own that are to be noted: with their cause.
    pub(super) news: Vec<(EventKind, EventId)>,
    pub(super) elections: Elections,
}

impl Audit {
    /// Totals over all records.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// One record's account.
    pub fn record(&self, id: RecordId) -> Option<&LedgerRecord> {
        self.records.get(id.0 as usize)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// How each of [`PROPERTIES`] stands.
    pub fn properties(&self) -> &[PropertyState] {
        &self.properties
    }

    /// How many elections there were.
    pub fn elections(&self) -> Elections {
        self.elections
    }

    /// A record was handed to a producer.
    pub(crate) fn open(&mut self, producer: ClientId, acks: i32, idempotent: bool) {
        let flags =
            RecordFlags { acks_all: acks == acks::ALL, idempotent, ..RecordFlags::default() };
        self.records.push(LedgerRecord { producer, flags, ..LedgerRecord::default() });
        self.counts.sent += 1;
        let own = self.producers.entry(producer).or_default();
        own.sent += 1;
        own.pending += 1;
    }

    /// Counts of one producer's records.
    pub fn of_producer(&self, id: ClientId) -> ProducerCounts {
        self.producers.get(&id).copied().unwrap_or_default()
    }

    /// The producer learnt what became of a record.
    fn answer(&mut self, id: RecordId, answer: Answer, event: EventId) {
        let entry = self.entry(id);
        entry.events.push(event);
        let producer = entry.producer;
        let before = core::mem::replace(&mut entry.answer, answer);
        let own = self.producers.entry(producer).or_default();
        *own.of(before) -= 1;
        *own.of(answer) += 1;
        own.refused += u32::from(answer == Answer::Failed(ErrorCode::NotEnoughReplicas));
        own.refused -= u32::from(before == Answer::Failed(ErrorCode::NotEnoughReplicas));
    }

    /// What it found since it was last asked.
    pub(crate) fn take_news(&mut self) -> Vec<(EventKind, EventId)> {
        core::mem::take(&mut self.news)
    }

    pub(super) fn entry(&mut self, id: RecordId) -> &mut LedgerRecord {
        self.records.get_mut(id.0 as usize).expect("the ledger has every record")
    }

    /// A client told what it did with records.
    pub(crate) fn reported(&mut self, client: Node, event: EventId, report: &Report) {
        match report {
            Report::Sent(records) => {
                for id in records.iter() {
                    let entry = self.entry(*id);
                    entry.attempts += 1;
                    entry.events.push(event);
                }
            }
            Report::Acked(records, first) => {
                for (i, id) in records.iter().enumerate() {
                    let offset = if *first < 0 { -1 } else { first + i as Offset };
                    self.acked(*id, offset, event);
                }
            }
            Report::Failed(records, error) => {
                for id in records.iter() {
                    self.answer(*id, Answer::Failed(*error), event);
                }
                let n = records.len() as u32;
                self.counts.failed += n;
                if matches!(error, ErrorCode::Timeout | ErrorCode::RequestTimedOut) {
                    self.counts.timed_out += n;
                }
            }
            Report::Vanished(records) => {
                for id in records.iter() {
                    self.vanished(*id, event);
                }
            }
            Report::Read(_, batches) => {
                for id in batches.iter().flat_map(|b| b.records.iter()) {
                    let entry = self.entry(*id);
                    if let Node::Client(client) = client {
                        entry.read_by.push(client);
                    }
                    entry.events.push(event);
                    self.counts.read += 1;
                }
            }
        }
    }

    fn acked(&mut self, id: RecordId, offset: Offset, event: EventId) {
        self.answer(id, Answer::Acked(offset), event);
        let entry = self.entry(id);
        let (lost, partition, all) = (entry.flags.lost, entry.partition, entry.flags.acks_all);
        self.counts.acked += 1;
        if let (true, Some(partition)) = (lost, partition) {
            self.acked_lost(id, partition, offset, all, event);
        }
    }

    pub(super) fn acked_lost(
        &mut self,
        record: RecordId,
        partition: PartitionId,
        offset: Offset,
        acks_all: bool,
        event: EventId,
    ) {
        self.counts.acked_lost += 1;
        self.news.push((EventKind::AckedRecordLost { record, partition, offset }, event));
        if acks_all {
            self.decide("I2", partition, event);
        }
    }

    /// acks=0: it never reached a log, and nobody will ever be told (R6.10, A7).
    fn vanished(&mut self, record: RecordId, event: EventId) {
        let entry = self.entry(record);
        if entry.partition.is_some() || core::mem::replace(&mut entry.flags.lost, true) {
            return;
        }
        entry.events.push(event);
        let acked = matches!(entry.answer, Answer::Acked(_));
        self.counts.lost += 1;
        if acked {
            self.acked_lost(record, PartitionId(0), -1, false, event);
        }
    }

    /// Notes that a property broke, or was seen.
    pub(super) fn decide(
        &mut self,
        property: &'static str,
        partition: PartitionId,
        event: EventId,
    ) {
        let at = index_of(property);
        if self.properties[at].decided_by.is_none() {
            self.properties[at].decided_by = Some(event);
            if PROPERTIES[at].kind == PropertyKind::Always {
                self.news.push((EventKind::PropertyBroken { property, partition }, event));
            }
        }
    }
}
