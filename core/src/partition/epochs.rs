//! The history of leader epochs in one log, over slices (R1.5, R3.11).

use crate::settings::rules::{EpochAssignment, EpochBeforeFirst, EpochEntries};
use crate::words::{LeaderEpoch, Offset};

/// Where an epoch began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// The offset after its last record.
    pub end: Offset,
}

/// A log as the rules of truncation see it: its ends and its epochs.
#[derive(Clone, Copy, Debug)]
pub struct LogView<'a> {
    /// The log start offset.
    pub start: Offset,
    /// The log end offset.
    pub end: Offset,
    /// Its epochs, oldest first.
    pub epochs: &'a [EpochEntry],
    /// See [`EpochBeforeFirst`].
    pub before_first: EpochBeforeFirst,
}

impl LogView<'_> {
    /// Where `epoch` ends in this log; `None` is "undefined" (R3.11).
    pub fn end_of(&self, epoch: LeaderEpoch) -> Option<EpochEnd> {
        end_of(self.before_first, self.epochs, epoch, self.end)
    }

    /// The newest epoch, or −1.
    pub fn latest_epoch(&self) -> LeaderEpoch {
        latest_epoch(self.epochs)
    }
}

/// The newest epoch of a history, or −1.
pub fn latest_epoch(entries: &[EpochEntry]) -> LeaderEpoch {
    entries.last().map_or(-1, |e| e.epoch)
}

/// The epoch of the record at `offset`, or −1.
pub fn epoch_at(entries: &[EpochEntry], offset: Offset) -> LeaderEpoch {
    entries.iter().rev().find(|e| e.start <= offset).map_or(-1, |e| e.epoch)
}

/// What becomes of a history when an epoch begins: the first `keep` entries stay, and `added`
/// follows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// How many entries stay.
    pub keep: usize,
    /// The new entry; `None` if it is there already, or contradicts others and is ignored.
    pub added: Option<EpochEntry>,
}

/// Notes that an epoch begins (R1.5). An entry that is there already stays. One that contradicts
/// others makes those go, or is itself ignored, as `rule` says.
pub fn assigned(rule: EpochAssignment, entries: &[EpochEntry], entry: EpochEntry) -> Assigned {
    let EpochEntry { epoch, start } = entry;
    let latest = entries.last().copied().unwrap_or(EpochEntry { epoch: -1, start: -1 });
    let unchanged = Assigned { keep: entries.len(), added: None };
    if epoch < 0 || start < 0 || (epoch == latest.epoch && start >= latest.start) {
        return unchanged;
    }
    match rule {
        EpochAssignment::Ignores if epoch <= latest.epoch || start < latest.start => unchanged,
        EpochAssignment::Ignores => Assigned { added: Some(entry), ..unchanged },
        EpochAssignment::Replaces => {
            let keep = entries.partition_point(|e| e.epoch < epoch && e.start < start);
            Assigned { keep, added: Some(entry) }
        }
    }
}

/// The entry that a leader makes when it begins `epoch` at the end of its log; `None` where only the
/// first append makes it (R4.3).
pub fn begun(rule: EpochEntries, epoch: LeaderEpoch, log_end: Offset) -> Option<EpochEntry> {
    (rule == EpochEntries::LeaderStart).then_some(EpochEntry { epoch, start: log_end })
}

/// Where `epoch` ends in a log that ends at `log_end`; `None` is "undefined" (R3.11).
pub fn end_of(
    rule: EpochBeforeFirst,
    entries: &[EpochEntry],
    epoch: LeaderEpoch,
    log_end: Offset,
) -> Option<EpochEnd> {
    let latest = entries.last()?;
    if epoch < 0 {
        return None;
    }
    if epoch == latest.epoch {
        return Some(EpochEnd { epoch, end: log_end });
    }
    let later = entries.iter().position(|e| e.epoch > epoch)?;
    let end = entries[later].start;
    match (later, rule) {
        (0, EpochBeforeFirst::Undefined) => None,
        (0, EpochBeforeFirst::FirstStart) => Some(EpochEnd { epoch, end }),
        _ => Some(EpochEnd { epoch: entries[later - 1].epoch, end }),
    }
}

/// How many entries a log keeps that now ends at `end`: those that begin before it (R1.18, R1.26).
/// −1 is no offset, and keeps all.
pub fn kept_below(entries: &[EpochEntry], end: Offset) -> usize {
    if end < 0 { entries.len() } else { entries.partition_point(|e| e.start < end) }
}

/// How many entries a log drops whose start moves to `start`: of those that begin at or before it
/// the newest stays, and begins there (R1.18).
pub fn dropped_before(entries: &[EpochEntry], start: Offset) -> usize {
    entries.iter().filter(|e| e.start <= start).count().saturating_sub(1)
}
