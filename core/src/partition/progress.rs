//! How far a leader knows its followers to be (R2.1, R2.2, R2.4, R2.5, R2.15).

use crate::settings::rules::{FetchClock, FollowerClock, IsrLag, Rules};
use crate::words::{BrokerEpoch, Micros, Offset};

/// What the leader knows of a follower (section 2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FollowerProgress {
    /// Its log end offset as of its last fetch; −1 is unknown.
    pub end: Offset,
    /// When it last had everything that the leader had; `None` is never.
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
        let by_fetch = rules.follower_clock == FollowerClock::Fetch;
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
        if rules.follower_clock == FollowerClock::Fetch {
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
    pub fn after_failed_fetch(self, rule: FollowerClock, now: Micros) -> FollowerProgress {
        match rule {
            FollowerClock::Fetch => FollowerProgress { end: -1, last_fetch: Some(now), ..self },
            FollowerClock::CaughtUp => self,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lag {
    /// By which test.
    pub rule: IsrLag,
    /// `replica.lag.time.max.ms`.
    pub max: Micros,
    /// `replica.lag.max.messages`, where there is such a thing.
    pub max_messages: Offset,
}
