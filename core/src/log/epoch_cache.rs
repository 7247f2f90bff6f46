use super::LogRules;
use crate::partition::epochs::{self, EpochEntry};
use crate::settings::rules::EpochAssignment;
use crate::words::{LeaderEpoch, Offset};
use alloc::vec::Vec;

/// History of leader epochs of one replica, strictly increasing in both fields (R1.5, I5); until
/// 2.0.0 two epochs may begin at one offset.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EpochCache(Vec<EpochEntry>);

impl EpochCache {
    /// All entries, oldest first.
    pub fn entries(&self) -> &[EpochEntry] {
        &self.0
    }

    /// The newest entry.
    pub fn latest(&self) -> Option<EpochEntry> {
        self.0.last().copied()
    }

    /// The newest epoch, or −1.
    pub fn latest_epoch(&self) -> LeaderEpoch {
        epochs::latest_epoch(&self.0)
    }

    /// The newest epoch before `epoch`, or −1.
    pub fn previous_epoch(&self, epoch: LeaderEpoch) -> LeaderEpoch {
        self.0.iter().rev().find(|e| e.epoch < epoch).map_or(-1, |e| e.epoch)
    }

    /// The oldest epoch after `epoch`, or −1.
    pub fn next_epoch(&self, epoch: LeaderEpoch) -> LeaderEpoch {
        self.0.iter().find(|e| e.epoch > epoch).map_or(-1, |e| e.epoch)
    }

    /// Notes that `epoch` begins at `start` (R1.5).
    pub fn assign(&mut self, rule: EpochAssignment, epoch: LeaderEpoch, start: Offset) {
        let assigned = epochs::assigned(rule, &self.0, EpochEntry { epoch, start });
        self.0.truncate(assigned.keep);
        self.0.extend(assigned.added);
    }

    /// A leader begins `epoch` at the end of its log (R4.3).
    pub fn begin(&mut self, rules: &LogRules, epoch: LeaderEpoch, log_end: Offset) {
        if let Some(entry) = epochs::begun(rules.epoch_entries, epoch, log_end) {
            self.assign(rules.epoch_assignment, entry.epoch, entry.start);
        }
    }

    /// The epoch of the record at `offset`, or −1.
    pub fn epoch_at(&self, offset: Offset) -> LeaderEpoch {
        epochs::epoch_at(&self.0, offset)
    }

    /// Drops entries that begin at or behind `end` (R1.18, R1.26); −1 is no offset.
    pub fn truncate_from_end(&mut self, end: Offset) {
        self.0.truncate(epochs::kept_below(&self.0, end));
    }

    /// Makes the history begin at `start`: of the entries that begin at or before it the newest
    /// stays and begins there (R1.18).
    pub fn truncate_from_start(&mut self, start: Offset) {
        self.0.drain(..epochs::dropped_before(&self.0, start));
        if let Some(first) = self.0.first_mut().filter(|e| e.start < start) {
            first.start = start;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
