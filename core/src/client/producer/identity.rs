//! Producer id, epoch and sequence numbers (R6.14, R6.15, R6.18).

use super::Producer;
use super::batch::Queue;
use crate::log::ProducerStamp;
use crate::settings::Key;
use crate::words::PartitionId;

impl Producer {
    /// A number's fate is unknown and the epoch cannot be raised: another id is asked for, and every
    /// partition begins at 0 (R6.18).
    pub(super) fn forget_identity(&mut self) {
        self.identity = None;
        for queue in self.queues.values_mut() {
            queue.batches.iter_mut().for_each(|b| b.stamp = None);
            let batches = core::mem::take(&mut queue.batches);
            *queue = Queue { batches, ..Queue::default() };
        }
    }

    /// Gives the first batch its sequence number, raising the epoch first if a number's fate is
    /// unknown (R6.15, R6.18).
    pub(super) fn stamp_first(&mut self, partition: PartitionId) {
        if !self.values.is(Key::EnableIdempotence) {
            return;
        }
        let Some((id, mut epoch)) = self.identity else { return };
        let queue = self.queues.entry(partition).or_default();
        if queue.unresolved && queue.in_flight == 0 {
            epoch += 1;
            self.identity = Some((id, epoch));
            queue.unresolved = false;
            queue.next_sequence = 0;
            queue.last_acked = -1;
            queue.batches.iter_mut().for_each(|b| b.stamp = None);
        }
        let Some(first) = queue.batches.front_mut() else { return };
        if first.stamp.is_none() {
            let stamp = ProducerStamp { id, epoch, first_sequence: queue.next_sequence };
            queue.next_sequence = stamp.last_sequence(first.len() + 1);
            first.stamp = Some(stamp);
        }
    }
}
