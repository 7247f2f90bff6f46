use super::LogRules;
use crate::settings::rules::{EpochAssignment, EpochEntries};
use crate::words::{LeaderEpoch, Offset};
use alloc::vec::Vec;

/// Where an epoch began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpochEntry {
    /// The leader epoch.
    pub epoch: LeaderEpoch,
    /// Offset of its first record, or of the first that it would have.
    pub start: Offset,
}

/// Answer to "where does this epoch end?" (R3.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpochEnd {
    /// The largest known epoch that is not larger than the one asked for.
    pub epoch: LeaderEpoch,
    /// The offset behind its last record.
    pub end: Offset,
}

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
        self.latest().map_or(-1, |e| e.epoch)
    }

    /// The newest epoch before `epoch`, or −1.
    pub fn previous_epoch(&self, epoch: LeaderEpoch) -> LeaderEpoch {
        self.0.iter().rev().find(|e| e.epoch < epoch).map_or(-1, |e| e.epoch)
    }

    /// The oldest epoch after `epoch`, or −1.
    pub fn next_epoch(&self, epoch: LeaderEpoch) -> LeaderEpoch {
        self.0.iter().find(|e| e.epoch > epoch).map_or(-1, |e| e.epoch)
    }

    /// Notes that `epoch` begins at `start` (R1.5). An entry that is there already stays. One that
    /// contradicts others makes those go, or is itself ignored.
    pub fn assign(&mut self, rule: EpochAssignment, epoch: LeaderEpoch, start: Offset) {
        let latest = self.latest().unwrap_or(EpochEntry { epoch: -1, start: -1 });
        if epoch < 0 || start < 0 || (epoch == latest.epoch && start >= latest.start) {
            return;
        }
        match rule {
            EpochAssignment::Ignores if epoch <= latest.epoch || start < latest.start => return,
            EpochAssignment::Ignores => {}
            EpochAssignment::Replaces => self.0.retain(|e| e.epoch < epoch && e.start < start),
        }
        self.0.push(EpochEntry { epoch, start });
    }

    /// A leader begins `epoch` at the end of its log (R4.3). Where only the first append makes the
    /// entry, nothing happens.
    pub fn begin(&mut self, rules: &LogRules, epoch: LeaderEpoch, log_end: Offset) {
        if rules.epoch_entries == EpochEntries::LeaderStart {
            self.assign(rules.epoch_assignment, epoch, log_end);
        }
    }

    /// Where `epoch` ends in a log that ends at `log_end`; none is "undefined" (R3.11). Until 2.0.0,
    /// where contradictions are ignored, an epoch before the first is undefined too.
    pub fn end_offset_for(
        &self,
        rule: EpochAssignment,
        epoch: LeaderEpoch,
        log_end: Offset,
    ) -> Option<EpochEnd> {
        let latest = self.latest()?;
        if epoch < 0 {
            return None;
        }
        if epoch == latest.epoch {
            return Some(EpochEnd { epoch, end: log_end });
        }
        let later = self.0.iter().position(|e| e.epoch > epoch)?;
        let end = self.0[later].start;
        match (later, rule) {
            (0, EpochAssignment::Ignores) => None,
            (0, EpochAssignment::Replaces) => Some(EpochEnd { epoch, end }),
            _ => Some(EpochEnd { epoch: self.0[later - 1].epoch, end }),
        }
    }

    /// The epoch of the record at `offset`, or −1.
    pub fn epoch_at(&self, offset: Offset) -> LeaderEpoch {
        self.0.iter().rev().find(|e| e.start <= offset).map_or(-1, |e| e.epoch)
    }

    /// Drops entries that begin at or behind `end` (R1.18, R1.26); −1 is no offset.
    pub fn truncate_from_end(&mut self, end: Offset) {
        if end >= 0 {
            self.0.retain(|e| e.start < end);
        }
    }

    /// Makes the history begin at `start`: of the entries that begin at or before it the newest
    /// stays and begins there (R1.18).
    pub fn truncate_from_start(&mut self, start: Offset) {
        let passed = self.0.iter().filter(|e| e.start <= start).count();
        if passed > 0 {
            self.0.drain(..passed - 1);
            self.0[0].start = start;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
