//! Whom a replica answers, and what (R2.3, R2.31, R4.5).

use crate::words::{BrokerEpoch, ErrorCode, LeaderEpoch, Offset};

/// A request's leader epoch against the replica's (R2.31); −1 is not checked.
pub fn check_leader_epoch(
    fencing: bool,
    request: LeaderEpoch,
    own: LeaderEpoch,
) -> Result<(), ErrorCode> {
    if !fencing || request < 0 || request == own {
        Ok(())
    } else if request < own {
        Err(ErrorCode::FencedLeaderEpoch)
    } else {
        Err(ErrorCode::UnknownLeaderEpoch)
    }
}

/// Whether a leader takes a follower's fetch: it must be a replica of the partition, and fetch
/// under no older broker epoch than the metadata has (R2.3). −1 is not checked.
pub fn check_follower(
    is_replica: bool,
    leader_epoch: LeaderEpoch,
    fetch_epoch: BrokerEpoch,
    known_epoch: BrokerEpoch,
) -> Result<(), ErrorCode> {
    if !is_replica && leader_epoch >= 0 {
        Err(ErrorCode::UnknownLeaderEpoch)
    } else if !is_replica || (fetch_epoch >= 0 && fetch_epoch < known_epoch) {
        Err(ErrorCode::NotLeaderOrFollower)
    } else {
        Ok(())
    }
}

/// Who asks for the newest offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// A replica.
    Replica,
    /// A client that reads what is committed.
    Uncommitted,
    /// A client that reads no open transaction.
    Committed,
}

/// Where a leader's log ends to that reader. `withheld`: a client waits until the HW has reached the
/// leader's epoch (R4.5, KIP-207).
pub fn latest_offset(
    reader: Isolation,
    withheld: bool,
    (hw, end): (Offset, Offset),
    epoch_start: Offset,
    first_unstable: Option<Offset>,
) -> Result<Offset, ErrorCode> {
    match reader {
        Isolation::Replica => Ok(end),
        _ if withheld && hw < epoch_start => Err(ErrorCode::OffsetNotAvailable),
        Isolation::Uncommitted => Ok(hw),
        Isolation::Committed => Ok(first_unstable.map_or(hw, |first| first.min(hw))),
    }
}
