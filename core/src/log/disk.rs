use super::Log;
use crate::words::{BrokerEpoch, Map, Offset, PartitionId};

/// The clean-shutdown file: the broker epoch that stood when it was written (R1.14).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CleanMark(pub BrokerEpoch);

/// What a log directory holds beside the logs, and what survives the process.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    /// The id of the directory; a new disk has a new one (R5.39).
    pub directory: u32,
    /// `replication-offset-checkpoint` (R1.10).
    pub hw: Map<PartitionId, Offset>,
    /// `recovery-point-offset-checkpoint` (R1.9).
    pub recovery_point: Map<PartitionId, Offset>,
    /// The clean-shutdown file, if the last stop was clean (R1.13).
    pub clean_mark: Option<CleanMark>,
}

impl Disk {
    /// The HW that a replica starts with: the checkpoint, or 0, within the log (R1.11).
    pub fn loaded_hw(&self, partition: PartitionId, log: &Log) -> Offset {
        self.hw.get(&partition).copied().unwrap_or(0).clamp(log.start(), log.end())
    }

    /// The recovery point that a replica starts with (R1.18).
    pub fn loaded_recovery_point(&self, partition: PartitionId) -> Offset {
        self.recovery_point.get(&partition).copied().unwrap_or(0)
    }
}
