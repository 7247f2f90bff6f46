use crate::log::{BatchKind, ProducerStamp};
use crate::wire::message::ProducerBatch;
use crate::words::{EventId, LeaderEpoch, Micros, PartitionId, RecordId};
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Bytes that a batch has beside its records.
pub(super) const BATCH_OVERHEAD: u32 = 61;

/// A batch in the accumulator or under way (R6.5).
#[derive(Clone, Debug)]
pub(super) struct PendingBatch {
    records: Vec<RecordId>,
    /// The size of each record.
    sizes: Vec<u32>,
    /// The same, once the batch is closed.
    closed: Option<Rc<[RecordId]>>,
    pub bytes: u32,
    /// How much of `buffer.memory` it holds.
    pub memory: u32,
    pub created: Micros,
    /// When a record was last added to it, or it was last put back.
    pub appended: Micros,
    /// How often it failed.
    pub attempts: u32,
    pub not_before: Micros,
    /// Epoch of the leader that it was last sent to; −1 before.
    pub sent_under: LeaderEpoch,
    /// Where it stands in the producer's sequence, once it was sent.
    pub stamp: Option<ProducerStamp>,
    /// Whether it is a piece of one that was too large (R6.8).
    pub is_piece: bool,
    /// The event that last happened to it.
    pub why: EventId,
}

impl PendingBatch {
    pub fn new(record: RecordId, bytes: u32, now: Micros, why: EventId) -> PendingBatch {
        PendingBatch {
            records: alloc::vec![record],
            sizes: alloc::vec![bytes],
            closed: None,
            bytes: bytes + BATCH_OVERHEAD,
            memory: 0,
            created: now,
            appended: now,
            attempts: 0,
            not_before: Micros::ZERO,
            sent_under: -1,
            stamp: None,
            is_piece: false,
            why,
        }
    }

    /// Whether there is room for a record of so many bytes.
    pub fn fits(&self, bytes: u32, limit: u32) -> bool {
        self.closed.is_none() && self.bytes + bytes <= limit
    }

    /// Adds a record if there is room.
    pub fn try_add(&mut self, record: RecordId, bytes: u32, limit: u32, now: Micros) -> bool {
        let fits = self.fits(bytes, limit);
        if fits {
            self.records.push(record);
            self.sizes.push(bytes);
            self.bytes += bytes;
            self.appended = now;
        }
        fits
    }

    pub fn len(&self) -> usize {
        self.closed.as_ref().map_or(self.records.len(), |r| r.len())
    }

    /// Its records; nothing is added from now on.
    pub fn close(&mut self) -> Rc<[RecordId]> {
        let records = &mut self.records;
        self.closed.get_or_insert_with(|| core::mem::take(records).into()).clone()
    }

    pub fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Batches of at most `limit` bytes, or of one record, with its records; those of an idempotent
    /// producer keep their place in its sequence (R6.8).
    pub fn split(mut self, limit: u32) -> Vec<PendingBatch> {
        let mut pieces: Vec<PendingBatch> = Vec::new();
        let records = self.close();
        for (at, (record, bytes)) in records.iter().zip(&self.sizes).enumerate() {
            if pieces
                .last_mut()
                .is_some_and(|piece| piece.try_add(*record, *bytes, limit, self.appended))
            {
                continue;
            }
            let own =
                |s: ProducerStamp| ProducerStamp { first_sequence: s.last_sequence(at + 1), ..s };
            let stamp = self.stamp.map(own);
            let first = PendingBatch::new(*record, *bytes, self.created, self.why);
            pieces.push(PendingBatch { stamp, is_piece: true, ..first });
        }
        for piece in &mut pieces {
            piece.close();
        }
        pieces
    }

    /// Half of its size, but room for its largest record.
    pub fn half(&self) -> u32 {
        let largest = self.sizes.iter().max().map_or(0, |bytes| bytes + BATCH_OVERHEAD);
        largest.max(self.bytes / 2)
    }

    pub fn on_wire(&mut self, partition: PartitionId) -> ProducerBatch {
        let kind = BatchKind::Plain;
        let (bytes, producer) = (self.bytes, self.stamp);
        ProducerBatch { partition, bytes, producer, kind, records: self.close() }
    }
}

/// The batches of one partition that wait, and the sequence that they get.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub batches: VecDeque<PendingBatch>,
    /// How many batches are under way.
    pub in_flight: u32,
    /// Next sequence number (R6.15).
    pub next_sequence: i32,
    /// Last sequence number that was acknowledged; −1 before any.
    pub last_acked: i32,
    /// A batch with a sequence number failed: its number may or may not be in the log, so the
    /// epoch is raised once nothing is under way (R6.18).
    pub unresolved: bool,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            batches: VecDeque::new(),
            in_flight: 0,
            next_sequence: 0,
            last_acked: -1,
            unresolved: false,
        }
    }
}

impl Queue {
    /// Whether the batch is the next that the broker should expect, so that "out of order" means a
    /// real gap (R6.18).
    pub fn is_next_expected(&self, batch: &PendingBatch) -> bool {
        batch.stamp.is_some_and(|s| s.first_sequence == self.last_acked.wrapping_add(1).max(0))
    }

    /// Puts a failed batch back: in front, idempotent ones in order of sequence (R6.13).
    pub fn put_back(&mut self, batch: PendingBatch) {
        let behind = |other: &PendingBatch| match (&other.stamp, &batch.stamp) {
            (Some(other), Some(own)) => other.first_sequence < own.first_sequence,
            _ => false,
        };
        let at = self.batches.iter().take_while(|b| behind(b)).count();
        self.batches.insert(at, batch);
    }
}
