use super::properties::{PROPERTIES, PropertyKind, PropertyState, index_of};
use super::record::{Answer, Counts, LedgerRecord, ProducerCounts, RecordFlags};
use super::replica_copy::ReplicaCopy;
use crate::broker::Broker;
use crate::replica::acks;
use crate::wire::Report;
use crate::wire::event::{Event, EventKind};
use crate::wire::metadata::PartitionState;
use crate::words::{
    BrokerId, ClientId, ErrorCode, EventId, LeaderEpoch, Map, Node, Offset, PartitionId, RecordId,
    SharedVec,
};
use alloc::vec::Vec;

/// What the audit may look at beside the event.
pub(crate) struct Scene<'a> {
    pub brokers: &'a [Broker],
    pub state: &'a dyn Fn(PartitionId) -> Option<&'a PartitionState>,
    pub min_isr: &'a dyn Fn(&PartitionState) -> usize,
}

impl Scene<'_> {
    fn broker(&self, id: BrokerId) -> Option<&Broker> {
        let at = self.brokers.binary_search_by_key(&id, |b| b.id).ok()?;
        self.brokers.get(at)
    }
}

/// The ledger and the properties. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    records: SharedVec<LedgerRecord>,
    copies: Map<(PartitionId, BrokerId), ReplicaCopy>,
    /// Records that were appended, by partition.
    appended: Map<PartitionId, SharedVec<RecordId>>,
    /// Who led under which epoch.
    leaders: Map<(PartitionId, LeaderEpoch), BrokerId>,
    counts: Counts,
    producers: Map<ClientId, ProducerCounts>,
    properties: [PropertyState; PROPERTIES.len()],
    /// Partitions of the offsets topic: what Kafka writes there is nobody's record.
    internal: Vec<PartitionId>,
    /// Events of its own that are to be noted: with their cause.
    news: Vec<(EventKind, EventId)>,
    /// What meters count (IsrShrinksPerSec and the like), by node and event code.
    pub(crate) totals: Map<(Node, &'static str), u32>,
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

    /// How often an event of that code happened at a node.
    pub fn total(&self, node: Node, code: &'static str) -> u32 {
        self.totals.get(&(node, code)).copied().unwrap_or(0)
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

    fn entry(&mut self, id: RecordId) -> &mut LedgerRecord {
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

    fn acked_lost(
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

    /// Something happened; `scene` is how it is now.
    pub(crate) fn saw(&mut self, id: EventId, event: &Event, scene: &Scene<'_>) {
        let Node::Broker(own) = event.node else {
            self.saw_elsewhere(id, event, scene);
            return;
        };
        if self.is_internal(&event.kind) {
            return;
        }
        match &event.kind {
            EventKind::Appended { partition, first, last, .. } => {
                self.grew(own, *partition, *first, *last, true, id, scene);
            }
            EventKind::Replicated { partition, first, last, .. } => {
                self.grew(own, *partition, *first, *last, false, id, scene);
            }
            EventKind::Truncated { partition, to, .. } => {
                self.decide("truncated", *partition, id);
                self.shrank(own, *partition, Some(*to), id, scene);
            }
            EventKind::TruncatedFully { partition, start, .. } => {
                self.decide("truncated", *partition, id);
                self.emptied(own, *partition, *start, id, scene);
            }
            EventKind::ReplicaDeleted { partition } => {
                self.shrank(own, *partition, None, id, scene);
                self.copies.remove(&(*partition, own));
            }
            EventKind::HwAdvanced { partition, from, to } => {
                self.committed(own, *partition, *from, *to, id);
                self.hw_moved(own, *partition, *from, *to, true, id);
            }
            EventKind::HwFollowed { partition, from, to } => {
                self.hw_moved(own, *partition, *from, *to, false, id);
            }
            EventKind::BecameLeader { partition, epoch, .. } => {
                self.leads(own, *partition, *epoch, id, scene);
            }
            EventKind::ProduceRefused { partition, .. } => {
                self.counts.refused += 1;
                self.decide("refused", *partition, id);
            }
            EventKind::ShrinkProposed { .. }
            | EventKind::ExpandProposed { .. }
            | EventKind::IsrRejected { .. }
            | EventKind::ProduceTimedOut { .. } => self.count(event),
            _ => {}
        }
    }

    /// What Kafka writes for itself is nobody's record.
    fn is_internal(&self, kind: &EventKind) -> bool {
        !self.internal.is_empty() && kind.of_partition().is_some_and(|p| self.internal.contains(&p))
    }

    /// Partitions of the offsets topic.
    pub(crate) fn set_internal(&mut self, partitions: &[PartitionId]) {
        self.internal = partitions.into();
    }

    fn count(&mut self, event: &Event) {
        *self.totals.entry((event.node, event.kind.code())).or_default() += 1;
    }

    fn saw_elsewhere(&mut self, id: EventId, event: &Event, scene: &Scene<'_>) {
        if event.node != Node::Controller {
            return;
        }
        self.count(event);
        let partition = match &event.kind {
            EventKind::IsrShrunk { partition, .. } => {
                self.decide("isr-shrunk", *partition, id);
                *partition
            }
            EventKind::IsrExpanded { partition, .. } => {
                self.decide("isr-expanded", *partition, id);
                *partition
            }
            EventKind::LeaderElected { partition, .. }
            | EventKind::LeaderFromElr { partition, .. }
            | EventKind::LeaderLastKnown { partition, .. }
            | EventKind::LeaderUnclean { partition, .. } => {
                self.decide("elected", *partition, id);
                *partition
            }
            EventKind::ElrChanged { partition, .. } | EventKind::LeaderNone { partition, .. } => {
                *partition
            }
            _ => return,
        };
        if !(scene.state)(partition).is_none_or(|s| is_sound(s, (scene.min_isr)(s))) {
            self.decide("I4", partition, id);
        }
    }

    /// Notes that a property broke, or was seen.
    fn decide(&mut self, property: &'static str, partition: PartitionId, event: EventId) {
        let at = index_of(property);
        if self.properties[at].decided_by.is_none() {
            self.properties[at].decided_by = Some(event);
            if PROPERTIES[at].kind == PropertyKind::Always {
                self.news.push((EventKind::PropertyBroken { property, partition }, event));
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one call for each kind of append")]
    fn grew(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        first: Offset,
        last: Offset,
        as_leader: bool,
        event: EventId,
        scene: &Scene<'_>,
    ) {
        let replica = scene.broker(own).and_then(|b| b.replicas.get(&partition));
        let Some(replica) = replica else { return };
        let ids: Vec<RecordId> = replica
            .log
            .batches_from(first)
            .take_while(|b| b.base <= last)
            .flat_map(|b| b.records.iter().copied())
            .collect();
        for (i, id) in ids.into_iter().enumerate() {
            let offset = first + i as Offset;
            let entry = self.records.get_mut(id.0 as usize).expect("the ledger has every record");
            let known = entry.copies_on(own) > 0;
            entry.add_copy(own);
            entry.events.push(event);
            if as_leader {
                entry.offset = Some(offset);
                // Sent again and appended anew: it is not lost any more.
                self.counts.lost -= u32::from(core::mem::take(&mut entry.flags.lost));
                if entry.partition.is_none() {
                    entry.partition = Some(partition);
                    self.appended.entry(partition).or_default().push(id);
                }
            }
            let producer = entry.producer;
            let overtaken = self.copies.entry((partition, own)).or_default().push(id, producer);
            if as_leader && known {
                self.found_duplicate(id, partition, offset, event);
            } else if as_leader && overtaken {
                self.found_reordered(id, partition, offset, event);
            }
        }
        if replica.hw > replica.log.end() || replica.log.flushed() > replica.log.end() {
            self.decide("I6", partition, event);
        }
    }

    fn found_duplicate(
        &mut self,
        record: RecordId,
        partition: PartitionId,
        offset: Offset,
        event: EventId,
    ) {
        let flags = &mut self.entry(record).flags;
        let first = !core::mem::replace(&mut flags.duplicated, true);
        let idempotent = flags.idempotent;
        if first {
            self.counts.duplicated += 1;
            self.news.push((EventKind::RecordDuplicated { record, partition, offset }, event));
        }
        if idempotent {
            self.decide("I7", partition, event);
        }
    }

    fn found_reordered(
        &mut self,
        record: RecordId,
        partition: PartitionId,
        offset: Offset,
        event: EventId,
    ) {
        let flags = &mut self.entry(record).flags;
        let idempotent = flags.idempotent;
        if !core::mem::replace(&mut flags.reordered, true) {
            self.counts.reordered += 1;
            self.news.push((EventKind::RecordReordered { record, partition, offset }, event));
        }
        if idempotent {
            self.decide("I7", partition, event);
        }
    }

    /// A replica lost its log's end (`to`), or all of it.
    pub(crate) fn shrank(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        to: Option<Offset>,
        event: EventId,
        scene: &Scene<'_>,
    ) {
        if self.internal.contains(&partition) {
            return;
        }
        let Some(copy) = self.copies.get_mut(&(partition, own)) else { return };
        let mut gone: Vec<(RecordId, Offset)> = Vec::new();
        let records = &self.records;
        let producer_of =
            |id: RecordId| records.get(id.0 as usize).map_or(ClientId(0), |r| r.producer);
        copy.truncate(to.unwrap_or(0), &producer_of, &mut |id, at| gone.push((id, at)));
        self.dropped(own, partition, &gone, event, scene);
    }

    fn emptied(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        start: Offset,
        event: EventId,
        scene: &Scene<'_>,
    ) {
        let Some(copy) = self.copies.get_mut(&(partition, own)) else { return };
        let mut gone: Vec<(RecordId, Offset)> = Vec::new();
        copy.restart(start, &mut |id, at| gone.push((id, at)));
        self.dropped(own, partition, &gone, event, scene);
    }

    fn dropped(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        gone: &[(RecordId, Offset)],
        event: EventId,
        scene: &Scene<'_>,
    ) {
        let leader = (scene.state)(partition).and_then(|s| s.leader);
        for (id, offset) in gone {
            let entry = self.entry(*id);
            entry.drop_copy(own);
            entry.events.push(event);
            let kept = match leader {
                Some(leader) if leader != own || entry.copies_on(own) > 0 => {
                    entry.copies_on(leader) > 0
                }
                _ => !entry.on.is_empty(),
            };
            if !kept {
                self.lose(*id, partition, *offset, event);
            }
        }
    }

    fn lose(&mut self, record: RecordId, partition: PartitionId, offset: Offset, event: EventId) {
        let entry = self.entry(record);
        if core::mem::replace(&mut entry.flags.lost, true) {
            return;
        }
        let (answer, all) = (entry.answer, entry.flags.acks_all);
        self.counts.lost += 1;
        self.decide("lost", partition, event);
        if let Answer::Acked(_) = answer {
            self.acked_lost(record, partition, offset, all, event);
        } else {
            self.news.push((EventKind::RecordLost { record, partition, offset }, event));
        }
    }

    /// A leader begins: what it lacks is lost, since the others will truncate to it (R4.2).
    fn leads(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        epoch: LeaderEpoch,
        event: EventId,
        scene: &Scene<'_>,
    ) {
        let before = self.leaders.insert((partition, epoch), own);
        let replica = scene.broker(own).and_then(|b| b.replicas.get(&partition));
        let increasing = replica.is_none_or(|r| {
            r.log
                .epochs()
                .entries()
                .windows(2)
                .all(|w| w[0].epoch < w[1].epoch && w[0].start < w[1].start)
        });
        if before.is_some_and(|b| b != own) || !increasing {
            self.decide("I5", partition, event);
        }
        if (scene.state)(partition).is_none_or(|s| s.leader != Some(own)) {
            return;
        }
        let all: Vec<RecordId> =
            self.appended.get(&partition).map(|r| r.iter().copied().collect()).unwrap_or_default();
        for id in all {
            let entry = self.entry(id);
            let has = entry.copies_on(own) > 0;
            let offset = entry.offset.unwrap_or(-1);
            if has && core::mem::take(&mut entry.flags.lost) {
                let acked = matches!(entry.answer, Answer::Acked(_));
                self.counts.lost -= 1;
                self.counts.acked_lost -= u32::from(acked);
                self.news.push((EventKind::RecordFound { record: id, partition, offset }, event));
            } else if !has {
                self.lose(id, partition, offset, event);
            }
        }
    }

    fn committed(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        from: Offset,
        to: Offset,
        event: EventId,
    ) {
        let copy = self.copies.entry((partition, own)).or_default();
        let ids: Vec<RecordId> = (from..to).filter_map(|o| copy.at(o)).collect();
        let mut fresh = 0;
        for id in ids {
            let entry = self.entry(id);
            if !core::mem::replace(&mut entry.flags.committed, true) {
                entry.events.push(event);
                fresh += 1;
            }
        }
        if fresh > 0 {
            self.counts.committed += fresh;
            self.decide("committed", partition, event);
        }
    }

    /// I1 and I3: logs agree below both HWs, and a leader's HW does not go back.
    fn hw_moved(
        &mut self,
        own: BrokerId,
        partition: PartitionId,
        from: Offset,
        to: Offset,
        as_leader: bool,
        event: EventId,
    ) {
        let copy = self.copies.entry((partition, own)).or_default();
        copy.hw = to;
        if to > copy.end() {
            self.decide("I6", partition, event);
        }
        if as_leader && to < from {
            self.decide("I3", partition, event);
        }
        let Some(own_copy) = self.copies.get(&(partition, own)) else { return };
        let differs = self
            .copies
            .iter_from((partition, BrokerId(0)))
            .take_while(|((p, _), _)| *p == partition)
            .filter(|((_, b), _)| *b != own)
            .any(|(_, other)| {
                own_copy.first_difference(other, from.min(to), to.min(other.hw)).is_some()
            });
        if differs {
            self.decide("I1", partition, event);
        }
    }
}

/// I4: the leader is in the ISR, ISR and ELR share nobody, an ELR is kept only below min ISR, and
/// together they are no more than the replicas.
fn is_sound(state: &PartitionState, min_isr: usize) -> bool {
    let shared = state.elr.iter().any(|b| state.isr.contains(b));
    state.leader.is_none_or(|l| state.isr.contains(&l))
        && !shared
        && (state.elr.is_empty() || state.isr.len() < min_isr)
        && state.isr.len() + state.elr.len() <= state.replicas.len()
}
