//! Who is in sync: the tests that take replicas out of the ISR and let them in (R2.14–R2.17).

use crate::words::{BrokerEpoch, Micros, Offset};

/// What the leader knows of a follower (section 2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FollowerProgress {
    /// Its log end offset as of its last fetch; −1 is unknown.
    pub end: Offset,
    /// When it last had everything that the leader had.
    pub last_caught_up: Micros,
    /// Time of its last fetch.
    pub last_fetch: Micros,
    /// The leader's log end at that fetch; −1 before the first.
    pub leader_end_at_last_fetch: Offset,
    /// Broker epoch of its last fetch; −1 where none was seen.
    pub broker_epoch: BrokerEpoch,
}

impl FollowerProgress {
    /// As a new leader sees it (R2.4).
    pub fn at_new_leader(in_isr: bool, now: Micros) -> FollowerProgress {
        FollowerProgress {
            end: -1,
            last_caught_up: if in_isr { now } else { Micros::ZERO },
            last_fetch: Micros::ZERO,
            leader_end_at_last_fetch: -1,
            broker_epoch: -1,
        }
    }

    /// As the same leader sees it under a new epoch (R2.5).
    pub fn at_new_epoch(self, in_isr: bool, leader_end: Offset, now: Micros) -> FollowerProgress {
        let since = if in_isr { now } else { Micros::ZERO };
        FollowerProgress {
            last_caught_up: since,
            last_fetch: since,
            leader_end_at_last_fetch: leader_end,
            ..self
        }
    }

    /// After a successful fetch at `now` from `offset`, while the leader's log ended at
    /// `leader_end` (R2.2).
    pub fn after_fetch(self, offset: Offset, leader_end: Offset, now: Micros) -> FollowerProgress {
        let caught_up = if offset >= leader_end {
            self.last_caught_up.max(now)
        } else if offset >= self.leader_end_at_last_fetch {
            // It has reached what the leader had at the fetch before.
            self.last_caught_up.max(self.last_fetch)
        } else {
            self.last_caught_up
        };
        FollowerProgress {
            end: offset,
            last_caught_up: caught_up,
            last_fetch: now,
            leader_end_at_last_fetch: leader_end.max(self.leader_end_at_last_fetch),
            ..self
        }
    }

    /// Whether it has all that the leader has, or had it a short time ago (R2.15, R2.18).
    pub fn is_caught_up(&self, leader_end: Offset, now: Micros, lag_max: Micros) -> bool {
        self.end == leader_end || now.since(self.last_caught_up) <= lag_max
    }

    /// Whether it must leave the ISR: behind, and for longer than the limit; strict (R2.15).
    pub fn is_out_of_sync(&self, leader_end: Offset, now: Micros, lag_max: Micros) -> bool {
        !self.is_caught_up(leader_end, now, lag_max)
    }
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

/// Whether a replica outside the ISR may join: its log reaches the HW and the beginning of the
/// leader's epoch (R2.17.3, R2.17.4) and its broker is eligible (R2.17.5). How long it lagged does
/// not matter.
pub fn may_join(
    progress: &FollowerProgress,
    hw: Offset,
    epoch_start: Offset,
    eligibility: Eligibility,
) -> bool {
    progress.end >= hw && progress.end >= epoch_start && eligibility.allows(progress.broker_epoch)
}
