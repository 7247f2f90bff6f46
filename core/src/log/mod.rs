//! Floor 3: one replica's log on one disk (docs/protocol.md, section 1).

mod batch;
mod disk;
mod epoch_cache;
mod partition_log;
mod producer_state;

pub use batch::{Batch, ProducerStamp};
pub use disk::{CleanMark, Disk};
pub use epoch_cache::{EpochCache, EpochEnd, EpochEntry};
pub use partition_log::{AppendError, Appended, Log, SegmentLimits, Truncation};
pub use producer_state::{ProducerStates, SequenceCheck};
