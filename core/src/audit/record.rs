//! The account of one record, and what is counted over all of them.

use crate::words::{BrokerId, ClientId, ErrorCode, EventId, Offset, PartitionId};
use alloc::vec::Vec;

/// What a producer was told of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Answer {
    /// Nothing yet.
    #[default]
    Pending,
    /// It is written, at that offset (−1: acks=0).
    Acked(Offset),
    /// It was given up.
    Failed(ErrorCode),
}

/// What became of a record, beside its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordFlags {
    /// It was below a leader's HW at some time.
    pub committed: bool,
    /// A leader was chosen that lacks it, or its last copy is gone.
    pub lost: bool,
    /// A leader had it twice.
    pub duplicated: bool,
    /// A leader appended it behind one that was handed over later.
    pub reordered: bool,
    /// It was sent with acks=all.
    pub acks_all: bool,
    /// Its producer is idempotent.
    pub idempotent: bool,
}

/// One record's account.
#[derive(Clone, Debug, Default)]
pub struct LedgerRecord {
    /// Its producer.
    pub producer: ClientId,
    /// Its partition, once a leader appended it.
    pub partition: Option<PartitionId>,
    /// Its offset at the leader that appended it last.
    pub offset: Option<Offset>,
    /// How often it was sent.
    pub attempts: u32,
    /// What its producer was told.
    pub answer: Answer,
    /// What became of it.
    pub flags: RecordFlags,
    /// The brokers whose logs hold it, with how often.
    pub on: Vec<(BrokerId, u16)>,
    /// The consumers that read it, once for each time.
    pub read_by: Vec<ClientId>,
    /// Its events, oldest first.
    pub events: Vec<EventId>,
}

impl LedgerRecord {
    pub(super) fn copies_on(&self, broker: BrokerId) -> u16 {
        self.on.iter().find(|(b, _)| *b == broker).map_or(0, |(_, n)| *n)
    }

    pub(super) fn add_copy(&mut self, broker: BrokerId) {
        match self.on.iter_mut().find(|(b, _)| *b == broker) {
            Some((_, n)) => *n += 1,
            None => self.on.push((broker, 1)),
        }
    }

    pub(super) fn drop_copy(&mut self, broker: BrokerId) {
        if let Some((_, n)) = self.on.iter_mut().find(|(b, _)| *b == broker) {
            *n -= 1;
        }
        self.on.retain(|(_, n)| *n > 0);
    }
}

/// Elections so far (R4.8, R5.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Elections {
    /// All that found a leader.
    pub held: u32,
    /// Those of them that took one from outside ISR and ELR.
    pub unclean: u32,
}

/// Totals over all records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Handed to producers.
    pub sent: u32,
    /// Acknowledged.
    pub acked: u32,
    /// Committed.
    pub committed: u32,
    /// Given up by producers.
    pub failed: u32,
    /// Of these, after a time-out: the outcome is unknown to the application.
    pub timed_out: u32,
    /// Produce requests that brokers refused before the append.
    pub refused: u32,
    /// Lost.
    pub lost: u32,
    /// Lost although acknowledged.
    pub acked_lost: u32,
    /// Duplicated.
    pub duplicated: u32,
    /// Reordered.
    pub reordered: u32,
    /// Read by consumers, every time counted.
    pub read: u32,
}

/// Counts of one producer's records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProducerCounts {
    /// Handed over.
    pub sent: u32,
    /// Acknowledged.
    pub acked: u32,
    /// Given up.
    pub failed: u32,
    /// Given up because of `NOT_ENOUGH_REPLICAS`.
    pub refused: u32,
    /// Neither.
    pub pending: u32,
}

impl ProducerCounts {
    /// The count of records with that answer.
    pub(super) fn of(&mut self, answer: Answer) -> &mut u32 {
        match answer {
            Answer::Pending => &mut self.pending,
            Answer::Acked(_) => &mut self.acked,
            Answer::Failed(_) => &mut self.failed,
        }
    }
}
