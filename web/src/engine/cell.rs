//! One offset of a log.

use highwater_core::audit::Answer;
use highwater_core::log::Batch;
use highwater_core::replica::Replica;
use highwater_core::sim::Timeline;
use highwater_core::words::{Offset, RecordId};
use serde::Serialize;
use tsify::Tsify;

/// Whether a record may be read.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum CellState {
    /// It lies below the replica's HW.
    Committed,
    /// It does not.
    Uncommitted,
}

/// One offset of a log.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct CellView {
    /// Its offset.
    pub offset: i64,
    /// Leader epoch of its batch.
    pub epoch: i32,
    /// First offset of its batch.
    pub batch: i64,
    /// The record.
    pub record: u32,
    /// Its key.
    pub key: Option<String>,
    /// Its value.
    pub value: String,
    /// Whether it may be read.
    pub state: CellState,
    /// Whether the leader has another record, or none, at this offset.
    pub diverges: bool,
    /// Whether it is on disk.
    pub flushed: bool,
    /// Whether a producer was told that it is written.
    pub acked: bool,
}

/// The newest `count` cells of a replica's log, oldest first.
pub(crate) fn of_log(
    timeline: &Timeline,
    replica: &Replica,
    leader: Option<&Replica>,
    count: usize,
) -> Vec<CellView> {
    let first = (replica.log.end() - count as Offset).max(replica.log.start());
    let mut cells = Vec::new();
    for batch in replica.log.batches_from(first) {
        for (i, record) in batch.records.iter().enumerate() {
            let offset = batch.base + i as Offset;
            if offset < first {
                continue;
            }
            let at_leader = leader.and_then(|l| {
                let batch = l.log.batch_at(offset)?;
                batch.records.get((offset - batch.base) as usize).copied()
            });
            let mut cell = read(timeline, *record, offset, batch);
            if offset >= replica.hw {
                cell.state = CellState::Uncommitted;
            }
            cell.diverges = leader.is_some() && at_leader != Some(*record);
            cell.flushed = offset < replica.log.durable();
            cells.push(cell);
        }
    }
    cells
}

/// A record as a consumer has read it.
pub(crate) fn read(
    timeline: &Timeline,
    record: RecordId,
    offset: Offset,
    batch: &Batch,
) -> CellView {
    let info = timeline.tape().record(record);
    let entry = timeline.world().audit().record(record);
    CellView {
        offset,
        epoch: batch.epoch,
        batch: batch.base,
        record: record.0,
        key: info.key.as_deref().map(String::from),
        value: info.value.to_string(),
        state: CellState::Committed,
        diverges: false,
        flushed: false,
        acked: entry.is_some_and(|e| matches!(e.answer, Answer::Acked(_))),
    }
}
