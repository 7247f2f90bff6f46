use super::batch::add_sequence;
use super::{Batch, BatchKind, LogRules, ProducerStamp};
use crate::settings::rules::{BelowStart, RememberedBatches, UnknownProducer};
use crate::words::{ErrorCode, Map, Micros, Offset};
use alloc::vec::Vec;

/// How many batches of a producer are kept at most (R6.16).
const REMEMBERED: usize = 5;

/// A batch that a producer wrote.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Remembered {
    first_sequence: i32,
    last_sequence: i32,
    first: Offset,
    last: Offset,
}

/// What a replica knows of one producer.
#[derive(Clone, PartialEq, Debug)]
struct ProducerEntry {
    epoch: i16,
    batches: Vec<Remembered>,
    /// First offset of its open transaction.
    transaction: Option<Offset>,
    coordinator_epoch: i32,
    last_heard: Micros,
}

impl ProducerEntry {
    fn of_epoch(epoch: i16) -> ProducerEntry {
        ProducerEntry {
            epoch,
            batches: Vec::new(),
            transaction: None,
            coordinator_epoch: -1,
            last_heard: Micros::ZERO,
        }
    }

    /// The producer's next incarnation forgets the sequences of those before.
    fn take_epoch(&mut self, epoch: i16) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.batches.clear();
        }
    }
}

/// A producer that is about to write to a transaction, whose state is being verified (KIP-890).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verification {
    /// The lowest sequence that was seen meanwhile.
    pub lowest_sequence: i32,
    /// Its epoch.
    pub epoch: i16,
    began: Micros,
}

/// A transaction that a marker has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndedTransaction {
    /// Whose it was.
    pub producer: i64,
    /// Its first offset.
    pub first: Offset,
    /// Offset of the marker.
    pub last: Offset,
    /// Whether it was aborted.
    pub aborted: bool,
    /// The last stable offset once the marker is below the HW: the first offset of any transaction
    /// that is still open, or the offset behind the marker.
    pub stable: Offset,
}

/// What is known of one producer, to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProducerView {
    /// Its epoch.
    pub epoch: i16,
    /// First sequence of the oldest remembered batch; −1 is none.
    pub first_sequence: i32,
    /// Last sequence of the newest.
    pub last_sequence: i32,
    /// First offset of the oldest.
    pub first: Offset,
    /// Last offset of the newest.
    pub last: Offset,
    /// First offset of its open transaction.
    pub transaction: Option<Offset>,
    /// Epoch of the coordinator that ended the last one.
    pub coordinator_epoch: i32,
}

/// What a replica knows of its producers (R6.16, R6.17). It follows from the log's batches.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProducerStates {
    producers: Map<i64, ProducerEntry>,
    /// Transactions whose marker the HW has not passed.
    ended: Vec<EndedTransaction>,
    verifications: Map<i64, Verification>,
    /// The offset behind the last that it took into account.
    end: Offset,
}

/// Outcome of the sequence check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceCheck {
    /// The batch continues the sequence.
    Next,
    /// The batch is in the log already, at these offsets.
    Duplicate {
        /// Offset of its first record.
        first: Offset,
        /// Offset of its last record.
        last: Offset,
    },
    /// The batch must not be appended.
    Refused(ErrorCode),
}

impl ProducerStates {
    /// Nothing is known; the log begins at `start`.
    pub fn new(start: Offset) -> ProducerStates {
        ProducerStates { end: start, ..ProducerStates::default() }
    }

    /// Checks a client's batch of `count` records before the append: is it a repeat, and if not,
    /// does it fit (R6.16)?
    pub fn check(&self, rules: &LogRules, stamp: &ProducerStamp, count: usize) -> SequenceCheck {
        match self.repeated(rules.remembered_batches, stamp, count) {
            Some((first, last)) => SequenceCheck::Duplicate { first, last },
            None => match self.validate(rules, stamp, count) {
                Ok(()) => SequenceCheck::Next,
                Err(error) => SequenceCheck::Refused(error),
            },
        }
    }

    /// The offsets of the remembered batch that `stamp` repeats: the same epoch, first and last
    /// sequence (R6.16 1).
    pub fn repeated(
        &self,
        rule: RememberedBatches,
        stamp: &ProducerStamp,
        count: usize,
    ) -> Option<(Offset, Offset)> {
        let window = match rule {
            RememberedBatches::None => 0,
            RememberedBatches::Last => 1,
            RememberedBatches::Five => REMEMBERED,
        };
        let entry = self.producers.get(&stamp.id).filter(|e| e.epoch == stamp.epoch)?;
        let known = entry.batches.iter().rev().take(window).find(|b| b.is(stamp, count));
        known.map(|b| (b.first, b.last))
    }

    /// Whether a client's batch fits behind what its producer wrote before (R6.16 2–5).
    pub fn validate(
        &self,
        rules: &LogRules,
        stamp: &ProducerStamp,
        count: usize,
    ) -> Result<(), ErrorCode> {
        if rules.remembered_batches == RememberedBatches::None {
            return Ok(());
        }
        let known = self.producers.get(&stamp.id);
        if known.is_some_and(|e| stamp.epoch < e.epoch) {
            return Err(ErrorCode::InvalidProducerEpoch);
        }
        let verified = self.verifications.get(&stamp.id);
        if verified.is_some_and(|v| stamp.first_sequence > v.lowest_sequence) {
            return Err(ErrorCode::OutOfOrderSequenceNumber);
        }
        let Some(entry) = known else {
            return match rules.unknown_producer {
                _ if stamp.first_sequence == 0 => Ok(()),
                UnknownProducer::Accepted => Ok(()),
                UnknownProducer::OutOfOrder => Err(ErrorCode::OutOfOrderSequenceNumber),
                UnknownProducer::UnknownId => Err(ErrorCode::UnknownProducerId),
            };
        };
        let newest = entry.batches.last().filter(|_| stamp.epoch == entry.epoch);
        let expected = newest.map_or(0, |b| add_sequence(b.last_sequence, 1));
        if stamp.first_sequence == expected {
            Ok(())
        } else if rules.remembered_batches == RememberedBatches::Last
            && newest.is_some_and(|b| b.is(stamp, count))
        {
            Err(ErrorCode::DuplicateSequenceNumber)
        } else {
            Err(ErrorCode::OutOfOrderSequenceNumber)
        }
    }

    /// Whether a producer may write outside a transaction: not while it has one open.
    pub fn validate_kind(&self, producer: i64, kind: &BatchKind) -> Result<(), ErrorCode> {
        if self.has_open_transaction(producer) && *kind == BatchKind::Plain {
            return Err(ErrorCode::InvalidTxnState);
        }
        Ok(())
    }

    /// Whether a coordinator may write a marker: neither for an older epoch of the producer than is
    /// known, nor as an older coordinator than the last.
    pub fn validate_marker(
        &self,
        producer: i64,
        epoch: i16,
        coordinator_epoch: i32,
    ) -> Result<(), ErrorCode> {
        match self.producers.get(&producer) {
            Some(entry) if epoch < entry.epoch => Err(ErrorCode::InvalidProducerEpoch),
            Some(entry) if coordinator_epoch < entry.coordinator_epoch => {
                Err(ErrorCode::TransactionCoordinatorFenced)
            }
            _ => Ok(()),
        }
    }

    /// Remembers a batch that was appended; the transaction that it ends, if it ends one.
    pub fn append(
        &mut self,
        rules: &LogRules,
        batch: &Batch,
        now: Micros,
    ) -> Option<EndedTransaction> {
        self.end = batch.end();
        let stamp = batch.producer.as_ref()?;
        let new = || ProducerEntry::of_epoch(stamp.epoch);
        let entry = self.producers.entry(stamp.id).or_insert_with(new);
        entry.take_epoch(stamp.epoch);
        entry.last_heard = now;
        if batch.kind != BatchKind::Plain {
            self.verifications.remove(&stamp.id);
        }
        if let BatchKind::Marker { aborted, coordinator_epoch } = batch.kind {
            entry.coordinator_epoch = coordinator_epoch;
            let empty = rules.empty_transaction.then_some(batch.base);
            let first = entry.transaction.take().or(empty)?;
            let (producer, last) = (stamp.id, batch.last());
            let stable = self.first_undecided().unwrap_or(last + 1);
            let ended = EndedTransaction { producer, first, last, aborted, stable };
            self.ended.push(ended);
            return Some(ended);
        }
        if batch.kind == BatchKind::Transactional {
            entry.transaction.get_or_insert(batch.base);
        }
        if entry.batches.len() == REMEMBERED {
            entry.batches.remove(0);
        }
        entry.batches.push(Remembered {
            first_sequence: stamp.first_sequence,
            last_sequence: stamp.last_sequence(batch.records.len()),
            first: batch.base,
            last: batch.last(),
        });
        None
    }

    /// A producer is about to write to a transaction; its state is verified first (KIP-890).
    pub fn begin_verification(&mut self, producer: i64, sequence: i32, epoch: i16, now: Micros) {
        let new = Verification { lowest_sequence: sequence, epoch, began: now };
        let known = self.verifications.entry(producer).or_insert_with(|| new);
        if epoch > known.epoch {
            *known = Verification { began: known.began, ..new };
        } else if epoch == known.epoch {
            known.lowest_sequence = known.lowest_sequence.min(sequence);
        }
    }

    /// A verification under way.
    pub fn verification(&self, producer: i64) -> Option<Verification> {
        self.verifications.get(&producer).copied()
    }

    /// Whether a producer has a transaction open.
    pub fn has_open_transaction(&self, producer: i64) -> bool {
        self.producers.get(&producer).is_some_and(|e| e.transaction.is_some())
    }

    /// First offset of a transaction without marker.
    pub fn first_undecided(&self) -> Option<Offset> {
        self.producers.values().filter_map(|e| e.transaction).min()
    }

    /// First offset of a transaction that has no marker below the HW: what `read_committed` readers
    /// stop at.
    pub fn first_unstable(&self) -> Option<Offset> {
        self.ended.iter().map(|t| t.first).chain(self.first_undecided()).min()
    }

    /// The HW has moved: transactions with a marker below it are stable.
    pub fn take_hw(&mut self, hw: Offset) {
        self.ended.retain(|t| t.last >= hw);
    }

    /// The log begins at `start` now.
    pub fn take_start(&mut self, rules: &LogRules, start: Offset) {
        if rules.below_start == BelowStart::Forgets {
            self.producers.retain(|_, e| e.batches.last().is_some_and(|b| b.last >= start));
        }
    }

    /// Forgets producers that were idle for `idle`, but none with an open transaction, and
    /// verifications that are as old (R6.17).
    pub fn expire(&mut self, now: Micros, idle: Micros) {
        let kept = |e: &ProducerEntry| e.transaction.is_some() || now.since(e.last_heard) < idle;
        self.producers.retain(|_, e| kept(e));
        self.verifications.retain(|_, v| now.since(v.began) < idle);
    }

    /// What a snapshot keeps: of each producer the last batch only.
    pub fn snapshot(&self) -> ProducerStates {
        let mut snapshot = ProducerStates { ended: Vec::new(), ..self.clone() };
        snapshot.verifications.clear();
        for entry in snapshot.producers.iter_mut().map(|(_, e)| e) {
            let older = entry.batches.len().saturating_sub(1);
            entry.batches.drain(..older);
        }
        snapshot
    }

    /// The offset behind the last that it took into account.
    pub fn end(&self) -> Offset {
        self.end
    }

    /// Everything below `end` is taken into account.
    pub fn advance_end(&mut self, end: Offset) {
        self.end = end;
    }

    /// Known producers.
    pub fn active(&self) -> impl Iterator<Item = i64> {
        self.producers.keys().copied()
    }

    /// What is known of one.
    pub fn view(&self, producer: i64) -> Option<ProducerView> {
        let entry = self.producers.get(&producer)?;
        let (oldest, newest) = (entry.batches.first(), entry.batches.last());
        Some(ProducerView {
            epoch: entry.epoch,
            first_sequence: oldest.map_or(-1, |b| b.first_sequence),
            last_sequence: newest.map_or(-1, |b| b.last_sequence),
            first: oldest.map_or(-1, |b| b.first),
            last: newest.map_or(-1, |b| b.last),
            transaction: entry.transaction,
            coordinator_epoch: entry.coordinator_epoch,
        })
    }
}

impl Remembered {
    fn is(&self, stamp: &ProducerStamp, count: usize) -> bool {
        self.first_sequence == stamp.first_sequence
            && self.last_sequence == stamp.last_sequence(count)
    }
}
