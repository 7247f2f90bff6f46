//! Who is in sync: the tests that take replicas out of the ISR and let them in (R2.14–R2.17).

use crate::settings::rules::{FetchClock, IsrCheck, IsrJoin, IsrLag, Rules};
use crate::words::{BrokerEpoch, ErrorCode, Micros, Offset};

/// What the leader knows of a follower (section 2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FollowerProgress {
    /// Its log end offset as of its last fetch; −1 is unknown.
    pub end: Offset,
    /// When it last had everything that the leader had; none is never.
    pub last_caught_up: Option<Micros>,
    /// Time of its last fetch; in 0.8 that is when `end` was last set (R2.1).
    pub last_fetch: Option<Micros>,
    /// The leader's log end at that fetch; −1 before the first.
    pub leader_end_at_last_fetch: Offset,
    /// Broker epoch of its last fetch; −1 where none was seen.
    pub broker_epoch: BrokerEpoch,
}

impl FollowerProgress {
    /// As a new leader sees it (R2.4). In 0.8 its clock starts now, in the ISR or not.
    pub fn at_new_leader(rules: &Rules, in_isr: bool, now: Micros) -> FollowerProgress {
        let by_fetch = rules.isr_lag == IsrLag::FetchOrMessages;
        FollowerProgress {
            end: -1,
            last_caught_up: in_isr.then_some(now),
            last_fetch: by_fetch.then_some(now),
            leader_end_at_last_fetch: -1,
            broker_epoch: -1,
        }
    }

    /// As the same leader sees it under a new epoch (R2.5). In 0.8 that is a new leader.
    pub fn at_new_epoch(
        self,
        rules: &Rules,
        in_isr: bool,
        leader_end: Offset,
        now: Micros,
    ) -> FollowerProgress {
        if rules.isr_lag == IsrLag::FetchOrMessages {
            return FollowerProgress::at_new_leader(rules, in_isr, now);
        }
        let fetched = in_isr || rules.fetch_clock == FetchClock::Everyone;
        FollowerProgress {
            last_caught_up: in_isr.then_some(now),
            last_fetch: fetched.then_some(now),
            leader_end_at_last_fetch: leader_end,
            ..self
        }
    }

    /// After a successful fetch at `now` from `offset`, while the leader's log ended at
    /// `leader_end` (R2.1, R2.2).
    pub fn after_fetch(self, offset: Offset, leader_end: Offset, now: Micros) -> FollowerProgress {
        let caught_up = if offset >= leader_end {
            self.last_caught_up.max(Some(now))
        } else if offset >= self.leader_end_at_last_fetch {
            // It has reached what the leader had at the fetch before.
            self.last_caught_up.max(self.last_fetch)
        } else {
            self.last_caught_up
        };
        FollowerProgress {
            end: offset,
            last_caught_up: caught_up,
            last_fetch: Some(now),
            leader_end_at_last_fetch: leader_end.max(self.leader_end_at_last_fetch),
            ..self
        }
    }

    /// After a fetch at `now` that could not be read. In 0.8 the follower is alive, and nobody
    /// knows any more where its log ends (R2.1); later it does not count (R2.2).
    pub fn after_failed_fetch(self, rule: IsrLag, now: Micros) -> FollowerProgress {
        match rule {
            IsrLag::FetchOrMessages => FollowerProgress { end: -1, last_fetch: Some(now), ..self },
            IsrLag::CaughtUp | IsrLag::BehindAndCaughtUp => self,
        }
    }

    /// Whether it had all that the leader had a short time ago (R2.15, R2.18).
    pub fn was_caught_up(&self, now: Micros, lag_max: Micros) -> bool {
        self.last_caught_up.is_some_and(|at| now.since(at) <= lag_max)
    }

    /// Whether it has all that the leader has, or had it a short time ago (R2.18).
    pub fn is_caught_up(&self, leader_end: Offset, now: Micros, lag_max: Micros) -> bool {
        self.end == leader_end || self.was_caught_up(now, lag_max)
    }

    /// Whether it must leave the ISR; every comparison is strict (R2.15).
    pub fn is_out_of_sync(&self, leader_end: Offset, now: Micros, lag: Lag) -> bool {
        match lag.rule {
            IsrLag::FetchOrMessages => {
                let behind = leader_end - self.end;
                self.last_fetch.is_none_or(|at| now.since(at) > lag.max)
                    || (self.end >= 0 && behind > lag.max_messages)
            }
            IsrLag::CaughtUp => !self.was_caught_up(now, lag.max),
            IsrLag::BehindAndCaughtUp => !self.is_caught_up(leader_end, now, lag.max),
        }
    }
}

/// How far a member of the ISR may lag (R2.15).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lag {
    /// By which test.
    pub rule: IsrLag,
    /// `replica.lag.time.max.ms`.
    pub max: Micros,
    /// `replica.lag.max.messages`, where there is such a thing.
    pub max_messages: Offset,
}

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
#[derive(Clone, Copy, PartialEq, Debug)]
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
