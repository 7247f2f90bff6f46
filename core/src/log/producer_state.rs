use super::batch::add_sequence;
use super::{Batch, ProducerStamp};
use crate::words::{ErrorCode, Map, Offset};
use alloc::vec::Vec;

/// How many batches of a producer are remembered (R6.16).
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
}

/// What a replica knows of its producers (R6.16, R6.17). It follows from the log's batches.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProducerStates(Map<i64, ProducerEntry>);

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
    /// Checks a client's batch of `count` records before the append (R6.16).
    pub fn check(&self, stamp: &ProducerStamp, count: usize) -> SequenceCheck {
        let Some(entry) = self.0.get(&stamp.id) else {
            // (4) Nothing is known of this producer: any sequence is accepted [≥2.5].
            return SequenceCheck::Next;
        };
        let last_sequence = stamp.last_sequence(count);
        let same = |b: &&Remembered| {
            b.first_sequence == stamp.first_sequence && b.last_sequence == last_sequence
        };
        if stamp.epoch == entry.epoch
            && let Some(known) = entry.batches.iter().find(same)
        {
            return SequenceCheck::Duplicate { first: known.first, last: known.last };
        }
        let expected = match entry.batches.last() {
            _ if stamp.epoch < entry.epoch => {
                return SequenceCheck::Refused(ErrorCode::InvalidProducerEpoch);
            }
            _ if stamp.epoch > entry.epoch => 0,
            Some(newest) => add_sequence(newest.last_sequence, 1),
            None => return SequenceCheck::Next,
        };
        if stamp.first_sequence == expected {
            SequenceCheck::Next
        } else {
            SequenceCheck::Refused(ErrorCode::OutOfOrderSequenceNumber)
        }
    }

    /// Remembers a batch that was appended.
    pub fn append(&mut self, batch: &Batch) {
        let Some(stamp) = &batch.producer else { return };
        let entry = self
            .0
            .entry(stamp.id)
            .or_insert_with(|| ProducerEntry { epoch: stamp.epoch, batches: Vec::new() });
        if entry.epoch != stamp.epoch {
            entry.epoch = stamp.epoch;
            entry.batches.clear();
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
    }

    /// Reads the state anew from a log's batches (R1.15, R6.17).
    pub fn rebuilt<'a>(batches: impl Iterator<Item = &'a Batch>) -> ProducerStates {
        let mut states = ProducerStates::default();
        batches.for_each(|b| states.append(b));
        states
    }
}
