use crate::words::{LeaderEpoch, Micros, Offset, PartitionId, RecordId};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Who wrote a batch, and where it stands in that producer's sequence (R6.15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProducerStamp {
    /// Producer id.
    pub id: i64,
    /// Producer epoch.
    pub epoch: i16,
    /// Sequence number of the batch's first record, counted per partition from 0; −1 is none, as
    /// in what a coordinator writes.
    pub first_sequence: i32,
}

/// Offsets that a group commits (R7.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupOffsets {
    /// The group.
    pub group: String,
    /// What is committed of each partition.
    pub offsets: Vec<(PartitionId, Committed)>,
}

/// What a group commits of a partition: the next offset to process, and the leader epoch of the
/// record before it, or −1 (R7.7).
pub type Committed = (Offset, LeaderEpoch);

/// What a batch is beside a client's records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BatchKind {
    /// Nothing.
    #[default]
    Plain,
    /// A group's offsets, in the offsets topic (R7.3).
    Offsets(Rc<GroupOffsets>),
    /// Part of its producer's transaction, which the first such batch opens (section 8).
    Transactional,
    /// The end of its producer's transaction.
    Marker {
        /// Whether it was aborted.
        aborted: bool,
        /// Epoch of the coordinator that wrote it.
        coordinator_epoch: i32,
    },
}

impl ProducerStamp {
    /// Sequence number of the last of `count` records; wraps from 2³¹ − 1 to 0 (R6.16).
    pub fn last_sequence(&self, count: usize) -> i32 {
        if self.first_sequence < 0 {
            return self.first_sequence;
        }
        add_sequence(self.first_sequence, count as i32 - 1)
    }
}

/// `sequence + n`, wrapping within 0 … 2³¹ − 1.
pub(super) fn add_sequence(sequence: i32, n: i32) -> i32 {
    ((i64::from(sequence) + i64::from(n)) & i64::from(i32::MAX)) as i32
}

/// The unit of the log (R1.2): records that were appended together and are kept or lost together.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// Offset of its first record.
    pub base: Offset,
    /// Epoch of the leader that appended it; −1 where the format has none (0.8).
    pub epoch: LeaderEpoch,
    /// Its size on disk, in bytes.
    pub bytes: u32,
    /// Its producer's stamp, if that is idempotent.
    pub producer: Option<ProducerStamp>,
    /// Its part in a transaction.
    pub kind: BatchKind,
    /// Its records, at least one.
    pub records: Rc<[RecordId]>,
    /// When its leader appended it.
    pub appended: Micros,
}

impl Batch {
    /// Its records from `offset` on: what a reader keeps that began in its middle.
    pub fn from(self, offset: Offset) -> Batch {
        let skip = (offset - self.base).clamp(0, self.records.len() as Offset);
        if skip == 0 {
            return self;
        }
        let records = self.records[skip as usize..].into();
        Batch { base: self.base + skip, records, ..self }
    }

    /// Offset of its last record.
    pub fn last(&self) -> Offset {
        self.end() - 1
    }

    /// The offset behind its last record.
    pub fn end(&self) -> Offset {
        self.base + self.records.len() as Offset
    }
}
