use crate::words::{BrokerId, LeaderEpoch, Micros, Offset};

/// What a follower keeps beside its log.
#[derive(Clone, Copy, PartialEq, Debug)]
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

    /// Whether an answer from `leader` is awaited.
    pub fn awaits(&self, leader: BrokerId) -> bool {
        self.leader == leader && matches!(self.state, FollowingState::Asking(_))
    }
}
