//! Who is in sync: the tests that take replicas out of the ISR and let them in (R2.14–R2.17).

use super::progress::FollowerProgress;
use crate::settings::rules::{IsrCheck, IsrJoin};
use crate::words::{BrokerEpoch, ErrorCode, Micros, Offset};

/// How often a leader looks for members that lag (R2.14).
pub fn check_period(rule: IsrCheck, lag_max: Micros) -> Micros {
    match rule {
        IsrCheck::EveryLagTime => lag_max,
        IsrCheck::EveryHalf => Micros(lag_max.0 / 2),
    }
}

/// How long ISRs have to stand still before the controller is told of them (R2.22).
const NOTICE_QUIET: Micros = Micros::from_secs(5);
/// How long it is told of nothing at most.
const NOTICE_AT_LEAST: Micros = Micros::from_secs(60);

/// Whether the controller is to be told of ISRs that changed last at `last_change`, where it was
/// told something at `last_notice` (R2.22).
pub fn is_notice_due(last_change: Micros, last_notice: Micros, now: Micros) -> bool {
    now.since(last_change) > NOTICE_QUIET || now.since(last_notice) > NOTICE_AT_LEAST
}

/// What a broker must be to join an ISR, as the leader's metadata has it (R2.17.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eligibility {
    /// Neither fenced nor in controlled shutdown.
    pub active: bool,
    /// Its broker epoch in the metadata.
    pub broker_epoch: BrokerEpoch,
}

impl Eligibility {
    /// Whether a replica whose fetches carry `fetch_epoch` may join (R2.17.5).
    pub fn allows(&self, fetch_epoch: BrokerEpoch) -> bool {
        self.active && (fetch_epoch == -1 || fetch_epoch == self.broker_epoch)
    }
}

/// Whether a replica outside the ISR may join: its log reaches the HW (R2.17.3), the beginning of
/// the leader's epoch (R2.17.4), and its broker is eligible (R2.17.5). How long it lagged does not
/// matter.
pub fn may_join(
    rule: IsrJoin,
    progress: &FollowerProgress,
    hw: Offset,
    epoch_start: Offset,
    eligibility: Eligibility,
) -> bool {
    let reaches_hw = progress.end >= hw;
    let reaches_epoch = progress.end >= epoch_start;
    match rule {
        IsrJoin::HighWatermark => reaches_hw,
        IsrJoin::EpochStart => reaches_hw && reaches_epoch,
        IsrJoin::Eligible => {
            reaches_hw && reaches_epoch && eligibility.allows(progress.broker_epoch)
        }
    }
}

/// What a leader does about the answer to its ISR change (R2.23, R2.25).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterAnswer {
    /// The answer's state is the committed one.
    Commit,
    /// The last committed state stands.
    FallBack,
    /// Nothing more is asked; the change stays pending until new metadata comes.
    AwaitMetadata,
    /// The same is asked again.
    Retry,
}

/// See [`AfterAnswer`].
pub fn after_answer(error: ErrorCode) -> AfterAnswer {
    match error {
        ErrorCode::None => AfterAnswer::Commit,
        ErrorCode::IneligibleReplica | ErrorCode::OperationNotAttempted => AfterAnswer::FallBack,
        ErrorCode::FencedLeaderEpoch
        | ErrorCode::InvalidUpdateVersion
        | ErrorCode::InvalidRequest
        | ErrorCode::UnknownTopicOrPartition
        | ErrorCode::NewLeaderElected => AfterAnswer::AwaitMetadata,
        _ => AfterAnswer::Retry,
    }
}
