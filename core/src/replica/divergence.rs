//! Where a follower's log leaves its leader's, found in fetches (R3.14, KIP-595).

use crate::log::{EpochEnd, Log};
use crate::words::{ErrorCode, LeaderEpoch, Offset};

/// What a leader says to a follower's fetch before it reads (R2.30, R3.14).
pub fn check_fetch(
    leader: &Log,
    offset: Offset,
    last_fetched_epoch: LeaderEpoch,
) -> Result<Option<EpochEnd>, ErrorCode> {
    if last_fetched_epoch >= 0 {
        let known = leader.end_offset_for(last_fetched_epoch);
        let end = known.ok_or(ErrorCode::OffsetOutOfRange)?;
        if offset < leader.start() {
            return Err(ErrorCode::OffsetOutOfRange);
        }
        if end.epoch < last_fetched_epoch || end.end < offset {
            return Ok(Some(end));
        }
    }
    if offset > leader.end() || offset < leader.start() {
        return Err(ErrorCode::OffsetOutOfRange);
    }
    Ok(None)
}

/// Where a follower truncates that was told "your epoch ends there" (the last three lines of
/// R3.13). If that is not enough, its next fetch says so.
pub fn truncation_point(follower: &Log, leader: EpochEnd) -> Offset {
    match follower.end_offset_for(leader.epoch) {
        None => leader.end.min(follower.end()),
        Some(own) if own.epoch != leader.epoch => own.end.min(follower.end()),
        Some(own) => own.end.min(leader.end).min(follower.end()),
    }
}

/// What a follower does whose fetch was out of range, given where its leader's log begins and ends
/// (R3.16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutOfRange {
    /// Cut its log to the leader's end.
    TruncateTo(Offset),
    /// Drop everything and start there.
    RestartAt(Offset),
    /// Go on from its own end.
    Continue,
}

/// See [`OutOfRange`].
pub fn out_of_range(own_end: Offset, leader_start: Offset, leader_end: Offset) -> OutOfRange {
    if leader_end < own_end {
        OutOfRange::TruncateTo(leader_end)
    } else if leader_start > own_end {
        OutOfRange::RestartAt(leader_start)
    } else {
        OutOfRange::Continue
    }
}
