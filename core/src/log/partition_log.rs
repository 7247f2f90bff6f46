use super::{Batch, EndedTransaction, EpochCache, ProducerSnapshots, ProducerStates};
use crate::partition::epochs::{EpochEnd, LogView};
use crate::settings::Rules;
use crate::settings::rules::{
    BelowStart, EpochAssignment, EpochBeforeFirst, EpochEntries, MessageFormat, RememberedBatches,
    UnknownProducer,
};
use crate::words::{ErrorCode, LeaderEpoch, Micros, Offset, SharedVec};
use alloc::vec::Vec;

/// A file of the log.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Segment {
    pub(super) base: Offset,
    bytes: u64,
    /// When its first batch was appended.
    first_at: Micros,
}

/// What logs are like in a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogRules {
    /// See [`Rules::epoch_entries`].
    pub epoch_entries: EpochEntries,
    /// See [`Rules::epoch_assignment`].
    pub epoch_assignment: EpochAssignment,
    /// See [`Rules::epoch_before_first`].
    pub epoch_before_first: EpochBeforeFirst,
    /// See [`Rules::message_format`].
    pub message_format: MessageFormat,
    /// See [`Rules::remembered_batches`].
    pub remembered_batches: RememberedBatches,
    /// See [`Rules::unknown_producer`].
    pub unknown_producer: UnknownProducer,
    /// See [`Rules::rebuild_snapshot`].
    pub rebuild_snapshot: bool,
    /// See [`Rules::below_start`].
    pub below_start: BelowStart,
    /// See [`Rules::empty_transaction`].
    pub empty_transaction: bool,
}

impl LogRules {
    /// Of the release's switches.
    pub fn of(rules: &Rules) -> LogRules {
        LogRules {
            epoch_entries: rules.epoch_entries,
            epoch_assignment: rules.epoch_assignment,
            epoch_before_first: rules.epoch_before_first,
            message_format: rules.message_format,
            remembered_batches: rules.remembered_batches,
            unknown_producer: rules.unknown_producer,
            rebuild_snapshot: rules.rebuild_snapshot,
            below_start: rules.below_start,
            empty_transaction: rules.empty_transaction,
        }
    }
}

/// One replica's log: what is in the page cache and on disk.
#[derive(Clone, Debug)]
pub struct Log {
    pub(super) rules: LogRules,
    /// In order of offset.
    pub(super) batches: SharedVec<Batch>,
    pub(super) start: Offset,
    pub(super) end: Offset,
    /// At least one; the last is active.
    pub(super) segments: Vec<Segment>,
    /// The recovery point in memory: everything below has been flushed (R1.4, R1.7).
    pub(super) flushed: Offset,
    /// Everything below is on disk. After an unclean stop the process does not know that any more
    /// (R1.18), but no power loss takes it (R1.24).
    durable: Offset,
    pub(super) last_flush: Micros,
    pub(super) epochs: EpochCache,
    pub(super) producers: ProducerStates,
    pub(super) snapshots: ProducerSnapshots,
    /// The index of aborted transactions.
    pub(super) aborted: Vec<EndedTransaction>,
    /// From each of these offsets to the end of its segment there is garbage.
    pub(super) damage: Vec<Offset>,
}

/// What an append did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Appended {
    /// Offset of the first record.
    pub first: Offset,
    /// Offset of the last record.
    pub last: Offset,
    /// Base of the segment that was begun for it, if one was (R1.3).
    pub rolled: Option<Offset>,
}

/// Why an append did not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AppendError {
    /// The client's fault (R1.3).
    Refused(ErrorCode),
    /// A follower was given offsets that do not continue its log (R1.1).
    NotContiguous,
    /// The offsets of what a follower was given do not grow.
    OutOfOrder,
}

/// What a truncation took away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Truncation {
    /// The log end before.
    pub from: Offset,
    /// The log end now.
    pub to: Offset,
}

impl Log {
    /// An empty log that starts at `start`.
    pub fn new(start: Offset, rules: LogRules, now: Micros) -> Log {
        Log {
            rules,
            batches: SharedVec::default(),
            start,
            end: start,
            segments: alloc::vec![Segment { base: start, bytes: 0, first_at: now }],
            flushed: start,
            durable: start,
            last_flush: now,
            epochs: EpochCache::default(),
            producers: ProducerStates::new(start),
            snapshots: ProducerSnapshots::new(start),
            aborted: Vec::new(),
            damage: Vec::new(),
        }
    }

    /// First readable offset.
    pub fn start(&self) -> Offset {
        self.start
    }

    /// Log end offset, LEO (R0.1).
    pub fn end(&self) -> Offset {
        self.end
    }

    /// The recovery point in memory: everything below is on disk, as far as the process knows
    /// (R1.7).
    pub fn flushed(&self) -> Offset {
        self.flushed
    }

    /// Everything below is on disk, and no power loss takes it (R1.24).
    pub fn durable(&self) -> Offset {
        self.durable.max(self.flushed)
    }

    /// When records were last flushed, or the log was opened; for `log.flush.interval.ms` (R1.7).
    pub fn last_flush(&self) -> Micros {
        self.last_flush
    }

    /// History of leader epochs.
    pub fn epochs(&self) -> &EpochCache {
        &self.epochs
    }

    /// What is known of idempotent producers.
    pub fn producers(&self) -> &ProducerStates {
        &self.producers
    }

    /// See [`Log::producers`].
    pub fn producers_mut(&mut self) -> &mut ProducerStates {
        &mut self.producers
    }

    /// What logs are like in its release.
    pub fn rules(&self) -> &LogRules {
        &self.rules
    }

    /// Aborted transactions, in order of their markers.
    pub fn aborted(&self) -> &[EndedTransaction] {
        &self.aborted
    }

    /// Base offsets of its segments; the last is the active one.
    pub fn segments(&self) -> impl Iterator<Item = Offset> {
        self.segments.iter().map(|s| s.base)
    }

    /// All batches, oldest first.
    pub fn batches(&self) -> impl DoubleEndedIterator<Item = &Batch> {
        self.batches.iter()
    }

    /// The batches from the one that holds `offset` on.
    pub fn batches_from(&self, offset: Offset) -> impl Iterator<Item = &Batch> {
        self.batches.iter_from(self.batches.partition_point(|b| b.end() <= offset))
    }

    /// The batch that holds `offset`.
    pub fn batch_at(&self, offset: Offset) -> Option<&Batch> {
        self.batches_from(offset).next().filter(|b| b.base <= offset)
    }

    /// What a fetch from `offset` gets: whole batches below `limit`, at most `max_bytes` of them
    /// but always one (R2.27).
    pub fn read(&self, offset: Offset, limit: Offset, max_bytes: i64) -> Vec<Batch> {
        let mut bytes = 0;
        let mut got = Vec::new();
        for batch in self.batches_from(offset).take_while(|b| b.end() <= limit) {
            bytes += i64::from(batch.bytes);
            if !got.is_empty() && bytes > max_bytes {
                break;
            }
            got.push(batch.clone());
        }
        got
    }

    /// Where `epoch` ends in this log (R3.11).
    pub fn end_offset_for(&self, epoch: LeaderEpoch) -> Option<EpochEnd> {
        self.view().end_of(epoch)
    }

    /// The log as the rules of truncation see it.
    pub fn view(&self) -> LogView<'_> {
        LogView {
            start: self.start,
            end: self.end,
            epochs: self.epochs.entries(),
            before_first: self.rules.epoch_before_first,
        }
    }

    /// A leader's append: gives the batch its offsets and the leader's epoch (R1.1).
    pub fn append_as_leader(
        &mut self,
        mut batch: Batch,
        epoch: LeaderEpoch,
        limits: SegmentLimits,
        now: Micros,
    ) -> Result<Appended, AppendError> {
        batch.base = self.end;
        if self.rules.message_format == MessageFormat::RecordBatch {
            batch.epoch = epoch;
            return self.append(batch, limits, now);
        }
        // The old format: a set of messages, each of which is kept or lost by itself (R1.2).
        batch.epoch = -1;
        if u64::from(batch.bytes) > limits.bytes {
            return Err(AppendError::Refused(ErrorCode::RecordListTooLarge));
        }
        // A set is written into one segment.
        let rolled = self.roll_before(u64::from(batch.bytes), limits, now);
        let whole = SegmentLimits { bytes: u64::MAX, age: Micros::NEVER };
        let first = batch.base;
        let bytes = self.unit_bytes(batch.bytes, batch.records.len());
        for (record, base) in batch.records.iter().zip(first..) {
            let message = Batch { base, bytes, records: [*record].into(), ..batch.clone() };
            self.append(message, whole, now)?;
        }
        Ok(Appended { first, last: self.end - 1, rolled })
    }

    /// How large each part of a batch is that is kept or lost by itself: in the old format each
    /// message (R1.2).
    pub fn unit_bytes(&self, bytes: u32, records: usize) -> u32 {
        match self.rules.message_format {
            MessageFormat::MessageSet => bytes / records.max(1) as u32,
            MessageFormat::RecordBatch => bytes,
        }
    }

    /// Whether what a fetch brought may be appended at all: its offsets grow (R1.1).
    pub fn check_order(batches: &[Batch]) -> Result<(), AppendError> {
        let grows = batches.windows(2).all(|pair| pair[0].end() <= pair[1].base);
        if grows { Ok(()) } else { Err(AppendError::OutOfOrder) }
    }

    /// A follower's append: keeps offsets and epochs (R1.1). An empty log may begin earlier than it
    /// did, if the batch contains its start: the leader's log may start within a batch.
    pub fn append_as_follower(
        &mut self,
        batch: Batch,
        limits: SegmentLimits,
        now: Micros,
    ) -> Result<Appended, AppendError> {
        if batch.base < self.end {
            if self.start < self.end || batch.last() < self.end {
                return Err(AppendError::NotContiguous);
            }
            self.truncate_fully(batch.base, batch.base, now);
        }
        self.append(batch, limits, now)
    }

    fn append(
        &mut self,
        batch: Batch,
        limits: SegmentLimits,
        now: Micros,
    ) -> Result<Appended, AppendError> {
        let bytes = u64::from(batch.bytes);
        if bytes > limits.bytes {
            return Err(AppendError::Refused(ErrorCode::RecordListTooLarge));
        }
        let rolled = self.roll_before(bytes, limits, now);
        let active = self.active();
        if active.bytes == 0 {
            active.first_at = now;
        }
        active.bytes += bytes;
        if self.rules.epoch_entries != EpochEntries::None {
            self.epochs.assign(self.rules.epoch_assignment, batch.epoch, batch.base);
        }
        self.note_producer(&batch, now);
        let appended = Appended { first: batch.base, last: batch.last(), rolled };
        self.end = batch.end();
        self.batches.push(batch);
        Ok(appended)
    }

    /// Begins a new segment if the active one is too full or too old for the batch (R1.3). Closed
    /// segments become durable soon after (R1.4); here at once.
    fn roll_before(&mut self, bytes: u64, limits: SegmentLimits, now: Micros) -> Option<Offset> {
        let active = *self.active();
        let full = active.bytes > limits.bytes - bytes;
        let old = active.bytes > 0 && now.since(active.first_at) > limits.age;
        if !full && !old {
            return None;
        }
        Some(self.roll(true, now))
    }

    /// Begins a new segment at the log end. What is below becomes durable, if the snapshot of
    /// producers can be written.
    pub fn roll(&mut self, snapshot_works: bool, now: Micros) -> Offset {
        let base = self.end;
        self.segments.push(Segment { base, bytes: 0, first_at: now });
        if snapshot_works {
            self.snapshots.take(&self.producers);
            self.flushed = self.flushed.max(base);
            self.durable = self.durable.max(base);
        }
        base
    }

    pub(super) fn note_producer(&mut self, batch: &Batch, now: Micros) {
        let ended = self.producers.append(&self.rules, batch, now);
        self.aborted.extend(ended.filter(|t| t.aborted));
    }

    pub(super) fn active(&mut self) -> &mut Segment {
        self.segments.last_mut().expect("a log has an active segment")
    }

    /// A new leader notes where its epoch begins (R4.3).
    pub fn begin_epoch(&mut self, epoch: LeaderEpoch) {
        self.epochs.begin(&self.rules, epoch, self.end);
    }

    /// Makes everything durable; true if something was not.
    pub fn flush(&mut self, now: Micros) -> bool {
        let had = self.flushed < self.end;
        if had {
            self.last_flush = now;
        }
        self.flushed = self.end;
        self.durable = self.end;
        had
    }

    /// Cuts the log at `to` (R1.26). A `to` at or behind the end changes no data but drops epochs
    /// that begin there.
    pub fn truncate_to(&mut self, to: Offset, now: Micros) -> Option<Truncation> {
        self.epochs.truncate_from_end(to.min(self.end));
        if to >= self.end {
            return None;
        }
        if to < self.start {
            return Some(self.truncate_fully(to, to, now));
        }
        let from = self.end;
        self.batches.truncate(self.batches.partition_point(|b| b.end() <= to));
        self.end_at(self.batches.last().map_or(self.start, Batch::end).max(self.start));
        Some(Truncation { from, to: self.end })
    }

    /// Drops everything and goes on at `end` (R1.27). `start`, usually the same, is what its first
    /// readable offset counts as: one that is lower has its records elsewhere.
    pub fn truncate_fully(&mut self, end: Offset, start: Offset, now: Micros) -> Truncation {
        let from = self.end;
        *self = Log { start: start.min(end), ..Log::new(end, self.rules, now) };
        Truncation { from, to: end }
    }

    pub(super) fn end_at(&mut self, end: Offset) {
        self.end = end;
        self.flushed = self.flushed.min(end);
        self.durable = self.durable.min(end);
        self.epochs.truncate_from_end(end);
        while self.segments.len() > 1 && self.segments.last().is_some_and(|s| s.base > end) {
            self.segments.pop();
        }
        let base = self.active().base;
        let bytes = self.batches_from(base).map(|b| u64::from(b.bytes)).sum();
        self.active().bytes = bytes;
        self.aborted.retain(|t| t.last < end);
        self.rebuild_producers(end);
    }

    /// Power is lost: what lies at or behind `from` is gone, and with it a batch that is cut in
    /// two. The epoch file is not touched: its writes are flushed (R1.21, R1.25).
    pub fn lose_from(&mut self, from: Offset) -> Option<Truncation> {
        if from >= self.end {
            return None;
        }
        let before = self.end;
        let epochs = self.epochs.clone();
        self.batches.truncate(self.batches.partition_point(|b| b.end() <= from));
        self.end_at(self.batches.last().map_or(self.start, Batch::end).max(self.start));
        self.epochs = epochs;
        Some(Truncation { from: before, to: self.end })
    }
}

/// When a segment is full (R1.3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SegmentLimits {
    /// `segment.bytes` / `log.segment.bytes`.
    pub bytes: u64,
    /// `segment.ms` / `log.roll.hours`.
    pub age: Micros,
}
