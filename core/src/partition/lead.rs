//! A leader of one partition (section 2).

use super::high_watermark::{self, Candidate};
use super::isr::{self, Eligibility};
use super::progress::{FollowerProgress, Lag};
use super::stored::Stored;
use crate::settings::Rules;
use crate::words::{BrokerId, Brokers, LeaderEpoch, Micros, Offset, PartitionEpoch};

/// An ISR change that whoever stores the ISR has not confirmed (R2.16, R2.21).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PendingIsr {
    /// A replica is to join: it counts already.
    Expand {
        /// The proposed ISR.
        isr: Brokers,
    },
    /// Replicas are to leave: they still count.
    Shrink {
        /// The proposed ISR.
        isr: Brokers,
    },
}

impl PendingIsr {
    /// The ISR that was proposed.
    pub fn proposed(&self) -> &Brokers {
        match self {
            PendingIsr::Expand { isr } | PendingIsr::Shrink { isr } => isr,
        }
    }
}

/// What a leader goes by, beside its log and what it knows of its followers (section 2.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lead {
    /// Its epoch.
    pub epoch: LeaderEpoch,
    /// Where that began in its log (R4.3).
    pub epoch_start: Offset,
    /// Version of the stored state that it knows.
    pub partition_epoch: PartitionEpoch,
    /// The committed ISR.
    pub isr: Brokers,
    /// A change under way.
    pub pending: Option<PendingIsr>,
    /// Effective min ISR (R2.7).
    pub min_isr: usize,
    /// It came by an unclean election and has not told the controller that it recovered (R4.8).
    pub recovering: bool,
}

/// A follower as its leader knows it.
pub type Follower = (BrokerId, FollowerProgress);

/// What the leader's rules need to know of the world at one moment.
pub struct LeaderContext<'a> {
    /// Now.
    pub now: Micros,
    /// `replica.lag.time.max.ms`.
    pub lag_max: Micros,
    /// `replica.lag.max.messages` (0.8).
    pub lag_max_messages: Offset,
    /// The release's switches.
    pub rules: &'a Rules,
    /// Who may join an ISR, by the leader's metadata (R2.17.5).
    pub eligibility: &'a dyn Fn(BrokerId) -> Eligibility,
}

/// What a stored state of its own epoch makes of a leader (R2.25).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Committed {
    /// The leader afterwards.
    pub lead: Lead,
    /// Whether the ISR is another now.
    pub changed: bool,
    /// The change that was under way, if the stored ISR is the proposed one.
    pub granted: Option<PendingIsr>,
}

impl Lead {
    /// A replica whose log ends at `end` begins to lead (R2.4, R4.3).
    pub fn begin(state: &Stored, min_isr: usize, end: Offset) -> Lead {
        Lead {
            epoch: state.leader_epoch,
            epoch_start: end,
            partition_epoch: state.partition_epoch,
            isr: state.isr,
            pending: None,
            min_isr,
            recovering: state.recovering,
        }
    }

    /// The leader takes over a stored state of its own epoch; `None` if that is older than what it
    /// knows (R2.25).
    pub fn committed(&self, state: &Stored) -> Option<Committed> {
        if state.partition_epoch < self.partition_epoch {
            return None;
        }
        let granted = self.pending.filter(|p| p.proposed().same_set(&state.isr));
        let void = state.partition_epoch > self.partition_epoch || granted.is_some();
        let changed = !self.isr.same_set(&state.isr);
        let lead = Lead {
            partition_epoch: state.partition_epoch,
            isr: if changed { state.isr } else { self.isr },
            pending: self.pending.filter(|_| !void),
            recovering: state.recovering,
            ..*self
        };
        Some(Committed { lead, changed, granted })
    }

    /// The replica set used for the HW and for answering producers (R2.21).
    pub fn maximal_isr(&self) -> &Brokers {
        match &self.pending {
            Some(PendingIsr::Expand { isr }) => isr,
            Some(PendingIsr::Shrink { .. }) | None => &self.isr,
        }
    }

    /// The new HW, if it moves (R2.18, R2.19).
    pub fn advanced_hw(
        &self,
        hw: Offset,
        end: Offset,
        followers: impl Iterator<Item = Follower>,
        world: &LeaderContext<'_>,
    ) -> Option<Offset> {
        if self.is_hw_held(world.rules) {
            return None;
        }
        let maximal = self.maximal_isr();
        let candidates = followers.map(|(broker, progress)| Candidate {
            progress,
            in_maximal_isr: maximal.contains(&broker),
            eligibility: (world.eligibility)(broker),
        });
        high_watermark::advanced(world.rules.hw_set, hw, end, candidates, world.now, world.lag_max)
    }

    /// Whether R2.19 holds the HW.
    pub fn is_hw_held(&self, rules: &Rules) -> bool {
        high_watermark::is_held(rules.hw_gate, self.isr.len(), self.min_isr)
    }

    /// The ISR members that must leave (R2.14, R2.15); none while a change is pending (R2.16).
    pub fn out_of_sync(
        &self,
        end: Offset,
        followers: impl Iterator<Item = Follower>,
        world: &LeaderContext<'_>,
    ) -> Brokers {
        if self.pending.is_some() {
            return Brokers::EMPTY;
        }
        let rule = world.rules.isr_lag;
        let lag = Lag { rule, max: world.lag_max, max_messages: world.lag_max_messages };
        let late = followers.filter(|(_, f)| f.is_out_of_sync(end, world.now, lag));
        late.map(|(b, _)| b).filter(|b| self.isr.contains(b)).collect()
    }

    /// Whether the follower may be proposed for the ISR (R2.17).
    pub fn may_expand(
        &self,
        (broker, progress): Follower,
        hw: Offset,
        world: &LeaderContext<'_>,
    ) -> bool {
        let rule = world.rules.isr_join;
        self.pending.is_none()
            && !self.isr.contains(&broker)
            && isr::may_join(rule, &progress, hw, self.epoch_start, (world.eligibility)(broker))
    }

    /// With `broker` proposed for the ISR, where it counts already (R2.21).
    #[must_use]
    pub fn expanding(self, broker: BrokerId) -> Lead {
        let isr = self.isr.union(&[broker]);
        Lead { pending: Some(PendingIsr::Expand { isr }), ..self }
    }

    /// With the brokers of `out` to leave the ISR, where they still count (R2.21).
    #[must_use]
    pub fn shrinking(self, out: &[BrokerId]) -> Lead {
        let isr = self.isr.filtered(|b| !out.contains(&b));
        Lead { pending: Some(PendingIsr::Shrink { isr }), ..self }
    }

    /// How many members of the ISR, the leader included, have everything below `offset` (R2.10).
    pub fn reached(&self, offset: Offset, followers: impl Iterator<Item = Follower>) -> usize {
        1 + followers.filter(|(b, f)| self.isr.contains(b) && f.end >= offset).count()
    }
}

/// A follower as a leader sees it that begins to lead, or goes on, as `former` knows it. `begins`:
/// where the log ended when a new epoch of the same leader began, if one does (R2.4, R2.5).
pub fn known_follower(
    rules: &Rules,
    former: Option<FollowerProgress>,
    in_isr: bool,
    begins: Option<Offset>,
    now: Micros,
) -> FollowerProgress {
    match (former, begins) {
        (Some(known), None) => known,
        (Some(known), Some(end)) => known.at_new_epoch(rules, in_isr, end, now),
        (None, _) => FollowerProgress::at_new_leader(rules, in_isr, now),
    }
}
