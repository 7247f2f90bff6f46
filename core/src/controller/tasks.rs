//! What the KRaft controller does by the clock: sessions, preferred leaders, leaderless partitions
//! (R5.3, R5.21, R5.31).

use super::{Controller, ControllerEffects, ControllerTimer};
use crate::partition::change::Change;
use crate::partition::election::{Election, is_imbalanced};
use crate::settings::Key;
use crate::settings::rules::{ControllerTasks, SessionLook};
use crate::wire::event::EventKind;
use crate::words::Micros;

/// After a fencing, and after a full pass over the partitions, the next look follows so soon
/// (R5.3, R5.31).
const NEXT_LOOK: Micros = Micros::from_ms(10);
/// How many elections one pass of a periodic task makes (R5.21, R5.31).
const ELECTIONS_PER_PASS: usize = 1000;

impl Controller {
    pub(super) fn session_timeout(&self) -> Micros {
        self.values.ms(Key::BrokerSessionTimeoutMs)
    }

    pub(super) fn rebalance_interval(&self) -> Micros {
        Micros::from_secs(self.values.get(Key::LeaderImbalanceCheckIntervalSeconds).max(0) as u64)
    }

    pub(super) fn unclean_interval(&self) -> Micros {
        self.values.ms(Key::UncleanLeaderElectionIntervalMs)
    }

    pub(super) fn arm_session_look(&self, fx: &mut ControllerEffects) {
        let next = match self.rules.session_look {
            SessionLook::Periodic => Some(fx.now + Micros(self.session_timeout().0 / 8)),
            // Strictly later than the session's end (R5.3).
            SessionLook::AtExpiry => self
                .heartbeats
                .next_expiry(self.log.image.unfenced(), self.session_timeout())
                .map(|at| at.max(fx.now) + Micros(1)),
        };
        let idle = fx.now + self.session_timeout();
        fx.timer(next.unwrap_or(idle), ControllerTimer::SessionLook);
    }

    /// Fences at most one broker; the next look follows soon after one was (R5.3).
    pub(super) fn look_at_sessions(&mut self, fx: &mut ControllerEffects) {
        let timeout = self.session_timeout();
        let expired = self.heartbeats.expired(self.log.image.unfenced(), fx.now, timeout);
        let Some((broker, at)) = expired else {
            self.arm_session_look(fx);
            return;
        };
        let silent = fx.now.since(at);
        fx.chain(EventKind::SessionExpired { broker, silent });
        self.fence(broker, fx);
        let soon = match self.rules.session_look {
            SessionLook::Periodic => NEXT_LOOK,
            SessionLook::AtExpiry => Micros(1),
        };
        fx.timer(fx.now + soon, ControllerTimer::SessionLook);
    }

    pub(super) fn rebalance(&mut self, fx: &mut ControllerEffects) {
        self.rebalance_armed = false;
        let mut made = 0;
        if self.values.is(Key::AutoLeaderRebalanceEnable) {
            for id in self.partitions_where(&|s| is_imbalanced(s)) {
                let state = self.log.image.partition(id).expect("listed").clone();
                let change = Change::electing(&state, Election::Preferred);
                made += usize::from(self.change(id, change, fx));
                if made == ELECTIONS_PER_PASS {
                    break;
                }
            }
        }
        let again = made == ELECTIONS_PER_PASS;
        if again || self.rules.controller_tasks == ControllerTasks::Periodic {
            let wait = if again { NEXT_LOOK } else { self.rebalance_interval() };
            fx.timer(fx.now + wait, ControllerTimer::Rebalance);
        } else {
            self.arm_tasks(fx);
        }
    }

    pub(super) fn retry_leaderless(&mut self, fx: &mut ControllerEffects) {
        self.unclean_armed = false;
        let mut made = 0;
        for id in self.partitions_where(&|s| s.leader.is_none()) {
            let state = self.log.image.partition(id).expect("listed").clone();
            if self.election_of(&state) != Election::Unclean {
                continue;
            }
            let change = Change::electing(&state, Election::Unclean);
            made += usize::from(self.change(id, change, fx));
            if made == ELECTIONS_PER_PASS {
                break;
            }
        }
        if self.rules.controller_tasks == ControllerTasks::Periodic {
            fx.timer(fx.now + self.unclean_interval(), ControllerTimer::UncleanRetry);
        } else {
            self.arm_tasks(fx);
        }
    }

    /// [`ControllerTasks::Armed`]: an interval after there is something to do (R5.21, R5.31).
    pub(super) fn arm_tasks(&mut self, fx: &mut ControllerEffects) {
        if self.rules.controller_tasks != ControllerTasks::Armed {
            return;
        }
        let partitions = || self.log.image.partitions.iter();
        if !self.rebalance_armed && partitions().any(|s| is_imbalanced(s)) {
            self.rebalance_armed = true;
            fx.timer(fx.now + self.rebalance_interval(), ControllerTimer::Rebalance);
        }
        if !self.unclean_armed && partitions().any(|s| s.leader.is_none()) {
            self.unclean_armed = true;
            fx.timer(fx.now + self.unclean_interval(), ControllerTimer::UncleanRetry);
        }
    }
}
