//! A follower of one partition (section 3).

use crate::settings::rules::LateEpochBatches;
use crate::words::{BrokerId, ErrorCode, LeaderEpoch, Micros, Offset};

/// What a follower keeps beside its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Following {
    /// Whom it follows.
    pub leader: BrokerId,
    /// Under which epoch.
    pub epoch: LeaderEpoch,
    /// Whether it has to ask where its newest epoch ends before it may fetch (R3.12, R3.13).
    pub asks_epoch: bool,
    /// Whether it may fetch.
    pub state: FollowingState,
    /// How far its log was behind the leader's HW after its last fetch (R3.6).
    pub lag: Offset,
}

/// How a follower's partition stands with its fetcher (R3.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowingState {
    /// It is in every fetch.
    Fetching,
    /// It is left alone until then, after an error.
    Delayed(Micros),
    /// The leader has been asked where an epoch ends (R3.12, R3.13), or, after a fetch that was
    /// out of range, where its log begins or ends (R3.16). Without answer by then it begins anew.
    Asking(Micros),
    /// It stopped until a newer leader epoch arrives.
    Failed,
}

impl Following {
    /// Whether it takes part in a fetch at `now`.
    pub fn is_ready(&self, now: Micros) -> bool {
        match self.state {
            FollowingState::Fetching => true,
            FollowingState::Delayed(until) | FollowingState::Asking(until) => until <= now,
            FollowingState::Failed => false,
        }
    }

    /// Whether an answer to a fetch from `leader`, at `offset` of a log that ends at `end`, is still
    /// wanted as it was asked for (R3.2).
    pub fn wants(&self, leader: BrokerId, offset: Offset, end: Offset) -> bool {
        self.leader == leader && self.state == FollowingState::Fetching && end == offset
    }

    /// Whether an answer from `leader` is awaited.
    pub fn awaits(&self, leader: BrokerId) -> bool {
        self.leader == leader && matches!(self.state, FollowingState::Asking(_))
    }
}

/// What a follower does about a partition whose fetch came back with an error (R3.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FetchFailure {
    /// It asks its leader where its log begins and ends (R3.16).
    AskLogEnd,
    /// It tries again after `replica.fetch.backoff.ms`.
    Delay,
    /// It stops until a newer leader epoch arrives.
    Fail,
}

/// See [`FetchFailure`]. A fence under the very epoch that the follower knows is not mended by
/// asking again; `asked` is the epoch of the fetch, `known` that of the replica.
pub fn after_fetch_error(error: ErrorCode, asked: LeaderEpoch, known: LeaderEpoch) -> FetchFailure {
    match error {
        ErrorCode::OffsetOutOfRange => FetchFailure::AskLogEnd,
        ErrorCode::FencedLeaderEpoch if asked == known => FetchFailure::Fail,
        _ => FetchFailure::Delay,
    }
}

/// Whether a follower under leader epoch `known` appends a fetched batch of epoch `batch` (R3.3).
pub fn takes_batch(rule: LateEpochBatches, batch: LeaderEpoch, known: LeaderEpoch) -> bool {
    rule == LateEpochBatches::Appended || batch <= known
}
