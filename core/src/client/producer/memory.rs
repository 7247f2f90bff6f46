//! The producer's memory: a batch holds its part of `buffer.memory` from its first record until its
//! end is known. Who finds none waits, up to `max.block.ms` (R6.5, R6.9).

use super::Producer;
use super::batch::{BATCH_OVERHEAD, PendingBatch};
use crate::settings::Key;

impl Producer {
    /// How much a batch takes that begins with a record of so many bytes.
    pub(super) fn memory_for(&self, bytes: u32) -> u32 {
        self.batch_size().max(bytes + BATCH_OVERHEAD)
    }

    /// Whether there is room for so much more.
    pub(super) fn has_memory(&self, more: u32) -> bool {
        self.memory_used + i64::from(more) <= self.values.get(Key::BufferMemory)
    }

    /// Whether a record is larger than any request may be, or than all of the memory (R6.8).
    pub(super) fn is_too_large(&self, bytes: u32) -> bool {
        let size = i64::from(bytes + BATCH_OVERHEAD);
        size > self.values.get(Key::MaxRequestSize) || size > self.values.get(Key::BufferMemory)
    }

    /// Whether somebody waits for memory: then batches leave before they are full (R6.5).
    pub(super) fn is_exhausted(&self) -> bool {
        !self.blocked.is_empty() && !self.bootstrap.partitions(&self.topic).is_empty()
    }

    /// A batch is over.
    pub(super) fn release(&mut self, batch: &PendingBatch) {
        self.memory_used -= i64::from(batch.memory);
    }
}
