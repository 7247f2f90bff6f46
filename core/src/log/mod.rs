//! Floor 4: one replica's log on one disk (docs/protocol.md, section 1).

mod batch;
mod disk;
mod epoch_cache;
mod partition_log;
mod producer_snapshots;
mod producer_state;
mod recovery;

pub use batch::{Batch, BatchKind, Committed, GroupOffsets, ProducerStamp};
pub use disk::{CleanMark, Disk, broker_epoch_of, may_mark_clean, take_clean_mark};
pub use epoch_cache::EpochCache;
pub use partition_log::{AppendError, Appended, Log, LogRules, SegmentLimits, Truncation};
pub use producer_snapshots::ProducerSnapshots;
pub use producer_state::{
    EndedTransaction, ProducerStates, ProducerView, SequenceCheck, Verification,
};
