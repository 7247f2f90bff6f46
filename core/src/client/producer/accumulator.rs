//! The accumulator: records wait in batches, one queue for each partition (R6.5, R6.7).

use super::batch::PendingBatch;
use super::{NewRecord, Producer};
use crate::client::ClientEffects;
use crate::client::partitioner::partition_for;
use crate::settings::Key;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::words::{ErrorCode, Micros, PartitionId};
use alloc::vec::Vec;

impl Producer {
    /// Records enter the accumulator once their partition can be chosen.
    pub(super) fn accept(&mut self, fx: &mut ClientEffects) -> Micros {
        let cause = fx.cause;
        let count = self.bootstrap.partitions(&self.topic).len() as u32;
        while let Some((record, deadline, why)) = self.blocked.front() {
            if count > 0 {
                let (record, _, why) = self.blocked.pop_front().expect("just seen");
                fx.cause = why;
                self.accumulate(record, count, fx);
            } else if *deadline <= fx.now {
                let (id, why) = (record.id, *why);
                self.blocked.pop_front();
                fx.cause = why;
                let (partition, error) = (PartitionId(0), ErrorCode::Timeout);
                self.last_error = error;
                fx.event(EventKind::BatchFailed { partition, records: 1, error });
                fx.report(Report::Failed([id].into(), error));
            } else {
                fx.cause = cause;
                return *deadline;
            }
        }
        fx.cause = cause;
        Micros::NEVER
    }

    pub(super) fn batch_size(&self) -> u32 {
        self.values.get(Key::BatchSize).clamp(0, i64::from(u32::MAX)) as u32
    }

    pub(super) fn accumulate(&mut self, record: NewRecord, count: u32, fx: &mut ClientEffects) {
        let limit = self.batch_size();
        let number = match (&record.key, record.partition) {
            (_, Some(chosen)) => chosen.min(count - 1),
            (Some(key), None) => partition_for(key.as_bytes(), count),
            (None, None) => self.sticky_partition(record.bytes, count, limit),
        };
        let partition = self.bootstrap.partitions(&self.topic)[number as usize];
        let why = fx.event(EventKind::RecordQueued { record: record.id, partition });
        let queue = self.queue(partition);
        let added =
            queue.batches.back_mut().is_some_and(|b| b.try_add(record.id, record.bytes, limit));
        if !added {
            queue.batches.push_back(PendingBatch::new(record.id, record.bytes, fx.now, why));
            self.waiting.insert(partition, ());
        }
    }

    /// Records without key stay with one partition until it got a batch's worth (KIP-794).
    pub(super) fn sticky_partition(&mut self, bytes: u32, count: u32, limit: u32) -> u32 {
        let (partition, got) = self.sticky;
        let partition = partition % count;
        let got = got.saturating_add(bytes);
        self.sticky = if got >= limit { ((partition + 1) % count, 0) } else { (partition, got) };
        partition
    }

    /// Batches that took longer than `delivery.timeout.ms`, sent or not (R6.7). Older releases give
    /// up only what was never sent within `request.timeout.ms`.
    pub(super) fn expire(&mut self, fx: &mut ClientEffects) -> Micros {
        let limit = self.delivery_timeout();
        let unsent = match self.values.known_ms(Key::DeliveryTimeoutMs) {
            Some(limit) => limit,
            None => self.values.ms(Key::ProducerRequestTimeoutMs),
        };
        let now = fx.now;
        let mut next = Micros::NEVER;
        let mut expired = Vec::new();
        for partition in self.waiting.keys() {
            let Some(queue) = self.queues.get_mut(partition) else { continue };
            let limit = |b: &PendingBatch| if b.attempts == 0 { unsent } else { limit };
            while queue.batches.front().is_some_and(|b| b.created + limit(b) <= now) {
                let batch = queue.batches.pop_front().expect("just seen");
                expired.push((*partition, batch));
            }
            let first = queue.batches.front().map(|b| b.created + limit(b));
            next = next.min(first.unwrap_or(Micros::NEVER));
        }
        for request in &mut self.requests {
            while let Some(at) = request.batches.iter().position(|(_, b)| b.created + limit <= now)
            {
                let (partition, batch) = request.batches.remove(at);
                let queue = self.queues.entry(partition).or_default();
                queue.in_flight -= 1;
                expired.push((partition, batch));
            }
            let first = request.batches.iter().map(|(_, b)| b.created + limit).min();
            next = next.min(first.unwrap_or(Micros::NEVER));
        }
        let queues = &self.queues;
        self.waiting.retain(|p, ()| queues.get(p).is_some_and(|q| !q.batches.is_empty()));
        let cause = fx.cause;
        for (partition, batch) in expired {
            fx.cause = batch.why;
            self.give_up(partition, batch, ErrorCode::Timeout, fx);
        }
        fx.cause = cause;
        next
    }

    /// How long a batch may take in all; older releases know no such limit (R6.7).
    pub(super) fn delivery_timeout(&self) -> Micros {
        self.values.known_ms(Key::DeliveryTimeoutMs).unwrap_or(Micros::NEVER)
    }
}
