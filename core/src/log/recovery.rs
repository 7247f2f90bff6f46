//! What a start makes of a log (R1.13–R1.19), and what a stop leaves.

use super::partition_log::Segment;
use super::{Batch, Log};
use crate::words::{LeaderEpoch, Micros, Offset};
use alloc::vec::Vec;

impl Log {
    /// Reads producers anew, up to `end`: the last snapshot, and the batches behind it (R1.15,
    /// R6.17).
    pub(super) fn rebuild_producers(&mut self, end: Offset) {
        let (start, ever) = (self.start, Micros::NEVER);
        self.snapshots.reload(&self.rules, &mut self.producers, start, end, Micros::ZERO, ever);
        self.replay(self.producers.end().max(start), end);
        if self.rules.rebuild_snapshot {
            self.snapshots.take(&self.producers);
        }
    }

    /// Takes the batches of `from … end` into account.
    fn replay(&mut self, from: Offset, end: Offset) {
        self.aborted.retain(|t| t.last < from);
        let batches: Vec<Batch> =
            self.batches_from(from).take_while(|b| b.base < end).cloned().collect();
        for batch in batches {
            self.note_producer(&batch, batch.appended);
        }
        self.producers.advance_end(end);
    }

    /// A clean stop: everything is flushed, and producers are written down (R1.12).
    pub fn close(&mut self, now: Micros) {
        self.flush(now);
        self.snapshots.take(&self.producers);
    }

    /// Offsets of the producers' snapshots.
    pub fn snapshots(&self) -> impl Iterator<Item = Offset> {
        self.snapshots.offsets()
    }

    /// Writes down what is known of producers now.
    pub fn take_snapshot(&mut self) {
        self.snapshots.take(&self.producers);
    }

    /// A snapshot that was not there appears, saying what is known now.
    pub fn put_snapshot(&mut self, offset: Offset) {
        self.snapshots.put(offset, self.producers.snapshot());
    }

    /// Snapshots that `keep` refuses are gone.
    pub fn retain_snapshots(&mut self, keep: impl Fn(Offset) -> bool) {
        self.snapshots.retain(keep);
    }

    /// Entries of the epoch file that begin at or behind `end` are gone.
    pub fn truncate_epochs(&mut self, end: Offset) {
        self.epochs.truncate_from_end(end);
    }

    /// The epoch file says that `epoch` begins at the log end.
    pub fn put_epoch(&mut self, epoch: LeaderEpoch) {
        self.epochs.assign(self.rules.epoch_assignment, epoch, self.end);
    }

    /// Records below `start` cannot be read any more; their files stay for now.
    pub fn raise_start(&mut self, start: Offset) {
        self.start = self.start.max(start).min(self.end);
        self.epochs.truncate_from_start(self.start);
        self.producers.take_hw(self.start);
        self.producers.take_start(&self.rules, self.start);
    }

    /// A producer is about to write to a transaction; its state is verified first, unless it has one
    /// open already (KIP-890).
    pub fn begin_verification(&mut self, producer: i64, sequence: i32, epoch: i16, now: Micros) {
        if !self.producers.has_open_transaction(producer) {
            self.producers.begin_verification(producer, sequence, epoch, now);
        }
    }

    /// Files that are wholly below the start go, but never the active one; a snapshot goes with its
    /// segment.
    pub fn delete_old_segments(&mut self) {
        while let [old, next, ..] = *self.segments.as_slice()
            && next.base <= self.start
        {
            self.segments.remove(0);
            self.snapshots.retain(|o| o != old.base);
        }
    }

    /// From `offset` to the end of its segment there is garbage.
    pub fn damage_from(&mut self, offset: Offset) {
        self.damage.push(offset);
    }

    /// What loading does, after a clean stop or by recovery (R1.13, R1.15–R1.18): epochs that begin
    /// at or behind the end go; the recovery point is the checkpointed one, or the end after a
    /// clean stop. The clock of flushes by age begins at `now` (R1.7).
    pub fn load(&mut self, clean: bool, checkpointed: Offset, now: Micros) {
        self.last_flush = now;
        let bases: Vec<Offset> = self.segments().collect();
        self.snapshots.remove_stray(&bases);
        // What the process knew is gone.
        self.producers = super::ProducerStates::new(self.start);
        if clean {
            self.flushed = self.end;
        } else {
            self.recover(checkpointed);
            self.flushed = checkpointed.min(self.end).max(self.start);
        }
        self.epochs.truncate_from_end(self.end);
        self.epochs.truncate_from_start(self.start);
        self.rebuild_producers(self.end);
    }

    /// Reads segments again from the one that holds the recovery point on (R1.15); cuts at the
    /// first damage, and deletes what lies behind (R1.16). What is below is trusted (R1.17).
    fn recover(&mut self, checkpointed: Offset) {
        let unflushed = self.segments.partition_point(|s| s.base <= checkpointed).max(1) - 1;
        for index in unflushed..self.segments.len() {
            if self.recover_segment(index) {
                break;
            }
        }
        if self.end < self.start {
            // It would end before it begins: it begins anew, empty.
            self.truncate_fully(self.start, self.start, Micros::ZERO);
        }
    }

    /// Reads one segment again; true if it was cut.
    pub fn recover_segment(&mut self, index: usize) -> bool {
        let Some(Segment { base, .. }) = self.segments.get(index).copied() else { return true };
        let next = self.segments.get(index + 1).map(|s| s.base);
        let end = next.unwrap_or(self.end);
        let in_it = |d: &Offset| *d >= base && next.is_none_or(|n| *d < n);
        let damaged = self.damage.iter().copied().filter(in_it).min();
        self.damage.retain(|d| !in_it(d));
        let cut = damaged.filter(|d| *d < end);
        if let Some(at) = cut {
            self.batches.truncate(self.batches.partition_point(|b| b.end() <= at));
            self.segments.truncate(index + 1);
            self.damage.clear();
            let epochs = self.epochs.clone();
            let whole = self.batches.last().map_or(base, Batch::end).max(base);
            self.end_at(whole);
            self.epochs = epochs;
        }
        self.rebuild_producers(base);
        let to = end.min(self.end);
        self.replay(base, to);
        self.snapshots.take(&self.producers);
        let newer: Vec<(i32, Offset)> = self
            .batches_from(base)
            .take_while(|b| b.base < to)
            .map(|b| (b.epoch, b.base))
            .collect();
        for (epoch, start) in newer {
            if epoch > self.epochs.latest_epoch() {
                self.epochs.assign(self.rules.epoch_assignment, epoch, start);
            }
        }
        cut.is_some()
    }
}
