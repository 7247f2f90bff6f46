//! Where a follower's log leaves its leader's, and where it is cut (R3.10–R3.16).
//!
//! | rule | who finds out, and how |
//! |---|---|
//! | [`Truncation::HighWatermark`] | nobody: the follower cuts at its own HW (R3.10) |
//! | [`Truncation::Kip101`] | the follower asks for the end of its newest epoch (R3.12) |
//! | [`Truncation::Kip279`] | the same, again until both know the epoch (R3.13) |
//! | [`Truncation::Fetch`] | the leader, from a fetch's offset and epoch (R3.14) |

use super::epochs::{EpochEnd, LogView};
use crate::settings::rules::{FollowerAhead, OutOfRangeRestart, Truncation};
use crate::words::{ErrorCode, LeaderEpoch, Offset};

/// What a leader says to a follower's fetch before it reads (R2.30, R3.14).
pub fn check_fetch(
    leader: LogView<'_>,
    offset: Offset,
    last_fetched_epoch: LeaderEpoch,
) -> Result<Option<EpochEnd>, ErrorCode> {
    let (start, end) = (leader.start, leader.end);
    if last_fetched_epoch < 0 {
        return check_offset(start, end, offset).map(|()| None);
    }
    let known = leader.end_of(last_fetched_epoch);
    let diverging = check_epoch(start, known, offset, last_fetched_epoch)?;
    if diverging.is_none() {
        check_offset(start, end, offset)?;
    }
    Ok(diverging)
}

/// Whether a fetch that comes from the end of `last_fetched_epoch` diverges, given where the leader
/// has that epoch end (R3.14).
pub fn check_epoch(
    leader_start: Offset,
    known: Option<EpochEnd>,
    offset: Offset,
    last_fetched_epoch: LeaderEpoch,
) -> Result<Option<EpochEnd>, ErrorCode> {
    let end = known.ok_or(ErrorCode::OffsetOutOfRange)?;
    if offset < leader_start {
        return Err(ErrorCode::OffsetOutOfRange);
    }
    let diverges = end.epoch < last_fetched_epoch || end.end < offset;
    Ok(diverges.then_some(end))
}

/// A fetch must begin within the log (R2.30).
pub fn check_offset(start: Offset, end: Offset, offset: Offset) -> Result<(), ErrorCode> {
    if offset > end || offset < start {
        return Err(ErrorCode::OffsetOutOfRange);
    }
    Ok(())
}

/// What a new follower does first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// Cut its log there, then fetch.
    TruncateTo(Offset),
    /// Ask its leader where that epoch ends.
    AskEnd(LeaderEpoch),
    /// Fetch.
    Fetch,
}

/// What a new follower does that has the HW `hw` and knows `latest` as its newest epoch; −1 where
/// its log has none (R3.10–R3.14).
pub fn beginning(rule: Truncation, hw: Offset, latest: LeaderEpoch) -> Beginning {
    match rule {
        Truncation::HighWatermark => Beginning::TruncateTo(hw),
        _ if latest < 0 => Beginning::TruncateTo(hw),
        Truncation::Kip101 | Truncation::Kip279 => Beginning::AskEnd(latest),
        Truncation::Fetch => Beginning::Fetch,
    }
}

/// A cut that a follower makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The new log end.
    pub to: Offset,
    /// Whether it may fetch now; if not, it asks again for its then newest epoch (R3.13).
    pub complete: bool,
}

/// Where a follower cuts that asked for the end of its newest epoch. `epoch` and `end` are −1 where
/// the leader does not say (R3.12, R3.13).
pub fn after_epoch_answer(
    rule: Truncation,
    log: LogView<'_>,
    hw: Offset,
    (epoch, end): (LeaderEpoch, Offset),
) -> Cut {
    if end < 0 {
        return Cut { to: hw, complete: true };
    }
    // KIP-101 knows no epoch in the answer, and neither does a leader that is older than KIP-279.
    if rule == Truncation::Kip101 || epoch < 0 {
        return Cut { to: end.min(log.end), complete: true };
    }
    after_divergence(log, EpochEnd { epoch, end })
}

/// Where a follower cuts that was told "your epoch ends there" (the last three lines of R3.13). If
/// that is not complete, its next request or fetch says so.
pub fn after_divergence(log: LogView<'_>, leader: EpochEnd) -> Cut {
    match log.end_of(leader.epoch) {
        None => Cut { to: leader.end.min(log.end), complete: true },
        Some(own) if own.epoch != leader.epoch => Cut { to: own.end.min(log.end), complete: false },
        Some(own) => Cut { to: own.end.min(leader.end).min(log.end), complete: true },
    }
}

/// What a follower does whose fetch was out of range, given where its leader's log begins and ends
/// (R3.16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutOfRange {
    /// The broker halts.
    Halt,
    /// Cut its log to the leader's end.
    TruncateTo(Offset),
    /// Drop everything and start there.
    RestartAt(Offset),
    /// Go on from its own end.
    Continue,
}

/// The leader's log ends at `leader_end`, before the follower's (R3.16). `unclean`: whether unclean
/// election is enabled for the topic.
pub fn ahead(rule: FollowerAhead, leader_end: Offset, unclean: bool) -> OutOfRange {
    match rule {
        FollowerAhead::Halts if !unclean => OutOfRange::Halt,
        FollowerAhead::Halts | FollowerAhead::Truncates => OutOfRange::TruncateTo(leader_end),
    }
}

/// The leader's log does not end before the follower's, and begins at `leader_start` (R3.16).
pub fn behind(rule: OutOfRangeRestart, own_end: Offset, leader_start: Offset) -> OutOfRange {
    if rule == OutOfRangeRestart::Wipes || leader_start > own_end {
        OutOfRange::RestartAt(leader_start)
    } else {
        OutOfRange::Continue
    }
}
