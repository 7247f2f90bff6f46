//! The controller's index of who is in an ELR, as far as it differs from the ELRs (R5.24).

use crate::words::{BrokerId, Brokers, Map, PartitionId};

/// ELRs that a change of `min.insync.replicas` cleared, and that the index of Kafka's controller
/// still has: `ReplicationControlManager.removeTopicElrs` does not tell it (recorded on 4.1.1 and
/// 4.4.0). A controller that reads its log anew has an index without them.
#[derive(Clone, Debug, Default)]
pub(super) struct ClearedElrs(Map<PartitionId, Brokers>);

impl ClearedElrs {
    /// An ELR was cleared past the index.
    pub fn clear(&mut self, partition: PartitionId, elr: &Brokers) {
        let known = self.0.get(&partition).copied().unwrap_or_default();
        self.0.insert(partition, known.union(elr));
    }

    /// A state was stored: who is in its ELR is indexed as it should be again.
    pub fn stored(&mut self, partition: PartitionId, elr: &Brokers) {
        let Some(known) = self.0.get_mut(&partition) else { return };
        *known = known.filtered(|b| !elr.contains(&b));
        if known.is_empty() {
            self.0.remove(&partition);
        }
    }

    /// Whether the index still has `broker` in the partition's ELR.
    pub fn contains(&self, partition: PartitionId, broker: BrokerId) -> bool {
        self.0.get(&partition).is_some_and(|known| known.contains(&broker))
    }
}
