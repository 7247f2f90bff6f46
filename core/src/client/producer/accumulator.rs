//! The accumulator: records wait in batches, one queue for each partition (R6.5, R6.7).

use super::batch::PendingBatch;
use super::{METADATA_FETCH_TIMEOUT, NewRecord, Producer};
use crate::client::ClientEffects;
use crate::client::partitioner::partition_for;
use crate::settings::Key;
use crate::settings::rules::BatchExpiry;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::words::{ErrorCode, Micros, PartitionId};
use alloc::vec::Vec;

impl Producer {
    /// Records enter the accumulator once their partition can be chosen and there is memory for
    /// them: one after the other, since `send` holds its caller (R6.9). Tells whether there is a
    /// batch that the sender's thread does not know of.
    pub(super) fn accept(&mut self, fx: &mut ClientEffects) -> bool {
        let count = self.bootstrap.partitions(&self.topic).len() as u32;
        let patience = self.values.known_ms(Key::MaxBlockMs).unwrap_or(METADATA_FETCH_TIMEOUT);
        // 0.8.2 waits for memory as long as it takes (`block.on.buffer.full`).
        let patient = count > 0 && self.values.known_ms(Key::MaxBlockMs).is_none();
        let mut wakes = false;
        self.caller_at = Micros::NEVER;
        while let Some((record, why)) = self.blocked.front() {
            let began = *self.blocked_until.get_or_insert(fx.now + patience);
            let deadline = if patient { Micros::NEVER } else { began };
            let too_large = count > 0 && self.is_too_large(record.bytes);
            let why = *why;
            // From its first send on a topic is one that metadata is asked for (R6.9).
            self.knows_topic |= count > 0;
            if too_large {
                fx.caused_by(why, |fx| self.refuse(ErrorCode::RecordTooLarge, fx));
            } else if count > 0 && self.has_room(record, count) {
                let (record, _) = self.blocked.pop_front().expect("just seen");
                self.blocked_until = None;
                wakes |= fx.caused_by(why, |fx| self.accumulate(record, count, fx));
            } else if deadline <= fx.now {
                fx.caused_by(why, |fx| self.refuse(ErrorCode::Timeout, fx));
            } else {
                if count == 0 && !self.knows_topic {
                    self.bootstrap.want_now();
                }
                self.knows_topic = true;
                self.caller_at = deadline;
                break;
            }
        }
        if count == 0 && !self.blocked.is_empty() {
            self.bootstrap.want();
        }
        wakes
    }

    /// The application is told at once that its record goes nowhere.
    fn refuse(&mut self, error: ErrorCode, fx: &mut ClientEffects) {
        let Some((record, _)) = self.blocked.pop_front() else { return };
        self.blocked_until = None;
        self.last_error = error;
        let topic = self.topic.clone();
        fx.event(EventKind::SendFailed { topic, records: 1, error });
        fx.report(Report::Failed([record.id].into(), error));
    }

    /// Whether the batch that the record goes to has room for it, or there is memory for another.
    fn has_room(&self, record: &NewRecord, count: u32) -> bool {
        if self.has_memory(self.memory_for(record.bytes)) {
            return true;
        }
        let partition = self.partition_of(record, count);
        let last = self.queues.get(&partition).and_then(|q| q.batches.back());
        last.is_some_and(|b| b.fits(record.bytes, self.batch_size()))
    }

    pub(super) fn batch_size(&self) -> u32 {
        self.values.get(Key::BatchSize).clamp(0, i64::from(u32::MAX)) as u32
    }

    /// Tells whether the sender's thread is to look: there is a new batch, or one is full.
    fn accumulate(&mut self, record: NewRecord, count: u32, fx: &mut ClientEffects) -> bool {
        let limit = self.batch_size();
        let partition = self.partition_of(&record, count);
        if record.key.is_none() && record.partition.is_none() {
            self.stick(record.bytes, count, limit);
        }
        let why = fx.event(EventKind::RecordQueued { record: record.id, partition });
        let memory = self.memory_for(record.bytes);
        let queue = self.queue(partition);
        let added = queue
            .batches
            .back_mut()
            .is_some_and(|b| b.try_add(record.id, record.bytes, limit, fx.now));
        if !added {
            let mut batch = PendingBatch::new(record.id, record.bytes, fx.now, why);
            batch.memory = memory;
            queue.batches.push_back(batch);
            self.waiting.insert(partition, ());
            self.memory_used += i64::from(memory);
            return true;
        }
        queue.batches.back().is_some_and(|b| b.bytes >= limit)
    }

    /// Where a record goes: where the application wants it, where its key belongs, or else to the
    /// partition that is used at the time (KIP-794).
    fn partition_of(&self, record: &NewRecord, count: u32) -> PartitionId {
        let number = match (&record.key, record.partition) {
            (_, Some(chosen)) => chosen.min(count - 1),
            (Some(key), None) => partition_for(key.as_bytes(), count),
            (None, None) => self.sticky.0 % count,
        };
        self.bootstrap.partitions(&self.topic)[number as usize]
    }

    /// Records without key stay with one partition until it got a batch's worth (KIP-794).
    fn stick(&mut self, bytes: u32, count: u32, limit: u32) {
        let (partition, got) = self.sticky;
        let partition = partition % count;
        let got = got.saturating_add(bytes);
        self.sticky = if got >= limit { ((partition + 1) % count, 0) } else { (partition, got) };
    }

    /// Batches that took too long (R6.7). From 2.1 on that is `delivery.timeout.ms`, sent or not, and
    /// the sender's thread wakes for it; 0.11 gives up what waits for longer than
    /// `request.timeout.ms`, when it looks; 0.8.2 waits.
    pub(super) fn expire(&mut self, fx: &mut ClientEffects) -> Micros {
        match self.rules.batch_expiry {
            BatchExpiry::None => return Micros::NEVER,
            BatchExpiry::RequestTimeout => {
                self.expire_waiting(fx);
                return Micros::NEVER;
            }
            BatchExpiry::DeliveryTimeout => {}
        }
        let limit = self.delivery_timeout();
        let now = fx.now;
        let mut next = Micros::NEVER;
        let mut expired = Vec::new();
        for partition in self.waiting.keys() {
            let Some(queue) = self.queues.get_mut(partition) else { continue };
            let late = |b: &mut PendingBatch| b.created + limit <= now;
            while let Some(batch) = queue.batches.pop_front_if(late) {
                expired.push((*partition, batch));
            }
            let first = queue.batches.front().map(|b| b.created + limit);
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
        self.give_up_expired(expired, fx);
        next
    }

    /// 0.11: a batch that waits for a place in a request, or for its next attempt, longer than a
    /// request may take; not while one of its partition is under way with a single request in flight.
    fn expire_waiting(&mut self, fx: &mut ClientEffects) {
        let limit = self.values.ms(Key::ProducerRequestTimeoutMs);
        let (linger, backoff) =
            (self.values.ms(Key::LingerMs), self.values.ms(Key::ProducerRetryBackoffMs));
        let mutes = self.values.get(Key::MaxInFlightRequestsPerConnection) == 1;
        let mut expired = Vec::new();
        for partition in self.waiting.keys() {
            let Some(queue) = self.queues.get_mut(partition) else { continue };
            if mutes && queue.in_flight > 0 {
                continue;
            }
            while let Some(batch) = queue.batches.front() {
                let full = queue.batches.len() > 1 || batch.is_closed();
                let since = match batch.attempts {
                    0 if full => batch.appended.min(batch.created + linger),
                    0 => batch.created + linger,
                    _ => batch.appended + backoff,
                };
                if since + limit > fx.now {
                    break;
                }
                expired.extend(queue.batches.pop_front().map(|batch| (*partition, batch)));
            }
        }
        self.give_up_expired(expired, fx);
    }

    fn give_up_expired(
        &mut self,
        expired: Vec<(PartitionId, PendingBatch)>,
        fx: &mut ClientEffects,
    ) {
        if expired.is_empty() {
            return;
        }
        let queues = &self.queues;
        self.waiting.retain(|p, ()| queues.get(p).is_some_and(|q| !q.batches.is_empty()));
        for (partition, batch) in expired {
            fx.caused_by(batch.why, |fx| {
                self.give_up(partition, batch, ErrorCode::Timeout, fx);
            });
        }
    }

    /// How long a batch may take in all; older releases know no such limit (R6.7).
    pub(super) fn delivery_timeout(&self) -> Micros {
        self.values.known_ms(Key::DeliveryTimeoutMs).unwrap_or(Micros::NEVER)
    }
}
