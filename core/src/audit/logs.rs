//! Logs that grow, shrink and are committed, and what that does to the records in them.

use super::Audit;
use super::record::Answer;
use super::sight::Scene;
use crate::wire::event::EventKind;
use crate::words::{BrokerId, ClientId, EventId, LeaderEpoch, Offset, PartitionId, RecordId};
use alloc::vec::Vec;

/// What an append can do to its producer's order.
#[derive(Clone, Copy)]
enum Disorder {
    Duplicated,
    Reordered,
}

impl Audit {
    #[allow(clippy::too_many_arguments, reason = "one call for each kind of append")]
    pub(super) fn grew(
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
        let batches = replica.log.batches_from(first).take_while(|b| b.base <= last);
        for (offset, id) in (first..).zip(batches.flat_map(|b| b.records.iter().copied())) {
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
                self.found(Disorder::Duplicated, id, partition, offset, event);
            } else if as_leader && overtaken {
                self.found(Disorder::Reordered, id, partition, offset, event);
            }
        }
        if replica.hw > replica.log.end() || replica.log.flushed() > replica.log.end() {
            self.decide("I6", partition, event);
        }
    }

    /// A leader appended a record again, or behind a later one of its producer.
    fn found(
        &mut self,
        what: Disorder,
        record: RecordId,
        partition: PartitionId,
        offset: Offset,
        event: EventId,
    ) {
        let flags = &mut self.entry(record).flags;
        let idempotent = flags.idempotent;
        let known = match what {
            Disorder::Duplicated => &mut flags.duplicated,
            Disorder::Reordered => &mut flags.reordered,
        };
        if !core::mem::replace(known, true) {
            let (count, kind) = match what {
                Disorder::Duplicated => (
                    &mut self.counts.duplicated,
                    EventKind::RecordDuplicated { record, partition, offset },
                ),
                Disorder::Reordered => (
                    &mut self.counts.reordered,
                    EventKind::RecordReordered { record, partition, offset },
                ),
            };
            *count += 1;
            self.news.push((kind, event));
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

    pub(super) fn emptied(
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
    pub(super) fn leads(
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

    pub(super) fn committed(
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
    pub(super) fn hw_moved(
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
