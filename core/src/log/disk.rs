use super::Log;
use crate::settings::rules::CleanMarkRemoval;
use crate::words::{BrokerEpoch, Map, Offset, PartitionId};

/// The clean-shutdown file: the broker epoch that stood when it was written (R1.14).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CleanMark(pub BrokerEpoch);

/// Whether a load starts from a clean stop. The mark goes with it, before or after the logs are
/// read (R1.13): `failed` says that the process died in between.
pub fn take_clean_mark(
    rule: CleanMarkRemoval,
    mark: &mut Option<CleanMark>,
    failed: bool,
) -> Option<CleanMark> {
    let found = *mark;
    if rule == CleanMarkRemoval::BeforeLoad || !failed {
        *mark = None;
    }
    found
}

/// Whether a process that stops may leave the mark: only once it has loaded every log.
pub fn may_mark_clean(loaded: usize, logs: usize) -> bool {
    loaded >= logs
}

/// The broker epoch that a start sends as the previous one, of the marks of its directories (none:
/// no mark): −1 where one is missing, or they disagree, or a directory is offline (R1.14).
pub fn broker_epoch_of(marks: &[Option<CleanMark>], all_online: bool) -> BrokerEpoch {
    match marks {
        [Some(first), rest @ ..] if all_online && rest.iter().all(|m| *m == Some(*first)) => {
            first.0
        }
        _ => -1,
    }
}

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
